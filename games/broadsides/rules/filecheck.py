"""What a scenario or situation file may not say: keys of the wrong kind of unit, impossible values, unknown names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from games.broadsides.data import TABLES, Catalogue, ShipClass
from games.broadsides.rules.files import UnitFile
from games.broadsides.state import Ballistic, Formation, State, class_of, unit_of
from pbem.kit.codec import BadData

ORDER_WORDS = """
fleet end speed path alt chase pivot slide roll snaproll divert battery power ballistic fire hold intercept clear take
firing attack breakoff missiles defend launch land board troops jump-in offset jump deploy load program upgrade
nearest biggest best-chance closing all light medium heavy none
"""
"""Section 6: these cannot be unit names."""
MOST_FIGHTERS = 6
MOST_DENSITY = 4
SHIP_KEYS = [
    "rolled",
    "slide",
    "structure",
    "blocks_lost",
    "blocks_left",
    "weapon",
    "deactivated",
    "battery",
    "pods",
    "pods_launched",
    "sensor_upgrades",
    "jammer_upgrade",
    "boarding_squads",
    "cnc_rows_lost_this_turn",
    "cnc_failure",
    "program",
    "offset",
    "troops",
]
FLIGHT_KEYS = [
    "number",
    "fighters",
    "carrier",
    "flights",
    "order",
    "broke_off",
    "target",
    "section",
    "alongside",
    "elite",
    "landed",
    "d_move",
    "launched_now",
    "attacked",
]


# --- units -----------------------------------------------------------------------------------------------------------


def check_flight_file(one: UnitFile, where: str) -> None:
    """Section 2.6: one to six fighters, and nothing that only a ship has."""
    _refuse(one, SHIP_KEYS, f"{one.class_name} is a flight; this is for ships", where)
    for key, count in (("number", one.number), ("fighters", len(one.fighters) or None)):
        if count is not None and not 1 <= count <= MOST_FIGHTERS:
            raise BadData(f"{where}.{key}", f"a flight has 1 to {MOST_FIGHTERS} fighters, not {count}")


def check_ship_file(sheet: ShipClass, one: UnitFile, where: str) -> None:
    """Section 2.5: sections, systems and mounts on the sheet, within its numbers; nothing that only a flight has."""
    _refuse(one, FLIGHT_KEYS, f"{one.class_name} is a ship; this is for flights", where)
    systems = list(sheet.systems)
    known: Mapping[str, list[str]] = {
        "structure": [section.name for section in sheet.sections],
        "blocks_lost": systems,
        "blocks_left": systems,
        "weapon": [mount.id for mount in sheet.mounts],
        "deactivated": systems,
        "battery": [system.id for system in sheet.systems.values() if system.kind == "battery"],
    }
    for table, names in known.items():
        for key in getattr(one, table):
            if key not in names:
                raise BadData(f"{where}.{table}.{key}", f"{one.class_name} has {', '.join(names) or 'none'}")
    for table in ("blocks_lost", "blocks_left"):
        for key, blocks in getattr(one, table).items():
            if not 0 <= blocks <= sheet.systems[key].blocks:
                raise BadData(f"{where}.{table}.{key}", f"{key} has {sheet.systems[key].blocks} blocks, not {blocks}")
    for key, points in one.structure.items():
        if points < 0:
            raise BadData(f"{where}.structure.{key}", f"structure left is at least 0, not {points}")
    _check_squads(sheet, one, where)


def _check_squads(sheet: ShipClass, one: UnitFile, where: str) -> None:
    sections = [section.name for section in sheet.sections]
    for index, squad in enumerate(one.boarding_squads):
        if squad.section not in sections:
            raise BadData(
                f"{where}.boarding_squads[{index}].section",
                f"{one.class_name} has {', '.join(sections)}, not {squad.section!r}",
            )


def _refuse(one: UnitFile, keys: list[str], why: str, where: str) -> None:
    for field in fields(one):
        default: Any = field.default if field.default_factory is MISSING else field.default_factory()
        if field.name in keys and getattr(one, field.name) != default:
            raise BadData(f"{where}.{field.name}", why)


# --- the whole file --------------------------------------------------------------------------------------------------


def check_state(state: State, catalogue: Catalogue, where: str) -> None:
    """Names point at sides and units the file has; numbers are possible."""
    sides = [side.id for side in state.sides]
    named = [("first_fire", state.first_fire), *(("standing", side) for side in state.standing)]
    named += [*(("sightings", side) for side in state.sightings), *(("formation", f.side) for f in state.formations)]
    for key, side in (*named, *(("ballistic", one.side) for one in state.ballistics)):
        if side not in sides:
            raise BadData(f"{where}.{key}", f"no side called {side!r}; the sides are {', '.join(sides)}")
    words = ORDER_WORDS.split()
    for name in state.roster:
        if name.casefold() in words:
            raise BadData(f"{where}.unit", f"{name!r} is an order word and cannot be a unit's name")
    for prize in state.prizes:
        if prize.unit not in state.ships:
            raise BadData(f"{where}.prize.unit", f"no ship called {prize.unit!r}")
    for index, formation in enumerate(state.formations):
        _check_formation(state, formation, f"{where}.formation[{index}]")
    for index, one in enumerate(state.ballistics):
        _check_ballistic(state, catalogue, one, f"{where}.ballistic[{index}]")
    _check_ground(state, where)


def _check_ground(state: State, where: str) -> None:
    if state.map.radius is None and (state.map.columns < 1 or state.map.rows < 1):
        raise BadData(f"{where}.map", "a radius, or columns and rows, are needed")
    if state.turn < 0:
        raise BadData(f"{where}.turn", f"a turn is at least 0, not {state.turn}")
    for patch in state.terrain.asteroids:
        if not 1 <= patch.density <= MOST_DENSITY:
            raise BadData(f"{where}.terrain.field.density", f"a density is 1 to {MOST_DENSITY}, not {patch.density}")


def _check_formation(state: State, formation: Formation, where: str) -> None:
    for name in (formation.leader, *formation.ships):
        if name not in state.ships or state.ships[name].side != formation.side:
            raise BadData(where, f"{formation.side} has no ship called {name!r}")
    if not 0 <= formation.facing <= 5:
        raise BadData(f"{where}.facing", f"a direction is 0 to 5, not {formation.facing}")


def _check_ballistic(state: State, catalogue: Catalogue, one: Ballistic, where: str) -> None:
    """A launch in flight comes from a ballistic mount and goes to a unit, a mine to a hex."""
    ship = state.ships.get(one.launcher)
    if ship is None or ship.side != one.side:
        raise BadData(f"{where}.launcher", f"{one.side} has no ship called {one.launcher!r}")
    sheet = class_of(catalogue, ship)
    launchers = {mount.id: catalogue.weapons[mount.type] for mount in sheet.mounts}
    weapon = launchers.get(one.mount)
    if weapon is None or not weapon.ballistic:
        known = ", ".join(name for name, found in launchers.items() if found.ballistic) or "none"
        raise BadData(f"{where}.mount", f"{ship.name} has no ballistic mount {one.mount!r}; it has {known}")
    if weapon.mine:
        if one.target_hex is None:
            raise BadData(f"{where}.target_hex", f"{one.mount} launches mines; the hex it is set for is needed")
        return
    if unit_of(state, one.target) is None:
        raise BadData(f"{where}.target", f"no unit called {one.target!r}")
    if weapon.rack and one.kind not in TABLES.missile:
        raise BadData(f"{where}.kind", f"a missile is one of {', '.join(TABLES.missile)}, not {one.kind!r}")

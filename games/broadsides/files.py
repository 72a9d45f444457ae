"""Scenario and situation files: shorthands that no record has, and what a file may not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from games.broadsides.data import TABLES, ShipClass
from games.broadsides.orders.words import read_program
from games.broadsides.state import (
    AirHex,
    Ballistic,
    FieldHex,
    Flight,
    Formation,
    OrderLine,
    Ship,
    State,
    Terrain,
)
from pbem.kit.codec import BadData, build, did_you_mean
from pbem.kit.hexgrid import Hex, disk, parse, ring

ORDER_WORDS = """
fleet end speed path alt chase pivot slide roll snaproll divert battery power ballistic fire hold intercept clear take
firing attack breakoff missiles defend launch land board troops jump-in offset jump deploy load program upgrade
nearest biggest best-chance closing all light medium heavy none
"""
"""Section 6: these cannot be unit names."""
MOST_FIGHTERS = 6
MOST_DENSITY = 4
HEAD = ("sides", "map", "switches", "first_fire", "verdict")
"""Keys of a file that are fields of what both sides know."""
OTHERS = [
    "turns",
    "turn",
    "phase",
    "year",
    "start_speed",
    "terrain",
    "unit",
    "formation",
    "ballistic",
    "prize",
    "standing",
    "sightings",
]
FLIGHT_SHORTHANDS = {"number": None, "flights": 1}
SHIP_SHORTHANDS: Mapping[str, Any] = {"blocks_left": {}}


def check_keys(data: Mapping[str, Any], where: str) -> None:
    """The head of a file: nothing unknown, nothing missing."""
    known = [*HEAD, *OTHERS]
    for key in data:
        if key not in known:
            raise BadData(f"{where}.{key}", f"no such key{did_you_mean(key, known)}")
    for key in ("sides", "map", "unit"):
        if key not in data:
            raise BadData(where, f"the key '{key}' is missing")


# --- hexes and terrain -----------------------------------------------------------------------------------------------


def hex_of(given: Hex | str, where: str) -> Hex:
    if isinstance(given, Hex):
        return given
    at = parse(given) if "," in given else None
    if at is None:
        raise BadData(where, f'a hex is [q, r] or "q,r", not {given!r}')
    return at


def entries_of(data: Mapping[str, Any], key: str, hexes: Sequence[str], where: str) -> list[dict[str, Any]]:
    """The tables of a list; hexes in words become hexes."""
    entries: tuple[Any, ...] = build(tuple[Mapping[str, Any], ...], data.get(key, ()), f"{where}.{key}")
    return [_with_hexes(entry, hexes, f"{where}.{key}[{index}]") for index, entry in enumerate(entries)]


def _with_hexes(entry: Mapping[str, Any], hexes: Sequence[str], where: str) -> dict[str, Any]:
    written = {key: entry[key] for key in hexes if isinstance(entry.get(key), str)}
    return {**entry, **{key: hex_of(text, f"{where}.{key}") for key, text in written.items()}}


@dataclass(frozen=True)
class TerrainPatch:
    """Hexes of one kind: a list, a disc about a centre, or the ring at a radius."""

    hexes: tuple[Hex | str, ...] = ()
    centre: Hex | str | None = None
    radius: int = 0
    ring: bool = False
    density: int = 1
    level: int = 1

    def all(self) -> tuple[Hex, ...]:
        named = tuple(hex_of(at, "terrain") for at in self.hexes)
        if self.centre is None:
            return named
        around = ring if self.ring else disk
        return (*named, *around(hex_of(self.centre, "terrain"), self.radius))


@dataclass(frozen=True)
class TerrainPatches:
    """Terrain as a file writes it."""

    field: tuple[TerrainPatch, ...] = ()
    large: tuple[TerrainPatch, ...] = ()
    planet: tuple[TerrainPatch, ...] = ()
    air: tuple[TerrainPatch, ...] = ()

    def all(self) -> Terrain:
        return Terrain(
            tuple(FieldHex(at, patch.density) for patch in self.field for at in patch.all()),
            tuple(at for patch in self.large for at in patch.all()),
            tuple(at for patch in self.planet for at in patch.all()),
            tuple(AirHex(at, patch.level) for patch in self.air for at in patch.all()),
        )


# --- orders in words -------------------------------------------------------------------------------------------------


def program_of(given: Any, where: str) -> Any:
    """A program as a table, or in the words of an order."""
    program = read_program(given) if isinstance(given, str) else given
    if program is None:
        raise BadData(where, f'a program is "nearest", "best-chance over 10" or the like, not {given!r}')
    return program


def lines_of(given: tuple[OrderLine, ...] | str) -> tuple[OrderLine, ...]:
    """Orders of the first e-mail, for a situation that opens in the fire phase: ``Unit: order`` a line."""
    if not isinstance(given, str):
        return given
    parts = [(number, *text.strip().partition(":")) for number, text in enumerate(given.splitlines(), 1)]
    return tuple(OrderLine(number, unit.strip(), order.strip()) for number, unit, colon, order in parts if colon)


# --- units -----------------------------------------------------------------------------------------------------------


def only_for(kind: type[Ship] | type[Flight], said: Mapping[str, Any], where: str) -> dict[str, Any]:
    """What is said of a unit, if the keys of the other kind say nothing."""
    other: type[Ship] | type[Flight] = Flight if kind is Ship else Ship
    shorthands = FLIGHT_SHORTHANDS if kind is Ship else SHIP_SHORTHANDS
    silent = {field.name: field.default for field in fields(other)} | dict(shorthands)
    foreign = set(silent) - {field.name for field in fields(kind)} - {"facing"}
    for key in said:
        if key in foreign and said[key] and said[key] != silent[key]:
            words = ("ship", "flights") if kind is Ship else ("flight", "ships")
            raise BadData(f"{where}.{key}", f"{said['class_name']} is a {words[0]}; this is for {words[1]}")
    return {key: value for key, value in said.items() if key not in foreign}


def check_ship_tables(sheet: ShipClass, tables: Mapping[str, Mapping[str, Any]], where: str) -> None:
    """Section 2.5: sections, systems and mounts on the sheet, within its numbers."""
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
        for key in tables[table]:
            if key not in names:
                raise BadData(f"{where}.{table}.{key}", f"{sheet.name} has {', '.join(names) or 'none'}")
    for table in ("blocks_lost", "blocks_left"):
        for key, blocks in tables[table].items():
            if not 0 <= blocks <= sheet.systems[key].blocks:
                raise BadData(f"{where}.{table}.{key}", f"{key} has {sheet.systems[key].blocks} blocks, not {blocks}")
    for key, points in tables["structure"].items():
        if points < 0:
            raise BadData(f"{where}.structure.{key}", f"structure left is at least 0, not {points}")


def check_squads(sheet: ShipClass, ship: Ship, where: str) -> None:
    sections = [section.name for section in sheet.sections]
    for index, squad in enumerate(ship.boarding_squads):
        if squad.section not in sections:
            why = f"{sheet.name} has {', '.join(sections)}, not {squad.section!r}"
            raise BadData(f"{where}.boarding_squads[{index}].section", why)


def check_strength(key: str, count: int | None, where: str) -> None:
    """Section 2.6: one to six fighters."""
    if count is not None and not 1 <= count <= MOST_FIGHTERS:
        raise BadData(f"{where}.{key}", f"a flight has 1 to {MOST_FIGHTERS} fighters, not {count}")


def check_course(unit: Ship | Flight, where: str) -> None:
    for name in ("heading", "facing"):
        if not 0 <= getattr(unit, name) <= 5:
            raise BadData(f"{where}.{name}", f"a direction is 0 to 5, not {getattr(unit, name)}")
    if unit.speed < 0:
        raise BadData(f"{where}.speed", f"a speed is at least 0, not {unit.speed}")


# --- the whole file --------------------------------------------------------------------------------------------------


def check_state(state: State, where: str) -> None:
    """Names point at sides and units the file has; numbers are possible."""
    sides = [side.id for side in state.sides]
    named = [("first_fire", state.first_fire), *(("standing", side) for side in state.standing)]
    named += [*(("sightings", side) for side in state.sightings), *(("formation", f.side) for f in state.formations)]
    for key, side in (*named, *(("ballistic", launch.side) for launch in state.ballistics)):
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
    for index, launch in enumerate(state.ballistics):
        _check_ballistic(state, launch, f"{where}.ballistic[{index}]")
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


def _check_ballistic(state: State, launch: Ballistic, where: str) -> None:
    """A launch in flight comes from a ballistic mount and goes to a unit, a mine to a hex."""
    ship = state.ships.get(launch.launcher)
    if ship is None or ship.side != launch.side:
        raise BadData(f"{where}.launcher", f"{launch.side} has no ship called {launch.launcher!r}")
    mounts = state.cards.classes[ship.class_name].mounts
    weapons = {mount.id: state.cards.weapons[mount.type] for mount in mounts}
    launchers = {mount: weapon for mount, weapon in weapons.items() if weapon.ballistic}
    weapon = launchers.get(launch.mount)
    if weapon is None:
        known = ", ".join(launchers) or "none"
        raise BadData(f"{where}.mount", f"{ship.name} has no ballistic mount {launch.mount!r}; it has {known}")
    if weapon.mine:
        if launch.target_hex is None:
            raise BadData(f"{where}.target_hex", f"{launch.mount} launches mines; the hex it is set for is needed")
        return
    if state.unit(launch.target) is None:
        raise BadData(f"{where}.target", f"no unit called {launch.target!r}")
    if weapon.rack and launch.kind not in TABLES.missile:
        raise BadData(f"{where}.kind", f"a missile is one of {', '.join(TABLES.missile)}, not {launch.kind!r}")

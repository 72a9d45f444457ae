"""Chapter 4.18, setup: from a scenario or situation file to a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from games.broadsides.data import Catalogue, FighterClass, ShipClass
from games.broadsides.files import (
    HEAD,
    TerrainPatches,
    check_course,
    check_keys,
    check_ship_tables,
    check_squads,
    check_state,
    check_strength,
    entries_of,
    lines_of,
    only_for,
    program_of,
)
from games.broadsides.rules.catalogue import TABLE_NAMES, own_entries
from games.broadsides.rules.force import check_force
from games.broadsides.state import (
    Ballistic,
    Fighter,
    Flight,
    Formation,
    Known,
    Mount,
    OrderLine,
    Prize,
    Ship,
    Sighting,
    Squad,
    State,
)
from pbem.kit.codec import BadData, build
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import Hex, turned
from pbem.kit.records import amended, shared
from pbem.kit.scenario import Scenario

FIRST_YEAR = 2200
DEFAULT_YEAR = 2240
"""Of a situation that names none."""
DEFAULT_TURNS = 12
RACK_MISSILES = 12
FLIGHT_STRENGTH = 6
SLOWEST_START = 4
SHIP_TABLES: Mapping[str, Any] = {
    **dict.fromkeys(("structure", "blocks_lost", "blocks_left", "battery"), Mapping[str, int]),
    "weapon": Mapping[str, Mapping[str, Any]],
    "deactivated": Mapping[str, Any],
}


def setup(scenario: Scenario, dice: Dice) -> State:
    """The opening state of a scenario, or the state a situation describes."""
    where = scenario.key
    own = own_entries({key: value for key, value in scenario.data.items() if key in TABLE_NAMES}, where)
    data = {key: value for key, value in scenario.data.items() if key not in TABLE_NAMES}
    check_keys(data, where)
    known = _known(scenario, data, own, dice)
    muster = _Muster(known, where)
    for index, entry in enumerate(entries_of(data, "unit", ("position", "start_position", "offset"), where)):
        muster.take(entry, f"{where}.unit[{index}]")
    formations = entries_of(data, "formation", ("hex",), where)
    launches = entries_of(data, "ballistic", ("launch_hex", "target_hex"), where)
    standing = build(Mapping[str, tuple[OrderLine, ...] | str], data.get("standing", {}), f"{where}.standing")
    state = State(
        **shared(Known, known),
        ships=muster.ships,
        flights=muster.flights,
        roster=muster.roster(),
        ballistics=tuple(map(muster.with_kind, build(tuple[Ballistic, ...], launches, f"{where}.ballistic"))),
        formations=build(tuple[Formation, ...], formations, f"{where}.formation"),
        standing={side: lines_of(given) for side, given in standing.items()},
        sightings=build(Mapping[str, Mapping[str, Sighting]], data.get("sightings", {}), f"{where}.sightings"),
        prizes=build(tuple[Prize, ...], data.get("prize", ()), f"{where}.prize"),
    )
    check_state(state, where)
    faults = check_force(state) if state.phase == "setup" and state.switches.escort_rule else []
    if faults:
        raise BadData(where, f"{faults[0]} (BR-SET-2, BR-SET-3)")
    return state


def _known(scenario: Scenario, data: Mapping[str, Any], own: Catalogue, dice: Dice) -> Known:
    """The head of the file; what it leaves open is rolled or takes its default."""
    where = scenario.key
    phase = data.get("phase") or ("orders" if data.get("turn") else "setup")
    known: Known = build(
        Known,
        {
            **{key: data[key] for key in HEAD if key in data},
            "scenario": scenario.key,
            "title": scenario.title,
            "turn": data.get("turn", 0),
            "phase": phase,
            "last_turn": build(int, data.get("turns", DEFAULT_TURNS), f"{where}.turns"),
            "year": _year(_rolled(data, "year", DEFAULT_YEAR, phase, where), dice),
            "start_speed": _start_speed(_rolled(data, "start_speed", 0, phase, where), dice),
            "terrain": build(TerrainPatches, data.get("terrain", {}), f"{where}.terrain").all(),
            "catalogue": own,
        },
        where,
    )
    if len(known.sides) != 2:
        raise BadData(f"{where}.sides", f"exactly two sides are needed, not {len(known.sides)}")
    return replace(known, first_fire=known.first_fire or known.sides[0].id)


def _rolled(data: Mapping[str, Any], key: str, default: int, phase: str, where: str) -> int | Literal["roll"]:
    """A number or ``roll``; unsaid, a scenario rolls and a situation takes the default."""
    given: int | Literal["roll"] = build(
        int | Literal["roll"], data.get(key, "roll" if phase == "setup" else default), f"{where}.{key}"
    )
    return given


def _year(given: int | Literal["roll"], dice: Dice) -> int:
    """BR-SET-1: 2200 + 10 d6 + d10."""
    if given != "roll":
        return given
    tens, ones = dice.roll(6, "setup", "year", "tens"), dice.roll(10, "setup", "year", "ones")
    return FIRST_YEAR + 10 * tens.face + ones.face


def _start_speed(given: int | Literal["roll"], dice: Dice) -> int:
    """BR-SET-4: d3+4, one roll for all."""
    return given if given != "roll" else (dice.roll(6, "setup", "start speed").face + 1) // 2 + SLOWEST_START


# --- units -----------------------------------------------------------------------------------------------------------


class _Muster:
    """Takes the units of a file one after another; a flight's carrier stands above it."""

    def __init__(self, known: Known, where: str) -> None:
        self._known, self._cards, self._where = known, known.cards, where
        self.ships: dict[str, Ship] = {}
        self.flights: dict[str, Flight] = {}
        self._names: list[str] = []

    def roster(self) -> tuple[str, ...]:
        """Side by side, in the order of the file."""
        twice = next((name for name in self._names if self._names.count(name) > 1), None)
        if twice is not None:
            raise BadData(f"{self._where}.unit", f"two units are called '{twice}'")
        ranks = [side.id for side in self._known.sides]
        sides = {name: unit.side for name, unit in (*self.ships.items(), *self.flights.items())}
        return tuple(sorted(self._names, key=lambda name: ranks.index(sides[name])))

    def take(self, entry: Mapping[str, Any], where: str) -> None:
        said = {("class_name" if key == "class" else key): value for key, value in entry.items()}
        for key, written in (("side", "side"), ("class_name", "class")):
            if key not in said:
                raise BadData(where, f"the key '{written}' is missing")
        if said["side"] not in [side.id for side in self._known.sides]:
            raise BadData(f"{where}.side", f"no side called {said['side']!r}")
        build(str, said["class_name"], f"{where}.class")
        if said["class_name"] in self._cards.classes:
            ship = self._ship(only_for(Ship, said, where), where)
            self.ships[ship.name] = ship
            self._names.append(ship.name)
        elif said["class_name"] in self._cards.fighters:
            for flight in self._flights(only_for(Flight, said, where), where):
                self.flights[flight.name] = flight
                self._names.append(flight.name)
        else:
            raise BadData(f"{where}.class", f"no class called {said['class_name']!r}")

    # --- ships

    def _ship(self, said: Mapping[str, Any], where: str) -> Ship:
        """BR-SET-6: as its class is printed, but for what is said."""
        sheet = self._cards.classes[said["class_name"]]
        tables: dict[str, Mapping[str, Any]] = {
            key: build(kind, said.get(key, {}), f"{where}.{key}") for key, kind in SHIP_TABLES.items()
        }
        check_ship_tables(sheet, tables, where)
        structure = {section.name: section.structure for section in sheet.sections} | dict(tables["structure"])
        usual = {
            "position": Hex(0, 0),
            "status": "on-map" if "position" in said else "hyperspace",
            "heading": 0,
            "facing": 0,
            "speed": self._known.start_speed,
            "pods": sheet.pods,
            "initiative": sheet.init,
        }
        laid = {
            "name": said.get("name") or sheet.name,
            "structure": structure,
            "blocks_lost": _blocks_lost(sheet, structure, tables),
            "weapon": self._mounts(sheet, tables["weapon"], f"{where}.weapon"),
            "battery": self._batteries(sheet) | dict(tables["battery"]),
            "program": program_of(said.get("program", {}), f"{where}.program"),
        }
        rest = {key: value for key, value in said.items() if key != "blocks_left"}
        ship: Ship = build(Ship, {**usual, **rest, **laid}, where)
        check_squads(sheet, ship, where)
        check_course(ship, where)
        return replace(
            ship,
            facing=ship.facing if "facing" in said else _default_facing(sheet, ship),
            speed=0 if sheet.fixed else ship.speed,
            boarding_squads=_numbered(ship.boarding_squads),
            scenario_heading=said.get("scenario_heading", ship.heading if self._known.phase == "setup" else None),
        )

    def _mounts(self, sheet: ShipClass, said: Mapping[str, Any], where: str) -> dict[str, Mount]:
        """BR-SET-6: full charge, twelve standard missiles."""
        mounts = {}
        for mount in sheet.mounts:
            weapon = self._cards.weapons[mount.type]
            full = Mount(weapon.full, ammunition={"standard": RACK_MISSILES} if weapon.rack else {})
            mounts[mount.id] = amended(full, said.get(mount.id, {}), f"{where}.{mount.id}")
        return mounts

    def _batteries(self, sheet: ShipClass) -> dict[str, int]:
        boxes = [system for system in sheet.systems.values() if system.kind == "battery"]
        return {box.id: self._cards.batteries[box.type].capacity for box in boxes}

    # --- flights

    def _flights(self, said: Mapping[str, Any], where: str) -> list[Flight]:
        craft = self._cards.fighters[said["class_name"]]
        name = build(str, said.get("carrier", ""), f"{where}.carrier")
        carrier = self.ships.get(name)
        if "position" not in said and carrier is None:
            raise BadData(f"{where}.carrier", f"no ship called {name!r} above; give a carrier or a position")
        usual = {
            "position": carrier.position if carrier else Hex(0, 0),
            "status": "on-map" if "position" in said else "hangar",
            "heading": 0,
            "speed": 0,
            "initiative": craft.init,
        }
        rest = {key: value for key, value in said.items() if key not in ("number", "flights", "facing")}
        flights = []
        for name in [said["name"]] if said.get("name") else self._flight_names(said, craft, where):
            laid = {"name": name, "fighters": _fighters(said, craft, where)}
            flight: Flight = build(Flight, {**usual, **rest, **laid}, where)
            check_course(flight, where)
            flights.append(flight)
        return flights

    def _flight_names(self, said: Mapping[str, Any], craft: FighterClass, where: str) -> list[str]:
        """Section 2.6: flights without a name are called carrier-F1, carrier-F2; pods carrier-P1."""
        prefix = f"{said.get('carrier') or said['class_name']}-{'P' if craft.kind == 'pod' else 'F'}"
        taken = sum(1 for name in self.flights if name.startswith(prefix))
        count = build(int, said.get("flights", 1), f"{where}.flights")
        return [f"{prefix}{taken + number}" for number in range(1, count + 1)]

    def with_kind(self, launch: Ballistic) -> Ballistic:
        """A rack's missile in flight is a standard one unless its kind is given."""
        launcher = self.ships.get(launch.launcher)
        rack = launcher is not None and launch.mount in launcher.weapon and launcher.weapon[launch.mount].ammunition
        return replace(launch, kind=launch.kind or ("standard" if rack else ""))


def _blocks_lost(sheet: ShipClass, structure: Mapping[str, int], tables: Mapping[str, Any]) -> dict[str, int]:
    """As said, lost or left; a section without structure has lost all of its blocks."""
    lost = {**tables["blocks_lost"]}
    lost |= {box: sheet.systems[box].blocks - left for box, left in tables["blocks_left"].items()}
    gone = [section for section in sheet.sections if structure[section.name] <= 0]
    return lost | {system.id: system.blocks for section in gone for system in section.systems}


def _default_facing(sheet: ShipClass, ship: Ship) -> int:
    """BR-MOV-10: ahead; during a turn two steps to its side, but for gravitic ships."""
    if ship.turning is None or sheet.drive == "gravitic":
        return ship.heading
    return turned(ship.heading, -2 if ship.turning.dir == "port" else 2)


def _numbered(squads: tuple[Squad, ...]) -> tuple[Squad, ...]:
    """Squads of one sender are told apart by their numbers; those given twice are counted anew."""
    names = [(squad.sent_by, squad.number) for squad in squads]
    if len(set(names)) == len(names):
        return squads
    return tuple(replace(squad, number=place) for place, squad in enumerate(squads, 1))


def _fighters(said: Mapping[str, Any], craft: FighterClass, where: str) -> tuple[Fighter, ...]:
    number = build(int | None, said.get("number"), f"{where}.number")
    given = build(tuple[Mapping[str, Any], ...], said.get("fighters", ()), f"{where}.fighters")
    check_strength("number", number, where)
    check_strength("fighters", len(given) or None, where)
    full = Fighter(craft.structure, missiles=craft.missiles)
    count = number or (FLIGHT_STRENGTH if craft.kind == "fighter" else 1)
    return tuple(
        amended(full, fighter, f"{where}.fighters[{index}]") for index, fighter in enumerate(given or ({},) * count)
    )

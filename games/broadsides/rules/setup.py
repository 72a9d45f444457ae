"""Chapter 4.18, setup: from a scenario or situation file to a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from games.broadsides.catalogue import own_entries, printed
from games.broadsides.data import Catalogue, FighterClass, ShipClass
from games.broadsides.orders.targets import read_program
from games.broadsides.rules.filecheck import check_flight_file, check_ship_file, check_state
from games.broadsides.rules.files import (
    BallisticFile,
    FighterFile,
    FormationFile,
    MountFile,
    ScenarioFile,
    UnitFile,
    hex_of,
)
from games.broadsides.rules.force import check_force
from games.broadsides.state import (
    AirHex,
    Ballistic,
    FieldHex,
    Fighter,
    Flight,
    Formation,
    Mount,
    OrderLine,
    PhaseName,
    Program,
    Ship,
    Squad,
    State,
    Status,
    Terrain,
)
from pbem.kit.codec import BadData, build
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import Hex, turned
from pbem.kit.scenario import Scenario

FIRST_YEAR = 2200
DEFAULT_YEAR = 2240
"""Of a situation that names none."""
RACK_MISSILES = 12
FLIGHT_STRENGTH = 6
SLOWEST_START = 4
CATALOGUE_TABLES = ("weapon", "battery", "class", "fighter", "race")


def setup(scenario: Scenario, dice: Dice) -> State:
    """The opening state of a scenario, or the state a situation describes."""
    own = {key: value for key, value in scenario.data.items() if key in CATALOGUE_TABLES}
    rest = {key: value for key, value in scenario.data.items() if key not in CATALOGUE_TABLES}
    source = scenario.key
    units = rest.get("unit", ())
    if isinstance(units, list):
        rest["unit"] = [_with_class_name(one) for one in units]
    file: ScenarioFile = build(ScenarioFile, rest, source)
    return _Builder(file, own_entries(own, source), scenario).state(dice)


def _with_class_name(unit: Any) -> Any:
    if not isinstance(unit, Mapping):
        return unit
    return {("class_name" if key == "class" else key): value for key, value in unit.items()}


class _Builder:
    """Makes the state of one file."""

    def __init__(self, file: ScenarioFile, own: Catalogue, scenario: Scenario) -> None:
        self._file = file
        self._own = own
        self._catalogue = printed().with_more(own)
        self._scenario = scenario
        self._where = scenario.key
        self._phase: PhaseName = file.phase or ("orders" if file.turn else "setup")

    def state(self, dice: Dice) -> State:
        file = self._file
        if len(file.sides) != 2:
            raise BadData(f"{self._where}.sides", f"exactly two sides are needed, not {len(file.sides)}")
        year, speed = self._year(dice), self._start_speed(dice)
        ships, flights, roster = self._units(speed)
        state = State(
            scenario=self._scenario.key,
            title=self._scenario.title,
            sides=file.sides,
            map=file.map,
            turn=file.turn,
            phase=self._phase,
            last_turn=file.turns,
            year=year,
            start_speed=speed,
            ships=ships,
            flights=flights,
            roster=roster,
            switches=file.switches,
            terrain=self._terrain(),
            first_fire=file.first_fire or file.sides[0].id,
            ballistics=tuple(self._ballistic(one, ships) for one in file.ballistic),
            formations=tuple(self._formation(one) for one in file.formation),
            standing={side: _lines(given) for side, given in file.standing.items()},
            sightings=file.sightings,
            prizes=file.prize,
            verdict=file.verdict,
            catalogue=self._own,
        )
        self._check(state)
        return state

    def _year(self, dice: Dice) -> int:
        """BR-SET-1: 2200 + 10 d6 + d10."""
        given = self._file.year
        if isinstance(given, int):
            return given
        if given is None and self._phase != "setup":
            return DEFAULT_YEAR
        tens, ones = dice.roll(6, "setup", "year", "tens"), dice.roll(10, "setup", "year", "ones")
        return FIRST_YEAR + 10 * tens.face + ones.face

    def _start_speed(self, dice: Dice) -> int:
        """BR-SET-4: d3+4, one roll for all."""
        given = self._file.start_speed
        if isinstance(given, int):
            return given
        if given is None and self._phase != "setup":
            return 0
        return (dice.roll(6, "setup", "start speed").face + 1) // 2 + SLOWEST_START

    def _units(self, speed: int) -> tuple[dict[str, Ship], dict[str, Flight], tuple[str, ...]]:
        ships: dict[str, Ship] = {}
        flights: dict[str, Flight] = {}
        order: list[str] = []
        for index, one in enumerate(self._file.unit):
            where = f"{self._where}.unit[{index}]"
            self._check_unit(one, where)
            if one.class_name in self._catalogue.classes:
                made = [self._ship(one, speed, where)]
                ships.update((ship.name, ship) for ship in made)
                order.extend(ship.name for ship in made)
                continue
            for flight in self._flights(one, ships, flights, where):
                flights[flight.name] = flight
                order.append(flight.name)
        if len(order) != len(set(order)):
            twice = next(name for name in order if order.count(name) > 1)
            raise BadData(f"{self._where}.unit", f"two units are called '{twice}'")
        by_side = {**{n: s.side for n, s in ships.items()}, **{n: f.side for n, f in flights.items()}}
        ranks = [side.id for side in self._file.sides]
        return ships, flights, tuple(sorted(order, key=lambda name: ranks.index(by_side[name])))

    def _check_unit(self, one: UnitFile, where: str) -> None:
        if one.side not in [side.id for side in self._file.sides]:
            raise BadData(f"{where}.side", f"no side called {one.side!r}")
        if one.class_name not in self._catalogue.classes and one.class_name not in self._catalogue.fighters:
            raise BadData(f"{where}.class", f"no class called {one.class_name!r}")
        for name in ("heading", "facing"):
            value = getattr(one, name)
            if value is not None and not 0 <= value <= 5:
                raise BadData(f"{where}.{name}", f"a direction is 0 to 5, not {value}")
        if one.speed is not None and one.speed < 0:
            raise BadData(f"{where}.speed", f"a speed is at least 0, not {one.speed}")

    def _ship(self, one: UnitFile, speed: int, where: str) -> Ship:
        sheet = self._catalogue.classes[one.class_name]
        name = one.name or one.class_name
        check_ship_file(sheet, one, where)
        position = Hex(0, 0) if one.position is None else hex_of(one.position, f"{where}.position")
        status: Status = one.status or ("on-map" if one.position is not None else "hyperspace")
        lost = {**one.blocks_lost, **{box: sheet.systems[box].blocks - n for box, n in one.blocks_left.items()}}
        structure = {section.name: section.structure for section in sheet.sections} | dict(one.structure)
        for section in sheet.sections:
            if structure[section.name] <= 0:
                lost.update({system.id: system.blocks for system in section.systems})
        return Ship(
            name=name,
            side=one.side,
            class_name=one.class_name,
            position=position,
            heading=one.heading,
            facing=_default_facing(sheet, one) if one.facing is None else one.facing,
            speed=0 if sheet.fixed else (speed if one.speed is None else one.speed),
            structure=structure,
            weapon={mount.id: self._mount(mount.type, one.weapon.get(mount.id, MountFile())) for mount in sheet.mounts},
            blocks_lost=lost,
            battery=self._batteries(sheet, one),
            pods=sheet.pods if one.pods is None else one.pods,
            status=status,
            initiative=sheet.init if one.initiative is None else one.initiative,
            start_position=None if one.start_position is None else hex_of(one.start_position, where),
            offset=hex_of(one.offset, f"{where}.offset"),
            program=_program(one.program, f"{where}.program"),
            boarding_squads=_numbered(one.boarding_squads),
            scenario_heading=one.heading if self._phase == "setup" else None,
            **{key: getattr(one, key) for key in _SHIP_AS_GIVEN},
        )

    def _mount(self, type_: str, given: MountFile) -> Mount:
        """BR-SET-6: full charge, twelve standard missiles."""
        weapon = self._catalogue.weapons[type_]
        standard = {"standard": RACK_MISSILES} if weapon.rack else {}
        rest = {one.name: getattr(given, one.name) for one in fields(given)}
        rest["charge"] = weapon.full if given.charge is None else given.charge
        rest["ammunition"] = standard if given.ammunition is None else given.ammunition
        return Mount(**rest)

    def _batteries(self, sheet: ShipClass, one: UnitFile) -> dict[str, int]:
        boxes = [system for system in sheet.systems.values() if system.kind == "battery"]
        return {box.id: one.battery.get(box.id, self._catalogue.batteries[box.type].capacity) for box in boxes}

    def _flights(
        self, one: UnitFile, ships: Mapping[str, Ship], flights: Mapping[str, Flight], where: str
    ) -> list[Flight]:
        names = [one.name] if one.name else self._flight_names(one, flights)
        return [self._flight(replace(one, name=name), ships, where) for name in names]

    def _flight_names(self, one: UnitFile, flights: Mapping[str, Flight]) -> list[str]:
        """Section 2.6: flights without a name are called carrier-F1, carrier-F2; pods carrier-P1."""
        letter = "P" if self._catalogue.fighters[one.class_name].kind == "pod" else "F"
        prefix = f"{one.carrier or one.class_name}-{letter}"
        taken = sum(1 for name in flights if name.startswith(prefix))
        return [f"{prefix}{taken + number}" for number in range(1, one.flights + 1)]

    def _flight(self, one: UnitFile, ships: Mapping[str, Ship], where: str) -> Flight:
        craft = self._catalogue.fighters[one.class_name]
        check_flight_file(one, where)
        if one.position is None and one.carrier not in ships:
            raise BadData(f"{where}.carrier", f"no ship called {one.carrier!r} above; give a carrier or a position")
        home = ships.get(one.carrier)
        position = home.position if one.position is None and home else hex_of(one.position or Hex(0, 0), where)
        return Flight(
            name=one.name,
            side=one.side,
            class_name=one.class_name,
            position=position,
            heading=one.heading,
            speed=one.speed or 0,
            fighters=_fighters(one, craft),
            status=one.status or ("on-map" if one.position is not None else "hangar"),
            initiative=craft.init if one.initiative is None else one.initiative,
            start_position=None if one.start_position is None else hex_of(one.start_position, where),
            **{key: getattr(one, key) for key in _FLIGHT_AS_GIVEN},
        )

    def _terrain(self) -> Terrain:
        file = self._file.terrain
        return Terrain(
            tuple(FieldHex(at, patch.density) for patch in file.field for at in patch.all()),
            tuple(at for patch in file.large for at in patch.all()),
            tuple(at for patch in file.planet for at in patch.all()),
            tuple(AirHex(at, patch.level) for patch in file.air for at in patch.all()),
        )

    def _formation(self, one: FormationFile) -> Formation:
        at = None if one.hex is None else hex_of(one.hex, f"{self._where}.formation")
        return Formation(one.side, one.leader, one.ships, one.turn, at, one.facing)

    def _ballistic(self, one: BallisticFile, ships: Mapping[str, Ship]) -> Ballistic:
        """In flight; a rack's missile is a standard one unless its kind is given."""
        where = f"{self._where}.ballistic"
        aimed = None if one.target_hex is None else hex_of(one.target_hex, where)
        launcher = ships.get(one.launcher)
        rack = launcher is not None and bool(launcher.weapon.get(one.mount, Mount(0)).ammunition)
        kind = one.kind or ("standard" if rack else "")
        return Ballistic(one.side, one.launcher, one.mount, hex_of(one.launch_hex, where), kind, one.target, aimed)

    def _check(self, state: State) -> None:
        check_state(state, self._catalogue, self._where)
        if state.phase == "setup" and state.switches.escort_rule:
            faults = check_force(state, self._catalogue)
            if faults:
                raise BadData(self._where, f"{faults[0]} (BR-SET-2, BR-SET-3)")


_SHIP_AS_GIVEN = (
    "rolled",
    "slide",
    "turning",
    "deactivated",
    "pods_launched",
    "sensor_upgrades",
    "jammer_upgrade",
    "cnc_rows_lost_this_turn",
    "cnc_failure",
    "highest_level",
    "fired",
    "troops",
)
_FLIGHT_AS_GIVEN = (
    "turning",
    "carrier",
    "order",
    "broke_off",
    "target",
    "section",
    "alongside",
    "elite",
    "landed",
    "highest_level",
    "d_move",
    "launched_now",
    "attacked",
    "fired",
)


def _default_facing(sheet: ShipClass, one: UnitFile) -> int:
    """BR-MOV-10: ahead; during a turn two steps to its side, but for gravitic ships."""
    if one.turning is None or sheet.drive == "gravitic":
        return one.heading
    return turned(one.heading, -2 if one.turning.dir == "port" else 2)


def _numbered(squads: tuple[Squad, ...]) -> tuple[Squad, ...]:
    """Squads of one sender are told apart by their numbers; those given twice are counted anew."""
    names = [(one.sent_by, one.number) for one in squads]
    if len(set(names)) == len(names):
        return squads
    return tuple(replace(one, number=place) for place, one in enumerate(squads, 1))


def _program(given: Program | str, where: str) -> Program:
    """A program as a table, or in the words of an order."""
    found = read_program(given) if isinstance(given, str) else given
    if found is None:
        raise BadData(where, f'a program is "nearest", "best-chance over 10" or the like, not {given!r}')
    return found


def _lines(given: tuple[OrderLine, ...] | str) -> tuple[OrderLine, ...]:
    """Orders of the first e-mail, for a situation that opens in the fire phase: ``Unit: order`` a line."""
    if not isinstance(given, str):
        return given
    lines = []
    for number, text in enumerate(given.splitlines(), 1):
        unit, colon, order = text.strip().partition(":")
        if colon:
            lines.append(OrderLine(number, unit.strip(), order.strip()))
    return tuple(lines)


def _fighters(one: UnitFile, craft: FighterClass) -> tuple[Fighter, ...]:
    count = len(one.fighters) or one.number or (FLIGHT_STRENGTH if craft.kind == "fighter" else 1)
    given = one.fighters or (FighterFile(),) * count
    return tuple(
        Fighter(
            craft.structure if each.structure is None else each.structure,
            each.dropped_out,
            each.temporary_out,
            craft.missiles if each.missiles is None else each.missiles,
            each.damaged,
            each.intercepted,
        )
        for each in given
    )

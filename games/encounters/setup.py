"""From a scenario or situation file to a state; what a file does not say takes its default from the rule book."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from games.encounters.checks import check_given, known
from games.encounters.data import PATHS, Catalogue, Design, catalogue, read_catalogue
from games.encounters.given import (
    Given,
    GivenBattle,
    GivenEncounter,
    GivenFleet,
    GivenForce,
    GivenPower,
    GivenReadiness,
    GivenUnit,
)  # fmt: skip
from games.encounters.orders.words import Speaker
from games.encounters.rules.board import Board
from games.encounters.rules.contacts import update_contacts
from games.encounters.rules.names import next_name
from games.encounters.rules.readiness import blocs_concerned, readiness_at
from games.encounters.state import (
    BattleStart,
    BlocHere,
    Build,
    Encounter,
    Fleet,
    Power,
    Readiness,
    Seen,
    State,
    System,
    Unit,
)  # fmt: skip
from games.encounters.tables import tables
from pbem.kit.codec import BadData, build
from pbem.kit.dice import Dice
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import BadOrder, Line

_COUNTED = re.compile(r"(\d+)\s+(.+)")


def set_up(scenario: Scenario, dice: Dice) -> State:
    """The state a file describes; no dice are needed."""
    where = scenario.key
    tables_given = dict(scenario.data)
    classes, designs = tables_given.pop("class", {}), tables_given.pop("design", {})
    book = read_catalogue(classes, designs, where, catalogue()) if classes or designs else catalogue()
    given: Given = build(Given, tables_given, where)
    check_map(given, where)
    check_given(given, book, where)
    state = bare_state(given, book)
    board = Board(state, dice)
    place_units(board, given, where)
    check_doctrines(board, given, where)
    place_builds(board, given, where)
    recall_encounters(board, given, where)
    update_contacts(board) if given.phase != "strategic" else look_round_once(board)
    return board.frozen(battles=tuple(battle_start(board, one, where) for one in given.battle))


def check_map(given: Given, where: str) -> None:
    """Powers and systems are named once, lanes and owners name what exists."""
    names = [system.name for system in given.system]
    keys = [power.key for power in given.power]
    if not 2 <= len(keys) <= 8:
        raise BadData(f"{where}: power", f"2 to 8 powers are needed, not {len(keys)}")
    for found in (names, keys):
        for name in found:
            if found.count(name) > 1:
                raise BadData(where, f"'{name}' is given twice")
    for number, lane in enumerate(given.lane):
        for end in lane.ends:
            known(end, names, f"{where}: lane[{number}].ends")
    for number, system in enumerate(given.system):
        if system.owner is not None:
            known(system.owner, keys, f"{where}: system[{number}].owner")
        check_stats(system, f"{where}: system[{number}] ({system.name})")


def check_stats(system: System, where: str) -> None:
    """2.2: the ranges of a system's values."""
    limits = {"RAW": 6, "CAP": 12, "CEN": system.CAP, "MOR": min(system.CEN, 10), "PROD": system.CEN}
    for stat, most in limits.items():
        value: int = getattr(system, stat)
        if not 0 <= value <= most:
            raise BadData(f"{where}.{stat}", f"{value} is outside 0..{most}")


def bare_state(given: Given, book: Catalogue) -> State:
    """The map and the powers, before any unit stands on it."""
    seats = tuple(power.key for power in given.power)
    own = {key: design for key, design in book.designs.items() if catalogue().designs.get(key) != design}
    changed = {code: of for code, of in book.classes.items() if catalogue().classes.get(code) != of}
    return State(
        given.turn,
        given.phase,
        given.switches,
        seats,
        {power.key: make_power(power, book, given.turn) for power in given.power},
        {system.name: system for system in given.system},
        given.lane,
        {},
        (),
        victory=given.victory,
        classes=changed,
        designs=own,
        kept=given.kept,
        throne_held=given.throne_held,
        throne_holder=given.throne_holder,
    )


def make_power(given: GivenPower, book: Catalogue, turn: int) -> Power:
    """10.3: level-1 designs are open to every power whose level in the path is 1 or more."""
    tech = {path: given.tech.get(path, 0) for path in PATHS}
    opened = [key for key, design in book.designs.items() if design.level == 1 and tech[design.path] >= 1]
    designs = tuple(dict.fromkeys((*opened, *given.designs)))
    return Power(
        given.key, given.name, given.treasury, given.stance, tech, given.research, given.pending, designs, given.intel,
        given.doctrine, dict.fromkeys(given.known, turn), given.seen, given.lost, given.contacts, given.numbers,
        given.out,
        given.former,
    )  # fmt: skip


# --- units -----------------------------------------------------------------------------------------------------------


def place_units(board: Board, given: Given, where: str) -> None:
    """Ids run through the forces, then the units, in the order of the file."""
    for fleet in given.fleet:
        location = fleet.location or home_of_fleet(given, fleet, where)
        board.fleets[fleet.owner, fleet.name] = Fleet(fleet.name, fleet.owner, location, fleet.doctrine)
    for force in given.force:
        for one in spelt_out(board, force, where):
            place_unit(board, one, where)
    for one in given.unit:
        place_unit(board, one, where)
    for name in sorted(board.fleets):
        if not board.ships_of(*name):
            raise BadData(f"{where}: fleet {name[1]}", "it has no ships in its system")


def home_of_fleet(given: Given, fleet: GivenFleet, where: str) -> str:
    wanted = (fleet.owner, fleet.name)
    places = [force.location for force in given.force if (force.owner, force.fleet) == wanted]
    places += [unit.location for unit in given.unit if (unit.owner, unit.fleet) == wanted]
    if not places:
        raise BadData(f"{where}: fleet {fleet.name}", "it has no ships")
    return places[0]


def spelt_out(board: Board, force: GivenForce, where: str) -> list[GivenUnit]:
    """``"Roost: 4 Kestrel"``: a design, perhaps a number before or a name behind it, and what it carries."""
    found: list[GivenUnit] = []
    for entry in force.units:
        head, _, cargo = entry.partition(":")
        for number, one in enumerate(read_entry(board, head, force, where)):
            marker = f"@{len(found)}.{number}"
            found.append(replace(one, name=one.name or marker))
            for item in cargo.split(","):
                passengers = read_entry(board, item, force, where) if item.strip() else []
                found.extend(replace(passenger, carrier=one.name or marker, fleet="") for passenger in passengers)
    return found


def read_entry(board: Board, text: str, force: GivenForce, where: str) -> list[GivenUnit]:
    counted = _COUNTED.fullmatch(text.strip())
    count, rest = (int(counted[1]), counted[2]) if counted else (1, text.strip())
    designs = sorted(board.catalogue().designs, key=len, reverse=True)
    key = next((name for name in designs if rest == name or rest.startswith(f"{name} ")), None)
    if key is None:
        raise BadData(f"{where}: force at {force.location}", f"no design begins '{rest}'")
    name = rest[len(key) :].strip()
    ship = board.design_of(key).category == "ship"
    fleet = force.fleet if ship else ""
    return [GivenUnit(force.owner, key, force.location, name=name if count == 1 else "", fleet=fleet)] * count


def place_unit(board: Board, given: GivenUnit, where: str) -> None:
    """One unit with its defaults: troops ashore are landed, ships without a fleet form one."""
    here = f"{where}: unit {given.name if given.name and not given.name.startswith('@') else given.design}"
    known(given.owner, board.seats, f"{here}.owner")
    known(given.design, list(board.catalogue().designs), f"{here}.design")
    carrier = board.state_carrier(given.owner, given.carrier) if given.carrier else None
    if given.carrier and carrier is None:
        raise BadData(f"{here}.carrier", f"no unit of {given.owner} called '{given.carrier}' stands before it")
    location = known(given.location or (carrier.location if carrier else ""), list(board.systems), f"{here}.location")
    if carrier and location != carrier.location:
        raise BadData(f"{here}.location", f"its carrier {carrier.name} is at {carrier.location}, not at {location}")
    design = board.design_of(given.design)
    number = given.id if given.id is not None else board.next_id
    if number in board.units:
        raise BadData(f"{here}.id", f"the id {number} is used twice")
    marker = given.name.startswith("@")
    name = given.name if given.name and not marker else next_name(board, given.owner, given.design)
    if any(unit.owner == given.owner and unit.name.casefold() == name.casefold() for unit in board.units.values()):
        raise BadData(here, f"{given.owner} has two units called '{name}'")
    board.next_id = max(board.next_id, number + 1)
    if given.state == "destroyed":
        return
    if carrier:
        check_boarding(board, design, carrier, here)
    if given.landed and (design.category != "troop" or carrier):
        raise BadData(f"{here}.landed", "only troops that nobody carries are landed")
    fleet = fleet_for(board, given, location, here) if design.category == "ship" else ""
    landed = given.landed if given.landed is not None else design.category == "troop" and carrier is None
    board.markers[given.owner, given.name or name] = number
    board.put(
        Unit(
            number, name, given.owner, given.design, location, given.state, carrier.id if carrier else None, landed,
            fleet, given.repairing, given.retreated, given.scattered,
        )
    )  # fmt: skip


def check_boarding(board: Board, design: Design, carrier: Unit, where: str) -> None:
    """EN-CAR-1: flights and troops, aboard a ship or Station with room for them."""
    if design.category not in ("flight", "troop") or not board.ship_or_station(carrier):
        raise BadData(f"{where}.carrier", f"{carrier.name} cannot carry a {design.name}")
    if board.free_cv(carrier) < design.CC:
        raise BadData(where, f"{carrier.name} has CV {board.design(carrier).CV}, no room for {design.CC} more")


def fleet_for(board: Board, given: GivenUnit, location: str, where: str) -> str:
    """2.5: a fleet has one location; ships of which the file says nothing form one in their system."""
    standing = board.fleets.get((given.owner, given.fleet))
    if standing is not None and standing.location != location:
        raise BadData(f"{where}.fleet", f"{given.fleet} is at {standing.location}, not at {location}")
    return board.join_fleet(given.owner, given.fleet or f"{location} Squadron", location)


def unit_named(board: Board, text: str, where: str) -> int:
    """A unit of any power: by name if only one has it, else ``KOR/Khar``."""
    owner, slash, name = text.partition("/")
    found = [u.id for u in board.units.values() if (u.owner == owner and u.name == name if slash else u.name == text)]
    if len(found) != 1:
        raise BadData(where, f"'{text}' names {len(found)} units; write POWER/name")
    return found[0]


# --- the rest --------------------------------------------------------------------------------------------------------


def check_doctrines(board: Board, given: Given, where: str) -> None:
    for owner, doctrine in (
        *((one.key, one.doctrine) for one in given.power),
        *((f.owner, f.doctrine) for f in given.fleet),
    ):
        for topic, value in doctrine.items():
            try:
                Speaker(board, owner).doctrine(Line(0, "", value), f"{topic} {value}")
            except BadOrder as error:
                raise BadData(f"{where}: doctrine of {owner}.{topic}", error.reason) from error


def place_builds(board: Board, given: Given, where: str) -> None:
    board.next_order = given.next_order
    for one in given.build:
        known(one.design, list(board.catalogue().designs), f"{where}: build.design")
        known(one.system, list(board.systems), f"{where}: build.system")
        order = one.order if one.order is not None else board.next_order
        if any(other.order == order for other in board.builds):
            raise BadData(f"{where}: build.order", f"the order number {order} is used twice")
        weeks = one.weeks if one.weeks is not None else board.design_of(one.design).base_cost
        board.builds.append(Build(one.owner, one.system, one.design, weeks, order, one.name))
        board.next_order = max(board.next_order, order + 1)


def recall_encounters(board: Board, given: Given, where: str) -> None:
    """A battle or ground phase needs the readiness of its encounters; where none is given it is +0, D3."""
    told = {one.system: one for one in given.encounter}
    for name in told:
        known(name, list(board.systems), f"{where}: encounter.system")
    for system in sorted(board.systems):
        if system not in told and given.phase == "strategic":
            continue
        blocs = blocs_concerned(board, system) or (board.blocs_among(board.present(system)) if system in told else [])
        if len(blocs) > 1:
            board.encounters[system] = encounter_from(board, system, blocs, told.get(system), where)


def encounter_from(
    board: Board, system: str, blocs: Sequence[tuple[str, ...]], given: GivenEncounter | None, where: str
) -> Encounter:
    """The readiness of a system as the file gives it, completed where it is silent."""
    said = given or GivenEncounter(system)
    here = []
    for bloc in blocs:
        lead = next((key for key in said.lead if key in bloc), board.weightiest(bloc, system))
        here.append(BlocHere(bloc, lead, 0, sum(said.intel.get(key, 0) for key in bloc)))
    here.sort(key=lambda bloc: board.seat(bloc.lead))
    pairs = [pair_from(one, other, said.readiness) for one in here for other in here if one is not other]
    for number, one in enumerate(said.readiness):
        for key in (one.bloc, one.versus):
            known(key, [member for bloc in blocs for member in bloc], f"{where}: encounter.readiness[{number}]")
    return Encounter(system, tuple(here), tuple(pairs))


def pair_from(one: BlocHere, other: BlocHere, given: Sequence[GivenReadiness]) -> Readiness:
    said = next((g for g in given if g.bloc in one.members and g.versus in other.members), None)
    total = said.total if said and said.total is not None else tables().readiness.unrolled
    pair = readiness_at(one.lead, other.lead, total)
    if said is None:
        return pair
    changes = {name: getattr(said, name) for name in ("modifier", "budget", "level") if getattr(said, name) is not None}
    return replace(pair, **changes)


def battle_start(board: Board, given: GivenBattle, where: str) -> BattleStart:
    known(given.system, list(board.systems), f"{where}: battle.system")
    ratings = {unit_named(board, name, f"{where}: battle.DR"): value for name, value in given.DR.items()}
    disorder = tuple(unit_named(board, name, f"{where}: battle.disorder") for name in given.disorder)
    flagships = {
        key: unit_named(board, f"{key}/{name}", f"{where}: battle.flagship") for key, name in given.flagship.items()
    }
    missions = {unit_named(board, name, f"{where}: battle.mission"): word for name, word in given.mission.items()}
    squadrons = {
        key: {
            name: tuple(unit_named(board, f"{key}/{ship}", f"{where}: battle.squadrons") for ship in ships)
            for name, ships in formed.items()
        }
        for key, formed in given.squadrons.items()
    }
    return BattleStart(
        given.system, given.kind, given.engagement, given.round, given.step, ratings, given.residual, disorder,
        squadrons, flagships, missions, given.eff,
    )  # fmt: skip


def look_round_once(board: Board) -> None:
    """At the opening each power knows the values of the systems it is in or owns; contacts come with the first turn."""
    for system in sorted(board.systems):
        for key in board.by_seat(board.present(system)):
            now = board.systems[system]
            seen = {system: Seen(now.CEN, now.MOR, now.PROD, board.turn), **board.powers[key].seen}
            board.set_power(key, seen=seen)

"""From a scenario or situation file to a state; what a file does not say takes its default from the rule book."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.encounters.data import Design, tables
from games.encounters.files import Entry, File, Force, Meeting, all_known, all_within, check_battle, known, read_file
from games.encounters.orders.words import Speaker
from games.encounters.rules.contacts import update_contacts, values_now
from games.encounters.rules.names import next_name
from games.encounters.rules.readiness import blocs_concerned, readiness_at
from games.encounters.state import BattleStart, BlocHere, Build, Encounter, Fleet, Mission, Readiness, State, Unit
from games.encounters.table import Table
from pbem.kit.codec import BadData, build
from pbem.kit.dice import Dice
from pbem.kit.judging import Judge
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import BadOrder, Line

_COUNTED = re.compile(r"(\d+)\s+(.+)")
BY_UNIT: Mapping[str, Any] = {
    "DR": Mapping[str, int],
    "disorder": tuple[str, ...],
    "squadrons": Mapping[str, Mapping[str, tuple[str, ...]]],
    "flagship": Mapping[str, str],
    "mission": Mapping[str, Mission],
}
"""What a file says of a battle's units by their names, and the state by their ids."""
Marks = dict[tuple[str, str], int]
"""Owner and the name or mark a file calls a unit by, to its id."""


def setup(scenario: Scenario, dice: Dice) -> State:
    """The state a file describes; no dice are needed."""
    where = scenario.key
    file, state = read_file(scenario.data, where)
    table = Table(state, dice)
    place_units(table, file, where)
    check_doctrines(table, where)
    place_builds(table, file, where)
    recall_encounters(table, file, where)
    update_contacts(table) if state.phase != "strategic" else look_round_once(table)
    battles = [battle_start(table, entry, where, number) for number, entry in enumerate(file.battle)]
    return table.frozen(battles=tuple(battles))


# --- units -----------------------------------------------------------------------------------------------------------


def place_units(table: Table, file: File, where: str) -> None:
    """Ids run through the forces, then the units, in the order of the file."""
    for number, entry in enumerate(file.fleet):
        table.put(read_fleet(table, file, entry, f"{where}.fleet[{number}]", where))
    marks: Marks = {}
    for force in file.force:
        for entry in spelt_out(table, force, where):
            place_unit(table, entry, marks, f"{where}.force", where)
    for number, entry in enumerate(file.unit):
        place_unit(table, entry, marks, f"{where}.unit[{number}]", where)
    for owner, name in sorted(table.fleets):
        if not table.ships_of(owner, name):
            raise BadData(f"{where}: fleet {name}", "it has no ships in its system")


def read_fleet(table: Table, file: File, entry: Entry, place: str, where: str) -> Fleet:
    """A fleet lies where the file says, or where the first of its ships does."""
    fleet: Fleet = build(Fleet, {"location": "", **entry}, place)
    here = f"{where}: fleet {fleet.name}"
    known(fleet.owner, table.seats, f"{here}.owner")
    if fleet.location:
        known(fleet.location, table.systems, f"{here}.location")
        return fleet
    ships: list[Entry] = [*(vars(force) for force in file.force), *file.unit]
    wanted = (fleet.owner, fleet.name)
    places = [ship.get("location", "") for ship in ships if (ship.get("owner"), ship.get("fleet")) == wanted]
    if not places:
        raise BadData(here, "it has no ships")
    return replace(fleet, location=places[0])


def spelt_out(table: Table, force: Force, where: str) -> list[Entry]:
    """``"Roost: 4 Kestrel"``: a design, perhaps a number before or a name behind it, and what it carries."""
    entries: list[Entry] = []
    for text in force.units:
        head, _, cargo = text.partition(":")
        for number, ship in enumerate(read_entry(table, head, force, where)):
            name = ship["name"] or f"@{len(entries)}.{number}"
            entries.append({**ship, "name": name})
            for item in (item for item in cargo.split(",") if item.strip()):
                passengers = read_entry(table, item, force, where)
                entries.extend({**passenger, "carrier": name, "fleet": ""} for passenger in passengers)
    return entries


def read_entry(table: Table, text: str, force: Force, where: str) -> list[Entry]:
    counted = _COUNTED.fullmatch(text.strip())
    count, rest = (int(counted[1]), counted[2]) if counted else (1, text.strip())
    designs = sorted(table.catalogue().designs, key=len, reverse=True)
    key = next((name for name in designs if rest == name or rest.startswith(f"{name} ")), None)
    if key is None:
        raise BadData(f"{where}: force at {force.location}", f"no design begins '{rest}'")
    name = rest[len(key) :].strip() if count == 1 else ""
    fleet = force.fleet if table.design_of(key).category == "ship" else ""
    return [{"owner": force.owner, "design": key, "location": force.location, "name": name, "fleet": fleet}] * count


def place_unit(table: Table, entry: Entry, marks: Marks, place: str, where: str) -> None:
    """One unit with its defaults: troops ashore are landed, ships without a fleet form one."""
    carried_by = build(str, entry.get("carrier", ""), f"{place}.carrier")
    said = {key: value for key, value in entry.items() if key != "carrier"}
    unit: Unit = build(Unit, {"id": table.next_id, "name": "", "location": "", **said}, place)
    mark = unit.name
    given_name = "" if mark.startswith("@") else mark
    here = f"{where}: unit {given_name or unit.design}"
    known(unit.owner, table.seats, f"{here}.owner")
    known(unit.design, table.catalogue().designs, f"{here}.design")
    design, deck = table.design(unit), marks.get((unit.owner, carried_by))
    carrier = table.units[deck] if deck is not None else None
    if carried_by and carrier is None:
        raise BadData(f"{here}.carrier", f"no unit of {unit.owner} called '{carried_by}' stands before it")
    location = known(unit.location or (carrier.location if carrier else ""), table.systems, f"{here}.location")
    if carrier and location != carrier.location:
        raise BadData(f"{here}.location", f"its carrier {carrier.name} is at {carrier.location}, not at {location}")
    if unit.id in table.units:
        raise BadData(f"{here}.id", f"the id {unit.id} is used twice")
    name = given_name or next_name(table, unit.owner, unit.design)
    if any(name.casefold() == other.name.casefold() for other in table.of(unit.owner)):
        raise BadData(here, f"{unit.owner} has two units called '{name}'")
    table.next_id = max(table.next_id, unit.id + 1)
    if unit.state == "destroyed":
        return
    if carrier:
        check_boarding(table, design, carrier, here)
    if unit.landed and (design.category != "troop" or carrier):
        raise BadData(f"{here}.landed", "only troops that nobody carries are landed")
    unit = replace(unit, name=name, location=location, carrier=carrier.id if carrier else None)
    landed = unit.landed if "landed" in said else design.category == "troop" and carrier is None
    fleet = fleet_for(table, unit, here) if design.category == "ship" else ""
    marks[unit.owner, mark or name] = unit.id
    table.put(replace(unit, landed=landed, fleet=fleet))


def check_boarding(table: Table, design: Design, carrier: Unit, where: str) -> None:
    """EN-CAR-1: flights and troops, aboard a ship or Station with room for them."""
    if design.category not in ("flight", "troop") or not table.ship_or_station(carrier):
        raise BadData(f"{where}.carrier", f"{carrier.name} cannot carry a {design.name}")
    if table.free_cv(carrier) < design.CC:
        raise BadData(where, f"{carrier.name} has CV {table.design(carrier).CV}, no room for {design.CC} more")


def fleet_for(table: Table, ship: Unit, where: str) -> str:
    """2.5: a fleet has one location; ships of which the file says nothing form one in their system."""
    standing = table.fleets.get((ship.owner, ship.fleet))
    if standing is not None and standing.location != ship.location:
        raise BadData(f"{where}.fleet", f"{ship.fleet} is at {standing.location}, not at {ship.location}")
    return table.join_fleet(ship.owner, ship.fleet or f"{ship.location} Squadron", ship.location)


def unit_named(table: Table, text: str, where: str) -> int:
    """A unit of any power: by name if only one has it, else ``KOR/Khar``."""
    owner, slash, name = text.partition("/")
    wanted = {(owner, name)} if slash else {(key, text) for key in table.seats}
    meant = [unit.id for unit in table.units.values() if (unit.owner, unit.name) in wanted]
    if len(meant) != 1:
        raise BadData(where, f"'{text}' names {len(meant)} units; write POWER/name")
    return meant[0]


# --- the rest --------------------------------------------------------------------------------------------------------


def check_doctrines(table: Table, where: str) -> None:
    for owner, doctrine in (
        *((key, power.doctrine) for key, power in table.powers.items()),
        *((fleet.owner, fleet.doctrine) for fleet in table.fleets.values()),
    ):
        for topic, value in doctrine.items():
            try:
                Speaker(table, owner, Judge()).doctrine(Line(0, "", value), f"{topic} {value}")
            except BadOrder as error:
                raise BadData(f"{where}: doctrine of {owner}.{topic}", error.reason) from error


def place_builds(table: Table, file: File, where: str) -> None:
    """Builds take the numbers that follow; one of which the file says no weeks has all its work before it."""
    for number, entry in enumerate(file.build):
        under_way: Build = build(Build, {"weeks": 0, "order": table.next_order, **entry}, f"{where}.build[{number}]")
        known(under_way.owner, table.seats, f"{where}: build[{number}].owner")
        known(under_way.design, table.catalogue().designs, f"{where}: build.design")
        known(under_way.system, table.systems, f"{where}: build.system")
        if under_way.order in table.builds:
            raise BadData(f"{where}: build.order", f"the order number {under_way.order} is used twice")
        whole = table.design_of(under_way.design).base_cost
        table.put(under_way if "weeks" in entry else replace(under_way, weeks=whole))
        table.next_order = max(table.next_order, under_way.order + 1)


def recall_encounters(table: Table, file: File, where: str) -> None:
    """A battle or ground phase needs the readiness of its encounters; where none is given it is +0, D3."""
    meetings = {meeting.system: meeting for meeting in file.encounter}
    for system in sorted(table.systems):
        if system not in meetings and table.state.phase == "strategic":
            continue
        blocs = blocs_concerned(table, system)
        if not blocs and system in meetings:
            blocs = table.blocs_among(table.present(system))
        if len(blocs) > 1:
            table.put(encounter_from(table, meetings.get(system, Meeting(system)), blocs, where))


def encounter_from(table: Table, meeting: Meeting, blocs: Sequence[tuple[str, ...]], where: str) -> Encounter:
    """The readiness of a system as the file gives it, completed where it is silent."""
    here = []
    for members in blocs:
        lead = next((key for key in meeting.lead if key in members), table.weightiest(members, meeting.system))
        here.append(BlocHere(members, lead, 0, sum(meeting.intel.get(key, 0) for key in members)))
    here.sort(key=lambda bloc: table.seat(bloc.lead))
    said = [read_readiness(entry, number, blocs, where) for number, entry in enumerate(meeting.readiness)]
    pairs = [pair_from(bloc, other, said) for bloc in here for other in here if bloc is not other]
    return Encounter(meeting.system, tuple(here), tuple(pairs))


def read_readiness(entry: Entry, number: int, blocs: Sequence[tuple[str, ...]], where: str) -> Readiness:
    """A total, from which the rest follows unless it is given too."""
    place, unrolled = f"{where}: encounter.readiness[{number}]", tables().readiness.unrolled
    total = build(int, entry.get("total", unrolled), f"{place}.total")
    pair: Readiness = build(Readiness, {**vars(readiness_at("", "", total)), **entry}, place)
    for key in (pair.bloc, pair.versus):
        known(key, [member for members in blocs for member in members], place)
    return pair


def pair_from(bloc: BlocHere, other: BlocHere, said: Sequence[Readiness]) -> Readiness:
    """Whatever member of a bloc a file names, its lead speaks for it."""
    given = (pair for pair in said if pair.bloc in bloc.members and pair.versus in other.members)
    pair = next(given, readiness_at("", "", tables().readiness.unrolled))
    return replace(pair, bloc=bloc.lead, versus=other.lead)


def battle_start(table: Table, entry: Entry, where: str, number: int) -> BattleStart:
    """A battle in the middle, with the ids of the units it names."""
    place, here = f"{where}.battle[{number}]", f"{where}: battle"
    system = known(build(str, entry.get("system"), f"{place}.system"), table.systems, f"{here}.system")
    named = {key: build(kind, entry[key], f"{place}.{key}") for key, kind in BY_UNIT.items() if key in entry}
    ratings, missions = named.get("DR", {}), named.get("mission", {})
    squadrons, flagships = named.get("squadrons", {}), named.get("flagship", {})
    all_known((*squadrons, *flagships), table.seats, f"{here} at {system}")
    all_within(ratings, tables().rating.lowest, tables().rating.highest, f"{here} at {system}.DR")

    def ids(names: Iterable[str], topic: str) -> tuple[int, ...]:
        return tuple(unit_named(table, name, f"{here}.{topic}") for name in names)

    def own(key: str, ships: Iterable[str], topic: str) -> tuple[int, ...]:
        return ids((f"{key}/{ship}" for ship in ships), topic)

    by_id: Mapping[str, Any] = {
        "DR": dict(zip(ids(ratings, "DR"), ratings.values(), strict=True)),
        "disorder": ids(named.get("disorder", ()), "disorder"),
        "squadrons": {
            key: {name: own(key, ships, "squadrons") for name, ships in formed.items()}
            for key, formed in squadrons.items()
        },
        "flagship": {key: own(key, (ship,), "flagship")[0] for key, ship in flagships.items()},
        "mission": dict(zip(ids(missions, "mission"), missions.values(), strict=True)),
    }
    battle: BattleStart = build(BattleStart, {**entry, **by_id}, place)
    check_battle(battle, table.state, f"{here} at {system}")
    return battle


def look_round_once(table: Table) -> None:
    """At the opening each power knows the values of the systems it is in or owns; contacts come with the first turn."""
    for system in sorted(table.systems):
        for key in table.by_seat(table.present(system)):
            mine = table.powers[key]
            table.change(mine, seen={system: values_now(table, system), **mine.seen})

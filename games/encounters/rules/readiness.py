"""Readiness and detection (rule book 4.2, 4.3: EN-SEQ-1..3, EN-RDY)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.encounters.data import tables
from games.encounters.rules.contacts import contact_text, update_contacts
from games.encounters.rules.supply import in_supply
from games.encounters.state import BlocHere, Encounter, Readiness
from games.encounters.table import Table

STEP = "readiness and detection"
Bloc = tuple[str, ...]


def find_encounters(table: Table) -> None:
    """Step 10: systems A-Z; in each, one readiness roll for every bloc, by the seat of its lead."""
    table.step = STEP
    table.encounters = {}
    for system in sorted(table.systems):
        blocs = blocs_concerned(table, system)
        if blocs:
            roll_readiness(table, system, blocs)
    update_contacts(table)
    for system in sorted(table.encounters):
        report_readiness(table, table.encounters[system])


def blocs_in_space(table: Table, system: str) -> list[Bloc]:
    """Blocs with a ship or Station in the system."""
    return table.blocs_among(unit.owner for unit in table.at(system) if unit.in_play and table.ship_or_station(unit))


def meets_in_space(table: Table, system: str) -> bool:
    """EN-SEQ-1: two hostile blocs both have ships or Stations here."""
    return len(blocs_in_space(table, system)) > 1


def blocs_concerned(table: Table, system: str) -> list[Bloc]:
    """EN-SEQ-1, 2, 3: the blocs that roll here; none if nobody meets anybody."""
    everyone = table.blocs_among(table.present(system))
    visited = any(unit.in_play and table.is_ship(unit) for unit in table.at(system))
    return everyone if len(everyone) > 1 and (visited or meets_in_space(table, system)) else []


def roll_readiness(table: Table, system: str, blocs: Sequence[Bloc]) -> None:
    leads = {bloc: table.weightiest(bloc, system) for bloc in blocs}
    ordered = sorted(blocs, key=lambda bloc: table.seat(leads[bloc]))
    here = tuple(roll_for(table, system, bloc, leads[bloc]) for bloc in ordered)
    pairs = [readiness(table, system, bloc, other) for bloc in here for other in here if bloc is not other]
    table.put(Encounter(system, here, tuple(pairs)))


def roll_for(table: Table, system: str, bloc: Bloc, lead: str) -> BlocHere:
    """EN-GEN-1: one d10, or two d6 summed."""
    if table.switches.readiness_dice == "2d6":
        rolls = tuple(table.roll(6, "readiness", system, lead, number) for number in (1, 2))
    else:
        rolls = (table.roll(10, "readiness", system, lead),)
    table.readiness_rolls[system, lead] = rolls
    intel = sum(table.spent.get((key, system), 0) for key in bloc)
    return BlocHere(bloc, lead, sum(roll.face for roll in rolls), intel)


def ability_cc(table: Table, system: str, bloc: Iterable[str], ability: str) -> int:
    """EN-RDY-1: CC of the bloc's intact ships and bases here with an ability."""
    members = set(bloc)
    return sum(
        table.design(unit).CC
        for unit in table.at(system)
        if unit.owner in members and unit.intact and table.design(unit).has(ability)
    )


def parts_of(table: Table, system: str, bloc: BlocHere, other: BlocHere) -> dict[str, int]:
    """EN-RDY-1, 2: what is added to the die and taken off it."""
    supplied = in_supply(table, bloc.lead, system)
    return {
        "die": bloc.die,
        "Scout": ability_cc(table, system, bloc.members, "Scout"),
        "Stealth": -ability_cc(table, system, other.members, "Stealth"),
        "Jammer": -ability_cc(table, system, other.members, "Jammer"),
        "Intel": bloc.intel,
        "supply": 0 if supplied else tables().readiness.out_of_supply,
    }


def readiness(table: Table, system: str, bloc: BlocHere, other: BlocHere) -> Readiness:
    return readiness_at(bloc.lead, other.lead, sum(parts_of(table, system, bloc, other).values()))


def readiness_at(bloc: str, versus: str, total: int) -> Readiness:
    """EN-RDY-3: the row of the table."""
    return Readiness(bloc=bloc, versus=versus, total=total, **tables().readiness.at(total))


def report_readiness(table: Table, encounter: Encounter) -> None:
    """Section 9: readiness and detection, each to the own bloc alone."""
    system = encounter.system
    for bloc in encounter.blocs:
        audience = table.by_seat(set(bloc.members) & table.present(system))
        for other in encounter.blocs:
            pair = encounter.between(bloc.lead, other.lead)
            if pair is None or bloc is other:
                continue
            facts = {
                "system": system, "versus": [table.name(key) for key in other.members], "die": bloc.die,
                "parts": parts_of(table, system, bloc, other), "total": pair.total, "modifier": pair.modifier,
                "budget": pair.budget,
            }  # fmt: skip
            table.tell("readiness", "EN-RDY-1", audience, facts, table.readiness_rolls.get((system, bloc.lead), ()))
            report_detection(table, system, audience, other)


def report_detection(table: Table, system: str, audience: Sequence[str], other: BlocHere) -> None:
    for contact in table.powers[audience[0]].contacts.get(system, ()):
        if other.lead in contact.powers:
            facts = {
                "system": system, "versus": [table.name(key) for key in contact.powers], "level": contact.level,
                "data": contact_text(contact), "units": [sighting.name for sighting in contact.units],
            }  # fmt: skip
            table.tell("detection", "EN-RDY-5", audience, facts)

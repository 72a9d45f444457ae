"""Readiness and detection (rule book 4.2, 4.3: EN-SEQ-1..3, EN-RDY)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.encounters.rules.board import Board
from games.encounters.rules.contacts import contact_text, update_contacts
from games.encounters.rules.supply import in_supply
from games.encounters.state import BlocHere, Encounter, Readiness
from games.encounters.tables import tables
from pbem.kit.dice import Roll

STEP = "readiness and detection"
Bloc = tuple[str, ...]


def find_encounters(board: Board) -> None:
    """Step 10: systems A-Z; in each, one readiness roll for every bloc, by the seat of its lead."""
    board.encounters = {}
    for system in sorted(board.systems):
        blocs = blocs_concerned(board, system)
        if blocs:
            roll_readiness(board, system, blocs)
    update_contacts(board)
    for system in sorted(board.encounters):
        report_readiness(board, board.encounters[system])


def blocs_with(board: Board, system: str, *, stations: str) -> list[Bloc]:
    """Blocs with a ship in the system; ``stations`` says whether Stations ``count`` as ships or ``not``."""
    fits = board.ship_or_station if stations == "count" else board.is_ship
    return board.blocs_among(unit.owner for unit in board.at(system) if unit.in_play and fits(unit))


def meets_in_space(board: Board, system: str) -> bool:
    """EN-SEQ-1: two hostile blocs both have ships or Stations here."""
    return len(blocs_with(board, system, stations="count")) > 1


def blocs_concerned(board: Board, system: str) -> list[Bloc]:
    """EN-SEQ-1, 2, 3: the blocs that roll here; none if nobody meets anybody."""
    everyone = board.blocs_among(board.present(system))
    if len(everyone) > 1 and (meets_in_space(board, system) or blocs_with(board, system, stations="not")):
        return everyone
    return []


def roll_readiness(board: Board, system: str, blocs: Sequence[Bloc]) -> None:
    leads = {bloc: board.weightiest(bloc, system) for bloc in blocs}
    ordered = sorted(blocs, key=lambda bloc: board.seat(leads[bloc]))
    here = tuple(roll_for(board, system, bloc, leads[bloc]) for bloc in ordered)
    pairs = [readiness(board, system, one, other) for one in here for other in here if one is not other]
    board.encounters[system] = Encounter(system, here, tuple(pairs))


def roll_for(board: Board, system: str, bloc: Bloc, lead: str) -> BlocHere:
    """EN-GEN-1: one d10, or two d6 summed."""
    if board.switches.readiness_dice == "2d6":
        rolls = tuple(board.dice.roll(6, "readiness", system, lead, number) for number in (1, 2))
    else:
        rolls = (board.dice.roll(10, "readiness", system, lead),)
    board.readiness_rolls[system, lead] = rolls
    intel = sum(board.spent.get((key, system), 0) for key in bloc)
    return BlocHere(bloc, lead, sum(roll.face for roll in rolls), intel)


def ability_cc(board: Board, system: str, bloc: Iterable[str], ability: str) -> int:
    """EN-RDY-1: CC of the bloc's intact ships and bases here with an ability."""
    members = set(bloc)
    return sum(
        board.design(unit).CC
        for unit in board.at(system)
        if unit.owner in members and unit.intact and board.design(unit).has(ability)
    )


def parts_of(board: Board, system: str, one: BlocHere, other: BlocHere) -> dict[str, int]:
    """EN-RDY-1, 2: what is added to the die and taken off it."""
    supplied = in_supply(board, one.lead, system)
    return {
        "die": one.die,
        "Scout": ability_cc(board, system, one.members, "Scout"),
        "Stealth": -ability_cc(board, system, other.members, "Stealth"),
        "Jammer": -ability_cc(board, system, other.members, "Jammer"),
        "Intel": one.intel,
        "supply": 0 if supplied else tables().readiness.out_of_supply,
    }


def readiness(board: Board, system: str, one: BlocHere, other: BlocHere) -> Readiness:
    return readiness_at(one.lead, other.lead, sum(parts_of(board, system, one, other).values()))


def readiness_at(bloc: str, versus: str, total: int) -> Readiness:
    """EN-RDY-3: the row of the table."""
    row = tables().readiness.at(total)
    return Readiness(bloc, versus, total, row.modifier, row.budget, row.level)


def report_readiness(board: Board, encounter: Encounter) -> None:
    """Section 9: readiness and detection, each to the own bloc alone."""
    system = encounter.system
    for one in encounter.blocs:
        audience = set(one.members) & board.present(system)
        for other in encounter.blocs:
            pair = encounter.between(one.lead, other.lead)
            if pair is None or one is other:
                continue
            parts = parts_of(board, system, one, other)
            rolls: tuple[Roll, ...] = board.readiness_rolls.get((system, one.lead), ())
            versus = [board.name(key) for key in other.members]
            facts: dict[str, Any] = {
                "system": system,
                "versus": versus,
                "die": one.die,
                "parts": parts,
                "total": pair.total,
            }
            facts |= {"modifier": pair.modifier, "budget": pair.budget}
            board.tell("readiness", "EN-RDY-1", STEP, audience, rolls, **facts)
            report_detection(board, system, one, other)


def report_detection(board: Board, system: str, one: BlocHere, other: BlocHere) -> None:
    audience = board.by_seat(set(one.members) & board.present(system))
    found = [contact for contact in board.powers[audience[0]].contacts.get(system, ()) if other.lead in contact.powers]
    for contact in found:
        facts: dict[str, Any] = {
            "system": system,
            "versus": [board.name(key) for key in contact.powers],
            "level": contact.level,
        }
        facts |= {"data": contact_text(contact), "units": [sighting.name for sighting in contact.units]}
        board.tell("detection", "EN-RDY-5", STEP, audience, **facts)

"""What a power knows of others: contacts, names, last known values (rule book EN-RDY-5 and section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from games.encounters.data import PATHS, catalogue
from games.encounters.rules.board import Board
from games.encounters.state import Contact, Seen, Sighting, Unit
from games.encounters.tables import tables

COMPARED, COUNTED, BY_PATH, BY_CLASS, BY_LEVEL, IN_FULL = 1, 2, 3, 4, 5, 6
Bloc = tuple[str, ...]
Compared = Literal["", "more", "fewer", "as many"]


def update_contacts(board: Board) -> None:
    """Every power looks round in the systems it is in or owns; elsewhere it keeps what it knew."""
    for system in sorted(board.systems):
        here = board.present(system)
        for key in board.by_seat(here):
            look_round(board, key, system)


def look_round(board: Board, power: str, system: str) -> None:
    there = [bloc for bloc in board.blocs_among(unit.owner for unit in board.at(system)) if power not in bloc]
    old = board.powers[power].contacts.get(system, ())
    fresh = tuple(contact_with(board, power, bloc, system, old) for bloc in there)
    others = {name: found for name, found in board.powers[power].contacts.items() if name != system}
    board.set_power(power, contacts={**others, system: fresh} if fresh else others)
    note_values(board, power, system)
    for contact in fresh:
        remember(board, power, contact.units)


def note_values(board: Board, power: str, system: str) -> None:
    now = board.systems[system]
    seen = {**board.powers[power].seen, system: Seen(now.CEN, now.MOR, now.PROD, board.turn)}
    board.set_power(power, seen=seen)


def level_of(board: Board, power: str, bloc: Bloc, system: str) -> int:
    """Section 8: the level of this turn's roll; an owner without ships or Stations there has at least D2."""
    encounter = board.encounters.get(system)
    pair = encounter.between(power, bloc[0]) if encounter else None
    level = pair.level if pair else 0
    owner = board.systems[system].owner
    mine = board.members(power)
    guarded = any(unit.owner in mine and board.ship_or_station(unit) for unit in board.at(system))
    if owner in mine and not guarded:
        return max(level, tables().readiness.owner_level)
    return level


def contact_with(board: Board, power: str, bloc: Bloc, system: str, old: Iterable[Contact]) -> Contact:
    """EN-RDY-5: count all units of the bloc in the system and tell what the level allows."""
    level = level_of(board, power, bloc, system)
    theirs = [unit for unit in board.at(system) if unit.owner in bloc]
    mine = [unit for unit in board.at(system) if unit.owner in board.members(power)]
    powers = tuple(board.by_seat(unit.owner for unit in theirs))
    if level >= IN_FULL:
        units = tuple(sight(board, unit, fully="yes") for unit in theirs)
    else:
        met = {(one.owner, one.name): one for contact in old if contact.turn == board.turn for one in contact.units}
        units = tuple(met[unit.owner, unit.name] for unit in theirs if (unit.owner, unit.name) in met)
    return Contact(
        powers,
        level,
        board.turn,
        compare=compared(len(theirs), len(mine)) if level >= COMPARED else "",
        count=len(theirs) if level >= COUNTED else None,
        paths=tally(board, theirs, "path") if level >= BY_PATH else {},
        classes=tally(board, theirs, "code") if level >= BY_CLASS else {},
        levels=tally(board, theirs, "mark") if level >= BY_LEVEL else {},
        units=units,
    )


def compared(theirs: int, mine: int) -> Compared:
    if theirs == mine:
        return "as many"
    return "more" if theirs > mine else "fewer"


def tally(board: Board, units: Iterable[Unit], by: str) -> dict[str, int]:
    """Numbers of units by path, class or class and level."""
    found: dict[str, int] = {}
    for unit in units:
        word: str = getattr(board.design(unit), by)
        found[word] = found.get(word, 0) + 1
    return found


def sight(board: Board, unit: Unit, *, fully: str) -> Sighting:
    """A unit as its enemy sees it; ``fully`` (D6) adds cargo and fleet, a battle does not."""
    design = board.design(unit)
    known = Sighting(unit.name, unit.owner, design.name, design.mark, unit.state)
    if fully != "yes":
        return known
    cargo = tuple(one.name for one in board.aboard(unit.id))
    return Sighting(unit.name, unit.owner, design.name, design.mark, unit.state, cargo, unit.fleet)


def remember(board: Board, power: str, sightings: Iterable[Sighting]) -> None:
    """power.known: names learnt at D6 or in a battle."""
    words = [word for one in sightings for word in (one.name, one.design)]
    if words:
        board.set_power(power, known={**board.powers[power].known, **dict.fromkeys(words, board.turn)})


def forget_old_names(board: Board) -> None:
    """Names not met for a long time are forgotten, so that a long campaign stays small."""
    oldest = board.turn - tables().memory.turns
    for key in board.seats:
        known = board.powers[key].known
        if any(turn < oldest for turn in known.values()):
            board.set_power(key, known={word: turn for word, turn in known.items() if turn >= oldest})


def meet(board: Board, powers: Iterable[str], system: str, enemies: Iterable[Unit]) -> None:
    """Section 8: a battle adds names, classes and states of all participants."""
    sightings = [sight(board, unit, fully="no") for unit in enemies]
    for key in powers:
        remember(board, key, sightings)
        contacts = board.powers[key].contacts.get(system, ())
        merged = tuple(with_sightings(contact, sightings, board.turn) for contact in contacts)
        board.set_power(key, contacts={**board.powers[key].contacts, system: merged})


def with_sightings(contact: Contact, sightings: Iterable[Sighting], turn: int) -> Contact:
    fresh = {(one.owner, one.name): one for one in sightings if one.owner in contact.powers}
    if not fresh:
        return contact
    kept = {(one.owner, one.name): one for one in contact.units if contact.turn == turn}
    units = {**kept, **{key: better(kept.get(key), one) for key, one in fresh.items()}}
    return Contact(
        contact.powers, contact.level, turn, contact.compare, contact.count, contact.paths, contact.classes,
        contact.levels, tuple(units.values()),
    )  # fmt: skip


def better(old: Sighting | None, new: Sighting) -> Sighting:
    """Cargo and fleet seen at D6 are not forgotten in the same turn's battle."""
    if old is None:
        return new
    return Sighting(new.name, new.owner, new.design, new.mark, new.state, old.cargo, old.fleet)


def contact_text(contact: Contact) -> str:
    """The detection text of EN-RDY-3's table."""
    if contact.level >= IN_FULL:
        return ", ".join(f"{one.name} ({one.design}, {one.mark}, {one.state})" for one in contact.units)
    if contact.level >= BY_LEVEL:
        return numbers(contact.levels)
    if contact.level >= BY_CLASS:
        return numbers(contact.classes)
    if contact.level >= BY_PATH:
        return numbers(contact.paths)
    if contact.count is not None:
        return f"{contact.count} unit{'s' if contact.count != 1 else ''}"
    return (
        f"{contact.compare} units than ours".replace("as many units than", "as many units as")
        if contact.compare
        else ""
    )


def numbers(found: Mapping[str, int]) -> str:
    """``DD 4, CA 1``, in the order of the paths or of the class table."""
    return ", ".join(f"{word} {found[word]}" for word in sorted(found, key=rank))


def rank(word: str) -> tuple[int, str]:
    """Where a path, a class or a class with its level stands in the tables; stored states keep no order of keys."""
    order = {**{path: n for n, path in enumerate(PATHS)}, **{code: n for n, code in enumerate(catalogue().classes)}}
    return order.get(word.split("-")[0], len(order)), word

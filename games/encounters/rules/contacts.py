"""What a power knows of others: contacts, names, last known values (rule book EN-RDY-5 and section 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from games.encounters.data import PATHS, catalogue, tables
from games.encounters.state import Contact, Fleet, Seen, Sighting, Unit
from games.encounters.table import Table

COMPARED, COUNTED, BY_PATH, BY_CLASS, BY_LEVEL, IN_FULL = 1, 2, 3, 4, 5, 6
Bloc = tuple[str, ...]
Compared = Literal["", "more", "fewer", "as many"]


def knows(table: Table, side: str | None, record: Unit | Fleet) -> bool:
    """Section 8: own units and fleets, and an ally's in a system the viewer shares; the moderator knows all."""
    if side is None or record.owner == side:
        return True
    return table.same_bloc(side, record.owner) and side in table.present(record.location)


def update_contacts(table: Table) -> None:
    """Every power looks round in the systems it is in or owns; elsewhere it keeps what it knew."""
    for system in sorted(table.systems):
        here = table.present(system)
        for key in table.by_seat(here):
            look_round(table, key, system)


def look_round(table: Table, power: str, system: str) -> None:
    there = [bloc for bloc in table.blocs_among(unit.owner for unit in table.at(system)) if power not in bloc]
    mine = table.powers[power]
    fresh = tuple(contact_with(table, power, bloc, system, mine.contacts.get(system, ())) for bloc in there)
    others = {name: contacts for name, contacts in mine.contacts.items() if name != system}
    contacts = {**others, system: fresh} if fresh else others
    table.change(mine, contacts=contacts, seen={**mine.seen, system: values_now(table, system)})
    for contact in fresh:
        remember(table, power, contact.units)


def values_now(table: Table, system: str) -> Seen:
    now = table.systems[system]
    return Seen(now.CEN, now.MOR, now.PROD, turn=table.turn)


def level_of(table: Table, power: str, bloc: Bloc, system: str) -> int:
    """Section 8: the level of this turn's roll; an owner without ships or Stations there has at least D2."""
    pair = table.between(system, power, bloc[0])
    level = pair.level if pair else 0
    owner = table.systems[system].owner
    mine = table.members(power)
    guarded = any(unit.owner in mine and table.ship_or_station(unit) for unit in table.at(system))
    if owner in mine and not guarded:
        return max(level, tables().readiness.owner_level)
    return level


def contact_with(table: Table, power: str, bloc: Bloc, system: str, old: Iterable[Contact]) -> Contact:
    """EN-RDY-5: count all units of the bloc in the system and tell what the level allows."""
    level = level_of(table, power, bloc, system)
    theirs = [unit for unit in table.at(system) if unit.owner in bloc]
    mine = [unit for unit in table.at(system) if unit.owner in table.members(power)]
    powers = tuple(table.by_seat(unit.owner for unit in theirs))
    if level >= IN_FULL:
        units = tuple(sight_in_full(table, unit) for unit in theirs)
    else:
        recent = [sighting for contact in old if contact.turn == table.turn for sighting in contact.units]
        met = {(sighting.owner, sighting.name): sighting for sighting in recent}
        units = tuple(met[unit.owner, unit.name] for unit in theirs if (unit.owner, unit.name) in met)
    return Contact(
        powers,
        level,
        table.turn,
        compare=compared(len(theirs), len(mine)) if level >= COMPARED else "",
        count=len(theirs) if level >= COUNTED else None,
        paths=tally(table, theirs, "path") if level >= BY_PATH else {},
        classes=tally(table, theirs, "code") if level >= BY_CLASS else {},
        levels=tally(table, theirs, "mark") if level >= BY_LEVEL else {},
        units=units,
    )


def compared(theirs: int, mine: int) -> Compared:
    if theirs == mine:
        return "as many"
    return "more" if theirs > mine else "fewer"


def tally(table: Table, units: Iterable[Unit], by: str) -> dict[str, int]:
    """Numbers of units by path, class or class and level."""
    return dict(Counter(getattr(table.design(unit), by) for unit in units))


def sight(table: Table, unit: Unit) -> Sighting:
    """A unit as its enemy sees it in a battle."""
    design = table.design(unit)
    return Sighting(unit.name, unit.owner, design.name, design.mark, unit.state)


def sight_in_full(table: Table, unit: Unit) -> Sighting:
    """D6 adds cargo and fleet."""
    cargo = tuple(passenger.name for passenger in table.aboard(unit.id))
    return replace(sight(table, unit), cargo=cargo, fleet=unit.fleet)


def remember(table: Table, power: str, sightings: Iterable[Sighting]) -> None:
    """power.known: names learnt at D6 or in a battle."""
    hear_of(table, power, [word for sighting in sightings for word in (sighting.name, sighting.design)])


def hear_of(table: Table, power: str, words: Sequence[str]) -> None:
    """power.known: names that a report has told, whatever else of them stays hidden."""
    if words:
        mine = table.powers[power]
        table.change(mine, known={**mine.known, **dict.fromkeys(words, table.turn)})


def forget_old_names(table: Table) -> None:
    """Names not met for a long time are forgotten, so that a long campaign stays small."""
    oldest = table.turn - tables().memory.turns
    for power in [table.powers[key] for key in table.seats]:
        if any(turn < oldest for turn in power.known.values()):
            table.change(power, known={word: turn for word, turn in power.known.items() if turn >= oldest})


def meet(table: Table, powers: Iterable[str], system: str, enemies: Iterable[Unit]) -> None:
    """Section 8: a battle adds names, classes and states of all participants."""
    sightings = [sight(table, unit) for unit in enemies]
    for key in powers:
        remember(table, key, sightings)
        mine = table.powers[key]
        merged = tuple(with_sightings(contact, sightings, table.turn) for contact in mine.contacts.get(system, ()))
        table.change(mine, contacts={**mine.contacts, system: merged})


def with_sightings(contact: Contact, sightings: Iterable[Sighting], turn: int) -> Contact:
    fresh = {(sighting.owner, sighting.name): sighting for sighting in sightings if sighting.owner in contact.powers}
    if not fresh:
        return contact
    kept = {(sighting.owner, sighting.name): sighting for sighting in contact.units if contact.turn == turn}
    for key in kept.keys() & fresh.keys():
        # Cargo and fleet seen at D6 are not forgotten in the same turn's battle.
        fresh[key] = replace(fresh[key], cargo=kept[key].cargo, fleet=kept[key].fleet)
    return replace(contact, turn=turn, units=tuple({**kept, **fresh}.values()))


def contact_text(contact: Contact) -> str:
    """The detection text of EN-RDY-3's table."""
    if contact.level >= IN_FULL:
        return ", ".join(f"{unit.name} ({unit.design}, {unit.mark}, {unit.state})" for unit in contact.units)
    for level, counted in ((BY_LEVEL, contact.levels), (BY_CLASS, contact.classes), (BY_PATH, contact.paths)):
        if contact.level >= level:
            return ", ".join(f"{word} {counted[word]}" for word in sorted(counted, key=rank))
    if contact.count is not None:
        return f"{contact.count} unit{'s' if contact.count != 1 else ''}"
    if not contact.compare:
        return ""
    return f"{contact.compare} units {'as' if contact.compare == 'as many' else 'than'} ours"


def rank(word: str) -> tuple[int, str]:
    """Where a path, a class or a class with its level stands in the tables; stored states keep no order of keys."""
    order = {**{path: n for n, path in enumerate(PATHS)}, **{code: n for n, code in enumerate(catalogue().classes)}}
    return order.get(word.split("-")[0], len(order)), word

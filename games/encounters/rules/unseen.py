"""Forces that a power cannot see, drawn so that they fit what it has made out of them (EN-RDY-5 and section 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from games.encounters.data import BASE, Design, DesignEntry, ShipClass, catalogue, make_design, worked_out
from games.encounters.rules.economy import example_division
from games.encounters.state import Condition, Contact, Sighting, Unit
from games.encounters.table import Table
from pbem.kit.dice import Dice

T = TypeVar("T")
COMMON = ("Lance", "Lance", "Picket", "Ranger", "Bulwark", "Mule", "Line", "Line")
"""Designs of units that were counted and no more, the common ones more than once."""
GARRISON, WARSHIP, STATION, TRANSPORT = "Line", "Lance", "Bastion", "Mule"
CONDITIONS: tuple[Condition, ...] = ("intact", "intact", "intact", "crippled")
MOST_DEFENDERS = 3
UNSEEN = 1000
"""Names of units nobody has seen are numbered from here, so that no name is given twice."""


@dataclass(frozen=True)
class Draft:
    """A unit that may be in a system; it gets its id, its place and perhaps a deck when it is set up."""

    unit: Unit
    deck: str = ""
    """The name of the unit it was seen aboard."""
    afloat: bool = False
    """Troops that must not be landed."""

    @property
    def owner(self) -> str:
        return self.unit.owner

    @property
    def design(self) -> str:
        return self.unit.design

    def worn(self) -> Draft:
        return replace(self, unit=replace(self.unit, state="crippled"))


def draft(owner: str, design: str, state: Condition = "intact", *, afloat: bool = False) -> Draft:
    return Draft(Unit(0, "", owner, design, "", state), afloat=afloat)


class Recruits:
    """Draws units from the dice; every draw has a label of its own."""

    def __init__(self, dice: Dice, classes: Mapping[str, ShipClass], known: Mapping[str, Design]) -> None:
        self.dice = dice
        self.classes = classes
        changed = {key: d for key, d in catalogue().designs.items() if classes[d.code] != catalogue().classes[d.code]}
        reworked = {key: worked_out(d.name, d, classes[d.code]) for key, d in changed.items()}
        self.designs: dict[str, Design] = {**catalogue().designs, **reworked, **known}
        self._draws: Counter[str] = Counter()

    def drawn(self, among: Sequence[T], *label: str) -> T:
        """One of these; the same label may be asked for again."""
        words = "/".join(label)
        self._draws[words] += 1
        return among[self.dice.roll(len(among), "imagined", *label, self._draws[words]).face - 1]

    # --- designs -----------------------------------------------------------------------------------------------------

    def of_kind(self, owner: str, system: str, **fits: object) -> str:
        """A design with these fields: ``code``, ``level``, ``path``; level 1 where nothing is said of it."""
        wanted: dict[str, object] = {"level": 1, **fits}
        fitting = {key for key, d in self.designs.items() if all(getattr(d, word) == wanted[word] for word in wanted)}
        if fitting:
            return self.drawn(sorted(fitting), owner, system, "design")
        codes = [code for code, of in self.classes.items() if fits.get("path", of.path) == of.path]
        code, level = str(fits.get("code", codes[0])), wanted["level"]
        return self.invented(owner, f"{code} Mark {level}", code, level if isinstance(level, int) else 1)

    def invented(self, owner: str, name: str, code: str, level: int) -> str:
        """A design nobody has seen the figures of: a plain division of its CP."""
        dv, strike, flak = example_division(self.classes[code].cp_at(level))
        key = f"{owner}:{name}"
        self.designs.setdefault(key, make_design(name, DesignEntry(code, level, dv, strike, flak), self.classes))
        return key

    def sighted(self, sighting: Sighting) -> str:
        """The design of a unit seen by name."""
        code, _, level = sighting.mark.partition("-")
        for key in (sighting.design, f"{sighting.owner}:{sighting.design}"):
            if key in self.designs and self.designs[key].mark == sighting.mark:
                return key
        return self.invented(sighting.owner, sighting.design, code, int(level or 1))

    # --- forces ------------------------------------------------------------------------------------------------------

    def met(self, contact: Contact, system: str) -> list[Draft]:
        """Units that a contact tells of: those seen by name, and others up to what was counted."""
        decks = {(s.owner, cargo): s.name for s in contact.units for cargo in s.cargo}
        seen = [sighting for sighting in contact.units if sighting.state != "destroyed"]
        named = [Draft(self.recognised(sighting), decks.get((sighting.owner, sighting.name), "")) for sighting in seen]
        designs = self.counted(contact, named, system)
        missing = [key for key in contact.powers if all(known.owner != key for known in named)]
        owners = [*missing, *(self.drawn(contact.powers, system, "owner") for _ in designs[len(missing) :])]
        designs += [self.drawn(COMMON, key, system, "first") for key in missing[len(designs) :]]
        others = [
            draft(owner, design, self.drawn(CONDITIONS, owner, system, "state"))
            for owner, design in zip(owners, designs, strict=False)
        ]
        return [*named, *others]

    def recognised(self, sighting: Sighting) -> Unit:
        design = self.sighted(sighting)
        return Unit(0, sighting.name, sighting.owner, design, "", sighting.state, fleet=sighting.fleet)

    def counted(self, contact: Contact, named: Sequence[Draft], system: str) -> list[str]:
        """Designs that make up the best count there is, less those that are named."""
        seen, who = [self.designs[known.design] for known in named], contact.powers[0]
        if contact.levels:
            left = Counter(contact.levels) - Counter(design.mark for design in seen)
            split = [(mark.partition("-")[0], int(mark.partition("-")[2])) for mark in sorted(left.elements())]
            return [self.of_kind(who, system, code=code, level=level) for code, level in split]
        if contact.classes:
            left = Counter(contact.classes) - Counter(design.code for design in seen)
            return [self.of_kind(who, system, code=code) for code in sorted(left.elements())]
        if contact.paths:
            left = Counter(contact.paths) - Counter(design.path for design in seen)
            return [self.of_kind(who, system, path=path) for path in sorted(left.elements())]
        more = (contact.count or 0) - len(named)
        return [self.drawn(COMMON, who, system, "unit") for _ in range(more)]

    def garrison(self, owner: str, system: str) -> list[Draft]:
        """What may defend a system that nobody has looked into: troops, a Station or ships, or both."""
        troops = self.drawn(range(1, MOST_DEFENDERS + 1), system, "troops")
        ships = self.drawn(range(MOST_DEFENDERS), system, "ships")
        bases = [draft(owner, self.of_kind(owner, system, code=BASE))] * self.drawn((0, 1), system, "base")
        return [*bases, *[draft(owner, WARSHIP)] * ships, *[draft(owner, GARRISON)] * troops]


# --- setting them up -------------------------------------------------------------------------------------------------


def set_up(table: Table, system: str, drafts: Iterable[Draft]) -> list[int]:
    """Put the units on the table, carriers first; returns their ids."""
    ordered = sorted(drafts, key=lambda wanted: not carries(table, wanted))
    placed: list[int] = []
    table.next_id = free_id(table)
    for wanted in ordered:
        ids = [number for number in placed if table.units[number].owner == wanted.owner]
        deck = deck_for(table, wanted, [table.units[number] for number in ids])
        name = wanted.unit.name or f"{table.design_of(wanted.design).name} {UNSEEN + table.next_id}"
        unit = replace(wanted.unit, id=table.next_id, name=name, location=system, carrier=deck)
        if table.is_ship(unit):
            unit = replace(unit, fleet=table.join_fleet(unit.owner, unit.fleet or f"{system} Squadron", system))
        if deck is None and not wanted.afloat:
            unit = replace(unit, landed=table.is_troop(unit))
        table.put(unit)
        placed.append(unit.id)
        table.next_id = free_id(table)
    return placed


def free_id(table: Table) -> int:
    number = table.next_id
    while number in table.units:
        number += 1
    return number


def carries(table: Table, wanted: Draft) -> bool:
    return table.design_of(wanted.design).category in ("ship", "base")


def deck_for(table: Table, wanted: Draft, beside: Sequence[Unit]) -> int | None:
    """Where a flight or troop was seen; else ashore in its owner's system, elsewhere aboard if there is room."""
    design = table.design_of(wanted.design)
    if design.category not in ("flight", "troop"):
        return None
    roomy = [unit for unit in beside if table.ship_or_station(unit) and table.free_cv(unit) >= design.CC]
    if wanted.deck:
        return next((unit.id for unit in roomy if unit.name == wanted.deck), None)
    if not roomy or (table.systems[roomy[0].location].owner == wanted.owner and not wanted.afloat):
        return None
    return next((unit.id for unit in roomy if unit.intact), roomy[0].id)


def take_down(table: Table, numbers: Iterable[int]) -> None:
    """Take units from the table again, and with them the fleets they formed."""
    for unit in [table.units[number] for number in numbers]:
        table.remove(unit.id)
        if unit.fleet and not table.ships_of(unit.owner, unit.fleet):
            del table.fleets[unit.owner, unit.fleet]

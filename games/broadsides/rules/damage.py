"""Chapters 4.4 and 4.7: where a strike lands, what armour takes from it, and where the rest goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from games.broadsides.data import TABLES, Damage, ShipClass, System
from games.broadsides.rules.criticals import lose_blocks, lose_structure
from games.broadsides.rules.mounts import covers
from games.broadsides.state import Ship
from games.broadsides.table import Table
from pbem.kit.table import Tally

BLOCK = 10
"""BR-DMG-5: raking damage is cut into blocks of this size."""

ArmourEffect = Literal["full", "half", "none"]


@dataclass(frozen=True)
class Location:
    """What a location roll found."""

    section: str
    system: System | None
    """None: structure."""
    wreck: str = ""
    """BR-LOC-9: the destroyed side the strike came through."""

    @property
    def name(self) -> str:
        return self.system.id if self.system else "structure"


class Wounds:
    """One shot's strikes on one ship: remembers the mounts chosen and, when raking, the armour used up."""

    def __init__(
        self,
        table: Table,
        target: str,
        tally: Tally,
        *,
        armour: ArmourEffect = "full",
        shield: int = 0,
        overkill: bool = True,
        rule: str = "BR-DMG-4",
    ) -> None:
        self.table, self.name, self.tally = table, target, tally
        self._armour_effect, self._shield, self._overkill = armour, shield, overkill
        self._rule = rule
        self._picked: dict[tuple[str, str], str] = {}
        self._raked: set[tuple[str, str]] | None = None

    @property
    def ship(self) -> Ship:
        return self.table.ships[self.name]

    @property
    def sheet(self) -> ShipClass:
        return self.table.sheet(self.ship)

    @property
    def alive(self) -> bool:
        return self.ship.status == "on-map"

    # --- where

    def locate(self, side: str, *, outside: bool = False) -> Location:
        """BR-LOC-6: roll the location; ``outside``: a primary result counts as structure of the side."""
        if side != "main" and self.ship.structure[side] <= 0:
            return self.in_primary(wreck=side)
        entry = self._chart_entry(side)
        if entry == "primary":
            return Location(side, None) if outside else self.in_primary()
        return Location(side, self.pick(side, entry))

    def in_primary(self, *, wreck: str = "") -> Location:
        """Roll on the primary chart."""
        entry = _entry("primary", self.tally.roll(20, "primary location"))
        return Location("primary", self.pick("primary", entry), wreck)

    def _chart_entry(self, side: str) -> str:
        return _entry(chart_of(self.sheet, side), self.tally.roll(20, "location"))

    def pick(self, section: str, entry: str) -> System | None:
        """BR-LOC-7: the first undestroyed mount of the group, by the defender's list, then by the sheet."""
        group = [system for system in self.sheet.by_section[section].systems if system.group == entry]
        if not group:
            return None
        chosen = self._picked.get((section, entry))
        if chosen is None:
            take = self.table.doctrine.of(self.name).take
            order = sorted(group, key=lambda system: self._taken_rank(system, take))
            standing = [system for system in order if self.ship.blocks_left(system) > 0]
            chosen = (standing or order)[0].id
            self._picked[(section, entry)] = chosen
        return self.sheet.systems[chosen]

    def _taken_rank(self, system: System, take: Sequence[str]) -> int:
        """The place of a mount on the defender's list, by id, type or size word."""
        ranks = (place for place, ref in enumerate(take) if covers(self.table.catalogue, system, (ref,)))
        return next(ranks, len(take))

    # --- armour

    def rake(self) -> None:
        """BR-DMG-5: from now on the armour of each location counts only once."""
        self._raked = set()

    def _deducted(self, value: int, key: tuple[str, str]) -> int:
        """One armour value as this shot meets it (BR-DMG-12, 13, 15)."""
        if self._raked is not None:
            if key in self._raked:
                return 0
            self._raked.add(key)
        if self._armour_effect == "none":
            return 0
        return value // 2 if self._armour_effect == "half" else value

    def armour_at(self, place: Location) -> int:
        """BR-LOC-9, 10: wrecks keep half their armour, rounded down."""
        total = 0
        if place.wreck:
            wreck = self.sheet.by_section[place.wreck].armour // 2
            total += self._deducted(wreck, (place.wreck, "structure"))
        if place.system is None:
            value = self.sheet.by_section[place.section].armour
        else:
            value = place.system.armour
            if self.ship.blocks_left(place.system) <= 0:
                value //= 2
        return total + self._deducted(value, (place.section, place.name))

    # --- strikes

    def strike(self, side: str, damage: int, *, outside: bool = False) -> None:
        """BR-DMG-4: all of it to one location of a side."""
        if self.alive:
            self.land(self.locate(side, outside=outside), damage, side)

    def land(self, place: Location, damage: int, side: str, *, armour: int | None = None) -> None:
        """BR-DMG-2, 3: shield, then armour, then the location; the rest goes on."""
        met = self.armour_at(place) if armour is None else armour
        done = max(0, damage - self._shield - met)
        self.tell_hit(place, side, done, met)
        self.spend(place, done)

    def spend(self, place: Location, damage: int) -> None:
        """The damage on its way: system, structure of its section, primary."""
        if damage <= 0 or not self.alive:
            return
        left = self.ship.blocks_left(place.system) if place.system else 0
        if place.system is None or left <= 0:
            self.to_structure(place.section, damage)
            return
        lose_blocks(self.table, self.name, place.system, min(left, damage), self.tally)
        if damage > left and self._overkill:
            self.to_structure(place.section, damage - left)

    def to_structure(self, section: str, damage: int) -> None:
        """BR-DMG-2: what a side's structure cannot take goes to the primary, against that location's armour."""
        if damage <= 0 or not self.alive:
            return
        left = self.ship.structure[section]
        lose_structure(self.table, self.name, section, min(left, damage))
        over = damage - left
        if over > 0 and section not in ("primary", "main") and self._overkill and self.alive:
            place = self.in_primary()
            met = self.armour_at(place)
            self.tell_hit(place, section, max(0, over - met), met)
            self.spend(place, max(0, over - met))

    def tell_hit(self, place: Location, side: str, done: int, armour: int = 0) -> None:
        tell_hit(self.table, self._rule, self.tally, self.name, place, side, done, armour)

    # --- modes

    def raking(self, side: str, damage: int) -> None:
        """BR-DMG-5: blocks of ten, each with its own location."""
        self.rake()
        while damage > 0 and self.alive:
            self.strike(side, min(BLOCK, damage))
            damage -= BLOCK

    def flash(self, side: str, damage: int) -> None:
        """BR-DMG-8: overkill rolls a new location on the same side, never primary."""
        through = side != "main" and self.ship.structure[side] <= 0
        damage = max(0, damage - self._shield)
        while damage > 0 and self.alive:
            place = self.locate(side, outside=True)
            if not through and place.wreck:
                return
            met = self.armour_at(place)
            damage = max(0, damage - met)
            self.tell_hit(place, side, damage, met)
            damage = self._flash_at(place, damage)

    def _flash_at(self, place: Location, damage: int) -> int:
        """What a flash has left after one location; nothing once it reaches structure."""
        system = place.system
        if damage <= 0:
            return 0
        if system is None or self.ship.blocks_left(system) <= 0:
            lose_structure(self.table, self.name, place.section, min(self.ship.structure[place.section], damage))
            return 0
        left = self.ship.blocks_left(system)
        lose_blocks(self.table, self.name, system, min(left, damage), self.tally)
        return damage - left

    def light_pulses(self, side: str, pulses: int, damage: int) -> None:
        """BR-WPN-2: one location for all; each pulse burns a point of its armour away."""
        place = self.locate(side)
        full = self.armour_at(place)
        for burned in range(pulses):
            if self.alive:
                self.land(place, damage, side, armour=max(0, full - burned))

    def piercing(self, side: str, exit_side: str, pool: int, strength: int) -> None:
        """BR-DMG-10: system, structure, primary, structure, system; so many blocks from each."""
        _Pierce(self, strength, max(0, pool - self._shield)).run(side, exit_side)


class _Pierce:
    """A pool of damage on its way through a ship; each loss is taken from it."""

    def __init__(self, wounds: Wounds, strength: int, pool: int) -> None:
        self._wounds, self._strength, self._pool = wounds, strength, pool

    def run(self, side: str, exit_side: str) -> None:
        wounds = self._wounds
        if side != "main" and wounds.ship.structure[side] <= 0:
            self._armour(Location(side, None))
            # BR-LOC-9: half the structure armour of a destroyed side, then the primary.
        else:
            self._enter(side)
        if side == "main":
            return
        self._through_primary()
        if wounds.ship.structure[exit_side] > 0:
            self._leave(exit_side)

    def _armour(self, place: Location) -> None:
        wounds = self._wounds
        if place.system is None and place.section != "primary" and wounds.ship.structure[place.section] <= 0:
            self._pool -= wounds.sheet.by_section[place.section].armour // 2
        else:
            self._pool -= wounds.armour_at(place)

    def _enter(self, side: str) -> None:
        place = self._wounds.locate(side, outside=True)
        self._armour(place)
        if place.system:
            self._system(place, side)
        self._structure(side, side)

    def _through_primary(self) -> None:
        if self._pool <= 0 or not self._wounds.alive:
            return
        place = self._wounds.in_primary()
        standing = place.system is None or self._wounds.ship.blocks_left(place.system) > 0
        met = self._wounds.armour_at(place)
        self._pool -= met
        if place.system and standing:
            self._system(place, "primary")
        else:
            self._structure("primary", "primary")
        self._pool -= met

    def _leave(self, side: str) -> None:
        self._structure(side, side)
        if self._pool > 0 and self._wounds.alive and self._wounds.ship.structure[side] > 0:
            place = self._wounds.locate(side, outside=True)
            if place.system:
                self._system(place, side)

    def _system(self, place: Location, side: str) -> None:
        wounds = self._wounds
        assert place.system is not None
        if self._pool <= 0 or not wounds.alive:
            return
        taken = min(self._strength, self._pool, wounds.ship.blocks_left(place.system))
        wounds.tell_hit(place, side, taken)
        if taken > 0:
            lose_blocks(wounds.table, wounds.name, place.system, taken, wounds.tally)
            self._pool -= taken

    def _structure(self, section: str, side: str) -> None:
        wounds = self._wounds
        if self._pool <= 0 or not wounds.alive:
            return
        taken = min(self._strength, self._pool, wounds.ship.structure[section])
        wounds.tell_hit(Location(section, None), side, taken)
        if taken > 0:
            lose_structure(wounds.table, wounds.name, section, taken)
            self._pool -= taken


def chart_of(sheet: ShipClass, section: str) -> str:
    """BR-LOC-6: which column of the location chart."""
    if section in ("primary", "main"):
        return section
    if sheet.size == "Base":
        return "base"
    return "two" if len(sheet.sides) == 2 else "four"


def _entry(chart: str, die: int) -> str:
    for entry, highest in TABLES.location[chart].items():
        if die <= highest:
            return entry
    raise AssertionError(f"no entry for {die} on the {chart} chart")


def roll_damage(tally: Tally, damage: Damage, times: int = 1, fewer: int = 0) -> int:
    """The dice of a damage expression, so many times over and so many dice fewer, and what is added to them."""
    dice = max(0, damage.dice * times - fewer)
    return sum(tally.roll(damage.sides, "damage") for _ in range(dice)) + damage.plus * times


def tell_hit(
    table: Table, rule: str, tally: Tally, target: str, place: Location, side: str, done: int, armour: int = 0
) -> None:
    """A strike on a location of a ship."""
    facts = {"target": target, "side": side, "section": place.section, "location": place.name}
    table.tell("hit", rule, table.sides, {**facts, "damage": done, "armour": armour}, tally.taken())

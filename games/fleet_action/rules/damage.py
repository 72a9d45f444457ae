"""FA-DMG, FA-WPN-1..8: from a hit to marks on a ship's tracks, or to lost fighters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from games.fleet_action.data import SECONDARY_SHOTS, TABLES, Manoeuvre, Mount, ShipClass, WeaponType
from games.fleet_action.orders.records import DamageOrder
from games.fleet_action.rules import geometry
from games.fleet_action.state import Ship
from games.fleet_action.table import Table
from pbem.kit.dice import Roll

SYSTEM_DIE = 6
LOCATION_DIE = 10
SIDE_ARC = 1
GREY = "grey box"


@dataclass(frozen=True)
class Struck:
    """Where a ship is struck: the arcs whose weapons may be hit, the arc of manoeuvre hits, and the armour."""

    arcs: tuple[int, ...]
    manoeuvre_arc: int
    armour: int

    @staticmethod
    def on_arc(card: ShipClass, arc: int) -> Struck:
        return Struck((arc,), arc, geometry.armour_of(card, arc))

    @staticmethod
    def on_best(card: ShipClass) -> Struck:
        """FA-WPN-9: ballistics and mines strike the best armour; side hits on manoeuvre count against turn."""
        best = geometry.best_arc(card)
        facing = geometry.facing_of(card, best)
        arcs = tuple(arc for arc in range(6) if geometry.facing_of(card, arc) == facing)
        aft = len(card.armor) > 1 and facing == len(card.armor) - 1
        manoeuvre = 0 if facing == 0 else (3 if aft else SIDE_ARC)
        return Struck(arcs, manoeuvre, geometry.armour_of(card, best))


@dataclass
class Wounds:
    """What one weapon did to one ship, die by die."""

    results: list[dict[str, object]] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)


Draw = Callable[[int, str], Roll]
"""Draws a die of so many faces for a purpose."""


class Wounding:
    """Marks the tracks of one ship, in the order the dice fall."""

    def __init__(self, table: Table, ship: str, struck: Struck, draw: Draw) -> None:
        self.table = table
        self.name = ship
        self.struck = struck
        self.draw = draw
        self.wounds = Wounds()
        self._all_points = False
        self._pinned: int | None = None
        """FA-WPN-2: the weapon system that takes all points of a matter hit, while it lasts."""

    @property
    def ship(self) -> Ship:
        return self.table.ships[self.name]

    # --- one die -----------------------------------------------------------------------------------------------------

    def die(self, roll: Roll, armour: int, weapon_class: str, bonus: int = 0) -> None:
        """FA-DMG-1, 2: a damage die against the armour."""
        self.wounds.rolls.append(roll)
        excess = roll.face + bonus - armour
        severity = severity_of(excess)
        before = len(self.wounds.marks)
        if severity == "minor":
            self.structure(1)
        elif severity:
            self._flash(severity) if weapon_class == "flash" else self._plain(severity, roll.face)
        self._note(roll.face, severity or "none", before)

    def _plain(self, severity: str, face: int) -> None:
        even = face % 2 == 0
        if severity == "moderate" and even:
            self.primary_system()
        elif severity == "moderate":
            system = self._system()
            self.structure(1)
            self._minor(system)
        elif even:
            first, second = self._system(), self._system()
            self.structure(1)
            self._minor(first)
            self._minor(second)
        else:
            system = self._system()
            self.structure(2)
            self._primary(system)

    def _flash(self, severity: str) -> None:
        """FA-WPN-5: both results; system dice primary first, then minor."""
        minors = 1 if severity == "moderate" else 2
        primary = self._system()
        systems = [self._system() for _ in range(minors)]
        self.structure(minors)
        self._primary(primary)
        for system in systems:
            self._minor(system)

    def matter(self, points: int) -> None:
        """FA-WPN-2: all points to one location, without an armour roll."""
        roll = self.draw(LOCATION_DIE, "location")
        self.wounds.rolls.append(roll)
        before = len(self.wounds.marks)
        self._all_points, self._pinned = True, None
        for _ in range(points):
            self._location(roll.face)
        self._all_points = False
        self._note(roll.face, "matter", before)

    def _location(self, face: int) -> None:
        if face <= 4:
            self.structure(1)
        elif face <= 8:
            self.secondary_weapon() if face % 2 == 0 else self.manoeuvre()
        elif face == 9:
            self.sensor()
        else:
            self.primary_weapon()

    def _note(self, face: int, severity: str, before: int) -> None:
        self.wounds.results.append({"die": face, "severity": severity, "marks": self.wounds.marks[before:]})

    # --- systems -----------------------------------------------------------------------------------------------------

    def _system(self) -> Roll:
        roll = self.draw(SYSTEM_DIE, "system")
        self.wounds.rolls.append(roll)
        return roll

    def primary_system(self) -> None:
        self._primary(self._system())

    def _primary(self, system: Roll) -> None:
        """FA-DMG-2: even a primary weapon, odd the sensor."""
        self.primary_weapon() if system.face % 2 == 0 else self.sensor()

    def _minor(self, system: Roll) -> None:
        """FA-DMG-2: even a secondary weapon, odd the manoeuvre rows."""
        self.secondary_weapon() if system.face % 2 == 0 else self.manoeuvre()

    def primary_weapon(self) -> None:
        """FA-DMG-5: primary in arc, then secondary in arc, then structure."""
        if not self._weapon(secondary=False) and not self._weapon(secondary=True):
            self.structure(1)

    def secondary_weapon(self) -> None:
        """FA-DMG-5: secondary in arc, then primary in arc, then structure."""
        if not self._weapon(secondary=True) and not self._weapon(secondary=False):
            self.structure(1)

    def _weapon(self, *, secondary: bool) -> bool:
        ship = self.ship
        if ship.structure <= 0:
            return True
        number = self._pinned
        if number is None or ship.weapon_left[number] < 1:
            number = self._chosen_weapon(ship, secondary=secondary)
        if number is None:
            return False
        self._pinned = number if self._all_points else None
        left = (*ship.weapon_left[:number], ship.weapon_left[number] - 1, *ship.weapon_left[number + 1 :])
        self._mark(replace(ship, weapon_left=left))
        mount = self.table.card(ship).weapons[number]
        self.wounds.marks.append(mount.word)
        return True

    def _chosen_weapon(self, ship: Ship, *, secondary: bool) -> int | None:
        """FA-DMG-5: the owner's list first; then the highest rating left, then the last on the card."""
        eligible = [
            (number, mount, weapon)
            for number, mount, weapon in self.table.mounts(ship)
            if ship.weapon_left[number] >= 1 and is_secondary(mount, weapon) == secondary and self._bears(mount)
        ]
        for word in self._owner_choice(ship):
            for number, mount, weapon in eligible:
                group = "secondary" if weapon.is_secondary else "primary"
                if word in (mount.weapon, mount.name, group, "all"):
                    return number
        return max(((ship.weapon_left[n], n) for n, _, _ in eligible), default=(0, None))[1]

    def _owner_choice(self, ship: Ship) -> Sequence[str]:
        order = self.table.book.first(DamageOrder, ship.name, ship.squadron)
        return order.weapons if order is not None else ()

    def _bears(self, mount: Mount) -> bool:
        """AF-only systems bear in all arcs."""
        return mount.arcs is None or any(mount.arcs[arc] >= 1 for arc in self.struck.arcs)

    def sensor(self) -> None:
        """FA-DMG-8: the sensor track; at 0, structure."""
        ship = self.ship
        if ship.sensor < 1:
            self.structure(1)
        elif ship.structure > 0:
            self._mark(replace(ship, sensor=ship.sensor - 1))
            self.wounds.marks.append("sensor")

    def manoeuvre(self) -> None:
        """FA-DMG-6, 7: fore decel, aft accel, else turn; then turn, then structure."""
        ship = self.ship
        if ship.structure <= 0:
            return
        rows = ship.man_left
        if self.struck.manoeuvre_arc == 0 and rows.dec > 0:
            self._mark(replace(ship, man_left=replace(rows, dec=rows.dec - 1)))
            self.wounds.marks.append("max decel")
        elif self.struck.manoeuvre_arc == 3 and rows.acc > 0:
            self._mark(replace(ship, man_left=replace(rows, acc=rows.acc - 1)))
            self.wounds.marks.append("max accel")
        elif rows.tn > 0:
            self._lose_turn(ship)
        else:
            self.structure(1)

    def _lose_turn(self, ship: Ship) -> None:
        """FA-DMG-7: every second point lost from turn takes one from the wider rows too."""
        hits = ship.turn_hits + 1
        rows = replace(ship.man_left, tn=ship.man_left.tn - 1)
        if hits % 2 == 0:
            rows = narrowed(rows)
        self._mark(replace(ship, man_left=rows, turn_hits=hits))
        self.wounds.marks.append("turn")

    def structure(self, boxes: int) -> None:
        """FA-DMG-4, 9: boxes from the right; grey ones cost morale."""
        for _ in range(boxes):
            ship = self.ship
            if ship.structure <= 0:
                return
            self._mark(replace(ship, structure=ship.structure - 1))
            self.wounds.marks.append("structure")
            if ship.structure in self.table.card(ship).grey:
                squadron = self.table.squadron(ship)
                self.table.change(squadron, morale_lost=squadron.morale_lost + 1)
                self.wounds.marks.append(GREY)

    def _mark(self, ship: Ship) -> None:
        self.table.put(ship)
        self.table.flags.damaged.add(ship.squadron)


def narrowed(rows: Manoeuvre) -> Manoeuvre:
    """FA-DMG-7: one off each of the wider rows, never below 0."""
    return replace(rows, cc=max(0, rows.cc - 1), ht=max(0, rows.ht - 1), ca=max(0, rows.ca - 1))


def is_secondary(mount: Mount, weapon: WeaponType) -> bool:
    """FA-DMG-5: AF-only systems are secondary."""
    return weapon.is_secondary or (mount.arcs is None and weapon.shots <= SECONDARY_SHOTS)


def severity_of(excess: int) -> str:
    """FA-DMG-1: none, minor, moderate or severe."""
    if excess >= TABLES.severity.severe:
        return "severe"
    if excess >= TABLES.severity.moderate:
        return "moderate"
    return "minor" if excess >= TABLES.severity.minor else ""


def damage_dice(weapon: WeaponType, bracket: int, waited: int | None) -> tuple[int, int] | None:
    """FA-WPN-3, 7: plasma by bracket, rapid ones weaker when they did not wait; None: no damage."""
    if not weapon.damage:
        return None
    if len(weapon.damage) == 1:
        return weapon.damage[0]
    levels = 0 if not weapon.rapid or waited is None else max(0, 3 - waited)
    index = bracket + levels
    return weapon.damage[index] if index < len(weapon.damage) else None


def armour_against(weapon: WeaponType, armour: int) -> int:
    """FA-WPN-3: plasma melts armour down, never below 2."""
    if weapon.damage_class != "plasma" or armour <= TABLES.least_plasma_armour:
        return armour
    return max(TABLES.least_plasma_armour, armour - TABLES.plasma_armour)


def in_words(marks: Sequence[str]) -> list[str]:
    """``2 structure, sensor``: the marks counted, in order of first mention."""
    counted: dict[str, int] = {}
    for mark in marks:
        counted[mark] = counted.get(mark, 0) + 1
    return [mark if count == 1 and mark != "structure" else f"{count} {mark}" for mark, count in counted.items()]

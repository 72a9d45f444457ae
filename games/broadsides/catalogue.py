"""From TOML sheets to checked ship classes, and their prices (BR-SET-9)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from functools import cache
from importlib import resources
from math import ceil, floor
from typing import Any

from games.broadsides.data import (
    ALL_ROUND,
    ARCS,
    LAYOUT,
    LIGHT_ARCS,
    PACKAGE,
    TABLES,
    Catalogue,
    FighterClass,
    Section,
    ShipClass,
    System,
    SystemKind,
    WeaponType,
    damage_of,
)
from games.broadsides.sheets import ClassSheet, SectionSheet, UnitsFile, read_units
from pbem.kit.codec import BadData

FILE = "units.toml"
PLAIN_SYSTEMS: tuple[SystemKind, ...] = ("reactor", "engine", "cnc", "sensors", "hangar", "jump", "shieldgen")
_MOUNT = re.compile(r"([A-Z]+)(\d+)")
_BOX = re.compile(r"(\d+)x(\d+)")


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads((resources.files(PACKAGE) / FILE).read_text(encoding="utf-8"))


@cache
def printed() -> Catalogue:
    """The house catalogue."""
    return _catalogue(read_units(_raw(), FILE), FILE, Catalogue(races=TABLES.race))


def own_entries(table: Mapping[str, Any], source: str) -> Catalogue:
    """A situation's own classes and weapons; an entry of a printed name changes only the keys it gives."""
    merged = {
        kind: {name: {**_raw().get(kind, {}).get(name, {}), **entry} for name, entry in entries.items()}
        for kind, entries in table.items()
    }
    read = read_units(merged, source)
    return _catalogue(read, source, printed())


def _catalogue(read: UnitsFile, source: str, known: Catalogue) -> Catalogue:
    weapons = {**known.weapons, **read.weapon}
    batteries = {**known.batteries, **read.battery}
    races = {**known.races, **read.race}
    maker = _Maker(Catalogue(weapons, batteries, races=races))
    classes = {name: maker.ship_class(name, sheet, f"{source}.class.{name}") for name, sheet in read.class_.items()}
    for name, craft in read.fighter.items():
        if craft.race not in races:
            raise BadData(f"{source}.fighter.{name}.race", f"no race called {craft.race!r}")
    if known.classes:
        return Catalogue(read.weapon, read.battery, classes, read.fighter, read.race)
    return Catalogue(weapons, batteries, classes, read.fighter, races)


class _Maker:
    """Builds ship classes from sheets, with the weapons at hand."""

    def __init__(self, parts: Catalogue) -> None:
        self._parts = parts

    def ship_class(self, name: str, sheet: ClassSheet, where: str) -> ShipClass:
        if sheet.race not in self._parts.races:
            raise BadData(f"{where}.race", f"no race called {sheet.race!r}")
        given = {section.name for section in sheet.section}
        wanted = LAYOUT[sheet.size]
        if given != wanted or len(sheet.section) != len(wanted):
            need, have = ", ".join(sorted(wanted)), ", ".join(sorted(section.name for section in sheet.section))
            raise BadData(
                f"{where}.section", f"a ship of size {sheet.size} has the sections {need}; the sheet has {have}"
            )
        sections = tuple(self._section(one, sheet, f"{where}.section.{one.name}") for one in sheet.section)
        self._check_mounts(sections, sheet, where)
        values = {one.name: getattr(sheet, one.name) for one in fields(sheet) if one.name not in _SHEET_ONLY}
        values["command"] = max(sheet.command, 2) if sheet.elint else sheet.command
        made = ShipClass(name=name, sections=sections, points=0, **values)
        points = price(made, self._parts) if sheet.points is None else sheet.points
        return ShipClass(name=name, sections=sections, points=points, **values)

    def _section(self, one: SectionSheet, sheet: ClassSheet, where: str) -> Section:
        if one.structure < 1:
            raise BadData(f"{where}.structure", f"at least 1 is needed, not {one.structure}")
        systems: list[System] = []
        if one.thruster:
            systems.append(_box(f"thruster-{one.name}", "thruster", one.thruster, one, where))
        for group in ("A", "B", "C"):
            mounts = getattr(one, group)
            systems.extend(self._mount(mount, group, one, sheet, f"{where}.{group}") for mount in mounts)
        for kind in PLAIN_SYSTEMS:
            if getattr(one, kind):
                if one.name not in ("primary", "main"):
                    raise BadData(f"{where}.{kind}", "such a system stands in the primary or main section only")
                systems.append(_box(kind, kind, getattr(one, kind), one, where))
        return Section(one.name, one.structure, one.armour, tuple(systems))

    def _mount(self, mount: str, group: str, one: SectionSheet, sheet: ClassSheet, where: str) -> System:
        found = _MOUNT.fullmatch(mount)
        if not found:
            raise BadData(where, f"a mount is a type and a number such as HL1, not {mount!r}")
        type_ = found[1]
        if type_ in self._parts.batteries:
            box = self._parts.batteries[type_]
            return System(mount, "battery", group, box.blocks, 1, box.armour, one.name, type_)
        if type_ not in self._parts.weapons:
            raise BadData(where, f"no weapon called {type_!r}; known are {', '.join(sorted(self._parts.weapons))}")
        weapon = self._parts.weapons[type_]
        if weapon.size == "H" and sheet.size == "LCV":
            raise BadData(where, f"{mount} is heavy: heavy weapons may not be mounted on an LCV (BR-HIT-5)")
        arc = sheet.arc.get(mount, weapon.arc or standard_arc(one.name, weapon))
        if any(angle % 60 or not 0 <= angle <= 360 for angle in arc):
            raise BadData(where, f"the arc of {mount} must be in steps of 60 from 0 to 360, not {list(arc)}")
        return System(mount, "weapon", group, weapon.blocks, 1, weapon.armour, one.name, type_, arc)

    def _check_mounts(self, sections: tuple[Section, ...], sheet: ClassSheet, where: str) -> None:
        ids = [system.id for section in sections for system in section.systems]
        for mount in ids:
            if ids.count(mount) > 1:
                raise BadData(f"{where}.section", f"{mount} stands on the sheet {ids.count(mount)} times")
        for mount in sheet.arc:
            if mount not in ids:
                raise BadData(f"{where}.arc.{mount}", "no such mount on the sheet")


_SHEET_ONLY = {"section", "points", "arc", "command"}


def _box(name: str, kind: SystemKind, size: str | int, one: SectionSheet, where: str) -> System:
    """``2x3`` is rows and width; a plain number of blocks is one row a block."""
    if isinstance(size, int):
        rows, width = size, 1
    else:
        found = _BOX.fullmatch(size.replace(" ", ""))
        if not found:
            raise BadData(
                f"{where}.{kind}", f'a number of blocks or "rows x width" such as "2x3" is needed, not {size!r}'
            )
        rows, width = int(found[1]), int(found[2])
    if rows < 1 or width < 1:
        raise BadData(f"{where}.{kind}", f"at least one block is needed, not {size!r}")
    return System(name, kind, kind, rows, width, one.armour, one.name)


def standard_arc(section: str, weapon: WeaponType) -> tuple[int, int]:
    """BR-LOC-2: the arc a mount has by its section and size."""
    if weapon.mine or weapon.rack:
        return ALL_ROUND
    if section.startswith("s") and section[1:].isdigit():
        side = int(section[1:])
        return (60 * ((side - 1) % 6), 60 * ((side + 1) % 6))
    arcs = LIGHT_ARCS if weapon.size == "L" else ARCS
    return arcs.get(section, ALL_ROUND)


# --- prices ----------------------------------------------------------------------------------------------------------

DECREED_DAMAGE = {
    "burst": 30,
    "pulsar_mine": 10,
    "plasma_web": 16,
    "grav_cannon": 20,
    "gravity_mine": 40,
    "energy_mine": 40,
}
RACK_DAMAGE = 20
PRICED_ACCURACY = 5
EXTRAS = {"jump": 40, "jammer": 75, "agile": 10, "anti_matter_reactor": -10}
EXTRAS_EACH = {"command": 10, "elint": 20, "stealth": 10, "shields": 20, "hangar_flights": 10}
DRIVE_EXTRA = {"conventional": 0, "partial": 10, "gravitic": 20}
BATTERY_PRICE = 10


def weapon_value(weapon: WeaponType) -> int:
    """BR-SET-9: average damage of a full hit, per turn, rounded up."""
    return ceil(_full_hit(weapon) / weapon.recharge)


def _full_hit(weapon: WeaponType) -> Fraction:
    if weapon.special in DECREED_DAMAGE:
        return Fraction(DECREED_DAMAGE[weapon.special])
    if weapon.rack:
        return Fraction(RACK_DAMAGE)
    dice = weapon.dice
    hit = dice.mean + dice.slope * PRICED_ACCURACY
    if weapon.mode == "pulse":
        hit *= Fraction(weapon.max_pulses + 1, 2)
    if weapon.special in ("grav_beam", "grav_shifter"):
        hit *= Fraction(3, 2)
    return hit * weapon.shots


def price(ship: ShipClass, parts: Catalogue) -> int:
    """BR-SET-9: the points of a ship, to the nearest 5, halves up."""
    weapons = [parts.weapons[system.type] for system in ship.systems.values() if system.kind == "weapon"]
    offence = sum(weapon.value or weapon_value(weapon) for weapon in weapons)
    structure = sum(section.structure for section in ship.sections)
    total = structure + Fraction(offence * (7 + ship.ew + parts.races[ship.race].weapon_mod), 10)
    total += 3 * ship.thrust + 5 * max(0, ship.init) + 20 + _extras(ship)
    return 5 * floor(total / 5 + Fraction(1, 2))


def _extras(ship: ShipClass) -> int:
    single = sum(points for name, points in EXTRAS.items() if getattr(ship, name))
    each: int = sum(points * int(getattr(ship, name)) for name, points in EXTRAS_EACH.items())
    batteries = sum(1 for system in ship.systems.values() if system.kind == "battery")
    return single + each + DRIVE_EXTRA[ship.drive] + BATTERY_PRICE * batteries


def fighter_price(craft: FighterClass) -> int:
    """BR-SET-9: what one fighter costs."""
    guns = damage_of(craft.damage).mean * craft.guns
    stealth = 5 if craft.stealth_fighter else 0
    return floor(craft.structure + craft.armour + guns + craft.missiles + craft.ew + craft.thrust - 15 + stealth)

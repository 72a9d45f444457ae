"""Sections 2.3 and 2.4: from the sheets of ``units.toml``, or of a scenario, to checked classes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

from games.broadsides.data import (
    ALL_ROUND,
    ARCS,
    LAYOUT,
    LIGHT_ARCS,
    PACKAGE,
    TABLES,
    Battery,
    Catalogue,
    FighterClass,
    Race,
    Section,
    ShipCard,
    ShipClass,
    System,
    SystemKind,
    WeaponType,
)
from games.broadsides.rules.prices import price
from pbem.kit.codec import BadData, build
from pbem.kit.records import shared

FILE = "units.toml"
TABLE_NAMES = ("weapon", "battery", "class", "fighter", "race")
"""The tables of ``units.toml``, and those of that shape a scenario may add."""
PLAIN_SYSTEMS: tuple[SystemKind, ...] = ("reactor", "engine", "cnc", "sensors", "hangar", "jump", "shieldgen")
_MOUNT = re.compile(r"([A-Z]+)(\d+)")
_BOX = re.compile(r"(\d+)x(\d+)")


@dataclass(frozen=True)
class SectionSheet:
    """A section as the TOML writes it."""

    name: str
    structure: int
    armour: int
    thruster: str | int = 0
    A: tuple[str, ...] = ()
    B: tuple[str, ...] = ()
    C: tuple[str, ...] = ()
    reactor: str | int = 0
    engine: str | int = 0
    cnc: str | int = 0
    sensors: str | int = 0
    hangar: str | int = 0
    jump: str | int = 0
    shieldgen: str | int = 0


@dataclass(frozen=True, kw_only=True)
class ClassSheet(ShipCard):
    """A ship class as the TOML writes it: without points they are reckoned (BR-SET-9)."""

    section: tuple[SectionSheet, ...]
    points: int | None = None
    arc: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Mounts whose arc is not the standard section."""


# --- catalogues ------------------------------------------------------------------------------------------------------


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads((resources.files(PACKAGE) / FILE).read_text(encoding="utf-8"))


@cache
def printed() -> Catalogue:
    """The house catalogue."""
    races = Catalogue(races=TABLES.race)
    return races.with_more(_entries(_raw(), FILE, races))


def own_entries(table: Mapping[str, Any], source: str) -> Catalogue:
    """A situation's own classes and weapons; an entry of a printed name changes only the keys it gives."""
    merged = {
        kind: {name: {**_raw().get(kind, {}).get(name, {}), **entry} for name, entry in entries.items()}
        for kind, entries in table.items()
    }
    return _entries(merged, source, printed())


def _entries(table: Mapping[str, Any], source: str, known: Catalogue) -> Catalogue:
    def read(word: str, kind: Any) -> Any:
        return build(Mapping[str, kind], table.get(word, {}), f"{source}.{word}")

    own = Catalogue(
        weapons=read("weapon", WeaponType),
        batteries=read("battery", Battery),
        fighters=read("fighter", FighterClass),
        races=read("race", Race),
    )
    maker = _Maker(known.with_more(own))
    for name, craft in own.fighters.items():
        maker.check_race(craft.race, f"{source}.fighter.{name}")
    sheets: Mapping[str, ClassSheet] = read("class", ClassSheet)
    return replace(
        own, classes={name: maker.ship_class(name, sheet, f"{source}.class.{name}") for name, sheet in sheets.items()}
    )


# --- ship classes ----------------------------------------------------------------------------------------------------


class _Maker:
    """Builds ship classes from sheets, with the weapons at hand."""

    def __init__(self, parts: Catalogue) -> None:
        self._parts = parts

    def check_race(self, race: str, where: str) -> None:
        if race not in self._parts.races:
            raise BadData(f"{where}.race", f"no race called {race!r}")

    def ship_class(self, name: str, sheet: ClassSheet, where: str) -> ShipClass:
        self.check_race(sheet.race, where)
        given, wanted = sorted(section.name for section in sheet.section), sorted(LAYOUT[sheet.size])
        if given != wanted:
            need, have = ", ".join(wanted), ", ".join(given)
            raise BadData(
                f"{where}.section", f"a ship of size {sheet.size} has the sections {need}; the sheet has {have}"
            )
        sections = tuple(self._section(section, sheet, f"{where}.section.{section.name}") for section in sheet.section)
        self._check_mounts(sections, sheet, where)
        card = shared(ShipCard, sheet) | {"command": max(sheet.command, 2) if sheet.elint else sheet.command}
        made = ShipClass(**card, name=name, sections=sections, points=sheet.points or 0)
        return replace(made, points=price(made, self._parts)) if sheet.points is None else made

    def _section(self, section: SectionSheet, sheet: ClassSheet, where: str) -> Section:
        if section.structure < 1:
            raise BadData(f"{where}.structure", f"at least 1 is needed, not {section.structure}")
        systems: list[System] = []
        if section.thruster:
            systems.append(_box(f"thruster-{section.name}", "thruster", section.thruster, section, where))
        for group in ("A", "B", "C"):
            mounts = getattr(section, group)
            systems.extend(self._mount(mount, group, section, sheet, f"{where}.{group}") for mount in mounts)
        for kind in PLAIN_SYSTEMS:
            if getattr(section, kind):
                if section.name not in ("primary", "main"):
                    raise BadData(f"{where}.{kind}", "such a system stands in the primary or main section only")
                systems.append(_box(kind, kind, getattr(section, kind), section, where))
        return Section(section.name, section.structure, section.armour, tuple(systems))

    def _mount(self, mount: str, group: str, section: SectionSheet, sheet: ClassSheet, where: str) -> System:
        found = _MOUNT.fullmatch(mount)
        if not found:
            raise BadData(where, f"a mount is a type and a number such as HL1, not {mount!r}")
        type_ = found[1]
        if type_ in self._parts.batteries:
            box = self._parts.batteries[type_]
            return System(mount, "battery", group, box.blocks, 1, box.armour, section.name, type_)
        if type_ not in self._parts.weapons:
            raise BadData(where, f"no weapon called {type_!r}; known are {', '.join(sorted(self._parts.weapons))}")
        weapon = self._parts.weapons[type_]
        if weapon.size == "H" and sheet.size == "LCV":
            raise BadData(where, f"{mount} is heavy: heavy weapons may not be mounted on an LCV (BR-HIT-5)")
        arc = sheet.arc.get(mount, weapon.arc or standard_arc(section.name, weapon))
        if any(angle % 60 or not 0 <= angle <= 360 for angle in arc):
            raise BadData(where, f"the arc of {mount} must be in steps of 60 from 0 to 360, not {list(arc)}")
        return System(mount, "weapon", group, weapon.blocks, 1, weapon.armour, section.name, type_, arc)

    def _check_mounts(self, sections: tuple[Section, ...], sheet: ClassSheet, where: str) -> None:
        ids = [system.id for section in sections for system in section.systems]
        for mount in ids:
            if ids.count(mount) > 1:
                raise BadData(f"{where}.section", f"{mount} stands on the sheet {ids.count(mount)} times")
        for mount in sheet.arc:
            if mount not in ids:
                raise BadData(f"{where}.arc.{mount}", "no such mount on the sheet")


def _box(name: str, kind: SystemKind, size: str | int, section: SectionSheet, where: str) -> System:
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
    return System(name, kind, kind, rows, width, section.armour, section.name)


def standard_arc(section: str, weapon: WeaponType) -> tuple[int, int]:
    """BR-LOC-2: the arc a mount has by its section and size."""
    if weapon.mine or weapon.rack:
        return ALL_ROUND
    if section.startswith("s") and section[1:].isdigit():
        side = int(section[1:])
        return (60 * ((side - 1) % 6), 60 * ((side + 1) % 6))
    arcs = LIGHT_ARCS if weapon.size == "L" else ARCS
    return arcs.get(section, ALL_ROUND)

"""Ship sheets, weapons and craft as the TOML writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from games.broadsides.data import Battery, Drive, FighterClass, Race, Size, WeaponType
from pbem.kit.codec import build


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


@dataclass(frozen=True)
class ClassSheet:
    """A ship class as the TOML writes it."""

    race: str
    size: Size
    signature: int
    ew: int
    thrust: int
    accel_cost: int
    turn_factor: Fraction
    init: int
    section: tuple[SectionSheet, ...]
    points: int | None = None
    stealth: int = 0
    drive: Drive = "conventional"
    agile: bool = False
    jammer: bool = False
    anti_matter_reactor: bool = False
    jump: bool = False
    command: int = 0
    elint: int = 0
    shields: int = 0
    atmospheric: tuple[int, int] = (0, 0)
    hangar_flights: int = 0
    pods: int = 0
    pod_elite: bool = False
    arc: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class UnitsFile:
    """``units.toml``, and the tables of that shape a situation may add."""

    weapon: Mapping[str, WeaponType] = field(default_factory=dict)
    battery: Mapping[str, Battery] = field(default_factory=dict)
    class_: Mapping[str, ClassSheet] = field(default_factory=dict)
    fighter: Mapping[str, FighterClass] = field(default_factory=dict)
    race: Mapping[str, Race] = field(default_factory=dict)


def read_units(table: Mapping[str, Any], source: str) -> UnitsFile:
    """The tables ``weapon``, ``battery``, ``class``, ``fighter`` and ``race`` of a file."""
    renamed = {("class_" if key == "class" else key): value for key, value in table.items()}
    made: UnitsFile = build(UnitsFile, renamed, source)
    return made

"""What the rule book prints: races, weapons, ship sheets, small craft and charts, read from TOML and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import Literal

from pbem.kit.codec import load_toml

PACKAGE = "games.broadsides"

Size = Literal["LCV", "Medium", "HCV", "Capital", "Enormous", "Base", "OSAT"]
Drive = Literal["conventional", "partial", "gravitic"]
Projectile = Literal["beam", "em", "particle", "molecular", "antimatter", "matter", "plasma", "gravity", "missile"]
WeaponSize = Literal["L", "M", "H"]
Flag = Literal[
    "sustained", "light_pulse", "guardian", "torpedo", "boson", "explosive_tip", "anti_fighter", "full_armour"
]
Special = Literal[
    "none",
    "burst",
    "pulsar_mine",
    "plasma_web",
    "energy_mine",
    "gravity_mine",
    "grav_beam",
    "grav_pulsar",
    "grav_shifter",
    "grav_cannon",
]
Mode = Literal[
    "standard",
    "raking",
    "pulse",
    "piercing",
    "flash",
    "em",
    "area",
    "gravity",
    "ballistic standard",
    "ballistic flash",
    "ballistic mine",
    "ballistic mine flash",
]

FOUR_SIDED = ("fore", "starboard", "aft", "port")
"""Clockwise on the sheet (BR-LOC-5)."""
TWO_SIDED = ("fore", "aft")
BASE_SIDES = ("s0", "s1", "s2", "s3", "s4", "s5")
LAYOUT: Mapping[str, frozenset[str]] = {
    "LCV": frozenset({"main"}),
    "OSAT": frozenset({"main"}),
    "Medium": frozenset({*TWO_SIDED, "primary"}),
    "HCV": frozenset({*TWO_SIDED, "primary"}),
    "Capital": frozenset({*FOUR_SIDED, "primary"}),
    "Enormous": frozenset({*FOUR_SIDED, "primary"}),
    "Base": frozenset({*BASE_SIDES, "primary"}),
}

# BR-LOC-2: arcs in degrees, by section; light weapons of fore and aft see farther.
ARCS = {"fore": (300, 60), "aft": (120, 240), "port": (180, 360), "starboard": (0, 180), "main": (0, 360)}
LIGHT_ARCS = {**ARCS, "fore": (240, 120), "aft": (60, 300)}
ALL_ROUND = (0, 360)


# --- dice expressions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Damage:
    """``4d10+20``; or a fixed number (no dice); per pulse; or ``slope`` times accuracy plus ``plus``."""

    dice: int = 0
    sides: int = 0
    plus: int = 0
    slope: int = 0

    @property
    def mean(self) -> Fraction:
        return Fraction(self.dice * (self.sides + 1), 2) + self.plus


_DICE = re.compile(r"(\d*)d(\d+)([+-]\d+)?")
_PULSE = re.compile(r"(\d+)/pulse")
_ACCURACY = re.compile(r"(\d+)x([+-]\d+)?")


@cache
def damage_of(text: str) -> Damage:
    """Read a damage expression; ValueError says what was expected."""
    text = text.replace(" ", "")
    if found := _DICE.fullmatch(text):
        return Damage(int(found[1] or 1), int(found[2]), int(found[3] or 0))
    if found := _PULSE.fullmatch(text):
        return Damage(plus=int(found[1]))
    if found := _ACCURACY.fullmatch(text):
        return Damage(plus=int(found[2] or 0), slope=int(found[1]))
    if text.isdigit():
        return Damage(plus=int(text))
    raise ValueError(f'damage is "4d10+20", "9/pulse", "2x+10" or "15", not {text!r}')


# --- weapons, races, missiles ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WeaponType:
    """Section 2.2; rules ask for these attributes and never for the id."""

    name: str
    projectile: Projectile
    size: WeaponSize
    mode: Mode
    damage: str
    recharge: int
    power: int
    blocks: int
    armour: int
    max_pulses: int = 1
    grouping: int = 1
    intercept: int = 0
    pierce: int | None = None
    max_range: int | None = None
    flags: frozenset[Flag] = frozenset()
    special: Special = "none"
    shots: int = 1
    range_loss: int | None = None
    """Hexes for each point of damage lost (BR-DMG-12)."""
    range_row: Projectile | None = None
    arc: tuple[int, int] | None = None
    x_max: int = 0
    value: int = 0

    def __post_init__(self) -> None:
        damage_of(self.damage)
        for name, least in (("recharge", 1), ("power", 1), ("blocks", 1), ("armour", 0), ("grouping", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, not {getattr(self, name)}")
        if not 0 <= self.intercept <= 10:
            raise ValueError(f"intercept must be 0 to 10, not {self.intercept}")

    @property
    def full(self) -> int:
        """BR-PWR-1: the charge it needs to fire."""
        return self.recharge * self.power

    @property
    def large(self) -> bool:
        """BR-PWR-2."""
        return self.recharge > 1

    @property
    def ballistic(self) -> bool:
        return self.mode.startswith("ballistic")

    @property
    def mine(self) -> bool:
        return self.mode.startswith("ballistic mine")

    @property
    def torpedo(self) -> bool:
        return "torpedo" in self.flags

    @property
    def rack(self) -> bool:
        return self.projectile == "missile"

    @property
    def dice(self) -> Damage:
        return damage_of(self.damage)


@dataclass(frozen=True)
class Battery:
    name: str
    capacity: int
    blocks: int
    armour: int


@dataclass(frozen=True)
class Race:
    """Section 2.1."""

    weapon_mod: int
    jump_scatter: str
    jam_lost: int
    jam_half_year: int | None = None
    sensor_base_year: int | None = None


@dataclass(frozen=True)
class Missile:
    range: int
    damage: int
    bonus: int
    homing: bool = False
    """Harm: half the target's EW counts instead of a bonus."""


# --- ship sheets -----------------------------------------------------------------------------------------------------

SystemKind = Literal[
    "thruster", "weapon", "battery", "sensors", "engine", "reactor", "cnc", "jump", "hangar", "shieldgen"
]


@dataclass(frozen=True)
class System:
    """Section 2.4: a box of the sheet."""

    id: str
    kind: SystemKind
    group: str
    rows: int
    width: int
    armour: int
    section: str
    type: str = ""
    """Weapon type or battery type; empty for other systems."""
    arc: tuple[int, int] = ALL_ROUND

    @property
    def blocks(self) -> int:
        return self.rows * self.width


@dataclass(frozen=True)
class Section:
    name: str
    structure: int
    armour: int
    systems: tuple[System, ...]


@dataclass(frozen=True, kw_only=True)
class ShipCard:
    """Section 2.3: what is printed above the sections of a sheet."""

    race: str
    size: Size
    signature: int
    ew: int
    thrust: int
    accel_cost: int
    turn_factor: Fraction
    init: int
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


@dataclass(frozen=True, kw_only=True)
class ShipClass(ShipCard):
    name: str
    sections: tuple[Section, ...]
    points: int

    @property
    def sides(self) -> tuple[str, ...]:
        """The sections that are sides, clockwise."""
        if self.size in ("LCV", "OSAT"):
            return ()
        if self.size == "Base":
            return BASE_SIDES
        return TWO_SIDED if self.size in ("Medium", "HCV") else FOUR_SIDED

    @property
    def core(self) -> str:
        """The section whose loss is the loss of the unit."""
        return "primary" if self.sides else "main"

    @property
    def fixed(self) -> bool:
        """BR-MOV-25: it never moves by itself."""
        return self.size in ("Base", "OSAT")

    @cached_property
    def systems(self) -> Mapping[str, System]:
        """All systems by id, in sheet order."""
        return {system.id: system for section in self.sections for system in section.systems}

    @cached_property
    def mounts(self) -> tuple[System, ...]:
        """The weapons in sheet order."""
        return tuple(system for system in self.systems.values() if system.kind == "weapon")

    @cached_property
    def thrusters(self) -> tuple[System, ...]:
        return tuple(system for system in self.systems.values() if system.kind == "thruster")

    @cached_property
    def by_section(self) -> Mapping[str, Section]:
        return {section.name: section for section in self.sections}


@dataclass(frozen=True)
class FighterClass:
    """Section 2.6."""

    race: str
    signature: int
    structure: int
    armour: int
    ew: int
    points: int
    thrust: int = 0
    accel_cost: int = 1
    turn_factor: Fraction = Fraction(1, 4)
    init: int = 0
    guns: int = 0
    damage: str = "0"
    missiles: int = 0
    atmospheric: tuple[int, int] = (3, 20)
    stealth_fighter: bool = False
    kind: Literal["fighter", "shuttle", "pod"] = "fighter"

    def __post_init__(self) -> None:
        damage_of(self.damage)


# --- charts ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tables:
    """``tables.toml``."""

    range_step: Mapping[str, tuple[Fraction, Fraction, Fraction]]
    stability: Mapping[str, int]
    close: Mapping[str, int]
    platform: Mapping[str, int]
    size_rank: Mapping[str, int]
    side_hit: Mapping[str, tuple[int, int, int, int]]
    location: Mapping[str, Mapping[str, int]]
    asteroid_attacks: Mapping[str, tuple[int, int, int]]
    missile: Mapping[str, Missile]
    race: Mapping[str, Race]


TABLES: Tables = load_toml(Tables, PACKAGE, "tables.toml")


@dataclass(frozen=True)
class Catalogue:
    """All classes and weapons a state knows."""

    weapons: Mapping[str, WeaponType] = field(default_factory=dict)
    batteries: Mapping[str, Battery] = field(default_factory=dict)
    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    fighters: Mapping[str, FighterClass] = field(default_factory=dict)
    races: Mapping[str, Race] = field(default_factory=dict)

    def with_more(self, more: Catalogue) -> Catalogue:
        """The same with a situation's own entries before the printed ones."""
        if not (more.weapons or more.batteries or more.classes or more.fighters or more.races):
            return self
        return Catalogue(
            {**self.weapons, **more.weapons},
            {**self.batteries, **more.batteries},
            {**self.classes, **more.classes},
            {**self.fighters, **more.fighters},
            {**self.races, **more.races},
        )

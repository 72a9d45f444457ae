"""The book's numbers and the catalogue, read from TOML and checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from pbem.kit.codec import build, load_toml

PACKAGE = "games.battleshift"


@dataclass(frozen=True)
class ShipClass:
    """2.2: a class of ships or stations; derived values left at 0 are reckoned by the building rules."""

    name: str = ""
    kind: Literal["ship", "station"] = "ship"
    size: int = 1
    light: int = 0
    heavy: int = 0
    broadside: int = 0
    super: int = 0
    missile: int = 0
    bay: int = 0
    interceptor: int = 0
    ion: int = 0
    heavy_ion: int = 0
    assault: int = 0
    tractor: int = 0
    repair: int = 0
    gate: int = 0
    repair_cost: int = 0
    engulf: Literal["none", "space", "cost"] = "none"
    fast: Literal["none", "free", "space", "cost"] = "none"
    extra_space: int = 0
    extra_shield: int = 0
    reinforced: int = 0
    hardened: bool = False
    flimsy: bool = False
    weak_shields: bool = False
    no_shields: bool = False
    slow: bool = False
    hull: int = 0
    shields: int = 0
    hardness: int = 0
    save: int = 0
    speed: int = 0
    space: int = 0
    used: int = 0
    cost: int = 0
    radius: int = 0

    @property
    def is_station(self) -> bool:
        return self.kind == "station"


@dataclass(frozen=True)
class Switches:
    """2.9: the optional rules of a scenario."""

    max_squadrons_per_tf: int = 3
    destruction_count: Literal["attack", "cumulative"] = "attack"
    suppression_count: Literal["attack", "activation"] = "attack"
    shift: Literal["normal", "none"] = "normal"
    disable_fire: bool = False
    boarding: bool = False
    super_heavy: bool = False
    ion: bool = False
    assault: bool = False
    engulf: bool = False
    tractor: bool = False
    formations: bool = False
    experience: bool = False
    stations: bool = False
    planets: bool = False
    moonbases: bool = False
    docking: bool = False
    fighter_recovery: bool = False
    focused_fire: bool = False
    fog: Literal["open", "limited"] = "open"

    def __post_init__(self) -> None:
        if not 3 <= self.max_squadrons_per_tf <= 5:
            raise ValueError(f"max_squadrons_per_tf is 3 to 5, not {self.max_squadrons_per_tf}")

    @property
    def may_board(self) -> bool:
        """Ion, assault, engulfing and tractor beams bring boarding with them."""
        return self.boarding or self.ion or self.assault or self.engulf or self.tractor


@dataclass(frozen=True)
class Limits:
    """Distances and counts; hundredths of an inch."""

    squadron_ships: int
    squadron_size: int
    coherency_span: int
    coherency_link: int
    command: int
    contact: int
    blocking: int
    abandon: int
    gravity: int
    gate: int
    flights: int
    flight_move: int
    flight_legs: int
    reaction: int
    protection: int
    chase: int
    chase_uncontrolled: int
    deploy_depth: int
    wing_vp: int
    quadrant_vp: int
    defence_cost: int
    planet_range_loss: int
    descent: int
    visible: int
    flagship_visible: int
    name_length: int
    spacing_least: int
    spacing_most: int
    cone_ships: int
    cone_spacing: int
    cone_range: int
    cone_turn: int
    ring_ships: int
    ring_slowdown: int
    asteroid_speed: int
    rift_slowdown: int
    singularity_pull: int
    singularity_core: int
    arrival_gap: int
    station_step: int


@dataclass(frozen=True)
class Numbers:
    """What dice are held against."""

    lock: int
    interceptor: int
    light_interceptor: int
    fighter: int
    dodge: int
    evade_penalty: int
    save: int
    save_hardened: int
    save_flimsy: int
    hardness: int
    hardness_weak: int
    hardness_none: int
    hardness_planet: int
    recovery: int
    recovery_detached: int
    planet_repair: int
    wing_recovery: int
    decisive: tuple[int, int]
    marginal: tuple[int, int]


@dataclass(frozen=True)
class Weapon:
    """One row of the weapon table."""

    range: int
    arc: int
    base: int
    power: int
    family: str


@dataclass(frozen=True)
class MovementRow:
    """One row of the movement table."""

    size: int
    half_arc: int
    turn: int


@dataclass(frozen=True)
class SuppressionRow:
    size: int
    hits: int


@dataclass(frozen=True)
class System:
    """What a system takes up, and who may carry it."""

    space: int
    cost: int = 0
    least: int = 1
    switch: str = ""


@dataclass(frozen=True)
class Building:
    """Prices of the building table."""

    space_per_size: int
    cost_per_size: int
    extra_space: int
    extra_shield: int
    fast_per_size: int
    engulf_per_size: int
    reinforced: int
    hardened_per_size: int
    repair_per_size: int
    weak_per_size: int
    none_per_size: int
    flimsy_per_size: int
    speed: int
    speed_change: int


@dataclass(frozen=True)
class Trait:
    """What a trait costs for each ship."""

    per_size: int = 0
    per_bay: int = 0


@dataclass(frozen=True)
class AdmiralPrice:
    cost: int


@dataclass(frozen=True)
class Tables:
    """tables.toml."""

    limits: Limits
    numbers: Numbers
    weapon: Mapping[str, Weapon]
    movement: tuple[MovementRow, ...]
    suppression: tuple[SuppressionRow, ...]
    ring: Mapping[int, tuple[tuple[int, int], ...]]
    system: Mapping[str, System]
    building: Building
    trait: Mapping[str, Trait]
    veteran_admiral: AdmiralPrice


@dataclass(frozen=True)
class DefenceSet:
    """Installations of each quadrant, in list order."""

    defence: int
    heavy: int = 0
    missile: int = 0
    light: int = 0
    interceptor: int = 0
    bay: int = 0


@dataclass(frozen=True)
class Units:
    """units.toml."""

    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    defence: Mapping[str, DefenceSet] = field(default_factory=dict)


TABLES: Tables = load_toml(Tables, PACKAGE, "tables.toml")
LIMITS = TABLES.limits
NUMBERS = TABLES.numbers
WEAPONS = TABLES.weapon
DIE = 6
"""All dice of the game."""
BATTERIES = ("heavy", "broadside", "super", "heavy_ion", "light", "ion")


@cache
def units() -> Units:
    """The catalogue, with derived values filled in."""
    # Imported here because the building rules need the tables above.
    from games.battleshift.rules.building import complete

    raw: Mapping[str, object] = load_toml(dict[str, object], PACKAGE, "units.toml")
    classes = build(dict[str, ShipClass], raw["class"], "units.toml: class")
    defence = build(dict[str, DefenceSet], raw["defence"], "units.toml: defence")
    return Units({name: complete(replace(made, name=name)) for name, made in classes.items()}, defence)


def half_arc(size: int) -> int:
    """BS-MOV-1: how far the course may differ from the facing."""
    return _row(size).half_arc


def facing_change(size: int) -> int:
    """BS-MOV-1: how far the facing may turn after the move."""
    return _row(size).turn


@cache
def _row(size: int) -> MovementRow:
    return [row for row in TABLES.movement if row.size <= size][-1]


@cache
def suppression_factor(size: int) -> int:
    """BS-SUP-1: hits needed for each ship."""
    return [row for row in TABLES.suppression if row.size <= size][-1].hits

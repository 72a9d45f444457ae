"""The data cards (section 10) and tables of Fleet Action as records; ``rules/cards.py`` reads and checks the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pbem.kit import codec

Category = Literal["enormous", "capital", "heavy", "medium"]
WeaponClass = Literal["particle", "laser", "matter", "plasma", "pulse", "flash", "molecular", "em", "ballistic"]

ARCS = ("F", "FS", "AS", "A", "AP", "FP")
BRACKETS = ("short", "medium", "long", "extreme")
CATEGORIES: tuple[Category, ...] = ("enormous", "capital", "heavy", "medium")
SECONDARY_SHOTS = 3


@dataclass(frozen=True)
class WeaponType:
    """A weapon as section 10.1 prints it."""

    key: str
    name: str
    weapon_class: WeaponClass
    fc: tuple[int, int, int]
    """Faces of the fire-control die against capital and heavy, medium, fighter; 0: may not fire at it."""
    range: tuple[int, ...] = ()
    """Short, medium, long, extreme; one figure for ballistics; none for AF-only systems."""
    damage: tuple[tuple[int, int], ...] = ()
    """Number and faces of the damage dice; four entries for plasma; none for matter and EM."""
    points: int = 0
    """Matter: points of damage without a roll."""
    shots: int = 1
    max_pulses: int = 5
    subclass: WeaponClass | Literal[""] = ""
    """FA-WPN-9: the class by whose rules a ballistic weapon does its damage; none: particle."""
    rapid: bool = False
    proximity: bool = False

    @property
    def is_secondary(self) -> bool:
        """Section 2.2: three shots a turn make a weapon secondary; a rapid one is primary."""
        return self.shots == SECONDARY_SHOTS and not self.rapid

    @property
    def damage_class(self) -> str:
        """FA-WPN-9: the class whose rules its damage follows."""
        return self.subclass or self.weapon_class


@dataclass(frozen=True)
class Mount:
    """A weapon system on a data card."""

    weapon: str
    rating: int
    arcs: tuple[int, int, int, int, int, int] | None = None
    """x factors in the order F FS AS A AP FP; None: anti-fighter only."""
    af: int = 0
    name: str = ""
    """How orders call it; the weapon's key unless two mounts share one."""

    @property
    def word(self) -> str:
        return self.name or self.weapon


@dataclass(frozen=True)
class Manoeuvre:
    """What engines give: highest speeds of the four manoeuvres, largest speed changes."""

    ca: int
    ht: int
    cc: int
    tn: int
    acc: int
    dec: int


@dataclass(frozen=True)
class ShipClass:
    """A ship class as section 10.2 prints it."""

    key: str
    name: str
    navy: str
    category: Category
    points: int
    cr: int
    defence: int
    armor: tuple[int, ...]
    sensor: int
    structure: int
    come_about: int
    hard_turn: int
    course_correct: int
    turn: int
    max_accel: int
    max_decel: int
    grey: tuple[int, ...] = ()
    guardian: tuple[int, ...] = ()
    interceptor: tuple[int, ...] = ()
    elint: tuple[int, ...] = ()
    accel_with: tuple[Literal["maintain", "turn", "hard_turn"], ...] | None = None
    jump: bool = False
    jammer: bool = False
    tractor: bool = False
    gravitic: bool = False
    hangar: int = 0
    hangar_types: tuple[str, ...] = ()
    """Fighter classes it may carry; none named: those of its own navy."""
    limited: bool = False
    weapons: tuple[Mount, ...] = ()

    @property
    def manoeuvre(self) -> Manoeuvre:
        """What its engines give before they are hit."""
        return Manoeuvre(
            self.come_about, self.hard_turn, self.course_correct, self.turn, self.max_accel, self.max_decel
        )

    def elint_level(self, sensor: int) -> int:
        """FA-ELI-1: S boxes left."""
        return sum(1 for box in self.elint if box <= sensor)

    def guardian_level(self, structure: int) -> int:
        """FA-SPC-2: G boxes left."""
        return sum(1 for box in self.guardian if box <= structure)

    def interceptor_level(self, structure: int) -> int:
        """FA-SPC-1: I boxes left."""
        return sum(1 for box in self.interceptor if box <= structure)


@dataclass(frozen=True)
class FighterClass:
    """A fighter class as section 10.4 prints it."""

    key: str
    name: str
    navy: str
    points: int
    move: int
    defence: int
    off: int
    dogfight: int
    armor: int
    damage: int
    burn: int = 0
    anti_ship: int = 0
    interceptor: int = 0
    stealth: bool = False
    range: int = 0
    hits: int = 1


@dataclass(frozen=True)
class Catalogue:
    """Weapons, ship classes and fighter classes by key."""

    weapons: Mapping[str, WeaponType] = field(default_factory=dict)
    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    fighters: Mapping[str, FighterClass] = field(default_factory=dict)

    def with_more(self, more: Catalogue) -> Catalogue:
        """The cards of a scenario go before those of the house."""
        return Catalogue(
            {**self.weapons, **more.weapons}, {**self.classes, **more.classes}, {**self.fighters, **more.fighters}
        )


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mines:
    most: tuple[int, ...]


@dataclass(frozen=True)
class Severity:
    minor: int
    moderate: int
    severe: int


@dataclass(frozen=True)
class DogfightTable:
    least_margin: tuple[int, ...]
    drift_direction: int
    drift_distance: int


@dataclass(frozen=True)
class MoraleTable:
    thresholds: tuple[int, ...]
    die: int
    skirmish: Mapping[str, int]
    strategic: Mapping[str, int]
    vital: Mapping[str, int]

    def modifier(self, situation: str, role: str) -> int:
        """FA-MOR-4: by situation and role."""
        by_role: Mapping[str, int] = getattr(self, situation)
        return by_role[role]


@dataclass(frozen=True)
class ReinforcementTable:
    discount: tuple[int, ...]
    arrives_on: tuple[int, ...]
    lost_on: int


@dataclass(frozen=True)
class VictoryTable:
    destroyed: int
    withdrawn: int
    battered: int
    battered_below: int
    held: int


@dataclass(frozen=True)
class AbilityCard:
    """What an ability costs, how often it serves, and who may own it."""

    points: int
    uses: int = 0
    """0: no limit."""
    triggered: bool = False
    admiral: bool = False
    flagship: bool = True
    """May be owned on the flagship."""


@dataclass(frozen=True)
class Tables:
    """Every number of the rule book that is not on a data card."""

    command_radius: int
    deployment_radius: int
    flagship_radius: int
    fleet_speed: int
    waiting_speed: int
    patrol_distance: int
    patrol_share: int
    vortex_offset: int
    entry_radius: int
    late_change: int
    late_change_gravitic: int
    support_range: int
    priority_range: int
    planner_hexes: int
    jam_command_range: int
    jam_elint_range: int
    jam_fc_range: int
    chance_to_fire: int
    plasma_armour: int
    least_plasma_armour: int
    ballistic_step: int
    mine_to_hit: int
    mine_die: int
    flight_size: int
    patrol_radius: int
    largest_patrol_radius: int
    station: int
    largest_station: int
    strike_bonus: int
    jump_radius: int
    gate_radius: int
    earliest_reinforcement: int
    limited_per: int
    planner_per: int
    abilities_per_cr: int
    decisive: tuple[int, int]
    marginal: tuple[int, int]
    tractor_structure: int
    range_modifier: tuple[int, int, int, int]
    navy_radius: Mapping[str, int]
    scatter: Mapping[str, tuple[int, int, int]]
    accel_with: Mapping[str, tuple[str, ...]]
    mine_modifier: Mapping[str, int]
    mine_radius: Mines
    styles: Mapping[str, tuple[int, int, int]]
    severity: Severity
    dogfight: DogfightTable
    morale: MoraleTable
    reinforcement: ReinforcementTable
    victory: VictoryTable
    ability: Mapping[str, AbilityCard]
    formation: Mapping[str, tuple[str, ...]]


TABLES: Tables = codec.load_toml(Tables, "games.fleet_action", "tables.toml")

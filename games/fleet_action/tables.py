"""The tables of the rule book as records, read from ``tables.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.kit import codec


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

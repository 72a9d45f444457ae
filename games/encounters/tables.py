"""The tables of the rule book, read from tables.toml: every number that is no class, ability or design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from pbem.kit.codec import load_toml

PACKAGE = "games.encounters"


@dataclass(frozen=True)
class ReadinessRow:
    modifier: int
    budget: int
    level: int
    upto: int | None = None


@dataclass(frozen=True)
class ReadinessTable:
    rows: tuple[ReadinessRow, ...]
    out_of_supply: int
    owner_level: int
    unrolled: int

    def at(self, total: int) -> ReadinessRow:
        """EN-RDY-3: the row of a readiness total; below the first row counts as the first."""
        return next(row for row in self.rows if row.upto is None or total <= row.upto)


@dataclass(frozen=True)
class FireRow:
    percent: int
    upto: int | None = None


def percent_at(rows: tuple[FireRow, ...], roll: int) -> int:
    """EN-FIR-1, EN-GFE-2, EN-GFE-3: the effectiveness of a modified roll."""
    return next(row.percent for row in rows if row.upto is None or roll <= row.upto)


@dataclass(frozen=True)
class FireTable:
    space: tuple[FireRow, ...]
    troops: tuple[FireRow, ...]
    ground_flights: tuple[FireRow, ...]


@dataclass(frozen=True)
class RatingTable:
    percent: Mapping[int, int]
    most_steps: int
    ground: int
    dug_in: int
    landing: int

    @cached_property
    def lowest(self) -> int:
        return min(self.percent)

    @cached_property
    def highest(self) -> int:
        return max(self.percent)

    def limited(self, rating: int) -> int:
        """EN-DR-5: a Defence Rating within the table."""
        return max(self.lowest, min(self.highest, rating))


@dataclass(frozen=True)
class MissionTable:
    firecontrol_cc: int
    firecontrol_most: int


@dataclass(frozen=True)
class RetreatTable:
    needed: int
    disengage: int
    fast: int
    crippled: int
    parting_percent: int


@dataclass(frozen=True)
class GroundTable:
    support_points: int
    strike_points: int
    capture_morale: int


@dataclass(frozen=True)
class YardTable:
    capacity: int
    works_per_prod: int
    sweep_per_cc: int


@dataclass(frozen=True)
class EconomyTable:
    invest_cost: int
    most_morale: int
    research_step: int
    highest_level: int
    intel_cost: int
    intel_buy_most: int
    intel_hold_most: int


@dataclass(frozen=True)
class MovementTable:
    major: int
    minor: int
    restricted: int
    restricted_cc: int
    crippled_mp: int
    fast_bonus: int
    impulses: int
    supply_lanes: int

    def cost_of(self, kind: str) -> int:
        """EN-MOV-1: movement points of a lane."""
        return {"major": self.major, "minor": self.minor, "restricted": self.restricted}[kind]


@dataclass(frozen=True)
class MemoryTable:
    turns: int


@dataclass(frozen=True)
class Tables:
    readiness: ReadinessTable
    fire: FireTable
    rating: RatingTable
    missions: MissionTable
    retreat: RetreatTable
    ground: GroundTable
    yard: YardTable
    economy: EconomyTable
    movement: MovementTable
    memory: MemoryTable


@cache
def tables() -> Tables:
    return load_toml(Tables, PACKAGE, "tables.toml")

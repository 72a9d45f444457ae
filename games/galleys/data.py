"""The classes and tables of the rule book, loaded from TOML and checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from games.galleys.state import ShipClass
from pbem.kit.codec import BadData, load_toml

ResultT = TypeVar("ResultT")
Bands = tuple[tuple[int, str], ...]


def band(bands: tuple[tuple[int, ResultT], ...], total: int) -> ResultT:
    """The result of the first band that reaches up to the total; the last has no upper end."""
    for highest, result in bands[:-1]:
        if total <= highest:
            return result
    return bands[-1][1]


@dataclass(frozen=True)
class FatigueTable:
    first_column: int
    rows: Bands
    recovery: int
    worst: int
    gained: Mapping[str, tuple[int, ...]]

    def levels(self, row: str, modified: int) -> int:
        """GA-FAT-2: levels gained in this row."""
        columns = self.gained[row]
        return columns[min(max(modified - self.first_column, 0), len(columns) - 1)]


@dataclass(frozen=True)
class MissileTable:
    losses: tuple[tuple[int, ...], ...]
    close: int
    towers: int
    exhausted: int
    strong_wind: int

    def loss(self, modified: int, points: int) -> int:
        """GA-MIS-8: marine steps lost."""
        row = self.losses[min(max(modified, 1), len(self.losses)) - 1]
        return row[min(points, len(row)) - 1]


@dataclass(frozen=True)
class FlameTable:
    range: int
    many_points: int
    many_bonus: int
    ignites: int
    pot_ignites: int
    burning: Bands
    spreads: int
    spread_level: int
    burnt: int


@dataclass(frozen=True)
class AvoidanceTable:
    bands: Bands
    small: int
    burning: int
    partial_on_ram: int
    partial_on_grapple: int


@dataclass(frozen=True)
class GrappleTable:
    holds: int
    helpless: int
    corvus: int


@dataclass(frozen=True)
class DisengageTable:
    cost: int
    free: int
    stronger: int
    corvus: int


@dataclass(frozen=True)
class RamTable:
    bands: Bands
    damaging: int
    midship: int
    maximum: int
    cruise: int
    short_run: int
    short_run_below: int
    helpless: int
    failed_rake: int


@dataclass(frozen=True)
class RakeTable:
    bands: Bands
    head_on: int
    maximum: int
    half: int
    pass_cost: int
    pass_counts_as: int
    further: int


@dataclass(frozen=True)
class BoardingTable:
    bands: tuple[tuple[int, tuple[int, int]], ...]
    most_differential: int
    towers: int
    corvus: int
    prize_crew_needs: int


@dataclass(frozen=True)
class SinkingTable:
    small: int
    large: int


@dataclass(frozen=True)
class MovementTable:
    turns_small: int
    turns_large: int
    shoal: int
    jettison: int
    rise: int
    stand_off: int


@dataclass(frozen=True)
class ScoreTable:
    captured_halves: int
    damaged_halves: int
    exited_halves: int


@dataclass(frozen=True)
class Tables:
    fatigue: FatigueTable
    missile: MissileTable
    flame: FlameTable
    avoidance: AvoidanceTable
    grapple: GrappleTable
    disengage: DisengageTable
    ram: RamTable
    rake: RakeTable
    boarding: BoardingTable
    sinking: SinkingTable
    movement: MovementTable
    score: ScoreTable


Limits = Mapping[str, tuple[int, int]]

RANGES: Limits = {
    "cruise": (1, 9),
    "full": (1, 9),
    "max": (1, 9),
    "turn_cost": (1, 2),
    "ram": (0, 6),
    "hull": (1, 6),
    "missile": (0, 8),
    "marines": (0, 14),
    "points": (1, 40),
}
"""Section 2.1: what a class may have."""


def check_limits(record: object, limits: Limits, where: str) -> None:
    for name, (lowest, highest) in limits.items():
        value = getattr(record, name)
        if not lowest <= value <= highest:
            raise BadData(f"{where}.{name}", f"{value} is outside {lowest} to {highest}")


def checked_class(code: str, given: ShipClass, where: str) -> ShipClass:
    """The class under its code, refused when a number is outside the book's range."""
    check_limits(given, RANGES, where)
    if not given.cruise <= given.full <= given.max:
        raise BadData(where, f"cruise {given.cruise}, full {given.full}, max {given.max} must not fall")
    return replace(given, code=code)


def _load_classes() -> Mapping[str, ShipClass]:
    loaded = load_toml(dict[str, dict[str, ShipClass]], "games.galleys", "units.toml")
    return {code: checked_class(code, klass, f"units.toml: {code}") for code, klass in loaded["class"].items()}


CLASSES: Mapping[str, ShipClass] = _load_classes()
TABLES: Tables = load_toml(Tables, "games.galleys", "tables.toml")

"""Every number of the rule book, from ``units.toml`` and ``tables.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.kit.codec import load_toml


@dataclass(frozen=True)
class ShipClass:
    """SK-SHP-1."""

    speed: int
    guns: int
    hull: int


@dataclass(frozen=True)
class Units:
    classes: Mapping[str, ShipClass]


@dataclass(frozen=True)
class Tables:
    die: int
    needed: Mapping[int, int]
    """SK-FIR-2: up to this range, a die of so much hits; nearest first."""

    def to_hit(self, distance: int) -> int | None:
        """What a die needs at this range; None: out of range."""
        return next((needed for furthest, needed in self.needed.items() if distance <= furthest), None)


CLASSES = load_toml(Units, "skirmish", "units.toml").classes
TABLES = load_toml(Tables, "skirmish", "tables.toml")

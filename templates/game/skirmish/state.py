"""The battle as values: frozen, and the same after a trip through JSON."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kit.game import Side
from pbem.kit.hexgrid import Hex, column_row


@dataclass(frozen=True)
class Squadron:
    """One side of the battle."""

    id: Side
    name: str


@dataclass(frozen=True)
class Ship:
    name: str
    squadron: Side
    kind: str
    """Its class in ``units.toml``."""
    at: Hex
    hull: int
    """SK-LOS-1: at 0 it is lost."""


@dataclass(frozen=True)
class State:
    columns: int
    rows: int
    last_turn: int
    squadrons: tuple[Squadron, ...]
    ships: tuple[Ship, ...]
    """In the order of the scenario file, the lost ones too."""
    turn: int = 1

    def afloat(self, side: Side) -> tuple[Ship, ...]:
        return tuple(ship for ship in self.ships if ship.hull and ship.squadron == side)

    def enemies(self, side: Side | None) -> tuple[Ship, ...]:
        return tuple(ship for ship in self.ships if ship.hull and ship.squadron != side)

    def on_map(self, at: Hex) -> bool:
        """SK-MAP-1."""
        column, row = column_row(at)
        return 1 <= column <= self.columns and 1 <= row <= self.rows

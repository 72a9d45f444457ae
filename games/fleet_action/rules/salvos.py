"""FA-FIRE-7, FA-WPN-9, 10: volleys and salvos as records, cut by audience as all records of the state are."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kit.hexgrid import Hex


@dataclass(frozen=True, kw_only=True)
class SeenVolley:
    """Who fires what at whom, with how many dice."""

    side: str
    firer: str
    weapon: str
    x: int
    target: str | None = None


@dataclass(frozen=True, kw_only=True)
class Volley(SeenVolley):
    """A volley, with what speeds it."""

    sensor: int = 0
    """S without support: sensor and style, or a flight's bonuses."""
    offensive: int = 0
    bypass: int = 0


@dataclass(frozen=True, kw_only=True)
class SeenSalvo(SeenVolley):
    """Section 8: ballistics or mines under way; by FA-WPN-14 the hex of mines is told when their turn is over."""

    launch: int
    impact: int
    hex: Hex | None = None
    launchers: tuple[str, ...] = ()
    number: int = 0
    """Counted over the whole game, so that each has a name of its own."""


@dataclass(frozen=True, kw_only=True)
class Salvo(SeenSalvo, Volley):
    """A salvo, with what was frozen at its launch."""

    shift: int = 0
    """Brackets it counts further, for jammed fire control."""

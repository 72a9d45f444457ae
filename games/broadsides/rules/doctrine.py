"""What a side has ordered, settled: one record a unit, with all defaults filled in by the rules that read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.broadsides.rules.craft import Plot
from games.broadsides.state import Program, Side2
from pbem.kit.hexgrid import Hex

DEFAULT_INTERCEPTORS = 2
DRIFT = Plot()
"""Nothing plotted."""


@dataclass(frozen=True)
class Aim:
    """A target: a unit by name, or a program."""

    unit: str = ""
    program: Program | None = None


@dataclass(frozen=True)
class FireLine:
    """``fire HL1,HL2 at Tiger piercing else biggest``."""

    mounts: tuple[str, ...]
    """Mount ids, ``TA*``, ``light``, ``medium``, ``heavy`` or ``all``."""
    aim: Aim
    piercing: bool = False
    called: str = ""
    split: int = 1
    shift: Side2 | None = None
    antifighter: bool = False
    otherwise: Program | None = None


@dataclass(frozen=True)
class Alt:
    """BR-MOV-20."""

    near: bool
    """``within``; otherwise ``beyond``."""
    hexes: int
    unit: str
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class BallisticLine:
    mount: str
    missile: str = ""
    target: str = ""
    hex: Hex | None = None


@dataclass(frozen=True)
class AttackAim:
    """BR-FTR-9: a side, a weapon or a system."""

    side: str = ""
    system: str = ""


@dataclass(frozen=True)
class BreakOff:
    kind: Literal["never", "notarget", "fighters"] = "never"
    fighters: int = 0


@dataclass(frozen=True)
class SnapRoll:
    kind: Literal["yes", "away", "if"]
    unit: str = ""
    side: Side2 | None = None


@dataclass(frozen=True)
class UnitOrders:
    """All that stands for one unit this turn."""

    plot: Plot = DRIFT
    moves: bool = False
    """A movement line was given, so the map-edge guard is off."""
    speed_given: bool = False
    alt: Alt | None = None
    chase: str = ""
    roll: bool = False
    snap_roll: SnapRoll | None = None
    diverts: tuple[tuple[str, str, int], ...] = ()
    """Giver, receiver, points."""
    batteries: tuple[tuple[str, str, int], ...] = ()
    power: tuple[str, ...] = ()
    ballistics: tuple[BallisticLine, ...] = ()
    lines: tuple[FireLine | tuple[str, ...], ...] = ()
    """Fire lines, and hold lines as plain mounts, in the order written."""
    hold_below: int | None = None
    intercept: tuple[str, ...] | None = None
    """Mounts named; empty: none; None: not ordered."""
    intercept_max: int = DEFAULT_INTERCEPTORS
    intercept_min: int = 0
    clear: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    spread: bool = False
    order: Literal["A", "I", "D", "L"] | None = None
    target: str = ""
    attack: AttackAim = AttackAim()
    break_off: BreakOff = BreakOff()
    missiles: bool = False
    land: str = ""
    boards: tuple[tuple[str, str], ...] = ()
    jump_out: bool = False
    jump_with: str = ""


@dataclass(frozen=True)
class Doctrine:
    """The settled orders of both sides."""

    units: Mapping[str, UnitOrders] = field(default_factory=dict)
    firing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, name: str) -> UnitOrders:
        return self.units.get(name, _SILENT)


_SILENT = UnitOrders()
NO_ORDERS = Doctrine()

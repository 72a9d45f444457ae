"""The orders of section 6, one record a kind of line; each names its unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.broadsides.rules.craft import SlideOrder
from games.broadsides.rules.doctrine import Alt, AttackAim, BallisticLine, BreakOff, FireLine, SnapRoll
from games.broadsides.state import Program
from pbem.kit.hexgrid import Hex

NO_AIM = AttackAim()
"""The facing side, whatever is there."""


@dataclass(frozen=True)
class Order:
    """What all lines share: the unit they stand under (a side's own lines: the fleet block)."""

    unit: str


@dataclass(frozen=True)
class Speed(Order):
    """``speed +2`` changes, ``speed 7`` sets."""

    change: int | None = None
    to: int | None = None


@dataclass(frozen=True)
class Path(Order):
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class AltPath(Order):
    alt: Alt


@dataclass(frozen=True)
class Chase(Order):
    target: str = ""


@dataclass(frozen=True)
class Pivot(Order):
    hexsides: int = 0


@dataclass(frozen=True)
class SlideTo(Order):
    slide: SlideOrder


@dataclass(frozen=True)
class RollOver(Order):
    pass


@dataclass(frozen=True)
class SnapRollOver(Order):
    snap: SnapRoll


@dataclass(frozen=True)
class Divert(Order):
    giver: str = ""
    receiver: str = ""


@dataclass(frozen=True)
class SpendBattery(Order):
    box: str = ""
    mount: str = ""
    points: int = 0


@dataclass(frozen=True)
class PowerList(Order):
    mounts: tuple[str, ...] = ()


@dataclass(frozen=True)
class LaunchBallistic(Order):
    line: BallisticLine


@dataclass(frozen=True)
class FireAt(Order):
    line: FireLine


@dataclass(frozen=True)
class Hold(Order):
    mounts: tuple[str, ...] = ()


@dataclass(frozen=True)
class HoldBelow(Order):
    n: int = 0


@dataclass(frozen=True)
class InterceptWith(Order):
    """``intercept INT1``; no mounts: none."""

    mounts: tuple[str, ...] = ()


@dataclass(frozen=True)
class InterceptLimit(Order):
    kind: Literal["max", "min"] = "max"
    n: int = 0


@dataclass(frozen=True)
class ClearWith(Order):
    mounts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Take(Order):
    mounts: tuple[str, ...] = ()


@dataclass(frozen=True)
class TakeFighter(Order):
    spread: bool = False


@dataclass(frozen=True)
class Firing(Order):
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class FlightLetter(Order):
    """A, I, D or L with its target or carrier."""

    letter: Literal["A", "I", "D", "L"] = "D"
    target: str = ""
    aim: AttackAim = NO_AIM


@dataclass(frozen=True)
class BreakOffWhen(Order):
    rule: BreakOff


@dataclass(frozen=True)
class UseMissiles(Order):
    pass


@dataclass(frozen=True)
class Land(Order):
    carrier: str = ""


@dataclass(frozen=True)
class Board(Order):
    target: str = ""
    section: str = ""


@dataclass(frozen=True)
class Troops(Order):
    how: Literal["press", "spread"] = "press"


@dataclass(frozen=True)
class JumpIn(Order):
    hex: Hex
    facing: int


@dataclass(frozen=True)
class Offset(Order):
    hex: Hex


@dataclass(frozen=True)
class JumpOut(Order):
    pass


@dataclass(frozen=True)
class JumpWith(Order):
    leader: str = ""


@dataclass(frozen=True)
class Deploy(Order):
    hex: Hex
    heading: int
    facing: int | None = None


@dataclass(frozen=True)
class Load(Order):
    mount: str = ""
    missiles: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SetProgram(Order):
    program: Program


@dataclass(frozen=True)
class Upgrade(Order):
    what: Literal["sensors", "jammer"] = "sensors"
    n: int = 1

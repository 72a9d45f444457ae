"""What orders say, as values: strategic orders, and lines of battle and ground letters (rule book, section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from games.encounters.data import DesignEntry
from games.encounters.state import Stance

# --- 6.1 strategic ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetStance:
    other: str
    value: Stance


@dataclass(frozen=True)
class LayDown:
    design: str
    system: str
    count: int = 1
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cancel:
    design: str
    system: str


@dataclass(frozen=True)
class Repair:
    unit: int


@dataclass(frozen=True)
class Scrap:
    unit: int


@dataclass(frozen=True)
class BuyIntel:
    points: int
    system: str


@dataclass(frozen=True)
class SpendIntel:
    points: int
    system: str


@dataclass(frozen=True)
class Invest:
    stat: str
    system: str


@dataclass(frozen=True)
class Research:
    path: str
    amount: int


@dataclass(frozen=True)
class DrawDesign:
    name: str
    entry: DesignEntry


@dataclass(frozen=True)
class Move:
    fleet: str
    path: tuple[str, ...]
    """Empty: hold."""


@dataclass(frozen=True)
class Transfer:
    ships: tuple[int, ...]
    to: str


@dataclass(frozen=True)
class Load:
    carrier: int
    unit: int


@dataclass(frozen=True)
class Unload:
    carrier: int
    unit: int | None
    """None: all that is aboard."""


@dataclass(frozen=True)
class Land:
    """To unload once all fleets have moved."""

    carrier: int
    unit: int | None


@dataclass(frozen=True)
class RenameUnit:
    unit: int
    name: str


@dataclass(frozen=True)
class RenameFleet:
    fleet: str
    name: str


@dataclass(frozen=True)
class SetDoctrine:
    fleet: str
    """Empty: the power's own."""
    topic: str
    value: str


Spending = LayDown | Cancel | Repair | Scrap | BuyIntel | Invest | Research | DrawDesign
Regrouping = Transfer | Load | Unload | RenameUnit | RenameFleet

# --- 6.2, 6.3 battle and ground --------------------------------------------------------------------------------------

Where = Literal["battle", "ground"]
Way = Literal["include", "exclude"]


@dataclass(frozen=True)
class Target:
    """A selector of 6.5, a class, a path or a name; ``most``: only the first so many."""

    word: str
    most: int | None = None


@dataclass(frozen=True)
class Hit:
    target: Target
    kill: bool = False


@dataclass(frozen=True)
class Steps:
    target: Target
    steps: int = 1


@dataclass(frozen=True)
class Forcing:
    """EN-INX-1: force enemy units in or out."""

    way: Way
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class MissionLine:
    """A mission for a unit (by id) or a squadron (by name), in one round or in all."""

    mission: str
    unit: int | None = None
    squadron: str = ""
    round: int | None = None
    target: str = ""
    """The squadron to disrupt: a selector, a number or a name."""


@dataclass(frozen=True)
class StepsLine:
    """``guard`` or ``lower``, for a squadron or a unit."""

    way: Literal["guard", "lower"]
    entries: tuple[Steps, ...]
    unit: int | None = None
    squadron: str = ""
    round: int | None = None


@dataclass(frozen=True)
class BattleOrder:
    """One accepted line of a battle or ground block: which plan it changes, and how."""

    where: Where
    system: str
    topic: str
    value: Any


Order = SetStance | Spending | SpendIntel | Regrouping | Land | Move | SetDoctrine | BattleOrder

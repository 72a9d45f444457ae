"""What orders say, as values: strategic orders, and the plan of one power for one battle (rule book, section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
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
    after: bool = False


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

    way: Literal["include", "exclude"]
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


_FIRST_FEW = re.compile(r"(.+) x ?(\d+)", re.IGNORECASE)
Doctrine = Mapping[str, str]
NO_HITS: tuple[Hit, ...] = ()


@dataclass(frozen=True)
class BattlePlan:
    """All that one power ordered for one system; None and empty mean silence."""

    fight: tuple[str, ...] | None = None
    """Powers to fight; ``("all",)``; empty: decline."""
    flagship: int | None = None
    squadrons: tuple[tuple[str, tuple[int, ...]], ...] = ()
    reserve: tuple[int, ...] = ()
    station: tuple[int, ...] = ()
    hold: tuple[int, ...] = ()
    forcing: tuple[Forcing, ...] = ()
    missions: tuple[MissionLine, ...] = ()
    steps: tuple[StepsLine, ...] = ()
    direct: Mapping[str, tuple[Hit, ...]] = field(default_factory=dict)
    absorb: str | None = None
    rounds: int | None = None
    retreat: str | None = None
    retreat_to: str | None = None
    pursue: str | None = None
    start: str | None = None
    """``invade``, ``assault`` or ``no attack``."""
    orbital: str | None = None
    exclude_own: tuple[int, ...] = ()
    bombard: str | None = None
    strike: tuple[str, ...] = ()


GATHERED = ("reserve", "station", "hold", "exclude_own")
LISTED = ("forcing", "missions", "steps")


def planned(orders: Iterable[BattleOrder], onto: BattlePlan | None = None) -> BattlePlan:
    """The plan that the lines of one block make, in line order."""
    plan = onto or BattlePlan()
    for order in orders:
        plan = with_order(plan, order)
    return plan


def with_order(plan: BattlePlan, order: BattleOrder) -> BattlePlan:
    """Lists grow; of a single-valued order the last counts."""
    if order.topic in GATHERED:
        old: tuple[int, ...] = getattr(plan, order.topic)
        gathered: dict[str, Any] = {order.topic: (*old, *(one for one in order.value if one not in old))}
        return replace(plan, **gathered)
    if order.topic == "squadrons":
        others = tuple(one for one in plan.squadrons if one[0] != order.value[0])
        return replace(plan, squadrons=(*others, order.value))
    if order.topic in LISTED:
        listed: tuple[Any, ...] = getattr(plan, order.topic)
        longer: dict[str, Any] = {order.topic: (*listed, order.value)}
        return replace(plan, **longer)
    if order.topic == "direct":
        kind, hits = order.value
        return replace(plan, direct={**plan.direct, kind: hits})
    if order.topic == "bombard":
        use, stats = order.value
        return replace(plan, bombard=use, strike=stats)
    return replace(plan, **{order.topic: order.value})


def filled_from(plan: BattlePlan, older: BattlePlan) -> BattlePlan:
    """6.3: where a plan is silent, an older one of the same turn speaks."""
    changes: dict[str, Any] = {}
    for name in BattlePlan.__dataclass_fields__:
        silent = getattr(plan, name)
        if name != "strike" and (silent is None or silent == () or silent == {}):
            changes[name] = getattr(older, name)
    if plan.bombard is None:
        changes["strike"] = older.strike
    return replace(plan, **changes)


def without_ground(plan: BattlePlan) -> BattlePlan:
    """The part of a plan that serves an orbital battle."""
    return replace(plan, start=None, orbital=None, exclude_own=(), bombard=None, strike=())


def read_hits(text: str) -> tuple[Hit, ...]:
    """The targets of ``direct``, already checked: ``at crippled, kill flagship x 2`` or ``none``."""
    words = text.strip()
    if words.casefold() == "none":
        return NO_HITS
    if words.casefold().startswith("at "):
        words = words[3:]
    return tuple(read_hit(item) for item in words.split(",") if item.strip())


def read_hit(text: str) -> Hit:
    words = text.split()
    kill = len(words) > 1 and words[0].casefold() == "kill"
    return Hit(read_target(" ".join(words[1:] if kill else words)), kill)


def read_target(text: str) -> Target:
    """``biggest x 2`` or ``biggest x2``: a selector with a number behind it."""
    words = " ".join(text.split())
    found = _FIRST_FEW.fullmatch(words)
    return Target(found[1], int(found[2])) if found else Target(words)

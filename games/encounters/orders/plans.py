"""The plan that one power's lines make for one battle, and the targets it names (rule book 6.2, 6.3, 6.5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from games.encounters.orders.records import BattleOrder, Forcing, Hit, MissionLine, StepsLine, Target

_FIRST_FEW = re.compile(r"(.+) x ?(\d+)", re.IGNORECASE)


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


def planned(orders: Iterable[BattleOrder]) -> BattlePlan:
    """The plan that the lines of one block make, in line order."""
    plan = BattlePlan()
    for order in orders:
        plan = with_order(plan, order)
    return plan


def with_order(plan: BattlePlan, order: BattleOrder) -> BattlePlan:
    """Lists grow; of a single-valued order the last counts."""
    if order.topic in GATHERED:
        gathered: Any = tuple(dict.fromkeys((*getattr(plan, order.topic), *order.value)))
        return replace(plan, **{order.topic: gathered})
    if order.topic == "squadrons":
        others = [squadron for squadron in plan.squadrons if squadron[0] != order.value[0]]
        return replace(plan, squadrons=(*others, order.value))
    if order.topic in LISTED:
        longer: Any = (*getattr(plan, order.topic), order.value)
        return replace(plan, **{order.topic: longer})
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
    for name in (entry.name for entry in fields(BattlePlan)):
        # An empty list is silence, but what ``bombard strike`` strikes goes with its line.
        said = plan.bombard if name == "strike" else getattr(plan, name)
        if said is None or said == () or said == {}:
            changes[name] = getattr(older, name)
    return replace(plan, **changes)


def without_ground(plan: BattlePlan) -> BattlePlan:
    """The part of a plan that serves an orbital battle."""
    return replace(plan, start=None, orbital=None, exclude_own=(), bombard=None, strike=())


def read_target(text: str) -> Target:
    """``biggest x 2`` or ``biggest x2``: a selector with a number behind it."""
    words = " ".join(text.split())
    few = _FIRST_FEW.fullmatch(words)
    return Target(few[1], int(few[2])) if few else Target(words)


def read_hits(text: str) -> tuple[Hit, ...]:
    """The targets of ``direct``, already checked: ``at crippled, kill flagship x 2`` or ``none``."""
    words = text.strip()
    if words.casefold() == "none":
        return ()
    if words.casefold().startswith("at "):
        words = words[3:]
    return tuple(read_hit(item) for item in words.split(",") if item.strip())


def read_hit(text: str, read: Callable[[str], Target] = read_target) -> Hit:
    """``kill flagship``: a target that is to be destroyed, or only to be hit."""
    words = text.split()
    kill = len(words) > 1 and words[0].casefold() == "kill"
    return Hit(read(" ".join(words[1:] if kill else words)), kill)


def hits_text(hits: Sequence[Hit]) -> str:
    """Hits as they are written in a doctrine."""
    return "at " + ", ".join(hit_text(hit) for hit in hits) if hits else "none"


def hit_text(hit: Hit) -> str:
    most = f" x {hit.target.most}" if hit.target.most is not None else ""
    return f"{'kill ' if hit.kill else ''}{hit.target.word}{most}"

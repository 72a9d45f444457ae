"""What can be ordered (rule book, section 6), as records, and what one ship makes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.galleys.state import Level

FLEET = "Fleet"
"""The unit that all ships of a side belong to."""
STANDS = "the order stands"
"""How the ``instead`` of a note begins: the line is accepted all the same."""

IntentKind = Literal["ram", "rake", "pass", "grapple", "anastrophe"]
MoveVerb = Literal["hold", "approach", "follow", "withdraw"]
Moment = Literal["at start", "when able", "at end"]


@dataclass(frozen=True)
class Target:
    """A ship by name, or by a selector, perhaps limited to one squadron."""

    name: str = ""
    selector: str = ""
    of: str = ""

    def allows(self, name: str) -> bool:
        """A name means this ship alone, a selector any."""
        return self.name in ("", name)

    def __str__(self) -> str:
        if self.name:
            return self.name
        return f"{self.selector} of {self.of}" if self.of else self.selector


@dataclass(frozen=True)
class Written:
    """Every order is written to a unit: a ship, a squadron or the fleet."""

    unit: str


@dataclass(frozen=True)
class PlanLine(Written):
    """A line of a plan, which a ship takes whole from the most specific level that has one (6.1)."""


@dataclass(frozen=True)
class Way(PlanLine):
    """Where to go: of a path and a move verb the later counts."""


@dataclass(frozen=True)
class Activate(Written):
    """GA-SEQ-2: the order in which the side's squadrons act."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Sequence(Written):
    """Section 3, step 4: the order in which the ships of a squadron act."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Speed(PlanLine):
    """GA-SPD-1: the level of this activation."""

    level: Level


@dataclass(frozen=True)
class Path(Way):
    """A plotted way: tokens F, P, S, B, T."""

    tokens: str


@dataclass(frozen=True)
class Move(Way):
    """A move verb; its route is found when the ship acts."""

    verb: MoveVerb
    target: Target = Target()

    def __str__(self) -> str:
        return f"{self.verb} {self.target}".strip()


@dataclass(frozen=True)
class Else(PlanLine):
    """The fall-back when no intent is reachable."""

    what: Path | Move


@dataclass(frozen=True)
class Intent(PlanLine):
    """GA-ORD-1: an attack to be made when it becomes possible."""

    kind: IntentKind
    target: Target
    if_reachable: bool = False
    side: str = ""
    """Anastrophe by Pass-Through: which side to turn round on; empty: starboard."""

    def __str__(self) -> str:
        words = [self.kind, str(self.target), self.side, "if reachable" if self.if_reachable else ""]
        return " ".join(word for word in words if word)


@dataclass(frozen=True)
class Shot:
    """One target of a fire order; points 0 stands for a share of what is left."""

    target: Target
    points: int | None = None

    def __str__(self) -> str:
        return f"at {self.target}" if self.points is None else f"{self.points} at {self.target}"


@dataclass(frozen=True)
class Fire(Written):
    """GA-ORD-8, -9: own missile fire; no shots: ``fire none``."""

    shots: tuple[Shot, ...]
    moment: Moment = "at end"

    def __str__(self) -> str:
        moment = f" {self.moment}" if self.moment != "at end" else ""
        return f"fire {', '.join(map(str, self.shots))}{moment}" if self.shots else "fire none"


@dataclass(frozen=True)
class FlameAt(Written):
    """GA-FLM-1: an ordered flame missile shot."""

    target: Target


@dataclass(frozen=True)
class Disengage(Written):
    """GA-DIS-1, -4: cut loose; no names: from all."""

    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Board(Written):
    """GA-ORD-11: board this ship, whatever the doctrine says."""

    name: str


@dataclass(frozen=True)
class Jettison(Written):
    """GA-JET-1: throw the towers overboard."""


@dataclass(frozen=True)
class Doctrine(Written):
    """Section 6.1: a standing instruction; it stays until changed."""

    word: str
    value: str


Order = (
    Activate | Sequence | Speed | Path | Move | Else | Intent | Fire | FlameAt | Disengage | Board | Jettison | Doctrine
)


@dataclass(frozen=True)
class Plan:
    """The plan lines one ship follows, already cut to what is legal for it."""

    level: Level = Level.CRUISE
    path: str | None = None
    move: Move | None = None
    fallback: Path | Move | None = None
    intents: tuple[Intent, ...] = ()

    def is_watched(self, intent: Intent) -> bool:
        """GA-ORD-1: beside a plotted path an intent without ``if reachable`` waits for its chance."""
        return self.path is not None and not intent.if_reachable and intent.kind != "anastrophe"

    @property
    def watched(self) -> tuple[Intent, ...]:
        return tuple(intent for intent in self.intents if self.is_watched(intent))

    @property
    def automatic(self) -> tuple[Intent, ...]:
        return tuple(intent for intent in self.intents if not self.is_watched(intent))


STAND_GUARD = Plan(intents=(Intent("", "ram", Target(selector="best"), if_reachable=True),), fallback=Move("", "hold"))
"""GA-ORD-12: what a ship does that has no plan at any level."""


@dataclass(frozen=True)
class ShipOrders:
    """All that was ordered for one ship this turn, whatever the level it was given at."""

    plan: Plan | None = None
    fire: Fire | None = None
    flame: FlameAt | None = None
    jettison: bool = False
    disengage: Disengage | None = None
    board: Board | None = None


NO_ORDERS = ShipOrders()


@dataclass(frozen=True)
class SideOrders:
    """A side's sheet, worked out for every ship."""

    ships: Mapping[str, ShipOrders] = field(default_factory=dict)
    sequences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    activate: tuple[str, ...] | None = None
    doctrines: tuple[Doctrine, ...] = ()


_RUN = re.compile(r"(.)\1{0,8}")
"""A count in a path has one digit."""


def written_path(tokens: str) -> str:
    """Tokens as a player writes them: ``FFFSF`` is ``F3 S F1``; an empty path is ``nothing``."""
    runs = [match[0] for match in _RUN.finditer(tokens)]
    return " ".join(f"{run[0]}{len(run)}" if run[0] == "F" or len(run) > 1 else run for run in runs) or "nothing"

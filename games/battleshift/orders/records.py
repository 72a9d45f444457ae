"""Orders as records: what a line means once it is read. Lengths in hundredths of an inch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.battleshift.data import ShipClass
from games.battleshift.state import Formation, Layout, Return
from pbem.kit.plane import Spot

ORIGIN = Spot(0, 0)
LOOSE_ORDER = Formation()
SELECTORS = (
    "nearest",
    "farthest",
    "biggest",
    "smallest",
    "weakest",
    "damaged",
    "suppressed",
    "unsuppressed",
    "flagship",
    "carriers",
    "flights",
    "best",
)


@dataclass(frozen=True)
class Target:
    """One item of a target list: a unit, one of its ships, a quadrant, an objective or a selector."""

    name: str
    kind: Literal["unit", "selector"] = "unit"
    number: int = 0
    quadrant: str = ""

    def spoken(self) -> str:
        return self.name + (f".{self.number}" if self.number else "") + (f" {self.quadrant}" if self.quadrant else "")


@dataclass(frozen=True)
class Move:
    """A move, or with kind `hold` none."""

    kind: Literal["hold", "bearing", "ahead", "port", "starboard", "to", "toward", "away"]
    degrees: int = 0
    distance: int | None = None
    spot: Spot = ORIGIN
    who: str = ""
    stop: int | None = None


@dataclass(frozen=True)
class Face:
    kind: Literal["bearing", "course", "port", "starboard", "toward"]
    degrees: int = 0
    who: str = ""


@dataclass(frozen=True)
class Form:
    formation: Formation


@dataclass(frozen=True)
class Fire:
    """Targets for a battery; no targets: it stays silent."""

    weapon: str
    targets: tuple[Target, ...]
    least: int = 1
    disable: bool = False
    moment: Literal["best", "start", "end", "after"] = "best"
    after: int = 0


@dataclass(frozen=True)
class Missiles:
    targets: tuple[Target, ...]
    least: int = 1


@dataclass(frozen=True)
class Intercept:
    what: Literal["any", "missiles", "fighters", "self", "none"] = "any"
    least: int = 1


@dataclass(frozen=True)
class Guard:
    unit: str


@dataclass(frozen=True)
class LightGuns:
    use: Literal["auto", "battery", "interceptor"] = "auto"


@dataclass(frozen=True)
class Launch:
    wings: int
    name: str
    after: int | None = None
    quadrant: str = ""


@dataclass(frozen=True)
class Recover:
    flight: str


@dataclass(frozen=True)
class Leg:
    """A straight leg of a flight: on a bearing, or to a point."""

    kind: Literal["bearing", "to"]
    degrees: int = 0
    distance: int = 0
    spot: Spot = ORIGIN


@dataclass(frozen=True)
class Fly:
    """Legs before the attack, the attack, and a leg after it; all may be missing: hold."""

    before: tuple[Leg, ...] = ()
    strike: Target | None = None
    after: tuple[Leg, ...] = ()


@dataclass(frozen=True)
class IfIntercepted:
    what: Literal["dogfight", "evade"]


@dataclass(frozen=True)
class Lose:
    how: Literal["front", "rear", "list"]
    ships: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Mode:
    mode: Literal["volley", "staggered", "concentrate"]


@dataclass(frozen=True)
class Detach:
    pass


@dataclass(frozen=True)
class Add:
    unit: str


@dataclass(frozen=True)
class FlagshipTo:
    unit: str


@dataclass(frozen=True)
class Shift:
    """A planned shift; without a return it is for good."""

    back: Return | None = None


@dataclass(frozen=True)
class Arrive:
    spot: Spot
    formation: Formation = LOOSE_ORDER

    @property
    def layout(self) -> Layout:
        return Layout(*self.spot, self.formation)


@dataclass(frozen=True)
class Escape:
    test: Literal["now", "damage", "suppression", "ships"] = "now"
    value: int = 0


@dataclass(frozen=True)
class Act:
    """Board, assault, engulf, release or tow one ship."""

    verb: Literal["board", "assault", "engulf", "release", "tow"]
    unit: str
    number: int


@dataclass(frozen=True)
class Dock:
    station: str


@dataclass(frozen=True)
class Undock:
    pass


@dataclass(frozen=True)
class Land:
    units: int
    body: str
    quadrant: str


@dataclass(frozen=True)
class TransferGround:
    units: int
    start: str
    end: str


@dataclass(frozen=True)
class Sequence:
    units: tuple[str, ...]


@dataclass(frozen=True)
class DetachedOrder:
    units: tuple[str, ...]


@dataclass(frozen=True)
class Initiative:
    choice: Literal["first", "second"]


@dataclass(frozen=True)
class Concede:
    pass


@dataclass(frozen=True)
class Clear:
    """Forget the standing orders of the unit; of the fleet: of all units."""


@dataclass(frozen=True)
class Player:
    """Who wrote the lines, where several players share a side."""

    name: str


# --- setup -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DesignClass:
    design: ShipClass


@dataclass(frozen=True)
class RaiseSquadron:
    name: str
    ships: int
    ship_class: str


@dataclass(frozen=True)
class RaiseTaskforce:
    name: str
    members: tuple[str, ...]
    flag: str = ""


@dataclass(frozen=True)
class Loose:
    units: tuple[str, ...]


@dataclass(frozen=True)
class GiveTrait:
    unit: str
    trait: str


@dataclass(frozen=True)
class VeteranAdmiral:
    pass


@dataclass(frozen=True)
class Defence:
    body: str
    quadrants: tuple[str, ...]
    systems: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Deploy:
    unit: str
    spot: Spot
    facing: int
    formation: Formation = LOOSE_ORDER


@dataclass(frozen=True)
class Reserve:
    unit: str
    back: Return


Moving = Move | Face | Form | Shift | Arrive | Escape | Dock | Undock
Fighting = Fire | Missiles | Intercept | LightGuns | Lose | Act | Land | TransferGround
Flying = Launch | Recover | Fly | IfIntercepted | Guard
Commanding = Mode | Detach | Add | FlagshipTo | Sequence | DetachedOrder | Initiative | Concede | Clear | Player
Building = (
    DesignClass | RaiseSquadron | RaiseTaskforce | Loose | GiveTrait | VeteranAdmiral | Defence | Deploy | Reserve
)
Detail = Moving | Fighting | Flying | Commanding | Building


@dataclass(frozen=True)
class Order:
    """One order that stands: whose, what, and whether it stays from turn to turn."""

    unit: str
    """Full name of the unit; empty: the fleet."""
    slot: str
    """Of two orders in one slot the later counts; accumulating verbs have the slot of the verb."""
    detail: Detail
    standing: bool = False
    text: str = ""
    """The line without `standing`, kept for standing orders."""


ACCUMULATING = frozenset(
    {"launch", "recover", "add", "board", "assault", "engulf", "release", "tow", "land", "transfer"}
)

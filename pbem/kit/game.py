"""THE CONTRACT: what a game is. A record of pure functions over values; no base class, no clock, no mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pbem.kit.choices import Offer
from pbem.kit.dice import Dice, Roll
from pbem.kit.scenario import Scenario
from pbem.kit.scene import Arc, Diagram, Scene
from pbem.kit.sheet import Problem, Sheet

__all__ = [
    "Diagram",
    "Dice",
    "Event",
    "Game",
    "Offer",
    "Outcome",
    "Phase",
    "Problem",
    "Resolution",
    "Roll",
    "Scenario",
    "Scene",
    "Sheet",
    "Side",
    "SideInfo",
    "Tool",
]

Side = str

StateT = TypeVar("StateT")
OrderT = TypeVar("OrderT")
ViewT = TypeVar("ViewT")


@dataclass(frozen=True)
class Event:
    """Something that happened, told to those who may know it.

    Where two audiences may know different amounts, the rule makes one event for each of them.
    """

    kind: str
    """``fire``, ``hit``, ``ram``...; ``templates/<game>/narrative.j2`` has a macro for each kind."""
    rule: str
    """The id in the rule book, printed in the why-report."""
    step: str
    """Where in the turn: ``pulse 2``."""
    facts: Mapping[str, Any]
    """Plain values (text, numbers, lists, mappings); narrative, replay and charts are made from these."""
    seen_by: frozenset[Side]
    """Who may know it; the moderator always does. No default: the author must decide."""
    rolls: tuple[Roll, ...] = ()
    """The dice behind it."""


@dataclass(frozen=True)
class SideInfo:
    """A side of the contest, in scenario order."""

    id: Side
    name: str


@dataclass(frozen=True)
class Phase:
    """One collection of sheets and its resolution."""

    name: str
    """``deployment``, ``orders``, ``battle``...; shown to players."""
    turn: int
    sides: frozenset[Side]
    """Whose sheets it needs; when empty, the phase is resolved at once and costs nobody a day."""


@dataclass(frozen=True)
class Resolution(Generic[StateT]):
    """What became of a phase."""

    state: StateT
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Outcome:
    """How it ended."""

    winners: frozenset[Side]
    """Empty: a draw."""
    reason: str
    """One sentence a player reads: ``Marginal victory for the Narn: 640 points to 410.``"""
    scores: Mapping[Side, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """A checker or calculator of a game's own, text in and text out."""

    help: str
    """One sentence for the list of tools."""
    run: Callable[[str], str]
    """Raises ``codec.BadData`` where the text cannot be read; complaints about what it says are part of the answer."""


@dataclass(frozen=True)
class Game(Generic[StateT, OrderT, ViewT]):
    """One game, as the kernel sees it."""

    slug: str
    title: str
    version: str
    """A change of rules is a change of version; archives name it."""
    state_type: type[StateT]
    """What ``codec.decode`` makes of a stored state."""
    setup: Callable[[Scenario, Dice], StateT]
    """The opening state of a scenario, or the state a situation file describes; raises ``codec.BadData``."""
    sides: Callable[[StateT], tuple[SideInfo, ...]]
    phase: Callable[[StateT], Phase | None]
    """The phase that is open; None: the game is over."""
    units: Callable[[StateT, Side], tuple[str, ...]]
    """The names that may open a block in the side's orders; a seat may command some of them."""
    read_orders: Callable[[StateT, Side, str], Sheet[OrderT]]
    """Parse and validate; never raises."""
    resolve: Callable[[StateT, Mapping[Side, Sheet[OrderT]], Dice], Resolution[StateT]]
    """One phase; a missing sheet arrives empty."""
    view: Callable[[StateT, Side | None], ViewT]
    """What a side knows; None: the moderator, who sees all."""
    scene: Callable[[ViewT, Sequence[Event]], Scene]
    """The map of a view and of the events it saw; it takes a view, so a map cannot leak."""
    template: Callable[[ViewT], str]
    """The order form a player fills in and sends back; read back unchanged it has no problems."""
    forecast: Callable[[ViewT, Sheet[OrderT]], Scene]
    """My own plot drawn, from what I know."""
    outcome: Callable[[StateT], Outcome | None]
    bot: Callable[[ViewT, Dice], str]
    """Order text of a simple opponent; legal by construction."""
    secrets: Callable[[StateT, Side], frozenset[str]]
    """Names and texts that this side may not know now; no letter to it may contain one."""
    gauges: Callable[[ViewT], Mapping[str, Mapping[Side, float]]]
    """Figures worth a chart over the turns, as far as the view knows them: ``{"structure": {"earth": 50, ...}}``."""
    fleet: str = "Fleet"
    """The word that opens the side's own block."""
    imagined: Callable[[ViewT, Dice], StateT] | None = None
    """A state that this view could come from; what the view hides is drawn from the dice. Seen by the same side,
    it gives the same view again. None: the game has none."""
    choices: Callable[[ViewT, Sheet[OrderT], str], Offer] | None = None
    """What a unit, or the side by its fleet word, can still be ordered on top of this sheet; None: nothing is."""
    orders_ahead: int = 0
    """How many turns ahead a sheet may be sent and wait sealed."""
    arcs: Callable[[ViewT, str], tuple[Arc, ...]] | None = None
    """The fields of fire of one of the units in the view, drawn on request; None: the game has no arcs."""
    tools: Mapping[str, Tool] = field(default_factory=dict)
    """What a player may want worked out at home, by the word that calls it: ``pbem tool battleshift design FILE``."""
    diagrams: Callable[[ViewT], Sequence[Diagram]] | None = None
    """Ship sheets and the like, drawn in the report; None: the game has none."""

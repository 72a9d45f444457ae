"""Chapter 4.3, courses the processor chooses: chases (BR-MOV-23) and the map-edge guard (BR-MOV-26)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.broadsides.rules.craft import LOST_SIDE_DELAY, Course, Craft, Ground, Plot
from games.broadsides.rules.movement import attempt
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance, neighbour, turned

CHASE_TURNS = 4
GUARD_TURNS = 2
GUARD_LOOKAHEAD = 3
CENTRE = Hex(0, 0)


@dataclass(frozen=True)
class Candidate:
    """A legal plot of implicit turns only."""

    tokens: tuple[str, ...]
    end: Hex
    heading: int
    turns: int


def candidates(craft: Craft, change: int, most_turns: int, ground: Ground) -> Iterator[Candidate]:
    """All legal plots at this speed with at most so many implicit turns, none leaving the map or entering bad ground.

    A turn in progress is made at its first legal hex.
    """
    v = craft.speed + change
    a = abs(change) * craft.accel_cost
    if v < 0 or a > craft.thrust or (craft.turning and change and not craft.gravitic):
        return
    search = _Search(craft, v, a, ground)
    carried = craft.turning
    sign = 0 if carried is None else (-1 if carried.dir == "port" else 1)
    ready = 0 if carried is None else carried.left + (a if craft.gravitic else 0)
    start = _Node((), craft.position, craft.heading, 0, 0, 0, None, sign, ready)
    yield from search.walk(start, most_turns)


@dataclass(frozen=True)
class _Node:
    tokens: tuple[str, ...]
    at: Hex
    heading: int
    steps: int
    turns: int
    spent: int
    ready: int | None
    """The first step at which an implicit turn is served; None before any hex was looked at."""
    carried: int = 0
    carried_ready: int = 0


class _Search:
    def __init__(self, craft: Craft, v: int, a: int, ground: Ground) -> None:
        self._craft, self._v, self._a, self._ground = craft, v, a, ground
        self._d0 = craft.base_delay(v)
        self._delay = self._d0 + a + LOST_SIDE_DELAY * craft.lost_sides

    def walk(self, node: _Node, most_turns: int) -> Iterator[Candidate]:
        """Depth first; letters in the order F, P, S."""
        node = self._carried_turn(node)
        node = self._served(node)
        if node.steps == self._v:
            yield Candidate(node.tokens, node.at, node.heading, node.turns)
        else:
            ahead = neighbour(node.at, node.heading)
            if self._ground.on_map(ahead) and not self._ground.forbidden(ahead, self._craft.rating):
                on = replace(node, tokens=(*node.tokens, "F"), at=ahead, steps=node.steps + 1)
                yield from self.walk(on, most_turns)
        if self._may_turn(node, most_turns):
            for letter, sign in (("P", -1), ("S", 1)):
                yield from self.walk(self._turned(node, letter, sign), most_turns)

    def _carried_turn(self, node: _Node) -> _Node:
        if not node.carried or node.steps < node.carried_ready:
            return node
        letter = "P" if node.carried < 0 else "S"
        heading = turned(node.heading, node.carried)
        return replace(node, tokens=(*node.tokens, letter), heading=heading, carried=0, ready=None)

    def _served(self, node: _Node) -> _Node:
        if node.carried:
            return node
        first = self._craft.launching and node.turns == 0
        halved = -(-self._delay // 2) if self._ground.air.get(node.at, 0) else self._delay
        here = node.steps + (0 if first else halved)
        return replace(node, ready=here if node.ready is None else min(node.ready, here))

    def _cost(self, node: _Node) -> int:
        return 0 if self._craft.launching and node.turns == 0 else self._d0

    def _may_turn(self, node: _Node, most_turns: int) -> bool:
        if node.carried or node.turns >= most_turns or self._v == 0 or node.ready is None:
            return False
        return node.steps >= node.ready and self._a + node.spent + self._cost(node) <= self._craft.thrust

    def _turned(self, node: _Node, letter: str, sign: int) -> _Node:
        return replace(
            node,
            tokens=(*node.tokens, letter),
            heading=turned(node.heading, sign),
            turns=node.turns + 1,
            spent=node.spent + self._cost(node),
            ready=None,
        )


# --- chase -----------------------------------------------------------------------------------------------------------


def chase(craft: Craft, target: Hex, ground: Ground, change: int | None = None) -> Course:
    """BR-MOV-23: of all legal plots the one that ends nearest; a speed order fixes the speed."""
    most = craft.thrust // max(1, craft.accel_cost)
    changes = range(-min(most, craft.speed), most + 1) if change is None else (change,)
    best: tuple[tuple[int, int, int, str], Plot] | None = None
    for step in sorted(changes, key=lambda step: (abs(step), step)):
        for way in candidates(craft, step, CHASE_TURNS, ground):
            key = (distance(way.end, target), abs(step), way.turns, "".join(way.tokens))
            if best is None or key < best[0]:
                best = (key, Plot(step, way.tokens))
        if best is not None and best[0][0] == 0:
            # A larger change cannot beat an end in the target's hex.
            break
    return flown(craft, best[1] if best else Plot(), ground)


def way_around(craft: Craft, plot: Plot, ground: Ground) -> Plot | None:
    """The legal plot at the same speed that ends nearest to where a forbidden one would."""
    wished = attempt(craft, plot, Ground(ground.contains, air=ground.air))
    if not isinstance(wished, Course) or plot.slide or craft.slide:
        return None
    ways = [
        (distance(way.end, wished.hexes[-1]), way.turns, "".join(way.tokens), way.tokens)
        for way in candidates(craft, plot.change, GUARD_TURNS, ground)
        if isinstance(attempt(craft, replace(plot, tokens=way.tokens), ground), Course)
    ]
    return replace(plot, tokens=min(ways)[3]) if ways else None


def flown(craft: Craft, plot: Plot, ground: Ground) -> Course:
    """The course of a plot that is legal by construction; otherwise the unit drifts."""
    tried = attempt(craft, plot, ground)
    if not isinstance(tried, Course):
        tried = attempt(craft, Plot(), ground)
    assert isinstance(tried, Course)
    return tried


# --- the guard -------------------------------------------------------------------------------------------------------


def heads_for_trouble(craft: Craft, ground: Ground) -> bool:
    """BR-MOV-26: the next 3v hexes straight ahead leave the map or enter ground it must not enter."""
    at = craft.position
    for _ in range(GUARD_LOOKAHEAD * craft.speed):
        at = neighbour(at, craft.heading)
        if not ground.on_map(at) or ground.forbidden(at, craft.rating):
            return True
    return False


def guard(craft: Craft, ground: Ground) -> Course | None:
    """BR-MOV-26: the plot that turns back in time; None: there is none, or none is needed."""
    if craft.slide or craft.turning or craft.fixed or not craft.speed or not heads_for_trouble(craft, ground):
        return None
    best: tuple[tuple[int, int, str], Plot] | None = None
    for way in candidates(craft, 0, GUARD_TURNS, ground):
        if not way.turns:
            continue
        beyond = way.end.plus(DIRECTIONS[way.heading].times(craft.speed))
        key = (distance(beyond, CENTRE), way.turns, "".join(way.tokens))
        if best is None or key < best[0]:
            best = (key, Plot(0, way.tokens))
    return flown(craft, best[1], ground) if best else None

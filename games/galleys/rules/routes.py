"""Where a ship can go: every legal route against the present map, and the best by a key (GA-MOV-8 to GA-MOV-11)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial

from games.galleys.data import TABLES
from games.galleys.rules.geometry import ASTERN, Hull, ahead, hexes_apart, hexsides_between, stern_zone
from games.galleys.state import Edge, Sea, ShipClass
from games.galleys.table import Table
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance

FORWARD, TO_PORT, TO_STARBOARD, BACK, THROUGH = "F", "P", "S", "B", "T"
TURNS = {TO_PORT: 5, TO_STARBOARD: 1}
STEPS = tuple((step.q, step.r) for step in DIRECTIONS)


def moved(hull: Hull, token: str) -> Hull:
    """GA-MOV-1 to -4: where a token brings a ship if nothing is in its way; how far a T leads is a guess."""
    if token in TURNS:
        return Hull(hull.bow, (hull.facing + TURNS[token]) % 6, hull.large)
    steps = {FORWARD: 1, THROUGH: TABLES.rake.pass_counts_as, BACK: -1}[token]
    return Hull(ahead(hull.bow, hull.facing, steps), hull.facing, hull.large)


@dataclass(frozen=True)
class Route:
    """Tokens, what they cost, and where they lead."""

    tokens: str
    cost: int
    bow: Hex
    facing: int


@dataclass(frozen=True)
class Water:
    """What one ship may enter now: the map with everything in its way."""

    sea: Sea
    blocked: frozenset[tuple[int, int]]
    costly: frozenset[Hex]
    """Shoal hexes for which a small ship pays more."""

    def is_free(self, at: tuple[int, int]) -> bool:
        return at not in self.blocked and self.sea.holds(at)

    def cost_of(self, at: tuple[int, int]) -> int:
        return 1 + TABLES.movement.shoal if at in self.costly else 1


def water_for(table: Table, name: str, gone: Collection[str] = ()) -> Water:
    """GA-MAP-3, -4: the hexes closed to a ship; neither it nor those that will be gone by then are in its way."""
    large = table.class_of(name).large
    taken = {at for at, holder in table.occupied.items() if holder != name and holder not in gone}
    closed = table.land | table.shoal if large else table.land
    return Water(table.sea, frozenset(taken | closed), frozenset() if large else table.shoal)


def turn_cost(table: Table, name: str, points: int) -> int:
    """GA-MOV-2: a ship with a single movement point pays 1 for a turn."""
    return 1 if points == 1 else table.class_of(name).turn_cost


def most_turns(klass: ShipClass) -> int:
    """GA-MOV-3: facing changes between two moves ahead."""
    return TABLES.movement.turns_large if klass.large else TABLES.movement.turns_small


def routes(table: Table, name: str, left: int, points: int, water: Water | None = None) -> list[Route]:
    """GA-MOV-8: the cheapest route to every bow hex and facing in reach, by cost and then by tokens.

    Routes that lead to the same place with the same turns behind them differ only in cost and tokens, so the first
    one found, in order of cost and tokens, is the best.
    """
    return Search(table, name, left, points, water or water_for(table, name)).run()


class Search:
    """One enumeration: places are taken in order of cost, and among equal costs in order of their tokens."""

    def __init__(self, table: Table, name: str, left: int, points: int, water: Water) -> None:
        hull = table.hull(name)
        self.large = hull.large
        self.left = left
        self.turn_cost = turn_cost(table, name, points)
        self.most_turns = most_turns(table.class_of(name))
        self.water = water
        self.start = (hull.bow.q, hull.bow.r, hull.facing, 0)
        self.open: dict[tuple[int, int], bool] = {}

    def run(self) -> list[Route]:
        best_routes: list[Route] = []
        seen: set[tuple[int, int, int, int]] = set()
        waiting: list[list[tuple[str, tuple[int, int, int, int]]]] = [[] for _ in range(self.left + 3)]
        waiting[0].append(("", self.start))
        for cost in range(self.left + 1):
            for tokens, place in sorted(waiting[cost]):
                if place in seen:
                    continue
                seen.add(place)
                q, r, facing, _ = place
                best_routes.append(Route(tokens, cost, Hex(q, r), facing))
                for token, price, following in self._next(place):
                    if cost + price <= self.left and following not in seen:
                        waiting[cost + price].append((tokens + token, following))
        return best_routes

    def _next(self, place: tuple[int, int, int, int]) -> Iterator[tuple[str, int, tuple[int, int, int, int]]]:
        q, r, facing, turns = place
        step = STEPS[facing]
        entered = (q + step[0], r + step[1])
        if self._is_free(entered):
            price = 1 if self.large else self.water.cost_of(entered)
            yield FORWARD, price, (*entered, facing, 0)
        if turns >= self.most_turns:
            return
        for token, turn in TURNS.items():
            turned = (facing + turn) % 6
            if self.large:
                swing = STEPS[(turned + ASTERN) % 6]
                if not self._is_free((q + swing[0], r + swing[1])):
                    continue
            yield token, self.turn_cost, (q, r, turned, turns + 1)

    def _is_free(self, at: tuple[int, int]) -> bool:
        free = self.open.get(at)
        if free is None:
            free = self.open[at] = self.water.is_free(at)
        return free


def best(options: list[Route], key: Callable[[Route], tuple[int, ...]]) -> Route:
    """GA-MOV-8: the smallest key; ties by cost and tokens, the order the routes come in."""
    return min(options, key=key)


# --- move verbs ------------------------------------------------------------------------------------------------------


def bearing_difference(route: Route, apart: Callable[[Hex], int]) -> int:
    """GA-MOV-9: hexsides between the facing and a direction that leads nearer."""
    gap = apart(route.bow)
    if gap == 0:
        return 0
    ways = (way for way in range(6) if apart(ahead(route.bow, way)) < gap)
    return min((hexsides_between(route.facing, way) for way in ways), default=ASTERN)


def approach_key(target: Hull) -> Callable[[Route], tuple[int, ...]]:
    """GA-MOV-9: come up to two hexes off with the bow towards the target."""
    apart = partial(hexes_apart, hull=target)

    def key(route: Route) -> tuple[int, ...]:
        return (max(apart(route.bow), TABLES.movement.stand_off) + bearing_difference(route, apart),)

    return key


def follow_key(leader: Hull) -> Callable[[Route], tuple[int, ...]]:
    """GA-MOV-10: take station in the leader's stern zone hex, on the leader's heading."""
    apart = partial(distance, stern_zone(leader))

    def key(route: Route) -> tuple[int, ...]:
        return apart(route.bow) + bearing_difference(route, apart), hexsides_between(route.facing, leader.facing)

    return key


EXIT_WAYS: dict[Edge, tuple[int, ...]] = {"N": (0,), "S": (3,), "W": (4, 5), "E": (1, 2)}
"""GA-MOV-11: the directions that lead off each edge."""


def steps_to_edge(at: Hex, edge: Edge, sea: Sea) -> int:
    """GA-MOV-11: moves ahead needed to cross the edge."""
    row = at.r + at.q // 2
    return {"N": row + 1, "S": sea.rows - row, "W": at.q + 1, "E": sea.cols - at.q}[edge]


def withdraw_key(edge: Edge, sea: Sea) -> Callable[[Route], tuple[int, ...]]:
    """GA-MOV-11: nearest to the exit edge, bow towards it."""

    def key(route: Route) -> tuple[int, ...]:
        turn = min(hexsides_between(route.facing, way) for way in EXIT_WAYS[edge])
        return (steps_to_edge(route.bow, edge, sea) + turn,)

    return key


def crosses(at: Hex, edge: Edge, sea: Sea) -> bool:
    """GA-MOV-7: whether a hex off the map lies beyond this edge."""
    row = at.r + at.q // 2
    return {"N": row < 0, "S": row >= sea.rows, "W": at.q < 0, "E": at.q >= sea.cols}[edge]


# --- routes to a ram -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RamRoute:
    """A route that ends in a ram position."""

    target: str
    zone: str
    route: Route
    forwards: int


def ram_routes(table: Table, name: str, left: int, points: int) -> list[RamRoute]:
    """GA-RAM-2 to -4: every route to a ram, turning only behind a move ahead and never circling."""
    hull = table.hull(name)
    side = table.ships[name].side
    near = {ship.name for ship in table.enemies(side) if table.apart(name, ship.name) <= left + 1}
    if not near:
        return []
    water, cost_to_turn = water_for(table, name), turn_cost(table, name, points)
    rams: list[RamRoute] = []
    waiting = [("", 0, hull, frozenset(hull.hexes))]
    while waiting:
        tokens, cost, at, trodden = waiting.pop()
        target = table.occupied.get(ahead(at.bow, at.facing))
        if target in near:
            zone = table.zone(at.bow, target)
            if zone and zone.is_flank:
                route = Route(tokens, cost, at.bow, at.facing)
                rams.append(RamRoute(target, zone.name, route, tokens.count(FORWARD)))
        onward = moved(at, FORWARD)
        price = water.cost_of(onward.bow)
        if cost + price <= left and onward.bow not in trodden and water.is_free(onward.bow):
            waiting.append((tokens + FORWARD, cost + price, onward, trodden | {onward.bow}))
        if tokens.endswith(FORWARD) and cost + cost_to_turn <= left:
            for token in TURNS:
                swung = moved(at, token)
                if not at.large or water.is_free(swung.stern):
                    waiting.append((tokens + token, cost + cost_to_turn, swung, trodden | {swung.stern}))
    return rams

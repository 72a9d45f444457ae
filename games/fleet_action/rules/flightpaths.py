"""FA-FTR-4, 5, 10: where a flight can get to with its movement points, and by which way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from heapq import heappop, heappush

from games.fleet_action.rules import geometry
from games.fleet_action.table import Table
from pbem.kit.hexgrid import DIRECTIONS, Hex

FREE_HEADING = 0
"""After a launch or a dogfight the first direction of travel costs nothing."""

Way = tuple[int, tuple[int, ...]]
"""Cost, and the absolute directions of travel 1-6."""


@cache
def reach(heading: int, points: int, burn: int = 0) -> Mapping[Hex, Way]:
    """The offsets a flight can reach, each by the cheapest way, then by the lowest directions.

    One point a hex and one a hexside of change in direction; up to ``burn`` hexes are extra (FA-FTR-10).
    """
    best: dict[Hex, Way] = {}
    settled: set[tuple[Hex, int]] = set()
    queue: list[tuple[int, tuple[int, ...], int, Hex, int]] = [(0, (), 0, geometry.HERE, heading)]
    while queue:
        cost, way, turns, at, facing = heappop(queue)
        if (at, facing) in settled:
            continue
        settled.add((at, facing))
        best.setdefault(at, (cost, way))
        for direction in geometry.HEADINGS:
            change = turn_cost(facing, direction)
            hexes = len(way) + 1
            if turns + change + max(0, hexes - burn) > points:
                continue
            to = at.plus(DIRECTIONS[direction - 1])
            if (to, direction) not in settled:
                heappush(queue, (cost + 1 + change, (*way, direction), turns + change, to, direction))
    return best


def turn_cost(heading: int, direction: int) -> int:
    """FA-FTR-4: one point per hexside of change in direction of travel."""
    if heading == FREE_HEADING:
        return 0
    apart = (direction - heading) % 6
    return min(apart, 6 - apart)


def flown(start: Hex, way: tuple[int, ...]) -> list[Hex]:
    """The hexes entered along a way."""
    hexes, at = [], start
    for direction in way:
        at = at.plus(DIRECTIONS[direction - 1])
        hexes.append(at)
    return hexes


def stays_on_map(table: Table, start: Hex, way: tuple[int, ...]) -> bool:
    return all(table.on_map(at) for at in flown(start, way))


def towards(table: Table, start: Hex, ways: Mapping[Hex, Way], apart: Callable[[Hex], int]) -> tuple[int, ...]:
    """FA-FTR-5: least final distance, then cost, then the directions in order."""
    best: tuple[int, int, tuple[int, ...]] | None = None
    for offset, (cost, way) in ways.items():
        far = apart(start.plus(offset))
        rank = (far, cost, way)
        if (best is None or rank < best) and stays_on_map(table, start, way):
            best = rank
    return best[2] if best is not None else ()


def way_to(table: Table, start: Hex, goal: Hex, ways: Mapping[Hex, Way]) -> tuple[int, ...] | None:
    """The way into this very hex, or None."""
    _, way = ways.get(goal.minus(start), (0, None))
    return way if way is not None and stays_on_map(table, start, way) else None

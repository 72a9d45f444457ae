"""Formations: slots around the leader, who takes which, and coherency (BS-FRM, BS-MOV-5, BS-SQN-2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from games.battleshift.data import LIMITS, TABLES
from games.battleshift.state import Formation
from pbem.kit.plane import Spot, displacement, is_coherent, offset, squared

CLUSTER = (60, 300, 120, 240, 0, 180)


def slots(formation: Formation, ships: int, facing: int, leader: Spot) -> list[Spot]:
    """Section 4.11: the places of all ships, the leader's first, for a final facing."""
    return [leader, *(Spot(leader.x + dx, leader.y + dy) for dx, dy in _offsets(formation, ships, facing))]


def _offsets(formation: Formation, ships: int, facing: int) -> list[tuple[int, int]]:
    if formation.kind == "custom":
        return [offset(starboard, forward, facing) for starboard, forward in formation.pairs[: ships - 1]]
    return [displacement(distance, facing + bearing) for distance, bearing in _polar(formation, ships)]


def _polar(formation: Formation, ships: int) -> list[tuple[int, int]]:
    """Distance and bearing from the facing of slots 1 and on."""
    kind, spacing = formation.kind, formation.spacing
    if kind == "ring":
        return list(TABLES.ring[ships]) if ships > 1 else []
    return [_slot(kind, spacing, k) for k in range(1, ships)]


def _slot(kind: str, spacing: int, k: int) -> tuple[int, int]:
    row, odd = (k + 1) // 2, k % 2 == 1
    if kind == "line":
        return row * spacing, 90 if odd else 270
    if kind == "column":
        return k * spacing, 180
    if kind == "vee":
        return row * spacing, 135 if odd else 225
    if kind in ("cone", "tfcone"):
        return row * LIMITS.cone_spacing, 45 if odd else 315
    return spacing, CLUSTER[(k - 1) % len(CLUSTER)]


def assign(ships: Sequence[Spot], places: Sequence[Spot]) -> list[Spot]:
    """BS-MOV-5: the leader takes slot 0; the others so that the longest way is least, then the sum of squares.

    Ships come by number with the leader first; of equals the first assignment by ship number counts.
    """
    others, free = ships[1:], places[1:]
    ways = [[squared(ship, place) for place in free] for ship in others]
    numbers = range(len(free))

    def burden(order: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        lengths = [ways[ship][place] for ship, place in enumerate(order)]
        return max(lengths, default=0), sum(lengths), order

    best = min(permutations(numbers, len(others)), key=burden)
    return [places[0], *(free[number] for number in best)]


def is_together(spots: Sequence[tuple[int, int]]) -> bool:
    """BS-SQN-2: all within 6.00" of each other, or linked by at most 2.00"."""
    return is_coherent(spots, LIMITS.coherency_span, LIMITS.coherency_link)


def least_ships(kind: str) -> int:
    """BS-FRM-8, BS-FRM-11: how many ships a formation needs."""
    return {"cone": LIMITS.cone_ships, "tfcone": LIMITS.cone_ships, "ring": LIMITS.ring_ships}.get(kind, 1)

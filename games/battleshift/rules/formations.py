"""Formations: slots around the leader, who takes which, and coherency (BS-FRM, BS-MOV-5, BS-SQN-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import add

from games.battleshift.data import LIMITS, TABLES
from games.battleshift.rules.moving import Illegal, Plan, Reach, Step, inches
from games.battleshift.rules.units import Ship, Squadron
from games.battleshift.state import Formation, Layout
from pbem.kit.plane import INCH, Spot, bearing_of, ceiling_root, displacement, in_arc, is_coherent, offset, squared

CLUSTER = (60, 300, 120, 240, 0, 180)
AROUND = (90, 270, 180, 0)
"""BS-SHF-8: to starboard, to port, astern and ahead of the flagship."""


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


def leader_spots(units: Sequence[str], centre: Spot, facing: int) -> dict[str, Spot]:
    """BS-SHF-8: the flagship's squadron comes first; the other leaders stand 3.00" around it in listing order."""
    spots = dict.fromkeys(units[:1], centre)
    for number, unit in enumerate(units[1:]):
        dx, dy = displacement(LIMITS.arrival_gap, facing + AROUND[number % len(AROUND)])
        spots[unit] = Spot(centre.x + dx, centre.y + dy)
    return spots


def arrival(
    ships: Mapping[str, int], first: str, centre: Spot, facing: int, layouts: Mapping[str, Layout]
) -> dict[str, list[Spot]]:
    """BS-SHF-8: where the ships of each squadron stand; the place and formation of some may have been ordered."""
    leaders = leader_spots((first, *(unit for unit in ships if unit != first)), centre, facing)
    placed = {unit: layouts.get(unit) or Layout(*leaders[unit]) for unit in ships}
    return {unit: slots(own.formation, ships[unit], facing, own.spot) for unit, own in placed.items()}


def assign(ships: Sequence[Spot], places: Sequence[Spot]) -> list[Spot]:
    """BS-MOV-5: the leader takes slot 0; the others so that the longest way is least, then the sum of squares.

    Ships come by number with the leader first; of equals the first assignment by ship number counts.
    """
    others, free = ships[1:], places[1:]
    ways = [[squared(ship, place) for place in free] for ship in others]
    longest = _rest(ways, max, None)[0]
    least = _rest(ways, add, longest)
    order: list[int] = []
    taken = 0
    for way in ways:
        # The first slot with which the others can still do as well as all together can.
        slot = next(s for s in _open(way, taken, longest) if way[s] + least[taken | 1 << s] == least[taken])
        order.append(slot)
        taken |= 1 << slot
    return [places[0], *(free[slot] for slot in order)]


IMPOSSIBLE = 1 << 62
"""Longer than any way on any table."""


def _rest(ways: Sequence[Sequence[int]], join: Callable[[int, int], int], longest: int | None) -> list[int]:
    """The least burden of the ships still to come, for each set of slots taken by those before them."""
    slots_ = len(ways[0]) if ways else 0
    least = [IMPOSSIBLE] * (1 << slots_)
    for taken in range(len(least) - 1, -1, -1):
        ship = taken.bit_count()
        if ship == len(ways):
            least[taken] = 0
        elif ship < len(ways):
            way = ways[ship]
            burdens = (join(way[slot], least[taken | 1 << slot]) for slot in _open(way, taken, longest))
            least[taken] = min(burdens, default=IMPOSSIBLE)
    return least


def _open(way: Sequence[int], taken: int, longest: int | None) -> Iterator[int]:
    return (slot for slot, far in enumerate(way) if not taken >> slot & 1 and (longest is None or far <= longest))


def is_together(spots: Sequence[tuple[int, int]]) -> bool:
    """BS-SQN-2: all within 6.00" of each other, or linked by at most 2.00"."""
    return is_coherent(spots, LIMITS.coherency_span, LIMITS.coherency_link)


def least_ships(kind: str) -> int:
    """BS-FRM-8, BS-FRM-11: how many ships a formation needs."""
    return {"cone": LIMITS.cone_ships, "tfcone": LIMITS.cone_ships, "ring": LIMITS.ring_ships}.get(kind, 1)


# --- plans -----------------------------------------------------------------------------------------------------------


def make_plan(squadron: Squadron, step: Step, facing: int, formation: Formation | None) -> Plan:
    """BS-MOV-4: all ships take the leader's displacement, or their slots at its destination."""
    ships = list(squadron.active)
    starts = [ship.spot for ship in ships]
    moves = [(step.dx, step.dy)] * len(ships)
    if formation is not None and ships:
        moves = form_moves(squadron, step, facing, formation)
    ticks = tick_count(step, moves)
    return Plan(squadron, ships, starts, moves, ticks, step, squadron.now.facing, facing, formation)


def tick_count(step: Step, moves: Sequence[tuple[int, int]]) -> int:
    """BS-MOV-6: the longest way in inches, rounded up; the leader's displacement counts with its ordered distance."""
    most = -(-step.distance // INCH) if step.moves else 0
    for dx, dy in moves:
        if (dx, dy) != (step.dx, step.dy):
            most = max(most, -(-ceiling_root(dx * dx + dy * dy) // INCH))
    return most


def form_moves(squadron: Squadron, step: Step, facing: int, formation: Formation) -> list[tuple[int, int]]:
    """BS-MOV-5: each ship's way to its slot, by ship number."""
    ships = squadron.active
    leader = squadron.leader
    if leader is None or leader not in ships:
        return [(step.dx, step.dy)] * len(ships)
    order = [leader, *(ship for ship in ships if ship is not leader)]
    places = slots(formation, len(order), facing, Spot(leader.now.x + step.dx, leader.now.y + step.dy))
    taken = assign([ship.spot for ship in order], places)
    ways = {ship: (spot.x - ship.now.x, spot.y - ship.now.y) for ship, spot in zip(order, taken, strict=True)}
    return [ways[ship] for ship in ships]


def check_form(squadron: Squadron, plan: Plan, reach: Reach) -> None:
    """BS-MOV-4, BS-SQN-5: every ship must reach its slot, and the end must be coherent; raises BS-V-17 or -18."""
    for ship, move in zip(plan.ships, plan.moves, strict=True):
        if move in ((0, 0), (plan.step.dx, plan.step.dy)):
            continue
        dx, dy = move
        too_far = dx * dx + dy * dy > reach.speed**2
        if too_far or not in_arc(squadron.now.facing, dx, dy, reach.half * 2):
            limit = f'limit {inches(reach.speed)}" and {reach.half} either way of {squadron.now.facing:03d}'
            need = f'{inches(ceiling_root(dx * dx + dy * dy))}" on {bearing_of(dx, dy):03d}'
            raise Illegal("BS-V-17", f"{ship.name} needs {need} to reach its slot; {limit}")
    ends = [Spot(s.x + dx, s.y + dy) for s, (dx, dy) in zip(plan.starts, plan.moves, strict=True)]
    if plan.formation is not None and plan.formation.kind == "custom" and not is_together(ends):
        raise Illegal("BS-V-18", _apart(plan.ships, ends), "links of at most 2.00, or all within 6.00")


def _apart(ships: Sequence[Ship], ends: Sequence[Spot]) -> str:
    """The two ships farthest from each other."""
    pairs = [(squared(a, b), n, m) for n, a in enumerate(ends) for m, b in enumerate(ends) if n < m]
    far, first, other = max(pairs)
    names = f"{ships[first].name} and {ships[other].name}"
    return f'{names} would be {inches(ceiling_root(far))}" apart (limit 6.00), and not all are linked by 2.00"'

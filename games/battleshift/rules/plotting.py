"""A squadron's plan: displacements, slots and ticks (BS-MOV-4, -5, -6, BS-SQN-5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.battleshift.rules.formations import assign, is_together, slots
from games.battleshift.rules.moving import Illegal, Plan, Reach, Step, inches, straight
from games.battleshift.rules.table import Battle
from games.battleshift.rules.units import Ship, Squadron
from games.battleshift.state import Formation
from pbem.kit.plane import (
    INCH,
    Spot,
    bearing_of,
    ceiling_root,
    in_arc,
    squared,
)


def make_plan(squadron: Squadron, step: Step, facing: int, formation: Formation | None) -> Plan:
    """BS-MOV-4: all ships take the leader's displacement, or their slots at its destination."""
    ships = list(squadron.active)
    starts = [ship.spot for ship in ships]
    moves = [(step.dx, step.dy)] * len(ships)
    if formation is not None and ships:
        moves = form_moves(squadron, step, facing, formation)
    ticks = tick_count(step, moves)
    return Plan(squadron, ships, starts, moves, ticks, step, squadron.facing, facing, formation)


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
    places = slots(formation, len(order), facing, Spot(leader.x + step.dx, leader.y + step.dy))
    taken = assign([ship.spot for ship in order], places)
    ways = {ship: (spot.x - ship.x, spot.y - ship.y) for ship, spot in zip(order, taken, strict=True)}
    return [ways[ship] for ship in ships]


def check_form(battle: Battle, squadron: Squadron, plan: Plan, reach: Reach, search: Step | None = None) -> None:
    """BS-MOV-4, BS-SQN-5: every ship must reach its slot, and the end must be coherent; raises BS-V-17 or -18."""
    for ship, move in zip(plan.ships, plan.moves, strict=True):
        if move in ((0, 0), (plan.step.dx, plan.step.dy)):
            continue
        dx, dy = move
        too_far = dx * dx + dy * dy > reach.speed**2
        if too_far or not in_arc(squadron.facing, dx, dy, reach.half * 2):
            limit = f'limit {inches(reach.speed)}" and {reach.half} either way of {squadron.facing:03d}'
            need = f'{inches(ceiling_root(dx * dx + dy * dy))}" on {bearing_of(dx, dy):03d}'
            hint = _form_hint(battle, squadron, plan, reach) if search is not None else ""
            raise Illegal("BS-V-17", f"{ship.name} needs {need} to reach its slot; {limit}", hint)
    ends = [Spot(s.x + dx, s.y + dy) for s, (dx, dy) in zip(plan.starts, plan.moves, strict=True)]
    if plan.formation is not None and plan.formation.kind == "custom" and not is_together(ends):
        raise Illegal("BS-V-18", _apart(plan.ships, ends), "links of at most 2.00, or all within 6.00")


def _apart(ships: Sequence[Ship], ends: Sequence[Spot]) -> str:
    """The two ships farthest from each other."""
    pairs = [(squared(a, b), n, m) for n, a in enumerate(ends) for m, b in enumerate(ends) if n < m]
    far, one, other = max(pairs)
    names = f"{ships[one].name} and {ships[other].name}"
    return f'{names} would be {inches(ceiling_root(far))}" apart (limit 6.00), and not all are linked by 2.00"'


def _form_hint(battle: Battle, squadron: Squadron, plan: Plan, reach: Reach) -> str:
    """BS-V-17: the nearest leader distance on the course, in steps of 0.25", at which all ships reach their slots."""
    course = squadron.facing if plan.step.course is None else plan.step.course
    legal = []
    for far in range(0, reach.speed + 1, INCH // 4):
        trial = replace(plan, step=straight(course, far))
        trial.moves = form_moves(squadron, trial.step, plan.facing, plan.formation or squadron.formation)
        try:
            check_form(battle, squadron, trial, reach)
        except Illegal:
            continue
        legal.append(far)
    if not legal:
        return "no distance on that course allows it"
    nearest = min(legal, key=lambda far: abs(far - plan.step.distance))
    word = "least" if nearest > plan.step.distance else "greatest"
    return f"{word} distance on course {course:03d}: {inches(nearest)}"

"""What a plotted path may ask of a ship (GA-VAL-10 to -15, -17, -30)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from games.galleys.data import TABLES
from games.galleys.orders.levels import Case, Means
from games.galleys.orders.records import STANDS, Else, Intent, Plan, written_path
from games.galleys.rules.geometry import Hull
from games.galleys.rules.routes import BACK, FORWARD, THROUGH, TURNS, crosses, most_turns, moved
from games.galleys.rules.speed import wind_loss
from games.galleys.state import LEVELS, Level, Ship
from pbem.kit.hexgrid import Hex
from pbem.kit.sheet import Accepted

STAYS = "the ship does not move"
_TURNS = re.compile(f"[{''.join(TURNS)}]+")

Line = Accepted[Any]
"""A path or an ``else`` with one."""


@dataclass(frozen=True)
class Stride:
    """One token of a path as if nothing were in the way."""

    place: int
    """Counted from 1."""
    token: str
    cost: int
    hull: Hull
    """Where the ship is afterwards."""
    entered: Hex | None
    """The hex the token brings a part of the ship into."""


def may_move(case: Case, means: Means, entry: Line) -> bool:
    """GA-VAL-14, -15: a rammed ship never, a held one only when it gets loose."""
    if case.ship.rammed:
        case.judge.refuse(entry, "GA-VAL-14", "it is rammed: MP 0", "hold", fix=_in_place_of(entry, ""))
        return False
    if case.partners and not means.disengages:
        reason = f"it is held by {', '.join(case.partners)} and has no order to disengage"
        instead = f"{STANDS} in case the enemy lets go first"
        case.judge.note(entry, "GA-VAL-15", reason, "disengage", instead, f"{entry.text}\ndisengage")
    return True


def legal_part(case: Case, means: Means, entry: Line, tokens: str) -> str | None:
    """The tokens that will be executed: all, the longest legal leading part, or none."""
    if not may_move(case, means, entry) or not _is_well_formed(case, means, entry, tokens):
        return None
    strides = list(_strides(case, means, tokens))
    paid, turned = _paid_for(means, strides), _turned_right(case, tokens)
    legal = min(paid, turned)
    if paid < len(tokens):
        _complain_of_cost(case, means, entry, strides, paid, legal)
    if turned < len(tokens):
        _complain_of_turns(case, entry, tokens, turned, legal)
    if not legal:
        return None
    _note_blocked(case, entry, strides[:legal])
    return tokens[:legal]


def _in_place_of(entry: Line, tokens: str) -> str:
    """The same line with other tokens; with none, that the ship stays."""
    words = f"path {written_path(tokens)}" if tokens else "hold"
    return f"else {words}" if isinstance(entry.order, Else) else words


# --- single rules ----------------------------------------------------------------------------------------------------


def _is_well_formed(case: Case, means: Means, entry: Line, tokens: str) -> bool:
    """GA-VAL-12, -13."""
    if BACK in tokens and (tokens != BACK or means.level is not Level.HALF):
        reason = f"B must be the sole token, at half; the path is {written_path(tokens)}, the level {means.level}"
        forward = tokens.replace(BACK, "")
        fixes = (_in_place_of(entry, forward),) if forward else (f"speed half\n{entry.text}", _in_place_of(entry, ""))
        case.judge.refuse(entry, "GA-VAL-12", reason, "speed half, path B", STAYS, fixes)
        return False
    for place, token in enumerate(tokens):
        if token != THROUGH:
            continue
        missing = []
        if place == 0 or tokens[place - 1] != FORWARD:
            missing.append("an F directly before it")
        if means.level is not Level.MAX:
            missing.append(f"level max (it is {means.level})")
        if missing:
            reason = f"T at token {place + 1} lacks {' and '.join(missing)}"
            faster = f"speed max\n{entry.text}", _in_place_of(entry, tokens.replace(THROUGH, ""))
            case.judge.refuse(entry, "GA-VAL-13", reason, "speed max, path ... F1 T", STAYS, faster)
            return False
    return True


def _paid_for(means: Means, strides: list[Stride]) -> int:
    """GA-VAL-10: how many leading tokens the movement points pay for."""
    spent = accumulate(stride.cost for stride in strides)
    return sum(cost <= means.points - means.overhead for cost in spent)


def _complain_of_cost(case: Case, means: Means, entry: Line, strides: list[Stride], paid: int, legal: int) -> None:
    """GA-VAL-10."""
    needed = sum(stride.cost for stride in strides) + means.overhead
    tokens = "".join(stride.token for stride in strides)
    part = written_path(tokens[:paid])
    enough = next((level for level in LEVELS if _points_by_cost(case, means, level) >= needed), None)
    reason = f"the path needs {needed} MP, {means.level} gives {means.points}"
    hint = f"longest legal part: {part}; lowest level that would suffice: {enough or 'none'}"
    fixes = _in_place_of(entry, tokens[:legal]), f"speed {enough}\n{entry.text}" if enough else ""
    if paid:
        case.judge.warn(entry, "GA-VAL-10", reason, hint, f"path {part} is used", fixes)
    else:
        case.judge.refuse(entry, "GA-VAL-10", reason, hint, STAYS, fixes[::-1])


def _points_by_cost(case: Case, means: Means, level: Level) -> int:
    """Movement points of a level without the caps of damage and fatigue."""
    points = case.klass.points_at(level)
    if level is Level.MAX and (case.ship.jettisoned or means.jettison):
        points += 1
    points = max(points - case.ship.debt, 0)
    return max(points - wind_loss(case.ship.facing, case.table.switches), 1) if points else 0


def _turned_right(case: Case, tokens: str) -> int:
    """GA-VAL-11: how many leading tokens keep to the limit of turns between two moves ahead."""
    limit, turns = most_turns(case.klass), 0
    for place, token in enumerate(tokens):
        turns = turns + 1 if token in TURNS else 0
        if turns > limit:
            return place
    return len(tokens)


def _complain_of_turns(case: Case, entry: Line, tokens: str, place: int, legal: int) -> None:
    """GA-VAL-11."""
    run, part = _run_of_turns(tokens, place), written_path(tokens[:place])
    reason = f"{run} hexsides turned without an F between, at most {most_turns(case.klass)}; token {place + 1}"
    hint, instead = f"longest legal part: {part}", f"path {part} is used"
    case.judge.warn(entry, "GA-VAL-11", reason, hint, instead, _in_place_of(entry, tokens[:legal]))


def _run_of_turns(tokens: str, place: int) -> int:
    """How many turns stand in a row around this token."""
    return next(len(run[0]) for run in _TURNS.finditer(tokens) if run.start() <= place < run.end())


def note_spoiled_rams(case: Case, means: Means, plan: Plan) -> None:
    """GA-VAL-17: a watched ram on a path that spoils it."""
    rams = [entry for entry in case.draft.given(Intent) if entry.order.kind == "ram" and entry.order in plan.watched]
    place = _spoiled_at(case, means, plan.path) if rams and plan.path is not None else 0
    if place:
        reason = f"token {place} turns without an F before it or circles: from there the ram will not qualify"
        for entry in rams:
            case.judge.note(entry, "GA-VAL-17", reason)


def _spoiled_at(case: Case, means: Means, tokens: str) -> int:
    """GA-RAM-3, -4: the first token that makes a ram impossible; 0: none."""
    trodden = set(case.table.hull(case.ship.name).hexes)
    for stride in _strides(case, means, tokens):
        before = tokens[stride.place - 2] if stride.place > 1 else ""
        if stride.token in TURNS and before not in (FORWARD, THROUGH):
            return stride.place
        if stride.token == FORWARD and stride.entered in trodden:
            return stride.place
        trodden.update(stride.hull.hexes)
    return 0


# --- what lies in the way --------------------------------------------------------------------------------------------


def _note_blocked(case: Case, entry: Line, strides: list[Stride]) -> None:
    """GA-VAL-30: a step known to be blocked now."""
    for stride in strides:
        if stride.token == THROUGH:
            return
        obstacle = _obstacle(case, stride)
        if obstacle and stride.entered:
            reason = f"token {stride.place} leads into {stride.entered.q},{stride.entered.r}: {obstacle}"
            free = _in_place_of(entry, "".join(before.token for before in strides[: stride.place - 1]))
            case.judge.note(entry, "GA-VAL-30", reason, "", f"{STANDS}; the ship stops there if it is so", free)
            return


def _obstacle(case: Case, stride: Stride) -> str:
    table, ship, at = case.table, case.ship, stride.entered
    if at is None:
        return ""
    if not table.sea.holds(at):
        leaves = stride.token == FORWARD and crosses(at, table.sides[ship.side].exit_edge, table.sea)
        return "" if leaves else "the edge of the map"
    if at in table.land:
        return "land"
    if at in table.shoal and stride.hull.large:
        return "shoal"
    holder = table.ships.get(table.occupied.get(at, ""), ship)
    if holder.name != ship.name and holder.side == ship.side and acts_later(case, holder):
        return f"{holder.name}, which acts later"
    return ""


def acts_later(case: Case, friend: Ship) -> bool:
    """Whether a ship of the same side has its turn after this one, as ordered now."""
    return _turn_of(case, friend) > _turn_of(case, case.ship)


def _turn_of(case: Case, ship: Ship) -> tuple[int, int, int]:
    """The place of a ship in the order of activation, as ordered now."""
    first = case.table.sides[ship.side].activate_list
    order = [*first, *(name for name in case.table.squadrons if name not in first)]
    listed = case.sequences.get(ship.squadron, ())
    place = listed.index(ship.name) if ship.name in listed else len(listed) + (1 if ship.prize else 0)
    return order.index(ship.squadron), place, ship.roster


def _strides(case: Case, means: Means, tokens: str) -> Iterator[Stride]:
    """The path token by token on an empty sea; behind a T the place is a guess and only the cost counts."""
    hull = case.table.hull(case.ship.name)
    turn = 1 if means.points == 1 else case.klass.turn_cost
    for place, token in enumerate(tokens, 1):
        before, hull = hull, moved(hull, token)
        entered = next((at for at in hull.hexes if at not in before.hexes), None) if token != THROUGH else None
        shoal = TABLES.movement.shoal if not hull.large and entered in case.table.shoal else 0
        everything = max(means.points - means.overhead, 1)
        costs = {FORWARD: 1 + shoal, BACK: everything, THROUGH: TABLES.rake.pass_cost}
        yield Stride(place, token, costs.get(token, turn), hull, entered)

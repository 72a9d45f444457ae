"""The checks of section 7, ship by ship: what an order may ask, and what remains of it when it asks too much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from games.galleys.data import TABLES
from games.galleys.orders.intent_checks import may_attack
from games.galleys.orders.judge import FleetJudge
from games.galleys.orders.levels import Case, Levels, Means, give_standing_orders, kind_of, lasting
from games.galleys.orders.path_checks import legal_part, may_move, note_spoiled_rams
from games.galleys.orders.records import (
    STANDS,
    Activate,
    Board,
    Disengage,
    Doctrine,
    Else,
    Fire,
    FlameAt,
    Intent,
    Jettison,
    Move,
    Order,
    Path,
    Plan,
    PlanLine,
    Sequence,
    ShipOrders,
    SideOrders,
    Speed,
    Way,
    written_path,
)
from games.galleys.rules.missiles import has_flame, points_available
from games.galleys.rules.own_fire import shares
from games.galleys.rules.speed import cap_reason, capped, highest_rise, movement_points
from games.galleys.state import Level, State
from games.galleys.table import Table
from pbem.kit.game import Side
from pbem.kit.sheet import Accepted, Line, Sheet


def check(state: State, side: Side, sheet: Sheet[Order], judge: FleetJudge) -> Sheet[Order]:
    """Check every line for every ship it becomes an order of; refuse it only where it is illegal."""
    judge.take(sheet)
    orders = work_out(state, side, judge)
    silent = [name for name, own in orders.ships.items() if own.plan is None]
    if silent:
        reason = f"no plan for {', '.join(silent)}: stands guard (GA-ORD-12)"
        judge.note(Line(0, "", ""), "GA-VAL-33", reason, "write hold to stay put whatever comes", "")
    defaults = tuple(f"{name} stands guard: cruise, rams what comes within reach, else holds." for name in silent)
    return replace(judge.settle(sheet), defaults=defaults)


def work_out(state: State, side: Side, judge: FleetJudge) -> SideOrders:
    """Section 6.1 and 7: every ship's orders, checked against the state at the start of the turn."""
    written = list(judge.entries)
    judge.entries = lasting(written)
    _tell_replaced(judge, written)
    orders = whole_side(judge.entries)
    table = Table(state)
    give_standing_orders(table, side, orders)
    levels, ships = Levels(judge.entries), {}
    for ship in table.afloat():
        if ship.side != side:
            continue
        case = Case(table, judge, orders.sequences, ship, levels.draft(ship))
        if table.is_routed(ship.name):
            _warn_routed(case, written)
        else:
            judge.hear(ship.name, case.draft.entries)
            ships[ship.name] = check_ship(case)
    judge.hear("", ())
    return replace(orders, ships=ships)


def _tell_replaced(judge: FleetJudge, written: list[Accepted[Order]]) -> None:
    """GA-VAL-36: lines that a later one of their kind has made void."""
    standing = {(entry.order.unit, kind_of(entry.order)): entry for entry in judge.entries}
    for entry in written:
        later = standing[entry.order.unit, kind_of(entry.order)]
        if not isinstance(entry.order, Intent) and entry is not later:
            reason = f"line {later.line}, '{later.text}', replaces it: a block has one line of this kind"
            judge.warn(entry, "GA-VAL-36", reason, "", "the later line stands")


def whole_side(entries: Iterable[Accepted[Order]]) -> SideOrders:
    """The orders that concern more than a ship: who acts when, and the doctrines."""
    orders = [entry.order for entry in entries]
    return SideOrders(
        sequences={order.unit: order.names for order in orders if isinstance(order, Sequence)},
        activate=next((order.names for order in orders if isinstance(order, Activate)), None),
        doctrines=tuple(order for order in orders if isinstance(order, Doctrine)),
    )


def _warn_routed(case: Case, written: list[Accepted[Order]]) -> None:
    """GA-VAL-29: the lines under the ship's own name or that of its squadron."""
    case.judge.hear(case.ship.name, ())
    for entry in written:
        if entry.order.unit in (case.ship.name, case.ship.squadron):
            reason = f"{case.ship.squadron} is routed: withdraws, whatever is ordered"
            case.judge.warn(entry, "GA-VAL-29", reason, "", f"{STANDS}, but is not carried out")


def check_ship(case: Case) -> ShipOrders:
    """All checks of one ship; what remains is what it will try to do."""
    means = check_means(case)
    fire, flame = _fire(case), _flame(case, means)
    board = _board(case)
    if fire and flame:
        fire, flame = _earlier(case, fire, flame)
    plan = _plan(case, means) if case.draft.given(PlanLine) else None
    shots, flames = fire.order if fire else None, flame.order if flame else None
    return ShipOrders(plan, shots, flames, means.jettison, means.disengage, board)


def check_means(case: Case) -> Means:
    """What the ship has for its activation, as far as speed, jettison and disengaging were ordered rightly."""
    level = _level(case)
    jettison = _jettison(case, level)
    return _means(case, level, _disengage(case), jettison=jettison)


# --- speed and single orders -----------------------------------------------------------------------------------------


def _level(case: Case) -> Level:
    """GA-VAL-8, -9: the level that will be used; a refused speed leaves Cruise."""
    ship, entry = case.ship, case.draft.single(Speed)
    if entry is None:
        return capped(ship, Level.CRUISE)
    level, highest = entry.order.level, highest_rise(ship.last_level)
    if level.rank > highest.rank:
        reason = f"last level {ship.last_level}, ordered {level}: a rise of more than two steps"
        hint, fix = f"highest legal level: {highest}", f"speed {capped(ship, highest)}"
        case.judge.refuse(entry, "GA-VAL-8", reason, hint, "cruise is used", fix)
        return capped(ship, Level.CRUISE)
    used = capped(ship, level)
    if used is not level:
        reason = f"{cap_reason(ship)}: {level} is above the cap, {used} will be used"
        case.judge.warn(entry, "GA-VAL-9", reason, f"speed {used}", f"{STANDS} at {used}", f"speed {used}")
    return used


def _means(case: Case, level: Level, disengage: Disengage | None, *, jettison: bool) -> Means:
    ship, partners = case.ship, case.partners
    lightened = replace(ship, jettisoned=True) if jettison else ship
    points = movement_points(lightened, case.klass, level, case.table.switches)
    overhead = TABLES.movement.jettison if jettison else 0
    if partners and disengage:
        overhead += min(TABLES.disengage.cost, points - overhead)
    doctrine = case.table.doctrine(ship.name, "disengage")
    weaker = ship.marines <= sum(case.table.ships[name].marines for name in partners)
    by_doctrine = doctrine == "always" or (doctrine == "unless stronger" and weaker)
    return Means(level, points, overhead, jettison, disengage, bool(disengage) or by_doctrine)


def _jettison(case: Case, level: Level) -> bool:
    """GA-VAL-25."""
    ship, entry, cost = case.ship, case.draft.single(Jettison), TABLES.movement.jettison
    if entry is None:
        return False
    points = movement_points(ship, case.klass, level, case.table.switches)
    conditions = (
        (not ship.towers, "it has no towers"),
        (ship.rammed, "it is rammed"),
        (ship.prize, "it is a prize"),
        (points < cost, f"it has {points} MP, a jettison takes {cost}"),
    )
    return not _refused(case, entry, "GA-VAL-25", conditions)


def _refused(case: Case, entry: Accepted[Any], rule: str, conditions: tuple[tuple[bool, str], ...]) -> bool:
    """Refuse the line for the first condition that is true."""
    reason = next((words for true, words in conditions if true), "")
    if reason:
        case.judge.refuse(entry, rule, reason)
    return bool(reason)


def _disengage(case: Case) -> Disengage | None:
    """GA-VAL-26."""
    entry = case.draft.single(Disengage)
    if entry is None:
        return None
    order, partners = entry.order, case.partners
    links = ", ".join(partners) or "none"
    strangers = [name for name in order.names if name not in partners]
    named = tuple(name for name in order.names if name in partners)
    if strangers:
        reason = f"no link with {', '.join(strangers)}; links that exist: {links}"
        fix = f"disengage {', '.join(named or partners)}" if partners else ""
        if not named:
            case.judge.refuse(entry, "GA-VAL-26", reason, fix=fix)
            return None
        case.judge.warn(entry, "GA-VAL-26", reason, "", "that name is dropped, the rest stands", fix)
    elif not partners:
        case.judge.note(entry, "GA-VAL-26", f"it is held by nobody; links that exist: {links}")
    return replace(order, names=named)


def _board(case: Case) -> Board | None:
    """GA-VAL-27."""
    entry = case.draft.single(Board)
    if entry is None:
        return None
    if entry.order.name not in case.partners:
        reason = f"no link with {entry.order.name} now; links that exist: {', '.join(case.partners) or 'none'}"
        case.judge.note(entry, "GA-VAL-27", reason, "grapple first", f"{STANDS}; a grapple this turn may make one")
    return entry.order


def _fire(case: Case) -> Accepted[Fire] | None:
    """GA-VAL-22."""
    entry = case.draft.single(Fire)
    if entry is None or not entry.order.shots:
        return entry
    shots, available = entry.order.shots, points_available(case.table, case.ship)
    ordered, given = sum(shot.points or 0 for shot in shots), shares(shots, available)
    reason, hint = "", ""
    if not available:
        reason, hint = "it has no missile points: available 0", "fire none"
    elif ordered > available:
        reason, hint = f"ordered {ordered} points, available {available}", f"at most {available} in all"
    elif 0 in given:
        reason = f"{len(shots)} targets, available {available}: a share of 0"
        hint = f"at most {available} targets"
    if reason:
        kept = tuple(replace(shot, points=points) for shot, points in zip(shots, given, strict=True) if points)
        case.judge.refuse(entry, "GA-VAL-22", reason, hint, fix=str(replace(entry.order, shots=kept)))
    return None if reason else entry


def _flame(case: Case, means: Means) -> Accepted[FlameAt] | None:
    """GA-VAL-24."""
    ship, entry = case.ship, case.draft.single(FlameAt)
    if entry is None:
        return None
    conditions = (
        (not case.table.switches.flame_missiles, "the switch flame_missiles is off in this scenario"),
        (not ship.flame, "it has no flame missiles"),
        (not ship.towers, "it has no towers"),
        (means.jettison, "its towers are jettisoned in the same orders"),
        (not has_flame(case.table, ship), "it cannot throw flame"),
    )
    return None if _refused(case, entry, "GA-VAL-24", conditions) else entry


def _earlier(
    case: Case, fire: Accepted[Fire], flame: Accepted[FlameAt]
) -> tuple[Accepted[Fire] | None, Accepted[FlameAt] | None]:
    """GA-VAL-23: the later of the two is dropped."""
    later: Accepted[Any] = fire if fire.line > flame.line else flame
    case.judge.refuse(later, "GA-VAL-23", "both a fire and a flame order are given; the later is dropped")
    return (None, flame) if later is fire else (fire, None)


# --- the plan --------------------------------------------------------------------------------------------------------


def _plan(case: Case, means: Means) -> Plan:
    way, fallback = case.draft.single(Way), case.draft.single(Else)
    gone = _way(case, means, way, way.order) if way else None
    if way and isinstance(gone, Path) and gone != way.order and gone.unit == case.ship.name:
        case.judge.rewrite(way, gone, f"path {written_path(gone.tokens)}")
    path = gone.tokens if isinstance(gone, Path) else None
    move = gone if isinstance(gone, Move) else None
    otherwise = _way(case, means, fallback, fallback.order.what) if fallback else None
    intents = tuple(entry.order for entry in case.draft.given(Intent) if may_attack(case, means, entry))
    plan = Plan(means.level, path, move, otherwise, intents)
    note_spoiled_rams(case, means, plan)
    return plan


def _way(case: Case, means: Means, entry: Accepted[Any], way: Way) -> Path | Move | None:
    """The path cut to its legal part, or the move verb, if the ship may follow it at all."""
    if isinstance(way, Path):
        tokens = legal_part(case, means, entry, way.tokens)
        return None if tokens is None else replace(way, tokens=tokens)
    assert isinstance(way, Move)
    if way.verb == "hold":
        return way
    if way.verb == "follow" and way.target.name == case.ship.name:
        case.judge.refuse(entry, "GA-VAL-31", f"{case.ship.name} cannot follow itself", "follow another ship")
        return None
    return way if may_move(case, means, entry) else None

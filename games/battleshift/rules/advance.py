"""A3: the exact order of movement and all that happens on the way (BS-MOV-12)."""

from __future__ import annotations

from games.battleshift.data import half_arc
from games.battleshift.orders.records import Detach
from games.battleshift.rules.boarding import dock, engulf_all, undock
from games.battleshift.rules.fighters import launches_at, recoveries
from games.battleshift.rules.interceptors import fire_own
from games.battleshift.rules.light import LightFire
from games.battleshift.rules.losses import detach
from games.battleshift.rules.moving import Plan, inches, reach_of
from games.battleshift.rules.planning import Activation, form_tfcone, plan_moves
from games.battleshift.rules.shifting import abandon_stragglers, escapes
from games.battleshift.rules.terrain import end_in_nebula, hazards_at_rest, hazards_on_step, pull
from games.battleshift.rules.units import Body, Ship, Squadron, Taskforce, in_command
from pbem.kit.plane import difference, rounded, whole_distance


def advance(act: Activation) -> None:
    """BS-MOV-12: steps (a) to (i)."""
    _leave_first(act)
    plan_moves(act)
    form_tfcone(act)
    last = max((plan.ticks for plan in act.plans.values()), default=0)
    fires = [LightFire(act, "light", last), LightFire(act, "ion", last)]
    for fire in fires:
        fire.plan()
    struck: set[tuple[Squadron, Body]] = set()
    _at_point(act, 0, last, fires, struck)
    for tick in range(1, last + 1):
        _advance_ships(act, tick)
        _at_point(act, tick, last, fires, struck)
    _tell_moves(act)
    settle_facings(act)
    _at_end(act, last + 1, fires)
    _settle(act)


def _leave_first(act: Activation) -> None:
    """(a) detachments, undocking, emergency shifts, squadrons in listing order."""
    table = act.table
    for squadron in list(act.squadrons):
        tf = squadron.taskforce
        if table.book(squadron).own(squadron.name, "detach", Detach) is None or tf is None:
            continue
        if tf.flagship.squadron is squadron:
            table.warn(squadron, "BS-V-32", "the flagship's squadron cannot detach")
        else:
            detach(table, squadron, "ordered", "BS-TF-8")
    for squadron in list(act.squadrons):
        undock(table, squadron)
    escapes(act)


def _advance_ships(act: Activation, tick: int) -> None:
    """(e) all ships advance; who has finished rests at its end place."""
    for plan in act.plans.values():
        if tick > plan.ticks:
            continue
        spots = zip(plan.ships, plan.spots_at(tick), strict=True)
        active = {ship: spot for ship, spot in spots if ship.now.status == "active"}
        plan.squadron.place(active, plan.facing_at(tick))
        for ship, start, (dx, dy) in plan.towed:
            x, y = start.x + rounded(dx * tick, plan.ticks), start.y + rounded(dy * tick, plan.ticks)
            ship.change(x=x, y=y)


def _at_point(
    act: Activation, tick: int, last: int, fires: list[LightFire], struck: set[tuple[Squadron, Body]]
) -> None:
    """(d), (e): hazards, own interceptors, light, ion, recoveries, launches, each for all in listing order."""
    table = act.table
    squadrons = [s for s in (*act.squadrons, *act.prizes) if s in act.plans]
    for squadron in squadrons:
        if tick == 0:
            hazards_at_rest(table, act.plans[squadron], struck)
        else:
            hazards_on_step(table, act.plans[squadron], tick, struck)
    for squadron in squadrons:
        if tick <= act.plans[squadron].ticks:
            fire_own(table, squadron)
    for fire in fires:
        fire.fire_at(tick)
    for squadron in act.squadrons:
        recoveries(act, squadron)
    for squadron in act.squadrons:
        launches_at(act, squadron, tick, last + 1)


def _at_end(act: Activation, end: int, fires: list[LightFire]) -> None:
    """(g) light, ion, recovery and launch at the end, with final facings."""
    for fire in fires:
        fire.fire_at(end)
    for squadron in act.squadrons:
        recoveries(act, squadron)
    for squadron in act.squadrons:
        launches_at(act, squadron, end, end)


def _tell_moves(act: Activation) -> None:
    for squadron, plan in act.plans.items():
        if not squadron.present:
            continue
        if plan.ticks or plan.facing != plan.old_facing:
            _tell_move(act, squadron, plan)
        if plan.formation is not None:
            squadron.change(formation=plan.formation)
            kind, spacing = plan.formation.kind, plan.formation.spacing
            facts = {"squadron": squadron.name, "formation": kind, "spacing": spacing, "side": squadron.side}
            act.table.tell_in_sight("form", "BS-FRM-1", (squadron,), facts)
        for ship, _, _ in plan.towed:
            facts = {"ship": ship.name, "by": squadron.name, "shift": False}
            act.table.tell_in_sight("towed", "BS-BRD-3", (squadron, ship.squadron), facts)


def _tell_move(act: Activation, squadron: Squadron, plan: Plan) -> None:
    leader = squadron.leader
    number = plan.ships.index(leader) if leader in plan.ships else 0
    facts = {
        "squadron": squadron.name,
        "from": list(plan.starts[number]) if plan.starts else [0, 0],
        "to": list(plan.spots_at(plan.ticks)[number]) if plan.starts else [0, 0],
        "course": plan.step.course,
        "distance": plan.step.distance,
        "facing": plan.facing,
        "side": squadron.side,
    }
    act.table.tell_both("move", "BS-MOV-3", (squadron,), facts)


def _settle(act: Activation) -> None:
    """(h) nebula and singularity, engulfing, release, docking; (i) command check, abandonment."""
    table = act.table
    for squadron in [*act.squadrons, *act.prizes]:
        if squadron.active:
            end_in_nebula(table, squadron)
        pull(table, squadron)
    for squadron in act.squadrons:
        engulf_all(act, squadron)
    for squadron in act.squadrons:
        dock(table, squadron)
    check_command(act)
    for squadron in list(act.squadrons):
        abandon_stragglers(table, squadron)


def check_command(act: Activation) -> None:
    """BS-TF-3: squadrons of the taskforce out of command are detached at once."""
    tf = act.taskforce
    if tf is None or not act.in_tf:
        return
    for squadron in list(tf.squadrons):
        if squadron.present and not in_command(squadron):
            far = f'{inches(command_distance(squadron, tf.flagship))}" from {tf.flagship.name}'
            detach(act.table, squadron, far if squadron.active else "no active ship", "BS-TF-3")


# --- final facings ---------------------------------------------------------------------------------------------------


def settle_facings(act: Activation) -> None:
    """BS-MOV-9: the flagship's squadron first; the others must keep the flagship's facing in their arc."""
    tf = act.taskforce if act.in_tf else None
    order = [s for s in act.plans if s.active]
    if tf is not None and tf.flagship.squadron in order:
        order.remove(tf.flagship.squadron)
        order.insert(0, tf.flagship.squadron)
    for squadron in order:
        plan = act.plans[squadron]
        squadron.change(facing=plan.facing)
        member = tf is not None and squadron.taskforce is tf and squadron is not tf.flagship.squadron
        if tf is not None and member and not squadron.cls.is_station:
            _keep_in_arc(act, squadron, plan, tf)


def _keep_in_arc(act: Activation, squadron: Squadron, plan: Plan, tf: Taskforce) -> None:
    flag = tf.flagship.squadron.now.facing
    half = half_arc(squadron.size)
    if difference(flag, plan.facing) <= half:
        return
    course = plan.step.course_from(plan.old_facing)
    facing = legal_facing(course, reach_of(act.table, squadron).turn, flag, half, plan.facing)
    if facing is None:
        why = f"its facing {plan.facing:03d} leaves the flagship's {flag:03d} out of arc"
        detach(act.table, squadron, why, "BS-MOV-9")
        return
    facts = {"squadron": squadron.name, "ordered": f"facing {plan.facing:03d}", "used": f"facing {facing:03d}"}
    plan.facing = facing
    squadron.change(facing=facing)
    act.table.tell("limited", "BS-MOV-9", squadron.side, facts)


def legal_facing(course: int, turn: int, flag: int, half: int, wanted: int) -> int | None:
    """BS-MOV-9: the facing nearest the wanted one (tie clockwise) within the facing change and BS-TF-4."""
    legal = [b for b in range(360) if difference(b, course) <= turn and difference(b, flag) <= half]
    return min(legal, key=lambda b: (difference(b, wanted), (b - wanted) % 360), default=None)


def command_distance(squadron: Squadron, flagship: Ship) -> int:
    """How far the nearest active ship is from the flagship."""
    return min((whole_distance(ship.spot, flagship.spot) for ship in squadron.active), default=0)

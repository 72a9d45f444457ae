"""A3: the exact order of movement and all that happens on the way (BS-MOV-12)."""

from __future__ import annotations

from games.battleshift.orders.words import Detach
from games.battleshift.rules.boarding import dock, engulf_all, undock
from games.battleshift.rules.facings import command_distance, settle_facings
from games.battleshift.rules.fighters import launches_at, recoveries
from games.battleshift.rules.interceptors import fire_own
from games.battleshift.rules.light import LightFire
from games.battleshift.rules.losses import detach
from games.battleshift.rules.moving import Plan, inches
from games.battleshift.rules.planning import Activation, form_tfcone, plan_moves
from games.battleshift.rules.shifting import abandon_stragglers, escapes
from games.battleshift.rules.table import in_command
from games.battleshift.rules.terrain import end_in_nebula, hazards_at_rest, hazards_on_step, pull
from games.battleshift.rules.units import Body, Squadron
from pbem.kit.plane import rounded


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
    battle = act.battle
    for squadron in list(act.squadrons):
        tf = squadron.taskforce
        if battle.book(squadron).own(squadron.name, "detach", Detach) is None or tf is None:
            continue
        if tf.flagship.squadron is squadron:
            battle.warn(squadron.side, squadron.name, "BS-V-32", "the flagship's squadron cannot detach")
        else:
            detach(battle, squadron, "ordered", "BS-TF-8")
    for squadron in list(act.squadrons):
        undock(battle, squadron)
    escapes(act)


def _advance_ships(act: Activation, tick: int) -> None:
    """(e) all ships advance; who has finished rests at its end place."""
    for plan in act.plans.values():
        if tick > plan.ticks:
            continue
        for ship, spot in zip(plan.ships, plan.spots_at(tick), strict=True):
            if ship.status == "active":
                act.battle.place(ship, *spot)
        for ship, start, (dx, dy) in plan.towed:
            x, y = start.x + rounded(dx * tick, plan.ticks), start.y + rounded(dy * tick, plan.ticks)
            act.battle.place(ship, x, y)
        plan.squadron.facing = plan.facing_at(tick)


def _at_point(
    act: Activation, tick: int, last: int, fires: list[LightFire], struck: set[tuple[Squadron, Body]]
) -> None:
    """(d), (e): hazards, own interceptors, light, ion, recoveries, launches, each for all in listing order."""
    battle = act.battle
    squadrons = [s for s in (*act.squadrons, *act.prizes) if s in act.plans]
    for squadron in squadrons:
        if tick == 0:
            hazards_at_rest(battle, act.plans[squadron], struck)
        else:
            hazards_on_step(battle, act.plans[squadron], tick, struck)
    for squadron in squadrons:
        if tick <= act.plans[squadron].ticks:
            fire_own(battle, squadron)
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
            squadron.formation = plan.formation
            spacing = plan.formation.spacing
            facts = {
                "squadron": squadron.name,
                "formation": plan.formation.kind,
                "spacing": spacing,
                "side": squadron.side,
            }
            act.battle.tell("form", "BS-FRM-1", facts, (squadron,))
        for ship, _, _ in plan.towed:
            facts = {"ship": ship.name, "by": squadron.name, "shift": False}
            act.battle.tell("towed", "BS-BRD-3", facts, (squadron, ship.squadron))


def _tell_move(act: Activation, squadron: Squadron, plan: Plan) -> None:
    leader = squadron.leader
    number = plan.ships.index(leader) if leader in plan.ships else 0
    squadron.moved = plan.step.distance
    facts = {
        "squadron": squadron.name,
        "from": list(plan.starts[number]) if plan.starts else [0, 0],
        "to": list(plan.spots_at(plan.ticks)[number]) if plan.starts else [0, 0],
        "course": plan.step.course,
        "distance": plan.step.distance,
        "facing": plan.facing,
        "side": squadron.side,
    }
    act.battle.tell("move", "BS-MOV-3", facts, (squadron,), public=True)


def _settle(act: Activation) -> None:
    """(h) nebula and singularity, engulfing, release, docking; (i) command check, abandonment."""
    battle = act.battle
    for squadron in [*act.squadrons, *act.prizes]:
        if squadron.active:
            end_in_nebula(battle, squadron)
        pull(battle, squadron)
    for squadron in act.squadrons:
        engulf_all(act, squadron)
    for squadron in act.squadrons:
        dock(battle, squadron)
    check_command(act)
    for squadron in list(act.squadrons):
        abandon_stragglers(battle, squadron)


def check_command(act: Activation) -> None:
    """BS-TF-3: squadrons of the taskforce out of command are detached at once."""
    tf = act.taskforce
    if tf is None or not act.in_tf:
        return
    for squadron in list(tf.squadrons):
        if squadron.present and not in_command(squadron):
            far = f'{inches(command_distance(squadron, tf.flagship))}" from {tf.flagship.name}'
            detach(act.battle, squadron, far if squadron.active else "no active ship", "BS-TF-3")

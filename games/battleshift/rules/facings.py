"""Final facings of an activation (BS-MOV-9, BS-TF-4)."""

from __future__ import annotations

from games.battleshift.data import half_arc
from games.battleshift.rules.losses import detach
from games.battleshift.rules.moving import (
    Plan,
    reach_of,
)
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.units import Ship, Squadron, Taskforce
from pbem.kit.plane import difference, whole_distance


def settle_facings(act: Activation) -> None:
    """BS-MOV-9: the flagship's squadron first; the others must keep the flagship's facing in their arc."""
    tf = act.taskforce if act.in_tf else None
    order = [s for s in act.plans if s.active]
    if tf is not None and tf.flagship.squadron in order:
        order.remove(tf.flagship.squadron)
        order.insert(0, tf.flagship.squadron)
    for squadron in order:
        plan = act.plans[squadron]
        squadron.facing = plan.facing
        member = tf is not None and squadron.taskforce is tf and squadron is not tf.flagship.squadron
        if tf is not None and member and not squadron.cls.is_station:
            _keep_in_arc(act, squadron, plan, tf)


def _keep_in_arc(act: Activation, squadron: Squadron, plan: Plan, tf: Taskforce) -> None:
    flag = tf.flagship.squadron.facing
    half = half_arc(squadron.size)
    if difference(flag, plan.facing) <= half:
        return
    course = plan.old_facing if plan.step.course is None else plan.step.course
    found = legal_facing(course, reach_of(act.battle, squadron).turn, flag, half, plan.facing)
    if found is None:
        detach(
            act.battle,
            squadron,
            f"its facing {plan.facing:03d} leaves the flagship's {flag:03d} out of arc",
            "BS-MOV-9",
        )
        return
    facts = {"squadron": squadron.name, "ordered": f"facing {plan.facing:03d}", "used": f"facing {found:03d}"}
    squadron.facing = plan.facing = found
    act.battle.tell_owner(squadron.side, "limited", "BS-MOV-9", facts)


def legal_facing(course: int, turn: int, flag: int, half: int, wanted: int) -> int | None:
    """BS-MOV-9: the facing nearest the wanted one (tie clockwise) within the facing change and BS-TF-4."""
    legal = [b for b in range(360) if difference(b, course) <= turn and difference(b, flag) <= half]
    return min(legal, key=lambda b: (difference(b, wanted), (b - wanted) % 360), default=None)


def command_distance(squadron: Squadron, flagship: Ship) -> int:
    """How far the nearest active ship is from the flagship."""
    return min((whole_distance(ship.spot, flagship.spot) for ship in squadron.active), default=0)

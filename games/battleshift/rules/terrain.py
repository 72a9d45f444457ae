"""Terrain that harms: BS-TER-2, -3 and -5."""

from __future__ import annotations

from collections.abc import Sequence

from games.battleshift.data import LIMITS
from games.battleshift.rules.attacks import Blow, strike
from games.battleshift.rules.losses import destroy
from games.battleshift.rules.moving import Plan
from games.battleshift.rules.space import body_name
from games.battleshift.rules.table import Battle
from games.battleshift.rules.units import Body, Ship, Squadron
from pbem.kit.plane import passes_within, toward, within

HAZARDS = {"asteroids": (1, 0), "nebula": (1, 1), "mines": (2, 1)}
"""BS-TER-2: targeting number and power."""


ROUNDING = 2


def threatens(body: Body, squadron: Squadron) -> bool:
    return body.kind in HAZARDS and not (body.kind == "mines" and body.side == squadron.side)


def dangers_of(battle: Battle, plan: Plan) -> list[Body]:
    """Hazards near enough to be touched, in scenario order; most squadrons meet none."""
    if plan.dangers is None:
        ways = list(zip(plan.starts, plan.spots_at(plan.ticks), strict=True))
        # Places on the way are rounded, so a step may lie a hair beside the straight line.
        plan.dangers = [
            body
            for body in battle.bodies
            if threatens(body, plan.squadron)
            and any(passes_within(a, b, body.spot, body.radius + ROUNDING) for a, b in ways)
        ]
    return plan.dangers


def hazards_at_rest(battle: Battle, plan: Plan, struck: set[tuple[Squadron, Body]]) -> None:
    """BS-TER-2: a squadron at rest standing in a disc is attacked at the point start."""
    if plan.ticks == 0:
        for body in dangers_of(battle, plan):
            if (plan.squadron, body) not in struck:
                _attack_if_touched(battle, plan, body, struck)


def hazards_on_step(battle: Battle, plan: Plan, tick: int, struck: set[tuple[Squadron, Body]]) -> None:
    """BS-TER-2: after the first tick whose step touches the disc for any ship."""
    if tick > plan.ticks or not dangers_of(battle, plan):
        return
    before, after = plan.spots_at(tick - 1), plan.spots_at(tick)
    for body in dangers_of(battle, plan):
        if (plan.squadron, body) in struck:
            continue
        steps = zip(plan.ships, before, after, strict=True)
        if any(ship.status == "active" and passes_within(a, b, body.spot, body.radius) for ship, a, b in steps):
            _attack_if_touched(battle, plan, body, struck)


def _attack_if_touched(battle: Battle, plan: Plan, body: Body, struck: set[tuple[Squadron, Body]]) -> None:
    ends = plan.spots_at(plan.ticks)
    ways = zip(plan.ships, plan.starts, ends, strict=True)
    touched = [s for s, a, b in ways if s.status == "active" and passes_within(a, b, body.spot, body.radius)]
    if touched:
        struck.add((plan.squadron, body))
        _strike(battle, plan, body, touched)


def _strike(battle: Battle, plan: Plan, body: Body, touched: Sequence[Ship]) -> None:
    """One attack with a die for each ship whose path touches the disc; no cover."""
    squadron = plan.squadron
    number, power = HAZARDS[body.kind]
    number += int(body.kind == "asteroids" and plan.step.distance > LIMITS.asteroid_speed)
    label = (squadron.key, body.kind, battle.bodies.index(body))
    rolls = battle.rolls(len(touched), *label, "to hit")
    hits = sum(roll.face <= number for roll in rolls)
    facts = {
        "squadron": squadron.name,
        "terrain": body_name(body),
        "number": number,
        "dice": [roll.face for roll in rolls],
        "hits": hits,
        "side": squadron.side,
    }
    battle.tell("hazard", "BS-TER-2", facts, (squadron,), rolls)
    blow = Blow(body.kind, power, label, suppresses=body.kind == "mines", victims=list(touched))
    strike(battle, squadron, hits, blow)


def end_in_nebula(battle: Battle, squadron: Squadron) -> None:
    """BS-TER-3: ending A3 in a nebula gives a marker."""
    clouds = [body for body in battle.bodies if body.kind == "nebula"]
    if any(within(ship.spot, body.spot, body.radius) for body in clouds for ship in squadron.active):
        squadron.suppression += 1
        facts = {"squadron": squadron.name, "markers": squadron.suppression, "side": squadron.side}
        battle.tell("suppress", "BS-TER-3", facts, (squadron,))


def pull(battle: Battle, squadron: Squadron) -> None:
    """BS-TER-5: a singularity draws ships in by 2.00" and destroys those within 1.00" of its centre."""
    for body in battle.bodies:
        if body.kind != "singularity":
            continue
        for ship in list(squadron.present):
            if not within(ship.spot, body.spot, body.radius):
                continue
            battle.place(ship, *toward(ship.spot, body.spot, LIMITS.singularity_pull))
            if within(ship.spot, body.spot, LIMITS.singularity_core):
                destroy(battle, ship, "BS-TER-5")

"""Terrain that harms: BS-TER-2, -3 and -5."""

from __future__ import annotations

from collections.abc import Sequence

from games.battleshift.data import LIMITS
from games.battleshift.rules.attacks import Blow, add_marker, strike
from games.battleshift.rules.losses import destroy
from games.battleshift.rules.moving import Plan
from games.battleshift.rules.units import Body, Ship, Squadron
from games.battleshift.table import Table, faces, scored
from pbem.kit.plane import passes_within, toward, within

HAZARDS = {"asteroids": (1, 0), "nebula": (1, 1), "mines": (2, 1)}
"""BS-TER-2: targeting number and power."""


ROUNDING = 2


def threatens(body: Body, squadron: Squadron) -> bool:
    return body.kind in HAZARDS and not (body.kind == "mines" and body.side == squadron.side)


def dangers_of(table: Table, plan: Plan) -> list[Body]:
    """Hazards near enough to be touched, in scenario order; most squadrons meet none."""
    if plan.dangers is None:
        ways = list(zip(plan.starts, plan.spots_at(plan.ticks), strict=True))
        # Places on the way are rounded, so a step may lie a hair beside the straight line.
        plan.dangers = [
            body
            for body in table.bodies
            if threatens(body, plan.squadron)
            and any(passes_within(a, b, body.spot, body.radius + ROUNDING) for a, b in ways)
        ]
    return plan.dangers


def hazards_at_rest(table: Table, plan: Plan, struck: set[tuple[Squadron, Body]]) -> None:
    """BS-TER-2: a squadron at rest standing in a disc is attacked at the point start."""
    if plan.ticks == 0:
        for body in dangers_of(table, plan):
            if (plan.squadron, body) not in struck:
                _attack_if_touched(table, plan, body, struck)


def hazards_on_step(table: Table, plan: Plan, tick: int, struck: set[tuple[Squadron, Body]]) -> None:
    """BS-TER-2: after the first tick whose step touches the disc for any ship."""
    if tick > plan.ticks or not dangers_of(table, plan):
        return
    before, after = plan.spots_at(tick - 1), plan.spots_at(tick)
    for body in dangers_of(table, plan):
        if (plan.squadron, body) in struck:
            continue
        steps = zip(plan.ships, before, after, strict=True)
        if any(ship.now.status == "active" and passes_within(a, b, body.spot, body.radius) for ship, a, b in steps):
            _attack_if_touched(table, plan, body, struck)


def _attack_if_touched(table: Table, plan: Plan, body: Body, struck: set[tuple[Squadron, Body]]) -> None:
    ends = plan.spots_at(plan.ticks)
    ways = zip(plan.ships, plan.starts, ends, strict=True)
    touched = [s for s, a, b in ways if s.now.status == "active" and passes_within(a, b, body.spot, body.radius)]
    if touched:
        struck.add((plan.squadron, body))
        _strike(table, plan, body, touched)


def _strike(table: Table, plan: Plan, body: Body, touched: Sequence[Ship]) -> None:
    """One attack with a die for each ship whose path touches the disc; no cover."""
    squadron = plan.squadron
    number, power = HAZARDS[body.kind]
    number += int(body.kind == "asteroids" and plan.step.distance > LIMITS.asteroid_speed)
    label = (squadron.key, body.kind, table.bodies.index(body))
    rolls = table.rolls(len(touched), *label, "to hit")
    hits = scored(rolls, number)
    facts = {
        "squadron": squadron.name,
        "terrain": body.called,
        "number": number,
        "dice": faces(rolls),
        "hits": hits,
        "side": squadron.side,
    }
    table.tell_in_sight("hazard", "BS-TER-2", (squadron,), facts, rolls)
    blow = Blow(body.kind, power, label, suppresses=body.kind == "mines", victims=list(touched))
    strike(table, squadron, hits, blow)


def end_in_nebula(table: Table, squadron: Squadron) -> None:
    """BS-TER-3: ending A3 in a nebula gives a marker."""
    clouds = [body for body in table.bodies if body.kind == "nebula"]
    if any(within(ship.spot, body.spot, body.radius) for body in clouds for ship in squadron.active):
        add_marker(table, squadron, "BS-TER-3")


def pull(table: Table, squadron: Squadron) -> None:
    """BS-TER-5: a singularity draws ships in by 2.00" and destroys those within 1.00" of its centre."""
    for body in table.bodies:
        if body.kind != "singularity":
            continue
        for ship in list(squadron.present):
            if not within(ship.spot, body.spot, body.radius):
                continue
            x, y = toward(ship.spot, body.spot, LIMITS.singularity_pull)
            ship.change(x=x, y=y)
            if within(ship.spot, body.spot, LIMITS.singularity_core):
                destroy(table, ship, "BS-TER-5")

"""Planets and moonbases: their fire, their flights, invasions (BS-PLN, BS-MON)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.battleshift.data import DIE, LIMITS, NUMBERS, WEAPONS
from games.battleshift.orders.records import Fire, Land, Launch, Missiles, TransferGround
from games.battleshift.rules import sight
from games.battleshift.rules.attacks import Blow, Volley, attack
from games.battleshift.rules.boarding import marines, spend
from games.battleshift.rules.fighters import send_out
from games.battleshift.rules.fire import disabling
from games.battleshift.rules.losses import score
from games.battleshift.rules.missiles import start_strike
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.sight import Aimed
from games.battleshift.rules.targets import NEAREST, Choice, choose
from games.battleshift.rules.units import Body, Flight, Quadrant, Squadron
from games.battleshift.table import Table, faces
from pbem.kit.dice import Roll
from pbem.kit.plane import Spot, displacement, squared, toward, within

RIM_BEARINGS = {"NE": 45, "SE": 135, "SW": 225, "NW": 315}
ADJACENT = {"NE": ("NW", "SE"), "SE": ("NE", "SW"), "SW": ("SE", "NW"), "NW": ("SW", "NE")}


def own_quadrants(body: Body) -> list[Quadrant]:
    return [quadrant for quadrant in body.quadrants.values() if quadrant.side == body.side]


# --- firing out ------------------------------------------------------------------------------------------------------


def reach_out(body: Body, weapon: str) -> int:
    """BS-PLN-4, BS-MON-1: a planet's weapons lose 12.00" of range, a moon's nothing."""
    return WEAPONS[weapon].range - (0 if body.is_moon else LIMITS.planet_range_loss)


def in_quadrant(quadrant: Quadrant, target: Squadron | Flight) -> bool:
    """BS-PLN-2: only units with a ship in the quadrant are fired at."""
    return any(sight.quadrant_at(quadrant.body, (x, y)) == quadrant.place for x, y, _ in sight.points_of(target))


def aim_out(table: Table, quadrant: Quadrant, weapon: str, target: Aimed, base: int) -> int | None:
    """BS-PLN-4: the number of a quadrant's weapon, range from the rim; never suppressed."""
    body, reach = quadrant.body, reach_out(quadrant.body, weapon)
    if isinstance(target, Quadrant) or reach <= 0 or not in_quadrant(quadrant, target):
        return None
    inside = [p for p in sight.points_of(target) if sight.quadrant_at(body, p[:2]) == quadrant.place]
    if not any(within(body.spot, (x, y), reach + body.radius + radius) for x, y, radius in inside):
        return None
    covered = sight.cover(table, quadrant.side, (body.spot,), target, body)
    station = isinstance(target, Squadron) and target.cls.is_station
    return sight.limited(base - covered - (0 if body.is_moon else 1) + int(station))


def _choice(table: Table, quadrant: Quadrant, weapon: str, line: Fire | Missiles, base: int) -> Choice | None:
    def judge(target: Aimed) -> Choice | None:
        number = aim_out(table, quadrant, weapon, target, base)
        if number is None:
            return None
        far = sight.distance_to((quadrant.body.spot,), target)
        return Choice(target, number, far, quadrant.count(weapon), weapon)

    foe = table.enemy(quadrant.side)
    reach = WEAPONS[weapon].range + quadrant.body.radius
    pool = table.near(foe, (quadrant.body.spot,), reach)
    return choose(table, quadrant.side, line.targets, line.least, judge, pool)


def fire_out(act: Activation, weapon: str) -> None:
    """BS-PLN-4: quadrants that choose the same target fire together."""
    table, body = act.table, act.body
    assert body is not None
    line = table.book(body).fire((body.name,), weapon) or Fire(weapon, NEAREST)
    if not line.targets:
        return
    groups: dict[int, list[tuple[Quadrant, Choice]]] = {}
    for quadrant in own_quadrants(body):
        if quadrant.count(weapon):
            base = WEAPONS[weapon].base - (sight.disabling_penalty(weapon) if line.disable else 0)
            choice = _choice(table, quadrant, weapon, line, base)
            if choice is not None:
                groups.setdefault(id(choice.target), []).append((quadrant, choice))
    for group in groups.values():
        target = group[0][1].target
        if not isinstance(target, Squadron) or not target.present:
            continue
        volleys = [Volley(q.name, q.key, c.number, q.count(weapon)) for q, c in group]
        label = (group[0][0].key, weapon, target.key)
        blow = Blow(
            weapon,
            WEAPONS[weapon].power,
            label,
            [body.spot],
            disabling(line, weapon),
            heavy_damage=weapon == "super",
            rule="BS-PLN-4",
        )
        attack(table, volleys, target, blow)


def launch_out(act: Activation) -> None:
    """BS-PLN-4, BS-MSL-2: a quadrant launches as one ship."""
    table, body = act.table, act.body
    assert body is not None
    line = table.book(body).own(body.name, "missiles", Missiles) or Missiles(NEAREST)
    for quadrant in own_quadrants(body):
        count = quadrant.count("missile")
        choice = _choice(table, quadrant, "missile", line, NUMBERS.lock) if count else None
        if choice is None:
            continue
        roll = table.roll(DIE, quadrant.key, "lock", choice.target.key)
        start_strike(act, quadrant, choice, (roll,), count, rim_toward(body, choice.target))


def rim_toward(body: Body, target: Aimed) -> Spot:
    """Where a strike leaves the rim."""
    x, y, _ = min(sight.points_of(target), key=lambda p: squared(body.spot, p[:2]))
    return toward(body.spot, (x, y), body.radius)


def launch_wings(act: Activation) -> None:
    """BS-PLN-9: flights of a quadrant start at its rim point."""
    table, body = act.table, act.body
    assert body is not None
    for order in table.book(body).all(body.name, "launch", Launch):
        quadrant = body.quadrants.get(order.quadrant)
        ready = quadrant.now.wings_aboard if quadrant else 0
        if quadrant is None or quadrant.side != body.side or ready < order.wings:
            table.warn(body, "BS-V-26", f"{order.name} is not launched: {ready} wings ready")
            continue
        if table.flight(body.side, order.name) is not None:
            continue
        dx, dy = displacement(body.radius, RIM_BEARINGS[order.quadrant])
        quadrant.change(wings_aboard=quadrant.now.wings_aboard - order.wings)
        send_out(act, order, quadrant.name, Spot(body.spot.x + dx, body.spot.y + dy))


# --- on the ground ---------------------------------------------------------------------------------------------------


def ground_war(act: Activation) -> None:
    """BS-PLN-11..13: transfers, landings, then the fights."""
    table = act.table
    fresh: list[Quadrant] = []
    for body in table.bodies:
        for order in table.books[act.side].all(body.name, "transfer", TransferGround):
            if act.body is body or (act.body is None and body.side != act.side and not body.now.acted):
                fresh += transfer(table, act.side, body, order)
    for squadron in list(act.squadrons):
        for landing in table.book(squadron).all(squadron.name, "land", Land):
            fresh += land(act, squadron, landing)
    for body in table.bodies:
        for quadrant in body.quadrants.values():
            waiting = quadrant.now.invaders > 0 and not quadrant.fought and quadrant.side != act.side
            if quadrant in fresh or waiting:
                quadrant.fought = True
                invade(table, quadrant, act)


def can_land(act: Activation, squadron: Squadron, body: Body) -> bool:
    """BS-PLN-11: in contact with the rim, and 12.00" of movement left; a moon asks for none."""
    plan = act.plans.get(squadron)
    gone = plan.step.distance if plan else 0
    spare = squadron.cls.speed - gone >= (0 if body.is_moon else LIMITS.descent)
    return spare and squadron.acts_near(body.spot, body.radius + LIMITS.contact)


def land(act: Activation, squadron: Squadron, order: Land) -> list[Quadrant]:
    table = act.table
    body = table.body(order.body)
    if body is None or order.quadrant not in body.quadrants:
        return []
    ships = [s for s in squadron.active if within(s.spot, body.spot, body.radius + LIMITS.contact)]
    ready = sum(ship.assault_left for ship in ships)
    if not can_land(act, squadron, body) or ready < order.units:
        table.warn(squadron, "BS-V-45", f"{order.units} units cannot land, {ready} are in reach")
        return []
    spend(ships, order.units)
    return _arrive(body.quadrants[order.quadrant], squadron.side, order.units)


def _arrive(quadrant: Quadrant, side: str, units: int) -> list[Quadrant]:
    """Units join their friends, or attack; gives the quadrant if it must be fought for."""
    if quadrant.side == side:
        quadrant.change(assault=quadrant.now.assault + units)
        return []
    quadrant.change(invaders=quadrant.now.invaders + units)
    return [quadrant]


def transfer(table: Table, side: str, body: Body, order: TransferGround) -> list[Quadrant]:
    """BS-PLN-13: units move to an adjacent quadrant; into an enemy one they attack."""
    start, end = body.quadrants.get(order.start), body.quadrants.get(order.end)
    if start is None or end is None or order.end not in ADJACENT[order.start]:
        return []
    units = min(order.units, start.now.assault if start.side == side else start.now.invaders)
    if units <= 0:
        return []
    if start.side == side:
        start.change(assault=start.now.assault - units)
    else:
        start.change(invaders=start.now.invaders - units)
    facts = {"body": body.name, "units": units, "from": order.start, "to": order.end, "side": side}
    table.tell("transfer_ground", "BS-PLN-13", table.sides, facts)
    return _arrive(end, side, units)


def invade(table: Table, quadrant: Quadrant, act: Activation) -> None:
    """BS-PLN-11: defender's dice first; the loser's units die, then installations."""
    body = quadrant.body
    owner_defends = quadrant.side == body.side
    dice = (body.now.defence if owner_defends else 0) + quadrant.now.assault
    label = (quadrant.key, "invasion")
    defence = table.rolls(dice, *label, "defender")
    attack_ = table.rolls(quadrant.now.invaders, *label, "invader")
    theirs = sum(faces(defence)) - (quadrant.now.damage if owner_defends else 0)
    ours = sum(faces(attack_)) + max((marines(squadron) for squadron in act.squadrons), default=0)
    margin = ours - theirs
    lost = {"invaders": 0, "units": 0, "installations": 0}
    if margin < 0:
        lost["invaders"] = min(quadrant.now.invaders, -margin)
        quadrant.change(invaders=quadrant.now.invaders - lost["invaders"])
    elif margin > 0:
        lost["units"] = min(quadrant.now.assault, margin)
        quadrant.change(assault=quadrant.now.assault - lost["units"])
        if owner_defends:
            lost["installations"] = min(len(quadrant.now.working), margin - lost["units"])
            quadrant.change(damage=quadrant.now.damage + lost["installations"])
    facts = {
        "body": body.name,
        "quadrant": quadrant.place,
        "totals": [ours, theirs],
        "margin": margin,
        "losses": lost,
        "side": act.side,
    }
    table.tell("invade", "BS-PLN-11", table.sides, facts, (*defence, *attack_))
    if margin > 0:
        _change_hands(table, quadrant, act.side)


def _change_hands(table: Table, quadrant: Quadrant, side: str) -> None:
    """BS-PLN-12: with no units and no working installations left the invader holds the quadrant."""
    owner_defends = quadrant.side == quadrant.body.side
    if quadrant.now.assault > 0 or (owner_defends and quadrant.now.working):
        return
    quadrant.change(assault=quadrant.now.invaders, invaders=0)
    points = quadrant.body.now.defence * LIMITS.quadrant_vp
    if side == quadrant.body.side:
        table.vp[table.enemy(side)] -= points
        quadrant.change(holder="")
    else:
        score(table, side, points)
        quadrant.change(holder=side)
    facts = {"body": quadrant.body.name, "quadrant": quadrant.place, "holder": side, "vp": points}
    table.tell("quadrant", "BS-PLN-12", table.sides, facts)


def repair_quadrants(table: Table, body: Body) -> None:
    """BS-PLN-8: one die for each quadrant, NE, SE, SW, NW; 3 or less removes a point of damage."""
    for quadrant in own_quadrants(body):
        if quadrant.now.damage <= 0:
            continue
        roll = table.roll(DIE, quadrant.key, "repair")
        fixed = int(roll.face <= NUMBERS.planet_repair)
        quadrant.change(damage=quadrant.now.damage - fixed)
        facts = repair_facts(quadrant, (roll,), fixed, body.now.defence, body.side)
        table.tell("repair", "BS-PLN-8", table.sides, facts, (roll,))


def repair_facts(unit: Squadron | Quadrant, rolls: Sequence[Roll], fixed: int, total: int, side: str) -> dict[str, Any]:
    dice, damage = faces(rolls), unit.now.damage
    return {"squadron": unit.name, "dice": dice, "repaired": fixed, "damage": damage, "total": total, "side": side}


def flights_of(table: Table, body: Body) -> Sequence[Flight]:
    names = {quadrant.name for quadrant in body.quadrants.values()}
    own = (flight for flight in table.aloft.values() if flight.side == body.side)
    return [flight for flight in own if flight.now.carrier in names and table.is_controlled(flight)]

"""Planets and moonbases: their fire, their flights, invasions (BS-PLN, BS-MON)."""

from __future__ import annotations

from collections.abc import Sequence

from games.battleshift.data import LIMITS, NUMBERS, WEAPONS
from games.battleshift.orders.words import Fire, Land, Launch, Missiles, TransferGround
from games.battleshift.rules.attacks import Blow, Volley, attack
from games.battleshift.rules.boarding import marines
from games.battleshift.rules.fighters import tell_launch
from games.battleshift.rules.fire import disabling
from games.battleshift.rules.losses import score
from games.battleshift.rules.planning import Activation, Missile
from games.battleshift.rules.sight import (
    Aimed,
    cover,
    disabling_penalty,
    distance_to,
    limited,
    points_of,
    quadrant_at,
)
from games.battleshift.rules.table import Battle
from games.battleshift.rules.targets import NEAREST, Choice, choose
from games.battleshift.rules.units import Body, Flight, Quadrant, Squadron
from games.battleshift.state import QUADRANTS
from pbem.kit.plane import Spot, displacement, squared, toward, within

RIM_BEARINGS = {"NE": 45, "SE": 135, "SW": 225, "NW": 315}
ADJACENT = {"NE": ("NW", "SE"), "SE": ("NE", "SW"), "SW": ("SE", "NW"), "NW": ("SW", "NE")}


def quadrants_of(body: Body) -> list[Quadrant]:
    return [body.quadrants[place] for place in QUADRANTS if place in body.quadrants]


def own_quadrants(body: Body) -> list[Quadrant]:
    return [quadrant for quadrant in quadrants_of(body) if quadrant.side == body.side]


# --- firing out ------------------------------------------------------------------------------------------------------


def reach_out(body: Body, weapon: str) -> int:
    """BS-PLN-4, BS-MON-1: a planet's weapons lose 12.00" of range, a moon's nothing."""
    return WEAPONS[weapon].range - (0 if body.is_moon else LIMITS.planet_range_loss)


def in_quadrant(quadrant: Quadrant, target: Squadron | Flight) -> bool:
    """BS-PLN-2: only units with a ship in the quadrant are fired at."""
    return any(quadrant_at(quadrant.body, (x, y)) == quadrant.place for x, y, _ in points_of(target))


def aim_out(battle: Battle, quadrant: Quadrant, weapon: str, target: Aimed, base: int) -> int | None:
    """BS-PLN-4: the number of a quadrant's weapon, range from the rim; never suppressed."""
    body, reach = quadrant.body, reach_out(quadrant.body, weapon)
    if isinstance(target, Quadrant) or reach <= 0 or not in_quadrant(quadrant, target):
        return None
    inside = [p for p in points_of(target) if quadrant_at(body, p[:2]) == quadrant.place]
    if not any(within(body.spot, (x, y), reach + body.radius + radius) for x, y, radius in inside):
        return None
    covered = cover(battle, quadrant.side, (body.spot,), target, body)
    station = isinstance(target, Squadron) and target.cls.is_station
    return limited(base - covered - (0 if body.is_moon else 1) + int(station))


def _choice(battle: Battle, quadrant: Quadrant, weapon: str, line: Fire | Missiles, base: int) -> Choice | None:
    def judge(target: Aimed) -> Choice | None:
        number = aim_out(battle, quadrant, weapon, target, base)
        if number is None:
            return None
        far = distance_to((quadrant.body.spot,), target)
        return Choice(target, number, far, quadrant.count(weapon), weapon)

    foe = battle.enemy(quadrant.side)
    reach = WEAPONS[weapon].range + quadrant.body.radius
    pool = battle.near(foe, (quadrant.body.spot,), reach)
    return choose(battle, quadrant.side, line.targets, line.least, judge, pool)


def fire_out(act: Activation, weapon: str) -> None:
    """BS-PLN-4: quadrants that choose the same target fire together."""
    battle, body = act.battle, act.body
    assert body is not None
    line = battle.book(body).fire((body.name,), weapon) or Fire(weapon, NEAREST)
    if not line.targets:
        return
    groups: dict[int, list[tuple[Quadrant, Choice]]] = {}
    for quadrant in own_quadrants(body):
        if quadrant.count(weapon):
            base = WEAPONS[weapon].base - disabling_penalty(weapon, line.disable)
            choice = _choice(battle, quadrant, weapon, line, base)
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
        attack(battle, volleys, target, blow)


def launch_out(act: Activation) -> None:
    """BS-PLN-4, BS-MSL-2: a quadrant launches as one ship."""
    battle, body = act.battle, act.body
    assert body is not None
    line = battle.book(body).own(body.name, "missiles", Missiles) or Missiles(NEAREST)
    for quadrant in own_quadrants(body):
        count = quadrant.count("missile")
        choice = _choice(battle, quadrant, "missile", line, NUMBERS.lock) if count else None
        if choice is None:
            continue
        roll = battle.roll(quadrant.key, "lock", choice.target.key)
        missiles = count if roll.face <= choice.number else 0
        place = rim_toward(body, choice.target)
        facts = {
            "squadron": quadrant.name,
            "target": choice.target.name,
            "number": choice.number,
            "dice": [roll.face],
            "locked": int(missiles > 0),
            "ships": 1,
            "missiles": missiles,
            "side": body.side,
            "at": list(place),
        }
        seen = choice.target if isinstance(choice.target, Squadron | Flight) else None
        battle.tell("lock", "BS-MSL-2", facts, (seen,), (roll,))
        if missiles:
            name = f"{quadrant.name} strike"
            key = f"{quadrant.key} strike"
            act.strikes.append(Missile(name, body.side, None, key, choice.target, missiles, place, origin=body))


def rim_toward(body: Body, target: Aimed) -> Spot:
    """Where a strike leaves the rim."""
    x, y, _ = min(points_of(target), key=lambda p: squared(body.spot, p[:2]))
    return toward(body.spot, (x, y), body.radius)


def launch_wings(act: Activation) -> None:
    """BS-PLN-9: flights of a quadrant start at its rim point."""
    battle, body = act.battle, act.body
    assert body is not None
    for order in battle.book(body).all(body.name, "launch", Launch):
        quadrant = body.quadrants.get(order.quadrant)
        ready = quadrant.wings_aboard if quadrant else 0
        if quadrant is None or quadrant.side != body.side or ready < order.wings:
            battle.warn(body.side, body.name, "BS-V-26", f"{order.name} is not launched: {ready} wings ready")
            continue
        if battle.flight(body.side, order.name) is not None:
            continue
        dx, dy = displacement(body.radius, RIM_BEARINGS[order.quadrant])
        quadrant.wings_aboard -= order.wings
        flight = Flight(
            None, order.name, body.side, quadrant.name, order.wings, body.x + dx, body.y + dy, "", False, False, ()
        )
        battle.flights.append(flight)
        act.flights.append(flight)
        tell_launch(battle, flight, quadrant.name, None)


# --- on the ground ---------------------------------------------------------------------------------------------------


def ground_war(act: Activation) -> None:
    """BS-PLN-11..13: transfers, landings, then the fights."""
    battle = act.battle
    fresh: list[Quadrant] = []
    for body in battle.bodies:
        for order in battle.books[act.side].all(body.name, "transfer", TransferGround):
            if act.body is body or (act.body is None and body.side != act.side and not body.acted):
                fresh += transfer(battle, act.side, body, order)
    for squadron in list(act.squadrons):
        for landing in battle.book(squadron).all(squadron.name, "land", Land):
            fresh += land(act, squadron, landing)
    for body in battle.bodies:
        for quadrant in quadrants_of(body):
            waiting = quadrant.invaders > 0 and not quadrant.fought and quadrant.side != act.side
            if quadrant in fresh or waiting:
                quadrant.fought = True
                invade(battle, quadrant, act)


def can_land(act: Activation, squadron: Squadron, body: Body) -> bool:
    """BS-PLN-11: in contact with the rim, and 12.00" of movement left; a moon asks for none."""
    plan = act.plans.get(squadron)
    gone = plan.step.distance if plan else 0
    spare = squadron.cls.speed - gone >= (0 if body.is_moon else LIMITS.descent)
    return spare and any(within(s.spot, body.spot, body.radius + LIMITS.contact) for s in squadron.active)


def land(act: Activation, squadron: Squadron, order: Land) -> list[Quadrant]:
    battle = act.battle
    body = battle.body(order.body)
    if body is None or order.quadrant not in body.quadrants:
        return []
    ships = [s for s in squadron.active if within(s.spot, body.spot, body.radius + LIMITS.contact)]
    ready = sum(ship.assault_left for ship in ships)
    if not can_land(act, squadron, body) or ready < order.units:
        battle.warn(squadron.side, squadron.name, "BS-V-45", f"{order.units} units cannot land, {ready} are in reach")
        return []
    left = order.units
    for ship in ships:
        used = min(left, ship.assault_left)
        ship.assault_left -= used
        left -= used
    quadrant = body.quadrants[order.quadrant]
    if quadrant.side == squadron.side:
        quadrant.assault += order.units
        return []
    quadrant.invaders += order.units
    return [quadrant]


def transfer(battle: Battle, side: str, body: Body, order: TransferGround) -> list[Quadrant]:
    """BS-PLN-13: units move to an adjacent quadrant; into an enemy one they attack."""
    start, end = body.quadrants.get(order.start), body.quadrants.get(order.end)
    if start is None or end is None or order.end not in ADJACENT[order.start]:
        return []
    units = min(order.units, start.assault if start.side == side else start.invaders)
    if units <= 0:
        return []
    if start.side == side:
        start.assault -= units
    else:
        start.invaders -= units
    facts = {"body": body.name, "units": units, "from": order.start, "to": order.end, "side": side}
    battle.tell("transfer_ground", "BS-PLN-13", facts)
    if end.side == side:
        end.assault += units
        return []
    end.invaders += units
    return [end]


def invade(battle: Battle, quadrant: Quadrant, act: Activation) -> None:
    """BS-PLN-11: defender's dice first; the loser's units die, then installations."""
    body = quadrant.body
    owner_defends = quadrant.side == body.side
    dice = (body.defence if owner_defends else 0) + quadrant.assault
    label = (quadrant.key, "invasion")
    defence = battle.rolls(dice, *label, "defender")
    attack_ = battle.rolls(quadrant.invaders, *label, "invader")
    theirs = sum(roll.face for roll in defence) - (quadrant.damage if owner_defends else 0)
    ours = sum(roll.face for roll in attack_) + max(
        (marines(s) for s in act.squadrons if s.side == act.side), default=0
    )
    margin = ours - theirs
    lost = {"invaders": 0, "units": 0, "installations": 0}
    if margin < 0:
        lost["invaders"] = min(quadrant.invaders, -margin)
        quadrant.invaders -= lost["invaders"]
    elif margin > 0:
        lost["units"] = min(quadrant.assault, margin)
        quadrant.assault -= lost["units"]
        if owner_defends:
            lost["installations"] = min(len(quadrant.working), margin - lost["units"])
            quadrant.damage += lost["installations"]
    facts = {
        "body": body.name,
        "quadrant": quadrant.place,
        "totals": [ours, theirs],
        "margin": margin,
        "losses": lost,
        "side": act.side,
    }
    battle.tell("invade", "BS-PLN-11", facts, rolls=(*defence, *attack_))
    if margin > 0:
        _change_hands(battle, quadrant, act.side)


def _change_hands(battle: Battle, quadrant: Quadrant, side: str) -> None:
    """BS-PLN-12: with no units and no working installations left the invader holds the quadrant."""
    owner_defends = quadrant.side == quadrant.body.side
    if quadrant.assault > 0 or (owner_defends and quadrant.working):
        return
    quadrant.assault, quadrant.invaders = quadrant.invaders, 0
    points = quadrant.body.defence * LIMITS.quadrant_vp
    if side == quadrant.body.side:
        battle.vp[battle.enemy(side)] -= points
        quadrant.holder = ""
    else:
        score(battle, side, points)
        quadrant.holder = side
    facts = {"body": quadrant.body.name, "quadrant": quadrant.place, "holder": side, "vp": points}
    battle.tell("quadrant", "BS-PLN-12", facts)


def repair_quadrants(battle: Battle, body: Body) -> None:
    """BS-PLN-8: one die for each quadrant, NE, SE, SW, NW; 3 or less removes a point of damage."""
    for quadrant in own_quadrants(body):
        if quadrant.damage <= 0:
            continue
        roll = battle.roll(quadrant.key, "repair")
        fixed = int(roll.face <= NUMBERS.planet_repair)
        quadrant.damage -= fixed
        facts = {
            "squadron": quadrant.name,
            "dice": [roll.face],
            "repaired": fixed,
            "damage": quadrant.damage,
            "total": body.defence,
            "side": body.side,
        }
        battle.tell("repair", "BS-PLN-8", facts, rolls=(roll,))


def flights_of(battle: Battle, body: Body) -> Sequence[Flight]:
    names = {quadrant.name for quadrant in quadrants_of(body)}
    return [f for f in battle.flights if f.carrier in names and f.side == body.side and battle.is_controlled(f)]

"""Flights in A4, and launching and recovering in A3 (BS-FTR)."""

from __future__ import annotations

from games.battleshift.data import LIMITS, WEAPONS
from games.battleshift.orders.words import Fly, Launch, Leg, Recover, Target
from games.battleshift.rules.attacks import Blow, Volley, attack
from games.battleshift.rules.interceptors import Threat, defend
from games.battleshift.rules.missiles import rim_point
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.reactions import current_order, exchange, fighter_number, meet, touching
from games.battleshift.rules.sight import Aimed, distance_to, is_gone, nearest_ship
from games.battleshift.rules.table import Battle
from games.battleshift.rules.targets import Choice, choose
from games.battleshift.rules.units import Flight, Quadrant, Squadron
from pbem.kit.plane import INCH, Spot, ceiling_root, displacement, squared, toward, within


def act_flights(act: Activation) -> None:
    """BS-FTR-22: in the order of their blocks in the e-mail, the rest by name."""
    blocks = act.battle.books[act.side].blocks

    def order(flight: Flight) -> tuple[int, str]:
        return (blocks.index(flight.name) if flight.name in blocks else len(blocks), flight.name)

    for flight in sorted(act.flights, key=order):
        if flight.wings > 0 and not flight.acted and flight in act.battle.flights:
            flight.acted = True
            fly(act.battle, flight)
    clear_lost(act.battle)


def clear_lost(battle: Battle) -> None:
    battle.flights = [flight for flight in battle.flights if flight.wings > 0]


# --- one flight ------------------------------------------------------------------------------------------------------


class Sortie:
    """One flight's move in A4: 24.00" in at most two legs, and one attack on the way."""

    def __init__(self, battle: Battle, flight: Flight) -> None:
        self.battle, self.flight = battle, flight
        self.begun = flight.spot
        self.left = LIMITS.flight_move
        self.way = [flight.spot]
        body = battle.body(flight.carrier.rpartition(" ")[0]) if flight.home is None else None
        fresh = flight.record is None and body is not None
        if fresh and body is not None and not body.is_moon:
            self.left -= LIMITS.descent

    def go(self, end: Spot, target: Aimed | None) -> bool:
        """BS-FTR-8: one leg with its reactions; False: a dogfight or death ended the move."""
        flight = self.flight
        end = toward(flight.spot, end, self.left)
        self.left -= min(self.left, ceiling_root(squared(flight.spot, end)))
        stopped = meet(self.battle, Threat(flight, target), flight.spot, end, self.begun)
        flight.x, flight.y = stopped or end
        self.way.append(flight.spot)
        return stopped is None and flight.wings > 0

    def ascend(self) -> None:
        """BS-PLN-9: from the ground back to space."""
        if self.flight.ground:
            body = self.battle.body(self.flight.ground)
            self.left -= 0 if body is None or body.is_moon else LIMITS.descent
            self.flight.ground = ""


def fly(battle: Battle, flight: Flight) -> None:
    """BS-FTR-5, -6, -15, -21: evade what is in contact, fly the legs, attack once, fly on."""
    order = current_order(battle, flight)
    target = fixed_target(battle, flight, order.strike)
    flight.aimed = target
    foes = touching(battle, flight)
    if order.strike is not None and target is None:
        battle.warn(flight.side, flight.name, "BS-FTR-21", f"{order.strike.spoken()} is gone; the flight holds")
        order = Fly()
    if not order.before and order.strike is None:
        if foes:
            exchange(battle, flight, foes[0], flight.spot, evading=False, rule="BS-FTR-10")
        return
    for foe in foes:
        if foe is not target and flight.wings > 0 and foe.wings > 0:
            exchange(battle, flight, foe, flight.spot, evading=True, rule="BS-FTR-15")
    if flight.wings > 0:
        _fly_legs(battle, flight, order, target)


def _fly_legs(battle: Battle, flight: Flight, order: Fly, target: Aimed | None) -> None:
    sortie = Sortie(battle, flight)
    changing = isinstance(target, Quadrant) and flight.ground == target.body.name
    if flight.ground and not changing:
        sortie.ascend()
    going = all(sortie.go(leg_end(flight.spot, leg), target) for leg in order.before)
    if going and target is not None:
        going = _strike(sortie, target)
    if going and order.after and flight.wings > 0:
        sortie.ascend()
        for leg in order.after:
            if not sortie.go(leg_end(flight.spot, leg), None):
                break
    facts = {
        "flight": flight.name,
        "legs": [list(spot) for spot in sortie.way],
        "wings": flight.wings,
        "side": flight.side,
    }
    if len(sortie.way) > 1:
        battle.tell("fly", "BS-FTR-5", facts, (flight,), public=True)


def leg_end(start: Spot, leg: Leg) -> Spot:
    if leg.kind == "to":
        return Spot(leg.x, leg.y)
    dx, dy = displacement(leg.distance, leg.degrees)
    return Spot(start.x + dx, start.y + dy)


def fixed_target(battle: Battle, flight: Flight, item: Target | None) -> Aimed | None:
    """BS-FTR-21: fixed when the flight's A4 begins; a selector looks within 24.00" first."""
    if item is None:
        return None

    def judge(target: Aimed) -> Choice:
        far = distance_to((flight.spot,), target)
        return Choice(target, fighter_number(flight, target), far, flight.wings, "fighter")

    foe = battle.enemy(flight.side)
    pool = [s for s in battle.near(foe, (flight.spot,), LIMITS.flight_move) if _in_reach(flight, s)]
    found = choose(battle, flight.side, (item,), 1, judge, pool or battle.on_table(foe))
    return found.target if found and not is_gone(found.target) else None


def _in_reach(flight: Flight, squadron: Squadron) -> bool:
    reach = LIMITS.flight_move + squadron.cls.radius
    return any(within(ship.spot, flight.spot, reach) for ship in squadron.present)


def in_touch(flight: Flight, target: Aimed) -> bool:
    """BS-GEO-8: in contact with a ship, a flight, or the rim of a body."""
    if isinstance(target, Squadron):
        reach = LIMITS.contact + target.cls.radius
        return any(within(ship.spot, flight.spot, reach) for ship in target.present)
    if isinstance(target, Flight):
        return within(target.spot, flight.spot, LIMITS.contact)
    return within(target.body.spot, flight.spot, target.body.radius + LIMITS.contact)


def _strike(sortie: Sortie, target: Aimed) -> bool:
    """BS-FTR-21: fly to the target and attack if in contact; False: the move ended before."""
    flight, battle = sortie.flight, sortie.battle
    if not in_touch(flight, target) and not sortie.go(_goal(flight, target), target):
        return False
    if not in_touch(flight, target) or not _descend(sortie, target):
        return True
    defend(battle, Threat(flight, target), flight.spot)
    if flight.wings > 0 and not is_gone(target):
        assault_target(battle, flight, target)
    return flight.wings > 0


def _goal(flight: Flight, target: Aimed) -> Spot:
    if isinstance(target, Squadron):
        return nearest_ship(flight.spot, target.present).spot
    return target.spot if isinstance(target, Flight) else rim_point(flight.spot, target)


def _descend(sortie: Sortie, target: Aimed) -> bool:
    """BS-PLN-9: 12.00" of movement down to a planet; none to a moon, none to another quadrant of the same body."""
    if not isinstance(target, Quadrant):
        return True
    flight, cost = sortie.flight, 0 if target.body.is_moon else LIMITS.descent
    if flight.ground == target.body.name:
        return True
    if sortie.left < cost:
        return False
    sortie.left -= cost
    flight.ground = target.body.name
    return True


def assault_target(battle: Battle, flight: Flight, target: Aimed) -> None:
    """BS-FTR-7, -9, -10: all wings attack; a flight shoots back."""
    if isinstance(target, Flight):
        exchange(battle, flight, target, flight.spot, evading=False, rule="BS-FTR-10")
        return
    volley = Volley(flight.name, flight.key, fighter_number(flight, target), flight.wings, flight)
    blow = Blow(
        "fighter",
        WEAPONS["fighter"].power,
        (flight.key, "fighters", target.key),
        [flight.spot],
        die_per_hit=True,
        rule="BS-FTR-7",
        attackers=[flight],
    )
    attack(battle, [volley], target, blow)


# --- launch and recovery in A3 ---------------------------------------------------------------------------------------


def launches_at(act: Activation, squadron: Squadron, tick: int, last: int) -> None:
    """BS-FTR-4: launches whose moment this is; the default is the end of movement."""
    plan = act.plans.get(squadron)
    own = plan.ticks if plan else 0
    for order in act.battle.book(squadron).all(squadron.name, "launch", Launch):
        moment = last if order.after is None else min(own, -(-order.after // INCH))
        if moment == tick and not order.quadrant:
            launch(act, squadron, order)


def launch(act: Activation, squadron: Squadron, order: Launch) -> None:
    """BS-FTR-1, BS-FTR-18: wings aboard, not those recovered in this activation, in at most two flights."""
    battle, leader = act.battle, squadron.leader
    ready = squadron.wings_aboard - squadron.recovered_now
    out = [f for f in battle.flights if f.home is squadron and f.wings > 0]
    if battle.flight(squadron.side, order.name) is not None:
        return
    if squadron.committed_super or squadron.is_prize or leader is None or not squadron.active:
        battle.warn(squadron.side, squadron.name, "BS-V-60", f"{order.name} cannot be launched")
        return
    if ready < order.wings or len(out) >= LIMITS.flights:
        why = f"{ready} wings ready, {len(out)} flights out"
        battle.warn(squadron.side, squadron.name, "BS-V-26", f"{order.name} ({order.wings}) is not launched: {why}")
        return
    squadron.wings_aboard -= order.wings
    squadron.launched_now = True
    standing: tuple[str, ...] = ()
    flight = Flight(
        None, order.name, squadron.side, squadron.name, order.wings, leader.x, leader.y, "", False, False, standing,
        squadron,
    )  # fmt: skip
    battle.flights.append(flight)
    act.flights.append(flight)
    tell_launch(battle, flight, squadron.name, squadron)


def tell_launch(battle: Battle, flight: Flight, carrier: str, squadron: Squadron | None) -> None:
    facts = {
        "flight": flight.name,
        "wings": flight.wings,
        "carrier": carrier,
        "side": flight.side,
        "at": [flight.x, flight.y],
    }
    battle.tell("launch", "BS-FTR-4", facts, (flight, squadron), public=True)


def free_bays(battle: Battle, squadron: Squadron) -> int:
    """BS-FTR-18: bays of active ships less wings aboard and its own wings in flight."""
    out = sum(f.wings for f in battle.flights if f.home is squadron)
    return len(squadron.active) * squadron.weapons("bay") - squadron.wings_aboard - out


def recoveries(act: Activation, squadron: Squadron) -> None:
    """BS-FTR-18: flights in contact that are ordered aboard."""
    battle = act.battle
    for order in battle.book(squadron).all(squadron.name, "recover", Recover):
        flight = battle.flight(squadron.side, order.flight)
        if flight is None or flight.wings <= 0 or not in_touch_own(flight, squadron):
            continue
        if flight.home is not squadron and free_bays(battle, squadron) < flight.wings:
            continue
        squadron.wings_aboard += flight.wings
        squadron.recovered_now += flight.wings
        battle.flights.remove(flight)
        if flight in act.flights:
            act.flights.remove(flight)
        facts = {"flight": flight.name, "wings": flight.wings, "carrier": squadron.name, "side": squadron.side}
        battle.tell("recover", "BS-FTR-18", facts, (flight, squadron))


def in_touch_own(flight: Flight, squadron: Squadron) -> bool:
    reach = LIMITS.contact + squadron.cls.radius
    return not flight.ground and any(within(ship.spot, flight.spot, reach) for ship in squadron.active)

"""Flights in A4, and launching and recovering in A3 (BS-FTR)."""

from __future__ import annotations

from games.battleshift import state as records
from games.battleshift.data import LIMITS, WEAPONS
from games.battleshift.orders.records import Fly, Launch, Leg, Recover, Target
from games.battleshift.rules.attacks import Blow, Volley, attack
from games.battleshift.rules.interceptors import Threat, defend
from games.battleshift.rules.missiles import rim_point
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.reactions import current_order, exchange, fighter_number, meet, touching
from games.battleshift.rules.sight import Aimed, distance_to, is_gone, nearest_ship
from games.battleshift.rules.targets import Choice, choose
from games.battleshift.rules.units import Flight, Quadrant, Squadron
from games.battleshift.table import Table
from pbem.kit.plane import INCH, Spot, ceiling_root, displacement, squared, toward, within


def act_flights(act: Activation) -> None:
    """BS-FTR-22: in the order of their blocks in the e-mail, the rest by name."""
    blocks = act.table.books[act.side].blocks

    def order(flight: Flight) -> tuple[int, str]:
        return (blocks.index(flight.name) if flight.name in blocks else len(blocks), flight.name)

    for flight in sorted(act.flights, key=order):
        if flight.now.wings > 0 and not flight.now.acted and flight.exists:
            flight.change(acted=True)
            fly(act.table, flight)
    clear_lost(act.table)


def clear_lost(table: Table) -> None:
    for flight in list(table.aloft.values()):
        if flight.now.wings <= 0:
            table.land(flight)


# --- one flight ------------------------------------------------------------------------------------------------------


class Sortie:
    """One flight's move in A4: 24.00" in at most two legs, and one attack on the way."""

    def __init__(self, table: Table, flight: Flight) -> None:
        self.table, self.flight = table, flight
        self.begun = flight.spot
        self.left = LIMITS.flight_move
        self.way = [flight.spot]
        body = table.body(flight.now.carrier.rpartition(" ")[0]) if flight.home is None else None
        if flight.is_fresh and body is not None and not body.is_moon:
            self.left -= LIMITS.descent

    def go(self, end: Spot, target: Aimed | None) -> bool:
        """BS-FTR-8: one leg with its reactions; False: a dogfight or death ended the move."""
        flight = self.flight
        end = toward(flight.spot, end, self.left)
        self.left -= min(self.left, ceiling_root(squared(flight.spot, end)))
        stopped = meet(self.table, Threat(flight, target), flight.spot, end, self.begun)
        x, y = stopped or end
        flight.change(x=x, y=y)
        self.way.append(flight.spot)
        return stopped is None and flight.now.wings > 0

    def ascend(self) -> None:
        """BS-PLN-9: from the ground back to space."""
        if self.flight.now.ground:
            body = self.table.body(self.flight.now.ground)
            self.left -= 0 if body is None or body.is_moon else LIMITS.descent
            self.flight.change(ground="")


def fly(table: Table, flight: Flight) -> None:
    """BS-FTR-5, -6, -15, -21: evade what is in contact, fly the legs, attack once, fly on."""
    order = current_order(table, flight)
    target = fixed_target(table, flight, order.strike)
    flight.aimed = target
    foes = touching(table, flight)
    if order.strike is not None and target is None:
        table.warn(flight, "BS-FTR-21", f"{order.strike.spoken()} is gone; the flight holds")
        order = Fly()
    if not order.before and order.strike is None:
        if foes:
            exchange(table, flight, foes[0], flight.spot, evading=False, rule="BS-FTR-10")
        return
    for foe in foes:
        if foe is not target and flight.now.wings > 0 and foe.now.wings > 0:
            exchange(table, flight, foe, flight.spot, evading=True, rule="BS-FTR-15")
    if flight.now.wings > 0:
        _fly_legs(table, flight, order, target)


def _fly_legs(table: Table, flight: Flight, order: Fly, target: Aimed | None) -> None:
    sortie = Sortie(table, flight)
    changing = isinstance(target, Quadrant) and flight.now.ground == target.body.name
    if flight.now.ground and not changing:
        sortie.ascend()
    going = all(sortie.go(leg_end(flight.spot, leg), target) for leg in order.before)
    if going and target is not None:
        going = _strike(sortie, target)
    if going and order.after and flight.now.wings > 0:
        sortie.ascend()
        for leg in order.after:
            if not sortie.go(leg_end(flight.spot, leg), None):
                break
    facts = {
        "flight": flight.name,
        "legs": [list(spot) for spot in sortie.way],
        "wings": flight.now.wings,
        "side": flight.side,
    }
    if len(sortie.way) > 1:
        table.tell_both("fly", "BS-FTR-5", (flight,), facts)


def leg_end(start: Spot, leg: Leg) -> Spot:
    if leg.kind == "to":
        return leg.spot
    dx, dy = displacement(leg.distance, leg.degrees)
    return Spot(start.x + dx, start.y + dy)


def fixed_target(table: Table, flight: Flight, item: Target | None) -> Aimed | None:
    """BS-FTR-21: fixed when the flight's A4 begins; a selector looks within 24.00" first."""
    if item is None:
        return None

    def judge(target: Aimed) -> Choice:
        far = distance_to((flight.spot,), target)
        return Choice(target, fighter_number(flight, target), far, flight.now.wings, "fighter")

    foe = table.enemy(flight.side)
    pool = [
        s for s in table.near(foe, (flight.spot,), LIMITS.flight_move) if s.is_near(flight.spot, LIMITS.flight_move)
    ]
    choice = choose(table, flight.side, (item,), 1, judge, pool or table.on_table(foe))
    return choice.target if choice and not is_gone(choice.target) else None


def in_touch(flight: Flight, target: Aimed) -> bool:
    """BS-GEO-8: in contact with a ship, a flight, or the rim of a body."""
    if isinstance(target, Squadron):
        return target.is_near(flight.spot, LIMITS.contact)
    if isinstance(target, Flight):
        return within(target.spot, flight.spot, LIMITS.contact)
    return within(target.body.spot, flight.spot, target.body.radius + LIMITS.contact)


def _strike(sortie: Sortie, target: Aimed) -> bool:
    """BS-FTR-21: fly to the target and attack if in contact; False: the move ended before."""
    flight, table = sortie.flight, sortie.table
    if not in_touch(flight, target) and not sortie.go(_goal(flight, target), target):
        return False
    if not in_touch(flight, target) or not _descend(sortie, target):
        return True
    defend(table, Threat(flight, target), flight.spot)
    if flight.now.wings > 0 and not is_gone(target):
        assault_target(table, flight, target)
    return flight.now.wings > 0


def _goal(flight: Flight, target: Aimed) -> Spot:
    if isinstance(target, Squadron):
        return nearest_ship(flight.spot, target.present).spot
    return target.spot if isinstance(target, Flight) else rim_point(flight.spot, target)


def _descend(sortie: Sortie, target: Aimed) -> bool:
    """BS-PLN-9: 12.00" of movement down to a planet; none to a moon, none to another quadrant of the same body."""
    if not isinstance(target, Quadrant):
        return True
    flight, cost = sortie.flight, 0 if target.body.is_moon else LIMITS.descent
    if flight.now.ground == target.body.name:
        return True
    if sortie.left < cost:
        return False
    sortie.left -= cost
    flight.change(ground=target.body.name)
    return True


def assault_target(table: Table, flight: Flight, target: Aimed) -> None:
    """BS-FTR-7, -9, -10: all wings attack; a flight shoots back."""
    if isinstance(target, Flight):
        exchange(table, flight, target, flight.spot, evading=False, rule="BS-FTR-10")
        return
    volley = Volley(flight.name, flight.key, fighter_number(flight, target), flight.now.wings, flight)
    blow = Blow(
        "fighter",
        WEAPONS["fighter"].power,
        (flight.key, "fighters", target.key),
        [flight.spot],
        die_per_hit=True,
        rule="BS-FTR-7",
        attackers=[flight],
    )
    attack(table, [volley], target, blow)


# --- launch and recovery in A3 ---------------------------------------------------------------------------------------


def launches_at(act: Activation, squadron: Squadron, tick: int, last: int) -> None:
    """BS-FTR-4: launches whose moment this is; the default is the end of movement."""
    plan = act.plans.get(squadron)
    own = plan.ticks if plan else 0
    for order in act.table.book(squadron).all(squadron.name, "launch", Launch):
        moment = last if order.after is None else min(own, -(-order.after // INCH))
        if moment == tick and not order.quadrant:
            launch(act, squadron, order)


def launch(act: Activation, squadron: Squadron, order: Launch) -> None:
    """BS-FTR-1, BS-FTR-18: wings aboard, not those recovered in this activation, in at most two flights."""
    table, leader = act.table, squadron.leader
    ready = squadron.now.wings_aboard - act.recovered.get(squadron, 0)
    out = [f for f in table.aloft.values() if f.home is squadron and f.now.wings > 0]
    if table.flight(squadron.side, order.name) is not None:
        return
    if squadron.now.flags.committed_super or squadron.is_prize or leader is None or not squadron.active:
        table.warn(squadron, "BS-V-60", f"{order.name} cannot be launched")
        return
    if ready < order.wings or len(out) >= LIMITS.flights:
        why = f"{ready} wings ready, {len(out)} flights out"
        table.warn(squadron, "BS-V-26", f"{order.name} ({order.wings}) is not launched: {why}")
        return
    squadron.change(wings_aboard=squadron.now.wings_aboard - order.wings)
    act.busy.add(squadron)
    send_out(act, order, squadron.name, leader.spot)


def send_out(act: Activation, order: Launch, carrier: str, spot: Spot) -> None:
    """BS-FTR-4: a new flight at its carrier, which acts in this activation."""
    x, y = spot
    record = records.Flight(name=order.name, side=act.side, carrier=carrier, wings=order.wings, x=x, y=y)
    flight = act.table.launch(record)
    act.flights.append(flight)
    facts = {"flight": order.name, "wings": order.wings, "carrier": carrier, "side": act.side, "at": list(spot)}
    act.table.tell_both("launch", "BS-FTR-4", (flight, flight.home), facts)


def free_bays(table: Table, squadron: Squadron) -> int:
    """BS-FTR-18: bays of active ships less wings aboard and its own wings in flight."""
    out = sum(f.now.wings for f in table.aloft.values() if f.home is squadron)
    return len(squadron.active) * squadron.weapons("bay") - squadron.now.wings_aboard - out


def recoveries(act: Activation, squadron: Squadron) -> None:
    """BS-FTR-18: flights in contact that are ordered aboard."""
    table = act.table
    for order in table.book(squadron).all(squadron.name, "recover", Recover):
        flight = table.flight(squadron.side, order.flight)
        if flight is None or flight.now.wings <= 0 or flight.now.ground:
            continue
        if not squadron.acts_near(flight.spot, LIMITS.contact):
            continue
        if flight.home is not squadron and free_bays(table, squadron) < flight.now.wings:
            continue
        squadron.change(wings_aboard=squadron.now.wings_aboard + flight.now.wings)
        act.recovered[squadron] = act.recovered.get(squadron, 0) + flight.now.wings
        act.busy.add(squadron)
        table.land(flight)
        if flight in act.flights:
            act.flights.remove(flight)
        facts = {"flight": flight.name, "wings": flight.now.wings, "carrier": squadron.name, "side": squadron.side}
        table.tell_in_sight("recover", "BS-FTR-18", (flight, squadron), facts)

"""Interceptors: BS-INT, against flights and missiles."""

from __future__ import annotations

from dataclasses import dataclass

from games.battleshift.data import LIMITS, NUMBERS
from games.battleshift.orders.records import Intercept
from games.battleshift.rules.light import guns_of
from games.battleshift.rules.losses import score
from games.battleshift.rules.planning import Missile
from games.battleshift.rules.sight import limited
from games.battleshift.rules.units import Flight, Quadrant, Squadron, any_within
from games.battleshift.table import Table, faces, scored
from pbem.kit.dice import Roll
from pbem.kit.plane import Spot, squared, within

Intruder = Flight | Missile
"""What interceptors shoot at."""


@dataclass(frozen=True)
class Threat:
    """An intruder on its way, and what it is aimed at."""

    intruder: Intruder
    target: object

    @property
    def number(self) -> int:
        return self.intruder.now.wings if isinstance(self.intruder, Flight) else self.intruder.missiles


def doctrine_of(table: Table, squadron: Squadron) -> Intercept:
    return table.book(squadron).find(squadron.lines, "intercept", Intercept) or Intercept()


def is_willing(doctrine: Intercept, threat: Threat, reactor: object) -> bool:
    """BS-INT-7: what the doctrine lets it fire at."""
    if doctrine.what == "none" or threat.number < doctrine.least:
        return False
    if doctrine.what == "self":
        return threat.target is reactor
    wanted = {"missiles": Missile, "fighters": Flight}
    return doctrine.what == "any" or isinstance(threat.intruder, wanted[doctrine.what])


def interceptor_number(table: Table, squadron: Squadron, spot: Spot, base: int) -> int:
    """BS-INT-1, BS-INT-8: less suppression, less one if a cloud covers the target."""
    covered = any(body.obscures and within(body.spot, spot, body.radius) for body in table.bodies)
    return limited(base - squadron.markers - int(covered))


def light_helps(table: Table, squadron: Squadron) -> bool:
    """BS-WPN-3: light guns of destroyers join in, once in an activation, unless they are kept as batteries."""
    if squadron.size != 1 or squadron.now.flags.light_used or not squadron.weapons("light"):
        return False
    return guns_of(table, squadron).use != "battery"


def can_react(table: Table, squadron: Squadron) -> bool:
    """BS-INT-5, BS-INT-8: once in an activation, active ships only."""
    if squadron.now.flags.reacted or not squadron.active:
        return False
    return squadron.weapons("interceptor") > 0 or light_helps(table, squadron)


def react(table: Table, squadron: Squadron, threat: Threat, spot: Spot, rule: str = "BS-INT-3") -> None:
    """BS-INT-1: interceptor dice, then light dice, then the flight's dodges; each hit removes a missile or a wing."""
    squadron.mark(reacted=True)
    number = interceptor_number(table, squadron, spot, NUMBERS.interceptor)
    label = (squadron.key, "interceptors", threat.intruder.key)
    rolls = table.rolls(len(squadron.active) * squadron.weapons("interceptor"), *label)
    hits = scored(rolls, number)
    if light_helps(table, squadron):
        squadron.mark(light_used=True)
        low = interceptor_number(table, squadron, spot, NUMBERS.light_interceptor)
        light = table.rolls(len(squadron.active) * squadron.weapons("light"), *label, "light guns")
        hits += scored(light, low)
        rolls += light
        number = number if squadron.weapons("interceptor") else low
    shoot_down(table, squadron, threat, spot, number, rolls, hits, rule)


def shoot_down(
    table: Table,
    by: Squadron | Flight | Quadrant,
    threat: Threat,
    spot: Spot,
    number: int,
    rolls: list[Roll],
    hits: int,
    rule: str,
) -> None:
    """BS-INT-1: hits remove missiles at once; a flight may dodge them."""
    intruder, unit = threat.intruder, None if isinstance(by, Quadrant) else by
    facts = {
        "reactor": by.name,
        "intruder": intruder.name,
        "kind": "flight" if isinstance(intruder, Flight) else "missiles",
        "point": list(spot),
        "number": number,
        "dice": faces(rolls),
        "kills": hits if isinstance(intruder, Flight) else min(hits, intruder.missiles),
        "side": unit.side if unit else "",
    }
    about = (unit, intruder if isinstance(intruder, Flight) else intruder.fired_by)
    table.tell_in_sight("intercept", rule, about, facts, rolls)
    if isinstance(intruder, Missile):
        intruder.lose(hits)
    elif hits:
        dodge(table, intruder, hits, by.key)


def dodge(table: Table, flight: Flight, hits: int, by: str, bonus: int = 0) -> int:
    """BS-FTR-3: each hit is dodged on 3, by Veteran Fighters on 4, or costs a wing; gives the wings lost."""
    need = NUMBERS.dodge + int(flight.has("Veteran Fighters")) + bonus
    rolls = table.rolls(hits, flight.key, "dodges", by)
    lost = min(flight.now.wings, sum(roll.face > need for roll in rolls))
    flight.change(wings=flight.now.wings - lost)
    points = lost * LIMITS.wing_vp
    score(table, table.enemy(flight.side), points)
    facts = {
        "flight": flight.name,
        "dice": faces(rolls),
        "need": need,
        "lost": lost,
        "wings": flight.now.wings,
        "vp": points,
        "side": flight.side,
        "at": list(flight.spot),
    }
    table.tell_in_sight("dodge", "BS-FTR-3", (flight,), facts, rolls)
    return lost


# --- who reacts ------------------------------------------------------------------------------------------------------


def protectors(target: Squadron) -> list[Squadron]:
    """BS-INT-4: squadrons of the same taskforce with a ship within 3.00" of the attacked squadron, by name."""
    if target.taskforce is None:
        return []
    mates = [s for s in target.taskforce.living if s is not target]
    near = [s for s in mates if any_within(s.active, target.present, LIMITS.protection)]
    return sorted(near, key=lambda squadron: squadron.name)


def defend(table: Table, threat: Threat, spot: Spot) -> None:
    """BS-MSL-5, BS-FTR-8: on arrival the target fires, then its protectors, until nothing is left."""
    target = threat.target
    if isinstance(target, Quadrant):
        _defend_quadrant(table, target, threat, spot)
        return
    if not isinstance(target, Squadron):
        return
    for squadron in (target, *protectors(target)):
        if threat.number <= 0:
            return
        if can_react(table, squadron) and is_willing(doctrine_of(table, squadron), threat, squadron):
            rule = "BS-MSL-5" if squadron is target else "BS-INT-4"
            react(table, squadron, threat, spot, rule)


def _defend_quadrant(table: Table, quadrant: Quadrant, threat: Threat, spot: Spot) -> None:
    """BS-PLN-9: interceptors of the attacked quadrant, once in an enemy activation."""
    guns = quadrant.count("interceptor")
    if quadrant.now.reacted or not guns or threat.number <= 0:
        return
    quadrant.change(reacted=True)
    number = NUMBERS.interceptor - (0 if quadrant.body.is_moon else 1)
    rolls = table.rolls(guns, quadrant.key, "interceptors", threat.intruder.key)
    shoot_down(table, quadrant, threat, spot, number, rolls, scored(rolls, number), "BS-PLN-9")


def fire_own(table: Table, squadron: Squadron) -> None:
    """BS-INT-2: in its own A3, once, at the nearest enemy flight within 1.00"."""
    use = guns_of(table, squadron).use
    armed = squadron.weapons("interceptor") > 0 or (use == "interceptor" and light_helps(table, squadron))
    if squadron.now.flags.reacted or not squadron.active or not armed or not table.aloft.values():
        return
    doctrine = doctrine_of(table, squadron)
    near = []
    for flight in table.enemy_flights(squadron.side):
        if flight.now.ground or not is_willing(doctrine, Threat(flight, None), squadron):
            continue
        gap = min(squared(ship.spot, flight.spot) for ship in squadron.active)
        if gap <= (LIMITS.reaction + squadron.cls.radius) ** 2:
            near.append((gap, flight.name, flight))
    if not near:
        return
    flight = min(near, key=lambda candidate: candidate[:2])[2]
    spared = use != "interceptor" and not squadron.now.flags.light_used
    squadron.mark(light_used=squadron.now.flags.light_used or spared)
    react(table, squadron, Threat(flight, None), flight.spot, "BS-INT-2")
    if spared:
        squadron.mark(light_used=False)

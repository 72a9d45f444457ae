"""Interceptors: BS-INT, against flights and missiles."""

from __future__ import annotations

from dataclasses import dataclass

from games.battleshift.data import LIMITS, NUMBERS
from games.battleshift.orders.words import Intercept
from games.battleshift.rules.light import guns_of
from games.battleshift.rules.losses import score
from games.battleshift.rules.planning import Missile
from games.battleshift.rules.sight import limited
from games.battleshift.rules.table import Battle, any_within
from games.battleshift.rules.units import Flight, Quadrant, Squadron
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
        return self.intruder.wings if isinstance(self.intruder, Flight) else self.intruder.missiles


def doctrine_of(battle: Battle, squadron: Squadron) -> Intercept:
    return battle.book(squadron).find(squadron.lines, "intercept", Intercept) or Intercept()


def is_willing(doctrine: Intercept, threat: Threat, reactor: object) -> bool:
    """BS-INT-7: what the doctrine lets it fire at."""
    if doctrine.what == "none" or threat.number < doctrine.least:
        return False
    if doctrine.what == "self":
        return threat.target is reactor
    wanted = {"missiles": Missile, "fighters": Flight}
    return doctrine.what == "any" or isinstance(threat.intruder, wanted[doctrine.what])


def interceptor_number(battle: Battle, squadron: Squadron, spot: Spot, base: int) -> int:
    """BS-INT-1, BS-INT-8: less suppression, less one if a cloud covers the target."""
    covered = any(body.obscures and within(body.spot, spot, body.radius) for body in battle.bodies)
    return limited(base - squadron.markers - int(covered))


def light_helps(battle: Battle, squadron: Squadron) -> bool:
    """BS-WPN-3: light guns of destroyers join in, once in an activation, unless they are kept as batteries."""
    if squadron.size != 1 or squadron.light_used or not squadron.weapons("light"):
        return False
    return guns_of(battle, squadron).use != "battery"


def can_react(battle: Battle, squadron: Squadron) -> bool:
    """BS-INT-5, BS-INT-8: once in an activation, active ships only."""
    if squadron.reacted or not squadron.active:
        return False
    return squadron.weapons("interceptor") > 0 or light_helps(battle, squadron)


def react(battle: Battle, squadron: Squadron, threat: Threat, spot: Spot, rule: str = "BS-INT-3") -> None:
    """BS-INT-1: interceptor dice, then light dice, then the flight's dodges; each hit removes a missile or a wing."""
    squadron.reacted = True
    number = interceptor_number(battle, squadron, spot, NUMBERS.interceptor)
    label = (squadron.key, "interceptors", threat.intruder.key)
    rolls = battle.rolls(len(squadron.active) * squadron.weapons("interceptor"), *label)
    hits = sum(roll.face <= number for roll in rolls)
    if light_helps(battle, squadron):
        squadron.light_used = True
        low = interceptor_number(battle, squadron, spot, NUMBERS.light_interceptor)
        light = battle.rolls(len(squadron.active) * squadron.weapons("light"), *label, "light guns")
        hits += sum(roll.face <= low for roll in light)
        rolls += light
        number = number if squadron.weapons("interceptor") else low
    tell_intercept(battle, squadron.name, squadron, threat, spot, number, rolls, hits, rule)
    take_hits(battle, threat.intruder, hits, squadron.key)


def tell_intercept(
    battle: Battle,
    reactor: str,
    unit: Squadron | Flight | None,
    threat: Threat,
    spot: Spot,
    number: int,
    rolls: list[Roll],
    hits: int,
    rule: str,
) -> None:
    intruder = threat.intruder
    kills = hits if isinstance(intruder, Flight) else min(hits, intruder.missiles)
    facts = {
        "reactor": reactor,
        "intruder": intruder.name,
        "kind": "flight" if isinstance(intruder, Flight) else "missiles",
        "point": list(spot),
        "number": number,
        "dice": [roll.face for roll in rolls],
        "kills": kills,
        "side": unit.side if unit else "",
    }
    about = [unit, intruder if isinstance(intruder, Flight) else intruder.launcher]
    battle.tell("intercept", rule, facts, about, rolls)


def take_hits(battle: Battle, intruder: Intruder, hits: int, by: str) -> None:
    if isinstance(intruder, Missile):
        intruder.missiles = max(0, intruder.missiles - hits)
    elif hits:
        dodge(battle, intruder, hits, by)


def dodge_number(flight: Flight, bonus: int = 0) -> int:
    """BS-FTR-3: 3; Veteran Fighters 4; evading one more."""
    veteran = "Veteran Fighters" in flight.traits
    if veteran and flight.home is not None:
        flight.home.traits_seen.add("Veteran Fighters")
    return NUMBERS.dodge + int(veteran) + bonus


def dodge(battle: Battle, flight: Flight, hits: int, by: str, bonus: int = 0) -> int:
    """BS-FTR-3: hits not dodged destroy a wing each; gives the wings lost."""
    need = dodge_number(flight, bonus)
    rolls = battle.rolls(hits, flight.key, "dodges", by)
    lost = min(flight.wings, sum(roll.face > need for roll in rolls))
    flight.wings -= lost
    points = lost * LIMITS.wing_vp
    score(battle, battle.enemy(flight.side), points)
    facts = {
        "flight": flight.name,
        "dice": [roll.face for roll in rolls],
        "need": need,
        "lost": lost,
        "wings": flight.wings,
        "vp": points,
        "side": flight.side,
        "at": [flight.x, flight.y],
    }
    battle.tell("dodge", "BS-FTR-3", facts, (flight,), rolls)
    return lost


# --- who reacts ------------------------------------------------------------------------------------------------------


def protectors(target: Squadron) -> list[Squadron]:
    """BS-INT-4: squadrons of the same taskforce with a ship within 3.00" of the attacked squadron, by name."""
    if target.taskforce is None:
        return []
    mates = [s for s in target.taskforce.living if s is not target]
    near = [s for s in mates if any_within(s.active, target.present, LIMITS.protection)]
    return sorted(near, key=lambda squadron: squadron.name)


def defend(battle: Battle, threat: Threat, spot: Spot) -> None:
    """BS-MSL-5, BS-FTR-8: on arrival the target fires, then its protectors, until nothing is left."""
    target = threat.target
    if isinstance(target, Quadrant):
        _defend_quadrant(battle, target, threat, spot)
        return
    if not isinstance(target, Squadron):
        return
    for squadron in (target, *protectors(target)):
        if threat.number <= 0:
            return
        if can_react(battle, squadron) and is_willing(doctrine_of(battle, squadron), threat, squadron):
            rule = "BS-MSL-5" if squadron is target else "BS-INT-4"
            react(battle, squadron, threat, spot, rule)


def _defend_quadrant(battle: Battle, quadrant: Quadrant, threat: Threat, spot: Spot) -> None:
    """BS-PLN-9: interceptors of the attacked quadrant, once in an enemy activation."""
    guns = quadrant.count("interceptor")
    if quadrant.reacted or not guns or threat.number <= 0:
        return
    quadrant.reacted = True
    number = NUMBERS.interceptor - (0 if quadrant.body.is_moon else 1)
    rolls = battle.rolls(guns, quadrant.key, "interceptors", threat.intruder.key)
    hits = sum(roll.face <= number for roll in rolls)
    tell_intercept(battle, quadrant.name, None, threat, spot, number, rolls, hits, "BS-PLN-9")
    take_hits(battle, threat.intruder, hits, quadrant.key)


def fire_own(battle: Battle, squadron: Squadron) -> None:
    """BS-INT-2: in its own A3, once, at the nearest enemy flight within 1.00"."""
    use = guns_of(battle, squadron).use
    armed = squadron.weapons("interceptor") > 0 or (use == "interceptor" and light_helps(battle, squadron))
    if squadron.reacted or not squadron.active or not armed or not battle.flights:
        return
    doctrine = doctrine_of(battle, squadron)
    near = []
    for flight in battle.enemy_flights(squadron.side):
        if flight.ground or not is_willing(doctrine, Threat(flight, None), squadron):
            continue
        gap = min(squared(ship.spot, flight.spot) for ship in squadron.active)
        if gap <= (LIMITS.reaction + squadron.cls.radius) ** 2:
            near.append((gap, flight.name, flight))
    if not near:
        return
    flight = min(near, key=lambda one: one[:2])[2]
    spared = use != "interceptor" and not squadron.light_used
    squadron.light_used = squadron.light_used or spared
    react(battle, squadron, Threat(flight, None), flight.spot, "BS-INT-2")
    if spared:
        squadron.light_used = False


def passing(squadron: Squadron, start: Spot) -> bool:
    """BS-INT-6: whether a flight that begins its move here is already inside the squadron's reach."""
    return any(within(ship.spot, start, LIMITS.reaction + ship.cls.radius) for ship in squadron.active)

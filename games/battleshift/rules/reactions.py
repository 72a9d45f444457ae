"""Reactions along a way: flights that intercept, squadrons that are passed, dogfights (BS-FTR-10..17, BS-MSL-5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from games.battleshift.data import LIMITS, NUMBERS
from games.battleshift.orders.words import Fly, Guard, IfIntercepted, Intercept
from games.battleshift.rules.interceptors import (
    Threat,
    can_react,
    doctrine_of,
    dodge,
    is_willing,
    passing,
    react,
    take_hits,
    tell_intercept,
)
from games.battleshift.rules.planning import Missile
from games.battleshift.rules.sight import limited
from games.battleshift.rules.table import Battle
from games.battleshift.rules.units import BIGGEST_RADIUS, Flight, Quadrant, Squadron
from pbem.kit.plane import Spot, along, approach, least_squared, path_share, within

FLIGHTS_FIRST, SQUADRONS_LAST = 0, 1


@dataclass
class Reaction:
    """Somebody who may react at a part of the way."""

    share: Fraction
    rank: int
    name: str
    unit: Flight | Squadron
    point: Spot


def fighter_number(flight: Flight, target: object = None) -> int:
    """BS-FTR-7: 3, Elite 4; one more against a station; suppression and cover do not matter."""
    elite = "Elite Fighters" in flight.traits
    if elite and flight.home is not None:
        flight.home.traits_seen.add("Elite Fighters")
    station = isinstance(target, Squadron) and target.cls.is_station
    return limited(NUMBERS.fighter + int(elite) + int(station))


def touching(battle: Battle, flight: Flight) -> list[Flight]:
    """2.5, `engaged`: enemy flights in contact, by name."""
    foes = [f for f in battle.enemy_flights(flight.side) if within(f.spot, flight.spot, LIMITS.contact)]
    return sorted((f for f in foes if f.ground == flight.ground), key=lambda f: f.name)


def reactions(battle: Battle, threat: Threat, start: Spot, end: Spot, begun: Spot) -> list[Reaction]:
    """BS-MSL-5, BS-FTR-8: in order of closest approach; of equals flights first, then by name."""
    found = [*_flights(battle, threat, start, end), *_squadrons(battle, threat, start, end, begun)]
    return sorted(found, key=lambda one: (one.share, one.rank, one.name))


def _flights(battle: Battle, threat: Threat, start: Spot, end: Spot) -> Iterable[Reaction]:
    for flight in battle.enemy_flights(threat.intruder.side):
        if flight.reacted or flight.ground or not _flight_willing(battle, flight, threat):
            continue
        point = along(start, end, *path_share(start, end, flight.spot))
        chase = LIMITS.chase if battle.is_controlled(flight) else LIMITS.chase_uncontrolled
        if within(flight.spot, point, chase):
            yield Reaction(approach(start, end, flight.spot), FLIGHTS_FIRST, flight.name, flight, point)


def _flight_willing(battle: Battle, flight: Flight, threat: Threat) -> bool:
    """BS-INT-7 for flights; a guard only meets what is aimed at its charge."""
    doctrine = battle.book(flight).own(flight.name, "intercept", Guard) or battle.book(flight).own(
        flight.name, "intercept", Intercept
    )
    if isinstance(doctrine, Guard):
        target = threat.target
        if isinstance(target, Squadron) and target.taskforce is not None and target.taskforce.name == doctrine.unit:
            return True
        name = getattr(target, "name", "")
        body = target.body.name if isinstance(target, Quadrant) else ""
        return doctrine.unit in (name, body)
    return is_willing(doctrine or Intercept(), threat, flight)


def _squadrons(battle: Battle, threat: Threat, start: Spot, end: Spot, begun: Spot) -> Iterable[Reaction]:
    foe = battle.enemy(threat.intruder.side)
    reach = LIMITS.reaction + BIGGEST_RADIUS
    close: dict[Squadron, tuple[Fraction, Spot]] = {}
    for ship in sorted(battle.index[foe].near((start, end), reach), key=lambda s: (s.squadron.name, s.number)):
        squadron = ship.squadron
        if ship.status != "active" or squadron is threat.target or not can_react(battle, squadron):
            continue
        gap = least_squared(start, end, ship.spot)
        if gap <= (LIMITS.reaction + ship.cls.radius) ** 2 and (squadron not in close or gap < close[squadron][0]):
            close[squadron] = (gap, ship.spot)
    for squadron, (_, spot) in close.items():
        own = isinstance(threat.intruder, Flight) and passing(squadron, begun)
        if own or not is_willing(doctrine_of(battle, squadron), threat, squadron):
            continue
        point = along(start, end, *path_share(start, end, spot))
        yield Reaction(approach(start, end, spot), SQUADRONS_LAST, squadron.name, squadron, point)


def meet(battle: Battle, threat: Threat, start: Spot, end: Spot, begun: Spot) -> Spot | None:
    """Let all reactions along a leg happen; gives the point where a dogfight ended the move, or None."""
    for reaction in reactions(battle, threat, start, end, begun):
        if threat.number <= 0:
            return None
        unit = reaction.unit
        if isinstance(unit, Squadron):
            if can_react(battle, unit):
                react(battle, unit, threat, reaction.point)
            continue
        ready = not unit.reacted and unit.wings > 0 and not touching(battle, unit)
        if ready and intercept(battle, unit, threat, reaction.point):
            return reaction.point
    return None


def intercept(battle: Battle, flight: Flight, threat: Threat, point: Spot) -> bool:
    """BS-FTR-12..14: the flight moves to the point and fights; True: the intruder's move ends there."""
    flight.reacted = True
    flight.x, flight.y = point
    intruder = threat.intruder
    if isinstance(intruder, Missile):
        number = fighter_number(flight)
        rolls = battle.rolls(flight.wings, flight.key, "shoots at", intruder.key)
        hits = sum(roll.face <= number for roll in rolls)
        tell_intercept(battle, flight.name, flight, threat, point, number, rolls, hits, "BS-FTR-13")
        take_hits(battle, intruder, hits, flight.key)
        return False
    evading = answer(battle, intruder, threat.target or intruder.aimed) == "evade"
    exchange(battle, intruder, flight, point, evading)
    return not evading


def answer(battle: Battle, flight: Flight, target: object) -> str:
    """BS-FTR-14: by doctrine; silent flights evade on their way to a squadron, station or quadrant."""
    doctrine = battle.book(flight).own(flight.name, "if intercepted", IfIntercepted)
    if doctrine is not None:
        return doctrine.what
    return "evade" if isinstance(target, Squadron | Quadrant) else "dogfight"


def exchange(battle: Battle, mover: Flight, other: Flight, point: Spot, evading: bool, rule: str = "BS-FTR-14") -> None:
    """BS-FTR-10, BS-FTR-14: both roll at once, then both dodge; an evader shoots at two less and dodges one better."""
    number = fighter_number(mover) - (NUMBERS.evade_penalty if evading else 0)
    number = limited(number)
    return_number = fighter_number(other)
    label = (mover.key, "against", other.key, rule)
    mine = battle.rolls(mover.wings, *label, "attack")
    theirs = battle.rolls(other.wings, *label, "answer")
    hits = sum(roll.face <= number for roll in mine)
    taken = sum(roll.face <= return_number for roll in theirs)
    facts = {
        "flights": [mover.name, other.name],
        "sides": [mover.side, other.side],
        "numbers": [number, return_number],
        "dice": [[roll.face for roll in mine], [roll.face for roll in theirs]],
        "hits": [hits, taken],
        "point": list(point),
    }
    at = len(battle.events)
    lost = dodge(battle, mover, taken, f"{other.key}/{rule}", int(evading)) if taken else 0
    downed = dodge(battle, other, hits, f"{mover.key}/{rule}") if hits else 0
    later = battle.events[at:]
    del battle.events[at:]
    kind = "evade" if evading else "dogfight"
    battle.tell(kind, rule, {**facts, "losses": [lost, downed]}, (mover, other), (*mine, *theirs))
    battle.events.extend(later)


def current_order(battle: Battle, flight: Flight) -> Fly:
    return battle.book(flight).own(flight.name, "fly", Fly) or Fly()

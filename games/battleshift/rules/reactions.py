"""Reactions along a way: flights that intercept, squadrons that are passed, dogfights (BS-FTR-10..17, BS-MSL-5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from games.battleshift.data import LIMITS, NUMBERS
from games.battleshift.orders.records import Fly, Guard, IfIntercepted, Intercept
from games.battleshift.rules import interceptors
from games.battleshift.rules.interceptors import Threat
from games.battleshift.rules.planning import Missile
from games.battleshift.rules.sight import limited
from games.battleshift.rules.units import BIGGEST_RADIUS, Flight, Quadrant, Squadron
from games.battleshift.table import Table, faces, scored
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
    station = isinstance(target, Squadron) and target.cls.is_station
    return limited(NUMBERS.fighter + int(flight.has("Elite Fighters")) + int(station))


def touching(table: Table, flight: Flight) -> list[Flight]:
    """2.5, `engaged`: enemy flights in contact, by name."""
    foes = [f for f in table.enemy_flights(flight.side) if within(f.spot, flight.spot, LIMITS.contact)]
    return sorted((f for f in foes if f.now.ground == flight.now.ground), key=lambda f: f.name)


def reactions(table: Table, threat: Threat, start: Spot, end: Spot, begun: Spot) -> list[Reaction]:
    """BS-MSL-5, BS-FTR-8: in order of closest approach; of equals flights first, then by name."""
    willing = [*_flights(table, threat, start, end), *_squadrons(table, threat, start, end, begun)]
    return sorted(willing, key=lambda reaction: (reaction.share, reaction.rank, reaction.name))


def _flights(table: Table, threat: Threat, start: Spot, end: Spot) -> Iterable[Reaction]:
    for flight in table.enemy_flights(threat.intruder.side):
        if flight.now.reacted or flight.now.ground or not _flight_willing(table, flight, threat):
            continue
        point = along(start, end, *path_share(start, end, flight.spot))
        chase = LIMITS.chase if table.is_controlled(flight) else LIMITS.chase_uncontrolled
        if within(flight.spot, point, chase):
            yield Reaction(approach(start, end, flight.spot), FLIGHTS_FIRST, flight.name, flight, point)


def _flight_willing(table: Table, flight: Flight, threat: Threat) -> bool:
    """BS-INT-7 for flights; a guard only meets what is aimed at its charge."""
    doctrine = table.book(flight).own(flight.name, "intercept", Guard) or table.book(flight).own(
        flight.name, "intercept", Intercept
    )
    if isinstance(doctrine, Guard):
        target = threat.target
        if isinstance(target, Squadron) and target.taskforce is not None and target.taskforce.name == doctrine.unit:
            return True
        name = getattr(target, "name", "")
        body = target.body.name if isinstance(target, Quadrant) else ""
        return doctrine.unit in (name, body)
    return interceptors.is_willing(doctrine or Intercept(), threat, flight)


def _squadrons(table: Table, threat: Threat, start: Spot, end: Spot, begun: Spot) -> Iterable[Reaction]:
    foe = table.enemy(threat.intruder.side)
    reach = LIMITS.reaction + BIGGEST_RADIUS
    close: dict[Squadron, tuple[Fraction, Spot]] = {}
    for ship in sorted(table.index[foe].near((start, end), reach), key=lambda s: (s.squadron.name, s.number)):
        squadron = ship.squadron
        if ship.now.status != "active" or squadron is threat.target or not interceptors.can_react(table, squadron):
            continue
        gap = least_squared(start, end, ship.spot)
        if gap <= (LIMITS.reaction + ship.cls.radius) ** 2 and (squadron not in close or gap < close[squadron][0]):
            close[squadron] = (gap, ship.spot)
    for squadron, (_, spot) in close.items():
        # BS-INT-6: not at a flight that begins its move inside the squadron's reach.
        inside = isinstance(threat.intruder, Flight) and squadron.acts_near(begun, LIMITS.reaction)
        if inside or not interceptors.is_willing(interceptors.doctrine_of(table, squadron), threat, squadron):
            continue
        point = along(start, end, *path_share(start, end, spot))
        yield Reaction(approach(start, end, spot), SQUADRONS_LAST, squadron.name, squadron, point)


def meet(table: Table, threat: Threat, start: Spot, end: Spot, begun: Spot) -> Spot | None:
    """Let all reactions along a leg happen; gives the point where a dogfight ended the move, or None."""
    for reaction in reactions(table, threat, start, end, begun):
        if threat.number <= 0:
            return None
        unit = reaction.unit
        if isinstance(unit, Squadron):
            if interceptors.can_react(table, unit):
                interceptors.react(table, unit, threat, reaction.point)
            continue
        ready = not unit.now.reacted and unit.now.wings > 0 and not touching(table, unit)
        if ready and intercept(table, unit, threat, reaction.point):
            return reaction.point
    return None


def intercept(table: Table, flight: Flight, threat: Threat, point: Spot) -> bool:
    """BS-FTR-12..14: the flight moves to the point and fights; True: the intruder's move ends there."""
    flight.change(reacted=True, x=point.x, y=point.y)
    intruder = threat.intruder
    if isinstance(intruder, Missile):
        number = fighter_number(flight)
        rolls = table.rolls(flight.now.wings, flight.key, "shoots at", intruder.key)
        hits = scored(rolls, number)
        interceptors.shoot_down(table, flight, threat, point, number, rolls, hits, "BS-FTR-13")
        return False
    evading = answer(table, intruder, threat.target or intruder.aimed) == "evade"
    exchange(table, intruder, flight, point, evading=evading)
    return not evading


def answer(table: Table, flight: Flight, target: object) -> str:
    """BS-FTR-14: by doctrine; silent flights evade on their way to a squadron, station or quadrant."""
    doctrine = table.book(flight).own(flight.name, "if intercepted", IfIntercepted)
    if doctrine is not None:
        return doctrine.what
    return "evade" if isinstance(target, Squadron | Quadrant) else "dogfight"


def exchange(
    table: Table, mover: Flight, other: Flight, point: Spot, *, evading: bool, rule: str = "BS-FTR-14"
) -> None:
    """BS-FTR-10, BS-FTR-14: both roll at once, then both dodge; an evader shoots at two less and dodges one better."""
    number = fighter_number(mover) - (NUMBERS.evade_penalty if evading else 0)
    number = limited(number)
    return_number = fighter_number(other)
    label = (mover.key, "against", other.key, rule)
    mine = table.rolls(mover.now.wings, *label, "attack")
    theirs = table.rolls(other.now.wings, *label, "answer")
    hits = scored(mine, number)
    taken = scored(theirs, return_number)
    facts = {
        "flights": [mover.name, other.name],
        "sides": [mover.side, other.side],
        "numbers": [number, return_number],
        "dice": [faces(mine), faces(theirs)],
        "hits": [hits, taken],
        "point": list(point),
    }
    at = len(table.events)
    lost = interceptors.dodge(table, mover, taken, f"{other.key}/{rule}", int(evading)) if taken else 0
    downed = interceptors.dodge(table, other, hits, f"{mover.key}/{rule}") if hits else 0
    later = table.events[at:]
    del table.events[at:]
    kind = "evade" if evading else "dogfight"
    table.tell_in_sight(kind, rule, (mover, other), {**facts, "losses": [lost, downed]}, (*mine, *theirs))
    table.events.extend(later)


def current_order(table: Table, flight: Flight) -> Fly:
    return table.book(flight).own(flight.name, "fly", Fly) or Fly()

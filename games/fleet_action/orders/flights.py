"""Orders to flights: launch, missions and doctrine (FA-FTR, FA-DOG)."""

from __future__ import annotations

from collections.abc import Callable

from games.fleet_action.orders.records import BreakoffOrder, FlightDoctrineOrder, LaunchOrder, MissionOrder, Order
from games.fleet_action.orders.words import UNKNOWN, Verb, Words
from games.fleet_action.tables import TABLES
from pbem.kit.sheet import nearest

TOO_FAR = "FA-E-26"
FLYING = ("turn", "reaction")


def read_launch(words: Words) -> Order:
    """FA-FTR-2: ``launch pulse 2 FS``."""
    pulse = words.pulse()
    arc = words.arc()
    words.end()
    return LaunchOrder(words.line.unit, pulse, arc)


def read_mission(words: Words) -> Order:
    """FA-FTR-1: ``mission strike Kha'Mak prefer G'Quan-1`` and the like."""
    readers = {"superiority": _superiority, "strike": _strike, "escort": _escort, "land": _land}
    return readers[words.need(*readers)](words)


def _superiority(words: Words) -> Order:
    zone = words.hex()
    radius = TABLES.patrol_radius
    if words.take("radius"):
        radius = _at_most(words, words.number("a radius"), TABLES.largest_patrol_radius, "radius")
    words.end()
    return MissionOrder(words.line.unit, "superiority", zone=zone, radius=radius)


def _strike(words: Words) -> Order:
    goal = words.enemy_squadron()
    prefer = ""
    if words.take("prefer"):
        squadron = words.desk.table.squadrons[goal]
        ships = [ship.name for ship in words.desk.table.members(squadron)]
        prefer = words.name(ships, "FA-E-17", f"a ship of {goal}")
    words.end()
    return MissionOrder(words.line.unit, "strike", goal, prefer)


def _escort(words: Words) -> Order:
    desk = words.desk
    flights = [flight.name for flight in desk.own_flights() if flight.name != words.line.unit]
    known = [squadron.name for squadron in desk.own_squadrons()] + flights
    goal = words.name(known, UNKNOWN, "a squadron or flight of yours")
    station = TABLES.station
    if words.take("station"):
        station = _at_most(words, words.number("a station"), TABLES.largest_station, "station")
    words.end()
    return MissionOrder(words.line.unit, "escort", goal, station=station)


def _land(words: Words) -> Order:
    goal = words.own_ship()
    words.end()
    return MissionOrder(words.line.unit, "land", goal)


def _at_most(words: Words, value: int, limit: int, what: str) -> int:
    """FA-E-26: beyond the limit, the limit is used."""
    if value <= limit:
        return value
    reason = f"{what} {value} asked, the limit is {limit}"
    words.desk.remark(words.line, TOO_FAR, reason, f"{what} {limit}", f"{what} {limit} is used")
    return limit


def _choice(name: str, *options: str) -> Callable[[Words], Order]:
    """A doctrine with a few words to choose from."""

    def read(words: Words) -> Order:
        value = words.need(*options)
        words.end()
        return FlightDoctrineOrder(words.line.unit, name, value)

    return read


def read_dogfight(words: Words) -> Order:
    """FA-DOG-4: the enemy fighter class it is directed at."""
    key = words.word("a fighter class").casefold()
    known = words.desk.table.cards.fighters
    if key not in known:
        close = nearest(key, known)
        raise words.syntax(f"no fighter class '{key}'" + (f"; did you mean '{close}'?" if close else ""))
    words.end()
    return FlightDoctrineOrder(words.line.unit, "dogfight", key)


def read_breakoff(words: Words) -> Order:
    words.end()
    return BreakoffOrder(words.line.unit)


_FLIGHT = ("flight",)


def _doctrine(name: str, *options: str) -> Verb:
    usage = " or ".join(f"{name.replace('_', '-')} {option}" for option in options)
    return Verb(_FLIGHT, _choice(name, *options), usage, standing=True, single=True, stages=FLYING)


VERBS = {
    "launch": Verb(_FLIGHT, read_launch, "launch pulse 2 FS", single=True, stages=FLYING),
    "mission": Verb(_FLIGHT, read_mission, "mission strike Kha'Mak prefer G'Quan-1", single=True, stages=FLYING),
    "land": Verb(_FLIGHT, _land, "land Avenger-1", single=True, stages=FLYING),
    "burn": _doctrine("burn", "auto", "no"),
    "react": _doctrine("react", "ships", "none"),
    "absorb-af": _doctrine("absorb_af", "yes", "no"),
    "after": _doctrine("after", "return", "patrol"),
    "dogfight": Verb(_FLIGHT, read_dogfight, "dogfight frazi", standing=True, single=True, stages=FLYING),
    "force": _doctrine("force", "yes", "no"),
    "join": _doctrine("join", "yes", "no"),
    "losses": _doctrine("losses", "concentrate", "spread"),
    "breakoff": Verb(_FLIGHT, read_breakoff, "breakoff", single=True),
}

"""Orders to flights: launch, missions and doctrine (FA-FTR, FA-DOG)."""

from __future__ import annotations

from collections.abc import Callable

from games.fleet_action.data import TABLES
from games.fleet_action.orders.desk import UNKNOWN
from games.fleet_action.orders.readers import MOVING, Verb, reads
from games.fleet_action.orders.records import BreakoffOrder, FlightDoctrineOrder, LaunchOrder, MissionOrder, Order
from games.fleet_action.orders.words import NOT_AN_ENEMY, Words

TOO_FAR = "FA-E-26"


def read_mission(words: Words) -> Order:
    """FA-FTR-1: ``mission strike Kha'Mak prefer G'Quan-1`` and the like."""
    readers = {"superiority": _superiority, "strike": _strike, "escort": _escort, "land": _land}
    return readers[words.need(*readers)](words)


def _superiority(words: Words) -> Order:
    zone = words.hex()
    radius = _at_most(words, "radius", TABLES.patrol_radius, TABLES.largest_patrol_radius)
    return MissionOrder(words.line.unit, "superiority", zone=zone, radius=radius)


def _strike(words: Words) -> Order:
    goal = words.enemy_squadron()
    prefer = ""
    if words.take("prefer"):
        table = words.desk.table
        prefer = words.unit(table.members(table.squadrons[goal]), NOT_AN_ENEMY, f"a ship of {goal}")
    return MissionOrder(words.line.unit, "strike", goal, prefer)


def _escort(words: Words) -> Order:
    others = [flight for flight in words.desk.own_flights() if flight.name != words.line.unit]
    goal = words.unit([*words.desk.own_squadrons(), *others], UNKNOWN, "a squadron or flight of yours")
    station = _at_most(words, "station", TABLES.station, TABLES.largest_station)
    return MissionOrder(words.line.unit, "escort", goal, station=station)


def _land(words: Words) -> Order:
    return MissionOrder(words.line.unit, "land", words.own_ship())


def _at_most(words: Words, what: str, default: int, limit: int) -> int:
    """FA-E-26: ``radius 4``, ``station 2``; beyond the limit, the limit is used."""
    if not words.take(what):
        return default
    rest = words.rest
    value = words.number(f"a {what}")
    if value <= limit:
        return value
    words.propose(rest, str(value), str(limit))
    reason = f"{what} {value} asked, the limit is {limit}"
    words.desk.warn(words.line, TOO_FAR, reason, f"{what} {limit}", f"{what} {limit} is used")
    return limit


def _fighter_class(words: Words) -> str:
    return words.key("a fighter class", words.desk.table.cards.fighters)


_FLIGHT = ("flight",)


def _doctrine(name: str, value: Callable[[Words], str], usage: str) -> Verb:
    """FA-DOC-7: a habit of the flight, which may stand."""
    read = reads(lambda unit, chosen: FlightDoctrineOrder(unit, name, chosen), value)
    return Verb(_FLIGHT, read, usage, standing=True, single=True, stages=MOVING)


def _choice(name: str, *options: str) -> Verb:
    """A doctrine with a few words to choose from."""
    usage = " or ".join(f"{name.replace('_', '-')} {option}" for option in options)
    return _doctrine(name, lambda words: words.need(*options), usage)


_LAUNCH = reads(LaunchOrder, Words.pulse, Words.arc)
VERBS = {
    "launch": Verb(_FLIGHT, _LAUNCH, "launch pulse 2 FS", single=True, stages=MOVING),
    "mission": Verb(_FLIGHT, read_mission, "mission strike Kha'Mak prefer G'Quan-1", single=True, stages=MOVING),
    "land": Verb(_FLIGHT, _land, "land Avenger-1", single=True, stages=MOVING),
    "burn": _choice("burn", "auto", "no"),
    "react": _choice("react", "ships", "none"),
    "absorb-af": _choice("absorb_af", "yes", "no"),
    "after": _choice("after", "return", "patrol"),
    "dogfight": _doctrine("dogfight", _fighter_class, "dogfight frazi"),
    "force": _choice("force", "yes", "no"),
    "join": _choice("join", "yes", "no"),
    "losses": _choice("losses", "concentrate", "spread"),
    "breakoff": Verb(_FLIGHT, reads(BreakoffOrder), "breakoff", single=True),
}

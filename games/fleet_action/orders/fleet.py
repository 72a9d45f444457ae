"""Orders of the side itself: sequence, flagship, forced-first pulse, abilities, end (FA-SEQ, FA-CMD, FA-ABL-7)."""

from __future__ import annotations

from games.fleet_action.orders.records import (
    FirstOrder,
    FlagOrder,
    OfferEndOrder,
    Order,
    OutsideOrder,
    SequenceOrder,
    UseOrder,
)
from games.fleet_action.orders.words import IGNORED, Verb, Words
from games.fleet_action.tables import TABLES
from pbem.kit.sheet import BadOrder, nearest


def read_sequence(words: Words) -> Order:
    squadrons = words.own_squadrons()
    words.end()
    return SequenceOrder(words.line.unit, squadrons)


def read_first(words: Words) -> Order:
    """FA-CMD-8b: ``first pulse 2``."""
    pulse = words.pulse(default=0)
    if not pulse:
        raise words.syntax("the pulse is missing")
    words.end()
    return FirstOrder(words.line.unit, pulse)


def read_flag(words: Words) -> Order:
    ship = words.own_ship()
    words.end()
    return FlagOrder(words.line.unit, ship)


def read_outside(words: Words) -> Order:
    squadrons = words.own_squadrons()
    words.end()
    return OutsideOrder(words.line.unit, squadrons)


def read_use(words: Words) -> Order:
    """FA-ABL-7: ``use priority-support Oracle-1 for Bravo``."""
    key = words.word("an ability").casefold()
    if key not in TABLES.ability:
        close = nearest(key, TABLES.ability)
        raise words.syntax(f"no ability '{key}'" + (f"; did you mean '{close}'?" if close else ""))
    if key != "priority-support":
        reason = f"'{key}' needs no 'use'; it serves by itself or by an order of its own"
        raise BadOrder("FA-E-27", reason, "use priority-support Oracle-1 for Bravo", IGNORED)
    ship = words.own_ship() if words.rest and not words.rest.casefold().startswith("for ") else ""
    serves = words.own_squadron() if words.take("for") else ""
    words.end()
    if not ship or not serves:
        raise words.syntax("an ELINT ship and the squadron it supports are needed")
    return UseOrder(words.line.unit, key, ship, serves)


def read_offer(words: Words) -> Order:
    words.end()
    return OfferEndOrder(words.line.unit)


_FLEET = ("fleet",)
_MOVING = ("turn", "reaction")
VERBS = {
    "sequence": Verb(_FLEET, read_sequence, "sequence Bravo, Alpha", standing=True, single=True, stages=_MOVING),
    "first": Verb(_FLEET, read_first, "first pulse 2", single=True),
    "flag": Verb(_FLEET, read_flag, "flag Primus-1"),
    "outside": Verb(_FLEET, read_outside, "outside Delta"),
    "use": Verb(_FLEET, read_use, "use priority-support Oracle-1 for Bravo", single=True),
    "offer end": Verb(_FLEET, read_offer, "offer end", single=True),
}

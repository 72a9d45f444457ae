"""Orders of the side itself: sequence, flagship, forced-first pulse, abilities, end (FA-SEQ, FA-CMD, FA-ABL-7)."""

from __future__ import annotations

from games.fleet_action.data import TABLES
from games.fleet_action.orders.desk import IGNORED
from games.fleet_action.orders.readers import MOVING, Verb, reads
from games.fleet_action.orders.records import (
    FirstOrder,
    FlagOrder,
    OfferEndOrder,
    Order,
    OutsideOrder,
    SequenceOrder,
    UseOrder,
)
from games.fleet_action.orders.words import Words
from pbem.kit.sheet import BadOrder


def read_first(words: Words) -> Order:
    """FA-CMD-8b: ``first pulse 2``."""
    pulse = words.pulse(default=0)
    if not pulse:
        raise words.syntax("the pulse is missing")
    return FirstOrder(words.line.unit, pulse)


def read_use(words: Words) -> Order:
    """FA-ABL-7: ``use priority-support Oracle-1 for Bravo``."""
    key = words.key("an ability", TABLES.ability)
    if key != "priority-support":
        reason = f"'{key}' needs no 'use'; it serves by itself or by an order of its own"
        raise BadOrder("FA-E-27", reason, "use priority-support Oracle-1 for Bravo", IGNORED)
    ship = words.own_ship() if words.rest and not words.rest.casefold().startswith("for ") else ""
    serves = words.own_squadron() if words.take("for") else ""
    words.end()
    if not ship or not serves:
        raise words.syntax("an ELINT ship and the squadron it supports are needed")
    return UseOrder(words.line.unit, key, ship, serves)


_FLEET = ("fleet",)
_SEQUENCE = reads(SequenceOrder, Words.own_squadrons)
VERBS = {
    "sequence": Verb(_FLEET, _SEQUENCE, "sequence Bravo, Alpha", standing=True, single=True, stages=MOVING),
    "first": Verb(_FLEET, read_first, "first pulse 2", single=True),
    "flag": Verb(_FLEET, reads(FlagOrder, Words.own_ship), "flag Primus-1"),
    "outside": Verb(_FLEET, reads(OutsideOrder, Words.own_squadrons), "outside Delta"),
    "use": Verb(_FLEET, read_use, "use priority-support Oracle-1 for Bravo", single=True),
    "offer end": Verb(_FLEET, reads(OfferEndOrder), "offer end", single=True),
}

"""Section 7: the checks that need more than one line; what is refused leaves the sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from games.fleet_action.orders import check_deployment, check_fire, check_flights, check_plot, check_ships
from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.records import AfOrder, CancelStandingOrder, FlightDoctrineOrder, Order, StandingOrder
from games.fleet_action.orders.verbs import is_single
from pbem.kit.sheet import Accepted

Chapter = Callable[[Desk], None]
CHAPTERS: tuple[Chapter, ...] = (
    check_deployment.check,
    check_ships.check,
    check_plot.check,
    check_fire.check,
    check_flights.check,
)


def check(desk: Desk, chapters: Iterable[Chapter] = CHAPTERS) -> None:
    """All checks in the order of the chapters; whoever asks about few lines may name those that concern them."""
    _refuse_duplicates(desk)
    _settle_af(desk)
    for chapter in chapters:
        chapter(desk)


def _refuse_duplicates(desk: Desk) -> None:
    """FA-E-30: of a single-valued order given twice the last counts, and the earlier is reported."""
    last: dict[object, Accepted[Order]] = {}
    for entry in list(desk.entries):
        key = _identity(entry)
        if key is None or not is_single(entry.text):
            continue
        if key in last:
            _refuse_earlier(desk, last[key], entry)
        last[key] = entry


def _refuse_earlier(desk: Desk, earlier: Accepted[Any], later: Accepted[Any]) -> None:
    reason = f"given twice for {later.order.unit}: line {earlier.line} '{earlier.text}' and line {later.line}"
    desk.refuse(earlier, "FA-E-30", reason, f"'{later.text}' counts", "the last one counts")


def _settle_af(desk: Desk) -> None:
    """FA-E-30: a unit has one AF mode a pulse; where two lines name the same pulse, the last counts in it."""
    later: dict[tuple[str, int], Accepted[AfOrder]] = {}
    for entry in reversed(desk.given(AfOrder)):
        order = entry.order
        kept = tuple(pulse for pulse in order.pulses if (order.unit, pulse) not in later)
        if kept and kept != order.pulses:
            desk.put(entry, replace(order, pulses=kept))
        elif not kept:
            _refuse_earlier(desk, entry, later[order.unit, order.pulses[0]])
        later.update({(order.unit, pulse): entry for pulse in kept})


def _identity(entry: Accepted[Order]) -> object:
    order = entry.order
    if isinstance(order, StandingOrder | CancelStandingOrder):
        return None
    if isinstance(order, FlightDoctrineOrder):
        return type(order), order.unit, order.name
    return type(order), order.unit

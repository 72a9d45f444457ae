"""Section 7: the checks that need more than one line; what is refused leaves the sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from games.fleet_action.orders import check_deployment, check_fire, check_flights, check_plot, check_ships
from games.fleet_action.orders.judging import Entries, Judge
from games.fleet_action.orders.records import AfOrder, CancelStandingOrder, FlightDoctrineOrder, Order, StandingOrder
from games.fleet_action.orders.words import Desk
from pbem.kit.sheet import Accepted, Problem

CHAPTERS: tuple[Callable[[Judge], None], ...] = (
    check_deployment.check,
    check_ships.check,
    check_plot.check,
    check_fire.check,
    check_flights.check,
)


def check(
    desk: Desk, accepted: Sequence[Accepted[Order]], is_single: Callable[[str], bool]
) -> tuple[Entries, list[Problem]]:
    """All checks in the order of the chapters; is_single tells which lines count only once."""
    judge = Judge(desk, list(accepted))
    _refuse_duplicates(judge, is_single)
    _settle_af(judge)
    for chapter in CHAPTERS:
        chapter(judge)
    return judge.entries, judge.problems


def _refuse_duplicates(judge: Judge, is_single: Callable[[str], bool]) -> None:
    """FA-E-30: of a single-valued order given twice the last counts, and the earlier is reported."""
    last: dict[object, Accepted[Order]] = {}
    for entry in list(judge.entries):
        key = _identity(entry)
        if key is None or not is_single(entry.text):
            continue
        earlier = last.get(key)
        if earlier is not None:
            reason = f"given twice for {entry.order.unit}: line {earlier.line} '{earlier.text}' and line {entry.line}"
            judge.refuse(earlier, "FA-E-30", reason, f"'{entry.text}' counts", "the last one counts")
        last[key] = entry


def _settle_af(judge: Judge) -> None:
    """FA-E-30: a unit has one AF mode a pulse; where two lines name the same pulse, the last counts in it."""
    later: dict[tuple[str, int], Accepted[AfOrder]] = {}
    for entry in reversed(judge.given(AfOrder)):
        order = entry.order
        kept = tuple(pulse for pulse in order.pulses if (order.unit, pulse) not in later)
        if kept and kept != order.pulses:
            judge.change(entry, replace(order, pulses=kept))
        elif not kept:
            last = later[order.unit, order.pulses[0]]
            reason = f"given twice for {order.unit}: line {entry.line} '{entry.text}' and line {last.line}"
            judge.refuse(entry, "FA-E-30", reason, f"'{last.text}' counts", "the last one counts")
        later.update({(order.unit, pulse): entry for pulse in kept})


def _identity(entry: Accepted[Order]) -> object:
    order = entry.order
    if isinstance(order, StandingOrder | CancelStandingOrder):
        return None
    if isinstance(order, FlightDoctrineOrder):
        return type(order), order.unit, order.name
    return type(order), order.unit

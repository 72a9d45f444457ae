"""One letter of every kind, about the same small duel."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from pbem.kit.dice import LoadedDice
from pbem.kit.game import Event, Outcome
from pbem.report.blocks import Items, Pre
from pbem.report.content import Mail, Preferences
from pbem.report.notices import answer, deadline_moved, moderator_notice, paused, refusal, reminder, resumed
from pbem.report.opening import opening
from pbem.report.pen import Pen
from pbem.report.receipt import receipt
from pbem.report.report import TurnFigures, final_report, turn_report
from pbem.report.why import why
from tests.report.duel import DUEL, SIDES, State, View, opening_state
from tests.report.seats import received, seat

ORDERS = "Alpha:\n  move SE 3\nBeta:\n  move NE 7\nGamma:\n  hold\n"
DIGEST = "ab" * 32
SECRET = "c0" * 32
UNKNOWN_KEY = "The key 'abc' is not known here."
FORM = Pre("Alpha:")


@dataclass(frozen=True)
class Turn:
    """The first turn of the duel, as both sides' bots play it and one die decides it."""

    state: State
    events: tuple[Event, ...]
    view: View
    history: tuple[TurnFigures, ...]


@lru_cache(maxsize=4)
def first_turn(side: str = "earth") -> Turn:
    before = opening_state()
    bots = {info.id: DUEL.bot(DUEL.view(before, info.id), LoadedDice()) for info in SIDES}
    sheets = {side: DUEL.read_orders(before, side, text) for side, text in bots.items()}
    resolved = DUEL.resolve(before, sheets, LoadedDice(4))
    view = DUEL.view(resolved.state, side)
    history = (TurnFigures(0, DUEL.gauges(DUEL.view(before, side))), TurnFigures(1, DUEL.gauges(view)))
    return Turn(resolved.state, resolved.events, view, history)


def the_opening(pen: Pen, **changes: Any) -> Mail:
    return opening(seat(**changes), DUEL, DUEL.view(opening_state(), "earth"), pen)


def the_receipt(pen: Pen, orders: str = ORDERS, *, filed: bool = True, **changes: Any) -> Mail:
    state = opening_state()
    sheet = DUEL.read_orders(state, "earth", orders)
    return receipt(seat(**changes), DUEL, DUEL.view(state, "earth"), sheet, received(), DIGEST, filed, pen)


def the_report(pen: Pen, **changes: Any) -> Mail:
    turn = first_turn()
    return turn_report(seat(2, **changes), DUEL, turn.view, turn.events, turn.history, SECRET, pen)


def the_final_report(pen: Pen) -> Mail:
    turn = first_turn()
    outcome = Outcome(frozenset({"earth"}), "Victory for Earth Force.", {"earth": 9, "narn": 3})
    over = seat(4, token="", deadline=None, phase="over")
    return final_report(over, DUEL, turn.view, turn.events, turn.history, SECRET, outcome, pen)


def all_letters(pen: Pen) -> dict[str, Mail]:
    turn = first_turn()
    was = datetime(2026, 11, 19, 19, 0, tzinfo=UTC)
    return {
        "opening": the_opening(pen),
        "receipt": the_receipt(pen),
        "receipt-complete": the_receipt(pen, "Alpha: move SE 3\nBeta: move SE 1\n", awaited=("Londo",)),
        "preview": the_receipt(pen, "Alpha: move SE 3\n", filed=False),
        "report": the_report(pen),
        "final": the_final_report(pen),
        "reminder": reminder(seat(), DUEL, DUEL.view(opening_state(), "earth"), pen),
        "refusal": refusal("The Harbour Club", received("hello"), UNKNOWN_KEY, "Reply to your last report.", pen),
        "answer": answer(seat(), received("status"), "Status", ["All is quiet.", Items(("Alpha: 0406",)), FORM], pen),
        "moderator": moderator_notice("A turn was held", ["Turn 3 waits for you.", Items(("Ada", "Londo"))], pen),
        "paused": paused(seat(), "The moderator is away until Monday.", pen),
        "resumed": resumed(seat(), "The moderator is back.", pen),
        "deadline": deadline_moved(seat(deadline_changes=1), was, "A holiday came between.", pen),
        "why": why(seat(2), DUEL, turn.events, "Alpha", pen),
        "text-only": the_report(pen, preferences=Preferences(text_only=True)),
    }

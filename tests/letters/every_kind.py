"""One letter of every kind, about the same small duel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from pbem.kit.choices import Choice, Closed, Number, Offer
from pbem.kit.dice import LoadedDice
from pbem.kit.game import Event, Outcome
from pbem.kit.hexgrid import DIRECTION_NAMES, neighbour
from pbem.kit.hexgrid import name as hex_name
from pbem.kit.scene import hex_point
from pbem.letters.blocks import Items, Pre
from pbem.letters.content import Mail, Preferences
from pbem.letters.notices import answer, deadline_moved, moderator_notice, paused, refusal, reminder, resumed
from pbem.letters.opening import opening
from pbem.letters.options import GroupShown, option_list
from pbem.letters.pen import Pen
from pbem.letters.receipt import receipt
from pbem.letters.report import TurnGauges, final_report, turn_report
from pbem.letters.why import why
from tests.letters.duel import DUEL, SIDES, State, View, opening_state
from tests.letters.seats import received, seat

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
    history: tuple[TurnGauges, ...]


@lru_cache(maxsize=4)
def first_turn(side: str = "earth") -> Turn:
    before = opening_state()
    bots = {info.id: DUEL.bot(DUEL.view(before, info.id), LoadedDice()) for info in SIDES}
    sheets = {side: DUEL.read_orders(before, side, text) for side, text in bots.items()}
    resolved = DUEL.resolve(before, sheets, LoadedDice(4))
    view = DUEL.view(resolved.state, side)
    history = (TurnGauges(0, DUEL.gauges(DUEL.view(before, side))), TurnGauges(1, DUEL.gauges(view)))
    return Turn(resolved.state, resolved.events, view, history)


def the_opening(pen: Pen, **changes: Any) -> Mail:
    return opening(seat(**changes), DUEL, DUEL.view(opening_state(), "earth"), pen)


def the_receipt(pen: Pen, orders: str = ORDERS, *, filed: bool = True, **changes: Any) -> Mail:
    state = opening_state()
    sheet = DUEL.read_orders(state, "earth", orders)
    return receipt(seat(**changes), DUEL, DUEL.view(state, "earth"), sheet, received(), DIGEST, pen, filed=filed)


def the_report(pen: Pen, **changes: Any) -> Mail:
    turn = first_turn()
    return turn_report(seat(2, **changes), DUEL, turn.view, turn.events, turn.history, SECRET, pen)


def the_final_report(pen: Pen) -> Mail:
    turn = first_turn()
    outcome = Outcome(frozenset({"earth"}), "Victory for Earth Force.", {"earth": 9, "narn": 3})
    over = seat(4, token="", deadline=None, phase="over")
    return final_report(over, DUEL, turn.view, turn.events, turn.history, SECRET, outcome, pen)


def the_options(pen: Pen, **changes: Any) -> Mail:
    """What Alpha can be ordered while it is to sail to the south-east."""
    state = opening_state()
    alpha = state.squadrons[0]
    view, sheet = DUEL.view(state, "earth"), DUEL.read_orders(state, "earth", "Alpha:\n  move SE 3\n")
    ends = [
        (name, hexes, neighbour(alpha.at, turn, hexes)) for turn, name in ((1, "NE"), (2, "SE")) for hexes in (2, 3)
    ]
    moves = tuple(
        Choice(
            "move",
            f"to {hex_name(end)}",
            (f"move {name} {hexes}",),
            (2,),
            at=hex_point(end),
            heading=60.0 * DIRECTION_NAMES.index(name),
            chosen=(name, hexes) == ("SE", 3),
        )
        for name, hexes, end in ends
    )
    shots = (Choice("fire", "at G'Quan", ("hold", "fire G'Quan"), note="range 7, needs 6", at=hex_point(alpha.at)),)
    closed = (Closed("move", "no turn to the south: a squadron turns one hexside at most", "DU-MOVE-2"),)
    rate = Choice("rate", "shots a turn", ("rate {}",), fill=Number(1, 3, 2))
    offer = Offer("Alpha", "Alpha: 0406 heading SE", (*moves, *shots, rate), closed)
    groups = [GroupShown(group, offer.of(group), 41 if group == "move" else 0) for group in offer.groups]
    groups[0] = replace(groups[0], closed=closed)
    orders, now = "Alpha:\n  move SE 3", DUEL.forecast(view, sheet)
    return option_list(seat(**changes), received("options Alpha"), offer, groups, orders, now, pen)


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
        "options": the_options(pen),
        "moderator": moderator_notice("A turn was held", ["Turn 3 waits for you.", Items(("Ada", "Londo"))], pen),
        "paused": paused(seat(), "The moderator is away until Monday.", pen),
        "resumed": resumed(seat(), "The moderator is back.", pen),
        "deadline": deadline_moved(seat(deadline_changes=1), was, "A holiday came between.", pen),
        "why": why(seat(2), DUEL, turn.events, "Alpha", pen),
        "text-only": the_report(pen, preferences=Preferences(text_only=True)),
    }

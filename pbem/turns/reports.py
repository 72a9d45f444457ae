"""The letters of a turn: openings, reports and last reports, each checked for leaks before it becomes a row."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from pbem.campaign.envelopes import (
    Answering,
    check_secrets,
    opening_key,
    preferences,
    report_key,
    seat_context,
    to_seat,
)
from pbem.campaign.house import House
from pbem.campaign.proving import proven
from pbem.campaign.standing import Standing, digest, read_state
from pbem.kit.game import Event, Outcome
from pbem.letters.content import Attachment, Received
from pbem.letters.narrative import seen
from pbem.letters.opening import opening
from pbem.letters.receipt import receipt
from pbem.letters.report import TurnGauges, final_report, turn_report
from pbem.play.phase import Played
from pbem.post.letter import Letter, read_letter
from pbem.store.outgoing import Draft
from pbem.store.phases import NewTurn
from pbem.store.rows import CampaignRow, NewPhase, SeatRow
from pbem.turns.opening import Opened, Unsealed


@dataclass(frozen=True)
class News:
    """What the reports of a turn tell: a phase and those that followed at once."""

    before: Standing
    played: tuple[Played, ...]
    turns: tuple[NewTurn, ...]
    """The same phases as the archive will keep them."""

    @property
    def campaign(self) -> CampaignRow:
        return self.before.campaign

    @cached_property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for played in self.played for event in played.events)

    @property
    def after(self) -> Any:
        """As it is kept, and as the next phase begins."""
        return read_state(self.before.game, self.turns[-1].state)

    @property
    def absent(self) -> tuple[str, ...]:
        """Whose orders were missing, unless the campaign hides that."""
        return () if self.campaign.hide_awaited else tuple(self.turns[0].absent)


def written_to(seats: Sequence[SeatRow]) -> tuple[SeatRow, ...]:
    """Bots read no letters."""
    return tuple(seat for seat in seats if seat.address and not seat.bot)


def opening_letters(house: House, opened: Opened, now: datetime) -> tuple[Draft, ...]:
    begin_maps(house, opened.at, ())
    return tuple(_opening_letter(house, opened, seat, now) for seat in written_to(opened.at.seats))


def begin_maps(house: House, at: Standing, events: Sequence[Event]) -> None:
    """Let all maps be drawn side by side while the letters are written one after the other."""
    wishes = [(seat.side, preferences(seat)) for seat in written_to(at.seats)]
    maps = {(side, wish.map, wish.theme): None for side, wish in wishes if not wish.text_only and wish.map != "none"}
    for side, size, theme in maps:
        house.pen.begin(at.game.scene(at.game.view(at.state, side), seen(events, side)), size, theme)


def _opening_letter(house: House, opened: Opened, seat: SeatRow, now: datetime) -> Draft:
    at = opened.at
    context = seat_context(house, at, seat, opened.tokens[seat.id])
    mail = opening(context, at.game, at.game.view(at.state, seat.side), house.pen)
    check_secrets(house, mail, at, seat)
    return to_seat(house, at.campaign, seat, mail, opening_key(at.campaign, seat), now)


def turn_letters(house: House, news: News, opened: Opened, now: datetime) -> tuple[Draft, ...]:
    """The reports of a campaign that goes on, and word to those whose sealed orders came into force."""
    begin_maps(house, opened.at, news.events)
    reports = [_turn_letter(house, news, opened, seat, now) for seat in written_to(opened.at.seats)]
    return (*reports, *_unsealed_receipts(house, opened, now))


def _turn_letter(house: House, news: News, opened: Opened, seat: SeatRow, now: datetime) -> Draft:
    at = opened.at
    context = seat_context(house, at, seat, opened.tokens[seat.id])
    view = at.game.view(at.state, seat.side)
    history = gauge_history(house, news, seat)
    secret, absent = revealed_now(news), news.absent
    mail = turn_report(context, at.game, view, news.events, history, secret, house.pen, absent)
    check_secrets(house, mail, at, seat, news.before.joined(seat.side))
    key = report_key(at.campaign, news.before.phase.number, seat)
    return to_seat(house, at.campaign, seat, mail, key, now)


def final_letters(house: House, news: News, outcome: Outcome, now: datetime) -> tuple[Draft, ...]:
    """The last reports; with them go all dice secrets, as nothing is left to hide."""
    at = replace(news.before, state=news.after)
    file = _dice_file(house, news)
    begin_maps(house, at, news.events)
    return tuple(_final_letter(house, news, at, outcome, file, seat, now) for seat in written_to(at.seats))


def _final_letter(
    house: House, news: News, at: Standing, outcome: Outcome, dice: Attachment, seat: SeatRow, now: datetime
) -> Draft:
    over = replace(at, phase=_closed(at.phase, news))
    context = seat_context(house, over, seat, "")
    view = at.game.view(at.state, seat.side)
    history = gauge_history(house, news, seat)
    secret = at.phase.secret.hex()
    mail = final_report(context, at.game, view, news.events, history, secret, outcome, house.pen, news.absent)
    check_secrets(house, mail, at, seat, news.before.joined(seat.side))
    mail = replace(mail, attachments=(*mail.attachments, dice))
    return to_seat(house, at.campaign, seat, mail, report_key(at.campaign, at.phase.number, seat), now)


def _closed(phase: NewPhase, news: News) -> NewPhase:
    """The last phase as the last report names it: nothing is awaited any more."""
    last = news.turns[-1].phase
    return NewPhase(
        campaign_id=phase.campaign_id,
        number=last.number,
        turn=last.turn,
        name=last.name,
        sides=[],
        state="",
        secret=b"",
        commitment=phase.commitment,
        opened_at=phase.opened_at,
    )


def gauge_history(house: House, news: News, seat: SeatRow) -> tuple[TurnGauges, ...]:
    """What the side knew of the strengths after each turn; of a turn with several phases, after its last."""
    by_turn: dict[int, Any] = {}
    for turn, _, gauges in house.store.phases.gauges(news.campaign.id):
        by_turn[turn] = gauges.get(seat.side, {})
    for played in news.turns:
        by_turn.pop(played.phase.turn, None)
        by_turn[played.phase.turn] = played.gauges.get(seat.side, {})
    return tuple(TurnGauges(turn, gauges) for turn, gauges in by_turn.items())


def revealed_now(news: News) -> str | None:
    """The phase's secret, where no side could learn from it what it may not know."""
    hidden = news.campaign.hidden
    if hidden is None:
        hidden = _something_hidden(news)
    return None if hidden else news.before.phase.secret.hex()


def _something_hidden(news: News) -> bool:
    game = news.before.game
    sides = [info.id for info in game.sides(news.after)]
    states = (news.before.state, news.after)
    kept = any(game.secrets(state, side) for state in states for side in sides)
    return kept or any(set(sides) - event.seen_by for event in news.events)


def _dice_file(house: House, news: News) -> Attachment:
    """All secrets of the campaign, so that anybody can recompute every roll."""
    phases: dict[int, NewPhase] = {phase.number: phase for phase in house.store.phases.all(news.campaign.id)}
    phases |= {turn.phase.number: turn.phase for turn in news.turns}
    rows = [
        {
            "phase": number,
            "turn": phases[number].turn,
            "name": phases[number].name,
            "secret": phases[number].secret.hex(),
            "commitment": phases[number].commitment,
        }
        for number in sorted(phases)
    ]
    return Attachment("dice.json", "application/json", json.dumps(rows, indent=1).encode())


def _unsealed_receipts(house: House, opened: Opened, now: datetime) -> tuple[Draft, ...]:
    at = opened.at
    seats = {seat.id: seat for seat in written_to(at.seats)}
    return tuple(
        _unsealed_receipt(house, opened, seats[number], orders, now)
        for number, orders in opened.unsealed.items()
        if number in seats
    )


def _unsealed_receipt(house: House, opened: Opened, seat: SeatRow, orders: Unsealed, now: datetime) -> Draft:
    """The orders that waited are in force: what they came to in the situation as it is."""
    at = opened.at
    context = seat_context(house, at, seat, opened.tokens[seat.id])
    row = house.store.letters.get(orders.letter_id)
    view = at.game.view(at.state, seat.side)
    answered, mark = received(row.raw, row.arrived_at), digest(orders.text)
    problems = proven(at.game, at.state, seat.side, orders.text, orders.sheet.problems, orders.sheet)
    mail = receipt(context, at.game, view, orders.sheet, answered, mark, house.pen, problems, filed=True)
    check_secrets(house, mail, at, seat, orders.text)
    key = f"unsealed/{at.campaign.slug}/{at.phase.number}/{seat.id}"
    return to_seat(house, at.campaign, seat, mail, key, now, Answering(orders.letter_id, row.message_id))


def received(raw: bytes, arrived: datetime) -> Received:
    """The mail that an answer names."""
    letter = read_letter(raw)
    if not isinstance(letter, Letter):
        return Received("", "", "", arrived)
    return Received(letter.subject, letter.date, letter.message_id, arrived)

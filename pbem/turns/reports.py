"""The letters of a turn: openings, reports and last reports, each checked for leaks before it becomes a row."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pbem.kit.game import Event, Outcome
from pbem.post.letter import Letter, read_letter
from pbem.report.content import Attachment, Received
from pbem.report.narrative import seen
from pbem.report.opening import opening
from pbem.report.receipt import receipt
from pbem.report.report import TurnFigures, final_report, turn_report
from pbem.store.outgoing import Draft
from pbem.store.phases import Resolved
from pbem.store.rows import Campaign, Phase, Seat
from pbem.turns.envelopes import Answering, check_secrets, opening_key, preferences, seat_context, to_seat
from pbem.turns.house import House
from pbem.turns.opening import Opened
from pbem.turns.standing import Standing, digest


@dataclass(frozen=True)
class Happened:
    """A phase and those that followed at once, as the reports tell them."""

    campaign: Campaign
    resolved: tuple[Resolved, ...]
    events: tuple[Event, ...]
    before: Standing
    after: Any

    @property
    def absent(self) -> tuple[str, ...]:
        """Whose orders were missing, unless the campaign hides that."""
        return () if self.campaign.hide_awaited else tuple(self.resolved[0].turn.absent)


def written_to(seats: Sequence[Seat]) -> tuple[Seat, ...]:
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


def _opening_letter(house: House, opened: Opened, seat: Seat, now: datetime) -> Draft:
    at = opened.at
    context = seat_context(house, at, seat, opened.tokens[_id(seat)])
    mail = opening(context, at.game, at.game.view(at.state, seat.side), house.pen)
    check_secrets(house, mail, at, seat)
    return to_seat(house, at.campaign, seat, mail, opening_key(at.campaign, seat), now)


def report_key(campaign: Campaign, number: int, seat: Seat) -> str:
    """Reports go by the number of the phase they tell of."""
    return f"report/{campaign.slug}/{number}/{seat.id}"


def turn_letters(house: House, happened: Happened, opened: Opened, now: datetime) -> tuple[Draft, ...]:
    """The reports of a campaign that goes on, and word to those whose sealed orders came into force."""
    begin_maps(house, opened.at, happened.events)
    reports = [_turn_letter(house, happened, opened, seat, now) for seat in written_to(opened.at.seats)]
    return (*reports, *_unsealed_receipts(house, opened, now))


def _turn_letter(house: House, happened: Happened, opened: Opened, seat: Seat, now: datetime) -> Draft:
    at = opened.at
    context = seat_context(house, at, seat, opened.tokens[_id(seat)])
    view = at.game.view(at.state, seat.side)
    history = figures(house, happened, seat)
    secret, absent = revealed_now(happened), happened.absent
    mail = turn_report(context, at.game, view, happened.events, history, secret, house.pen, absent)
    check_secrets(house, mail, at, seat, happened.before.joined(seat.side))
    key = report_key(at.campaign, happened.before.phase.number, seat)
    return to_seat(house, at.campaign, seat, mail, key, now)


def final_letters(house: House, happened: Happened, outcome: Outcome, now: datetime) -> tuple[Draft, ...]:
    """The last reports; with them go all dice secrets, as nothing is left to hide."""
    at = replace(happened.before, state=happened.after)
    file = _dice_file(house, happened)
    begin_maps(house, at, happened.events)
    return tuple(_final_letter(house, happened, at, outcome, file, seat, now) for seat in written_to(at.seats))


def _final_letter(
    house: House, happened: Happened, at: Standing, outcome: Outcome, dice: Attachment, seat: Seat, now: datetime
) -> Draft:
    over = replace(at, phase=_closed(at.phase, happened))
    context = seat_context(house, over, seat, "")
    view = at.game.view(at.state, seat.side)
    history = figures(house, happened, seat)
    secret = at.phase.secret.hex()
    mail = final_report(context, at.game, view, happened.events, history, secret, outcome, house.pen, happened.absent)
    check_secrets(house, mail, at, seat, happened.before.joined(seat.side))
    mail = replace(mail, attachments=(*mail.attachments, dice))
    return to_seat(house, at.campaign, seat, mail, report_key(at.campaign, at.phase.number, seat), now)


def _closed(phase: Phase, happened: Happened) -> Phase:
    """The last phase as the last report names it: nothing is awaited any more."""
    last = happened.resolved[-1].phase
    return Phase(
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


def figures(house: House, happened: Happened, seat: Seat) -> tuple[TurnFigures, ...]:
    """What the side knew of the strengths after each turn; of a turn with several phases, after its last."""
    assert happened.campaign.id is not None
    by_turn: dict[int, Any] = {}
    for turn, _, gauges in house.store.phases.figures(happened.campaign.id):
        by_turn[turn] = gauges.get(seat.side, {})
    for resolved in happened.resolved:
        by_turn.pop(resolved.phase.turn, None)
        by_turn[resolved.phase.turn] = resolved.turn.gauges.get(seat.side, {})
    return tuple(TurnFigures(turn, gauges) for turn, gauges in by_turn.items())


def revealed_now(happened: Happened) -> str | None:
    """The phase's secret, where no side could learn from it what it may not know."""
    hidden = happened.campaign.hidden
    if hidden is None:
        hidden = _something_hidden(happened)
    return None if hidden else happened.before.phase.secret.hex()


def _something_hidden(happened: Happened) -> bool:
    game = happened.before.game
    sides = [info.id for info in game.sides(happened.after)]
    states = (happened.before.state, happened.after)
    kept = any(game.secrets(state, side) for state in states for side in sides)
    return kept or any(set(sides) - event.seen_by for event in happened.events)


def _dice_file(house: House, happened: Happened) -> Attachment:
    """All secrets of the campaign, so that anybody can recompute every roll."""
    assert happened.campaign.id is not None
    known = {phase.number: phase for phase in house.store.phases.all(happened.campaign.id)}
    known |= {resolved.phase.number: resolved.phase for resolved in happened.resolved}
    rows = [
        {
            "phase": number,
            "turn": known[number].turn,
            "name": known[number].name,
            "secret": known[number].secret.hex(),
            "commitment": known[number].commitment,
        }
        for number in sorted(known)
    ]
    return Attachment("dice.json", "application/json", json.dumps(rows, indent=1).encode())


def _unsealed_receipts(house: House, opened: Opened, now: datetime) -> tuple[Draft, ...]:
    at = opened.at
    seats = {seat.id: seat for seat in written_to(at.seats)}
    return tuple(
        _unsealed_receipt(house, opened, seats[number], letter_id, now)
        for number, letter_id in opened.unsealed.items()
        if number in seats
    )


def _unsealed_receipt(house: House, opened: Opened, seat: Seat, letter_id: int, now: datetime) -> Draft:
    """The orders that waited are in force: what they came to in the situation as it is."""
    at = opened.at
    text = at.sheets[_id(seat)].text
    sheet = at.game.read_orders(at.state, seat.side, text)
    context = seat_context(house, at, seat, opened.tokens[_id(seat)])
    row = house.store.letters.get(letter_id)
    view = at.game.view(at.state, seat.side)
    mail = receipt(context, at.game, view, sheet, received(row.raw, row.arrived_at), digest(text), True, house.pen)
    check_secrets(house, mail, at, seat, text)
    key = f"unsealed/{at.campaign.slug}/{at.phase.number}/{seat.id}"
    return to_seat(house, at.campaign, seat, mail, key, now, Answering(letter_id, row.message_id))


def received(raw: bytes, arrived: datetime) -> Received:
    """The mail that an answer names."""
    letter = read_letter(raw)
    if not isinstance(letter, Letter):
        return Received("", "", "", arrived)
    return Received(letter.subject, letter.date, letter.message_id, arrived)


def _id(seat: Seat) -> int:
    assert seat.id is not None
    return seat.id

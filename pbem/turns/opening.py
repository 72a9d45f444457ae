"""A phase opens: tokens, the bots' sheets, sheets that waited sealed, and when it will be due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from games import AnyGame
from pbem.kit.dice import KeyedDice
from pbem.kit.game import Phase as GamePhase
from pbem.post.gate import new_token
from pbem.store.phases import NewPhase, NewSheet
from pbem.store.rows import Ahead, Campaign, Phase, Seat, SheetRow
from pbem.turns.calendar import read_calendar
from pbem.turns.house import House
from pbem.turns.playing import SECRET_BYTES, new_phase
from pbem.turns.standing import Standing, digest, read_state


@dataclass(frozen=True)
class Opened:
    """The new phase, and where it stands at its opening."""

    at: Standing
    tokens: Mapping[int, str]
    sheets: tuple[NewSheet, ...]
    unsealed: Mapping[int, int]
    """Seats whose orders had waited for this turn, and the letters that had brought them."""

    def as_row(self) -> NewPhase:
        return NewPhase(self.at.phase, self.tokens, self.sheets)


def open_phase(
    house: House, campaign: Campaign, game: AnyGame, phase: GamePhase, state: str, number: int, now: datetime
) -> Opened:
    """Prepare the next phase; nothing is kept yet."""
    assert campaign.id is not None
    row = new_phase(house, campaign, phase, state, number, now)
    row.deadline = read_calendar(campaign.calendar).deadline(now)
    seats = house.store.campaigns.seats(campaign.id)
    tokens = {seat.id: new_token(house.fresh(SECRET_BYTES), seat.id, number) for seat in seats if seat.id is not None}
    bots = _bot_sheets(game, row, seats)
    sealed = _unsealed(house, campaign, game, row, seats)
    texts = {seat_id: waiting.text for seat_id, waiting in sealed.items()} | bots
    sheets = tuple(NewSheet(seat_id, text, digest(text)) for seat_id, text in texts.items())
    at = Standing(campaign, row, seats, _rows(sheets, now), game, read_state(game, state))
    row.due = at.due(now)
    return Opened(at, tokens, sheets, {seat_id: waiting.letter_id for seat_id, waiting in sealed.items()})


def _bot_sheets(game: AnyGame, phase: Phase, seats: Sequence[Seat]) -> dict[int, str]:
    """What the bots order, from their own view and dice of their own."""
    state = read_state(game, phase.state)
    texts = {}
    for seat in seats:
        if seat.bot and seat.side in phase.sides and seat.id is not None:
            key = sha256(phase.secret + f"bot {seat.id}".encode()).digest()
            texts[seat.id] = game.bot(game.view(state, seat.side), KeyedDice(key))
    return texts


def _unsealed(house: House, campaign: Campaign, game: AnyGame, phase: Phase, seats: Sequence[Seat]) -> dict[int, Ahead]:
    """Orders that waited for this turn, where at least one of them still stands."""
    assert campaign.id is not None
    state = read_state(game, phase.state)
    earlier = [old for old in house.store.phases.all(campaign.id) if old.turn == phase.turn]
    needed = {seat.id: seat for seat in seats if seat.side in phase.sides}
    if any(set(old.sides) & set(phase.sides) for old in earlier):
        # They went to the first phase of the turn that asked for them.
        return {}
    waiting = house.store.phases.ahead(campaign.id, phase.turn)
    return {
        row.seat_id: row
        for row in waiting
        if row.seat_id in needed and game.read_orders(state, needed[row.seat_id].side, row.text).accepted
    }


def _rows(sheets: Sequence[NewSheet], now: datetime) -> dict[int, SheetRow]:
    return {
        sheet.seat_id: SheetRow(seat_id=sheet.seat_id, phase_id=0, text=sheet.text, digest=sheet.digest, changed_at=now)
        for sheet in sheets
    }

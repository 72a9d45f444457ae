"""A phase opens: tokens, the bots' sheets, sheets that waited sealed, and when it will be due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from games import AnyGame
from pbem.campaign.calendar import read_calendar
from pbem.campaign.house import SECRET_BYTES, House
from pbem.campaign.standing import Standing, digest, read_state
from pbem.kit.dice import KeyedDice
from pbem.kit.game import Phase
from pbem.kit.sheet import Sheet
from pbem.post.gate import new_token
from pbem.store.phases import NewSheet, PhaseOpening
from pbem.store.rows import AheadRow, CampaignRow, NewPhase, SeatRow
from pbem.turns.playing import new_phase


@dataclass(frozen=True)
class Unsealed:
    """Orders that had waited for this turn, read in the situation as it is."""

    text: str
    sheet: Sheet[Any]
    letter_id: int
    """The letter that had brought them."""


@dataclass(frozen=True)
class Opened:
    """The new phase, and where it stands at its opening."""

    at: Standing
    tokens: Mapping[int, str]
    sheets: tuple[NewSheet, ...]
    unsealed: Mapping[int, Unsealed]
    """Seats whose orders had waited for this turn, and what they came to."""

    def to_keep(self) -> PhaseOpening:
        return PhaseOpening(self.at.phase, self.tokens, self.sheets)


def open_phase(
    house: House, campaign: CampaignRow, game: AnyGame, phase: Phase, state: str, number: int, now: datetime
) -> Opened:
    """Prepare the next phase; nothing is kept yet."""
    row = new_phase(house, campaign, phase, state, number, now)
    row.deadline = read_calendar(campaign.calendar).deadline(now)
    seats = house.store.campaigns.seats(campaign.id)
    tokens = {seat.id: new_token(house.fresh(SECRET_BYTES), seat.id, number) for seat in seats}
    bots = _bot_sheets(game, row, seats)
    unsealed = _unsealed(house, campaign, game, row, seats)
    texts = {seat_id: orders.text for seat_id, orders in unsealed.items()} | bots
    sheets = tuple(NewSheet(seat_id, text, digest(text)) for seat_id, text in texts.items())
    at = Standing(campaign, row, seats, texts, game, read_state(game, state))
    row.due = at.due(now)
    return Opened(at, tokens, sheets, unsealed)


def _bot_sheets(game: AnyGame, phase: NewPhase, seats: Sequence[SeatRow]) -> dict[int, str]:
    """What the bots order, from their own view and dice of their own."""
    state = read_state(game, phase.state)
    texts = {}
    for seat in seats:
        if seat.bot and seat.side in phase.sides:
            key = sha256(phase.secret + f"bot {seat.id}".encode()).digest()
            texts[seat.id] = game.bot(game.view(state, seat.side), KeyedDice(key))
    return texts


def _unsealed(
    house: House, campaign: CampaignRow, game: AnyGame, phase: NewPhase, seats: Sequence[SeatRow]
) -> dict[int, Unsealed]:
    """Orders that waited for this turn, where at least one of them still stands."""
    state = read_state(game, phase.state)
    earlier = [old for old in house.store.phases.all(campaign.id) if old.turn == phase.turn]
    needed = {seat.id: seat for seat in seats if seat.side in phase.sides}
    if any(set(old.sides) & set(phase.sides) for old in earlier):
        # They went to the first phase of the turn that asked for them.
        return {}
    waiting = [row for row in house.store.phases.ahead(campaign.id, phase.turn) if row.seat_id in needed]
    read = {row.seat_id: _unseal(game, state, needed[row.seat_id].side, row) for row in waiting}
    return {seat_id: orders for seat_id, orders in read.items() if orders.sheet.accepted}


def _unseal(game: AnyGame, state: Any, side: str, row: AheadRow) -> Unsealed:
    return Unsealed(row.text, game.read_orders(state, side, row.text), row.letter_id)

"""Where a phase stands: whose sheets are in, what a side's sheet is, when it will be resolved."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from games import AnyGame
from pbem.campaign.house import House
from pbem.kit import codec
from pbem.store.rows import CampaignRow, NewPhase, PhaseRow, SeatRow

STATES_KEPT = 32
"""Decoded states kept at hand, as every letter of a phase asks for the same one."""


@dataclass(frozen=True)
class Standing:
    """A campaign's open phase, as read at one moment."""

    campaign: CampaignRow
    phase: NewPhase
    """Its row; at the opening, what will be one."""
    seats: Sequence[SeatRow]
    sheets: Mapping[int, str]
    """Seat id to the text of the sheet in force."""
    game: AnyGame
    state: Any

    def awaited(self) -> tuple[SeatRow, ...]:
        """Seats that the phase needs and that have sent nothing yet."""
        return tuple(seat for seat in self.needed() if seat.id not in self.sheets)

    def needed(self) -> tuple[SeatRow, ...]:
        return tuple(seat for seat in self.seats if seat.side in self.phase.sides)

    def with_sheet(self, seat: SeatRow, text: str | None) -> Standing:
        """As it would stand after this change of a sheet."""
        others = {number: sheet for number, sheet in self.sheets.items() if number != seat.id}
        return replace(self, sheets=others if text is None else {**others, seat.id: text})

    def due(self, now: datetime) -> datetime | None:
        """When the phase will be resolved, were nothing more to come in."""
        return due(self.campaign, self.phase.deadline, now, everybody=not self.awaited())

    def joined(self, side: str) -> str:
        """The side's sheet: the sheets of its seats one after the other, in the order the seats were taken."""
        own = {seat.id for seat in self.seats if seat.side == side}
        return "".join(self.sheets[number] for number in sorted(self.sheets) if number in own)


def digest(text: str) -> str:
    """What a receipt names a sheet by."""
    return hashlib.sha256(text.encode()).hexdigest()


def due(campaign: CampaignRow, deadline: datetime | None, now: datetime, *, everybody: bool) -> datetime | None:
    """At the deadline and its grace, or, once everybody's sheet is in, after the time to change one's mind."""
    latest = None if deadline is None else deadline + timedelta(minutes=campaign.grace_minutes)
    if not (everybody and campaign.early):
        return latest
    early = now + timedelta(minutes=campaign.delay_minutes)
    return early if latest is None else min(early, latest)


def standing(house: House, campaign: CampaignRow, phase: PhaseRow) -> Standing:
    """Read where a phase stands."""
    game = house.games(campaign.game)
    seats = house.store.campaigns.seats(campaign.id)
    sheets = {seat_id: row.text for seat_id, row in house.store.phases.sheets(phase.id).items()}
    return Standing(campaign, phase, seats, sheets, game, read_state(game, phase.state))


def read_state(game: AnyGame, text: str) -> Any:
    """The game's state; states are never changed, so a decoded one can be shared."""
    wanted: Any = game.state_type
    return _decoded(wanted, text)


@lru_cache(STATES_KEPT)
def _decoded(state_type: Any, text: str) -> Any:
    return codec.decode(state_type, text)

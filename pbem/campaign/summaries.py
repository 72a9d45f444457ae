"""Campaigns, seats, turns and letters as plain values, for those who only look."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from pbem.campaign.record import events_of
from pbem.kit.game import Event
from pbem.store.rows import LetterRow, OutgoingRow, PhaseRow, SeatRow, TurnRow


@dataclass(frozen=True)
class SeatInfo:
    """A seat, and whether its sheet is in."""

    id: int
    name: str
    address: str
    side: str
    units: tuple[str, ...]
    bot: bool
    ordered: bool
    """Its sheet for the open phase is in."""
    needed: bool
    """The open phase asks for its sheet."""


@dataclass(frozen=True)
class CampaignInfo:
    """Where a campaign stands."""

    slug: str
    title: str
    game: str
    scenario: str
    status: str
    reason: str
    calendar: str
    turn: int | None
    phase: str | None
    phase_number: int | None
    opened_at: datetime | None
    deadline: datetime | None
    due: datetime | None
    moderator: str
    seats: tuple[SeatInfo, ...]


@dataclass(frozen=True)
class TurnInfo:
    """A resolved phase out of the archive."""

    number: int
    turn: int
    phase: str
    resolved_at: datetime
    game_version: str
    sheets: Mapping[str, str]
    absent: tuple[str, ...]
    events: tuple[Event, ...]
    secret: str
    commitment: str


@dataclass(frozen=True)
class LetterInfo:
    """A letter without its words."""

    id: int
    arrived_at: datetime
    status: str
    verdict: str
    reason: str
    sender: str
    message_id: str
    attempts: int


@dataclass(frozen=True)
class OutgoingInfo:
    """A mail without its words."""

    id: int
    key: str
    recipient: str
    subject: str
    status: str
    attempts: int
    due: datetime
    sent_at: datetime | None
    why: str


def seat_info(seat: SeatRow, phase: PhaseRow | None, ordered: AbstractSet[int] = frozenset()) -> SeatInfo:
    needed = phase is not None and seat.side in phase.sides
    return SeatInfo(
        seat.id, seat.name, seat.address, seat.side, tuple(seat.units), seat.bot, seat.id in ordered, needed
    )


def turn_info(phase: PhaseRow, turn: TurnRow) -> TurnInfo:
    return TurnInfo(
        number=phase.number,
        turn=phase.turn,
        phase=phase.name,
        resolved_at=turn.resolved_at,
        game_version=turn.game_version,
        sheets=turn.sheets,
        absent=tuple(turn.absent),
        events=events_of([turn]),
        secret=phase.secret.hex(),
        commitment=phase.commitment,
    )


def letter_info(row: LetterRow) -> LetterInfo:
    return LetterInfo(
        row.id, row.arrived_at, row.status, row.verdict, row.reason, row.sender, row.message_id, row.attempts
    )


def outgoing_info(row: OutgoingRow) -> OutgoingInfo:
    return OutgoingInfo(
        row.id, row.key, row.recipient, row.subject, row.status, row.attempts, row.due, row.sent_at, row.why
    )

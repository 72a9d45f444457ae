"""Letters in the store: filed once by their bytes, handled once, set aside after a bug, never deleted."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from pbem.store.database import Database
from pbem.store.notes import add_notes
from pbem.store.outgoing import Draft, add_drafts
from pbem.store.phases import SheetChange, change_sheet
from pbem.store.rows import AheadRow, BucketRow, CampaignRow, CampaignStatus, LetterRow, LetterStatus, NewNote, SeatRow

MOST_ATTEMPTS = 3
"""A letter that was being handled when the process died this many times is set aside."""


class AlreadyHandled(RuntimeError):
    """The letter was handled by somebody else in the meantime."""


@dataclass(frozen=True)
class Filed:
    """A letter's place in the store."""

    id: int
    status: LetterStatus
    again: bool
    """The same bytes had been filed before."""


@dataclass(frozen=True)
class MailboxPlace:
    """Where a letter lay on the mail server."""

    uidvalidity: int = 0
    uid: int = 0
    too_big: int = 0
    """Bytes of a mail of which only the header was fetched; 0: all of it was."""


HERE = MailboxPlace()
"""A letter that came by no mail server."""


@dataclass(frozen=True)
class SealedAhead:
    """Orders for a later turn."""

    seat_id: int
    turn: int
    text: str


@dataclass(frozen=True)
class PreferenceChange:
    """What a player set by mail; None leaves a setting as it is."""

    seat_id: int
    zone: str | None = None
    text_only: bool | None = None
    map: str | None = None
    reminders: tuple[int, ...] | None = None
    theme: str | None = None


@dataclass(frozen=True)
class BucketLevel:
    """How many answers a sender may still get, as counted at a moment."""

    sender: str
    left: float
    counted_at: datetime


@dataclass(frozen=True)
class LetterChange:
    """All that one letter changes, kept in one transaction."""

    letter_id: int
    status: LetterStatus
    verdict: str
    reason: str = ""
    message_id: str = ""
    sender: str = ""
    seat_id: int | None = None
    phase_id: int | None = None
    sheet: SheetChange | None = None
    ahead: SealedAhead | None = None
    preferences: tuple[PreferenceChange, ...] = ()
    bucket: BucketLevel | None = None
    drafts: tuple[Draft, ...] = ()
    notes: tuple[NewNote, ...] = ()
    pause: tuple[int, str] | None = None
    """The campaign to pause, and why."""


@dataclass(frozen=True)
class Letters:
    """The questions about letters."""

    database: Database

    def file(self, raw: bytes, now: datetime, place: MailboxPlace = HERE) -> Filed:
        """Keep the bytes, once; the same bytes again are the same letter."""
        digest = hashlib.sha256(raw).hexdigest()
        try:
            return self._file(digest, raw, now, place)
        except IntegrityError:
            # Somebody else filed the same bytes at the same moment.
            return self._file(digest, raw, now, place)

    def _file(self, digest: str, raw: bytes, now: datetime, place: MailboxPlace) -> Filed:
        with self.database.writing() as session:
            filed = session.exec(select(LetterRow).where(LetterRow.sha256 == digest)).first()
            if filed is not None:
                return Filed(filed.id, LetterStatus(filed.status), again=True)
            row = LetterRow(sha256=digest, raw=raw, arrived_at=now, **vars(place))
            session.add(row)
            session.flush()
            return Filed(row.id, LetterStatus.NEW, again=False)

    def get(self, letter_id: int) -> LetterRow:
        with self.database.reading() as session:
            return session.get_one(LetterRow, letter_id)

    def waiting(self) -> tuple[int, ...]:
        """Letters that are filed but not handled, in the order of arrival."""
        with self.database.reading() as session:
            wanted = select(LetterRow.id).where(LetterRow.status == LetterStatus.NEW).order_by(col(LetterRow.id))
            return tuple(session.exec(wanted))

    def broken(self) -> Sequence[LetterRow]:
        with self.database.reading() as session:
            wanted = select(LetterRow).where(LetterRow.status == LetterStatus.BROKEN).order_by(col(LetterRow.id))
            return session.exec(wanted).all()

    def repeats(self, letter_id: int, sender: str, message_id: str) -> int | None:
        """An earlier letter of this sender with the same Message-ID: the same mail on another way."""
        if not message_id:
            return None
        with self.database.reading() as session:
            wanted = select(LetterRow.id).where(
                LetterRow.message_id == message_id, LetterRow.sender == sender, col(LetterRow.id) < letter_id
            )
            return session.exec(wanted).first()

    def begin_again(self, letter_id: int) -> int:
        """Count one more attempt at a letter left over from a crash."""
        with self.database.writing() as session:
            row = session.get_one(LetterRow, letter_id)
            row.attempts += 1
            return row.attempts

    def handled(self, change: LetterChange, now: datetime) -> None:
        """Keep all that the letter changes; raises Outdated when a sheet or phase changed meanwhile."""
        with self.database.writing() as session:
            _close(session, change, now)
            if change.sheet is not None:
                change_sheet(session, change.sheet, change.letter_id, now)
            if change.ahead is not None:
                _seal(session, change.ahead, change.letter_id)
            for preference in change.preferences:
                _prefer(session, preference)
            if change.bucket is not None:
                session.merge(BucketRow(**vars(change.bucket)))
            if change.pause is not None:
                _pause(session, *change.pause)
            add_notes(session, change.notes)
            add_drafts(session, change.drafts, now)

    def requeue(self, letter_id: int) -> None:
        """Take up again a letter that was set aside."""
        with self.database.writing() as session:
            row = session.get_one(LetterRow, letter_id)
            if row.status != LetterStatus.BROKEN:
                raise AlreadyHandled(f"letter {letter_id} is {row.status}, only a broken one can be taken up again")
            row.status, row.attempts, row.reason, row.verdict = LetterStatus.NEW, 0, "", ""

    def bucket(self, sender: str) -> BucketLevel | None:
        with self.database.reading() as session:
            row = session.get(BucketRow, sender)
            return None if row is None else BucketLevel(row.sender, row.left, row.counted_at)


def _close(session: Session, change: LetterChange, now: datetime) -> None:
    closed = session.connection().execute(
        sa.update(LetterRow)
        .where(col(LetterRow.id) == change.letter_id, col(LetterRow.status) == LetterStatus.NEW)
        .values(
            status=change.status,
            verdict=change.verdict,
            reason=change.reason,
            message_id=change.message_id,
            sender=change.sender,
            seat_id=change.seat_id,
            phase_id=change.phase_id,
            handled_at=now,
        )
    )
    if closed.rowcount != 1:
        raise AlreadyHandled(f"letter {change.letter_id} is handled already")


def _seal(session: Session, ahead: SealedAhead, letter_id: int) -> None:
    wanted = select(AheadRow).where(AheadRow.seat_id == ahead.seat_id, AheadRow.turn == ahead.turn)
    row = session.exec(wanted).first()
    if row is None:
        row = AheadRow(seat_id=ahead.seat_id, turn=ahead.turn, text=ahead.text, letter_id=letter_id)
    row.text, row.letter_id = ahead.text, letter_id
    session.add(row)


def _prefer(session: Session, change: PreferenceChange) -> None:
    seat = session.get_one(SeatRow, change.seat_id)
    seat.zone = seat.zone if change.zone is None else change.zone
    seat.text_only = seat.text_only if change.text_only is None else change.text_only
    seat.map = seat.map if change.map is None else change.map
    seat.theme = seat.theme if change.theme is None else change.theme
    seat.reminders = seat.reminders if change.reminders is None else list(change.reminders)


def _pause(session: Session, campaign_id: int, reason: str) -> None:
    campaign = session.get_one(CampaignRow, campaign_id)
    campaign.status, campaign.reason = CampaignStatus.PAUSED, reason

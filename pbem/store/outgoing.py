"""Mails that must go out: rows first, claimed one at a time, the same bytes and Message-ID on every attempt."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.store.database import Database
from pbem.store.rows import KeyRow, OutgoingRow, OutgoingStatus


@dataclass(frozen=True)
class Draft:
    """A mail written but not yet kept."""

    key: str
    """What it is, so that it is written once: `receipt/17`, `report/border-incident/3/2`."""
    kind: str
    recipient: str
    envelope_sender: str
    message_id: str
    subject: str
    raw: bytes
    campaign_id: int | None = None
    seat_id: int | None = None
    phase_id: int | None = None
    letter_id: int | None = None


@dataclass(frozen=True)
class ClaimedMail:
    """A mail claimed for sending."""

    id: int
    envelope_sender: str
    recipient: str
    raw: bytes
    attempts: int
    created_at: datetime
    seat_id: int | None


def add_drafts(session: Session, drafts: Iterable[Draft], now: datetime) -> None:
    """Put mails on the queue inside the transaction that caused them."""
    session.add_all(OutgoingRow(**vars(draft), due=now, created_at=now) for draft in drafts)


@dataclass(frozen=True)
class OutgoingQueue:
    """The queue of mails that must go out."""

    database: Database

    def claim(self, now: datetime, lease: timedelta) -> ClaimedMail | None:
        """Take the first mail that is due; a claim of a process that died falls back when its lease ends."""
        with self.database.writing() as session:
            row = session.exec(self._next(now)).first()
            if row is None:
                return None
            row.status, row.lease_until, row.attempts = OutgoingStatus.SENDING, now + lease, row.attempts + 1
            sender, seat = row.envelope_sender, row.seat_id
            return ClaimedMail(row.id, sender, row.recipient, row.raw, row.attempts, row.created_at, seat)

    def bounce_key(self) -> bytes:
        """What seals return addresses, so that only mails of ours can be said to have come back."""
        with self.database.writing() as session:
            key = session.get(KeyRow, "bounce")
            if key is None:
                _offer_key(session, secrets.token_bytes(32))
                key = session.get_one(KeyRow, "bounce")
            return key.value

    def get(self, outgoing_id: int) -> OutgoingRow | None:
        with self.database.reading() as session:
            return session.get(OutgoingRow, outgoing_id)

    def _next(self, now: datetime) -> SelectOfScalar[OutgoingRow]:
        abandoned = sa.and_(col(OutgoingRow.status) == OutgoingStatus.SENDING, col(OutgoingRow.lease_until) <= now)
        ready = col(OutgoingRow.status) == OutgoingStatus.READY
        wanted = select(OutgoingRow).where(col(OutgoingRow.due) <= now, sa.or_(ready, abandoned))
        return wanted.order_by(col(OutgoingRow.id)).limit(1).with_for_update(skip_locked=True)

    def sent(self, id: int, now: datetime) -> None:
        self._settle(id, status=OutgoingStatus.SENT, sent_at=now, lease_until=None, why="")

    def later(self, id: int, due: datetime, why: str) -> None:
        self._settle(id, status=OutgoingStatus.READY, due=due, lease_until=None, why=why)

    def failed(self, id: int, why: str) -> None:
        self._settle(id, status=OutgoingStatus.FAILED, lease_until=None, why=why)

    def _settle(self, id: int, **values: object) -> None:
        with self.database.writing() as session:
            session.connection().execute(sa.update(OutgoingRow).where(col(OutgoingRow.id) == id).values(**values))

    def release(self, now: datetime) -> int:
        """Give back every claim at once: the daemon that held them is gone, as its lock is ours."""
        with self.database.writing() as session:
            freed = session.connection().execute(
                sa.update(OutgoingRow)
                .where(col(OutgoingRow.status) == OutgoingStatus.SENDING)
                .values(status=OutgoingStatus.READY, lease_until=None, due=now)
            )
            return freed.rowcount

    def retry(self, id: int, now: datetime) -> None:
        """Send a mail that failed once more, at a moderator's word."""
        self._settle(id, status=OutgoingStatus.READY, due=now, why="")

    def add(self, drafts: Sequence[Draft], now: datetime) -> None:
        """Queue mails that belong to no letter and no turn; those already written are left as they are."""
        with self.database.writing() as session:
            kept = set(session.exec(select(OutgoingRow.key).where(col(OutgoingRow.key).in_([d.key for d in drafts]))))
            add_drafts(session, [draft for draft in drafts if draft.key not in kept], now)

    def by_key(self, key: str) -> OutgoingRow | None:
        with self.database.reading() as session:
            return session.exec(select(OutgoingRow).where(OutgoingRow.key == key)).first()

    def all(self, campaign_id: int | None = None) -> Sequence[OutgoingRow]:
        with self.database.reading() as session:
            wanted = select(OutgoingRow).order_by(col(OutgoingRow.id))
            if campaign_id is not None:
                wanted = wanted.where(OutgoingRow.campaign_id == campaign_id)
            return session.exec(wanted).all()

    def failures(self) -> Sequence[OutgoingRow]:
        with self.database.reading() as session:
            wanted = select(OutgoingRow).where(OutgoingRow.status == OutgoingStatus.FAILED)
            return session.exec(wanted.order_by(col(OutgoingRow.id))).all()


def _offer_key(session: Session, value: bytes) -> None:
    """Several workers may make the key at the same moment; the first one's stands, and all use it."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    session.exec(insert(KeyRow).values(name="bounce", value=value).on_conflict_do_nothing())

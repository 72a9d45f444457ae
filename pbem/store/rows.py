"""The tables. All that must survive a crash is a row here; nothing is kept in flags of the mail server."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlmodel import Field, SQLModel

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Constraints have names, so that a migration can find them again on both databases."""


class Moment(sa.types.TypeDecorator[datetime]):
    """A time in UTC; aware inside the program on both databases."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without zone cannot be stored: {value}")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(
        self,
        value: datetime | None,
        dialect: Dialect,  # noqa: ARG002  SQLAlchemy calls with it
    ) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Row(SQLModel):
    """What all tables share.

    Rows are made in the store alone, and leave it with the id the database gave them. What others want kept is a
    ``New...``: all of the row but the id.
    """

    metadata = sa.MetaData(naming_convention=NAMING)


class CampaignStatus(StrEnum):
    FORMING = "forming"
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"


class PhaseStatus(StrEnum):
    OPEN = "open"
    RESOLVED = "resolved"


class LetterStatus(StrEnum):
    NEW = "new"
    """Filed, not yet handled."""
    ACCEPTED = "accepted"
    REFUSED = "refused"
    IGNORED = "ignored"
    BROKEN = "broken"
    """Set aside after a bug of ours; `requeue` takes it up again."""


class OutgoingStatus(StrEnum):
    READY = "ready"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


class NewCampaign(Row):
    """A campaign that is to be kept."""

    slug: str = Field(unique=True)
    title: str
    game: str
    game_version: str
    scenario_key: str
    scenario_title: str
    scenario: str = Field(sa_type=sa.Text)
    """The scenario as JSON, so that a campaign does not change when a file does."""
    secret: bytes = Field(sa_type=sa.LargeBinary)
    """Key of the dice that set the scenario up."""
    status: str = Field(default=CampaignStatus.FORMING)
    reason: str = ""
    """Why it is paused, or how it ended."""
    calendar: str = ""
    grace_minutes: int = 0
    early: bool = True
    """Resolve as soon as all sheets are in."""
    delay_minutes: int = 0
    """How long players may change their minds once all are in."""
    hide_awaited: bool = False
    hidden: bool | None = None
    """Whether the dice secret waits for the end; None: decided phase by phase from what is hidden."""
    moderator: str = ""
    harmless: list[str] = Field(default_factory=list, sa_type=sa.JSON)
    """Names that the last look before sending takes for leaks and the moderator knows to be none."""
    outcome: str | None = Field(default=None, sa_type=sa.Text)
    created_at: datetime = Field(sa_type=Moment)


class CampaignRow(NewCampaign, table=True):
    """One contest run by mail."""

    __tablename__ = "campaign"

    id: int = Field(default=None, primary_key=True)


class NewSeat(Row):
    """A seat that is to be kept."""

    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    name: str
    address: str = Field(index=True)
    """Lower-case; empty for a bot."""
    side: str
    units: list[str] = Field(default_factory=list, sa_type=sa.JSON)
    """The units it commands; empty: all of the side's."""
    bot: bool = False
    zone: str = "UTC"
    text_only: bool = False
    map: str = "large"
    theme: str | None = None
    """Colours of maps; None: as the club has it."""
    reminders: list[int] = Field(default_factory=lambda: [24], sa_type=sa.JSON)


class SeatRow(NewSeat, table=True):
    """A player's place in a campaign."""

    __tablename__ = "seat"
    __table_args__ = (sa.UniqueConstraint("campaign_id", "name"),)

    id: int = Field(default=None, primary_key=True)


class NewPhase(Row):
    """A phase that is to be kept."""

    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    number: int
    """Counted from 1 in the campaign."""
    turn: int
    name: str
    sides: list[str] = Field(sa_type=sa.JSON)
    status: str = Field(default=PhaseStatus.OPEN, index=True)
    version: int = 0
    """Goes up with every change of a sheet; what was computed from an older version is computed again."""
    state: str = Field(sa_type=sa.Text)
    """The game's state when the phase opened, as JSON."""
    secret: bytes = Field(sa_type=sa.LargeBinary)
    commitment: str
    opened_at: datetime = Field(sa_type=Moment)
    deadline: datetime | None = Field(default=None, sa_type=Moment)
    deadline_changes: int = 0
    due: datetime | None = Field(default=None, sa_type=Moment, index=True)
    """When it will be resolved as things stand; None: not before more sheets, or a moderator's word."""


class PhaseRow(NewPhase, table=True):
    """One collection of sheets, open until it is resolved."""

    __tablename__ = "phase"
    __table_args__ = (sa.UniqueConstraint("campaign_id", "number"),)

    id: int = Field(default=None, primary_key=True)


class TokenRow(Row, table=True):
    """The secret word of a seat in a phase, which a reply carries."""

    __tablename__ = "token"
    __table_args__ = (sa.UniqueConstraint("seat_id", "phase_id"),)

    token: str = Field(primary_key=True)
    seat_id: int = Field(foreign_key="seat.id")
    phase_id: int = Field(foreign_key="phase.id", index=True)


class SheetRow(Row, table=True):
    """One seat's orders for one phase: the text now in force."""

    __tablename__ = "sheet"
    __table_args__ = (sa.UniqueConstraint("seat_id", "phase_id"),)

    id: int = Field(default=None, primary_key=True)
    seat_id: int = Field(foreign_key="seat.id")
    phase_id: int = Field(foreign_key="phase.id", index=True)
    text: str = Field(sa_type=sa.Text)
    digest: str
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    """The last letter that changed it."""
    changed_at: datetime = Field(sa_type=Moment)


class AheadRow(Row, table=True):
    """Orders for a later turn, which wait sealed until it opens."""

    __tablename__ = "ahead"
    __table_args__ = (sa.UniqueConstraint("seat_id", "turn"),)

    id: int = Field(default=None, primary_key=True)
    seat_id: int = Field(foreign_key="seat.id")
    turn: int
    text: str = Field(sa_type=sa.Text)
    letter_id: int = Field(foreign_key="letter.id")


class LetterRow(Row, table=True):
    """A mail that came in, byte for byte; its id is its place in the order of arrival."""

    __tablename__ = "letter"

    id: int = Field(default=None, primary_key=True)
    sha256: str = Field(unique=True)
    raw: bytes = Field(sa_type=sa.LargeBinary)
    uidvalidity: int = Field(default=0, sa_type=sa.BigInteger)
    uid: int = Field(default=0, sa_type=sa.BigInteger)
    """Both go up to 2**32 - 1 (RFC 9051)."""
    too_big: int = Field(default=0, sa_type=sa.BigInteger)
    """Bytes of a mail of which only the header was fetched; 0: all of it was."""
    arrived_at: datetime = Field(sa_type=Moment)
    """At our store."""
    status: str = Field(default=LetterStatus.NEW, index=True)
    verdict: str = ""
    reason: str = ""
    attempts: int = 1
    message_id: str = Field(default="", index=True)
    sender: str = ""
    seat_id: int | None = Field(default=None, foreign_key="seat.id")
    phase_id: int | None = Field(default=None, foreign_key="phase.id")
    handled_at: datetime | None = Field(default=None, sa_type=Moment)


class OutgoingRow(Row, table=True):
    """A mail that must go out; the same bytes on every attempt."""

    __tablename__ = "outgoing"

    id: int = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    """What it is, so that it is written once: `receipt/17`, `report/3/2`."""
    kind: str
    campaign_id: int | None = Field(default=None, foreign_key="campaign.id", index=True)
    seat_id: int | None = Field(default=None, foreign_key="seat.id")
    phase_id: int | None = Field(default=None, foreign_key="phase.id")
    letter_id: int | None = Field(default=None, foreign_key="letter.id", index=True)
    recipient: str
    envelope_sender: str
    message_id: str = Field(unique=True)
    subject: str
    raw: bytes = Field(sa_type=sa.LargeBinary)
    status: str = Field(default=OutgoingStatus.READY, index=True)
    due: datetime = Field(sa_type=Moment, index=True)
    lease_until: datetime | None = Field(default=None, sa_type=Moment)
    attempts: int = 0
    why: str = ""
    created_at: datetime = Field(sa_type=Moment)
    sent_at: datetime | None = Field(default=None, sa_type=Moment)


class TurnRow(Row, table=True):
    """The archive of a resolved phase: with its phase row, all that is needed to replay and prove it."""

    __tablename__ = "turn"

    id: int = Field(default=None, primary_key=True)
    phase_id: int = Field(foreign_key="phase.id", unique=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    game: str
    game_version: str
    sheets: dict[str, str] = Field(sa_type=sa.JSON)
    """Side to the text of its sheet, exactly as it went into the dice key."""
    absent: list[str] = Field(sa_type=sa.JSON)
    """Names of the seats that sent nothing."""
    events: str = Field(sa_type=sa.Text)
    rolls: str = Field(sa_type=sa.Text)
    state: str = Field(sa_type=sa.Text)
    """The state afterwards, as JSON."""
    gauges: dict[str, Any] = Field(sa_type=sa.JSON)
    """Side to the figures its report charts."""
    resolved_at: datetime = Field(sa_type=Moment)


class NewNote(Row):
    """A note that is to be kept."""

    campaign_id: int | None = Field(default=None, foreign_key="campaign.id", index=True)
    at: datetime = Field(sa_type=Moment)
    kind: str
    text: str = Field(sa_type=sa.Text)


class NoteRow(NewNote, table=True):
    """What the office did on its own or at a moderator's word, for the moderator to read."""

    __tablename__ = "note"

    id: int = Field(default=None, primary_key=True)


class KeyRow(Row, table=True):
    """A secret of this host, made once."""

    __tablename__ = "key"

    name: str = Field(primary_key=True)
    value: bytes = Field(sa_type=sa.LargeBinary)


class BucketRow(Row, table=True):
    """How many answers a sender may still get."""

    __tablename__ = "bucket"

    sender: str = Field(primary_key=True)
    left: float
    counted_at: datetime = Field(sa_type=Moment)

"""Phases, their sheets and their resolution: a change counts only if nothing changed since it was worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from pbem.store.database import Database
from pbem.store.notes import add_notes
from pbem.store.outgoing import Draft, add_drafts
from pbem.store.rows import (
    AheadRow,
    CampaignRow,
    CampaignStatus,
    NewNote,
    NewPhase,
    PhaseRow,
    PhaseStatus,
    SeatRow,
    SheetRow,
    TokenRow,
    TurnRow,
)

LAST_PHASES = 10
"""More phases than one turn has."""


WITHOUT_STATE = defer(col(PhaseRow.state))  # type: ignore[arg-type]  # sqlmodel types columns as their values


class Outdated(RuntimeError):
    """A sheet or the phase changed since this was worked out; work it out again."""


@dataclass(frozen=True)
class SheetChange:
    """A seat's sheet as it shall stand, worked out from a phase at a version."""

    seat_id: int
    phase_id: int
    version: int
    text: str | None
    """None: the sheet is taken back."""
    digest: str
    due: datetime | None
    """When the phase will be resolved after this change."""


def change_sheet(session: Session, change: SheetChange, letter_id: int | None, now: datetime) -> None:
    """Put the sheet in force, inside the letter's transaction."""
    _advance(session, change.phase_id, change.version, due=change.due)
    wanted = select(SheetRow).where(SheetRow.seat_id == change.seat_id, SheetRow.phase_id == change.phase_id)
    row = session.exec(wanted).first()
    if change.text is None:
        if row is not None:
            session.delete(row)
        return
    if row is None:
        row = SheetRow(seat_id=change.seat_id, phase_id=change.phase_id, text="", digest="", changed_at=now)
    row.text, row.digest, row.letter_id, row.changed_at = change.text, change.digest, letter_id, now
    session.add(row)


def _advance(session: Session, phase_id: int, version: int, **values: object) -> None:
    """The phase goes one version on, provided it is open and still at this one."""
    changed = session.connection().execute(
        sa.update(PhaseRow)
        .where(col(PhaseRow.id) == phase_id, col(PhaseRow.version) == version, col(PhaseRow.status) == PhaseStatus.OPEN)
        .values(version=version + 1, **values)
    )
    if changed.rowcount != 1:
        raise Outdated(f"phase {phase_id} is no longer open at version {version}")


@dataclass(frozen=True)
class NewSheet:
    """A sheet that stands from the opening: a bot's, or one that waited sealed."""

    seat_id: int
    text: str
    digest: str


@dataclass(frozen=True)
class PhaseOpening:
    """A phase that opens, with the word each seat will answer with."""

    phase: NewPhase
    tokens: Mapping[int, str]
    """Seat id to token."""
    sheets: tuple[NewSheet, ...] = ()


@dataclass(frozen=True)
class NewTurn:
    """A phase that was played, for the archive to keep."""

    phase: NewPhase
    """The row of the phase that was open; or, of one that asked nobody, the row it never had."""
    game: str
    game_version: str
    sheets: dict[str, str]
    absent: list[str]
    events: str
    rolls: str
    state: str
    gauges: dict[str, Any]
    resolved_at: datetime


@dataclass(frozen=True)
class TurnChange:
    """All that resolving a phase changes, kept in one transaction."""

    campaign_id: int
    phase_id: int | None
    """The open phase that is resolved; None: the campaign starts."""
    version: int
    turns: tuple[NewTurn, ...]
    """The open phase's first, then those that followed at once."""
    opens: PhaseOpening | None
    status: CampaignStatus
    reason: str = ""
    outcome: str | None = None
    drafts: tuple[Draft, ...] = ()
    notes: tuple[NewNote, ...] = ()


@dataclass(frozen=True)
class Phases:
    """The questions about phases, sheets and archives."""

    database: Database

    def open_in(self, campaign_id: int) -> PhaseRow | None:
        """The phase that is open in a campaign."""
        with self.database.reading() as session:
            wanted = select(PhaseRow).where(PhaseRow.campaign_id == campaign_id, PhaseRow.status == PhaseStatus.OPEN)
            return session.exec(wanted).first()

    def get(self, phase_id: int) -> PhaseRow:
        with self.database.reading() as session:
            return session.get_one(PhaseRow, phase_id)

    def all(self, campaign_id: int) -> Sequence[PhaseRow]:
        """All phases of a campaign, oldest first, without their bulky states."""
        with self.database.reading() as session:
            wanted = select(PhaseRow).options(WITHOUT_STATE).where(PhaseRow.campaign_id == campaign_id)
            return session.exec(wanted.order_by(col(PhaseRow.number))).all()

    def sheets(self, phase_id: int) -> Mapping[int, SheetRow]:
        """Seat id to the sheet in force."""
        with self.database.reading() as session:
            rows = session.exec(select(SheetRow).where(SheetRow.phase_id == phase_id).order_by(col(SheetRow.seat_id)))
            return {row.seat_id: row for row in rows}

    def ahead(self, campaign_id: int, turn: int) -> Sequence[AheadRow]:
        """The orders that wait sealed for this turn."""
        with self.database.reading() as session:
            wanted = select(AheadRow).join(SeatRow).where(SeatRow.campaign_id == campaign_id, AheadRow.turn == turn)
            return session.exec(wanted.order_by(col(AheadRow.seat_id))).all()

    def due(self, now: datetime) -> tuple[int, ...]:
        """Phases whose time has come, the longest waiting first."""
        with self.database.reading() as session:
            wanted = (
                select(PhaseRow.id)
                .join(CampaignRow)
                .where(
                    CampaignRow.status == CampaignStatus.RUNNING,
                    PhaseRow.status == PhaseStatus.OPEN,
                    col(PhaseRow.due).is_not(None),
                    col(PhaseRow.due) <= now,
                )
            )
            return tuple(session.exec(wanted.order_by(col(PhaseRow.due), col(PhaseRow.id))))

    def next_due(self) -> datetime | None:
        """When the next phase is due."""
        with self.database.reading() as session:
            wanted = select(sa.func.min(PhaseRow.due)).join(CampaignRow).where(PhaseRow.status == PhaseStatus.OPEN)
            return session.exec(wanted.where(CampaignRow.status == CampaignStatus.RUNNING)).one()

    def running_to_a_deadline(self) -> Sequence[PhaseRow]:
        """Open phases of running campaigns that have a deadline, for reminders; without their bulky states."""
        with self.database.reading() as session:
            wanted = (
                select(PhaseRow)
                .options(WITHOUT_STATE)
                .join(CampaignRow)
                .where(
                    CampaignRow.status == CampaignStatus.RUNNING,
                    PhaseRow.status == PhaseStatus.OPEN,
                    col(PhaseRow.deadline).is_not(None),
                )
            )
            return session.exec(wanted.order_by(col(PhaseRow.id))).all()

    def archives(self, campaign_id: int) -> Sequence[tuple[PhaseRow, TurnRow]]:
        """All resolved phases of a campaign, oldest first."""
        with self.database.reading() as session:
            wanted = select(PhaseRow, TurnRow).join(TurnRow).where(PhaseRow.campaign_id == campaign_id)
            return [(phase, turn) for phase, turn in session.exec(wanted.order_by(col(PhaseRow.number)))]

    def last_words(self, campaign_id: int, side: str) -> str:
        """What a side ordered in the last turn that was resolved."""
        with self.database.reading() as session:
            wanted = select(PhaseRow.turn, TurnRow.sheets).join(TurnRow).where(PhaseRow.campaign_id == campaign_id)
            last = session.exec(wanted.order_by(col(PhaseRow.number).desc()).limit(LAST_PHASES)).all()
            return "\n".join(sheets.get(side, "") for turn, sheets in last if turn == last[0][0])

    def gauges(self, campaign_id: int) -> Sequence[tuple[int, str, Mapping[str, object]]]:
        """(turn, phase name, gauges by side) of all resolved phases, without their bulky states."""
        with self.database.reading() as session:
            wanted = select(PhaseRow.turn, PhaseRow.name, TurnRow.gauges).join(TurnRow)
            rows = session.exec(wanted.where(PhaseRow.campaign_id == campaign_id).order_by(col(PhaseRow.number)))
            return [(turn, name, gauges) for turn, name, gauges in rows]

    def resolve(self, change: TurnChange, now: datetime) -> int | None:
        """Keep all that a resolution changes; returns the id of the phase that opened."""
        with self.database.writing() as session:
            if change.phase_id is not None:
                _advance(session, change.phase_id, change.version, status=PhaseStatus.RESOLVED, due=None)
            for turn in change.turns:
                _archive(session, turn)
            opened = _open(session, change.opens, now)
            campaign = session.get_one(CampaignRow, change.campaign_id)
            campaign.status, campaign.reason, campaign.outcome = change.status, change.reason, change.outcome
            add_notes(session, change.notes)
            add_drafts(session, change.drafts, now)
            return opened

    def move_deadline(self, phase_id: int, version: int, deadline: datetime | None, due: datetime | None) -> None:
        with self.database.writing() as session:
            changes = PhaseRow.deadline_changes + 1
            _advance(session, phase_id, version, deadline=deadline, due=due, deadline_changes=changes)

    def file_sheet(self, change: SheetChange, now: datetime) -> None:
        """A sheet that no letter brought: a moderator's, or a local player's."""
        with self.database.writing() as session:
            change_sheet(session, change, None, now)


def _archive(session: Session, turn: NewTurn) -> None:
    phase = turn.phase if isinstance(turn.phase, PhaseRow) else _added(session, turn.phase)
    archived = {name: value for name, value in vars(turn).items() if name != "phase"}
    session.add(TurnRow(phase_id=phase.id, campaign_id=phase.campaign_id, **archived))


def _added(session: Session, phase: NewPhase) -> PhaseRow:
    row = PhaseRow(**dict(phase))
    session.add(row)
    session.flush()
    return row


def _open(session: Session, opens: PhaseOpening | None, now: datetime) -> int | None:
    if opens is None:
        return None
    phase_id = _added(session, opens.phase).id
    session.add_all(
        TokenRow(token=token, seat_id=seat_id, phase_id=phase_id) for seat_id, token in opens.tokens.items()
    )
    session.add_all(
        SheetRow(seat_id=sheet.seat_id, phase_id=phase_id, text=sheet.text, digest=sheet.digest, changed_at=now)
        for sheet in opens.sheets
    )
    return phase_id

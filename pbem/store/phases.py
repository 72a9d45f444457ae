"""Phases, their sheets and their resolution: a change counts only if nothing changed since it was worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from pbem.store.database import Database
from pbem.store.outgoing import Draft, add_drafts
from pbem.store.rows import (
    Ahead,
    Campaign,
    CampaignStatus,
    Note,
    Phase,
    PhaseStatus,
    Seat,
    SheetRow,
    Token,
    TurnRow,
)

LAST_PHASES = 10
"""More phases than one turn has."""


WITHOUT_STATE = defer(col(Phase.state))  # type: ignore[arg-type]  # sqlmodel types columns as their values


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
    found = select(SheetRow).where(SheetRow.seat_id == change.seat_id, SheetRow.phase_id == change.phase_id)
    row = session.exec(found).first()
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
        sa.update(Phase)
        .where(col(Phase.id) == phase_id, col(Phase.version) == version, col(Phase.status) == PhaseStatus.OPEN)
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
class NewPhase:
    """A phase that opens, with the word each seat will answer with."""

    phase: Phase
    tokens: Mapping[int, str]
    """Seat id to token."""
    sheets: tuple[NewSheet, ...] = ()


@dataclass(frozen=True)
class Resolved:
    """One phase with its archive row; phases that ask nobody come with the phase row they never had."""

    phase: Phase
    turn: TurnRow


@dataclass(frozen=True)
class TurnOutcome:
    """All that resolving a phase changes, kept in one transaction."""

    campaign_id: int
    phase_id: int | None
    """The open phase that is resolved; None: the campaign starts."""
    version: int
    resolved: tuple[Resolved, ...]
    """The open phase first, then those that followed at once."""
    opens: NewPhase | None
    status: CampaignStatus
    reason: str = ""
    outcome: str | None = None
    drafts: tuple[Draft, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Phases:
    """The questions about phases, sheets and archives."""

    database: Database

    def open_in(self, campaign_id: int) -> Phase | None:
        """The phase that is open in a campaign."""
        with self.database.reading() as session:
            wanted = select(Phase).where(Phase.campaign_id == campaign_id, Phase.status == PhaseStatus.OPEN)
            return session.exec(wanted).first()

    def get(self, phase_id: int) -> Phase:
        with self.database.reading() as session:
            return session.get_one(Phase, phase_id)

    def all(self, campaign_id: int) -> Sequence[Phase]:
        """All phases of a campaign, oldest first, without their bulky states."""
        with self.database.reading() as session:
            wanted = select(Phase).options(WITHOUT_STATE).where(Phase.campaign_id == campaign_id)
            return session.exec(wanted.order_by(col(Phase.number))).all()

    def sheets(self, phase_id: int) -> Mapping[int, SheetRow]:
        """Seat id to the sheet in force."""
        with self.database.reading() as session:
            rows = session.exec(select(SheetRow).where(SheetRow.phase_id == phase_id).order_by(col(SheetRow.seat_id)))
            return {row.seat_id: row for row in rows}

    def ahead(self, campaign_id: int, turn: int) -> Sequence[Ahead]:
        """The orders that wait sealed for this turn."""
        with self.database.reading() as session:
            wanted = select(Ahead).join(Seat).where(Seat.campaign_id == campaign_id, Ahead.turn == turn)
            return session.exec(wanted.order_by(col(Ahead.seat_id))).all()

    def due(self, now: datetime) -> tuple[int, ...]:
        """Phases whose time has come, the longest waiting first."""
        with self.database.reading() as session:
            wanted = (
                select(Phase.id)
                .join(Campaign)
                .where(
                    Campaign.status == CampaignStatus.RUNNING,
                    Phase.status == PhaseStatus.OPEN,
                    col(Phase.due).is_not(None),
                    col(Phase.due) <= now,
                )
            )
            found = session.exec(wanted.order_by(col(Phase.due), col(Phase.id)))
            return tuple(number for number in found if number is not None)

    def next_due(self) -> datetime | None:
        """When the next phase is due."""
        with self.database.reading() as session:
            wanted = select(sa.func.min(Phase.due)).join(Campaign).where(Phase.status == PhaseStatus.OPEN)
            return session.exec(wanted.where(Campaign.status == CampaignStatus.RUNNING)).one()

    def running_to_a_deadline(self) -> Sequence[Phase]:
        """Open phases of running campaigns that have a deadline, for reminders; without their bulky states."""
        with self.database.reading() as session:
            wanted = (
                select(Phase)
                .options(WITHOUT_STATE)
                .join(Campaign)
                .where(
                    Campaign.status == CampaignStatus.RUNNING,
                    Phase.status == PhaseStatus.OPEN,
                    col(Phase.deadline).is_not(None),
                )
            )
            return session.exec(wanted.order_by(col(Phase.id))).all()

    def archives(self, campaign_id: int) -> Sequence[tuple[Phase, TurnRow]]:
        """All resolved phases of a campaign, oldest first."""
        with self.database.reading() as session:
            wanted = select(Phase, TurnRow).join(TurnRow).where(Phase.campaign_id == campaign_id)
            return [(phase, turn) for phase, turn in session.exec(wanted.order_by(col(Phase.number)))]

    def last_words(self, campaign_id: int, side: str) -> str:
        """What a side ordered in the last turn that was resolved."""
        with self.database.reading() as session:
            wanted = select(Phase.turn, TurnRow.sheets).join(TurnRow).where(Phase.campaign_id == campaign_id)
            found = session.exec(wanted.order_by(col(Phase.number).desc()).limit(LAST_PHASES)).all()
            return "\n".join(sheets.get(side, "") for turn, sheets in found if turn == found[0][0])

    def figures(self, campaign_id: int) -> Sequence[tuple[int, str, Mapping[str, object]]]:
        """(turn, phase name, gauges by side) of all resolved phases, without their bulky states."""
        with self.database.reading() as session:
            wanted = select(Phase.turn, Phase.name, TurnRow.gauges).join(TurnRow)
            found = session.exec(wanted.where(Phase.campaign_id == campaign_id).order_by(col(Phase.number)))
            return [(turn, name, gauges) for turn, name, gauges in found]

    def resolve(self, outcome: TurnOutcome, now: datetime) -> int | None:
        """Keep all that a resolution changes; returns the id of the phase that opened."""
        with self.database.writing() as session:
            if outcome.phase_id is not None:
                _advance(session, outcome.phase_id, outcome.version, status=PhaseStatus.RESOLVED, due=None)
            for resolved in outcome.resolved:
                _archive(session, resolved, outcome.phase_id)
            opened = _open(session, outcome.opens, now)
            campaign = session.get_one(Campaign, outcome.campaign_id)
            campaign.status, campaign.reason, campaign.outcome = outcome.status, outcome.reason, outcome.outcome
            session.add_all(outcome.notes)
            add_drafts(session, outcome.drafts, now)
            return opened

    def move_deadline(self, phase_id: int, version: int, deadline: datetime | None, due: datetime | None) -> None:
        with self.database.writing() as session:
            changes = Phase.deadline_changes + 1
            _advance(session, phase_id, version, deadline=deadline, due=due, deadline_changes=changes)

    def file_sheet(self, change: SheetChange, now: datetime) -> None:
        """A sheet that no letter brought: a moderator's, or a local player's."""
        with self.database.writing() as session:
            change_sheet(session, change, None, now)


def _archive(session: Session, resolved: Resolved, open_phase_id: int | None) -> None:
    if resolved.phase.id is None or resolved.phase.id != open_phase_id:
        session.add(resolved.phase)
        session.flush()
    assert resolved.phase.id is not None
    resolved.turn.phase_id = resolved.phase.id
    session.add(resolved.turn)


def _open(session: Session, opens: NewPhase | None, now: datetime) -> int | None:
    if opens is None:
        return None
    session.add(opens.phase)
    session.flush()
    phase_id = opens.phase.id
    assert phase_id is not None
    session.add_all(Token(token=token, seat_id=seat_id, phase_id=phase_id) for seat_id, token in opens.tokens.items())
    session.add_all(
        SheetRow(seat_id=sheet.seat_id, phase_id=phase_id, text=sheet.text, digest=sheet.digest, changed_at=now)
        for sheet in opens.sheets
    )
    return phase_id

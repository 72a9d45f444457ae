"""Campaigns, their seats, and who a letter may come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from pbem.store.database import Database
from pbem.store.notes import add_notes
from pbem.store.outgoing import Draft, add_drafts
from pbem.store.rows import CampaignRow, CampaignStatus, NewCampaign, NewNote, NewSeat, NoteRow, SeatRow, TokenRow


@dataclass(frozen=True)
class SeatAt:
    """The seat a token belongs to, and the phase it was given out for."""

    seat: SeatRow
    phase_id: int


@dataclass(frozen=True)
class Campaigns:
    """The questions about campaigns and seats."""

    database: Database

    def add(self, campaign: NewCampaign) -> CampaignRow:
        row = CampaignRow(**dict(campaign))
        with self.database.writing() as session:
            session.add(row)
        return row

    def add_seat(self, seat: NewSeat) -> SeatRow:
        row = SeatRow(**dict(seat))
        with self.database.writing() as session:
            session.add(row)
        return row

    def get(self, campaign_id: int) -> CampaignRow:
        with self.database.reading() as session:
            return session.get_one(CampaignRow, campaign_id)

    def named(self, slug: str) -> CampaignRow | None:
        with self.database.reading() as session:
            return session.exec(select(CampaignRow).where(CampaignRow.slug == slug)).first()

    def all(self) -> Sequence[CampaignRow]:
        with self.database.reading() as session:
            return session.exec(select(CampaignRow).order_by(col(CampaignRow.id))).all()

    def seats(self, campaign_id: int) -> Sequence[SeatRow]:
        """In the order they were taken; the first of a side without restriction speaks for it."""
        with self.database.reading() as session:
            return session.exec(
                select(SeatRow).where(SeatRow.campaign_id == campaign_id).order_by(col(SeatRow.id))
            ).all()

    def seats_of(self, address: str) -> Sequence[SeatRow]:
        """All seats of a sender in campaigns that still need letters."""
        with self.database.reading() as session:
            wanted = select(SeatRow).join(CampaignRow).where(SeatRow.address == address)
            return session.exec(wanted.order_by(col(SeatRow.id))).all()

    def seat_of_token(self, token: str) -> SeatAt | None:
        with self.database.reading() as session:
            pair = session.exec(select(SeatRow, TokenRow).join(TokenRow).where(TokenRow.token == token)).first()
            return None if pair is None else SeatAt(pair[0], pair[1].phase_id)

    def token(self, seat_id: int, phase_id: int) -> str:
        with self.database.reading() as session:
            wanted = select(TokenRow.token).where(TokenRow.seat_id == seat_id, TokenRow.phase_id == phase_id)
            return session.exec(wanted).first() or ""

    def set_status(
        self,
        campaign_id: int,
        status: CampaignStatus,
        reason: str,
        now: datetime,
        drafts: Sequence[Draft] = (),
        notes: Sequence[NewNote] = (),
    ) -> None:
        """Pause, resume or end a campaign, with the letters that say so."""
        with self.database.writing() as session:
            campaign = session.get_one(CampaignRow, campaign_id)
            campaign.status, campaign.reason = status, reason
            add_notes(session, notes)
            add_drafts(session, drafts, now)

    def allow(self, campaign_id: int, words: Sequence[str]) -> tuple[str, ...]:
        """Take these names for harmless from now on."""
        with self.database.writing() as session:
            campaign = session.get_one(CampaignRow, campaign_id)
            campaign.harmless = sorted({*campaign.harmless, *words})
            return tuple(campaign.harmless)

    def note(self, notes: Sequence[NewNote]) -> None:
        with self.database.writing() as session:
            add_notes(session, notes)

    def notes(self, campaign_id: int | None = None) -> Sequence[NoteRow]:
        with self.database.reading() as session:
            wanted = select(NoteRow).order_by(col(NoteRow.id))
            if campaign_id is not None:
                wanted = wanted.where(NoteRow.campaign_id == campaign_id)
            return session.exec(wanted).all()

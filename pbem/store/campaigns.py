"""Campaigns, their seats, and who a letter may come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from pbem.store.database import Database
from pbem.store.outgoing import Draft, add_drafts
from pbem.store.rows import Campaign, CampaignStatus, Note, Seat, Token


@dataclass(frozen=True)
class SeatAt:
    """The seat a token belongs to, and the phase it was given out for."""

    seat: Seat
    phase_id: int


@dataclass(frozen=True)
class Campaigns:
    """The questions about campaigns and seats."""

    database: Database

    def add(self, campaign: Campaign) -> Campaign:
        with self.database.writing() as session:
            session.add(campaign)
        return campaign

    def add_seat(self, seat: Seat) -> Seat:
        with self.database.writing() as session:
            session.add(seat)
        return seat

    def get(self, campaign_id: int) -> Campaign:
        with self.database.reading() as session:
            return session.get_one(Campaign, campaign_id)

    def named(self, slug: str) -> Campaign | None:
        with self.database.reading() as session:
            return session.exec(select(Campaign).where(Campaign.slug == slug)).first()

    def all(self) -> Sequence[Campaign]:
        with self.database.reading() as session:
            return session.exec(select(Campaign).order_by(col(Campaign.id))).all()

    def seats(self, campaign_id: int) -> Sequence[Seat]:
        """In the order they were taken; the first of a side without restriction speaks for it."""
        with self.database.reading() as session:
            return session.exec(select(Seat).where(Seat.campaign_id == campaign_id).order_by(col(Seat.id))).all()

    def seats_of(self, address: str) -> Sequence[Seat]:
        """All seats of a sender in campaigns that still need letters."""
        with self.database.reading() as session:
            wanted = select(Seat).join(Campaign).where(Seat.address == address)
            return session.exec(wanted.order_by(col(Seat.id))).all()

    def seat_of_token(self, token: str) -> SeatAt | None:
        with self.database.reading() as session:
            found = session.exec(select(Seat, Token).join(Token).where(Token.token == token)).first()
            return None if found is None else SeatAt(found[0], found[1].phase_id)

    def token(self, seat_id: int, phase_id: int) -> str:
        with self.database.reading() as session:
            wanted = select(Token.token).where(Token.seat_id == seat_id, Token.phase_id == phase_id)
            return session.exec(wanted).first() or ""

    def set_status(
        self,
        campaign_id: int,
        status: CampaignStatus,
        reason: str,
        now: datetime,
        drafts: Sequence[Draft] = (),
        notes: Sequence[Note] = (),
    ) -> None:
        """Pause, resume or end a campaign, with the letters that say so."""
        with self.database.writing() as session:
            campaign = session.get_one(Campaign, campaign_id)
            campaign.status, campaign.reason = status, reason
            session.add_all(notes)
            add_drafts(session, drafts, now)

    def allow(self, campaign_id: int, words: Sequence[str]) -> tuple[str, ...]:
        """Take these names for harmless from now on."""
        with self.database.writing() as session:
            campaign = session.get_one(Campaign, campaign_id)
            campaign.harmless = sorted({*campaign.harmless, *words})
            return tuple(campaign.harmless)

    def note(self, notes: Sequence[Note]) -> None:
        with self.database.writing() as session:
            session.add_all(notes)

    def notes(self, campaign_id: int | None = None) -> Sequence[Note]:
        with self.database.reading() as session:
            wanted = select(Note).order_by(col(Note.id))
            if campaign_id is not None:
                wanted = wanted.where(Note.campaign_id == campaign_id)
            return session.exec(wanted).all()

"""The office as the command line and the web see it: the books, and the hands of the desk and of the turns."""

from __future__ import annotations

from datetime import datetime

from pbem.campaign.books import Books, NotPossible
from pbem.campaign.house import House
from pbem.campaign.summaries import CampaignInfo, LetterInfo, OutgoingInfo, SeatInfo, TurnInfo, letter_info
from pbem.desk import desk
from pbem.store.rows import CampaignStatus
from pbem.turns import reminders, turns

__all__ = ["CampaignInfo", "House", "LetterInfo", "NotPossible", "Office", "OutgoingInfo", "SeatInfo", "TurnInfo"]


class Office(Books):
    """The books of a host, and what only its desk or its turns can do."""

    def start(self, slug: str, now: datetime) -> CampaignInfo:
        """Open the first phase and write the opening letters; every side needs a seat."""
        campaign = self._campaign(slug)
        taken = {seat.side for seat in self._store.campaigns.seats(campaign.id)}
        free = [side for side in self.sides(slug) if side not in taken]
        if free:
            raise NotPossible(f"nobody sits for {', '.join(free)}; add a seat or a bot for it")
        turns.start(self.house, campaign, now)
        return self.show(slug)

    def resolve_now(self, slug: str, now: datetime) -> CampaignInfo:
        """Resolve the open phase with the sheets that are in, at the moderator's word."""
        _, phase = self._in_play(slug, CampaignStatus.RUNNING)
        if not turns.resolve(self.house, phase.id, now):
            raise NotPossible(f"{slug} could not be resolved: {self._campaign(slug).reason or 'see the log'}")
        return self.show(slug)

    def remind(self, slug: str, now: datetime) -> int:
        """Remind all who are awaited; returns how many letters were written."""
        campaign, phase = self._in_play(slug, CampaignStatus.RUNNING)
        return reminders.remind_now(self.house, campaign, phase, now)

    def requeue(self, letter_id: int, now: datetime) -> LetterInfo:
        """Take up again a letter that was set aside after a bug."""
        self._store.letters.requeue(letter_id)
        desk.handle(self.house, letter_id, now)
        return letter_info(self._store.letters.get(letter_id))

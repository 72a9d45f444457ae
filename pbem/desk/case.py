"""A letter on the desk, with all that judging it needs, each thing looked up once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from pbem.campaign.envelopes import Answering, seat_context
from pbem.campaign.house import House
from pbem.campaign.reading import read_alone
from pbem.campaign.standing import Standing, read_state, standing
from pbem.desk.commands import Request, has_orders, has_words, read_request
from pbem.kit.sheet import Sheet
from pbem.letters.content import Received, SeatContext
from pbem.post.bounce import Bounced, bounced_ref, read_bounce
from pbem.post.gate import Admitted, SeatRef, TurnedAway, admit
from pbem.post.letter import Letter, Unreadable, read_letter
from pbem.store.rows import CampaignRow, CampaignStatus, LetterRow, PhaseRow, PhaseStatus, SeatRow


@dataclass(frozen=True)
class Case:
    """One letter, and the office it came to."""

    house: House
    row: LetterRow
    now: datetime

    # --- the letter itself

    @cached_property
    def parsed(self) -> Letter | Unreadable:
        return read_letter(self.row.raw)

    @property
    def letter(self) -> Letter:
        assert isinstance(self.parsed, Letter)
        return self.parsed

    @property
    def letter_id(self) -> int:
        return self.row.id

    @cached_property
    def request(self) -> Request:
        return read_request(self.letter)

    @cached_property
    def received(self) -> Received:
        return Received(self.letter.subject, self.letter.date, self.letter.message_id, self.row.arrived_at)

    @property
    def answering(self) -> Answering:
        return Answering(self.letter_id, self.letter.message_id, self.letter.references[-10:])

    # --- who wrote it

    @cached_property
    def came_back(self) -> bool:
        """A mail of ours returned, or a report on one."""
        return bounced_ref(self.row.raw, self.house.address, self._bounce_key) is not None

    @cached_property
    def bounced(self) -> Bounced | None:
        return read_bounce(self.row.raw, self.house.address, self._bounce_key)

    @cached_property
    def _bounce_key(self) -> bytes:
        return self.house.store.outgoing.bounce_key()

    @cached_property
    def admission(self) -> Admitted | TurnedAway:
        return admit(self.letter, self.house.address, self._seat_of_token, self._seats_of, self.house.policy)

    def _seat_of_token(self, token: str) -> SeatRef | None:
        given_to = self.house.store.campaigns.seat_of_token(token)
        return None if given_to is None else _ref(given_to.seat, given_to.phase_id, token)

    def _seats_of(self, sender: str) -> Sequence[SeatRef]:
        return [_ref(seat) for seat in self.house.store.campaigns.seats_of(sender)]

    @cached_property
    def seat_ref(self) -> SeatRef | None:
        """The one seat whose words these are; None: several could be meant."""
        if not isinstance(self.admission, Admitted):
            return self.admission.seat
        seats = self.admission.seats
        if len(seats) > 1:
            playing = [ref for ref in seats if self._campaign(ref.campaign_id).status != CampaignStatus.OVER]
            seats = tuple(playing) if len(playing) == 1 else seats
        return seats[0] if len(seats) == 1 else None

    def _campaign(self, campaign_id: int) -> CampaignRow:
        return self.house.store.campaigns.get(campaign_id)

    @cached_property
    def campaign(self) -> CampaignRow:
        assert self.seat_ref is not None
        return self._campaign(self.seat_ref.campaign_id)

    @cached_property
    def seat(self) -> SeatRow:
        assert self.seat_ref is not None
        wanted = self.seat_ref.seat_id
        return next(seat for seat in self.house.store.campaigns.seats(self.campaign.id) if seat.id == wanted)

    # --- where the campaign stands

    @cached_property
    def phase(self) -> PhaseRow | None:
        """The open phase, or the last one when the campaign is over."""
        opened = self.house.store.phases.open_in(self.campaign.id)
        if opened is not None:
            return opened
        ended = self.house.store.phases.all(self.campaign.id)
        return self.house.store.phases.get(ended[-1].id) if ended else None

    @cached_property
    def at(self) -> Standing:
        assert self.phase is not None
        at = standing(self.house, self.campaign, self.phase)
        return at if self.phase.status == PhaseStatus.OPEN else self._after(at)

    def _after(self, at: Standing) -> Standing:
        """A campaign that is over stands as its last turn left it."""
        last = self.house.store.phases.archives(self.campaign.id)[-1][1]
        return replace(at, state=read_state(at.game, last.state), sheets={})

    def after(self, at: Standing) -> Case:
        """The same letter, once what it changes of the sheets is so."""
        changed = replace(self)
        vars(changed).update({**vars(self), "at": at})
        return changed

    @cached_property
    def view(self) -> Any:
        return self.at.game.view(self.at.state, self.seat.side)

    @cached_property
    def sheet(self) -> Sheet[Any]:
        """The letter's orders read alone."""
        return read_alone(self.at, self.seat, self.request.orders)

    @property
    def brings_orders(self) -> bool:
        return has_orders(self.request.orders)

    @property
    def brings_words(self) -> bool:
        return has_words(self.request.orders)

    def context(self, at: Standing | None = None) -> SeatContext:
        """What the writer of the answer must know."""
        assert self.phase is not None
        token = self.house.store.campaigns.token(self.seat.id, self.phase.id)
        return seat_context(self.house, at or self.at, self.seat, token)


def _ref(seat: SeatRow, phase_id: int | None = None, token: str = "") -> SeatRef:
    return SeatRef(seat.id, seat.campaign_id, (seat.address,) if seat.address else (), phase_id, token)

"""Mails on their way out, each with a return address of its own, so that the one that comes back is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

from pbem.post.bounce import bounce_address
from pbem.store.outgoing import ClaimedMail, OutgoingQueue


@dataclass(frozen=True)
class SealedQueue:
    """The store's mails as the outbox works them off (`pbem.post.outbox.Queue`)."""

    mails: OutgoingQueue

    @cached_property
    def _key(self) -> bytes:
        return self.mails.bounce_key()

    def claim(self, now: datetime, lease: timedelta) -> ClaimedMail | None:
        """The first mail that is due, its return address sealed."""
        mail = self.mails.claim(now, lease)
        if mail is None:
            return None
        sender = bounce_address(mail.envelope_sender, self._key, mail.seat_id or 0, mail.id)
        return replace(mail, envelope_sender=sender)

    def sent(self, id: int, now: datetime) -> None:
        self.mails.sent(id, now)

    def later(self, id: int, due: datetime, why: str) -> None:
        self.mails.later(id, due, why)

    def failed(self, id: int, why: str) -> None:
        self.mails.failed(id, why)

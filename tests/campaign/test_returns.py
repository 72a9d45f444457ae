"""A mail that comes back names the one that went out."""

from __future__ import annotations

from datetime import timedelta

from pbem.campaign.returns import SealedQueue
from pbem.post.bounce import BounceRef, read_bounce_address
from pbem.store.outgoing import Draft
from tests.office_bench import NOON, ROBOT, Bench


def test_every_mail_goes_out_with_a_return_address_of_its_own(either: Bench) -> None:
    mails = either.store.outgoing
    drafts = [Draft(f"note/{n}", "note", "anna@club.example", ROBOT, f"<{n}@x>", "Word", b"...") for n in range(2)]
    mails.add(drafts, NOON)
    queue = SealedQueue(mails)

    claimed = [queue.claim(NOON, timedelta(minutes=5)) for _ in range(3)]

    assert claimed[2] is None
    assert [
        read_bounce_address(mail.envelope_sender, ROBOT, mails.bounce_key()) for mail in claimed if mail is not None
    ] == [BounceRef(0, 1), BounceRef(0, 2)]

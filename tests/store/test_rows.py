"""What the store keeps and gives back; the same on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
import sqlalchemy as sa

from pbem.store.letters import AlreadyHandled, LetterChange, MailboxPlace
from pbem.store.outgoing import Draft
from pbem.store.rows import LetterStatus, OutgoingStatus
from tests.office_bench import NOON, Bench

LEASE = timedelta(minutes=5)


def draft(key: str) -> Draft:
    return Draft(key, "test", "anna@home.example", "robot@club.example", f"<{key}@club.example>", "Hello", b"mail")


def test_times_come_back_in_utc(either: Bench) -> None:
    berlin = timezone(timedelta(hours=1))
    letter = either.store.letters.file(b"x", datetime(2026, 11, 2, 13, 0, 0, 123456, tzinfo=berlin))

    kept = either.store.letters.get(letter.id).arrived_at
    assert kept == datetime(2026, 11, 2, 12, 0, 0, 123456, tzinfo=UTC)
    assert kept.tzinfo is UTC


def test_a_time_without_a_zone_is_refused(bench: Bench) -> None:
    with pytest.raises(sa.exc.StatementError, match="a time without zone"):
        bench.store.letters.file(b"x", datetime(2026, 11, 2))  # noqa: DTZ001  the very thing under test


def test_a_letter_is_filed_once_by_its_bytes(either: Bench) -> None:
    first = either.store.letters.file(b"one", NOON, MailboxPlace(2**32 - 1, 2**32 - 1))
    second = either.store.letters.file(b"one", NOON, MailboxPlace(8, 1))
    third = either.store.letters.file(b"two", NOON)

    assert (first.again, second.again, third.again) == (False, True, False)
    assert first.id == second.id < third.id
    assert either.store.letters.get(first.id).raw == b"one"
    assert either.store.letters.waiting() == (first.id, third.id)


def test_a_letter_is_handled_once(either: Bench) -> None:
    letter = either.store.letters.file(b"one", NOON)
    change = LetterChange(letter.id, LetterStatus.ACCEPTED, "orders", drafts=(draft("receipt/1"),))
    either.store.letters.handled(change, NOON)

    with pytest.raises(AlreadyHandled):
        either.store.letters.handled(change, NOON)
    assert len(either.store.outgoing.all()) == 1


def test_a_letter_whose_answer_cannot_be_kept_is_not_handled(either: Bench) -> None:
    letter = either.store.letters.file(b"one", NOON)
    either.store.outgoing.add([draft("receipt/1")], NOON)
    with pytest.raises(sa.exc.IntegrityError):
        either.store.letters.handled(
            LetterChange(letter.id, LetterStatus.ACCEPTED, "orders", drafts=(draft("receipt/1"),)), NOON
        )

    assert either.store.letters.waiting() == (letter.id,)


def test_mails_are_claimed_one_by_one_in_order(either: Bench) -> None:
    queue = either.store.outgoing
    queue.add([draft("a"), draft("b")], NOON)
    first, second, none = queue.claim(NOON, LEASE), queue.claim(NOON, LEASE), queue.claim(NOON, LEASE)

    assert first is not None
    assert second is not None
    assert none is None
    assert (first.id, first.attempts, first.raw, first.recipient) == (1, 1, b"mail", "anna@home.example")
    assert second.id == 2
    assert first.envelope_sender == "robot@club.example"


def test_a_claim_falls_back_when_its_lease_ends(either: Bench) -> None:
    queue = either.store.outgoing
    queue.add([draft("a")], NOON)
    queue.claim(NOON, LEASE)

    assert queue.claim(NOON + LEASE - timedelta(seconds=1), LEASE) is None
    again = queue.claim(NOON + LEASE, LEASE)
    assert again is not None
    assert again.attempts == 2


def test_claims_of_a_daemon_that_died_are_given_back_at_once(either: Bench) -> None:
    queue = either.store.outgoing
    queue.add([draft("a")], NOON)
    queue.claim(NOON, LEASE)

    assert queue.release(NOON) == 1
    assert queue.claim(NOON, LEASE) is not None


def test_a_mail_is_sent_put_off_or_held(either: Bench) -> None:
    queue = either.store.outgoing
    queue.add([draft("a"), draft("b"), draft("c")], NOON)
    for _ in range(3):
        queue.claim(NOON, LEASE)
    queue.sent(1, NOON)
    queue.later(2, NOON + timedelta(hours=1), "450 busy")
    queue.failed(3, "550 no such user")

    assert [(row.status, row.why) for row in queue.all()] == [
        (OutgoingStatus.SENT, ""),
        (OutgoingStatus.READY, "450 busy"),
        (OutgoingStatus.FAILED, "550 no such user"),
    ]
    assert queue.claim(NOON, LEASE) is None
    assert [row.id for row in queue.failures()] == [3]
    queue.retry(3, NOON)
    retried = queue.claim(NOON, LEASE)
    assert retried is not None
    assert retried.id == 3


def test_a_mail_written_before_is_not_queued_again(either: Bench) -> None:
    either.store.outgoing.add([draft("a")], NOON)
    either.store.outgoing.add([draft("a"), draft("b")], NOON)

    assert [row.key for row in either.store.outgoing.all()] == ["a", "b"]


def test_only_a_letter_set_aside_can_be_taken_up_again(either: Bench) -> None:
    letter = either.store.letters.file(b"one", NOON)
    either.store.letters.handled(LetterChange(letter.id, LetterStatus.IGNORED, "stranger"), NOON)

    with pytest.raises(AlreadyHandled, match="only a broken one"):
        either.store.letters.requeue(letter.id)

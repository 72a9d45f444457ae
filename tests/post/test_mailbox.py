"""The mailbox, watched over real IMAP: nothing lost, nothing skipped, whatever happens to the connection."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import imapclient
import pytest

from pbem.post import mailbox
from pbem.post.mailbox import Arrived, Folder, ImapAccount, Mailbox, Trouble, pause_after
from pbem.postoffice.servers import PostOffice, RunningOffice, run_in_thread
from tests.post.clients import Watcher, bodies, done, imap, letter, send, taking, watching
from tests.post.servers import NOW, PATIENCE, subject_of, wire_to, without


def account(port: int, **more: object) -> ImapAccount:
    return ImapAccount("127.0.0.1", port, "robot", "none", "secret", **more)  # type: ignore[arg-type]


def subjects_in(office: RunningOffice, folder: str) -> list[str]:
    with imap(office, folder) as client:
        return [subject_of(raw) for raw in bodies(client).values()]


# --- the plain way ---------------------------------------------------------------------------------------------------


def test_letters_that_wait_and_letters_that_come_are_handed_over_in_order_and_moved(office: RunningOffice) -> None:
    send(office, letter(1), letter(2))
    with watching(account(office.imap_port), lambda a: "Refused" if subject_of(a.raw) == "2" else "Done") as watcher:
        assert watcher.subjects(2) == ["1", "2"]
        send(office, letter(3))
        assert watcher.subjects(1) == ["3"]

    assert subjects_in(office, "Done") == ["1", "3"]
    assert subjects_in(office, "Refused") == ["2"]
    assert subjects_in(office, "INBOX") == []


def test_what_is_handed_over(tmp_path: Path) -> None:
    with run_in_thread(PostOffice(tmp_path, "club.example", clock=lambda: NOW)) as office:
        office.add_account("robot", "secret")
        send(office, letter(1))
        with imap(office) as client:
            validity = client.folder_status("INBOX", ["UIDVALIDITY"])[b"UIDVALIDITY"]
            [raw] = bodies(client).values()
        taken: list[Arrived] = []
        count = Mailbox(account(office.imap_port)).take_waiting(taking(taken.append))

    assert count == 1
    assert taken == [Arrived(raw, validity, 1, NOW, too_big=False, size=len(raw))]


def test_a_hundred_letters_at_once_arrive_in_order_none_lost_or_doubled(office: RunningOffice) -> None:
    with watching(account(office.imap_port)) as watcher:
        send(office, *(letter(number) for number in range(100)))
        assert watcher.subjects(100) == [str(number) for number in range(100)]

    assert watcher.arrived.empty()
    assert subjects_in(office, "INBOX") == []
    assert len(subjects_in(office, "Done")) == 100


def test_whoever_waits_for_the_last_letter_is_told_when_none_is_left(office: RunningOffice) -> None:
    send(office, letter(1), letter(2))
    told: list[object] = []
    stop = threading.Event()

    def read() -> None:
        told.append("all read")
        stop.set()

    Mailbox(account(office.imap_port)).watch(taking(lambda a: told.append(a.uid)), stop, on_read=read)

    assert told == [1, 2, "all read"]


def test_arrival_is_by_the_servers_date_then_by_uid(office: RunningOffice) -> None:
    with imap(office) as client:
        for number, minutes in enumerate([30, 10, 20, 10]):
            client.append("INBOX", letter(number), msg_time=NOW + timedelta(minutes=minutes))
    taken: list[str] = []
    Mailbox(account(office.imap_port)).take_waiting(taking(lambda a: taken.append(subject_of(a.raw))))

    assert taken == ["1", "3", "2", "0"]


def test_of_a_letter_too_big_only_the_header_is_fetched(office: RunningOffice) -> None:
    send(office, letter(1), letter(2) + b"x\r\n" * 2000, letter(3))
    taken: list[Arrived] = []
    Mailbox(account(office.imap_port, largest=3000)).take_waiting(taking(taken.append))

    assert [(subject_of(a.raw), a.too_big, a.size > 3000) for a in taken] == [
        ("1", False, False),
        ("2", True, True),
        ("3", False, False),
    ]
    assert b"x\r\nx" not in taken[1].raw


def test_letters_stay_unread_to_whoever_looks_into_done(office: RunningOffice) -> None:
    send(office, letter(1))
    Mailbox(account(office.imap_port)).take_waiting(done)
    with imap(office, "Done") as client:
        assert imapclient.SEEN not in client.get_flags([1])[1]


def test_a_letter_is_moved_only_after_it_was_taken(office: RunningOffice) -> None:
    """A crash in between is the same as this: the letter comes again."""

    def fail(arrived: Arrived) -> Folder:
        raise RuntimeError("killed")

    send(office, letter(1))
    with pytest.raises(RuntimeError, match="killed"):
        Mailbox(account(office.imap_port)).take_waiting(fail)

    assert subjects_in(office, "INBOX") == ["1"]


def test_letters_taken_before_a_failure_are_moved_and_the_others_stay(office: RunningOffice) -> None:
    def fail_at_the_third(arrived: Arrived) -> Folder:
        if arrived.uid == 3:
            raise RuntimeError("killed")
        return "Done" if arrived.uid == 1 else "Refused"

    send(office, *(letter(number) for number in range(1, 5)))
    with pytest.raises(RuntimeError, match="killed"):
        Mailbox(account(office.imap_port)).take_waiting(fail_at_the_third)

    assert [subjects_in(office, folder) for folder in ("Done", "Refused", "INBOX")] == [["1"], ["2"], ["3", "4"]]


def test_a_letter_deleted_by_somebody_else_meanwhile_holds_up_nobody(office: RunningOffice) -> None:
    send(office, letter(1), letter(2), letter(3))

    def take(arrived: Arrived) -> Folder:
        if arrived.uid == 1:
            with imap(office) as other:
                other.delete_messages([2])
                other.expunge()
        return "Done"

    assert Mailbox(account(office.imap_port)).take_waiting(take) == 3
    assert subjects_in(office, "Done") == ["1", "3"]


def test_a_new_uidvalidity_is_told_and_the_letters_are_read_again(office: RunningOffice) -> None:
    send(office, letter(1))
    seen: list[Arrived] = []

    def leave(arrived: Arrived) -> Folder:
        seen.append(arrived)
        raise RuntimeError

    for _ in range(2):
        with pytest.raises(RuntimeError):
            Mailbox(account(office.imap_port)).take_waiting(leave)
        (office.office.folder / "robot" / "dovecot-uidlist").unlink()

    assert seen[0].uidvalidity != seen[1].uidvalidity
    assert seen[0].raw == seen[1].raw


def test_batches_are_bounded_in_number_and_bytes() -> None:
    listed = [mailbox._Listed(NOW, uid, 400_000) for uid in range(60)] + [mailbox._Listed(NOW, 60, 10**9)]
    sizes = [len(batch) for batch in mailbox._batches(listed)]

    assert sum(sizes) == 61
    assert max(sizes) <= 10


# --- trouble ---------------------------------------------------------------------------------------------------------


def test_a_cut_connection_costs_a_pause_and_no_letter(office: RunningOffice) -> None:
    with wire_to(office.imap_port) as wire, watching(account(wire.port)) as watcher:
        send(office, letter(1))
        assert watcher.subjects(1) == ["1"]
        wire.cut()
        assert watcher.trouble.get(timeout=PATIENCE).failures == 1
        send(office, letter(2))
        assert watcher.subjects(1) == ["2"]

    assert subjects_in(office, "Done") == ["1", "2"]


def test_a_connection_that_went_dead_without_a_word_is_found_out(office: RunningOffice) -> None:
    """A router forgot it: no packet comes, no error either."""
    with (
        wire_to(office.imap_port) as wire,
        watching(account(wire.port, poll_seconds=0.3, timeout=0.5)) as watcher,
    ):
        send(office, letter(1))
        assert watcher.subjects(1) == ["1"]
        wire.go_dead()
        assert "timed out" in watcher.trouble.get(timeout=PATIENCE).reason
        send(office, letter(2))
        assert watcher.subjects(1) == ["2"]


def test_an_office_that_closes_and_opens_again_loses_and_doubles_nothing(tmp_path: Path) -> None:
    with run_in_thread(PostOffice(tmp_path, "club.example")) as office:
        office.add_account("robot", "secret")
        port = office.imap_port
        watcher = Watcher(account(port), done)
        watcher.thread.start()
        send(office, letter(1))
        assert watcher.subjects(1) == ["1"]
    try:
        assert watcher.trouble.get(timeout=PATIENCE).pause == 1.0
        with run_in_thread(PostOffice(tmp_path, "club.example", imap_port=port)) as office:
            send(office, letter(2), letter(3))
            assert watcher.subjects(2) == ["2", "3"]
            watcher.stop.set()
            watcher.thread.join(PATIENCE)
            assert subjects_in(office, "Done") == ["1", "2", "3"]
    finally:
        watcher.stop.set()
        watcher.thread.join(PATIENCE)
    assert watcher.arrived.empty()


def test_a_wrong_password_is_trouble_that_is_told_and_tried_again_later(office: RunningOffice) -> None:
    told: list[Trouble] = []
    stop = threading.Event()

    def tell(trouble: Trouble) -> None:
        told.append(trouble)
        stop.set()

    wrong = ImapAccount("127.0.0.1", office.imap_port, "robot", "none", "wrong")
    Mailbox(wrong).watch(done, stop, tell)

    assert [(trouble.failures, trouble.pause) for trouble in told] == [(1, 1.0)]
    assert "wrong" not in told[0].reason


def test_pauses_grow_to_five_minutes() -> None:
    assert [pause_after(failures) for failures in (1, 2, 3, 4, 8, 9, 10, 1000)] == [1, 2, 4, 8, 128, 256, 300, 300]


def test_a_mailbox_is_never_read_over_a_network_in_the_clear() -> None:
    with pytest.raises(ValueError, match="for this machine alone"):
        ImapAccount("mail.example", 143, "robot", "none")


# --- servers that can do less ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [(b"MOVE",), (b"MOVE", b"UIDPLUS")], ids=["no MOVE", "no MOVE, no UIDPLUS"])
def test_without_move_letters_are_copied_marked_and_expunged(office: RunningOffice, missing: tuple[bytes, ...]) -> None:
    send(office, letter(1), letter(2))
    with wire_to(office.imap_port, without(*missing)) as wire:
        assert Mailbox(account(wire.port)).take_waiting(done) == 2

    assert subjects_in(office, "Done") == ["1", "2"]
    assert subjects_in(office, "INBOX") == []


def test_what_a_crash_left_between_copy_and_expunge_is_cleared_and_not_taken_twice(office: RunningOffice) -> None:
    send(office, letter(1), letter(2))
    with imap(office) as client:
        client.delete_messages([1])
    taken: list[str] = []
    with wire_to(office.imap_port, without(b"MOVE")) as wire:
        Mailbox(account(wire.port)).take_waiting(taking(lambda a: taken.append(subject_of(a.raw))))

    assert taken == ["2"]
    assert subjects_in(office, "INBOX") == []


def test_without_idle_the_folder_is_looked_at_from_time_to_time(office: RunningOffice) -> None:
    with (
        wire_to(office.imap_port, without(b"IDLE")) as wire,
        watching(account(wire.port, poll_seconds=0.05)) as watcher,
    ):
        send(office, letter(1))
        assert watcher.subjects(1) == ["1"]
        send(office, letter(2))
        assert watcher.subjects(1) == ["2"]


def test_times_are_in_utc(office: RunningOffice) -> None:
    with imap(office) as client:
        client.append("INBOX", letter(1), msg_time=datetime.fromisoformat("2026-11-16T19:03:00+01:00"))
    taken: list[Arrived] = []
    Mailbox(account(office.imap_port)).take_waiting(taking(taken.append))

    assert taken[0].received_at == NOW
    assert taken[0].received_at.tzinfo is UTC

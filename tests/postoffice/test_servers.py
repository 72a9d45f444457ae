"""The built-in post office: what it promises, and each fault of pymap 0.36.7 that it corrects."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import smtplib
import socket
import tempfile
import threading
from datetime import UTC, datetime
from pathlib import Path

import aiosmtplib
import imapclient
import pytest
from pymap.backend.maildir.uidlist import UidList

from pbem.postoffice.maildir import CorrectedMailbox
from pbem.postoffice.messages import OrderedMaildir
from pbem.postoffice.servers import OfficeInUse, PostOffice, RunningOffice, run_in_thread
from pbem.postoffice.stored import Names, write_mail
from tests.post.clients import bodies, imap, letter, send
from tests.post.servers import NOW, PATIENCE, subject_of

# --- taking mail in --------------------------------------------------------------------------------------------------


def test_mail_comes_out_as_it_went_in_below_the_lines_that_say_how_it_came(tmp_path: Path) -> None:
    with run_in_thread(PostOffice(tmp_path, "club.example", clock=lambda: NOW)) as office:
        office.add_account("robot", "secret")
        send(office, letter(1), to="Robot+7K3QM9XWPTRD@Club.Example")
        with imap(office) as client:
            assert bodies(client) == {
                1: b"Return-Path: <ann@mail.example>\r\n"
                b"Delivered-To: Robot+7K3QM9XWPTRD@Club.Example\r\n"
                b"Received: from [127.0.0.1] by club.example; Mon, 16 Nov 2026 18:03:00 +0000\r\n" + letter(1)
            }
            client.normalise_times = False
            assert client.fetch([1], ["INTERNALDATE"])[1][b"INTERNALDATE"] == NOW


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        ("nobody@club.example", (550, b"5.1.1 no such mailbox")),
        ("robot@elsewhere.example", (550, b"5.7.1 no mail is relayed here")),
        ("../robot@club.example", (550, b"5.7.1 no mail is relayed here")),
        ("robot@club.example.evil.example", (550, b"5.7.1 no mail is relayed here")),
        (".hidden@club.example", (550, b"5.7.1 no mail is relayed here")),
    ],
)
def test_what_is_for_nobody_here_is_refused_while_the_sender_listens(
    office: RunningOffice, address: str, answer: tuple[int, bytes]
) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        send(office, letter(1), to=address)

    assert refused.value.recipients == {address: answer}


def test_a_mail_to_two_addresses_of_one_account_is_stored_once_and_names_both(office: RunningOffice) -> None:
    office.add_account("ann", "secret")
    with smtplib.SMTP("127.0.0.1", office.smtp_port) as client:
        client.sendmail("bob@mail.example", [f"{to}@club.example" for to in ("robot+a", "robot+b", "ann")], letter(1))

    with imap(office) as robot, imap(office, user="ann") as ann:
        [to_robot], [to_ann] = bodies(robot).values(), bodies(ann).values()
    assert b"Delivered-To: robot+a@club.example\r\nDelivered-To: robot+b@club.example\r\n" in to_robot
    assert b"Delivered-To: ann@club.example\r\nReceived" in to_ann


def test_rfc_1870_a_mail_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    with run_in_thread(PostOffice(tmp_path, "club.example", largest=1000)) as office:
        office.add_account("robot", "secret")
        with pytest.raises(smtplib.SMTPSenderRefused) as announced:
            send(office, letter(1) + b"x" * 80 + b"\r\n" + b"y" * 900)
        with smtplib.SMTP("127.0.0.1", office.smtp_port) as client:
            client.ehlo()
            client.mail("ann@mail.example")
            client.rcpt("robot@club.example")
            unannounced, _ = client.data(letter(1) + b"x\r\n" * 900)

    assert (announced.value.smtp_code, unannounced) == (552, 552)


def test_a_mail_that_cannot_be_stored_is_not_promised(office: RunningOffice) -> None:
    box = office.office.folder / "robot"
    (box / "tmp").rmdir()
    with pytest.raises(smtplib.SMTPDataError) as refused:
        send(office, letter(1))
    (box / "tmp").mkdir()
    send(office, letter(2))

    assert refused.value.smtp_code == 452
    with imap(office) as client:
        assert [subject_of(raw) for raw in bodies(client).values()] == ["2"]


def test_mail_and_its_name_are_on_the_disk_before_the_promise(
    office: RunningOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    flush = os.fsync

    def watched(handle: int) -> None:
        synced.append(Path(f"/proc/self/fd/{handle}").readlink().parent.name if handle else "")
        flush(handle)

    monkeypatch.setattr(os, "fsync", watched)
    send(office, letter(1))

    assert synced == ["tmp", "robot"]


@pytest.mark.parametrize("end", [b"\n.\n", b"\r\n.\n", b"\n.\r\n", b"\r.\r"])
def test_no_false_end_of_data_smuggles_in_a_second_mail(office: RunningOffice, end: bytes) -> None:
    with socket.create_connection(("127.0.0.1", office.smtp_port), timeout=30) as wire, wire.makefile("rb") as answers:
        for line in (b"", b"EHLO x", b"MAIL FROM:<a@mail.example>", b"RCPT TO:<robot@club.example>", b"DATA"):
            if line:
                wire.sendall(line + b"\r\n")
            while answers.readline()[3:4] == b"-":
                pass
        wire.sendall(
            b"Subject: 1\r\n\r\none" + end + b"MAIL FROM:<eve@other.example>\r\nRCPT TO:<robot@club.example>\r\n"
        )
        wire.sendall(b"DATA\r\nSubject: 2\r\n\r\ntwo\r\n.\r\n")
        answers.readline()

    with imap(office) as client:
        assert len(client.search("ALL")) == 1


@pytest.mark.parametrize("name", ["", "Robot", "..", "a/b", ".hidden", "x" * 60, "a+b"])
def test_account_names_are_plain_words(office: RunningOffice, name: str) -> None:
    with pytest.raises(ValueError, match="is no account name"):
        office.add_account(name, "secret")


def test_logins_are_checked_by_both_servers(office: RunningOffice) -> None:
    with smtplib.SMTP("127.0.0.1", office.smtp_port) as client:
        client.login("robot", "secret")
        with pytest.raises(smtplib.SMTPAuthenticationError), smtplib.SMTP("127.0.0.1", office.smtp_port) as other:
            other.login("robot", "wrong")
    with (
        imapclient.IMAPClient("127.0.0.1", office.imap_port, ssl=False) as imap_client,
        pytest.raises(imapclient.exceptions.LoginError),
    ):
        imap_client.login("robot", "wrong")


def test_passwords_are_kept_hashed_and_to_ourselves(office: RunningOffice) -> None:
    kept = office.office.folder / "pymap-etc-shadow"

    assert "secret" not in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_without_a_certificate_it_stays_on_this_machine(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stays on this machine"):
        PostOffice(tmp_path, "club.example", host="0.0.0.0")


# --- many at once ----------------------------------------------------------------------------------------------------


def test_a_hundred_letters_sent_at_once_arrive_once_each_in_every_senders_order(office: RunningOffice) -> None:
    """Ten senders with ten letters each, all at the same time."""

    async def sender(name: int) -> None:
        async with aiosmtplib.SMTP(hostname="127.0.0.1", port=office.smtp_port) as client:
            for number in range(10):
                await client.sendmail(f"s{name}@mail.example", ["robot@club.example"], letter(100 * name + number))

    async def all_at_once() -> None:
        await asyncio.gather(*(sender(name) for name in range(10)))

    asyncio.run(all_at_once())

    with imap(office) as client:
        arrived = [int(subject_of(raw)) for raw in bodies(client).values()]
    assert sorted(arrived) == [100 * name + number for name in range(10) for number in range(10)]
    for name in range(10):
        own = [number for number in arrived if number // 100 == name]
        assert own == sorted(own)


def test_names_sort_by_arrival_even_when_the_clock_is_set_back() -> None:
    names = Names("club.example")
    made = [names.next(datetime.fromtimestamp(at, UTC)) for at in (1.9e9, 1.9e9, 1.8e9, 1.7e9, 1.9e9, 2e9)]

    assert made == sorted(made)
    assert len(set(made)) == 6


# --- restarts --------------------------------------------------------------------------------------------------------


def test_mail_uids_and_accounts_survive_a_restart(tmp_path: Path) -> None:
    with run_in_thread(PostOffice(tmp_path, "club.example")) as office:
        office.add_account("robot", "secret")
        send(office, letter(1), letter(2))
        with imap(office) as client:
            before = client.folder_status("INBOX", ["UIDVALIDITY", "UIDNEXT"]), bodies(client)
        send(office, letter(3))
    with run_in_thread(PostOffice(tmp_path, "club.example")) as office:
        send(office, letter(4))
        with imap(office) as client:
            after = bodies(client)
            assert client.folder_status("INBOX", ["UIDVALIDITY"])[b"UIDVALIDITY"] == before[0][b"UIDVALIDITY"]

    assert before[0][b"UIDNEXT"] == 3
    assert [subject_of(raw) for raw in after.values()] == ["1", "2", "3", "4"]
    assert list(after) == [1, 2, 3, 4]
    assert {uid: after[uid] for uid in before[1]} == before[1]


def test_two_offices_never_share_a_folder(tmp_path: Path) -> None:
    second = run_in_thread(PostOffice(tmp_path, "club.example"))
    with run_in_thread(PostOffice(tmp_path, "club.example")), pytest.raises(OfficeInUse):
        second.__enter__()


def _run_as_nobody(folder: Path, found: multiprocessing.Queue[list[str]]) -> None:
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    with run_in_thread(PostOffice(folder / "post", "club.example")) as office:
        office.add_account("robot", "secret")
        send(office, letter(1))
        with imap(office) as client:
            found.put([subject_of(raw) for raw in bodies(client).values()])


def test_it_needs_no_rights_of_root() -> None:
    fork = multiprocessing.get_context("fork")
    found: multiprocessing.Queue[list[str]] = fork.Queue()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        child = fork.Process(target=_run_as_nobody, args=(Path(folder), found))
        child.start()
        assert found.get(timeout=60) == ["1"]
        child.join()
    assert child.exitcode == 0


# --- the faults of pymap 0.36.7 --------------------------------------------------------------------------------------


def test_fault_1_a_copy_has_the_text_of_the_original(office: RunningOffice) -> None:
    send(office, letter(1))
    with imap(office) as client:
        client.create_folder("Done")
        client.add_flags([1], [imapclient.FLAGGED])
        client.copy([1], "Done")
        original = bodies(client)[1]
        client.select_folder("Done")

        assert bodies(client) == {1: original}
        assert imapclient.FLAGGED in client.get_flags([1])[1]


def test_fault_2_uids_follow_the_order_of_arrival(office: RunningOffice) -> None:
    send(office, *(letter(number) for number in range(40)))
    with imap(office) as client:
        assert [subject_of(raw) for raw in bodies(client).values()] == [str(number) for number in range(40)]


@pytest.mark.parametrize(
    "mail",
    [
        b"From:    ann@mail.example\r\nSubject:x\r\n\r\nspeed 8\r\n",
        b"Subject: =?utf-8?q?a?=\r\n folded\r\n\r\n\xff\xfe 8 bit \xe9\r\n",
        b"no header at all\r\n\r\n\r\n",
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nunclosed\r\n",
        b"Content-Type: message/rfc822\r\n\r\n" * 3000 + b"deep\r\n",
        b"From: " + b"(" * 900 + b"\r\nContent-Type: x/[\r\n\r\nodd\r\n",
    ],
)
def test_fault_3_mail_is_served_byte_for_byte_however_hostile(office: RunningOffice, mail: bytes) -> None:
    send(office, mail, letter(2))
    with imap(office) as client:
        client.append("INBOX", mail)
        found = bodies(client)
        sizes = client.fetch(list(found), ["RFC822.SIZE"])

    assert found[1].partition(b"Received: ")[2].partition(b"\r\n")[2] == mail
    assert found[3] == mail
    assert {uid: sizes[uid][b"RFC822.SIZE"] for uid in found} == {uid: len(raw) for uid, raw in found.items()}


def test_fault_4_the_list_of_uids_is_not_read_again_for_every_message(
    office: RunningOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(office, *(letter(number) for number in range(60)))
    reads = 0
    original = UidList.read

    def counted(self: UidList, file: object) -> None:
        nonlocal reads
        reads += 1
        original(self, file)  # type: ignore[arg-type]

    monkeypatch.setattr(UidList, "read", counted)
    with imap(office) as client:
        assert len(bodies(client)) == 60

    assert reads < 10


def test_fault_5_nothing_is_written_outside_the_offices_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "another file system"))
    with run_in_thread(PostOffice(tmp_path / "post", "club.example")) as office:
        office.add_account("robot", "secret")
        send(office, letter(1))
        with imap(office) as client:
            client.create_folder("Done")
            client.subscribe_folder("Done")
            client.move([1], "Done")

    assert [path.name for path in tmp_path.iterdir()] == ["post"]


def test_fault_6_locks_left_by_a_killed_process_hold_up_nobody(tmp_path: Path) -> None:
    with run_in_thread(PostOffice(tmp_path, "club.example")) as office:
        office.add_account("robot", "secret")
    for name in ("pymap-etc-passwd.lock", "robot/dovecot-uidlist.lock", "robot/subscriptions.lock"):
        (tmp_path / name).touch()

    with run_in_thread(PostOffice(tmp_path, "club.example")) as office:
        send(office, letter(1))
        with imap(office) as client:
            assert client.search("ALL") == [1]
    assert list(tmp_path.rglob("*.lock")) == []


def test_fault_7_keywords_are_not_promised_so_nobody_relies_on_them(office: RunningOffice) -> None:
    with imap(office) as client:
        flags = client.select_folder("INBOX")[b"PERMANENTFLAGS"]

    assert sorted(flags) == [b"\\Answered", b"\\Deleted", b"\\Draft", b"\\Flagged", b"\\Seen"]


def test_fault_8_a_folder_that_does_not_change_is_not_read_again_for_who_waits(
    office: RunningOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, reads = threading.Semaphore(0), 0
    stamp, metadata = CorrectedMailbox._stamp, OrderedMaildir.get_message_metadata

    def look(self: CorrectedMailbox) -> tuple[int, ...] | None:
        looks.release()
        return stamp(self)

    def read(self: OrderedMaildir, key: str) -> object:
        nonlocal reads
        reads += 1
        return metadata(self, key)

    send(office, *(letter(number) for number in range(20)))
    with imap(office) as client:
        for name in ("new", "cur", "dovecot-uidlist"):
            os.utime(office.office.folder / "robot" / name, (1_000_000_000, 1_000_000_000))
        monkeypatch.setattr(CorrectedMailbox, "_stamp", look)
        monkeypatch.setattr(OrderedMaildir, "get_message_metadata", read)
        client.idle()
        for _ in range(10):
            assert looks.acquire(timeout=PATIENCE)
        client.idle_done()

    assert reads <= 40


def test_fault_9_the_list_of_uids_is_flushed_before_it_takes_its_place(
    office: RunningOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(office, letter(1))
    synced: list[str] = []
    flush = os.fsync

    def watched(handle: int) -> None:
        synced.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        flush(handle)

    monkeypatch.setattr(os, "fsync", watched)
    with imap(office):
        pass

    assert synced[-2:] == [f".dovecot-uidlist.{os.getpid()}.new", "robot"]


def test_fault_10_what_was_moved_or_deleted_leaves_the_list_at_once(office: RunningOffice) -> None:
    send(office, *(letter(number) for number in range(4)))
    with imap(office) as client:
        client.create_folder("Done")
        client.move([1, 2], "Done")
        client.delete_messages([3])
        client.expunge()

    listed = (office.office.folder / "robot" / "dovecot-uidlist").read_text().splitlines()
    assert [line.split()[0] for line in listed[1:]] == ["4"]


def test_fault_11_housekeeping_keeps_the_uid_of_mail_that_came_meanwhile(office: RunningOffice) -> None:
    with imap(office) as first, imap(office) as second:
        send(office, letter(1))
        second.noop()
        assert second.search("ALL") == [1]
        # CHECK, which imapclient leaves out, is pymap's call for housekeeping.
        first._imap.check()
        send(office, letter(2))
        first.noop()
        second.noop()
        assert (first.search("ALL"), second.search("ALL")) == ([1, 2], [1, 2])


def test_fault_12_a_folder_that_exists_is_refused_and_the_session_goes_on(office: RunningOffice) -> None:
    with imap(office) as client:
        client.create_folder("Done")
        with pytest.raises(imapclient.exceptions.IMAPClientError, match="ALREADYEXISTS"):
            client.create_folder("Done")
        assert client.folder_exists("Done")


def test_fault_13_mail_that_comes_within_the_grain_of_the_clock_is_seen(tmp_path: Path) -> None:
    box = OrderedMaildir(str(tmp_path / "box"), create=True)
    grain = (1_000_000_000, 1_000_000_000)
    seen = []
    for number in range(3):
        write_mail(tmp_path / "box", f"mail-{number}", letter(number), "new", NOW)
        os.utime(tmp_path / "box" / "new", grain)
        seen.append(sorted(box.listed()))

    assert seen == [["mail-0"], ["mail-0", "mail-1"], ["mail-0", "mail-1", "mail-2"]]


def test_the_library_is_the_very_version_that_is_corrected() -> None:
    import importlib.metadata

    assert importlib.metadata.version("pymap") == "0.36.7"

"""Those who write to a post office in the tests, and those who watch a mailbox."""

from __future__ import annotations

import queue
import smtplib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import imapclient

from pbem.post.mailbox import Arrived, Folder, ImapAccount, Mailbox, Trouble
from pbem.postoffice.servers import RunningOffice
from tests.post.servers import PATIENCE, subject_of


def send(
    office: RunningOffice, *mails: bytes, to: str = "robot@club.example", sender: str = "ann@mail.example"
) -> None:
    with smtplib.SMTP("127.0.0.1", office.smtp_port) as client:
        for mail in mails:
            client.sendmail(sender, [to], mail)


def letter(number: int) -> bytes:
    return f"From: ann@mail.example\r\nSubject: {number}\r\n\r\nspeed {number}\r\n".encode()


@contextmanager
def imap(office: RunningOffice, folder: str = "INBOX", user: str = "robot") -> Iterator[imapclient.IMAPClient]:
    with imapclient.IMAPClient("127.0.0.1", office.imap_port, ssl=False, timeout=30) as client:
        client.login(user, "secret")
        client.select_folder(folder)
        yield client


def bodies(client: imapclient.IMAPClient) -> dict[int, bytes]:
    found = client.fetch(client.search("ALL"), ["BODY.PEEK[]"])
    return {uid: found[uid][b"BODY[]"] for uid in sorted(found)}


class Watcher:
    """A mailbox watched in a thread, and what it handed over; as the store does, it knows what it has had."""

    def __init__(self, account: ImapAccount, folder: Callable[[Arrived], Folder]) -> None:
        self.arrived: queue.Queue[Arrived] = queue.Queue()
        self.trouble: queue.Queue[Trouble] = queue.Queue()
        self.stop = threading.Event()
        self._folder = folder
        self._filed: set[bytes] = set()
        self.thread = threading.Thread(
            target=Mailbox(account).watch, args=(self._take, self.stop, self.trouble.put), name="watch"
        )

    def _take(self, arrived: Arrived) -> Folder:
        if arrived.raw not in self._filed:
            self._filed.add(arrived.raw)
            self.arrived.put(arrived)
        return self._folder(arrived)

    def next(self) -> Arrived:
        return self.arrived.get(timeout=PATIENCE)

    def subjects(self, count: int) -> list[str]:
        return [subject_of(self.next().raw) for _ in range(count)]


def done(arrived: Arrived) -> Folder:
    return "Done"


def taking(take: Callable[[Arrived], None]) -> Callable[[Arrived], Folder]:
    """Done with whatever has been taken so."""

    def taken(arrived: Arrived) -> Folder:
        take(arrived)
        return "Done"

    return taken


@contextmanager
def watching(account: ImapAccount, folder: Callable[[Arrived], Folder] = done) -> Iterator[Watcher]:
    watcher = Watcher(account, folder)
    watcher.thread.start()
    try:
        yield watcher
    finally:
        watcher.stop.set()
        watcher.thread.join(PATIENCE)
        assert not watcher.thread.is_alive()

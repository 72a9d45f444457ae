"""The mailbox where letters come in: watched over IMAP, read in the order of arrival, cleared only after the commit.

One thread owns the connection (imapclient blocks, and is not made for sharing). A lost connection costs a pause and
never a letter: whatever still lies in the folder is read again, and the store knows by its digest what it has had.
"""

from __future__ import annotations

import imaplib
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

import imapclient

from pbem.faults import reach
from pbem.post.outbox import Encryption, refuse_open_network

Folder = Literal["Done", "Refused"]
FOLDERS: tuple[Folder, ...] = ("Done", "Refused")

LARGEST = 1 << 20
"""Bytes of a letter that is fetched; of a larger one only the header is looked at."""
_HEADER_BYTES = 64 * 1024
_MOST_LISTED = 500
_MOST_FETCHED = 50
_MOST_BYTES_FETCHED = 4 << 20
_SLICE = 0.5
"""Seconds of one look at an idle connection, so that a request to stop is heard soon."""
_SHORTEST_SLICE = 0.05
SHORTEST_PAUSE = 1.0
LONGEST_PAUSE = 300.0


@dataclass(frozen=True)
class ImapAccount:
    """The server that keeps our mailbox, and how to log in."""

    host: str
    port: int
    user: str
    encryption: Encryption = "tls"
    password: str = field(default="", repr=False)
    access_token: Callable[[], str] | None = None
    """Gives a fresh OAuth 2 access token before every connect, instead of a password; raises OSError if it cannot."""
    folder: str = "INBOX"
    poll_seconds: float = 300
    """How long to trust the server to speak up; then we look anyway (and IDLE is renewed, RFC 2177)."""
    timeout: float = 60
    largest: int = LARGEST
    tls_context: ssl.SSLContext | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        refuse_open_network(self.host, self.encryption)


@dataclass(frozen=True)
class Arrived:
    """A mail as the server holds it."""

    raw: bytes
    """The whole mail; the header alone where it is too big."""
    uidvalidity: int
    uid: int
    received_at: datetime
    """When the server took it, in UTC."""
    too_big: bool = False
    size: int = 0


@dataclass(frozen=True)
class Trouble:
    """The connection failed; the next attempt follows after the pause."""

    reason: str
    failures: int
    """In a row."""
    pause: float
    """Seconds."""


def pause_after(failures: int) -> float:
    """1, 2, 4 ... 300 seconds."""
    return float(min(SHORTEST_PAUSE * (1 << min(failures - 1, 20)), LONGEST_PAUSE))


class Mailbox:
    """One folder of one account, watched by one thread."""

    def __init__(self, account: ImapAccount) -> None:
        self._account = account

    def watch(
        self,
        take: Callable[[Arrived], Folder],
        stop: threading.Event,
        on_trouble: Callable[[Trouble], None] = lambda trouble: None,  # noqa: ARG005  named for who passes one
        on_read: Callable[[], None] = lambda: None,
    ) -> None:
        """Hand over every letter, those that wait and those that come, until told to stop.

        ``take`` files the bytes and returns where the mail belongs; only then is it moved away. ``on_read`` is told
        whenever nothing is left to take.
        """
        failures = 0
        while not stop.is_set():
            try:
                with self._connected() as session:
                    while not stop.is_set():
                        session.take_all(take, stop)
                        failures = 0
                        if not stop.is_set():
                            on_read()
                        session.wait(stop)
            except (imaplib.IMAP4.error, OSError) as error:
                failures += 1
                pause = pause_after(failures)
                on_trouble(Trouble(_said(error), failures, pause))
                stop.wait(pause)

    def take_waiting(self, take: Callable[[Arrived], Folder]) -> int:
        """Hand over what waits now, once; the number of letters. Trouble is raised."""
        with self._connected() as session:
            return session.take_all(take, threading.Event())

    @contextmanager
    def _connected(self) -> Iterator[_Session]:
        client = self._connect()
        try:
            if self._account.encryption == "starttls":
                client.starttls(self._account.tls_context)
            _log_in(client, self._account)
            yield _Session(client, self._account)
            client.logout()
        finally:
            # Without a word where something went wrong: nobody may be there to answer it.
            with suppress(imaplib.IMAP4.error, OSError):
                client.shutdown()

    def _connect(self) -> imapclient.IMAPClient:
        account = self._account
        client = imapclient.IMAPClient(
            account.host,
            account.port,
            ssl=account.encryption == "tls",
            ssl_context=account.tls_context,
            timeout=account.timeout,
        )
        client.normalise_times = False
        return client


def _log_in(client: imapclient.IMAPClient, account: ImapAccount) -> None:
    if account.access_token is None:
        client.login(account.user, account.password)
    elif client.has_capability("AUTH=XOAUTH2") or not client.has_capability("AUTH=OAUTHBEARER"):
        client.oauth2_login(account.user, account.access_token())
    else:
        client.oauthbearer_login(account.user, account.access_token())


def _said(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


class _Session:
    """A connection with the folder selected and the two others at hand."""

    def __init__(self, client: imapclient.IMAPClient, account: ImapAccount) -> None:
        self._client = client
        self._account = account
        self._can_idle = client.has_capability("IDLE")
        self._can_move = client.has_capability("MOVE")
        self._can_expunge_some = client.has_capability("UIDPLUS")
        prefix = _prefix(client)
        self._names: dict[Folder, str] = {folder: f"{prefix}{folder}" for folder in FOLDERS}
        for name in self._names.values():
            if not client.folder_exists(name):
                client.create_folder(name)
        self._uidvalidity = 0
        if self._select() and not self._can_move:
            # A crash between copying and deleting left these; they were taken and copied before.
            self._expunge(client.search("DELETED"))

    def _select(self) -> int:
        """Open the folder anew; how many mails lie in it. What comes after this moment, IDLE will tell."""
        selected = self._client.select_folder(self._account.folder)
        self._uidvalidity = int(selected[b"UIDVALIDITY"])
        return int(selected[b"EXISTS"])

    # --- reading -----------------------------------------------------------------------------------------------------

    def take_all(self, take: Callable[[Arrived], Folder], stop: threading.Event) -> int:
        """Take what lies in the folder, oldest first, until nothing is left; mail may come in meanwhile.

        It ends with a SELECT that found nothing: any other command could swallow the word of mail that came just then,
        and IDLE would keep silent about it.
        """
        taken = 0
        while not stop.is_set() and self._select():
            here = self._take_listed(take, stop)
            if not here:
                break
            taken += here
        return taken

    def _take_listed(self, take: Callable[[Arrived], Folder], stop: threading.Event) -> int:
        return sum(self._take_batch(batch, take, stop) for batch in _batches(self._listed()) if not stop.is_set())

    def _take_batch(self, batch: Sequence[_Listed], take: Callable[[Arrived], Folder], stop: threading.Event) -> int:
        """Take some letters and move them away together; of what a crash leaves, the store knows that it has it."""
        placed: dict[Folder, list[int]] = {folder: [] for folder in FOLDERS}
        try:
            for arrived in self._fetch(batch):
                if stop.is_set():
                    break
                reach("letter-fetched")
                placed[take(arrived)].append(arrived.uid)
        finally:
            for folder, uids in placed.items():
                if uids:
                    self._move(uids, folder)
        for _ in range(taken := sum(map(len, placed.values()))):
            reach("letter-moved")
        return taken

    def _listed(self) -> list[_Listed]:
        """What lies in the folder in the order of arrival: by the server's date, then by UID."""
        uids = self._client.search("UNDELETED")
        listed: dict[int, dict[bytes, Any]] = {}
        for start in range(0, len(uids), _MOST_LISTED):
            listed.update(self._client.fetch(uids[start : start + _MOST_LISTED], ["RFC822.SIZE", "INTERNALDATE"]))
        return sorted(
            _Listed(data[b"INTERNALDATE"].astimezone(UTC), uid, data[b"RFC822.SIZE"])
            for uid, data in listed.items()
            if b"INTERNALDATE" in data and b"RFC822.SIZE" in data
        )

    def _fetch(self, batch: Sequence[_Listed]) -> list[Arrived]:
        """The mails of a batch; one that was deleted meanwhile is left out. Peeking leaves them unseen."""
        fitting = [entry.uid for entry in batch if entry.size <= self._account.largest]
        others = [entry.uid for entry in batch if entry.size > self._account.largest]
        bodies = {uid: data.get(b"BODY[]") for uid, data in self._client.fetch(fitting, ["BODY.PEEK[]"]).items()}
        for uid, data in self._client.fetch(others, [f"BODY.PEEK[HEADER]<0.{_HEADER_BYTES}>"]).items():
            bodies[uid] = next((data[key] for key in sorted(data) if key.startswith(b"BODY[HEADER]")), None)
        return [
            Arrived(raw, self._uidvalidity, entry.uid, entry.received_at, entry.uid in others, entry.size)
            for entry in batch
            if (raw := bodies.get(entry.uid)) is not None
        ]

    # --- clearing ----------------------------------------------------------------------------------------------------

    def _move(self, uids: Sequence[int], folder: Folder) -> None:
        """RFC 6851 where the server can; else copy, mark and expunge: a crash in between leaves a copy too many."""
        name = self._names[folder]
        if self._can_move:
            self._client.move(uids, name)
            return
        self._client.copy(uids, name)
        self._client.delete_messages(uids, silent=True)
        self._expunge(uids)

    def _expunge(self, uids: Sequence[int]) -> None:
        if not uids:
            return
        if self._can_expunge_some:
            self._client.uid_expunge(uids)
        else:
            self._client.expunge()

    # --- waiting -----------------------------------------------------------------------------------------------------

    def wait(self, stop: threading.Event) -> None:
        """Until the server speaks, the poll is due, or we are told to stop."""
        if not self._can_idle:
            stop.wait(self._account.poll_seconds)
            self._client.noop()
            return
        self._client.idle()
        until = time.monotonic() + self._account.poll_seconds
        while not stop.is_set() and (left := until - time.monotonic()) > 0:
            if self._stirs(max(min(left, _SLICE), _SHORTEST_SLICE)):
                break
        self._client.idle_done()

    def _stirs(self, seconds: float) -> bool:
        """Whether something happened: the server spoke, or silence ended early, as it does for ever once it is gone.

        Only ending IDLE then tells the two apart: it raises where nobody answers.
        """
        started = time.monotonic()
        spoke = self._client.idle_check(timeout=seconds)
        return bool(spoke) or time.monotonic() - started < seconds / 2


@dataclass(frozen=True, order=True)
class _Listed:
    received_at: datetime
    uid: int
    size: int


def _batches(listed: Sequence[_Listed]) -> Iterator[list[_Listed]]:
    """Pieces small enough to be held in memory at once."""
    batch: list[_Listed] = []
    size = 0
    for entry in listed:
        if batch and (len(batch) == _MOST_FETCHED or size + entry.size > _MOST_BYTES_FETCHED):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += min(entry.size, LARGEST)
    if batch:
        yield batch


def _prefix(client: imapclient.IMAPClient) -> str:
    """RFC 2342: what the server wants before the names of folders of our own, such as ``INBOX.``."""
    if not client.has_capability("NAMESPACE"):
        return ""
    personal = client.namespace().personal
    return str(personal[0][0]) if personal else ""

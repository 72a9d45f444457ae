"""A player as the post sees one: a mailbox that is read over IMAP, and replies that go out over SMTP."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, localtime, make_msgid

from imapclient import IMAPClient

PAUSE = 0.2


class Correspondent:
    """Reads letters in the order they came, and replies as a mail program would."""

    def __init__(self, address: str, user: str, password: str, imap_port: int, smtp_port: int) -> None:
        self.address = address
        self._login = (user, password)
        self._imap_port = imap_port
        self._smtp_port = smtp_port
        self._sent: set[str] = set()
        self._seen: set[str] = set()

    def letters(self) -> list[EmailMessage]:
        """All letters in the mailbox, oldest first."""
        with self._mailbox() as client:
            client.select_folder("INBOX", readonly=True)
            numbers = sorted(client.search("ALL"))
            fetched = client.fetch(numbers, ["BODY.PEEK[]"]) if numbers else {}
        raw = (fetched[number][b"BODY[]"] for number in numbers if number in fetched)
        return [message_from_bytes(data, policy=policy.default) for data in raw]

    def next_letter(self, patience: float) -> EmailMessage | None:
        """The next letter that is not an answer to one of ours; None if none comes in time."""
        return self._first(lambda letter: letter["In-Reply-To"] not in self._sent, patience)

    def answer(self, patience: float) -> EmailMessage | None:
        """The next answer to a letter of ours."""
        return self._first(lambda letter: letter["In-Reply-To"] in self._sent, patience)

    def _first(self, fits: Callable[[EmailMessage], bool], patience: float) -> EmailMessage | None:
        until = time.monotonic() + patience
        while time.monotonic() < until:
            for letter in self.letters():
                if letter["Message-ID"] not in self._seen and fits(letter):
                    self._seen.add(letter["Message-ID"])
                    return letter
            time.sleep(PAUSE)
        return None

    def reply(self, letter: EmailMessage, text: str) -> None:
        """Write above the quoted letter, as most people do."""
        reply = EmailMessage(policy=policy.SMTP)
        reply["From"] = self.address
        reply["To"] = letter["Reply-To"] or letter["From"]
        reply["Subject"] = f"Re: {letter['Subject']}"
        reply["Date"] = format_datetime(localtime())
        reply["Message-ID"] = make_msgid(domain=self.address.rpartition("@")[2])
        reply["In-Reply-To"] = letter["Message-ID"]
        body = letter.get_body(("plain",))
        quoted = "".join(f"> {line}\n" for line in (body.get_content() if body else "").splitlines())
        reply.set_content(f"{text}\nOn {letter['Date']}, {letter['From']} wrote:\n{quoted}")
        with smtplib.SMTP("127.0.0.1", self._smtp_port, timeout=30) as server:
            server.send_message(reply)
        self._sent.add(str(reply["Message-ID"]))

    @contextmanager
    def _mailbox(self) -> Iterator[IMAPClient]:
        with IMAPClient("127.0.0.1", self._imap_port, ssl=False, timeout=30) as client:
            client.login(*self._login)
            yield client

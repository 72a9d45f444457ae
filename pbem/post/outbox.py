"""Mail that goes out: due mails are claimed from a queue and sent, one recipient each, over a few open connections.

Every attempt sends the same bytes with the same Message-ID, so a mail whose fate is unknown (RFC 1047) can safely be
sent again. A temporary refusal is tried later, a permanent one is held for the moderator.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import ssl
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, Protocol

import aiosmtplib

from pbem.faults import reach
from pbem.post import headers
from pbem.post.headers import is_address

LEASE = timedelta(minutes=5)
"""How long a claimed mail is ours; a process that died leaves it to the others after that."""
SHORTEST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(minutes=60)
GIVE_UP_AFTER = timedelta(days=5)
MOST_PER_CONNECTION = 100
"""Servers cap the mails of one connection; a fresh one costs little."""

Encryption = Literal["tls", "starttls", "none"]


class Sendable(Protocol):
    """A mail claimed for sending."""

    @property
    def id(self) -> int: ...
    @property
    def envelope_sender(self) -> str: ...
    @property
    def recipient(self) -> str: ...
    @property
    def raw(self) -> bytes: ...
    @property
    def attempts(self) -> int:
        """Counted with this one."""

    @property
    def created_at(self) -> datetime: ...


class Queue(Protocol):
    """Where mails wait; each call is its own transaction."""

    def claim(self, now: datetime, lease: timedelta) -> Sendable | None: ...
    def sent(self, id: int, now: datetime) -> None: ...
    def later(self, id: int, due: datetime, why: str) -> None: ...
    def failed(self, id: int, why: str) -> None: ...


@dataclass(frozen=True)
class SmtpAccount:
    """The server that takes our mail, and how to log in."""

    host: str
    port: int
    encryption: Encryption = "tls"
    user: str = ""
    password: str = field(default="", repr=False)
    access_token: Callable[[], Awaitable[str]] | None = None
    """Gives a fresh OAuth 2 access token before every connect, instead of a password; raises OSError if it cannot."""
    local_name: str | None = None
    """What we call ourselves in EHLO; None: this host's name."""
    timeout: float = 60
    tls_context: ssl.SSLContext | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        refuse_open_network(self.host, self.encryption)


def refuse_open_network(host: str, encryption: Encryption) -> None:
    """RFC 8314: secret orders and passwords cross a network only encrypted; without it, this machine alone is left."""
    if encryption == "none" and not is_loopback(host):
        raise ValueError(f"encryption 'none' is for this machine alone, and {host} is another; use 'tls' or 'starttls'")


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Delivered:
    """What became of the due mails."""

    sent: int = 0
    later: int = 0
    failed: int = 0
    trouble: str = ""
    """Why the server could not be used at all; the mails stay due."""


# --- one round -------------------------------------------------------------------------------------------------------


async def deliver_due(queue: Queue, account: SmtpAccount, clock: Callable[[], datetime], workers: int = 4) -> Delivered:
    """Send all that is due; returns when nothing is left, or when the server cannot be used at all."""
    delivery = _Delivery(queue, account, clock)
    await asyncio.gather(*(delivery.work() for _ in range(workers)))
    return Delivered(delivery.sent, delivery.later, delivery.failed, delivery.trouble)


class _Unusable(Exception):
    """The server cannot be reached or does not let us in: no fault of the mail at hand."""


class _Delivery:
    """What the workers of one round share."""

    def __init__(self, queue: Queue, account: SmtpAccount, clock: Callable[[], datetime]) -> None:
        self._queue = queue
        self._account = account
        self._clock = clock
        self.sent = self.later = self.failed = 0
        self.trouble = ""

    async def work(self) -> None:
        """Claim and send until nothing is due; the connection is opened with the first mail and kept."""
        connection = _Connection(self._account)
        try:
            while not self.trouble and (mail := self._queue.claim(self._clock(), LEASE)) is not None:
                reach("outgoing-claimed")
                await self._deliver(connection, mail)
        finally:
            await connection.hang_up()

    async def _deliver(self, connection: _Connection, mail: Sendable) -> None:
        if not is_address(mail.recipient):
            # The library would send to whatever it can make of it.
            self._hold(mail, f"'{headers.without_controls(mail.recipient)}' is no address")
            return
        try:
            await connection.send(mail)
        except _Unusable as error:
            self.trouble = self.trouble or str(error)
            self._try_later(mail, str(error))
        except aiosmtplib.SMTPException as error:
            await connection.hang_up_if_lost()
            self._refused(mail, error)
        except OSError as error:
            await connection.hang_up()
            self._try_later(mail, f"connection lost: {error}")
        else:
            reach("outgoing-accepted")
            self._queue.sent(mail.id, self._clock())
            reach("outgoing-marked")
            self.sent += 1

    def _refused(self, mail: Sendable, error: aiosmtplib.SMTPException) -> None:
        code, said = _answer(error)
        if code is None or code < 500:
            self._try_later(mail, said)
        else:
            self._hold(mail, said)

    def _try_later(self, mail: Sendable, why: str) -> None:
        now = self._clock()
        if now - mail.created_at >= GIVE_UP_AFTER:
            self._hold(mail, f"given up after {GIVE_UP_AFTER.days} days: {why}")
            return
        self._queue.later(mail.id, now + pause(mail.id, mail.attempts), why)
        self.later += 1

    def _hold(self, mail: Sendable, why: str) -> None:
        self._queue.failed(mail.id, why)
        self.failed += 1


def pause(id: int, attempts: int) -> timedelta:
    """1, 2, 4 ... 60 minutes, and up to a fifth more, by the mail's number: not all come back at the same moment."""
    doubled: timedelta = min(SHORTEST_PAUSE * (1 << min(max(attempts, 1) - 1, 10)), LONGEST_PAUSE)
    return doubled + doubled * (zlib.crc32(b"%d/%d" % (id, attempts)) % 200) / 1000


def _answer(error: aiosmtplib.SMTPException) -> tuple[int | None, str]:
    """The server's code and words; no code: it said nothing, and the mail's fate is unknown."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return _answer(error.recipients[0])
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return error.code, " ".join(f"{error.code} {error.message}".split())
    if isinstance(error, aiosmtplib.SMTPNotSupported):
        return 500, error.message
    return None, error.message


# --- one connection --------------------------------------------------------------------------------------------------


class _Connection:
    """One connection to the server, opened when needed and used for many mails."""

    def __init__(self, account: SmtpAccount) -> None:
        self._account = account
        self._client: aiosmtplib.SMTP | None = None
        self._used = 0

    async def send(self, mail: Sendable) -> None:
        """Hand one mail over; returns once the server has taken it."""
        client = await self._open()
        self._used += 1
        options = _mail_options(client, mail)
        refused, _ = await client.sendmail(mail.envelope_sender, [mail.recipient], mail.raw, mail_options=options)
        assert not refused, "a single recipient is taken, or its refusal is raised"

    async def _open(self) -> aiosmtplib.SMTP:
        if self._client is not None and self._client.is_connected and self._used < MOST_PER_CONNECTION:
            return self._client
        await self.hang_up()
        client = self._new_client()
        try:
            await client.connect()
            await _greet(client)
            await _log_in(client, self._account)
        except (aiosmtplib.SMTPException, OSError) as error:
            client.close()
            said = _answer(error)[1] if isinstance(error, aiosmtplib.SMTPException) else str(error)
            raise _Unusable(f"{self._account.host}:{self._account.port}: {said}") from error
        self._client, self._used = client, 0
        return client

    def _new_client(self) -> aiosmtplib.SMTP:
        account = self._account
        return aiosmtplib.SMTP(
            hostname=account.host,
            port=account.port,
            use_tls=account.encryption == "tls",
            start_tls=account.encryption == "starttls",
            tls_context=account.tls_context,
            local_hostname=account.local_name,
            timeout=account.timeout,
        )

    async def hang_up_if_lost(self) -> None:
        if self._client is not None and not self._client.is_connected:
            await self.hang_up()

    async def hang_up(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        try:
            if client.is_connected:
                await client.quit()
        except (aiosmtplib.SMTPException, OSError):
            # Whether the server heard the good-bye is of no importance.
            pass
        finally:
            client.close()


def _mail_options(client: aiosmtplib.SMTP, mail: Sendable) -> list[str]:
    """RFC 6152 and 6531: announce bytes and addresses beyond ASCII."""
    options = []
    if not mail.raw.isascii() and client.supports_extension("8bitmime"):
        options.append("BODY=8BITMIME")
    if not (mail.recipient.isascii() and mail.envelope_sender.isascii()):
        options.append("SMTPUTF8")
    return options


async def _greet(client: aiosmtplib.SMTP) -> None:
    """Learn what the server can do; an old one that knows no EHLO can do nothing more."""
    if not client.is_ehlo_or_helo_needed:
        return
    try:
        await client.ehlo()
    except aiosmtplib.SMTPHeloError:
        await client.helo()


async def _log_in(client: aiosmtplib.SMTP, account: SmtpAccount) -> None:
    if account.access_token is not None:
        await _log_in_with_token(client, account, await account.access_token())
    elif account.user:
        await client.login(account.user, account.password)


async def _log_in_with_token(client: aiosmtplib.SMTP, account: SmtpAccount, token: str) -> None:
    """XOAUTH2 where the server offers it, else OAUTHBEARER (RFC 7628)."""
    offered = client.server_auth_methods
    if "xoauth2" in offered or "oauthbearer" not in offered:
        await client.auth_xoauth2(account.user, token)
        return
    first = bearer_response(account.user, account.host, account.port, token)
    answer = await client.execute_command(b"AUTH", b"OAUTHBEARER", base64.b64encode(first))
    if answer.code == 334:
        # RFC 7628 3.2.3: the server explains its refusal and waits for one more, empty answer.
        answer = await client.execute_command(base64.b64encode(b"\x01"))
    if answer.code != 235:
        raise aiosmtplib.SMTPAuthenticationError(answer.code, answer.message)


def bearer_response(user: str, host: str, port: int, token: str) -> bytes:
    """RFC 7628 3.1: the client's first words."""
    return f"n,a={user},\x01host={host}\x01port={port}\x01auth=Bearer {token}\x01\x01".encode()

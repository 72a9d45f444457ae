"""The built-in post office: SMTP in and IMAP out in one event loop, over maildirs in a folder.

It speaks the real protocols, so the demo, the tests and a small club use the same way in and out as everybody else. It
takes mail for its own accounts only and never relays. Meant for one machine: without a certificate it listens there
alone.
"""

from __future__ import annotations

import asyncio
import fcntl
import ipaddress
import re
import ssl
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any, Self

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword
from aiosmtpd.smtp import Session as SmtpSession
from proxyprotocol.sock import SocketInfoLocal
from pymap.backend.maildir import Config, Identity
from pymap.backend.maildir.users import PasswordsFile
from pymap.concurrent import Subsystem
from pymap.imap import IMAPServer
from pymap.user import UserMetadata
from pysasl.hashing import BuiltinHash

from pbem.post.headers import is_address
from pbem.postoffice.maildir import CorrectedLogin
from pbem.postoffice.messages import OrderedMaildir
from pbem.postoffice.stored import Names, write_mail

LARGEST = 4 << 20
"""Bytes of one mail: a report with two maps fits, a film does not."""
_ACCOUNT = re.compile(r"[a-z0-9][a-z0-9._-]{0,40}")
# The office serves one machine; more rounds would make every login of a demo wait.
_HASH = BuiltinHash(rounds=20_000)


class OfficeInUse(RuntimeError):
    """Another process runs the post office in this folder."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class PostOffice:
    """A mail server for the accounts of one domain; use it with ``async with``."""

    def __init__(
        self,
        folder: Path,
        domain: str,
        host: str = "127.0.0.1",
        smtp_port: int = 0,
        imap_port: int = 0,
        *,
        largest: int = LARGEST,
        tls: ssl.SSLContext | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        if tls is None and not ipaddress.ip_address(host).is_loopback:
            raise ValueError(f"without a certificate the post office stays on this machine, and {host} is a network")
        self.folder = folder
        self.domain = domain.lower()
        self.host = host
        self.smtp_port = smtp_port
        """The port in use once the office is open; 0 before: any free one."""
        self.imap_port = imap_port
        self._largest = largest
        self._tls = tls
        self._clock = clock
        self._names = Names(domain)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as opening:
            self.folder.mkdir(parents=True, exist_ok=True)
            opening.enter_context(_sole_office(self.folder))
            _remove_stale_locks(self.folder)
            # One writer, so that mail is stored in the order in which it was accepted.
            self._writer = opening.enter_context(ThreadPoolExecutor(1, "post-office"))
            self._config = _Config.for_office(self.folder, self.host, self.domain, self._tls)
            self._login = CorrectedLogin(self._config)
            for account in self.accounts():
                self._names.after(self.folder / account)
            self.imap_port = await self._open_imap(opening)
            self.smtp_port = await self._open_smtp(opening)
            self._stack = opening.pop_all()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stack.aclose()

    # --- accounts ----------------------------------------------------------------------------------------------------

    async def add_account(self, name: str, password: str) -> None:
        """Make an account, or give it a new password; its mail stays."""
        if not _ACCOUNT.fullmatch(name):
            raise ValueError(f"'{name}' is no account name: small letters, digits, '.', '_' and '-'")
        OrderedMaildir(str(self.folder / name), create=True)
        identity = Identity(self._config, self._login.tokens, name, None, {"admin"})
        hashed = await asyncio.to_thread(_HASH.hash, password)
        await identity.set(UserMetadata(self._config, name, password=hashed))

    def accounts(self) -> list[str]:
        return sorted(path.parent.name for path in self.folder.glob("*/new") if _ACCOUNT.fullmatch(path.parent.name))

    def account_of(self, address: str) -> str | None:
        """The account that takes mail for an address; what stands behind a plus is the account's own affair."""
        local, _, domain = address.lower().partition("@")
        account = local.partition("+")[0]
        if domain != self.domain or not is_address(address) or not _ACCOUNT.fullmatch(account):
            return None
        return account if (self.folder / account / "new").is_dir() else None

    def knows(self, name: str, password: str) -> bool:
        """A login is right; asked by SMTP, while IMAP asks the backend."""
        try:
            stored = PasswordsFile.file_read(self._config.base_dir).get(name).password
        except KeyError:
            return False
        return bool(_HASH.verify(password, stored))

    # --- servers -----------------------------------------------------------------------------------------------------

    async def _open_imap(self, stack: AsyncExitStack) -> int:
        self._config.apply_context()
        serve = IMAPServer(self._login, self._config)
        sessions: set[asyncio.Task[None]] = set()

        async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            sessions.add(task)
            try:
                await serve(reader, writer, SocketInfoLocal(writer))
            except (ConnectionError, asyncio.CancelledError):
                # The client is gone, or the office closes; both end the session and nothing else.
                pass
            finally:
                sessions.discard(task)
                writer.close()

        server = await asyncio.start_server(session, self.host, self.imap_port, limit=1 << 20)
        stack.push_async_callback(_end_tasks, sessions)
        stack.callback(server.close)
        return _port_of(server)

    async def _open_smtp(self, stack: AsyncExitStack) -> int:
        loop = asyncio.get_running_loop()
        connections: list[SMTP] = []

        def connection() -> SMTP:
            connections[:] = [connection for connection in connections if connection.transport is not None]
            connections.append(
                SMTP(
                    _Counter(self),
                    hostname=self.domain,
                    ident="pbem post office",
                    data_size_limit=self._largest,
                    enable_SMTPUTF8=True,
                    tls_context=self._tls,
                    auth_require_tls=self._tls is not None,
                    authenticator=self._authenticate,
                    loop=loop,
                )
            )
            return connections[-1]

        server = await loop.create_server(connection, self.host, self.smtp_port)
        stack.push_async_callback(_hang_up, connections)
        stack.callback(server.close)
        return _port_of(server)

    def _authenticate(self, _server: SMTP, _session: Any, _envelope: Any, _mechanism: str, login: Any) -> AuthResult:
        known = isinstance(login, LoginPassword) and self.knows(login.login.decode(), login.password.decode())
        return AuthResult(success=known, handled=False)

    # --- mail --------------------------------------------------------------------------------------------------------

    async def deliver(self, sender: str, recipients: list[str], raw: bytes, peer: str) -> None:
        """Store a mail, once for each account it is for; returns when it would survive a power failure."""
        copies: dict[str, list[str]] = {}
        for address in recipients:
            if account := self.account_of(address):
                copies.setdefault(account, []).append(address)
        loop = asyncio.get_running_loop()
        await asyncio.gather(
            *(
                loop.run_in_executor(self._writer, self._store, account, sender, addresses, raw, peer)
                for account, addresses in copies.items()
            )
        )

    def _store(self, account: str, sender: str, addresses: list[str], raw: bytes, peer: str) -> None:
        now = self._clock()
        trace = [f"Return-Path: <{sender}>", *(f"Delivered-To: {address}" for address in dict.fromkeys(addresses))]
        trace.append(f"Received: from {peer} by {self.domain}; {format_datetime(now)}")
        head = "".join(f"{line}\r\n" for line in trace).encode("utf-8", "surrogateescape")
        write_mail(self.folder / account, self._names.next(now), head + raw, "new", now)


class _Counter:
    """Where mail is handed in (aiosmtpd's handler)."""

    def __init__(self, office: PostOffice) -> None:
        self._office = office

    async def handle_RCPT(  # noqa: N802  aiosmtpd finds it by this name
        self, _server: SMTP, _session: SmtpSession, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Unknown addresses are refused while the sender listens, so that no bounce has to be written."""
        if not is_address(address) or address.lower().rpartition("@")[2] != self._office.domain:
            return "550 5.7.1 no mail is relayed here"
        if self._office.account_of(address) is None:
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, session: SmtpSession, envelope: Envelope) -> str:  # noqa: N802  the same
        """The 250 is a promise: it is given once the mail is on the disk."""
        raw = envelope.original_content or b""
        peer = _plain(session.host_name or "unknown")
        try:
            await self._office.deliver(_plain(envelope.mail_from or ""), list(envelope.rcpt_tos), raw, peer)
        except OSError as error:
            return f"452 4.3.1 cannot be stored now: {error.strerror or 'input/output error'}"
        return "250 2.0.0 stored"


def _plain(text: str) -> str:
    """A word for a trace line: nothing in it can start another header."""
    return "".join(c for c in text if c.isprintable() and c not in " <>")[:254]


# --- opening and closing ---------------------------------------------------------------------------------------------


class _Config(Config):
    """pymap's settings for one office; all work is done in the event loop."""

    @classmethod
    def for_office(cls, folder: Path, host: str, domain: str, tls: ssl.SSLContext | None) -> _Config:
        # pymap reads its settings from a command line.
        args = Namespace(
            host=host, port=0, debug=False, cert=None, key=None, tls=tls is not None, passlib_cfg=None,
            proxy_protocol=None, inherited_sockets=None, base_dir=str(folder), layout="++", colon=None, domain=domain,
        )  # fmt: skip
        office: _Config = cls.from_args(
            args,
            ssl_context=tls or ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER),
            hash_context=_HASH,
            cpu_subsystem=Subsystem.for_asyncio(),
        )
        return office

    @classmethod
    def parse_args(cls, args: Namespace) -> Mapping[str, Any]:
        return {"base_dir": args.base_dir, "layout": args.layout, "colon": None, "subsystem": Subsystem.for_asyncio()}

    @property
    def greeting(self) -> bytes:
        """Without asking the name service who we are."""
        return f"{self.args.domain} is open".encode("idna" if not self.args.domain.isascii() else "ascii")


@contextmanager
def _sole_office(folder: Path) -> Iterator[None]:
    """One process per folder: locks of others can then only be left over."""
    with (folder / "office-open").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OfficeInUse(f"another process runs the post office in {folder}") from None
        yield


def _remove_stale_locks(folder: Path) -> None:
    """A process that was killed left its lock files, and every SELECT would wait ten seconds for each of them."""
    for path in folder.rglob("*.lock"):
        path.unlink(missing_ok=True)
    for path in folder.rglob(".*.new"):
        path.unlink(missing_ok=True)


def _port_of(server: asyncio.Server) -> int:
    port: int = server.sockets[0].getsockname()[1]
    return port


async def _end_tasks(tasks: set[asyncio.Task[None]]) -> None:
    for task in list(tasks):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _hang_up(connections: list[SMTP]) -> None:
    handlers = [smtp._handler_coroutine for smtp in connections if smtp._handler_coroutine is not None]
    for smtp in connections:
        if smtp.transport is not None:
            smtp.transport.close()
    for handler in handlers:
        handler.cancel()
    await asyncio.gather(*handlers, return_exceptions=True)


# --- for callers without an event loop -------------------------------------------------------------------------------


class RunningOffice:
    """A post office at work in a thread of its own."""

    def __init__(self, office: PostOffice, loop: asyncio.AbstractEventLoop) -> None:
        self.office = office
        self._loop = loop

    @property
    def smtp_port(self) -> int:
        return self.office.smtp_port

    @property
    def imap_port(self) -> int:
        return self.office.imap_port

    def add_account(self, name: str, password: str) -> None:
        asyncio.run_coroutine_threadsafe(self.office.add_account(name, password), self._loop).result()


@contextmanager
def run_in_thread(office: PostOffice) -> Iterator[RunningOffice]:
    """Open the office in a thread; it closes, and the thread ends, with the block."""
    opened: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def work() -> None:
        closing = asyncio.Event()
        async with office:
            opened.set_result((asyncio.get_running_loop(), closing))
            await closing.wait()

    def run() -> None:
        try:
            asyncio.run(work())
        except BaseException as error:
            if opened.done():
                raise
            # It never opened: whoever waits for it is told.
            opened.set_exception(error)

    thread = threading.Thread(target=run, name="post-office")
    thread.start()
    try:
        loop, closing = opened.result()
    except BaseException:
        thread.join()
        raise
    try:
        yield RunningOffice(office, loop)
    finally:
        loop.call_soon_threadsafe(closing.set)
        thread.join()

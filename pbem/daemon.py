"""The daemon: a thread for the mailbox, a bell for deadlines, a thread for the outbox, and a clean way to stop.

All truth is in rows: a bell that does not ring is a delay and never a lost turn.
"""

from __future__ import annotations

import asyncio
import imaplib
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from queue import SimpleQueue
from types import FrameType

from apscheduler.schedulers.background import BackgroundScheduler

from pbem.campaign.envelopes import to_moderator
from pbem.campaign.house import House
from pbem.campaign.returns import SealedQueue
from pbem.campaign.trouble import tell_failures, where_it_failed
from pbem.desk import desk
from pbem.post.mailbox import Arrived, Folder, Mailbox, Trouble
from pbem.post.outbox import Delivered, SmtpAccount, deliver_due
from pbem.store.letters import MailboxPlace
from pbem.turns.reminders import remind_due
from pbem.turns.turns import resolve_due

log = logging.getLogger("pbem.daemon")

BELL_SECONDS = 5
PATIENCE = timedelta(hours=6)
"""How long a turn waits for a mailbox that cannot be read: orders sent in time may lie in it."""
FAILURES_TOLD = 10
"""So many failures in a row, and the moderator hears of it."""
PAUSE_AFTER_FAULT = 5.0
"""Seconds before a thread that failed starts anew."""


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class WorkDone:
    """What one round did."""

    letters: int
    resolved: tuple[int, ...]
    reminders: int
    delivered: Delivered
    trouble: str = ""
    """Why the mailbox could not be read."""


class Daemon:
    """One host at work; ``work_once`` does one round, ``run`` goes on until told to stop."""

    def __init__(
        self,
        house: House,
        mailbox: Mailbox,
        smtp: SmtpAccount,
        *,
        clock: Callable[[], datetime] = utc_now,
        bell_seconds: float = BELL_SECONDS,
        connections: int = 4,
    ) -> None:
        self._house = house
        self._outgoing = SealedQueue(house.store.outgoing)
        self._mailbox = mailbox
        self._smtp = smtp
        self._clock = clock
        self._bell_seconds = bell_seconds
        self._connections = connections
        self._told: SimpleQueue[int | None] = SimpleQueue()
        """Words to stop: the number of a signal, or none."""
        self._stop = threading.Event()
        self._mail_due = threading.Event()
        self._read_to_the_end = False
        self._bell: BackgroundScheduler | None = None
        self._looking = threading.Lock()
        self._look_again = threading.Event()

    # --- one round ---------------------------------------------------------------------------------------------------

    def work_once(self, now: datetime) -> WorkDone:
        """Read the mail, handle it, resolve what is due, remind, deliver."""
        letters = desk.catch_up(self._house, now)
        trouble = ""
        try:
            letters += self._mailbox.take_waiting(lambda arrived: self._take(arrived, now))
            self._read_to_the_end = True
        except (imaplib.IMAP4.error, OSError) as error:
            self._read_to_the_end = False
            trouble = str(error)
        resolved, reminders = self._look_for_due_work(now)
        delivered = asyncio.run(self._deliver(lambda: now))
        return WorkDone(letters, resolved, reminders, delivered, trouble)

    def _take(self, arrived: Arrived, now: datetime) -> Folder:
        place = MailboxPlace(arrived.uidvalidity, arrived.uid, arrived.size if arrived.too_big else 0)
        return desk.take(self._house, arrived.raw, now, place)

    def _look_for_due_work(self, now: datetime) -> tuple[tuple[int, ...], int]:
        """Deadlines wait for a mailbox that cannot be read, but not for ever."""
        since = now if self._read_to_the_end else now - PATIENCE
        return resolve_due(self._house, now, since), remind_due(self._house, now)

    async def _deliver(self, clock: Callable[[], datetime]) -> Delivered:
        delivered = await deliver_due(self._outgoing, self._smtp, clock, self._connections)
        if delivered.failed and tell_failures(self._house, clock()):
            await deliver_due(self._outgoing, self._smtp, clock, 1)
        return delivered

    # --- going on until told to stop ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Work until ``stop`` is called or the process is told to end; raises AlreadyRunning if another one does."""
        with self._signals(), self._house.store.alone():
            now = self._clock()
            freed = self._house.store.outgoing.release(now)
            handled = desk.catch_up(self._house, now)
            log.info("started; %d letters and %d mails left over from before", handled, freed)
            threads = [
                threading.Thread(target=self._keep, args=("mailbox", self._watch_mailbox), name="mailbox"),
                threading.Thread(target=self._keep, args=("outbox", self._work_off_outbox), name="outbox"),
            ]
            with self._ringing():
                for thread in threads:
                    thread.start()
                self._wait_for_the_word()
                self._mail_due.set()
                for thread in threads:
                    thread.join()
            log.info("stopped")

    def stop(self) -> None:
        """End after what is being done; may be called from any thread."""
        self._told.put(None)

    def _wait_for_the_word(self) -> None:
        number = self._told.get()
        if number is not None:
            log.info("told to stop by signal %d", number)
        self._stop.set()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """SIGTERM and SIGINT stop cleanly; only the main thread can listen to them."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def heard(number: int, _frame: FrameType | None) -> None:
            # It may come in the middle of a log line or of a lock: this queue alone can be written to at any moment.
            self._told.put(number)

        before = {number: signal.signal(number, heard) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def _ringing(self) -> Iterator[None]:
        """The alarm clock: one job that looks for due work; missed rings count as one."""
        self._bell = BackgroundScheduler(timezone=UTC)
        self._bell.add_job(
            self._ring,
            "interval",
            seconds=self._bell_seconds,
            id="bell",
            max_instances=1,
            coalesce=True,
            misfire_grace_time=None,
            next_run_time=datetime.now(UTC),
        )
        self._bell.start()
        try:
            yield
        finally:
            self._bell.shutdown(wait=True)

    def _ring(self) -> None:
        """Look for due work until there is none; a fault of ours is logged, and the next ring tries again."""
        with self._looking:
            self._look_again.set()
            while self._look_again.is_set() and not self._stop.is_set():
                self._look_again.clear()
                try:
                    resolved, reminders = self._look_for_due_work(self._clock())
                except Exception as error:
                    log.error("the bell failed: %s", where_it_failed(error))
                    return
                if resolved or reminders:
                    self._mail_due.set()
                if resolved:
                    # A phase that opens may be due already: bots do not let anybody wait.
                    self._look_again.set()

    def _ring_soon(self) -> None:
        """Bring the next ring forward, as all sheets may be in; a ring that sounds already looks once more."""
        self._look_again.set()
        if self._bell is not None and self._bell.running and not self._looking.locked():
            self._bell.modify_job("bell", next_run_time=datetime.now(UTC))

    def _keep(self, name: str, work: Callable[[], None]) -> None:
        """Run a thread's work until the end; a fault of ours costs a pause."""
        while not self._stop.is_set():
            try:
                work()
            except Exception as error:
                log.error("%s failed: %s", name, where_it_failed(error))
                self._stop.wait(PAUSE_AFTER_FAULT)

    # --- the mailbox thread ------------------------------------------------------------------------------------------

    def _watch_mailbox(self) -> None:
        self._mailbox.watch(self._take_now, self._stop, self._on_trouble, self._on_read)

    def _take_now(self, arrived: Arrived) -> Folder:
        folder = self._take(arrived, self._clock())
        self._mail_due.set()
        return folder

    def _on_read(self) -> None:
        self._read_to_the_end = True
        self._ring_soon()

    def _on_trouble(self, trouble: Trouble) -> None:
        self._read_to_the_end = False
        log.warning("mailbox: %s; next attempt in %.0f s", trouble.reason, trouble.pause)
        if trouble.failures == FAILURES_TOLD:
            now = self._clock()
            said = [f"{FAILURES_TOLD} attempts in a row failed: {trouble.reason}.", "Deadlines wait for it a while."]
            drafts = to_moderator(self._house, None, "The mailbox cannot be read", said, now)
            self._house.store.outgoing.add(drafts, now)
            self._mail_due.set()

    # --- the outbox thread -------------------------------------------------------------------------------------------

    def _work_off_outbox(self) -> None:
        """Deliver whenever something was written, and look anyway for mails put off until now."""
        while not self._stop.is_set():
            self._mail_due.clear()
            delivered = asyncio.run(self._deliver(self._clock))
            if delivered.trouble:
                log.warning("outbox: %s", delivered.trouble)
            if delivered.sent or delivered.later or delivered.failed:
                log.info("outbox: %d sent, %d later, %d failed", delivered.sent, delivered.later, delivered.failed)
            if not self._stop.is_set():
                self._mail_due.wait(self._bell_seconds)

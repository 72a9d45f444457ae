"""A daemon in a process of its own: it stops cleanly when asked, and when it is killed the next one goes on."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.daemon.village import Village, open_village

pytestmark = pytest.mark.server
LETTERS = 12
PATIENCE = 60


@pytest.fixture
def village(tmp_path: Path) -> Iterator[Village]:
    with open_village(tmp_path, f"sqlite:///{tmp_path / 'pbem.sqlite'}") as village:
        yield village


class Child:
    """A daemon at work, and its log as it is written."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: list[str] = []
        self._started = threading.Event()
        self._reader = threading.Thread(target=self._read, name="log")
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._lines.append(line)
            if "pbem.daemon: started" in line:
                self._started.set()

    def wait_until_it_listens(self) -> None:
        """It says that it has started only after it has begun to listen to signals."""
        assert self._started.wait(PATIENCE), "".join(self._lines)

    def told(self, number: signal.Signals) -> str:
        """Its whole log, once the signal has ended it."""
        self.wait_until_it_listens()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return "".join(self._lines)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self._reader.join(PATIENCE)


@contextmanager
def running(village: Village) -> Iterator[Child]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.daemon.child", village.url]
    ports = [str(village.post.smtp_port), str(village.post.imap_port)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([*command, *ports], env=environment, stderr=subprocess.PIPE, text=True) as process:
        child = Child(process)
        try:
            yield child
        finally:
            child.end()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_cleanly_and_no_order_is_in_its_log(village: Village, number: signal.Signals) -> None:
    tokens = village.open_duels(["duel"])
    village.send(village.write("Anna", tokens["duel", "Anna"], "Ares: speed 3 # marker-of-anna"))
    with running(village) as child:
        village.wait_for("anna", 1, "your orders are in")
        log = child.told(number)

    assert child.process.returncode == 0
    assert f"told to stop by signal {number.value}" in log
    assert "pbem.daemon: stopped" in log
    assert "letter 1: orders, accepted" in log
    assert "marker-of-anna" not in log
    assert tokens["duel", "Anna"] not in log


def test_killed_in_the_middle_of_its_work_the_next_one_goes_on(village: Village) -> None:
    tokens = village.open_duels(["duel"])
    mails = [village.write("Anna", tokens["duel", "Anna"], f"Ares: speed {n % 7}") for n in range(LETTERS)]
    village.send(*mails)
    with running(village) as child:
        village.wait_for("anna", 1, "your orders are in")
        child.process.kill()
    with running(village) as child:
        while len(answered(village)) < LETTERS:
            village.wait_for("anna", 1)
        child.told(signal.SIGTERM)

    assert child.process.returncode == 0
    assert set(answered(village)) == {str(mail["Message-ID"]) for mail in mails}
    assert all(len(receipts) == 1 for receipts in answered(village).values())
    assert village.box("robot") == []


def test_a_signal_in_the_middle_of_a_log_line_is_heard(village: Village) -> None:
    """Whoever writes a line cannot write a second one inside it."""
    assert threading.current_thread() is threading.main_thread()
    lines = Interrupted()
    log = logging.getLogger("pbem.daemon")
    log.addHandler(lines)
    log.setLevel(logging.INFO)
    try:
        with village.robot() as (daemon, _):
            daemon.run()
    finally:
        log.removeHandler(lines)
        log.setLevel(logging.NOTSET)

    assert [line.partition(";")[0] for line in lines.written] == ["started", "told to stop by signal 15", "stopped"]


class Interrupted(logging.Handler):
    """A log into whose first line a signal comes."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []
        self._writing = False

    def emit(self, record: logging.LogRecord) -> None:
        assert not self._writing, "reentrant call"
        self._writing = True
        if not self.written:
            signal.raise_signal(signal.SIGTERM)
        self.written.append(record.getMessage())
        self._writing = False


def answered(village: Village) -> dict[str, Counter[str]]:
    """Message-ID of each letter to the Message-IDs of its receipts."""
    found: dict[str, Counter[str]] = {}
    for mail in village.box("anna") + village.box("anna", "Done"):
        if mail["In-Reply-To"] and "your orders" in str(mail["Subject"]):
            found.setdefault(str(mail["In-Reply-To"]), Counter())[str(mail["Message-ID"])] += 1
    return found

"""A daemon in a process of its own: it stops cleanly when asked, and when it is killed the next one goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
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


@contextmanager
def running(village: Village) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.daemon.child", village.url]
    ports = [str(village.post.smtp_port), str(village.post.imap_port)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([*command, *ports], env=environment, stderr=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            if child.poll() is None:
                child.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_cleanly_and_no_order_is_in_its_log(village: Village, number: signal.Signals) -> None:
    tokens = village.open_duels(["duel"])
    village.send(village.write("Anna", tokens["duel", "Anna"], "Ares: speed 3 # marker-of-anna"))
    with running(village) as child:
        village.wait_for("anna", 1, "your orders are in")
        child.send_signal(number)
        _, log = child.communicate(timeout=PATIENCE)

    assert child.returncode == 0
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
        child.kill()
    with running(village) as child:
        while len(answered(village)) < LETTERS:
            village.wait_for("anna", 1)
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=PATIENCE)

    assert child.returncode == 0
    assert set(answered(village)) == {str(mail["Message-ID"]) for mail in mails}
    assert all(len(receipts) == 1 for receipts in answered(village).values())
    assert village.box("robot") == []


def answered(village: Village) -> dict[str, Counter[str]]:
    """Message-ID of each letter to the Message-IDs of its receipts."""
    found: dict[str, Counter[str]] = {}
    for mail in village.box("anna") + village.box("anna", "Done"):
        if mail["In-Reply-To"] and "your orders" in str(mail["Subject"]):
            found.setdefault(str(mail["In-Reply-To"]), Counter())[str(mail["Message-ID"])] += 1
    return found

"""The process is killed at every named point of a letter's and a turn's way: nothing is lost, nothing happens twice."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from pbem.faults import KILLED, POINTS, VARIABLE, reach
from pbem.office import Office
from tests.daemon.village import Village, hours, open_village

MOMENTS = ("0", "48", "72")
"""Letters and the first turn at once; a reminder a day before the second deadline; the second turn without orders."""

LETTERS = {
    "<letter-1@club.example>": ("Anna", "Ares: speed 1"),
    "<letter-2@club.example>": ("Anna", "Argo: fire Boreas"),
    "<letter-3@club.example>": ("Bob", "Boreas: speed 2"),
}


def run_child(village: Village, crash_at: str) -> int:
    ports = [str(village.post.smtp_port), str(village.post.imap_port)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONWARNINGS": "ignore"}
    environment[VARIABLE] = crash_at
    command = [sys.executable, "-m", "tests.daemon.child", village.url, *ports, *MOMENTS]
    done = subprocess.run(command, env=environment, check=False, timeout=120, capture_output=True, text=True)
    assert done.returncode in (0, KILLED), done.stderr
    return done.returncode


def run_again(village: Village) -> None:
    """What the next process does."""
    with village.robot() as (daemon, house), house.store.alone():
        for moment in MOMENTS:
            house.store.outgoing.release(hours(float(moment)))
            done = daemon.work_once(hours(float(moment)))
            assert (done.trouble, done.delivered.trouble) == ("", "")


def message_ids(mails: list[object], pattern: str) -> Counter[str]:
    """Message-ID to how often it lies in the box, of mails whose subject fits."""
    found = [mail for mail in mails if re.search(pattern, str(mail["Subject"]))]  # type: ignore[index]
    return Counter(str(mail["Message-ID"]) for mail in found)  # type: ignore[index]


def check_history(village: Village) -> None:
    """What must hold over the mails that went in, the mails that came out, and the turns that were resolved."""
    with village.robot() as (_, house):
        office = Office(house)
        outgoing = office.outgoing("duel")
        turns = office.turns("duel")
        letters = [house.store.letters.get(number) for number in range(1, 4)]
        assert office.replay("duel", 1)
        assert office.replay("duel", 2)
        assert house.store.letters.waiting() == ()
        assert house.store.letters.broken() == []
    # Every letter was taken, once, in the order in which it came.
    assert [letter.message_id for letter in letters] == list(LETTERS)
    assert [letter.status for letter in letters] == ["accepted"] * 3
    # Every letter has exactly one receipt; every turn was resolved once and told to each player once.
    kinds = Counter(mail.key.partition("/")[0] for mail in outgoing)
    assert kinds == {"opening": 2, "receipt": 3, "report": 4, "reminder": 2}
    assert [(turn.number, turn.turn) for turn in turns] == [(1, 1), (2, 2)]
    assert turns[0].sheets == {"red": "Ares:\n  speed 1\nArgo:\n  fire Boreas\n", "blue": "Boreas:\n  speed 2\n"}
    assert all(mail.status == "sent" for mail in outgoing)
    # What the players really got: each mail, at most twice, and then the same bytes.
    for name, receipts in (("anna", 2), ("bob", 1)):
        box = village.box(name)
        assert len(message_ids(box, "turn 1: your orders")) == receipts
        assert len(message_ids(box, "report of turn 1")) == 1
        assert len(message_ids(box, "report of turn 2")) == 1
        times = Counter(str(mail["Message-ID"]) for mail in box)
        assert sum(times.values()) <= len(times) + 1
        bodies = {(str(mail["Message-ID"]), mail.get_body(("plain",)).get_content()) for mail in box}
        assert len(bodies) == len(times)
    # The robot's box is cleared, and nothing was thrown away.
    assert village.box("robot") == []
    assert {str(mail["Message-ID"]) for mail in village.box("robot", "Done")} == set(LETTERS)


@pytest.fixture
def village(tmp_path: Path, url: str) -> object:
    with open_village(tmp_path, url) as village:
        tokens = village.open_duels(["duel"])
        village.send(*(village.write(name, tokens["duel", name], text) for name, text in LETTERS.values()))
        yield village


@pytest.mark.server
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("point", [*POINTS, "letter-filed:2", "letter-handled:3", "outgoing-accepted:4"])
def test_a_killed_process_loses_nothing_and_does_nothing_twice(village: Village, point: str) -> None:
    assert run_child(village, point) == KILLED
    run_again(village)
    check_history(village)


@pytest.mark.server
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("point", ["letter-filed", "turn-written", "turn-committed", "outgoing-accepted"])
def test_the_same_holds_on_postgresql(village: Village, point: str) -> None:
    assert run_child(village, point) == KILLED
    run_again(village)
    check_history(village)


def test_without_the_variable_every_point_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    for point in POINTS:
        reach(point)

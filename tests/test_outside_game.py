"""A sixth game, for real: made with `pbem game new`, built, installed beside our wheel, proved and played by mail."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.demo.correspondent import Correspondent
from pbem.postoffice.servers import PostOffice, RunningOffice, run_in_thread
from tests.installing import ROOT, SETTINGS, Installed, built_wheel, clean, new_environment, run_in, said

GAME = "star_raiders"
PATIENCE = 60

pytestmark = pytest.mark.server


@dataclass(frozen=True)
class Author:
    """Somebody who wrote a game: pbem and the game installed, the game's source in a folder."""

    club: Installed
    source: Path


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Author:
    """Everything comes from the two wheels; nothing of the checkout is in reach."""
    ours = built_wheel(ROOT, tmp_path_factory.mktemp("ours"))
    club = new_environment(tmp_path_factory.mktemp("club"), f"pbem @ {ours.as_uri()}", "pytest", "mypy")
    source = tmp_path_factory.mktemp("author") / GAME
    assert f"pbem selfplay {GAME}/first-contact" in club.says("game", "new", GAME, "--folder", source)
    club.install(built_wheel(source, tmp_path_factory.mktemp("theirs")))
    return Author(club, source)


def test_it_is_found_with_its_scenarios_rules_and_schema(author: Author) -> None:
    where = said(run_in(author.club.folder, author.club.bin / "python", "-c", f"import {GAME}; print({GAME}.__file__)"))

    assert str(author.club.bin.parent) in where
    assert re.search(rf"{GAME}\s+Star Raiders\s+first-contact\s+First Contact", author.club.says("games"))
    assert author.club.says("rules", GAME).startswith("# Star Raiders: the rules")
    assert f'"const": "urn:pbem:report:{GAME}:2"' in author.club.says("schema", GAME)
    assert "First Contact: 5 battles" in author.club.says("selfplay", f"{GAME}/first-contact", "-n", "5")


def test_its_own_tests_pass(author: Author) -> None:
    """Far from its source, so that what is tested is what is installed."""
    words = (author.club.bin / "pytest", "-q", "-p", "no:cacheprovider", author.source / "tests")

    assert re.search(r"\d\d passed", said(run_in(author.club.folder, *words)))


def test_its_types_are_clean(author: Author) -> None:
    """`py.typed` is in our wheel, so strict checking sees the types of the kit."""
    mypy = author.club.bin / "mypy"
    assert "Success: no issues found" in said(run_in(author.source, mypy, "--strict"))

    (author.club.folder / "wrong.py").write_text("from pbem.kit.dice import LoadedDice\n\nLoadedDice('five')\n")
    wrong = run_in(author.club.folder, mypy, "--strict", "wrong.py")
    assert 'Argument 1 to "LoadedDice" has incompatible type "str"; expected "int"' in wrong.stdout


def test_it_is_played_by_mail_against_a_bot(author: Author) -> None:
    club = author.club
    with run_in_thread(PostOffice(club.folder / "post", "club.example")) as post:
        for account in ("robot", "ada"):
            post.add_account(account, "secret")
        settings = SETTINGS.format(imap=post.imap_port, smtp=post.smtp_port)
        (club.folder / "pbem.toml").write_text(settings)
        club.says("campaign", "new", "pond", "--game", GAME, "--scenario", "first-contact")
        club.says("seat", "add", "pond", "north", "ada@club.example", "--name", "Ada")
        club.says("seat", "add", "pond", "south", "--bot")
        club.says("campaign", "start", "pond")
        with running_daemon(club):
            play_two_turns(ada_at(post))
        assert "turn 2: proved" in club.says("turn", "verify", "pond")


def ada_at(post: RunningOffice) -> Correspondent:
    return Correspondent("ada@club.example", "ada", "secret", post.imap_port, post.smtp_port)


def play_two_turns(ada: Correspondent) -> None:
    opening = came(ada.next_letter(PATIENCE))
    assert "welcome" in str(opening["Subject"])
    assert "You command a squadron." in text_of(opening), "the help of its own templates"
    assert pictures(opening) == ["map.png"]

    ada.reply(opening, "turn 1\nAquila:\n  move 0705\n  fire nearest\nCorvus:\n  move 0599\nEND\n")
    receipt = came(ada.answer(PATIENCE))
    assert "move 0705" in text_of(receipt)
    assert "SR-E-5" in text_of(receipt), "the hex off the map is refused by its rule"

    report = came(ada.next_letter(PATIENCE))
    assert "Aquila sails from 0702 to 0705." in text_of(report)
    assert "map.png" in pictures(report)

    ada.reply(report, "turn 2\nAquila: fire Phoenix\nEND\n")
    came(ada.answer(PATIENCE))
    second = came(ada.next_letter(PATIENCE))
    assert "turn 2" in text_of(second).lower()
    assert "map.png" in pictures(second)

    ada.reply(second, "rules\n")
    rules = came(ada.answer(PATIENCE))
    assert "rules.md" in [part.get_filename() for part in rules.walk()]


def came(letter: EmailMessage | None) -> EmailMessage:
    assert letter is not None, f"no letter within {PATIENCE} seconds"
    return letter


def text_of(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def pictures(letter: EmailMessage) -> list[str]:
    return [str(part.get_filename()) for part in letter.walk() if part.get_content_type() == "image/png"]


@contextmanager
def running_daemon(club: Installed) -> Iterator[None]:
    """`pbem run` until the end of the block."""
    words = [str(club.bin / "pbem"), "run"]
    with (club.folder / "daemon.log").open("w") as log:
        daemon = subprocess.Popen(words, cwd=club.folder, env=clean(), stderr=log)
        try:
            yield
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.wait(PATIENCE)
    assert daemon.returncode == 0, (club.folder / "daemon.log").read_text()

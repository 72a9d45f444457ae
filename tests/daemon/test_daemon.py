"""The daemon over real SMTP and IMAP: one round at a time, and at work in threads until it is told to stop."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.daemon import PATIENCE, Daemon
from pbem.office import Office
from pbem.post.mailbox import Mailbox
from pbem.store.database import AlreadyRunning
from tests.daemon.village import DOMAIN, ROBOT, Village, hours, imap_account, open_village, smtp_account, token
from tests.office_bench import NOON, duel

pytestmark = pytest.mark.server


@pytest.fixture
def village(tmp_path: Path) -> Iterator[Village]:
    with open_village(tmp_path, f"sqlite:///{tmp_path / 'pbem.sqlite'}") as village:
        yield village


def text_of(mail: object) -> str:
    return " ".join(mail.get_body(("plain",)).get_content().split())  # type: ignore[attr-defined]


def test_one_round_reads_resolves_and_delivers(village: Village) -> None:
    tokens = village.open_duels(["duel"])
    village.send(village.write("Anna", tokens["duel", "Anna"], "Ares: speed 3"))
    first = village.work_once()
    village.send(village.write("Bob", tokens["duel", "Bob"], "Boreas: speed 2"))
    second = village.work_once()
    third = village.work_once()

    assert (first.letters, first.resolved, first.delivered.sent) == (1, (), 3)
    assert (second.letters, len(second.resolved), second.delivered.sent) == (1, 1, 3)
    assert (third.letters, third.resolved, third.delivered.sent) == (0, (), 0)
    subjects = [str(mail["Subject"]).partition(" [")[0] for mail in village.box("anna")]
    assert subjects == ["A Duel: welcome, Red Fleet", "A Duel, turn 1: your orders are in", "A Duel: report of turn 1"]


def test_a_hundred_letters_at_once_get_a_hundred_receipts_in_the_order_they_came(village: Village) -> None:
    """Ten campaigns, two players each, five letters of each player, posted over four connections at the same time."""
    slugs = [f"duel-{number}" for number in range(10)]
    tokens = village.open_duels(slugs)
    ships = {"Anna": "Ares", "Bob": "Boreas"}
    mails = [
        village.write(name, tokens[slug, name], f"{ship}: speed {speed}\n# {slug}")
        for speed in range(1, 6)
        for slug in slugs
        for name, ship in ships.items()
    ]
    sent = {str(mail["Message-ID"]): mail for mail in mails}
    senders = [threading.Thread(target=village.send, args=mails[start::4]) for start in range(4)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    arrived = [str(mail["Message-ID"]) for mail in village.box("robot")]

    done = village.work_once()

    assert done.letters == 100
    boxes = {name: village.box(name) for name in ("anna", "bob")}
    answers = {
        str(mail["In-Reply-To"]): mail for box in boxes.values() for mail in box if str(mail["In-Reply-To"]) in sent
    }
    receipts = Counter(str(mail["In-Reply-To"]) for box in boxes.values() for mail in box)
    assert {number: receipts[number] for number in sent} == dict.fromkeys(sent, 1)
    for number, receipt in answers.items():
        order = sent[number].get_content().split("\n")[0].partition(": ")[2]
        assert f"- {order} " in text_of(receipt)
        assert number in text_of(receipt)
        assert str(receipt["To"]).startswith(str(sent[number]["From"]).partition(" ")[0].lower())
    with village.robot() as (_, house):
        letters = [house.store.letters.get(number) for number in range(1, 101)]
        keys = [mail.key for mail in house.store.outgoing.all() if mail.kind == "receipt"]
        played = {slug: Office(house).turns(slug)[0].sheets for slug in slugs}
    assert [letter.message_id for letter in letters] == arrived
    assert keys == [f"receipt/{number}" for number in range(1, 101)]
    last = {}
    for number in arrived:
        order, slug = sent[number].get_content().split("\n")[:2]
        side = "red" if order.startswith("Ares") else "blue"
        last[slug.removeprefix("# "), side] = order.replace(": ", ":\n  ") + "\n"
    assert {(slug, side): text for slug, sheets in played.items() for side, text in sheets.items()} == last


def test_a_turn_waits_for_a_mailbox_that_cannot_be_read_but_not_for_ever(village: Village) -> None:
    """Orders sent in time may lie in it."""
    village.open_duels(["duel"])
    with village.robot() as (_, house):
        nobody = Mailbox(imap_account(village.post.imap_port, "nobody"))
        daemon = Daemon(house, nobody, smtp_account(village.post.smtp_port))
        at_deadline = daemon.work_once(hours(72))
        much_later = daemon.work_once(hours(72) + PATIENCE)

    assert at_deadline.trouble != ""
    assert at_deadline.resolved == ()
    assert len(much_later.resolved) == 1


def test_a_mail_that_cannot_be_delivered_is_told_to_the_moderator_once(village: Village) -> None:
    with village.robot() as (daemon, house):
        office = Office(house)
        office.open_campaign("duel", duel(), NOON)
        office.add_seat("duel", "Anna", "red", f"anna@{DOMAIN}")
        office.add_seat("duel", "Zoe", "blue", f"zoe@{DOMAIN}")
        office.start("duel", NOON)
        first, second = daemon.work_once(NOON), daemon.work_once(NOON)
        failed = office.failed_mails()

    assert (first.delivered.failed, second.delivered.failed) == (1, 0)
    assert [mail.recipient for mail in failed] == [f"zoe@{DOMAIN}"]
    (told,) = village.box("mod")
    assert f"to zoe@{DOMAIN} could not be delivered: 550 5.1.1 no such mailbox" in text_of(told)


def test_a_loop_of_two_robots_ends_at_once(village: Village) -> None:
    """A mail of ours that comes back to us is not answered."""
    tokens = village.open_duels(["duel"])
    letter = village.write("Anna", tokens["duel", "Anna"], "status")
    letter.replace_header("From", ROBOT)
    village.send(letter)
    done = village.work_once()

    assert (done.letters, done.delivered.sent) == (1, 2)
    assert len(village.box("robot", "Refused")) == 1


def test_at_work_in_threads_until_told_to_stop(village: Village) -> None:
    """Letters are answered as they come, the turn is resolved when all are in, and stopping is clean."""
    tokens = village.open_duels(["duel"])
    with village.robot(clock=lambda: NOON, bell_seconds=60) as (daemon, house):
        work = threading.Thread(target=daemon.run)
        work.start()
        village.wait_for("anna", 1, "welcome")
        with pytest.raises(AlreadyRunning), house.store.alone():
            raise AssertionError("a second daemon")
        village.send(village.write("Anna", tokens["duel", "Anna"], "Ares: speed 3"))
        village.wait_for("anna", 1, "your orders are in")
        village.send(village.write("Bob", tokens["duel", "Bob"], "Boreas: speed 2"))
        (report,) = village.wait_for("anna", 1, "report of turn 1")
        daemon.stop()
        work.join()

        assert "Ares goes at speed 3." in text_of(report)
        assert Office(house).show("duel").turn == 2
        assert token(house, "duel", "Anna") != tokens["duel", "Anna"]
        with house.store.alone():
            pass
    assert village.box("robot") == []

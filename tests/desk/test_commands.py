"""Commands are the first lines of a letter's own text, or its subject."""

from __future__ import annotations

import pytest

from pbem.desk.commands import Command, Word, read_command, read_request
from pbem.post.letter import Letter, read_letter


def letter(text: str, subject: str = "Hello") -> Letter:
    found = read_letter(f"From: anna@home.example\r\nSubject: {subject}\r\n\r\n{text}".encode())
    assert isinstance(found, Letter)
    return found


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("help", Command(Word.HELP)),
        ("HELP!", Command(Word.HELP)),
        ("  Status.  ", Command(Word.STATUS)),
        ("orders", Command(Word.ORDERS)),
        ("show my orders", Command(Word.ORDERS)),
        ("report 3", Command(Word.REPORT, "3")),
        ("Report turn 12", Command(Word.REPORT, "12")),
        ("report", Command(Word.REPORT)),
        ("rules", Command(Word.RULES)),
        ("Rules Movement", Command(Word.RULES, "Movement")),
        ("why", Command(Word.WHY)),
        ("why G'Quan-2", Command(Word.WHY, "G'Quan-2")),
        ("withdraw", Command(Word.WITHDRAW)),
        ("no orders", Command(Word.NO_ORDERS)),
        ("SET zone Europe/Berlin", Command(Word.SET, "zone Europe/Berlin")),
        ("preview", Command(Word.PREVIEW)),
        ("options", Command(Word.OPTIONS)),
        ("Options Kha'Mak path", Command(Word.OPTIONS, "Kha'Mak path")),
        ("options for Alpha", Command(Word.OPTIONS, "Alpha")),
    ],
)
def test_a_command_is_a_line_of_its_own(line: str, command: Command) -> None:
    assert read_command(line) == command


@pytest.mark.parametrize("line", ["Ares: withdraw", "helpful", "report the enemy", "status of Alpha", "setting", ""])
def test_anything_else_is_no_command(line: str) -> None:
    assert read_command(line) is None


def test_commands_end_where_orders_begin_and_line_numbers_stay() -> None:
    request = read_request(letter("set map small\npreview\n\nAres:\n  speed 3\nstatus\n"))

    assert [command.word for command in request.commands] == [Word.SET, Word.PREVIEW]
    assert request.orders.splitlines() == ["", "", "", "Ares:", "  speed 3", "status"]


def test_the_word_orders_above_orders_is_a_heading() -> None:
    request = read_request(letter("orders\nAres: speed 3\n"))

    assert request.commands == ()
    assert request.orders.splitlines() == ["", "Ares: speed 3"]


def test_withdraw_above_orders_starts_over() -> None:
    request = read_request(letter("withdraw\nAres: speed 3\n"))

    assert request.commands == ()
    assert request.orders.splitlines() == ["start over", "Ares: speed 3"]


@pytest.mark.parametrize(
    "subject", ["status", "Re: status", "AW: [7xk2p9q4m3ab] Status", "RE: Fwd: status [7xk2p9q4m3ab]"]
)
def test_the_subject_counts_where_the_text_is_empty(subject: str) -> None:
    assert read_request(letter("", subject)).commands == (Command(Word.STATUS),)


def test_a_subject_does_not_turn_orders_into_a_question() -> None:
    assert read_request(letter("Ares: speed 3", "orders")).commands == ()
    assert read_request(letter("Ares: speed 3", "Re: status")).commands == ()


def test_preview_in_the_subject_goes_with_the_orders_below() -> None:
    request = read_request(letter("Ares: speed 3", "preview"))

    assert request.commands == (Command(Word.PREVIEW),)
    assert request.orders.splitlines() == ["Ares: speed 3"]

"""The letters of every shipped game: complete, readable, small enough, and without leaks."""

from __future__ import annotations

import json
import logging

import pytest
from jsonschema import Draft202012Validator

from games import SHIPPED
from pbem.letters.leakcheck import check, plain_words
from pbem.letters.pen import Pen
from pbem.letters.schema import report_schema
from tests.letters.playing import letters, played

pytestmark = pytest.mark.parametrize("slug", SHIPPED)


def test_every_letter_fits_the_page_and_the_mailbox(slug: str, pen: Pen) -> None:
    """78 columns of text, and pictures under 250 KB."""
    for kind, mail in letters(slug, pen).items():
        too_wide = [line for line in mail.text.splitlines() if len(line) > 78]
        pictures = [part for part in mail.attachments if part.type == "image/png"]

        assert too_wide == [], kind
        # Some mail programs cut a letter off beyond about 100 KB.
        assert kind == "why" or len((mail.html or "").encode()) < 100 * 1024, kind
        assert all(len(part.data) < 250 * 1024 for part in pictures), kind
        assert mail.text.strip()


def test_every_event_is_told_in_the_games_own_words(slug: str, pen: Pen, caplog: pytest.LogCaptureFixture) -> None:
    """A kind without words is worked around and logged; in a healthy game nothing is logged."""
    with caplog.at_level(logging.WARNING, "pbem.letters"):
        letters(slug, pen)

    assert [record.getMessage() for record in caplog.records] == []


def test_no_letter_tells_a_side_what_it_may_not_know(slug: str, pen: Pen) -> None:
    at, made = played(slug), letters(slug, pen)
    for kind, state in (("report", at.last.after), ("receipt", at.last.before), ("opening", at.opening)):
        secrets = at.game.secrets(state, at.side)

        # Names that are words of the templates too, as in the examples of the rules' page, tell nobody anything.
        assert check(made[kind], secrets - plain_words(pen, slug, secrets)) == (), kind


def test_report_json_satisfies_the_games_schema(slug: str, pen: Pen) -> None:
    schema = report_schema(played(slug).game)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for kind in ("opening", "report"):
        data = next(part.data for part in letters(slug, pen)[kind].attachments if part.name == "report.json")

        assert [error.message for error in validator.iter_errors(json.loads(data))][:3] == []
    assert schema["$defs"], "the view's records are described"


def test_the_map_says_the_situation_in_words(slug: str, pen: Pen) -> None:
    report = letters(slug, pen)["report"]

    assert "[Map]" in report.text
    assert 'alt="' in (report.html or "")


def test_the_same_letter_twice_is_the_same(slug: str, pen: Pen) -> None:
    assert letters(slug, pen) == letters(slug, pen)

"""Every letter as its reader gets it: the words, the twins, the preferences, the club's own templates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.letters.content import Preferences
from pbem.letters.leakcheck import check
from pbem.letters.pen import Pen
from pbem.letters.report import turn_report
from tests.letters.duel import DUEL, secrets
from tests.letters.every_kind import SECRET, all_letters, first_turn, the_opening, the_receipt, the_report
from tests.letters.seats import TEMPLATES, seat

KINDS = (
    "opening",
    "receipt",
    "receipt-complete",
    "preview",
    "report",
    "final",
    "reminder",
    "refusal",
    "answer",
    "options",
    "moderator",
    "paused",
    "resumed",
    "deadline",
    "why",
    "text-only",
)
Golden = Callable[[str, str], None]


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_of_every_letter_is_kept(kind: str, pen: Pen, golden: Golden) -> None:
    """Golden texts are the letters as players read them; a change is seen in the diff."""
    mail = all_letters(pen)[kind]

    golden(f"letters/{kind}.txt", f"Subject: {mail.subject}\n\n{mail.text}")


@pytest.mark.parametrize("kind", ["receipt", "report"])
def test_the_html_of_the_chief_letters_is_kept(kind: str, pen: Pen, golden: Golden) -> None:
    mail = all_letters(pen)[kind]

    golden(f"letters/{kind}.html", mail.html or "")


def test_no_line_of_text_is_wider_than_78_columns(pen: Pen) -> None:
    wide = {
        (kind, line) for kind, mail in all_letters(pen).items() for line in mail.text.splitlines() if len(line) > 78
    }

    assert wide == set()


def test_html_needs_nothing_from_outside(pen: Pen) -> None:
    """No scripts, no links to anywhere: mail programs block them, and they would tell who reads."""
    for mail in all_letters(pen).values():
        html = (mail.html or "").replace("http://www.w3.org/1999/xhtml", "")

        assert not re.search(r"https?:|<script|<link|<iframe|javascript:|url\(", html)
        assert all(source.startswith("cid:") for source in re.findall(r'src="([^"]*)"', html))


def test_every_inline_picture_has_its_part_and_words_in_its_place(pen: Pen) -> None:
    mail = the_report(pen)
    inline = {part.name for part in mail.attachments if part.inline}
    shown = re.findall(r'<img src="cid:([^"]+)" alt="([^"]+)"', mail.html or "")

    assert {name for name, _ in shown} == inline == {"map.png", "chart.png"}
    assert "Alpha stands in 0607" in shown[0][1]


def test_both_twins_say_the_same(pen: Pen) -> None:
    """Each sentence of the text stands in the HTML, which has one source with it."""
    mail = the_report(pen)
    html = " ".join(re.sub(r"<[^>]+>", " ", mail.html or "").replace("&#39;", "'").split())

    for words in (
        "Alpha moves 2 hexes to 0607.",
        "fires at G'Quan and hits for 3 damage (4 on a d10, 6 or less hits)",
        "Friday 20 November 2026, 20:00 CET (19:00 UTC)",
        "Your squadrons",
        "12/12",
        SECRET,
    ):
        assert words in " ".join(mail.text.split())
        assert words in html


def test_subject_and_reply_address_carry_the_token(pen: Pen) -> None:
    mail = the_report(pen)

    assert mail.subject == "The Rocks: report of turn 1 [k7m2p9]"
    assert mail.reply_to == "robot+k7m2p9@club.example"


def test_a_receipt_names_the_mail_and_explains_each_problem(pen: Pen) -> None:
    mail = the_receipt(pen)

    for words in (
        "Message-ID:  <orders-1@mail.example>",
        "Sent:        Thu, 19 Nov 2026 08:30:00 +0100",
        "* Line 4: move NE 7",
        "'move NE 7' is 7 hexes, the limit is 4. (DU-MOV-1)",
        "Try:     move NE 4",
        "Instead: the squadron holds its place",
        "- Beta has no orders and holds its place.",
        "ab" * 32,
    ):
        assert words in mail.text
    assert mail.automatic == "auto-replied"


def test_a_preview_says_that_nothing_was_filed(pen: Pen) -> None:
    mail = the_receipt(pen, "Alpha: move SE 3", filed=False)

    assert "Nothing was filed" in mail.text
    assert "Digest" not in mail.text


def test_who_is_awaited_is_left_out_where_the_campaign_hides_it(pen: Pen) -> None:
    assert "Still awaited: Londo and you." in the_receipt(pen).text
    assert "awaited" not in the_receipt(pen, awaited=None).text


def test_text_only_means_one_text_and_nothing_to_look_at(pen: Pen) -> None:
    mail = the_report(pen, preferences=Preferences(text_only=True))

    assert mail.html is None
    assert [part.name for part in mail.attachments] == ["deadline.ics"]


def test_map_none_keeps_the_html_without_pictures(pen: Pen) -> None:
    mail = the_report(pen, preferences=Preferences(map="none"))

    assert "<img" not in (mail.html or "")
    assert [part.name for part in mail.attachments] == ["report.json", "deadline.ics"]


def test_a_small_map_is_smaller(pen: Pen) -> None:
    small = the_report(pen, preferences=Preferences(map="small"))
    large = the_report(pen, preferences=Preferences(map="large"))

    assert len(small.attachments[0].data) < len(large.attachments[0].data)


def test_names_cannot_break_the_page(pen: Pen) -> None:
    """A title made to break out of HTML, of a header or of Jinja stays a title."""
    hostile = 'Rocks <b onload="x">{{ 7 * 7 }}\r\nBcc: all@x.example'
    mail = the_opening(pen, title=hostile, side_name="<script>")

    assert "<b onload" not in (mail.html or "")
    assert "<script>" not in (mail.html or "")
    assert "{{ 7 * 7 }}" in mail.text
    assert "\n" not in mail.subject


def test_no_letter_to_a_side_holds_what_it_may_not_know(pen: Pen) -> None:
    """The hidden squadron moved, in an event only its own side saw."""
    turn = first_turn()
    hidden = secrets(turn.state, "earth")
    mail = turn_report(seat(2), DUEL, turn.view, turn.events, turn.history, None, pen)

    assert hidden == {"Canary Deep"}
    assert check(mail, hidden) == ()
    narn = seat(2, side="narn", side_name="Narn Regime")
    own = turn_report(narn, DUEL, DUEL.view(turn.state, "narn"), turn.events, turn.history, None, pen)
    assert check(own, hidden) == ("Canary Deep",)


def test_a_club_overrides_one_template_in_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "paused.j2").write_text('{{ out.subject("Rest") }}{{ out.heading("Ahoy " ~ seat.seat, 1) }}')
    for name in ("narrative", "status", "help"):
        (tmp_path / "duel").mkdir(exist_ok=True)
        (tmp_path / "duel" / f"{name}.j2").write_text((TEMPLATES / "duel" / f"{name}.j2").read_text())
    with Pen("Our Club", tmp_path) as pen:
        letters = all_letters(pen)

    assert letters["paused"].text.startswith("AHOY ADA")
    assert letters["report"].text.startswith("THE ROCKS: TURN 1")


def test_a_clubs_template_cannot_reach_past_its_values(tmp_path: Path) -> None:
    from jinja2.exceptions import SecurityError

    from pbem.letters.notices import paused

    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "paused.j2").write_text("{{ seat.__class__.__mro__[1].__subclasses__() }}")

    with Pen("Our Club", tmp_path) as pen, pytest.raises(SecurityError):
        paused(seat(), "", pen)


def test_the_order_form_reads_back_without_problems(pen: Pen) -> None:
    """What the letter prints as a form can be sent back as it is."""
    turn = first_turn()
    text = the_report(pen).text
    form = text[text.index("# Earth Force, key") : text.index("Fair dice")]

    assert DUEL.read_orders(turn.state, "earth", form).problems == ()


def test_report_json_is_the_report_as_data(pen: Pen) -> None:
    mail = the_report(pen)
    data = json.loads(next(part.data for part in mail.attachments if part.name == "report.json"))

    assert data["schema"] == "urn:pbem:report:duel:2"
    assert [event["kind"] for event in data["events"]] == ["move", "move", "move", "fire"]
    assert data["events"][3]["rolls"] == [{"label": "fire/Alpha/G'Quan", "sides": 10, "face": 4}]
    assert "seen_by" not in data["events"][0]
    assert data["view"]["side"] == "earth"


def test_the_turn_is_told_under_the_games_own_names_of_its_steps(pen: Pen) -> None:
    headings = [line for line in the_report(pen).text.splitlines() if line.startswith("* ")]

    assert headings[:2] == ["* Movement", "* The guns"]


def test_an_event_without_words_is_told_by_its_facts(pen: Pen, caplog: pytest.LogCaptureFixture) -> None:
    """A fault in one sentence must not keep a whole turn from the players."""
    turn = first_turn()
    strange = replace(turn.events[0], kind="sea_monster", facts={"unit": "Alpha", "depth": 7})
    broken = replace(turn.events[0], facts={"unit": "Alpha", "way": ["0406", "0507"]})
    mail = turn_report(seat(2), DUEL, turn.view, (strange, broken), turn.history, None, pen)

    assert "- Sea monster: unit Alpha, depth 7." in mail.text
    assert "- Move: unit Alpha, way 0406, 0507." in mail.text
    assert len(caplog.records) == 2


def test_a_deadline_is_told_in_the_players_zone(pen: Pen) -> None:
    far = replace(seat().preferences, zone="Pacific/Auckland")

    assert "Saturday 21 November 2026, 08:00 NZDT" in " ".join(the_opening(pen, preferences=far).text.split())

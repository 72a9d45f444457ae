"""What goes along with a letter: MIME, calendar, data, schema, charts, and the last look for leaks."""

from __future__ import annotations

import email
import json
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from icalendar import Calendar
from jsonschema import Draft202012Validator

from pbem.kit.scene import ScenePart
from pbem.letters.charts import GaugePanels, chart
from pbem.letters.content import Attachment, Mail, Preferences
from pbem.letters.ics import deadline_event
from pbem.letters.leakcheck import check
from pbem.letters.mime import build
from pbem.letters.pen import Pen
from pbem.letters.schema import report_schema
from pbem.letters.why import why
from tests.letters.duel import DUEL
from tests.letters.every_kind import first_turn, the_opening, the_report
from tests.letters.seats import seat

NOW = datetime(2026, 11, 19, 7, 31, tzinfo=UTC)


def built(mail: Mail, references: tuple[str, ...] = ()) -> bytes:
    reply_to = references[-1] if references else None
    return build(mail, "Robot <robot@club.example>", "ada@mail.example", "<7@club.example>", reply_to, references, NOW)


def parsed(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


# --- MIME ------------------------------------------------------------------------------------------------------------


def test_the_same_letter_is_the_same_bytes(pen: Pen) -> None:
    """A letter that may have been lost is sent again as it was, so that it is seen as one."""
    mail = the_report(pen)

    assert built(mail) == built(mail)


def test_text_html_pictures_and_files_stand_where_mail_programs_look(pen: Pen) -> None:
    message = parsed(built(the_report(pen)))
    kinds = [part.get_content_type() for part in message.walk()]

    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "image/png",
        "image/svg+xml",
        "application/json",
        "text/calendar",
    ]
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n") == the_report(pen).text


def test_pictures_are_found_by_their_content_id(pen: Pen) -> None:
    message = parsed(built(the_report(pen)))
    html = message.get_body(("html",))
    assert html is not None
    ids = [part["Content-ID"].strip("<>") for part in message.walk() if part["Content-ID"]]

    assert len(ids) == 2
    assert all(f"cid:{content_id}" in html.get_content() for content_id in ids)


def test_the_letter_threads_and_says_that_it_is_automatic(pen: Pen) -> None:
    message = parsed(built(the_report(pen), ("<1@club.example>", "<5@club.example>")))

    assert message["In-Reply-To"] == "<5@club.example>"
    assert message["References"] == "<1@club.example> <5@club.example>"
    assert message["Reply-To"] == "robot+k7m2p9@club.example"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Subject"].endswith("[k7m2p9]")


def test_a_subject_cannot_start_another_header() -> None:
    message = parsed(built(Mail("Hello\r\nBcc: all@x.example", "text", None)))

    assert message["Bcc"] is None
    assert message["Subject"] == "Hello Bcc: all@x.example"


def test_every_line_fits_what_smtp_allows(pen: Pen) -> None:
    assert max(len(line) for line in built(the_opening(pen)).split(b"\r\n")) <= 998


# --- calendar --------------------------------------------------------------------------------------------------------


def entry(**changes: Any) -> Any:
    return Calendar.from_ical(deadline_event(seat(**changes))).walk("VEVENT")[0]


def test_the_deadline_ends_the_calendar_entry() -> None:
    assert entry()["DTEND"].dt == datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
    assert "orders for turn 1 are due" in entry()["SUMMARY"]


def test_a_moved_deadline_replaces_the_entry() -> None:
    """Calendars take the same UID with a higher SEQUENCE for a newer form of the same entry."""
    first, moved = entry(), entry(deadline=datetime(2026, 11, 22, 19, 0, tzinfo=UTC), deadline_changes=1)

    assert first["UID"] == moved["UID"] == "rocks-1-orders-ada@pbem"
    assert (first["SEQUENCE"], moved["SEQUENCE"]) == (0, 1)
    assert entry(turn=2)["UID"] != first["UID"]


def test_the_players_reminders_ring_in_the_calendar_too() -> None:
    event = entry(preferences=Preferences(reminders=(48, 6)))

    assert [str(alarm["TRIGGER"].dt) for alarm in event.walk("VALARM")] == ["-2 days, 0:00:00", "-1 day, 18:00:00"]


# --- data ------------------------------------------------------------------------------------------------------------


def test_report_json_satisfies_the_published_schema(pen: Pen) -> None:
    schema = report_schema(DUEL)
    Draft202012Validator.check_schema(schema)
    mail = the_report(pen)
    data = json.loads(next(part.data for part in mail.attachments if part.name == "report.json"))

    assert list(Draft202012Validator(schema).iter_errors(data)) == []
    assert list(Draft202012Validator(schema).iter_errors({**data, "turn": "two"})) != []


def test_the_schema_describes_the_view_field_by_field() -> None:
    view = report_schema(DUEL)["$defs"]["tests.letters.duel.Squadron"]

    assert view["properties"]["structure"] == {"type": "integer"}
    assert view["properties"]["at"]["prefixItems"] == [{"type": "integer"}, {"type": "integer"}]
    assert set(view["required"]) == {"name", "side", "at", "heading", "structure", "most", "hidden"}


# --- charts ----------------------------------------------------------------------------------------------------------

SIDES = (ScenePart("earth", "Earth", 0), ScenePart("narn", "Narn", 1))


def test_figures_are_a_table_for_those_who_see_no_picture() -> None:
    figures = GaugePanels.of(SIDES, [(1, {"ships": {"earth": 6.0, "narn": 5.0}}), (2, {"ships": {"earth": 4.0}})])

    assert figures.panels[0].columns == [1, 2]
    assert figures.panels[0].rows == [["Earth", 6.0, 4.0], ["Narn", 5.0, "-"]]
    assert figures.panels[0].spoken == "ships: Earth 6 to 4, Narn 5 to 5."


def test_a_chart_needs_two_turns(pen: Pen) -> None:
    one = [(1, {"ships": {"earth": 6.0}})]

    assert chart(GaugePanels.of(SIDES, one), pen) == {}
    assert chart(GaugePanels.of(SIDES, [*one, (2, {"ships": {"earth": 5.0}})]), pen)["chart"].png.startswith(b"\x89PNG")


@pytest.mark.parametrize("values", [(0.0, 0.0), (-4.0, 9.0), (1e6, 3.0)])
def test_a_chart_bears_any_figures(values: tuple[float, float], pen: Pen) -> None:
    history = [(turn, {"points": {"earth": value}}) for turn, value in enumerate(values, 1)]

    assert "Points: Earth" in chart(GaugePanels.of(SIDES, history), pen)["chart"].alt


# --- why -------------------------------------------------------------------------------------------------------------


def test_a_why_report_traces_rule_inputs_and_dice(pen: Pen) -> None:
    mail = why(seat(2), DUEL, first_turn().events, "g'quan", pen)

    for words in ("Rule:   DU-FIRE-1", "target G'Quan; hit yes; damage 3", "fire/Alpha/G'Quan: 4 on a d10"):
        assert words in mail.text
    assert "Beta" not in mail.text


def test_a_why_report_takes_a_name_for_a_whole_name(pen: Pen) -> None:
    """A player who asks about A1 is not told about A12."""
    event = replace(first_turn().events[0], facts={"unit": "A12", "way": ["0406"], "hexes": 1})

    assert "Nothing that you may know concerns A1." in why(seat(2), DUEL, (event,), "A1", pen).text
    assert "A12 moves" in why(seat(2), DUEL, (event,), "a12", pen).text


def test_a_why_report_tells_only_what_the_seat_may_know(pen: Pen) -> None:
    events = first_turn().events

    assert "Canary Deep" not in why(seat(2), DUEL, events, None, pen).text
    assert "Canary Deep moves" in why(seat(2, side="narn"), DUEL, events, None, pen).text
    assert "Nothing that you may know concerns Zeta." in why(seat(2), DUEL, events, "Zeta", pen).text


# --- leaks -----------------------------------------------------------------------------------------------------------

CLEAN = Mail("Turn 1", "The dark sea.", "<p>The dark sea.</p>")


@pytest.mark.parametrize(
    "mail",
    [
        replace(CLEAN, subject="Ark"),
        replace(CLEAN, text="the ARK was\nseen"),
        replace(CLEAN, html="<b>Ark</b>"),
        replace(CLEAN, attachments=(Attachment("map.svg", "image/svg+xml", b"<text>Ark</text>"),)),
        replace(CLEAN, attachments=(Attachment("report.json", "application/json", b'{"name": "Ark"}'),)),
        replace(CLEAN, attachments=(Attachment("deadline.ics", "text/calendar", b"SUMMARY:Ark"),)),
    ],
)
def test_a_secret_is_found_wherever_it_stands(mail: Mail) -> None:
    assert check(mail, {"Ark", "Rook"}) == ("Ark",)


def test_a_secret_inside_another_word_is_no_leak() -> None:
    assert check(CLEAN, {"Ark", "Sea-Lion"}) == ()


def test_a_secret_is_found_behind_escapes_and_line_breaks() -> None:
    assert check(replace(CLEAN, html="<p>G&#39;Quan</p>"), {"G'Quan"}) == ("G'Quan",)
    assert check(replace(CLEAN, text="the Canary\n  Deep"), {"Canary Deep"}) == ("Canary Deep",)
    escaped = Attachment("report.json", "application/json", b'"\\u00c4gir"')
    folded = Attachment("deadline.ics", "text/calendar", b"SUMMARY:the \xc3\x84g\r\n ir")
    for file in (escaped, folded):
        assert check(replace(CLEAN, attachments=(file,)), {"Ägir"}) == ("Ägir",)
    assert check(replace(CLEAN, html="<b>Canary</b> <i>Deep</i>"), {"Canary Deep"}) == ("Canary Deep",)

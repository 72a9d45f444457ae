"""Sheets in the report: the boxes of a unit drawn, told by pattern as well as colour, for those who want pictures."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

import pytest
from PIL import Image

from pbem.kit.scene import Boxes, Diagram, SheetSection
from pbem.letters.content import Preferences
from pbem.letters.enclosures import drawn_diagrams
from pbem.letters.pen import Pen
from pbem.maps.look import theme
from tests.letters.duel import DUEL
from tests.letters.every_kind import the_report
from tests.letters.playing import letters
from tests.letters.seats import seat


def sheet(name: str, *, left: int = 4, out: bool = False) -> Diagram:
    gun = Boxes("gun", 3, 3, armour=2, out=out, note="ready")
    hull = SheetSection(Boxes("hull", 4, left, armour=3), 0, 0, (gun,))
    return Diagram(name, 0, (hull,), ("at 0607",), f"{name}: hull {left} of 4.")


def drawn(pen: Pen, sheets: Sequence[Diagram], **preferences: object) -> tuple[list[str], str]:
    """The words of the pictures, and the note about what was left out."""
    game = replace(DUEL, diagrams=lambda view: sheets)
    wishes = replace(seat().preferences, **preferences)  # type: ignore[arg-type]
    found = drawn_diagrams(seat(preferences=wishes), game, None, pen)
    return [picture.alt for picture in found.pictures.values()], found.note


def test_a_few_sheets_share_one_picture_whether_damaged_or_not(pen: Pen) -> None:
    assert drawn(pen, [sheet("Alpha"), sheet("Beta", left=1)]) == (["Alpha: hull 4 of 4. Beta: hull 1 of 4."], "")


def test_of_many_sheets_those_with_damage_are_drawn_and_the_letter_says_so(pen: Pen) -> None:
    whole = [sheet(f"Whole-{n}") for n in range(11)]

    words, note = drawn(pen, [*whole, sheet("Hit", left=2), sheet("Dark", out=True)])

    assert words == ["Hit: hull 2 of 4. Dark: hull 4 of 4."]
    assert note == "Drawn here: the 2 damaged of 13 sheets. The tables have them all."


def test_of_very_many_damaged_ones_the_twelve_worst_are_drawn_in_their_order(pen: Pen) -> None:
    words, note = drawn(pen, [sheet("Scratched", left=3), *(sheet(f"Hit-{n}", left=1) for n in range(12))])

    assert " ".join(words) == " ".join(f"Hit-{n}: hull 1 of 4." for n in range(12))
    assert note == "Drawn here: the 12 most damaged of 13 sheets. The tables have them all."


def test_of_many_sheets_without_damage_none_is_drawn(pen: Pen) -> None:
    note = "None of the 13 sheets shows damage, so none is drawn; the tables have them all."

    assert drawn(pen, [sheet(f"Whole-{n}") for n in range(13)]) == ([], note)


@pytest.mark.parametrize("wish", [{"text_only": True}, {"map": "none"}])
def test_who_wants_no_pictures_gets_no_sheets(wish: dict[str, object], pen: Pen) -> None:
    assert drawn(pen, [sheet("Alpha", left=1)], **wish) == ([], "")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_box_is_filled_crossed_or_striped(colours: str, pen: Pen) -> None:
    """In grey, as on a printer: a whole box is dark or light throughout, a lost one is paper with a cross in it."""
    (picture,) = pen.draw_diagrams([sheet("Alpha", left=2, out=True)], colours)  # type: ignore[arg-type]
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    look = theme(colours)  # type: ignore[arg-type]
    # The four boxes of the hull stand 20 pixels apart below the title, the note and the head of the section.
    boxes = [image.crop((24 + 20 * n, 110, 41 + 20 * n, 127)) for n in range(4)]
    inks = [{_hex(colour) for _, colour in box.getcolors() or ()} for box in boxes]

    assert inks[0] == inks[1] == {look.side(0)}
    assert {look.loss, look.paper} <= inks[2]
    assert picture.svg.count("url(#out)") == 2, "the gun's boxes, and the legend"


def _hex(colour: object) -> str:
    assert isinstance(colour, tuple)
    return "#" + "".join(f"{part:02x}" for part in colour)


def test_long_fleets_take_several_pictures_of_handy_height(pen: Pen) -> None:
    tall = SheetSection(Boxes("hull", 40, 40), 0, 0, tuple(Boxes(f"G{n}", 4, 4) for n in range(30)))

    pictures = pen.draw_diagrams([replace(sheet(f"S{n}"), sections=(tall,)) for n in range(9)])

    assert [picture.width for picture in pictures] == [1028, 1028]
    assert all(picture.height <= 2500 and len(picture.png) < 250_000 for picture in pictures)


def test_a_report_shows_the_sheets_of_own_ships_with_words_for_them(pen: Pen) -> None:
    report = letters("broadsides", pen)["report"]

    assert [part.name for part in report.attachments if part.inline] == ["map.png", "sheets.png", "chart.png"]
    assert 'src="cid:sheets.png" alt="' in (report.html or "")
    assert "[Sheets]" in report.text


def test_a_report_without_pictures_has_no_sheets(pen: Pen) -> None:
    for wish in (Preferences(text_only=True), Preferences(map="none")):
        report = letters("broadsides", pen, preferences=wish)["report"]

        assert [part.name for part in report.attachments if part.inline] == []
        assert "[Sheets]" not in report.text


def test_the_order_form_stands_before_the_long_tables_in_both_twins(pen: Pen) -> None:
    report = the_report(pen)

    for twin in (report.text, report.html or ""):
        assert twin.index("What happened") < twin.index("Your orders for turn") < twin.index("Where you stand")


@pytest.mark.parametrize(
    ("slug", "scenario"), [("broadsides", "siege-of-the-citadel"), ("fleet_action", "the-long-line")]
)
def test_even_in_the_largest_battles_the_form_is_not_cut_off(slug: str, scenario: str, pen: Pen) -> None:
    """Some mail programs show the first 100 KB of a letter; its pictures together stay below 600 KB."""
    report = letters(slug, pen, scenario)["report"]
    before, found, _ = (report.html or "").partition("END</pre>")

    assert found
    assert len(before.encode()) < 100 * 1024
    assert sum(len(part.data) for part in report.attachments if part.inline) < 600 * 1024

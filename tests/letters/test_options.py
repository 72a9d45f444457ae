"""What a player reads of a unit's choices: blanks in words, numbered rows, and the map with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.kit.choices import Choice, Dial, Fill, Number, Places, Ranking
from pbem.kit.scene import Ghost, HexGrid, Point, Scene
from pbem.letters.options import MOST_GHOSTS, OptionRow, fill_words, with_ghosts
from pbem.letters.pen import Pen
from tests.letters.every_kind import the_options

HERE = Point(0, 0)


def places(count: int) -> Places:
    return Places({f"{number:04d}": Point(number, 0) for number in range(1, count + 1)})


@pytest.mark.parametrize(
    ("fill", "words"),
    [
        (Number(2, 8, 5), "a whole number from 2 to 8"),
        (Number(3, 3, 3), "3 and nothing else"),
        (places(1), "0001"),
        (places(3), "0001, 0002 or 0003"),
        (places(37), "one of 37 places, such as 0001, 0002, 0003"),
        (Ranking(("Ares", "Argo")), "all of Ares, Argo, in the order you want, with commas between"),
        (Dial(HERE, {0: 4.0, 1: 4.0, 2: 4.0}), "a bearing and a distance: 000 to 002 up to 4.00"),
        (
            Dial(HERE, {358: 2.0, 359: 3.5, 0: 4.0, 1: 3.0, 90: 1.25}),
            "a bearing and a distance: 358 to 001 up to 2.00 at least and 4.00 on 000; 090 up to 1.25",
        ),
        (
            Dial(HERE, {0: 4.0, 30: 4.0, 60: 4.0, 180: 1.0}),
            "a bearing and a distance: 000 to 060 up to 4.00; 180 up to 1.00",
        ),
        (Dial(HERE, {10: 0.0, 11: 0.0}, step=0), "a bearing: 010 to 011"),
        (Dial(HERE, {}), "a bearing and a distance, but none is open"),
        (Dial(HERE, dict.fromkeys(range(360), 1.0)), "a bearing and a distance: 000 to 359 up to 1.00"),
    ],
)
def test_a_blank_is_told_in_words(fill: Fill, words: str) -> None:
    assert fill_words(fill) == words


def test_a_choice_of_several_lines_is_several_rows() -> None:
    choice = Choice("path", "there", ("speed full", "path F3"), note="leaves the map")

    assert OptionRow(4, choice).cells == ((4, "speed full", "there", "leaves the map"), ("", "path F3", "", ""))
    assert OptionRow(4, replace(choice, chosen=True)).cells[0][2] == "there (as ordered now)"
    assert OptionRow(1, Choice("speed", "so fast", ("speed {}",), note="3 now", fill=Number(0, 6, 3))).cells == (
        (1, "speed {}", "so fast", "3 now; {}: a whole number from 0 to 6"),
    )


def drawn(*choices: Choice) -> list[Ghost]:
    rows = [OptionRow(number, choice) for number, choice in enumerate(choices, 1)]
    scene = with_ghosts(Scene("", HexGrid(5, 5), ()), "earth", "Alpha", rows)
    return [item for item in scene.items if isinstance(item, Ghost)]


def test_what_leads_somewhere_is_drawn_with_its_number() -> None:
    there = Choice("path", "there", ("path F3",), at=Point(3, 4), heading=60.0)
    anywhere = Choice("move", "to a hex", ("move {}",), fill=places(2))
    dial = Choice("move", "by bearing", ("move {}",), fill=Dial(Point(10, 10), {90: 5.0, 91: 4.0, 180: 2.0}))

    assert drawn(Choice("hold", "hold", ("hold",)), there) == [Ghost(Point(3, 4), "earth", 60.0, 2)]
    assert drawn(anywhere) == [Ghost(Point(1, 0), "earth", None, 1), Ghost(Point(2, 0), "earth", None, 1)]
    assert drawn(dial) == [Ghost(Point(15, 10), "earth", None, 1), Ghost(Point(10, 12), "earth", None, 1)]
    assert len(drawn(replace(anywhere, fill=places(1000)))) == MOST_GHOSTS


def test_a_map_without_such_choices_stays_as_it_is() -> None:
    scene = Scene("", HexGrid(5, 5), (), alt="A sea.")

    assert with_ghosts(scene, "earth", "Alpha", [OptionRow(1, Choice("hold", "hold", ("hold",)))]) is scene


def test_the_words_beside_the_map_tell_the_choices(pen: Pen) -> None:
    mail = the_options(pen)

    told = "Choices of Alpha on the map: 1 to 0605; 2 to 0705; 3 to 0607; 4 to 0708; 5 at G'Quan."
    assert told in " ".join(mail.text.split())
    assert {part.name for part in mail.attachments} == {"map.png", "map.svg"}

"""Blocks: what templates write, and how it is set as text."""

from __future__ import annotations

import pytest

from pbem.letters.blocks import Bar, Heading, Items, Out, Pairs, Para, Pre, Table
from pbem.letters.plaintext import set_block, set_blocks


def test_blocks_are_read_in_the_order_they_stand_and_stray_text_is_kept() -> None:
    out = Out()
    rendered = f"{out.heading('Losses')}\n Two ships.\n\n{out.items(['Ark', 'Rook'])}"

    assert out.read(rendered) == (Heading("Losses"), Para("Two ships."), Items(("Ark", "Rook")))


def test_a_macro_may_build_a_table_before_it_prints_it() -> None:
    out = Out()
    table = out.table(["Ship"], [["Ark"]])
    heading = out.heading("Ships")

    assert [type(block) for block in out.read(f"{heading}{table}")] == [Heading, Table]


def test_headings_put_under_another_begin_one_level_below_it() -> None:
    out = Out()
    rendered = out.put([Heading("Fleet", 3), Heading("Ark", 4)], 1)

    assert out.read(rendered) == (Heading("Fleet", 3), Heading("Ark", 4))
    assert Out().read("") == ()


@pytest.mark.parametrize(
    ("value", "most", "shown"),
    [
        (12, 12, "########## 12/12"),
        (6, 12, "#####..... 6/12"),
        (0, 12, ".......... 0/12"),
        (1, 100, "#......... 1/100"),
        (99, 100, "#########. 99/100"),
        (3, 0, ".......... 3/0"),
    ],
)
def test_a_bar_shows_a_remnant_and_a_scratch(value: int, most: int, shown: str) -> None:
    """What is not quite gone never looks gone; what is not quite whole never looks whole."""
    assert str(Bar(value, most)) == shown


def test_names_with_control_characters_stay_on_their_line() -> None:
    out = Out()

    assert out.read(out.para("Ark\r\nBcc: x\x07")) == (Para("Ark Bcc: x"),)


def test_a_table_is_set_in_columns_with_figures_flush_right() -> None:
    table = Table(("Ship", "Speed"), (("Ark", 9), ("Rook", 12)))

    assert set_block(table) == "Ship  Speed\n----  -----\nArk       9\nRook     12"


def test_a_wide_cell_is_wrapped_inside_its_column() -> None:
    table = Table(("Ship", "Notes"), (("Ark", "word " * 30),))
    lines = set_block(table).splitlines()

    assert max(len(line) for line in lines) <= 78
    assert all(line.startswith(("Ship", "----", "Ark ", "     ")) for line in lines)


def test_a_table_too_wide_for_the_page_is_set_row_by_row() -> None:
    table = Table(tuple(f"Column{n:02}" for n in range(12)), (tuple(f"value{n:02}" for n in range(12)),))
    text = set_block(table)

    assert text.startswith("value00  Column01: value01;")
    assert max(len(line) for line in text.splitlines()) <= 78


def test_a_long_comment_goes_under_its_order_and_a_long_order_stands() -> None:
    comment = "# " + "structure " * 12
    order = "path " + "F" * 90

    assert set_block(Pre(f"Ark:  {comment}\n{order}")).splitlines() == [
        "Ark:",
        "  # structure structure structure structure structure structure structure",
        "  # structure structure structure structure structure",
        order,
    ]


def test_blocks_stand_apart_and_parts_more_so() -> None:
    blocks = (Heading("Title", 1), Para("One."), Heading("Part"), Heading("Detail", 3), Pairs((("Rule", "7.4"),)))

    assert set_blocks(blocks) == "TITLE\n=====\n\nOne.\n\n\nPart\n----\n\n* Detail\n\nRule: 7.4\n"

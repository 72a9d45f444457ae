"""The order language all games share."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kit.merging import merged_text
from pbem.kit.sheet import (
    BadOrder,
    Block,
    Dialect,
    Line,
    Problem,
    Sheet,
    leading_name,
    match_name,
    nearest,
    read_sheet,
    read_verb,
)

DIALECT = Dialect(
    units=("Alpha", "Alpha Two", "Hyperion-1", "Hyperion-2", "G'Quan-1"),
    bad_syntax="X-E-1",
    unknown_unit="X-E-2",
    wrong_turn="X-E-3",
    turn=3,
    strangers=("Kha'Mak",),
)

VERBS = {"path": lambda line, rest: f"path {rest}", "fleet speed": lambda line, rest: f"fleet {rest}"}


def _read_line(line: Line) -> list[str]:
    return [read_verb(line, VERBS, "X-E-1")]


def read(text: str) -> Sheet[str]:
    return read_sheet(text, DIALECT, _read_line)


def units(text: str) -> list[tuple[str, str]]:
    return [(entry.unit, entry.order) for entry in read(text).accepted]


def test_a_header_opens_a_block_until_the_next() -> None:
    text = "path F1\nAlpha:\n  path F2   # two ahead\n\n\tpath F3\nHYPERION-2: path F4\n"

    assert units(text) == [("Fleet", "path F1"), ("Alpha", "path F2"), ("Alpha", "path F3"), ("Hyperion-2", "path F4")]


@pytest.mark.parametrize("header", ["g'quan-1", "G’Quan-1", '"G\'Quan-1"', "G'Q", "  g'quan-1  "])
def test_names_are_known_in_any_case_in_quotes_and_by_a_unique_beginning(header: str) -> None:
    assert units(f"{header}: path F1") == [("G'Quan-1", "path F1")]


def test_a_full_name_goes_before_a_longer_one_that_begins_with_it() -> None:
    assert units("Alpha: path F1\nAlpha Two: path F2") == [("Alpha", "path F1"), ("Alpha Two", "path F2")]


def test_an_ambiguous_beginning_is_no_name() -> None:
    assert read("Hyp: path F1").problems[0].reason == "no unit called 'Hyp'"


def test_one_bad_line_never_costs_another() -> None:
    sheet = read("Alpha:\npaht F1\npath F2")

    assert sheet.orders == ("path F2",)
    assert sheet.problems == (
        Problem(
            2, "paht F1", "X-E-1", "no order called 'paht'", "did you mean 'path'?", "the line is ignored", "Alpha"
        ),
    )


def test_lines_under_an_unknown_name_are_reported_and_never_given_to_another_unit() -> None:
    sheet = read("Alpha: path F1\nAlpja:\npath F2\nAlpha: path F3")

    assert sheet.orders == ("path F1", "path F3")
    assert [problem.line for problem in sheet.problems] == [2, 3]
    assert sheet.problems[0].hint == "did you mean 'Alpha'?"


def test_a_foreign_unit_is_refused_by_name() -> None:
    assert read("Kha'Mak: path F1").problems[0].reason == "'Kha'Mak' is not yours to command"


@pytest.mark.parametrize("end", ["END", "end", "--", "----"])
def test_orders_end_where_the_player_says_so(end: str) -> None:
    assert read(f"path F1\n{end}\npath F2").orders == ("path F1",)


def test_quoted_lines_and_comments_are_skipped() -> None:
    assert read("> path F9\n# path F8\npath F1 # and so on").orders == ("path F1",)


def test_orders_for_another_turn_are_refused_whole() -> None:
    sheet = read("turn 2\nAlpha: path F1")

    assert sheet.orders == ()
    assert sheet.problems[0].rule == "X-E-3"
    assert sheet.problems[0].reason == "these orders are for turn 2, but turn 3 is open"


def test_verbs_may_be_of_several_words_or_shortened() -> None:
    assert read("fleet speed 6\npat F2").orders == ("fleet 6", "path F2")


@given(st.text(max_size=400))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    read(text)


def test_overlong_lines_are_named_and_not_read() -> None:
    assert "characters" in read("path " + "F" * 300).problems[0].reason


def test_the_longest_name_is_taken_from_the_front_of_a_text() -> None:
    names = ("Alpha", "Alpha Two", "G'Quan-1")

    assert leading_name("alpha two FP1", names) == ("Alpha Two", "FP1")
    assert leading_name("Alpha, x", names) == ("Alpha", ", x")
    assert leading_name("g'q 3", names) == ("G'Quan-1", "3")
    assert leading_name("Alphabet", names) is None


def test_a_near_miss_has_a_hint() -> None:
    assert nearest("nearst", ["nearest", "biggest"]) == "nearest"
    assert nearest("xyzzy", ["nearest", "biggest"]) == ""


def test_no_name_matches_nothing() -> None:
    assert match_name("", ["Alpha"]) is None


def test_a_later_letter_replaces_the_blocks_it_contains_and_no_others() -> None:
    first = read("Alpha: path F1\nHyperion-1: path F2")
    second = read("Alpha: path F9")

    assert merged_text(first.blocks, second) == "Alpha:\n  path F9\nHyperion-1:\n  path F2\n"


def test_a_block_with_no_valid_line_never_replaces_a_good_one() -> None:
    first = read("Alpha: path F1")
    second = read("Alpha: nonsense")

    assert merged_text(first.blocks, second) == "Alpha:\n  path F1\n"


def test_the_order_of_lines_across_units_is_kept() -> None:
    """Some games read meaning into it: a vortex belongs to the group whose leader was named last before it."""
    sheet = read("Alpha: path F1\nHyperion-1: path F2\nAlpha: path F3")

    assert merged_text((), sheet) == "Alpha:\n  path F1\nHyperion-1:\n  path F2\nAlpha:\n  path F3\n"


def test_a_letter_sent_again_changes_nothing_even_where_a_block_is_bad() -> None:
    sheet = read("Alpha: path F1\nHyperion-1: nonsense\nAlpha: path F3")
    text = merged_text((), sheet)

    assert merged_text(read(text).blocks, read(text)) == text


def test_start_over_clears_the_sheet() -> None:
    first = read("Alpha: path F1\nHyperion-1: path F2")
    second = read("start over\nAlpha: path F3")

    assert merged_text(first.blocks, second) == "Alpha:\n  path F3\n"


@settings(max_examples=1000)
@given(st.lists(st.sampled_from(["Alpha: path F1", "Hyperion-1:", "path F2", "bad", "# note", ""]), max_size=8))
def test_a_merged_sheet_reads_back_as_itself(lines: list[str]) -> None:
    sheet = read("\n".join(lines))

    text = merged_text((), sheet)
    again = read(text)

    assert again.orders == sheet.orders
    assert merged_text(again.blocks, again) == text


def test_a_bad_order_carries_all_that_a_receipt_needs() -> None:
    def refuse(line: Line) -> list[str]:
        raise BadOrder("FA-E-9", "hard turn at speed 7; Hyperion-2 allows 4", "turn (7)", "straight ahead")

    sheet = read_sheet("Alpha: path F1 P F1", DIALECT, refuse)

    assert sheet.problems[0] == Problem(
        1, "path F1 P F1", "FA-E-9", "hard turn at speed 7; Hyperion-2 allows 4", "turn (7)", "straight ahead", "Alpha"
    )
    assert sheet.blocks == (Block("Alpha", ("path F1 P F1",), good=False),)

"""Hexes: distances, sectors, lines, names."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.hexgrid import (
    DIRECTIONS,
    Hex,
    column_row,
    disk,
    distance,
    from_column_row,
    line,
    name,
    neighbour,
    parse,
    ring,
    rotated,
    sectors,
)

hexes = st.builds(Hex, st.integers(-50, 50), st.integers(-50, 50))


def test_directions_run_clockwise_from_north() -> None:
    assert [rotated(Hex(0, -1), k) for k in range(6)] == list(DIRECTIONS)


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert (distance(a, b) == 0) == (a == b)


@given(hexes, st.integers(0, 12))
def test_turning_an_offset_keeps_its_length_and_six_turns_are_none(offset: Hex, hexsides: int) -> None:
    origin = Hex(0, 0)
    assert distance(rotated(offset, hexsides), origin) == distance(offset, origin)
    assert rotated(offset, 6) == offset


@given(hexes, hexes)
def test_a_line_takes_single_steps_and_is_as_long_as_the_distance(a: Hex, b: Hex) -> None:
    way = line(a, b)
    assert way[0] == a
    assert way[-1] == b
    assert len(way) == distance(a, b) + 1
    assert all(distance(one, two) == 1 for one, two in pairwise(way))


@given(hexes, st.integers(0, 5), hexes)
def test_a_hex_lies_in_one_sector_or_on_the_border_of_two(observer: Hex, heading: int, target: Hex) -> None:
    found = sectors(observer, heading, target)
    assert len(found) == (0 if observer == target else len(found))
    assert len(found) <= 2
    if len(found) == 2:
        assert (found[1] - found[0]) % 6 in (1, 5)


def test_the_six_neighbours_are_the_six_sectors() -> None:
    centre = Hex(3, 4)
    assert [sectors(centre, 2, neighbour(centre, (2 + k) % 6)) for k in range(6)] == [(k,) for k in range(6)]


def test_a_hex_between_two_neighbours_is_a_border() -> None:
    """One step N and one step NE: as much ahead as fore-starboard."""
    assert sectors(Hex(0, 0), 0, Hex(1, -2)) == (0, 1)


@given(hexes, st.integers(0, 6))
def test_a_ring_is_all_at_one_distance(centre: Hex, radius: int) -> None:
    found = list(ring(centre, radius))
    assert len(set(found)) == len(found) == max(1, 6 * radius)
    assert {distance(centre, at) for at in found} == {radius}


def test_a_disk_is_its_rings() -> None:
    assert len(list(disk(Hex(0, 0), 3))) == 1 + 6 + 12 + 18


@pytest.mark.parametrize(
    ("text", "at"), [("0101", Hex(0, 0)), ("0201", Hex(1, 0)), ("(9,-4)", Hex(9, -4)), ("100100", Hex(99, 50))]
)
def test_a_hex_is_named_as_on_the_map_or_by_its_pair(text: str, at: Hex) -> None:
    assert parse(text) == at


@given(st.integers(1, 999), st.integers(1, 999))
def test_names_read_back(column: int, row: int) -> None:
    at = from_column_row(column, row)
    assert column_row(at) == (column, row)
    assert parse(name(at)) == at


@pytest.mark.parametrize("text", ["", "12", "12345", "AB12", "1,2,3", "(1,)"])
def test_what_is_no_hex_is_none(text: str) -> None:
    assert parse(text) is None

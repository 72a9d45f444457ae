"""The inch table: whole numbers only, the same on every machine."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kit import plane
from pbem.kit.plane import Buckets, Sector, Spot

LENGTH = st.integers(-20000, 20000)
SPOT = st.tuples(LENGTH, LENGTH)
Place = tuple[int, int]


def test_halves_are_rounded_away_from_zero() -> None:
    assert [plane.rounded(n, 2) for n in (-3, -1, 0, 1, 3)] == [-2, -1, 0, 1, 2]


def test_the_sine_table_is_right_to_the_last_millionth() -> None:
    assert all(abs(plane.sine(b) - 1_000_000 * math.sin(math.radians(b))) <= 0.5001 for b in range(360))
    assert (plane.sine(30), plane.sine(90), plane.cosine(60), plane.sine(-90)) == (
        500_000,
        1_000_000,
        500_000,
        -1_000_000,
    )


@settings(max_examples=60)
@given(SPOT)
def test_a_bearing_reaches_farthest_and_ties_take_the_lower(vector: Place) -> None:
    best = max(range(360), key=lambda b: (plane.sine(b) * vector[0] - plane.cosine(b) * vector[1], -b))

    assert plane.bearing_of(*vector) == (best if vector != (0, 0) else 0)


def test_differences_and_turns() -> None:
    assert (plane.difference(350, 10), plane.difference(10, 190)) == (20, 180)
    assert (plane.turn_to(0, 186), plane.turn_to(0, 180), plane.turn_to(350, 10)) == (-174, 180, 20)


def test_displacement_and_offset() -> None:
    assert plane.displacement(1200, 30) == (600, -1039)
    assert plane.offset(100, 0, 90) == (0, 100)
    assert plane.offset(0, 100, 90) == (100, 0)


def test_closest_approach_is_an_exact_fraction() -> None:
    start, end, point = (1000, 1000), (3000, 2000), (2000, 2000)

    assert plane.approach(start, end, point) == Fraction(3, 5)
    assert plane.along(start, end, 3, 5) == Spot(2200, 1600)
    assert plane.least_squared(start, end, point) == 200_000
    assert plane.least_squared(start, end, (0, 0)) == 2_000_000
    assert plane.passes_within(start, end, point, 448)
    assert not plane.passes_within(start, end, point, 447)


def test_crossing_lies_strictly_inside() -> None:
    assert plane.crosses_within((0, 0), (100, 0), (50, 10), 10)
    assert not plane.crosses_within((0, 0), (100, 0), (0, 10), 10)
    assert not plane.crosses_within((0, 0), (100, 0), (100, 0), 10)
    assert plane.passes_nearer((0, 0), (100, 0), (50, 9), 10)
    assert not plane.passes_nearer((0, 0), (100, 0), (50, 10), 10)


@settings(max_examples=60)
@given(SPOT, SPOT, SPOT, st.integers(0, 3000))
def test_passing_agrees_with_the_least_distance(a: Place, b: Place, p: Place, reach: int) -> None:
    assert plane.passes_within(a, b, p, reach) == (plane.least_squared(a, b, p) <= reach * reach)


def test_toward_stops_at_the_reach() -> None:
    assert plane.toward((0, 0), (300, 400), 500) == (300, 400)
    assert plane.toward((0, 0), (300, 400), 250) == (150, 200)
    assert (plane.ceiling_root(26), plane.ceiling_root(25)) == (6, 5)


def test_coherency_by_span_or_by_links() -> None:
    row = [(200 * n, 0) for n in range(5)]

    assert plane.is_coherent(row, 600, 200)
    assert not plane.is_coherent([(0, 0), (200, 0), (500, 0), (700, 0)], 600, 200)
    assert plane.is_coherent([(0, 0), (600, 0)], 600, 200)
    assert plane.is_linked([], 200)


@settings(max_examples=40)
@given(st.lists(SPOT, min_size=1, max_size=30), SPOT, st.integers(0, 5000))
def test_buckets_find_exactly_what_is_in_the_box(spots: list[Place], centre: Place, reach: int) -> None:
    buckets: Buckets[int] = Buckets(1200)
    for number, (x, y) in enumerate(spots):
        buckets.put(number, 0, 0)
        buckets.put(number, x, y)
    near = {n for n, (x, y) in enumerate(spots) if abs(x - centre[0]) <= reach and abs(y - centre[1]) <= reach}

    assert set(buckets.near((centre,), reach)) == near
    buckets.drop(0)
    buckets.drop(0)
    assert len(buckets) == len(spots) - 1


def test_sectors_and_their_boundaries() -> None:
    assert Sector(5, 2).name == "5B"
    assert Sector(5, 2).bounds == (4800, 1200, 6000, 2400)
    assert Sector(5, 2).centre == (5400, 1800)
    assert [one.name for one in plane.sectors_at((4800, 1200))] == ["4A", "5A", "4B", "5B"]
    assert [one.name for one in plane.sectors_at((0, 100))] == ["1A"]
    assert (plane.row_letters(27), plane.row_number("AA"), plane.row_number("b")) == ("AA", 27, 2)

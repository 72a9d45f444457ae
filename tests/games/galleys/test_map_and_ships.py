"""Sections 4.1 and 4.5: hexes, ships on them, zones, formations."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.rules.geometry import (
    Hull,
    ahead,
    fire_range,
    is_flank_side,
    ships_apart,
    zone_of,
    zones,
)
from games.galleys.view import view
from pbem.kit.codec import BadData
from pbem.kit.hexgrid import Hex, distance
from tests.games.galleys.builders import acted, acting, complaints, sea, ship


@pytest.mark.rule("GA-MAP-1")
def test_the_six_directions_run_clockwise_from_north() -> None:
    steps = [tuple(ahead(Hex(0, 0), direction)) for direction in range(6)]

    assert steps == [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
    assert ahead(Hex(3, 3), 7) == ahead(Hex(3, 3), 1)
    assert ahead(Hex(3, 3), 2, 2) == Hex(5, 3)


@pytest.mark.rule("GA-MAP-2")
def test_ships_are_as_far_apart_as_their_nearest_hexes() -> None:
    large, other = Hull(Hex(10, 5), 0, large=True), Hull(Hex(10, 9), 0, large=False)

    assert distance(Hex(0, 0), Hex(2, -1)) == 2
    assert ships_apart(large, other) == 3


@pytest.mark.rule("GA-MAP-3")
def test_a_hex_holds_one_ship_and_lost_ships_occupy_nothing() -> None:
    sunk = ship("Wreck", "trireme", "10,9/0", status="sunk", lost_turn=1)
    state = sea([acting("Ajax", "trireme", "10,10/0"), sunk])

    assert acted(state, "Ajax", "Ajax: path F2").place("Ajax") == "10,8/0"
    with pytest.raises(BadData, match="already holds Ajax"):
        sea([ship("Ajax", "trireme", "10,10/0"), ship("Rock", "liburnian", "10,11/0")])


@pytest.mark.rule("GA-MAP-4", "GA-RUL-38")
def test_land_stops_all_and_shoals_stop_large_ships_and_cost_small_ones_a_point() -> None:
    head: dict[str, Any] = {"land": [[10, 8]], "shoal": [[12, 8]]}
    state = sea([acting("Ajax", "trireme", "12,9/0")], **head)
    small = sea([acting("Lark", "liburnian", "12,9/0")], **head)
    on_land = sea([acting("Lark", "liburnian", "10,9/0")], **head)

    assert acted(state, "Ajax", "Ajax: path F1").place("Ajax") == "12,9/0"
    found = acted(small, "Lark", "Lark: path F2")
    assert (found.place("Lark"), found.ship("Lark").spent) == ("12,7/0", 3)
    assert acted(on_land, "Lark", "Lark: path F1").facts("blocked", "by") == [{"by": "land"}]


@pytest.mark.rule("GA-MAP-4", "GA-MIS-1")
def test_land_blocks_missiles_and_shoals_do_not() -> None:
    a, b = Hull(Hex(12, 4), 0, large=False), Hull(Hex(10, 5), 0, large=False)

    # From 12,4 to 10,5 only one hex lies between that both touch by flank hexsides.
    assert fire_range(a, b, ()) == 2
    assert fire_range(a, b, {Hex(11, 4), Hex(11, 5)}) is None


@pytest.mark.rule("GA-SHP-1", "GA-RUL-2")
def test_a_large_ship_fills_bow_and_stern_hex() -> None:
    large, small = Hull(Hex(10, 5), 4, large=True), Hull(Hex(10, 5), 4, large=False)

    assert large.hexes == (Hex(10, 5), Hex(11, 4))
    assert small.hexes == (Hex(10, 5),)
    assert (len(zones(large)), len(zones(small))) == (8, 6)


@pytest.mark.rule("GA-SHP-3")
def test_flank_hexes_are_six_for_a_large_ship_and_four_for_a_small_one() -> None:
    flanks = {
        large: sorted(zone.name for zone in zones(Hull(Hex(0, 0), 2, large=large)).values() if zone.is_flank)
        for large in (True, False)
    }

    assert len(flanks[True]) == 6
    assert flanks[False] == ["bow/flank", "bow/flank", "stern/flank", "stern/flank"]
    assert zone_of(Hex(5, 5), Hull(Hex(0, 0), 2, large=True)) is None


@pytest.mark.rule("GA-SHP-4")
def test_bow_and_stern_hexsides_are_never_flank_hexsides() -> None:
    assert [is_flank_side(1, direction) for direction in range(6)] == [True, False, True, True, False, True]


@pytest.mark.rule("GA-FRM-1", "GA-RUL-17")
@pytest.mark.parametrize(
    ("neighbour", "abreast"),
    [
        ("11,4/0", True),
        ("11,5/0", True),
        ("9,5/0", True),
        ("9,6/0", True),
        ("12,4/0", True),
        ("8,6/0", True),
        ("13,3/0", False),
        ("12,4/1", False),
        ("12,3/0", False),
    ],
)
def test_line_abreast_allows_a_gap_of_one_hex(neighbour: str, *, abreast: bool) -> None:
    state = sea([ship("Thetis", "liburnian", "10,5/0"), ship("Tethys", "liburnian", neighbour)])

    assert ("line abreast" in view(state, None).figures["Thetis"].formation) is abreast


@pytest.mark.rule("GA-FRM-2")
def test_line_ahead_is_one_to_three_hexes_before_or_behind_and_no_pass_through_target() -> None:
    near = sea([ship("Thetis", "trireme", "10,5/0"), ship("Tethys", "trireme", "10,8/0")])
    far = sea([ship("Thetis", "trireme", "10,5/0"), ship("Tethys", "trireme", "10,9/0")])

    assert view(near, None).figures["Thetis"].formation == ("line ahead",)
    assert view(near, None).figures["Tethys"].formation == ("line ahead",)
    assert view(far, None).figures["Thetis"].formation == ()


def test_a_map_hex_off_the_sea_is_refused_at_setup() -> None:
    with pytest.raises(BadData, match="off the map"):
        sea([ship("Ajax", "trireme", "10,-9/0")])


def test_a_step_known_to_be_blocked_is_a_warning() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0")], land=[[10, 8]])

    assert complaints(state, "Ajax: path F2") == ["GA-VAL-30"]

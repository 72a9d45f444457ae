"""Section 4.3: levels, caps and movement points; GA-WND."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.galleys.data import CLASSES
from games.galleys.rules.speed import capped, highest_rise, movement_points, wind_loss
from games.galleys.state import Level, Ship, Switches
from pbem.kit.hexgrid import Hex
from tests.games.galleys.builders import acted, acting, complaint, complaints, link, sea, ship, turn

SIX = Ship("Nysa", "Corinth", "Centre", 1, "hexeres", Hex(10, 10), 0)
CALM = Switches()


def points(ship: Ship, level: Level, switches: Switches = CALM) -> int:
    return movement_points(ship, CLASSES["hexeres"], level, switches)


@pytest.mark.rule("GA-SPD-1")
def test_each_level_has_its_movement_points_and_half_is_half_of_cruise() -> None:
    assert [points(SIX, level) for level in Level] == [1, 3, 4, 6]
    assert points(replace(SIX, jettisoned=True), Level.MAX) == 7
    assert points(replace(SIX, jettisoned=True), Level.FULL) == 4


@pytest.mark.rule("GA-SPD-2")
def test_debt_and_wind_reduce_movement_points_never_below_zero() -> None:
    assert points(replace(SIX, debt=2), Level.CRUISE) == 1
    assert points(replace(SIX, debt=5), Level.CRUISE) == 0


@pytest.mark.rule("GA-SPD-3")
def test_only_half_to_maximum_is_forbidden() -> None:
    assert [highest_rise(level) for level in Level] == [Level.FULL, Level.MAX, Level.MAX, Level.MAX]
    state = sea([acting("Ajax", "trireme", "10,10/0", last_level="half")])

    assert complaints(state, "Ajax: speed full") == []
    assert complaints(state, "Ajax: speed max") == ["GA-VAL-8"]


@pytest.mark.rule("GA-SPD-4")
@pytest.mark.parametrize(
    ("state", "cap"),
    [
        ({"fatigue": 1}, Level.CRUISE),
        ({"fatigue": 2}, Level.HALF),
        ({"fatigue": 3}, Level.HALF),
        ({"crippled": True}, Level.HALF),
        ({"fire": 1}, Level.HALF),
        ({"prize": True}, Level.HALF),
    ],
)
def test_an_order_above_the_cap_is_executed_at_the_cap(state: dict[str, Any], cap: Level) -> None:
    assert capped(replace(SIX, **state), Level.MAX) is cap
    found = acted(sea([acting("Ajax", "trireme", "10,10/0", **state)]), "Ajax", "Ajax: speed max")

    assert found.ship("Ajax").level is cap


@pytest.mark.rule("GA-SPD-5", "GA-RUL-32")
def test_a_crippled_or_exhausted_ship_has_at_most_one_point_for_a_hex_or_a_hexside() -> None:
    assert points(replace(SIX, crippled=True), Level.HALF) == 1
    assert movement_points(replace(SIX, fatigue=3), CLASSES["trireme"], Level.HALF, CALM) == 1
    state = sea([acting("Apama", "dekeres", "10,10/0", crippled=True)])

    assert acted(state, "Apama", "Apama: path S").place("Apama") == "10,10/1"
    assert acted(state, "Apama", "Apama: path F1").place("Apama") == "10,9/0"


@pytest.mark.rule("GA-SPD-6", "GA-RUL-15")
def test_a_rammed_ship_never_moves_again() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0", rammed=True)])

    assert points(replace(SIX, rammed=True), Level.MAX) == 0
    assert complaints(state, "Ajax: path F1") == ["GA-VAL-14"]
    assert acted(state, "Ajax", "Ajax: path F1").place("Ajax") == "10,10/0"


@pytest.mark.rule("GA-SPD-7", "GA-ACT-2")
def test_a_held_ship_does_not_move_but_may_fire() -> None:
    state = sea(
        [ship("Ajax", "quinquereme", "10,10/0")],
        [ship("Bia", "trireme", "11,10/0")],
        links=[link("Ajax", "Bia")],
    )

    found = acted(state, "Ajax", "Ajax:\n  path F2\n  disengage never\n  fire at Bia", 3, 1)

    assert found.place("Ajax") == "10,10/0"
    assert found.facts("fire", "shooter", "target") == [
        {"shooter": "Ajax", "target": "Bia"},
        {"shooter": "Bia", "target": "Ajax"},
    ]


@pytest.mark.rule("GA-SPD-8")
def test_unspent_points_are_lost_and_the_level_counts_as_chosen() -> None:
    found = acted(sea([acting("Ajax", "trireme", "10,10/0")]), "Ajax", "Ajax:\n  speed full\n  path F1", 6)

    ajax = found.ship("Ajax")
    assert (ajax.level, ajax.spent, ajax.last_level, ajax.fatigue) == (Level.FULL, 1, Level.FULL, 1)


@pytest.mark.rule("GA-SPD-8")
def test_a_ship_that_spent_nothing_counts_as_half_next_turn() -> None:
    found = acted(sea([acting("Ajax", "trireme", "10,10/0")]), "Ajax", "Ajax: hold")

    assert found.ship("Ajax").last_level is Level.HALF


@pytest.mark.rule("GA-SPD-9")
def test_points_are_computed_in_the_books_order() -> None:
    """Level 6 + 1 jettisoned - debt 2 - wind 2 = 3; crippled makes it 1; rammed makes it 0."""
    gale = Switches(wind_force=2, wind_dir=3)
    ship = replace(SIX, jettisoned=True, debt=2)

    assert points(ship, Level.MAX, gale) == 3
    assert points(replace(ship, crippled=True), Level.MAX, gale) == 1
    assert points(replace(ship, rammed=True), Level.MAX, gale) == 0


@pytest.mark.rule("GA-WND-1")
def test_rowing_into_the_wind_costs_points_but_never_the_last() -> None:
    light, strong = Switches(wind_force=1, wind_dir=3), Switches(wind_force=2, wind_dir=3)

    assert [wind_loss(facing, light) for facing in range(6)] == [1, 0, 0, 0, 0, 0]
    assert [wind_loss(facing, strong) for facing in range(6)] == [2, 1, 0, 0, 0, 1]
    assert points(SIX, Level.HALF, strong) == 1
    assert points(replace(SIX, debt=3), Level.CRUISE, strong) == 0


@pytest.mark.rule("GA-WND-1", "GA-MIS-8")
def test_a_strong_wind_spoils_missiles_at_range_two() -> None:
    state = sea(
        [ship("Syracuse", "quinquereme", "12,4/0")],
        [ship("Tanit", "cataphract", "10,5/0", doctrines={"react": "none"})],
        wind_force=2,
        wind_dir=0,
    )

    found = acted(state, "Syracuse", "Syracuse:\n  hold\n  fire at Tanit", 4)

    assert found.facts("fire", "mod", "loss") == [{"mod": -1, "loss": 0}]


def test_debt_is_paid_in_the_next_activation() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0", debt=2)])

    found = acted(state, "Ajax", "Ajax: path F2")

    assert (found.place("Ajax"), found.ship("Ajax").debt) == ("10,8/0", 0)
    assert turn(state, "Fleet: hold", "Fleet: hold", 1, 1).state.ship("Ajax").debt == 0


@pytest.mark.rule("GA-JET-1", "GA-SPD-9", "GA-WND-1")
def test_jettison_is_counted_before_debt_and_wind() -> None:
    """6 + 1 - 5 debt = 2, wind 1: 1 MP, all of it for the jettison; nothing is left for the path."""
    state = sea(
        [acting("Stratonike", "hexeres", "10,10/0", debt=5)],
        wind_force=1,
        wind_dir=3,
    )
    orders = "Stratonike:\n jettison\n speed max\n path F1"

    found = acted(state, "Stratonike", orders, 1)

    stratonike = found.ship("Stratonike")
    assert found.place("Stratonike") == "10,10/0"
    assert (stratonike.spent, stratonike.towers, stratonike.jettisoned, stratonike.debt) == (1, False, True, 0)
    assert "needs 2 MP, max gives 1" in complaint(state, orders, "GA-VAL-10").reason

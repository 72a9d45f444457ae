"""Section 4.4: tokens, exits, routes and the move verbs."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.rules.routes import routes
from games.galleys.table import Table
from tests.games.galleys.builders import acted, acting, complaint, complaints, sea, ship


def table(*ships: dict[str, Any], **head: Any) -> Table:
    return Table(sea(list(ships), **head))


@pytest.mark.rule("GA-MOV-1")
def test_forward_moves_the_bow_and_the_stern_follows() -> None:
    found = acted(sea([acting("Ajax", "trireme", "10,10/1")]), "Ajax", "Ajax: path F1")

    assert found.table.hull("Ajax").hexes == ((11, 9), (10, 10))
    assert found.ship("Ajax").spent == 1


@pytest.mark.rule("GA-MOV-2")
def test_a_turn_swings_the_stern_and_costs_the_class_turn_cost() -> None:
    found = acted(sea([acting("Apama", "dekeres", "10,10/0")]), "Apama", "Apama: path P")

    assert found.table.hull("Apama").hexes == ((10, 10), (11, 10))
    assert found.ship("Apama").spent == 2


@pytest.mark.rule("GA-MOV-2")
def test_a_ship_with_a_single_point_pays_one_for_a_turn() -> None:
    found = acted(sea([acting("Apama", "dekeres", "10,10/0")]), "Apama", "Apama:\n  speed half\n  path P")

    assert (found.place("Apama"), found.ship("Apama").spent) == ("10,10/5", 1)


@pytest.mark.rule("GA-MOV-3", "GA-VAL-11")
def test_turns_between_two_moves_are_limited_by_size() -> None:
    large = sea([acting("Ajax", "trireme", "10,10/0")])
    small = sea([acting("Lark", "liburnian", "10,10/0")])

    assert complaints(large, "Ajax: path F1 S2 F1") == ["GA-VAL-11"]
    assert acted(large, "Ajax", "Ajax: path F1 S2 F1").place("Ajax") == "10,9/1"
    assert complaints(small, "Lark: path S2 F1 S1") == []
    assert complaints(small, "Lark: path S P S F1") == ["GA-VAL-11"]


@pytest.mark.rule("GA-MOV-4", "GA-VAL-12")
def test_backing_water_is_one_hex_at_half_with_all_points() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0")])

    found = acted(state, "Ajax", "Ajax:\n  speed half\n  path B")

    assert (found.place("Ajax"), found.ship("Ajax").spent) == ("10,11/0", 2)
    assert complaints(state, "Ajax: path B") == ["GA-VAL-12"]


@pytest.mark.rule("GA-MOV-4", "GA-MOV-7")
def test_a_ship_never_exits_backwards() -> None:
    state = sea([acting("Ajax", "liburnian", "10,54/0")])

    found = acted(state, "Ajax", "Ajax:\n  speed half\n  path B")

    assert found.place("Ajax") == "10,54/0"
    assert found.facts("blocked", "by") == [{"by": "the edge of the map"}]


@pytest.mark.rule("GA-MOV-5", "GA-PAS-3")
def test_the_token_t_is_a_pass_through_and_blocked_without_a_target() -> None:
    found = acted(sea([acting("Ajax", "trireme", "10,10/0")]), "Ajax", "Ajax:\n  speed max\n  path F1 T F2", 1)

    assert found.place("Ajax") == "10,9/0"
    assert found.facts("blocked", "token", "by") == [{"token": "T", "by": "no enemy lies right ahead"}]


@pytest.mark.rule("GA-MOV-6", "GA-RUL-36")
def test_a_blocked_token_ends_the_movement_and_the_later_of_two_friends_is_stopped() -> None:
    state = sea([acting("Ajax", "liburnian", "10,10/0"), acting("Bias", "liburnian", "11,9/5")])

    first = acted(state, "Ajax", "Fleet: path F1")
    assert first.place("Ajax") == "10,9/0"
    table = sea([acting("Ajax", "liburnian", "10,9/0"), acting("Bias", "liburnian", "11,9/5")])
    found = acted(table, "Bias", "Bias: path F1 S F1")

    assert (found.place("Bias"), found.ship("Bias").spent) == ("11,9/5", 0)
    assert found.facts("blocked", "token", "hex", "by") == [{"token": "F", "hex": [10, 9], "by": "Ajax"}]


@pytest.mark.rule("GA-MOV-6")
def test_a_path_that_was_legal_may_find_its_points_gone() -> None:
    """Crippled between the writing and the activation: 1 MP is left, the second token is not executed."""
    state = sea([acting("Ajax", "trireme", "10,10/0")])

    found = acted(state, "Ajax", "Ajax: path F2", meanwhile={"Ajax": {"crippled": True}})

    assert found.place("Ajax") == "10,9/0"
    assert found.facts("blocked", "token", "by") == [{"token": "F", "by": "1 MP are needed, 0 are left"}]


@pytest.mark.rule("GA-MOV-7", "GA-ACT-1")
def test_a_ship_leaves_across_its_own_edge_only() -> None:
    home = sea([ship("Ajax", "trireme", "10,53/3")])
    away = sea([acting("Ajax", "trireme", "10,-4/0")])

    left = acted(home, "Ajax", "Ajax:\n  speed full\n  path F3")
    assert left.ship("Ajax").status == "exited"
    assert left.facts("exit", "ship", "edge") == [{"ship": "Ajax", "edge": "S"}]
    blocked = acted(away, "Ajax", "Ajax: path F3")
    assert (blocked.place("Ajax"), blocked.ship("Ajax").status) == ("10,-5/0", "afloat")


@pytest.mark.rule("GA-MOV-7")
def test_a_move_that_crosses_two_edges_exits_if_either_is_the_exit_edge() -> None:
    """From the corner 59,30 a move to the south-east leaves by the east and the south at once."""
    state = sea([acting("Ajax", "liburnian", "59,30/2")])

    assert acted(state, "Ajax", "Ajax: path F1").ship("Ajax").status == "exited"


@pytest.mark.rule("GA-MOV-8")
def test_the_enumeration_holds_every_place_in_reach_cheapest_first() -> None:
    found = routes(table(ship("Ajax", "trireme", "10,10/0")), "Ajax", 2, 2)

    assert [(route.tokens, route.cost) for route in found] == [
        ("", 0),
        ("F", 1),
        ("P", 1),
        ("S", 1),
        ("FF", 2),
        ("FP", 2),
        ("FS", 2),
        ("PF", 2),
        ("SF", 2),
    ]


@pytest.mark.rule("GA-MOV-8")
def test_no_route_leaves_the_map() -> None:
    found = routes(table(ship("Ajax", "liburnian", "10,54/3")), "Ajax", 1, 1)

    assert [route.tokens for route in found] == ["", "P", "S"]


@pytest.mark.rule("GA-MOV-9")
def test_approach_turns_a_ship_that_faces_away_round() -> None:
    state = sea([acting("Ajax", "liburnian", "10,10/3")], [ship("Corax", "trireme", "10,2/3")])

    found = acted(state, "Ajax", "Ajax: approach Corax")

    # Two turns, a move and the last turn; of the two equal ways round the one to port comes first.
    assert (found.place("Ajax"), found.facts("move", "tokens")) == ("11,9/0", [{"tokens": "P2 F1 P"}])


@pytest.mark.rule("GA-MOV-9")
def test_approach_stops_two_hexes_off_and_brings_the_bow_to_bear() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0")], [ship("Corax", "trireme", "10,6/3")])

    found = acted(state, "Ajax", "Ajax: approach Corax")

    assert (found.place("Ajax"), found.ship("Ajax").spent) == ("10,8/0", 2)


@pytest.mark.rule("GA-MOV-10")
def test_a_ship_that_lost_its_leader_holds() -> None:
    state = sea([acting("Foll", "trireme", "10,10/0"), ship("Lead", "trireme", "12,6/1")])
    lost = sea([acting("Foll", "trireme", "10,10/0"), ship("Lead", "trireme", "12,6/1", status="sunk", lost_turn=1)])

    assert acted(state, "Foll", "Foll: follow Lead").place("Foll") == "10,8/1"
    assert complaints(lost, "Foll: follow Lead") == ["GA-VAL-21"]


@pytest.mark.rule("GA-MOV-11")
def test_withdraw_makes_for_the_exit_edge_and_leaves_when_it_can() -> None:
    inshore = sea([acting("Ajax", "trireme", "10,52/3")])
    offshore = sea([acting("Ajax", "liburnian", "10,10/0")])

    assert acted(inshore, "Ajax", "Ajax: withdraw").ship("Ajax").status == "exited"
    found = acted(offshore, "Ajax", "Ajax: withdraw")
    # 44 steps and one hexside are as good as 45 steps on course; of equal costs the tokens decide, F before P.
    assert found.facts("move", "tokens", "to", "facing") == [{"tokens": "P2 F2", "to": [8, 12], "facing": 4}]


@pytest.mark.rule("GA-MOV-10")
def test_a_leader_captured_meanwhile_is_not_followed() -> None:
    state = sea([acting("Foll", "trireme", "10,10/0"), ship("Lead", "trireme", "12,6/1")])

    found = acted(state, "Foll", "Foll: follow Lead", meanwhile={"Lead": {"side": "Corinth", "squadron": "Ravens"}})

    assert (found.place("Foll"), found.reasons()) == ("10,10/0", ["Lead is no longer with us"])


@pytest.mark.rule("GA-MAP-4", "GA-MOV-6")
def test_a_shoal_that_costs_more_than_is_left_is_not_entered() -> None:
    state = sea([acting("Lark", "liburnian", "12,9/0")], shoal=[[12, 8]])

    found = acted(state, "Lark", "Lark: path F1", meanwhile={"Lark": {"debt": 3}})

    assert found.facts("blocked", "token", "by") == [{"token": "F", "by": "2 MP are needed, 1 are left"}]


@pytest.mark.rule("GA-MOV-6", "GA-VAL-10")
def test_a_path_of_which_nothing_can_be_paid_is_dropped() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0", debt=9)])

    found = complaint(state, "Ajax: path F1", "GA-VAL-10")

    assert found.instead == "the ship does not move"
    assert acted(state, "Ajax", "Ajax: path F1").place("Ajax") == "10,10/0"


@pytest.mark.rule("GA-MOV-7")
def test_a_corner_crossed_by_two_edges_is_an_exit_when_either_is_the_exit_edge() -> None:
    """From 0,0 to the north-west both q and row fall below 0; Corinth leaves by the north."""
    state = sea([acting("Ajax", "trireme", "20,10/0")], [acting("Gnat", "lembos", "0,0/5")])

    found = acted(state, "Gnat", "Gnat: path F1")

    assert (found.ship("Gnat").status, found.ship("Gnat").spent) == ("exited", 1)

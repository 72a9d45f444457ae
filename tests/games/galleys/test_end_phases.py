"""Section 4.17: sinking, morale and victory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.galleys import GAME
from games.galleys.rules.victory import is_broken, judge, scores
from games.galleys.state import Result, State
from tests.games.galleys.builders import (
    OURS,
    THEIRS,
    THEM,
    US,
    acted,
    link,
    ours_to_act,
    sea,
    ship,
    turn,
)


@pytest.mark.rule("GA-SNK-1")
@pytest.mark.parametrize(
    ("klass", "face", "status"),
    [("liburnian", 3, "sunk"), ("liburnian", 4, "afloat"), ("trireme", 2, "sunk"), ("trireme", 3, "afloat")],
)
def test_a_rammed_ship_may_go_down(klass: str, face: int, status: str) -> None:
    others = [ship(f"Friend {n}", "lembos", f"{20 + 4 * n},5/0") for n in range(2)]
    state = sea([ship("Ajax", klass, "10,10/0", rammed=True), *others], step="sinking")

    assert turn(state, "", "", face).state.ship("Ajax").status == status


@pytest.mark.rule("GA-SNK-2")
def test_a_lost_ship_frees_its_partners_and_drowns_its_marines() -> None:
    others = [ship(f"Friend {n}", "lembos", f"{20 + 4 * n},5/0") for n in range(2)]
    state = sea(
        [ship("Ajax", "trireme", "10,10/0", rammed=True), *others],
        [ship("Bia", "trireme", "11,10/0")],
        links=[link("Ajax", "Bia")],
        step="sinking",
    )

    found = turn(state, "", "", 1)

    ajax = found.state.ship("Ajax")
    assert (ajax.status, ajax.lost_turn, ajax.marines, found.state.links) == ("sunk", 2, 0, ())


# --- morale ----------------------------------------------------------------------------------------------------------


def shaken(lost: int, *faces: int, of: int = 4, morale: int = 8, **fields: object) -> State:
    """A squadron that lost so many of its ships this turn."""
    ships = [
        ship(
            f"Ship {n}",
            "trireme",
            f"{2 + 4 * n},10/0",
            **({"status": "sunk", "lost_turn": 2, **fields} if n < lost else {}),
        )
        for n in range(of)
    ]
    big = ship("Titan", "dekeres", "40,10/0")
    state = sea([], [big], squadrons=[{"side": US, "name": "Left", "morale": morale, "ships": ships}], step="morale")
    state = replace(state, sides=tuple(replace(fleet, break_percent=100) for fleet in state.sides))
    return turn(state, "", "", *faces).state


@pytest.mark.rule("GA-MOR-1")
def test_half_the_squadron_lost_tests_morale() -> None:
    assert not shaken(1).squadron("Left").routed
    assert not shaken(2, 4, 4).squadron("Left").routed
    assert shaken(2, 4, 5).squadron("Left").routed


@pytest.mark.rule("GA-MOR-1")
def test_old_losses_alone_test_nobody() -> None:
    assert not shaken(2, lost_turn=1).squadron("Left").routed


@pytest.mark.rule("GA-MOR-1")
def test_an_exit_is_a_loss_unless_the_squadron_may_escape() -> None:
    gone = [ship("Ajax", "trireme", "10,10/0", status="exited", lost_turn=2), ship("Bias", "trireme", "14,10/0")]

    plain = turn(sea(gone, step="morale", sides={US: {"break_percent": 100}}), "", "", 1, 1)
    escaping = turn(sea(gone, step="morale", escape_squadrons=[OURS], sides={US: {"break_percent": 100}}), "", "")

    assert (len(plain.of("morale")), len(escaping.of("morale"))) == (1, 0)


@pytest.mark.rule("GA-MOR-2")
def test_the_loss_of_the_flagship_tests_every_squadron_with_one_added() -> None:
    state = sea(
        [
            ship("Ajax", "lembos", "10,10/0", flagship=True, status="sunk", lost_turn=2),
            ship("Bias", "dekeres", "14,10/0"),
        ],
        squadrons=[
            {"side": US, "name": "Left", "ships": [ship("Ceto", "dekeres", "18,10/0")]},
            {"side": US, "name": "Right", "routed": True, "ships": [ship("Dido", "dekeres", "22,10/0")]},
        ],
        step="morale",
    )

    found = turn(state, "", "", 4, 4, 4, 3)

    assert [event.facts["total"] for event in found.of("morale")] == [9, 8]
    assert found.state.fleet(US).flagship_lost
    assert [found.state.squadron(name).routed for name in (OURS, "Left", "Right")] == [True, False, True]


@pytest.mark.rule("GA-MOR-2")
def test_the_flagship_is_lost_once_and_for_good() -> None:
    state = sea(
        [
            ship("Ajax", "lembos", "10,10/0", flagship=True, status="sunk", lost_turn=1),
            ship("Bias", "dekeres", "14,10/0"),
        ],
        sides={US: {"flagship_lost": True}},
        step="morale",
    )

    assert turn(state, "", "").of("flagship_lost") == []


@pytest.mark.rule("GA-MOR-3")
def test_a_routed_ship_withdraws_at_full_and_neither_fires_nor_boards() -> None:
    """Routed: six moves to the south past an enemy within range; fatigue row 6, die 1."""
    state = sea([ship("Ajax", "trireme", "10,10/3")], [ship("Bia", "trireme", "12,9/0")])
    squadrons = tuple(replace(found, routed=found.name == OURS) for found in state.squadrons)

    found = acted(replace(state, squadrons=squadrons), "Ajax", "Ajax: ram Bia", 1)

    assert found.place("Ajax") == "10,16/3"
    assert found.events("fire") == []


@pytest.mark.rule("GA-MOR-3")
def test_a_routed_ship_disengages_always_avoids_and_does_not_react() -> None:
    state = sea(
        [ship("Syracuse", "quinquereme", "13,5/5", doctrines={"hold fire": "always", "board": "never"})],
        [ship("Tanit", "cataphract", "10,5/0", doctrines={"avoid": "none", "board": "always"})],
    )
    squadrons = tuple(replace(found, routed=found.name == THEIRS) for found in state.squadrons)

    # No reaction; avoidance 1; grapple 4. Routed Tanit does not board.
    found = turn(ours_to_act(replace(state, squadrons=squadrons)), "Syracuse: grapple Tanit", "", 1, 4)

    assert found.of("fire") == []
    assert found.of("boarding") == []
    assert [made.ships for made in found.state.links] == [("Syracuse", "Tanit")]


# --- victory ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GA-VIC-1")
@pytest.mark.parametrize(
    ("fields", "points"),
    [
        ({}, 0),
        ({"status": "sunk", "lost_turn": 1}, 7),
        ({"status": "burnt", "lost_turn": 1}, 7),
        ({"status": "exited", "lost_turn": 1}, 3),
        ({"crippled": True}, 3),
        ({"rammed": True}, 3),
        ({"crippled": True, "status": "sunk", "lost_turn": 1}, 7),
    ],
)
def test_what_a_ship_of_seven_points_scores(fields: dict[str, object], points: int) -> None:
    state = sea([ship("Ajax", "cataphract", "10,10/0", **fields)])

    assert scores(state) == {US: 0, THEM: points}


@pytest.mark.rule("GA-VIC-1")
@pytest.mark.parametrize(("status", "points"), [("afloat", 11), ("exited", 11), ("sunk", 7)])
def test_a_prize_scores_half_as_much_again_unless_it_sinks(status: str, points: int) -> None:
    prize = ship("Bia", "cataphract", "10,10/0", prize=True, home_side=THEM, home_squadron=THEIRS, status=status)
    state = sea([prize])

    assert scores(state) == {US: points, THEM: 0}


@pytest.mark.rule("GA-VIC-1")
def test_ships_that_may_escape_score_nothing_by_leaving() -> None:
    state = sea([ship("Ajax", "cataphract", "10,10/0", status="exited", lost_turn=1)], escape_squadrons=[OURS])

    assert scores(state) == {US: 0, THEM: 0}
    assert not is_broken(state, US)


def fleet_of(lost: int, **head: Any) -> State:
    ships = [
        ship(f"A{n}", "trireme", f"{2 + 4 * n},10/0", **({"status": "sunk", "lost_turn": 1} if n < lost else {}))
        for n in range(4)
    ]
    foes = [ship(f"B{n}", "trireme", f"{2 + 4 * n},30/0") for n in range(4)]
    return sea(ships, foes, **head)


@pytest.mark.rule("GA-VIC-2")
def test_a_side_is_broken_at_its_percentage_of_its_points() -> None:
    assert judge(fleet_of(1)) is None
    assert judge(fleet_of(2)) == Result(THEM, "Athens is broken")


@pytest.mark.rule("GA-VIC-2")
def test_at_the_turn_limit_the_points_decide_and_equal_is_a_draw() -> None:
    ahead, level = judge(fleet_of(1, max_turns=2)), judge(fleet_of(0, max_turns=2))

    assert ahead is not None
    assert ahead.winner == THEM
    assert level is not None
    assert level.winner is None


@pytest.mark.rule("GA-VIC-2")
def test_both_broken_compare_their_points() -> None:
    dead = {"status": "sunk", "lost_turn": 1}
    state = sea(
        [ship("A1", "trireme", "2,10/0", **dead), ship("A2", "trireme", "6,10/0")],
        [ship("B1", "dekeres", "2,30/0", **dead), ship("B2", "trireme", "6,30/0")],
    )

    found = judge(state)

    assert found is not None
    assert found.winner == US


@pytest.mark.rule("GA-VIC-3")
def test_a_side_with_only_prizes_left_has_lost_at_once() -> None:
    prize = ship("Bia", "transport", "10,10/0", prize=True, home_side=THEM, home_squadron=THEIRS, lost_turn=1)
    state = sea([prize], [ship("Titan", "dekeres", "20,10/0")])

    assert judge(state) == Result(THEM, "Athens has no ship left on the sea")


def test_the_outcome_is_told_in_one_sentence() -> None:
    state = replace(fleet_of(2), result=judge(fleet_of(2)))

    outcome = GAME.outcome(state)

    assert outcome is not None
    assert outcome.reason == "Corinth wins: Athens is broken (Athens 0, Corinth 12)."
    assert GAME.phase(state) is None


@pytest.mark.rule("GA-BRD-3", "GA-MOR-1", "GA-MOR-2", "GA-VIC-1")
def test_a_captured_flagship_shakes_every_squadron_of_its_side() -> None:
    """Ajax without marines falls without a die. Owls 3 + 4 + 1 = 8: stand. Hawks 4 + 4 + 1 = 9: rout. 6 x 3/2 = 9."""
    state = sea(
        [ship("Ajax", "trireme", "10,5/0", marines=0, flagship=True), ship("Ceto", "trireme", "2,5/0")],
        [ship("Bia", "quinquereme", "11,5/0")],
        links=[link("Ajax", "Bia")],
        squadrons=[{"side": US, "name": "Hawks", "ships": [ship("Dido", "trireme", "30,5/0")]}],
        step="boarding",
    )

    found = turn(state, "Fleet: hold", "Fleet: hold", 3, 4, 4, 4)

    assert found.state.fleet(US).flagship_lost
    assert [found.state.squadron(name).routed for name in (OURS, "Hawks")] == [False, True]
    assert (found.state.ship("Ajax").marines, found.state.ship("Bia").marines) == (1, 4)
    assert GAME.view(found.state, None).points == {US: 0, THEM: 9}


@pytest.mark.rule("GA-VIC-1", "GA-VIC-2")
def test_points_at_the_last_turn_by_the_first_case_that_fits() -> None:
    """Corinth: 6 sunk + 5 exited + 3 crippled = 14. Athens: prize 7 x 3/2 = 11, prize sailed off 6 x 3/2 = 9: 20."""
    home = {"home_side": THEM, "home_squadron": THEIRS, "prize": True, "lost_turn": 1}
    state = sea(
        [
            ship("Ajax", "trireme", "10,5/0", crippled=True),
            ship("Bacchus", "trireme", "1,5/0", status="sunk", lost_turn=1),
            ship("Ceto", "quinquereme", "1,5/0", status="exited", lost_turn=1),
            ship("Dido", "cataphract", "30,5/0", crippled=True, **home),
            ship("Echo", "trireme", "1,5/0", status="exited", **home),
        ],
        [ship("Bia", "trireme", "20,5/0")],
        sides={US: {"start_points": 1000}, THEM: {"start_points": 1000}},
        step="morale",
        turn=5,
        max_turns=5,
    )

    found = turn(state, "Fleet: hold", "Fleet: hold")
    outcome = GAME.outcome(found.state)

    assert outcome is not None
    assert (outcome.winners, outcome.scores) == (frozenset({US}), {US: 20, THEM: 14})

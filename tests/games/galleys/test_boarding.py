"""Section 4.16: boarding and prizes."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.data import TABLES, band
from tests.games.galleys.builders import (
    OURS,
    THEIRS,
    THEM,
    US,
    Turn,
    acted,
    acting,
    complaints,
    link,
    sea,
    ship,
    turn,
)

RESERVE = [ship("Rhea", "lembos", "30,10/0"), ship("Gaia", "lembos", "34,10/0"), ship("Hera", "lembos", "38,10/0")]
"""Enough further ships that one loss tests nobody's morale."""


def board(
    *faces: int,
    mine: dict[str, Any] | None = None,
    theirs: dict[str, Any] | None = None,
    orders: str = "Fleet: board always",
    answer: str = "Fleet: board never",
    **head: Any,
) -> Turn:
    friends = [ship(f"Friend {n}", "lembos", f"{42 + 4 * n},5/0") for n in range(3)]
    state = sea(
        [ship("Ajax", "quinquereme", "10,10/0", **(mine or {})), *friends],
        [ship("Bia", "quinquereme", "11,10/0", **(theirs or {})), *RESERVE],
        links=[link("Ajax", "Bia", corvus_by="Ajax" if head.get("corvus") else None)],
        step="boarding",
        **head,
    )
    return turn(state, orders, answer, *faces)


@pytest.mark.rule("GA-BRD-1")
def test_pairs_are_taken_by_roster_of_the_first_player_and_skipped_when_the_link_is_gone() -> None:
    """Corinth is first player. Bia takes Ajax (no marines) from Ceto's grip too, so Ceto's pair is skipped."""
    state = sea(
        [
            ship("Ajax", "trireme", "10,10/0", marines=0),
            *[ship(f"F{n}", "lembos", f"{42 + 4 * n},5/0") for n in range(3)],
        ],
        [ship("Bia", "trireme", "11,10/3"), ship("Ceto", "trireme", "9,10/0"), *RESERVE],
        links=[link("Ajax", "Ceto"), link("Ajax", "Bia")],
        step="boarding",
        first_side=THEM,
    )

    found = turn(state, "", "Fleet: board always")

    assert [event.facts["captor"] for event in found.of("capture")] == ["Bia"]


@pytest.mark.rule("GA-BRD-2")
def test_if_both_want_to_the_stronger_attacks_and_a_tie_goes_to_the_first_player() -> None:
    stronger = board(3, theirs={"marines": 6}, answer="Fleet: board always")
    tied = board(3, answer="Fleet: board always", first_side=THEM)

    assert [event.facts["attacker"] for event in stronger.of("boarding")] == ["Bia"]
    assert [event.facts["attacker"] for event in tied.of("boarding")] == ["Bia"]


@pytest.mark.rule("GA-BRD-2", "GA-ORD-11")
def test_the_doctrine_if_stronger_compares_marines() -> None:
    assert board(orders="Fleet: board if stronger").of("boarding") == []
    assert len(board(3, orders="Fleet: board if stronger", theirs={"marines": 4}).of("boarding")) == 1


@pytest.mark.rule("GA-BRD-3")
def test_an_empty_ship_is_taken_without_a_die() -> None:
    found = board(theirs={"marines": 0})

    assert found.of("boarding") == []
    assert found.state.ship("Bia").side == US


@pytest.mark.rule("GA-BRD-4")
@pytest.mark.parametrize(
    ("mine", "theirs", "head", "mod"),
    [
        ({}, {}, {}, 0),
        ({"marines": 3}, {}, {}, -2),
        ({}, {"marines": 1}, {}, 4),
        ({"marine_quality": 1}, {"marine_quality": -1}, {}, 2),
        ({}, {"towers": True}, {}, -1),
        ({"towers": True}, {"towers": True}, {}, 0),
        ({}, {}, {"corvus": True}, 1),
    ],
)
def test_what_is_added_to_boarding(
    mine: dict[str, Any], theirs: dict[str, Any], head: dict[str, Any], mod: int
) -> None:
    (event,) = board(3, mine=mine, theirs=theirs, **head).of("boarding")

    assert event.facts["mod"] == mod


@pytest.mark.rule("GA-BRD-4")
def test_the_boarding_table() -> None:
    table = [band(TABLES.boarding.bands, rolled) for rolled in range(-1, 11)]

    assert table == [(2, 0), (2, 0), (1, 0), (1, 0), (1, 1), (1, 1), (0, 1), (0, 1), (0, 2), (0, 2), (0, 3), (0, 3)]


@pytest.mark.rule("GA-BRD-5")
def test_losses_are_limited_and_both_empty_means_nothing() -> None:
    """1 v 1 on a 3: both lose their last step."""
    found = board(3, mine={"marines": 1}, theirs={"marines": 1})

    assert (found.state.ship("Ajax").marines, found.state.ship("Bia").marines) == (0, 0)
    assert found.of("capture") == []


@pytest.mark.rule("GA-BRD-5")
def test_a_beaten_attacker_is_captured_if_the_defender_wanted_to_board() -> None:
    """1 v 1 on a 1: the attacker loses its step, the defender none."""
    marines: dict[str, Any] = {"mine": {"marines": 1}, "theirs": {"marines": 1}}

    assert [e.facts["ship"] for e in board(1, answer="Fleet: board always", **marines).of("capture")] == ["Ajax"]
    assert board(1, answer="Fleet: board never", **marines).of("capture") == []


@pytest.mark.rule("GA-BRD-6")
def test_a_prize_changes_side_and_loses_its_virtues() -> None:
    found = board(
        theirs={"marines": 0, "crew": 2, "star": True, "flame": True, "firepots": 2, "corvus": True, "debt": 2}
    )

    bia = found.state.ship("Bia")
    assert (bia.side, bia.squadron, bia.home_side, bia.home_squadron) == (US, OURS, THEM, THEIRS)
    assert (bia.prize, bia.marines, bia.crew, bia.debt, bia.lost_turn) == (True, 1, -1, 0, 2)
    assert (bia.star, bia.flame, bia.firepots, bia.corvus) == (False, False, 0, False)
    assert found.state.ship("Ajax").marines == 4
    assert "Bia" in found.state.squadron(OURS).ships
    assert "Bia" not in found.state.squadron(THEIRS).ships


@pytest.mark.rule("GA-BRD-6")
def test_a_captor_with_a_single_step_leaves_nobody_aboard() -> None:
    found = board(mine={"marines": 1}, theirs={"marines": 0})

    assert (found.state.ship("Ajax").marines, found.state.ship("Bia").marines) == (1, 0)


@pytest.mark.rule("GA-BRD-7")
def test_a_prize_may_move_at_half_and_nothing_else() -> None:
    prize = acting("Bia", "hexeres", "10,10/0", prize=True, home_side=THEM, home_squadron=THEIRS)
    state = sea([prize], [ship("Thetis", "trireme", "11,8/3")])

    assert complaints(state, "Bia:\n  speed half\n  ram Thetis\n  rake Thetis\n  grapple Thetis\n  jettison") == [
        "GA-VAL-16",
        "GA-VAL-18",
        "GA-VAL-20",
        "GA-VAL-25",
    ]
    assert acted(state, "Bia", "Bia:\n  speed half\n  path F1").place("Bia") == "10,9/0"
    assert complaints(state, "Bia: fire at Thetis") == ["GA-VAL-22"]


@pytest.mark.rule("GA-BRD-7")
def test_a_recaptured_ship_goes_home() -> None:
    """Ajax holds Bia, a prize of Corinth that once was ours and has nobody aboard."""
    lost = ship("Bia", "trireme", "11,10/0", prize=True, home_side=US, home_squadron=OURS, marines=0, lost_turn=1)
    state = sea([ship("Ajax", "trireme", "10,10/0")], [lost, *RESERVE], links=[link("Ajax", "Bia")], step="boarding")

    found = turn(state, "", "")

    bia = found.state.ship("Bia")
    assert (bia.side, bia.squadron, bia.prize, bia.lost_turn, bia.crew) == (US, OURS, False, None, -1)
    assert [event.facts["regained"] for event in found.of("capture")] == [True]


@pytest.mark.rule("GA-BRD-7", "GA-MOR-1")
def test_a_prize_never_counts_among_the_captors_losses() -> None:
    prize = ship(
        "Bia", "trireme", "30,20/0", prize=True, home_side=THEM, home_squadron=THEIRS, rammed=True, lost_turn=1
    )
    state = sea([ship("Ajax", "trireme", "10,10/0"), prize], [*RESERVE], step="sinking")

    # The prize sinks (1); our squadron of two does not test its morale, for she was never ours to lose.
    found = turn(state, "", "", 1)

    assert found.state.squadron(OURS).start_count == 1
    assert found.of("morale") == []


@pytest.mark.rule("GA-BRD-1", "GA-BRD-2")
def test_pairs_go_by_the_first_players_ship_and_nobody_begins_twice() -> None:
    """Corinth is first player. Bia on Ajax 5 v 2: 1 + 3 = 4, one each. Then Ceto on Bia 5 v 4: 2 + 1 = 3, one each."""
    state = sea(
        [ship("Ajax", "trireme", "10,5/0"), ship("Ceto", "quinquereme", "12,4/0")],
        [ship("Bia", "quinquereme", "11,5/0")],
        links=[link("Ceto", "Bia"), link("Ajax", "Bia")],
        step="boarding",
        first_side=THEM,
    )

    found = turn(state, "Fleet: board if stronger", "Fleet: board always", 1, 2)

    assert [(event.facts["attacker"], event.facts["losses"]) for event in found.of("boarding")] == [
        ("Bia", [1, 1]),
        ("Ceto", [1, 1]),
    ]
    assert [found.state.ship(name).marines for name in ("Ajax", "Ceto", "Bia")] == [1, 4, 3]


@pytest.mark.rule("GA-BRD-1", "GA-BRD-2")
def test_without_a_first_player_named_side_1_boards_first() -> None:
    """2 v 2, both willing: Ajax of side 1 attacks; 5 + 0 = 5, Bia loses one."""
    state = sea(
        [ship("Ajax", "trireme", "10,5/0")],
        [ship("Bia", "trireme", "11,5/0")],
        links=[link("Ajax", "Bia")],
        step="boarding",
        first_side="",
    )

    found = turn(state, "Fleet: board always", "Fleet: board always", 5)

    assert [(event.facts["attacker"], event.facts["losses"]) for event in found.of("boarding")] == [("Ajax", [0, 1])]


@pytest.mark.rule("GA-BRD-2", "GA-BRD-5")
def test_an_attacker_wiped_out_by_a_willing_defender_is_captured() -> None:
    """2 v 2, the first player's ship attacks: 1 - 1 levy - 1 picked = -1, it loses both; Bia puts one man aboard."""
    state = sea(
        [ship("Ajax", "trireme", "10,5/0", marine_quality=-1), ship("Ceto", "trireme", "30,5/0")],
        [ship("Bia", "trireme", "11,5/0", marine_quality=1)],
        links=[link("Ajax", "Bia")],
        step="boarding",
        sides={US: {"break_percent": 100}},
    )

    found = turn(state, "Fleet: board always", "Fleet: board always", 1, 1, 1)

    ajax, bia = found.state.ship("Ajax"), found.state.ship("Bia")
    assert (ajax.side, ajax.prize, ajax.marines, ajax.crew, ajax.squadron) == (THEM, True, 1, -1, THEIRS)
    assert (bia.marines, found.state.links) == (1, ())

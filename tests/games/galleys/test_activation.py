"""Section 4.2 and step 4 of section 3: who acts when."""

from __future__ import annotations

import pytest

from tests.games.galleys.builders import OURS, THEIRS, THEM, US, Turn, acting, ours_to_act, sea, ship, turn


def squadron(side: str, name: str, at: str, **fields: object) -> dict[str, object]:
    return {"side": side, "name": name, "ships": [acting(f"{name} ship", "lembos", at)], **fields}


def order_of(found: Turn) -> list[str]:
    return [event.facts["squadron"] for event in found.of("activation")]


@pytest.mark.rule("GA-SEQ-1", "GA-SEQ-2")
def test_the_sides_alternate_in_the_order_of_their_lists() -> None:
    state = sea(
        [acting("Ajax", "lembos", "2,5/0")],
        [acting("Xeno", "lembos", "2,15/0")],
        squadrons=[squadron(US, "B", "6,5/0"), squadron(THEM, "Y", "6,15/0")],
    )

    found = turn(state, "Fleet:\n  activate B\n  hold", "Fleet: hold", 6, 1)

    assert order_of(found) == ["B", THEIRS, OURS, "Y"]
    assert found.state.fleet(US).activate_list == ("B",)


@pytest.mark.rule("GA-SEQ-3")
def test_surplus_squadrons_act_at_the_end_and_empty_ones_use_no_slot() -> None:
    gone = {
        "side": US,
        "name": "Gone",
        "ships": [ship("Wreck", "lembos", "30,5/0", status="sunk", lost_turn=1)],
    }
    state = sea(
        [acting("Ajax", "lembos", "2,5/0")],
        [acting("Xeno", "lembos", "2,15/0")],
        squadrons=[gone, squadron(THEM, "Y", "6,15/0"), squadron(THEM, "Z", "10,15/0")],
    )

    found = turn(state, "Fleet: hold", "Fleet: hold", 6, 1)

    assert order_of(found) == [OURS, THEIRS, "Y", "Z"]
    assert all(squadron.activated for squadron in found.state.squadrons if squadron.name != "Gone")


@pytest.mark.rule("GA-SEQ-4", "GA-RUL-34")
@pytest.mark.parametrize(
    ("turn_number", "was_first", "dice", "first"),
    [(2, US, (5, 3), US), (2, US, (2, 3), THEM), (2, US, (3, 3), THEM), (2, THEM, (3, 3), US), (1, "", (3, 3), US)],
)
def test_initiative_ties_go_to_the_side_that_was_second(
    turn_number: int, was_first: str, dice: tuple[int, int], first: str
) -> None:
    state = sea([acting("Ajax", "lembos", "2,5/0")], turn=turn_number, first_side=was_first)

    assert turn(state, "Fleet: hold", "Fleet: hold", *dice).state.first_side == first


@pytest.mark.rule("GA-SEQ-4", "GA-MOR-2")
def test_the_commander_counts_until_his_flagship_is_lost() -> None:
    commanders = {US: {"commander": 2, "flagship_lost": True}, THEM: {"commander": 1}}
    state = sea([acting("Ajax", "lembos", "2,5/0")], sides=commanders)

    (event,) = turn(state, "Fleet: hold", "Fleet: hold", 4, 4).of("initiative")

    assert event.facts["totals"] == {US: 4, THEM: 5}


@pytest.mark.rule("GA-ACT-1")
def test_ships_act_in_sequence_then_roster_order_with_prizes_last() -> None:
    state = sea(
        [
            acting("Ajax", "lembos", "2,5/0", prize=True, home_side=THEM, home_squadron=THEIRS),
            acting("Bias", "lembos", "6,5/0"),
            acting("Ceto", "lembos", "10,5/0"),
        ]
    )

    found = turn(state, f"{OURS}:\n  sequence Ceto\nFleet: hold", "Fleet: hold", 6, 1)

    ours = [event.facts["ship"] for event in found.of("speed")][:3]
    assert ours == ["Ceto", "Bias", "Ajax"]


@pytest.mark.rule("GA-ACT-1")
def test_a_ship_crippled_in_its_activation_still_fires_and_rolls_fatigue() -> None:
    """Rake of Lark with 1 and 1: X. Reaction 1, avoidance 1, rake 1 1; own fire 6, no second reaction; fatigue 1."""
    state = sea([ship("Bee", "hemiolia", "9,8/0")], [ship("Lark", "liburnian", "10,5/0")])

    found = turn(ours_to_act(state), "Bee:\n  speed full\n  path F5\n  rake Lark", "", 1, 1, 1, 1, 6, 1)

    bee = found.state.ship("Bee")
    assert (bee.crippled, bee.spent, bee.fired) == (True, 3, True)
    assert [event.kind for event in found.of("fatigue")] == ["fatigue"]


@pytest.mark.rule("GA-ACT-2")
def test_a_held_ship_says_which_orders_it_could_not_carry_out() -> None:
    state = sea(
        [acting("Ajax", "trireme", "10,10/0")],
        [ship("Bia", "trireme", "11,10/0", doctrines={"board": "never"})],
        links=[{"ships": ["Ajax", "Bia"]}],
    )

    found = turn(
        state,
        "Ajax:\n  ram Bia if reachable\n  disengage never\n  board never",
        "Fleet:\n  hold\n  disengage never\n  hold fire",
        6,
        1,
    )

    assert [event.facts["reason"] for event in found.of("intent_skipped")] == ["held by Bia"]


@pytest.mark.rule("GA-SEQ-1", "GA-SEQ-2")
def test_a_segment_taken_up_in_the_middle_goes_on_with_the_side_that_is_behind() -> None:
    """Athens is first player and has activated one squadron: Ravens are next, then Hawks."""
    state = sea(
        [],
        [acting("Bia", "trireme", "20,5/0")],
        squadrons=[
            {"side": US, "name": "Larks", "activated": True, "ships": [acting("Ajax", "trireme", "10,5/0")]},
            {"side": US, "name": "Hawks", "ships": [acting("Ceto", "trireme", "2,5/0")]},
        ],
        step="activations",
    )

    found = turn(state, "Fleet: hold", "Fleet: hold")

    assert [(event.facts["squadron"], event.facts["index"]) for event in found.of("activation")] == [
        (THEIRS, 2),
        ("Hawks", 3),
    ]

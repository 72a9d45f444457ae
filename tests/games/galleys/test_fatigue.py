"""Section 4.6: tired rowers."""

from __future__ import annotations

import pytest

from games.galleys.data import TABLES
from tests.games.galleys.builders import acted, acting, sea, ship, turn


@pytest.mark.rule("GA-FAT-1", "GA-RUL-25")
@pytest.mark.parametrize(("path", "row"), [("F1", "4"), ("F4", "4"), ("F5", "5"), ("F6", "6"), ("F7", "7A")])
def test_the_row_is_the_movement_points_spent(path: str, row: str) -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0", crew=2)])

    found = acted(state, "Ajax", f"Ajax:\n  speed max\n  path {path}", 1)

    assert found.facts("fatigue", "row")[0] == {"row": row}


@pytest.mark.rule("GA-FAT-1")
@pytest.mark.parametrize("level", ["half", "cruise"])
def test_cruise_and_half_never_tire(level: str) -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0")])

    assert acted(state, "Ajax", f"Ajax:\n  speed {level}\n  path F2").rolls == ()


@pytest.mark.rule("GA-FAT-2")
def test_the_fatigue_table() -> None:
    table = {row: [TABLES.fatigue.levels(row, die) for die in range(9)] for row in ("4", "5", "6", "7A")}

    assert table == {
        "4": [0, 0, 0, 0, 0, 0, 1, 1, 1],
        "5": [0, 0, 0, 0, 0, 1, 1, 2, 2],
        "6": [0, 0, 0, 0, 1, 1, 2, 2, 2],
        "7A": [0, 0, 1, 1, 1, 2, 2, 3, 3],
    }


@pytest.mark.rule("GA-FAT-2")
def test_a_green_crew_tires_faster_and_three_is_the_worst() -> None:
    """Row 7A, die 6 + 1 for a green crew: 3 levels."""
    state = sea([acting("Ajax", "trireme", "10,10/0", crew=-1)])

    assert acted(state, "Ajax", "Ajax:\n  speed max\n  path F7", 6).ship("Ajax").fatigue == 3


@pytest.mark.rule("GA-FAT-4")
def test_a_fatigued_ship_may_not_ram_and_an_exhausted_one_shoots_badly() -> None:
    tired = sea([acting("Ajax", "trireme", "10,10/0", fatigue=1)], [ship("Thetis", "trireme", "11,7/3")])
    spent = sea(
        [ship("Syracuse", "quinquereme", "12,4/0", fatigue=3)],
        [ship("Tanit", "cataphract", "10,5/0", doctrines={"react": "none"})],
    )

    assert acted(tired, "Ajax").reasons() == ["its crew is tired (fatigue 1)"]
    assert acted(spent, "Syracuse", "Syracuse: hold", 4).facts("fire", "mod", "loss") == [{"mod": -1, "loss": 0}]


@pytest.mark.rule("GA-FAT-5")
def test_a_ship_at_full_that_did_not_move_rolls_on_the_lowest_row() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0")])

    found = acted(state, "Ajax", "Ajax: speed full", 6)

    assert found.facts("fatigue", "row", "gained")[0] == {"row": "4", "gained": 1}


@pytest.mark.rule("GA-FAT-6")
def test_recovery_rests_without_a_die_or_rolls_at_half() -> None:
    """Dido holds: 3 to 2. Echo at half rolls 3 + 1: 1 to 0. Fama at half rolls 3: stays. Gaia at cruise: nothing."""
    state = sea(
        [
            acting("Dido", "trireme", "2,10/0", fatigue=3),
            acting("Echo", "trireme", "6,10/0", fatigue=1, crew=1),
            acting("Fama", "trireme", "10,10/0", fatigue=1),
            acting("Gaia", "trireme", "14,10/0", fatigue=1),
        ]
    )
    orders = "Dido: hold\nEcho:\n speed half\n path F1\nFama:\n speed half\n path F1\nGaia: path F1"

    found = turn(state, orders, "Fleet: hold", 6, 1, 3, 3)

    assert [found.state.ship(name).fatigue for name in ("Dido", "Echo", "Fama", "Gaia")] == [2, 0, 1, 1]
    assert [(event.facts["auto"], event.facts["result"]) for event in found.of("recovery")] == [
        (True, "recovers"),
        (False, "recovers"),
        (False, "no relief"),
    ]


@pytest.mark.rule("GA-FAT-6")
def test_a_ship_that_attacked_without_moving_does_not_rest() -> None:
    """A grapple where she stands spends nothing, but `attacked` is set; at cruise there is no die either."""
    state = sea(
        [acting("Ajax", "trireme", "10,10/0", fatigue=1, doctrines={"hold fire": "always", "board": "never"})],
        [ship("Bia", "trireme", "11,10/0", doctrines={"react": "none", "avoid": "none", "board": "never"})],
    )

    found = turn(state, "Ajax: grapple Bia", "Fleet:\n  hold\n  hold fire\n  disengage never", 6, 1, 1)

    ajax = found.state.ship("Ajax")
    assert (ajax.spent, ajax.attacked, ajax.fatigue) == (0, True, 1)

"""Section 4.7: missile fire and reaction fire."""

from __future__ import annotations

import pytest

from games.galleys.data import TABLES
from games.galleys.rules.geometry import Hull, fire_range
from games.galleys.rules.missiles import points_available
from games.galleys.table import Table
from pbem.kit.hexgrid import Hex
from tests.games.galleys.builders import acted, acting, sea, ship

SILENT = {"react": "none", "avoid": "none"}


@pytest.mark.rule("GA-MIS-1", "GA-RUL-5", "GA-RUL-6")
def test_of_two_ways_round_one_suffices_and_any_ship_blocks() -> None:
    """Two liburnians side by side with a column between: the middle hexes are 11,4 and 11,5."""
    a, b = Hull(Hex(12, 4), 0, large=False), Hull(Hex(10, 5), 0, large=False)

    assert fire_range(a, b, ()) == 2
    assert fire_range(a, b, {Hex(11, 4)}) == 2
    assert fire_range(a, b, {Hex(11, 4), Hex(11, 5)}) is None


@pytest.mark.rule("GA-MIS-1")
def test_no_line_leaves_over_bow_or_stern() -> None:
    behind = Hull(Hex(10, 7), 0, large=False), Hull(Hex(10, 5), 0, large=False)

    assert fire_range(*behind, ()) is None
    assert fire_range(Hull(Hex(10, 6), 0, large=False), Hull(Hex(10, 5), 0, large=False), ()) is None


@pytest.mark.rule("GA-MIS-2")
def test_range_one_goes_before_range_two() -> None:
    """A trireme alongside has lines of both ranges; range 1 counts."""
    assert fire_range(Hull(Hex(11, 5), 0, large=True), Hull(Hex(10, 5), 0, large=True), ()) == 1


@pytest.mark.rule("GA-MIS-3")
@pytest.mark.parametrize(
    ("fields", "points"),
    [({}, 3), ({"marines": 2}, 2), ({"marines": 0}, 0), ({"fire": 1}, 0), ({"prize": True}, 0)],
)
def test_points_are_limited_by_marines_and_none_on_burning_ships_and_prizes(
    fields: dict[str, object], points: int
) -> None:
    state = sea([ship("Syracuse", "quinquereme", "12,4/0", **fields)])
    table = Table(state)

    assert points_available(table, table.ships["Syracuse"]) == points


@pytest.mark.rule("GA-MIS-4")
def test_a_ship_fires_once_in_its_own_turn() -> None:
    """Fire at start, then a whole cruise alongside: no second shot."""
    state = sea([ship("Syracuse", "quinquereme", "12,4/0")], [ship("Tanit", "cataphract", "10,5/0", doctrines=SILENT)])

    found = acted(state, "Syracuse", "Syracuse:\n  path F1\n  fire at Tanit at start", 1)

    assert [event.kind for event in found.table.events if event.kind in ("fire", "move")] == ["fire", "move"]


@pytest.mark.rule("GA-MIS-5", "GA-RUL-33")
def test_fire_is_split_at_one_moment_with_at_least_a_point_each() -> None:
    state = sea(
        [ship("Hydra", "hepteres", "10,5/0")],
        [ship("Alke", "trireme", "11,5/0", doctrines=SILENT), ship("Bia", "liburnian", "8,6/0", doctrines=SILENT)],
    )

    found = acted(state, "Hydra", "Hydra:\n  hold\n  fire at Alke, Bia", 1, 1)

    assert found.facts("fire", "target", "points") == [
        {"target": "Alke", "points": 2},
        {"target": "Bia", "points": 2},
    ]


@pytest.mark.rule("GA-MIS-6", "GA-RUL-7", "GA-RUL-8")
def test_reaction_is_once_for_each_enemy_squadron_activation() -> None:
    """Thetis has answered once in this activation already: no second reaction die."""
    state = sea([ship("Syracuse", "quinquereme", "12,4/0")], [ship("Thetis", "trireme", "10,5/0", reacted=True)])

    found = acted(state, "Syracuse", "Syracuse: hold", 1)

    assert found.facts("fire", "shooter") == [{"shooter": "Syracuse"}]


@pytest.mark.rule("GA-MIS-6")
def test_a_trigger_without_a_fire_line_does_not_use_the_reaction_up() -> None:
    """Ajax rams Lark from where she has no line (GA-EX-10); her reaction is still to come."""
    state = sea([acting("Ajax", "trireme", "14,3/4", crew=1)], [ship("Lark", "liburnian", "10,5/0")])

    found = acted(state, "Ajax", "Ajax:\n  speed max\n  ram Lark", 6, 4)

    assert not found.ship("Lark").reacted


@pytest.mark.rule("GA-MIS-6")
def test_the_react_doctrine_names_the_kinds_of_attempt() -> None:
    state = sea(
        [ship("Syracuse", "quinquereme", "12,4/0")],
        [ship("Tanit", "cataphract", "10,5/0", doctrines={"react": "ram rake"})],
    )

    assert acted(state, "Syracuse", "Syracuse: hold", 1).facts("fire", "reaction") == [{"reaction": False}]


@pytest.mark.rule("GA-MIS-7", "GA-RUL-9")
def test_a_target_sunk_by_the_ram_still_shoots() -> None:
    """Reaction 6 + 1 = 7 with 1 point costs Ajax a step; the ram 6 6 + 4 sinks Thetis all the same."""
    state = sea(
        [acting("Ajax", "trireme", "14,3/4", crew=1)],
        [ship("Thetis", "trireme", "10,5/0", doctrines={"avoid": "none"})],
    )

    found = acted(state, "Ajax", "Ajax:\n  speed full\n  ram Thetis", 6, 6, 6, 1)

    assert found.ship("Thetis").status == "sunk"
    assert found.ship("Ajax").marines == 1


@pytest.mark.rule("GA-MIS-8")
def test_the_missile_table() -> None:
    table = [[TABLES.missile.loss(die, points) for points in range(1, 8)] for die in range(9)]

    assert table == [
        [0, 0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 1, 1, 1],
        [0, 0, 0, 1, 1, 1, 1],
        [0, 0, 1, 1, 1, 2, 2],
        [0, 1, 1, 1, 2, 2, 2],
        [1, 1, 1, 2, 2, 3, 3],
        [1, 1, 2, 2, 3, 3, 3],
        [1, 1, 2, 2, 3, 3, 3],
    ]


@pytest.mark.rule("GA-MIS-8")
def test_losses_never_take_more_marines_than_there_are() -> None:
    state = sea([ship("Hydra", "dekeres", "10,5/0")], [ship("Alke", "trireme", "11,5/0", marines=1, doctrines=SILENT)])

    found = acted(state, "Hydra", "Hydra: hold", 6)

    assert found.facts("fire", "loss") == [{"loss": 1}]
    assert found.ship("Alke").marines == 0


@pytest.mark.rule("GA-MIS-9")
def test_the_firers_dice_come_before_the_reactions() -> None:
    state = sea(
        [ship("Hydra", "hepteres", "10,5/0")],
        [ship("Alke", "trireme", "11,5/0"), ship("Bia", "liburnian", "8,6/0")],
    )

    found = acted(state, "Hydra", "Hydra:\n  hold\n  fire 1 at Bia, 1 at Alke", 1, 1, 1, 1)

    assert [label.split("/")[1] for label in found.rolls] == ["Hydra", "Hydra", "Bia", "Alke"]


@pytest.mark.rule("GA-MIS-10")
def test_doctrine_spares_ships_without_marines_and_an_order_does_not() -> None:
    state = sea([ship("Syracuse", "quinquereme", "12,4/0")], [ship("Tanit", "cataphract", "10,5/0", marines=0)])

    assert acted(state, "Syracuse", "Syracuse: hold").rolls == ()
    assert acted(state, "Syracuse", "Syracuse:\n  hold\n  fire at Tanit", 4).facts("fire", "loss") == [{"loss": 0}]

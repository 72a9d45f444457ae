"""Sections 4.11 and 4.12: raking and the Pass-Through."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.data import TABLES, band
from games.galleys.rules.geometry import Hull, raked_side
from games.galleys.rules.raking import far_end, rake_mods
from games.galleys.state import Level, State
from games.galleys.table import Table, total
from pbem.kit.hexgrid import Hex
from tests.games.galleys.builders import acted, acting, complaints, sea, ship

QUIET = {"react": "none", "avoid": "none"}
THETIS = Hull(Hex(10, 5), 0, large=True)
LARK = Hull(Hex(10, 5), 0, large=False)


@pytest.mark.rule("GA-RAK-1")
@pytest.mark.parametrize(
    ("before", "after", "side"),
    [
        ((11, 4), (11, 5), "starboard"),
        ((11, 6), (11, 5), "starboard"),
        ((9, 5), (9, 6), "port"),
        ((9, 7), (9, 6), "port"),
        ((11, 5), (11, 6), None),
        ((11, 3), (11, 4), None),
        ((10, 3), (10, 4), None),
    ],
)
def test_a_rake_of_a_large_ship_enters_the_midship_hex(
    before: tuple[int, int], after: tuple[int, int], side: str | None
) -> None:
    assert raked_side(Hex(*before), Hex(*after), THETIS) == side


@pytest.mark.rule("GA-RAK-1", "GA-RUL-3", "GA-RUL-4")
@pytest.mark.parametrize(
    ("before", "after", "side"),
    [((11, 4), (11, 5), "starboard"), ((9, 6), (9, 5), "port"), ((10, 4), (11, 4), None), ((9, 6), (10, 6), None)],
)
def test_a_rake_of_a_small_ship_goes_along_one_side(
    before: tuple[int, int], after: tuple[int, int], side: str | None
) -> None:
    """Going round bow or stern is no rake."""
    assert raked_side(Hex(*before), Hex(*after), LARK) == side


@pytest.mark.rule("GA-RAK-2", "GA-RUL-16")
def test_fatigue_and_half_speed_do_not_forbid_a_rake() -> None:
    """At Half, overtaking from the stern quarter: 5 5 - 1 = 9, crippled."""
    state = sea(
        [acting("Ajax", "trireme", "11,6/0", fatigue=1)], [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET)]
    )

    found = acted(state, "Ajax", "Ajax:\n  speed half\n  rake Thetis", 5, 5)

    assert found.facts("rake", "total", "code") == [{"total": 9, "code": "C"}]


@pytest.mark.rule("GA-RAK-2")
def test_two_ships_may_be_raked_in_one_activation_but_none_twice() -> None:
    """Down the lane between two triremes: the same F rakes both; each has its own dice."""
    state = sea(
        [acting("Ajax", "trireme", "11,3/3", doctrines={"hold fire": "always", "opportunity": "on"})],
        [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET), ship("Tethys", "trireme", "12,4/0", doctrines=QUIET)],
    )

    found = acted(state, "Ajax", "Ajax:\n  speed cruise\n  path F4", 3, 3, 3, 3)

    assert found.facts("rake", "target") == [{"target": "Thetis"}, {"target": "Tethys"}]


@pytest.mark.rule("GA-RAK-3", "GA-RUL-1")
def test_the_rake_table() -> None:
    assert [band(TABLES.rake.bands, rolled) for rolled in (2, 3, 4, 8, 9, 14)] == ["X", "X", "N", "N", "C", "C"]


@pytest.mark.rule("GA-RAK-3")
@pytest.mark.parametrize(
    ("crew", "other", "facing", "level", "expected"),
    [
        (0, 0, 0, Level.FULL, 0),
        (2, 1, 0, Level.FULL, 1),
        (0, 0, 3, Level.FULL, 1),
        (0, 0, 0, Level.MAX, 1),
        (0, 0, 0, Level.HALF, -1),
    ],
)
def test_what_is_added_to_a_rake(crew: int, other: int, facing: int, level: Level, expected: int) -> None:
    state = sea([ship("Ajax", "trireme", "11,2/3", crew=crew)], [ship("Thetis", "trireme", "10,5/0", crew=other)])
    table = Table(state)

    assert total(rake_mods(table, "Ajax", "Thetis", level, facing)) == expected


@pytest.mark.rule("GA-RAK-3")
def test_a_ship_already_crippled_is_not_hurt_further() -> None:
    state = sea(
        [acting("Ajax", "trireme", "11,3/3")], [ship("Thetis", "trireme", "10,5/0", crippled=True, doctrines=QUIET)]
    )

    found = acted(state, "Ajax", "Ajax:\n  speed cruise\n  rake Thetis", 6, 6)

    assert found.facts("rake", "code") == [{"code": "C"}]
    assert found.events("crippled") == []


@pytest.mark.rule("GA-RAK-4")
def test_movement_continues_after_a_rake_unless_the_raker_crippled_herself() -> None:
    state = sea([acting("Ajax", "trireme", "11,3/3")], [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET)])
    orders = "Ajax:\n  speed cruise\n  path F4\n  rake Thetis"

    assert acted(state, "Ajax", orders, 3, 3).place("Ajax") == "11,7/3"
    assert acted(state, "Ajax", orders, 1, 1).place("Ajax") == "11,5/3"


@pytest.mark.rule("GA-RAK-5")
def test_a_crippled_ship_crawls_and_neither_rams_nor_rakes() -> None:
    state = sea([acting("Ajax", "trireme", "11,3/3", crippled=True)], [ship("Thetis", "trireme", "10,5/0")])

    assert complaints(state, "Ajax:\n  speed half\n  ram Thetis\n  rake Thetis") == ["GA-VAL-16", "GA-VAL-18"]
    assert acted(state, "Ajax", "Ajax:\n  speed half\n  path F1").ship("Ajax").spent == 1


# --- pass-through ----------------------------------------------------------------------------------------------------


def line(*theirs: dict[str, Any], at: str = "10,2/3", klass: str = "trireme", **mine: Any) -> State:
    """Ajax before the bow of Thetis, who stands in line abreast with Tethys."""
    enemies = theirs or (
        ship("Thetis", "trireme", "10,5/0", doctrines=QUIET),
        ship("Tethys", "trireme", "12,4/0", doctrines=QUIET),
    )
    return sea([acting("Ajax", klass, at, **mine)], list(enemies))


@pytest.mark.rule("GA-PAS-1", "GA-RUL-19")
def test_a_pass_through_needs_a_move_into_the_bow_or_stern_hex() -> None:
    """From astern: F into the stern hex 10,7 facing north, then T. Not head-on: 4 4 + 1 = 9."""
    found = acted(line(at="10,8/0"), "Ajax", "Ajax:\n  speed max\n  path F1 T", 4, 4, 1)

    assert found.facts("rake", "total", "pass") == [{"total": 9, "pass": True}]
    assert found.place("Ajax") == "10,3/0"
    assert complaints(line(at="10,4/3"), "Ajax:\n  speed max\n  path T") == ["GA-VAL-13"]


@pytest.mark.rule("GA-PAS-1")
def test_the_mover_must_be_at_maximum() -> None:
    assert complaints(line(), "Ajax:\n  speed full\n  path F2 T") == ["GA-VAL-13"]
    assert complaints(line(), "Ajax:\n  speed full\n  pass Thetis") == ["GA-VAL-18"]


@pytest.mark.rule("GA-PAS-2", "GA-RUL-18")
def test_where_a_pass_through_ends() -> None:
    """A small mover ends one hex beyond the far hex, a large one two; through the bow the far hex is the stern."""
    head_on = [Hull(Hex(10, 4), 3, large=large) for large in (False, True)]

    assert [far_end(mover, THETIS).bow for mover in head_on] == [Hex(10, 7), Hex(10, 8)]
    assert far_end(Hull(Hex(10, 4), 3, large=True), LARK).hexes == (Hex(10, 7), Hex(10, 6))
    assert far_end(Hull(Hex(10, 7), 0, large=False), THETIS).bow == Hex(10, 4)
    found = acted(line(), "Ajax", "Ajax:\n  speed max\n  path F2 T", 3, 3, 1)
    assert found.ship("Ajax").spent == 4


@pytest.mark.rule("GA-PAS-3")
@pytest.mark.parametrize("at", ["10,7/0", "10,8/0"])
def test_an_occupied_end_hex_blocks_it(at: str) -> None:
    state = line(ship("Thetis", "trireme", "10,5/0"), ship("Tethys", "trireme", "12,4/0"), ship("Rock", "lembos", at))

    found = acted(state, "Ajax", "Ajax:\n  speed max\n  path F2 T", 1)

    assert found.facts("blocked", "by") == [{"by": "there is no room beyond Thetis"}]


@pytest.mark.rule("GA-PAS-4")
def test_the_mover_gets_through_even_when_her_own_oars_break() -> None:
    """1 1 + 1 head-on + 1 maximum - 1 green = 3: X; she ends beyond, crippled, and stops."""
    found = acted(line(crew=-1), "Ajax", "Ajax:\n  speed max\n  path F2 T F2", 1, 1, 1)

    assert found.facts("rake", "total", "code") == [{"total": 3, "code": "X"}]
    assert (found.place("Ajax"), found.ship("Ajax").crippled) == ("10,8/3", True)


@pytest.mark.rule("GA-PAS-4")
def test_an_avoided_passage_is_completed_all_the_same() -> None:
    state = line(ship("Thetis", "trireme", "10,5/0", doctrines={"react": "none"}), ship("Tethys", "trireme", "12,4/0"))

    found = acted(state, "Ajax", "Ajax:\n  speed max\n  path F2 T", 6, 1)

    assert (found.place("Ajax"), found.events("rake")) == ("10,8/3", [])


@pytest.mark.rule("GA-PAS-5")
def test_a_passage_counts_as_two_moves_ahead_for_a_later_ram() -> None:
    """F T, then a turn to port and the ram of a ship beyond: no short run, and the turn follows a forward move."""
    state = sea(
        [acting("Ajax", "liburnian", "10,3/3")],
        [
            ship("Thetis", "trireme", "10,5/0", doctrines=QUIET),
            ship("Tethys", "trireme", "12,4/0", doctrines=QUIET),
            ship("Rhea", "trireme", "11,7/0", doctrines=QUIET),
        ],
    )

    found = acted(state, "Ajax", "Ajax:\n  speed max\n  path F1 T P\n  ram Rhea", 3, 3, 4, 4, 1)

    (ram,) = found.events("ram")
    assert "short run" not in [name for name, _ in ram.facts["mods"]]


@pytest.mark.rule("GA-PAS-3")
def test_too_few_points_block_a_passage() -> None:
    """Seven points, six moves: one is left for T."""
    state = line(at="10,-2/3")

    found = acted(state, "Ajax", "Ajax:\n  speed max\n  path F6 T", 1)

    assert complaints(state, "Ajax:\n  speed max\n  path F6 T") == ["GA-VAL-10"]
    assert found.place("Ajax") == "10,4/3"
    short = acted(line(), "Ajax", "Ajax:\n  speed max\n  path F2 T", 1, meanwhile={"Ajax": {"debt": 4}})
    assert short.facts("blocked", "by") == [{"by": "2 MP are needed, 1 are left"}]


@pytest.mark.rule("GA-PAS-1")
def test_a_ship_met_on_the_beam_cannot_be_passed_through() -> None:
    state = line(
        ship("Thetis", "trireme", "10,5/1", doctrines=QUIET), ship("Tethys", "trireme", "12,5/1", doctrines=QUIET)
    )

    found = acted(state, "Ajax", "Ajax:\n  speed max\n  path F2 T", 1)

    assert found.facts("blocked", "by") == [{"by": "Thetis is not met bow-on or from right astern"}]


@pytest.mark.rule("GA-RAK-2")
def test_a_ship_crippled_meanwhile_neither_rakes_nor_passes() -> None:
    crippled = {"Ajax": {"crippled": True}}
    state = line(at="11,3/3")

    assert acted(state, "Ajax", "Ajax: rake Thetis", meanwhile=crippled).reasons() == ["it is crippled"]
    assert acted(state, "Ajax", "Ajax:\n  speed max\n  pass Thetis", meanwhile=crippled).reasons() == [
        "the level is half, not max"
    ]


@pytest.mark.rule("GA-ORD-7", "GA-RAK-2", "GA-MIS-9")
def test_one_move_between_two_enemies_rakes_both_in_roster_order() -> None:
    """Thetis: reaction 1, avoidance 1, rake 6 + 1 = 7: N. Tanit: reaction 1, avoidance 5: no rake dice."""
    state = sea(
        [acting("Ajax", "trireme", "11,2/3", doctrines={"hold fire": "always", "opportunity": "on"})],
        [ship("Thetis", "trireme", "10,5/0"), ship("Tanit", "trireme", "12,4/0")],
    )

    found = acted(state, "Ajax", "Ajax: path F3", 1, 1, 3, 3, 1, 5)

    assert found.place("Ajax") == "11,5/3"
    assert found.facts("avoidance", "ship", "result") == [
        {"ship": "Thetis", "result": "fails"},
        {"ship": "Tanit", "result": "avoided"},
    ]
    assert found.facts("rake", "target", "total", "code") == [{"target": "Thetis", "total": 7, "code": "N"}]

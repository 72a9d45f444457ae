"""Sections 4.9 and 4.14: grappling and disengaging."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.rules.geometry import Hull, shares_flank_side
from games.galleys.state import Level
from pbem.kit.hexgrid import Hex
from tests.games.galleys.builders import US, Acted, acted, acting, complaints, link, sea, ship

QUIET = {"react": "none", "avoid": "none"}


def grapple(face: int, mine: dict[str, object] | None = None, theirs: dict[str, object] | None = None) -> Acted:
    """Ajax, already alongside Bia, throws her grapnels."""
    state = sea(
        [acting("Ajax", "trireme", "10,10/0", **(mine or {}))],
        [ship("Bia", "trireme", "11,10/0", **{"doctrines": QUIET, **(theirs or {})})],
        corvus=True,
    )
    return acted(state, "Ajax", "Ajax: grapple Bia", face)


@pytest.mark.rule("GA-GRP-1", "GA-RUL-10")
def test_the_shared_hexside_must_be_a_flank_hexside_of_both() -> None:
    beside, bow_on = Hull(Hex(11, 5), 0, large=True), Hull(Hex(10, 4), 3, large=False)
    target = Hull(Hex(10, 5), 0, large=True)

    assert shares_flank_side(beside, target)
    assert not shares_flank_side(bow_on, target)


@pytest.mark.rule("GA-GRP-1", "GA-RUL-11")
def test_a_ship_at_cruise_may_grapple_where_it_stands() -> None:
    found = grapple(4)

    assert found.ship("Ajax").spent == 0
    assert found.links() == [(("Ajax", "Bia"), "grappled")]


@pytest.mark.rule("GA-GRP-1")
@pytest.mark.parametrize("level", ["half", "full", "max"])
def test_grappling_needs_cruise(level: str) -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0")], [ship("Bia", "trireme", "11,10/0")])

    assert complaints(state, f"Ajax:\n  speed {level}\n  grapple Bia") == ["GA-VAL-20"]


@pytest.mark.rule("GA-GRP-2")
def test_a_ship_that_tried_to_ram_does_not_grapple_as_well() -> None:
    """At Cruise on the spot: ram 1 1 + 3 - 2 - 1 - 1 + 1 = 2 breaks the ram; no grapple follows."""
    state = sea([acting("Ajax", "trireme", "11,5/5")], [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET)])

    found = acted(state, "Ajax", "Ajax:\n  path F1\n  ram Thetis\n  grapple Thetis", 1, 1)

    assert found.links() == []
    assert found.reasons() == ["it has tried to ram in this activation"]


@pytest.mark.rule("GA-GRP-2")
def test_one_attempt_in_an_activation() -> None:
    state = sea(
        [acting("Ajax", "trireme", "10,10/0")],
        [ship("Bia", "trireme", "11,10/0", doctrines=QUIET), ship("Ceto", "trireme", "9,11/0", doctrines=QUIET)],
    )

    found = acted(state, "Ajax", "Ajax:\n  grapple Bia\n  grapple Ceto", 1)

    assert found.facts("grapple", "target", "result") == [{"target": "Bia", "result": "no effect"}]


@pytest.mark.rule("GA-GRP-3", "GA-CRV-1")
@pytest.mark.parametrize(
    ("face", "mine", "theirs", "mod"),
    [
        (4, {}, {}, 0),
        (3, {"crew": 1}, {}, 1),
        (5, {}, {"crew": 1}, -1),
        (3, {}, {"crippled": True}, 1),
        (2, {"corvus": True}, {}, 2),
    ],
)
def test_the_grappling_table(face: int, mine: dict[str, object], theirs: dict[str, object], mod: int) -> None:
    found = grapple(face, mine, theirs)

    assert found.facts("grapple", "mod", "result") == [{"mod": mod, "result": "grappled"}]
    assert next(iter(found.table.links.values())).corvus_by == ("Ajax" if mine.get("corvus") else None)
    assert grapple(face - 1, mine, theirs).links() == []


# --- disengaging -----------------------------------------------------------------------------------------------------


def loosen(orders: str, *faces: int, mine: dict[str, object] | None = None, **links: Any) -> Acted:
    state = sea(
        [acting("Ajax", "trireme", "10,10/0", **(mine or {}))],
        [ship("Bia", "trireme", "11,10/3"), ship("Ceto", "trireme", "9,10/0")],
        links=[link("Ajax", "Bia", **links), link("Ajax", "Ceto")],
        corvus=True,
    )
    return acted(state, "Ajax", orders, *faces)


@pytest.mark.rule("GA-DIS-1", "GA-RUL-26")
def test_the_cost_is_paid_once_and_each_enemy_has_a_die() -> None:
    found = loosen("Ajax:\n  path F2\n  disengage", 4, 4)

    assert (found.place("Ajax"), found.ship("Ajax").spent) == ("10,8/0", 4)
    assert found.links() == []


@pytest.mark.rule("GA-DIS-1", "GA-RUL-27", "GA-RAM-8")
def test_a_rammed_ship_may_try_for_nothing() -> None:
    found = loosen("Ajax: disengage", 4, 4, mine={"rammed": True})

    assert found.facts("disengage", "cost") == [{"cost": 0}, {"cost": 0}]
    assert found.links() == []


@pytest.mark.rule("GA-DIS-2", "GA-RUL-28")
@pytest.mark.parametrize(
    ("mine", "links", "mod"),
    [
        ({}, {}, 0),
        ({"crew": 1}, {}, 1),
        ({"marines": 1}, {}, -1),
        ({}, {"corvus_by": "Bia"}, -2),
        ({}, {"kind": "fouled"}, 0),
    ],
)
def test_the_disengaging_die(mine: dict[str, object], links: dict[str, Any], mod: int) -> None:
    found = loosen("Ajax: disengage Bia", 4 - mod, mine=mine, **links)

    assert found.facts("disengage", "mod", "result") == [{"mod": mod, "result": "free"}]
    assert loosen("Ajax: disengage Bia", 3 - mod, mine=mine, **links).facts("disengage", "result") == [
        {"result": "still held"}
    ]


@pytest.mark.rule("GA-DIS-3")
def test_with_a_link_left_the_ship_does_not_move() -> None:
    found = loosen("Ajax:\n  path F2\n  disengage", 4, 3)

    assert (found.place("Ajax"), found.links()) == ("10,10/0", [(("Ajax", "Ceto"), "grappled")])


@pytest.mark.rule("GA-DIS-4")
def test_naming_ships_rolls_only_for_them_at_the_same_cost() -> None:
    found = loosen("Ajax: disengage Ceto", 4)

    assert found.facts("disengage", "from", "cost") == [{"from": "Ceto", "cost": 2}]
    assert found.links() == [(("Ajax", "Bia"), "grappled")]


@pytest.mark.rule("GA-MOR-3", "GA-DIS-1", "GA-FAT-1")
def test_a_routed_ship_cuts_loose_and_withdraws_with_what_is_left() -> None:
    """Full, 6 MP: 2 for disengaging (4, marines equal: free), four moves ahead; fatigue row 6: 3, nothing gained."""
    state = sea(
        [],
        [ship("Bia", "trireme", "11,9/3")],
        links=[link("Ajax", "Bia")],
        squadrons=[{"side": US, "name": "Hares", "routed": True, "ships": [ship("Ajax", "trireme", "10,10/3")]}],
    )

    found = acted(state, "Ajax", "Ajax: hold", 4, 3)

    ajax = found.ship("Ajax")
    assert found.place("Ajax") == "10,14/3"
    assert (ajax.spent, ajax.fatigue, ajax.last_level) == (6, 0, Level.FULL)

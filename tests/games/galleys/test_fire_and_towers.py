"""Section 4.15: flame missiles, firepots, burning, towers and the corvus."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.rules.missiles import has_flame
from games.galleys.table import Table
from tests.games.galleys.builders import OURS, US, Acted, acted, acting, complaints, link, ours_to_act, sea, ship, turn

QUIET = {"react": "none", "avoid": "none"}
ON: dict[str, Any] = {"flame_missiles": True, "firepots": True}


@pytest.mark.rule("GA-FLM-1")
@pytest.mark.parametrize(
    ("fields", "switch", "able"),
    [
        ({"flame": True}, True, True),
        ({"flame": True}, False, False),
        ({}, True, False),
        ({"flame": True, "towers": False}, True, False),
    ],
)
def test_flame_needs_the_switch_the_ability_and_towers(fields: dict[str, object], *, switch: bool, able: bool) -> None:
    table = Table(sea([ship("Apama", "hepteres", "10,5/0", **fields)], flame_missiles=switch))

    assert has_flame(table, table.ships["Apama"]) is able


@pytest.mark.rule("GA-FLM-1")
def test_flame_reaches_only_an_adjacent_ship() -> None:
    state = sea([ship("Apama", "hepteres", "10,5/0", flame=True)], [ship("Lark", "liburnian", "10,3/3")], **ON)

    assert acted(state, "Apama", "Apama:\n  hold\n  flame at Lark").reasons() == ["not adjacent"]


@pytest.mark.rule("GA-FLM-2")
@pytest.mark.parametrize(("marines", "face", "burns"), [(6, 5, True), (6, 4, False), (3, 5, False), (3, 6, True)])
def test_six_or_more_sets_alight_and_four_points_add_one(marines: int, face: int, *, burns: bool) -> None:
    state = sea(
        [ship("Apama", "hepteres", "10,5/0", flame=True, marines=marines)],
        [ship("Lark", "liburnian", "10,4/3", doctrines=QUIET)],
        **ON,
    )

    found = acted(state, "Apama", "Apama:\n  hold\n  flame at Lark", face)

    assert bool(found.ship("Lark").fire) is burns


@pytest.mark.rule("GA-FLM-2", "GA-ORD-13")
def test_a_flame_shot_is_missile_fire_and_may_be_answered_by_flame() -> None:
    """Both carry flame: 6 and 6, and both burn, for the exchange is simultaneous."""
    state = sea(
        [ship("Apama", "hepteres", "10,5/0", flame=True)], [ship("Nysa", "hepteres", "10,4/3", flame=True)], **ON
    )

    found = acted(state, "Apama", "Apama:\n  hold\n  flame at Nysa", 6, 6)

    assert found.facts("flame", "ship", "reaction") == [
        {"ship": "Apama", "reaction": False},
        {"ship": "Nysa", "reaction": True},
    ]
    assert (found.ship("Apama").fire, found.ship("Nysa").fire) == (1, 1)


def drop(*faces: int, orders: str = "", **fields: object) -> Acted:
    """Eirene rams Apama amidships at full, ram 1 1 + 3 - 5 + 1 = 0: the ram breaks, the pot is dropped all the same."""
    state = sea(
        [acting("Eirene", "quadrireme-rhodian", "14,3/4", **{"firepots": 1, **fields})],
        [ship("Apama", "hepteres", "10,5/0", doctrines=QUIET)],
        **ON,
    )
    return acted(state, "Eirene", f"Eirene:\n  speed full\n  ram Apama\n{orders}", *faces)


@pytest.mark.rule("GA-POT-1")
def test_a_firepot_burns_on_five_and_six_and_is_spent() -> None:
    burning, out = drop(1, 1, 5, 1), drop(1, 1, 4, 1)

    assert [found.ship("Apama").fire for found in (burning, out)] == [1, 0]
    assert [found.ship("Eirene").firepots for found in (burning, out)] == [0, 0]


@pytest.mark.rule("GA-POT-1")
def test_no_pot_without_doctrine_stock_or_a_target_afloat() -> None:
    assert drop(1, 1, 1, orders="firepots off").ship("Eirene").firepots == 1
    assert drop(1, 1, 1, firepots=0).events("firepot") == []
    # 6 6 + 3 - 5 + 1 + 2 = 13: sunk at once.
    assert drop(6, 6, 1, crew=2).ship("Eirene").firepots == 1


@pytest.mark.rule("GA-FIR-1")
def test_a_burning_ship_neither_shoots_rams_nor_grapples() -> None:
    state = sea([ship("Ajax", "trireme", "11,5/5", fire=1)], [ship("Thetis", "trireme", "10,5/0")])

    assert complaints(state, "Ajax: ram Thetis") == ["GA-VAL-16"]
    assert complaints(state, "Ajax: grapple Thetis") == ["GA-VAL-20"]
    assert complaints(state, "Ajax: fire at Thetis") == ["GA-VAL-22"]
    assert acted(state, "Ajax", "Ajax: hold").rolls == ()


@pytest.mark.rule("GA-FIR-1")
def test_a_ship_that_burns_already_does_not_catch_fire_again() -> None:
    state = sea([ship("Apama", "hepteres", "10,5/0", flame=True)], [ship("Lark", "liburnian", "10,4/3", fire=2)], **ON)

    assert acted(state, "Apama", "Apama:\n  hold\n  flame at Lark", 6).ship("Lark").fire == 2


@pytest.mark.rule("GA-FIR-1", "GA-BRD-2")
def test_burning_ships_neither_board_nor_are_boarded() -> None:
    state = sea(
        [ship("Ajax", "quinquereme", "10,10/0")],
        [ship("Bia", "trireme", "11,10/0", fire=1)],
        links=[link("Ajax", "Bia")],
        step="boarding",
    )

    # The only dice: the fire of Bia, unchanged.
    assert turn(state, "Fleet: board always", "Fleet: board always", 3).of("boarding") == []


@pytest.mark.rule("GA-FIR-2")
@pytest.mark.parametrize(
    ("fire", "crew", "face", "after"),
    [(1, 0, 2, 0), (1, 0, 3, 1), (1, 0, 4, 1), (1, 0, 5, 2), (1, 1, 5, 1), (2, 0, 6, "burnt")],
)
def test_the_fire_phase(fire: int, crew: int, face: int, after: int | str) -> None:
    others = [ship(f"Friend {n}", "lembos", f"{20 + 4 * n},5/0") for n in range(3)]
    state = sea([ship("Ceto", "trireme", "10,5/0", fire=fire, crew=crew), *others], step="fire")

    ceto = turn(state, "", "", face).state.ship("Ceto")

    assert (ceto.fire if isinstance(after, int) else ceto.status) == after


@pytest.mark.rule("GA-FIR-3")
@pytest.mark.parametrize(("fire", "faces", "caught"), [(2, (3, 6), 1), (2, (3, 5), 0), (1, (4,), 0), (2, (6, 6), 1)])
def test_fire_leaps_over_a_link_from_a_great_fire(fire: int, faces: tuple[int, ...], caught: int) -> None:
    """Ceto burns high (or burns out with the 6): Bia, linked with her, rolls."""
    others = [ship(f"Friend {n}", "lembos", f"{20 + 4 * n},5/0") for n in range(3)]
    state = sea(
        [ship("Ceto", "trireme", "10,10/0", fire=fire), *others],
        [ship("Bia", "trireme", "11,10/0")],
        links=[link("Ceto", "Bia")],
        step="fire",
    )

    found = turn(state, "", "", *faces)

    assert found.state.ship("Bia").fire == caught
    assert len(found.state.links) == (0 if found.state.ship("Ceto").status == "burnt" else 1)


# --- towers ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GA-JET-1", "GA-RUL-29")
def test_a_jettison_costs_a_point_and_gains_one_at_maximum() -> None:
    state = sea([acting("Apama", "hepteres", "10,10/0", flame=True)])

    fast = acted(state, "Apama", "Apama:\n  jettison\n  speed max\n  path F5", 1)
    slow = acted(state, "Apama", "Apama:\n  jettison\n  speed cruise\n  path F2")

    assert (fast.place("Apama"), fast.ship("Apama").spent) == ("10,5/0", 6)
    assert (slow.place("Apama"), slow.ship("Apama").spent) == ("10,8/0", 3)
    apama = fast.ship("Apama")
    assert (apama.towers, apama.jettisoned, apama.flame) == (False, True, False)


@pytest.mark.rule("GA-JET-2")
def test_a_held_ship_may_jettison_before_it_disengages() -> None:
    """Hexeres at Cruise has 3 MP: 1 for the towers, 2 for the ropes; die 4 - 0 marines difference."""
    state = sea(
        [acting("Nysa", "hexeres", "10,10/0")],
        [ship("Bia", "hexeres", "11,10/0")],
        links=[link("Nysa", "Bia")],
    )

    found = acted(state, "Nysa", "Nysa:\n  hold\n  jettison\n  disengage", 4)

    assert [event.kind for event in found.table.events if event.kind in ("jettison", "disengage")] == [
        "jettison",
        "disengage",
    ]
    assert (found.ship("Nysa").spent, found.links()) == (3, [])


@pytest.mark.rule("GA-JET-2")
@pytest.mark.parametrize("fields", [{"rammed": True}, {"prize": True}, {"debt": 9}, {"towers": False}])
def test_who_cannot_jettison(fields: dict[str, object]) -> None:
    state = sea([acting("Nysa", "hexeres", "10,10/0", **fields)])

    assert "GA-VAL-25" in complaints(state, "Nysa: jettison")


@pytest.mark.rule("GA-CRV-1")
def test_without_the_switch_a_corvus_is_dead_weight() -> None:
    state = sea(
        [acting("Ajax", "trireme", "10,10/0", corvus=True)], [ship("Bia", "trireme", "11,10/0", doctrines=QUIET)]
    )

    found = acted(state, "Ajax", "Ajax: grapple Bia", 4)

    assert found.facts("grapple", "mod", "corvus") == [{"mod": 0, "corvus": False}]


def test_one_ship_may_be_grappled_and_fouled_at_once() -> None:
    state = sea(
        [ship("Ajax", "quinquereme", "10,10/0")],
        [ship("Bia", "trireme", "11,10/0", marines=0)],
        links=[link("Ajax", "Bia"), link("Ajax", "Bia", "fouled")],
        step="boarding",
    )

    # Bia has no marines: taken without a die; her squadron then tests its morale.
    found = turn(ours_to_act(state), "Ajax:\n  hold\n  disengage never", "", 1, 1)

    assert [event.facts["ship"] for event in found.of("capture")] == ["Bia"]
    assert found.state.links == ()


@pytest.mark.rule("GA-FIR-1", "GA-RAM-1", "GA-ORD-14")
def test_a_ship_set_alight_on_its_way_does_not_make_the_ram_it_came_for() -> None:
    """Fire when able comes before the ram at the same moment: 3, no loss; flame in reaction 5 + 1 = 6: Ajax burns."""
    state = sea(
        [ship("Ajax", "trireme", "12,5/5"), ship("Rock", "liburnian", "11,6/0")],
        [ship("Apama", "hepteres", "10,5/0", flame=True)],
        flame_missiles=True,
    )
    orders = "Ajax:\n speed full\n ram Apama\n fire at Apama when able"

    found = acted(state, "Ajax", orders, 3, 5, 2)

    ajax = found.ship("Ajax")
    assert found.place("Ajax") == "11,5/5"
    assert (ajax.fire, ajax.fired, ajax.ram_used, ajax.attacked) == (1, True, False, False)


@pytest.mark.rule("GA-FIR-2", "GA-FIR-3")
def test_a_burnt_ship_lights_its_partner_and_no_further() -> None:
    """Ajax 5: burnt. Bia, linked with her, 6: catches fire; Ceto, linked with Bia, is not at risk. Owls 8: stand."""
    state = sea(
        [ship("Ajax", "trireme", "10,5/0", fire=2), ship("Ceto", "trireme", "12,4/0")],
        [ship("Bia", "trireme", "11,5/0")],
        links=[link("Ajax", "Bia"), link("Ceto", "Bia", "fouled")],
        step="fire",
        sides={US: {"break_percent": 100}},
    )

    found = turn(state, "Fleet: hold", "Fleet: hold", 5, 6, 4, 4)

    assert (found.state.ship("Ajax").status, found.state.ship("Bia").fire) == ("burnt", 1)
    assert [made.ships for made in found.state.links] == [("Ceto", "Bia")]
    assert not found.state.squadron(OURS).routed

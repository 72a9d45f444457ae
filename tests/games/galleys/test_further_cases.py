"""Further cases worked out by hand from the rule book: chapters meeting each other, and the corners between them."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys import GAME
from games.galleys.state import Level
from pbem.kit.codec import BadData
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import parse_scenario
from pbem.trial import run_trial
from tests.games.galleys.builders import (
    OURS,
    THEIRS,
    THEM,
    US,
    acted,
    acting,
    complaint,
    complaints,
    link,
    sea,
    ship,
    turn,
)

FLAME = {"flame_missiles": True}


# --- anastrophe, rake and pass-through -------------------------------------------------------------------------------


@pytest.mark.rule("GA-ANA-3", "GA-ANA-6", "GA-ANA-7")
def test_anastrophe_through_a_small_ship_to_the_side_ordered() -> None:
    """From B+d, abreast with Wasp: rake 7 + 1 crew + 1 head-on + 1 max = 10, C; round to port; no second avoidance;
    ram 2 + 3 - 1 hull + 1 crew + 1 max + 1 helpless = 7: fouled. Fatigue 7A: 3 - 1 = 2, one level."""
    state = sea(
        [acting("Paralos", "trireme-elite", "10,4/3", crew=1)],
        [ship("Lark", "liburnian", "10,5/0"), ship("Wasp", "liburnian", "11,4/0")],
    )

    found = acted(state, "Paralos", "Paralos:\n speed max\n anastrophe Lark port", 2, 3, 4, 1, 1, 3)

    paralos, lark = found.ship("Paralos"), found.ship("Lark")
    assert found.place("Paralos") == "9,6/1"
    assert (paralos.spent, paralos.fatigue, paralos.ram_used) == (7, 1, True)
    assert (lark.crippled, lark.rammed, lark.avoid_count) == (True, False, 1)
    assert found.links() == [(("Paralos", "Lark"), "fouled")]


@pytest.mark.rule("GA-ANA-7", "GA-FIR-1", "GA-ORD-13")
def test_a_ship_set_alight_by_the_answer_to_its_rake_turns_about_but_does_not_ram() -> None:
    """Flame in reaction: 5 + 1 for 4 points = 6, Paralos burns. Avoidance 1 fails. Rake 3 + 2 + 1 + 1 = 7: N."""
    state = sea(
        [acting("Paralos", "trireme-elite", "11,3/3", crew=2)],
        [ship("Apama", "hepteres", "10,5/0", flame=True)],
        **FLAME,
    )

    found = acted(state, "Paralos", "Paralos:\n speed max\n anastrophe Apama", 5, 1, 1, 2, 2)

    paralos = found.ship("Paralos")
    assert found.place("Paralos") == "9,7/1"
    assert (paralos.fire, paralos.ram_used, paralos.fatigue) == (1, False, 1)
    assert found.events("ram") == []


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


@pytest.mark.rule("GA-ORD-6", "GA-PAS-2")
def test_a_watched_pass_takes_the_place_of_the_next_move_ahead() -> None:
    """F F, the third F becomes the pass (2 MP), the fourth is rowed: 5 MP. Rake 9 + 1 head-on + 1 max = 11: C."""
    state = sea(
        [acting("Ajax", "trireme", "10,2/3")],
        [ship("Thetis", "trireme", "10,5/0"), ship("Tethys", "trireme", "12,4/0")],
    )

    found = acted(state, "Ajax", "Ajax:\n speed max\n path F4\n pass Thetis", 2, 5, 4, 3)

    assert found.place("Ajax") == "10,9/3"
    assert (found.ship("Ajax").spent, found.ship("Thetis").crippled) == (5, True)


# --- fire and ram ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("GA-FIR-1", "GA-RAM-1", "GA-ORD-14")
def test_a_ship_set_alight_on_its_way_does_not_make_the_ram_it_came_for() -> None:
    """Fire when able comes before the ram at the same moment: 3, no loss; flame in reaction 5 + 1 = 6: Ajax burns."""
    state = sea(
        [ship("Ajax", "trireme", "12,5/5"), ship("Rock", "liburnian", "11,6/0")],
        [ship("Apama", "hepteres", "10,5/0", flame=True)],
        **FLAME,
    )
    orders = "Ajax:\n speed full\n ram Apama\n fire at Apama when able"

    found = acted(state, "Ajax", orders, 3, 5, 2)

    ajax = found.ship("Ajax")
    assert found.place("Ajax") == "11,5/5"
    assert (ajax.fire, ajax.fired, ajax.ram_used, ajax.attacked) == (1, True, False, False)


@pytest.mark.rule("GA-ORD-5", "GA-ORD-9")
def test_best_target_of_a_split_shot_goes_by_the_points_of_that_shot() -> None:
    """One point: Alke (range 1) loses on 4, 5, 6, Bia (range 2) on 5, 6; with all six points Bia would lose more."""
    state = sea(
        [ship("Hydra", "hekkaidekeres", "10,5/0")],
        [ship("Alke", "trireme", "11,5/0", marines=1), ship("Bia", "quinquereme", "8,6/0")],
    )

    found = acted(state, "Hydra", "Hydra:\n hold\n fire 1 at best", 4, 1)

    assert found.facts("fire", "shooter", "target", "loss") == [
        {"shooter": "Hydra", "target": "Alke", "loss": 1},
        {"shooter": "Alke", "target": "Hydra", "loss": 0},
    ]


@pytest.mark.rule("GA-ORD-10")
@pytest.mark.parametrize(("percent", "rams"), [(83, True), (84, False)])
def test_hold_ram_below_compares_exactly(percent: int, *, rams: bool) -> None:
    """3 - 2 - 1 cruise + 1 midship = +1: 30 of 36 rolls reach 6, 83.33 percent."""
    state = sea([acting("Ajax", "trireme", "10,10/0")], [ship("Thetis", "trireme", "11,7/3")])
    dice = (2, 2, 4, 5) if rams else ()

    found = acted(state, "Ajax", f"Ajax:\n ram Thetis\n hold ram below {percent}%", *dice)

    assert found.ship("Thetis").rammed is rams


# --- speed and movement ----------------------------------------------------------------------------------------------


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


@pytest.mark.rule("GA-MOV-7")
def test_a_corner_crossed_by_two_edges_is_an_exit_when_either_is_the_exit_edge() -> None:
    """From 0,0 to the north-west both q and row fall below 0; Corinth leaves by the north."""
    state = sea([acting("Ajax", "trireme", "20,10/0")], [acting("Gnat", "lembos", "0,0/5")])

    found = acted(state, "Gnat", "Gnat: path F1")

    assert (found.ship("Gnat").status, found.ship("Gnat").spent) == ("exited", 1)


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


# --- end phases ------------------------------------------------------------------------------------------------------


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
    assert {side.name: side.score for side in GAME.view(found.state, None).sides} == {US: 0, THEM: 9}


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


# --- orders and files ------------------------------------------------------------------------------------------------


@pytest.mark.rule("GA-VAL-1")
def test_words_behind_the_ship_to_disengage_from_are_not_swallowed() -> None:
    state = sea([acting("Ajax", "trireme", "10,5/0")], [ship("Bia", "trireme", "11,5/0")], links=[link("Ajax", "Bia")])

    assert complaints(state, "Ajax:\n hold\n disengage Bia always") == ["GA-VAL-1"]
    assert complaints(state, "Ajax:\n hold\n disengage Bia") == []


AJAX, BIA = ship("Ajax", "trireme", "10,5/0"), ship("Bia", "trireme", "20,5/0")


@pytest.mark.parametrize(
    ("given", "where", "why"),
    [
        ({"first_side": "Sparta"}, "scenario.first_side", "no side called 'Sparta'; known are Athens, Corinth"),
        ({"escape_squadrons": ["Owl"]}, "scenario.escape_squadrons", "no squadron called 'Owl'; did you mean 'Owls'?"),
        ({"sides": {US: {"commander": 4}}}, "side.Athens.commander", "4 is outside 0 to 3"),
        ({"sides": {US: {"break_percent": 5}}}, "side.Athens.break_percent", "5 is outside 10 to 100"),
        ({"sides": {US: {"activate_list": ["Ravens"]}}}, "activate_list", "no squadron of Athens called 'Ravens'"),
        ({"squadrons": [{"side": US, "name": "Larks", "morale": 13}]}, "Larks.morale", "13 is outside 2 to 12"),
        ({"mine": [{**AJAX, "marines": -1}]}, "Ajax.marines", "-1 is outside 0 to 14"),
        ({"mine": [{**AJAX, "debt": -1}]}, "Ajax.debt", "-1 is outside 0 to 99"),
        ({"mine": [{**AJAX, "at": "10,5/6"}]}, "Ajax.facing", "6 is outside 0 to 5"),
        ({"mine": [{**AJAX, "home_side": "Sparta"}]}, "Ajax.home_side", "no side with a squadron called 'Sparta'"),
        ({"mine": [{**AJAX, "home_squadron": "Owl"}]}, "Ajax.home_squadron", "did you mean 'Owls'?"),
        ({"links": [link("Ajax", "Bia", corvus_by="Ceto")]}, "link[0].corvus_by", "no ship of this link called 'Ceto'"),
        ({"links": [link("Ajax", "Ajax")]}, "link[0].ships", "a link joins two enemies"),
    ],
)
def test_a_file_that_refers_to_what_is_not_there_is_refused(given: dict[str, Any], where: str, why: str) -> None:
    with pytest.raises(BadData) as refusal:
        sea(**{"mine": [AJAX], "theirs": [BIA], **given})

    assert where in refusal.value.where
    assert why in refusal.value.why


@pytest.mark.rule("GA-BRD-7")
@pytest.mark.parametrize(
    "given", [{"prize": True}, {"home_side": THEM}, {"home_squadron": THEIRS}, {"prize": True, "home_side": THEM}]
)
def test_a_prize_in_a_file_comes_from_the_enemy(given: dict[str, Any]) -> None:
    """A ship away from home is a prize, and counts for the squadron it was taken from."""
    state = sea([AJAX, ship("Ceto", "trireme", "2,5/0", **given)], [BIA])

    ceto = state.ship("Ceto")
    assert (ceto.side, ceto.prize, ceto.home_side, ceto.home_squadron) == (US, True, THEM, THEIRS)
    assert [squadron.start_count for squadron in state.squadrons] == [1, 2]
    assert [fleet.start_points for fleet in state.sides] == [6, 12]


WHOLE_TURN = """
game = "galleys"
[scenario]
cols = 40
rows = 40
turn = 2
first_side = "Athens"
fog = false
[[side]]
name = "Athens"
[[side]]
name = "Corinth"
exit_edge = "N"
[[squadron]]
side = "Athens"
name = "Owls"
ships = [["Ajax", "trireme", { at = "10,10/0" }], ["Ceto", "trireme", { at = "30,5/0", fatigue = 2 }]]
[[squadron]]
side = "Corinth"
name = "Ravens"
ships = [["Thetis", "trireme", { at = "11,7/3" }], ["Dido", "trireme", { at = "2,20/0", fire = 1 }]]
"""


@pytest.mark.rule("GA-ORD-12", "GA-MIS-6", "GA-SEQ-4")
def test_a_whole_turn_uses_its_dice_in_the_order_of_section_3() -> None:
    """Corinth 4 v 3 is first and holds. Ajax on guard: reaction, avoidance, ram 9 + 1 = 10, own fire 5 + 1 = 6; Thetis
    has reacted already. Then Dido burns on 3, Thetis floats on 3, and Ceto rests without a die."""
    scenario = parse_scenario(WHOLE_TURN, "turn.toml")

    found = run_trial(scenario, {THEM: "Fleet: hold"}, [3, 4, 2, 2, 4, 5, 5, 3, 3])

    assert found.unused_dice == ()
    assert [roll.label for roll in found.rolls] == [
        "initiative/Athens",
        "initiative/Corinth",
        "Owls/Thetis/fires at/Ajax/reaction to ram",
        "Owls/Thetis/avoids/ram/Ajax",
        "Owls/Ajax/ram/Thetis/1",
        "Owls/Ajax/ram/Thetis/2",
        "Owls/Ajax/fires at/Thetis/own fire",
        "fire/Dido/burning",
        "sinking/Thetis/sinking",
    ]
    thetis, ajax = found.state.ship("Thetis"), found.state.ship("Ajax")
    assert (thetis.rammed, thetis.marines, thetis.debt, thetis.avoid_count) == (True, 1, 1, 1)
    assert (ajax.bow, ajax.facing, ajax.marines, ajax.spent) == (Hex(10, 7), 1, 2, 4)
    assert (found.state.ship("Ceto").fatigue, found.state.ship("Dido").fire) == (1, 1)
    assert (found.state.first_side, found.state.turn) == (THEM, 3)

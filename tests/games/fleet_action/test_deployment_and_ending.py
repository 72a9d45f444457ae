"""FA-BLD, FA-DEP, FA-JMP, FA-WDR, FA-REI, FA-VIC, FA-ABL-8..10: how a battle begins and ends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.fleet_action import GAME
from games.fleet_action.orders.records import VortexOrder
from games.fleet_action.rules import (
    building,
    deployment,
    geometry,
    plotting,
    reinforcements,
    victory,
    weapons,
    withdrawal,
)
from games.fleet_action.state import State
from pbem.kit.hexgrid import distance, name
from tests.games.fleet_action.builders import (
    MINBARI_AND_NARN,
    at,
    battle,
    complaint,
    events,
    flight,
    headings,
    places,
    play,
    play_low,
    problems,
    sheet,
    ship,
    sides_asked,
    situation,
    squadron,
    the_flight,
    the_ship,
    the_squadron,
)

NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
JUMPING_NARN = (("narn", "Narn", "attacker"), ("earth", "Earth", "defender"))


# --- building --------------------------------------------------------------------------------------------------------


def yard(limit: int = 3000, **fields: Any) -> State:
    return situation(NARN, engagement="meeting", side_fields={"earth": {"points_limit": limit}}, **fields)


ROSTER = """
Alpha:
  buy hyperion as Hyperion-1
  buy hyperion as Hyperion-2
  buy aurora as Fury-1 on Hyperion-1
  deploy 2008 heading 4
Bravo:
  buy artemis as Artemis-1
  ability stubborn
"""


@pytest.mark.rule("FA-BLD-1", "FA-BLD-2", "FA-BLD-3", "FA-BLD-6")
def test_bld_1_a_roster_is_bought_squadron_by_squadron():
    """430+430+70+405+100 = 1435 points; the first ship bought commands, the first squadron's is the flagship."""
    state = yard(1435)
    assert problems(state, "earth", ROSTER) == []
    after = play(state, earth=ROSTER).state
    alpha, bravo = the_squadron(after, "Alpha"), the_squadron(after, "Bravo")
    assert (alpha.command_ship, name(alpha.hex), alpha.heading) == ("Hyperion-1", "2008", 4)
    assert [ability.key for ability in bravo.abilities] == ["stubborn"]
    assert {fleet.flagship for fleet in after.fleets if fleet.side == "earth"} == {"Hyperion-1"}
    assert the_flight(after, "Fury-1").home == "Hyperion-1"
    assert set(problems(yard(1434), "earth", ROSTER)) == {"FA-E-38"}
    assert play(yard(1434), earth=ROSTER).state.ships == yard().ships


@pytest.mark.rule("FA-BLD-2", "FA-BLD-4", "FA-BLD-5", "FA-ABL-9")
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Alpha:\n buy olympus as O-1\n" + "".join(f" buy olympus as O-{n}\n" for n in range(2, 5)), "cr"),
        ("Alpha:\n buy hyperion as H-1\n buy aurora as F-1 on H-1\n buy aurora as F-2 on H-1", "hangar"),
        (
            "Alpha:\n buy hyperion as H-1\n buy oracle as Or-1\nBravo:\n buy hyperion as H-2\n buy oracle as Or-2",
            "limited",
        ),
        ("Alpha:\n buy gquan as G-1", "navy"),
        ("Alpha:\n buy artemis as A-1\n ability stubborn\n ability clout", "abilities"),
        ("Alpha:\n buy artemis as A-1\n reserve turn 3", "earliest"),
    ],
)
def test_bld_a_roster_against_the_rules_is_refused(text, word):
    """cr, hangar, limited classes, navy, abilities and the earliest reinforcement."""
    found = complaint(yard(3500), "earth", text)
    assert (found.rule, word in found.reason) == ("FA-E-38", True)


@pytest.mark.rule("FA-ABL-9")
def test_abl_9_clout_lifts_the_limit_ship_by_ship():
    """Two Oracles for 3500 points need one Clout."""
    text = "Alpha:\n buy hyperion as H-1\n buy oracle as Or-1\n ability clout"
    text += "\nBravo:\n buy hyperion as H-2\n buy oracle as Or-2"
    assert problems(yard(3500), "earth", text) == []


@pytest.mark.rule("FA-REI-1", "FA-REI-2", "FA-ABL-8", "FA-REI-7")
def test_rei_2_reinforcements_are_cheaper_and_a_planner_brings_them_on_time():
    """Turn 4 10% ... 9 35%; an Artemis for turn 5 costs ceil(405*0.85) = 345; the planner 50 per begun 500."""
    assert [reinforcements.discount(turn) for turn in (4, 5, 6, 7, 8, 9, 12)] == [10, 15, 20, 25, 30, 35, 35]
    text = "Alpha:\n buy hyperion as H-1\n ability strategic-planner\nRelief:\n buy artemis as A-1\n reserve turn 5"
    table = battle(yard())
    bought = building.purchases(table, sheet(yard(), "earth", text).orders)
    assert building.price(table, bought) == 430 + 345 + 50
    after = play(yard(), earth=text).state
    assert the_squadron(after, "Relief").state == "waiting"
    late = situation(
        squadron("Alpha", "earth", "0505", "Hyperion-1"),
        squadron("Relief", "earth", None, "Artemis-1", fleet="Relief Fleet"),
        NARN,
        turn=4,
        fleet=[
            {"side": "earth", "name": "Main", "abilities": ["strategic-planner"]},
            {"side": "earth", "name": "Relief Fleet", "schedule": {"turn": 5}},
        ],
    )
    assert the_squadron(play(late).state, "Relief").arrives == 5


# --- deployment ------------------------------------------------------------------------------------------------------


def meeting(**fields):
    return situation(
        squadron("Alpha", "earth", "2010", "Hyperion-1", "Hyperion-2", heading=4),
        squadron("Bravo", "earth", "2510", "Artemis-1", heading=4),
        NARN,
        engagement="meeting",
        side_fields={"earth": {"area": {"rows": [1, 16]}}},
        **fields,
    )


@pytest.mark.rule("FA-DEP-1", "FA-DEP-3", "FA-DEP-5")
def test_dep_1_distances_and_areas():
    """15 hexes from the flagship, 3 from the command ship, inside the area; offsets are fixed from the places."""
    state = meeting()
    assert problems(state, "earth", "Bravo: deploy 3510 heading 4") == []
    assert problems(state, "earth", "Bravo: deploy 3610 heading 4") == ["FA-E-32"]
    assert problems(state, "earth", "Bravo: deploy 2517 heading 4") == ["FA-E-32"]
    assert problems(state, "earth", "Alpha: formation Hyperion-2 AP4") == ["FA-E-32"]
    after = play(state, earth="Alpha:\n deploy 2206 heading 3\n formation Hyperion-2 A2").state
    alpha = the_squadron(after, "Alpha")
    assert distance(the_ship(after, "Hyperion-2").hex, alpha.hex) == 2
    assert (name(alpha.hex), alpha.heading) == ("2206", 3)


@pytest.mark.rule("FA-DEP-2", "FA-DEP-4")
def test_dep_2_the_fleet_speed_is_secret_until_all_have_deployed():
    """Speed 8 for every squadron; silence means 5; nobody sees the other's places before."""
    state = meeting()
    assert {s.side for s in GAME.view(state, "narn").squadrons} == {"narn"}
    result = play(state, earth="fleet speed 8")
    assert {s.name: s.speed for s in result.state.squadrons} == {"Alpha": 8, "Bravo": 8, "Kha'Mak": 5}
    assert {e.facts["side"]: e.facts["speed"] for e in events(result, "fleet_speed")} == {"earth": 8, "narn": 5}
    assert problems(state, "earth", "fleet speed 11") == ["FA-E-32"]
    assert (result.state.stage, result.state.turn) == ("turn", 1)


@pytest.mark.rule("FA-DEP-1", "FA-MAP-8")
def test_dep_1_nobody_is_deployed_off_the_map():
    """At 2101 heading south the wings of a wedge stand in row 0; a screen has its places ahead."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", "Hyperion-2", "Hyperion-3", heading=4),
        NARN,
        engagement="meeting",
    )
    told = complaint(state, "earth", "Alpha: deploy 2101 heading 4")
    assert (told.rule, "Hyperion-2" in told.reason) == ("FA-E-32", True)
    assert problems(state, "earth", "Alpha:\n deploy 2101 heading 4\n formation screen") == []


@pytest.mark.rule("FA-ABL-10")
def test_abl_10_a_tactical_planner_moves_ten_hexes_after_deployment():
    """D2 is open for that side alone; whole squadrons by translation."""
    planner = [{"side": "earth", "abilities": ["tactical-planner"]}]
    first = play(meeting(fleet=planner))
    assert first.state.stage == "adjustment"
    assert sides_asked(first.state) == {"earth"}
    assert problems(first.state, "earth", "Alpha: adjust 2021") == ["FA-E-32"]
    second = play(first.state, earth="Alpha: adjust 2013\nBravo: adjust 2517")
    assert [name(the_squadron(second.state, s).hex) for s in ("Alpha", "Bravo")] == ["2013", "2517"]
    assert (second.state.stage, second.state.turn) == ("turn", 1)


@pytest.mark.rule("FA-ABL-2", "FA-ABL-3", "FA-ABL-7", "FA-ABL-9")
@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("Bravo: ability priority-support", "admiral"),
        ("Bravo: ability clout", "admiral"),
        ("Alpha: ability rapid-net-change", "flagship"),
    ],
)
def test_abl_some_abilities_are_the_admirals_and_some_never_his(line, word):
    """Alpha is the flagship's squadron, Bravo is not."""
    roster = "Alpha: buy hyperion as Hyperion-1\nBravo: buy artemis as Artemis-1\n"
    assert problems(yard(3000), "earth", roster) == []
    told = complaint(yard(3000), "earth", roster + line)
    assert (told.rule, word in told.reason) == ("FA-E-38", True)


# --- jumping in ------------------------------------------------------------------------------------------------------


def jump_in(*more, sides=JUMPING_NARN, **fields):
    return situation(
        squadron("Kha'Mak", "narn", None, "Bin'Tak-1", "G'Quan-1", heading=4),
        squadron("Alpha", "earth", "1010", "Hyperion-1"),
        squadron("Bravo", "earth", "1210", "Hyperion-2"),
        squadron("Patrol", "earth", "4040", "Hyperion-3", patrol=True),
        *more,
        sides=sides,
        engagement="jump-in",
        **fields,
    )


@pytest.mark.rule("FA-JMP-1", "FA-JMP-2")
def test_jmp_2_a_quarter_of_the_defenders_is_on_patrol():
    """Three squadrons need one; 20 hexes from the flagship, its own speed up to 10; the others at most 4."""
    state = jump_in()
    assert [deployment.patrols_needed(count) for count in (1, 2, 4, 5)] == [0, 1, 1, 2]
    assert problems(state, "earth", "fleet speed 5") == ["FA-E-32"]
    assert problems(state, "earth", "Patrol: deploy 4040 heading 2 speed 8") == []
    assert problems(state, "earth", "Patrol: deploy 1525 heading 2") == ["FA-E-32"]
    result = play(state, 3, 1, earth="Patrol: deploy 4040 heading 2 speed 8", narn="vortex Bin'Tak-1 at 3030")
    assert {s.name: s.speed for s in result.state.squadrons if s.side == "earth"} == {
        "Alpha": 4,
        "Bravo": 4,
        "Patrol": 8,
    }


@pytest.mark.rule("FA-JMP-5", "FA-JMP-7")
def test_jmp_5_a_gate_anchor_needs_no_dice():
    """The vortex forms at the ordered hex and faces the gate's way; without an engine the gate itself is used."""
    thentus = squadron("Du'Rog", "narn", None, "Thentus-1", heading=4)
    state = jump_in(thentus, gate={"hex": "3050", "direction": 2})
    result = play(state, narn="anchor gate\nvortex Bin'Tak-1 at 3030")
    (vortex,) = result.state.vortices
    assert (name(vortex.hex), vortex.direction) == ("3030", 2)
    du_rog = the_squadron(result.state, "Du'Rog")
    assert (du_rog.enter_gate, name(du_rog.hex), du_rog.heading, du_rog.arrives) == (True, "3050", 2, 1)


@pytest.mark.rule("FA-JMP-1")
def test_jmp_1_an_offset_beyond_ten_is_cut_along_its_last_term():
    """FS4 F12 becomes FS4 F6; a ship without an engine opens nothing."""
    na_far = squadron("Na'Far", "narn", None, "G'Quan-5", "Dag'Kar-5", heading=4)
    found = sheet(
        jump_in(na_far), "narn", "vortex Bin'Tak-1 at 3030\nvortex G'Quan-5 offset FS4 F12\nvortex Dag'Kar-5 at 2020"
    )
    assert [problem.rule for problem in found.problems] == ["FA-E-33", "FA-E-33"]
    second = found.orders[1]
    assert isinstance(second, VortexOrder)
    assert second.offset is not None
    assert geometry.written_offset(second.offset) == "F6 FS4"
    lost = squadron("Du'Rog", "narn", None, "Thentus-5", heading=4)
    assert "FA-E-33" in problems(jump_in(lost), "narn", "vortex Bin'Tak-1 at 3030")


@pytest.mark.rule("FA-JMP-6")
def test_jmp_6_a_vortex_off_the_map_forms_at_its_edge():
    """Twelve hexes north of row 3: row 1."""
    result = play(jump_in(), 1, 12, narn="vortex Bin'Tak-1 at 3003")
    assert name(result.state.vortices[0].hex) == "3001"


@pytest.mark.rule("FA-JMP-8", "FA-JMP-9", "FA-JMP-10")
def test_jmp_8_the_defender_reacts_and_the_attacker_enters():
    """Turn 0: only Earth moves, nobody fires; turn 1: the path starts in the vortex, members in formation."""
    first = play(jump_in(), 3, 1, narn="vortex heading 4\nvortex Bin'Tak-1 at 3030\nfleet speed 6")
    assert (first.state.stage, first.state.turn) == ("reaction", 0)
    assert sides_asked(first.state) == {"earth"}
    zero = play(first.state, earth="Alpha: path F4")
    assert {event.facts["side"] for event in events(zero, "move")} == {"earth"}
    assert events(zero, "fire") == []
    one = play_low(zero.state, narn="Kha'Mak:\n path F6\n hold", earth="Alpha: hold\nBravo: hold\nPatrol: hold")
    (enter,) = events(one, "enter")
    assert (enter.facts["hex"], enter.facts["heading"], enter.facts["way"]) == ("3131", 4, "vortex")
    assert [e.facts["to"] for e in events(one, "move") if e.facts["squadron"] == "Kha'Mak"] == ["3133", "3135", "3137"]
    assert distance(the_ship(one.state, "G'Quan-1").hex, the_ship(one.state, "Bin'Tak-1").hex) == 1
    assert one.state.vortices == ()


@pytest.mark.rule("FA-JMP-9")
def test_jmp_9_a_situation_may_start_with_open_vortices():
    """Turn 1: Bin'Tak-1 comes out at 3030, G'Quan-1 opened its own at 3035 and has it behind it."""
    state = jump_in(
        turn=1,
        stage="turn",
        vortex=[
            {"hex": "3030", "direction": 4, "opener": "Bin'Tak-1"},
            {"hex": "3035", "direction": 4, "opener": "G'Quan-1"},
        ],
    )
    held = "Alpha: hold\nBravo: hold\nPatrol: hold"
    result = play_low(state, narn="Kha'Mak:\n speed 3\n path F3\n hold", earth=held)
    moves = [event.facts for event in events(result, "move") if event.facts["squadron"] == "Kha'Mak"]
    assert [facts["to"] for facts in moves] == ["3031", "3032", "3033"]
    assert [entry["from"] for entry in moves[0]["ships"]] == ["3030", "3035"]


@pytest.mark.rule("FA-JMP-12")
def test_jmp_12_an_offset_needs_a_leader_and_a_plan_keeps_its_heading():
    """Without the flagship's vortex an offset is refused; a new hex for a planned vortex faces as planned."""
    assert problems(jump_in(), "narn", "vortex G'Quan-1 offset F2") == ["FA-E-33", "FA-E-33"]
    planned = jump_in(plan=[{"opener": "Bin'Tak-1", "hex": "3030", "heading": 5}])
    result = play(planned, 3, 1, narn="vortex Bin'Tak-1 at 4040")
    assert [(name(vortex.hex), vortex.direction) for vortex in result.state.vortices] == [("4141", 5)]


@pytest.mark.rule("FA-JMP-11", "FA-JMP-12")
def test_jmp_11_a_secondary_group_comes_later():
    """Na'Far's own leader arrives on turn 2: its vortex forms at the end of turn 1 and is seen one turn ahead."""
    na_far = squadron("Na'Far", "narn", None, "G'Quan-5", heading=4)
    text = "vortex heading 4\nvortex Bin'Tak-1 at 3030\nvortex G'Quan-5 at 4510\nNa'Far: arrive turn 2"
    held = {"earth": "Alpha: hold\nBravo: hold\nPatrol: hold", "narn": "Kha'Mak: hold"}
    first = play(jump_in(na_far), 3, 1, narn=text)
    assert [plan.turn for plan in first.state.plans] == [1, 2]
    zero = play(first.state)
    one = play(zero.state, 2, 3, **held)
    assert [vortex.squadron for vortex in one.state.vortices] == ["Na'Far"]
    two = play_low(one.state, **held)
    assert the_squadron(two.state, "Na'Far").state == "normal"


@pytest.mark.rule("FA-JMP-11", "FA-JMP-12")
def test_jmp_11_a_secondary_group_of_turn_1_forms_at_the_end_of_turn_0():
    """The flagship's group scatters when D1 closes (d6 3, d12 1); Na'Far's leader only after turn 0 (d6 2, d12 3)."""
    state = situation(
        squadron("Alpha", "earth", "3050", "Omega-1", heading=1),
        squadron("Kha'Mak", "narn", None, "Bin'Tak-1", heading=4),
        squadron("Na'Far", "narn", None, "G'Quan-5", heading=4),
        engagement="jump-in",
        side_fields={"narn": {"jumping": True}},
    )
    text = "vortex heading 4\nvortex Bin'Tak-1 at 3030\nvortex G'Quan-5 at 4510"
    first = play(state, 3, 1, narn=text)
    assert [(v.squadron, name(v.hex)) for v in first.state.vortices] == [("Kha'Mak", "3131")]
    zero = play(first.state, 2, 3)
    assert [(v.squadron, name(v.hex)) for v in zero.state.vortices] == [("Kha'Mak", "3131"), ("Na'Far", "4808")]


@pytest.mark.rule("FA-JMP-5", "FA-JMP-7")
def test_jmp_7_squadrons_without_an_engine_come_through_the_gate_one_a_turn():
    """K1 opens its own vortex (d6 3, d12 2 from 4030: 4231); K2 takes the gate on turn 1, K3 on turn 2."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("K1", "narn", None, "T'Loth-1"),
        squadron("K2", "narn", None, "Thentus-1"),
        squadron("K3", "narn", None, "Dag'Kar-1"),
        engagement="jump-in",
        gate={"hex": "3030", "direction": 4},
        side_fields={"narn": {"jumping": True}},
    )
    first = play(state, 3, 2, narn="vortex T'Loth-1 at 4030\nvortex heading 2")
    narn = [(s.name, s.arrives, name(s.hex), s.heading) for s in first.state.squadrons if s.side == "narn"]
    assert narn == [("K1", 1, "4231", 2), ("K2", 1, "3030", 4), ("K3", 2, "3030", 4)]
    anchored = play(state, narn="anchor gate\nvortex T'Loth-1 at 4030")
    assert [(name(v.hex), v.direction) for v in anchored.state.vortices] == [("4030", 4)]


# --- withdrawal ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-WDR-1", "FA-WDR-2")
def test_wdr_1_an_ordered_withdrawal_is_for_good():
    """All are told; it launches no mines and no strikes."""
    state = situation(
        squadron("Alpha", "earth", "2010", "Hyperion-1", heading=1, speed=3),
        squadron("Kha'Mak", "narn", "5555", "G'Quan-1"),
        flights=[flight("Fury-1", "aurora", "Hyperion-1")],
    )
    result = play(state, earth="Alpha: withdraw\nFury-1:\n launch\n mission strike Kha'Mak")
    assert the_squadron(result.state, "Alpha").state == "withdrawing"
    assert (the_flight(result.state, "Fury-1").mission, events(result, "order_error")[0].facts["code"]) == (
        "escort",
        "FA-E-24",
    )
    assert {side for event in events(result, "withdraw") for side in event.seen_by} == {"earth", "narn"}


@pytest.mark.rule("FA-WDR-3")
def test_wdr_3_a_withdrawing_squadron_must_not_close():
    """North of the enemy and heading away: F3 is legal, a turn back is not; silent it flies the best path."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", heading=1, speed=3, state="withdrawing"),
        squadron("Kha'Mak", "narn", "2040", "T'Loth-1"),
    )
    assert problems(state, "earth", "Alpha: path F3") == []
    fight = battle(state)
    best = withdrawal.retreat(fight, fight.squadrons["Alpha"])
    assert (plotting.written(best.steps), best.delta) == ("F8", 5)
    facing = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", heading=4, speed=3, state="withdrawing"),
        squadron("Kha'Mak", "narn", "2040", "T'Loth-1"),
    )
    refused = complaint(facing, "earth", "Alpha: path F3")
    assert (refused.rule, "17 hexes after" in refused.reason, "20 before" in refused.reason) == ("FA-E-34", True, True)


@pytest.mark.rule("FA-WDR-4")
def test_wdr_4_a_jump_takes_two_turns():
    """Ordered in turn 1; in turn 2 only maintain course; at its end ships within 3 hexes and their flights leave."""
    state = situation(
        squadron(
            "Alpha",
            "earth",
            "2020",
            "Hyperion-1",
            "Hyperion-2",
            "Artemis-1",
            speed=3,
            formation={"Hyperion-2": "A3", "Artemis-1": "A5"},
        ),
        NARN,
        flights=[flight("Fury-1", "aurora", "Hyperion-1")],
    )
    first = play(state, earth="Hyperion-1: jump")
    assert the_squadron(first.state, "Alpha").state == "jumping"
    assert problems(first.state, "earth", "Alpha: path F1 P F2") == ["FA-E-39"]
    assert problems(first.state, "earth", "Alpha:\n speed +1\n path F2 slipP F1") == []
    second = play(first.state)
    assert [the_ship(second.state, s).fate for s in ("Hyperion-1", "Hyperion-2", "Artemis-1")] == [
        "left",
        "left",
        "in play",
    ]
    assert the_flight(second.state, "Fury-1").state == "left"
    assert events(second, "exit")[0].facts["way"] == "jump"


@pytest.mark.rule("FA-WDR-4")
def test_wdr_4_the_gate_is_used_at_once():
    """A withdrawing squadron that ends within 1 hex of the gate is gone."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Artemis-1", speed=3, state="withdrawing"),
        NARN,
        gate={"hex": "2016", "direction": 1},
    )
    assert events(play(state, earth="Alpha: path F3"), "exit")[0].facts["way"] == "gate"


@pytest.mark.rule("FA-WDR-3")
def test_wdr_3_the_retreat_is_searched_over_all_legal_paths():
    """Hyperion-1, speed 3, enemy 10 hexes ahead: a hard turn (4) is legal, a come about (2) is not.

    S2 F3 and P2 F3 both end 13 hexes away; the first differing token is S before P.
    """
    state = situation(
        squadron("Alpha", "earth", "3030", "Hyperion-1", speed=3, state="withdrawing"),
        squadron("Kha'Mak", "narn", "3020", "T'Loth-1", heading=4),
    )
    told = complaint(state, "earth", "Alpha: path F3")
    assert told.rule == "FA-E-34"
    assert "7 hexes after the path, 10 before" in told.reason
    assert told.hint == "best path: S2 F3, 13 hexes"
    result = play(state, earth="Alpha:\n path F3\n hold", narn="Kha'Mak: hold")
    assert places(result, "Hyperion-1") == ["3131", "3231", "3332"]
    assert headings(result, "Alpha") == [3, 3, 3]


@pytest.mark.rule("FA-WDR-4")
def test_wdr_4_a_jump_ordered_again_is_not_put_off():
    """Prepared in turn 1, ordered again in turn 2: the vortex opens at the end of turn 2 all the same."""
    state = situation(
        squadron("Alpha", "earth", "3030", ship("Hyperion-1", prepared_jump_turn=1), state="jumping"),
        squadron("Bravo", "earth", "1010", "Hyperion-2"),
        NARN,
        turn=2,
    )
    result = play(state, earth="Alpha: hold\nHyperion-1: jump\nBravo: hold", narn="Kha'Mak: hold")
    (exit_,) = events(result, "exit")
    assert (exit_.facts["ships"], exit_.facts["way"]) == (["Hyperion-1"], "jump")


# --- reinforcements and victory --------------------------------------------------------------------------------------


@pytest.mark.rule("FA-REI-5", "FA-REI-6")
def test_rei_5_reinforcements_enter_by_the_edge():
    """In the turn of entry: an edge hex, heading inward, speed 0 to 10; they have a flagship of their own."""
    state = situation(
        squadron("Alpha", "earth", "0505", "Hyperion-1"),
        NARN,
        squadron("Relief", "narn", None, "T'Loth-5", fleet="Relief Fleet", arrives=5),
        turn=5,
        fleet=[
            {"side": "narn", "name": "Main", "flagship": "T'Loth-9", "flagless_turn": 4},
            {"side": "narn", "name": "Relief Fleet", "schedule": {"turn": 5, "arrives": 5, "edge": "south"}},
        ],
    )
    order = "Relief:\n deploy 3060 heading 1 speed 6\n path F6"
    assert problems(state, "narn", order) == []
    named = play(state, narn="Relief:\n deploy 3060 heading 1 speed 6\n speed 8\n path F8")
    assert (the_squadron(named.state, "Relief").speed, name(the_squadron(named.state, "Relief").hex)) == (8, "3052")
    assert problems(state, "narn", "Relief: deploy 3030 heading 1 speed 6") == ["FA-E-32"]
    assert problems(state, "narn", "Relief: deploy 3060 heading 4 speed 6") == ["FA-E-32"]
    result = play(state, narn=order)
    assert name(the_squadron(result.state, "Relief").hex) == "3054"
    assert events(result, "enter")[0].facts["way"] == "edge"
    fight = battle(state)
    assert weapons.multiplier(fight, fight.ships["T'Loth-9"]) == weapons.THREE_QUARTERS
    assert weapons.multiplier(fight, fight.ships["T'Loth-5"]) == 1


@pytest.mark.rule("FA-REI-5", "FA-FRM-2")
def test_rei_5_members_wait_with_the_command_ship_while_their_place_is_off_the_map():
    """Speed 1 from 3001 heading south: the outer ships of the wedge would stand behind the edge in pulse 1."""
    names = [f"Hyperion-{n}" for n in range(5, 10)]
    state = situation(
        squadron("Alpha", "earth", "3030", "Hyperion-1"),
        squadron("Relief", "earth", None, *names, heading=4, fleet="Relief", arrives=5),
        NARN,
        turn=5,
        fleet=[
            {"side": "earth", "name": "Home", "flagship": "Hyperion-1"},
            {"side": "earth", "name": "Relief", "flagship": "Hyperion-5", "schedule": {"turn": 5, "arrives": 5}},
        ],
    )
    orders = "Relief:\n deploy 3001 heading 4 speed 1\n hold\nAlpha: hold"
    result = play(state, earth=orders, narn="Kha'Mak: hold")
    assert [name(the_ship(result.state, n).hex) for n in names] == ["3002", "3102", "2902", "3201", "2801"]
    assert events(result, "exit") == []


RELIEF = """
Alpha: buy hyperion as Hyperion-1
Bravo:
  buy artemis as Artemis-1
  reserve turn 5
Charlie:
  buy artemis as Artemis-2
  reserve turn 5
  ability stubborn
Delta:
  buy artemis as Artemis-3
  reserve turn 5
"""


@pytest.mark.rule("FA-REI-2", "FA-BLD-1", "FA-ABL-5")
def test_rei_2_the_discount_is_rounded_once_for_the_fleet_and_its_commanders_keep_their_abilities():
    """430 + 85% of 3 x 405 (1032.75, so 1033) + stubborn 100 = 1563."""
    assert problems(yard(1563), "earth", RELIEF) == []
    assert problems(yard(1562), "earth", RELIEF) == ["FA-E-38"]
    after = play(yard(1563), earth=RELIEF).state
    owned = {s.name: [ability.key for ability in s.abilities] for s in after.squadrons if s.side == "earth"}
    assert owned == {"Alpha": [], "Bravo": [], "Charlie": ["stubborn"], "Delta": []}
    assert [f.abilities for f in after.fleets if f.side == "earth"] == [(), ()]


@pytest.mark.rule("FA-VIC-1")
def test_vic_1_a_side_without_ships_on_the_map_loses_at_once():
    """Unless an arrival roll succeeded this turn."""
    swept = situation(squadron("Alpha", "earth", "2002", "Hyperion-1", speed=9), NARN)
    after = play(swept, earth="Alpha: path F9").state
    assert after.result is not None
    assert (after.stage, after.result.winners) == ("over", frozenset({"narn"}))
    assert GAME.phase(after) is None
    relieved = situation(
        squadron("Alpha", "earth", "2002", "Hyperion-1", speed=9, fleet="Main"),
        squadron("Relief", "earth", None, "Artemis-1", fleet="Relief Fleet"),
        NARN,
        turn=4,
        fleet=[{"side": "earth", "name": "Main"}, {"side": "earth", "name": "Relief Fleet", "schedule": {"turn": 5}}],
    )
    assert play(relieved, 3, earth="Alpha: path F9").state.stage == "turn"
    assert play(relieved, 4, earth="Alpha: path F9").state.stage == "over"


@pytest.mark.rule("FA-VIC-2")
def test_vic_2_points():
    """Destroyed 100%, left 50%, battered 25%, fighters pro rata, held 125%."""
    state = situation(
        squadron(
            "Alpha",
            "earth",
            "2020",
            "Hyperion-1",
            ship("Hyperion-2", fate="destroyed"),
            ship("Hyperion-3", fate="left"),
            ship("Artemis-1", structure=7),
            ship("Olympus-1", held_by="T'Loth-9"),
            formation="box",
        ),
        squadron("Kha'Mak", "narn", "5555", ship("T'Loth-9", holding="Olympus-1")),
        flights=[flight("Fury-1", "aurora", "Hyperion-1", count=3)],
    )
    expected = 430 + 215 + 405 * 25 / 100 + 360 * 125 / 100 + 35
    assert float(victory.points(battle(state), "narn")) == expected
    assert victory.points(battle(state), "earth") == 0


@pytest.mark.rule("FA-VIC-3")
def test_vic_3_ratio_and_agreement():
    """2 decisive, 1.25 marginal, else a draw; by nothing, decisive with at least 1; or when both offer the end."""
    grades = [victory._grade(Fraction(a), Fraction(b)) for a, b in ((200, 100), (125, 100), (124, 100), (1, 0), (0, 0))]
    assert grades == ["decisive", "marginal", "draw", "decisive", "draw"]
    state = situation(squadron("Alpha", "earth", "2020", "Hyperion-1"), NARN)
    assert play(state, earth="offer end").state.stage == "turn"
    ended = play(state, earth="offer end", narn="offer end").state
    assert ended.result is not None
    assert (ended.stage, ended.result.reason) == ("over", "A draw: 0 to 0 points.")
    limit = situation(squadron("Alpha", "earth", "2020", "Hyperion-1"), NARN, turn=10)
    assert play(limit).state.stage == "over"


@pytest.mark.rule("FA-SPC-7", "FA-DOG-6", "FA-MOR-3", "FA-REI-3")
def test_the_dice_at_the_end_of_a_turn_fall_as_tractor_drift_morale_reinforcement():
    """Turn 3, Narn first. Each pulse Frazi-1, Frazi-2 and Nial-1 roll 1: Nial 1 + 6 + 1 - 8 = 0, two kills."""
    state = situation(
        squadron("Valen", "minbari", "2020", "Sharlin-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1", morale_start=10, morale_lost=5),
        squadron("Du'Rog", "narn", "2019", ship("Thentus-1", structure=2, man_left={"acc": 1, "dec": 0})),
        squadron("Relief", "narn", None, "T'Loth-2", fleet="Relief"),
        sides=MINBARI_AND_NARN,
        situation="vital",
        turn=3,
        fleet=[
            {"side": "narn", "name": "Home", "flagship": "T'Loth-1"},
            {"side": "narn", "name": "Relief", "flagship": "T'Loth-2", "schedule": {"turn": 4, "edge": "south"}},
        ],
        flights=[
            flight("Nial-1", "nial", "Sharlin-1", "3014", state="dogfight", mission="superiority", zone="3014"),
            flight("Frazi-1", "frazi", "T'Loth-1", "3014", state="dogfight", mission="superiority", zone="3014"),
            flight("Frazi-2", "frazi", "T'Loth-1", "3014", state="dogfight", mission="superiority", zone="3014"),
        ],
    )
    fights = [1, 1, 1] * 3
    orders = {"minbari": "Valen: hold\nSharlin-1: tractor Thentus-1", "narn": "Kha'Mak: hold\nDu'Rog: hold"}
    # Tractor d6 1: accel 0, held. Drift d6 3, d4 2: 3014 to 3215. Morale d12 12 - 3 < 11. Relief d6 3: turn 4.
    result = play(state, *fights, 1, 3, 2, 12, 3, **orders)
    assert [e.facts["result"] for e in events(result, "tractor")] == ["holds"]
    assert the_ship(result.state, "Thentus-1").held_by == "Sharlin-1"
    assert [name(f.hex) if f.hex else None for f in result.state.flights] == ["3215", None, "3215"]
    assert [f.count for f in result.state.flights] == [6, 0, 6]
    assert events(result, "morale")[0].facts["result"] == "holds"
    schedule = result.state.fleets[2].schedule
    assert schedule is not None
    assert schedule.arrives == 4


def two_builders(**fields: Any) -> State:
    return situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "2050", "T'Loth-1"),
        stage="deployment",
        engagement="meeting",
        side_fields={"earth": {"points_limit": 2000}, "narn": {"points_limit": 2000}},
        **fields,
    )


@pytest.mark.rule("FA-DEP-4")
def test_before_deployment_no_complaint_tells_what_the_enemy_has():
    """Neither a header nor a bought name betrays that somebody else has a unit so called."""
    state = two_builders()
    (unknown,) = sheet(state, "earth", "Kha'Mak: deploy 2020 heading 1").problems[:1]
    assert unknown.reason == "no unit called 'Kha'Mak'"
    assert problems(state, "earth", "Kha'Mak:\n buy omega as T'Loth-1") == []


@pytest.mark.rule("FA-BLD-2")
def test_two_sides_may_choose_the_same_names():
    """The second side's units get its name before theirs, and its orders follow them."""
    state = two_builders()
    earth = "Line:\n buy omega as Flag\n deploy 2020 heading 4"
    narn = "Line:\n buy gquan as Flag\n buy frazi as Fist on Flag\n deploy 2050 heading 2"
    after = play(state, earth=earth, narn=narn).state
    assert {s.name: s.ships for s in after.squadrons} == {"Line": ("Flag",), "Narn Line": ("Narn Flag",)}
    assert the_squadron(after, "Narn Line").hex == at("2050")
    assert [(f.name, f.home) for f in after.flights] == [("Fist", "Narn Flag")]

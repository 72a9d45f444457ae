"""Further cases, each worked out by hand from the rule book: movement, command, entering, the end of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kit.hexgrid import name
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    complaint,
    events,
    flight,
    headings,
    places,
    play,
    problems,
    ship,
    situation,
    squadron,
    the_flight,
    the_ship,
    the_squadron,
)

FAR_NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
MINBARI_AND_NARN = (("minbari", "Minbari", "attacker"), ("narn", "Narn", "defender"))

# --- movement, formation, leaving -------------------------------------------------------------------------------------


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


@pytest.mark.rule("FA-FRM-6", "FA-FRM-7")
def test_frm_7_a_reactive_shift_takes_the_lowest_q_of_equal_hexes():
    """Artemis-2 stands at 1919 in pulse 2; 1920 and its command ship's hex 2019 are both 11 hexes from the enemy."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Artemis-1", "Artemis-2", speed=3, formation={"Artemis-2": "FP1"}),
        squadron("Kha'Mak", "narn", "3025", "T'Loth-1"),
    )
    result = play(state, earth="Alpha:\n shift Artemis-2 toward Kha'Mak pulse 2\n hold", narn="Kha'Mak: hold")
    (shift,) = events(result, "shift")
    assert (shift.facts["pulse"], shift.facts["from"], shift.facts["to"]) == (2, "1919", "1920")
    assert places(result, "Artemis-2") == ["1919", "1919", "1918"]


@pytest.mark.rule("FA-CMD-7")
def test_cmd_7_the_acting_leader_flies_the_rest_of_the_plot_from_its_own_hex():
    """A salvo kills Olympus-1 before the move of pulse 1; Olympus-2 turns in pulse 2 where it stands itself."""
    state = situation(
        squadron(
            "Alpha",
            "earth",
            "3030",
            ship("Olympus-1", structure=1),
            "Olympus-2",
            speed=3,
            formation={"Olympus-2": "FS1"},
        ),
        squadron("Kha'Mak", "narn", "5555", "Dag'Kar-1"),
        salvo=[
            {"weapon": "ion-torpedo", "firer": "Dag'Kar-1", "launch": 0, "impact": 1, "x": 1, "target": "Olympus-1"}
        ],
    )
    # d10 6 + sensor 5 = def 11; d10 4 against armour 4: minor.
    result = play(state, 6, 4, earth="Alpha:\n path F1 S F2\n hold", narn="Kha'Mak: hold")
    assert places(result, "Olympus-2") == ["3129", "3228", "3328"]
    alpha = the_squadron(result.state, "Alpha")
    assert (alpha.command_ship, alpha.lost_commander_turn) == ("Olympus-2", 1)


@pytest.mark.rule("FA-WDR-4")
def test_wdr_4_a_jump_ordered_again_is_not_put_off():
    """Prepared in turn 1, ordered again in turn 2: the vortex opens at the end of turn 2 all the same."""
    state = situation(
        squadron("Alpha", "earth", "3030", ship("Hyperion-1", prepared_jump_turn=1), state="jumping"),
        squadron("Bravo", "earth", "1010", "Hyperion-2"),
        FAR_NARN,
        turn=2,
    )
    result = play(state, earth="Alpha: hold\nHyperion-1: jump\nBravo: hold", narn="Kha'Mak: hold")
    (exit_,) = events(result, "exit")
    assert (exit_.facts["ships"], exit_.facts["way"]) == (["Hyperion-1"], "jump")


@pytest.mark.rule("FA-CMD-8", "FA-SEQ-6")
@pytest.mark.parametrize(("order", "forced"), [("first pulse 2", 2), ("", 3)])
def test_seq_6_the_flagless_fleet_moves_first_in_the_named_pulse(order, forced):
    """Turn 3, Earth is first and alternates; in the forced pulse both Narn squadrons go before."""
    state = situation(
        squadron("Alpha", "earth", "3030", "Hyperion-1", speed=3),
        squadron("Bravo", "earth", "2030", "Hyperion-2", speed=3),
        squadron("Kha'Mak", "narn", "3055", "T'Loth-1", speed=3, heading=4),
        squadron("Na'Far", "narn", "2055", "T'Loth-2", speed=3, heading=4),
        turn=3,
        fleet=[{"side": "narn", "name": "Home", "flagship": "T'Loth-1", "flagless_turn": 2}],
    )
    held = "Alpha: hold\nBravo: hold"
    result = play(state, earth=f"{order}\n{held}", narn="Kha'Mak: hold\nNa'Far: hold")
    for pulse in (1, 2, 3):
        moved = [e.facts["squadron"] for e in events(result, "move") if e.facts["pulse"] == pulse]
        usual = ["Alpha", "Kha'Mak", "Bravo", "Na'Far"]
        assert moved == (["Kha'Mak", "Na'Far", "Alpha", "Bravo"] if pulse == forced else usual)


# --- command and ELINT ------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-ABL-6", "FA-CMD-5")
def test_abl_6_the_fighter_ops_commander_serves_no_more_once_he_is_lost():
    """In the turn after the loss there are no commander abilities, so an even turn allows no change."""
    fury = flight("Fury-1", "aurora", "Hyperion-1", "3031")
    led = {"abilities": ["ex-fighter-ops"]}
    served = situation(squadron("Alpha", "earth", "3030", "Hyperion-1", **led), FAR_NARN, flights=[fury], turn=2)
    led["lost_commander_turn"] = 1
    leaderless = situation(squadron("Alpha", "earth", "3030", "Hyperion-1", **led), FAR_NARN, flights=[fury], turn=2)
    assert problems(served, "earth", "Fury-1: mission superiority 3030") == []
    assert problems(leaderless, "earth", "Fury-1: mission superiority 3030") == ["FA-E-24"]


@pytest.mark.rule("FA-CMD-9")
@pytest.mark.parametrize(("order", "outside"), [("", ["Charlie"]), ("outside Bravo", ["Bravo"])])
def test_cmd_9_squadrons_beyond_the_new_flagships_cr_are_outside_the_net(order, outside):
    """Omega-1 was lost in turn 1; Olympus-1, cr 2 here, raises the flag over three squadrons."""
    state = situation(
        squadron("Alpha", "earth", "3030", ship("Omega-1", structure=0), "Olympus-1", command_ship="Olympus-1"),
        squadron("Bravo", "earth", "2030", "Olympus-2"),
        squadron("Charlie", "earth", "2530", "Olympus-3"),
        FAR_NARN,
        fleet=[{"side": "earth", "name": "Home", "flagship": "Omega-1", "flagless_turn": 1}],
        turn=2,
        **{"class": {"olympus": {"cr": 2}}},
    )
    held = "\n".join(f"{unit}: hold" for unit in ("Alpha", "Bravo", "Charlie"))
    result = play(state, earth=f"{order}\n{held}", narn="Kha'Mak: hold")
    assert result.state.fleets[0].flagship == "Olympus-1"
    assert [s.name for s in result.state.squadrons if s.outside_net] == outside


@pytest.mark.rule("FA-CMD-6", "FA-MOR-6")
def test_cmd_6_ships_beyond_the_new_commanders_cr_become_strays():
    """Five Olympus, cr 3: Olympus-3 is ordered; Olympus-2 is named a stray, the other is the last in the roster."""
    state = situation(
        squadron("Alpha", "earth", "3030", *(f"Olympus-{n}" for n in range(1, 6)), lost_commander_turn=1, speed=3),
        FAR_NARN,
        turn=2,
    )
    orders = "Alpha:\n hold\n commander Olympus-3\n strays Olympus-2"
    result = play(state, earth=orders, narn="Kha'Mak: hold")
    alpha, *strays = [s for s in result.state.squadrons if s.side == "earth"]
    assert (alpha.command_ship, alpha.ships, alpha.morale_start) == (
        "Olympus-3",
        ("Olympus-1", "Olympus-3", "Olympus-4"),
        10,
    )
    assert [(s.ships, s.state, s.morale_start) for s in strays] == [
        (("Olympus-2",), "stray", 2),
        (("Olympus-5",), "stray", 2),
    ]


@pytest.mark.rule("FA-ELI-5", "FA-ELI-8")
def test_eli_8_a_jam_ends_with_the_levels_of_the_jammer():
    """A salvo kills Corvan-1 in pulse 2; Na'Far, jammed so far, is in command again and fires in Fire A at full x."""
    state = situation(
        squadron("Aquila", "centauri", "2020", "Primus-1", ship("Corvan-1", hex="2021", structure=1)),
        squadron("Kha'Mak", "narn", "5555", "Dag'Kar-1"),
        squadron("Na'Far", "narn", "2015", "T'Loth-1", heading=4),
        sides=CENTAURI_AND_NARN,
        salvo=[{"weapon": "ion-torpedo", "firer": "Dag'Kar-1", "launch": 0, "impact": 2, "x": 1, "target": "Corvan-1"}],
    )
    orders = {
        "centauri": "Aquila: hold\nCorvan-1: elint jam-command T'Loth-1",
        "narn": "Kha'Mak: hold\nNa'Far:\n hold primary\n hold pulse 3",
    }
    # Pulse 1: Fire B, 3 dice halved are 2, at Primus-1. Pulse 2: d10 8 (11 + guardian 2 - 5), d10 3: armour 3, minor.
    result = play(state, 1, 1, 8, 3, 1, 1, 1, **orders)
    told = [(e.facts["pulse"], e.facts["firer"], e.facts["target"], e.facts["x"]) for e in events(result, "fire")]
    assert told == [(1, "T'Loth-1", "Primus-1", 2), (2, "T'Loth-1", "Primus-1", 3)]
    assert ["fire A" in e.rolls[0].label for e in events(result, "fire")] == [False, True]


@pytest.mark.rule("FA-ABL-1", "FA-ABL-4", "FA-ABL-7")
def test_abl_1_an_admiral_uses_one_triggered_ability_a_turn():
    """He reorganizes Bravo, so there is no priority support from his scout in the same turn."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", ship("Oracle-1", hex="2021")),
        squadron("Bravo", "earth", "2025", "Hyperion-1"),
        squadron("Stray", "earth", "2027", "Olympus-1", state="stray"),
        FAR_NARN,
        fleet=[
            {
                "side": "earth",
                "name": "Home",
                "flagship": "Omega-1",
                "abilities": ["command-reorganization", "priority-support"],
            }
        ],
    )
    support = "use priority-support Oracle-1 for Bravo"
    assert problems(state, "earth", support) == []
    told = complaint(state, "earth", f"{support}\nBravo: absorb Olympus-1")
    assert (told.rule, told.text) == ("FA-E-27", support)
    held = "Alpha: hold\nBravo:\n hold\n absorb Olympus-1"
    result = play(state, earth=f"{support}\n{held}", narn="Kha'Mak: hold")
    assert [e.facts["ability"] for e in events(result, "ability")] == ["command-reorganization"]
    assert the_squadron(result.state, "Bravo").ships == ("Hyperion-1", "Olympus-1")


# --- the end of the turn ----------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-SPC-6")
@pytest.mark.parametrize(("carrier", "holds"), [("Sharlin-1", True), ("Morshin-1", False)])
def test_spc_6_a_friendly_flight_is_held_only_by_a_ship_with_a_beam(carrier, holds):
    """Nial-1 accepts beside both; the Morshin has no tractor beam."""
    state = situation(
        squadron("Valen", "minbari", "2020", carrier),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
        sides=MINBARI_AND_NARN,
        flights=[flight("Nial-1", "nial", carrier, "2019")],
    )
    orders = f"Valen: hold\n{carrier}: tractor Nial-1\nNial-1: accept"
    result = play(state, minbari=orders, narn="Kha'Mak: hold")
    assert the_ship(result.state, carrier).holding == ("Nial-1" if holds else None)


@pytest.mark.rule("FA-MOR-2", "FA-MOR-3")
@pytest.mark.parametrize(("die", "state_after"), [(9, "normal"), (10, "withdrawing")])
def test_mor_2_a_squadron_of_one_grey_box_has_the_single_level_0(die, state_after):
    """Skirmish: d12 + 1 against 11."""
    state = situation(
        squadron("Alpha", "earth", "3030", "Olympus-1", morale_start=1, morale_lost=1),
        FAR_NARN,
    )
    result = play(state, die, earth="Alpha: hold", narn="Kha'Mak: hold")
    assert the_squadron(result.state, "Alpha").state == state_after
    assert the_squadron(result.state, "Alpha").levels_rolled == frozenset({0})


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
    assert result.state.fleets[2].schedule.arrives == 4


# --- entering and deployment ------------------------------------------------------------------------------------------


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


@pytest.mark.rule("FA-REI-5", "FA-FRM-2")
def test_rei_5_members_wait_with_the_command_ship_while_their_place_is_off_the_map():
    """Speed 1 from 3001 heading south: the outer ships of the wedge would stand behind the edge in pulse 1."""
    names = [f"Hyperion-{n}" for n in range(5, 10)]
    state = situation(
        squadron("Alpha", "earth", "3030", "Hyperion-1"),
        squadron("Relief", "earth", None, *names, heading=4, fleet="Relief", arrives=5),
        FAR_NARN,
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


@pytest.mark.rule("FA-DEP-1", "FA-MAP-8")
def test_dep_1_nobody_is_deployed_off_the_map():
    """At 2101 heading south the wings of a wedge stand in row 0; a screen has its places ahead."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", "Hyperion-2", "Hyperion-3", heading=4),
        FAR_NARN,
        engagement="meeting",
    )
    told = complaint(state, "earth", "Alpha: deploy 2101 heading 4")
    assert (told.rule, "Hyperion-2" in told.reason) == ("FA-E-32", True)
    assert problems(state, "earth", "Alpha:\n deploy 2101 heading 4\n formation screen") == []


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


# --- building ---------------------------------------------------------------------------------------------------------

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


def yard(limit: int) -> Any:
    return situation(FAR_NARN, engagement="meeting", side_fields={"earth": {"points_limit": limit}})


@pytest.mark.rule("FA-REI-2", "FA-BLD-1", "FA-ABL-5")
def test_rei_2_the_discount_is_rounded_once_for_the_fleet_and_its_commanders_keep_their_abilities():
    """430 + 85% of 3 x 405 (1032.75, so 1033) + stubborn 100 = 1563."""
    assert problems(yard(1563), "earth", RELIEF) == []
    assert problems(yard(1562), "earth", RELIEF) == ["FA-E-38"]
    after = play(yard(1563), earth=RELIEF).state
    owned = {s.name: [ability.key for ability in s.abilities] for s in after.squadrons if s.side == "earth"}
    assert owned == {"Alpha": [], "Bravo": [], "Charlie": ["stubborn"], "Delta": []}
    assert [f.abilities for f in after.fleets if f.side == "earth"] == [(), ()]


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


# --- situation files --------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-FTR-1")
def test_the_flight_in_a_situation_keeps_every_field_it_is_given():
    """All fields of section 2.2 and the doctrine, as the file sets them."""
    fury = flight(
        "Fury-1",
        "aurora",
        "Hyperion-1",
        "3031",
        count=4,
        prev_hex="3032",
        heading=2,
        charge="Alpha",
        station=3,
        launched=2,
        returning=True,
        burned_turn=1,
        ships_attacked_turn=1,
        doctrine={"burn": "no", "react": "ships", "absorb_af": False, "after": "patrol", "losses": "spread"},
    )
    state = situation(squadron("Alpha", "earth", "3030", "Hyperion-1"), FAR_NARN, flights=[fury], turn=2)
    found = the_flight(state, "Fury-1")
    assert (found.count, found.heading, found.station, found.launched, found.returning) == (4, 2, 3, 2, True)
    assert (found.burned_turn, found.ships_attacked_turn, found.doctrine.react) == (1, 1, "ships")


@pytest.mark.rule("FA-CMD-6")
def test_a_situation_names_the_first_living_ship_as_command_ship():
    """Omega-1 is already lost; without a word in the file Hyperion-1 leads, and nobody is lost in this turn."""
    state = situation(squadron("Alpha", "earth", "3030", ship("Omega-1", structure=0), "Hyperion-1"), FAR_NARN)
    assert the_squadron(state, "Alpha").command_ship == "Hyperion-1"
    result = play(state, earth="Alpha: hold", narn="Kha'Mak: hold")
    assert the_squadron(result.state, "Alpha").lost_commander_turn is None

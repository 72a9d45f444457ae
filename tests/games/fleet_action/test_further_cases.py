"""Further cases, each worked out by hand from the rule book: corners where two rules meet."""

from __future__ import annotations

from typing import Any

import pytest

from games.fleet_action.rules import fire
from games.fleet_action.rules.damage import Struck
from pbem.kit.hexgrid import name
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    EARTH_AND_MINBARI,
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
    ship,
    situation,
    squadron,
    the_flight,
    the_ship,
    the_squadron,
    weapon_left,
)

FAR_NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
MINBARI_AND_NARN = (("minbari", "Minbari", "attacker"), ("narn", "Narn", "defender"))


def shots(of: Any) -> list[tuple[str, str, int]]:
    """Weapon, target and dice of every shot."""
    return [(e.facts["weapon"], e.facts["target"], e.facts["x"]) for e in events(of, "fire")]


# --- movement, formation, withdrawal ---------------------------------------------------------------------------------


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


# --- command ---------------------------------------------------------------------------------------------------------


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


@pytest.mark.rule("FA-CMD-11", "FA-CMD-12")
def test_cmd_11_flagless_and_leaderless_and_halved_secondaries_are_rounded_once():
    """Omega-1 in the turn after both losses: laser 4 x 3/4 x 1/2 = 1.5, two dice; medium-pulse 3 x 3/8, two dice."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", lost_commander_turn=1),
        squadron("Kha'Mak", "narn", "2014", "T'Loth-1", heading=4),
        fleet=[{"side": "earth", "name": "Home", "flagship": "Omega-1", "flagless_turn": 1}],
        turn=2,
    )
    result = play_low(state, earth="Alpha:\n hold particle-beam\n hold pulse 2-3", narn="Kha'Mak: hold")
    assert shots(result) == [("heavy-laser", "T'Loth-1", 2), ("medium-pulse", "T'Loth-1", 2)]


# --- fire ------------------------------------------------------------------------------------------------------------

FRAZIS = [
    flight("Frazi-1", "frazi", "T'Loth-1", "2017", mission="superiority", zone="2017"),
    flight("Frazi-2", "frazi", "T'Loth-1", "2016", mission="superiority", zone="2016"),
]


@pytest.mark.rule("FA-DOC-8", "FA-FIRE-12")
def test_doc_8_beside_a_ship_a_secondary_takes_a_flight_of_its_own_at_half_x():
    """Hyperion-1's particle beam, x2 ahead, rolls one die at the nearer flight; the others fire at T'Loth-1."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        squadron("Kha'Mak", "narn", "2012", "T'Loth-1", heading=4),
        flights=FRAZIS,
    )
    orders = "Alpha:\n fire particle-beam at flight nearest\n fire primary at nearest\n hold pulse 2-3"
    result = play_low(state, earth=orders, narn="Kha'Mak: hold")
    wanted = [("heavy-laser", "T'Loth-1", 2), ("medium-pulse", "T'Loth-1", 2), ("particle-beam", "Frazi-1", 1)]
    assert shots(result) == wanted


@pytest.mark.rule("FA-DOC-8", "FA-FIRE-12")
def test_doc_8_without_a_ship_the_first_flight_is_the_main_target():
    """T'Loth-1 is out of reach: medium-pulse at Frazi-2 at full x, the particle beam at Frazi-1 halved."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
        flights=FRAZIS,
    )
    orders = "Alpha:\n fire medium-pulse at Frazi-2\n fire particle-beam at Frazi-1\n hold pulse 2-3"
    result = play_low(state, earth=orders, narn="Kha'Mak: hold")
    assert shots(result) == [("medium-pulse", "Frazi-2", 2), ("particle-beam", "Frazi-1", 1)]


@pytest.mark.rule("FA-MAP-11", "FA-WPN-9")
def test_map_11_at_distance_0_from_nowhere_the_whole_best_facing_is_struck():
    """Artemis: forward armour 5 covers F, FS and FP; an attacker from the AS hex strikes the aft armour 4."""
    state = situation(squadron("Alpha", "earth", "3030", "Artemis-1"), FAR_NARN)
    fight = battle(state)
    target = fight.ships["Artemis-1"]
    assert fire.struck_from(fight, target, at("3030"), None) == Struck((0, 1, 5), 0, 5)
    assert fire.struck_from(fight, target, at("3030"), at("3131")) == Struck((2,), 2, 4)


@pytest.mark.rule("FA-WPN-9", "FA-SPC-5", "FA-ELI-7")
def test_wpn_9_what_was_frozen_at_launch_counts_at_impact_with_the_targets_jammer():
    """Shift 1 at launch and 1 by the jammer: long, 9 + 3 + bypass 1 - sensor 6 - support 1 = 6 on d12.

    d10 8 against front armour 6: moderate even, system 2: neutron-laser.
    """
    state = situation(
        squadron("Alpha", "earth", "5555", ship("Olympus-1", sensor=1)),
        squadron("Valen", "minbari", "2020", "Sharlin-1"),
        sides=EARTH_AND_MINBARI,
        turn=2,
        salvo=[
            {
                "weapon": "missile-rack",
                "firer": "Olympus-1",
                "launch": 1,
                "impact": 4,
                "x": 2,
                "sensor": 6,
                "offensive": 1,
                "bypass": 1,
                "shift": 1,
                "target": "Sharlin-1",
            }
        ],
    )
    result = play(state, 6, 5, 8, 2, earth="Alpha: hold", minbari="Valen: hold")
    (impact,) = events(result, "impact")
    assert (impact.facts["need"], impact.facts["bracket"], impact.facts["hits"]) == (6, "long", 1)
    assert weapon_left(result.state, "Sharlin-1", "neutron-laser") == 3


@pytest.mark.rule("FA-SPC-2", "FA-SPC-3")
def test_spc_2_guardians_cover_targets_of_arriving_ballistics_and_to_hit_dice_come_first():
    """Two salvos: x2 at Vorchan-1, x1 at Primus-1. Both levels go to Vorchan-1: 11 + 2 - 5 = 8 on d10.

    All to-hit dice (8, 7; 4 against 9 - 5), then damage: d10 4 and d10 5 against Primus-1's 6.
    """
    one = {"weapon": "ion-torpedo", "firer": "Dag'Kar-1", "launch": 1, "impact": 4}
    state = situation(
        squadron("Aquila", "centauri", "2020", "Primus-1", "Vorchan-1"),
        squadron("G'Lan", "narn", "5555", "Dag'Kar-1"),
        sides=CENTAURI_AND_NARN,
        turn=2,
        salvo=[{**one, "x": 2, "target": "Vorchan-1"}, {**one, "x": 1, "target": "Primus-1"}],
    )
    result = play(state, 8, 7, 4, 4, 5, centauri="Aquila: hold", narn="G'Lan: hold")
    assert [(e.facts["target"], e.facts["need"], e.facts["hits"]) for e in events(result, "impact")] == [
        ("Vorchan-1", 8, 1),
        ("Primus-1", 4, 1),
    ]
    assert (the_ship(result.state, "Vorchan-1").structure, the_ship(result.state, "Primus-1").structure) == (9, 22)


# --- fighters --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-AF-3")
def test_af_3_half_of_the_flights_are_chosen_by_roster_where_counts_are_equal():
    """One guardian die, three flights: d = 2, A/d < 1, so two of the three: Frazi-1 and Frazi-2, not the escort."""
    strike = {"prev_hex": "2019", "mission": "strike", "target": "Aquila"}
    escort = {"prev_hex": "2019", "mission": "escort", "charge": "Frazi-1"}
    state = situation(
        squadron("Aquila", "centauri", "2020", ship("Primus-1", weapon_left=[4, 0, 1])),
        squadron("Kha'Mak", "narn", "5050", "T'Loth-1"),
        sides=CENTAURI_AND_NARN,
        flights=[
            flight("Frazi-1", "frazi", "T'Loth-1", "2020", **strike),
            flight("Frazi-2", "frazi", "T'Loth-1", "2020", **strike),
            flight("Frazi-3", "frazi", "T'Loth-1", "2020", **escort),
        ],
    )
    result = play_low(state, centauri="Aquila:\n hold\n af off pulse 2-3", narn="Kha'Mak: hold")
    assert [(e.facts["flight"], e.facts["x"]) for e in events(result, "af")] == [("Frazi-1", 1), ("Frazi-2", 1)]


@pytest.mark.rule("FA-FIRE-10", "FA-AF-2")
def test_fire_10_a_weapon_without_a_flight_left_to_fire_at_stays_free():
    """The pulsar kills the last Frazi (d8 5, d6 4); the fusion cannon rolled nothing and fires at T'Loth-1."""
    state = situation(
        squadron("Valen", "minbari", "2020", "Torotha-1"),
        squadron("Kha'Mak", "narn", "2016", "T'Loth-1", heading=4),
        sides=MINBARI_AND_NARN,
        flights=[
            flight("Frazi-1", "frazi", "T'Loth-1", "2020", count=1, prev_hex="2019", mission="strike", target="Valen")
        ],
    )
    result = play(state, 5, 1, 4, 8, 4, minbari="Valen: hold pulse 2-3", narn="Kha'Mak: hold")
    assert [(e.facts["weapon"], e.facts["kills"]) for e in events(result, "af")] == [("molecular-pulsar", 1)]
    assert shots(result) == [("fusion-cannon", "T'Loth-1", 1)]


@pytest.mark.rule("FA-FTR-5", "FA-FTR-8")
def test_ftr_8_a_strike_flies_toward_the_nearest_ship_not_the_easiest():
    """Hyperion-1 is 12 hexes astern, Hyperion-2 13 ahead: three hexsides and two hexes of 5 points, to 2022."""
    state = situation(
        squadron("Alpha", "earth", "2032", "Hyperion-1", ship("Hyperion-2", hex="2007"), command_ship="Hyperion-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
        flights=[flight("Frazi-1", "frazi", "T'Loth-1", "2020", heading=1, mission="strike", target="Alpha")],
    )
    result = play_low(state, earth="Alpha:\n hold\n af off", narn="Kha'Mak: hold")
    assert events(result, "flight_move")[0].facts["to"] == "2022"


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


# --- the end of the turn ---------------------------------------------------------------------------------------------


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


# --- entering --------------------------------------------------------------------------------------------------------


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


# --- situation files -------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-WPN-9", "FA-WPN-3")
def test_wpn_9_a_ballistic_weapon_with_a_subclass_does_its_damage_and_cards_change_in_part():
    """A plasma torpedo against Omega-1: armour 6 counts 4, the die is that of short range.

    missile-rack d12 4 + 5 = def 9 without interceptors (structure 7); d8 5: e = 1 minor, where 6 would stop it.
    """
    torpedo = {"class": "ballistic", "subclass": "plasma", "damage": ["d8", "d6", "d6", "d4"]}
    state = situation(
        squadron("Alpha", "earth", "3030", ship("Omega-1", structure=7)),
        squadron("G'Lan", "narn", "5555", "Dag'Kar-1"),
        salvo=[{"weapon": "ion-torpedo", "firer": "Dag'Kar-1", "launch": 0, "impact": 1, "x": 1, "target": "Omega-1"}],
        weapon={"ion-torpedo": torpedo},
        fighter={"aurora": {"move": 20}},
    )
    assert (state.weapons["ion-torpedo"].range, state.weapons["ion-torpedo"].name) == ((40,), "Ion Torpedo")
    assert (state.fighters["aurora"].move, state.fighters["aurora"].defence) == (20, 13)
    result = play(state, 4, 5, earth="Alpha: hold", narn="G'Lan: hold")
    assert the_ship(result.state, "Omega-1").structure == 6


# --- out of command, jamming -----------------------------------------------------------------------------------------


@pytest.mark.rule("FA-CMD-4", "FA-FIRE-2")
def test_cmd_4_a_ship_out_of_command_fires_alone_after_the_others_at_any_squadron():
    """Omega-1 fires at Kha'Mak in Fire A with full x; Omega-2, out of command, at Na'Far behind it with half."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", ship("Omega-2", hex="2820", command="ooc")),
        squadron("Kha'Mak", "narn", "2014", "T'Loth-1", heading=4),
        squadron("Na'Far", "narn", "2816", "T'Loth-2", heading=4),
    )
    orders = (
        "Alpha:\n hold secondary\n hold medium-pulse\n hold pulse 2-3\n target Kha'Mak\nOmega-2: fire all at T'Loth-2"
    )
    result = play_low(state, earth=orders, narn="Kha'Mak: hold\nNa'Far: hold")
    told = [(e.facts["firer"], e.facts["target"], e.facts["x"]) for e in events(result, "fire")]
    assert told == [("Omega-1", "T'Loth-1", 4), ("Omega-2", "T'Loth-2", 2)]
    assert ["fire A" in e.rolls[0].label for e in events(result, "fire")] == [True, False]


@pytest.mark.rule("FA-ELI-5", "FA-ELI-10", "FA-FIRE-2", "FA-SEQ-2")
def test_eli_5_a_jammed_command_ship_puts_its_squadron_out_of_command_and_bares_the_jammer():
    """Corvan-1 spends what Na'Far's command ship needs, 2 levels. T'Loth-2 fires in Fire B, halved, past Primus-1.

    Primus-1 stands nearer, but the jammer is targeted without bypass: def 11 + guardian 2, 7 hexes + 3, less 5: 11.
    """
    state = situation(
        squadron("Aquila", "centauri", "2020", "Primus-1", ship("Corvan-1", hex="2021")),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-9"),
        squadron("Na'Far", "narn", "2015", "T'Loth-1", ship("T'Loth-2", hex="2014"), heading=4),
        sides=CENTAURI_AND_NARN,
    )
    orders = {
        "centauri": "Aquila: hold\nCorvan-1: elint jam-command T'Loth-1",
        "narn": "Na'Far:\n hold primary\n hold pulse 2-3\nT'Loth-1: hold\nT'Loth-2: fire twin-array at Corvan-1",
    }
    result = play_low(state, **orders)
    (shot,) = events(result, "fire")
    assert (shot.facts["firer"], shot.facts["target"], shot.facts["x"]) == ("T'Loth-2", "Corvan-1", 2)
    assert (shot.facts["need"], shot.facts["modifiers"]["bypass"]) == (11, 0)


@pytest.mark.rule("FA-WPN-10", "FA-WPN-11")
def test_wpn_10_a_stray_launches_alone_and_halved():
    """Dag'Kar-1, a stray: 6 mines halved are 3, radius 1; hex 15 away, delay 2."""
    state = situation(
        squadron("Alpha", "earth", "5555", "Omega-1"),
        squadron("Stray", "narn", "2020", "Dag'Kar-1", state="stray"),
    )
    result = play(state, earth="Alpha: hold", narn="Stray:\n mines 2035\n hold")
    (launch,) = events(result, "mine_launch")
    assert (launch.facts["launchers"], launch.facts["delay"]) == (3, 2)
    (burst,) = events(result, "mine_burst")
    assert (burst.facts["pulse"], burst.facts["radius"]) == (2, 1)


# --- more of fighters ------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-FTR-9")
def test_ftr_9_an_escort_in_the_air_waits_for_a_charge_that_is_launched_later():
    """Frazi-2 comes out in pulse 1, Frazi-1 in pulse 2: the escort is still its escort."""
    state = situation(
        squadron("Alpha", "earth", "5555", "Omega-1"),
        squadron("Kha'Mak", "narn", "2020", "T'Loth-1"),
        flights=[flight("Frazi-1", "frazi", "T'Loth-1"), flight("Frazi-2", "frazi", "T'Loth-1")],
    )
    orders = "Kha'Mak: hold\nFrazi-1:\n launch pulse 2 F\n mission strike Alpha"
    orders += "\nFrazi-2:\n launch pulse 1 A\n mission escort Frazi-1"
    result = play(state, earth="Alpha: hold", narn=orders)
    escort = the_flight(result.state, "Frazi-2")
    assert (escort.mission, escort.charge) == ("escort", "Frazi-1")


@pytest.mark.rule("FA-FTR-9", "FA-FTR-15")
def test_ftr_9_react_ships_moves_onto_an_enemy_ship_once_a_turn_without_the_strike_bonus():
    """Fury-1, on station beside Omega-1, reaches T'Loth-1: d10 + 3 against 9, need 6. Then it turns back."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "2016", "T'Loth-1", heading=4),
        flights=[flight("Fury-1", "aurora", "Omega-1", "2019", heading=1, doctrine={"react": "ships"})],
    )
    result = play_low(state, earth="Alpha: hold", narn="Kha'Mak:\n hold\n af off")
    (attack,) = events(result, "fire")
    assert (attack.facts["pulse"], attack.facts["need"], attack.facts["modifiers"]["strike"]) == (1, 6, 0)
    moves = [(e.facts["pulse"], e.facts["to"]) for e in events(result, "flight_move")]
    assert moves == [(1, "2016"), (2, "2018"), (3, "2019")]


# --- building --------------------------------------------------------------------------------------------------------

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


@pytest.mark.rule("FA-DOC-4")
def test_e_18_a_line_without_a_weapon_that_works_is_complained_about_once():
    """One unknown weapon costs the line; beside a known one it is only left out."""
    state = situation(squadron("Alpha", "earth", "3030", "Hyperion-1"), FAR_NARN)
    assert problems(state, "earth", "Alpha: fire plasma at nearest") == ["FA-E-18"]
    told = complaint(state, "earth", "Alpha: fire plasma, heavy-laser at nearest")
    assert (told.rule, told.instead) == ("FA-E-18", "the weapon is ignored")


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


@pytest.mark.rule("FA-AF-6", "FA-AF-8")
def test_af_6_of_two_modes_for_one_pulse_the_last_counts_in_it():
    """Two flights in the FS hex: twin-array ceil(5/2) = 3 dice at each, guardian-array ceil(2/2) = 1 at each."""
    state = situation(
        squadron("Aquila", "centauri", "2020", "Primus-1"),
        squadron("Kha'Mak", "narn", "5050", "T'Loth-1"),
        sides=CENTAURI_AND_NARN,
        flights=[flight(f"Frazi-{n}", "frazi", "T'Loth-1", "2120", mission="superiority", zone="2120") for n in (1, 2)],
    )
    orders = "Aquila:\n hold\n af on\n af long pulse 1"
    assert problems(state, "centauri", orders) == []
    assert problems(state, "centauri", "Aquila:\n af off\n af on") == ["FA-E-30"]
    result = play_low(state, centauri=orders, narn="Kha'Mak: hold")
    assert [(e.facts["weapon"], e.facts["flight"], e.facts["x"]) for e in events(result, "af")] == [
        ("twin-array", "Frazi-1", 3),
        ("twin-array", "Frazi-2", 3),
        ("guardian-array", "Frazi-1", 1),
        ("guardian-array", "Frazi-2", 1),
    ]


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


@pytest.mark.rule("FA-CMD-6")
def test_a_situation_names_the_first_living_ship_as_command_ship():
    """Omega-1 is already lost; without a word in the file Hyperion-1 leads, and nobody is lost in this turn."""
    state = situation(squadron("Alpha", "earth", "3030", ship("Omega-1", structure=0), "Hyperion-1"), FAR_NARN)
    assert the_squadron(state, "Alpha").command_ship == "Hyperion-1"
    result = play(state, earth="Alpha: hold", narn="Kha'Mak: hold")
    assert the_squadron(result.state, "Alpha").lost_commander_turn is None


# --- damage, die by die ----------------------------------------------------------------------------------------------

ONLY_MAG_GUN = "Kha'Mak:\n hold heavy-plasma\n hold twin-array\n hold pulse 2-3"


@pytest.mark.rule("FA-WPN-5", "FA-DMG-3", "FA-DMG-7", "FA-SPC-1")
def test_wpn_5_a_severe_flash_hit_on_the_side_takes_a_primary_and_two_minor_systems():
    """Mag gun, d8 5 + 5 = 9 + interceptor 1. d12 12 against side 4; sys 2: medium-pulse (the lasers do not bear AS);

    sys 1 and 3: turn 7 to 5, and with the second point CC 4, HT 3, CA 1.
    """
    state = situation(
        squadron("Alpha", "earth", "2016", "Hyperion-1", heading=2),
        squadron("Kha'Mak", "narn", "2020", "T'Loth-1"),
    )
    result = play(state, 5, 12, 2, 1, 3, earth="Alpha: hold", narn=ONLY_MAG_GUN)
    hit = the_ship(result.state, "Hyperion-1")
    rows = hit.man_left
    assert (hit.structure, hit.sensor, hit.weapon_left, hit.turn_hits) == (16, 5, (2, 2, 3, 2), 2)
    assert (rows.tn, rows.cc, rows.ht, rows.ca, rows.dec) == (5, 4, 3, 1, 4)


@pytest.mark.rule("FA-DMG-6", "FA-DMG-8")
def test_dmg_6_manoeuvre_hits_fall_back_to_turn_and_then_to_structure():
    """Struck ahead with decel 0 and turn 1: d12 11 against 5, sys 1 sensor, sys 1 turn, sys 1 structure."""
    state = situation(
        squadron("Alpha", "earth", "2016", ship("Hyperion-1", man_left={"dec": 0, "tn": 1}), heading=4),
        squadron("Kha'Mak", "narn", "2020", "T'Loth-1"),
    )
    result = play(state, 5, 11, 1, 1, 1, earth="Alpha: hold", narn=ONLY_MAG_GUN)
    hit = the_ship(result.state, "Hyperion-1")
    assert (hit.structure, hit.sensor, hit.man_left.tn, hit.man_left.dec) == (15, 4, 0, 0)


@pytest.mark.rule("FA-WPN-2", "FA-DMG-5")
def test_wpn_2_points_beyond_the_last_box_fall_along_the_chain():
    """Two matter hits of 2 points: d10 6 takes the last particle beam, then heavy-pulse; d10 9 two off the sensor."""
    state = situation(
        squadron("Alpha", "earth", "2016", ship("Artemis-1", weapon_left=[2, 2, 1, 0]), heading=4),
        squadron("Aquila", "centauri", "2019", ship("Demos-1", sensor=12)),
        sides=(("earth", "Earth", "defender"), ("centauri", "Centauri", "attacker")),
    )
    orders = "Aquila:\n hold secondary\n hold ion-torpedo\n hold pulse 2-3"
    result = play(state, 1, 1, 6, 9, earth="Alpha: hold", centauri=orders)
    hit = the_ship(result.state, "Artemis-1")
    assert (hit.weapon_left, hit.sensor, hit.structure) == ((2, 1, 0, 0), 3, 14)


@pytest.mark.rule("FA-WPN-8", "FA-DMG-10", "FA-FIRE-8")
def test_wpn_8_an_electro_pulse_hit_kills_without_a_die():
    """Fusion cannon d8 5, 4 against 12 - 7; electro-pulse, medium, d12 6, 5 against 6; then the cannon's d10 4."""
    state = situation(
        squadron("Valen", "minbari", "2020", "Esharan-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
        sides=MINBARI_AND_NARN,
        flights=[flight("Frazi-1", "frazi", "T'Loth-1", "2018", mission="superiority", zone="2018")],
    )
    orders = "Valen:\n fire all at flight nearest\n hold pulse 2-3"
    result = play(state, 5, 4, 6, 5, 4, minbari=orders, narn="Kha'Mak: hold")
    assert shots(result) == [("fusion-cannon", "Frazi-1", 2), ("electro-pulse", "Frazi-1", 2)]
    assert the_flight(result.state, "Frazi-1").count == 4

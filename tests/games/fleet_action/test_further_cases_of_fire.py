"""Further cases, each worked out by hand from the rule book: fire, damage, ballistics and fighters."""

from __future__ import annotations

from typing import Any

import pytest

from games.fleet_action.rules import fire
from games.fleet_action.rules.damage import Struck
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    EARTH_AND_MINBARI,
    at,
    battle,
    complaint,
    events,
    flight,
    play,
    play_low,
    problems,
    ship,
    situation,
    squadron,
    the_flight,
    the_ship,
    weapon_left,
)

FAR_NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
MINBARI_AND_NARN = (("minbari", "Minbari", "attacker"), ("narn", "Narn", "defender"))


def shots(of: Any) -> list[tuple[str, str, int]]:
    """Weapon, target and dice of every shot."""
    return [(e.facts["weapon"], e.facts["target"], e.facts["x"]) for e in events(of, "fire")]


# --- doctrine and multipliers -----------------------------------------------------------------------------------------

FRAZIS = [
    flight("Frazi-1", "frazi", "T'Loth-1", "2017", mission="superiority", zone="2017"),
    flight("Frazi-2", "frazi", "T'Loth-1", "2016", mission="superiority", zone="2016"),
]


@pytest.mark.rule("FA-CMD-11", "FA-CMD-12")
def test_cmd_11_flagless_and_leaderless_multiply_and_are_rounded_once():
    """Omega-1 in the turn after both losses: laser 4 x 3/4 x 1/2 = 1.5, two dice; medium-pulse 3 x 3/8, two dice."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", lost_commander_turn=1),
        squadron("Kha'Mak", "narn", "2014", "T'Loth-1", heading=4),
        fleet=[{"side": "earth", "name": "Home", "flagship": "Omega-1", "flagless_turn": 1}],
        turn=2,
    )
    result = play_low(state, earth="Alpha:\n hold particle-beam\n hold pulse 2-3", narn="Kha'Mak: hold")
    assert shots(result) == [("heavy-laser", "T'Loth-1", 2), ("medium-pulse", "T'Loth-1", 2)]


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


@pytest.mark.rule("FA-DOC-4")
def test_e_18_a_line_without_a_weapon_that_works_is_complained_about_once():
    """One unknown weapon costs the line; beside a known one it is only left out."""
    state = situation(squadron("Alpha", "earth", "3030", "Hyperion-1"), FAR_NARN)
    assert problems(state, "earth", "Alpha: fire plasma at nearest") == ["FA-E-18"]
    told = complaint(state, "earth", "Alpha: fire plasma, heavy-laser at nearest")
    assert (told.rule, told.instead) == ("FA-E-18", "the weapon is ignored")


# --- ballistics and mines ---------------------------------------------------------------------------------------------


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


# --- damage, die by die -----------------------------------------------------------------------------------------------

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


# --- fighters and anti-fighter fire -----------------------------------------------------------------------------------


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

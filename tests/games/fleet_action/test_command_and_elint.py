"""FA-CMD, FA-ABL, FA-ELI, FA-SPC, FA-MOR: command, abilities, electronics, equipment and morale."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.fleet_action.rules import command, elint, fire, morale, movement, sequence, succession, weapons
from games.fleet_action.rules.cards import house_catalogue
from pbem.kit.codec import plain
from pbem.kit.hexgrid import Hex
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    EARTH_AND_MINBARI,
    MINBARI_AND_NARN,
    battle,
    cards,
    complaint,
    events,
    fired,
    flight,
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
)

NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
EARTH = squadron("Alpha", "earth", "0505", "Hyperion-9", heading=4)


def fleet(side: str, flagship: str, **fields: Any) -> dict[str, Any]:
    return {"side": side, "flagship": flagship, **fields}


# --- command ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-CMD-1", "FA-CMD-2")
def test_cmd_2_a_member_beyond_five_hexes_is_out_of_command_next_turn():
    """Six hexes astern: out of command; the command ship itself is in reach of its flagship at any distance."""
    state = situation(
        squadron(
            "Alpha",
            "earth",
            "2020",
            "Artemis-1",
            "Artemis-2",
            "Artemis-3",
            formation={"Artemis-2": "A6", "Artemis-3": "A5"},
        ),
        squadron("Bravo", "earth", "5005", "Hyperion-1"),
        NARN,
    )
    after = play(state).state
    found = {ship.name: ship.command for ship in after.ships}
    assert found["Artemis-2"] == "ooc"
    assert (found["Artemis-1"], found["Artemis-3"], found["Hyperion-1"]) == ("in", "in", "in")


@pytest.mark.rule("FA-CMD-3")
def test_cmd_3_the_radius_by_navy():
    """Earth and Narn 4, Centauri 5, Minbari 6; five hexes are too many for Earth."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Artemis-1", "Artemis-2", formation={"Artemis-2": "A5"}),
        squadron("S1", "minbari", "5050", "Sharlin-1"),
        sides=EARTH_AND_MINBARI,
        switches={"navy_radius": True},
    )
    fight = battle(state)
    assert [command.command_radius(fight, side) for side in ("earth", "minbari")] == [4, 6]
    assert the_ship(play(state, minbari="S1: hold").state, "Artemis-2").command == "ooc"


@pytest.mark.rule("FA-CMD-4", "FA-CMD-14")
def test_cmd_4_an_ooc_ship_fires_alone_in_fire_b_at_half():
    """Omega-2 is out of command: four lasers become two, in Fire B, at any enemy ship."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", ship("Omega-2", command="ooc")),
        squadron("Kha'Mak", "narn", "2012", "T'Loth-1", heading=4),
        squadron("Na'Far", "narn", "2010", "G'Quan-1", heading=4),
    )
    held = "Alpha:\n hold medium-pulse, particle-beam\n hold heavy-laser pulse 2-3\n target Kha'Mak"
    text = held + "\nOmega-2: fire heavy-laser at G'Quan-1\nOmega-1: hold"
    result = play(state, 1, 1, earth=text, narn="Kha'Mak: hold\nNa'Far: hold")
    (shot,) = events(result, "fire")
    assert (shot.facts["firer"], shot.facts["target"], shot.facts["x"]) == ("Omega-2", "G'Quan-1", 2)
    assert shot.rolls[0].label.split("/")[1] == "fire B"


@pytest.mark.rule("FA-CMD-5", "FA-CMD-6", "FA-CMD-7")
def test_cmd_5_a_lost_commander_is_succeeded_at_the_end_of_the_next_turn():
    """Half fire in turn 2; the ordered commander takes office at its end, whose cr holds the squadron."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", "Hyperion-2", "Artemis-1", lost_commander_turn=1),
        NARN,
        turn=2,
    )
    fight = battle(state)
    assert weapons.multiplier(fight, fight.ships["Hyperion-1"]) == weapons.HALF
    result = play(state, earth="Alpha: commander Hyperion-2")
    alpha = the_squadron(result.state, "Alpha")
    assert (alpha.command_ship, alpha.lost_commander_turn) == ("Hyperion-2", None)
    assert problems(state, "earth", "Alpha: commander Artemis-1") == []
    assert the_squadron(play(state).state, "Alpha").command_ship == "Hyperion-1"


@pytest.mark.rule("FA-CMD-6")
def test_cmd_6_ships_beyond_the_new_cr_become_strays():
    """Five ships, greatest cr left 4: the cheapest, last in roster, goes; an ordered stray goes before."""
    five = ["Artemis-1", "Artemis-2", "Olympus-1", "Olympus-2", "Olympus-3"]
    state = situation(squadron("Alpha", "earth", "2020", *five, lost_commander_turn=1, formation="box"), NARN, turn=2)
    default, ordered = play(state), play(state, earth="Alpha: strays Artemis-2")
    assert the_ship(default.state, "Olympus-3").squadron == "Stray Olympus-3"
    assert the_ship(ordered.state, "Artemis-2").squadron == "Stray Artemis-2"
    assert the_squadron(default.state, "Stray Olympus-3").stray


@pytest.mark.rule("FA-CMD-7")
def test_cmd_7_an_acting_leader_carries_on_the_plot():
    """Artemis-1 dies of mines in pulse 1; Artemis-2 flies the tokens of pulses 2 and 3 from its own hex."""
    state = situation(
        squadron(
            "Alpha",
            "earth",
            "2020",
            ship("Artemis-1", structure=1),
            "Artemis-2",
            speed=3,
            formation={"Artemis-2": "A2"},
        ),
        squadron("Kha'Mak", "narn", "5555", "G'Quan-1"),
        salvo=[{"weapon": "energy-mine", "firer": "Kha'Mak", "launch": 0, "impact": 1, "x": 1, "hex": "2020"}],
    )
    result = play(state, 12, 6, earth="Alpha: path F3")
    alpha = the_squadron(result.state, "Alpha")
    assert (alpha.command_ship, alpha.lost_commander_turn) == ("Artemis-2", 1)
    moved = [event.facts["to"] for event in events(result, "move")]
    assert moved == ["2019", "2020", "2019"]
    assert alpha.formation["Artemis-2"] == (0, 0)


@pytest.mark.rule("FA-CMD-8", "FA-CMD-9", "FA-CMD-12")
def test_cmd_9_a_new_flagship_and_those_outside_the_net():
    """Flagless fire is three quarters; the new flag of cr 2 holds two of three squadrons."""
    small = cards(flag={**_tiny(), "cr": 2}, tiny={**_tiny(), "cr": 1})
    state = situation(
        squadron("Alpha", "earth", "1010", ship("Flag-1", "flag")),
        squadron("Bravo", "earth", "1510", ship("Tiny-1", "tiny")),
        squadron("Delta", "earth", "2010", ship("Tiny-2", "tiny")),
        NARN,
        turn=2,
        fleet=[fleet("earth", "Tiny-1", flagless_turn=1)],
        **small,
    )
    fight = battle(state)
    assert weapons.multiplier(fight, fight.ships["Tiny-2"]) == weapons.THREE_QUARTERS
    result = play(state, earth="Fleet: outside Bravo")
    assert {f.flagship for f in result.state.fleets if f.side == "earth"} == {"Flag-1"}
    outside = {s.name for s in result.state.squadrons if s.outside_net}
    assert outside == {"Bravo"}
    assert {s.name for s in play(state).state.squadrons if s.outside_net} == {"Delta"}


def _tiny():
    card = plain(house_catalogue().classes["olympus"])
    card.pop("key")
    card["def"] = card.pop("defence")
    return {key: value for key, value in card.items() if value is not None}


@pytest.mark.rule("FA-CMD-8", "FA-CMD-10")
def test_cmd_10_a_strike_whose_target_is_gone_escorts_the_nearest_squadron():
    """Without a flagship no new mission may be ordered; launched flights escort their own squadron."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        squadron("Bravo", "earth", "3020", "Artemis-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
        turn=3,
        fleet=[fleet("earth", "Hyperion-1", flagless_turn=2)],
        flights=[
            flight("Fury-1", "aurora", "Hyperion-1", "2920", mission="strike", target="Gone"),
            flight("Fury-2", "aurora", "Hyperion-1"),
        ],
    )
    assert problems(state, "earth", "Fury-1: mission escort Alpha") == ["FA-E-24"]
    assert problems(state, "earth", "Fury-2:\n launch\n mission strike Kha'Mak") == ["FA-E-24"]
    result = play(state, earth="Fury-2:\n launch\n mission strike Kha'Mak")
    assert (the_flight(result.state, "Fury-1").charge, the_flight(result.state, "Fury-2").charge) == ("Bravo", "Alpha")


@pytest.mark.rule("FA-CMD-13")
def test_cmd_13_a_squadron_without_ships_is_gone_its_flights_go_on():
    """Frazi-1 flies on when T'Loth-1 is destroyed."""
    state = situation(
        squadron("Alpha", "earth", "0505", "Hyperion-1"),
        squadron("Kha'Mak", "narn", "2020", ship("T'Loth-1", structure=1)),
        squadron("Na'Far", "narn", "5555", "T'Loth-2"),
        flights=[flight("Frazi-1", "frazi", "T'Loth-1", "2025", charge="Kha'Mak")],
        salvo=[{"weapon": "energy-mine", "firer": "Na'Far", "launch": 0, "impact": 1, "x": 1, "hex": "2020"}],
    )
    after = play(state, 12, 6).state
    assert the_squadron(after, "Kha'Mak").state == "off"
    assert (the_flight(after, "Frazi-1").state, the_flight(after, "Frazi-1").charge) == ("flying", "Na'Far")


@pytest.mark.rule("FA-CMD-15", "FA-MOR-6")
def test_cmd_15_a_detached_ship_is_a_stray_from_this_turn_on():
    """Artemis-2 with structure 5 has marked one of three grey boxes more than it may keep; the parent keeps its G."""
    state = situation(squadron("Alpha", "earth", "2020", "Hyperion-1", ship("Artemis-2", structure=5), speed=3), NARN)
    result = play(state, earth="Alpha: detach Artemis-2")
    stray = the_squadron(result.state, "Stray Artemis-2")
    assert (stray.morale_start, stray.morale_lost, stray.levels_rolled) == (3, 2, frozenset({1}))
    assert the_squadron(result.state, "Alpha").morale_start == 7
    assert [event.facts["squadron"] for event in events(result, "move")][:2] == ["Stray Artemis-2", "Alpha"]


@pytest.mark.rule("FA-CMD-16")
def test_cmd_16_styles_are_rolled_when_deployment_closes():
    """2 defensive, 8 standard, 9 offensive; sensor and def follow, the sensor never below 0."""
    state = situation(
        squadron("Alpha", "earth", "1010", "Hyperion-1"),
        squadron("Bravo", "earth", "1210", "Hyperion-2"),
        squadron("Kha'Mak", "narn", "5555", ship("T'Loth-1", sensor=0)),
        engagement="meeting",
        switches={"command_styles": True},
    )
    result = play(state, 9, 8, 2)
    styles = {s.name: s.style for s in result.state.squadrons}
    assert styles == {"Alpha": "offensive", "Bravo": "standard", "Kha'Mak": "defensive"}
    fight = battle(result.state)
    assert (fire.sensor_of(fight, fight.ships["Hyperion-1"]), fire.defence_of(fight, fight.ships["Hyperion-1"])) == (
        6,
        8,
    )
    assert (fire.sensor_of(fight, fight.ships["T'Loth-1"]), fire.defence_of(fight, fight.ships["T'Loth-1"])) == (0, 10)


# --- abilities -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-ABL-2")
def test_abl_2_rapid_net_change_spares_the_squadron():
    """The commander dies; fire is whole in the next turn and the new commander serves from then."""
    state = situation(
        squadron("Bravo", "earth", "0505", "Omega-1"),
        squadron(
            "Alpha",
            "earth",
            "2020",
            ship("Artemis-1", structure=1),
            "Artemis-2",
            abilities=["rapid-net-change"],
            formation={"Artemis-2": "A2"},
        ),
        squadron("Kha'Mak", "narn", "5555", "G'Quan-1"),
        salvo=[{"weapon": "energy-mine", "firer": "Kha'Mak", "launch": 0, "impact": 1, "x": 1, "hex": "2020"}],
    )
    result = play(state, 12, 6)
    alpha = the_squadron(result.state, "Alpha")
    assert (alpha.command_ship, alpha.lost_commander_turn) == ("Artemis-2", None)
    fight = battle(result.state)
    assert weapons.multiplier(fight, fight.ships["Artemis-2"]) == 1


@pytest.mark.rule("FA-ABL-3")
def test_abl_3_ships_an_improved_network_can_no_longer_hold_form_a_squadron():
    """cr 4 improved to 5; the new commander of cr 4 sheds one ship, which fires at three quarters."""
    ships: list[str | dict[str, Any]] = [
        ship("Artemis-9", "artemis", fate="destroyed"),
        "Artemis-1",
        "Artemis-2",
        "Artemis-3",
        "Artemis-4",
        "Artemis-5",
    ]
    state = situation(
        squadron(
            "Alpha",
            "earth",
            "2020",
            *ships,
            command_ship="Artemis-1",
            lost_commander_turn=1,
            abilities=[{"key": "improved-command-network"}],
            formation="box",
        ),
        NARN,
        turn=2,
    )
    after = play(state).state
    rest = the_squadron(after, "Alpha Rest")
    assert (rest.ships, rest.excess, rest.stray) == (("Artemis-5",), True, False)
    fight = battle(after)
    assert weapons.multiplier(fight, fight.ships["Artemis-5"]) == weapons.THREE_QUARTERS


@pytest.mark.rule("FA-ABL-4")
def test_abl_4_reorganization_takes_in_strays():
    """Artemis-9 stands 2 hexes away and joins at once, its offset as it stands; beyond the radius it may not."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", abilities=["command-reorganization"]),
        squadron("Lone", "earth", "2022", "Artemis-9", state="stray"),
        squadron("Lost", "earth", "2030", "Artemis-8", state="stray"),
        NARN,
    )
    result = play(state, earth="Alpha: absorb Artemis-9")
    assert the_ship(result.state, "Artemis-9").squadron == "Alpha"
    assert the_squadron(result.state, "Lone").state == "off"
    assert problems(state, "earth", "Alpha: absorb Artemis-8") == ["FA-E-28", "FA-E-28"]


@pytest.mark.rule("FA-ABL-5", "FA-MOR-5")
def test_abl_5_stubborn_re_rolls_the_first_failure():
    """12 fails, the re-roll 1 holds; level 4 then fails for good: one use a turn. With stubborn no it withdraws."""
    alpha = squadron(
        "Alpha", "earth", "2020", "Omega-1", "Omega-2", morale_start=10, morale_lost=6, abilities=["stubborn"]
    )
    state = situation(alpha, NARN)
    assert the_squadron(play(state, 12, 1, 1).state, "Alpha").state == "normal"
    assert the_squadron(play(state, 12, 1, 12).state, "Alpha").state == "withdrawing"
    assert the_squadron(play(state, 12, earth="Alpha: stubborn no").state, "Alpha").state == "withdrawing"
    used = play(state, 12, 1, 1).state
    assert the_squadron(used, "Alpha").abilities[0].uses == 0


@pytest.mark.rule("FA-ABL-6", "FA-FTR-1")
def test_abl_6_an_ex_fighter_commander_changes_missions_every_turn():
    """On turn 2 only the flights of his squadron may change."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", abilities=["ex-fighter-ops"]),
        squadron("Bravo", "earth", "3020", "Hyperion-2"),
        NARN,
        turn=2,
        flights=[flight("Fury-1", "aurora", "Hyperion-1", "2021"), flight("Fury-2", "aurora", "Hyperion-2", "3021")],
    )
    assert problems(state, "earth", "Fury-1: mission escort Bravo") == []
    assert problems(state, "earth", "Fury-2: mission escort Alpha") == ["FA-E-24"]


@pytest.mark.rule("FA-ABL-7")
def test_abl_7_priority_support_goes_to_another_squadron():
    """The ELINT ship of the flag squadron supports Bravo, 10 hexes from the flagship."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", "Oracle-1"),
        squadron("Bravo", "earth", "2030", "Hyperion-1"),
        squadron("Far", "earth", "2040", "Hyperion-2"),
        NARN,
        fleet=[fleet("earth", "Omega-1", abilities=["priority-support"])],
    )
    fight = battle(state, earth="Oracle-1: elint offensive 2\nFleet: use priority-support Oracle-1 for Bravo")
    elint.allocate(fight)
    assert [(a.kind, a.serves) for a in fight.actions] == [("offensive", "Bravo")]
    assert problems(state, "earth", "Fleet: use priority-support Oracle-1 for Far") == ["FA-E-27"]


@pytest.mark.rule("FA-ABL-6", "FA-CMD-5")
def test_abl_6_the_fighter_ops_commander_serves_no_more_once_he_is_lost():
    """In the turn after the loss there are no commander abilities, so an even turn allows no change."""
    fury = flight("Fury-1", "aurora", "Hyperion-1", "3031")
    led: dict[str, Any] = {"abilities": ["ex-fighter-ops"]}
    served = situation(squadron("Alpha", "earth", "3030", "Hyperion-1", **led), NARN, flights=[fury], turn=2)
    led["lost_commander_turn"] = 1
    leaderless = situation(squadron("Alpha", "earth", "3030", "Hyperion-1", **led), NARN, flights=[fury], turn=2)
    assert problems(served, "earth", "Fury-1: mission superiority 3030") == []
    assert problems(leaderless, "earth", "Fury-1: mission superiority 3030") == ["FA-E-24"]


@pytest.mark.rule("FA-ABL-1", "FA-ABL-4", "FA-ABL-7")
def test_abl_1_an_admiral_uses_one_triggered_ability_a_turn():
    """He reorganizes Bravo, so there is no priority support from his scout in the same turn."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", ship("Oracle-1", hex="2021")),
        squadron("Bravo", "earth", "2025", "Hyperion-1"),
        squadron("Stray", "earth", "2027", "Olympus-1", state="stray"),
        NARN,
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


# --- ELINT -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-ELI-1", "FA-ELI-3", "FA-ELI-8", "FA-ELI-10")
def test_eli_10_lines_are_served_top_to_bottom_and_the_rest_defends():
    """Leshath-1 has three levels: one offensive, two left for defence; a level lost ends the last."""
    state = situation(
        squadron("K1", "minbari", "2020", "Leshath-1", "Torotha-1"),
        squadron("Alpha", "earth", "5555", "Hyperion-1"),
        sides=EARTH_AND_MINBARI,
    )
    fight = battle(state, minbari="Leshath-1: elint offensive")
    elint.allocate(fight)
    assert [(a.kind, a.levels) for a in fight.actions] == [("offensive", 1), ("defensive", 2)]
    assert elint.defensive_support(fight, fight.ships["Torotha-1"]) == 2
    fight.put(replace(fight.ships["Leshath-1"], sensor=7))
    elint.lose_levels(fight)
    assert [(a.kind, a.levels) for a in fight.actions] == [("offensive", 1), ("defensive", 0)]
    assert fight.elint_level(fight.ships["Leshath-1"]) == 1


@pytest.mark.rule("FA-ELI-5", "FA-ELI-9")
def test_eli_5_jamming_a_command_ship_puts_its_squadron_out_of_command():
    """Two levels within 15 hexes; drawn apart, the jam is lost for the rest of the turn; 4 for a flagship."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", "Hyperion-2"),
        squadron("Bravo", "earth", "2520", "Artemis-1"),
        squadron("Lupus", "centauri", "2529", "Corvan-1", heading=4),
        sides=(("earth", "Earth", "defender"), ("centauri", "Centauri", "attacker")),
    )
    fight = battle(state, centauri="Corvan-1: elint jam-command Artemis-1")
    elint.allocate(fight)
    assert fight.ships["Artemis-1"].jammed_turn == 1
    assert elint.command_jammers(fight) == {"Corvan-1"}
    assert elint.required_levels(fight, fight.ships["Hyperion-1"]) == 4
    assert elint.required_levels(fight, fight.ships["Hyperion-2"]) == 1
    fight.put(replace(fight.ships["Corvan-1"], hex=fight.ships["Corvan-1"].hex.plus(Hex(0, 7))))
    elint.check_ranges(fight)
    assert fight.ships["Artemis-1"].jammed_turn is None


@pytest.mark.rule("FA-ELI-7", "FA-ELI-9")
def test_eli_7_jam_fire_control_works_within_25_hexes():
    """Two ships named by one level: the nearer is jammed, the one 26 away is not."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Oracle-1"),
        squadron("Kha'Mak", "narn", "2045", "G'Quan-1", heading=1),
        squadron("Na'Far", "narn", "2046", "G'Quan-2"),
    )
    fight = battle(state, earth="Oracle-1: elint jam-fc G'Quan-1 G'Quan-2")
    elint.allocate(fight)
    elint.check_ranges(fight)
    assert fight.fire_control_jammed == {"G'Quan-1"}
    assert [(a.kind, a.levels) for a in fight.actions] == [("jam-fc", 1), ("defensive", 1)]


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


# --- equipment -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-SPC-2", "FA-SPC-3")
def test_spc_2_guardian_levels_go_to_the_most_endangered_or_as_ordered():
    """T'Loth-1's arrays at Primus-1: automatically covered; ordered for Primus-2, nobody is."""
    state = situation(
        squadron("Aquila", "centauri", "2016", "Primus-1", "Primus-2", heading=4),
        squadron("Kha'Mak", "narn", "2020", "T'Loth-1"),
        sides=CENTAURI_AND_NARN,
    )
    held = "T'Loth-1:\n fire twin-array at Primus-1 pulse 1\n hold primary\n hold twin-array pulse 2-3"
    auto = play(state, 1, 1, 1, narn=held, centauri="Aquila: hold")
    (guard,) = events(auto, "guard")
    assert (guard.facts["ship"], guard.facts["target"], guard.facts["levels"]) == ("Primus-1", "Primus-1", 2)
    assert events(auto, "fire")[0].facts["need"] == 9 + 2 + 1 - 5
    text = "Aquila: hold\nPrimus-1: guard Primus-2 2\nPrimus-2: guard auto"
    other = play(state, 1, 1, 1, narn=held, centauri=text)
    assert [e.facts["ship"] for e in events(other, "guard")] == ["Primus-2"]


@pytest.mark.rule("FA-SPC-4")
def test_spc_4_twin_arrays_are_particle_weapons():
    """For Narn and Centauri alike."""
    assert battle(situation(EARTH, NARN)).cards.weapons["twin-array"].weapon_class == "particle"


@pytest.mark.rule("FA-SPC-6", "FA-SPC-8")
def test_spc_6_a_dead_ship_is_held_and_carried():
    """Olympus-1 cannot change speed: Tinashi-1 holds it; it becomes a stray, a medium ship costs one weapon."""
    dead = ship("Olympus-1", man_left={"acc": 0, "dec": 0})
    state = situation(
        squadron("R1", "minbari", "2020", "Tinashi-1", speed=3),
        squadron("Alpha", "earth", "2120", dead, "Hyperion-1", speed=3, formation={"Hyperion-1": "A1"}),
        sides=EARTH_AND_MINBARI,
    )
    result = play(state, minbari="Tinashi-1: tractor Olympus-1 power fusion-cannon\nR1: hold", earth="Alpha: hold")
    tinashi = the_ship(result.state, "Tinashi-1")
    assert (tinashi.holding, tinashi.powered_off) == ("Olympus-1", (1,))
    assert the_ship(result.state, "Olympus-1").squadron == "Stray Olympus-1"
    later = play(result.state, minbari="R1:\n path F1 P F2\n hold", earth="Alpha:\n hold\nOlympus-1: hold")
    moved = the_ship(later.state, "Tinashi-1").hex.minus(tinashi.hex)
    assert the_ship(later.state, "Olympus-1").hex == the_ship(result.state, "Olympus-1").hex.plus(moved)
    free = play(later.state, minbari="R1: hold\nTinashi-1: release", earth="Alpha: hold\nOlympus-1: hold")
    assert (the_ship(free.state, "Tinashi-1").holding, the_ship(free.state, "Olympus-1").held_by) == (None, None)


@pytest.mark.rule("FA-SPC-7")
def test_spc_7_a_battered_ship_may_tear_itself_free():
    """accel 1, decel 1: d6 3 takes accel, d6 2 a structure box; decel is left and it breaks away; 3, 5: held."""
    battered = ship("Olympus-1", structure=2, man_left={"acc": 1, "dec": 1})
    state = situation(
        squadron("R1", "minbari", "2020", "Tinashi-1"),
        squadron("Alpha", "earth", "2120", battered),
        sides=EARTH_AND_MINBARI,
    )
    text = {"minbari": "Tinashi-1: tractor Olympus-1\nR1: hold", "earth": "Alpha: hold"}
    assert events(play(state, 3, 2, **text), "tractor")[0].facts["result"] == "breaks free"
    assert events(play(state, 3, 5, **text), "tractor")[0].facts["result"] == "holds"
    no = play(state, minbari=text["minbari"], earth="Alpha: hold\nOlympus-1: resist no")
    assert events(no, "tractor")[0].facts["result"] == "holds"
    assert the_ship(play(state, 2, 2, **text).state, "Olympus-1").fate == "destroyed"


@pytest.mark.rule("FA-SPC-9")
def test_spc_9_gravitic_engines_combine_and_change_late():
    """A capital Sharlin combines a speed change with a turn, and loses only 1 a pulse."""
    state = situation(squadron("S1", "minbari", "2020", "Sharlin-1", speed=6), EARTH, sides=EARTH_AND_MINBARI)
    of = movement.limits(battle(state), the_squadron(state, "S1"))
    assert (of.acceleration, of.combine) == ((6, 5, 4), ("maintain", "turn"))


@pytest.mark.rule("FA-MOR-2")
def test_mor_2_levels():
    """Half, then steps of a tenth, never below 1; a single grey box has the level 0."""
    assert [morale.levels(start) for start in (1, 2, 3, 5, 25)] == [[0], [1], [1], [2, 1], [12, 10, 8, 6, 4]]


@pytest.mark.rule("FA-MOR-2", "FA-MOR-3")
@pytest.mark.parametrize(("die", "state_after"), [(9, "normal"), (10, "withdrawing")])
def test_mor_2_a_squadron_of_one_grey_box_has_the_single_level_0(die, state_after):
    """Skirmish: d12 + 1 against 11."""
    state = situation(
        squadron("Alpha", "earth", "3030", "Olympus-1", morale_start=1, morale_lost=1),
        NARN,
    )
    result = play(state, die, earth="Alpha: hold", narn="Kha'Mak: hold")
    assert the_squadron(result.state, "Alpha").state == state_after
    assert the_squadron(result.state, "Alpha").levels_rolled == frozenset({0})


@pytest.mark.rule("FA-CMD-9")
def test_cmd_9_vacancies_are_filled_in_roster_order():
    """When a squadron leaves play, one outside comes into the net."""
    small = cards(flag={**_tiny(), "cr": 2})
    state = situation(
        squadron("Alpha", "earth", "1010", ship("Flag-1", "flag")),
        squadron("Bravo", "earth", "1510", ship("Flag-2", "flag"), outside_net=True),
        squadron("Delta", "earth", "2010", ship("Flag-3", "flag"), outside_net=True),
        NARN,
        **small,
    )
    fight = battle(state)
    succession.raise_flags(fight)
    assert [s.outside_net for s in fight.roster("earth")] == [False, False, True]


@pytest.mark.rule("FA-CMD-15", "FA-MOV-4")
def test_cmd_15_a_detached_ship_no_longer_limits_the_squadron():
    """Nova-1 crippled to turn 0: with it no turn at speed 3 is possible, without it there is."""
    cripple = ship("Nova-1", man_left={"tn": 0, "ht": 0, "ca": 0})
    state = situation(squadron("Alpha", "earth", "2020", "Hyperion-1", cripple, speed=3), NARN)
    assert problems(state, "earth", "Alpha: path F1 P F2") == ["FA-E-9"]
    text = "Alpha:\n detach Nova-1\n path F1 P F2"
    assert problems(state, "earth", text) == []
    assert the_squadron(play(state, earth=text).state, "Alpha").heading == 6


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


@pytest.mark.rule("FA-CMD-9")
@pytest.mark.parametrize(("order", "outside"), [("", ["Charlie"]), ("outside Bravo", ["Bravo"])])
def test_cmd_9_squadrons_beyond_the_new_flagships_cr_are_outside_the_net(order, outside):
    """Omega-1 was lost in turn 1; Olympus-1, cr 2 here, raises the flag over three squadrons."""
    state = situation(
        squadron("Alpha", "earth", "3030", ship("Omega-1", structure=0), "Olympus-1", command_ship="Olympus-1"),
        squadron("Bravo", "earth", "2030", "Olympus-2"),
        squadron("Charlie", "earth", "2530", "Olympus-3"),
        NARN,
        fleet=[{"side": "earth", "name": "Home", "flagship": "Omega-1", "flagless_turn": 1}],
        turn=2,
        **cards(olympus={"cr": 2}),
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
        NARN,
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
    assert fired(result) == [("heavy-laser", "T'Loth-1", 2), ("medium-pulse", "T'Loth-1", 2)]


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


@pytest.mark.rule("FA-SPC-6", "FA-SPC-8")
def test_spc_8_a_squadron_whose_command_ship_is_held_goes_on_under_another():
    """A held capital ship costs the holder all weapons and half of every row."""
    dead = ship("Hyperion-1", man_left={"acc": 0, "dec": 0})
    state = situation(
        squadron("R1", "minbari", "2020", "Tinashi-1"),
        squadron("Alpha", "earth", "2120", dead, "Hyperion-2", formation={"Hyperion-2": "A1"}),
        sides=EARTH_AND_MINBARI,
    )
    result = play(state, minbari="Tinashi-1: tractor Hyperion-1\nR1: hold", earth="Alpha: hold")
    assert the_squadron(result.state, "Alpha").command_ship == "Hyperion-2"
    tinashi = the_ship(result.state, "Tinashi-1")
    assert tinashi.powered_off == (0, 1)
    of = movement.limits(battle(result.state), the_squadron(result.state, "R1"))
    assert (of.rows.tn, of.rows.cc, of.rows.ht, of.rows.ca, of.rows.acc) == (6, 4, 3, 2, 3)


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


@pytest.mark.rule("FA-SEQ-2", "FA-ABL-7")
def test_seq_2_priority_support_counts_as_elint_support():
    """Bravo has no ELINT ship of its own, but receives support: category 5 instead of 4."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", "Oracle-1"),
        squadron("Bravo", "earth", "2030", "Hyperion-1"),
        NARN,
        fleet=[fleet("earth", "Omega-1", abilities=["priority-support"])],
    )
    fight = battle(state, earth="Fleet: use priority-support Oracle-1 for Bravo")
    before = sequence.category(fight, fight.squadrons["Bravo"])
    elint.allocate(fight)
    assert (before, sequence.category(fight, fight.squadrons["Bravo"])) == (4, 5)

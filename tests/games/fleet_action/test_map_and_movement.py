"""FA-MAP, FA-MOV, FA-FRM, FA-SEQ: geometry, plots, formations and the order of movement."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.fleet_action.rules import geometry, movement, plotting, sequence, weapons
from games.fleet_action.rules.cards import house_catalogue
from games.fleet_action.rules.movement import Fault, SpeedChange
from games.fleet_action.state import State
from pbem.kit import hexgrid
from pbem.kit.hexgrid import Hex
from pbem.kit.scene import hex_point
from tests.games.fleet_action.builders import (
    at,
    battle,
    complaint,
    events,
    flight,
    places,
    play,
    problems,
    sheet,
    ship,
    situation,
    squadron,
    the_flight,
    the_ship,
    the_squadron,
)

FAR_NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")


def alone(*ships: str | dict[str, Any], speed: int, hex_name: str = "3030", heading: int = 1, **fields: Any) -> State:
    return situation(squadron("Alpha", "earth", hex_name, *ships, heading=heading, speed=speed, **fields), FAR_NARN)


@pytest.mark.rule("FA-MAP-1", "FA-MAP-2", "FA-MAP-3", "FA-MAP-5")
def test_map_1_to_5_axial_hexes_directions_distance_and_rotation():
    """Direction 1 is (0,-1), clockwise to 6 (-1,0); a turned offset keeps its length."""
    steps = [geometry.ahead(Hex(0, 0), heading) for heading in geometry.HEADINGS]

    assert steps == [Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0)]
    assert hexgrid.distance(Hex(0, 0), Hex(3, -5)) == 5
    assert hexgrid.rotated(Hex(2, -3), 1) == Hex(3, -1)
    assert Hex(2, -3).s == 1


@pytest.mark.rule("FA-MAP-4")
def test_map_4_turning_starboard_and_port():
    """6 turns to starboard into 1, 1 to port into 6."""
    assert [geometry.starboard(6), geometry.starboard(1, -1), geometry.starboard(2, 3)] == [1, 6, 5]


@pytest.mark.rule("FA-MAP-6", "FA-MAP-7")
def test_map_6_hex_names_and_their_places():
    """0101 is (0,0), 0201 is (1,0), half a hex lower."""
    assert [at("0101"), at("0201"), at("(3,-1)")] == [Hex(0, 0), Hex(1, 0), Hex(3, -1)]
    assert hexgrid.name(at("2415")) == "2415"
    assert hex_point(at("0201")).y > hex_point(at("0101")).y
    assert (hex_point(at("0201")).x, hex_point(at("0101"))) == (1.5, (0, 0))


@pytest.mark.rule("FA-MAP-8", "FA-WDR-5", "FA-WDR-6")
def test_map_8_a_ship_whose_step_leaves_the_map_leaves_play():
    """The command ship takes along members within its command radius; the others withdraw under another."""
    state = situation(
        squadron(
            "Alpha",
            "earth",
            "3002",
            "Hyperion-1",
            "Hyperion-2",
            "Hyperion-3",
            speed=9,
            formation={"Hyperion-2": "A2", "Hyperion-3": "A9"},
        ),
        FAR_NARN,
    )
    result = play(state, earth="Alpha: path F9")

    assert [the_ship(result.state, f"Hyperion-{n}").fate for n in (1, 2, 3)] == ["left", "left", "in play"]
    (exit_,) = events(result, "exit")
    assert (exit_.facts["ships"], exit_.facts["way"]) == (["Hyperion-1", "Hyperion-2"], "edge")
    alpha = the_squadron(result.state, "Alpha")
    assert (alpha.command_ship, alpha.state) == ("Hyperion-3", "withdrawing")


@pytest.mark.rule("FA-MAP-10", "FA-MAP-12")
def test_map_10_a_boundary_favours_the_firers_x_and_the_targets_armour():
    """A boundary hex lies in two arcs; the better armour is struck, then the arc nearer the bow."""
    cards = house_catalogue().classes
    boundary = geometry.arcs(at("2020"), 1, at("2120").plus(Hex(0, -1)))

    assert boundary == (0, 1)
    assert weapons.nominal_x(cards["omega"].weapons[0], at("2020"), 1, at("2120").plus(Hex(0, -1))) == 4
    assert geometry.struck_arc(cards["hyperion"], (0, 1)) == 0
    assert geometry.struck_arc(cards["morshin"], (2, 3)) == 2
    assert [geometry.armour_of(cards["hyperion"], arc) for arc in range(6)] == [5, 4, 4, 4, 4, 4]
    assert [geometry.armour_of(cards["artemis"], arc) for arc in range(6)] == [5, 5, 4, 4, 4, 5]
    assert {geometry.armour_of(cards["olympus"], arc) for arc in range(6)} == {4}


@pytest.mark.rule("FA-MOV-2")
@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("F3P|F4|F3", "F F F P | F F F F | F F F"),
        ("f2, slips, F", "F F slipS F"),
        ("SLPS2", "slipP S S"),
        ("P4", "P P P P"),
    ],
)
def test_mov_2_tokens_are_read_by_longest_match(text, steps):
    """Blanks between tokens may be left out."""
    assert " ".join(plotting.expand(text)) == steps


@pytest.mark.rule("FA-MOV-2")
@pytest.mark.parametrize("text", ["F0", "P0", "F3 X", "F 3", "slip"])
def test_mov_2_bad_tokens(text):
    """F0 is bad syntax, and no blank may stand inside a token."""
    with pytest.raises(plotting.BadToken):
        plotting.expand(text)


@pytest.mark.rule("FA-MOV-1")
@given(st.integers(0, 60))
@settings(max_examples=30, deadline=None)
def test_mov_1_the_chart_spreads_the_speed(speed):
    """The three pulses add up to the speed and differ by at most one."""
    pulses = plotting.chart(speed)
    assert sum(pulses) == speed
    assert max(pulses) - min(pulses) <= 1
    assert pulses[0] == pulses[2]


@pytest.mark.rule("FA-MOV-13", "FA-MOV-16")
def test_mov_16_damage_in_the_turn_does_not_alter_a_plotted_path():
    """A mine takes a point of decel before the slowing of pulse 2 takes effect; it is flown all the same."""
    state = situation(
        squadron("Alpha", "earth", "2020", ship("Hyperion-1", man_left={"dec": 3}), speed=6),
        squadron("Kha'Mak", "narn", "5555", "G'Quan-1"),
        salvo=[{"weapon": "energy-mine", "firer": "Kha'Mak", "launch": 0, "impact": 1, "x": 2, "hex": "2020"}],
    )
    result = play(state, 12, 10, 1, 1, earth="Alpha:\n speed -1 pulse 2\n path F5\n hold")

    hyperion = the_ship(result.state, "Hyperion-1")
    assert hyperion.man_left.dec == 1
    assert the_squadron(result.state, "Alpha").speed == 5


@pytest.mark.rule("FA-MOV-17")
def test_mov_17_turning_in_place_at_speed_0():
    """Legal, unless pivot_at_zero is off: then a turn needs speed 1."""
    result = play(alone("Hyperion-1", speed=0), earth="Alpha: path S2")
    assert the_squadron(result.state, "Alpha").heading == 3
    strict = situation(squadron("Alpha", "earth", "3030", "Hyperion-1"), FAR_NARN, switches={"pivot_at_zero": False})
    refused = complaint(strict, "earth", "Alpha: path S2")
    assert (refused.rule, "needs speed 1" in refused.reason) == ("FA-E-9", True)


@pytest.mark.rule("FA-MOV-18", "FA-MOV-19")
def test_mov_18_a_wider_row_covers_a_narrower_manoeuvre():
    """Turn damaged to 3 with hard turn 4: one turn is allowed at 4, and at 5 the limiting row is the hard turn."""
    crippled = ship("Hyperion-1", man_left={"tn": 3})
    assert problems(alone(crippled, speed=4), "earth", "Alpha: path F2 P F2") == []
    said = complaint(alone(crippled, speed=5), "earth", "Alpha: path F2 P F3")
    assert said.hint == "no turn is possible this turn; speed 4 makes it possible next turn"


@pytest.mark.rule("FA-MOV-15")
@given(
    st.lists(st.sampled_from(["F", "P", "S", "slipP", "slipS", "|"]), max_size=12),
    st.integers(0, 10),
    st.integers(-4, 4),
)
@settings(max_examples=60, deadline=None)
def test_mov_15_whatever_passes_the_check_flies_as_far_as_its_speed(steps, speed, delta):
    """A path is refused with a code of section 7, or flies exactly the hexes of the chart."""
    fight = battle(alone("Hyperion-1", speed=speed))
    of = movement.limits(fight, fight.squadrons["Alpha"])
    change = SpeedChange(delta)
    if movement.check_speed(speed, change, of):
        return
    checked = movement.check_path(steps, speed, change, of)
    if isinstance(checked, Fault):
        assert checked.code in {f"FA-E-{n}" for n in range(7, 15)}
        return
    way, _ = plotting.fly(at("3030"), 1, checked.steps)
    assert len(way) == sum(plotting.chart(speed + delta))


@pytest.mark.rule("FA-FRM-4")
def test_frm_4_the_mode_does_not_persist():
    """Relative this turn, absolute again in the next."""
    state = alone("Artemis-1", "Artemis-2", speed=3)
    first = play(state, earth="Alpha:\n mode relative\n path F1 P F2")
    second = play(first.state)
    assert the_squadron(first.state, "Alpha").mode == "relative"
    assert the_squadron(second.state, "Alpha").mode == "absolute"


@pytest.mark.rule("FA-FRM-6", "FA-FRM-7", "FA-FRM-8")
def test_frm_6_one_member_shifts_by_half_the_least_pulse():
    """Speed 6 allows ceil(2/2) = 1: FP1 in pulse 2, before the squadron moves."""
    state = alone("Artemis-1", "Artemis-2", speed=6, formation={"Artemis-2": "A1"})
    result = play(state, earth="Alpha: shift Artemis-2 FP1 pulse 2")

    (shift,) = events(result, "shift")
    assert (shift.facts["pulse"], shift.facts["from"], shift.facts["to"]) == (2, "3029", "2929")
    assert geometry.written_offset(the_squadron(result.state, "Alpha").formation["Artemis-2"]) == "AP1"
    assert problems(state, "earth", "Alpha: shift Artemis-2 FP2") == ["FA-E-15"]


@pytest.mark.rule("FA-FRM-7")
def test_frm_7_reactive_and_placed_shifts():
    """Toward the enemy's command ship, away from it (ties: lowest q), and to a hex in pulse 1."""
    state = situation(
        squadron("Alpha", "earth", "3030", "Artemis-1", "Artemis-2", speed=6, formation={"Artemis-2": "A1"}),
        squadron("Kha'Mak", "narn", "3010", "T'Loth-1", heading=4),
    )
    held = "Alpha:\n hold\n "
    toward = play(state, earth=held + "shift Artemis-2 toward Kha'Mak", narn="Kha'Mak: hold")
    away = play(state, earth=held + "shift Artemis-2 away T'Loth-1", narn="Kha'Mak: hold")
    to = play(state, earth=held + "shift Artemis-2 to 3030", narn="Kha'Mak: hold")
    assert [events(result, "shift")[0].facts["to"] for result in (toward, away, to)] == ["3030", "2932", "3030"]


@pytest.mark.rule("FA-FRM-9")
def test_frm_9_prev_hex_is_the_hex_before():
    """Straight ahead the command ship came from the hex behind it; a ship that does not move keeps its own."""
    result = play(alone("Hyperion-1", speed=6))
    assert the_ship(result.state, "Hyperion-1").prev_hex == at("3025")
    assert the_ship(result.state, "T'Loth-9").prev_hex is None


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


@pytest.mark.rule("FA-SEQ-3", "FA-SEQ-7")
def test_seq_3_categories_then_the_ordered_sequence():
    """Bravo lost a ship and goes first; Delta is ordered before Alpha."""
    state = situation(
        squadron("Alpha", "earth", "1010", "Artemis-1", speed=3),
        squadron("Bravo", "earth", "1510", "Artemis-2", speed=3, lost_ship=True),
        squadron("Delta", "earth", "2010", "Artemis-3", speed=3),
        FAR_NARN,
    )
    result = play(state, earth="Fleet: sequence Delta, Alpha")
    moved = [event.facts["squadron"] for event in events(result, "move")]
    assert moved[:3] == ["Bravo", "Delta", "Alpha"]
    assert moved[3:6] == ["Delta", "Alpha", "Bravo"]


@pytest.mark.rule("FA-SEQ-5")
def test_seq_5_more_than_two_sides_go_by_keys():
    """Squadron j of n has the key (2j-1)/(2n); ties by side order."""
    assert sequence.interleaved({"a": ["a1"], "b": ["b1", "b2"], "c": ["c1", "c2", "c3"]}) == [
        "c1",
        "b1",
        "a1",
        "c2",
        "b2",
        "c3",
    ]


@pytest.mark.rule("FA-SEQ-6", "FA-CMD-8")
def test_seq_6_a_flagless_fleet_moves_first_in_the_named_pulse():
    """The Narn name pulse 2: there Earth moves before them, elsewhere the ordinary order stands."""
    state = situation(
        squadron("Alpha", "earth", "1010", "Artemis-1", speed=3),
        squadron("Kha'Mak", "narn", "4040", "T'Loth-1", speed=3),
        turn=2,
        fleet=[{"side": "earth", "flagship": "Artemis-1", "flagless_turn": 1}],
    )
    result = play(state, narn="Fleet: first pulse 2")
    firsts = [next(e.facts["side"] for e in events(result, "move") if e.facts["pulse"] == pulse) for pulse in (1, 2, 3)]
    assert firsts == ["narn", "earth", "narn"]


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


def test_flights_stand_where_the_order_of_movement_left_them():
    """FA-SEQ-7: a strike flies to where the ship has ended its move."""
    state = situation(
        squadron("Alpha", "earth", "3030", "Hyperion-1", speed=3),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
        flights=[flight("Frazi-1", "frazi", "T'Loth-1", "3031", mission="strike", target="Alpha")],
    )
    result = play(state, 1, 1, 1, earth="Alpha:\n hold\n af off", narn="Kha'Mak: hold")
    assert the_flight(result.state, "Frazi-1").hex == the_ship(result.state, "Hyperion-1").hex
    assert places(result, "Hyperion-1")[-1] == "3027"


def test_defaults_are_told_in_sentences():
    """FA-MOV-14: what a silent squadron does stands on the receipt."""
    assert sheet(alone("Hyperion-1", speed=6), "earth", "").defaults == (
        "Alpha keeps speed 6 and goes straight ahead, F6.",
    )

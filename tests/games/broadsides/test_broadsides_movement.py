"""Chapter 4.3: the manoeuvre check."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.broadsides.rules.autopilot import candidates, chase, guard
from games.broadsides.rules.catalogue import printed
from games.broadsides.rules.craft import (
    Course,
    Craft,
    Fault,
    Ground,
    Plot,
    SlideOrder,
    read_tokens,
    thrust_of,
    write_tokens,
)
from games.broadsides.rules.movement import attempt, check
from games.broadsides.state import Slide, Turning
from pbem.kit.hexgrid import Hex
from tests.games.broadsides.builders import FAR, events, flight, rules_broken, ship, silent, state_of, tried, unit

OPEN = Ground({"radius": 60})
AT_REST: dict[str, Any] = {"side": "EA", "position": Hex(0, 0), "heading": 0, "facing": 0}
LANCE = Craft(**AT_REST, name="Lance", class_name="Lance", speed=6, thrust=10, accel_cost=2, turn_factor=Fraction(1, 2))
PICKET = replace(LANCE, name="Picket", thrust=9, accel_cost=1, turn_factor=Fraction(1, 3), agile=True)
ASHAN = replace(LANCE, name="Ashan", accel_cost=1, turn_factor=Fraction(1, 3), drive="gravitic")
KESTREL = replace(LANCE, name="Red", speed=8, accel_cost=1, turn_factor=Fraction(1, 4), flight=True)


def fly(craft: Craft, path: str | None = None, ground: Ground = OPEN, **plot: object) -> Course:
    """A plot that must be legal."""
    tokens = None if path is None else read_tokens(path)
    found = attempt(craft, Plot(tokens=tokens, **plot), ground)  # type: ignore[arg-type]
    assert isinstance(found, Course), found
    return found


def fault(craft: Craft, path: str | None = None, ground: Ground = OPEN, **plot: object) -> Fault:
    tokens = None if path is None else read_tokens(path)
    found = attempt(craft, Plot(tokens=tokens, **plot), ground)  # type: ignore[arg-type]
    assert isinstance(found, Fault), found
    return found


@pytest.mark.rule("BR-MOV-1")
def test_the_path_is_as_long_as_the_final_speed_and_units_move_in_ascending_initiative():
    done = tried(
        unit("EA", "Ajax", "Lance", (0, 40), speed=5),
        unit("Narn", "Tuk", "Tir-Zak", (0, -40), heading=3, speed=4),
        dice=[15, 3],
        ea="Ajax:\n speed +1\n path F6",
    )

    assert [move["unit"] for move in events(done, "move")] == ["Tuk", "Ajax"]
    assert ship(done, "Ajax").position == Hex(0, 34)


@pytest.mark.rule("BR-MOV-2")
def test_a_stopped_ship_sets_out_where_its_bow_points():
    stopped = replace(LANCE, speed=0, facing=2)

    course = fly(stopped, "F2", change=2)

    assert (course.heading, course.hexes[-1]) == (2, Hex(2, 0))


@pytest.mark.rule("BR-MOV-3", "BR-CRT-2", "BR-CRT-6")
def test_thrust_falls_by_engine_blocks_and_thruster_rows():
    """Lance, T 10: 3 engine blocks, one row of the fore thruster (2x3), and a deactivated aft thruster (2 rows)."""
    state = state_of(
        unit("EA", "Ajax", "Lance", blocks_lost={"engine": 3, "thruster-fore": 4}, deactivated={"thruster-aft": 9})
    )

    assert thrust_of(printed(), state.ships["Ajax"]) == 10 - 3 - 1 - 2


@pytest.mark.rule("BR-MOV-4")
def test_each_step_of_speed_costs_the_acceleration_cost():
    assert fly(LANCE, change=3).spent == 6
    assert fault(LANCE, change=-7).reason.endswith("the largest change is -6")


@pytest.mark.rule("BR-MOV-5")
def test_a_counts_speed_and_slide_changes():
    course = fly(LANCE, "F5 LP F1", change=1, slide=SlideOrder("port", 1))

    assert course.acceleration == 2 + 2


@pytest.mark.rule("BR-MOV-6")
@pytest.mark.rule("BR-RUL-4")
def test_the_delay_is_base_plus_acceleration_plus_lost_sides():
    """v 6, k 1/2: 3; +2 acceleration; +2 for a lost side: 7 hexes; in air half of it, rounded up."""
    broken = replace(LANCE, speed=7, lost_sides=1)

    assert "needs 8 hexes (4 base + 2 acceleration + 2 lost sides)" in fault(broken, "F7 P F1", change=1).reason
    air = Ground({"radius": 60}, air={Hex(0, 0): 1})
    rated = replace(LANCE, rating=3)
    assert fly(rated, "F2 P F4", air).heading == 5
    assert fault(rated, "F1 P F5", air).rule == "BR-VAL-5"
    assert fault(replace(LANCE, speed=0), "P").rule == "BR-VAL-5"


@pytest.mark.rule("BR-MOV-7")
def test_one_turn_at_a_time_and_the_next_from_the_turn_point_on():
    course = fly(LANCE, "F3 P F3 P")

    assert (course.heading, course.spent) == (4, 6)
    assert fault(LANCE, "F3 P F2 P F1").rule == "BR-VAL-5"
    assert fault(LANCE, "DP F1 DS F5").rule == "BR-VAL-13"


@pytest.mark.rule("BR-MOV-8")
@pytest.mark.rule("BR-RUL-9")
def test_a_declared_turn_may_wait_half_the_hexes_left_and_is_made_at_the_last_legal_hex():
    """v 8, D 4: served at hex 4, four hexes left, so hexes 4 to 6."""
    fast = replace(LANCE, speed=8)

    assert fly(fast, "DP F6 P F2").hexes[-1] == Hex(-2, -6)
    assert fly(fast, "DP F8").hexes[-1] == Hex(-2, -6)
    assert fault(fast, "DP F7 P F1").rule == "BR-VAL-6"
    assert fly(fast, "F5 DP F3").turning == Turning("port", 1)


@pytest.mark.rule("BR-MOV-9")
def test_no_speed_change_during_a_carried_turn():
    turning = replace(LANCE, turning=Turning("port", 2), facing=4)

    assert fault(turning, change=1).rule == "BR-VAL-7"
    assert fly(replace(ASHAN, turning=Turning("port", 2)), change=1).speed == 7


@pytest.mark.rule("BR-MOV-10")
def test_the_bow_points_past_the_new_heading_until_the_turn_point():
    course = fly(LANCE, "F1 DP F3 P+ F2")

    assert course.facings == (0, 4, 4, 4, 4, 4)
    assert (course.heading, course.facing) == (5, 4)
    assert fly(LANCE, "F1 DP F3 P F2").facings == (0, 4, 4, 4, 5, 5)


@pytest.mark.rule("BR-MOV-11")
@pytest.mark.rule("BR-RUL-6")
def test_a_pivot_takes_its_share_of_the_turn():
    """60 degrees: a third of the turn and of the thrust; 120 and 180: half."""
    assert fly(LANCE, "F6", pivot=1).facings == (0, 0, 1, 1, 1, 1)
    assert fly(LANCE, "F6", pivot=3).facings == (0, 0, 0, 3, 3, 3)
    assert fly(LANCE, change=3, pivot=1).acceleration == 6
    assert fault(LANCE, change=4, pivot=1).rule == "BR-VAL-3"
    assert fault(LANCE, change=3, pivot=2).rule == "BR-VAL-3"
    assert fault(LANCE, "F3 P F3", pivot=1).rule == "BR-VAL-11"
    assert fly(LANCE, "F5 P F1", pivot=1).heading == 5
    assert fly(replace(LANCE, thrust=0), "F6", pivot=3).facing == 3


@pytest.mark.rule("BR-MOV-12")
def test_engines_push_only_along_the_heading():
    """Accelerate bow first, brake stern first; a ship already backward brakes with all its thrust."""
    assert fault(replace(LANCE, facing=1), change=1).rule == "BR-VAL-8"
    assert fly(replace(LANCE, facing=1), change=1, pivot=-1).facing == 0
    assert fly(replace(LANCE, facing=3), change=-5).spent == 10
    assert fly(LANCE, change=-2).facing == 3
    assert fault(LANCE, change=-1, pivot=1).rule == "BR-VAL-8"
    assert fly(ASHAN, change=-2).facing == 0


@pytest.mark.rule("BR-MOV-13")
@pytest.mark.rule("BR-RUL-8")
def test_slides_move_steps_to_one_side_and_persist():
    course = fly(LANCE, "F2 LS F3", slide=SlideOrder("starboard", 1))

    assert (course.hexes[-1], course.slide, course.spent) == (Hex(1, -6), Slide("starboard", 1), 2)
    sliding = replace(LANCE, slide=Slide("port", 3))
    assert fly(sliding).hexes[-1] == Hex(-3, -3)
    assert fly(sliding, slide=SlideOrder(None, 0)).spent == 6
    assert fly(replace(sliding, facing=3), change=-2).slide == Slide("port", 2)
    assert fault(LANCE, slide=SlideOrder("port", 4)).rule == "BR-VAL-10"


@pytest.mark.rule("BR-MOV-14")
@pytest.mark.rule("BR-RUL-42")
def test_turns_toward_a_slide_are_cheaper_and_take_it_in():
    sliding = replace(LANCE, slide=Slide("port", 1))

    toward, away = fly(sliding, "F2 LP P F3"), fly(sliding, "F2 LP S F3")

    assert (toward.spent, toward.slide) == (3 - 2, None)
    assert (away.spent, away.slide) == (3 + 2, Slide("port", 1))


@pytest.mark.rule("BR-MOV-15")
@pytest.mark.rule("BR-RUL-45")
def test_agile_ships_snap_their_bow_round():
    course = fly(PICKET, "F2 RP1 F4")

    assert (course.facings, course.spent) == ((0, 0, 5, 5, 5, 5), 1)
    braking = fly(PICKET, "RS3 F4", change=-2)
    assert (braking.facing, braking.spent) == (3, 3 + 2)
    assert fly(PICKET, "DP F1 RP1 F5").facings[1] == 3
    assert fault(LANCE, "F2 RP1 F4").rule == "BR-VAL-12"


@pytest.mark.rule("BR-MOV-10", "BR-MOV-15")
@pytest.mark.parametrize(("given", "facing"), [({"facing": 1}, 1), ({}, 4)])
def test_a_snapped_facing_holds_until_the_turn_point(given, facing):
    """A Picket with 4 hexes of a turn to port to serve flies 3: its bow stays where a snap pivot left it, or at 4."""
    done = tried(
        unit("EA", "Dover", "Picket", (0, 0), speed=3, turning={"dir": "port", "left": 4}, **given),
        FAR,
        dice=[10, 10],
        ea=silent("Dover") + "\n  path F3",
        narn=silent("Far"),
    )

    assert (ship(done, "Dover").facing, ship(done, "Dover").turning) == (facing, Turning("port", 1))


@pytest.mark.rule("BR-MOV-16")
def test_gravitic_ships_do_anything_at_any_angle():
    backward = replace(ASHAN, facing=3)

    assert fly(backward, change=1).speed == 7
    assert fly(backward, "F2 P F4").facing == 2
    assert fly(ASHAN, "F6", pivot=2).facings == (2,) * 6
    late = fly(replace(ASHAN, turning=Turning("port", 2)), "F7", change=1)
    assert late.heading == 5
    assert fly(replace(ASHAN, turning=Turning("port", 6)), "F7", change=1).hexes[-1] == Hex(0, -7)


@pytest.mark.rule("BR-MOV-17")
def test_a_roll_is_complete_at_the_end_of_movement():
    done = tried(unit("EA", "Ajax", "Lance", (0, 0), speed=2), dice=[5], ea="Ajax: roll\nAjax: path F2")

    assert ship(done, "Ajax").rolled


@pytest.mark.rule("BR-MOV-18")
def test_snap_rolls_of_agile_ships():
    """``if``: only when the unit bears on that side; two-sided ships never roll away."""
    units = (unit("EA", "Dover", "Picket", (0, 0)), unit("Narn", "Tuk", "Tir-Zak", (40, -20)))
    for text, rolled in (("yes", True), ("if Tuk port", False), ("if Tuk starboard", True), ("away", False)):
        done = tried(*units, dice=[5, 5], ea=f"Dover:\n hold all\n snaproll {text}", narn="Tuk: hold all")
        assert ship(done, "Dover").rolled is rolled


@pytest.mark.rule("BR-MOV-19", "BR-VAL-4")
def test_the_thrust_budget():
    """Lance, T 10: 4 for speed, 4 for a turn; a second turn breaks the budget and becomes straight flight."""
    found = fault(LANCE, "DP F8 DP", change=2)

    assert found.rule == "BR-VAL-4"
    assert "costs 4 thrust; with the 8 spent before that is 12, available are 10" in found.reason


@pytest.mark.rule("BR-MOV-20")
@pytest.mark.rule("BR-RUL-10")
def test_an_alternate_path_is_tested_when_the_unit_moves():
    units = (unit("EA", "Ajax", "Lance", (0, 0), speed=4), unit("Narn", "Tuk", "Tir-Zak", (0, -50), speed=0))
    text = "Ajax:\n path F4\n alt {} path F2 P F2"
    for condition, heading in (("beyond 40 of Tuk", 5), ("within 40 of Tuk", 0), ("within 50 of nearest", 5)):
        done = tried(*units, dice=[5, 5], ea=text.format(condition), narn="Tuk: hold all")
        assert ship(done, "Ajax").heading == heading


@pytest.mark.rule("BR-MOV-21")
def test_without_orders_a_unit_drifts():
    turning = replace(LANCE, turning=Turning("starboard", 2), facing=2, slide=Slide("port", 1))

    course = fly(turning)

    assert (course.heading, course.speed, course.slide) == (1, 6, Slide("port", 1))
    assert course.directions == (0, 0, 1, 1, 1, 0)
    assert fly(LANCE, change=1).hexes[-1] == Hex(0, -7)


@pytest.mark.rule("BR-MOV-22")
def test_units_may_share_a_hex():
    done = tried(
        unit("EA", "Ajax", "Lance", (0, 2), speed=2),
        unit("EA", "Bold", "Lance", (0, 0)),
        dice=[5, 5],
        ea="Ajax: path F2",
    )

    assert ship(done, "Ajax").position == ship(done, "Bold").position


@pytest.mark.rule("BR-MOV-23")
def test_flights_turn_like_fighters_and_chase():
    assert fly(KESTREL, change=-3).spent == 3
    assert fly(KESTREL, "F2 P F6").facing == 5
    course = chase(KESTREL, Hex(-4, -2), OPEN)
    assert course.hexes[-1] == Hex(-4, -2)
    done = tried(
        unit("EA", "Red", "Kestrel", (0, 0), speed=8),
        unit("Narn", "Tuk", "Tir-Zak", (0, -8)),
        dice=[5, 5] + [20] * 6,
        ea="Red: attack Tuk",
        narn="Tuk: hold all",
    )
    assert flight(done, "Red").position == Hex(0, -8)


@pytest.mark.rule("BR-MOV-24")
def test_leaving_the_map_is_for_good():
    done = tried(unit("EA", "Ajax", "Lance", (0, -58), speed=4), dice=[5], ea="Ajax: path F4")

    assert ship(done, "Ajax").status == "withdrawn"
    assert events(done, "withdraw")[0]["unit"] == "Ajax"


@pytest.mark.rule("BR-MOV-25")
def test_bases_and_osats_never_move():
    state = state_of(unit("EA", "Citadel", "Citadel", (0, 0)))

    assert rules_broken(state, "EA", "Citadel: speed 2") == ["BR-VAL-3"]
    assert state.ships["Citadel"].speed == 0


@pytest.mark.rule("BR-MOV-26")
def test_the_guard_turns_back_before_the_edge():
    """Three turns ahead the map ends: the plot whose far end lies nearest the centre is flown."""
    edge = Ground({"radius": 20})
    heading_out = replace(LANCE, position=Hex(0, -10))

    course = guard(heading_out, edge)

    assert course is not None
    assert course.heading != 0
    assert guard(replace(LANCE, position=Hex(0, 5)), edge) is None
    assert guard(replace(heading_out, slide=Slide("port", 1)), edge) is None


def test_a_path_is_written_as_it_is_read():
    for text in ("path F3 P F3", "path DP F4 P+ F2", "path F2 LS1 F3", "path RP1 F4"):
        assert write_tokens(read_tokens(text[5:]) or ()) == text


TOKENS = st.lists(st.sampled_from(["F", "F", "F", "P", "S", "DP", "DS", "LP", "LS", "RP", "P+"]), max_size=12)


@settings(max_examples=60, deadline=None)
@given(
    TOKENS,
    st.integers(-4, 4),
    st.integers(-3, 3),
    st.sampled_from([LANCE, PICKET, ASHAN, KESTREL, replace(LANCE, turning=Turning("port", 2), facing=4)]),
)
def test_every_plot_is_corrected_to_a_legal_one(tokens: list[str], change: int, pivot: int, craft: Craft) -> None:
    """Whatever is written, the course flown obeys the rules: length, budget and headings."""
    plot = Plot(change, tuple(tokens), 0 if craft.flight else pivot)

    course, faults = check(craft, plot, OPEN)

    assert isinstance(attempt(craft, course.plot, OPEN), Course)
    assert len(course.directions) == course.speed
    assert course.spent <= craft.thrust
    assert bool(faults) or course.plot == plot


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 9), st.integers(-2, 2), st.sampled_from([LANCE, PICKET, KESTREL]))
def test_the_autopilot_proposes_only_legal_plots(speed: int, change: int, craft: Craft) -> None:
    here = replace(craft, speed=speed, flight=True, drive="gravitic")

    for found in candidates(here, change, 3, OPEN):
        course = attempt(here, Plot(change, found.tokens), OPEN)
        assert isinstance(course, Course)
        assert (course.hexes[-1], course.heading) == (found.end, found.heading)

"""Sections 4.7 to 4.9: missiles, interceptors, fighters."""

from __future__ import annotations

import pytest

from tests.games.battleshift.builders import (
    AZURE_FIRST,
    FAR,
    events,
    flight,
    foe,
    kinds,
    named,
    order_of,
    sq,
    state_of,
    tf,
    turn,
)

CLS = {
    "Tube": {"size": 2, "missile": 2},
    "Base": {"size": 3, "bay": 4},
    "Raft": {"size": 3, "no_shields": True, "hull": 20},
    "Net": {"size": 3, "interceptor": 1},
}


def table(ships, tfs=None, flights=None, **more):
    return state_of(ships, tfs, flights, **{"class": CLS, **more})


def wings(state):
    return {one.name: (one.wings, one.x, one.y) for one in state.flights}


# --- missiles --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-MSL-4", "BS-R-19", "BS-R-20", "BS-TER-1", "BS-MSL-1")
def test_a_body_in_the_line_lowers_the_lock_and_halves_the_strike():
    """Lock 5 - 1 for the moon; 3 of 6 missiles are lost once, before any reaction."""
    moon = {"kind": "moon", "name": "Cinder", "at": "20,30", "radius": 150}
    dust = {"kind": "dust", "at": "20,34", "radius": 100}
    ships = [sq("Dart", "Tube", "20,40", "20.5,40", "19.5,40"), foe("Raft", "Raft", "20,20")]
    shot = turn(table(ships, terrain=[moon, dust]), "Dart: hold", dice=(*AZURE_FIRST, 3, 3, 3, 6, 6))

    assert events(shot, "lock")[0]["number"] == 3
    assert (events(shot, "strike")[0]["lost"], events(shot, "strike")[0]["arriving"]) == (3, 3)
    assert events(shot, "shields")[0]["need"] == 1


@pytest.mark.rule("BS-MSL-7", "BS-MSL-5")
def test_strikes_of_a_volley_hit_as_one_attack():
    """Two strikes of two missiles: four hits at once suppress three ships; staggered they do not."""
    prey = foe("Raft", "Raft", "20,20", "21,20", "22,20")
    ships = [sq("A", "Tube", "20,40"), sq("B", "Tube", "22,40"), prey]
    for mode, markers in (("volley", 1), ("staggered", 0)):
        state = table(ships, [tf("Line", "A", "B", mode=mode)])
        dice = (*AZURE_FIRST, 1, 1, *(6,) * (6 if mode == "volley" else 8))
        shot = turn(state, "Line: hold", dice=dice)

        assert named(shot.state, "Raft").suppression == markers
        assert named(shot.state, "Raft").damage == 4


@pytest.mark.rule("BS-MSL-8")
def test_a_strike_whose_target_is_gone_is_lost():
    """A's strike destroys the raft; B's, out of command, finds nothing."""
    cls = {**CLS, "Eggshell": {"size": 3, "no_shields": True, "hull": 1}}
    ships = [sq("A", "Tube", "20,40"), sq("B", "Tube", "30,40"), foe("Egg", "Eggshell", "25,20"), FAR]
    state = table(ships, [tf("Line", "A", "B")], **{"class": cls})
    shot = turn(state, "Line: hold", dice=(*AZURE_FIRST, 1, 1, 6, 6, 6))

    assert [f["why"] for f in events(shot, "strike")] == ["", "its target is gone"]


@pytest.mark.rule("BS-MSL-9")
def test_a_launcher_that_escapes_does_not_stop_its_strike():
    ships = [sq("Dart", "Tube", "20,40"), sq("Stay", "Attack Destroyer", "5,45"), foe("Raft", "Raft", "20,20")]
    shot = turn(table(ships), "Dart: escape\nStay: hold", dice=(*AZURE_FIRST, 1, 6, 6))

    assert kinds(shot, "escape", "strike") == ["escape", "strike"]
    assert named(shot.state, "Raft").damage == 2


@pytest.mark.rule("BS-MSL-6", "BS-FTR-2")
def test_missiles_may_be_launched_at_a_flight():
    state = table(
        [sq("Dart", "Tube", "20,40"), foe("Nest", "Base", "60,5", wings_aboard=0)],
        flights=[flight("Owl", "Nest", 3, "20,30", "crimson", standing=["intercept none"])],
    )
    shot = turn(state, "Dart:\n  hold\n  missiles at Owl", dice=(*AZURE_FIRST, 1, 4, 2))

    assert wings(shot.state)["Owl"][0] == 2


# --- interceptors ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-INT-2")
def test_interceptors_fire_in_their_own_move_at_the_first_tick_near_a_flight():
    state = table(
        [sq("Net", "Net", "20,40"), foe("Nest", "Base", "60,5", wings_aboard=0)],
        flights=[flight("Owl", "Nest", 2, "20,30", "crimson")],
    )
    shot = turn(state, "Net: move ahead 12", dice=(*AZURE_FIRST, 4, 4))

    assert events(shot, "intercept")[0]["reactor"] == "Net"
    assert wings(shot.state)["Owl"][0] == 1


def passing(doctrine="", start="20,40", interceptors="20.5,30", target="20,20", dice=()):
    """Hawk flies past Net on its way to Raft, which is in another taskforce."""
    ships = [
        sq("Roost", "Base", "20,46", wings_aboard=0),
        foe("Net", "Net", interceptors, standing=[doctrine] if doctrine else []),
        foe("Raft", "Raft", target),
    ]
    state = table(ships, flights=[flight("Hawk", "Roost", 2, start)])
    return turn(state, "Roost: hold\nHawk: strike Raft", dice=(*AZURE_FIRST, *dice))


@pytest.mark.rule("BS-INT-3", "BS-INT-5", "BS-FTR-8")
def test_a_flight_that_passes_within_an_inch_is_fired_at_once():
    shot = passing(dice=(4, 6, 6))

    assert [(f["reactor"], f["point"]) for f in events(shot, "intercept")] == [("Net", [2000, 3000])]
    assert events(shot, "fire")[0]["dice"] == [[6]]


@pytest.mark.rule("BS-INT-7")
@pytest.mark.parametrize("doctrine", ["intercept none", "intercept missiles", "intercept self", "intercept any min 3"])
def test_doctrine_keeps_interceptors_silent(doctrine):
    shot = passing(doctrine, dice=(6, 6))

    assert "intercept" not in kinds(shot)


@pytest.mark.rule("BS-INT-6")
def test_a_flight_that_begins_inside_the_reach_is_not_fired_at_in_passing():
    shot = passing(start="20,30.5", dice=(6, 6))

    assert "intercept" not in kinds(shot)


@pytest.mark.rule("BS-INT-8")
def test_clouds_cover_what_is_intercepted():
    dust = {"kind": "dust", "at": "20,20", "radius": 100}
    ships = [sq("Dart", "Tube", "20,40"), foe("Net", "Net", "20,20")]
    state = table(ships, terrain=[dust])
    shot = turn(state, "Dart: hold", dice=(*AZURE_FIRST, 4, 4, 6, 6))

    assert events(shot, "intercept")[0]["number"] == 3


# --- fighters --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-FTR-4", "BS-FTR-5", "BS-FTR-6", "BS-FTR-22", "BS-R-23")
def test_wings_are_launched_on_the_way_and_strike_at_once():
    """Launched after six inches at 20,34; two flights act in the order of their blocks."""
    ships = [sq("Roost", "Base", "20,40"), foe("Raft", "Raft", "20,20")]
    text = "Roost: move ahead 8\nRoost: launch 2 as Owl after 6\nRoost: launch 2 as Hawk\n"
    text += "Hawk: strike Raft then 180 5\nOwl: fly 090 10 then 000 14"
    shot = turn(table(ships), text, dice=(*AZURE_FIRST, 6, 6))

    assert [(f["flight"], f["at"]) for f in events(shot, "launch")] == [("Owl", [2000, 3400]), ("Hawk", [2000, 3200])]
    assert [f["flight"] for f in events(shot, "fly")] == ["Hawk", "Owl"]
    assert wings(shot.state) == {"Owl": (2, 3000, 2000), "Hawk": (2, 2000, 2500)}


@pytest.mark.rule("BS-FTR-21")
def test_a_strike_out_of_reach_closes_up():
    ships = [sq("Roost", "Base", "20,46", wings_aboard=0), foe("Raft", "Raft", "20,10")]
    shot = turn(table(ships, flights=[flight("Hawk", "Roost", 2, "20,40")]), "Roost: hold\nHawk: strike nearest")

    assert wings(shot.state)["Hawk"] == (2, 2000, 1600)
    assert "fire" not in kinds(shot)


@pytest.mark.rule("BS-FTR-10", "BS-FTR-14", "BS-R-50")
def test_engaging_and_being_caught_both_end_in_a_dogfight():
    """Hawk engages Owl: both shoot at 3 and dodge at 3, both stay."""
    ships = [sq("Roost", "Base", "20,46", wings_aboard=0), foe("Nest", "Base", "60,5", wings_aboard=0)]
    flights = [
        flight("Hawk", "Roost", 2, "20,40"),
        flight("Owl", "Nest", 1, "20,30", "crimson", standing=["intercept none"]),
    ]
    shot = turn(table(ships, flights=flights), "Roost: hold\nHawk: engage Owl", dice=(*AZURE_FIRST, 3, 4, 3, 4, 3))

    assert events(shot, "dogfight")[0]["hits"] == [1, 1]
    assert wings(shot.state) == {"Hawk": (1, 2000, 3000), "Owl": (1, 2000, 3000)}


@pytest.mark.rule("BS-FTR-15", "BS-FTR-16")
def test_a_flight_that_breaks_contact_evades_first():
    """Owl, in contact, exchanges fire once and cannot intercept again."""
    ships = [sq("Roost", "Base", "20,46", wings_aboard=0), foe("Nest", "Base", "60,5", wings_aboard=0)]
    flights = [flight("Hawk", "Roost", 1, "20,40"), flight("Owl", "Nest", 1, "20,40.5", "crimson")]
    shot = turn(table(ships, flights=flights), "Roost: hold\nHawk: fly 000 10", dice=(*AZURE_FIRST, 1, 1, 4, 4))

    assert [f["numbers"] for f in events(shot, "evade")] == [[1, 3]]
    assert wings(shot.state) == {"Hawk": (1, 2000, 3000)}


@pytest.mark.rule("BS-FTR-12", "BS-FTR-11")
def test_uncontrolled_flights_chase_an_inch_and_act_last():
    """Owl's carrier is gone: it does not react at 4.00", and it is a detached item of its own."""
    ships = [sq("Roost", "Base", "20,46", wings_aboard=0), foe("Nest", "Base", "60,5", wings_aboard=0, acted=False)]
    ships[1]["ships"][0]["status"] = "destroyed"
    ships.append(foe("Raft", "Raft", "60,10"))
    flights = [flight("Hawk", "Roost", 2, "20,40"), flight("Owl", "Nest", 2, "24,35", "crimson")]
    shot = turn(table(ships, flights=flights), "Roost: hold\nHawk: fly 000 10")

    assert order_of(shot) == ["Roost", "Owl"]
    assert kinds(shot, "evade", "dogfight", "intercept") == []


@pytest.mark.rule("BS-FTR-18", "BS-V-28")
def test_recovery_on_contact_during_the_move():
    ships = [sq("Roost", "Base", "20,40", wings_aboard=1), FAR]
    shot = turn(
        table(ships, flights=[flight("Hawk", "Roost", 2, "20,35")]), "Roost: move ahead 10\nRoost: recover Hawk"
    )

    assert named(shot.state, "Roost").wings_aboard == 3
    assert shot.state.flights == ()


@pytest.mark.rule("BS-FTR-20", "BS-FLT-4")
def test_an_idle_carrier_makes_wings_good():
    ships = [sq("Roost", "Base", "20,40", "21,40", wings_aboard=5), FAR]
    shot = turn(table(ships, switches={"fighter_recovery": True}), "Roost: hold", dice=(*AZURE_FIRST, 3, 4))

    assert named(state_of([sq("New", "Fleet Carrier", "20,40"), FAR]), "New").wings_aboard == 6
    assert named(shot.state, "Roost").wings_aboard == 6


@pytest.mark.rule("BS-FTR-12", "BS-INT-7")
def test_a_guard_meets_only_what_is_aimed_at_its_charge():
    ships = [
        sq("Roost", "Base", "20,46", wings_aboard=0),
        foe("Raft", "Raft", "20,20"),
        foe("Nest", "Base", "60,5", wings_aboard=0),
    ]
    for charge, met in (("Raft", ["evade"]), ("Nest", [])):
        owl = flight("Owl", "Nest", 1, "22,30", "crimson", standing=[f"guard {charge}"])
        state = table(ships, flights=[flight("Hawk", "Roost", 1, "20,40"), owl])
        dice = (*AZURE_FIRST, 6, 6, 6) if met else (*AZURE_FIRST, 6)
        shot = turn(state, "Roost: hold\nHawk: strike Raft", dice=dice)

        assert kinds(shot, "evade", "dogfight") == met

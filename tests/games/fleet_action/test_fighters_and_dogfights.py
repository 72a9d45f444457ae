"""FA-FTR, FA-AF, FA-DOG: missions, flight movement, anti-fighter fire and dogfights."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.fleet_action.rules import antifighter, dogfights, flightpaths, flying
from games.fleet_action.state import State
from pbem.kit.hexgrid import Hex, distance
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    at,
    battle,
    events,
    flight,
    play,
    play_low,
    problems,
    ship,
    situation,
    squadron,
    the_flight,
)

EARTH = squadron("Alpha", "earth", "0505", "Hyperion-9", "Avenger-9", heading=4)
NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
SILENT = {"earth": "Alpha: hold\nAlpha: af off", "narn": "Kha'Mak: hold\nKha'Mak: af off"}


def skies(
    *flights: dict[str, Any],
    turn: int = 1,
    switches: dict[str, Any] | None = None,
    alpha: dict[str, Any] = EARTH,
    kha_mak: dict[str, Any] = NARN,
) -> State:
    return situation(alpha, kha_mak, flights=flights, turn=turn, switches=switches)


def fury(name: str = "Fury-1", place: str | None = None, **fields: Any) -> dict[str, Any]:
    return flight(name, "aurora", "Hyperion-9", place, **fields)


def frazi(name: str = "Frazi-1", place: str | None = None, **fields: Any) -> dict[str, Any]:
    return flight(name, "frazi", "T'Loth-9", place, **fields)


# --- missions and movement -------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-FTR-1")
def test_ftr_1_missions_change_on_odd_turns():
    """Turn 3 yes, turn 2 no; a flight just launched takes any mission on any turn."""
    order = "Fury-1: mission superiority 2020"
    assert problems(skies(fury(place="1010"), turn=3), "earth", order) == []
    assert problems(skies(fury(place="1010"), turn=2), "earth", order) == ["FA-E-24"]
    assert problems(skies(fury(), turn=2), "earth", order + "\nFury-1: launch") == []
    assert problems(skies(fury(place="1010"), turn=2), "earth", "Fury-1: land Hyperion-9") == ["FA-E-24"]


@pytest.mark.rule("FA-FTR-2")
def test_ftr_2_launch_into_the_ordered_arc_and_no_further_that_pulse():
    """Heading 4, arc FS is direction 5: 0405; by default an escort of its own squadron."""
    result = play(skies(fury()), earth="Fury-1: launch pulse 3 FS")
    launched = the_flight(result.state, "Fury-1")
    assert (launched.hex, launched.launched, launched.mission, launched.charge) == (
        at("0506").plus(Hex(-1, 0)),
        3,
        "escort",
        "Alpha",
    )


@pytest.mark.rule("FA-FTR-3")
def test_ftr_3_landing_needs_a_free_place_and_a_legal_type():
    """Fury-1 lands on Avenger-9 and could be launched again; a full Hyperion takes nobody."""
    state = skies(fury(place="0505"), fury("Fury-2"), turn=1)
    assert problems(state, "earth", "Fury-1: land Hyperion-9") == ["FA-E-25"]
    result = play(state, earth="Fury-1: land Avenger-9")
    landed = the_flight(result.state, "Fury-1")
    assert (landed.state, landed.home) == ("hangar", "Avenger-9")
    (event,) = events(result, "land")
    assert event.facts["ship"] == "Avenger-9"


@pytest.mark.rule("FA-FTR-4", "FA-FTR-5")
@given(st.integers(0, 6), st.integers(1, 6))
@settings(max_examples=25, deadline=None)
def test_ftr_4_a_hex_and_a_hexside_cost_a_point_each(heading, points):
    """Straight ahead as many hexes as points; no way costs more than the points, and each leads where it says."""
    ways = flightpaths.reach(heading, points)
    for offset, (cost, way) in ways.items():
        assert cost <= points
        assert (flightpaths.flown(Hex(0, 0), way) or [Hex(0, 0)])[-1] == offset
    assert max(distance(Hex(0, 0), offset) for offset in ways) == points


@pytest.mark.rule("FA-FTR-5")
def test_ftr_5_least_distance_then_cost_then_directions():
    """From heading 1 the hex two NE costs 3 (turn, two hexes); of equal ways the lowest directions are flown."""
    ways = flightpaths.reach(1, 5)
    assert ways[Hex(2, -2)] == (3, (2, 2))
    assert ways[Hex(1, -2)] == (3, (1, 2))
    fight = battle(skies())
    start = at("3030")
    goal = start.plus(Hex(0, -9))
    assert flightpaths.towards(fight, start, ways, lambda there: distance(there, goal)) == (1, 1, 1, 1, 1)


@pytest.mark.rule("FA-FTR-6")
def test_ftr_6_land_then_strike_with_escorts_then_escorts_then_superiority():
    """The superiority flight moves last and finds the strike where it has gone."""
    state = skies(
        fury("Fury-1", "2216", mission="superiority", zone="2020", radius=10),
        fury("Fury-2", "2040", mission="escort", charge="Alpha"),
        frazi("Frazi-1", "2025", mission="strike", target="Alpha"),
        frazi("Frazi-2", "2025", mission="escort", charge="Frazi-1"),
        frazi("Frazi-3", "5050", mission="land", land_on="T'Loth-9"),
    )
    result = play_low(state, **SILENT)
    moved = [event.facts["flight"] for event in events(result, "flight_move") if event.facts["pulse"] == 1]
    assert moved == ["Frazi-3", "Frazi-1", "Frazi-2", "Fury-2", "Fury-1"]


@pytest.mark.rule("FA-FTR-7")
def test_ftr_7_superiority_prefers_strikes_in_its_zone():
    """An escort is nearer, a strike can be reached: the strike is intercepted; outside the zone nobody is."""
    both = (
        frazi("Frazi-1", "2024", mission="strike", target="Alpha", prefer="Hyperion-9"),
        frazi("Frazi-2", "2021", mission="escort", charge="Kha'Mak"),
    )
    fight = battle(skies(fury("Fury-1", "2020", mission="superiority", zone="2022", radius=3), *both))
    fight.begin(1)
    flying._Pilot(fight, fight.flights["Fury-1"]).fly()
    assert fight.flights["Fury-1"].hex == at("2024")
    fight = battle(skies(fury("Fury-1", "2020", mission="superiority", zone="2010", radius=2), *both))
    fight.begin(1)
    flying._Pilot(fight, fight.flights["Fury-1"]).fly()
    assert fight.flights["Fury-1"].hex == at("2015")


@pytest.mark.rule("FA-FTR-8", "FA-FTR-17", "FA-FTR-20")
def test_ftr_8_a_strike_attacks_the_preferred_ship_every_pulse():
    """In the hex of its preferred ship it attacks with +1; a dogfighter could not."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", "Hyperion-2", formation={"Hyperion-2": "A1"}),
        NARN,
        flights=[frazi("Frazi-1", "2022", mission="strike", target="Alpha", prefer="Hyperion-2")],
    )
    result = play_low(state, **SILENT)
    assert [event.facts["target"] for event in events(result, "fire")] == ["Hyperion-2"] * 3
    assert events(result, "fire")[0].facts["modifiers"]["strike"] == 1
    fighting = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        NARN,
        flights=[
            frazi("Frazi-1", "2020", mission="strike", target="Alpha", state="dogfight"),
            fury("Fury-1", "2020", state="dogfight", charge="Alpha") | {"home": "Hyperion-1"},
        ],
    )
    assert events(play_low(fighting, **SILENT), "fire") == []


@pytest.mark.rule("FA-FTR-9")
def test_ftr_9_an_escort_on_station_intercepts_and_may_react_to_ships():
    """A strike within 4 hexes of the charge is met; with react ships an enemy ship within reach is attacked."""
    alpha = squadron("Alpha", "earth", "2020", "Hyperion-1")
    escort = flight("Fury-1", "aurora", "Hyperion-1", "2021", charge="Alpha")
    met = situation(alpha, NARN, flights=[escort, frazi("Frazi-1", "2024", mission="superiority", zone="2024")])
    assert events(play_low(met, **SILENT), "dogfight") != []
    ships = situation(alpha, squadron("Kha'Mak", "narn", "2024", "T'Loth-1"), flights=[escort])
    result = play_low(ships, earth="Alpha: hold\nFury-1: react ships", narn="Kha'Mak: hold\nKha'Mak: af off")
    (attack,) = events(result, "fire")
    assert (attack.facts["target"], attack.facts["modifiers"]["strike"]) == ("T'Loth-1", 0)


@pytest.mark.rule("FA-FTR-10", "FA-FTR-11", "FA-FTR-12", "FA-FTR-13")
def test_ftr_10_afterburners_reach_what_points_do_not():
    """Nine hexes to the target with 5 points and burn 4: reached in pulse 1, once a turn; burn no does not."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        NARN,
        flights=[flight("Thunder-1", "thunderbolt", "Hyperion-1", "5546", mission="strike", target="Kha'Mak")],
        switches={"afterburners": True},
    )
    held = {"earth": "Alpha: hold", "narn": SILENT["narn"]}
    result = play_low(state, **held)
    moves = [(event.facts["to"], event.facts["burn"]) for event in events(result, "flight_move")]
    assert moves == [("5555", True)]
    assert the_flight(result.state, "Thunder-1").burned_turn == 1
    slow = play_low(state, earth="Alpha: hold\nThunder-1: burn no", narn=SILENT["narn"])
    assert [event.facts["burn"] for event in events(slow, "flight_move")] == [False, False]
    patrol = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        NARN,
        flights=[flight("Fury-1", "aurora", "Hyperion-1", "2021", mission="superiority", zone="2040")],
        switches={"afterburners": True},
    )
    assert not any(event.facts["burn"] for event in events(play_low(patrol, **held), "flight_move"))
    regain = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        NARN,
        flights=[flight("Fury-1", "aurora", "Hyperion-1", "2030", charge="Alpha")],
        switches={"afterburners": True},
    )
    assert events(play_low(regain, **held), "flight_move")[0].facts["burn"] is True


@pytest.mark.rule("FA-FTR-14", "FA-DOG-5")
def test_ftr_14_after_a_dogfight_an_escort_returns_or_patrols():
    """The last Frazi dies; Fury-1 flies back to its charge, or patrols where it is."""
    pair = (
        fury("Fury-1", "2020", charge="Alpha", state="dogfight"),
        frazi("Frazi-1", "2020", mission="superiority", zone="2020", state="dogfight", count=1),
    )
    back = play(skies(*pair), 9, 1, **SILENT)
    assert the_flight(back.state, "Fury-1").returning is True
    stays = play(skies(*pair), 9, 1, earth=SILENT["earth"] + "\nFury-1: after patrol", narn=SILENT["narn"])
    patrol = the_flight(stays.state, "Fury-1")
    assert (patrol.mission, patrol.zone, patrol.returning) == ("superiority", at("2020"), False)


@pytest.mark.rule("FA-FTR-19", "FA-FTR-18")
def test_ftr_19_interceptor_and_anti_ship_in_a_dogfight():
    """Sentri d10 5 +6 +1 -8 = 4; Frazi d8 5 +6 -1 -10 = 0."""
    state = situation(
        squadron("Lupus", "centauri", "0505", "Balvarin-1"),
        NARN,
        sides=CENTAURI_AND_NARN,
        flights=[
            flight("Sentri-1", "sentri", "Balvarin-1", "2020", state="dogfight", mission="superiority", zone="2020"),
            frazi("Frazi-1", "2020", state="dogfight", mission="superiority", zone="2020"),
        ],
    )
    result = play(state, 5, 5, 1, 1, 1, 1, narn="Kha'Mak: hold", centauri="Lupus: hold")
    first = events(result, "dogfight")[0].facts
    assert {entry["flight"]: entry["margin"] for entry in first["flights"]} == {"Sentri-1": 4, "Frazi-1": 0}
    assert {entry["flight"]: entry["left"] for entry in first["losses"]} == {"Sentri-1": 4, "Frazi-1": 2}


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


# --- anti-fighter fire -----------------------------------------------------------------------------------------------


def besieged(*attackers: dict[str, Any], key: str = "primus") -> State:
    return situation(
        squadron("Aquila", "centauri", "2020", ship("Target-1", key)),
        NARN,
        sides=CENTAURI_AND_NARN,
        flights=attackers,
    )


@pytest.mark.rule("FA-AF-3")
def test_af_3_many_flights_divide_the_fire():
    """AF 2 against six flights: d = 3, less than one each: three of them with one die, the largest first."""
    flights = [frazi(f"Frazi-{n}", "2020", mission="strike", target="Aquila", count=n) for n in range(1, 7)]
    fight = battle(besieged(*flights, key="corvan"))
    target = fight.ships["Target-1"]
    present = antifighter.enemies_in(fight, target, target.hex)
    assert antifighter._divided(fight, target, 2, present, 6) == [("Frazi-4", 1), ("Frazi-5", 1), ("Frazi-6", 1)]
    assert antifighter._divided(fight, target, 5, present[:4], 4) == [(f"Frazi-{n}", 3) for n in range(1, 5)]
    ordered = battle(besieged(*flights, key="corvan"), centauri="Target-1: af-first Frazi-1")
    assert ("Frazi-1", 1) in antifighter._divided(ordered, target, 2, present, 6)


@pytest.mark.rule("FA-AF-6")
def test_af_6_long_range_fire_into_an_adjacent_hex():
    """Twin array 4 ahead, halved 2; the guardian array 2 in every arc, halved 1."""
    state = besieged(frazi("Frazi-1", "2019", mission="superiority", zone="2019", radius=0))
    text = "Aquila:\n hold\n af long pulse 1\n af off pulse 2-3"
    result = play(state, 10, 1, 4, 8, 4, centauri=text, narn="Kha'Mak: hold")
    assert [(event.facts["weapon"], event.facts["x"], event.facts["long"]) for event in events(result, "af")] == [
        ("twin-array", 2, True),
        ("guardian-array", 1, True),
    ]


@pytest.mark.rule("FA-AF-3", "FA-AF-6", "FA-FTR-22")
def test_af_6_stealth_flights_count_among_the_flights_in_the_hex_though_they_are_immune():
    """Twin array 3 ahead, halved 2; three flights, d = 2: one die, at the Sentri alone; it shows 1 and misses."""
    sky = {"mission": "superiority", "zone": "2019", "radius": 0}
    state = situation(
        squadron("Lupus", "centauri", "5555", "Balvarin-1"),
        squadron("Kha'Mak", "narn", "2020", "G'Quan-1"),
        sides=CENTAURI_AND_NARN,
        flights=[
            flight("Rutarian-1", "rutarian", "Balvarin-1", "2019", **sky),
            flight("Sentri-1", "sentri", "Balvarin-1", "2019", **sky),
            flight("Rutarian-2", "rutarian", "Balvarin-1", "2019", **sky),
        ],
    )
    result = play(state, 1, centauri="Lupus: hold", narn="Kha'Mak:\n hold\n af long pulse 1\n af off pulse 2-3")
    assert [(e.facts["flight"], e.facts["x"], e.facts["dice"]) for e in events(result, "af")] == [("Sentri-1", 1, [1])]


@pytest.mark.rule("FA-AF-8", "FA-AF-7")
def test_af_8_secondary_leaves_the_primaries_free():
    """A Nova's medium pulse has AF 2 and is primary: it fires in on, not in secondary, never in off."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Nova-1"),
        NARN,
        flights=[frazi("Frazi-1", "2020", mission="strike", target="Alpha")],
    )
    fight = battle(state)
    fight.begin(1)
    nova = fight.ships["Nova-1"]
    assert [antifighter.is_eligible(fight, nova, 1, mode) for mode in ("on", "secondary")] == [True, False]
    off = play(state, 1, 1, 1, earth="Alpha:\n hold\n af off", narn="Kha'Mak: hold")
    assert events(off, "af") == []


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


# --- dogfights -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-DOG-1", "FA-DOG-8")
def test_dog_1_a_dogfight_needs_somebody_who_forces_it():
    """Two strikes pass each other; a superiority flight forces; force no lets them pass; escorts fight for charges."""
    strikes = (
        fury("Fury-1", "2020", mission="strike", target="Kha'Mak"),
        frazi("Frazi-1", "2020", mission="strike", target="Alpha"),
    )
    fight = battle(skies(*strikes))
    dogfights.contact(fight)
    assert dogfights.fights(fight) == []
    forced = battle(skies(fury("Fury-1", "2020", mission="superiority", zone="2020"), strikes[1]))
    dogfights.contact(forced)
    assert dogfights.fights(forced) == [at("2020")]
    calm = fury("Fury-1", "2020", mission="superiority", zone="2020", doctrine={"force": False})
    peaceful = battle(skies(calm, strikes[1]))
    dogfights.contact(peaceful)
    assert dogfights.fights(peaceful) == []
    guarded = battle(
        skies(
            fury("Fury-1", "2020", mission="superiority", zone="2020"),
            strikes[1],
            frazi("Frazi-2", "2020", mission="escort", charge="Frazi-1"),
        )
    )
    guarded.on_station = {"Frazi-2"}
    dogfights.contact(guarded)
    assert {f.name for f in guarded.flights.values() if f.state == "dogfight"} == {"Fury-1", "Frazi-2"}


@pytest.mark.rule("FA-DOG-4")
def test_dog_4_kills_are_directed_at_a_type_and_allocated_by_the_owner():
    """Most fighters by default; four kills on frazis of 2 and 6: concentrated 2+2, spread all on the larger."""
    lost: dict[str, int] = {}
    state = skies(
        fury("Fury-1", "2020", state="dogfight"),
        frazi("Frazi-1", "2020", state="dogfight", count=2, mission="superiority", zone="2020"),
        frazi("Frazi-2", "2020", state="dogfight", mission="superiority", zone="2020"),
        flight("Gorith-1", "gorith", "T'Loth-9", "2020", state="dogfight", mission="superiority", zone="2020"),
    )
    fight = battle(state)
    flights = list(fight.flights.values())
    assert dogfights._directed_at(fight, flights[0], flights) == ("narn", "frazi")
    dogfights._allocate(flights, ("narn", "frazi"), 4, lost)
    assert lost == {"Frazi-1": 2, "Frazi-2": 2}
    lost = {}
    dogfights._spread(flights[1:3], 4, lost)
    assert lost == {"Frazi-2": 4}


@pytest.mark.rule("FA-DOG-5", "FA-R-49")
def test_dog_5_a_dogfight_ends_when_all_break_off():
    """Both sides break off at the end of pulse 1; with one alone it goes on."""
    pair = (
        fury("Fury-1", "2020", mission="strike", target="Kha'Mak", state="dogfight"),
        frazi("Frazi-1", "2020", mission="strike", target="Alpha", state="dogfight"),
    )
    both = play_low(
        skies(*pair), earth=SILENT["earth"] + "\nFury-1: breakoff", narn=SILENT["narn"] + "\nFrazi-1: breakoff"
    )
    assert len(events(both, "dogfight")) == 1
    one = play_low(skies(*pair), earth=SILENT["earth"] + "\nFury-1: breakoff", narn=SILENT["narn"])
    assert len(events(one, "dogfight")) == 3


@pytest.mark.rule("FA-DOG-6", "FA-DOG-7")
def test_dog_7_flights_in_the_way_of_the_drift_join():
    """A superiority flight joins, an outnumbered escort must, a strike whose side is stronger goes on."""

    def drifted(*others):
        state = skies(
            fury("Fury-1", "2020", state="dogfight", mission="superiority", zone="2020", count=5),
            frazi("Frazi-1", "2020", state="dogfight", mission="superiority", zone="2020"),
            *others,
        )
        fight = battle(state, 4, 1)
        fight.begin(4)
        dogfights.drift(fight)
        return {f.name for f in fight.flights.values() if f.state == "dogfight"} - {"Fury-1", "Frazi-1"}

    assert drifted(fury("Fury-2", "2021", mission="superiority", zone="2021")) == {"Fury-2"}
    assert drifted(fury("Fury-2", "2021", mission="strike", target="Kha'Mak")) == {"Fury-2"}
    assert drifted(frazi("Frazi-2", "2021", mission="strike", target="Alpha")) == set()
    assert drifted(frazi("Frazi-2", "2021", mission="strike", target="Alpha", doctrine={"join": True})) == {"Frazi-2"}


@pytest.mark.rule("FA-DOG-6")
def test_dog_6_a_drift_stops_at_the_edge():
    """Three hexes north of row 2 end in row 1."""
    state = skies(
        fury("Fury-1", "2002", state="dogfight", mission="superiority", zone="2002"),
        frazi("Frazi-1", "2002", state="dogfight", mission="superiority", zone="2002"),
    )
    fight = battle(state, 1, 3)
    fight.begin(4)
    dogfights.drift(fight)
    assert fight.flights["Fury-1"].hex == at("2001")

"""Section 5: every ruling, in one line of play each."""

from __future__ import annotations

from typing import Any

import pytest

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import BuyOrder
from games.fleet_action.rules import (
    abilities,
    antifighter,
    ballistics,
    building,
    damage,
    deployment,
    dogfights,
    elint,
    flightpaths,
    geometry,
    morale,
    movement,
    plotting,
    reinforcements,
    sequence,
    weapons,
)
from games.fleet_action.rules.cards import house_catalogue
from games.fleet_action.rules.damage import Struck, Wounding
from games.fleet_action.state import State
from games.fleet_action.table import Table
from pbem.kit.hexgrid import Hex, name
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    EARTH_AND_MINBARI,
    aim_at,
    at,
    battle,
    events,
    flight,
    places,
    play,
    play_low,
    problems,
    ship,
    sides_asked,
    situation,
    squadron,
    the_flight,
    the_ship,
    the_squadron,
)

NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
CARDS = house_catalogue()


def alone(*ships: str | dict[str, Any], **fields: Any) -> State:
    return situation(squadron("Alpha", "earth", "3030", *ships, **fields), NARN)


def limits(state: State, squadron_name: str = "Alpha") -> movement.Limits:
    fight = battle(state)
    return movement.limits(fight, fight.squadrons[squadron_name])


def checked(path: str, speed: int, of: movement.Limits, delta: int = 0) -> str:
    found = movement.check_path(plotting.expand(path), speed, movement.SpeedChange(delta), of)
    return found.code if isinstance(found, movement.Fault) else found.manoeuvre


# --- building, deployment, movement ----------------------------------------------------------------------------------


@pytest.mark.rule("FA-R-1", "FA-R-47")
def test_r_1_cr_counts_ships_with_the_leader():
    """cr 3 leads three corvettes, not four; the catalogue is the house's."""
    three = [BuyOrder("A", "olympus", f"O-{n}") for n in range(3)]
    state = situation(NARN, engagement="meeting", side_fields={"earth": {"points_limit": 9000}})
    table = battle(state)
    four = [*three, BuyOrder("A", "olympus", "O-9")]
    earth = table.sides["earth"]
    faults = [list(building.check(table, earth, building.purchases(table, bought))) for bought in (three, four)]
    assert [len(refusals) for refusals in faults] == [0, 1]
    assert CARDS.weapons["heavy-laser"].fc[0] == 10
    arcs = CARDS.classes["bintak"].weapons[0].arcs
    assert arcs is not None
    assert arcs[0] == 4
    assert CARDS.classes["thentus"].max_accel == 6


@pytest.mark.rule("FA-R-2", "FA-R-3")
def test_r_2_deployment_is_simultaneous_and_patrols_round_up():
    """Both sides are asked at once; five squadrons need two patrols, one none."""
    state = situation(squadron("Alpha", "earth", "2010", "Hyperion-1"), NARN, engagement="meeting")
    assert sides_asked(state) == {"earth", "narn"}
    assert [deployment.patrols_needed(count) for count in (5, 1)] == [2, 0]


@pytest.mark.rule("FA-R-4", "FA-R-5", "FA-R-6")
def test_r_4_to_6_courses():
    """A capital changes speed on a straight course or a slip; opposite turns go by the better row, as a hard turn."""
    capital, medium = limits(alone("Hyperion-1")), limits(alone("Olympus-1"))
    assert [checked("F6", 5, capital, 1), checked("F2 slipS F3", 5, capital, 1)] == ["maintain", "maintain"]
    assert checked("F1 P F3 S F1", 5, capital) == "course_correct"
    assert movement.row_limit(capital, "course_correct") == max(capital.rows.cc, capital.rows.ht) == 5
    assert checked("F1 P F3 S F2", 5, medium, 1) == "course_correct"
    assert checked("F1 P F3 S F1", 4, capital, 1) == "FA-E-13"
    assert [checked("P F1 S F4", 5, capital), checked("P S F5", 5, capital)] == ["course_correct", "FA-E-12"]


@pytest.mark.rule("FA-R-7")
def test_r_7_bars_choose_the_pulse_of_a_turn():
    """``F2 P | F2 | F2`` turns before the fire of pulse 1, ``F2 P F4`` after it."""
    barred = play(alone("Hyperion-1", speed=6), earth="Alpha: path F2 P | F2 | F2")
    plain = play(alone("Hyperion-1", speed=6), earth="Alpha: path F2 P F4")
    found = [[e.facts["heading"] for e in events(result, "move")] for result in (barred, plain)]
    assert found == [[6, 6, 6], [1, 6, 6]]


@pytest.mark.rule("FA-R-8", "FA-R-9", "FA-R-48")
def test_r_8_9_48_formations_cripples_and_ooc_members():
    """Absolute wheels, relative translates; an OOC member limits the squadron unless it is detached."""
    formed = {"formation": {"Artemis-2": "A1"}, "speed": 3}
    wheel = play(alone("Artemis-1", "Artemis-2", **formed), earth="Alpha: path S F3")
    slide = play(alone("Artemis-1", "Artemis-2", **formed), earth="Alpha:\n path S F3\n mode relative")
    assert places(wheel, "Artemis-2")[-1] != places(slide, "Artemis-2")[-1]
    cripple = ship("Artemis-2", command="ooc", man_left={"acc": 1})
    state = alone("Artemis-1", cripple, speed=3)
    assert limits(state).acceleration[0] == 1
    assert problems(state, "earth", "Alpha:\n speed +3\n detach Artemis-2") == []


@pytest.mark.rule("FA-R-10", "FA-R-11", "FA-R-12")
def test_r_10_to_12_shifts_categories_and_interleaving():
    """A shift in pulse 3; lost a ship goes before not fired on; printed sequences follow from the formula."""
    state = alone("Artemis-1", "Artemis-2", speed=6)
    (shift,) = events(play(state, earth="Alpha: shift Artemis-2 F1 pulse 3"), "shift")
    assert shift.facts["pulse"] == 3
    fight = battle(alone("Oracle-1", lost_ship=True))
    assert sequence.category(fight, fight.squadrons["Alpha"]) == 2
    assert "".join(sequence.interleaved({"a": "AAA", "b": "BBBBBB"})) == "ABBABBABB"


@pytest.mark.rule("FA-R-13", "FA-R-14", "FA-R-15")
def test_r_13_to_15_arcs():
    """Six sectors on hexsides; a boundary lies in two; at distance 0 the highest x, and the way it came from."""
    assert [geometry.arcs(Hex(0, 0), 1, geometry.ahead(Hex(0, 0), heading)) for heading in geometry.HEADINGS] == [
        (0,),
        (1,),
        (2,),
        (3,),
        (4,),
        (5,),
    ]
    assert geometry.arcs(Hex(0, 0), 1, Hex(1, -2)) == (0, 1)
    assert [geometry.facing_of(CARDS.classes["omega"], arc) for arc in range(6)] == [0, 1, 1, 2, 1, 1]
    laser = CARDS.classes["omega"].weapons[0]
    assert weapons.nominal_x(laser, Hex(0, 0), 1, Hex(0, 0)) == 4
    fight = battle(alone("Omega-1"))
    assert weapons.struck_arc(fight, fight.ships["Omega-1"], at("3030"), at("3031")) == 3
    assert weapons.struck_arc(fight, fight.ships["Omega-1"], at("3030"), None) == 0


# --- damage and weapons ----------------------------------------------------------------------------------------------


def wound(key: str, *dice: int) -> tuple[Table, Wounding]:
    fight = battle(alone(ship("Target-1", key)), *dice)
    count = iter(range(99))
    struck = Struck.on_arc(fight.card(fight.ships["Target-1"]), 0)
    return fight, Wounding(fight, "Target-1", struck, lambda faces, word: fight.roll(faces, word, next(count)))


@pytest.mark.rule("FA-R-16", "FA-R-17")
def test_r_16_17_moderate_even_and_flash_severe():
    """d12 8 on armour 6, moderate even: system 1 the sensor; flash severe: primary, two minor, 2 structure."""
    fight, wounding = wound("omega", 8, 1)
    wounding.die(wounding.draw(12, "damage"), 6, "particle")
    assert (fight.ships["Target-1"].sensor, fight.ships["Target-1"].structure) == (5, 24)
    fight, wounding = wound("omega", 11, 1, 1, 1)
    wounding.die(wounding.draw(12, "damage"), 6, "flash")
    assert wounding.wounds.marks == ["structure", "structure", "sensor", "max decel", "max decel"]


@pytest.mark.rule("FA-R-18", "FA-R-19", "FA-R-37")
def test_r_18_19_37_plasma():
    """2d12/2d10/2d8/2d6; the accelerator is primary; a jammer shifts the bracket to hit, not the damage."""
    accelerator = CARDS.weapons["plasma-accelerator"]
    assert accelerator.damage == ((2, 12), (2, 10), (2, 8), (2, 6))
    assert accelerator.is_secondary is False
    state = situation(
        squadron("Vulpes", "centauri", "2020", "Vorchan-1"),
        squadron("S1", "minbari", "2017", "Sharlin-1", heading=4),
        sides=(("centauri", "Centauri", "defender"), ("minbari", "Minbari", "attacker")),
    )
    fight = battle(state)
    shot = aim_at(fight, "Vorchan-1", 0, "Sharlin-1")
    assert (shot.bracket, shot.true_bracket) == (1, 0)
    assert damage.damage_dice(accelerator, shot.true_bracket, None) == (2, 12)


@pytest.mark.rule("FA-R-20", "FA-R-21", "FA-R-22", "FA-R-23", "FA-R-55")
def test_r_20_to_23_and_55_mines():
    """Launched as pulse 0 they may burst in pulse 1; signed modifiers are added; widths go on; the hex is reported."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"), squadron("G'Lan", "narn", "2021", "Dag'Kar-1", heading=1)
    )
    near = play(state, 5, 6, earth="Alpha: hold", narn="G'Lan:\n hold\n mines 2021 with Dag'Kar-1")
    (burst,) = events(near, "mine_burst")
    assert burst.facts["pulse"] == 1
    assert [entry["modifier"] for entry in burst.facts["results"]] == [-1, -2]
    assert [entry["hit"] for entry in burst.facts["results"]] == [False, False]
    assert [ballistics.mine_radius(count) for count in (33, 34, 44, 55, 68)] == [6, 7, 8, 9, 10]
    far = play(state, earth="Alpha: hold", narn="G'Lan:\n hold\n mines 5050")
    launch = events(far, "mine_launch")[0]
    assert (launch.facts["hex"], set(launch.seen_by)) == ("5050", {"earth", "narn"})
    assert TABLES.mine_modifier["enormous"] == 2


# --- fighters --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-R-24", "FA-R-25", "FA-R-26", "FA-R-27")
def test_r_24_to_27_fighter_movement():
    """Move 15 is 5, 5 and 5 points; a strike has +1; interception is what can be reached; burning as the book says."""
    assert plotting.chart(CARDS.fighters["aurora"].move) == (5, 5, 5)
    assert TABLES.strike_bonus == 1
    assert max(len(way) for _, way in flightpaths.reach(0, 5).values()) == 5
    assert max(len(way) for _, way in flightpaths.reach(0, 5, 4).values()) == 9
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        NARN,
        flights=[flight("Fury-1", "aurora", "Hyperion-1", "2040", mission="strike", target="Kha'Mak")],
        switches={"afterburners": True},
    )
    moved = events(play_low(state, earth="Alpha: hold", narn="Kha'Mak: hold\nKha'Mak: af off"), "flight_move")
    assert moved[0].facts["burn"] is False


@pytest.mark.rule("FA-R-28")
def test_r_28_the_half_is_rounded_first():
    """AF 3 against three flights: d = 2, 1.5 each, so two dice; AF 1: less than one, only two flights with one die."""
    flights = [flight(f"Frazi-{n}", "frazi", "T'Loth-9", "3030", mission="strike", target="Alpha") for n in range(3)]
    fight = battle(situation(squadron("Alpha", "earth", "3030", "Hyperion-1"), NARN, flights=flights))
    hyperion = fight.ships["Hyperion-1"]
    present = antifighter.enemies_in(fight, hyperion, hyperion.hex)
    assert [x for _, x in antifighter._divided(fight, hyperion, 3, present, 3)] == [2, 2, 2]
    assert [x for _, x in antifighter._divided(fight, hyperion, 1, present, 3)] == [1, 1]


@pytest.mark.rule("FA-R-29", "FA-R-30", "FA-R-41", "FA-R-53")
def test_r_29_30_41_53_dogfights():
    """The rating is the size of the target's die; margins beyond the table; escorts of flights never force."""
    margins = (-9, -4, -3, -1, 1, 3, 5, 7, 12)
    kills = [sum(1 for least in TABLES.dogfight.least_margin if margin >= least) for margin in margins]
    assert kills == [0, 0, 1, 2, 3, 4, 5, 6, 6]
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        NARN,
        flights=[
            flight("Frazi-1", "frazi", "T'Loth-9", "2030", mission="strike", target="Alpha"),
            flight("Frazi-2", "frazi", "T'Loth-9", "2030", charge="Frazi-1"),
            flight("Fury-1", "aurora", "Hyperion-1", "2030", mission="strike", target="Kha'Mak"),
        ],
    )
    fight = battle(state)
    dogfights.contact(fight)
    assert dogfights.fights(fight) == []
    flights = list(fight.flights.values())
    passed = dogfights._directed_at(fight, flights[2], flights)
    assert CARDS.fighters[passed[1]].dogfight == 8


@pytest.mark.rule("FA-R-49")
def test_r_49_one_side_alone_cannot_break_off():
    """Only Fury-1 has breakoff: the dogfight goes on."""
    pair = [
        flight("Fury-1", "aurora", "Hyperion-1", "2030", state="dogfight", mission="superiority", zone="2030"),
        flight("Frazi-1", "frazi", "T'Loth-9", "2030", state="dogfight", mission="superiority", zone="2030"),
    ]
    state = situation(squadron("Alpha", "earth", "0505", "Hyperion-1"), NARN, flights=pair)
    assert len(events(play_low(state, earth="Fury-1: breakoff"), "dogfight")) == 3


# --- command, equipment, the rest ------------------------------------------------------------------------------------


@pytest.mark.rule("FA-R-31", "FA-R-32")
def test_r_31_32_morale():
    """The top level is rounded down; a homeworld gives the defender -3, the attacker -1."""
    assert (morale.levels(5)[0], morale.levels(1)) == (2, [0])
    modifiers = [TABLES.morale.modifier("vital", role) for role in ("defender", "attacker")]
    assert modifiers == [-3, -1]


@pytest.mark.rule("FA-R-33", "FA-R-50")
def test_r_33_50_leaving_by_the_edge_is_withdrawal():
    """The ship has left, it is not destroyed, and counts half."""
    state = situation(
        squadron("Alpha", "earth", "2001", "Hyperion-1", speed=3), squadron("Bravo", "earth", "4040", "Artemis-1"), NARN
    )
    after = play(state, earth="Alpha: path F3").state
    assert the_ship(after, "Hyperion-1").fate == "left"
    assert next(side.points for side in after.sides if side.id == "narn") == 215


@pytest.mark.rule("FA-R-34")
def test_r_34_the_discount_ends_at_35_per_cent():
    """Turn 9 and later."""
    assert [reinforcements.discount(turn) for turn in (8, 9, 15)] == [30, 35, 35]


@pytest.mark.rule("FA-R-35", "FA-R-44")
def test_r_35_44_interceptors_protect_themselves_from_ships_only():
    """A mate of Hyperion-1 gets nothing; a flight's attack needs def alone."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1", ship("Hyperion-2", structure=8), formation="box"),
        squadron("Kha'Mak", "narn", "2024", "T'Loth-1"),
        flights=[flight("Frazi-1", "frazi", "T'Loth-1", "2020", mission="strike", target="Alpha")],
    )
    fight = battle(state)
    shots = [aim_at(fight, "T'Loth-1", 2, name_) for name_ in ("Hyperion-1", "Hyperion-2")]
    assert [shot.interceptor for shot in shots] == [1, 0]
    result = play_low(state, earth="Alpha: hold\nAlpha: af off", narn="Kha'Mak: hold")
    assert events(result, "fire")[0].facts["modifiers"]["interceptor"] == 0


@pytest.mark.rule("FA-R-36", "FA-R-38")
def test_r_36_38_gravitic_engines_and_tractors():
    """A heavy Tigara counts as medium; a ship that can still slow down is not dead in space."""
    state = situation(
        squadron("T1", "minbari", "2020", "Tigara-1"),
        squadron("Alpha", "earth", "2120", ship("Olympus-1", man_left={"acc": 0})),
        sides=EARTH_AND_MINBARI,
    )
    assert limits(state, "T1").combine == ("maintain", "turn", "hard_turn")
    (tractor,) = events(play(state, minbari="T1: hold\nTigara-1: tractor Olympus-1", earth="Alpha: hold"), "tractor")
    assert tractor.facts["result"] == "breaks free"


@pytest.mark.rule("FA-R-39", "FA-R-40")
def test_r_39_40_flagship_and_jamming():
    """Penalties last one turn; ``vs fc`` goes before the default order."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        NARN,
        turn=2,
        fleet=[{"side": "earth", "flagship": "Hyperion-1", "flagless_turn": 1}],
    )
    after = play(state).state
    assert [fleet.flagless_turn for fleet in after.fleets if fleet.side == "earth"] == [None]
    jam = situation(
        squadron("Lupus", "centauri", "2020", "Corvan-1"),
        squadron("G'Lan", "narn", "2030", "Sho'Kar-1"),
        sides=CENTAURI_AND_NARN,
    )
    orders = {"centauri": "Corvan-1:\n elint offensive\n elint jam-fc Sho'Kar-1"}
    for vs, left in (("", [0, 1]), (" vs fc", [1, 0])):
        fight = battle(jam, **orders, narn=f"Sho'Kar-1: elint jam-elint Corvan-1 1{vs}")
        elint.allocate(fight)
        assert [action.levels for action in fight.actions if action.ship == "Corvan-1"] == left


@pytest.mark.rule("FA-R-42", "FA-R-43", "FA-R-45", "FA-R-46")
def test_r_42_43_45_46_small_questions():
    """Only the turn end decides about command; range 0 takes one pulse; support stacks; halves round up together."""
    far = alone("Artemis-1", "Artemis-2", formation={"Artemis-2": "A6"})
    fight = battle(far)
    assert fight.ships["Artemis-2"].command == "in"
    assert the_ship(play(far).state, "Artemis-2").command == "ooc"
    assert (ballistics.delay(0), ballistics.delay(1)) == (1, 2)
    oracle = battle(alone("Oracle-1"), earth="Oracle-1: elint defensive 2")
    elint.allocate(oracle)
    assert elint.defensive_support(oracle, oracle.ships["Oracle-1"]) == 2
    assert weapons.lessened(3, weapons.HALF * weapons.HALF) == 1


@pytest.mark.rule("FA-R-51")
def test_r_51_vortices_are_named_in_one_letter():
    """Heading, hex and offsets in D1; the offset lies from where the first vortex really formed."""
    state = situation(
        squadron("Kha'Mak", "narn", None, "Bin'Tak-1", heading=4),
        squadron("Na'Far", "narn", None, "G'Quan-1", heading=4),
        squadron("Alpha", "earth", "1010", "Hyperion-1"),
        sides=(("narn", "Narn", "attacker"), ("earth", "Earth", "defender")),
        engagement="jump-in",
    )
    result = play(state, 1, 5, 4, 2, narn="vortex heading 1\nvortex Bin'Tak-1 at 3030\nvortex G'Quan-1 offset F5")
    assert [name(vortex.hex) for vortex in result.state.vortices] == ["3025", "3022"]


@pytest.mark.rule("FA-R-52", "FA-R-54")
def test_r_52_54_wider_rows_and_the_planners_price():
    """Turn 2, hard turn 4: one hexside at speed 4; 501 points of reinforcements cost two steps of 50."""
    of = limits(alone(ship("Hyperion-1", man_left={"tn": 2})))
    assert checked("F2 P F2", 4, of) == "turn"
    assert [abilities.cost("strategic-planner", 8, points) for points in (500, 501)] == [50, 100]
    assert the_squadron(alone("Hyperion-1"), "Alpha").speed == 0
    assert (
        the_flight(
            situation(
                NARN, squadron("A", "earth", "0505", "Hyperion-1"), flights=[flight("F", "aurora", "Hyperion-1")]
            ),
            "F",
        ).state
        == "hangar"
    )

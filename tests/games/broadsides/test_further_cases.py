"""Further cases, worked out by hand from the rule book: the corners between two rules."""

from __future__ import annotations

import pytest

from games.broadsides.state import Turning
from pbem.kit.codec import BadData
from tests.games.broadsides.builders import (
    events,
    fire,
    first,
    flight,
    gunner,
    rules_broken,
    ship,
    silent,
    state_of,
    tried,
    unit,
)

FAR = unit("Narn", "Far", "Dro-Vash", (0, -50))


# --- deactivation ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-WPN-9", "BR-MOV-3", "BR-SEQ-1")
def test_orders_are_judged_by_the_thrust_after_r1():
    """A thruster off through turn 1 works again in turn 2: all ten thrust of a Lance accelerate it by 5."""
    ended = state_of(unit("EA", "Ajax", "Lance", (0, 0), speed=6, deactivated={"thruster-fore": 1}), FAR)
    lasting = state_of(unit("EA", "Ajax", "Lance", (0, 0), speed=6, deactivated={"thruster-fore": 2}), FAR)

    assert rules_broken(ended, "EA", "Ajax: speed +5") == []
    assert rules_broken(lasting, "EA", "Ajax: speed +5") == ["BR-VAL-3"]


@pytest.mark.rule("BR-WPN-9")
def test_a_deactivation_of_this_turn_ends_with_the_turn():
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0), deactivated={"thruster-fore": 2, "thruster-aft": 3, "CL1": "permanent"}),
        FAR,
        dice=[],
        ea=silent("Ajax"),
    )

    assert ship(done, "Ajax").deactivated == {"thruster-aft": 3, "CL1": "permanent"}


# --- turns carried over ----------------------------------------------------------------------------------------------


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


# --- called shots in one hex -----------------------------------------------------------------------------------------


@pytest.mark.rule("BR-LOC-3", "BR-LOC-12")
@pytest.mark.parametrize(("side", "need"), [("aft", 16), ("port", 13)])
def test_a_called_shot_in_the_same_hex_is_judged_by_where_the_firer_came_from(side, need):
    """Ajax on heading 0 lies astern of Karn: aft faces it. T = 12 - 5 or 8 + 6 + (2 + 1)."""
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0), speed=5),
        unit("Narn", "Karn", "Karn-Tal", (0, 0), speed=3),
        dice=[20],
        ea=gunner("Ajax", f"fire HP1 at Karn called {side}"),
        narn=silent("Karn"),
    )

    assert first(done, "fire")["need"] == need


# --- interception ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-OSA-1", "BR-INT-5")
def test_an_osat_intercepts_only_until_it_is_activated():
    """Sentry fires MP1 and, as nothing needed intercepting so far, INT1 too; then it has nothing left for the Talon."""
    done = fire(
        unit("EA", "Sentry", "Sentry", (0, 0), weapon={"MP2": {"charge": 0}, "MR1": {"charge": 0}}),
        unit("Narn", "Tuk", "Talon", (0, -8), heading=3),
        # MP1: T = 8+5+(1+0+0-5) = 9: 20 misses; INT1: T = 8+5-8 = 5: 20 misses, and has fired.
        dice=[20, 20, 20],
        narn=gunner("Tuk", "fire HP1 at Sentry"),
    )

    assert [fact["mount"] for fact in events(done, "fire")] == ["MP1", "INT1", "HP1"]


@pytest.mark.rule("BR-OSA-1", "BR-INT-5")
def test_an_osat_mount_without_a_target_has_lost_its_interception_too():
    """At range 9 INT1 has T 4 and holds; Sentry was activated by MP1, so HP1 strikes unhindered."""
    done = fire(
        unit("EA", "Sentry", "Sentry", (0, 0), weapon={"MP2": {"charge": 0}, "MR1": {"charge": 0}}),
        unit("Narn", "Tuk", "Talon", (0, -9), heading=3),
        # MP1: T = 8+5+(1-6) = 8: 20 misses. HP1: T = 6+5+(2+0-1-4) = 8: 8, one pulse, location 14: 12-3 = 9.
        dice=[20, 8, 14],
        narn=gunner("Tuk", "fire HP1 at Sentry"),
    )

    assert events(done, "intercept") == []
    assert ship(done, "Sentry").structure == {"main": 9}


# --- mounts the defender takes ---------------------------------------------------------------------------------------


@pytest.mark.rule("BR-LOC-7")
def test_the_take_list_may_name_a_type():
    """Group A of a Tallyman's bow is GB1, GS1; `take GS*` gives up the shifter: 12-4 = 8 blocks, 7 and 1 over."""
    done = fire(
        unit("EA", "Tally", "Tallyman", (0, 0)),
        unit("Narn", "Tuk", "Talon", (0, -4), heading=3),
        # HP1: T = 10+5+(2+0-1-2) = 14: 14, one pulse; side 1: fore; location 5: A.
        dice=[14, 1, 5],
        ea=silent("Tally") + "\n  take GS*",
        narn=gunner("Tuk", "fire HP1 at Tally"),
    )

    assert ship(done, "Tally").blocks_lost == {"GS1": 7}
    assert ship(done, "Tally").structure["fore"] == 35


# --- fire lines ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-SEQ-9", "BR-OSA-2", "BR-HIT-6")
@pytest.mark.parametrize("aim", ["Karn", "best-chance", "nearest"])
@pytest.mark.parametrize(("limit", "shots"), [(10, 1), (11, 0)])
def test_the_hold_limit_counts_the_piercing_malus_under_any_aim(aim, limit, shots):
    """HL1 at range 18: T = 12+6+(2+1-6) - 5 = 10."""
    done = fire(
        unit("EA", "Resolute", "Resolute", (0, -18), heading=3),
        unit("Narn", "Karn", "Karn-Tal", (0, 0)),
        dice=[20] * shots,
        ea=f"Resolute:\n  hold all\n  fire HL1 at {aim} piercing\n  hold below {limit}",
        narn=silent("Karn"),
    )

    assert [fact["need"] for fact in events(done, "fire")] == [10] * shots


@pytest.mark.rule("BR-FTR-9")
@pytest.mark.parametrize("words", ["sensors main", "sensors"])
def test_fighters_may_aim_at_a_system_of_a_main_section(words):
    """Sensors 2x2 of a Raider, armour 3, half 1. T = 6+4-1+3 = 12; guns 1, 1 + 2 = 4: 4-1 = 3 blocks."""
    done = fire(
        unit("EA", "Red", "Kestrel", (0, 0), number=1, order="A", target="Raider"),
        unit("Narn", "Raider", "Raider", (0, 0)),
        dice=[12, 1, 1],
        ea=f"Red: attack Raider system {words}",
        narn=silent("Raider"),
    )

    assert ship(done, "Raider").blocks_lost == {"sensors": 3}


@pytest.mark.rule("BR-INT-5")
def test_intercept_lists_stand_side_by_side():
    """Two lists of one mount each: both roll against the pulse of a Talon (T 14); the second stops it."""
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("Narn", "Tuk", "Talon", (0, 4)),
        dice=[14, 9, 1],
        ea="Ajax:\n  hold all\n  intercept INT3\n  intercept SPB1",
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )

    assert [fact["mount"] for fact in events(done, "intercept")] == ["INT3", "SPB1"]
    assert ship(done, "Ajax").structure["aft"] == 34


@pytest.mark.rule("BR-INT-5")
def test_intercept_none_takes_earlier_lists_back():
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("Narn", "Tuk", "Talon", (0, 4)),
        # 14: one pulse; side 1: aft; location 15: 12-4 = 8.
        dice=[14, 1, 15],
        ea="Ajax:\n  hold all\n  intercept INT3\n  intercept none",
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )

    assert ship(done, "Ajax").structure["aft"] == 26


@pytest.mark.rule("BR-BAL-1")
def test_a_later_launch_of_a_mount_replaces_the_earlier():
    done = tried(
        unit("EA", "Dover", "Picket", (0, 0)),
        unit("Narn", "Vash", "Dro-Vash", (0, -20)),
        unit("Narn", "Tuk", "Talon", (3, -20)),
        # Initiative of three; the missile at Tuk (T 8+2) misses.
        dice=[10, 10, 10, 11],
        ea="Dover:\n  hold all\n  ballistic MR1 at Vash\n  ballistic MR1 at Tuk",
        narn=silent("Vash", "Tuk"),
    )

    assert done.sheets["EA"].problems == ()
    assert [fact["target"] for fact in events(done, "fire")] == ["Tuk"]


@pytest.mark.rule("BR-FTR-1")
def test_a_second_attack_line_replaces_the_first_but_another_letter_does_not():
    state = state_of(
        unit("EA", "Red", "Kestrel", (0, 0)), unit("Narn", "Vash", "Dro-Vash", (0, -9)), unit("Narn", "Tuk", "Talon")
    )

    assert rules_broken(state, "EA", "Red:\n  attack Vash\n  attack Tuk") == []
    assert rules_broken(state, "EA", "Red:\n  attack Vash\n  intercept") == ["BR-VAL-22"]


# --- flights ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-FTR-1", "BR-BAL-4")
def test_a_flight_on_d_against_the_nearest_fires_its_missiles_too():
    """Red has named nobody: the nearest flight, two hexes off, is its target. T = 4+1 = 5; 8-2 = 6 of 8."""
    done = fire(
        unit("EA", "Red", "Kestrel", (0, 0), number=1),
        unit("Narn", "Claw", "Fang", (0, -2), number=1),
        # 5 hits, 8 - 2 = 6; drop-out d6 2: stays.
        dice=[5, 2],
        ea="Red: missiles",
    )

    assert flight(done, "Claw").fighters[0].structure == 2
    assert flight(done, "Red").fighters[0].missiles == 1


# --- boarding --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-POD-3")
def test_two_squads_aboard_act_one_after_the_other():
    """The first does 10 to port, the second is killed; a file need not number them."""
    squads = [{"owner": "Narn", "section": one, "turn_docked": 1} for one in ("port", "aft")]
    done = fire(
        unit("EA", "Resolute", "Resolute", (0, 0), boarding_squads=squads),
        FAR,
        dice=[8, 2],
        ea=silent("Resolute"),
    )

    assert ship(done, "Resolute").structure["port"] == 34
    assert [one.section for one in ship(done, "Resolute").boarding_squads] == ["port"]


@pytest.mark.rule("BR-POD-2")
def test_a_pod_takes_the_next_free_name():
    """Karn-P1 is in flight already, so the pod launched now is Karn-P2."""
    done = tried(
        unit("EA", "Resolute", "Resolute", (0, 0)),
        unit("Narn", "Karn", "Karn-Tal", (0, -40)),
        unit("Narn", "", "Breaching pod", (0, -15), carrier="Karn", target="Resolute", section="aft"),
        dice=[10, 10],
        ea=silent("Resolute"),
        narn=silent("Karn") + "\n  board Resolute side port",
        switches={"boarding": True},
    )

    assert {name: one.position for name, one in done.state.flights.items()} == {"Karn-P1": (0, -5), "Karn-P2": (0, -30)}


# --- gravity mines ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-GRV-7")
def test_of_equally_near_gravity_mines_the_first_launched_pulls():
    """EA launched first, Narn fires first and so aims first; the ship between is pulled to EA's mine."""
    done = fire(
        unit("EA", "Tally", "Tallyman", (0, 40)),
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("Narn", "Foe", "Tallyman", (0, -40)),
        ballistic=[
            {"side": "EA", "launcher": "Tally", "mount": "GM1", "launch_hex": [0, 20], "target_hex": [0, 4]},
            {"side": "Narn", "launcher": "Foe", "mount": "GM1", "launch_hex": [0, -20], "target_hex": [0, -4]},
        ],
        first_fire="Narn",
        dice=[1, 2],
        ea=silent("Tally", "Ajax"),
        narn=silent("Foe"),
    )

    assert [fact["unit"] for fact in events(done, "burst")] == ["Foe", "Tally"]
    assert ship(done, "Ajax").position == (0, 1)


# --- asteroids -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-AST-3")
def test_a_size_word_clears_with_guns_only():
    """`clear medium` of a Picket is MP1, T = 0+5+(1+0) = 6; its missile rack stays full, both rocks do 3-3 = 0."""
    done = tried(
        unit("EA", "Dover", "Picket", (0, 0), speed=6),
        FAR,
        # Initiative; two rocks hit on -2+6+2 = 6; MP1 misses; side, location and damage of each rock.
        dice=[10, 10, 6, 6, 7, 1, 14, 3, 1, 14, 3],
        ea=silent("Dover") + "\n  clear medium",
        narn=silent("Far"),
        switches={"asteroids": True},
        terrain={"field": [{"hexes": [[0, -3]], "density": 2}]},
    )

    assert [fact["mount"] for fact in events(done, "clear")] == ["MP1"]
    assert ship(done, "Dover").weapon["MR1"].charge == 2
    assert ship(done, "Dover").structure["fore"] == 26


@pytest.mark.rule("BR-AST-1", "BR-FTR-5")
def test_the_extra_move_of_a_d_flight_meets_rocks_too():
    """Red drifts 6 and closes two more hexes, the first a field of density 4: need -4+6+4 = 6; 5-1 = 4 of 9."""
    done = tried(
        unit("EA", "Red", "Kestrel", (0, 0), speed=6, number=1),
        unit("Narn", "Claw", "Fang", (0, -8), number=1),
        # Initiative; the rock hits for 5; both miss in the dogfight; drop-out 5: stays.
        dice=[5, 6, 6, 5, 20, 20, 5],
        switches={"asteroids": True},
        terrain={"field": [{"hexes": [[0, -7]], "density": 4}]},
    )

    assert flight(done, "Red").position == (0, -8)
    assert flight(done, "Red").fighters[0].structure == 5


# --- situation files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"structure": {"fore": -5}}, "test.unit[0].structure.fore: structure left is at least 0, not -5"),
        ({"blocks_lost": {"CL1": 9}}, "test.unit[0].blocks_lost.CL1: CL1 has 6 blocks, not 9"),
        ({"number": 3}, "test.unit[0].number: Lance is a ship; this is for flights"),
        ({"boarding_squads": [{"owner": "Narn", "section": "port"}]}, "test.unit[0].boarding_squads[0].section"),
        ({"weapon": {"HL9": {}}}, "test.unit[0].weapon.HL9: Lance has CL1"),
    ],
)
def test_a_file_is_told_what_a_ship_cannot_have(fields, where):
    with pytest.raises(BadData) as found:
        state_of(unit("EA", "Ajax", "Lance", (0, 0), **fields), FAR)
    assert str(found.value).startswith(where)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"number": 7}, "test.unit[0].number: a flight has 1 to 6 fighters, not 7"),
        ({"structure": {"fore": 1}}, "test.unit[0].structure: Kestrel is a flight; this is for ships"),
    ],
)
def test_a_file_is_told_what_a_flight_cannot_have(fields, where):
    with pytest.raises(BadData) as found:
        state_of(unit("EA", "Red", "Kestrel", (0, 0), **fields), FAR)
    assert str(found.value).startswith(where)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"first_fire": "X"}, "test.first_fire: no side called 'X'"),
        ({"map": {}}, "test.map: a radius, or columns and rows"),
        ({"standing": {"X": "Ajax: hold all"}}, "test.standing: no side called 'X'"),
        ({"unit": [unit("EA", "Hold", "Lance")]}, "test.unit: 'Hold' is an order word"),
        ({"prize": [{"unit": "Nobody"}]}, "test.prize.unit: no ship called 'Nobody'"),
        ({"terrain": {"field": [{"hexes": [[0, 0]], "density": 9}]}}, "test.terrain.field.density"),
        ({"formation": [{"side": "EA", "leader": "Far", "ships": []}]}, "test.formation[0]: EA has no ship"),
        ({"ballistic": [{"side": "EA", "launcher": "Nobody", "mount": "MR1", "launch_hex": [0, 0]}]}, "test.ballistic"),
        (
            {"ballistic": [{"side": "Narn", "launcher": "Far", "mount": "TA1", "launch_hex": [0, 0]}]},
            "test.ballistic[0].mount: Far has no ballistic mount 'TA1'; it has EM1, EM2, TO1",
        ),
    ],
)
def test_a_file_is_told_which_name_or_number_is_wrong(fields, where):
    with pytest.raises(BadData) as found:
        state_of(unit("EA", "Ajax", "Lance", (0, 0)), FAR, **fields)
    assert str(found.value).startswith(where)

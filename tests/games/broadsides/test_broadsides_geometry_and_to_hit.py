"""Chapters 4.4, 4.5, 4.12 and 4.13 (lines): where things lie and how hard they are to hit."""

from __future__ import annotations

import pytest

from games.broadsides.data import TABLES
from games.broadsides.rules.catalogue import own_entries, printed
from games.broadsides.rules.damage import Wounds, chart_of
from games.broadsides.rules.geometry import (
    arc_sectors,
    bears,
    blocked,
    density_on_line,
    direction_at_range_0,
    facing_side,
    line_hexes,
    next_side,
    opposite,
    relative,
    sectors_of,
)
from games.broadsides.rules.tohit import Chance, chance, ew_of, jammed, range_modifier, range_step, signature
from pbem.kit.codec import BadData
from pbem.kit.hexgrid import Hex
from tests.games.broadsides.builders import battle_of, events, fire, first, gunner, ship, silent, state_of, unit

CLASSES = printed().classes
WEAPONS = printed().weapons


@pytest.mark.rule("BR-LOC-1")
def test_relative_positions_turn_with_the_bow_and_mirror_when_rolled():
    assert relative(Hex(0, 0), 2, Hex(3, 0), rolled=False) == Hex(0, -3)
    assert relative(Hex(0, 0), 0, Hex(2, 0), rolled=True) == Hex(-2, 2)
    assert sectors_of(Hex(0, -3)) == (0, 5)
    assert sectors_of(Hex(1, -3)) == (0,)
    assert sectors_of(Hex(3, 1)) == (2,)


@pytest.mark.rule("BR-LOC-2")
def test_standard_arcs():
    lance, citadel = CLASSES["Lance"], CLASSES["Citadel"]

    assert arc_sectors(lance.systems["CL1"].arc) == {5, 0}
    assert arc_sectors(lance.systems["INT1"].arc) == {4, 5, 0, 1}
    assert arc_sectors(lance.systems["INT3"].arc) == {1, 2, 3, 4}
    assert arc_sectors(CLASSES["Resolute"].systems["SPB1"].arc) == {3, 4, 5}
    assert arc_sectors(citadel.systems["HP2"].arc) == {0, 1}
    assert arc_sectors(CLASSES["Halo"].systems["AC1"].arc) == set(range(6))
    assert arc_sectors(CLASSES["Resolute"].systems["MR1"].arc) == set(range(6))


@pytest.mark.rule("BR-LOC-3")
def test_at_range_0_all_arcs_bear_and_the_firer_lies_astern_of_its_way():
    state = state_of(unit("EA", "Ajax", "Lance", (0, 0), speed=4), unit("Narn", "Tuk", "Tir-Zak", (0, 0), heading=2))
    ajax, tuk = state.ships["Ajax"], state.ships["Tuk"]

    assert bears(ajax, (120, 240), Hex(0, 0))
    assert direction_at_range_0(ajax, tuk) == 3
    assert direction_at_range_0(tuk, ajax) == 0
    assert direction_at_range_0(tuk, tuk) is None


@pytest.mark.rule("BR-LOC-4")
def test_facing_sides_and_their_ties():
    state = state_of(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("EA", "Resolute", "Resolute", (0, 0), structure={"starboard": 10}),
        unit("EA", "Citadel", "Citadel", (0, 0)),
    )
    four, two, base = (state.ships[name] for name in ("Resolute", "Ajax", "Citadel"))

    assert facing_side(CLASSES["Lance"], two, Hex(3, -2)) == "fore"
    assert facing_side(CLASSES["Lance"], two, Hex(2, -1)) == "fore"
    assert facing_side(CLASSES["Lance"], two, Hex(2, 0)) == "aft"
    assert facing_side(CLASSES["Resolute"], four, Hex(2, -1)) == "starboard"
    assert facing_side(CLASSES["Resolute"], four, Hex(2, -2)) == "fore"
    assert facing_side(CLASSES["Resolute"], four, Hex(2, 0)) == "aft"
    assert facing_side(CLASSES["Citadel"], base, Hex(3, 0)) == "s2"


@pytest.mark.rule("BR-LOC-5")
@pytest.mark.rule("BR-RUL-18")
def test_the_side_hit_by_d10():
    four, two, base = CLASSES["Resolute"], CLASSES["Lance"], CLASSES["Citadel"]

    assert [next_side(four, "fore", die) for die in (5, 6, 8, 10)] == ["fore", "starboard", "port", "aft"]
    assert [next_side(two, "fore", die) for die in (7, 8)] == ["fore", "aft"]
    assert [next_side(base, "s0", die) for die in (6, 7, 9)] == ["s0", "s1", "s5"]
    assert opposite(base, "s1") == "s4"


@pytest.mark.rule("BR-LOC-6")
@pytest.mark.rule("BR-RUL-18")
def test_the_location_chart():
    assert TABLES.location["four"] == {"thruster": 3, "A": 6, "B": 9, "C": 11, "structure": 18, "primary": 20}
    assert chart_of(CLASSES["Raider"], "main") == "main"
    battle = battle_of(unit("EA", "Ajax", "Lance"), dice=[20, 16, 6, 8])
    wounds = Wounds(battle, "Ajax", battle.tally("x"))
    assert wounds.locate("fore").name == "engine"
    assert wounds.locate("fore").name == "CL1"
    assert wounds.locate("fore").name == "HP1"
    dover = battle_of(unit("EA", "Dover", "Picket"), dice=[11])
    assert Wounds(dover, "Dover", dover.tally("x")).locate("fore").name == "structure"


@pytest.mark.rule("BR-LOC-7")
def test_the_defender_says_which_mount_of_a_group_is_hit():
    """Range 3, T 18: with ``take CL2, CL1`` the A result strikes CL2."""
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("Narn", "Tuk", "Talon", (0, -3), heading=3),
        dice=[15, 1, 6],
        ea=silent("Ajax") + "\n take CL2, CL1",
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )

    assert first(done, "hit")["location"] == "CL2"


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


@pytest.mark.rule("BR-LOC-8")
def test_a_side_without_structure_takes_its_systems_along():
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0), structure={"fore": 5}),
        unit("Narn", "Tuk", "Talon", (0, -3), heading=3),
        dice=[15, 1, 15, 7],
        ea=silent("Ajax"),
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )

    ajax = ship(done, "Ajax")
    assert first(done, "side_lost")["item"] == "fore"
    assert (ajax.blocks_lost["CL1"], ajax.blocks_lost["thruster-fore"]) == (6, 6)
    lost = fire(
        unit("EA", "Ajax", "Lance", (0, 0), structure={"fore": 0, "primary": 1}),
        unit("Narn", "Tuk", "Talon", (0, -3), heading=3),
        dice=[15, 1, 3],
        ea=silent("Ajax"),
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )
    assert first(lost, "ship_lost")["unit"] == "Ajax"


@pytest.mark.rule("BR-LOC-10")
@pytest.mark.rule("BR-RUL-32")
def test_a_wrecked_weapon_keeps_half_its_armour():
    """HP 12 on destroyed MP1 (armour 3): 12 - 1 = 11 to the aft structure."""
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0), blocks_lost={"MP1": 5}),
        unit("Narn", "Tuk", "Talon", (0, 3), heading=0),
        dice=[15, 1, 6],
        ea=silent("Ajax"),
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )

    assert ship(done, "Ajax").structure["aft"] == 34 - 11


@pytest.mark.rule("BR-LOC-12")
def test_called_shots_cost_signature():
    battle = battle_of(unit("EA", "Ajax", "Lance", (0, 4)), unit("Narn", "Karn", "Karn-Tal", (0, 0), heading=3))
    ajax, karn = battle.ships["Ajax"], battle.ships["Karn"]

    plain = chance(battle, ajax, WEAPONS["HP"], karn).total
    assert chance(battle, ajax, WEAPONS["HP"], karn, called="fore").total == plain - 5
    assert chance(battle, ajax, WEAPONS["HP"], karn, called="aft").total == plain - 8
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 4)),
        unit("Narn", "Karn", "Karn-Tal", (0, 0), heading=3),
        dice=[5, 12, 12, 12],
        ea=gunner("Ajax", "fire HP1 at Karn called port"),
        narn=silent("Karn"),
    )
    assert [hit["side"] for hit in events(done, "hit")] == ["port", "port", "port"]


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


@pytest.mark.rule("BR-HIT-1", "BR-HIT-6")
@pytest.mark.rule("BR-RUL-2")
def test_t_is_signature_ew_range_and_situation():
    battle = battle_of(unit("EA", "Ajax", "Lance", (0, 6)), unit("Narn", "Red", "Fang", (0, 0), order="A"))

    found = chance(battle, battle.ships["Ajax"], WEAPONS["HP"], battle.flights["Red"])

    assert found == Chance(signature=4, ew=6, range_modifier=2 + 1 - 3, situation=3)
    target = battle_of(unit("EA", "Ajax", "Lance", (0, 6)), unit("Narn", "Tuk", "Tir-Zak", (0, 0)))
    pierced = chance(target, target.ships["Ajax"], WEAPONS["CL"], target.ships["Tuk"], piercing=True)
    assert pierced.situation == -5
    rail = chance(target, target.ships["Ajax"], WEAPONS["RG"], target.ships["Tuk"], piercing=True)
    assert rail.situation == 0


@pytest.mark.rule("BR-HIT-2", "BR-HIT-8", "BR-LOC-11")
def test_signature_with_stealth_lost_sides_rocks_and_shields():
    """Resolute 12, stealth 2; a lost side: +2 and half the stealth."""
    battle = battle_of(
        unit("EA", "Resolute", "Resolute", (0, 0)),
        unit("EA", "Broken", "Resolute", (0, 0), structure={"aft": 0}),
        unit("EA", "Bulwark", "Bulwark", (0, 0)),
        switches={"asteroids": True},
        terrain={"field": [{"density": 3, "hexes": [[0, 0]]}]},
    )
    far, here = Hex(0, -1), Hex(0, 0)

    assert signature(battle, battle.ships["Resolute"], far) == 12 - 2 - 3
    assert signature(battle, battle.ships["Broken"], far) == 12 - 1 + 2 - 3
    assert signature(battle, battle.ships["Bulwark"], far) == 10 - 2 - 3
    assert signature(battle, battle.ships["Bulwark"], here) == 10


@pytest.mark.rule("BR-HIT-3", "BR-CRT-3")
def test_ew_with_elint_upgrades_and_losses():
    battle = battle_of(
        unit("EA", "Vigil", "Vigil"),
        unit("EA", "Ajax", "Lance", sensor_upgrades=1, blocks_lost={"sensors": 3, "cnc": 3}),
        unit("EA", "Sentry", "Sentry"),
    )

    assert ew_of(battle, battle.ships["Vigil"]) == 7 + 2
    assert ew_of(battle, battle.ships["Ajax"]) == 6 + 1 - 1 - 1 + 2
    assert ew_of(battle, battle.ships["Sentry"]) == 5


@pytest.mark.rule("BR-HIT-4", "BR-WPN-10")
@pytest.mark.rule("BR-RUL-1")
def test_range_modifiers():
    """Step 1½: range 4 costs 2; plasma L ½: range 3 costs 6; H at a flight within 2: -5."""
    battle = battle_of(unit("EA", "Ajax", "Lance"))
    ajax = battle.ships["Ajax"]

    assert range_modifier(battle, ajax, WEAPONS["MP"], 4, close=False) == 1 + 1 - 2
    assert range_modifier(battle, ajax, WEAPONS["PW"], 3, close=False) == 0 + 1 - 6
    assert range_modifier(battle, ajax, WEAPONS["HP"], 2, close=True) == 2 + 1 - 5 - 1
    assert [range_step(WEAPONS[name]) for name in ("BO", "GP", "RG", "BB")] == [2, 1.5, 1.5, 2]


@pytest.mark.rule("BR-HIT-5")
@pytest.mark.rule("BR-RUL-38")
def test_platform_and_workmanship_and_no_heavy_weapons_on_an_lcv():
    battle = battle_of(unit("EA", "Watcher", "Watcher"), unit("EA", "Raider", "Raider"))

    assert range_modifier(battle, battle.ships["Watcher"], WEAPONS["FC"], 0, close=False) == 1 + 2 + 3
    assert range_modifier(battle, battle.ships["Raider"], WEAPONS["BO"], 0, close=False) == 1 - 1 + 1
    section = {"name": "main", "structure": 20, "armour": 3, "A": ["HL1"]}
    with pytest.raises(BadData, match="heavy weapons may not be mounted on an LCV"):
        own_entries({"class": {"Raider": {"section": [section]}}}, "file")


@pytest.mark.rule("BR-HIT-7")
@pytest.mark.rule("BR-RUL-16")
def test_pulses_by_grouping():
    """T 15, roll 1: 1 + 14 // 3 = 5 pulses of the 6 a heavy pulse has; 8 each break the fore side."""
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("Narn", "Tuk", "Talon", (0, -3), heading=3),
        dice=[1, 1, 15, 15, 15, 15, 15, 3],
        ea=silent("Ajax"),
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )

    assert (first(done, "fire")["need"], first(done, "fire")["pulses"]) == (15, 5)
    assert len([hit for hit in events(done, "hit") if hit["section"] == "fore"]) == 5


@pytest.mark.rule("BR-JAM-5")
def test_jammers_do_not_touch_missiles():
    done = fire(
        unit("EA", "Dover", "Picket", (0, 9)),
        unit("Narn", "Velanar", "Velanar", (0, 0)),
        dice=[20],
        ballistic=[
            {
                "side": "EA",
                "launcher": "Dover",
                "mount": "MR1",
                "launch_hex": [0, 9],
                "kind": "standard",
                "target": "Velanar",
            }
        ],
        ea=silent("Dover"),
        narn=silent("Velanar"),
    )

    assert first(done, "fire")["need"] == 12 + 2
    battle = battle_of(unit("EA", "Dover", "Picket"), unit("Narn", "Velanar", "Velanar"))
    assert jammed(battle, 0, battle.ships["Dover"], battle.ships["Velanar"]) == 0


@pytest.mark.rule("BR-AST-5")
def test_large_asteroids_block_only_next_to_them():
    rock = frozenset({Hex(0, -1)})

    assert blocked(rock, Hex(0, 0), Hex(0, -5))
    assert not blocked(rock, Hex(0, 3), Hex(0, -5))


@pytest.mark.rule("BR-AST-6")
def test_a_line_along_an_edge_takes_the_lower_density():
    """(0,0) to (1,-2) runs along the edge of (0,-1) and (1,-1)."""
    assert line_hexes(Hex(0, 0), Hex(1, -2)) in (((Hex(0, -1), Hex(1, -1)),), ((Hex(1, -1), Hex(0, -1)),))
    assert density_on_line({Hex(0, -1): 4}, Hex(0, 0), Hex(1, -2)) == 0
    assert density_on_line({Hex(0, -1): 4, Hex(1, -1): 2}, Hex(0, 0), Hex(1, -2)) == 2
    assert not blocked(frozenset({Hex(0, -1)}), Hex(0, 0), Hex(1, -2))


@pytest.mark.rule("BR-AST-7")
def test_density_counts_the_targets_hex_but_not_the_firers():
    field = {Hex(0, 0): 1, Hex(0, -1): 2, Hex(0, -2): 3}

    assert density_on_line(field, Hex(0, 0), Hex(0, -2)) == 2 + 3


@pytest.mark.rule("BR-RUL-24", "BR-JAM-2")
def test_minbari_and_drakh_in_the_jam_table():
    """EW 9 of a Minbari stays 9; a Drakh Raider's 8 falls by 6, and no year halves that."""
    battle = battle_of(
        unit("EA", "Tolenn", "Tolenn"),
        unit("EA", "Raider", "Raider", jammer_upgrade=True),
        unit("Narn", "Velanar", "Velanar"),
        switches={"jammer_rule": "table"},
        year=2300,
    )
    target = battle.ships["Velanar"]

    assert jammed(battle, 9, battle.ships["Tolenn"], target) == 9
    assert jammed(battle, 8, battle.ships["Raider"], target) == 2

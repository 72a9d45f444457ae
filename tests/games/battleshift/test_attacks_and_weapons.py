"""Sections 4.4 to 4.6: attacks, suppression, damage, disabling, weapons; 4.16: experience."""

from __future__ import annotations

from typing import Any

import pytest

from games.battleshift.data import WEAPONS, units
from games.battleshift.rules.building import check_design
from games.battleshift.rules.sight import Pose, aim, arcs_of, pose_of
from tests.games.battleshift.builders import (
    AZURE_FIRST,
    FAR,
    HULK,
    events,
    field,
    flight,
    foe,
    kinds,
    measured,
    named,
    sq,
    state_of,
    statuses,
    tf,
    turn,
)

GUN = {"Gun": {"size": 3, "heavy": 1}, "Raft": {"size": 3, "no_shields": True, "hull": 9}}


def number_at(weapon="heavy", gunner="Gun", target="Light Carrier", at="20,20", traits=(), suppression=0, **more):
    """The targeting number of one ship at 20,40 against one at `at`."""
    shooter = sq("Lion", gunner, "20,40", traits=list(traits), suppression=suppression)
    state = state_of([shooter, foe("Asp", target, at)], **{"class": GUN, **more})
    table = measured(state)
    lion, asp = table.squadron("azure", "Lion"), table.squadron("crimson", "Asp")
    assert lion is not None
    assert asp is not None
    return aim(table, lion, pose_of(lion), weapon, asp)


@pytest.mark.rule("BS-WPN-1", "BS-SHD-4", "BS-R-10")
def test_the_weapon_table():
    table = {name: (w.range, w.arc, w.base, w.power) for name, w in WEAPONS.items()}

    assert table == {
        "light": (1200, 270, 4, 0),
        "heavy": (3600, 90, 4, 2),
        "broadside": (2400, 90, 4, 2),
        "super": (4800, 90, 4, 3),
        "ion": (600, 90, 4, 0),
        "heavy_ion": (1800, 90, 4, 1),
        "missile": (2400, 360, 5, 1),
        "fighter": (50, 360, 3, 0),
        "assault": (300, 360, 4, 0),
        "tractor": (300, 360, 0, 0),
    }


@pytest.mark.rule("BS-ATK-3", "BS-WPN-1")
def test_range_and_arc_are_inclusive():
    assert number_at(at="20,4") == 4
    assert number_at(at="20,3.99") is None
    assert number_at(at="40,20") == 4
    assert number_at(at="40.01,20") is None


@pytest.mark.rule("BS-ATK-6", "BS-R-42", "BS-STN-2", "BS-XP-3", "BS-XP-2")
def test_the_number_is_limited_to_1_and_6():
    assert number_at(suppression=5) == 1
    assert number_at(target="Gate Station") == 5
    assert number_at(target="Gate Station", traits=["Crack Gunners"]) == 6
    assert number_at(suppression=1, traits=["Iron Nerve"]) == 4
    assert number_at(suppression=2, traits=["Iron Nerve"]) == 3


@pytest.mark.rule("BS-ATK-4", "BS-ATK-5", "BS-TER-1")
def test_clouds_obscure_and_planets_block():
    dust = {"kind": "dust", "at": "20,30", "radius": 100}
    planet = {"kind": "moon", "name": "Cinder", "at": "20,30", "radius": 100}

    assert number_at(terrain=[dust]) == 3
    assert number_at(terrain=[dust, {**dust, "kind": "nebula"}]) == 2
    assert number_at(terrain=[{**dust, "at": "21.01,30"}]) == 4
    assert number_at(terrain=[planet]) is None
    assert number_at(terrain=[{**planet, "at": "21,30"}]) == 4


@pytest.mark.rule("BS-ATK-1", "BS-ATK-2")
def test_heavy_and_broadside_may_take_two_targets():
    """One attack on each; aimed at one ship they are one attack of three dice."""
    cls = {**GUN, "Mix": {"size": 4, "heavy": 1, "broadside": 2}}
    ships = [sq("Mix", "Mix", "20,30"), foe("Ahead", "Raft", "20,10"), foe("Beam", "Raft", "40,30")]
    state = state_of(ships, **field("class", cls))
    split = turn(state, "Mix:\n  hold\n  fire heavy at Ahead\n  fire broadside at Beam", dice=(*AZURE_FIRST, 6, 6, 6))
    corner = state_of([ships[0], foe("Corner", "Raft", "35,15")], **field("class", cls))
    joint = turn(corner, "Mix: hold", dice=(*AZURE_FIRST, 6, 6, 6))

    assert [(f["target"], f["dice"]) for f in events(split, "fire")] == [("Ahead", [[6]]), ("Beam", [[6, 6]])]
    assert [(f["target"], f["dice"]) for f in events(joint, "fire")] == [("Corner", [[6, 6, 6]])]


@pytest.mark.rule("BS-WPN-5")
def test_broadsides_fire_to_the_sides_only():
    cls = {"class": {**GUN, "Beam": {"size": 4, "broadside": 2}}}

    assert number_at("broadside", "Beam", at="30,40", **cls) == 4
    assert number_at("broadside", "Beam", at="10,40", **cls) == 4
    assert number_at("broadside", "Beam", at="20,30", **cls) is None
    assert number_at("broadside", "Beam", at="20,47", **cls) is None


@pytest.mark.rule("BS-STN-3", "BS-R-53", "BS-STN-1", "BS-STN-4", "BS-STN-5")
def test_stations_fire_their_heavy_weapons_all_round():
    cls: dict[str, Any] = {"class": {**GUN, "Fort": {"kind": "station", "size": 30, "broadside": 1, "light": 1}}}
    table = measured(state_of([sq("Fort", "Fort", "20,30"), FAR], **cls))
    fort = table.squadron("azure", "Fort")
    assert fort is not None

    assert arcs_of(fort, "broadside", 0) == ((0, 360),)
    assert arcs_of(fort, "light", 0) == ((0, 270),)
    assert (fort.cls.shields, fort.cls.radius, fort.cls.speed) == (30, 300, 0)


@pytest.mark.rule("BS-ATK-11")
def test_concentrate_fires_at_one_target_together_first():
    """The flagship's nearest is Near; both squadrons fire at it though Wing has another nearer."""
    ships = [
        sq("Flag", "Gun", "20,40"),
        sq("Wing", "Gun", "26,40"),
        foe("Near", "Raft", "18,20"),
        foe("Other", "Raft", "30,20"),
    ]
    state = state_of(ships, [tf("Line", "Flag", "Wing")], **field("class", GUN))
    volley = turn(state, "Line: hold", dice=(*AZURE_FIRST, 6, 6))
    joint = turn(state, "Line:\n  hold\n  mode concentrate", dice=(*AZURE_FIRST, 6, 6))

    assert [f["target"] for f in events(volley, "fire")] == ["Near", "Other"]
    assert [(f["attackers"], f["target"]) for f in events(joint, "fire")] == [(["Flag", "Wing"], "Near")]


@pytest.mark.rule("BS-ATK-11")
def test_a_volley_whose_target_is_gone_chooses_again():
    """P kills the raft; Q, who had chosen it too but is out of command, takes the other one."""
    cls = {"Gun": {"size": 3, "heavy": 1}, "Raft": {"size": 3, "no_shields": True, "hull": 1}}
    ships = [
        sq("P", "Gun", "20,40"),
        sq("Q", "Gun", "30,40"),
        foe("First", "Raft", "24,20"),
        foe("Next", "Raft", "40,20"),
    ]
    state = state_of(ships, [tf("Line", "P", "Q")], **field("class", cls))
    shot = turn(state, "Line: hold", dice=(*AZURE_FIRST, 1, 6, 6))

    assert [(f["attackers"], f["target"]) for f in events(shot, "fire")] == [(["P"], "First"), (["Q"], "Next")]


@pytest.mark.rule("BS-ATK-12", "BS-R-13")
def test_focused_fire_meets_one_ships_shields_and_suppresses_nobody():
    cls = {"Gun": {"size": 3, "heavy": 4}, "Prey": {"size": 3, "hull": 2}}
    ships = [sq("Gun", "Gun", "20,40"), foe("Prey", "Prey", "20,20", "20,19", "20,18")]
    state = state_of(ships, switches={"focused_fire": True}, **field("class", cls))
    dice = (*AZURE_FIRST, 1, 1, 1, 1, 6, 6, 6, 1)
    shot = turn(state, "Gun:\n  hold\n  fire heavy at Prey.3", dice=dice)

    assert len(events(shot, "shields")[0]["dice"]) == 2
    assert "suppress" not in kinds(shot)
    assert statuses(shot.state, "Prey") == ["active", "active", "destroyed"]


@pytest.mark.rule("BS-SUP-1")
def test_suppression_may_be_counted_over_the_activation():
    """Three hits of one squadron and two of another, staggered, on five ships: a marker only when added up."""
    cls = {
        "Three": {"size": 3, "heavy": 3},
        "Two": {"size": 3, "heavy": 2},
        "Raft": {"size": 3, "no_shields": True, "hull": 9},
    }
    prey = foe("Prey", "Raft", *(f"{20 + n},20" for n in range(5)))
    ships = [sq("A", "Three", "20,40"), sq("B", "Two", "23,40"), prey]
    for count, markers in (("attack", 0), ("activation", 1)):
        switches = {"suppression_count": count}
        state = state_of(ships, [tf("Line", "A", "B", mode="staggered")], switches=switches, **field("class", cls))
        shot = turn(state, "Line: hold", dice=(*AZURE_FIRST, 1, 1, 1, 1, 1))

        assert named(shot.state, "Prey").suppression == markers


@pytest.mark.rule("BS-DMG-1", "BS-WPN-4", "BS-R-15", "BS-R-46")
def test_super_heavy_rolls_d3_and_fires_alone():
    """Two hits, dice 5 and 2: 3 + 1 damage; the heavy battery is silent. Without a target it fires instead."""
    cls = {"Siege": {"size": 8, "super": 2, "heavy": 1}, "Raft": {"size": 3, "no_shields": True, "hull": 9}}
    state = state_of(
        [sq("Ram", "Siege", "20,40"), foe("Asp", "Raft", "20,10")],
        switches={"super_heavy": True},
        **field("class", cls),
    )
    shot = turn(state, "Ram: hold", dice=(*AZURE_FIRST, 1, 1, 5, 2))
    held = turn(state, "Ram:\n  hold\n  fire super none", dice=(*AZURE_FIRST, 6))

    assert [f["weapon"] for f in events(shot, "fire")] == ["super"]
    assert named(shot.state, "Asp").damage == 4
    assert [f["weapon"] for f in events(held, "fire")] == ["heavy"]


@pytest.mark.rule("BS-DIS-2", "BS-DIS-4", "BS-R-6")
def test_ion_disables_even_on_a_six():
    cls = {"Prey": {"size": 2, "no_shields": True, "hull": 1}}
    ships = [sq("Ion", "Ion Cruiser", "20,35"), foe("Prey", "Prey", "20,20", "21,20")]
    shot = turn(
        state_of(ships, switches={"ion": True}, **field("class", cls)),
        "Ion: hold",
        dice=(*AZURE_FIRST, 1, 1, 6, 6, 6, 6),
    )

    assert statuses(shot.state, "Prey") == ["disabled", "disabled"]
    assert "destroyed" not in kinds(shot)


@pytest.mark.rule("BS-DIS-5", "BS-R-48", "BS-DIS-4")
def test_a_disabled_ship_left_behind_is_abandoned():
    """It moves off 12.00": the disabled ship shifts away; where there is no shifting it stays as a derelict."""
    hulk = [{"number": 1, "at": "20,40"}, {"number": 2, "at": "21,40", "status": "disabled"}]
    lion = {"name": "Lion", "side": "azure", "class": "Fleet Cruiser", "ships": hulk, "facing": 0}
    gone = turn(state_of([lion, FAR]), "Lion: move ahead 12")
    stays = turn(state_of([lion, FAR], switches={"shift": "none"}), "Lion: move ahead 12")
    beside = turn(state_of([lion, FAR]), "Lion: move ahead 5", dice=(*AZURE_FIRST, 6))

    assert statuses(gone.state, "Lion") == ["active", "left"]
    assert statuses(stays.state, "Lion-2") == ["disabled"]
    assert statuses(beside.state, "Lion") == ["active", "disabled"]


@pytest.mark.rule("BS-WPN-3", "BS-ATK-10")
def test_destroyers_use_their_light_guns_once():
    """As battery in their own activation; kept for interception they stay silent and meet a flight."""
    ships = [sq("Gull", "Attack Destroyer", "20,30"), foe("Asp", "Light Carrier", "20,25", wings_aboard=0)]
    state = state_of(ships, flights=[flight("Owl", "Asp", 2, "20,29.5", "crimson")])
    battery = turn(state, "Gull: hold", dice=(*AZURE_FIRST, 6, 6))
    guard = turn(state, "Gull:\n  hold\n  lightguns interceptor", dice=(*AZURE_FIRST, 3, 4, 4))

    assert kinds(battery, "fire", "intercept") == ["fire"]
    assert kinds(guard, "fire", "intercept") == ["intercept"]
    assert events(guard, "intercept")[0]["kills"] == 1


@pytest.mark.rule("BS-WPN-2", "BS-WPN-6")
@pytest.mark.parametrize(("moment", "y"), [("start", 3500), ("after 2.5", 3200), ("end", 3000), ("after 30", 3000)])
def test_light_fire_at_the_ordered_moment(moment, y):
    ships = [sq("Gull", "Attack Destroyer", "20,35"), foe("Asp", "Light Carrier", "20,25")]
    shot = turn(state_of(ships), f"Gull:\n  move ahead 5\n  fire light at Asp {moment}", dice=(*AZURE_FIRST, 6, 6))

    assert events(shot, "fire")[0]["from"] == [[2000, y]]


@pytest.mark.rule("BS-WPN-6")
def test_squadrons_with_one_target_fire_light_together_when_all_can():
    """Front is in range at the start, Rear only after two inches: both fire there."""
    ships = [
        sq("Front", "Attack Destroyer", "20,35"),
        sq("Rear", "Attack Destroyer", "20,37"),
        foe("Asp", "Light Carrier", "20,23"),
    ]
    state = state_of(ships, [tf("Line", "Front", "Rear")])
    shot = turn(state, "Line: move ahead 6", dice=(*AZURE_FIRST, 6, 6, 6, 6))

    assert [(f["attackers"], f["from"]) for f in events(shot, "fire")] == [
        (["Front", "Rear"], [[2000, 3300], [2000, 3500]])
    ]


@pytest.mark.rule("BS-R-27", "BS-SHD-2")
def test_armour_rolls_the_normal_number_of_dice_at_2():
    cls = {"Lamp": {"size": 3, "light": 1}, "Raft": {"size": 3, "no_shields": True}}
    ships = [sq("Lamp", "Lamp", "20,30"), foe("Raft", "Raft", "20,20")]
    shot = turn(state_of(ships, **field("class", cls)), "Lamp: hold", dice=(*AZURE_FIRST, 1, 2, 3))

    assert events(shot, "shields")[0] == {
        "squadron": "Raft", "dice": [2, 3], "need": 2, "saved": 1, "hits": 1, "side": "crimson",
    }  # fmt: skip


# --- experience ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-XP-1", "BS-XP-7", "BS-R-30")
def test_steady_crews_recover_and_engineers_repair_better():
    lion = sq("Lion", "Fleet Cruiser", "20,40", "21,40", damage=2, suppression=1)
    lion["traits"] = ["Steady Crew", "Veteran Engineers"]
    rested = turn(state_of([lion, FAR]), "Lion: hold", dice=(*AZURE_FIRST, 2, 3, 3))

    assert (named(rested.state, "Lion").damage, named(rested.state, "Lion").suppression) == (1, 0)
    assert named(rested.state, "Lion").traits_seen == {"Steady Crew", "Veteran Engineers"}


@pytest.mark.rule("BS-XP-4")
def test_handy_ships_turn_45_more():
    iron = sq("Iron", "Fleet Battleship", "20,40", traits=["Handy"])
    turned = turn(state_of([iron, FAR]), "Iron: face 135")

    assert named(turned.state, "Iron").facing == 135


@pytest.mark.rule("BS-XP-5", "BS-XP-6", "BS-FTR-3", "BS-FTR-7")
def test_veteran_fighters_dodge_on_4_and_elite_ones_hit_on_4():
    roost = sq("Roost", "Light Carrier", "20,40", traits=["Veteran Fighters", "Elite Fighters"], wings_aboard=0)
    ships = [roost, foe("Asp", "Defense Frigate", "20,30")]
    state = state_of(ships, flights=[flight("Hawk", "Roost", 2, "20,35")])
    shot = turn(state, "Roost:\n  hold\n  fire none\nHawk: strike Asp", dice=(*AZURE_FIRST, 1, 6, 4, 4, 5, 1))

    assert events(shot, "dodge")[0]["need"] == 4
    assert events(shot, "fire")[0]["numbers"] == [4]
    assert events(shot, "fire")[0]["hits"] == 1


# --- catalogue -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-R-29", "BS-R-44", "BS-R-14")
def test_the_catalogue_complies_with_the_building_rules():
    classes = units().classes

    assert [name for name, made in classes.items() if check_design(made)] == []
    assert (classes["Shield Frigate"].shields, classes["Fast Attack Cruiser"].cost) == (3, 39)
    assert (classes["Missile Dreadnought"].cost, classes["Behemoth"].speed) == (50, 1200)
    assert (classes["Reaver"].tractor, classes["Gate Station"].gate) == (1, 1)


def test_a_pose_without_ships_aims_at_nobody():
    table = measured(state_of([sq("Lion", "Fleet Cruiser", "20,40"), FAR]))
    lion, far = table.squadron("azure", "Lion"), table.squadron("crimson", "Far")
    assert lion is not None
    assert far is not None

    assert aim(table, lion, Pose((), 0), "heavy", far) is None


# --- corners of these chapters ---------------------------------------------------------------------------------------


@pytest.mark.rule("BS-DIS-2")
def test_ion_beams_disable_at_no_penalty_also_under_a_line_for_all_weapons() -> None:
    squadrons = [sq("Zap", "Ion Frigate", "20,20"), foe("Prey", "Fleet Cruiser", "20,16"), FAR]
    state = state_of(squadrons, switches={"ion": True, "disable_fire": True})
    result = turn(state, "Zap:\n hold\n fire all at Prey to disable", dice=(*AZURE_FIRST, 6, 6, 6))
    fired = {fire["weapon"]: fire["numbers"] for fire in events(result, "fire")}
    assert fired == {"light": [3], "ion": [4]}


@pytest.mark.rule("BS-ATK-12")
def test_a_focused_attack_takes_the_named_ship_first_even_if_it_is_disabled() -> None:
    """One heavy hit of two, damage 6 of 6, one test failed."""
    ships = [{"number": 1, "at": "20,10"}, {"number": 2, "at": "21,10", "status": "disabled"}]
    prey = {**foe("Prey", "Hulk"), "ships": ships, "damage": 5}
    state = state_of(
        [sq("Lion", "Fleet Cruiser", "20,30"), prey, FAR],
        switches={"focused_fire": True},
        **field("class", {"Hulk": HULK}),
    )
    result = turn(state, "Lion:\n hold\n fire heavy at Prey.2", dice=(*AZURE_FIRST, 1, 6, 6))
    assert statuses(result.state, "Prey") == ["active", "destroyed"]


@pytest.mark.rule("BS-ATK-12")
def test_a_named_ship_that_is_gone_passes_the_attack_on_to_the_next_item() -> None:
    """Lion destroys Prey.2; Puma, that named it first, fires at Decoy."""
    squadrons = [
        sq("Lion", "Fleet Cruiser", "20,30"),
        sq("Puma", "Fleet Cruiser", "22,30"),
        foe("Prey", "Hulk", "20,10", "21,10", damage=5),
        foe("Decoy", "Hulk", "26,10"),
        FAR,
    ]
    state = state_of(squadrons, switches={"focused_fire": True}, **field("class", {"Hulk": HULK}))
    orders = "Lion:\n hold\n fire heavy at Prey.2\nPuma:\n hold\n fire heavy at Prey.2, Decoy"
    result = turn(state, orders, dice=(*AZURE_FIRST, 1, 6, 6, 6, 6))
    assert [fire["target"] for fire in events(result, "fire")] == ["Prey", "Decoy"]


@pytest.mark.rule("BS-ATK-11", "BS-WPN-6")
def test_light_fire_whose_target_is_gone_is_chosen_again_and_fired_together() -> None:
    """Axe kills Prey (hit 1, armour 6, test 6); Bow and Cog, who meant to disable it, both turn to Decoy."""
    squadrons = [
        sq("Axe", "Sword Frigate", "20,20"),
        sq("Bow", "Sword Frigate", "22,20"),
        sq("Cog", "Sword Frigate", "24,20"),
        foe("Prey", "Hulk", "20,14", damage=3),
        foe("Decoy", "Fleet Cruiser", "24,12"),
        FAR,
    ]
    state = state_of(
        squadrons, [tf("Guard", "Axe", "Bow", "Cog")], switches={"disable_fire": True}, **field("class", {"Hulk": HULK})
    )
    orders = """Guard:
      hold
      fire heavy none
      fire light at Prey, Decoy to disable
    Axe: fire light at Prey
    """
    result = turn(state, orders, dice=(*AZURE_FIRST, 1, 6, 6, 6, 6))
    assert [(fire["attackers"], fire["target"]) for fire in events(result, "fire")] == [
        (["Axe"], "Prey"),
        (["Bow", "Cog"], "Decoy"),
    ]


@pytest.mark.rule("BS-ATK-11")
def test_a_volley_is_aimed_at_the_start_of_the_step_for_all_families() -> None:
    """When heavy ion chose, nobody was damaged: it keeps to Near, though heavy has since damaged Mark."""
    classes = {"Duo": {"size": 4, "heavy": 1, "heavy_ion": 1}, "Hulk": HULK}
    squadrons = [sq("Duo", "Duo", "20,30"), foe("Mark", "Hulk", "20,20"), foe("Near", "Hulk", "23,24"), FAR]
    state = state_of(squadrons, [tf("Guard", "Duo")], switches={"ion": True}, **field("class", classes))
    orders = "Guard:\n hold\n fire heavy at Mark\n fire heavyion at damaged, nearest"
    result = turn(state, orders, dice=(*AZURE_FIRST, 1, 6))
    assert [(fire["weapon"], fire["target"]) for fire in events(result, "fire")] == [
        ("heavy", "Mark"),
        ("heavy_ion", "Near"),
    ]


@pytest.mark.rule("BS-ATK-8")
def test_light_dice_of_a_concentrated_attack_come_in_listing_order() -> None:
    """Axe has a line of its own and agrees with the others: still its die is the first."""
    squadrons = [
        sq("Axe", "Sword Frigate", "20,20"),
        sq("Bow", "Sword Frigate", "22,20"),
        foe("Prey", "Fleet Cruiser", "21,14"),
        FAR,
    ]
    state = state_of(squadrons, [tf("Guard", "Axe", "Bow")])
    orders = "Guard:\n hold\n mode concentrate\n fire heavy none\nAxe: fire light at Prey"
    result = turn(state, orders, dice=(*AZURE_FIRST, 5, 6))
    (fire,) = events(result, "fire")
    assert (fire["attackers"], fire["dice"]) == (["Axe", "Bow"], [[5], [6]])

"""Corners of the rule book, each reckoned by hand."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kit.codec import BadData
from tests.games.battleshift.builders import (
    AZURE_FIRST,
    FAR,
    events,
    flight,
    foe,
    named,
    order_of,
    spots,
    sq,
    state_of,
    statuses,
    tf,
    turn,
)


def planet(*installations: str, **more: Any) -> list[dict[str, Any]]:
    """Crimson's planet in the middle of the table, the same in all quadrants."""
    quadrants = {place: {"installations": list(installations)} for place in ("NE", "SE", "SW", "NW")}
    body = {"kind": "planet", "name": "Terra", "x": 3600, "y": 2400, "radius": 600, "owner": "crimson", "defence": 10}
    return [{**body, "quadrants": quadrants, **more}]


HULK: dict[str, Any] = {"size": 2, "no_shields": True}
"""Hull 3; armour stops nothing of power 2, a 1 of power 1."""


@pytest.mark.rule("BS-DIS-2")
def test_ion_beams_disable_at_no_penalty_also_under_a_line_for_all_weapons() -> None:
    squadrons = [sq("Zap", "Ion Frigate", "20,20"), foe("Prey", "Fleet Cruiser", "20,16"), FAR]
    state = state_of(squadrons, switches={"ion": True, "disable_fire": True})
    result = turn(state, "Zap:\n hold\n fire all at Prey to disable", dice=(*AZURE_FIRST, 6, 6, 6))
    fired = {fire["weapon"]: fire["numbers"] for fire in events(result, "fire")}
    assert fired == {"light": [3], "ion": [4]}


@pytest.mark.rule("BS-DEA-5")
def test_a_squadron_that_died_in_its_own_activation_rolls_no_recovery() -> None:
    """One die in the mines hits on 1, armour needs a 1, damage 4 of 3 is one test, 6 fails."""
    mines = [{"kind": "mines", "x": 2000, "y": 2000, "radius": 100, "owner": "crimson"}]
    squadrons = [sq("Lost", "Hulk", "20,20", suppression=2, damage=3), sq("Other", "Fleet Cruiser", "60,40"), FAR]
    state = state_of(squadrons, terrain=mines, **{"class": {"Hulk": HULK}})
    result = turn(state, "Lost: hold\nOther: hold", dice=(*AZURE_FIRST, 1, 6, 6))
    assert statuses(result.state, "Lost") == ["destroyed"]
    assert events(result, "recover_supp") == []


@pytest.mark.rule("BS-MSL-4")
def test_a_planets_own_missiles_are_not_halved_by_the_planet() -> None:
    """Lock 5 - 1 on a 4; four missiles leave the rim and none is lost to it; one armour die at 1, two tests."""
    squadrons = [sq("Hulk", "Hulk", "45,15", acted=True), FAR]
    state = state_of(squadrons, terrain=planet("missile 4"), **{"class": {"Hulk": HULK}})
    result = turn(state, dice=(*AZURE_FIRST, 4, 2, 3, 3))
    (strike,) = events(result, "strike")
    assert (strike["started"], strike["lost"], strike["arriving"]) == (4, 0, 4)


@pytest.mark.rule("BS-PLN-5")
@pytest.mark.parametrize(("place", "dice", "numbers"), [("SW", (), []), ("NE", (6,), [4])])
def test_missiles_too_reach_only_the_quadrant_that_holds_their_leader(
    place: str, dice: tuple[int, ...], numbers: list[int]
) -> None:
    """The frigate stands north-east of Terra, 6.73" from the rim; its lock is 5 - 1."""
    state = state_of([sq("Pike", "Missile Frigate", "45,15"), FAR], terrain=planet("interceptor 1"))
    result = turn(state, f"Pike:\n hold\n missiles at Terra {place}", dice=(*AZURE_FIRST, *dice))
    assert [lock["number"] for lock in events(result, "lock")] == numbers


@pytest.mark.rule("BS-DIS-2")
def test_a_planets_ion_beams_disable() -> None:
    """Heavy ion 4 - 1 hits on a 1; armour needs a 1; damage 6 of 6 is one test, and a 6 only disables."""
    squadrons = [sq("Hulk", "Hulk", "40,17", "41,17", acted=True, damage=5), FAR]
    state = state_of(
        squadrons, terrain=planet("heavy_ion 1"), switches={"ion": True}, **{"class": {"Hulk": {**HULK, "light": 0}}}
    )
    result = turn(state, dice=(*AZURE_FIRST, 1, 6, 6))
    assert sorted(statuses(result.state, "Hulk")) == ["active", "disabled"]


FOCUS = {"focused_fire": True}


@pytest.mark.rule("BS-ATK-12")
def test_a_focused_attack_takes_the_named_ship_first_even_if_it_is_disabled() -> None:
    """One heavy hit of two, damage 6 of 6, one test failed."""
    ships = [{"number": 1, "at": "20,10"}, {"number": 2, "at": "21,10", "status": "disabled"}]
    prey = {**foe("Prey", "Hulk"), "ships": ships, "damage": 5}
    state = state_of([sq("Lion", "Fleet Cruiser", "20,30"), prey, FAR], switches=FOCUS, **{"class": {"Hulk": HULK}})
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
    state = state_of(squadrons, switches=FOCUS, **{"class": {"Hulk": HULK}})
    orders = "Lion:\n hold\n fire heavy at Prey.2\nPuma:\n hold\n fire heavy at Prey.2, Decoy"
    result = turn(state, orders, dice=(*AZURE_FIRST, 1, 6, 6, 6, 6))
    assert [fire["target"] for fire in events(result, "fire")] == ["Prey", "Decoy"]


@pytest.mark.rule("BS-TF-6")
def test_the_flagship_is_last_also_when_it_alone_touched_the_mines() -> None:
    """One die hits, armour fails on 6, the one test fails; then one repair die."""
    mines = [{"kind": "mines", "x": 2000, "y": 2000, "radius": 100, "owner": "crimson"}]
    pack = sq("Pack", "Hulk", "20,20", "23,20", damage=6)
    state = state_of([pack, FAR], [tf("Guard", "Pack")], terrain=mines, **{"class": {"Hulk": HULK}})
    result = turn(state, "Guard: hold", dice=(*AZURE_FIRST, 1, 6, 6, 6))
    assert statuses(result.state, "Pack") == ["active", "destroyed"]


@pytest.mark.rule("BS-FRM-10")
def test_a_taskforce_cone_ends_with_its_taskforce() -> None:
    """Crimson's one heavy hit of two destroys the flagship."""
    cone = {"formation": {"kind": "tfcone"}, "acted": True}
    squadrons = [
        sq("Flag", "Hulk", "20,30", damage=3, **cone),
        sq("Mates", "Hulk", "20.7,29.3", "19.3,29.3", "21.4,28.6", "18.6,28.6", "22.1,27.9", **cone),
        sq("Wolf", "Fleet Cruiser", "20,45", side="crimson", facing=0),
    ]
    state = state_of(
        squadrons, [tf("Guard", "Flag", "Mates")], switches={"formations": True}, **{"class": {"Hulk": HULK}}
    )
    result = turn(state, crimson="Wolf:\n hold\n fire heavy at Flag", dice=(*AZURE_FIRST, 1, 6, 6))
    assert statuses(result.state, "Flag") == ["destroyed"]
    assert named(result.state, "Mates").formation.kind == "cluster"


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
        squadrons, [tf("Guard", "Axe", "Bow", "Cog")], switches={"disable_fire": True}, **{"class": {"Hulk": HULK}}
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


@pytest.mark.rule("BS-MOV-9", "BS-WPN-2")
def test_light_fire_at_the_end_uses_the_facing_that_was_set_at_run_time() -> None:
    """The flagship turns to 270; Ward's 100 becomes 180, and then North, on bearing 0, is out of its 270 arc."""
    squadrons = [
        sq("Flag", "Barge", "30,30"),
        sq("Ward", "Fleet Cruiser", "33,30"),
        foe("West", "Barge", "5,30"),
        foe("North", "Barge", "33,20"),
    ]
    state = state_of(squadrons, [tf("Guard", "Flag", "Ward")], **{"class": {"Barge": {"size": 4}}})
    orders = "Guard: hold\nFlag: face toward West\nWard:\n face 100\n fire heavy none\n fire light at North end"
    result = turn(state, orders)
    assert (named(result.state, "Flag").facing, named(result.state, "Ward").facing) == (270, 180)
    (limited,) = events(result, "limited")
    assert (limited["ordered"], limited["used"]) == ("facing 100", "facing 180")
    assert events(result, "fire") == []


@pytest.mark.rule("BS-TF-10")
@pytest.mark.parametrize(
    ("squadrons", "more", "where"),
    [
        ([FAR, FAR], {}, "Far"),
        ([sq("Lion", "Fleet Cruiser", "1,1", facing=400)], {}, "facing is 0 to 359, not 400"),
        ([{**sq("Lion", "Fleet Cruiser", "1,1"), "facing": "QQ"}], {}, "'QQ' is no bearing"),
        ([sq("Lion", "Fleet Cruiser", "1,1", damage=-1)], {}, "damage is 0 or more, not -1"),
        ([FAR], {"width_ft": 1}, "2 to 30 feet, not 1"),
        ([FAR], {"tfs": [tf("Guard", "Far", side="crimson", mode="all")]}, "'all' is not one of"),
        ([FAR], {"tfs": [tf("Guard", "Far", side="crimson", location="moon")]}, "'moon' is not one of"),
        ([sq("Lion", "Fleet Cruiser", "1,1", **{"return": {"turn": 1, "sector": "9Z", "facing": 0}})], {}, "'9Z'"),
        ([FAR], {"terrain": planet("banana 2")}, "no installation called 'banana'"),
        ([FAR], {"terrain": planet(quadrants={"N": {}})}, "no quadrant 'N'"),
    ],
)
def test_a_situation_that_cannot_be_is_refused(
    squadrons: list[dict[str, Any]], more: dict[str, Any], where: str
) -> None:
    with pytest.raises(BadData, match=where):
        state_of(squadrons, **more)


@pytest.mark.rule("BS-FLT-4")
def test_wings_of_a_quadrant_are_one_a_bay_unless_the_situation_says_otherwise() -> None:
    quadrants = {"NE": {"installations": ["bay 2"], "wings_aboard": 0}, "SE": {"installations": ["bay 2"]}}
    (terra,) = state_of([FAR], terrain=planet(quadrants=quadrants)).terrain
    assert {place: one.wings_aboard for place, one in terra.quadrants.items()} == {"NE": 0, "SE": 2, "SW": 0, "NW": 0}


BARGE: dict[str, Any] = {"class": {"Barge": {"size": 2}}}
"""Ships without a weapon, that may turn as they like."""


@pytest.mark.rule("BS-MOV-10")
def test_face_toward_nearest_means_the_nearest_at_the_end_of_the_move() -> None:
    """From 20,18 Ahead is 10.00" off and Aside 15.00"; from 20,30 it was the other way round."""
    squadrons = [sq("Lone", "Barge", "20,30"), foe("Aside", "Barge", "29,30"), foe("Ahead", "Barge", "20,8")]
    result = turn(state_of(squadrons, **BARGE), "Lone:\n move ahead 12\n face toward nearest")
    assert named(result.state, "Lone").facing == 0


@pytest.mark.rule("BS-MOV-13", "BS-MOV-8")
def test_a_taskforce_whose_standing_move_has_become_illegal_turns_as_if_silent() -> None:
    """12.00" ahead would leave the table; the flagship turns to the enemy in the east, and Ward with it."""
    squadrons = [sq("Flag", "Barge", "30,5"), sq("Ward", "Barge", "33,5"), foe("East", "Barge", "60,5")]
    state = state_of(squadrons, [tf("Guard", "Flag", "Ward", standing=["move ahead 12"])], **BARGE)
    result = turn(state)
    assert [named(result.state, name).facing for name in ("Flag", "Ward")] == [90, 90]
    assert [spots(result.state, name) for name in ("Flag", "Ward")] == [[(3000, 500)], [(3300, 500)]]


@pytest.mark.rule("BS-MOV-8")
def test_a_squadron_whose_own_move_has_become_illegal_follows_its_taskforce() -> None:
    squadrons = [
        sq("Flag", "Barge", "30,5", facing=45),
        sq("Ward", "Barge", "33,5", facing=45, standing=["move ahead 12"]),
        foe("East", "Barge", "60,5"),
    ]
    state = state_of(squadrons, [tf("Guard", "Flag", "Ward", standing=["move 090 6"])], **BARGE)
    result = turn(state)
    assert [spots(result.state, name) for name in ("Flag", "Ward")] == [[(3600, 500)], [(3900, 500)]]
    assert named(result.state, "Ward").facing == 90


@pytest.mark.rule("BS-ATK-11")
def test_a_volley_is_aimed_at_the_start_of_the_step_for_all_families() -> None:
    """When heavy ion chose, nobody was damaged: it keeps to Near, though heavy has since damaged Mark."""
    classes = {"Duo": {"size": 4, "heavy": 1, "heavy_ion": 1}, "Hulk": HULK}
    squadrons = [sq("Duo", "Duo", "20,30"), foe("Mark", "Hulk", "20,20"), foe("Near", "Hulk", "23,24"), FAR]
    state = state_of(squadrons, [tf("Guard", "Duo")], switches={"ion": True}, **{"class": classes})
    orders = "Guard:\n hold\n fire heavy at Mark\n fire heavyion at damaged, nearest"
    result = turn(state, orders, dice=(*AZURE_FIRST, 1, 6))
    assert [(fire["weapon"], fire["target"]) for fire in events(result, "fire")] == [
        ("heavy", "Mark"),
        ("heavy_ion", "Near"),
    ]


@pytest.mark.rule("BS-ENG-4")
def test_a_released_ship_acts_only_in_the_next_turn() -> None:
    held = {**sq("Pup", "Fleet Destroyer"), "ships": [{"number": 1, "at": "20,20", "status": "engulfed"}]}
    holder = {**sq("Jaws", "Reaver"), "ships": [{"number": 1, "at": "20,20", "holds": ["azure/Pup.1"]}]}
    state = state_of([holder, held, FAR], [tf("Maw", "Jaws")], switches={"engulf": True, "tractor": True})
    result = turn(state, "Maw: hold\nJaws: release Pup.1")
    assert statuses(result.state, "Pup") == ["active"]
    assert order_of(result) == ["Maw"]


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


@pytest.mark.rule("BS-FLT-2")
def test_membership_may_be_written_at_the_squadron_and_must_agree() -> None:
    one = sq("Lion", "Fleet Cruiser", "10,10", taskforce="Guard")
    (guard,) = state_of([one, FAR], [{"name": "Guard", "side": "azure"}]).taskforces
    assert (guard.squadrons, guard.flagship) == (("Lion",), "Lion.1")
    with pytest.raises(BadData, match="no taskforce 'Guard' of azure lists it"):
        state_of([one, FAR])
    with pytest.raises(BadData, match="more than one taskforce: Guard, Other"):
        state_of([one, FAR], [tf("Guard", "Lion"), tf("Other", "Lion")])


@pytest.mark.rule("BS-SHF-8")
def test_doctrine_and_placement_are_read_by_the_names_of_the_data_model() -> None:
    back = {"turn": 5, "sector": "2C", "facing": "S", "placement": "18,30"}
    squadrons = [sq("Lion", "Light Carrier", "10,10"), sq("Late", "Fleet Cruiser", "0,0", **{"return": back}), FAR]
    state = state_of(squadrons, None, [flight("Hawk", "Lion", 2, "10,8", doctrine="intercept any min 2")])
    (hawk,) = state.flights
    assert hawk.standing == ("intercept any min 2",)
    late = named(state, "Late").returns
    assert late is not None
    assert (late.x, late.y, late.facing) == (1800, 3000, 180)


@pytest.mark.rule("BS-ASL-4")
def test_assault_units_attack_once_in_an_activation_however_often_they_are_told() -> None:
    """Three units miss Prey.1; neither the second line nor the third gives them another die."""
    squadrons = [sq("Storm", "Assault Cruiser", "20,20"), foe("Prey", "Sword Frigate", "20,17", "22,18"), FAR]
    state = state_of(squadrons, switches={"assault": True})
    orders = "Storm:\n hold\n fire none\n assault Prey.1\n assault Prey.1\n assault Prey.2"
    result = turn(state, orders, dice=(*AZURE_FIRST, 5, 5, 6))
    assert [one["dice"] for one in events(result, "assault")] == [[[5, 5, 6], []]]


@pytest.mark.rule("BS-DEA-3")
def test_dice_that_do_not_restore_a_ship_are_told_as_well() -> None:
    ships = [{"number": 1, "at": "20,20"}, {"number": 2, "at": "21,20", "status": "disabled"}]
    state = state_of([{**sq("Lion", "Fleet Cruiser"), "ships": ships}, FAR], switches={"disable_fire": True})
    result = turn(state, "Lion: hold", dice=(*AZURE_FIRST, 2))
    assert statuses(result.state, "Lion") == ["active", "disabled"]
    assert events(result, "still_disabled") == [{"ship": "Lion.2", "dice": [2], "side": "azure"}]
    assert events(result, "restored") == []


def test_a_standing_line_that_names_nobody_now_is_kept_beside_a_new_one() -> None:
    """Section 6.1: a standing order stays until it is replaced or cleared."""
    state = state_of([sq("Lion", "Fleet Cruiser", "20,30", standing=["fire heavy at Wraith"]), FAR])
    result = turn(state, "Lion:\n hold\n standing lose rear")
    assert named(result.state, "Lion").standing == ("fire heavy at Wraith", "lose rear")

"""Sections 4.10 to 4.12 and 4.19: movement, formations, battleshift, terrain."""

from __future__ import annotations

from typing import Any

import pytest

from games.battleshift.rules.formations import assign, slots
from games.battleshift.rules.moving import reach_of
from games.battleshift.rules.space import gravity_at, read_sector, sector_closed
from games.battleshift.state import Formation
from pbem.kit.plane import Sector, Spot
from tests.games.battleshift.builders import (
    AZURE_FIRST,
    BARGE,
    FAR,
    HULK,
    events,
    field,
    flight,
    foe,
    kinds,
    measured,
    named,
    problem,
    problems,
    spots,
    sq,
    state_of,
    statuses,
    tf,
    turn,
)

PLANET = {"kind": "planet", "name": "Terra", "at": "36,24", "radius": 600}
MOON = {"kind": "moon", "name": "Cinder", "at": "42,18", "radius": 150}


# --- movement --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-MOV-1")
@pytest.mark.parametrize(
    ("ship_class", "half", "change"),
    [("Attack Destroyer", 180, 180), ("Sword Frigate", 90, 180), ("Fleet Cruiser", 90, 180),
     ("Fleet Battleship", 45, 90), ("Behemoth", 45, 90), ("Titan", 45, 45)],
)  # fmt: skip
def test_the_movement_table(ship_class, half, change):
    table = measured(state_of([sq("A", ship_class, "20,40"), FAR]))
    squadron = table.squadron("azure", "A")
    assert squadron is not None
    reach = reach_of(table, squadron)

    assert (reach.half, reach.turn) == (half, change)


@pytest.mark.rule("BS-MOV-4", "BS-MOV-5", "BS-FRM-1", "BS-FRM-2")
def test_slots_go_to_ships_so_that_the_longest_way_is_least():
    ships = [Spot(0, 0), Spot(200, 0), Spot(-200, 0)]
    places = slots(Formation("line", 100), 3, 0, Spot(0, -600))

    assert places == [(0, -600), (100, -600), (-100, -600)]
    assert assign(ships, places) == [(0, -600), (100, -600), (-100, -600)]


@pytest.mark.rule("BS-FRM-1", "BS-FRM-2", "BS-MOV-6")
def test_form_on_the_move_and_no_rotation_with_the_facing():
    ships = [sq("Gull", "Attack Destroyer", "20,40", "21,40", "22,40"), FAR]
    moved = turn(state_of(ships), "Gull:\n  move ahead 6\n  face 090\n  form column 1")

    assert spots(moved.state, "Gull") == [(2000, 3400), (1800, 3400), (1900, 3400)]
    assert named(moved.state, "Gull").facing == 90
    again = turn(moved.state, "Gull: face 000")
    assert spots(again.state, "Gull") == [(2000, 3400), (1800, 3400), (1900, 3400)]


@pytest.mark.rule("BS-MOV-9")
def test_a_facing_out_of_the_flagships_arc_is_turned_or_detaches():
    """Heron faces the flagship's 180 from behind: nearest legal 90; a battleship that cannot is detached."""
    ships = [sq("Iron", "Fleet Battleship", "20,30", facing=180), sq("Heron", "Fleet Cruiser", "23,30", facing=0), FAR]
    state = state_of(ships, [tf("Line", "Iron", "Heron")])
    turned = turn(state, "Iron: face toward Far\nHeron: hold")
    stiff = state_of([ships[0], sq("Rock", "Fleet Battleship", "23,30", facing=0), FAR], [tf("Line", "Iron", "Rock")])
    lost = turn(stiff, "Iron: hold\nRock: hold")

    flag = named(turned.state, "Iron").facing
    assert abs(named(turned.state, "Heron").facing - flag) <= 90
    assert [f["squadron"] for f in events(lost, "detach")] == ["Rock"]


@pytest.mark.rule("BS-MOV-11", "BS-BRD-3")
def test_disabled_ships_do_not_move_unless_towed():
    hulk = {"name": "Ibis", "side": "azure", "class": "Sword Frigate", "facing": 0}
    hulk["ships"] = [{"number": 1, "at": "20.4,40", "status": "disabled"}, {"number": 2, "at": "24,40"}]
    ships = [sq("Lion", "Fleet Cruiser", "20,40"), hulk, FAR]
    state = state_of(ships, switches={"boarding": True})
    towed = turn(state, "Ibis: hold\nLion:\n  move ahead 4\n  tow Ibis.1", dice=(*AZURE_FIRST, 6))

    assert (named(towed.state, "Ibis").ships[0].x, named(towed.state, "Ibis").ships[0].y) == (2040, 3600)
    assert events(towed, "towed") == [{"ship": "Ibis.1", "by": "Lion", "shift": False}]


@pytest.mark.rule("BS-MOV-12")
def test_all_squadrons_advance_together_tick_by_tick():
    """Front comes into light range at tick 2, Rear at tick 5: so they fire, though Rear is listed first."""
    cls = {"Lamp": {"size": 2, "light": 1}}
    ships = [
        sq("Rear", "Lamp", "10,40"),
        sq("Front", "Lamp", "20,40"),
        foe("A", "Light Carrier", "10,23"),
        foe("B", "Light Carrier", "20,26"),
    ]
    state = state_of(ships, [tf("Line", "Rear", "Front")], **field("class", cls))
    shot = turn(state, "Line: move ahead 6", dice=(*AZURE_FIRST, 6, 6))

    assert [(f["attackers"], f["from"]) for f in events(shot, "fire")] == [
        (["Front"], [[2000, 3800]]),
        (["Rear"], [[1000, 3500]]),
    ]


@pytest.mark.rule("BS-MOV-10")
def test_away_turns_when_it_cannot_be_flown():
    """A battleship facing its enemy cannot steer away: it holds and turns 90 as far as it may."""
    fled = turn(
        state_of([sq("Iron", "Fleet Carrier", "20,40"), foe("Asp", "Light Carrier", "20,20")]),
        "Iron: move away from Asp",
    )
    ran = turn(
        state_of([sq("Gull", "Attack Destroyer", "20,30"), foe("Asp", "Light Carrier", "20,1")]),
        "Gull: move away from Asp",
    )

    assert spots(fled.state, "Iron") == [(2000, 4000)]
    assert named(fled.state, "Iron").facing == 90
    assert spots(ran.state, "Gull") == [(2000, 4800)]


@pytest.mark.rule("BS-MOV-7", "BS-R-31", "BS-MOV-8")
def test_toward_is_cut_short_at_the_edge_and_at_bodies():
    ships = [sq("Gull", "Attack Destroyer", "42,28"), foe("Asp", "Light Carrier", "42,4")]
    moved = turn(state_of(ships, terrain=[MOON]), "Gull:\n  move toward Asp\n  fire none")

    assert spots(moved.state, "Gull") == [(4200, 1950)]


# --- formations of the optional rules --------------------------------------------------------------------------------

RING: dict[str, Any] = {"switches": {"formations": True}}


@pytest.mark.rule("BS-FRM-7", "BS-FRM-8", "BS-FRM-9")
def test_a_cone_fires_a_beam_at_everything_in_its_way():
    """Friend and foe in the rectangle are attacked with all dice at 3, nearest first."""
    cls = {"Gun": {"size": 2, "heavy": 1}, "Raft": {"size": 3, "no_shields": True, "hull": 30}}
    five = sq("Cone", "Gun", "20,40", "20.7,39.3", "19.3,39.3", "21.4,38.6", "18.6,38.6", formation="cone")
    ships = [five, foe("Near", "Raft", "20,30"), foe("Side", "Raft", "23,30"), sq("Friend", "Raft", "20,20")]
    state = state_of(ships, **RING, **field("class", cls))
    shot = turn(state, "Cone: hold\nFriend: hold", dice=(*AZURE_FIRST, *(4,) * 10))
    table = measured(state)
    cone = table.squadron("azure", "Cone")
    assert cone is not None

    assert [(f["target"], f["numbers"]) for f in events(shot, "fire")] == [("Near", [3]), ("Friend", [3])]
    assert reach_of(table, cone).turn == 45
    assert "arrive" in problem(state, "Cone: arrive at 20,20 form ring", "BS-V-4").text


@pytest.mark.rule("BS-FRM-10")
def test_a_taskforce_cone_is_formed_by_all_its_squadrons():
    cls = {"Gun": {"size": 1, "light": 1}}
    ships = [sq("A", "Gun", "20,40", "21,40", "22,40"), sq("B", "Gun", "20,42", "21,42"), FAR]
    moved = turn(
        state_of(ships, [tf("Line", "A", "B")], **RING, **field("class", cls)), "Line:\n  move ahead 6\n  form tfcone"
    )

    assert [named(moved.state, name).formation.kind for name in "AB"] == ["tfcone", "tfcone"]
    assert spots(moved.state, "A") == [(2000, 3400), (2070, 3330), (1930, 3330)]
    assert spots(moved.state, "B") == [(2140, 3260), (1860, 3260)]


@pytest.mark.rule("BS-FRM-11")
def test_a_ring_fires_all_round_moves_slowly_and_suppresses_nobody():
    cls = {"Gun": {"size": 3, "heavy": 3}, "Raft": {"size": 3, "no_shields": True, "hull": 30}}
    ring = sq("Ring", "Gun", "20,40", "20,40.9", formation="ring")
    state = state_of([ring, foe("Aft", "Raft", "20,46")], **RING, **field("class", cls))
    shot = turn(state, "Ring: hold", dice=(*AZURE_FIRST, *(1,) * 6))
    table = measured(state)
    squadron = table.squadron("azure", "Ring")
    assert squadron is not None

    assert (named(shot.state, "Aft").damage, named(shot.state, "Aft").suppression) == (6, 0)
    assert reach_of(table, squadron).speed == 0
    assert reach_of(table, squadron, Formation("line")) == type(reach_of(table, squadron))(1200, 180, 180)


# --- battleshift -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-SHF-4", "BS-PLN-1", "BS-GEO-2")
def test_gravity_of_planets_moons_and_rifts():
    rift = {"kind": "rift", "at": "6,6", "radius": 600}
    table = measured(state_of([FAR], terrain=[PLANET, {**MOON, "at": "66,18"}, rift]))
    closed = [
        name
        for name in ("3B", "4B", "3C", "4C", "6B", "1A", "5B")
        if sector_closed(table, "azure", Sector(*(read_sector(name, 6, 4) or (1, 1))))
    ]

    assert closed == ["3B", "4B", "3C", "4C", "6B", "1A"]
    assert gravity_at(table, "azure", (5400, 2400)) is not None
    assert gravity_at(table, "azure", (5401, 3700)) is None
    assert gravity_at(table, "azure", (6000, 1500)) is not None
    assert (read_sector("5,B", 6, 4), read_sector("B5", 6, 4)) == (Sector(5, 2), Sector(5, 2))


@pytest.mark.rule("BS-SHF-5", "BS-SHF-12")
def test_a_gate_opens_gravity_for_its_side_and_its_loss_moves_the_arrival():
    gate = sq("Gate", "Gate Station", "42,12")
    back = {"turn": 2, "sector": "4B", "facing": 0}
    reserve = [tf("Dagger", "Mace", location="reserve", **field("return", back))]
    mace = sq("Mace", "Missile Cruiser", "42,18")
    held = turn(state_of([gate, mace, FAR], reserve, terrain=[MOON]), "Gate: fire none")
    lost = turn(state_of([sq("Gull", "Attack Destroyer", "5,45"), mace, FAR], reserve, terrain=[MOON]), "Gull: hold")

    assert events(held, "arrive")[0]["sector"] == "4B"
    assert (events(lost, "arrive")[0]["sector"], events(lost, "arrive")[0]["moved"]) == ("4A", True)


@pytest.mark.rule("BS-SHF-6")
def test_squadrons_under_gravity_stay_behind():
    ships = [
        sq("Iron", "Fleet Battleship", "60,40"),
        sq("Gull", "Attack Destroyer", "53,40"),
        foe("Far", "Light Carrier", "1,1"),
    ]
    left = turn(
        state_of(ships, [tf("Line", "Iron", "Gull")], terrain=[{**PLANET, "at": "48,24"}]), "Line:\n  hold\n  shift out"
    )

    assert statuses(left.state, "Iron") == ["left"]
    assert statuses(left.state, "Gull") == ["active"]
    assert [f["unit"] for f in events(left, "shiftfail")] == ["Gull"]


@pytest.mark.rule("BS-SHF-10", "BS-R-43", "BS-END-2")
def test_escape_with_damage_above_the_total_gives_half_the_cost():
    """Two attack destroyers, damage 5 of 4: 5 points each for the enemy, planned or not."""
    gull = sq("Gull", "Attack Destroyer", "20,40", "21,40", damage=5)
    stay = sq("Stay", "Attack Destroyer", "5,45")
    fled = turn(state_of([gull, stay, FAR]), "Gull: standing escape when damage >= 100%\nStay: hold")
    planned = turn(state_of([gull, stay, FAR]), "Gull:\n  hold\n  shift out\nStay: hold", dice=(*AZURE_FIRST, 6, 6))

    assert fled.state.vp == planned.state.vp == {"azure": 0, "crimson": 10}
    assert statuses(fled.state, "Gull") == ["left", "left"]


@pytest.mark.rule("BS-SHF-11")
def test_without_shifting_all_shift_orders_are_illegal():
    state = state_of([sq("Gull", "Attack Destroyer", "20,40"), FAR], switches={"shift": "none"})

    assert problems(state, "Gull: shift out\nGull: escape") == ["BS-V-7", "BS-V-7"]


@pytest.mark.rule("BS-SHF-7")
def test_flights_stay_behind_uncontrolled():
    ships = [sq("Roost", "Light Carrier", "20,40", wings_aboard=0), foe("Far", "Light Carrier", "71,1")]
    state = state_of(ships, [tf("Wing", "Roost")], [flight("Hawk", "Roost", 2, "20,39")])
    left = turn(state, "Wing:\n  hold\n  shift out return turn 3 sector 2C facing N")

    assert statuses(left.state, "Roost") == ["hyperspace"]
    table = measured(left.state)
    assert not table.is_controlled(table.aloft["azure/Hawk"])


# --- terrain ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-TER-2", "BS-R-39", "BS-R-54", "BS-TER-6")
def test_asteroids_hit_fast_squadrons_on_2():
    rocks = {"kind": "asteroids", "at": "20,30", "radius": 200}
    cls = {"Raft": {"size": 2, "no_shields": True, "hull": 9}}
    crossing = state_of([sq("Raft", "Raft", "20,40", "25,40"), FAR], terrain=[rocks], **field("class", cls))
    fast = turn(crossing, "Raft: move ahead 12", dice=(*AZURE_FIRST, 2, 6, 6))
    rest = turn(
        state_of([sq("Raft", "Raft", "20,30"), FAR], terrain=[rocks], **field("class", cls)),
        "Raft: hold",
        dice=(*AZURE_FIRST, 2),
    )

    assert events(fast, "hazard")[0]["dice"] == [2]
    assert (named(fast.state, "Raft").damage, named(fast.state, "Raft").suppression) == (1, 0)
    assert (events(rest, "hazard")[0]["number"], events(rest, "hazard")[0]["hits"]) == (1, 0)


@pytest.mark.rule("BS-TER-2")
def test_mines_spare_their_owner_and_suppress():
    mines = {"kind": "mines", "at": "20,30", "radius": 200, "owner": "crimson"}
    cls = {"Raft": {"size": 2, "no_shields": True, "hull": 9}}
    for owner, marks in (("crimson", 1), ("azure", 0)):
        state = state_of([sq("Raft", "Raft", "20,40"), FAR], terrain=[{**mines, "owner": owner}], **field("class", cls))
        dice = (*AZURE_FIRST, 2, 6, 6, 6) if marks else AZURE_FIRST
        moved = turn(state, "Raft: move ahead 9", dice=dice)

        assert named(moved.state, "Raft").suppression == marks


@pytest.mark.rule("BS-TER-3", "BS-TER-4", "BS-TER-5")
def test_nebula_rift_and_singularity():
    nebula = {"kind": "nebula", "at": "20,30", "radius": 200}
    rift = {"kind": "rift", "at": "20,30", "radius": 300}
    hole = {"kind": "singularity", "at": "20,30", "radius": 600}
    gull = sq("Gull", "Attack Destroyer", "20,32", "20,35")
    clouded = turn(state_of([sq("Gull", "Attack Destroyer", "20,40"), FAR], terrain=[nebula]), "Gull: move ahead 10",
                   dice=(*AZURE_FIRST, 6, 6))  # fmt: skip
    slowed = problem(state_of([gull, FAR], terrain=[rift]), "Gull: move ahead 13", "BS-V-10")
    drawn = turn(state_of([gull, FAR], terrain=[hole]), "Gull: hold")

    assert named(clouded.state, "Gull").suppression == 1
    assert "12.00" in slowed.reason
    assert statuses(drawn.state, "Gull") == ["destroyed", "active"]
    assert spots(drawn.state, "Gull") == [(2000, 3300)]
    assert "destroyed" in kinds(drawn)


# --- corners of these chapters ---------------------------------------------------------------------------------------


@pytest.mark.rule("BS-FRM-10")
def test_a_taskforce_cone_ends_with_its_taskforce() -> None:
    """Crimson's one heavy hit of two destroys the flagship."""
    cone: dict[str, Any] = {"formation": {"kind": "tfcone"}, "acted": True}
    squadrons = [
        sq("Flag", "Hulk", "20,30", damage=3, **cone),
        sq("Mates", "Hulk", "20.7,29.3", "19.3,29.3", "21.4,28.6", "18.6,28.6", "22.1,27.9", **cone),
        sq("Wolf", "Fleet Cruiser", "20,45", side="crimson", facing=0),
    ]
    state = state_of(
        squadrons, [tf("Guard", "Flag", "Mates")], switches={"formations": True}, **field("class", {"Hulk": HULK})
    )
    result = turn(state, crimson="Wolf:\n hold\n fire heavy at Flag", dice=(*AZURE_FIRST, 1, 6, 6))
    assert statuses(result.state, "Flag") == ["destroyed"]
    assert named(result.state, "Mates").formation.kind == "cluster"


@pytest.mark.rule("BS-MOV-9", "BS-WPN-2")
def test_light_fire_at_the_end_uses_the_facing_that_was_set_at_run_time() -> None:
    """The flagship turns to 270; Ward's 100 becomes 180, and then North, on bearing 0, is out of its 270 arc."""
    squadrons = [
        sq("Flag", "Barge", "30,30"),
        sq("Ward", "Fleet Cruiser", "33,30"),
        foe("West", "Barge", "5,30"),
        foe("North", "Barge", "33,20"),
    ]
    state = state_of(squadrons, [tf("Guard", "Flag", "Ward")], **field("class", {"Barge": {"size": 4}}))
    orders = "Guard: hold\nFlag: face toward West\nWard:\n face 100\n fire heavy none\n fire light at North end"
    result = turn(state, orders)
    assert (named(result.state, "Flag").facing, named(result.state, "Ward").facing) == (270, 180)
    (limited,) = events(result, "limited")
    assert (limited["ordered"], limited["used"]) == ("facing 100", "facing 180")
    assert events(result, "fire") == []


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

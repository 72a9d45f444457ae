"""Sections 4.1 to 4.3: geometry, squadrons, taskforces, turn and initiative."""

from __future__ import annotations

import pytest

from games.battleshift.rules.units import in_command, in_contact
from pbem.kit.plane import bearing_of, in_arc
from tests.games.battleshift.builders import (
    AZURE_FIRST,
    FAR,
    HULK,
    events,
    field,
    foe,
    kinds,
    measured,
    named,
    order_of,
    problem,
    spots,
    sq,
    state_of,
    statuses,
    tf,
    turn,
)


@pytest.mark.rule("BS-GEO-4", "BS-GEO-8")
def test_distance_is_to_the_rim_of_a_station():
    """A Gate Station has radius 1.00": contact is 1.50" from its centre, inclusive."""
    state = state_of([sq("Ark", "Fleet Cruiser", "20,31.5", "20,31.51"), sq("Gate", "Gate Station", "20,30"), FAR])
    table = measured(state)
    ark, gate = table.squadron("azure", "Ark"), table.squadron("azure", "Gate")
    assert ark is not None
    assert gate is not None

    assert in_contact(ark.ships[0], gate.ships[0])
    assert not in_contact(ark.ships[1], gate.ships[0])


@pytest.mark.rule("BS-GEO-5", "BS-GEO-6")
def test_arcs_have_their_edges_and_bearings_their_ties():
    assert in_arc(0, 100, -100, 90)
    assert not in_arc(0, 101, -100, 90)
    assert in_arc(0, 100, 0, 180)
    assert not in_arc(0, 100, 1, 180)
    assert in_arc(0, 100, 100, 270)
    assert not in_arc(0, 99, 100, 270)
    assert in_arc(123, 0, 0, 90)
    assert bearing_of(-100, 1000) == 186
    assert bearing_of(0, 0) == 0


@pytest.mark.rule("BS-SQN-3", "BS-SQN-4")
def test_all_ships_fire_if_one_can_and_share_one_facing():
    """Only Lion.1 has Asp in its arc; all three cruisers fire. The facing on the way is the course."""
    cls = {"Raft": {"size": 3, "heavy": 1}}
    ships = [sq("Lion", "Raft", "20,40", "26,40"), foe("Asp", "Light Carrier", "10,30")]
    shot = turn(state_of(ships, **field("class", cls)), "Lion: move 030 6", dice=(*AZURE_FIRST, 6, 6))

    assert events(shot, "fire")[0]["dice"] == [[6, 6]]
    assert named(shot.state, "Lion").facing == 30


@pytest.mark.rule("BS-SQN-5", "BS-MOV-14")
def test_a_scattered_squadron_reslots_on_its_next_move():
    """The middle ship is gone: the next move brings the others back into cluster."""
    lone = {"number": 3, "at": "20,40"}
    ships = [{"number": 1, "at": "20,47"}, {"number": 2, "at": "20,44", "status": "destroyed"}, lone]
    gull = {"name": "Gull", "side": "azure", "class": "Attack Destroyer", "ships": ships, "facing": 0, "total": 6}
    moved = turn(state_of([gull, FAR]), "Gull: move ahead 6")

    assert spots(moved.state, "Gull") == [(2000, 4100), (2087, 4050)]


@pytest.mark.rule("BS-MOV-14", "BS-MOV-4")
def test_a_form_that_became_illegal_is_dropped_with_a_warning():
    """Two ships stood ready for a ring of two; one is lost before they act."""
    cls = {"Raft": {"size": 2, "no_shields": True, "hull": 1}, "Gun": {"size": 3, "heavy": 1}}
    ships = [sq("Raft", "Raft", "20,40", "20.5,40"), sq("Gun", "Gun", "20,20", side="crimson")]
    state = state_of(ships, switches={"formations": True}, **field("class", cls))
    shot = turn(state, "Raft:\n  move ahead 3\n  form ring", "Gun: hold", dice=(1, 6, 1, 6, 5))

    assert events(shot, "order_warning")[0]["id"] == "BS-V-21"
    assert spots(shot.state, "Raft")[0][1] == 3700


@pytest.mark.rule("BS-TF-2")
def test_the_default_flagship_is_ship_1_of_the_largest():
    state = state_of(
        [sq("A", "Sword Frigate", "20,40"), sq("B", "Fleet Cruiser", "22,40"), FAR], [tf("Line", "A", "B")]
    )

    assert state.taskforces[0].flagship == "B.1"


@pytest.mark.rule("BS-TF-3", "BS-R-12", "BS-R-52")
def test_out_of_command_after_its_move_a_squadron_is_detached():
    """9.00" from the flagship: detached, and it recovers on 2 in this same activation."""
    ships = [sq("Iron", "Fleet Battleship", "20,40"), sq("Gull", "Attack Destroyer", "22,40", suppression=1), FAR]
    moved = turn(state_of(ships, [tf("Line", "Iron", "Gull")]), "Line: hold\nGull: move 090 7", dice=(*AZURE_FIRST, 3))

    assert events(moved, "detach")[0]["why"] == '9.00" from Iron.1'
    assert events(moved, "recover_supp")[0]["need"] == 2
    assert named(moved.state, "Gull").taskforce == ""
    assert order_of(moved) == ["Line"]


@pytest.mark.rule("BS-TF-3")
def test_eight_inches_are_in_command():
    state = state_of(
        [sq("Iron", "Fleet Battleship", "20,40"), sq("Gull", "Attack Destroyer", "28,40"), FAR],
        [tf("Line", "Iron", "Gull")],
    )
    gull = measured(state).squadron("azure", "Gull")
    assert gull is not None

    assert in_command(gull)


@pytest.mark.rule("BS-TF-5", "BS-R-32")
def test_command_passes_at_the_start_of_the_activation():
    ships = [sq("Iron", "Fleet Battleship", "20,40"), sq("Rock", "Fleet Battleship", "23,40", "24,40"), FAR]
    moved = turn(state_of(ships, [tf("Line", "Iron", "Rock")]), "Line:\n  hold\n  flagship Rock")

    assert events(moved, "transfer") == [{"tf": "Line", "old": "Iron.1", "new": "Rock.1", "side": "azure"}]
    assert moved.state.taskforces[0].flagship == "Rock.1"


@pytest.mark.rule("BS-TF-6")
def test_lines_of_a_lost_taskforce_stand_as_each_squadrons_own():
    """Line is shot leaderless before it acts; Gull still makes the taskforce's move, from its own leader."""
    cls = {"Raft": {"size": 2, "no_shields": True, "hull": 1}, "Gun": {"size": 3, "heavy": 1}}
    ships = [
        sq("Flag", "Raft", "20,40"),
        sq("Gull", "Attack Destroyer", "23,40"),
        sq("Gun", "Gun", "20,20", side="crimson"),
    ]
    state = state_of(ships, [tf("Line", "Flag", "Gull"), tf("Guns", "Gun", side="crimson")], **field("class", cls))
    shot = turn(state, "Line: move ahead 6", "Gun:\n  hold\n  fire heavy at Flag", dice=(1, 6, 1, 6))

    assert kinds(shot, "tfdestroyed") == ["tfdestroyed"]
    assert order_of(shot) == ["Guns", "Gull"]
    assert spots(shot.state, "Gull") == [(2300, 3400)]


@pytest.mark.rule("BS-TF-8", "BS-TF-9", "BS-TURN-1")
def test_detach_and_add():
    """Gull leaves on its own course and is not activated again; Tern joins, and still has its own activation."""
    ships = [
        sq("Iron", "Fleet Battleship", "20,40"),
        sq("Gull", "Attack Destroyer", "23,40"),
        sq("Tern", "Attack Destroyer", "20,43"),
        FAR,
    ]
    state = state_of(ships, [tf("Line", "Iron", "Gull")])
    moved = turn(state, "Line:\n  hold\n  add Tern\nGull:\n  detach\n  move 090 12\nTern: hold")

    assert order_of(moved) == ["Line", "Tern"]
    assert spots(moved.state, "Gull") == [(3500, 4000)]
    assert moved.state.taskforces[0].squadrons == ("Iron", "Tern")


@pytest.mark.rule("BS-TURN-2", "BS-TURN-3", "BS-V-9")
def test_lists_are_completed_and_never_shown_to_the_enemy():
    ships = [sq(name, "Attack Destroyer", f"{10 * n},40") for n, name in enumerate(("A", "B", "C"), 1)]
    state = state_of([*ships, FAR], [tf("One", "A"), tf("Two", "B"), tf("Three", "C")])
    moved = turn(state, "sequence Three, One, Three")

    assert problem(state, "sequence Three, One, Three", "BS-V-9").instead == "the list used: Three, One, Two"
    assert order_of(moved) == ["Three", "One", "Two"]
    assert all("sequence" not in event.kind for event in moved.events)


@pytest.mark.rule("BS-TURN-6", "BS-SUP-2")
def test_each_detached_activation_is_an_enemy_activation_of_its_own():
    """Two lone gunners each give a marker: one for each activation."""
    cls = {"Gun": {"size": 3, "heavy": 1}, "Raft": {"size": 3, "no_shields": True, "hull": 9}}
    ships = [sq("P", "Gun", "20,40"), sq("Q", "Gun", "22,40"), foe("Asp", "Raft", "21,20")]
    shot = turn(state_of(ships, **field("class", cls)), "P: hold\nQ: hold", dice=(*AZURE_FIRST, 1, 1))

    assert [facts["markers"] for facts in events(shot, "suppress")] == [1, 2]


@pytest.mark.rule("BS-INIT-1", "BS-XP-10")
def test_a_veteran_admiral_adds_one():
    sides = [{"id": "azure", "name": "Azure", "veteran_admiral": True}, {"id": "crimson", "name": "Crimson"}]
    ships = [sq("A", "Attack Destroyer", "20,40"), sq("B", "Attack Destroyer", "71,1", side="crimson")]
    state = state_of(ships, [tf("One", "A"), tf("Two", "B", side="crimson")], side=sides)
    rolled = turn(state, "One: hold", "Two: hold", dice=(3, 3))

    assert events(rolled, "initiative")[0]["totals"] == {"azure": 4, "crimson": 3}
    assert events(rolled, "initiative")[0]["mods"]["azure"] == {"veteran admiral": 1}


# --- corners of these chapters ---------------------------------------------------------------------------------------


@pytest.mark.rule("BS-TF-6")
def test_the_flagship_is_last_also_when_it_alone_touched_the_mines() -> None:
    """One die hits, armour fails on 6, the one test fails; then one repair die."""
    mines = [{"kind": "mines", "x": 2000, "y": 2000, "radius": 100, "owner": "crimson"}]
    pack = sq("Pack", "Hulk", "20,20", "23,20", damage=6)
    state = state_of([pack, FAR], [tf("Guard", "Pack")], terrain=mines, **field("class", {"Hulk": HULK}))
    result = turn(state, "Guard: hold", dice=(*AZURE_FIRST, 1, 6, 6, 6))
    assert statuses(result.state, "Pack") == ["active", "destroyed"]

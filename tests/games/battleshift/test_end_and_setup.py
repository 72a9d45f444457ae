"""Sections 4.14 and 4.15, 3.1 and 6.5: deactivation, the end, building and setup."""

from __future__ import annotations

import pytest

from games.battleshift import GAME
from games.battleshift.data import ShipClass
from games.battleshift.orders.fleet import fleet_cost
from games.battleshift.rules.building import complete
from games.battleshift.rules.victory import level
from pbem.kit.dice import KeyedDice, LoadedDice
from pbem.kit.scenario import scenarios_of
from tests.games.battleshift.builders import (
    AZURE_FIRST,
    FAR,
    HULK,
    SIDES,
    events,
    field,
    foe,
    kinds,
    named,
    sheet,
    spots,
    sq,
    state_of,
    statuses,
    tf,
    turn,
)


@pytest.mark.rule("BS-DEA-1", "BS-DEA-3", "BS-DEA-2")
def test_repair_then_disabled_ships_then_recovery():
    """Tenders roll 1 + 2 dice each; the disabled one comes back on any 1."""
    ships = [{"number": 1, "at": "20,40"}, {"number": 2, "at": "21,40", "status": "disabled"}]
    tender = {"name": "Tender", "side": "azure", "class": "Repair Tender", "ships": ships, "facing": 0}
    state = state_of([{**tender, "damage": 1, "suppression": 1}, FAR])
    rested = turn(state, "Tender: hold", dice=(*AZURE_FIRST, 6, 6, 6, 6, 1, 6, 2))

    assert kinds(rested, "repair", "restored", "recover_supp") == ["repair", "restored", "recover_supp"]
    assert statuses(rested.state, "Tender") == ["active", "active"]
    assert named(rested.state, "Tender").suppression == 0


@pytest.mark.rule("BS-END-1")
def test_the_battle_ends_when_a_side_is_gone_or_at_the_turn_limit():
    cls = {"Raft": {"size": 2, "no_shields": True, "hull": 1}, "Gun": {"size": 3, "heavy": 1}}
    state = state_of([sq("Gun", "Gun", "20,40"), foe("Raft", "Raft", "20,20")], **field("class", cls))
    killed = turn(state, "Gun: hold", dice=(*AZURE_FIRST, 1, 6))
    timed = turn(state_of([sq("Gull", "Attack Destroyer", "20,40"), FAR], turn=6), "Gull: hold")

    assert GAME.phase(killed.state) is None
    assert killed.state.ending is not None
    assert (killed.state.ending.winner, killed.state.ending.level) == ("azure", "decisive")
    assert timed.state.ending is not None
    assert timed.state.ending.level == "draw"


@pytest.mark.rule("BS-END-1")
def test_a_side_without_taskforces_may_lose_by_scenario():
    ships = [sq("Gull", "Attack Destroyer", "20,40"), sq("Tern", "Attack Destroyer", "71,1", side="crimson")]
    state = state_of(ships, [tf("One", "Gull")], turn=4, victory={"no_tf_from_turn": 4})
    ended = turn(state, "One: hold", "Tern: hold")

    assert ended.state.ending is not None
    assert ended.state.ending.winner == "azure"


@pytest.mark.rule("BS-END-3")
def test_levels_by_the_ratio_of_points():
    assert [level(*pair) for pair in ((2, 1), (1, 0), (2, 0), (125, 100), (124, 100), (100, 200))] == [
        "decisive", "draw", "decisive", "marginal", "draw", "decisive",
    ]  # fmt: skip


@pytest.mark.rule("BS-END-4")
def test_conceding_ends_the_game_before_any_dice():
    state = state_of([sq("Gull", "Attack Destroyer", "20,40"), FAR], vp={"azure": 50})
    over = turn(state, "concede", dice=())
    both = turn(state, "concede", "concede", dice=())

    assert over.state.ending is not None
    assert over.state.ending.winner == "crimson"
    assert both.state.ending is not None
    assert both.state.ending.winner == "azure"


# --- building --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BS-BLD-1", "BS-BLD-2", "BS-BLD-3", "BS-BLD-4")
def test_everything_that_can_be_bought():
    ship = complete(
        ShipClass(
            "All", size=5, extra_space=2, extra_shield=1, reinforced=2, hardened=True, fast="space", repair_cost=1
        )
    )
    weak = complete(ShipClass("Weak", size=3, no_shields=True, flimsy=True, slow=True))

    assert (ship.space, ship.used, ship.hull, ship.shields, ship.save, ship.speed) == (12, 4, 8, 4, 4, 1800)
    assert ship.cost == 50 + 6 + 5 + 10 + 10 + 5
    assert (weak.space, weak.hardness, weak.save, weak.speed, weak.cost) == (8, 2, 2, 600, 30 - 12 - 9)
    assert complete(ShipClass("Cheap", size=1, no_shields=True, flimsy=True)).cost == 3


@pytest.mark.rule("BS-FLT-1", "BS-FLT-2", "BS-FLT-3", "BS-FLT-5", "BS-SHF-9", "BS-XP-10")
def test_a_fleet_of_ones_own_replaces_the_scenarios():
    """Example 6.7: Dagger arrives in turn 3; Guard is deployed on the own edge; the admiral costs 15."""
    sides = [{**SIDES[0], "points": 400}, SIDES[1]]
    state = state_of(
        [sq("Old", "Fleet Cruiser", "30,42"), FAR], stage="setup", side=sides, switches={"experience": True}
    )
    text = """design Lancer = size 3, heavy 2, light 1, interceptor 1, fast cost, weak shields
squadron Pike = 4 Lancer
squadron Mace = 3 Missile Cruiser
squadron Home = 2 Fleet Destroyer
taskforce Dagger = Pike, Mace flag Pike
taskforce Guard = Home
trait Home Steady Crew
admiral veteran
reserve Dagger turn 3 sector 5B facing W at 54,18
deploy Guard at 30,40 facing N form line 1
Pike: arrive at 54,18 form line 1.25
Guard: standing hold"""
    built = GAME.resolve(state, {"azure": sheet(state, text)}, LoadedDice()).state
    dagger = next(one for one in built.taskforces if one.name == "Dagger")

    assert sheet(state, text).problems == ()
    assert sorted(one.name for one in built.squadrons if one.side == "azure") == ["Home", "Mace", "Pike"]
    assert spots(built, "Home") == [(3000, 4000), (3100, 4000)]
    assert dagger.returns is not None
    assert (dagger.location, dagger.returns.turn, dagger.returns.layouts["Pike"].formation.spacing) == (
        "reserve",
        3,
        125,
    )
    assert (named(built, "Pike").total, built.sides[0].veteran_admiral) == (16, True)
    assert next(one for one in built.taskforces if one.name == "Guard").standing == ("hold",)
    later = turn(turn(built, "", "Far: hold", dice=(1, 6)).state, "", "Far: hold", dice=(1, 6))
    assert spots(later.state, "Pike")[0] == (5400, 1800)


@pytest.mark.rule("BS-PLN-3", "BS-PLN-7", "BS-FLT-1")
def test_defence_lines_fill_the_quadrants_in_order():
    planet = {"kind": "planet", "name": "Terra", "at": "36,24", "radius": 600, "owner": "azure", "defence": 10}
    state = state_of([sq("Old", "Fleet Cruiser", "30,42"), FAR], stage="setup", terrain=[planet])
    text = "defence Terra all heavy 2, missile 3\ndefence Terra NE interceptor 3\ndefence Terra SE light 3"
    read = sheet(state, text)
    built = GAME.resolve(state, {"azure": read}, LoadedDice()).state.terrain[0]

    assert [p.rule for p in read.problems] == []
    assert built.quadrants["NE"].installations == ("heavy",) * 2 + ("missile",) * 3 + ("interceptor",) * 3
    assert [p.rule for p in sheet(state, text.replace("light 3", "light 4")).problems] == ["BS-V-50"]


@pytest.mark.rule("BS-SHF-9")
def test_turn_1_reserves_stand_before_the_first_orders():
    back = {"turn": 1, "sector": "2D", "facing": 0}
    state = state_of(
        [sq("Mace", "Missile Cruiser", "0,0"), FAR], [tf("Dagger", "Mace", location="reserve", **field("return", back))]
    )

    assert spots(state, "Mace") == [(1800, 4200)]


# --- standing orders -------------------------------------------------------------------------------------------------


def test_standing_orders_stay_until_cleared():
    state = state_of([sq("Gull", "Attack Destroyer", "20,40"), FAR])
    first = turn(state, "Gull:\n  standing move ahead 2\n  standing lose rear")
    second = turn(first.state, "")
    third = turn(second.state, "Gull: hold")
    fourth = turn(third.state, "standing clear")

    assert named(first.state, "Gull").standing == ("move ahead 2", "lose rear")
    assert [spots(s.state, "Gull")[0][1] for s in (first, second, third)] == [3800, 3600, 3600]
    assert named(fourth.state, "Gull").standing == ()
    assert spots(fourth.state, "Gull")[0][1] == 3600


def test_the_example_e_mail_of_6_6_reads_without_errors():
    opening = GAME.setup(scenarios_of("battleshift")["closing-the-trap"], LoadedDice())
    state = GAME.resolve(opening, {}, LoadedDice()).state
    text = """sequence Lance, Line, Wing
initiative second
Line:                       # whole taskforce
  mode concentrate
  move ahead 8
  face 010
  fire heavy at Dread, nearest min 2
  standing intercept any
Heron:                      # exception inside Line
  move 350 6
  lose rear
Lance:
  move toward Hammer 18 to 11
  fire light at Gale, nearest
  standing escape when damage >= 90%
Wing:
  hold
Roost: launch 6 as Hawk
Roost: launch 6 as Owl
Hawk: strike nearest then 180 6
Hawk: if intercepted evade
Owl: guard Roost
"""
    found = [p.rule for p in sheet(state, text).problems]

    assert [rule for rule in found if rule not in ("BS-V-23", "BS-V-30")] == []
    assert len(sheet(state, text).orders) == 18
    assert len(events(turn_any(state, text), "launch")) == 2


def turn_any(state, text):
    return GAME.resolve(state, {"azure": sheet(state, text)}, KeyedDice(b"6" * 32))


@pytest.mark.rule("BS-FLT-1")
@pytest.mark.parametrize(
    ("key", "points", "ships"),
    [
        ("first-contact", [250, 250], [13, 13]),
        ("closing-the-trap", [786, 795], [26, 33]),
        ("thousand-lances", [6676, 6676], [217, 217]),
    ],
)
def test_the_fleets_of_the_scenarios_cost_what_the_book_says(key, points, ships):
    state = GAME.setup(scenarios_of("battleshift")[key], LoadedDice())
    counted = [sum(len(s.ships) for s in state.squadrons if s.side == side.id) for side in state.sides]

    assert [fleet_cost(state, side.id) for side in state.sides] == points
    assert counted == ships


# --- corners of these chapters ---------------------------------------------------------------------------------------


@pytest.mark.rule("BS-DEA-5")
def test_a_squadron_that_died_in_its_own_activation_rolls_no_recovery() -> None:
    """One die in the mines hits on 1, armour needs a 1, damage 4 of 3 is one test, 6 fails."""
    mines = [{"kind": "mines", "x": 2000, "y": 2000, "radius": 100, "owner": "crimson"}]
    squadrons = [sq("Lost", "Hulk", "20,20", suppression=2, damage=3), sq("Other", "Fleet Cruiser", "60,40"), FAR]
    state = state_of(squadrons, terrain=mines, **field("class", {"Hulk": HULK}))
    result = turn(state, "Lost: hold\nOther: hold", dice=(*AZURE_FIRST, 1, 6, 6))
    assert statuses(result.state, "Lost") == ["destroyed"]
    assert events(result, "recover_supp") == []


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

"""Section 7: every validation case, with what its message names."""

from __future__ import annotations

import pytest

from games.battleshift import GAME
from games.battleshift.rules.bounds import check_bodies
from pbem.kit.codec import BadData
from pbem.kit.dice import LoadedDice
from tests.games.battleshift.builders import (
    FAR,
    SIDES,
    field,
    flight,
    foe,
    problem,
    problems,
    sheet,
    sq,
    state_of,
    tf,
)

MOON = {"kind": "moon", "name": "Cinder", "at": "42,18", "radius": 150}


def fleet(**more):
    """Line: Iron (2 battleships) and Heron (3 cruisers); Roost and Gull detached; Asp and Viper the enemy."""
    return state_of(
        [
            sq("Iron", "Fleet Battleship", "20,30", "21,30"),
            sq("Heron", "Fleet Cruiser", "23,30", "24,30", "25,30"),
            sq("Roost", "Fleet Carrier", "50,40", wings_aboard=6),
            sq("Gull", "Attack Destroyer", "60,40", "61,40"),
            foe("Asp", "Sword Frigate", "20,10", "21,10"),
            foe("Viper", "Missile Frigate", "70,4"),
        ],
        [tf("Line", "Iron", "Heron"), tf("Snakes", "Asp", side="crimson")],
        **more,
    )


CASES = [
    ("BS-V-1", "Iron: advance 12", ["advance"], {}),
    ("BS-V-1", "Iron: move sideways", ["move", "move ahead 8"], {}),
    ("BS-V-2", "Irn:", ["Irn", "Iron"], {}),
    ("BS-V-2", "Iron: fire heavy at Aspp", ["Aspp", "Asp"], {}),
    ("BS-V-3", "Asp:", ["Asp", "not yours"], {}),
    ("BS-V-4", "Gull: mode volley", ["mode", "taskforce"], {}),
    ("BS-V-7", "Gull: board Asp.1", ["boarding"], {}),
    ("BS-V-7", "Line: form ring", ["formations"], {}),
    ("BS-V-8", "Iron: fire heavy at Heron", ["Heron"], {}),
    ("BS-V-9", "sequence Line, Line", ["Line"], {}),
    ("BS-V-10", "Gull: move 000 18.5", ["18.00", "18.50", "move 000 18.00"], {}),
    ("BS-V-11", "Line: move 050 6", ["000", "45", "50", "045"], {}),
    ("BS-V-12", "Line: move to 20,10", ["20.00", "12.00", "move 000 12.00"], {}),
    ("BS-V-13", "Gull: move 090 15", ["75.00", "at most 11.00"], {}),
    ("BS-V-15", "Line: face 100", ["000", "90", "100"], {}),
    ("BS-V-19", "Heron: move ahead 12", ["12.36", "8.00", "4.36"], {}),
    ("BS-V-21", "Gull: form ring", ["ring"], {"switches": {"formations": True}, "gull": 1}),
    ("BS-V-22", "Gull: fire heavy at nearest", ["Attack Destroyer", "heavy", "light"], {}),
    ("BS-V-23", "Line: fire heavy at Viper", ["Viper", "36.00", "bearing"], {}),
    ("BS-V-25", "Gull: form line 2.5", ["0.25", "1.98", "2.50"], {}),
    ("BS-V-26", "Roost: launch 7 as Hawk", ["6", "7"], {}),
    ("BS-V-29", "Roost: launch 2 as Hawk\nHawk: fly 000 10 then 090 10 then 180 1", ["3", "2"], {}),
    ("BS-V-29", "Roost: launch 2 as Hawk\nHawk: fly 000 25", ["25.00", "24.00", "50.00,16.00"], {}),
    ("BS-V-32", "Iron: detach", ["Iron", "transfer"], {}),
    ("BS-V-33", "Line: flagship Heron", ["size 3", "size 4"], {}),
    ("BS-V-35", "Line: add Gull", ["41.23", "8.00"], {}),
    ("BS-V-38", "Line: shift out return turn 3 sector 4B facing N", ["Cinder", "open sector"], {"terrain": [MOON]}),
    ("BS-V-38", "Line: shift out return turn 3 sector 9Z facing N", ["9Z"], {}),
    ("BS-V-40", "Heron: shift out", ["Line", "detach"], {}),
    ("BS-V-41", "Line: shift out return turn 3 sector 2B facing N at 12,12", ["outside", "12.00-24.00"], {}),
    ("BS-V-61", "Iron: fire heavy at nearest min 7", ["7", "1-6"], {}),
    ("BS-V-61", "Iron: escape when damage >= 301%", ["301", "1-300"], {}),
    ("BS-V-61", "Iron: intercept any min 0", ["0", "1 or more"], {}),
    ("BS-V-63", "Roost: standing launch 2 as Hawk", ["launch", "move"], {}),
    ("BS-V-64", "Heron: form custom 1,0", ["2", "1"], {}),
    ("BS-V-59", "Roost: launch 2 as nearest", ["nearest"], {}),
    ("BS-V-59", "Roost: launch 2 as Gull", ["Gull"], {}),
]


@pytest.mark.rule(
    "BS-V-1", "BS-V-2", "BS-V-3", "BS-V-4", "BS-V-7", "BS-V-8", "BS-V-9", "BS-V-11", "BS-V-12", "BS-V-13", "BS-V-19",
    "BS-V-21", "BS-V-22", "BS-V-23", "BS-V-25", "BS-V-26", "BS-V-29", "BS-V-32", "BS-V-33", "BS-V-35", "BS-V-38",
    "BS-V-40", "BS-V-41", "BS-V-61", "BS-V-63", "BS-V-64", "BS-V-59",
)  # fmt: skip
@pytest.mark.parametrize(("rule", "text", "words", "more"), CASES, ids=[f"{c[0]}-{n}" for n, c in enumerate(CASES)])
def test_the_message_names_limit_and_value(rule, text, words, more):
    """A bad line is answered with its id, the limit, the actual value and what would be legal."""
    more = dict(more)
    if more.pop("gull", None):
        state = state_of([sq("Gull", "Attack Destroyer", "60,40"), FAR], **more)
    else:
        state = fleet(**more)

    found = problem(state, text, rule)

    said = f"{found.text} {found.reason} {found.hint} {found.instead} {found.fix}"
    assert [word for word in words if word not in said] == []


@pytest.mark.rule("BS-V-3")
def test_v3_lines_under_a_header_of_the_enemys_are_refused_with_it():
    read = sheet(fleet(), "Asp: hold\nGull: hold")

    assert [(p.line, p.rule, p.weight) for p in read.problems] == [(1, "BS-V-3", "refused"), (1, "BS-V-3", "refused")]
    assert [order.unit for order in read.orders] == ["Gull"]


WEIGHTS = [
    ("Gull: hold\nGull: move ahead 3", "BS-V-6", "changed"),
    ("sequence Line, Line", "BS-V-9", "changed"),
    ("Gull: move 000 18.5", "BS-V-10", "refused"),
    ("Heron: move ahead 12", "BS-V-19", "note"),
    ("Line: fire heavy at Viper", "BS-V-23", "note"),
    ("Roost: launch 7 as Hawk", "BS-V-26", "refused"),
    ("Line: add Gull", "BS-V-35", "note"),
]


@pytest.mark.rule("BS-V-6", "BS-V-9", "BS-V-10", "BS-V-19", "BS-V-23", "BS-V-26", "BS-V-35")
@pytest.mark.parametrize(("text", "rule", "weight"), WEIGHTS)
def test_a_problem_says_what_became_of_its_line(text, rule, weight):
    """Refused: nothing of it stands. Changed: something else will be done. Note: it stands."""
    found = problem(fleet(), text, rule)
    lines = {entry.line for entry in sheet(fleet(), text).accepted}

    assert found.weight == weight
    assert (found.line in lines) is (weight != "refused")


def test_a_block_of_which_nothing_stands_is_not_good():
    """So that a later letter whose block fails cannot replace one that stood."""
    read = sheet(fleet(), "Gull: move 000 18.5\nRoost: hold")

    assert [(block.unit, block.good) for block in read.blocks] == [("Gull", False), ("Roost", True)]


@pytest.mark.rule("BS-V-59")
def test_v59_every_name_that_is_raised_twice_is_refused():
    text = "squadron X = 1 Fleet Cruiser\nsquadron X = 1 Fleet Cruiser\n"
    text += "squadron Y = 1 Fleet Cruiser\nsquadron Y = 1 Fleet Cruiser\nloose X, Y"

    assert [(p.rule, p.line) for p in sheet(building(), text).problems] == [("BS-V-59", 2), ("BS-V-59", 4)]


@pytest.mark.rule("BS-V-5")
def test_v5_a_unit_off_the_table_cannot_act():
    state = state_of(
        [sq("Mace", "Missile Cruiser", "6,18"), FAR],
        [tf("Dagger", "Mace", location="reserve", **field("return", {"turn": 3, "sector": "1B", "facing": 90}))],
    )

    assert "turn 3" in problem(state, "Dagger: hold", "BS-V-5").reason
    assert problems(state, "Mace: arrive at 6,18 form line 1") == []


@pytest.mark.rule("BS-V-6")
def test_v6_of_two_lines_the_later_counts():
    read = sheet(fleet(), "Gull: hold\nGull: move ahead 3")

    assert [(p.rule, p.line) for p in read.problems] == [("BS-V-6", 1)]
    assert "line 2" in read.problems[0].reason


@pytest.mark.rule("BS-V-14", "BS-MOV-7")
def test_v14_a_path_may_not_enter_a_moon():
    state = state_of([sq("Gull", "Attack Destroyer", "42,28"), FAR], terrain=[MOON])
    found = problem(state, "Gull: move 000 12", "BS-V-14")

    assert "Cinder" in found.reason
    assert found.hint == "at most 8.50 on course 000"


@pytest.mark.rule("BS-V-17", "BS-MOV-4")
def test_v17_a_ship_that_cannot_reach_its_slot():
    """Heron.3 would have to go astern: two inches of leader's way bring it ahead of the beam."""
    state = state_of([sq("Heron", "Fleet Cruiser", "23,30", "24,30", "25,30"), FAR])
    found = problem(state, "Heron:\n  hold\n  form column 1", "BS-V-17")

    assert "Heron." in found.reason
    assert "12.00" in found.reason
    assert found.hint.startswith("least distance on course 000")


@pytest.mark.rule("BS-V-24", "BS-ATK-9", "BS-FTR-2")
def test_v24_batteries_cannot_fire_at_flights():
    state = state_of([sq("Lion", "Fleet Cruiser", "20,30"), FAR], flights=[flight("Owl", "Far", 2, "20,20", "crimson")])

    assert "flights" in problem(state, "Lion: fire light at Owl", "BS-V-24").reason
    assert "BS-V-24" in problems(state, "Lion: fire all at flights")


@pytest.mark.rule("BS-V-27", "BS-V-28", "BS-V-31", "BS-FTR-1")
def test_v27_v28_v31_flights_of_a_carrier():
    out = [flight("Hawk", "Roost", 2, "50,39"), flight("Owl", "Roost", 2, "51,39")]
    two = state_of([sq("Roost", "Fleet Carrier", "50,40", wings_aboard=2), FAR], flights=out)
    one = state_of([sq("Roost", "Fleet Carrier", "50,40", wings_aboard=2), FAR], flights=out[:1])
    other = state_of(
        [sq("Roost", "Fleet Carrier", "50,40", wings_aboard=0), sq("Gull", "Attack Destroyer", "50,41"), FAR],
        flights=out,
    )

    assert "Hawk, Owl" in problem(two, "Roost: launch 1 as Kite", "BS-V-27").reason
    assert (
        "2 wings aboard before recovery"
        in problem(one, "Roost: recover Hawk\nRoost: launch 4 as Kite", "BS-V-28").reason
    )
    assert "0 bays" in problem(other, "Gull: recover Hawk", "BS-V-31").reason


@pytest.mark.rule("BS-V-30", "BS-FTR-21")
def test_v30_a_target_out_of_reach_is_a_warning():
    state = state_of([sq("Roost", "Fleet Carrier", "20,40"), FAR], flights=[flight("Hawk", "Roost", 2, "20,39")])

    assert problem(state, "Hawk: strike Far", "BS-V-30").instead == "the flight will close up"


@pytest.mark.rule("BS-V-34", "BS-TF-1", "BS-R-1")
def test_v34_a_full_taskforce():
    ships = [sq(name, "Attack Destroyer", f"{20 + n},30") for n, name in enumerate(("A", "B", "C", "D"))]
    full = state_of([*ships, FAR], [tf("Line", "A", "B", "C")])
    roomy = state_of([*ships, FAR], [tf("Line", "A", "B", "C")], switches={"max_squadrons_per_tf": 5})

    assert "3 squadrons, limit 3" in problem(full, "Line: add D", "BS-V-34").reason
    assert problems(roomy, "Line: add D") == []


@pytest.mark.rule("BS-V-37", "BS-SHF-3")
def test_v37_no_shift_in_the_turn_of_arrival():
    state = state_of([sq("Gull", "Attack Destroyer", "30,30", arrived_turn=4), FAR], turn=4)

    assert problem(state, "Gull: shift out", "BS-V-37").hint == "from turn 5 on"


@pytest.mark.rule("BS-V-39", "BS-SHF-4")
def test_v39_a_squadron_under_gravity_may_have_to_stay():
    planet = {"kind": "planet", "name": "Terra", "at": "36,24", "radius": 600}
    state = state_of([sq("Gull", "Attack Destroyer", "36,40"), FAR], terrain=[planet])

    assert "10.00" in problem(state, "Gull: shift out", "BS-V-39").reason


@pytest.mark.rule("BS-V-42", "BS-V-60", "BS-WPN-4", "BS-R-46")
def test_v42_v60_super_heavy_excludes_all_else():
    cls = {"Siege": {"size": 8, "super": 1, "light": 1, "missile": 1, "bay": 1}}
    state = state_of([sq("Ram", "Siege", "20,30"), FAR], switches={"super_heavy": True}, **field("class", cls))
    text = "Ram:\n  fire super at nearest\n  fire light at nearest\n  missiles at nearest\n  launch 1 as Hawk"
    read = sheet(state, text)

    assert [p.rule for p in read.problems] == ["BS-V-42", "BS-V-60", "BS-V-60"]
    assert [order.slot for order in read.orders] == ["fire super"]


@pytest.mark.rule("BS-V-43", "BS-V-45", "BS-V-46", "BS-PLN-13")
def test_v43_v45_v46_boarding_and_ground():
    planet = {"kind": "planet", "name": "Terra", "at": "36,24", "radius": 600, "owner": "azure", "defence": 10}
    planet["quadrants"] = {"NE": {"assault": 1}}
    cruiser = sq("Storm", "Assault Cruiser", "36,31")
    ibis = foe("Ibis", "Sword Frigate", "60,31")
    state = state_of([cruiser, ibis], terrain=[planet], switches={"assault": True})

    assert "24.00" in problem(state, "Storm: board Ibis.1", "BS-V-43").reason
    assert "3 units aboard, 4 asked" in problem(state, "Storm:\n  hold\n  land 4 Terra NE", "BS-V-45").reason
    assert '10.00" of movement left' in problem(state, "Storm:\n  move 090 2\n  land 3 Terra NE", "BS-V-45").reason
    assert problem(state, "Terra: transfer 1 NE to SW", "BS-V-46").hint == "adjacent: NW, SE"
    assert "1 units, 2 asked" in problem(state, "Terra: transfer 2 NE to SE", "BS-V-46").reason


# --- setup -----------------------------------------------------------------------------------------------------------


def building(**more):
    sides = [{**SIDES[0], "points": 200}, {**SIDES[1], "points": 200}]
    switches = {"experience": True, "super_heavy": True}
    return state_of([sq("Old", "Fleet Cruiser", "30,42"), FAR], stage="setup", side=sides, switches=switches, **more)


SETUP_CASES = [
    ("BS-V-7", "design X = size 3, ion 1", ["ion"]),
    ("BS-V-50", "design X = size 2, light 6", ["6", "4", "2 too many"]),
    ("BS-V-51", "design X = size 1, heavy 1, slow", ["size 2"]),
    ("BS-V-51", "design X = size 2, super 1", ["size 3"]),
    ("BS-V-52", "design X = size 3, weak shields, no shields", ["weak shields", "no shields"]),
    ("BS-V-52", "design X = size 3, hardened, flimsy", ["hardened", "flimsy"]),
    ("BS-V-52", "design X = size 3, fast cost, slow", ["fast", "slow"]),
    ("BS-V-52", "design X = size 3, no shields, extra shield 1", ["extra shield"]),
    ("BS-V-53", "design X = size 3, reinforced 4", ["3", "4"]),
    ("BS-V-54", "squadron X = 8 Attack Destroyer\nloose X", ["8", "7"]),
    ("BS-V-55", "squadron X = 1 Fleet Cruiser", ["X", "no taskforce"]),
    ("BS-V-55", "squadron X = 1 Fleet Cruiser\ntaskforce T = X\ntaskforce U = X", ["T", "U"]),
    ("BS-V-56", "squadron X = 1 Fleet Cruiser\nsquadron Y = 1 Dreadnought\ntaskforce T = X, Y flag X", ["flag Y"]),
    ("BS-V-57", "squadron X = 7 Fleet Cruiser\nloose X", ["210", "200", "10"]),
    ("BS-V-59", "squadron X = 1 Fleet Cruiser\nsquadron X = 1 Fleet Cruiser\nloose X", ["X", "line 1"]),
    ("BS-V-59", "squadron Averyveryverylongnameforasquadronindeed = 1 Fleet Cruiser", ["limit 30"]),
    ("BS-V-62", "deploy Old at 30,30 facing N", ["30.00,30.00", "south"]),
    ("BS-V-62", "reserve Old turn 1 sector 3A facing N", ["turn 2"]),
    ("BS-V-41", "reserve Old turn 3 sector 2B facing N at 2,2", ["Old.1", "2.00,2.00", "2B"]),
]


@pytest.mark.rule(
    "BS-V-7", "BS-V-50", "BS-V-51", "BS-V-52", "BS-V-53", "BS-V-54", "BS-V-55", "BS-V-56", "BS-V-57", "BS-V-59",
    "BS-V-62", "BS-BLD-5", "BS-BLD-6", "BS-FLT-1", "BS-FLT-2", "BS-FLT-5", "BS-TF-10", "BS-R-28",
)  # fmt: skip
@pytest.mark.parametrize(("rule", "text", "words"), SETUP_CASES, ids=[f"{c[0]}-{n}" for n, c in enumerate(SETUP_CASES)])
def test_setup_lines_name_limit_and_value(rule, text, words):
    found = problem(building(), text, rule)

    said = f"{found.text} {found.reason} {found.hint} {found.instead} {found.fix}"
    assert [word for word in words if word not in said] == []


@pytest.mark.rule("BS-V-62")
def test_v62_a_bad_place_does_not_hide_the_next():
    text = "deploy Old at 30,30 facing N\ndeploy Old at 31,31 facing N"

    assert [(p.rule, p.line) for p in sheet(building(), text).problems] == [("BS-V-62", 1), ("BS-V-62", 2)]


@pytest.mark.rule("BS-FLT-2")
def test_a_taskforce_whose_squadrons_were_refused_is_not_raised():
    """Nobody has designed a Lancer: Dagger is raised without Mace, and Lance is left with nobody."""
    state = building()
    text = "squadron Pike = 1 Fleet Cruiser\nsquadron Mace = 1 Lancer\nsquadron Bolt = 1 Lancer\n"
    text += "taskforce Dagger = Mace, Pike\ntaskforce Lance = Bolt flag Bolt"
    built = GAME.resolve(state, {"azure": sheet(state, text)}, LoadedDice()).state

    assert [(tf.name, tf.squadrons, tf.flagship) for tf in built.taskforces] == [("Dagger", ("Pike",), "Pike.1")]


@pytest.mark.rule("BS-V-58", "BS-MON-1", "BS-PLN-1")
def test_v58_a_moonbase_is_at_most_half_its_planet():
    planet = {"kind": "planet", "name": "Terra", "at": "36,24", "radius": 600, "owner": "azure", "defence": 10}
    moon = {"kind": "moon", "name": "Luna", "at": "54,18", "radius": 200, "owner": "azure", "defence": 6}

    with pytest.raises(BadData, match="BS-V-58: Luna has defence 6, at most 5"):
        state_of([FAR], terrain=[planet, moon])
    with pytest.raises(BadData, match="not centred on a sector intersection"):
        state_of([FAR], terrain=[{**planet, "at": "35,24"}])
    check_bodies(state_of([FAR], terrain=[planet, {**moon, "defence": 5}]), "test")


@pytest.mark.rule("BS-V-65", "BS-V-3")
def test_v65_only_the_admiral_orders_the_fleet():
    sides = [{**SIDES[0], "admiral": "Nelson"}, SIDES[1]]
    ships = [sq("A", "Attack Destroyer", "20,40"), sq("B", "Attack Destroyer", "40,40"), FAR]
    state = state_of(ships, [tf("One", "A", player="Nelson"), tf("Two", "B", player="Hood")], side=sides)

    assert problems(state, "player Hood\nsequence Two, One\nTwo: hold\nOne: hold") == ["BS-V-65", "BS-V-3"]
    assert problems(state, "player Nelson\nsequence Two, One") == []
    assert problems(state, "sequence Two, One\nTwo: hold") == []

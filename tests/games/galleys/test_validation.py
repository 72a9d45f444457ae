"""Section 7: what is said about an order that cannot stand as written."""

from __future__ import annotations

import pytest

from games.galleys import GAME
from games.galleys.orders.reading import read_orders_as
from games.galleys.state import State
from pbem.kit.dice import LoadedDice
from pbem.kit.scenario import scenarios_of
from tests.games.galleys.builders import (
    OURS,
    THEIRS,
    THEM,
    US,
    acted,
    acting,
    complaint,
    complaints,
    link,
    read,
    sea,
    ship,
    turn,
)


def fleet(**ajax: object) -> State:
    """Ajax and Bias of Owls, Ceto of Left; the enemy has Thetis and Nysa."""
    return sea(
        [acting("Ajax", "trireme", "10,10/0", **ajax), acting("Bias", "liburnian", "14,10/0")],
        [ship("Thetis", "trireme", "10,30/0"), ship("Nysa", "hexeres", "14,30/0")],
        squadrons=[{"side": US, "name": "Left", "ships": [acting("Ceto", "hexeres", "20,10/0")]}],
    )


@pytest.mark.rule("GA-VAL-1")
@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("rma Thetis", "rma"),
        ("speed fast", "fast"),
        ("path F3 X", "X"),
        ("ram Thetis soon", "soon"),
        ("else dance", "dance"),
        ("react shouting", "shouting"),
        ("opportunity perhaps", "perhaps"),
        ("fire Thetis", "Thetis"),
        ("hold ram 40", "40"),
        ("target tallest", "tallest"),
        ("anastrophe Thetis left", "left"),
    ],
)
def test_val_1_names_the_word_where_reading_stopped_and_what_is_allowed(line: str, word: str) -> None:
    found = complaint(fleet(), f"Ajax: {line}", "GA-VAL-1")

    assert f"'{word}'" in found.reason
    assert found.hint


@pytest.mark.rule("GA-VAL-2")
def test_val_2_an_unknown_header_loses_its_block_and_no_other() -> None:
    sheet = read(fleet(), "Ajaks:\n  path F1\nBias: path F1")

    assert [problem.rule for problem in sheet.problems if problem.line] == ["GA-VAL-2", "GA-VAL-2"]
    assert "Ajaks" in sheet.problems[1].reason
    assert sheet.problems[1].hint == "did you mean 'Ajax'?"
    assert [entry.text for entry in sheet.accepted] == ["path F1"]


@pytest.mark.rule("GA-VAL-3")
def test_val_3_names_the_owner_of_a_unit_that_is_not_yours() -> None:
    found = [problem for problem in read(fleet(), "Thetis: path F1").problems if problem.rule == "GA-VAL-3"]

    assert found[0].reason == "'Thetis' is not yours to command: it belongs to Corinth"
    assert len(found) == 2


@pytest.mark.rule("GA-VAL-3")
def test_val_3_a_squadron_belongs_to_its_player() -> None:
    state = sea(
        [acting("Ajax", "trireme", "10,10/0")],
        squadrons=[{"side": US, "name": "Left", "owner": "Kimon", "ships": [acting("Ceto", "trireme", "20,10/0")]}],
    )

    sheet = read_orders_as(state, US, "Ceto: path F1\nAjax: path F1", "Phormio")

    assert [(p.rule, p.reason) for p in sheet.problems if p.line] == [("GA-VAL-3", "Ceto belongs to Kimon")]
    assert complaints(state, "Ceto: path F1") == []


@pytest.mark.rule("GA-VAL-4")
def test_val_4_a_lost_unit_takes_no_orders() -> None:
    found = complaint(fleet(status="sunk", lost_turn=1), "Ajax: path F1", "GA-VAL-4")

    assert found.reason == "Ajax was sunk on turn 1"


@pytest.mark.rule("GA-VAL-5")
@pytest.mark.parametrize("name", ["Ajax", THEIRS, OURS])
def test_val_5_a_wrong_or_double_name_is_dropped_from_activate(name: str) -> None:
    found = complaint(fleet(), f"Fleet: activate {OURS}, {name}", "GA-VAL-5")

    assert name in found.reason
    assert found.hint == "squadrons still unlisted: Left"
    assert len(read(fleet(), f"Fleet: activate {OURS}, {name}").accepted) == 1


@pytest.mark.rule("GA-VAL-6")
def test_val_6_only_the_fleet_commander_speaks_for_the_fleet() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0")], sides={US: {"admiral": "Phormio"}})

    sheet = read_orders_as(state, US, "Fleet: path F1", "Kimon")

    assert [(p.rule, "Phormio" in p.reason) for p in sheet.problems if p.line] == [("GA-VAL-6", True)]
    assert [p.rule for p in read_orders_as(state, US, "Fleet: path F1", "Phormio").problems] == []


@pytest.mark.rule("GA-VAL-7")
def test_val_7_a_ship_of_another_squadron_is_dropped_from_sequence() -> None:
    found = complaint(fleet(), f"{OURS}: sequence Bias, Ceto, Bias", "GA-VAL-7")

    assert "'Ceto' is no ship of Owls" in found.reason
    assert "'Bias' is listed twice" in found.reason


@pytest.mark.rule("GA-VAL-8")
def test_val_8_names_last_ordered_and_highest_level_and_cruise_is_used() -> None:
    state = fleet(last_level="half")
    found = complaint(state, "Ajax:\n  speed max\n  path F4", "GA-VAL-8")

    assert (found.reason, found.hint, found.instead) == (
        "Ajax: last level half, ordered max: a rise of more than two steps",
        "highest legal level: full",
        "cruise is used",
    )
    assert acted(state, "Ajax", "Ajax:\n  speed max\n  path F4").ship("Ajax").level == "cruise"


@pytest.mark.rule("GA-VAL-8")
def test_val_8_a_fleet_order_is_refused_only_for_the_ships_it_does_not_fit() -> None:
    state = fleet(last_level="half")

    found = complaint(state, "Fleet: speed max", "GA-VAL-8")

    assert "Ajax" in found.reason
    assert "Bias" not in found.reason
    assert acted(state, "Bias", "Fleet: speed max", 1).ship("Bias").level == "max"


@pytest.mark.rule("GA-VAL-9")
def test_val_9_names_the_cause_and_the_cap() -> None:
    found = complaint(fleet(fatigue=1), "Ajax: speed full", "GA-VAL-9")

    assert found.reason == "Ajax: fatigue 1: full is above the cap, cruise will be used"
    assert found.instead.startswith("the order stands")


@pytest.mark.rule("GA-VAL-10")
def test_val_10_names_points_needed_and_available_the_legal_part_and_the_level_that_would_do() -> None:
    found = complaint(fleet(), "Ajax: path F3 S F2", "GA-VAL-10")

    assert found.reason == "Ajax: the path needs 6 MP, cruise gives 4"
    assert found.hint == "longest legal part: F3 S; lowest level that would suffice: full"
    assert found.instead == "path F3 S is used"
    assert complaint(fleet(), "Ajax: path F9", "GA-VAL-10").hint.endswith("would suffice: none")


@pytest.mark.rule("GA-VAL-10", "GA-EX-16")
def test_val_10_counts_jettison_debt_and_an_ordered_disengage() -> None:
    towers = sea([acting("Stratonike", "hexeres", "10,10/0")])
    held = sea([acting("Ajax", "trireme", "10,10/0")], [ship("Bia", "trireme", "11,10/0")], links=[link("Ajax", "Bia")])

    assert complaints(towers, "Stratonike:\n  jettison\n  speed max\n  path F6") == []
    found = complaint(towers, "Stratonike:\n  jettison\n  speed max\n  path F7", "GA-VAL-10")
    assert found.reason == "Stratonike: the path needs 8 MP, max gives 7"
    assert complaints(fleet(debt=1), "Ajax: path F4") == ["GA-VAL-10"]
    assert complaints(held, "Ajax:\n  disengage\n  path F3") == ["GA-VAL-10"]
    assert complaints(held, "Ajax:\n  disengage\n  path F2") == []


@pytest.mark.rule("GA-VAL-11")
def test_val_11_names_limit_number_and_token() -> None:
    found = complaint(fleet(), "Ajax: path F1 S2 F1", "GA-VAL-11")

    assert found.reason == "Ajax: 2 hexsides turned without an F between, at most 1; token 3"


@pytest.mark.rule("GA-VAL-12")
@pytest.mark.parametrize("orders", ["path B", "speed half\n  path B F1"])
def test_val_12_backing_is_a_sole_token_at_half(orders: str) -> None:
    assert "at half" in complaint(fleet(), f"Ajax:\n  {orders}", "GA-VAL-12").reason


@pytest.mark.rule("GA-VAL-13")
def test_val_13_says_what_a_pass_through_lacks() -> None:
    found = complaint(fleet(), "Ajax: path S T", "GA-VAL-13")

    assert found.reason == "Ajax: T at token 2 lacks an F directly before it and level max (it is cruise)"


@pytest.mark.rule("GA-VAL-14")
@pytest.mark.parametrize("line", ["path F1", "approach Thetis", "withdraw", "else path F1", "rake Thetis"])
def test_val_14_no_movement_line_for_a_rammed_ship(line: str) -> None:
    assert complaint(fleet(rammed=True), f"Ajax: {line}", "GA-VAL-14").reason == "Ajax: it is rammed: MP 0"
    assert complaints(fleet(rammed=True), "Ajax: hold") == []


@pytest.mark.rule("GA-VAL-15")
def test_val_15_a_held_ship_without_disengage_is_warned() -> None:
    state = sea(
        [acting("Ajax", "quinquereme", "10,10/0")], [ship("Bia", "trireme", "11,10/0")], links=[link("Ajax", "Bia")]
    )

    assert "Bia" in complaint(state, "Ajax: path F1", "GA-VAL-15").reason
    assert complaints(state, "Ajax:\n  path F1\n  disengage") == []
    assert complaints(state, "Ajax:\n  path F1\n  disengage always") == []


@pytest.mark.rule("GA-VAL-16")
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"ram": 0}, "its ram rating is 0"),
        ({"crippled": True}, "it is crippled"),
        ({"rammed": True}, "it is rammed"),
        ({"fire": 2}, "it is burning (fire 2)"),
        ({"prize": True}, "it is a prize"),
        ({"fatigue": 2}, "it is fatigued (fatigue 2)"),
    ],
)
def test_val_16_names_what_forbids_a_ram(fields: dict[str, object], reason: str) -> None:
    assert complaint(fleet(**fields), "Ajax: ram Thetis", "GA-VAL-16").reason == f"Ajax: {reason}"


@pytest.mark.rule("GA-VAL-16")
def test_val_16_half_speed_forbids_a_ram() -> None:
    assert complaints(fleet(), "Ajax:\n  speed half\n  ram Thetis") == ["GA-VAL-16"]


@pytest.mark.rule("GA-VAL-17")
@pytest.mark.parametrize(("path", "token"), [("S F2", 1), ("F1 S F1", 0), ("F1 S", 0)])
def test_val_17_a_path_that_spoils_the_ram(path: str, token: int) -> None:
    found = [p for p in read(fleet(), f"Ajax:\n  path {path}\n  ram Thetis").problems if p.rule == "GA-VAL-17"]

    assert len(found) == bool(token)
    if token:
        assert f"token {token}" in found[0].reason
        assert "will not qualify" in found[0].reason


@pytest.mark.rule("GA-VAL-18")
def test_val_18_who_may_not_rake_or_pass() -> None:
    assert complaints(fleet(crippled=True), "Ajax:\n  speed half\n  rake Thetis") == ["GA-VAL-18"]
    assert complaints(fleet(prize=True), "Ajax:\n  speed half\n  rake Thetis") == ["GA-VAL-18"]
    assert complaint(fleet(), "Ajax: pass Thetis", "GA-VAL-18").reason == "Ajax: its level is cruise, not max"


@pytest.mark.rule("GA-VAL-19")
def test_val_19_a_wrong_position_is_a_warning_only() -> None:
    state = fleet(star=True)
    found = complaint(state, "Ajax:\n  speed max\n  anastrophe Thetis\n  else hold", "GA-VAL-19")

    assert found.instead.startswith("the order stands")
    assert "GA-ANA-2" in found.reason
    assert complaints(state, "Ajax:\n  speed max\n  anastrophe nearest\n  ram nearest\n  else hold") == []
    assert complaints(fleet(), "Ajax:\n  speed max\n  anastrophe Thetis") == ["GA-VAL-19"]


@pytest.mark.rule("GA-VAL-20")
def test_val_20_grapple_needs_cruise_and_a_sound_ship() -> None:
    assert complaint(fleet(), "Ajax:\n  speed full\n  grapple Thetis", "GA-VAL-20").reason == (
        "Ajax: its level is full, not cruise"
    )
    assert complaints(fleet(fire=1), "Ajax: grapple Thetis") == ["GA-VAL-20"]


@pytest.mark.rule("GA-VAL-21")
@pytest.mark.parametrize(
    ("target", "reason"),
    [("Thetsi", "no ship called 'Thetsi'"), ("Bias", "Bias is a ship of your own side")],
)
def test_val_21_a_target_must_be_an_enemy_afloat(target: str, reason: str) -> None:
    found = complaint(fleet(), f"Ajax: ram {target}", "GA-VAL-21")

    assert found.reason == reason
    assert "Thetis" in found.hint


@pytest.mark.rule("GA-VAL-21")
def test_val_21_lost_ships_own_prizes_and_unknown_squadrons_are_no_targets() -> None:
    prize = ship("Bia", "trireme", "30,10/0", prize=True, home_side=THEM, home_squadron=THEIRS)
    sunk = ship("Rhea", "trireme", "40,10/0", status="sunk", lost_turn=1)
    state = sea([acting("Ajax", "trireme", "10,10/0"), prize], [ship("Thetis", "trireme", "10,30/0"), sunk])

    assert complaint(state, "Ajax: ram Bia", "GA-VAL-21").reason == "Bia is a prize of your own side"
    assert complaint(state, "Ajax: ram Rhea", "GA-VAL-21").reason == "Rhea is sunk since turn 1"
    assert complaints(state, "Ajax: ram nearest of Sicyon") == ["GA-VAL-21"]


@pytest.mark.rule("GA-VAL-22")
@pytest.mark.parametrize("line", ["fire 2 at Thetis", "fire 0 at Thetis", "fire at Thetis, Nysa"])
def test_val_22_points_must_suffice_for_every_target(line: str) -> None:
    """A trireme has one missile point."""
    found = complaint(fleet(), f"Ajax: {line}", "GA-VAL-22")

    assert "available 1" in found.reason or "share of 0" in found.reason
    assert complaints(fleet(marines=0), "Ajax: fire at Thetis") == ["GA-VAL-22"]


@pytest.mark.rule("GA-VAL-23")
def test_val_23_of_fire_and_flame_the_later_is_dropped() -> None:
    state = sea(
        [ship("Apama", "hepteres", "10,5/0", flame=True)], [ship("Lark", "liburnian", "10,4/3")], flame_missiles=True
    )

    sheet = read(state, "Apama:\n  hold\n  flame at Lark\n  fire at Lark")

    assert [problem.rule for problem in sheet.problems] == ["GA-VAL-23"]
    assert [entry.text for entry in sheet.accepted] == ["hold", "flame at Lark"]


@pytest.mark.rule("GA-VAL-24")
@pytest.mark.parametrize(
    ("fields", "switch", "more", "reason"),
    [
        ({"flame": True}, False, "", "the switch flame_missiles is off in this scenario"),
        ({}, True, "", "it has no flame missiles"),
        ({"flame": True, "towers": False}, True, "", "it has no towers"),
        ({"flame": True}, True, "\n  jettison", "its towers are jettisoned in the same orders"),
    ],
)
def test_val_24_what_a_flame_order_lacks(fields: dict[str, object], *, switch: bool, more: str, reason: str) -> None:
    state = sea(
        [ship("Apama", "hepteres", "10,5/0", **fields)], [ship("Lark", "liburnian", "10,4/3")], flame_missiles=switch
    )

    assert complaint(state, f"Apama:\n  flame at Lark{more}", "GA-VAL-24").reason == f"Apama: {reason}"


@pytest.mark.rule("GA-VAL-25")
def test_val_25_says_why_nothing_can_be_jettisoned() -> None:
    assert complaint(fleet(), "Ajax: jettison", "GA-VAL-25").reason == "Ajax: it has no towers"


@pytest.mark.rule("GA-VAL-26")
def test_val_26_names_the_links_that_exist() -> None:
    state = sea(
        [acting("Ajax", "trireme", "10,10/0")],
        [ship("Bia", "trireme", "11,10/0"), ship("Rhea", "trireme", "30,10/0")],
        links=[link("Ajax", "Bia")],
    )

    assert (
        complaint(state, "Ajax: disengage Rhea", "GA-VAL-26").reason == "Ajax: no link with Rhea; links that exist: Bia"
    )
    assert complaint(fleet(), "Ajax: disengage", "GA-VAL-26").instead.startswith("the order stands")
    partly = read(state, "Ajax: disengage Rhea, Bia")
    assert len(partly.accepted) == 1
    assert len(acted(state, "Ajax", "Ajax:\n  hold\n  disengage Rhea, Bia", 4).events("disengage")) == 1


@pytest.mark.rule("GA-VAL-27")
def test_val_27_boarding_without_a_link_is_a_warning() -> None:
    found = complaint(fleet(), "Ajax: board Thetis", "GA-VAL-27")

    assert "links that exist: none" in found.reason
    assert found.instead.startswith("the order stands")


@pytest.mark.rule("GA-VAL-28")
@pytest.mark.parametrize("line", ["hold fire below 101%", "hold ram below 200", "hold ram below -1%"])
def test_val_28_percentages_run_from_0_to_100(line: str) -> None:
    assert "outside 0 to 100" in complaint(fleet(), f"Ajax: {line}", "GA-VAL-28").reason


@pytest.mark.rule("GA-VAL-29")
def test_val_29_a_routed_squadron_is_told_that_it_withdraws() -> None:
    state = sea(
        [acting("Ajax", "trireme", "10,10/0")],
        squadrons=[{"side": US, "name": "Left", "routed": True, "ships": [acting("Ceto", "trireme", "20,10/0")]}],
    )

    assert "routed: withdraws" in complaint(state, "Ceto: path F1", "GA-VAL-29").reason
    assert "routed: withdraws" in complaint(state, "Left: path F1", "GA-VAL-29").reason
    assert complaints(state, "Fleet: path F1") == []


@pytest.mark.rule("GA-VAL-30")
def test_val_30_names_hex_and_obstacle() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0"), acting("Bias", "liburnian", "10,8/0")], land=[[14, 8]])

    assert (
        complaint(state, "Ajax: path F3", "GA-VAL-30").reason == "Ajax: token 2 leads into 10,8: Bias, which acts later"
    )
    assert complaints(state, f"{OURS}: sequence Bias, Ajax\nAjax: path F3") == []
    edge = sea([acting("Ajax", "liburnian", "10,-5/0")])
    assert complaint(edge, "Ajax: path F1", "GA-VAL-30").reason.endswith("the edge of the map")


@pytest.mark.rule("GA-VAL-31")
def test_val_31_nobody_follows_himself_or_an_enemy() -> None:
    assert complaints(fleet(), "Ajax: follow Ajax") == ["GA-VAL-31"]
    assert complaints(fleet(), "Ajax: follow Thetis") == ["GA-VAL-31"]
    found = complaint(fleet(), f"{OURS}: follow Ajax", "GA-VAL-31")
    assert found.reason == "Ajax: Ajax cannot follow itself"


@pytest.mark.rule("GA-VAL-32")
@pytest.mark.parametrize(("line", "switch"), [("firepots off", "firepots"), ("flame on", "flame_missiles")])
def test_val_32_a_doctrine_without_its_switch_has_no_effect(line: str, switch: str) -> None:
    found = complaint(fleet(), f"Ajax: {line}", "GA-VAL-32")

    assert switch in found.reason
    assert found.instead == "the order stands"


@pytest.mark.rule("GA-VAL-33")
def test_val_33_lists_the_ships_that_stand_guard() -> None:
    sheet = read(fleet(), f"{OURS}: hold")

    assert [(p.rule, p.line, p.reason) for p in sheet.problems] == [
        ("GA-VAL-33", 0, "no plan for Ceto: stands guard (GA-ORD-12)")
    ]
    assert sheet.defaults == ("Ceto stands guard: cruise, rams what comes within reach, else holds.",)
    assert read(fleet(), "Fleet: hold").problems == ()


@pytest.mark.rule("GA-VAL-34")
def test_val_34_a_line_before_any_header_is_read_as_the_fleets() -> None:
    sheet = read(fleet(), "speed full\npath F1")

    assert [(p.rule, p.line) for p in sheet.problems] == [("GA-VAL-34", 1)]
    assert [(entry.unit, entry.text) for entry in sheet.accepted] == [("Fleet", "speed full"), ("Fleet", "path F1")]


@pytest.mark.rule("GA-VAL-35")
def test_val_35_sequence_belongs_to_a_squadron_and_activate_to_the_fleet() -> None:
    assert complaints(fleet(), "Fleet: sequence Ajax") == ["GA-VAL-35"]
    assert complaints(fleet(), "Ajax: sequence Ajax") == ["GA-VAL-35"]
    sheet = read(fleet(), f"{OURS}:\n  activate Left\n  hold\nLeft: hold")
    assert [p.rule for p in sheet.problems] == ["GA-VAL-35"]
    assert len(sheet.accepted) == 3


# --- what a problem costs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "rule", "weight"),
    [
        ("Ajax: speed fast", "GA-VAL-1", "refused"),
        ("Thetis: path F1", "GA-VAL-3", "refused"),
        ("Fleet: activate Owls, Ajax", "GA-VAL-5", "changed"),
        ("Ajax: speed max", "GA-VAL-8", "refused"),
        ("Ceto: speed max", "GA-VAL-9", "changed"),
        ("Ajax: path F9", "GA-VAL-10", "changed"),
        ("Ajax:\n  speed half\n  disengage Thetis\n  path T", "GA-VAL-13", "refused"),
        ("Ajax: path F1 S2 F1", "GA-VAL-11", "changed"),
        ("Ajax: jettison", "GA-VAL-25", "refused"),
        ("Ajax: disengage", "GA-VAL-26", "note"),
        ("Ajax: board Thetis", "GA-VAL-27", "note"),
        ("Ajax: firepots off", "GA-VAL-32", "note"),
        ("Ajax: hold", "GA-VAL-33", "note"),
        ("hold", "GA-VAL-34", "note"),
        ("Ajax: activate Owls", "GA-VAL-35", "note"),
    ],
)
def test_a_problem_weighs_what_is_lost_of_its_line(orders: str, rule: str, weight: str) -> None:
    state = sea(
        [acting("Ajax", "trireme", "10,10/0", last_level="half")],
        [ship("Thetis", "trireme", "10,30/0")],
        squadrons=[{"side": US, "name": "Left", "ships": [acting("Ceto", "trireme", "20,10/0", fatigue=1)]}],
    )

    assert {problem.weight for problem in read(state, orders).problems if problem.rule == rule} == {weight}


def test_a_line_refused_to_some_of_its_ships_is_changed_and_to_all_refused() -> None:
    state = fleet(ram=0)

    some, every = (complaint(state, f"{unit}: ram Thetis", "GA-VAL-16") for unit in (OURS, "Ajax"))

    assert (some.weight, some.reason) == ("changed", "Ajax: its ram rating is 0")
    assert every.weight == "refused"
    assert len(read(state, f"{OURS}: ram Thetis").accepted) == 1


def test_one_problem_names_all_the_ships_of_its_line() -> None:
    found = complaint(fleet(), "Fleet:\n  hold\n  jettison", "GA-VAL-25")

    assert (found.reason, found.weight) == ("Ajax: it has no towers (the same for Bias)", "changed")


# --- levels of orders ------------------------------------------------------------------------------------------------


def test_a_later_line_of_the_same_kind_replaces_an_earlier_one() -> None:
    sheet = read(
        fleet(),
        "Fleet: hold\nAjax:\n  speed full\n  path F1\n  speed cruise\n  approach Thetis\n  react none\n  react all",
    )

    assert [entry.text for entry in sheet.accepted if entry.unit == "Ajax"] == [
        "speed cruise",
        "approach Thetis",
        "react all",
    ]


def test_a_single_order_does_not_cancel_the_plan_of_the_squadron() -> None:
    state = fleet()

    assert acted(state, "Ajax", f"{OURS}: path F2\nAjax: fire none").place("Ajax") == "10,8/0"
    assert acted(state, "Ajax", f"{OURS}: path F2\nAjax: hold ram below 40%").place("Ajax") == "10,8/0"
    assert acted(state, "Ajax", f"{OURS}: path F2\nAjax: speed cruise").place("Ajax") == "10,10/0"


def test_a_ship_whose_plan_was_refused_holds_and_does_not_take_up_another() -> None:
    state = fleet(ram=0)

    sheet = read(state, "Fleet: path F3\nAjax: ram Thetis")

    assert [entry.text for entry in sheet.accepted] == ["path F3", "hold"]
    assert acted(state, "Ajax", "Fleet: path F3\nAjax: ram Thetis").place("Ajax") == "10,10/0"


def test_doctrines_persist_at_the_level_they_were_given_at() -> None:
    state = fleet()

    found = turn(state, "Fleet:\n  hold\n  react none\nOwls: avoid ram\nAjax: board always", "Fleet: hold", 6, 1).state

    assert found.fleet(US).doctrines == {"react": "none"}
    assert found.squadron(OURS).doctrines == {"avoid": "ram"}
    assert found.ship("Ajax").doctrines == {"hold fire": "always", "board": "always"}


def test_names_that_are_keywords_are_written_with_an_at_sign() -> None:
    state = sea([acting("Ram", "trireme", "10,10/0")], [ship("Nearest", "trireme", "11,10/0")])

    assert complaints(state, "@Ram:\n  ram @Nearest\n  fire at @Nearest at end") == []


def test_the_example_mails_of_the_book_are_understood() -> None:
    """Section 6.5, on a sea that has the ships they name."""
    athens = sea(
        [
            acting("Paralos", "trireme-elite", "6,12/0"),
            acting("Glaukopis", "trireme-elite", "8,11/0"),
            acting("Salaminia", "trireme-elite", "10,10/0"),
        ],
        [ship("Leucas", "trireme", "8,1/3")],
        squadrons=[{"side": US, "name": "Paralia", "ships": [acting("Nike", "trireme-elite", "14,8/0")]}],
    )
    mail = """Fleet: activate Owls, Paralia
       avoid ram rake            # let them grapple, save the oars
Owls:
  sequence Paralos, Glaukopis, Salaminia
  speed full
  path F4
  react ram rake
Paralos:
  speed max
  anastrophe nearest starboard
  ram nearest if reachable
  else path F5
Glaukopis:
  speed full
  ram Leucas if reachable
  rake any if reachable
  else approach Leucas
  hold ram below 40%
Paralia: speed cruise
Paralia: path F2 S F1
"""

    assert complaints(athens, mail) == []
    assert len(read(athens, mail).accepted) == 17


def test_the_mail_of_the_standard_battle_is_understood() -> None:
    """Section 6.5, the Seleucid fleet."""
    myonnesus = GAME.setup(scenarios_of("galleys")["myonnesus"], LoadedDice())
    mail = """Fleet: activate Centre, Light, Right, Left
Fleet: target biggest
Centre:
  speed cruise
  approach nearest
  board always
  disengage never
Apama:
  speed cruise
  path F1 P F1
  grapple Eirene
  fire 2 at Eirene, 1 at nearest of Rhodes when able
Stratonike:
  jettison
  speed max
  path F4 T
Right: disengage unless stronger
Light:
  speed max
  ram weakest of Rhodes if reachable
  else withdraw
"""

    assert complaints(myonnesus, mail, "Seleucid") == []


def test_problems_are_told_to_their_owner_in_the_report() -> None:
    found = turn(fleet(), "Fleet: hold\nAjax:\n  hold\n  jettison\n  board Thetis", "Fleet: hold", 6, 1)

    told = [(event.kind, event.facts["id"], event.seen_by) for event in found.events if event.kind.startswith("order")]
    assert told == [
        ("order_error", "GA-VAL-25", frozenset((US,))),
        ("order_warning", "GA-VAL-27", frozenset((US,))),
    ]


@pytest.mark.rule("GA-VAL-1")
def test_words_behind_the_ship_to_disengage_from_are_not_swallowed() -> None:
    state = sea([acting("Ajax", "trireme", "10,5/0")], [ship("Bia", "trireme", "11,5/0")], links=[link("Ajax", "Bia")])

    assert complaints(state, "Ajax:\n hold\n disengage Bia always") == ["GA-VAL-1"]
    assert complaints(state, "Ajax:\n hold\n disengage Bia") == []


@pytest.mark.rule("GA-VAL-36")
def test_val_36_a_line_that_a_later_one_replaces_is_told() -> None:
    """Section 6.1: path and move verbs are one kind; intents accumulate."""
    sheet = read(fleet(), "Ajax:\n  path F2\n  ram Thetis\n  ram Nysa\nBias: hold\nAjax: withdraw")
    found = next(problem for problem in sheet.problems if problem.rule == "GA-VAL-36")

    assert (found.line, found.weight) == (2, "changed")
    assert found.reason == "line 6, 'withdraw', replaces it: a block has one line of this kind"
    assert [entry.text for entry in sheet.accepted] == ["ram Thetis", "ram Nysa", "hold", "withdraw"]

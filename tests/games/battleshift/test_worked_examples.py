"""Section 11 and 6.8: every worked example, resolved from its situation file."""

from __future__ import annotations

import pytest

from games.battleshift.data import ShipClass
from games.battleshift.rules.attacks import destruction_tests
from games.battleshift.rules.building import check_design, check_squadron, data_sheet, read_design
from games.battleshift.rules.sight import is_eligible, pose_of
from pbem.kit.dice import LoadedDice
from tests.games.battleshift.builders import (
    events,
    measured,
    named,
    order_of,
    rules_of,
    situation,
    spots,
    statuses,
)


@pytest.mark.rule("BS-T-1", "BS-GEO-1", "BS-GEO-2", "BS-SHF-8", "BS-SHF-9", "BS-R-35")
def test_t1_a_reserve_arrives_in_the_middle_of_its_sector():
    """Sector 5B is x 48-60, y 12-24: the ship stands at 54.00,18.00 facing 270 at the start of turn 2."""
    tried = situation("bs-t-1")

    assert tried.state.turn == 2
    assert spots(tried.state, "Lion") == [(5400, 1800)]
    assert named(tried.state, "Lion").facing == 270
    assert named(tried.state, "Lion").arrived_turn == 2


@pytest.mark.rule("BS-T-2", "BS-GEO-3", "BS-MOV-1", "BS-MOV-2", "BS-MOV-3")
def test_t2_a_course_of_030():
    tried = situation("bs-t-2")

    assert spots(tried.state, "Lion") == [(2600, 961)]
    assert named(tried.state, "Lion").facing == 30


@pytest.mark.rule("BS-T-3", "BS-MOV-1", "BS-MOV-3", "BS-V-15", "BS-R-16")
def test_t3_a_battleship_turns_at_most_90_from_its_course():
    tried = situation("bs-t-3")
    found = tried.sheets["azure"].problems

    assert spots(tried.state, "Iron") == [(2849, 2151)]
    assert named(tried.state, "Iron").facing == 45
    assert [one.rule for one in found] == ["BS-V-15"]
    assert all(word in found[0].reason + found[0].hint for word in ("045", "90", "91", "135"))


@pytest.mark.rule("BS-T-4", "BS-DST-1", "BS-DST-2", "BS-DST-3", "BS-R-2")
def test_t4_nine_points_on_a_total_of_twenty_make_two_tests():
    tried = situation("bs-t-4")

    assert events(tried, "test")[0]["dice"] == [3, 4]
    assert named(tried.state, "Victim").damage == 9
    assert statuses(tried.state, "Victim").count("active") == 4


@pytest.mark.rule("BS-T-5", "BS-DST-1", "BS-DST-2", "BS-DST-3")
def test_t5_nine_points_on_hull_3_make_three_tests():
    tried = situation("bs-t-5")

    assert events(tried, "test")[0]["count"] == 3
    assert named(tried.state, "Victim").damage == 9
    assert statuses(tried.state, "Victim").count("active") == 6


@pytest.mark.rule("BS-T-6", "BS-DST-1", "BS-DST-2", "BS-R-3", "BS-R-4", "BS-DMG-2")
def test_t6_every_point_at_or_above_the_total_is_a_test():
    """19 + 6: none by multiples, five at 21 to 25; neither total nor damage falls with the ships."""
    tried = situation("bs-t-6")

    assert events(tried, "test")[0]["dice"] == [1, 4, 3, 6, 2]
    victim = named(tried.state, "Victim")
    assert (victim.damage, victim.total) == (25, 21)
    assert statuses(tried.state, "Victim").count("active") == 5


@pytest.mark.rule("BS-T-7", "BS-SUP-1", "BS-SUP-2", "BS-SUP-3")
def test_t7_five_hits_suppress_five_frigates_and_ten_five_battleships():
    tried = situation("bs-t-7")
    steps = [event.step for event in tried.events if event.kind == "suppress"]

    assert order_of(tried) == ["P", "Q", "R", "S"]
    assert steps == ["activation 2", "activation 4"]


@pytest.mark.rule("BS-T-8", "BS-SHD-1", "BS-SHD-2")
def test_t8_the_shields_of_every_ship_hit_roll():
    tried = situation("bs-t-8")

    assert [len(facts["dice"]) for facts in events(tried, "shields")] == [6, 10, 10]


@pytest.mark.rule("BS-T-9", "BS-SHD-2", "BS-SHD-4", "BS-SUP-1")
def test_t9_five_heavy_hits_on_six_cruisers():
    tried = situation("bs-t-9")
    shields = events(tried, "shields")[0]

    assert (len(shields["dice"]), shields["need"], shields["saved"]) == (10, 2, 3)
    assert named(tried.state, "Lion").damage == 2
    assert events(tried, "suppress") == events(tried, "test") == []


@pytest.mark.rule("BS-T-10", "BS-ATK-6", "BS-ATK-7", "BS-SUP-1", "BS-SHD-2", "BS-DST-2")
def test_t10_a_marker_costs_one_on_every_die():
    tried = situation("bs-t-10")
    sabre = named(tried.state, "Sabre")

    assert events(tried, "fire")[0]["numbers"] == [3]
    assert events(tried, "fire")[0]["hits"] == 5
    assert (sabre.damage, sabre.total, sabre.suppression) == (3, 15, 1)
    assert statuses(tried.state, "Sabre").count("active") == 4


@pytest.mark.rule(
    "BS-T-11", "BS-MSL-1", "BS-MSL-2", "BS-MSL-3", "BS-MSL-5", "BS-MSL-6", "BS-INT-1", "BS-INT-4", "BS-SUP-4", "BS-R-7"
)
def test_t11_interceptors_of_the_target_and_of_its_taskforce():
    tried = situation("bs-t-11")
    kills = [(facts["reactor"], facts["number"], facts["kills"]) for facts in events(tried, "intercept")]

    assert events(tried, "lock")[0]["missiles"] == 4
    assert kills == [("Lion", 3, 1), ("Claw", 4, 1)]
    assert events(tried, "shields")[0]["need"] == 3
    assert (named(tried.state, "Lion").damage, named(tried.state, "Lion").suppression) == (1, 1)


@pytest.mark.rule("BS-T-12", "BS-FTR-3", "BS-FTR-7", "BS-FTR-8", "BS-FTR-9", "BS-SHD-3", "BS-INT-1")
def test_t12_four_wings_strike_two_battleships():
    tried = situation("bs-t-12")

    assert events(tried, "dodge")[0]["lost"] == 1
    assert events(tried, "fire")[0]["hits"] == 2
    assert events(tried, "shields")[0]["dice"] == [4, 5]
    assert events(tried, "suppress") == []
    assert named(tried.state, "Iron").damage == 1
    assert tried.state.vp["crimson"] == 3


@pytest.mark.rule("BS-T-13", "BS-FTR-14", "BS-FTR-17", "BS-R-24")
def test_t13_the_evader_flies_on_with_two_wings():
    tried = situation("bs-t-13")
    wings = {flight.name: (flight.wings, flight.x, flight.y) for flight in tried.state.flights}

    assert events(tried, "evade")[0]["numbers"] == [1, 3]
    assert wings == {"A": (2, 2000, 1600), "B": (1, 2000, 3000)}


@pytest.mark.rule("BS-T-14", "BS-FTR-19")
def test_t14_wings_go_down_with_their_ships():
    tried = situation("bs-t-14")

    assert named(tried.state, "Roost").wings_aboard == 13
    assert events(tried, "wings")[0]["vp"] == 12


@pytest.mark.rule("BS-T-15", "BS-DEA-2", "BS-R-25", "BS-R-26")
def test_t15_as_many_ships_repair_as_there_is_damage():
    tried = situation("bs-t-15")

    assert events(tried, "repair")[0]["dice"] == [1, 4, 1]
    assert named(tried.state, "Lion").damage == 1


@pytest.mark.rule("BS-T-16", "BS-DEA-5", "BS-TF-7")
def test_t16_recovery_on_3_in_command_and_on_2_detached():
    tried = situation("bs-t-16")

    assert named(tried.state, "Lion").suppression == 1
    assert named(tried.state, "Loose").suppression == 2


@pytest.mark.rule("BS-T-17", "BS-INIT-1", "BS-INIT-2", "BS-TURN-4", "BS-TURN-5", "BS-R-33", "BS-R-34")
def test_t17_a_tie_is_rerolled_and_the_winner_may_act_second():
    tried = situation("bs-t-17")

    assert events(tried, "initiative")[0]["totals"] == {"azure": 6, "crimson": 2}
    assert order_of(tried) == ["b1", "a1", "b2", "a2", "a3", "t", "s", "u"]


@pytest.mark.rule("BS-T-18", "BS-ENG-1", "BS-V-44")
def test_t18_a_third_of_the_size_rounded_up():
    """Size 5 has room for 2: the size 3 is refused, the size 2 taken."""
    tried = situation("bs-t-18")

    assert rules_of(tried) == ["BS-V-44"]
    assert statuses(tried.state, "Perch")[0] == "engulfed"
    assert named(tried.state, "Maw One").ships[0].holds == ("crimson/Perch.1",)


@pytest.mark.rule("BS-T-18", "BS-ENG-1")
def test_t18_one_ship_a_turn_and_another_of_size_1_later():
    first = situation("bs-t-18", {"azure": "Maw One:\n  hold\n  engulf Minnow.1\n  engulf Perch.1"})

    assert named(first.state, "Maw One").ships[0].holds == ("crimson/Minnow.1",)
    assert statuses(first.state, "Perch")[0] == "disabled"


@pytest.mark.rule("BS-T-19", "BS-PLN-6", "BS-PLN-7", "BS-R-37")
def test_t19_the_last_of_the_list_fails_first():
    tried = situation("bs-t-19")
    quadrant = measured(tried.before).bodies[0].quadrants["NE"]

    assert quadrant.now.working == ("missile",) * 10
    assert quadrant.now.damage < quadrant.body.now.defence


@pytest.mark.rule("BS-T-20", "BS-SQN-1", "BS-V-54")
def test_t20_seven_ships_and_twenty_one_size_units():
    tried = situation("bs-t-20")
    found = [one for one in tried.sheets["azure"].problems if one.rule == "BS-V-54"]

    assert sorted(s.name for s in tried.state.squadrons) == ["A", "C", "D", "E"]
    assert [one.hint for one in found] == ["at most 5", "at most 1"]
    assert check_squadron(1, ShipClass("Moon", size=40)) is None


@pytest.mark.rule("BS-T-21", "BS-BLD-1", "BS-BLD-2", "BS-BLD-3", "BS-BLD-4", "BS-V-50")
def test_t21_the_lancer():
    tried = situation("bs-t-21")
    lancer = read_design("Lancer = size 3, heavy 2, light 1, interceptor 1, fast cost, weak shields")

    assert data_sheet(lancer) == {
        "name": "Lancer", "size": 3, "used": 6, "space": 6, "hull": 4, "shields": "2x3", "save": 3, "speed": 1800,
        "cost": 33,
    }  # fmt: skip
    assert check_design(lancer) == ()
    assert [(one.rule, one.reason) for one in tried.sheets["azure"].problems] == [
        ("BS-V-50", "Loaded uses 8 space units of 6, 2 too many")
    ]


@pytest.mark.rule("BS-T-22", "BS-SHF-1", "BS-SHF-2", "BS-SHF-7", "BS-SHF-8", "BS-V-36", "BS-R-9")
def test_t22_leave_in_turn_3_and_return_in_turn_5():
    early = situation("bs-t-22", {"azure": "Lance:\n  hold\n  shift out return turn 4 sector 2C facing S"})
    refused = early.sheets["azure"].problems[0]
    left = situation("bs-t-22")

    assert (refused.rule, refused.hint) == ("BS-V-36", "earliest turn 5")
    assert statuses(left.state, "Gust") == ["hyperspace", "hyperspace"]
    absent = left.game.resolve(left.state, {}, LoadedDice(6, 1))
    assert (absent.state.turn, spots(absent.state, "Gust")[0]) == (5, (1800, 3000))
    assert (named(absent.state, "Gust").facing, named(absent.state, "Gust").suppression) == (180, 0)


@pytest.mark.rule("BS-T-23", "BS-ATK-3", "BS-ATK-4", "BS-ATK-5", "BS-R-17", "BS-R-18", "BS-R-41")
def test_t23_one_clear_line_is_enough_but_the_screen_is_cover():
    tried = situation("bs-t-23")
    table = measured(tried.before)
    lion, lone = table.squadron("azure", "Lion"), table.squadron("crimson", "Lone")
    assert lion is not None
    assert lone is not None
    lion.ships[1].change(status="destroyed")

    assert events(tried, "fire")[0]["numbers"] == [3]
    assert not is_eligible(table, lion, pose_of(lion), "heavy", lone)


@pytest.mark.rule("BS-T-24", "BS-SQN-2", "BS-V-18", "BS-R-21")
def test_t24_links_of_two_inches_or_all_within_six():
    tried = situation("bs-t-24")

    assert rules_of(tried) == ["BS-V-18"]
    assert "7.00" in tried.sheets["azure"].problems[0].reason
    assert named(tried.state, "Five").formation.kind == "custom"


@pytest.mark.rule("BS-T-25", "BS-DIS-1", "BS-DIS-3", "BS-DST-4", "BS-R-5", "BS-R-22")
def test_t25_a_six_destroys_and_a_lower_failure_disables():
    tried = situation("bs-t-25")
    sabre = named(tried.state, "Sabre")

    assert statuses(tried.state, "Sabre") == ["disabled", "destroyed", "active"]
    assert (sabre.damage, sabre.total, sabre.suppression) == (6, 9, 1)


@pytest.mark.rule("BS-T-26", "BS-ATK-8", "BS-ATK-11", "BS-SUP-1", "BS-R-11")
def test_t26_a_volley_is_one_attack():
    tried = situation("bs-t-26")
    fire = events(tried, "fire")

    assert [(f["attackers"], f["numbers"], f["hits"]) for f in fire] == [(["A", "B"], [4, 3], 5)]
    assert (named(tried.state, "Prey").damage, named(tried.state, "Prey").suppression) == (5, 1)


@pytest.mark.rule("BS-T-27", "BS-ATK-11", "BS-SUP-2", "BS-SHD-2")
def test_t27_staggered_fire_meets_the_shields_twice():
    tried = situation("bs-t-27")

    assert [f["attackers"] for f in events(tried, "fire")] == [["A"], ["B"]]
    assert (named(tried.state, "Prey").damage, named(tried.state, "Prey").suppression) == (3, 1)


@pytest.mark.rule("BS-T-28", "BS-MOV-8", "BS-TF-4", "BS-V-20")
def test_t28_a_squadron_that_cannot_follow_takes_the_edge_of_its_arc():
    tried = situation("bs-t-28")

    assert spots(tried.state, "Iron")[0] == (3600, 2961)
    assert spots(tried.state, "Heron")[0] == (3300 + 771, 4000 - 919)
    assert (named(tried.state, "Iron").facing, named(tried.state, "Heron").facing) == (30, 40)
    assert rules_of(tried) == ["BS-V-20"]


@pytest.mark.rule("BS-T-29", "BS-WPN-2", "BS-WPN-6", "BS-MOV-6")
def test_t29_light_fire_at_the_first_tick_in_range():
    tried = situation("bs-t-29")
    fire = events(tried, "fire")[0]

    assert fire["from"][0] == [2000, 3700]
    assert named(tried.state, "Rook").damage == 1
    assert spots(tried.state, "Gull") == [(2000, 3000), (2100, 3000)]


@pytest.mark.rule("BS-T-30", "BS-FTR-12", "BS-FTR-13", "BS-GEO-7", "BS-R-8")
def test_t30_a_flight_meets_a_strike_at_its_closest_approach():
    tried = situation("bs-t-30")
    owl = tried.state.flights[0]

    assert (owl.x, owl.y) == (2200, 1600)
    assert events(tried, "strike")[0]["arriving"] == 3


@pytest.mark.rule("BS-T-31", "BS-TF-4", "BS-V-16")
def test_t31_the_flagship_must_stay_in_the_arc():
    tried = situation("bs-t-31")
    found = tried.sheets["azure"].problems[0]

    assert found.rule == "BS-V-16"
    assert "half arc 90" in found.reason
    assert found.hint == "nearest legal facing 090"


@pytest.mark.rule("BS-T-32", "BS-DST-4", "BS-TF-6")
def test_t32_the_flagship_goes_last_and_takes_its_taskforce_along():
    tried = situation("bs-t-32")

    assert [f["ship"] for f in events(tried, "destroyed")] == ["Iron.2", "Iron.1"]
    assert tried.state.taskforces == ()
    assert named(tried.state, "Heron").taskforce == ""


@pytest.mark.rule("BS-T-33", "BS-V-10", "BS-MOV-13")
def test_t33_one_bad_line_never_costs_another():
    tried = situation("bs-t-33")
    found = tried.sheets["azure"].problems[0]

    assert (found.rule, found.fix) == ("BS-V-10", "move 000 12.00")
    assert spots(tried.state, "Lion") == [(2000, 4000)]
    assert len(events(tried, "fire")) == 1


@pytest.mark.rule("BS-T-34", "BS-MOV-13", "BS-MOV-10", "BS-R-51")
@pytest.mark.parametrize(("key", "facing"), [("bs-t-34a", 90), ("bs-t-34b", 270)])
def test_t34_a_silent_battleship_turns_its_bows(key, facing):
    tried = situation(key)

    assert named(tried.state, "Iron").facing == facing
    assert spots(tried.state, "Iron") == [(2000, 2000)]


@pytest.mark.rule("BS-T-35", "BS-MOV-10")
@pytest.mark.parametrize(("key", "y"), [("bs-t-35a", 3100), ("bs-t-35b", 4000)])
def test_t35_closing_stops_at_the_ordered_distance(key, y):
    assert spots(situation(key).state, "Lion") == [(1000, y)]


@pytest.mark.rule("BS-T-36", "BS-FTR-11", "BS-TURN-1", "BS-R-49")
def test_t36_a_flight_that_lost_its_carrier_does_not_act_again():
    tried = situation("bs-t-36")
    later = tried.game.resolve(tried.state, {}, LoadedDice(6, 1))

    assert order_of(tried) == ["Wing", "Guns", "Reserve"]
    assert "Hawk" in order_of(later)


@pytest.mark.rule("BS-TURN-4", "BS-ATK-11", "BS-DST-4", "BS-DEA-2")
def test_first_contact_turn_1_as_played_in_6_8():
    tried = situation("bs-6-8")

    assert tried.state.vp == {"azure": 20, "crimson": 0}
    assert order_of(tried) == ["Guard", "Watch", "Scout", "Prowl"]
    assert statuses(tried.state, "Asp") == ["active", "active", "destroyed"]
    assert [spots(tried.state, name)[0] for name in ("Lion", "Sabre", "Wolf", "Dart", "Gull", "Asp")] == [
        (1600, 3600), (1900, 3600), (3200, 1200), (3200, 3000), (3500, 3000), (2010, 1728),
    ]  # fmt: skip
    assert (named(tried.state, "Dart").damage, named(tried.state, "Dart").suppression) == (2, 0)
    assert (named(tried.state, "Asp").damage, named(tried.state, "Asp").suppression) == (5, 1)


@pytest.mark.rule("BS-DST-2")
def test_cumulative_counts_multiples_crossed_by_all_damage():
    assert destruction_tests(3, 2, 20, 4, "cumulative") == 1
    assert destruction_tests(3, 2, 20, 4) == 0
    assert destruction_tests(20, 2, 20, 4, "cumulative") == 2

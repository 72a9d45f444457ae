"""Section 11 of the rule book: every worked example, from its situation file, die by die."""

from __future__ import annotations

import pytest

from games.broadsides.rules.craft import thrust_of
from games.broadsides.rules.sequence import initiative_modifier
from games.broadsides.rules.tohit import own_ew, signature
from games.broadsides.state import Turning
from pbem.kit.hexgrid import Hex
from tests.games.broadsides.builders import battle_of, events, example, first, flight, ship, unit


@pytest.mark.rule("BR-TV-01", "BR-PWR-1", "BR-PWR-3")
@pytest.mark.rule("BR-RUL-3")
def test_tv_01_diverted_power_fills_a_heavy_laser_in_one_turn():
    """6 + 6+6+3+3 = 24: full, it may fire this turn; the givers stand at 0."""
    done = example("br-tv-01")

    charges = {mount: ship(done, "Resolute").weapon[mount].charge for mount in ("HL1", "HL2", "HL3", "MP1", "MP2")}
    assert charges == {"HL1": 24, "HL2": 0, "HL3": 0, "MP1": 0, "MP2": 0}


@pytest.mark.rule("BR-TV-02", "BR-PWR-4", "BR-VAL-15")
@pytest.mark.rule("BR-RUL-3")
def test_tv_02_double_power_is_the_most():
    """The first line is accepted, the other three refused; their weapons charge normally."""
    done = example("br-tv-02")

    charges = {mount: ship(done, "Resolute").weapon[mount].charge for mount in ("HL1", "HL2", "HL3", "MP1", "MP2")}
    assert charges == {"HL1": 12, "HL2": 0, "HL3": 12, "MP1": 6, "MP2": 6}
    assert [problem.rule for problem in done.sheets["EA"].problems] == ["BR-VAL-15"] * 3


@pytest.mark.rule("BR-TV-03", "BR-WPN-2", "BR-HIT-7")
@pytest.mark.rule("BR-RUL-17")
def test_tv_03_light_pulses_burn_armour_away():
    done = example("br-tv-03")

    assert (first(done, "fire")["need"], first(done, "fire")["pulses"]) == (11, 5)
    assert [hit["damage"] for hit in events(done, "hit")] == [0, 0, 1, 2, 2]
    assert first(done, "destroyed_system")["item"] == "MP1"


@pytest.mark.rule("BR-TV-04", "BR-INT-2", "BR-INT-4", "BR-INT-5")
def test_tv_04_three_interceptors_stop_three_of_four_pulses():
    done = example("br-tv-04")

    assert first(done, "fire")["need"] == 14
    assert [one["stopped"] for one in events(done, "intercept")] == [2, 1, 0]
    assert ship(done, "Lance").structure["aft"] == 26
    assert [ship(done, "Lance").weapon[mount].charge for mount in ("INT3", "SPB1", "SPB2")] == [0, 0, 0]


@pytest.mark.rule("BR-TV-05", "BR-INT-6")
def test_tv_05_a_guardian_array_within_a_third_of_the_distance_helps():
    near, far = example("br-tv-05"), example("br-tv-05b")

    assert first(near, "fire")["need"] == 20
    assert [one["stopped"] for one in events(near, "intercept")] == [1, 0]
    assert events(near, "hit") == []
    assert events(far, "intercept") == []
    assert first(far, "hit")["damage"] == 27 - 5


@pytest.mark.rule("BR-TV-06", "BR-DMG-5", "BR-DMG-6", "BR-LOC-7")
@pytest.mark.rule("BR-RUL-43")
def test_tv_06_a_near_miss_sweeps_and_rakes():
    done = example("br-tv-06")

    assert (first(done, "fire")["need"], first(done, "fire")["swept"]) == (15, 2)
    assert first(done, "destroyed_system")["item"] == "HL1"
    assert ship(done, "Karn-Tal").structure["fore"] == 28


@pytest.mark.rule("BR-TV-07", "BR-DMG-10", "BR-DMG-11")
@pytest.mark.rule("BR-RUL-39")
def test_tv_07_piercing_goes_through_the_ship():
    done = example("br-tv-07")

    target = ship(done, "Karn-Tal")
    assert first(done, "fire")["need"] == 10
    assert dict(target.blocks_lost) == {"LPC1": 4, "engine": 10}
    assert (target.structure["fore"], target.structure["aft"]) == (34, 35)
    assert thrust_of(done.state.cards, target) == 2


@pytest.mark.rule("BR-TV-08", "BR-MOV-6", "BR-MOV-7")
@pytest.mark.rule("BR-RUL-5")
def test_tv_08_a_turn_after_exactly_its_delay():
    done = example("br-tv-08")

    lance = ship(done, "Lance")
    assert (lance.position, lance.heading, lance.facing) == (Hex(-3, -3), 5, 5)
    assert done.sheets["EA"].problems == ()


@pytest.mark.rule("BR-TV-09", "BR-VAL-5")
def test_tv_09_acceleration_adds_to_the_delay():
    early, legal = example("br-tv-09"), example("br-tv-09b")

    (problem,) = early.sheets["EA"].problems
    assert problem.rule == "BR-VAL-5"
    assert "needs 5 hexes (3 base + 2 acceleration), 4 are served; the first legal hex is 5" in problem.reason
    assert problem.hint == "path F5 P F1"
    assert (ship(early, "Lance").position, ship(early, "Lance").heading) == (Hex(0, -6), 0)
    assert (ship(legal, "Lance").position, ship(legal, "Lance").heading) == (Hex(-1, -5), 5)


@pytest.mark.rule("BR-TV-10", "BR-MOV-8", "BR-MOV-10", "BR-VAL-6", "BR-VAL-7")
def test_tv_10_a_turn_carried_over_and_delayed():
    declared, late, brisk = example("br-tv-10"), example("br-tv-10c"), example("br-tv-10d")

    resolute = ship(declared, "Resolute")
    assert (resolute.position, resolute.facing, resolute.turning) == (Hex(0, -6), 2, Turning("starboard", 3))
    for name in ("br-tv-10b", "br-tv-10c"):
        turned = ship(example(name), "Resolute")
        assert (turned.position, turned.heading, turned.facing, turned.turning) == (Hex(2, -12), 1, 1, None)
    assert [problem.rule for problem in late.sheets["EA"].problems] == ["BR-VAL-6"]
    assert [problem.rule for problem in brisk.sheets["EA"].problems] == ["BR-VAL-7"]
    assert ship(brisk, "Resolute").speed == 6


@pytest.mark.rule("BR-TV-11", "BR-MOV-12", "BR-VAL-3")
@pytest.mark.rule("BR-RUL-7")
def test_tv_11_braking_takes_half_the_thrust_and_ends_stern_first():
    done, hard = example("br-tv-11"), example("br-tv-11b")

    assert (ship(done, "Lance").speed, ship(done, "Lance").facing) == (4, 3)
    assert [problem.rule for problem in hard.sheets["EA"].problems] == ["BR-VAL-3"]
    assert ship(hard, "Lance").speed == 4


@pytest.mark.rule("BR-TV-12", "BR-SEQ-5", "BR-SEQ-6")
def test_tv_12_more_than_two_to_one_fires_two_ships():
    done = example("br-tv-12")

    order = list(dict.fromkeys(fire["firer"] for fire in events(done, "fire")))
    assert order == ["Resolute", "Picket-1", "Karn-Tal", "Lance-1", "Picket-2", "Dro-Vash", "Picket-3"]


@pytest.mark.rule("BR-TV-13", "BR-DMG-12")
def test_tv_13_plasma_halves_armour_and_fades_with_range():
    done = example("br-tv-13")

    assert (first(done, "fire")["need"], first(done, "hit")["damage"]) == (11, 28)
    assert ship(done, "Lance").structure["fore"] == 10


@pytest.mark.rule("BR-TV-14", "BR-DMG-14")
@pytest.mark.rule("BR-RUL-14")
def test_tv_14_anti_matter_by_accuracy():
    done = example("br-tv-14")

    assert (first(done, "fire")["need"], first(done, "hit")["damage"]) == (19, 20)
    assert ship(done, "Lance").structure["fore"] == 18


@pytest.mark.rule("BR-TV-15", "BR-GRV-1", "BR-GRV-2", "BR-JAM-1")
def test_tv_15_a_gravitic_beam_on_a_gravitic_ship():
    done = example("br-tv-15")

    assert first(done, "fire")["need"] == 16
    structure = {"fore": 31, "aft": 38, "port": 42, "starboard": 42, "primary": 50}
    assert dict(ship(done, "Velanar").structure) == structure


@pytest.mark.rule("BR-TV-16", "BR-GRV-6")
def test_tv_16_a_gravitic_cannon_through_the_primary():
    done = example("br-tv-16")

    assert first(done, "fire")["need"] == 17
    assert (ship(done, "Resolute").structure["starboard"], ship(done, "Resolute").structure["primary"]) == (39, 43)


@pytest.mark.rule("BR-TV-17", "BR-FTR-5", "BR-FTR-8", "BR-FTR-10", "BR-FTR-11")
@pytest.mark.rule("BR-RUL-31")
def test_tv_17_a_d_flight_closes_and_fights():
    done = example("br-tv-17")

    red, claw = flight(done, "Red"), flight(done, "Claw")
    extra = [move for move in events(done, "fighter_move") if move["order"] == "D" and move["unit"] == "Red"]
    assert (extra[0]["available"], extra[0]["from"], extra[0]["to"]) == (1, [-5, -4], [-6, -4])
    assert [fire["need"] for fire in events(done, "fighter_fire")] == [7, 7, 6, 6]
    assert [one.structure for one in claw.fighters] == [0, 8]
    assert [(one.structure, one.dropped_out) for one in red.fighters] == [(1, True), (9, False)]


@pytest.mark.rule("BR-TV-18", "BR-FTR-3", "BR-FTR-9", "BR-CRT-1")
def test_tv_18_an_attack_run_on_a_weapon():
    done = example("br-tv-18")

    target = ship(done, "Karn-Tal")
    assert first(done, "fighter_fire")["need"] == 15
    assert (target.blocks_lost["LPC1"], target.weapon["LPC1"].dropped_out) == (3, True)


@pytest.mark.rule("BR-TV-19", "BR-WPN-3")
def test_tv_19_light_pulses_split_over_two_fighters():
    done = example("br-tv-19")

    assert (first(done, "fire")["need"], first(done, "fire")["pulses"]) == (12, 4)
    assert [hit["location"] for hit in events(done, "hit")] == ["fighter 1", "fighter 1", "fighter 2"]
    fighters = flight(done, "Red").fighters
    assert [(one.structure, one.dropped_out) for one in fighters[:3]] == [(0, False), (4, True), (9, False)]


@pytest.mark.rule("BR-TV-20", "BR-CRT-7")
def test_tv_20_c_and_c_failure_lets_the_ship_drift():
    failed, held = example("br-tv-20"), example("br-tv-20b")

    battle = battle_of(unit("EA", "Lance", "Lance", blocks_lost={"cnc": 4}))
    assert initiative_modifier(battle, battle.ships["Lance"]) == 1 - 2
    assert own_ew(battle, battle.ships["Lance"]) == 5
    assert (ship(failed, "Lance").position, ship(failed, "Lance").heading) == (Hex(0, -6), 0)
    assert (ship(held, "Lance").position, ship(held, "Lance").heading) == (Hex(-3, -3), 5)
    assert ship(failed, "Lance").cnc_rows_lost_this_turn == 0


@pytest.mark.rule("BR-TV-21", "BR-JAM-1", "BR-JAM-2", "BR-JAM-3", "BR-JAM-4", "BR-LOC-11")
@pytest.mark.rule("BR-RUL-13")
@pytest.mark.rule("BR-RUL-19")
@pytest.mark.rule("BR-RUL-20")
@pytest.mark.rule("BR-RUL-23", "BR-RUL-25")
@pytest.mark.rule("BR-RUL-46")
@pytest.mark.rule("BR-RUL-48")
@pytest.mark.parametrize(
    ("name", "ew"),
    [
        ("br-tv-21", 3),
        ("br-tv-21b", 4),
        ("br-tv-21c", 6),
        ("br-tv-21d", 0),
        ("br-tv-21e", 2),
        ("br-tv-21f", 4),
        ("br-tv-21g", 0),
        ("br-tv-21h", 0),
        ("br-tv-21i", 3),
    ],
)
def test_tv_21_jammers(name: str, ew: int) -> None:
    """A Resolute (EW 6) at a Velanar: half, table and gravitic; sides lost, years and upgrades."""
    assert first(example(name), "fire")["ew"] == ew


@pytest.mark.rule("BR-TV-22", "BR-AST-1", "BR-AST-2", "BR-AST-3")
def test_tv_22_rocks_and_a_clearing_shot():
    done = example("br-tv-22")

    assert [(one["die"], one["need"]) for one in events(done, "asteroid")] == [(7, 7), (8, 7), (3, 7)]
    assert (first(done, "clear")["need"], first(done, "clear")["hit"]) == (7, True)
    assert ship(done, "Lance").structure["fore"] == 33
    assert ship(done, "Lance").weapon["SPB1"].charge == 0


@pytest.mark.rule("BR-TV-23", "BR-ATM-2", "BR-ATM-3", "BR-ATM-4", "BR-ATM-5")
def test_tv_23_heat_drag_and_turns_in_air():
    done, turned = example("br-tv-23"), example("br-tv-23b")

    dover = ship(done, "Dover")
    assert dover.structure["fore"] == 23
    assert dict(dover.blocks_lost) == {"thruster-fore": 3, "MP1": 3, "LPC1": 3, "LPC2": 3}
    assert thrust_of(done.state.cards, dover) == 8
    assert [mount for mount, state in dover.weapon.items() if state.dropped_out] == ["LPC2"]
    assert dover.speed == 3
    assert turned.sheets["EA"].problems == ()
    assert ship(turned, "Dover").heading == 5


@pytest.mark.rule("BR-TV-24", "BR-POD-3")
def test_tv_24_squads_blow_things_up_or_die():
    done = example("br-tv-24")

    assert ship(done, "Karn-Tal").blocks_lost["MPL1"] == 6
    assert ship(done, "Karn-Tal").structure["port"] == 40
    assert first(example("br-tv-24b"), "board")["result"] == "killed"
    assert first(example("br-tv-24c"), "board")["result"] == "pinned"


@pytest.mark.rule("BR-TV-25", "BR-HYP-1", "BR-HYP-2")
def test_tv_25_jump_ins_scatter_as_a_formation():
    done = example("br-tv-25")

    assert ship(done, "Resolute").position == Hex(7, -17)
    assert ship(done, "Vigil").position == Hex(9, -17)
    assert ship(done, "Velanar").position == Hex(0, 40)


@pytest.mark.rule("BR-TV-26", "BR-LOC-9", "BR-LOC-11")
def test_tv_26_a_hit_on_a_destroyed_side_strikes_the_primary():
    done = example("br-tv-26")

    target = ship(done, "Karn-Tal")
    assert (first(done, "hit")["damage"], first(done, "hit")["armour"], target.structure["primary"]) == (4, 8, 46)
    battle = battle_of(unit("Narn", "Karn-Tal", "Karn-Tal", structure={"fore": 0}))
    broken = battle.ships["Karn-Tal"]
    assert signature(battle, broken, Hex(0, -4)) == 14
    assert initiative_modifier(battle, broken) == 0 + 2 - 6
    assert broken.lost_sides(battle.sheet(broken)) == 1


@pytest.mark.rule("BR-TV-27", "BR-SET-1", "BR-SET-4", "BR-SET-5")
def test_tv_27_year_and_start_speed():
    done = example("br-tv-27")

    assert (done.state.year, done.state.start_speed, ship(done, "Ajax").speed) == (2247, 7, 7)


@pytest.mark.rule("BR-TV-28", "BR-INI-1", "BR-INI-2")
def test_tv_28_ties_in_initiative_go_by_class():
    done = example("br-tv-28")

    assert [(one["unit"], one["total"]) for one in events(done, "initiative")] == [
        ("Lance", 13),
        ("Resolute", 3),
        ("Tir-Zak", 13),
    ]
    assert [move["unit"] for move in events(done, "move")] == ["Resolute", "Lance", "Tir-Zak"]


@pytest.mark.rule("BR-TV-29", "BR-SEQ-4", "BR-SEQ-8", "BR-SEQ-9", "BR-BAL-1", "BR-BAL-6", "BR-WPN-1", "BR-WPN-4")
@pytest.mark.rule("BR-WPN-5", "BR-DMG-5", "BR-DMG-6")
def test_tv_29_the_first_turn_of_the_tutorial():
    done = example("br-tv-29")

    karak, ajax = ship(done, "Karak"), ship(done, "Ajax")
    assert [move["unit"] for move in events(done, "move")] == ["Tuk", "Dover", "Ajax", "Karak"]
    assert {name: one.position for name, one in done.state.ships.items()} == {
        "Ajax": Hex(0, 8),
        "Dover": Hex(3, 7),
        "Karak": Hex(0, -9),
        "Tuk": Hex(-3, -5),
    }
    assert (ajax.structure["fore"], ajax.structure["aft"]) == (22, 28)
    assert (karak.structure["fore"], karak.structure["aft"]) == (14, 35)
    assert dict(karak.blocks_lost) == {"MPL1": 6, "thruster-fore": 6, "TO1": 5}
    assert thrust_of(done.state.cards, karak) == 8
    assert events(done, "dropout") == []


@pytest.mark.rule("BR-TV-30", "BR-POD-2", "BR-POD-4", "BR-POD-5", "BR-DMG-16")
def test_tv_30_point_defence_against_a_pod():
    done, dropped, docked = example("br-tv-30"), example("br-tv-30b"), example("br-tv-30c")

    assert first(done, "pod_move")["alongside"]
    assert [(fire["mount"], fire["need"]) for fire in events(done, "fire")] == [
        ("INT1", 11),
        ("INT2", 11),
        ("INT3", 11),
    ]
    assert flight(done, "Karn-Tal-P1").status == "destroyed"
    assert events(dropped, "dock") == []
    assert first(docked, "dock")["section"] == "port"
    assert ship(docked, "Resolute").boarding_squads[0].owner == "Narn"

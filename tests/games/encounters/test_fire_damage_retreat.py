"""Chapters 4.8 and 4.9: fire, damage, retreat, pursuit and the end of a battle."""

from __future__ import annotations

import pytest

from tests.games.encounters.builders import (
    alive,
    damage,
    events,
    find,
    force,
    play,
    points,
    ratings,
    readiness,
    situation,
    squadrons,
    told,
    unit,
)

OX = force("KOR", "Altair", "Mule Ox")
FIGHT = "Battle Altair:\n fight all\n rounds 1\n direct all none\n"
STILL = "Battle Altair:\n rounds 1\n retreat none\n direct all none\n"
ONCE = "max_rounds = 1"


@pytest.mark.rule("EN-FIR-4")
def test_no_die_is_drawn_without_fire_or_without_a_target() -> None:
    """Two unarmed Mules face each other: no dice at all."""
    tried = play(situation(force("AUR", "Altair", "Mule Atlas"), OX), AUR=FIGHT, KOR=STILL)

    assert tried.rolls == ()
    assert points(tried) == []


@pytest.mark.rule("EN-FIR-3")
def test_carriers_count_at_the_moment_of_the_roll() -> None:
    """Korvan's Roost is crippled by ship fire first, so its flights roll without its 3 CC."""
    here = situation(
        force("AUR", "Altair", "Rapier Sabre", "Roost Perch: Kestrel K1"),
        force("KOR", "Altair", "Roost Nid: Kestrel Kite"),
        switches=ONCE,
    )
    tried = play(here, 7, 1, 1, 5, 5, AUR=FIGHT, KOR=STILL)

    assert ("Nid", "nondirected", 3, "crippled") in damage(tried)
    assert [
        one["modifiers"]["Carrier"] for one in told(tried, "fire_roll") if one["step"] == "dogfight" and one["die"]
    ] == [3, 0]


@pytest.mark.rule("EN-FIR-9")
def test_both_sides_fire_at_once() -> None:
    """Each Lance cripples the other in the same step."""
    here = situation(force("AUR", "Altair", "Glaive Ajax"), force("KOR", "Altair", "Glaive Dagh"), switches=ONCE)
    tried = play(here, 9, 9, AUR=FIGHT + " retreat none", KOR=STILL)

    assert damage(tried) == [("Dagh", "nondirected", 3, "crippled"), ("Ajax", "nondirected", 3, "crippled")]


@pytest.mark.rule("EN-DMG-1", "EN-UNT-7")
def test_points_equal_to_dv_cripple_and_as_much_again_destroys() -> None:
    """AS harms ships: 4 points on a Mule of DV 2."""
    here = situation(force("AUR", "Altair", "Glaive Ajax"), OX)
    tried = play(here, 9, AUR=FIGHT, KOR=STILL)

    assert damage(tried) == [("Ox", "nondirected", 2, "crippled"), ("Ox", "nondirected", 2, "destroyed")]
    assert tried.state.powers["KOR"].lost == 3


@pytest.mark.rule("EN-DMG-3", "EN-RUL-8", "EN-RUL-9")
def test_nondirected_points_are_the_targets_owners_to_assign() -> None:
    """Cripple-first by cost: the cheap Picket takes it, not the Citadel beside it."""
    here = situation(
        force("AUR", "Altair", "Lance Ajax"), force("KOR", "Altair", "Citadel Rok", "Picket Mite"), switches=ONCE
    )
    tried = play(here, 9, 1, AUR=FIGHT + " retreat none", KOR=STILL)

    assert damage(tried)[0] == ("Mite", "nondirected", 2, "crippled")


@pytest.mark.rule("EN-DMG-4")
def test_a_list_for_one_kind_beats_all_and_a_doctrine_serves_where_orders_are_silent() -> None:
    here = situation(
        force("AUR", "Altair", "Bulwark Hood"),
        force("KOR", "Altair", "Mule Ox", "Picket Mite"),
        AUR='doctrine = { "direct all" = "at smallest" }',
        switches=ONCE,
    )
    silent = play(here, 5, 1, AUR="Battle Altair:\n fight all", KOR=STILL + " squadron A = Ox\n squadron B = Mite")
    ordered = play(
        here,
        5,
        1,
        AUR="Battle Altair:\n fight all\n direct all at smallest\n direct ships at transports",
        KOR=STILL + " squadron A = Ox\n squadron B = Mite",
    )

    assert damage(silent)[0][:2] == ("Mite", "directed")
    assert damage(ordered)[0][:2] == ("Ox", "directed")


@pytest.mark.rule("EN-DMG-5")
def test_a_selector_is_walked_and_x_n_takes_only_the_first() -> None:
    here = situation(
        force("AUR", "Altair", "Rapier Sabre"),
        force("KOR", "Altair", "Picket A", "Picket B", "Picket C"),
        switches=ONCE,
    )
    tried = play(here, 9, 1, AUR="Battle Altair:\n fight all\n direct ships at kill CT x 1", KOR=STILL)

    assert damage(tried)[:2] == [("A", "directed", 2, "crippled"), ("A", "directed", 2, "destroyed")]
    assert damage(tried)[2] == ("B", "nondirected", 2, "crippled")


@pytest.mark.rule("EN-DMG-8")
def test_a_destroyed_carrier_takes_troops_and_held_flights_along_while_launched_ones_fight_on() -> None:
    """Nid dies with the held Kite 2; Kite 1 was launched and finds no deck afterwards (EN-END-5)."""
    here = situation(
        force("AUR", "Altair", "Rapier Sabre"),
        force("KOR", "Altair", "Roost Nid: Kestrel Kite 1, Kestrel Kite 2, Line Guard"),
        switches=ONCE,
    )
    tried = play(here, 9, 1, 1, AUR=FIGHT, KOR=STILL + " hold Kite 2")

    assert told(tried, "loss", "KOR")[0]["cargo"] == ["Kite 2", "Guard"]
    assert told(tried, "loss", "AUR")[0] | {"cargo": [], "lost": 2} == told(tried, "loss", "AUR")[0]
    assert [one["flight"] for one in told(tried, "flight_lost")] == ["Kite 1"]
    assert not tried.state.units.keys() - {find(tried.state, "Sabre").id}


# --- retreat ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-RET-1")
@pytest.mark.parametrize(("doctrine", "who"), [("none", []), ("crippled", ["Dagh"]), ("all", ["Dagh", "Vorn"])])
def test_the_doctrine_names_who_rolls(doctrine: str, who: list[str]) -> None:
    here = situation(
        force("AUR", "Altair", "Mule Atlas"),
        unit("KOR", "Altair", "Lance", "Dagh", state="crippled"),
        force("KOR", "Altair", "Lance Vorn"),
        readiness("Altair", AUR_KOR="modifier = 0, budget = 8"),
        switches=ONCE,
    )
    tried = play(
        here,
        1,
        *[2] * len(who),
        AUR="Battle Altair:\n fight all\n include crippled\n retreat none",
        KOR=f"Battle Altair:\n retreat {doctrine}",
    )

    assert sorted(one["unit"] for one in told(tried, "retreat") if one["total"]) == who


@pytest.mark.rule("EN-RET-1")
def test_losses_count_destroyed_ships_and_half_of_the_crippled() -> None:
    """Two of four CC crippled are 25% of the force: at ``losses 25`` all roll, at ``losses 26`` the crippled one."""
    here = situation(
        force("AUR", "Altair", "Glaive Ajax"), force("KOR", "Altair", "Lance Dagh", "Lance Vorn"), switches=ONCE
    )
    order = "Battle Altair:\n rounds 1\n direct all none\n retreat losses {}"

    at = play(here, 7, 1, 2, 2, AUR=FIGHT, KOR=order.format(25))
    below = play(here, 7, 1, 2, AUR=FIGHT, KOR=order.format("26 %"))

    assert [one["unit"] for one in told(at, "retreat") if one["total"]] == ["Dagh", "Vorn"]
    assert [one["unit"] for one in told(below, "retreat") if one["total"]] == ["Dagh"]


@pytest.mark.rule("EN-RET-2")
@pytest.mark.parametrize(("face", "modifier", "away"), [(10, -3, True), (1, 3, False), (5, 0, True), (4, 0, False)])
def test_seven_or_more_succeeds_a_ten_always_a_one_never(face: int, modifier: int, *, away: bool) -> None:
    here = situation(
        force("AUR", "Altair", "Mule Atlas"), OX, readiness("Altair", AUR_KOR=f"modifier = {modifier}"), switches=ONCE
    )
    tried = play(here, face, AUR="Battle Altair:\n fight all\nAtlas: disengage", KOR=STILL)

    assert told(tried, "retreat")[0]["result"] is away


@pytest.mark.rule("EN-RET-4")
def test_a_ship_leaves_with_its_flights_and_cargo_and_bases_never_roll() -> None:
    here = situation(
        force("AUR", "Vega", "Roost Perch: Kestrel K1, Line 1st", "Bastion Rock"),
        force("KOR", "Vega", "Mule Ox"),
        switches=ONCE,
    )
    tried = play(
        here,
        1,
        9,
        AUR="Battle Vega:\n fight all\n retreat all\n retreat to Altair\n station Rock",
        KOR="Battle Vega:\n retreat none",
    )

    assert {name: find(tried.state, name).location for name in ("Perch", "K1", "1st", "Rock")} == {
        "Perch": "Altair",
        "K1": "Altair",
        "1st": "Altair",
        "Rock": "Vega",
    }


@pytest.mark.rule("EN-RET-5")
def test_a_flight_on_disengage_is_back_aboard_and_takes_no_more_part() -> None:
    here = situation(force("AUR", "Altair", "Roost Perch: Hammer H1"), OX, switches="max_rounds = 2")
    tried = play(here, 1, 1, 5, 1, AUR="Battle Altair:\n fight all\nH1: mission disengage", KOR=STILL)

    assert told(tried, "retreat", "AUR")[0]["unit"] == "H1"
    assert find(tried.state, "H1").carrier == find(tried.state, "Perch").id
    assert [one["step"] for one in told(tried, "points")] == ["ships", "strike", "ships"]


@pytest.mark.rule("EN-RET-6")
def test_a_retreat_goes_to_the_best_safe_neighbour_or_scatters() -> None:
    """Vega is own; with a Korvan ship there, nothing else but Rigel, which has a Korvan ship too: scattered."""
    open_way = situation(force("AUR", "Altair", "Mule Atlas"), OX, switches=ONCE)
    blocked = situation(
        force("AUR", "Altair", "Mule Atlas"),
        OX,
        force("KOR", "Vega", "Lance V"),
        force("KOR", "Rigel", "Lance R"),
        switches=ONCE,
    )
    orders = {"AUR": "Battle Altair:\n fight all\n retreat all", "KOR": STILL}

    away = play(open_way, 9, **orders)
    assert find(away.state, "Atlas").location == "Vega"
    stuck = play(blocked, 9, **orders)
    assert find(stuck.state, "Atlas").location == "Altair"
    assert told(stuck, "retreat", "AUR")[-1]["destination"] == "nowhere"


@pytest.mark.rule("EN-RET-7")
def test_a_fleet_that_fled_whole_keeps_its_name_and_takes_no_more_part_this_turn() -> None:
    """The transports got away to neutral Altair, but troops that retreated open no ground phase there."""
    here = situation(
        force("AUR", "Rigel", "Mule Atlas: Line 1st", fleet="Train"), force("KOR", "Rigel", "Mule Ox"), switches=ONCE
    )
    tried = play(
        here, 9, AUR="Battle Rigel:\n fight all\n retreat all\n retreat to Altair", KOR="Battle Rigel:\n retreat none"
    )

    assert [(fleet.name, fleet.location) for fleet in tried.state.fleets if fleet.owner == "AUR"] == [
        ("Train", "Altair")
    ]
    assert tried.state.phase == "strategic"
    assert tried.state.systems["Altair"].owner is None


@pytest.mark.rule("EN-PUR-1")
def test_without_the_switch_nobody_pursues() -> None:
    here = situation(force("AUR", "Altair", "Bulwark Hood"), OX, switches=f"{ONCE}\npursuit = false")
    tried = play(here, 1, 9, AUR=FIGHT + " pursue yes", KOR="Battle Altair:\n retreat all")

    assert told(tried, "pursuit") == []


# --- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-END-1", "EN-RUL-17")
def test_the_highest_wish_for_rounds_counts_and_a_decliner_wishes_one() -> None:
    here = situation(force("AUR", "Altair", "Mule Atlas"), OX)

    assert told(play(here, AUR="Battle Altair:\n fight all", KOR=STILL), "battle_end")[0]["rounds"] == 3
    two = play(here, AUR="Battle Altair:\n fight all\n rounds 2", KOR="Battle Altair:\n decline\n retreat none")
    assert told(two, "battle_end")[0]["rounds"] == 2


@pytest.mark.rule("EN-END-2")
def test_the_field_is_disputed_while_both_have_an_intact_unit() -> None:
    tried = play(situation(force("AUR", "Altair", "Mule Atlas"), OX), AUR=FIGHT, KOR=STILL)

    assert told(tried, "battle_end")[0]["field"] == []


@pytest.mark.rule("EN-END-4")
def test_an_excluded_ship_stays_untouched() -> None:
    here = situation(
        force("AUR", "Altair", "Rapier Sabre"),
        force("KOR", "Altair", "Mule Ox", "Mule Yak"),
        readiness("Altair", AUR_KOR="modifier = 0, budget = 4"),
        switches=ONCE,
    )
    tried = play(here, 9, AUR=FIGHT + " exclude biggest x 1", KOR=STILL)

    assert find(tried.state, "Ox").state == "intact"
    assert not alive(tried.state, "Yak")
    assert squadrons(tried, "KOR") == {"2": ["Yak"]}


@pytest.mark.rule("EN-END-5")
def test_a_flight_whose_carrier_died_finds_another_deck_or_friendly_ground() -> None:
    here = situation(
        force("AUR", "Rigel", "Rapier Sabre"),
        force("KOR", "Rigel", "Roost Nid: Kestrel Kite", "Nest Hort"),
        switches=ONCE,
    )
    tried = play(
        here,
        9,
        1,
        1,
        AUR="Battle Rigel:\n fight all\n direct ships at kill CL",
        KOR="Battle Rigel:\n fight all\n retreat none\n squadron A = Nid\n direct all none",
    )

    assert find(tried.state, "Kite").carrier == find(tried.state, "Hort").id
    assert events(tried, "flight_lost") == []


@pytest.mark.rule("EN-SEQ-5")
def test_allies_roll_and_retreat_by_seat_around_their_enemy() -> None:
    """AUR and TAL (+1) against KOR (-1): 6 + 1: 75% of 5; 10 - 1: 100% of 11; 8 + 1: 100% of 4; nobody hurts Khar."""
    scene = situation(
        force("AUR", "Altair", "Bulwark Hood"),
        force("KOR", "Altair", "Citadel Khar", "Rampart Wall"),
        force("TAL", "Altair", "Lance Tor", "Lance Tay"),
        readiness("Altair", AUR_KOR="modifier = 1", KOR_AUR="modifier = -1"),
        seats=("AUR", "KOR", "TAL"),
        AUR='stance = { TAL = "ally" }',
        TAL='stance = { AUR = "ally" }',
    )
    one = "Battle Altair:\n rounds 1\n"
    tried = play(scene, 6, 10, 8, 2, 7, 10, AUR=f"{one} fight all\n", KOR=one, TAL=f"{one} retreat to Vega\n")
    assert [roll.label.removeprefix("space/Altair/1/round 1/") for roll in tried.rolls] == [
        "ships/AUR", "ships/KOR", "ships/TAL", "retreat/1", "retreat/4", "retreat/5",
    ]  # fmt: skip
    assert points(tried) == [("AUR", "ships", 4), ("KOR", "ships", 11), ("TAL", "ships", 4)]
    assert damage(tried) == [
        ("Hood", "directed", 5, "crippled"), ("Tor", "directed", 3, "crippled"), ("Tay", "directed", 3, "crippled"),
    ]  # fmt: skip
    # The whole fleet fled to one place and keeps its name; Hood failed with 2 + 1 - 1.
    assert (find(tried.state, "Tor").location, find(tried.state, "Tor").fleet) == ("Vega", "Altair Squadron")
    assert find(tried.state, "Hood").location == "Altair"


@pytest.mark.rule("EN-DMG-7")
@pytest.mark.rule("EN-END-1")
def test_three_rounds_with_residuals_of_both_sides() -> None:
    """Ajax and Lynx against Khar (DV 8) and Pip: see the comments for each round."""
    scene = situation(
        force("AUR", "Altair", "Lance Ajax", "Lance Lynx"), force("KOR", "Altair", "Citadel Khar", "Picket Pip")
    )
    dice = (
        9, 2,  # 4 points at BB: too dear; left to KOR: Pip, twice. 25% of 8: 2, residual
        7, 5,  # 3 points, residual. 50% of 7: 4 + 2: Ajax and Lynx
        5, 8,  # Ajax 5 - 1 stays, Lynx 8 - 1 leaves
        9,  # AUR has no AS left and draws no die. 7 points: Ajax destroyed, 4 buy nothing more
    )  # fmt: skip
    tried = play(scene, *dice, AUR="Battle Altair:\n direct ships at BB\n", KOR="Battle Altair:\n fight AUR\n")
    assert damage(tried) == [
        ("Pip", "nondirected", 2, "crippled"), ("Pip", "nondirected", 2, "destroyed"),
        ("Ajax", "directed", 3, "crippled"), ("Lynx", "directed", 3, "crippled"),
        ("Ajax", "nondirected", 3, "destroyed"),
    ]  # fmt: skip
    assert (tried.state.powers["AUR"].lost, tried.state.powers["KOR"].lost) == (3, 2)
    assert [one["field"] for one in told(tried, "battle_end")] == [["KOR"]]


@pytest.mark.rule("EN-FIR-10")
def test_with_a_single_fire_roll_a_result_not_yet_rolled_is_rolled_at_the_strike() -> None:
    """No dogfight: the strike rolls 3 + 4: 75% of 2. The flak of KOR stands on its ship roll of 2: 25% of 3."""
    scene = situation(
        force("AUR", "Altair", "Nest Roc: Hammer Maul"),
        force("KOR", "Altair", "Warden Tarn"),
        switches="single_fire_roll = true",
    )
    aur = "Battle Altair:\n fight all\n rounds 1\n"
    tried = play(scene, 4, 2, 3, 10, AUR=aur, KOR="Battle Altair:\n rounds 1\n")
    assert tried.rolls[2].label == "space/Altair/1/round 1/strike/AUR"
    assert damage(tried) == [("Tarn", "directed", 2, "crippled"), ("Maul", "directed", 1, "crippled")]


@pytest.mark.rule("EN-PUR-3")
def test_pursuers_in_disorder_are_cheaper_to_hit_in_the_next_round() -> None:
    """R(25% of 7) = 2 buy nothing of DV 3; then Hood at DR -1 costs Khar R(3.75) = 4 of its R(3.5) = 4 points."""
    scene = situation(
        force("AUR", "Altair", "Bulwark Hood", "Lance Ajax"),
        force("KOR", "Altair", "Lance Dagh", "Lance Vorn", "Citadel Khar"),
        '[[battle]]\nsystem = "Altair"\nstep = "retreat"\n',
    )
    aur = "Battle Altair:\n fight all\n rounds 2\n pursue yes\n"
    kor = "Battle Altair:\n rounds 2\nDagh: disengage\nVorn: round 1 disengage\n"
    tried = play(scene, 5, 5, 5, 5, 1, AUR=aur, KOR=kor)
    assert [one["points"] for one in told(tried, "pursuit")] == [2]
    assert ratings(tried) == {"Hood": -1, "Ajax": -1}
    assert damage(tried) == [("Hood", "directed", 4, "crippled")]


@pytest.mark.rule("EN-RET-1")
@pytest.mark.parametrize(("percent", "dice"), [(28, (10, 2, 1, 1)), (29, (10, 2, 1))])
def test_losses_are_weighed_exactly(percent: int, dice: tuple[int, ...]) -> None:
    """Pip destroyed (1 CC) and Dagh crippled (2 / 2) are 2 of 7 CC: 200 >= 28 x 7 = 196, and 29 x 7 = 203 is not."""
    scene = situation(
        force("AUR", "Altair", "Rapier Rap"), force("KOR", "Altair", "Bulwark Khar", "Lance Dagh", "Picket Pip")
    )
    aur = "Battle Altair:\n fight all\n rounds 1\n direct ships at DD, kill CT\n"
    tried = play(scene, *dice, AUR=aur, KOR=f"Battle Altair:\n rounds 1\n retreat losses {percent}\n")
    assert [one[0] for one in damage(tried)] == ["Dagh", "Pip", "Pip"]

"""Chapters 4.5 to 4.7: forces, squadrons, forced includes and excludes, missions, Defence Ratings."""

from __future__ import annotations

import pytest

from games.encounters.data import catalogue
from games.encounters.orders.records import Steps, Target
from games.encounters.rules.ratings import spend_pool
from games.encounters.rules.squadrons import combatant
from games.encounters.table import Table
from tests.games.encounters.builders import (
    NO_SUPPLY,
    damage,
    find,
    force,
    only_problem,
    play,
    points,
    ratings,
    readiness,
    situation,
    squadrons,
    start,
    told,
    unit,
)

OX = force("KOR", "Altair", "Mule Ox")
BUDGET = readiness("Altair", AUR_KOR="modifier = 0, budget = 8")
FIGHT = "Battle Altair:\n fight all\n rounds 1\n"
STILL = "Battle Altair:\n retreat none\n"


@pytest.mark.rule("EN-SQD-1", "EN-VAL-22")
def test_a_flagships_rating_is_the_number_of_squadrons() -> None:
    """A Corvette (CR 3) commands three squadrons; the fourth stays in reserve. The Flagship's own always stands."""
    ships = force("AUR", "Altair", "Picket A", "Picket B", "Picket C", "Picket D")
    lines = "".join(f" squadron S{ship} = {ship}\n" for ship in "ABCD")
    tried = play(situation(ships, OX), 1, AUR=f"{FIGHT}{lines} flagship D\n", KOR=STILL)

    assert squadrons(tried, "AUR") == {"SA": ["A"], "SB": ["B"], "SD": ["D"]}
    assert only_problem(tried, "AUR").rule == "EN-VAL-22"


@pytest.mark.rule("EN-SQD-1")
def test_without_an_order_the_highest_rating_commands() -> None:
    tried = play(
        situation(force("AUR", "Altair", "Lance Ajax", "Bulwark Hood"), force("KOR", "Altair", "Citadel Rok")),
        1,
        9,
        AUR=FIGHT + " squadron Red = Ajax\n squadron Blue = Hood\n retreat none",
        KOR="Battle Altair:\n direct ships at flagship",
    )

    assert damage(tried) == [("Hood", "directed", 5, "crippled")]


@pytest.mark.rule("EN-SQD-3")
def test_limits_are_not_checked_again_in_later_rounds() -> None:
    """Hood is crippled in round 1 (CR 0); its squadron fights on in round 2."""
    tried = play(
        situation(force("AUR", "Altair", "Bulwark Hood", "Lance Ajax"), force("KOR", "Altair", "Citadel Rok")),
        1,
        7,
        1,
        1,
        AUR="Battle Altair:\n fight all\n rounds 2\n retreat none\n squadron Red = Hood, Ajax",
        KOR="Battle Altair:\n rounds 2\n direct ships at flagship",
    )

    assert [one["power"] for one in told(tried, "points")] == ["AUR", "KOR", "AUR", "KOR"]
    assert told(tried, "points")[2]["base"] == 2


@pytest.mark.rule("EN-SQD-4", "EN-VAL-23")
def test_a_squadron_needs_an_intact_ship() -> None:
    here = situation(
        unit("AUR", "Altair", "Bulwark", "Hood", state="crippled"), force("AUR", "Altair", "Lance Ajax"), OX
    )
    tried = play(here, 1, AUR=FIGHT + " squadron Red = Hood\n squadron Blue = Ajax", KOR=STILL)

    assert only_problem(tried, "AUR").reason == "Red has no intact ship (EN-SQD-4)"
    assert squadrons(tried, "AUR") == {"Blue": ["Ajax"]}


@pytest.mark.rule("EN-SQD-5")
def test_flights_launch_with_their_carrier_unless_held() -> None:
    here = situation(force("AUR", "Altair", "Roost Perch: Kestrel K1, Kestrel K2"), OX)
    tried = play(here, 1, AUR=FIGHT + " hold K2", KOR=STILL)

    assert squadrons(tried, "AUR") == {"1": ["Perch", "K1"]}


@pytest.mark.rule("EN-SQD-6", "EN-END-4")
def test_ships_in_no_squadron_are_in_reserve_and_untouched() -> None:
    tried = play(
        situation(force("AUR", "Altair", "Lance Ajax", "Lance Lynx"), force("KOR", "Altair", "Citadel Rok")),
        1,
        9,
        AUR=FIGHT + " retreat none\n squadron Red = Ajax",
        KOR="Battle Altair:\n direct ships none",
    )

    assert told(tried, "forces", "AUR")[0]["reserve"] == 1
    assert find(tried.state, "Lynx").state == "intact"


@pytest.mark.rule("EN-SQD-7", "EN-RUL-23")
def test_stations_take_part_only_when_ordered_in_and_fortifications_never() -> None:
    here = situation(force("AUR", "Vega", "Lance Ajax", "Bastion Rock", "Turret Gun"), force("KOR", "Vega", "Mule Ox"))
    without = play(here, 1, AUR="Battle Vega:\n fight all\n rounds 1", KOR="Battle Vega:\n retreat none")
    ordered = play(here, 1, AUR="Battle Vega:\n fight all\n rounds 1\n station Rock", KOR="Battle Vega:\n retreat none")

    assert squadrons(without, "AUR") == {"1": ["Ajax"]}
    assert squadrons(ordered, "AUR") == {"1": ["Ajax"], "Home": ["Rock"]}


@pytest.mark.rule("EN-SQD-7")
def test_a_power_with_stations_alone_fights_with_all_of_them() -> None:
    here = situation(force("AUR", "Vega", "Bastion Rock", "Slipway Dock"), force("KOR", "Vega", "Mule Ox"))
    tried = play(here, 1, AUR="Battle Vega:\n fight all\n rounds 1", KOR="Battle Vega:\n retreat none")

    assert squadrons(tried, "AUR") == {"Home": ["Rock", "Dock"]}


@pytest.mark.rule("EN-SQD-8")
def test_the_auto_arrangement_fills_squadrons_from_the_highest_rating_down() -> None:
    """Auxiliaries stay out; a crippled-only force forms one squadron without limits."""
    fit = situation(force("AUR", "Altair", "Lance Ajax", "Bulwark Hood", "Picket Mite", "Mule Atlas"), OX)
    worn = situation(*(unit("AUR", "Altair", "Bulwark", name, state="crippled") for name in ("Hood", "Rodney")), OX)

    tried = play(fit, 1, AUR=FIGHT, KOR=STILL)
    assert squadrons(tried, "AUR") == {"1": ["Hood", "Ajax"], "2": ["Mite"]}
    tried = play(worn, AUR=FIGHT + " retreat none", KOR=STILL)
    assert squadrons(tried, "AUR") == {"1": ["Hood", "Rodney"]}


@pytest.mark.rule("EN-SQD-9", "EN-VAL-25", "EN-RUL-18")
def test_the_engagement_cap_is_twice_the_highest_cp() -> None:
    """A Corvette's CP 4 caps the force at 8 CC: the ninth Corvette is dropped."""
    names = "ABCDEFGHI"
    here = situation(force("AUR", "Altair", *(f"Picket {n}" for n in names)), OX, switches="engagement_cap = true")
    lines = " squadron P = A, B, C\n squadron Q = D, E, F\n squadron R = G, H, I\n"
    tried = play(here, 1, AUR=FIGHT + lines, KOR=STILL)

    assert only_problem(tried, "AUR").rule == "EN-VAL-25"
    assert squadrons(tried, "AUR") == {"P": ["A", "B", "C"], "Q": ["D", "E", "F"], "R": ["G", "H"]}


@pytest.mark.rule("EN-SQD-10")
def test_command_rating_follows_from_construction_points() -> None:
    classes, designs = catalogue().classes, catalogue().designs

    assert {code: classes[code].CR for code in ("CT", "DD", "CA", "SD", "BS", "FI", "IN")} == {
        "CT": 3,
        "DD": 4,
        "CA": 6,
        "SD": 12,
        "BS": 8,
        "FI": 0,
        "IN": 0,
    }
    assert (designs["Paragon"].CR, designs["Monarch"].CR) == (10, 12)


@pytest.mark.rule("EN-INX-1", "EN-RUL-39")
def test_fortifications_cannot_be_forced_and_a_held_flight_can() -> None:
    here = situation(
        force("AUR", "Rigel", "Lance Ajax"),
        force("KOR", "Rigel", "Roost Nid: Kestrel Kite", "Turret Gun"),
        readiness("Rigel", AUR_KOR="modifier = 0, budget = 8"),
    )
    tried = play(
        here,
        1,
        1,
        1,
        AUR="Battle Rigel:\n fight all\n rounds 1\n include forts, flights\n retreat none",
        KOR="Battle Rigel:\n rounds 1\n hold Kite\n retreat none",
    )

    assert [(one["unit"], one["way"]) for one in told(tried, "forced")] == [("Kite", "in")]


@pytest.mark.rule("EN-INX-3")
def test_the_last_ship_cannot_be_excluded() -> None:
    here = situation(force("AUR", "Altair", "Lance Ajax"), force("KOR", "Altair", "Mule Ox", "Mule Yak"), BUDGET)
    tried = play(here, 1, AUR=FIGHT + " exclude biggest", KOR=STILL)

    assert [one["unit"] for one in told(tried, "forced")] == ["Ox"]
    assert find(tried.state, "Ox").state == "intact"


@pytest.mark.rule("EN-INX-4")
def test_a_crippled_ship_may_be_pressed() -> None:
    here = situation(
        force("AUR", "Altair", "Lance Ajax"),
        force("KOR", "Altair", "Mule Ox"),
        unit("KOR", "Altair", "Lance", "Dagh", state="crippled"),
        BUDGET,
    )
    tried = play(here, 1, AUR=FIGHT + " include crippled", KOR=STILL)

    assert squadrons(tried, "KOR") == {"1": ["Ox"], "Pressed": ["Dagh"]}


# --- missions --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-MIS-1", "EN-MIS-2")
def test_every_unit_engages_unless_told_otherwise_and_the_nearest_line_counts() -> None:
    """A unit's line beats its squadron's, a ``round n`` line both; flights of the squadron follow it."""
    here = situation(force("AUR", "Altair", "Bulwark Hood", "Lance Ajax", "Lance Lynx"), OX, switches="max_rounds = 2")
    tried = play(
        here,
        1,
        1,
        AUR="Battle Altair:\n fight all\n squadron Red = Hood, Ajax\n squadron Blue = Lynx\n direct all none\n"
        "Red: mission screen\nHood: mission engage\nRed: round 2 mission engage\nBlue: screen",
        KOR=STILL,
    )

    assert [one["base"] for one in told(tried, "points")] == [5, 7]


@pytest.mark.rule("EN-MIS-4", "EN-DR-7")
def test_disruption_turns_to_the_greatest_squadron_when_its_target_is_gone() -> None:
    """No target named: the squadron with the greatest CC, Khar's; 2 + 1/2 = 3 points buy nothing of DV 5."""
    here = situation(force("AUR", "Altair", "Lance Ajax"), force("KOR", "Altair", "Mule Ox", "Picket Mite"))
    tried = play(
        here,
        1,
        AUR=FIGHT + "Ajax: mission disrupt transports",
        KOR="Battle Altair:\n squadron One = Ox\n squadron Two = Mite",
    )

    assert told(tried, "mission")[0]["target"] == "One"
    assert ratings(tried) == {"Ox": -1}


@pytest.mark.rule("EN-MIS-6", "EN-RET-1", "EN-RET-4")
def test_disengage_halves_the_fire_and_helps_the_retreat() -> None:
    here = situation(force("AUR", "Altair", "Bulwark Hood"), OX)
    tried = play(here, 5, 5, AUR=FIGHT + " retreat to Vega\nHood: mission disengage", KOR=STILL)

    assert told(tried, "points")[0]["base"] == 2.5
    assert find(tried.state, "Hood").location == "Vega"


@pytest.mark.rule("EN-MIS-8", "EN-VAL-26")
def test_mines_may_only_engage() -> None:
    here = situation(
        force("AUR", "Rigel", "Mule Atlas: Line 1st"),
        force("KOR", "Rigel", "Minefield Reef", "Turret Gun"),
        phase="ground",
    )
    tried = play(
        here,
        1,
        AUR="Ground Rigel:\n invade\n rounds 1\n retreat none",
        KOR="Ground Rigel:\n rounds 1\nReef: mission screen",
    )

    assert only_problem(tried, "KOR").rule == "EN-VAL-26"


@pytest.mark.rule("EN-MIS-9", "EN-MIS-3")
def test_halves_are_kept_until_the_sum_is_rounded() -> None:
    """Two Lances screen: 2 x (1 + 1) = 4; a Warden and a Picket: (1/2 + 3) + (1/2 + 1) = 5."""
    here = situation(
        force("AUR", "Altair", "Bulwark Hood", "Warden Lion"), force("AUR", "Altair", "Warden Lynx", "Picket Mite"), OX
    )
    tried = play(
        here,
        1,
        AUR=FIGHT
        + " squadron Red = Hood, Lion\n squadron Blue = Lynx, Mite\nLion: screen\nBlue: screen\nBlue: guard Lynx 4",
        KOR=STILL,
    )

    assert ratings(tried) == {"Lion": 2, "Lynx": 2}


# --- ratings ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-DR-1", "EN-DR-2")
def test_armor_works_on_a_crippled_ship_and_shields_do_not() -> None:
    here = situation(
        force("AUR", "Altair", "Lance Ajax"),
        unit("KOR", "Altair", "Rampart", "Wall", state="crippled"),
        unit("KOR", "Altair", "Vanguard", "Van", state="crippled"),
        force("KOR", "Altair", "Aegis Egis"),
        BUDGET,
    )
    tried = play(here, 1, 1, AUR=FIGHT + " include crippled\n retreat none", KOR=STILL + " squadron A = Egis")

    assert ratings(tried) == {"Wall": 1, "Egis": 1}


@pytest.mark.rule("EN-DR-3")
def test_pools_are_never_merged() -> None:
    """Two squadrons with 2 screening points each cannot raise a ship of DV 4 together."""
    here = situation(force("AUR", "Altair", "Lance Ajax", "Ranger Ran", "Lance Lynx"), OX)
    tried = play(
        here,
        1,
        AUR=FIGHT + " squadron Red = Ran, Ajax\n squadron Blue = Lynx\nAjax: screen\nLynx: screen",
        KOR=STILL,
    )

    assert ratings(tried) == {}


@pytest.mark.rule("EN-DR-4", "EN-DR-5", "EN-RUL-12")
def test_at_most_four_steps_from_one_pool_and_the_table_ends_at_four() -> None:
    """A Beacon's pool R(5/2 + 3) = 6 in Home: a Minefield's DV is 1, yet it rises by 4 only."""
    table = Table(start(situation(force("AUR", "Vega", "Minefield Reef"), OX)))
    reef = combatant(table, find(table.state, "Reef"), "Home")

    assert spend_pool(6, (Steps(Target("Reef"), 4),), [reef], [], [reef]) == {reef.id: 4}
    assert spend_pool(99, (), [reef], [], [reef]) == {reef.id: 4}


@pytest.mark.rule("EN-DR-6")
def test_the_list_comes_first_and_the_rest_goes_round_robin_biggest_first() -> None:
    """``guard Lion 2``: two steps of 2 points; 7 more points: Hood (5) one step, Lion one more."""
    table = Table(start(situation(force("AUR", "Altair", "Bulwark Hood", "Warden Lion", "Lance Ajax"), OX)))
    hood, lion, ajax = (combatant(table, find(table.state, name), "Red") for name in ("Hood", "Lion", "Ajax"))
    members = [hood, lion, ajax]

    assert spend_pool(11, (Steps(Target("Lion"), 2),), members, [], members) == {lion.id: 3, hood.id: 1}
    assert spend_pool(11, (), members, [], members) == {hood.id: 1, ajax.id: 1, lion.id: 1}


@pytest.mark.rule("EN-DR-7")
def test_a_squadron_whose_name_is_known_may_be_disrupted_by_it() -> None:
    here = situation(
        force("AUR", "Altair", "Lance Ajax"),
        force("KOR", "Altair", "Lance Dagh", "Picket Mite"),
        AUR='known = ["Gold"]',
    )
    korvan = "Battle Altair:\n rounds 1\n squadron A = Dagh\n squadron Gold = Mite\nA: screen\nGold: screen"
    tried = play(here, AUR=FIGHT + "Ajax: disrupt Gold", KOR=korvan)

    assert told(tried, "mission")[0]["target"] == "Gold"


@pytest.mark.rule("EN-DR-7")
def test_a_number_names_the_squadron_in_the_enemys_order() -> None:
    here = situation(force("AUR", "Altair", "Lance Ajax"), force("KOR", "Altair", "Lance Dagh", "Picket Mite"))
    tried = play(
        here,
        AUR=FIGHT + "Ajax: disrupt 2",
        KOR="Battle Altair:\n rounds 1\n squadron A = Dagh\n squadron B = Mite\nA: screen\nB: screen",
    )

    assert told(tried, "mission")[0]["target"] == "B"


@pytest.mark.rule("EN-FIR-10", "EN-RUL-7")
def test_with_a_single_fire_roll_the_results_of_the_first_steps_stand() -> None:
    """Four rolls become two a power: ships for both their steps, flights for both theirs (1 + 3 Carrier: 50%)."""
    here = situation(
        force("AUR", "Altair", "Roost Perch: Kestrel K1, Hammer H1"),
        force("KOR", "Altair", "Roost Nid: Kestrel Kite"),
        switches="single_fire_roll = true\nmax_rounds = 1",
    )
    tried = play(
        here, 5, 5, 1, 1, AUR=FIGHT + " direct all none", KOR="Battle Altair:\n direct all none\n retreat none"
    )

    labels = [roll.label.split("/")[-2] for roll in tried.rolls]
    assert labels == ["ships", "ships", "dogfight", "dogfight"]
    assert ("AUR", "strike", 1) in points(tried)


SHELL = """
[design.Shell]
class = "DD"
level = 1
DV = 3
AS = 2
AF = 1
abilities = ["Armor"]
"""


@pytest.mark.rule("EN-DR-6")
@pytest.mark.rule("EN-DR-1")
def test_weakest_in_a_lower_list_means_the_ratings_the_round_starts_with() -> None:
    """Husk (DV 3, Armor, DR 1) costs 5, Ranger 1 (DV 4) only 4 and is weakest: 6 points buy its one step, no more."""
    scene = situation(
        force("AUR", "Altair", "Bulwark Hood"), force("KOR", "Altair", "Shell Husk", "Ranger Ranger 1"), SHELL
    )
    aur = "Battle Altair:\n fight all\n rounds 1\nHood: mission disrupt\nHood: lower weakest\n"
    tried = play(scene, 5, AUR=aur, KOR="Battle Altair:\n squadron Red = Ranger 1, Husk\n rounds 1\n")
    assert ratings(tried) == {"Husk": 1, "Ranger 1": -1}


@pytest.mark.rule("EN-DR-6")
@pytest.mark.rule("EN-END-3")
def test_ratings_of_the_last_round_do_not_colour_the_next() -> None:
    """In round 1 Dagh (DV 3) sinks to -2 and Tarn (DV 2) rises to +3; in round 2 Tarn is weakest again."""
    scene = situation(
        force("AUR", "Altair", "Bulwark Hood"), force("KOR", "Altair", "Lance Dagh", "Warden Tarn"), switches=NO_SUPPLY
    )
    aur = """
    Battle Altair:
      fight all
      rounds 2
    Hood: mission disrupt
    Hood: round 1 lower DD x 1 2
    Hood: round 2 lower weakest 3
    """
    kor = "Battle Altair:\n squadron Red = Dagh, Tarn\n rounds 2\nDagh: screen\nTarn: screen\nRed: guard Tarn 2\n"
    tried = play(scene, AUR=aur, KOR=kor)
    finals = [(one["unit"], one["ups"], one["downs"], one["final"]) for one in told(tried, "rating")]
    # Screening 1 + 1 and 1/2 + 3: R(5.5) = 6 points: Tarn 2 steps (4), round robin Dagh (3 > 2) no, Tarn once more.
    assert finals == [("Dagh", 0, 2, -2), ("Tarn", 3, 0, 3), ("Tarn", 3, 3, 0)]


@pytest.mark.rule("EN-SQD-8")
@pytest.mark.rule("EN-SQD-1")
def test_a_station_that_commands_gives_its_own_rating_to_the_auto_arrangement() -> None:
    """Pickets (CR 3) form squadrons of three; under Bastion 1 (CR 8) the tenth has a squadron of its own."""
    scene = situation(force("AUR", "Altair", "10 Picket", "Bastion"), force("KOR", "Altair", "Citadel Khar"))
    silent = "rounds 1\n direct all none\n retreat none\n"
    aur = f"Battle Altair:\n fight all\n station Bastion 1\n flagship Bastion 1\n {silent}"
    tried = play(scene, 5, 5, AUR=aur, KOR=f"Battle Altair:\n {silent}")
    assert {name: len(ships) for name, ships in squadrons(tried, "AUR").items()} == {
        "1": 3,
        "2": 3,
        "3": 3,
        "4": 1,
        "Home": 1,
    }


@pytest.mark.rule("EN-DR-7")
@pytest.mark.rule("EN-INX-3")
def test_an_excluded_flagship_still_tells_which_squadron_is_meant() -> None:
    """Khar is kept out (4 CC); its squadron Red lives on in Dagh (DV 3): 6 points are two steps."""
    scene = situation(
        force("AUR", "Altair", "Bulwark Hood"),
        force("KOR", "Altair", "Bulwark Khar", "Lance Dagh", "Rapier Vorn"),
        readiness("Altair", AUR_KOR="total = 11"),
    )
    aur = "Battle Altair:\n fight all\n rounds 1\n exclude flagship\nHood: mission disrupt flagship\n"
    kor = """
    Battle Altair:
      rounds 1
      squadron Big = Vorn
      squadron Red = Khar, Dagh
      flagship Khar
      retreat none
    """
    tried = play(scene, 1, AUR=aur, KOR=kor)
    assert [(one["unit"], one["target"]) for one in told(tried, "mission")] == [("Hood", "Red")]
    assert ratings(tried) == {"Dagh": -2}


@pytest.mark.rule("EN-DR-5")
@pytest.mark.rule("EN-DR-6")
def test_flights_screen_their_carrier_while_their_own_ratings_are_lowered() -> None:
    """Pool 12: Roc twice (8), Kestrels 1 to 4 once. Hood's pool 6 at the flights, two steps each: Kestrels 1 to 3."""
    scene = situation(
        force("AUR", "Altair", "Bulwark Hood", "Lance Ajax"),
        force("KOR", "Altair", "Nest Roc: 6 Kestrel", "Bulwark Khar"),
    )
    aur = """
    Battle Altair:
      fight all
      rounds 1
      squadron Red = Hood, Ajax
    Hood: mission suppress flagship
    Red: lower flights 2, biggest
    """
    screens = "".join(f"Kestrel {number}: screen\n" for number in range(1, 7))
    kor = (
        f"Battle Altair:\n rounds 1\n squadron Wing = Roc\n squadron Main = Khar\n{screens}Wing: guard Roc 2, flights\n"
    )
    # AUR 2 AS (100%) buy nothing; KOR 6 (100%): Hood. Flak: Ajax 1 AF at 50%: Kestrel 1 at DR -1. Hood stays with a 1.
    tried = play(scene, 9, 9, 5, 1, AUR=aur, KOR=kor)
    assert ratings(tried) == {"Roc": 2, "Kestrel 1": -1, "Kestrel 2": -1, "Kestrel 3": -1, "Kestrel 4": 1}
    assert damage(tried) == [("Hood", "directed", 5, "crippled"), ("Kestrel 1", "directed", 1, "crippled")]


@pytest.mark.rule("EN-INX-1")
def test_held_flights_may_be_forced_into_battle() -> None:
    """Budget 4: both Hammers are launched. Roo is crippled before the strike, so its Carrier adds nothing: 3: 50%."""
    scene = situation(
        force("AUR", "Altair", "Bulwark Hood"),
        force("KOR", "Altair", "Roost Roo: Hammer H1, Hammer H2"),
        readiness("Altair", AUR_KOR="total = 11"),
    )
    aur = "Battle Altair:\n fight all\n rounds 1\n include flights\n"
    # Ships 3 + 1: R(2.5) = 3: Roo; 3: 1 point. Strike 3: 2 points. Flak 5 + 1: 1: H1. Roo stays with a 1.
    tried = play(scene, 3, 3, 3, 5, 1, AUR=aur, KOR="Battle Altair:\n rounds 1\n hold H1, H2\n")
    assert points(tried) == [("AUR", "ships", 3), ("KOR", "ships", 1), ("KOR", "strike", 2), ("AUR", "flak", 1)]
    assert damage(tried) == [("Roo", "directed", 3, "crippled"), ("H1", "directed", 1, "crippled")]

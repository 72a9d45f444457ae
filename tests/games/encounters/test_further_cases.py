"""Further situations, each worked out by hand from the rule book before it was played."""

from __future__ import annotations

import pytest

from tests.games.encounters.builders import (
    NO_SUPPLY,
    damage,
    find,
    force,
    play,
    points,
    ratings,
    readiness,
    rules_of,
    situation,
    squadrons,
    told,
    unit,
)  # fmt: skip

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


@pytest.mark.rule("EN-ORB-1")
def test_the_doctrine_of_the_flagships_fleet_decides_about_an_orbital_battle() -> None:
    """6.4: Red Fleet lets the landing pass; the lone Line rolls (5), meets nobody and takes Rigel."""
    scene = situation(
        force("AUR", "Rigel", "Mule Atlas: Line 1st Line"),
        force("KOR", "Rigel", "Lance Dagh", fleet="Red Fleet"),
        '[[fleet]]\nname = "Red Fleet"\nowner = "KOR"\ndoctrine = { orbital = "no" }\n',
        phase="ground",
    )
    tried = play(scene, 5, AUR="Ground Rigel:\n invade\n")
    assert told(tried, "orbital") == []
    assert tried.state.systems["Rigel"].owner == "AUR"


@pytest.mark.rule("EN-VAL-9")
@pytest.mark.rule("EN-VAL-16")
def test_of_several_faults_the_first_in_the_books_order_is_named() -> None:
    """Section 7: 9 stands before 16: Altair could not repair Ajax even if its fleet stayed."""
    ajax = unit("AUR", "Altair", "Lance", "Ajax", fleet="First Fleet", state="crippled")
    scene = situation(ajax, phase="strategic", switches=NO_SUPPLY, AUR="treasury = 50")
    tried = play(scene, AUR="First Fleet: move Vega\nEmpire: repair Ajax\n")
    assert rules_of(tried.sheets["AUR"]) == ["EN-VAL-9"]


@pytest.mark.rule("EN-VAL-7")
@pytest.mark.rule("EN-VAL-5")
def test_a_build_is_judged_in_the_books_order() -> None:
    """With no EP at all every line has more than one fault; funds (5) come last."""
    scene = situation(force("AUR", "Vega", "Slipway"), phase="strategic", AUR="treasury = 0")
    faults = {
        "build Leviathan at Rigel": "EN-VAL-9",
        "build Leviathan at Vega": "EN-VAL-7",
        "build 9 Lance at Vega": "EN-VAL-6",
        "build 3 Bastion at Vega": "EN-VAL-8",
        "build 0 Halberd at Vega": "EN-VAL-10",
        "build 0 Lance at Rigel": "EN-VAL-36",
        "build Bulwark at Altair named Hold": "EN-VAL-37",
        "build Foo at Rigel": "EN-VAL-2",
    }
    tried = play(scene, AUR="\n".join(faults))
    assert rules_of(tried.sheets["AUR"]) == list(faults.values())


@pytest.mark.rule("EN-VAL-36")
def test_a_selector_of_none_is_no_selector() -> None:
    scene = situation(force("AUR", "Altair", "Bulwark Hood"), force("KOR", "Altair", "Lance Dagh"))
    tried = play(scene, AUR="Battle Altair:\n direct ships at biggest x 0\n")
    assert rules_of(tried.sheets["AUR"]) == ["EN-VAL-36"]


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


@pytest.mark.rule("EN-ORB-3")
@pytest.mark.rule("EN-ORB-4")
def test_a_transport_that_flees_the_orbital_battle_lands_nobody_and_nobody_bombards() -> None:
    scene = situation(
        force("AUR", "Rigel", "Bulwark Hood", "Mule Atlas: Line 1st Line, Line 2nd Line"),
        force("KOR", "Rigel", "Turret T1", "Kestrel Kite", "Militia M1"),
        readiness("Rigel", AUR_KOR="modifier = 1", KOR_AUR="modifier = 0"),
        phase="ground",
    )
    dice = (
        5, 4,  # 5 + 1: R(2.5) = 3: T1. 50% of 4: Hood is too dear, Atlas crippled
        3,  # flak 3 + 1: 50% of 2: Kite crippled
        8,  # Atlas 8 + 1 - 1 leaves, to Altair
        2,  # 2 + 1: 3: T1 destroyed
        9,  # flak: Kite destroyed, nobody is left
    )  # fmt: skip
    tried = play(scene, *dice, AUR="Ground Rigel:\n invade\n rounds 1\n")
    assert [one[0] for one in damage(tried)] == ["T1", "Atlas", "Kite", "T1", "Kite"]
    assert [find(tried.state, name).location for name in ("Atlas", "1st Line", "Hood")] == ["Altair", "Altair", "Rigel"]
    assert told(tried, "bombard") == []
    assert (tried.state.systems["Rigel"].owner, tried.state.powers["KOR"].lost) == ("KOR", 4)


@pytest.mark.rule("EN-GFI-1")
@pytest.mark.rule("EN-GDR-3")
@pytest.mark.rule("EN-GFE-3")
def test_a_ground_battle_of_every_step() -> None:
    """Troops 9 - 1: 50%, 9 + 1 - 1 (Shock): 100%; flights 4 - 1 + 4 (Carrier): 100%, 2 + 1 + 1 (Intel): 50%."""
    scene = situation(
        force("AUR", "Rigel", "Ironclad Iron", "Storm Gale", "Nest Eyrie: Kestrel Kes", "Bulwark Hood"),
        force("KOR", "Rigel", "Militia M1", "Militia M2", "Breaker Bruno", "Hammer Ham"),
        readiness("Rigel", AUR_KOR="modifier = -1", KOR_AUR="modifier = 1"),
        phase="ground",
        KOR="intel = { Rigel = 1 }",
    )
    tried = play(scene, 9, 9, 4, 2, AUR="Ground Rigel:\n assault\n direct troops at biggest\n")
    assert damage(tried) == [
        # Dogfight: 2 points; Ham is at DR 1 - 1 = 0, so the plain aim takes it, and it cannot absorb the rest but die.
        ("Ham", "directed", 1, "crippled"), ("Ham", "nondirected", 1, "destroyed"),
        # Bruno's AF 1: Kes stands at DR 1, out of the plain aim.
        ("Kes", "nondirected", 1, "crippled"),
        # R(5 / 2) = 3 points: Bruno at DR 1 costs R(3). KOR's 5: by cost and id, then whom 1 point can still finish.
        ("Bruno", "directed", 3, "crippled"),
        ("Iron", "nondirected", 3, "crippled"), ("Gale", "nondirected", 1, "crippled"),
        ("Gale", "nondirected", 1, "destroyed"),
    ]  # fmt: skip


@pytest.mark.rule("EN-CON-6")
@pytest.mark.rule("EN-ECO-6")
def test_every_line_sees_the_funds_the_lines_before_it_leave() -> None:
    """10 + 18 - 2 = 26: build -6, cancel +R(1.5), Intel -6, invest -10 leave 6: 7 for research are too many, 6 not."""
    scene = situation(force("AUR", "Vega", "Slipway", "Lance Ajax"), phase="strategic", AUR="treasury = 10")
    aur = """
    build 2 Lance at Vega
    cancel Lance at Vega
    intel buy 3 at Vega
    invest cen at Vega
    research Escort 7
    research Escort 6
    intel spend 2 at Vega
    """
    tried = play(scene, AUR=aur)
    mine = tried.state.powers["AUR"]
    assert rules_of(tried.sheets["AUR"]) == ["EN-VAL-5"]
    assert (mine.treasury, mine.intel, mine.research["Escort"], tried.state.systems["Vega"].CEN) == (
        0,
        {"Vega": 1},
        6,
        7,
    )
    assert [(one.design, one.weeks, one.order) for one in tried.state.builds] == [("Lance", 3, 1)]


@pytest.mark.rule("EN-SEQ-4")
def test_three_engagements_by_the_sum_of_the_totals() -> None:
    """Sums: KOR-TAL 13, AUR-KOR 12, AUR-TAL 6. Points: 2 at 100%, 2 at 75% (10 - 3), 1 and 1, 1 and 1 (4 - 2: 25%)."""
    scene = situation(
        *(force(key, "Altair", f"Lance {key} 1") for key in ("AUR", "KOR", "TAL")),
        readiness(
            "Altair",
            AUR_KOR="total = 6",
            KOR_AUR="total = 6",
            AUR_TAL="total = 3",
            TAL_AUR="total = 3",
            KOR_TAL="total = 11",
            TAL_KOR="total = 2",
        ),
        seats=("AUR", "KOR", "TAL"),
    )
    letter = "Battle Altair:\n fight all\n rounds 1\n"
    tried = play(scene, 8, 10, 5, 5, 5, 4, AUR=letter, KOR=letter, TAL=letter)
    assert [roll.label.removeprefix("space/Altair/") for roll in tried.rolls] == [
        "1/round 1/ships/KOR", "1/round 1/ships/TAL", "2/round 1/ships/AUR", "2/round 1/ships/KOR",
        "3/round 1/ships/AUR", "3/round 1/ships/TAL",
    ]  # fmt: skip
    assert [one[2] for one in points(tried)] == [2, 2, 1, 1, 1, 1]


@pytest.mark.rule("EN-SEQ-3")
@pytest.mark.rule("EN-RDY-1")
def test_a_bloc_rolls_in_the_place_of_its_lead() -> None:
    """Of AUR and TAL the weightier TAL (seat 3) leads, so KOR rolls first. TAL: 9 + 2 - 2 - 3 + 2 = 8."""
    scene = situation(
        force("AUR", "Altair", "Watcher Argus"),
        force("KOR", "Altair", "Shade Umbra", "Hush Static"),
        force("TAL", "Altair", "Bulwark Tor"),
        phase="strategic",
        switches=NO_SUPPLY,
        seats=("AUR", "KOR", "TAL"),
        AUR='stance = { TAL = "ally" }\ntreasury = 20\nintel = { Altair = 2 }',
        KOR="treasury = 20",
        TAL='stance = { AUR = "ally" }\ntreasury = 20',
    )
    tried = play(scene, 7, 9, AUR="intel spend 2 at Altair\n")
    assert [roll.label for roll in tried.rolls] == ["readiness/Altair/KOR", "readiness/Altair/TAL"]
    pairs = [(one.bloc, one.versus, one.total) for one in tried.state.encounters[0].pairs]
    assert pairs == [("KOR", "TAL", 7), ("TAL", "KOR", 8)]
    assert tried.state.powers["AUR"].contacts["Altair"][0].paths == {"Escort": 1, "Cruiser": 1}


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


@pytest.mark.rule("EN-GFI-5")
@pytest.mark.rule("EN-DMG-4")
def test_lists_of_the_battle_letter_do_not_serve_the_ground_battle() -> None:
    """6.3: silent about damage on the ground, AUR uses the plain aim, which an idle list would forbid."""
    scene = situation(
        force("AUR", "Rigel", "Nest Roc: Kestrel Kes", "Line Foot"),
        force("KOR", "Rigel", "Kestrel Kite", "Hammer Ham", "Militia M1"),
        '[kept]\nAUR = "Battle Rigel: direct dogfight at carriers"\n',
        phase="ground",
    )
    # Troops 5, 5: 50%. Flights 3 + 4 (Carrier): 100% of 2 AF; 1: 25% of 2, R(0.5) = 1. Then R(2 / 2) = 1, R(0.5) = 1.
    tried = play(scene, 5, 5, 3, 1, AUR="Ground Rigel:\n assault\n")
    assert damage(tried) == [
        ("Kite", "directed", 1, "crippled"), ("Ham", "directed", 1, "crippled"), ("Kes", "directed", 1, "crippled"),
        ("Foot", "nondirected", 1, "crippled"),
    ]  # fmt: skip

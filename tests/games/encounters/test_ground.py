"""Chapter 4.10: who may land, orbital battle, bombardment, ground battle and capture."""

from __future__ import annotations

import pytest

from tests.games.encounters.builders import (
    alive,
    damage,
    events,
    find,
    force,
    only_problem,
    play,
    readiness,
    seats_asked,
    situation,
    start,
    told,
    unit,
)

INVADE = "Ground Rigel:\n invade\n"
LANDERS = force("AUR", "Rigel", "Mule Atlas: Line 1st, Line 2nd")


@pytest.mark.rule("EN-GRD-1")
def test_the_ground_phase_asks_the_invader_and_its_opponent() -> None:
    """Over a neutral system the invader alone is asked; a crippled transport opens nothing."""
    play(situation(force("AUR", "Altair", "Mule Atlas: Line 1st"), phase="ground"), AUR="Ground Altair:\n no attack")

    def asked(*parts: str) -> set[str]:
        return set(seats_asked(start(situation(*parts, phase="ground"))))

    assert asked(force("AUR", "Altair", "Mule Atlas: Line 1st")) == {"AUR"}
    assert asked(LANDERS) == {"AUR", "KOR"}
    assert (
        asked(
            unit("AUR", "Rigel", "Mule", "Atlas", state="crippled"),
            '[[unit]]\nowner = "AUR"\ndesign = "Line"\ncarrier = "Atlas"\n',
        )
        == set()
    )
    assert asked(force("AUR", "Vega", "Mule Atlas: Line 1st")) == set()


@pytest.mark.rule("EN-GRD-2")
def test_in_a_neutral_system_the_opponent_is_who_has_most_troops_landed() -> None:
    here = situation(
        force("AUR", "Altair", "Mule Atlas: Line 1st"),
        force("KOR", "Altair", "Militia M1"),
        force("TAL", "Altair", "2 Breaker"),
        phase="ground",
        seats=("AUR", "KOR", "TAL"),
    )
    tried = play(here, 9, 9, AUR="Ground Altair:\n invade")

    assert {one["power"] for one in told(tried, "ground_roll")} == {"AUR", "TAL"}


@pytest.mark.rule("EN-GRD-4")
def test_if_both_sides_start_it_is_one_battle_and_the_owner_is_never_the_invader() -> None:
    here = situation(force("AUR", "Rigel", "Breaker B1"), force("KOR", "Rigel", "Militia M1"), phase="ground")
    tried = play(here, 1, 1, AUR="Ground Rigel:\n assault", KOR="Ground Rigel:\n assault")
    nobody = play(here)

    assert [roll.label for roll in tried.rolls] == ["ground/Rigel/AUR/troops/AUR", "ground/Rigel/AUR/troops/KOR"]
    assert told(nobody, "ground_roll") == []


@pytest.mark.rule("EN-GRD-5")
def test_the_second_bloc_to_land_in_a_neutral_system_meets_the_first_as_owner() -> None:
    """Korvan has the better readiness and lands first; Aurigan then fights it for Altair."""
    here = situation(
        force("AUR", "Altair", "Mule Atlas: Line 1st"),
        force("KOR", "Altair", "Mule Ox: Line Guard"),
        readiness("Altair", AUR_KOR="total = 6", KOR_AUR="total = 9"),
        phase="ground",
    )
    tried = play(
        here,
        1,
        1,
        AUR="Ground Altair:\n invade\n retreat none\n rounds 1",
        KOR="Ground Altair:\n invade\n retreat none",
    )

    assert next((one["to"], one["system"]) for one in told(tried, "capture")) == ("KOR", "Altair")
    assert told(tried, "orbital")[0]["forced_by"] == "KOR"


@pytest.mark.rule("EN-GRD-3")
def test_an_unopposed_landing_needs_no_dice() -> None:
    tried = play(
        situation(force("AUR", "Altair", "Mule Atlas: Line 1st"), phase="ground"), AUR="Ground Altair:\n invade"
    )

    assert tried.rolls == ()
    assert tried.state.systems["Altair"].owner == "AUR"


# --- orbit -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-ORB-1", "EN-RUL-23")
def test_the_owner_may_force_an_orbital_battle_only_against_a_first_landing() -> None:
    gun = force("KOR", "Rigel", "Turret Gun")
    forced = play(
        situation(LANDERS, gun, phase="ground"),
        1,
        1,
        AUR=INVADE + " rounds 1\n retreat none",
        KOR="Ground Rigel:\n rounds 1",
    )
    waived = play(situation(LANDERS, gun, phase="ground"), 1, AUR=INVADE, KOR="Ground Rigel:\n orbital no")
    ashore = play(
        situation(
            LANDERS, force("AUR", "Rigel", "Breaker B1"), gun, force("KOR", "Rigel", "Militia M1"), phase="ground"
        ),
        1,
        1,
        AUR=INVADE,
    )

    assert told(forced, "orbital")[0]["forced_by"] == "KOR"
    assert told(waived, "orbital") == []
    assert told(ashore, "orbital") == []


@pytest.mark.rule("EN-ORB-2")
def test_home_holds_stations_defences_mines_and_system_based_flights() -> None:
    here = situation(
        LANDERS,
        force("KOR", "Rigel", "Bastion Rock", "Turret Gun", "Minefield Reef", "Kestrel K1", "Kestrel K2"),
        phase="ground",
    )
    tried = play(
        here, 9, AUR=INVADE + " rounds 1\n retreat none", KOR="Ground Rigel:\n rounds 1\n hold K2\nHome: mission engage"
    )

    forces = next(one for one in told(tried, "forces", "KOR") if one["power"] == "KOR")
    assert forces["squadrons"] == [["Home", ["Rock", "Gun", "Reef", "K1"]]]


@pytest.mark.rule("EN-ORB-3", "EN-ORB-4")
def test_landing_ships_are_in_the_battle_and_an_excluded_one_lands_nothing() -> None:
    """Hood fights, Atlas is in Landing; kept out of the battle, its troops stay aboard and the landing ends there."""
    here = situation(
        force("AUR", "Rigel", "Bulwark Hood", "Mule Atlas: Line 1st"),
        force("KOR", "Rigel", "Turret Gun"),
        readiness("Rigel", KOR_AUR="total = 11"),
        phase="ground",
    )
    free = play(here, 1, 1, 9, AUR=INVADE + " rounds 1\n retreat none", KOR="Ground Rigel:\n rounds 1")
    barred = play(
        here, 1, 1, AUR=INVADE + " rounds 1\n retreat none", KOR="Ground Rigel:\n rounds 1\n exclude transports"
    )

    forces = next(one for one in told(free, "forces", "AUR") if one["power"] == "AUR")
    assert forces["squadrons"] == [["1", ["Hood"]], ["Landing", ["Atlas"]]]
    assert free.state.systems["Rigel"].owner == "AUR"
    assert told(barred, "landed")[0]["units"] == []
    assert told(barred, "bombard") == []
    assert find(barred.state, "1st").carrier == find(barred.state, "Atlas").id


# --- bombardment -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-BOM-1", "EN-RUL-33")
def test_only_intact_ships_bombard() -> None:
    """A crippled Bulwark and the defender's Bastion give nothing."""
    here = situation(
        LANDERS,
        force("AUR", "Rigel", "Citadel Rok"),
        unit("AUR", "Rigel", "Bulwark", "Hood", state="crippled"),
        force("KOR", "Rigel", "Bastion Rock", "Militia M1"),
        phase="ground",
    )
    tried = play(here, 1, 1, AUR=INVADE, KOR="Ground Rigel:\n orbital no")

    assert [(one["power"], one["points"]) for one in told(tried, "bombard")] == [("AUR", 7)]


@pytest.mark.rule("EN-BOM-2", "EN-VAL-31")
def test_bombardment_is_used_in_one_way() -> None:
    here = situation(LANDERS, force("AUR", "Rigel", "Citadel Rok"), force("KOR", "Rigel", "Militia M1"), phase="ground")
    tried = play(here, 1, 1, AUR=INVADE + " bombard support\n bombard strike prod")

    assert only_problem(tried, "AUR").instead == "bombard support stands"
    assert told(tried, "bombard")[0]["use"] == "support"


@pytest.mark.rule("EN-BOM-4")
def test_a_strike_cycles_through_its_list_and_skips_a_stat_at_0() -> None:
    """64 points are four steps: PROD, MOR, CEN, PROD by default."""
    here = situation(
        LANDERS, force("AUR", "Rigel", "9 Citadel", "Watcher W"), force("KOR", "Rigel", "Militia M1"), phase="ground"
    )
    tried = play(here, 1, 1, AUR=INVADE + " bombard strike")

    assert told(tried, "bombard")[0]["stats"] == ["PROD", "MOR", "CEN", "PROD"]


@pytest.mark.rule("EN-BOM-5")
def test_silence_is_support_for_whoever_has_troops_in_the_battle() -> None:
    here = situation(
        LANDERS,
        force("AUR", "Rigel", "Citadel Rok"),
        force("KOR", "Rigel", "Militia M1"),
        force("KOR", "Rigel", "Citadel Tok"),
        phase="ground",
    )
    tried = play(here, 1, 1, AUR=INVADE, KOR="Ground Rigel:\n orbital no")

    assert [(one["power"], one["use"]) for one in told(tried, "bombard")] == [("AUR", "support"), ("KOR", "support")]


# --- the ground battle -----------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-GFE-1")
def test_flights_and_troops_aboard_may_be_left_out_landed_troops_always_fight() -> None:
    here = situation(
        LANDERS,
        force("AUR", "Rigel", "Roost Perch: Kestrel K1"),
        force("KOR", "Rigel", "Militia M1", "Kestrel Kite"),
        phase="ground",
    )
    tried = play(here, 1, 1, 1, AUR=INVADE + " exclude own 2nd, K1", KOR="Ground Rigel:\n orbital no")

    assert find(tried.state, "2nd").landed is False
    assert [one["power"] for one in told(tried, "ground_roll") if one["kind"] == "flights" and one["die"]] == ["KOR"]


@pytest.mark.rule("EN-GFE-2")
def test_recon_helps_the_own_roll_and_shock_hurts_the_enemys() -> None:
    here = situation(
        force("AUR", "Rigel", "Storm S1", "Pathfinder P1"), force("KOR", "Rigel", "Militia M1"), phase="ground"
    )
    tried = play(here, 5, 5, AUR="Ground Rigel:\n assault")

    assert [one["total"] for one in told(tried, "ground_roll") if one["die"]] == [6, 4]


@pytest.mark.rule("EN-GFE-3")
def test_who_is_neither_invader_nor_owner_adds_nothing_to_the_flight_roll() -> None:
    """In a neutral system the defender's Intel does not count."""
    here = situation(
        force("AUR", "Altair", "Mule Atlas: Line 1st"),
        force("KOR", "Altair", "Militia M1", "Kestrel Kite"),
        phase="ground",
        KOR="intel = { Altair = 4 }",
    )
    tried = play(here, 1, 1, 5, AUR="Ground Altair:\n invade")

    assert told(tried, "ground_roll", "KOR")[-1]["parts"] == {"readiness": 0}


@pytest.mark.rule("EN-GFI-4")
def test_without_an_intact_troop_the_support_is_lost() -> None:
    """Korvan's only Militia is crippled: it rolls nothing and its Citadel's support finds nobody."""
    here = situation(
        LANDERS,
        unit("KOR", "Rigel", "Militia", "M1", state="crippled"),
        force("KOR", "Rigel", "Citadel Tok"),
        phase="ground",
    )
    tried = play(here, 1, AUR=INVADE + " direct all none", KOR="Ground Rigel:\n orbital no")

    assert [one["power"] for one in told(tried, "ground_fire")] == ["AUR"]


@pytest.mark.rule("EN-GFI-6")
def test_survivors_stay_landed_and_may_fight_again_next_turn() -> None:
    here = situation(LANDERS, force("KOR", "Rigel", "2 Militia"), phase="ground")
    tried = play(here, 1, 1, AUR=INVADE)
    again = tried.game.read_orders(tried.state, "AUR", "")

    assert find(tried.state, "1st").landed
    assert find(tried.state, "2nd").landed
    assert (tried.state.turn, tried.state.phase) == (5, "strategic")
    assert again.problems == ()


# --- capture ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-CAP-1")
def test_capture_takes_stations_crippled_and_destroys_the_rest() -> None:
    """Rigel falls: Slipway 1 is renamed because Aurigan has one; builds and Intel are gone; MOR falls by 1."""
    here = situation(
        LANDERS,
        force("AUR", "Vega", "Slipway Slipway 1"),
        force(
            "KOR",
            "Rigel",
            "Slipway Slipway 1",
            "Bastion Rock: Kestrel K9",
            "Turret Gun",
            "Minefield Reef",
            "Kestrel Kite",
        ),
        '[[build]]\nowner = "KOR"\nsystem = "Rigel"\ndesign = "Lance"\n',
        phase="ground",
        KOR="intel = { Rigel = 3 }",
    )
    tried = play(here, 5, 1, AUR=INVADE, KOR="Ground Rigel:\n orbital no")

    rigel, seized = tried.state.systems["Rigel"], told(tried, "seized")[0]
    assert (rigel.owner, rigel.MOR) == ("AUR", 4)
    assert (seized["units"], seized["destroyed"]) == (["Slipway 2", "Rock"], ["K9", "Gun", "Reef", "Kite"])
    assert (seized["builds"], seized["intel"]) == (["Lance"], 3)
    rock = find(tried.state, "Rock")
    assert (rock.owner, rock.state) == ("AUR", "crippled")
    assert tried.state.builds == ()
    assert tried.state.powers["KOR"].lost == 1 + 3 + 1 + 1
    assert events(tried, "capture")[0].seen_by == {"AUR", "KOR"}
    assert events(tried, "seized")[0].seen_by == {"AUR", "KOR"}


@pytest.mark.rule("EN-CAP-2")
def test_an_invader_without_troops_left_changes_nothing() -> None:
    here = situation(force("AUR", "Rigel", "Mule Atlas: Line 1st"), force("KOR", "Rigel", "4 Breaker"), phase="ground")
    tried = play(here, 1, 9, AUR=INVADE)

    assert not alive(tried.state, "1st")
    assert tried.state.systems["Rigel"].owner == "KOR"
    assert damage(tried)[-1][3] == "destroyed"


@pytest.mark.rule("EN-GFI-3", "EN-UNT-7")
def test_flights_strike_troops_with_as_and_troops_answer_with_af() -> None:
    here = situation(
        force("AUR", "Rigel", "Breaker B1", "Roost Perch: Hammer H1"),
        force("KOR", "Rigel", "Militia M1", "Hammer Maul"),
        phase="ground",
    )
    tried = play(here, 9, 1, 9, 1, AUR="Ground Rigel:\n assault\n bombard none", KOR="Ground Rigel:\n direct all none")

    fired = [(one["power"], one["step"], one["points"]) for one in told(tried, "ground_fire")]
    assert ("AUR", "strike", 2) in fired
    assert ("AUR", "flak", 1) in fired


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

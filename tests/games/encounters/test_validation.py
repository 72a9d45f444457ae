"""Section 7: every validation case names the text, the limit, the actual value and what would be accepted."""

from __future__ import annotations

from typing import Any

import pytest

from games.encounters import GAME
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import Sheet
from tests.games.encounters.builders import (
    NO_SUPPLY,
    find,
    force,
    only_problem,
    play,
    readiness,
    rules_of,
    situation,
    squadrons,
    start,
    told,
    unit,
)

HOME = (
    force("AUR", "Vega", "Bulwark Hood", "Lance Ajax", "Mule Atlas: Line 1st", fleet="First Fleet"),
    force("AUR", "Vega", "Slipway Dock", "Kestrel K1", "Breaker B1"),
    unit("AUR", "Altair", "Lance", "Scout One", fleet="Patrol"),
)

BARREN = """
system = [
    { name = "Vega", owner = "AUR", CEN = 6, MOR = 6, PROD = 6 },
    { name = "Altair" },
    { name = "Rigel", owner = "KOR" },
]
lane = [{ ends = ["Vega", "Altair"] }]
"""


def at_home(**more: Any) -> Scenario:
    return situation(*HOME, phase="strategic", **{"AUR": "treasury = 20", **more})


def complaint(here: Scenario, text: str) -> tuple[str, str, str]:
    """Rule, reason and hint of the one problem a letter has."""
    problems = GAME.read_orders(start(here), "AUR", text).problems
    assert len(problems) == 1, problems
    assert problems[0].text or problems[0].line
    return problems[0].rule, problems[0].reason, problems[0].hint


@pytest.mark.rule("EN-VAL-1", "EN-VAL-2", "EN-VAL-4", "EN-VAL-5", "EN-VAL-6", "EN-VAL-7", "EN-VAL-8", "EN-VAL-9")
@pytest.mark.rule("EN-VAL-10", "EN-VAL-13", "EN-VAL-14", "EN-VAL-16", "EN-VAL-17", "EN-VAL-18", "EN-VAL-19")
@pytest.mark.rule("EN-VAL-20", "EN-VAL-34", "EN-VAL-36", "EN-VAL-37")
@pytest.mark.parametrize(
    ("rule", "order", "reason", "hint"),
    [
        ("EN-VAL-1", "bild Lance at Vega", "no order called 'bild'", "did you mean 'build'?"),
        ("EN-VAL-1", "stance", "'stance' is not understood", "stance Korvan war"),
        ("EN-VAL-1", "research Escort lots", "'lots' is no number", "a whole number"),
        ("EN-VAL-2", "build Lanse at Vega", "no design called 'Lanse'", "did you mean 'Lance'?"),
        ("EN-VAL-2", "build Lance at Vegga", "no system called 'Vegga'", "did you mean 'Vega'?"),
        ("EN-VAL-2", "repair Hod", "no unit called 'Hod'", "did you mean 'Hood'?"),
        ("EN-VAL-2", "stance Korwan war", "no power called 'Korwan'", "did you mean 'Korvan'?"),
        ("EN-VAL-2", "research Eskort 5", "no path called 'Eskort'", "did you mean 'Escort'?"),
        ("EN-VAL-2", "design X1 QQ dv 2 as 1 af 1", "no class called 'QQ'", "known: CT, DD, CL, CA, BC, BB, DN, SD"),
        ("EN-VAL-2", "design X1 DD dv 3 as 2 af 1 with cloak", "no ability called 'cloak'", "known: Scout, Stealth"),
        ("EN-VAL-4", "Hood: move Altair", "'move' under 'Hood'", "it belongs under a fleet"),
        (
            "EN-VAL-4",
            "Hood: doctrine retreat all",
            "a doctrine under 'Hood'",
            "it belongs under Empire: or a fleet's name",
        ),
        ("EN-VAL-4", "First Fleet: load K1", "'load' under 'First Fleet'", "it belongs under a ship or Station"),
        ("EN-VAL-4", "fight all", "'fight' is no order of this phase", "it belongs to the battle letter"),
        (
            "EN-VAL-5",
            "build 3 Minefield at Vega named A, B, C",
            "3 Minefield cost 3 EP, 0 EP are left",
            "affordable is 0",
        ),
        ("EN-VAL-6", "build 9 Picket at Vega", "the yards of Vega hold 10, in use 0, needed 18", "that fits is 5"),
        ("EN-VAL-5", "research Escort 900", "research into Escort costs 900 EP", "at most"),
        ("EN-VAL-7", "build Titan at Vega", "the base cost of Titan is 18, the yards of Vega hold 10", "2 Shipyards"),
        (
            "EN-VAL-8",
            "build 13 Line at Vega",
            "the local works of Vega hold 12, in use 0, needed 13",
            "that fits is 12",
        ),
        ("EN-VAL-9", "build Lance at Altair", "Altair is not yours", "the nearest system that could is Vega"),
        ("EN-VAL-9", "build Lance at Rigel", "Rigel is not yours", "the nearest system that could is Vega"),
        ("EN-VAL-10", "build Halberd at Vega", "Escort 2 is needed, you are at 1", "your designs"),
        ("EN-VAL-10", "design X1 DD dv 3 as 3 af 1", "no pending advance in Escort", "research Escort first"),
        ("EN-VAL-13", "First Fleet: move Rigel", "no lane joins Vega and Rigel", "from Vega: Altair, Deneb"),
        (
            "EN-VAL-14",
            "First Fleet: move Altair Rigel Altair",
            "the path costs 3 MP, First Fleet has 2",
            "Altair Rigel",
        ),
        ("EN-VAL-16", "First Fleet: transfer Dock to Other", "Dock is no ship", "name a ship"),
        ("EN-VAL-16", "repair Hood", "Hood is intact", "name a crippled unit"),
        ("EN-VAL-17", "First Fleet: transfer Hood to Patrol", "Hood is at Vega, Patrol at Altair", "same system"),
        ("EN-VAL-17", "Scout One: load K1", "K1 is at Vega, Scout One at Altair", "bring them together"),
        ("EN-VAL-18", "Atlas: load B1, K1", "Atlas has CV 3, in use 3; K1 needs 1", "free CV: 0"),
        ("EN-VAL-19", "intel buy 4 at Vega", "at most 3 a turn and 5 held", "the largest legal number is 3"),
        ("EN-VAL-19", "intel spend 1 at Vega", "1 Intel spent at Vega, 0 held", "the largest legal number is 0"),
        ("EN-VAL-19", "intel buy 1 at Rigel", "you neither own Rigel nor have a unit there", "a system"),
        ("EN-VAL-20", "invest prod at Vega", "PROD of Vega is 6, its limit is 6", "another stat"),
        ("EN-VAL-34", "stance Aurigan peace", "a stance to oneself", "name another power"),
        ("EN-VAL-36", "research Escort 0", "the amount is 0, it must be 1 or more", "1"),
        ("EN-VAL-36", "intel buy -1 at Vega", "the amount is -1", "1"),
        ("EN-VAL-36", "build 0 Lance at Vega", "the number is 0", "1"),
        ("EN-VAL-37", "rename Hood to Ajax", "'Ajax' is already used", "Ajax 2"),
        ("EN-VAL-37", "rename Hood to biggest", "'biggest' is a word of the rules", "biggest 2"),
        ("EN-VAL-37", "rename Hood to Vega", "'Vega' is a word of the rules or of the map", "Vega 2"),
        ("EN-VAL-37", f"rename Hood to {'H' * 31}", "31 characters, at most 30", "H" * 30),
    ],
)
def test_strategic_cases(rule: str, order: str, reason: str, hint: str) -> None:
    poor = {"AUR": "treasury = 0", "chart": BARREN} if "Minefield" in order else {}
    found = complaint(at_home(**poor), order)

    assert found[0] == rule
    assert reason in found[1]
    assert hint in found[2]


@pytest.mark.rule("EN-VAL-3")
def test_a_known_unit_of_another_power_is_not_yours() -> None:
    here = situation(*HOME, phase="strategic", AUR='treasury = 20\nknown = ["Khar"]')

    assert complaint(here, "repair Khar")[:2] == ("EN-VAL-3", "'Khar' is not yours")

    seen = 'powers = ["KOR"]\nlevel = 6\nturn = 3\n[[power.contacts.Altair.units]]\nname = "Khar"\nowner = "KOR"\n'
    met = f'known = ["Khar"]\n[[power.contacts.Altair]]\n{seen}design = "Lance"\nmark = "DD-1"\nstate = "intact"\n'
    here = situation(*HOME, phase="strategic", AUR=met)
    assert complaint(here, "repair Khar")[1] == "'Khar' belongs to Korvan"


@pytest.mark.rule("EN-VAL-4")
def test_a_letter_for_another_turn_is_refused() -> None:
    assert complaint(at_home(), "turn 9\nbuild Lance at Vega")[0] == "EN-VAL-4"


@pytest.mark.rule("EN-VAL-9")
def test_a_system_without_a_shipyard_builds_no_ships() -> None:
    here = situation(
        *HOME,
        phase="strategic",
        AUR="treasury = 20",
        chart=BARREN.replace('{ name = "Altair" }', '{ name = "Altair", owner = "AUR", CEN = 3, MOR = 3, PROD = 3 }'),
    )

    assert complaint(here, "build Lance at Altair")[1] == "Altair has no intact Shipyard of yours"


@pytest.mark.rule("EN-VAL-11", "EN-VAL-12")
@pytest.mark.parametrize(
    ("rule", "stats", "reason"),
    [
        ("EN-VAL-11", "dv 3 as 3 af 2", "dv + as + af + cv is 8, but the CP of DD-2 is 7"),
        ("EN-VAL-11", "dv 5 as 1 af 1", "dv 5 is outside 2..4 for DD-2 (CP 7)"),
        ("EN-VAL-12", "dv 3 as 3 af 1 with recon", "Recon is for troop, and DD is a ship"),
        ("EN-VAL-12", "dv 3 as 3 af 1 with scout, armor, fast, command", "4 abilities, at most 3 at level 2"),
    ],
)
def test_bad_designs(rule: str, stats: str, reason: str) -> None:
    here = situation(phase="strategic", AUR="pending = { Escort = 1 }")

    assert complaint(here, f"design Spike DD {stats}")[:2] == (rule, reason)


@pytest.mark.rule("EN-VAL-15")
def test_the_message_of_a_restricted_lane_names_its_traffic() -> None:
    here = situation(force("AUR", "Deneb", "3 Bulwark", fleet="Big"), phase="strategic", AUR="treasury = 9")

    assert complaint(here, "Big: move Rigel")[:2] == (
        "EN-VAL-15",
        "the lane Deneb-Rigel takes 8 CC a turn; 0 CC use it, the fleet has 12 CC",
    )


@pytest.mark.rule("EN-VAL-34")
def test_no_allies_with_alliances_off() -> None:
    here = situation(phase="strategic", switches="alliances = false")

    assert complaint(here, "stance Korvan ally")[:2] == ("EN-VAL-34", "alliances are off in this campaign")


@pytest.mark.rule("EN-VAL-36")
def test_no_research_into_a_closed_path_or_beyond_level_5() -> None:
    here = situation(phase="strategic", AUR="treasury = 9\ntech = { Escort = 5 }")

    assert complaint(here, "research Escort 5")[1] == "Escort is at level 5; research needs 1..4"
    assert complaint(here, "research Capital 5")[1] == "Capital is at level 0; research needs 1..4"


# --- battle ----------------------------------------------------------------------------------------------------------

FIELD = (
    force("AUR", "Altair", "Bulwark Hood", "Lance Ajax", "Lance Lynx", "Roost Perch: Kestrel K1"),
    unit("AUR", "Altair", "Lance", "Lame", state="crippled"),
    force("AUR", "Vega", "Lance Away", "Bastion Rock"),
    force("KOR", "Altair", "Mule Ox"),
)


@pytest.mark.rule("EN-VAL-1", "EN-VAL-4", "EN-VAL-21", "EN-VAL-23", "EN-VAL-24", "EN-VAL-26", "EN-VAL-27")
@pytest.mark.rule("EN-VAL-28", "EN-VAL-29", "EN-VAL-33", "EN-VAL-35", "EN-VAL-37", "EN-VAL-38")
@pytest.mark.parametrize(
    ("rule", "order", "reason", "hint"),
    [
        ("EN-VAL-1", "direct ships biggest", "'biggest' is not understood", "direct ships at biggest"),
        ("EN-VAL-4", "mission screen", "'mission screen' under 'Battle Altair'", "under a squadron or a unit"),
        ("EN-VAL-4", "invade", "'invade' under Battle Altair", "it belongs under Ground Altair:"),
        ("EN-VAL-4", "build Lance at Vega", "'build' is no order of this phase", "the strategic letter"),
        ("EN-VAL-4", "direct troops at biggest", "'direct' under Battle Altair", "Ground Altair"),
        ("EN-VAL-21", "flagship Lame", "Lame is crippled", "highest CR: Hood"),
        ("EN-VAL-21", "flagship Away", "Away is at Vega", "highest CR: Hood"),
        ("EN-VAL-21", "flagship Hood\nsquadron Red = Ajax", "the Flagship Hood is in no squadron", "highest CR: Ajax"),
        ("EN-VAL-23", "squadron Red = Hood, Ajax, Lynx", "Red has 8 CC, its highest CR is 6; dropped: Lynx", "6 CC"),
        ("EN-VAL-24", "squadron Red = Hood\nsquadron Blue = Hood, Ajax", "Hood is already in Red", "squadron Red"),
        ("EN-VAL-24", "squadron Red = Hood, K1", "K1 is a flight and cannot be in a squadron", "ships only"),
        ("EN-VAL-26", "K1: mission firecontrol", "K1 is a Kestrel and may not firecontrol", "allowed: engage"),
        ("EN-VAL-26", "Lame: mission screen", "Lame is crippled and may not screen", "no mission"),
        ("EN-VAL-27", "rounds 4", "rounds 4 is outside 1..3", "1 to 3"),
        ("EN-VAL-27", "Ajax: round 7 mission screen", "round 7 is outside 1..3", "1 to 3"),
        ("EN-VAL-28", "direct ships at Khar", "you know no enemy unit called 'Khar' (detection D3)", "use a selector"),
        ("EN-VAL-29", "exclude biggest", "readiness 6 gives a budget of 0 CC", "11 or more"),
        ("EN-VAL-33", "squadron Red = Hood\nRed: guard Hood 5", "5 steps are outside 1..4", "1 to 4"),
        ("EN-VAL-33", "squadron Red = Hood\nRed: guard Ajax", "Ajax is not in Red", "it is in none"),
        ("EN-VAL-35", "retreat to Deneb", "no lane joins Altair and Deneb", "neighbours: Rigel, Vega"),
        ("EN-VAL-37", "squadron Home = Hood", "'Home' is a keyword, a reserved squadron", "Home Squadron"),
        ("EN-VAL-38", "reserve Away", "Away is at Vega, not at Altair", "a unit at Altair"),
        ("EN-VAL-38", "station Hood", "Hood cannot be named here", "station is for Stations"),
        ("EN-VAL-38", "hold Hood", "Hood cannot be named here", "hold is for flights"),
        ("EN-VAL-38", "Away: mission screen", "Away is at Vega, not at Altair", "name a unit at Altair"),
    ],
)
def test_battle_cases(rule: str, order: str, reason: str, hint: str) -> None:
    found = complaint(situation(*FIELD), f"Battle Altair:\n{order}")

    assert found[0] == rule
    assert reason in found[1]
    assert hint in found[2]


def test_one_bad_line_never_costs_another() -> None:
    """The good lines of a letter full of bad ones are carried out."""
    bad = "nonsense\nbuild Lanse at Vega\nFirst Fleet: move Rigel\nAtlas: load B1, K1\nintel buy 9 at Vega\n"
    tried = play(at_home(), AUR=bad + "Empire: build Lance at Vega\nFirst Fleet: move Altair")

    assert [build.design for build in tried.state.builds] == ["Lance"]
    assert find(tried.state, "Hood").location == "Altair"
    assert find(tried.state, "B1").carrier == find(tried.state, "Atlas").id
    assert [one["ID"] for one in told(tried, "order_error", "AUR")] == rules_of(tried.sheets["AUR"])


@pytest.mark.rule("EN-VAL-26")
def test_fire_control_is_refused_with_the_switch_off() -> None:
    here = situation(*FIELD, switches="fire_control = false")

    assert complaint(here, "Battle Altair:\nAjax: firecontrol")[:2] == (
        "EN-VAL-26",
        "Fire Control is off in this campaign",
    )


@pytest.mark.rule("EN-VAL-29")
def test_a_forcing_without_budget_is_kept_but_without_effect() -> None:
    here = situation(force("AUR", "Altair", "Mule Atlas"), force("KOR", "Altair", "Mule Ox", "Mule Yak"))
    tried = play(
        here, AUR="Battle Altair:\n fight all\n rounds 1\n exclude biggest", KOR="Battle Altair:\n retreat none"
    )

    assert only_problem(tried, "AUR").instead == "the order is kept without effect"
    assert told(tried, "forced") == []


@pytest.mark.rule("EN-RUL-34", "EN-VAL-28")
def test_a_name_is_legal_once_it_is_known() -> None:
    known = situation(*FIELD, AUR='known = ["Ox"]')
    seen = situation(*FIELD, readiness("Altair", AUR_KOR="total = 15"))
    order = "Battle Altair:\n direct ships at Ox"
    assert GAME.read_orders(start(known), "AUR", order).problems == ()
    assert GAME.read_orders(start(seen), "AUR", order).problems == ()


# --- ground ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-VAL-30", "EN-VAL-31", "EN-VAL-32")
@pytest.mark.parametrize(
    ("rule", "order", "reason"),
    [
        ("EN-VAL-30", "assault", "no troops of yours are landed at Altair"),
        ("EN-VAL-30", "orbital yes", "Altair is not yours: only its owner may force an orbital battle"),
        (
            "EN-VAL-31",
            "bombard support\nbombard strike cen",
            "bombardment at Altair is used once a turn; support stands",
        ),
    ],
)
def test_ground_cases(rule: str, order: str, reason: str) -> None:
    here = situation(force("AUR", "Altair", "Mule Atlas: Line 1st"), phase="ground")

    assert complaint(here, f"Ground Altair:\n{order}")[:2] == (rule, reason)


@pytest.mark.rule("EN-VAL-30", "EN-VAL-31", "EN-VAL-32")
def test_more_ground_cases() -> None:
    """In an own system: nothing to land, no strike, and landed troops always fight."""
    here = situation(force("AUR", "Vega", "Militia M1"), force("KOR", "Vega", "Line Guard"), phase="ground")
    faced = situation(force("KOR", "Vega", "Mule Ox: Line Guard"), force("AUR", "Vega", "Lance Ajax"), phase="ground")

    assert complaint(here, "Ground Vega:\n bombard strike")[:2] == (
        "EN-VAL-31",
        "Vega belongs to your own bloc: no strike",
    )
    assert complaint(here, "Ground Vega:\n exclude own M1")[:2] == (
        "EN-VAL-32",
        "M1 is landed: landed troops always fight",
    )
    assert complaint(faced, "Ground Vega:\n invade")[:2] == ("EN-VAL-30", "no troops of yours at Vega can land")


@pytest.mark.rule("EN-VAL-4")
def test_a_battle_line_for_a_system_without_a_battle_is_ignored_with_a_note() -> None:
    assert complaint(situation(*FIELD), "Battle Deneb:\n fight all")[:2] == (
        "EN-VAL-4",
        "Battle Deneb: there is no such battle of yours in this phase",
    )


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


# --- whole battle letters --------------------------------------------------------------------------------------------


def read_at_altair(text: str) -> Sheet[Any]:
    """A letter of AUR before a battle at Altair, where it is at D3 and has no budget."""
    scene = situation(
        force(
            "AUR", "Altair", "Bulwark Hood", "Lance Ajax", "Lance Lynx", "Nest Roc: Kestrel K1, Hammer H1", "Bastion"
        ),
        force("KOR", "Altair", "Bulwark Khar", "Lance Dagh"),
    )
    return GAME.read_orders(start(scene), "AUR", text)


SOUND = (
    "Battle Altair: fight all\n squadron Red = Hood, Ajax\nAjax: fire control",
    "Battle Altair: squadron Red = Hood\nHood: round 2 fire control\nHood: fire control\nHood: round 3 suppress 2",
    "BATTLE ALTAIR: FIGHT KORVAN\n RETREAT LOSSES 50%\n Retreat To vega",
    "Battle Altair:\n direct all at kill biggest x2, DD x 1, Escort",
    "Battle Altair:\n station Bastion 1\n flagship Bastion 1",
    "Battle Altair:\n squadron Red = Hood, Ajax\nRed: guard Hood 4, flagship, biggest x 1 2, Lance 2, CA",
    "Empire: doctrine direct ships at crippled, kill flagship\ndoctrine engage always\nBattle Altair: decline",
    "Altair Squadron: doctrine retreat all",
    "Home: mission screen\nPressed: engage\nLanding: screen\n1: mission screen",
    "Battle Altair:\n fight all\nHood: rounds 2",
    "fight all",
)


FAULTY = {
    "Battle Altair:\n flagship Bastion 1": ["EN-VAL-21"],
    "Battle Altair:\n squadron Red = Hood\nRed: guard Foo": ["EN-VAL-2"],
    "Battle Altair:\n squadron Red = Hood\nRed: guard Ajax": ["EN-VAL-33"],
    "Battle Altair:\n squadron Red = Hood\nRed: guard Hood 5": ["EN-VAL-33"],
    "Battle Altair:\n exclude own K1": ["EN-VAL-4"],
    "Battle Altair:\n invade": ["EN-VAL-4"],
    "Battle Rigel:\n fight all": ["EN-VAL-4"],
    "Ground Altair:\n fight all": ["EN-VAL-4"],
    "Ground Altair:\n invade\n bombard strike prod, cen\n orbital yes": ["EN-VAL-30"],
    "build Lance at Vega": ["EN-VAL-4"],
    "Battle Altair:\n fite all": ["EN-VAL-1"],
    "Battle Altair:\n mission engage": ["EN-VAL-4"],
    "Bastion 1: mission disengage\nK1: mission firecontrol\nH1: disengage": ["EN-VAL-26", "EN-VAL-26"],
    "Battle Altair:\n hold K1, Hood, Foo": ["EN-VAL-38", "EN-VAL-2"],
    "Battle Altair:\n rounds 4\n rounds 0\nHood: round 4 mission screen": ["EN-VAL-27", "EN-VAL-27", "EN-VAL-27"],
    "Battle Altair:\n squadron Red = Hood, K1, Bastion 1": ["EN-VAL-24", "EN-VAL-24"],
    "Battle Altair:\n squadron Red = Hood\n squadron Blue = Hood, Ajax": ["EN-VAL-24"],
    "Battle Altair:\n squadron Home = Hood": ["EN-VAL-37"],
    "Battle Altair:\n direct ships at Khar": ["EN-VAL-28"],
    "Battle Altair:\n direct troops at biggest": ["EN-VAL-4"],
    "Battle Altair:\n include biggest": ["EN-VAL-29"],
    "Battle Altair:\n retreat to Deneb": ["EN-VAL-35"],
    "Battle Altair:\n doctrine engage always": ["EN-VAL-4"],
    "Hood: doctrine retreat all": ["EN-VAL-4"],
    "Battle Altair:\n squadron Red = Hood, Ajax, Lynx": ["EN-VAL-23"],
}


@pytest.mark.parametrize("text", SOUND)
def test_a_sound_letter_has_no_problems(text: str) -> None:
    assert read_at_altair(text).problems == ()


@pytest.mark.parametrize(("text", "rules"), FAULTY.items())
def test_a_fault_is_named_by_its_case(text: str, rules: list[str]) -> None:
    assert sorted(rules_of(read_at_altair(text))) == sorted(rules)


def test_what_stands_of_a_list_is_said_as_it_is() -> None:
    """Section 7: legal items of a list stand, so the complaint about the others must not call the line ignored."""
    (complaint,) = read_at_altair("Battle Altair:\n direct ships at Khar, biggest").problems
    assert (complaint.rule, complaint.instead) == ("EN-VAL-28", "the rest of the line stands")


@pytest.mark.rule("EN-VAL-22")
def test_a_squadron_formed_anew_stands_where_its_last_line_stands() -> None:
    """Pickets have CR 3: of A, B, C, D and A again the first three in line order are B, C, D."""
    scene = situation(force("AUR", "Altair", "5 Picket"), force("KOR", "Altair", "Mule Ox"))
    named = "".join(f"squadron {name} = Picket {number}\n" for number, name in enumerate("ABCD", 1))
    aur = f"Battle Altair:\n fight all\n rounds 1\n direct all none\n flagship Picket 2\n{named}squadron A = Picket 5\n"
    tried = play(scene, 1, AUR=aur, KOR="Battle Altair:\n rounds 1\n")
    assert list(squadrons(tried, "AUR")) == ["B", "C", "D"]
    assert [problem.instead for problem in tried.sheets["AUR"].problems] == ["these stand: B, C, D"]


def test_a_problem_weighs_what_it_costs() -> None:
    """Refused: nothing of the line stands; changed: something else does; a note leaves it as it is."""
    text = """
    Battle Altair:
     squadron Red = Hood, Ajax, Lynx
     include biggest
     rounds 9
     direct ships at Khar, biggest
    Blue: mission screen
    """
    weights = {problem.text: problem.weight for problem in read_at_altair(text).problems}

    assert weights == {
        "squadron Red = Hood, Ajax, Lynx": "changed",
        "include biggest": "changed",
        "rounds 9": "refused",
        "direct ships at Khar, biggest": "changed",
        "mission screen": "note",
    }


@pytest.mark.rule("EN-VAL-3")
def test_a_header_with_a_unit_of_another_names_its_owner_if_it_is_known() -> None:
    met = 'known = ["Khar"]\n[[power.contacts.Altair]]\npowers = ["KOR"]\nlevel = 6\nturn = 4\n'
    seen = 'units = [{ name = "Khar", owner = "KOR", design = "Bulwark", mark = "CA-1", state = "intact" }]\n'
    state = start(situation(force("AUR", "Vega", "Lance Ajax"), phase="strategic", AUR=met + seen))
    header, order = GAME.read_orders(state, "AUR", "Khar: move Altair").problems

    assert (header.rule, header.reason) == ("EN-VAL-3", "'Khar' is not yours to command: it belongs to Korvan")
    assert (order.rule, order.weight) == ("EN-VAL-3", "refused")

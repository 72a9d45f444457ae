"""Section 6: headers, several battles in one letter, doctrines, silent orders, letters that follow."""

from __future__ import annotations

import pytest

from games.encounters import GAME
from games.encounters.orders.records import BattleOrder, Order
from pbem.kit.dice import LoadedDice
from pbem.kit.merging import merged_text
from pbem.kit.sheet import Sheet
from tests.games.encounters.builders import (
    find,
    force,
    only_problem,
    play,
    ratings,
    readiness,
    situation,
    squadrons,
    start,
    told,
    unit,
)

TWO_BATTLES = situation(
    force("AUR", "Altair", "Lance Ajax"),
    force("AUR", "Vega", "Lance Lynx"),
    force("KOR", "Altair", "Mule Ox"),
    force("KOR", "Vega", "Mule Yak"),
    switches="max_rounds = 1",
)


def orders(text: str) -> list[tuple[str, str, str]]:
    sheet = GAME.read_orders(start(TWO_BATTLES), "AUR", text)
    assert sheet.problems == ()
    return [(one.where, one.system, one.topic) for one in sheet.orders if isinstance(one, BattleOrder)]


def battle_orders(sheet: Sheet[Order]) -> list[BattleOrder]:
    """The orders of a letter that has battle and ground lines alone."""
    found = [one for one in sheet.orders if isinstance(one, BattleOrder)]
    assert len(found) == len(sheet.orders)
    return found


def test_the_examples_of_6_7_read_without_a_problem() -> None:
    """The strategic and the battle letter as printed, on a campaign that has all they name."""
    lines = force("AUR", "Vega", "Slipway", "Line 1st Line", "Line 2nd Line")
    ships = force("AUR", "Vega", "Bulwark Hood", "Lance Ajax", "Mule Atlas", fleet="First Fleet")
    lame = unit("AUR", "Vega", "Lance", "Lynx", state="crippled", fleet="Second Fleet")
    here = situation(lines, ships, lame, phase="strategic", AUR="treasury = 30\nintel = { Altair = 2 }")
    sheet = GAME.read_orders(start(here), "AUR", STRATEGIC)
    assert sheet.problems == ()

    field = situation(
        force("AUR", "Altair", "Bulwark Hood", "Lance Ajax", "Watcher Argus", "Warden Lion"),
        force("AUR", "Altair", "Mule Atlas: Line 1st Line, Line 2nd Line"),
        force("KOR", "Altair", "Lance Dagh"),
        readiness("Altair", AUR_KOR="total = 11"),
    )
    sheet = GAME.read_orders(start(field), "AUR", BATTLE)
    assert sheet.problems == ()
    assert ("ground", "Altair", "start") in [(one.where, one.system, one.topic) for one in battle_orders(sheet)]


STRATEGIC = """
# Aurigan League, turn 4
stance Korvan war
build 2 Lance at Vega
repair Lynx                   # Lynx lies in Second Fleet, which holds
intel buy 2 at Vega
intel spend 2 at Altair
research Escort 8
First Fleet:
  transfer Atlas to Second Fleet
  move Altair
Second Fleet: hold
Atlas: load 1st Line, 2nd Line
Empire: doctrine retreat losses 60    # the power's own
"""

BATTLE = """
Battle Altair:
  fight all
  flagship Hood
  squadron Red = Hood, Ajax
  squadron Blue = Argus, Lion
  reserve Atlas
  exclude carriers, biggest
  direct ships at flagship, intact
  absorb cheap-first
  rounds 3
  retreat losses 50
  retreat to Vega
  pursue yes
Ajax: mission disrupt flagship
Lion: mission screen
Blue: guard Argus
Blue: round 3 mission disengage
Ground Altair:
  invade
  bombard support
  exclude own 2nd Line
  direct troops at kill weakest
"""


def test_a_header_belongs_to_the_battle_above_it_or_to_where_the_unit_is() -> None:
    assert orders("Battle Altair:\n fight all\nAjax: screen\nBattle Vega: decline") == [
        ("battle", "Altair", "fight"),
        ("battle", "Altair", "missions"),
        ("battle", "Vega", "fight"),
    ]
    assert orders("Lynx: screen") == [("battle", "Vega", "missions")]


def test_squadrons_of_the_same_name_in_two_battles_are_kept_apart() -> None:
    text = "Battle Altair:\n squadron Red = Ajax\nRed: screen\nBattle Vega:\n squadron Red = Lynx\nRed: disengage"
    sheet = GAME.read_orders(start(TWO_BATTLES), "AUR", text)
    missions = [(one.system, one.value.mission) for one in battle_orders(sheet) if one.topic == "missions"]

    assert missions == [("Altair", "screen"), ("Vega", "disengage")]
    assert [block.unit for block in sheet.blocks] == [
        "Battle Altair",
        "Red (Battle Altair)",
        "Battle Vega",
        "Red (Battle Vega)",
    ]


def test_a_second_letter_replaces_only_the_block_it_names() -> None:
    state = start(TWO_BATTLES)
    first = GAME.read_orders(
        state,
        "AUR",
        "Battle Altair:\n fight all\n squadron Red = Ajax\nRed: screen\nBattle Vega:\n decline\nLynx: screen",
    )
    second = GAME.read_orders(state, "AUR", "Red (Battle Altair): disengage")
    assert [one.reason for one in second.problems] == ["no unit or squadron called 'Red' here"]
    merged = GAME.read_orders(state, "AUR", merged_text(first.blocks, second))

    assert merged.problems == ()
    assert [(one.system, one.value.mission) for one in battle_orders(merged) if one.topic == "missions"] == [
        ("Altair", "disengage"),
        ("Vega", "screen"),
    ]


def test_fleet_is_as_good_as_empire_and_power_orders_stand_under_any_header() -> None:
    state = start(situation(force("AUR", "Vega", "Lance Ajax", fleet="F"), phase="strategic", AUR="treasury = 9"))
    sheet = GAME.read_orders(
        state, "AUR", "F: move Altair\nresearch Escort 3\nFleet: doctrine engage always\nEND\nnonsense"
    )

    assert sheet.problems == ()
    assert len(sheet.orders) == 3


def test_silence_is_told() -> None:
    state = start(situation(force("AUR", "Vega", "Lance Ajax", fleet="F"), phase="strategic", AUR="treasury = 9"))

    assert GAME.read_orders(state, "AUR", "").defaults == ("F stays at Vega.", "26 EP stay in the treasury.")
    assert GAME.read_orders(state, "AUR", "F: hold").defaults == ("26 EP stay in the treasury.",)


def test_two_powers_may_draw_designs_of_the_same_name() -> None:
    """Nobody learns from a receipt what another has drawn."""
    pending = "pending = { Escort = 1 }"
    here = situation(phase="strategic", AUR=pending, KOR=pending)
    tried = play(here, AUR="design Spike DD dv 3 as 3 af 1", KOR="design Spike DD dv 3 as 2 af 2")

    assert tried.sheets["KOR"].problems == ()
    assert {key: design.AS for key, design in tried.state.designs.items()} == {"AUR:Spike": 3, "KOR:Spike": 2}


# --- doctrine --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-CMB-2")
def test_a_fleet_doctrine_goes_before_the_powers_and_an_order_before_both() -> None:
    """The Flagship's fleet never engages though the power always does."""
    fleet = '[[fleet]]\nname = "F"\nowner = "AUR"\ndoctrine = { engage = "never" }\n'
    here = situation(
        force("AUR", "Altair", "Lance Ajax", fleet="F"),
        fleet,
        force("KOR", "Altair", "Mule Ox"),
        AUR='doctrine = { engage = "always" }',
        switches="max_rounds = 1",
    )

    assert told(play(here), "no_combat")
    assert told(play(here, 1, AUR="Battle Altair:\n fight all", KOR="Battle Altair:\n retreat none"), "combat")


def test_a_doctrine_stays_until_changed() -> None:
    here = situation(force("AUR", "Vega", "Lance Ajax", fleet="F"), phase="strategic")
    tried = play(here, AUR="doctrine direct ships at kill biggest x 2\nF: doctrine retreat losses 40 %")

    assert tried.state.powers["AUR"].doctrine == {"direct ships": "at kill biggest x 2"}
    assert tried.state.fleets[0].doctrine == {"retreat": "losses 40"}


# --- the ground phase's silent orders --------------------------------------------------------------------------------

ASSAULT = situation(
    force("AUR", "Rigel", "Bulwark Hood", "Lance Ajax", "Mule Atlas: Line 1st"),
    force("KOR", "Rigel", "Mule Ox", "Turret Gun"),
    switches="max_rounds = 1",
)


def test_a_ground_block_in_the_battle_letter_is_the_silent_order_of_the_ground_phase() -> None:
    letter = "Battle Rigel:\n decline\nGround Rigel:\n invade\n bombard none\n retreat none"
    battle = play(ASSAULT, AUR=letter, KOR="Battle Rigel:\n decline")
    assert battle.state.phase == "ground"

    silent = {side: GAME.read_orders(battle.state, side, "") for side in ("AUR", "KOR")}
    after = GAME.resolve(battle.state, silent, LoadedDice(1, 1, 1, 1))
    assert [event.kind for event in after.events if event.kind in ("orbital", "landed", "bombard")] == [
        "orbital",
        "landed",
    ]

    refused = {**silent, "AUR": GAME.read_orders(battle.state, "AUR", "Ground Rigel:\n no attack")}
    assert not [event for event in GAME.resolve(battle.state, refused, LoadedDice()).events if event.kind == "landed"]


def test_an_orbital_battle_is_fought_on_the_battle_letter_where_the_ground_letter_is_silent() -> None:
    letter = "Battle Rigel:\n decline\n squadron Red = Hood, Ajax\n retreat none\nAjax: mission screen\nRed: guard Ajax"
    battle = play(ASSAULT, AUR=letter, KOR="Battle Rigel:\n decline")
    sheets = {
        "AUR": GAME.read_orders(battle.state, "AUR", "Ground Rigel:\n invade"),
        "KOR": GAME.read_orders(battle.state, "KOR", ""),
    }
    after = GAME.resolve(battle.state, sheets, LoadedDice(1, 1, 1))

    forces = next(event.facts for event in after.events if event.kind == "forces" and event.facts["power"] == "AUR")
    assert forces["squadrons"] == [["Red", ["Hood", "Ajax"]], ["Landing", ["Atlas"]]]
    assert [e.facts["unit"] for e in after.events if e.kind == "mission"] == ["Ajax"]


def test_numbers_name_the_squadrons_of_the_auto_arrangement() -> None:
    here = situation(
        force("AUR", "Altair", "Bulwark Hood", "Lance Ajax"),
        force("KOR", "Altair", "Mule Ox"),
        switches="max_rounds = 1",
    )
    tried = play(here, AUR="Battle Altair:\n fight all\n1: screen", KOR="Battle Altair:\n retreat none")

    assert squadrons(tried, "AUR") == {"1": ["Hood", "Ajax"]}
    assert ratings(tried) == {"Hood": 1}


def test_a_list_stands_as_far_as_it_is_legal() -> None:
    here = situation(force("AUR", "Vega", "Mule Atlas", "2 Breaker", fleet="Train"), phase="strategic")
    tried = play(here, AUR="Atlas: load Breaker 1, Breaker 2")

    assert only_problem(tried, "AUR").rule == "EN-VAL-18"
    assert only_problem(tried, "AUR").instead == "the rest of the line stands"
    assert find(tried.state, "Breaker 1").carrier == find(tried.state, "Atlas").id

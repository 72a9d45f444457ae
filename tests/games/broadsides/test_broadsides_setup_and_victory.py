"""Chapter 4.18: sheets, forces, setup orders and victory points."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.broadsides import GAME
from games.broadsides.rules.catalogue import own_entries, printed
from games.broadsides.rules.force import check_force, most_sensor_upgrades, ship_points
from games.broadsides.rules.prices import fighter_price, price, weapon_value
from games.broadsides.rules.victory import final_scores, scores, verdict
from games.broadsides.state import Program
from pbem.kit.codec import BadData, same
from pbem.kit.dice import KeyedDice, LoadedDice
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import parse_scenario, scenarios_of
from pbem.play.trial import run_trial
from tests.games.broadsides.builders import FAR, rules_broken, situation, state_of, unit

ROOT = Path(__file__).parents[3]
SECTION = {"name": "main", "structure": 20, "armour": 3}


def force(*units: dict[str, object], **fields: object) -> list[str]:
    state = state_of(*units, **fields)
    return check_force(state)


@pytest.mark.rule("BR-SET-1", "BR-SET-4")
def test_year_and_speed_are_rolled_or_given():
    rolled = GAME.setup(
        situation(
            unit("EA", "Ajax", "Lance"), turn=0, year="roll", start_speed="roll", switches={"escort_rule": False}
        ),
        LoadedDice(1, 10, 2),
    )
    fixed = GAME.setup(
        situation(unit("EA", "Ajax", "Lance"), turn=0, year=2261, start_speed=6, switches={"escort_rule": False}),
        LoadedDice(),
    )

    assert (rolled.year, rolled.start_speed) == (2220, 5)
    assert (fixed.year, fixed.start_speed, fixed.ships["Ajax"].speed) == (2261, 6, 6)


@pytest.mark.rule("BR-SET-2", "BR-VAL-25")
def test_each_side_needs_a_jump_ship_unless_it_defends():
    assert force(unit("EA", "Ajax", "Lance")) == ["EA has 0 jump-capable ships, at least 1 is needed"]
    sides = [{"id": "EA", "name": "EA", "defender": True}, {"id": "Narn", "name": "Narn"}]
    assert force(unit("EA", "Ajax", "Lance"), sides=sides) == []
    with pytest.raises(BadData, match="at least 1 is needed"):
        GAME.setup(situation(unit("EA", "Ajax", "Lance"), turn=0, year=2240, start_speed=5), LoadedDice())


@pytest.mark.rule("BR-SET-3")
def test_each_jump_ship_escorts_two_smaller_ones():
    fleet = [
        unit("EA", "Vigil", "Vigil"),
        unit("EA", "Ajax", "Lance"),
        unit("EA", "A", "Picket"),
        unit("EA", "B", "Picket"),
        unit("EA", "C", "Picket"),
    ]

    assert [fault.split()[6] for fault in force(*fleet)] == ["Ajax", "C"]
    assert force(*fleet[:1], *fleet[2:4]) == []


@pytest.mark.rule("BR-SET-6")
@pytest.mark.rule("BR-RUL-34")
def test_ships_start_full_with_twelve_standard_missiles_unless_loaded_otherwise():
    state = state_of(
        unit("EA", "Dover", "Picket"),
        turn=0,
        year=2240,
        start_speed=5,
        switches={"escort_rule": False, "missile_mix": "open"},
    )
    assert state.ships["Dover"].weapon["MR1"].ammunition == {"standard": 12}
    assert state.ships["Dover"].weapon["MP1"].charge == 6
    sheet = GAME.read_orders(state, "EA", "Dover: load MR1 standard 8 heavy 4")
    after = GAME.resolve(state, {"EA": sheet}, LoadedDice()).state
    assert after.ships["Dover"].weapon["MR1"].ammunition == {"standard": 8, "heavy": 4}
    assert rules_broken(state, "EA", "Dover: load MR1 standard 13") == ["BR-VAL-24"]


@pytest.mark.rule("BR-SET-7", "BR-JAM-3")
def test_upgrades_depend_on_race_and_year_and_cost_a_twentieth():
    assert [most_sensor_upgrades(printed(), race, 2261) for race in ("EA", "Minbari", "Ancient", "Pakmara")] == [
        1,
        3,
        0,
        1,
    ]
    state = state_of(unit("EA", "Ajax", "Lance", sensor_upgrades=1, jammer_upgrade=True))
    assert ship_points(printed(), state.ships["Ajax"]) == 315 + 16 + 16
    setup = state_of(unit("EA", "Ajax", "Lance"), turn=0, year=2261, start_speed=5, switches={"escort_rule": False})
    assert rules_broken(setup, "EA", "Ajax: upgrade sensors 2") == ["BR-VAL-25"]
    sheet = GAME.read_orders(setup, "EA", "Ajax:\n upgrade sensors 1\n upgrade jammer")
    ajax = GAME.resolve(setup, {"EA": sheet}, LoadedDice()).state.ships["Ajax"]
    assert (ajax.sensor_upgrades, ajax.jammer_upgrade) == (1, True)


@pytest.mark.rule("BR-SET-8")
def test_drakh_raiders_are_as_agile_as_fighters():
    raider = printed().classes["Raider"]

    assert (str(raider.turn_factor), raider.agile) == ("1/4", True)


@pytest.mark.rule("BR-SET-9")
@pytest.mark.rule("BR-RUL-50")
def test_the_whole_catalogue_is_priced_by_the_book():
    catalogue = printed()

    assert {name: price(sheet, catalogue) for name, sheet in catalogue.classes.items()} == {
        name: sheet.points for name, sheet in catalogue.classes.items()
    }
    assert {name: weapon_value(weapon) for name, weapon in catalogue.weapons.items()} == {
        name: weapon.value for name, weapon in catalogue.weapons.items()
    }
    for name, craft in catalogue.fighters.items():
        assert craft.kind != "fighter" or fighter_price(craft) == craft.points, name


@pytest.mark.rule("BR-SET-10", "BR-VAL-29")
def test_deployment_within_three_hexes_and_one_step_of_heading():
    base = {"turn": 0, "year": 2240, "start_speed": 5, "switches": {"escort_rule": False}}
    state = state_of(unit("EA", "Ajax", "Lance", (0, 10)), unit("EA", "Sentry", "Sentry", (5, 5)), **base)

    sheet = GAME.read_orders(state, "EA", "Ajax: deploy 2,9 heading 1 facing 0")
    ajax = GAME.resolve(state, {"EA": sheet}, LoadedDice()).state.ships["Ajax"]
    assert (ajax.position, ajax.heading, ajax.facing) == (Hex(2, 9), 1, 0)
    for text in (
        "Ajax: deploy 0,14 heading 0",
        "Ajax: deploy 0,10 heading 2",
        "Sentry: deploy 5,6 heading 0",
        "Ajax: deploy 0,10 heading 7",
    ):
        assert rules_broken(state, "EA", text) == ["BR-VAL-29"]


@pytest.mark.rule("BR-VP-1")
def test_victory_points():
    """Lance 315: destroyed 315, withdrawn with a lost side 40%: 126; Kestrels destroyed, out, withdrawn."""
    state = state_of(
        unit("EA", "Ajax", "Lance", status="destroyed"),
        unit("EA", "Bold", "Lance", status="withdrawn", structure={"fore": 0}),
        unit(
            "EA", "Red", "Kestrel", (0, 0), status="withdrawn", fighters=[{"structure": 0}, {"dropped_out": True}, {}]
        ),
        unit("EA", "Pod", "Breaching pod", (0, 0), status="destroyed"),
        unit("Narn", "Tuk", "Tir-Zak", (0, 0), structure={"fore": 0}),
        prize=[{"unit": "Tuk", "alive": 500}, {"unit": "Ajax", "factor": 2}],
    )

    assert scores(state) == {"EA": 235 * 15 // 100, "Narn": 2 * 315 + 126 + (20 + 10 + 5) + 10}
    assert final_scores(state)["Narn"] == scores(state)["Narn"] + 500
    assert verdict(state).winner == "Narn"
    even = state_of(unit("EA", "Ajax", "Lance"), unit("Narn", "Tuk", "Tir-Zak"))
    assert verdict(even).winner == ""


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"class": {"X": {"race": "EA"}}}, "the key 'size' is missing"),
        ({"class": {"Raider": {"section": []}}}, "has the sections main"),
        ({"class": {"Raider": {"section": [{**SECTION, "A": ["ZZ1"]}]}}}, "no weapon called 'ZZ'"),
        (
            {"class": {"Raider": {"section": [{**SECTION, "A": ["BO1"], "B": ["BO1"]}]}}},
            "BO1 stands on the sheet 2 times",
        ),
        ({"class": {"Raider": {"section": [{**SECTION, "sensors": "two"}]}}}, "rows x width"),
        ({"class": {"Lance": {"race": "Elf"}}}, "no race called 'Elf'"),
        ({"class": {"Lance": {"colour": "red"}}}, "no such key"),
        ({"weapon": {"HL": {"damage": "lots"}}}, "damage is"),
        ({"weapon": {"HL": {"power": 0}}}, "power must be at least 1"),
    ],
)
def test_ship_sheets_are_checked_on_load(table: dict[str, object], message: str) -> None:
    """Each error names the place and what was expected."""
    with pytest.raises(BadData, match=message):
        own_entries(table, "file.toml")


def test_a_situation_may_change_a_printed_class():
    state = state_of(unit("EA", "Ajax", "Lance"), **{"class": {"Lance": {"ew": 9}}, "weapon": {"CL": {"power": 7}}})

    catalogue = state.cards
    assert (catalogue.classes["Lance"].ew, catalogue.weapons["CL"].power) == (9, 7)
    assert same(state) == state


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"unit": [unit("Drazi", "A", "Lance")]}, "no side called"),
        ({"unit": [unit("EA", "A", "Lanse")]}, "no class called"),
        ({"unit": [unit("EA", "A", "Lance", structure={"port": 3})]}, "Lance has fore, aft, primary"),
        ({"unit": [unit("EA", "A", "Lance", colour="red")]}, "no such key"),
        ({"unit": [unit("EA", "A", "Lance", (0, 0), heading=6)]}, "a direction is 0 to 5"),
        ({"unit": [unit("EA", "A", "Lance"), unit("EA", "A", "Lance")]}, "two units are called 'A'"),
        ({"unit": [unit("EA", "Red", "Kestrel", None)]}, "give a carrier or a position"),
    ],
)
def test_situations_are_checked_on_load(fields: dict[str, object], message: str) -> None:
    with pytest.raises(BadData, match=message):
        GAME.setup(situation(**fields), LoadedDice())


def test_the_scenarios_of_the_book():
    shipped = scenarios_of("broadsides")

    assert list(shipped) == ["border-incident", "the-gap", "siege-of-the-citadel"]
    siege = GAME.setup(shipped["siege-of-the-citadel"], KeyedDice(b"x"))
    assert (len(siege.ships), len(siege.flights)) == (24 + 23, 8 + 8)
    assert siege.flights["Citadel-F4"].carrier == "Citadel"


def test_the_situation_printed_in_the_rule_book_can_be_tried():
    text = (ROOT / "games/broadsides/rules.md").read_text(encoding="utf-8").split("```toml")[1].split("```")[0]

    done = run_trial(parse_scenario(text, "rules.md"))

    assert done.unused_dice == ()
    assert done.state.ships["Karn-Tal"].structure["fore"] == 30 - 16


def test_programs_may_be_written_as_in_orders():
    state = state_of(unit("EA", "Sentry", "Sentry", (0, 0), program="closing unless slow any"))

    assert state.ships["Sentry"].program == Program("closing", None, unless_slow=True, among="any")
    with pytest.raises(BadData, match="a program is"):
        state_of(unit("EA", "Sentry", "Sentry", (0, 0), program="wildly"))


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"structure": {"fore": -5}}, "test.unit[0].structure.fore: structure left is at least 0, not -5"),
        ({"blocks_lost": {"CL1": 9}}, "test.unit[0].blocks_lost.CL1: CL1 has 6 blocks, not 9"),
        ({"number": 3}, "test.unit[0].number: Lance is a ship; this is for flights"),
        ({"boarding_squads": [{"owner": "Narn", "section": "port"}]}, "test.unit[0].boarding_squads[0].section"),
        ({"weapon": {"HL9": {}}}, "test.unit[0].weapon.HL9: Lance has CL1"),
    ],
)
def test_a_file_is_told_what_a_ship_cannot_have(fields, where):
    with pytest.raises(BadData) as found:
        state_of(unit("EA", "Ajax", "Lance", (0, 0), **fields), FAR)
    assert str(found.value).startswith(where)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"number": 7}, "test.unit[0].number: a flight has 1 to 6 fighters, not 7"),
        ({"structure": {"fore": 1}}, "test.unit[0].structure: Kestrel is a flight; this is for ships"),
    ],
)
def test_a_file_is_told_what_a_flight_cannot_have(fields, where):
    with pytest.raises(BadData) as found:
        state_of(unit("EA", "Red", "Kestrel", (0, 0), **fields), FAR)
    assert str(found.value).startswith(where)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"first_fire": "X"}, "test.first_fire: no side called 'X'"),
        ({"map": {}}, "test.map: a radius, or columns and rows"),
        ({"standing": {"X": "Ajax: hold all"}}, "test.standing: no side called 'X'"),
        ({"unit": [unit("EA", "Hold", "Lance")]}, "test.unit: 'Hold' is an order word"),
        ({"prize": [{"unit": "Nobody"}]}, "test.prize.unit: no ship called 'Nobody'"),
        ({"terrain": {"field": [{"hexes": [[0, 0]], "density": 9}]}}, "test.terrain.field.density"),
        ({"formation": [{"side": "EA", "leader": "Far", "ships": []}]}, "test.formation[0]: EA has no ship"),
        ({"ballistic": [{"side": "EA", "launcher": "Nobody", "mount": "MR1", "launch_hex": [0, 0]}]}, "test.ballistic"),
        (
            {"ballistic": [{"side": "Narn", "launcher": "Far", "mount": "TA1", "launch_hex": [0, 0]}]},
            "test.ballistic[0].mount: Far has no ballistic mount 'TA1'; it has EM1, EM2, TO1",
        ),
    ],
)
def test_a_file_is_told_which_name_or_number_is_wrong(fields, where):
    with pytest.raises(BadData) as found:
        state_of(unit("EA", "Ajax", "Lance", (0, 0)), FAR, **fields)
    assert str(found.value).startswith(where)


def test_keys_of_the_other_kind_that_say_nothing_are_let_pass():
    state = state_of(
        unit("EA", "Ajax", "Lance", (0, 0), carrier="", flights=1),
        unit("EA", "Red", "Kestrel", (0, 0), rolled=False, structure={}, facing=2),
    )

    assert (state.ships["Ajax"].facing, state.flights["Red"].facing) == (0, 0)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"class": 3}, "test.unit[0].class: a text is needed"),
        ({"position": "here"}, 'test.unit[0].position: a hex is [q, r] or "q,r"'),
        ({"weapon": {"CL1": {"charge": "full"}}}, "test.unit[0].weapon.CL1.charge: a whole number is needed"),
        ({"weapon": {"CL1": {"load": 1}}}, "test.unit[0].weapon.CL1.load: no such key"),
        ({"weapon": {"CL1": 3}}, "test.unit[0].weapon.CL1: a table is needed"),
        ({"turning": {"dir": "left", "left": 1}}, "test.unit[0].turning.dir: 'left' is not one of port, starboard"),
        ({"speed": -1}, "test.unit[0].speed: a speed is at least 0, not -1"),
    ],
)
def test_an_error_in_a_file_names_its_place(fields, where):
    with pytest.raises(BadData) as found:
        state_of({**unit("EA", "Ajax", "Lance", (0, 0)), **fields}, FAR)
    assert str(found.value).startswith(where)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"turns": "many"}, "test.turns: a whole number is needed"),
        ({"colour": "red"}, "test.colour: no such key"),
        ({"ships": {}}, "test.ships: no such key"),
        ({"year": "2240"}, "test.year"),
        ({"formation": [{"side": "EA", "leader": "Ajax", "ships": [], "hex": "x"}]}, "test.formation[0].hex: a hex is"),
    ],
)
def test_an_error_in_the_head_of_a_file_names_its_place(fields, where):
    with pytest.raises(BadData) as found:
        state_of(unit("EA", "Ajax", "Lance", (0, 0)), FAR, **fields)
    assert str(found.value).startswith(where)

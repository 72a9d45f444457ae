"""Scenario and situation files: what they may say, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from games.battleshift import GAME
from pbem.kit.codec import BadData, same
from pbem.kit.dice import LoadedDice
from pbem.kit.scenario import Scenario, load_scenario, parse_scenario
from tests.games.battleshift.builders import FAR, SIDES, SITUATIONS, field, flight, named, planet, sq, state_of, tf

ROOT = Path(__file__).parents[3]


def test_every_situation_file_can_be_loaded_and_saved():
    for path in sorted(SITUATIONS.glob("*.toml")):
        scenario: Scenario = load_scenario(path)
        state = GAME.setup(scenario, LoadedDice())
        assert same(state) == state


def test_the_situation_in_the_rule_book_can_be_tried():
    """Section 14 of the rule book shows every kind of table; it must load as it stands."""
    book = (ROOT / "games" / "battleshift" / "rules.md").read_text(encoding="utf-8")
    shown = re.findall(r"```toml\n(.*?)```", book, re.DOTALL)[-1]
    state = GAME.setup(parse_scenario(shown, "rules.md"), LoadedDice())

    assert [squadron.name for squadron in state.squadrons] == ["Iron", "Heron"]
    assert same(state) == state


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"squadron": [{"name": "A", "side": "azure", "class": "Flet Cruiser"}]}, "no class called 'Flet Cruiser'"),
        ({"squadron": [{"name": "A", "side": "green", "class": "Fleet Cruiser"}]}, "no side called 'green'"),
        ({"squadron": [{"name": "A", "side": "azure", "class": "Fleet Cruiser", "sips": 3}]}, "no such key"),
        ({"taskforce": [{"name": "T", "side": "azure", "squadrons": ["B"]}]}, "there is no squadron B of azure"),
        ({"side": [{"id": "azure", "name": "Azure"}]}, "exactly two sides"),
        ({"switches": {"max_squadrons_per_tf": 6}}, "3 to 5"),
        ({"width_ft": 99}, "2 to 30 feet"),
    ],
)
def test_a_bad_situation_file_says_where_and_why(change, words):
    data = {"width_ft": 6, "height_ft": 4, "side": SIDES, "squadron": [], **change}

    with pytest.raises(BadData, match=re.escape(words)):
        GAME.setup(Scenario("battleshift", "test", "A test", data), LoadedDice())


@pytest.mark.rule("BS-TF-10")
@pytest.mark.parametrize(
    ("squadrons", "more", "where"),
    [
        ([FAR, FAR], {}, "Far"),
        ([sq("Lion", "Fleet Cruiser", "1,1", facing=400)], {}, "facing is 0 to 359, not 400"),
        ([{**sq("Lion", "Fleet Cruiser", "1,1"), "facing": "QQ"}], {}, "'QQ' is no bearing"),
        ([sq("Lion", "Fleet Cruiser", "1,1", damage=-1)], {}, "damage is 0 or more, not -1"),
        ([FAR], {"width_ft": 1}, "2 to 30 feet, not 1"),
        ([FAR], {"tfs": [tf("Guard", "Far", side="crimson", mode="all")]}, "'all' is not one of"),
        ([FAR], {"tfs": [tf("Guard", "Far", side="crimson", location="moon")]}, "'moon' is not one of"),
        ([sq("Lion", "Fleet Cruiser", "1,1", **field("return", {"turn": 1, "sector": "9Z", "facing": 0}))], {}, "'9Z'"),
        ([FAR], {"terrain": planet("banana 2")}, "no installation called 'banana'"),
        ([FAR], {"terrain": planet(quadrants={"N": {}})}, "no quadrant 'N'"),
    ],
)
def test_a_situation_that_cannot_be_is_refused(
    squadrons: list[dict[str, Any]], more: dict[str, Any], where: str
) -> None:
    with pytest.raises(BadData, match=where):
        state_of(squadrons, **more)


@pytest.mark.rule("BS-FLT-4")
def test_wings_of_a_quadrant_are_one_a_bay_unless_the_situation_says_otherwise() -> None:
    quadrants = {"NE": {"installations": ["bay 2"], "wings_aboard": 0}, "SE": {"installations": ["bay 2"]}}
    (terra,) = state_of([FAR], terrain=planet(quadrants=quadrants)).terrain
    assert {place: one.wings_aboard for place, one in terra.quadrants.items()} == {"NE": 0, "SE": 2, "SW": 0, "NW": 0}


@pytest.mark.rule("BS-FLT-2")
def test_membership_may_be_written_at_the_squadron_and_must_agree() -> None:
    one = sq("Lion", "Fleet Cruiser", "10,10", taskforce="Guard")
    (guard,) = state_of([one, FAR], [{"name": "Guard", "side": "azure"}]).taskforces
    assert (guard.squadrons, guard.flagship) == (("Lion",), "Lion.1")
    with pytest.raises(BadData, match="no taskforce 'Guard' of azure lists it"):
        state_of([one, FAR])
    with pytest.raises(BadData, match="more than one taskforce: Guard, Other"):
        state_of([one, FAR], [tf("Guard", "Lion"), tf("Other", "Lion")])


@pytest.mark.rule("BS-SHF-8")
def test_doctrine_and_placement_are_read_by_the_names_of_the_data_model() -> None:
    back = {"turn": 5, "sector": "2C", "facing": "S", "placement": "18,30"}
    squadrons = [sq("Lion", "Light Carrier", "10,10"), sq("Late", "Fleet Cruiser", "0,0", **field("return", back)), FAR]
    state = state_of(squadrons, None, [flight("Hawk", "Lion", 2, "10,8", doctrine="intercept any min 2")])
    (hawk,) = state.flights
    assert hawk.standing == ("intercept any min 2",)
    late = named(state, "Late").returns
    assert late is not None
    assert (late.x, late.y, late.facing) == (1800, 3000, 180)

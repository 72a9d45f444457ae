"""Section 14: any field can be written down, and a wrong file is refused with its place and reason."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from games.galleys import GAME
from games.galleys.data import CLASSES
from games.galleys.state import Level, Ship, State
from pbem.kit.codec import BadData, plain, same
from pbem.kit.dice import LoadedDice
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import Scenario, parse_scenario, scenarios_of
from pbem.play.trial import run_trial
from tests.games.galleys.builders import SITUATIONS, THEIRS, THEM, US, link, sea, ship

HEAD = """
game = "galleys"
[scenario]
cols = 40
rows = 30
[[side]]
name = "Athens"
[[side]]
name = "Corinth"
"""


def made(text: str) -> State:
    return GAME.setup(parse_scenario(HEAD + text, "question.toml"), LoadedDice())


EVERY_FIELD: dict[str, Any] = {
    "crew": 2,
    "marine_quality": -1,
    "ram": 1,
    "star": True,
    "towers": True,
    "jettisoned": True,
    "marines": 1,
    "flame": True,
    "firepots": 9,
    "corvus": True,
    "fatigue": 3,
    "crippled": True,
    "rammed": True,
    "fire": 2,
    "last_level": "max",
    "avoid_count": 4,
    "debt": 5,
    "reacted": True,
    "fired": True,
    "ram_used": True,
    "level": "full",
    "spent": 6,
    "attacked": True,
    "lost_turn": 1,
    "home_side": THEM,
    "home_squadron": "Ravens",
    "doctrines": {"react": "ram rake"},
    "prize": True,
    "flagship": True,
    "roster": 7,
}


def test_every_field_of_a_ship_can_be_set() -> None:
    """A ship as it is stored is a ship of a file."""
    stored = sea([ship("Ajax", "trireme", "10,10/4", **EVERY_FIELD)]).ship("Ajax")

    placed = {"name", "side", "squadron", "ship_class", "bow", "facing", "status"}
    assert {field.name for field in fields(Ship)} == EVERY_FIELD.keys() | placed
    assert sea([plain(stored)]).ship("Ajax") == stored


def test_a_ship_with_all_its_fields() -> None:
    found = sea([ship("Ajax", "trireme", "10,10/4", **EVERY_FIELD)]).ship("Ajax")

    assert {name: getattr(found, name) for name in EVERY_FIELD} == EVERY_FIELD
    assert (found.bow, found.facing, found.last_level) == (Hex(10, 10), 4, Level.MAX)


def test_ships_in_tables_of_their_own_and_classes_changed_in_single_figures() -> None:
    state = made(
        """
        [[ship]]
        side = "Athens"
        name = "Ajax"
        class = "trireme"
        bow = [10, 10]
        facing = 1
        [[ship]]
        side = "Corinth"
        name = "Bia"
        class = "barge"
        at = "12,10/3"
        [class.trireme]
        hull = 6
        [class.barge]
        name = "Barge"
        size = "large"
        cruise = 1
        full = 1
        max = 1
        turn_cost = 2
        ram = 0
        hull = 1
        missile = 0
        marines = 0
        points = 1
        """.replace("        ", "")
    )

    assert [(found.name, found.squadron, found.roster) for found in state.ships] == [
        ("Ajax", "Athens ships", 1),
        ("Bia", "Corinth ships", 2),
    ]
    assert (state.classes["trireme"].hull, state.classes["trireme"].max) == (6, CLASSES["trireme"].max)
    assert state.classes["barge"].cruise == 1


def squadron(ships: str, more: str = "") -> str:
    return f'[[squadron]]\nside = "Athens"\nname = "Owls"\n{more}\nships = [{ships}]\n'


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        (squadron('["Ajax", "triremes", { at = "10,10/0" }]'), "class", "no class called 'triremes'"),
        (squadron('["Ajax", "trireme", { at = "10;10" }]'), "at", "a place is written"),
        (squadron('["Ajax", "trireme"]'), "Ajax", "its place is missing"),
        (squadron('["Ajax", "trireme", { at = "10,10/0", crews = 1 }]'), "crews", "did you mean 'crew'?"),
        (squadron('["Ajax", "trireme", { at = "10,10/0", crew = 3 }]'), "crew", "outside -1 to 2"),
        (squadron('["Ajax", "trireme", { at = "10,10/0", doctrines = { rum = "on" } }]'), "rum", "no such doctrine"),
        (squadron('["Ajax", "trireme", { at = "10,10/0", doctrines = { flame = "x" } }]'), "flame", "no value"),
        (squadron('["Ajax", "trireme", { at = "90,10/0" }]'), "Ajax", "off the map"),
        (squadron('"Ajax"'), "ships[0]", "a ship is"),
        (squadron("").replace("Athens", "Sparta"), "Owls", "no side called 'Sparta'"),
        (squadron('["Owls", "trireme", { at = "10,10/0" }]'), "question", "used twice"),
        ('[[link]]\nships = ["A", "B"]\n', "link", "no ship called 'A'"),
        ("[class.trireme]\nhull = 9\n", "hull", "outside 1 to 6"),
        ('[[ship]]\nname = "Ajax"\nclass = "trireme"\nsquadron = "Nowhere"\nat = "1,1/0"\n', "ship", "no squadron"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place_and_reason(text: str, where: str, why: str) -> None:
    with pytest.raises(BadData) as refusal:
        made(text)

    assert where in refusal.value.where
    assert why in refusal.value.why


def test_two_sides_are_needed() -> None:
    with pytest.raises(BadData, match="two sides are needed"):
        GAME.setup(
            Scenario("galleys", "one", "one", {"scenario": {"cols": 5, "rows": 5}, "side": [{"name": "A"}]}),
            LoadedDice(),
        )


def test_wind_is_checked() -> None:
    with pytest.raises(BadData, match="outside 0 to 2"):
        sea([ship("Ajax", "trireme", "10,10/0")], wind_force=3)


@pytest.mark.parametrize("path", sorted(SITUATIONS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_situation_uses_up_its_dice_and_survives_json(path: Any) -> None:
    found = run_trial(parse_scenario(path.read_text(encoding="utf-8"), path.name))

    assert found.unused_dice == ()
    assert same(found.state) == found.state


def test_the_scenarios_have_the_books_numbers() -> None:
    """Section 10.3 to 10.6: ships and starting points of both sides."""
    found = {}
    for key, scenario in scenarios_of("galleys").items():
        state = GAME.setup(scenario, LoadedDice())
        found[key] = [
            (fleet.name, sum(ship.side == fleet.name for ship in state.ships), fleet.start_points)
            for fleet in state.sides
        ]

    assert found == {
        "rhium": [(US, 5, 35), (THEM, 7, 43)],
        "myonnesus": [("Rome", 18, 170), ("Seleucid", 22, 162)],
        "actium": [("Octavian", 60, 358), ("Antony", 40, 531)],
        "mylae": [("Rome", 13, 143), ("Carthage", 12, 124)],
    }


def test_the_catalogue_has_the_books_classes() -> None:
    """Section 10.1: half is derived; spot checks at both ends of the table."""
    assert len(CLASSES) == 18
    lembos, sixteen = CLASSES["lembos"], CLASSES["hekkaidekeres"]
    assert (lembos.half, lembos.cruise, lembos.full, lembos.max, lembos.points) == (2, 4, 5, 7, 2)
    assert (sixteen.half, sixteen.turn_cost, sixteen.ram, sixteen.marines, sixteen.towers) == (1, 2, 5, 11, True)
    assert [code for code, klass in CLASSES.items() if klass.star] == ["trireme-elite", "quadrireme-rhodian"]


AJAX, BIA = ship("Ajax", "trireme", "10,5/0"), ship("Bia", "trireme", "20,5/0")


@pytest.mark.parametrize(
    ("given", "where", "why"),
    [
        ({"first_side": "Sparta"}, "scenario.first_side", "no side called 'Sparta'; known are Athens, Corinth"),
        ({"escape_squadrons": ["Owl"]}, "scenario.escape_squadrons", "no squadron called 'Owl'; did you mean 'Owls'?"),
        ({"sides": {US: {"commander": 4}}}, "side.Athens.commander", "4 is outside 0 to 3"),
        ({"sides": {US: {"break_percent": 5}}}, "side.Athens.break_percent", "5 is outside 10 to 100"),
        ({"sides": {US: {"activate_list": ["Ravens"]}}}, "activate_list", "no squadron of Athens called 'Ravens'"),
        ({"squadrons": [{"side": US, "name": "Larks", "morale": 13}]}, "Larks.morale", "13 is outside 2 to 12"),
        ({"mine": [{**AJAX, "marines": -1}]}, "Ajax.marines", "-1 is outside 0 to 14"),
        ({"mine": [{**AJAX, "debt": -1}]}, "Ajax.debt", "-1 is outside 0 to 99"),
        ({"mine": [{**AJAX, "at": "10,5/6"}]}, "Ajax.facing", "6 is outside 0 to 5"),
        ({"mine": [{**AJAX, "home_side": "Sparta"}]}, "Ajax.home_side", "no side with a squadron called 'Sparta'"),
        ({"mine": [{**AJAX, "home_squadron": "Owl"}]}, "Ajax.home_squadron", "did you mean 'Owls'?"),
        ({"links": [link("Ajax", "Bia", corvus_by="Ceto")]}, "link[0].corvus_by", "no ship of this link called 'Ceto'"),
        ({"links": [link("Ajax", "Ajax")]}, "link[0].ships", "a link joins two enemies"),
    ],
)
def test_a_file_that_refers_to_what_is_not_there_is_refused(given: dict[str, Any], where: str, why: str) -> None:
    with pytest.raises(BadData) as refusal:
        sea(**{"mine": [AJAX], "theirs": [BIA], **given})

    assert where in refusal.value.where
    assert why in refusal.value.why


@pytest.mark.rule("GA-BRD-7")
@pytest.mark.parametrize(
    "given", [{"prize": True}, {"home_side": THEM}, {"home_squadron": THEIRS}, {"prize": True, "home_side": THEM}]
)
def test_a_prize_in_a_file_comes_from_the_enemy(given: dict[str, Any]) -> None:
    """A ship away from home is a prize, and counts for the squadron it was taken from."""
    state = sea([AJAX, ship("Ceto", "trireme", "2,5/0", **given)], [BIA])

    ceto = state.ship("Ceto")
    assert (ceto.side, ceto.prize, ceto.home_side, ceto.home_squadron) == (US, True, THEM, THEIRS)
    assert [squadron.start_count for squadron in state.squadrons] == [1, 2]
    assert [fleet.start_points for fleet in state.sides] == [6, 12]

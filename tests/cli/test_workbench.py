"""Rules questions on the command line: try, orders check, map, schema, games, rules."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import games
from tests.cli.conftest import Run

SITUATION = """
game = "fleet_action"
title = "A question"
map_w = 60
map_h = 60
turn_limit = 8
turn = 1
engagement = "fixed"
[[side]]
id = "earth"
name = "Earth"
navy = "Earth"
role = "defender"
[[side]]
id = "narn"
name = "Narn"
navy = "Narn"
role = "attacker"
[[squadron]]
name = "Alpha"
side = "earth"
hex = "2020"
heading = 4
speed = 3
ships = [{ name = "Hyperion-1", class = "hyperion" }]
[[squadron]]
name = "Kha'Mak"
side = "narn"
hex = "2034"
heading = 1
speed = 3
ships = [{ name = "T'Loth-1", class = "tloth" }]
"""
EARTH = """Alpha:
path F3
fire heavy-laser at nearest pulse 3
hold secondary
hold medium-pulse
hold heavy-laser pulse 1-2
"""


@pytest.fixture
def question(tmp_path: Path) -> Path:
    (tmp_path / "question.toml").write_text(SITUATION)
    (tmp_path / "earth.txt").write_text(EARTH)
    (tmp_path / "narn.txt").write_text("Kha'Mak:\npath F3\nhold\n")
    return tmp_path / "question.toml"


WITH_ORDERS = ("--orders", "earth=earth.txt", "--orders", "narn=narn.txt")


def test_try_resolves_one_phase_with_the_given_dice(run: Run, question: Path) -> None:
    """FA-V-28: two laser dice, one hit, one damage die; T'Loth-1 is left with 17."""
    result = run("try", question, *WITH_ORDERS, "--dice", "4,2,6", "--json")

    answer = json.loads(result.stdout)
    assert [roll["face"] for roll in answer["rolls"]] == [4, 2, 6]
    assert {ship["name"]: ship["structure"] for ship in answer["state"]["ships"]} == {"Hyperion-1": 18, "T'Loth-1": 17}
    assert answer["problems"] == {"earth": [], "narn": []}
    assert answer["unused_dice"] == []
    assert answer["next_phase"]["turn"] == 2


def test_try_says_which_roll_was_next_when_dice_run_out(run: Run, question: Path) -> None:
    result = run("try", question, *WITH_ORDERS, "--dice", "4")

    assert result.exit_code == 2
    assert "the next roll is a d10" in str(result.exception)


def test_try_casts_fair_dice_when_none_are_given(run: Run, question: Path) -> None:
    result = run("try", question, *WITH_ORDERS)

    assert result.exit_code == 0
    assert "Rolls" in result.stdout


def test_try_prints_the_report_of_a_side_and_draws_its_map(run: Run, question: Path, tmp_path: Path) -> None:
    result = run("try", question, *WITH_ORDERS, "--report", "earth", "--map", "answer.png")

    assert "Pulse 3" in result.stdout
    assert (tmp_path / "answer.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--orders", "earth"), "--orders takes SIDE=FILE"),
        (("--orders", "mars=earth.txt"), "no side called 'mars'; the sides are earth, narn"),
        (("--orders", "earth=nothing.txt"), "there is no file nothing.txt"),
        (("--dice", "four"), "--dice takes faces"),
        (("--report", "mars"), "no side called 'mars'"),
    ],
)
def test_a_mistake_is_said_in_plain_words(run: Run, question: Path, words: tuple[str, ...], said: str) -> None:
    result = run("try", question, *words)

    assert result.exit_code == 2
    assert said in str(result.exception)


def test_a_mistake_in_a_situation_names_its_place(run: Run, question: Path) -> None:
    question.write_text(SITUATION.replace("heading = 4", "headng = 4"))

    result = run("try", question)

    assert result.exit_code == 2
    assert "headng" in str(result.exception)
    assert "did you mean 'heading'?" in str(result.exception)


def test_orders_check_reads_as_the_daemon_would(run: Run, question: Path, tmp_path: Path) -> None:
    (tmp_path / "orders.txt").write_text("Alpha:\n  speed +9\n  path F3\n")

    result = run("orders", "check", "orders.txt", "--situation", question, "--side", "earth", "--map", "plot.svg")

    assert result.exit_code == 1
    assert "line 2: 'speed +9'" in result.stdout
    assert "FA-E-4" in result.stdout
    assert "speed +5" in result.stdout
    assert (tmp_path / "plot.svg").read_text().startswith("<svg")


def test_orders_check_gives_json_to_scripts(run: Run, question: Path, tmp_path: Path) -> None:
    (tmp_path / "orders.txt").write_text("Alpha: path F3\n")

    result = run("orders", "check", "orders.txt", "--situation", question, "--side", "earth", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout)["problems"] == []


def test_a_map_can_be_drawn_of_any_situation(run: Run, question: Path, tmp_path: Path) -> None:
    assert run("map", question, "all.png").exit_code == 0
    assert run("map", question, "narn.svg", "--side", "narn", "--size", "small").exit_code == 0

    assert (tmp_path / "all.png").stat().st_size > 1000
    assert "Alpha" in (tmp_path / "narn.svg").read_text()


@pytest.mark.parametrize("slug", games.SHIPPED)
def test_every_game_has_a_schema_and_a_rule_book(run: Run, slug: str) -> None:
    schema = json.loads(run("schema", slug).stdout)

    jsonschema.Draft202012Validator.check_schema(schema)
    assert len(run("rules", slug).stdout) > 10_000


def test_the_games_are_listed(run: Run) -> None:
    listed = json.loads(run("games", "--json").stdout)

    assert {row["game"] for row in listed} >= set(games.SHIPPED)
    assert "fa-tutorial" in run("games").stdout


def test_an_unknown_game_is_named_with_those_that_exist(run: Run) -> None:
    result = run("schema", "chess")

    assert result.exit_code == 2
    assert "no game called 'chess'; installed are fleet_action" in str(result.exception)

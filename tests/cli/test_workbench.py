"""Rules questions on the command line: try, orders check, map, schema, games, rules."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import games
from tests.cli.conftest import Run
from tests.conftest import Publish

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


def publish_duel(publish: Publish, change: str = "") -> str:
    """The little game of the office's tests, installed; its one scenario."""
    code = (
        "from dataclasses import replace\nfrom pbem.kit.choices import Closed, Offer\n"
        f"from tests.office_game import DUEL\nGAME = replace(DUEL, slug='boats', {change})\n"
    )
    folder = publish("club_boats", code, "boats")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "1-pond.toml").write_text('game = "boats"\nkey = "pond"\ntitle = "A Pond"\n')
    return "boats/pond"


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


def test_try_prints_what_a_unit_can_be_ordered(run: Run, publish: Publish, tmp_path: Path) -> None:
    pond = publish_duel(publish)
    (tmp_path / "red.txt").write_text("Ares: fire Boreas\n")

    told = run("try", pond, "--choices", "are", "--orders", "red=red.txt", "--map", "ares.svg").stdout
    offer = json.loads(run("try", pond, "--choices", "Ares", "--orders", "red=red.txt", "--json").stdout)

    assert "\nspeed\n    1  speed {}    so fast [{}: a whole number from 0 to 6]\n" in told
    assert "    3  fire Bellona    at Bellona [needs 5 or more]\n" in told
    assert ">3</text>" in (tmp_path / "ares.svg").read_text()
    assert offer["unit"] == "Ares"
    assert [choice["replaces"] for choice in offer["choices"]] == [[], [1], [1]]
    assert offer["choices"][0]["fill"] == {"least": 0, "most": 6, "now": 0}


def test_try_tells_what_is_closed(run: Run, publish: Publish) -> None:
    pond = publish_duel(
        publish,
        "choices=lambda view, sheet, unit: Offer(unit, 'Adrift', closed=(Closed('speed', 'no oars', 'DU-OAR-1'),))",
    )

    assert run("try", pond, "--choices", "Ares").stdout == "Adrift\n\nspeed\n  closed: no oars (DU-OAR-1)\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("Zeus",), "no unit called 'Zeus' can be ordered now; red has Fleet, Ares, Argo; blue has Fleet, Boreas,"),
        (("Ares", "--side", "blue"), "no unit called 'Ares' can be ordered now; blue has Fleet, Boreas, Bellona"),
        (("Fleet",), "'Fleet' is a unit of red and of blue; say which with --side"),
        (("Ares", "--side", "green"), "no side called 'green'"),
    ],
)
def test_a_unit_that_is_not_there_is_answered_with_those_that_are(
    run: Run, publish: Publish, words: tuple[str, ...], said: str
) -> None:
    result = run("try", publish_duel(publish), "--choices", *words)

    assert result.exit_code == 2
    assert said in str(result.exception)


def test_try_says_where_there_is_nothing_to_choose(run: Run, publish: Publish) -> None:
    result = run("try", publish_duel(publish, "choices=None"), "--choices", "Ares")
    assert "Duel lists no choices" in str(result.exception)

    alone = run("try", "boats/pond", "--side", "red")
    assert "--side goes with --choices" in str(alone.exception)


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


def test_orders_check_tells_scripts_what_would_stand_instead(run: Run, publish: Publish, tmp_path: Path) -> None:
    pond = publish_duel(publish)
    (tmp_path / "orders.txt").write_text("Ares: speed 9\nArgo: dance\n")
    words = ("orders", "check", "orders.txt", "--situation", pond, "--side", "red")

    told = json.loads(run(*words, "--json").stdout)["problems"]

    assert [(found["weight"], found["until"], found["fix"]) for found in told] == [
        ("refused", 0, "speed 6"),
        ("refused", 0, ""),
    ]
    assert "    send instead: speed 6\n" in run(*words).stdout


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
    assert "border-incident" in run("games").stdout


def test_an_unknown_game_is_named_with_those_that_exist(run: Run) -> None:
    result = run("schema", "chess")

    assert result.exit_code == 2
    assert "no game called 'chess'; installed are fleet_action" in str(result.exception)

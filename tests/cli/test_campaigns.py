"""A campaign from the moderator's chair."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def campaign(run: Run, club: Path) -> str:
    run(
        "campaign",
        "new",
        "border",
        "--game",
        "fleet_action",
        "--scenario",
        "border-incident",
        "--every",
        "3d after opening",
    )
    run("seat", "add", "border", "earth", "ann@club.example", "--name", "Ann", "--zone", "Europe/London")
    run("seat", "add", "border", "Narn", "--bot")
    return "border"


def test_a_campaign_is_opened_started_and_shown(run: Run, campaign: str) -> None:
    started = run("campaign", "start", campaign)

    assert "has started: turn 1" in started.stdout
    shown = json.loads(run("campaign", "show", campaign, "--json").stdout)
    assert (shown["status"], shown["turn"], shown["phase"]) == ("running", 1, "orders")
    assert [(seat["name"], seat["side"], seat["bot"]) for seat in shown["seats"]] == [
        ("Ann", "earth", False),
        ("Narn", "narn", True),
    ]
    assert "border" in run("campaign", "list").stdout
    assert "Ann" in run("seat", "list", campaign).stdout


def test_a_turn_is_resolved_and_proved(run: Run, campaign: str) -> None:
    run("campaign", "start", campaign)

    assert "turn 2" in run("turn", "resolve", campaign).stdout
    assert run("turn", "verify", campaign).stdout == "turn 1: proved\n"
    shown = json.loads(run("turn", "show", campaign, "--json").stdout)
    assert [turn["turn"] for turn in shown["resolved"]] == [1]
    assert "Ann" in run("turn", "show", campaign).stdout


def test_pausing_reminding_and_moving_the_deadline(run: Run, campaign: str) -> None:
    run("campaign", "start", campaign)

    assert "1 reminders" in run("turn", "remind", campaign).stdout
    assert "31 Jan 2031 20:00 UTC" in run("turn", "move", campaign, "2031-01-31T20:00").stdout
    assert "is paused" in run("campaign", "pause", campaign, "--reason", "holidays").stdout
    assert json.loads(run("campaign", "show", campaign, "--json").stdout)["status"] == "paused"
    assert "goes on" in run("campaign", "resume", campaign).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("campaign", "show", "nothing"), "no campaign called 'nothing'"),
        (("campaign", "new", "Border!", "--game", "fleet_action", "--scenario", "border-incident"), "Border!"),
        (("campaign", "new", "x", "--game", "chess", "--scenario", "a"), "chess"),
        (("campaign", "new", "x", "--game", "fleet_action", "--scenario", "a"), "it has border-incident"),
        (
            ("campaign", "new", "x", "--game", "fleet_action", "--scenario", "border-incident", "--every", "soon"),
            "soon",
        ),
        (("seat", "add", "border", "mars", "a@b.example"), "no side called 'mars'"),
        (("seat", "add", "border", "earth", "nobody"), "is not a mail address"),
        (("turn", "resolve", "border"), "border is forming"),
        (("turn", "move", "border", "soon"), "is no moment"),
    ],
)
def test_what_cannot_be_is_said_in_plain_words(run: Run, campaign: str, words: tuple[str, ...], said: str) -> None:
    result = run(*words)

    assert result.exit_code == 2
    assert said in str(result.exception)


def test_letters_set_aside_are_listed(run: Run, club: Path) -> None:
    assert json.loads(run("letter", "list", "--json").stdout) == {"set_aside": [], "refused": []}
    assert run("letter", "list").exit_code == 0

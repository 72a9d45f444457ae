"""The contract, checked on every game that ships: the same laws that a game from outside is tried by."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import games
from pbem.kit.checks import Check, every_check
from pbem.kit.checks.package import imported
from pbem.kit.scenario import load_scenario

ROOT = Path(__file__).parent.parent

every_game = pytest.mark.parametrize("slug", games.SHIPPED)


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(check, id=f"{slug}-{check.__name__}")
        for slug in games.SHIPPED
        for check in every_check(games.game(slug))
    ],
)
def test_every_game_keeps_the_contract(check: Check) -> None:
    check()


def test_the_kernel_names_no_game() -> None:
    """Law 2, the other way: nothing under pbem imports a game by name."""
    named = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in (ROOT / "pbem").rglob("*.py")
        for _, module in imported(path)
        if module.startswith("games.")
    ]

    assert named == []


@every_game
def test_a_scenario_is_keyed_by_words_of_its_title(slug: str) -> None:
    """``closing-the-trap`` in ``2-closing-the-trap.toml``; the number is its place in lists."""
    for entry in sorted((ROOT / "games" / slug / "scenarios").glob("*.toml")):
        scenario = load_scenario(entry)
        title = re.sub(r"[^a-z0-9]+", "-", scenario.title.casefold()).strip("-")

        assert re.fullmatch(rf"\d-{scenario.key}", entry.stem)
        assert f"-{scenario.key}-" in f"-{title}-"

"""Games of others: published under the entry point ``pbem.games``, found by their slug."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from pbem.kit.scenario import scenarios_of

PACKAGE = """
from dataclasses import replace
from games.galleys import GAME as GALLEYS
GAME = replace(GALLEYS, slug="rafts", title="Rafts")
"""
SCENARIO = 'game = "rafts"\nkey = "pond"\ntitle = "The Pond"\n'


@pytest.fixture
def rafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game somebody else installed."""
    package = tmp_path / "club_rafts"
    (package / "scenarios").mkdir(parents=True)
    (package / "__init__.py").write_text(PACKAGE)
    (package / "scenarios" / "pond.toml").write_text(SCENARIO)
    facts = tmp_path / "club_rafts-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: club-rafts\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[pbem.games]\nrafts = club_rafts:GAME\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "rafts"
    games.game.cache_clear()
    sys.modules.pop("club_rafts", None)


def test_a_game_of_somebody_else_is_found(rafts: str) -> None:
    assert games.slugs() == (*games.SHIPPED, "rafts")
    assert games.game(rafts).title == "Rafts"
    assert scenarios_of(rafts)["pond"].title == "The Pond"


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    with pytest.raises(games.UnknownGame, match="no game called 'chess'; installed are fleet_action"):
        games.game("chess")

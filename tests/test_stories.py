"""Golden stories: the first phases of each tutorial, told to every side as its player reads them.

A leak, a changed rule or a worse sentence shows up in the diff. Written anew only with ``--update-golden``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import games
from pbem.kit.scenario import scenarios_of
from pbem.letters.pen import Pen
from pbem.letters.story import story
from pbem.play.phase import Played
from pbem.play.selfplay import play

PHASES = 4


def told(slug: str, played: Played, pen: Pen) -> str:
    """One phase: every side's orders in its own words, then what it was told."""
    game = games.game(slug)
    parts = []
    for info in game.sides(played.after):
        seen = [event for event in played.events if info.id in event.seen_by]
        orders = "\n".join(f"{entry.unit}: {entry.text}" for entry in played.sheets[info.id].accepted)
        text = story(game, game.view(played.after, info.id), seen, played.phase, pen)
        parts.append(f"##### {info.name}: orders\n{orders}\n\n##### {info.name}: report\n{text}\n")
    return "\n".join(parts)


@pytest.mark.parametrize("slug", games.SHIPPED)
def test_the_story_is_as_it_was(
    slug: str, golden: Callable[[str, str], None], caplog: pytest.LogCaptureFixture
) -> None:
    scenario = next(iter(scenarios_of(slug).values()))
    with Pen() as pen, caplog.at_level(logging.WARNING):
        parts = [told(slug, played, pen) for played in islice(play(games.game(slug), scenario, b"story"), PHASES)]

    golden(f"stories/{slug}.txt", "\n".join(parts))
    # The narrative works around an event it has no words for; a game that ships must have them all.
    assert [record.getMessage() for record in caplog.records] == []


def test_every_shipped_game_has_a_story() -> None:
    stories = {path.stem for path in (Path(__file__).parent / "golden" / "stories").glob("*.txt")}

    assert stories == set(games.SHIPPED)

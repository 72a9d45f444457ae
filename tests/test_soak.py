"""A thousand battles a game, bot against bot, over all its scenarios: each ends, and no bot writes an illegal order.

Three battles a scenario are fought to the end with choices alone, and the law of choices is tried on every unit.
Left out of ``make test``; run by ``make soak``.
"""

from __future__ import annotations

import pytest

import games
from pbem.kit.checks import Sample
from pbem.kit.checks.choices import MOST_READINGS, choices_keep_the_law, random_sheets_are_legal
from pbem.kit.codec import same
from pbem.kit.scenario import scenarios_of
from pbem.kit.sheet import Problem
from pbem.play.phase import Played
from pbem.play.selfplay import play

BATTLES = 1000
CHUNK = 20
# Of each twenty battles so many are fought on the second scenario, sometimes one on the third, the rest on the first.
STANDARD, STRESS_EVERY = 3, 5
MOST_PHASES = 400


def scenario_of(slug: str, battle: int) -> str:
    keys = list(scenarios_of(slug))
    if battle % CHUNK < STANDARD:
        return keys[1]
    if battle % (CHUNK * STRESS_EVERY) == STANDARD:
        return keys[2]
    return keys[3 + battle % (len(keys) - 3)] if len(keys) > 3 and battle % 2 else keys[0]


def refused(played: Played) -> list[Problem]:
    """Lines that were not taken; a line that stands with a remark is a legal order."""
    return [
        problem
        for sheet in played.sheets.values()
        for problem in sheet.problems
        if problem.line not in {entry.line for entry in sheet.accepted}
    ]


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(BATTLES // CHUNK))
@pytest.mark.parametrize("slug", games.SHIPPED)
def test_a_thousand_battles_end(slug: str, chunk: int) -> None:
    game = games.game(slug)
    for battle in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        scenario = scenarios_of(slug)[scenario_of(slug, battle)]
        last = None
        for last in play(game, scenario, f"soak {battle}".encode(), MOST_PHASES):
            assert refused(last) == [], (scenario.key, battle)

        assert last is not None
        assert game.phase(last.after) is None, (scenario.key, battle)
        assert game.outcome(last.after) is not None
        assert same(last.after) == last.after


every_scenario = pytest.mark.parametrize(
    ("slug", "key"), [(slug, key) for slug in games.SHIPPED for key in scenarios_of(slug)]
)
ALL_UNITS = 1000


@pytest.mark.soak
@every_scenario
def test_whole_battles_of_choices_alone_draw_no_complaint(slug: str, key: str) -> None:
    random_sheets_are_legal(Sample(games.game(slug), scenarios_of(slug)[key]), MOST_PHASES, ALL_UNITS)


@pytest.mark.soak
@every_scenario
@pytest.mark.parametrize("seed", ["first", "second", "third"])
def test_whatever_is_offered_can_be_sent(slug: str, key: str, seed: str) -> None:
    sample = Sample(games.game(slug), scenarios_of(slug)[key], seed)

    choices_keep_the_law(sample, MOST_READINGS, ALL_UNITS)

"""A thousand battles a game, bot against bot, over all its scenarios: each ends, and no bot writes an illegal order.

Left out of ``make test``; run by ``make soak``.
"""

from __future__ import annotations

import pytest

import games
from pbem.kit.codec import same
from pbem.kit.scenario import scenarios_of
from pbem.kit.sheet import Problem
from pbem.selfplay import Played, play

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

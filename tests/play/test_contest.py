"""Many battles of bots, counted and timed."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from pbem.kit.game import Outcome
from pbem.play.contest import contest
from pbem.play.phase import NothingToPlay
from tests.office_bench import duel
from tests.office_game import DUEL

TURNS, PHASES = 6, 8
"""Of a duel: every third turn has a second phase."""


def ticking() -> Any:
    """A clock that goes on by two seconds with every look at it."""
    return map(float, count(0, 2)).__next__


def test_battles_are_counted_and_timed() -> None:
    found = contest(DUEL, duel(), 4, "a", clock=ticking())

    assert found.as_plain() == {
        "game": "duel",
        "scenario": "duel",
        "seed": "a",
        "battles": 4,
        "wins": {side: {"count": won, "per_cent": 25.0 * won} for side, won in found.wins.items()},
        "draws": {"count": found.draws, "per_cent": 25.0 * found.draws},
        "broken_off": 0,
        "turns": {"shortest": TURNS, "median": TURNS, "longest": TURNS},
        "seconds_a_battle": 2.0,
        "ms_a_phase": 2000 / PHASES,
    }
    assert sum(found.wins.values()) + found.draws == 4
    assert found.sides == {"red": "Red Fleet", "blue": "Blue Fleet"}


def test_the_same_seed_gives_the_same_battles() -> None:
    once, again, other = (contest(DUEL, duel(), 8, seed, clock=lambda: 0.0) for seed in ("a", "a", "b"))

    assert once == again
    assert once.battles != other.battles


def test_allies_win_together() -> None:
    both = replace(DUEL, outcome=lambda state: DUEL.outcome(state) and Outcome(frozenset({"red", "blue"}), "Peace."))

    found = contest(both, duel(), 2, "a")

    assert found.wins == {"red": 2, "blue": 2}
    assert found.draws == 0


def test_a_battle_that_does_not_end_is_broken_off() -> None:
    found = contest(DUEL, duel(last_turn=100_000), 2, "a", most_phases=5)

    assert (found.broken_off, found.draws) == (2, 0)
    assert [battle.phases for battle in found.battles] == [5, 5]


def test_a_fault_says_in_which_battle_it_is_found_again() -> None:
    with pytest.raises(RuntimeError, match="the referee broke") as caught:
        contest(DUEL, duel(trouble="resolve", trouble_turn=3), 2, "a")

    assert caught.value.__notes__ == ["in battle 'a 1' of duel/duel, phase 3"]


def test_there_must_be_something_to_play() -> None:
    with pytest.raises(NothingToPlay, match="the game is over, there is nothing to play"):
        contest(DUEL, duel(last_turn=0), 1, "a")

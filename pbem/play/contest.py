"""Many battles of bots: who wins, how long it takes, how fast the rules are."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from games import AnyGame
from pbem.kit.game import Side
from pbem.kit.scenario import Scenario
from pbem.play.phase import NothingToPlay, Played
from pbem.play.selfplay import play

Clock = Callable[[], float]
MOST_PHASES = 1000


@dataclass(frozen=True)
class Battle:
    """How one battle went."""

    over: bool
    """Not over: it was broken off."""
    winners: frozenset[Side]
    turns: int
    phases: int
    seconds: float


@dataclass(frozen=True)
class Contest:
    """What came of many battles."""

    game: str
    scenario: str
    seed: str
    sides: Mapping[Side, str]
    """Ids to names, in the order of the scenario."""
    battles: tuple[Battle, ...]

    @property
    def wins(self) -> dict[Side, int]:
        """Of allies who win together each has won."""
        return {side: sum(side in battle.winners for battle in self.battles) for side in self.sides}

    @property
    def draws(self) -> int:
        return sum(battle.over and not battle.winners for battle in self.battles)

    @property
    def broken_off(self) -> int:
        return sum(not battle.over for battle in self.battles)

    @property
    def turns(self) -> tuple[int, float, int]:
        """The shortest, the median and the longest battle."""
        turns = [battle.turns for battle in self.battles]
        return min(turns), median(turns), max(turns)

    @property
    def seconds_a_battle(self) -> float:
        return sum(battle.seconds for battle in self.battles) / len(self.battles)

    @property
    def ms_a_phase(self) -> float:
        """The bots' thinking included."""
        return 1000 * sum(battle.seconds for battle in self.battles) / sum(battle.phases for battle in self.battles)

    def share(self, count: int) -> float:
        """In per cent of all battles."""
        return 100 * count / len(self.battles)

    def as_plain(self) -> dict[str, Any]:
        shortest, middle, longest = self.turns
        return {
            "game": self.game,
            "scenario": self.scenario,
            "seed": self.seed,
            "battles": len(self.battles),
            "wins": {side: {"count": won, "per_cent": self.share(won)} for side, won in self.wins.items()},
            "draws": {"count": self.draws, "per_cent": self.share(self.draws)},
            "broken_off": self.broken_off,
            "turns": {"shortest": shortest, "median": middle, "longest": longest},
            "seconds_a_battle": self.seconds_a_battle,
            "ms_a_phase": self.ms_a_phase,
        }


def contest(
    game: AnyGame,
    scenario: Scenario,
    battles: int,
    seed: str,
    most_phases: int = MOST_PHASES,
    clock: Clock = time.perf_counter,
) -> Contest:
    """Bots against bots, so many times; the same seed gives the same battles."""
    fought = []
    sides: dict[Side, str] = {}
    for number in range(1, battles + 1):
        battle, last = _fought(game, scenario, f"{seed} {number}", most_phases, clock)
        sides = {info.id: info.name for info in game.sides(last.after)}
        fought.append(battle)
    return Contest(game.slug, scenario.key, seed, sides, tuple(fought))


def _fought(game: AnyGame, scenario: Scenario, seed: str, most_phases: int, clock: Clock) -> tuple[Battle, Played]:
    began, phases, last = clock(), 0, None
    try:
        for played in play(game, scenario, seed.encode(), most_phases):
            phases, last = phases + 1, played
    except Exception as error:
        # A fault in the rules goes on its way, with word of where to find it again.
        error.add_note(f"in battle '{seed}' of {game.slug}/{scenario.key}, phase {phases + 1}")
        raise
    seconds = clock() - began
    if last is None:
        raise NothingToPlay(f"{scenario.title}: the game is over, there is nothing to play")
    outcome = game.outcome(last.after)
    winners = outcome.winners if outcome else frozenset()
    return Battle(outcome is not None, winners, last.phase.turn, phases, seconds), last

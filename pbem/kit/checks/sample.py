"""A game under check: one of its scenarios, a seed, and what bots on every side made of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import games
from games import AnyGame
from pbem.kit.package import Home, home_of
from pbem.kit.scenario import Scenario, scenarios_of
from pbem.play.phase import Played
from pbem.play.selfplay import play

SEED = "contract"
FEW = 6
"""Phases that most laws look at."""
MOST = 300
"""Phases in which a battle of bots must be over."""


@dataclass(frozen=True, eq=False)
class Sample:
    """What a law is tried on; the battles are played once and looked at by many laws."""

    game: AnyGame
    scenario: Scenario
    seed: str = SEED

    @cached_property
    def phases(self) -> tuple[Played, ...]:
        """The first phases."""
        found = tuple(islice(play(self.game, self.scenario, self.seed.encode()), FEW))
        assert found, f"{self}: the game is over before it begins"
        return found

    @cached_property
    def ending(self) -> Played:
        """The last phase of another battle, played until it is over or has gone on for too long."""
        last = self.phases[-1]
        for played in play(self.game, self.scenario, f"{self.seed}: to the end".encode(), MOST):
            last = played
        return last

    @cached_property
    def home(self) -> Home:
        """The package with the game's files."""
        found = home_of(self.game.slug)
        assert found is not None, f"{self.game.slug} is a single module; a game is a package with its files beside it"
        return found

    def sides(self, played: Played) -> tuple[str, ...]:
        return tuple(info.id for info in self.game.sides(played.after))

    def moments(self) -> Iterator[tuple[str, Played]]:
        """Every phase, with words that name it in a complaint."""
        for number, played in enumerate(self.phases, 1):
            yield f"{self}, phase {number} (turn {played.phase.turn}, {played.phase.name})", played

    def __str__(self) -> str:
        return f"{self.game.slug}/{self.scenario.key}"


def sample_of(game: AnyGame, scenario: Scenario | None = None, seed: str = SEED) -> Sample:
    """By custom the first scenario of a game teaches it, and the laws are tried on it."""
    if scenario is None:
        assert_installed(game)
        scenario = next(iter(scenarios_of(game.slug).values()), None)
        assert scenario is not None, (
            f"{game.slug} brings no scenario; put one into the folder 'scenarios' of its package"
        )
    return Sample(game, scenario, seed)


def assert_installed(game: AnyGame) -> None:
    """Its slug finds this very game."""
    assert game.slug in games.slugs(), (
        f"no installed package publishes the game '{game.slug}'; name it in its pyproject.toml under"
        f' [project.entry-points."pbem.games"] and install it with: pip install -e .'
    )
    found = games.game(game.slug)
    assert found is game, f"the slug '{game.slug}' finds another game, {found.title} {found.version}"

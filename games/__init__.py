"""The registry: the games that ship, and those that others installed under the entry point ``pbem.games``.

Imports are made when a game is asked for, so that a broken game of somebody else costs only its own campaigns.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from pbem.kit.game import Game

SHIPPED = ("fleet_action", "broadsides", "battleshift", "galleys", "encounters")

AnyGame = Game[Any, Any, Any]


class UnknownGame(LookupError):
    """No game of that name is installed."""


@cache
def game(slug: str) -> AnyGame:
    """The game of this slug."""
    if slug in SHIPPED:
        found: AnyGame = import_module(f"games.{slug}").GAME
        return found
    for entry in entry_points(group="pbem.games"):
        if entry.name == slug:
            loaded: AnyGame = entry.load()
            return loaded
    raise UnknownGame(f"no game called '{slug}'; installed are {', '.join(slugs())}")


def slugs() -> tuple[str, ...]:
    """All installed games, the shipped ones first."""
    others = sorted(entry.name for entry in entry_points(group="pbem.games"))
    return (*SHIPPED, *(name for name in others if name not in SHIPPED))

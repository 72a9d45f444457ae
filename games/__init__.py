"""The registry: the games that ship, and those that others installed under the entry point ``pbem.games``.

Imports are made when a game is asked for, so that a broken game of somebody else costs only its own campaigns.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from pbem.kit.game import Game
from pbem.kit.package import published

SHIPPED = ("fleet_action", "broadsides", "battleshift", "galleys", "encounters")

AnyGame = Game[Any, Any, Any]


class UnknownGame(LookupError):
    """No game of that name is installed."""


class BrokenGame(UnknownGame):
    """A game of somebody else is installed but cannot be loaded."""


@cache
def game(slug: str) -> AnyGame:
    """The game of this slug."""
    if slug in SHIPPED:
        found: AnyGame = import_module(f"games.{slug}").GAME
        return found
    entry = published().get(slug)
    if entry is None:
        raise UnknownGame(f"no game called '{slug}'; installed are {', '.join(slugs())}")
    try:
        loaded = entry.load()
    except Exception as error:
        # A game of somebody else may fail in any way.
        why = f"{type(error).__name__}: {error}"
        raise BrokenGame(f"the game '{slug}' ({entry.value}) cannot be loaded: {why}") from error
    if not isinstance(loaded, Game):
        raise BrokenGame(f"the game '{slug}' ({entry.value}) is no Game but a {type(loaded).__name__}")
    if loaded.slug != slug:
        raise BrokenGame(f"the game '{slug}' ({entry.value}) calls itself '{loaded.slug}'; both must be the same")
    return loaded


def slugs() -> tuple[str, ...]:
    """All installed games, the shipped ones first."""
    return (*SHIPPED, *published())

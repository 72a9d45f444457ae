"""One phase played: the sheets read, the game's own resolution, and a record of all that went in and came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games import AnyGame
from pbem.kit.dice import Dice, KeyedDice, LoadedDice, Roll, phase_key
from pbem.kit.game import Event, Phase, Side
from pbem.kit.sheet import Sheet


class NothingToPlay(ValueError):
    """The game is already over."""


@dataclass(frozen=True)
class Played:
    """One phase: where it stood, what was ordered, and what came of it."""

    game: AnyGame
    phase: Phase
    before: Any
    texts: Mapping[Side, str]
    """The orders of every side, as they came."""
    sheets: Mapping[Side, Sheet[Any]]
    """The same, read."""
    after: Any
    events: tuple[Event, ...]
    dice: Dice

    @property
    def state(self) -> Any:
        """What it left, by the word of the contract's ``Resolution``."""
        return self.after

    @property
    def rolls(self) -> tuple[Roll, ...]:
        return tuple(self.dice.rolls)

    @property
    def unused_dice(self) -> tuple[int, ...]:
        """Faces that were laid out and not asked for."""
        return self.dice.left if isinstance(self.dice, LoadedDice) else ()


def play_phase(game: AnyGame, before: Any, texts: Mapping[Side, str], dice: Dice) -> Played:
    """Read every side's orders and resolve the open phase; a missing sheet is an empty one.

    Everything follows from these four values, so that anybody can do it again.
    """
    phase = game.phase(before)
    if phase is None:
        raise NothingToPlay(f"{game.title}: the game is over, there is nothing to resolve")
    orders = {info.id: texts.get(info.id, "") for info in game.sides(before)}
    sheets = {side: game.read_orders(before, side, text) for side, text in orders.items()}
    resolution = game.resolve(before, sheets, dice)
    return Played(game, phase, before, orders, sheets, resolution.state, resolution.events, dice)


def sealed_dice(secret: bytes, texts: Mapping[Side, str]) -> KeyedDice:
    """The dice of a campaign's phase: neither the server nor the players can choose them alone."""
    return KeyedDice(phase_key(secret, texts.items()))

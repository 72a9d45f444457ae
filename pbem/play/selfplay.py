"""Bots against bots, without post: how a game is proved, timed and shown."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from games import AnyGame
from pbem.kit.choices import random_sheet
from pbem.kit.dice import KeyedDice
from pbem.kit.game import Phase, Side
from pbem.kit.scenario import Scenario
from pbem.play.phase import Played, play_phase

Writer = Callable[[AnyGame, Any, Phase, bytes], dict[Side, str]]
"""Who writes the orders of the sides that a phase asks."""


def bot_orders(game: AnyGame, state: Any, phase: Phase, key: bytes) -> dict[Side, str]:
    """What the bots order for the sides the phase asks."""
    return {
        info.id: game.bot(game.view(state, info.id), KeyedDice(_derived(key, info.id)))
        for info in game.sides(state)
        if info.id in phase.sides
    }


def random_orders(
    game: AnyGame, state: Any, phase: Phase, key: bytes, most_units: int | None = None
) -> dict[Side, str]:
    """Choices picked by the dice and nothing else; of a great fleet for some of its units, others each time."""
    texts = {}
    for side in sorted(phase.sides):
        dice = KeyedDice(_derived(key, side))
        names = tuple(dict.fromkeys((game.fleet, *game.units(state, side))))
        first = dice.roll(len(names), "first unit").face
        units = (*names[first:], *names[:first])[:most_units]
        texts[side] = random_sheet(game, state, side, dice, sorted(units, key=names.index))
    return texts


def play(
    game: AnyGame, scenario: Scenario, key: bytes, most_phases: int = 1000, write: Writer = bot_orders
) -> Iterator[Played]:
    """Play the scenario until it is over, one phase at a time, with a bot on every side or as somebody else writes."""
    state = game.setup(scenario, KeyedDice(_derived(key, "setup")))
    for number in range(most_phases):
        phase = game.phase(state)
        if phase is None:
            return
        texts = write(game, state, phase, _derived(key, f"bots {number}"))
        played = play_phase(game, state, texts, KeyedDice(_derived(key, f"phase {number}")))
        yield played
        state = played.after


def _derived(key: bytes, purpose: str) -> bytes:
    return hashlib.sha256(key + purpose.encode()).digest()

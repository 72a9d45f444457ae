"""Bots against bots, without post: how a game is proved, timed and shown."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games import AnyGame
from pbem.kit.dice import KeyedDice
from pbem.kit.game import Event, Phase
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import Sheet


@dataclass(frozen=True)
class Played:
    """One phase that was played."""

    phase: Phase
    before: Any
    sheets: Mapping[str, Sheet[Any]]
    after: Any
    events: tuple[Event, ...]
    dice: KeyedDice


def play(game: AnyGame, scenario: Scenario, key: bytes, most_phases: int = 1000) -> Iterator[Played]:
    """Play the scenario with a bot on every side until it is over, one phase at a time."""
    state = game.setup(scenario, KeyedDice(_derived(key, "setup")))
    for number in range(most_phases):
        phase = game.phase(state)
        if phase is None:
            return
        sheets = bot_sheets(game, state, phase, _derived(key, f"bots {number}"))
        dice = KeyedDice(_derived(key, f"phase {number}"))
        resolution = game.resolve(state, sheets, dice)
        yield Played(phase, state, sheets, resolution.state, resolution.events, dice)
        state = resolution.state


def bot_sheets(game: AnyGame, state: Any, phase: Phase, key: bytes) -> dict[str, Sheet[Any]]:
    """What the bots order; sides the phase does not ask hand in an empty sheet."""
    sheets = {}
    for info in game.sides(state):
        text = ""
        if info.id in phase.sides:
            text = game.bot(game.view(state, info.id), KeyedDice(_derived(key, info.id)))
        sheets[info.id] = game.read_orders(state, info.id, text)
    return sheets


def _derived(key: bytes, purpose: str) -> bytes:
    return hashlib.sha256(key + purpose.encode()).digest()

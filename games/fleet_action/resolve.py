"""Section 3.2: one phase, resolved; the kinds of events are listed in ``events.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.fleet_action.orders.records import Order
from games.fleet_action.state import State
from pbem.kit.dice import Dice
from pbem.kit.game import Resolution
from pbem.kit.sheet import Sheet


def resolve(state: State, sheets: Mapping[str, Sheet[Order]], dice: Dice) -> Resolution[State]:  # noqa: ARG001
    """One phase of the game."""
    return Resolution(replace(state, turn=state.turn + 1, stage="turn"), ())

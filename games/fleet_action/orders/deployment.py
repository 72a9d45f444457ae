"""Orders of deployment."""

from __future__ import annotations

from games.fleet_action.orders.words import Verb
from games.fleet_action.state import State

VERBS: dict[str, Verb] = {}


def names_bought(state: State, side: str, text: str) -> tuple[str, ...]:
    return ()

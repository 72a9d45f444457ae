"""Orders, by chapter."""

from __future__ import annotations

from games.fleet_action.orders.words import Verb

VERBS: dict[str, Verb] = {}

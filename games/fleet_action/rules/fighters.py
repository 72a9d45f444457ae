"""FA-FTR: fighters."""

from __future__ import annotations

from games.fleet_action.battle import Battle


def launch(battle: Battle, squadron: str) -> None:
    """FA-FTR-2."""

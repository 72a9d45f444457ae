"""FA-JMP, FA-WDR-4: vortices, entering through them, and jumping out."""

from __future__ import annotations

from games.fleet_action.state import Squadron
from games.fleet_action.table import Table


def is_jumping(table: Table, squadron: Squadron) -> bool:
    """FA-WDR-4: a ship of it prepared a jump last turn, so it may only maintain course."""
    if squadron.state == "jumping":
        return True
    return any(ship.prepared_jump_turn == table.state.turn - 1 for ship in table.members(squadron))

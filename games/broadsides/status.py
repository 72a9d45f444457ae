"""What is read off a view for charts."""

from __future__ import annotations

from collections.abc import Mapping

from games.broadsides.view import View


def gauges(view: View) -> Mapping[str, Mapping[str, float]]:
    """Ships on the map, victory points, and the structure a side knows (its own)."""
    ships = {side.id: 0.0 for side in view.sides}
    structure: dict[str, float] = {}
    for ship in view.ships:
        ships[ship.side] += float(ship.on_map)
    for own in view.own_ships:
        left = 0 if own.gone else sum(own.structure.values())
        structure[own.side] = structure.get(own.side, 0.0) + left
    return {"ships": ships, "points": {side: float(n) for side, n in view.scores.items()}, "structure": structure}

"""Figures read off a view for the charts."""

from __future__ import annotations

from collections.abc import Mapping

from games.fleet_action.state import OpenShip
from games.fleet_action.table import AIRBORNE
from games.fleet_action.view import View


def gauges(view: View) -> Mapping[str, Mapping[str, float]]:
    """Figures worth a chart, as far as the view knows them."""
    ships = {side.id: 0.0 for side in view.sides}
    fighters = {side.id: 0.0 for side in view.sides}
    structure: dict[str, float] = {}
    for ship in view.ships:
        side = view.squadron_of(ship).side
        afloat = ship.fate == "in play"
        ships[side] += afloat
        if isinstance(ship, OpenShip):
            structure[side] = structure.get(side, 0.0) + (ship.structure if afloat else 0)
    for flight in view.flights:
        if flight.state in AIRBORNE or view.owns(flight.side):
            fighters[flight.side] += flight.count
    return {"ships": ships, "fighters": fighters, "structure": structure}

"""FA-MAP-9, FA-FIRE-5: how far the guns of a unit reach, drawn on request."""

from __future__ import annotations

from collections.abc import Iterator

from games.fleet_action.scene import HEX_STEP, degrees
from games.fleet_action.state import OpenShip, SeenShip
from games.fleet_action.view import View
from pbem.kit.scene import Arc, hex_point

BRACKETS = (0, 1, 2)
"""Short, medium and long range are drawn; extreme range would fill the map."""


def arcs(view: View, unit: str) -> tuple[Arc, ...]:
    """FA-MAP-9, FA-FIRE-5: how far the guns of a ship, or of each ship of a squadron, reach into its six arcs."""
    ships = [ship for ship in view.ships if unit in (ship.name, ship.squadron) and ship.fate == "in play"]
    return tuple(arc for ship in ships for bracket in BRACKETS for arc in _reach(view, ship, bracket))


def _reach(view: View, ship: SeenShip, bracket: int) -> Iterator[Arc]:
    squadron = view.squadron_of(ship)
    for sector in range(6):
        reach = max(_ranges(view, ship, sector, bracket), default=0)
        if reach:
            middle = degrees(squadron.heading) + 60.0 * sector
            yield Arc(hex_point(ship.hex), middle - 30, middle + 30, reach * HEX_STEP, squadron.side)


def _ranges(view: View, ship: SeenShip, sector: int, bracket: int) -> Iterator[int]:
    """Of the guns that bear and, as far as the view knows, still work; ballistics have no brackets."""
    for number, mount in enumerate(view.cards.classes[ship.ship_class].weapons):
        working = not isinstance(ship, OpenShip) or ship.weapon_left[number] > 0
        ranges = view.cards.weapons[mount.weapon].range
        if working and mount.arcs and mount.arcs[sector] and len(ranges) == 4:
            yield ranges[bracket]

"""BR-LOC-2: the fields of fire of a ship, drawn on request."""

from __future__ import annotations

import math

from games.broadsides.rules.geometry import arc_sectors
from games.broadsides.state import Ship
from games.broadsides.view import View
from pbem.kit.scene import Arc, hex_point

HEX_STEP = math.sqrt(3)
REACH = {"L": 6, "M": 10, "H": 15}
"""How far an arc is drawn by the size of the weapon, in hexes; fire reaches farther, but seldom hits there."""


def arcs(view: View, unit: str) -> tuple[Arc, ...]:
    """Each of the six sectors as far as the largest weapon that bears into it and still works."""
    ship = next((own for own in view.own_ships if own.name == unit and own.on_map), None)
    if ship is None:
        return ()
    reach = _reach(view, ship)
    return tuple(_sector(ship, sector, hexes) for sector, hexes in sorted(reach.items()))


def _reach(view: View, ship: Ship) -> dict[int, int]:
    reach: dict[int, int] = {}
    for mount in view.cards.classes[ship.class_name].mounts:
        if ship.blocks_left(mount) <= 0:
            continue
        hexes = REACH[view.cards.weapons[mount.type].size]
        for sector in sorted(arc_sectors(mount.arc)):
            reach[sector] = max(reach.get(sector, 0), hexes)
    return reach


def _sector(ship: Ship, sector: int, hexes: int) -> Arc:
    """BR-LOC-1: sector j lies between rows j and j+1 of the facing; a rolled ship is mirrored."""
    start = ship.facing * 60.0 + (60.0 * sector if not ship.rolled else -60.0 * (sector + 1))
    return Arc(hex_point(ship.position), start, start + 60.0, hexes * HEX_STEP, ship.side)

"""What a ship can still be ordered on top of a sheet; every line of it is legal."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kit.choices import Choice, Offer, Places
from pbem.kit.hexgrid import disk, distance, name
from pbem.kit.scene import hex_point
from pbem.kit.sheet import Sheet

from skirmish.data import CLASSES, TABLES
from skirmish.orders import NEAREST, Fire, Move, Order
from skirmish.state import Ship
from skirmish.view import View

NOT_OFFERED: Mapping[str, str] = {}
"""Verbs that are left to the player, and why: a name of one's own cannot be offered."""


def choices(view: View, sheet: Sheet[Order], unit: str) -> Offer:
    """A hex to go to and a target; what the sheet says of the same is replaced (SK-E-8)."""
    ship = next((ship for ship in view.battle.afloat(view.side or "") if ship.name == unit), None)
    if ship is None:
        return Offer(unit, f"{unit}: orders are given to ships")
    shots = _lines(sheet, unit, Fire)
    at_will = Choice("fire", "at the nearest enemy in range", (f"fire {NEAREST}",), shots)
    at_one = (
        Choice("fire", f"at {enemy.name}", (f"fire {enemy.name}",), shots, _figures(ship, enemy), hex_point(enemy.at))
        for enemy in view.battle.enemies(view.side)
    )
    title = f"{unit}: {ship.kind} at {name(ship.at)}, hull {ship.hull}"
    return Offer(unit, title, (_move(view, ship, _lines(sheet, unit, Move)), at_will, *at_one))


def _move(view: View, ship: Ship, replaces: tuple[int, ...]) -> Choice:
    """SK-MOV-1: any hex of the map within the ship's speed."""
    speed = CLASSES[ship.kind].speed
    reach = {name(at): hex_point(at) for at in disk(ship.at, speed) if view.battle.on_map(at)}
    return Choice("move", "to a hex in reach", ("move {}",), replaces, f"speed {speed}", fill=Places(reach))


def _figures(ship: Ship, enemy: Ship) -> str:
    """SK-FIR-2, as they lie now."""
    far = distance(ship.at, enemy.at)
    needed = TABLES.to_hit(far)
    return f"range {far} now, " + (f"{needed} or more hits" if needed else "too far")


def _lines(sheet: Sheet[Order], unit: str, kind: type[Move] | type[Fire]) -> tuple[int, ...]:
    given = [entry for entry in sheet.accepted if isinstance(entry.order, kind)]
    return tuple(entry.line for entry in given if entry.order.unit == unit)

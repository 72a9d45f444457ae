"""Disabled ships and prizes carried along (BS-BRD-3, BS-TRC-1)."""

from __future__ import annotations

from games.battleshift.orders.records import Act
from games.battleshift.rules.moving import Plan
from games.battleshift.rules.units import Ship, in_contact, ships_within
from games.battleshift.table import Table


def take_in_tow(table: Table, plan: Plan) -> None:
    """BS-BRD-3, BS-TRC-1: a ship of equal or larger size in contact carries a disabled ship or prize along."""
    squadron = plan.squadron
    for order in table.book(squadron).all(squadron.name, "tow", Act):
        ship = towable(table, squadron.side, order)
        tugs = [n for n, tug in enumerate(plan.ships) if ship is not None and can_tow(tug, ship)]
        if ship is None or not tugs:
            table.warn(squadron, "BS-V-43", f"no tug is in contact with {order.unit}.{order.number}")
            continue
        plan.towed.append((ship, ship.spot, plan.moves[tugs[0]]))


def can_tow(tug: Ship, ship: Ship) -> bool:
    near = in_contact(tug, ship) or (
        tug.squadron.weapons("tractor") > 0 and ship.side != tug.side and ships_within(tug, ship, 300)
    )
    return near and tug.cls.size >= ship.cls.size and not ship.cls.is_station


def towable(table: Table, side: str, order: Act) -> Ship | None:
    """A disabled ship of either side, or a prize of one's own."""
    for owner in (table.enemy(side), side):
        squadron = table.squadron(owner, order.unit)
        if squadron is None:
            continue
        for ship in squadron.present:
            named = ship.number == order.number or (order.number == 0 and len(squadron.ships) == 1)
            if named and (ship.now.status == "disabled" or squadron.is_prize):
                return ship
    return None

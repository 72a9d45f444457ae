"""FA-FRM: formation offsets, wheeling and translating, and the shift of a member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import ShiftOrder
from games.fleet_action.rules import command, geometry
from games.fleet_action.rules.plotting import Plot
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit import hexgrid
from pbem.kit.hexgrid import Hex, distance


def place_of(squadron: Squadron, ship: str) -> Hex:
    """FA-FRM-1: command-ship hex plus the offset turned to the heading."""
    return squadron.hex.plus(geometry.to_map(squadron.formation[ship], squadron.heading))


def slotted(ships: Sequence[str], command_ship: str, template: str) -> dict[str, Hex]:
    """Section 6.3: slots in roster order after the command ship."""
    offsets = dict.fromkeys(ships, geometry.HERE)
    others = [name for name in ships if name != command_ship]
    for name, slot in zip(others, TABLES.formation[template], strict=False):
        offset = geometry.read_offset(slot)
        assert offset is not None
        offsets[name] = offset
    return offsets


def moved(ship: Ship, to: Hex) -> Ship:
    """FA-FRM-9: a ship that changes hex remembers the one it stood in before."""
    return ship if to == ship.hex else replace(ship, hex=to, prev_hex=ship.hex)


def offsets_as_they_stand(table: Table, squadron: Squadron) -> dict[str, Hex]:
    """The stored offsets of ships where they are now; those of ships out of play stay."""
    offsets = dict(squadron.formation)
    for ship in table.members(squadron):
        offsets[ship.name] = geometry.to_frame(ship.hex.minus(squadron.hex), squadron.heading)
    return {name: offsets.get(name, geometry.HERE) for name in squadron.ships}


def allowance(plot: Plot) -> int:
    """FA-FRM-6: half of the least pulse, rounded up."""
    return -(-min(plot.hexes) // 2)


def shift_distance(table: Table, order: ShiftOrder) -> int | None:
    """How far a shift asks to go; None: it is decided when the squadron moves."""
    if order.form == "steps" and order.offset is not None:
        return distance(geometry.HERE, order.offset)
    if order.form == "to" and order.hex is not None:
        return distance(table.ships[order.ship].hex, order.hex)
    return None


def shifted(table: Table, squadron: Squadron, order: ShiftOrder, most: int) -> Hex:
    """FA-FRM-7: the member's new offset in the commander frame."""
    stands = squadron.formation[order.ship]
    if order.form == "steps" and order.offset is not None:
        return stands.plus(order.offset)
    here = place_of(squadron, order.ship)
    if order.form == "to" and order.hex is not None:
        wanted = order.hex
        return (
            geometry.to_frame(wanted.minus(squadron.hex), squadron.heading)
            if distance(here, wanted) <= most
            else stands
        )
    chosen = _reactive(table, squadron, order, here, most)
    return geometry.to_frame(chosen.minus(squadron.hex), squadron.heading)


def _reactive(table: Table, squadron: Squadron, order: ShiftOrder, here: Hex, most: int) -> Hex:
    """FA-FRM-7: the hex nearest to, or farthest from, the enemy's command ship at this moment."""
    enemy = _enemy_hex(table, order.enemy)
    if enemy is None:
        return here
    radius = command.command_radius(table, squadron.side)
    sign = 1 if order.form == "toward" else -1
    candidates = [at for at in hexgrid.disk(here, most) if at == here or distance(at, squadron.hex) <= radius]
    return min(candidates, key=lambda at: (sign * distance(at, enemy), distance(here, at), at.q, at.r))


def _enemy_hex(table: Table, name: str) -> Hex | None:
    if name in table.ships:
        ship = table.living(name)
        return ship.hex if ship is not None else None
    squadron = table.squadrons.get(name)
    return squadron.hex if squadron is not None and table.members(squadron) else None

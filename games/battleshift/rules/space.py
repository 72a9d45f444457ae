"""Sectors, gravity and gates: BS-GEO-2, BS-SHF-4, BS-SHF-5, BS-PLN-1."""

from __future__ import annotations

import re

from games.battleshift.data import LIMITS
from games.battleshift.rules.units import Body, Ship
from games.battleshift.table import Table
from pbem.kit.plane import SECTOR, Sector, Spot, row_number, sectors_at, squared, within

_SECTOR = re.compile(r"(?:(\d{1,3}),?([A-Za-z]{1,2})|([A-Za-z]{1,2}),?(\d{1,3}))")


def read_sector(text: str, width_ft: int, height_ft: int) -> Sector | None:
    """BS-GEO-2: `5B`, `5,B` or `B5`; None: there is no such sector."""
    said = _SECTOR.fullmatch(text.replace(" ", ""))
    if not said:
        return None
    sector = Sector(int(said[1] or said[4]), row_number(said[2] or said[3]))
    return sector if 1 <= sector.column <= width_ft and 1 <= sector.row <= height_ft else None


def nearest_sector(text: str, width_ft: int, height_ft: int) -> Sector | None:
    """The sector of the table nearest to one that is written like a sector but lies outside."""
    said = _SECTOR.fullmatch(text.replace(" ", ""))
    if not said:
        return None
    column, row = int(said[1] or said[4]), row_number(said[2] or said[3])
    return Sector(max(1, min(width_ft, column)), max(1, min(height_ft, row)))


def all_sectors(table: Table) -> list[Sector]:
    """Row by row from the north-west."""
    columns, rows = table.state.width_ft, table.state.height_ft
    return [Sector(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1)]


def overlaps(body: Body, sector: Sector) -> bool:
    """Whether the disc reaches into the sector."""
    left, top, right, bottom = sector.bounds
    nearest = Spot(min(max(body.now.x, left), right), min(max(body.now.y, top), bottom))
    return squared(body.spot, nearest) < body.radius * body.radius


def closer(table: Table, sector: Sector) -> Body | None:
    """BS-SHF-4: the body that closes a sector, whoever comes."""
    for body in table.bodies:
        if body.kind == "planet" and overlaps(body, sector):
            return body
        if body.kind == "moon" and sector.holds(body.spot):
            return body
        if body.kind == "rift" and within(body.spot, sector.centre, body.radius):
            return body
    return None


def gates(table: Table, side: str) -> list[Ship]:
    """BS-SHF-5: active ships and stations of the side with a hyperspace gate."""
    return [ship for s in table.fleet.values() if s.side == side and s.weapons("gate") for ship in s.active]


def sector_closed(table: Table, side: str, sector: Sector) -> Body | None:
    """BS-SHF-4, BS-SHF-5: the body that closes a sector to a side; its own gate there opens it."""
    body = closer(table, sector)
    if body is None or any(sector.holds(gate.spot) for gate in gates(table, side)):
        return None
    return body


def gravity_at(table: Table, side: str, spot: tuple[int, int]) -> Body | None:
    """BS-SHF-4: the body whose gravity holds a ship at this place; None: it may shift."""
    held = _held_by(table, spot)
    if held is None:
        return None
    near_gate = any(within(gate.spot, spot, LIMITS.gate + gate.cls.radius) for gate in gates(table, side))
    return None if near_gate else held


def _held_by(table: Table, spot: tuple[int, int]) -> Body | None:
    for body in table.bodies:
        near = body.kind in ("planet", "singularity") and within(body.spot, spot, body.radius + LIMITS.gravity)
        if near or (body.kind == "rift" and within(body.spot, spot, body.radius)):
            return body
    for sector in sectors_at(spot):
        for body in table.bodies:
            if body.kind == "planet" and overlaps(body, sector):
                return body
            if body.kind == "moon" and sector.holds(body.spot):
                return body
    return None


def may_be_placed(table: Table, side: str, sector: Sector, spot: tuple[int, int]) -> Body | None:
    """BS-SHF-4, BS-SHF-5: the body that forbids an arriving ship this place; a gate opens its whole sector."""
    body = gravity_at(table, side, spot)
    if body is None or any(sector.holds(gate.spot) for gate in gates(table, side)):
        return None
    return body


def is_free_of_gravity(table: Table, sector: Sector) -> bool:
    """BS-SHF-4: whether no place of the sector can be held by any body."""
    left, top, right, bottom = sector.bounds
    for body in table.bodies:
        nearest = Spot(min(max(body.now.x, left), right), min(max(body.now.y, top), bottom))
        # A body may close a whole sector that it touches, and every place on the boundary with that one.
        reach = body.radius + LIMITS.gravity + 2 * SECTOR
        if body.kind in ("planet", "moon", "rift", "singularity") and within(body.spot, nearest, reach):
            return False
    return True


def nearest_open(table: Table, side: str, sector: Sector) -> Sector | None:
    """BS-SHF-12: the open sector whose centre is nearest; of equals the lower row, then the lower column."""
    open_sectors = [candidate for candidate in all_sectors(table) if sector_closed(table, side, candidate) is None]
    centre = Sector(*sector).centre
    return min(
        open_sectors,
        key=lambda candidate: (squared(candidate.centre, centre), candidate.row, candidate.column),
        default=None,
    )


def on_table(table: Table, spot: tuple[int, int]) -> bool:
    """BS-MOV-7: edges belong to the table."""
    return 0 <= spot[0] <= table.width and 0 <= spot[1] <= table.height

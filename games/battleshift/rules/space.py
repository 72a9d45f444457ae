"""Sectors, gravity and gates: BS-GEO-2, BS-SHF-4, BS-SHF-5, BS-PLN-1."""

from __future__ import annotations

import re

from games.battleshift.data import LIMITS
from games.battleshift.rules.table import Battle
from games.battleshift.rules.units import Body, Ship
from pbem.kit.plane import Sector, Spot, row_number, sectors_at, squared, within

_SECTOR = re.compile(r"(?:(\d{1,3}),?([A-Za-z]{1,2})|([A-Za-z]{1,2}),?(\d{1,3}))")


def read_sector(text: str, width_ft: int, height_ft: int) -> Sector | None:
    """BS-GEO-2: `5B`, `5,B` or `B5`; None: there is no such sector."""
    found = _SECTOR.fullmatch(text.replace(" ", ""))
    if not found:
        return None
    sector = Sector(int(found[1] or found[4]), row_number(found[2] or found[3]))
    return sector if 1 <= sector.column <= width_ft and 1 <= sector.row <= height_ft else None


def all_sectors(battle: Battle) -> list[Sector]:
    """Row by row from the north-west."""
    columns, rows = battle.state.width_ft, battle.state.height_ft
    return [Sector(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1)]


def overlaps(body: Body, sector: Sector) -> bool:
    """Whether the disc reaches into the sector."""
    left, top, right, bottom = sector.bounds
    nearest = Spot(min(max(body.x, left), right), min(max(body.y, top), bottom))
    return squared(body.spot, nearest) < body.radius * body.radius


def closer(battle: Battle, sector: Sector) -> Body | None:
    """BS-SHF-4: the body that closes a sector, whoever comes."""
    for body in battle.bodies:
        if body.kind == "planet" and overlaps(body, sector):
            return body
        if body.kind == "moon" and sector.holds(body.spot):
            return body
        if body.kind == "rift" and within(body.spot, sector.centre, body.radius):
            return body
    return None


def gates(battle: Battle, side: str) -> list[Ship]:
    """BS-SHF-5: active ships and stations of the side with a hyperspace gate."""
    return [ship for s in battle.squadrons if s.side == side and s.weapons("gate") for ship in s.active]


def sector_closed(battle: Battle, side: str, sector: Sector) -> Body | None:
    """BS-SHF-4, BS-SHF-5: the body that closes a sector to a side; its own gate there opens it."""
    body = closer(battle, sector)
    if body is None or any(sector.holds(gate.spot) for gate in gates(battle, side)):
        return None
    return body


def gravity_at(battle: Battle, side: str, spot: tuple[int, int]) -> Body | None:
    """BS-SHF-4: the body whose gravity holds a ship at this place; None: it may shift."""
    held = _held_by(battle, spot)
    if held is None:
        return None
    near_gate = any(within(gate.spot, spot, LIMITS.gate + gate.cls.radius) for gate in gates(battle, side))
    return None if near_gate else held


def _held_by(battle: Battle, spot: tuple[int, int]) -> Body | None:
    for body in battle.bodies:
        near = body.kind in ("planet", "singularity") and within(body.spot, spot, body.radius + LIMITS.gravity)
        if near or (body.kind == "rift" and within(body.spot, spot, body.radius)):
            return body
    for sector in sectors_at(spot):
        for body in battle.bodies:
            if body.kind == "planet" and overlaps(body, sector):
                return body
            if body.kind == "moon" and sector.holds(body.spot):
                return body
    return None


def may_be_placed(battle: Battle, side: str, sector: Sector, spot: tuple[int, int]) -> Body | None:
    """BS-SHF-4, BS-SHF-5: the body that forbids an arriving ship this place; a gate opens its whole sector."""
    if any(sector.holds(gate.spot) for gate in gates(battle, side)):
        return None
    return gravity_at(battle, side, spot)


def nearest_open(battle: Battle, side: str, sector: Sector) -> Sector | None:
    """BS-SHF-12: the open sector whose centre is nearest; of equals the lower row, then the lower column."""
    open_ones = [one for one in all_sectors(battle) if sector_closed(battle, side, one) is None]
    centre = Sector(*sector).centre
    return min(open_ones, key=lambda one: (squared(one.centre, centre), one.row, one.column), default=None)


def body_name(body: Body) -> str:
    return body.name or f"the {body.kind}"


def on_table(battle: Battle, spot: tuple[int, int]) -> bool:
    """BS-MOV-7: edges belong to the table."""
    return 0 <= spot[0] <= battle.width and 0 <= spot[1] <= battle.height

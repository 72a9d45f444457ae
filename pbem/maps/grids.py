"""Grids and rulers: the lines of hexes and table sectors, the names of hexes, the figures along the edge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kit.hexgrid import Hex, column_row, neighbour
from pbem.kit.scene import Ground, HexField, HexGrid, InchTable, Point, hex_point
from pbem.maps.frame import ROOT3, Box, Frame, hex_name, hexes
from pbem.maps.labels import text_width

LEAST_NAMED = 11
"""Pixels of a hex's radius under which hex names would be dust."""
LEAST_GRID = 4
CORNERS = tuple((math.cos(math.radians(60 * k)), math.sin(math.radians(60 * k))) for k in range(6))
"""Corners of a hex of radius 1, clockwise from the east; corner k to k+1 is an edge."""
# The neighbour beyond the edge from corner k to k+1: SE, S, SW, NW, N, NE.
BEYOND = (2, 3, 4, 5, 0, 1)


@dataclass(frozen=True)
class Lettering:
    """A short text at a point."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Grid:
    """Lines, area and names of a ground, as paths and letterings."""

    lines: str
    floor: str
    """The area that is ground."""
    fine: str = ""
    """A finer grid inside the sectors of a table."""
    names: tuple[Lettering, ...] = ()
    name_size: float = 0.0


def grid(ground: Ground, frame: Frame) -> Grid:
    if isinstance(ground, HexGrid | HexField):
        return _hex_grid(ground, frame)
    area = frame.area
    if isinstance(ground, InchTable):
        return Grid(_square_grid(frame, ground.sector), rectangle(area), _square_grid(frame, ground.sector / 4))
    return Grid(rectangle(area), rectangle(area))


def rectangle(box: Box) -> str:
    return f"M{box.left:.1f} {box.top:.1f}h{box.width:.1f}v{box.height:.1f}h{-box.width:.1f}z"


def _square_grid(frame: Frame, step: float) -> str:
    area, window = frame.area, frame.window
    across = (frame.left + (at - window.left) * frame.scale for at in _multiples(step, window.left, window.right))
    down = (frame.top + (at - window.top) * frame.scale for at in _multiples(step, window.top, window.bottom))
    lines = [f"M{x:.1f} {area.top:.1f}v{area.height:.1f}" for x in across]
    return "".join([*lines, *(f"M{area.left:.1f} {y:.1f}h{area.width:.1f}" for y in down)])


def _multiples(step: float, low: float, high: float) -> list[float]:
    return [n * step for n in range(math.ceil(low / step), math.floor(high / step + 1e-6) + 1)]


def _hex_grid(ground: HexGrid | HexField, frame: Frame) -> Grid:
    radius = frame.scale
    shown = [at for at in hexes(ground) if frame.shows(hex_point(at), 1.0)]
    there = set(shown)
    floor = _floor(frame, shown) if isinstance(ground, HexGrid) else "".join(hex_path(frame, at) for at in shown)
    lines = "".join(_grid_lines(frame, at, there) for at in shown) if radius >= LEAST_GRID else ""
    names: tuple[Lettering, ...] = ()
    size = round(radius * 0.46 if ground.names == "CCRR" else radius * 0.4, 1)
    size = min(size, 15 * frame.type)
    if radius >= LEAST_NAMED * frame.type:
        letterings = (_hex_lettering(ground, frame, at, size) for at in shown)
        names = tuple(name for name in letterings if _fits(name, size, frame.area))
    return Grid(lines, floor, names=names, name_size=size)


def _fits(name: Lettering, size: float, area: Box) -> bool:
    """A name cut in half by the edge says nothing."""
    half = text_width(name.text, size) / 2
    beside = area.left <= name.x - half and name.x + half <= area.right
    return beside and area.top <= name.y - size * 0.9 and name.y <= area.bottom


def _hex_lettering(ground: HexGrid | HexField, frame: Frame, at: Hex, size: float) -> Lettering:
    """The name stands in the top of the hex, where a unit covers it least."""
    x, y = frame.at(hex_point(at))
    # On whole pixels, so that equal digits are equal pixels.
    return Lettering(round(x), round(y - ROOT3 / 2 * frame.scale + size * 0.98), hex_name(ground, at))


def hex_path(frame: Frame, at: Hex) -> str:
    x, y = frame.at(hex_point(at))
    half, high = frame.scale / 2, frame.scale * ROOT3 / 2
    return (
        f"M{x - frame.scale:.1f} {y:.1f}l{half:.1f} {-high:.1f}h{frame.scale:.1f}"
        f"l{half:.1f} {high:.1f}l{-half:.1f} {high:.1f}h{-frame.scale:.1f}z"
    )


def _floor(frame: Frame, shown: Sequence[Hex]) -> str:
    """The area of a rectangular grid: the hexes of its rim, and one rectangle for all within."""
    columns, rows = zip(*(column_row(at) for at in shown), strict=True)
    rim_columns, rim_rows = {min(columns), max(columns)}, {min(rows), max(rows)}
    rim = [at for at, c, r in zip(shown, columns, rows, strict=True) if c in rim_columns or r in rim_rows]
    centres = {at: frame.at(hex_point(at)) for at in rim}
    top = max(centre.y for at, centre in centres.items() if column_row(at)[1] == min(rows))
    bottom = min(centre.y for at, centre in centres.items() if column_row(at)[1] == max(rows))
    left, right = (min(c.x for c in centres.values()), max(c.x for c in centres.values()))
    within = rectangle(Box(left, top, right - left, bottom - top)) if bottom > top else ""
    return within + "".join(hex_path(frame, at) for at in rim)


def _grid_lines(frame: Frame, at: Hex, there: set[Hex]) -> str:
    """Every edge of a grid once: a hex draws its northern three, the others only where nobody else does."""
    x, y = frame.at(hex_point(at))
    half, high = frame.scale / 2, frame.scale * ROOT3 / 2
    north = f"M{x - frame.scale:.1f} {y:.1f}l{half:.1f}-{high:.1f}h{frame.scale:.1f}l{half:.1f} {high:.1f}"
    return north + _edges(frame, at, [k for k in range(3) if neighbour(at, BEYOND[k]) not in there])


def hex_edges(frame: Frame, at: Hex, inside: set[Hex]) -> str:
    """The hex's edges that lie on the outline of an area."""
    return _edges(frame, at, [k for k in range(6) if neighbour(at, BEYOND[k]) not in inside])


def _edges(frame: Frame, at: Hex, edges: Sequence[int]) -> str:
    x, y = frame.at(hex_point(at))
    parts = []
    for k in edges:
        (ax, ay), (bx, by) = CORNERS[k], CORNERS[(k + 1) % 6]
        r = frame.scale
        parts.append(f"M{x + ax * r:.1f} {y + ay * r:.1f}L{x + bx * r:.1f} {y + by * r:.1f}")
    return "".join(parts)


def rulers(ground: Ground, frame: Frame) -> tuple[Lettering, ...]:
    if isinstance(ground, HexGrid) and ground.names == "CCRR":
        return _hex_rulers(ground, frame)
    if isinstance(ground, InchTable):
        return _table_rulers(ground, frame)
    return ()


def _hex_rulers(ground: HexGrid, frame: Frame) -> tuple[Lettering, ...]:
    size, letterings = 17 * frame.type, []
    step = _ruler_step(1.5 * frame.scale, text_width("00", size) * 1.35)
    first = [at for at in hexes(ground) if column_row(at)[1] == ground.first_row]
    for at in first:
        x = frame.at(hex_point(at)).x
        column = column_row(at)[0]
        if column % step == 0 and frame.area.left <= x <= frame.area.right:
            letterings.append(Lettering(x, round(frame.top - 8 * frame.type, 1), f"{column:02}"))
    step = _ruler_step(ROOT3 * frame.scale, size * 1.15)
    for at in [at for at in hexes(ground) if column_row(at)[0] == ground.first_column]:
        y = frame.at(hex_point(at)).y
        row = column_row(at)[1]
        if row % step == 0 and frame.area.top <= y <= frame.area.bottom:
            letterings.append(Lettering(round(frame.left - 17 * frame.type, 1), round(y + size * 0.36, 1), f"{row:02}"))
    return tuple(letterings)


def _ruler_step(spacing: float, needed: float) -> int:
    return next((step for step in (1, 2, 5, 10, 20, 50) if step * spacing >= needed), 100)


def _table_rulers(ground: InchTable, frame: Frame) -> tuple[Lettering, ...]:
    """Columns are numbered, rows lettered, as the table's sectors are."""
    size, letterings, sector = 17 * frame.type, [], ground.sector
    for n in range(math.ceil(ground.width / sector)):
        x = frame.at(Point((n + 0.5) * sector, 0)).x
        if frame.area.left <= x <= frame.area.right:
            letterings.append(Lettering(x, round(frame.top - 8 * frame.type, 1), str(n + 1)))
    for n in range(math.ceil(ground.height / sector)):
        y = frame.at(Point(0, (n + 0.5) * sector)).y
        if frame.area.top <= y <= frame.area.bottom:
            letterings.append(Lettering(round(frame.left - 15 * frame.type, 1), round(y + size * 0.36, 1), _letters(n)))
    return tuple(letterings)


def _letters(n: int) -> str:
    """A to Z, then AA, AB..."""
    return (_letters(n // 26 - 1) if n >= 26 else "") + chr(ord("A") + n % 26)

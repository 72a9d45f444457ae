"""The unchanging part of a map as drawing records: grid, hex names, rulers, terrain, systems and lanes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kit.hexgrid import Hex, column_row, neighbour
from pbem.kit.scene import (
    Disc,
    HexField,
    HexGrid,
    InchTable,
    Item,
    Label,
    Lane,
    Patch,
    Point,
    Scene,
    ScenePart,
    Star,
    hex_point,
)
from pbem.report.frame import ROOT3, Box, Frame, hex_name, hexes
from pbem.report.labels import Placed, Placer, TextLine, text_width
from pbem.report.look import TERRAIN, TerrainLook, Theme

LEAST_NAMED = 11
"""Pixels of a hex's radius under which hex names would be dust."""
LEAST_GRID = 4
CORNERS = tuple((math.cos(math.radians(60 * k)), math.sin(math.radians(60 * k))) for k in range(6))
"""Corners of a hex of radius 1, clockwise from the east; corner k to k+1 is an edge."""
# The neighbour beyond the edge from corner k to k+1: SE, S, SW, NW, N, NE.
BEYOND = (2, 3, 4, 5, 0, 1)


@dataclass(frozen=True)
class Shape:
    """A filled outline: terrain."""

    path: str
    edge: str
    fill: str
    opacity: float
    pattern: str
    """Id of the pattern laid over the fill; empty: none."""
    stroke: str
    dash: str = ""


@dataclass(frozen=True)
class Round:
    """A round body: planet, star, cloud."""

    x: float
    y: float
    radius: float
    kind: str
    fill: str
    opacity: float
    pattern: str
    stroke: str


@dataclass(frozen=True)
class SystemMark:
    x: float
    y: float
    radius: float
    colour: str
    fill: str
    index: int | None
    capital: bool


@dataclass(frozen=True)
class Stroke:
    """A line of given width and dashes."""

    path: str
    colour: str
    width: float
    dash: str = ""


@dataclass(frozen=True)
class Mark:
    """A short text at a point."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Background:
    """All that is rasterised once."""

    ground: str
    floor: str
    """Path of the ground's area."""
    grid: str
    fine: str
    """Path of a finer grid inside the sectors of a table."""
    names: tuple[Mark, ...]
    name_size: float
    rulers: tuple[Mark, ...]
    ruler_size: float
    shapes: tuple[Shape, ...]
    rounds: tuple[Round, ...]
    lanes: tuple[Stroke, ...]
    systems: tuple[SystemMark, ...]
    labels: tuple[Placed, ...]
    obstacles: tuple[Box, ...]
    kinds: tuple[str, ...]
    """Kinds of terrain in use, for the legend."""


def background(scene: Scene, frame: Frame, theme: Theme, terrain: Sequence[Item]) -> Background:
    """Lay the ground and the given terrain on the frame."""
    layer = TerrainLayer(frame, theme, scene.sides, Placer(frame.area))
    for item in terrain:
        layer.add(item)
    layer.name_things()
    grid, fine, floor, names, name_size = _grid(scene.ground, frame)
    return Background(
        ground=_ground_colour(scene, theme),
        floor=floor,
        grid=grid,
        fine=fine,
        names=names,
        name_size=name_size,
        rulers=_rulers(scene.ground, frame),
        ruler_size=17 * frame.type,
        shapes=tuple(layer.shapes),
        rounds=tuple(layer.rounds),
        lanes=tuple(layer.lanes),
        systems=tuple(layer.systems),
        labels=tuple(layer.labels),
        obstacles=tuple(layer.obstacles),
        kinds=tuple(dict.fromkeys(layer.kinds)),
    )


def _ground_colour(scene: Scene, theme: Theme) -> str:
    if isinstance(scene.ground, InchTable):
        return theme.table
    return theme.sea if getattr(scene.ground, "ground", "space") == "sea" else theme.space


# --- grids and rulers ------------------------------------------------------------------------------------------------


def _grid(ground: object, frame: Frame) -> tuple[str, str, str, tuple[Mark, ...], float]:
    if isinstance(ground, HexGrid | HexField):
        return _hex_grid(ground, frame)
    area = frame.area
    if isinstance(ground, InchTable):
        coarse = _square_grid(frame, ground.sector)
        return coarse, _square_grid(frame, ground.sector / 4), rectangle(area), (), 0.0
    return rectangle(area), "", rectangle(area), (), 0.0


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


def _hex_grid(ground: HexGrid | HexField, frame: Frame) -> tuple[str, str, str, tuple[Mark, ...], float]:
    radius = frame.scale
    shown = [at for at in hexes(ground) if frame.shows(hex_point(at), 1.0)]
    there = set(shown)
    floor = _floor(frame, shown) if isinstance(ground, HexGrid) else "".join(hex_path(frame, at) for at in shown)
    lines = "".join(_grid_lines(frame, at, there) for at in shown) if radius >= LEAST_GRID else ""
    names: tuple[Mark, ...] = ()
    size = round(radius * 0.46 if ground.names == "CCRR" else radius * 0.4, 1)
    size = min(size, 15 * frame.type)
    if radius >= LEAST_NAMED * frame.type:
        marks = (_name_mark(ground, frame, at, size) for at in shown)
        names = tuple(mark for mark in marks if _fits(mark, size, frame.area))
    return lines, "", floor, names, size


def _fits(mark: Mark, size: float, area: Box) -> bool:
    """A name cut in half by the edge says nothing."""
    half = text_width(mark.text, size) / 2
    beside = area.left <= mark.x - half and mark.x + half <= area.right
    return beside and area.top <= mark.y - size * 0.9 and mark.y <= area.bottom


def _name_mark(ground: HexGrid | HexField, frame: Frame, at: Hex, size: float) -> Mark:
    """The name stands in the top of the hex, where a unit covers it least."""
    x, y = frame.at(hex_point(at))
    # On whole pixels, so that equal digits are equal pixels.
    return Mark(round(x), round(y - ROOT3 / 2 * frame.scale + size * 0.98), hex_name(ground, at))


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


def _rulers(ground: object, frame: Frame) -> tuple[Mark, ...]:
    if isinstance(ground, HexGrid) and ground.names == "CCRR":
        return _hex_rulers(ground, frame)
    if isinstance(ground, InchTable):
        return _table_rulers(ground, frame)
    return ()


def _hex_rulers(ground: HexGrid, frame: Frame) -> tuple[Mark, ...]:
    size, marks = 17 * frame.type, []
    step = _ruler_step(1.5 * frame.scale, text_width("00", size) * 1.35)
    first = [at for at in hexes(ground) if column_row(at)[1] == ground.first_row]
    for at in first:
        x = frame.at(hex_point(at)).x
        column = column_row(at)[0]
        if column % step == 0 and frame.area.left <= x <= frame.area.right:
            marks.append(Mark(x, round(frame.top - 8 * frame.type, 1), f"{column:02}"))
    step = _ruler_step(ROOT3 * frame.scale, size * 1.15)
    for at in [at for at in hexes(ground) if column_row(at)[0] == ground.first_column]:
        y = frame.at(hex_point(at)).y
        row = column_row(at)[1]
        if row % step == 0 and frame.area.top <= y <= frame.area.bottom:
            marks.append(Mark(round(frame.left - 17 * frame.type, 1), round(y + size * 0.36, 1), f"{row:02}"))
    return tuple(marks)


def _ruler_step(spacing: float, needed: float) -> int:
    return next((step for step in (1, 2, 5, 10, 20, 50) if step * spacing >= needed), 100)


def _table_rulers(ground: InchTable, frame: Frame) -> tuple[Mark, ...]:
    """Columns are numbered, rows lettered, as the table's sectors are."""
    size, marks, sector = 17 * frame.type, [], ground.sector
    for n in range(math.ceil(ground.width / sector)):
        x = frame.at(Point((n + 0.5) * sector, 0)).x
        if frame.area.left <= x <= frame.area.right:
            marks.append(Mark(x, round(frame.top - 8 * frame.type, 1), str(n + 1)))
    for n in range(math.ceil(ground.height / sector)):
        y = frame.at(Point(0, (n + 0.5) * sector)).y
        if frame.area.top <= y <= frame.area.bottom:
            marks.append(Mark(round(frame.left - 15 * frame.type, 1), round(y + size * 0.36, 1), _letters(n)))
    return tuple(marks)


def _letters(n: int) -> str:
    """A to Z, then AA, AB..."""
    return (_letters(n // 26 - 1) if n >= 26 else "") + chr(ord("A") + n % 26)


# --- terrain ---------------------------------------------------------------------------------------------------------


class TerrainLayer:
    """Collects what terrain, systems and lanes draw; also used for what a player's own layer knows of them."""

    def __init__(self, frame: Frame, theme: Theme, sides: Sequence[ScenePart], placer: Placer) -> None:
        self._frame = frame
        self._theme = theme
        self._index = {side.id: side.index for side in sides}
        self._placer = placer
        self._waiting: list[tuple[Point, float, tuple[TextLine, ...], str]] = []
        self.shapes: list[Shape] = []
        self.rounds: list[Round] = []
        self.lanes: list[Stroke] = []
        self.systems: list[SystemMark] = []
        self.labels: list[Placed] = []
        self.obstacles: list[Box] = []
        self.kinds: list[str] = []
        self.extent: list[Box] = []

    def add(self, item: Item) -> None:
        match item:
            case Patch():
                self._patch(item)
            case Disc():
                self._disc(item)
            case Lane():
                self._lane(item)
            case Star():
                self._star(item)
            case Label():
                self._wait(item.at, 0.0, item.text, {"note": 15.0, "name": 18.0, "title": 26.0}[item.weight], "centre")

    def name_things(self) -> None:
        """Names come last, when all that they must not cover is known."""
        for at, radius, lines, where in self._waiting:
            spot = self._frame.at(at)
            if where == "centre":
                placed: Placed | None = self._placer.fixed(spot, lines)
            else:
                placed = self._placer.place(spot, radius, lines, must=True)
            if placed:
                self.labels.append(placed)
                self.obstacles.append(placed.box)
        self._waiting.clear()

    def _wait(self, at: Point, radius: float, text: str, size: float, where: str, note: str = "") -> None:
        if not text or not self._frame.shows(at):
            return
        size *= self._frame.type
        lines = [TextLine(text, round(size, 1), self._theme.quiet, "bold" if size > 16 else "normal")]
        if note:
            lines.append(TextLine(note, round(size * 0.8, 1), self._theme.quiet))
        self._waiting.append((at, radius, tuple(lines), where))

    def _look(self, kind: str, side: str | None) -> tuple[TerrainLook, str, str, str]:
        """The look, fill, stroke and pattern of a kind; ground that belongs to a side has the side's."""
        self.kinds.append(kind)
        look = TERRAIN[kind]
        if side is not None and side in self._index:
            index = self._index[side]
            colour = self._theme.side(index)
            return look, colour, colour, f"zn-{index}"
        fill, stroke = look.colours(self._theme.name)
        return look, fill, stroke, look.pattern

    def _patch(self, item: Patch) -> None:
        shown = [at for at in item.hexes if self._frame.shows(hex_point(at), 1.0)]
        if not shown:
            return
        look, fill, stroke, pattern = self._look(item.kind, item.side)
        inside = set(item.hexes)
        self.extent += [Box.about(self._frame.at(hex_point(at)), self._frame.scale + 2) for at in shown]
        path = "".join(hex_path(self._frame, at) for at in shown)
        edge = "".join(hex_edges(self._frame, at, inside) for at in shown)
        opacity = min(0.95, look.opacity + 0.12 * (item.strength - 1)) if item.side is None else 0.1
        self.shapes.append(Shape(path, edge, fill, round(opacity, 2), pattern, stroke, look.dash))
        middle = _middle(shown)
        self._wait(middle, 0.0, item.label, 15.0, "centre")

    def _disc(self, item: Disc) -> None:
        if not self._frame.shows(item.at, item.radius + 0.5):
            return
        look, fill, stroke, pattern = self._look(item.kind, item.side)
        x, y = self._frame.at(item.at)
        radius = round(max(item.radius * self._frame.scale, 7 * self._frame.type), 1)
        opacity = look.opacity if item.side is None else 0.1
        self.extent.append(Box.about(Point(x, y), 1.4 * radius + 4))
        self.rounds.append(Round(x, y, radius, item.kind, fill, opacity, pattern, stroke))
        if radius > 60 * self._frame.type and item.kind in ("dust", "nebula", "zone", "fog", "asteroids", "deployment"):
            self._wait(item.at, 0.0, item.label, 15.0, "centre")
        else:
            self._placer.take(Box.about(Point(x, y), radius))
            self._wait(item.at, min(radius, 400.0), item.label, 15.0, "beside")

    def _lane(self, item: Lane) -> None:
        start, end = self._frame.at(item.start), self._frame.at(item.end)
        width, dash = {"major": (4.0, ""), "minor": (2.0, "8 5"), "plain": (2.0, "")}[item.kind]
        path = f"M{start.x} {start.y}L{end.x} {end.y}"
        self.lanes.append(Stroke(path, self._theme.grid_strong, round(width * self._frame.type, 1), dash))
        self.extent += [Box.about(start, 4), Box.about(end, 4)]
        self.kinds.append(f"lane {item.kind}")

    def _star(self, item: Star) -> None:
        if not self._frame.shows(item.at):
            return
        x, y = self._frame.at(item.at)
        radius = (11 if item.capital else 8) * self._frame.type
        index = self._index.get(item.owner or "")
        colour = self._theme.quiet if index is None else self._theme.side(index)
        fill = self._theme.paper if index is None else self._theme.fill(index, "px")
        self.systems.append(SystemMark(x, y, round(radius, 1), colour, fill, index, item.capital))
        spot = Box.about(Point(x, y), radius)
        self._placer.take(spot)
        self.obstacles.append(spot)
        self.extent.append(spot.grown(8))
        self._wait(item.at, radius, item.name, 17.0, "beside", item.note)
        self.kinds.append("capital system" if item.capital else "system")


def _middle(shown: Sequence[Hex]) -> Point:
    """The hex nearest to the middle of an area, so that a name stands on the area even where that is bent."""
    points = [hex_point(at) for at in shown]
    x, y = sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points)
    return min(points, key=lambda p: (round((p.x - x) ** 2 + (p.y - y) ** 2, 4), p))

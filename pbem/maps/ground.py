"""The unchanging part of a map as drawing records: grid, hex names, rulers, terrain, systems and lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kit.hexgrid import Hex
from pbem.kit.scene import (
    Disc,
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
from pbem.maps.frame import Box, Frame
from pbem.maps.grids import Grid, Lettering, grid, hex_edges, hex_path, rulers
from pbem.maps.labels import Placed, Placer, TextLine
from pbem.maps.look import TERRAIN, TerrainLook, Theme


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
class Background:
    """All that is rasterised once."""

    ground: str
    grid: Grid
    rulers: tuple[Lettering, ...]
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
    return Background(
        ground=_ground_colour(scene, theme),
        grid=grid(scene.ground, frame),
        rulers=rulers(scene.ground, frame),
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

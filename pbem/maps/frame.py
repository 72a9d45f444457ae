"""Which part of the ground a picture shows, and where its points fall on the pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pbem.kit.hexgrid import Hex, column_row, from_column_row, name
from pbem.kit.scene import (
    Ghost,
    Ground,
    HexField,
    HexGrid,
    InchTable,
    Item,
    Point,
    Scene,
    StarField,
    Trail,
    Unit,
    hex_point,
)

MapSize = Literal["large", "small", "none"]

ROOT3 = math.sqrt(3)

WHOLE_COLUMNS, WHOLE_ROWS = 60, 40
"""Hex maps up to this size are drawn whole; larger ones follow their units."""
WHOLE_INCHES = 144
FOCUS_MARGIN = 4
"""Hexes of room about the units; on a table, inches."""
FOCUS_LEAST = 20
FOCUS_STEP = 4
"""The window moves in steps, so that a background serves several turns."""
TITLE = 46
"""Pixels of the band that holds the title."""
LARGEST_RADIUS = 54
LARGEST_INCH = 40


@dataclass(frozen=True)
class Canvas:
    """The pixels there are."""

    width: int
    most_height: int
    type: float
    """Factor of all type and line widths."""


CANVASES: dict[MapSize, Canvas] = {
    "large": Canvas(1620, 1900, 1.0),
    "small": Canvas(960, 1250, 0.72),
    "none": Canvas(960, 1250, 0.72),
}


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def contains(self, point: Point) -> bool:
        return self.left <= point.x <= self.right and self.top <= point.y <= self.bottom

    def shared(self, other: Box) -> float:
        """The area both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    def grown(self, by: float) -> Box:
        return Box(self.left - by, self.top - by, self.width + 2 * by, self.height + 2 * by)

    def within(self, other: Box) -> Box:
        """The part that lies in the other; of no size where there is none."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Box(left, top, max(0.0, right - left), max(0.0, bottom - top))

    def on_pixels(self) -> Box:
        left, top = math.floor(self.left), math.floor(self.top)
        return Box(left, top, math.ceil(self.right) - left, math.ceil(self.bottom) - top)

    @staticmethod
    def about(at: Point, reach: float) -> Box:
        return Box(at.x - reach, at.y - reach, 2 * reach, 2 * reach)

    @staticmethod
    def covering(boxes: Iterable[Box]) -> Box | None:
        """The smallest box about all of them."""
        return Box.around(
            corner for box in boxes for corner in (Point(box.left, box.top), Point(box.right, box.bottom))
        )

    @staticmethod
    def around(points: Iterable[Point]) -> Box | None:
        all_points = list(points)
        if not all_points:
            return None
        left, top = min(p.x for p in all_points), min(p.y for p in all_points)
        return Box(left, top, max(p.x for p in all_points) - left, max(p.y for p in all_points) - top)


@dataclass(frozen=True)
class Frame:
    """A window on the ground, laid on a canvas."""

    window: Box
    """In map units."""
    scale: float
    """Pixels to one unit."""
    left: float
    top: float
    """Where the window's corner falls."""
    width: int
    height: int
    """Of the map with its title and rulers, without the legend."""
    type: float
    whole: bool

    def at(self, point: Point) -> Point:
        x = self.left + (point.x - self.window.left) * self.scale
        y = self.top + (point.y - self.window.top) * self.scale
        return Point(round(x, 1), round(y, 1))

    @property
    def area(self) -> Box:
        """The window in pixels."""
        return Box(self.left, self.top, self.window.width * self.scale, self.window.height * self.scale)

    @property
    def title_height(self) -> int:
        return round(TITLE * self.type)

    def shows(self, point: Point, margin: float = 0.5) -> bool:
        return self.window.grown(margin).contains(point)


def frame(scene: Scene, size: MapSize) -> Frame:
    """The whole ground, or the part where the units are."""
    canvas = CANVASES[size]
    ground = bounds(scene.ground)
    window = _window(scene, ground)
    title, ruler, pad = TITLE * canvas.type, 34 * canvas.type, 14 * canvas.type
    room = canvas.width - ruler - pad
    scale = min(room / window.width, (canvas.most_height - title - ruler - pad) / window.height)
    scale = _snapped(scene.ground, min(scale, largest_scale(scene.ground)))
    # A narrow map keeps room for its title and legend.
    width = max(round(window.width * scale + ruler + pad), round(canvas.width * 0.6))
    left = round(ruler + (width - ruler - pad - window.width * scale) / 2)
    top = round(title + ruler)
    height = math.ceil(top + window.height * scale + pad)
    return Frame(window, scale, left, top, width, height, canvas.type, window == ground)


def _snapped(ground: Ground, scale: float) -> float:
    """Hexes as high as an even number of pixels all look alike, which makes the picture crisp and its file small."""
    if not isinstance(ground, HexGrid | HexField) or scale < 4:
        return scale
    return 2 * math.floor(ROOT3 * scale / 2) / ROOT3


def largest_scale(ground: Ground) -> float:
    if isinstance(ground, HexGrid | HexField):
        return LARGEST_RADIUS
    return LARGEST_INCH if isinstance(ground, InchTable) else math.inf


def bounds(ground: Ground) -> Box:
    """All of the ground, in map units."""
    if isinstance(ground, InchTable):
        return Box(0, 0, ground.width, ground.height)
    if isinstance(ground, StarField):
        return Box(ground.left, ground.top, ground.width, ground.height)
    around = Box.around(hex_point(at) for at in hexes(ground))
    assert around is not None, "a hex map has at least one hex"
    return Box(around.left - 1, around.top - ROOT3 / 2, around.width + 2, around.height + ROOT3)


@lru_cache(maxsize=16)
def hexes(ground: HexGrid | HexField) -> tuple[Hex, ...]:
    """All hexes, column by column."""
    if isinstance(ground, HexField):
        return tuple(sorted(ground.hexes))
    columns = range(ground.first_column, ground.first_column + ground.columns)
    rows = range(ground.first_row, ground.first_row + ground.rows)
    return tuple(from_column_row(column, row) for column in columns for row in rows)


def hex_name(ground: HexGrid | HexField, at: Hex) -> str:
    return name(at) if ground.names == "CCRR" else f"{at.q},{at.r}"


# --- a large map follows its units -----------------------------------------------------------------------------------


def _window(scene: Scene, ground: Box) -> Box:
    if not _is_large(scene.ground):
        return ground
    about = Box.around(_places(scene.items))
    if about is None:
        return ground
    unit = 1.5 if isinstance(scene.ground, HexGrid | HexField) else 1.0
    margin, least, step = FOCUS_MARGIN * unit, FOCUS_LEAST * unit, FOCUS_STEP * unit
    left, width = _span(about.left, about.right, ground.left, ground.width, (margin, least, step))
    top, height = _span(about.top, about.bottom, ground.top, ground.height, (margin, least * 0.7, step))
    if width * height > 0.6 * ground.width * ground.height:
        return ground
    return Box(left, top, width, height)


def _is_large(ground: Ground) -> bool:
    if isinstance(ground, HexGrid):
        return ground.columns > WHOLE_COLUMNS or ground.rows > WHOLE_ROWS
    if isinstance(ground, HexField):
        spread = [column_row(at) for at in ground.hexes]
        columns = max(c for c, _ in spread) - min(c for c, _ in spread) + 1
        rows = max(r for _, r in spread) - min(r for _, r in spread) + 1
        return columns > WHOLE_COLUMNS or rows > WHOLE_ROWS
    return isinstance(ground, InchTable) and max(ground.width, ground.height) > WHOLE_INCHES


def _places(items: Sequence[Item]) -> list[Point]:
    points = [item.at for item in items if isinstance(item, Unit | Ghost)]
    return points + [point for item in items if isinstance(item, Trail) for point in item.points]


def _span(
    low: float, high: float, start: float, length: float, sizes: tuple[float, float, float]
) -> tuple[float, float]:
    """Start and length of the window along one axis, on whole steps and inside the ground."""
    margin, least, step = sizes
    spare = max(0.0, least - (high - low) - 2 * margin) / 2
    first = start + math.floor((low - margin - spare - start) / step) * step
    last = start + math.ceil((high + margin + spare - start) / step) * step
    first, last = max(first, start), min(last, start + length)
    return first, last - first

"""Names on a map find a free place: beside what they name, over nothing, else a little away with a line to it."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

from PIL import ImageFont

from pbem.kit.scene import Point
from pbem.maps.frame import Box
from pbem.maps.png import font_files

MEASURED_AT = 100
LINE_HEIGHT = 1.18
CELL = 96

# East first, then west, below and above; a map reads best when names stand beside things.
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (1, 1), (-1, -1), (-1, 1))
DISTANCES = (4.0, 14.0, 30.0, 50.0)
"""Pixels between a thing and its name, in the order they are tried."""
LEADER_FROM = 10.0
WORST_COVER = 0.22
"""A name that would be covered by more than this is left out, and the legend says how many were."""


@lru_cache(maxsize=2)
def _font(weight: str) -> ImageFont.FreeTypeFont:
    bold, regular = font_files()
    return ImageFont.truetype(bold if weight == "bold" else regular, MEASURED_AT)


@lru_cache(maxsize=20_000)
def _measured(text: str, weight: str) -> float:
    return _font(weight).getlength(text)


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """In pixels, by the font the map is drawn with."""
    return _measured(text, weight) * size / MEASURED_AT


@dataclass(frozen=True)
class TextLine:
    text: str
    size: float
    colour: str
    weight: str = "normal"
    style: str = "normal"


@dataclass(frozen=True)
class Placed:
    """A label where it stands: its lines from top to bottom, and the line back to what it names."""

    box: Box
    lines: tuple[TextLine, ...]
    anchor: str
    x: float
    baselines: tuple[float, ...]
    leader: tuple[Point, Point] | None

    @property
    def plates(self) -> tuple[Box, ...]:
        """What keeps each line readable over the grid: a box of its own width."""
        made = []
        for line, baseline in zip(self.lines, self.baselines, strict=True):
            width = text_width(line.text, line.size, line.weight) + 4
            left = {"start": self.x - 2, "end": self.x - width + 2, "middle": self.x - width / 2}[self.anchor]
            made.append(Box(left, baseline - line.size * 0.93, width, line.size * LINE_HEIGHT))
        return tuple(made)

    @property
    def leader_path(self) -> str:
        if self.leader is None:
            return ""
        start, end = self.leader
        return f"M{start.x} {start.y}L{end.x} {end.y}"


class Placer:
    """Keeps what stands where, and finds room for the next name."""

    def __init__(self, area: Box) -> None:
        self._area = area
        self._taken: dict[tuple[int, int], list[tuple[Box, float]]] = defaultdict(list)

    def take(self, box: Box, weight: float = 1.0) -> None:
        """Something stands here; a name on it costs so much per pixel."""
        for cell in _cells(box):
            self._taken[cell].append((box, weight))

    def place(self, at: Point, radius: float, lines: tuple[TextLine, ...], *, must: bool = False) -> Placed | None:
        """The best free place beside a thing of this radius; None when there is none worth having."""
        width = max(text_width(line.text, line.size, line.weight) for line in lines) + 4
        height = sum(line.size * LINE_HEIGHT for line in lines)
        best, best_cost, best_cover = None, math.inf, math.inf
        for ring, gap in enumerate(DISTANCES):
            for order, direction in enumerate(DIRECTIONS):
                box = _beside(at, radius + gap, direction, width, height)
                cover = self._cover(box)
                cost = cover + 0.01 * order + 0.04 * ring
                if cost < best_cost:
                    best, best_cost, best_cover = (box, direction, gap), cost, cover
            if best_cover < 0.01:
                break
        if best is None or (best_cover > WORST_COVER and not must):
            return None
        box, direction, gap = best
        self.take(box, 2.0)
        return _set(box, lines, direction, _leader(at, radius, box) if gap > LEADER_FROM else None)

    def fixed(self, at: Point, lines: tuple[TextLine, ...]) -> Placed:
        """A label that belongs exactly here, centred."""
        width = max(text_width(line.text, line.size, line.weight) for line in lines) + 4
        height = sum(line.size * LINE_HEIGHT for line in lines)
        box = Box(at.x - width / 2, at.y - height / 2, width, height)
        self.take(box, 1.5)
        return _set(box, lines, (0, 0), None)

    def _cover(self, box: Box) -> float:
        """The share of the box that is taken, or outside the map."""
        size = box.width * box.height
        outside = size - box.shared(self._area)
        covered: dict[int, float] = {}
        for cell in _cells(box):
            for taken, weight in self._taken.get(cell, ()):
                if id(taken) not in covered:
                    covered[id(taken)] = weight * taken.shared(box)
        return (4 * outside + sum(covered.values())) / size


def _cells(box: Box) -> list[tuple[int, int]]:
    columns = range(int(box.left // CELL), int(box.right // CELL) + 1)
    rows = range(int(box.top // CELL), int(box.bottom // CELL) + 1)
    return [(column, row) for column in columns for row in rows]


def _beside(at: Point, reach: float, direction: tuple[int, int], width: float, height: float) -> Box:
    dx, dy = direction
    if dx and dy:
        reach *= 0.72
    left = at.x - width / 2 if dx == 0 else (at.x + reach if dx > 0 else at.x - reach - width)
    top = at.y - height / 2 if dy == 0 else (at.y + reach if dy > 0 else at.y - reach - height)
    return Box(round(left, 1), round(top, 1), width, height)


def _set(
    box: Box, lines: tuple[TextLine, ...], direction: tuple[int, int], leader: tuple[Point, Point] | None
) -> Placed:
    anchor = {1: "start", -1: "end", 0: "middle"}[direction[0]]
    x = {1: box.left + 2, -1: box.right - 2, 0: box.left + box.width / 2}[direction[0]]
    baselines, y = [], box.top
    for line in lines:
        baselines.append(round(y + line.size * 0.93, 1))
        y += line.size * LINE_HEIGHT
    return Placed(box, lines, anchor, round(x, 1), tuple(baselines), leader)


def _leader(at: Point, radius: float, box: Box) -> tuple[Point, Point]:
    """From the thing's edge to the nearest point of its label."""
    end = Point(min(max(at.x, box.left), box.right), min(max(at.y, box.top + 3), box.bottom - 3))
    length = math.hypot(end.x - at.x, end.y - at.y) or 1.0
    start = Point(at.x + (end.x - at.x) * radius / length, at.y + (end.y - at.y) * radius / length)
    return Point(round(start.x, 1), round(start.y, 1)), Point(round(end.x, 1), round(end.y, 1))

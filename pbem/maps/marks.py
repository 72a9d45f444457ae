"""What happened, what is plotted and what could be, as drawing records: ways, shots, bursts, arcs, rings, ghosts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbem.kit.scene import Arc, Burst, Ghost, Label, Point, Ring, Scene, Shot, Trail, Unit
from pbem.maps.frame import Box, Frame
from pbem.maps.labels import Placed, Placer, TextLine, text_width
from pbem.maps.look import Theme

ASIDE = 3.5
"""Pixels that shots and ways stand off their line, so that those of both directions are seen."""


@dataclass(frozen=True)
class Way:
    path: str
    colour: str
    plotted: bool
    dots: tuple[Point, ...]
    arrow: str
    """Path of the arrowhead; empty: the way is too short for one."""
    goal: Point | None
    """Where a plotted way ends."""


@dataclass(frozen=True)
class Beam:
    start: Point
    end: Point
    colour: str
    hit: bool
    width: float


@dataclass(frozen=True)
class Blast:
    x: float
    y: float
    radius: float
    """Of the area it covers; 0: a point."""
    size: float
    kind: str


@dataclass(frozen=True)
class Wedge:
    path: str
    colour: str


@dataclass(frozen=True)
class Circle:
    x: float
    y: float
    radius: float
    colour: str


@dataclass(frozen=True)
class GhostMark:
    """All ghosts of one place, as one badge with their numbers."""

    x: float
    y: float
    radius: float
    half: float
    """Half its width; more than the radius where the numbers need the room."""
    colour: str
    text: str
    size: float
    turns: tuple[tuple[float, float], ...]
    """Degrees of the headings, drawn as points on its rim, and how far the rim is there."""


class MarkLayer:
    """Lays out all that is neither ground nor unit."""

    def __init__(self, scene: Scene, frame: Frame, theme: Theme, placer: Placer, unit_radius: float) -> None:
        self._scene = scene
        self._frame = frame
        self._theme = theme
        self._placer = placer
        self._reach = unit_radius
        self._index = {side.id: side.index for side in scene.sides}
        self.ways: list[Way] = []
        self.beams: list[Beam] = []
        self.blasts: list[Blast] = []
        self.wedges: list[Wedge] = []
        self.circles: list[Circle] = []
        self.ghosts: list[GhostMark] = []
        self.labels: list[Placed] = []
        self.extent: list[Box] = []
        self._notes: list[tuple[Point, float, str, float, str]] = []

    def lay(self) -> None:
        for item in self._scene.items:
            match item:
                case Trail():
                    self._way(item)
                case Burst():
                    self._blast(item)
                case Arc():
                    self._wedge(item)
                case Ring():
                    self._circle(item)
                case Label():
                    size = {"note": 15.0, "name": 18.0, "title": 26.0}[item.weight]
                    # A note makes way for what it is about; a name or a title stands exactly where it was put.
                    radius = 3.0 if item.weight == "note" else -1.0
                    self._notes.append((self._frame.at(item.at), radius, item.text, size, self._theme.ink))
        self._shots([item for item in self._scene.items if isinstance(item, Shot)])
        self._haunt([item for item in self._scene.items if isinstance(item, Ghost) and self._frame.shows(item.at)])

    def name(self) -> None:
        """Notes take the room that the names of units left."""
        for at, radius, text, size, colour in self._notes:
            line = TextLine(text, round(size * self._frame.type, 1), colour)
            placed = self._placer.fixed(at, (line,)) if radius < 0 else self._placer.place(at, radius, (line,))
            if placed:
                self.labels.append(placed)

    def _colour(self, side: str | None) -> str:
        return self._theme.side(self._index[side]) if side in self._index else self._theme.quiet

    def _way(self, item: Trail) -> None:
        points = [self._frame.at(point) for point in item.points]
        if len(points) < 2:
            return
        number = len(self.ways)
        aside = ((number % 3) - 1) * ASIDE * self._frame.type
        points = [Point(round(p.x + aside, 1), round(p.y + aside, 1)) for p in points]
        plotted = item.kind == "plotted"
        end = points[-1]
        drawn = points if plotted else [*points[:-1], _towards(points[-1], points[-2], self._reach)]
        path = "M" + "L".join(f"{p.x} {p.y}" for p in drawn)
        dots = tuple(points[n] for n in item.marks if -len(points) <= n < len(points))
        arrow = _arrowhead(points[-2], drawn[-1], 9 * self._frame.type)
        self.ways.append(Way(path, self._colour(item.side), plotted, dots, arrow, end if plotted else None))
        self.extent += [Box.about(point, self._reach) for point in points]
        for dot in dots:
            self._placer.take(Box.about(dot, 4), 0.6)
        for a, b in pairwise(points):
            middle = Point((a.x + b.x) / 2, (a.y + b.y) / 2)
            self._placer.take(Box.about(middle, 4), 0.4)

    def _shots(self, shots: Sequence[Shot]) -> None:
        """Shots of one kind between the same two places are one line, drawn stronger."""
        groups: dict[tuple[Point, Point, str, bool], list[Shot]] = {}
        for shot in shots:
            groups.setdefault((shot.start, shot.end, shot.side, shot.hit), []).append(shot)
        for (start, end, side, hit), same in groups.items():
            self._beam(start, end, side, same, hit=hit)

    def _beam(self, start: Point, end: Point, side: str, same: Sequence[Shot], *, hit: bool) -> None:
        a, b = self._frame.at(start), self._frame.at(end)
        length = math.hypot(b.x - a.x, b.y - a.y)
        if length < 1:
            return
        aside = ASIDE * self._frame.type
        dx, dy = -(b.y - a.y) / length * aside, (b.x - a.x) / length * aside
        a, b = Point(a.x + dx, a.y + dy), Point(b.x + dx, b.y + dy)
        trim = min(self._reach, length / 3)
        first, last = _towards(a, b, trim), _towards(b, a, trim)
        width = round(min(5.0, 1.8 + 0.5 * len(same)) * self._frame.type, 1)
        self.beams.append(Beam(first, last, self._colour(side), hit, width))
        self.extent += [Box.about(first, 10), Box.about(last, 10)]
        words = [shot.label for shot in same if shot.label]
        note = words[0] if len(words) == 1 else (f"{len(same)} shots" if len(same) > 2 else ", ".join(words))
        if note:
            spot = Point(a.x + (b.x - a.x) * 0.62, a.y + (b.y - a.y) * 0.62)
            self._notes.append((spot, 2.0, note, 14.5, self._colour(side)))

    def _haunt(self, ghosts: Sequence[Ghost]) -> None:
        """One badge a place; beside the unit where one stands there."""
        places: dict[tuple[Point, str], list[Ghost]] = {}
        for ghost in ghosts:
            places.setdefault((self._frame.at(ghost.at), ghost.side), []).append(ghost)
        taken = {self._frame.at(item.at) for item in self._scene.items if isinstance(item, Unit)}
        radius = round(max(10.5 * self._frame.type, 0.42 * self._reach), 1)
        for (at, side), here in places.items():
            aside = 0.85 * self._reach if at in taken else 0.0
            where = Point(round(at.x - aside, 1), round(at.y + aside, 1))
            self._badge(where, radius, here, self._colour(side))

    def _badge(self, at: Point, radius: float, here: Sequence[Ghost], colour: str) -> None:
        text, size = numbered(sorted({ghost.number for ghost in here})), round(1.35 * radius, 1)
        half = round(max(radius, text_width(text, size, "bold") / 2 + 0.45 * radius), 1)
        headings = sorted({ghost.heading for ghost in here if ghost.heading is not None})
        sideways = [abs(math.sin(math.radians(heading))) for heading in headings]
        rims = [round(radius + (half - radius) * share, 1) for share in sideways]
        turns = tuple(zip(headings, rims, strict=True))
        self.ghosts.append(GhostMark(at.x, at.y, radius, half, colour, text, size, turns))
        self._placer.take(Box(at.x - half, at.y - radius, 2 * half, 2 * radius), 1.5)
        self.extent.append(Box.about(at, half + radius))

    def _blast(self, item: Burst) -> None:
        x, y = self._frame.at(item.at)
        area = round(item.radius * self._frame.scale, 1)
        size = round(max(self._reach * 1.25, 12 * self._frame.type), 1)
        self.blasts.append(Blast(x, y, area, size, item.kind))
        self._placer.take(Box.about(Point(x, y), size * 0.8), 1.0)
        self.extent.append(Box.about(Point(x, y), max(size, area) + 2))
        if item.label:
            self._notes.append((Point(x, y), size, item.label, 15.5, self._theme.loss))

    def _wedge(self, item: Arc) -> None:
        x, y = self._frame.at(item.at)
        radius = item.radius * self._frame.scale
        sweep = (item.end - item.start) % 360
        a, b = math.radians(item.start), math.radians(item.start + sweep)
        ax, ay = x + radius * math.sin(a), y - radius * math.cos(a)
        bx, by = x + radius * math.sin(b), y - radius * math.cos(b)
        large = 1 if sweep > 180 else 0
        path = f"M{x} {y}L{ax:.1f} {ay:.1f}A{radius:.1f} {radius:.1f} 0 {large} 1 {bx:.1f} {by:.1f}Z"
        self.extent.append(Box.about(Point(x, y), radius + 2))
        self.wedges.append(Wedge(path, self._colour(item.side)))

    def _circle(self, item: Ring) -> None:
        x, y = self._frame.at(item.at)
        radius = round(item.radius * self._frame.scale, 1)
        self.extent.append(Box.about(Point(x, y), radius + 2))
        self.circles.append(Circle(x, y, radius, self._colour(item.side)))
        if item.label:
            self._notes.append((Point(x, round(y - radius, 1)), 1.0, item.label, 15.0, self._colour(item.side)))


def numbered(numbers: Sequence[int]) -> str:
    """Some numbers in little room: ``7``, ``7,9``, ``7-12``, or the first and a cross for those the table has."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 2 and last - first == len(numbers) - 1:
        return f"{first}-{last}"
    return f"{first}+" if len(numbers) > 2 else ",".join(str(number) for number in numbers)


def _towards(start: Point, end: Point, by: float) -> Point:
    """The point so many pixels from start on the way to end, never past the middle."""
    length = math.hypot(end.x - start.x, end.y - start.y)
    part = min(by / length, 0.5) if length else 0.0
    return Point(round(start.x + (end.x - start.x) * part, 1), round(start.y + (end.y - start.y) * part, 1))


def _arrowhead(before: Point, tip: Point, size: float) -> str:
    length = math.hypot(tip.x - before.x, tip.y - before.y)
    if length < 2:
        return ""
    ux, uy = (tip.x - before.x) / length, (tip.y - before.y) / length
    bx, by = tip.x - ux * size, tip.y - uy * size
    half = size * 0.5
    return (
        f"M{tip.x:.1f} {tip.y:.1f}L{bx - uy * half:.1f} {by + ux * half:.1f}L{bx + uy * half:.1f} {by - ux * half:.1f}Z"
    )

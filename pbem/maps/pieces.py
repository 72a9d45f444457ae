"""Units as pieces: a base whose shape, pattern and colour tell the side, a silhouette that tells the kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kit.scene import HexField, HexGrid, InchTable, Point, Scene, ScenePart, Star, StarField, Unit
from pbem.maps.frame import Box, Frame
from pbem.maps.labels import Placed, Placer, TextLine
from pbem.maps.look import Theme, side_look

MOST_IN_STACK = 9
MOST_NAMED = 6
ROOM_AMONG_STARS = 1.5
"""Stacks on a star chart need not fit into a hex."""
STAR_REACH = 0.45
"""Of the way to the next system; what is nearer stands at this one."""
LEAST_COUNTED = 0.6
"""Pieces in a crowd are too small for a number on them; their names carry it."""
BROKEN = ("crippled", "wreck", "sinking", "destroyed", "disabled", "adrift", "shattered", "broken")
BURNING = ("burning", "fire", "on fire", "aflame")


@dataclass(frozen=True)
class Piece:
    """One unit, ready to draw; lengths in pixels."""

    x: float
    y: float
    radius: float
    glyph: str
    colour: str
    on_base: str
    """Colour of the silhouette."""
    base: str
    fill: str
    index: int
    turn: float | None
    """Degrees the silhouette is turned; None: it has no facing."""
    nose: float | None
    """Degrees of the way it goes, drawn as a point on the base's rim."""
    count: str
    faded: bool
    broken: bool
    burning: bool
    flag: bool
    hull: Hull | None = None


@dataclass(frozen=True)
class Hull:
    """A ship over two hexes, from stern to bow."""

    x: float
    y: float
    angle: float
    length: float
    width: float


def piece_radius(scene: Scene, frame: Frame, units: Sequence[Unit]) -> float:
    """As large as the ground allows: a hex, or what the crowd on a table leaves."""
    if isinstance(scene.ground, HexGrid | HexField):
        return max(12 * frame.type, 0.6 * frame.scale)
    most = 20 * frame.type
    if not isinstance(scene.ground, InchTable):
        crowded = math.sqrt(frame.area.width * frame.area.height / max(1, len(units))) * 0.16
        return max(7 * frame.type, min(most, crowded))
    most = max(9 * frame.type, min(most, 0.75 * frame.scale))
    return max(7 * frame.type, min(most, 0.58 * _usual_gap([frame.at(unit.at) for unit in units])))


def _usual_gap(points: Sequence[Point]) -> float:
    """The median of the pixels between a unit and the one nearest to it."""
    ordered = sorted(set(points))
    gaps = sorted(_nearest_gap(ordered, number) for number in range(len(ordered)))
    return gaps[len(gaps) // 2] if gaps else math.inf


def _nearest_gap(ordered: Sequence[Point], number: int) -> float:
    """From one of the points, which stand from left to right, to the nearest; looks no further than it must."""
    at, best = ordered[number], math.inf
    for others in (ordered[number + 1 :], reversed(ordered[:number])):
        for other in others:
            if abs(other.x - at.x) >= best:
                break
            best = min(best, _apart(at, other))
    return best


class PieceLayer:
    """Lays out stacks, pieces and their names."""

    def __init__(self, scene: Scene, frame: Frame, theme: Theme, placer: Placer) -> None:
        self._frame = frame
        self._theme = theme
        self._placer = placer
        self._sides: dict[str, ScenePart] = {side.id: side for side in scene.sides}
        self._units = [item for item in scene.items if isinstance(item, Unit) and frame.shows(item.at)]
        self.radius = round(piece_radius(scene, frame, self._units), 1)
        self.pieces: list[Piece] = []
        self.labels: list[Placed] = []
        self.left_out = 0
        self.extent: list[Box] = []
        self._loose = isinstance(scene.ground, StarField)
        self._stars = [frame.at(item.at) for item in (*scene.terrain, *scene.items) if isinstance(item, Star)]
        self._stacks = self._stacked()

    def lay(self) -> None:
        """Pieces first, as names must not cover them."""
        for stack in self._stacks:
            self._lay_stack(stack)

    def name(self) -> None:
        for stack in self._stacks:
            self._name_stack(stack)

    def _stacked(self) -> list[list[Unit]]:
        """Units at one place, in the order they were given; on a star chart, those about one system."""
        stacks: dict[tuple[float, float], list[Unit]] = {}
        near = 0.8 * self.radius
        for unit in self._units:
            x, y = self._frame.at(unit.at)
            star = self._star_near(x, y)
            key = (star.x, star.y) if star else (float(round(x / near)), float(round(y / near)))
            stacks.setdefault(key, []).append(unit)
        return list(stacks.values())

    def _star_near(self, x: float, y: float) -> Point | None:
        """The system a unit stands at, which is what a star chart means by a place."""
        if not self._loose or not self._stars:
            return None
        close = min(self._stars, key=lambda star: _apart(star, Point(x, y)))
        others = [_apart(close, star) for star in self._stars if star != close]
        reach = max(3 * self.radius, STAR_REACH * min(others, default=0.0))
        return close if _apart(close, Point(x, y)) < reach else None

    def _centre(self, stack: Sequence[Unit]) -> Point:
        """Where a stack stands: on its place, or above the system that it must not hide."""
        at = self._frame.at(stack[0].at)
        star = self._star_near(at.x, at.y)
        return Point(star.x, round(star.y - 2.2 * self.radius, 1)) if star else at

    def _lay_stack(self, stack: Sequence[Unit]) -> None:
        """Draw the units of one place side by side."""
        shown = stack[:MOST_IN_STACK]
        spots, share = _spots(len(shown))
        room = ROOM_AMONG_STARS if self._loose and len(shown) > 1 else 1.0
        centre = self._centre(stack)
        for unit, (dx, dy) in zip(shown, spots, strict=True):
            at = Point(round(centre.x + dx * room * self.radius, 1), round(centre.y + dy * room * self.radius, 1))
            self._add(unit, at, round(self.radius * share * room, 1))

    def _add(self, unit: Unit, at: Point, radius: float) -> None:
        side = self._sides.get(unit.side)
        index = side.index if side else len(self._sides)
        look = side_look(index)
        turn = unit.facing if unit.facing is not None else unit.heading
        hull = self._hull(unit) if unit.stern is not None else None
        words = {word.casefold() for state in unit.states for word in (state, state.split(" ")[0])}
        self.pieces.append(
            Piece(
                x=at.x,
                y=at.y,
                radius=radius,
                glyph=unit.glyph.replace(" ", "-"),
                colour=self._theme.side(index),
                on_base=self._theme.paper if look.pattern == "solid" else self._theme.side(index),
                base=look.base,
                fill=self._theme.fill(index, "tk"),
                index=index,
                turn=None if turn is None else round(turn % 360, 1),
                nose=None if unit.heading is None else round(unit.heading % 360, 1),
                count="" if unit.count is None or radius < LEAST_COUNTED * self.radius else str(unit.count),
                faded=unit.age is not None,
                broken=any(word in BROKEN for word in words),
                burning=any(word in BURNING for word in words),
                flag=unit.flag,
                hull=hull,
            )
        )
        self._placer.take(Box.about(at, radius), 3.0)
        self.extent.append(Box.about(at, 1.6 * radius + 4))
        if unit.stern is not None:
            stern = self._frame.at(unit.stern)
            self._placer.take(Box.about(stern, 0.8 * radius), 3.0)
            self._placer.take(Box.about(Point((at.x + stern.x) / 2, (at.y + stern.y) / 2), 0.8 * radius), 3.0)
            self.extent.append(Box.about(stern, 1.6 * radius + 4))

    def _hull(self, unit: Unit) -> Hull:
        assert unit.stern is not None
        bow, stern = self._frame.at(unit.at), self._frame.at(unit.stern)
        length = math.hypot(bow.x - stern.x, bow.y - stern.y) + 1.1 * self.radius
        angle = math.degrees(math.atan2(bow.x - stern.x, stern.y - bow.y))
        middle = Point((bow.x + stern.x) / 2, (bow.y + stern.y) / 2)
        return Hull(
            round(middle.x, 1), round(middle.y, 1), round(angle, 1), round(length, 1), round(0.8 * self.radius, 1)
        )

    # --- names -------------------------------------------------------------------------------------------------------

    def _name_stack(self, stack: Sequence[Unit]) -> None:
        crowd = len(stack) > 2
        lines = [line for unit in stack[:MOST_NAMED] for line in self._lines(unit, count=unit.count if crowd else None)]
        if len(stack) > MOST_NAMED:
            more = TextLine(f"and {len(stack) - MOST_NAMED} more", self._small, self._theme.quiet)
            lines.append(more)
        if not lines:
            return
        at, reach = self._centre(stack), self.radius * (1.0 if len(stack) == 1 else 1.12)
        reach *= ROOM_AMONG_STARS if self._loose and len(stack) > 1 else 1.0
        if stack[0].stern is not None:
            hull = self._hull(stack[0])
            at = Point(hull.x, hull.y)
        placed = self._placer.place(at, reach, tuple(lines))
        if placed is None and len(lines) > 1:
            # Without its states and ages, the bare name may find room.
            lines = [line for line in lines if line.weight == "bold"]
            placed = self._placer.place(at, reach, tuple(lines)) if lines else None
        if placed is None:
            self.left_out += len(stack)
            return
        self.labels.append(placed)

    @property
    def _size(self) -> float:
        """Of names: as large as the pieces bear, since letters are often read in a narrow window."""
        return round(min(23.0, max(15.0, self.radius / self._frame.type * 1.1)) * self._frame.type, 1)

    @property
    def _small(self) -> float:
        return round(max(13.5 * self._frame.type, 0.74 * self._size), 1)

    def _lines(self, unit: Unit, count: int | None) -> list[TextLine]:
        """The name, and under it the states that matter and the age of what was seen."""
        side = self._sides.get(unit.side)
        colour = self._theme.side(side.index if side else len(self._sides))
        name = unit.label if count is None else f"{unit.label} ({count})"
        lines = [TextLine(name, self._size, colour, "bold")] if unit.label else []
        words = list(unit.states)
        if unit.age is not None:
            words.append("seen this turn" if unit.age == 0 else f"{unit.age} turn{'s' if unit.age > 1 else ''} ago")
        if words:
            lines.append(TextLine(_short(", ".join(words)), self._small, self._theme.ink))
        return lines


def _apart(a: Point, b: Point) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def _short(text: str, most: int = 34) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip(" ,") + "…"


def _spots(count: int) -> tuple[tuple[tuple[float, float], ...], float]:
    """Where the units of a stack stand, in radii from its middle, and how large each is."""
    if count == 1:
        return ((0.0, 0.0),), 1.0
    if count == 2:
        return ((-0.56, 0.0), (0.56, 0.0)), 0.62
    if count <= 4:
        return ((-0.54, -0.5), (0.54, -0.5), (-0.54, 0.5), (0.54, 0.5))[:count], 0.52
    grid = tuple(((column - 1) * 0.74, (row - 1) * 0.7) for row in range(3) for column in range(3))
    return grid[:count], 0.37

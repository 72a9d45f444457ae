"""Strength and losses over the turns: as a table for all, and as a drawing for those who see pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbem.kit.scene import Point, ScenePart
from pbem.letters.pen import Pen
from pbem.maps.drawer import Picture
from pbem.maps.look import EDGE_STEPS, Theme, ThemeName, mixed, side_look, theme
from pbem.maps.png import packed, pixels

PANEL_WIDTH, PANEL_HEIGHT = 780, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 54, 50
MOST_PANELS = 6
TICKS = 4
MOST_COLUMNS = 8
NAME_HEIGHT = 22.0


@dataclass(frozen=True)
class Series:
    side: str
    name: str
    index: int
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Panel:
    """One figure, a series for each side that is known."""

    title: str
    series: tuple[Series, ...]

    @property
    def turns(self) -> list[int]:
        return sorted({turn for line in self.series for turn, _ in line.points})

    @property
    def columns(self) -> list[int]:
        """The turns of the table: the last few, as a page is only so wide."""
        return self.turns[-MOST_COLUMNS:]

    @property
    def rows(self) -> list[list[str | float]]:
        """The same as a table: a row for each side, a column for each turn."""
        return [[line.name, *(dict(line.points).get(turn, "-") for turn in self.columns)] for line in self.series]

    @property
    def spoken(self) -> str:
        """The panel in words: where each side began and where it stands."""
        parts = [f"{line.name} {line.points[0][1]:g} to {line.points[-1][1]:g}" for line in self.series]
        return f"{self.title}: {', '.join(parts)}."


@dataclass(frozen=True)
class GaugePanels:
    """All figures over the turns."""

    panels: tuple[Panel, ...]

    @staticmethod
    def of(sides: Sequence[ScenePart], history: Sequence[tuple[int, Mapping[str, Mapping[str, float]]]]) -> GaugePanels:
        """The last value of a turn counts, where a turn has several phases."""
        titles = list(dict.fromkeys(title for _, gauges in history for title in gauges))
        panels = (Panel(title, _series(title, sides, history)) for title in titles)
        return GaugePanels(tuple(panel for panel in panels if panel.series))


def _series(
    title: str, sides: Sequence[ScenePart], history: Sequence[tuple[int, Mapping[str, Mapping[str, float]]]]
) -> tuple[Series, ...]:
    series = []
    for side in sides:
        points = {turn: gauges[title][side.id] for turn, gauges in history if side.id in gauges.get(title, {})}
        if points:
            series.append(Series(side.id, side.name, side.index, tuple(sorted(points.items()))))
    return tuple(series)


# --- the drawing -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    path: str
    dots: tuple[Point, ...]
    colour: str
    fill: str
    dash: str
    base: str
    name: str
    name_at: Point


@dataclass(frozen=True)
class Graph:
    """A panel laid on pixels."""

    title: str
    left: float
    top: float
    ticks: tuple[tuple[float, str], ...]
    turns: tuple[tuple[float, str], ...]
    curves: tuple[Curve, ...]


DASHES = ("", "10 5", "3 4", "14 4 3 4", "6 3", "2 3")


def chart(gauges: GaugePanels, pen: Pen, colours: ThemeName | None = None) -> dict[str, Picture]:
    """The drawing, once there are two turns to compare."""
    panels = [panel for panel in gauges.panels if len(panel.turns) > 1][:MOST_PANELS]
    if not panels:
        return {}
    look = theme(colours or pen.theme)
    columns = min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    width, height = columns * PANEL_WIDTH, rows * PANEL_HEIGHT
    graphs = [
        lay(panel, (n % columns) * PANEL_WIDTH, (n // columns) * PANEL_HEIGHT, look) for n, panel in enumerate(panels)
    ]
    indices = sorted({line.index for panel in panels for line in panel.series})
    svg = pen.words.markup.get_template("map/chart.svg.j2").render(
        graphs=graphs,
        width=width,
        height=height,
        theme=look,
        looks={index: side_look(index) for index in indices},
        indices=indices,
        plot_width=PANEL_WIDTH - LEFT - RIGHT,
        plot_height=PANEL_HEIGHT - TOP - BOTTOM,
    )
    alt = " ".join(panel.spoken[:1].upper() + panel.spoken[1:] for panel in panels)
    return {"chart": Picture(svg, packed(pixels(svg), _palette(look, indices)), width, height, alt)}


def _palette(look: Theme, indices: Sequence[int]) -> tuple[str, ...]:
    inks = [look.ink, look.quiet, look.grid, *(look.side(index) for index in indices)]
    return (look.paper, *(mixed(ink, look.paper, share) for ink in inks for share in EDGE_STEPS))


def lay(panel: Panel, left: float, top: float, look: Theme) -> Graph:
    """Place a panel's lines, ticks and names."""
    values = [value for line in panel.series for _, value in line.points]
    least = -_round_up(-min(values)) if min(values) < 0 else 0.0
    most = _round_up(max(values))
    first, last = panel.turns[0], panel.turns[-1]
    wide, high = PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM

    def at(turn: int, value: float) -> Point:
        x = left + LEFT + wide * (turn - first) / (last - first)
        return Point(round(x, 1), round(top + TOP + high * (most - value) / (most - least), 1))

    step = max(1, math.ceil((last - first) / 8))
    ends = _spread([at(*line.points[-1]).y for line in panel.series])
    curves = [
        _curve(line, [at(*point) for point in line.points], end, left, look)
        for line, end in zip(panel.series, ends, strict=True)
    ]
    return Graph(
        title=panel.title[:1].upper() + panel.title[1:],
        left=left,
        top=top,
        ticks=tuple((at(first, value).y, f"{value:g}") for value in _ticks(least, most)),
        turns=tuple((at(turn, least).x, str(turn)) for turn in range(first, last + 1, step)),
        curves=tuple(curves),
    )


def _ticks(least: float, most: float) -> list[float]:
    return [least + (most - least) * n / TICKS for n in range(TICKS + 1)]


def _curve(line: Series, points: Sequence[Point], name_y: float, left: float, look: Theme) -> Curve:
    side = side_look(line.index)
    return Curve(
        path="M" + "L".join(f"{p.x} {p.y}" for p in points),
        dots=tuple(points),
        colour=look.side(line.index),
        fill=look.fill(line.index, "tk"),
        dash=DASHES[line.index % len(DASHES)],
        base=side.base,
        name=line.name,
        name_at=Point(left + PANEL_WIDTH - RIGHT + 14, round(name_y + 6, 1)),
    )


def _round_up(value: float) -> float:
    """A round figure at or above the value that four ticks divide well."""
    if value <= 0:
        return 4.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 6.0, 8.0, 10.0) if step * power >= value)


def _spread(heights: Sequence[float]) -> list[float]:
    """Names at the lines' ends, moved apart where they would touch."""
    order = sorted(range(len(heights)), key=lambda n: heights[n])
    placed = list(heights)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + NAME_HEIGHT)
    return placed

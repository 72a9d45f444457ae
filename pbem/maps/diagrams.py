"""Diagrams to SVG through ``templates/map/diagrams.svg.j2``: boxes laid out in sections, several on a picture."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jinja2 import Environment

from pbem.kit.scene import Boxes, Diagram, Point, SheetSection
from pbem.maps.drawer import DiagramDrawing
from pbem.maps.look import EDGE_STEPS, Theme, ThemeName, mixed, theme

COLUMNS = 3
PANEL_WIDTH, PAD, GAP, MARGIN = 328, 10, 8, 14
WIDTH = COLUMNS * PANEL_WIDTH + (COLUMNS - 1) * GAP + 2 * MARGIN
MOST_HEIGHT = 2400
LEGEND_HEIGHT = 40
HEAD_HEIGHT, LINE_HEIGHT, TITLE_HEIGHT, NOTE_HEIGHT = 34, 25, 38, 24
DIAGRAM_GAP = 22

BIG_BOX, BIG_STEP, BIG_LINE = 17, 20, 15
BOX, STEP, GROUP_GAP = 13, 15, 5
ARMOUR_AT, BOXES_AT, NOTE_AT = 96, 112, 250
NOTE_CHARACTERS = 31
"""What a column holds of the lines beside the title; a title across the diagram holds three times as many."""


@dataclass(frozen=True)
class BoxPaths:
    """Boxes by state, each as one path."""

    whole: str
    lost: str
    crosses: str
    out: str


@dataclass(frozen=True)
class LaidSystem:
    """A system: its name, its armour and its note; the boxes are among the marks."""

    label: str
    armour: int | None
    note: str
    y: float
    struck: bool


@dataclass(frozen=True)
class LaidSection:
    """A section on the picture."""

    name: str
    figures: str
    armour: int | None
    x: float
    y: float
    height: float
    systems: tuple[LaidSystem, ...]
    lost: bool


@dataclass(frozen=True)
class LaidDiagram:
    """A diagram laid on the picture."""

    title: str
    notes: tuple[str, ...]
    x: float
    y: float
    colour: str
    sections: tuple[LaidSection, ...]
    boxes: BoxPaths


class DiagramWriter:
    """Writes diagrams, as many to a picture as a page holds."""

    def __init__(self, markup: Environment) -> None:
        self._markup = markup

    def write(self, diagrams: Sequence[Diagram], colours: ThemeName) -> tuple[DiagramDrawing, ...]:
        return tuple(self._write(page, theme(colours)) for page in _pages(diagrams))

    def _write(self, rows: Sequence[Sequence[Diagram]], look: Theme) -> DiagramDrawing:
        laid: list[LaidDiagram] = []
        top = float(MARGIN)
        for row in rows:
            column = 0
            for diagram in row:
                laid.append(_lay(diagram, _left(column), top, look))
                column += _columns(diagram)
            top += max(_height(diagram) for diagram in row) + DIAGRAM_GAP
        diagrams = [diagram for row in rows for diagram in row]
        indices = sorted({diagram.index for diagram in diagrams})
        svg = self._markup.get_template("map/diagrams.svg.j2").render(
            diagrams=laid,
            width=WIDTH,
            height=round(top - DIAGRAM_GAP + LEGEND_HEIGHT + MARGIN),
            legend_y=round(top - DIAGRAM_GAP + LEGEND_HEIGHT - 14),
            theme=look,
            panel_width=PANEL_WIDTH,
            pad=PAD,
            box=BOX,
            armour_at=ARMOUR_AT,
            note_at=NOTE_AT,
            legend_colour=look.side(indices[0]),
            key="; ".join(dict.fromkeys(diagram.key for diagram in diagrams if diagram.key)),
        )
        return DiagramDrawing(svg, _palette(look, indices), " ".join(diagram.alt for diagram in diagrams))


def _palette(look: Theme, indices: Sequence[int]) -> tuple[str, ...]:
    inks = [look.ink, look.quiet, look.grid_strong, look.loss, look.gold, *(look.side(index) for index in indices)]
    return (look.paper, look.space, *(mixed(ink, look.space, share) for ink in inks for share in EDGE_STEPS))


# --- pages -----------------------------------------------------------------------------------------------------------


def _pages(diagrams: Sequence[Diagram]) -> Iterator[list[list[Diagram]]]:
    """Rows of diagrams, and so many rows to a page that it stays handy."""
    page: list[list[Diagram]] = []
    used = 0.0
    for row in _rows(diagrams):
        height = max(_height(diagram) for diagram in row) + DIAGRAM_GAP
        if page and used + height > MOST_HEIGHT:
            yield page
            page, used = [], 0.0
        page.append(row)
        used += height
    if page:
        yield page


def _rows(diagrams: Sequence[Diagram]) -> Iterator[list[Diagram]]:
    """Narrow diagrams stand side by side, in their order."""
    row: list[Diagram] = []
    for diagram in diagrams:
        if row and sum(map(_columns, row)) + _columns(diagram) > COLUMNS:
            yield row
            row = []
        row.append(diagram)
    if row:
        yield row


def _columns(diagram: Diagram) -> int:
    return max(section.column for section in diagram.sections) + 1


def _left(column: int) -> float:
    return MARGIN + column * (PANEL_WIDTH + GAP)


# --- one diagram -----------------------------------------------------------------------------------------------------


def _in_corner(diagram: Diagram) -> bool:
    """The title stands in the diagram's first corner where no section does."""
    return _columns(diagram) > 1 and all((section.column, section.row) != (0, 0) for section in diagram.sections)


def _notes(diagram: Diagram) -> tuple[str, ...]:
    wide = NOTE_CHARACTERS if _in_corner(diagram) else NOTE_CHARACTERS * _columns(diagram)
    return tuple(textwrap.wrap(", ".join(diagram.notes), wide))


def _title_height(diagram: Diagram) -> float:
    return TITLE_HEIGHT + NOTE_HEIGHT * len(_notes(diagram))


def _row_heights(diagram: Diagram) -> list[float]:
    heights = [0.0] * (max(section.row for section in diagram.sections) + 1)
    for section in diagram.sections:
        heights[section.row] = max(heights[section.row], _section_height(section))
    if _in_corner(diagram):
        heights[0] = max(heights[0], _title_height(diagram))
    return heights


def _height(diagram: Diagram) -> float:
    heights = _row_heights(diagram)
    above = 0.0 if _in_corner(diagram) else _title_height(diagram)
    return above + sum(heights) + GAP * (len(heights) - 1)


def _lay(diagram: Diagram, left: float, top: float, look: Theme) -> LaidDiagram:
    heights = _row_heights(diagram)
    tops = [top if _in_corner(diagram) else top + _title_height(diagram)]
    for height in heights:
        tops.append(tops[-1] + height + GAP)
    sections, boxes = [], []
    for section in diagram.sections:
        x, y = left + section.column * (PANEL_WIDTH + GAP), tops[section.row]
        sections.append(_section(section, x, y, heights[section.row]))
        boxes += list(_boxes(section, x + PAD, y))
    return LaidDiagram(
        diagram.title, _notes(diagram), left, top, look.side(diagram.index), tuple(sections), _paths(boxes)
    )


def _section(section: SheetSection, x: float, y: float, height: float) -> LaidSection:
    held = section.structure
    lines, at = [], y + _systems_top(section)
    for system in section.systems:
        lines.append(LaidSystem(system.label, system.armour, system.note, at, system.out or system.left <= 0))
        at += LINE_HEIGHT * _lines(system)
    figures = f"{held.left}/{held.full}"
    return LaidSection(held.label.upper(), figures, held.armour, x, y, height, tuple(lines), held.left <= 0)


def _section_height(section: SheetSection) -> float:
    return _systems_top(section) + LINE_HEIGHT * sum(map(_lines, section.systems)) + PAD / 2


def _systems_top(section: SheetSection) -> float:
    return HEAD_HEIGHT + BIG_STEP * -(-section.structure.full // BIG_LINE) + PAD


# --- boxes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _LaidBox:
    at: Point
    size: int
    state: str


def _line_length(system: Boxes) -> int:
    """Whole groups only, so that a group is never torn apart."""
    room = (NOTE_AT if system.note else PANEL_WIDTH - 2 * PAD) - BOXES_AT
    if system.group == 1:
        return room // STEP
    return max(1, (room + GROUP_GAP) // (system.group * STEP + GROUP_GAP)) * system.group


def _lines(system: Boxes) -> int:
    return -(-system.full // _line_length(system))


def _boxes(section: SheetSection, x: float, y: float) -> Iterator[_LaidBox]:
    held = section.structure
    for number in range(held.full):
        row, column = divmod(number, BIG_LINE)
        at = Point(x + column * BIG_STEP, y + HEAD_HEIGHT + row * BIG_STEP)
        yield _LaidBox(at, BIG_BOX, "whole" if number < held.left else "lost")
    top = y + _systems_top(section)
    for system in section.systems:
        yield from _system_boxes(system, x + BOXES_AT, top)
        top += LINE_HEIGHT * _lines(system)


def _system_boxes(system: Boxes, x: float, y: float) -> Iterator[_LaidBox]:
    long = _line_length(system)
    for number in range(system.full):
        row, column = divmod(number, long)
        gaps = column // system.group * GROUP_GAP if system.group > 1 else 0
        state = "lost" if number >= system.left else "out" if system.out else "whole"
        yield _LaidBox(Point(x + column * STEP + gaps, y + row * LINE_HEIGHT), BOX, state)


def _paths(boxes: Sequence[_LaidBox]) -> BoxPaths:
    lost = [box for box in boxes if box.state == "lost"]
    return BoxPaths(
        whole=_squares(box for box in boxes if box.state == "whole"),
        lost=_squares(lost),
        crosses="".join(_cross(box) for box in lost),
        out=_squares(box for box in boxes if box.state == "out"),
    )


def _squares(boxes: Iterable[_LaidBox]) -> str:
    return "".join(f"M{box.at.x:g} {box.at.y:g}h{box.size}v{box.size}h-{box.size}z" for box in boxes)


def _cross(box: _LaidBox) -> str:
    x, y, reach = box.at.x + 3, box.at.y + 3, box.size - 6
    return f"M{x:g} {y:g}l{reach} {reach}m0-{reach}l-{reach} {reach}"

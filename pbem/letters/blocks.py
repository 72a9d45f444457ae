"""The one source of a letter's two twins: blocks that a template writes through ``out``, set as text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from markupsafe import Markup, escape

Tone = Literal["plain", "quiet", "good", "warning"]

BAR_CELLS = 10
SHORT_BAR_CELLS = 5
"""In HTML, where a cell takes three bytes and the figures stand beside it."""
SHOWN_WIDTH = 890


@dataclass(frozen=True)
class Heading:
    kind: ClassVar[str] = "heading"
    text: str
    level: int = 2


@dataclass(frozen=True)
class Para:
    kind: ClassVar[str] = "para"
    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Bar:
    """A small gauge, mostly inside a table's cell."""

    value: float
    most: float

    @property
    def share(self) -> float:
        return min(1.0, max(0.0, self.value / self.most)) if self.most else 0.0

    @property
    def filled(self) -> int:
        """Cells to fill; what is not quite gone, and not quite whole, shows as such."""
        return self._of(BAR_CELLS)

    @property
    def short(self) -> int:
        return self._of(SHORT_BAR_CELLS)

    @property
    def short_cells(self) -> int:
        return SHORT_BAR_CELLS

    def _of(self, cells: int) -> int:
        if self.share in (0.0, 1.0):
            return round(self.share) * cells
        return min(cells - 1, max(1, round(self.share * cells)))

    @property
    def figures(self) -> str:
        return f"{self.value:g}/{self.most:g}"

    def __str__(self) -> str:
        return f"{'#' * self.filled}{'.' * (BAR_CELLS - self.filled)} {self.figures}"

    def __html__(self) -> str:
        # A gauge joined into a longer text by a template is shown by its figures alone.
        return str(escape(self.figures))


Cell = str | int | float | Bar


@dataclass(frozen=True)
class Table:
    kind: ClassVar[str] = "table"
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""

    @property
    def flush(self) -> tuple[bool, ...]:
        """Which columns are set flush right."""
        return tuple(self.is_number(column) for column in range(len(self.columns)))

    def is_number(self, column: int) -> bool:
        """A column of figures is set flush right."""
        cells = [row[column] for row in self.rows if column < len(row)]
        shown = [cell for cell in cells if cell != "" and cell != "-"]
        return bool(shown) and all(isinstance(cell, int | float) for cell in shown)


@dataclass(frozen=True)
class Pairs:
    """Names and their values, one a line."""

    kind: ClassVar[str] = "pairs"

    rows: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True)
class Items:
    kind: ClassVar[str] = "items"
    items: tuple[str, ...]


@dataclass(frozen=True)
class Pre:
    """Text whose lines stand as they are: order forms, examples."""

    kind: ClassVar[str] = "pre"

    text: str


@dataclass(frozen=True)
class Figure:
    """A picture that goes inline, with the words that replace it where pictures are off."""

    kind: ClassVar[str] = "figure"

    name: str
    alt: str
    width: int
    height: int
    title: str = "Map"

    @property
    def shown_width(self) -> int:
        """Mail programs show it at this width at most; the pixels beyond it are for fine screens and print."""
        return min(self.width, SHOWN_WIDTH)


TextBlock = Heading | Para | Table | Pairs | Items | Pre | Figure


_MARK = re.compile(r"\x02(\d+)\x03")


class Out:
    """What a template writes through; every call leaves a mark in the text, and the marks are read back in order."""

    def __init__(self, figures: Mapping[str, Figure] | None = None, spoken: Mapping[str, str] | None = None) -> None:
        self.subject_line = ""
        self.preview_line = ""
        self._blocks: list[TextBlock] = []
        self._figures = figures or {}
        self._spoken = spoken or {}

    def subject(self, text: str) -> str:
        self.subject_line = folded(text)
        return ""

    def preview(self, text: str) -> str:
        """The line that a mail program shows beside the subject."""
        self.preview_line = folded(text)
        return ""

    def heading(self, text: str, level: int = 2) -> Markup:
        return self._add(Heading(folded(text), level))

    def para(self, text: str, tone: Tone = "plain") -> Markup:
        return self._add(Para(folded(text), tone))

    def table(self, columns: Iterable[Any], rows: Iterable[Iterable[Any]], caption: str = "") -> Markup:
        titles = tuple(folded(title) for title in columns)
        return self._add(Table(titles, tuple(tuple(_cell(cell) for cell in row) for row in rows), folded(caption)))

    def pairs(self, rows: Iterable[Sequence[Any]]) -> Markup:
        return self._add(Pairs(tuple((folded(name), _cell(value)) for name, value in rows)))

    def items(self, items: Iterable[Any]) -> Markup:
        return self._add(Items(tuple(folded(item) for item in items)))

    def pre(self, text: str) -> Markup:
        return self._add(Pre(str(text).strip("\n")))

    def figure(self, name: str) -> Markup:
        """A picture of the letter by its name; for those who want no pictures, what it would show in words."""
        if name in self._figures:
            return self._add(self._figures[name])
        return self.para(self._spoken[name]) if self._spoken.get(name) else Markup("")

    def bar(self, value: float, most: float) -> Bar:
        return Bar(value, most)

    def put(self, blocks: Iterable[TextBlock | str], deeper: int = 0) -> Markup:
        """Blocks made elsewhere, their headings so many levels deeper; a bare text is a paragraph."""
        made = [Para(folded(block)) if isinstance(block, str) else block for block in blocks]
        levels = [block.level for block in made if isinstance(block, Heading)]
        # Headings follow each other without a gap, whatever level the first of them had.
        shift = 2 + deeper - min(levels) if levels and deeper else 0
        moved = [replace(block, level=block.level + shift) if isinstance(block, Heading) else block for block in made]
        return Markup("").join(self._add(block) for block in moved)

    def _add(self, block: TextBlock) -> Markup:
        self._blocks.append(block)
        # The mark is safe markup, so that it survives a template rendered with autoescape.
        return Markup(f"\x02{len(self._blocks) - 1}\x03")  # noqa: S704

    def read(self, rendered: str) -> tuple[TextBlock, ...]:
        """The blocks in the order they stand; text between them becomes paragraphs, so nothing is lost."""
        blocks: list[TextBlock] = []
        for number, part in enumerate(_MARK.split(rendered)):
            if number % 2:
                blocks.append(self._blocks[int(part)])
            else:
                blocks.extend(Para(folded(text)) for text in part.split("\n\n") if text.strip())
        return tuple(blocks)


def folded(text: Any) -> str:
    """One line of text: spaces single, control characters gone, as no name may break a letter's layout."""
    plain = "".join(c if c.isprintable() else " " for c in str(text))
    return " ".join(plain.split())


def _cell(value: Any) -> Cell:
    if isinstance(value, Bar):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    return "" if value is None else folded(value)

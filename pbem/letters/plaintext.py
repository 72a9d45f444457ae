"""The text twin: blocks set in at most 78 columns, complete without any picture."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from pbem.letters.blocks import Cell, Figure, Heading, Items, Pairs, Para, Pre, Table, TextBlock

WIDTH = 78
GAP = "  "
NARROWEST = 6


def set_blocks(blocks: Sequence[TextBlock]) -> str:
    """All blocks, a blank line between them, two before the heading of a part."""
    parts: list[str] = []
    for block in blocks:
        body = set_block(block)
        if body:
            part = bool(parts) and isinstance(block, Heading) and block.level < 3
            parts.append(("\n" if part else "") + body)
    return "\n\n".join(parts) + "\n"


def set_block(block: TextBlock) -> str:
    match block:
        case Heading():
            return _heading(block)
        case Para(text, tone):
            return wrapped(("!! " if tone == "warning" else "") + text)
        case Table():
            return _table(block)
        case Pairs(rows):
            return _pairs(rows)
        case Items(items):
            return "\n".join(wrapped(item, "- ", "  ") for item in items)
        case Pre(text):
            return "\n".join(line for raw in text.splitlines() for line in _pre_line(raw))
        case Figure():
            return wrapped(f"[{block.title}] {block.alt}") if block.alt else ""


def wrapped(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    lines = textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return "\n".join(lines)


def _heading(block: Heading) -> str:
    if block.level == 1:
        return wrapped(block.text.upper()) + "\n" + "=" * min(WIDTH, len(block.text))
    if block.level == 2:
        return wrapped(block.text) + "\n" + "-" * min(WIDTH, len(block.text))
    return wrapped(f"* {block.text}" if block.level == 3 else f"{block.text}:")


def _pre_line(line: str) -> list[str]:
    """An order stands as it is; a comment too long for the page is broken, or goes under its order."""
    if len(line) <= WIDTH or "#" not in line:
        return [line.rstrip()]
    order, comment = line.split("#", 1)
    indent = order if not order.strip() else "  "
    lines = wrapped(comment.strip(), f"{indent}# ", f"{indent}# ").split("\n")
    return [order.rstrip(), *lines] if order.strip() else lines


def shown(cell: Cell) -> str:
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


def _pairs(rows: Sequence[tuple[str, Cell]]) -> str:
    widest = min(24, max((len(name) for name, _ in rows), default=0))
    lines = []
    for name, value in rows:
        lead = f"{name + ':':<{widest + 1}} "
        lines.append(wrapped(shown(value), lead, " " * len(lead)) or lead.rstrip())
    return "\n".join(lines)


def _table(table: Table) -> str:
    if not table.rows:
        return ""
    texts = [[shown(cell) for cell in row] + [""] * (len(table.columns) - len(row)) for row in table.rows]
    widths = _widths(table.columns, texts)
    if sum(widths) + len(GAP) * (len(widths) - 1) > WIDTH:
        return _stacked(table, texts)
    right = [table.is_number(column) for column in range(len(widths))]
    lines = _row(list(table.columns), widths, right)
    lines.append(GAP.join("-" * width for width in widths))
    for row in texts:
        lines.extend(_row(row, widths, right))
    head = [wrapped(table.caption)] if table.caption else []
    return "\n".join([*head, *lines])


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Natural widths; while too wide, the widest column gives way, down to its longest word."""
    cells = [[title, *(row[n] for row in rows)] for n, title in enumerate(columns)]
    widths = [max(len(cell) for cell in column) for column in cells]
    least = [max((len(word) for cell in column for word in cell.split()), default=1) for column in cells]
    room = WIDTH - len(GAP) * (len(widths) - 1)
    while sum(widths) > room:
        loose = [n for n in range(len(widths)) if widths[n] > max(NARROWEST, least[n])]
        if not loose:
            break
        widest = max(loose, key=lambda n: widths[n])
        widths[widest] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    columns = [
        textwrap.wrap(cell, width, break_on_hyphens=False) or [""] for cell, width in zip(cells, widths, strict=False)
    ]
    height = max(len(lines) for lines in columns)
    made = []
    for n in range(height):
        parts = [lines[n] if n < len(lines) else "" for lines in columns]
        padded = [
            part.rjust(width) if flush else part.ljust(width)
            for part, width, flush in zip(parts, widths, right, strict=False)
        ]
        made.append(GAP.join(padded).rstrip())
    return made


def _stacked(table: Table, texts: Sequence[Sequence[str]]) -> str:
    """A table too wide for the page is set row by row."""
    parts = [wrapped(table.caption)] if table.caption else []
    for row in texts:
        rest = [f"{title}: {cell}" for title, cell in zip(table.columns[1:], row[1:], strict=False) if cell]
        parts.append(wrapped(f"{row[0]}  " + "; ".join(rest), "", "    "))
    return "\n".join(parts)

"""Several letters in one phase: a later one replaces, unit by unit, the blocks it contains; the rest stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from pbem.kit.sheet import Block, Sheet

OrderT = TypeVar("OrderT")


def merged_text(in_force: Sequence[Block], letter: Sheet[OrderT]) -> str:
    """The sheet text after a further letter: its good blocks replace, unit by unit; the rest of the sheet stands.

    New lines of a unit take the place of its old ones, since in some games the order of lines matters across units.
    """
    standing = () if letter.start_over else tuple(in_force)
    known = {block.unit for block in standing}
    good = {block.unit for block in letter.blocks if block.good}
    sent = {block.unit for block in letter.blocks}
    # A block sent again word for word changes nothing, bad or not, and must not keep the rest from its order.
    same = {unit for unit in sent & known if _lines_of(unit, standing) == _lines_of(unit, letter.blocks)}
    replaced = {unit for unit in sent if unit in good or unit in same or unit not in known}
    if known <= replaced:
        return written(block for block in letter.blocks if block.unit in replaced)
    merged: list[Block] = []
    for block in standing:
        if block.unit not in replaced:
            merged.append(block)
        elif all(new.unit != block.unit for new in merged):
            merged.extend(new for new in letter.blocks if new.unit == block.unit)
    merged.extend(new for new in letter.blocks if new.unit not in known)
    return written(merged)


def _lines_of(unit: str, blocks: Iterable[Block]) -> list[tuple[str, ...]]:
    return [block.lines for block in blocks if block.unit == unit]


def written(blocks: Iterable[Block]) -> str:
    """Blocks as order text that reads back the same."""
    parts = []
    for block in blocks:
        parts.append(f"{block.unit}:")
        parts.extend(f"  {line}" for line in block.lines)
    return "\n".join(parts) + ("\n" if parts else "")

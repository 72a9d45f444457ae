"""The parts of a letter that a game writes itself: its status, and its rules on one page."""

from __future__ import annotations

from typing import Any

from pbem.letters.blocks import Out, TextBlock
from pbem.letters.pen import Pen


def status_blocks(pen: Pen, game: str, view: Any) -> tuple[TextBlock, ...]:
    """What the side has and knows, from ``<game>/status.j2``."""
    out = Out()
    macro = pen.words.macro(f"{game}/status.j2", "status")
    return out.read(str(macro(view, out))) if macro else ()


def help_blocks(pen: Pen, game: str) -> tuple[TextBlock, ...]:
    """The rules and the order words on one page, from ``<game>/help.j2``."""
    out = Out()
    macro = pen.words.macro(f"{game}/help.j2", "help")
    return out.read(str(macro(out))) if macro else ()

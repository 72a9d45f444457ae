"""The answer to orders: which mail it answers, what was understood, what could not stand, what is in force now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.kit.game import Game
from pbem.kit.sheet import Accepted, Problem, Sheet
from pbem.letters.compose import compose
from pbem.letters.content import Mail, Received, SeatContext
from pbem.letters.enclosures import deadline_file, drawn_map, vector_file
from pbem.letters.pen import Pen


def receipt(
    seat: SeatContext,
    game: Game[Any, Any, Any],
    view: Any,
    sheet: Sheet[Any],
    received: Received,
    digest: str,
    pen: Pen,
    problems: Sequence[Problem] | None = None,
    *,
    filed: bool,
) -> Mail:
    """``sheet`` is the whole sheet now in force; ``problems`` those of the letter itself, if they differ.

    Not filed: a preview, which changes nothing.
    """
    drawn = drawn_map(seat, game.forecast(view, sheet), pen)
    content = {
        "game": game,
        "received": received,
        "filed": filed,
        "digest": digest,
        "units": understood(sheet.accepted),
        "problems": sheet.problems if problems is None else tuple(problems),
        "defaults": sheet.defaults,
    }
    enclosed = (*vector_file(drawn), *deadline_file(seat))
    return compose(pen, "receipt", seat, content, drawn, enclosed, "auto-replied")


def understood(accepted: Sequence[Accepted[Any]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The orders unit by unit, each line once, in the player's own words."""
    blocks: dict[str, dict[str, None]] = {}
    for entry in accepted:
        blocks.setdefault(entry.unit, {})[entry.text] = None
    return tuple((unit, tuple(lines)) for unit, lines in blocks.items())

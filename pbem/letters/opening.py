"""The first letter of a campaign: welcome, situation, how to order, the form, the rules on one page, the deadline."""

from __future__ import annotations

from typing import Any

from pbem.kit.game import Game
from pbem.letters.compose import compose
from pbem.letters.content import Mail, SeatContext
from pbem.letters.enclosures import deadline_file, drawn_map, report_file, vector_file
from pbem.letters.game_parts import help_blocks, status_blocks
from pbem.letters.pen import Pen


def opening(seat: SeatContext, game: Game[Any, Any, Any], view: Any, pen: Pen) -> Mail:
    """Everything a player needs for the first orders, even one who never played by mail."""
    drawn = drawn_map(seat, game.scene(view, ()), pen)
    content = {
        "game": game,
        "form": game.template(view),
        "status": status_blocks(pen, game.slug, view),
        "help": help_blocks(pen, game.slug),
    }
    enclosed = (*vector_file(drawn), *report_file(seat, game, view, (), None), *deadline_file(seat))
    return compose(pen, "opening", seat, content, drawn, enclosed)

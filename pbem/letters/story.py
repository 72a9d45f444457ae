"""A resolved phase as one plain text for one side: for `pbem try --report` and the golden stories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.kit.game import Event, Game, Phase
from pbem.letters.blocks import Heading, Items, Para, TextBlock
from pbem.letters.game_parts import status_blocks
from pbem.letters.narrative import summary, tell
from pbem.letters.pen import Pen
from pbem.letters.plaintext import set_blocks


def story(game: Game[Any, Any, Any], view: Any, events: Sequence[Event], phase: Phase, pen: Pen) -> str:
    """Summary, narrative and status, as the side that saw these events would read them."""
    blocks: list[TextBlock] = [Heading(f"{game.title}, turn {phase.turn}, {phase.name}", 1)]
    short = summary(pen.words, game.slug, view, events)
    if short:
        blocks.append(Para(short))
    for step in tell(pen.words, game.slug, events):
        blocks += [Heading(step.name), Items(step.sentences)]
    return set_blocks((*blocks, *status_blocks(pen, game.slug, view)))

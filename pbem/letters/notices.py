"""Short letters: reminders, refusals, answers to commands, and word from or to the moderator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.kit.game import Game
from pbem.kit.scene import Arc, Scene
from pbem.letters.blocks import TextBlock
from pbem.letters.compose import compose
from pbem.letters.content import Mail, Received, SeatContext
from pbem.letters.enclosures import deadline_file, drawn_map
from pbem.letters.pen import Pen


def reminder(seat: SeatContext, game: Game[Any, Any, Any], view: Any, pen: Pen) -> Mail:
    """The deadline comes and the sheet is missing: the form once more."""
    content = {"game": game, "form": game.template(view)}
    return compose(pen, "reminder", seat, content, attachments=deadline_file(seat))


def refusal(club: str, received: Received, reason: str, hint: str, pen: Pen) -> Mail:
    """Why a letter was not accepted, and what would be."""
    content = {"received": received, "reason": reason, "hint": hint, "club_name": club}
    return compose(pen, "refusal", None, content, automatic="auto-replied")


def answer(seat: SeatContext, received: Received, title: str, blocks: Sequence[TextBlock | str], pen: Pen) -> Mail:
    """The answer to a command; a bare text among the blocks is a paragraph."""
    content = {"received": received, "title": title, "blocks": blocks}
    return compose(pen, "answer", seat, content, automatic="auto-replied")


def fields_of_fire(
    seat: SeatContext, received: Received, scene: Scene, unit: str, arcs: Sequence[Arc], pen: Pen
) -> Mail:
    """The map as it is now, with the arcs of one unit drawn on it."""
    with_arcs = replace(scene, items=(*arcs, *scene.items), alt=f"The fields of fire of {unit}. {scene.alt}")
    content = {"received": received, "unit": unit}
    return compose(pen, "arcs", seat, content, drawn_map(seat, with_arcs, pen), automatic="auto-replied")


def moderator_notice(title: str, paragraphs: Sequence[TextBlock | str], pen: Pen) -> Mail:
    """Word to a moderator."""
    return compose(pen, "moderator", None, {"title": title, "blocks": paragraphs})


def paused(seat: SeatContext, reason: str, pen: Pen) -> Mail:
    return compose(pen, "paused", seat, {"reason": reason})


def resumed(seat: SeatContext, reason: str, pen: Pen) -> Mail:
    return compose(pen, "resumed", seat, {"reason": reason}, attachments=deadline_file(seat))


def deadline_moved(seat: SeatContext, was: datetime | None, reason: str, pen: Pen) -> Mail:
    """The new deadline, as words and as the calendar entry that replaces the old one."""
    return compose(pen, "deadline", seat, {"was": was, "reason": reason}, attachments=deadline_file(seat))

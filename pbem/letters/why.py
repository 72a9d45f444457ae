"""The why-report: each result traced to its rule, its inputs and its dice, as far as the seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from pbem.kit.game import Event, Game
from pbem.letters.compose import compose
from pbem.letters.content import Mail, SeatContext
from pbem.letters.leakcheck import stands_in
from pbem.letters.narrative import seen, sentence, spoken, title
from pbem.letters.pen import Pen


def why(seat: SeatContext, game: Game[Any, Any, Any], events: Sequence[Event], subject: str | None, pen: Pen) -> Mail:
    """All events of a phase, or those that concern one name."""
    concerned = [event for event in seen(events, seat.side) if subject is None or concerns(event, subject)]
    traced = [
        (title(pen.words, game.slug, step), [_traced(pen, game.slug, event) for event in group])
        for step, group in groupby(concerned, key=lambda event: event.step)
    ]
    content = {"game": game, "name": subject, "traced": traced, "count": len(concerned)}
    return compose(pen, "why", seat, content, automatic="auto-replied")


def _traced(pen: Pen, game: str, event: Event) -> dict[str, Any]:
    """One result: what it was, by which rule, from what, with which dice."""
    return {
        "sentence": sentence(pen.words, game, event),
        "rule": event.rule,
        "facts": [f"{name.replace('_', ' ')} {spoken(value)}" for name, value in event.facts.items()],
        "rolls": [f"{roll.label}: {roll.face} on a d{roll.sides}" for roll in event.rolls],
    }


def concerns(event: Event, name: str) -> bool:
    """Whether the name stands anywhere among the facts, as a name of its own: ``A1`` is not ``A12``."""
    texts = [text for fact in event.facts.values() for text in _texts(fact)]
    return any(stands_in(name, text.casefold()) for text in texts)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (str(key), *_texts(item))]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts(item)]
    return []

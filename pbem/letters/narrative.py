"""Events as the sentences of a game's own narrative, step by step."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from jinja2 import TemplateError

from pbem.kit.game import Event
from pbem.letters.blocks import folded
from pbem.letters.environment import Environments

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Passage:
    """What was seen in one step of the turn."""

    name: str
    sentences: tuple[str, ...]


def seen(events: Sequence[Event], side: str) -> tuple[Event, ...]:
    """The events this side may know; a moderator, who has no side, knows all."""
    return tuple(event for event in events if not side or side in event.seen_by)


def tell(words: Environments, game: str, events: Sequence[Event]) -> tuple[Passage, ...]:
    """The turn in order, told under the names of its steps; an event without words is left out."""
    passages = []
    for name, group in groupby(events, key=lambda event: event.step):
        sentences = tuple(filter(None, (sentence(words, game, event) for event in group)))
        if sentences:
            passages.append(Passage(title(words, game, name), sentences))
    return tuple(passages)


def sentence(words: Environments, game: str, event: Event) -> str:
    """The game's words for one event; a plain list of its facts where the game has none.

    A fault in one sentence must not keep a whole turn from the players, so it is logged and worked around.
    """
    try:
        macro = words.macro(f"{game}/narrative.j2", event.kind)
        if macro is not None:
            return folded(macro(event))
        log.warning("%s has no words for the event '%s'", game, event.kind)
    except (TemplateError, TypeError, ValueError, LookupError, AttributeError) as error:
        log.warning("%s cannot tell the event '%s': %s", game, event.kind, error)
    facts = ", ".join(f"{name.replace('_', ' ')} {spoken(value)}" for name, value in event.facts.items())
    return folded(f"{event.kind.replace('_', ' ').capitalize()}: {facts}.")


def spoken(value: Any) -> str:
    """A fact in plain words."""
    if isinstance(value, list | tuple):
        return ", ".join(spoken(item) for item in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {spoken(item)}" for key, item in value.items()) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def summary(words: Environments, game: str, view: Any, events: Sequence[Event]) -> str:
    """At most three sentences about the turn for this side."""
    try:
        macro = words.macro(f"{game}/narrative.j2", "summary")
        if macro is not None:
            return folded(macro(view, events))
    except (TemplateError, TypeError, ValueError, LookupError, AttributeError) as error:
        log.warning("%s cannot sum up the turn: %s", game, error)
    return ""


def title(words: Environments, game: str, step: str) -> str:
    """The step in plain words: a game whose steps are numbered names them in its macro ``step_title``."""
    try:
        macro = words.macro(f"{game}/narrative.j2", "step_title")
        named = folded(macro(step)) if macro else step
    except TemplateError as error:
        log.warning("%s cannot name the step '%s': %s", game, step, error)
        named = step
    return named[:1].upper() + named[1:] if named else "What happened"

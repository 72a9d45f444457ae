"""The letters of a sample, written as a campaign would write them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from jinja2 import TemplateError, TemplateNotFound

from pbem.kit.checks.sample import Sample
from pbem.letters.content import Mail, Preferences, Received, SeatContext
from pbem.letters.environment import environment
from pbem.letters.opening import opening
from pbem.letters.pen import Pen
from pbem.letters.receipt import receipt
from pbem.letters.report import TurnGauges, final_report, turn_report
from pbem.play.phase import Played

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
RECEIVED = Received("Re: your orders", "Thu, 19 Nov 2026 08:30:00 +0000", "<orders@player.example>", NOON)
DIGEST = "ab" * 32
TEMPLATES = {"narrative.j2": "summary", "status.j2": "status", "help.j2": "help"}
"""What every game brings, and the macro that letters call."""


@dataclass(frozen=True)
class SampleMail:
    """One mail to one side."""

    kind: str
    side: str
    state: Any
    """Where the game stands when it is written."""
    mail: Mail
    drawn: bool

    def __str__(self) -> str:
        return f"the {self.kind} to {self.side}"


def letters_of(at: Sample, pen: Pen) -> Iterator[SampleMail]:
    """The letters of a first turn and the last report: to the first side with pictures, to the others as text."""
    first, last = at.phases[0], at.ending
    for number, side in enumerate(at.sides(first)):
        preferences = Preferences(text_only=number > 0, map="small")
        for kind, state, mail in (
            ("opening letter", first.before, _opening(at, first, side, preferences, pen)),
            ("receipt", first.before, _receipt(at, first, side, preferences, pen)),
            ("report", first.after, _report(at, first, side, preferences, pen)),
            ("last report", last.after, _report(at, last, side, preferences, pen)),
        ):
            yield SampleMail(kind, side, state, mail, drawn=number == 0)


def _opening(at: Sample, played: Played, side: str, preferences: Preferences, pen: Pen) -> Mail:
    seat = _seat(at, played.before, side, preferences)
    return opening(seat, at.game, at.game.view(played.before, side), pen)


def _receipt(at: Sample, played: Played, side: str, preferences: Preferences, pen: Pen) -> Mail:
    seat, view = _seat(at, played.before, side, preferences), at.game.view(played.before, side)
    return receipt(seat, at.game, view, played.sheets[side], RECEIVED, DIGEST, pen, filed=True)


def _report(at: Sample, played: Played, side: str, preferences: Preferences, pen: Pen) -> Mail:
    seat, view = _seat(at, played.after, side, preferences), at.game.view(played.after, side)
    history = [TurnGauges(played.phase.turn, at.game.gauges(view))]
    outcome = at.game.outcome(played.after)
    if outcome is None:
        return turn_report(seat, at.game, view, played.events, history, None, pen)
    return final_report(seat, at.game, view, played.events, history, None, outcome, pen)


def _seat(at: Sample, state: Any, side: str, preferences: Preferences) -> SeatContext:
    phase = at.game.phase(state)
    names = {info.id: info.name for info in at.game.sides(state)}
    return SeatContext(
        campaign="sample",
        title=at.scenario.title,
        game=at.game.title,
        scenario=at.scenario.title,
        seat="A Player",
        side=side,
        side_name=names[side],
        turn=phase.turn if phase else 0,
        phase=phase.name if phase else "over",
        token="k7m2p9" if phase else "",
        reply_to="robot+k7m2p9@club.example",
        deadline=NOON if phase else None,
        preferences=preferences,
        commitment="5f" * 32,
        awaited=tuple(names.values()),
    )


def missing_words(slug: str) -> Iterator[str]:
    """What the templates of a game lack, in words."""
    words = environment()
    for name, macro in TEMPLATES.items():
        try:
            if words.macro(f"{slug}/{name}", macro) is None:
                yield f"{name} has no macro '{macro}'"
        except TemplateNotFound:
            yield f"there is no {name} in the folder 'templates'"
        except TemplateError as error:
            yield f"{name} cannot be read: {error}"


@contextmanager
def complaints() -> Iterator[list[str]]:
    """What the letters log: a sentence that fails is worked around there, and must not be in a healthy game."""
    said: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("pbem.letters")
    logger.addHandler(handler)
    try:
        yield said
    finally:
        logger.removeHandler(handler)

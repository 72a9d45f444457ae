"""Shipped games played by their bots for a few phases, to have real letters to look at."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games import AnyGame, game
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import Scenario, scenarios_of
from pbem.letters.content import Mail, SeatContext
from pbem.letters.opening import opening
from pbem.letters.pen import Pen
from pbem.letters.receipt import receipt
from pbem.letters.report import TurnGauges, final_report, turn_report
from pbem.letters.why import why
from pbem.play.phase import Played, play_phase
from tests.letters.seats import received, seat

PHASES = 4


@dataclass(frozen=True)
class Campaign:
    """A campaign as it stands after a few phases."""

    game: AnyGame
    scenario: Scenario
    opening: Any
    last: Played
    figures: tuple[tuple[int, Any], ...]

    @property
    def side(self) -> str:
        return self.game.sides(self.last.after)[0].id


def dice(*label: object) -> KeyedDice:
    return KeyedDice(hashlib.sha256(repr(label).encode()).digest())


def small_scenario(slug: str) -> Scenario:
    """By custom the first that the game ships."""
    return next(iter(scenarios_of(slug).values()))


@lru_cache(maxsize=8)
def played(slug: str, key: str = "") -> Campaign:
    rules, scenario = game(slug), scenarios_of(slug)[key] if key else small_scenario(slug)
    first = state = rules.setup(scenario, dice(slug, "setup"))
    phases: list[Played] = []
    while len(phases) < PHASES and rules.phase(state) is not None:
        phases.append(play_phase(rules, state, _orders(rules, state, len(phases)), dice(slug, len(phases))))
        state = phases[-1].after
    return Campaign(rules, scenario, first, phases[-1], tuple((one.phase.turn, one.after) for one in phases))


def _orders(rules: AnyGame, state: Any, number: int) -> dict[str, str]:
    phase = rules.phase(state)
    asked = sorted(phase.sides) if phase else []
    return {side: rules.bot(rules.view(state, side), dice(side, number)) for side in asked}


def context(at: Campaign, state: Any, **changes: Any) -> SeatContext:
    phase = at.game.phase(state)
    named = {
        "game": at.game.slug,
        "title": at.scenario.title,
        "scenario": at.scenario.title,
        "side": at.side,
        "side_name": at.game.sides(state)[0].name,
        "phase": phase.name if phase else "over",
    }
    return seat(phase.turn if phase else at.last.phase.turn, **{**named, **changes})


def letters(slug: str, pen: Pen, scenario: str = "", **changes: Any) -> dict[str, Mail]:
    at = played(slug, scenario)
    rules, side = at.game, at.side
    view = rules.view(at.last.after, side)
    history = [TurnGauges(turn, rules.gauges(rules.view(state, side))) for turn, state in at.figures]
    now, over = context(at, at.last.after, **changes), rules.outcome(at.last.after)
    report = (
        turn_report(now, rules, view, at.last.events, history, None, pen)
        if over is None
        else final_report(now, rules, view, at.last.events, history, None, over, pen)
    )
    then = context(at, at.last.before, **changes)
    return {
        "opening": opening(context(at, at.opening, **changes), rules, rules.view(at.opening, side), pen),
        "receipt": receipt(
            then, rules, rules.view(at.last.before, side), at.last.sheets[side], received(), "ab" * 32, pen, filed=True
        ),
        "report": report,
        "why": why(now, rules, at.last.events, None, pen),
    }

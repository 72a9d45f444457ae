"""Shipped games played by their bots for a few phases, to have real letters to look at."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games import AnyGame, game
from pbem.kit.dice import KeyedDice
from pbem.kit.game import Event, Phase
from pbem.kit.scenario import Scenario, scenarios_of
from pbem.kit.sheet import Sheet
from pbem.report.content import Mail, SeatContext
from pbem.report.opening import opening
from pbem.report.pen import Pen
from pbem.report.receipt import receipt
from pbem.report.report import TurnFigures, final_report, turn_report
from pbem.report.why import why
from tests.report.seats import received, seat

PHASES = 4


@dataclass(frozen=True)
class Played:
    """A campaign as it stands after a few phases, and its last phase."""

    game: AnyGame
    scenario: Scenario
    opening: Any
    before: Any
    state: Any
    phase: Phase
    sheets: dict[str, Sheet[Any]]
    events: tuple[Event, ...]
    figures: tuple[tuple[int, Any], ...]

    @property
    def side(self) -> str:
        return self.game.sides(self.state)[0].id


def dice(*label: object) -> KeyedDice:
    return KeyedDice(hashlib.sha256(repr(label).encode()).digest())


def small_scenario(slug: str) -> Scenario:
    """The tutorial, else the first that the game ships."""
    found = scenarios_of(slug)
    return next((one for key, one in found.items() if "tutorial" in key), next(iter(found.values())))


@lru_cache(maxsize=8)
def played(slug: str, key: str = "") -> Played:
    rules, scenario = game(slug), scenarios_of(slug)[key] if key else small_scenario(slug)
    first = state = rules.setup(scenario, dice(slug, "setup"))
    figures: list[tuple[int, Any]] = []
    last: tuple[Any, Phase, dict[str, Sheet[Any]], tuple[Event, ...]] | None = None
    for number in range(PHASES):
        phase = rules.phase(state)
        if phase is None:
            break
        sheets = {
            info.id: rules.read_orders(state, info.id, _orders(rules, state, info.id, phase, number))
            for info in rules.sides(state)
        }
        resolved = rules.resolve(state, sheets, dice(slug, number))
        last, state = (state, phase, sheets, resolved.events), resolved.state
        figures.append((phase.turn, state))
    assert last is not None
    return Played(rules, scenario, first, last[0], state, last[1], last[2], last[3], tuple(figures))


def _orders(rules: AnyGame, state: Any, side: str, phase: Phase, number: int) -> str:
    return rules.bot(rules.view(state, side), dice(side, number)) if side in phase.sides else ""


def context(at: Played, state: Any, **changes: Any) -> SeatContext:
    phase = at.game.phase(state)
    named = {
        "game": at.game.slug,
        "title": at.scenario.title,
        "scenario": at.scenario.title,
        "side": at.side,
        "side_name": at.game.sides(state)[0].name,
        "phase": phase.name if phase else "over",
    }
    return seat(phase.turn if phase else at.phase.turn, **{**named, **changes})


def letters(slug: str, pen: Pen, scenario: str = "", **changes: Any) -> dict[str, Mail]:
    at = played(slug, scenario)
    rules, side = at.game, at.side
    view = rules.view(at.state, side)
    history = [TurnFigures(turn, rules.gauges(rules.view(state, side))) for turn, state in at.figures]
    now, over = context(at, at.state, **changes), rules.outcome(at.state)
    report = (
        turn_report(now, rules, view, at.events, history, None, pen)
        if over is None
        else final_report(now, rules, view, at.events, history, None, over, pen)
    )
    then = context(at, at.before, **changes)
    return {
        "opening": opening(context(at, at.opening, **changes), rules, rules.view(at.opening, side), pen),
        "receipt": receipt(then, rules, rules.view(at.before, side), at.sheets[side], received(), "ab" * 32, True, pen),
        "report": report,
        "why": why(now, rules, at.events, None, pen),
    }

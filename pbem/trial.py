"""Resolve one phase of a situation with given orders and dice: the form of every worked example and rules question."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games import AnyGame, game
from pbem.kit.codec import plain
from pbem.kit.dice import Dice, KeyedDice, LoadedDice, Roll
from pbem.kit.game import Event, Phase
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import Sheet, match_name


@dataclass(frozen=True)
class Tried:
    """A situation, what was ordered, and what came of it."""

    game: AnyGame
    before: Any
    state: Any
    phase: Phase
    sheets: Mapping[str, Sheet[Any]]
    events: tuple[Event, ...]
    rolls: tuple[Roll, ...]
    unused_dice: tuple[int, ...]


class NothingToTry(ValueError):
    """The situation is already over."""


def run_trial(scenario: Scenario, orders: Mapping[str, str] | None = None, dice: Sequence[int] | None = None) -> Tried:
    """Resolve one phase; orders and dice given here go before those in the file; without dice, fair ones are cast."""
    rules = game(scenario.game)
    faces = scenario.trial.dice if dice is None else dice
    drawn: Dice = KeyedDice(secrets.token_bytes(32)) if faces is None else LoadedDice(*faces)
    before = rules.setup(scenario, drawn)
    phase = rules.phase(before)
    if phase is None:
        raise NothingToTry(f"{scenario.title}: the game is over, there is nothing to resolve")
    texts = {**scenario.trial.orders, **(orders or {})}
    sheets = _read(rules, before, texts)
    resolution = rules.resolve(before, sheets, drawn)
    unused = drawn.left if isinstance(drawn, LoadedDice) else ()
    return Tried(rules, before, resolution.state, phase, sheets, resolution.events, tuple(drawn.rolls), unused)


def _read(rules: AnyGame, state: Any, texts: Mapping[str, str]) -> dict[str, Sheet[Any]]:
    given = {side_named(rules, state, side): text for side, text in texts.items()}
    return {info.id: rules.read_orders(state, info.id, given.get(info.id, "")) for info in rules.sides(state)}


def side_named(rules: AnyGame, state: Any, text: str) -> str:
    """The id of a side, given by id or name in any case."""
    sides = {info.id: info.name for info in rules.sides(state)}
    found = match_name(text, (*sides, *sides.values()))
    if found is None:
        raise UnknownSide(f"no side called '{text}'; the sides are {', '.join(sides)}")
    return found if found in sides else next(side for side, name in sides.items() if name == found)


class UnknownSide(LookupError):
    """Orders were given for a side the situation does not have."""


def as_plain(tried: Tried) -> dict[str, Any]:
    """The whole answer as JSON data."""
    following = tried.game.phase(tried.state)
    return {
        "game": tried.game.slug,
        "version": tried.game.version,
        "phase": plain(tried.phase),
        "problems": {side: plain(sheet.problems) for side, sheet in tried.sheets.items()},
        "accepted": {side: plain(sheet.accepted) for side, sheet in tried.sheets.items()},
        "rolls": plain(tried.rolls),
        "unused_dice": list(tried.unused_dice),
        "events": plain(tried.events),
        "state": plain(tried.state),
        "next_phase": plain(following),
        "outcome": plain(tried.game.outcome(tried.state)),
    }

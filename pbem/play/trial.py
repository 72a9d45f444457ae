"""Resolve one phase of a situation with given orders and dice, or ask what a unit in it can still be ordered.

It is the form of every worked example and rules question.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games import AnyGame, game
from pbem.kit.choices import Offer
from pbem.kit.codec import plain
from pbem.kit.dice import Dice, KeyedDice, LoadedDice
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import Sheet, match_name
from pbem.play.phase import NothingToPlay, Played, play_phase


def run_trial(scenario: Scenario, orders: Mapping[str, str] | None = None, dice: Sequence[int] | None = None) -> Played:
    """Resolve one phase; orders and dice given here go before those in the file; without dice, fair ones are cast."""
    rules = game(scenario.game)
    faces = scenario.trial.dice if dice is None else dice
    drawn: Dice = KeyedDice(secrets.token_bytes(32)) if faces is None else LoadedDice(*faces)
    before = rules.setup(scenario, drawn)
    if rules.phase(before) is None:
        raise NothingToPlay(f"{scenario.title}: the game is over, there is nothing to resolve")
    texts = {**scenario.trial.orders, **(orders or {})}
    given = {side_named(rules, before, side): text for side, text in texts.items()}
    return play_phase(rules, before, given, drawn)


@dataclass(frozen=True)
class OfferTried:
    """What a unit of a situation can still be ordered."""

    game: AnyGame
    side: str
    view: Any
    sheet: Sheet[Any]
    offer: Offer


def try_choices(
    scenario: Scenario, unit: str, side: str | None = None, orders: Mapping[str, str] | None = None
) -> OfferTried:
    """The choices of a unit, by its name or the beginning of it, on top of its side's orders."""
    rules = game(scenario.game)
    state = rules.setup(scenario, KeyedDice(b"choices"))
    phase = rules.phase(state)
    if phase is None:
        raise NothingToPlay(f"{scenario.title}: the game is over, there is nothing to order")
    if rules.choices is None:
        raise UnknownUnit(f"{rules.title} lists no choices")
    texts = {**scenario.trial.orders, **(orders or {})}
    given = {side_named(rules, state, name): text for name, text in texts.items()}
    asked = (
        [side_named(rules, state, side)] if side else [one.id for one in rules.sides(state) if one.id in phase.sides]
    )
    whose, name = _unit_named(rules, state, asked, unit)
    view, sheet = rules.view(state, whose), rules.read_orders(state, whose, given.get(whose, ""))
    return OfferTried(rules, whose, view, sheet, rules.choices(view, sheet, name))


def _unit_named(rules: AnyGame, state: Any, sides: Sequence[str], text: str) -> tuple[str, str]:
    """The one side that has the unit, and the unit's full name."""
    units = {side: tuple(dict.fromkeys((rules.fleet, *rules.units(state, side)))) for side in sides}
    found = [(side, name) for side, names in units.items() if (name := match_name(text, names))]
    exact = [(side, name) for side, name in found if name.casefold() == text.strip().casefold()]
    meant = exact or found
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise UnknownUnit(f"'{text}' is a unit of {' and of '.join(side for side, _ in meant)}; say which with --side")
    known = "; ".join(f"{side} has {', '.join(names)}" for side, names in units.items())
    raise UnknownUnit(f"no unit called '{text}' can be ordered now; {known}")


class UnknownUnit(LookupError):
    """Nothing of that name can be ordered in the situation."""


def side_named(rules: AnyGame, state: Any, text: str) -> str:
    """The id of a side, given by id or name in any case."""
    sides = {info.id: info.name for info in rules.sides(state)}
    name = match_name(text, (*sides, *sides.values()))
    if name is None:
        raise UnknownSide(f"no side called '{text}'; the sides are {', '.join(sides)}")
    return name if name in sides else next(side for side, side_name in sides.items() if side_name == name)


class UnknownSide(LookupError):
    """Orders were given for a side the situation does not have."""


def as_plain(tried: Played) -> dict[str, Any]:
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

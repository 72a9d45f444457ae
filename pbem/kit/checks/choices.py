"""Laws of choices: whatever is offered can be sent, and a view holds enough to imagine a state that it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from importlib import import_module
from itertools import cycle, islice
from typing import Any

from games import AnyGame
from pbem.kit.checks.orders import spoken
from pbem.kit.checks.sample import Sample
from pbem.kit.choices import added, fillings, thinned
from pbem.kit.dice import KeyedDice
from pbem.kit.package import home_of
from pbem.kit.proof import breaches_of
from pbem.kit.sheet import Sheet
from pbem.play.phase import Played
from pbem.play.selfplay import play, random_orders

MOST_READINGS = 200
FEW_READINGS = 40
FEW_UNITS = 3
"""What a law tries at each moment of a battle, so that it is tried in seconds; a long run tries more."""
RANDOM_GAMES = 3
RANDOM_PHASES = 2
MOST_TOLD = 3
IMAGINATIONS = (b"imagined", b"imagined otherwise")


# --- laws ------------------------------------------------------------------------------------------------------------


def choices_keep_the_law(at: Sample, readings: int = FEW_READINGS, units: int = FEW_UNITS) -> None:
    """Whatever is offered can be sent: on an empty sheet, on a bot's, and on one that somebody has begun."""
    if at.game.choices is None:
        return
    for number, (where, played) in enumerate(at.moments()):
        for place, side in enumerate(sorted(played.phase.sides)):
            bot = played.texts[side]
            text = ("", bot, half_of(bot))[(number + place) % 3]
            asked = some_units(at.game, played.before, side, number * units, units)
            broken = list(islice(breaches(at.game, played.before, side, text, readings, asked), MOST_TOLD))
            assert not broken, f"{where}: choices of {side} that cannot be sent, on top of\n{text}\n" + "\n".join(
                broken
            )


def bots_order_what_is_offered(at: Sample) -> None:
    """Every verb that a bot uses is offered, or stands in ``NOT_OFFERED`` of the game's module ``choices``."""
    if at.game.choices is None:
        return
    seen: dict[str, bool] = dict.fromkeys(not_offered(at.game), True)
    for _, played in at.moments():
        for side, sheet in played.sheets.items():
            for entry in sheet.accepted:
                verb = verb_of(entry.text)
                if not seen.get(verb):
                    seen[verb] = verb in verbs_offered(at.game, played, side, entry.unit)
    missing = sorted(verb for verb, offered in seen.items() if not offered)
    assert not missing, f"{at}: bots order {', '.join(missing)}, and no choice does"


def random_sheets_are_legal(at: Sample, phases: int = RANDOM_PHASES, units: int = FEW_UNITS) -> None:
    """Battles fought with choices alone, picked by dice: no line of them draws a complaint."""
    if at.game.choices is None:
        return
    write = partial(random_orders, most_units=units)
    for game in range(1, RANDOM_GAMES + 1):
        key = f"{at.seed}: at random, {game}".encode()
        for played in play(at.game, at.scenario, key, phases, write):
            for side, sheet in played.sheets.items():
                problems = [found for found in sheet.problems if found.line or found.weight != "note"]
                assert not problems, (
                    f"{at}, random battle {game}, turn {played.phase.turn} ({played.phase.name}): {side} chose\n"
                    f"{played.texts[side]}\n{spoken(problems)}"
                )


def imagined_gives_the_same_view(at: Sample) -> None:
    """A state imagined from a view gives its reader the same view again, however the dice fall."""
    if at.game.imagined is None:
        return
    for where, played in at.moments():
        for side in at.sides(played):
            view = at.game.view(played.after, side)
            for key in IMAGINATIONS:
                again = at.game.view(at.game.imagined(view, KeyedDice(key)), side)
                assert again == view, f"{where}: {side} sees another {differs(view, again)} in what it imagines"


# --- what they look at -----------------------------------------------------------------------------------------------


def some_units(game: AnyGame, state: Any, side: str, first: int, most: int) -> Sequence[str]:
    """Some of those that a side may order, others each time, its own block among them."""
    names = tuple(dict.fromkeys((game.fleet, *game.units(state, side))))
    first %= len(names)
    return list(islice(cycle(names), first, first + min(most, len(names))))


def not_offered(game: AnyGame) -> Mapping[str, str]:
    """Verbs that a game leaves to its players: free names, free designs."""
    home = home_of(game.slug)
    try:
        module = import_module(f"{home.package}.choices") if home else None
    except ModuleNotFoundError:
        return {}
    found: Mapping[str, str] = getattr(module, "NOT_OFFERED", {})
    return found


def verb_of(line: str) -> str:
    return line.split(maxsplit=1)[0].casefold()


def verbs_offered(game: AnyGame, played: Played, side: str, unit: str) -> frozenset[str]:
    """On an empty sheet, or beside what is ordered already."""
    assert game.choices is not None
    view = game.view(played.before, side)
    empty: Sheet[Any] = game.read_orders(played.before, side, "")
    offers = [game.choices(view, sheet, unit) for sheet in (empty, played.sheets[side])]
    return frozenset(verb_of(line) for offer in offers for choice in offer.choices for line in choice.lines)


def differs(view: Any, again: Any) -> str:
    """The first field that is another."""
    if not is_dataclass(view) or type(view) is not type(again):
        return "view"
    names = [field.name for field in fields(view) if getattr(view, field.name) != getattr(again, field.name)]
    return f"{type(view).__name__}.{names[0]}" if names else "view"


def breaches(
    game: AnyGame, state: Any, side: str, text: str, most: int = MOST_READINGS, units: Sequence[str] | None = None
) -> Iterator[str]:
    """What breaks the law on top of this sheet, at most so many choices of the side, or of some units, evenly chosen.

    Every line of a choice is accepted without a problem; no line that stood before and was not replaced is refused now;
    the unit draws no new problem that stands on no line.
    """
    if game.choices is None:
        return
    view, before = game.view(state, side), game.read_orders(state, side, text)
    asked = (game.fleet, *game.units(state, side)) if units is None else units
    offers = [game.choices(view, before, unit) for unit in dict.fromkeys(asked)]
    sendings = [
        (offer, choice, filling) for offer in offers for choice in offer.choices for filling in fillings(choice.fill)
    ]
    for offer, choice, filling in thinned(sendings, most):
        after = added(text, offer.unit, choice, filling)
        for breach in breaches_of(before, game.read_orders(state, side, after), offer.unit, choice, filling):
            yield f"{offer.unit}, {choice.group} '{choice.label}' {list(choice.lines)} [{filling}]: {breach}"


def half_of(text: str) -> str:
    """Every second order line of a letter, headers kept: a sheet somebody has begun."""
    kept, take = [], True
    for line in text.splitlines():
        header = ":" in line and not line.startswith((" ", "\t"))
        if header or take:
            kept.append(line)
        take = not take if not header else take
    return "\n".join(kept)

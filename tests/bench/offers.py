"""How long every game takes to say what a unit can be ordered, in all its scenarios; the bar is 120 ms."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import games
from games import AnyGame
from pbem.kit.scenario import Scenario, scenarios_of
from pbem.kit.sheet import Sheet
from pbem.play.selfplay import play

PHASES = 3


def moments(game: AnyGame, scenario: Scenario) -> Iterator[tuple[Any, str, Sheet[Any]]]:
    """Every side in the first phases, with an empty sheet and with its bot's."""
    for played in islice(play(game, scenario, b"bench"), PHASES):
        for side in sorted(played.phase.sides):
            for text in ("", played.texts[side]):
                yield played.before, side, game.read_orders(played.before, side, text)


def spent(game: AnyGame, scenario: Scenario) -> tuple[list[float], list[float]]:
    """Processor time in ms of every offer, and of reading the sheet it stands on."""
    assert game.choices is not None
    offers, readings = [], []
    for state, side, sheet in moments(game, scenario):
        text = "\n".join(f"{entry.unit}: {entry.text}" for entry in sheet.accepted)
        begun = time.process_time()
        game.read_orders(state, side, text)
        readings.append((time.process_time() - begun) * 1000)
        view = game.view(state, side)
        for unit in (game.fleet, *game.units(state, side)):
            # A pause of the collector belongs to everything made before, not to the offer it falls into.
            gc.disable()
            begun = time.process_time()
            game.choices(view, sheet, unit)
            offers.append((time.process_time() - begun) * 1000)
            gc.enable()
    return offers, readings


def main() -> None:
    """Print one line a scenario: the slowest offer, the mean one, and the mean against one reading of the orders."""
    for slug in games.SHIPPED:
        game = games.game(slug)
        for key, scenario in scenarios_of(slug).items():
            offers, readings = spent(game, scenario)
            mean, reading = sum(offers) / len(offers), sum(readings) / len(readings)
            sys.stdout.write(
                f"{slug}/{key}: {len(offers)} offers, slowest {max(offers):.0f} ms, mean {mean:.1f} ms, "
                f"{mean / reading:.1f} readings\n"
            )
            sys.stdout.flush()

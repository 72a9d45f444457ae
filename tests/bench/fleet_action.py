"""Time and memory of a turn of the stress scenario, and how both grow with the number of units."""

from __future__ import annotations

import math
import time
import tracemalloc
from dataclasses import replace
from typing import Any

from games.fleet_action import GAME
from games.fleet_action.state import State
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import scenarios_of
from pbem.kit.sheet import Sheet

TURNS = 4


def opening(key: str) -> State:
    """The scenario when its first turn is open."""
    state = GAME.setup(scenarios_of("fleet_action")[key], KeyedDice(b"bench"))
    number = 0
    while state.stage != "turn":
        state = GAME.resolve(state, sheets_of(state), KeyedDice(f"opening {number}".encode())).state
        number += 1
    return state


def sheets_of(state: State) -> dict[str, Sheet[Any]]:
    """What the bots order."""
    texts = {s.id: GAME.bot(GAME.view(state, s.id), KeyedDice(s.id.encode())) for s in GAME.sides(state)}
    return {side: GAME.read_orders(state, side, text) for side, text in texts.items()}


def timed_turns(state: State) -> tuple[float, float, int]:
    """The slowest turn, the slowest reading of orders, and the most events."""
    slowest, reading, most = 0.0, 0.0, 0
    for number in range(TURNS):
        start = time.perf_counter()
        sheets = sheets_of(state)
        read = time.perf_counter()
        resolution = GAME.resolve(state, sheets, KeyedDice(f"turn {number}".encode()))
        reading, slowest = max(reading, read - start), max(slowest, time.perf_counter() - read)
        most = max(most, len(resolution.events))
        state = resolution.state
    return slowest, reading, most


def half_of(state: State) -> State:
    """Every second squadron, with its ships and flights."""
    kept = [s for n, s in enumerate(state.squadrons) if n % 2 == 0]
    names = {s.name for s in kept}
    ships = [s for s in state.ships if s.squadron in names]
    homes = {s.name for s in ships}
    openers = tuple(v for v in state.vortices if v.opener in homes)
    return replace(
        state,
        squadrons=tuple(kept),
        ships=tuple(ships),
        flights=tuple(f for f in state.flights if f.home in homes),
        vortices=openers,
        plans=tuple(p for p in state.plans if p.opener in homes and p.leader in homes),
        fleets=tuple(replace(f, flagship=_flag(state, f.name, names)) for f in state.fleets),
    )


def _flag(state: State, fleet: str, names: set[str]) -> str:
    return next((s.command_ship for s in state.squadrons if s.fleet == fleet and s.name in names), "")


def main() -> None:
    """One line a measurement."""
    for key in ("border-incident", "ragesh-approaches", "the-long-line"):
        slowest, reading, most = timed_turns(opening(key))
        print(f"{key}: slowest turn {slowest:.2f} s, bots and orders {reading:.2f} s, {most} events")  # noqa: T201
    whole = opening("the-long-line")
    large, small = timed_turns(whole)[0], timed_turns(half_of(whole))[0]
    exponent = math.log2(large / small)
    print(f"the-long-line against half of it: {large:.2f} s and {small:.2f} s, growth exponent {exponent:.2f}")  # noqa: T201
    tracemalloc.start()
    timed_turns(whole)
    print(f"the-long-line: peak of memory {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB")  # noqa: T201


if __name__ == "__main__":
    main()

"""How long a turn of the star campaign takes, and how big its state grows: ``python -m tests.bench.encounters``."""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from math import log2
from typing import Any

from games.encounters import GAME
from pbem.kit.codec import encode
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import Scenario, scenarios_of
from pbem.play.selfplay import bot_orders

TURNS, LONG = 30, 100
ENDLESS = 9999
OFFERED_TURNS = 2


def endless(key: str) -> Scenario:
    """The scenario without victory or last turn."""
    scenario = scenarios_of("encounters")[key]
    switches = {**scenario.data["switches"], "turn_limit": ENDLESS}
    return replace(scenario, data={**scenario.data, "victory": {}, "switches": switches})


def multiplied(scenario: Scenario, times: int) -> Scenario:
    """The same map with every force set down several times over."""
    forces = [{**force, "units": list(force["units"])} for force in scenario.data["force"] for _ in range(times)]
    return replace(scenario, data={**scenario.data, "force": forces})


def turns(scenario: Scenario, most: int) -> Iterator[tuple[Any, float]]:
    """States with the seconds their resolution took, phase by phase; bots and readers are not counted."""
    state = GAME.setup(scenario, KeyedDice(b"setup"))
    number = 0
    while state.turn <= most and (phase := GAME.phase(state)) is not None:
        number += 1
        texts = bot_orders(GAME, state, phase, f"bots {number}".encode())
        sheets = {info.id: GAME.read_orders(state, info.id, texts.get(info.id, "")) for info in GAME.sides(state)}
        begun = time.perf_counter()
        state = GAME.resolve(state, sheets, KeyedDice(f"phase {number}".encode())).state
        yield state, time.perf_counter() - begun


def stress() -> None:
    seconds = [spent for _, spent in turns(endless("eight-thrones"), TURNS)]
    say(f"eight-thrones, {TURNS} turns, {len(seconds)} phases: {sum(seconds):.2f} s of resolution")
    say(f"eight-thrones, slowest phase: {max(seconds) * 1000:.0f} ms")


def growth() -> None:
    one, two = (sum(spent for _, spent in turns(multiplied(endless("eight-thrones"), n), 3)) for n in (1, 2))
    say(f"growth when units double: {two / one:.2f} times the time, exponent {log2(two / one):.2f}")


def long_campaign() -> None:
    sizes = {}
    tracemalloc.start()
    for state, _ in turns(endless("eight-thrones"), LONG):
        sizes[state.turn] = len(encode(state))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    marks = ", ".join(f"turn {turn} {sizes[turn] // 1024} KB" for turn in (2, 25, 50, 75, 100) if turn in sizes)
    say(f"eight-thrones, {LONG} turns: state {marks}; peak memory {peak // 1024 // 1024} MB")


def reading() -> None:
    state = GAME.setup(endless("eight-thrones"), KeyedDice(b"setup"))
    text = GAME.bot(GAME.view(state, "AUR"), KeyedDice(b"bot"))
    begun = time.perf_counter()
    GAME.read_orders(state, "AUR", text)
    say(f"reading one strategic letter: {(time.perf_counter() - begun) * 1000:.1f} ms")
    begun = time.perf_counter()
    GAME.view(state, "AUR")
    say(f"making one view: {(time.perf_counter() - begun) * 1000:.1f} ms")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    stress()
    growth()
    reading()
    long_campaign()


if __name__ == "__main__":
    main()

"""Thousand Lances: time and memory of a turn, and how both grow with the number of ships."""

from __future__ import annotations

import copy
import math
import resource
import time
from typing import Any

from games.battleshift import GAME
from games.battleshift.state import State
from pbem.kit.dice import KeyedDice, LoadedDice
from pbem.kit.scenario import Scenario, scenarios_of

SIDES = ("azure", "crimson")
TURNS = 4


def orders_of(state: State, number: int) -> dict[str, Any]:
    dice = KeyedDice(bytes([number]) * 32)
    return {side: GAME.read_orders(state, side, GAME.bot(GAME.view(state, side), dice)) for side in SIDES}


def turns(state: State) -> list[float]:
    """Processor seconds of each of the first turns, with bots on both sides."""
    spent = []
    for number in range(TURNS):
        sheets = orders_of(state, number)
        started = time.process_time()
        state = GAME.resolve(state, sheets, KeyedDice(bytes([number]) * 32)).state
        spent.append(time.process_time() - started)
    return spent


def halved(scenario: Scenario) -> Scenario:
    """Half the taskforces on half the table."""
    data: dict[str, Any] = copy.deepcopy(dict(scenario.data))
    half = int(data["width_ft"]) * 6
    kept = [tf for tf in data["taskforce"] if float(tf["at"].split(",")[0]) < half]
    names = {name for tf in kept for name in tf["squadrons"]}
    data["taskforce"], data["width_ft"] = kept, data["width_ft"] // 2
    data["squadron"] = [one for one in data["squadron"] if one["name"] in names]
    data["terrain"] = [one for one in data["terrain"] if float(one["at"].split(",")[0]) < half]
    return Scenario(scenario.game, scenario.key, scenario.title, data)


def main() -> None:
    scenario = scenarios_of("battleshift")["thousand-lances"]
    whole = GAME.setup(scenario, LoadedDice())
    spent = turns(whole)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"battleshift: 216 ships a side, slowest of {TURNS} turns {max(spent):.3f} s (bar 1 s)")  # noqa: T201
    print(f"battleshift: peak memory {memory:.0f} MB (bar 300 MB)")  # noqa: T201
    half = GAME.setup(halved(scenario), LoadedDice())
    large, small = (min(sum(turns(state)) for _ in range(3)) for state in (whole, half))
    growth = math.log2(large / small)
    print(f"battleshift: {TURNS} turns {large:.3f} s, with half the ships {small:.3f} s")  # noqa: T201
    print(f"battleshift: growth exponent when ships double {growth:.2f} (bar 1.3)")  # noqa: T201
    started = time.process_time()
    orders_of(whole, 9)
    print(f"battleshift: reading both sides' orders {time.process_time() - started:.3f} s")  # noqa: T201


if __name__ == "__main__":
    main()

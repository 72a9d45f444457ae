"""Measurements of Broadsides: the stress scenario's turns and memory, and growth with the number of ships."""

from __future__ import annotations

import math
import resource
import sys
import time
from typing import Any

from games.broadsides import GAME
from games.broadsides.state import State
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import Scenario, scenarios_of

STRESS = "siege-of-the-citadel"


def resolve_turn(state: State, number: int) -> tuple[State, float]:
    """One phase between two bots, and the seconds its resolution took."""
    sheets = {}
    for info in GAME.sides(state):
        text = GAME.bot(GAME.view(state, info.id), KeyedDice(f"{number} {info.id}".encode()))
        sheets[info.id] = GAME.read_orders(state, info.id, text)
    start = time.perf_counter()
    following = GAME.resolve(state, sheets, KeyedDice(b"turn %d" % number)).state
    return following, time.perf_counter() - start


def stress_turns() -> list[float]:
    state = GAME.setup(scenarios_of("broadsides")[STRESS], KeyedDice(b"bench"))
    seconds: list[float] = []
    while GAME.phase(state) is not None:
        state, spent = resolve_turn(state, len(seconds))
        seconds.append(spent)
    return seconds


def form_time() -> float:
    """The same for the order form of the defenders in the middle of the battle."""
    state = GAME.setup(scenarios_of("broadsides")[STRESS], KeyedDice(b"bench"))
    for number in range(3):
        state, _ = resolve_turn(state, number)
    view = GAME.view(state, "EA")
    start = time.process_time()
    GAME.template(view)
    return (time.process_time() - start) * 1000


def melee(ships: int) -> Scenario:
    """So many ships a side in two lines, all in range of each other."""
    units: list[dict[str, Any]] = []
    for index in range(ships):
        column = index - ships // 2
        units.append({"side": "EA", "name": f"Lance-{index}", "class": "Lance", "position": [column, 4]})
        foe = {"side": "Narn", "name": f"Vash-{index}", "class": "Dro-Vash", "position": [column, -4], "heading": 3}
        units.append(foe)
    sides = [{"id": "EA", "name": "EA"}, {"id": "Narn", "name": "Narn"}]
    return Scenario("broadsides", "melee", "Melee", {"sides": sides, "map": {"radius": 60}, "turn": 1, "unit": units})


def melee_seconds(ships: int) -> float:
    state = GAME.setup(melee(ships), KeyedDice(b"melee"))
    start = time.perf_counter()
    GAME.resolve(state, {}, KeyedDice(b"turn"))
    return time.perf_counter() - start


def main() -> None:
    write = sys.stdout.write
    turns = stress_turns()
    write(f"broadsides stress scenario: slowest turn {max(turns):.2f} s, {len(turns)} phases {sum(turns):.2f} s\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    write(f"broadsides stress scenario: peak memory {peak:.0f} MB\n")
    write(f"broadsides form: {form_time():.0f} ms\n")
    few, many = melee_seconds(10), melee_seconds(20)
    write(
        f"broadsides melee: 10 ships a side {few:.2f} s, 20 ships {many:.2f} s, exponent {math.log2(many / few):.1f}\n"
    )


if __name__ == "__main__":
    main()

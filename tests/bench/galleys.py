"""How long a turn of Actium takes, how that grows with the ships, and how the opponent fares on the tutorial."""

from __future__ import annotations

import hashlib
import math
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice

from games.galleys import GAME
from games.galleys.state import State
from games.galleys.view import View
from pbem.kit.dice import Dice, KeyedDice
from pbem.kit.scenario import scenarios_of
from pbem.play.selfplay import play

Bot = Callable[[View, Dice], str]
SCENARIOS = scenarios_of("galleys")
BATTLES = 100


def main() -> None:
    """Print one line a measurement."""
    measure_actium()
    measure_growth()
    measure_forms()
    for ours, bot, theirs, other in (
        ("bot", GAME.bot, "bot", GAME.bot),
        ("bot", GAME.bot, "rams only", rams_only),
        ("rams only", rams_only, "bot", GAME.bot),
        ("rams only", rams_only, "rams only", rams_only),
    ):
        say(f"tutorial, {ours} (Athens) v {theirs} (Corinth): {win_rates(bot, other, BATTLES)}")


def measure_actium() -> None:
    """The slowest parts of a whole battle of a hundred ships."""
    resolving, reading, turns = [], [], list(play(GAME, SCENARIOS["actium"], b"bench"))
    for played in turns:
        texts = {side: GAME.bot(GAME.view(played.before, side), KeyedDice(b"b")) for side in played.sheets}
        reading.append(seconds(partial(read_all, played.before, texts)))
        resolving.append(seconds(partial(GAME.resolve, played.before, played.sheets, KeyedDice(b"again"))))
    slowest = turns[resolving.index(max(resolving))]
    tracemalloc.start()
    GAME.resolve(slowest.before, slowest.sheets, KeyedDice(b"memory"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    say(f"Actium, {len(turns)} turns: slowest turn resolved in {max(resolving):.3f} s, mean {mean(resolving):.3f} s")
    say(f"Actium: both sheets read and checked in at most {max(reading):.3f} s")
    say(f"Actium: peak memory of the slowest turn {peak / 2**20:.1f} MiB")


def read_all(state: State, texts: Mapping[str, str]) -> None:
    for side, text in texts.items():
        GAME.read_orders(state, side, text)


def measure_growth() -> None:
    """The exponent of time over ships, from a quarter of Actium to the whole of it."""
    times = []
    for share in (4, 2, 1):
        state = thinned(GAME.setup(SCENARIOS["actium"], KeyedDice(b"x")), share)
        for number in range(4):
            sheets = {
                info.id: GAME.read_orders(state, info.id, GAME.bot(GAME.view(state, info.id), KeyedDice(b"b")))
                for info in GAME.sides(state)
            }
            begun, before = state, sheets
            state = GAME.resolve(state, sheets, KeyedDice(b"%d" % number)).state
        times.append(seconds(partial(GAME.resolve, begun, before, KeyedDice(b"t"))))
    exponent = math.log(times[-1] / times[0], 4)
    say(f"Actium with 25, 50, 100 ships: {', '.join(f'{t:.3f} s' for t in times)}; growth exponent {exponent:.2f}")


def measure_forms() -> None:
    """How long the order forms of Actium take."""
    forms = [
        seconds(partial(GAME.template, GAME.view(played.before, side)))
        for played in islice(play(GAME, SCENARIOS["actium"], b"bench"), 0, 8, 3)
        for side in played.sheets
    ]
    say(f"Actium: a form takes at most {1000 * max(forms):.1f} ms")


def thinned(state: State, share: int) -> State:
    """The same battle with every so-many-th ship of each squadron."""
    ships = tuple(ship for ship in state.ships if ship.roster % share == 0)
    names = {ship.name for ship in ships}
    squadrons = tuple(replace(s, ships=tuple(name for name in s.ships if name in names)) for s in state.squadrons)
    return replace(state, ships=ships, squadrons=squadrons)


def win_rates(ours: Bot, theirs: Bot, battles: int) -> str:
    wins: dict[str, int] = {}
    turns = 0
    for number in range(battles):
        state = GAME.setup(SCENARIOS["rhium"], KeyedDice(b"x"))
        bots = dict(zip([info.id for info in GAME.sides(state)], (ours, theirs), strict=True))
        while GAME.phase(state):
            key = hashlib.sha256(b"%d/%d" % (number, state.turn)).digest()
            sheets = {
                s: GAME.read_orders(state, s, bot(GAME.view(state, s), KeyedDice(key))) for s, bot in bots.items()
            }
            state = GAME.resolve(state, sheets, KeyedDice(key)).state
            turns += 1
        winner = state.result.winner if state.result and state.result.winner else "drawn"
        wins[winner] = wins.get(winner, 0) + 1
    shares = ", ".join(f"{side} {100 * won // battles}%" for side, won in sorted(wins.items()))
    return f"{shares} of {battles} battles, {turns / battles:.1f} turns each"


def rams_only(view: View, dice: Dice) -> str:
    """The short mails of the rule book: a cruise on the first turn, then full speed, ram, else come up."""
    if view.turn == 1:
        return "Fleet:\n  speed cruise\n  path F4\n"
    lines = []
    for ship in view.own():
        hurt = ship.crippled or ship.rammed or ship.fire or ship.prize or ship.fatigue
        unfit = hurt or view.partners(ship.name) or not ship.ram
        lines += [
            f"{ship.name}:",
            "  hold" if unfit else "  speed full\n  ram best if reachable\n  else approach nearest",
        ]
    return "\n".join(lines)


def say(line: str) -> None:
    sys.stdout.write(f"galleys: {line}\n")


def seconds(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


if __name__ == "__main__":
    main()

"""Orders of movement and formation: speed, path, mode, shift (FA-MOV, FA-FRM)."""

from __future__ import annotations

import re

from games.fleet_action.orders.records import ModeOrder, Order, PathOrder, ShiftOrder, SpeedOrder
from games.fleet_action.orders.words import Verb, Words
from games.fleet_action.rules.plotting import BadToken, expand

MOVING = ("turn", "reaction")


def read_speed(words: Words) -> Order:
    """FA-MOV-3: ``speed +2``, ``speed 8 pulse 2``, ``speed hold``."""
    squadron = words.desk.table.squadrons[words.line.unit]
    if words.take("hold"):
        pulse = words.pulse()
        words.end()
        return SpeedOrder(squadron.name, 0, pulse)
    text = words.word("a speed")
    found = re.fullmatch(r"([+-]?)(\d{1,3})", text)
    if not found:
        raise words.syntax(f"'{text}' is not a speed")
    figure = int(found[2])
    delta = {"+": figure, "-": -figure, "": figure - squadron.speed}[found[1]]
    pulse = words.pulse()
    words.end()
    return SpeedOrder(squadron.name, delta, pulse, None if found[1] else figure)


def read_path(words: Words) -> Order:
    """FA-MOV-2: ``path F3 P F4``."""
    if not words.rest:
        raise words.syntax("the path is missing")
    try:
        steps = expand(words.rest)
    except BadToken as error:
        raise words.syntax(f"'{error}' is no path token; tokens are F, P, S, slipP, slipS and |") from error
    return PathOrder(words.line.unit, steps)


def read_mode(words: Words) -> Order:
    mode = words.need("absolute", "relative")
    words.end()
    return ModeOrder(words.line.unit, "relative" if mode == "relative" else "absolute")


def read_shift(words: Words) -> Order:
    """FA-FRM-7: by steps, to a hex, toward or away from an enemy."""
    unit, ship = words.line.unit, words.member("FA-E-16")
    if words.take("to"):
        at = words.hex()
        pulse = words.pulse()
        words.end()
        return ShiftOrder(unit, ship, "to", hex=at, pulse=pulse)
    if way := words.take("toward", "away"):
        known = [s.name for s in words.desk.enemy_squadrons()] + [s.name for s in words.desk.enemy_ships()]
        enemy = words.name(known, "FA-E-17", "an enemy squadron or ship in play")
        pulse = words.pulse()
        words.end()
        return ShiftOrder(unit, ship, "toward" if way == "toward" else "away", enemy=enemy, pulse=pulse)
    offset = words.offset()
    pulse = words.pulse()
    words.end()
    return ShiftOrder(unit, ship, "steps", offset=offset, pulse=pulse)


VERBS = {
    "speed": Verb(("squadron",), read_speed, "speed +2, speed 8 pulse 2 or speed hold", stages=MOVING, single=True),
    "path": Verb(("squadron",), read_path, "path F3 P F4 or path F2 slipS | F3 | F2", stages=MOVING, single=True),
    "mode": Verb(("squadron",), read_mode, "mode absolute or mode relative", stages=MOVING, single=True),
    "shift": Verb(("squadron",), read_shift, "shift Artemis-2 FP1 pulse 2", stages=MOVING),
}

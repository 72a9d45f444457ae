"""Orders of movement and formation: speed, path, mode, shift (FA-MOV, FA-FRM)."""

from __future__ import annotations

import re

from games.fleet_action.orders.readers import MOVING, Verb, reads
from games.fleet_action.orders.records import ModeOrder, Order, PathOrder, ShiftOrder, SpeedOrder
from games.fleet_action.orders.words import NOT_AN_ENEMY, Words
from games.fleet_action.rules.geometry import written_offset
from games.fleet_action.rules.movement import SpeedChange
from games.fleet_action.rules.plotting import BadToken, expand
from pbem.kit import hexgrid


def read_speed(words: Words) -> Order:
    """FA-MOV-3: ``speed +2``, ``speed 8 pulse 2``, ``speed hold``."""
    unit = words.line.unit
    if words.take("hold"):
        return SpeedOrder(unit, 0, words.pulse())
    text = words.word("a speed")
    found = re.fullmatch(r"([+-]?)(\d{1,3})", text)
    if not found:
        raise words.syntax(f"'{text}' is not a speed")
    figure = int(found[2])
    delta = {"+": figure, "-": -figure, "": figure - words.desk.table.squadrons[unit].speed}[found[1]]
    return SpeedOrder(unit, delta, words.pulse(), None if found[1] else figure)


def written_speed(change: SpeedChange) -> str:
    """A change of speed as it is ordered."""
    late = f" pulse {change.pulse}" if change.pulse > 1 and change.delta else ""
    return f"speed {change.delta:+d}{late}" if change.delta else "speed hold"


def read_path(words: Words) -> Order:
    """FA-MOV-2: ``path F3 P F4``."""
    try:
        return PathOrder(words.line.unit, expand(words.remainder("the path is")))
    except BadToken as error:
        raise words.syntax(f"'{error}' is no path token; tokens are F, P, S, slipP, slipS and |") from error


def read_shift(words: Words) -> Order:
    """FA-FRM-7: by steps, to a hex, toward or away from an enemy."""
    unit, ship = words.line.unit, words.member("FA-E-16")
    if words.take("to"):
        return ShiftOrder(unit, ship, "to", hex=words.hex(), pulse=words.pulse())
    if way := words.take("toward", "away"):
        enemy = words.unit(words.desk.enemies(), NOT_AN_ENEMY, "an enemy squadron or ship in play")
        return ShiftOrder(unit, ship, "toward" if way == "toward" else "away", enemy=enemy, pulse=words.pulse())
    return ShiftOrder(unit, ship, "steps", offset=words.offset(), pulse=words.pulse())


def written_shift(order: ShiftOrder) -> str:
    """A shift as it is ordered."""
    late = f" pulse {order.pulse}" if order.pulse > 1 else ""
    if order.form == "to" and order.hex is not None:
        return f"shift {order.ship} to {hexgrid.name(order.hex)}{late}"
    if order.form == "steps" and order.offset is not None:
        return f"shift {order.ship} {written_offset(order.offset)}{late}"
    return f"shift {order.ship} {order.form} {order.enemy}{late}"


_SQUADRON = ("squadron",)
_MODE = reads(ModeOrder, lambda words: words.need("absolute", "relative"))
VERBS = {
    "speed": Verb(_SQUADRON, read_speed, "speed +2, speed 8 pulse 2 or speed hold", stages=MOVING, single=True),
    "path": Verb(_SQUADRON, read_path, "path F3 P F4 or path F2 slipS | F3 | F2", stages=MOVING, single=True),
    "mode": Verb(_SQUADRON, _MODE, "mode absolute or mode relative", stages=MOVING, single=True),
    "shift": Verb(_SQUADRON, read_shift, "shift Artemis-2 FP1 pulse 2", stages=MOVING),
}

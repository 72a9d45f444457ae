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
from pbem.kit.sheet import nearest


def read_speed(words: Words) -> Order:
    """FA-MOV-3: ``speed +2``, ``speed 8 pulse 2``, ``speed hold``."""
    unit = words.line.unit
    if words.take("hold"):
        return SpeedOrder(unit, 0, words.pulse())
    rest = words.rest
    text = words.word("a speed")
    found = re.fullmatch(r"([+-]?)(\d{1,3})", text)
    if not found:
        words.propose_nearest(["hold"])
        figures = re.search(r"([+-]?) ?(\d{1,3})", rest)
        meant = figures[1] + figures[2] if figures else ""
        words.propose(rest, text, meant)
        words.propose(rest, rest, meant)
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
    text = words.remainder("the path is")
    try:
        return PathOrder(words.line.unit, expand(text))
    except BadToken as error:
        words.propose(text, text, _path_meant(text))
        raise words.syntax(f"'{error}' is no path token; tokens are F, P, S, slipP, slipS and |") from error


def _path_meant(text: str) -> str:
    """The path with tokens that are nearly right put right, and without those that are nothing."""
    found = re.findall(r"\||slip[a-z]*|[fps]\s*\d*", text, re.IGNORECASE)
    tokens = [_token(part) for part in found]
    return " ".join(filter(None, tokens))


def _token(text: str) -> str:
    letter, figures = text[:1].upper(), re.findall(r"\d+", text)
    if text.casefold().startswith("slip"):
        return nearest(text, ("slipP", "slipS"))
    return letter + figures[0][:2] if letter == "F" and figures else letter


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

"""Order text to orders and problems (rule book, section 6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from pbem.kit.game import Side
from pbem.kit.hexgrid import Hex, distance, name, parse
from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Dialect, Line, Sheet, match_name, nearest, read_sheet, read_verb

from skirmish.data import CLASSES
from skirmish.state import Ship, State

NEAREST = "nearest"
STAYS, AT_NEAREST = "the ship stays where it is", "the ship fires at the nearest enemy"


@dataclass(frozen=True)
class Move:
    unit: str
    to: Hex


@dataclass(frozen=True)
class Fire:
    unit: str
    target: str
    """A ship's name, or ``nearest``."""


Order = Move | Fire


def read_orders(state: State, side: Side, text: str) -> Sheet[Order]:
    """Parse and validate a side's orders; never raises."""
    own = {ship.name: ship for ship in state.afloat(side)}
    squadrons = {squadron.id: squadron.name for squadron in state.squadrons}
    dialect = Dialect(
        units=tuple(own),
        bad_syntax="SK-E-1",
        unknown_unit="SK-E-2",
        wrong_turn="SK-E-3",
        turn=state.turn,
        strangers={ship.name: squadrons[ship.squadron] for ship in state.enemies(side)},
    )
    verbs = {"move": partial(_move, state, own), "fire": partial(_fire, state, side)}
    sheet: Sheet[Order] = read_sheet(text, dialect, lambda line: [read_verb(line, verbs, "SK-E-1")])
    judge: Judge[Order] = Judge()
    judge.take(sheet)
    return check(judge, sheet, tuple(own))


def check(judge: Judge[Order], sheet: Sheet[Order], own: tuple[str, ...]) -> Sheet[Order]:
    """SK-E-8: of two orders of a kind the later counts. A ship without orders stays, and fires at will."""
    for ship in own:
        for kind in (Move, Fire):
            for earlier in judge.given(kind, ship)[:-1]:
                judge.refuse(earlier, "SK-E-8", f"a later line orders {ship} anew", instead="the later line counts")
    silent = [ship for ship in own if not judge.given(Move, ship) and not judge.given(Fire, ship)]
    defaults = tuple(f"{ship} stays where it is and fires at the nearest enemy in range." for ship in silent)
    return replace(judge.settle(sheet), defaults=defaults)


def _move(state: State, own: dict[str, Ship], line: Line, words: str) -> Order:
    ship, to = own.get(line.unit), parse(words)
    if ship is None:
        raise BadOrder("SK-E-2", f"'{line.text}' stands under no ship", f"{next(iter(own), 'Ship')}: {line.text}")
    if to is None:
        raise BadOrder("SK-E-4", f"'{words}' is no hex", f"move {name(ship.at)}", STAYS)
    if not state.on_map(to):
        size = f"{state.columns} columns and {state.rows} rows"
        raise BadOrder("SK-E-5", f"{name(to)} is off the map", f"the map has {size}", STAYS)
    far, speed = distance(ship.at, to), CLASSES[ship.kind].speed
    if far > speed:
        reason = f"{name(to)} is {far} hexes away, a {ship.kind} moves at most {speed}"
        raise BadOrder("SK-E-6", reason, f"a hex within {speed} of {name(ship.at)}", STAYS)
    return Move(ship.name, to)


def _fire(state: State, side: Side, line: Line, words: str) -> Order:
    targets = [ship.name for ship in state.enemies(side)]
    target = match_name(words.removeprefix("at "), (NEAREST, *targets))
    if target is None:
        close = nearest(words, targets)
        hint = f"fire {close}" if close else f"fire {NEAREST}, or one of {', '.join(targets)}"
        raise BadOrder("SK-E-7", f"'{words}' is no enemy ship afloat", hint, AT_NEAREST)
    if line.unit not in {ship.name for ship in state.afloat(side)}:
        raise BadOrder("SK-E-2", f"'{line.text}' stands under no ship", "write a ship's name and a colon before it")
    return Fire(line.unit, target)

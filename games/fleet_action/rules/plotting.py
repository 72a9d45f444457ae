"""FA-MOV-1, 2: the speed chart, path tokens, and the hexes a path flies through."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from games.fleet_action.rules import geometry
from pbem.kit.hexgrid import Hex

Token = str
"""One of F, P, S, slipP, slipS and the bar, already expanded to single steps."""

Class = Literal["maintain", "turn", "hard_turn", "course_correct", "come_about"]
"""FA-MOV-9: the manoeuvres."""

HEXES = ("F", "slipP", "slipS")
TURNS = ("P", "S")
SLIPS = ("slipP", "slipS")
BAR = "|"


def chart(speed: int) -> tuple[int, int, int]:
    """FA-MOV-1: hexes in the three pulses."""
    k, m = divmod(speed, 3)
    return ((k, k, k), (k, k + 1, k), (k + 1, k, k + 1))[m]


def chart_hexes(speeds: Sequence[int]) -> tuple[int, int, int]:
    """FA-MOV-6: hexes in each pulse at the speed of that pulse."""
    return chart(speeds[0])[0], chart(speeds[1])[1], chart(speeds[2])[2]


@dataclass(frozen=True)
class Plot:
    """A path that was checked: the steps of the three pulses, and the speeds."""

    segments: tuple[tuple[Token, ...], tuple[Token, ...], tuple[Token, ...]]
    speeds: tuple[int, int, int]
    manoeuvre: Class = "maintain"
    delta: int = 0

    @property
    def steps(self) -> tuple[Token, ...]:
        return tuple(step for segment in self.segments for step in segment)

    @property
    def hexes(self) -> tuple[int, int, int]:
        return chart_hexes(self.speeds)


# --- tokens ----------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"slip[ps]|sl[ps]|[fps]\d*|\|", re.IGNORECASE)
_SLIPS = {"slipp": "slipP", "slp": "slipP", "slips": "slipS", "sls": "slipS"}
MOST_STEPS = 200


class BadToken(ValueError):
    """A path holds something that is no token."""


def expand(text: str) -> tuple[Token, ...]:
    """FA-MOV-2: the path as single steps; tokens are read by longest match."""
    steps: list[Token] = []
    for word in re.split(r"[\s,]+", text.strip()):
        at = 0
        while at < len(word):
            found = _TOKEN.match(word, at)
            if not found:
                raise BadToken(word[at:])
            steps.extend(_steps(found[0]))
            at = found.end()
    if len(steps) > MOST_STEPS:
        raise BadToken(f"more than {MOST_STEPS} steps")
    return tuple(steps)


def _steps(token: str) -> list[Token]:
    folded = token.lower()
    if folded in _SLIPS:
        return [_SLIPS[folded]]
    if folded == BAR:
        return [BAR]
    number = folded[1:]
    if number and (int(number) == 0 or int(number) > MOST_STEPS):
        raise BadToken(token)
    return [folded[0].upper()] * int(number or 1)


def written(steps: Sequence[Token]) -> str:
    """Single steps as a player writes them: ``F3 P F4``."""
    parts: list[tuple[Token, int]] = []
    for step in steps:
        if parts and parts[-1][0] == step and step not in SLIPS and step != BAR:
            parts[-1] = (step, parts[-1][1] + 1)
        else:
            parts.append((step, 1))
    return " ".join(step if count == 1 else f"{step}{count}" for step, count in parts)


def fly(at: Hex, heading: int, steps: Sequence[Token]) -> tuple[list[Hex], int]:
    """The hexes entered, in order, and the heading at the end."""
    way: list[Hex] = []
    for step in steps:
        if step in TURNS:
            heading = geometry.starboard(heading, 1 if step == "S" else -1)
            continue
        lean = {"F": 0, "slipP": -1, "slipS": 1}[step]
        at = geometry.ahead(at, geometry.starboard(heading, lean))
        way.append(at)
    return way, heading


# --- shapes ----------------------------------------------------------------------------------------------------------

TURNINGS: Mapping[Class, tuple[str, ...]] = {
    "maintain": ("",),
    "turn": ("P", "S"),
    "hard_turn": ("PP", "SS"),
    "course_correct": ("PS", "SP"),
    "come_about": ("PPP", "SSS"),
}
"""FA-MOV-9: the turns of each manoeuvre, those of fewer turns first."""


def shapes(hexes: int, manoeuvre: Class) -> Iterator[tuple[Token, ...]]:
    """FA-MOV-9: all paths of a manoeuvre without bars, those that turn or slip latest first."""
    ahead = ("F",) * hexes
    for turns in TURNINGS[manoeuvre]:
        yield from _with_turns(ahead, turns, hexes)
    if manoeuvre == "maintain":
        for slip in SLIPS:
            for at in reversed(range(hexes)):
                yield (*ahead[:at], slip, *ahead[at + 1 :])


def _with_turns(path: tuple[Token, ...], turns: str, before: int) -> Iterator[tuple[Token, ...]]:
    """The turns set into the path from the last to the first; opposite ones have a hex between them."""
    if not turns:
        yield path
        return
    rest, last = turns[:-1], turns[-1]
    apart = 1 if rest and rest[-1] != last else 0
    for at in range(before, apart - 1, -1):
        yield from _with_turns((*path[:at], last, *path[at:]), rest, at - apart)


@cache
def ends(hexes: int, manoeuvre: Class) -> Mapping[tuple[Hex, int], tuple[Token, ...]]:
    """Every offset and heading in which such paths end, flown from heading 1, each by the path that turns latest."""
    found: dict[tuple[Hex, int], tuple[Token, ...]] = {}
    for steps in shapes(hexes, manoeuvre):
        way, heading = fly(geometry.HERE, 1, steps)
        found.setdefault((way[-1] if way else geometry.HERE, heading), steps)
    return found

"""Flat-topped hexes in axial coordinates; directions 0-5 clockwise from north.

``q`` grows to the east, ``r`` to the south. A game may print directions as 1-6 and hexes as its book does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple


class Hex(NamedTuple):
    """A place on the grid, or an offset between two places."""

    q: int
    r: int

    @property
    def s(self) -> int:
        """The third cube coordinate."""
        return -self.q - self.r

    def plus(self, other: Hex) -> Hex:
        return Hex(self.q + other.q, self.r + other.r)

    def minus(self, other: Hex) -> Hex:
        return Hex(self.q - other.q, self.r - other.r)

    def times(self, factor: int) -> Hex:
        return Hex(self.q * factor, self.r * factor)


DIRECTIONS = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
"""The six steps: N, NE, SE, S, SW, NW."""

DIRECTION_NAMES = ("N", "NE", "SE", "S", "SW", "NW")


def turned(direction: int, hexsides: int) -> int:
    """The direction after turning so many hexsides clockwise; negative is to port."""
    return (direction + hexsides) % 6


def neighbour(at: Hex, direction: int, steps: int = 1) -> Hex:
    """The hex so many steps away in one direction."""
    return at.plus(DIRECTIONS[direction % 6].times(steps))


def distance(a: Hex, b: Hex) -> int:
    """Hexes between two places; a hex to itself is 0."""
    q, r = a.q - b.q, a.r - b.r
    return (abs(q) + abs(r) + abs(q + r)) // 2


def rotated(offset: Hex, hexsides: int) -> Hex:
    """The offset turned clockwise about the origin."""
    q, r = offset
    for _ in range(hexsides % 6):
        q, r = -r, q + r
    return Hex(q, r)


def sectors(observer: Hex, heading: int, target: Hex) -> tuple[int, ...]:
    """The 60-degree sectors, counted clockwise from the heading, that the target lies in.

    One, or two on a boundary; none when both are in the same hex.
    """
    if observer == target:
        return ()
    v = target.minus(observer)
    scores = []
    for k in range(6):
        u = DIRECTIONS[turned(heading, k)]
        scores.append(v.q * u.q + v.r * u.r + v.s * u.s)
    best = max(scores)
    return tuple(k for k in range(6) if scores[k] == best)


def ring(centre: Hex, radius: int) -> Iterator[Hex]:
    """The hexes at exactly this distance, clockwise from north."""
    if radius == 0:
        yield centre
        return
    at = neighbour(centre, 0, radius)
    for direction in (2, 3, 4, 5, 0, 1):
        for _ in range(radius):
            yield at
            at = neighbour(at, direction)


def disk(centre: Hex, radius: int) -> Iterator[Hex]:
    """The hexes within this distance, nearest first."""
    for step in range(radius + 1):
        yield from ring(centre, step)


def line(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """The hexes a straight line passes, both ends included; on a hexside it leans clockwise of the way.

    Exact arithmetic, so every machine draws the same line.
    """
    steps = distance(a, b)
    if steps == 0:
        return (a,)
    lean = _lean(a, b)
    return tuple(_rounded(a, b, Fraction(step, steps), lean) for step in range(steps + 1))


_NUDGE = Fraction(1, 1_000_000)


def _lean(a: Hex, b: Hex) -> tuple[Fraction, Fraction]:
    """A tiny offset to the right of the way from a to b, which decides lines along a hexside."""
    direction = sectors(a, 0, b)[0]
    side = DIRECTIONS[turned(direction, 2)].plus(DIRECTIONS[turned(direction, 1)])
    return side.q * _NUDGE, side.r * _NUDGE


def _rounded(a: Hex, b: Hex, part: Fraction, lean: tuple[Fraction, Fraction]) -> Hex:
    q = a.q + (b.q - a.q) * part + lean[0]
    r = a.r + (b.r - a.r) * part + lean[1]
    s = -q - r
    nq, nr, ns = round(q), round(r), round(s)
    dq, dr, ds = abs(nq - q), abs(nr - r), abs(ns - s)
    if dq > dr and dq > ds:
        nq = -nr - ns
    elif dr > ds:
        nr = -nq - ns
    return Hex(nq, nr)


# --- names -----------------------------------------------------------------------------------------------------------

_NAME = re.compile(r"(\d{2})(\d{2})|(\d{3})(\d{3})")
_AXIAL = re.compile(r"\(?\s*(-?\d{1,4})\s*,\s*(-?\d{1,4})\s*\)?")


def column_row(at: Hex) -> tuple[int, int]:
    """Column and row, both counted from 1, odd columns standing half a hex higher."""
    return at.q + 1, at.r + at.q // 2 + 1


def from_column_row(column: int, row: int) -> Hex:
    q = column - 1
    return Hex(q, row - 1 - q // 2)


def name(at: Hex) -> str:
    """``CCRR``, or ``CCCRRR`` where two digits do not suffice; off such a map, the axial pair."""
    column, row = column_row(at)
    if 0 < column < 100 and 0 < row < 100:
        return f"{column:02}{row:02}"
    if 0 < column < 1000 and 0 < row < 1000:
        return f"{column:03}{row:03}"
    return f"({at.q},{at.r})"


def parse(text: str) -> Hex | None:
    """A hex by name (``1020``) or by axial pair (``(9,15)``); None if it is neither."""
    text = text.strip()
    found = _NAME.fullmatch(text)
    if found:
        column, row = (int(part) for part in found.groups() if part is not None)
        return from_column_row(column, row)
    found = _AXIAL.fullmatch(text)
    return Hex(int(found[1]), int(found[2])) if found else None

"""The inch table: points in hundredths of an inch, bearings in whole degrees, and nothing but integers.

x grows east and y grows south; bearing 0 is north and bearings grow clockwise. Sines are integers in millionths,
so every machine reckons the same course, the same arc and the same line of sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import Generic, NamedTuple, TypeVar

INCH = 100
"""Hundredths to the inch."""
MILLION = 1_000_000
"""The unit of the sine table."""
SECTOR = 12 * INCH
"""The side of a square sector."""

ItemT = TypeVar("ItemT")


class Spot(NamedTuple):
    """A place on the table, in hundredths of an inch."""

    x: int
    y: int


# --- numbers ---------------------------------------------------------------------------------------------------------


def rounded(numerator: int, denominator: int) -> int:
    """The nearest whole number, halves away from zero; the denominator is positive."""
    whole = (2 * abs(numerator) + denominator) // (2 * denominator)
    return whole if numerator >= 0 else -whole


def _sine_table() -> tuple[int, ...]:
    """Millionths of the sine of 0 to 449 degrees, from the power series in 40 decimal places of whole numbers."""
    one = 10**40
    pi = 31415926535897932384626433832795028841972
    quarter = []
    for degrees in range(91):
        angle = pi * degrees // 180
        term, total, sign, power = angle, angle, -1, 1
        while term:
            term = term * angle // one * angle // one // ((power + 1) * (power + 2))
            total += sign * term
            sign, power = -sign, power + 2
        quarter.append(rounded(total * MILLION, one))
    half = quarter + quarter[-2::-1]
    return tuple((half[d] if d <= 180 else -half[d - 180]) for d in (degree % 360 for degree in range(450)))


_SINE = _sine_table()


def sine(bearing: int) -> int:
    """Millionths of the sine of a whole bearing."""
    return _SINE[bearing % 360]


def cosine(bearing: int) -> int:
    """Millionths of the cosine of a whole bearing."""
    return _SINE[bearing % 360 + 90]


# --- bearings and arcs -----------------------------------------------------------------------------------------------


def displacement(distance: int, bearing: int) -> tuple[int, int]:
    """How far east and south a distance on a bearing leads."""
    b = bearing % 360
    return rounded(distance * _SINE[b], MILLION), rounded(-distance * _SINE[b + 90], MILLION)


def offset(starboard: int, forward: int, facing: int) -> tuple[int, int]:
    """The displacement of a place given in inches to starboard and ahead of a ship with this facing."""
    right = (facing + 90) % 360
    ahead = facing % 360
    return (
        rounded(starboard * _SINE[right] + forward * _SINE[ahead], MILLION),
        rounded(-starboard * _SINE[right + 90] - forward * _SINE[ahead + 90], MILLION),
    )


def _reach(bearing: int, dx: int, dy: int) -> int:
    b = bearing % 360
    return _SINE[b] * dx - _SINE[b + 90] * dy


def bearing_of(dx: int, dy: int) -> int:
    """The whole bearing that leads farthest along the vector; of equals the lower."""
    if dx == 0 and dy == 0:
        return 0
    base, ahead, aside = _quarter(dx, dy)
    low, high = 0, 90
    while low < high:
        middle = (low + high + 1) // 2
        # The bearing `middle` is not past the vector while its cross product with it is not negative.
        if aside * _SINE[middle + 90] - ahead * _SINE[middle] >= 0:
            low = middle
        else:
            high = middle - 1
    near = sorted({(base + low + step) % 360 for step in (-1, 0, 1, 2)})
    return max(near, key=lambda b: (_reach(b, dx, dy), -b))


def _quarter(dx: int, dy: int) -> tuple[int, int, int]:
    """The quarter the vector lies in: its first bearing, and the vector's parts along and clockwise of it."""
    if dx >= 0 and dy < 0:
        return 0, -dy, dx
    if dx > 0 and dy >= 0:
        return 90, dx, dy
    if dx <= 0 and dy > 0:
        return 180, dy, -dx
    return 270, -dx, -dy


def difference(one: int, other: int) -> int:
    """The angle between two bearings, 0 to 180."""
    gap = (one - other) % 360
    return gap if gap <= 180 else 360 - gap


def turn_to(start: int, wanted: int) -> int:
    """Degrees from one bearing to another the shorter way, starboard positive; straight astern is to starboard."""
    gap = (wanted - start) % 360
    return gap if gap <= 180 else gap - 360


def in_arc(facing: int, dx: int, dy: int, arc: int) -> bool:
    """Whether the vector lies in the arc of 90, 180, 270 or 360 degrees about the facing; edges are inside."""
    if arc >= 360:
        return True
    f = facing % 360
    ahead = _SINE[f] * dx - _SINE[f + 90] * dy
    if arc == 180:
        return ahead >= 0
    aside = abs(_SINE[f] * dy + _SINE[f + 90] * dx)
    return ahead >= aside if arc == 90 else ahead + aside >= 0


def along_and_aside(facing: int, dx: int, dy: int) -> tuple[int, int]:
    """The vector's parts along the facing and to starboard of it, in millionths."""
    f = facing % 360
    return _SINE[f] * dx - _SINE[f + 90] * dy, _SINE[f] * dy + _SINE[f + 90] * dx


# --- distances -------------------------------------------------------------------------------------------------------


def squared(a: tuple[int, int], b: tuple[int, int]) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def within(a: tuple[int, int], b: tuple[int, int], reach: int) -> bool:
    """Whether two places are at most so far apart."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= reach * reach


def whole_distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """The true distance in whole hundredths, rounded down."""
    return isqrt(squared(a, b))


def ceiling_root(square: int) -> int:
    """The least whole number whose square is not less."""
    root = isqrt(square)
    return root if root * root == square else root + 1


def fine_distance(square: int, radius: int = 0) -> int:
    """A distance from its square, less a radius, in millionths of a hundredth: fine enough to rank places by."""
    return isqrt(square * MILLION * MILLION) - radius * MILLION


def path_share(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> tuple[int, int]:
    """The part of the way from a to b at which p is closest, as numerator and denominator between 0 and 1."""
    vx, vy = b[0] - a[0], b[1] - a[1]
    t = (p[0] - a[0]) * vx + (p[1] - a[1]) * vy
    length = vx * vx + vy * vy
    if t <= 0 or length == 0:
        return 0, 1
    return (1, 1) if t >= length else (t, length)


def approach(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> Fraction:
    """The same as an exact fraction."""
    return Fraction(*path_share(a, b, p))


def least_squared(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> Fraction:
    """The squared least distance of the way from a to b to the point p, exactly."""
    share, whole = path_share(a, b, p)
    if share == 0:
        return Fraction(squared(a, p))
    if share == whole:
        return Fraction(squared(b, p))
    cross = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return Fraction(cross * cross, whole)


def passes_within(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int], reach: int) -> bool:
    """Whether the way from a to b comes at least so close to p."""
    return _closeness(a, b, p, reach) <= 0


def passes_nearer(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int], reach: int) -> bool:
    """Whether the way from a to b comes strictly closer to p."""
    return _closeness(a, b, p, reach) < 0


def _closeness(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int], reach: int) -> int:
    """Negative: closer than the reach; 0: just so close; positive: farther."""
    vx, vy = b[0] - a[0], b[1] - a[1]
    px, py = p[0] - a[0], p[1] - a[1]
    t = px * vx + py * vy
    if t <= 0:
        return px * px + py * py - reach * reach
    length = vx * vx + vy * vy
    if t >= length:
        return (p[0] - b[0]) ** 2 + (p[1] - b[1]) ** 2 - reach * reach
    cross = vx * py - vy * px
    return cross * cross - reach * reach * length


def crosses_within(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int], reach: int) -> bool:
    """Whether the closest approach to p lies strictly between a and b and is at least so close."""
    vx, vy = b[0] - a[0], b[1] - a[1]
    px, py = p[0] - a[0], p[1] - a[1]
    t = px * vx + py * vy
    if t <= 0:
        return False
    length = vx * vx + vy * vy
    if t >= length:
        return False
    cross = vx * py - vy * px
    return cross * cross <= reach * reach * length


def along(a: tuple[int, int], b: tuple[int, int], share: int, whole: int) -> Spot:
    """The place at this part of the way from a to b."""
    return Spot(a[0] + rounded((b[0] - a[0]) * share, whole), a[1] + rounded((b[1] - a[1]) * share, whole))


def toward(a: tuple[int, int], b: tuple[int, int], reach: int) -> Spot:
    """The place at most this far on the way from a to b."""
    whole = ceiling_root(squared(a, b))
    return Spot(*b) if whole <= reach else along(a, b, reach, whole)


# --- groups ----------------------------------------------------------------------------------------------------------


def is_coherent(spots: Sequence[tuple[int, int]], span: int, link: int) -> bool:
    """Whether all places are within the span of each other, or joined by links."""
    return all_within(spots, span) or is_linked(spots, link)


def all_within(spots: Sequence[tuple[int, int]], span: int) -> bool:
    return all(within(a, b, span) for n, a in enumerate(spots) for b in spots[n + 1 :])


def is_linked(spots: Sequence[tuple[int, int]], link: int) -> bool:
    """Whether links of at most this length join all places into one group."""
    if not spots:
        return True
    reached, waiting = [spots[0]], list(spots[1:])
    for here in reached:
        near = [spot for spot in waiting if within(here, spot, link)]
        reached.extend(near)
        waiting = [spot for spot in waiting if not within(here, spot, link)]
    return not waiting


class Buckets(Generic[ItemT]):
    """What stands where, by square cells: a question about a neighbourhood looks only at its own cells."""

    def __init__(self, cell: int) -> None:
        self._cell = cell
        self._cells: dict[tuple[int, int], dict[ItemT, tuple[int, int]]] = {}
        self._homes: dict[ItemT, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._homes)

    def put(self, item: ItemT, x: int, y: int) -> None:
        """Place an item, or move it."""
        home = (x // self._cell, y // self._cell)
        old = self._homes.get(item)
        if old is not None and old != home:
            del self._cells[old][item]
        self._homes[item] = home
        self._cells.setdefault(home, {})[item] = (x, y)

    def drop(self, item: ItemT) -> None:
        """Take an item away; one that is not there is no matter."""
        home = self._homes.pop(item, None)
        if home is not None:
            del self._cells[home][item]

    def in_box(self, left: int, top: int, right: int, bottom: int) -> Iterator[ItemT]:
        """All items of the cells that the box touches, in order of cells, then of placing."""
        cell = self._cell
        wide, high = right // cell - left // cell + 1, bottom // cell - top // cell + 1
        if wide * high > 2 * len(self._cells):
            yield from self._in_used_cells(left, top, right, bottom)
            return
        for column in range(left // cell, right // cell + 1):
            for row in range(top // cell, bottom // cell + 1):
                items = self._cells.get((column, row))
                if items:
                    for item, (x, y) in items.items():
                        if left <= x <= right and top <= y <= bottom:
                            yield item

    def _in_used_cells(self, left: int, top: int, right: int, bottom: int) -> Iterator[ItemT]:
        cell = self._cell
        for home in sorted(self._cells):
            if left // cell <= home[0] <= right // cell and top // cell <= home[1] <= bottom // cell:
                for item, (x, y) in self._cells[home].items():
                    if left <= x <= right and top <= y <= bottom:
                        yield item

    def near(self, spots: Iterable[tuple[int, int]], reach: int) -> Iterator[ItemT]:
        """All items in the box that reaches so far beyond the given places."""
        xs, ys = zip(*spots, strict=True)
        return self.in_box(min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)


# --- sectors ---------------------------------------------------------------------------------------------------------


def row_letters(row: int) -> str:
    """Row 1 is A, row 27 is AA."""
    letters = ""
    while row:
        row, rest = divmod(row - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def row_number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


class Sector(NamedTuple):
    """A square of the table, columns and rows counted from 1 in the north-west."""

    column: int
    row: int

    @property
    def name(self) -> str:
        return f"{self.column}{row_letters(self.row)}"

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """West, north, east and south edge."""
        left, top = (self.column - 1) * SECTOR, (self.row - 1) * SECTOR
        return left, top, left + SECTOR, top + SECTOR

    @property
    def centre(self) -> Spot:
        left, top, _, _ = self.bounds
        return Spot(left + SECTOR // 2, top + SECTOR // 2)

    def holds(self, spot: tuple[int, int]) -> bool:
        """Whether the place is in the sector; its boundary belongs to it."""
        left, top, right, bottom = self.bounds
        return left <= spot[0] <= right and top <= spot[1] <= bottom


def sectors_at(spot: tuple[int, int]) -> tuple[Sector, ...]:
    """Every sector the place touches: more than one on a shared boundary."""
    columns = _touched(spot[0])
    return tuple(Sector(column, row) for row in _touched(spot[1]) for column in columns)


def _touched(along_edge: int) -> list[int]:
    number = along_edge // SECTOR + 1
    return [number - 1, number] if along_edge % SECTOR == 0 and number > 1 else [number]

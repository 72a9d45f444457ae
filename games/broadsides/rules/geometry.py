"""Chapter 4.4: relative positions, arcs, sides and lines of fire."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from games.broadsides.data import BASE_SIDES, TABLES, ShipClass
from games.broadsides.state import Ship, Unit
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance, rotated

DEGREES = 60
# BR-LOC-4: sector to side of a four-sided ship.
SIDE_OF_SECTOR = {5: "fore", 0: "fore", 1: "starboard", 2: "aft", 3: "aft", 4: "port"}
PREFERENCE = ("fore", "starboard", "aft", "port", *BASE_SIDES)


def relative(origin: Hex, facing: int, other: Hex, *, rolled: bool) -> Hex:
    """BR-LOC-1: the other as seen with the bow at direction 0; a rolled ship sees it mirrored."""
    return seen(Hex(other.q - origin.q, other.r - origin.r), facing, rolled=rolled)


@lru_cache(maxsize=65536)
def seen(offset: Hex, facing: int, *, rolled: bool) -> Hex:
    q, r = rotated(offset, -facing)
    return Hex(-q, r + q) if rolled else Hex(q, r)


@lru_cache(maxsize=65536)
def sectors_of(offset: Hex) -> tuple[int, ...]:
    """BR-LOC-1: the closed wedges between rows j and j+1 that hold the offset; none for (0,0)."""
    if offset == (0, 0):
        return ()
    return tuple(j for j in range(6) if min(_in_wedge(offset, j)) >= 0)


def _in_wedge(offset: Hex, j: int) -> tuple[int, int]:
    """The a and b with offset = a dir(j) + b dir(j+1); the two rows always have determinant 1."""
    row, next_row = DIRECTIONS[j], DIRECTIONS[(j + 1) % 6]
    det = row.q * next_row.r - row.r * next_row.q
    a = (offset.q * next_row.r - offset.r * next_row.q) // det
    b = (row.q * offset.r - row.r * offset.q) // det
    return a, b


@lru_cache(maxsize=256)
def arc_sectors(arc: tuple[int, int]) -> frozenset[int]:
    """BR-LOC-2: an arc x-y holds the sectors from x/60 to y/60-1."""
    first, last = arc[0] // DEGREES, arc[1] // DEGREES
    if (arc[1] - arc[0]) % 360 == 0:
        return frozenset(range(6))
    return frozenset((first + step) % 6 for step in range((last - first) % 6))


def bears(ship: Ship, arc: tuple[int, int], target: Hex) -> bool:
    """BR-LOC-2, BR-LOC-3: the hex lies in the arc; at range 0 all arcs bear."""
    if ship.position == target:
        return True
    where = relative(ship.position, ship.facing, target, rolled=ship.rolled)
    return not arc_sectors(arc).isdisjoint(sectors_of(where))


# --- sides -----------------------------------------------------------------------------------------------------------


def facing_side(sheet: ShipClass, target: Ship, source: Hex) -> str:
    """BR-LOC-4: the side toward a hex that is not the target's own."""
    return side_toward(sheet, target, Hex(source.q - target.position.q, source.r - target.position.r))


def side_toward(sheet: ShipClass, target: Ship, offset: Hex) -> str:
    """BR-LOC-4: the side toward an offset; ties go to more structure, then fore, starboard, aft, port."""
    if not sheet.sides:
        return "main"
    where = seen(offset, target.facing, rolled=target.rolled)
    if sheet.size == "Base":
        sides = _base_sides(where)
    elif len(sheet.sides) == 2:
        along = 2 * where.r + where.q
        sides = ["fore", "aft"] if along == 0 else (["fore"] if along < 0 else ["aft"])
    else:
        sides = list(dict.fromkeys(SIDE_OF_SECTOR[j] for j in sectors_of(where)))
    return min(sides, key=lambda side: (-target.structure[side], PREFERENCE.index(side)))


def _base_sides(where: Hex) -> list[str]:
    scores = [2 * (where.q * way.q + where.r * way.r) + where.q * way.r + way.q * where.r for way in DIRECTIONS]
    best = max(scores)
    return [BASE_SIDES[j] for j in range(6) if scores[j] == best]


def direction_at_range_0(firer: Unit, target: Unit) -> int | None:
    """BR-LOC-3: where a firer in the same hex lies; None: both stand still, and a die decides."""
    if firer.speed > 0:
        return (firer.heading + 3) % 6
    return target.heading if target.speed > 0 else None


def next_side(sheet: ShipClass, side: str, die: int) -> str:
    """BR-LOC-5: the side struck by the d10, counted from the facing side."""
    sides = sheet.sides
    chart = "base" if sheet.size == "Base" else ("two" if len(sides) == 2 else "four")
    facing, clockwise, counter, _ = TABLES.side_hit[chart]
    at = sides.index(side)
    if die <= facing:
        return side
    if len(sides) == 2:
        return sides[1 - at]
    if die <= clockwise:
        return sides[(at + 1) % len(sides)]
    if die <= counter:
        return sides[(at - 1) % len(sides)]
    return opposite(sheet, side)


def opposite(sheet: ShipClass, side: str) -> str:
    sides = sheet.sides
    return sides[(sides.index(side) + len(sides) // 2) % len(sides)]


# --- lines -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16384)
def line_hexes(a: Hex, b: Hex) -> tuple[tuple[Hex, Hex], ...]:
    """BR-AST-6: the inner points of the line, rounded with the nudge and with the opposite nudge."""
    steps = distance(a, b)
    return tuple((_rounded(a, b, i, steps, 1), _rounded(a, b, i, steps, -1)) for i in range(1, steps))


def _rounded(a: Hex, b: Hex, i: int, steps: int, sign: int) -> Hex:
    # Whole numbers in units of 1 / (steps * 10^6): exact, and far faster than fractions.
    unit = steps * 1_000_000
    q = (a.q * steps + (b.q - a.q) * i) * 1_000_000 + sign * steps
    r = (a.r * steps + (b.r - a.r) * i) * 1_000_000 + sign * 2 * steps
    s = -q - r
    nq, nr, ns = _near(q, unit), _near(r, unit), _near(s, unit)
    dq, dr, ds = abs(nq * unit - q), abs(nr * unit - r), abs(ns * unit - s)
    if dq > dr and dq > ds:
        return Hex(-nr - ns, nr)
    if dr > ds:
        return Hex(nq, -nq - ns)
    return Hex(nq, nr)


def _near(value: int, unit: int) -> int:
    return (2 * value + unit) // (2 * unit)


def density_on_line(fields: Mapping[Hex, int], a: Hex, b: Hex) -> int:
    """BR-AST-7: the density of every field hex on the line, the target's included, the firer's not."""
    if not fields or a == b:
        return 0
    inner = sum(min(fields.get(near, 0), fields.get(far, 0)) for near, far in line_hexes(a, b))
    return inner + fields.get(b, 0)


def blocked(large: frozenset[Hex], a: Hex, b: Hex) -> bool:
    """BR-AST-5: a large asteroid on the line blocks if firer or target is next to it."""
    if not large or a == b:
        return False
    for near, far in line_hexes(a, b):
        if near in large and far in large and any(distance(end, rock) == 1 for end in (a, b) for rock in {near, far}):
            return True
    return False

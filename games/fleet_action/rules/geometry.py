"""FA-MAP: headings 1-6, arcs, offsets and the edge of the map."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.fleet_action.data import ARCS, ShipClass
from pbem.kit import hexgrid
from pbem.kit.hexgrid import Hex

HERE = Hex(0, 0)
HEADINGS = (1, 2, 3, 4, 5, 6)
_TERM = re.compile(r"(FS|FP|AS|AP|F|A)(\d{1,2})", re.IGNORECASE)


def starboard(heading: int, hexsides: int = 1) -> int:
    """FA-MAP-4: the heading after turning clockwise; negative hexsides turn to port."""
    return (heading - 1 + hexsides) % 6 + 1


def ahead(at: Hex, heading: int, steps: int = 1) -> Hex:
    """FA-MAP-2: so many hexes in a direction."""
    return hexgrid.neighbour(at, heading - 1, steps)


def to_map(offset: Hex, heading: int) -> Hex:
    """FA-FRM-1: an offset of the commander frame as it lies on the map."""
    return hexgrid.rotated(offset, heading - 1)


def to_frame(offset: Hex, heading: int) -> Hex:
    """FA-FRM-1: an offset on the map as the commander frame has it."""
    return hexgrid.rotated(offset, 1 - heading)


def arcs(at: Hex, heading: int, target: Hex) -> tuple[int, ...]:
    """FA-MAP-9: the arcs a point lies in, 0 = F clockwise to 5 = FP; two on a boundary, none in the own hex."""
    return hexgrid.sectors(at, heading - 1, target)


# FA-MAP-10: of two arcs of equal armour the one nearer the bow is struck.
_BOW_FIRST = (0, 1, 5, 2, 4, 3)


def facing_of(ship_class: ShipClass, arc: int) -> int:
    """FA-MAP-12: which of the class's armour values covers an arc."""
    if ship_class.category == "medium":
        return 0
    if ship_class.category == "heavy":
        return 0 if arc in (0, 1, 5) else 1
    return {0: 0, 3: 2}.get(arc, 1)


def armour_of(ship_class: ShipClass, arc: int) -> int:
    """FA-MAP-12: the armour an arc is covered by."""
    return ship_class.armor[facing_of(ship_class, arc)]


def struck_arc(ship_class: ShipClass, candidates: Sequence[int]) -> int:
    """FA-MAP-10: on a boundary the better armour is struck, then the arc nearer the bow."""
    return min(candidates, key=lambda arc: (-armour_of(ship_class, arc), _BOW_FIRST.index(arc)))


def best_arc(ship_class: ShipClass) -> int:
    """FA-WPN-9: the arc of the best armour, ties front, side, aft."""
    return struck_arc(ship_class, range(6))


def read_offset(text: str) -> Hex | None:
    """FA-FRM-1: ``F1 FP1`` as an offset of the commander frame; None if it is none."""
    terms = re.split(r"[\s,]+", text.strip())
    total = HERE
    for term in terms:
        found = _TERM.fullmatch(term)
        if not found:
            return None
        total = total.plus(ahead(HERE, ARCS.index(found[1].upper()) + 1, int(found[2])))
    return total


def written_offset(offset: Hex) -> str:
    """An offset as at most two terms: ``F1 FP1``."""
    for first in HEADINGS:
        second = starboard(first)
        a, b = hexgrid.DIRECTIONS[first - 1], hexgrid.DIRECTIONS[second - 1]
        # Neighbouring directions span their sector with whole steps; the determinant is 1.
        m = offset.q * b.r - offset.r * b.q
        n = a.q * offset.r - a.r * offset.q
        if m >= 0 and n >= 0 and (m or n):
            terms = [f"{ARCS[h - 1]}{k}" for h, k in ((first, m), (second, n)) if k]
            return " ".join(terms)
    return "F0"


def on_map(at: Hex, width: int, height: int) -> bool:
    """FA-MAP-8: columns 1..W, rows 1..H."""
    column, row = hexgrid.column_row(at)
    return 1 <= column <= width and 1 <= row <= height

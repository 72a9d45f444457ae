"""Where the parts of a ship are, the zones round it, formations and fire lines (GA-MAP, GA-SHP, GA-FRM, GA-MIS-1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from games.galleys.state import SeenShip, ShipClass
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance

ASTERN = 3
"""Hexsides from the bow round to the stern."""
FLANK_SIDES = frozenset((1, 2, 4, 5))
"""GA-SHP-4: hexsides, counted from the facing, that are flank hexsides."""
STARBOARD, PORT = "starboard", "port"
_STEPS = tuple((step.q, step.r) for step in DIRECTIONS)
_WAYS = {step: direction for direction, step in enumerate(_STEPS)}


def ahead(at: tuple[int, int], direction: int, steps: int = 1) -> Hex:
    """GA-MAP-1: the hex so many steps away."""
    q, r = _STEPS[direction % 6]
    return Hex(at[0] + q * steps, at[1] + r * steps)


def hexsides_between(a: int, b: int) -> int:
    """The smallest turn between two directions, 0 to 3."""
    turn = (a - b) % 6
    return min(turn, 6 - turn)


@dataclass(frozen=True)
class Hull:
    """A ship's place on the map: bow hex, facing and size."""

    bow: Hex
    facing: int
    large: bool

    @property
    def stern(self) -> Hex:
        """GA-SHP-1: the other hex of a large ship; a small one is all bow."""
        return ahead(self.bow, self.facing + ASTERN) if self.large else self.bow

    @property
    def hexes(self) -> tuple[Hex, ...]:
        return (self.bow, self.stern) if self.large else (self.bow,)


def hull_of(ship: SeenShip, klass: ShipClass) -> Hull:
    """Where a ship of this class lies."""
    return Hull(ship.bow, ship.facing, klass.large)


@dataclass(frozen=True)
class Zone:
    """GA-SHP-2: what part of a ship a neighbouring hex lies against."""

    name: str
    """``bow``, ``bow/flank``, ``midship/flank``, ``stern/flank`` or ``stern``."""
    beam: str = ""
    """``starboard`` or ``port``; empty right ahead and right astern."""

    @property
    def is_flank(self) -> bool:
        """GA-SHP-3."""
        return self.name.endswith("/flank")


def zones(hull: Hull) -> dict[Hex, Zone]:
    """GA-SHP-2: the zone hexes round a ship."""
    bow, stern, facing = hull.bow, hull.stern, hull.facing
    around = {ahead(bow, facing): Zone("bow"), ahead(stern, facing + ASTERN): Zone("stern")}
    for beam, sign in ((STARBOARD, 1), (PORT, -1)):
        around[ahead(bow, facing + sign)] = Zone("bow/flank", beam)
        if hull.large:
            around[ahead(bow, facing + 2 * sign)] = Zone("midship/flank", beam)
        around[ahead(stern, facing + 2 * sign)] = Zone("stern/flank", beam)
    return around


def zone_of(at: Hex, hull: Hull) -> Zone | None:
    """The zone of the ship that this hex is, or None when it is not beside it."""
    if distance(at, hull.bow) > 2:
        return None
    return zones(hull).get(at)


def stern_zone(hull: Hull) -> Hex:
    return ahead(hull.stern, hull.facing + ASTERN)


def ships_apart(a: Hull, b: Hull) -> int:
    """GA-MAP-2: the smallest distance between any two of their hexes."""
    return min(distance(part, other) for part in a.hexes for other in b.hexes)


def hexes_apart(at: Hex, hull: Hull) -> int:
    """The distance from a hex to the nearest hex of a ship."""
    return min(distance(at, part) for part in hull.hexes)


def is_flank_side(facing: int, direction: int) -> bool:
    """GA-SHP-4: whether the hexside in this direction is a flank hexside of a ship with this facing."""
    return (direction - facing) % 6 in FLANK_SIDES


def shares_flank_side(a: Hull, b: Hull) -> bool:
    """GA-GRP-1: some shared hexside is a flank hexside of both."""
    return any(
        is_flank_side(a.facing, direction) and is_flank_side(b.facing, direction + ASTERN)
        for part in a.hexes
        for direction in range(6)
        if ahead(part, direction) in b.hexes
    )


def reach_over_water(a: Hull, b: Hull, blocked: Collection[tuple[int, int]]) -> bool:
    """GA-MIS-1: a line of distance 2 through a free middle hex, leaving and entering by flank hexsides."""
    for part in a.hexes:
        for out in range(6):
            middle = ahead(part, out)
            if not is_flank_side(a.facing, out) or middle in blocked:
                continue
            for other in b.hexes:
                into = _direction(middle, other)
                if into is not None and distance(part, other) == 2 and is_flank_side(b.facing, into + ASTERN):
                    return True
    return False


def _direction(start: Hex, end: Hex) -> int | None:
    """The direction of an adjacent hex; None when it is not adjacent."""
    return _WAYS.get((end.q - start.q, end.r - start.r))


def fire_range(a: Hull, b: Hull, blocked: Collection[tuple[int, int]]) -> int | None:
    """GA-MIS-1, -2: 1 or 2, or None when there is no fire line; ``blocked`` are the hexes of ships and land."""
    if distance(a.bow, b.bow) > 4:
        return None
    if shares_flank_side(a, b):
        return 1
    return 2 if reach_over_water(a, b, blocked) else None


def abreast_hexes(hull: Hull) -> tuple[Hex, ...]:
    """GA-FRM-1: where the bow of a neighbour in line abreast may be."""
    bow, facing = hull.bow, hull.facing
    near = tuple(ahead(bow, facing + turn) for turn in (1, 2, 4, 5))
    gapped = (ahead(ahead(bow, facing + 1), facing + 2), ahead(ahead(bow, facing + 4), facing + 5))
    return near + gapped


def ahead_hexes(hull: Hull) -> tuple[Hex, ...]:
    """GA-FRM-2: where the bow of a neighbour in line ahead may be."""
    return tuple(
        ahead(hull.bow, hull.facing + turn, steps) for turn in (0, ASTERN) for steps in range(1, LINE_AHEAD_GAP + 1)
    )


LINE_AHEAD_GAP = 3


def raked_side(before: Hex, after: Hex, target: Hull) -> str | None:
    """GA-RAK-1: the side of the target that a move of the bow from one hex to the next rakes, if it does."""
    beside = zones(target)
    left, entered = beside.get(before), beside.get(after)
    if left is None or entered is None or not left.is_flank or left.beam != entered.beam:
        return None
    if target.large:
        return entered.beam if entered.name == "midship/flank" and left.name != "midship/flank" else None
    return entered.beam if entered.is_flank and left.name != entered.name else None

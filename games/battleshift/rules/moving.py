"""Courses, distances and facings: BS-MOV-1 to BS-MOV-11, for one squadron at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.battleshift.data import LIMITS, facing_change, half_arc
from games.battleshift.orders.records import Face, Move
from games.battleshift.rules.space import on_table
from games.battleshift.rules.targets import contact
from games.battleshift.rules.units import BIGGEST_RADIUS, Body, Ship, Squadron
from games.battleshift.state import Formation
from games.battleshift.table import Table
from pbem.kit.plane import (
    INCH,
    MILLION,
    Spot,
    bearing_of,
    ceiling_root,
    difference,
    displacement,
    fine_distance,
    passes_nearer,
    rounded,
    squared,
    turn_to,
    whole_distance,
)
from pbem.kit.sheet import BadOrder

HANDY = 45


class Illegal(BadOrder):
    """A move that the rules do not allow: the validation id, why, and the nearest legal alternative."""


def inches(length: int) -> str:
    """A length as reports print it: 12.50."""
    sign = "-" if length < 0 else ""
    return f"{sign}{abs(length) // INCH}.{abs(length) % INCH:02d}"


def at(spot: tuple[int, int]) -> str:
    return f"{inches(spot[0])},{inches(spot[1])}"


@dataclass(frozen=True)
class Reach:
    """What a squadron may do this turn: speed, half its movement arc, facing change."""

    speed: int
    half: int
    turn: int


@dataclass(frozen=True)
class Step:
    """A leader's way: course (None: it stays), distance and displacement."""

    course: int | None
    distance: int
    dx: int
    dy: int

    @property
    def moves(self) -> bool:
        return self.course is not None

    def course_from(self, facing: int) -> int:
        """The course, or where it stays the facing."""
        return facing if self.course is None else self.course


STAY = Step(None, 0, 0, 0)


@dataclass
class Plan:
    """One squadron's movement in an activation."""

    squadron: Squadron
    ships: list[Ship]
    starts: list[Spot]
    moves: list[tuple[int, int]]
    ticks: int
    step: Step
    old_facing: int
    facing: int
    """The final facing."""
    formation: Formation | None = None
    towed: list[tuple[Ship, Spot, tuple[int, int]]] = field(default_factory=list)
    dangers: list[Body] | None = None
    """Hazards its ways may touch; None: not yet looked for."""

    def spots_at(self, tick: int) -> list[Spot]:
        """BS-MOV-6: where the ships are after so many inches."""
        if self.ticks == 0 or tick <= 0:
            return self.starts
        share, whole = min(tick, self.ticks), self.ticks
        return [
            Spot(x + rounded(dx * share, whole), y + rounded(dy * share, whole))
            for (x, y), (dx, dy) in zip(self.starts, self.moves, strict=True)
        ]

    def facing_at(self, tick: int) -> int:
        """BS-SQN-3: on the way the facing is the leader's course."""
        return self.old_facing if tick <= 0 else self.step.course_from(self.old_facing)


def reach_of(table: Table, squadron: Squadron, new: Formation | None = None) -> Reach:
    """BS-MOV-1, -2, BS-TER-4, BS-FRM-9, BS-FRM-11, BS-XP-4: limits of the squadron's next move."""
    cls = squadron.cls
    if cls.is_station:
        return Reach(0, 0, 0)
    speed, half, turn = cls.speed, half_arc(cls.size), facing_change(cls.size)
    if "Handy" in squadron.now.traits:
        turn = min(180, turn + HANDY)
    ring, cone = squadron.now.formation.kind == "ring", squadron.now.formation.kind in ("cone", "tfcone")
    if ring and new is not None and new.kind != "ring":
        half = turn = 180
    elif ring:
        speed, half = max(0, speed - LIMITS.ring_slowdown), 180
    elif cone:
        turn = min(turn, LIMITS.cone_turn)
    if any(_in_rift(table, ship) for ship in squadron.present):
        speed = max(0, speed - LIMITS.rift_slowdown)
    return Reach(speed, half, turn)


def _in_rift(table: Table, ship: Ship) -> bool:
    rifts = (body for body in table.bodies if body.kind == "rift")
    return any(squared(ship.spot, rift.spot) <= rift.radius * rift.radius for rift in rifts)


# --- what an order means ---------------------------------------------------------------------------------------------


def clip(bearing: int, middle: int, half: int) -> int:
    """The bearing, or the nearest edge of the arc about the middle; straight astern: the starboard edge."""
    turn = turn_to(middle, bearing)
    return (middle + max(-half, min(half, turn))) % 360


def wanted_step(table: Table, squadron: Squadron, anchor: Ship, reach: Reach, move: Move) -> Step:
    """The way an order asks for, before it is tested; `toward` and `away` are made legal at once."""
    facing = squadron.now.facing
    if move.kind == "hold":
        return STAY
    if move.kind == "to":
        dx, dy = move.spot.x - anchor.now.x, move.spot.y - anchor.now.y
        if dx == 0 and dy == 0:
            return STAY
        return Step(bearing_of(dx, dy), ceiling_root(dx * dx + dy * dy), dx, dy)
    if move.kind in ("toward", "away"):
        return _relative_step(table, squadron, anchor, reach, move)
    turn = {"bearing": move.degrees - facing, "ahead": 0, "port": -move.degrees, "starboard": move.degrees}
    return straight((facing + turn[move.kind]) % 360, move.distance or 0)


def straight(course: int, distance: int) -> Step:
    """BS-GEO-3: a distance on a bearing."""
    if distance == 0:
        return STAY
    return Step(course, distance, *displacement(distance, course))


def nearest_enemy(table: Table, side: str, spot: Spot) -> Squadron | None:
    """BS-MOV-10: the enemy squadron or station nearest to a place; of equals by name."""
    if (side, spot) not in table.nearest:
        table.nearest[side, spot] = _nearest_enemy(table, side, spot)
    return table.nearest[side, spot]


def _nearest_enemy(table: Table, side: str, spot: Spot) -> Squadron | None:
    index = table.index[table.enemy(side)]
    if not len(index):
        return None
    step, widest = 12 * INCH, table.width + table.height
    for reach in range(step, widest + 2 * step, step):
        nearest: dict[Squadron, int] = {}
        for ship in index.near((spot,), reach):
            square = (ship.now.x - spot.x) ** 2 + (ship.now.y - spot.y) ** 2
            squadron = ship.squadron
            if squadron not in nearest or square < nearest[squadron]:
                nearest[squadron] = square
        ranked = [(fine_distance(square, s.cls.radius), s.name, s) for s, square in nearest.items()]
        # Whoever is outside the box may be nearer only by the radius of the largest station.
        certain = [candidate for candidate in ranked if candidate[0] <= (reach - BIGGEST_RADIUS) * MILLION]
        if certain or (ranked and reach > widest):
            return min(certain or ranked, key=lambda candidate: candidate[:2])[2]
    return None


def named_ships(table: Table, side: str, origin: Spot, who: str) -> list[Ship]:
    """BS-MOV-10: the ships of the named unit, the enemy's first; otherwise of the nearest enemy; may be empty."""
    if who != "nearest":
        for owner in (table.enemy(side), side):
            squadron = table.squadron(owner, who)
            tf = table.taskforce(owner, who)
            ships = (
                list(squadron.present)
                if squadron
                else [s for member in (tf.living if tf else ()) for s in member.present]
            )
            if ships:
                return ships
        seen = contact(table, side, who)
        if seen is not None and seen.present:
            return list(seen.present)
    nearest = nearest_enemy(table, side, origin)
    return list(nearest.present) if nearest else []


def named_spot(table: Table, side: str, origin: Spot, who: str) -> Spot | None:
    """The place `toward` runs to: the nearest ship, a flight, a body; None: there is no enemy."""
    flight = table.flight(table.enemy(side), who) or table.flight(side, who)
    body = table.body(who)
    if flight is not None and flight.now.wings > 0:
        return flight.spot
    if body is not None:
        return body.spot
    ships = named_ships(table, side, origin, who)
    if not ships:
        return None
    chosen = min(ships, key=lambda ship: (squared(ship.spot, origin), ship.number))
    return chosen.spot


def _relative_step(table: Table, squadron: Squadron, anchor: Ship, reach: Reach, move: Move) -> Step:
    """BS-MOV-10: toward or away from a unit; never illegal."""
    spot = named_spot(table, squadron.side, anchor.spot, move.who)
    if spot is None:
        return STAY
    wanted = bearing_of(spot.x - anchor.now.x, spot.y - anchor.now.y)
    if move.kind == "away":
        wanted = bearing_of(anchor.now.x - spot.x, anchor.now.y - spot.y)
    course = clip(wanted, squadron.now.facing, reach.half)
    if move.kind == "away" and difference(course, wanted) > 90:
        return STAY
    far = reach.speed if move.distance is None else min(move.distance, reach.speed)
    if move.stop is not None:
        far = min(far, max(0, whole_distance(anchor.spot, spot) - move.stop))
    return straight(course, longest(table, squadron.spots, course, far))


def refused_away(table: Table, squadron: Squadron, anchor: Ship, reach: Reach, move: Move | None) -> int | None:
    """BS-MOV-10: the bearing of an `away` that is not flown, toward which the squadron turns; None: it was flown."""
    if move is None or move.kind != "away":
        return None
    spot = named_spot(table, squadron.side, anchor.spot, move.who)
    if spot is None:
        return None
    wanted = bearing_of(anchor.now.x - spot.x, anchor.now.y - spot.y)
    return wanted if difference(clip(wanted, squadron.now.facing, reach.half), wanted) > 90 else None


# --- the table and its bodies ----------------------------------------------------------------------------------------


def obstacle(table: Table, start: Spot, move: tuple[int, int]) -> Body | str | None:
    """BS-MOV-7: what a ship's way runs into: a planet or moon, or the table's edge; None: nothing."""
    end = Spot(start[0] + move[0], start[1] + move[1])
    if not on_table(table, end):
        return "edge"
    for body in table.bodies:
        if body.kind in ("planet", "moon") and passes_nearer(start, end, body.spot, body.radius):
            return body
    return None


def is_clear(table: Table, starts: Sequence[Spot], move: tuple[int, int]) -> bool:
    return all(obstacle(table, start, move) is None for start in starts)


def longest(table: Table, starts: Sequence[Spot], course: int, distance: int) -> int:
    """The longest distance, in steps of 0.01", at which all ships stay on the table and clear of bodies."""
    if is_clear(table, starts, displacement(distance, course)):
        return distance
    low, high = 0, distance
    while low < high:
        middle = (low + high + 1) // 2
        if is_clear(table, starts, displacement(middle, course)):
            low = middle
        else:
            high = middle - 1
    # Rounding may allow a little more than halving finds.
    for far in range(min(distance, low + 2), 0, -1):
        if is_clear(table, starts, displacement(far, course)):
            return far
    return 0


# --- tests of written moves ------------------------------------------------------------------------------------------


def check_step(squadron: Squadron, reach: Reach, step: Step, move: Move, name: str) -> None:
    """BS-MOV-1, BS-MOV-2: speed and movement arc; raises BS-V-10, BS-V-11 or BS-V-12."""
    if step.course is None:
        return
    turn = difference(step.course, squadron.now.facing)
    if move.kind == "to":
        _check_point(squadron, reach, step, name)
        return
    if step.distance > reach.speed:
        reason = f'{name} moves at most {inches(reach.speed)}", ordered {inches(step.distance)}"'
        raise Illegal("BS-V-10", reason, f"at most {inches(reach.speed)}")
    if turn > reach.half:
        edge = clip(step.course, squadron.now.facing, reach.half)
        limits = f"{name} faces {squadron.now.facing:03d} and may steer {reach.half} either way"
        reason = f"{limits}; {step.course:03d} is {turn} off"
        raise Illegal("BS-V-11", reason, f"the nearest course of its arc is {edge:03d}")


def _check_point(squadron: Squadron, reach: Reach, step: Step, name: str) -> None:
    assert step.course is not None
    turn = difference(step.course, squadron.now.facing)
    too_far = step.dx**2 + step.dy**2 > reach.speed**2
    if not too_far and turn <= reach.half:
        return
    course = clip(step.course, squadron.now.facing, reach.half)
    reason = (
        f'the point is {inches(step.distance)}" away on bearing {step.course:03d}; {name} moves at most '
        f'{inches(reach.speed)}" and {reach.half} either way of {squadron.now.facing:03d} (difference {turn})'
    )
    far = inches(min(step.distance, reach.speed))
    raise Illegal("BS-V-12", reason, f"its arc and speed allow course {course:03d} up to {far}")


def check_way(table: Table, ships: Sequence[Ship], moves: Sequence[tuple[int, int]], step: Step) -> None:
    """BS-MOV-7: raises BS-V-13 or BS-V-14."""
    for ship, move in zip(ships, moves, strict=True):
        hit = obstacle(table, ship.spot, move)
        if hit is None:
            continue
        far = longest(table, [mate.spot for mate in ships], step.course or 0, step.distance)
        hint = f"at most {inches(far)} on course {step.course or 0:03d}"
        end = at((ship.now.x + move[0], ship.now.y + move[1]))
        if isinstance(hit, Body):
            raise Illegal("BS-V-14", f"the way of {ship.name} to {end} enters {hit.called}", hint)
        size = f"{inches(table.width)} by {inches(table.height)}"
        raise Illegal("BS-V-13", f"{ship.name} would end at {end}, outside the table of {size}", hint)


def check_facing(reach: Reach, course: int, facing: int, name: str) -> None:
    """BS-MOV-3: raises BS-V-15."""
    turn = difference(course, facing)
    if turn > reach.turn:
        nearest = clip(facing, course, reach.turn)
        reason = f"{name} is on course {course:03d} and may turn {reach.turn}; facing {facing:03d} is {turn} off"
        raise Illegal("BS-V-15", reason, f"nearest legal facing {nearest:03d}", fix=f"face {nearest:03d}")


def ordered_facing(table: Table, squadron: Squadron, anchor: Ship, face: Face, step: Step, reach: Reach) -> int:
    """BS-MOV-3, BS-MOV-10: the facing a line asks for; `toward` is turned to the nearest legal one."""
    course = step.course_from(squadron.now.facing)
    if face.kind == "toward":
        end = Spot(anchor.now.x + step.dx, anchor.now.y + step.dy)
        spot = named_spot(table, squadron.side, end, face.who)
        if spot is None:
            return course
        return clip(bearing_of(spot.x - end.x, spot.y - end.y), course, reach.turn)
    turns = {"bearing": face.degrees - course, "course": 0, "port": -face.degrees, "starboard": face.degrees}
    return (course + turns[face.kind]) % 360

"""Who may fire at whom, through what, and on which number: BS-ATK-3 to BS-ATK-7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.battleshift.data import LIMITS, WEAPONS
from games.battleshift.rules.units import BIGGEST_RADIUS, Body, Flight, Quadrant, Ship, Squadron
from games.battleshift.table import Table
from pbem.kit.plane import Spot, crosses_within, fine_distance, in_arc, passes_nearer, passes_within

Aimed = Squadron | Flight | Quadrant
"""What can be aimed at."""
ROUND = 360
ION_BEAMS = ("ion", "heavy_ion")


@dataclass(frozen=True)
class Pose:
    """Where the active ships of a squadron stand at one moment, and which way they face."""

    spots: tuple[Spot, ...]
    facing: int


def pose_of(squadron: Squadron) -> Pose:
    return Pose(tuple(squadron.spots), squadron.now.facing)


def points_of(target: Aimed) -> list[tuple[int, int, int]]:
    """The places a line of sight may end: x, y and radius, by ship number."""
    if isinstance(target, Squadron):
        radius = target.cls.radius
        return [(ship.now.x, ship.now.y, radius) for ship in target.present]
    if isinstance(target, Flight):
        return [(target.now.x, target.now.y, 0)]
    return [(target.body.now.x, target.body.now.y, target.body.radius)]


def spot_of(target: Aimed) -> Spot:
    """Where a target is said to be: its leader, or the middle of the body."""
    if isinstance(target, Squadron):
        return target.leader.spot if target.leader else Spot(0, 0)
    return target.spot if isinstance(target, Flight) else target.body.spot


def is_gone(target: Aimed) -> bool:
    """BS-ATK-11: no ship, or no wing, left on the table."""
    if isinstance(target, Squadron):
        return not target.present
    return target.now.wings <= 0 if isinstance(target, Flight) else False


def distance_to(spots: Sequence[Spot], target: Aimed, own_radius: int = 0) -> int:
    """Least distance from any of the places, for ranking, in millionths of a hundredth."""
    points = points_of(target)
    radius = points[0][2] if points else 0
    least = min((x - s[0]) ** 2 + (y - s[1]) ** 2 for s in spots for x, y, _ in points)
    return fine_distance(least, radius + own_radius)


def inches_to(spots: Sequence[Spot], target: Aimed) -> int:
    """The same in whole hundredths, for reports."""
    return max(0, distance_to(spots, target) // 1_000_000)


# --- lines of sight --------------------------------------------------------------------------------------------------


class Screen:
    """All that may block or obscure lines from some places to a target, gathered once."""

    def __init__(self, table: Table, side: str, spots: Sequence[Spot], target: Aimed, own: Body | None = None) -> None:
        points = points_of(target)
        xs = [s[0] for s in spots] + [p[0] for p in points]
        ys = [s[1] for s in spots] + [p[1] for p in points]
        box = (min(xs), min(ys), max(xs), max(ys))
        reach = LIMITS.blocking + BIGGEST_RADIUS
        grown = (box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach)
        foes = table.index[table.enemy(side)].in_box(*grown)
        self.ships = [
            (ship.now.x, ship.now.y, LIMITS.blocking + ship.cls.radius, ship.squadron)
            for ship in foes
            if ship.squadron is not target
        ]
        exempt = (own, target.body if isinstance(target, Quadrant) else None)
        near = [body for body in table.bodies if _touches_box(body, box)]
        self.solids = [body for body in near if body.is_massive and body not in exempt]
        self.clouds = [body for body in near if body.obscures]
        self.is_empty = not (self.ships or self.solids or self.clouds)

    def blocks(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        """BS-ATK-4: an enemy squadron or a massive body stands in the line."""
        if self.is_empty:
            return False
        if any(passes_nearer(a, b, (body.now.x, body.now.y), body.solid) for body in self.solids):
            return True
        return any(crosses_within(a, b, (x, y), reach) for x, y, reach, _ in self.ships)

    def objects(self, a: tuple[int, int], b: tuple[int, int]) -> Iterator[Squadron | Body]:
        """BS-ATK-5: all that blocks or obscures the line."""
        for x, y, reach, squadron in self.ships:
            if crosses_within(a, b, (x, y), reach):
                yield squadron
        for body in self.solids:
            if passes_nearer(a, b, (body.now.x, body.now.y), body.solid):
                yield body
        for body in self.clouds:
            if passes_within(a, b, (body.now.x, body.now.y), body.radius):
                yield body


def _touches_box(body: Body, box: tuple[int, int, int, int]) -> bool:
    radius = max(body.radius, body.solid)
    wide = box[0] - radius <= body.now.x <= box[2] + radius
    return wide and box[1] - radius <= body.now.y <= box[3] + radius


def cover(table: Table, side: str, spots: Sequence[Spot], target: Aimed, own: Body | None = None) -> int:
    """BS-ATK-5: distinct objects in the sight line of at least one active ship; each counts once."""
    screen = Screen(table, side, spots, target, own)
    return _cover(screen, spots, target)


def _cover(screen: Screen, spots: Sequence[Spot], target: Aimed) -> int:
    if screen.is_empty:
        return 0
    points = points_of(target)
    objects: dict[Squadron | Body, None] = {}
    for spot in spots:
        end = min(points, key=lambda p: (p[0] - spot[0]) ** 2 + (p[1] - spot[1]) ** 2)
        for thing in screen.objects(spot, end[:2]):
            objects[thing] = None
    return len(objects)


# --- eligibility -----------------------------------------------------------------------------------------------------


def fires_round(squadron: Squadron, weapon: str) -> bool:
    """BS-STN-3, BS-FRM-11: heavy weapons of stations and rings fire in every direction."""
    if weapon in ("light", "ion"):
        return False
    return squadron.cls.is_station or squadron.now.formation.kind == "ring"


def arcs_of(squadron: Squadron, weapon: str, facing: int) -> tuple[tuple[int, int], ...]:
    """Bearings and widths of the arcs a weapon covers."""
    if fires_round(squadron, weapon):
        return ((facing, ROUND),)
    width = WEAPONS[weapon].arc
    if weapon == "broadside":
        return ((facing + 270, width), (facing + 90, width))
    return ((facing, width),)


def range_of(weapon: str, target: Aimed) -> int:
    """BS-PLN-5, BS-MON-1: the atmosphere of a planet takes 12.00" off every range."""
    reach = WEAPONS[weapon].range
    if isinstance(target, Quadrant) and not target.body.is_moon:
        reach -= LIMITS.planet_range_loss
    return reach


def quadrant_at(body: Body, spot: tuple[int, int]) -> str:
    """BS-PLN-2: the quadrant a place lies in."""
    dx, dy = spot[0] - body.now.x, spot[1] - body.now.y
    if dx >= 0 and dy < 0:
        return "NE"
    if dx > 0 and dy >= 0:
        return "SE"
    if dx <= 0 and dy > 0:
        return "SW"
    return "NW" if dx < 0 and dy <= 0 else "NE"


def is_eligible(table: Table, squadron: Squadron, pose: Pose, weapon: str, target: Aimed) -> bool:
    """BS-ATK-3: some ship has some target ship in range, in arc and in an unblocked line."""
    return _find_line(table, squadron, pose, weapon, target) is not None


def _find_line(table: Table, squadron: Squadron, pose: Pose, weapon: str, target: Aimed) -> Screen | None:
    if isinstance(target, Flight) or not pose.spots:
        return None
    if isinstance(target, Quadrant) and not is_over(squadron, pose, target):
        return None
    points = points_of(target)
    own_radius = squadron.cls.radius
    reach = range_of(weapon, target)
    if reach <= 0 or not points:
        return None
    limit = (reach + own_radius + points[0][2]) ** 2
    arcs = arcs_of(squadron, weapon, pose.facing)
    screen: Screen | None = None
    for sx, sy in pose.spots:
        for px, py, _ in points:
            dx, dy = px - sx, py - sy
            if dx * dx + dy * dy > limit:
                continue
            if not any(in_arc(bearing, dx, dy, width) for bearing, width in arcs):
                continue
            if screen is None:
                screen = Screen(table, squadron.side, pose.spots, target)
            if not screen.blocks((sx, sy), (px, py)):
                return screen
    return None


def is_over(squadron: Squadron, pose: Pose, target: Quadrant) -> bool:
    """BS-PLN-5: attackers hit the quadrant that holds their leader."""
    leader = squadron.leader
    if leader is None:
        return False
    number = squadron.active.index(leader) if leader in squadron.active else 0
    spot = pose.spots[min(number, len(pose.spots) - 1)]
    return quadrant_at(target.body, spot) == target.place


def aim(
    table: Table, squadron: Squadron, pose: Pose, weapon: str, target: Aimed, *, disable: bool = False
) -> int | None:
    """The targeting number against an eligible target; None: it cannot be fired at."""
    screen = _find_line(table, squadron, pose, weapon, target)
    if screen is None:
        return None
    return targeting_number(squadron, weapon, target, _cover(screen, pose.spots, target), disable=disable)


def targeting_number(
    squadron: Squadron, weapon: str, target: Aimed, covered: int, *, disable: bool = False, cone: bool = False
) -> int:
    """BS-ATK-6: base less suppression, cover, disabling, ground and cone; more for stations and Crack Gunners."""
    penalty = disabling_penalty(weapon) if disable else 0
    number = WEAPONS[weapon].base - squadron.markers - covered - penalty - int(cone)
    number -= int(isinstance(target, Quadrant))
    number += int(isinstance(target, Squadron) and target.cls.is_station)
    if "Crack Gunners" in squadron.now.traits:
        number += 1
    return limited(number)


def disabling_penalty(weapon: str) -> int:
    """BS-DIS-1, BS-DIS-2: batteries disable at one less, ion beams at no penalty."""
    return int(weapon not in ION_BEAMS)


def limited(number: int) -> int:
    """BS-ATK-6: a 1 always hits, and there is nothing above 6."""
    return max(1, min(6, number))


def highest_number(squadron: Squadron, weapon: str, target: Aimed, *, disable: bool) -> int:
    """The targeting number without any cover: no moment can be better."""
    return targeting_number(squadron, weapon, target, 0, disable=disable)


def nearest_ship(spot: tuple[int, int], ships: Sequence[Ship]) -> Ship:
    """The ship nearest to a place; of equals the lowest number."""
    return min(ships, key=lambda ship: ((ship.now.x - spot[0]) ** 2 + (ship.now.y - spot[1]) ** 2, ship.number))

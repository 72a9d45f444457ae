"""Movement along lanes in three impulses (rule book 4.12: EN-MOV)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.encounters.data import tables
from games.encounters.state import Lane, Unit
from games.encounters.table import Table
from pbem.kit.sheet import BadOrder


def movement_points(table: Table, ships: Sequence[Unit]) -> int:
    """EN-MOV-1: the lowest speed; 3 if every ship is Fast and intact; 1 if any ship is crippled."""
    if not ships:
        return 0
    rates = tables().movement
    speed = min(table.design(ship).speed for ship in ships)
    if any(not ship.intact for ship in ships):
        return min(speed, rates.crippled_mp)
    fast = all(table.design(ship).has("Fast") for ship in ships)
    return speed + rates.fast_bonus if fast else speed


def limiting_ship(table: Table, ships: Sequence[Unit]) -> Unit:
    """The ship that keeps the fleet slow, for the message of EN-VAL-14."""
    return min(ships, key=lambda ship: (ship.intact, table.design(ship).has("Fast"), table.design(ship).speed, ship.id))


def lanes_of(table: Table, start: str, path: Sequence[str]) -> list[Lane]:
    """EN-VAL-13: the lanes of a path, which must be joined one by one."""
    lanes, here = [], start
    for there in path:
        lane = table.joined(here, there)
        if lane is None:
            near = ", ".join(table.neighbours(here)) or "no lanes"
            raise BadOrder("EN-VAL-13", f"no lane joins {here} and {there}", f"from {here}: {near}")
        lanes.append(lane)
        here = there
    return lanes


def affordable(lanes: Sequence[Lane], points: int) -> int:
    """How many lanes of the path the movement points reach."""
    spent = 0
    for number, lane in enumerate(lanes):
        spent += tables().movement.cost[lane.kind]
        if spent > points:
            return number
    return len(lanes)


Way = tuple[tuple[str, ...], list[Lane]]
"""The systems of a path, and its lanes."""


def ways(table: Table, start: str, points: int) -> Iterator[Way]:
    """EN-MOV-1: every path that the movement points reach, shorter ones first, no system twice."""
    ring: list[tuple[tuple[str, ...], list[Lane], int]] = [((), [], points)]
    while ring:
        wider: list[tuple[tuple[str, ...], list[Lane], int]] = []
        for path, lanes, left in ring:
            for there, lane in table.lanes_from[path[-1] if path else start]:
                cost = tables().movement.cost[lane.kind]
                if cost <= left and there not in (start, *path):
                    wider.append(((*path, there), [*lanes, lane], left - cost))
        yield from ((path, lanes) for path, lanes, _ in wider)
        ring = wider


def fleet_cc(table: Table, ships: Sequence[Unit]) -> int:
    return sum(table.design(ship).CC for ship in ships)


Traffic = dict[tuple[str, str, str], int]
"""Power, from, to: CC that uses a restricted lane this turn."""


def check_path(table: Table, power: str, fleet: str, path: Sequence[str], traffic: Traffic) -> None:
    """EN-VAL-16, 13, 14, 15: a fleet may move along the path."""
    ships = table.ships_of(power, fleet)
    start = table.fleets[power, fleet].location
    for ship in ships:
        if ship.repairing:
            reason = f"{ship.name} of {fleet} is under repair (EN-MOV-6)"
            raise BadOrder("EN-VAL-16", reason, f"{fleet}: transfer {ship.name} to another fleet first")
    lanes = lanes_of(table, start, path)
    points, cost = movement_points(table, ships), sum(tables().movement.cost[lane.kind] for lane in lanes)
    if cost > points:
        slow = limiting_ship(table, ships)
        part = " ".join(path[: affordable(lanes, points)]) or "none"
        reason = f"the path costs {cost} MP, {fleet} has {points} ({slow.name} limits it)"
        raise BadOrder("EN-VAL-14", reason, f"the longest legal part is {part}")
    # EN-MOV-2: at most 8 CC of one power use a restricted lane in one direction in one turn.
    limit, mine = tables().movement.restricted_cc, fleet_cc(table, ships)
    for here, there, lane in zip((start, *path), path, lanes, strict=False):
        used = traffic.get((power, here, there), 0)
        if lane.kind == "restricted" and used + mine > limit:
            reason = f"the lane {here}-{there} takes {limit} CC a turn; {used} CC use it, the fleet has {mine} CC"
            raise BadOrder("EN-VAL-15", reason, f"at most {max(0, limit - used)} CC")


def count_traffic(table: Table, power: str, fleet: str, path: Sequence[str], traffic: Traffic) -> None:
    start, mine = table.fleets[power, fleet].location, fleet_cc(table, table.ships_of(power, fleet))
    for here, there in zip((start, *path), path, strict=False):
        key = (power, here, there)
        traffic[key] = traffic.get(key, 0) + mine


# --- the impulses ----------------------------------------------------------------------------------------------------


@dataclass
class Voyage:
    """A fleet under way: the systems still to reach, and the impulses left on the present lane."""

    owner: str
    fleet: str
    start: str
    here: str
    path: list[str]
    left: int = 0
    stopped_by: str = ""
    passed: tuple[str, ...] = ()

    @property
    def under_way(self) -> bool:
        return bool(self.path) and not self.stopped_by


def move_fleets(table: Table, moves: Sequence[tuple[str, str, tuple[str, ...]]]) -> None:
    """Step 7, EN-MOV-3: three impulses, all fleets at once in each."""
    table.step = "movement"
    starts = [(owner, fleet, table.fleets[owner, fleet].location, list(path)) for owner, fleet, path in moves]
    voyages = [Voyage(owner, fleet, start, start, path) for owner, fleet, start, path in starts]
    for _ in range(tables().movement.impulses):
        arrived = [voyage for voyage in voyages if voyage.under_way and advance(table, voyage)]
        for voyage in arrived:
            arrive(table, voyage)
        for voyage in arrived:
            voyage.stopped_by = who_stops(table, voyage)
        for voyage in arrived:
            sight_arrival(table, voyage)
    for voyage in voyages:
        facts = {"fleet": voyage.fleet, "power": voyage.owner, "from": voyage.start, "to": voyage.here}
        way = {"path": [voyage.start, *voyage.passed], "stopped": bool(voyage.stopped_by), "by": voyage.stopped_by}
        table.tell("move", "EN-MOV-3", voyage.owner, {**facts, **way})


def advance(table: Table, voyage: Voyage) -> bool:
    """Spend one movement point; True when the lane's end is reached."""
    if voyage.left == 0:
        lane = table.joined(voyage.here, voyage.path[0])
        assert lane is not None, "the path was checked before the fleet set out"
        voyage.left = tables().movement.cost[lane.kind]
        leave(table, voyage)
    voyage.left -= 1
    return voyage.left == 0


def leave(table: Table, voyage: Voyage) -> None:
    """On a lane a fleet is in no system: it stops nobody and nobody stops it (EN-MOV-4)."""
    table.on_lanes.update(ship.id for ship in table.ships_of(voyage.owner, voyage.fleet))


def arrive(table: Table, voyage: Voyage) -> None:
    ships = table.ships_of(voyage.owner, voyage.fleet)
    voyage.here = voyage.path.pop(0)
    voyage.passed = (*voyage.passed, voyage.here)
    table.change(table.fleets[voyage.owner, voyage.fleet], location=voyage.here)
    for ship in ships:
        table.on_lanes.discard(ship.id)
        for unit in (ship, *table.aboard(ship.id)):
            table.change(unit, location=voyage.here)


def who_stops(table: Table, voyage: Voyage) -> str:
    """EN-MOV-5: an intact ship of a hostile bloc at war stops whoever arrives."""
    for unit in table.at(voyage.here):
        if table.same_bloc(voyage.owner, unit.owner) or not unit.intact or unit.id in table.on_lanes:
            continue
        if table.is_ship(unit) and table.at_war(voyage.owner, unit.owner):
            return unit.owner
    return ""


def sight_arrival(table: Table, voyage: Voyage) -> None:
    """Section 8: an arrival is seen by powers with a unit in, or owning, the system; a fleet on a lane sees nothing."""
    decks = [(unit.owner, unit.id if unit.carrier is None else unit.carrier) for unit in table.at(voyage.here)]
    there = {owner for owner, ship in decks if ship not in table.on_lanes} | {table.systems[voyage.here].owner}
    watching = table.by_seat(key for key in there if key not in (None, voyage.owner))
    if watching:
        facts = {"fleet": "", "power": voyage.owner, "from": "", "to": voyage.here}
        table.tell("move", "EN-MOV-5", watching, {**facts, "path": [], "stopped": False, "by": ""})

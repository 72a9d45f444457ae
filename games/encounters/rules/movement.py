"""Movement along lanes in three impulses (rule book 4.12: EN-MOV)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.encounters.rules.board import Board
from games.encounters.state import Lane, Unit
from games.encounters.tables import tables
from pbem.kit.sheet import BadOrder

STEP = "movement"


def movement_points(board: Board, ships: Sequence[Unit]) -> int:
    """EN-MOV-1: the lowest speed; 3 if every ship is Fast and intact; 1 if any ship is crippled."""
    if not ships:
        return 0
    table = tables().movement
    speed = min(board.design(ship).speed for ship in ships)
    if any(not ship.intact for ship in ships):
        return min(speed, table.crippled_mp)
    fast = all(board.design(ship).has("Fast") for ship in ships)
    return speed + table.fast_bonus if fast else speed


def limiting_ship(board: Board, ships: Sequence[Unit]) -> Unit:
    """The ship that keeps the fleet slow, for the message of EN-VAL-14."""
    return min(ships, key=lambda ship: (ship.intact, board.design(ship).has("Fast"), board.design(ship).speed, ship.id))


def lanes_of(board: Board, start: str, path: Sequence[str]) -> list[Lane]:
    """EN-VAL-13: the lanes of a path, which must be joined one by one."""
    found, here = [], start
    for there in path:
        lane = board.joined(here, there)
        if lane is None:
            raise BadOrder("EN-VAL-13", f"no lane joins {here} and {there}", f"from {here}: {listed(board, here)}")
        found.append(lane)
        here = there
    return found


def listed(board: Board, system: str) -> str:
    return ", ".join(board.neighbours(system)) or "no lanes"


def affordable(lanes: Sequence[Lane], points: int) -> int:
    """How many lanes of the path the movement points reach."""
    spent = 0
    for number, lane in enumerate(lanes):
        spent += tables().movement.cost_of(lane.kind)
        if spent > points:
            return number
    return len(lanes)


def fleet_cc(board: Board, ships: Sequence[Unit]) -> int:
    return sum(board.design(ship).CC for ship in ships)


Traffic = dict[tuple[str, str, str], int]
"""Power, from, to: CC that uses a restricted lane this turn."""


def check_path(board: Board, power: str, fleet: str, path: Sequence[str], traffic: Traffic) -> None:
    """EN-VAL-16, 13, 14, 15: a fleet may move along the path."""
    ships = board.ships_of(power, fleet)
    start = board.fleets[power, fleet].location
    for ship in ships:
        if ship.repairing:
            reason = f"{ship.name} of {fleet} is under repair (EN-MOV-6)"
            raise BadOrder("EN-VAL-16", reason, f"{fleet}: transfer {ship.name} to another fleet first")
    lanes = lanes_of(board, start, path)
    points, cost = movement_points(board, ships), sum(tables().movement.cost_of(lane.kind) for lane in lanes)
    if cost > points:
        slow = limiting_ship(board, ships)
        part = " ".join(path[: affordable(lanes, points)]) or "none"
        reason = f"the path costs {cost} MP, {fleet} has {points} ({slow.name} limits it)"
        raise BadOrder("EN-VAL-14", reason, f"the longest legal part is {part}")
    check_restricted(board, power, start, path, ships, traffic)


def check_restricted(
    board: Board, power: str, start: str, path: Sequence[str], ships: Sequence[Unit], traffic: Traffic
) -> None:
    """EN-MOV-2: at most 8 CC of one power use a restricted lane in one direction in one turn."""
    limit, mine = tables().movement.restricted_cc, fleet_cc(board, ships)
    for here, there, lane in zip((start, *path), path, lanes_of(board, start, path), strict=False):
        used = traffic.get((power, here, there), 0)
        if lane.kind == "restricted" and used + mine > limit:
            reason = f"the lane {here}-{there} takes {limit} CC a turn; {used} CC use it, the fleet has {mine} CC"
            raise BadOrder("EN-VAL-15", reason, f"at most {max(0, limit - used)} CC")


def count_traffic(board: Board, power: str, fleet: str, path: Sequence[str], traffic: Traffic) -> None:
    start, mine = board.fleets[power, fleet].location, fleet_cc(board, board.ships_of(power, fleet))
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


def move_fleets(board: Board, moves: Sequence[tuple[str, str, tuple[str, ...]]]) -> None:
    """Step 7, EN-MOV-3: three impulses, all fleets at once in each."""
    voyages = [
        Voyage(owner, fleet, at(board, owner, fleet), at(board, owner, fleet), list(path))
        for owner, fleet, path in moves
    ]
    for _ in range(tables().movement.impulses):
        arrived = [voyage for voyage in voyages if voyage.under_way and advance(board, voyage)]
        for voyage in arrived:
            arrive(board, voyage)
        for voyage in arrived:
            voyage.stopped_by = who_stops(board, voyage)
        for voyage in arrived:
            sight_arrival(board, voyage)
    for voyage in voyages:
        facts: dict[str, Any] = {"fleet": voyage.fleet, "power": voyage.owner, "from": voyage.start, "to": voyage.here}
        facts |= {"path": [voyage.start, *voyage.passed], "stopped": bool(voyage.stopped_by), "by": voyage.stopped_by}
        board.tell("move", "EN-MOV-3", STEP, {voyage.owner}, **facts)


def at(board: Board, owner: str, fleet: str) -> str:
    return board.fleets[owner, fleet].location


def advance(board: Board, voyage: Voyage) -> bool:
    """Spend one movement point; True when the lane's end is reached."""
    if voyage.left == 0:
        lane = board.joined(voyage.here, voyage.path[0])
        assert lane is not None, "the path was checked before the fleet set out"
        voyage.left = tables().movement.cost_of(lane.kind)
        leave(board, voyage)
    voyage.left -= 1
    return voyage.left == 0


def leave(board: Board, voyage: Voyage) -> None:
    """On a lane a fleet is in no system: it stops nobody and nobody stops it (EN-MOV-4)."""
    board.on_lanes.update(ship.id for ship in board.ships_of(voyage.owner, voyage.fleet))


def arrive(board: Board, voyage: Voyage) -> None:
    ships = board.ships_of(voyage.owner, voyage.fleet)
    voyage.here = voyage.path.pop(0)
    voyage.passed = (*voyage.passed, voyage.here)
    flotilla = board.fleets[voyage.owner, voyage.fleet]
    board.fleets[voyage.owner, voyage.fleet] = replace(flotilla, location=voyage.here)
    for ship in ships:
        board.on_lanes.discard(ship.id)
        board.move_unit(ship.id, voyage.here)


def who_stops(board: Board, voyage: Voyage) -> str:
    """EN-MOV-5: an intact ship of a hostile bloc at war stops whoever arrives."""
    for unit in board.at(voyage.here):
        if board.same_bloc(voyage.owner, unit.owner) or not unit.intact or unit.id in board.on_lanes:
            continue
        if board.is_ship(unit) and board.at_war(voyage.owner, unit.owner):
            return unit.owner
    return ""


def sight_arrival(board: Board, voyage: Voyage) -> None:
    """Section 8: an arrival is seen by powers with a unit in, or owning, the system."""
    others = board.present(voyage.here) - {voyage.owner}
    watching = {key for key in others if key == board.systems[voyage.here].owner or watches(board, key, voyage.here)}
    if watching:
        facts: dict[str, Any] = {
            "fleet": "",
            "power": voyage.owner,
            "from": "",
            "to": voyage.here,
            "path": [],
            "stopped": False,
            "by": "",
        }
        board.tell("move", "EN-MOV-5", STEP, watching, **facts)


def watches(board: Board, power: str, system: str) -> bool:
    return any(unit.owner == power and not on_lane(board, unit) for unit in board.at(system))


def on_lane(board: Board, unit: Unit) -> bool:
    return (unit.carrier if unit.carrier is not None else unit.id) in board.on_lanes

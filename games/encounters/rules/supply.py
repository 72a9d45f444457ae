"""EN-SUP: who is in supply, and where."""

from __future__ import annotations

from games.encounters.data import BASE, SHIPYARD
from games.encounters.rules.board import Board
from games.encounters.tables import tables


def in_supply(board: Board, power: str, system: str) -> bool:
    """EN-SUP-1: at most 3 lanes to a bloc system with an intact Shipyard or Base, or an own Supply ship here."""
    if not board.switches.supply or has_supply_ship(board, power, system):
        return True
    reached, ring = {system}, [system]
    for distance in range(tables().movement.supply_lanes + 1):
        if any(is_depot(board, power, name) for name in ring):
            return True
        # The ends of the way are excepted; every system in between must be open.
        onward = [name for name in ring if distance == 0 or is_open(board, power, name)]
        ring = sorted({other for name in onward for other in board.neighbours(name) if other not in reached})
        reached.update(ring)
    return False


def has_supply_ship(board: Board, power: str, system: str) -> bool:
    return any(
        unit.owner == power and unit.intact and board.design(unit).has("Supply") and board.is_ship(unit)
        for unit in board.at(system)
    )


def is_depot(board: Board, power: str, system: str) -> bool:
    owner = board.systems[system].owner
    if owner is None or not board.same_bloc(power, owner):
        return False
    return any(
        unit.intact and board.same_bloc(power, unit.owner) and board.design(unit).code in (SHIPYARD, BASE)
        for unit in board.at(system)
    )


def is_open(board: Board, power: str, system: str) -> bool:
    """No hostile intact ship, or one of the bloc beside it."""
    ships = [unit for unit in board.at(system) if unit.intact and board.is_ship(unit)]
    hostile = any(not board.same_bloc(power, unit.owner) for unit in ships)
    return not hostile or any(board.same_bloc(power, unit.owner) for unit in ships)


def report_supply(board: Board) -> None:
    """Step 10: powers hear which of their fleets are out of supply."""
    if not board.switches.supply:
        return
    for owner, name in sorted(board.fleets, key=lambda key: (board.seat(key[0]), key[1])):
        system = board.fleets[owner, name].location
        if not in_supply(board, owner, system):
            board.tell("supply", "EN-SUP-2", "readiness and detection", {owner}, system=system, fleet=name, way="out")

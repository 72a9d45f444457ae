"""Capture of a system (rule book 4.10: EN-CAP)."""

from __future__ import annotations

from typing import Any

from games.encounters.rules.board import Board
from games.encounters.rules.names import next_name, used_names
from games.encounters.state import Unit
from games.encounters.tables import tables

STEP = "capture"


def capturer(board: Board, system: str, bloc: tuple[str, ...]) -> str | None:
    """EN-CAP-1: the member with most intact landed troop CC; tie: seat. None: no intact troop landed."""
    weight = dict.fromkeys(bloc, 0)
    for unit in board.at(system):
        if unit.owner in weight and unit.landed and unit.intact and board.is_troop(unit):
            weight[unit.owner] += board.design(unit).CC
    best = min(bloc, key=lambda key: (-weight[key], board.seat(key)))
    return best if weight[best] else None


def capture(board: Board, system: str, power: str) -> None:
    """EN-CAP-1: the system changes hands, and with it or by it what stands there."""
    old = board.systems[system].owner
    if old == power:
        return
    morale = max(0, board.systems[system].MOR - tables().ground.capture_morale)
    board.set_system(system, owner=power, MOR=morale)
    facts: dict[str, Any] = {"system": system, "from": old or "", "to": power}
    board.tell("capture", "EN-CAP-1", STEP, board.everyone(), **facts)
    if old is not None:
        seize(board, system, old, power)


def seize(board: Board, system: str, old: str, power: str) -> None:
    """EN-CAP-1: builds and Intel are lost, defences and flights destroyed, Stations pass over crippled."""
    builds = [one for one in board.builds if one.system == system and one.owner == old]
    board.builds = [one for one in board.builds if one not in builds]
    intel = board.powers[old].intel.get(system, 0)
    kept = {name: points for name, points in board.powers[old].intel.items() if name != system}
    board.set_power(old, intel=kept)
    taken: list[str] = []
    destroyed: list[str] = []
    for unit in board.at(system):
        if unit.id not in board.units or unit.owner != old:
            continue
        if board.is_station(unit):
            destroyed.extend(destroy(board, passenger) for passenger in board.aboard(unit.id))
            taken.append(hand_over(board, unit, power))
        elif board.design(unit).category == "base" or (board.is_flight(unit) and unit.carrier is None):
            destroyed.append(destroy(board, unit))
    facts: dict[str, Any] = {"system": system, "from": old, "to": power, "units": taken, "destroyed": destroyed}
    names = [board.design_of(one.design).name for one in builds]
    board.tell("seized", "EN-CAP-1", STEP, {old, power}, **facts, builds=names, intel=intel)


def destroy(board: Board, unit: Unit) -> str:
    cost = board.design(unit).cost
    board.set_power(unit.owner, lost=board.powers[unit.owner].lost + cost)
    board.remove(unit.id)
    return unit.name


def hand_over(board: Board, unit: Unit, power: str) -> str:
    """The captor keeps the Station's name unless it has one of that name already."""
    name = unit.name
    if name.casefold() in used_names(board, power):
        name = next_name(board, power, unit.design)
    board.change(unit.id, owner=power, state="crippled", repairing=False, name=name)
    return name

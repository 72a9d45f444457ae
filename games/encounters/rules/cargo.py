"""Loading, unloading, transfers and renaming (rule book 4.12: EN-CAR, EN-MOV-7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.encounters.rules.board import Board
from games.encounters.rules.names import check_new_name
from games.encounters.state import Unit
from pbem.kit.sheet import BadOrder

STEP_BEFORE, STEP_AFTER = "reorganisation", "landing"


def enemy_troops_landed(board: Board, power: str, system: str) -> bool:
    return any(
        unit.landed and not board.same_bloc(power, unit.owner) and board.is_troop(unit) for unit in board.at(system)
    )


def check_troops_free(board: Board, power: str, unit: Unit) -> None:
    """EN-CAR-2: no troops move where enemy troops are landed, nor in a blockaded system of the own bloc."""
    system = unit.location
    if not board.is_troop(unit):
        return
    if enemy_troops_landed(board, power, system):
        raise BadOrder("EN-VAL-17", f"{unit.name}: enemy troops are landed at {system} (EN-CAR-2)", "fight them first")
    owner = board.systems[system].owner
    if system in board.blockaded and owner is not None and board.same_bloc(power, owner):
        raise BadOrder("EN-VAL-17", f"{unit.name}: {system} is blockaded (EN-CAR-2)", "break the blockade first")


def load(board: Board, power: str, carrier_id: int, number: int) -> None:
    """EN-CAR-1: a landed troop or system-based flight boards an own intact ship or Station with free CV."""
    carrier, unit = board.units[carrier_id], board.units[number]
    if not carrier.intact:
        raise BadOrder("EN-VAL-16", f"{carrier.name} is crippled: nothing may board it (EN-GEN-3)", "repair it first")
    if unit.carrier is not None:
        holder = board.units[unit.carrier].name
        raise BadOrder("EN-VAL-17", f"{unit.name} is already aboard {holder}", f"{holder}: unload {unit.name}")
    if unit.location != carrier.location:
        reason = f"{unit.name} is at {unit.location}, {carrier.name} at {carrier.location}"
        raise BadOrder("EN-VAL-17", reason, "bring them together first")
    check_troops_free(board, power, unit)
    needed, free, total = board.design(unit).CC, board.free_cv(carrier), board.design(carrier).CV
    if needed > free:
        reason = f"{carrier.name} has CV {total}, in use {total - free}; {unit.name} needs {needed}"
        raise BadOrder("EN-VAL-18", reason, f"free CV: {free}")
    board.change(number, carrier=carrier_id, landed=False)
    facts: dict[str, Any] = {"carrier": carrier.name, "unit": unit.name, "way": "boards", "system": unit.location}
    board.tell("cargo", "EN-CAR-1", STEP_BEFORE, {power}, **facts)


def unload(board: Board, power: str, carrier_id: int, number: int, step: str) -> None:
    """EN-CAR-1: into an own or own-bloc system, from an intact carrier."""
    carrier, unit = board.units[carrier_id], board.units[number]
    if unit.carrier != carrier_id:
        raise BadOrder("EN-VAL-17", f"{unit.name} is not aboard {carrier.name}", aboard_text(board, carrier))
    if not carrier.intact:
        raise BadOrder("EN-VAL-16", f"{carrier.name} is crippled: nothing may leave it (EN-GEN-3)", "repair it first")
    owner = board.systems[unit.location].owner
    if owner is None or not board.same_bloc(power, owner):
        reason = f"{unit.location} belongs neither to you nor to your bloc (EN-CAR-1)"
        raise BadOrder("EN-VAL-17", reason, "there, troops land by ground battle: invade")
    check_troops_free(board, power, unit)
    board.change(number, carrier=None, landed=board.is_troop(unit))
    facts: dict[str, Any] = {"carrier": carrier.name, "unit": unit.name, "way": "leaves", "system": unit.location}
    board.tell("cargo", "EN-CAR-1", step, {power}, **facts)


def aboard_text(board: Board, carrier: Unit) -> str:
    names = [unit.name for unit in board.aboard(carrier.id)]
    return f"aboard: {', '.join(names)}" if names else "nothing is aboard"


def transfer(board: Board, power: str, ships: Sequence[int], to: str) -> None:
    """EN-MOV-7: ships join another own fleet of the same system; a new name makes a new fleet."""
    for number in ships:
        ship = board.units[number]
        there = board.fleets.get((power, to))
        if there is not None and there.location != ship.location:
            reason = f"{ship.name} is at {ship.location}, {to} at {there.location}"
            raise BadOrder("EN-VAL-17", reason, "a fleet in the same system, or a new name")
        if there is None:
            check_new_name(board, power, to)
            board.join_fleet(power, to, ship.location)
        board.change(number, fleet=to)
    board.drop_empty_fleets()


def rename_unit(board: Board, power: str, number: int, name: str) -> None:
    check_new_name(board, power, name)
    board.change(number, name=name)


def rename_fleet(board: Board, power: str, old: str, name: str) -> None:
    check_new_name(board, power, name)
    ships = board.ships_of(power, old)
    board.fleets[power, name] = replace(board.fleets.pop((power, old)), name=name)
    for ship in ships:
        board.change(ship.id, fleet=name)
    board.renamed[power, old] = name

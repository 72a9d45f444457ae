"""Forced includes and excludes (rule book 4.5: EN-INX)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.encounters.plans import Forcing
from games.encounters.rules.board import Board
from games.encounters.rules.combatant import Combatant, select
from games.encounters.rules.squadrons import HOME, PRESSED, Force, launch, order_squadrons


@dataclass(frozen=True)
class Forced:
    """One unit forced in or out."""

    by: str
    unit: Combatant
    way: str

    @property
    def cost(self) -> int:
        return self.unit.design.CC


def choices(budget: int, forcers: Sequence[Force], enemies: Sequence[Force]) -> list[Forced]:
    """EN-INX-1, 2: a bloc's shared budget, spent in seat order and line order on the forces as chosen."""
    made: list[Forced] = []
    for force in forcers:
        for forcing in force.plan.forcing:
            budget = walk(force.power, forcing, enemies, budget, made)
    return made


def walk(power: str, forcing: Forcing, enemies: Sequence[Force], budget: int, made: list[Forced]) -> int:
    flagships = [force.flagship for force in enemies if force.flagship is not None]
    for target in forcing.targets:
        for one in select(target, candidates(forcing.way, enemies, made), flagships):
            if budget < one.design.CC or is_last(forcing.way, one, enemies, made):
                continue
            budget -= one.design.CC
            made.append(Forced(power, one, forcing.way))
    return budget


def candidates(way: str, enemies: Sequence[Force], made: Sequence[Forced]) -> list[Combatant]:
    """EN-INX-1: ships, flights and Stations; troops, Defences and Mines may not be chosen."""
    chosen = {forced.unit.id for forced in made}
    pool = [one for force in enemies for one in (force.units if way == "exclude" else force.reserve)]
    able = [one for one in pool if one.id not in chosen and one.design.path != "Fortification"]
    if way == "exclude":
        gone = {forced.unit.id for forced in made if forced.way == "exclude"}
        return [one for one in able if one.carrier not in gone]
    intact = {one.id for force in enemies for one in force.units if one.intact}
    return [one for one in able if not one.is_flight or one.carrier in intact]


def is_last(way: str, one: Combatant, enemies: Sequence[Force], made: Sequence[Forced]) -> bool:
    """EN-INX-3: the last participating ship or base of a bloc cannot be excluded."""
    if way != "exclude" or one.is_flight:
        return False
    ins = [forced.unit for forced in made if forced.way == "include"]
    outs = {forced.unit.id for forced in made if forced.way == "exclude"}
    present = [unit for force in enemies for unit in force.units] + ins
    left = [unit for unit in present if not unit.is_flight and unit.id not in outs and unit.id != one.id]
    return not left


def apply(board: Board, forced: Sequence[Forced], forces: Sequence[Force]) -> None:
    """EN-INX-3, 4: pressed ships join Pressed with their flights; an excluded ship takes its flights out."""
    for one in forced:
        force = next(force for force in forces if force.power == one.unit.owner)
        if one.way == "include":
            press(board, force, one.unit)
        else:
            expel(force, one.unit)
    for force in forces:
        order_squadrons(force)


def press(board: Board, force: Force, unit: Combatant) -> None:
    force.reserve.remove(unit)
    carrier = next((one for one in force.units if one.id == unit.carrier), None)
    if unit.is_flight:
        unit.squadron = carrier.squadron if carrier else PRESSED
    else:
        unit.squadron = HOME if unit.design.path == "Station" else PRESSED
    unit.pressed = True
    force.units.append(unit)
    if not unit.is_flight:
        launch(board, force, unit)


def expel(force: Force, unit: Combatant) -> None:
    out = [one for one in force.units if one is unit or (one.is_flight and one.carrier == unit.id)]
    for one in out:
        force.units.remove(one)
        force.excluded.append(one)

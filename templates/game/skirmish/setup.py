"""Scenario and situation files to a battle; every field of it can be set."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kit.codec import BadData, build, did_you_mean
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import parse
from pbem.kit.scenario import Scenario

from skirmish.data import CLASSES
from skirmish.state import Ship, Squadron, State


@dataclass(frozen=True)
class ShipTable:
    """A ship as a file says it."""

    name: str
    squadron: str
    kind: str
    hex: str
    hull: int | None = None
    """Without it, as the yard built her."""


@dataclass(frozen=True)
class File:
    squadron: tuple[Squadron, ...]
    ship: tuple[ShipTable, ...]
    columns: int = 16
    rows: int = 12
    last_turn: int = 8
    turn: int = 1


def setup(scenario: Scenario, dice: Dice) -> State:  # noqa: ARG001  no chance in how a battle opens
    """The opening of a scenario, or the situation a file describes."""
    file: File = build(File, scenario.data, scenario.key)
    ships = tuple(_ship(table, file, f"{scenario.key}: ship {table.name}") for table in file.ship)
    names = [ship.name.casefold() for ship in ships]
    for name in names:
        if names.count(name) > 1:
            raise BadData(f"{scenario.key}: ship {name}", "two ships bear this name")
    state = State(file.columns, file.rows, file.last_turn, file.squadron, ships, file.turn)
    for ship in ships:
        if not state.on_map(ship.at):
            raise BadData(f"{scenario.key}: ship {ship.name}.hex", f"off a map of {file.columns} by {file.rows} hexes")
    return state


def _ship(table: ShipTable, file: File, where: str) -> Ship:
    if table.kind not in CLASSES:
        raise BadData(f"{where}.kind", f"no class '{table.kind}'{did_you_mean(table.kind, list(CLASSES))}")
    squadrons = [squadron.id for squadron in file.squadron]
    if table.squadron not in squadrons:
        raise BadData(f"{where}.squadron", f"no squadron '{table.squadron}'{did_you_mean(table.squadron, squadrons)}")
    at = parse(table.hex)
    if at is None:
        raise BadData(f"{where}.hex", f"a hex such as '0304' is needed, not '{table.hex}'")
    hull = CLASSES[table.kind].hull if table.hull is None else table.hull
    return Ship(table.name, table.squadron, table.kind, at, hull)

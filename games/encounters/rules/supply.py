"""EN-SUP: who is in supply, and where."""

from __future__ import annotations

from games.encounters.data import BASE, SHIPYARD, tables
from games.encounters.table import Table


def in_supply(table: Table, power: str, system: str) -> bool:
    """EN-SUP-1: at most 3 lanes to a bloc system with an intact Shipyard or Base, or an own Supply ship here."""
    if not table.switches.supply or has_supply_ship(table, power, system):
        return True
    reached, ring = {system}, [system]
    for distance in range(tables().movement.supply_lanes + 1):
        if any(is_depot(table, power, name) for name in ring):
            return True
        # The ends of the way are excepted; every system in between must be open.
        onward = [name for name in ring if distance == 0 or is_open(table, power, name)]
        ring = sorted({other for name in onward for other in table.neighbours(name) if other not in reached})
        reached.update(ring)
    return False


def has_supply_ship(table: Table, power: str, system: str) -> bool:
    return any(
        unit.owner == power and unit.intact and table.design(unit).has("Supply") and table.is_ship(unit)
        for unit in table.at(system)
    )


def is_depot(table: Table, power: str, system: str) -> bool:
    owner = table.systems[system].owner
    if owner is None or not table.same_bloc(power, owner):
        return False
    return any(
        unit.intact and table.same_bloc(power, unit.owner) and table.design(unit).code in (SHIPYARD, BASE)
        for unit in table.at(system)
    )


def is_open(table: Table, power: str, system: str) -> bool:
    """No hostile intact ship, or one of the bloc beside it."""
    ships = [unit for unit in table.at(system) if unit.intact and table.is_ship(unit)]
    hostile = any(not table.same_bloc(power, unit.owner) for unit in ships)
    return not hostile or any(table.same_bloc(power, unit.owner) for unit in ships)


def report_supply(table: Table) -> None:
    """Step 10: powers hear which of their fleets are out of supply."""
    table.step = "readiness and detection"
    if not table.switches.supply:
        return
    for owner, name in sorted(table.fleets, key=lambda key: (table.seat(key[0]), key[1])):
        system = table.fleets[owner, name].location
        if not in_supply(table, owner, system):
            table.tell("supply", "EN-SUP-2", owner, {"system": system, "fleet": name, "way": "out"})

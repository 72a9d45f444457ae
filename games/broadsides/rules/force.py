"""Chapter 4.18, forces: jump ships and escorts, upgrades and what units are worth."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from games.broadsides.data import TABLES, Catalogue
from games.broadsides.state import Flight, Ship, State

ESCORTS = 2
YEARS_PER_UPGRADE = 20
MOST_UPGRADES = 3
UPGRADE_PERCENT = 5


def check_force(state: State) -> list[str]:
    """BR-SET-2 and BR-SET-3: what is wrong with the forces, in sentences."""
    catalogue, faults = state.cards, list[str]()
    for side in state.sides:
        ships = [unit for unit in state.units() if isinstance(unit, Ship) and unit.side == side.id]
        if side.defender or not ships:
            continue
        jumpers = [ship for ship in ships if catalogue.classes[ship.class_name].jump]
        if not jumpers:
            faults.append(f"{side.id} has 0 jump-capable ships, at least 1 is needed")
            continue
        faults.extend(_unescorted(side.id, ships, catalogue))
    return faults


def _unescorted(side: str, ships: list[Ship], catalogue: Catalogue) -> list[str]:
    """Each non-jump ship takes a free place of the smallest jump ship that is larger than it is."""
    rank = {ship.name: TABLES.size_rank[catalogue.classes[ship.class_name].size] for ship in ships}
    jumpers = sorted((s for s in ships if catalogue.classes[s.class_name].jump), key=lambda s: rank[s.name])
    places = {ship.name: ESCORTS for ship in jumpers}
    faults = []
    for ship in sorted((s for s in ships if not catalogue.classes[s.class_name].jump), key=lambda s: -rank[s.name]):
        taken = next((j for j in jumpers if rank[j.name] > rank[ship.name] and places[j.name]), None)
        if taken is None:
            faults.append(f"{side}: no jump ship larger than {ship.name} has one of its {ESCORTS} places free")
        else:
            places[taken.name] -= 1
    return faults


def most_sensor_upgrades(catalogue: Catalogue, race: str, year: int) -> int:
    """BR-SET-7: one point for each twenty years past the race's base year, at most three."""
    base = catalogue.races[race].sensor_base_year
    if base is None:
        return 0
    return max(0, min(MOST_UPGRADES, (year - base) // YEARS_PER_UPGRADE))


def ship_points(catalogue: Catalogue, ship: Ship) -> int:
    """BR-SET-9: the class's points and its upgrades at 5% each, rounded up."""
    points = catalogue.classes[ship.class_name].points
    each = ceil(points * UPGRADE_PERCENT / 100)
    return points + each * (ship.sensor_upgrades + int(ship.jammer_upgrade))


def flight_points(catalogue: Catalogue, flight: Flight) -> int:
    """All its fighters as built."""
    return catalogue.fighters[flight.class_name].points * len(flight.fighters)


def side_points(state: State, catalogue: Catalogue) -> Mapping[str, int]:
    """What each side brought."""
    totals = {side.id: 0 for side in state.sides}
    for unit in state.units():
        worth = ship_points(catalogue, unit) if isinstance(unit, Ship) else flight_points(catalogue, unit)
        totals[unit.side] += worth
    return totals

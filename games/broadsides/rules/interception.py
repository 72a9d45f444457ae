"""Chapter 4.6: interceptors, guardians and flights on I."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from games.broadsides.data import WeaponType
from games.broadsides.rules.geometry import bears
from games.broadsides.rules.mounts import covers, exactness, full_mounts
from games.broadsides.state import Ship, Unit
from games.broadsides.table import Table
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.table import Tally

BALLISTIC_BONUS = 1
DEDICATED = 3
"""BR-INT-5: mounts of this value or more are kept back unless ordered otherwise."""
GUARDIAN_SHARE = 3
FLIGHT_VALUE = 1
NOT_INTERCEPTED = ("grav_beam", "grav_shifter", "grav_cannon", "energy_mine", "gravity_mine")


@dataclass(frozen=True)
class Incoming:
    """A shot that has hit, before it does damage."""

    source: Hex
    """The firer's hex, or the launch hex."""
    pulses: int
    """0: one shot, stopped by a single success."""
    average: Fraction
    ballistic: bool


def can_be_intercepted(weapon: WeaponType) -> bool:
    """BR-INT-1."""
    if weapon.projectile == "em" or weapon.special in NOT_INTERCEPTED or weapon.mode == "area" or weapon.mine:
        return False
    return weapon.projectile != "beam" or "boson" in weapon.flags


def reserved(table: Table, ship: Ship) -> frozenset[str]:
    """BR-INT-5: the mounts kept for interception."""
    return table.remembered(("reserved", ship.name), lambda: _reserved(table, ship))


def _reserved(table: Table, ship: Ship) -> frozenset[str]:
    sheet, orders = table.sheet(ship), table.doctrine.of(ship.name)
    values = {mount.id: table.catalogue.weapons[mount.type].intercept for mount in sheet.mounts}
    if orders.intercept is not None:
        named = (mount for mount in sheet.mounts if covers(table.catalogue, mount, orders.intercept))
        return frozenset(mount.id for mount in named if values[mount.id])
    kept = []
    lines = [line.mounts for line in orders.lines if not isinstance(line, tuple)]
    for mount in sheet.mounts:
        ordered = any(exactness(table.catalogue, mount, refs) > 1 for refs in lines)
        if values[mount.id] >= DEDICATED and not ordered:
            kept.append(mount.id)
    return frozenset(kept)


def intercept(table: Table, target: Unit, shot: Incoming, label: tuple[object, ...]) -> int:
    """BR-INT-2 to 7: the pulses left of a hit, or 1 for a single shot that goes through; 0: stopped."""
    remaining = shot.pulses or 1
    assigned = _assigned(table, target, shot)
    for ship_name, mount, value in assigned:
        remaining -= _roll(table, ship_name, mount, value, shot, label)
    remaining = max(0, remaining)
    if remaining and shot.ballistic:
        remaining = _flights_intercept(table, target, remaining, label)
    return remaining


def _assigned(table: Table, target: Unit, shot: Incoming) -> list[tuple[str, str, int]]:
    """BR-INT-4: the interceptors, fixed before rolling: own mounts, then guardians of friends."""
    orders = table.doctrine.of(target.name)
    if shot.average < orders.intercept_min:
        return []
    own = _own_mounts(table, target, shot) if isinstance(target, Ship) else []
    return [*own, *_guardians(table, target, shot)][: orders.intercept_max]


def _own_mounts(table: Table, ship: Ship, shot: Incoming) -> list[tuple[str, str, int]]:
    """Highest value first, then sheet order."""
    if ship.cnc_failure:
        return []
    if table.sheet(ship).size == "OSAT":
        # BR-OSA-1: any mount with a value, until the OSAT is activated.
        kept = frozenset[str]() if ship.fired else frozenset(ship.weapon)
    else:
        kept = reserved(table, ship)
    mounts = [
        (ship.name, mount, weapon.intercept)
        for mount, weapon in full_mounts(table, ship)
        if weapon.intercept and mount in kept and bears(ship, _arc(table, ship, mount), shot.source)
    ]
    return sorted(mounts, key=lambda mount: -mount[2])


def _arc(table: Table, ship: Ship, mount: str) -> tuple[int, int]:
    return table.sheet(ship).systems[mount].arc


def _guardians(table: Table, target: Unit, shot: Incoming) -> list[tuple[str, str, int]]:
    """BR-INT-6: guardian arrays of friends within a third of the firer's distance."""
    reach = distance(shot.source, target.position) // GUARDIAN_SHARE
    mounts = []
    for ship in table.ships_of(target.side):
        if ship.name == target.name or ship.cnc_failure or distance(ship.position, target.position) > reach:
            continue
        kept = reserved(table, ship)
        for mount, weapon in full_mounts(table, ship):
            bearing = bears(ship, _arc(table, ship, mount), shot.source)
            if "guardian" in weapon.flags and mount in kept and bearing:
                mounts.append((ship.name, mount, weapon.intercept))
    return sorted(mounts, key=lambda mount: -mount[2])


def _roll(table: Table, ship_name: str, mount: str, value: int, shot: Incoming, label: tuple[object, ...]) -> int:
    """BR-INT-2, 3: the pulses one interceptor stops; 1 stops a single shot."""
    ship = table.ships[ship_name]
    table.set_mount(ship, mount, used=True, charge=0)
    tally = table.tally(*label, "interceptor", ship_name, mount)
    die = tally.roll(10, "intercept")
    need = value + (BALLISTIC_BONUS if shot.ballistic else 0)
    stopped = (die if shot.pulses else 1) if die <= need else 0
    facts = {"unit": ship_name, "mount": mount, "die": die, "value": need, "stopped": stopped, "pulses": shot.pulses}
    table.tell("intercept", "BR-INT-2", table.sides, facts, tally.taken())
    return stopped


def _flights_intercept(table: Table, target: Unit, remaining: int, label: tuple[object, ...]) -> int:
    """BR-INT-7: each fighter of a flight on I once per turn, until one succeeds."""
    for flight in table.flights_of(target.side):
        if flight.order != "I" or flight.position != target.position or flight.launched_now:
            continue
        for index, fighter in enumerate(flight.fighters):
            if not fighter.acting or fighter.intercepted:
                continue
            table.set_fighter(flight.name, index, intercepted=True)
            if _fighter_stops(table, flight.name, index, table.tally(*label, flight.name, index + 1)):
                return remaining - 1
    return remaining


def _fighter_stops(table: Table, name: str, index: int, tally: Tally) -> bool:
    die = tally.roll(10, "intercept")
    stopped = die <= FLIGHT_VALUE
    facts = {
        "unit": name,
        "mount": f"fighter {index + 1}",
        "die": die,
        "value": FLIGHT_VALUE,
        "stopped": int(stopped),
        "pulses": 0,
    }
    table.tell("intercept", "BR-INT-7", table.sides, facts, tally.taken())
    return stopped

"""Chapter 4.17: programs choose targets, for OSATs and for anybody's mounts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.broadsides.data import TABLES, WeaponType
from games.broadsides.rules.geometry import bears, blocked
from games.broadsides.rules.tohit import chance
from games.broadsides.state import Flight, Program, Ship, Unit
from games.broadsides.table import Table
from pbem.kit.hexgrid import distance

HOLD_FAST, HOLD_SLOW = 5, 8
"""BR-SEQ-9: T below which a mount holds, for weapons that fire every turn and for slower ones."""
AREA_SPECIALS = ("pulsar_mine", "plasma_web")


def hold_limit(table: Table, ship: Ship, weapon: WeaponType) -> int:
    ordered = table.doctrine.of(ship.name).hold_below
    if ordered is not None:
        return ordered
    return HOLD_SLOW if weapon.large else HOLD_FAST


def in_reach(table: Table, ship: Ship, mount: str, target: Unit) -> bool:
    """In arc, in range, not blocked."""
    system = table.sheet(ship).systems[mount]
    weapon = table.catalogue.weapons[system.type]
    if weapon.max_range is not None and distance(ship.position, target.position) > weapon.max_range:
        return False
    return bears(ship, system.arc, target.position) and not blocked(table.ground.large, ship.position, target.position)


def targets_of(table: Table, ship: Ship, weapon: WeaponType, program: Program) -> list[Unit]:
    """BR-OSA-2: enemy ships, flights or both; area weapons only ever aim at flights."""
    enemies = _enemies(table, table.enemy(ship.side))
    ships: list[Unit] = [unit for unit in enemies if isinstance(unit, Ship)]
    flights: list[Unit] = [unit for unit in enemies if isinstance(unit, Flight)]
    if weapon.special in AREA_SPECIALS or program.among == "fighter":
        return flights
    return ships if program.among == "ship" else [*ships, *flights]


def _enemies(table: Table, enemy: str) -> Sequence[Unit]:
    """The side's units on the map, flights only while they have a fighter left."""
    return table.remembered(
        ("enemies", enemy),
        lambda: [unit for unit in table.units() if unit.side == enemy and (isinstance(unit, Ship) or unit.living)],
    )


def choose(table: Table, ship: Ship, mount: str, program: Program, chance_of: Callable[[Unit], int]) -> Unit | None:
    """BR-OSA-2: the program's target for a mount, evaluated when it fires."""
    weapon = table.weapon(ship, mount)
    if program.unless_slow and weapon.large:
        return None
    limit = hold_limit(table, ship, weapon)
    candidates = []
    for unit in targets_of(table, ship, weapon, program):
        t = chance_of(unit)
        if t >= limit and in_reach(table, ship, mount, unit):
            candidates.append((unit, t))
    return select(table, ship, program, candidates)


def select(table: Table, ship: Ship, program: Program, candidates: Sequence[tuple[Unit, int]]) -> Unit | None:
    """The program's choice among units with their T; ties: nearer, larger, higher T, roster order."""
    wanted = list(candidates)
    if program.over is not None:
        wanted = [(unit, t) for unit, t in wanted if t > program.over]
    if program.kind == "closing":
        wanted = [(unit, t) for unit, t in wanted if is_closing(ship, unit)]
    if not wanted:
        return None
    return min(wanted, key=lambda rated: _rank(table, ship, program, *rated))[0]


def _rank(table: Table, ship: Ship, program: Program, unit: Unit, t: int) -> tuple[int, ...]:
    far = distance(ship.position, unit.position)
    size = TABLES.size_rank[table.sheet(unit).size] if isinstance(unit, Ship) else 0
    place = table.roster.index(unit.name)
    if program.kind == "biggest":
        return (-size, far, -t, place)
    if program.kind == "best-chance":
        return (-t, far, -size, place)
    return (far, -size, -t, place)


def is_closing(ship: Ship, unit: Unit) -> bool:
    """Nearer now than at the start of the last movement; with no such memory nothing closes."""
    if ship.start_position is None or unit.start_position is None:
        return False
    return distance(ship.position, unit.position) < distance(ship.start_position, unit.start_position)


def program_target(
    table: Table, ship: Ship, mount: str, program: Program, need: Callable[[Unit], int] | None = None
) -> Unit | None:
    """The target of a gun under a program; ``need`` is its T where it is not fired plainly."""
    weapon = table.weapon(ship, mount)
    if weapon.special == "plasma_web":
        near = [flight for flight in targets_of(table, ship, weapon, program) if in_reach(table, ship, mount, flight)]
        return min(near, key=lambda flight: distance(ship.position, flight.position), default=None)
    plain = need or (lambda unit: chance(table, ship, weapon, unit).total)
    return choose(table, ship, mount, program, plain)

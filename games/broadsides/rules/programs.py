"""Chapter 4.17: programs choose targets, for OSATs and for anybody's mounts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.broadsides.data import TABLES, WeaponType
from games.broadsides.rules.battle import Battle
from games.broadsides.rules.geometry import bears, blocked
from games.broadsides.rules.tohit import chance
from games.broadsides.state import Flight, Program, Ship, Unit, living
from pbem.kit.hexgrid import distance

HOLD_FAST, HOLD_SLOW = 5, 8
"""BR-SEQ-9: T below which a mount holds, for weapons that fire every turn and for slower ones."""
AREA_SPECIALS = ("pulsar_mine", "plasma_web")


def hold_limit(battle: Battle, ship: Ship, weapon: WeaponType) -> int:
    ordered = battle.doctrine.of(ship.name).hold_below
    if ordered is not None:
        return ordered
    return HOLD_SLOW if weapon.large else HOLD_FAST


def default_program(ship: Ship) -> Program:
    """An OSAT's own; others have best-chance unless a program was set in setup."""
    return ship.program


def in_reach(battle: Battle, ship: Ship, mount: str, target: Unit) -> bool:
    """In arc, in range, not blocked."""
    system = battle.sheet(ship).systems[mount]
    weapon = battle.catalogue.weapons[system.type]
    if weapon.max_range is not None and distance(ship.position, target.position) > weapon.max_range:
        return False
    return bears(ship, system.arc, target.position) and not blocked(battle.ground.large, ship.position, target.position)


def targets_of(battle: Battle, ship: Ship, weapon: WeaponType, program: Program) -> list[Unit]:
    """BR-OSA-2: enemy ships, flights or both; area weapons only ever aim at flights."""
    enemy = battle.enemy(ship.side)
    ships: list[Unit] = []
    flights: list[Unit] = []
    for unit in _enemies(battle, enemy):
        (ships if isinstance(unit, Ship) else flights).append(unit)
    if weapon.special in AREA_SPECIALS or program.among == "fighter":
        return flights
    return ships if program.among == "ship" else [*ships, *flights]


def _enemies(battle: Battle, enemy: str) -> Sequence[Unit]:
    """The side's units on the map, flights only while they have a fighter left."""
    key = ("enemies", enemy)
    if key not in battle.chances:
        battle.chances[key] = [
            unit
            for unit in battle.units()
            if unit.side == enemy and (isinstance(unit, Ship) or (isinstance(unit, Flight) and living(unit)))
        ]
    found: Sequence[Unit] = battle.chances[key]
    return found


def choose(battle: Battle, ship: Ship, mount: str, program: Program, chance_of: Callable[[Unit], int]) -> Unit | None:
    """BR-OSA-2: the program's target for a mount, evaluated when it fires."""
    weapon = battle.weapon(ship, mount)
    if program.unless_slow and weapon.large:
        return None
    limit = hold_limit(battle, ship, weapon)
    candidates = []
    for unit in targets_of(battle, ship, weapon, program):
        t = chance_of(unit)
        if t >= limit and in_reach(battle, ship, mount, unit):
            candidates.append((unit, t))
    return select(battle, ship, program, candidates)


def select(battle: Battle, ship: Ship, program: Program, candidates: Sequence[tuple[Unit, int]]) -> Unit | None:
    """The program's choice among units with their T; ties: nearer, larger, higher T, roster order."""
    wanted = list(candidates)
    if program.over is not None:
        wanted = [(unit, t) for unit, t in wanted if t > program.over]
    if program.kind == "closing":
        wanted = [(unit, t) for unit, t in wanted if is_closing(ship, unit)]
    if not wanted:
        return None
    return min(wanted, key=lambda one: _rank(battle, ship, program, *one))[0]


def _rank(battle: Battle, ship: Ship, program: Program, unit: Unit, t: int) -> tuple[int, ...]:
    far = distance(ship.position, unit.position)
    size = TABLES.size_rank[battle.sheet(unit).size] if isinstance(unit, Ship) else 0
    place = battle.roster.index(unit.name)
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
    battle: Battle, ship: Ship, mount: str, program: Program, need: Callable[[Unit], int] | None = None
) -> Unit | None:
    """The target of a gun under a program; ``need`` is its T where it is not fired plainly."""
    weapon = battle.weapon(ship, mount)
    if weapon.special == "plasma_web":
        near = [one for one in targets_of(battle, ship, weapon, program) if in_reach(battle, ship, mount, one)]
        return min(near, key=lambda one: distance(ship.position, one.position), default=None)
    plain = need or (lambda unit: chance(battle, ship, weapon, unit).total)
    return choose(battle, ship, mount, program, plain)

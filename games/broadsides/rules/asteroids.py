"""Chapters 4.13 and 4.14: rocks, air and planets met on the way."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.data import TABLES, WeaponType
from games.broadsides.rules.criticals import destroy, lose_blocks, lose_structure
from games.broadsides.rules.damage import BLOCK, Wounds
from games.broadsides.rules.flightdamage import hit_flight, hurt_fighter
from games.broadsides.rules.geometry import next_side, side_toward
from games.broadsides.rules.mounts import covers, ready
from games.broadsides.rules.tohit import ew_of, range_modifier
from games.broadsides.state import Flight, Ship, Unit
from games.broadsides.table import Table
from pbem.kit.hexgrid import DIRECTIONS, Hex
from pbem.kit.table import Tally

SMALL_DIE, LARGE_DIE, FIGHTER_DIE = 10, 20, 6
SMALL_SIGNATURE, LARGE_SIGNATURE = 0, 3
CRASH_FACTOR = 5
POD_SPEED = 10


def asteroid_hits(table: Table, name: str, at: Hex, direction: int, step: int) -> None:
    """BR-AST-1, 2: the rocks of one field hex."""
    density, unit = table.ground.rocks.get(at, 0), table.on_map(name)
    if not density or unit is None:
        return
    if isinstance(unit, Flight):
        _on_flight(table, unit, at, density, step)
    else:
        _on_ship(table, unit, at, density, direction, step)


def _tell(table: Table, name: str, at: Hex, size: str, die: int, need: int, tally: Tally) -> None:
    facts = {"unit": name, "hex": [*at], "size": size, "die": die, "need": need, "hit": die <= need}
    table.tell("asteroid", "BR-AST-1", table.sides, facts, tally.taken())


def _on_flight(table: Table, flight: Flight, at: Hex, density: int, step: int) -> None:
    modifier, _, _ = TABLES.asteroid_attacks["fighter"]
    speed = POD_SPEED if table.is_pod(flight) else flight.speed
    need = modifier + speed + density
    tally = table.tally(flight.name, f"hex {step}", "asteroid")
    struck = []
    for index in flight.living:
        die = tally.roll(20, f"fighter {index + 1}")
        _tell(table, f"{flight.name} fighter {index + 1}", at, "small", die, need, tally)
        if die <= need:
            struck.append(index)
    for index in struck:
        hit_flight(table, flight.name, tally, tally.roll(FIGHTER_DIE, "damage"), index=index)


def _on_ship(table: Table, ship: Ship, at: Hex, density: int, direction: int, step: int) -> None:
    modifier, small, large = TABLES.asteroid_attacks[table.sheet(ship).size]
    need = modifier + ship.speed + density
    tally = table.tally(ship.name, f"hex {step}", "asteroid")
    incoming: list[int] = []
    for die_size in (*(SMALL_DIE,) * small, *(LARGE_DIE,) * large):
        size = "small" if die_size == SMALL_DIE else "large"
        die = tally.roll(20, f"{size} hits")
        _tell(table, ship.name, at, size, die, need, tally)
        if die <= need:
            incoming.append(die_size)
    for die_size in _cleared(table, ship.name, incoming, tally):
        if table.alive(ship.name):
            _rock(table, ship.name, direction, die_size, tally)


def _cleared(table: Table, name: str, incoming: list[int], tally: Tally) -> list[int]:
    """BR-AST-3: clearing shots, at the large ones first; the rocks that remain."""
    orders = table.doctrine.of(name)
    left = list(incoming)
    if not orders.clear or table.ships[name].cnc_failure:
        return left
    for system in table.sheet(table.ships[name]).mounts:
        ship = table.ships[name]
        weapon = table.catalogue.weapons[system.type]
        named = covers(table.catalogue, system, orders.clear) and not weapon.ballistic and weapon.mode != "area"
        if not left or not named or not ready(ship, system.id, weapon):
            continue
        rock = max(left)
        if _clears(table, ship, system.id, weapon, rock, tally):
            left.remove(rock)
    return left


def _clears(table: Table, ship: Ship, mount: str, weapon: WeaponType, rock: int, tally: Tally) -> bool:
    size = SMALL_SIGNATURE if rock == SMALL_DIE else LARGE_SIGNATURE
    t = size + ew_of(table, ship) + range_modifier(table, ship, weapon, 0, close=False)
    table.set_mount(ship, mount, used=True, charge=0)
    die = tally.roll(20, f"clearing with {mount}")
    facts = {"unit": ship.name, "mount": mount, "die": die, "need": t, "hit": die <= t}
    table.tell("clear", "BR-AST-3", table.sides, facts, tally.taken())
    return die <= t


def _rock(table: Table, name: str, direction: int, die_size: int, tally: Tally) -> None:
    ship = table.ships[name]
    sheet = table.sheet(ship)
    side = side_toward(sheet, ship, DIRECTIONS[direction])
    if sheet.sides:
        side = next_side(sheet, side, tally.roll(10, "side"))
    wounds = Wounds(table, name, tally, rule="BR-AST-2")
    place = wounds.locate(side)
    wounds.land(place, tally.roll(die_size, "damage"), side)


def crash(table: Table, name: str, direction: int) -> None:
    """BR-AST-4: a drifting unit meets a large asteroid: 5 v damage in strikes of ten; small craft are lost."""
    unit = table.named(name)
    if isinstance(unit, Flight):
        for index in unit.living:
            hurt_fighter(table, name, index, unit.fighters[index].structure)
        destroy(table, name, "it hits a large asteroid", "BR-AST-4")
        return
    damage = CRASH_FACTOR * unit.speed
    table.change(unit, speed=0, slide=None, turning=None)
    facts = {"unit": name, "hex": [*unit.position], "size": "huge", "die": None, "need": None, "hit": True}
    table.tell("asteroid", "BR-AST-4", table.sides, {**facts, "damage": damage})
    tally = table.tally(name, "crash")
    side = side_toward(table.sheet(unit), unit, DIRECTIONS[direction])
    wounds = Wounds(table, name, tally, rule="BR-AST-4")
    while damage > 0 and table.alive(name):
        wounds.strike(side, min(BLOCK, damage))
        damage -= BLOCK


# --- air -------------------------------------------------------------------------------------------------------------


def heat(table: Table, name: str, direction: int, *, strayed: bool) -> None:
    """BR-ATM-3: speed times the highest level less the heat shield, to everything on the leading side."""
    unit = table.on_map(name)
    if unit is None or not unit.highest_level:
        return
    rating = table.sheet(unit).atmospheric if isinstance(unit, Ship) else table.craft(unit).atmospheric
    shield = 0 if strayed or unit.highest_level > rating[0] else rating[1]
    speed = POD_SPEED if isinstance(unit, Flight) and table.is_pod(unit) else unit.speed
    damage = max(0, speed * unit.highest_level - shield)
    if not damage:
        return
    if isinstance(unit, Flight):
        table.tell("heat", "BR-ATM-3", table.sides, {"unit": name, "side": "", "damage": damage})
        for index in unit.living:
            hurt_fighter(table, name, index, damage)
        return
    _heat_ship(table, unit, direction, damage)


def _heat_ship(table: Table, ship: Ship, direction: int, damage: int) -> None:
    sheet = table.sheet(ship)
    side = side_toward(sheet, ship, DIRECTIONS[direction])
    if ship.structure[side] <= 0:
        side = "primary"
    table.tell("heat", "BR-ATM-3", table.sides, {"unit": ship.name, "side": side, "damage": damage})
    tally = table.tally(ship.name, "heat")
    for system in sheet.by_section[side].systems:
        left = table.ships[ship.name].blocks_left(system)
        if left > 0 and table.alive(ship.name):
            lose_blocks(table, ship.name, system, min(left, damage), tally)
    if table.alive(ship.name):
        lose_structure(table, ship.name, side, min(damage, table.ships[ship.name].structure[side]))


def drag(table: Table) -> None:
    """R14, BR-ATM-5: speed drops by the highest level met; at 0 turns and slides end."""
    for unit in list(table.units()):
        if unit.highest_level:
            table.put(_slowed(unit))


def _slowed(unit: Unit) -> Unit:
    speed = max(0, unit.speed - unit.highest_level)
    if isinstance(unit, Ship):
        stopped = speed == 0
        slide, turning = (None, None) if stopped else (unit.slide, unit.turning)
        return replace(unit, speed=speed, slide=slide, turning=turning, highest_level=0)
    return replace(unit, speed=speed, turning=None if speed == 0 else unit.turning, highest_level=0)

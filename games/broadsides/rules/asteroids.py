"""Chapters 4.13 and 4.14: rocks, air and planets met on the way."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.data import TABLES, WeaponType
from games.broadsides.rules.battle import Battle, Tally, ready
from games.broadsides.rules.criticals import destroy, lose_blocks, lose_structure
from games.broadsides.rules.damage import BLOCK, Wounds
from games.broadsides.rules.flightdamage import hit_flight, hurt_fighter
from games.broadsides.rules.geometry import next_side, side_toward
from games.broadsides.rules.mounts import covers
from games.broadsides.rules.tohit import ew_of, range_modifier
from games.broadsides.state import Flight, Ship, Unit, blocks_left, living
from pbem.kit.hexgrid import DIRECTIONS, Hex

SMALL_DIE, LARGE_DIE, FIGHTER_DIE = 10, 20, 6
SMALL_SIGNATURE, LARGE_SIGNATURE = 0, 3
CRASH_FACTOR = 5
POD_SPEED = 10


def asteroid_hits(battle: Battle, name: str, at: Hex, direction: int, step: int) -> None:
    """BR-AST-1, 2: the rocks of one field hex."""
    density = battle.fields.get(at, 0)
    unit = battle.unit(name)
    if not density or unit is None or unit.status != "on-map":
        return
    if isinstance(unit, Flight):
        _on_flight(battle, unit, at, density, step)
    else:
        _on_ship(battle, unit, at, density, direction, step)


def _tell(battle: Battle, name: str, at: Hex, size: str, die: int, need: int, tally: Tally) -> None:
    facts = {"unit": name, "hex": [*at], "size": size, "die": die, "need": need, "hit": die <= need}
    battle.tell("asteroid", "BR-AST-1", facts, tally.taken())


def _on_flight(battle: Battle, flight: Flight, at: Hex, density: int, step: int) -> None:
    modifier, _, _ = TABLES.asteroid_attacks["fighter"]
    speed = POD_SPEED if battle.is_pod(flight) else flight.speed
    need = modifier + speed + density
    tally = battle.tally(flight.name, f"hex {step}", "asteroid")
    struck = []
    for index in living(flight):
        die = tally.roll(20, f"fighter {index + 1}")
        _tell(battle, f"{flight.name} fighter {index + 1}", at, "small", die, need, tally)
        if die <= need:
            struck.append(index)
    for index in struck:
        hit_flight(battle, flight.name, tally, tally.roll(FIGHTER_DIE, "damage"), index=index)


def _on_ship(battle: Battle, ship: Ship, at: Hex, density: int, direction: int, step: int) -> None:
    modifier, small, large = TABLES.asteroid_attacks[battle.sheet(ship).size]
    need = modifier + ship.speed + density
    tally = battle.tally(ship.name, f"hex {step}", "asteroid")
    incoming: list[int] = []
    for die_size in (*(SMALL_DIE,) * small, *(LARGE_DIE,) * large):
        size = "small" if die_size == SMALL_DIE else "large"
        die = tally.roll(20, f"{size} hits")
        _tell(battle, ship.name, at, size, die, need, tally)
        if die <= need:
            incoming.append(die_size)
    for die_size in _cleared(battle, ship.name, incoming, tally):
        if battle.alive(ship.name):
            _rock(battle, ship.name, direction, die_size, tally)


def _cleared(battle: Battle, name: str, incoming: list[int], tally: Tally) -> list[int]:
    """BR-AST-3: clearing shots, at the large ones first; the rocks that remain."""
    orders = battle.doctrine.of(name)
    left = list(incoming)
    if not orders.clear or battle.ships[name].cnc_failure:
        return left
    for system in battle.sheet(battle.ships[name]).mounts:
        ship = battle.ships[name]
        weapon = battle.catalogue.weapons[system.type]
        named = covers(battle.catalogue, system, orders.clear) and not weapon.ballistic and weapon.mode != "area"
        if not left or not named or not ready(ship, system.id, weapon):
            continue
        rock = max(left)
        if _clears(battle, ship, system.id, weapon, rock, tally):
            left.remove(rock)
    return left


def _clears(battle: Battle, ship: Ship, mount: str, weapon: WeaponType, rock: int, tally: Tally) -> bool:
    size = SMALL_SIGNATURE if rock == SMALL_DIE else LARGE_SIGNATURE
    t = size + ew_of(battle, ship) + range_modifier(battle, ship, weapon, 0, close=False)
    battle.set_mount(ship, mount, used=True, charge=0)
    die = tally.roll(20, f"clearing with {mount}")
    facts = {"unit": ship.name, "mount": mount, "die": die, "need": t, "hit": die <= t}
    battle.tell("clear", "BR-AST-3", facts, tally.taken())
    return die <= t


def _rock(battle: Battle, name: str, direction: int, die_size: int, tally: Tally) -> None:
    ship = battle.ships[name]
    sheet = battle.sheet(ship)
    side = side_toward(sheet, ship, DIRECTIONS[direction])
    if sheet.sides:
        side = next_side(sheet, side, tally.roll(10, "side"))
    wounds = Wounds(battle, name, tally, rule="BR-AST-2")
    place = wounds.locate(side)
    wounds.land(place, tally.roll(die_size, "damage"), side)


def crash(battle: Battle, name: str, direction: int) -> None:
    """BR-AST-4: a drifting unit meets a large asteroid: 5 v damage in strikes of ten; small craft are lost."""
    unit = battle.unit(name)
    if unit is None:
        return
    if isinstance(unit, Flight):
        for index in living(unit):
            hurt_fighter(battle, name, index, unit.fighters[index].structure)
        destroy(battle, name, "it hits a large asteroid", "BR-AST-4")
        return
    damage = CRASH_FACTOR * unit.speed
    battle.put(replace(unit, speed=0, slide=None, turning=None))
    facts = {"unit": name, "hex": [*unit.position], "size": "huge", "die": None, "need": None, "hit": True}
    battle.tell("asteroid", "BR-AST-4", {**facts, "damage": damage})
    tally = battle.tally(name, "crash")
    side = side_toward(battle.sheet(unit), unit, DIRECTIONS[direction])
    wounds = Wounds(battle, name, tally, rule="BR-AST-4")
    while damage > 0 and battle.alive(name):
        wounds.strike(side, min(BLOCK, damage))
        damage -= BLOCK


# --- air -------------------------------------------------------------------------------------------------------------


def heat(battle: Battle, name: str, direction: int, *, strayed: bool) -> None:
    """BR-ATM-3: speed times the highest level less the heat shield, to everything on the leading side."""
    unit = battle.unit(name)
    if unit is None or unit.status != "on-map" or not unit.highest_level:
        return
    rating = battle.sheet(unit).atmospheric if isinstance(unit, Ship) else battle.craft(unit).atmospheric
    shield = 0 if strayed or unit.highest_level > rating[0] else rating[1]
    speed = POD_SPEED if isinstance(unit, Flight) and battle.is_pod(unit) else unit.speed
    damage = max(0, speed * unit.highest_level - shield)
    if not damage:
        return
    if isinstance(unit, Flight):
        battle.tell("heat", "BR-ATM-3", {"unit": name, "side": "", "damage": damage})
        for index in living(unit):
            hurt_fighter(battle, name, index, damage)
        return
    _heat_ship(battle, unit, direction, damage)


def _heat_ship(battle: Battle, ship: Ship, direction: int, damage: int) -> None:
    sheet = battle.sheet(ship)
    side = side_toward(sheet, ship, DIRECTIONS[direction])
    if ship.structure[side] <= 0:
        side = "primary"
    battle.tell("heat", "BR-ATM-3", {"unit": ship.name, "side": side, "damage": damage})
    tally = battle.tally(ship.name, "heat")
    for system in sheet.by_section[side].systems:
        left = blocks_left(battle.ships[ship.name], system)
        if left > 0 and battle.alive(ship.name):
            lose_blocks(battle, ship.name, system, min(left, damage), tally)
    if battle.alive(ship.name):
        lose_structure(battle, ship.name, side, min(damage, battle.ships[ship.name].structure[side]))


def drag(battle: Battle) -> None:
    """R14, BR-ATM-5: speed drops by the highest level met; at 0 turns and slides end."""
    for unit in list(battle.units()):
        if unit.highest_level:
            battle.put(_slowed(unit))


def _slowed(unit: Unit) -> Unit:
    speed = max(0, unit.speed - unit.highest_level)
    if isinstance(unit, Ship):
        stopped = speed == 0
        slide, turning = (None, None) if stopped else (unit.slide, unit.turning)
        return replace(unit, speed=speed, slide=slide, turning=turning, highest_level=0)
    return replace(unit, speed=speed, turning=None if speed == 0 else unit.turning, highest_level=0)

"""Chapter 4.9: gravity weapons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.broadsides.rules.battle import Battle, Tally
from games.broadsides.rules.criticals import lose_blocks, lose_structure
from games.broadsides.rules.damage import Location, Wounds
from games.broadsides.rules.geometry import next_side, side_toward
from games.broadsides.state import Ship, Side2, Unit, blocks_left
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance, neighbour, turned

SHARE_OF_OTHERS = 5
SHIFT_RESISTED_ABOVE = 3
PULL_RANGE = 5
SHEAR_RANGE = 2
SHEAR_DICE = 4
TWIST_PORT_UP_TO = 3
RESISTANCE = {"conventional": (1, 1), "partial": (3, 4), "gravitic": (1, 2)}


def resisted(battle: Battle, ship: Ship, damage: int) -> int:
    """BR-GRV-1: gravity drives take half, partial ones three quarters, rounded down for each section."""
    part, whole = RESISTANCE[battle.sheet(ship).drive]
    return damage * part // whole


def _tell(battle: Battle, name: str, section: str, damage: int, tally: Tally, rule: str) -> None:
    facts = {
        "target": name,
        "side": section,
        "section": section,
        "location": "structure",
        "damage": damage,
        "armour": 0,
    }
    battle.tell("hit", rule, facts, tally.taken())


def beam(battle: Battle, name: str, side: str, damage: int, tally: Tally) -> None:
    """BR-GRV-2, 3: the struck side takes the roll, every other section a fifth; a destroyed side passes it on."""
    ship = battle.ships[name]
    core = battle.sheet(ship).core
    struck = core if ship.structure[side] <= 0 else side
    full = resisted(battle, ship, damage)
    others = resisted(battle, ship, damage // SHARE_OF_OTHERS)
    left = ship.structure[struck]
    _tell(battle, name, struck, full, tally, "BR-GRV-2")
    lose_structure(battle, name, struck, min(left, full))
    if full > left and struck != core and battle.alive(name):
        _tell(battle, name, core, full - left, tally, "BR-GRV-2")
        lose_structure(battle, name, core, min(battle.ships[name].structure[core], full - left))
    for section in battle.sheet(ship).sections:
        standing = battle.ships[name].structure[section.name]
        if section.name != struck and standing > 0 and battle.alive(name):
            _tell(battle, name, section.name, others, tally, "BR-GRV-2")
            lose_structure(battle, name, section.name, min(standing, others))


def cannon(battle: Battle, name: str, side: str, damage: int, tally: Tally) -> None:
    """BR-GRV-6: in by one side, out by another, perhaps through the primary; each section pays once."""
    ship = battle.ships[name]
    sheet = battle.sheet(ship)
    path = [side]
    if sheet.sides:
        out = next_side(sheet, side, tally.roll(10, "exit"))
        if out == side:
            path.append("primary")
            out = next_side(sheet, side, tally.roll(10, "exit"))
        path.append(out)
    each = resisted(battle, ship, damage)
    for section in dict.fromkeys(path):
        standing = battle.ships[name].structure[section]
        if standing > 0 and battle.alive(name):
            _tell(battle, name, section, each, tally, "BR-GRV-6")
            lose_structure(battle, name, section, min(standing, each))


def pulsar(battle: Battle, name: str, side: str, pulses: int, damage: int, shield: int, tally: Tally) -> None:
    """BR-GRV-4: only the system struck suffers; a destroyed one swallows the pulse."""
    wounds = Wounds(battle, name, tally, armour="none", overkill=False, rule="BR-GRV-4")
    each = max(0, damage - shield)
    for _ in range(pulses):
        if not battle.alive(name):
            return
        place = wounds.locate(side, outside=True)
        done = resisted(battle, battle.ships[name], each)
        _pulse(battle, name, place, done, tally)


def _pulse(battle: Battle, name: str, place: Location, damage: int, tally: Tally) -> None:
    facts = {
        "target": name,
        "side": place.section,
        "section": place.section,
        "location": place.name,
        "damage": damage,
        "armour": 0,
    }
    battle.tell("hit", "BR-GRV-4", facts, tally.taken())
    ship = battle.ships[name]
    if place.system is None:
        lose_structure(battle, name, place.section, min(damage, ship.structure[place.section]))
        return
    left = blocks_left(ship, place.system)
    if left > 0 and damage > 0:
        lose_blocks(battle, name, place.system, min(left, damage), tally)


def shift(battle: Battle, ship: Ship, side: Side2, tally: Tally) -> None:
    """BR-GRV-5: the target's facing is turned 60 degrees; gravity drives resist on 4-6, bases always."""
    sheet = battle.sheet(ship)
    if sheet.size == "Base":
        return
    if sheet.drive == "gravitic" and tally.roll(6, "resists") > SHIFT_RESISTED_ABOVE:
        facts = {"unit": ship.name, "direction": "", "damage": 0, "facing": ship.facing}
        battle.tell("twist", "BR-GRV-5", facts, tally.taken())
        return
    twist(battle, ship, side, tally, "BR-GRV-5")


def twist(battle: Battle, ship: Ship, side: Side2, tally: Tally, rule: str) -> None:
    facing = turned(ship.facing, -1 if side == "port" else 1)
    battle.put(replace(ship, facing=facing))
    facts = {"unit": ship.name, "direction": side, "damage": 0, "facing": facing}
    battle.tell("twist", rule, facts, tally.taken())


# --- mines -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GravityMine:
    """A gravity mine that went off."""

    hex: Hex
    label: str
    """Its launcher and mount."""


def gravity_mines(battle: Battle, mines: Sequence[GravityMine]) -> None:
    """BR-GRV-7, after all aim rolls, unit by unit in roster order."""
    if not mines:
        return
    for unit in list(battle.units()):
        if isinstance(unit, Ship):
            _mines_on_ship(battle, unit, mines)
        else:
            _pull(battle, unit, mines, battle.tally(unit.name, "gravity mine"))


def _mines_on_ship(battle: Battle, ship: Ship, mines: Sequence[GravityMine]) -> None:
    tally = battle.tally(ship.name, "gravity mine")
    if battle.sheet(ship).size != "Base":
        _pull(battle, ship, mines, tally)
    _shear(battle, ship, mines, tally)


def _nearest(mines: Sequence[GravityMine], at: Hex, reach: int) -> list[GravityMine]:
    """Mines within reach, nearest first, first launched on ties."""
    return sorted((mine for mine in mines if distance(mine.hex, at) <= reach), key=lambda mine: distance(mine.hex, at))


def _pull(battle: Battle, unit: Unit, mines: Sequence[GravityMine], tally: Tally) -> None:
    near = _nearest(mines, unit.position, PULL_RANGE)
    if not near:
        return
    mine = near[0]
    far = distance(unit.position, mine.hex)
    if far == 0:
        if isinstance(unit, Ship):
            side: Side2 = "port" if tally.roll(6, "twist") <= TWIST_PORT_UP_TO else "starboard"
            twist(battle, unit, side, tally, "BR-GRV-7")
        return
    ways = (way for way in range(6) if distance(neighbour(unit.position, way), mine.hex) < far)
    to = neighbour(unit.position, next(ways))
    battle.put(replace(unit, position=to))
    facts = {"unit": unit.name, "direction": "", "damage": 0, "from": [*unit.position], "to": [*to]}
    battle.tell("pull", "BR-GRV-7", facts)


def _shear(battle: Battle, ship: Ship, mines: Sequence[GravityMine], tally: Tally) -> None:
    """Two mines within two hexes of the ship as it was before the pull, on different sides: each but the nearest."""
    before, sheet = ship.position, battle.sheet(ship)
    near = _nearest(mines, before, SHEAR_RANGE)
    if not sheet.sides or len(near) < 2:
        return
    sides = set()
    for mine in near:
        offset = Hex(mine.hex.q - before.q, mine.hex.r - before.r)
        if offset == (0, 0):
            offset = DIRECTIONS[tally.roll(6, "direction") - 1]
        sides.add(side_toward(sheet, ship, offset))
    if len(sides) < 2:
        return
    for mine in near[1:]:
        dice = max(0, SHEAR_DICE - distance(mine.hex, before))
        rolled = sum(tally.roll(10, "shear") for _ in range(dice))
        _shear_all(battle, ship.name, rolled, mine.label, tally)


def _shear_all(battle: Battle, name: str, rolled: int, mine: str, tally: Tally) -> None:
    damage = resisted(battle, battle.ships[name], rolled)
    battle.tell("shear", "BR-GRV-7", {"unit": name, "direction": mine, "damage": damage}, tally.taken())
    for section in battle.sheet(battle.ships[name]).sections:
        standing = battle.ships[name].structure[section.name]
        if standing > 0 and battle.alive(name):
            lose_structure(battle, name, section.name, min(standing, damage))

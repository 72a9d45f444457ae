"""Chapter 4.9: gravity weapons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.broadsides.rules.criticals import lose_blocks, lose_structure
from games.broadsides.rules.damage import Location, Wounds, tell_hit
from games.broadsides.rules.geometry import next_side, side_toward
from games.broadsides.state import Ship, Side2, Unit
from games.broadsides.table import Table
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance, neighbour, turned
from pbem.kit.table import Tally

SHARE_OF_OTHERS = 5
SHIFT_RESISTED_ABOVE = 3
PULL_RANGE = 5
SHEAR_RANGE = 2
SHEAR_DICE = 4
TWIST_PORT_UP_TO = 3
RESISTANCE = {"conventional": (1, 1), "partial": (3, 4), "gravitic": (1, 2)}


def resisted(table: Table, ship: Ship, damage: int) -> int:
    """BR-GRV-1: gravity drives take half, partial ones three quarters, rounded down for each section."""
    part, whole = RESISTANCE[table.sheet(ship).drive]
    return damage * part // whole


def _crush(table: Table, name: str, section: str, damage: int, tally: Tally, rule: str) -> None:
    """Damage to the structure of a section, as far as it stands."""
    tell_hit(table, rule, tally, name, Location(section, None), section, damage)
    lose_structure(table, name, section, min(table.ships[name].structure[section], damage))


def beam(table: Table, name: str, side: str, damage: int, tally: Tally) -> None:
    """BR-GRV-2, 3: the struck side takes the roll, every other section a fifth; a destroyed side passes it on."""
    ship = table.ships[name]
    core = table.sheet(ship).core
    struck = core if ship.structure[side] <= 0 else side
    full = resisted(table, ship, damage)
    others = resisted(table, ship, damage // SHARE_OF_OTHERS)
    left = ship.structure[struck]
    _crush(table, name, struck, full, tally, "BR-GRV-2")
    if full > left and struck != core and table.alive(name):
        _crush(table, name, core, full - left, tally, "BR-GRV-2")
    for section in table.sheet(ship).sections:
        standing = table.ships[name].structure[section.name]
        if section.name != struck and standing > 0 and table.alive(name):
            _crush(table, name, section.name, others, tally, "BR-GRV-2")


def cannon(table: Table, name: str, side: str, damage: int, tally: Tally) -> None:
    """BR-GRV-6: in by one side, out by another, perhaps through the primary; each section pays once."""
    ship = table.ships[name]
    sheet = table.sheet(ship)
    path = [side]
    if sheet.sides:
        out = next_side(sheet, side, tally.roll(10, "exit"))
        if out == side:
            path.append("primary")
            out = next_side(sheet, side, tally.roll(10, "exit"))
        path.append(out)
    each = resisted(table, ship, damage)
    for section in dict.fromkeys(path):
        standing = table.ships[name].structure[section]
        if standing > 0 and table.alive(name):
            _crush(table, name, section, each, tally, "BR-GRV-6")


def pulsar(table: Table, name: str, side: str, pulses: int, damage: int, shield: int, tally: Tally) -> None:
    """BR-GRV-4: only the system struck suffers; a destroyed one swallows the pulse."""
    wounds = Wounds(table, name, tally, armour="none", overkill=False, rule="BR-GRV-4")
    each = max(0, damage - shield)
    for _ in range(pulses):
        if not table.alive(name):
            return
        place = wounds.locate(side, outside=True)
        done = resisted(table, table.ships[name], each)
        _pulse(table, name, place, done, tally)


def _pulse(table: Table, name: str, place: Location, damage: int, tally: Tally) -> None:
    tell_hit(table, "BR-GRV-4", tally, name, place, place.section, damage)
    ship = table.ships[name]
    if place.system is None:
        lose_structure(table, name, place.section, min(damage, ship.structure[place.section]))
        return
    left = ship.blocks_left(place.system)
    if left > 0 and damage > 0:
        lose_blocks(table, name, place.system, min(left, damage), tally)


def shift(table: Table, ship: Ship, side: Side2, tally: Tally) -> None:
    """BR-GRV-5: the target's facing is turned 60 degrees; gravity drives resist on 4-6, bases always."""
    sheet = table.sheet(ship)
    if sheet.size == "Base":
        return
    if sheet.drive == "gravitic" and tally.roll(6, "resists") > SHIFT_RESISTED_ABOVE:
        facts = {"unit": ship.name, "direction": "", "damage": 0, "facing": ship.facing}
        table.tell("twist", "BR-GRV-5", table.sides, facts, tally.taken())
        return
    twist(table, ship, side, tally, "BR-GRV-5")


def twist(table: Table, ship: Ship, side: Side2, tally: Tally, rule: str) -> None:
    facing = turned(ship.facing, -1 if side == "port" else 1)
    table.change(ship, facing=facing)
    facts = {"unit": ship.name, "direction": side, "damage": 0, "facing": facing}
    table.tell("twist", rule, table.sides, facts, tally.taken())


# --- mines -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GravityMine:
    """A gravity mine that went off."""

    hex: Hex
    label: str
    """Its launcher and mount."""


def gravity_mines(table: Table, mines: Sequence[GravityMine]) -> None:
    """BR-GRV-7, after all aim rolls, unit by unit in roster order."""
    if not mines:
        return
    for unit in list(table.units()):
        if isinstance(unit, Ship):
            _mines_on_ship(table, unit, mines)
        else:
            _pull(table, unit, mines, table.tally(unit.name, "gravity mine"))


def _mines_on_ship(table: Table, ship: Ship, mines: Sequence[GravityMine]) -> None:
    tally = table.tally(ship.name, "gravity mine")
    if table.sheet(ship).size != "Base":
        _pull(table, ship, mines, tally)
    _shear(table, ship, mines, tally)


def _nearest(mines: Sequence[GravityMine], at: Hex, reach: int) -> list[GravityMine]:
    """Mines within reach, nearest first, first launched on ties."""
    return sorted((mine for mine in mines if distance(mine.hex, at) <= reach), key=lambda mine: distance(mine.hex, at))


def _pull(table: Table, unit: Unit, mines: Sequence[GravityMine], tally: Tally) -> None:
    near = _nearest(mines, unit.position, PULL_RANGE)
    if not near:
        return
    mine = near[0]
    far = distance(unit.position, mine.hex)
    if far == 0:
        if isinstance(unit, Ship):
            side: Side2 = "port" if tally.roll(6, "twist") <= TWIST_PORT_UP_TO else "starboard"
            twist(table, unit, side, tally, "BR-GRV-7")
        return
    ways = (way for way in range(6) if distance(neighbour(unit.position, way), mine.hex) < far)
    to = neighbour(unit.position, next(ways))
    table.change(unit, position=to)
    facts = {"unit": unit.name, "direction": "", "damage": 0, "from": [*unit.position], "to": [*to]}
    table.tell("pull", "BR-GRV-7", table.sides, facts)


def _shear(table: Table, ship: Ship, mines: Sequence[GravityMine], tally: Tally) -> None:
    """Two mines within two hexes of the ship as it was before the pull, on different sides: each but the nearest."""
    before, sheet = ship.position, table.sheet(ship)
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
        _shear_all(table, ship.name, rolled, mine.label, tally)


def _shear_all(table: Table, name: str, rolled: int, mine: str, tally: Tally) -> None:
    damage = resisted(table, table.ships[name], rolled)
    table.tell("shear", "BR-GRV-7", table.sides, {"unit": name, "direction": mine, "damage": damage}, tally.taken())
    for section in table.sheet(table.ships[name]).sections:
        standing = table.ships[name].structure[section.name]
        if standing > 0 and table.alive(name):
            lose_structure(table, name, section.name, min(standing, damage))

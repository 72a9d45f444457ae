"""Chapters 4.5 and 4.12: the to-hit number, electronic warfare and jammers."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import NamedTuple

from games.broadsides.data import TABLES, WeaponType
from games.broadsides.rules.battle import Battle
from games.broadsides.rules.geometry import density_on_line, direction_at_range_0, side_toward
from games.broadsides.state import Flight, Ship, Unit, lost_sides, rows_lost
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance

LOST_SIDE_SIGNATURE = 2
CALLED_FACING, CALLED_OTHER = -5, -8
PIERCING = -5
ATTACK_RUN = 3
CLOSE_RANGE = 2
SIZES = ("L", "M", "H")


class Chance(NamedTuple):
    """T and its parts (BR-HIT-1)."""

    signature: int
    ew: int
    range_modifier: int
    situation: int

    @property
    def total(self) -> int:
        return self.signature + self.ew + self.range_modifier + self.situation


# --- jammers ---------------------------------------------------------------------------------------------------------


def efficiency(lost: int) -> Fraction:
    """BR-LOC-11: each lost side takes half of the initial jamming or stealth."""
    return Fraction(max(0, 2 - lost), 2)


def jammed(battle: Battle, ew: int, firer: Unit, target: Unit) -> int:
    """BR-JAM-1 to 4: what the target's jammer leaves of the EW."""
    race = battle.sheet(firer).race if isinstance(firer, Ship) else battle.craft(firer).race
    if race == "Minbari" or ew <= 0:
        return max(0, ew)
    rule = battle.switches.jammer_rule
    if isinstance(target, Flight):
        return 0 if rule == "gravitic" and battle.craft(target).stealth_fighter else ew
    sheet = battle.sheet(target)
    if not sheet.jammer:
        return ew
    e = efficiency(lost_sides(sheet, target))
    if rule == "half":
        return floor(ew * (1 - e / 2))
    if rule == "gravitic":
        return floor(ew * (1 - e))
    return max(0, ew - floor(_jam_points(battle, race, firer) * e))


def _jam_points(battle: Battle, race: str, firer: Unit) -> Fraction:
    """BR-JAM-2, 3: points lost by race; half with the upgrade from the half-effect year on."""
    entry = battle.catalogue.races[race]
    upgraded = isinstance(firer, Ship) and firer.jammer_upgrade
    if upgraded and entry.jam_half_year is not None and battle.year >= entry.jam_half_year:
        return Fraction(entry.jam_lost, 2)
    return Fraction(entry.jam_lost)


# --- the parts of T --------------------------------------------------------------------------------------------------


def shield_of(battle: Battle, ship: Ship) -> int:
    """BR-CRT-9: the rating less one for each complete row of the generator lost."""
    sheet = battle.sheet(ship)
    return max(0, sheet.shields - rows_lost(ship, sheet.systems.get("shieldgen")))


def best_elint(battle: Battle, side: str) -> int:
    """BR-HIT-3: the best ELINT level of a side's working scouts."""
    levels = [battle.sheet(ship).elint for ship in battle.ships_of(side) if not ship.cnc_failure]
    return max(levels, default=0)


def own_ew(battle: Battle, unit: Unit) -> int:
    """BR-HIT-3 without ELINT: sensors and upgrades less C&C and sensor rows lost."""
    if isinstance(unit, Flight):
        return battle.craft(unit).ew
    sheet = battle.sheet(unit)
    lost = rows_lost(unit, sheet.systems.get("cnc")) + rows_lost(unit, sheet.systems.get("sensors"))
    return max(0, sheet.ew + unit.sensor_upgrades - lost)


def ew_of(battle: Battle, unit: Unit) -> int:
    """BR-HIT-3: with ELINT, before the target's jammer."""
    key = ("ew", unit.name)
    if key not in battle.chances:
        if isinstance(unit, Flight):
            battle.chances[key] = battle.craft(unit).ew
        else:
            battle.chances[key] = _ship_ew(battle, unit)
    found: int = battle.chances[key]
    return found


def _ship_ew(battle: Battle, ship: Ship) -> int:
    sheet = battle.sheet(ship)
    lost = rows_lost(ship, sheet.systems.get("cnc")) + rows_lost(ship, sheet.systems.get("sensors"))
    elint = 0 if sheet.size == "OSAT" else best_elint(battle, ship.side)
    return max(0, sheet.ew + ship.sensor_upgrades - lost + elint)


def signature(battle: Battle, target: Unit, source: Hex) -> int:
    """BR-HIT-2: signature as seen from a hex."""
    hidden = density_on_line(battle.fields, source, target.position)
    if isinstance(target, Flight):
        return battle.craft(target).signature - hidden
    sheet = battle.sheet(target)
    lost = lost_sides(sheet, target)
    stealth = floor(sheet.stealth * efficiency(lost))
    shield = shield_of(battle, target) if sheet.shields and source != target.position else 0
    return sheet.signature - stealth + LOST_SIDE_SIGNATURE * lost - hidden - shield


def _called(battle: Battle, target: Unit, firer: Unit, called: str) -> int:
    """BR-LOC-12; in one hex the firer lies where BR-LOC-3 puts it, between two at rest ahead of the target."""
    if not called or not isinstance(target, Ship):
        return 0
    offset = Hex(firer.position.q - target.position.q, firer.position.r - target.position.r)
    if offset == (0, 0):
        way = direction_at_range_0(firer, target)
        offset = DIRECTIONS[target.heading if way is None else way]
    return CALLED_FACING if side_toward(battle.sheet(target), target, offset) == called else CALLED_OTHER


def range_step(weapon: WeaponType) -> Fraction:
    return TABLES.range_step[weapon.range_row or weapon.projectile][SIZES.index(weapon.size)]


def range_modifier(battle: Battle, ship: Ship, weapon: WeaponType, range_: int, *, close: bool) -> int:
    """BR-HIT-4: stability, platform, race and close less the distance."""
    sheet = battle.sheet(ship)
    step = range_step(weapon)
    near = TABLES.close[weapon.size] if close and range_ <= CLOSE_RANGE else 0
    steady = TABLES.stability[weapon.size] + TABLES.platform[sheet.size]
    made = battle.catalogue.races[sheet.race].weapon_mod
    return steady + made + near - range_ * step.denominator // step.numerator


def on_attack_run(unit: Unit) -> bool:
    """BR-FTR-3: a flight on A that has not broken off."""
    return isinstance(unit, Flight) and unit.order == "A" and not unit.broke_off


def chance(
    battle: Battle, firer: Ship, weapon: WeaponType, target: Unit, *, piercing: bool = False, called: str = ""
) -> Chance:
    """BR-HIT-1: T of a ship's weapon."""
    key = ("T", firer.name, weapon.name, target.name, piercing, called)
    found: Chance | None = battle.chances.get(key)
    if found is None:
        found = _chance(battle, firer, weapon, target, piercing=piercing, called=called)
        battle.chances[key] = found
    return found


def _chance(battle: Battle, firer: Ship, weapon: WeaponType, target: Unit, *, piercing: bool, called: str) -> Chance:
    range_ = distance(firer.position, target.position)
    situation = PIERCING if piercing and weapon.mode != "piercing" else 0
    if on_attack_run(target):
        situation += ATTACK_RUN
    return Chance(
        signature(battle, target, firer.position) + _called(battle, target, firer, called),
        jammed(battle, ew_of(battle, firer), firer, target),
        range_modifier(battle, firer, weapon, range_, close=isinstance(target, Flight)),
        situation,
    )

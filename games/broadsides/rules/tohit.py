"""Chapters 4.5 and 4.12: the to-hit number, electronic warfare and jammers."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import NamedTuple

from games.broadsides.data import TABLES, WeaponType
from games.broadsides.rules.geometry import density_on_line, direction_at_range_0, side_toward
from games.broadsides.state import Flight, Ship, Unit
from games.broadsides.table import Table
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


def jammed(table: Table, ew: int, firer: Unit, target: Unit) -> int:
    """BR-JAM-1 to 4: what the target's jammer leaves of the EW."""
    race = table.sheet(firer).race if isinstance(firer, Ship) else table.craft(firer).race
    if race == "Minbari" or ew <= 0:
        return max(0, ew)
    rule = table.switches.jammer_rule
    if isinstance(target, Flight):
        return 0 if rule == "gravitic" and table.craft(target).stealth_fighter else ew
    sheet = table.sheet(target)
    if not sheet.jammer:
        return ew
    e = efficiency(target.lost_sides(sheet))
    if rule == "half":
        return floor(ew * (1 - e / 2))
    if rule == "gravitic":
        return floor(ew * (1 - e))
    return max(0, ew - floor(_jam_points(table, race, firer) * e))


def _jam_points(table: Table, race: str, firer: Unit) -> Fraction:
    """BR-JAM-2, 3: points lost by race; half with the upgrade from the half-effect year on."""
    entry = table.catalogue.races[race]
    upgraded = isinstance(firer, Ship) and firer.jammer_upgrade
    if upgraded and entry.jam_half_year is not None and table.year >= entry.jam_half_year:
        return Fraction(entry.jam_lost, 2)
    return Fraction(entry.jam_lost)


# --- the parts of T --------------------------------------------------------------------------------------------------


def shield_of(table: Table, ship: Ship) -> int:
    """BR-CRT-9: the rating less one for each complete row of the generator lost."""
    sheet = table.sheet(ship)
    return max(0, sheet.shields - ship.rows_lost(sheet.systems.get("shieldgen")))


def own_ew(table: Table, unit: Unit) -> int:
    """BR-HIT-3 without ELINT: sensors and upgrades less C&C and sensor rows lost."""
    return max(0, _bare_ew(table, unit))


def ew_of(table: Table, unit: Unit) -> int:
    """BR-HIT-3: with ELINT, before the target's jammer."""
    return table.remembered(("ew", unit.name), lambda: max(0, _bare_ew(table, unit) + _elint(table, unit)))


def _bare_ew(table: Table, unit: Unit) -> int:
    if isinstance(unit, Flight):
        return table.craft(unit).ew
    sheet = table.sheet(unit)
    lost = unit.rows_lost(sheet.systems.get("cnc")) + unit.rows_lost(sheet.systems.get("sensors"))
    return sheet.ew + unit.sensor_upgrades - lost


def _elint(table: Table, unit: Unit) -> int:
    """BR-HIT-3: the best ELINT level of a side's working scouts helps its ships, but no OSATs."""
    if isinstance(unit, Flight) or table.sheet(unit).size == "OSAT":
        return 0
    return max((table.sheet(ship).elint for ship in table.ships_of(unit.side) if not ship.cnc_failure), default=0)


def signature(table: Table, target: Unit, source: Hex) -> int:
    """BR-HIT-2: signature as seen from a hex."""
    hidden = density_on_line(table.ground.rocks, source, target.position)
    if isinstance(target, Flight):
        return table.craft(target).signature - hidden
    sheet = table.sheet(target)
    lost = target.lost_sides(sheet)
    stealth = floor(sheet.stealth * efficiency(lost))
    shield = shield_of(table, target) if sheet.shields and source != target.position else 0
    return sheet.signature - stealth + LOST_SIDE_SIGNATURE * lost - hidden - shield


def _called(table: Table, target: Unit, firer: Unit, called: str) -> int:
    """BR-LOC-12; in one hex the firer lies where BR-LOC-3 puts it, between two at rest ahead of the target."""
    if not called or not isinstance(target, Ship):
        return 0
    offset = Hex(firer.position.q - target.position.q, firer.position.r - target.position.r)
    if offset == (0, 0):
        way = direction_at_range_0(firer, target)
        offset = DIRECTIONS[target.heading if way is None else way]
    return CALLED_FACING if side_toward(table.sheet(target), target, offset) == called else CALLED_OTHER


def range_step(weapon: WeaponType) -> Fraction:
    return TABLES.range_step[weapon.range_row or weapon.projectile][SIZES.index(weapon.size)]


def range_modifier(table: Table, ship: Ship, weapon: WeaponType, range_: int, *, close: bool) -> int:
    """BR-HIT-4: stability, platform, race and close less the distance."""
    sheet = table.sheet(ship)
    step = range_step(weapon)
    near = TABLES.close[weapon.size] if close and range_ <= CLOSE_RANGE else 0
    steady = TABLES.stability[weapon.size] + TABLES.platform[sheet.size]
    made = table.catalogue.races[sheet.race].weapon_mod
    return steady + made + near - range_ * step.denominator // step.numerator


def attack_run(unit: Unit) -> int:
    """BR-FTR-3: what a flight on A that has not broken off adds to its own fire and to fire at it."""
    return ATTACK_RUN if isinstance(unit, Flight) and unit.order == "A" and not unit.broke_off else 0


def chance(
    table: Table, firer: Ship, weapon: WeaponType, target: Unit, *, piercing: bool = False, called: str = ""
) -> Chance:
    """BR-HIT-1: T of a ship's weapon."""

    def reckoned() -> Chance:
        far = distance(firer.position, target.position)
        return Chance(
            signature(table, target, firer.position) + _called(table, target, firer, called),
            jammed(table, ew_of(table, firer), firer, target),
            range_modifier(table, firer, weapon, far, close=isinstance(target, Flight)),
            (PIERCING if piercing and weapon.mode != "piercing" else 0) + attack_run(target),
        )

    return table.remembered(("T", firer.name, weapon.name, target.name, piercing, called), reckoned)


def shot_facts(t: Chance, die: int | None, side: str, start: Hex, end: Hex, **said: object) -> dict[str, object]:
    """The facts of a ``fire`` event: T with its parts, the die and its outcome, unless ``said`` otherwise."""
    hit = die is not None and die <= t.total
    usual = {"die": die, "hit": hit, "pulses": 0, "swept": 0, "result": "hit" if hit else "miss", "side": side}
    places = {"range": distance(start, end), "from": [*start], "to": [*end]}
    return {"need": t.total, **t._asdict(), **usual, **places, **said}

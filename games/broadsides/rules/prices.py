"""BR-SET-9: what ships, weapons and fighters cost."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from games.broadsides.data import Catalogue, FighterClass, ShipClass, WeaponType, damage_of

DECREED_DAMAGE = {
    "burst": 30,
    "pulsar_mine": 10,
    "plasma_web": 16,
    "grav_cannon": 20,
    "gravity_mine": 40,
    "energy_mine": 40,
}
RACK_DAMAGE = 20
PRICED_ACCURACY = 5
EXTRAS = {"jump": 40, "jammer": 75, "agile": 10, "anti_matter_reactor": -10}
EXTRAS_EACH = {"command": 10, "elint": 20, "stealth": 10, "shields": 20, "hangar_flights": 10}
DRIVE_EXTRA = {"conventional": 0, "partial": 10, "gravitic": 20}
BATTERY_PRICE = 10


def weapon_value(weapon: WeaponType) -> int:
    """BR-SET-9: average damage of a full hit, per turn, rounded up."""
    return ceil(_full_hit(weapon) / weapon.recharge)


def _full_hit(weapon: WeaponType) -> Fraction:
    if weapon.special in DECREED_DAMAGE:
        return Fraction(DECREED_DAMAGE[weapon.special])
    if weapon.rack:
        return Fraction(RACK_DAMAGE)
    dice = weapon.dice
    hit = dice.mean + dice.slope * PRICED_ACCURACY
    if weapon.mode == "pulse":
        hit *= Fraction(weapon.max_pulses + 1, 2)
    if weapon.special in ("grav_beam", "grav_shifter"):
        hit *= Fraction(3, 2)
    return hit * weapon.shots


def price(ship: ShipClass, parts: Catalogue) -> int:
    """BR-SET-9: the points of a ship, to the nearest 5, halves up."""
    weapons = [parts.weapons[system.type] for system in ship.systems.values() if system.kind == "weapon"]
    offence = sum(weapon.value or weapon_value(weapon) for weapon in weapons)
    structure = sum(section.structure for section in ship.sections)
    total = structure + Fraction(offence * (7 + ship.ew + parts.races[ship.race].weapon_mod), 10)
    total += 3 * ship.thrust + 5 * max(0, ship.init) + 20 + _extras(ship)
    return 5 * floor(total / 5 + Fraction(1, 2))


def _extras(ship: ShipClass) -> int:
    single = sum(points for name, points in EXTRAS.items() if getattr(ship, name))
    each: int = sum(points * int(getattr(ship, name)) for name, points in EXTRAS_EACH.items())
    batteries = sum(1 for system in ship.systems.values() if system.kind == "battery")
    return single + each + DRIVE_EXTRA[ship.drive] + BATTERY_PRICE * batteries


def fighter_price(craft: FighterClass) -> int:
    """BR-SET-9: what one fighter costs."""
    guns = damage_of(craft.damage).mean * craft.guns
    stealth = 5 if craft.stealth_fighter else 0
    return floor(craft.structure + craft.armour + guns + craft.missiles + craft.ew + craft.thrust - 15 + stealth)

"""Chapter 4.10, fire of flights: dogfights (R9) and attacks on ships (R11)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from games.broadsides.data import TABLES, damage_of
from games.broadsides.rules.damage import Location, Wounds, roll_damage
from games.broadsides.rules.doctrine import AttackAim
from games.broadsides.rules.fighters import MISSILE, d_target
from games.broadsides.rules.flightdamage import chosen_fighter, hit_flight
from games.broadsides.rules.gunnery import Source, side_facing
from games.broadsides.rules.interception import Incoming, intercept
from games.broadsides.rules.tohit import attack_run, jammed, shield_of, signature
from games.broadsides.state import Flight, Ship, Unit
from games.broadsides.table import Table
from pbem.kit.hexgrid import distance
from pbem.kit.table import Tally

PLATFORM = TABLES.platform["fighter"]
AIM_WEAPON, AIM_ANTI_FIGHTER = -1, -3


def can_dogfight(table: Table, flight: Flight) -> bool:
    """BR-FTR-1, 3: D flights, and A flights that broke off; not on the turn of launch."""
    if table.craft(flight).kind != "fighter" or flight.launched_now:
        return False
    return flight.order == "D" or (flight.order == "A" and flight.broke_off)


def dogfights(table: Table) -> None:
    """R9, BR-FTR-10: simultaneous; the destroyed still shoot, but are no longer chosen as targets."""
    shooters = []
    for side in table.sides:
        for flight in table.flights_of(side):
            target = _dogfight_target(table, flight) if can_dogfight(table, flight) else None
            if target is not None:
                acting = [index for index, fighter in enumerate(flight.fighters) if fighter.acting]
                shooters.append((flight.name, acting, target.name))
    for name, acting, target_name in shooters:
        for index in acting:
            if table.alive(target_name):
                _shoot_fighter(table, name, index, target_name)
        table.change(table.flights[name], fired=True)


def _dogfight_target(table: Table, flight: Flight) -> Flight | None:
    """The target flight in its hex, otherwise the first enemy craft there; missiles reach farther."""
    enemies = table.flights_of(table.enemy(flight.side))
    named = None if flight.broke_off else d_target(table, flight)
    if named is not None and named in enemies and named.position == flight.position:
        return named
    here = next((enemy for enemy in enemies if enemy.position == flight.position), None)
    if here is not None or not table.doctrine.of(flight.name).missiles or flight.broke_off:
        return here
    if named is not None and named in enemies and _missiles_reach(flight, named):
        return named
    return None


def _missiles_reach(flight: Flight, target: Unit) -> bool:
    loaded = any(flight.fighters[i].missiles for i in flight.living)
    return loaded and distance(flight.position, target.position) <= MISSILE.range


@dataclass(frozen=True)
class _Attack:
    """One fighter's shot: with guns, or with a missile."""

    flight: Flight
    index: int
    need: int
    missile: bool = False


def _prepare(table: Table, flight: Flight, index: int, target: Unit, adjust: int = 0) -> _Attack | None:
    """BR-FTR-2, 8, BR-BAL-4: guns in the target's hex, missiles within three; None: nothing to shoot with."""
    craft = table.craft(flight)
    far = distance(flight.position, target.position)
    wants = table.doctrine.of(flight.name).missiles
    missile = wants and flight.fighters[index].missiles > 0 and far <= MISSILE.range
    if not missile and (far > 0 or not craft.guns):
        return None
    situation = attack_run(target) + (attack_run(flight) if isinstance(target, Ship) else 0)
    seen = signature(table, target, flight.position) + adjust
    if missile:
        return _Attack(flight, index, seen + MISSILE.bonus + situation, missile=True)
    made = table.catalogue.races[craft.race].weapon_mod
    ew = jammed(table, craft.ew, flight, target)
    return _Attack(flight, index, seen + ew + PLATFORM + made + situation)


def _roll_attack(table: Table, attack: _Attack, target: Unit, tally: Tally) -> bool:
    die = tally.roll(20, "to hit")
    hit = die <= attack.need
    facts = {
        "unit": attack.flight.name,
        "fighter": attack.index + 1,
        "target": target.name,
        "die": die,
        "need": attack.need,
        "hit": hit,
        "missile": attack.missile,
        "side": attack.flight.side,
        "from": [*attack.flight.position],
        "to": [*target.position],
    }
    table.tell("fighter_fire", "BR-BAL-4" if attack.missile else "BR-FTR-8", table.sides, facts, tally.taken())
    if attack.missile:
        left = table.flights[attack.flight.name].fighters[attack.index].missiles
        table.set_fighter(attack.flight.name, attack.index, missiles=left - 1)
    return hit


def _roll_damage(table: Table, attack: _Attack, tally: Tally) -> int:
    if attack.missile:
        return MISSILE.damage
    craft = table.craft(attack.flight)
    return roll_damage(tally, damage_of(craft.damage), craft.guns)


def _average(table: Table, attack: _Attack) -> Fraction:
    craft = table.craft(attack.flight)
    return Fraction(MISSILE.damage) if attack.missile else damage_of(craft.damage).mean * craft.guns


def _shoot_fighter(table: Table, name: str, index: int, target_name: str) -> None:
    flight, target = table.flights[name], table.flights[target_name]
    attack = _prepare(table, flight, index, target)
    if attack is None or chosen_fighter(table, target) is None:
        return
    label = (name, index + 1, target_name)
    tally = table.tally(*label)
    if not _roll_attack(table, attack, target, tally):
        return
    shot = Incoming(flight.position, 0, _average(table, attack), ballistic=attack.missile)
    if intercept(table, target, shot, label):
        hit_flight(table, target_name, tally, _roll_damage(table, attack, tally))


# --- R11 -------------------------------------------------------------------------------------------------------------


def can_attack(table: Table, flight: Flight) -> bool:
    """A flight on an attack run with its target in reach of guns or missiles."""
    if flight.order != "A" or flight.broke_off or flight.attacked or flight.launched_now:
        return False
    target = table.ships.get(flight.target)
    if target is None or target.status != "on-map" or not any(fighter.acting for fighter in flight.fighters):
        return False
    if flight.position == target.position:
        return table.craft(flight).guns > 0 or _missiles_reach(flight, target)
    return table.doctrine.of(flight.name).missiles and _missiles_reach(flight, target)


def attack_ship(table: Table, name: str) -> None:
    """R11: one flight's fire at its ship, fighter by fighter."""
    table.change(table.flights[name], attacked=True, fired=True)
    target_name = table.flights[name].target
    aim = table.doctrine.of(name).attack
    for index, fighter in enumerate(table.flights[name].fighters):
        if fighter.acting and table.alive(target_name):
            _attack(table, name, index, table.ships[target_name], aim)


def _attack(table: Table, name: str, index: int, ship: Ship, aim: AttackAim) -> None:
    flight = table.flights[name]
    attack = _prepare(table, flight, index, ship, _aim_adjustment(table, ship, aim))
    if attack is None:
        return
    label = (name, index + 1, ship.name)
    tally = table.tally(*label)
    if not _roll_attack(table, attack, ship, tally):
        return
    shot = Incoming(flight.position, 0, _average(table, attack), ballistic=attack.missile)
    if intercept(table, ship, shot, label):
        _wound(table, attack, table.ships[ship.name], aim, tally)


def _aim_adjustment(table: Table, ship: Ship, aim: AttackAim) -> int:
    """BR-FTR-9: signature 0 for a system, -1 for a weapon, -3 for an anti-fighter weapon."""
    system = table.sheet(ship).systems.get(aim.system) if aim.system else None
    if system is None or system.kind != "weapon":
        return 0
    weapon = table.catalogue.weapons[system.type]
    return AIM_ANTI_FIGHTER if "anti_fighter" in weapon.flags else AIM_WEAPON


def _wound(table: Table, attack: _Attack, ship: Ship, aim: AttackAim, tally: Tally) -> None:
    far = distance(attack.flight.position, ship.position)
    shield = shield_of(table, ship) if far else 0
    wounds = Wounds(table, ship.name, tally, shield=shield, rule="BR-FTR-9")
    system = table.sheet(ship).systems.get(aim.system) if aim.system else None
    if system is not None:
        place = Location(system.section, system)
        damage = _roll_damage(table, attack, tally)
        wounds.land(place, damage, system.section, armour=wounds.armour_at(place) // 2)
        return
    side = aim.side or side_facing(table, ship, Source(attack.flight.position, attack.flight), tally)
    place = wounds.locate(side)
    wounds.land(place, _roll_damage(table, attack, tally), side)

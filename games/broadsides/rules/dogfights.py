"""Chapter 4.10, fire of flights: dogfights (R9) and attacks on ships (R11)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from games.broadsides.data import TABLES, damage_of
from games.broadsides.rules.battle import Battle, Tally
from games.broadsides.rules.damage import Location, Wounds, roll_dice
from games.broadsides.rules.doctrine import AttackAim
from games.broadsides.rules.fighters import MISSILE, d_target
from games.broadsides.rules.flightdamage import chosen_fighter, hit_flight, set_fighter
from games.broadsides.rules.gunnery import Source, side_facing
from games.broadsides.rules.interception import Incoming, intercept
from games.broadsides.rules.tohit import ATTACK_RUN, jammed, on_attack_run, shield_of, signature
from games.broadsides.state import Flight, Ship, Unit, living
from pbem.kit.hexgrid import distance

PLATFORM = TABLES.platform["fighter"]
AIM_WEAPON, AIM_ANTI_FIGHTER = -1, -3


def can_dogfight(battle: Battle, flight: Flight) -> bool:
    """BR-FTR-1, 3: D flights, and A flights that broke off; not on the turn of launch."""
    if battle.craft(flight).kind != "fighter" or flight.launched_now:
        return False
    return flight.order == "D" or (flight.order == "A" and flight.broke_off)


def dogfights(battle: Battle) -> None:
    """R9, BR-FTR-10: simultaneous; the destroyed still shoot, but are no longer chosen as targets."""
    shooters = []
    for side in battle.sides:
        for flight in battle.flights_of(side):
            target = _dogfight_target(battle, flight) if can_dogfight(battle, flight) else None
            if target is not None:
                acting = [index for index, one in enumerate(flight.fighters) if one.acting]
                shooters.append((flight.name, acting, target.name))
    for name, acting, target_name in shooters:
        for index in acting:
            if battle.alive(target_name):
                _shoot_fighter(battle, name, index, target_name)
        battle.put(replace(battle.flights[name], fired=True))


def _dogfight_target(battle: Battle, flight: Flight) -> Flight | None:
    """The target flight in its hex, otherwise the first enemy craft there; missiles reach farther."""
    enemies = battle.flights_of(battle.enemy(flight.side))
    named = None if flight.broke_off else d_target(battle, flight)
    if named is not None and named in enemies and named.position == flight.position:
        return named
    here = next((one for one in enemies if one.position == flight.position), None)
    if here is not None or not battle.doctrine.of(flight.name).missiles or flight.broke_off:
        return here
    if named is not None and named in enemies and _missiles_reach(flight, named):
        return named
    return None


def _missiles_reach(flight: Flight, target: Unit) -> bool:
    loaded = any(flight.fighters[i].missiles for i in living(flight))
    return loaded and distance(flight.position, target.position) <= MISSILE.range


@dataclass(frozen=True)
class _Attack:
    """One fighter's shot: with guns, or with a missile."""

    flight: Flight
    index: int
    missile: bool
    need: int


def _prepare(battle: Battle, flight: Flight, index: int, target: Unit, adjust: int = 0) -> _Attack | None:
    """BR-FTR-2, 8, BR-BAL-4: guns in the target's hex, missiles within three; None: nothing to shoot with."""
    craft = battle.craft(flight)
    far = distance(flight.position, target.position)
    wants = battle.doctrine.of(flight.name).missiles
    missile = wants and flight.fighters[index].missiles > 0 and far <= MISSILE.range
    if not missile and (far > 0 or not craft.guns):
        return None
    situation = ATTACK_RUN if isinstance(target, Ship) and on_attack_run(flight) else 0
    situation += ATTACK_RUN if on_attack_run(target) else 0
    seen = signature(battle, target, flight.position) + adjust
    if missile:
        return _Attack(flight, index, True, seen + MISSILE.bonus + situation)
    made = battle.catalogue.races[craft.race].weapon_mod
    ew = jammed(battle, craft.ew, flight, target)
    return _Attack(flight, index, False, seen + ew + PLATFORM + made + situation)


def _roll_attack(battle: Battle, attack: _Attack, target: Unit, tally: Tally) -> bool:
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
    battle.tell("fighter_fire", "BR-BAL-4" if attack.missile else "BR-FTR-8", facts, tally.taken())
    if attack.missile:
        fighter = battle.flights[attack.flight.name].fighters[attack.index]
        set_fighter(battle, attack.flight.name, attack.index, replace(fighter, missiles=fighter.missiles - 1))
    return hit


def _roll_damage(battle: Battle, attack: _Attack, tally: Tally) -> int:
    if attack.missile:
        return MISSILE.damage
    craft = battle.craft(attack.flight)
    gun = damage_of(craft.damage)
    return roll_dice(tally, [gun.sides] * (gun.dice * craft.guns)) + gun.plus * craft.guns


def _average(battle: Battle, attack: _Attack) -> Fraction:
    craft = battle.craft(attack.flight)
    return Fraction(MISSILE.damage) if attack.missile else damage_of(craft.damage).mean * craft.guns


def _shoot_fighter(battle: Battle, name: str, index: int, target_name: str) -> None:
    flight, target = battle.flights[name], battle.flights[target_name]
    attack = _prepare(battle, flight, index, target)
    if attack is None or chosen_fighter(battle, target) is None:
        return
    label = (name, index + 1, target_name)
    tally = battle.tally(*label)
    if not _roll_attack(battle, attack, target, tally):
        return
    shot = Incoming(flight.position, 0, _average(battle, attack), ballistic=attack.missile)
    if intercept(battle, target, shot, label):
        hit_flight(battle, target_name, tally, _roll_damage(battle, attack, tally))


# --- R11 -------------------------------------------------------------------------------------------------------------


def can_attack(battle: Battle, flight: Flight) -> bool:
    """A flight on an attack run with its target in reach of guns or missiles."""
    if flight.order != "A" or flight.broke_off or flight.attacked or flight.launched_now:
        return False
    target = battle.ships.get(flight.target)
    if target is None or target.status != "on-map" or not any(one.acting for one in flight.fighters):
        return False
    if flight.position == target.position:
        return battle.craft(flight).guns > 0 or _missiles_reach(flight, target)
    return battle.doctrine.of(flight.name).missiles and _missiles_reach(flight, target)


def attack_ship(battle: Battle, name: str) -> None:
    """R11: one flight's fire at its ship, fighter by fighter."""
    battle.put(replace(battle.flights[name], attacked=True, fired=True))
    target_name = battle.flights[name].target
    aim = battle.doctrine.of(name).attack
    for index, fighter in enumerate(battle.flights[name].fighters):
        if fighter.acting and battle.alive(target_name):
            _attack(battle, name, index, battle.ships[target_name], aim)


def _attack(battle: Battle, name: str, index: int, ship: Ship, aim: AttackAim) -> None:
    flight = battle.flights[name]
    attack = _prepare(battle, flight, index, ship, _aim_adjustment(battle, ship, aim))
    if attack is None:
        return
    label = (name, index + 1, ship.name)
    tally = battle.tally(*label)
    if not _roll_attack(battle, attack, ship, tally):
        return
    shot = Incoming(flight.position, 0, _average(battle, attack), ballistic=attack.missile)
    if intercept(battle, ship, shot, label):
        _wound(battle, attack, battle.ships[ship.name], aim, tally)


def _aim_adjustment(battle: Battle, ship: Ship, aim: AttackAim) -> int:
    """BR-FTR-9: signature 0 for a system, -1 for a weapon, -3 for an anti-fighter weapon."""
    system = battle.sheet(ship).systems.get(aim.system) if aim.system else None
    if system is None or system.kind != "weapon":
        return 0
    weapon = battle.catalogue.weapons[system.type]
    return AIM_ANTI_FIGHTER if "anti_fighter" in weapon.flags else AIM_WEAPON


def _wound(battle: Battle, attack: _Attack, ship: Ship, aim: AttackAim, tally: Tally) -> None:
    far = distance(attack.flight.position, ship.position)
    shield = shield_of(battle, ship) if far else 0
    wounds = Wounds(battle, ship.name, tally, shield=shield, rule="BR-FTR-9")
    system = battle.sheet(ship).systems.get(aim.system) if aim.system else None
    if system is not None:
        place = Location(system.section, system)
        damage = _roll_damage(battle, attack, tally)
        wounds.land(place, damage, system.section, armour=wounds.armour_at(place) // 2)
        return
    side = aim.side or side_facing(battle, ship, Source(attack.flight.position, attack.flight), tally)
    place = wounds.locate(side)
    wounds.land(place, _roll_damage(battle, attack, tally), side)

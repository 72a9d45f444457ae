"""Missile fire, splitting it, and reaction fire (GA-MIS), with the flame missiles that may take its place (GA-FLM)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.galleys.data import TABLES
from games.galleys.rules.battle import DIE, Battle, Mod, total
from games.galleys.rules.speed import EXHAUSTED, STRONG_WIND
from games.galleys.state import Ship
from pbem.kit.dice import Roll

FACES = range(1, DIE + 1)
KINDS = ("missile", "grapple", "ram", "rake")


@dataclass(frozen=True)
class Volley:
    """One shot as it was rolled; its loss is taken off when the exchange is over (GA-MIS-7)."""

    shooter: str
    target: str
    loss: int
    ignites: bool = False


def points_available(battle: Battle, ship: Ship) -> int:
    """GA-MIS-3: as many points as there are marines to use them; none on a burning ship or a prize."""
    if not ship.afloat or ship.burning or ship.prize:
        return 0
    return min(battle.class_of(ship.name).missile, ship.marines)


def missile_mods(battle: Battle, shooter: Ship, target: Ship, reach: int) -> list[Mod]:
    """GA-MIS-8: range, towers, exhaustion and strong wind."""
    table = TABLES.missile
    mods = []
    if reach == 1:
        mods.append(Mod("range 1", table.close))
    if shooter.towers != target.towers:
        mods.append(Mod("towers", table.towers if shooter.towers else -table.towers))
    if shooter.fatigue >= EXHAUSTED:
        mods.append(Mod("exhausted", table.exhausted, shooter.side))
    if battle.switches.wind_force >= STRONG_WIND and reach > 1:
        mods.append(Mod("wind", table.strong_wind))
    return mods


def expected_losses(battle: Battle, shooter: Ship, target: Ship, points: int) -> list[int]:
    """What each face of the die would cost the target, no more than it has."""
    reach = battle.fire_range(shooter.name, target.name)
    if reach is None:
        return []
    bonus = total(missile_mods(battle, shooter, target, reach))
    return [min(TABLES.missile.loss(face + bonus, points), target.marines) for face in FACES]


def shoot(battle: Battle, shooter: Ship, target: Ship, points: int, reaction: str = "") -> Volley:
    """GA-MIS-8: one die on the Missile Table."""
    reach = battle.fire_range(shooter.name, target.name)
    assert reach is not None
    mods = missile_mods(battle, shooter, target, reach)
    die = _die(battle, shooter, target, "fires at", reaction)
    loss = min(TABLES.missile.loss(die.face + total(mods), points), target.marines)
    facts = {
        "shooter": shooter.name,
        "target": target.name,
        "points": points,
        "range": reach,
        "die": die.face,
        "loss": loss,
        "reaction": bool(reaction),
        **_places(battle, shooter, target),
    }
    battle.tell("fire", "GA-MIS-6" if reaction else "GA-MIS-8", facts, mods=mods, rolls=(die,))
    return Volley(shooter.name, target.name, loss)


def shoot_flame(battle: Battle, shooter: Ship, target: Ship, points: int, reaction: str = "") -> Volley:
    """GA-FLM-2: one die, better with many points; 6 sets the target alight."""
    table = TABLES.flame
    mods = [Mod("many points", table.many_bonus)] if points >= table.many_points else []
    die = _die(battle, shooter, target, "flame at", reaction)
    ignites = die.face + total(mods) >= table.ignites
    facts = {
        "ship": shooter.name,
        "target": target.name,
        "die": die.face,
        "result": "burns" if ignites else "no effect",
        "reaction": bool(reaction),
        **_places(battle, shooter, target),
    }
    battle.tell("flame", "GA-FLM-2", facts, mods=mods, rolls=(die,))
    return Volley(shooter.name, target.name, 0, ignites)


def _die(battle: Battle, shooter: Ship, target: Ship, verb: str, reaction: str) -> Roll:
    occasion = f"reaction to {reaction}" if reaction else "own fire"
    return battle.roll(shooter.name, verb, target.name, occasion)


def _places(battle: Battle, shooter: Ship, target: Ship) -> dict[str, list[int]]:
    return {"from": list(battle.hull(shooter.name).bow), "to": list(battle.hull(target.name).bow)}


def land_volleys(battle: Battle, volleys: Sequence[Volley]) -> None:
    """GA-MIS-7: losses and fires of an exchange take effect together."""
    for volley in volleys:
        struck = battle.ship(volley.target)
        if volley.loss:
            battle.change(volley.target, marines=max(struck.marines - volley.loss, 0))
        if volley.ignites:
            catch_fire(battle, volley.target)


def catch_fire(battle: Battle, name: str) -> None:
    """GA-FIR-1: no effect on a ship that burns already, or that is no longer afloat."""
    ship = battle.ship(name)
    if ship.afloat and not ship.fire:
        battle.change(name, fire=1)


# --- flame -----------------------------------------------------------------------------------------------------------


def has_flame(battle: Battle, ship: Ship) -> bool:
    """GA-FLM-1: switch on, ability granted, towers still standing."""
    return battle.switches.flame_missiles and ship.flame and ship.towers


def is_in_flame_reach(battle: Battle, ship: Ship, target: Ship) -> bool:
    """GA-FLM-1: adjacent, through any hexsides."""
    return battle.apart(ship.name, target.name) <= TABLES.flame.range


def _prefers_flame(battle: Battle, ship: Ship, target: Ship) -> bool:
    """GA-ORD-13: doctrine on, ship able, target adjacent and not yet burning."""
    return (
        battle.doctrine(ship.name, "flame") == "on"
        and has_flame(battle, ship)
        and not target.burning
        and is_in_flame_reach(battle, ship, target)
    )


# --- reaction --------------------------------------------------------------------------------------------------------


def names_kind(doctrine: str, kind: str) -> bool:
    """Whether a ``react`` or ``avoid`` doctrine covers this kind of attempt."""
    return doctrine == "all" or kind in doctrine.split()


def react(battle: Battle, target: str, attacker: str, kind: str) -> list[Volley]:
    """GA-MIS-6: the target of an attempt shoots back with all it has, once in each enemy activation."""
    ship, enemy = battle.ship(target), battle.ship(attacker)
    points = points_available(battle, ship)
    if not points or ship.reacted or battle.is_routed(target):
        return []
    if not names_kind(battle.doctrine(target, "react"), kind):
        return []
    if _prefers_flame(battle, ship, enemy):
        battle.change(target, reacted=True)
        return [shoot_flame(battle, ship, enemy, points, kind)]
    if battle.fire_range(target, attacker) is None:
        return []
    battle.change(target, reacted=True)
    return [shoot(battle, ship, enemy, points, kind)]


def exchange(battle: Battle, shooter: str, shots: Sequence[tuple[str, int]]) -> None:
    """GA-MIS-5, -7, -9: the firer's dice, then those of the targets that react; all losses at the end."""
    ship = battle.ship(shooter)
    battle.change(shooter, fired=True)
    volleys = [shoot(battle, ship, battle.ship(target), points) for target, points in shots]
    for target, _ in shots:
        volleys += react(battle, target, shooter, "missile")
    land_volleys(battle, volleys)


def exchange_flame(battle: Battle, shooter: str, target: str) -> None:
    """GA-FLM-2: counts as missile fire, so the target may react."""
    ship = battle.ship(shooter)
    battle.change(shooter, fired=True)
    volleys = [shoot_flame(battle, ship, battle.ship(target), points_available(battle, ship))]
    volleys += react(battle, target, shooter, "missile")
    land_volleys(battle, volleys)

"""Missile fire, splitting it, and reaction fire (GA-MIS), with the flame missiles that may take its place (GA-FLM)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.galleys.data import TABLES
from games.galleys.rules.speed import EXHAUSTED, STRONG_WIND
from games.galleys.state import Ship
from games.galleys.table import DIE, Mod, Table, total
from pbem.kit.dice import Roll

FACES = range(1, DIE + 1)


@dataclass(frozen=True)
class Volley:
    """One shot as it was rolled; its loss is taken off when the exchange is over (GA-MIS-7)."""

    shooter: str
    target: str
    loss: int
    ignites: bool = False


def points_available(table: Table, ship: Ship) -> int:
    """GA-MIS-3: as many points as there are marines to use them; none on a burning ship or a prize."""
    if not ship.afloat or ship.burning or ship.prize:
        return 0
    return min(table.class_of(ship.name).missile, ship.marines)


def missile_mods(table: Table, shooter: Ship, target: Ship, reach: int) -> list[Mod]:
    """GA-MIS-8: range, towers, exhaustion and strong wind."""
    numbers = TABLES.missile
    mods = []
    if reach == 1:
        mods.append(Mod("range 1", numbers.close))
    if shooter.towers != target.towers:
        mods.append(Mod("towers", numbers.towers if shooter.towers else -numbers.towers))
    if shooter.fatigue >= EXHAUSTED:
        mods.append(Mod("exhausted", numbers.exhausted, shooter.side))
    if table.switches.wind_force >= STRONG_WIND and reach > 1:
        mods.append(Mod("wind", numbers.strong_wind))
    return mods


def expected_losses(table: Table, shooter: Ship, target: Ship, points: int) -> list[int]:
    """What each face of the die would cost the target, no more than it has."""
    reach = table.fire_range(shooter.name, target.name)
    if reach is None:
        return []
    bonus = total(missile_mods(table, shooter, target, reach))
    return [min(TABLES.missile.loss(face + bonus, points), target.marines) for face in FACES]


def shoot(table: Table, shooter: Ship, target: Ship, points: int, reaction: str = "") -> Volley:
    """GA-MIS-8: one die on the Missile Table."""
    reach = table.fire_range(shooter.name, target.name)
    assert reach is not None
    mods = missile_mods(table, shooter, target, reach)
    die = _die(table, shooter, target, "fires at", reaction)
    loss = min(TABLES.missile.loss(die.face + total(mods), points), target.marines)
    facts = {"shooter": shooter.name, "points": points, "range": reach, "loss": loss}
    facts.update(_facts(shooter, target, die, reaction))
    table.tell_in_fog("fire", "GA-MIS-6" if reaction else "GA-MIS-8", facts, (die,), mods=mods)
    return Volley(shooter.name, target.name, loss)


def shoot_flame(table: Table, shooter: Ship, target: Ship, points: int, reaction: str = "") -> Volley:
    """GA-FLM-2: one die, better with many points; 6 sets the target alight."""
    numbers = TABLES.flame
    mods = [Mod("many points", numbers.many_bonus)] if points >= numbers.many_points else []
    die = _die(table, shooter, target, "flame at", reaction)
    ignites = die.face + total(mods) >= numbers.ignites
    facts = {"ship": shooter.name, "result": "burns" if ignites else "no effect"}
    facts.update(_facts(shooter, target, die, reaction))
    table.tell_in_fog("flame", "GA-FLM-2", facts, (die,), mods=mods)
    return Volley(shooter.name, target.name, 0, ignites)


def _die(table: Table, shooter: Ship, target: Ship, verb: str, reaction: str) -> Roll:
    occasion = f"reaction to {reaction}" if reaction else "own fire"
    return table.roll(DIE, shooter.name, verb, target.name, occasion)


def _facts(shooter: Ship, target: Ship, die: Roll, reaction: str) -> dict[str, Any]:
    """What is told of every shot."""
    places = {"from": list(shooter.bow), "to": list(target.bow)}
    return {"target": target.name, "die": die.face, "reaction": bool(reaction), **places}


def land_volleys(table: Table, volleys: Sequence[Volley]) -> None:
    """GA-MIS-7: losses and fires of an exchange take effect together."""
    for volley in volleys:
        struck = table.ships[volley.target]
        if volley.loss:
            table.change(struck, marines=max(struck.marines - volley.loss, 0))
        if volley.ignites:
            catch_fire(table, volley.target)


def catch_fire(table: Table, name: str) -> None:
    """GA-FIR-1: no effect on a ship that burns already, or that is no longer afloat."""
    ship = table.ships[name]
    if ship.afloat and not ship.fire:
        table.change(ship, fire=1)


# --- flame -----------------------------------------------------------------------------------------------------------


def has_flame(table: Table, ship: Ship) -> bool:
    """GA-FLM-1: switch on, ability granted, towers still standing."""
    return table.switches.flame_missiles and ship.flame and ship.towers


def is_in_flame_reach(table: Table, ship: Ship, target: Ship) -> bool:
    """GA-FLM-1: adjacent, through any hexsides."""
    return table.apart(ship.name, target.name) <= TABLES.flame.range


def _prefers_flame(table: Table, ship: Ship, target: Ship) -> bool:
    """GA-ORD-13: doctrine on, ship able, target adjacent and not yet burning."""
    return (
        table.doctrine(ship.name, "flame") == "on"
        and has_flame(table, ship)
        and not target.burning
        and is_in_flame_reach(table, ship, target)
    )


# --- reaction --------------------------------------------------------------------------------------------------------


def names_kind(doctrine: str, kind: str) -> bool:
    """Whether a ``react`` or ``avoid`` doctrine covers this kind of attempt."""
    return doctrine == "all" or kind in doctrine.split()


def react(table: Table, target: str, attacker: str, kind: str) -> list[Volley]:
    """GA-MIS-6: the target of an attempt shoots back with all it has, once in each enemy activation."""
    ship, enemy = table.ships[target], table.ships[attacker]
    points = points_available(table, ship)
    if not points or ship.reacted or table.is_routed(target):
        return []
    if not names_kind(table.doctrine(target, "react"), kind):
        return []
    if _prefers_flame(table, ship, enemy):
        table.change(ship, reacted=True)
        return [shoot_flame(table, ship, enemy, points, kind)]
    if table.fire_range(target, attacker) is None:
        return []
    table.change(ship, reacted=True)
    return [shoot(table, ship, enemy, points, kind)]


def exchange(table: Table, shooter: str, shots: Sequence[tuple[str, int]]) -> None:
    """GA-MIS-5, -7, -9: the firer's dice, then those of the targets that react; all losses at the end."""
    ship = table.change(table.ships[shooter], fired=True)
    volleys = [shoot(table, ship, table.ships[target], points) for target, points in shots]
    _answer(table, shooter, volleys)


def exchange_flame(table: Table, shooter: str, target: str) -> None:
    """GA-FLM-2: counts as missile fire, so the target may react."""
    ship = table.change(table.ships[shooter], fired=True)
    _answer(table, shooter, [shoot_flame(table, ship, table.ships[target], points_available(table, ship))])


def _answer(table: Table, shooter: str, volleys: list[Volley]) -> None:
    answers = [volley for shot in volleys for volley in react(table, shot.target, shooter, "missile")]
    land_volleys(table, volleys + answers)

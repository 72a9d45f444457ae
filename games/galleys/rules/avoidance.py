"""Avoidance: the target of an attempt pulls clear, or partly so (GA-AVD)."""

from __future__ import annotations

from games.galleys.data import TABLES, band
from games.galleys.rules.battle import Battle, Mod, total
from games.galleys.rules.missiles import names_kind
from games.galleys.rules.speed import EXHAUSTED

AVOIDED, PARTIAL, FAILS, NONE = "avoided", "partial", "fails", ""


def may_avoid(battle: Battle, name: str, kind: str) -> bool:
    """GA-AVD-1, -2: the doctrine names the kind and nothing holds the ship back."""
    ship = battle.ship(name)
    if ship.crippled or ship.rammed or ship.prize or ship.fatigue >= EXHAUSTED or battle.is_held(name):
        return False
    return battle.is_routed(name) or names_kind(battle.doctrine(name, "avoid"), kind)


def avoid(battle: Battle, name: str, attacker: str, kind: str) -> str:
    """GA-AVD-3, -5: one die; each attempt tires the rowers for the next and for their own move."""
    if not may_avoid(battle, name, kind):
        return NONE
    ship, table = battle.ship(name), TABLES.avoidance
    mods = [Mod("crew", ship.crew, ship.side)]
    if not battle.class_of(name).large:
        mods.append(Mod("small ship", table.small))
    mods += [Mod("fatigue", -ship.fatigue, ship.side), Mod("earlier attempts", -ship.avoid_count, ship.side)]
    if ship.burning:
        mods.append(Mod("burning", table.burning))
    die = battle.roll(name, "avoids", kind, attacker)
    result = band(table.bands, die.face + total(mods))
    battle.change(name, avoid_count=ship.avoid_count + 1, debt=ship.debt + 1)
    facts = {"ship": name, "against": attacker, "attempt": kind, "die": die.face, "result": result}
    battle.tell("avoidance", "GA-AVD-3", facts, mods=mods, rolls=(die,))
    return result

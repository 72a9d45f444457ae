"""Avoidance: the target of an attempt pulls clear, or partly so (GA-AVD)."""

from __future__ import annotations

from collections.abc import Callable

from games.galleys.data import TABLES, band
from games.galleys.rules.missiles import land_volleys, names_kind, react
from games.galleys.rules.speed import EXHAUSTED
from games.galleys.table import DIE, Mod, Table, total

AVOIDED, PARTIAL, FAILS, NONE = "avoided", "partial", "fails", ""


def may_avoid(table: Table, name: str, kind: str) -> bool:
    """GA-AVD-1, -2: the doctrine names the kind and nothing holds the ship back."""
    ship = table.ships[name]
    if ship.crippled or ship.rammed or ship.prize or ship.fatigue >= EXHAUSTED or table.is_held(name):
        return False
    return table.is_routed(name) or names_kind(table.doctrine(name, "avoid"), kind)


def avoid(table: Table, name: str, attacker: str, kind: str) -> str:
    """GA-AVD-3, -5: one die; each attempt tires the rowers for the next and for their own move."""
    if not may_avoid(table, name, kind):
        return NONE
    ship, numbers = table.ships[name], TABLES.avoidance
    mods = [Mod("crew", ship.crew, ship.side)]
    if not table.class_of(name).large:
        mods.append(Mod("small ship", numbers.small))
    mods += [Mod("fatigue", -ship.fatigue, ship.side), Mod("earlier attempts", -ship.avoid_count, ship.side)]
    if ship.burning:
        mods.append(Mod("burning", numbers.burning))
    die = table.roll(DIE, name, "avoids", kind, attacker)
    result = band(numbers.bands, die.face + total(mods))
    table.change(ship, avoid_count=ship.avoid_count + 1, debt=ship.debt + 1)
    facts = {"ship": name, "against": attacker, "attempt": kind, "die": die.face, "result": result}
    table.tell_in_fog("avoidance", "GA-AVD-3", facts, (die,), mods=mods)
    return result


def attempt(table: Table, name: str, target: str, kind: str, strike: Callable[[list[Mod]], str]) -> str:
    """GA-MIS-7, GA-AVD-1: reaction fire, avoidance, and the blow unless it was avoided; the volleys land last.

    ``strike`` is given the modifier of a partial avoidance; what it did is returned, or ``avoided``.
    """
    table.change(table.ships[name], attacked=True)
    volleys = react(table, target, name, kind)
    result = avoid(table, target, name, kind)
    weaker = TABLES.avoidance.partial_on_grapple if kind == "grapple" else TABLES.avoidance.partial_on_ram
    code = AVOIDED if result == AVOIDED else strike([Mod("partly avoided", weaker)] if result == PARTIAL else [])
    land_volleys(table, volleys)
    return code

"""The fire phase: fires burn out, grow and spread (GA-FIR)."""

from __future__ import annotations

from games.galleys.data import TABLES, band
from games.galleys.rules.losses import lose
from games.galleys.rules.missiles import catch_fire
from games.galleys.state import Ship
from games.galleys.table import DIE, Mod, Table


def fire_phase(table: Table) -> None:
    """GA-FIR-2, -3: burning ships first, then the ships their fire may leap to."""
    links_before = list(table.links.values())
    burnt = [ship.name for ship in table.afloat() if ship.fire and _burn(table, ship)]
    dangerous = burnt + [ship.name for ship in table.afloat() if ship.fire >= TABLES.flame.spread_level]
    at_risk = [
        ship.name
        for ship in table.afloat()
        if not ship.fire
        and any(ship.name in link.ships and link.other(ship.name) in dangerous for link in links_before)
    ]
    for name in at_risk:
        _leap(table, name)


def _burn(table: Table, ship: Ship) -> bool:
    """GA-FIR-2: one die, less the crew; returns whether the ship is burnt."""
    mods = [Mod("crew", -ship.crew, ship.side)]
    die = table.roll(DIE, ship.name, "burning")
    result = band(TABLES.flame.burning, die.face - ship.crew)
    level = {"out": 0, "unchanged": ship.fire, "grows": ship.fire + 1}[result]
    facts = {"ship": ship.name, "die": die.face, "result": result, "level": level, "at": list(ship.bow)}
    table.tell_in_fog("burn", "GA-FIR-2", facts, (die,), mods=mods)
    if level >= TABLES.flame.burnt:
        lose(table, ship.name, "burnt", "burnt out")
        return True
    table.change(ship, fire=level)
    return False


def _leap(table: Table, name: str) -> None:
    """GA-FIR-3: a 6 and the fire leaps over the link."""
    die = table.roll(DIE, name, "fire spreads")
    catches = die.face >= TABLES.flame.spreads
    if catches:
        catch_fire(table, name)
    result = "catches fire" if catches else "escapes the flames"
    facts = {"ship": name, "die": die.face, "result": result, "level": 1 if catches else 0}
    facts["at"] = list(table.ships[name].bow)
    table.tell_in_fog("burn", "GA-FIR-3", facts, (die,))

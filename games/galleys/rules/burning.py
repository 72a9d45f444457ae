"""The fire phase: fires burn out, grow and spread (GA-FIR)."""

from __future__ import annotations

from games.galleys.data import TABLES, band
from games.galleys.rules.battle import Battle, Mod
from games.galleys.rules.losses import lose
from games.galleys.rules.missiles import catch_fire
from games.galleys.state import Ship


def fire_phase(battle: Battle) -> None:
    """GA-FIR-2, -3: burning ships first, then the ships their fire may leap to."""
    links_before = list(battle.links)
    burnt = [ship.name for ship in battle.afloat() if ship.fire and _burn(battle, ship)]
    dangerous = burnt + [ship.name for ship in battle.afloat() if ship.fire >= TABLES.flame.spread_level]
    at_risk = [
        ship.name
        for ship in battle.afloat()
        if not ship.fire
        and any(ship.name in link.ships and link.other(ship.name) in dangerous for link in links_before)
    ]
    for name in at_risk:
        _leap(battle, name)


def _burn(battle: Battle, ship: Ship) -> bool:
    """GA-FIR-2: one die, less the crew; returns whether the ship is burnt."""
    mods = [Mod("crew", -ship.crew, ship.side)]
    die = battle.roll(ship.name, "burning")
    result = band(TABLES.flame.burning, die.face - ship.crew)
    level = {"out": 0, "unchanged": ship.fire, "grows": ship.fire + 1}[result]
    facts = {"ship": ship.name, "die": die.face, "result": result, "level": level, "at": list(ship.bow)}
    battle.tell("burn", "GA-FIR-2", facts, mods=mods, rolls=(die,))
    if level >= TABLES.flame.burnt:
        lose(battle, ship.name, "burnt", "burnt out")
        return True
    battle.change(ship.name, fire=level)
    return False


def _leap(battle: Battle, name: str) -> None:
    """GA-FIR-3: a 6 and the fire leaps over the link."""
    die = battle.roll(name, "fire spreads")
    catches = die.face >= TABLES.flame.spreads
    if catches:
        catch_fire(battle, name)
    result = "catches fire" if catches else "escapes the flames"
    facts = {"ship": name, "die": die.face, "result": result, "level": 1 if catches else 0}
    facts["at"] = list(battle.ship(name).bow)
    battle.tell("burn", "GA-FIR-3", facts, rolls=(die,))

"""Tired rowers: the fatigue roll and recovery (GA-FAT)."""

from __future__ import annotations

from games.galleys.data import TABLES, band
from games.galleys.rules.battle import Battle, Mod
from games.galleys.rules.track import Track, ship_of
from games.galleys.state import Level, Ship
from pbem.kit.dice import Roll

ANASTROPHE_ROW = "7A"
TIRED = "tired"


def tire(battle: Battle, track: Track) -> None:
    """GA-FAT-1, -3, -5: a die after Full, Maximum and every anastrophe."""
    if track.level not in (Level.FULL, Level.MAX) and not track.anastrophe:
        return
    ship = ship_of(battle, track)
    row = ANASTROPHE_ROW if track.anastrophe else band(TABLES.fatigue.rows, ship.spent)
    die = battle.roll(track.name, "fatigue")
    gained = TABLES.fatigue.levels(row, die.face - ship.crew)
    if track.anastrophe:
        gained = max(gained, 1)
    tired = min(ship.fatigue + gained, TABLES.fatigue.worst)
    battle.change(track.name, fatigue=tired)
    _tell_fatigue(battle, ship, tired, row, gained, die)


def _tell_fatigue(battle: Battle, before: Ship, tired: int, row: str, gained: int, die: Roll) -> None:
    """Section 8: the enemy sees under fog only that a fresh crew has become tired."""
    facts = {"ship": before.name, "row": row, "die": die.face, "mod": -before.crew, "gained": gained, "level": tired}
    if not battle.switches.fog:
        battle.tell("fatigue", "GA-FAT-2", facts, mods=[Mod("crew", -before.crew)], rolls=(die,))
        return
    battle.tell_only(before.side, "fatigue", "GA-FAT-2", facts, (die,))
    if tired and not before.fatigue:
        masked = {**dict.fromkeys(facts), "ship": before.name, "level": TIRED}
        battle.tell_only(battle.state.enemy_of(before.side), "fatigue", "GA-FAT-2", masked)


def recover(battle: Battle) -> None:
    """GA-FAT-6: rest without a die, or half speed with one."""
    for ship in battle.afloat():
        if not ship.fatigue:
            continue
        if ship.spent == 0 and not ship.attacked:
            _recovered(battle, ship, None)
        elif ship.level is Level.HALF:
            _recovered(battle, ship, battle.roll(ship.name, "recovery"))


def _recovered(battle: Battle, ship: Ship, die: Roll | None) -> None:
    """The owner sees a die that brings no relief as well."""
    relieved = die is None or die.face + ship.crew >= TABLES.fatigue.recovery
    level = ship.fatigue - 1 if relieved else ship.fatigue
    battle.change(ship.name, fatigue=level)
    facts = {"ship": ship.name, "die": die.face if die else None, "auto": die is None, "level": level}
    facts["result"] = "recovers" if relieved else "no relief"
    battle.tell_only(ship.side, "recovery", "GA-FAT-6", facts, (die,) if die else ())

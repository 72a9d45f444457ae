"""Tired rowers: the fatigue roll and recovery (GA-FAT)."""

from __future__ import annotations

from games.galleys.data import TABLES, band
from games.galleys.rules.track import Track
from games.galleys.state import Level, Ship
from games.galleys.table import DIE, Mod, Table
from pbem.kit.dice import Roll

ANASTROPHE_ROW = "7A"
TIRED = "tired"
TIRING = (Level.FULL, Level.MAX)
"""GA-FAT-1: the levels that ask for a roll."""


def fatigue_row(spent: int) -> str:
    """GA-FAT-1: the row of the table for the movement points of an activation."""
    return band(TABLES.fatigue.rows, spent)


def tire(table: Table, track: Track) -> None:
    """GA-FAT-1, -3, -5: a die after Full, Maximum and every anastrophe."""
    if track.level not in TIRING and not track.anastrophe:
        return
    ship = table.ships[track.name]
    row = ANASTROPHE_ROW if track.anastrophe else fatigue_row(ship.spent)
    die = table.roll(DIE, track.name, "fatigue")
    gained = max(TABLES.fatigue.levels(row, die.face - ship.crew), 1 if track.anastrophe else 0)
    tired = min(ship.fatigue + gained, TABLES.fatigue.worst)
    table.change(ship, fatigue=tired)
    _tell_fatigue(table, ship, tired, row, gained, die)


def _tell_fatigue(table: Table, before: Ship, tired: int, row: str, gained: int, die: Roll) -> None:
    """Section 8: the enemy sees under fog only that a fresh crew has become tired."""
    facts = {"ship": before.name, "row": row, "die": die.face, "mod": -before.crew, "gained": gained, "level": tired}
    if not table.switches.fog:
        table.tell_in_fog("fatigue", "GA-FAT-2", facts, (die,), mods=[Mod("crew", -before.crew)])
        return
    table.tell("fatigue", "GA-FAT-2", before.side, facts, (die,))
    if tired and not before.fatigue:
        masked = {**dict.fromkeys(facts), "ship": before.name, "level": TIRED}
        table.tell("fatigue", "GA-FAT-2", table.state.enemy_of(before.side), masked)


def recover(table: Table) -> None:
    """GA-FAT-6: rest without a die, or half speed with one."""
    for ship in table.afloat():
        if not ship.fatigue:
            continue
        if ship.spent == 0 and not ship.attacked:
            _recovered(table, ship, None)
        elif ship.level is Level.HALF:
            _recovered(table, ship, table.roll(DIE, ship.name, "recovery"))


def _recovered(table: Table, ship: Ship, die: Roll | None) -> None:
    """The owner sees a die that brings no relief as well."""
    relieved = die is None or die.face + ship.crew >= TABLES.fatigue.recovery
    level = ship.fatigue - 1 if relieved else ship.fatigue
    table.change(ship, fatigue=level)
    facts = {"ship": ship.name, "die": die.face if die else None, "auto": die is None, "level": level}
    facts["result"] = "recovers" if relieved else "no relief"
    table.tell("recovery", "GA-FAT-6", ship.side, facts, (die,) if die else ())

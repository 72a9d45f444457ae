"""Ships that leave the battle: sinking, burning, exits, and the sinking phase (GA-SNK)."""

from __future__ import annotations

from games.galleys.data import TABLES
from games.galleys.rules.battle import Battle
from games.galleys.state import Status


def lose(battle: Battle, name: str, status: Status, cause: str) -> None:
    """GA-SNK-2: the ship leaves the map, its links end, its marines are lost."""
    ship = battle.ship(name)
    at = list(battle.hull(name).bow)
    battle.unlink_all(name)
    # A prize stays lost to its own side since the turn it was taken.
    battle.change(name, status=status, lost_turn=ship.lost_turn or battle.turn, marines=0)
    battle.tell("lost", "GA-SNK-2", {"ship": name, "side": ship.side, "cause": cause, "status": status, "at": at})


def leave_map(battle: Battle, name: str, edge: str) -> None:
    """GA-MOV-7: the ship exits."""
    ship = battle.ship(name)
    at = list(battle.hull(name).bow)
    battle.unlink_all(name)
    battle.change(name, status="exited", lost_turn=ship.lost_turn or battle.turn)
    battle.tell("exit", "GA-MOV-7", {"ship": name, "side": ship.side, "edge": edge, "at": at})


def sinking_phase(battle: Battle) -> None:
    """GA-SNK-1: each rammed ship may go down."""
    for ship in battle.afloat():
        if not ship.rammed:
            continue
        limit = TABLES.sinking.large if battle.class_of(ship.name).large else TABLES.sinking.small
        die = battle.roll(ship.name, "sinking")
        sinks = die.face <= limit
        facts = {"ship": ship.name, "die": die.face, "result": "sinks" if sinks else "stays afloat"}
        battle.tell("sinking", "GA-SNK-1", facts, rolls=(die,))
        if sinks:
            lose(battle, ship.name, "sunk", "foundered")

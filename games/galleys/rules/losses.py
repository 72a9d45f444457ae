"""Ships that leave the battle: sinking, burning, exits, and the sinking phase (GA-SNK)."""

from __future__ import annotations

from games.galleys.data import TABLES
from games.galleys.state import Status
from games.galleys.table import DIE, Table


def lose(table: Table, name: str, status: Status, cause: str) -> None:
    """GA-SNK-2: the ship leaves the map, its links end, its marines are lost."""
    ship = table.ships[name]
    table.unlink_all(name)
    # A prize stays lost to its own side since the turn it was taken.
    table.change(ship, status=status, lost_turn=ship.lost_turn or table.turn, marines=0)
    facts = {"ship": name, "side": ship.side, "cause": cause, "status": status, "at": list(ship.bow)}
    table.tell("lost", "GA-SNK-2", table.sides, facts)


def leave_map(table: Table, name: str, edge: str) -> None:
    """GA-MOV-7: the ship exits."""
    ship = table.ships[name]
    table.unlink_all(name)
    table.change(ship, status="exited", lost_turn=ship.lost_turn or table.turn)
    table.tell("exit", "GA-MOV-7", table.sides, {"ship": name, "side": ship.side, "edge": edge, "at": list(ship.bow)})


def sinking_phase(table: Table) -> None:
    """GA-SNK-1: each rammed ship may go down."""
    for ship in table.afloat():
        if not ship.rammed:
            continue
        limit = TABLES.sinking.large if table.class_of(ship.name).large else TABLES.sinking.small
        die = table.roll(DIE, ship.name, "sinking")
        sinks = die.face <= limit
        facts = {"ship": ship.name, "die": die.face, "result": "sinks" if sinks else "stays afloat"}
        table.tell_in_fog("sinking", "GA-SNK-1", facts, (die,))
        if sinks:
            lose(table, ship.name, "sunk", "foundered")

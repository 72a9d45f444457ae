"""FA-CMD-6, 7, 9: who leads when a commander is lost."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action import geometry
from games.fleet_action.battle import Battle
from games.fleet_action.rules import formation
from games.fleet_action.state import Ship, Squadron


def best_commander(battle: Battle, squadron: Squadron) -> Ship | None:
    """FA-CMD-6: highest cr, then most structure left, then roster order."""
    ships = battle.members(squadron)
    return min(ships, key=lambda ship: (-battle.card(ship).cr, -ship.structure), default=None)


def lead_from(battle: Battle, squadron: Squadron, leader: Ship) -> Squadron:
    """FA-CMD-7: the squadron is flown from this ship's hex; offsets are re-based on it at once."""
    based = replace(squadron, command_ship=leader.name, hex=leader.hex)
    offsets = formation.offsets_as_they_stand(battle, based)
    based = replace(based, formation={**offsets, leader.name: geometry.HERE})
    battle.put(based)
    return based


def leave_behind(battle: Battle, squadron: Squadron) -> None:
    """FA-WDR-6: those the command ship did not take along become a squadron of the best commander, withdrawing too."""
    current = battle.squadrons[squadron.name]
    leader = best_commander(battle, current)
    assert leader is not None
    battle.put(replace(lead_from(battle, current, leader), state="withdrawing"))

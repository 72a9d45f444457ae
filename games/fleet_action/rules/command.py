"""FA-CMD: command ships, flagships, and what happens when they are lost."""

from __future__ import annotations

from fractions import Fraction

from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table

HALF = Fraction(1, 2)
THREE_QUARTERS = Fraction(3, 4)


def is_leaderless(table: Table, squadron: Squadron) -> bool:
    """FA-CMD-5: its commander was destroyed last turn, and the successor is not yet in office."""
    return squadron.lost_commander_turn is not None and squadron.lost_commander_turn == table.state.turn - 1


def is_flagless(table: Table, squadron: Squadron) -> bool:
    """FA-CMD-8: its fleet lost the flagship last turn."""
    return table.fleets[squadron.fleet].flagless_turn == table.state.turn - 1


def is_jammed(table: Table, ship: Ship) -> bool:
    """FA-ELI-5: its command is jammed this turn."""
    return ship.jammed_turn is not None and ship.jammed_turn == table.state.turn


def is_out_of_command(table: Table, ship: Ship) -> bool:
    """FA-CMD-2, 14: beyond the command radius, jammed, or a stray."""
    return ship.command == "ooc" or is_jammed(table, ship) or is_stray(table.squadrons[ship.squadron])


def is_stray(squadron: Squadron) -> bool:
    """FA-CMD-6: a ship on its own, out of command."""
    return squadron.stray


def ranks_out_of_command(table: Table, squadron: Squadron) -> bool:
    """FA-SEQ-2: category 1."""
    if is_leaderless(table, squadron) or is_stray(squadron):
        return True
    return is_jammed(table, table.commander(squadron))


def has_elint_support(table: Table, squadron: Squadron) -> bool:
    """FA-SEQ-2: it has a ship with ELINT levels left, or receives priority support (FA-ABL-7)."""
    return any(table.elint_level(ship) for ship in table.members(squadron))


def has_fighter_ops(table: Table, squadron: Squadron) -> bool:
    """FA-ABL-6, FA-CMD-5: an Ex-Fighter Ops Commander leads it; not while it is without a commander."""
    owned = any(ability.key == "ex-fighter-ops" for ability in table.abilities(squadron))
    return owned and not is_leaderless(table, squadron)

"""End of a turn and of the game: BS-END."""

from __future__ import annotations

from typing import Literal

from games.battleshift.data import NUMBERS
from games.battleshift.state import Ending
from games.battleshift.table import Table


def presence(table: Table, side: str) -> bool:
    """BS-END-1: a ship, station or installation on the table, or something due to arrive."""
    own = table.of(side)
    if any(s.present or s.now.docked or any(ship.now.status == "hyperspace" for ship in s.ships) for s in own):
        return True
    return any(q.side == side and (q.now.working or q.now.assault) for b in table.bodies for q in b.quadrants.values())


def level(ours: int, theirs: int) -> Literal["decisive", "marginal", "draw"]:
    """BS-END-3: ratio of victory points, zero counting as 1."""
    high, low = max(ours, theirs, 1), max(min(ours, theirs), 1)
    if high * NUMBERS.decisive[1] >= NUMBERS.decisive[0] * low:
        return "decisive"
    return "marginal" if high * NUMBERS.marginal[1] >= NUMBERS.marginal[0] * low else "draw"


def by_points(table: Table, why: str) -> Ending:
    one, two = table.sides
    ours, theirs = table.vp[one], table.vp[two]
    result = level(ours, theirs)
    names = names_of(table)
    score = f"{names[one]} {ours}, {names[two]} {theirs}"
    if result == "draw":
        return Ending("", "draw", f"{why}: a draw, {score}.")
    winner = one if ours > theirs else two
    return Ending(winner, result, f"{why}: {result} victory for {names[winner]}, {score}.")


def names_of(table: Table) -> dict[str, str]:
    return {side.id: side.name for side in table.state.sides}


def check_end(table: Table) -> Ending | None:
    """BS-END-1: the scenario's conditions, a side without presence, the turn limit."""
    names = names_of(table)
    from_turn = table.state.victory.no_tf_from_turn
    if from_turn and table.turn >= from_turn:
        bare = [
            side for side in table.sides if not any(tf.side == side and tf.on_table for tf in table.forces.values())
        ]
        if len(bare) == 1:
            winner = table.enemy(bare[0])
            reason = f"{names[bare[0]]} has no taskforce on the table: decisive victory for {names[winner]}."
            return Ending(winner, "decisive", reason)
        if len(bare) == len(table.sides):
            return by_points(table, "Neither side has a taskforce on the table")
    gone = [side for side in table.sides if not presence(table, side)]
    if gone:
        return by_points(table, f"{names[gone[0]]} has nothing left on the table")
    if table.turn >= table.state.turn_limit:
        return by_points(table, f"Turn {table.turn}, the last, is over")
    return None


def conceded(table: Table, sides: list[str]) -> Ending:
    """BS-END-4: the other side wins decisively; if both concede, points decide."""
    names = names_of(table)
    if len(sides) > 1:
        return by_points(table, "Both sides concede")
    winner = table.enemy(sides[0])
    return Ending(winner, "decisive", f"{names[sides[0]]} concedes: decisive victory for {names[winner]}.")

"""End of a turn and of the game: BS-END."""

from __future__ import annotations

from games.battleshift.data import NUMBERS
from games.battleshift.rules.table import Battle
from games.battleshift.state import Ending


def presence(battle: Battle, side: str) -> bool:
    """BS-END-1: a ship, station or installation on the table, or something due to arrive."""
    if any(s.side == side and (s.present or s.docked) for s in battle.squadrons):
        return True
    if any(s.side == side and any(ship.status == "hyperspace" for ship in s.ships) for s in battle.squadrons):
        return True
    return any(q.side == side and (q.working or q.assault) for b in battle.bodies for q in b.quadrants.values())


def level(ours: int, theirs: int) -> str:
    """BS-END-3: ratio of victory points, zero counting as 1."""
    high, low = max(ours, theirs, 1), max(min(ours, theirs), 1)
    if high * NUMBERS.decisive[1] >= NUMBERS.decisive[0] * low:
        return "decisive"
    return "marginal" if high * NUMBERS.marginal[1] >= NUMBERS.marginal[0] * low else "draw"


def by_points(battle: Battle, why: str) -> Ending:
    one, two = battle.sides
    ours, theirs = battle.vp[one], battle.vp[two]
    found = level(ours, theirs)
    names = {side.id: side.name for side in battle.state.sides}
    score = f"{names[one]} {ours}, {names[two]} {theirs}"
    if found == "draw":
        return Ending("", "draw", f"{why}: a draw, {score}.")
    winner = one if ours > theirs else two
    word = "decisive" if found == "decisive" else "marginal"
    return Ending(
        winner, "decisive" if word == "decisive" else "marginal", f"{why}: {word} victory for {names[winner]}, {score}."
    )


def check_end(battle: Battle) -> Ending | None:
    """BS-END-1: the scenario's conditions, a side without presence, the turn limit."""
    names = {side.id: side.name for side in battle.state.sides}
    from_turn = battle.state.victory.no_tf_from_turn
    if from_turn and battle.turn >= from_turn:
        bare = [side for side in battle.sides if not any(tf.side == side and tf.on_table for tf in battle.taskforces)]
        if len(bare) == 1:
            winner = battle.enemy(bare[0])
            reason = f"{names[bare[0]]} has no taskforce on the table: decisive victory for {names[winner]}."
            return Ending(winner, "decisive", reason)
        if len(bare) == len(battle.sides):
            return by_points(battle, "Neither side has a taskforce on the table")
    gone = [side for side in battle.sides if not presence(battle, side)]
    if gone:
        return by_points(battle, f"{names[gone[0]]} has nothing left on the table")
    if battle.turn >= battle.state.turn_limit:
        return by_points(battle, f"Turn {battle.turn}, the last, is over")
    return None


def conceded(battle: Battle, sides: list[str]) -> Ending:
    """BS-END-4: the other side wins decisively; if both concede, points decide."""
    names = {side.id: side.name for side in battle.state.sides}
    if len(sides) > 1:
        return by_points(battle, "Both sides concede")
    winner = battle.enemy(sides[0])
    return Ending(winner, "decisive", f"{names[sides[0]]} concedes: decisive victory for {names[winner]}.")

"""Losses, morale, points and the end of the battle (GA-MOR, GA-VIC)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from games.galleys.data import TABLES
from games.galleys.rules.battle import Battle, Mod, total
from games.galleys.state import Result, Ship, ShipClass, Squadron, State

FLAGSHIP_LOST = 1
"""GA-MOR-1: added to the morale dice."""


def is_loss(ship: Ship, escapes: Iterable[str]) -> bool:
    """GA-MOR-1: lost to its home squadron; an exit from an escaping squadron is no loss."""
    if ship.prize or ship.status in ("sunk", "burnt"):
        return True
    return ship.status == "exited" and ship.home_squadron not in escapes


# --- morale ----------------------------------------------------------------------------------------------------------


def morale_phase(battle: Battle) -> None:
    """GA-MOR-1, -2: squadrons with new and heavy losses roll, and all of a side whose flagship was lost."""
    shaken = {side for side in battle.fleets if _lose_flagship(battle, side)}
    for side in battle.fleets:
        for squadron in [found for found in battle.squadrons.values() if found.side == side]:
            if not squadron.routed and (side in shaken or _is_hard_hit(battle, squadron)):
                _test_morale(battle, squadron)


def _lose_flagship(battle: Battle, side: str) -> bool:
    """GA-MOR-2: set for good in the turn the flagship is lost."""
    fleet, escapes = battle.fleets[side], battle.switches.escape_squadrons
    lost = [
        ship for ship in battle.ships.values() if ship.flagship and ship.home_side == side and is_loss(ship, escapes)
    ]
    if fleet.flagship_lost or not lost:
        return False
    battle.fleets[side] = replace(fleet, flagship_lost=True)
    battle.tell("flagship_lost", "GA-MOR-2", {"side": side, "ship": lost[0].name})
    return True


def _is_hard_hit(battle: Battle, squadron: Squadron) -> bool:
    """GA-MOR-1: a new loss this turn, and at least half of the squadron gone."""
    losses = [
        ship
        for ship in battle.ships.values()
        if ship.home_squadron == squadron.name and is_loss(ship, battle.switches.escape_squadrons)
    ]
    return any(ship.lost_turn == battle.turn for ship in losses) and 2 * len(losses) >= squadron.start_count


def _test_morale(battle: Battle, squadron: Squadron) -> None:
    mods = [Mod("flagship lost", FLAGSHIP_LOST)] if battle.fleets[squadron.side].flagship_lost else []
    dice = battle.roll_two(squadron.name, "morale")
    rolled = sum(die.face for die in dice) + total(mods)
    routs = rolled > squadron.morale
    battle.squadrons[squadron.name] = replace(squadron, routed=routs)
    facts = {
        "squadron": squadron.name,
        "side": squadron.side,
        "dice": [die.face for die in dice],
        "total": rolled,
        "value": squadron.morale,
        "result": "routs" if routs else "stands",
    }
    battle.tell("morale", "GA-MOR-1", facts, mods=mods, rolls=dice, private=("value",), owner=squadron.side)


# --- points ----------------------------------------------------------------------------------------------------------


def scored(ship: Ship, klass: ShipClass, escapes: Iterable[str]) -> int:
    """GA-VIC-1: what a ship is worth to the enemy of its home side as things stand."""
    table = TABLES.score
    if ship.status in ("sunk", "burnt"):
        return klass.points
    if ship.prize:
        return -(-klass.points * table.captured_halves // 2)
    if ship.status == "exited":
        return 0 if ship.home_squadron in escapes else klass.points * table.exited_halves // 2
    return klass.points * table.damaged_halves // 2 if ship.crippled or ship.rammed else 0


def scores(state: State) -> dict[str, int]:
    """GA-VIC-1: victory points of both sides."""
    points = {fleet.name: 0 for fleet in state.sides}
    for ship in state.ships:
        enemy = state.enemy_of(ship.home_side)
        points[enemy] += scored(ship, state.class_of(ship), state.switches.escape_squadrons)
    return points


def is_broken(state: State, side: str) -> bool:
    """GA-VIC-2: losses have reached the break point."""
    fleet = state.fleet(side)
    return PERCENT * lost_points(state, side) >= fleet.break_percent * fleet.start_points


PERCENT = 100


def lost_points(state: State, side: str) -> int:
    """GA-VIC-2: class points of the side's ships sunk, burnt, captured or exited."""
    escapes = state.switches.escape_squadrons
    return sum(state.class_of(ship).points for ship in state.ships if ship.home_side == side and is_loss(ship, escapes))


def is_swept_away(state: State, side: str) -> bool:
    """GA-VIC-3: no ship on the map that is not a prize."""
    return not any(ship.afloat and ship.side == side and not ship.prize for ship in state.ships)


def judge(state: State) -> Result | None:
    """GA-VIC-2, -3: who has won, if it is over."""
    sides = [fleet.name for fleet in state.sides]
    for test, words in ((is_swept_away, "has no ship left on the sea"), (is_broken, "is broken")):
        beaten = [side for side in sides if test(state, side)]
        if len(beaten) == 1:
            return Result(state.enemy_of(beaten[0]), f"{beaten[0]} {words}")
        if beaten:
            return _on_points(state, f"both sides: {beaten[0]} and {beaten[1]} alike; the points decide")
    if state.turn >= state.switches.max_turns:
        return _on_points(state, f"the last of {state.switches.max_turns} turns is over; the points decide")
    return None


def _on_points(state: State, reason: str) -> Result:
    """GA-VIC-2: more victory points win; equal is a draw."""
    points = scores(state)
    highest = max(points.values())
    leaders = [side for side, held in points.items() if held == highest]
    return Result(leaders[0] if len(leaders) == 1 else None, reason)


def told_points(points: Mapping[str, int]) -> str:
    return ", ".join(f"{side} {held}" for side, held in points.items())

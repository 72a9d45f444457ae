"""Losses, morale, points and the end of the battle (GA-MOR, GA-VIC)."""

from __future__ import annotations

from collections.abc import Iterable

from games.galleys.data import TABLES
from games.galleys.state import Result, Ship, ShipClass, Squadron, State
from games.galleys.table import Mod, Table, total

FLAGSHIP_LOST = 1
"""GA-MOR-1: added to the morale dice."""


def is_loss(ship: Ship, escapes: Iterable[str]) -> bool:
    """GA-MOR-1: lost to its home squadron; an exit from an escaping squadron is no loss."""
    if ship.prize or ship.status in ("sunk", "burnt"):
        return True
    return ship.status == "exited" and ship.home_squadron not in escapes


# --- morale ----------------------------------------------------------------------------------------------------------


def morale_phase(table: Table) -> None:
    """GA-MOR-1, -2: squadrons with new and heavy losses roll, and all of a side whose flagship was lost."""
    shaken = {side for side in table.sides if _lose_flagship(table, side)}
    for side in table.sides:
        for squadron in list(table.squadrons.values()):
            if squadron.side == side and not squadron.routed and (side in shaken or _is_hard_hit(table, squadron)):
                _test_morale(table, squadron)


def _lose_flagship(table: Table, side: str) -> bool:
    """GA-MOR-2: set for good in the turn the flagship is lost."""
    fleet = table.sides[side]
    lost = [ship for ship in _losses(table) if ship.flagship and ship.home_side == side]
    if fleet.flagship_lost or not lost:
        return False
    table.change(fleet, flagship_lost=True)
    table.tell("flagship_lost", "GA-MOR-2", table.sides, {"side": side, "ship": lost[0].name})
    return True


def _is_hard_hit(table: Table, squadron: Squadron) -> bool:
    """GA-MOR-1: a new loss this turn, and at least half of the squadron gone."""
    losses = [ship for ship in _losses(table) if ship.home_squadron == squadron.name]
    return any(ship.lost_turn == table.turn for ship in losses) and 2 * len(losses) >= squadron.start_count


def _losses(table: Table) -> list[Ship]:
    return [ship for ship in table.ships.values() if is_loss(ship, table.switches.escape_squadrons)]


def _test_morale(table: Table, squadron: Squadron) -> None:
    mods = [Mod("flagship lost", FLAGSHIP_LOST)] if table.sides[squadron.side].flagship_lost else []
    dice = table.roll_two(squadron.name, "morale")
    rolled = sum(die.face for die in dice) + total(mods)
    routs = rolled > squadron.morale
    table.change(squadron, routed=routs)
    facts = {
        "squadron": squadron.name,
        "side": squadron.side,
        "dice": [die.face for die in dice],
        "total": rolled,
        "value": squadron.morale,
        "result": "routs" if routs else "stands",
    }
    table.tell_in_fog("morale", "GA-MOR-1", facts, dice, mods=mods, private=("value",), owner=squadron.side)


# --- points ----------------------------------------------------------------------------------------------------------


def scored(ship: Ship, klass: ShipClass, escapes: Iterable[str]) -> int:
    """GA-VIC-1: what a ship is worth to the enemy of its home side as things stand."""
    numbers = TABLES.score
    if ship.status in ("sunk", "burnt"):
        return klass.points
    if ship.prize:
        return -(-klass.points * numbers.captured_halves // 2)
    if ship.status == "exited":
        return 0 if ship.home_squadron in escapes else klass.points * numbers.exited_halves // 2
    return klass.points * numbers.damaged_halves // 2 if ship.crippled or ship.rammed else 0


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

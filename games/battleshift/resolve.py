"""Resolution of a phase: setup, or a turn (section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.battleshift.orders.book import OrderBook
from games.battleshift.orders.fleet import fleet_from_setup
from games.battleshift.orders.records import Concede, Order
from games.battleshift.orders.standing import standing_after, standing_of
from games.battleshift.rules.fog import learn, table_of
from games.battleshift.rules.shifting import arrivals
from games.battleshift.rules.turn import clear_flags, play_turn
from games.battleshift.rules.victory import check_end, conceded
from games.battleshift.state import Ending, State
from games.battleshift.table import Table
from pbem.kit.dice import Dice
from pbem.kit.game import Resolution
from pbem.kit.sheet import Sheet


def resolve(state: State, sheets: Mapping[str, Sheet[Order]], dice: Dice) -> Resolution[State]:
    """One phase, whose sheets may be empty."""
    orders = {side.id: sheets[side.id].orders if side.id in sheets else () for side in state.sides}
    if state.stage == "setup":
        return _resolve_setup(state, orders, dice)
    return _resolve_turn(state, orders, dice)


def _resolve_setup(state: State, orders: Mapping[str, tuple[Order, ...]], dice: Dice) -> Resolution[State]:
    """Section 3.1: fleets as built, or the scenario's; turn-1 arrivals are placed at once (BS-SHF-9)."""
    for side, given in orders.items():
        state = fleet_from_setup(state, side, given)
    table = table_of(replace(state, stage="orders"), dice)
    table.step = "arrivals"
    arrivals(table, state.turn)
    learn(table)
    return Resolution(table.frozen(), tuple(table.events))


def _resolve_turn(state: State, orders: Mapping[str, tuple[Order, ...]], dice: Dice) -> Resolution[State]:
    table = table_of(state, dice)
    for side, given in orders.items():
        table.books[side] = OrderBook(given, standing_of(state, side, given))
    giving_up = [side for side in table.sides if any(isinstance(o.detail, Concede) for o in orders[side])]
    ending: Ending | None
    if giving_up:
        ending = conceded(table, giving_up)
    else:
        play_turn(table)
        ending = check_end(table)
    _tell_points(table, ending)
    state = _closed(table, ending)
    return Resolution(standing_after(state, orders), tuple(table.events))


def _tell_points(table: Table, ending: Ending | None) -> None:
    """BS-END-2: both sides read the score; under fog each its own gains and losses, which are the same figures."""
    table.step = "end of turn"
    table.tell("vp", "BS-END-2", table.sides, {"points": dict(table.vp)})
    if ending is not None:
        facts = {"winner": ending.winner, "level": ending.level, "reason": ending.reason, "points": dict(table.vp)}
        table.tell("victory", "BS-END-3", table.sides, facts)


def _closed(table: Table, ending: Ending | None) -> State:
    """End of turn: flags cleared, arrivals of the next turn placed."""
    if ending is not None:
        learn(table)
        return table.frozen(ending=ending, stage="over")
    clear_flags(table)
    for squadron in table.fleet.values():
        squadron.change(acted=False)
    for flight in table.aloft.values():
        flight.change(acted=False)
    for body in table.bodies:
        body.change(acted=False)
    table.step = "arrivals"
    arrivals(table, table.turn + 1)
    learn(table)
    return table.frozen(turn=table.turn + 1)

"""Section 3.2: one phase, resolved; the kinds of events are listed in ``events.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.fleet_action.battle import BEFORE_PULSES, END_OF_TURN, Battle
from games.fleet_action.orders.reading import read_standing
from games.fleet_action.orders.records import Order
from games.fleet_action.rules import manoeuvring
from games.fleet_action.state import PULSES, State
from games.fleet_action.table import Table
from pbem.kit.dice import Dice
from pbem.kit.game import Resolution
from pbem.kit.sheet import Sheet


def resolve(state: State, sheets: Mapping[str, Sheet[Order]], dice: Dice) -> Resolution[State]:
    """One phase of the game."""
    battle = Battle(state, _orders(state, sheets), dice)
    play_turn(battle)
    after = replace(battle.written(), turn=state.turn + 1, stage="turn")
    return Resolution(after, tuple(battle.events))


def _orders(state: State, sheets: Mapping[str, Sheet[Order]]) -> list[tuple[str, Order]]:
    """All orders by side; those of this turn stand before standing ones (FA-DOC-7)."""
    table = Table(state)
    orders: list[tuple[str, Order]] = []
    for side in table.sides:
        sheet = sheets.get(side)
        if sheet is not None:
            orders.extend((side, order) for order in sheet.orders)
        orders.extend((side, order) for order in read_standing(table, side))
    return orders


def play_turn(battle: Battle) -> None:
    """Section 3.2: pre-turn, three pulses, end of turn."""
    battle.pulse = BEFORE_PULSES
    manoeuvring.plot_all(battle)
    for pulse in PULSES:
        battle.pulse = pulse
        manoeuvring.move_squadrons(battle)
    battle.pulse = END_OF_TURN

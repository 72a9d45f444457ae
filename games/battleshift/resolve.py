"""Resolution of a phase: setup, or a turn (section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.battleshift.orders.book import OrderBook
from games.battleshift.orders.fleet import fleet_from_setup
from games.battleshift.orders.reading import standing_after, standing_of
from games.battleshift.orders.words import Concede, Order
from games.battleshift.rules.fog import learn, set_contacts
from games.battleshift.rules.freezing import freeze
from games.battleshift.rules.shifting import arrivals
from games.battleshift.rules.table import Battle
from games.battleshift.rules.thawing import thaw
from games.battleshift.rules.turn import clear_flags, play_turn
from games.battleshift.rules.victory import check_end, conceded
from games.battleshift.state import Ending, State
from pbem.kit.dice import Dice
from pbem.kit.game import Phase, Resolution, SideInfo
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
    battle = thaw(replace(state, stage="orders"), dice)
    battle.step = "arrivals"
    set_contacts(battle)
    arrivals(battle, state.turn)
    learn(battle)
    return Resolution(freeze(battle, stage="orders"), tuple(battle.events))


def _resolve_turn(state: State, orders: Mapping[str, tuple[Order, ...]], dice: Dice) -> Resolution[State]:
    battle = thaw(state, dice)
    for side, given in orders.items():
        battle.books[side] = OrderBook(given, standing_of(state, side, given))
    set_contacts(battle)
    giving_up = [side for side in battle.sides if any(isinstance(o.detail, Concede) for o in orders[side])]
    ending: Ending | None
    if giving_up:
        ending = conceded(battle, giving_up)
    else:
        play_turn(battle)
        ending = check_end(battle)
    _tell_points(battle, ending)
    state = _closed(battle, ending)
    return Resolution(standing_after(state, orders), tuple(battle.events))


def _tell_points(battle: Battle, ending: Ending | None) -> None:
    """BS-END-2: both sides read the score; under fog each its own gains and losses, which are the same figures."""
    battle.step = "end of turn"
    battle.tell("vp", "BS-END-2", {"points": dict(battle.vp)})
    if ending is not None:
        facts = {"winner": ending.winner, "level": ending.level, "reason": ending.reason, "points": dict(battle.vp)}
        battle.tell("victory", "BS-END-3", facts)


def _closed(battle: Battle, ending: Ending | None) -> State:
    """End of turn: flags cleared, arrivals of the next turn placed."""
    if ending is not None:
        learn(battle)
        return freeze(battle, ending=ending, stage="over")
    clear_flags(battle)
    for squadron in battle.squadrons:
        squadron.acted = False
    for flight in battle.flights:
        flight.acted = False
    for body in battle.bodies:
        body.acted = False
    battle.step = "arrivals"
    arrivals(battle, battle.turn + 1)
    learn(battle)
    return freeze(battle, turn=battle.turn + 1)


def phase(state: State) -> Phase | None:
    """Section 3.1: setup once, then one order phase a turn."""
    if state.stage == "over":
        return None
    return Phase(state.stage, state.turn, frozenset(side.id for side in state.sides))


def sides(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(side.id, side.name) for side in state.sides)

"""FA-E-38: a roster that is bought is read first, since the rest of the letter names what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.fleet_action.orders import deployment
from games.fleet_action.orders.records import AbilityOrder, BuyOrder, Order, ReserveOrder
from games.fleet_action.orders.words import Desk, Words
from games.fleet_action.rules import building
from games.fleet_action.rules.building import Refusal
from games.fleet_action.state import State
from games.fleet_action.table import Table
from pbem.kit.sheet import Accepted, BadOrder, Line, Problem

_BUILDS = (BuyOrder, AbilityOrder, ReserveOrder)
VERBS = ("buy", "ability", "reserve")
_READERS = {"buy": deployment.read_buy, "ability": deployment.read_ability, "reserve": deployment.read_reserve}


@dataclass(frozen=True)
class Roster:
    """What a letter builds, and the state with it in place."""

    state: State
    squadrons: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def founded_from(state: State, side: str, text: str) -> Roster:
    """The bought roster, if the side builds and it may stand."""
    if not building.is_building(state, side):
        return Roster(state)
    table = Table(state)
    orders = _orders(Desk(table, side), text)
    bought = building.purchases(table, orders)
    if not bought:
        return Roster(state)
    names = tuple(one.squadron for one in bought)
    refusals = (*building.check(table, table.sides[side], bought), *_names(table, side, orders))
    if refusals:
        return Roster(state, names, tuple(refusals))
    return Roster(building.founded(state, table.sides[side], bought), names)


def _orders(desk: Desk, text: str) -> list[Order]:
    orders: list[Order] = []
    for unit, line in deployment.buying_lines(text):
        verb, _, rest = line.partition(" ")
        try:
            orders.append(_READERS[verb.casefold()](Words(desk, Line(0, unit, line), rest.strip())))
        except BadOrder:
            # The line is read again with the others, and complained about there.
            continue
    return orders


def _names(table: Table, side: str, orders: Sequence[Order]) -> list[Refusal]:
    """Every name is one unit's, in the whole game."""
    taken = {s.name.casefold() for s in table.squadrons.values() if s.side != side}
    taken |= {ship.name.casefold() for ship in table.ships.values() if table.side_of(ship) != side}
    found = []
    for order in orders:
        if isinstance(order, BuyOrder):
            if order.name.casefold() in taken:
                found.append(Refusal(f"the name '{order.name}' is taken", "choose another"))
            taken.add(order.name.casefold())
    return found


def standing(roster: Roster, accepted: Sequence[Accepted[Order]]) -> Sequence[Accepted[Order]]:
    """A refused roster takes its purchases with it."""
    if not roster.refusals:
        return accepted
    return [entry for entry in accepted if not isinstance(entry.order, _BUILDS)]


def complaints(roster: Roster, accepted: Sequence[Accepted[Order]]) -> list[Problem]:
    """FA-E-38, one for each fault of the roster, at its first line."""
    bought = [entry for entry in accepted if isinstance(entry.order, _BUILDS)]
    line, text = (bought[0].line, bought[0].text) if bought else (0, "")
    return [
        Problem(line, text, "FA-E-38", refusal.reason, refusal.hint, "the roster is refused")
        for refusal in roster.refusals
    ]

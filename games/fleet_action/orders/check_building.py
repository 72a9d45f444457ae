"""FA-E-38: a roster that is bought is read first, since the rest of the letter names what it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.fleet_action.orders import deployment
from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.records import AbilityOrder, BuyOrder, Order, ReserveOrder
from games.fleet_action.orders.words import Words
from games.fleet_action.rules import building
from games.fleet_action.rules.building import Refusal
from games.fleet_action.state import State
from games.fleet_action.table import Table
from pbem.kit.sheet import BadOrder, Line, Problem, Sheet

_BUILDS = (BuyOrder, AbilityOrder, ReserveOrder)
READERS = {"buy": deployment.read_buy, "ability": deployment.read_ability, "reserve": deployment.read_reserve}


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
    return founded_by(state, side, _orders(Desk(Table(state), side), text))


def founded_by(state: State, side: str, orders: Sequence[Order]) -> Roster:
    """The roster that these orders buy."""
    table = Table(state)
    bought = building.purchases(table, orders)
    if not bought:
        return Roster(state)
    names = tuple(purchase.squadron for purchase in bought)
    refusals = (*building.check(table, table.sides[side], bought), *_names(orders))
    if refusals:
        return Roster(state, names, refusals)
    return Roster(building.founded(state, table.sides[side], bought), names)


def _orders(desk: Desk, text: str) -> list[Order]:
    orders: list[Order] = []
    for unit, line in deployment.buying_lines(text):
        verb, _, rest = line.partition(" ")
        try:
            orders.append(READERS[verb.casefold()](Words(desk, Line(0, unit, line), rest.strip())))
        except BadOrder:
            # The line is read again with the others, and complained about there.
            continue
    return orders


def _names(orders: Sequence[Order]) -> Iterator[Refusal]:
    """Every name is one unit's; what others call theirs is settled when the forces meet."""
    bought = [order for order in orders if isinstance(order, BuyOrder)]
    taken = {order.unit.casefold() for order in bought}
    for order in bought:
        if order.name.casefold() in taken:
            yield Refusal(f"the name '{order.name}' is taken", "choose another")
        taken.add(order.name.casefold())


def drop_refused(desk: Desk, roster: Roster) -> None:
    """A refused roster takes its purchases with it."""
    if roster.refusals:
        desk.entries = [entry for entry in desk.entries if not isinstance(entry.order, _BUILDS)]


def complain(desk: Desk, roster: Roster, sheet: Sheet[Order]) -> None:
    """FA-E-38, one for each fault of the roster, at its first line."""
    bought = [entry for entry in sheet.accepted if isinstance(entry.order, _BUILDS)]
    line, text = (bought[0].line, bought[0].text) if bought else (0, "")
    for refusal in roster.refusals:
        desk.problems.append(Problem(line, text, "FA-E-38", refusal.reason, refusal.hint, "the roster is refused"))

"""FA-DOC-7: doctrine lines that stay in force until they are cancelled."""

from __future__ import annotations

from collections.abc import Mapping

from games.fleet_action.orders.records import CancelStandingOrder, Order, StandingOrder
from games.fleet_action.state import StandingLine, State
from pbem.kit.sheet import Sheet


def cancelled(sheet: Sheet[Order] | None) -> set[str]:
    """The units whose standing lines this sheet takes back."""
    orders = sheet.orders if sheet is not None else ()
    return {order.unit for order in orders if isinstance(order, CancelStandingOrder)}


def kept_standing(state: State, sheets: Mapping[str, Sheet[Order]]) -> tuple[StandingLine, ...]:
    """New lines before old ones, so that of two that contradict each other the newer counts."""
    lines: list[StandingLine] = []
    for side in state.sides:
        sheet = sheets.get(side.id)
        orders = sheet.orders if sheet is not None else ()
        new = [StandingLine(side.id, o.unit, o.text) for o in orders if isinstance(o, StandingOrder)]
        gone = cancelled(sheet)
        old = [line for line in state.standing if line.side == side.id and line.unit not in gone]
        lines += dict.fromkeys([*new, *old])
    return tuple(lines)

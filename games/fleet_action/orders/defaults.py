"""What units without orders will do, in sentences for the receipt (section 6.1, last column)."""

from __future__ import annotations

from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.records import DeployOrder, Order, PathOrder, SpeedOrder
from games.fleet_action.rules.plotting import chart
from games.fleet_action.state import Squadron


def spoken(desk: Desk) -> tuple[str, ...]:
    """A sentence for each squadron that was given no order of movement or place."""
    state = desk.table.state
    if state.stage == "turn" or (state.stage == "reaction" and not desk.table.sides[desk.side].jumping):
        return _turn(desk)
    if state.stage == "deployment":
        return _deployment(desk)
    return ()


def _ordered(desk: Desk, *kinds: type[Order]) -> set[str]:
    return {entry.order.unit for kind in kinds for entry in desk.given(kind)}


def _turn(desk: Desk) -> tuple[str, ...]:
    plotted = _ordered(desk, PathOrder, SpeedOrder)
    silent = [s for s in desk.own_squadrons() if s.name not in plotted and _moves(desk, s)]
    return tuple(_goes_on(squadron) for squadron in silent)


def _moves(desk: Desk, squadron: Squadron) -> bool:
    return desk.table.is_on_map(squadron) or squadron.arrives == desk.turn


def _goes_on(squadron: Squadron) -> str:
    if squadron.state == "withdrawing":
        return f"{squadron.name} withdraws by the way that takes it farthest from the enemy."
    total = sum(chart(squadron.speed))
    way = f"goes straight ahead, F{total}" if total else "stays where it is"
    return f"{squadron.name} keeps speed {squadron.speed} and {way}."


def _deployment(desk: Desk) -> tuple[str, ...]:
    placed = _ordered(desk, DeployOrder)
    silent = [s.name for s in desk.own_squadrons() if s.name not in placed and s.state != "waiting"]
    return tuple(f"{name} deploys where the scenario places it." for name in silent)

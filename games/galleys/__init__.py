"""Galleys: fleet battles of oared warships, about 500 to 30 BC."""

from __future__ import annotations

from collections.abc import Mapping

from games.galleys.bot import bot
from games.galleys.orders.plans import Order
from games.galleys.orders.reading import FLEET, read_orders
from games.galleys.resolve import resolve
from games.galleys.rules.setup import setup
from games.galleys.rules.victory import scores, told_points
from games.galleys.scene import forecast, scene
from games.galleys.state import State
from games.galleys.view import View, template, view
from pbem.kit.game import Game, Outcome, Phase, Side, SideInfo


def sides(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(fleet.name, fleet.name) for fleet in state.sides)


def phase(state: State) -> Phase | None:
    """Section 3: one order phase a turn."""
    if state.result:
        return None
    return Phase("orders", state.turn, frozenset(fleet.name for fleet in state.sides))


def units(state: State, side: Side) -> tuple[str, ...]:
    """The fleet, the squadrons and the ships a side may write to."""
    squadrons = (squadron.name for squadron in state.squadrons if squadron.side == side)
    ships = (ship.name for ship in state.ships if ship.side == side and ship.afloat)
    return (FLEET, *squadrons, *ships)


def outcome(state: State) -> Outcome | None:
    """GA-VIC."""
    if state.result is None:
        return None
    points, winner = scores(state), state.result.winner
    verdict = f"{winner} wins" if winner else "A draw"
    reason = f"{verdict}: {state.result.reason} ({told_points(points)})."
    return Outcome(frozenset((winner,) if winner else ()), reason, points)


def secrets(state: State, side: Side) -> frozenset[str]:  # noqa: ARG001 - no name is ever hidden on this sea
    """Section 8: no ship is ever hidden, and orders are not part of the state."""
    return frozenset()


def gauges(known: View) -> Mapping[str, Mapping[Side, float]]:
    """Ships in action, points scored and fighting worth left, side by side."""
    return {
        "ships": {
            side.name: sum(ship.afloat and not ship.prize and ship.side == side.name for ship in known.ships)
            for side in known.sides
        },
        "points scored": {side.name: side.score for side in known.sides},
        "worth left": {side.name: side.start_points - side.lost_points for side in known.sides},
    }


GAME: Game[State, Order, View] = Game(
    slug="galleys",
    title="Galleys",
    version="1.0",
    state_type=State,
    setup=setup,
    sides=sides,
    phase=phase,
    units=units,
    read_orders=read_orders,
    resolve=resolve,
    view=view,
    scene=scene,
    template=template,
    forecast=forecast,
    outcome=outcome,
    bot=bot,
    secrets=secrets,
    gauges=gauges,
)

"""Questions about a state: whose turn it is, whom a side commands, how it ended."""

from __future__ import annotations

from games.galleys.orders.records import FLEET
from games.galleys.rules.victory import scores
from games.galleys.state import State
from pbem.kit.game import Outcome, Phase, Side, SideInfo


def sides(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(fleet.name, fleet.name) for fleet in state.sides)


def units(state: State, side: Side) -> tuple[str, ...]:
    """The fleet, the squadrons and the ships a side may write to."""
    squadrons = (squadron.name for squadron in state.squadrons if squadron.side == side)
    ships = (ship.name for ship in state.ships if ship.side == side and ship.afloat)
    return (FLEET, *squadrons, *ships)


def phase(state: State) -> Phase | None:
    """Section 3: one order phase a turn."""
    if state.result:
        return None
    return Phase("orders", state.turn, frozenset(fleet.name for fleet in state.sides))


def outcome(state: State) -> Outcome | None:
    """GA-VIC."""
    if state.result is None:
        return None
    points, winner = scores(state), state.result.winner
    verdict = f"{winner} wins" if winner else "A draw"
    held = ", ".join(f"{side} {number}" for side, number in points.items())
    reason = f"{verdict}: {state.result.reason} ({held})."
    return Outcome(frozenset((winner,) if winner else ()), reason, points)


def secrets(state: State, side: Side) -> frozenset[str]:  # noqa: ARG001 - no name is ever hidden on this sea
    """Section 8: no ship is ever hidden, and orders are not part of the state."""
    return frozenset()

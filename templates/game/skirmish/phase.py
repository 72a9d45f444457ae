"""Questions about a battle: whose orders are asked, whom they command, how it ended."""

from __future__ import annotations

from pbem.kit.game import Outcome, Phase, Side, SideInfo

from skirmish.state import State


def sides(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(squadron.id, squadron.name) for squadron in state.squadrons)


def units(state: State, side: Side) -> tuple[str, ...]:
    return tuple(ship.name for ship in state.afloat(side))


def phase(state: State) -> Phase | None:
    """SK-TRN-1: one collection of orders a turn."""
    asked = frozenset(squadron.id for squadron in state.squadrons)
    return None if outcome(state) else Phase("orders", state.turn, asked)


def outcome(state: State) -> Outcome | None:
    """SK-VIC-1 and SK-VIC-2."""
    left = {squadron.id: sum(ship.hull for ship in state.afloat(squadron.id)) for squadron in state.squadrons}
    if all(left.values()) and state.turn <= state.last_turn:
        return None
    best = max(left.values())
    winners = frozenset(side for side, hull in left.items() if hull == best)
    scores = ", ".join(f"{squadron.name} {left[squadron.id]}" for squadron in state.squadrons)
    if len(winners) > 1:
        return Outcome(frozenset(), f"A draw: hull left {scores}.", left)
    name = next(squadron.name for squadron in state.squadrons if squadron.id in winners)
    return Outcome(winners, f"{name} holds the sea: hull left {scores}.", left)


def secrets(state: State, side: Side) -> frozenset[str]:  # noqa: ARG001  nothing is hidden on an open sea
    """Names a side may not know: none here. A game with fog names them, and no letter to the side may hold one."""
    return frozenset()

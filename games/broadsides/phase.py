"""Small answers the kernel asks of a state: sides, units, the open phase, the outcome and what is secret."""

from __future__ import annotations

from games.broadsides.rules.sighting import known_enemies
from games.broadsides.state import Flight, State, Unit
from pbem.kit.game import Outcome, Phase, SideInfo

FLEET = "Fleet"
"""The word that opens the side's own block."""


def sides(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(side.id, side.name) for side in state.sides)


def units(state: State, side: str) -> tuple[str, ...]:
    """Names that may open a block: all own units but pods in flight, which take no orders."""
    return tuple(unit.name for unit in state.units() if unit.side == side and not _is_pod(state, unit))


def _is_pod(state: State, unit: Unit) -> bool:
    return isinstance(unit, Flight) and state.cards.fighters[unit.class_name].kind == "pod"


def phase(state: State) -> Phase | None:
    """The open phase; None once a verdict stands."""
    if state.verdict is not None:
        return None
    return Phase(state.phase, state.turn, frozenset(side.id for side in state.sides))


def outcome(state: State) -> Outcome | None:
    if state.verdict is None:
        return None
    winners = frozenset({state.verdict.winner}) if state.verdict.winner else frozenset[str]()
    return Outcome(winners, state.verdict.reason, dict(state.verdict.scores))


def secrets(state: State, side: str) -> frozenset[str]:
    """Section 8: the names of enemy units in hangars and hyperspace that have yet to appear."""
    known = set(known_enemies(state, side))
    return frozenset(unit.name for unit in state.units() if unit.side != side and unit.name not in known)

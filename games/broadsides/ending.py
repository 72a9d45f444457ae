"""Small answers the kernel asks of a state or view: sides, phase, outcome, secrets and gauges."""

from __future__ import annotations

from collections.abc import Mapping

from games.broadsides.orders.names import known_enemies
from games.broadsides.state import State, units_in_order
from games.broadsides.view import View
from pbem.kit.game import Outcome, Phase, SideInfo


def sides(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(side.id, side.name) for side in state.sides)


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
    return frozenset(unit.name for unit in units_in_order(state) if unit.side != side and unit.name not in known)


def gauges(view: View) -> Mapping[str, Mapping[str, float]]:
    """Ships on the map, victory points, and the structure a side knows (its own)."""
    ships = {side.id: 0.0 for side in view.sides}
    structure: dict[str, float] = {}
    for ship in view.ships:
        ships[ship.side] += float(ship.status == "on-map")
        alive = ship.status not in ("destroyed", "withdrawn", "jumped")
        left = sum(ship.structure.values()) if alive else 0
        structure[ship.side] = structure.get(ship.side, 0.0) + left
    for enemy in view.enemies:
        ships[enemy.side] += float(enemy.status == "on-map")
    return {"ships": ships, "points": {side: float(n) for side, n in view.scores.items()}, "structure": structure}

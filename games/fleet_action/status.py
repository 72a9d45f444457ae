"""What the kernel asks about a state beside its view: sides, phase, unit names, outcome, secrets and gauges."""

from __future__ import annotations

from collections.abc import Mapping

from games.fleet_action.state import State
from games.fleet_action.table import AIRBORNE, GONE, Table
from games.fleet_action.view import View
from pbem.kit.game import Outcome, Phase, SideInfo

PHASE_NAMES = {"deployment": "deployment", "adjustment": "adjustment", "reaction": "reaction", "turn": "orders"}


def sides(state: State) -> tuple[SideInfo, ...]:
    """The sides in scenario order."""
    return tuple(SideInfo(side.id, side.name) for side in state.sides)


def phase(state: State) -> Phase | None:
    """Section 3.1: the phase that is open."""
    if state.stage == "over":
        return None
    return Phase(PHASE_NAMES[state.stage], state.turn, _called_on(state))


def _called_on(state: State) -> frozenset[str]:
    if state.stage == "adjustment":
        return frozenset(
            fleet.side for fleet in state.fleets if any(a.key == "tactical-planner" for a in fleet.abilities)
        )
    if state.stage == "reaction":
        return frozenset(side.id for side in state.sides if not side.jumping)
    return frozenset(side.id for side in state.sides)


def units(state: State, side: str) -> tuple[str, ...]:
    """The names that may open a block: squadrons, ships and flights still in the game."""
    table = Table(state)
    squadrons = [s for s in state.squadrons if s.side == side and s.state != "off" and table.members(s)]
    names = {squadron.name for squadron in squadrons}
    ships = [ship.name for ship in state.ships if ship.squadron in names and ship.fate == "in play"]
    flights = [flight.name for flight in state.flights if flight.side == side and flight.state not in GONE]
    return (*(squadron.name for squadron in squadrons), *ships, *flights)


def outcome(state: State) -> Outcome | None:
    """FA-VIC: how it ended."""
    if state.result is None:
        return None
    return Outcome(state.result.winners, state.result.reason, state.result.scores)


def secrets(state: State, side: str) -> frozenset[str]:
    """Names of forces this side has not seen: not deployed, still in hyperspace, or in a hangar all the time."""
    hidden: set[str] = set()
    open_fog = state.switches.fog == "open"
    announced = {vortex.squadron for vortex in state.vortices}
    squadrons = {squadron.name: squadron for squadron in state.squadrons}
    unseen = {
        squadron.name
        for squadron in state.squadrons
        if squadron.side != side and (state.stage == "deployment" or squadron.state == "waiting")
    }
    hidden |= unseen - announced
    hidden |= {ship.name for ship in state.ships if ship.squadron in unseen} - {v.opener for v in state.vortices}
    homes = {ship.name: ship.squadron for ship in state.ships}
    for flight in state.flights:
        if flight.side == side or flight.state in AIRBORNE:
            continue
        waiting = homes.get(flight.home) in unseen
        if waiting or (flight.launched is None and flight.state == "hangar" and not open_fog):
            hidden.add(flight.name)
    # A word that also names something known would make every letter a leak.
    known = {s.name for s in squadrons.values() if s.name not in unseen} | {known.name for known in state.sides}
    return frozenset(hidden - known)


def gauges(view: View) -> Mapping[str, Mapping[str, float]]:
    """Figures worth a chart, as far as the view knows them."""
    ships: dict[str, float] = {side.id: 0.0 for side in view.sides}
    fighters: dict[str, float] = {side.id: 0.0 for side in view.sides}
    structure: dict[str, float] = {side.id: 0.0 for side in view.sides}
    for ship in view.ships:
        if ship.fate == "in play":
            ships[ship.side] += 1
            structure[ship.side] += ship.structure or 0
    for flight in view.flights:
        if flight.state in AIRBORNE or flight.own:
            fighters[flight.side] += flight.count
    known = {ship.side for ship in view.ships if ship.structure is not None}
    return {
        "ships": ships,
        "fighters": fighters,
        "structure": {side: total for side, total in structure.items() if side in known},
    }

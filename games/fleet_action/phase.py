"""Section 3.1: what the kernel asks about a state: sides, the phase that is open, unit names, outcome and secrets."""

from __future__ import annotations

from games.fleet_action.rules import building
from games.fleet_action.state import State
from games.fleet_action.table import AIRBORNE, GONE, Table
from pbem.kit.game import Outcome, Phase, SideInfo

PHASE_NAMES = {"deployment": "deployment", "adjustment": "adjustment", "reaction": "reaction", "turn": "orders"}


def sides(state: State) -> tuple[SideInfo, ...]:
    """The sides in scenario order."""
    return tuple(SideInfo(side.id, side.name) for side in state.sides)


def units(state: State, side: str) -> tuple[str, ...]:
    """The names that may open a block: squadrons, ships and flights still in the game, and squadrons to be bought."""
    table = Table(state)
    squadrons = [s for s in state.squadrons if s.side == side and s.state != "off" and table.members(s)]
    names = {squadron.name for squadron in squadrons}
    ships = [ship.name for ship in state.ships if ship.squadron in names and ship.fate == "in play"]
    flights = [flight.name for flight in state.flights if flight.side == side and flight.state not in GONE]
    return (*(squadron.name for squadron in squadrons), *ships, *flights, *building.proposed_squadrons(state, side))


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


def outcome(state: State) -> Outcome | None:
    """FA-VIC: how it ended."""
    return state.result


def secrets(state: State, side: str) -> frozenset[str]:
    """Names of forces this side has not seen: not deployed, still in hyperspace, or in a hangar all the time."""
    unseen = {
        squadron.name
        for squadron in state.squadrons
        if squadron.side != side and (state.stage == "deployment" or squadron.state == "waiting")
    }
    hidden = unseen - {vortex.squadron for vortex in state.vortices}
    hidden |= {ship.name for ship in state.ships if ship.squadron in unseen} - {v.opener for v in state.vortices}
    homes = {ship.name: ship.squadron for ship in state.ships}
    for flight in state.flights:
        if flight.side == side or flight.state in AIRBORNE:
            continue
        waiting = homes.get(flight.home) in unseen
        in_hangar = flight.launched is None and flight.state == "hangar" and state.switches.fog != "open"
        if waiting or in_hangar:
            hidden.add(flight.name)
    # A word that also names something known would make every letter a leak.
    seen = {squadron.name for squadron in state.squadrons} - unseen
    return frozenset(hidden - seen - {party.name for party in state.sides})

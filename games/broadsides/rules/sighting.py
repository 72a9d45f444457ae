"""Section 8: which enemy flights a side sees, and where it last saw the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.broadsides.state import Flight, Sighting, State, Unit
from pbem.kit.game import Event
from pbem.kit.hexgrid import distance

SEEN_WITHIN = 3


def is_hidden(state: State, flight: Flight) -> bool:
    """BR-JAM-4: a stealth flight is seen only near an enemy unit or in a turn it fired."""
    craft = state.cards.fighters[flight.class_name]
    if state.switches.jammer_rule != "gravitic" or not craft.stealth_fighter or flight.status != "on-map":
        return False
    if flight.fired:
        return False
    others = (unit for unit in state.units() if unit.side != flight.side and unit.status == "on-map")
    return all(distance(unit.position, flight.position) > SEEN_WITHIN for unit in others)


def unseen_by(state: State, flight: Flight, side: str) -> bool:
    """Hidden now, and never seen before by this side."""
    return is_hidden(state, flight) and flight.name not in state.sightings.get(side, {})


def known_enemies(state: State, side: str) -> tuple[str, ...]:
    """Enemy units the side has seen: not those in hangars or hyperspace that have yet to appear."""
    return tuple(
        unit.name
        for unit in state.units()
        if unit.side != side
        and (unit.status not in ("hangar", "hyperspace") or _has_appeared(unit))
        and not (isinstance(unit, Flight) and unseen_by(state, unit, side))
    )


def _has_appeared(unit: Unit) -> bool:
    return isinstance(unit, Flight) and unit.landed is not None


def without_hidden(state: State, events: Sequence[Event]) -> tuple[Event, ...]:
    """Events about a flight that ends the phase hidden are its owner's alone."""
    hidden = {flight.name: flight.side for flight in state.flights.values() if is_hidden(state, flight)}
    if not hidden:
        return tuple(events)
    kept = []
    for event in events:
        owner = hidden.get(event.facts.get("unit", "")) or hidden.get(event.facts.get("target", ""))
        kept.append(replace(event, seen_by=event.seen_by & {owner}) if owner else event)
    return tuple(kept)


def keep_sightings(state: State) -> State:
    """The last known hex of every stealth flight in sight goes into the other side's memory."""
    memory = {side.id: dict(state.sightings.get(side.id, {})) for side in state.sides}
    for flight in (unit for unit in state.units() if isinstance(unit, Flight)):
        other = state.enemy_of(flight.side)
        if flight.status != "on-map":
            memory[other].pop(flight.name, None)
        elif not is_hidden(state, flight) and state.cards.fighters[flight.class_name].stealth_fighter:
            memory[other][flight.name] = Sighting(flight.position, flight.heading, state.turn)
    return replace(state, sightings={side: seen for side, seen in memory.items() if seen})

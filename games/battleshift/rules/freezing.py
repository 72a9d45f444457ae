"""From the working table back to a state."""

from __future__ import annotations

from dataclasses import replace

from games.battleshift import state as records
from games.battleshift.rules.table import Battle
from games.battleshift.rules.units import Body, Flight, Ship, Squadron, Taskforce


def freeze(battle: Battle, **changes: object) -> records.State:
    """The state after the turn; further fields may be given."""
    state = battle.state
    known = {side: tuple(sorted(battle.known_names[side])) for side in battle.sides}
    classes = {side: tuple(sorted(battle.known_classes[side])) for side in battle.sides}
    frozen = replace(
        state,
        squadrons=tuple(freeze_squadron(squadron) for squadron in battle.squadrons),
        taskforces=tuple(_taskforce(tf) for tf in battle.taskforces if tf.exists),
        flights=tuple(_flight(flight) for flight in battle.flights if flight.wings > 0),
        terrain=tuple(_body(body) for body in battle.bodies),
        strikes=(),
        vp=dict(battle.vp),
        scored=dict(battle.scored),
        known_names={side: names for side, names in known.items() if names},
        known_classes={side: names for side, names in classes.items() if names},
    )
    return replace(frozen, **changes)  # type: ignore[arg-type]


def freeze_squadron(squadron: Squadron) -> records.Squadron:
    flags = records.Flags(
        squadron.reacted,
        squadron.suppressed_now,
        squadron.light_used,
        squadron.committed_super,
        squadron.out_of_tf,
        squadron.hits_now,
    )
    return replace(
        squadron.record,
        name=squadron.name,
        side=squadron.side,
        ships=tuple(_ship(ship) for ship in squadron.ships),
        total=squadron.total,
        damage=squadron.damage,
        suppression=squadron.suppression,
        facing=squadron.facing,
        formation=squadron.formation,
        taskforce=squadron.taskforce.name if squadron.taskforce else "",
        player=squadron.player,
        traits=squadron.traits,
        traits_seen=frozenset(squadron.traits_seen),
        wings_aboard=squadron.wings_aboard,
        wings_initial=squadron.wings_initial,
        arrived_turn=squadron.arrived_turn,
        flags=flags,
        acted=squadron.acted,
        standing=squadron.standing,
        docked=squadron.docked,
        origin=squadron.origin,
        captor=squadron.captor,
        returns=squadron.returns,
    )


def _ship(ship: Ship) -> records.Ship:
    left = None if ship.assault_left == ship.cls.assault else ship.assault_left
    return records.Ship(ship.number, ship.x, ship.y, ship.status, ship.captor, tuple(ship.holds), left)  # type: ignore[arg-type]


def _taskforce(tf: Taskforce) -> records.Taskforce:
    return replace(
        tf.record,
        squadrons=tuple(squadron.name for squadron in tf.squadrons),
        flagship=tf.flagship.name,
        location=tf.location,  # type: ignore[arg-type]
        returns=tf.returns,
        mode=tf.mode,  # type: ignore[arg-type]
        standing=tf.standing,
    )


def _flight(flight: Flight) -> records.Flight:
    return records.Flight(
        flight.name,
        flight.side,
        flight.carrier,
        flight.wings,
        flight.x,
        flight.y,
        flight.ground,
        flight.reacted,
        flight.acted,
        flight.standing,
    )


def _body(body: Body) -> records.Terrain:
    quadrants = {
        place: records.Quadrant(
            q.installations,
            q.assault,
            q.damage,
            q.holder,
            q.invaders,
            q.wings_aboard,
            tuple(q.objectives),
            q.reacted,
        )
        for place, q in body.quadrants.items()
    }
    return replace(body.record, quadrants=quadrants, acted=body.acted, standing=body.standing)

"""From a state to the working table."""

from __future__ import annotations

from games.battleshift import state as records
from games.battleshift.data import units
from games.battleshift.rules.table import Battle
from games.battleshift.rules.units import Body, Flight, Quadrant, Ship, Squadron, Taskforce
from games.battleshift.state import ShipClass
from pbem.kit.dice import Dice


def class_of(state: records.State, squadron: records.Squadron) -> ShipClass:
    """The class of a squadron: of its builder's designs, of the scenario, or of the catalogue."""
    own = state.designs.get(squadron.origin or squadron.side, {})
    return (
        own.get(squadron.ship_class) or state.classes.get(squadron.ship_class) or units().classes[squadron.ship_class]
    )


def thaw(state: records.State, dice: Dice) -> Battle:
    """The working table of a state."""
    battle = Battle(state, dice)
    for record in state.squadrons:
        battle.enter(thaw_squadron(state, record))
    for tf_record in state.taskforces:
        _thaw_taskforce(battle, tf_record)
    for terrain in state.terrain:
        battle.bodies.append(_thaw_body(terrain))
    for flight in state.flights:
        battle.flights.append(_thaw_flight(battle, flight))
    return battle


SHARED = (
    "name", "side", "total", "damage", "suppression", "facing", "formation", "player", "traits", "wings_aboard",
    "wings_initial", "arrived_turn", "acted", "standing", "docked", "origin", "captor",
)  # fmt: skip
"""Fields of a squadron that are the same on the working table."""


def thaw_squadron(state: records.State, record: records.Squadron) -> Squadron:
    cls = class_of(state, record)
    made = Squadron(
        record=record,
        cls=cls,
        ships=[],
        taskforce=None,
        traits_seen=set(record.traits_seen),
        returns=record.returns,
        **{name: getattr(record, name) for name in SHARED},
    )
    flags = record.flags
    made.reacted, made.suppressed_now, made.light_used = flags.reacted, flags.suppressed_now, flags.light_used
    made.committed_super, made.out_of_tf, made.hits_now = flags.committed_super, flags.out_of_tf, flags.hits_now
    for ship in record.ships:
        left = cls.assault if ship.assault_left is None else ship.assault_left
        made.ships.append(Ship(made, ship.number, ship.x, ship.y, ship.status, ship.captor, list(ship.holds), left))
    return made


def _thaw_taskforce(battle: Battle, record: records.Taskforce) -> None:
    squadrons = [found for name in record.squadrons if (found := battle.squadron(record.side, name))]
    flagship = battle.ship(f"{record.side}/{record.flagship}")
    assert flagship is not None, record
    made = Taskforce(
        record, record.name, record.side, record.player, squadrons, flagship, record.location, record.returns,
        record.mode, record.standing,
    )  # fmt: skip
    battle.taskforces.append(made)
    for squadron in squadrons:
        squadron.taskforce, squadron.lines_from = made, made.name


def _thaw_body(record: records.Terrain) -> Body:
    body = Body(
        record, record.kind, record.name, record.x, record.y, record.radius, record.owner, record.defence, {},
        record.player, record.standing, record.acted,
    )  # fmt: skip
    for place in records.QUADRANTS:
        if place in record.quadrants:
            q = record.quadrants[place]
            body.quadrants[place] = Quadrant(
                body, place, q.installations, q.assault, q.damage, q.holder, q.invaders, q.wings_aboard,
                list(q.objectives), q.reacted,
            )  # fmt: skip
    return body


def _thaw_flight(battle: Battle, record: records.Flight) -> Flight:
    return Flight(
        record, record.name, record.side, record.carrier, record.wings, record.x, record.y, record.ground,
        record.reacted, record.acted, record.standing, battle.squadron(record.side, record.carrier),
    )  # fmt: skip

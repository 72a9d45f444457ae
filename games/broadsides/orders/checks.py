"""Section 7 across lines: what a side's lines mean together, and which of them cannot stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from games.broadsides.orders import records as r
from games.broadsides.orders.flights import check_flight
from games.broadsides.orders.gunnery import check_fire
from games.broadsides.orders.jumps import (
    check_boards,
    check_hyperspace,
    check_jump_out,
    check_jumps_in,
    check_offsets,
)
from games.broadsides.orders.manoeuvre import check_movement
from games.broadsides.orders.powering import check_power
from games.broadsides.orders.setting_up import check_setup
from games.broadsides.rules.criticals import awake
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.state import Flight, Formation, Ship, State, Unit
from pbem.kit.judging import Judge


@dataclass(frozen=True)
class Settled:
    """A side's orders, ready to be carried out."""

    formations: tuple[Formation, ...]
    """The side's formations after its jump-in orders."""
    offsets: Mapping[str, r.Offset]
    troops: Mapping[str, r.Troops]
    """Ship to its squads' orders; the empty name: all."""
    firing: tuple[str, ...] = ()
    units: Mapping[str, UnitOrders] = field(default_factory=dict)
    ships: Mapping[str, Ship] = field(default_factory=dict)
    """In the setup phase, the side's ships after its orders."""


def check(state: State, side: str, judge: Judge[r.Order]) -> Settled:
    """All units of the side, and what the side orders as a whole; the judge hears what cannot stand."""
    ships = check_setup(state, side, judge) if state.phase == "setup" else {}
    firing = judge.given(r.Firing)
    settled = Settled(
        formations=check_jumps_in(state, side, judge),
        offsets=check_offsets(state, judge),
        troops={entry.unit if entry.unit in state.ships else "": entry.order for entry in judge.given(r.Troops)},
        firing=firing[-1].order.names if firing else (),
        ships=ships,
    )
    return settled if state.phase == "setup" else replace(settled, units=_check_units(state, side, judge))


def awakened(state: State) -> State:
    """R1 ends deactivations before anything is charged or moved, so orders are judged without them."""
    return replace(state, ships={name: awake(ship, state.turn) for name, ship in state.ships.items()})


def _check_units(state: State, side: str, judge: Judge[r.Order]) -> dict[str, UnitOrders]:
    state = awakened(state)
    spoken = {entry.unit for entry in judge.entries}
    launching: dict[str, int] = {}
    return {
        unit.name: check_unit(state, judge, unit, launching)
        for unit in state.units()
        if unit.side == side and unit.name in spoken
    }


def check_unit(state: State, judge: Judge[r.Order], unit: Unit, launching: dict[str, int]) -> UnitOrders:
    """One unit's lines together; ``launching`` counts the flights of each carrier that leave this turn."""
    orders = UnitOrders()
    if isinstance(unit, Flight):
        return check_movement(state, judge, unit, check_flight(state, judge, unit, orders, launching))
    if unit.status == "hyperspace":
        check_hyperspace(judge, unit)
    return check_systems(state, judge, unit, check_movement(state, judge, unit, orders))


def check_systems(state: State, judge: Judge[r.Order], ship: Ship, orders: UnitOrders) -> UnitOrders:
    """All of a ship's lines but its movement."""
    orders = check_power(state, judge, ship, orders)
    orders = check_fire(state, judge, ship, orders)
    orders = check_boards(state, judge, ship, orders)
    return check_jump_out(state, judge, ship, orders)

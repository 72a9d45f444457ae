"""What a unit can still be ordered, computed by the rules that will judge the orders."""

from __future__ import annotations

from collections.abc import Mapping

from games.broadsides.imagined import plainly_imagined
from games.broadsides.orders import records as r
from games.broadsides.orders.offers.desk import Desk, place, written_hex
from games.broadsides.orders.offers.guns import Gunnery, offer_clearing, offer_fire
from games.broadsides.orders.offers.jumping import (
    offer_boarding,
    offer_jump_in,
    offer_jump_out,
    offer_offset,
    offer_troops,
)
from games.broadsides.orders.offers.launches import offer_antifighter, offer_launches
from games.broadsides.orders.offers.letters import offer_flight
from games.broadsides.orders.offers.plots import offer_movement
from games.broadsides.orders.offers.powers import offer_power
from games.broadsides.orders.offers.setting import offer_setup
from games.broadsides.orders.records import Order
from games.broadsides.orders.words import write_program
from games.broadsides.phase import FLEET
from games.broadsides.state import Flight, Ship, State
from games.broadsides.view import View
from pbem.kit.choices import Closed, Offer, Ranking
from pbem.kit.sheet import Sheet

NOT_OFFERED: Mapping[str, str] = {}
"""Order words that no offer holds, and why: there are none."""
MOST_CHOICES = 600
LONGEST_LIST = 180
"""Characters of a firing list; a line of orders has at most 200."""


def choices(view: View, sheet: Sheet[Order], unit: str) -> Offer:
    """What the unit, or the side by the fleet word, can still be ordered on top of this sheet."""
    if view.side is None:
        return Offer(unit, unit)
    if view.verdict is not None:
        return Offer(unit, unit, closed=(Closed("orders", "the battle is over", "BR-VP-1"),))
    return offered(plainly_imagined(view), view.side, sheet, unit)


def offered(state: State, side: str, sheet: Sheet[Order], unit: str) -> Offer:
    """The same in a state that was imagined already."""
    desk = Desk(state, side, sheet, unit)
    if unit == FLEET:
        _fleet(desk)
    elif desk.unit.gone:
        desk.close("orders", f"{unit} is {desk.unit.status}", "BR-VAL-1")
    elif state.phase == "setup":
        _setup(desk)
    else:
        _unit(desk)
    return Offer(unit, _title(desk), tuple(desk.choices[:MOST_CHOICES]), tuple(desk.closed))


def _title(desk: Desk) -> str:
    if desk.name == FLEET:
        return f"{FLEET}: turn {desk.state.turn}, {desk.state.phase}"
    unit = desk.unit
    where = place(unit)
    if isinstance(unit, Flight):
        where = f"in the hangar of {unit.carrier}" if unit.status == "hangar" else f"{len(unit.living)} strong, {where}"
    elif unit.status == "hyperspace":
        where = f"in hyperspace, offset {written_hex(unit.offset)}"
    return f"{unit.name}: {where}"


# --- who takes which orders ------------------------------------------------------------------------------------------


def _fleet(desk: Desk) -> None:
    if desk.state.phase == "setup":
        desk.close("firing", "the firing list is given from turn 1 on", "BR-SEQ-8")
    else:
        _firing_list(desk)
    if desk.state.phase != "fire":
        offer_jump_in(desk)
        offer_troops(desk)


def _setup(desk: Desk) -> None:
    unit = desk.unit
    if isinstance(unit, Flight):
        desk.close("orders", f"{unit.name} starts in its hangar; it is ordered from turn 1 on", "BR-SET-5")
        return
    offer_setup(desk)
    _in_hyperspace(desk, unit)
    _troops_of(desk, unit)


def _unit(desk: Desk) -> None:
    unit = desk.unit
    if isinstance(unit, Flight):
        offer_flight(desk)
    elif unit.status == "hyperspace":
        _in_hyperspace(desk, unit)
        desk.close("orders", f"{unit.name} is in hyperspace; only jump-in and offset reach it", "BR-VAL-1")
    else:
        _ship(desk, unit)


def _ship(desk: Desk, ship: Ship) -> None:
    sheet, course = desk.state.cards.classes[ship.class_name], None
    if sheet.size == "OSAT":
        why = f"{ship.name} is an OSAT; its program '{write_program(ship.program)}' is in force"
        desk.close("orders", why, "BR-OSA-1")
        return
    if sheet.fixed:
        desk.close("path", f"{ship.name} is a {sheet.size} and never moves", "BR-MOV-25")
    elif desk.state.phase == "orders":
        course = offer_movement(desk).course
    gunnery = Gunnery(desk, course)
    if desk.state.phase == "orders":
        offer_power(gunnery)
        offer_launches(gunnery)
    offer_antifighter(gunnery)
    offer_fire(gunnery)
    if desk.state.phase == "orders":
        offer_clearing(gunnery)
        offer_boarding(desk)
        _troops_of(desk, ship)
        offer_jump_out(desk)


def _in_hyperspace(desk: Desk, ship: Ship) -> None:
    if ship.status == "hyperspace" and desk.state.phase != "fire":
        offer_jump_in(desk)
        offer_offset(desk)


def _troops_of(desk: Desk, ship: Ship) -> None:
    """Only a ship that has pods or has sent some gives its squads orders of their own."""
    if ship.pods or ship.pods_launched:
        offer_troops(desk)


def _firing_list(desk: Desk) -> None:
    """BR-SEQ-6, 8: who fires first; ships that are not named follow by size."""
    ships = [ship.name for ship in desk.friends]
    if not ships:
        return
    old = desk.lines_of(r.Firing)
    for name in ships:
        desk.offer("firing", f"{name} fires first", f"firing {name}", replaces=old)
    listed: list[str] = []
    for name in ships:
        if len(", ".join([*listed, name])) <= LONGEST_LIST:
            listed.append(name)
    if len(listed) > 1:
        note = "ships that are not named follow, larger ones first"
        desk.offer("firing", "firing order", "firing {}", replaces=old, note=note, fill=Ranking(tuple(listed)))

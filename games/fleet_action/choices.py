"""What a unit can still be ordered on top of a sheet, by the real rules; ``orders/offer_*.py`` are its chapters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.fleet_action.orders import (
    offer_building,
    offer_deployment,
    offer_fire,
    offer_fleet,
    offer_flights,
    offer_plot,
    offer_ships,
    offer_standing,
)
from games.fleet_action.orders.counter import Counter
from games.fleet_action.orders.records import Order
from games.fleet_action.orders.verbs import FLEET
from games.fleet_action.rules import building
from games.fleet_action.state import Flight, Ship, Squadron
from games.fleet_action.view import View
from pbem.kit import hexgrid
from pbem.kit.choices import Choice, Closed, Offer
from pbem.kit.sheet import Sheet

NOT_OFFERED: Mapping[str, str] = {}
"""Every order word is offered where it can matter. Free text is not: other names for what is bought, formations ship
by ship, offsets of several terms; fire takes one condition at a time."""
MOST_CHOICES = 600


def choices(view: View, sheet: Sheet[Order], unit: str) -> Offer:
    """All choices of one unit of the view's side, or of the side itself by its fleet word."""
    side = view.side or next((squadron.side for squadron in view.squadrons if squadron.name == unit), "")
    if not side or view.stage == "over":
        return Offer(unit, unit)
    return offered(Counter(view, sheet, side), unit)


def offered(counter: Counter, unit: str) -> Offer:
    """The offer to one of the units at a counter."""
    counter.ask(unit)
    found = list(_found(counter))
    closed = tuple(entry for entry in found if isinstance(entry, Closed))
    return Offer(unit, title(counter), _within_limit([c for c in found if isinstance(c, Choice)]), closed)


def _within_limit(found: list[Choice]) -> tuple[Choice, ...]:
    """Too many are always paths, the least of which stand last."""
    paths = [choice for choice in found if choice.group == "path"]
    left_out = {id(choice) for choice in paths[max(0, len(paths) - max(0, len(found) - MOST_CHOICES)) :]}
    return tuple(choice for choice in found if id(choice) not in left_out)[:MOST_CHOICES]


def title(counter: Counter) -> str:
    """Where the unit stands, in one line."""
    table, unit = counter.table, counter.unit
    if counter.squadron is not None:
        return f"{unit}: {placed(counter.squadron)}"
    if counter.ship is not None:
        card, ship = table.card(counter.ship), counter.ship
        return f"{unit}: {card.name}, structure {ship.structure}/{card.structure}, sensor {ship.sensor}/{card.sensor}"
    if unit in table.flights:
        flight = table.flights[unit]
        place = f"hangar of {flight.home}" if flight.hex is None else hexgrid.name(flight.hex)
        return f"{unit}: {flight.count} {table.fighter(flight).name}, {place}, {flight.mission}"
    return f"{table.sides[counter.side].name}: {unit}"


def placed(squadron: Squadron) -> str:
    """``2016 heading 4, speed 8``."""
    return f"{hexgrid.name(squadron.hex)} heading {squadron.heading}, speed {squadron.speed}"


def _found(counter: Counter) -> Iterator[Choice | Closed]:
    table, unit = counter.table, counter.unit
    if unit == FLEET:
        return _of_side(counter)
    if counter.squadron is not None and counter.squadron.side == counter.side:
        return _of_squadron(counter, counter.squadron)
    if counter.ship is not None and table.side_of(counter.ship) == counter.side:
        return _of_ship(counter, counter.ship)
    flight = table.flights.get(unit)
    if flight is not None and flight.side == counter.side:
        return _of_flight(counter, flight)
    if unit in offer_building.squadrons(counter):
        return offer_building.offers(counter)
    return iter((Closed("orders", f"{unit} is no unit of yours in this phase", "FA-E-2"),))


def _of_side(counter: Counter) -> Iterator[Choice | Closed]:
    stage = counter.table.state.stage
    if stage == "deployment":
        yield from offer_deployment.of_side(counter)
    elif stage in ("turn", "reaction"):
        yield from offer_fleet.offers(counter)
        yield from offer_standing.offers(counter)


def _of_squadron(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    stage = counter.table.state.stage
    if stage == "deployment":
        if building.is_building(counter.state, counter.side):
            yield from offer_building.offers(counter)
        yield from offer_deployment.of_squadron(counter, squadron)
    elif stage == "adjustment":
        yield from offer_deployment.adjustments(counter, squadron)
    else:
        yield from offer_plot.offers(counter)
        if stage == "turn":
            yield from offer_deployment.entering(counter, squadron)
            yield from _fighting(counter, squadron)


def _fighting(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    yield from offer_fire.offers(counter)
    if counter.table.is_on_map(squadron):
        yield from offer_ships.of_squadron(counter, squadron)
    yield from offer_standing.offers(counter)


def _of_ship(counter: Counter, ship: Ship) -> Iterator[Choice | Closed]:
    if counter.table.state.stage == "turn":
        yield from offer_fire.offers(counter)
        yield from offer_ships.of_ship(counter, ship)
        yield from offer_standing.offers(counter)


def _of_flight(counter: Counter, flight: Flight) -> Iterator[Choice | Closed]:
    if counter.table.state.stage in ("turn", "reaction"):
        yield from offer_flights.offers(counter, flight)
        yield from offer_standing.offers(counter)

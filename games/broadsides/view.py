"""What a side knows (section 8): its own records whole, of the enemy what sensors and reports show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.broadsides.data import Catalogue
from games.broadsides.rules.shipsheet import ShipSheet, ship_sheet
from games.broadsides.rules.sighting import is_hidden, known_enemies
from games.broadsides.rules.victory import scores
from games.broadsides.state import (
    Ballistic,
    Flight,
    Formation,
    Known,
    Launch,
    OrderLine,
    Prize,
    SeenFlight,
    SeenShip,
    Ship,
    Squad,
    State,
)
from pbem.kit.records import part, shared


@dataclass(frozen=True)
class ShipFigures:
    """What reports have told of a ship, and those of the side's squads that are aboard it."""

    lost_sides: tuple[str, ...]
    systems_out: tuple[str, ...]
    """Systems destroyed, dropped out or deactivated, but for those on lost sides."""
    squads: tuple[Squad, ...]


@dataclass(frozen=True)
class FlightFigures:
    """What can be counted of a flight from outside."""

    strength: int
    """Fighters neither destroyed nor dropped out."""
    last_seen: int | None = None
    """The turn of the sighting, where it is hidden now."""
    boarding: str = ""
    """The ship a pod lies alongside."""
    destroyed: int = 0
    dropped_out: int = 0
    """Fighters that are out for the battle but not destroyed."""


@dataclass(frozen=True, kw_only=True)
class View(Known):
    """Everything a side may know; None as side: the moderator."""

    side: str | None
    ships: tuple[Ship | SeenShip, ...]
    flights: tuple[Flight | SeenFlight, ...]
    ballistics: tuple[Ballistic | Launch, ...]
    formations: tuple[Formation, ...]
    prizes: tuple[Prize, ...]
    """For the ships the side knows."""
    standing: tuple[OrderLine, ...]
    scores: Mapping[str, int]
    figures: Mapping[str, ShipFigures]
    """By ship."""
    counts: Mapping[str, FlightFigures]
    """By flight."""
    sheets: Mapping[str, ShipSheet]
    """Own ships' sheets, for the report."""

    @property
    def own_ships(self) -> tuple[Ship, ...]:
        return tuple(ship for ship in self.ships if isinstance(ship, Ship))

    @property
    def own_flights(self) -> tuple[Flight, ...]:
        return tuple(flight for flight in self.flights if isinstance(flight, Flight))

    @property
    def enemies(self) -> tuple[SeenShip, ...]:
        return tuple(ship for ship in self.ships if not isinstance(ship, Ship))

    @property
    def enemy_flights(self) -> tuple[SeenFlight, ...]:
        return tuple(flight for flight in self.flights if not isinstance(flight, Flight))


def view(state: State, side: str | None) -> View:
    """The state as a side may see it."""
    names = {unit.name for unit in state.units() if side in (None, unit.side)}
    names.update(known_enemies(state, side) if side else ())
    units = [unit for unit in state.units() if unit.name in names]
    ships = [ship for ship in units if isinstance(ship, Ship)]
    flights = [flight for flight in units if isinstance(flight, Flight)]
    own = [ship for ship in ships if side in (None, ship.side)]
    return View(
        **{**shared(Known, state), "catalogue": _known_catalogue(state, {unit.class_name for unit in units})},
        side=side,
        ships=tuple(ship if side in (None, ship.side) else part(SeenShip, ship) for ship in ships),
        flights=tuple(flight if side in (None, flight.side) else _seen(state, flight) for flight in flights),
        ballistics=tuple(shot if side in (None, shot.side) else part(Launch, shot) for shot in state.ballistics),
        formations=tuple(formation for formation in state.formations if side in (None, formation.side)),
        prizes=tuple(prize for prize in state.prizes if prize.unit in names),
        standing=state.standing.get(side, ()) if side else (),
        scores=_known_scores(state, side),
        figures={ship.name: _ship_figures(state, ship, side) for ship in ships},
        counts={flight.name: _flight_figures(state, flight, side) for flight in flights},
        sheets={ship.name: ship_sheet(state.cards, ship) for ship in own},
    )


def _known_scores(state: State, side: str | None) -> Mapping[str, int]:
    """Upgrades change the price of a ship, but everybody is told the running totals."""
    return scores(state) if side is None or state.turn else {other.id: 0 for other in state.sides}


def _known_catalogue(state: State, classes: set[str]) -> Catalogue:
    """The scenario's own entries, without classes the side has yet to meet."""
    whole = state.catalogue
    ships = {name: sheet for name, sheet in whole.classes.items() if name in classes}
    craft = {name: sheet for name, sheet in whole.fighters.items() if name in classes}
    return replace(whole, classes=ships, fighters=craft)


def _ship_figures(state: State, ship: Ship, side: str | None) -> ShipFigures:
    sheet = state.cards.classes[ship.class_name]
    lost = tuple(section for section in sheet.sides if ship.structure[section] <= 0)
    systems = (system for system in sheet.systems.values() if system.section not in lost)
    return ShipFigures(
        lost,
        tuple(system.id for system in systems if not ship.works(system)),
        tuple(squad for squad in ship.boarding_squads if side in (None, squad.owner)),
    )


def _seen(state: State, flight: Flight) -> SeenFlight:
    """A hidden flight is shown where it was last seen."""
    memory = state.sightings.get(state.enemy_of(flight.side), {}).get(flight.name)
    if memory is None or not is_hidden(state, flight):
        return part(SeenFlight, flight)
    return replace(part(SeenFlight, flight), position=memory.hex, heading=memory.heading, speed=0, turning=None)


def _flight_figures(state: State, flight: Flight, side: str | None) -> FlightFigures:
    hidden = side not in (None, flight.side) and is_hidden(state, flight)
    return FlightFigures(
        strength=len(flight.living),
        last_seen=state.sightings[side or ""][flight.name].turn if hidden else None,
        boarding=flight.target if flight.alongside else "",
        destroyed=sum(1 for fighter in flight.fighters if fighter.structure <= 0),
        dropped_out=sum(1 for fighter in flight.fighters if fighter.structure > 0 and fighter.dropped_out),
    )

"""What a side knows (section 8): its own records whole, of the enemy what sensors and reports show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.broadsides.data import Catalogue
from games.broadsides.orders.names import known_enemies
from games.broadsides.rules.sighting import is_hidden
from games.broadsides.rules.victory import scores
from games.broadsides.shipsheet import ShipSheet, ship_sheet
from games.broadsides.state import (
    Ballistic,
    Fighter,
    Flight,
    Formation,
    MapShape,
    Mount,
    OrderLine,
    Ship,
    SideRecord,
    Slide,
    Squad,
    State,
    Status,
    Switches,
    Terrain,
    Turning,
    Verdict,
    blocks_left,
    catalogue_of,
    class_of,
    living,
    units_in_order,
)
from pbem.kit.hexgrid import Hex


@dataclass(frozen=True)
class EnemyShip:
    """What sensors tell of an enemy ship, and what reports have told."""

    name: str
    side: str
    class_name: str
    race: str
    size: str
    status: Status
    position: Hex
    heading: int
    facing: int
    speed: int
    rolled: bool
    slide: Slide | None
    turning: Turning | None
    lost_sides: tuple[str, ...]
    systems_out: tuple[str, ...]
    """Systems reported destroyed, dropped out or deactivated."""
    squads: tuple[Squad, ...]
    """Own squads aboard it."""


@dataclass(frozen=True)
class EnemyFlight:
    name: str
    side: str
    class_name: str
    kind: str
    status: Status
    position: Hex
    heading: int
    speed: int
    turning: Turning | None
    strength: int
    """Fighters neither destroyed nor dropped out."""
    last_seen: int | None
    """The turn of the sighting, where it is hidden now."""
    boarding: str
    """The ship a pod lies alongside."""


@dataclass(frozen=True)
class EnemyLaunch:
    """A ballistic in flight: that it was launched, not what it is or where it goes."""

    launcher: str
    mount: str
    launch_hex: Hex


@dataclass(frozen=True)
class View:
    """Everything a side may know; None as side: the moderator."""

    side: str | None
    scenario: str
    title: str
    sides: tuple[SideRecord, ...]
    map: MapShape
    terrain: Terrain
    switches: Switches
    turn: int
    phase: str
    last_turn: int
    year: int
    start_speed: int
    first_fire: str
    ships: tuple[Ship, ...]
    flights: tuple[Flight, ...]
    enemies: tuple[EnemyShip, ...]
    enemy_flights: tuple[EnemyFlight, ...]
    ballistics: tuple[Ballistic, ...]
    enemy_launches: tuple[EnemyLaunch, ...]
    formations: tuple[Formation, ...]
    standing: tuple[OrderLine, ...]
    scores: Mapping[str, int]
    verdict: Verdict | None
    sheets: Mapping[str, ShipSheet]
    """Own ships' sheets, for the report."""
    catalogue: Catalogue

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(one.id for one in self.sides if one.id != self.side)


def view(state: State, side: str | None) -> View:
    """The state as a side may see it."""
    own = [unit for unit in units_in_order(state) if side in (None, unit.side)]
    known = set(known_enemies(state, side)) if side else set()
    others = [unit for unit in units_in_order(state) if unit.name in known]
    flights = [_enemy_flight(state, one, side or "") for one in others if isinstance(one, Flight)]
    return View(
        side=side,
        scenario=state.scenario,
        title=state.title,
        sides=state.sides,
        map=state.map,
        terrain=state.terrain,
        switches=state.switches,
        turn=state.turn,
        phase=state.phase,
        last_turn=state.last_turn,
        year=state.year,
        start_speed=state.start_speed,
        first_fire=state.first_fire,
        ships=tuple(one for one in own if isinstance(one, Ship)),
        flights=tuple(one for one in own if isinstance(one, Flight)),
        enemies=tuple(_enemy_ship(state, one, side or "") for one in others if isinstance(one, Ship)),
        enemy_flights=tuple(one for one in flights if one is not None),
        ballistics=tuple(one for one in state.ballistics if side in (None, one.side)),
        enemy_launches=tuple(
            EnemyLaunch(one.launcher, one.mount, one.launch_hex)
            for one in state.ballistics
            if side is not None and one.side != side
        ),
        formations=tuple(one for one in state.formations if side in (None, one.side)),
        standing=state.standing.get(side, ()) if side else (),
        scores=_known_scores(state, side),
        verdict=state.verdict,
        sheets={one.name: ship_sheet(catalogue_of(state), one) for one in own if isinstance(one, Ship)},
        catalogue=_known_catalogue(state, {unit.class_name for unit in (*own, *others)}),
    )


def _known_scores(state: State, side: str | None) -> Mapping[str, int]:
    """Upgrades change the price of a ship, but everybody is told the running totals."""
    return scores(state) if side is None or state.turn else {one.id: 0 for one in state.sides}


def _known_catalogue(state: State, classes: set[str]) -> Catalogue:
    """The scenario's own entries, without classes the side has yet to meet."""
    whole = state.catalogue
    ships = {name: sheet for name, sheet in whole.classes.items() if name in classes}
    craft = {name: sheet for name, sheet in whole.fighters.items() if name in classes}
    return replace(whole, classes=ships, fighters=craft)


def _enemy_ship(state: State, ship: Ship, side: str) -> EnemyShip:
    sheet = class_of(catalogue_of(state), ship)
    lost = tuple(one for one in sheet.sides if ship.structure[one] <= 0)
    out = tuple(
        system.id
        for system in sheet.systems.values()
        if system.section not in lost and (_is_out(ship, system.id) or blocks_left(ship, system) <= 0)
    )
    return EnemyShip(
        ship.name,
        ship.side,
        ship.class_name,
        sheet.race,
        sheet.size,
        ship.status,
        ship.position,
        ship.heading,
        ship.facing,
        ship.speed,
        ship.rolled,
        ship.slide,
        ship.turning,
        lost,
        out,
        tuple(one for one in ship.boarding_squads if one.owner == side),
    )


def _is_out(ship: Ship, system: str) -> bool:
    mount = ship.weapon.get(system)
    return (mount is not None and mount.dropped_out) or system in ship.deactivated


def _enemy_flight(state: State, flight: Flight, side: str) -> EnemyFlight | None:
    """A hidden flight is shown where it was last seen; never seen, it is not shown."""
    kind = catalogue_of(state).fighters[flight.class_name].kind
    position, heading, speed, seen = flight.position, flight.heading, flight.speed, None
    turning = flight.turning
    if is_hidden(state, flight):
        memory = state.sightings.get(side, {}).get(flight.name)
        if memory is None:
            return None
        position, heading, speed, seen, turning = memory.hex, memory.heading, 0, memory.turn, None
    return EnemyFlight(
        flight.name,
        flight.side,
        flight.class_name,
        kind,
        flight.status,
        position,
        heading,
        speed,
        turning,
        len(living(flight)),
        seen,
        flight.target if flight.alongside else "",
    )


# --- a state to think with -------------------------------------------------------------------------------------------


def imagined(known: View) -> State:
    """A state that fits the view: enemies as their class sheets print them, less what reports have told.

    Bots and forecasts reckon with it; nothing in it says more than the view.
    """
    ships: dict[str, Ship] = {ship.name: ship for ship in known.ships}
    flights: dict[str, Flight] = {flight.name: flight for flight in known.flights}
    base = _blank(known)
    catalogue = catalogue_of(base)
    ships |= {one.name: _imagined_ship(one, catalogue) for one in known.enemies}
    flights |= {one.name: _imagined_flight(one, catalogue) for one in known.enemy_flights}
    ranked = [side.id for side in known.sides]
    names = [*(one.name for one in known.ships), *(one.name for one in known.flights)]
    names += [*(one.name for one in known.enemies), *(one.name for one in known.enemy_flights)]
    owner = {name: ship.side for name, ship in ships.items()} | {name: one.side for name, one in flights.items()}
    roster = tuple(sorted(names, key=lambda name: ranked.index(owner[name])))
    return replace(base, ships=ships, flights=flights, roster=roster)


def _blank(known: View) -> State:
    return State(
        scenario=known.scenario,
        title=known.title,
        sides=known.sides,
        map=known.map,
        turn=known.turn,
        phase=known.phase,  # type: ignore[arg-type]
        last_turn=known.last_turn,
        year=known.year,
        start_speed=known.start_speed,
        ships={},
        flights={},
        roster=(),
        switches=known.switches,
        terrain=known.terrain,
        first_fire=known.first_fire,
        ballistics=known.ballistics,
        formations=known.formations,
        standing={known.side: known.standing} if known.side else {},
        catalogue=known.catalogue,
    )


def _imagined_ship(one: EnemyShip, catalogue: Catalogue) -> Ship:
    sheet = catalogue.classes[one.class_name]
    structure = {section.name: section.structure for section in sheet.sections} | dict.fromkeys(one.lost_sides, 0)
    gone = {system.id: system.blocks for system in sheet.systems.values() if system.section in one.lost_sides}
    gone |= {out: sheet.systems[out].blocks for out in one.systems_out}
    return Ship(
        name=one.name,
        side=one.side,
        class_name=one.class_name,
        position=one.position,
        heading=one.heading,
        facing=one.facing,
        speed=one.speed,
        structure=structure,
        weapon={mount.id: Mount(catalogue.weapons[mount.type].full) for mount in sheet.mounts},
        rolled=one.rolled,
        slide=one.slide,
        turning=one.turning,
        blocks_lost=gone,
        status=one.status,
    )


def _imagined_flight(one: EnemyFlight, catalogue: Catalogue) -> Flight:
    craft = catalogue.fighters[one.class_name]
    return Flight(
        name=one.name,
        side=one.side,
        class_name=one.class_name,
        position=one.position,
        heading=one.heading,
        speed=one.speed,
        fighters=(Fighter(craft.structure),) * one.strength,
        turning=one.turning,
        status=one.status,
        landed=0 if one.status == "hangar" else None,
    )

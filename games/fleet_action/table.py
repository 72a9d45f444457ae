"""The playing table: the units of a state by name, and the questions every chapter asks of them.

Resolution works on a table of its own: it replaces records in it and writes a new state at the end, so the state it
was given never changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.fleet_action import geometry
from games.fleet_action.data import Catalogue, FighterClass, Mount, ShipClass, WeaponType, house_catalogue
from games.fleet_action.state import Ability, Fleet, Flight, Salvo, Ship, Side, Squadron, State
from games.fleet_action.tables import TABLES
from pbem.kit.hexgrid import Hex, distance

ON_MAP = ("normal", "withdrawing", "jumping", "stray")


class Table:
    """The units by name, in roster order."""

    def __init__(self, state: State) -> None:
        self.state = state
        extra = Catalogue(state.weapons, state.classes, state.fighters)
        self.cards = house_catalogue().with_more(extra)
        self.sides = {side.id: side for side in state.sides}
        self.fleets = {fleet.name: fleet for fleet in state.fleets}
        self.squadrons = {squadron.name: squadron for squadron in state.squadrons}
        self.ships = {ship.name: ship for ship in state.ships}
        self.flights = {flight.name: flight for flight in state.flights}
        self.salvos: list[Salvo] = list(state.salvos)
        self._roster: dict[str, list[Squadron]] | None = None

    # --- records -----------------------------------------------------------------------------------------------------

    def put(self, unit: Ship | Squadron | Flight | Fleet) -> None:
        """Lay a changed record on the table in place of the old one."""
        if isinstance(unit, Ship):
            self.ships[unit.name] = unit
        elif isinstance(unit, Squadron):
            self.squadrons[unit.name] = unit
            self._roster = None
        elif isinstance(unit, Flight):
            self.flights[unit.name] = unit
        else:
            self.fleets[unit.name] = unit

    def written(self) -> State:
        """The state this table shows."""
        return replace(
            self.state,
            sides=tuple(self.sides.values()),
            fleets=tuple(self.fleets.values()),
            squadrons=tuple(self.squadrons.values()),
            ships=tuple(self.ships.values()),
            flights=tuple(self.flights.values()),
            salvos=tuple(self.salvos),
        )

    # --- cards -------------------------------------------------------------------------------------------------------

    def card(self, ship: Ship) -> ShipClass:
        return self.cards.classes[ship.ship_class]

    def fighter(self, flight: Flight) -> FighterClass:
        return self.cards.fighters[flight.fighter_class]

    def mounts(self, ship: Ship) -> list[tuple[int, Mount, WeaponType]]:
        """The weapon systems in datacard order, numbered from 0."""
        mounted = self.cards.classes[ship.ship_class].weapons
        return [(number, mount, self.cards.weapons[mount.weapon]) for number, mount in enumerate(mounted)]

    # --- who is there ------------------------------------------------------------------------------------------------

    def side_of(self, ship: Ship) -> str:
        return self.squadrons[ship.squadron].side

    def is_on_map(self, squadron: Squadron) -> bool:
        """It is in play and not waiting to enter."""
        return squadron.state in ON_MAP

    def members(self, squadron: Squadron) -> list[Ship]:
        """The living ships of a squadron, in roster order."""
        return [ship for ship in map(self.ships.__getitem__, squadron.ships) if ship.fate == "in play"]

    def roster(self, side: str) -> list[Squadron]:
        """FA 3.2: the side's squadrons on the map, new ones last in order of founding."""
        if self._roster is None:
            self._roster = {known: [] for known in self.sides}
            for squadron in sorted(self.squadrons.values(), key=lambda s: s.founded):
                if squadron.state in ON_MAP:
                    self._roster[squadron.side].append(squadron)
        return self._roster[side]

    def everyone(self, sides: tuple[str, ...] | None = None) -> Iterator[Ship]:
        """All ships on the map in side and roster order."""
        for side in sides or tuple(self.sides):
            for squadron in self.roster(side):
                yield from self.members(squadron)

    def enemies_of(self, side: str) -> list[str]:
        return [other for other in self.sides if other != side]

    def enemy_squadrons(self, side: str) -> list[Squadron]:
        return [squadron for other in self.enemies_of(side) for squadron in self.roster(other)]

    def wing(self, side: str) -> list[Flight]:
        """The side's flights that still exist, in roster order."""
        return [flight for flight in self.flights.values() if flight.side == side and flight.state not in GONE]

    def airborne(self) -> list[Flight]:
        """Flights on the map, dogfighting ones too."""
        return [flight for flight in self.flights.values() if flight.hex is not None and flight.state in AIRBORNE]

    def is_present(self, ship: Ship) -> bool:
        """The ship is alive and on the map."""
        return ship.fate == "in play" and self.squadrons[ship.squadron].state in ON_MAP

    # --- figures -----------------------------------------------------------------------------------------------------

    def command_radius(self, side: str) -> int:
        """FA-CMD-2, 3: five hexes, or by navy."""
        if not self.state.switches.navy_radius:
            return TABLES.command_radius
        return TABLES.navy_radius.get(self.sides[side].navy, TABLES.command_radius)

    def elint_level(self, ship: Ship) -> int:
        """FA-ELI-1: S boxes left."""
        return sum(1 for box in self.card(ship).elint if box <= ship.sensor)

    def guardian_level(self, ship: Ship) -> int:
        """FA-SPC-2: G boxes left."""
        return sum(1 for box in self.card(ship).guardian if box <= ship.structure)

    def interceptor_level(self, ship: Ship) -> int:
        """FA-SPC-1: I boxes left."""
        return sum(1 for box in self.card(ship).interceptor if box <= ship.structure)

    def commander(self, squadron: Squadron) -> Ship:
        """FA-CMD-7: the command ship, or whoever acts for it."""
        return self.ships[squadron.command_ship]

    def command_rating(self, squadron: Squadron, ship: Ship) -> int:
        """FA-ABL-3: cr, improved by a quarter where the commander's network is."""
        rating = self.card(ship).cr
        if any(
            ability.key == "improved-command-network" and ability.ship == ship.name
            for ability in self.abilities(squadron)
        ):
            return -(-rating * 5 // 4)
        return rating

    def abilities(self, squadron: Squadron) -> tuple[Ability, ...]:
        """What the commander owns; in the flag squadron that is the admiral."""
        fleet = self.fleets[squadron.fleet]
        flag = self.ships.get(fleet.flagship)
        admirals = fleet.abilities if flag is not None and flag.squadron == squadron.name else ()
        return (*squadron.abilities, *admirals)

    def flagship_of(self, squadron: Squadron) -> Ship | None:
        """The living flagship of the squadron's fleet."""
        ship = self.ships.get(self.fleets[squadron.fleet].flagship)
        return ship if ship is not None and ship.fate == "in play" else None

    def is_flagship(self, ship: Ship) -> bool:
        return self.fleets[self.squadrons[ship.squadron].fleet].flagship == ship.name

    def nearest_ship(self, at: Hex, ships: list[Ship]) -> Ship | None:
        """The first of the nearest."""
        return min(ships, key=lambda ship: distance(at, ship.hex), default=None)

    def on_map(self, at: Hex) -> bool:
        return geometry.on_map(at, self.state.map_w, self.state.map_h)

    def fleet_squadrons(self, fleet: Fleet) -> list[Squadron]:
        return [squadron for squadron in self.roster(fleet.side) if squadron.fleet == fleet.name]

    def homes(self, flight: Flight) -> Squadron | None:
        """The squadron of the ship a flight is based on, if that ship lives."""
        ship = self.ships.get(flight.home)
        return self.squadrons[ship.squadron] if ship is not None else None

    def points_of(self, ship: Ship) -> int:
        return self.card(ship).points

    def side(self, side: str) -> Side:
        return self.sides[side]


GONE = ("left", "lost")
AIRBORNE = ("flying", "dogfight")

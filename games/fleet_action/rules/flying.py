"""FA-FTR-6..14: the flights move: land, strike with escorts, squadron escorts, superiority."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from games.fleet_action.data import TABLES
from games.fleet_action.rules import fighters, flightpaths, plotting, sequence
from games.fleet_action.rules.flightpaths import Way
from games.fleet_action.state import Flight, Ship
from games.fleet_action.table import Table, printed
from pbem.kit.hexgrid import Hex, distance

_PREY = {"strike": 0, "escort": 1, "superiority": 2, "land": 3}


def note_stations(table: Table) -> None:
    """FA-FTR-9, 14: who starts the pulse on station; an escort back on station counts again."""
    table.on_station = set()
    for flight in table.airborne():
        if flight.mission != "escort" or flight.state != "flying" or not _is_on_station(table, flight):
            continue
        table.on_station.add(flight.name)
        if flight.returning:
            table.change(flight, returning=False)


def _is_on_station(table: Table, flight: Flight) -> bool:
    assert flight.hex is not None
    charge = table.flights.get(flight.charge or "")
    if charge is not None:
        return charge.hex == flight.hex
    squadron = table.squadrons.get(flight.charge or "")
    return squadron is not None and distance(flight.hex, squadron.hex) <= TABLES.largest_station


def move_flights(table: Table) -> None:
    """FA-FTR-6: the four groups; in each the sides interleave."""
    table.reacting = {}
    moved: set[str] = set()
    for group in ("land", "strike", "escort", "superiority"):
        queues = {side: _group(table, side, group) for side in table.side_order}
        order = sequence.interleaved(queues)
        for name in sequence.forced_first(table, order, lambda flight: _fleet_of(table, flight)):
            _move_with_escorts(table, name, moved)


def _fleet_of(table: Table, name: str) -> str:
    home = table.home_of(table.flights[name])
    return home.fleet if home is not None else ""


def _group(table: Table, side: str, group: str) -> list[str]:
    """Flights of a group in roster order; escorts of a flight move with it."""
    names = []
    held = {ship.holding for ship in table.ships.values() if ship.holding}
    for flight in table.wing(side):
        if flight.name in held:
            continue
        if flight.state != "flying" or flight.mission != group or flight.launched == table.now:
            continue
        charge = table.flights.get(flight.charge or "") if group == "escort" else None
        if charge is not None and charge.state == "flying" and charge.launched != table.now:
            continue
        names.append(flight.name)
    return names


def _move_with_escorts(table: Table, name: str, moved: set[str]) -> None:
    if name in moved:
        return
    moved.add(name)
    flight = table.flights[name]
    if flight.state != "flying" or flight.hex is None:
        return
    start = flight.hex
    way = _Pilot(table, flight).fly()
    for escort in table.wing(flight.side):
        if (
            escort.charge == name
            and escort.mission == "escort"
            and escort.state == "flying"
            and escort.name not in moved
        ):
            if escort.launched == table.now:
                continue
            moved.add(escort.name)
            _follow(table, escort, start, way)
            _move_escorts_of_escort(table, escort.name, moved)


def _move_escorts_of_escort(table: Table, name: str, moved: set[str]) -> None:
    for other in table.wing(table.flights[name].side):
        if other.charge == name and other.mission == "escort" and other.state == "flying":
            _move_with_escorts(table, other.name, moved)


def _follow(table: Table, escort: Flight, start: Hex, way: tuple[int, ...]) -> None:
    """FA-FTR-9: a flight's escort copies its path as far as its points allow, or flies to it."""
    pilot = _Pilot(table, escort)
    if escort.hex != start:
        pilot.fly()
        return
    pilot.copy(way)


class _Pilot:
    """Flies one flight for one pulse."""

    def __init__(self, table: Table, flight: Flight) -> None:
        assert flight.hex is not None
        self.table = table
        self.flight = flight
        self.at: Hex = flight.hex
        card = table.fighter(flight)
        self.points = plotting.chart(card.move)[table.pulse - 1]
        self.burn = card.burn if self._may_burn() else 0
        self.ways = flightpaths.reach(flight.heading, self.points)

    def _may_burn(self) -> bool:
        """FA-FTR-10: once a turn, in one pulse."""
        switched = self.table.state.switches.afterburners
        return switched and self.flight.doctrine.burn == "auto" and self.flight.burned_turn != self.table.turn

    def fly(self) -> tuple[int, ...]:
        """The directions flown."""
        flight = self.flight
        if flight.mission == "strike":
            return self._strike()
        if flight.mission == "superiority":
            return self._patrol()
        if flight.mission == "escort":
            return self._escort()
        return self._go(self._towards_goal())

    # --- the ways ----------------------------------------------------------------------------------------------------

    def _towards_goal(self) -> tuple[int, ...]:
        def apart(at: Hex) -> int:
            return fighters.goal_distance(self.table, self.flight, at)

        if apart(self.at) == 0:
            return ()
        return flightpaths.towards(self.table, self.at, self.ways, apart)

    def _into(self, goal: Hex, ways: Mapping[Hex, Way] | None = None) -> tuple[int, ...] | None:
        return flightpaths.way_to(self.table, self.at, goal, self.ways if ways is None else ways)

    def _burning(self) -> Mapping[Hex, Way] | None:
        """The ways with afterburners, or None if they cannot be lit."""
        if not self.burn:
            return None
        return flightpaths.reach(self.flight.heading, self.points, self.burn)

    def _go(self, way: tuple[int, ...], *, burning: bool = False) -> tuple[int, ...]:
        if not way:
            return way
        hexes = flightpaths.flown(self.at, way)
        before = hexes[-2] if len(hexes) > 1 else self.at
        flight = replace(self.table.flights[self.flight.name], hex=hexes[-1], prev_hex=before, heading=way[-1])
        if burning:
            flight = replace(flight, burned_turn=self.table.turn)
        self.table.put(flight)
        facts = {
            "side": flight.side,
            "flight": flight.name,
            "from": printed(self.at),
            "to": printed(hexes[-1]),
            "hexes": [printed(at) for at in (self.at, *hexes)],
            "burn": burning,
        }
        self.table.tell("flight_move", "FA-FTR-4", self.table.audience, facts)
        return way

    def _go_into(self, goals: Sequence[Hex]) -> tuple[int, ...] | None:
        """Into the first of these hexes that can be reached; with afterburners if it must be."""
        for goal in goals:
            way = self._into(goal)
            if way is not None:
                return self._go(way)
        ways = self._burning()
        for goal in goals if ways is not None else ():
            way = self._into(goal, ways)
            if way is not None:
                return self._go(way, burning=True)
        return None

    # --- missions ----------------------------------------------------------------------------------------------------

    def _strike(self) -> tuple[int, ...]:
        """FA-FTR-8, 12: the preferred ship, else the nearest that can be reached, else toward the nearest."""
        table, flight = self.table, self.flight
        squadron = table.squadrons.get(flight.target or "")
        ships = table.members(squadron) if squadron is not None and table.is_on_map(squadron) else []
        preferred = table.living(flight.prefer)
        if preferred is not None and preferred in ships:
            ships = [preferred]
        ranked = sorted(ships, key=lambda ship: distance(self.at, ship.hex))
        reached = self._go_into([ship.hex for ship in ranked])
        if reached is not None or not ranked:
            return reached or ()
        goal = ranked[0].hex
        return self._go(flightpaths.towards(table, self.at, self.ways, lambda at: distance(at, goal)))

    def _patrol(self) -> tuple[int, ...]:
        """FA-FTR-7, 11: into the hex of an enemy flight in the zone, else toward the zone's hex."""
        zone, radius = self.flight.zone or self.at, self.flight.radius
        prey = self._prey(lambda at: distance(at, zone) <= radius)
        reached = self._go_into(prey)
        return reached if reached is not None else self._go(self._towards_goal())

    def _prey(self, near: Callable[[Hex], bool]) -> list[Hex]:
        """Hexes of enemy flights, the wanted ones first: by mission, then nearest, then roster."""
        enemies = [f for f in self.table.airborne() if f.side != self.flight.side and f.state == "flying"]
        places = [(_PREY[f.mission], f.hex) for f in enemies if f.hex is not None and near(f.hex)]
        return [at for _, at in sorted(places, key=lambda place: (place[0], distance(self.at, place[1])))]

    def _escort(self) -> tuple[int, ...]:
        """FA-FTR-9, 13, 14: on station it intercepts; otherwise it keeps or regains its station."""
        table, flight = self.table, self.flight
        squadron = table.squadrons.get(flight.charge or "")
        if squadron is not None and flight.name in table.on_station and not flight.returning:
            ships = table.members(squadron)
            near = TABLES.largest_station
            prey = self._prey(lambda at: any(distance(at, ship.hex) <= near for ship in ships))
            reached = self._go_into(prey) if prey else None
            if reached is not None:
                return reached
            reached = self._react()
            if reached is not None:
                return reached
        return self._regain()

    def _react(self) -> tuple[int, ...] | None:
        """FA-FTR-9: ``react ships``: onto an enemy ship within reach, one ship a turn."""
        table, flight = self.table, self.flight
        if flight.doctrine.react != "ships" or flight.ships_attacked_turn == table.turn:
            return None
        enemies = table.everyone(tuple(table.enemies_of(flight.side)))
        ranked: list[Ship] = sorted(enemies, key=lambda ship: distance(self.at, ship.hex))
        for ship in ranked:
            way = self._into(ship.hex)
            if way is not None:
                table.reacting[flight.name] = ship.name
                return self._go(way)
        return None

    def _regain(self) -> tuple[int, ...]:
        """Back to the charge, with afterburners if that regains the station."""
        table = self.table
        if fighters.goal_distance(table, self.flight, self.at) == 0:
            return ()
        way = self._towards_goal()
        end = flightpaths.flown(self.at, way)[-1] if way else self.at
        ways = self._burning()
        if ways is not None and fighters.goal_distance(table, self.flight, end) > 0:

            def apart(at: Hex) -> int:
                return fighters.goal_distance(table, self.flight, at)

            burning = flightpaths.towards(table, self.at, ways, apart)
            if burning and apart(flightpaths.flown(self.at, burning)[-1]) == 0:
                return self._go(burning, burning=True)
        return self._go(way)

    def copy(self, way: tuple[int, ...]) -> tuple[int, ...]:
        """The charge's own way, as far as the points last; afterburners to keep up (FA-FTR-13)."""
        taken = self._affordable(way, 0)
        if len(taken) < len(way) and self.burn:
            burning = self._affordable(way, self.burn)
            if len(burning) == len(way):
                return self._go(burning, burning=True)
        return self._go(taken)

    def _affordable(self, way: tuple[int, ...], burn: int) -> tuple[int, ...]:
        turns, heading = 0, self.flight.heading
        for hexes, direction in enumerate(way, 1):
            turns += flightpaths.turn_cost(heading, direction)
            if turns + max(0, hexes - burn) > self.points:
                return way[: hexes - 1]
            heading = direction
        return way

"""FA-FTR-6..14: the flights move: land, strike with escorts, squadron escorts, superiority."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from games.fleet_action.battle import Battle, printed
from games.fleet_action.rules import fighters, flightpaths, plotting, sequence
from games.fleet_action.rules.flightpaths import Way
from games.fleet_action.state import Flight, Ship
from games.fleet_action.tables import TABLES
from pbem.kit.hexgrid import Hex, distance

_PREY = {"strike": 0, "escort": 1, "superiority": 2, "land": 3}


def note_stations(battle: Battle) -> None:
    """FA-FTR-9, 14: who starts the pulse on station; an escort back on station counts again."""
    battle.on_station = set()
    for flight in battle.airborne():
        if flight.mission != "escort" or flight.state != "flying" or not _is_on_station(battle, flight):
            continue
        battle.on_station.add(flight.name)
        if flight.returning:
            battle.put(replace(flight, returning=False))


def _is_on_station(battle: Battle, flight: Flight) -> bool:
    assert flight.hex is not None
    charge = battle.flights.get(flight.charge or "")
    if charge is not None:
        return charge.hex == flight.hex
    squadron = battle.squadrons.get(flight.charge or "")
    return squadron is not None and distance(flight.hex, squadron.hex) <= TABLES.largest_station


def move_flights(battle: Battle) -> None:
    """FA-FTR-6: the four groups; in each the sides interleave."""
    battle.reacting = {}
    moved: set[str] = set()
    for group in ("land", "strike", "escort", "superiority"):
        queues = {side: _group(battle, side, group) for side in battle.side_order}
        order = sequence.interleaved(queues)
        for name in sequence.forced_first(battle, order, lambda flight: _fleet_of(battle, flight)):
            _move_with_escorts(battle, name, moved)


def _fleet_of(battle: Battle, name: str) -> str:
    home = battle.homes(battle.flights[name])
    return home.fleet if home is not None else ""


def _group(battle: Battle, side: str, group: str) -> list[str]:
    """Flights of a group in roster order; escorts of a flight move with it."""
    names = []
    held = {ship.holding for ship in battle.ships.values() if ship.holding}
    for flight in battle.wing(side):
        if flight.name in held:
            continue
        if flight.state != "flying" or flight.mission != group or flight.launched == battle.now:
            continue
        charge = battle.flights.get(flight.charge or "") if group == "escort" else None
        if charge is not None and charge.state == "flying" and charge.launched != battle.now:
            continue
        names.append(flight.name)
    return names


def _move_with_escorts(battle: Battle, name: str, moved: set[str]) -> None:
    if name in moved:
        return
    moved.add(name)
    flight = battle.flights[name]
    if flight.state != "flying" or flight.hex is None:
        return
    start = flight.hex
    way = _Pilot(battle, flight).fly()
    for escort in battle.wing(flight.side):
        if (
            escort.charge == name
            and escort.mission == "escort"
            and escort.state == "flying"
            and escort.name not in moved
        ):
            if escort.launched == battle.now:
                continue
            moved.add(escort.name)
            _follow(battle, escort, start, way)
            _move_escorts_of_escort(battle, escort.name, moved)


def _move_escorts_of_escort(battle: Battle, name: str, moved: set[str]) -> None:
    for other in battle.wing(battle.flights[name].side):
        if other.charge == name and other.mission == "escort" and other.state == "flying":
            _move_with_escorts(battle, other.name, moved)


def _follow(battle: Battle, escort: Flight, start: Hex, way: tuple[int, ...]) -> None:
    """FA-FTR-9: a flight's escort copies its path as far as its points allow, or flies to it."""
    pilot = _Pilot(battle, escort)
    if escort.hex != start:
        pilot.fly()
        return
    pilot.copy(way)


class _Pilot:
    """Flies one flight for one pulse."""

    def __init__(self, battle: Battle, flight: Flight) -> None:
        assert flight.hex is not None
        self.battle = battle
        self.flight = flight
        self.at: Hex = flight.hex
        card = battle.fighter(flight)
        self.points = plotting.chart(card.move)[battle.pulse - 1]
        self.burn = card.burn if self._may_burn() else 0
        self.ways = flightpaths.reach(flight.heading, self.points)

    def _may_burn(self) -> bool:
        """FA-FTR-10: once a turn, in one pulse."""
        switched = self.battle.state.switches.afterburners
        return switched and self.flight.doctrine.burn == "auto" and self.flight.burned_turn != self.battle.turn

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
            return fighters.goal_distance(self.battle, self.flight, at)

        if apart(self.at) == 0:
            return ()
        return flightpaths.towards(self.battle, self.at, self.ways, apart)

    def _into(self, goal: Hex, ways: Mapping[Hex, Way] | None = None) -> tuple[int, ...] | None:
        return flightpaths.way_to(self.battle, self.at, goal, self.ways if ways is None else ways)

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
        flight = replace(self.battle.flights[self.flight.name], hex=hexes[-1], prev_hex=before, heading=way[-1])
        if burning:
            flight = replace(flight, burned_turn=self.battle.turn)
        self.battle.put(flight)
        facts = {"side": flight.side, "flight": flight.name, "from": printed(self.at), "to": printed(hexes[-1])}
        told = {**facts, "hexes": [printed(at) for at in (self.at, *hexes)], "burn": burning}
        self.battle.tell("flight_move", "FA-FTR-4", self.battle.audience, told)
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
        battle, flight = self.battle, self.flight
        squadron = battle.squadrons.get(flight.target or "")
        ships = battle.members(squadron) if squadron is not None and battle.is_on_map(squadron) else []
        preferred = battle.living(flight.prefer or "")
        if preferred is not None and preferred in ships:
            ships = [preferred]
        ranked = sorted(ships, key=lambda ship: distance(self.at, ship.hex))
        reached = self._go_into([ship.hex for ship in ranked])
        if reached is not None or not ranked:
            return reached or ()
        goal = ranked[0].hex
        return self._go(flightpaths.towards(battle, self.at, self.ways, lambda at: distance(at, goal)))

    def _patrol(self) -> tuple[int, ...]:
        """FA-FTR-7, 11: into the hex of an enemy flight in the zone, else toward the zone's hex."""
        zone, radius = self.flight.zone or self.at, self.flight.radius
        prey = self._prey(lambda at: distance(at, zone) <= radius)
        reached = self._go_into(prey)
        return reached if reached is not None else self._go(self._towards_goal())

    def _prey(self, near: Callable[[Hex], bool]) -> list[Hex]:
        """Hexes of enemy flights, the wanted ones first: by mission, then nearest, then roster."""
        found = [
            flight
            for flight in self.battle.airborne()
            if flight.side != self.flight.side and flight.state == "flying" and flight.hex is not None
        ]
        wanted = [flight for flight in found if flight.hex is not None and near(flight.hex)]
        ranked = sorted(wanted, key=lambda f: (_PREY[f.mission], distance(self.at, f.hex or self.at)))
        return [flight.hex for flight in ranked if flight.hex is not None]

    def _escort(self) -> tuple[int, ...]:
        """FA-FTR-9, 13, 14: on station it intercepts; otherwise it keeps or regains its station."""
        battle, flight = self.battle, self.flight
        squadron = battle.squadrons.get(flight.charge or "")
        if squadron is not None and flight.name in battle.on_station and not flight.returning:
            ships = battle.members(squadron)
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
        battle, flight = self.battle, self.flight
        if flight.doctrine.react != "ships" or flight.ships_attacked_turn == battle.turn:
            return None
        enemies = battle.everyone(tuple(battle.enemies_of(flight.side)))
        ranked: list[Ship] = sorted(enemies, key=lambda ship: distance(self.at, ship.hex))
        for ship in ranked:
            way = self._into(ship.hex)
            if way is not None:
                battle.reacting[flight.name] = ship.name
                return self._go(way)
        return None

    def _regain(self) -> tuple[int, ...]:
        """Back to the charge, with afterburners if that regains the station."""
        battle = self.battle
        if fighters.goal_distance(battle, self.flight, self.at) == 0:
            return ()
        way = self._towards_goal()
        end = flightpaths.flown(self.at, way)[-1] if way else self.at
        ways = self._burning()
        if ways is not None and fighters.goal_distance(battle, self.flight, end) > 0:

            def apart(at: Hex) -> int:
                return fighters.goal_distance(battle, self.flight, at)

            burning = flightpaths.towards(battle, self.at, ways, apart)
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

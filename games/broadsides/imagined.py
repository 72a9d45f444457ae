"""A state that a view could come from: own records as they are, the enemy's hidden parts drawn within their class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from games.broadsides.data import ShipClass, System
from games.broadsides.rules.ballistics import LAUNCHED_KINDS, reach_of
from games.broadsides.rules.boarding import BOARDABLE
from games.broadsides.rules.craft import Ground, ground_of
from games.broadsides.rules.force import most_sensor_upgrades
from games.broadsides.rules.sighting import SEEN_WITHIN, is_hidden, keep_sightings
from games.broadsides.rules.victory import scores, ship_score
from games.broadsides.setup import RACK_MISSILES
from games.broadsides.state import (
    Ballistic,
    Fighter,
    Flight,
    FlightOrder,
    Known,
    Launch,
    Mount,
    Seen,
    SeenFlight,
    SeenShip,
    Ship,
    Sighting,
    State,
)
from games.broadsides.view import FlightFigures, View
from pbem.kit.dice import Dice, KeyedDice
from pbem.kit.hexgrid import Hex, disk, distance, neighbour, turned
from pbem.kit.records import shared

OptionT = TypeVar("OptionT")

FLOWN_UNSEEN = 10
"""Hexes a flight that is out of sight may have gone since it was seen, for each turn."""
SHARE = 10
"""Structure is drawn in tenths."""
LETTERS: tuple[FlightOrder, ...] = ("D", "D", "A", "A", "A", "I")


def imagined(view: View, dice: Dice) -> State:
    """A state that gives its reader this view again.

    Units that have never appeared are not invented: without them the reader would see the same.
    """
    return _Imagination(view, dice).state()


def plainly_imagined(view: View) -> State:
    """The state that forecasts and offers reckon with: always the same one."""
    return imagined(view, KeyedDice(b"broadsides imagined"))


class _Imagination:
    def __init__(self, view: View, dice: Dice) -> None:
        self._view, self._dice = view, dice
        self._cards, self._ground = view.cards, ground_of(view)
        self._fresh = view.turn <= 1 and view.phase != "fire"
        """Nobody has fired yet."""
        self._launched = {(launch.launcher, launch.mount) for launch in view.ballistics}

    def _face(self, sides: int, *label: object) -> int:
        return self._dice.roll(sides, "imagined", *label).face

    def _one_of(self, options: Sequence[OptionT], *label: object) -> OptionT:
        return options[self._face(len(options), *label) - 1] if len(options) > 1 else options[0]

    def state(self) -> State:
        view = self._view
        ships = {ship.name: ship if isinstance(ship, Ship) else self._ship(ship) for ship in view.ships}
        flights = {one.name: one if isinstance(one, Flight) else self._flight(one) for one in view.flights}
        ranks = [side.id for side in view.sides]
        units = sorted([*ships.values(), *flights.values()], key=lambda unit: ranks.index(unit.side))
        state = State(
            **shared(Known, view),
            ships=ships,
            flights=flights,
            roster=tuple(unit.name for unit in units),
            formations=view.formations,
            standing={view.side: view.standing} if view.side else {},
            sightings={view.side: self._sightings()} if view.side else {},
            prizes=view.prizes,
        )
        if view.side is None:
            return replace(state, ballistics=tuple(shot for shot in view.ballistics if isinstance(shot, Ballistic)))
        state = keep_sightings(self._with_upgrades(self._with_flights_in_sight(state)))
        return replace(state, ballistics=tuple(self._ballistic(state, shot) for shot in view.ballistics))

    # --- ships

    def _ship(self, ship: SeenShip) -> Ship:
        sheet, figures = self._cards.classes[ship.class_name], self._view.figures[ship.name]
        out = [sheet.systems[system] for system in figures.systems_out]
        dropped = {system.id for system in out if self._has_dropped_out(ship, system)}
        gone = [system for system in sheet.systems.values() if system.section in figures.lost_sides]
        gone += [system for system in out if system.id not in dropped]
        pods = sum(1 for flight in self._view.flights if flight.name.startswith(f"{ship.name}-P"))
        return Ship(
            **shared(SeenShip, ship),
            structure=self._structure(ship, sheet),
            weapon={mount.id: self._mount(ship, mount, dropped) for mount in sheet.mounts},
            blocks_lost={system.id: system.blocks for system in gone},
            battery=self._batteries(ship, sheet, {system.id for system in gone}),
            pods=max(0, sheet.pods - pods),
            pods_launched=pods,
            boarding_squads=figures.squads,
            initiative=sheet.init + (self._face(20, ship.name, "initiative") if self._view.phase == "fire" else 0),
            start_position=None if self._fresh else neighbour(ship.position, turned(ship.heading, 3), ship.speed),
            scenario_heading=ship.heading if self._view.phase == "setup" else None,
        )

    def _has_dropped_out(self, ship: SeenShip, system: System) -> bool:
        """Of a weapon that does not work reports tell, but not always whether it is destroyed."""
        return system.kind == "weapon" and self._face(2, ship.name, system.id, "dropped out") == 1

    def _structure(self, ship: SeenShip, sheet: ShipClass) -> Mapping[str, int]:
        figures = self._view.figures[ship.name]
        worn = {sheet.systems[system].section for system in figures.systems_out}
        hurt = bool(worn or figures.lost_sides)
        left = {}
        for section in sheet.sections:
            least = 1 if section.name in worn else (SHARE // 2 if hurt else SHARE)
            tenths = least - 1 + self._face(SHARE + 1 - least, ship.name, section.name) if least < SHARE else SHARE
            left[section.name] = max(1, section.structure * tenths // SHARE)
        if ship.status == "destroyed":
            left[sheet.core] = 0
        return left | dict.fromkeys(figures.lost_sides, 0)

    def _mount(self, ship: SeenShip, mount: System, dropped: set[str]) -> Mount:
        weapon, used = self._cards.weapons[mount.type], (ship.name, mount.id) in self._launched
        steps = weapon.recharge
        if not self._fresh:
            # R4 is over in the fire phase, so every weapon has had one more turn to charge.
            least = 1 if self._view.phase == "fire" else 0
            steps = least - 1 + self._face(weapon.recharge + 1 - least, ship.name, mount.id, "charge")
        spent = 0 if self._fresh or not weapon.rack else self._face(self._view.turn, ship.name, mount.id, "spent")
        return Mount(
            charge=0 if used else steps * weapon.power,
            used=used,
            dropped_out=mount.id in dropped,
            ammunition={"standard": max(0, RACK_MISSILES - spent)} if weapon.rack else {},
        )

    def _batteries(self, ship: SeenShip, sheet: ShipClass, gone: set[str]) -> Mapping[str, int]:
        stores = {}
        for box in (system for system in sheet.systems.values() if system.kind == "battery"):
            capacity = self._cards.batteries[box.type].capacity
            drawn = capacity if self._fresh else self._face(capacity + 1, ship.name, box.id, "store") - 1
            stores[box.id] = 0 if box.id in gone else drawn
        return stores

    # --- upgrades

    def _with_upgrades(self, state: State) -> State:
        """Upgrades are secret, but they are in the price of a ship: the totals that all are told must come out."""
        if not state.turn:
            return state
        side = self._view.side or ""
        missing = self._view.scores[side] - scores(state)[side]
        choices = [self._upgraded(ship) for ship in state.ships.values() if ship.side != side]
        gains = [[ship_score(state, one) - ship_score(state, ways[0]) for one in ways] for ways in choices]
        within_reach = [{0}]
        for of_ship in reversed(gains):
            within_reach.insert(0, {gain + later for gain in of_ship for later in within_reach[0]})
        ships = dict(state.ships)
        for ways, of_ship, later in zip(choices, gains, within_reach[1:], strict=True):
            fitting = [(one, gain) for one, gain in zip(ways, of_ship, strict=True) if missing - gain in later]
            if fitting:
                chosen, gain = self._one_of(fitting, ways[0].name, "upgrades")
                ships[chosen.name] = chosen
                missing -= gain
        return replace(state, ships=ships)

    def _upgraded(self, ship: Ship) -> list[Ship]:
        """The ship with every upgrade its race may have by now, the plain one first."""
        race = self._cards.classes[ship.class_name].race
        most = most_sensor_upgrades(self._cards, race, self._view.year)
        half_year = self._cards.races[race].jam_half_year
        jammers = (False, True) if half_year is not None and self._view.year >= half_year else (False,)
        return [
            replace(ship, sensor_upgrades=sensors, jammer_upgrade=jammer)
            for jammer in jammers
            for sensors in range(most + 1)
        ]

    # --- flights

    def _flight(self, flight: SeenFlight) -> Flight:
        known, craft = self._view.counts[flight.name], self._cards.fighters[flight.class_name]
        target = known.boarding or (self._boarded(flight) if craft.kind == "pod" else "")
        made = Flight(
            **shared(SeenFlight, flight),
            fighters=self._fighters(flight, known),
            carrier=self._carrier(flight),
            order=self._one_of(LETTERS, flight.name, "letter") if self._view.phase == "fire" else "D",
            target=target,
            section=self._section(flight, target) if target else "",
            alongside=bool(known.boarding),
            initiative=craft.init,
            landed=self._landed(flight) if flight.status == "hangar" else None,
            start_position=None if self._fresh else neighbour(flight.position, turned(flight.heading, 3), flight.speed),
        )
        if known.last_seen is None:
            return made
        heading, speed = self._face(6, flight.name, "heading") - 1, self._face(craft.thrust or 1, flight.name, "speed")
        return replace(made, position=self._out_of_sight(flight, known.last_seen), heading=heading, speed=speed)

    def _landed(self, flight: SeenFlight) -> int:
        return max(0, self._view.turn - self._face(3, flight.name, "landed"))

    def _fighters(self, flight: SeenFlight, known: FlightFigures) -> tuple[Fighter, ...]:
        craft = self._cards.fighters[flight.class_name]
        whole = Fighter(craft.structure, missiles=craft.missiles)
        left = [craft.structure] * known.strength
        if known.destroyed or known.dropped_out:
            left = [self._face(craft.structure, flight.name, "fighter", number) for number in range(known.strength)]
        living = [replace(whole, structure=structure) for structure in left]
        lost = [replace(whole, structure=0)] * known.destroyed
        return (*living, *lost, *[replace(whole, structure=1, dropped_out=True)] * known.dropped_out)

    def _carrier(self, flight: SeenFlight) -> str:
        """The ship its name speaks of, else any of its side that has berths."""
        ships = [ship for ship in self._view.ships if ship.side == flight.side]
        named = [ship.name for ship in ships if flight.name.startswith((f"{ship.name}-F", f"{ship.name}-P"))]
        berths = [ship.name for ship in ships if not ship.gone and self._cards.classes[ship.class_name].hangar_flights]
        carriers = named or berths
        return self._one_of(carriers, flight.name, "carrier") if carriers else ""

    def _boarded(self, pod: SeenFlight) -> str:
        """A pod on its way has a target nobody knows."""
        goals = [
            ship.name
            for ship in self._view.own_ships
            if ship.on_map and self._cards.classes[ship.class_name].size in BOARDABLE
        ]
        return self._one_of(goals, pod.name, "target") if goals else ""

    def _section(self, pod: SeenFlight, target: str) -> str:
        ship = next(ship for ship in self._view.ships if ship.name == target)
        return self._one_of(self._cards.classes[ship.class_name].sides, pod.name, "section")

    def _sightings(self) -> Mapping[str, Sighting]:
        """Of flights that are out of sight, where and when they were seen last."""
        return {
            flight.name: Sighting(flight.position, flight.heading, turn)
            for flight in self._view.enemy_flights
            if (turn := self._view.counts[flight.name].last_seen) is not None
        }

    def _out_of_sight(self, flight: SeenFlight, last_seen: int) -> Hex:
        """BR-JAM-4: somewhere near its last known hex, but not near a unit of the reader's."""
        units = [unit for unit in (*self._view.own_ships, *self._view.own_flights) if unit.on_map]
        reach = FLOWN_UNSEEN * max(1, self._view.turn - last_seen)
        hexes = [at for at in disk(flight.position, reach) if _is_free(self._ground, at) and not _is_near(at, units)]
        if hexes:
            return self._one_of(hexes, flight.name, "position")
        beyond = (at for at in disk(flight.position, 4 * reach) if not _is_near(at, units))
        return next(beyond, flight.position)

    def _with_flights_in_sight(self, state: State) -> State:
        """BR-JAM-4: a stealth flight that is seen far from everybody has fired."""
        seen = {one.name for one in self._view.enemy_flights if self._view.counts[one.name].last_seen is None}
        flights = {
            name: replace(flight, fired=True) if name in seen and is_hidden(state, flight) else flight
            for name, flight in state.flights.items()
        }
        return replace(state, flights=flights)

    # --- ballistics

    def _ballistic(self, state: State, launch: Ballistic | Launch) -> Ballistic:
        """The enemy is seen launching; what, and at whom, it keeps to itself until R7."""
        if isinstance(launch, Ballistic):
            return launch
        sheet = self._cards.classes[state.ships[launch.launcher].class_name]
        weapon, label = self._cards.weapons[sheet.systems[launch.mount].type], (launch.launcher, launch.mount)
        mixed = self._view.switches.missile_mix == "open"
        kinds = LAUNCHED_KINDS if mixed else LAUNCHED_KINDS[:1]
        kind = self._one_of(kinds, *label, "kind") if weapon.rack else ""
        units = [unit for unit in state.units() if unit.side == self._view.side and unit.on_map]
        near = [unit for unit in units if distance(unit.position, launch.launch_hex) <= reach_of(weapon, kind)]
        target = self._one_of(near or units, *label, "target") if units else None
        seen = shared(Launch, launch)
        if weapon.mine:
            return Ballistic(**seen, target_hex=target.position if target else launch.launch_hex)
        return Ballistic(**seen, kind=kind, target=target.name if target else "")


def _is_free(ground: Ground, at: Hex) -> bool:
    return ground.on_map(at) and at not in ground.large and at not in ground.planet


def _is_near(at: Hex, units: Sequence[Seen]) -> bool:
    return any(distance(at, unit.position) <= SEEN_WITHIN for unit in units)

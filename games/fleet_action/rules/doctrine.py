"""Section 6.2, FA-DOC: who fires which weapons at whom, from orders and doctrine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.fleet_action.data import BRACKETS, CATEGORIES, TABLES, Mount, WeaponType
from games.fleet_action.orders.records import FireOrder, HoldOrder, TargetOrder
from games.fleet_action.rules import command, fire, weapons
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Flight, Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit.hexgrid import distance

DEFAULT_LINE = FireOrder("", ("all",), "nearest", chance=TABLES.chance_to_fire)
DEFAULT_FLIGHT_LINE = FireOrder("", ("secondary",), "nearest", flight=True, chance=TABLES.chance_to_fire)


def matches(words: Sequence[str], mount: Mount, weapon: WeaponType) -> bool:
    """FA-DOC-4: a key, a mount name, primary, secondary or all."""
    group = "secondary" if weapon.is_secondary else "primary"
    return any(word in ("all", group, mount.weapon, mount.name) for word in words)


def ready_weapons(table: Table, ship: Ship) -> list[int]:
    """Weapons that may fire in this pulse and are not held (FA-DOC-6)."""
    holds = table.book.all(HoldOrder, ship.name, ship.squadron)
    words = [word for order in holds if table.pulse in order.pulses for word in order.weapons]
    return [
        number
        for number, mount, weapon in table.mounts(ship)
        if not weapon.proximity and not matches(words, mount, weapon) and weapons.is_ready(table, ship, number)
    ]


# --- the squadron's target -------------------------------------------------------------------------------------------


def target_squadron(table: Table, squadron: Squadron) -> Squadron | None:
    """FA-DOC-1: the first engageable squadron of the target lines, then the nearest."""
    firing = _Firing(table, squadron)
    for order in table.book.all(TargetOrder, squadron.name):
        if table.pulse not in order.pulses:
            continue
        if order.at in table.squadrons:
            named = table.squadrons[order.at]
            if table.is_on_map(named) and firing.can_engage(named):
                return named
            continue
        chosen = firing.choose(order.at)
        if chosen is not None:
            return chosen
    return firing.choose("nearest")


class _Firing:
    """A squadron looking for an enemy squadron to engage."""

    def __init__(self, table: Table, squadron: Squadron) -> None:
        self.table = table
        self.squadron = squadron
        self.ships = [s for s in table.members(squadron) if not command.is_out_of_command(table, s)]
        self.ready = {ship.name: ready_weapons(table, ship) for ship in self.ships}
        self.reach = {ship.name: weapons.longest_reach(table, ship) for ship in self.ships}

    def nearness(self, enemy: Squadron) -> int:
        """Least distance between the own command ship and any ship of it."""
        at = self.squadron.hex
        return min(distance(at, ship.hex) for ship in self.table.members(enemy))

    def can_engage(self, enemy: Squadron) -> bool:
        """FA-DOC-1: some ship has a ready weapon bearing on and within reach of one of its ships."""
        targets = self.table.members(enemy)
        for ship in self.ships:
            for target in targets:
                if distance(ship.hex, target.hex) > self.reach[ship.name]:
                    continue
                if any(fire.aim(self.table, ship, number, target) for number in self.ready[ship.name]):
                    return True
        return False

    def choose(self, word: str) -> Squadron | None:
        """The engageable squadron that the word prefers; ties: nearer, then roster."""
        enemies = [s for s in self.table.enemy_squadrons(self.squadron.side) if self.table.members(s)]
        if word == "commander":
            enemies = [s for s in enemies if self._has_flagship(s)]
        ranked = sorted(enemies, key=self.nearness)
        if word in ("nearest", "commander"):
            return next((enemy for enemy in ranked if self.can_engage(enemy)), None)
        engageable = [enemy for enemy in ranked if self.can_engage(enemy)]
        return max(engageable, key=lambda enemy: self._worth(enemy, word), default=None)

    def _has_flagship(self, enemy: Squadron) -> bool:
        return any(self.table.is_flagship(ship) for ship in self.table.members(enemy))

    def _worth(self, enemy: Squadron, word: str) -> float:
        ships = self.table.members(enemy)
        if word == "biggest":
            return sum(self.table.card(ship).points for ship in ships)
        if word == "weakest":
            return -sum(ship.structure for ship in ships)
        return sum(self._best_chance(ship, ships) for ship in self.ships)

    def _best_chance(self, ship: Ship, targets: Sequence[Ship]) -> float:
        return max(expected_hits(self.table, ship, self.ready[ship.name], target) for target in targets)


def expected_hits(table: Table, ship: Ship, numbers: Sequence[int], target: Ship) -> float:
    """FA-DOC-1, 3: the sum of x times the chance of one die."""
    shots = [fire.aim(table, ship, number, target) for number in numbers]
    return sum(shot.x * fire.chance(shot.die, shot.need) for shot in shots if shot is not None)


# --- a ship's fire ---------------------------------------------------------------------------------------------------


@dataclass
class _Aimed:
    """Weapons that a line directs at a flight."""

    line: FireOrder
    shots: list[Shot]


def declare(table: Table, ship: Ship, candidates: Sequence[Ship]) -> list[Shot]:
    """FA-DOC-2, 8: the shots of one ship in this pulse; candidates are the ships it may fire at."""
    return _Gunner(table, ship, candidates).shots()


class _Gunner:
    """Reads a ship's fire lines top to bottom and keeps what they fix."""

    def __init__(self, table: Table, ship: Ship, candidates: Sequence[Ship]) -> None:
        self.table = table
        self.ship = ship
        self.candidates = candidates
        self.free = ready_weapons(table, ship)
        self.target: Ship | None = None
        self.at_ship: list[Shot] = []
        self.at_flights: list[_Aimed] = []
        self._flights: list[Flight] | None = None

    def shots(self) -> list[Shot]:
        if not self.free:
            return []
        for line in self._lines():
            if not self.free:
                break
            if line.flight:
                self._aim_at_flight(line)
            else:
                self._aim_at_ship(line)
        shots = [*self.at_ship, *self._settled_flights()]
        return sorted(shots, key=lambda shot: shot.number)

    def _lines(self) -> list[FireOrder]:
        """FA-DOC-2: own lines, the squadron's, the default; the default for unused secondaries comes last."""
        lines = self.table.book.all(FireOrder, self.ship.name, self.ship.squadron)
        now = [line for line in lines if self.table.pulse in line.pulses]
        return [*now, DEFAULT_LINE, DEFAULT_FLIGHT_LINE]

    def _weapons(self, line: FireOrder) -> list[int]:
        mounts = self.table.mounts(self.ship)
        return [n for n in self.free if matches(line.weapons, mounts[n][1], mounts[n][2])]

    def _allowed(self, shot: Shot | None, line: FireOrder) -> bool:
        """FA-DOC-5: the conditions of a line."""
        if shot is None:
            return False
        if isinstance(line.within, int) and shot.distance > line.within:
            return False
        if isinstance(line.within, str) and shot.bracket > BRACKETS.index(line.within):
            return False
        return line.chance is None or fire.chance(shot.die, shot.need) * 100 >= line.chance - 1e-9

    def _legal(self, line: FireOrder, numbers: Sequence[int], target: Ship | Flight) -> list[Shot]:
        """FA-DOC-2: the weapons of a line that bear on a target and meet the conditions."""
        aimed = [fire.aim(self.table, self.ship, number, target) for number in numbers]
        return [shot for shot in aimed if shot is not None and self._allowed(shot, line)]

    # --- ships -------------------------------------------------------------------------------------------------------

    def _aim_at_ship(self, line: FireOrder) -> None:
        numbers = self._weapons(line)
        if not numbers:
            return
        candidates = [self.target] if self.target is not None else list(self.candidates)
        if line.at in self.table.ships:
            candidates = [target for target in candidates if target.name == line.at]
        if line.at == "commander":
            candidates = [target for target in candidates if self._is_commander(target)]
        legal = [(target, shots) for target in candidates if (shots := self._legal(line, numbers, target))]
        if not legal:
            return
        self.target, shots = min(legal, key=lambda entry: self._rank(line.at, entry[0], entry[1]))
        self.at_ship += shots
        self._use(shots)

    def _is_commander(self, target: Ship) -> bool:
        return self.table.squadron(target).command_ship == target.name

    def _rank(self, word: str, target: Ship, shots: Sequence[Shot]) -> tuple[float, float, int, int]:
        """FA-DOC-3: what the word wants, then nearer, less structure, roster."""
        far = weapons.range_to(self.ship, target)
        if word == "biggest":
            size = CATEGORIES.index(self.table.card(target).category)
            return size, -target.structure, far, 0
        if word == "weakest":
            return target.structure, far, 0, 0
        if word == "best-chance":
            worth = sum(shot.x * fire.chance(shot.die, shot.need) for shot in shots)
            return -round(worth, 9), far, target.structure, 0
        return far, target.structure, 0, 0

    def _use(self, shots: Sequence[Shot]) -> None:
        used = {shot.number for shot in shots}
        self.free = [number for number in self.free if number not in used]

    # --- flights -----------------------------------------------------------------------------------------------------

    def _targets(self) -> list[Flight]:
        """FA-FIRE-13: enemy flights in flight, no dogfighters, no stealth."""
        if self._flights is None:
            side = self.table.side_of(self.ship)
            reach = weapons.longest_reach(self.table, self.ship)
            self._flights = [
                flight
                for flight in self.table.airborne()
                if flight.side != side
                and flight.state == "flying"
                and not self.table.fighter(flight).stealth
                and weapons.range_to(self.ship, flight) <= reach
            ]
        return self._flights

    def _aim_at_flight(self, line: FireOrder) -> None:
        numbers = self._weapons(line)
        shots = self._best_flight(line, numbers, set()) if numbers else []
        if shots:
            self.at_flights.append(_Aimed(line, shots))
            self._use(shots)

    def _best_flight(self, line: FireOrder, numbers: Sequence[int], taken: set[str]) -> list[Shot]:
        flights = [flight for flight in self._targets() if flight.name not in taken]
        if line.at in self.table.flights:
            flights = [flight for flight in flights if flight.name == line.at]
        legal = [(flight, shots) for flight in flights if (shots := self._legal(line, numbers, flight))]
        if not legal:
            return []
        biggest = line.at == "biggest"
        return min(legal, key=lambda entry: self._flight_rank(entry[0], biggest=biggest))[1]

    def _flight_rank(self, flight: Flight, *, biggest: bool) -> tuple[int, int]:
        far = weapons.range_to(self.ship, flight)
        return (-flight.count, far) if biggest else (far, flight.count)

    def _settled_flights(self) -> list[Shot]:
        """FA-DOC-8, FA-FIRE-12: one main flight at full x if no ship is fired at; all others by secondaries, halved."""
        if not self.at_flights:
            return []
        main = None if self.target is not None else self.at_flights[0].shots[0].target
        taken = set() if main is None else {main}
        shots: list[Shot] = []
        for aimed in self.at_flights:
            for shot in aimed.shots:
                if main is not None and shot.target == main:
                    shots.append(shot)
                elif settled := self._extra(aimed.line, shot, taken):
                    taken.add(settled.target)
                    shots.append(settled)
        return shots

    def _extra(self, line: FireOrder, shot: Shot, taken: set[str]) -> Shot | None:
        """A secondary at a flight of its own, at half x."""
        if shot.type is None or not shot.type.is_secondary:
            return None
        if shot.target in taken:
            other = self._best_flight(line, [shot.number], taken)
            if not other:
                return None
            shot = other[0]
        flight = self.table.flights[shot.target]
        assert flight.hex is not None
        x = weapons.x_towards(self.table, self.ship, shot.number, flight.hex)
        return replace(shot, x=weapons.lessened(x, weapons.multiplier(self.table, self.ship) * weapons.HALF))

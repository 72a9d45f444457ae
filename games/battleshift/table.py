"""The working table of a turn: who is where, the orders in force, and who is told of what happens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from games.battleshift import state as records
from games.battleshift.data import DIE, LIMITS
from games.battleshift.orders.book import OrderBook
from games.battleshift.rules.units import BIGGEST_RADIUS, Body, Flight, Ship, Squadron, Taskforce
from games.battleshift.state import State
from pbem.kit.dice import Dice, Roll
from pbem.kit.plane import SECTOR, Buckets, Spot, within
from pbem.kit.table import WorkingTable

GONE = ("destroyed", "captured", "left", "engulfed")
Seen = Squadron | Flight | Taskforce
"""Whom an event may be about."""


class Table(WorkingTable[State]):
    """Records lie on the shelves; ``fleet``, ``forces``, ``aloft`` and ``bodies`` are the units they belong to."""

    shelves: ClassVar[Mapping[type, str]] = {
        records.Squadron: "squadrons",
        records.Taskforce: "taskforces",
        records.Flight: "flights",
    }
    squadrons: dict[str, records.Squadron]
    taskforces: dict[str, records.Taskforce]
    flights: dict[str, records.Flight]

    def __init__(self, state: State, dice: Dice | None = None) -> None:
        super().__init__(state, dice)
        self.step = "start"
        self.turn, self.switches = state.turn, state.switches
        self.width, self.height = state.width_ft * SECTOR, state.height_ft * SECTOR
        self.sides = [side.id for side in state.sides]
        self.vp = {side: state.vp.get(side, 0) for side in self.sides}
        self.scored = dict(state.scored)
        self.books: dict[str, OrderBook] = {side: OrderBook() for side in self.sides}
        self.masked: dict[str, dict[str, str]] = {side: {} for side in self.sides}
        """For each side the contact names of what it has not identified, under fog."""
        self.known_names = {side: set(state.known_names.get(side, ())) for side in self.sides}
        self.known_classes = {side: set(state.known_classes.get(side, ())) for side in self.sides}
        self.index: dict[str, Buckets[Ship]] = {side: Buckets(SECTOR) for side in self.sides}
        self.nearest: dict[tuple[str, Spot], Squadron | None] = {}
        """The enemy nearest to a place, for each side that has asked since a ship last moved."""
        self.fleet: dict[str, Squadron] = {}
        """All squadrons, in fleet-list order."""
        for squadron in state.squadrons:
            self.enter(squadron)
        self.forces = {tf.key: Taskforce(self, tf) for tf in state.taskforces}
        self.aloft = {flight.key: Flight(self, flight) for flight in state.flights}
        self.bodies = [Body(terrain) for terrain in state.terrain]

    def key(self, record: Any) -> str:
        key: str = record.key
        return key

    def frozen(self, **fields: Any) -> State:
        names = {side: tuple(sorted(self.known_names[side])) for side in self.sides if self.known_names[side]}
        classes = {side: tuple(sorted(self.known_classes[side])) for side in self.sides if self.known_classes[side]}
        terrain = tuple(body.now for body in self.bodies)
        kept = {"vp": dict(self.vp), "scored": dict(self.scored), "known_names": names, "known_classes": classes}
        return super().frozen(**{"terrain": terrain, "strikes": (), **kept, **fields})

    # --- who comes and goes ------------------------------------------------------------------------------------------

    def enter(self, record: records.Squadron) -> Squadron:
        """A squadron at the end of the fleet list."""
        self.put(record)
        self.fleet[record.key] = squadron = Squadron(self, record)
        return squadron

    def launch(self, record: records.Flight) -> Flight:
        self.put(record)
        self.aloft[record.key] = flight = Flight(self, record)
        flight.is_fresh = True
        return flight

    def land(self, flight: Flight) -> None:
        """A flight is no longer there."""
        del self.aloft[flight.key], self.flights[flight.key]

    def disband(self, tf: Taskforce) -> None:
        del self.forces[tf.key], self.taskforces[tf.key]

    def follow(self, squadron: Squadron) -> None:
        """Let the index know where the ships of a squadron are."""
        self.nearest.clear()
        index = self.index[squadron.side]
        for ship in squadron.present:
            index.put(ship, *ship.spot)
        if len(squadron.present) < len(squadron.ships):
            for ship in squadron.ships:
                if not ship.is_present:
                    index.drop(ship)

    # --- who is where ------------------------------------------------------------------------------------------------

    def squadron(self, side: str, name: str) -> Squadron | None:
        return self.fleet.get(f"{side}/{name}")

    def taskforce(self, side: str, name: str) -> Taskforce | None:
        return self.forces.get(f"{side}/{name}")

    def flight(self, side: str, name: str) -> Flight | None:
        return self.aloft.get(f"{side}/{name}")

    def body(self, name: str) -> Body | None:
        return next((body for body in self.bodies if body.name and body.name == name), None)

    def ship(self, key: str) -> Ship | None:
        """The ship ``side/Name.3``."""
        owner, _, number = key.rpartition(".")
        squadron = self.fleet.get(owner)
        return next((ship for ship in squadron.ships if str(ship.number) == number), None) if squadron else None

    def enemy(self, side: str) -> str:
        return self.sides[1] if side == self.sides[0] else self.sides[0]

    def of(self, side: str) -> list[Squadron]:
        """All squadrons of a side, in fleet-list order."""
        return [squadron for squadron in self.fleet.values() if squadron.side == side]

    def on_table(self, side: str) -> list[Squadron]:
        """Squadrons with a ship on the table, in fleet-list order."""
        return [squadron for squadron in self.of(side) if squadron.present]

    def near(self, side: str, spots: Iterable[tuple[int, int]], reach: int) -> list[Squadron]:
        """Squadrons of a side that may have a ship within reach, in fleet-list order."""
        close = {ship.squadron for ship in self.index[side].near(spots, reach + BIGGEST_RADIUS)}
        return sorted(close, key=lambda squadron: squadron.rank)

    def enemy_flights(self, side: str) -> list[Flight]:
        return [flight for flight in self.aloft.values() if flight.side != side and flight.now.wings > 0]

    def is_controlled(self, flight: Flight) -> bool:
        """2.5: its carrier has an active ship on the table; BS-PLN-9: its owner holds the quadrant."""
        if flight.home is not None:
            return bool(flight.home.active)
        body_name, _, place = flight.now.carrier.rpartition(" ")
        body = self.body(body_name)
        return body is not None and place in body.quadrants and body.quadrants[place].side == flight.side

    def book(self, unit: Squadron | Taskforce | Flight | Body) -> OrderBook:
        return self.books[unit.side]

    # --- dice and events ---------------------------------------------------------------------------------------------

    def rolls(self, count: int, *label: object) -> list[Roll]:
        """Numbered dice of one purpose."""
        return [self.roll(DIE, *label, number) for number in range(1, count + 1)]

    def warn(self, unit: Seen | Body, rule: str, text: str) -> None:
        """Section 7: an order that could not be carried out as written."""
        self.tell("order_warning", rule, unit.side, {"unit": unit.name, "id": rule, "text": text})

    def tell_in_sight(
        self, kind: str, rule: str, about: Iterable[Seen | None], facts: Mapping[str, Any], rolls: Sequence[Roll] = ()
    ) -> None:
        """An event for those who see one of the units; names that a side does not know are hidden from it."""
        units = [unit for unit in about if unit is not None]
        blind = [side for side in self.sides if units and not any(self.identifies(side, unit) for unit in units)]
        self.tell_both(kind, rule, units, facts, rolls, but=blind)

    def tell_both(
        self,
        kind: str,
        rule: str,
        about: Iterable[Seen | None],
        facts: Mapping[str, Any],
        rolls: Sequence[Roll] = (),
        *,
        but: Sequence[str] = (),
    ) -> None:
        """An event that nobody can miss, or all but some; names that a side does not know are hidden from it."""
        units, knowing = [unit for unit in about if unit is not None], []
        for side in (side for side in self.sides if side not in but):
            unknown = [unit for unit in units if not self.identifies(side, unit)]
            if unknown:
                # Without the dice, whose labels would tell.
                hidden = {unit.name: self._contact_name(side, unit) for unit in unknown}
                self.tell(kind, rule, side, _veiled(dict(facts), hidden))
            else:
                knowing.append(side)
        if knowing:
            self.tell(kind, rule, knowing, facts, rolls)

    # --- fog ---------------------------------------------------------------------------------------------------------

    def _contact_name(self, side: str, unit: Seen) -> str:
        if isinstance(unit, Squadron):
            return self.masked[side].get(unit.key, "a contact")
        return "an unknown taskforce" if isinstance(unit, Taskforce) else unit.name

    def identifies(self, side: str, unit: Seen) -> bool:
        """Section 8: under fog a side knows what has a ship within 36.00" of one of its active ships."""
        if self.switches.fog == "open" or unit.side == side or isinstance(unit, Flight):
            return True
        if isinstance(unit, Taskforce):
            seen = any(self.identifies(side, squadron) for squadron in unit.living)
        else:
            # The end of a squadron is seen by whoever saw the squadron.
            ships = unit.present or [ship for ship in unit.ships if ship.now.status in GONE]
            seen = any(self._sees(side, ship.spot, LIMITS.visible + unit.cls.radius) for ship in ships)
        if seen:
            self.known_names[side].add(unit.name)
            if isinstance(unit, Squadron):
                self.known_classes[side].add(unit.cls.name)
        return seen

    def _sees(self, side: str, spot: Spot, reach: int) -> bool:
        near = self.index[side].near((spot,), reach + BIGGEST_RADIUS)
        return any(own.now.status == "active" and within(own.spot, spot, reach + own.cls.radius) for own in near)


def faces(rolls: Iterable[Roll]) -> list[int]:
    return [roll.face for roll in rolls]


def scored(rolls: Iterable[Roll], number: int) -> int:
    """How many dice are not above the number."""
    return sum(roll.face <= number for roll in rolls)


def _veiled(value: Any, hidden: Mapping[str, str]) -> Any:
    """The facts with hidden names replaced, also where a ship number or a word follows the name."""
    if isinstance(value, dict):
        return {key: _veiled(item, hidden) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_veiled(item, hidden) for item in value]
    if isinstance(value, str):
        for name, shown in hidden.items():
            if value == name or value.startswith((name + ".", name + " ")):
                return shown + value[len(name) :]
    return value

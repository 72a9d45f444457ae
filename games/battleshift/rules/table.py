"""The working table of a turn: living counterparts of the state's records, changed in place and frozen at the end.

`resolve` thaws a state, lets the rules play on the table, and freezes it again; the state itself never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.battleshift import state as records
from games.battleshift.data import LIMITS
from games.battleshift.orders.book import OrderBook
from games.battleshift.rules.units import BIGGEST_RADIUS, ON_TABLE, Body, Flight, Ship, Squadron, Taskforce
from pbem.kit.dice import Dice, Roll
from pbem.kit.game import Event
from pbem.kit.plane import SECTOR, Buckets, Spot, within

GONE = ("destroyed", "captured", "left", "engulfed")


class Battle:
    """The table, the dice, the orders and the events of one turn."""

    def __init__(self, state: records.State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.turn = state.turn
        self.switches = state.switches
        self.width, self.height = state.width_ft * SECTOR, state.height_ft * SECTOR
        self.sides = [side.id for side in state.sides]
        self.vp = {side: state.vp.get(side, 0) for side in self.sides}
        self.scored = dict(state.scored)
        self.events: list[Event] = []
        self.step = "start"
        self.books: dict[str, OrderBook] = {side: OrderBook() for side in self.sides}
        self.standing_fleet = {side.id: side.standing for side in state.sides}
        self.flights: list[Flight] = []
        self.squadrons: list[Squadron] = []
        self.taskforces: list[Taskforce] = []
        self.bodies: list[Body] = []
        self.index: dict[str, Buckets[Ship]] = {side: Buckets(SECTOR) for side in self.sides}
        self._by_key: dict[str, Squadron] = {}
        self.masked: dict[str, dict[str, str]] = {side: {} for side in self.sides}
        """For each side the contact names of what it has not identified, under fog."""
        self.known_names = {side: set(state.known_names.get(side, ())) for side in self.sides}
        self.known_classes = {side: set(state.known_classes.get(side, ())) for side in self.sides}
        self._rank_table: dict[Squadron, int] = {}

    # --- who is where -------------------------------------------------------------------------------------------------

    def enter(self, squadron: Squadron) -> None:
        """Put a squadron on the list and its ships into the index."""
        self.squadrons.append(squadron)
        self._by_key[squadron.key] = squadron
        for ship in squadron.present:
            self.index[squadron.side].put(ship, ship.x, ship.y)

    def place(self, ship: Ship, x: int, y: int) -> None:
        ship.x, ship.y = x, y
        if ship.is_present:
            self.index[ship.side].put(ship, x, y)

    def set_status(self, ship: Ship, status: str) -> None:
        ship.status = status
        ship.squadron.changed()
        self.reindex(ship)

    def reindex(self, ship: Ship) -> None:
        if ship.is_present:
            self.index[ship.side].put(ship, ship.x, ship.y)
        else:
            self.index[ship.side].drop(ship)

    def squadron(self, side: str, name: str) -> Squadron | None:
        return self._by_key.get(f"{side}/{name}")

    def taskforce(self, side: str, name: str) -> Taskforce | None:
        return next((tf for tf in self.taskforces if tf.side == side and tf.name == name and tf.exists), None)

    def flight(self, side: str, name: str) -> Flight | None:
        return next((f for f in self.flights if f.side == side and f.name == name), None)

    def body(self, name: str) -> Body | None:
        return next((body for body in self.bodies if body.name and body.name == name), None)

    def ship(self, key: str) -> Ship | None:
        """The ship ``side/Name.3``."""
        owner, _, number = key.rpartition(".")
        squadron = self._by_key.get(owner)
        if squadron is None or not number.isdigit():
            return None
        return next((ship for ship in squadron.ships if ship.number == int(number)), None)

    def enemy(self, side: str) -> str:
        return self.sides[1] if side == self.sides[0] else self.sides[0]

    def on_table(self, side: str) -> list[Squadron]:
        """Squadrons with a ship on the table, in fleet-list order."""
        return [squadron for squadron in self.squadrons if squadron.side == side and squadron.present]

    def near(self, side: str, spots: Iterable[tuple[int, int]], reach: int) -> list[Squadron]:
        """Squadrons of a side that may have a ship within reach, in fleet-list order."""
        found = {ship.squadron for ship in self.index[side].near(spots, reach + BIGGEST_RADIUS)}
        return sorted(found, key=self.rank)

    def rank(self, squadron: Squadron) -> int:
        return self._ranks[squadron]

    @property
    def _ranks(self) -> dict[Squadron, int]:
        if len(self._rank_table) != len(self.squadrons):
            self._rank_table = {squadron: number for number, squadron in enumerate(self.squadrons)}
        return self._rank_table

    def enemy_flights(self, side: str) -> list[Flight]:
        return [flight for flight in self.flights if flight.side != side and flight.wings > 0]

    def is_controlled(self, flight: Flight) -> bool:
        """2.5: its carrier has an active ship on the table; BS-PLN-9: its owner holds the quadrant."""
        if flight.home is not None:
            return bool(flight.home.active) and flight.home.side == flight.side
        body_name, _, place = flight.carrier.rpartition(" ")
        body = self.body(body_name)
        return body is not None and place in body.quadrants and body.quadrants[place].side == flight.side

    # --- telling ------------------------------------------------------------------------------------------------------

    def book(self, unit: Squadron | Taskforce | Flight | Body) -> OrderBook:
        return self.books[unit.side]

    def roll(self, *label: object) -> Roll:
        """One d6; the label says what for."""
        return self.dice.roll(6, self.step, *label)

    def rolls(self, count: int, *label: object) -> list[Roll]:
        return [self.dice.roll(6, self.step, *label, number) for number in range(1, count + 1)]

    def tell(
        self,
        kind: str,
        rule: str,
        facts: Mapping[str, Any],
        about: Iterable[Squadron | Flight | Taskforce | None] = (),
        rolls: Iterable[Roll] = (),
        public: bool = False,
    ) -> None:
        """An event for both sides; under fog, for those who see one of the units, with unknown names hidden."""
        if self.switches.fog == "open":
            self._append(kind, rule, facts, frozenset(self.sides), rolls)
            return
        self._tell_in_fog(kind, rule, facts, [unit for unit in about if unit is not None], tuple(rolls), public)

    def tell_owner(self, side: str, kind: str, rule: str, facts: Mapping[str, Any], rolls: Iterable[Roll] = ()) -> None:
        """An event for one side alone."""
        self._append(kind, rule, facts, frozenset((side,)), rolls)

    def warn(self, side: str, unit: str, rule: str, text: str) -> None:
        """Section 7: an order that could not be carried out as written."""
        self.tell_owner(side, "order_warning", rule, {"unit": unit, "id": rule, "text": text})

    def _append(
        self, kind: str, rule: str, facts: Mapping[str, Any], seen_by: frozenset[str], rolls: Iterable[Roll]
    ) -> None:
        self.events.append(Event(kind, rule, self.step, dict(facts), seen_by, tuple(rolls)))

    def _tell_in_fog(
        self,
        kind: str,
        rule: str,
        facts: Mapping[str, Any],
        about: list[Squadron | Flight | Taskforce],
        rolls: tuple[Roll, ...],
        public: bool,
    ) -> None:
        plain: list[str] = []
        for side in self.sides:
            hidden = {unit.name: self._hidden_name(side, unit) for unit in about if not self.identifies(side, unit)}
            seen = public or not about or any(unit.side == side or unit.name not in hidden for unit in about)
            if not seen:
                continue
            if hidden:
                self._append(kind, rule, _veiled(dict(facts), hidden), frozenset((side,)), ())
            else:
                plain.append(side)
        if plain:
            self._append(kind, rule, facts, frozenset(plain), rolls)

    def _hidden_name(self, side: str, unit: Squadron | Flight | Taskforce) -> str:
        if isinstance(unit, Squadron):
            return self.masked[side].get(unit.key, "a contact")
        return "an unknown taskforce" if isinstance(unit, Taskforce) else unit.name

    def identifies(self, side: str, unit: Squadron | Flight | Taskforce) -> bool:
        """Section 8: under fog a side knows what has a ship within 36.00" of one of its active ships."""
        if self.switches.fog == "open" or unit.side == side or isinstance(unit, Flight):
            return True
        if isinstance(unit, Taskforce):
            seen = any(self.identifies(side, squadron) for squadron in unit.squadrons if squadron.present)
        else:
            # The end of a squadron is seen by whoever saw the squadron.
            ships = unit.present or [ship for ship in unit.ships if ship.status in GONE]
            seen = any(self._sees(side, ship.spot, LIMITS.visible + unit.cls.radius) for ship in ships)
        if seen:
            self.known_names[side].add(unit.name)
            if isinstance(unit, Squadron):
                self.known_classes[side].add(unit.cls.name)
        return seen

    def _sees(self, side: str, spot: Spot, reach: int) -> bool:
        near = self.index[side].near((spot,), reach + BIGGEST_RADIUS)
        return any(own.status == "active" and within(own.spot, spot, reach + own.cls.radius) for own in near)


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


# --- distances on the table ------------------------------------------------------------------------------------------


def ships_within(one: Ship, other: Ship, reach: int) -> bool:
    """BS-GEO-4: within reach, rims of stations counted."""
    return within((one.x, one.y), (other.x, other.y), reach + one.cls.radius + other.cls.radius)


def any_within(one: Iterable[Ship], other: Iterable[Ship], reach: int) -> bool:
    others = list(other)
    return any(ships_within(a, b, reach) for a in one for b in others)


def in_contact(one: Ship, other: Ship) -> bool:
    """BS-GEO-8: within 0.50", plus the radius of a station."""
    return ships_within(one, other, LIMITS.contact)


def in_command(squadron: Squadron) -> bool:
    """BS-TF-3: an active ship within 8.00" of the flagship of its taskforce."""
    tf = squadron.taskforce
    if tf is None or not tf.exists or tf.flagship.status not in ON_TABLE or squadron.out_of_tf:
        return False
    if tf.flagship.squadron is squadron:
        return True
    return any(ships_within(ship, tf.flagship, LIMITS.command) for ship in squadron.active)

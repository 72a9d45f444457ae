"""The working table of a turn: living counterparts of the state's records, changed in place and frozen at the end.

`resolve` thaws a state, lets the rules play on the table, and freezes it again; the state itself never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.battleshift import state as records
from games.battleshift.data import LIMITS, units
from games.battleshift.orders.book import OrderBook
from games.battleshift.state import Formation, Return, ShipClass
from pbem.kit.dice import Dice, Roll
from pbem.kit.game import Event
from pbem.kit.plane import SECTOR, Buckets, Spot, squared, within

ON_TABLE = ("active", "disabled")
BIGGEST_RADIUS = 400
"""No station is larger, so a search this much wider finds all whose rim is in reach."""


@dataclass(eq=False, slots=True)
class Ship:
    """One ship; knows its squadron."""

    squadron: Squadron = field(repr=False)
    number: int
    x: int
    y: int
    status: str
    captor: str
    holds: list[str]
    assault_left: int

    @property
    def name(self) -> str:
        return f"{self.squadron.name}.{self.number}"

    @property
    def key(self) -> str:
        return f"{self.squadron.side}/{self.name}"

    @property
    def spot(self) -> Spot:
        return Spot(self.x, self.y)

    @property
    def side(self) -> str:
        return self.squadron.side

    @property
    def cls(self) -> ShipClass:
        return self.squadron.cls

    @property
    def is_present(self) -> bool:
        return self.status in ON_TABLE and not self.squadron.docked


@dataclass(eq=False)
class Squadron:
    """Ships that share damage, suppression and facing."""

    record: records.Squadron
    cls: ShipClass
    name: str
    side: str
    ships: list[Ship]
    total: int
    damage: int
    suppression: int
    facing: int
    formation: Formation
    taskforce: Taskforce | None
    player: str
    traits: frozenset[str]
    traits_seen: set[str]
    wings_aboard: int
    wings_initial: int
    arrived_turn: int
    acted: bool
    standing: tuple[str, ...]
    docked: str
    origin: str
    captor: str
    returns: Return | None
    lines_from: str = ""
    """The taskforce whose lines of this turn apply to it."""
    reacted: bool = False
    suppressed_now: bool = False
    light_used: bool = False
    committed_super: bool = False
    out_of_tf: bool = False
    hits_now: int = 0
    moved: int = 0
    """How far the leader went in this activation."""
    launched_now: bool = False
    recovered_now: int = 0
    engulfed_turn: bool = False
    _active: list[Ship] | None = None
    _present: list[Ship] | None = None

    @property
    def active(self) -> list[Ship]:
        """Active ships on the table, by number."""
        if self._active is None:
            self._active = [] if self.docked else [ship for ship in self.ships if ship.status == "active"]
        return self._active

    @property
    def present(self) -> list[Ship]:
        """Active and disabled ships on the table, by number."""
        if self._present is None:
            self._present = [] if self.docked else [ship for ship in self.ships if ship.status in ON_TABLE]
        return self._present

    def changed(self) -> None:
        """Forget who is active."""
        self._active = self._present = None

    @property
    def key(self) -> str:
        return f"{self.side}/{self.name}"

    @property
    def is_prize(self) -> bool:
        return bool(self.captor)

    @property
    def size(self) -> int:
        return self.cls.size

    @property
    def spots(self) -> list[Spot]:
        return [ship.spot for ship in self.active]

    @property
    def markers(self) -> int:
        """BS-SUP-4, BS-XP-2: what the markers cost; an Iron Nerve ignores the first."""
        if "Iron Nerve" in self.traits and self.suppression:
            self.traits_seen.add("Iron Nerve")
            return self.suppression - 1
        return self.suppression

    @property
    def flagship(self) -> Ship | None:
        """The flagship of its taskforce, if this squadron has it."""
        if self.taskforce is not None and self.taskforce.flagship.squadron is self:
            return self.taskforce.flagship
        return None

    @property
    def leader(self) -> Ship | None:
        """2.3: the flagship, otherwise the first active ship, otherwise the first disabled one."""
        flagship = self.flagship
        if flagship is not None and flagship.is_present:
            return flagship
        if self.active:
            return self.active[0]
        return self.present[0] if self.present else None

    @property
    def lines(self) -> tuple[str, ...]:
        """The units whose lines apply, in precedence."""
        return (self.name, self.lines_from) if self.lines_from else (self.name,)

    def weapons(self, system: str) -> int:
        """How many of a system each ship carries; prizes cannot use any."""
        return 0 if self.is_prize else int(getattr(self.cls, system))


@dataclass(eq=False)
class Taskforce:
    """Squadrons under one flagship, in listing order."""

    record: records.Taskforce
    name: str
    side: str
    player: str
    squadrons: list[Squadron]
    flagship: Ship
    location: str
    returns: Return | None
    mode: str
    standing: tuple[str, ...]
    acted: bool = False
    exists: bool = True

    @property
    def living(self) -> list[Squadron]:
        return [squadron for squadron in self.squadrons if squadron.present]

    @property
    def on_table(self) -> bool:
        return self.exists and self.location == "table" and self.flagship.status in ON_TABLE


@dataclass(eq=False)
class Flight:
    """Fighter wings in flight."""

    record: records.Flight | None
    name: str
    side: str
    carrier: str
    wings: int
    x: int
    y: int
    ground: str
    reacted: bool
    acted: bool
    standing: tuple[str, ...]
    home: Squadron | None = None
    """The carrier squadron; None: a quadrant."""

    @property
    def spot(self) -> Spot:
        return Spot(self.x, self.y)

    @property
    def key(self) -> str:
        return f"{self.side}/{self.name}"

    @property
    def traits(self) -> frozenset[str]:
        return self.home.traits if self.home else frozenset()


@dataclass(eq=False)
class Quadrant:
    """A quarter of a body."""

    body: Body = field(repr=False)
    place: str
    installations: tuple[str, ...]
    assault: int
    damage: int
    holder: str
    invaders: int
    wings_aboard: int
    objectives: list[records.Objective]
    reacted: bool
    fought: bool = False

    @property
    def name(self) -> str:
        return f"{self.body.name} {self.place}"

    @property
    def key(self) -> str:
        return f"{self.body.side}/{self.name}"

    @property
    def side(self) -> str:
        return self.holder or self.body.side

    @property
    def working(self) -> tuple[str, ...]:
        """BS-PLN-7: one installation fails for each point of damage, the last of the list first."""
        return self.installations[: max(0, len(self.installations) - self.damage)]

    def count(self, system: str) -> int:
        """Working systems, which serve only the owner of the body."""
        return self.working.count(system) if self.side == self.body.side else 0


@dataclass(eq=False)
class Body:
    """A disc of terrain; a planet or moon may be defended."""

    record: records.Terrain
    kind: str
    name: str
    x: int
    y: int
    radius: int
    side: str
    defence: int
    quadrants: dict[str, Quadrant]
    player: str
    standing: tuple[str, ...]
    acted: bool = False

    @property
    def spot(self) -> Spot:
        return Spot(self.x, self.y)

    @property
    def is_moon(self) -> bool:
        return self.kind == "moon"

    @property
    def is_massive(self) -> bool:
        return self.kind in ("planet", "moon", "singularity")

    @property
    def solid(self) -> int:
        """The radius that blocks a line: of a singularity only its core."""
        return LIMITS.singularity_core if self.kind == "singularity" else self.radius

    @property
    def obscures(self) -> bool:
        return self.kind in ("dust", "asteroids", "nebula")

    @property
    def is_defended(self) -> bool:
        return self.defence > 0 and bool(self.quadrants)


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
            seen = any(self.identifies(side, squadron) for squadron in unit.squadrons)
        else:
            seen = any(self._sees(side, ship.spot, LIMITS.visible + unit.cls.radius) for ship in unit.present)
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


def gap_squared(one: Iterable[Ship], other: Iterable[Ship]) -> int:
    """The least squared distance between ships of two groups, centres alone."""
    others = [ship.spot for ship in other]
    return min(squared(ship.spot, spot) for ship in one for spot in others)


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


# --- thawing ---------------------------------------------------------------------------------------------------------


def class_of(state: records.State, squadron: records.Squadron) -> ShipClass:
    """The class of a squadron: of its builder's designs, of the scenario, or of the catalogue."""
    own = state.designs.get(squadron.origin or squadron.side, {})
    return own.get(squadron.ship_class) or state.classes.get(squadron.ship_class) or units().classes[squadron.ship_class]


def thaw(state: records.State, dice: Dice) -> Battle:
    """The working table of a state."""
    battle = Battle(state, dice)
    for record in state.squadrons:
        battle.enter(thaw_squadron(state, record))
    for tf_record in state.taskforces:
        _thaw_taskforce(battle, tf_record)
    for terrain in state.terrain:
        battle.bodies.append(_thaw_body(terrain))
    for flight in state.flights:
        battle.flights.append(_thaw_flight(battle, flight))
    return battle


def thaw_squadron(state: records.State, record: records.Squadron) -> Squadron:
    cls = class_of(state, record)
    names = ("name", "side", "total", "damage", "suppression", "facing", "formation", "player", "traits")
    names += ("wings_aboard", "wings_initial", "arrived_turn", "acted", "standing", "docked", "origin", "captor")
    made = Squadron(
        record=record,
        cls=cls,
        ships=[],
        taskforce=None,
        traits_seen=set(record.traits_seen),
        returns=record.returns,
        **{name: getattr(record, name) for name in names},
    )
    flags = record.flags
    made.reacted, made.suppressed_now, made.light_used = flags.reacted, flags.suppressed_now, flags.light_used
    made.committed_super, made.out_of_tf, made.hits_now = flags.committed_super, flags.out_of_tf, flags.hits_now
    for ship in record.ships:
        left = cls.assault if ship.assault_left is None else ship.assault_left
        made.ships.append(Ship(made, ship.number, ship.x, ship.y, ship.status, ship.captor, list(ship.holds), left))
    return made


def _thaw_taskforce(battle: Battle, record: records.Taskforce) -> None:
    squadrons = [found for name in record.squadrons if (found := battle.squadron(record.side, name))]
    flagship = battle.ship(f"{record.side}/{record.flagship}")
    assert flagship is not None, record
    made = Taskforce(
        record, record.name, record.side, record.player, squadrons, flagship, record.location, record.returns,
        record.mode, record.standing,
    )  # fmt: skip
    battle.taskforces.append(made)
    for squadron in squadrons:
        squadron.taskforce, squadron.lines_from = made, made.name


def _thaw_body(record: records.Terrain) -> Body:
    body = Body(
        record, record.kind, record.name, record.x, record.y, record.radius, record.owner, record.defence, {},
        record.player, record.standing, record.acted,
    )  # fmt: skip
    for place in records.QUADRANTS:
        if place in record.quadrants:
            q = record.quadrants[place]
            body.quadrants[place] = Quadrant(
                body, place, q.installations, q.assault, q.damage, q.holder, q.invaders, q.wings_aboard,
                list(q.objectives), q.reacted,
            )  # fmt: skip
    return body


def _thaw_flight(battle: Battle, record: records.Flight) -> Flight:
    return Flight(
        record, record.name, record.side, record.carrier, record.wings, record.x, record.y, record.ground,
        record.reacted, record.acted, record.standing, battle.squadron(record.side, record.carrier),
    )  # fmt: skip


def each_ship(squadrons: Iterable[Squadron]) -> Iterator[Ship]:
    for squadron in squadrons:
        yield from squadron.present

"""The working table of one phase: units by name, the orders, and what has happened so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from games.fleet_action.data import Catalogue, FighterClass, Mount, ShipClass, WeaponType
from games.fleet_action.orders.book import Book
from games.fleet_action.orders.records import Order
from games.fleet_action.rules import geometry
from games.fleet_action.rules.cards import house_catalogue
from games.fleet_action.rules.plotting import Plot
from games.fleet_action.state import Fleet, Flight, Ship, Side, Squadron, State, Zone
from pbem.kit import hexgrid
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import Hex
from pbem.kit.table import WorkingTable

ON_MAP = ("normal", "withdrawing", "jumping", "stray")
GONE = ("left", "lost")
AIRBORNE = ("flying", "dogfight")

BEFORE_PULSES = 0
END_OF_TURN = 4
STEPS = {BEFORE_PULSES: "pre-turn", END_OF_TURN: "end of turn"}


@dataclass
class Flags:
    """FA 3.2 step 3.10: what happened to a squadron in this pulse."""

    lost_ship: set[str] = field(default_factory=set)
    damaged: set[str] = field(default_factory=set)
    fired_on: set[str] = field(default_factory=set)


@dataclass
class Action:
    """FA-ELI-1: one action of an ELINT ship, and the levels it still uses."""

    ship: str
    kind: str
    levels: int
    targets: tuple[str, ...] = ()
    vs: str = ""
    serves: str = ""
    """The squadron that support goes to."""
    bites: bool = False
    """FA-ELI-5: it jams a command now."""
    bared: bool = False
    """FA-ELI-5: it has jammed a command this turn."""


class Table(WorkingTable[State]):
    """The units in roster order; new squadrons come last."""

    shelves: ClassVar[Mapping[type, str]] = {
        Side: "sides",
        Fleet: "fleets",
        Squadron: "squadrons",
        Ship: "ships",
        Flight: "flights",
    }
    sides: dict[str, Side]
    fleets: dict[str, Fleet]
    squadrons: dict[str, Squadron]
    ships: dict[str, Ship]
    flights: dict[str, Flight]

    def __init__(self, state: State, dice: Dice | None = None, orders: Iterable[tuple[str, Order]] = ()) -> None:
        super().__init__(state, dice)
        self.cards = house_catalogue().with_more(Catalogue(state.weapons, state.classes, state.fighters))
        self.book = Book(orders)
        self.begin(BEFORE_PULSES)
        self.part = ""
        """The step of a pulse, in the labels of its dice."""
        self.plots: dict[str, Plot] = {}
        self.flags = Flags()
        self.zones: list[Zone] = []
        self.side_order = _side_order(state)
        self.audience = frozenset(self.sides)
        self.actions: list[Action] = []
        """FA-ELI: ELINT actions of this turn in side and roster order."""
        self.fire_control_jammed: frozenset[str] = frozenset()
        self.attacks: dict[str, str] = {}
        """Flights that attack a ship in this pulse (FA-FTR-8, 9)."""
        self.reacting: dict[str, str] = {}
        """Escorts that moved onto an enemy ship in this pulse."""
        self.blame: dict[str, str] = {}
        """Who struck a ship last."""
        self.alone: frozenset[str] = frozenset()
        """FA-CMD-4: ships out of command when Fire A is declared; they fire in Fire B."""
        self.on_station: set[str] = set()
        """Escorts that started the pulse on station."""
        self._roster: dict[str, list[Squadron]] | None = None

    # --- records -----------------------------------------------------------------------------------------------------

    def key(self, record: Any) -> str:
        name: str = record.id if isinstance(record, Side) else record.name
        return name

    def put(self, record: Side | Fleet | Squadron | Ship | Flight) -> None:
        super().put(record)
        if isinstance(record, Squadron):
            self._roster = None

    def amend(self, **fields: Any) -> None:
        """Change what lies on no shelf: vortices, plans, salvos."""
        self.state = replace(self.state, **fields)

    # --- time and events ---------------------------------------------------------------------------------------------

    def begin(self, pulse: int) -> None:
        self.pulse = pulse
        self.step = STEPS.get(pulse, f"pulse {pulse}")

    @property
    def turn(self) -> int:
        return self.state.turn

    @property
    def now(self) -> int:
        """The pulse index."""
        return pulse_index(self.turn, self.pulse)

    def setting(self) -> Mapping[str, Any]:
        return {"turn": self.turn, "pulse": self.pulse}

    def tell_impossible(self, rule: str, side: str, unit: str, text: str, why: tuple[str, str, str]) -> None:
        """An order that was legal when written and is impossible now; why: code, reason, what is done instead."""
        code, reason, instead = why
        facts = {"side": side, "unit": unit, "text": text, "code": code, "reason": reason, "instead": instead}
        self.tell("order_error", rule, side, facts)

    def others(self, *sides: str) -> frozenset[str]:
        """Everybody else."""
        return self.audience - frozenset(sides)

    # --- cards -------------------------------------------------------------------------------------------------------

    def card(self, ship: Ship) -> ShipClass:
        return self.cards.classes[ship.ship_class]

    def fighter(self, flight: Flight) -> FighterClass:
        return self.cards.fighters[flight.fighter_class]

    def mounts(self, ship: Ship) -> list[tuple[int, Mount, WeaponType]]:
        """The weapon systems in datacard order, numbered from 0."""
        return [
            (number, mount, self.cards.weapons[mount.weapon]) for number, mount in enumerate(self.card(ship).weapons)
        ]

    def elint_level(self, ship: Ship) -> int:
        return self.card(ship).elint_level(ship.sensor)

    def guardian_level(self, ship: Ship) -> int:
        return self.card(ship).guardian_level(ship.structure)

    def interceptor_level(self, ship: Ship) -> int:
        return self.card(ship).interceptor_level(ship.structure)

    # --- who is there ------------------------------------------------------------------------------------------------

    def side_of(self, unit: Ship | Flight) -> str:
        return unit.side if isinstance(unit, Flight) else self.squadrons[unit.squadron].side

    def is_on_map(self, squadron: Squadron) -> bool:
        """It is in play and not waiting to enter."""
        return squadron.state in ON_MAP

    def members(self, squadron: Squadron) -> list[Ship]:
        """The living ships of a squadron, in roster order."""
        return [ship for ship in map(self.ships.__getitem__, squadron.ships) if ship.fate == "in play"]

    def roster(self, side: str) -> list[Squadron]:
        """FA 3.2: the side's squadrons on the map, new ones last in order of founding."""
        if self._roster is None:
            self._roster = {name: [] for name in self.sides}
            for squadron in sorted(self.squadrons.values(), key=lambda s: s.founded):
                if squadron.state in ON_MAP:
                    self._roster[squadron.side].append(squadron)
        return self._roster[side]

    def in_play(self) -> list[Squadron]:
        """All squadrons on the map in side and roster order."""
        return [squadron for side in self.side_order for squadron in self.roster(side)]

    def everyone(self, sides: Iterable[str] | None = None) -> Iterator[Ship]:
        """All ships on the map in side and roster order."""
        for side in sides or self.sides:
            for squadron in self.roster(side):
                yield from self.members(squadron)

    def living(self, name: str | None) -> Ship | None:
        """The ship, if it is alive and on the map."""
        ship = self.ships.get(name or "")
        return ship if ship is not None and ship.fate == "in play" and self.is_on_map(self.squadron(ship)) else None

    def squadron(self, ship: Ship) -> Squadron:
        return self.squadrons[ship.squadron]

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

    def home_of(self, flight: Flight) -> Squadron | None:
        """The squadron of the ship a flight is based on."""
        ship = self.ships.get(flight.home)
        return self.squadron(ship) if ship is not None else None

    # --- who leads ---------------------------------------------------------------------------------------------------

    def commander(self, squadron: Squadron) -> Ship:
        """FA-CMD-7: the command ship, or whoever acts for it."""
        return self.ships[squadron.command_ship]

    def fleet(self, squadron: Squadron) -> Fleet:
        return self.fleets[squadron.fleet]

    def fleet_squadrons(self, fleet: Fleet) -> list[Squadron]:
        return [squadron for squadron in self.roster(fleet.side) if squadron.fleet == fleet.name]

    def flagship_of(self, squadron: Squadron) -> Ship | None:
        """The living flagship of the squadron's fleet."""
        ship = self.ships.get(self.fleet(squadron).flagship)
        return ship if ship is not None and ship.fate == "in play" else None

    def is_flagship(self, ship: Ship) -> bool:
        return self.fleet(self.squadron(ship)).flagship == ship.name

    # --- places ------------------------------------------------------------------------------------------------------

    def on_map(self, at: Hex) -> bool:
        return geometry.on_map(at, self.state.map_w, self.state.map_h)


def _side_order(state: State) -> tuple[str, ...]:
    """FA-SEQ-1: on odd turns the defender first, on even turns the attacker; then the others by index."""
    first_role = "attacker" if state.turn % 2 == 0 and state.turn > 0 else "defender"
    first = next((side.id for side in state.sides if side.role == first_role), state.sides[0].id)
    return (first, *(side.id for side in state.sides if side.id != first))


def pulse_index(turn: int, pulse: int) -> int:
    """Pulses counted through the game: the first of turn 1 is 1."""
    return 3 * (turn - 1) + pulse


def turn_and_pulse(index: int) -> tuple[int, int]:
    """A pulse index as turn and pulse."""
    return (index - 1) // 3 + 1, (index - 1) % 3 + 1


def printed(at: Hex | None) -> str | None:
    """A hex as the book prints it."""
    return None if at is None else hexgrid.name(at)

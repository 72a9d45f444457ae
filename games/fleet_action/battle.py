"""A phase being resolved: the table, the orders, the dice, and what has happened so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from games.fleet_action.orders.records import Order
from games.fleet_action.rules.movement import Plot
from games.fleet_action.state import Ship, Squadron, State, Zone, pulse_index
from games.fleet_action.table import Table
from pbem.kit import hexgrid
from pbem.kit.dice import Dice, Roll
from pbem.kit.game import Event
from pbem.kit.hexgrid import Hex

OrderT = TypeVar("OrderT", bound=Order)

BEFORE_PULSES = 0
END_OF_TURN = 4
STEPS = {BEFORE_PULSES: "pre-turn", END_OF_TURN: "end of turn"}


class Book:
    """The orders of all sides by kind and unit; those of this turn stand before standing ones."""

    def __init__(self, orders: Iterable[tuple[str, Order]]) -> None:
        self._by_unit: dict[tuple[type[Order], str], list[Order]] = {}
        self._by_side: dict[tuple[type[Order], str], list[Order]] = {}
        for side, order in orders:
            self._by_unit.setdefault((type(order), order.unit), []).append(order)
            self._by_side.setdefault((type(order), side), []).append(order)

    def all(self, kind: type[OrderT], unit: str) -> list[OrderT]:
        """The unit's orders of a kind, in order of precedence."""
        return self._by_unit.get((kind, unit), [])  # type: ignore[return-value]

    def one(self, kind: type[OrderT], unit: str) -> OrderT | None:
        found = self.all(kind, unit)
        return found[0] if found else None

    def of_side(self, kind: type[OrderT], side: str) -> list[OrderT]:
        """All orders of a kind that a side gave, whoever they are for."""
        return self._by_side.get((kind, side), [])  # type: ignore[return-value]


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


class Battle(Table):
    """The working table of one phase."""

    def __init__(self, state: State, orders: Sequence[tuple[str, Order]], dice: Dice) -> None:
        super().__init__(state)
        self.dice = dice
        self.book = Book(orders)
        self.events: list[Event] = []
        self.pulse = BEFORE_PULSES
        self.part = ""
        self.plots: dict[str, Plot] = {}
        self.flags = Flags()
        self.zones: list[Zone] = []
        self.side_order = side_order(state)
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

    # --- time --------------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return self.state.turn

    @property
    def now(self) -> int:
        """The pulse index."""
        return pulse_index(self.turn, self.pulse)

    @property
    def step(self) -> str:
        return STEPS.get(self.pulse, f"pulse {self.pulse}")

    # --- dice and events ---------------------------------------------------------------------------------------------

    def roll(self, sides: int, *label: object) -> Roll:
        """Draw a die; the step of the turn stands before its label."""
        return self.dice.roll(sides, self.step, *label)

    def tell(
        self,
        kind: str,
        rule: str,
        seen_by: frozenset[str] | str,
        facts: Mapping[str, Any],
        rolls: Sequence[Roll] = (),
    ) -> None:
        """Something happened; one side's id as audience means that side alone."""
        audience = frozenset({seen_by}) if isinstance(seen_by, str) else seen_by
        told: Mapping[str, Any] = {"turn": self.turn, "pulse": self.pulse, **facts}
        self.events.append(Event(kind, rule, self.step, told, audience, tuple(rolls)))

    def order_error(self, rule: str, side: str, unit: str, text: str, why: tuple[str, str, str]) -> None:
        """An order that was legal when written and is impossible now; why: code, reason, what is done instead."""
        code, reason, instead = why
        facts = {"side": side, "unit": unit, "text": text, "code": code, "reason": reason, "instead": instead}
        self.tell("order_error", rule, side, facts)

    def others(self, *sides: str) -> frozenset[str]:
        """Everybody else."""
        return self.audience - frozenset(sides)

    def sides_of(self, ship: str) -> frozenset[str]:
        return frozenset({self.side_of(self.ships[ship])})

    # --- places ------------------------------------------------------------------------------------------------------

    def living(self, name: str) -> Ship | None:
        """The ship, if it is alive and on the map."""
        ship = self.ships.get(name)
        return ship if ship is not None and self.is_present(ship) else None

    def in_play(self) -> list[Squadron]:
        """All squadrons on the map in side and roster order."""
        return [squadron for side in self.side_order for squadron in self.roster(side)]


def side_order(state: State) -> tuple[str, ...]:
    """FA-SEQ-1: on odd turns the defender first, on even turns the attacker; then the others by index."""
    first_role = "attacker" if state.turn % 2 == 0 and state.turn > 0 else "defender"
    first = next((side.id for side in state.sides if side.role == first_role), state.sides[0].id)
    return (first, *(side.id for side in state.sides if side.id != first))


def printed(at: Hex | None) -> str | None:
    """A hex as the book prints it."""
    return None if at is None else hexgrid.name(at)

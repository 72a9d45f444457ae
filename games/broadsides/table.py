"""The working table of one phase: units by name, the orders of both sides, and answers worth keeping."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from games.broadsides.data import FighterClass, ShipClass, WeaponType
from games.broadsides.rules.craft import ground_of
from games.broadsides.rules.doctrine import NO_ORDERS, Doctrine, FireLine
from games.broadsides.state import Ballistic, Fighter, Flight, Ship, State, Unit
from pbem.kit.dice import Dice, Roll
from pbem.kit.table import WorkingTable

AnswerT = TypeVar("AnswerT")


class Table(WorkingTable[State]):
    """The units of a state as they stand now, and both sides' settled orders."""

    shelves: ClassVar[Mapping[type, str]] = {Ship: "ships", Flight: "flights"}
    ships: dict[str, Ship]
    flights: dict[str, Flight]

    def __init__(self, state: State, dice: Dice | None = None, doctrine: Doctrine = NO_ORDERS) -> None:
        super().__init__(state, dice)
        self.doctrine = doctrine
        self.catalogue = state.cards
        self.roster: list[str] = list(state.roster)
        self.turn, self.year, self.switches = state.turn, state.year, state.switches
        self.sides = tuple(side.id for side in state.sides)
        self.first_fire = state.first_fire
        self.ballistics: list[Ballistic] = list(state.ballistics)
        self.formations = list(state.formations)
        self.ground = ground_of(state)
        self.plans: dict[str, tuple[tuple[str, FireLine | None], ...]] = {}
        """Firing plans of ships; orders do not change while a phase is resolved."""
        self._answers: dict[Hashable, Any] = {}

    # --- records

    def put(self, record: Any) -> None:
        self._answers.clear()
        super().put(record)

    def frozen(self, **fields: Any) -> State:
        return super().frozen(
            roster=tuple(self.roster),
            first_fire=self.first_fire,
            ballistics=tuple(self.ballistics),
            formations=tuple(self.formations),
            **fields,
        )

    def set_mount(self, ship: Ship, mount: str, **fields: Any) -> Ship:
        """The ship with one mount changed, put on the table."""
        return self.change(ship, weapon={**ship.weapon, mount: replace(ship.weapon[mount], **fields)})

    def set_fighter(self, flight: str, index: int, **fields: Any) -> Fighter:
        """The fighter changed, and with it its flight on the table."""
        fighters = list(self.flights[flight].fighters)
        fighters[index] = replace(fighters[index], **fields)
        self.change(self.flights[flight], fighters=tuple(fighters))
        return fighters[index]

    def remembered(self, key: Hashable, answer: Callable[[], AnswerT]) -> AnswerT:
        """An answer that holds until a unit changes."""
        if key not in self._answers:
            self._answers[key] = answer()
        found: AnswerT = self._answers[key]
        return found

    # --- units

    def unit(self, name: str) -> Unit | None:
        return self.ships.get(name) or self.flights.get(name)

    def named(self, name: str) -> Unit:
        """The unit of a name that is certain."""
        unit = self.unit(name)
        assert unit is not None, name
        return unit

    def units(self) -> Iterator[Unit]:
        """Those on the map in roster order, each as it is when its turn comes."""
        for name in list(self.roster):
            unit = self.unit(name)
            if unit is not None and unit.on_map:
                yield unit

    def ships_there(self) -> Iterator[Ship]:
        return (unit for unit in self.units() if isinstance(unit, Ship))

    def flights_there(self) -> Iterator[Flight]:
        return (unit for unit in self.units() if isinstance(unit, Flight))

    def ships_of(self, side: str) -> list[Ship]:
        return [ship for ship in self.ships_there() if ship.side == side]

    def flights_of(self, side: str) -> list[Flight]:
        return [flight for flight in self.flights_there() if flight.side == side]

    def on_map(self, name: str) -> Unit | None:
        """The unit of that name, if it is on the map."""
        unit = self.unit(name)
        return unit if unit is not None and unit.on_map else None

    def alive(self, name: str) -> bool:
        return self.on_map(name) is not None

    def enemy(self, side: str) -> str:
        return self.state.enemy_of(side)

    def by_first_fire(self) -> tuple[str, str]:
        """The sides, the one that fires first this turn before the other."""
        return (self.first_fire, self.enemy(self.first_fire))

    # --- cards

    def sheet(self, ship: Ship) -> ShipClass:
        return self.catalogue.classes[ship.class_name]

    def craft(self, flight: Flight) -> FighterClass:
        return self.catalogue.fighters[flight.class_name]

    def weapon(self, ship: Ship, mount: str) -> WeaponType:
        return self.catalogue.weapons[self.sheet(ship).systems[mount].type]

    def is_pod(self, flight: Flight) -> bool:
        return self.craft(flight).kind == "pod"

    # --- events

    def tell_masked(
        self,
        kind: str,
        rule: str,
        owner: str,
        facts: Mapping[str, Any],
        mask: Mapping[str, Any],
        rolls: Sequence[Roll] = (),
    ) -> None:
        """The owner reads all of it; the enemy reads ``mask`` in place of the facts it may not know."""
        self.tell(kind, rule, owner, facts, rolls)
        self.tell(kind, rule, self.enemy(owner), {**facts, **mask}, rolls)

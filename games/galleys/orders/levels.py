"""Which orders reach which ship: the plan whole from the most specific level, the rest looked up singly (6.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from games.galleys.orders.judge import FleetJudge
from games.galleys.orders.records import (
    FLEET,
    Board,
    Disengage,
    Doctrine,
    Fire,
    FlameAt,
    Intent,
    Jettison,
    Order,
    PlanLine,
    SideOrders,
    Way,
)
from games.galleys.state import Level, Ship, ShipClass
from games.galleys.table import Table
from pbem.kit.game import Side
from pbem.kit.sheet import Accepted

KindT = TypeVar("KindT")

SINGLES = (Fire, FlameAt, Jettison, Disengage, Board)


def lasting(entries: Sequence[Accepted[Order]]) -> list[Accepted[Order]]:
    """Section 6.1: a later line of the same kind in a block replaces an earlier one; intents accumulate."""
    last = {(entry.order.unit, kind_of(entry.order)): entry for entry in entries}
    return [
        entry
        for entry in entries
        if isinstance(entry.order, Intent) or last[entry.order.unit, kind_of(entry.order)] is entry
    ]


def kind_of(order: Order) -> object:
    """Of orders of one kind a unit has one; an intent is of the kind of its attack."""
    if isinstance(order, Doctrine):
        return order.word
    if isinstance(order, Intent):
        return Intent, order.kind
    return Way if isinstance(order, Way) else type(order)


@dataclass(frozen=True)
class Draft:
    """What reaches one ship, before it is checked."""

    entries: tuple[Accepted[Order], ...]

    def given(self, kind: type[KindT]) -> list[Accepted[KindT]]:
        return cast("list[Accepted[KindT]]", [entry for entry in self.entries if isinstance(entry.order, kind)])

    def single(self, kind: type[KindT]) -> Accepted[KindT] | None:
        return next(iter(self.given(kind)), None)


class Levels:
    """The standing lines of a sheet by unit."""

    def __init__(self, entries: Iterable[Accepted[Order]]) -> None:
        by_unit: defaultdict[str, list[Accepted[Order]]] = defaultdict(list)
        for entry in entries:
            by_unit[entry.order.unit].append(entry)
        self._by_unit: dict[str, Sequence[Accepted[Order]]] = dict(by_unit)

    def of(self, unit: str) -> Sequence[Accepted[Order]]:
        return self._by_unit.get(unit, ())

    def everything(self) -> list[Accepted[Order]]:
        return [entry for entries in self._by_unit.values() for entry in entries]

    def put(self, unit: str, entries: Sequence[Accepted[Order]]) -> Levels:
        """The same with other lines of one unit."""
        other = Levels(())
        other._by_unit = {**self._by_unit, unit: entries}
        return other

    def plan(self, *units: str) -> Sequence[Accepted[Order]]:
        """The plan lines of the first of these units that has any."""
        plans = ([entry for entry in self.of(unit) if isinstance(entry.order, PlanLine)] for unit in units)
        return next(filter(None, plans), [])

    def draft(self, ship: Ship) -> Draft:
        units = (ship.name, ship.squadron, FLEET)
        plan, levels = self.plan(*units), [self.of(unit) for unit in units]
        singles = (
            next((entry for level in levels for entry in level if isinstance(entry.order, kind)), None)
            for kind in SINGLES
        )
        return Draft((*plan, *(entry for entry in singles if entry)))


def give_standing_orders(table: Table, side: Side, orders: SideOrders) -> None:
    """Section 6.1: doctrines, at the level they were given at, and the activation list stay in force until changed."""
    for doctrine in orders.doctrines:
        fleet = table.sides[side] if doctrine.unit == FLEET else None
        holder = fleet or table.squadrons.get(doctrine.unit) or table.ships[doctrine.unit]
        table.change(holder, doctrines={**holder.doctrines, doctrine.word: doctrine.value})
    if orders.activate is not None:
        table.change(table.sides[side], activate_list=orders.activate)


# --- one ship under check --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A ship and the orders that reach it, on the table as it stands at the start of the turn."""

    table: Table
    judge: FleetJudge
    sequences: Mapping[str, tuple[str, ...]]
    ship: Ship
    draft: Draft

    @property
    def klass(self) -> ShipClass:
        return self.table.class_of(self.ship.name)

    @property
    def partners(self) -> list[str]:
        return self.table.partners(self.ship.name)


@dataclass(frozen=True)
class Means:
    """What a ship has for its activation if nothing happens before it."""

    level: Level
    points: int
    """Movement points of the level, a jettison at Maximum included."""
    overhead: int
    """MP that jettison and an ordered disengage will take."""
    jettison: bool
    disengage: Disengage | None
    """As ordered."""
    disengages: bool
    """By order or by doctrine."""

    @property
    def left(self) -> int:
        """What remains for movement."""
        return max(self.points - self.overhead, 0)

"""The orders of all sides by kind and unit, as the rules ask for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from games.fleet_action.orders.records import Order

OrderT = TypeVar("OrderT", bound=Order)


class Book:
    """Those of this turn stand before standing ones."""

    def __init__(self, orders: Iterable[tuple[str, Order]]) -> None:
        self._by_unit: dict[tuple[type[Order], str], list[Order]] = {}
        self._by_side: dict[tuple[type[Order], str], list[Order]] = {}
        for side, order in orders:
            self._by_unit.setdefault((type(order), order.unit), []).append(order)
            self._by_side.setdefault((type(order), side), []).append(order)

    def all(self, kind: type[OrderT], *units: str) -> list[OrderT]:
        """The orders of a kind for a unit, then for the next, in order of precedence."""
        return [order for unit in units for order in self._by_unit.get((kind, unit), [])]  # type: ignore[misc]

    def first(self, kind: type[OrderT], *units: str) -> OrderT | None:
        """The one that counts."""
        return next(iter(self.all(kind, *units)), None)

    def of_side(self, kind: type[OrderT], side: str) -> list[OrderT]:
        """All orders of a kind that a side gave, whoever they are for."""
        return self._by_side.get((kind, side), [])  # type: ignore[return-value]

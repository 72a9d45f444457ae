"""The orders of one side for one turn, ready for look-up in the book's precedence (section 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from games.battleshift.orders.records import ACCUMULATING, Clear, Detail, Fire, Order

DetailT = TypeVar("DetailT", bound=Detail)


class OrderBook:
    """Turn orders and standing orders by unit and slot; of two lines in one slot the later counts."""

    def __init__(self, turn: Iterable[Order] = (), standing: Mapping[str, Iterable[Order]] | None = None) -> None:
        self._turn: dict[str, dict[str, list[Detail]]] = {}
        self._standing: dict[str, dict[str, list[Detail]]] = {}
        self.blocks: list[str] = []
        for unit, orders in (standing or {}).items():
            for order in orders:
                self._enter(self._standing, unit, order)
        for order in turn:
            if order.unit not in self.blocks:
                self.blocks.append(order.unit)
            if isinstance(order.detail, Clear):
                continue
            self._enter(self._standing if order.standing else self._turn, order.unit, order)

    def _enter(self, shelf: dict[str, dict[str, list[Detail]]], unit: str, order: Order) -> None:
        slots = shelf.setdefault(unit, {})
        if order.slot in ACCUMULATING:
            slots.setdefault(order.slot, []).append(order.detail)
        else:
            slots[order.slot] = [order.detail]

    def own(self, unit: str, slot: str, kind: type[DetailT]) -> DetailT | None:
        """The unit's own line: of the turn, otherwise standing."""
        return self.find((unit,), slot, kind)

    def all(self, unit: str, slot: str, kind: type[DetailT]) -> list[DetailT]:
        """All lines of an accumulating verb."""
        return [detail for detail in self._turn.get(unit, {}).get(slot, ()) if isinstance(detail, kind)]

    def find(self, units: tuple[str, ...], slot: str, kind: type[DetailT]) -> DetailT | None:
        """Squadron turn, taskforce turn, squadron standing, taskforce standing; units are named in that order."""
        for shelf in (self._turn, self._standing):
            for unit in units:
                lines = shelf.get(unit, {}).get(slot)
                if lines and isinstance(lines[-1], kind):
                    return lines[-1]
        return None

    def level_of(self, units: tuple[str, ...], slot: str) -> int:
        """Where the line stands that `find` gives: 0 the first unit's turn order, 1 the second's...; -1: nowhere."""
        for shelf_number, shelf in enumerate((self._turn, self._standing)):
            for number, unit in enumerate(units):
                if slot in shelf.get(unit, {}):
                    return shelf_number * len(units) + number
        return -1

    def fire(self, units: tuple[str, ...], weapon: str) -> Fire | None:
        """A line for one weapon beats `fire all` and `fire none` of the same level, wherever they stand."""
        for shelf in (self._turn, self._standing):
            for unit in units:
                slots = shelf.get(unit, {})
                for slot in (f"fire {weapon}", "fire all"):
                    lines = slots.get(slot)
                    if lines and isinstance(lines[-1], Fire):
                        return lines[-1]
        return None

    def has_own_fire(self, unit: str, weapon: str) -> bool:
        """Whether the squadron itself has a line for the weapon."""
        slots = {**self._standing.get(unit, {}), **self._turn.get(unit, {})}
        return f"fire {weapon}" in slots or "fire all" in slots

    def has(self, unit: str, slot: str) -> bool:
        return slot in self._turn.get(unit, {}) or slot in self._standing.get(unit, {})

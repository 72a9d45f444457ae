"""A letter under check: its orders that still stand, as the rules will find them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from games.battleshift.orders.book import OrderBook
from games.battleshift.orders.records import Order
from games.battleshift.orders.words import IGNORED, Names
from games.battleshift.rules.units import Squadron
from pbem.kit.judging import Judge
from pbem.kit.sheet import Accepted

Entry = Accepted[Order]


class Checker(Judge[Order]):
    """Knows the names, the table to measure on, and the standing orders beneath the lines of the letter."""

    def __init__(self, names: Names, accepted: Iterable[Entry], *, is_brief: bool = False) -> None:
        super().__init__(accepted)
        self.names, self.table, self.side = names, names.table, names.side
        self.is_brief = is_brief
        """Nobody will read what is said: hints that cost a search are left out."""
        self.standing: Mapping[str, list[Order]] = {}
        self._books: dict[str, OrderBook] = {}
        self._bound: tuple[object, object] = (None, None)

    def refuse(
        self, entry: Entry, rule: str, reason: str, hint: str = "", instead: str = IGNORED, fix: str = ""
    ) -> None:
        super().refuse(entry, rule, reason, hint, instead, fix)

    def book(self, without: str = "") -> OrderBook:
        """The orders in force, or all but those of one slot; made anew only when a line has fallen."""
        if self._bound[0] is not self.entries or self._bound[1] is not self.standing:
            self._books, self._bound = {}, (self.entries, self.standing)
        if without not in self._books:
            self._books[without] = self._bind(without)
        return self._books[without]

    def _bind(self, without: str) -> OrderBook:
        orders = [entry.order for entry in self.entries if entry.order.slot != without]
        standing = {unit: [o for o in given if o.slot != without] for unit, given in self.standing.items()}
        return OrderBook(orders, standing)

    def each(self, slot: str) -> Iterator[Entry]:
        """The lines of a slot, as long as they stand."""
        for entry in self.entries:
            if entry.order.slot == slot and entry in self.entries:
                yield entry

    def ordered(self, unit: str, slot: str) -> Entry | None:
        """The line of a unit that counts."""
        given = [entry for entry in self.each(slot) if entry.order.unit == unit]
        return given[-1] if given else None

    def squadrons_of(self, unit: str) -> list[Squadron]:
        """The squadrons a line speaks to."""
        tf, squadron = self.table.taskforce(self.side, unit), self.table.squadron(self.side, unit)
        return list(tf.living) if tf is not None else [squadron] if squadron is not None else []

    def squadron_for(self, unit: str) -> Squadron | None:
        """The squadron whose limits count: a taskforce's is its flagship's."""
        tf = self.table.taskforce(self.side, unit)
        return tf.flagship.squadron if tf is not None else self.table.squadron(self.side, unit)

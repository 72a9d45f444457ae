"""What the checks of a letter share: the entries that still stand, and the complaints."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from games.fleet_action.orders.records import Order
from games.fleet_action.orders.words import Desk
from games.fleet_action.rules.movement import Fault
from pbem.kit.sheet import Accepted, Problem

Entries = list[Accepted[Order]]
OrderT = TypeVar("OrderT", bound=Order)


@dataclass
class Judge:
    """A letter under check; an order refused leaves the entries."""

    desk: Desk
    entries: Entries
    problems: list[Problem] = field(default_factory=list)

    def complain(self, entry: Accepted[Any], rule: str, reason: str, hint: str = "", instead: str = "") -> None:
        self.problems.append(Problem(entry.line, entry.text, rule, reason, hint, instead, entry.unit))

    def refuse(self, entry: Accepted[Any], rule: str, reason: str, hint: str = "", instead: str = "") -> None:
        """The order does not stand."""
        self.complain(entry, rule, reason, hint, instead)
        # A line that also stands for later turns made two orders; both go.
        self.entries = [kept for kept in self.entries if kept is not entry and not _same_line(kept, entry)]

    def fault(self, entry: Accepted[Any], fault: Fault, instead: str) -> None:
        self.refuse(entry, fault.code, f"{entry.order.unit}: {fault.reason}", fault.hint, instead)

    def change(self, entry: Accepted[Any], order: Order) -> None:
        """The order stands in another form."""
        self.entries = [replace(kept, order=order) if kept is entry else kept for kept in self.entries]

    def given(self, kind: type[OrderT], unit: str | None = None) -> list[Accepted[OrderT]]:
        """The entries of one kind, for one unit or for all, in the order written."""
        return [
            entry  # type: ignore[misc]
            for entry in self.entries
            if isinstance(entry.order, kind) and (unit is None or entry.order.unit == unit)
        ]

    def one(self, kind: type[OrderT], unit: str) -> Accepted[OrderT] | None:
        found = self.given(kind, unit)
        return found[-1] if found else None


def _same_line(a: Accepted[Any], b: Accepted[Any]) -> bool:
    return a.line == b.line and a.unit == b.unit and a.text == b.text

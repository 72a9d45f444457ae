"""A letter on trial: what would be said of it if other lines stood in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from games.battleshift.orders.checks import check
from games.battleshift.orders.judge import Checker, Entry
from games.battleshift.orders.records import (
    Act,
    Add,
    Arrive,
    Clear,
    Fire,
    FlagshipTo,
    Fly,
    Launch,
    Missiles,
    Order,
    Player,
    Recover,
    Shift,
)
from games.battleshift.orders.standing import standing_of
from games.battleshift.orders.verbs import LineReader
from games.battleshift.orders.words import Names
from pbem.kit.sheet import Accepted, Line, Problem

WAYS = ("move", "face", "form")
WAYLESS = Fire | Missiles | Launch | Recover | Fly | Act | Add | FlagshipTo | Shift | Arrive
"""Orders whose checks look at nobody's way."""
Told = tuple[str, str, str, str]
"""A problem, whatever line it stands on."""


class Trial:
    """The orders of one side that stand; only units that bear on each other are looked at."""

    def __init__(
        self, names: Names, entries: Sequence[Entry], standing: Mapping[str, list[Order]] | None = None
    ) -> None:
        self.names, self.table, self.side = names, names.table, names.side
        self.entries = list(entries)
        self.reader = LineReader(names, self.table.state.switches)
        orders = [entry.order for entry in entries]
        self.standing = standing if standing is not None else standing_of(self.table.state, self.side, orders)
        self._before: dict[tuple[frozenset[str], frozenset[int]], frozenset[Told]] = {}

    def read(self, unit: str, text: str) -> Order:
        """What a line means in the block of a unit; raises BadOrder."""
        return self.reader.read(Line(0, unit or "Fleet", text))[0]

    def stands(self, orders: Sequence[Order], without: Collection[int] = ()) -> bool:
        """Whether these orders draw no word that the letter without the lines they replace does not draw."""
        return not self.draws(orders, without)

    def draws(self, orders: Sequence[Order], without: Collection[int] = ()) -> list[Problem]:
        """The new problems of the letter with these orders in the place of some lines."""
        units = frozenset(name for order in orders for name in self.around(order.unit))
        gone = frozenset(without)
        if (units, gone) not in self._before:
            self._before[units, gone] = frozenset(_told(found) for found in self._checked(units, (), gone))
        before = self._before[units, gone]
        return [found for found in self._checked(units, orders, gone) if _told(found) not in before]

    def _checked(self, units: Collection[str], orders: Sequence[Order], gone: Collection[int]) -> list[Problem]:
        # Whom a weapon or a flight may aim at does not depend on the ways that are ordered.
        idle = bool(orders) and all(isinstance(order.detail, WAYLESS) for order in orders)
        kept = [
            entry
            for entry in self.entries
            if entry.line not in gone and _bears_on(entry.order, units) and not (idle and entry.order.slot in WAYS)
        ]
        at = next((n for n, entry in enumerate(kept) if gone and entry.line > min(gone)), len(kept))
        new = [Accepted(min(gone, default=0), order.unit or "Fleet", order.text, order) for order in orders]
        checker = Checker(self.names, (*kept[:at], *new, *kept[at:]), is_brief=True)
        checker.standing = self._standing(orders)
        told = len(self.table.events)
        check(checker)
        del self.table.events[told:]
        return checker.problems

    def _standing(self, orders: Sequence[Order]) -> Mapping[str, list[Order]]:
        if any(isinstance(order.detail, Clear) for order in orders):
            return standing_of(self.table.state, self.side, [*(entry.order for entry in self.entries), *orders])
        return self.standing

    def around(self, unit: str) -> tuple[str, ...]:
        """The units whose lines bear on those of a unit: its taskforce, and all squadrons in that."""
        squadron = self.table.squadron(self.side, unit)
        tf = self.table.taskforce(self.side, unit) or (squadron.taskforce if squadron is not None else None)
        return (unit, tf.name, *tf.now.squadrons) if tf is not None else (unit,)


def _bears_on(order: Order, units: Collection[str]) -> bool:
    """Names of flights, and who writes, concern the whole letter."""
    return order.unit in units or isinstance(order.detail, Launch | Player)


def _told(problem: Problem) -> Told:
    return problem.unit, problem.text, problem.rule, problem.reason

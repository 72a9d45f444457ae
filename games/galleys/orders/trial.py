"""A letter on trial: what the checks of section 7 would say if a unit's block had other lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.galleys.orders.checks import check_ship, whole_side
from games.galleys.orders.judge import FleetJudge
from games.galleys.orders.levels import Case, Levels, give_standing_orders, lasting
from games.galleys.orders.records import FLEET, Doctrine, Order
from games.galleys.state import Ship, State
from games.galleys.table import Table
from pbem.kit.game import Side
from pbem.kit.sheet import Accepted, Problem

Entries = Sequence[Accepted[Order]]


class Trial:
    """The lines of one side's letter; ships of routed squadrons hear none of them (GA-MOR-3)."""

    def __init__(self, state: State, side: Side, entries: Entries) -> None:
        self.state = state
        self.side = side
        self.levels = Levels(lasting(entries))
        self.orders = whole_side(self.levels.everything())
        self.table = self._table_under(self.levels)
        self._before: dict[str, set[tuple[int, str]]] = {}
        self._ships: dict[str, list[Ship]] = {}

    def _table_under(self, levels: Levels) -> Table:
        """The table at the start of the turn, the doctrines of these lines in force."""
        table = Table(self.state)
        give_standing_orders(table, self.side, whole_side(levels.everything()))
        return table

    def ships_of(self, unit: str) -> list[Ship]:
        """The ships afloat that the unit's lines are meant for, in roster order."""
        if unit not in self._ships:
            self._ships[unit] = [
                ship
                for ship in self.table.afloat()
                if ship.side == self.side
                and unit in (FLEET, ship.squadron, ship.name)
                and not self.table.is_routed(ship.name)
            ]
        return self._ships[unit]

    def case(self, ship: Ship, levels: Levels | None = None, table: Table | None = None) -> Case:
        """The ship with what reaches it, before a judge who has said nothing yet."""
        judge, draft = FleetJudge(), (levels or self.levels).draft(ship)
        judge.hear(ship.name, draft.entries)
        return Case(table or self.table, judge, self.orders.sequences, ship, draft)

    # --- other lines -------------------------------------------------------------------------------------------------

    def complaints(self, unit: str, entries: Entries) -> Iterator[Problem]:
        """All that is said, ship after ship, when these lines are the unit's; its own of before are gone."""
        levels = self.levels.put(unit, entries)
        sways = _doctrines(entries) != _doctrines(self.levels.of(unit))
        table = self._table_under(levels) if sways else self.table
        for ship in self.ships_of(unit):
            case = self.case(ship, levels, table)
            check_ship(case)
            yield from case.judge.problems

    def objection(self, unit: str, entries: Entries) -> Problem | None:
        """The first complaint that the letter as it is does not draw already."""
        before = self._said_before(unit)
        found = self.complaints(unit, entries)
        return next((problem for problem in found if (problem.line, problem.rule) not in before), None)

    def _said_before(self, unit: str) -> set[tuple[int, str]]:
        if unit not in self._before:
            found = self.complaints(unit, self.levels.of(unit))
            self._before[unit] = {(problem.line, problem.rule) for problem in found}
        return self._before[unit]


def _doctrines(entries: Entries) -> list[Doctrine]:
    """What of a block bears on more than its own lines."""
    return [entry.order for entry in entries if isinstance(entry.order, Doctrine)]

"""One side's letter on the table: who writes, which of its orders still stand, and the complaints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.fleet_action.orders.records import Order
from games.fleet_action.rules.movement import Fault
from games.fleet_action.state import Flight, Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit.judging import Judge
from pbem.kit.sheet import Accepted

SYNTAX = "FA-E-1"
UNKNOWN = "FA-E-2"
WRONG_KIND = "FA-E-3"
IGNORED = "the line is ignored"


class Desk(Judge[Order]):
    """A judge who knows the writer's units, and those he may aim at."""

    def __init__(self, table: Table, side: str, new_names: Sequence[str] = ()) -> None:
        super().__init__()
        self.table = table
        self.side = side
        self.new_names = new_names
        """Squadrons the letter buys, which may be named in it."""
        self.proposals: dict[int, list[str]] = {}
        """Number of a line to what might be meant by it, the likeliest first; none is proven."""

    def propose(self, number: int, *texts: str) -> None:
        self.proposals.setdefault(number, []).extend(texts)

    @property
    def turn(self) -> int:
        return self.table.turn

    def fault(self, entry: Accepted[Any], fault: Fault, instead: str, fix: str) -> None:
        self.refuse(entry, fault.code, f"{entry.order.unit}: {fault.reason}", fault.hint, instead, fix)

    def own_squadrons(self) -> list[Squadron]:
        squadrons = self.table.squadrons.values()
        return [s for s in squadrons if s.side == self.side and s.state != "off" and self.table.members(s)]

    def own_ships(self) -> list[Ship]:
        return [ship for squadron in self.own_squadrons() for ship in self.table.members(squadron)]

    def own_flights(self) -> list[Flight]:
        return self.table.wing(self.side)

    def enemy_squadrons(self) -> list[Squadron]:
        return [s for s in self.table.enemy_squadrons(self.side) if self.table.members(s)]

    def enemy_ships(self) -> list[Ship]:
        return [ship for squadron in self.enemy_squadrons() for ship in self.table.members(squadron)]

    def enemies(self) -> list[Squadron | Ship]:
        return [*self.enemy_squadrons(), *self.enemy_ships()]

    def enemy_flights(self) -> list[Flight]:
        return [flight for flight in self.table.airborne() if flight.side != self.side]

    def kind_of(self, unit: str) -> str:
        if unit in self.table.squadrons or unit in self.new_names:
            return "squadron"
        if unit in self.table.ships:
            return "ship"
        return "flight" if unit in self.table.flights else "fleet"

"""The battle while a turn is resolved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pbem.kit.game import Side
from pbem.kit.hexgrid import distance
from pbem.kit.table import WorkingTable

from skirmish.state import Ship, State


class Table(WorkingTable[State]):
    """Ships by name, dice and events; ``frozen`` makes a state of it again."""

    shelves: ClassVar[Mapping[type, str]] = {Ship: "ships"}
    ships: dict[str, Ship]

    @property
    def everybody(self) -> frozenset[Side]:
        return frozenset(squadron.id for squadron in self.state.squadrons)

    def afloat(self) -> list[Ship]:
        return [ship for ship in self.ships.values() if ship.hull]

    def nearest_enemy(self, ship: Ship) -> Ship | None:
        """SK-FIR-5: of several at the same range, the one named first in the scenario."""
        enemies = (other for other in self.afloat() if other.squadron != ship.squadron)
        return min(enemies, key=lambda other: distance(ship.at, other.at), default=None)

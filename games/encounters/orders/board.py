"""A strategic letter under way: the table as its accepted orders leave it, so that each sees those before it."""

from __future__ import annotations

from copy import copy

from games.encounters.orders import records as said
from games.encounters.orders.words import IGNORED
from games.encounters.rules import cargo, construction, economy, movement
from games.encounters.rules.strategic import alive, obey
from games.encounters.table import Table
from pbem.kit.sheet import BadOrder


class Board:
    """What one power's orders have done so far, for trial; moves and Intel to spend come later in the turn."""

    def __init__(self, table: Table, power: str) -> None:
        self.table = table
        self.power = power
        self.moves: dict[str, tuple[str, ...]] = {}
        self.spending: dict[str, int] = {}

    def copy(self) -> Board:
        other = copy(self)
        other.table, other.moves, other.spending = self.table.copy(), dict(self.moves), dict(self.spending)
        return other

    def take(self, order: said.Order) -> None:
        """Do the order on the table; raises BadOrder where it is not legal after those before it."""
        match order:
            case said.SetStance():
                self._check_stance(order)
            case said.Repair(unit) if alive(self.table, self.power, unit):
                self._check_repair(unit)
                obey(self.table, self.power, order)
            case said.SpendIntel(points, system):
                self._spend(points, system)
            case said.Move(fleet, path):
                self._move(fleet, path)
            case said.Transfer(ships, to) if alive(self.table, self.power, *ships):
                for ship in ships:
                    self._transfer(ship, to)
            case said.Load(_, unit) if alive(self.table, self.power, unit):
                self._check_cargo(unit)
                obey(self.table, self.power, order)
            case said.Land(carrier, unit) if alive(self.table, self.power, *ids(carrier, unit)):
                self._check_aboard(carrier, unit)
            case said.RenameFleet(fleet, name):
                obey(self.table, self.power, order)
                if fleet in self.moves:
                    self.moves[name] = self.moves.pop(fleet)
            case _:
                obey(self.table, self.power, order)

    # --- checks of single orders -------------------------------------------------------------------------------------

    def _check_stance(self, order: said.SetStance) -> None:
        if order.other == self.power:
            raise BadOrder("EN-VAL-34", "a stance to oneself", "name another power", IGNORED)
        if order.value == "ally" and not self.table.switches.alliances:
            raise BadOrder("EN-VAL-34", "alliances are off in this campaign", "peace", IGNORED)

    def _check_repair(self, number: int) -> None:
        """EN-MOV-6: of ``repair`` and ``move`` touching the same ship the earlier line stands."""
        unit = self.table.units[number]
        if unit.state == "crippled":
            construction.check_repair_place(self.table, self.power, unit)
        if unit.fleet in self.moves:
            reason = f"{unit.name} is in {unit.fleet}, which has been ordered to move (EN-MOV-6)"
            raise BadOrder("EN-VAL-16", reason, f"{unit.fleet}: transfer {unit.name} to another fleet first", IGNORED)

    def _spend(self, points: int, system: str) -> None:
        """EN-VAL-19: what is spent at step 9 must be held after what is bought at step 5."""
        economy.check_positive(points)
        held = self.intel_left(system)
        if points > held:
            reason = f"{points} Intel spent at {system}, {held} held"
            raise BadOrder("EN-VAL-19", reason, f"the largest legal number is {held}", IGNORED)
        self.spending[system] = self.spending.get(system, 0) + points

    def intel_left(self, system: str) -> int:
        return self.table.powers[self.power].intel.get(system, 0) - self.spending.get(system, 0)

    def _move(self, fleet: str, path: tuple[str, ...]) -> None:
        if (self.power, fleet) not in self.table.fleets:
            raise BadOrder("EN-VAL-2", f"no fleet called '{fleet}'", "", IGNORED)
        if path:
            movement.check_path(self.table, self.power, fleet, path, self.traffic_without(fleet))
        self.moves.pop(fleet, None)
        if path:
            self.moves[fleet] = path

    def traffic_without(self, fleet: str) -> movement.Traffic:
        """EN-MOV-2: what the other fleets' moves put on the lanes."""
        traffic: movement.Traffic = {}
        for name, path in self.moves.items():
            if name != fleet and (self.power, name) in self.table.fleets:
                movement.count_traffic(self.table, self.power, name, path, traffic)
        return traffic

    def _transfer(self, number: int, to: str) -> None:
        ship = self.table.units[number]
        if not self.table.is_ship(ship):
            raise BadOrder("EN-VAL-16", f"{ship.name} is no ship and belongs to no fleet", "name a ship", IGNORED)
        if ship.repairing and to in self.moves:
            raise BadOrder("EN-VAL-16", f"{ship.name} is under repair and {to} will move", "another fleet", IGNORED)
        obey(self.table, self.power, said.Transfer((number,), to))

    def _check_cargo(self, number: int) -> None:
        unit = self.table.units[number]
        if self.table.design(unit).category not in ("flight", "troop"):
            raise BadOrder("EN-VAL-18", f"{unit.name} cannot be carried", "flights and troops can", IGNORED)

    def _check_aboard(self, carrier: int, number: int | None) -> None:
        deck = self.table.units[carrier]
        if number is not None and self.table.units[number].carrier != carrier:
            reason = f"{self.table.units[number].name} is not aboard {deck.name}"
            raise BadOrder("EN-VAL-17", reason, cargo.aboard_text(self.table, deck), IGNORED)


def ids(*units: int | None) -> list[int]:
    return [number for number in units if number is not None]

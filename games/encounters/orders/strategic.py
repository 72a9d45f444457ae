"""Reading the strategic letter (rule book 6.1), line by line on the table that steps 2 to 4 leave."""

from __future__ import annotations

import re
from typing import TypeVar, cast, get_args

from games.encounters.data import PATHS, DesignEntry, abilities
from games.encounters.orders import records as said
from games.encounters.orders import words
from games.encounters.orders.board import Board
from games.encounters.orders.headers import EMPIRE
from games.encounters.orders.words import IGNORED, Orders, Reader, Speaker
from games.encounters.rules import economy
from games.encounters.state import Stance, Unit
from games.encounters.table import Table
from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Line, leading_name, match_name

OrderT = TypeVar("OrderT", bound=said.Order)
_BUILD = re.compile(r"(?:(-?\d+)\s+)?(.+?)\s+at\s+(.+?)(?:\s+named\s+(.+))?", re.IGNORECASE)
_AT = re.compile(r"(.+?)\s+at\s+(.+)", re.IGNORECASE)
_INTEL = re.compile(r"(buy|spend)\s+(-?\d+)\s+at\s+(.+)", re.IGNORECASE)
_DESIGN = re.compile(r"(.+?)\s+([A-Za-z]{2})\s+((?:(?:dv|as|af|cv)\s+-?\d+[\s,]*)+)(?:with\s+(.+))?", re.IGNORECASE)
_STAT = re.compile(r"(dv|as|af|cv)\s+(-?\d+)", re.IGNORECASE)
_STANCE = re.compile(r"(.+) (\S+)")
_RESEARCH = re.compile(r"(\S+) (\S+)")
_TO = re.compile(r"(.+)\s+to\s+(.+)", re.IGNORECASE)


class StrategicReader(Speaker):
    """Keeps the table as the accepted lines leave it, so that each line sees the effect of those before it."""

    def __init__(self, table: Table, power: str, judge: Judge[said.Order]) -> None:
        super().__init__(table, power, judge)
        self.board = Board(table, power)
        economy.settle_all_research(table, power)
        self.verbs: dict[str, Reader] = {
            "stance": self.stance, "build": self.build, "cancel": self.cancel, "repair": self.repair,
            "intel": self.intel, "invest": self.invest, "research": self.research, "design": self.draw,
            "move": self.move, "hold": self.hold, "transfer": self.transfer, "load": self.load,
            "unload": self.unload, "scrap": self.scrap, "rename": self.rename, "doctrine": self.set_doctrine,
        }  # fmt: skip

    def tried(self, order: OrderT) -> OrderT:
        """The order, done on the board; raises BadOrder where it is not legal."""
        self.board.take(order)
        return order

    # --- the power's own ---------------------------------------------------------------------------------------------

    def stance(self, line: Line, rest: str) -> Orders:
        match = words.parsed(_STANCE, rest, line, "stance Korvan war")
        other = self.other_power(match[1])
        value = cast(Stance, words.one_of(match[2], get_args(Stance)))
        return [self.tried(said.SetStance(other, value))]

    def build(self, line: Line, rest: str) -> Orders:
        match = words.parsed(_BUILD, rest, line, "build 2 Lance at Vega")
        count = int(match[1]) if match[1] else 1
        design, system = self.design(match[2]), self.system(match[3])
        names = tuple(words.plain_name(name) for name in words.listed(match[4] or ""))
        return [self.tried(said.LayDown(design, system, count, names))]

    def cancel(self, line: Line, rest: str) -> Orders:
        match = words.parsed(_AT, rest, line, "cancel Lance at Vega")
        return [self.tried(said.Cancel(self.design(match[1]), self.system(match[2])))]

    def repair(self, line: Line, rest: str) -> Orders:
        return self.each(line, rest, lambda text: self.tried(said.Repair(self.own_unit(text).id)))

    def scrap(self, line: Line, rest: str) -> Orders:
        return self.each(line, rest, lambda text: self.tried(said.Scrap(self.own_unit(text).id)))

    def intel(self, line: Line, rest: str) -> Orders:
        match = words.parsed(_INTEL, rest, line, "intel buy 2 at Vega")
        points, system = int(match[2]), self.system(match[3])
        if match[1].casefold() == "buy":
            return [self.tried(said.BuyIntel(points, system))]
        return [self.tried(said.SpendIntel(points, system))]

    def invest(self, line: Line, rest: str) -> Orders:
        match = words.parsed(_AT, rest, line, "invest prod at Vega")
        stat = words.one_of(match[1], ("cen", "mor", "prod")).upper()
        return [self.tried(said.Invest(stat, self.system(match[2])))]

    def research(self, line: Line, rest: str) -> Orders:
        match = words.parsed(_RESEARCH, rest, line, "research Escort 20")
        return [self.tried(said.Research(words.named("path", match[1], PATHS), words.number(match[2])))]

    def draw(self, line: Line, rest: str) -> Orders:
        """EN-VAL-10, 11, 12: a name, a class, stats in any order, perhaps abilities."""
        match = words.parsed(_DESIGN, rest, line, "design Halberd DD dv 3 as 3 af 1")
        code = words.named("class", match[2], self.table.classes())
        stats = {stat.upper(): int(value) for stat, value in _STAT.findall(match[3])}
        taken = [words.named("ability", word, abilities()) for word in words.listed(match[4] or "")]
        fields = {key: stats.get(key, 0) for key in ("DV", "AS", "AF", "CV")}
        entry = DesignEntry(code, 1, **fields, abilities=tuple(taken))
        return [self.tried(said.DrawDesign(words.plain_name(match[1]), entry))]

    def rename(self, line: Line, rest: str) -> Orders:
        """EN-VAL-37: a unit or a fleet takes a new name."""
        match = words.parsed(_TO, rest, line, "rename Lance 7 to Ajax")
        old, new = match_name(match[1], self.table.fleet_names(self.power)), words.plain_name(match[2])
        if old is not None and match_name(match[1], self.unit_names()) is None:
            return [self.tried(said.RenameFleet(old, new))]
        return [self.tried(said.RenameUnit(self.own_unit(match[1]).id, new))]

    # --- fleets ------------------------------------------------------------------------------------------------------

    def unit_names(self) -> list[str]:
        return [unit.name for unit in self.table.of(self.power)]

    def header_fleet(self, line: Line) -> str:
        """EN-VAL-4: the order needs a fleet's header."""
        if self.is_fleet(line.unit):
            return line.unit
        if line.unit != EMPIRE and match_name(line.unit, self.unit_names()) is None:
            raise words.unknown("fleet", line.unit, self.table.fleet_names(self.power))
        raise self.under_wrong_header(line, "a fleet: First Fleet")

    def under_wrong_header(self, line: Line, wanted: str) -> BadOrder:
        verb = line.text.split()[0]
        return words.wrong_place(f"'{verb}' under '{line.unit}'", f"it belongs under {wanted}: {line.text}")

    def move(self, line: Line, rest: str) -> Orders:
        fleet = self.header_fleet(line)
        return [self.tried(said.Move(fleet, self.path(rest)))]

    def path(self, text: str) -> tuple[str, ...]:
        """Systems one after the other, commas optional."""
        path: list[str] = []
        rest = text.replace(",", " ").strip()
        while rest:
            step = leading_name(rest, sorted(self.table.systems))
            if step is None:
                raise words.unknown("system", rest, sorted(self.table.systems))
            path.append(step[0])
            rest = step[1].strip()
        if not path:
            raise BadOrder("EN-VAL-1", "move names no system", "move Altair", IGNORED)
        return tuple(path)

    def hold(self, line: Line, rest: str) -> Orders:
        words.nothing_behind(rest, "hold")
        return [self.tried(said.Move(self.header_fleet(line), ()))]

    def transfer(self, line: Line, rest: str) -> Orders:
        fleet = self.header_fleet(line)
        match = words.parsed(_TO, rest, line, "transfer Ajax to Second Fleet")
        to = match_name(match[2], self.table.fleet_names(self.power)) or words.plain_name(match[2])
        ships = self.each(line, match[1], lambda text: self._transfer_one(text, fleet, to))
        return [said.Transfer(tuple(ships), to)]

    def _transfer_one(self, text: str, fleet: str, to: str) -> int:
        ship = self.own_unit(text)
        here = self.table.fleets[self.power, fleet].location if self.is_fleet(fleet) else ship.location
        if self.table.is_ship(ship) and ship.location != here:
            reason = f"{ship.name} is at {ship.location}, {fleet} at {here}"
            raise BadOrder("EN-VAL-17", reason, f"a ship at {here}", IGNORED)
        self.tried(said.Transfer((ship.id,), to))
        return ship.id

    # --- cargo -------------------------------------------------------------------------------------------------------

    def header_carrier(self, line: Line) -> Unit:
        """EN-VAL-4: the order needs a ship's or Station's header."""
        name = match_name(line.unit, self.unit_names())
        if name is None or not self.table.ship_or_station(unit := self.own_unit(name)):
            raise self.under_wrong_header(line, "a ship or Station: Atlas")
        return unit

    def load(self, line: Line, rest: str) -> Orders:
        carrier = self.header_carrier(line)
        return self.each(line, rest, lambda text: self.tried(said.Load(carrier.id, self.own_unit(text).id)))

    def unload(self, line: Line, rest: str) -> Orders:
        """EN-CAR-1: before movement, or ``after`` it."""
        carrier = self.header_carrier(line)
        items = rest.split()
        after = bool(items) and items[-1].casefold() == "after"
        names = " ".join(items[:-1] if after else items)
        if names.casefold() == "all" and after:
            return [self.tried(said.Land(carrier.id, None))]
        if names.casefold() == "all":
            names = ", ".join(unit.name for unit in self.table.aboard(carrier.id))
            if not names:
                raise BadOrder("EN-VAL-17", f"nothing is aboard {carrier.name}", "load it first", IGNORED)
        if after:
            return self.each(line, names, lambda text: self.tried(said.Land(carrier.id, self.own_unit(text).id)))
        return self.each(line, names, lambda text: self.tried(said.Unload(carrier.id, self.own_unit(text).id)))

    # --- silence -----------------------------------------------------------------------------------------------------

    def silence(self, moved: frozenset[str]) -> tuple[str, ...]:
        """What will be done where nothing was ordered."""
        idle = [name for name in self.table.fleet_names(self.power) if name not in moved]
        held = [f"{name} stays at {self.table.fleets[self.power, name].location}." for name in idle]
        left = self.table.powers[self.power].treasury
        return (*held, f"{left} EP stay in the treasury.") if left else tuple(held)

"""Reading the strategic letter (rule book 6.1), line by line on the board that steps 2 to 4 leave."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from games.encounters import plans as said
from games.encounters.data import PATHS, DesignEntry, abilities
from games.encounters.orders.words import IGNORED, Speaker, number, one_of, plain_name, unknown, wrong_place
from games.encounters.rules import cargo, construction, economy, movement
from games.encounters.rules.board import Board
from games.encounters.state import Unit
from pbem.kit.sheet import BadOrder, Line, leading_name, match_name

_BUILD = re.compile(r"(?:(-?\d+)\s+)?(.+?)\s+at\s+(.+?)(?:\s+named\s+(.+))?", re.IGNORECASE)
_AT = re.compile(r"(.+?)\s+at\s+(.+)", re.IGNORECASE)
_INTEL = re.compile(r"(buy|spend)\s+(-?\d+)\s+at\s+(.+)", re.IGNORECASE)
_DESIGN = re.compile(r"(.+?)\s+([A-Za-z]{2})\s+((?:(?:dv|as|af|cv)\s+-?\d+[\s,]*)+)(?:with\s+(.+))?", re.IGNORECASE)
_STAT = re.compile(r"(dv|as|af|cv)\s+(-?\d+)", re.IGNORECASE)
_TO = re.compile(r"(.+)\s+to\s+(.+)", re.IGNORECASE)
_EMPIRE = "Empire"


class StrategicReader(Speaker):
    """Keeps the board as the accepted lines leave it, so that each line sees the effect of those before it."""

    def __init__(self, board: Board, power: str) -> None:
        super().__init__(board, power)
        self.moves: dict[str, tuple[str, ...]] = {}
        self.spending: dict[str, int] = {}
        economy.settle_all_research(board, power)
        self.verbs: dict[str, Callable[[Line, str], Sequence[Any]]] = {
            "stance": self.stance, "build": self.build, "cancel": self.cancel, "repair": self.repair,
            "intel": self.intel, "invest": self.invest, "research": self.research, "design": self.draw,
            "move": self.move, "hold": self.hold, "transfer": self.transfer, "load": self.load,
            "unload": self.unload, "scrap": self.scrap, "rename": self.rename, "doctrine": self.set_doctrine,
        }  # fmt: skip

    # --- the power's own ---------------------------------------------------------------------------------------------

    def stance(self, line: Line, rest: str) -> Sequence[Any]:
        words = rest.rsplit(" ", 1)
        if len(words) != 2:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "stance Korvan war", IGNORED)
        other = self.other_power(words[0])
        value = one_of(words[1], ("war", "peace", "ally"))
        if other == self.power:
            raise BadOrder("EN-VAL-34", "a stance to oneself", "name another power", IGNORED)
        if value == "ally" and not self.board.switches.alliances:
            raise BadOrder("EN-VAL-34", "alliances are off in this campaign", "peace", IGNORED)
        return [said.SetStance(other, value)]  # type: ignore[arg-type]

    def build(self, line: Line, rest: str) -> Sequence[Any]:
        found = _BUILD.fullmatch(rest)
        if not found:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "build 2 Lance at Vega", IGNORED)
        count = int(found[1]) if found[1] else 1
        design, system = self.design(found[2]), self.system(found[3])
        names = tuple(plain_name(name) for name in (found[4] or "").split(",") if name.strip())
        construction.lay_down(self.board, self.power, design, count, system, names)
        return [said.LayDown(design, system, count, names)]

    def cancel(self, line: Line, rest: str) -> Sequence[Any]:
        found = _AT.fullmatch(rest)
        if not found:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "cancel Lance at Vega", IGNORED)
        design, system = self.design(found[1]), self.system(found[2])
        construction.cancel(self.board, self.power, design, system)
        return [said.Cancel(design, system)]

    def repair(self, line: Line, rest: str) -> Sequence[Any]:
        return self.each(line, rest, self._repair_one)

    def _repair_one(self, text: str) -> said.Repair:
        unit = self.own_unit(text)
        if unit.state == "crippled":
            construction.check_repair_place(self.board, self.power, unit)
        if unit.fleet in self.moves:
            reason = f"{unit.name} is in {unit.fleet}, which has been ordered to move (EN-MOV-6)"
            raise BadOrder("EN-VAL-16", reason, f"{unit.fleet}: transfer {unit.name} to another fleet first", IGNORED)
        construction.repair(self.board, self.power, unit.id)
        return said.Repair(unit.id)

    def scrap(self, line: Line, rest: str) -> Sequence[Any]:
        return self.each(line, rest, self._scrap_one)

    def _scrap_one(self, text: str) -> said.Scrap:
        unit = self.own_unit(text)
        construction.scrap(self.board, self.power, unit.id)
        return said.Scrap(unit.id)

    def intel(self, line: Line, rest: str) -> Sequence[Any]:
        """EN-VAL-19: what is spent at step 9 must be held after what is bought at step 5."""
        found = _INTEL.fullmatch(rest)
        if not found:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "intel buy 2 at Vega", IGNORED)
        points, system = int(found[2]), self.system(found[3])
        if found[1].casefold() == "buy":
            economy.buy_intel(self.board, self.power, points, system)
            return [said.BuyIntel(points, system)]
        economy.check_positive(points)
        held = self.board.powers[self.power].intel.get(system, 0) - self.spending.get(system, 0)
        if points > held:
            reason = f"{points} Intel spent at {system}, {held} held"
            raise BadOrder("EN-VAL-19", reason, f"the largest legal number is {held}", IGNORED)
        self.spending[system] = self.spending.get(system, 0) + points
        return [said.SpendIntel(points, system)]

    def invest(self, line: Line, rest: str) -> Sequence[Any]:
        found = _AT.fullmatch(rest)
        if not found:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "invest prod at Vega", IGNORED)
        stat, system = one_of(found[1], ("cen", "mor", "prod")).upper(), self.system(found[2])
        economy.invest(self.board, self.power, stat, system)
        return [said.Invest(stat, system)]

    def research(self, line: Line, rest: str) -> Sequence[Any]:
        words = rest.split()
        if len(words) != 2:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "research Escort 20", IGNORED)
        path = match_name(words[0], PATHS)
        if path is None:
            raise unknown("path", words[0], PATHS)
        amount = number(words[1])
        economy.research(self.board, self.power, path, amount)
        return [said.Research(path, amount)]

    def draw(self, line: Line, rest: str) -> Sequence[Any]:
        """EN-VAL-10, 11, 12: a name, a class, stats in any order, perhaps abilities."""
        found = _DESIGN.fullmatch(rest)
        if not found:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "design Halberd DD dv 3 as 3 af 1", IGNORED)
        code = match_name(found[2], self.board.classes())
        if code is None:
            raise unknown("class", found[2], self.board.classes())
        stats = {stat.upper(): int(value) for stat, value in _STAT.findall(found[3])}
        words = [self._ability(word.strip()) for word in (found[4] or "").split(",") if word.strip()]
        fields = {key: stats.get(key, 0) for key in ("DV", "AS", "AF", "CV")}
        entry = DesignEntry(code, 1, **fields, abilities=tuple(words))
        name = plain_name(found[1])
        economy.draw_design(self.board, self.power, name, entry)
        return [said.DrawDesign(name, entry)]

    def _ability(self, text: str) -> str:
        found = match_name(text, abilities())
        if found is None:
            raise unknown("ability", text, abilities())
        return found

    def rename(self, line: Line, rest: str) -> Sequence[Any]:
        """EN-VAL-37: a unit or a fleet takes a new name."""
        found = _TO.fullmatch(rest)
        if not found:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "rename Lance 7 to Ajax", IGNORED)
        fleets = [name for owner, name in sorted(self.board.fleets) if owner == self.power]
        old, new = match_name(found[1], fleets), plain_name(found[2])
        if old is not None and match_name(found[1], [unit.name for unit in self.board.of(self.power)]) is None:
            cargo.rename_fleet(self.board, self.power, old, new)
            if old in self.moves:
                self.moves[new] = self.moves.pop(old)
            return [said.RenameFleet(old, new)]
        unit = self.own_unit(found[1])
        cargo.rename_unit(self.board, self.power, unit.id, new)
        return [said.RenameUnit(unit.id, new)]

    def set_doctrine(self, line: Line, rest: str) -> Sequence[Any]:
        if line.unit != _EMPIRE and not self.is_fleet(line.unit):
            raise wrong_place(f"a doctrine under '{line.unit}'", "it belongs under Empire: or a fleet's name")
        fleet = "" if line.unit == _EMPIRE else self.own_fleet(line.unit)
        topic, value = self.doctrine(line, rest)
        return [said.SetDoctrine(fleet, topic, value)]

    # --- fleets ------------------------------------------------------------------------------------------------------

    def is_fleet(self, name: str) -> bool:
        return (self.power, name) in self.board.fleets

    def header_fleet(self, line: Line) -> str:
        """EN-VAL-4: the order needs a fleet's header."""
        if self.is_fleet(line.unit):
            return line.unit
        if line.unit != _EMPIRE and match_name(line.unit, [unit.name for unit in self.board.of(self.power)]) is None:
            raise unknown(
                "fleet", line.unit, [name for owner, name in sorted(self.board.fleets) if owner == self.power]
            )
        verb = line.text.split()[0]
        raise wrong_place(f"'{verb}' under '{line.unit}'", f"it belongs under a fleet: First Fleet: {line.text}")

    def move(self, line: Line, rest: str) -> Sequence[Any]:
        fleet = self.header_fleet(line)
        path = self._path(rest)
        movement.check_path(self.board, self.power, fleet, path, self._traffic_without(fleet))
        self.moves.pop(fleet, None)
        self.moves[fleet] = path
        return [said.Move(fleet, path)]

    def _path(self, text: str) -> tuple[str, ...]:
        """Systems one after the other, commas optional."""
        found: list[str] = []
        rest = text.replace(",", " ").strip()
        while rest:
            step = leading_name(rest, sorted(self.board.systems))
            if step is None:
                raise unknown("system", rest, sorted(self.board.systems))
            found.append(step[0])
            rest = step[1].strip()
        if not found:
            raise BadOrder("EN-VAL-1", "move names no system", "move Altair", IGNORED)
        return tuple(found)

    def _traffic_without(self, fleet: str) -> movement.Traffic:
        traffic: movement.Traffic = {}
        for name, path in self.moves.items():
            if name != fleet and self.is_fleet(name):
                movement.count_traffic(self.board, self.power, name, path, traffic)
        return traffic

    def hold(self, line: Line, rest: str) -> Sequence[Any]:
        if rest:
            raise BadOrder("EN-VAL-1", f"'{rest}' behind hold is not understood", "hold", IGNORED)
        fleet = self.header_fleet(line)
        self.moves.pop(fleet, None)
        return [said.Move(fleet, ())]

    def transfer(self, line: Line, rest: str) -> Sequence[Any]:
        fleet = self.header_fleet(line)
        found = _TO.fullmatch(rest)
        if not found:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "transfer Ajax to Second Fleet", IGNORED)
        names = [name for owner, name in sorted(self.board.fleets) if owner == self.power]
        to = match_name(found[2], names) or plain_name(found[2])
        ships = self.each(line, found[1], lambda text: self._transfer_one(text, fleet, to))
        return [said.Transfer(tuple(ships), to)]

    def _transfer_one(self, text: str, fleet: str, to: str) -> int:
        ship = self.own_unit(text)
        if not self.board.is_ship(ship):
            raise BadOrder("EN-VAL-16", f"{ship.name} is no ship and belongs to no fleet", "name a ship", IGNORED)
        here = self.board.fleets[self.power, fleet].location if self.is_fleet(fleet) else ship.location
        if ship.location != here:
            reason = f"{ship.name} is at {ship.location}, {fleet} at {here}"
            raise BadOrder("EN-VAL-17", reason, f"a ship at {here}", IGNORED)
        if ship.repairing and to in self.moves:
            raise BadOrder("EN-VAL-16", f"{ship.name} is under repair and {to} will move", "another fleet", IGNORED)
        cargo.transfer(self.board, self.power, [ship.id], to)
        return ship.id

    # --- cargo -------------------------------------------------------------------------------------------------------

    def header_carrier(self, line: Line) -> Unit:
        """EN-VAL-4: the order needs a ship's or Station's header."""
        name = match_name(line.unit, [unit.name for unit in self.board.of(self.power)])
        if name is None or not self.board.ship_or_station(unit := self.own_unit(name)):
            verb = line.text.split()[0]
            raise wrong_place(
                f"'{verb}' under '{line.unit}'", f"it belongs under a ship or Station: Atlas: {line.text}"
            )
        return unit

    def load(self, line: Line, rest: str) -> Sequence[Any]:
        carrier = self.header_carrier(line)
        return self.each(line, rest, lambda text: self._load_one(text, carrier))

    def _load_one(self, text: str, carrier: Unit) -> said.Load:
        unit = self.own_unit(text)
        if self.board.design(unit).category not in ("flight", "troop"):
            raise BadOrder("EN-VAL-18", f"{unit.name} cannot be carried", "flights and troops can", IGNORED)
        cargo.load(self.board, self.power, carrier.id, unit.id)
        return said.Load(carrier.id, unit.id)

    def unload(self, line: Line, rest: str) -> Sequence[Any]:
        """EN-CAR-1: before movement, or ``after`` it."""
        carrier = self.header_carrier(line)
        words = rest.split()
        after = bool(words) and words[-1].casefold() == "after"
        names = " ".join(words[:-1] if after else words)
        if names.casefold() == "all" and after:
            return [said.Unload(carrier.id, None, after=True)]
        if names.casefold() == "all":
            names = ", ".join(unit.name for unit in self.board.aboard(carrier.id))
            if not names:
                raise BadOrder("EN-VAL-17", f"nothing is aboard {carrier.name}", "load it first", IGNORED)
        when = "after" if after else "before"
        return self.each(line, names, lambda text: self._unload_one(text, carrier, when))

    def _unload_one(self, text: str, carrier: Unit, when: str) -> said.Unload:
        unit = self.own_unit(text)
        if when == "after":
            if unit.carrier != carrier.id:
                reason = f"{unit.name} is not aboard {carrier.name}"
                raise BadOrder("EN-VAL-17", reason, cargo.aboard_text(self.board, carrier), IGNORED)
            return said.Unload(carrier.id, unit.id, after=True)
        cargo.unload(self.board, self.power, carrier.id, unit.id, cargo.STEP_BEFORE)
        return said.Unload(carrier.id, unit.id)

    # --- silence -----------------------------------------------------------------------------------------------------

    def silence(self, moved: frozenset[str]) -> tuple[str, ...]:
        """What will be done where nothing was ordered."""
        fleets = sorted(key for key in self.board.fleets if key[0] == self.power)
        held = [
            f"{name} stays at {self.board.fleets[owner, name].location}." for owner, name in fleets if name not in moved
        ]
        left = self.board.powers[self.power].treasury
        return (*held, f"{left} EP stay in the treasury.") if left else tuple(held)

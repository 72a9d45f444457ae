"""Reading words of an order line against the table; every complaint names the word, the limit and what would do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.fleet_action import geometry
from games.fleet_action.data import ARCS
from games.fleet_action.orders.records import EVERY_PULSE, Order, Pulses
from games.fleet_action.state import Flight, Ship, Squadron
from games.fleet_action.table import GONE, Table
from pbem.kit import hexgrid
from pbem.kit.hexgrid import Hex
from pbem.kit.sheet import BadOrder, Line, Problem, leading_name, nearest

SYNTAX = "FA-E-1"
UNKNOWN = "FA-E-2"
WRONG_KIND = "FA-E-3"
BAD_PULSE = "FA-E-6"
NOT_AN_ENEMY = "FA-E-17"
OFF_MAP = "FA-E-31"
IGNORED = "the line is ignored"

_WORD = re.compile(r"[^\s,]+")


@dataclass
class Desk:
    """One side's letter on the table: who writes, and what was found beside the orders."""

    table: Table
    side: str
    new_names: Sequence[str] = ()
    """Ships and flights the letter buys, which may be named in it."""
    remarks: list[Problem] = field(default_factory=list)

    @property
    def turn(self) -> int:
        return self.table.state.turn

    def remark(self, line: Line, rule: str, reason: str, hint: str = "", instead: str = "") -> None:
        """A complaint that does not cost the line."""
        self.remarks.append(Problem(line.number, line.text, rule, reason, hint, instead, line.unit))

    # --- own and enemy units -----------------------------------------------------------------------------------------

    def own_squadrons(self) -> list[Squadron]:
        squadrons = self.table.squadrons.values()
        return [s for s in squadrons if s.side == self.side and s.state != "off" and self.table.members(s)]

    def own_ships(self) -> list[Ship]:
        return [ship for squadron in self.own_squadrons() for ship in self.table.members(squadron)]

    def own_flights(self) -> list[Flight]:
        return [f for f in self.table.flights.values() if f.side == self.side and f.state not in GONE]

    def enemy_squadrons(self) -> list[Squadron]:
        return [s for s in self.table.enemy_squadrons(self.side) if self.table.members(s)]

    def enemy_ships(self) -> list[Ship]:
        return [ship for squadron in self.enemy_squadrons() for ship in self.table.members(squadron)]

    def enemy_flights(self) -> list[Flight]:
        return [f for f in self.table.airborne() if f.side != self.side]

    def kind_of(self, unit: str) -> str:
        if unit in self.table.squadrons:
            return "squadron"
        if unit in self.table.ships:
            return "ship"
        if unit in self.table.flights:
            return "flight"
        return "fleet"


@dataclass
class Words:
    """The words behind a verb, taken from the left."""

    desk: Desk
    line: Line
    rest: str
    usage: str = ""
    """How the order is written; shown when it is not."""

    def syntax(self, reason: str) -> BadOrder:
        return BadOrder(SYNTAX, reason, self.usage, IGNORED)

    def take(self, *options: str) -> str | None:
        """The next word if it is one of these; it is consumed."""
        found = _WORD.match(self.rest)
        if found and found[0].casefold() in options:
            self.rest = self.rest[found.end() :].lstrip(" ,")
            return found[0].casefold()
        return None

    def need(self, *options: str) -> str:
        taken = self.take(*options)
        if taken is None:
            given = self.rest.split(" ")[0] or "nothing"
            close = nearest(given, options)
            hint = f"; did you mean '{close}'?" if close else ""
            raise self.syntax(f"'{given}' where {' or '.join(options)} belongs{hint}")
        return taken

    def word(self, what: str) -> str:
        """Any next word."""
        found = _WORD.match(self.rest)
        if not found:
            raise self.syntax(f"{what} is missing")
        self.rest = self.rest[found.end() :].lstrip(" ")
        return found[0]

    def number(self, what: str, most: int = 9999) -> int:
        text = self.word(what)
        if not text.isdigit() or int(text) > most:
            raise self.syntax(f"'{text}' is not {what}")
        return int(text)

    def optional_number(self) -> int | None:
        found = re.match(r"\d{1,4}(?=\s|,|$)", self.rest)
        if not found:
            return None
        self.rest = self.rest[found.end() :].lstrip(" ,")
        return int(found[0])

    def yes(self) -> bool:
        return self.need("yes", "no") == "yes"

    def end(self) -> None:
        """Nothing may be left over."""
        if self.rest:
            raise self.syntax(f"'{self.rest}' is left over")

    # --- pulses and hexes --------------------------------------------------------------------------------------------

    def pulse(self, default: int = 1) -> int:
        """``pulse n``; a pulse other than 1-3 is read as 1 (FA-E-6)."""
        if not self.take("pulse"):
            return default
        text = self.word("a pulse")
        if text in ("1", "2", "3"):
            return int(text)
        self.desk.remark(self.line, BAD_PULSE, f"pulse {text}; there are pulses 1 to 3", "pulse 1", "pulse 1 is used")
        return 1

    def pulses(self) -> Pulses:
        """``pulse n`` or ``pulse 1-2``; none: every pulse."""
        if not self.take("pulse"):
            return EVERY_PULSE
        text = self.word("a pulse")
        found = re.fullmatch(r"(\d)(?:-(\d))?", text)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if 1 <= first <= last <= 3:
            return tuple(range(first, last + 1))
        self.desk.remark(self.line, BAD_PULSE, f"pulse {text}; there are pulses 1 to 3", "pulse 1-2", "pulse 1 is used")
        return (1,)

    def hex(self) -> Hex:
        """A hex by name or axial pair, on the map (FA-E-31)."""
        found = re.match(r"\(\s*-?\d+\s*,\s*-?\d+\s*\)|[^\s,]+", self.rest)
        text = found[0] if found else ""
        at = hexgrid.parse(text)
        if at is None:
            raise self.syntax(f"'{text or 'nothing'}' is not a hex")
        self.rest = self.rest[len(text) :].lstrip(" ,")
        if not self.desk.table.on_map(at):
            state = self.desk.table.state
            size = f"the map has columns 1-{state.map_w} and rows 1-{state.map_h}"
            raise BadOrder(OFF_MAP, f"hex {text} is off the map; {size}", "a hex on the map", IGNORED)
        return at

    def heading(self) -> int:
        text = self.word("a heading")
        if text not in ("1", "2", "3", "4", "5", "6"):
            raise self.syntax(f"heading {text}; headings are 1 (N) clockwise to 6 (NW)")
        return int(text)

    def arc(self) -> str:
        """An arc if one stands here."""
        taken = self.take(*(arc.casefold() for arc in ARCS))
        return taken.upper() if taken else ""

    def offset(self) -> Hex:
        """One or more terms such as ``FP1``, up to a comma."""
        found = re.match(r"((?:FS|FP|AS|AP|F|A)\d{1,2}(?:\s+|(?=,)|$))+", self.rest, re.IGNORECASE)
        if not found:
            raise self.syntax(f"'{self.rest or 'nothing'}' is not an offset such as FP1 or F1 FS2")
        self.rest = self.rest[found.end() :].lstrip(" ")
        offset = geometry.read_offset(found[0].strip())
        assert offset is not None
        return offset

    # --- names -------------------------------------------------------------------------------------------------------

    def name(self, known: Sequence[str], rule: str, what: str) -> str:
        """The longest known name that stands here."""
        found = leading_name(self.rest, known)
        if not found:
            given = self.rest.split(",")[0].strip() or "nothing"
            close = nearest(given, known) or nearest(given.split(" ")[0], known)
            hint = f"did you mean '{close}'?" if close else f"known: {', '.join(known[:8])}"
            raise BadOrder(rule, f"'{given}' is not {what}", hint if known else "", IGNORED)
        self.rest = found[1]
        return found[0]

    def names(self, known: Sequence[str], rule: str, what: str) -> tuple[str, ...]:
        """Names with commas between them."""
        found = [self.name(known, rule, what)]
        while self.rest.startswith(","):
            self.rest = self.rest[1:].lstrip()
            found.append(self.name(known, rule, what))
        return tuple(found)

    def enemy_squadron(self) -> str:
        return self.name([s.name for s in self.desk.enemy_squadrons()], NOT_AN_ENEMY, "an enemy squadron in play")

    def enemy_ship(self) -> str:
        return self.name([s.name for s in self.desk.enemy_ships()], NOT_AN_ENEMY, "an enemy ship in play")

    def own_ship(self) -> str:
        return self.name([s.name for s in self.desk.own_ships()], UNKNOWN, "a ship of yours")

    def own_squadron(self) -> str:
        return self.name([s.name for s in self.desk.own_squadrons()], UNKNOWN, "a squadron of yours")

    def own_squadrons(self) -> tuple[str, ...]:
        return self.names([s.name for s in self.desk.own_squadrons()], UNKNOWN, "a squadron of yours")

    def own_ships(self) -> tuple[str, ...]:
        return self.names([s.name for s in self.desk.own_ships()], UNKNOWN, "a ship of yours")

    def member(self, rule: str) -> str:
        """A ship of the squadron whose block this is."""
        squadron = self.desk.table.squadrons[self.line.unit]
        ships = [ship.name for ship in self.desk.table.members(squadron)]
        return self.name(ships, rule, f"a ship of {squadron.name}")


Reader = Callable[[Words], Order]
"""Makes an order of the words behind its verb."""


@dataclass(frozen=True)
class Verb:
    """An order word: who may be given it, in which phases, and its reader."""

    kinds: tuple[str, ...]
    """squadron, ship, flight, fleet"""
    read: Reader
    usage: str
    standing: bool = False
    """FA-DOC-7: it may stay in force."""
    stages: tuple[str, ...] = ("turn",)
    single: bool = False
    """FA-E-30: given twice, the last counts."""

"""Reading words of an order line against the table; every complaint names the word, the limit and what would do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.fleet_action.data import ARCS
from games.fleet_action.orders.desk import IGNORED, SYNTAX, UNKNOWN, Desk
from games.fleet_action.orders.records import Pulses
from games.fleet_action.rules import geometry
from games.fleet_action.state import PULSES, Flight, Ship, Squadron
from pbem.kit import hexgrid
from pbem.kit.hexgrid import Hex
from pbem.kit.sheet import BadOrder, Line, leading_name, nearest

BAD_PULSE = "FA-E-6"
NOT_AN_ENEMY = "FA-E-17"
OFF_MAP = "FA-E-31"

_WORD = re.compile(r"[^\s,]+")
_NUMBER = re.compile(r"\d+")
_CONDITIONS = ("pulse", "within", "chance", "prefer", "radius", "station", "power", "vs", "with", "for", "speed", "on")
"""Words that go on with an order."""
_COMPASS = ("n", "ne", "se", "s", "sw", "nw")
_TERMS = ("FS", "FP", "AS", "AP", "F", "A")
MOST_WORDS = 3
"""Words that are looked at together when a name is not known."""


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

    def propose(self, rest: str, given: str, *better: str) -> None:
        """What may have been meant by a word: the line with each of these in its place. ``rest`` begins with it."""
        text = self.line.text
        if text.endswith(rest) and rest.startswith(given):
            head, tail = text[: len(text) - len(rest)], rest[len(given) :]
            lines = [f"{head} {word}{tail}" for word in better if word not in ("", given)]
            self.desk.propose(self.line.number, *(" ".join(line.replace(" ,", ",").split()) for line in lines))

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
            if close:
                self.propose(self.rest, given, close)
            elif len(options) == 1 or not self.rest:
                self.propose(self.rest, "", f"{options[0]} ")
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
        rest = self.rest
        text = self.word(what)
        if not text.isdigit() or int(text) > most:
            self._propose_numbers(rest, text, 0, most)
            raise self.syntax(f"'{text}' is not {what}")
        return int(text)

    def _propose_numbers(self, rest: str, text: str, least: int, most: int) -> None:
        """The nearest number that may stand here."""
        found = [0] if text.startswith("-") else [int(digits) for digits in _NUMBER.findall(text)[:1]]
        self.propose(rest, text, *(str(max(least, min(most, figure))) for figure in found))

    def optional_number(self) -> int | None:
        found = re.match(r"\d{1,4}(?=\s|,|$)", self.rest)
        if not found:
            return None
        self.rest = self.rest[found.end() :].lstrip(" ,")
        return int(found[0])

    def yes(self) -> bool:
        return self.need("yes", "no") == "yes"

    def comma(self) -> bool:
        """A comma stands here; it is consumed."""
        if not self.rest.startswith(","):
            return False
        self.rest = self.rest[1:].lstrip()
        return True

    def remainder(self, what: str) -> str:
        """All that is left of the line."""
        if not self.rest:
            raise self.syntax(f"{what} missing")
        text, self.rest = self.rest, ""
        return text

    def end(self) -> None:
        """Nothing may be left over."""
        if self.rest:
            word = self.rest.split(" ")[0]
            self.propose(self.rest, word, nearest(word, _CONDITIONS))
            self.propose(self.rest, "", ", ")
            self.propose(self.rest, self.rest, " ")
            raise self.syntax(f"'{self.rest}' is left over")

    # --- pulses and hexes --------------------------------------------------------------------------------------------

    def pulse(self, default: int = 1) -> int:
        """``pulse n``; a pulse other than 1-3 is read as 1 (FA-E-6)."""
        if not self.take("pulse"):
            return default
        rest = self.rest
        text = self.word("a pulse")
        if text in ("1", "2", "3"):
            return int(text)
        self._propose_numbers(rest, text, 1, 3)
        self.desk.warn(self.line, BAD_PULSE, f"pulse {text}; there are pulses 1 to 3", "pulse 1", "pulse 1 is used")
        return 1

    def pulses(self) -> Pulses:
        """``pulse n`` or ``pulse 1-2``; none: every pulse."""
        if not self.take("pulse"):
            return PULSES
        rest = self.rest
        text = self.word("a pulse")
        found = re.fullmatch(r"(\d)(?:-(\d))?", text)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if 1 <= first <= last <= 3:
            return tuple(range(first, last + 1))
        meant = sorted({max(1, min(3, int(digits))) for digits in _NUMBER.findall(text)[:2]})
        self.propose(rest, text, "-".join(map(str, meant)))
        self.desk.warn(self.line, BAD_PULSE, f"pulse {text}; there are pulses 1 to 3", "pulse 1-2", "pulse 1 is used")
        return (1,)

    def hex(self) -> Hex:
        """A hex by name or axial pair, on the map (FA-E-31)."""
        found = re.match(r"\(\s*-?\d+\s*,\s*-?\d+\s*\)|[^\s,]+", self.rest)
        text = found[0] if found else ""
        at = hexgrid.parse(text)
        if at is None:
            figures = re.findall(r"\d{1,2}", text)
            self.propose(self.rest, text, "".join(f"{int(part):02d}" for part in figures))
            raise self.syntax(f"'{text or 'nothing'}' is not a hex")
        rest, self.rest = self.rest, self.rest[len(text) :].lstrip(" ,")
        if not self.desk.table.on_map(at):
            state = self.desk.table.state
            column, row = hexgrid.column_row(at)
            column, row = max(1, min(state.map_w, column)), max(1, min(state.map_h, row))
            self.propose(rest, text, hexgrid.name(hexgrid.from_column_row(column, row)))
            size = f"the map has columns 1-{state.map_w} and rows 1-{state.map_h}"
            raise BadOrder(OFF_MAP, f"hex {text} is off the map; {size}", "a hex on the map", IGNORED)
        return at

    def heading(self) -> int:
        rest = self.rest
        text = self.word("a heading")
        if text not in ("1", "2", "3", "4", "5", "6"):
            if text.casefold() in _COMPASS:
                self.propose(rest, text, str(_COMPASS.index(text.casefold()) + 1))
            elif text.isdigit():
                self.propose(rest, text, str((int(text) - 1) % 6 + 1))
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
            text = self.rest.split(",")[0]
            terms = re.findall(r"([FAPS]+)\s*(\d{1,2})", text, re.IGNORECASE)
            meant = [f"{arc}{count}" for given, count in terms if (arc := nearest(given, _TERMS))]
            self.propose(self.rest, text, " ".join(meant))
            raise self.syntax(f"'{self.rest or 'nothing'}' is not an offset such as FP1 or F1 FS2")
        self.rest = self.rest[found.end() :].lstrip(" ")
        offset = geometry.read_offset(found[0].strip())
        assert offset is not None
        return offset

    # --- names -------------------------------------------------------------------------------------------------------

    def name(self, names: Sequence[str], rule: str, what: str) -> str:
        """The longest of these names that stands here."""
        leading = leading_name(self.rest, names)
        if not leading:
            given = self.rest.split(",")[0].strip() or "nothing"
            close = nearest(given, names) or nearest(given.split(" ")[0], names)
            self.propose_nearest(names)
            hint = f"did you mean '{close}'?" if close else f"known: {', '.join(names[:8])}"
            raise BadOrder(rule, f"'{given}' is not {what}", hint if names else "", IGNORED)
        name, self.rest = leading
        return name

    def propose_nearest(self, names: Sequence[str]) -> None:
        """The known word most like the next few; the only one there is."""
        parts = self.rest.split(",")[0].split(" ")
        for count in range(min(MOST_WORDS, len(parts)), 0, -1):
            given = " ".join(parts[:count])
            close = nearest(given, names) if given else ""
            self.propose(self.rest, given, close)
        self.propose(self.rest, parts[0], *names[: len(names) == 1])

    def names(self, names: Sequence[str], rule: str, what: str) -> tuple[str, ...]:
        """Names with commas between them."""
        listed = [self.name(names, rule, what)]
        while self.comma():
            listed.append(self.name(names, rule, what))
        return tuple(listed)

    def key(self, what: str, keys: Iterable[str]) -> str:
        """One of the keys of a table of the book."""
        rest, given = self.rest, self.word(what)
        key = given.casefold()
        if key not in keys:
            close = nearest(key, keys)
            self.propose(rest, given, close)
            raise self.syntax(f"no {what.split(' ', 1)[1]} '{key}'" + (f"; did you mean '{close}'?" if close else ""))
        return key

    def unit(self, units: Iterable[Squadron | Ship | Flight], rule: str, what: str) -> str:
        return self.name([unit.name for unit in units], rule, what)

    def units(self, units: Iterable[Squadron | Ship | Flight], rule: str, what: str) -> tuple[str, ...]:
        return self.names([unit.name for unit in units], rule, what)

    def enemy_squadron(self) -> str:
        """A ship's name may stand for its squadron in a proposal."""
        leading = leading_name(self.rest, [ship.name for ship in self.desk.enemy_ships()])
        if leading and leading[0] not in self.desk.table.squadrons:
            given = self.rest[: len(self.rest) - len(leading[1])].rstrip()
            self.propose(self.rest, given, self.desk.table.ships[leading[0]].squadron)
        return self.unit(self.desk.enemy_squadrons(), NOT_AN_ENEMY, "an enemy squadron in play")

    def enemy_ship(self) -> str:
        return self.unit(self.desk.enemy_ships(), NOT_AN_ENEMY, "an enemy ship in play")

    def own_ship(self) -> str:
        return self.unit(self.desk.own_ships(), UNKNOWN, "a ship of yours")

    def own_ships(self) -> tuple[str, ...]:
        return self.units(self.desk.own_ships(), UNKNOWN, "a ship of yours")

    def own_squadron(self) -> str:
        return self.unit(self.desk.own_squadrons(), UNKNOWN, "a squadron of yours")

    def own_squadrons(self) -> tuple[str, ...]:
        return self.units(self.desk.own_squadrons(), UNKNOWN, "a squadron of yours")

    def member(self, rule: str = UNKNOWN) -> str:
        """A ship of the squadron whose block this is."""
        return self.unit(self._mates(), rule, f"a ship of {self.line.unit}")

    def members(self) -> tuple[str, ...]:
        return self.units(self._mates(), UNKNOWN, f"a ship of {self.line.unit}")

    def _mates(self) -> list[Ship]:
        return self.desk.table.members(self.desk.table.squadrons[self.line.unit])

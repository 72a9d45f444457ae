"""The words of an order line: names a side may use, mounts, hexes, numbers, programs; and how they are refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from games.broadsides.data import ShipClass, WeaponType
from games.broadsides.orders.records import Order
from games.broadsides.phase import units
from games.broadsides.rules.mounts import SIZE_WORDS, covers
from games.broadsides.rules.sighting import known_enemies
from games.broadsides.state import Flight, Program, Ship, Side2, State, Unit
from pbem.kit.hexgrid import Hex, parse
from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Line, match_name, nearest

DROPPED = "the line is left out"
SYNTAX = "BR-VAL-2"
PROGRAM_KINDS = ("nearest", "biggest", "best-chance", "closing")
MISSILE_KINDS = ("standard", "long", "heavy", "harm", "antifighter")
FILLERS = """
from to at of with if side weapon system port starboard stop yes away within beyond path heading facing
nearest biggest best-chance closing over unless slow fighter any else piercing called split shift
all light medium heavy below none max min never notarget fighters focus spread press out
sensors jammer standard long harm antifighter fore aft thruster
"""
"""Words that stand behind a verb."""
_NUMBER = re.compile(r"[+-]?\d{1,4}")
_PROGRAM = re.compile(
    r"(nearest|biggest|best-chance|closing)(?: over (\d+))?( unless slow)?(?: (fighter|any))?", re.IGNORECASE
)


def bad_form(text: str, form: str) -> BadOrder:
    """BR-VAL-2: the expected form is always named."""
    return BadOrder(SYNTAX, f"'{text}' cannot be read", f"write {form}", DROPPED)


def put_right(line: Line, wrong: str, right: str) -> str:
    """The line with the last words of that kind put right."""
    at = line.text.casefold().rfind(wrong.strip().casefold())
    mended = line.text if at < 0 else f"{line.text[:at]}{right}{line.text[at + len(wrong.strip()) :]}"
    return " ".join(mended.split())


def spelt_like(word: str, known: Iterable[str]) -> str:
    """The known word most like this one, or the word itself where it has figures or none is like it."""
    words = list(known)
    if word.casefold() in (one.casefold() for one in words) or not word.isalpha():
        return word
    return nearest(word, words) or word


def matched(pattern: str, text: str, form: str) -> re.Match[str]:
    """The parts of a line in this form."""
    found = re.fullmatch(pattern, text, re.IGNORECASE)
    if not found:
        raise bad_form(text, form)
    return found


def read_number(text: str, form: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise bad_form(text, form)
    return int(text)


def read_hex(text: str, form: str) -> Hex:
    at = parse(text) if "," in text else None
    if at is None:
        raise bad_form(text, form)
    return at


def read_side(text: str) -> Side2:
    return "port" if text.casefold() == "port" else "starboard"


def read_side_and_number(text: str, form: str) -> tuple[Side2, int]:
    found = matched(r"(port|starboard) (-?\d+)", text, form)
    return read_side(found[1]), int(found[2])


def read_direction(text: str, what: str, line: Line) -> int:
    n = int(text)
    if n > 5:
        fix = put_right(line, f"{what} {text}", f"{what} {n % 6}")
        raise BadOrder("BR-VAL-29", f"{what} {n}; directions are 0 to 5", f"{what} {n % 6}", DROPPED, fix)
    return n


# --- programs and parts of a ship ------------------------------------------------------------------------------------


def read_program(text: str) -> Program | None:
    """``best-chance over 10 fighter``; None if it is no program."""
    found = _PROGRAM.fullmatch(" ".join(text.split()))
    if not found:
        return None
    kind = found[1].casefold()
    if (found[2] and kind != "best-chance") or (found[3] and kind != "closing"):
        return None
    among = (found[4] or "ship").casefold()
    return Program(kind, int(found[2]) if found[2] else None, bool(found[3]), among)  # type: ignore[arg-type]


def write_program(program: Program) -> str:
    words: list[str] = [program.kind]
    if program.over is not None:
        words.append(f"over {program.over}")
    if program.unless_slow:
        words.append("unless slow")
    if program.among != "ship":
        words.append(program.among)
    return " ".join(words)


def read_section(text: str, sheet: ShipClass, rule: str, line: Line) -> str:
    section = text.strip().casefold()
    if section not in sheet.sides:
        sides = ", ".join(sheet.sides) or "no sides"
        close = nearest(section, sheet.sides) or next(iter(sheet.sides), "")
        fix = put_right(line, f"side {section}", f"side {close}" if close else "")
        raise BadOrder(rule, f"{sheet.name} has no side '{section}'", f"it has {sides}", DROPPED, fix)
    return section


def read_system(text: str, sheet: ShipClass) -> str:
    """``thruster fore`` is thruster-fore; what stands once in a main section may be named alone, as ``sensors``."""
    words = text.casefold().split()
    plain = sheet.systems.get(words[0])
    return words[0] if plain and plain.section in (*words[1:], "main") else "-".join(words)


# --- names -----------------------------------------------------------------------------------------------------------


class Names:
    """Looks names up for one side; remarks that do not cost a line go to the judge."""

    def __init__(self, state: State, side: str, judge: Judge[Order]) -> None:
        self.state, self.side, self.judge = state, side, judge
        self.catalogue = state.cards
        self.own = units(state, side)
        self.enemies = known_enemies(state, side)

    # --- units

    def unit(self, line: Line) -> Unit | None:
        return self.state.unit(line.unit)

    def living_unit(self, line: Line) -> Unit:
        """BR-VAL-1: the line stands under a unit that is still in the battle."""
        unit = self.unit(line)
        if unit is None:
            reason = "this order needs a ship or flight: it stands under no unit's name"
            raise BadOrder("BR-VAL-1", reason, f"{self.own[0] if self.own else 'Name'}: {line.text}", DROPPED)
        if unit.gone:
            raise BadOrder("BR-VAL-1", f"{unit.name} is {unit.status}", f"your units: {self._present()}", DROPPED)
        return unit

    def _present(self) -> str:
        present = [name for name in self.own if (unit := self.state.unit(name)) and not unit.gone]
        return ", ".join(present[:8])

    def ship(self, line: Line) -> Ship:
        unit = self.living_unit(line)
        if not isinstance(unit, Ship):
            raise BadOrder("BR-VAL-2", f"{unit.name} is a flight; this order is for ships", "", DROPPED)
        return unit

    def craft(self, line: Line, verb: str) -> Flight:
        unit = self.living_unit(line)
        if not isinstance(unit, Flight):
            raise BadOrder("BR-VAL-2", f"{unit.name} is a ship; '{verb}' is for flights", "", DROPPED)
        return unit

    def flight(self, line: Line, verb: str) -> Flight:
        """A flight of fighters; shuttles only move and land."""
        flight = self.craft(line, verb)
        if self.catalogue.fighters[flight.class_name].kind == "shuttle" and verb != "chase":
            reason = f"{flight.name} is a shuttle: it only moves and lands"
            raise BadOrder("BR-VAL-22", reason, "speed, path, chase or land", DROPPED)
        return flight

    def mover(self, line: Line, flights: str = "") -> Unit:
        """A unit that can move by itself; ``flights``: the complaint where the order is not for flights."""
        unit = self.living_unit(line)
        if isinstance(unit, Flight):
            if flights:
                reason = f"{unit.name} is a flight: no pivots, slides or rolls"
                raise BadOrder(flights, reason, "speed, path or chase", DROPPED)
            return unit
        if self.sheet(unit).fixed:
            reason = f"{unit.name} is a {self.sheet(unit).size} and never moves: thrust 0 is available"
            raise BadOrder("BR-VAL-3", reason, "no movement order", DROPPED)
        return unit

    def sheet(self, ship: Ship) -> ShipClass:
        return self.catalogue.classes[ship.class_name]

    def anybody(self, text: str, line: Line) -> str:
        """Any unit the side knows."""
        return self._known(text, (*self.own, *self.enemies), "BR-VAL-20", line)

    def enemy(self, text: str, line: Line) -> str:
        """BR-VAL-20: a known unit of the other side."""
        own = match_name(text, self.own)
        if own and not match_name(text, self.enemies):
            reason = f"'{own}' is on your own side"
            raise BadOrder("BR-VAL-20", reason, f"enemies: {', '.join(self.enemies[:8])}", DROPPED)
        return self._known(text, self.enemies, "BR-VAL-20", line)

    def own_ship(self, text: str, line: Line) -> str:
        return self._known(text, [name for name in self.own if name in self.state.ships], "BR-VAL-1", line)

    def _known(self, text: str, names: Sequence[str], rule: str, line: Line) -> str:
        name = match_name(text, names)
        if name:
            return name
        close = nearest(text.strip(), names)
        hint = f"did you mean '{close}'?" if close else f"known: {', '.join(names[:8])}"
        fix = put_right(line, text, close) if close else ""
        raise BadOrder(rule, f"no unit called '{text.strip()}' in '{line.text}'", hint, DROPPED, fix)

    def default_program(self, line: Line) -> Program:
        unit = self.unit(line)
        return unit.program if isinstance(unit, Ship) else Program()

    def switched(self, line: Line, area: str) -> None:
        """BR-VAL-28: the scenario plays with this area of the rules."""
        if not getattr(self.state.switches, area):
            reason = f"'{line.text}': this scenario has {area} = false"
            raise BadOrder("BR-VAL-28", reason, "", DROPPED)

    # --- mounts

    def box(self, line: Line, text: str) -> str:
        """A weapon or battery of the unit, standing."""
        ship = self.ship(line)
        sheet = self.sheet(ship)
        boxes = [system.id for system in sheet.systems.values() if system.kind in ("weapon", "battery")]
        box = text.strip().upper()
        if box not in boxes:
            close = nearest(box, boxes)
            hint = f"did you mean '{close}'?" if close else f"it has {', '.join(boxes)}"
            fix = put_right(line, text, close) if close else ""
            raise BadOrder("BR-VAL-17", f"{ship.name} has no mount '{text.strip()}'", hint, DROPPED, fix)
        if ship.blocks_left(sheet.systems[box]) <= 0:
            raise BadOrder("BR-VAL-17", f"{box} is destroyed and will never be ready", "", DROPPED)
        return box

    def mount(self, line: Line, text: str) -> str:
        """A weapon of the unit."""
        box = self.box(line, text)
        if self.sheet(self.ship(line)).systems[box].kind != "weapon":
            raise BadOrder("BR-VAL-17", f"{box} is a battery, not a weapon", "", DROPPED)
        return box

    def weapon(self, line: Line, mount: str) -> WeaponType:
        return self.catalogue.weapons[self.sheet(self.ship(line)).systems[mount].type]

    def mounts(self, line: Line, text: str) -> tuple[str, ...]:
        """``HL1,HL2``, ``TA*``, ``light``, ``all``: weapons only."""
        return self._refs(line, text, batteries=False)

    def boxes(self, line: Line, text: str) -> tuple[str, ...]:
        return self._refs(line, text, batteries=True)

    def _refs(self, line: Line, text: str, *, batteries: bool) -> tuple[str, ...]:
        ship = self.ship(line)
        types = {system.type for system in self.sheet(ship).systems.values() if system.type}
        refs: list[str] = []
        for part in re.split(r"[,\s]+", text.strip()):
            word = part.casefold()
            if word in SIZE_WORDS or word == "all":
                refs.append(word)
            elif part.endswith("*"):
                if part[:-1].upper() not in types:
                    hint, close = f"it has {', '.join(sorted(types))}", nearest(part[:-1], sorted(types))
                    fix = put_right(line, part, f"{close}*") if close else ""
                    raise BadOrder("BR-VAL-17", f"{ship.name} has no mounts of type '{part[:-1]}'", hint, DROPPED, fix)
                refs.append(part.upper())
            else:
                refs.append(self.box(line, part) if batteries else self.mount(line, part))
        return tuple(refs)

    def weapons(self, line: Line, refs: Sequence[str]) -> list[WeaponType]:
        """The weapon types a line of mounts covers."""
        sheet = self.sheet(self.ship(line))
        return [self.catalogue.weapons[mount.type] for mount in sheet.mounts if covers(self.catalogue, mount, refs)]

    def interceptors(self, line: Line, text: str) -> tuple[str, ...]:
        """BR-VAL-26: mounts with an intercept value."""
        refs = self.mounts(line, text)
        covered = {ref: self.weapons(line, (ref,)) for ref in refs}
        useless = [ref for ref, found in covered.items() if found and not any(weapon.intercept for weapon in found)]
        if useless:
            mounts = self.sheet(self.ship(line)).mounts
            able = dict.fromkeys(f"{one.type}*" for one in mounts if self.catalogue.weapons[one.type].intercept)
            kept = [ref for ref in refs if ref not in useless] or list(able)
            fix = f"intercept {', '.join(kept) or 'none'}"
            reason = f"{useless[0]} ({covered[useless[0]][0].name}) has the intercept value 0"
            raise BadOrder("BR-VAL-26", reason, f"mounts with a value: {', '.join(able) or 'none'}", DROPPED, fix)
        return refs


Verb = Callable[[Line, str], Order]


class Lines:
    """Reads the lines of one chapter: every public method of a subclass is an order word."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def verbs(self) -> dict[str, Verb]:
        words = (name for name in vars(type(self)) if not name.startswith("_"))
        return {word.replace("_", "-"): getattr(self, word) for word in words}

"""Setup orders: designs, fleets and deployment (section 6.5, BS-FLT, BS-V-50 to BS-V-62)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from games.battleshift.data import TABLES, units
from games.battleshift.orders import words as w
from games.battleshift.orders.draft import Draft, draft_of, draft_problems
from games.battleshift.orders.flight_readers import check_name
from games.battleshift.orders.grammar import IGNORED, Names, bad_syntax, read_bearing, read_formation, read_point
from games.battleshift.orders.readers import read_arrive, read_return
from games.battleshift.orders.verbs import LineReader
from games.battleshift.orders.words import Detail, Order
from games.battleshift.rules.building import SYSTEMS, BadDesign, check_design, check_squadron, read_design
from games.battleshift.rules.table import Battle
from games.battleshift.rules.thawing import thaw
from games.battleshift.state import QUADRANTS, ShipClass, State
from pbem.kit.dice import LoadedDice
from pbem.kit.sheet import BadOrder, Dialect, Line, Sheet, clean, match_name, read_sheet, read_verb

SYNTAX = {
    "design": "design Lancer = size 3, heavy 2, light 1, fast cost, weak shields",
    "squadron": "squadron Pike = 4 Lancer",
    "taskforce": "taskforce Dagger = Pike, Mace flag Pike",
    "loose": "loose Pike",
    "trait": "trait Pike Steady Crew",
    "admiral": "admiral veteran",
    "defence": "defence Terra NE heavy 2, missile 3",
    "deploy": "deploy Dagger at 24,40 facing N form line 1",
    "reserve": "reserve Dagger turn 3 sector 5B facing W at 54,18",
}


class SetupReader:
    """Reads setup lines one by one; designs made above may be used below."""

    def __init__(self, state: State, side: str, text: str) -> None:
        self.state, self.side = state, side
        self.battle: Battle = thaw(state, LoadedDice())
        self.designs: dict[str, ShipClass] = {}
        self.new = _new_names(text)
        self.names = Names(self.battle, side)
        self.names.own = {} if self.new else self.names.own
        for name, kind in self.new.items():
            self.names.own[name] = kind

    def read(self, line: Line) -> tuple[Order, ...]:
        if line.text.casefold().startswith("standing "):
            return LineReader(self.names, self.state.switches).read(line)
        verbs: dict[str, Callable[[Line, str], Detail]] = {
            "design": self._design,
            "squadron": self._squadron,
            "taskforce": self._taskforce,
            "loose": self._loose,
            "trait": self._trait,
            "admiral": self._admiral,
            "defence": self._defence,
            "deploy": self._deploy,
            "reserve": self._reserve,
            "arrive": lambda _, rest: read_arrive(self.names, rest),
        }
        found = re.match(r"\S+", line.text)
        verb = found[0].casefold() if found else ""
        detail = read_verb(line, verbs, "BS-V-1")
        unit = line.unit if isinstance(detail, w.Arrive) and line.unit != "Fleet" else ""
        return (Order(unit, verb, detail, False, line.text),)

    # --- building -----------------------------------------------------------------------------------------------------

    def _design(self, _line: Line, rest: str) -> Detail:
        try:
            design = read_design(rest)
        except BadDesign as error:
            raise BadOrder("BS-V-1", str(error), SYNTAX["design"], IGNORED) from error
        check_name(design.name)
        for fault in check_design(design, self.state.switches):
            raise BadOrder(fault.rule, fault.reason, fault.hint, IGNORED)
        self.designs[design.name] = design
        return w.DesignClass(design)

    def _class_named(self, text: str) -> ShipClass:
        known = {**units().classes, **self.state.classes, **self.designs}
        plural = [text, text[:-1]] if text.casefold().endswith("s") else [text]
        for one in plural:
            found = match_name(one, tuple(known))
            if found:
                return known[found]
        raise self.names.unknown(text, tuple(known))

    def _squadron(self, _line: Line, rest: str) -> Detail:
        found = re.fullmatch(r"(.+?)\s*=\s*(\d{1,3})\s+(.+)", rest)
        if not found:
            raise _bad("squadron", rest)
        name, count, made = found[1].strip("\"' "), int(found[2]), self._class_named(found[3].strip("\"' "))
        check_name(name)
        for fault in check_design(made, self.state.switches):
            raise BadOrder(fault.rule, fault.reason, fault.hint, IGNORED)
        crowd = check_squadron(count, made)
        if crowd is not None:
            raise BadOrder(crowd.rule, crowd.reason, crowd.hint, IGNORED)
        return w.RaiseSquadron(name, count, made.name)

    def _taskforce(self, _line: Line, rest: str) -> Detail:
        found = re.fullmatch(r"(.+?)\s*=\s*(.+?)(?:\s+flag\s+(.+))?", rest, re.IGNORECASE)
        if not found:
            raise _bad("taskforce", rest)
        name = found[1].strip("\"' ")
        check_name(name)
        members = tuple(self._own(item) for item in found[2].split(","))
        return w.RaiseTaskforce(name, members, self._own(found[3]) if found[3] else "")

    def _own(self, text: str) -> str:
        return self.names.own_unit(text.strip())

    def _loose(self, _line: Line, rest: str) -> Detail:
        return w.Loose(tuple(self._own(item) for item in rest.split(",") if item.strip()))

    def _trait(self, _line: Line, rest: str) -> Detail:
        if not self.state.switches.experience:
            raise BadOrder("BS-V-7", "the switch 'experience' is off in this scenario", "", IGNORED)
        for trait in TABLES.trait:
            if rest.casefold().endswith(" " + trait.casefold()):
                return w.GiveTrait(self._own(rest[: -len(trait)]), trait)
        raise BadOrder("BS-V-1", f"'{rest}' names no trait", f"traits: {', '.join(TABLES.trait)}", IGNORED)

    def _admiral(self, _line: Line, rest: str) -> Detail:
        if rest.casefold() != "veteran":
            raise _bad("admiral", rest)
        if not self.state.switches.experience:
            raise BadOrder("BS-V-7", "the switch 'experience' is off in this scenario", "", IGNORED)
        return w.VeteranAdmiral()

    def _defence(self, _line: Line, rest: str) -> Detail:
        found = re.fullmatch(r"(.+?)\s+(NE|SE|SW|NW|all)\s+(.+)", rest, re.IGNORECASE)
        if not found:
            raise _bad("defence", rest)
        bodies = [body.name for body in self.battle.bodies if body.side == self.side and body.name]
        body = match_name(found[1], bodies)
        if body is None:
            raise self.names.unknown(found[1], bodies)
        places = QUADRANTS if found[2].casefold() == "all" else (found[2].upper(),)
        return w.Defence(body, tuple(places), _systems(found[3]))

    # --- placing ------------------------------------------------------------------------------------------------------

    def _deploy(self, _line: Line, rest: str) -> Detail:
        pattern = r"(.+?)\s+at\s+([\d.\"]+\s*,\s*[\d.\"]+)\s+facing\s+(\w+)(?:\s+form\s+(.+))?"
        found = re.fullmatch(pattern, rest, re.IGNORECASE)
        point = read_point(found[2]) if found else None
        facing = read_bearing(found[3]) if found else None
        if not found or point is None or facing is None:
            raise _bad("deploy", rest)
        return w.Deploy(self._own(found[1]), *point, facing, read_formation(found[4]) if found[4] else None)

    def _reserve(self, _line: Line, rest: str) -> Detail:
        pattern = r"(.+?)\s+turn\s+(\d{1,3})\s+sector\s+(\S+)\s+facing\s+(\w+)(?:\s+at\s+(.+))?"
        found = re.fullmatch(pattern, rest, re.IGNORECASE)
        if not found:
            raise _bad("reserve", rest)
        unit = self._own(found[1])
        return w.Reserve(unit, read_return(self.names, int(found[2]), found[3], found[4], found[5]))


def _bad(verb: str, rest: str) -> BadOrder:
    error = bad_syntax(verb, rest)
    error.hint = SYNTAX[verb]
    return error


def _systems(text: str) -> tuple[tuple[str, int], ...]:
    found = []
    for item in text.split(","):
        word, _, count = item.strip().partition(" ")
        system = {"heavyion": "heavy_ion"}.get(word.casefold(), word.casefold())
        if system not in SYSTEMS or not count.strip().isdigit():
            raise _bad("defence", text)
        found.append((system, int(count)))
    return tuple(found)


def _new_names(text: str) -> dict[str, str]:
    """Squadrons and taskforces that the letter raises, so that they may be named anywhere in it."""
    found: dict[str, str] = {}
    for raw in text.splitlines():
        line = clean(raw)
        made = re.match(r"(squadron|taskforce)\s+(.+?)\s*=", line, re.IGNORECASE)
        if made:
            found.setdefault(made[2].strip("\"' "), made[1].casefold())
    return found


def read_setup(state: State, side: str, text: str) -> Sheet[Order]:
    """Parse and validate setup orders; a fleet that breaks a rule falls back to the scenario's."""
    reader = SetupReader(state, side, text)
    dialect = Dialect(tuple(reader.names.own), bad_syntax="BS-V-1", unknown_unit="BS-V-2", wrong_turn="BS-V-1")
    sheet = read_sheet(text, dialect, reader.read)
    kept = list(sheet.accepted)
    problems = []
    draft: Draft = draft_of(state, side, [entry.order for entry in kept])
    for problem, entry in draft_problems(draft, kept):
        problems.append(problem)
        if entry is not None and entry in kept:
            kept.remove(entry)
        if entry is None and problem.rule == "BS-V-57":
            kept = [
                e for e in kept if not isinstance(e.order.detail, w.DesignClass | w.RaiseSquadron | w.RaiseTaskforce)
            ]
    fleet = any(isinstance(entry.order.detail, w.RaiseSquadron) for entry in kept)
    defaults = () if fleet else ("You take the scenario's fleet.",)
    return replace(sheet, accepted=tuple(kept), defaults=defaults).with_problems(problems)

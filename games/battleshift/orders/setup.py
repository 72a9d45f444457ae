"""Setup orders: designs, fleets and deployment (section 6.5, BS-FLT, BS-V-50 to BS-V-62)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from games.battleshift.data import TABLES, ShipClass, units
from games.battleshift.orders import records as o
from games.battleshift.orders.draft import check_draft, draft_of
from games.battleshift.orders.fleet import INWARD
from games.battleshift.orders.readers import check_name, read_arrive, read_return
from games.battleshift.orders.records import Detail, Order
from games.battleshift.orders.verbs import LineReader, split_at
from games.battleshift.orders.words import IGNORED, Names, bad_syntax, guessed, read_bearing, read_formation, read_point
from games.battleshift.rules.building import SYSTEMS, BadDesign, check_design, check_squadron, read_design
from games.battleshift.state import QUADRANTS, Formation, State
from games.battleshift.table import Table
from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Dialect, Line, Problem, Sheet, clean, match_name, read_sheet, read_verb

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
        self.table = Table(state)
        self.designs: dict[str, ShipClass] = {}
        self.new = _new_names(text)
        self.names = Names(self.table, side)
        self.names.own = {} if self.new else self.names.own
        for name, kind in self.new.items():
            self.names.own[name] = kind

    def read(self, line: Line) -> tuple[Order, ...]:
        """One order; a refusal names the line that was meant, where that is plain."""
        try:
            return self._read(line)
        except BadOrder as bad:
            bad.fix = bad.fix or guessed(line.text, bad, SYNTAX) or self._meant(line)
            raise

    def _meant(self, line: Line) -> str:
        """A deployment of which only the place was written."""
        point = re.fullmatch(r"deploy\s+(.*?)\s*(?:at\s+)?([\d.\"]+\s*,\s*[\d.\"]+).*", line.text, re.IGNORECASE)
        own = tuple(self.names.own)
        unit = (match_name(point[1], own) if point and point[1] else None) or match_name(line.unit, own)
        edge = next(record.edge for record in self.state.sides if record.id == self.side) or "south"
        if point is None or unit is None:
            return ""
        return f"deploy {unit} at {point[2].replace(' ', '')} facing {INWARD[edge]:03d}"

    def _read(self, line: Line) -> tuple[Order, ...]:
        if line.text.casefold().startswith("standing "):
            return LineReader(self.names, self.state.switches).read(line)
        readers: dict[str, Callable[[str], Detail]] = {
            "design": self._design,
            "squadron": self._squadron,
            "taskforce": self._taskforce,
            "loose": self._loose,
            "trait": self._trait,
            "admiral": self._admiral,
            "defence": self._defence,
            "deploy": self._deploy,
            "reserve": self._reserve,
            "arrive": partial(read_arrive, self.names),
        }
        verb, rest = read_verb(line, {verb: split_at(verb) for verb in readers}, "BS-V-1")
        detail = readers[verb](rest)
        unit = line.unit if isinstance(detail, o.Arrive) and line.unit != "Fleet" else ""
        return (Order(unit, verb, detail, text=line.text),)

    # --- building -----------------------------------------------------------------------------------------------------

    def _design(self, rest: str) -> Detail:
        try:
            design = read_design(rest)
        except BadDesign as error:
            raise BadOrder("BS-V-1", str(error), SYNTAX["design"], IGNORED) from error
        check_name(design.name)
        for fault in check_design(design, self.state.switches):
            raise BadOrder(fault.rule, fault.reason, fault.hint, IGNORED)
        self.designs[design.name] = design
        return o.DesignClass(design)

    def _class_named(self, text: str) -> ShipClass:
        classes = {**units().classes, **self.state.classes, **self.designs}
        plural = [text, text[:-1]] if text.casefold().endswith("s") else [text]
        for spelling in plural:
            name = match_name(spelling, tuple(classes))
            if name:
                return classes[name]
        raise self.names.unknown(text, tuple(classes))

    def _squadron(self, rest: str) -> Detail:
        said = re.fullmatch(r"(.+?)\s*=\s*(\d{1,3})\s+(.+)", rest)
        if not said:
            raise _bad("squadron", rest)
        name, count, made = said[1].strip("\"' "), int(said[2]), self._class_named(said[3].strip("\"' "))
        check_name(name)
        for fault in check_design(made, self.state.switches):
            raise BadOrder(fault.rule, fault.reason, fault.hint, IGNORED)
        crowd = check_squadron(count, made)
        if crowd is not None:
            most = crowd.hint.rpartition(" ")[2]
            raise BadOrder(crowd.rule, crowd.reason, crowd.hint, IGNORED, f"squadron {name} = {most} {made.name}")
        return o.RaiseSquadron(name, count, made.name)

    def _taskforce(self, rest: str) -> Detail:
        said = re.fullmatch(r"(.+?)\s*=\s*(.+?)(?:\s+flag\s+(.+))?", rest, re.IGNORECASE)
        if not said:
            raise _bad("taskforce", rest)
        name = said[1].strip("\"' ")
        check_name(name)
        members = tuple(self._own(item) for item in said[2].split(","))
        return o.RaiseTaskforce(name, members, self._own(said[3]) if said[3] else "")

    def _own(self, text: str) -> str:
        return self.names.own_unit(text.strip())

    def _loose(self, rest: str) -> Detail:
        return o.Loose(tuple(self._own(item) for item in rest.split(",") if item.strip()))

    def _trait(self, rest: str) -> Detail:
        if not self.state.switches.experience:
            raise BadOrder("BS-V-7", "the switch 'experience' is off in this scenario", "", IGNORED)
        for trait in TABLES.trait:
            if rest.casefold().endswith(" " + trait.casefold()):
                return o.GiveTrait(self._own(rest[: -len(trait)]), trait)
        raise BadOrder("BS-V-1", f"'{rest}' names no trait", f"traits: {', '.join(TABLES.trait)}", IGNORED)

    def _admiral(self, rest: str) -> Detail:
        if rest.casefold() != "veteran":
            raise _bad("admiral", rest)
        if not self.state.switches.experience:
            raise BadOrder("BS-V-7", "the switch 'experience' is off in this scenario", "", IGNORED)
        return o.VeteranAdmiral()

    def _defence(self, rest: str) -> Detail:
        said = re.fullmatch(r"(.+?)\s+(NE|SE|SW|NW|all)\s+(.+)", rest, re.IGNORECASE)
        if not said:
            raise _bad("defence", rest)
        bodies = [body.name for body in self.table.bodies if body.side == self.side and body.name]
        body = match_name(said[1], bodies)
        if body is None:
            raise self.names.unknown(said[1], bodies)
        places = QUADRANTS if said[2].casefold() == "all" else (said[2].upper(),)
        return o.Defence(body, tuple(places), _systems(said[3]))

    # --- placing ------------------------------------------------------------------------------------------------------

    def _deploy(self, rest: str) -> Detail:
        pattern = r"(.+?)\s+at\s+([\d.\"]+\s*,\s*[\d.\"]+)\s+facing\s+(\w+)(?:\s+form\s+(.+))?"
        said = re.fullmatch(pattern, rest, re.IGNORECASE)
        point = read_point(said[2]) if said else None
        facing = read_bearing(said[3]) if said else None
        if not said or point is None or facing is None:
            raise _bad("deploy", rest)
        formation = read_formation(said[4]) if said[4] else Formation()
        return o.Deploy(self._own(said[1]), point, facing, formation)

    def _reserve(self, rest: str) -> Detail:
        pattern = r"(.+?)\s+turn\s+(\d{1,3})\s+sector\s+(\S+)\s+facing\s+(\w+)(?:\s+at\s+(.+))?"
        said = re.fullmatch(pattern, rest, re.IGNORECASE)
        if not said:
            raise _bad("reserve", rest)
        unit = self._own(said[1])
        return o.Reserve(unit, read_return(self.names, int(said[2]), said[3], said[4], said[5]))


def _bad(verb: str, rest: str) -> BadOrder:
    error = bad_syntax(verb, rest)
    error.hint = SYNTAX[verb]
    return error


def _systems(text: str) -> tuple[tuple[str, int], ...]:
    systems = []
    for item in text.split(","):
        word, _, count = item.strip().partition(" ")
        system = {"heavyion": "heavy_ion"}.get(word.casefold(), word.casefold())
        if system not in SYSTEMS or not count.strip().isdigit():
            raise _bad("defence", text)
        systems.append((system, int(count)))
    return tuple(systems)


def _new_names(text: str) -> dict[str, str]:
    """Squadrons and taskforces that the letter raises, so that they may be named anywhere in it."""
    names: dict[str, str] = {}
    for raw in text.splitlines():
        line = clean(raw)
        made = re.match(r"(squadron|taskforce)\s+(.+?)\s*=", line, re.IGNORECASE)
        if made:
            names.setdefault(made[2].strip("\"' "), made[1].casefold())
    return names


def read_setup(state: State, side: str, text: str) -> Sheet[Order]:
    """Parse and validate setup orders; a fleet that breaks a rule falls back to the scenario's."""
    sheet = _judged(state, side, text)
    looked = [
        replace(found, fix=_proven(state, side, text, found) if number < MOST_PROOFS else "") if found.fix else found
        for number, found in enumerate(sheet.problems)
    ]
    return replace(sheet, problems=tuple(looked))


MOST_PROOFS = 40
"""Problems of one letter whose fixes are read again."""


def _proven(state: State, side: str, text: str, problem: Problem) -> str:
    """The fix, or what mends the fix, if it draws no word where the line stood."""
    tried = [problem.fix]
    for fix in tried:
        until = problem.line + fix.count("\n")
        drawn = [
            other
            for other in _judged(state, side, _exchanged(text, problem, fix)).problems
            if problem.line <= other.line <= until
        ]
        if not drawn:
            return fix
        tried += [other.fix for other in drawn if other.fix and len(tried) < MOST_TRIED]
    return ""


MOST_TRIED = 3


def _exchanged(text: str, problem: Problem, fix: str) -> str:
    """The letter with other lines in the place of one; a header before it stays."""
    lines = text.splitlines()
    raw = lines[problem.line - 1]
    head = raw[: max(0, raw.casefold().find(problem.text.split()[0].casefold()))]
    lines[problem.line - 1 : problem.line] = [head + line for line in fix.splitlines()]
    return "\n".join(lines)


def _judged(state: State, side: str, text: str) -> Sheet[Order]:
    reader = SetupReader(state, side, text)
    dialect = Dialect(tuple(reader.names.own), bad_syntax="BS-V-1", unknown_unit="BS-V-2", wrong_turn="BS-V-1")
    sheet = read_sheet(text, dialect, reader.read)
    judge = Judge(sheet.accepted)
    check_draft(judge, draft_of(state, side, sheet.orders))
    fleet = any(isinstance(entry.order.detail, o.RaiseSquadron) for entry in judge.entries)
    defaults = () if fleet else ("You take the scenario's fleet.",)
    return replace(judge.settle(sheet), defaults=defaults)

"""Lines that may stand in place of one that was refused: the nearest legal ones, each proved by reading it there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from games.encounters.data import tables
from games.encounters.orders import words
from games.encounters.orders.headers import Place
from games.encounters.orders.records import Order
from games.encounters.orders.squadrons import SquadronReader
from games.encounters.orders.strategic import StrategicReader
from games.encounters.rules import construction as yards
from games.encounters.rules import economy, movement
from games.encounters.rules.missions import ENGAGE, allowed_missions
from games.encounters.rules.retreat import standing
from games.encounters.rules.squadrons import combatant
from games.encounters.table import Table
from pbem.kit.sheet import BadOrder, Line, Problem, Sheet, clean, nearest

MOST_PROOFS = 40
"""Readings that one letter may cost; the problems after that have no fix."""
MOST_PROPOSALS = 6
_BUILD = re.compile(r"build\s+(?:(-?\d+)\s+)?(.+?)\s+at\s+(.+?)(?:\s+named\s+(.+))?", re.IGNORECASE)
_CANCEL = re.compile(r"cancel\s+(.+?)\s+at\s+(.+)", re.IGNORECASE)
_INTEL = re.compile(r"intel\s+(buy|spend)\s+(-?\d+)\s+at\s+(.+)", re.IGNORECASE)
_INVEST = re.compile(r"invest\s+(\S+)\s+at\s+(.+)", re.IGNORECASE)
_RESEARCH = re.compile(r"research\s+(\S+)\s+(-?\d+)", re.IGNORECASE)
_DESIGN = re.compile(r"design\s+(.+?)\s+([A-Za-z]{2})\s+(?:dv|as|af|cv)\s.*", re.IGNORECASE)
_TO = re.compile(r"(transfer|rename)\s+(.+)\s+to\s+(.+)", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+")
_STEPS = re.compile(r"(-?\d+)(?=\s*(,|$))")
_ROUND = re.compile(r"round\s+\d+\s+", re.IGNORECASE)
USUAL_LOSSES = 50


@dataclass
class Reading:
    """A letter that was read, and what might be said in place of its refused lines."""

    sheet: Sheet[Order]
    proposals: dict[int, list[str]] = field(default_factory=dict)
    """Number of a line to what may stand in its place, the likeliest first."""


# --- proof -----------------------------------------------------------------------------------------------------------


def with_fixes(text: str, read: Callable[[str], Reading]) -> Sheet[Order]:
    """Read a letter; each problem gets the first proposal that reads without complaint in its place."""
    reading, proofs = read(text), 0
    mended: list[Problem] = []
    for problem in reading.sheet.problems:
        fix = ""
        for proposal in dict.fromkeys([problem.fix, *reading.proposals.get(problem.line, ())]):
            if proposal and proposal != problem.text and not fix and proofs < MOST_PROOFS:
                proofs += 1
                fix = proposal if holds(text, problem, proposal, read) else ""
        mended.append(replace(problem, fix=fix))
    return replace(reading.sheet, problems=tuple(mended))


def holds(text: str, problem: Problem, fix: str, read: Callable[[str], Reading]) -> bool:
    """The letter with the fix in place of the line has no problem there."""
    mended = put_in_place(text, problem, fix)
    there = range(problem.line, problem.line + len(fix.splitlines()))
    return mended is not None and not any(found.line in there for found in read(mended).sheet.problems)


def put_in_place(text: str, problem: Problem, fix: str) -> str | None:
    """The letter with the fix instead of the order; a header before the order on the same line stays."""
    lines = text.splitlines()
    if not 1 <= problem.line <= len(lines):
        return None
    written = clean(lines[problem.line - 1])
    if not written.endswith(problem.text):
        return None
    lines[problem.line - 1] = written[: len(written) - len(problem.text)] + fix
    return "\n".join(lines)


# --- proposals -------------------------------------------------------------------------------------------------------


def headers_put_right(sheet: Sheet[Order], unknown: str, names: Sequence[str]) -> dict[int, list[str]]:
    """Lines whose header is nearly the name of a unit, with that name."""
    strangers = [problem for problem in sheet.problems if problem.rule == unknown and problem.unit]
    headed = [problem for problem in strangers if problem.text.startswith(problem.unit)]
    close = {problem.line: nearest(problem.unit, names) for problem in headed}
    return {p.line: [close[p.line] + p.text[len(p.unit) :]] for p in headed if close[p.line]}


@dataclass(frozen=True)
class Mender:
    """A refused line and why; what cannot be made out of it proposes nothing."""

    line: Line
    error: BadOrder

    @property
    def text(self) -> str:
        return self.line.text

    def corrected(self) -> Iterator[str]:
        """The line with a misspelt word put right."""
        if isinstance(self.error, words.Misspelt) and self.error.close:
            at = self.text.casefold().rfind(self.error.word.casefold())
            if at >= 0:
                yield self.text[:at] + self.error.close + self.text[at + len(self.error.word) :]

    def corrected_verb(self, verbs: Iterable[str]) -> Iterator[str]:
        first, _, rest = self.text.partition(" ")
        if close := nearest(first, verbs):
            yield f"{close} {rest}".strip()

    def retreating(self) -> Iterator[str]:
        """EN-VAL-36: a percentage of losses must be 1 or more."""
        if self.error.rule == "EN-VAL-36":
            yield _NUMBER.sub(str(USUAL_LOSSES), self.text, count=1)


def proposed(ways: Sequence[Callable[[], Iterator[str]]]) -> list[str]:
    """The first few proposals; a way that meets a word it does not know ends there."""
    found: list[str] = []
    for way in ways:
        with suppress(BadOrder):
            found.extend(way())
    return list(dict.fromkeys(found))[:MOST_PROPOSALS]


@dataclass(frozen=True)
class StrategicMender(Mender):
    """The nearest legal order of the same verb, on the board as it was when the line was read."""

    reader: StrategicReader

    def proposals(self) -> list[str]:
        by_verb = {
            "build": self.building, "cancel": self.cancelling, "intel": self.intelligence, "invest": self.investing,
            "research": self.researching, "design": self.drawing, "move": self.moving, "transfer": self.transferring,
            "rename": self.renaming, "unload": self.unloading, "stance": self.making_peace,
            "doctrine": self.retreating,
        }  # fmt: skip
        verb = self.text.split()[0].casefold()
        ways = [by_verb[verb]] if verb in by_verb else []
        return proposed([self.corrected, *ways, lambda: self.corrected_verb(self.reader.verbs)])

    @property
    def table(self) -> Table:
        return self.reader.table

    @property
    def power(self) -> str:
        return self.reader.power

    def building(self) -> Iterator[str]:
        """As many as fit and can be paid, there or in another system; a free name."""
        match = _BUILD.fullmatch(self.text)
        if match is None:
            return
        key, count, here = self.reader.design(match[2]), max(1, int(match[1] or 1)), self.reader.system(match[3])
        if self.error.rule == "EN-VAL-37" and match[4] and "," not in match[4]:
            yield f"build {count} {self.table.design_of(key).name} at {here} named {self.error.hint}"
        known = [self.table.design_of(mine) for mine in self.table.powers[self.power].designs]
        code = self.table.design_of(key).code
        alike = sorted((d for d in known if d.code == code), key=lambda design: -design.level)
        keys = [mine for mine in self.table.powers[self.power].designs if self.table.design_of(mine) in alike]
        for design in dict.fromkeys((key, *keys)):
            for system in dict.fromkeys((here, *economy.own_systems(self.table, self.power))):
                if most := yards.most_to_build(self.table, self.power, design, system):
                    yield f"build {min(count, most)} {self.table.design_of(design).name} at {system}"

    def cancelling(self) -> Iterator[str]:
        mine = [build for build in self.table.builds.values() if build.owner == self.power]
        match = _CANCEL.fullmatch(self.text)
        key = self.reader.design(match[1]) if match else ""
        for build in sorted(mine, key=lambda build: build.design != key):
            yield f"cancel {self.table.design_of(build.design).name} at {build.system}"

    def intelligence(self) -> Iterator[str]:
        """As many points as may be bought or are held, there or elsewhere."""
        match = _INTEL.fullmatch(self.text)
        if match is None:
            return
        word, wanted = match[1].casefold(), max(1, int(match[2]))
        held = [name for name in sorted(self.table.systems) if self.power in self.table.at_start.get(name, ())]
        payable = economy.most_intel_to_pay(self.table, self.power)
        for system in dict.fromkeys((self.reader.system(match[3]), *held)):
            most = self.reader.board.intel_left(system)
            if word == "buy":
                most = min(payable, economy.most_intel(self.table, self.power, system)) if system in held else 0
            if most > 0:
                yield f"intel {word} {min(wanted, most)} at {system}"

    def investing(self) -> Iterator[str]:
        match = _INVEST.fullmatch(self.text)
        here = [self.reader.system(match[2])] if match else []
        closed = {*self.table.invested, *self.table.blockaded}
        own = economy.own_systems(self.table, self.power)
        for system in (name for name in dict.fromkeys((*here, *own)) if name in own and name not in closed):
            record = self.table.systems[system]
            for stat in ("PROD", "MOR", "CEN"):
                if getattr(record, stat) < economy.limit_of(record, stat):
                    yield f"invest {stat.casefold()} at {system}"

    def researching(self) -> Iterator[str]:
        match, mine = _RESEARCH.fullmatch(self.text), self.table.powers[self.power]
        if match is None or not mine.treasury:
            return
        amount, highest = min(max(1, int(match[2])), mine.treasury), tables().economy.highest_level
        yield f"research {match[1]} {amount}"
        yield from (f"research {path} {amount}" for path, level in sorted(mine.tech.items()) if 1 <= level < highest)

    def drawing(self) -> Iterator[str]:
        """The stats that the message gives as an example, or a free name."""
        match = _DESIGN.fullmatch(self.text)
        of = self.table.classes().get(match[2].upper()) if match else None
        if match is None or of is None:
            return
        if self.error.rule == "EN-VAL-37":
            yield re.sub(re.escape(match[1]), self.error.hint, self.text, count=1)
        stats = economy.example_stats(of.cp_at(self.table.powers[self.power].tech.get(of.path, 0) + 1))
        yield f"design {match[1]} {of.code} {stats}"

    def moving(self) -> Iterator[str]:
        """Another way to the same system, or as far along the way as can be gone; else to stay."""
        fleet = self.reader.header_fleet(self.line)
        path = self.reader.path(self.text.partition(" ")[2])
        ships, start = self.table.ships_of(self.power, fleet), self.table.fleets[self.power, fleet].location
        ways = [way for way, _ in movement.ways(self.table, start, movement.movement_points(self.table, ships))]
        yield from (f"move {', '.join(way)}" for way in ways if way[-1] == path[-1])
        parts = [path[:length] for length in range(len(path) - 1, 0, -1)]
        yield from (f"move {', '.join(part)}" for part in parts if part in ways)
        yield "hold"

    def renaming(self) -> Iterator[str]:
        match = _TO.fullmatch(self.text)
        if match is not None and self.error.rule == "EN-VAL-37":
            yield f"{match[1]} {match[2]} to {self.error.hint}"

    def transferring(self) -> Iterator[str]:
        """To a free name, or to a fleet that lies where the ship does."""
        yield from self.renaming()
        match, fleet = _TO.fullmatch(self.text), self.reader.header_fleet(self.line)
        here = self.table.fleets[self.power, fleet].location
        others = [name for name in self.table.fleet_names(self.power) if name != fleet]
        near = [name for name in others if self.table.fleets[self.power, name].location == here]
        yield from (f"transfer {match[2]} to {name}" for name in near if match)

    def unloading(self) -> Iterator[str]:
        aboard = self.table.aboard(self.reader.header_carrier(self.line).id)
        after = " after" if self.text.casefold().endswith(" after") else ""
        yield from (f"unload {unit.name}{after}" for unit in aboard)

    def making_peace(self) -> Iterator[str]:
        if self.error.rule == "EN-VAL-34":
            yield self.text.rpartition(" ")[0] + " peace"


# --- battle and ground -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BattleMender(Mender):
    """By the check that failed, in the battle that the line belongs to."""

    reader: SquadronReader

    def proposals(self) -> list[str]:
        by_rule = {
            "EN-VAL-21": self.commanding, "EN-VAL-26": self.engaging, "EN-VAL-27": self.within_rounds,
            "EN-VAL-30": self.starting, "EN-VAL-31": self.bombarding, "EN-VAL-33": self.within_steps,
            "EN-VAL-35": self.fleeing, "EN-VAL-36": self.retreating, "EN-VAL-37": self.naming,
        }  # fmt: skip
        ways = [by_rule[self.error.rule]] if self.error.rule in by_rule else []
        return proposed([self.corrected, *ways, lambda: self.corrected_verb(self.reader.verbs)])

    @property
    def place(self) -> Place:
        return self.reader.place(self.line)

    def commanding(self) -> Iterator[str]:
        yield f"flagship {self.reader.best_commander(self.place)}"

    def engaging(self) -> Iterator[str]:
        """The first mission that the unit may have, in the same round."""
        unit, switch = self.reader.subject(self.line)[1], self.reader.table.switches.fire_control
        able = allowed_missions(combatant(self.reader.table, unit), fire_control=switch) if unit else (ENGAGE,)
        start = _ROUND.match(self.text)
        yield from (f"{start[0] if start else ''}mission {word}" for word in able[:1])

    def within_rounds(self) -> Iterator[str]:
        most = self.reader.table.switches.max_rounds
        yield _NUMBER.sub(lambda number: str(max(1, min(most, int(number[0])))), self.text, count=1)

    def within_steps(self) -> Iterator[str]:
        most = tables().rating.most_steps
        yield _STEPS.sub(lambda number: str(max(1, min(most, int(number[0])))), self.text)

    def starting(self) -> Iterator[str]:
        yield from ("invade", "no attack")

    def bombarding(self) -> Iterator[str]:
        yield f"bombard {self.reader.bombarded.get(self.place, 'support')}"

    def fleeing(self) -> Iterator[str]:
        """EN-RET-6: own systems first."""
        near = self.reader.table.neighbours(self.place.system)
        best = sorted(near, key=lambda name: (standing(self.reader.table, self.reader.power, name), name))
        yield from (f"retreat to {name}" for name in best[:1])

    def naming(self) -> Iterator[str]:
        name, equals, ships = self.text.partition(" ")[2].partition("=")
        if equals:
            yield f"squadron {name.strip()[:20]} Squadron = {ships.strip()}"

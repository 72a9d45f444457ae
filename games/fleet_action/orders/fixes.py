"""Lines that may stand in place of one that does not stand as written, each proved by reading it there (section 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.fleet_action.orders.desk import UNKNOWN, Desk
from games.fleet_action.orders.records import Order
from games.fleet_action.orders.ways import ways
from pbem.kit.sheet import Accepted, Problem, Sheet, clean, nearest

MOST_PROOFS = 60
"""Readings that one letter may cost; the problems after that have no fix."""
MOST_TRIED = 8
"""Lines tried for one problem, the likeliest first."""
MOST_STEPS = 3
"""How often a line that is still not right is put right again."""
_STANDING = re.compile(r"standing\s+", re.IGNORECASE)
_HEADER = re.compile(r"[^:]{1,80}:")


@dataclass(frozen=True)
class Reading:
    """A letter that was read."""

    sheet: Sheet[Order]
    desk: Desk
    written: Mapping[int, Accepted[Order]] = field(default_factory=dict)
    """The order of each line that could be read, before the checks."""

    def candidates(self, problem: Problem) -> list[str]:
        """What might be meant by a line, the likeliest first: by its complaint, by its words, by the rules."""
        entry = self.written.get(problem.line)
        by_rule = ways(self.desk, problem, entry) if entry is not None else ()
        found = (problem.fix, *self.desk.proposals.get(problem.line, ()), *by_rule)
        return list(dict.fromkeys(text for text in found if text and text != problem.text))


Read = Callable[[str], Reading]


def with_fixes(text: str, read: Read, names: Sequence[str]) -> Sheet[Order]:
    """Read a letter; each problem gets the first candidate that reads without complaint in its place."""
    reading = read(text)
    if not reading.sheet.problems:
        return reading.sheet
    mender = Mender(text.splitlines(), read, reading)
    problems = (mender.header(problem, names) for problem in reading.sheet.problems)
    return replace(reading.sheet, problems=tuple(mender.mended(problem) for problem in problems))


@dataclass
class Mender:
    """The proofs of one letter; they come to an end however much is wrong with it."""

    lines: list[str]
    read: Read
    before: Reading
    proofs_left: int = MOST_PROOFS
    known: dict[int, str] = field(default_factory=dict)
    """A line with several complaints is put right once."""

    def mended(self, problem: Problem) -> Problem:
        """The problem with a fix that holds, or with none."""
        if problem.line not in self.known:
            found = self._fix(problem) if 1 <= problem.line <= len(self.lines) else ""
            if not found:
                return replace(problem, fix="")
            self.known[problem.line] = found
        return replace(problem, fix=self.known[problem.line])

    def _fix(self, problem: Problem) -> str:
        place = self._place(problem)
        if place is None:
            return ""
        tried = (fix for text in self.before.candidates(problem)[:MOST_TRIED] for fix in place.marked(text))
        return next((proven for fix in tried if (proven := self._proven(place, fix, MOST_STEPS))), "")

    def _place(self, problem: Problem) -> Place | None:
        """Where the order stands: behind a header on its line, and behind the word that makes it stand."""
        written = clean(self.lines[problem.line - 1])
        if not written.endswith(problem.text):
            return None
        head = written[: len(written) - len(problem.text)]
        stays = _STANDING.sub("", head).strip()
        standing = _STANDING.search(head) is not None or _STANDING.match(problem.text) is not None
        return Place(problem.line, max(problem.line, problem.until), stays, standing=standing)

    def _proven(self, place: Place, fix: str, steps: int) -> str:
        """The fix, or what becomes of it when its own faults are put right; empty: it does not hold."""
        if not self.proofs_left or not steps:
            return ""
        self.proofs_left -= 1
        after = self.read("\n".join(place.put_in(self.lines, fix)))
        faults = [found for found in after.sheet.problems if found.line in place.lines_of(fix)]
        if not faults:
            return fix if self._holds(place, fix, after.sheet) else ""
        better = self._again(place, fix, after, faults[0])
        return self._proven(place, better, steps - 1) if better and better != fix else ""

    def _again(self, place: Place, fix: str, after: Reading, fault: Problem) -> str:
        """The fix with the first candidate for its first fault in it."""
        lines, at = fix.splitlines(), fault.line - place.lines_of(fix)[0]
        candidates = after.candidates(fault)
        if not candidates or not lines[at].endswith(fault.text):
            return ""
        head = lines[at][: len(lines[at]) - len(fault.text)]
        mark = "" if _STANDING.match(candidates[0]) else "".join(_STANDING.findall(lines[at][len(head) :])[:1])
        return "\n".join([*lines[:at], head + mark + candidates[0], *lines[at + 1 :]])

    def _holds(self, place: Place, fix: str, after: Sheet[Order]) -> bool:
        """An order of it is accepted, and no other line that stood is lost."""
        own, growth = place.lines_of(fix), place.growth(fix)
        standing = {(entry.line, entry.unit, entry.text) for entry in after.accepted}
        kept = [entry for entry in self.before.sheet.accepted if not place.first <= entry.line <= place.last]
        moved = {(e.line + growth * (e.line > place.last), e.unit, e.text) for e in kept}
        return any(entry.line in own for entry in after.accepted) and moved <= standing

    # --- headers -----------------------------------------------------------------------------------------------------

    def header(self, problem: Problem, names: Sequence[str]) -> Problem:
        """FA-E-2: a header that is nearly a name is put right, with the lines under it."""
        name = problem.unit
        if problem.rule != UNKNOWN or not name or not problem.text.startswith(name):
            return problem
        close, last = nearest(name, names), self._last_under(problem.line)
        under = [clean(line) for line in self.lines[problem.line : last]]
        if not close or problem.text[len(name) :].lstrip()[:1] != ":":
            return problem
        fix = "\n".join([close + problem.text[len(name) :], *under])
        return replace(problem, fix=fix, until=last if last > problem.line else 0)

    def _last_under(self, number: int) -> int:
        """The last line with an order before the next header."""
        last = number
        for at in range(number + 1, len(self.lines) + 1):
            line = clean(self.lines[at - 1])
            if _HEADER.match(line) or line.casefold() in ("end", "--"):
                break
            last = at if line else last
        return last


@dataclass(frozen=True)
class Place:
    """Lines of a letter that a fix stands in for."""

    first: int
    last: int
    head: str
    """The header before the order on its line; it stays, on a line of its own."""
    standing: bool

    def marked(self, text: str) -> Iterator[str]:
        """FA-DOC-7: what was to stand is to stand, if it can."""
        if self.standing and not _STANDING.match(text):
            yield f"standing {text}"
        yield text

    def put_in(self, lines: Sequence[str], fix: str) -> list[str]:
        head = [self.head] if self.head else []
        return [*lines[: self.first - 1], *head, *fix.splitlines(), *lines[self.last :]]

    def lines_of(self, fix: str) -> range:
        first = self.first + bool(self.head)
        return range(first, first + len(fix.splitlines()))

    def growth(self, fix: str) -> int:
        """By how many lines the letter gets longer."""
        return bool(self.head) + len(fix.splitlines()) - (self.last - self.first + 1)

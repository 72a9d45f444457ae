"""Fixes that hold: a line to send instead is shown once it was put in the letter and read back without a complaint.

A fix that a game named and that does not hold is dropped; where a refused line has none, the choices of its unit are
searched for the nearest that does.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games import AnyGame
from pbem.campaign.seeking import nearest_fixes
from pbem.kit.choices import INDENT, Offer
from pbem.kit.proof import folded_line, lines_stood_in
from pbem.kit.scene import Scene
from pbem.kit.sheet import Problem, Sheet, clean, match_name

log = logging.getLogger("pbem.campaign")

MOST_READINGS = 40
"""How often a letter is read for the sake of its fixes, however much is wrong with it."""
MOST_TRIES = 4
"""Choices tried for a line that has no fix of its own."""
KEPT_BACK = 8
"""Readings that are left for a look at all fixes together."""
MOST_OFFERS = 8
"""Units whose choices are asked for a letter's sake."""

_HEADER = re.compile(r"([^:]{1,80}):")
_GRAVEST_FIRST = ("refused", "waits", "changed", "note")


def proven(
    game: AnyGame,
    state: Any,
    side: str,
    text: str,
    problems: Sequence[Problem],
    sheet: Sheet[Any] | None = None,
) -> tuple[Problem, ...]:
    """The problems of this text, each with a fix that holds or with none: alone, and all of them together.

    ``sheet`` is the text as it was read, where somebody has it.
    """
    hopeful = [found for found in enumerate(problems) if found[1].line > 0 and may_be_mended(game, found[1])]
    if not hopeful:
        return tuple(replace(problem, fix="") for problem in problems)
    before = game.read_orders(state, side, text) if sheet is None else sheet
    proofs = Proofs(game, state, side, text.splitlines(), before)
    fixes: dict[int, Fix] = {}
    for number, problem in sorted(hopeful, key=lambda found: _GRAVEST_FIRST.index(found[1].weight)):
        mended = any(fix.meets(problem) for fix in fixes.values())
        if not mended and (fix := proofs.fix_of(problem)):
            fixes[number] = fix
    held = proofs.together(fixes)
    return tuple(
        replace(problem, fix="\n".join(held[number].lines) if number in held else "")
        for number, problem in enumerate(problems)
    )


def may_be_mended(game: AnyGame, problem: Problem) -> bool:
    """Whether there is a fix to prove, or one to seek, which is done only where nothing of the line stands."""
    return bool(problem.fix or (game.choices is not None and problem.weight == "refused"))


@dataclass(frozen=True)
class Fix:
    """Lines in place of others."""

    first: int
    last: int
    """The lines that go, both included."""
    header: str
    """What stood before the order on its line: ``Alpha:``."""
    lines: tuple[str, ...]

    @property
    def growth(self) -> int:
        """By how many lines the letter gets longer."""
        return bool(self.header) + len(self.lines) - (self.last - self.first + 1)

    def meets(self, problem: Problem) -> bool:
        return self.first <= max(problem.line, problem.until) and problem.line <= self.last

    def put_in(self, lines: Sequence[str]) -> list[str]:
        head = [self.header] if self.header else []
        return [*lines[: self.first - 1], *head, *(INDENT + line for line in self.lines), *lines[self.last :]]


@dataclass
class Proofs:
    """The proofs of one letter; they come to an end however much is wrong with it."""

    game: AnyGame
    state: Any
    side: str
    lines: Sequence[str]
    before: Sheet[Any]
    readings_left: int = MOST_READINGS
    offers: dict[str, Offer | None] = field(default_factory=dict)
    _scene: Scene | None = None

    def fix_of(self, problem: Problem) -> Fix | None:
        """The game's own fix, else the nearest choice of the unit that holds."""
        for text in self._thought_of(problem):
            fix = self._fix(problem, text)
            if self.readings_left > KEPT_BACK and self._hold([fix]):
                return fix
        return None

    def _thought_of(self, problem: Problem) -> Iterator[str]:
        """Asked for one by one, as choices cost more than readings."""
        if problem.fix:
            yield problem.fix
        if problem.weight == "refused":
            yield from self._sought(problem)

    def together(self, fixes: Mapping[int, Fix]) -> dict[int, Fix]:
        """Those that hold when all are sent at once; one that stands in the way of another is left out."""
        held: dict[int, Fix] = {}
        if len(fixes) < 2 or self._hold([*fixes.values()]):
            return dict(fixes)
        for number, fix in fixes.items():
            if not held or self._hold([*held.values(), fix]):
                held[number] = fix
        return held

    def _fix(self, problem: Problem, text: str) -> Fix:
        last = max(problem.line, problem.until)
        return Fix(problem.line, last, self._header_at(problem.line), tuple(text.splitlines()))

    def _header_at(self, number: int) -> str:
        """The header that shares a line with the order, if it opens a block."""
        found = _HEADER.match(clean(self.lines[number - 1])) if number <= len(self.lines) else None
        units = (self.game.fleet, *self.game.units(self.state, self.side))
        return found[0] if found and match_name(found[1], units) else ""

    # --- reading back ------------------------------------------------------------------------------------------------

    def _hold(self, fixes: Sequence[Fix]) -> bool:
        """Whether the whole letter, read with these lines in it, has no complaint about them and loses nothing else."""
        if self.readings_left < 1:
            return False
        self.readings_left -= 1
        lines = list(self.lines)
        for fix in sorted(fixes, key=lambda fix: -fix.first):
            lines = fix.put_in(lines)
        after = self.game.read_orders(self.state, self.side, "\n".join(lines))
        return all(self._stands(fix, fixes, after) for fix in fixes) and not self._loses(fixes, after)

    def _stands(self, fix: Fix, fixes: Sequence[Fix], after: Sheet[Any]) -> bool:
        first = _moved(fix.first, fixes) + bool(fix.header)
        own = range(first, first + len(fix.lines))
        if any(found.line <= own[-1] and max(found.line, found.until) >= first for found in after.problems):
            return False
        return any(entry.line in own for entry in after.accepted)

    def _loses(self, fixes: Sequence[Fix], after: Sheet[Any]) -> bool:
        """Another line that stood is refused, or one of its units draws a complaint that it did not before."""
        standing = {(entry.line, entry.unit, entry.text) for entry in after.accepted}
        mended = lines_stood_in(self.before) | {n for fix in fixes for n in range(fix.first, fix.last + 1)}
        kept = [entry for entry in self.before.accepted if entry.line not in mended]
        if any((_moved(entry.line, fixes), entry.unit, entry.text) not in standing for entry in kept):
            return True
        units = {entry.unit for entry in after.accepted}
        return bool(_loose(after, units) - _loose(self.before, units))

    # --- seeking -----------------------------------------------------------------------------------------------------

    def _sought(self, problem: Problem) -> Sequence[str]:
        offer = self._offer(problem.unit)
        if offer is None or self._scene is None:
            return ()
        standing = {folded_line(entry.text): entry.line for entry in self.before.accepted if entry.unit == offer.unit}
        found = nearest_fixes(offer, problem, self._scene, standing)
        return [fix for fix in found if fix != problem.fix][:MOST_TRIES]

    def _offer(self, unit: str) -> Offer | None:
        """What the unit can be ordered, asked once; a game that fails here costs a hint and no letter."""
        if unit not in self.offers:
            units = (self.game.fleet, *self.game.units(self.state, self.side))
            askable = self.game.choices is not None and unit in units and len(self.offers) < MOST_OFFERS
            self.offers[unit] = self._asked(unit) if askable else None
        return self.offers[unit]

    def _asked(self, unit: str) -> Offer | None:
        assert self.game.choices is not None
        try:
            view = self.game.view(self.state, self.side)
            self._scene = self._scene or self.game.scene(view, ())
            return self.game.choices(view, self.before, unit)
        except Exception:
            log.exception("%s: no choices for a hint", self.game.slug)
            return None


def _moved(line: int, fixes: Sequence[Fix]) -> int:
    """Where a line of the letter stands once the fixes are in it."""
    return line + sum(fix.growth for fix in fixes if fix.last < line)


def _loose(sheet: Sheet[Any], units: set[str]) -> set[tuple[str, str, str]]:
    """Complaints about these units that stand on no line."""
    return {
        (found.unit, found.rule, found.reason) for found in sheet.problems if not found.line and found.unit in units
    }

"""Lines that may stand in place of one that was refused: only what the same reader and the same checks let pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from games.galleys.orders.judge import FleetJudge
from games.galleys.orders.levels import lasting
from games.galleys.orders.records import FLEET, Order
from games.galleys.orders.trial import Trial
from games.galleys.state import State
from pbem.kit.game import Side
from pbem.kit.sheet import Accepted, BadOrder, Line, Problem, Sheet

MOST_PROOFS = 60
"""A letter of nothing but nonsense is not worth more."""

Reader = Callable[[FleetJudge], Callable[[Line], Sequence[Order]]]
"""A reader of single lines who tells this judge what is to be said beside the point."""


class Prover:
    """Tries the fixes that were thought of, line by line."""

    def __init__(
        self, state: State, side: Side, written: Sequence[Accepted[Order]], reader: Reader, first_header: int
    ) -> None:
        self.written = written
        self.reader = reader
        self.first_header = first_header
        self.trial = Trial(state, side, written)
        self.proofs_left = MOST_PROOFS

    def proven(self, sheet: Sheet[Order], judge: FleetJudge) -> Sheet[Order]:
        """The sheet with the first fix of each problem that holds, or none."""
        return replace(sheet, problems=tuple(self._proven(judge, problem) for problem in sheet.problems))

    def _proven(self, judge: FleetJudge, problem: Problem) -> Problem:
        thought_of = judge.fixes.get((problem.line, problem.rule), {}) or dict.fromkeys([problem.fix])
        for fix in filter(None, thought_of):
            if self.proofs_left and self._holds(problem, fix):
                return replace(problem, fix=self._under_header(problem, fix))
        return replace(problem, fix="")

    def _under_header(self, problem: Problem, fix: str) -> str:
        """GA-VAL-34: what stands before any header is given one."""
        headless = problem.line < self.first_header and ":" not in fix
        return f"{FLEET}: {fix}" if headless else fix

    def _holds(self, problem: Problem, fix: str) -> bool:
        """Whether the lines, put in place of the problem's, are read, stand and draw no complaint."""
        self.proofs_left -= 1
        judge = FleetJudge()
        try:
            entries = self._read(problem, fix, judge)
        except BadOrder:
            return False
        others = [entry for entry in self.written if entry.line != problem.line]
        standing = lasting(sorted((*others, *entries), key=lambda entry: entry.line))
        return (
            not judge.problems
            and all(entry in standing for entry in entries)
            and all(self._is_clean(unit, standing, problem.line) for unit in {entry.order.unit for entry in entries})
        )

    def _read(self, problem: Problem, fix: str, judge: FleetJudge) -> list[Accepted[Order]]:
        """The orders of the lines; a fix may stand under a header of its own."""
        read, unit, entries = self.reader(judge), problem.unit, []
        for text in fix.splitlines():
            header, _, order = text.rpartition(":")
            if header and not self.trial.ships_of(header):
                raise BadOrder(problem.rule, f"no unit called '{header}'")
            unit = header or unit
            line = Line(problem.line, unit, order.strip())
            entries += [Accepted(line.number, unit, line.text, made) for made in (read(line) if line.text else ())]
        return entries

    def _is_clean(self, unit: str, standing: Sequence[Accepted[Order]], line: int) -> bool:
        """Nothing is said of the line; a unit that is routed, or has no ship left, is not worth a fix."""
        lines = [entry for entry in standing if entry.order.unit == unit]
        heard = self.trial.ships_of(unit)
        return bool(heard) and all(found.line != line for found in self.trial.complaints(unit, lines))

"""The judge of a side's letter, whose lines may each reach many ships (rule book, section 7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from games.galleys.orders.records import STANDS, Move, Order, PlanLine
from pbem.kit.judging import Judge
from pbem.kit.sheet import Accepted, Line, Problem, Sheet, Weight

DROPPED = "the line is dropped for this ship"
Fixes = str | tuple[str, ...]
"""A line, or several alternatives, the nearest to what was written first; each may be a block of lines."""


class FleetJudge(Judge[Order]):
    """Refuses a line only when it is refused to every ship it was meant for; one problem a line and rule names them."""

    def __init__(self, accepted: Iterable[Accepted[Order]] = ()) -> None:
        super().__init__(accepted)
        self._ship = ""
        self._about: list[str] = []
        self._meant_for: defaultdict[int, set[str]] = defaultdict(set)
        self._refused_to: defaultdict[int, set[str]] = defaultdict(set)
        self.fixes: defaultdict[tuple[int, str], dict[str, None]] = defaultdict(dict)
        """What might stand in place of a line, by its number and the rule it broke; nothing here is proven."""

    def hear(self, ship: str, entries: Iterable[Accepted[Order]]) -> None:
        """What is said from now on concerns this ship, for which these lines were meant; no ship: the whole letter."""
        self._ship = ship
        for entry in entries:
            self._meant_for[entry.line].add(ship)

    # --- verdicts ----------------------------------------------------------------------------------------------------

    def refuse(
        self, entry: Accepted[Any], rule: str, reason: str, hint: str = "", instead: str = DROPPED, fix: Fixes = ""
    ) -> None:
        """The line is no order of this ship."""
        self.complain("refused", entry, rule, reason, hint, instead, fix)
        self._refused_to[entry.line].add(self._ship)

    def warn(
        self,
        at: Accepted[Any] | Line,
        rule: str,
        reason: str,
        hint: str = "",
        instead: str = "",
        fix: Fixes = "",
    ) -> None:
        self.complain("changed", at, rule, reason, hint, instead, fix)

    def note(
        self,
        at: Accepted[Any] | Line,
        rule: str,
        reason: str,
        hint: str = "",
        instead: str = STANDS,
        fix: Fixes = "",
    ) -> None:
        self.complain("note", at, rule, reason, hint, instead, fix)

    def complain(
        self,
        weight: Weight,
        at: Accepted[Any] | Line,
        rule: str,
        reason: str,
        hint: str = "",
        instead: str = "",
        fix: Fixes = "",
    ) -> None:
        """Each ship may have a fix of its own for the line they share, and each several; the first stands for all."""
        fixes = (fix,) if isinstance(fix, str) else fix
        number = at.number if isinstance(at, Line) else at.line
        self.fixes[number, rule].update(dict.fromkeys(filter(None, fixes)))
        about = f"{self._ship}: {reason}" if self._ship else reason
        super().complain(weight, at, rule, about, hint, instead, next(iter(fixes), ""))
        self._about.append(self._ship)

    def rewrite(self, entry: Accepted[Any], order: Order, text: str) -> None:
        """Another order stands in the line's place, in other words."""
        self.entries = [replace(kept, order=order, text=text) if kept is entry else kept for kept in self.entries]

    # --- the end -----------------------------------------------------------------------------------------------------

    def settle(self, sheet: Sheet[Order]) -> Sheet[Order]:
        """The sheet as it stands; a unit whose every plan line was refused still has a plan of its own: it holds."""
        refused = [entry for entry in self.entries if self._is_refused(entry.line)]
        planned = {entry.unit for entry in self.entries if entry not in refused and isinstance(entry.order, PlanLine)}
        for entry in refused:
            if isinstance(entry.order, PlanLine) and entry.unit not in planned:
                planned.add(entry.unit)
                self.rewrite(entry, Move(entry.unit, "hold"), "hold")
            else:
                self.drop(entry)
        self.problems = self._grouped()
        return super().settle(sheet)

    def _is_refused(self, line: int) -> bool:
        """To every ship it was meant for."""
        return bool(self._refused_to[line]) and self._meant_for[line] <= self._refused_to[line]

    def _grouped(self) -> list[Problem]:
        """One problem a line and rule, with the list of the ships it concerns."""
        groups: defaultdict[tuple[int, str], list[tuple[str, Problem]]] = defaultdict(list)
        for ship, problem in zip(self._about, self.problems, strict=True):
            groups[problem.line, problem.rule].append((ship, problem))
        return [self._merged(group) for group in groups.values()]

    def _merged(self, group: list[tuple[str, Problem]]) -> Problem:
        ship, first = group[0]
        others = list(dict.fromkeys(other for other, _ in group if other != ship))
        reason = f"{first.reason} (the same for {', '.join(others)})" if others else first.reason
        weights = {problem.weight for _, problem in group}
        weight: Weight = "note" if weights == {"note"} else "changed"
        if "refused" in weights and self._is_refused(first.line):
            weight = "refused"
        return replace(first, reason=reason, weight=weight)

"""Whether a choice can be sent as it stands: two readings compared, of the sheet without it and with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.kit.choices import Choice
from pbem.kit.sheet import Problem, Sheet


def breaches_of(before: Sheet[Any], after: Sheet[Any], unit: str, choice: Choice, filling: str) -> Iterator[str]:
    """What speaks against it, in words.

    Every line of a choice is accepted without a problem; no line that stood before and was not replaced is refused now;
    the unit draws no new problem that stands on no line.
    """
    lines = {folded_line(line.replace("{}", filling, 1)) for line in choice.lines}
    accepted = {folded_line(entry.text) for entry in after.accepted}
    for line in sorted(lines - accepted):
        yield f"'{line}' is not accepted: {_words(after.problems)}"
    old = {_told(problem) for problem in before.problems}
    for problem in (problem for problem in after.problems if _told(problem) not in old):
        if folded_line(problem.text) in lines and problem.unit in ("", unit):
            yield f"a problem on its own line: {problem.rule} {problem.reason}"
        elif problem.line == 0 and problem.unit == unit:
            yield f"a problem of the unit: {problem.rule} {problem.reason}"
    yield from _lost(before, after, choice)


def _lost(before: Sheet[Any], after: Sheet[Any], choice: Choice) -> Iterator[str]:
    standing = {(entry.unit, folded_line(entry.text)) for entry in after.accepted}
    stood_in = lines_stood_in(before)
    for entry in before.accepted:
        if entry.line in choice.replaces or entry.line in stood_in:
            continue
        if (entry.unit, folded_line(entry.text)) not in standing:
            said = f"line {entry.line} '{entry.text}' of {entry.unit}"
            yield f"{said} stood before and is refused now: {_words(after.problems)}"


def lines_stood_in(sheet: Sheet[Any]) -> frozenset[int]:
    """Lines of which nothing stands: what is done instead gives way once they are mended, and nothing is lost."""
    return frozenset(problem.line for problem in sheet.problems if problem.weight in ("refused", "waits"))


def folded_line(text: str) -> str:
    """An order line as lines are compared: spaces single, in any case."""
    return " ".join(text.split()).casefold()


def _told(problem: Problem) -> tuple[str, str, str]:
    return problem.unit, problem.text, problem.rule


def _words(problems: tuple[Problem, ...]) -> str:
    return "; ".join(f"{problem.rule} '{problem.text}' {problem.reason}" for problem in problems[:3]) or "no word of it"

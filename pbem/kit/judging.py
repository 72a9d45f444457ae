"""A letter under check: which of its orders still stand, and a word about every line that does not stand as written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar, cast

from pbem.kit.sheet import Accepted, BadOrder, Line, Problem, Sheet, Weight

OrderT = TypeVar("OrderT")
KindT = TypeVar("KindT")


class Judge(Generic[OrderT]):
    """Refuses, changes and notes; what is refused leaves the entries.

    While lines are read, remarks are made about a ``Line``; afterwards, about an ``Accepted`` entry.
    """

    def __init__(self, accepted: Iterable[Accepted[OrderT]] = ()) -> None:
        self.entries: list[Accepted[OrderT]] = list(accepted)
        self.problems: list[Problem] = []

    # --- four verdicts -----------------------------------------------------------------------------------------------

    def refuse(
        self, entry: Accepted[Any], rule: str, reason: str, hint: str = "", instead: str = "", fix: str = ""
    ) -> None:
        """Nothing of the line stands; a line that made several orders loses them all."""
        self.complain("refused", entry, rule, reason, hint, instead, fix)
        self.drop(entry)

    def change(
        self,
        entry: Accepted[Any],
        order: OrderT,
        rule: str,
        reason: str,
        hint: str = "",
        instead: str = "",
        fix: str = "",
    ) -> None:
        """Another order stands than the one written, and the player is told which."""
        self.complain("changed", entry, rule, reason, hint, instead, fix)
        self.put(entry, order)

    def warn(
        self, at: Accepted[Any] | Line, rule: str, reason: str, hint: str = "", instead: str = "", fix: str = ""
    ) -> None:
        """The line stands, but something else than it says will be done."""
        self.complain("changed", at, rule, reason, hint, instead, fix)

    def note(
        self, at: Accepted[Any] | Line, rule: str, reason: str, hint: str = "", instead: str = "", fix: str = ""
    ) -> None:
        """The line stands, and the player should know something about it."""
        self.complain("note", at, rule, reason, hint, instead, fix)

    def complain(
        self,
        weight: Weight,
        at: Accepted[Any] | Line,
        rule: str,
        reason: str,
        hint: str = "",
        instead: str = "",
        fix: str = "",
    ) -> None:
        number = at.number if isinstance(at, Line) else at.line
        self.problems.append(Problem(number, at.text, rule, reason, hint, instead, at.unit, weight, fix=fix))

    # --- entries -----------------------------------------------------------------------------------------------------

    def drop(self, entry: Accepted[Any]) -> None:
        """Take a line's orders from the sheet without a word."""
        self.entries = [kept for kept in self.entries if kept is not entry and not _same_line(kept, entry)]

    def put(self, entry: Accepted[Any], order: OrderT) -> None:
        """The same order in another form."""
        self.entries = [replace(kept, order=order) if kept is entry else kept for kept in self.entries]

    def given(self, kind: type[KindT], unit: str | None = None) -> list[Accepted[KindT]]:
        """The entries of one kind of order, for one unit or for all, in the order written."""
        found = [
            entry
            for entry in self.entries
            if isinstance(entry.order, kind) and (unit is None or _unit_of(entry) == unit)
        ]
        return cast("list[Accepted[KindT]]", found)

    def last(self, kind: type[KindT], unit: str) -> Accepted[KindT] | None:
        """The one that counts where a later line replaces an earlier."""
        found = self.given(kind, unit)
        return found[-1] if found else None

    # --- a sheet's way through ---------------------------------------------------------------------------------------

    def reading(self, read_line: Callable[[Line], Sequence[OrderT]]) -> Callable[[Line], Sequence[OrderT]]:
        """The reader of a line, so that remarks made on the way to a refusal are forgotten with the line."""

        def read(line: Line) -> Sequence[OrderT]:
            before = len(self.problems)
            try:
                return read_line(line)
            except BadOrder:
                del self.problems[before:]
                raise

        return read

    def take(self, sheet: Sheet[OrderT]) -> None:
        """The orders of a letter that was read come under check."""
        self.entries = list(sheet.accepted)

    def settle(self, sheet: Sheet[OrderT]) -> Sheet[OrderT]:
        """The sheet as it stands after all checks; a block none of whose orders stands is no longer good."""
        standing = {entry.unit for entry in self.entries}
        blocks = tuple(replace(block, good=block.good and block.unit in standing) for block in sheet.blocks)
        return replace(sheet, accepted=tuple(self.entries), blocks=blocks).with_problems(self.problems)


def _unit_of(entry: Accepted[Any]) -> str:
    """Whom the order is for; an order may name another unit than the header it stands under."""
    unit: str = getattr(entry.order, "unit", entry.unit)
    return unit


def _same_line(a: Accepted[Any], b: Accepted[Any]) -> bool:
    return a.line == b.line and a.unit == b.unit and a.text == b.text

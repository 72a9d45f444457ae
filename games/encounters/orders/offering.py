"""What offers are made of: the letter so far on the imagined board, and the lines of it that a choice supersedes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, cast

from games.encounters.imagined import imagined
from games.encounters.orders import records as said
from games.encounters.orders.board import Board
from games.encounters.orders.headers import EMPIRE
from games.encounters.rules.economy import settle_all_research
from games.encounters.rules.turn import after_upkeep
from games.encounters.scene import points
from games.encounters.state import Power
from games.encounters.table import Table, Trial
from games.encounters.view import View
from pbem.kit.choices import Choice, Closed, Fill
from pbem.kit.dice import KeyedDice
from pbem.kit.scene import Item, Point
from pbem.kit.sheet import Accepted, BadOrder, Sheet

Entry = Accepted[Any]
KindT = TypeVar("KindT")
Wares = Iterator[Choice | Closed]
SHEET_OF_FATE = b"encounters choices"
"""What the view hides is filled in the same way whenever the same view is asked; no choice hangs on it."""


class Desk:
    """A view, the letter its reader has written so far, and the table that could be behind the view."""

    def __init__(self, view: View, sheet: Sheet[said.Order]) -> None:
        assert view.own is not None, "only a power gives orders"
        self.view = view
        self.own: Power = view.own
        self.side = self.own.key
        self.entries: tuple[Entry, ...] = sheet.accepted
        self.blocks = sheet.blocks
        state = imagined(view, KeyedDice(SHEET_OF_FATE))
        self.table: Table = after_upkeep(state) if view.phase == "strategic" else Trial(state)

    @cached_property
    def points(self) -> dict[str, Point]:
        return points(self.view)

    @cached_property
    def letter(self) -> Letter:
        """The strategic letter so far."""
        settle_all_research(self.table, self.side)
        return Letter(Board(self.table, self.side), self.entries)

    # --- lines -------------------------------------------------------------------------------------------------------

    def given(self, kind: type[KindT]) -> list[Accepted[KindT]]:
        """The orders of one kind, in the order written."""
        return cast("list[Accepted[KindT]]", [entry for entry in self.entries if isinstance(entry.order, kind)])

    def replaced(self, old: Sequence[Entry]) -> tuple[int, ...]:
        """The lines that hold these orders and no others; a line that says more is left, and the new one follows it."""
        mine = {id(entry) for entry in old}
        kept = {entry.line for entry in self.entries if id(entry) not in mine}
        return tuple(dict.fromkeys(entry.line for entry in old if entry.line not in kept))

    def chosen(self, group: str, label: str, entry: Entry, **more: Any) -> Choice:
        """What a line says already, whole: sent again it changes nothing."""
        return Choice(group, label, (entry.text,), (entry.line,), chosen=True, **more)


@dataclass(frozen=True)
class Switch:
    """A single-valued order: whatever lines give it another value go out for the new one."""

    desk: Desk
    group: str
    old: Sequence[Entry]

    def to(
        self, label: str, text: str, order: said.Order | None = None, *, note: str = "", fill: Fill | None = None,
        at: Point | None = None, marks: tuple[Item, ...] = (), chosen: bool | None = None,
    ) -> Choice:  # fmt: skip
        same = bool(self.old) and self.old[-1].order == order if chosen is None else chosen
        gone = self.desk.replaced(self.old)
        return Choice(self.group, label, tuple(text.splitlines()), gone, note, at, marks=marks, chosen=same, fill=fill)


# --- the strategic letter --------------------------------------------------------------------------------------------


@dataclass
class Letter:
    """The orders of a strategic letter one after the other, and what more would stand among them."""

    start: Board
    entries: tuple[Entry, ...]
    _boards: dict[tuple[int, frozenset[int]], Board] = field(default_factory=dict)

    @property
    def end(self) -> Board:
        """After all that is written."""
        return self.board(len(self.entries))

    def board(self, at: int, without: frozenset[int] = frozenset()) -> Board:
        """Before the order of this number, with these lines left out; it is looked at and never changed."""
        if (at, without) not in self._boards:
            board = self.start.copy()
            for entry in self.entries[:at]:
                if entry.line not in without:
                    take(board, entry.unit, entry.order)
            self._boards[at, without] = board
        return self._boards[at, without]

    def spots(self, unit: str, gone: Sequence[int] = ()) -> tuple[int, ...]:
        """Where a new line of the unit may stand: in place of those that go, or at the end of its block.

        Lines above the first header are the power's as well, but a new line of it then opens a block at the end; and
        a header without lines leaves no trace in the sheet. So more than one place may count.
        """
        if gone:
            return (sum(1 for entry in self.entries if entry.line < min(gone)),)
        end, mine = len(self.entries), [number for number, entry in enumerate(self.entries, 1) if entry.unit == unit]
        if mine:
            return tuple(sorted({mine[-1], end})) if unit == EMPIRE else (mine[-1],)
        own = (self.start.power, unit)
        formed_here = own in self.end.table.fleets and own not in self.start.table.fleets
        return (end,) if formed_here else tuple(sorted({0, end}))

    def heads(self, fleet: str) -> bool:
        """The fleet is there wherever a new line of its block would stand."""
        boards = [self.board(at) for at in self.spots(fleet)]
        return all((board.power, fleet) in board.table.fleets for board in (*boards, self.end))

    def boards(self, at: int, gone: Sequence[int] = ()) -> list[Board]:
        """The board where a new line would stand, and after each later line that spends: what all have left is free."""
        without = frozenset(gone)
        later = [n for n in range(at, len(self.entries)) if isinstance(self.entries[n].order, said.Spending)]
        return [self.board(number, without) for number in dict.fromkeys((at, *(n + 1 for n in later)))]

    def refusal(self, unit: str, orders: Iterable[said.Order], gone: Sequence[int] = ()) -> BadOrder | None:
        """Why these orders would not stand, or would cost a line that stands now; None: they are free to give."""
        given, without = list(orders), frozenset(gone)
        for at in self.spots(unit, gone):
            board = self.board(at, without).copy()
            try:
                for order in given:
                    take(board, unit, order)
                for entry in self.entries[at:]:
                    if entry.line not in without:
                        take(board, entry.unit, entry.order)
            except BadOrder as error:
                return error
        return None


def take(board: Board, header: str, order: said.Order) -> None:
    """The order under this header; a fleet that is no more heads no orders."""
    of_fleet = isinstance(order, said.Move | said.Transfer) or (isinstance(order, said.SetDoctrine) and order.fleet)
    if of_fleet and (board.power, header) not in board.table.fleets:
        raise BadOrder("EN-MOV-7", f"{header} has ceased before this order")
    board.take(order)

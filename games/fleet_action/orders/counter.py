"""Where choices are made out: a sheet as it stands, and a trial of further lines by the real reader and checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.fleet_action.imagined import AtBest, imagined
from games.fleet_action.orders import check_building, checks
from games.fleet_action.orders.check_building import Roster
from games.fleet_action.orders.checks import Chapter
from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.reading import read_line
from games.fleet_action.orders.records import AbsorbOrder, Order, UseOrder
from games.fleet_action.orders.verbs import STANDING, VERBS, word_of
from games.fleet_action.rules import building
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table
from games.fleet_action.view import View
from pbem.kit.choices import Choice, Fill, Ranking, fillings
from pbem.kit.scene import Item, Point
from pbem.kit.sheet import LONGEST_LINE, Accepted, BadOrder, Line, Sheet

NEW = 1_000_000
"""The line number of what is on trial; it stands behind every line of a letter."""
MOST_TRIALS = 4
ROOM = LONGEST_LINE - 20
"""Characters of a line behind its order word."""
_SIDE_WIDE = (AbsorbOrder, UseOrder)
"""FA-ABL-1: an admiral's one use a turn is everybody's business."""


@dataclass(frozen=True)
class Drawn:
    """Where a choice lies on the map."""

    at: Point | None = None
    heading: float | None = None
    marks: tuple[Item, ...] = ()


NOWHERE = Drawn()


def ranking(names: Iterable[str]) -> Ranking:
    """As many of the names, the first ones, as a line has room for."""
    kept: list[str] = []
    for name in names:
        if len(", ".join([*kept, name])) > ROOM:
            break
        kept.append(name)
    return Ranking(tuple(kept))


class Counter:
    """One side's view and sheet, and one of its units that asks what it can still be ordered."""

    def __init__(self, view: View, sheet: Sheet[Order], side: str) -> None:
        self.view = view
        self.sheet = sheet
        self.side = side
        self.state = imagined(view, AtBest())
        """Before anything is bought."""
        self.roster = Roster(self.state)
        if building.is_building(self.state, side):
            self.roster = check_building.founded_by(self.state, side, sheet.orders)
        self.table = Table(self.roster.state)
        self.desk = self._desk(sheet.accepted)
        self.ask("")

    def _desk(self, entries: Iterable[Accepted[Order]] = ()) -> Desk:
        desk = Desk(self.table, self.side, self.roster.squadrons)
        desk.entries = list(entries)
        return desk

    def ask(self, unit: str) -> None:
        """The unit whose turn it is."""
        self.unit = unit
        family = self._family()
        turn = self.table.state.stage in ("turn", "reaction")
        self._local = [
            entry
            for entry in self.desk.entries
            if not turn or entry.order.unit in family or isinstance(entry.order, _SIDE_WIDE)
        ]
        self._mine = {entry.line for entry in self._local if unit in (entry.unit, entry.order.unit)}
        self._said = {entry.line: _folded(entry.text) for entry in self._local if entry.line in self._mine}
        self._words = {line: _word(text) for line, text in self._said.items()}
        self._before: dict[tuple[Chapter, ...], set[tuple[int, str, str]]] = {}

    def _family(self) -> set[str]:
        """Whose lines are checked together: a squadron and its ships."""
        squadron = self.squadron or (self.table.squadron(self.ship) if self.ship else None)
        return {self.unit} if squadron is None else {self.unit, squadron.name, *squadron.ships}

    @property
    def squadron(self) -> Squadron | None:
        return self.table.squadrons.get(self.unit)

    @property
    def ship(self) -> Ship | None:
        return self.table.ships.get(self.unit)

    # --- what the sheet says -----------------------------------------------------------------------------------------

    def lines(self, *words: str) -> set[int]:
        """The unit's lines with these order words."""
        return {line for line, word in self._words.items() if word in words}

    def refused(self, words: set[str]) -> set[int]:
        """Its lines with these words of which nothing stands: nobody misses them."""
        lost = [problem for problem in self.sheet.problems if problem.weight == "refused" and problem.line]
        mine = {problem.line: _word(problem.text) for problem in lost if problem.unit == self.unit}
        return {line for line, word in mine.items() if word and word in words} - self._words.keys()

    def doctrine(self) -> dict[int, str]:
        """FA-DOC-7: its lines that may stay in force and are not told to yet."""
        texts = {entry.line: entry.text for entry in self._local if entry.line in self._mine}
        return {
            line: text
            for line, text in texts.items()
            if self._words[line] and VERBS[self._words[line]].standing and not STANDING.fullmatch(text)
        }

    def says(self, line: str) -> bool:
        """The sheet has this line already; one with a blank, in whatever way it is filled."""
        head, blank, tail = _folded(line).partition("{}")
        if not blank:
            return head in self._said.values()
        return any(text.startswith(head) and text.endswith(tail) for text in self._said.values())

    # --- trial -------------------------------------------------------------------------------------------------------

    def offer(
        self,
        group: str,
        label: str,
        *lines: str,
        note: str = "",
        chapters: Sequence[Chapter] = checks.CHAPTERS,
        drops: Iterable[int] = (),
        fill: Fill | None = None,
        drawn: Drawn = NOWHERE,
    ) -> Iterator[Choice]:
        """The choice, if its lines would stand; lines of the unit that do not go with them go out."""
        filling = next(fillings(fill), None)
        if filling is None:
            return
        texts = [line.replace("{}", filling, 1) for line in lines]
        gone = self.tried(texts, tuple(chapters), drops)
        if gone is not None and all(len(text) <= LONGEST_LINE for text in texts):
            yield self.choice(group, label, *lines, note=note, gone=gone, fill=fill, drawn=drawn)

    def choice(
        self,
        group: str,
        label: str,
        *lines: str,
        note: str = "",
        gone: Iterable[int] = (),
        fill: Fill | None = None,
        drawn: Drawn = NOWHERE,
        faint: bool = False,
    ) -> Choice:
        """A choice that is known to be legal, with the lines it takes the place of."""
        words = {_word(line) for line in lines}
        gone = set(gone)
        others = {self._words[line] for line in gone} - words
        return Choice(
            group,
            label,
            lines,
            replaces=tuple(sorted(gone | self.refused(words))),
            note=note,
            at=drawn.at,
            heading=drawn.heading,
            marks=drawn.marks,
            chosen=all(map(self.says, lines)),
            faint=faint or bool(others),
            fill=fill,
        )

    def tried(self, texts: Sequence[str], chapters: tuple[Chapter, ...], drops: Iterable[int] = ()) -> set[int] | None:
        """The unit's lines that must go so that these can stand; None: they cannot."""
        new = self._read(texts)
        if new is None:
            return None
        folded = {_folded(text) for text in texts}
        gone = {*drops, *(line for line, said in self._said.items() if said in folded)}
        for _ in range(MOST_TRIALS):
            entries = [entry for entry in self._local if entry.line not in gone]
            troubled = {line for line, *_ in self._troubles(entries, new, chapters) - self._baseline(chapters)}
            if not troubled:
                return gone
            if not troubled <= self._mine:
                return None
            gone |= troubled
        return None

    def _read(self, texts: Sequence[str]) -> list[Accepted[Order]] | None:
        desk = self._desk()
        try:
            made = [(text, order) for text in texts for order in read_line(desk, Line(NEW, self.unit, text))]
        except BadOrder:
            return None
        return None if desk.problems else [Accepted(NEW, self.unit, text, order) for text, order in made]

    def _baseline(self, chapters: tuple[Chapter, ...]) -> set[tuple[int, str, str]]:
        """What is complained about without the lines on trial."""
        if chapters not in self._before:
            self._before[chapters] = self._troubles(self._local, [], chapters)
        return self._before[chapters]

    def _troubles(
        self, entries: list[Accepted[Order]], new: list[Accepted[Order]], chapters: tuple[Chapter, ...]
    ) -> set[tuple[int, str, str]]:
        return _troubles_of(self._desk([*entries, *new]), chapters)

    # --- building ----------------------------------------------------------------------------------------------------

    def built(
        self, group: str, label: str, line: str, order: Order, *, note: str = "", drops: Iterable[int] = ()
    ) -> Iterator[Choice]:
        """FA-BLD: the purchase, if the roster with it may stand and the rest of the letter with that roster."""
        gone = set(drops)
        bought = [entry.order for entry in self.desk.entries if entry.line not in gone]
        roster = check_building.founded_by(self.state, self.side, [*bought, order])
        if roster.refusals:
            return
        lost = self._lost_with(roster, gone)
        if lost <= self._mine:
            yield self.choice(group, label, line, note=note, gone=gone | lost)

    def _lost_with(self, roster: Roster, gone: set[int]) -> set[int]:
        """The lines that cannot stand with another roster: their units or their places are no more."""
        desk = Desk(Table(roster.state), self.side, roster.squadrons)
        lost: set[int] = set()
        for entry in self.desk.entries:
            if entry.line in gone:
                continue
            try:
                read_line(desk, Line(entry.line, entry.unit, entry.text))
                desk.entries.append(entry)
            except BadOrder:
                lost.add(entry.line)
        troubles = _troubles_of(desk, checks.CHAPTERS) - self._baseline(checks.CHAPTERS)
        return lost | {line for line, *_ in troubles}


def _troubles_of(desk: Desk, chapters: tuple[Chapter, ...]) -> set[tuple[int, str, str]]:
    checks.check(desk, chapters)
    return {(problem.line, problem.rule, problem.text) for problem in desk.problems}


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _word(text: str) -> str:
    """The order word of a line; none where it cannot be read."""
    try:
        return word_of(text)
    except BadOrder:
        return ""

"""Where the offer of one unit is laid out: the table as its side knows it, its letter, and the choices found so far."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from games.battleshift.orders import records as o
from games.battleshift.orders.records import ACCUMULATING, Order
from games.battleshift.orders.trial import Trial
from games.battleshift.orders.words import Names
from games.battleshift.rules.moving import inches
from games.battleshift.rules.sight import Aimed, inches_to, spot_of
from games.battleshift.rules.units import Body, Flight, Squadron, Taskforce
from games.battleshift.table import Table
from pbem.kit.choices import Choice, Closed, Dial, Fill, Number, Offer, Places, fillings
from pbem.kit.plane import INCH, Spot, squared
from pbem.kit.scene import Item, Point
from pbem.kit.sheet import BadOrder, Problem, Sheet

DetailT = TypeVar("DetailT", bound=o.Detail)

UNCHECKED = (
    o.Mode | o.Intercept | o.Guard | o.LightGuns | o.Lose | o.Escape | o.IfIntercepted | o.Initiative | o.DetachedOrder
) | (o.Dock | o.Undock | o.Clear)
"""What stands wherever it can be read."""
MOST_NAMED = 8
"""Units named in one group, the nearest first; selectors speak for the others."""


def point_of(spot: tuple[int, int]) -> Point:
    return Point(round(spot[0] / INCH, 2), round(spot[1] / INCH, 2))


@dataclass(frozen=True)
class Mark:
    """Somebody who may be named, by the name the side knows."""

    name: str
    target: Aimed
    far: int

    @property
    def spot(self) -> Spot:
        return spot_of(self.target)


class Desk:
    """Collects choices; what would draw a word of the checks is not laid out."""

    def __init__(self, names: Names, sheet: Sheet[Order], unit: str) -> None:
        self.names, self.sheet = names, sheet
        self.table: Table = names.table
        self.side = names.side
        self.unit = unit
        """As orders say it: empty for the fleet."""
        self.kind = names.own.get(unit, "fleet") if unit else "fleet"
        self.trial = Trial(names, sheet.accepted)
        self.choices: list[Choice] = []
        self.closed: list[Closed] = []
        self._lines = [(e.line, e.order.slot, e.order.standing, e.text) for e in sheet.accepted if e.order.unit == unit]
        self._refused = [found for problem in sheet.problems if (found := self._slot_of(problem))]

    def _slot_of(self, problem: Problem) -> tuple[int, str, bool] | None:
        """The line and the slot of an order that was read but did not stand."""
        if problem.weight != "refused" or not problem.line or problem.unit != (self.unit or "Fleet"):
            return None
        try:
            order = self.trial.read(self.unit, problem.text)
        except BadOrder:
            return None
        return problem.line, order.slot, order.standing

    # --- who it is ---------------------------------------------------------------------------------------------------

    @property
    def taskforce(self) -> Taskforce | None:
        return self.table.taskforce(self.side, self.unit) if self.kind == "taskforce" else None

    @property
    def squadron(self) -> Squadron | None:
        """The squadron itself; None: it is something else."""
        return self.table.squadron(self.side, self.unit) if self.kind in ("squadron", "station") else None

    @property
    def flight(self) -> Flight | None:
        return self.table.flight(self.side, self.unit) if self.kind == "flight" else None

    @property
    def body(self) -> Body | None:
        return self.table.body(self.unit) if self.kind == "planet" else None

    @property
    def lead(self) -> Squadron | None:
        """The squadron from which everything is reckoned: of a taskforce the flagship's."""
        tf = self.taskforce
        return tf.flagship.squadron if tf is not None else self.squadron

    @property
    def squadrons(self) -> list[Squadron]:
        """All that its lines speak to."""
        tf, squadron = self.taskforce, self.squadron
        return list(tf.living) if tf is not None else [squadron] if squadron is not None and squadron.present else []

    @property
    def spots(self) -> list[Spot]:
        """Where it is."""
        flight, body = self.flight, self.body
        if flight is not None:
            return [flight.spot]
        return [body.spot] if body is not None else [ship.spot for s in self.squadrons for ship in s.present]

    # --- who else is there -------------------------------------------------------------------------------------------

    def foes(self) -> list[Mark]:
        """Enemy squadrons and stations by the names the side knows, the nearest first."""
        shown = self.table.masked[self.side]
        there = self.table.on_table(self.table.enemy(self.side))
        return self._ranked((shown.get(s.key, s.name), s) for s in there)

    def foreign_flights(self) -> list[Mark]:
        return self._ranked((flight.name, flight) for flight in self.table.enemy_flights(self.side))

    def grounds(self) -> list[Mark]:
        """Quadrants of others, and what is worth destroying there."""
        foreign = [q for body in self.table.bodies for q in body.quadrants.values() if q.side != self.side]
        named: list[tuple[str, Aimed]] = [(f"{q.body.name} {q.place}", q) for q in foreign if q.body.name]
        named += [(objective.name, q) for q in foreign for objective in q.now.objectives]
        return self._ranked(named)

    def _ranked(self, named: Iterable[tuple[str, Aimed]]) -> list[Mark]:
        spots = self.spots
        marks = [Mark(name, target, inches_to(spots, target) if spots else 0) for name, target in named]
        return sorted(marks, key=lambda mark: (mark.far, mark.name))

    def nearest_own(self, names: Iterable[str], most: int = MOST_NAMED) -> list[str]:
        """Units of one's own, those nearest to it first."""
        here = self.spots[:1]

        def far(name: str) -> tuple[int, str]:
            tf, squadron = self.table.taskforce(self.side, name), self.table.squadron(self.side, name)
            leader = tf.flagship if tf is not None else squadron.leader if squadron is not None else None
            return squared(leader.spot, here[0]) if leader is not None and here else 0, name

        return sorted(names, key=far)[:most]

    # --- what is laid out --------------------------------------------------------------------------------------------

    def lines_of(self, *slots: str, standing: bool = False) -> tuple[int, ...]:
        """The lines of the letter that a new one in these slots replaces."""
        stood = {line for line, slot, is_standing, _ in self._lines if slot in slots and is_standing is standing}
        fell = {line for line, slot, is_standing in self._refused if slot in slots and is_standing is standing}
        return tuple(sorted(stood | fell))

    def given(self, kind: type[DetailT]) -> list[DetailT]:
        """The orders of one kind that the letter gives the unit."""
        own = (entry.order.detail for entry in self.sheet.accepted if entry.order.unit == self.unit)
        return [detail for detail in own if isinstance(detail, kind)]

    def texts_of(self, *slots: str) -> list[str]:
        return [text for _, slot, standing, text in self._lines if slot in slots and not standing]

    def add(
        self,
        group: str,
        label: str,
        *lines: str,
        note: str = "",
        spot: tuple[int, int] | None = None,
        marks: tuple[Item, ...] = (),
        fill: Fill | None = None,
        drops: Collection[int] = (),
        faint: bool = False,
        is_proven: bool = False,
    ) -> bool:
        """Lay out a choice, unless it would draw a word; lines of the same slots go, and those it drops besides."""
        samples = list(fillings(fill))
        try:
            orders = [
                [self._read(line, word) for line in lines] for word in dict.fromkeys((*samples[:1], *samples[-1:]))
            ]
        except BadOrder:
            return False
        if not orders:
            return False
        slots = [(order.slot, order.standing) for order in orders[0] if order.slot not in ACCUMULATING]
        gone = {line for slot, standing in slots for line in self.lines_of(slot, standing=standing)} | set(drops)
        if not is_proven and not all(self._stands(made, gone) for made in orders):
            return False
        chosen = self._says(lines, fill)
        where = point_of(spot) if spot is not None else None
        self.choices.append(
            Choice(group, label, lines, tuple(sorted(gone)), note, where, None, marks, chosen, faint, fill)
        )
        return True

    def _read(self, line: str, filling: str) -> Order:
        return self.trial.read(self.unit, line.replace("{}", filling, 1))

    def _stands(self, orders: Sequence[Order], gone: Collection[int]) -> bool:
        return all(isinstance(order.detail, UNCHECKED) for order in orders) or self.trial.stands(orders, gone)

    def _says(self, lines: Sequence[str], fill: Fill | None) -> bool:
        """Whether the letter says so already."""
        said = {" ".join(text.split()).casefold() for _, _, _, text in self._lines}
        if fill is None:
            return all(line.casefold() in said for line in lines)
        heads = [line.casefold().partition("{}") for line in lines]
        return all(
            any(_fits(fill, text[len(head) : len(text) - len(tail)]) for text in said if _frames(text, head, tail))
            for head, _, tail in heads
        )

    def close(self, group: str, why: str, rule: str) -> None:
        self.closed.append(Closed(group, why, rule))

    def offer(self, unit: str, title: str) -> Offer:
        return Offer(unit, title, tuple(self.choices), tuple(self.closed))


def _frames(text: str, head: str, tail: str) -> bool:
    return len(text) > len(head) + len(tail) and text.startswith(head) and text.endswith(tail)


def _fits(fill: Fill, word: str) -> bool:
    """Whether a word of the letter is one that the blank could hold."""
    if isinstance(fill, Dial):
        return re.fullmatch(r"\d{1,3} [\d.]+" if fill.step else r"\d{1,3}", word) is not None
    if isinstance(fill, Places):
        return word in {name.casefold() for name in fill.points}
    return word.isdigit() if isinstance(fill, Number) else True


def inches_away(mark: Mark) -> str:
    return f'{inches(mark.far)}"'

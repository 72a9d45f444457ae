"""A unit's block under the pen: lines are put in, and those that no longer fit beside them are cut or taken out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from games.galleys.imagined import imagined
from games.galleys.orders.checks import check_means
from games.galleys.orders.judge import FleetJudge
from games.galleys.orders.levels import Case, Levels, Means, kind_of
from games.galleys.orders.path_checks import acts_later
from games.galleys.orders.reading import LineReader
from games.galleys.orders.records import FLEET, Activate, Doctrine, Intent, Order, Path, PlanLine, Speed
from games.galleys.orders.records import Sequence as ShipSequence
from games.galleys.orders.trial import Trial
from games.galleys.orders.words import SELECTORS
from games.galleys.rules.routes import Water, water_for
from games.galleys.state import DOCTRINE_VALUES, LEVELS, Level, SeenShip, Ship
from games.galleys.view import View
from pbem.kit.choices import Choice, Closed, Fill, fillings
from pbem.kit.dice import KeyedDice
from pbem.kit.game import Side
from pbem.kit.hexgrid import Hex
from pbem.kit.scene import Item, Point, hex_point
from pbem.kit.sheet import Accepted, BadOrder, Line, Problem, Sheet

Entry = Accepted[Order]
KEYWORDS = frozenset(
    (*SELECTORS, "none", *(value.split()[0] for values in DOCTRINE_VALUES.values() for value in values))
)
"""First words that a name must not be taken for (6.4)."""
NEW, COPIED, CUT = 10_000, 20_000, 100_000
"""Numbers of lines that the letter does not have, or not in this form; no letter is so long."""


def named(ship: str) -> str:
    """A ship's name as an order writes it; one that begins like a keyword needs its @."""
    return f"@{ship}" if ship.split()[0].casefold() in KEYWORDS else ship


def places(ships: Iterable[SeenShip]) -> Mapping[str, Point]:
    """Names to be filled in, each where the ship lies."""
    return {named(ship.name): hex_point(ship.bow) for ship in ships}


class Letter:
    """One side's letter on the battle as that side may imagine it."""

    def __init__(self, view: View, sheet: Sheet[Order], side: Side) -> None:
        self.view = view
        self.side = side
        self.state = imagined(view, KeyedDice(b"choices"))
        self._reader = LineReader(self.state, side, "", "", FleetJudge())
        self.written = self._written(sheet)
        self.trial = Trial(self.state, side, self.written)
        self.table = self.trial.table
        if self.state.step == "reset":
            for ship in self.table.afloat():
                # What was used up last turn is there again when this one begins.
                if ship.ram_used or ship.fired:
                    self.table.change(ship, ram_used=False, fired=False)

    def _written(self, sheet: Sheet[Order]) -> Sequence[Entry]:
        """The lines as the player wrote them, those that were refused or changed as well."""
        entries = {entry.line: entry for entry in sheet.accepted}
        units = {FLEET, *self._reader.squadrons, *self._reader.ships}
        for problem in sheet.problems:
            if problem.line and problem.unit in units:
                read = self.read(Line(problem.line, problem.unit, problem.text))
                if isinstance(read, Accepted):
                    entries[problem.line] = read
        return [entries[number] for number in sorted(entries)]

    def read(self, line: Line) -> Entry | Problem:
        """The order of a line, or what the reader says against it."""
        judge = self._reader.judge = FleetJudge()
        try:
            (order,) = self._reader.read(line)
        except BadOrder as error:
            return Problem(line.number, line.text, error.rule, error.reason, error.hint, unit=line.unit)
        return judge.problems[0] if judge.problems else Accepted(line.number, line.unit, line.text, order)


@dataclass(frozen=True)
class Fit:
    """New lines and what they do to the block."""

    new: tuple[Entry, ...]
    kept: tuple[Entry, ...]
    """The lines beside them: the block's own, copies of the plan it followed so far, and paths cut short."""
    said: tuple[str, ...] = ()
    """What it brings with it, in words."""


class Block:
    """One unit, its lines, and the offer that is made of it."""

    def __init__(self, letter: Letter, unit: str) -> None:
        self.letter = letter
        self.unit = unit
        self.view, self.trial, self.table = letter.view, letter.trial, letter.table
        self.ships = self.trial.ships_of(unit)
        self.own: Sequence[Entry] = self.trial.levels.of(unit)
        self.choices: list[Choice] = []
        self.closed: list[Closed] = []

    @cached_property
    def void(self) -> list[Entry]:
        """GA-VAL-36: lines of the unit that later ones have replaced."""
        return [entry for entry in self.letter.written if entry.order.unit == self.unit and entry not in self.own]

    @cached_property
    def ship(self) -> Ship | None:
        """The ship, where the unit is one."""
        return next((ship for ship in self.ships if ship.name == self.unit), None)

    @cached_property
    def followers(self) -> list[Ship]:
        """The ships that would row by a plan of this unit: those without one that is more their own."""
        if self.ship:
            return [self.ship]
        nearer = ("name", "squadron") if self.unit == FLEET else ("name",)
        plans = self.trial.levels.plan
        return [ship for ship in self.ships if not plans(*(getattr(ship, level) for level in nearer))] or self.ships

    @cached_property
    def followed(self) -> str:
        """The unit above whose plan these ships follow, as long as they have none of their own."""
        above = [FLEET] if self.unit != FLEET else []
        if self.ship:
            above.insert(0, self.ship.squadron)
        if self.trial.levels.plan(self.unit):
            return ""
        return next((unit for unit in above if self.trial.levels.plan(unit)), "")

    @cached_property
    def plan(self) -> Sequence[Entry]:
        """The plan lines in force for the unit, its own or those it follows."""
        return self.trial.levels.plan(self.unit, *filter(None, (self.followed,)))

    @property
    def has_path(self) -> bool:
        return any(isinstance(entry.order, Path) for entry in self.plan)

    @cached_property
    def level(self) -> Level:
        """The level that is ordered, or used for want of an order."""
        if self.ship:
            return check_means(self.trial.case(self.ship)).level
        return next((entry.order.level for entry in self.plan if isinstance(entry.order, Speed)), Level.CRUISE)

    @cached_property
    def gone_by_then(self) -> Mapping[Hex, str]:
        """The hexes of friends that act earlier than the ship, and can; they may be free by then."""
        assert self.ship is not None
        case, side = self.trial.case(self.ship), self.letter.side
        friends = (friend for friend in self.table.afloat() if friend.side == side and friend.name != self.unit)
        going = (
            friend.name
            for friend in friends
            if not (friend.rammed or self.table.is_held(friend.name) or acts_later(case, friend))
        )
        return {at: name for name in going for at in self.table.hull(name).hexes}

    @cached_property
    def water(self) -> Water:
        """Where the ship may plot a path."""
        return water_for(self.table, self.unit, frozenset(self.gone_by_then.values()))

    # --- fitting lines in --------------------------------------------------------------------------------------------

    def fit(self, *texts: str, sample: str = "", instead_of: tuple[type, ...] = ()) -> Fit | Problem:
        """The block with these lines in it, or why they cannot stand.

        They replace lines of their kind and of those named; a line that no longer fits beside them is cut or goes.
        """
        new: list[Entry] = []
        for number, text in enumerate(texts, 1):
            read = self.letter.read(Line(NEW + number, self.unit, text.replace("{}", sample, 1)))
            if isinstance(read, Problem):
                return read
            new.append(replace(read, text=text))
        base, said = self._beside(new)
        kinds = {kind_of(entry.order) for entry in new}
        kept = [e for e in base if kind_of(e.order) not in kinds and not isinstance(e.order, instead_of)]
        said += [f"takes out {e.text}" for e in base if isinstance(e.order, instead_of) and e not in kept]
        if not any(_is_checked(entry.order) for entry in new):
            return Fit(tuple(new), tuple(kept), tuple(said))
        return self._mended(new, kept, said)

    def _beside(self, new: Sequence[Entry]) -> tuple[list[Entry], list[str]]:
        """Section 6.1: a unit's first plan line takes it out of the plan it followed, so the rest of that is copied."""
        if not self.followed or not any(isinstance(entry.order, PlanLine) for entry in new):
            return list(self.own), []
        copies = [
            replace(entry, line=COPIED + entry.line, unit=self.unit, order=replace(entry.order, unit=self.unit))
            for entry in self.plan
        ]
        return [*self.own, *copies], [f"otherwise as {self.followed}"]

    def _mended(self, new: Sequence[Entry], kept: list[Entry], said: list[str]) -> Fit | Problem:
        while objection := self.trial.objection(self.unit, [*kept, *new]):
            at = next((entry for entry in kept if entry.line == objection.line), None)
            if at is None:
                return objection
            kept = [entry for entry in kept if entry is not at]
            shorter = self._cut(at, objection.fix)
            kept += shorter
            said.append(f"{at.text} becomes {shorter[0].text}" if shorter else f"takes out {at.text}")
        return Fit(tuple(new), tuple(kept), tuple(said))

    def _cut(self, entry: Entry, fix: str) -> list[Entry]:
        """The longest part of a path that still fits, where that is what the checks propose."""
        if not isinstance(entry.order, Path) or not fix.startswith("path") or "\n" in fix:
            return []
        read = self.letter.read(Line(entry.line + CUT, self.unit, fix))
        if (
            isinstance(read, Accepted)
            and isinstance(read.order, Path)
            and len(read.order.tokens) < len(entry.order.tokens)
        ):
            return [read]
        return []

    @cached_property
    def rowing(self) -> Mapping[Level, Means | Problem]:
        """What the ship has at every level, or why it may not be ordered."""
        return {level: self.means_at(level) for level in LEVELS}

    def means_at(self, level: Level) -> Means | Problem:
        """What the ship has at a level, jettison and disengaging as ordered."""
        assert self.ship is not None
        fit = self.fit(f"speed {level}")
        return fit if isinstance(fit, Problem) else self.means_of(self.ship, fit)

    def means_of(self, ship: Ship, fit: Fit | None = None) -> Means:
        """What a ship has with these lines in the block, or as it stands."""
        return check_means(self.trial.case(ship, self._levels(fit)))

    def cases(self, fit: Fit) -> list[Case]:
        """The ships that would row by these lines."""
        return [self.trial.case(ship, self._levels(fit)) for ship in self.followers]

    def _levels(self, fit: Fit | None) -> Levels | None:
        return self.trial.levels.put(self.unit, (*fit.kept, *fit.new)) if fit else None

    # --- offering ----------------------------------------------------------------------------------------------------

    def offer(self, group: str, label: str, fit: Fit | Problem, **figures: Any) -> Problem | None:
        """Add a choice; what stands against it is handed back."""
        if isinstance(fit, Problem):
            return fit
        self.choices.append(self.choice(group, label, fit, **figures))
        return None

    def offer_line(
        self, group: str, label: str, *texts: str, fill: Fill | None = None, note: str = "", **figures: Any
    ) -> Problem | None:
        """Fit the lines in, and offer them."""
        fit = self.fit(*texts, sample=next(fillings(fill), ""))
        return self.offer(group, label, fit, fill=fill, note=note, **figures)

    def like(self, fit: Fit | Problem, *texts: str, sample: str = "") -> Fit | Problem:
        """The fit of lines that differ from fitted ones only in what the checks do not look at."""
        if isinstance(fit, Problem):
            return fit
        new = []
        for entry, text in zip(fit.new, texts, strict=True):
            read = self.letter.read(Line(entry.line, self.unit, text.replace("{}", sample, 1)))
            if isinstance(read, Problem):
                return read
            new.append(replace(read, text=text))
        return replace(fit, new=tuple(new))

    def of(self, group: str) -> list[Choice]:
        return [choice for choice in self.choices if choice.group == group]

    def close(self, group: str, objection: Problem | None) -> None:
        if objection:
            self.closed.append(Closed(group, self.reason(objection), objection.rule))

    def reason(self, objection: Problem) -> str:
        """In a ship's own offer her name goes without saying."""
        return objection.reason.removeprefix(f"{self.unit}: ")

    def choice(
        self,
        group: str,
        label: str,
        fit: Fit,
        note: str = "",
        at: Point | None = None,
        heading: float | None = None,
        marks: tuple[Item, ...] = (),
        fill: Fill | None = None,
    ) -> Choice:
        """The lines that come into the block, and the numbers of those that go."""
        lines = sorted((entry for entry in (*fit.kept, *fit.new) if entry not in self.own), key=_speed_first)
        replaced = [entry for entry in self.own if entry not in fit.kept]
        # A line that was void already must not come to life when the one that replaced it goes.
        kinds = {kind_of(entry.order) for entry in (*replaced, *lines)}
        void = [entry for entry in self.void if kind_of(entry.order) in kinds]
        chosen = fill is None and not fit.said and self._sense(fit.new) == self._sense(replaced)
        speeds = [entry for entry in fit.new if isinstance(entry.order, Speed)]
        return Choice(
            group=group,
            label=label,
            lines=tuple(entry.text for entry in lines),
            replaces=tuple(sorted(entry.line for entry in (*replaced, *void))),
            note="; ".join(filter(None, (note, *fit.said))),
            at=at,
            heading=heading,
            marks=marks,
            chosen=chosen,
            faint=bool(fit.said) or (len(fit.new) > 1 and bool(speeds)),
            fill=fill,
        )

    def _sense(self, entries: Iterable[Entry]) -> set[str]:
        """What lines mean; without a path every intent is automatic, whether it says ``if reachable`` or not."""
        orders = [entry.order for entry in entries]
        if not self.has_path:
            orders = [replace(found, if_reachable=True) if isinstance(found, Intent) else found for found in orders]
        return set(map(repr, orders))


def _is_checked(order: Order) -> bool:
    """Of the doctrines the checks look at one alone (GA-VAL-15); the order of acting they note at most."""
    if isinstance(order, Doctrine):
        return order.word == "disengage"
    return not isinstance(order, Activate | ShipSequence)


def _speed_first(entry: Entry) -> int:
    return 0 if isinstance(entry.order, Speed) else 1

"""What every chapter of an offer works with: a unit, what the sheet says of it, and the checks that read its lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from games.broadsides.orders import records as r
from games.broadsides.orders.checks import awakened, check_systems, check_unit
from games.broadsides.orders.reading import Reader
from games.broadsides.orders.words import Names
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.rules.sighting import known_enemies
from games.broadsides.state import Flight, Seen, Ship, State, Unit
from pbem.kit.choices import Choice, Closed, Fill
from pbem.kit.hexgrid import DIRECTION_NAMES, Hex, distance
from pbem.kit.judging import Judge
from pbem.kit.scene import Item, hex_point
from pbem.kit.sheet import Accepted, BadOrder, Line, Problem, Sheet

LAST_LINE = 10_000
"""Where a new line stands in a trial: behind all others."""


def written_hex(at: Hex) -> str:
    return f"{at.q},{at.r}"


def way(direction: int) -> str:
    return DIRECTION_NAMES[direction]


def folded(text: str) -> str:
    return " ".join(text.split()).casefold()


class Desk:
    """Takes choices and closed doors from the chapters, and answers what they all ask."""

    def __init__(self, state: State, side: str, sheet: Sheet[r.Order], unit: str) -> None:
        self.state = state if state.phase == "setup" else awakened(state)
        self.side, self.sheet, self.name = side, sheet, unit
        self.said: list[Accepted[r.Order]] = [entry for entry in sheet.accepted if entry.unit == unit]
        self.choices: list[Choice] = []
        self.closed: list[Closed] = []
        self._told = {folded(entry.text) for entry in self.said}
        self._judge: Judge[r.Order] = Judge()
        self._reader = Reader(Names(self.state, side, self._judge))

    # --- what is offered

    def offer(
        self,
        group: str,
        label: str,
        *lines: str,
        replaces: Iterable[int] = (),
        note: str = "",
        at: Hex | None = None,
        heading: int | None = None,
        marks: Sequence[Item] = (),
        faint: bool = False,
        fill: Fill | None = None,
    ) -> None:
        self.choices.append(
            Choice(
                group,
                label,
                lines,
                tuple(sorted(set(replaces))),
                note,
                None if at is None else hex_point(at),
                None if heading is None else 60.0 * heading,
                tuple(marks),
                chosen=fill is None and bool(lines) and all(folded(line) in self._told for line in lines),
                faint=faint,
                fill=fill,
            )
        )

    def close(self, group: str, why: str, rule: str) -> None:
        self.closed.append(Closed(group, why, rule))

    # --- units

    @property
    def unit(self) -> Unit:
        unit = self.state.unit(self.name)
        assert unit is not None, self.name
        return unit

    @cached_property
    def enemies(self) -> list[Unit]:
        """Those of the other side that are known and on the map."""
        known = (self.state.unit(name) for name in known_enemies(self.state, self.side))
        return [unit for unit in known if unit is not None and unit.on_map]

    def nearest(self, units: Iterable[Unit], most: int) -> list[Unit]:
        """The nearest of them to this unit, roster order on ties."""
        return sorted(units, key=lambda unit: distance(self.unit.position, unit.position))[:most]

    @cached_property
    def friends(self) -> list[Ship]:
        """Own ships on the map but this one."""
        own = (ship for ship in self.state.units() if isinstance(ship, Ship) and ship.side == self.side)
        return [ship for ship in own if ship.on_map and ship.name != self.name]

    # --- the sheet

    def lines_of(self, *kinds: type[r.Order]) -> tuple[int, ...]:
        """Numbers of this unit's lines of these kinds."""
        return tuple(entry.line for entry in self.said if isinstance(entry.order, kinds))

    @cached_property
    def launching(self) -> dict[str, int]:
        """BR-FTR-6: how many other flights the sheet launches from each carrier."""
        flights = {
            entry.unit: entry.order.target
            for entry in self.sheet.accepted
            if isinstance(entry.order, r.FlightLetter) and entry.order.letter == "L" and entry.unit != self.name
        }
        carriers = list(flights.values())
        return {carrier: carriers.count(carrier) for carrier in carriers}

    @cached_property
    def orders(self) -> UnitOrders:
        """What the sheet comes to for this unit."""
        return check_unit(self.state, Judge(self.said), self.unit, dict(self.launching))

    # --- trials

    def stands(self, *texts: str, replaces: Iterable[int] = ()) -> bool:
        """Whether these lines, in place of those, are read and checked without a new complaint about this unit.

        A ship's movement is not tried: what these lines say does not touch it.
        """
        self._judge.problems.clear()
        gone = set(replaces)
        number = min(gone, default=LAST_LINE)
        new = []
        try:
            for text in texts:
                new += [Accepted(number, self.name, text, made) for made in self._reader.read(Line(0, self.name, text))]
        except BadOrder:
            return False
        kept = [entry for entry in self.said if entry.line not in gone]
        heard = self._complaints(sorted([*kept, *new], key=lambda entry: entry.line))
        return not self._judge.problems and heard <= self._standing_complaints

    def _complaints(self, entries: Sequence[Accepted[r.Order]]) -> set[tuple[str, str]]:
        judge, unit = Judge(entries), self.unit
        if isinstance(unit, Flight):
            check_unit(self.state, judge, unit, dict(self.launching))
        else:
            check_systems(self.state, judge, unit, UnitOrders())
        return {_told(problem) for problem in judge.problems}

    @cached_property
    def _standing_complaints(self) -> set[tuple[str, str]]:
        return self._complaints(self.said)


def _told(problem: Problem) -> tuple[str, str]:
    return problem.text, problem.rule


def place(unit: Seen) -> str:
    """Where a unit is and how it goes: the end of an offer's title."""
    if not unit.on_map:
        return {"hyperspace": "in hyperspace", "hangar": "in its hangar"}.get(unit.status, unit.status)
    return f"{written_hex(unit.position)} heading {way(unit.heading)}, speed {unit.speed}"

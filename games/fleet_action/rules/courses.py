"""FA-MOV-9, 15: every place and heading in which a squadron can end its turn, by one path each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.fleet_action.rules.movement import Limits, SpeedChange, check_path, speeds
from games.fleet_action.rules.plotting import TURNINGS, TURNS, Class, Plot, Token, chart_hexes, ends, fly, shapes
from games.fleet_action.state import Squadron
from games.fleet_action.table import Table
from pbem.kit.hexgrid import Hex, distance


@dataclass(frozen=True)
class Course:
    """A legal plot, and where it leads."""

    plot: Plot
    change: SpeedChange
    end: Hex
    heading: int

    @property
    def turns(self) -> int:
        return sum(1 for step in self.plot.steps if step in TURNS)

    def apart(self, end: Hex, heading: int) -> tuple[int, int, int]:
        """How far it ends from a place and heading; of equal ones that with fewer turns is nearer."""
        round_ = (self.heading - heading) % 6
        return distance(self.end, end), min(round_, 6 - round_), self.turns


def courses(table: Table, squadron: Squadron, change: SpeedChange, of: Limits) -> Iterator[Course]:
    """Steps 4 to 7 of FA-MOV-15 for one change of speed: fewest turns first, then the latest turn."""
    found: set[tuple[Hex, int]] = set()
    hexes = sum(chart_hexes(speeds(squadron.speed, change)))
    for manoeuvre in _flown(table, squadron, change, of):
        # Where the speed changes between pulses, the place of a turn matters, so all paths are tried.
        every = shapes(hexes, manoeuvre) if change.delta and change.pulse > 1 else ends(hexes, manoeuvre).values()
        for steps in every:
            goal = led(squadron, steps)
            plot = None if goal in found else checked(table, squadron, steps, change, of)
            if plot is not None:
                found.add(goal)
                yield Course(plot, change, *goal)


def ways(table: Table, squadron: Squadron, change: SpeedChange, of: Limits, goal: tuple[Hex, int]) -> Iterator[Plot]:
    """All legal paths without bars that lead to a place and heading."""
    hexes = sum(chart_hexes(speeds(squadron.speed, change)))
    for manoeuvre in _flown(table, squadron, change, of):
        for steps in shapes(hexes, manoeuvre):
            plot = checked(table, squadron, steps, change, of) if led(squadron, steps) == goal else None
            if plot is not None:
                yield plot


def checked(table: Table, squadron: Squadron, steps: tuple[Token, ...], change: SpeedChange, of: Limits) -> Plot | None:
    """The plot of a path, if it is legal."""
    pivots = table.state.switches.pivot_at_zero
    plot = check_path(steps, squadron.speed, change, of, pivot_at_zero=pivots)
    return plot if isinstance(plot, Plot) else None


def led(squadron: Squadron, steps: tuple[Token, ...]) -> tuple[Hex, int]:
    """Where a path leads, and with which heading."""
    way, heading = fly(squadron.hex, squadron.heading, steps)
    return (way[-1] if way else squadron.hex), heading


def _flown(table: Table, squadron: Squadron, change: SpeedChange, of: Limits) -> Iterator[Class]:
    """The manoeuvres that can be legal; at one speed all paths of a manoeuvre are, or none."""
    each = speeds(squadron.speed, change)
    hexes = sum(chart_hexes(each))
    for manoeuvre in TURNINGS:
        first = next(shapes(hexes, manoeuvre), None)
        if first is None:
            continue
        if len(set(each)) > 1 or checked(table, squadron, first, change, of) is not None:
            yield manoeuvre

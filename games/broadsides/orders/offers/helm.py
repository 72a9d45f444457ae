"""What one craft can fly: legal plots about the one its sheet has, and the lines that make one of the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from games.broadsides.orders import records as r
from games.broadsides.orders.manoeuvre import Last, moving_craft, plot_of
from games.broadsides.orders.offers.desk import Desk, written_hex
from games.broadsides.rules.autopilot import candidates
from games.broadsides.rules.burn import Burn, burn
from games.broadsides.rules.craft import (
    LOST_SIDE_DELAY,
    TURNS,
    Course,
    Craft,
    Ground,
    Plot,
    ground_of,
    side_of,
    steps_in,
    turn_sign,
    with_slides_last,
    write_slide,
    write_tokens,
)
from games.broadsides.rules.movement import attempt, check
from games.broadsides.state import Side2
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.scene import Trail, hex_points

MOST_TURNS = 3
MOST_PATHS = 240


@dataclass(frozen=True)
class Way:
    """A legal plot and where it leads."""

    course: Course
    turns: int

    @property
    def plot(self) -> Plot:
        return self.course.plot

    @property
    def end(self) -> Hex:
        return self.course.hexes[-1]

    @property
    def first_turn(self) -> int:
        """Hexes before its first turn."""
        tokens = self.plot.tokens or ()
        at = next((at for at, token in enumerate(tokens) if token in TURNS), len(tokens))
        return steps_in(tokens[:at])


class Helm:
    """What one craft can fly, beside the plot its sheet has now."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.craft: Craft = moving_craft(desk.state, desk.unit, desk.orders)
        self.ground: Ground = ground_of(desk.state)
        last: Last = {type(entry.order): entry for entry in desk.said}
        self.chases = r.Chase in last
        self.written = plot_of(self.craft, last)
        """The plot as the sheet has it, right or wrong."""
        if self.chases:
            self.written = replace(self.written, tokens=None)
        self.course = check(self.craft, self.written, self.ground)[0]
        self.plot = self.course.plot
        """What of it will be flown."""
        alt = last.get(r.AltPath)
        self.alt = alt.order.alt if alt and isinstance(alt.order, r.AltPath) else None

    def flown(self, plot: Plot) -> Course | None:
        tried = attempt(self.craft, plot, self.ground)
        return tried if isinstance(tried, Course) else None

    @property
    def changes(self) -> range:
        """Speed changes the engines could pay for."""
        most = self.craft.thrust // max(1, self.craft.accel_cost)
        return range(-min(most, self.craft.speed), most + 1)

    @cached_property
    def speeds(self) -> dict[int, Course]:
        """BR-MOV-4: each legal change with the straight flight that follows it, pivot and slide as plotted."""
        straight_on = {change: self.flown(replace(self.plot, change=change, tokens=None)) for change in self.changes}
        return {change: course for change, course in straight_on.items() if course is not None}

    @cached_property
    def ways(self) -> list[Way]:
        """The best plot for every end, heading, facing and speed, those nearest to the present plot first."""
        best: dict[tuple[object, ...], Way] = {}
        for found in (found for change in self.changes for found in self._ways_at(change)):
            course = found.course
            key = (found.end, course.heading, course.facing, course.speed)
            if key not in best or found.turns < best[key].turns:
                best[key] = found
        goal, change = self.course.hexes[-1], self.plot.change
        ranked = sorted(best.values(), key=lambda one: (abs(one.plot.change - change), distance(one.end, goal)))
        return ranked[:MOST_PATHS]

    def _ways_at(self, change: int) -> Iterator[Way]:
        """All legal plots of implicit turns at one speed, slide steps last."""
        burned = burn(self.craft, replace(self.plot, change=change, tokens=None))
        if not isinstance(burned, Burn):
            return
        for found in candidates(self.craft, change, MOST_TURNS, self.ground):
            tokens = with_slides_last(found.tokens, burned.slide)
            course = self.flown(replace(self.plot, change=change, tokens=tokens))
            if course is not None:
                yield Way(course, found.turns)

    def turning_ways(self) -> dict[Side2, Way]:
        """The shortest way to each side at the speed of the plot."""
        first: dict[Side2, Way] = {}
        for found in sorted(self._ways_at(self.plot.change), key=lambda one: one.first_turn):
            turns = [token for token in found.plot.tokens or () if token in TURNS]
            if len(turns) == 1:
                first.setdefault(side_of(turn_sign(turns[0])), found)
        return first

    # --- in words

    def thrust_left(self, course: Course) -> str:
        return f"{self.craft.thrust - course.spent} of {self.craft.thrust} thrust left"

    def trouble(self, course: Course) -> str:
        """What a straight flight runs into: nothing stops it."""
        for at in course.hexes[1:]:
            if not self.ground.on_map(at):
                return "leaves the map for good"
            if why := self.ground.forbidden(at, self.craft.rating):
                return f"runs into {why} at {written_hex(at)}"
        rocks = [at for at in course.hexes[1:] if at in self.ground.rocks]
        return f"crosses {len(rocks)} hexes of asteroids" if rocks else ""

    def turn_delay(self, course: Course) -> int:
        base = self.craft.base_delay(course.speed)
        return base + course.acceleration + LOST_SIDE_DELAY * self.craft.lost_sides

    # --- as lines

    def offer(self, group: str, label: str, course: Course, plot: Plot, own: tuple[str, ...], note: str) -> None:
        """The lines that make this plot of the present one; ``own`` are the verbs the group itself writes."""
        parts = self._parts(plot)
        changed = [verb for verb, (_, now, wanted) in parts.items() if now != wanted]
        touched = [verb for verb in parts if verb in own or verb in changed]
        lines = [line for verb in touched for line in self._lines(verb, plot)]
        kinds = [kind for verb in touched for kind in parts[verb][0]]
        if self.alt and not self._alt_fits(plot):
            kinds.append(r.AltPath)
            changed.append("alt")
        self.desk.offer(
            group,
            label,
            *lines,
            replaces=self.desk.lines_of(*kinds),
            note=", ".join(part for part in (note, self.trouble(course)) if part),
            at=course.hexes[-1],
            heading=course.heading,
            marks=(Trail(hex_points(course.hexes), self.craft.side, "plotted"),),
            faint=any(verb not in own for verb in changed),
        )

    def _parts(self, plot: Plot) -> dict[str, tuple[tuple[type[r.Order], ...], object, object]]:
        """Each verb of a plot: its kinds of line, what the sheet has, what is wanted."""
        return {
            "speed": ((r.Speed,), self.written.change, plot.change),
            "pivot": ((r.Pivot,), self.written.pivot, plot.pivot),
            "slide": ((r.SlideTo,), self.written.slide, plot.slide),
            "path": ((r.Path, r.Chase) if plot.tokens is not None else (r.Path,), self.written.tokens, plot.tokens),
        }

    def _lines(self, verb: str, plot: Plot) -> list[str]:
        if verb == "speed":
            return [f"speed {self.craft.speed + plot.change}"]
        if verb == "pivot":
            side = "port" if plot.pivot < 0 else "starboard"
            return [f"pivot {side} {abs(plot.pivot)}"] if plot.pivot else []
        if verb == "slide":
            return [write_slide(plot.slide)] if plot.slide else []
        return [write_tokens(plot.tokens)] if plot.tokens is not None else []

    def _alt_fits(self, plot: Plot) -> bool:
        """BR-VAL-27: an alternate needs a main path, and must be legal with its speed, pivot and slide."""
        return (
            self.alt is not None
            and plot.tokens is not None
            and self.flown(replace(plot, tokens=self.alt.tokens)) is not None
        )

"""What a squadron can fly this turn: speed, path, way, mode, shift (FA-MOV, FA-FRM)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from games.fleet_action.orders import check_plot
from games.fleet_action.orders.counter import Counter, Drawn
from games.fleet_action.orders.plot import written_speed
from games.fleet_action.orders.records import PathOrder, ShiftOrder
from games.fleet_action.rules import courses, formation, jump, movement
from games.fleet_action.rules.courses import Course
from games.fleet_action.rules.movement import CLASS_NAMES, COMBINABLE, Limits, SpeedChange
from games.fleet_action.rules.plotting import BAR, TURNINGS, TURNS, Plot, chart_hexes, fly, written
from games.fleet_action.state import PULSES, Squadron
from games.fleet_action.table import Table
from pbem.kit import hexgrid
from pbem.kit.choices import Choice, Closed, Places
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.scene import Trail, hex_point

MOST_WAYS = 20


@dataclass(frozen=True)
class Plotting:
    """A squadron at the counter, with what its sheet has it fly."""

    counter: Counter
    squadron: Squadron
    """As it plots: where it enters, with the ships it will have."""

    @staticmethod
    def of(counter: Counter) -> Plotting:
        squadron = counter.squadron
        assert squadron is not None
        return Plotting(counter, check_plot.as_it_plots(counter.desk, squadron))

    @property
    def table(self) -> Table:
        return self.counter.table

    @cached_property
    def limits(self) -> Limits:
        return movement.limits(self.table, self.squadron)

    @cached_property
    def change(self) -> SpeedChange:
        return check_plot.ordered_change(self.counter.desk, self.squadron)

    @cached_property
    def steps(self) -> tuple[str, ...] | None:
        """The path of the sheet, bars and all."""
        entry = self.counter.desk.last(PathOrder, self.squadron.name)
        return None if entry is None else entry.order.steps

    @cached_property
    def plot(self) -> Plot:
        """What it flies as the sheet stands."""
        straight = movement.straight(self.squadron.speed, self.change)
        if self.steps is None:
            return straight
        return courses.checked(self.table, self.squadron, self.steps, self.change, self.limits) or straight

    @property
    def barred(self) -> Closed | None:
        """Why it does not move by order at all."""
        squadron, turn = self.squadron, self.table.turn
        if squadron.state == "waiting" and squadron.arrives != turn:
            when = f"it enters on turn {squadron.arrives}" if squadron.arrives else "it has not arrived"
            return Closed("path", f"{when}; it flies from then on", "FA-JMP-9")
        held = next((ship for ship in self.table.members(squadron) if ship.held_by), None)
        if held is not None:
            return Closed("path", f"{held.name} is held by {held.held_by}, which carries it along", "FA-SPC-8")
        return None

    def unfitting(self, change: SpeedChange) -> set[int]:
        """Lines of the sheet that do not go with another speed: a path of other length, a shift too far."""
        stays = change == self.change or self.steps is None or self._fits(change)
        return self.unfitting_shifts(change) | (set() if stays else self.counter.lines("path"))

    def unfitting_shifts(self, change: SpeedChange) -> set[int]:
        """FA-FRM-6: the allowance follows from the speed."""
        most = formation.allowance(movement.straight(self.squadron.speed, change))
        shifts = self.counter.desk.given(ShiftOrder, self.squadron.name)
        asked = {entry.line: formation.shift_distance(self.table, entry.order) or 0 for entry in shifts}
        return {line for line, far in asked.items() if far > most}

    def _fits(self, change: SpeedChange) -> bool:
        """A withdrawing squadron's path is measured anew at every speed, so it is given anew."""
        desk, squadron = self.counter.desk, self.squadron
        if self.steps is None or check_plot.withdraws(desk, squadron):
            return False
        return isinstance(check_plot.check_steps(desk, squadron, self.steps, change, self.limits), Plot)

    def drawn(self, plot: Plot) -> Drawn:
        """A plot on the map: its end, and the way there with a dot for each pulse."""
        way, marks, heading = [self.squadron.hex], [], self.squadron.heading
        for segment in plot.segments:
            hexes, heading = fly(way[-1], heading, segment)
            way += hexes
            marks.append(len(way) - 1)
        trail = Trail(tuple(map(hex_point, way)), self.squadron.side, "plotted", tuple(marks))
        return Drawn(hex_point(way[-1]), (heading - 1) * 60.0, (trail,))


def offers(counter: Counter) -> Iterator[Choice | Closed]:
    """All that moves a squadron."""
    plotting = Plotting.of(counter)
    if plotting.barred is not None:
        yield plotting.barred
        return
    yield from speeds(plotting)
    yield from paths(plotting)
    yield from _ways(plotting)
    yield from closed(plotting)
    if len(counter.table.members(plotting.squadron)) > 1:
        yield from _modes(counter)
        if counter.table.is_on_map(plotting.squadron):
            yield from _shifts(plotting)


# --- speed -----------------------------------------------------------------------------------------------------------


def changes(plotting: Plotting) -> Iterator[SpeedChange]:
    """FA-MOV-3, 5: every legal change of speed, the earliest and smallest first."""
    present, of = plotting.squadron.speed, plotting.limits
    yield SpeedChange(0)
    for pulse in PULSES:
        widest = max(of.acceleration[pulse - 1], of.deceleration[pulse - 1])
        for size in range(1, widest + 1):
            for change in (SpeedChange(-size, pulse), SpeedChange(size, pulse)):
                if movement.check_speed(present, change, of) is None:
                    yield change


def speeds(plotting: Plotting) -> Iterator[Choice]:
    """FA-MOV-3: what goes with the new speed stays; a path of another length goes."""
    counter, present = plotting.counter, plotting.squadron.speed
    said = counter.lines("speed")
    for change in changes(plotting):
        new = present + change.delta
        late = f" from pulse {change.pulse}" if change.pulse > 1 else ""
        label = f"speed {new}{late}" if change.delta else f"keep speed {present}"
        hexes = chart_hexes(movement.speeds(present, change))
        gone = plotting.unfitting(change)
        note = f"{hexes[0]} | {hexes[1]} | {hexes[2]} hexes" + ("; the path is given anew" if gone else "")
        yield counter.choice("speed", label, written_speed(change), note=note, gone=said | gone)


# --- path ------------------------------------------------------------------------------------------------------------


def paths(plotting: Plotting, *, others: bool = True) -> Iterator[Choice]:
    """FA-MOV-9: one path for each place and heading; those at other speeds bring the speed with them."""
    found: dict[tuple[Hex, int], Course] = {}
    for change in _tried_changes(plotting) if others else (plotting.change,):
        for course in check_plot.legal_courses(plotting.counter.desk, plotting.squadron, change, plotting.limits):
            found.setdefault((course.end, course.heading), course)
    end, heading = courses.led(plotting.squadron, plotting.plot.steps)
    here = [course for course in found.values() if course.change == plotting.change]
    elsewhere = [course for course in found.values() if course.change != plotting.change]
    # Where an offer grows too long its last paths are left out: of other speeds those that wind most and end farthest.
    elsewhere.sort(key=lambda course: (course.turns, course.apart(end, heading)))
    for course in (*here, *elsewhere):
        if course.plot.steps:
            yield _path(plotting, course)


def _tried_changes(plotting: Plotting) -> list[SpeedChange]:
    """The present one, then others from pulse 1 by how much they differ; FA-WDR-3 is measured at the present one."""
    present = plotting.change
    if check_plot.withdraws(plotting.counter.desk, plotting.squadron):
        return [present]
    others = [change for change in changes(plotting) if change.pulse == 1 and change != present]
    return [present, *sorted(others, key=lambda change: abs(change.delta - present.delta))]


def _path(plotting: Plotting, course: Course) -> Choice:
    counter, plot = plotting.counter, course.plot
    place = f"{hexgrid.name(course.end)} heading {course.heading}"
    line, name = f"path {written(plot.steps)}", CLASS_NAMES[plot.manoeuvre]
    gone = counter.lines("path")
    note = _figures(plotting, course)
    drawn = plotting.drawn(plot)
    if course.change == plotting.change:
        return counter.choice("path", f"{place}, {name}", line, note=note, gone=gone, drawn=drawn)
    label = f"{place}, {name} at speed {plot.speeds[-1]}"
    lines = (written_speed(course.change), line)
    gone = gone | counter.lines("speed") | plotting.unfitting_shifts(course.change)
    return counter.choice("path", label, *lines, note=note, gone=gone, drawn=drawn, faint=True)


def _figures(plotting: Plotting, course: Course) -> str:
    table, squadron = plotting.table, plotting.squadron
    words = [written(course.plot.steps)]
    way, _ = fly(squadron.hex, squadron.heading, course.plot.steps)
    if any(not table.on_map(at) for at in way):
        words.append("leaves the map")
    foes = table.enemy_squadrons(squadron.side)
    if foes:
        foe = min(foes, key=lambda other: distance(course.end, other.hex))
        words.append(f"{distance(course.end, foe.hex)} hexes from where {foe.name} is now")
    return "; ".join(words)


def _ways(plotting: Plotting) -> Iterator[Choice]:
    """Other paths to the end that the sheet has chosen, and turns before the fire of a pulse instead of after it."""
    counter, squadron, change, of = plotting.counter, plotting.squadron, plotting.change, plotting.limits
    if not plotting.steps:
        return
    may_be_flown = check_plot.leaving_rule(counter.desk, squadron, change, of)
    goal = courses.led(squadron, plotting.plot.steps)
    timed = [(steps, courses.checked(plotting.table, squadron, steps, change, of)) for steps in _timed(plotting.plot)]
    others = [(plot.steps, plot) for plot in courses.ways(plotting.table, squadron, change, of, goal)]
    legal = {steps: plot for steps, plot in (*timed, *others) if plot is not None and may_be_flown(plot)}
    legal.pop(plotting.steps, None)
    for steps, plot in list(legal.items())[:MOST_WAYS]:
        pulses = " | ".join(written(segment) or "-" for segment in plot.segments)
        line, drawn = f"path {written(steps)}", plotting.drawn(plot)
        yield counter.choice(
            "way", f"there by {written(steps)}", line, note=pulses, gone=counter.lines("path"), drawn=drawn
        )


def _timed(plot: Plot) -> Iterator[tuple[str, ...]]:
    """FA-MOV-8: turns at the start of a pulse may be flown at the end of the one before, ahead of its fire."""
    for pulse in (1, 2):
        segments = list(plot.segments)
        turns = tuple(takewhile(lambda step: step in TURNS, segments[pulse]))
        if turns:
            segments[pulse - 1] += turns
            segments[pulse] = segments[pulse][len(turns) :]
            yield (*segments[0], BAR, *segments[1], BAR, *segments[2])


# --- what is closed --------------------------------------------------------------------------------------------------


def closed(plotting: Plotting) -> Iterator[Closed]:
    """Why the list of speeds or paths is short."""
    yield from _closed_speeds(plotting)
    desk, squadron = plotting.counter.desk, plotting.squadron
    if jump.is_jumping(plotting.table, squadron):
        yield Closed("path", "it jumps at the end of this turn and may only maintain course", "FA-WDR-4")
        return
    too_fast = list(_too_fast(plotting))
    if too_fast:
        yield Closed("path", f"at speed {plotting.plot.speeds[0]}: {', '.join(too_fast)}", "FA-MOV-10")
    if plotting.change.delta:
        barred = [CLASS_NAMES[word] for word in COMBINABLE if word not in plotting.limits.combine]
        if barred:
            ship = next(iter(plotting.limits.not_combining.values()))
            yield Closed("path", f"with a speed change no {' or '.join(barred)}: {ship}", "FA-MOV-12")
    if check_plot.withdraws(desk, squadron):
        yield Closed("path", "it withdraws and may not close on the enemy", "FA-WDR-3")


def _closed_speeds(plotting: Plotting) -> Iterator[Closed]:
    of, present = plotting.limits, plotting.squadron.speed
    if not of.rows.acc:
        yield Closed("speed", f"no acceleration: {of.limiting['acc']} has 0", "FA-MOV-4")
    if not of.rows.dec and present:
        yield Closed("speed", f"no deceleration: {of.limiting['dec']} has 0", "FA-MOV-4")


def _too_fast(plotting: Plotting) -> Iterator[str]:
    """FA-MOV-10: the manoeuvres that the speed bars, with the speed that would allow them."""
    slowest = min(plotting.plot.speeds)
    for manoeuvre in TURNINGS:
        if manoeuvre == "maintain":
            continue
        limit = movement.row_limit(plotting.limits, manoeuvre)
        if slowest > limit:
            ship = plotting.limits.limiting[movement.governing_row(plotting.limits, manoeuvre)]
            yield f"no {CLASS_NAMES[manoeuvre]} ({limit} or less, {ship})"


# --- formation -------------------------------------------------------------------------------------------------------


def _modes(counter: Counter) -> Iterator[Choice]:
    """FA-FRM-2, 3."""
    said = counter.lines("mode")
    notes = {
        "absolute": "the formation wheels with its command ship",
        "relative": "every ship keeps its place on the map",
    }
    for mode, note in notes.items():
        yield counter.choice("mode", f"{mode} formation", f"mode {mode}", note=note, gone=said)


def _shifts(plotting: Plotting) -> Iterator[Choice | Closed]:
    """FA-FRM-6, 7: one member, by hex, or with an eye on the nearest enemy."""
    counter, squadron, table = plotting.counter, plotting.squadron, plotting.table
    most = formation.allowance(plotting.plot)
    if not most:
        yield Closed("shift", "no shift: a pulse of this turn has no hex (half of the least pulse)", "FA-FRM-6")
        return
    said, reach = counter.lines("shift"), f"at most {most} hex" + ("es" if most > 1 else "")
    foe = min(counter.desk.enemy_squadrons(), key=lambda foe: distance(squadron.hex, foe.hex), default=None)
    for ship in table.members(squadron):
        if ship.name == squadron.command_ship or ship.name not in squadron.ships:
            continue
        near = [at for at in hexgrid.disk(ship.hex, most) if at != ship.hex and table.on_map(at)]
        places = Places({hexgrid.name(at): hex_point(at) for at in near})
        label, line = f"{ship.name} to a hex", f"shift {ship.name} to {{}}"
        yield counter.choice("shift", label, line, note=reach, gone=said, fill=places)
        for way in ("toward", "away") if foe is not None else ():
            goal = f"{ship.name} {way} {foe.name}" if foe is not None else ""
            yield counter.choice("shift", goal, f"shift {goal}", note=reach, gone=said)

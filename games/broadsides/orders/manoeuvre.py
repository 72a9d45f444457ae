"""Movement lines: speed, path, pivot, slide and alternate are one plot, checked as such."""

from __future__ import annotations

import re
from dataclasses import replace

from games.broadsides.orders import records as r
from games.broadsides.orders.words import (
    DROPPED,
    Lines,
    bad_form,
    matched,
    put_right,
    read_number,
    read_side,
    read_side_and_number,
)
from games.broadsides.rules.autopilot import way_around
from games.broadsides.rules.craft import (
    Course,
    Craft,
    Fault,
    Ground,
    Plot,
    SlideOrder,
    craft_from,
    ground_of,
    read_tokens,
    straight,
    write_slide,
    write_tokens,
)
from games.broadsides.rules.doctrine import Alt, SnapRoll, UnitOrders
from games.broadsides.rules.movement import check
from games.broadsides.state import Flight, Ship, State, Unit
from pbem.kit.hexgrid import Hex
from pbem.kit.judging import Judge
from pbem.kit.sheet import Accepted, BadOrder, Line

Last = dict[type[r.Order], Accepted[r.Order]]
"""The line of each kind that counts: the last one written."""
MOVES = (r.Speed, r.Path, r.AltPath, r.Chase, r.Pivot, r.SlideTo)


class MovementLines(Lines):
    def speed(self, line: Line, rest: str) -> r.Order:
        self.names.mover(line)
        n = read_number(rest.replace(" ", ""), "speed +2, speed -1 or speed 7")
        return r.Speed(line.unit, change=n) if rest[0] in "+-" else r.Speed(line.unit, to=n)

    def path(self, line: Line, rest: str) -> r.Order:
        self.names.mover(line)
        return r.Path(line.unit, _tokens(rest, "path F3 P F3 with the tokens F, P, S, P+, S+, DP, DS, LP, LS, RP, RS"))

    def alt(self, line: Line, rest: str) -> r.Order:
        form = "alt within 5 of Tiger path F6"
        self.names.mover(line)
        found = matched(r"(within|beyond) (-?\d+) of (.+?) path(.*)", rest, form)
        hexes = int(found[2])
        if hexes < 0:
            fix = put_right(line, f"{found[1]} {found[2]}", f"{found[1]} 0")
            raise BadOrder("BR-VAL-29", f"the distance {hexes} is below 0", "alt within 0 or more", DROPPED, fix)
        who = "nearest" if found[3].casefold() == "nearest" else self.names.anybody(found[3], line)
        return r.AltPath(line.unit, Alt(found[1].casefold() == "within", hexes, who, _tokens(found[4], form)))

    def chase(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "chase")
        return r.Chase(line.unit, self.names.anybody(rest, line))

    def pivot(self, line: Line, rest: str) -> r.Order:
        self.names.mover(line, flights="BR-VAL-11")
        side, n = read_side_and_number(rest, "pivot port 2")
        if not 1 <= n <= 3:
            reason, fix = f"a pivot of {n} hexsides; 1 to 3 are possible", f"pivot {side} {3 if n > 3 else 1}"
            raise BadOrder("BR-VAL-11", reason, fix, DROPPED, fix)
        return r.Pivot(line.unit, -n if side == "port" else n)

    def slide(self, line: Line, rest: str) -> r.Order:
        form = "slide port 1 or slide stop"
        self.names.mover(line, flights="BR-VAL-10")
        if rest.casefold() == "stop":
            return r.SlideTo(line.unit, SlideOrder(None, 0))
        side, n = read_side_and_number(rest, form)
        if n < 0:
            raise bad_form(rest, form)
        return r.SlideTo(line.unit, SlideOrder(side, n))

    def roll(self, line: Line, rest: str) -> r.Order:
        self.names.mover(line, flights="BR-VAL-12")
        if rest:
            raise bad_form(rest, "roll")
        return r.RollOver(line.unit)

    def snaproll(self, line: Line, rest: str) -> r.Order:
        ship = self.names.mover(line, flights="BR-VAL-12")
        if isinstance(ship, Ship) and not self.names.sheet(ship).agile:
            reason = f"{ship.name} ({ship.class_name}) is not agile; only agile ships make snap rolls"
            raise BadOrder("BR-VAL-12", reason, "roll", DROPPED, "roll")
        if rest.casefold() == "yes":
            return r.SnapRollOver(line.unit, SnapRoll("yes"))
        if rest.casefold() == "away":
            return r.SnapRollOver(line.unit, SnapRoll("away"))
        form = "snaproll yes, snaproll away or snaproll if Tiger port"
        found = matched(r"if (.+) (port|starboard)", rest, form)
        return r.SnapRollOver(line.unit, SnapRoll("if", self.names.anybody(found[1], line), read_side(found[2])))


def _tokens(text: str, form: str) -> tuple[str, ...]:
    tokens = read_tokens(text)
    if tokens is None:
        raise bad_form(text, form)
    return tokens


# --- lines together --------------------------------------------------------------------------------------------------


def moving_craft(state: State, unit: Unit, orders: UnitOrders) -> Craft:
    """The craft at the start of its move; a launching flight starts with its carrier."""
    launching = isinstance(unit, Flight) and (orders.order == "L" or unit.launched_now)
    if isinstance(unit, Flight) and unit.status == "hangar" and unit.carrier in state.ships:
        home = state.ships[unit.carrier]
        unit = replace(unit, position=home.position, heading=home.heading, speed=home.speed, turning=None)
    return craft_from(state.cards, unit, launching=launching)


def check_movement(state: State, judge: Judge[r.Order], unit: Unit, orders: UnitOrders) -> UnitOrders:
    """The corrected plot of one unit, with a word about each correction."""
    last: Last = {type(entry.order): entry for entry in judge.given(r.Order, unit.name)}
    if isinstance(unit, Ship):
        snap = judge.last(r.SnapRollOver, unit.name)
        orders = replace(orders, roll=r.RollOver in last, snap_roll=snap.order.snap if snap else None)
    if not any(kind in last for kind in MOVES) and orders.order not in ("A", "D"):
        return orders
    craft, ground = moving_craft(state, unit, orders), ground_of(state)
    _second_pivots(judge, unit.name)
    chase = _chase(judge, unit.name)
    plot = plot_of(craft, last)
    if chase:
        plot = replace(plot, tokens=None)
    course, faults = check(craft, plot, ground)
    alt_line = _alt(judge, unit.name, course)
    for fault in faults:
        entry = last.get(_KIND_OF_VERB[fault.verb])
        fix = _Mender(craft, plot, ground, course).line(fault) if entry else ""
        judge.warn(entry or next(iter(last.values())), fault.rule, fault.reason, _hint(fault, fix), fault.instead, fix)
    settled = course.plot
    alt = _checked_alt(judge, craft, settled, alt_line, ground) if alt_line else None
    if any(fault.rule == "BR-VAL-14" for fault in faults) and _strays(course.hexes, craft, ground) and alt:
        settled = replace(settled, tokens=alt.tokens)
    return replace(orders, plot=settled, moves=True, speed_given=r.Speed in last, alt=alt, chase=chase)


_KIND_OF_VERB: dict[str, type[r.Order]] = {"speed": r.Speed, "path": r.Path, "pivot": r.Pivot, "slide": r.SlideTo}


def plot_of(craft: Craft, last: Last) -> Plot:
    """The plot as it is written, right or wrong."""
    plot = Plot()
    for entry in last.values():
        order = entry.order
        if isinstance(order, r.Speed):
            change = order.change if order.change is not None else (order.to or 0) - craft.speed
            plot = replace(plot, change=change)
        elif isinstance(order, r.Path):
            plot = replace(plot, tokens=order.tokens)
        elif isinstance(order, r.Pivot):
            plot = replace(plot, pivot=order.hexsides)
        elif isinstance(order, r.SlideTo):
            plot = replace(plot, slide=order.slide)
    return plot


def _second_pivots(judge: Judge[r.Order], unit: str) -> None:
    """BR-VAL-11: one pivot a turn; the later line replaces the earlier."""
    pivots = judge.given(r.Pivot, unit)
    for entry in pivots[:-1]:
        reason = f"{len(pivots)} pivots in one turn; 1 is possible"
        judge.warn(entry, "BR-VAL-11", reason, "one pivot line", "the later pivot replaces it")


def _chase(judge: Judge[r.Order], unit: str) -> str:
    """BR-VAL-27: of chase and path the later line stands."""
    chase, path = judge.last(r.Chase, unit), judge.last(r.Path, unit)
    if chase is None or path is None:
        return chase.order.target if chase else ""
    reason = f"chase (line {chase.line}) and path (line {path.line}) exclude each other"
    later = "'{}' stands, the later line"
    if path.line > chase.line:
        judge.warn(chase, "BR-VAL-27", reason, "one of the two", later.format(path.text))
        return ""
    judge.warn(path, "BR-VAL-27", reason, "one of the two", later.format(chase.text))
    return chase.order.target


def _alt(judge: Judge[r.Order], unit: str, course: Course) -> Accepted[r.AltPath] | None:
    """BR-VAL-27: an alternate needs a main path; without one the unit flies straight on."""
    entry = judge.last(r.AltPath, unit)
    if entry is not None and judge.last(r.Path, unit) is None:
        reason, instead = "an alternate path without a main path", "the alt line is dropped"
        main = write_tokens(straight(course.speed, course.slide))
        judge.warn(entry, "BR-VAL-27", reason, f"{main} above it", instead, f"{main}\n{entry.text}")
        return None
    return entry


def _checked_alt(
    judge: Judge[r.Order], craft: Craft, plot: Plot, entry: Accepted[r.AltPath], ground: Ground
) -> Alt | None:
    """BR-MOV-20: same speed, slide and pivot; its faults never touch the main path."""
    alt = entry.order.alt
    course, faults = check(craft, replace(plot, tokens=alt.tokens), ground)
    mender = _Mender(craft, replace(plot, tokens=alt.tokens), ground, course)
    where = f"alt {'within' if alt.near else 'beyond'} {alt.hexes} of {alt.unit}"
    for fault in faults:
        path = mender.line(fault) if fault.verb == "path" else ""
        fix = f"{where} {path}" if path else ""
        judge.warn(entry, fault.rule, fault.reason, _hint(fault, path), fault.instead, fix)
    return None if course.plot.tokens is None else replace(alt, tokens=course.plot.tokens)


def _strays(hexes: tuple[Hex, ...], craft: Craft, ground: Ground) -> bool:
    return any(ground.forbidden(at, craft.rating) for at in hexes[1:] if ground.on_map(at))


# --- lines that would stand ------------------------------------------------------------------------------------------


class _Mender:
    """Finds a line in place of one at fault; what it names is flown without a complaint about that line."""

    def __init__(self, craft: Craft, plot: Plot, ground: Ground, course: Course) -> None:
        self._craft, self._plot, self._ground, self._course = craft, plot, ground, course

    def line(self, fault: Fault) -> str:
        if fault.verb == "path":
            return self._path(fault)
        if fault.verb == "speed":
            return self._speed(fault)
        plot = self._course.plot
        if fault.verb == "slide":
            return write_slide(plot.slide or SlideOrder(None, 0))
        side = "port" if plot.pivot < 0 else "starboard"
        return f"pivot {side} {abs(plot.pivot)}" if plot.pivot else ""

    def _clean(self, plot: Plot, *verbs: str) -> bool:
        return not any(fault.verb in verbs for fault in check(self._craft, plot, self._ground)[1])

    def _path(self, fault: Fault) -> str:
        """The way around, the same turn later, or what will be flown."""
        hinted = read_tokens(fault.hint[4:].partition(";")[0]) if fault.hint.startswith("path") else None
        flown = self._course.plot
        on = straight(self._course.speed, self._course.slide)
        ways = [self._around(self._plot)] if fault.rule == "BR-VAL-14" else []
        for tokens in (*ways, hinted, flown.tokens, on, self._around(replace(flown, tokens=None))):
            if tokens is not None and self._clean(replace(self._plot, tokens=tokens), "path"):
                return write_tokens(tokens)
        return ""

    def _around(self, plot: Plot) -> tuple[str, ...] | None:
        """BR-VAL-14: the legal path that ends nearest to where a forbidden one would."""
        around = way_around(self._craft, plot, self._ground)
        return around.tokens if around else None

    def _speed(self, fault: Fault) -> str:
        """The same change with the pivot it needs, or the speed that will be flown."""
        speed = f"speed {self._craft.speed + self._plot.change}"
        found = re.fullmatch(r"pivot (port|starboard) (\d)", fault.hint)
        if found and not self._plot.pivot:
            pivot = -int(found[2]) if found[1] == "port" else int(found[2])
            if self._clean(replace(self._plot, pivot=pivot), "speed", "pivot"):
                return f"{fault.hint}\n{speed}"
        return f"speed {self._craft.speed + self._course.plot.change}"


def _hint(fault: Fault, fix: str) -> str:
    """Prose as it is; an order line only where it would stand."""
    if fix and (fault.hint.startswith(fix) or fix.startswith(fault.hint)):
        return fault.hint
    is_line = fault.hint.partition(" ")[0] in _KIND_OF_VERB
    return fix if is_line or fix else fault.hint

"""FA-MOV-15 over the lines of a squadron: speed, then path, then shift (FA-E-4 to FA-E-16, FA-E-34, FA-E-39)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.plot import written_shift, written_speed
from games.fleet_action.orders.records import (
    AbsorbOrder,
    DeployOrder,
    DetachOrder,
    PathOrder,
    ShiftOrder,
    SpeedOrder,
    WithdrawOrder,
)
from games.fleet_action.rules import formation, geometry, jump, movement, reinforcements, withdrawal
from games.fleet_action.rules.courses import Course, courses, led
from games.fleet_action.rules.movement import Fault, Limits, SpeedChange
from games.fleet_action.rules.plotting import BAR, Plot, written
from games.fleet_action.state import Squadron
from pbem.kit.hexgrid import disk, distance
from pbem.kit.sheet import Accepted

STRAIGHT = "it goes straight ahead"


def check(desk: Desk) -> None:
    """Every squadron with an order of movement."""
    if desk.table.state.stage not in ("turn", "reaction"):
        return
    units = list(dict.fromkeys(entry.order.unit for entry in desk.entries))
    for unit in units:
        squadron = desk.table.squadrons.get(unit)
        if squadron is not None:
            _check_squadron(desk, as_it_plots(desk, squadron))


def as_it_plots(desk: Desk, squadron: Squadron) -> Squadron:
    """The squadron whose path is checked: where it enters, with the ships it will have."""
    return _as_it_moves(desk, _as_it_enters(desk, squadron))


def _as_it_enters(desk: Desk, squadron: Squadron) -> Squadron:
    """FA-REI-5: a reinforcement plots from the place and speed it is given in the same letter."""
    entry = desk.last(DeployOrder, squadron.name)
    return squadron if entry is None else reinforcements.placed(squadron, entry.order)


def _as_it_moves(desk: Desk, squadron: Squadron) -> Squadron:
    """FA-CMD-15, FA-ABL-4: ships detached or taken in before the turn no longer, or already, limit the squadron."""
    detached = {entry.order.ship for entry in desk.given(DetachOrder, squadron.name)}
    absorbed = [name for entry in desk.given(AbsorbOrder, squadron.name) for name in entry.order.ships]
    kept = [name for name in squadron.ships if name not in detached]
    return replace(squadron, ships=(*kept, *absorbed))


def _check_squadron(desk: Desk, squadron: Squadron) -> None:
    table = desk.table
    of = movement.limits(table, squadron)
    change = _accepted_change(desk, squadron, of)
    path = desk.last(PathOrder, squadron.name)
    plot = movement.straight(squadron.speed, change)
    if path is not None:
        checked = check_steps(desk, squadron, path.order.steps, change, of)
        if isinstance(checked, Fault):
            fix = _nearest_path(desk, squadron, path.order.steps, change, of)
            desk.fault(path, checked, _instead(desk, squadron, change), fix)
        else:
            plot = checked
    _check_shift(desk, squadron, plot)


def _instead(desk: Desk, squadron: Squadron, change: SpeedChange) -> str:
    """FA-MOV-14: what is flown when the path is refused."""
    if withdraws(desk, squadron):
        return f"it withdraws by {written(withdrawal.retreat(desk.table, squadron).steps)} (FA-WDR-3)"
    total = sum(movement.straight(squadron.speed, change).hexes)
    kept = f" at speed {squadron.speed + change.delta}" if change.delta else ""
    return f"{STRAIGHT}{kept}: F{total}" if total else f"it stays{kept}"


# --- speed and path --------------------------------------------------------------------------------------------------


def withdraws(desk: Desk, squadron: Squadron) -> bool:
    return squadron.state == "withdrawing" or desk.last(WithdrawOrder, squadron.name) is not None


def ordered_change(desk: Desk, squadron: Squadron) -> SpeedChange:
    """FA-MOV-3: the change of speed that the letter asks for."""
    entry = desk.last(SpeedOrder, squadron.name)
    return SpeedChange(0) if entry is None else SpeedChange(entry.order.change(squadron.speed), entry.order.pulse)


def _accepted_change(desk: Desk, squadron: Squadron, of: Limits) -> SpeedChange:
    """FA-MOV-15 step 2: a change that is too great is dropped."""
    change = ordered_change(desk, squadron)
    fault = movement.check_speed(squadron.speed, change, of)
    entry = desk.last(SpeedOrder, squadron.name)
    if fault is None or entry is None:
        return change
    largest = movement.largest_change(squadron.speed, change, of)
    fix = written_speed(SpeedChange(largest, change.pulse))
    desk.fault(entry, fault, f"no speed change, the speed stays {squadron.speed}", fix)
    return SpeedChange(0)


def check_steps(
    desk: Desk, squadron: Squadron, steps: tuple[str, ...], change: SpeedChange, of: Limits
) -> Plot | Fault:
    """FA-MOV-15 steps 4 to 8."""
    table = desk.table
    pivots = table.state.switches.pivot_at_zero
    plot = movement.check_path(steps, squadron.speed, change, of, pivot_at_zero=pivots)
    if isinstance(plot, Fault):
        return plot
    if jump.is_jumping(table, squadron) and plot.manoeuvre != "maintain":
        name = movement.CLASS_NAMES[plot.manoeuvre]
        reason = f"a {name} by a squadron that jumps this turn; it may only maintain course (FA-WDR-4)"
        return Fault("FA-E-39", reason, "maintain course; a slip and a speed change are allowed")
    if withdraws(desk, squadron):
        return withdrawal.check(table, squadron, plot, change, of) or plot
    return plot


def leaving_rule(desk: Desk, squadron: Squadron, change: SpeedChange, of: Limits) -> Callable[[Plot], bool]:
    """FA-MOV-15 step 8, asked of many plots at one change of speed."""
    if jump.is_jumping(desk.table, squadron):
        return lambda plot: plot.manoeuvre == "maintain"
    if withdraws(desk, squadron):
        return withdrawal.requirement(desk.table, squadron, change, of)
    return lambda _plot: True


def legal_courses(desk: Desk, squadron: Squadron, change: SpeedChange, of: Limits) -> Iterator[Course]:
    """One for each place and heading in which the squadron may end at this change of speed."""
    may_be_flown = leaving_rule(desk, squadron, change, of)
    return (course for course in courses(desk.table, squadron, change, of) if may_be_flown(course.plot))


def _nearest_path(desk: Desk, squadron: Squadron, steps: tuple[str, ...], change: SpeedChange, of: Limits) -> str:
    """The legal path that ends nearest to where the refused one leads."""
    end, heading = led(squadron, tuple(step for step in steps if step != BAR))
    legal = legal_courses(desk, squadron, change, of)
    best = min(legal, key=lambda course: course.apart(end, heading), default=None)
    return f"path {written(best.plot.steps)}" if best is not None and best.plot.steps else ""


# --- shift -----------------------------------------------------------------------------------------------------------


def _check_shift(desk: Desk, squadron: Squadron, plot: Plot) -> None:
    """FA-FRM-6: one member, once, no farther than half the least pulse."""
    entries = desk.given(ShiftOrder, squadron.name)
    for late in entries[1:]:
        reason = f"a second shift in {squadron.name}; one member may shift in a turn"
        desk.refuse(late, "FA-E-16", reason, f"'{entries[0].text}' stands", "the first shift only")
    for entry in entries[:1]:
        _check_first_shift(desk, squadron, entry, plot)


def _check_first_shift(desk: Desk, squadron: Squadron, entry: Accepted[ShiftOrder], plot: Plot) -> None:
    order, most = entry.order, formation.allowance(plot)
    if order.ship == squadron.command_ship:
        reason = f"{order.ship} is the command ship of {squadron.name}; only members shift"
        others = [ship.name for ship in desk.table.members(squadron) if ship.name != order.ship]
        fix = _shorter_shift(desk, replace(order, ship=others[0]), most) if others else ""
        desk.refuse(entry, "FA-E-16", reason, "name a member", "no shift", fix)
        return
    asked = formation.shift_distance(desk.table, order)
    if asked is not None and asked > most:
        reason = f"{order.ship} asked to shift {asked}; the allowance is {most}"
        reason += f" (half of the least pulse, {min(plot.hexes)}, rounded up)"
        fix = _shorter_shift(desk, order, most)
        desk.refuse(entry, "FA-E-15", reason, f"at most {most} hex(es)", "no shift", fix)
    elif order.form == "to" and order.pulse != 1:
        reason = f"a shift to a hex happens in pulse 1, not in pulse {order.pulse}"
        desk.warn(entry, "FA-E-6", reason, "pulse 1", "pulse 1 is used", written_shift(replace(order, pulse=1)))


def _shorter_shift(desk: Desk, order: ShiftOrder, most: int) -> str:
    """The shift within the allowance that comes nearest to the one asked for."""
    if not most:
        return ""
    if order.form == "to" and order.hex is not None:
        wanted, here = order.hex, desk.table.ships[order.ship].hex
        near = [at for at in disk(here, most) if desk.table.on_map(at)]
        return written_shift(replace(order, hex=min(near, key=lambda at: distance(at, wanted)), pulse=1))
    if order.form == "steps" and order.offset is not None:
        asked = order.offset
        return written_shift(
            replace(order, offset=min(disk(geometry.HERE, most), key=lambda offset: distance(offset, asked)))
        )
    return written_shift(order)

"""FA-MOV-15 over the lines of a squadron: speed, then path, then shift (FA-E-4 to FA-E-16, FA-E-34, FA-E-39)."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action.orders.judging import Judge
from games.fleet_action.orders.records import (
    AbsorbOrder,
    DeployOrder,
    DetachOrder,
    PathOrder,
    ShiftOrder,
    SpeedOrder,
    WithdrawOrder,
)
from games.fleet_action.rules import formation, jump, movement, reinforcements, withdrawal
from games.fleet_action.rules.movement import Fault, Plot, SpeedChange
from games.fleet_action.rules.plotting import written
from games.fleet_action.state import Squadron

STRAIGHT = "it goes straight ahead"


def check(judge: Judge) -> None:
    """Every squadron with an order of movement."""
    if judge.desk.table.state.stage not in ("turn", "reaction"):
        return
    units = list(dict.fromkeys(entry.order.unit for entry in judge.entries))
    for unit in units:
        squadron = judge.desk.table.squadrons.get(unit)
        if squadron is not None:
            _check_squadron(judge, _as_it_moves(judge, _as_it_enters(judge, squadron)))


def _as_it_enters(judge: Judge, squadron: Squadron) -> Squadron:
    """FA-REI-5: a reinforcement plots from the place and speed it is given in the same letter."""
    entry = judge.one(DeployOrder, squadron.name)
    return squadron if entry is None else reinforcements.placed(squadron, entry.order)


def _as_it_moves(judge: Judge, squadron: Squadron) -> Squadron:
    """FA-CMD-15, FA-ABL-4: ships detached or taken in before the turn no longer, or already, limit the squadron."""
    detached = {entry.order.ship for entry in judge.given(DetachOrder, squadron.name)}
    absorbed = [name for entry in judge.given(AbsorbOrder, squadron.name) for name in entry.order.ships]
    kept = [name for name in squadron.ships if name not in detached]
    return replace(squadron, ships=(*kept, *absorbed))


def _check_squadron(judge: Judge, squadron: Squadron) -> None:
    table = judge.desk.table
    of = movement.limits(table, squadron)
    change = _accepted_change(judge, squadron, of)
    path = judge.one(PathOrder, squadron.name)
    plot = movement.straight(squadron.speed, change)
    if path is not None:
        pivots = table.state.switches.pivot_at_zero
        checked = movement.check_path(path.order.steps, squadron.speed, change, of, pivot_at_zero=pivots)
        if isinstance(checked, Plot):
            checked = _may_leave(judge, squadron, checked, change, of)
        if isinstance(checked, Fault):
            judge.fault(path, checked, _instead(judge, squadron, change))
        else:
            plot = checked
    _check_shift(judge, squadron, plot)


def _instead(judge: Judge, squadron: Squadron, change: SpeedChange) -> str:
    """FA-MOV-14: what is flown when the path is refused."""
    if _withdraws(judge, squadron):
        return f"it withdraws by {written(withdrawal.retreat(judge.desk.table, squadron).steps)} (FA-WDR-3)"
    total = sum(movement.straight(squadron.speed, change).hexes)
    kept = f" at speed {squadron.speed + change.delta}" if change.delta else ""
    return f"{STRAIGHT}{kept}: F{total}" if total else f"it stays{kept}"


def _withdraws(judge: Judge, squadron: Squadron) -> bool:
    return squadron.state == "withdrawing" or judge.one(WithdrawOrder, squadron.name) is not None


def _accepted_change(judge: Judge, squadron: Squadron, of: movement.Limits) -> SpeedChange:
    """FA-MOV-15 step 2: a change that is too great is dropped."""
    entry = judge.one(SpeedOrder, squadron.name)
    if entry is None:
        return SpeedChange(0)
    change = SpeedChange(entry.order.change(squadron.speed), entry.order.pulse)
    fault = movement.check_speed(squadron.speed, change, of)
    if fault is None:
        return change
    judge.fault(entry, fault, f"no speed change, the speed stays {squadron.speed}")
    return SpeedChange(0)


def _may_leave(judge: Judge, squadron: Squadron, plot: Plot, change: SpeedChange, of: movement.Limits) -> Plot | Fault:
    """FA-MOV-15 step 8: jumping and withdrawing squadrons."""
    table = judge.desk.table
    if jump.is_jumping(table, squadron) and plot.manoeuvre != "maintain":
        name = movement.CLASS_NAMES[plot.manoeuvre]
        reason = f"a {name} by a squadron that jumps this turn; it may only maintain course (FA-WDR-4)"
        return Fault("FA-E-39", reason, "maintain course; a slip and a speed change are allowed")
    if _withdraws(judge, squadron):
        return withdrawal.check(table, squadron, plot, change, of) or plot
    return plot


def _check_shift(judge: Judge, squadron: Squadron, plot: Plot) -> None:
    """FA-FRM-6: one member, once, no farther than half the least pulse."""
    entries = judge.given(ShiftOrder, squadron.name)
    for late in entries[1:]:
        reason = f"a second shift in {squadron.name}; one member may shift in a turn"
        judge.refuse(late, "FA-E-16", reason, f"'{entries[0].text}' stands", "the first shift only")
    for entry in entries[:1]:
        order = entry.order
        if order.ship == squadron.command_ship:
            reason = f"{order.ship} is the command ship of {squadron.name}; only members shift"
            judge.refuse(entry, "FA-E-16", reason, "name a member", "no shift")
            continue
        least = min(plot.hexes)
        asked = formation.shift_distance(judge.desk.table, order)
        if asked is not None and asked > formation.allowance(plot):
            reason = f"{order.ship} asked to shift {asked}; the allowance is {formation.allowance(plot)}"
            reason += f" (half of the least pulse, {least}, rounded up)"
            judge.refuse(entry, "FA-E-15", reason, f"at most {formation.allowance(plot)} hex(es)", "no shift")
        if order.form == "to" and order.pulse != 1:
            reason = f"a shift to a hex happens in pulse 1, not in pulse {order.pulse}"
            judge.complain(entry, "FA-E-6", reason, "pulse 1", "pulse 1 is used")

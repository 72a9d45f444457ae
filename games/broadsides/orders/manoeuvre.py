"""Movement lines together: speed, path, pivot, slide and alternate are one plot, checked as such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.broadsides.data import Catalogue
from games.broadsides.orders import records as r
from games.broadsides.rules.autopilot import way_around
from games.broadsides.rules.craft import Craft, Fault, Ground, Plot, craft_from, ground_of, write_tokens
from games.broadsides.rules.doctrine import Alt, UnitOrders
from games.broadsides.rules.movement import check
from games.broadsides.state import Flight, Ship, State, Unit
from pbem.kit.hexgrid import Hex
from pbem.kit.sheet import Accepted, Problem

Entry = Accepted[r.Order]
MOVES = (r.Speed, r.Path, r.AltPath, r.Chase, r.Pivot, r.SlideTo)


def moving_craft(state: State, catalogue: Catalogue, unit: Unit, orders: UnitOrders) -> Craft:
    """The craft at the start of its move; a launching flight starts with its carrier."""
    launching = isinstance(unit, Flight) and (orders.order == "L" or unit.launched_now)
    if isinstance(unit, Flight) and unit.status == "hangar" and unit.carrier in state.ships:
        home = state.ships[unit.carrier]
        unit = replace(unit, position=home.position, heading=home.heading, speed=home.speed, turning=None)
    return craft_from(catalogue, unit, launching=launching)


def settle_movement(
    state: State,
    catalogue: Catalogue,
    unit: Unit,
    entries: Sequence[Entry],
    orders: UnitOrders,
    problems: list[Problem],
) -> UnitOrders:
    """The corrected plot of one unit, with a problem for each correction."""
    last = {type(entry.order): entry for entry in entries}
    if isinstance(unit, Ship):
        orders = _rolls(last, orders)
    if not any(kind in last for kind in MOVES) and orders.order not in ("A", "D"):
        return orders
    craft = moving_craft(state, catalogue, unit, orders)
    _second_pivots(entries, problems)
    plot = _plot(craft, last)
    chase = _chase(last, problems)
    if chase:
        plot = replace(plot, tokens=None)
    alt_line = _alt(last, problems)
    ground = ground_of(state)
    course, faults = check(craft, plot, ground)
    problems.extend(_problem(_with_way_around(fault, craft, plot, ground), last) for fault in faults)
    settled = course.plot
    alt = _checked_alt(craft, settled, alt_line, ground, problems) if alt_line else None
    if any(fault.rule == "BR-VAL-14" for fault in faults) and _strays(course.hexes, craft, ground) and alt:
        settled = replace(settled, tokens=alt.tokens)
    return replace(
        orders,
        plot=settled,
        moves=True,
        speed_given=r.Speed in last,
        alt=alt,
        chase=chase,
    )


def _rolls(last: dict[type[r.Order], Entry], orders: UnitOrders) -> UnitOrders:
    snap = last.get(r.SnapRollOver)
    found = snap.order.snap if snap and isinstance(snap.order, r.SnapRollOver) else None
    return replace(orders, roll=r.RollOver in last, snap_roll=found)


def _plot(craft: Craft, last: dict[type[r.Order], Entry]) -> Plot:
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


def _second_pivots(entries: Sequence[Entry], problems: list[Problem]) -> None:
    """BR-VAL-11: one pivot a turn; the later line replaces the earlier."""
    pivots = [entry for entry in entries if isinstance(entry.order, r.Pivot)]
    for entry in pivots[:-1]:
        reason = f"{len(pivots)} pivots in one turn; 1 is possible"
        hint, instead = "one pivot line", "the later pivot replaces it"
        problems.append(Problem(entry.line, entry.text, "BR-VAL-11", reason, hint, instead, entry.unit))


def _chase(last: dict[type[r.Order], Entry], problems: list[Problem]) -> str:
    """BR-VAL-27: of chase and path the later line stands."""
    chase, path = last.get(r.Chase), last.get(r.Path)
    if chase is None or not isinstance(chase.order, r.Chase):
        return ""
    if path is None:
        return chase.order.target
    lost, kept = (chase, path) if path.line > chase.line else (path, chase)
    reason = f"chase (line {chase.line}) and path (line {path.line}) exclude each other"
    instead = f"'{kept.text}' stands, the later line"
    problems.append(Problem(lost.line, lost.text, "BR-VAL-27", reason, "one of the two", instead, lost.unit))
    return chase.order.target if kept is chase else ""


def _alt(last: dict[type[r.Order], Entry], problems: list[Problem]) -> Entry | None:
    """BR-VAL-27: an alternate needs a main path."""
    entry = last.get(r.AltPath)
    if entry is None or not isinstance(entry.order, r.AltPath):
        return None
    if r.Path not in last:
        reason, hint = "an alternate path without a main path", "path F6 above it"
        problems.append(
            Problem(entry.line, entry.text, "BR-VAL-27", reason, hint, "the alt line is dropped", entry.unit)
        )
        return None
    return entry


def _checked_alt(craft: Craft, plot: Plot, entry: Entry, ground: Ground, problems: list[Problem]) -> Alt | None:
    """BR-MOV-20: same speed, slide and pivot; its faults never touch the main path."""
    assert isinstance(entry.order, r.AltPath)
    alt = entry.order.alt
    course, faults = check(craft, replace(plot, tokens=alt.tokens), ground)
    problems.extend(
        Problem(entry.line, entry.text, fault.rule, fault.reason, fault.hint, fault.instead, entry.unit)
        for fault in faults
    )
    return None if course.plot.tokens is None else replace(alt, tokens=course.plot.tokens)


def _strays(hexes: tuple[Hex, ...], craft: Craft, ground: Ground) -> bool:
    return any(ground.forbidden(at, craft.rating) for at in hexes[1:] if ground.on_map(at))


def _with_way_around(fault: Fault, craft: Craft, plot: Plot, ground: Ground) -> Fault:
    """BR-VAL-14: the nearest legal plot as the hint, where the autopilot finds one."""
    around = way_around(craft, plot, ground) if fault.rule == "BR-VAL-14" else None
    return replace(fault, hint=write_tokens(around.tokens)) if around and around.tokens else fault


_KIND_OF_VERB = {"speed": r.Speed, "path": r.Path, "pivot": r.Pivot, "slide": r.SlideTo}


def _problem(fault: Fault, last: dict[type[r.Order], Entry]) -> Problem:
    """A fault of the plot, laid at the line that caused it."""
    entry = last.get(_KIND_OF_VERB[fault.verb]) or next(iter(last.values()))
    return Problem(entry.line, entry.text, fault.rule, fault.reason, fault.hint, fault.instead, entry.unit)

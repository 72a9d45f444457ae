"""Checks of shifts and arrivals (BS-V-36 to BS-V-41)."""

from __future__ import annotations

from games.battleshift.orders import records as o
from games.battleshift.orders.judge import Checker, Entry
from games.battleshift.rules.formations import arrival
from games.battleshift.rules.moving import inches
from games.battleshift.rules.shifting import ordered_layouts
from games.battleshift.rules.space import gravity_at, may_be_placed, nearest_open, read_sector, sector_closed
from games.battleshift.rules.units import Squadron, Taskforce
from games.battleshift.state import Return
from pbem.kit.plane import Spot, whole_distance


def check_shift(checker: Checker, entry: Entry, order: o.Shift) -> None:
    table = checker.table
    tf = table.taskforce(checker.side, entry.order.unit)
    squadron = tf.flagship.squadron if tf is not None else table.squadron(checker.side, entry.order.unit)
    if squadron is None:
        return
    if tf is None and squadron.taskforce is not None:
        name = squadron.taskforce.name
        checker.refuse(
            entry, "BS-V-40", f"{squadron.name} is in {name}", f"detach it, or order {name} to shift", "it stays"
        )
        return
    if squadron.now.arrived_turn == table.turn:
        reason = f"{entry.order.unit} arrived in turn {table.turn}"
        checker.refuse(entry, "BS-V-37", reason, f"from turn {table.turn + 1} on", "it stays")
        return
    if order.back is not None and not return_is_legal(checker, entry, order.back, tf, squadron):
        return
    for member in tf.living if tf is not None else [squadron]:
        for ship in member.active:
            body = gravity_at(table, checker.side, ship.spot)
            if body is not None:
                far = max(0, whole_distance(ship.spot, body.spot) - body.radius)
                reason = f'{ship.name} is {inches(far)}" from {body.called} now, 12.00 needed'
                checker.note(entry, "BS-V-39", reason, "", "it may have to stay")
                break


def return_is_legal(checker: Checker, entry: Entry, back: Return, tf: Taskforce | None, squadron: Squadron) -> bool:
    """BS-V-36, -38, -41."""
    table = checker.table
    earliest = table.turn + 2
    if back.turn < earliest:
        checker.refuse(
            entry, "BS-V-36", f"return turn {back.turn} is too early", f"earliest turn {earliest}", "it stays"
        )
        return False
    problem = sector_problem(checker, back.sector)
    if problem:
        checker.refuse(entry, "BS-V-38", *problem, "it stays")
        return False
    counts = {s: len(s.active) for s in (tf.living if tf is not None else [squadron])}
    problem_text = layout_problem(checker, back, counts, squadron)
    if problem_text:
        checker.refuse(entry, "BS-V-41", problem_text, "move the place, or choose another sector", "it stays")
        return False
    return True


def sector_problem(checker: Checker, name: str) -> tuple[str, str] | None:
    table = checker.table
    sector = read_sector(name, table.state.width_ft, table.state.height_ft)
    assert sector is not None
    body = sector_closed(table, checker.side, sector)
    if body is None:
        return None
    open_one = nearest_open(table, checker.side, sector)
    hint = f"nearest open sector {open_one.name}" if open_one else "no sector is open"
    return f"sector {name} is closed by {body.called}", hint


def layout_problem(checker: Checker, back: Return, counts: dict[Squadron, int], first: Squadron) -> str:
    """BS-V-41: a ship outside the sector or in gravity; empty: the layout is legal."""
    table = checker.table
    sector = read_sector(back.sector, table.state.width_ft, table.state.height_ft)
    assert sector is not None
    centre = sector.centre if back.x is None or back.y is None else Spot(back.x, back.y)
    ships = {squadron.name: max(1, count) for squadron, count in counts.items()}
    layouts = ordered_layouts(checker.book(), ships)
    for name, spots in arrival(ships, first.name, centre, back.facing, layouts).items():
        for number, spot in enumerate(spots, 1):
            if not sector.holds(spot):
                left, top, right, bottom = sector.bounds
                bounds = f"{inches(left)}-{inches(right)}, {inches(top)}-{inches(bottom)}"
                place = f"{inches(spot.x)},{inches(spot.y)}"
                return f"{name} ship {number} at {place} is outside {sector.name} ({bounds})"
            body = may_be_placed(table, checker.side, sector, spot)
            if body is not None:
                return f"{name} ship {number} would stand in the gravity of {body.called} (12.00)"
    return ""


def check_arrive(checker: Checker, entry: Entry, _order: o.Arrive) -> None:
    """BS-V-41: the layout of a squadron in reserve or hyperspace; a shifting one is checked with its shift."""
    squadron = checker.table.squadron(checker.side, entry.order.unit)
    if squadron is None:
        return
    tf = squadron.taskforce
    back = squadron.now.returns or (tf.now.returns if tf is not None else None)
    if back is None:
        unit = tf.name if tf is not None else squadron.name
        if checker.ordered(unit, "shift") is None:
            checker.refuse(
                entry, "BS-V-5", f"{squadron.name} is neither in reserve nor shifting out", "order a shift first"
            )
        return
    ships = sum(ship.now.status == "hyperspace" for ship in squadron.ships)
    why = layout_problem(checker, back, {squadron: ships}, squadron)
    if why:
        checker.refuse(entry, "BS-V-41", why, f"a place inside {back.sector}", "the default place")

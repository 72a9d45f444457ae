"""Checks of shifts and arrivals (BS-V-36 to BS-V-41)."""

from __future__ import annotations

from games.battleshift.data import LIMITS
from games.battleshift.orders import words as w
from games.battleshift.orders.checks import Checker, Entry
from games.battleshift.rules.formations import slots
from games.battleshift.rules.moving import inches
from games.battleshift.rules.shifting import PLACES
from games.battleshift.rules.space import body_name, gravity_at, may_be_placed, nearest_open, read_sector, sector_closed
from games.battleshift.rules.units import Squadron, Taskforce
from games.battleshift.state import Formation, Return
from pbem.kit.plane import Sector, Spot, displacement, whole_distance


def check_shift(checker: Checker, entry: Entry, order: w.Shift) -> None:
    battle = checker.battle
    tf = battle.taskforce(checker.side, entry.order.unit)
    squadron = tf.flagship.squadron if tf is not None else battle.squadron(checker.side, entry.order.unit)
    if squadron is None:
        return
    if tf is None and squadron.taskforce is not None:
        name = squadron.taskforce.name
        checker.refuse(
            entry, "BS-V-40", f"{squadron.name} is in {name}", f"detach it, or order {name} to shift", "it stays"
        )
        return
    if squadron.arrived_turn == battle.turn:
        reason = f"{entry.order.unit} arrived in turn {battle.turn}"
        checker.refuse(entry, "BS-V-37", reason, f"from turn {battle.turn + 1} on", "it stays")
        return
    if order.back is not None and not return_is_legal(checker, entry, order.back, tf, squadron):
        return
    for member in tf.living if tf is not None else [squadron]:
        for ship in member.active:
            body = gravity_at(battle, checker.side, ship.spot)
            if body is not None:
                far = max(0, whole_distance(ship.spot, body.spot) - body.radius)
                reason = f'{ship.name} is {inches(far)}" from {body_name(body)} now, 12.00 needed'
                checker.warn(entry, "BS-V-39", reason, "", "it may have to stay")
                break


def return_is_legal(checker: Checker, entry: Entry, back: Return, tf: Taskforce | None, squadron: Squadron) -> bool:
    """BS-V-36, -38, -41."""
    battle = checker.battle
    earliest = battle.turn + 2
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
    battle = checker.battle
    sector = read_sector(name, battle.state.width_ft, battle.state.height_ft)
    assert sector is not None
    body = sector_closed(battle, checker.side, sector)
    if body is None:
        return None
    open_one = nearest_open(battle, checker.side, sector)
    hint = f"nearest open sector {open_one.name}" if open_one else "no sector is open"
    return f"sector {name} is closed by {body_name(body)}", hint


def layout_problem(checker: Checker, back: Return, counts: dict[Squadron, int], first: Squadron) -> str:
    """BS-V-41: a ship outside the sector or in gravity; empty: the layout is legal."""
    battle = checker.battle
    sector = read_sector(back.sector, battle.state.width_ft, battle.state.height_ft)
    assert sector is not None
    for squadron, spots in _layout(checker, back, counts, first, sector).items():
        for number, spot in enumerate(spots):
            if not sector.holds(spot):
                left, top, right, bottom = sector.bounds
                bounds = f"{inches(left)}-{inches(right)}, {inches(top)}-{inches(bottom)}"
                place = f"{inches(spot.x)},{inches(spot.y)}"
                return f"{squadron.name} ship {number + 1} at {place} is outside {sector.name} ({bounds})"
            body = may_be_placed(battle, checker.side, sector, spot)
            if body is not None:
                return f"{squadron.name} ship {number + 1} would stand in the gravity of {body_name(body)} (12.00)"
    return ""


def _layout(
    checker: Checker, back: Return, counts: dict[Squadron, int], first: Squadron, sector: Sector
) -> dict[Squadron, list[Spot]]:
    centre = sector.centre if back.x is None or back.y is None else Spot(back.x, back.y)
    others = [squadron for squadron in counts if squadron is not first]
    found = {}
    for squadron, ships in counts.items():
        arrive = checker.book().own(squadron.name, "arrive", w.Arrive)
        spot = centre
        if squadron is not first:
            dx, dy = displacement(LIMITS.arrival_gap, back.facing + PLACES[others.index(squadron) % 4])
            spot = Spot(centre.x + dx, centre.y + dy)
        formation = Formation()
        if arrive is not None:
            spot, formation = Spot(arrive.x, arrive.y), arrive.formation or Formation()
        found[squadron] = slots(formation, max(1, ships), back.facing, spot)
    return found


def check_arrive(checker: Checker, entry: Entry) -> None:
    """BS-V-41: the layout of a squadron in reserve or hyperspace; a shifting one is checked with its shift."""
    squadron = checker.battle.squadron(checker.side, entry.order.unit)
    if squadron is None:
        return
    tf = squadron.taskforce
    back = squadron.returns or (tf.returns if tf is not None else None)
    if back is None:
        unit = tf.name if tf is not None else squadron.name
        if checker.last(unit, "shift") is None:
            checker.refuse(
                entry, "BS-V-5", f"{squadron.name} is neither in reserve nor shifting out", "order a shift first"
            )
        return
    ships = sum(ship.status == "hyperspace" for ship in squadron.ships)
    why = layout_problem(checker, back, {squadron: ships}, squadron)
    if why:
        checker.refuse(entry, "BS-V-41", why, f"a place inside {back.sector}", "the default place")

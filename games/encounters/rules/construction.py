"""Building, repairing, cancelling and scrapping (rule book 4.11: EN-CON, EN-UNT-8, 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from games.encounters.data import SHIPYARD, Design
from games.encounters.rules.board import Board
from games.encounters.rules.economy import pay
from games.encounters.rules.names import check_new_name, next_name
from games.encounters.rules.rounding import HALF, nearest_whole
from games.encounters.rules.supply import in_supply
from games.encounters.state import Build, Unit
from games.encounters.tables import tables
from pbem.kit.sheet import BadOrder

STEP_PROGRESS, STEP_SPENDING, STEP_END = "construction", "spending", "end of turn"
SCRAP_SHARE = 4


# --- capacity --------------------------------------------------------------------------------------------------------


def yard_capacity(board: Board, power: str, system: str) -> int:
    """EN-UNT-9: one intact own Shipyard gives 10."""
    yards = [one for one in board.at(system) if one.owner == power and one.intact and is_shipyard(board, one)]
    return tables().yard.capacity * len(yards)


def is_shipyard(board: Board, unit: Unit) -> bool:
    return board.design(unit).code == SHIPYARD


def yard_in_use(board: Board, power: str, system: str) -> int:
    """EN-CON-1: base costs of ships building or under repair there."""
    repairs = [one for one in board.at(system) if one.owner == power and one.repairing and board.is_ship(one)]
    building = [board.design_of(one.design) for one in board.builds if (one.owner, one.system) == (power, system)]
    ships = [design.base_cost for design in building if design.category == "ship"]
    return sum(ships) + sum(board.design(one).base_cost for one in repairs)


def works_limit(board: Board, system: str) -> int:
    """EN-CON-1: local works are 2 x PROD."""
    return tables().yard.works_per_prod * board.systems[system].PROD


def works_in_use(board: Board, power: str, system: str) -> int:
    building = [board.design_of(one.design) for one in board.builds if (one.owner, one.system) == (power, system)]
    return sum(design.base_cost for design in building if design.category != "ship")


# --- step 4 ----------------------------------------------------------------------------------------------------------


def make_progress(board: Board) -> None:
    """Step 4, EN-CON-2, 3, 4: builds go on by order number; what is finished appears."""
    stalled = standing_still(board)
    going: list[Build] = []
    for one in sorted(board.builds, key=lambda build: build.order):
        if one.order in stalled:
            why = "blockaded" if one.system in board.blockaded else "no capacity"
            facts: dict[str, Any] = {"system": one.system, "design": board.design_of(one.design).name, "reason": why}
            rule = "EN-CON-4" if why == "blockaded" else "EN-CON-3"
            board.tell("build_stalled", rule, STEP_PROGRESS, {one.owner}, **facts, turns=turns_left(board, one.weeks))
            going.append(one)
            continue
        weeks = one.weeks - board.switches.weeks_per_turn
        if weeks > 0:
            going.append(replace(one, weeks=weeks))
        else:
            board.builds = [other for other in board.builds if other.order != one.order]
            commission(board, one)
    board.builds = going


def turns_left(board: Board, weeks: int) -> int:
    return ceil(weeks / board.switches.weeks_per_turn)


def standing_still(board: Board) -> frozenset[int]:
    """EN-CON-3: if capacity falls below use, the latest-ordered builds stand still until the others fit."""
    stalled = {one.order for one in board.builds if one.system in board.blockaded}
    places = sorted({(one.owner, one.system) for one in board.builds})
    for owner, system in places:
        here = [one for one in board.builds if (one.owner, one.system) == (owner, system)]
        ships = [one for one in here if board.design_of(one.design).category == "ship"]
        others = [one for one in here if one not in ships]
        stalled |= over_capacity(board, ships, yard_capacity(board, owner, system))
        stalled |= over_capacity(board, others, works_limit(board, system))
    return frozenset(stalled)


def over_capacity(board: Board, builds: Sequence[Build], capacity: int) -> set[int]:
    waiting = sorted(builds, key=lambda one: one.order)
    dropped: set[int] = set()
    while waiting and sum(board.design_of(one.design).base_cost for one in waiting) > capacity:
        dropped.add(waiting.pop().order)
    return dropped


def commission(board: Board, one: Build) -> None:
    """EN-CON-2: ships join the fleet ``Yard <system>``; flights and troops are system-based, landed."""
    design = board.design_of(one.design)
    name = one.name or next_name(board, one.owner, one.design)
    fleet = board.join_fleet(one.owner, f"Yard {one.system}", one.system) if design.category == "ship" else ""
    unit = Unit(board.next_id, name, one.owner, one.design, one.system, fleet=fleet, landed=design.category == "troop")
    board.next_id += 1
    board.put(unit)
    board.tell("build_done", "EN-CON-2", STEP_PROGRESS, {one.owner}, system=one.system, design=design.name, unit=name)


# --- orders ----------------------------------------------------------------------------------------------------------


def lay_down(board: Board, power: str, key: str, count: int, system: str, names: Sequence[str]) -> None:
    """EN-CON-1, 2: check place, capacity and funds, pay, and put the builds on the slips."""
    design = board.design_of(key)
    for number, name in enumerate(names):
        check_new_name(board, power, name)
        if name.casefold() in {other.casefold() for other in names[:number]}:
            raise BadOrder("EN-VAL-37", f"'{name}' is named twice", f"{name} 2")
    check_available(board, power, key)
    if count < 1:
        raise BadOrder("EN-VAL-36", f"the number is {count}, it must be 1 or more", "1")
    if len(names) > count:
        raise BadOrder("EN-VAL-1", f"{len(names)} names for {count} units", f"at most {count} names")
    check_place(board, power, system, ship=design if design.category == "ship" else None)
    check_capacity(board, power, design, count, system)
    affordable = board.powers[power].treasury // design.cost
    if count > affordable:
        reason = f"{count} {design.name} cost {count * design.cost} EP, {board.powers[power].treasury} EP are left"
        raise BadOrder("EN-VAL-5", reason, f"the largest number affordable is {affordable}")
    pay(board, power, count * design.cost)
    for number in range(count):
        name = names[number] if number < len(names) else ""
        board.builds.append(Build(power, system, key, design.base_cost, board.next_order, name))
        board.next_order += 1
        turns = turns_left(board, design.base_cost)
        facts: dict[str, Any] = {
            "system": system,
            "design": design.name,
            "turns": turns,
            "name": name,
            "EP": design.cost,
        }
        board.tell("build_start", "EN-CON-2", STEP_SPENDING, {power}, **facts)


def check_available(board: Board, power: str, key: str) -> None:
    """EN-VAL-10: the power must have the design."""
    mine, design = board.powers[power], board.design_of(key)
    if key not in mine.designs:
        level = mine.tech.get(design.path, 0)
        reason = f"{design.name} is {design.mark}: {design.path} {design.level} is needed, you are at {level}"
        raise BadOrder("EN-VAL-10", reason, "your designs are listed in the order form")


def check_place(board: Board, power: str, system: str, *, ship: Design | None) -> None:
    """EN-VAL-9: an own system, not blockaded, for ships with a Shipyard."""
    if (reason := unfit(board, power, system, ship)) is not None:
        near = nearest_fit(board, power, system, ship)
        raise BadOrder("EN-VAL-9", reason, f"the nearest system that could is {near}" if near else "no system could")


def unfit(board: Board, power: str, system: str, ship: Design | None) -> str | None:
    if board.systems[system].owner != power:
        return f"{system} is not yours"
    if system in board.blockaded:
        return f"{system} is blockaded"
    if ship is not None and not yard_capacity(board, power, system):
        return f"{system} has no intact Shipyard of yours"
    return None


def nearest_fit(board: Board, power: str, start: str, ship: Design | None) -> str:
    """The own system that could do it, fewest lanes away."""
    seen, ring = {start}, [start]
    while ring:
        ring = sorted({other for name in ring for other in board.neighbours(name) if other not in seen})
        seen.update(ring)
        for name in ring:
            if unfit(board, power, name, ship) is None:
                return name
    return ""


def check_capacity(board: Board, power: str, design: Design, count: int, system: str) -> None:
    """EN-VAL-7, 6, 8: a ship must fit the yards, everything else the local works."""
    needed = count * design.base_cost
    if design.category == "ship":
        total, used = yard_capacity(board, power, system), yard_in_use(board, power, system)
        if design.base_cost > total:
            yards = ceil(design.base_cost / tables().yard.capacity)
            reason = f"the base cost of {design.name} is {design.base_cost}, the yards of {system} hold {total}"
            raise BadOrder("EN-VAL-7", reason, f"{yards} Shipyards are needed")
        check, what = "EN-VAL-6", f"the yards of {system} hold {total}"
    else:
        total, used = works_limit(board, system), works_in_use(board, power, system)
        check, what = "EN-VAL-8", f"the local works of {system} hold {total}"
    if used + needed > total:
        most = max(0, total - used) // design.base_cost
        raise BadOrder(check, f"{what}, in use {used}, needed {needed}", f"the largest number that fits is {most}")


def cancel(board: Board, power: str, key: str, system: str) -> None:
    """EN-CON-6: the latest-ordered build of that design there is removed, half the cost comes back."""
    found = [one for one in board.builds if (one.owner, one.system, one.design) == (power, system, key)]
    design = board.design_of(key)
    if not found:
        raise BadOrder("EN-VAL-2", f"no {design.name} is building at {system}", builds_text(board, power))
    latest = max(found, key=lambda one: one.order)
    board.builds = [one for one in board.builds if one.order != latest.order]
    refund(board, power, nearest_whole(design.cost * HALF))
    facts: dict[str, Any] = {"system": system, "design": design.name, "EP": nearest_whole(design.cost * HALF)}
    board.tell("cancel", "EN-CON-6", STEP_SPENDING, {power}, **facts)


def builds_text(board: Board, power: str) -> str:
    mine = [f"{board.design_of(one.design).name} at {one.system}" for one in board.builds if one.owner == power]
    return f"building: {', '.join(mine)}" if mine else "nothing is building"


def refund(board: Board, power: str, amount: int) -> None:
    board.set_power(power, treasury=board.powers[power].treasury + amount)


def scrap(board: Board, power: str, number: int) -> None:
    """EN-CON-6: a unit in an own unblockaded system is removed; what it carried is set down."""
    unit = board.units[number]
    check_place(board, power, unit.location, ship=None)
    back = nearest_whole(Fraction(board.design(unit).cost, SCRAP_SHARE))
    for passenger in board.aboard(number):
        board.change(passenger.id, carrier=None, landed=board.is_troop(passenger))
    board.remove(number)
    board.drop_empty_fleets()
    refund(board, power, back)
    board.tell("scrap", "EN-CON-6", STEP_SPENDING, {power}, unit=unit.name, system=unit.location, EP=back)


def repair_cost(design: Design) -> int:
    """EN-CON-5: R(base cost / 2); at least 1 for what is no ship."""
    half = nearest_whole(design.base_cost * HALF)
    return half if design.category == "ship" else max(1, half)


def repair(board: Board, power: str, number: int) -> None:
    """EN-CON-5: pay for a repair; it is finished at the end of the turn."""
    unit = board.units[number]
    design = board.design(unit)
    if unit.state != "crippled" or unit.repairing:
        why = "is already under repair" if unit.repairing else "is intact"
        raise BadOrder("EN-VAL-16", f"{unit.name} {why}", "name a crippled unit")
    check_repair_place(board, power, unit)
    if design.category == "ship":
        check_capacity(board, power, design, 1, unit.location)
    cost = repair_cost(design)
    left = board.powers[power].treasury
    if cost > left:
        raise BadOrder("EN-VAL-5", f"the repair of {unit.name} costs {cost} EP, {left} EP are left", "save some EP")
    pay(board, power, cost)
    board.change(number, repairing=True)
    facts: dict[str, Any] = {"unit": unit.name, "system": unit.location, "EP": cost, "done": False}
    board.tell("repair", "EN-CON-5", STEP_SPENDING, {power}, **facts)


def check_repair_place(board: Board, power: str, unit: Unit) -> None:
    """EN-CON-5, EN-SUP-2: ships in a yard; others in an own system or aboard an intact ship; in supply."""
    design = board.design(unit)
    aboard = unit.carrier is not None and board.units[unit.carrier].intact and board.is_ship(board.units[unit.carrier])
    if design.category == "ship" or not aboard:
        check_place(board, power, unit.location, ship=design if design.category == "ship" else None)
    if not in_supply(board, power, unit.location):
        raise BadOrder("EN-VAL-9", f"{unit.location} is out of supply: no repair", "a system in supply")


def finish_repairs(board: Board) -> None:
    """Step 17, EN-CON-5: intact if still alive and in the system."""
    for number in sorted(board.units):
        unit = board.units[number]
        if not unit.repairing:
            continue
        done = not unit.retreated
        board.change(number, repairing=False, state="intact" if done else unit.state)
        if done:
            facts: dict[str, Any] = {"unit": unit.name, "system": unit.location, "EP": 0, "done": True}
            board.tell("repair", "EN-CON-5", STEP_END, {unit.owner}, **facts)

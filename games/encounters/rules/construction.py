"""Building, repairing, cancelling and scrapping (rule book 4.11: EN-CON, EN-UNT-8, 9)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from games.encounters.data import SHIPYARD, Design, tables
from games.encounters.rules.economy import gain, pay
from games.encounters.rules.names import check_new_name, next_name
from games.encounters.rules.rounding import HALF, nearest_whole
from games.encounters.rules.supply import in_supply
from games.encounters.state import Build, Unit
from games.encounters.table import Table
from pbem.kit.sheet import BadOrder

SCRAP_SHARE = 4


# --- capacity --------------------------------------------------------------------------------------------------------


def yard_capacity(table: Table, power: str, system: str) -> int:
    """EN-UNT-9: one intact own Shipyard gives 10."""
    mine = [unit for unit in table.at(system) if unit.owner == power and unit.intact]
    return tables().yard.capacity * sum(1 for unit in mine if table.design(unit).code == SHIPYARD)


def yard_in_use(table: Table, power: str, system: str) -> int:
    """EN-CON-1: base costs of ships building or under repair there."""
    repairs = [unit for unit in table.at(system) if unit.owner == power and unit.repairing and table.is_ship(unit)]
    ships = [design for design in building_at(table, power, system) if design.category == "ship"]
    return sum(design.base_cost for design in (*ships, *map(table.design, repairs)))


def building_at(table: Table, power: str, system: str) -> list[Design]:
    here = [build for build in table.builds.values() if (build.owner, build.system) == (power, system)]
    return [table.design_of(build.design) for build in here]


def works_limit(table: Table, system: str) -> int:
    """EN-CON-1: local works are 2 x PROD."""
    return tables().yard.works_per_prod * table.systems[system].PROD


def works_in_use(table: Table, power: str, system: str) -> int:
    return sum(design.base_cost for design in building_at(table, power, system) if design.category != "ship")


# --- step 4 ----------------------------------------------------------------------------------------------------------


def make_progress(table: Table) -> None:
    """Step 4, EN-CON-2, 3, 4: builds go on by order number; what is finished appears."""
    table.step = "construction"
    stalled = standing_still(table)
    table.builds = dict(sorted(table.builds.items()))
    for build in list(table.builds.values()):
        weeks = build.weeks - table.switches.weeks_per_turn
        if build.order in stalled:
            tell_stalled(table, build)
        elif weeks > 0:
            table.change(build, weeks=weeks)
        else:
            del table.builds[build.order]
            commission(table, build)


def tell_stalled(table: Table, build: Build) -> None:
    blockaded = build.system in table.blockaded
    facts = {
        "system": build.system, "design": table.design_of(build.design).name,
        "reason": "blockaded" if blockaded else "no capacity", "turns": turns_left(table, build.weeks),
    }  # fmt: skip
    table.tell("build_stalled", "EN-CON-4" if blockaded else "EN-CON-3", build.owner, facts)


def turns_left(table: Table, weeks: int) -> int:
    return ceil(weeks / table.switches.weeks_per_turn)


def standing_still(table: Table) -> frozenset[int]:
    """EN-CON-3: if capacity falls below use, the latest-ordered builds stand still until the others fit."""
    builds = table.builds.values()
    stalled = {build.order for build in builds if build.system in table.blockaded}
    for owner, system in sorted({(build.owner, build.system) for build in builds}):
        here = [build for build in builds if (build.owner, build.system) == (owner, system)]
        ships = [build for build in here if table.design_of(build.design).category == "ship"]
        others = [build for build in here if build not in ships]
        stalled |= over_capacity(table, ships, yard_capacity(table, owner, system))
        stalled |= over_capacity(table, others, works_limit(table, system))
    return frozenset(stalled)


def over_capacity(table: Table, builds: Sequence[Build], capacity: int) -> set[int]:
    waiting = sorted(builds, key=lambda build: build.order)
    dropped: set[int] = set()
    while waiting and sum(table.design_of(build.design).base_cost for build in waiting) > capacity:
        dropped.add(waiting.pop().order)
    return dropped


def commission(table: Table, build: Build) -> Unit:
    """EN-CON-2: ships join the fleet ``Yard <system>``; flights and troops are system-based, landed."""
    design, system = table.design_of(build.design), build.system
    name = build.name or next_name(table, build.owner, build.design)
    fleet = table.join_fleet(build.owner, f"Yard {system}", system) if design.category == "ship" else ""
    landed = design.category == "troop"
    unit = Unit(table.next_id, name, build.owner, build.design, system, fleet=fleet, landed=landed)
    table.next_id += 1
    table.put(unit)
    table.tell("build_done", "EN-CON-2", build.owner, {"system": system, "design": design.name, "unit": name})
    return unit


# --- orders ----------------------------------------------------------------------------------------------------------


def lay_down(table: Table, power: str, key: str, count: int, system: str, names: Sequence[str]) -> None:
    """EN-CON-1, 2: check place, capacity and funds, pay, and put the builds on the slips."""
    design = table.design_of(key)
    for number, name in enumerate(names):
        check_new_name(table, power, name)
        if name.casefold() in {other.casefold() for other in names[:number]}:
            raise BadOrder("EN-VAL-37", f"'{name}' is named twice", f"{name} 2")
    check_available(table, power, key)
    if count < 1:
        raise BadOrder("EN-VAL-36", f"the number is {count}, it must be 1 or more", "1")
    if len(names) > count:
        raise BadOrder("EN-VAL-1", f"{len(names)} names for {count} units", f"at most {count} names")
    check_place(table, power, system, ship=ship_of(design))
    check_capacity(table, power, design, count, system)
    affordable = most_to_pay(table, power, design)
    if count > affordable:
        reason = f"{count} {design.name} cost {count * design.cost} EP, {table.powers[power].treasury} EP are left"
        raise BadOrder("EN-VAL-5", reason, f"the largest number affordable is {affordable}")
    pay(table, power, count * design.cost)
    for number in range(count):
        name = names[number] if number < len(names) else ""
        table.put(Build(power, system, key, design.base_cost, table.next_order, name))
        table.next_order += 1
        facts = {"system": system, "design": design.name, "turns": turns_left(table, design.base_cost)}
        table.tell("build_start", "EN-CON-2", power, {**facts, "name": name, "EP": design.cost})


def check_available(table: Table, power: str, key: str) -> None:
    """EN-VAL-10: the power must have the design."""
    mine, design = table.powers[power], table.design_of(key)
    if key not in mine.designs:
        level = mine.tech.get(design.path, 0)
        reason = f"{design.name} is {design.mark}: {design.path} {design.level} is needed, you are at {level}"
        raise BadOrder("EN-VAL-10", reason, "your designs are listed in the order form")


def check_place(table: Table, power: str, system: str, *, ship: Design | None) -> None:
    """EN-VAL-9: an own system, not blockaded, for ships with a Shipyard."""
    if (reason := unfit(table, power, system, ship)) is not None:
        near = nearest_fit(table, power, system, ship)
        raise BadOrder("EN-VAL-9", reason, f"the nearest system that could is {near}" if near else "no system could")


def unfit(table: Table, power: str, system: str, ship: Design | None) -> str | None:
    if table.systems[system].owner != power:
        return f"{system} is not yours"
    if system in table.blockaded:
        return f"{system} is blockaded"
    if ship is not None and not yard_capacity(table, power, system):
        return f"{system} has no intact Shipyard of yours"
    return None


def nearest_fit(table: Table, power: str, start: str, ship: Design | None) -> str:
    """The own system that could do it, fewest lanes away."""
    seen, ring = {start}, [start]
    while ring:
        ring = sorted({other for name in ring for other in table.neighbours(name) if other not in seen})
        seen.update(ring)
        for name in ring:
            if unfit(table, power, name, ship) is None:
                return name
    return ""


def room_for(table: Table, power: str, design: Design, system: str) -> tuple[int, int]:
    """EN-CON-1: capacity and use of what the design is built in: yards for a ship, local works for all else."""
    if design.category == "ship":
        return yard_capacity(table, power, system), yard_in_use(table, power, system)
    return works_limit(table, system), works_in_use(table, power, system)


def most_to_fit(table: Table, power: str, design: Design, system: str) -> int:
    """The largest number that yards or works still hold."""
    total, used = room_for(table, power, design, system)
    return max(0, total - used) // design.base_cost


def most_to_pay(table: Table, power: str, design: Design) -> int:
    return table.powers[power].treasury // design.cost


def most_to_build(table: Table, power: str, key: str, system: str) -> int:
    """The largest number of a design that can be laid down in a system now."""
    design = table.design_of(key)
    fit = key in table.powers[power].designs and unfit(table, power, system, ship_of(design)) is None
    return min(most_to_fit(table, power, design, system), most_to_pay(table, power, design)) if fit else 0


def ship_of(design: Design) -> Design | None:
    return design if design.category == "ship" else None


def check_capacity(table: Table, power: str, design: Design, count: int, system: str) -> None:
    """EN-VAL-7, 6, 8: a ship must fit the yards, everything else the local works."""
    needed = count * design.base_cost
    total, used = room_for(table, power, design, system)
    check, what = "EN-VAL-8", f"the local works of {system} hold {total}"
    if design.category == "ship":
        if design.base_cost > total:
            yards = ceil(design.base_cost / tables().yard.capacity)
            reason = f"the base cost of {design.name} is {design.base_cost}, the yards of {system} hold {total}"
            raise BadOrder("EN-VAL-7", reason, f"{yards} Shipyards are needed")
        check, what = "EN-VAL-6", f"the yards of {system} hold {total}"
    if used + needed > total:
        most = most_to_fit(table, power, design, system)
        raise BadOrder(check, f"{what}, in use {used}, needed {needed}", f"the largest number that fits is {most}")


def cancel(table: Table, power: str, key: str, system: str) -> None:
    """EN-CON-6: the latest-ordered build of that design there is removed, half the cost comes back."""
    here = (power, system, key)
    orders = [build.order for build in table.builds.values() if (build.owner, build.system, build.design) == here]
    design = table.design_of(key)
    if not orders:
        raise BadOrder("EN-VAL-2", f"no {design.name} is building at {system}", builds_text(table, power))
    del table.builds[max(orders)]
    back = refund(design)
    gain(table, power, back)
    table.tell("cancel", "EN-CON-6", power, {"system": system, "design": design.name, "EP": back})


def refund(design: Design) -> int:
    """EN-CON-6: half the cost of a build that is cancelled."""
    return nearest_whole(design.cost * HALF)


def scrap_value(design: Design) -> int:
    """EN-CON-6: a quarter of the cost."""
    return nearest_whole(Fraction(design.cost, SCRAP_SHARE))


def builds_text(table: Table, power: str) -> str:
    mine = [build for build in table.builds.values() if build.owner == power]
    listed = ", ".join(f"{table.design_of(build.design).name} at {build.system}" for build in mine)
    return f"building: {listed}" if mine else "nothing is building"


def scrap(table: Table, power: str, number: int) -> None:
    """EN-CON-6: a unit in an own unblockaded system is removed; what it carried is set down."""
    unit = table.units[number]
    check_place(table, power, unit.location, ship=None)
    back = scrap_value(table.design(unit))
    for passenger in table.aboard(number):
        table.change(passenger, carrier=None, landed=table.is_troop(passenger))
    table.remove(number)
    table.drop_empty_fleets()
    gain(table, power, back)
    table.tell("scrap", "EN-CON-6", power, {"unit": unit.name, "system": unit.location, "EP": back})


def repair_cost(design: Design) -> int:
    """EN-CON-5: R(base cost / 2); at least 1 for what is no ship."""
    half = nearest_whole(design.base_cost * HALF)
    return half if design.category == "ship" else max(1, half)


def repair(table: Table, power: str, number: int) -> None:
    """EN-CON-5: pay for a repair; it is finished at the end of the turn."""
    unit = table.units[number]
    design = table.design(unit)
    if unit.state != "crippled" or unit.repairing:
        why = "is already under repair" if unit.repairing else "is intact"
        raise BadOrder("EN-VAL-16", f"{unit.name} {why}", "name a crippled unit")
    check_repair_place(table, power, unit)
    if design.category == "ship":
        check_capacity(table, power, design, 1, unit.location)
    cost = repair_cost(design)
    left = table.powers[power].treasury
    if cost > left:
        raise BadOrder("EN-VAL-5", f"the repair of {unit.name} costs {cost} EP, {left} EP are left", "save some EP")
    pay(table, power, cost)
    table.change(unit, repairing=True)
    table.tell("repair", "EN-CON-5", power, {"unit": unit.name, "system": unit.location, "EP": cost, "done": False})


def check_repair_place(table: Table, power: str, unit: Unit) -> None:
    """EN-CON-5, EN-SUP-2: ships in a yard; others in an own system or aboard an intact ship; in supply."""
    design = table.design(unit)
    aboard = unit.carrier is not None and table.units[unit.carrier].intact and table.is_ship(table.units[unit.carrier])
    if design.category == "ship" or not aboard:
        check_place(table, power, unit.location, ship=ship_of(design))
    if not in_supply(table, power, unit.location):
        raise BadOrder("EN-VAL-9", f"{unit.location} is out of supply: no repair", "a system in supply")


def finish_repairs(table: Table) -> None:
    """Step 17, EN-CON-5: intact if still alive and in the system."""
    for unit in [table.units[number] for number in sorted(table.units) if table.units[number].repairing]:
        done = not unit.retreated
        table.change(unit, repairing=False, state="intact" if done else unit.state)
        if done:
            facts = {"unit": unit.name, "system": unit.location, "EP": 0, "done": True}
            table.tell("repair", "EN-CON-5", unit.owner, facts)

"""Income, maintenance, investment, research and intelligence (rule book 4.12: EN-ECO, EN-INT)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import ceil

from games.encounters.data import LEAST_DV_PART, MOST_PART, BadDesign, DesignEntry, make_design, tables
from games.encounters.rules.names import check_new_name
from games.encounters.rules.rounding import HALF, nearest_whole
from games.encounters.state import System
from games.encounters.table import Table
from pbem.kit.sheet import BadOrder

MORALE_SHARE = 2


def is_blockaded(table: Table, name: str) -> bool:
    """EN-ECO-3: a hostile intact ship at war with the owner, and no intact ship or Station of the owner's bloc."""
    owner = table.systems[name].owner
    if owner is None:
        return False
    intact = [unit for unit in table.at(name) if unit.intact and unit.carrier is None and table.ship_or_station(unit)]
    if any(table.same_bloc(owner, unit.owner) for unit in intact):
        return False
    return any(table.is_ship(unit) and table.at_war(owner, unit.owner) for unit in intact)


def blockades(table: Table) -> frozenset[str]:
    """EN-ECO-7: the blockades of the turn, found at its start."""
    return frozenset(name for name in table.systems if is_blockaded(table, name))


def yield_of(system: System) -> int:
    """EN-ECO-1: RAW for each working PROD point; half with low morale, none with no morale."""
    full = system.RAW * min(system.PROD, system.CEN)
    if MORALE_SHARE * system.MOR >= system.CEN:
        return full
    return nearest_whole(full * HALF) if system.MOR >= 1 else 0


def income_of(table: Table, name: str) -> int:
    return 0 if name in table.blockaded else yield_of(table.systems[name])


def own_systems(table: Table, power: str) -> list[str]:
    return sorted(name for name, system in table.systems.items() if system.owner == power)


def total_income(table: Table, power: str) -> int:
    return sum(income_of(table, name) for name in own_systems(table, power))


def maintenance_of(table: Table, power: str) -> int:
    """EN-UNT-4: M for each group of G units of a design, or part of one."""
    owned = Counter(unit.design for unit in table.units.values() if unit.owner == power)
    return sum(table.design_of(key).M * ceil(Fraction(n, table.design_of(key).G)) for key, n in owned.items())


def collect_income(table: Table) -> None:
    """Step 2, EN-ECO-1, 2, 3: every power takes what its systems yield."""
    table.step = "income"
    for key in table.seats:
        for name in own_systems(table, key):
            gained = income_of(table, name)
            gain(table, key, gained)
            table.tell("income", "EN-ECO-1", key, {"system": name, "EP": gained, "reason": why_so(table, name)})


def why_so(table: Table, name: str) -> str:
    system = table.systems[name]
    if name in table.blockaded:
        return "blockaded"
    if system.CEN and not system.MOR:
        return "no morale"
    return "low morale" if MORALE_SHARE * system.MOR < system.CEN else ""


def pay_maintenance(table: Table) -> None:
    """Step 3, EN-ECO-4: a power that falls short by k EP has k intact units crippled, the dearest first."""
    table.step = "maintenance"
    for key in table.seats:
        due = maintenance_of(table, key)
        left = table.powers[key].treasury - due
        short = max(0, -left)
        table.change(table.powers[key], treasury=max(0, left))
        table.tell("maintenance", "EN-UNT-4", key, {"total": due, "short": short, "left": max(0, left)})
        idle = [unit for unit in table.of(key) if unit.intact] if short else []
        idle.sort(key=lambda unit: (-table.design(unit).cost, unit.id))
        for unit in idle[:short]:
            table.change(unit, state="crippled")
            table.tell("unpaid", "EN-ECO-4", key, {"unit": unit.name, "system": unit.location})


# --- spending --------------------------------------------------------------------------------------------------------


def gain(table: Table, power: str, amount: int) -> None:
    table.change(table.powers[power], treasury=table.powers[power].treasury + amount)


def pay(table: Table, power: str, cost: int) -> None:
    assert cost <= table.powers[power].treasury, "the cost was checked before it is paid"
    gain(table, power, -cost)


def check_funds(table: Table, power: str, cost: int, what: str) -> None:
    """EN-VAL-5: the cost must not exceed the funds left."""
    left = table.powers[power].treasury
    if cost > left:
        raise BadOrder("EN-VAL-5", f"{what} costs {cost} EP, {left} EP are left", f"at most {left} EP can be spent")


def check_positive(amount: int) -> None:
    if amount < 1:
        raise BadOrder("EN-VAL-36", f"the amount is {amount}, it must be 1 or more", "1", "the line is ignored")


def buy_intel(table: Table, power: str, points: int, system: str) -> None:
    """EN-INT-1: 2 EP a point, where the power owns the system or had a unit at the start of the turn."""
    terms = tables().economy
    check_positive(points)
    if power not in table.at_start.get(system, frozenset()):
        raise BadOrder("EN-VAL-19", f"you neither own {system} nor have a unit there", "a system you hold or visit")
    held, bought = table.powers[power].intel.get(system, 0), table.bought.get((power, system), 0)
    most = most_intel(table, power, system)
    if points > most:
        limits = f"at most {terms.intel_buy_most} a turn and {terms.intel_hold_most} held"
        reason = f"{points} Intel at {system}: {limits}; bought {bought}, held {held}"
        raise BadOrder("EN-VAL-19", reason, f"the largest legal number is {most}")
    affordable = most_intel_to_pay(table, power)
    if points > affordable:
        reason = f"{points} Intel cost {points * terms.intel_cost} EP, {table.powers[power].treasury} EP are left"
        raise BadOrder("EN-VAL-5", reason, f"the largest number affordable is {affordable}")
    pay(table, power, points * terms.intel_cost)
    table.bought[power, system] = bought + points
    change_intel(table, power, system, points)


def most_intel(table: Table, power: str, system: str) -> int:
    """EN-INT-1: the points that may still be bought there, whatever they cost."""
    terms, held = tables().economy, table.powers[power].intel.get(system, 0)
    left = terms.intel_buy_most - table.bought.get((power, system), 0)
    return max(0, min(left, terms.intel_hold_most - held))


def most_intel_to_pay(table: Table, power: str) -> int:
    return table.powers[power].treasury // tables().economy.intel_cost


def spend_intel(table: Table, power: str, points: int, system: str) -> None:
    """EN-INT-2: any part of what is held; gone whether an encounter happens or not."""
    check_positive(points)
    held = table.powers[power].intel.get(system, 0)
    if points > held:
        raise BadOrder("EN-VAL-19", f"{points} Intel spent at {system}, {held} held", f"largest legal number: {held}")
    change_intel(table, power, system, -points)
    table.spent[power, system] = table.spent.get((power, system), 0) + points


def change_intel(table: Table, power: str, system: str, change: int) -> None:
    mine = table.powers[power]
    held = mine.intel.get(system, 0) + change
    intel = {name: points for name, points in mine.intel.items() if name != system}
    table.change(mine, intel={**intel, system: held} if held else intel)
    rule = "EN-INT-1" if change > 0 else "EN-INT-2"
    table.tell("intel", rule, power, {"system": system, "change": change, "held": held})


def invest(table: Table, power: str, stat: str, name: str) -> None:
    """EN-ECO-5: 10 EP raise CEN, MOR or PROD of an own unblockaded system by 1, once a turn."""
    system, cost = table.systems[name], tables().economy.invest_cost
    if system.owner != power or name in table.blockaded:
        why = "is blockaded" if system.owner == power else "is not yours"
        raise BadOrder("EN-VAL-9", f"{name} {why}: nothing can be invested there", "a free system of your own")
    limit = limit_of(system, stat)
    value: int = getattr(system, stat)
    if name in table.invested:
        raise BadOrder("EN-VAL-20", f"{name} has had its one point of this turn; {stat} is {value}", "next turn")
    if value >= limit:
        raise BadOrder("EN-VAL-20", f"{stat} of {name} is {value}, its limit is {limit}", "another stat or system")
    check_funds(table, power, cost, f"one point of {stat}")
    pay(table, power, cost)
    table.invested.add(name)
    table.change(system, **{stat: value + 1})
    table.tell("invest", "EN-ECO-5", power, {"system": name, "stat": stat, "value": value + 1})


def limit_of(system: System, stat: str) -> int:
    """EN-ECO-5: the highest value that a stat may be raised to."""
    return {"CEN": system.CAP, "PROD": system.CEN, "MOR": min(system.CEN, tables().economy.most_morale)}[stat]


def research(table: Table, power: str, path: str, amount: int) -> None:
    """EN-ECO-6: any EP into an open path below level 5."""
    level, highest = table.powers[power].tech.get(path, 0), tables().economy.highest_level
    if not 1 <= level < highest:
        reason = f"{path} is at level {level}; research needs 1..{highest - 1}"
        raise BadOrder("EN-VAL-36", reason, "a path that is open and can still rise")
    check_positive(amount)
    check_funds(table, power, amount, f"research into {path}")
    pay(table, power, amount)
    mine = table.powers[power]
    banked = mine.research.get(path, 0) + amount
    table.change(mine, research={**mine.research, path: banked})
    table.tell("research", "EN-ECO-6", power, {"path": path, "EP": amount, "bank": banked, "level": level})
    settle_research(table, power, path)


def next_level_cost(level: int) -> int:
    """EN-ECO-6: 10 x (level + 1) EP."""
    return tables().economy.research_step * (level + 1)


def settle_research(table: Table, power: str, path: str) -> None:
    """EN-ECO-6: when the bank reaches 10 x (level + 1) it is taken and an advance is pending, one at a time."""
    mine, highest = table.powers[power], tables().economy.highest_level
    level = mine.tech.get(path, 0)
    needed = next_level_cost(level)
    if mine.pending.get(path, 0) or not 1 <= level < highest or mine.research.get(path, 0) < needed:
        return
    banked = {**mine.research, path: mine.research[path] - needed}
    table.change(mine, research=banked, pending={**mine.pending, path: 1})
    table.tell("advance", "EN-ECO-6", power, {"path": path, "level": level + 1})


def settle_all_research(table: Table, power: str) -> None:
    for path in sorted(table.powers[power].research):
        settle_research(table, power, path)


def draw_design(table: Table, power: str, name: str, entry: DesignEntry) -> None:
    """EN-UNT-2, EN-ECO-6: a pending advance becomes level + 1 and one new design of either class of the path."""
    classes = table.classes()
    path, mine = classes[entry.code].path, table.powers[power]
    check_new_name(table, power, name)
    level = mine.tech.get(path, 0)
    if not mine.pending.get(path, 0):
        needed = next_level_cost(level)
        reason = f"no pending advance in {path}: level {level}, {mine.research.get(path, 0)} of {needed} EP banked"
        raise BadOrder("EN-VAL-10", reason, f"research {path} first")
    try:
        design = make_design(name, replace(entry, level=level + 1), classes)
    except BadDesign as error:
        example = example_stats(classes[entry.code].cp_at(level + 1))
        raise BadOrder(error.check, str(error), f"an example: {example}") from error
    key = name
    if table.catalogue().designs.get(name) != design:
        # Two powers may give different designs the same name, so a drawn design is kept under its power's key.
        key = f"{power}:{name}"
        table.designs[key] = design
    tech, pending = {**mine.tech, path: level + 1}, {**mine.pending, path: 0}
    table.change(mine, tech=tech, pending=pending, designs=(*mine.designs, key))
    table.tell("design", "EN-UNT-2", power, {"path": path, "level": level + 1, "design": name, "mark": design.mark})
    settle_research(table, power, path)


def example_stats(cp: int) -> str:
    """A legal division of CP, as an order writes it."""
    dv, strike, flak = example_division(cp)
    return f"dv {dv} as {strike} af {flak}"


def example_division(cp: int) -> tuple[int, int, int]:
    """A legal division of CP: as much defence as allowed, the rest in AS, then AF."""
    half = ceil(cp / MOST_PART)
    dv = max(ceil(cp / LEAST_DV_PART), half - 1)
    strike = min(half, cp - dv)
    return dv, strike, cp - dv - strike

"""Income, maintenance, investment, research and intelligence (rule book 4.12: EN-ECO, EN-INT)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from games.encounters.data import LEAST_DV_PART, MOST_PART, BadDesign, DesignEntry, make_design
from games.encounters.rules.board import Board
from games.encounters.rules.names import check_new_name
from games.encounters.rules.rounding import HALF, nearest_whole
from games.encounters.state import System
from games.encounters.tables import tables
from pbem.kit.sheet import BadOrder

MORALE_SHARE = 2
STEP_INCOME, STEP_UPKEEP, STEP_SPENDING, STEP_INTEL = "income", "maintenance", "spending", "intelligence"


def is_blockaded(board: Board, name: str) -> bool:
    """EN-ECO-3: a hostile intact ship at war with the owner, and no intact ship or Station of the owner's bloc."""
    owner = board.systems[name].owner
    if owner is None:
        return False
    intact = [unit for unit in board.at(name) if unit.intact and unit.carrier is None and board.ship_or_station(unit)]
    if any(board.same_bloc(owner, unit.owner) for unit in intact):
        return False
    return any(board.is_ship(unit) and board.at_war(owner, unit.owner) for unit in intact)


def blockades(board: Board) -> frozenset[str]:
    """EN-ECO-7: the blockades of the turn, found at its start."""
    return frozenset(name for name in board.systems if is_blockaded(board, name))


def yield_of(system: System) -> int:
    """EN-ECO-1: RAW for each working PROD point; half with low morale, none with no morale."""
    full = system.RAW * min(system.PROD, system.CEN)
    if MORALE_SHARE * system.MOR >= system.CEN:
        return full
    return nearest_whole(full * HALF) if system.MOR >= 1 else 0


def income_of(board: Board, name: str) -> int:
    return 0 if name in board.blockaded else yield_of(board.systems[name])


def own_systems(board: Board, power: str) -> list[str]:
    return sorted(name for name, system in board.systems.items() if system.owner == power)


def total_income(board: Board, power: str) -> int:
    return sum(income_of(board, name) for name in own_systems(board, power))


def maintenance_of(board: Board, power: str) -> int:
    """EN-UNT-4: M for each group of G units of a design, or part of one."""
    owned: dict[str, int] = {}
    for unit in board.units.values():
        if unit.owner == power:
            owned[unit.design] = owned.get(unit.design, 0) + 1
    return sum(board.design_of(key).M * ceil(Fraction(n, board.design_of(key).G)) for key, n in owned.items())


def collect_income(board: Board) -> None:
    """Step 2, EN-ECO-1, 2, 3: every power takes what its systems yield."""
    for key in board.seats:
        for name in own_systems(board, key):
            gained = income_of(board, name)
            board.set_power(key, treasury=board.powers[key].treasury + gained)
            board.tell("income", "EN-ECO-1", STEP_INCOME, {key}, system=name, EP=gained, reason=why_so(board, name))


def why_so(board: Board, name: str) -> str:
    system = board.systems[name]
    if name in board.blockaded:
        return "blockaded"
    if system.CEN and not system.MOR:
        return "no morale"
    return "low morale" if MORALE_SHARE * system.MOR < system.CEN else ""


def pay_maintenance(board: Board) -> None:
    """Step 3, EN-ECO-4: a power that falls short by k EP has k intact units crippled, the dearest first."""
    for key in board.seats:
        due = maintenance_of(board, key)
        left = board.powers[key].treasury - due
        short = max(0, -left)
        board.set_power(key, treasury=max(0, left))
        board.tell("maintenance", "EN-UNT-4", STEP_UPKEEP, {key}, total=due, short=short, left=max(0, left))
        idle = [unit for unit in board.of(key) if unit.intact] if short else []
        idle.sort(key=lambda unit: (-board.design(unit).cost, unit.id))
        for unit in idle[:short]:
            board.change(unit.id, state="crippled")
            board.tell("unpaid", "EN-ECO-4", STEP_UPKEEP, {key}, unit=unit.name, system=unit.location)


# --- spending --------------------------------------------------------------------------------------------------------


def pay(board: Board, power: str, cost: int) -> None:
    treasury = board.powers[power].treasury
    assert cost <= treasury, "the cost was checked before it is paid"
    board.set_power(power, treasury=treasury - cost)


def check_funds(board: Board, power: str, cost: int, what: str) -> None:
    """EN-VAL-5: the cost must not exceed the funds left."""
    left = board.powers[power].treasury
    if cost > left:
        raise BadOrder("EN-VAL-5", f"{what} costs {cost} EP, {left} EP are left", f"at most {left} EP can be spent")


def check_positive(amount: int) -> None:
    if amount < 1:
        raise BadOrder("EN-VAL-36", f"the amount is {amount}, it must be 1 or more", "1", "the line is ignored")


def buy_intel(board: Board, power: str, points: int, system: str) -> None:
    """EN-INT-1: 2 EP a point, where the power owns the system or had a unit at the start of the turn."""
    table = tables().economy
    check_positive(points)
    if power not in board.at_start.get(system, frozenset()):
        raise BadOrder("EN-VAL-19", f"you neither own {system} nor have a unit there", "a system you hold or visit")
    held, bought = board.powers[power].intel.get(system, 0), board.bought.get((power, system), 0)
    most = max(0, min(table.intel_buy_most - bought, table.intel_hold_most - held))
    if points > most:
        limits = f"at most {table.intel_buy_most} a turn and {table.intel_hold_most} held"
        reason = f"{points} Intel at {system}: {limits}; bought {bought}, held {held}"
        raise BadOrder("EN-VAL-19", reason, f"the largest legal number is {most}")
    affordable = board.powers[power].treasury // table.intel_cost
    if points > affordable:
        reason = f"{points} Intel cost {points * table.intel_cost} EP, {board.powers[power].treasury} EP are left"
        raise BadOrder("EN-VAL-5", reason, f"the largest number affordable is {affordable}")
    pay(board, power, points * table.intel_cost)
    board.bought[power, system] = bought + points
    change_intel(board, power, system, points, STEP_SPENDING)


def spend_intel(board: Board, power: str, points: int, system: str) -> None:
    """EN-INT-2: any part of what is held; gone whether an encounter happens or not."""
    check_positive(points)
    held = board.powers[power].intel.get(system, 0)
    if points > held:
        raise BadOrder("EN-VAL-19", f"{points} Intel spent at {system}, {held} held", f"largest legal number: {held}")
    change_intel(board, power, system, -points, STEP_INTEL)
    board.spent[power, system] = board.spent.get((power, system), 0) + points


def change_intel(board: Board, power: str, system: str, change: int, step: str) -> None:
    held = board.powers[power].intel.get(system, 0) + change
    intel = {name: points for name, points in board.powers[power].intel.items() if name != system}
    board.set_power(power, intel={**intel, system: held} if held else intel)
    rule = "EN-INT-1" if change > 0 else "EN-INT-2"
    board.tell("intel", rule, step, {power}, system=system, change=change, held=held)


def invest(board: Board, power: str, stat: str, name: str) -> None:
    """EN-ECO-5: 10 EP raise CEN, MOR or PROD of an own unblockaded system by 1, once a turn."""
    system, cost = board.systems[name], tables().economy.invest_cost
    if system.owner != power or name in board.blockaded:
        why = "is blockaded" if system.owner == power else "is not yours"
        raise BadOrder("EN-VAL-9", f"{name} {why}: nothing can be invested there", "a free system of your own")
    limit = {"CEN": system.CAP, "PROD": system.CEN, "MOR": min(system.CEN, tables().economy.most_morale)}[stat]
    value: int = getattr(system, stat)
    if name in board.invested:
        raise BadOrder("EN-VAL-20", f"{name} has had its one point of this turn; {stat} is {value}", "next turn")
    if value >= limit:
        raise BadOrder("EN-VAL-20", f"{stat} of {name} is {value}, its limit is {limit}", "another stat or system")
    check_funds(board, power, cost, f"one point of {stat}")
    pay(board, power, cost)
    board.invested.add(name)
    board.set_system(name, **{stat: value + 1})
    board.tell("invest", "EN-ECO-5", STEP_SPENDING, {power}, system=name, stat=stat, value=value + 1)


def research(board: Board, power: str, path: str, amount: int) -> None:
    """EN-ECO-6: any EP into an open path below level 5."""
    level, highest = board.powers[power].tech.get(path, 0), tables().economy.highest_level
    if not 1 <= level < highest:
        reason = f"{path} is at level {level}; research needs 1..{highest - 1}"
        raise BadOrder("EN-VAL-36", reason, "a path that is open and can still rise")
    check_positive(amount)
    check_funds(board, power, amount, f"research into {path}")
    pay(board, power, amount)
    banked = board.powers[power].research.get(path, 0) + amount
    board.set_power(power, research={**board.powers[power].research, path: banked})
    board.tell("research", "EN-ECO-6", STEP_SPENDING, {power}, path=path, EP=amount, bank=banked, level=level)
    settle_research(board, power, path)


def next_level_cost(level: int) -> int:
    """EN-ECO-6: 10 x (level + 1) EP."""
    return tables().economy.research_step * (level + 1)


def settle_research(board: Board, power: str, path: str) -> None:
    """EN-ECO-6: when the bank reaches 10 x (level + 1) it is taken and an advance is pending, one at a time."""
    mine, table = board.powers[power], tables().economy
    level = mine.tech.get(path, 0)
    needed = next_level_cost(level)
    if mine.pending.get(path, 0) or not 1 <= level < table.highest_level or mine.research.get(path, 0) < needed:
        return
    banked = {**mine.research, path: mine.research[path] - needed}
    board.set_power(power, research=banked, pending={**mine.pending, path: 1})
    board.tell("advance", "EN-ECO-6", STEP_SPENDING, {power}, path=path, level=level + 1)


def settle_all_research(board: Board, power: str) -> None:
    for path in sorted(board.powers[power].research):
        settle_research(board, power, path)


def draw_design(board: Board, power: str, name: str, entry: DesignEntry) -> None:
    """EN-UNT-2, EN-ECO-6: a pending advance becomes level + 1 and one new design of either class of the path."""
    classes = board.classes()
    path, mine = classes[entry.code].path, board.powers[power]
    check_new_name(board, power, name)
    level = mine.tech.get(path, 0)
    if not mine.pending.get(path, 0):
        needed = next_level_cost(level)
        reason = f"no pending advance in {path}: level {level}, {mine.research.get(path, 0)} of {needed} EP banked"
        raise BadOrder("EN-VAL-10", reason, f"research {path} first")
    try:
        design = make_design(name, with_level(entry, level + 1), classes)
    except BadDesign as error:
        raise BadOrder(
            error.check, str(error), f"an example: {example_stats(classes[entry.code].cp_at(level + 1))}"
        ) from (error)
    key = design_key(power, name)
    if board.catalogue().designs.get(name) == design:
        key = name
    else:
        board.drawn[key] = design
    board.set_power(
        power,
        tech={**mine.tech, path: level + 1},
        pending={**mine.pending, path: 0},
        designs=(*mine.designs, key),
    )
    board.tell("design", "EN-UNT-2", STEP_SPENDING, {power}, path=path, level=level + 1, design=name, mark=design.mark)
    settle_research(board, power, path)


def with_level(entry: DesignEntry, level: int) -> DesignEntry:
    return DesignEntry(entry.code, level, entry.DV, entry.AS, entry.AF, entry.CV, entry.abilities)


def design_key(power: str, name: str) -> str:
    """Two powers may give different designs the same name, so a drawn design is kept under its power's key."""
    return f"{power}:{name}"


def example_stats(cp: int) -> str:
    """A legal division of CP: as much defence as allowed, the rest in AS, then AF."""
    half = ceil(cp / MOST_PART)
    dv = max(ceil(cp / LEAST_DV_PART), half - 1)
    strike = min(half, cp - dv)
    return f"dv {dv} as {strike} af {cp - dv - strike}"

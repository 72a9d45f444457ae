"""One phase, from sheets to the next state (rule book, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.encounters import plans as said
from games.encounters.orders import kept_orders, kept_text
from games.encounters.plans import BattleOrder, BattlePlan, filled_from, planned, without_ground
from games.encounters.rules import cargo, construction, economy, movement
from games.encounters.rules.board import Board
from games.encounters.rules.contacts import update_contacts
from games.encounters.rules.engagement import concerned_powers, fight_in_space
from games.encounters.rules.ground import Aloft, concerned_on_the_ground, fight_for_system
from games.encounters.rules.readiness import find_encounters
from games.encounters.rules.supply import report_supply
from games.encounters.rules.turn import end_turn, keep_up
from games.encounters.state import State
from pbem.kit.dice import Dice
from pbem.kit.game import Phase, Resolution
from pbem.kit.sheet import Accepted, BadOrder, Sheet

Sheets = Mapping[str, Sheet[Any]]


def phase_of(state: State) -> Phase | None:
    """3.1: the phase that is open, and the powers it concerns."""
    if state.ended is not None:
        return None
    return Phase(state.phase, state.turn, frozenset(powers_asked(Board(state), state.phase)))


def powers_asked(board: Board, phase: str) -> list[str]:
    """EN-VIC-2: a power that is out is asked for no more orders."""
    playing = [key for key in board.seats if not board.powers[key].out]
    if phase == "strategic":
        return playing
    concerned = concerned_powers if phase == "battle" else concerned_on_the_ground
    wanted = {key for system in board.systems for key in concerned(board, system)}
    return [key for key in playing if key in wanted]


def resolve(state: State, sheets: Sheets, dice: Dice) -> Resolution[State]:
    board = Board(state, dice)
    tell_problems(board, sheets)
    take_doctrines(board, sheets)
    following = {"strategic": resolve_strategic, "battle": resolve_battles, "ground": resolve_ground}
    after = following[state.phase](board, sheets)
    return Resolution(after, tuple(board.events))


def tell_problems(board: Board, sheets: Sheets) -> None:
    """Section 9: what could not stand as written is told to its sender once more with the report."""
    for key in board.seats:
        for one in sheet_of(sheets, key).problems:
            facts: dict[str, Any] = {
                "line": one.line,
                "ID": one.rule,
                "text": one.text,
                "reason": one.reason,
                "instead": one.instead,
            }
            board.tell("order_error", one.rule, "orders", {key}, **facts)


def sheet_of(sheets: Sheets, power: str) -> Sheet[Any]:
    return sheets.get(power, Sheet())


# --- strategic -------------------------------------------------------------------------------------------------------


def resolve_strategic(board: Board, sheets: Sheets) -> State:
    """Steps 1 to 10."""
    keep_up(board)
    change_stances(board, sheets)
    for key in board.seats:
        economy.settle_all_research(board, key)
        carry_out(board, key, sheet_of(sheets, key), said.Spending, spend)
    for key in board.seats:
        before = said.Transfer | said.Load | said.Unload | said.RenameUnit | said.RenameFleet
        carry_out(board, key, sheet_of(sheets, key), before, regroup)
    movement.move_fleets(board, moves_of(board, sheets))
    for key in board.seats:
        carry_out(board, key, sheet_of(sheets, key), said.Unload, unload_after)
    for key in board.seats:
        carry_out(board, key, sheet_of(sheets, key), said.SpendIntel, spend_intel)
    report_supply(board)
    find_encounters(board)
    if powers_asked(board, "battle"):
        return board.frozen(phase="battle", battles=())
    return open_ground(board)


def change_stances(board: Board, sheets: Sheets) -> None:
    """Step 1, EN-DIP-1: all at once; in effect from step 5 on (EN-ECO-7)."""
    upkeep, board.events = board.events, []
    for key in board.seats:
        for order in sheet_of(sheets, key).orders:
            if isinstance(order, said.SetStance) and board.powers[key].stance_to(order.other) != order.value:
                board.set_power(key, stance={**board.powers[key].stance, order.other: order.value})
                facts: dict[str, Any] = {"from": key, "to": order.other, "value": order.value}
                board.tell("stance", "EN-DIP-1", "diplomacy", board.everyone(), **facts)
    board.recompute_blocs()
    board.events.extend(upkeep)


def take_doctrines(board: Board, sheets: Sheets) -> None:
    """6.4: a doctrine stays until changed; ``Name:`` lines give it to a fleet."""
    for key in board.seats:
        for order in sheet_of(sheets, key).orders:
            if not isinstance(order, said.SetDoctrine):
                continue
            if not order.fleet:
                doctrine = {**board.powers[key].doctrine, order.topic: order.value}
                board.set_power(key, doctrine=doctrine)
            else:
                board.fleet_doctrines.append((key, order.fleet, order.topic, order.value))
        if board.state.phase != "strategic":
            settle_fleet_doctrines(board)


def settle_fleet_doctrines(board: Board) -> None:
    """Fleets formed by this turn's transfers exist only after step 6."""
    for owner, name, topic, value in board.fleet_doctrines:
        board.give_doctrine(owner, board.renamed.get((owner, name), name), topic, value)
    board.fleet_doctrines = []


def carry_out(board: Board, power: str, sheet: Sheet[Any], kinds: Any, act: Callable[[Board, str, Any], None]) -> None:
    """Orders in line order; one that has become impossible is told, not raised."""
    for entry in sheet.accepted:
        if isinstance(entry.order, kinds):
            try:
                act(board, power, entry.order)
            except BadOrder as error:
                void(board, power, entry, error)


def void(board: Board, power: str, entry: Accepted[Any], error: BadOrder) -> None:
    board.tell("void", error.rule, "orders", {power}, line=entry.text, reason=error.reason)


def spend(board: Board, power: str, order: said.Spending) -> None:
    """Step 5."""
    match order:
        case said.LayDown():
            construction.lay_down(board, power, order.design, order.count, order.system, order.names)
        case said.Cancel():
            construction.cancel(board, power, order.design, order.system)
        case said.Repair() if alive(board, power, order.unit):
            construction.repair(board, power, order.unit)
        case said.Scrap() if alive(board, power, order.unit):
            construction.scrap(board, power, order.unit)
        case said.BuyIntel():
            economy.buy_intel(board, power, order.points, order.system)
        case said.Invest():
            economy.invest(board, power, order.stat, order.system)
        case said.Research():
            economy.research(board, power, order.path, order.amount)
        case said.DrawDesign():
            economy.draw_design(board, power, order.name, order.entry)


def alive(board: Board, power: str, *units: int) -> bool:
    """EN-VAL-2: the units of an order are still there."""
    if any(number not in board.units or board.units[number].owner != power for number in units):
        raise BadOrder("EN-VAL-2", "the unit is no longer there")
    return True


def regroup(board: Board, power: str, order: said.Regrouping) -> None:
    """Step 6."""
    match order:
        case said.Transfer():
            cargo.transfer(board, power, [one for one in order.ships if alive(board, power, one)], order.to)
        case said.Load() if alive(board, power, order.carrier, order.unit):
            cargo.load(board, power, order.carrier, order.unit)
        case said.Unload() if not order.after and alive(board, power, order.carrier):
            unload(board, power, order, cargo.STEP_BEFORE)
        case said.RenameUnit() if alive(board, power, order.unit):
            cargo.rename_unit(board, power, order.unit, order.name)
        case said.RenameFleet() if (power, order.fleet) in board.fleets:
            cargo.rename_fleet(board, power, order.fleet, order.name)


def unload(board: Board, power: str, order: said.Unload, step: str) -> None:
    passengers = [unit.id for unit in board.aboard(order.carrier)] if order.unit is None else [order.unit]
    for number in passengers:
        if alive(board, power, number):
            cargo.unload(board, power, order.carrier, number, step)


def unload_after(board: Board, power: str, order: said.Unload) -> None:
    """Step 8."""
    if order.after and alive(board, power, order.carrier):
        unload(board, power, order, cargo.STEP_AFTER)


def spend_intel(board: Board, power: str, order: said.SpendIntel) -> None:
    """Step 9."""
    economy.spend_intel(board, power, order.points, order.system)


def moves_of(board: Board, sheets: Sheets) -> list[tuple[str, str, tuple[str, ...]]]:
    """Step 7: the last move of each fleet, as far as it is still legal after transfers and repairs."""
    settle_fleet_doctrines(board)
    traffic: movement.Traffic = {}
    moves = []
    for key in board.seats:
        for fleet, entry in last_moves(board, key, sheet_of(sheets, key)).items():
            path = entry.order.path
            try:
                movement.check_path(board, key, fleet, path, traffic)
            except BadOrder as error:
                path = shortened(board, key, fleet, path) if error.rule == "EN-VAL-14" else ()
                void(board, key, entry, error)
            if path:
                movement.count_traffic(board, key, fleet, path, traffic)
                moves.append((key, fleet, path))
    return moves


def last_moves(board: Board, power: str, sheet: Sheet[Any]) -> dict[str, Accepted[Any]]:
    """EN-MOV-6: ``move`` and ``hold`` are one order, of which the last counts."""
    found: dict[str, Accepted[Any]] = {}
    for entry in sheet.accepted:
        if isinstance(entry.order, said.Move):
            name = board.renamed.get((power, entry.order.fleet), entry.order.fleet)
            found.pop(name, None)
            if entry.order.path and (power, name) in board.fleets:
                found[name] = entry
    return found


def shortened(board: Board, power: str, fleet: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """A fleet slowed after its order was accepted goes as far as it can."""
    lanes = movement.lanes_of(board, board.fleets[power, fleet].location, path)
    points = movement.movement_points(board, board.ships_of(power, fleet))
    return path[: movement.affordable(lanes, points)]


# --- battle and ground -----------------------------------------------------------------------------------------------


def plans_for(orders: Mapping[str, tuple[BattleOrder, ...]], where: str, system: str) -> dict[str, BattlePlan]:
    """Each power's plan for one system."""
    return {
        key: planned(order for order in given if (order.where, order.system) == (where, system))
        for key, given in orders.items()
    }


def battle_orders(sheets: Sheets, seats: tuple[str, ...]) -> dict[str, tuple[BattleOrder, ...]]:
    return {
        key: tuple(order for order in sheet_of(sheets, key).orders if isinstance(order, BattleOrder)) for key in seats
    }


def resolve_battles(board: Board, sheets: Sheets) -> State:
    """Steps 11 and 12."""
    orders = battle_orders(sheets, board.seats)
    for key in board.seats:
        if orders[key]:
            board.kept[key] = kept_text(sheet_of(sheets, key), sorted(board.systems))
    for system in sorted(board.systems):
        if concerned_powers(board, system):
            fight_in_space(board, system, plans_for(orders, "battle", system), board.state.battles)
    update_contacts(board)
    return open_ground(board)


def open_ground(board: Board) -> State:
    if powers_asked(board, "ground"):
        return board.frozen(phase="ground", battles=())
    return end_turn(board)


def resolve_ground(board: Board, sheets: Sheets) -> State:
    """Steps 13 to 18."""
    orders = battle_orders(sheets, board.seats)
    kept = {key: kept_orders(board.state, key) for key in board.seats if key in board.state.kept}
    for system in sorted(board.systems):
        if concerned_on_the_ground(board, system):
            plans = plans_for(orders, "ground", system)
            older = plans_for(kept, "ground", system)
            fought = plans_for(kept, "battle", system)
            plans |= {key: filled_from(plans[key], older[key]) for key in kept}
            aloft = plans | {key: filled_from(plans[key], without_ground(fought[key])) for key in kept}
            fight_for_system(board, system, plans, Aloft(aloft, board.state.battles))
    update_contacts(board)
    return end_turn(board)

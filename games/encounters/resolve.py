"""One phase, from sheets to the next state (rule book, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.encounters.orders import records as said
from games.encounters.orders.plans import BattlePlan, filled_from, planned, without_ground
from games.encounters.orders.reading import kept_orders, kept_text
from games.encounters.orders.records import BattleOrder, Order
from games.encounters.phase import powers_asked
from games.encounters.rules import economy, movement
from games.encounters.rules.contacts import update_contacts
from games.encounters.rules.engagement import concerned_powers, fight_in_space
from games.encounters.rules.ground import Aloft, concerned_on_the_ground, fight_for_system
from games.encounters.rules.readiness import find_encounters
from games.encounters.rules.strategic import obey
from games.encounters.rules.supply import report_supply
from games.encounters.rules.turn import end_turn, keep_up
from games.encounters.state import State
from games.encounters.table import Table
from pbem.kit.dice import Dice
from pbem.kit.game import Resolution
from pbem.kit.sheet import Accepted, BadOrder, Sheet

Sheets = Mapping[str, Sheet[Order]]


def resolve(state: State, sheets: Sheets, dice: Dice) -> Resolution[State]:
    table = Table(state, dice)
    tell_problems(table, sheets)
    take_doctrines(table, sheets)
    if state.phase != "strategic":
        take_fleet_doctrines(table, sheets)
    following = {"strategic": resolve_strategic, "battle": resolve_battles, "ground": resolve_ground}
    after = following[state.phase](table, sheets)
    return Resolution(after, tuple(table.events))


def tell_problems(table: Table, sheets: Sheets) -> None:
    """Section 9: what could not stand as written is told to its sender once more with the report."""
    table.step = "orders"
    for key in table.seats:
        for problem in sheet_of(sheets, key).problems:
            facts = {"line": problem.line, "ID": problem.rule, "text": problem.text, "reason": problem.reason}
            table.tell("order_error", problem.rule, key, {**facts, "instead": problem.instead})


def sheet_of(sheets: Sheets, power: str) -> Sheet[Order]:
    return sheets.get(power, Sheet())


# --- strategic -------------------------------------------------------------------------------------------------------


def resolve_strategic(table: Table, sheets: Sheets) -> State:
    """Steps 1 to 10."""
    keep_up(table)
    change_stances(table, sheets)
    table.step = "spending"
    for key in table.seats:
        economy.settle_all_research(table, key)
        carry_out(table, key, sheet_of(sheets, key), said.Spending)
    carry_out_step(table, sheets, "reorganisation", said.Regrouping)
    movement.move_fleets(table, moves_of(table, sheets))
    carry_out_step(table, sheets, "landing", said.Land)
    carry_out_step(table, sheets, "intelligence", said.SpendIntel)
    report_supply(table)
    find_encounters(table)
    if powers_asked(table, "battle"):
        return table.frozen(phase="battle", battles=(), upkeep=None)
    return open_ground(table)


def change_stances(table: Table, sheets: Sheets) -> None:
    """Step 1, EN-DIP-1: all at once; in effect from step 5 on (EN-ECO-7)."""
    upkeep, table.events = table.events, []
    table.step = "diplomacy"
    for key in table.seats:
        for order in sheet_of(sheets, key).orders:
            mine = table.powers[key]
            if isinstance(order, said.SetStance) and mine.stance_to(order.other) != order.value:
                table.change(mine, stance={**mine.stance, order.other: order.value})
                facts = {"from": key, "to": order.other, "value": order.value}
                table.tell("stance", "EN-DIP-1", table.seats, facts)
    table.recompute_blocs()
    table.events.extend(upkeep)


def take_doctrines(table: Table, sheets: Sheets) -> None:
    """6.4: a doctrine stays until changed."""
    for key in table.seats:
        for order in sheet_of(sheets, key).orders:
            if isinstance(order, said.SetDoctrine) and not order.fleet:
                mine = table.powers[key]
                table.change(mine, doctrine={**mine.doctrine, order.topic: order.value})


def take_fleet_doctrines(table: Table, sheets: Sheets) -> None:
    """6.4: ``Name:`` lines give it to a fleet; fleets formed by this turn's transfers exist only after step 6."""
    for key in table.seats:
        for order in sheet_of(sheets, key).orders:
            if isinstance(order, said.SetDoctrine) and order.fleet:
                fleet = table.fleets.get((key, table.renamed.get((key, order.fleet), order.fleet)))
                if fleet is not None:
                    table.change(fleet, doctrine={**fleet.doctrine, order.topic: order.value})


def carry_out_step(table: Table, sheets: Sheets, step: str, kinds: Any) -> None:
    """One step of the turn, powers by seat."""
    table.step = step
    for key in table.seats:
        carry_out(table, key, sheet_of(sheets, key), kinds)


def carry_out(table: Table, power: str, sheet: Sheet[Order], kinds: Any) -> None:
    """Orders in line order; one that has become impossible is told, not raised."""
    for entry in sheet.accepted:
        if isinstance(entry.order, kinds):
            try:
                obey(table, power, entry.order)
            except BadOrder as error:
                void(table, power, entry, error)


def void(table: Table, power: str, entry: Accepted[Any], error: BadOrder) -> None:
    with table.during("orders"):
        table.tell("void", error.rule, power, {"line": entry.text, "reason": error.reason})


def moves_of(table: Table, sheets: Sheets) -> list[tuple[str, str, tuple[str, ...]]]:
    """Step 7: the last move of each fleet, as far as it is still legal after transfers and repairs."""
    take_fleet_doctrines(table, sheets)
    traffic: movement.Traffic = {}
    moves = []
    for key in table.seats:
        for fleet, entry in last_moves(table, key, sheet_of(sheets, key)).items():
            path = entry.order.path
            try:
                movement.check_path(table, key, fleet, path, traffic)
            except BadOrder as error:
                path = shortened(table, key, fleet, path) if error.rule == "EN-VAL-14" else ()
                void(table, key, entry, error)
            if path:
                movement.count_traffic(table, key, fleet, path, traffic)
                moves.append((key, fleet, path))
    return moves


def last_moves(table: Table, power: str, sheet: Sheet[Order]) -> dict[str, Accepted[Any]]:
    """EN-MOV-6: ``move`` and ``hold`` are one order, of which the last counts."""
    moves: dict[str, Accepted[Any]] = {}
    for entry in sheet.accepted:
        if isinstance(entry.order, said.Move):
            name = table.renamed.get((power, entry.order.fleet), entry.order.fleet)
            moves.pop(name, None)
            if entry.order.path and (power, name) in table.fleets:
                moves[name] = entry
    return moves


def shortened(table: Table, power: str, fleet: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """A fleet slowed after its order was accepted goes as far as it can."""
    lanes = movement.lanes_of(table, table.fleets[power, fleet].location, path)
    points = movement.movement_points(table, table.ships_of(power, fleet))
    return path[: movement.affordable(lanes, points)]


# --- battle and ground -----------------------------------------------------------------------------------------------


def plans_for(orders: Mapping[str, Sequence[Order]], where: str, system: str) -> dict[str, BattlePlan]:
    """Each power's plan for one system."""
    return {
        key: planned(o for o in given if isinstance(o, BattleOrder) and (o.where, o.system) == (where, system))
        for key, given in orders.items()
    }


def resolve_battles(table: Table, sheets: Sheets) -> State:
    """Steps 11 and 12."""
    orders = {key: sheet_of(sheets, key).orders for key in table.seats}
    texts = {key: kept_text(sheet_of(sheets, key), sorted(table.systems)) for key in table.seats}
    table.kept |= {key: text for key, text in texts.items() if text}
    for system in sorted(table.systems):
        if concerned_powers(table, system):
            fight_in_space(table, system, plans_for(orders, "battle", system), table.state.battles)
    update_contacts(table)
    return open_ground(table)


def open_ground(table: Table) -> State:
    if powers_asked(table, "ground"):
        return table.frozen(phase="ground", battles=(), upkeep=None)
    return end_turn(table)


def resolve_ground(table: Table, sheets: Sheets) -> State:
    """Steps 13 to 18."""
    orders = {key: sheet_of(sheets, key).orders for key in table.seats}
    kept = {key: kept_orders(table.state, key) for key in table.seats if key in table.state.kept}
    for system in sorted(table.systems):
        if concerned_on_the_ground(table, system):
            plans = plans_for(orders, "ground", system)
            older = plans_for(kept, "ground", system)
            fought = plans_for(kept, "battle", system)
            plans |= {key: filled_from(plans[key], older[key]) for key in kept}
            aloft = plans | {key: filled_from(plans[key], without_ground(fought[key])) for key in kept}
            fight_for_system(table, system, plans, Aloft(aloft, table.state.battles))
    update_contacts(table)
    return end_turn(table)

"""One phase: setup, the turn R1 to R14, or its second half after a fire e-mail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.broadsides.orders.checks import Settled
from games.broadsides.orders.reading import settled
from games.broadsides.orders.records import Order
from games.broadsides.rules.asteroids import drag
from games.broadsides.rules.ballistics import ballistics_strike, launch_ballistics
from games.broadsides.rules.boarding import fly_pods, launch_pods, pods_dock, squads_act
from games.broadsides.rules.criticals import awake, check_cnc, weapon_dropouts
from games.broadsides.rules.doctrine import Doctrine
from games.broadsides.rules.dogfights import dogfights
from games.broadsides.rules.fighters import (
    break_off,
    d_moves,
    land_flights,
    launch_flights,
    retarget,
    take_orders,
)
from games.broadsides.rules.flightdamage import fighter_dropouts
from games.broadsides.rules.flying import complete_rolls, move_all, snap_rolls
from games.broadsides.rules.hyperspace import jump_in, jump_out
from games.broadsides.rules.power import divert_power, keep_charges
from games.broadsides.rules.sequence import fighter_fire, roll_first_fire, roll_initiative, ship_fire
from games.broadsides.rules.sighting import keep_sightings, without_hidden
from games.broadsides.rules.victory import final_scores, is_over, scores, verdict
from games.broadsides.state import Formation, OrderLine, State
from games.broadsides.table import Table
from pbem.kit.dice import Dice
from pbem.kit.game import Resolution
from pbem.kit.sheet import Sheet

Sheets = Mapping[str, Sheet[Order]]


def resolve(state: State, sheets: Sheets, dice: Dice) -> Resolution[State]:
    """Carry out the open phase."""
    given = {side.id: sheets.get(side.id, Sheet()) for side in state.sides}
    orders = {side: settled(state, side, sheet) for side, sheet in given.items()}
    units = {name: unit for done in orders.values() for name, unit in done.units.items()}
    table = Table(state, dice, Doctrine(units, {side: done.firing for side, done in orders.items()}))
    if state.phase == "setup":
        return _set_up(table, given, orders)
    table.step = "orders"
    for side in table.sides:
        _tell_faults(table, side, given[side])
    if state.phase == "orders":
        _first_half(table, orders)
        if state.switches.fire_phase:
            halfway = _before_fire(table, given)
            return Resolution(halfway, without_hidden(halfway, table.events))
    else:
        retarget(table)
    _second_half(table)
    return _end_turn(table)


def _tell_faults(table: Table, side: str, sheet: Sheet[Order]) -> None:
    """Section 9: every fault of a sheet, to its owner."""
    for problem in sheet.problems:
        facts = {
            "unit": problem.unit,
            "line": problem.line,
            "id": problem.rule,
            "text": problem.text,
            "reason": problem.reason,
            "instead": problem.instead,
        }
        table.tell("order_fault", problem.rule or "BR-VAL-2", side, facts)


def _set_up(table: Table, sheets: Sheets, orders: Mapping[str, Settled]) -> Resolution[State]:
    """Turn 0: deployments, loads, programs, upgrades and the jump-ins declared ahead."""
    table.step = "setup"
    for side, done in orders.items():
        _tell_faults(table, side, sheets[side])
        for name in (name for name in table.roster if name in done.ships):
            before, ship = table.ships[name], done.ships[name]
            offset = done.offsets[name].hex if name in done.offsets else ship.offset
            table.put(replace(ship, offset=offset, scenario_heading=None))
            if ship.position != before.position:
                facts = {"unit": name, "side": side, "hex": [*ship.position], "heading": ship.heading}
                table.tell("deploy", "BR-SET-10", table.sides, facts)
        table.formations = _with_formations(table.formations, side, done)
    return Resolution(table.frozen(turn=1, phase="orders"), tuple(table.events))


# --- the turn --------------------------------------------------------------------------------------------------------


def _with_formations(formations: list[Formation], side: str, done: Settled) -> list[Formation]:
    changed = {formation.leader: formation for formation in done.formations}
    kept = [changed.pop(old.leader, old) if old.side == side else old for old in formations]
    return [*kept, *changed.values()]


def _side_orders(table: Table, orders: Mapping[str, Settled]) -> None:
    """Jump-ins, offsets and troops, which change the table itself."""
    for side, done in orders.items():
        table.formations = _with_formations(table.formations, side, done)
        for name, order in done.offsets.items():
            table.change(table.ships[name], offset=order.hex)
        for name, ship in list(table.ships.items()):
            troops = done.troops.get(name) or done.troops.get("")
            if ship.side == side and troops is not None:
                table.change(ship, troops=troops.how)


def _first_half(table: Table, orders: Mapping[str, Settled]) -> None:
    """R1 to R6: up to the end of all movement."""
    _side_orders(table, orders)
    take_orders(table)
    table.step = "R1"
    check_cnc(table)
    table.step = "R2"
    order = roll_initiative(table)
    table.step = "R3"
    roll_first_fire(table)
    table.step = "R4"
    divert_power(table)
    table.step = "R5"
    launch_ballistics(table)
    launch_flights(table)
    if table.switches.boarding:
        launch_pods(table)
    table.step = "R6a"
    move_all(table, order)
    table.step = "R6b"
    complete_rolls(table)
    jump_in(table)
    jump_out(table)
    snap_rolls(table)
    table.step = "R6c"
    fly_pods(table)
    break_off(table)
    d_moves(table, order)
    land_flights(table)


def _second_half(table: Table) -> None:
    """R7 to R13: ballistics, fire, boarding."""
    table.step = "R7"
    ballistics_strike(table)
    table.step = "R8"
    ship_fire(table)
    table.step = "R9"
    dogfights(table)
    table.step = "R10"
    fighter_dropouts(table)
    table.step = "R11"
    fighter_fire(table)
    table.step = "R12"
    weapon_dropouts(table)
    table.step = "R13"
    squads_act(table)
    pods_dock(table)


def _before_fire(table: Table, sheets: Sheets) -> State:
    """BR-SEQ-3: the state between the two e-mails; the first one's lines stand behind the second's."""
    standing = {
        side: tuple(OrderLine(entry.line, entry.unit, entry.text) for entry in sheet.accepted)
        for side, sheet in sheets.items()
    }
    return table.frozen(phase="fire", standing=standing)


def _end_turn(table: Table) -> Resolution[State]:
    """R14: drag, charges, victory, and the table set for the next turn."""
    table.step = "R14"
    drag(table)
    keep_charges(table)
    _clear_marks(table)
    state = keep_sightings(table.frozen())
    totals = scores(state)
    table.tell("score", "BR-VP-1", table.sides, {"totals": totals, "turn": state.turn})
    if is_over(state):
        ended = verdict(state)
        facts = {"winner": ended.winner, "totals": dict(final_scores(state)), "text": ended.reason}
        table.tell("victory", "BR-VP-1", table.sides, facts)
        state = replace(state, verdict=ended)
    following = replace(state, turn=state.turn + 1, phase="orders", standing={}, ballistics=())
    return Resolution(following, without_hidden(following, table.events))


def _clear_marks(table: Table) -> None:
    """The marks of this turn come off."""
    for ship in list(table.ships.values()):
        table.change(awake(ship, table.turn + 1), fired=False, cnc_failure=False, highest_level=0)
    for flight in list(table.flights.values()):
        fighters = tuple(
            replace(fighter, temporary_out=False, damaged=False, intercepted=False) for fighter in flight.fighters
        )
        table.change(flight, fighters=fighters, launched_now=False, attacked=False, d_move=0)

"""Section 3.2: one phase, resolved; the kinds of events are listed in ``rules/telling.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.fleet_action.orders.reading import read_standing
from games.fleet_action.orders.records import Order, renamed
from games.fleet_action.orders.standing import kept_standing
from games.fleet_action.rules import (
    abilities,
    antifighter,
    attacks,
    ballistics,
    building,
    deployment,
    dogfights,
    elint,
    equipment,
    fighters,
    flying,
    gunnery,
    jump,
    losses,
    manoeuvring,
    morale,
    reinforcements,
    succession,
    victory,
    withdrawal,
)
from games.fleet_action.state import PULSES, Stage, State
from games.fleet_action.table import END_OF_TURN, Flags, Table
from pbem.kit.dice import Dice
from pbem.kit.game import Resolution
from pbem.kit.sheet import Sheet

Sheets = Mapping[str, Sheet[Order]]


def resolve(state: State, sheets: Sheets, dice: Dice) -> Resolution[State]:
    """One phase of the game; a missing sheet arrives empty."""
    if state.stage == "over":
        return Resolution(state, ())
    built, sheets = _built(state, sheets)
    table = Table(built, dice, _orders(built, sheets))
    if state.stage == "deployment":
        deployment.deploy(table)
        following = _after_deployment(table)
    elif state.stage == "adjustment":
        deployment.adjust(table)
        following = _after_adjustment(table)
    else:
        following = play_turn(table)
    after = replace(following, standing=kept_standing(state, sheets))
    return Resolution(after, tuple(table.events))


def _built(state: State, sheets: Sheets) -> tuple[State, Sheets]:
    """FA-BLD: rosters that were bought take their places first; a name that another side has gives way."""
    for side in state.sides:
        sheet = sheets.get(side.id)
        if sheet is None or not building.is_building(state, side.id):
            continue
        names = building.new_names(state, side, sheet.orders)
        if names:
            accepted = tuple(replace(entry, order=renamed(entry.order, names)) for entry in sheet.accepted)
            sheet = replace(sheet, accepted=accepted)
            sheets = {**sheets, side.id: sheet}
        bought = building.purchases(Table(state), sheet.orders)
        if bought:
            state = building.founded(state, side, bought)
    return state, sheets


def _orders(state: State, sheets: Sheets) -> list[tuple[str, Order]]:
    """All orders by side; those of this turn stand before standing ones (FA-DOC-7)."""
    table = Table(state)
    orders: list[tuple[str, Order]] = []
    for side in table.sides:
        sheet = sheets.get(side)
        if sheet is not None:
            orders.extend((side, order) for order in sheet.orders)
        orders.extend((side, order) for order in read_standing(table, side, sheet))
    return orders


def _after_deployment(table: Table) -> State:
    """Section 3.1: D2 if somebody may adjust, else on."""
    if deployment.planners(table):
        return table.frozen(stage="adjustment")
    return _after_adjustment(table)


def _after_adjustment(table: Table) -> State:
    """Section 3.1: T0 where somebody jumps in, else the first turn."""
    if table.state.engagement == "jump-in":
        return table.frozen(stage="reaction", turn=0)
    return table.frozen(stage="turn", turn=1)


# --- a turn ----------------------------------------------------------------------------------------------------------


def play_turn(table: Table) -> State:
    """Section 3.2: pre-turn, three pulses, end of turn."""
    prepare(table)
    for pulse in PULSES:
        table.begin(pulse)
        play_pulse(table)
    table.begin(END_OF_TURN)
    return end_turn(table)


def prepare(table: Table) -> None:
    """Steps 1 and 2: everything that is settled before the pulses, and the launch of mines."""
    _reload(table)
    reinforcements.deploy_at_edge(table)
    jump.enter(table)
    abilities.reorganize(table)
    abilities.detach(table)
    elint.allocate(table)
    fighters.take_orders(table)
    withdrawal.declare(table)
    jump.prepare(table)
    manoeuvring.plot_all(table)
    if table.turn > 0:
        ballistics.launch_mines(table)


def _reload(table: Table) -> None:
    """FA-FIRE-9: shots are counted anew each turn."""
    for ship in list(table.ships.values()):
        if any(ship.shots_this_turn):
            table.change(ship, shots_this_turn=(0,) * len(ship.shots_this_turn))


def play_pulse(table: Table) -> None:
    """Step 3; on turn 0 only movement (FA-JMP-8)."""
    flying.note_stations(table)
    if table.turn > 0:
        ballistics.impacts(table)
    fighters.resettle(table)
    manoeuvring.move_squadrons(table)
    flying.move_flights(table)
    if table.turn > 0:
        dogfights.contact(table)
    fighters.land(table)
    if table.turn > 0:
        _fight(table)
    losses.name_acting_leaders(table)
    losses.set_flags(table)
    table.flags = Flags()


def _fight(table: Table) -> None:
    """Steps 3.5 to 3.9."""
    elint.check_ranges(table)
    attacks.choose(table)
    antifighter.anti_fighter_fire(table)
    gunnery.fire_a(table)
    gunnery.fire_b(table)
    dogfights.fight(table)


def end_turn(table: Table) -> State:
    """Step 4, in the order of the book."""
    equipment.tractor_beams(table)
    losses.sink(table, "tractor beam")
    losses.name_acting_leaders(table)
    dogfights.drift(table)
    succession.take_office(table)
    succession.raise_flags(table)
    succession.check_radius(table)
    if table.turn > 0:
        morale.roll_morale(table)
    jump.jump_out(table)
    reinforcements.roll_arrivals(table)
    jump.close_vortices(table)
    jump.scatter_due(table, table.turn + 1)
    result = victory.judge(table) if table.turn > 0 else None
    fighters.forget_orders(table)
    stage: Stage = "over" if result is not None else "turn"
    turn = table.turn if result is not None else table.turn + 1
    return table.frozen(turn=turn, stage=stage, result=result, zones=tuple(table.zones))

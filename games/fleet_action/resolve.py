"""Section 3.2: one phase, resolved; the kinds of events are listed in ``events.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.fleet_action.battle import BEFORE_PULSES, END_OF_TURN, Battle
from games.fleet_action.orders.reading import read_standing
from games.fleet_action.orders.records import Order
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
from games.fleet_action.table import Table
from pbem.kit.dice import Dice
from pbem.kit.game import Resolution
from pbem.kit.sheet import Sheet

Sheets = Mapping[str, Sheet[Order]]


def resolve(state: State, sheets: Sheets, dice: Dice) -> Resolution[State]:
    """One phase of the game; a missing sheet arrives empty."""
    if state.stage == "over":
        return Resolution(state, ())
    built = _built(state, sheets)
    battle = Battle(built, _orders(built, sheets), dice)
    if state.stage == "deployment":
        deployment.deploy(battle)
        following = _after_deployment(battle)
    elif state.stage == "adjustment":
        deployment.adjust(battle)
        following = _after_adjustment(battle)
    else:
        following = play_turn(battle)
    after = replace(following, standing=kept_standing(state, sheets))
    return Resolution(after, tuple(battle.events))


def _built(state: State, sheets: Sheets) -> State:
    """FA-BLD: rosters that were bought take their places first."""
    for side in state.sides:
        orders = sheets[side.id].orders if side.id in sheets else ()
        if building.is_building(state, side.id):
            bought = building.purchases(Table(state), orders)
            if bought:
                state = building.founded(state, side, bought)
    return state


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


def _after_deployment(battle: Battle) -> State:
    """Section 3.1: D2 if somebody may adjust, else on."""
    if deployment.planners(battle):
        return replace(battle.written(), stage="adjustment")
    return _after_adjustment(battle)


def _after_adjustment(battle: Battle) -> State:
    """Section 3.1: T0 where somebody jumps in, else the first turn."""
    if battle.state.engagement == "jump-in":
        return replace(battle.written(), stage="reaction", turn=0)
    return replace(battle.written(), stage="turn", turn=1)


# --- a turn ----------------------------------------------------------------------------------------------------------


def play_turn(battle: Battle) -> State:
    """Section 3.2: pre-turn, three pulses, end of turn."""
    prepare(battle)
    for pulse in PULSES:
        battle.pulse = pulse
        play_pulse(battle)
    battle.pulse = END_OF_TURN
    return end_turn(battle)


def prepare(battle: Battle) -> None:
    """Steps 1 and 2: everything that is settled before the pulses, and the launch of mines."""
    battle.pulse = BEFORE_PULSES
    _reload(battle)
    reinforcements.deploy_at_edge(battle)
    jump.enter(battle)
    abilities.reorganize(battle)
    abilities.detach(battle)
    elint.allocate(battle)
    fighters.take_orders(battle)
    withdrawal.declare(battle)
    jump.prepare(battle)
    manoeuvring.plot_all(battle)
    if battle.turn > 0:
        ballistics.launch_mines(battle)


def _reload(battle: Battle) -> None:
    """FA-FIRE-9: shots are counted anew each turn."""
    for ship in list(battle.ships.values()):
        if any(ship.shots_this_turn):
            battle.put(replace(ship, shots_this_turn=(0,) * len(ship.shots_this_turn)))


def play_pulse(battle: Battle) -> None:
    """Step 3; on turn 0 only movement (FA-JMP-8)."""
    flying.note_stations(battle)
    if battle.turn > 0:
        ballistics.impacts(battle)
    fighters.resettle(battle)
    manoeuvring.move_squadrons(battle)
    flying.move_flights(battle)
    if battle.turn > 0:
        dogfights.contact(battle)
    fighters.land(battle)
    if battle.turn > 0:
        _fight(battle)
    losses.name_acting_leaders(battle)
    losses.set_flags(battle)
    battle.flags = type(battle.flags)()


def _fight(battle: Battle) -> None:
    """Steps 3.5 to 3.9."""
    elint.check_ranges(battle)
    attacks.choose(battle)
    antifighter.anti_fighter_fire(battle)
    gunnery.fire_a(battle)
    gunnery.fire_b(battle)
    dogfights.fight(battle)


def end_turn(battle: Battle) -> State:
    """Step 4, in the order of the book."""
    equipment.tractor_beams(battle)
    losses.sink(battle, "tractor beam")
    losses.name_acting_leaders(battle)
    dogfights.drift(battle)
    succession.take_office(battle)
    succession.raise_flags(battle)
    succession.check_radius(battle)
    if battle.turn > 0:
        morale.roll_morale(battle)
    jump.jump_out(battle)
    reinforcements.roll_arrivals(battle)
    jump.close_vortices(battle)
    jump.scatter_due(battle, battle.turn + 1)
    result = victory.judge(battle) if battle.turn > 0 else None
    fighters.forget_orders(battle)
    stage: Stage = "over" if result is not None else "turn"
    turn = battle.turn if result is not None else battle.turn + 1
    return replace(battle.written(), turn=turn, stage=stage, result=result, zones=tuple(battle.zones))

"""One phase: setup, the turn R1 to R14, or its second half after a fire e-mail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.broadsides.orders import Order, Settled, settled
from games.broadsides.orders.setting_up import settle_setup
from games.broadsides.rules.asteroids import drag
from games.broadsides.rules.ballistics import ballistics_strike, launch_ballistics
from games.broadsides.rules.battle import Battle
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
from games.broadsides.state import Flight, Formation, OrderLine, Ship, State
from pbem.kit.dice import Dice
from pbem.kit.game import Event, Resolution
from pbem.kit.sheet import Sheet

Sheets = Mapping[str, Sheet[Order]]


def resolve(state: State, sheets: Sheets, dice: Dice) -> Resolution[State]:
    """Carry out the open phase."""
    given = {side.id: sheets.get(side.id, Sheet()) for side in state.sides}
    if state.phase == "setup":
        return _set_up(state, given)
    orders = {side: settled(state, side, sheet) for side, sheet in given.items()}
    battle = _battle(state, orders, dice)
    _tell_faults(battle, given)
    if state.phase == "orders":
        _first_half(battle, orders)
        if state.switches.fire_phase:
            halfway = _before_fire(battle, given)
            return Resolution(halfway, without_hidden(halfway, battle.events))
    else:
        retarget(battle)
    _second_half(battle)
    return _end_turn(battle)


def _battle(state: State, orders: Mapping[str, Settled], dice: Dice) -> Battle:
    units = {name: one for done in orders.values() for name, one in done.units.items()}
    firing = {side: done.firing for side, done in orders.items()}
    return Battle(state, Doctrine(units, firing), dice)


def _tell_faults(battle: Battle, sheets: Sheets) -> None:
    """Section 9: every fault of a sheet, to its owner."""
    battle.step = "orders"
    for side in battle.sides:
        for problem in sheets[side].problems:
            facts = {
                "unit": problem.unit,
                "line": problem.line,
                "id": problem.rule,
                "text": problem.text,
                "reason": problem.reason,
                "instead": problem.instead,
            }
            battle.tell("order_fault", problem.rule or "BR-VAL-2", facts, seen_by=[side])


# --- setup -----------------------------------------------------------------------------------------------------------


def _set_up(state: State, sheets: Sheets) -> Resolution[State]:
    """Turn 0: deployments, loads, programs, upgrades and the jump-ins declared ahead."""
    ships = dict(state.ships)
    formations = list(state.formations)
    events: list[Event] = []
    for side in (one.id for one in state.sides):
        changed, _ = settle_setup(state, side, sheets[side].accepted)
        done = settled(state, side, sheets[side])
        for name, order in done.offsets.items():
            changed[name] = replace(changed[name], offset=order.hex)
        ships.update(changed)
        formations = _with_formations(formations, side, done)
        events.extend(_setup_events(state, side, changed, sheets[side]))
    ships = {name: replace(ship, scenario_heading=None) for name, ship in ships.items()}
    following = replace(state, ships=ships, formations=tuple(formations), turn=1, phase="orders")
    return Resolution(following, tuple(events))


def _setup_events(state: State, side: str, ships: Mapping[str, Ship], sheet: Sheet[Order]) -> list[Event]:
    both = frozenset(one.id for one in state.sides)
    events = []
    for problem in sheet.problems:
        facts = {
            "unit": problem.unit,
            "line": problem.line,
            "id": problem.rule,
            "text": problem.text,
            "reason": problem.reason,
            "instead": problem.instead,
        }
        events.append(Event("order_fault", problem.rule or "BR-VAL-2", "setup", facts, frozenset({side})))
    for name in state.roster:
        ship, before = ships.get(name), state.ships.get(name)
        if ship is not None and before is not None and ship.position != before.position:
            facts = {"unit": name, "side": side, "hex": [*ship.position], "heading": ship.heading}
            events.append(Event("deploy", "BR-SET-10", "setup", facts, both))
    return events


# --- the turn --------------------------------------------------------------------------------------------------------


def _with_formations(formations: list[Formation], side: str, done: Settled) -> list[Formation]:
    changed = {one.leader: one for one in done.formations}
    kept = [changed.pop(one.leader, one) if one.side == side else one for one in formations]
    return [*kept, *changed.values()]


def _side_orders(battle: Battle, orders: Mapping[str, Settled]) -> None:
    """Jump-ins, offsets and troops, which change the table itself."""
    for side, done in orders.items():
        battle.formations = _with_formations(battle.formations, side, done)
        for name, order in done.offsets.items():
            battle.put(replace(battle.ships[name], offset=order.hex))
        for name, ship in list(battle.ships.items()):
            troops = done.troops.get(name) or done.troops.get("")
            if ship.side == side and troops is not None:
                battle.put(replace(ship, troops=troops.how))


def _first_half(battle: Battle, orders: Mapping[str, Settled]) -> None:
    """R1 to R6: up to the end of all movement."""
    _side_orders(battle, orders)
    take_orders(battle)
    battle.step = "R1"
    check_cnc(battle)
    battle.step = "R2"
    order = roll_initiative(battle)
    battle.step = "R3"
    roll_first_fire(battle)
    battle.step = "R4"
    divert_power(battle)
    battle.step = "R5"
    launch_ballistics(battle)
    launch_flights(battle)
    if battle.switches.boarding:
        launch_pods(battle)
    battle.step = "R6a"
    move_all(battle, order)
    battle.step = "R6b"
    complete_rolls(battle)
    jump_in(battle)
    jump_out(battle)
    snap_rolls(battle)
    battle.step = "R6c"
    fly_pods(battle)
    break_off(battle)
    d_moves(battle, order)
    land_flights(battle)


def _second_half(battle: Battle) -> None:
    """R7 to R13: ballistics, fire, boarding."""
    battle.step = "R7"
    ballistics_strike(battle)
    battle.step = "R8"
    ship_fire(battle)
    battle.step = "R9"
    dogfights(battle)
    battle.step = "R10"
    fighter_dropouts(battle)
    battle.step = "R11"
    fighter_fire(battle)
    battle.step = "R12"
    weapon_dropouts(battle)
    battle.step = "R13"
    squads_act(battle)
    pods_dock(battle)


def _before_fire(battle: Battle, sheets: Sheets) -> State:
    """BR-SEQ-3: the state between the two e-mails; the first one's lines stand behind the second's."""
    standing = {
        side: tuple(OrderLine(entry.line, entry.unit, entry.text) for entry in sheet.accepted)
        for side, sheet in sheets.items()
    }
    return replace(_frozen(battle), phase="fire", standing=standing)


def _frozen(battle: Battle) -> State:
    return replace(
        battle.before,
        ships=battle.ships,
        flights=battle.flights,
        roster=tuple(battle.roster),
        first_fire=battle.first_fire,
        ballistics=tuple(battle.ballistics),
        formations=tuple(battle.formations),
    )


def _end_turn(battle: Battle) -> Resolution[State]:
    """R14: drag, charges, victory, and the table set for the next turn."""
    battle.step = "R14"
    drag(battle)
    keep_charges(battle)
    _clear_marks(battle)
    state = keep_sightings(_frozen(battle))
    totals = scores(state)
    battle.tell("score", "BR-VP-1", {"totals": totals, "turn": state.turn})
    if is_over(state):
        found = verdict(state)
        facts = {"winner": found.winner, "totals": dict(final_scores(state)), "text": found.reason}
        battle.tell("victory", "BR-VP-1", facts)
        state = replace(state, verdict=found)
    following = replace(state, turn=state.turn + 1, phase="orders", standing={}, ballistics=())
    return Resolution(following, without_hidden(following, battle.events))


def _clear_marks(battle: Battle) -> None:
    """The marks of this turn come off."""
    for name in battle.roster:
        unit = battle.unit(name)
        if isinstance(unit, Ship):
            battle.put(replace(awake(unit, battle.turn + 1), fired=False, cnc_failure=False, highest_level=0))
        elif isinstance(unit, Flight):
            fighters = tuple(
                replace(one, temporary_out=False, damaged=False, intercepted=False) for one in unit.fighters
            )
            battle.put(replace(unit, fighters=fighters, launched_now=False, attacked=False, d_move=0))

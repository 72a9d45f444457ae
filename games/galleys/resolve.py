"""One turn from its sealed orders to the next order phase (rule book, section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.galleys.orders.checks import work_out
from games.galleys.orders.judge import FleetJudge
from games.galleys.orders.levels import give_standing_orders
from games.galleys.orders.records import Order, SideOrders
from games.galleys.rules.activation import movement_segment
from games.galleys.rules.boarding import boarding_phase
from games.galleys.rules.burning import fire_phase
from games.galleys.rules.fatigue import recover
from games.galleys.rules.losses import sinking_phase
from games.galleys.rules.victory import judge, morale_phase, scores
from games.galleys.state import STEPS, Level, State
from games.galleys.table import DIE, Table
from pbem.kit.dice import Dice
from pbem.kit.game import Resolution, Side
from pbem.kit.sheet import Problem, Sheet

WARNINGS = frozenset(("GA-VAL-9", "GA-VAL-29", "GA-VAL-36"))
"""Section 7: warnings although something else is done than the line says."""

END_PHASES = (
    ("boarding", boarding_phase),
    ("fire", fire_phase),
    ("sinking", sinking_phase),
    ("recovery", recover),
    ("morale", morale_phase),
)


def resolve(state: State, sheets: Mapping[Side, Sheet[Order]], dice: Dice) -> Resolution[State]:
    """Section 3: reset, initiative, activations and the end phases, in that order."""
    empty: Sheet[Order] = Sheet()
    written = {fleet.name: sheets.get(fleet.name, empty) for fleet in state.sides}
    ordered = {side: work_out(state, side, FleetJudge(sheet.accepted)) for side, sheet in written.items()}
    table = Table(state, dice, {name: own for orders in ordered.values() for name, own in orders.ships.items()})
    for side, orders in ordered.items():
        give_standing_orders(table, side, orders)
    for side, sheet in written.items():
        for problem in sheet.problems:
            _tell_problem(table, side, problem)
    if state.step == "reset":
        _reset(table)
        _roll_initiative(table)
    _run(table, ordered)
    return Resolution(_next_turn(table), tuple(table.events))


def _tell_problem(table: Table, side: Side, problem: Problem) -> None:
    """Section 9: what could not stand as it was written, to its owner."""
    warning = problem.weight == "note" or problem.rule in WARNINGS
    facts = {
        "unit": problem.unit,
        "line": problem.line,
        "id": problem.rule,
        "text": f"{problem.reason}; {problem.instead}" if problem.instead else problem.reason,
        "quote": problem.text,
    }
    table.tell("order_warning" if warning else "order_error", problem.rule, side, facts)


def _reset(table: Table) -> None:
    """Step 1."""
    for ship in list(table.ships.values()):
        table.change(
            ship, avoid_count=0, spent=0, level=Level.HALF, ram_used=False, fired=False, attacked=False, reacted=False
        )
    for squadron in list(table.squadrons.values()):
        table.change(squadron, activated=False)


def _roll_initiative(table: Table) -> None:
    """Step 2, GA-SEQ-4: a die each, plus the commander; a tie goes to the side that was second last turn."""
    table.step = table.activation = "initiative"
    sides = list(table.sides)
    dice = [table.roll(DIE, side) for side in sides]
    bonus = [0 if fleet.flagship_lost else fleet.commander for fleet in table.sides.values()]
    totals = [die.face + extra for die, extra in zip(dice, bonus, strict=True)]
    was_first = table.first_side if table.turn > 1 else ""
    tied = sides[1] if was_first == sides[0] else sides[0]
    table.first_side = tied if totals[0] == totals[1] else sides[totals.index(max(totals))]
    facts = {
        "dice": {side: die.face for side, die in zip(sides, dice, strict=True)},
        "commanders": dict(zip(sides, bonus, strict=True)),
        "totals": dict(zip(sides, totals, strict=True)),
        "first": table.first_side,
    }
    table.tell_in_fog("initiative", "GA-SEQ-4", facts, dice)


def _run(table: Table, ordered: Mapping[Side, SideOrders]) -> None:
    """Steps 3 to 10, from the step the state stands at; where no first player is named, side 1 is."""
    table.first_side = table.first_side or next(iter(table.sides))
    begin = STEPS.index(table.state.step)
    if begin <= STEPS.index("activations"):
        movement_segment(table, {name: ships for own in ordered.values() for name, ships in own.sequences.items()})
    for step, run in END_PHASES:
        if STEPS.index(step) >= begin:
            table.step = table.activation = step
            run(table)


def _next_turn(table: Table) -> State:
    """Step 11: the victory check, or the next order phase."""
    table.step = table.activation = "victory"
    state = table.frozen(step="reset")
    result = judge(state)
    if result is None:
        return replace(state, turn=state.turn + 1)
    facts = {"side": result.winner, "points": scores(state), "reason": result.reason}
    table.tell("victory", "GA-VIC-2", table.sides, facts)
    return replace(state, result=result)

"""One turn from its sealed orders to the next order phase (rule book, section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.galleys.orders.levels import standing_doctrines, work_out
from games.galleys.orders.plans import STANDS, Order, ShipOrders, SideOrders
from games.galleys.rules.activation import movement_segment
from games.galleys.rules.battle import Battle
from games.galleys.rules.boarding import boarding_phase
from games.galleys.rules.burning import fire_phase
from games.galleys.rules.fatigue import recover
from games.galleys.rules.losses import sinking_phase
from games.galleys.rules.victory import judge, morale_phase, scores, told_points
from games.galleys.state import STEPS, Level, State
from pbem.kit.dice import Dice
from pbem.kit.game import Outcome, Phase, Resolution, Side, SideInfo
from pbem.kit.sheet import Sheet

ALWAYS_WARNINGS = frozenset(("GA-VAL-33",))
"""Section 7: problems that concern no line."""

END_PHASES = (
    ("boarding", boarding_phase),
    ("fire", fire_phase),
    ("sinking", sinking_phase),
    ("recovery", recover),
    ("morale", morale_phase),
)


def resolve(state: State, sheets: Mapping[Side, Sheet[Order]], dice: Dice) -> Resolution[State]:
    """Section 3: reset, initiative, activations and the end phases, in that order."""
    worked_out = {fleet.name: work_out(state, fleet.name, _entries(sheets, fleet.name)).orders for fleet in state.sides}
    ordered = _with_standing_orders(state, worked_out)
    orders: dict[str, ShipOrders] = {}
    for found in worked_out.values():
        orders.update(found.ships)
    battle = Battle(ordered, orders, dice)
    _tell_problems(battle, sheets)
    if state.step == "reset":
        _reset(battle)
        _roll_initiative(battle)
    _run(battle, state, worked_out)
    return Resolution(_next_turn(battle), tuple(battle.events))


def _entries(sheets: Mapping[Side, Sheet[Order]], side: Side) -> list[tuple[int, Order]]:
    sheet: Sheet[Order] = sheets.get(side, Sheet())
    return [(entry.line, entry.order) for entry in sheet.accepted]


def _with_standing_orders(state: State, worked_out: Mapping[Side, SideOrders]) -> State:
    """Section 6.1: doctrines and the activation list stay in force until changed."""
    for side, found in worked_out.items():
        state = standing_doctrines(state, side, found.doctrines)
        if found.activate is not None:
            fleets = (replace(f, activate_list=found.activate) if f.name == side else f for f in state.sides)
            state = replace(state, sides=tuple(fleets))
    return state


def _tell_problems(battle: Battle, sheets: Mapping[Side, Sheet[Order]]) -> None:
    """Section 9: what could not stand as it was written, to its owner."""
    for side in battle.fleets:
        sheet: Sheet[Order] = sheets.get(side, Sheet())
        for problem in sheet.problems:
            warning = problem.instead.startswith(STANDS) or problem.rule in ALWAYS_WARNINGS
            kind = "order_warning" if warning else "order_error"
            text = f"{problem.reason}; {problem.instead}" if problem.instead else problem.reason
            facts = {
                "unit": problem.unit,
                "line": problem.line,
                "id": problem.rule,
                "text": text,
                "quote": problem.text,
            }
            battle.tell_only(side, kind, problem.rule, facts)


def _reset(battle: Battle) -> None:
    """Step 1."""
    for name in battle.ships:
        battle.change(
            name, avoid_count=0, spent=0, level=Level.HALF, ram_used=False, fired=False, attacked=False, reacted=False
        )
    for name, squadron in battle.squadrons.items():
        battle.squadrons[name] = replace(squadron, activated=False)


def _roll_initiative(battle: Battle) -> None:
    """Step 2, GA-SEQ-4: a die each, plus the commander; a tie goes to the side that was second last turn."""
    battle.step = battle.activation = "initiative"
    sides = list(battle.fleets)
    dice = [battle.roll(side) for side in sides]
    bonus = [0 if battle.fleets[side].flagship_lost else battle.fleets[side].commander for side in sides]
    totals = [die.face + extra for die, extra in zip(dice, bonus, strict=True)]
    was_first = battle.first_side if battle.turn > 1 else ""
    tied = sides[1] if was_first == sides[0] else sides[0]
    first = tied if totals[0] == totals[1] else sides[totals.index(max(totals))]
    battle.first_side = first
    facts = {
        "dice": {side: die.face for side, die in zip(sides, dice, strict=True)},
        "commanders": dict(zip(sides, bonus, strict=True)),
        "totals": dict(zip(sides, totals, strict=True)),
        "first": first,
    }
    battle.tell("initiative", "GA-SEQ-4", facts, rolls=tuple(dice))


def _run(battle: Battle, state: State, worked_out: Mapping[Side, SideOrders]) -> None:
    """Steps 3 to 10, from the step the state stands at; where no first player is named, side 1 is."""
    battle.first_side = battle.first_side or next(iter(battle.fleets))
    begin = STEPS.index(state.step)
    if begin <= STEPS.index("activations"):
        lists = {fleet.name: fleet.activate_list for fleet in battle.fleets.values()}
        sequences: dict[str, tuple[str, ...]] = {}
        for found in worked_out.values():
            sequences.update(found.sequences)
        movement_segment(battle, lists, sequences)
    for step, run in END_PHASES:
        if STEPS.index(step) >= begin:
            battle.step = battle.activation = step
            run(battle)


def _next_turn(battle: Battle) -> State:
    """Step 11: the victory check, or the next order phase."""
    battle.step = battle.activation = "victory"
    state = replace(battle.state_now(), step="reset")
    result = judge(state)
    if result is None:
        return replace(state, turn=state.turn + 1)
    facts = {"side": result.winner, "points": scores(state), "reason": result.reason}
    battle.tell("victory", "GA-VIC-2", facts)
    return replace(state, result=result)


# --- the contract: questions about a state ---------------------------------------------------------------------------


def sides(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(fleet.name, fleet.name) for fleet in state.sides)


def phase(state: State) -> Phase | None:
    """Section 3: one order phase a turn."""
    if state.result:
        return None
    return Phase("orders", state.turn, frozenset(fleet.name for fleet in state.sides))


def outcome(state: State) -> Outcome | None:
    """GA-VIC."""
    if state.result is None:
        return None
    points, winner = scores(state), state.result.winner
    verdict = f"{winner} wins" if winner else "A draw"
    reason = f"{verdict}: {state.result.reason} ({told_points(points)})."
    return Outcome(frozenset((winner,) if winner else ()), reason, points)

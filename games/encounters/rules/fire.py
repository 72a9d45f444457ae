"""The fire steps of a round (rule book 4.8: EN-FIR)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.encounters.data import MINES
from games.encounters.rules.battle import Battle, hits_for
from games.encounters.rules.combatant import Combatant
from games.encounters.rules.damage import spend_points
from games.encounters.rules.missions import counted_share, fire_control_bonus
from games.encounters.rules.rounding import nearest_whole, percent_of
from games.encounters.rules.squadrons import Force
from games.encounters.tables import percent_at, tables

SHIPS, DOGFIGHT, STRIKE, FLAK = "ships", "dogfight", "strike", "flak"
BY_FLIGHTS = (DOGFIGHT, STRIKE)
AT_FLIGHTS = (DOGFIGHT, FLAK)
RULES = {SHIPS: "EN-FIR-5", DOGFIGHT: "EN-FIR-6", STRIKE: "EN-FIR-7", FLAK: "EN-FIR-8"}
SAME_ROLL = {STRIKE: DOGFIGHT, FLAK: SHIPS}
MINES_FIRE_IN_ROUND = 1


@dataclass(frozen=True)
class Volley:
    """What a power fires in one step."""

    force: Force
    step: str
    total: Fraction
    percent: int


def exchange(battle: Battle, *steps: str) -> None:
    """EN-FIR-9: totals are taken and dice rolled for all, then all fire takes effect; both fires of step e at once."""
    volleys = [volley for step in steps for volley in roll_step(battle, step)]
    targets = {volley.force.power + volley.step: targets_of(battle, volley) for volley in volleys}
    for volley in volleys:
        take_effect(battle, volley, targets[volley.force.power + volley.step])
    fired = {(volley.force.power, volley.step) for volley in volleys}
    for force in battle.forces:
        for step in steps:
            if (force.power, step) not in fired:
                battle.residual.pop((force.power, step), None)


def targets_of(battle: Battle, volley: Volley) -> list[Combatant]:
    wanted = volley.step in AT_FLIGHTS
    return [one for one in battle.enemies(volley.force.power) if one.is_flight == wanted]


def roll_step(battle: Battle, step: str) -> list[Volley]:
    """EN-FIR-4: a power rolls only if it has something to fire and something to fire at."""
    volleys = []
    for force in battle.forces:
        total = total_of(battle, force, step)
        has_target = any(one.is_flight == (step in AT_FLIGHTS) for one in battle.enemies(force.power))
        if total > 0 and has_target:
            volleys.append(Volley(force, step, total, effectiveness(battle, force, step)))
    return volleys


def total_of(battle: Battle, force: Force, step: str) -> Fraction:
    """EN-FIR-5..8: AS or AF of the firing kind, by mission, as it stands at the start of the step."""
    flights = step in BY_FLIGHTS
    firing = [one for one in force.units if one.here and one.intact and one.is_flight == flights]
    if step in (SHIPS, STRIKE):
        plain = [one for one in firing if one.design.code != MINES]
        guns: Fraction = sum((one.AS * counted_share(one) for one in plain), Fraction(0))
        return guns + (mine_points(battle, force) if step == SHIPS else 0)
    return sum((one.AF * counted_share(one) for one in firing), Fraction(0))


def mine_points(battle: Battle, force: Force) -> int:
    """EN-MIS-8, EN-ABL-2: AS of Mines, only in round 1, less 4 for each CC of the enemy's Minesweepers."""
    if battle.round != MINES_FIRE_IN_ROUND:
        return 0
    sweepers = [one for one in battle.enemies(force.power) if one.is_ship and one.works("Minesweeper")]
    swept = tables().yard.sweep_per_cc * sum(one.design.CC for one in sweepers)
    for ally in battle.own(force.power):
        laid = sum(one.AS for one in ally.units if one.here and one.design.code == MINES)
        if ally is force:
            return max(0, laid - swept)
        swept = max(0, swept - laid)
    return 0


def effectiveness(battle: Battle, force: Force, step: str) -> int:
    """EN-FIR-1, 2, 3, 10: roll for a step, unless one roll serves two or a situation says what was rolled."""
    shared = SAME_ROLL.get(step, step) if battle.board.switches.single_fire_roll else step
    for rolled in (step, shared):
        if (force.power, rolled) in battle.percents:
            return battle.percents[force.power, rolled]
    label = (battle.kind, battle.system, battle.number, f"round {battle.round}", step, force.power)
    roll = battle.board.dice.roll(10, *label)
    bonus, word = (carrier_bonus(force), "Carrier") if step in BY_FLIGHTS else (fire_bonus(force), "Fire Control")
    total = roll.face + battle.modifier(force.power) + bonus
    percent = percent_at(tables().fire.space, total)
    battle.percents[force.power, step] = percent
    rule, own = ("EN-FIR-3" if step in BY_FLIGHTS else "EN-FIR-2"), battle.allies(force.power)
    parts = {"readiness": battle.modifier(force.power), word: bonus}
    facts: dict[str, Any] = {"power": force.power, "step": step, "percent": percent}
    battle.tell("fire_roll", rule, own, (roll,), **facts, die=roll.face, modifiers=parts, total=total)
    battle.tell("fire_roll", rule, battle.audience - own, **facts, die=None, modifiers={}, total=None)
    return percent


def carrier_bonus(force: Force) -> int:
    """EN-FIR-3: CC of the power's intact participating ships and bases with Carrier."""
    return sum(one.design.CC for one in force.units if one.here and one.works("Carrier"))


def fire_bonus(force: Force) -> int:
    return fire_control_bonus(force.units)


def take_effect(battle: Battle, volley: Volley, targets: Sequence[Combatant]) -> None:
    """EN-DMG-4, 7: score, spend, carry the rest over."""
    power, step = volley.force.power, volley.step
    carried = battle.residual.pop((power, step), 0)
    points = nearest_whole(percent_of(volley.total, volley.percent)) + carried
    base = float(volley.total)
    facts: dict[str, Any] = {
        "power": power,
        "step": step,
        "base": int(base) if base.is_integer() else base,
        "percent": volley.percent,
    }
    battle.tell("points", RULES[step], **facts, residual=carried, points=points)
    hits = hits_for(volley.force.plan, battle.doctrines[power], step)
    victim = battle.against(power)[0].power
    left = spend_points(
        points, hits, targets, battle.absorbs(victim), teller(battle, power), battle.flagships_against(power)
    )
    if left and battle.board.switches.residual_damage:
        battle.residual[power, step] = left
        battle.tell("residual", "EN-DMG-7", power=power, step=step, points=left)


def teller(battle: Battle, power: str) -> Callable[[Combatant, str, int], None]:
    def told(one: Combatant, how: str, cost: int) -> None:
        battle.note_damage(power, one, how, cost)

    return told

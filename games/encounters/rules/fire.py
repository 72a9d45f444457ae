"""The fire steps of a round (rule book 4.8: EN-FIR)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from games.encounters.data import MINES, percent_at, tables
from games.encounters.rules.battle import Battle
from games.encounters.rules.combat import hits_for
from games.encounters.rules.combatant import Combatant, ability_cc
from games.encounters.rules.damage import spend_points
from games.encounters.rules.missions import counted_share, fire_control_bonus
from games.encounters.rules.rounding import nearest_whole, percent_of
from games.encounters.rules.squadrons import Force

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
    targets = [targets_for(battle, volley.force, volley.step) for volley in volleys]
    for volley, fired_at in zip(volleys, targets, strict=True):
        take_effect(battle, volley, fired_at)
    fired = {(volley.force.power, volley.step) for volley in volleys}
    for force in battle.forces:
        for step in steps:
            if (force.power, step) not in fired:
                battle.residual.pop((force.power, step), None)


def targets_for(battle: Battle, force: Force, step: str) -> list[Combatant]:
    return [unit for unit in battle.enemies(force.power) if unit.is_flight == (step in AT_FLIGHTS)]


def roll_step(battle: Battle, step: str) -> list[Volley]:
    """EN-FIR-4: a power rolls only if it has something to fire and something to fire at."""
    volleys = []
    for force in battle.forces:
        total = total_of(battle, force, step)
        if total > 0 and targets_for(battle, force, step):
            volleys.append(Volley(force, step, total, effectiveness(battle, force, step)))
    return volleys


def total_of(battle: Battle, force: Force, step: str) -> Fraction:
    """EN-FIR-5..8: AS or AF of the firing kind, by mission, as it stands at the start of the step."""
    flights = step in BY_FLIGHTS
    firing = [unit for unit in force.units if unit.here and unit.intact and unit.is_flight == flights]
    if step in (SHIPS, STRIKE):
        plain = [unit for unit in firing if unit.design.code != MINES]
        guns: Fraction = sum((unit.AS * counted_share(unit) for unit in plain), Fraction(0))
        return guns + (mine_points(battle, force) if step == SHIPS else 0)
    return sum((unit.AF * counted_share(unit) for unit in firing), Fraction(0))


def mine_points(battle: Battle, force: Force) -> int:
    """EN-MIS-8, EN-ABL-2: AS of Mines, only in round 1, less 4 for each CC of the enemy's Minesweepers."""
    if battle.round != MINES_FIRE_IN_ROUND:
        return 0
    ships = [unit for unit in battle.enemies(force.power) if unit.is_ship]
    swept = tables().yard.sweep_per_cc * ability_cc(ships, "Minesweeper")
    for ally in battle.own(force.power):
        laid = sum(unit.AS for unit in ally.units if unit.here and unit.design.code == MINES)
        if ally is force:
            return max(0, laid - swept)
        swept = max(0, swept - laid)
    return 0


def effectiveness(battle: Battle, force: Force, step: str) -> int:
    """EN-FIR-1, 2, 3, 10: roll for a step, unless one roll serves two or a situation says what was rolled."""
    power = force.power
    shared = SAME_ROLL.get(step, step) if battle.table.switches.single_fire_roll else step
    for rolled in (step, shared):
        if (power, rolled) in battle.percents:
            return battle.percents[power, rolled]
    roll = battle.roll(step, power)
    parts = {"readiness": battle.modifier(power)}
    if step in BY_FLIGHTS:
        parts["Carrier"] = ability_cc(force.units, "Carrier")
    else:
        parts["Fire Control"] = fire_control_bonus(force.units)
    percent = percent_at(tables().fire.space, roll.face + sum(parts.values()))
    battle.percents[power, step] = percent
    rule = "EN-FIR-3" if step in BY_FLIGHTS else "EN-FIR-2"
    battle.tell_roll(
        "fire_roll", rule, power, {"power": power, "step": step, "percent": percent}, roll, modifiers=parts
    )
    return percent


def take_effect(battle: Battle, volley: Volley, targets: Sequence[Combatant]) -> None:
    """EN-DMG-4, 7: score, spend, carry the rest over."""
    power, step = volley.force.power, volley.step
    carried = battle.residual.pop((power, step), 0)
    points = nearest_whole(percent_of(volley.total, volley.percent)) + carried
    base = int(volley.total) if volley.total.denominator == 1 else float(volley.total)
    facts = {"power": power, "step": step, "base": base, "percent": volley.percent}
    battle.tell_all("points", RULES[step], {**facts, "residual": carried, "points": points})
    hits = hits_for(volley.force.plan, battle.doctrines[power], step)
    doctrine = battle.absorbs(battle.against(power)[0].power)
    report, flagships = partial(battle.note_damage, power), battle.flagships_against(power)
    left = spend_points(points, hits, targets, doctrine, report, flagships)
    if left and battle.table.switches.residual_damage:
        battle.residual[power, step] = left
        battle.tell_all("residual", "EN-DMG-7", {"power": power, "step": step, "points": left})

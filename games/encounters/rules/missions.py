"""Missions of a round (rule book 4.6: EN-MIS) and the squadrons they disrupt (EN-DR-7)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from games.encounters.data import MINES, tables
from games.encounters.orders.records import MissionLine, Target
from games.encounters.rules.combatant import Combatant, select
from games.encounters.rules.rounding import HALF
from games.encounters.rules.squadrons import Force

ENGAGE, SCREEN, DISRUPT, FIRECONTROL, DISENGAGE, NONE = (
    "engage", "screen", "disrupt", "firecontrol", "disengage", "none",
)  # fmt: skip
FULL, NOTHING = Fraction(1), Fraction(0)


def allowed_missions(unit: Combatant, *, fire_control: bool) -> tuple[str, ...]:
    """EN-MIS-1, 5, 6, 8: the missions a unit may have."""
    if not unit.intact:
        return ()
    if unit.design.code == MINES:
        return (ENGAGE,)
    able = [ENGAGE, SCREEN, DISRUPT]
    if fire_control and not unit.is_flight:
        able.append(FIRECONTROL)
    if unit.design.category != "base":
        able.append(DISENGAGE)
    return tuple(able)


def mission_line(lines: Sequence[MissionLine], unit: Combatant, number: int) -> MissionLine | None:
    """A ``round n`` line beats all others, a unit's line its squadron's; of equals the last counts."""
    best: tuple[int, MissionLine] | None = None
    for line in lines:
        mine = line.unit == unit.id
        if not mine and (line.unit is not None or line.squadron.casefold() != unit.squadron.casefold()):
            continue
        if line.round not in (None, number):
            continue
        rank = (2 if line.round is not None else 0) + (1 if mine else 0)
        if best is None or rank >= best[0]:
            best = (rank, line)
    return best[1] if best else None


def assign_missions(force: Force, number: int, *, fire_control: bool) -> dict[int, MissionLine]:
    """EN-MIS-1: every intact participant has one mission, engage by default. Returns the lines that apply."""
    applied: dict[int, MissionLine] = {}
    for unit in force.units:
        unit.disrupts = None
        if not unit.here or not unit.intact:
            unit.mission = NONE
            continue
        line = mission_line(force.plan.missions, unit, number)
        able = allowed_missions(unit, fire_control=fire_control)
        unit.mission = line.mission if line and line.mission in able else ENGAGE
        if line and unit.mission == line.mission:
            applied[unit.id] = line
    return applied


def counted_share(unit: Combatant) -> Fraction:
    """EN-MIS-2..7: how much of AS and AF counts as fire."""
    if unit.mission == ENGAGE:
        return FULL
    if unit.mission == DISENGAGE or (unit.mission in (DISRUPT, FIRECONTROL) and unit.works("Scout")):
        return HALF
    return NOTHING


def fire_control_bonus(units: Sequence[Combatant]) -> int:
    """EN-MIS-5: +1 for every full 4 CC on Fire Control, at most +2."""
    rates = tables().missions
    cc = sum(unit.design.CC for unit in units if unit.here and unit.intact and unit.mission == FIRECONTROL)
    return min(rates.firecontrol_most, cc // rates.firecontrol_cc)


# --- targets of disruption -------------------------------------------------------------------------------------------

SquadronKey = tuple[str, str]


def aim_disruption(force: Force, lines: dict[int, MissionLine], enemies: Sequence[Force]) -> None:
    """EN-DR-7: the target squadron of each disrupting unit is fixed before pools are formed."""
    for unit in force.units:
        if unit.here and unit.mission == DISRUPT:
            wanted = named_squadron(lines[unit.id].target, enemies)
            unit.disrupts = wanted if wanted and strength(wanted, enemies) else greatest(enemies)


def named_squadron(target: str, enemies: Sequence[Force]) -> SquadronKey | None:
    """6.5: flagship, the n-th squadron, the squadron of the first unit selected, or a squadron known by name."""
    listed = [(force.power, name) for force in enemies for name in force.squadrons]
    if not target:
        return None
    if target.isdigit():
        return listed[int(target) - 1] if 1 <= int(target) <= len(listed) else None
    if target == "flagship":
        # A Flagship that was excluded, or has left, still tells which squadron is meant.
        everyone = [unit for force in enemies for unit in (*force.units, *force.excluded)]
    else:
        everyone = [unit for force in enemies for unit in force.units if unit.here]
    flagships = [flagship for force in enemies for flagship in force.flagships]
    selected = select(Target(target), everyone, flagships)
    if selected:
        return (selected[0].owner, selected[0].squadron)
    return next((key for key in listed if key[1].casefold() == target.casefold()), None)


def strength(key: SquadronKey, enemies: Sequence[Force]) -> int:
    """Total CC of the squadron's units in the battle."""
    force = next(force for force in enemies if force.power == key[0])
    return sum(unit.design.CC for unit in force.members(key[1]))


def greatest(enemies: Sequence[Force]) -> SquadronKey | None:
    """The enemy squadron with the greatest total CC; tie: first in the enemy's order."""
    listed = [(force.power, name) for force in enemies for name in force.squadrons]
    manned = [key for key in listed if strength(key, enemies)]
    return max(manned, key=lambda key: strength(key, enemies)) if manned else None

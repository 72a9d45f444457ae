"""Missions of a round (rule book 4.6: EN-MIS) and the squadrons they disrupt (EN-DR-7)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from games.encounters.data import MINES
from games.encounters.plans import MissionLine, Target
from games.encounters.rules.combatant import Combatant, select
from games.encounters.rules.rounding import HALF
from games.encounters.rules.squadrons import Force
from games.encounters.tables import tables

ENGAGE, SCREEN, DISRUPT, FIRECONTROL, DISENGAGE, NONE = (
    "engage", "screen", "disrupt", "firecontrol", "disengage", "none",
)  # fmt: skip
MISSIONS = (ENGAGE, SCREEN, DISRUPT, FIRECONTROL, DISENGAGE)
FULL, NOTHING = Fraction(1), Fraction(0)


def allowed_missions(one: Combatant, *, fire_control: bool) -> tuple[str, ...]:
    """EN-MIS-1, 5, 6, 8: the missions a unit may have."""
    if not one.intact:
        return ()
    if one.design.code == MINES:
        return (ENGAGE,)
    able = [ENGAGE, SCREEN, DISRUPT]
    if fire_control and not one.is_flight:
        able.append(FIRECONTROL)
    if one.design.category != "base":
        able.append(DISENGAGE)
    return tuple(able)


def mission_line(lines: Sequence[MissionLine], one: Combatant, number: int) -> MissionLine | None:
    """A ``round n`` line beats all others, a unit's line its squadron's; of equals the last counts."""
    best: tuple[int, MissionLine] | None = None
    for line in lines:
        mine = line.unit == one.id
        if not mine and (line.unit is not None or line.squadron.casefold() != one.squadron.casefold()):
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
    for one in force.units:
        one.disrupts = None
        if not one.here or not one.intact:
            one.mission = NONE
            continue
        line = mission_line(force.plan.missions, one, number)
        able = allowed_missions(one, fire_control=fire_control)
        one.mission = line.mission if line and line.mission in able else ENGAGE
        if line and one.mission == line.mission:
            applied[one.id] = line
    return applied


def counted_share(one: Combatant) -> Fraction:
    """EN-MIS-2..7: how much of AS and AF counts as fire."""
    if one.mission == ENGAGE:
        return FULL
    if one.mission == DISENGAGE or (one.mission in (DISRUPT, FIRECONTROL) and one.works("Scout")):
        return HALF
    return NOTHING


def fire_control_bonus(units: Sequence[Combatant]) -> int:
    """EN-MIS-5: +1 for every full 4 CC on Fire Control, at most +2."""
    table = tables().missions
    cc = sum(one.design.CC for one in units if one.here and one.intact and one.mission == FIRECONTROL)
    return min(table.firecontrol_most, cc // table.firecontrol_cc)


# --- targets of disruption -------------------------------------------------------------------------------------------

SquadronKey = tuple[str, str]


def aim_disruption(force: Force, lines: dict[int, MissionLine], enemies: Sequence[Force]) -> None:
    """EN-DR-7: the target squadron of each disrupting unit is fixed before pools are formed."""
    for one in force.units:
        if one.here and one.mission == DISRUPT:
            wanted = named_squadron(lines[one.id].target, enemies)
            one.disrupts = wanted if wanted and strength(wanted, enemies) else greatest(enemies)


def named_squadron(target: str, enemies: Sequence[Force]) -> SquadronKey | None:
    """6.5: flagship, the n-th squadron, the squadron of the first unit selected, or a squadron known by name."""
    listed = [(force.power, name) for force in enemies for name in force.squadrons]
    if not target:
        return None
    if target.isdigit():
        return listed[int(target) - 1] if 1 <= int(target) <= len(listed) else None
    if target == "flagship":
        # A Flagship that was excluded, or has left, still tells which squadron is meant.
        everyone = [one for force in enemies for one in (*force.units, *force.excluded)]
    else:
        everyone = [one for force in enemies for one in force.units if one.here]
    flagships = [force.flagship for force in enemies if force.flagship is not None]
    found = select(Target(target), everyone, flagships)
    if found:
        return (found[0].owner, found[0].squadron)
    return next((key for key in listed if key[1].casefold() == target.casefold()), None)


def strength(key: SquadronKey, enemies: Sequence[Force]) -> int:
    """Total CC of the squadron's units in the battle."""
    force = next(force for force in enemies if force.power == key[0])
    return sum(one.design.CC for one in force.members(key[1]))


def greatest(enemies: Sequence[Force]) -> SquadronKey | None:
    """The enemy squadron with the greatest total CC; tie: first in the enemy's order."""
    listed = [(force.power, name) for force in enemies for name in force.squadrons]
    manned = [key for key in listed if strength(key, enemies)]
    return max(manned, key=lambda key: strength(key, enemies)) if manned else None

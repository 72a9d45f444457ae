"""Defence Ratings of a round (rule book 4.7: EN-DR)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from games.encounters.data import tables
from games.encounters.orders.records import Steps, StepsLine
from games.encounters.rules.combatant import Combatant, by_size, select
from games.encounters.rules.missions import DISRUPT, SCREEN, SquadronKey
from games.encounters.rules.rounding import HALF, nearest_whole
from games.encounters.rules.squadrons import Force

Gained = dict[int, int]
"""Steps a pool has given, by unit id."""


def starting_rating(unit: Combatant) -> int:
    """EN-DR-1, 2: 0, Armor +1, Shields +1, disorder -1."""
    return sum(1 for ability in ("Armor", "Shields") if unit.works(ability)) - (1 if unit.disorder else 0)


def reset_ratings(forces: Sequence[Force]) -> None:
    """EN-DR-1: a round begins at the starting ratings; its selectors (``weakest``) see these, not the last round's."""
    for force in forces:
        for unit in force.units:
            unit.start = starting_rating(unit)
            unit.dr = tables().rating.limited(unit.start)


def screening_points(units: Iterable[Combatant]) -> int:
    """EN-DR-3: R(sum of 1/2 AS + AF) over the screening units of a squadron."""
    return nearest_whole(sum((unit.AS * HALF + unit.AF for unit in units if unit.mission == SCREEN), Fraction(0)))


def disruption_points(units: Iterable[Combatant]) -> int:
    """EN-DR-3: R(sum of AS + 1/2 AF) over a power's units that disrupt one squadron."""
    return nearest_whole(sum((unit.AS + unit.AF * HALF for unit in units), Fraction(0)))


def buy_step(unit: Combatant, points: int, gained: Gained) -> int:
    """EN-DR-4: one step costs the unit's DV; at most 4 from one pool. Returns the points left."""
    if points < unit.design.DV or gained.get(unit.id, 0) >= tables().rating.most_steps:
        return points
    gained[unit.id] = gained.get(unit.id, 0) + 1
    return points - unit.design.DV


def spend_pool(
    points: int,
    entries: Sequence[Steps],
    members: Sequence[Combatant],
    flagships: Sequence[int],
    robin: Sequence[Combatant],
) -> Gained:
    """EN-DR-6: the list entry by entry, then what remains goes round robin, biggest first."""
    gained: Gained = {}
    for entry in entries:
        for unit in select(entry.target, members, flagships):
            for _ in range(entry.steps):
                points = buy_step(unit, points, gained)
    ordered = sorted(robin, key=by_size)
    while True:
        before = points
        for unit in ordered:
            points = buy_step(unit, points, gained)
        if points == before:
            return gained


def steps_line(lines: Sequence[StepsLine], way: str, unit: int | None, squadron: str, number: int) -> int | None:
    """The line that applies to a unit or squadron: ``round n`` before a general one; of equals the last. An index."""
    best: tuple[bool, int] | None = None
    for index, line in enumerate(lines):
        if line.way != way or line.round not in (None, number) or line.unit != unit:
            continue
        if unit is None and line.squadron.casefold() != squadron.casefold():
            continue
        dated = line.round is not None
        if best is None or dated >= best[0]:
            best = (dated, index)
    return best[1] if best else None


def lower_entries(force: Force, units: Sequence[Combatant], number: int) -> list[Steps]:
    """EN-DR-6: the ``lower`` lines of the units that feed a pool, in line order, each once."""
    applying: set[int] = set()
    for unit in units:
        index = steps_line(force.plan.steps, "lower", unit.id, "", number)
        if index is None:
            index = steps_line(force.plan.steps, "lower", None, unit.squadron, number)
        if index is not None:
            applying.add(index)
    return [entry for index in sorted(applying) for entry in force.plan.steps[index].entries]


def screen_squadron(force: Force, squadron: str, number: int) -> Gained:
    """The ups of one squadron; the round robin skips crippled units."""
    members = force.members(squadron)
    points = screening_points(members)
    if not points:
        return {}
    index = steps_line(force.plan.steps, "guard", None, squadron, number)
    entries = force.plan.steps[index].entries if index is not None else ()
    return spend_pool(points, entries, members, force.flagships, [unit for unit in members if unit.intact])


def disrupt_squadrons(force: Force, enemies: Sequence[Force], number: int) -> list[Gained]:
    """The downs a power gives, one pool for each enemy squadron it disrupts."""
    pools: dict[SquadronKey, list[Combatant]] = {}
    for unit in force.units:
        if unit.here and unit.mission == DISRUPT and unit.disrupts:
            pools.setdefault(unit.disrupts, []).append(unit)
    given = []
    for key, feeding in pools.items():
        target = next(enemy for enemy in enemies if enemy.power == key[0])
        members = target.members(key[1])
        entries = lower_entries(force, feeding, number)
        given.append(spend_pool(disruption_points(feeding), entries, members, target.flagships, members))
    return given


def set_ratings(forces: Sequence[Force], sides: dict[str, int], number: int) -> dict[int, tuple[int, int]]:
    """EN-DR-5: all pools are spent at once, blind to each other. Returns ups and downs by unit."""
    changes: dict[int, list[int]] = {unit.id: [0, 0] for force in forces for unit in force.units}
    for force in forces:
        for squadron in force.squadrons:
            for key, steps in screen_squadron(force, squadron, number).items():
                changes[key][0] += steps
        enemies = [other for other in forces if sides[other.power] != sides[force.power]]
        for gained in disrupt_squadrons(force, enemies, number):
            for key, steps in gained.items():
                changes[key][1] += steps
    for force in forces:
        for unit in force.units:
            ups, downs = changes[unit.id]
            unit.dr = tables().rating.limited(unit.start + ups - downs)
    return {key: (ups, downs) for key, (ups, downs) in changes.items()}

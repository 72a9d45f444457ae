"""Directed and nondirected damage (rule book 4.8: EN-DMG)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.encounters.plans import Hit
from games.encounters.rules.combatant import Combatant, by_size, effective_dv, select
from games.encounters.tables import tables

Told = Callable[[Combatant, str, int], None]
"""Hears of every step of damage: the unit, how it was chosen, what it cost."""

ABSORB = {
    "cripple-first": lambda one: (not one.intact, one.design.cost, one.id),
    "cheap-first": lambda one: (one.design.cost, one.id),
    "finish-first": lambda one: (one.intact, one.design.cost, one.id),
    "tough-first": lambda one: (not one.intact, -one.design.DV, one.id),
}
DEFAULT_ABSORB = "cripple-first"
KILL_STEPS = 2


def damage_step(one: Combatant) -> None:
    """EN-DMG-1: intact to crippled, crippled to destroyed; Shields lost by crippling lower the DR by 1 at once."""
    if one.state == "crippled":
        one.state = "destroyed"
        one.left = "destroyed"
        return
    one.state = "crippled"
    if one.design.has("Shields"):
        one.dr = tables().rating.limited(one.dr - 1)


def directed_cost(one: Combatant, shift: int) -> int:
    """EN-DMG-2: the effective DV at the unit's present DR."""
    return effective_dv(one.design.DV, one.dr + shift)


def direct(
    points: int, hits: Sequence[Hit], targets: Sequence[Combatant], flagships: Sequence[int], shift: int, told: Told
) -> int:
    """EN-DMG-5: walk the directed list; what cannot be afforded is skipped. Returns the points left."""
    for hit in hits:
        alive = [one for one in targets if one.state != "destroyed"]
        for one in select(hit.target, alive, flagships):
            for _ in range(KILL_STEPS if hit.kill else 1):
                cost = directed_cost(one, shift)
                if one.state == "destroyed" or cost > points:
                    break
                points -= cost
                damage_step(one)
                told(one, "directed", cost)
    return points


def plain_aim(points: int, targets: Sequence[Combatant], shift: int, told: Told) -> int:
    """EN-DMG-4: intact targets at DR 0 or lower, biggest first, one step each."""
    table = tables().rating
    aimed = [one for one in targets if one.intact and table.limited(one.dr + shift) <= 0]
    for one in sorted(aimed, key=by_size):
        cost = directed_cost(one, shift)
        if cost <= points:
            points -= cost
            damage_step(one)
            told(one, "directed", cost)
    return points


def absorb(points: int, targets: Sequence[Combatant], doctrine: str, told: Told) -> int:
    """EN-DMG-3, 6: the target's owner assigns at plain DV while anything can be afforded."""
    key = ABSORB[doctrine]
    while True:
        able = [one for one in targets if one.state != "destroyed" and points >= one.design.DV]
        if not able:
            return points
        one = min(able, key=key)
        points -= one.design.DV
        damage_step(one)
        told(one, "nondirected", one.design.DV)


def spend_points(
    points: int,
    hits: Sequence[Hit] | None,
    targets: Sequence[Combatant],
    doctrine: str,
    told: Told,
    flagships: Sequence[int] = (),
    shift: int = 0,
) -> int:
    """EN-DMG-4: the directed list, or the plain aim without one; the rest nondirected. Returns what buys nothing."""
    if hits is None:
        points = plain_aim(points, targets, shift, told)
    else:
        points = direct(points, hits, targets, flagships, shift, told)
    return absorb(points, targets, doctrine, told)

"""Directed and nondirected damage (rule book 4.8: EN-DMG)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from games.encounters.data import tables
from games.encounters.orders.records import Hit
from games.encounters.rules.combatant import Combatant, by_size, effective_dv, select

Report = Callable[[Combatant, str, int], None]
"""Hears of every step of damage: the unit, how it was chosen, what it cost."""

ABSORB: dict[str, Callable[[Combatant], tuple[int, ...]]] = {
    "cripple-first": lambda target: (not target.intact, target.design.cost, target.id),
    "cheap-first": lambda target: (target.design.cost, target.id),
    "finish-first": lambda target: (target.intact, target.design.cost, target.id),
    "tough-first": lambda target: (not target.intact, -target.design.DV, target.id),
}
DEFAULT_ABSORB = "cripple-first"
KILL_STEPS = 2


def damage_step(target: Combatant) -> None:
    """EN-DMG-1: intact to crippled, crippled to destroyed; Shields lost by crippling lower the DR by 1 at once."""
    if target.state == "crippled":
        target.fall()
        return
    target.unit = replace(target.unit, state="crippled")
    if target.design.has("Shields"):
        target.dr = tables().rating.limited(target.dr - 1)


def directed_cost(target: Combatant, shift: int) -> int:
    """EN-DMG-2: the effective DV at the unit's present DR."""
    return effective_dv(target.design.DV, target.dr + shift)


def direct(
    points: int, hits: Sequence[Hit], targets: Sequence[Combatant], flagships: Sequence[int], shift: int, report: Report
) -> int:
    """EN-DMG-5: walk the directed list; what cannot be afforded is skipped. Returns the points left."""
    for hit in hits:
        alive = [target for target in targets if target.state != "destroyed"]
        for target in select(hit.target, alive, flagships):
            for _ in range(KILL_STEPS if hit.kill else 1):
                cost = directed_cost(target, shift)
                if target.state == "destroyed" or cost > points:
                    break
                points -= cost
                damage_step(target)
                report(target, "directed", cost)
    return points


def plain_aim(points: int, targets: Sequence[Combatant], shift: int, report: Report) -> int:
    """EN-DMG-4: intact targets at DR 0 or lower, biggest first, one step each."""
    ratings = tables().rating
    aimed = [target for target in targets if target.intact and ratings.limited(target.dr + shift) <= 0]
    for target in sorted(aimed, key=by_size):
        cost = directed_cost(target, shift)
        if cost <= points:
            points -= cost
            damage_step(target)
            report(target, "directed", cost)
    return points


def absorb(points: int, targets: Sequence[Combatant], doctrine: str, report: Report) -> int:
    """EN-DMG-3, 6: the target's owner assigns at plain DV while anything can be afforded."""
    while able := [target for target in targets if target.state != "destroyed" and points >= target.design.DV]:
        target = min(able, key=ABSORB[doctrine])
        points -= target.design.DV
        damage_step(target)
        report(target, "nondirected", target.design.DV)
    return points


def spend_points(
    points: int,
    hits: Sequence[Hit] | None,
    targets: Sequence[Combatant],
    doctrine: str,
    report: Report,
    flagships: Sequence[int] = (),
    shift: int = 0,
) -> int:
    """EN-DMG-4: the directed list, or the plain aim without one; the rest nondirected. Returns what buys nothing."""
    if hits is None:
        points = plain_aim(points, targets, shift, report)
    else:
        points = direct(points, hits, targets, flagships, shift, report)
    return absorb(points, targets, doctrine, report)

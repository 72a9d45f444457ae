"""Target lists and selectors: section 6.2."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from games.battleshift.data import DIE, WEAPONS
from games.battleshift.orders.records import Fire, Missiles, Target
from games.battleshift.rules.sight import Aimed, distance_to, is_gone
from games.battleshift.rules.units import Flight, Quadrant, Ship, Squadron
from games.battleshift.table import Table
from pbem.kit.plane import Spot

NEAREST = (Target("nearest", "selector"),)
"""What a weapon without orders aims at."""


@dataclass
class Choice:
    """A target that may be fired at, with all that selectors compare."""

    target: Aimed
    number: int
    distance: int
    dice: int = 0
    weapon: str = "heavy"
    expected_hits: Fraction | None = None
    """For `best` over several squadrons; None: dice times number over six."""
    detail: Any = None
    focus: Ship | None = None
    objective: str = ""


Judge = Callable[[Aimed], Choice | None]
"""Gives the choice a target would be, or None if it is not eligible."""


def choose(
    table: Table, side: str, items: Iterable[Target], least: int, judge: Judge, pool: Sequence[Squadron]
) -> Choice | None:
    """Section 6.2: the first item with an eligible target; None: the weapon stays silent."""
    judged: dict[Aimed, Choice | None] = {}

    def consider(target: Aimed) -> Choice | None:
        if target not in judged:
            choice = None if is_gone(target) else judge(target)
            judged[target] = choice if choice is not None and choice.number >= least else None
        return judged[target]

    for item in items:
        choice = _choose_item(table, side, item, consider, pool)
        if choice is not None:
            return choice
    return None


def choose_together(
    table: Table,
    members: Sequence[Squadron],
    line: Fire | Missiles,
    judge: Callable[[Squadron, Aimed], Choice | None],
    origin: Spot,
    pool: Sequence[Squadron],
) -> dict[Squadron, Choice]:
    """BS-ATK-11, `concentrate`: one target for all who can reach it, distances from the flagship; what each can do."""

    def judge_all(target: Aimed) -> Choice | None:
        choices = {squadron: judge(squadron, target) for squadron in members}
        able = {s: choice for s, choice in choices.items() if choice is not None and choice.number >= line.least}
        if not able:
            return None
        first = next(iter(able.values()))
        hits = sum((Fraction(choice.dice * choice.number, DIE) for choice in able.values()), Fraction(0))
        number = max(choice.number for choice in able.values())
        far = distance_to((origin,), target)
        return Choice(target, number, far, weapon=first.weapon, expected_hits=hits, detail=able)

    common = choose(table, members[0].side, line.targets, line.least, judge_all, pool) if members else None
    if common is None:
        return {}
    able: dict[Squadron, Choice] = common.detail
    return {s: replace(choice, focus=common.focus, objective=common.objective) for s, choice in able.items()}


def _choose_item(table: Table, side: str, item: Target, consider: Judge, pool: Sequence[Squadron]) -> Choice | None:
    if item.kind == "selector":
        targets: Sequence[Aimed] = table.enemy_flights(side) if item.name == "flights" else pool
        eligible = [choice for target in targets if (choice := consider(target))]
        return select(item.name, eligible)
    named = [choice for target in named_targets(table, side, item) if (choice := consider(target))]
    nearest = select("nearest", named)
    if nearest is not None:
        nearest.focus, nearest.objective = _focus(nearest.target, item)
    return nearest


def _focus(target: Aimed, item: Target) -> tuple[Ship | None, str]:
    """BS-ATK-12, BS-PLN-10: one ship, or an objective, may be meant."""
    if isinstance(target, Squadron) and item.number:
        return next((ship for ship in target.present if ship.number == item.number), None), ""
    if isinstance(target, Quadrant):
        return None, next((o.name for o in target.now.objectives if o.name == item.name), "")
    return None, ""


def named_targets(table: Table, side: str, item: Target) -> list[Aimed]:
    """The enemy units a name stands for; a taskforce stands for its squadrons."""
    foe = table.enemy(side)
    if item.quadrant:
        body = table.body(item.name)
        return [body.quadrants[item.quadrant]] if body and item.quadrant in body.quadrants else []
    squadron = table.squadron(foe, item.name) or contact(table, side, item.name)
    if squadron is not None:
        stands = not item.number or any(ship.number == item.number for ship in squadron.present)
        return [squadron] if stands else []
    tf = table.taskforce(foe, item.name)
    if tf is not None:
        return list(tf.living)
    flight = table.flight(foe, item.name)
    if flight is not None:
        return [flight]
    quadrants = [quadrant for body in table.bodies for quadrant in body.quadrants.values()]
    return [q for q in quadrants if any(objective.name == item.name for objective in q.now.objectives)]


def contact(table: Table, side: str, name: str) -> Squadron | None:
    """Section 8: under fog an unidentified contact may be targeted by its contact name."""
    for key, shown in table.masked[side].items():
        if shown.casefold() == name.casefold():
            owner, _, squadron = key.partition("/")
            return table.squadron(owner, squadron)
    return None


def select(selector: str, choices: Sequence[Choice]) -> Choice | None:
    """The choice a selector takes; of equals the nearest, then by name."""
    allowed = [choice for choice in choices if _admits(selector, choice.target)]
    return min(
        allowed, key=lambda choice: (*_rank(selector, choice), choice.distance, choice.target.name), default=None
    )


def _admits(selector: str, target: Aimed) -> bool:
    if selector == "flights":
        return isinstance(target, Flight)
    if not isinstance(target, Squadron):
        return selector == "nearest"
    tests: dict[str, bool] = {
        "damaged": target.now.damage > 0,
        "suppressed": target.now.suppression > 0,
        "flagship": target.flagship is not None,
        "carriers": target.cls.bay > 0,
    }
    return tests.get(selector, True)


def _rank(selector: str, choice: Choice) -> tuple[Fraction | int]:
    target = choice.target
    if selector == "farthest":
        return (-choice.distance,)
    if not isinstance(target, Squadron):
        return (0,)
    if selector == "best":
        return (-expected_damage(choice, target),)
    ranks = {
        "biggest": -target.size,
        "smallest": target.size,
        "weakest": target.now.total - target.now.damage,
        "damaged": -target.now.damage,
        "suppressed": -target.now.suppression,
        "unsuppressed": target.now.suppression,
    }
    return (ranks.get(selector, 0),)


def expected_damage(choice: Choice, target: Squadron) -> Fraction:
    """Section 6.2, `best`: hits to be expected less those the shields are expected to stop."""
    hits = choice.expected_hits
    if hits is None:
        hits = Fraction(choice.dice * choice.number, DIE)
    hardness = target.cls.hardness
    if choice.weapon == "fighter":
        return max(Fraction(0), hits - hits * hardness / DIE)
    struck = min(len(target.present), -(-hits.numerator // hits.denominator))
    stopped = Fraction(struck * target.cls.shields * max(0, hardness - WEAPONS[choice.weapon].power), DIE)
    return max(Fraction(0), hits - stopped)

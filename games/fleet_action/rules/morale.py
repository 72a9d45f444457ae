"""FA-MOR: morale levels and rolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.fleet_action.battle import Battle
from games.fleet_action.orders.records import StubbornOrder
from games.fleet_action.state import Ability, Ship, Squadron
from games.fleet_action.table import Table
from games.fleet_action.tables import TABLES
from pbem.kit.dice import Roll


def levels(start: int) -> list[int]:
    """FA-MOR-2: half of the start, then lower by a tenth, up to five, only values of at least 1."""
    if start <= 0:
        return []
    if start == 1:
        return [0]
    first, step = start // 2, max(1, start // 10)
    found = [first - step * n for n in range(len(TABLES.morale.thresholds))]
    return [level for level in found if level >= 1]


def of_ships(table: Table, ships: Sequence[Ship]) -> tuple[int, int]:
    """FA-MOR-6: grey boxes of these ships, and those marked so far."""
    start = sum(len(table.card(ship).grey) for ship in ships)
    lost = sum(1 for ship in ships for box in table.card(ship).grey if box > ship.structure)
    return start, lost


def roll_morale(battle: Battle) -> None:
    """FA-MOR-3: squadrons in side and roster order; every level reached and not yet rolled, top first."""
    for squadron in battle.in_play():
        if squadron.state != "withdrawing":
            _test(battle, squadron)


def _test(battle: Battle, squadron: Squadron) -> None:
    morale = squadron.morale_start - squadron.morale_lost
    role = battle.sides[squadron.side].role
    modifier = TABLES.morale.modifier(battle.state.situation, role)
    for rank, level in enumerate(levels(squadron.morale_start)):
        current = battle.squadrons[squadron.name]
        if level < morale or level in current.levels_rolled:
            continue
        battle.put(replace(current, levels_rolled=current.levels_rolled | {level}))
        threshold = TABLES.morale.thresholds[rank]
        if _fails(battle, squadron.name, level, (modifier, threshold, morale)):
            withdraw(battle, squadron.name, "morale")
            return


def _fails(battle: Battle, name: str, level: int, figures: tuple[int, int, int]) -> bool:
    """FA-MOR-3, 5: d12 and modifier reach the threshold; the first failure may be re-rolled."""
    modifier, threshold, _ = figures
    roll = battle.roll(TABLES.morale.die, "morale", name, "level", level)
    failed = roll.face + modifier >= threshold
    _tell(battle, name, level, roll, figures, reroll=False)
    if not failed or not _stubborn(battle, name):
        return failed
    again = battle.roll(TABLES.morale.die, "morale", name, "level", level, "stubborn")
    _tell(battle, name, level, again, figures, reroll=True)
    return again.face + modifier >= threshold


def _tell(battle: Battle, name: str, level: int, roll: Roll, figures: tuple[int, int, int], *, reroll: bool) -> None:
    modifier, threshold, morale = figures
    squadron = battle.squadrons[name]
    result = "withdraws" if roll.face + modifier >= threshold else "holds"
    facts: dict[str, Any] = {
        "side": squadron.side,
        "squadron": name,
        "level": level,
        "morale": morale,
        "die": roll.face,
    }
    facts |= {"modifier": modifier, "threshold": threshold, "result": result, "reroll": reroll}
    battle.tell("morale", "FA-MOR-3", squadron.side, facts, [roll])


def _stubborn(battle: Battle, name: str) -> bool:
    """FA-ABL-5, FA-MOR-5: a copy of the commander's, or the admiral's, unless ordered otherwise."""
    order = battle.book.one(StubbornOrder, name)
    if order is not None and not order.yes:
        return False
    squadron = battle.squadrons[name]
    used = use(battle, squadron.abilities, "stubborn")
    if used is not None:
        battle.put(replace(squadron, abilities=used))
    else:
        fleet = battle.fleets[squadron.fleet]
        used = use(battle, fleet.abilities, "stubborn")
        if used is None or battle.flagship_of(squadron) is None:
            return False
        battle.put(replace(fleet, abilities=used))
    facts: dict[str, Any] = {"side": squadron.side, "commander": squadron.command_ship, "ability": "stubborn"}
    battle.tell("ability", "FA-ABL-5", squadron.side, {**facts, "effect": f"{name} rolls morale again"})
    return True


def use(battle: Battle, abilities: Sequence[Ability], key: str) -> tuple[Ability, ...] | None:
    """FA-ABL-1: the abilities after one use of this one, or None; a commander uses one triggered ability a turn."""
    if any(ability.used_turn == battle.turn for ability in abilities):
        return None
    for n, ability in enumerate(abilities):
        alive = not ability.ship or battle.ships[ability.ship].fate == "in play"
        if ability.key == key and (ability.uses is None or ability.uses > 0) and (alive or key == "rapid-net-change"):
            left = None if ability.uses is None else ability.uses - 1
            return (*abilities[:n], replace(ability, uses=left, used_turn=battle.turn), *abilities[n + 1 :])
    return None


def withdraw(battle: Battle, name: str, cause: str) -> None:
    """FA-WDR-1: the squadron is withdrawing for good."""
    squadron = battle.squadrons[name]
    if squadron.state == "withdrawing":
        return
    battle.put(replace(squadron, state="withdrawing"))
    facts: dict[str, Any] = {"side": squadron.side, "squadron": name, "cause": cause if cause == "order" else None}
    battle.tell("withdraw", "FA-WDR-1", battle.others(squadron.side), facts)
    battle.tell("withdraw", "FA-WDR-1", squadron.side, {**facts, "cause": cause})

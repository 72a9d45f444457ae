"""FA-MOR: morale levels and rolls."""

from __future__ import annotations

from collections.abc import Sequence

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import StubbornOrder
from games.fleet_action.rules import command
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit.dice import Roll


def levels(start: int) -> list[int]:
    """FA-MOR-2: half of the start, then lower by a tenth, up to five, only values of at least 1."""
    if start <= 0:
        return []
    if start == 1:
        return [0]
    first, step = start // 2, max(1, start // 10)
    steps = range(len(TABLES.morale.thresholds))
    return [level for level in (first - step * n for n in steps) if level >= 1]


def of_ships(table: Table, ships: Sequence[Ship]) -> tuple[int, int]:
    """FA-MOR-6: grey boxes of these ships, and those marked so far."""
    start = sum(len(table.card(ship).grey) for ship in ships)
    lost = sum(1 for ship in ships for box in table.card(ship).grey if box > ship.structure)
    return start, lost


def roll_morale(table: Table) -> None:
    """FA-MOR-3: squadrons in side and roster order; every level reached and not yet rolled, top first."""
    for squadron in table.in_play():
        if squadron.state != "withdrawing":
            _test(table, squadron)


def _test(table: Table, squadron: Squadron) -> None:
    morale = squadron.morale_start - squadron.morale_lost
    role = table.sides[squadron.side].role
    modifier = TABLES.morale.modifier(table.state.situation, role)
    for rank, level in enumerate(levels(squadron.morale_start)):
        current = table.squadrons[squadron.name]
        if level < morale or level in current.levels_rolled:
            continue
        table.change(current, levels_rolled=current.levels_rolled | {level})
        threshold = TABLES.morale.thresholds[rank]
        if _fails(table, squadron.name, level, (modifier, threshold, morale)):
            withdraw(table, squadron.name, "morale")
            return


def _fails(table: Table, name: str, level: int, figures: tuple[int, int, int]) -> bool:
    """FA-MOR-3, 5: d12 and modifier reach the threshold; the first failure may be re-rolled."""
    modifier, threshold, _ = figures
    roll = table.roll(TABLES.morale.die, "morale", name, "level", level)
    failed = roll.face + modifier >= threshold
    _tell(table, name, level, roll, figures, reroll=False)
    if not failed or not _stubborn(table, name):
        return failed
    again = table.roll(TABLES.morale.die, "morale", name, "level", level, "stubborn")
    _tell(table, name, level, again, figures, reroll=True)
    return again.face + modifier >= threshold


def _tell(table: Table, name: str, level: int, roll: Roll, figures: tuple[int, int, int], *, reroll: bool) -> None:
    modifier, threshold, morale = figures
    squadron = table.squadrons[name]
    result = "withdraws" if roll.face + modifier >= threshold else "holds"
    facts = {
        "side": squadron.side,
        "squadron": name,
        "level": level,
        "morale": morale,
        "die": roll.face,
        "modifier": modifier,
        "threshold": threshold,
        "result": result,
        "reroll": reroll,
    }
    table.tell("morale", "FA-MOR-3", squadron.side, facts, [roll])


def _stubborn(table: Table, name: str) -> bool:
    """FA-ABL-5, FA-MOR-5: a copy of the commander's, or the admiral's, unless ordered otherwise."""
    order = table.book.first(StubbornOrder, name)
    if order is not None and not order.yes:
        return False
    squadron = table.squadrons[name]
    if not command.spend(table, squadron, "stubborn"):
        return False
    effect = f"{name} rolls morale again"
    command.tell_ability(table, "FA-ABL-5", squadron.side, squadron.command_ship, "stubborn", effect)
    return True


def withdraw(table: Table, name: str, cause: str) -> None:
    """FA-WDR-1: the squadron is withdrawing for good."""
    squadron = table.squadrons[name]
    if squadron.state == "withdrawing":
        return
    table.change(squadron, state="withdrawing")
    facts = {"side": squadron.side, "squadron": name, "cause": cause if cause == "order" else None}
    table.tell("withdraw", "FA-WDR-1", table.others(squadron.side), facts)
    table.tell("withdraw", "FA-WDR-1", squadron.side, {**facts, "cause": cause})

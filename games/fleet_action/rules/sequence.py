"""FA-SEQ: in which order squadrons, and flights, move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from games.fleet_action.orders.records import FirstOrder, SequenceOrder
from games.fleet_action.rules import command
from games.fleet_action.state import Squadron
from games.fleet_action.table import Table

T = TypeVar("T")
DEFAULT_FORCED_PULSE = 3


def category(table: Table, squadron: Squadron) -> int:
    """FA-SEQ-2: the lowest number that applies."""
    if command.ranks_out_of_command(table, squadron):
        return 1
    if squadron.lost_ship:
        return 2
    if squadron.damaged:
        return 3
    if not command.has_elint_support(table, squadron) and not _is_served(table, squadron):
        return 4
    return 6 if squadron.fired_on else 5


def _is_served(table: Table, squadron: Squadron) -> bool:
    """FA-ABL-7: it receives priority support."""
    return any(action.serves == squadron.name and action.levels for action in table.actions)


def squadron_order(table: Table) -> list[str]:
    """FA-SEQ-3..6: the names of the squadrons in the order they move in this pulse."""
    queues = {side: [squadron.name for squadron in _sorted(table, side)] for side in _moving_sides(table)}
    return forced_first(table, interleaved(queues), lambda name: table.squadrons[name].fleet)


def _moving_sides(table: Table) -> tuple[str, ...]:
    """FA-JMP-8: on turn 0 only those who are there move."""
    if table.turn > 0:
        return table.side_order
    return tuple(side for side in table.side_order if not table.sides[side].jumping)


def _sorted(table: Table, side: str) -> list[Squadron]:
    wanted: list[str] = []
    for order in table.book.of_side(SequenceOrder, side):
        wanted.extend(name for name in order.squadrons if name not in wanted)
    roster = table.roster(side)
    rank = {name: place for place, name in enumerate(wanted)}
    ordered = sorted(roster, key=lambda s: rank.get(s.name, len(wanted)))
    return sorted(ordered, key=lambda s: category(table, s))


def interleaved(queues: Mapping[str, Sequence[T]]) -> list[T]:
    """FA-SEQ-4, 5: the sides stand in side order; the first of them begins."""
    if len(queues) == 2:
        first, second = queues.values()
        return _two_sides(first, second)
    keyed = []
    for rank, queue in enumerate(queues.values()):
        for j, item in enumerate(queue, 1):
            keyed.append((Fraction(2 * j - 1, 2 * len(queue)), rank, item))
    return [item for _, _, item in sorted(keyed, key=lambda entry: entry[:2])]


def _two_sides(first: Sequence[T], second: Sequence[T]) -> list[T]:
    """FA-SEQ-4: the larger side moves in step with the smaller."""
    moved: list[T] = []
    if not first or not second:
        return [*first, *second]
    if len(first) <= len(second):
        done = 0
        for i, item in enumerate(first, 1):
            moved.append(item)
            upto = -(-i * len(second) // len(first))
            moved.extend(second[done:upto])
            done = upto
        return moved
    done = 0
    for i, item in enumerate(second, 1):
        upto = i * len(first) // len(second)
        moved.extend(first[done:upto])
        moved.append(item)
        done = upto
    return moved


def forced_first(table: Table, order: list[T], fleet_of: Callable[[T], str]) -> list[T]:
    """FA-SEQ-6: in a forced-first pulse the flagless fleet moves before everybody of the naming side."""
    forced = forced_fleets(table)
    if not forced:
        return order
    return [item for item in order if fleet_of(item) in forced] + [
        item for item in order if fleet_of(item) not in forced
    ]


def forced_fleets(table: Table) -> list[str]:
    """FA-CMD-8b: the flagless fleets that an enemy makes move first in this pulse."""
    forced = []
    naming: dict[str, set[str]] = {}
    for fleet in table.fleets.values():
        if fleet.flagless_turn != table.turn - 1:
            continue
        for enemy in table.enemies_of(fleet.side):
            orders = table.book.of_side(FirstOrder, enemy)
            if (orders[-1].pulse if orders else DEFAULT_FORCED_PULSE) == table.pulse:
                forced.append(fleet.name)
                naming.setdefault(fleet.side, set()).add(enemy)
                break
    # Two sides that force each other in one pulse cancel out.
    return [
        f for f in forced if not any(table.fleets[f].side in naming.get(e, ()) for e in naming[table.fleets[f].side])
    ]

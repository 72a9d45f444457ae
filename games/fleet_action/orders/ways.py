"""By the check that failed: other lines that a player may have meant, nearest first; none is proven here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.records import (
    AbsorbOrder,
    CommanderOrder,
    DetachOrder,
    ElintOrder,
    FireOrder,
    FlagOrder,
    GuardOrder,
    MinesOrder,
    MissionOrder,
    Order,
    TargetOrder,
    TractorOrder,
    UseOrder,
)
from games.fleet_action.rules import abilities, ballistics, elint, fighters, succession
from games.fleet_action.state import PULSES, Ship
from pbem.kit import hexgrid
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.sheet import Accepted, Problem

FARTHEST = 40
"""Hexes about the wanted one in which a place for mines is looked for."""
_PULSES = re.compile(r"\s+pulse\s+\S+", re.IGNORECASE)
_NUMBER = re.compile(r"(?<=\s)\d+(?=\s|,|$)")


def ways(desk: Desk, problem: Problem, entry: Accepted[Any]) -> Iterator[str]:
    """Other lines in place of one that could be read."""
    way = WAYS.get((problem.rule, type(entry.order)))
    if way is not None and entry.text == problem.text:
        yield from way(desk, entry)


def _renamed(entry: Accepted[Any], old: str, names: Iterator[str] | list[str]) -> Iterator[str]:
    """The line with another name in place of one it says, where it says it in full."""
    at = entry.text.casefold().rfind(old.casefold())
    if old and at >= 0:
        yield from (entry.text[:at] + name + entry.text[at + len(old) :] for name in names if name != old)


# --- fire ------------------------------------------------------------------------------------------------------------


def _in_pulses(text: str, pulses: list[int]) -> str:
    """The line for these pulses only, which follow each other."""
    said = f" pulse {pulses[0]}" + (f"-{pulses[-1]}" if len(pulses) > 1 else "")
    return _PULSES.sub(said, text, count=1) if _PULSES.search(text) else text + said


def _ready_pulse(_desk: Desk, entry: Accepted[FireOrder]) -> Iterator[str]:
    """FA-E-19: a pulse in which the weapon is ready."""
    return (_in_pulses(entry.text, [pulse]) for pulse in PULSES)


def _one_target(desk: Desk, entry: Accepted[FireOrder]) -> Iterator[str]:
    """FA-E-20: the pulses that the earlier line leaves, else its target."""
    earlier = [
        e for e in desk.given(FireOrder, entry.order.unit) if e.line < entry.line and e.order.at in desk.table.ships
    ]
    taken = {pulse for other in earlier if other.order.at != entry.order.at for pulse in other.order.pulses}
    yield from _runs(entry, [pulse for pulse in entry.order.pulses if pulse not in taken])
    yield from _renamed(entry, entry.order.at, [other.order.at for other in earlier])


def _runs(entry: Accepted[FireOrder], pulses: list[int]) -> Iterator[str]:
    if pulses:
        yield _in_pulses(entry.text, pulses)
        yield _in_pulses(entry.text, pulses[:1])


def _of_target(desk: Desk, entry: Accepted[FireOrder]) -> Iterator[str]:
    """FA-E-21: the pulses in which the squadron has that target, else the command ship of the one it has."""
    table = desk.table
    ship = table.ships.get(entry.order.unit)
    squadron = ship.squadron if ship is not None else entry.order.unit
    its, free = table.ships[entry.order.at].squadron, []
    others: list[str] = []
    for pulse in entry.order.pulses:
        aims = [t.order.at for t in desk.given(TargetOrder, squadron) if pulse in t.order.pulses][:1]
        free += [pulse] * (aims in ([], [its]))
        others += [table.squadrons[name].command_ship for name in aims if name in table.squadrons and name != its]
    yield from _runs(entry, free)
    yield from _renamed(entry, entry.order.at, others)


def _mines_in_reach(desk: Desk, entry: Accepted[MinesOrder]) -> Iterator[str]:
    """FA-E-22: the ships that can launch there, else the nearest hex at which one can."""
    table, order = desk.table, entry.order
    members = table.members(table.squadrons[order.unit])
    wanted = [ship for ship in members if not order.ships or ship.name in order.ships]
    for at in sorted(_about(desk, order.hex), key=lambda at: distance(at, order.hex)):
        able = [ship.name for ship in wanted if ballistics.why_not_launched(table, ship, at) is None]
        if able:
            named = "" if not order.ships else f" with {', '.join(able)}"
            yield f"mines {hexgrid.name(at)}{named}"
            yield f"mines {hexgrid.name(at)} with {', '.join(able)}"
            return


def _about(desk: Desk, centre: Hex) -> list[Hex]:
    return [at for at in hexgrid.disk(centre, FARTHEST) if desk.table.on_map(at)]


def _other_ward(desk: Desk, entry: Accepted[GuardOrder]) -> Iterator[str]:
    """FA-E-36: the levels that are left; else another ship that nobody covers."""
    table, order = desk.table, entry.order
    ship = table.ships[order.unit]
    others = [e.order for e in desk.given(GuardOrder, ship.name) if e.line < entry.line and e.order.target]
    left = max(0, table.guardian_level(ship) - sum(other.levels for other in others))
    yield _numbered(entry.text, left)
    covered = {e.order.target for e in desk.given(GuardOrder)}
    mates = [mate.name for mate in table.members(table.squadron(ship))]
    yield from _renamed(entry, order.target, [mate for mate in mates if mate not in covered])


def _numbered(text: str, figure: int) -> str:
    return _NUMBER.sub(str(figure), text, count=1)


# --- ships and commanders --------------------------------------------------------------------------------------------


def _elint(desk: Desk, entry: Accepted[ElintOrder]) -> Iterator[str]:
    """FA-E-23: the levels that are left; another ship in range, the nearest first."""
    table, order = desk.table, entry.order
    ship = table.ships[order.unit]
    used = sum(max(1, e.order.levels) for e in desk.given(ElintOrder, ship.name) if e.line < entry.line)
    if (left := table.elint_level(ship) - used) > 0:
        yield _numbered(entry.text, left)
    near = sorted(desk.enemy_ships(), key=lambda enemy: distance(enemy.hex, ship.hex))
    if order.action == "jam-elint":
        near = [enemy for enemy in near if table.card(enemy).elint]
    for target in order.targets[:1]:
        yield from _renamed(entry, target, [enemy.name for enemy in near[:2]])


def _absorbed(desk: Desk, entry: Accepted[AbsorbOrder]) -> Iterator[str]:
    """FA-E-28: as many of the ships as can be taken in."""
    table, order = desk.table, entry.order
    squadron = table.squadrons[order.unit]
    able = [name for name in order.ships if abilities.why_not_absorbed(table, squadron, name) is None]
    yield from (f"absorb {', '.join(able[:count])}" for count in range(len(able), 0, -1))


def _supported(desk: Desk, entry: Accepted[UseOrder]) -> Iterator[str]:
    """FA-E-27: another squadron in reach of the ship."""
    for squadron in desk.own_squadrons():
        order = replace(entry.order, serves=squadron.name)
        if elint.can_support(desk.table, order):
            yield f"use {order.ability} {order.ship} for {order.serves}"


def _detached(desk: Desk, entry: Accepted[DetachOrder]) -> Iterator[str]:
    """FA-E-28: the other ship, if there is but one."""
    mates = [ship.name for ship in desk.table.members(desk.table.squadrons[entry.order.unit])]
    others = [name for name in mates if name != entry.order.ship]
    yield from (f"detach {name}" for name in others if len(others) == 1)


def _commanding(desk: Desk, entry: Accepted[CommanderOrder]) -> Iterator[str]:
    """FA-E-37: the first that is fit."""
    fit = succession.fit_commanders(desk.table, desk.table.squadrons[entry.order.unit])
    return (f"commander {ship.name}" for ship in fit[:1])


def _flying_the_flag(desk: Desk, entry: Accepted[FlagOrder]) -> Iterator[str]:
    """FA-E-37: the first that is fit."""
    table = desk.table
    fit = succession.fit_flagships(table, table.fleet(table.squadron(table.ships[entry.order.ship])))
    return (f"flag {ship.name}" for ship in fit[:1])


def _towed(desk: Desk, entry: Accepted[TractorOrder]) -> Iterator[str]:
    """FA-E-29: a ship that is adjacent."""
    here = desk.table.ships[entry.order.unit].hex
    near: list[Ship] = [ship for ship in desk.enemy_ships() if distance(ship.hex, here) == 1]
    return _renamed(entry, entry.order.target, [ship.name for ship in near])


def _landed(desk: Desk, entry: Accepted[MissionOrder]) -> Iterator[str]:
    """FA-E-25: the nearest ship that can take the flight in."""
    table, order = desk.table, entry.order
    flight = table.flights[order.unit]
    able = [ship for ship in desk.own_ships() if fighters.why_not_landed(table, flight, ship) is None]
    at = flight.hex
    near = able if at is None else sorted(able, key=lambda ship: distance(ship.hex, at))
    return _renamed(entry, order.goal, [ship.name for ship in near[:2]])


Way = Callable[[Desk, Accepted[Any]], Iterator[str]]
WAYS: dict[tuple[str, type[Order]], Way] = {
    ("FA-E-19", FireOrder): _ready_pulse,
    ("FA-E-20", FireOrder): _one_target,
    ("FA-E-21", FireOrder): _of_target,
    ("FA-E-22", MinesOrder): _mines_in_reach,
    ("FA-E-23", ElintOrder): _elint,
    ("FA-E-25", MissionOrder): _landed,
    ("FA-E-27", UseOrder): _supported,
    ("FA-E-28", AbsorbOrder): _absorbed,
    ("FA-E-28", DetachOrder): _detached,
    ("FA-E-29", TractorOrder): _towed,
    ("FA-E-36", GuardOrder): _other_ward,
    ("FA-E-37", CommanderOrder): _commanding,
    ("FA-E-37", FlagOrder): _flying_the_flag,
}
"""Rule of the complaint and kind of the order to what may be meant."""

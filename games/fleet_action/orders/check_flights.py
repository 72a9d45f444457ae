"""Checks of flights: FA-E-24 and FA-E-25."""

from __future__ import annotations

from games.fleet_action.orders.judging import Judge
from games.fleet_action.orders.records import LaunchOrder, MissionOrder
from games.fleet_action.rules import command, fighters
from games.fleet_action.state import Flight
from pbem.kit.sheet import Accepted


def check(judge: Judge) -> None:
    """Launches first, since a mission may depend on one."""
    for launch in judge.given(LaunchOrder):
        _check_launch(judge, launch)
    for mission in judge.given(MissionOrder):
        _check_mission(judge, mission)


def _check_launch(judge: Judge, entry: Accepted[LaunchOrder]) -> None:
    """FA-E-25: only from the hangar of a ship that lives and is on the map."""
    table = judge.desk.table
    flight = table.flights[entry.order.unit]
    ship = table.ships.get(flight.home)
    if flight.state != "hangar":
        judge.refuse(entry, "FA-E-25", f"{flight.name} is already flying", "", "ignored")
    elif ship is None or ship.fate != "in play":
        judge.refuse(entry, "FA-E-25", f"{flight.home}, its ship, is lost", "", "ignored")
    elif not _is_there(judge, ship.squadron):
        judge.refuse(entry, "FA-E-25", f"{flight.home}, its ship, is not on the map", "", "ignored")


def _is_there(judge: Judge, squadron: str) -> bool:
    found = judge.desk.table.squadrons[squadron]
    return judge.desk.table.is_on_map(found) or found.arrives == judge.desk.turn


def _check_mission(judge: Judge, entry: Accepted[MissionOrder]) -> None:
    """FA-E-24: missions change on odd turns; without a flagship, not at all."""
    table = judge.desk.table
    order = entry.order
    flight = table.flights[order.unit]
    if flight.state == "hangar" and judge.one(LaunchOrder, flight.name) is None:
        reason = f"{flight.name} is in the hangar of {flight.home}"
        judge.refuse(entry, "FA-E-25", reason, "launch it in the same letter", "ignored")
        return
    why = _forbidden(judge, flight, order)
    if why:
        judge.refuse(entry, "FA-E-24", why[0], why[1], "the mission is unchanged")
        return
    if order.mission == "land":
        ship = table.ships[order.goal]
        why_not = fighters.why_not_landed(table, flight, ship)
        if why_not is not None:
            judge.refuse(entry, "FA-E-25", why_not, "", "ignored")


def _forbidden(judge: Judge, flight: Flight, order: MissionOrder) -> tuple[str, str] | None:
    table, turn = judge.desk.table, judge.desk.turn
    home = table.homes(flight)
    if home is not None and command.is_flagless(table, home):
        own = order.mission == "escort" and order.goal == home.name and flight.state == "hangar"
        if not own:
            reason = f"the flagship of {home.fleet} was lost: no new missions in turn {turn}"
            even = turn % 2 == 1 and flight.state != "hangar"
            return reason, f"possible again on turn {turn + 2 if even else turn + 1}"
    if flight.state == "hangar" or turn % 2 == 1:
        return None
    if home is not None and command.has_fighter_ops(table, home):
        return None
    return f"missions of flying flights change on odd turns; this is turn {turn}", f"next: turn {turn + 1}"

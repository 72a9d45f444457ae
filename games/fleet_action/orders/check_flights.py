"""Checks of flights: FA-E-24 and FA-E-25."""

from __future__ import annotations

from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.records import LaunchOrder, MissionOrder
from games.fleet_action.rules import command, fighters
from games.fleet_action.state import Flight
from pbem.kit.sheet import Accepted


def check(desk: Desk) -> None:
    """Launches first, since a mission may depend on one."""
    for launch in desk.given(LaunchOrder):
        _check_launch(desk, launch)
    for mission in desk.given(MissionOrder):
        _check_mission(desk, mission)


def _check_launch(desk: Desk, entry: Accepted[LaunchOrder]) -> None:
    """FA-E-25: only from the hangar of a ship that lives and is on the map."""
    why = why_not_launched(desk, desk.table.flights[entry.order.unit])
    if why:
        desk.refuse(entry, "FA-E-25", why, "", "ignored")


def why_not_launched(desk: Desk, flight: Flight) -> str:
    """FA-FTR-2: what keeps a flight from being launched; nothing: empty."""
    ship = desk.table.ships.get(flight.home)
    if flight.state != "hangar":
        return f"{flight.name} is already flying"
    if ship is None or ship.fate != "in play":
        return f"{flight.home}, its ship, is lost"
    return "" if _is_there(desk, ship.squadron) else f"{flight.home}, its ship, is not on the map"


def _is_there(desk: Desk, squadron: str) -> bool:
    home = desk.table.squadrons[squadron]
    return desk.table.is_on_map(home) or home.arrives == desk.turn


def _check_mission(desk: Desk, entry: Accepted[MissionOrder]) -> None:
    """FA-E-24: missions change on odd turns; without a flagship, not at all."""
    table = desk.table
    order = entry.order
    flight = table.flights[order.unit]
    if flight.state == "hangar" and desk.last(LaunchOrder, flight.name) is None:
        reason = f"{flight.name} is in the hangar of {flight.home}"
        desk.refuse(entry, "FA-E-25", reason, "launch it in the same letter", "ignored", f"launch\n{entry.text}")
        return
    why = why_no_mission(desk, flight, order)
    if why:
        desk.refuse(entry, "FA-E-24", why[0], why[1], "the mission is unchanged")
        return
    if order.mission == "land":
        ship = table.ships[order.goal]
        why_not = fighters.why_not_landed(table, flight, ship)
        if why_not is not None:
            desk.refuse(entry, "FA-E-25", why_not, "", "ignored")


def why_no_mission(desk: Desk, flight: Flight, order: MissionOrder) -> tuple[str, str] | None:
    """FA-FTR-1, FA-CMD-8: what forbids a mission, and when it is possible; None: it can be given."""
    table, turn = desk.table, desk.turn
    home = table.home_of(flight)
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

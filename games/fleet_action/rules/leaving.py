"""FA-WDR-5, 6: ships and flights that leave the map."""

from __future__ import annotations

from collections.abc import Sequence

from games.fleet_action.rules import command, succession
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit.hexgrid import distance


def leave_by_edge(table: Table, squadron: Squadron, gone: Sequence[str]) -> None:
    """FA-MAP-8, FA-WDR-6: a command ship takes along the members within its command radius."""
    if not gone:
        return
    leaving = set(gone)
    leader = table.ships[squadron.command_ship]
    if leader.name in leaving:
        radius = command.command_radius(table, squadron.side)
        near = [s.name for s in table.members(squadron) if distance(s.hex, leader.hex) <= radius]
        leaving.update(near)
    ships = [ship for ship in table.members(squadron) if ship.name in leaving]
    take_off(table, squadron, ships, "edge")


def take_off(table: Table, squadron: Squadron, ships: Sequence[Ship], way: str, flights: Sequence[str] = ()) -> None:
    """FA-WDR-5: these units are out of play, not destroyed; those left behind go on under another commander."""
    names = [ship.name for ship in ships]
    aboard = [f.name for f in table.wing(squadron.side) if f.state == "hangar" and f.home in names]
    for ship in ships:
        table.change(ship, fate="left", holding=None, held_by=None)
        free_tractor(table, ship)
    gone = [*aboard, *(name for name in flights if name not in aboard)]
    for name in gone:
        table.change(table.flights[name], state="left", hex=None)
    facts = {"side": squadron.side, "squadron": squadron.name, "ships": names, "way": way}
    rule = "FA-WDR-6" if way == "edge" else "FA-WDR-4"
    # Section 8: what is in a hangar is unseen.
    seen = gone if table.state.switches.fog == "open" else [name for name in gone if name not in aboard]
    if seen == gone:
        table.tell("exit", rule, table.audience, {**facts, "flights": gone})
    else:
        table.tell("exit", rule, squadron.side, {**facts, "flights": gone})
        table.tell("exit", rule, table.others(squadron.side), {**facts, "flights": seen})
    rest = table.members(squadron)
    if not rest:
        table.change(table.squadrons[squadron.name], state="off")
    elif squadron.command_ship in names:
        succession.leave_behind(table, squadron)


def free_tractor(table: Table, ship: Ship) -> None:
    """A tractor beam ends when one of its ends is gone."""
    for other in (ship.holding, ship.held_by):
        held = table.ships.get(other or "")
        if held is not None:
            table.change(held, holding=None, held_by=None, powered_off=())

"""FA-WDR-5, 6: ships and flights that leave the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.fleet_action.battle import Battle
from games.fleet_action.rules import succession
from games.fleet_action.state import Ship, Squadron
from pbem.kit.hexgrid import distance


def leave_by_edge(battle: Battle, squadron: Squadron, gone: Sequence[str]) -> None:
    """FA-MAP-8, FA-WDR-6: a command ship takes along the members within its command radius."""
    if not gone:
        return
    leaving = set(gone)
    leader = battle.ships[squadron.command_ship]
    if leader.name in leaving:
        radius = battle.command_radius(squadron.side)
        near = [s.name for s in battle.members(squadron) if distance(s.hex, leader.hex) <= radius]
        leaving.update(near)
    ships = [ship for ship in battle.members(squadron) if ship.name in leaving]
    take_off(battle, squadron, ships, "edge")


def take_off(battle: Battle, squadron: Squadron, ships: Sequence[Ship], way: str, flights: Sequence[str] = ()) -> None:
    """FA-WDR-5: these units are out of play, not destroyed; those left behind go on under another commander."""
    names = [ship.name for ship in ships]
    aboard = [f.name for f in battle.wing(squadron.side) if f.state == "hangar" and f.home in names]
    for ship in ships:
        battle.put(replace(ship, fate="left", holding=None, held_by=None))
        _free(battle, ship)
    gone = [*aboard, *(name for name in flights if name not in aboard)]
    for name in gone:
        battle.put(replace(battle.flights[name], state="left", hex=None))
    facts = {"side": squadron.side, "squadron": squadron.name, "ships": names, "way": way}
    rule = "FA-WDR-6" if way == "edge" else "FA-WDR-4"
    # Section 8: what is in a hangar is unseen.
    seen = gone if battle.state.switches.fog == "open" else [name for name in gone if name not in aboard]
    if seen == gone:
        battle.tell("exit", rule, battle.audience, {**facts, "flights": gone})
    else:
        battle.tell("exit", rule, squadron.side, {**facts, "flights": gone})
        battle.tell("exit", rule, battle.others(squadron.side), {**facts, "flights": seen})
    rest = battle.members(squadron)
    if not rest:
        battle.put(replace(battle.squadrons[squadron.name], state="off"))
    elif squadron.command_ship in names:
        succession.leave_behind(battle, squadron)


def _free(battle: Battle, ship: Ship) -> None:
    """A tractor beam ends when one of its ends is gone."""
    for other in (ship.holding, ship.held_by):
        held = battle.ships.get(other or "")
        if held is not None:
            battle.put(replace(held, holding=None, held_by=None, powered_off=()))

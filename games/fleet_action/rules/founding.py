"""FA-CMD-6, 15, FA-ABL-3, FA-MOR-6: new squadrons of strays, detached and excess ships, and joining others."""

from __future__ import annotations

from collections.abc import Sequence

from games.fleet_action.rules import formation, geometry, morale
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table


def stray(table: Table, name: str) -> Squadron:
    """FA-CMD-6: a one-ship squadron, out of command for the rest of the game."""
    ship = table.ships[name]
    old = table.squadron(ship)
    if old.stray:
        return old
    return _found(table, old, [ship], f"Stray {name}", is_stray=True)


def excess_squadron(table: Table, old: Squadron, ships: Sequence[Ship], leader: Ship) -> Squadron:
    """FA-ABL-3: ships the network cannot hold any more; three quarters of their fire for good."""
    ordered = [leader, *(ship for ship in ships if ship.name != leader.name)]
    return table.change(_found(table, old, ordered, f"{old.name} Rest", is_stray=False), excess=True)


def _found(table: Table, old: Squadron, ships: Sequence[Ship], name: str, *, is_stray: bool) -> Squadron:
    number = max((squadron.founded for squadron in table.squadrons.values()), default=0) + 1
    while name in table.squadrons:
        name = f"{name} {number}"
    start, lost = morale.of_ships(table, ships)
    leader = ships[0]
    offsets = {s.name: geometry.to_frame(s.hex.minus(leader.hex), old.heading) for s in ships}
    founded = Squadron(
        name=name,
        side=old.side,
        fleet=old.fleet,
        command_ship=leader.name,
        ships=tuple(ship.name for ship in ships),
        hex=leader.hex,
        heading=old.heading,
        speed=old.speed,
        mode=old.mode,
        formation=offsets,
        style=old.style,
        morale_start=start,
        morale_lost=lost,
        levels_rolled=frozenset(level for level in morale.levels(start) if level >= start - lost),
        state="withdrawing" if old.state == "withdrawing" else ("stray" if is_stray else "normal"),
        stray=is_stray,
        founded=number,
    )
    table.put(founded)
    if old.name in table.plots:
        table.plots[name] = table.plots[old.name]
    for ship in ships:
        remove(table, ship.name)
        table.change(table.ships[ship.name], squadron=name, command="in")
        facts = {"side": old.side, "ship": ship.name, "squadron": old.name, "to": name}
        table.tell("detach", "FA-CMD-15" if is_stray else "FA-ABL-3", table.audience, facts)
    return founded


def remove(table: Table, name: str) -> None:
    """The ship leaves the roster of its squadron."""
    ship = table.ships[name]
    old = table.squadron(ship)
    if name not in old.ships:
        return
    offsets = {key: offset for key, offset in old.formation.items() if key != name}
    kept = tuple(key for key in old.ships if key != name)
    rest = table.change(old, ships=kept, formation=offsets)
    if not table.members(rest):
        table.change(rest, state="off")


def join(table: Table, name: str, into: Squadron) -> None:
    """FA-ABL-4: the ship is in command at once, its offset as it stands."""
    ship = table.ships[name]
    remove(table, name)
    grown = table.change(table.squadrons[into.name], ships=(*table.squadrons[into.name].ships, name))
    table.change(table.ships[name], squadron=into.name, command="in")
    grown = table.change(grown, formation=formation.offsets_as_they_stand(table, grown))
    facts = {"side": into.side, "ship": ship.name, "squadron": into.name}
    table.tell("join", "FA-ABL-4", table.audience, facts)

"""FA-CMD-6, 15, FA-ABL-3, FA-MOR-6: new squadrons of strays, detached and excess ships, and joining others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.fleet_action import geometry
from games.fleet_action.battle import Battle
from games.fleet_action.rules import formation, morale
from games.fleet_action.state import Ship, Squadron


def stray(battle: Battle, name: str) -> Squadron:
    """FA-CMD-6: a one-ship squadron, out of command for the rest of the game."""
    ship = battle.ships[name]
    old = battle.squadrons[ship.squadron]
    if old.stray:
        return old
    return _found(battle, old, [ship], f"Stray {name}", is_stray=True)


def excess_squadron(battle: Battle, old: Squadron, ships: Sequence[Ship], leader: Ship) -> Squadron:
    """FA-ABL-3: ships the network cannot hold any more; three quarters of their fire for good."""
    ordered = [leader, *(ship for ship in ships if ship.name != leader.name)]
    founded = _found(battle, old, ordered, f"{old.name} Rest", is_stray=False)
    founded = replace(founded, excess=True)
    battle.put(founded)
    return founded


def _found(battle: Battle, old: Squadron, ships: Sequence[Ship], name: str, *, is_stray: bool) -> Squadron:
    number = max((squadron.founded for squadron in battle.squadrons.values()), default=0) + 1
    while name in battle.squadrons:
        name = f"{name} {number}"
    start, lost = morale.of_ships(battle, ships)
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
    battle.put(founded)
    if old.name in battle.plots:
        battle.plots[name] = battle.plots[old.name]
    for ship in ships:
        remove(battle, ship.name)
        battle.put(replace(battle.ships[ship.name], squadron=name, command="in"))
        facts = {"side": old.side, "ship": ship.name, "squadron": old.name, "to": name}
        battle.tell("detach", "FA-CMD-15" if is_stray else "FA-ABL-3", battle.audience, facts)
    return founded


def remove(battle: Battle, name: str) -> None:
    """The ship leaves the roster of its squadron."""
    ship = battle.ships[name]
    old = battle.squadrons[ship.squadron]
    if name not in old.ships:
        return
    offsets = {key: offset for key, offset in old.formation.items() if key != name}
    kept = tuple(key for key in old.ships if key != name)
    rest = replace(old, ships=kept, formation=offsets)
    battle.put(rest)
    if not battle.members(rest):
        battle.put(replace(rest, state="off"))


def join(battle: Battle, name: str, into: Squadron) -> None:
    """FA-ABL-4: the ship is in command at once, its offset as it stands."""
    ship = battle.ships[name]
    remove(battle, name)
    grown = replace(battle.squadrons[into.name], ships=(*battle.squadrons[into.name].ships, name))
    battle.put(grown)
    battle.put(replace(battle.ships[name], squadron=into.name, command="in"))
    grown = replace(grown, formation=formation.offsets_as_they_stand(battle, grown))
    battle.put(grown)
    facts = {"side": into.side, "ship": ship.name, "squadron": into.name}
    battle.tell("join", "FA-ABL-4", battle.audience, facts)

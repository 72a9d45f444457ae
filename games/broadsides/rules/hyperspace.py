"""Chapter 4.16: jumps into and out of the battle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from games.broadsides.rules.battle import Battle, Tally
from games.broadsides.rules.criticals import destroy
from games.broadsides.state import Formation, Ship, blocks_left
from pbem.kit.hexgrid import Hex, disk, distance, neighbour

FRIENDS_WITHIN = 1
DIE_OF = {5: (10, 2), 3: (6, 2)}
"""d5 and d3 are drawn as d10 and d6, halved upward."""


def due_formations(battle: Battle) -> list[Formation]:
    """The formations that arrive this turn."""
    return [one for one in battle.formations if one.turn == battle.turn and one.hex is not None]


def arriving(battle: Battle) -> frozenset[str]:
    """The ships that jump in this turn, for initiative."""
    return frozenset(
        name
        for formation in due_formations(battle)
        for name in formation.ships
        if battle.ships[name].status == "hyperspace"
    )


def has_jump_engine(battle: Battle, ship: Ship) -> bool:
    engine = battle.sheet(ship).systems.get("jump")
    return battle.sheet(ship).jump and engine is not None and blocks_left(ship, engine) > 0


# --- in --------------------------------------------------------------------------------------------------------------


def jump_in(battle: Battle) -> None:
    """R6b, BR-HYP-1 to 4: each formation is displaced as a whole."""
    for formation in due_formations(battle):
        ships = [name for name in formation.ships if battle.ships[name].status == "hyperspace"]
        leader = _leader(battle, formation, ships)
        if leader is None:
            continue
        if not _engine_works(battle, leader):
            _put_off(battle, formation)
            continue
        _arrive(battle, formation, ships, leader)


def _leader(battle: Battle, formation: Formation, ships: list[str]) -> str | None:
    """The named leader, or the first ship with a working jump engine."""
    ranked = [formation.leader, *ships] if formation.leader in ships else ships
    return next((name for name in ranked if has_jump_engine(battle, battle.ships[name])), None)


def _put_off(battle: Battle, formation: Formation) -> None:
    """A failed jump is tried again next turn."""
    index = battle.formations.index(formation)
    battle.formations[index] = replace(formation, turn=battle.turn + 1)


def _engine_works(battle: Battle, name: str) -> bool:
    """BR-CRT-8: a damaged engine may destroy the ship, or fail."""
    ship = battle.ships[name]
    engine = battle.sheet(ship).systems["jump"]
    lost = engine.blocks - blocks_left(ship, engine)
    if not lost:
        return True
    tally = battle.tally(name, "jump engine")
    die = tally.roll(100, "blows up")
    if die <= lost:
        _tell_engine(battle, ship, die, lost, tally, "the jump engine blows up")
        destroy(battle, name, "its jump engine blows up", "BR-CRT-8")
        return False
    die = tally.roll(100, "fails")
    failed = die <= 2 * lost
    _tell_engine(battle, ship, die, 2 * lost, tally, "no jump this turn" if failed else "the jump engine holds")
    return not failed


def _tell_engine(battle: Battle, ship: Ship, die: int, need: int, tally: Tally, text: str) -> None:
    facts = {"unit": ship.name, "kind": "jump", "value": die, "need": need, "text": f"{text} ({die} of {need})"}
    battle.tell("critical", "BR-CRT-8", facts, tally.taken(), seen_by=[ship.side])


def _arrive(battle: Battle, formation: Formation, ships: list[str], leader: str) -> None:
    assert formation.hex is not None
    race = battle.catalogue.races[battle.sheet(battle.ships[leader]).race]
    tally = battle.tally(leader, "jump-in")
    way, far = scatter(race.jump_scatter, tally)
    moved = neighbour(formation.hex, way, far)
    rolls = tally.taken()
    for name in ships:
        ship = battle.ships[name]
        at = _legal_hex(battle, moved.plus(ship.offset))
        arrived = replace(
            ship,
            status="on-map",
            position=at,
            heading=formation.facing,
            facing=formation.facing,
            speed=battle.before.start_speed,
            start_position=None,
        )
        battle.put(arrived)
        facts = {
            "unit": name,
            "hex": [*at],
            "scatter": far,
            "direction": way,
            "aimed": [*formation.hex],
            "out": False,
            "side": ship.side,
        }
        battle.tell("jump", "BR-HYP-2", facts, rolls)


_TERM = re.compile(r"([+-]?)(\d*)d(\d+)|([+-]?\d+)")


def scatter(expression: str, tally: Tally) -> tuple[int, int]:
    """BR-HYP-2: direction, then distance; an exact race rolls nothing."""
    if expression == "0":
        return 0, 0
    way = tally.roll(6, "direction") - 1
    total = 0
    for sign, count, sides, plain in _TERM.findall(expression):
        if plain:
            total += int(plain)
            continue
        rolled = sum(_die(int(sides), tally) for _ in range(int(count or 1)))
        total += -rolled if sign == "-" else rolled
    return way, max(0, total)


def _die(sides: int, tally: Tally) -> int:
    drawn, per = DIE_OF.get(sides, (sides, 1))
    return -(-tally.roll(drawn, "distance") // per)


def _legal_hex(battle: Battle, at: Hex) -> Hex:
    """BR-HYP-3: the nearest legal hex; ties: lowest q, then r."""
    if _legal(battle, at):
        return at
    for reach in range(1, 400):
        found = [one for one in _at_distance(at, reach) if _legal(battle, one)]
        if found:
            return min(found)
    raise AssertionError("the map has no legal hex")


def _at_distance(at: Hex, reach: int) -> Iterator[Hex]:
    return (one for one in disk(at, reach) if distance(at, one) == reach)


def _legal(battle: Battle, at: Hex) -> bool:
    return battle.ground.on_map(at) and at not in battle.ground.large and at not in battle.ground.planet


# --- out -------------------------------------------------------------------------------------------------------------


def jump_out(battle: Battle) -> None:
    """BR-HYP-5: the ship and the friends beside it that were told to go with it."""
    for name in list(battle.roster):
        ship = battle.ships.get(name)
        if ship is None or ship.status != "on-map" or ship.cnc_failure or not battle.doctrine.of(name).jump_out:
            continue
        if not has_jump_engine(battle, ship) or not _engine_works(battle, name):
            continue
        for other in [one for one in battle.units() if isinstance(one, Ship) and one.side == ship.side]:
            near = distance(other.position, ship.position) <= FRIENDS_WITHIN
            along = battle.doctrine.of(other.name).jump_with == name and near and not other.cnc_failure
            if other.name == name or along:
                _leave(battle, other)


def _leave(battle: Battle, ship: Ship) -> None:
    battle.put(replace(ship, status="jumped"))
    facts = {"unit": ship.name, "hex": [*ship.position], "scatter": 0, "direction": 0, "aimed": None, "out": True}
    battle.tell("jump", "BR-HYP-5", {**facts, "side": ship.side})

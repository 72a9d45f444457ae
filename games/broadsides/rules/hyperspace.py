"""Chapter 4.16: jumps into and out of the battle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from games.broadsides.rules.criticals import destroy
from games.broadsides.state import Formation, Ship
from games.broadsides.table import Table
from pbem.kit.hexgrid import Hex, disk, distance, neighbour
from pbem.kit.table import Tally

FRIENDS_WITHIN = 1
DIE_OF = {5: (10, 2), 3: (6, 2)}
"""d5 and d3 are drawn as d10 and d6, halved upward."""


def due_formations(table: Table) -> list[Formation]:
    """The formations that arrive this turn."""
    return [formation for formation in table.formations if formation.turn == table.turn and formation.hex is not None]


def arriving(table: Table) -> frozenset[str]:
    """The ships that jump in this turn, for initiative."""
    return frozenset(
        name
        for formation in due_formations(table)
        for name in formation.ships
        if table.ships[name].status == "hyperspace"
    )


def has_jump_engine(table: Table, ship: Ship) -> bool:
    engine = table.sheet(ship).systems.get("jump")
    return table.sheet(ship).jump and engine is not None and ship.blocks_left(engine) > 0


# --- in --------------------------------------------------------------------------------------------------------------


def jump_in(table: Table) -> None:
    """R6b, BR-HYP-1 to 4: each formation is displaced as a whole."""
    for formation in due_formations(table):
        ships = [name for name in formation.ships if table.ships[name].status == "hyperspace"]
        leader = _leader(table, formation, ships)
        if leader is None:
            continue
        if not _engine_works(table, leader):
            _put_off(table, formation)
            continue
        _arrive(table, formation, ships, leader)


def _leader(table: Table, formation: Formation, ships: list[str]) -> str | None:
    """The named leader, or the first ship with a working jump engine."""
    ranked = [formation.leader, *ships] if formation.leader in ships else ships
    return next((name for name in ranked if has_jump_engine(table, table.ships[name])), None)


def _put_off(table: Table, formation: Formation) -> None:
    """A failed jump is tried again next turn."""
    index = table.formations.index(formation)
    table.formations[index] = replace(formation, turn=table.turn + 1)


def _engine_works(table: Table, name: str) -> bool:
    """BR-CRT-8: a damaged engine may destroy the ship, or fail."""
    ship = table.ships[name]
    engine = table.sheet(ship).systems["jump"]
    lost = engine.blocks - ship.blocks_left(engine)
    if not lost:
        return True
    tally = table.tally(name, "jump engine")
    die = tally.roll(100, "blows up")
    if die <= lost:
        _tell_engine(table, ship, die, lost, tally, "the jump engine blows up")
        destroy(table, name, "its jump engine blows up", "BR-CRT-8")
        return False
    die = tally.roll(100, "fails")
    failed = die <= 2 * lost
    _tell_engine(table, ship, die, 2 * lost, tally, "no jump this turn" if failed else "the jump engine holds")
    return not failed


def _tell_engine(table: Table, ship: Ship, die: int, need: int, tally: Tally, text: str) -> None:
    facts = {"unit": ship.name, "kind": "jump", "value": die, "need": need, "text": f"{text} ({die} of {need})"}
    table.tell("critical", "BR-CRT-8", ship.side, facts, tally.taken())


def _arrive(table: Table, formation: Formation, ships: list[str], leader: str) -> None:
    assert formation.hex is not None
    race = table.catalogue.races[table.sheet(table.ships[leader]).race]
    tally = table.tally(leader, "jump-in")
    way, far = scatter(race.jump_scatter, tally)
    moved = neighbour(formation.hex, way, far)
    rolls = tally.taken()
    for name in ships:
        ship = table.ships[name]
        at = _legal_hex(table, moved.plus(ship.offset))
        table.change(
            ship,
            status="on-map",
            position=at,
            heading=formation.facing,
            facing=formation.facing,
            speed=table.state.start_speed,
            start_position=None,
        )
        facts = {
            "unit": name,
            "hex": [*at],
            "scatter": far,
            "direction": way,
            "aimed": [*formation.hex],
            "out": False,
            "side": ship.side,
        }
        table.tell("jump", "BR-HYP-2", table.sides, facts, rolls)


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


def _legal_hex(table: Table, at: Hex) -> Hex:
    """BR-HYP-3: the nearest legal hex; ties: lowest q, then r."""
    if _legal(table, at):
        return at
    for reach in range(1, 400):
        legal = [hex_ for hex_ in _at_distance(at, reach) if _legal(table, hex_)]
        if legal:
            return min(legal)
    raise AssertionError("the map has no legal hex")


def _at_distance(at: Hex, reach: int) -> Iterator[Hex]:
    return (hex_ for hex_ in disk(at, reach) if distance(at, hex_) == reach)


def _legal(table: Table, at: Hex) -> bool:
    return table.ground.on_map(at) and at not in table.ground.large and at not in table.ground.planet


# --- out -------------------------------------------------------------------------------------------------------------


def jump_out(table: Table) -> None:
    """BR-HYP-5: the ship and the friends beside it that were told to go with it."""
    for ship in table.ships_there():
        if ship.cnc_failure or not table.doctrine.of(ship.name).jump_out:
            continue
        if not has_jump_engine(table, ship) or not _engine_works(table, ship.name):
            continue
        for other in table.ships_of(ship.side):
            near = distance(other.position, ship.position) <= FRIENDS_WITHIN
            along = table.doctrine.of(other.name).jump_with == ship.name and near and not other.cnc_failure
            if other.name == ship.name or along:
                _leave(table, other)


def _leave(table: Table, ship: Ship) -> None:
    table.change(ship, status="jumped")
    facts = {"unit": ship.name, "hex": [*ship.position], "scatter": 0, "direction": 0, "aimed": None, "out": True}
    table.tell("jump", "BR-HYP-5", table.sides, {**facts, "side": ship.side})

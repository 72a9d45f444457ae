"""One ship's activation while it goes on: what is left, where it has been, what it has done."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.galleys.orders.records import STAND_GUARD, Intent, Move, Plan, ShipOrders, written_path
from games.galleys.rules.geometry import Hull, ships_apart
from games.galleys.rules.speed import capped, movement_points
from games.galleys.state import Level
from games.galleys.table import Table
from pbem.kit.hexgrid import Hex

ROUTED_PLAN = Plan(level=Level.FULL, move=Move("", "withdraw"))
"""GA-MOR-3: what the ships of a routed squadron do."""


@dataclass
class Track:
    """The working notes of one activation."""

    name: str
    side: str
    plan: Plan
    orders: ShipOrders
    level: Level
    points: int
    """All movement points of the activation."""
    left: int
    start: Hull
    """Where step d began; selectors measure from here."""
    trodden: set[Hex] = field(default_factory=set)
    """GA-RAM-4: every hex any part has been in."""
    tokens: str = ""
    forwards: int = 0
    fit_to_ram: bool = True
    """GA-RAM-3, -4 still kept."""
    raked: set[str] = field(default_factory=set)
    tried_ram: bool = False
    grapple: str = ""
    """The target an automatic grapple made for."""
    met: set[Intent] = field(default_factory=set)
    """Watched intents that were carried out."""
    anastrophe: bool = False
    stopped: bool = False
    reported: int = 0
    """How many tokens a move event has already told."""
    way: list[Hex] = field(default_factory=list)
    """Bow hexes since the last move event."""

    def distance_from_start(self, table: Table, other: str) -> int:
        return ships_apart(self.start, table.hull(other))


def poised(table: Table, name: str, plan: Plan, level: Level, points: int) -> Track:
    """The ship where it lies, before the first token."""
    hull = table.hull(name)
    track = Track(name, table.ships[name].side, plan, table.orders_of(name), level, points, points, hull)
    track.trodden.update(hull.hexes)
    track.way.append(hull.bow)
    return track


def begin(table: Table, name: str) -> Track:
    """Step a: the level and the movement points of the activation (GA-SPD-9)."""
    ship = table.ships[name]
    plan = ROUTED_PLAN if table.is_routed(name) else table.orders_of(name).plan or STAND_GUARD
    level = capped(ship, plan.level)
    points = movement_points(ship, table.class_of(name), level, table.switches)
    table.change(ship, level=level, spent=0)
    track = poised(table, name, plan, level, points)
    facts = {"ship": name, "level": level.value, "mp": points}
    table.tell_in_fog("speed", "GA-SPD-1", facts, private=("mp",), owner=ship.side)
    return track


def pay(table: Table, track: Track, cost: int) -> None:
    ship = table.ships[track.name]
    track.left -= cost
    table.change(ship, spent=ship.spent + cost)


def tell_move(table: Table, track: Track) -> None:
    """Report the tokens executed since the last report, so that what happens on the way stands in its place."""
    tokens = track.tokens[track.reported :]
    if not tokens:
        return
    hull = table.hull(track.name)
    facts = {
        "ship": track.name,
        "from": list(track.way[0]),
        "to": list(hull.bow),
        "facing": hull.facing,
        "tokens": "anastrophe" if track.anastrophe else written_path(tokens),
        "spent": table.ships[track.name].spent,
        "way": [list(at) for at in track.way],
    }
    table.tell_in_fog("move", "GA-MOV-1", facts, private=("spent",), owner=track.side)
    track.reported = len(track.tokens)
    track.way = [hull.bow]

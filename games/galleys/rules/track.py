"""One ship's activation while it goes on: what is left, where it has been, what it has done."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.galleys.orders.plans import STAND_GUARD, Intent, Move, Plan, ShipOrders, written_path
from games.galleys.rules.battle import Battle
from games.galleys.rules.geometry import Hull, ships_apart
from games.galleys.rules.speed import capped, movement_points
from games.galleys.state import Level, Ship
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

    def distance_from_start(self, battle: Battle, other: str) -> int:
        return ships_apart(self.start, battle.hull(other))


def begin(battle: Battle, name: str) -> Track:
    """Step a: the level and the movement points of the activation (GA-SPD-9)."""
    ship = battle.ship(name)
    orders = battle.orders_of(name)
    plan = ROUTED_PLAN if battle.is_routed(name) else orders.plan or STAND_GUARD
    level = capped(ship, plan.level)
    points = movement_points(ship, battle.class_of(name), level, battle.switches)
    battle.change(name, level=level, spent=0)
    hull = battle.hull(name)
    track = Track(name, ship.side, plan, orders, level, points, points, hull)
    track.trodden.update(hull.hexes)
    track.way.append(hull.bow)
    facts = {"ship": name, "level": level.value, "mp": points}
    battle.tell("speed", "GA-SPD-1", facts, private=("mp",), owner=ship.side)
    return track


def pay(battle: Battle, track: Track, cost: int) -> None:
    track.left -= cost
    battle.change(track.name, spent=battle.ship(track.name).spent + cost)


def ship_of(battle: Battle, track: Track) -> Ship:
    return battle.ship(track.name)


def tell_move(battle: Battle, track: Track) -> None:
    """Report the tokens executed since the last report, so that what happens on the way stands in its place."""
    tokens = track.tokens[track.reported :]
    if not tokens:
        return
    hull = battle.hull(track.name)
    facts = {
        "ship": track.name,
        "from": list(track.way[0]),
        "to": list(hull.bow),
        "facing": hull.facing,
        "tokens": "anastrophe" if track.anastrophe else written_path(tokens),
        "spent": ship_of(battle, track).spent,
        "way": [list(at) for at in track.way],
    }
    battle.tell("move", "GA-MOV-1", facts, private=("spent",), owner=track.side)
    track.reported = len(track.tokens)
    track.way = [hull.bow]

"""FA-WDR: withdrawing squadrons and their way out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from games.fleet_action.battle import Battle
from games.fleet_action.orders.records import WithdrawOrder
from games.fleet_action.rules import morale, movement, plotting
from games.fleet_action.rules.movement import Fault, Limits, Plot, SpeedChange
from games.fleet_action.state import Squadron
from games.fleet_action.table import Table
from pbem.kit.hexgrid import Hex, distance

FAR_AWAY = 10_000
"""FA-WDR-3: a path that leaves the map counts as infinitely far; no enemy, as far enough."""
_TOKEN_ORDER = {"F": 0, "S": 1, "P": 2, "slipS": 3, "slipP": 4}


def declare(battle: Battle) -> None:
    """FA-WDR-1: pre-turn, by order."""
    for squadron in battle.in_play():
        if battle.book.one(WithdrawOrder, squadron.name) is not None:
            morale.withdraw(battle, squadron.name, "order")


def enemy_hexes(table: Table, squadron: Squadron) -> tuple[Hex, ...]:
    """Where the enemy's ships stand at the start of the turn."""
    enemies = table.enemies_of(squadron.side)
    return tuple(dict.fromkeys(ship.hex for ship in table.everyone(tuple(enemies))))


def nearest_enemy(at: Hex, enemies: tuple[Hex, ...]) -> int:
    return min((distance(at, enemy) for enemy in enemies), default=FAR_AWAY)


def end_distance(table: Table, squadron: Squadron, steps: tuple[str, ...], enemies: tuple[Hex, ...]) -> int:
    """FA-WDR-3: D1, the distance of the path's end from the nearest enemy ship."""
    way, _ = plotting.fly(squadron.hex, squadron.heading, steps)
    if any(not table.on_map(at) for at in way):
        return FAR_AWAY
    return nearest_enemy(way[-1] if way else squadron.hex, enemies)


def check(table: Table, squadron: Squadron, plot: Plot, change: SpeedChange, of: Limits) -> Fault | None:
    """FA-WDR-3: the path must not close on the enemy; if all do, it must turn; if it cannot, any will do."""
    enemies = enemy_hexes(table, squadron)
    now = nearest_enemy(squadron.hex, enemies)
    measure = partial(end_distance, table, squadron, enemies=enemies)
    after = measure(plot.steps)
    if after >= now:
        return None
    possible = list(legal_paths(table, squadron, change, of))
    away = [other for other in possible if measure(other.steps) >= now]
    turning = [other for other in possible if other.manoeuvre != "maintain"]
    if not away and (plot.manoeuvre != "maintain" or not turning):
        return None
    best = retreat(table, squadron)
    reason = f"a withdrawing squadron closes on the enemy: {after} hexes after the path, {now} before it"
    return Fault("FA-E-34", reason, f"best path: {plotting.written(best.steps)}, {measure(best.steps)} hexes")


def retreat(table: Table, squadron: Squadron) -> Plot:
    """FA-WDR-3: the path of greatest distance; ties: no speed change, fewest turns, then token order."""
    of = movement.limits(table, squadron)
    enemies = enemy_hexes(table, squadron)
    changes = list(dict.fromkeys([SpeedChange(0), SpeedChange(of.acc[0])]))
    plots = [plot for change in changes for plot in legal_paths(table, squadron, change, of)]
    return min(plots, key=lambda plot: _rank(plot, end_distance(table, squadron, plot.steps, enemies)))


def _rank(plot: Plot, far: int) -> tuple[int, int, int, tuple[int, ...]]:
    turns = sum(1 for step in plot.steps if step in plotting.TURNS)
    return -far, plot.delta, turns, tuple(_TOKEN_ORDER[step] for step in plot.steps)


def legal_paths(table: Table, squadron: Squadron, change: SpeedChange, of: Limits) -> Iterator[Plot]:
    """All paths without bars that pass steps 4 to 7 of FA-MOV-15."""
    total = sum(plotting.chart_hexes(movement.speeds(squadron.speed, change)))
    pivots = table.state.switches.pivot_at_zero
    seen: set[tuple[str, ...]] = set()
    for steps in _shapes(total):
        if steps in seen:
            continue
        seen.add(steps)
        checked = movement.check_path(steps, squadron.speed, change, of, pivot_at_zero=pivots)
        if isinstance(checked, Plot):
            yield checked


def _shapes(total: int) -> Iterator[tuple[str, ...]]:
    """Straight on, one slip, and one to three turns at any places."""
    ahead = ("F",) * total
    yield ahead
    for slip in plotting.SLIPS:
        for at in range(total):
            yield (*ahead[:at], slip, *ahead[at + 1 :])
    for turns in ("P", "S", "PP", "SS", "PS", "SP", "PPP", "SSS"):
        yield from _with_turns(ahead, turns, 0)


def _with_turns(rest: tuple[str, ...], turns: str, start: int) -> Iterator[tuple[str, ...]]:
    """The turns set into the path in order, each at or behind the one before."""
    if not turns:
        yield rest
        return
    for at in range(start, len(rest) + 1):
        yield from _with_turns((*rest[:at], turns[0], *rest[at:]), turns[1:], at + 1)

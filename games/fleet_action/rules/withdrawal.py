"""FA-WDR: withdrawing squadrons and their way out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from games.fleet_action.orders.records import WithdrawOrder
from games.fleet_action.rules import morale, movement, plotting
from games.fleet_action.rules.movement import Fault, Limits, SpeedChange
from games.fleet_action.rules.plotting import Plot
from games.fleet_action.state import Squadron
from games.fleet_action.table import Table
from pbem.kit.hexgrid import Hex, distance

FAR_AWAY = 10_000
"""FA-WDR-3: a path that leaves the map counts as infinitely far; no enemy, as far enough."""
_TOKEN_ORDER = {"F": 0, "S": 1, "P": 2, "slipS": 3, "slipP": 4}


def declare(table: Table) -> None:
    """FA-WDR-1: pre-turn, by order."""
    for squadron in table.in_play():
        if table.book.first(WithdrawOrder, squadron.name) is not None:
            morale.withdraw(table, squadron.name, "order")


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
    now, after = nearest_enemy(squadron.hex, enemies), end_distance(table, squadron, plot.steps, enemies)
    if after >= now or requirement(table, squadron, change, of)(plot):
        return None
    best = retreat(table, squadron)
    path = plotting.written(best.steps) + (f" with speed +{best.delta}" if best.delta else "")
    reason = f"a withdrawing squadron closes on the enemy: {after} hexes after the path, {now} before it"
    far = end_distance(table, squadron, best.steps, enemies)
    return Fault("FA-E-34", reason, f"best path: {path}, {far} hexes")


def requirement(table: Table, squadron: Squadron, change: SpeedChange, of: Limits) -> Callable[[Plot], bool]:
    """FA-WDR-3: what a path at this change of speed must do: keep its distance, else turn, else nothing."""
    enemies = enemy_hexes(table, squadron)
    now = nearest_enemy(squadron.hex, enemies)
    possible = list(legal_paths(table, squadron, change, of))

    def keeps_away(plot: Plot) -> bool:
        return end_distance(table, squadron, plot.steps, enemies) >= now

    def turns(plot: Plot) -> bool:
        return plot.manoeuvre != "maintain"

    return next((does for does in (keeps_away, turns) if any(map(does, possible))), lambda _plot: True)


def retreat(table: Table, squadron: Squadron) -> Plot:
    """FA-WDR-3: the path of greatest distance; ties: no speed change, fewest turns, then token order."""
    of = movement.limits(table, squadron)
    enemies = enemy_hexes(table, squadron)
    changes = list(dict.fromkeys([SpeedChange(0), SpeedChange(of.rows.acc)]))
    plots = [plot for change in changes for plot in legal_paths(table, squadron, change, of)]
    return min(plots, key=lambda plot: _rank(plot, end_distance(table, squadron, plot.steps, enemies)))


def _rank(plot: Plot, far: int) -> tuple[int, int, int, tuple[int, ...]]:
    turns = sum(1 for step in plot.steps if step in plotting.TURNS)
    return -far, plot.delta, turns, tuple(_TOKEN_ORDER[step] for step in plot.steps)


def legal_paths(table: Table, squadron: Squadron, change: SpeedChange, of: Limits) -> Iterator[Plot]:
    """All paths without bars that pass steps 4 to 7 of FA-MOV-15."""
    total = sum(plotting.chart_hexes(movement.speeds(squadron.speed, change)))
    pivots = table.state.switches.pivot_at_zero
    for manoeuvre in plotting.TURNINGS:
        for steps in plotting.shapes(total, manoeuvre):
            checked = movement.check_path(steps, squadron.speed, change, of, pivot_at_zero=pivots)
            if isinstance(checked, Plot):
                yield checked

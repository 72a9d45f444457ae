"""BR-SEQ-9: which mounts an order line covers, and which line a mount obeys."""

from __future__ import annotations

from collections.abc import Sequence

from games.broadsides.data import Catalogue, System
from games.broadsides.rules.battle import Battle
from games.broadsides.rules.doctrine import FireLine, UnitOrders
from games.broadsides.state import Ship

SIZE_WORDS = {"light": "L", "medium": "M", "heavy": "H"}


def exactness(catalogue: Catalogue, mount: System, refs: Sequence[str]) -> int:
    """BR-SEQ-9: 4 by id, 3 by type, 2 by size word, 1 by ``all``; 0: not covered."""
    best = 0
    for ref in refs:
        if ref == mount.id:
            return 4
        if ref == f"{mount.type}*":
            best = max(best, 3)
        elif ref in SIZE_WORDS and mount.kind == "weapon" and catalogue.weapons[mount.type].size == SIZE_WORDS[ref]:
            best = max(best, 2)
        elif ref == "all":
            best = max(best, 1)
    return best


def covers(catalogue: Catalogue, mount: System, refs: Sequence[str]) -> bool:
    return exactness(catalogue, mount, refs) > 0


def governing(catalogue: Catalogue, mount: System, orders: UnitOrders) -> int | None:
    """The index of the line a mount obeys: the most exact, of equals the later; None: the default program."""
    best: tuple[int, int] | None = None
    for index, line in enumerate(orders.lines):
        refs = line.mounts if isinstance(line, FireLine) else line
        exact = exactness(catalogue, mount, refs)
        if exact and (best is None or exact >= best[0]):
            best = (exact, index)
    return best[1] if best else None


def firing_plan(battle: Battle, ship: Ship) -> tuple[tuple[str, FireLine | None], ...]:
    """BR-SEQ-9: mounts in the order of the fire lines, then the rest in sheet order under the default program."""
    if ship.name not in battle.plans:
        battle.plans[ship.name] = _plan(battle, ship)
    return battle.plans[ship.name]


def _plan(battle: Battle, ship: Ship) -> tuple[tuple[str, FireLine | None], ...]:
    orders, mounts = battle.doctrine.of(ship.name), battle.sheet(ship).mounts
    obeyed = {mount.id: governing(battle.catalogue, mount, orders) for mount in mounts}
    plan: list[tuple[str, FireLine | None]] = []
    for index, line in enumerate(orders.lines):
        if isinstance(line, FireLine):
            mine = [mount for mount in mounts if obeyed[mount.id] == index]
            ranked = [mount.id for ref in line.mounts for mount in mine if covers(battle.catalogue, mount, (ref,))]
            plan.extend((mount, line) for mount in dict.fromkeys(ranked))
    plan.extend((mount.id, None) for mount in mounts if obeyed[mount.id] is None)
    return tuple(plan)

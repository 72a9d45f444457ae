"""BR-SEQ-9: which mounts an order line covers, which line a mount obeys, and which mounts are ready."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.broadsides.data import Catalogue, System, WeaponType
from games.broadsides.rules.doctrine import FireLine, UnitOrders
from games.broadsides.state import Ship
from games.broadsides.table import Table

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


def firing_plan(table: Table, ship: Ship) -> tuple[tuple[str, FireLine | None], ...]:
    """BR-SEQ-9: mounts in the order of the fire lines, then the rest in sheet order under the default program."""
    if ship.name not in table.plans:
        table.plans[ship.name] = _plan(table, ship)
    return table.plans[ship.name]


def _plan(table: Table, ship: Ship) -> tuple[tuple[str, FireLine | None], ...]:
    orders, mounts = table.doctrine.of(ship.name), table.sheet(ship).mounts
    obeyed = {mount.id: governing(table.catalogue, mount, orders) for mount in mounts}
    plan: list[tuple[str, FireLine | None]] = []
    for index, line in enumerate(orders.lines):
        if isinstance(line, FireLine):
            mine = [mount for mount in mounts if obeyed[mount.id] == index]
            ranked = [mount.id for ref in line.mounts for mount in mine if covers(table.catalogue, mount, (ref,))]
            plan.extend((mount, line) for mount in dict.fromkeys(ranked))
    plan.extend((mount.id, None) for mount in mounts if obeyed[mount.id] is None)
    return tuple(plan)


# --- ready -----------------------------------------------------------------------------------------------------------


def full_mounts(table: Table, ship: Ship) -> Iterator[tuple[str, WeaponType]]:
    """The working, full, unused weapons of a ship, in sheet order."""
    for system in table.sheet(ship).mounts:
        weapon = table.catalogue.weapons[system.type]
        if ready(ship, system.id, weapon):
            yield system.id, weapon


def ready(ship: Ship, mount: str, weapon: WeaponType) -> bool:
    """BR-PWR-1, 3, 5: full, working, neither used nor shut down nor cooling."""
    state = ship.weapon[mount]
    if state.used or state.dropped_out or state.shut_down or state.cooling or state.charge < weapon.full:
        return False
    if weapon.large and state.consecutive_shots >= 2:
        return False
    return ship.blocks_lost.get(mount, 0) < weapon.blocks and mount not in ship.deactivated

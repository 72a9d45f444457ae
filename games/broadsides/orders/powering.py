"""Power lines together: diversions, batteries and the shortage list (BR-VAL-15, BR-VAL-16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.broadsides.data import Catalogue, WeaponType
from games.broadsides.orders import records as r
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.rules.mounts import covers
from games.broadsides.rules.power import is_sustaining
from games.broadsides.state import Ship, State, class_of, works
from pbem.kit.sheet import Accepted, Problem

Entry = Accepted[r.Order]


def settle_power(
    catalogue: Catalogue,
    state: State,
    ship: Ship,
    entries: Sequence[Entry],
    orders: UnitOrders,
    problems: list[Problem],
) -> UnitOrders:
    diverting = _Diverting(catalogue, ship, limited=state.switches.divert_limit == "double")
    spending = _Spending(catalogue, ship)
    for entry in entries:
        order = entry.order
        if isinstance(order, r.Divert):
            _add(problems, diverting.take(entry, order))
        elif isinstance(order, r.SpendBattery):
            _add(problems, spending.take(entry, order))
        elif isinstance(order, r.PowerList):
            orders = replace(orders, power=_listed(catalogue, ship, order.mounts))
    return replace(orders, diverts=tuple(diverting.taken), batteries=tuple(spending.taken))


def _listed(catalogue: Catalogue, ship: Ship, refs: Sequence[str]) -> tuple[str, ...]:
    """The mounts of a list, ``HL*`` and ``light`` written out in sheet order."""
    mounts = class_of(catalogue, ship).mounts
    named = [mount.id for ref in refs for mount in mounts if covers(catalogue, mount, (ref,))]
    return tuple(dict.fromkeys(named))


def _add(problems: list[Problem], found: Problem | None) -> None:
    if found is not None:
        problems.append(found)


class _Diverting:
    """BR-PWR-2 to 4, 7, 8, line after line; earlier lines are kept."""

    def __init__(self, catalogue: Catalogue, ship: Ship, *, limited: bool) -> None:
        self._catalogue, self._ship, self._limited = catalogue, ship, limited
        self._sheet = class_of(catalogue, ship)
        self.taken: list[tuple[str, str, int]] = []

    def _weapon(self, mount: str) -> WeaponType | None:
        system = self._sheet.systems[mount]
        return self._catalogue.weapons[system.type] if system.kind == "weapon" else None

    def take(self, entry: Entry, order: r.Divert) -> Problem | None:
        giver, receiver = self._weapon(order.giver), self._weapon(order.receiver)
        why = self._fault(order, giver, receiver)
        if why or giver is None:
            instead = f"the line is dropped, {order.giver} charges as usual"
            return Problem(entry.line, entry.text, "BR-VAL-15", why, "", instead, entry.unit)
        points, room = giver.power, self._room(order.receiver, receiver)
        if room is not None and room <= 0:
            limit = 2 * receiver.power if receiver else 0
            reason = (
                f"{order.receiver} already gains {limit}, its limit of {limit} a turn (double its power); largest 0"
            )
            instead = f"the line is dropped, {order.giver} charges as usual"
            return Problem(entry.line, entry.text, "BR-VAL-15", reason, "", instead, entry.unit)
        given = points if room is None else min(points, room)
        self.taken.append((order.giver, order.receiver, given))
        if given < points and receiver is not None:
            reason = f"{order.giver} gives {points}, but {order.receiver} may gain only {2 * receiver.power} a turn"
            hint, instead = f"at most {given}", f"{given} points are diverted, the rest is lost"
            return Problem(entry.line, entry.text, "BR-VAL-15", reason, hint, instead, entry.unit)
        return None

    def _room(self, name: str, receiver: WeaponType | None) -> int | None:
        """BR-PWR-4: what the double limit leaves; None: no limit."""
        if receiver is None or not self._limited:
            return None
        gained = receiver.power + sum(points for _, to, points in self.taken if to == name)
        return 2 * receiver.power - gained

    def _fault(self, order: r.Divert, giver: WeaponType | None, receiver: WeaponType | None) -> str:
        gave = [one for one, _, _ in self.taken]
        got = [one for _, one, _ in self.taken]
        if giver is None:
            return f"{order.giver} is a battery; spend it with 'battery {order.giver} to {order.receiver} 6'"
        if order.giver == order.receiver:
            return f"{order.giver} cannot give to itself"
        if order.giver in gave:
            return f"{order.giver} gives to one receiver only"
        if order.giver in got or order.receiver in gave:
            return "a receiver cannot give in the same turn"
        if not works(self._ship, self._sheet.systems[order.giver]):
            return f"{order.giver} does not work"
        if receiver is None:
            return ""
        return self._size_fault(order, giver, receiver)

    def _size_fault(self, order: r.Divert, giver: WeaponType, receiver: WeaponType) -> str:
        for name, weapon in ((order.giver, giver), (order.receiver, receiver)):
            if not weapon.large:
                return (
                    f"{name} is small (p {weapon.power}, t {weapon.recharge}): only weapons with t of 2 or more divert"
                )
        if is_sustaining(receiver, self._ship, order.receiver):
            return f"{order.receiver} is about to fire its second sustained shot and may receive nothing"
        return ""


class _Spending:
    """BR-PWR-7."""

    def __init__(self, catalogue: Catalogue, ship: Ship) -> None:
        self._catalogue, self._ship = catalogue, ship
        self._sheet = class_of(catalogue, ship)
        self._store = dict(ship.battery)
        self.taken: list[tuple[str, str, int]] = []

    def take(self, entry: Entry, order: r.SpendBattery) -> Problem | None:
        box, mount = self._sheet.systems[order.box], self._sheet.systems[order.mount]
        if box.kind != "battery" or not works(self._ship, box):
            reason = f"{order.box} is no working battery"
            return Problem(entry.line, entry.text, "BR-VAL-16", reason, "", "the line is dropped", entry.unit)
        if box.section != mount.section:
            reason = (
                f"{order.box} is on {box.section}, {order.mount} on {mount.section}: only its own section is served"
            )
            return Problem(entry.line, entry.text, "BR-VAL-16", reason, "", "the line is dropped", entry.unit)
        if is_sustaining(self._catalogue.weapons[mount.type], self._ship, order.mount):
            reason = f"{order.mount} is about to fire its second sustained shot and may receive nothing"
            return Problem(entry.line, entry.text, "BR-VAL-15", reason, "", "the line is dropped", entry.unit)
        stored = self._store[order.box]
        moved = min(stored, order.points)
        self._store[order.box] = stored - moved
        self.taken.append((order.box, order.mount, moved))
        if moved < order.points:
            reason = f"{order.box} on {box.section} stores {stored}, asked are {order.points}"
            hint = f"battery {order.box} to {order.mount} {moved}"
            return Problem(entry.line, entry.text, "BR-VAL-16", reason, hint, f"{moved} points are moved", entry.unit)
        return None

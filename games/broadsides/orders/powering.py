"""Power lines: diversions, batteries and the shortage list (BR-VAL-15, BR-VAL-16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.broadsides.data import Catalogue, WeaponType
from games.broadsides.orders import records as r
from games.broadsides.orders.words import Lines, matched
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.rules.mounts import covers
from games.broadsides.rules.power import is_sustaining
from games.broadsides.state import Ship, State
from pbem.kit.judging import Judge
from pbem.kit.sheet import Accepted, Line

Moved = tuple[str, str, int]
"""Giver, receiver, points."""


class PowerLines(Lines):
    def divert(self, line: Line, rest: str) -> r.Order:
        found = matched(r"(\w+) to (\w+)", rest, "divert HL2 to HL1")
        return r.Divert(line.unit, self.names.box(line, found[1]), self.names.box(line, found[2]))

    def battery(self, line: Line, rest: str) -> r.Order:
        found = matched(r"(\w+) to (\w+) (\d+)", rest, "battery PB1 to HPL1 6")
        box, mount = self.names.box(line, found[1]), self.names.mount(line, found[2])
        return r.SpendBattery(line.unit, box, mount, int(found[3]))

    def power(self, line: Line, rest: str) -> r.Order:
        return r.PowerList(line.unit, self.names.mounts(line, rest))


# --- lines together --------------------------------------------------------------------------------------------------


def check_power(state: State, judge: Judge[r.Order], ship: Ship, orders: UnitOrders) -> UnitOrders:
    listed = judge.last(r.PowerList, ship.name)
    power = _listed(state.cards, ship, listed.order.mounts) if listed else orders.power
    checker = _Checker(state, judge, ship)
    diverts: list[Moved] = []
    for entry in judge.given(r.Divert, ship.name):
        diverts += checker.divert(entry, diverts)
    batteries = [moved for entry in judge.given(r.SpendBattery, ship.name) for moved in checker.spend(entry)]
    return replace(orders, power=power, diverts=tuple(diverts), batteries=tuple(batteries))


def _listed(catalogue: Catalogue, ship: Ship, refs: Sequence[str]) -> tuple[str, ...]:
    """The mounts of a list, ``HL*`` and ``light`` written out in sheet order."""
    mounts = catalogue.classes[ship.class_name].mounts
    named = [mount.id for ref in refs for mount in mounts if covers(catalogue, mount, (ref,))]
    return tuple(dict.fromkeys(named))


class _Checker:
    """BR-PWR-2 to 4, 7, 8, line after line; earlier lines are kept."""

    def __init__(self, state: State, judge: Judge[r.Order], ship: Ship) -> None:
        self._catalogue, self._judge, self._ship = state.cards, judge, ship
        self._limited = state.switches.divert_limit == "double"
        self._sheet = state.cards.classes[ship.class_name]
        self._store = dict(ship.battery)

    def _weapon(self, mount: str) -> WeaponType | None:
        system = self._sheet.systems[mount]
        return self._catalogue.weapons[system.type] if system.kind == "weapon" else None

    # --- diversions

    def divert(self, entry: Accepted[r.Divert], earlier: Sequence[Moved]) -> list[Moved]:
        """What the line moves: nothing, or the giver's power as far as the receiver may gain it."""
        order = entry.order
        giver, receiver = self._weapon(order.giver), self._weapon(order.receiver)
        room = self._room(order.receiver, receiver, earlier)
        why = self._fault(order, giver, receiver, earlier)
        if not why and receiver is not None and room is not None and room <= 0:
            limit = 2 * receiver.power
            why = f"{order.receiver} already gains {limit}, its limit of {limit} a turn (double its power); largest 0"
        if why or giver is None:
            instead = f"the line is dropped, {order.giver} charges as usual"
            stored = self._store.get(order.giver, 0)
            fix = f"battery {order.giver} to {order.receiver} {stored}" if giver is None and stored else ""
            self._judge.refuse(entry, "BR-VAL-15", why, fix, instead, fix)
            return []
        given = giver.power if room is None else min(giver.power, room)
        if given < giver.power and receiver is not None:
            most = f"{order.receiver} may gain only {2 * receiver.power} a turn"
            reason, instead = f"{order.giver} gives {giver.power}, but {most}", "points are diverted, the rest is lost"
            self._judge.warn(entry, "BR-VAL-15", reason, f"at most {given} can be given", f"{given} {instead}")
        return [(order.giver, order.receiver, given)]

    def _room(self, name: str, receiver: WeaponType | None, earlier: Sequence[Moved]) -> int | None:
        """BR-PWR-4: what the double limit leaves; None: no limit."""
        if receiver is None or not self._limited:
            return None
        gained = receiver.power + sum(points for _, to, points in earlier if to == name)
        return 2 * receiver.power - gained

    def _fault(
        self, order: r.Divert, giver: WeaponType | None, receiver: WeaponType | None, earlier: Sequence[Moved]
    ) -> str:
        gave, got = [moved[0] for moved in earlier], [moved[1] for moved in earlier]
        if giver is None:
            return f"{order.giver} is a battery; it is spent by a 'battery' line"
        if order.giver == order.receiver:
            return f"{order.giver} cannot give to itself"
        if order.giver in gave:
            return f"{order.giver} gives to one receiver only"
        if order.giver in got or order.receiver in gave:
            return "a receiver cannot give in the same turn"
        if not self._ship.works(self._sheet.systems[order.giver]):
            return f"{order.giver} does not work"
        return self._size_fault(order, giver, receiver) if receiver else ""

    def _size_fault(self, order: r.Divert, giver: WeaponType, receiver: WeaponType) -> str:
        for name, weapon in ((order.giver, giver), (order.receiver, receiver)):
            if not weapon.large:
                size = f"p {weapon.power}, t {weapon.recharge}"
                return f"{name} is small ({size}): only weapons with t of 2 or more divert"
        return _second_shot(receiver, self._ship, order.receiver)

    # --- batteries

    def spend(self, entry: Accepted[r.SpendBattery]) -> list[Moved]:
        """BR-PWR-7."""
        order, rule = entry.order, "BR-VAL-16"
        box, mount = self._sheet.systems[order.box], self._sheet.systems[order.mount]
        why = ""
        if box.kind != "battery" or not self._ship.works(box):
            why = f"{order.box} is no working battery"
        elif box.section != mount.section:
            why = f"{order.box} is on {box.section}, {order.mount} on {mount.section}: only its own section is served"
        elif why := _second_shot(self._catalogue.weapons[mount.type], self._ship, order.mount):
            rule = "BR-VAL-15"
        if why:
            fix = self._other_box(order, mount.section)
            self._judge.refuse(entry, rule, why, fix, "the line is dropped", fix)
            return []
        stored = self._store[order.box]
        moved = min(stored, order.points)
        self._store[order.box] = stored - moved
        if moved < order.points:
            reason = f"{order.box} on {box.section} stores {stored}, asked are {order.points}"
            fix = f"battery {order.box} to {order.mount} {moved}" if moved else ""
            self._judge.warn(entry, rule, reason, fix, f"{moved} points are moved", fix)
        return [(order.box, order.mount, moved)]

    def _other_box(self, order: r.SpendBattery, section: str) -> str:
        """The same from a battery that can serve the mount."""
        boxes = (box for box in self._sheet.systems.values() if box.kind == "battery" and box.section == section)
        able = [box.id for box in boxes if self._ship.works(box) and self._store[box.id]]
        return f"battery {able[0]} to {order.mount} {min(order.points, self._store[able[0]])}" if able else ""


def _second_shot(weapon: WeaponType, ship: Ship, mount: str) -> str:
    if not is_sustaining(weapon, ship, mount):
        return ""
    return f"{mount} is about to fire its second sustained shot and may receive nothing"

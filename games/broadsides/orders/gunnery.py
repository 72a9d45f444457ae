"""Fire lines together: mounts that are not ready, ballistics, interception and the rest of a ship's doctrine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.broadsides.data import Catalogue, WeaponType
from games.broadsides.orders import records as r
from games.broadsides.rules.ballistics import reach_of
from games.broadsides.rules.doctrine import FireLine, UnitOrders
from games.broadsides.rules.power import charge_up
from games.broadsides.state import Ship, State, blocks_left, class_of, unit_of
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.sheet import Accepted, Problem

Entry = Accepted[r.Order]


def settle_fire(
    catalogue: Catalogue,
    state: State,
    ship: Ship,
    entries: Sequence[Entry],
    orders: UnitOrders,
    problems: list[Problem],
) -> UnitOrders:
    checker = _Checker(catalogue, state, ship, orders, problems)
    lines: list[FireLine | tuple[str, ...]] = []
    for entry in entries:
        order = entry.order
        if isinstance(order, r.LaunchBallistic):
            orders = checker.ballistic(entry, order, orders)
        elif isinstance(order, r.FireAt) and order.line is not None:
            lines.extend(checker.fire(entry, order.line))
        elif isinstance(order, r.Hold):
            lines.append(order.mounts)
        else:
            orders = _doctrine(order, orders)
    return replace(orders, lines=tuple(lines))


def _doctrine(order: r.Order, orders: UnitOrders) -> UnitOrders:
    """The short lines; a later one of a kind replaces an earlier."""
    if isinstance(order, r.HoldBelow):
        return replace(orders, hold_below=order.n)
    if isinstance(order, r.InterceptWith):
        return replace(orders, intercept=_side_by_side(orders.intercept or (), order.mounts))
    if isinstance(order, r.InterceptLimit):
        key = "intercept_max" if order.kind == "max" else "intercept_min"
        return replace(orders, **{key: order.n})  # type: ignore[arg-type]
    if isinstance(order, r.ClearWith):
        return replace(orders, clear=_side_by_side(orders.clear, order.mounts))
    if isinstance(order, r.Take):
        return replace(orders, take=order.mounts)
    return orders


def _side_by_side(earlier: tuple[str, ...], later: tuple[str, ...]) -> tuple[str, ...]:
    """Section 6: lists of mounts stand side by side; an empty one, ``intercept none``, replaces what was before."""
    return tuple(dict.fromkeys([*earlier, *later])) if later else ()


class _Checker:
    def __init__(
        self, catalogue: Catalogue, state: State, ship: Ship, orders: UnitOrders, problems: list[Problem]
    ) -> None:
        self._catalogue, self._state, self._ship, self._problems = catalogue, state, ship, problems
        self._sheet = class_of(catalogue, ship)
        self._charge: Mapping[str, int] = self._charges(orders)
        self._shut_down = {giver for giver, _, _ in orders.diverts}
        self._launched: dict[str, str] = {}

    def _charges(self, orders: UnitOrders) -> Mapping[str, int]:
        """What R4 will leave in the weapons; in the fire phase that is over."""
        if self._state.phase == "fire":
            return {mount: state.charge for mount, state in self._ship.weapon.items()}
        return charge_up(self._catalogue, self._ship, orders).charge

    def _weapon(self, mount: str) -> WeaponType:
        return self._catalogue.weapons[self._sheet.systems[mount].type]

    def _complain(self, entry: Entry, rule: str, reason: str, hint: str = "", instead: str = "") -> None:
        text = instead or "the line is left out"
        self._problems.append(Problem(entry.line, entry.text, rule, reason, hint, text, entry.unit))

    # --- ready or not

    def _why_not_ready(self, mount: str) -> str:
        """BR-VAL-17: the state of a mount that cannot fire this turn, and when it will be ready."""
        weapon, state = self._weapon(mount), self._ship.weapon[mount]
        if blocks_left(self._ship, self._sheet.systems[mount]) <= 0:
            return f"{mount} is destroyed and will never be ready"
        if state.dropped_out:
            return f"{mount} has dropped out for the battle"
        if mount in self._ship.deactivated:
            until = self._ship.deactivated[mount]
            if until == "permanent":
                return f"{mount} is deactivated for good"
            if int(until) >= self._state.turn:
                return f"{mount} is deactivated, ready in turn {int(until) + 1}"
        if mount in self._shut_down or state.shut_down:
            return f"{mount} is shut down this turn, ready in turn {self._state.turn + weapon.recharge}"
        if state.cooling or (weapon.large and state.consecutive_shots >= 2):
            return f"{mount} is cooling, ready in turn {self._state.turn + 1} at the earliest"
        if state.used:
            return f"{mount} was used this turn, ready in turn {self._state.turn + weapon.recharge}"
        lacking = weapon.full - self._charge[mount]
        if lacking > 0:
            when = self._state.turn + -(-lacking // weapon.power)
            return f"{mount} is charged {self._charge[mount]} of {weapon.full}, ready in turn {when}"
        return ""

    def _usable(self, entry: Entry, mount: str) -> bool:
        why = self._why_not_ready(mount)
        if not why and mount in self._launched:
            why = f"{mount} is already used by '{self._launched[mount]}'"
        if why:
            self._complain(entry, "BR-VAL-17", why, instead=f"{mount} is left out")
        return not why

    # --- lines

    def fire(self, entry: Entry, line: FireLine) -> list[FireLine]:
        """The line without the mounts that cannot fire; none left: no line."""
        if line.antifighter:
            self._check_stock(entry, line)
        ids = [ref for ref in line.mounts if ref in self._sheet.systems]
        kept = tuple(ref for ref in line.mounts if ref not in ids or self._usable(entry, ref))
        return [replace(line, mounts=kept)] if kept else []

    def _check_stock(self, entry: Entry, line: FireLine) -> None:
        for ref in line.mounts:
            state = self._ship.weapon.get(ref)
            if state is not None and not state.ammunition.get("antifighter", 0):
                stock = ", ".join(f"{n} {kind}" for kind, n in sorted(state.ammunition.items())) or "nothing"
                self._complain(
                    entry, "BR-VAL-18", f"{ref} holds no antifighter missile but {stock}", "", "it holds fire"
                )

    def ballistic(self, entry: Entry, order: r.LaunchBallistic, orders: UnitOrders) -> UnitOrders:
        """BR-VAL-18: in range, and a missile of that kind in stock."""
        line = order.line
        # Section 6: a later launch of the same mount replaces the earlier one.
        self._launched.pop(line.mount, None)
        orders = replace(orders, ballistics=tuple(one for one in orders.ballistics if one.mount != line.mount))
        if not self._usable(entry, line.mount):
            return orders
        weapon = self._weapon(line.mount)
        stock = self._ship.weapon[line.mount].ammunition
        if weapon.rack and stock.get(line.kind, 0) <= 0:
            held = ", ".join(f"{n} {kind}" for kind, n in sorted(stock.items()) if n) or "nothing"
            self._complain(entry, "BR-VAL-18", f"{line.mount} has 0 {line.kind} missiles, it holds {held}")
            return orders
        far = self._distance(line.target, line.hex)
        reach = reach_of(weapon, line.kind)
        if far is None or far > reach:
            where = "not on the map" if far is None else f"at distance {far}"
            self._complain(entry, "BR-VAL-18", f"the target is {where}, the range of {line.mount} is {reach}")
            return orders
        self._launched[line.mount] = entry.text
        return replace(orders, ballistics=(*orders.ballistics, line))

    def _distance(self, target: str, at: Hex | None) -> int | None:
        if at is not None:
            return distance(self._ship.position, at)
        unit = unit_of(self._state, target)
        return distance(self._ship.position, unit.position) if unit and unit.status == "on-map" else None

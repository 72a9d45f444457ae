"""Which mounts of a ship can fire or launch this turn, and why the others cannot (BR-VAL-17, BR-VAL-18)."""

from __future__ import annotations

from collections.abc import Mapping

from games.broadsides.data import System, WeaponType
from games.broadsides.rules.ballistics import reach_of
from games.broadsides.rules.doctrine import BallisticLine, UnitOrders
from games.broadsides.rules.power import charge_up
from games.broadsides.state import PERMANENT, Ship, State
from pbem.kit.hexgrid import distance


class Readiness:
    """A ship's mounts after R4, if its power orders stand."""

    def __init__(self, state: State, ship: Ship, orders: UnitOrders) -> None:
        self._state, self._ship = state, ship
        self.sheet = state.cards.classes[ship.class_name]
        self.charge: Mapping[str, int] = self._charges(orders)
        self._shut_down = {giver for giver, _, _ in orders.diverts}
        self.launched: dict[str, str] = {}
        """Mounts that launch by an order, with its text."""

    def _charges(self, orders: UnitOrders) -> Mapping[str, int]:
        """What R4 will leave in the weapons; in the fire phase that is over."""
        if self._state.phase == "fire":
            return {mount: state.charge for mount, state in self._ship.weapon.items()}
        return charge_up(self._state.cards, self._ship, orders).charge

    def weapon(self, mount: str) -> WeaponType:
        return self._state.cards.weapons[self.sheet.systems[mount].type]

    @property
    def ready(self) -> list[System]:
        """The mounts that can fire or launch, in sheet order."""
        return [mount for mount in self.sheet.mounts if not self.why_not(mount.id)]

    def why_not(self, mount: str) -> str:
        """BR-VAL-17: the state of a mount that cannot fire this turn, and when it will be ready."""
        weapon, state, turn = self.weapon(mount), self._ship.weapon[mount], self._state.turn
        if self._ship.blocks_left(self.sheet.systems[mount]) <= 0:
            return f"{mount} is destroyed and will never be ready"
        if state.dropped_out:
            return f"{mount} has dropped out for the battle"
        until = self._ship.deactivated.get(mount)
        if until == PERMANENT:
            return f"{mount} is deactivated for good"
        if until is not None and int(until) >= turn:
            return f"{mount} is deactivated, ready in turn {int(until) + 1}"
        if mount in self._shut_down or state.shut_down:
            return f"{mount} is shut down this turn, ready in turn {turn + weapon.recharge}"
        if state.cooling or (weapon.large and state.consecutive_shots >= 2):
            return f"{mount} is cooling, ready in turn {turn + max(1, self._turns_to_fill(mount))}"
        if state.used:
            return f"{mount} was used this turn, ready in turn {turn + weapon.recharge}"
        wait = self._turns_to_fill(mount)
        if wait > 0:
            return f"{mount} is charged {self.charge[mount]} of {weapon.full}, ready in turn {turn + wait}"
        return f"{mount} is already used by '{self.launched[mount]}'" if mount in self.launched else ""

    def _turns_to_fill(self, mount: str) -> int:
        """BR-PWR-1: how many more turns it charges, after this one's R4, until it is full; it charges while cooling."""
        weapon = self.weapon(mount)
        return -(-(weapon.full - self.charge[mount]) // weapon.power)

    def out_of_reach(self, line: BallisticLine) -> str:
        """BR-VAL-18: in range, and a missile of that kind in stock."""
        weapon, stock = self.weapon(line.mount), self._ship.weapon[line.mount].ammunition
        if weapon.rack and stock.get(line.missile, 0) <= 0:
            held = ", ".join(f"{n} {kind}" for kind, n in sorted(stock.items()) if n) or "nothing"
            return f"{line.mount} has 0 {line.missile} missiles, it holds {held}"
        unit = self._state.unit(line.target)
        aimed = line.hex or (unit.position if unit and unit.on_map else None)
        far = None if aimed is None else distance(self._ship.position, aimed)
        reach = reach_of(weapon, line.missile)
        if far is not None and far <= reach:
            return ""
        where = "not on the map" if far is None else f"at distance {far}"
        return f"the target is {where}, the range of {line.mount} is {reach}"

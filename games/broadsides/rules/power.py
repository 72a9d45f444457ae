"""Chapter 4.2: charging, diverting and batteries (R4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.broadsides.data import Catalogue, ShipClass, WeaponType
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.state import Ship
from games.broadsides.table import Table


@dataclass(frozen=True)
class Charged:
    """A ship's power after R4."""

    charge: Mapping[str, int]
    battery: Mapping[str, int]
    shut_down: tuple[str, ...]
    refused: tuple[str, ...]
    changes: tuple[str, ...]
    """For the owner's report."""


def supply_of(catalogue: Catalogue, ship: Ship) -> int:
    """BR-PWR-6: the sum of p of its weapons less reactor blocks lost; 0 without a reactor."""
    sheet = catalogue.classes[ship.class_name]
    full = sum(catalogue.weapons[mount.type].power for mount in sheet.mounts)
    reactor = sheet.systems.get("reactor")
    if reactor is None:
        return full
    left = ship.blocks_left(reactor)
    return max(0, full - (reactor.blocks - left)) if left > 0 else 0


def is_sustaining(weapon: WeaponType, ship: Ship, mount: str) -> bool:
    """BR-DMG-7: the first of two shots is fired; the charge stays for the second."""
    state = ship.weapon[mount]
    return "sustained" in weapon.flags and state.consecutive_shots == 1 and state.charge >= weapon.full


def charge_up(catalogue: Catalogue, ship: Ship, orders: UnitOrders) -> Charged:
    """BR-PWR-1 to 7: what each weapon gains this turn."""
    return _Charging(catalogue, ship, orders).run()


class _Charging:
    def __init__(self, catalogue: Catalogue, ship: Ship, orders: UnitOrders) -> None:
        self._catalogue, self._ship, self._orders = catalogue, ship, orders
        self._sheet: ShipClass = catalogue.classes[ship.class_name]
        self._charge = {mount.id: ship.weapon[mount.id].charge for mount in self._sheet.mounts}
        self._battery = dict(ship.battery)
        self._changes: list[str] = []

    def _weapon(self, mount: str) -> WeaponType:
        return self._catalogue.weapons[self._sheet.systems[mount].type]

    def run(self) -> Charged:
        givers = {giver: (receiver, points) for giver, receiver, points in self._orders.diverts}
        refused = self._refused(tuple(givers))
        for mount in self._charging(givers):
            if mount not in refused:
                self._gain(mount, self._weapon(mount).power)
        for giver, (receiver, points) in givers.items():
            self._charge[giver] = 0
            self._changes.append(f"{giver} shut down")
            if giver not in refused:
                self._give(receiver, points)
        for box, mount, points in self._orders.batteries:
            self._spend(box, mount, points)
        self._changes.extend(f"{mount} refused for want of power" for mount in refused)
        self._note_charges()
        return Charged(self._charge, self._battery, tuple(givers), refused, tuple(self._changes))

    def _charging(self, givers: Mapping[str, object]) -> list[str]:
        """Working weapons that are not full and do not give."""
        return [
            mount.id
            for mount in self._sheet.mounts
            if mount.id not in givers
            and self._ship.works(mount)
            and self._charge[mount.id] < self._weapon(mount.id).full
        ]

    def _refused(self, givers: tuple[str, ...]) -> tuple[str, ...]:
        """BR-PWR-6: from the end of the power list until the demand fits."""
        demand = set(self._charging(dict.fromkeys(givers))) | set(givers)
        sheet_order = [mount.id for mount in self._sheet.mounts]
        listed = [mount for mount in self._orders.power if mount in sheet_order]
        ranked = [mount for mount in dict.fromkeys([*listed, *sheet_order]) if mount in demand]
        total = sum(self._weapon(mount).power for mount in ranked)
        supply = supply_of(self._catalogue, self._ship)
        refused: list[str] = []
        while ranked and total > supply:
            last = ranked.pop()
            total -= self._weapon(last).power
            refused.append(last)
        return tuple(refused)

    def _gain(self, mount: str, points: int) -> None:
        self._charge[mount] = min(self._weapon(mount).full, self._charge[mount] + points)

    def _give(self, receiver: str, points: int) -> None:
        if receiver in self._battery:
            capacity = self._catalogue.batteries[self._sheet.systems[receiver].type].capacity
            self._battery[receiver] = min(capacity, self._battery[receiver] + points)
            self._changes.append(f"{receiver} stores {self._battery[receiver]}")
        else:
            self._gain(receiver, points)

    def _spend(self, box: str, mount: str, points: int) -> None:
        """BR-PWR-7: outside the double limit; what does not fit stays in the battery."""
        moved = min(points, self._battery[box], self._weapon(mount).full - self._charge[mount])
        self._battery[box] -= moved
        self._gain(mount, moved)
        self._changes.append(f"{box} gives {moved} to {mount}")

    def _note_charges(self) -> None:
        for mount, charge in self._charge.items():
            if charge != self._ship.weapon[mount].charge and charge:
                self._changes.append(f"{mount} charged {charge}/{self._weapon(mount).full}")


def divert_power(table: Table) -> None:
    """R4, in roster order; no dice."""
    for name in table.roster:
        ship = table.ships.get(name)
        if ship is None or ship.status not in ("on-map", "hyperspace"):
            continue
        orders = UnitOrders() if ship.cnc_failure else table.doctrine.of(name)
        charged = charge_up(table.catalogue, ship, orders)
        weapon = {
            mount: replace(state, charge=charged.charge[mount], shut_down=mount in charged.shut_down)
            for mount, state in ship.weapon.items()
        }
        table.change(ship, weapon=weapon, battery=charged.battery)
        if charged.changes:
            table.tell("power", "BR-PWR-1", ship.side, {"unit": name, "changes": list(charged.changes)})


def settle_charges(weapon: WeaponType, ship: Ship, mount: str) -> Ship:
    """R14: count shots in a row; a sustained weapon that skipped its second shot, or has made it, cools."""
    state = ship.weapon[mount]
    fired = state.used and state.consecutive_shots >= 0
    shots = state.consecutive_shots + 1 if fired else 0
    charge, cooling, target = state.charge, weapon.large and shots >= 2, state.sustained_target
    if "sustained" in weapon.flags:
        skipped = not fired and state.consecutive_shots == 1
        if skipped or shots >= 2:
            charge, cooling, target = 0 if skipped else charge, True, ""
    changed = replace(
        state,
        charge=charge,
        consecutive_shots=shots,
        cooling=cooling,
        sustained_target=target if fired else "",
        used=False,
        shut_down=False,
        damaged=False,
    )
    return replace(ship, weapon={**ship.weapon, mount: changed})


def keep_charges(table: Table) -> None:
    """R14: every weapon of every ship."""
    for name in table.roster:
        ship = table.ships.get(name)
        if ship is None or ship.status in ("destroyed", "withdrawn", "jumped"):
            continue
        for mount in table.sheet(ship).mounts:
            ship = settle_charges(table.catalogue.weapons[mount.type], ship, mount.id)
        table.put(ship)

"""A ship's own sheet as its captain reads it: sections, boxes, armour and what is out."""

from __future__ import annotations

from dataclasses import dataclass

from games.broadsides.data import Catalogue, System
from games.broadsides.rules.craft import craft_from
from games.broadsides.rules.power import supply_of
from games.broadsides.state import Ship
from pbem.kit.hexgrid import DIRECTION_NAMES


@dataclass(frozen=True)
class SectionBox:
    name: str
    structure: int
    full: int
    armour: int
    out: tuple[str, ...]
    """Systems of this section that do not work."""


@dataclass(frozen=True)
class SystemBox:
    id: str
    name: str
    section: str
    left: int
    blocks: int
    armour: int
    state: str


@dataclass(frozen=True)
class ShipSheet:
    size: str
    where: str
    sections: tuple[SectionBox, ...]
    systems: tuple[SystemBox, ...]


NAMES = {
    "cnc": "C&C",
    "shieldgen": "shield generator",
    "jump": "jump engine",
    "sensors": "sensors",
    "engine": "engine",
    "reactor": "reactor",
    "hangar": "hangar",
}


def ship_sheet(catalogue: Catalogue, ship: Ship) -> ShipSheet:
    sheet = catalogue.classes[ship.class_name]
    systems = tuple(_system(catalogue, ship, system) for system in sheet.systems.values())
    out = {box.id for box in systems if box.state.startswith(("destroyed", "dropped", "off"))}
    sections = tuple(
        SectionBox(
            section.name,
            ship.structure[section.name],
            section.structure,
            section.armour,
            tuple(system.id for system in section.systems if system.id in out),
        )
        for section in sheet.sections
    )
    return ShipSheet(sheet.size, _where(catalogue, ship), sections, systems)


def _where(catalogue: Catalogue, ship: Ship) -> str:
    sheet = catalogue.classes[ship.class_name]
    craft = craft_from(catalogue, ship)
    power = sum(catalogue.weapons[mount.type].power for mount in sheet.mounts)
    parts = [f"At {ship.position.q},{ship.position.r}"]
    if not sheet.fixed:
        parts.append(f"heading {DIRECTION_NAMES[ship.heading]}, facing {DIRECTION_NAMES[ship.facing]}")
        parts.append(f"speed {ship.speed}, thrust {craft.thrust} of {sheet.thrust}")
        parts.append(f"turn delay {craft.base_delay(ship.speed) + 2 * craft.lost_sides}")
    if ship.turning:
        parts.append(f"turning to {ship.turning.dir}, {ship.turning.left} hexes to go")
    if ship.slide:
        parts.append(f"sliding {ship.slide.side} {ship.slide.n}")
    if ship.rolled:
        parts.append("rolled")
    parts.append(f"power {supply_of(catalogue, ship)} of {power}")
    if ship.pods:
        parts.append(f"{ship.pods} pods aboard")
    return ", ".join(parts) + "."


def _system(catalogue: Catalogue, ship: Ship, system: System) -> SystemBox:
    left = ship.blocks_left(system)
    if system.kind == "weapon":
        name = catalogue.weapons[system.type].name
    elif system.kind == "battery":
        name = catalogue.batteries[system.type].name
    else:
        name = NAMES.get(system.kind, f"{system.section} thruster")
    state = _state(catalogue, ship, system, left)
    return SystemBox(system.id, name, system.section, left, system.blocks, system.armour, state)


def _state(catalogue: Catalogue, ship: Ship, system: System, left: int) -> str:
    if left <= 0:
        return "destroyed"
    if system.id in ship.deactivated:
        until = ship.deactivated[system.id]
        return "off for good" if until == "permanent" else f"off through turn {until}"
    if system.kind == "battery":
        return f"stores {ship.battery[system.id]}"
    if system.kind != "weapon":
        rows = ship.rows_lost(system)
        return f"{rows} of {system.rows} rows lost" if rows else "works"
    return _weapon_state(catalogue, ship, system)


def _weapon_state(catalogue: Catalogue, ship: Ship, system: System) -> str:
    mount, weapon = ship.weapon[system.id], catalogue.weapons[system.type]
    if mount.dropped_out:
        return "dropped out"
    stock = ", ".join(f"{n} {kind}" for kind, n in sorted(mount.ammunition.items()) if n)
    charge = "ready" if mount.charge >= weapon.full else f"charge {mount.charge} of {weapon.full}"
    if mount.cooling:
        charge = "cooling"
    return f"{charge}; {stock}" if stock else charge

"""Loading, unloading, transfers and renaming (rule book 4.12: EN-CAR, EN-MOV-7)."""

from __future__ import annotations

from collections.abc import Sequence

from games.encounters.rules.names import check_new_name
from games.encounters.state import Unit
from games.encounters.table import Table
from pbem.kit.sheet import BadOrder


def enemies_landed(table: Table, power: str, system: str) -> bool:
    """Troops of another bloc are landed in the system; a landing is told to all who are present."""
    landed = [unit for unit in table.at(system) if unit.landed and not table.same_bloc(power, unit.owner)]
    return any(table.is_troop(unit) for unit in landed)


def check_troops_free(table: Table, power: str, unit: Unit) -> None:
    """EN-CAR-2: no troops move where enemy troops are landed, nor in a blockaded system of the own bloc."""
    system = unit.location
    if not table.is_troop(unit):
        return
    if enemies_landed(table, power, system):
        raise BadOrder("EN-VAL-17", f"{unit.name}: enemy troops are landed at {system} (EN-CAR-2)", "fight them first")
    owner = table.systems[system].owner
    if system in table.blockaded and owner is not None and table.same_bloc(power, owner):
        raise BadOrder("EN-VAL-17", f"{unit.name}: {system} is blockaded (EN-CAR-2)", "break the blockade first")


def load(table: Table, power: str, carrier_id: int, number: int) -> None:
    """EN-CAR-1: a landed troop or system-based flight boards an own intact ship or Station with free CV."""
    carrier, unit = table.units[carrier_id], table.units[number]
    if not carrier.intact:
        raise BadOrder("EN-VAL-16", f"{carrier.name} is crippled: nothing may board it (EN-GEN-3)", "repair it first")
    if unit.carrier is not None:
        holder = table.units[unit.carrier].name
        raise BadOrder("EN-VAL-17", f"{unit.name} is already aboard {holder}", f"{holder}: unload {unit.name}")
    if unit.location != carrier.location:
        reason = f"{unit.name} is at {unit.location}, {carrier.name} at {carrier.location}"
        raise BadOrder("EN-VAL-17", reason, "bring them together first")
    check_troops_free(table, power, unit)
    needed, free, total = table.design(unit).CC, table.free_cv(carrier), table.design(carrier).CV
    if needed > free:
        reason = f"{carrier.name} has CV {total}, in use {total - free}; {unit.name} needs {needed}"
        raise BadOrder("EN-VAL-18", reason, f"free CV: {free}")
    table.change(unit, carrier=carrier_id, landed=False)
    tell_of(table, power, carrier, unit, "boards")


def tell_of(table: Table, power: str, carrier: Unit, unit: Unit, way: str) -> None:
    facts = {"carrier": carrier.name, "unit": unit.name, "way": way, "system": unit.location}
    table.tell("cargo", "EN-CAR-1", power, facts)


def unload(table: Table, power: str, carrier_id: int, number: int) -> None:
    """EN-CAR-1: into an own or own-bloc system, from an intact carrier."""
    carrier, unit = table.units[carrier_id], table.units[number]
    if unit.carrier != carrier_id:
        raise BadOrder("EN-VAL-17", f"{unit.name} is not aboard {carrier.name}", aboard_text(table, carrier))
    if not carrier.intact:
        raise BadOrder("EN-VAL-16", f"{carrier.name} is crippled: nothing may leave it (EN-GEN-3)", "repair it first")
    owner = table.systems[unit.location].owner
    if owner is None or not table.same_bloc(power, owner):
        reason = f"{unit.location} belongs neither to you nor to your bloc (EN-CAR-1)"
        raise BadOrder("EN-VAL-17", reason, "there, troops land by ground battle: invade")
    check_troops_free(table, power, unit)
    table.change(unit, carrier=None, landed=table.is_troop(unit))
    tell_of(table, power, carrier, unit, "leaves")


def aboard_text(table: Table, carrier: Unit) -> str:
    names = [unit.name for unit in table.aboard(carrier.id)]
    return f"aboard: {', '.join(names)}" if names else "nothing is aboard"


def transfer(table: Table, power: str, ships: Sequence[int], to: str) -> None:
    """EN-MOV-7: ships join another own fleet of the same system; a new name makes a new fleet."""
    for number in ships:
        ship = table.units[number]
        there = table.fleets.get((power, to))
        if there is not None and there.location != ship.location:
            reason = f"{ship.name} is at {ship.location}, {to} at {there.location}"
            raise BadOrder("EN-VAL-17", reason, "a fleet in the same system, or a new name")
        if there is None:
            check_new_name(table, power, to)
            table.join_fleet(power, to, ship.location)
        table.change(ship, fleet=to)
    table.drop_empty_fleets()


def rename_unit(table: Table, power: str, number: int, name: str) -> None:
    check_new_name(table, power, name)
    table.change(table.units[number], name=name)


def rename_fleet(table: Table, power: str, old: str, name: str) -> None:
    check_new_name(table, power, name)
    ships = table.ships_of(power, old)
    table.change(table.fleets.pop((power, old)), name=name)
    for ship in ships:
        table.change(ship, fleet=name)
    table.renamed[power, old] = name

"""What each strategic order does (rule book 6.1): for good in a turn, and for trial while a letter is read."""

from __future__ import annotations

from games.encounters.orders import records as said
from games.encounters.rules import cargo, construction, economy
from games.encounters.table import Table
from pbem.kit.sheet import BadOrder


def obey(table: Table, power: str, order: said.Order) -> None:
    """Steps 5, 6, 8 and 9; raises BadOrder where the order is not, or no longer, possible."""
    match order:
        case said.LayDown(design, system, count, names):
            construction.lay_down(table, power, design, count, system, names)
        case said.Cancel(design, system):
            construction.cancel(table, power, design, system)
        case said.Repair(unit) if alive(table, power, unit):
            construction.repair(table, power, unit)
        case said.Scrap(unit) if alive(table, power, unit):
            construction.scrap(table, power, unit)
        case said.BuyIntel(points, system):
            economy.buy_intel(table, power, points, system)
        case said.SpendIntel(points, system):
            economy.spend_intel(table, power, points, system)
        case said.Invest(stat, system):
            economy.invest(table, power, stat, system)
        case said.Research(path, amount):
            economy.research(table, power, path, amount)
        case said.DrawDesign(name, entry):
            economy.draw_design(table, power, name, entry)
        case said.Transfer(ships, to):
            cargo.transfer(table, power, [ship for ship in ships if alive(table, power, ship)], to)
        case said.Load(carrier, unit) if alive(table, power, carrier, unit):
            cargo.load(table, power, carrier, unit)
        case said.Unload(carrier, cargo_id) | said.Land(carrier, cargo_id) if alive(table, power, carrier):
            for number in [aboard.id for aboard in table.aboard(carrier)] if cargo_id is None else [cargo_id]:
                if alive(table, power, number):
                    cargo.unload(table, power, carrier, number)
        case said.RenameUnit(unit, name) if alive(table, power, unit):
            cargo.rename_unit(table, power, unit, name)
        case said.RenameFleet(fleet, name) if (power, fleet) in table.fleets:
            cargo.rename_fleet(table, power, fleet, name)


def alive(table: Table, power: str, *units: int) -> bool:
    """EN-VAL-2: the units of an order are still there."""
    if any(number not in table.units or table.units[number].owner != power for number in units):
        raise BadOrder("EN-VAL-2", "the unit is no longer there")
    return True

"""BR-WPN-9: burst beams switch systems off."""

from __future__ import annotations

from games.broadsides.rules.damage import Wounds
from games.broadsides.rules.flightdamage import chosen_fighter, drop_out
from games.broadsides.state import PERMANENT, Flight
from games.broadsides.table import Table
from pbem.kit.table import Tally

IMMUNE = ("sensors", "engine", "reactor", "cnc", "jump", "hangar", "shieldgen")


def burst_ship(table: Table, name: str, side: str, tally: Tally) -> None:
    """A weapon for good, other systems of a side through the next turn; structure and primary not at all."""
    wounds = Wounds(table, name, tally, armour="none")
    place = wounds.locate(side)
    system = place.system
    facts = {"unit": name, "system": place.name, "section": place.section}
    if system is None or place.section == "primary" or system.kind in IMMUNE:
        table.tell("deactivate", "BR-WPN-9", table.sides, {**facts, "until": None}, tally.taken())
        return
    ship = table.ships[name]
    until = PERMANENT if system.kind == "weapon" else table.turn + 1
    if ship.deactivated.get(system.id) != PERMANENT:
        off = {**ship.deactivated, system.id: until}
        table.change(ship, deactivated=off)
    table.tell("deactivate", "BR-WPN-9", table.sides, {**facts, "until": until}, tally.taken())


def burst_flight(table: Table, flight: Flight, tally: Tally) -> None:
    """Against a fighter: a drop-out check at once."""
    index = chosen_fighter(table, flight)
    if index is not None:
        drop_out(table, flight.name, index, tally, "BR-WPN-9")

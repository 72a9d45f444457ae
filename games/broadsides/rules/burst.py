"""BR-WPN-9: burst beams switch systems off."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.rules.battle import Battle, Tally
from games.broadsides.rules.damage import Wounds
from games.broadsides.rules.flightdamage import chosen_fighter, drop_out
from games.broadsides.state import PERMANENT, Flight

IMMUNE = ("sensors", "engine", "reactor", "cnc", "jump", "hangar", "shieldgen")


def burst_ship(battle: Battle, name: str, side: str, tally: Tally) -> None:
    """A weapon for good, other systems of a side through the next turn; structure and primary not at all."""
    wounds = Wounds(battle, name, tally, armour="none")
    place = wounds.locate(side)
    system = place.system
    facts = {"unit": name, "system": place.name, "section": place.section}
    if system is None or place.section == "primary" or system.kind in IMMUNE:
        battle.tell("deactivate", "BR-WPN-9", {**facts, "until": None}, tally.taken())
        return
    ship = battle.ships[name]
    until = PERMANENT if system.kind == "weapon" else battle.turn + 1
    if ship.deactivated.get(system.id) != PERMANENT:
        off = {**ship.deactivated, system.id: until}
        battle.put(replace(ship, deactivated=off))  # type: ignore[arg-type]
    battle.tell("deactivate", "BR-WPN-9", {**facts, "until": until}, tally.taken())


def burst_flight(battle: Battle, flight: Flight, tally: Tally) -> None:
    """Against a fighter: a drop-out check at once."""
    index = chosen_fighter(battle, flight)
    if index is not None:
        drop_out(battle, flight.name, index, tally, "BR-WPN-9")

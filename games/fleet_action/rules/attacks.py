"""FA-FTR-8, 15..21: flights that attack ships."""

from __future__ import annotations

from games.fleet_action.data import TABLES
from games.fleet_action.rules import fire
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Flight, Ship
from games.fleet_action.table import Table
from pbem.kit.hexgrid import distance


def choose(table: Table) -> None:
    """After contact and landing: which flight attacks which ship in this pulse."""
    table.attacks = {}
    for side in table.side_order:
        for flight in table.wing(side):
            target = _target(table, flight)
            if target is not None:
                table.attacks[flight.name] = target.name


def _target(table: Table, flight: Flight) -> Ship | None:
    """FA-FTR-8, 9, 17: a ship of the strike's target in its hex, or the one an escort reacted to."""
    if flight.state != "flying" or flight.hex is None:
        return None
    reacting = table.living(table.reacting.get(flight.name, ""))
    if reacting is not None and reacting.hex == flight.hex:
        return reacting
    squadron = table.squadrons.get(flight.target or "")
    if flight.mission != "strike" or squadron is None or not table.is_on_map(squadron):
        return None
    reach = table.fighter(flight).range
    ships = [ship for ship in table.members(squadron) if distance(ship.hex, flight.hex) <= reach]
    preferred = [ship for ship in ships if ship.name == flight.prefer]
    return min(
        preferred or ships, key=lambda ship: (distance(ship.hex, flight.hex or ship.hex), ship.structure), default=None
    )


def declare(table: Table) -> list[Shot]:
    """FA-FTR-15: one attack per flight and pulse, in side and roster order."""
    shots = []
    for side in table.side_order:
        for flight in table.wing(side):
            target = table.living(table.attacks.get(flight.name, ""))
            if target is not None and flight.state == "flying" and flight.count > 0:
                shots.append(_attack(table, flight, target))
                table.change(flight, ships_attacked_turn=table.turn)
    return shots


def _attack(table: Table, flight: Flight, target: Ship) -> Shot:
    """FA-FTR-15, 18, 21: off die, half the count, anti-ship and strike bonus against def."""
    card = table.fighter(flight)
    assert flight.hex is not None
    strike = TABLES.strike_bonus if flight.mission == "strike" else 0
    half = flight.count // 2
    return Shot(
        side=flight.side,
        firer=flight.name,
        firer_kind="flight",
        weapon=flight.fighter_class,
        weapon_name=card.name,
        weapon_class="particle",
        x=1,
        die=card.off,
        sensor=half + card.anti_ship + strike,
        struck=fire.struck_from(table, target, flight.hex, flight.prev_hex),
        bonus=half + card.anti_ship,
        damage_die=card.damage,
        rule="FA-FTR-15",
        style=fire.defence_style(table, target),
        extra={"count": half, "anti_ship": card.anti_ship, "strike": strike},
        **fire.at_target(table, target),
    )

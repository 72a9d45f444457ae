"""FA-FTR-8, 15..21: flights that attack ships."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action.battle import Battle
from games.fleet_action.rules import fire
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Flight, Ship
from games.fleet_action.tables import TABLES
from pbem.kit.hexgrid import distance


def choose(battle: Battle) -> None:
    """After contact and landing: which flight attacks which ship in this pulse."""
    battle.attacks = {}
    for side in battle.side_order:
        for flight in battle.wing(side):
            target = _target(battle, flight)
            if target is not None:
                battle.attacks[flight.name] = target.name


def _target(battle: Battle, flight: Flight) -> Ship | None:
    """FA-FTR-8, 9, 17: a ship of the strike's target in its hex, or the one an escort reacted to."""
    if flight.state != "flying" or flight.hex is None:
        return None
    reacting = battle.living(battle.reacting.get(flight.name, ""))
    if reacting is not None and reacting.hex == flight.hex:
        return reacting
    squadron = battle.squadrons.get(flight.target or "")
    if flight.mission != "strike" or squadron is None or not battle.is_on_map(squadron):
        return None
    reach = battle.fighter(flight).range
    ships = [ship for ship in battle.members(squadron) if distance(ship.hex, flight.hex) <= reach]
    preferred = [ship for ship in ships if ship.name == flight.prefer]
    return min(
        preferred or ships, key=lambda ship: (distance(ship.hex, flight.hex or ship.hex), ship.structure), default=None
    )


def declare(battle: Battle) -> list[Shot]:
    """FA-FTR-15: one attack per flight and pulse, in side and roster order."""
    shots = []
    for side in battle.side_order:
        for flight in battle.wing(side):
            target = battle.living(battle.attacks.get(flight.name, ""))
            if target is not None and flight.state == "flying" and flight.count > 0:
                shots.append(_attack(battle, flight, target))
                battle.put(replace(flight, ships_attacked_turn=battle.turn))
    return shots


def _attack(battle: Battle, flight: Flight, target: Ship) -> Shot:
    """FA-FTR-15, 18, 21: off die, half the count, anti-ship and strike bonus against def."""
    card = battle.fighter(flight)
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
        target=target.name,
        target_kind="ship",
        target_side=battle.side_of(target),
        x=1,
        die=card.off,
        sensor=half + card.anti_ship + strike,
        defence=fire.defence_of(battle, target),
        struck=fire.struck_from(battle, target, flight.hex, flight.prev_hex),
        bonus=half + card.anti_ship,
        damage_die=card.damage,
        rule="FA-FTR-15",
        style=TABLES.styles[battle.squadrons[target.squadron].style][2],
        extra={"count": half, "anti_ship": card.anti_ship, "strike": strike},
    )

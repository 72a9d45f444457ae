"""FA 3.2 steps 3.7 and 3.8: Fire A by ships in command and flights, Fire B by ships out of command."""

from __future__ import annotations

from games.fleet_action.rules import attacks, ballistics, command, doctrine, equipment, fire, jump, losses, weapons
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table


def fire_a(table: Table) -> None:
    """Step 3.7: everything in it is simultaneous; a ship destroyed here still fires here."""
    table.part = "fire A"
    table.alone = frozenset(s.name for s in table.everyone() if command.is_out_of_command(table, s))
    shots: list[Shot] = []
    for squadron in table.in_play():
        shots += _squadron_fire(table, squadron)
    _resolve(table, shots, attacks.declare(table))


def fire_b(table: Table) -> None:
    """Step 3.8: ships out of command, each alone, declared after Fire A took effect (FA-CMD-4)."""
    table.part = "fire B"
    shots: list[Shot] = []
    for squadron in table.in_play():
        for ship in table.members(squadron):
            if ship.name in table.alone and not jump.leaves_this_pulse(table, ship):
                enemies = list(table.everyone(tuple(table.enemies_of(squadron.side))))
                shots += doctrine.declare(table, ship, _in_reach(table, ship, enemies))
    _resolve(table, shots, [])
    table.part = ""


def _squadron_fire(table: Table, squadron: Squadron) -> list[Shot]:
    """FA-FIRE-1: all ships of a squadron fire at ships of one enemy squadron."""
    firing = [
        ship
        for ship in table.members(squadron)
        if not command.is_out_of_command(table, ship) and not jump.leaves_this_pulse(table, ship)
    ]
    if not firing:
        return []
    target = doctrine.target_squadron(table, squadron)
    candidates = table.members(target) if target is not None else []
    return [shot for ship in firing for shot in doctrine.declare(table, ship, candidates)]


def _in_reach(table: Table, ship: Ship, enemies: list[Ship]) -> list[Ship]:
    reach = weapons.longest_reach(table, ship)
    return [enemy for enemy in enemies if weapons.range_to(ship, enemy) <= reach]


def _resolve(table: Table, shots: list[Shot], flights: list[Shot]) -> None:
    for shot in shots:
        table.put(weapons.fired(table, table.ships[shot.firer], shot.number))
    direct = [shot for shot in shots if shot.weapon_class != "ballistic"]
    for shot in shots:
        if shot.weapon_class == "ballistic":
            ballistics.launch(table, shot)
    declared = equipment.guard(table, [*direct, *flights])
    fire.roll_to_hit(table, declared)
    fire.roll_damage(table, declared)
    losses.sink(table, table.part)

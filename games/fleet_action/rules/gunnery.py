"""FA 3.2 steps 3.7 and 3.8: Fire A by ships in command and flights, Fire B by ships out of command."""

from __future__ import annotations

from games.fleet_action.battle import Battle
from games.fleet_action.rules import attacks, ballistics, command, doctrine, equipment, fire, jump, losses, weapons
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Ship, Squadron


def fire_a(battle: Battle) -> None:
    """Step 3.7: everything in it is simultaneous; a ship destroyed here still fires here."""
    battle.part = "fire A"
    battle.alone = frozenset(s.name for s in battle.everyone() if command.is_out_of_command(battle, s))
    shots: list[Shot] = []
    for squadron in battle.in_play():
        shots += _squadron_fire(battle, squadron)
    _resolve(battle, shots, attacks.declare(battle))


def fire_b(battle: Battle) -> None:
    """Step 3.8: ships out of command, each alone, declared after Fire A took effect (FA-CMD-4)."""
    battle.part = "fire B"
    shots: list[Shot] = []
    for squadron in battle.in_play():
        for ship in battle.members(squadron):
            if ship.name in battle.alone and not jump.leaves_this_pulse(battle, ship):
                enemies = list(battle.everyone(tuple(battle.enemies_of(squadron.side))))
                shots += doctrine.declare(battle, ship, _in_reach(battle, ship, enemies))
    _resolve(battle, shots, [])
    battle.part = ""


def _squadron_fire(battle: Battle, squadron: Squadron) -> list[Shot]:
    """FA-FIRE-1: all ships of a squadron fire at ships of one enemy squadron."""
    firing = [
        ship
        for ship in battle.members(squadron)
        if not command.is_out_of_command(battle, ship) and not jump.leaves_this_pulse(battle, ship)
    ]
    if not firing:
        return []
    target = doctrine.target_squadron(battle, squadron)
    candidates = battle.members(target) if target is not None else []
    return [shot for ship in firing for shot in doctrine.declare(battle, ship, candidates)]


def _in_reach(battle: Battle, ship: Ship, enemies: list[Ship]) -> list[Ship]:
    reach = weapons.longest_reach(battle, ship)
    return [enemy for enemy in enemies if weapons.range_to(ship, enemy) <= reach]


def _resolve(battle: Battle, shots: list[Shot], flights: list[Shot]) -> None:
    for shot in shots:
        battle.put(weapons.fired(battle, battle.ships[shot.firer], shot.number))
    direct = [shot for shot in shots if shot.weapon_class != "ballistic"]
    for shot in shots:
        if shot.weapon_class == "ballistic":
            ballistics.launch(battle, shot)
    declared = [*direct, *flights]
    equipment.guard(battle, declared)
    fire.roll_to_hit(battle, declared)
    fire.roll_damage(battle, declared)
    losses.sink(battle, battle.part)

"""FA-FIRE: declared fire becomes dice, hits and damage; one step is simultaneous for everybody in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from games.fleet_action import geometry
from games.fleet_action.battle import Battle, printed
from games.fleet_action.rules import damage, elint, telling, weapons
from games.fleet_action.rules.damage import Struck, Wounding
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Flight, Ship
from games.fleet_action.tables import TABLES
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex, distance


def chance(die: int, need: int) -> float:
    """FA-DOC-5: the chance of one die, between 0 and 1."""
    return min(1.0, max(0.0, (die - need + 1) / die))


def bypass(battle: Battle, firer: Ship, target: Ship) -> int:
    """FA-FIRE-2: living ships of the target's squadron strictly nearer to the firer."""
    if target.name in elint.command_jammers(battle):
        return 0
    far = distance(firer.hex, target.hex)
    mates = battle.members(battle.squadrons[target.squadron])
    return sum(1 for mate in mates if distance(firer.hex, mate.hex) < far)


def aim(battle: Battle, ship: Ship, number: int, target: Ship | Flight) -> Shot | None:
    """FA-FIRE-3..7: this weapon at this target at full x, or None if it does not bear or reach."""
    mount = battle.card(ship).weapons[number]
    weapon = battle.cards.weapons[mount.weapon]
    if weapon.proximity or target.hex is None:
        return None
    far = distance(ship.hex, target.hex)
    true = weapons.bracket(weapon, far)
    die = weapon.fc[weapons.column(battle, target)]
    if true is None or not die:
        return None
    shifted = true + elint.is_fire_control_jammed(battle, ship) + weapons.is_jammed_by(battle, ship, target)
    if shifted > weapons.EXTREME:
        return None
    x = weapons.lessened(weapons.x_towards(battle, ship, number, target.hex), weapons.multiplier(battle, ship))
    if x < 1:
        return None
    return _shot(battle, ship, number, target, (far, true, shifted, x, die))


def _shot(
    battle: Battle, ship: Ship, number: int, target: Ship | Flight, figures: tuple[int, int, int, int, int]
) -> Shot:
    far, true, shifted, x, die = figures
    mount = battle.card(ship).weapons[number]
    weapon = battle.cards.weapons[mount.weapon]
    squadron = battle.squadrons[ship.squadron]
    last = ship.last_std[number]
    found = geometry.arcs(ship.hex, squadron.heading, target.hex) if target.hex else ()
    shot = Shot(
        side=squadron.side,
        firer=ship.name,
        firer_kind="ship",
        weapon=mount.name or mount.weapon,
        weapon_name=weapon.name,
        weapon_class=weapon.weapon_class,
        target=target.name,
        target_kind="flight" if isinstance(target, Flight) else "ship",
        target_side=target.side if isinstance(target, Flight) else battle.side_of(target),
        x=x,
        die=die,
        sensor=sensor_of(battle, ship),
        defence=battle.fighter(target).defence if isinstance(target, Flight) else defence_of(battle, target),
        distance=far,
        true_bracket=true,
        bracket=shifted,
        arc=max(found, key=lambda arc: (mount.arcs or (0,) * 6)[arc]) if found else None,
        number=number,
        waited=None if last is None else battle.now - last,
        type=weapon,
    )
    if isinstance(target, Ship):
        _against_ship(battle, shot, ship, target)
    return shot


def _against_ship(battle: Battle, shot: Shot, ship: Ship, target: Ship) -> None:
    """What counts only between ships: bypass, ELINT support, interceptors, the struck arc."""
    shot.bypass = bypass(battle, ship, target)
    shot.offensive = elint.offensive_support(battle, ship, target)
    shot.defensive = elint.defensive_support(battle, target)
    if shot.weapon_class != "laser":
        shot.interceptor = battle.interceptor_level(target)
    shot.struck = struck_from(battle, target, ship.hex, ship.prev_hex)
    shot.style = TABLES.styles[battle.squadrons[target.squadron].style][2]


def struck_from(battle: Battle, target: Ship, firer: Hex, came_from: Hex | None) -> Struck:
    """FA-MAP-10, 11: the arc that is struck; at distance 0 and from nowhere else, the best facing as by ballistics."""
    if firer == target.hex and came_from in (None, target.hex):
        return Struck.on_best(battle.card(target))
    return Struck.on_arc(battle.card(target), weapons.struck_arc(battle, target, firer, came_from))


def sensor_of(battle: Battle, ship: Ship) -> int:
    """FA-CMD-16: the sensor track left and the commander's style, at least 0."""
    style = TABLES.styles[battle.squadrons[ship.squadron].style][1]
    return max(0, ship.sensor + style)


def defence_of(battle: Battle, ship: Ship) -> int:
    """FA-CMD-16: def and the commander's style."""
    return battle.card(ship).defence + TABLES.styles[battle.squadrons[ship.squadron].style][2]


# --- a step of fire --------------------------------------------------------------------------------------------------


def roll_to_hit(battle: Battle, shots: Sequence[Shot]) -> None:
    """FA-FIRE-8: all to-hit dice of the step before any damage."""
    for shot in shots:
        need = shot.need
        for n in range(1, shot.x + 1):
            roll = battle.roll(shot.die, battle.part, shot.name(), "to hit", n)
            shot.dice.append(roll)
            if roll.face >= need:
                shot.totals.append(roll.face - need)
        if shot.target_kind == "ship":
            battle.flags.fired_on.add(battle.ships[shot.target].squadron)


def roll_damage(battle: Battle, shots: Sequence[Shot]) -> None:
    """FA-DMG-3: per weapon, per hit, per damage die; marks in that order."""
    for shot in shots:
        if shot.target_kind == "flight":
            _damage_flight(battle, shot)
        else:
            _damage_ship(battle, shot)


def draw_for(battle: Battle, shot: Shot) -> Callable[[int, str], Roll]:
    """Damage dice of a shot, numbered as they fall."""
    count = 0

    def draw(faces: int, purpose: str) -> Roll:
        nonlocal count
        count += 1
        return battle.roll(faces, battle.part, shot.name(), purpose, count)

    return draw


def pulses_of(shot: Shot) -> list[int]:
    """FA-WPN-4: how often each hit rolls damage; more than once only for pulse weapons."""
    if shot.type is None or shot.weapon_class != "pulse":
        return [1] * len(shot.totals)
    most = shot.type.max_pulses
    return [min(most, 1 + margin) for margin in shot.totals]


def _damage_ship(battle: Battle, shot: Shot) -> None:
    telling.tell_fire(battle, shot)
    if not shot.totals:
        return
    assert shot.struck is not None
    draw = draw_for(battle, shot)
    wounding = Wounding(battle, shot.target, shot.struck, draw)
    armour = shot.struck.armour
    if shot.type is not None:
        armour = damage.armour_against(shot.type, armour)
    for pulses in pulses_of(shot):
        for _ in range(pulses):
            _strike_once(shot, wounding, armour)
    telling.tell_damage(battle, shot, wounding.wounds, armour)


def _strike_once(shot: Shot, wounding: Wounding, armour: int) -> None:
    """One hit, or one pulse of it."""
    weapon = shot.type
    if weapon is not None and weapon.damage_class == "matter":
        wounding.matter(weapon.points)
        return
    dice = (1, shot.damage_die) if weapon is None else damage.damage_dice(weapon, shot.true_bracket, shot.waited)
    if dice is None:
        return
    for _ in range(dice[0]):
        wounding.die(wounding.draw(dice[1], "damage"), armour, shot.weapon_class, shot.bonus)


def _damage_flight(battle: Battle, shot: Shot) -> None:
    """FA-DMG-10, FA-WPN-2, 8: fighters have no structure; each penetrating die kills."""
    telling.tell_fire(battle, shot)
    if not shot.totals:
        return
    kills, rolls, faces = flight_kills(battle, shot, draw_for(battle, shot))
    flight = battle.flights[shot.target]
    lost = min(kills, flight.count)
    lose_fighters(battle, flight, lost, shot.firer)
    armour = battle.fighter(flight).armor
    results: list[dict[str, object]] = [
        {"die": face, "severity": "kill" if face >= armour else "none", "marks": []} for face in faces
    ]
    facts = telling.damage_facts(shot, armour, results, [], lost)
    battle.tell("damage", "FA-DMG-10", frozenset({shot.side, shot.target_side}), facts, rolls)
    telling.tell_third_parties(battle, shot)


def flight_kills(battle: Battle, shot: Shot, draw: Callable[[int, str], Roll]) -> tuple[int, list[Roll], list[int]]:
    """The fighters that the hits of a shot destroy, and the damage dice."""
    card = battle.fighter(battle.flights[shot.target])
    weapon = shot.type
    assert weapon is not None
    kills = 0
    rolls: list[Roll] = []
    for pulses in pulses_of(shot):
        for _ in range(pulses):
            if weapon.damage_class == "em":
                kills += 1
            elif weapon.damage_class == "matter":
                kills += weapon.points
            else:
                count, faces = damage.damage_dice(weapon, shot.true_bracket, shot.waited) or (0, 0)
                drawn = [draw(faces, "damage") for _ in range(count)]
                rolls.extend(drawn)
                kills += card.hits * sum(1 for roll in drawn if roll.face >= card.armor)
    return kills, rolls, [roll.face for roll in rolls]


def lose_fighters(battle: Battle, flight: Flight, lost: int, cause: str) -> None:
    """Fighters die; a flight without fighters is lost."""
    if lost < 1:
        return
    current = battle.flights[flight.name]
    left = current.count - min(lost, current.count)
    at = printed(current.hex)
    battle.put(replace(current, count=left) if left else replace(current, count=0, state="lost", hex=None))
    if not left:
        facts: dict[str, Any] = {"side": flight.side, "unit": flight.name, "unit_kind": "flight", "squadron": None}
        facts |= {"cause": cause, "grey": 0, "hex": at, "count": current.count}
        battle.tell("loss", "FA-DMG-10", battle.audience, facts)

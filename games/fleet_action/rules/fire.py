"""FA-FIRE: declared fire becomes dice, hits and damage; one step is simultaneous for everybody in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.fleet_action.data import TABLES
from games.fleet_action.rules import damage, elint, geometry, telling, weapons
from games.fleet_action.rules.damage import Struck, Wounding
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Flight, Ship
from games.fleet_action.table import Table
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex, distance


def chance(die: int, need: int) -> float:
    """FA-DOC-5: the chance of one die, between 0 and 1."""
    return min(1.0, max(0.0, (die - need + 1) / die))


def bypass(table: Table, firer: Ship, target: Ship) -> int:
    """FA-FIRE-2: living ships of the target's squadron strictly nearer to the firer."""
    if target.name in elint.command_jammers(table):
        return 0
    far = distance(firer.hex, target.hex)
    mates = table.members(table.squadron(target))
    return sum(1 for mate in mates if distance(firer.hex, mate.hex) < far)


def aim(table: Table, ship: Ship, number: int, target: Ship | Flight) -> Shot | None:
    """FA-FIRE-3..7: this weapon at this target at full x, or None if it does not bear or reach."""
    mount = table.card(ship).weapons[number]
    weapon = table.cards.weapons[mount.weapon]
    if weapon.proximity or target.hex is None:
        return None
    far = distance(ship.hex, target.hex)
    true = weapons.bracket(weapon, far)
    die = weapon.fc[weapons.column(table, target)]
    if true is None or not die:
        return None
    shifted = true + elint.is_fire_control_jammed(table, ship) + weapons.is_jammed_by(table, ship, target)
    x = weapons.lessened(weapons.x_towards(table, ship, number, target.hex), weapons.multiplier(table, ship))
    if shifted > weapons.EXTREME or x < 1:
        return None
    last = ship.last_std[number]
    arcs = geometry.arcs(ship.hex, table.squadron(ship).heading, target.hex)
    return Shot(
        side=table.side_of(ship),
        firer=ship.name,
        firer_kind="ship",
        weapon=mount.word,
        weapon_name=weapon.name,
        weapon_class=weapon.weapon_class,
        x=x,
        die=die,
        sensor=sensor_of(table, ship),
        distance=far,
        true_bracket=true,
        bracket=shifted,
        arc=max(arcs, key=lambda arc: (mount.arcs or (0,) * 6)[arc]) if arcs else None,
        number=number,
        waited=None if last is None else table.now - last,
        type=weapon,
        **at_target(table, target),
        **_between_ships(table, ship, target, weapon.weapon_class),
    )


def at_target(table: Table, target: Ship | Flight) -> dict[str, Any]:
    """Whom a shot is aimed at, and how hard it is to hit."""
    if isinstance(target, Flight):
        kind, defence = "flight", table.fighter(target).defence
    else:
        kind, defence = "ship", defence_of(table, target)
    return {"target": target.name, "target_kind": kind, "target_side": table.side_of(target), "defence": defence}


def _between_ships(table: Table, ship: Ship, target: Ship | Flight, weapon_class: str) -> dict[str, Any]:
    """What counts only between ships: bypass, ELINT support, interceptors, the struck arc."""
    if isinstance(target, Flight):
        return {}
    return {
        "bypass": bypass(table, ship, target),
        "offensive": elint.offensive_support(table, ship, target),
        "defensive": elint.defensive_support(table, target),
        "interceptor": table.interceptor_level(target) if weapon_class != "laser" else 0,
        "struck": struck_from(table, target, ship.hex, ship.prev_hex),
        "style": defence_style(table, target),
    }


def struck_from(table: Table, target: Ship, firer: Hex, came_from: Hex | None) -> Struck:
    """FA-MAP-10, 11: the arc that is struck; at distance 0 and from nowhere else, the best facing as by ballistics."""
    if firer == target.hex and came_from in (None, target.hex):
        return Struck.on_best(table.card(target))
    return Struck.on_arc(table.card(target), weapons.struck_arc(table, target, firer, came_from))


def sensor_of(table: Table, ship: Ship) -> int:
    """FA-CMD-16: the sensor track left and the commander's style, at least 0."""
    return max(0, ship.sensor + TABLES.styles[table.squadron(ship).style][1])


def defence_of(table: Table, ship: Ship) -> int:
    """FA-CMD-16: def and the commander's style."""
    return table.card(ship).defence + defence_style(table, ship)


def defence_style(table: Table, ship: Ship) -> int:
    return TABLES.styles[table.squadron(ship).style][2]


# --- a step of fire --------------------------------------------------------------------------------------------------


def roll_to_hit(table: Table, shots: Sequence[Shot]) -> None:
    """FA-FIRE-8: all to-hit dice of the step before any damage."""
    for shot in shots:
        need = shot.need
        for n in range(1, shot.x + 1):
            roll = table.roll(shot.die, table.part, shot.name(), "to hit", n)
            shot.dice.append(roll)
            if roll.face >= need:
                shot.totals.append(roll.face - need)
        if shot.target_kind == "ship":
            table.flags.fired_on.add(table.ships[shot.target].squadron)


def roll_damage(table: Table, shots: Sequence[Shot]) -> None:
    """FA-DMG-3: per weapon, per hit, per damage die; marks in that order."""
    for shot in shots:
        if shot.target_kind == "flight":
            _damage_flight(table, shot)
        else:
            _damage_ship(table, shot)


def draw_for(table: Table, shot: Shot) -> Callable[[int, str], Roll]:
    """Damage dice of a shot, numbered as they fall."""
    count = 0

    def draw(faces: int, purpose: str) -> Roll:
        nonlocal count
        count += 1
        return table.roll(faces, table.part, shot.name(), purpose, count)

    return draw


def pulses_of(shot: Shot) -> list[int]:
    """FA-WPN-4: how often each hit rolls damage; more than once only for pulse weapons."""
    if shot.type is None or shot.weapon_class != "pulse":
        return [1] * len(shot.totals)
    most = shot.type.max_pulses
    return [min(most, 1 + margin) for margin in shot.totals]


def _damage_ship(table: Table, shot: Shot) -> None:
    telling.tell_fire(table, shot)
    if not shot.totals:
        return
    assert shot.struck is not None
    draw = draw_for(table, shot)
    wounding = Wounding(table, shot.target, shot.struck, draw)
    armour = shot.struck.armour
    if shot.type is not None:
        armour = damage.armour_against(shot.type, armour)
    for pulses in pulses_of(shot):
        for _ in range(pulses):
            _strike_once(shot, wounding, armour)
    telling.tell_damage(table, shot, wounding.wounds, armour)


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


def _damage_flight(table: Table, shot: Shot) -> None:
    """FA-DMG-10, FA-WPN-2, 8: fighters have no structure; each penetrating die kills."""
    telling.tell_fire(table, shot)
    if not shot.totals:
        return
    kills, rolls, faces = flight_kills(table, shot, draw_for(table, shot))
    flight = table.flights[shot.target]
    lost = min(kills, flight.count)
    lose_fighters(table, flight, lost, shot.firer)
    armour = table.fighter(flight).armor
    results: list[dict[str, object]] = [
        {"die": face, "severity": "kill" if face >= armour else "none", "marks": []} for face in faces
    ]
    facts = telling.damage_facts(shot, armour, results, [], lost)
    table.tell("damage", "FA-DMG-10", frozenset({shot.side, shot.target_side}), facts, rolls)
    telling.tell_third_parties(table, shot)


def flight_kills(table: Table, shot: Shot, draw: Callable[[int, str], Roll]) -> tuple[int, list[Roll], list[int]]:
    """The fighters that the hits of a shot destroy, and the damage dice."""
    card = table.fighter(table.flights[shot.target])
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


def lose_fighters(table: Table, flight: Flight, lost: int, cause: str) -> None:
    """Fighters die; a flight without fighters is lost."""
    if lost < 1:
        return
    current = table.flights[flight.name]
    left = current.count - min(lost, current.count)
    if left:
        table.change(current, count=left)
    else:
        table.change(current, count=0, state="lost", hex=None)
        telling.tell_flight_lost(table, "FA-DMG-10", table.audience, current, current.hex, cause)

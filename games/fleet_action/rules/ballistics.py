"""FA-WPN-9..14: ballistic salvos and energy mines, from launch to impact."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from games.fleet_action.battle import Battle, printed
from games.fleet_action.data import WeaponType
from games.fleet_action.orders.records import MinesOrder
from games.fleet_action.rules import command, elint, equipment, fire, losses, telling, weapons
from games.fleet_action.rules.damage import Struck, Wounding
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Flight, Salvo, Ship, Squadron, Zone
from games.fleet_action.table import Table
from games.fleet_action.tables import TABLES
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex, distance


def delay(range_: int) -> int:
    """FA-WPN-9: pulses from launch to impact."""
    return -(-range_ // TABLES.ballistic_step) + 1


def turn_and_pulse(index: int) -> tuple[int, int]:
    """A pulse index as turn and pulse."""
    return (index - 1) // 3 + 1, (index - 1) % 3 + 1


# --- salvos ----------------------------------------------------------------------------------------------------------


def launch(battle: Battle, shot: Shot) -> None:
    """FA-WPN-9: arc, x, bypass, multipliers and sensor are frozen at launch."""
    assert shot.type is not None
    number = _next_number(battle)
    impact = battle.now + delay(shot.distance)
    salvo = Salvo(
        weapon=shot.type.key,
        firer=shot.firer,
        side=shot.side,
        launch=battle.now,
        impact=impact,
        x=shot.x,
        sensor=shot.sensor,
        offensive=shot.offensive,
        bypass=shot.bypass,
        shift=elint.is_fire_control_jammed(battle, battle.ships[shot.firer]),
        target=shot.target,
        number=number,
    )
    battle.salvos.append(salvo)
    turn, pulse = turn_and_pulse(impact)
    facts: dict[str, Any] = {
        "side": shot.side,
        "weapon": shot.weapon,
        "weapon_name": shot.weapon_name,
        "firer": shot.firer,
    }
    facts |= {"target": shot.target, "target_side": shot.target_side, "x": shot.x}
    facts |= {"impact_turn": turn, "impact_pulse": pulse}
    battle.tell("salvo", "FA-WPN-9", battle.audience, facts)


def _next_number(battle: Battle) -> int:
    number = battle.state.salvos_launched + 1
    battle.state = replace(battle.state, salvos_launched=number)
    return number


# --- mines -----------------------------------------------------------------------------------------------------------


def mine_radius(launchers: int) -> int:
    """FA-WPN-11: the radius of so many mines."""
    for radius, most in enumerate(TABLES.mine_radius.most):
        if launchers <= most:
            return radius
    return len(TABLES.mine_radius.most)


def why_not_launched(table: Table, ship: Ship, at: Hex) -> str | None:
    """FA-WPN-10, FA-E-22: what keeps a ship from launching at this hex; None: it launches."""
    squadron = table.squadrons[ship.squadron]
    mines = mine_mounts(table, ship)
    if not mines:
        return f"{ship.name} has no energy mines that work"
    if command.is_out_of_command(table, ship) and not squadron.stray:
        return f"{ship.name} is out of command"
    far = distance(ship.hex, at)
    limit = max(table.cards.weapons[table.card(ship).weapons[n].weapon].range[0] for n in mines)
    if far > limit:
        return f"{ship.name} is {far} hexes from {printed(at)}, the range is {limit}"
    if not any(weapons.x_towards(table, ship, number, at) for number in mines):
        return f"{ship.name}: {printed(at)} is not in the arc of its mines"
    return None


def mine_mounts(table: Table, ship: Ship) -> list[int]:
    return [
        number
        for number, _, weapon in table.mounts(ship)
        if weapon.proximity and ship.weapon_left[number] and number not in ship.powered_off
    ]


def launch_mines(battle: Battle) -> None:
    """FA-WPN-10: step 2, pulse 0; one hex for all mines of a squadron."""
    for squadron in battle.in_play():
        order = battle.book.one(MinesOrder, squadron.name)
        if order is not None and squadron.state != "withdrawing":
            _launch_mines(battle, squadron, order)


def _launch_mines(battle: Battle, squadron: Squadron, order: MinesOrder) -> None:
    total, ships = 0, []
    for ship in battle.members(squadron):
        if (order.ships and ship.name not in order.ships) or why_not_launched(battle, ship, order.hex) is not None:
            continue
        for number in mine_mounts(battle, ship):
            if weapons.is_ready(battle, ship, number):
                x = weapons.x_towards(battle, ship, number, order.hex)
                total += weapons.lessened(x, weapons.multiplier(battle, ship))
                battle.put(weapons.fired(battle, battle.ships[ship.name], number))
                ships.append(ship.name)
    if not total:
        return
    wait = delay(distance(squadron.hex, order.hex))
    key = next(w.key for s in ships for _, _, w in battle.mounts(battle.ships[s]) if w.proximity)
    battle.salvos.append(
        Salvo(
            weapon=key,
            firer=squadron.name,
            side=squadron.side,
            launch=battle.now,
            impact=battle.now + wait,
            x=total,
            hex=order.hex,
            launchers=tuple(dict.fromkeys(ships)),
            number=_next_number(battle),
        )
    )
    turn, pulse = turn_and_pulse(battle.now + wait)
    facts: dict[str, Any] = {
        "side": squadron.side,
        "squadron": squadron.name,
        "launchers": total,
        "hex": printed(order.hex),
    }
    facts |= {"ships": list(dict.fromkeys(ships)), "impact_turn": turn, "impact_pulse": pulse, "delay": wait}
    battle.tell("mine_launch", "FA-WPN-10", battle.audience, facts)


# --- impact ----------------------------------------------------------------------------------------------------------


@dataclass
class _Burst:
    """A mine salvo that bursts: who is within the radius, and who is hit."""

    salvo: Salvo
    radius: int
    rolls: list[Roll] = field(default_factory=list)
    hit: list[Ship | Flight] = field(default_factory=list)
    results: list[dict[str, object]] = field(default_factory=list)


def impacts(battle: Battle) -> None:
    """Step 3.1: all to-hit dice of the salvos due, then all damage; effects apply together."""
    due = [salvo for salvo in battle.salvos if salvo.impact == battle.now]
    if not due:
        return
    battle.part = "impact"
    battle.salvos = [salvo for salvo in battle.salvos if salvo.impact > battle.now]
    arrivals = [_arrive(battle, salvo) for salvo in sorted(due, key=lambda salvo: _launch_order(battle, salvo))]
    shots = [arrival for arrival in arrivals if isinstance(arrival, Shot)]
    equipment.guard(battle, shots)
    for arrival in arrivals:
        if isinstance(arrival, _Burst):
            _roll_burst(battle, arrival)
        elif arrival is not None:
            fire.roll_to_hit(battle, [arrival])
    for arrival in arrivals:
        if isinstance(arrival, _Burst):
            _damage_burst(battle, arrival)
        elif arrival is not None:
            fire.roll_damage(battle, [arrival])
    losses.sink(battle, "impact")
    battle.part = ""


def _launch_order(battle: Battle, salvo: Salvo) -> tuple[int, int, int, int]:
    """By launch; salvos of one pulse in side and roster order of the launchers."""
    names = [name for side in battle.side_order for s in battle.roster(side) for name in (s.name, *s.ships)]
    rank = names.index(salvo.firer) if salvo.firer in names else len(names)
    return salvo.launch, battle.side_order.index(salvo.side), rank, salvo.number


def _arrive(battle: Battle, salvo: Salvo) -> Shot | _Burst | None:
    if salvo.hex is not None:
        return _Burst(salvo, mine_radius(salvo.x))
    target = battle.living(salvo.target or "") or battle.flights.get(salvo.target or "")
    if target is None or (isinstance(target, Flight) and target.state != "flying"):
        _tell_lost(battle, salvo)
        return None
    return _impact_shot(battle, salvo, target)


def _tell_lost(battle: Battle, salvo: Salvo) -> None:
    weapon = battle.cards.weapons[salvo.weapon]
    target = battle.ships.get(salvo.target or "")
    flight = battle.flights.get(salvo.target or "")
    side = battle.side_of(target) if target else (flight.side if flight else salvo.side)
    facts: dict[str, Any] = {"side": salvo.side, "firer": salvo.firer, "firer_kind": "ship", "target": salvo.target}
    facts |= {"target_kind": "ship" if target else "flight", "target_side": side, "weapon": salvo.weapon}
    more: dict[str, Any] = {
        "weapon_name": weapon.name,
        "x": salvo.x,
        "dice": [],
        "need": None,
        "hits": 0,
        "distance": None,
    }
    more |= {"bracket": "short", "arc": None, "modifiers": {}, "full": False, "lost": True}
    battle.tell("impact", "FA-WPN-9", battle.audience, {**facts, **more, "firer_hex": None, "target_hex": None})


def _impact_shot(battle: Battle, salvo: Salvo, target: Ship | Flight) -> Shot:
    weapon: WeaponType = battle.cards.weapons[salvo.weapon]
    firer = battle.ships[salvo.firer]
    is_ship = isinstance(target, Ship)
    jammer = int(weapons.is_jammed_by(battle, firer, target))
    shot = Shot(
        side=salvo.side,
        firer=salvo.firer,
        firer_kind="ship",
        weapon=salvo.weapon,
        weapon_name=weapon.name,
        weapon_class=weapon.subclass or "ballistic",
        target=target.name,
        target_kind="ship" if is_ship else "flight",
        target_side=battle.side_of(target) if isinstance(target, Ship) else target.side,
        x=salvo.x,
        die=weapon.fc[weapons.column(battle, target)],
        sensor=salvo.sensor,
        defence=fire.defence_of(battle, target) if isinstance(target, Ship) else battle.fighter(target).defence,
        bracket=min(weapons.EXTREME, salvo.shift + jammer),
        bypass=salvo.bypass,
        offensive=salvo.offensive,
        type=weapon,
        label=f"salvo {salvo.number}",
        kind="impact",
        rule="FA-WPN-9",
    )
    if isinstance(target, Ship):
        shot.defensive = elint.defensive_support(battle, target)
        shot.interceptor = battle.interceptor_level(target)
        shot.struck = Struck.on_best(battle.card(target))
        shot.style = TABLES.styles[battle.squadrons[target.squadron].style][2]
    return shot


def _within(battle: Battle, burst: _Burst) -> list[Ship | Flight]:
    """FA-WPN-12: ships, then flying flights, of any side, in side and roster order."""
    centre = burst.salvo.hex
    assert centre is not None
    ships = [ship for ship in battle.everyone(battle.side_order) if distance(ship.hex, centre) <= burst.radius]
    flights = [
        flight
        for side in battle.side_order
        for flight in battle.airborne()
        if flight.side == side and flight.hex is not None and distance(flight.hex, centre) <= burst.radius
    ]
    return [*ships, *flights]


def _roll_burst(battle: Battle, burst: _Burst) -> None:
    """FA-WPN-12, 14: one roll per unit per salvo; no def, sensor or equipment applies."""
    for unit in _within(battle, burst):
        is_ship = isinstance(unit, Ship)
        category = battle.card(unit).category if isinstance(unit, Ship) else "fighter"
        modifier = TABLES.mine_modifier[category]
        roll = battle.roll(TABLES.mine_die, "mines", burst.salvo.number, unit.name, "to hit")
        hit = roll.face + modifier >= TABLES.mine_to_hit
        burst.rolls.append(roll)
        side = battle.side_of(unit) if isinstance(unit, Ship) else unit.side
        burst.results.append({"unit": unit.name, "side": side, "die": roll.face, "modifier": modifier, "hit": hit})
        if is_ship:
            battle.flags.fired_on.add(battle.ships[unit.name].squadron)
        if hit:
            burst.hit.append(unit)


def _damage_burst(battle: Battle, burst: _Burst) -> None:
    salvo = burst.salvo
    assert salvo.hex is not None
    facts: dict[str, Any] = {
        "side": salvo.side,
        "squadron": salvo.firer,
        "launchers": salvo.x,
        "hex": printed(salvo.hex),
    }
    facts |= {"radius": burst.radius, "results": burst.results}
    battle.tell("mine_burst", "FA-WPN-12", battle.audience, facts, burst.rolls)
    battle.zones.append(Zone(salvo.hex, burst.radius, salvo.side))
    for unit in burst.hit:
        if isinstance(unit, Ship):
            _mine_ship(battle, salvo, unit)
        else:
            _mine_flight(battle, salvo, unit)


def _mine_shot(battle: Battle, salvo: Salvo, target: Ship | Flight) -> Shot:
    """A mine's hit told as any other hit is."""
    side = battle.side_of(target) if isinstance(target, Ship) else target.side
    kind = "ship" if isinstance(target, Ship) else "flight"
    name = battle.cards.weapons[salvo.weapon].name
    label = f"salvo {salvo.number}"
    shot = Shot(
        salvo.side, salvo.firer, "squadron", salvo.weapon, name, "particle", target.name, kind, side, 1, 0, 0, 0
    )
    shot.label, shot.totals = label, [0]
    return shot


def _mine_ship(battle: Battle, salvo: Salvo, ship: Ship) -> None:
    """FA-WPN-12: one d12, as particle, on the best armour."""
    shot = _mine_shot(battle, salvo, ship)
    shot.struck = Struck.on_best(battle.card(ship))
    wounding = Wounding(battle, ship.name, shot.struck, fire.draw_for(battle, shot))
    faces = battle.cards.weapons[salvo.weapon].damage[0][1]
    wounding.die(wounding.draw(faces, "damage"), shot.struck.armour, "particle")
    telling.tell_damage(battle, shot, wounding.wounds, shot.struck.armour)


def _mine_flight(battle: Battle, salvo: Salvo, flight: Flight) -> None:
    """FA-WPN-13: at the armour or more, 1 fighter and one for every two points beyond."""
    shot = _mine_shot(battle, salvo, flight)
    faces = battle.cards.weapons[salvo.weapon].damage[0][1]
    roll = fire.draw_for(battle, shot)(faces, "damage")
    armour = battle.fighter(flight).armor
    kills = 1 + (roll.face - armour) // 2 if roll.face >= armour else 0
    lost = min(kills, battle.flights[flight.name].count)
    fire.lose_fighters(battle, flight, lost, "mines")
    results: list[dict[str, object]] = [{"die": roll.face, "severity": "kill" if kills else "none", "marks": []}]
    facts: dict[str, Any] = {"side": flight.side, "target": flight.name, "firer": salvo.firer, "firer_side": salvo.side}
    facts |= {"weapon": salvo.weapon, "weapon_name": shot.weapon_name, "arc": None, "armour": armour}
    facts |= {"results": results, "marks": [], "structure": None, "kills": lost, "full": True}
    battle.tell("damage", "FA-WPN-13", battle.audience, facts, [roll])

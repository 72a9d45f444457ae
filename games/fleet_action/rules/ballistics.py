"""FA-WPN-9..14: ballistic salvos and energy mines, from launch to impact."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import MinesOrder
from games.fleet_action.rules import command, elint, equipment, fire, losses, telling, weapons
from games.fleet_action.rules.damage import Struck, Wounding
from games.fleet_action.rules.salvos import Salvo, Volley
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Flight, Ship, Squadron, Zone
from games.fleet_action.table import Table, printed, turn_and_pulse
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.records import shared


def delay(range_: int) -> int:
    """FA-WPN-9: pulses from launch to impact."""
    return -(-range_ // TABLES.ballistic_step) + 1


# --- launching -------------------------------------------------------------------------------------------------------


def launch(table: Table, shot: Shot) -> None:
    """FA-WPN-9: arc, x, bypass, multipliers and sensor are frozen at launch."""
    assert shot.type is not None
    frozen = {**shared(Volley, shot), "weapon": shot.type.key}
    shift = elint.is_fire_control_jammed(table, table.ships[shot.firer])
    salvo = _send(table, delay(shot.distance), **frozen, shift=shift)
    facts = {
        "side": shot.side,
        "weapon": shot.weapon,
        "weapon_name": shot.weapon_name,
        "firer": shot.firer,
        "target": shot.target,
        "target_side": shot.target_side,
        "x": shot.x,
        **_due(salvo),
    }
    table.tell("salvo", "FA-WPN-9", table.audience, facts)


def _send(table: Table, wait: int, **fields: Any) -> Salvo:
    """A salvo gets under way, the next in number."""
    number = table.state.salvos_launched + 1
    salvo = Salvo(launch=table.now, impact=table.now + wait, number=number, **fields)
    table.amend(salvos=(*table.state.salvos, salvo), salvos_launched=number)
    return salvo


def _due(salvo: Salvo) -> dict[str, int]:
    turn, pulse = turn_and_pulse(salvo.impact)
    return {"impact_turn": turn, "impact_pulse": pulse}


# --- mines -----------------------------------------------------------------------------------------------------------


def mine_radius(launchers: int) -> int:
    """FA-WPN-11: the radius of so many mines."""
    for radius, most in enumerate(TABLES.mine_radius.most):
        if launchers <= most:
            return radius
    return len(TABLES.mine_radius.most)


def why_not_launched(table: Table, ship: Ship, at: Hex) -> str | None:
    """FA-WPN-10, FA-E-22: what keeps a ship from launching at this hex; None: it launches."""
    mines = mine_mounts(table, ship)
    if not mines:
        return f"{ship.name} has no energy mines that work"
    if command.is_out_of_command(table, ship) and not table.squadron(ship).stray:
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


def launch_mines(table: Table) -> None:
    """FA-WPN-10: step 2, pulse 0; one hex for all mines of a squadron."""
    for squadron in table.in_play():
        order = table.book.first(MinesOrder, squadron.name)
        if order is not None and squadron.state != "withdrawing":
            _launch_mines(table, squadron, order)


def _launch_mines(table: Table, squadron: Squadron, order: MinesOrder) -> None:
    total, ships = 0, []
    for ship in table.members(squadron):
        if (order.ships and ship.name not in order.ships) or why_not_launched(table, ship, order.hex) is not None:
            continue
        for number in mine_mounts(table, ship):
            if weapons.is_ready(table, ship, number):
                x = weapons.x_towards(table, ship, number, order.hex)
                total += weapons.lessened(x, weapons.multiplier(table, ship))
                table.put(weapons.fired(table, table.ships[ship.name], number))
                ships.append(ship.name)
    if not total:
        return
    wait = delay(distance(squadron.hex, order.hex))
    launchers = tuple(dict.fromkeys(ships))
    key = next(weapon.key for _, _, weapon in table.mounts(table.ships[ships[0]]) if weapon.proximity)
    salvo = _send(
        table,
        wait,
        weapon=key,
        firer=squadron.name,
        side=squadron.side,
        x=total,
        hex=order.hex,
        launchers=launchers,
    )
    facts = {
        "side": squadron.side,
        "squadron": squadron.name,
        "launchers": total,
        "hex": printed(order.hex),
        "ships": list(launchers),
        **_due(salvo),
        "delay": wait,
    }
    table.tell("mine_launch", "FA-WPN-10", table.audience, facts)


# --- impact ----------------------------------------------------------------------------------------------------------


@dataclass
class _Burst:
    """A mine salvo that bursts: who is within the radius, and who is hit."""

    salvo: Salvo
    at: Hex
    radius: int
    rolls: list[Roll] = field(default_factory=list)
    hit: list[Ship | Flight] = field(default_factory=list)
    results: list[dict[str, object]] = field(default_factory=list)


def impacts(table: Table) -> None:
    """Step 3.1: all to-hit dice of the salvos due, then all damage; effects apply together."""
    due = [salvo for salvo in table.state.salvos if salvo.impact == table.now]
    if not due:
        return
    table.part = "impact"
    table.amend(salvos=tuple(salvo for salvo in table.state.salvos if salvo.impact > table.now))
    arrivals = [_arrive(table, salvo) for salvo in sorted(due, key=lambda salvo: _launch_order(table, salvo))]
    guarded = iter(equipment.guard(table, [arrival for arrival in arrivals if isinstance(arrival, Shot)]))
    arrivals = [next(guarded) if isinstance(arrival, Shot) else arrival for arrival in arrivals]
    for arrival in arrivals:
        if isinstance(arrival, _Burst):
            _roll_burst(table, arrival)
        elif arrival is not None:
            fire.roll_to_hit(table, [arrival])
    for arrival in arrivals:
        if isinstance(arrival, _Burst):
            _damage_burst(table, arrival)
        elif arrival is not None:
            fire.roll_damage(table, [arrival])
    losses.sink(table, "impact")
    table.part = ""


def _launch_order(table: Table, salvo: Salvo) -> tuple[int, int, int, int]:
    """By launch; salvos of one pulse in side and roster order of the launchers."""
    names = [name for side in table.side_order for s in table.roster(side) for name in (s.name, *s.ships)]
    rank = names.index(salvo.firer) if salvo.firer in names else len(names)
    return salvo.launch, table.side_order.index(salvo.side), rank, salvo.number


def _arrive(table: Table, salvo: Salvo) -> Shot | _Burst | None:
    if salvo.hex is not None:
        return _Burst(salvo, salvo.hex, mine_radius(salvo.x))
    target = table.living(salvo.target) or table.flights.get(salvo.target or "")
    if target is None or (isinstance(target, Flight) and target.state != "flying"):
        _tell_lost(table, salvo)
        return None
    return _impact_shot(table, salvo, target)


def _tell_lost(table: Table, salvo: Salvo) -> None:
    ship = table.ships.get(salvo.target or "")
    target = ship or table.flights.get(salvo.target or "")
    facts: dict[str, Any] = {
        "side": salvo.side,
        "firer": salvo.firer,
        "firer_kind": "ship",
        "target": salvo.target,
        "target_kind": "ship" if ship else "flight",
        "target_side": table.side_of(target) if target else salvo.side,
        "weapon": salvo.weapon,
        "weapon_name": table.cards.weapons[salvo.weapon].name,
        "x": salvo.x,
        "dice": [],
        "need": None,
        "hits": 0,
        "distance": None,
        "bracket": "short",
        "arc": None,
        "modifiers": {},
        "full": False,
        "lost": True,
        "firer_hex": None,
        "target_hex": None,
    }
    table.tell("impact", "FA-WPN-9", table.audience, facts)


def _impact_shot(table: Table, salvo: Salvo, target: Ship | Flight) -> Shot:
    weapon = table.cards.weapons[salvo.weapon]
    jammer = int(weapons.is_jammed_by(table, table.ships[salvo.firer], target))
    frozen = {**shared(Volley, salvo), **fire.at_target(table, target)}
    return Shot(
        **frozen,
        firer_kind="ship",
        weapon_name=weapon.name,
        weapon_class=weapon.subclass or "ballistic",
        die=weapon.fc[weapons.column(table, target)],
        bracket=min(weapons.EXTREME, salvo.shift + jammer),
        type=weapon,
        label=f"salvo {salvo.number}",
        kind="impact",
        rule="FA-WPN-9",
        **_on_ship(table, target),
    )


def _on_ship(table: Table, target: Ship | Flight) -> dict[str, Any]:
    """What helps a ship when ballistics arrive."""
    if isinstance(target, Flight):
        return {}
    return {
        "defensive": elint.defensive_support(table, target),
        "interceptor": table.interceptor_level(target),
        "struck": Struck.on_best(table.card(target)),
        "style": fire.defence_style(table, target),
    }


def _within(table: Table, burst: _Burst) -> list[Ship | Flight]:
    """FA-WPN-12: ships, then flying flights, of any side, in side and roster order."""
    flights = [flight for side in table.side_order for flight in table.airborne() if flight.side == side]
    units: list[Ship | Flight] = [*table.everyone(table.side_order), *flights]
    return [unit for unit in units if unit.hex is not None and distance(unit.hex, burst.at) <= burst.radius]


def _roll_burst(table: Table, burst: _Burst) -> None:
    """FA-WPN-12, 14: one roll per unit per salvo; no def, sensor or equipment applies."""
    for unit in _within(table, burst):
        category = table.card(unit).category if isinstance(unit, Ship) else "fighter"
        modifier = TABLES.mine_modifier[category]
        roll = table.roll(TABLES.mine_die, "mines", burst.salvo.number, unit.name, "to hit")
        hit = roll.face + modifier >= TABLES.mine_to_hit
        burst.rolls.append(roll)
        side = table.side_of(unit)
        burst.results.append({"unit": unit.name, "side": side, "die": roll.face, "modifier": modifier, "hit": hit})
        if isinstance(unit, Ship):
            table.flags.fired_on.add(unit.squadron)
        if hit:
            burst.hit.append(unit)


def _damage_burst(table: Table, burst: _Burst) -> None:
    salvo = burst.salvo
    facts = {
        "side": salvo.side,
        "squadron": salvo.firer,
        "launchers": salvo.x,
        "hex": printed(burst.at),
        "radius": burst.radius,
        "results": burst.results,
    }
    table.tell("mine_burst", "FA-WPN-12", table.audience, facts, burst.rolls)
    table.zones.append(Zone(burst.at, burst.radius, salvo.side))
    for unit in burst.hit:
        if isinstance(unit, Ship):
            _mine_ship(table, salvo, unit)
        else:
            _mine_flight(table, salvo, unit)


def _mine_shot(table: Table, salvo: Salvo, target: Ship | Flight) -> Shot:
    """A mine's hit told as any other hit is."""
    return Shot(
        side=salvo.side,
        firer=salvo.firer,
        firer_kind="squadron",
        weapon=salvo.weapon,
        weapon_name=table.cards.weapons[salvo.weapon].name,
        weapon_class="particle",
        x=1,
        die=0,
        label=f"salvo {salvo.number}",
        totals=[0],
        struck=Struck.on_best(table.card(target)) if isinstance(target, Ship) else None,
        **fire.at_target(table, target),
    )


def _mine_ship(table: Table, salvo: Salvo, ship: Ship) -> None:
    """FA-WPN-12: one d12, as particle, on the best armour."""
    shot = _mine_shot(table, salvo, ship)
    assert shot.struck is not None
    wounding = Wounding(table, ship.name, shot.struck, fire.draw_for(table, shot))
    faces = table.cards.weapons[salvo.weapon].damage[0][1]
    wounding.die(wounding.draw(faces, "damage"), shot.struck.armour, "particle")
    telling.tell_damage(table, shot, wounding.wounds, shot.struck.armour)


def _mine_flight(table: Table, salvo: Salvo, flight: Flight) -> None:
    """FA-WPN-13: at the armour or more, 1 fighter and one for every two points beyond."""
    shot = _mine_shot(table, salvo, flight)
    faces = table.cards.weapons[salvo.weapon].damage[0][1]
    roll = fire.draw_for(table, shot)(faces, "damage")
    armour = table.fighter(flight).armor
    kills = 1 + (roll.face - armour) // 2 if roll.face >= armour else 0
    lost = min(kills, table.flights[flight.name].count)
    fire.lose_fighters(table, flight, lost, "mines")
    results: list[dict[str, object]] = [{"die": roll.face, "severity": "kill" if kills else "none", "marks": []}]
    facts = telling.damage_facts(shot, armour, results, [], lost)
    table.tell("damage", "FA-WPN-13", table.audience, facts, [roll])

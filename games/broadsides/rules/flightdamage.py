"""BR-DMG-16, BR-WPN-3, 7, 8: what hits small craft."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.data import WeaponType
from games.broadsides.rules.battle import Battle, Tally
from games.broadsides.rules.damage import ArmourEffect, roll_dice
from games.broadsides.rules.geometry import bears
from games.broadsides.rules.tohit import chance
from games.broadsides.state import Fighter, Flight, Ship, living
from pbem.kit.hexgrid import distance

WEB_RANGE = 1
WEB_DAMAGE = 1


def chosen_fighter(battle: Battle, flight: Flight) -> int | None:
    """BR-DMG-16: the defender's choice: focus takes the weakest living fighter, spread the strongest."""
    spread = battle.doctrine.of(flight.name).spread
    alive = living(flight)
    if not alive:
        return None
    return min(alive, key=lambda i: (-flight.fighters[i].structure if spread else flight.fighters[i].structure, i))


def hit_flight(
    battle: Battle,
    name: str,
    tally: Tally,
    damage: int,
    *,
    armour: ArmourEffect = "full",
    index: int | None = None,
) -> int:
    """One standard hit on one fighter; the damage done."""
    flight = battle.flights[name]
    at = chosen_fighter(battle, flight) if index is None else index
    if at is None:
        return 0
    value = battle.craft(flight).armour
    met = {"full": value, "half": value // 2, "none": 0}[armour]
    done = max(0, damage - met)
    facts = {
        "target": name,
        "side": "",
        "section": "",
        "location": f"fighter {at + 1}",
        "damage": done,
        "armour": met,
    }
    battle.tell("hit", "BR-DMG-16", facts, tally.taken())
    hurt_fighter(battle, name, at, done)
    return done


def hurt_fighter(battle: Battle, name: str, index: int, damage: int) -> None:
    """A fighter loses structure; with the last one the flight is gone."""
    if damage <= 0:
        return
    flight = battle.flights[name]
    fighter = flight.fighters[index]
    set_fighter(battle, name, index, replace(fighter, structure=max(0, fighter.structure - damage), damaged=True))
    if battle.flights[name].fighters[index].structure <= 0:
        battle.tell("destroyed_system", "BR-DMG-16", {"unit": name, "item": f"fighter {index + 1}", "section": ""})
    end_flight(battle, name)


def set_fighter(battle: Battle, name: str, index: int, fighter: Fighter) -> None:
    flight = battle.flights[name]
    fighters = (*flight.fighters[:index], fighter, *flight.fighters[index + 1 :])
    battle.put(replace(flight, fighters=fighters))


def end_flight(battle: Battle, name: str) -> None:
    """A flight without a living fighter leaves the map."""
    flight = battle.flights[name]
    if flight.status == "on-map" and not living(flight):
        battle.put(replace(flight, status="destroyed"))
        at = [*flight.position]
        facts = {"unit": name, "why": "its last fighter is out", "hex": at, "side": flight.side}
        battle.tell("ship_lost", "BR-DMG-16", facts)


def light_pulses_on_flight(battle: Battle, name: str, tally: Tally, hits: int, damage: int, split: int) -> None:
    """BR-WPN-3: spread over up to N fighters, one pulse lost for each change of target."""
    flight = battle.flights[name]
    alive = sorted(living(flight), key=lambda i: (flight.fighters[i].structure, i))
    n = max(1, min(split, len(alive)))
    while n > 1 and hits - (n - 1) < n:
        n -= 1
    pulses = hits - (n - 1)
    shares = [pulses // n + (1 if place < pulses % n else 0) for place in range(n)]
    over = 0
    for index, share in zip(alive[:n], shares, strict=True):
        over += share
        while over and battle.flights[name].fighters[index].structure > 0:
            hit_flight(battle, name, tally, damage, index=index)
            over -= 1


# --- drop-outs -------------------------------------------------------------------------------------------------------


def drop_out(battle: Battle, name: str, index: int, tally: Tally, rule: str) -> bool:
    """BR-FTR-11: a d6 above the structure left puts the fighter out for the battle."""
    fighter = battle.flights[name].fighters[index]
    die = tally.roll(6, "drop-out")
    out = die > fighter.structure
    if out:
        set_fighter(battle, name, index, replace(fighter, dropped_out=True))
    _tell_dropout(battle, name, index, die, fighter.structure, rule, tally, out="for the battle" if out else "")
    if out:
        end_flight(battle, name)
    return out


def _tell_dropout(
    battle: Battle, name: str, index: int, die: int, left: int, rule: str, tally: Tally, *, out: str
) -> None:
    rolls, side = tally.taken(), battle.flights[name].side
    item = f"fighter {index + 1}"
    facts = {"unit": name, "item": item, "die": die, "left": left, "out": bool(out), "how": out}
    battle.tell("dropout", rule, facts, rolls, seen_by=[side])
    battle.tell("dropout", rule, {**facts, "left": None}, rolls, seen_by=[battle.enemy(side)])


def fighter_dropouts(battle: Battle) -> None:
    """R10: side 1, side 2, roster, fighter number."""
    for side in battle.sides:
        for flight in battle.flights_of(side):
            for index, fighter in enumerate(flight.fighters):
                if fighter.damaged and fighter.alive:
                    drop_out(battle, flight.name, index, battle.tally(flight.name, index + 1), "BR-FTR-11")


# --- area weapons ----------------------------------------------------------------------------------------------------


def pulsar_mine(battle: Battle, firer: Ship, mount: str, weapon: WeaponType, target: Flight) -> None:
    """BR-WPN-7: one roll for each living fighter."""
    t = chance(battle, firer, weapon, target)
    for index in living(target):
        tally = battle.tally(firer.name, mount, target.name, index + 1)
        die = tally.roll(20, "to hit")
        hit = die <= t.total
        facts = {
            "firer": firer.name,
            "mount": mount,
            "weapon": weapon.name,
            "target": f"{target.name} fighter {index + 1}",
            "range": distance(firer.position, target.position),
            "need": t.total,
            "signature": t.signature,
            "ew": t.ew,
            "range_modifier": t.range_modifier,
            "situation": t.situation,
            "die": die,
            "hit": hit,
            "pulses": 0,
            "swept": 0,
            "result": "hit" if hit else "miss",
            "side": firer.side,
            "from": [*firer.position],
            "to": [*target.position],
        }
        battle.tell("fire", "BR-WPN-7", facts, tally.taken())
        if hit:
            dice = weapon.dice
            damage = roll_dice(tally, [dice.sides] * dice.dice) + dice.plus
            hit_flight(battle, target.name, tally, damage, index=index)


def plasma_web(battle: Battle, firer: Ship, mount: str) -> None:
    """BR-WPN-8: a point to every craft in arc, either side's, and the double drop-out roll."""
    arc = battle.sheet(firer).systems[mount].arc
    for unit in list(battle.units()):
        if not isinstance(unit, Flight) or distance(firer.position, unit.position) > WEB_RANGE:
            continue
        if not bears(firer, arc, unit.position):
            continue
        for index in living(unit):
            tally = battle.tally(firer.name, mount, unit.name, index + 1)
            hit_flight(battle, unit.name, tally, WEB_DAMAGE, armour="none", index=index)
            if battle.flights[unit.name].fighters[index].alive:
                _double_drop_out(battle, unit.name, index, tally)


def _double_drop_out(battle: Battle, name: str, index: int, tally: Tally) -> None:
    """Failing the first d6 is for this turn, failing the second for good."""
    fighter = battle.flights[name].fighters[index]
    die = tally.roll(6, "first drop-out")
    failed = die > fighter.structure
    how = "for this turn" if failed else ""
    _tell_dropout(battle, name, index, die, fighter.structure, "BR-WPN-8", tally, out=how)
    if failed:
        set_fighter(battle, name, index, replace(fighter, temporary_out=True))
        drop_out(battle, name, index, tally, "BR-WPN-8")

"""BR-DMG-16, BR-WPN-3, 7, 8: what hits small craft."""

from __future__ import annotations

from games.broadsides.data import WeaponType
from games.broadsides.rules.damage import ArmourEffect, roll_damage
from games.broadsides.rules.geometry import bears
from games.broadsides.rules.tohit import chance, shot_facts
from games.broadsides.state import Flight, Ship
from games.broadsides.table import Table
from pbem.kit.hexgrid import distance
from pbem.kit.table import Tally

WEB_RANGE = 1
WEB_DAMAGE = 1


def chosen_fighter(table: Table, flight: Flight) -> int | None:
    """BR-DMG-16: the defender's choice: focus takes the weakest living fighter, spread the strongest."""
    spread = table.doctrine.of(flight.name).spread
    alive = flight.living
    if not alive:
        return None
    return min(alive, key=lambda i: (-flight.fighters[i].structure if spread else flight.fighters[i].structure, i))


def hit_flight(
    table: Table,
    name: str,
    tally: Tally,
    damage: int,
    *,
    armour: ArmourEffect = "full",
    index: int | None = None,
) -> int:
    """One standard hit on one fighter; the damage done."""
    flight = table.flights[name]
    at = chosen_fighter(table, flight) if index is None else index
    if at is None:
        return 0
    value = table.craft(flight).armour
    met = {"full": value, "half": value // 2, "none": 0}[armour]
    done = max(0, damage - met)
    place = {"target": name, "side": "", "section": "", "location": f"fighter {at + 1}"}
    table.tell("hit", "BR-DMG-16", table.sides, {**place, "damage": done, "armour": met}, tally.taken())
    hurt_fighter(table, name, at, done)
    return done


def hurt_fighter(table: Table, name: str, index: int, damage: int) -> None:
    """A fighter loses structure; with the last one the flight is gone."""
    if damage <= 0:
        return
    left = max(0, table.flights[name].fighters[index].structure - damage)
    table.set_fighter(name, index, structure=left, damaged=True)
    if not left:
        table.tell(
            "destroyed_system", "BR-DMG-16", table.sides, {"unit": name, "item": f"fighter {index + 1}", "section": ""}
        )
    end_flight(table, name)


def end_flight(table: Table, name: str) -> None:
    """A flight without a living fighter leaves the map."""
    flight = table.flights[name]
    if flight.status == "on-map" and not flight.living:
        table.change(flight, status="destroyed")
        at = [*flight.position]
        facts = {"unit": name, "why": "its last fighter is out", "hex": at, "side": flight.side}
        table.tell("ship_lost", "BR-DMG-16", table.sides, facts)


def light_pulses_on_flight(table: Table, name: str, tally: Tally, hits: int, damage: int, split: int) -> None:
    """BR-WPN-3: spread over up to N fighters, one pulse lost for each change of target."""
    flight = table.flights[name]
    alive = sorted(flight.living, key=lambda i: (flight.fighters[i].structure, i))
    n = max(1, min(split, len(alive)))
    while n > 1 and hits - (n - 1) < n:
        n -= 1
    pulses = hits - (n - 1)
    shares = [pulses // n + (1 if place < pulses % n else 0) for place in range(n)]
    over = 0
    for index, share in zip(alive[:n], shares, strict=True):
        over += share
        while over and table.flights[name].fighters[index].structure > 0:
            hit_flight(table, name, tally, damage, index=index)
            over -= 1


# --- drop-outs -------------------------------------------------------------------------------------------------------


def drop_out(table: Table, name: str, index: int, tally: Tally, rule: str) -> bool:
    """BR-FTR-11: a d6 above the structure left puts the fighter out for the battle."""
    fighter = table.flights[name].fighters[index]
    die = tally.roll(6, "drop-out")
    out = die > fighter.structure
    if out:
        table.set_fighter(name, index, dropped_out=True)
    _tell_dropout(table, name, index, die, fighter.structure, rule, tally, out="for the battle" if out else "")
    if out:
        end_flight(table, name)
    return out


def _tell_dropout(
    table: Table, name: str, index: int, die: int, left: int, rule: str, tally: Tally, *, out: str
) -> None:
    item, owner = f"fighter {index + 1}", table.flights[name].side
    facts = {"unit": name, "item": item, "die": die, "left": left, "out": bool(out), "how": out}
    table.tell_masked("dropout", rule, owner, facts, {"left": None}, tally.taken())


def fighter_dropouts(table: Table) -> None:
    """R10: side 1, side 2, roster, fighter number."""
    for side in table.sides:
        for flight in table.flights_of(side):
            for index, fighter in enumerate(flight.fighters):
                if fighter.damaged and fighter.alive:
                    drop_out(table, flight.name, index, table.tally(flight.name, index + 1), "BR-FTR-11")


# --- area weapons ----------------------------------------------------------------------------------------------------


def pulsar_mine(table: Table, firer: Ship, mount: str, weapon: WeaponType, target: Flight) -> None:
    """BR-WPN-7: one roll for each living fighter."""
    t = chance(table, firer, weapon, target)
    for index in target.living:
        tally = table.tally(firer.name, mount, target.name, index + 1)
        die = tally.roll(20, "to hit")
        who = {"firer": firer.name, "mount": mount, "weapon": weapon.name}
        fighter = f"{target.name} fighter {index + 1}"
        facts = shot_facts(t, die, firer.side, firer.position, target.position, **who, target=fighter)
        table.tell("fire", "BR-WPN-7", table.sides, facts, tally.taken())
        if die <= t.total:
            hit_flight(table, target.name, tally, roll_damage(tally, weapon.dice), index=index)


def plasma_web(table: Table, firer: Ship, mount: str) -> None:
    """BR-WPN-8: a point to every craft in arc, either side's, and the double drop-out roll."""
    arc = table.sheet(firer).systems[mount].arc
    for flight in list(table.flights_there()):
        if distance(firer.position, flight.position) > WEB_RANGE or not bears(firer, arc, flight.position):
            continue
        for index in flight.living:
            tally = table.tally(firer.name, mount, flight.name, index + 1)
            hit_flight(table, flight.name, tally, WEB_DAMAGE, armour="none", index=index)
            if table.flights[flight.name].fighters[index].alive:
                _double_drop_out(table, flight.name, index, tally)


def _double_drop_out(table: Table, name: str, index: int, tally: Tally) -> None:
    """Failing the first d6 is for this turn, failing the second for good."""
    fighter = table.flights[name].fighters[index]
    die = tally.roll(6, "first drop-out")
    failed = die > fighter.structure
    how = "for this turn" if failed else ""
    _tell_dropout(table, name, index, die, fighter.structure, "BR-WPN-8", tally, out=how)
    if failed:
        table.set_fighter(name, index, temporary_out=True)
        drop_out(table, name, index, tally, "BR-WPN-8")

"""Chapter 4.11 and BR-LOC-8: what losing blocks, rows, sections and ships means."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.data import System
from games.broadsides.rules.battle import Battle, Tally
from games.broadsides.state import PERMANENT, Flight, Ship, blocks_left, rows_lost

HANGAR_BLOCKS = 4
"""BR-CRT-10: so many blocks are one berth."""
ROW_EFFECTS = {
    "cnc": "C&C row lost: initiative -2, EW -1",
    "sensors": "sensor row lost: EW -1",
    "thruster": "thruster row lost: thrust -1",
    "shieldgen": "shield row lost: rating -1",
}


def lose_blocks(battle: Battle, name: str, system: System, blocks: int, tally: Tally) -> None:
    """A system loses blocks, with all that follows (BR-CRT-1 to 10)."""
    ship = battle.ships[name]
    rows = rows_lost(ship, system)
    lost = {**ship.blocks_lost, system.id: ship.blocks_lost.get(system.id, 0) + blocks}
    weapon = ship.weapon
    if system.id in weapon:
        weapon = {**weapon, system.id: replace(weapon[system.id], damaged=True)}
    ship = replace(ship, blocks_lost=lost, weapon=weapon)
    new_rows = rows_lost(ship, system) - rows
    if system.kind == "cnc":
        ship = replace(ship, cnc_rows_lost_this_turn=ship.cnc_rows_lost_this_turn + new_rows)
    battle.put(ship)
    _tell_rows(battle, ship, system, blocks, new_rows)
    if system.kind == "hangar":
        _lose_berths(battle, ship, system, blocks)
    if blocks_left(ship, system) <= 0:
        _lose_system(battle, ship, system, tally)


def _tell_rows(battle: Battle, ship: Ship, system: System, blocks: int, new_rows: int) -> None:
    """The owner reads what the loss costs."""
    facts: dict[str, object] = {"unit": ship.name, "kind": system.kind}
    if system.kind in ROW_EFFECTS and new_rows:
        facts |= {"value": new_rows, "text": ROW_EFFECTS[system.kind]}
    elif system.kind == "engine":
        facts |= {"value": blocks, "text": f"engine blocks lost: thrust -{blocks}"}
    elif system.kind == "reactor":
        facts |= {"value": blocks, "text": f"reactor blocks lost: power -{blocks}"}
    else:
        return
    rule = {"cnc": "BR-CRT-7", "sensors": "BR-CRT-3", "thruster": "BR-CRT-2", "shieldgen": "BR-CRT-9"}
    named = rule.get(system.kind, "BR-CRT-6" if system.kind == "engine" else "BR-CRT-4")
    battle.tell("critical", named, facts, seen_by=[ship.side])


def _lose_system(battle: Battle, ship: Ship, system: System, tally: Tally) -> None:
    battle.tell("destroyed_system", "BR-LOC-10", {"unit": ship.name, "item": system.id, "section": system.section})
    if system.kind == "battery":
        battle.put(replace(ship, battery={**ship.battery, system.id: 0}))
    if system.kind == "reactor":
        _lose_reactor(battle, ship, tally)


def _lose_reactor(battle: Battle, ship: Ship, tally: Tally) -> None:
    """BR-CRT-4, 5: one in ten blows up; an anti-matter reactor always does."""
    if battle.sheet(ship).anti_matter_reactor:
        destroy(battle, ship.name, "its anti-matter reactor is gone", "BR-CRT-5")
        return
    die = tally.roll(10, "reactor")
    facts = {"unit": ship.name, "kind": "reactor", "value": die, "text": f"reactor destroyed, rolled {die}"}
    battle.tell("critical", "BR-CRT-4", facts, tally.taken(), seen_by=[ship.side])
    if die == 1:
        destroy(battle, ship.name, "its reactor blows up", "BR-CRT-4")


def _lose_berths(battle: Battle, ship: Ship, system: System, blocks: int) -> None:
    """BR-CRT-10: each four blocks lost destroy one docked flight, lowest roster first."""
    after = ship.blocks_lost[system.id] // HANGAR_BLOCKS
    before = (ship.blocks_lost[system.id] - blocks) // HANGAR_BLOCKS
    for flight in docked(battle, ship.name)[: after - before]:
        dead = tuple(replace(fighter, structure=0) for fighter in flight.fighters)
        battle.put(replace(flight, status="destroyed", fighters=dead))
        battle.tell("ship_lost", "BR-CRT-10", {"unit": flight.name, "why": f"destroyed in the hangar of {ship.name}"})


def docked(battle: Battle, carrier: str) -> list[Flight]:
    """The flights in a ship's hangar, in roster order."""
    flights = (battle.flights[name] for name in battle.roster if name in battle.flights)
    return [one for one in flights if one.carrier == carrier and one.status == "hangar"]


def lose_structure(battle: Battle, name: str, section: str, points: int) -> None:
    """BR-LOC-8: a section without structure is destroyed, and every system on it; the core takes the unit along."""
    ship = battle.ships[name]
    if points <= 0 or ship.structure[section] <= 0:
        return
    left = ship.structure[section] - points
    ship = replace(ship, structure={**ship.structure, section: left})
    battle.put(ship)
    if left > 0:
        return
    if section in ("primary", "main"):
        destroy(battle, name, "its hull is broken", "BR-LOC-8")
        return
    systems = battle.sheet(ship).by_section[section].systems
    lost = {**ship.blocks_lost, **{system.id: system.blocks for system in systems}}
    battery = {box: (0 if any(one.id == box for one in systems) else store) for box, store in ship.battery.items()}
    squads = tuple(replace(one, section="primary") if one.section == section else one for one in ship.boarding_squads)
    battle.put(replace(ship, blocks_lost=lost, battery=battery, boarding_squads=squads))
    battle.tell("side_lost", "BR-LOC-8", {"unit": name, "item": section})


def destroy(battle: Battle, name: str, why: str, rule: str) -> None:
    """A unit is gone, with the flights in its hangar."""
    unit = battle.unit(name)
    if unit is None or unit.status == "destroyed":
        return
    battle.put(replace(unit, status="destroyed"))
    at = [unit.position.q, unit.position.r]
    battle.tell("ship_lost", rule, {"unit": name, "why": why, "hex": at, "side": unit.side})
    for flight in docked(battle, name):
        dead = tuple(replace(fighter, structure=0) for fighter in flight.fighters)
        battle.put(replace(flight, status="destroyed", fighters=dead))


# --- R1 and R12 ------------------------------------------------------------------------------------------------------


def check_cnc(battle: Battle) -> None:
    """R1, BR-CRT-7: d10 of at most twice the rows completed last turn is a complete failure for this turn."""
    for name in battle.roster:
        ship = battle.ships.get(name)
        if ship is None or ship.status not in ("on-map", "hyperspace"):
            continue
        failed = False
        if ship.cnc_rows_lost_this_turn:
            failed = _cnc_fails(battle, ship)
        battle.put(replace(awake(ship, battle.turn), cnc_failure=failed, cnc_rows_lost_this_turn=0))


def awake(ship: Ship, turn: int) -> Ship:
    """BR-WPN-9: the ship without the deactivations that have ended by this turn."""
    kept = {system: until for system, until in ship.deactivated.items() if until == PERMANENT or int(until) >= turn}
    return ship if len(kept) == len(ship.deactivated) else replace(ship, deactivated=kept)


def _cnc_fails(battle: Battle, ship: Ship) -> bool:
    tally = battle.tally(ship.name, "C&C")
    die, need = tally.roll(10, "failure"), 2 * ship.cnc_rows_lost_this_turn
    failed = die <= need
    text = f"C&C rolls {die}, fails on {need} or less: " + ("complete failure this turn" if failed else "it holds")
    facts = {"unit": ship.name, "kind": "cnc-check", "value": die, "need": need, "failed": failed, "text": text}
    battle.tell("critical", "BR-CRT-7", facts, tally.taken(), seen_by=[ship.side])
    return failed


def weapon_dropouts(battle: Battle) -> None:
    """R12, BR-CRT-1: a weapon damaged this turn drops out on a d10 above its blocks left."""
    for name in list(battle.roster):
        ship = battle.ships.get(name)
        if ship is None or ship.status != "on-map":
            continue
        for system in battle.sheet(ship).mounts:
            state = battle.ships[name].weapon[system.id]
            left = blocks_left(battle.ships[name], system)
            if state.damaged and left > 0 and not state.dropped_out:
                _weapon_dropout(battle, battle.ships[name], system, left)


def _weapon_dropout(battle: Battle, ship: Ship, system: System, left: int) -> None:
    tally = battle.tally(ship.name, system.id)
    die = tally.roll(10, "drop-out")
    out = die > left
    if out:
        battle.set_mount(ship, system.id, dropped_out=True)
    own = {"unit": ship.name, "item": system.id, "die": die, "left": left, "out": out}
    rolls = tally.taken()
    battle.tell("dropout", "BR-CRT-1", own, rolls, seen_by=[ship.side])
    # The enemy never learns the blocks left, only the die and its outcome.
    seen = {"unit": ship.name, "item": system.id, "die": die, "left": None, "out": out}
    battle.tell("dropout", "BR-CRT-1", seen, rolls, seen_by=[battle.enemy(ship.side)])

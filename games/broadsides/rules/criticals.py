"""Chapter 4.11 and BR-LOC-8: what losing blocks, rows, sections and ships means."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.data import System
from games.broadsides.state import PERMANENT, Flight, Ship
from games.broadsides.table import Table
from pbem.kit.table import Tally

HANGAR_BLOCKS = 4
"""BR-CRT-10: so many blocks are one berth."""
ROW_EFFECTS = {
    "cnc": "C&C row lost: initiative -2, EW -1",
    "sensors": "sensor row lost: EW -1",
    "thruster": "thruster row lost: thrust -1",
    "shieldgen": "shield row lost: rating -1",
}


def lose_blocks(table: Table, name: str, system: System, blocks: int, tally: Tally) -> None:
    """A system loses blocks, with all that follows (BR-CRT-1 to 10)."""
    ship = table.ships[name]
    rows = ship.rows_lost(system)
    lost = {**ship.blocks_lost, system.id: ship.blocks_lost.get(system.id, 0) + blocks}
    weapon = ship.weapon
    if system.id in weapon:
        weapon = {**weapon, system.id: replace(weapon[system.id], damaged=True)}
    ship = replace(ship, blocks_lost=lost, weapon=weapon)
    new_rows = ship.rows_lost(system) - rows
    if system.kind == "cnc":
        ship = replace(ship, cnc_rows_lost_this_turn=ship.cnc_rows_lost_this_turn + new_rows)
    table.put(ship)
    _tell_rows(table, ship, system, blocks, new_rows)
    if system.kind == "hangar":
        _lose_berths(table, ship, system, blocks)
    if ship.blocks_left(system) <= 0:
        _lose_system(table, ship, system, tally)


def _tell_rows(table: Table, ship: Ship, system: System, blocks: int, new_rows: int) -> None:
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
    table.tell("critical", named, ship.side, facts)


def _lose_system(table: Table, ship: Ship, system: System, tally: Tally) -> None:
    table.tell(
        "destroyed_system", "BR-LOC-10", table.sides, {"unit": ship.name, "item": system.id, "section": system.section}
    )
    if system.kind == "battery":
        table.change(ship, battery={**ship.battery, system.id: 0})
    if system.kind == "reactor":
        _lose_reactor(table, ship, tally)


def _lose_reactor(table: Table, ship: Ship, tally: Tally) -> None:
    """BR-CRT-4, 5: one in ten blows up; an anti-matter reactor always does."""
    if table.sheet(ship).anti_matter_reactor:
        destroy(table, ship.name, "its anti-matter reactor is gone", "BR-CRT-5")
        return
    die = tally.roll(10, "reactor")
    facts = {"unit": ship.name, "kind": "reactor", "value": die, "text": f"reactor destroyed, rolled {die}"}
    table.tell("critical", "BR-CRT-4", ship.side, facts, tally.taken())
    if die == 1:
        destroy(table, ship.name, "its reactor blows up", "BR-CRT-4")


def _lose_berths(table: Table, ship: Ship, system: System, blocks: int) -> None:
    """BR-CRT-10: each four blocks lost destroy one docked flight, lowest roster first."""
    after = ship.blocks_lost[system.id] // HANGAR_BLOCKS
    before = (ship.blocks_lost[system.id] - blocks) // HANGAR_BLOCKS
    for flight in docked(table, ship.name)[: after - before]:
        _lose_docked(table, flight)
        table.tell(
            "ship_lost",
            "BR-CRT-10",
            table.sides,
            {"unit": flight.name, "why": f"destroyed in the hangar of {ship.name}"},
        )


def _lose_docked(table: Table, flight: Flight) -> None:
    dead = tuple(replace(fighter, structure=0) for fighter in flight.fighters)
    table.change(flight, status="destroyed", fighters=dead)


def docked(table: Table, carrier: str) -> list[Flight]:
    """The flights in a ship's hangar, in roster order."""
    flights = (table.flights[name] for name in table.roster if name in table.flights)
    return [flight for flight in flights if flight.carrier == carrier and flight.status == "hangar"]


def lose_structure(table: Table, name: str, section: str, points: int) -> None:
    """BR-LOC-8: a section without structure is destroyed, and every system on it; the core takes the unit along."""
    ship = table.ships[name]
    if points <= 0 or ship.structure[section] <= 0:
        return
    left = ship.structure[section] - points
    ship = table.change(ship, structure={**ship.structure, section: left})
    if left > 0:
        return
    if section in ("primary", "main"):
        destroy(table, name, "its hull is broken", "BR-LOC-8")
        return
    systems = table.sheet(ship).by_section[section].systems
    lost = {**ship.blocks_lost, **{system.id: system.blocks for system in systems}}
    battery = {**ship.battery, **{system.id: 0 for system in systems if system.kind == "battery"}}
    squads = tuple(
        replace(squad, section="primary") if squad.section == section else squad for squad in ship.boarding_squads
    )
    table.change(ship, blocks_lost=lost, battery=battery, boarding_squads=squads)
    table.tell("side_lost", "BR-LOC-8", table.sides, {"unit": name, "item": section})


def destroy(table: Table, name: str, why: str, rule: str) -> None:
    """A unit is gone, with the flights in its hangar."""
    unit = table.unit(name)
    if unit is None or unit.status == "destroyed":
        return
    table.change(unit, status="destroyed")
    at = [unit.position.q, unit.position.r]
    table.tell("ship_lost", rule, table.sides, {"unit": name, "why": why, "hex": at, "side": unit.side})
    for flight in docked(table, name):
        _lose_docked(table, flight)


# --- R1 and R12 ------------------------------------------------------------------------------------------------------


def check_cnc(table: Table) -> None:
    """R1, BR-CRT-7: d10 of at most twice the rows completed last turn is a complete failure for this turn."""
    for name in table.roster:
        ship = table.ships.get(name)
        if ship is None or ship.status not in ("on-map", "hyperspace"):
            continue
        failed = False
        if ship.cnc_rows_lost_this_turn:
            failed = _cnc_fails(table, ship)
        table.change(awake(ship, table.turn), cnc_failure=failed, cnc_rows_lost_this_turn=0)


def awake(ship: Ship, turn: int) -> Ship:
    """BR-WPN-9: the ship without the deactivations that have ended by this turn."""
    kept = {system: until for system, until in ship.deactivated.items() if until == PERMANENT or int(until) >= turn}
    return ship if len(kept) == len(ship.deactivated) else replace(ship, deactivated=kept)


def _cnc_fails(table: Table, ship: Ship) -> bool:
    tally = table.tally(ship.name, "C&C")
    die, need = tally.roll(10, "failure"), 2 * ship.cnc_rows_lost_this_turn
    failed = die <= need
    text = f"C&C rolls {die}, fails on {need} or less: " + ("complete failure this turn" if failed else "it holds")
    facts = {"unit": ship.name, "kind": "cnc-check", "value": die, "need": need, "failed": failed, "text": text}
    table.tell("critical", "BR-CRT-7", ship.side, facts, tally.taken())
    return failed


def weapon_dropouts(table: Table) -> None:
    """R12, BR-CRT-1: a weapon damaged this turn drops out on a d10 above its blocks left."""
    for ship in table.ships_there():
        for system in table.sheet(ship).mounts:
            state, left = ship.weapon[system.id], ship.blocks_left(system)
            if state.damaged and left > 0 and not state.dropped_out:
                _weapon_dropout(table, table.ships[ship.name], system, left)


def _weapon_dropout(table: Table, ship: Ship, system: System, left: int) -> None:
    tally = table.tally(ship.name, system.id)
    die = tally.roll(10, "drop-out")
    out = die > left
    if out:
        table.set_mount(ship, system.id, dropped_out=True)
    facts = {"unit": ship.name, "item": system.id, "die": die, "left": left, "out": out}
    # The enemy never learns the blocks left, only the die and its outcome.
    table.tell_masked("dropout", "BR-CRT-1", ship.side, facts, {"left": None}, tally.taken())

"""Retreat, pursuit and what follows a battle (rule book 4.9: EN-RET, EN-PUR, EN-END-5)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from games.encounters.data import tables
from games.encounters.rules.battle import Battle
from games.encounters.rules.combatant import Combatant
from games.encounters.rules.damage import absorb
from games.encounters.rules.missions import DISENGAGE, ENGAGE
from games.encounters.rules.rounding import HALF, nearest_whole, percent_of
from games.encounters.rules.squadrons import Force
from games.encounters.state import Unit
from games.encounters.table import Table

PURSUERS = ("Escort", "Cruiser")
ALWAYS, NEVER = 10, 1


def wants_to_leave(battle: Battle, force: Force, unit: Combatant) -> bool:
    """EN-RET-1: every ship on Disengage, and every ship the retreat doctrine names."""
    if unit.mission == DISENGAGE and unit.intact:
        return True
    if not unit.is_ship:
        return False
    doctrine = battle.setting(force, "retreat")
    if doctrine.startswith("losses"):
        doctrine = "all" if losses_reached(force, int(doctrine.split()[1].rstrip("%"))) else "crippled"
    return doctrine == "all" or (doctrine == "crippled" and not unit.intact)


def losses_reached(force: Force, percent: int) -> bool:
    """EN-RET-1: CC of own ships destroyed, and half that of the crippled, against the CC of round 1."""
    ships = [unit for unit in force.units if unit.is_ship]
    lost = sum((Fraction(ship.design.CC) for ship in ships if ship.state == "destroyed"), Fraction(0))
    worn = sum((ship.design.CC * HALF for ship in ships if ship.state == "crippled"), Fraction(0))
    return (lost + worn) * 100 >= percent * force.first_cc


def roll_retreats(battle: Battle) -> list[Combatant]:
    """EN-RET-2, 3, 5: dice by seat, ships by id, then flights on Disengage by id; all results apply together."""
    away: list[Combatant] = []
    for force in battle.forces:
        able = [unit for unit in force.units if unit.here and (unit.is_ship or unit.is_flight)]
        able.sort(key=lambda unit: (unit.is_flight, unit.id))
        away.extend(unit for unit in able if wants_to_leave(battle, force, unit) and gets_away(battle, unit))
    for unit in away:
        leave(battle, unit)
    return [unit for unit in away if unit.is_ship]


def gets_away(battle: Battle, unit: Combatant) -> bool:
    """EN-RET-2: d10 + fire modifier + 2 (Disengage) + 1 (Fast) - 1 (crippled); 7 or more succeeds."""
    bonus = tables().retreat
    roll = battle.roll("retreat", unit.id)
    parts = {
        "readiness": battle.modifier(unit.owner),
        "Disengage": bonus.disengage if unit.mission == DISENGAGE and unit.intact else 0,
        "Fast": bonus.fast if unit.works("Fast") else 0,
        "crippled": 0 if unit.intact else bonus.crippled,
    }
    done = roll.face != NEVER and (roll.face == ALWAYS or roll.face + sum(parts.values()) >= bonus.needed)
    facts = {"unit": unit.name, "owner": unit.owner, "result": done, "destination": ""}
    battle.tell_roll("retreat", "EN-RET-2", unit.owner, facts, roll, parts=parts)
    return done


def leave(battle: Battle, unit: Combatant) -> None:
    """EN-RET-4, 5: a ship leaves with its flights; a flight is back aboard or on the ground."""
    if unit.is_flight:
        unit.left = unit.left or "aboard"
        return
    unit.left = "retreated"
    for force in battle.forces:
        for flight in force.units:
            if flight.is_flight and flight.unit.carrier == unit.id and flight.left != "destroyed":
                flight.left = "retreated"


def pursue(battle: Battle, away: Sequence[Combatant]) -> None:
    """EN-PUR-1, 2, 3: parting shots at the ships that retreated this round, pursuers in seat order."""
    if not battle.table.switches.pursuit:
        return
    for force in battle.forces:
        quarry = [ship for ship in away if battle.sides[ship.owner] != battle.sides[force.power]]
        hunters = [unit for unit in force.units if hunts(unit)]
        if not quarry or battle.setting(force, "pursue") != "yes" or not hunters:
            continue
        points = nearest_whole(percent_of(sum(ship.AS for ship in hunters), tables().retreat.parting_percent))
        battle.tell_all("pursuit", "EN-PUR-1", {"power": force.power, "points": points})
        absorb(points, quarry, battle.absorbs(quarry[0].owner), partial(battle.note_damage, force.power))
        for ship in hunters:
            ship.disorder = points >= 1


def hunts(unit: Combatant) -> bool:
    engaged = unit.here and unit.is_ship and unit.intact and unit.mission == ENGAGE
    return engaged and unit.design.path in PURSUERS and unit.AS > 0


# --- after the battle ------------------------------------------------------------------------------------------------


def disperse(battle: Battle) -> None:
    """EN-RET-6, EN-END-5: retreated ships leave the system, launched flights find a deck."""
    for force in battle.forces:
        gone = [unit.id for unit in force.units if unit.is_ship and unit.left == "retreated"]
        if gone:
            withdraw(battle, force, sorted(gone))
    with battle.table.during(battle.step):
        for force in battle.forces:
            for number in sorted(unit.id for unit in force.units if unit.is_flight and unit.left in ("", "aboard")):
                find_deck(battle.table, number)


def withdraw(battle: Battle, force: Force, gone: Sequence[int]) -> None:
    """EN-RET-6: one destination for all ships of a power, or none."""
    table, power = battle.table, force.power
    goal = retreat_goal(table, power, battle.system, force.plan.retreat_to)
    ships = [table.units[number] for number in gone]
    for ship in ships:
        facts = {"unit": ship.name, "owner": power, "result": True, "die": None, "parts": {}, "total": None}
        battle.tell("retreat", "EN-RET-6", {power}, {**facts, "destination": goal or "nowhere"})
    if goal is not None:
        regroup(table, power, ships, goal)
        return
    for ship in ships:
        for unit in (ship, *table.aboard(ship.id)):
            table.change(unit, scattered=True)


def retreat_goal(table: Table, power: str, system: str, wanted: str | None) -> str | None:
    """EN-RET-6: the system ordered, else own, then bloc's, then neutral, then others; name A-Z."""

    def is_safe(name: str) -> bool:
        return not any(table.ship_or_station(u) and not table.same_bloc(power, u.owner) for u in table.at(name))

    safe = [name for name in table.neighbours(system) if is_safe(name)]
    if wanted in safe:
        return wanted
    return min(safe, key=lambda name: (standing(table, power, name), name)) if safe else None


def standing(table: Table, power: str, system: str) -> int:
    owner = table.systems[system].owner
    if owner == power:
        return 0
    if owner is None:
        return 2
    return 1 if table.same_bloc(power, owner) else 3


def regroup(table: Table, power: str, ships: Sequence[Unit], goal: str) -> None:
    """EN-RET-7: a fleet that fled whole keeps its name; other ships join ``Retreat <system>``."""
    fled = {ship.id for ship in ships}
    for name in sorted({ship.fleet for ship in ships}):
        whole = all(ship.id in fled for ship in table.ships_of(power, name))
        mine = [ship.id for ship in ships if ship.fleet == name]
        for number in mine:
            for unit in (table.units[number], *table.aboard(number)):
                table.change(unit, retreated=True, location=goal)
        if whole and (power, name) in table.fleets:
            table.change(table.fleets[power, name], location=goal)
            continue
        joined = table.join_fleet(power, f"Retreat {goal}", goal)
        for number in mine:
            table.change(table.units[number], fleet=joined)
    table.drop_empty_fleets()


def find_deck(table: Table, number: int) -> None:
    """EN-END-5: its carrier; else the lowest-id intact own ship or Station with room; else the ground; else lost."""
    flight = table.units.get(number)
    if flight is None or flight.carrier in table.units:
        return
    if flight.carrier is None and on_friendly_ground(table, flight):
        return
    for unit in table.at(flight.location):
        fits = unit.owner == flight.owner and unit.intact and unit.in_play and table.ship_or_station(unit)
        if fits and table.free_cv(unit) >= table.design(flight).CC:
            table.change(flight, carrier=unit.id)
            return
    if on_friendly_ground(table, flight):
        table.change(flight, carrier=None)
        return
    table.lose(flight)
    table.tell("flight_lost", "EN-END-5", flight.owner, {"flight": flight.name, "system": flight.location})


def on_friendly_ground(table: Table, flight: Unit) -> bool:
    owner = table.systems[flight.location].owner
    return owner is not None and table.same_bloc(owner, flight.owner)

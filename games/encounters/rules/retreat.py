"""Retreat, pursuit and what follows a battle (rule book 4.9: EN-RET, EN-PUR, EN-END-5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from games.encounters.rules.battle import Battle
from games.encounters.rules.board import Board
from games.encounters.rules.combatant import Combatant
from games.encounters.rules.damage import absorb
from games.encounters.rules.fire import teller
from games.encounters.rules.missions import DISENGAGE, ENGAGE
from games.encounters.rules.rounding import HALF, nearest_whole, percent_of
from games.encounters.rules.squadrons import Force
from games.encounters.state import Unit
from games.encounters.tables import tables

PURSUERS = ("Escort", "Cruiser")
ALWAYS, NEVER = 10, 1


def wants_to_leave(battle: Battle, force: Force, one: Combatant) -> bool:
    """EN-RET-1: every ship on Disengage, and every ship the retreat doctrine names."""
    if one.mission == DISENGAGE and one.intact:
        return True
    if not one.is_ship:
        return False
    doctrine = battle.setting(force, "retreat")
    if doctrine.startswith("losses"):
        doctrine = "all" if losses_reached(force, int(doctrine.split()[1].rstrip("%"))) else "crippled"
    return doctrine == "all" or (doctrine == "crippled" and not one.intact)


def losses_reached(force: Force, percent: int) -> bool:
    """EN-RET-1: CC of own ships destroyed, and half that of the crippled, against the CC of round 1."""
    ships = [one for one in force.units if one.is_ship]
    lost = sum((Fraction(one.design.CC) for one in ships if one.state == "destroyed"), Fraction(0))
    worn = sum((one.design.CC * HALF for one in ships if one.state == "crippled"), Fraction(0))
    return (lost + worn) * 100 >= percent * force.first_cc


def roll_retreats(battle: Battle) -> list[Combatant]:
    """EN-RET-2, 3, 5: dice by seat, ships by id, then flights on Disengage by id; all results apply together."""
    away: list[Combatant] = []
    for force in battle.forces:
        here = sorted((one for one in force.units if one.here), key=lambda one: (one.is_flight, one.id))
        able = [one for one in here if one.is_ship or one.is_flight]
        away.extend(one for one in able if wants_to_leave(battle, force, one) and gets_away(battle, one))
    for one in away:
        leave(battle, one)
    return [one for one in away if one.is_ship]


def gets_away(battle: Battle, one: Combatant) -> bool:
    """EN-RET-2: d10 + fire modifier + 2 (Disengage) + 1 (Fast) - 1 (crippled); 7 or more succeeds."""
    table = tables().retreat
    label = (battle.kind, battle.system, battle.number, f"round {battle.round}", "retreat", one.id)
    roll = battle.board.dice.roll(10, *label)
    parts = {"readiness": battle.modifier(one.owner)}
    parts["Disengage"] = table.disengage if one.mission == DISENGAGE and one.intact else 0
    parts["Fast"] = table.fast if one.works("Fast") else 0
    parts["crippled"] = 0 if one.intact else table.crippled
    total = roll.face + sum(parts.values())
    done = roll.face != NEVER and (roll.face == ALWAYS or total >= table.needed)
    facts: dict[str, Any] = {"unit": one.name, "owner": one.owner, "result": done}
    own = battle.allies(one.owner)
    battle.tell("retreat", "EN-RET-2", own, (roll,), **facts, die=roll.face, parts=parts, total=total, destination="")
    battle.tell("retreat", "EN-RET-2", battle.audience - own, **facts, die=None, parts={}, total=None, destination="")
    return done


def leave(battle: Battle, one: Combatant) -> None:
    """EN-RET-4, 5: a ship leaves with its flights; a flight is back aboard or on the ground."""
    if one.is_flight:
        one.left = one.left or "aboard"
        return
    one.left = "retreated"
    for force in battle.forces:
        for flight in force.units:
            if flight.is_flight and flight.carrier == one.id and flight.left != "destroyed":
                flight.left = "retreated"


def pursue(battle: Battle, away: Sequence[Combatant]) -> None:
    """EN-PUR-1, 2, 3: parting shots at the ships that retreated this round, pursuers in seat order."""
    if not battle.board.switches.pursuit:
        return
    for force in battle.forces:
        quarry = [one for one in away if battle.sides[one.owner] != battle.sides[force.power]]
        hunters = [one for one in force.units if hunts(one)]
        if not quarry or battle.setting(force, "pursue") != "yes" or not hunters:
            continue
        points = nearest_whole(percent_of(sum(one.AS for one in hunters), tables().retreat.parting_percent))
        battle.tell("pursuit", "EN-PUR-1", power=force.power, points=points)
        absorb(points, quarry, battle.absorbs(quarry[0].owner), teller(battle, force.power))
        for one in hunters:
            one.disorder = points >= 1


def hunts(one: Combatant) -> bool:
    return (
        one.here and one.is_ship and one.intact and one.mission == ENGAGE and one.design.path in PURSUERS and one.AS > 0
    )


# --- after the battle ------------------------------------------------------------------------------------------------


def disperse(battle: Battle) -> None:
    """EN-RET-6, EN-END-5: retreated ships leave the system, launched flights find a deck."""
    for force in battle.forces:
        gone = [one for one in force.units if one.is_ship and one.left == "retreated"]
        if gone:
            withdraw(battle, force, sorted(gone, key=lambda one: one.id))
    for force in battle.forces:
        for one in sorted(force.units, key=lambda one: one.id):
            if one.is_flight and one.left in ("", "aboard"):
                find_deck(battle.board, one.id, battle.step)


def withdraw(battle: Battle, force: Force, gone: Sequence[Combatant]) -> None:
    """EN-RET-6: one destination for all ships of a power, or none."""
    board, power = battle.board, force.power
    goal = retreat_goal(board, power, battle.system, force.plan.retreat_to)
    for one in gone:
        facts: dict[str, Any] = {
            "unit": one.name,
            "owner": power,
            "result": True,
            "die": None,
            "parts": {},
            "total": None,
        }
        battle.tell("retreat", "EN-RET-6", frozenset({power}), **facts, destination=goal or "nowhere")
    if goal is None:
        for one in gone:
            board.change(one.id, scattered=True)
            for passenger in board.aboard(one.id):
                board.change(passenger.id, scattered=True)
        return
    regroup(board, power, [board.units[one.id] for one in gone], goal)


def retreat_goal(board: Board, power: str, system: str, wanted: str | None) -> str | None:
    """EN-RET-6: the system ordered, else own, then bloc's, then neutral, then others; name A-Z."""
    safe = [name for name in board.neighbours(system) if is_safe(board, power, name)]
    if wanted in safe:
        return wanted
    return min(safe, key=lambda name: (standing(board, power, name), name)) if safe else None


def is_safe(board: Board, power: str, system: str) -> bool:
    return not any(board.ship_or_station(u) and not board.same_bloc(power, u.owner) for u in board.at(system))


def standing(board: Board, power: str, system: str) -> int:
    owner = board.systems[system].owner
    if owner == power:
        return 0
    if owner is None:
        return 2
    return 1 if board.same_bloc(power, owner) else 3


def regroup(board: Board, power: str, ships: Sequence[Unit], goal: str) -> None:
    """EN-RET-7: a fleet that fled whole keeps its name; other ships join ``Retreat <system>``."""
    fled = {ship.id for ship in ships}
    for name in sorted({ship.fleet for ship in ships}):
        whole = all(ship.id in fled for ship in board.ships_of(power, name))
        mine = [ship for ship in ships if ship.fleet == name]
        for ship in mine:
            board.change(ship.id, retreated=True)
            board.move_unit(ship.id, goal)
            for passenger in board.aboard(ship.id):
                board.change(passenger.id, retreated=True)
        if whole and (power, name) in board.fleets:
            board.fleets[power, name] = replace(board.fleets[power, name], location=goal)
            continue
        joined = board.join_fleet(power, f"Retreat {goal}", goal)
        for ship in mine:
            board.change(ship.id, fleet=joined)
    board.drop_empty_fleets()


def find_deck(board: Board, number: int, step: str) -> None:
    """EN-END-5: its carrier; else the lowest-id intact own ship or Station with room; else the ground; else lost."""
    flight = board.units.get(number)
    if flight is None or flight.carrier in board.units:
        return
    if flight.carrier is None and on_friendly_ground(board, flight):
        return
    for unit in board.at(flight.location):
        fits = unit.owner == flight.owner and unit.intact and unit.in_play and board.ship_or_station(unit)
        if fits and board.free_cv(unit) >= board.design(flight).CC:
            board.change(number, carrier=unit.id)
            return
    if on_friendly_ground(board, flight):
        board.change(number, carrier=None)
        return
    cost = board.design(flight).cost
    board.set_power(flight.owner, lost=board.powers[flight.owner].lost + cost)
    board.remove(number)
    board.tell("flight_lost", "EN-END-5", step, {flight.owner}, flight=flight.name, system=flight.location)


def on_friendly_ground(board: Board, flight: Unit) -> bool:
    owner = board.systems[flight.location].owner
    return owner is not None and board.same_bloc(owner, flight.owner)

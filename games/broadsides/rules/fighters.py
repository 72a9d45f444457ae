"""Chapter 4.10, movement of flights: launches, break-offs, D moves and landings."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.data import TABLES, Catalogue
from games.broadsides.rules.asteroids import asteroid_hits
from games.broadsides.rules.craft import step_toward
from games.broadsides.rules.criticals import HANGAR_BLOCKS, docked
from games.broadsides.state import Flight, Ship
from games.broadsides.table import Table
from pbem.kit.hexgrid import distance

RELAUNCH_AFTER = 2
MISSILE = TABLES.missile["fighter"]


# --- orders of the turn ----------------------------------------------------------------------------------------------


def take_orders(table: Table) -> None:
    """BR-FTR-1: each flight's letter for this turn; none given: D against the nearest enemy flight."""
    for name in table.roster:
        flight = table.flights.get(name)
        if flight is None or table.is_pod(flight) or flight.status not in ("on-map", "hangar"):
            continue
        orders = table.doctrine.of(name)
        fresh = dict.fromkeys(("broke_off", "launched_now", "attacked", "fired"), False)
        table.change(flight, order=orders.order or "D", target=orders.target, d_move=0, **fresh)


def retarget(table: Table) -> None:
    """BR-SEQ-3: a second e-mail may name another target for the same letter."""
    for flight in table.flights_there():
        orders = table.doctrine.of(flight.name)
        if orders.order == flight.order and orders.target:
            table.change(flight, target=orders.target)


def launch_capacity(catalogue: Catalogue, ship: Ship) -> int:
    """BR-FTR-6: one flight per four hangar blocks left, at least one while the hangar exists."""
    hangar = catalogue.classes[ship.class_name].systems.get("hangar")
    left = ship.blocks_left(hangar) if hangar else 0
    return max(1, left // HANGAR_BLOCKS) if left > 0 else 0


def launch_flights(table: Table) -> None:
    """R5, BR-FTR-6: flights on L appear in their carrier's hex, with its heading and speed."""
    launched: dict[str, int] = {}
    for name in list(table.roster):
        flight = table.flights.get(name)
        if flight is None or flight.status != "hangar" or flight.order != "L":
            continue
        carrier = table.ships.get(flight.carrier)
        if carrier is None or not carrier.on_map or carrier.cnc_failure:
            continue
        if launched.get(carrier.name, 0) >= launch_capacity(table.catalogue, carrier):
            continue
        if flight.landed is not None and table.turn < flight.landed + RELAUNCH_AFTER:
            continue
        launched[carrier.name] = launched.get(carrier.name, 0) + 1
        table.change(
            flight,
            status="on-map",
            position=carrier.position,
            heading=carrier.heading,
            speed=carrier.speed,
            turning=None,
            launched_now=True,
            landed=None,
        )
        facts = {"unit": name, "order": "L", "hex": [*carrier.position], "carrier": carrier.name, "side": flight.side}
        table.tell("launch_flight", "BR-FTR-6", table.sides, facts)


# --- R6c -------------------------------------------------------------------------------------------------------------


def break_off(table: Table) -> None:
    """BR-FTR-3: A flights break off by their doctrine."""
    for flight in table.flights_there():
        if flight.order != "A" or table.is_pod(flight):
            continue
        rule, enemies = table.doctrine.of(flight.name).break_off, _enemy_fighters(table, flight)
        if rule.kind == "fighters" and enemies >= rule.fighters:
            _break(table, flight, f"{enemies} enemy fighters in its hex")
        elif rule.kind == "notarget" and not _target_in_reach(table, flight):
            _break(table, flight, "its target is out of reach")


def _break(table: Table, flight: Flight, why: str) -> None:
    table.change(flight, broke_off=True)
    facts = {"unit": flight.name, "order": "A", "hex": [*flight.position], "why": why}
    table.tell("break_off", "BR-FTR-3", table.sides, facts)


def _enemy_fighters(table: Table, flight: Flight) -> int:
    enemies = table.flights_of(table.enemy(flight.side))
    here = [enemy for enemy in enemies if enemy.position == flight.position and table.craft(enemy).kind == "fighter"]
    return sum(len(enemy.living) for enemy in here)


def _target_in_reach(table: Table, flight: Flight) -> bool:
    target = table.on_map(flight.target)
    if target is None:
        return False
    far = distance(flight.position, target.position)
    return far == 0 or (far <= MISSILE.range and any(flight.fighters[i].missiles for i in flight.living))


def d_moves(table: Table, order: list[str]) -> None:
    """BR-FTR-5: D flights close with their target flight, in ascending initiative."""
    for name in order:
        flight = table.flights.get(name)
        if flight is None or not flight.on_map or flight.order != "D" or flight.launched_now:
            continue
        target = d_target(table, flight) if table.craft(flight).kind == "fighter" else None
        if target is not None:
            _extra_move(table, flight, target)


def d_target(table: Table, flight: Flight) -> Flight | None:
    """Its named flight, or the nearest enemy flight."""
    named = table.flights.get(flight.target)
    if named is not None and named.on_map:
        return named
    if flight.target:
        return None
    enemies = table.flights_of(table.enemy(flight.side))
    return min(enemies, key=lambda enemy: distance(flight.position, enemy.position), default=None)


def _extra_move(table: Table, flight: Flight, target: Flight) -> None:
    at, path = flight.position, [flight.position]
    for number in range(1, flight.d_move + 1):
        step = step_toward(table.ground, at, target.position)
        if step is None:
            break
        at = step
        path.append(at)
        table.change(table.flights[flight.name], position=at)
        asteroid_hits(table, flight.name, at, flight.heading, number)
        if not table.alive(flight.name):
            break
    facts = {
        "unit": flight.name,
        "side": flight.side,
        "order": "D",
        "path": [[*step] for step in path],
        "from": [*flight.position],
        "to": [*at],
        "hex": [*at],
        "heading": flight.heading,
        "facing": flight.heading,
        "speed": flight.speed,
        "used": len(path) - 1,
    }
    table.tell("fighter_move", "BR-FTR-5", flight.side, {**facts, "available": flight.d_move})
    if len(path) > 1:
        enemy = table.enemy(flight.side)
        table.tell("fighter_move", "BR-FTR-5", enemy, {**facts, "available": None})


def land_flights(table: Table) -> None:
    """BR-FTR-7: in the carrier's hex, with its speed and heading, and a berth free."""
    for flight in table.flights_there():
        goal = table.doctrine.of(flight.name).land
        carrier = table.ships.get(goal) if goal else None
        if carrier is None or not carrier.on_map or carrier.side != flight.side:
            continue
        same = (flight.position, flight.speed, flight.heading) == (carrier.position, carrier.speed, carrier.heading)
        if not same or len(docked(table, carrier.name)) >= berths(table, carrier):
            continue
        full = table.craft(flight).missiles
        fighters = tuple(replace(fighter, missiles=full) for fighter in flight.fighters)
        table.change(flight, status="hangar", carrier=carrier.name, landed=table.turn, fighters=fighters, turning=None)
        facts = {"unit": flight.name, "order": flight.order, "hex": [*flight.position], "carrier": carrier.name}
        table.tell("land", "BR-FTR-7", table.sides, facts)


def berths(table: Table, ship: Ship) -> int:
    sheet = table.sheet(ship)
    hangar = sheet.systems.get("hangar")
    return min(sheet.hangar_flights, -(-ship.blocks_left(hangar) // HANGAR_BLOCKS)) if hangar else 0

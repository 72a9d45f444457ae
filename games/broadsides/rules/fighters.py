"""Chapter 4.10, movement of flights: launches, break-offs, D moves and landings."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.data import TABLES
from games.broadsides.rules.asteroids import asteroid_hits
from games.broadsides.rules.battle import Battle
from games.broadsides.rules.criticals import HANGAR_BLOCKS, docked
from games.broadsides.state import Flight, FlightOrder, Ship, blocks_left, living
from pbem.kit.hexgrid import Hex, distance, neighbour

RELAUNCH_AFTER = 2
MISSILE = TABLES.missile["fighter"]


# --- orders of the turn ----------------------------------------------------------------------------------------------


def take_orders(battle: Battle) -> None:
    """BR-FTR-1: each flight's letter for this turn; none given: D against the nearest enemy flight."""
    for name in battle.roster:
        flight = battle.flights.get(name)
        if flight is None or battle.is_pod(flight) or flight.status not in ("on-map", "hangar"):
            continue
        orders = battle.doctrine.of(name)
        letter: FlightOrder = orders.order or "D"
        changed = replace(
            flight,
            order=letter,
            target=orders.target,
            broke_off=False,
            d_move=0,
            launched_now=False,
            attacked=False,
            fired=False,
        )
        battle.put(changed)


def retarget(battle: Battle) -> None:
    """BR-SEQ-3: a second e-mail may name another target for the same letter."""
    for flight in [one for one in battle.units() if isinstance(one, Flight)]:
        orders = battle.doctrine.of(flight.name)
        if orders.order == flight.order and orders.target:
            battle.put(replace(flight, target=orders.target))


def launch_capacity(battle: Battle, ship: Ship) -> int:
    """BR-FTR-6: one flight per four hangar blocks left, at least one while the hangar exists."""
    hangar = battle.sheet(ship).systems.get("hangar")
    left = blocks_left(ship, hangar) if hangar else 0
    return max(1, left // HANGAR_BLOCKS) if left > 0 else 0


def launch_flights(battle: Battle) -> None:
    """R5, BR-FTR-6: flights on L appear in their carrier's hex, with its heading and speed."""
    launched: dict[str, int] = {}
    for name in list(battle.roster):
        flight = battle.flights.get(name)
        if flight is None or flight.status != "hangar" or flight.order != "L":
            continue
        carrier = battle.ships.get(flight.carrier)
        if carrier is None or carrier.status != "on-map" or carrier.cnc_failure:
            continue
        if launched.get(carrier.name, 0) >= launch_capacity(battle, carrier):
            continue
        if flight.landed is not None and battle.turn < flight.landed + RELAUNCH_AFTER:
            continue
        launched[carrier.name] = launched.get(carrier.name, 0) + 1
        out = replace(
            flight,
            status="on-map",
            position=carrier.position,
            heading=carrier.heading,
            speed=carrier.speed,
            turning=None,
            launched_now=True,
            landed=None,
        )
        battle.put(out)
        facts = {"unit": name, "order": "L", "hex": [*carrier.position], "carrier": carrier.name, "side": flight.side}
        battle.tell("launch_flight", "BR-FTR-6", facts)


# --- R6c -------------------------------------------------------------------------------------------------------------


def break_off(battle: Battle) -> None:
    """BR-FTR-3: A flights break off by their doctrine."""
    for flight in [one for one in battle.units() if isinstance(one, Flight)]:
        if flight.order != "A" or battle.is_pod(flight):
            continue
        rule = battle.doctrine.of(flight.name).break_off
        if rule.kind == "fighters" and _enemy_fighters(battle, flight) >= rule.fighters:
            _break(battle, flight, f"{_enemy_fighters(battle, flight)} enemy fighters in its hex")
        elif rule.kind == "notarget" and not _target_in_reach(battle, flight):
            _break(battle, flight, "its target is out of reach")


def _break(battle: Battle, flight: Flight, why: str) -> None:
    battle.put(replace(flight, broke_off=True))
    facts = {"unit": flight.name, "order": "A", "hex": [*flight.position], "why": why}
    battle.tell("break_off", "BR-FTR-3", facts)


def _enemy_fighters(battle: Battle, flight: Flight) -> int:
    enemies = battle.flights_of(battle.enemy(flight.side))
    here = [one for one in enemies if one.position == flight.position and battle.craft(one).kind == "fighter"]
    return sum(len(living(one)) for one in here)


def _target_in_reach(battle: Battle, flight: Flight) -> bool:
    target = battle.unit(flight.target)
    if target is None or target.status != "on-map":
        return False
    far = distance(flight.position, target.position)
    return far == 0 or (far <= MISSILE.range and any(flight.fighters[i].missiles for i in living(flight)))


def d_moves(battle: Battle, order: list[str]) -> None:
    """BR-FTR-5: D flights close with their target flight, in ascending initiative."""
    for name in order:
        flight = battle.flights.get(name)
        if flight is None or flight.status != "on-map" or flight.order != "D" or flight.launched_now:
            continue
        if battle.craft(flight).kind != "fighter":
            continue
        target = d_target(battle, flight)
        if target is None:
            continue
        _extra_move(battle, flight, target)


def d_target(battle: Battle, flight: Flight) -> Flight | None:
    """Its named flight, or the nearest enemy flight."""
    named = battle.flights.get(flight.target)
    if named is not None and named.status == "on-map":
        return named
    if flight.target:
        return None
    enemies = battle.flights_of(battle.enemy(flight.side))
    return min(enemies, key=lambda one: distance(flight.position, one.position), default=None)


def _extra_move(battle: Battle, flight: Flight, target: Flight) -> None:
    at, path = flight.position, [flight.position]
    for number in range(1, flight.d_move + 1):
        step = _nearer(battle, at, target.position)
        if step is None:
            break
        at = step
        path.append(at)
        battle.put(replace(battle.flights[flight.name], position=at))
        asteroid_hits(battle, flight.name, at, flight.heading, number)
        if not battle.alive(flight.name):
            break
    facts = {
        "unit": flight.name,
        "side": flight.side,
        "order": "D",
        "path": [[*one] for one in path],
        "from": [*flight.position],
        "to": [*at],
        "hex": [*at],
        "heading": flight.heading,
        "facing": flight.heading,
        "speed": flight.speed,
        "used": len(path) - 1,
    }
    battle.tell("fighter_move", "BR-FTR-5", {**facts, "available": flight.d_move}, seen_by=[flight.side])
    if len(path) > 1:
        enemy = battle.enemy(flight.side)
        battle.tell("fighter_move", "BR-FTR-5", {**facts, "available": None}, seen_by=[enemy])


def _nearer(battle: Battle, at: Hex, goal: Hex) -> Hex | None:
    """The next hex of a shortest line, lowest direction first, around rocks and planets."""
    far = distance(at, goal)
    for way in range(6):
        step = neighbour(at, way)
        free = step not in battle.ground.large and step not in battle.ground.planet
        if distance(step, goal) < far and free:
            return step
    return None


def land_flights(battle: Battle) -> None:
    """BR-FTR-7: in the carrier's hex, with its speed and heading, and a berth free."""
    for flight in [one for one in battle.units() if isinstance(one, Flight)]:
        goal = battle.doctrine.of(flight.name).land
        carrier = battle.ships.get(goal) if goal else None
        if carrier is None or carrier.status != "on-map" or carrier.side != flight.side:
            continue
        same = (flight.position, flight.speed, flight.heading) == (carrier.position, carrier.speed, carrier.heading)
        if not same or len(docked(battle, carrier.name)) >= berths(battle, carrier):
            continue
        full = battle.craft(flight).missiles
        fighters = tuple(replace(one, missiles=full) for one in flight.fighters)
        battle.put(
            replace(flight, status="hangar", carrier=carrier.name, landed=battle.turn, fighters=fighters, turning=None)
        )
        facts = {"unit": flight.name, "order": flight.order, "hex": [*flight.position], "carrier": carrier.name}
        battle.tell("land", "BR-FTR-7", facts)


def berths(battle: Battle, ship: Ship) -> int:
    sheet = battle.sheet(ship)
    hangar = sheet.systems.get("hangar")
    return min(sheet.hangar_flights, -(-blocks_left(ship, hangar) // HANGAR_BLOCKS)) if hangar else 0

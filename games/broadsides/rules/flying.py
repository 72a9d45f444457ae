"""R6a and R6b: units move in ascending initiative, then rolls complete (BR-MOV-1, 17, 18, 20-26)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.broadsides.rules.asteroids import asteroid_hits, crash, heat
from games.broadsides.rules.autopilot import chase, flown, guard
from games.broadsides.rules.battle import Battle
from games.broadsides.rules.craft import Course, Craft, Plot, craft_from
from games.broadsides.rules.criticals import destroy
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.rules.geometry import sectors_of, seen
from games.broadsides.rules.movement import check
from games.broadsides.state import Flight, Ship, Turning, Unit
from pbem.kit.hexgrid import Hex, distance


def move_all(battle: Battle, order: list[str]) -> None:
    """R6a: hex by hex, with the rocks of each hex and the heat at the end."""
    for unit in list(battle.units()):
        battle.put(replace(unit, start_position=unit.position, highest_level=0))
    for name in order:
        mover = battle.unit(name)
        if mover is not None and mover.status == "on-map":
            move_unit(battle, mover)


def move_unit(battle: Battle, unit: Unit) -> None:
    launching = isinstance(unit, Flight) and unit.launched_now
    craft = craft_from(battle.catalogue, unit, launching=launching)
    if craft.fixed:
        _meet_air(battle, unit, unit.position)
        return
    course = choose_course(battle, unit, craft)
    _fly(battle, unit, course, craft)


# --- which course ----------------------------------------------------------------------------------------------------


def choose_course(battle: Battle, unit: Unit, craft: Craft) -> Course:
    """The plot, its alternate, a chase, the guard or a drift."""
    if isinstance(unit, Ship) and unit.cnc_failure:
        return flown(craft, Plot(), battle.ground)
    orders = battle.doctrine.of(unit.name)
    prey = _prey(battle, unit, orders)
    if prey is not None:
        change = orders.plot.change if orders.speed_given else None
        return chase(craft, prey.position, battle.ground, change)
    if not orders.moves:
        return guard(craft, battle.ground) or flown(craft, Plot(), battle.ground)
    return _plotted(battle, unit, craft, orders)


def _prey(battle: Battle, unit: Unit, orders: UnitOrders) -> Unit | None:
    """BR-MOV-23: whom a flight chases: by order, or the unit it attacks or defends against."""
    if not isinstance(unit, Flight):
        return None
    name = orders.chase
    if not name and orders.plot.tokens is None and not orders.speed_given:
        name = orders.target if orders.order in ("A", "D") else ""
    found = battle.unit(name) if name else None
    return found if found is not None and found.status == "on-map" else None


def _plotted(battle: Battle, unit: Unit, craft: Craft, orders: UnitOrders) -> Course:
    plot = orders.plot
    if orders.alt is not None and _alt_holds(battle, unit, orders):
        other, faults = check(craft, replace(plot, tokens=orders.alt.tokens), battle.ground)
        if not faults:
            return other
    return check(craft, plot, battle.ground)[0]


def _alt_holds(battle: Battle, unit: Unit, orders: UnitOrders) -> bool:
    """BR-MOV-20: tested on the other unit's present position."""
    alt = orders.alt
    assert alt is not None
    other = nearest_enemy_ship(battle, unit) if alt.unit == "nearest" else battle.unit(alt.unit)
    if other is None or other.status != "on-map":
        return False
    near = distance(unit.position, other.position) <= alt.hexes
    return near if alt.near else not near


def nearest_enemy_ship(battle: Battle, unit: Unit) -> Ship | None:
    """Roster order on ties."""
    enemies = battle.ships_of(battle.enemy(unit.side))
    return min(enemies, key=lambda one: distance(unit.position, one.position), default=None)


# --- the flight itself -----------------------------------------------------------------------------------------------


@dataclass
class _Flown:
    """What became of a move."""

    at: Hex
    strayed: bool = False
    withdrawn: bool = False
    crashed: int | None = None
    """The direction in which it met a large asteroid."""


def _fly(battle: Battle, unit: Unit, course: Course, craft: Craft) -> None:
    name, start = unit.name, unit.position
    _set_going(battle, unit, course)
    done = _steps(battle, name, course, craft)
    moved = battle.unit(name)
    if moved is None or moved.status == "destroyed":
        return
    if done.withdrawn:
        battle.put(replace(moved, status="withdrawn", position=done.at))
        facts = {"unit": name, "from": [*start], "hex": [*done.at], "side": unit.side}
        battle.tell("withdraw", "BR-MOV-24", {**facts, "path": [[*at] for at in course.hexes]})
        return
    battle.put(_after(moved, course, done))
    _tell_move(battle, name, start, course, done)
    if done.crashed is not None:
        crash(battle, name, done.crashed)
        return
    heat(battle, name, course.heading, strayed=done.strayed)


def _set_going(battle: Battle, unit: Unit, course: Course) -> None:
    """The new speed counts from the first hex on."""
    changed = replace(unit, speed=course.speed)
    if isinstance(changed, Flight):
        changed = replace(changed, d_move=max(0, _d_move(battle, changed, course)))
    battle.put(changed)
    _meet_air(battle, changed, changed.position)


def _d_move(battle: Battle, flight: Flight, course: Course) -> int:
    """BR-FTR-5: a third of the thrust that acceleration and turn delays leave."""
    thrust = craft_from(battle.catalogue, flight, launching=flight.launched_now).thrust
    return (thrust - course.acceleration - course.delays) // 3


def _steps(battle: Battle, name: str, course: Course, craft: Craft) -> _Flown:
    done = _Flown(course.hexes[0])
    for step, (at, direction) in enumerate(zip(course.hexes[1:], course.directions, strict=True), 1):
        if not battle.ground.on_map(at):
            return _Flown(at, withdrawn=True)
        if at in battle.ground.large:
            return _Flown(done.at, done.strayed, crashed=direction)
        done.at = at
        _put_at(battle, name, at, course, step)
        if at in battle.ground.planet:
            destroy(battle, name, "it strikes the planet", "BR-ATM-6")
            return done
        unit = battle.unit(name)
        assert unit is not None
        done.strayed |= battle.ground.air.get(at, 0) > craft.rating
        _meet_air(battle, unit, at)
        asteroid_hits(battle, name, at, direction, step)
        if not battle.alive(name):
            return done
    return done


def _put_at(battle: Battle, name: str, at: Hex, course: Course, step: int) -> None:
    unit = battle.unit(name)
    assert unit is not None
    if isinstance(unit, Ship):
        battle.put(replace(unit, position=at, facing=course.facings[step - 1]))
    else:
        battle.put(replace(unit, position=at))


def _meet_air(battle: Battle, unit: Unit, at: Hex) -> None:
    level = battle.ground.air.get(at, 0)
    if level > unit.highest_level:
        battle.put(replace(unit, highest_level=level))


def _after(unit: Unit, course: Course, done: _Flown) -> Unit:
    common = {"position": done.at, "heading": course.heading, "turning": course.turning, "speed": course.speed}
    if isinstance(unit, Ship):
        return replace(unit, facing=course.facing, slide=course.slide, **common)  # type: ignore[arg-type]
    return replace(unit, **common)  # type: ignore[arg-type]


def _tell_move(battle: Battle, name: str, start: Hex, course: Course, done: _Flown) -> None:
    unit = battle.unit(name)
    assert unit is not None
    flown_to = course.hexes[: course.hexes.index(done.at) + 1] if done.crashed is not None else course.hexes
    facts = {
        "unit": name,
        "side": unit.side,
        "path": [[*at] for at in flown_to],
        "from": [*start],
        "to": [*done.at],
        "heading": course.heading,
        "facing": unit.facing,
        "speed": course.speed,
    }
    kind = "move" if isinstance(unit, Ship) else "fighter_move"
    rule = "BR-MOV-1" if kind == "move" else "BR-MOV-23"
    extra = {} if kind == "move" else {"order": "", "hex": [*done.at], "available": None, "used": None}
    battle.tell(kind, rule, {**facts, **extra})
    if course.turning is not None:
        _tell_turning(battle, name, course.turning)


def _tell_turning(battle: Battle, name: str, turning: Turning) -> None:
    battle.tell("turn_progress", "BR-MOV-8", {"unit": name, "dir": turning.dir, "left": turning.left})


# --- rolls, R6b ------------------------------------------------------------------------------------------------------


def complete_rolls(battle: Battle) -> None:
    """BR-MOV-17: rolls complete at the end of movement, in roster order."""
    for ship in [one for one in battle.units() if isinstance(one, Ship)]:
        if battle.doctrine.of(ship.name).roll and not ship.cnc_failure and not battle.sheet(ship).fixed:
            _roll_over(battle, ship, "BR-MOV-17")


def snap_rolls(battle: Battle) -> None:
    """BR-MOV-18: agile ships, after all movement."""
    for ship in [one for one in battle.units() if isinstance(one, Ship)]:
        if battle.sheet(ship).agile and not ship.cnc_failure and _snap_rolls(battle, ship):
            _roll_over(battle, ship, "BR-MOV-18")


def _roll_over(battle: Battle, ship: Ship, rule: str) -> None:
    battle.put(replace(ship, rolled=not ship.rolled))
    battle.tell("roll", rule, {"unit": ship.name, "rolled": not ship.rolled})


def _snap_rolls(battle: Battle, ship: Ship) -> bool:
    order = battle.doctrine.of(ship.name).snap_roll
    if order is None:
        return False
    if order.kind == "yes":
        return True
    if order.kind == "if":
        other = battle.unit(order.unit)
        return other is not None and other.status == "on-map" and order.side in _bearing_sides(ship, other.position)
    if "port" not in ship.structure:
        return False
    enemy = nearest_enemy_ship(battle, ship)
    weaker = min(("port", "starboard"), key=lambda side: ship.structure[side])
    same = ship.structure["port"] == ship.structure["starboard"]
    return enemy is not None and not same and weaker in _bearing_sides(ship, enemy.position)


def _bearing_sides(ship: Ship, at: Hex) -> set[str]:
    """Whether a hex lies to port or to starboard of the sheet as it is turned now; both dead ahead or astern."""
    where = seen(Hex(at.q - ship.position.q, at.r - ship.position.r), ship.facing, rolled=ship.rolled)
    return {"starboard" if sector < 3 else "port" for sector in sectors_of(where)}

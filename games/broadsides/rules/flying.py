"""R6a and R6b: units move in ascending initiative, then rolls complete (BR-MOV-1, 17, 18, 20-26)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.broadsides.rules.asteroids import asteroid_hits, crash, heat
from games.broadsides.rules.autopilot import chase, flown, guard
from games.broadsides.rules.craft import Course, Craft, Plot, craft_from
from games.broadsides.rules.criticals import destroy
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.rules.geometry import sectors_of, seen
from games.broadsides.rules.movement import check
from games.broadsides.state import Flight, Ship, Unit
from games.broadsides.table import Table
from pbem.kit.hexgrid import Hex, distance


def move_all(table: Table, order: list[str]) -> None:
    """R6a: hex by hex, with the rocks of each hex and the heat at the end."""
    for unit in list(table.units()):
        table.change(unit, start_position=unit.position, highest_level=0)
    for name in order:
        mover = table.on_map(name)
        if mover is not None:
            move_unit(table, mover)


def move_unit(table: Table, unit: Unit) -> None:
    launching = isinstance(unit, Flight) and unit.launched_now
    craft = craft_from(table.catalogue, unit, launching=launching)
    if craft.fixed:
        _meet_air(table, unit, unit.position)
        return
    course = choose_course(table, unit, craft)
    _fly(table, unit, course, craft)


# --- which course ----------------------------------------------------------------------------------------------------


def choose_course(table: Table, unit: Unit, craft: Craft) -> Course:
    """The plot, its alternate, a chase, the guard or a drift."""
    if isinstance(unit, Ship) and unit.cnc_failure:
        return flown(craft, Plot(), table.ground)
    orders = table.doctrine.of(unit.name)
    prey = _prey(table, unit, orders)
    if prey is not None:
        change = orders.plot.change if orders.speed_given else None
        return chase(craft, prey.position, table.ground, change)
    if not orders.moves:
        return guard(craft, table.ground) or flown(craft, Plot(), table.ground)
    return _plotted(table, unit, craft, orders)


def _prey(table: Table, unit: Unit, orders: UnitOrders) -> Unit | None:
    """BR-MOV-23: whom a flight chases: by order, or the unit it attacks or defends against."""
    if not isinstance(unit, Flight):
        return None
    name = orders.chase
    if not name and orders.plot.tokens is None and not orders.speed_given:
        name = orders.target if orders.order in ("A", "D") else ""
    return table.on_map(name) if name else None


def _plotted(table: Table, unit: Unit, craft: Craft, orders: UnitOrders) -> Course:
    plot = orders.plot
    if orders.alt is not None and _alt_holds(table, unit, orders):
        other, faults = check(craft, replace(plot, tokens=orders.alt.tokens), table.ground)
        if not faults:
            return other
    return check(craft, plot, table.ground)[0]


def _alt_holds(table: Table, unit: Unit, orders: UnitOrders) -> bool:
    """BR-MOV-20: tested on the other unit's present position."""
    alt = orders.alt
    assert alt is not None
    other = nearest_enemy_ship(table, unit) if alt.unit == "nearest" else table.on_map(alt.unit)
    if other is None:
        return False
    near = distance(unit.position, other.position) <= alt.hexes
    return near if alt.near else not near


def nearest_enemy_ship(table: Table, unit: Unit) -> Ship | None:
    """Roster order on ties."""
    enemies = table.ships_of(table.enemy(unit.side))
    return min(enemies, key=lambda enemy: distance(unit.position, enemy.position), default=None)


# --- the flight itself -----------------------------------------------------------------------------------------------


@dataclass
class _Flown:
    """What became of a move."""

    at: Hex
    strayed: bool = False
    withdrawn: bool = False
    crashed: int | None = None
    """The direction in which it met a large asteroid."""


def _fly(table: Table, unit: Unit, course: Course, craft: Craft) -> None:
    name, start = unit.name, unit.position
    _set_going(table, unit, course)
    done = _steps(table, name, course, craft)
    moved = table.named(name)
    if moved.status == "destroyed":
        return
    if done.withdrawn:
        table.change(moved, status="withdrawn", position=done.at)
        facts = {"unit": name, "from": [*start], "hex": [*done.at], "side": unit.side}
        table.tell("withdraw", "BR-MOV-24", table.sides, {**facts, "path": [[*at] for at in course.hexes]})
        return
    table.put(_after(moved, course, done))
    _tell_move(table, name, start, course, done)
    if done.crashed is not None:
        crash(table, name, done.crashed)
        return
    heat(table, name, course.heading, strayed=done.strayed)


def _set_going(table: Table, unit: Unit, course: Course) -> None:
    """The new speed counts from the first hex on."""
    changed = replace(unit, speed=course.speed)
    if isinstance(changed, Flight):
        changed = replace(changed, d_move=max(0, _d_move(table, changed, course)))
    table.put(changed)
    _meet_air(table, changed, changed.position)


def _d_move(table: Table, flight: Flight, course: Course) -> int:
    """BR-FTR-5: a third of the thrust that acceleration and turn delays leave."""
    thrust = craft_from(table.catalogue, flight, launching=flight.launched_now).thrust
    return (thrust - course.acceleration - course.delays) // 3


def _steps(table: Table, name: str, course: Course, craft: Craft) -> _Flown:
    done = _Flown(course.hexes[0])
    for step, (at, direction) in enumerate(zip(course.hexes[1:], course.directions, strict=True), 1):
        if not table.ground.on_map(at):
            return _Flown(at, withdrawn=True)
        if at in table.ground.large:
            return _Flown(done.at, done.strayed, crashed=direction)
        done.at = at
        _put_at(table, name, at, course, step)
        if at in table.ground.planet:
            destroy(table, name, "it strikes the planet", "BR-ATM-6")
            return done
        unit = table.named(name)
        done.strayed |= table.ground.air.get(at, 0) > craft.rating
        _meet_air(table, unit, at)
        asteroid_hits(table, name, at, direction, step)
        if not table.alive(name):
            return done
    return done


def _put_at(table: Table, name: str, at: Hex, course: Course, step: int) -> None:
    unit = table.named(name)
    if isinstance(unit, Ship):
        table.change(unit, position=at, facing=course.facings[step - 1])
    else:
        table.change(unit, position=at)


def _meet_air(table: Table, unit: Unit, at: Hex) -> None:
    level = table.ground.air.get(at, 0)
    if level > unit.highest_level:
        table.change(unit, highest_level=level)


def _after(unit: Unit, course: Course, done: _Flown) -> Unit:
    common = {"position": done.at, "heading": course.heading, "turning": course.turning, "speed": course.speed}
    if isinstance(unit, Ship):
        return replace(unit, facing=course.facing, slide=course.slide, **common)  # type: ignore[arg-type]
    return replace(unit, **common)  # type: ignore[arg-type]


def _tell_move(table: Table, name: str, start: Hex, course: Course, done: _Flown) -> None:
    unit = table.named(name)
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
    table.tell(kind, rule, table.sides, {**facts, **extra})
    turning = course.turning
    if turning is not None:
        table.tell("turn_progress", "BR-MOV-8", table.sides, {"unit": name, "dir": turning.dir, "left": turning.left})


# --- rolls, R6b ------------------------------------------------------------------------------------------------------


def complete_rolls(table: Table) -> None:
    """BR-MOV-17: rolls complete at the end of movement, in roster order."""
    for ship in table.ships_there():
        if table.doctrine.of(ship.name).roll and not ship.cnc_failure and not table.sheet(ship).fixed:
            _roll_over(table, ship, "BR-MOV-17")


def snap_rolls(table: Table) -> None:
    """BR-MOV-18: agile ships, after all movement."""
    for ship in table.ships_there():
        if table.sheet(ship).agile and not ship.cnc_failure and _snap_rolls(table, ship):
            _roll_over(table, ship, "BR-MOV-18")


def _roll_over(table: Table, ship: Ship, rule: str) -> None:
    table.change(ship, rolled=not ship.rolled)
    table.tell("roll", rule, table.sides, {"unit": ship.name, "rolled": not ship.rolled})


def _snap_rolls(table: Table, ship: Ship) -> bool:
    order = table.doctrine.of(ship.name).snap_roll
    if order is None:
        return False
    if order.kind == "yes":
        return True
    if order.kind == "if":
        other = table.on_map(order.unit)
        return other is not None and order.side in _bearing_sides(ship, other.position)
    if "port" not in ship.structure:
        return False
    enemy = nearest_enemy_ship(table, ship)
    weaker = min(("port", "starboard"), key=lambda side: ship.structure[side])
    same = ship.structure["port"] == ship.structure["starboard"]
    return enemy is not None and not same and weaker in _bearing_sides(ship, enemy.position)


def _bearing_sides(ship: Ship, at: Hex) -> set[str]:
    """Whether a hex lies to port or to starboard of the sheet as it is turned now; both dead ahead or astern."""
    where = seen(Hex(at.q - ship.position.q, at.r - ship.position.r), ship.facing, rolled=ship.rolled)
    return {"starboard" if sector < 3 else "port" for sector in sectors_of(where)}

"""The map: terrain, units with heading and facing, the paths of last turn, shots, losses; and a side's own plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.broadsides.imagined import plainly_imagined
from games.broadsides.orders.manoeuvre import moving_craft
from games.broadsides.orders.reading import settled
from games.broadsides.orders.records import Order
from games.broadsides.rules.autopilot import chase, flown, guard
from games.broadsides.rules.craft import Course, ground_of
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.state import Ballistic, Flight, SeenFlight, SeenShip, Ship, State, Unit
from games.broadsides.view import View
from pbem.kit import scene as sc
from pbem.kit.game import Event
from pbem.kit.hexgrid import DIRECTION_NAMES, Hex, disk, distance, from_column_row
from pbem.kit.sheet import Sheet

GLYPHS: Mapping[str, sc.Glyph] = {
    "Capital": "capital",
    "Enormous": "capital",
    "HCV": "heavy",
    "Medium": "medium",
    "LCV": "light",
    "OSAT": "marker",
    "Base": "base",
}
MOVES = ("move", "fighter_move", "pod_move")
MINE_RADIUS = 2.6
"""An energy mine burns its own hex and the six about it."""


def scene(view: View, events: Sequence[Event]) -> sc.Scene:
    """The situation, with what happened last turn drawn into it."""
    items = [*_trails(events), *_shots(events), *_bursts(events), *_in_flight(view), *_units(view)]
    return _picture(view, items, f"{view.title}, turn {view.turn}")


def forecast(view: View, sheet: Sheet[Order]) -> sc.Scene:
    """The same map with the side's own plots, from what it knows."""
    items = [*_plots(view, sheet), *_in_flight(view), *_units(view)]
    return _picture(view, items, f"{view.title}, turn {view.turn}: plotted")


def _picture(view: View, items: Sequence[sc.Item], title: str) -> sc.Scene:
    parts = tuple(sc.ScenePart(side.id, side.name, index) for index, side in enumerate(view.sides))
    return sc.Scene(title, _ground(view), parts, _terrain(view), tuple(items), notes=_notes(view), alt=describe(view))


def _notes(view: View) -> tuple[tuple[str, str], ...]:
    """Legend lines the items do not explain by themselves."""
    notes = [("arrow and tick", "heading, and the bow where it points elsewhere")]
    if view.terrain.asteroids and view.switches.asteroids:
        notes.append(("number in a field", "density of the asteroids"))
    return tuple(notes)


def _ground(view: View) -> sc.HexField:
    if view.map.radius is not None:
        return sc.HexField(tuple(disk(Hex(0, 0), view.map.radius)))
    columns, rows = range(1, view.map.columns + 1), range(1, view.map.rows + 1)
    return sc.HexField(tuple(from_column_row(column, row) for column in columns for row in rows))


def _terrain(view: View) -> tuple[sc.Item, ...]:
    items: list[sc.Item] = []
    ground = view.terrain
    if view.switches.atmosphere:
        for level in sorted({patch.level for patch in ground.atmosphere}):
            hexes = tuple(patch.hex for patch in ground.atmosphere if patch.level == level)
            items.append(sc.Patch("atmosphere", hexes, f"air {level}", strength=level))
    if ground.planet:
        items.append(sc.Patch("planet", ground.planet))
    if view.switches.asteroids:
        for density in sorted({patch.density for patch in ground.asteroids}):
            hexes = tuple(patch.hex for patch in ground.asteroids if patch.density == density)
            items.append(sc.Patch("asteroids", hexes, str(density), strength=density))
        if ground.large:
            items.append(sc.Patch("asteroid", ground.large))
    return tuple(items)


# --- units -----------------------------------------------------------------------------------------------------------


def _units(view: View) -> list[sc.Item]:
    groups = (view.own_ships, view.own_flights, view.enemies, view.enemy_flights)
    return [_unit(view, unit) for group in groups for unit in group if unit.on_map]


def _unit(view: View, unit: SeenShip | SeenFlight) -> sc.Unit:
    return _ship(view, unit) if isinstance(unit, SeenShip) else _flight(view, unit)


def _degrees(direction: int) -> float:
    return 60.0 * direction


def _ship(view: View, ship: SeenShip) -> sc.Unit:
    sheet = view.cards.classes[ship.class_name]
    lost = len(view.figures[ship.name].lost_sides)
    states = [f"{lost} side{'s' * (lost > 1)} lost"] * bool(lost) + ["rolled"] * ship.rolled
    if ship.turning:
        states.append(f"turning {ship.turning.dir}")
    return sc.Unit(
        sc.hex_point(ship.position),
        ship.side,
        GLYPHS[sheet.size],
        ship.name,
        None if sheet.fixed else _degrees(ship.heading),
        None if ship.heading == ship.facing else _degrees(ship.facing),
        states=tuple(states),
        flag=isinstance(ship, Ship) and sheet.command > 0,
    )


def _flight(view: View, flight: SeenFlight) -> sc.Unit:
    counts = view.counts[flight.name]
    pod = view.cards.fighters[flight.class_name].kind == "pod"
    if isinstance(flight, Flight):
        pod = bool(flight.section) or flight.alongside
    age = None if counts.last_seen is None else max(0, view.turn - 1 - counts.last_seen)
    glyph: sc.Glyph = "pod" if pod else "flight"
    at = sc.hex_point(flight.position)
    return sc.Unit(at, flight.side, glyph, flight.name, _degrees(flight.heading), count=counts.strength, age=age)


# --- what happened ---------------------------------------------------------------------------------------------------


def _point(pair: Sequence[int]) -> sc.Point:
    return sc.hex_point(Hex(pair[0], pair[1]))


def _trails(events: Sequence[Event]) -> list[sc.Item]:
    trails: list[sc.Item] = []
    for event in events:
        path = event.facts.get("path")
        if event.kind in (*MOVES, "withdraw") and path and len(path) > 1:
            trails.append(sc.Trail(tuple(_point(at) for at in path), event.facts["side"]))
    return trails


def _shots(events: Sequence[Event]) -> list[sc.Item]:
    """One line for each pair of firer and target, a hit before a miss."""
    pairs: dict[tuple[str, str], tuple[Mapping[str, Any], bool]] = {}
    for event in events:
        if event.kind not in ("fire", "fighter_fire"):
            continue
        key = (event.facts.get("firer") or event.facts["unit"], event.facts["target"])
        hit = bool(event.facts["hit"]) or pairs.get(key, ({}, False))[1]
        pairs[key] = (event.facts, hit)
    shots: list[sc.Item] = []
    for facts, hit in pairs.values():
        if facts["from"] != facts["to"]:
            shots.append(sc.Shot(_point(facts["from"]), _point(facts["to"]), facts["side"], hit))
    return shots


def _bursts(events: Sequence[Event]) -> list[sc.Item]:
    bursts: list[sc.Item] = []
    for event in events:
        facts = event.facts
        if event.kind == "burst" and facts["hex"] is not None:
            kind: Any = "mine" if facts["kind"] == "energy_mine" else "vortex"
            radius = MINE_RADIUS if kind == "mine" else 1.0
            bursts.append(sc.Burst(_point(facts["hex"]), radius, kind, facts["mount"]))
        elif event.kind == "ship_lost" and "hex" in facts:
            bursts.append(sc.Burst(_point(facts["hex"]), 0, "loss", facts["unit"]))
        elif event.kind == "jump":
            bursts.append(sc.Burst(_point(facts["hex"]), 0, "jump", facts["unit"]))
    return bursts


def _in_flight(view: View) -> list[sc.Item]:
    """Ballistics between launch and strike; of the enemy's only where they were launched."""
    items: list[sc.Item] = []
    units = (*view.ships, *view.flights)
    places = {unit.name: unit.position for unit in units}
    for launch in sorted(view.ballistics, key=lambda launch: not isinstance(launch, Ballistic)):
        label, end = f"{launch.launcher} {launch.mount}", launch.launch_hex
        if isinstance(launch, Ballistic):
            end = launch.target_hex or places.get(launch.target, launch.launch_hex)
            items.append(sc.Trail(sc.hex_points((launch.launch_hex, end)), launch.side, "plotted"))
        items.append(sc.Unit(sc.hex_point(end), launch.side, "missile", label))
    return items


# --- plots -----------------------------------------------------------------------------------------------------------


def _plots(view: View, sheet: Sheet[Order]) -> list[sc.Item]:
    if view.side is None or view.phase != "orders":
        return []
    state = plainly_imagined(view)
    done = settled(state, view.side, sheet)
    items: list[sc.Item] = []
    units: tuple[Unit, ...] = (*view.own_ships, *view.own_flights)
    for unit in units:
        orders = done.units.get(unit.name, UnitOrders())
        course = _course(state, unit, orders)
        if course is not None and len(course.hexes) > 1:
            items.append(sc.Trail(sc.hex_points(course.hexes), unit.side, "plotted"))
            end = sc.hex_point(course.hexes[-1])
            facing = "" if course.facing == course.heading else f", facing {DIRECTION_NAMES[course.facing]}"
            items.append(sc.Label(end, f"{unit.name} {DIRECTION_NAMES[course.heading]}{facing}"))
    return items


def _course(state: State, unit: Unit, orders: UnitOrders) -> Course | None:
    """Where a unit will go, as far as its own orders decide it."""
    launching = isinstance(unit, Flight) and orders.order == "L" and unit.status == "hangar"
    if not launching and not unit.on_map:
        return None
    if isinstance(unit, Flight) and state.cards.fighters[unit.class_name].kind == "pod":
        return None
    craft, ground = moving_craft(state, unit, orders), ground_of(state)
    if craft.fixed:
        return None
    unplotted = orders.plot.tokens is None and not orders.speed_given
    prey = orders.chase or (orders.target if unplotted else "")
    target = state.unit(prey) if prey and isinstance(unit, Flight) else None
    if target is not None:
        change = orders.plot.change if orders.speed_given else None
        return chase(craft, target.position, ground, change)
    if not orders.moves:
        return guard(craft, ground) or flown(craft, orders.plot, ground)
    return flown(craft, orders.plot, ground)


# --- in words --------------------------------------------------------------------------------------------------------


def describe(view: View) -> str:
    """The situation for those who cannot see the picture."""
    own = [ship for ship in view.own_ships if ship.on_map]
    sentences = [f"Turn {view.turn} of {view.last_turn}."]
    sentences += [
        f"{_told(ship)}, heading {DIRECTION_NAMES[ship.heading]}, facing {DIRECTION_NAMES[ship.facing]}, "
        f"speed {ship.speed}."
        for ship in own
    ]
    sentences += [
        f"Flight {flight.name}, {len(flight.living)} strong, at {flight.position.q},{flight.position.r}."
        for flight in view.own_flights
        if flight.on_map
    ]
    for enemy in (ship for ship in view.enemies if ship.on_map):
        near = min((distance(ship.position, enemy.position) for ship in own), default=None)
        gap = "" if near is None else f", {near} hexes from your nearest ship"
        sentences.append(f"Enemy {_told(enemy)}, heading {DIRECTION_NAMES[enemy.heading]}, speed {enemy.speed}{gap}.")
    for other in (flight for flight in view.enemy_flights if flight.on_map):
        turn = view.counts[other.name].last_seen
        seen = "" if turn is None else f", last seen in turn {turn}"
        sentences.append(f"Enemy flight {other.name} at {other.position.q},{other.position.r}{seen}.")
    return " ".join(sentences)


def _told(ship: SeenShip) -> str:
    return f"{ship.name} ({ship.class_name}) at {ship.position.q},{ship.position.r}"

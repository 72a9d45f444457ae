"""The map: terrain, units with heading and facing, the paths of last turn, shots, losses; and a side's own plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.broadsides.catalogue import printed
from games.broadsides.orders import Order, settled
from games.broadsides.orders.manoeuvre import moving_craft
from games.broadsides.rules.autopilot import chase, flown, guard
from games.broadsides.rules.craft import Course, ground_of
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.state import Flight, Ship, State, Unit, catalogue_of, class_of, living, lost_sides, unit_of
from games.broadsides.view import EnemyFlight, EnemyShip, View, imagined
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
        for level in sorted({one.level for one in ground.atmosphere}):
            hexes = tuple(one.hex for one in ground.atmosphere if one.level == level)
            items.append(sc.Patch("atmosphere", hexes, f"air {level}", strength=level))
    if ground.planet:
        items.append(sc.Patch("planet", ground.planet))
    if view.switches.asteroids:
        for density in sorted({one.density for one in ground.asteroids}):
            hexes = tuple(one.hex for one in ground.asteroids if one.density == density)
            items.append(sc.Patch("asteroids", hexes, str(density), strength=density))
        if ground.large:
            items.append(sc.Patch("asteroid", ground.large))
    return tuple(items)


# --- units -----------------------------------------------------------------------------------------------------------


def _units(view: View) -> list[sc.Item]:
    items: list[sc.Item] = [_own_ship(view, one) for one in view.ships if one.status == "on-map"]
    items += [_own_flight(one) for one in view.flights if one.status == "on-map"]
    items += [_enemy_ship(one) for one in view.enemies if one.status == "on-map"]
    items += [_enemy_flight(view, one) for one in view.enemy_flights if one.status == "on-map"]
    return items


def _degrees(direction: int) -> float:
    return 60.0 * direction


def _bow(heading: int, facing: int) -> float | None:
    return None if heading == facing else _degrees(facing)


def _own_ship(view: View, ship: Ship) -> sc.Unit:
    sheet = class_of(printed().with_more(view.catalogue), ship)
    lost = lost_sides(sheet, ship)
    states = [f"{lost} side{'s' * (lost > 1)} lost"] * bool(lost) + ["rolled"] * ship.rolled
    if ship.turning:
        states.append(f"turning {ship.turning.dir}")
    heading = None if sheet.fixed else _degrees(ship.heading)
    facing = _bow(ship.heading, ship.facing)
    return sc.Unit(
        sc.hex_point(ship.position),
        ship.side,
        GLYPHS[sheet.size],
        ship.name,
        heading,
        facing,
        states=tuple(states),
        flag=sheet.command > 0,
    )


def _own_flight(flight: Flight) -> sc.Unit:
    glyph: sc.Glyph = "pod" if flight.section or flight.alongside else "flight"
    at = sc.hex_point(flight.position)
    return sc.Unit(at, flight.side, glyph, flight.name, _degrees(flight.heading), count=len(living(flight)))


def _enemy_ship(one: EnemyShip) -> sc.Unit:
    lost = len(one.lost_sides)
    states = [f"{lost} side{'s' * (lost > 1)} lost"] * bool(lost) + ["rolled"] * one.rolled
    if one.turning:
        states.append(f"turning {one.turning.dir}")
    heading = None if one.size in ("Base", "OSAT") else _degrees(one.heading)
    return sc.Unit(
        sc.hex_point(one.position),
        one.side,
        GLYPHS[one.size],
        one.name,
        heading,
        _bow(one.heading, one.facing),
        states=tuple(states),
    )


def _enemy_flight(view: View, one: EnemyFlight) -> sc.Unit:
    age = None if one.last_seen is None else max(0, view.turn - 1 - one.last_seen)
    glyph: sc.Glyph = "pod" if one.kind == "pod" else "flight"
    at = sc.hex_point(one.position)
    return sc.Unit(at, one.side, glyph, one.name, _degrees(one.heading), count=one.strength, age=age)


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
    places = {one.name: one.position for one in view.ships} | {one.name: one.position for one in view.flights}
    places |= {one.name: one.position for one in view.enemies}
    places |= {one.name: one.position for one in view.enemy_flights}
    for one in view.ballistics:
        end = one.target_hex or places.get(one.target, one.launch_hex)
        items.append(sc.Trail(sc.hex_points((one.launch_hex, end)), one.side, "plotted"))
        items.append(sc.Unit(sc.hex_point(end), one.side, "missile", f"{one.launcher} {one.mount}"))
    for launch in view.enemy_launches:
        label = f"{launch.launcher} {launch.mount}"
        items.append(sc.Unit(sc.hex_point(launch.launch_hex), view.others[0], "missile", label))
    return items


# --- plots -----------------------------------------------------------------------------------------------------------


def _plots(view: View, sheet: Sheet[Order]) -> list[sc.Item]:
    if view.side is None or view.phase != "orders":
        return []
    state = imagined(view)
    done = settled(state, view.side, sheet)
    items: list[sc.Item] = []
    units: list[Unit] = [*view.ships, *view.flights]
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
    catalogue = catalogue_of(state)
    if not launching and unit.status != "on-map":
        return None
    if isinstance(unit, Flight) and catalogue.fighters[unit.class_name].kind == "pod":
        return None
    craft, ground = moving_craft(state, catalogue, unit, orders), ground_of(state)
    if craft.fixed:
        return None
    unplotted = orders.plot.tokens is None and not orders.speed_given
    prey = orders.chase or (orders.target if unplotted else "")
    target = unit_of(state, prey) if prey and isinstance(unit, Flight) else None
    if target is not None:
        change = orders.plot.change if orders.speed_given else None
        return chase(craft, target.position, ground, change)
    if not orders.moves:
        return guard(craft, ground) or flown(craft, orders.plot, ground)
    return flown(craft, orders.plot, ground)


# --- in words --------------------------------------------------------------------------------------------------------


def describe(view: View) -> str:
    """The situation for those who cannot see the picture."""
    own = [one for one in view.ships if one.status == "on-map"]
    sentences = [f"Turn {view.turn} of {view.last_turn}."]
    sentences += [
        f"{ship.name} ({ship.class_name}) at {ship.position.q},{ship.position.r}, "
        f"heading {DIRECTION_NAMES[ship.heading]}, facing {DIRECTION_NAMES[ship.facing]}, speed {ship.speed}."
        for ship in own
    ]
    flights = [one for one in view.flights if one.status == "on-map"]
    sentences += [
        f"Flight {one.name}, {len(living(one))} strong, at {one.position.q},{one.position.r}." for one in flights
    ]
    for enemy in (one for one in view.enemies if one.status == "on-map"):
        near = min((distance(ship.position, enemy.position) for ship in own), default=None)
        gap = "" if near is None else f", {near} hexes from your nearest ship"
        sentences.append(
            f"Enemy {enemy.name} ({enemy.class_name}) at {enemy.position.q},{enemy.position.r}, "
            f"heading {DIRECTION_NAMES[enemy.heading]}, speed {enemy.speed}{gap}."
        )
    for other in (one for one in view.enemy_flights if one.status == "on-map"):
        seen = "" if other.last_seen is None else f", last seen in turn {other.last_seen}"
        sentences.append(f"Enemy flight {other.name} at {other.position.q},{other.position.r}{seen}.")
    return " ".join(sentences)

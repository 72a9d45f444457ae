"""The map of a view: ships with their headings, the trails of the three pulses, shots, losses, jump points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from games.fleet_action.orders.records import Order, PathOrder, SpeedOrder
from games.fleet_action.rules import geometry
from games.fleet_action.rules.movement import SpeedChange, check_path, straight
from games.fleet_action.rules.plotting import Plot, fly
from games.fleet_action.state import OpenShip, SeenFlight, SeenShip, SeenSquadron, Squadron
from games.fleet_action.table import AIRBORNE
from games.fleet_action.view import View
from pbem.kit import hexgrid
from pbem.kit.game import Event
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.scene import (
    Burst,
    Disc,
    Glyph,
    HexGrid,
    Item,
    Point,
    Ring,
    Scene,
    ScenePart,
    Shot,
    Trail,
    Unit,
    hex_point,
)
from pbem.kit.sheet import Sheet

HEX_STEP = math.sqrt(3)
GLYPHS: dict[str, Glyph] = {"enormous": "base", "capital": "capital", "heavy": "heavy", "medium": "medium"}
HEADING_NAMES = ("N", "NE", "SE", "S", "SW", "NW")


def scene(view: View, events: Sequence[Event]) -> Scene:
    """What the side sees now, and how it came about."""
    items = (*_zones(view), *_trails(events), *_shots(events), *_salvos(view), *_bursts(view, events))
    return _scene(view, (*items, *_rings(view), *_units(view)), _title(view))


def forecast(view: View, sheet: Sheet[Order]) -> Scene:
    """FA-MOV: the side's own plots as they would be flown, from what it knows."""
    moving = [squadron for squadron in view.own_squadrons() if squadron.state != "waiting"]
    plots = tuple(_plotted(view, squadron, sheet) for squadron in moving if view.stage in ("turn", "reaction"))
    title = f"{_title(view)}: my plot"
    return _scene(view, (*_zones(view), *plots, *_salvos(view), *_rings(view), *_units(view)), title)


def _plotted(view: View, squadron: Squadron, sheet: Sheet[Order]) -> Trail:
    """FA-MOV-14: without a path, straight ahead at the ordered speed."""
    mine = [order for order in sheet.orders if order.unit == squadron.name]
    changes = [SpeedChange(order.delta, order.pulse) for order in mine if isinstance(order, SpeedOrder)]
    paths = [order.steps for order in mine if isinstance(order, PathOrder)]
    change = (changes or [SpeedChange(0)])[-1]
    plot = straight(squadron.speed, change)
    if paths:
        of, pivots = view.limits[squadron.name], view.switches.pivot_at_zero
        checked = check_path(paths[-1], squadron.speed, change, of, pivot_at_zero=pivots)
        plot = checked if isinstance(checked, Plot) else plot
    way, marks, heading = [squadron.hex], [], squadron.heading
    for segment in plot.segments:
        hexes, heading = fly(way[-1], heading, segment)
        way += hexes
        marks.append(len(way) - 1)
    return Trail(tuple(map(hex_point, way)), squadron.side, "plotted", tuple(marks))


def _scene(view: View, items: tuple[Item, ...], title: str) -> Scene:
    return Scene(
        title=title,
        ground=HexGrid(view.map_w, view.map_h),
        sides=tuple(ScenePart(side.id, side.name, side.index) for side in view.sides),
        terrain=_terrain(view),
        items=items,
        notes=_notes(view),
        alt=alt(view),
    )


def _title(view: View) -> str:
    when = {"deployment": "deployment", "adjustment": "adjustment", "reaction": "reaction turn", "over": "the end"}
    return f"{view.name}, {when.get(view.stage, f'turn {view.turn}')}"


def _terrain(view: View) -> tuple[Item, ...]:
    if view.gate is None:
        return ()
    return (Disc("gate", hex_point(view.gate.hex), 0.8, "jump gate"),)


def _notes(view: View) -> tuple[tuple[str, str], ...]:
    if any(len(view.members(squadron)) > 1 for squadron in view.own_squadrons()):
        return (("ring", "command radius of your squadrons"),)
    return ()


# --- units -----------------------------------------------------------------------------------------------------------


def _units(view: View) -> Iterator[Unit]:
    for ship in view.ships:
        squadron = view.squadron_of(ship)
        if ship.fate == "in play" and squadron.state != "waiting":
            yield _ship(view, ship, squadron)
    for flight in view.flights:
        if flight.hex is not None and flight.state in AIRBORNE:
            yield _flight(flight, flight.hex)


def _ship(view: View, ship: SeenShip, squadron: SeenSquadron) -> Unit:
    return Unit(
        at=hex_point(ship.hex),
        side=squadron.side,
        glyph=GLYPHS[view.cards.classes[ship.ship_class].category],
        # The command ship carries the squadron's name, which is what orders are addressed to.
        label=squadron.name if view.commands(ship) else ship.name,
        heading=degrees(squadron.heading),
        states=tuple(_ship_states(view, ship, squadron)),
        flag=view.is_flagship(ship),
    )


def _ship_states(view: View, ship: SeenShip, squadron: SeenSquadron) -> Iterator[str]:
    if view.bands[ship.name] != "intact":
        yield view.bands[ship.name]
    if isinstance(ship, OpenShip) and ship.command == "ooc":
        yield "out of command"
    if view.commands(ship) and squadron.state in ("withdrawing", "jumping"):
        yield squadron.state
    if ship.held_by:
        yield "held"


def _flight(flight: SeenFlight, at: Hex) -> Unit:
    states = ("dogfight",) if flight.state == "dogfight" else ()
    heading = degrees(flight.heading)
    return Unit(hex_point(at), flight.side, "flight", flight.name, heading, count=flight.count, states=states)


def degrees(heading: int) -> float:
    """Heading 1-6 as an angle on the map."""
    return (heading - 1) * 60.0


def _rings(view: View) -> Iterator[Ring]:
    for squadron in view.own_squadrons() if view.side is not None else ():
        if len(view.members(squadron)) > 1 and squadron.state != "waiting":
            yield Ring(hex_point(squadron.hex), view.command_radius[squadron.side] * HEX_STEP, squadron.side)


# --- what happened ---------------------------------------------------------------------------------------------------


def _point(printed: str) -> Point | None:
    at = hexgrid.parse(printed)
    return hex_point(at) if at is not None else None


def _trails(events: Sequence[Event]) -> Iterator[Trail]:
    """One trail a command ship over the pulses, a short line for each other ship and flight."""
    ways: dict[tuple[str, str], list[Point]] = {}
    marks: dict[tuple[str, str], list[int]] = {}
    for event in events:
        for side, name, points in _steps(event):
            key = (side, name)
            way = ways.setdefault(key, points[:1])
            way.extend(points[1:] if way[-1] == points[0] else points)
            marks.setdefault(key, []).append(len(way) - 1)
    for (side, name), way in ways.items():
        if len(way) > 1:
            yield Trail(tuple(way), side, "flown", tuple(marks[side, name]))


def _steps(event: Event) -> Iterator[tuple[str, str, list[Point]]]:
    facts = event.facts
    if event.kind == "move":
        for ship in facts["ships"]:
            yield facts["side"], ship["name"], _way([ship["from"], ship["to"]])
    elif event.kind == "flight_move" and facts["to"] != facts["from"]:
        yield facts["side"], facts["flight"], _way([facts["from"], *facts["hexes"]])


def _way(printed: Sequence[str]) -> list[Point]:
    return [point for point in map(_point, printed) if point is not None]


def _shots(events: Sequence[Event]) -> Iterator[Shot]:
    """One line for each pair of firer and target: a hit if anything hit."""
    hits: dict[tuple[str, Point, Point], bool] = {}
    for event in events:
        if event.kind not in ("fire", "impact") or event.facts.get("lost"):
            continue
        start, end = _point(str(event.facts.get("firer_hex"))), _point(str(event.facts.get("target_hex")))
        if start is not None and end is not None and start != end:
            key = (event.facts["side"], start, end)
            hits[key] = hits.get(key, False) or bool(event.facts.get("hits"))
    for (side, start, end), hit in hits.items():
        yield Shot(start, end, side, hit)


def _salvos(view: View) -> Iterator[Item]:
    """FA-WPN-9: ballistics under way, from launcher to target; mines by the hex they were set for, where known."""
    places = {ship.name: ship.hex for ship in view.ships if ship.fate == "in play"}
    places |= {flight.name: flight.hex for flight in view.flights if flight.hex is not None}
    for salvo in view.salvos:
        start, target = places.get(salvo.firer), places.get(salvo.target or "")
        if salvo.hex is not None:
            yield Burst(hex_point(salvo.hex), 0, "mine", "mines set")
        elif start is not None and target is not None and start != target:
            yield Shot(hex_point(start), hex_point(target), salvo.side, hit=False, label=salvo.weapon)


def _zones(view: View) -> Iterator[Burst]:
    for zone in view.zones:
        yield Burst(hex_point(zone.hex), (zone.radius + 0.5) * HEX_STEP, "mine")


def _bursts(view: View, events: Sequence[Event]) -> Iterator[Burst]:
    for vortex in view.vortices:
        yield Burst(hex_point(vortex.hex), 0, "vortex", f"faces {HEADING_NAMES[vortex.direction - 1]}")
    for at in view.dogfights:
        yield Burst(hex_point(at), 0, "dogfight")
    for event in events:
        lost = event.facts
        place = _point(str(lost["hex"])) if event.kind == "loss" and lost["unit_kind"] == "ship" else None
        if place is not None:
            yield Burst(place, 0, "loss", str(lost["unit"]))


# --- in words --------------------------------------------------------------------------------------------------------


def alt(view: View) -> str:
    """The situation in words, for those who cannot see the picture."""
    sentences = [f"Map of {view.map_w} by {view.map_h} hexes, {_title(view)}."]
    sentences += [_placed(view, squadron) for squadron in view.in_play() if squadron.state != "waiting"]
    flying = [flight for flight in view.flights if flight.hex is not None and flight.state in AIRBORNE]
    if flying:
        sentences.append("Flights: " + ", ".join(f"{f.name} ({f.count}) at {_printed(f.hex)}" for f in flying) + ".")
    return " ".join(sentences)


def _printed(at: Hex | None) -> str:
    return "" if at is None else hexgrid.name(at)


def _placed(view: View, squadron: SeenSquadron) -> str:
    owner = next(side.name for side in view.sides if side.id == squadron.side)
    count = len(view.members(squadron))
    ships = "1 ship" if count == 1 else f"{count} ships"
    text = f"{squadron.name} ({owner}, {ships}) at {hexgrid.name(squadron.hex)}"
    text += f" heading {HEADING_NAMES[squadron.heading - 1]} at speed {squadron.speed}"
    foes = [other for other in view.in_play() if other.side != squadron.side and other.state != "waiting"]
    if view.owns(squadron.side) and foes:
        foe = min(foes, key=lambda other: (distance(squadron.hex, other.hex), other.name))
        text += f", {distance(squadron.hex, foe.hex)} hexes from {foe.name} {_bearing(squadron, foe)}"
    return f"{text}."


def _bearing(squadron: SeenSquadron, foe: SeenSquadron) -> str:
    words = ("ahead", "fore-starboard", "aft-starboard", "astern", "aft-port", "fore-port")
    arcs = geometry.arcs(squadron.hex, squadron.heading, foe.hex)
    return words[arcs[0]] if arcs else "in the same hex"

"""The map: sea, ships with bow and stern, what they did last turn, and what a sheet would have them do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.galleys.orders.records import Order, Path
from games.galleys.rules.geometry import Hull
from games.galleys.rules.routes import moved
from games.galleys.state import SeenShip, Ship
from games.galleys.status import conditions, tired
from games.galleys.view import View
from pbem.kit.game import Event, Scene, Sheet
from pbem.kit.hexgrid import DIRECTION_NAMES, Hex
from pbem.kit.scene import (
    Burst,
    HexGrid,
    Item,
    Label,
    Lane,
    Patch,
    Point,
    ScenePart,
    Shot,
    TerrainKind,
    Trail,
    Unit,
    Wind,
    hex_point,
)

DEGREES = 60
HARMED = {"ram": ("C", "F", "RF", "R", "S"), "rake": ("C",)}
WIND_WORDS = ("", "light", "strong")


def scene(view: View, events: Sequence[Event]) -> Scene:
    """The situation of a view, with the trails and attacks of the events it saw."""
    items = [*_trails(view, events), *_attacks(view, events), *_links(view), *_units(view)]
    switches = view.switches
    wind = Wind(switches.wind_dir * DEGREES, WIND_WORDS[switches.wind_force]) if switches.wind_force else None
    return Scene(
        title=f"{view.title}, turn {view.turn}",
        ground=HexGrid(view.sea.cols, view.sea.rows, names="q,r", ground="sea"),
        sides=tuple(ScenePart(side.name, side.name, index) for index, side in enumerate(view.sides)),
        terrain=tuple(_terrain(view)),
        items=tuple(items),
        wind=wind,
        notes=_notes(view),
        alt=_in_words(view),
    )


def forecast(view: View, sheet: Sheet[Order]) -> Scene:
    """The same map with the plotted paths of one's own ships."""
    drawn = scene(view, ())
    plots = [_plot(view, ship, path) for ship, path in _plotted(view, sheet)]
    return replace(drawn, title=f"{drawn.title}: as plotted", items=(*plots, *drawn.items))


# --- ground ----------------------------------------------------------------------------------------------------------


def _terrain(view: View) -> Iterator[Item]:
    kinds: tuple[tuple[TerrainKind, tuple[Hex, ...]], ...] = (("land", view.sea.land), ("shallows", view.sea.shoal))
    for kind, hexes in kinds:
        if hexes:
            yield Patch(kind, hexes)
    for side in view.sides:
        yield Label(_edge_point(view, side.exit_edge), f"{side.name}: way home", "note")


def _edge_point(view: View, edge: str) -> Point:
    """The middle of an edge, as the hex there."""
    column = {"W": 0, "E": view.sea.cols - 1}.get(edge, view.sea.cols // 2)
    row = {"N": 0, "S": view.sea.rows - 1}.get(edge, view.sea.rows // 2)
    return hex_point(Hex(column, row - column // 2))


def _notes(view: View) -> tuple[tuple[str, str], ...]:
    notes = [("bow", "the pointed end of a ship shows where it faces")]
    if view.links:
        notes.append(("link", "a line between two ships: grappled or fouled"))
    if any("line abreast" in figures.formation for figures in view.figures.values()):
        notes.append(("abreast", "a ship in line abreast may be passed through"))
    return tuple(notes)


# --- ships -----------------------------------------------------------------------------------------------------------


def _units(view: View) -> Iterator[Item]:
    for ship in view.ships:
        if ship.afloat:
            hull = view.hull(ship)
            yield Unit(
                at=hex_point(ship.bow),
                side=ship.side,
                glyph="two-hex galley" if hull.large else "galley",
                label=ship.name,
                heading=float(ship.facing * DEGREES),
                stern=hex_point(hull.stern) if hull.large else None,
                states=tuple(_states(view, ship)),
                flag=ship.flagship and not ship.prize,
            )


def _states(view: View, ship: SeenShip) -> Iterator[str]:
    """Short words for the marks on a ship."""
    if ship.rammed:
        yield "rammed"
    if ship.crippled:
        yield "crippled"
    if ship.fire:
        yield f"burning {ship.fire}"
    kinds = {link.kind for link in view.links if ship.name in link.ships}
    yield from sorted(kinds)
    if ship.prize:
        yield "prize"
    if tiredness := tired(view, ship, "tired"):
        yield tiredness
    if view.squadron(ship.squadron).routed:
        yield "routed"
    if "line abreast" in view.figures[ship.name].formation:
        yield "abreast"


def _links(view: View) -> Iterator[Item]:
    for link in view.links:
        first, second = (view.hull(view.ship(name)) for name in link.ships)
        yield Lane(_middle(first), _middle(second), "major" if link.kind == "grappled" else "minor")


def _middle(hull: Hull) -> Point:
    bow, stern = hex_point(hull.bow), hex_point(hull.stern)
    return Point((bow.x + stern.x) / 2, (bow.y + stern.y) / 2)


# --- what happened ---------------------------------------------------------------------------------------------------


def _point(at: Sequence[int]) -> Point:
    return hex_point(Hex(at[0], at[1]))


def _trails(view: View, events: Sequence[Event]) -> Iterator[Item]:
    sides = {ship.name: ship.side for ship in view.ships}
    for event in events:
        if event.kind == "move":
            points = tuple(_point(at) for at in event.facts["way"])
            if len(points) > 1:
                yield Trail(points, sides[event.facts["ship"]], marks=(len(points) - 1,))


def _attacks(view: View, events: Sequence[Event]) -> Iterator[Item]:
    sides = {ship.name: ship.side for ship in view.ships}
    for event in events:
        facts = event.facts
        if event.kind in ("fire", "flame"):
            shooter = facts["shooter" if event.kind == "fire" else "ship"]
            hit = bool(facts.get("loss")) or facts.get("result") == "burns"
            yield Shot(_point(facts["from"]), _point(facts["to"]), sides[shooter], hit)
        elif event.kind in HARMED and facts["code"] in HARMED[event.kind]:
            yield Burst(_point(facts["at"]), 0, "battle", event.kind)
        elif event.kind == "boarding":
            yield Burst(_point(facts["at"]), 0, "battle", "boarded")
        elif event.kind == "burn" and facts["level"]:
            yield Burst(_point(facts["at"]), 0, "fire")
        elif event.kind == "lost":
            yield Burst(_point(facts["at"]), 0, "loss", facts["ship"])


# --- plots -----------------------------------------------------------------------------------------------------------


def _plotted(view: View, sheet: Sheet[Order]) -> Iterator[tuple[Ship, Path]]:
    """Each own ship with the path of its most specific level."""
    paths = {order.unit: order for order in sheet.orders if isinstance(order, Path)}
    units = {order.unit for order in sheet.orders}
    for ship in view.own():
        for unit in (ship.name, ship.squadron, "Fleet"):
            if unit in paths:
                yield ship, paths[unit]
                break
            if unit in units and unit == ship.name:
                break


def _plot(view: View, ship: Ship, path: Path) -> Trail:
    hull = view.hull(ship)
    way = [hull.bow]
    for token in path.tokens:
        hull = moved(hull, token)
        if hull.bow != way[-1]:
            way.append(hull.bow)
    return Trail(tuple(hex_point(at) for at in way), ship.side, "plotted")


# --- in words --------------------------------------------------------------------------------------------------------


def _in_words(view: View) -> str:
    parts = [f"{view.title}, turn {view.turn}. The sea has {view.sea.cols} columns and {view.sea.rows} rows."]
    if view.switches.wind_force:
        word = WIND_WORDS[view.switches.wind_force]
        parts.append(f"A {word} wind blows towards {DIRECTION_NAMES[view.switches.wind_dir]}.")
    for side in view.sides:
        ships = [ship for ship in view.ships if ship.afloat and ship.side == side.name]
        listed = "; ".join(_ship_in_words(view, ship) for ship in ships) or "no ships"
        parts.append(f"{side.name} ({view.points[side.name]} points): {listed}.")
    return " ".join(parts)


def _ship_in_words(view: View, ship: SeenShip) -> str:
    words = conditions(view, ship)
    state = f" ({', '.join(words)})" if words else ""
    return f"{ship.name} at {ship.bow.q},{ship.bow.r} facing {DIRECTION_NAMES[ship.facing]}{state}"

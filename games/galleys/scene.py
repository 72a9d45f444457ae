"""The map: sea, ships with bow and stern, what they did last turn, and what a sheet would have them do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.galleys.orders.plans import Order, Path
from games.galleys.rules.geometry import ASTERN, ahead
from games.galleys.rules.routes import BACK, FORWARD, THROUGH, TURNS
from games.galleys.view import ShipView, View, conditions
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


def scene(known: View, events: Sequence[Event]) -> Scene:
    """The situation of a view, with the trails and attacks of the events it saw."""
    where = {ship.name: ship for ship in known.ships}
    items = [*_trails(known, events), *_attacks(known, events), *_links(known), *_units(known)]
    switches = known.switches
    wind = Wind(switches.wind_dir * DEGREES, WIND_WORDS[switches.wind_force]) if switches.wind_force else None
    return Scene(
        title=f"{known.title}, turn {known.turn}",
        ground=HexGrid(known.sea.cols, known.sea.rows, names="q,r", ground="sea"),
        sides=tuple(ScenePart(side.name, side.name, index) for index, side in enumerate(known.sides)),
        terrain=tuple(_terrain(known)),
        items=tuple(items),
        wind=wind,
        notes=_notes(known),
        alt=_in_words(known, where),
    )


def forecast(known: View, sheet: Sheet[Order]) -> Scene:
    """The same map with the plotted paths of one's own ships."""
    drawn = scene(known, ())
    plots = [_plot(ship, order) for ship, order in _plotted(known, sheet)]
    return Scene(
        title=f"{drawn.title}: as plotted",
        ground=drawn.ground,
        sides=drawn.sides,
        terrain=drawn.terrain,
        items=(*plots, *drawn.items),
        wind=drawn.wind,
        notes=drawn.notes,
        alt=drawn.alt,
    )


# --- ground ----------------------------------------------------------------------------------------------------------


def _terrain(known: View) -> Iterator[Item]:
    kinds: tuple[tuple[TerrainKind, tuple[Hex, ...]], ...] = (("land", known.sea.land), ("shallows", known.sea.shoal))
    for kind, hexes in kinds:
        if hexes:
            yield Patch(kind, hexes)
    for side in known.sides:
        yield Label(_edge_point(known, side.exit_edge), f"{side.name}: way home", "note")


def _edge_point(known: View, edge: str) -> Point:
    """The middle of an edge, as the hex there."""
    column = {"W": 0, "E": known.sea.cols - 1}.get(edge, known.sea.cols // 2)
    row = {"N": 0, "S": known.sea.rows - 1}.get(edge, known.sea.rows // 2)
    return hex_point(Hex(column, row - column // 2))


def _notes(known: View) -> tuple[tuple[str, str], ...]:
    notes = [("bow", "the pointed end of a ship shows where it faces")]
    if any(ship.held_by for ship in known.ships):
        notes.append(("link", "a line between two ships: grappled or fouled"))
    if any("line abreast" in ship.formation for ship in known.ships):
        notes.append(("abreast", "a ship in line abreast may be passed through"))
    return tuple(notes)


# --- ships -----------------------------------------------------------------------------------------------------------


def _units(known: View) -> Iterator[Item]:
    for ship in known.ships:
        if ship.afloat:
            yield Unit(
                at=hex_point(ship.bow),
                side=ship.side,
                glyph="two-hex galley" if ship.large else "galley",
                label=ship.name,
                heading=float(ship.facing * DEGREES),
                stern=hex_point(ship.stern) if ship.large else None,
                states=tuple(_states(known, ship)),
                flag=ship.flagship and not ship.prize,
            )


def _states(known: View, ship: ShipView) -> Iterator[str]:
    """Short words for the marks on a ship."""
    if ship.rammed:
        yield "rammed"
    if ship.crippled:
        yield "crippled"
    if ship.fire:
        yield f"burning {ship.fire}"
    kinds = {link.kind for link in known.links if ship.name in link.ships}
    yield from sorted(kinds)
    if ship.prize:
        yield "prize"
    if ship.fatigue not in (0, "fresh"):
        yield f"tired {ship.fatigue}" if isinstance(ship.fatigue, int) else "tired"
    if known.squadron(ship.squadron).routed:
        yield "routed"
    if "line abreast" in ship.formation:
        yield "abreast"


def _links(known: View) -> Iterator[Item]:
    for link in known.links:
        first, second = (known.ship(name) for name in link.ships)
        yield Lane(_middle(first), _middle(second), "major" if link.kind == "grappled" else "minor")


def _middle(ship: ShipView) -> Point:
    bow, stern = hex_point(ship.bow), hex_point(ship.stern)
    return Point((bow.x + stern.x) / 2, (bow.y + stern.y) / 2)


# --- what happened ---------------------------------------------------------------------------------------------------


def _point(at: Sequence[int]) -> Point:
    return hex_point(Hex(at[0], at[1]))


def _trails(known: View, events: Sequence[Event]) -> Iterator[Item]:
    sides = {ship.name: ship.side for ship in known.ships}
    for event in events:
        if event.kind == "move":
            points = tuple(_point(at) for at in event.facts["way"])
            if len(points) > 1:
                yield Trail(points, sides[event.facts["ship"]], marks=(len(points) - 1,))


def _attacks(known: View, events: Sequence[Event]) -> Iterator[Item]:
    sides = {ship.name: ship.side for ship in known.ships}
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


def _plotted(known: View, sheet: Sheet[Order]) -> Iterator[tuple[ShipView, Path]]:
    """Each own ship with the path of its most specific level."""
    paths = {order.unit: order for order in sheet.orders if isinstance(order, Path)}
    units = {order.unit for order in sheet.orders}
    for ship in known.own():
        for unit in (ship.name, ship.squadron, "Fleet"):
            if unit in paths:
                yield ship, paths[unit]
                break
            if unit in units and unit == ship.name:
                break


def _plot(ship: ShipView, path: Path) -> Trail:
    at, facing = ship.bow, ship.facing
    way = [at]
    for token in path.tokens:
        if token in TURNS:
            facing = (facing + TURNS[token]) % 6
            continue
        steps = {FORWARD: 1, THROUGH: 2, BACK: 1}[token]
        at = ahead(at, facing + (ASTERN if token == BACK else 0), steps)
        way.append(at)
    return Trail(tuple(hex_point(hex_) for hex_ in way), ship.side, "plotted")


# --- in words --------------------------------------------------------------------------------------------------------


def _in_words(known: View, where: dict[str, ShipView]) -> str:
    parts = [f"{known.title}, turn {known.turn}. The sea has {known.sea.cols} columns and {known.sea.rows} rows."]
    if known.switches.wind_force:
        word = WIND_WORDS[known.switches.wind_force]
        parts.append(f"A {word} wind blows towards {DIRECTION_NAMES[known.switches.wind_dir]}.")
    for side in known.sides:
        ships = [ship for ship in where.values() if ship.afloat and ship.side == side.name]
        listed = "; ".join(_ship_in_words(ship) for ship in ships) or "no ships"
        parts.append(f"{side.name} ({side.score} points): {listed}.")
    return " ".join(parts)


def _ship_in_words(ship: ShipView) -> str:
    state = f" ({', '.join(conditions(ship))})" if conditions(ship) else ""
    return f"{ship.name} at {ship.bow.q},{ship.bow.r} facing {DIRECTION_NAMES[ship.facing]}{state}"

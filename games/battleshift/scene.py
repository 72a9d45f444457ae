"""The map of a view: table, sectors, terrain, squadrons, tracks, shots and losses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from games.battleshift.data import LIMITS
from games.battleshift.orders.records import Fly, Leg, Move, Order
from games.battleshift.rules.fighters import leg_end
from games.battleshift.rules.space import read_sector
from games.battleshift.state import Contact, SeenFlight, SeenSquadron, Squadron, Taskforce
from games.battleshift.status import own_squadrons
from games.battleshift.view import Figures, View
from pbem.kit.game import Event
from pbem.kit.plane import INCH, Spot, bearing_of, displacement, squared, toward, turn_to, whole_distance
from pbem.kit.scene import Burst, Disc, Glyph, InchTable, Item, Point, Ring, Scene, ScenePart, Shot, Trail, Unit
from pbem.kit.sheet import Sheet

CROWDED = 120
"""With more ships than this each squadron is drawn as one mark with its count."""


def inch_point(x: int, y: int) -> Point:
    return Point(round(x / INCH, 2), round(y / INCH, 2))


def scene(view: View, events: Sequence[Event]) -> Scene:
    """The map of what a side knows and saw."""
    items = [*_events(events, crowded=is_crowded(view)), *_circles(view), *_arrivals(view), *_units(view)]
    return _scene(view, items, f"{view.title}, turn {view.turn}")


def forecast(view: View, sheet: Sheet[Order]) -> Scene:
    """The same map with the side's own plots."""
    items = [*_plots(view, sheet.orders), *_circles(view), *_arrivals(view), *_units(view)]
    return _scene(view, items, f"{view.title}, turn {view.turn}: your plot")


def _scene(view: View, items: Iterable[Item], title: str) -> Scene:
    ground = InchTable(float(view.width_ft * 12), float(view.height_ft * 12))
    parts = tuple(ScenePart(side.id, side.name, number) for number, side in enumerate(view.sides))
    notes = (
        ("squadron", "name, ships left, damage of total"),
        ("ring", 'command radius of a flagship, 8.00"'),
    )
    return Scene(title, ground, parts, tuple(_terrain(view)), tuple(items), notes=notes, alt=words(view))


# --- ground ----------------------------------------------------------------------------------------------------------


def _terrain(view: View) -> Iterable[Item]:
    for body in view.terrain:
        label = body.name or body.kind
        yield Disc(body.kind, inch_point(body.x, body.y), body.radius / INCH, label, body.owner or None)


# --- units -----------------------------------------------------------------------------------------------------------


def glyph_of(figures: Figures) -> Glyph:
    if figures.is_station:
        return "base"
    if figures.size >= 8:
        return "capital"
    return "heavy" if figures.size >= 4 else "medium" if figures.size >= 2 else "light"


def label_of(squadron: Contact) -> str:
    """Name, ships, damage of total."""
    if not isinstance(squadron, SeenSquadron):
        return f"{squadron.name} ({len(squadron.at_hand)})"
    return f"{squadron.name} {len(squadron.at_hand)} {squadron.damage}/{squadron.total}"


def states_of(squadron: Contact, figures: Figures) -> tuple[str, ...]:
    states = []
    if isinstance(squadron, SeenSquadron) and squadron.suppression:
        states.append(f"suppressed {squadron.suppression}")
    disabled = len(squadron.at_hand) - squadron.active
    if disabled:
        states.append(f"{disabled} disabled")
    if figures.is_prize:
        states.append("prize")
    return tuple(states)


def _on_table(view: View) -> list[Contact]:
    return [squadron for squadron in view.squadrons if squadron.at_hand and not squadron.where]


def is_crowded(view: View) -> bool:
    return sum(len(squadron.at_hand) for squadron in _on_table(view)) > CROWDED


def _units(view: View) -> Iterable[Item]:
    crowded = is_crowded(view)
    for squadron in _on_table(view):
        yield from _marks(view, squadron, crowded=crowded)
    for flight in view.flights:
        yield Unit(inch_point(flight.x, flight.y), flight.side, "flight", flight.name, count=flight.wings)


def _marks(view: View, squadron: Contact, *, crowded: bool) -> Iterable[Item]:
    leader, figures, ships = view.leader(squadron), view.figures[squadron.key], squadron.at_hand
    assert leader is not None
    glyph, heading = glyph_of(figures), None if figures.is_station else float(squadron.facing)
    if not crowded:
        for ship in ships:
            if ship is not leader:
                states = ("disabled",) if ship.status == "disabled" else ()
                yield Unit(inch_point(ship.x, ship.y), squadron.side, glyph, "", heading, states=states)
    yield Unit(
        inch_point(leader.x, leader.y),
        squadron.side,
        glyph,
        squadron.name if crowded else label_of(squadron),
        heading,
        count=len(ships) if crowded and len(ships) > 1 else None,
        states=states_of(squadron, figures),
        flag=figures.flagship is not None,
    )


def _circles(view: View) -> Iterable[Item]:
    """8.00" command circles of own taskforces."""
    for squadron in own_squadrons(view):
        leader = view.leader(squadron)
        if view.figures[squadron.key].flagship is not None and leader is not None:
            yield Ring(inch_point(leader.x, leader.y), LIMITS.command / INCH, squadron.side, squadron.taskforce)


def _arrivals(view: View) -> Iterable[Item]:
    """Shift points known to the side."""
    for unit in (*view.taskforces, *view.squadrons):
        back = unit.returns if isinstance(unit, Taskforce | Squadron) else None
        if back is None:
            continue
        sector = read_sector(back.sector, view.width_ft, view.height_ft)
        if sector is not None:
            x, y = sector.centre if back.x is None or back.y is None else (back.x, back.y)
            yield Burst(inch_point(x, y), 1.5, "vortex", f"{unit.name}, turn {back.turn}")


# --- what happened ---------------------------------------------------------------------------------------------------


def _events(events: Sequence[Event], *, crowded: bool) -> Iterable[Item]:
    """What happened; on a crowded table without words on every shot, and losses counted by squadron."""
    for event in events:
        maker = _MAKERS.get(event.kind)
        if maker is None or (crowded and event.kind == "destroyed"):
            continue
        for item in maker(event.facts):
            yield replace(item, label="") if crowded and isinstance(item, Shot) else item
    if crowded:
        yield from _losses([event.facts for event in events if event.kind == "destroyed"])


def _losses(lost: Sequence[Any]) -> Iterable[Item]:
    counts: dict[str, int] = {}
    for facts in lost:
        name = facts["ship"].rpartition(".")[0]
        counts[name] = counts.get(name, 0) + 1
    for facts in lost:
        count = counts.pop(facts["ship"].rpartition(".")[0], 0)
        yield Burst(_point(facts["at"]), 0, "loss", f"{count} lost" if count > 1 else facts["ship"] if count else "")


def _point(pair: Sequence[int]) -> Point:
    return inch_point(pair[0], pair[1])


def _move(facts: Any) -> Iterable[Item]:
    if facts["from"] != facts["to"]:
        yield Trail((_point(facts["from"]), _point(facts["to"])), facts["side"], marks=(1,))


def _fly(facts: Any) -> Iterable[Item]:
    yield Trail(tuple(_point(leg) for leg in facts["legs"]), facts["side"], marks=tuple(range(1, len(facts["legs"]))))


def _fire(facts: Any) -> Iterable[Item]:
    if facts["from"] and facts["side"]:
        yield Shot(_point(facts["from"][0]), _point(facts["to"]), facts["side"], facts["hits"] > 0, facts["weapon"])


def _strike(facts: Any) -> Iterable[Item]:
    label = f"{facts['arriving']} of {facts['started']} missiles"
    yield Shot(_point(facts["from"]), _point(facts["to"]), facts["side"], facts["arriving"] > 0, label)


def _lost(facts: Any) -> Iterable[Item]:
    yield Burst(_point(facts["at"]), 0, "loss", facts["ship"])


def _fight(facts: Any) -> Iterable[Item]:
    yield Burst(_point(facts["point"]), 0, "dogfight")


def _arrive(facts: Any) -> Iterable[Item]:
    if facts["places"]:
        _, x, y = facts["places"][0]
        yield Burst(inch_point(x, y), 1.0, "jump", facts["unit"])


def _escape(facts: Any) -> Iterable[Item]:
    yield Burst(_point(facts["at"]), 1.0, "jump", facts["squadron"])


_MAKERS = {
    "move": _move,
    "fly": _fly,
    "fire": _fire,
    "strike": _strike,
    "destroyed": _lost,
    "dogfight": _fight,
    "evade": _fight,
    "arrive": _arrive,
    "escape": _escape,
}


# --- plots -----------------------------------------------------------------------------------------------------------


def _plots(view: View, orders: Sequence[Order]) -> Iterable[Item]:
    moves = {order.unit: order.detail for order in orders if isinstance(order.detail, Move)}
    for squadron in view.squadrons:
        if not isinstance(squadron, Squadron) or squadron.where:
            continue
        leader, move = view.leader(squadron), moves.get(squadron.name) or moves.get(squadron.taskforce)
        if leader is None or move is None:
            continue
        anchor = squadron if squadron.name in moves else _flag(view, squadron) or squadron
        dx, dy = plotted(view, anchor, move)
        if (dx, dy) != (0, 0):
            end = inch_point(leader.x + dx, leader.y + dy)
            yield Trail((inch_point(leader.x, leader.y), end), squadron.side, "plotted", (1,))
    flights = {flight.name: flight for flight in view.flights}
    for order in orders:
        if isinstance(order.detail, Fly) and order.unit in flights:
            yield from _flight_plot(view, flights[order.unit], order.detail)


def _flag(view: View, squadron: Squadron) -> Squadron | None:
    own = (mate for mate in view.squadrons if isinstance(mate, Squadron) and mate.side == squadron.side)
    mates = (mate for mate in own if mate.taskforce == squadron.taskforce)
    return next((mate for mate in mates if view.figures[mate.key].flagship is not None), None)


def plotted(view: View, squadron: Squadron, move: Move) -> tuple[int, int]:
    """The displacement a move will give, as far as it can be told from what the side knows."""
    leader, reach = view.leader(squadron), view.figures[squadron.key].reach
    assert reach is not None, "a side knows what its own can do"
    if leader is None or move.kind == "hold":
        return 0, 0
    if move.kind == "to":
        return move.spot.x - leader.x, move.spot.y - leader.y
    if move.kind not in ("toward", "away"):
        turn = {"bearing": move.degrees - squadron.facing, "ahead": 0, "port": -move.degrees, "starboard": move.degrees}
        return displacement(move.distance or 0, squadron.facing + turn[move.kind])
    spot = _goal(view, squadron.side, leader.spot, move.who)
    if spot is None:
        return 0, 0
    here = leader.spot
    dx, dy = (spot.x - here.x, spot.y - here.y) if move.kind == "toward" else (here.x - spot.x, here.y - spot.y)
    turn_ = max(-reach.half, min(reach.half, turn_to(squadron.facing, bearing_of(dx, dy))))
    far = min(move.distance if move.distance is not None else 9999, reach.speed)
    if move.stop is not None:
        far = min(far, max(0, whole_distance(here, spot) - move.stop))
    return displacement(far, squadron.facing + turn_)


def _goal(view: View, side: str, here: Spot, who: str) -> Spot | None:
    there = _on_table(view)
    named = [s for s in there if s.name == who or (isinstance(s, SeenSquadron) and s.taskforce == who)]
    goals = named or [squadron for squadron in there if squadron.side != side]
    spots = [ship.spot for squadron in goals for ship in squadron.at_hand]
    return min(spots, key=lambda spot: squared(spot, here), default=None)


def _flight_plot(view: View, flight: SeenFlight, order: Fly) -> Iterable[Item]:
    here, left = flight.spot, LIMITS.flight_move
    way = [here]
    goals: list[Leg | None] = [*order.before, *([None] if order.strike else []), *order.after]
    for goal in goals:
        end = _strike_goal(view, flight, order) if goal is None else leg_end(here, goal)
        end = toward(here, end or here, left)
        left -= min(left, whole_distance(here, end))
        here = end
        way.append(here)
    if len(way) > 1:
        yield Trail(tuple(inch_point(*spot) for spot in way), flight.side, "plotted", tuple(range(1, len(way))))


def _strike_goal(view: View, flight: SeenFlight, order: Fly) -> Spot | None:
    assert order.strike is not None
    foes = [squadron for squadron in view.squadrons if squadron.side != flight.side]
    other = [f.spot for f in view.flights if f.side != flight.side and f.name == order.strike.name]
    named = [squadron for squadron in foes if squadron.name == order.strike.name]
    spots = other or [ship.spot for squadron in named or foes for ship in squadron.at_hand]
    return min(spots, key=lambda spot: squared(spot, flight.spot), default=None)


# --- words -----------------------------------------------------------------------------------------------------------


def words(view: View) -> str:
    """The situation for those who cannot see the picture."""
    parts = [f"Table of {view.width_ft * 12} by {view.height_ft * 12} inches, turn {view.turn} of {view.turn_limit}."]
    for side in view.sides:
        there = [squadron for squadron in _on_table(view) if squadron.side == side.id]
        ships = sum(len(squadron.at_hand) for squadron in there)
        listed = "; ".join(_spoken(view, squadron) for squadron in there[:40])
        parts.append(f"{side.name}: {ships} ships in {len(there)} squadrons. {listed}.")
    parts += [
        f"Flight {flight.name}, {flight.wings} wings, at {flight.x / INCH:.1f},{flight.y / INCH:.1f}."
        for flight in view.flights
    ]
    return " ".join(parts)


def _spoken(view: View, squadron: Contact) -> str:
    leader = view.leader(squadron)
    assert leader is not None
    where = f"{leader.x / INCH:.1f},{leader.y / INCH:.1f} facing {squadron.facing:03d}"
    return f"{squadron.name}, {len(squadron.at_hand)} ships, at {where}"

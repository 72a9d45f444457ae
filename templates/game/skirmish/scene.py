"""The map of a view, and a plot drawn on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.kit.game import Event, Scene, Sheet
from pbem.kit.hexgrid import Hex, name, parse
from pbem.kit.scene import Burst, Glyph, HexGrid, Item, Point, ScenePart, Shot, Trail, Unit, hex_point

from skirmish.data import CLASSES
from skirmish.orders import Move, Order
from skirmish.state import Ship
from skirmish.view import View

GLYPHS: dict[str, Glyph] = {"cruiser": "heavy", "frigate": "light"}


def scene(view: View, events: Sequence[Event]) -> Scene:
    """Where everybody is now, and what happened on the way."""
    battle = view.battle
    afloat = [ship for ship in battle.ships if ship.hull]
    told = ", ".join(f"{ship.name} at {name(ship.at)} with hull {ship.hull}" for ship in afloat)
    owners = {ship.name: ship.squadron for ship in battle.ships}
    return Scene(
        title=f"Turn {battle.turn}",
        ground=HexGrid(battle.columns, battle.rows, ground="sea"),
        sides=tuple(ScenePart(one.id, one.name, number) for number, one in enumerate(battle.squadrons)),
        items=(*(item for event in events for item in _drawn(event, owners)), *(_unit(ship) for ship in afloat)),
        alt=f"Afloat: {told}." if told else "No ship is afloat.",
    )


def forecast(view: View, sheet: Sheet[Order]) -> Scene:
    """My own plot on the map as it is."""
    ships = {ship.name: ship for ship in view.battle.ships}
    moves = [order for order in sheet.orders if isinstance(order, Move)]
    ways = tuple(_way(ships[order.unit], order.to) for order in moves if order.unit in ships)
    now = scene(view, ())
    return replace(now, items=(*ways, *now.items))


def _unit(ship: Ship) -> Unit:
    hurt = (f"hull {ship.hull}",) if ship.hull < CLASSES[ship.kind].hull else ()
    return Unit(hex_point(ship.at), ship.squadron, GLYPHS.get(ship.kind, "medium"), ship.name, states=hurt)


def _way(ship: Ship, to: Hex) -> Trail:
    return Trail((hex_point(ship.at), hex_point(to)), ship.squadron, "plotted")


def _drawn(event: Event, owners: dict[str, str]) -> list[Item]:
    facts = event.facts
    if event.kind == "moved" and facts["start"] != facts["to"]:
        return [Trail((_point(facts["start"]), _point(facts["to"])), owners[facts["ship"]])]
    if event.kind == "fired":
        return [Shot(_point(facts["at"]), _point(facts["target_at"]), owners[facts["ship"]], facts["hits"] > 0)]
    if event.kind == "lost":
        return [Burst(_point(facts["at"]), 0, "loss", facts["ship"])]
    return []


def _point(text: str) -> Point:
    found = parse(text)
    assert found is not None, f"'{text}' is no hex"
    return hex_point(found)

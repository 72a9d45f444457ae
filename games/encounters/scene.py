"""The star map of a view: systems, lanes, owners, fleets as known, battles of the turn (rule book, section 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from games.encounters.orders.records import Move, Order
from games.encounters.state import Contact, SeenFleet
from games.encounters.status import mark_of
from games.encounters.view import Presence, View
from pbem.kit.game import Event
from pbem.kit.scene import Burst, Glyph, Item, Label, Lane, Point, Ring, Scene, ScenePart, Star, StarField, Trail, Unit
from pbem.kit.sheet import Sheet

SCALE = 4
"""Map units for one step of the scenario's coordinates, so that rings about a star do not reach the next."""
MARGIN = 3
LANES = {"major": "major", "minor": "minor", "restricted": "plain"}
BATTLE_KINDS = ("combat", "battle_end", "orbital", "ground_fire")


def scene(view: View, events: Sequence[Event]) -> Scene:
    at = points(view)
    items: list[Item] = [*trails(events, at), *bursts(events, at), *rings(view, at)]
    items.extend(fleet_mark(view, fleet, at[fleet.location]) for fleet in view.fleets)
    items.extend(contact_mark(view, presence.contact, at[presence.system]) for presence in view.presences)
    items.extend(army_marks(view, at))
    items.extend(notes_on_systems(view, at))
    return Scene(
        f"Turn {view.turn}, {view.phase}", ground(view), parts(view), terrain(view, at), tuple(items),
        notes=legend(), alt=in_words(view, events),
    )  # fmt: skip


def forecast(view: View, sheet: Sheet[Order]) -> Scene:
    """The same map with the moves just ordered."""
    plain, at = scene(view, ()), points(view)
    places = {fleet.name: fleet.location for fleet in view.fleets if fleet.owner == view.side}
    plotted: dict[str, Trail] = {}
    for order in sheet.orders:
        if isinstance(order, Move):
            plotted.pop(order.fleet, None)
            if order.path and order.fleet in places:
                way = [at[name] for name in (places[order.fleet], *order.path)]
                plotted[order.fleet] = trail(way, view.side or "", "plotted")
    plans = "; ".join(f"{name} sets out" for name in plotted) or "no fleet moves"
    return replace(
        plain, title=f"{plain.title}: as ordered", items=(*plotted.values(), *plain.items),
        alt=f"{plain.alt} Ordered: {plans}.",
    )  # fmt: skip


# --- the ground ------------------------------------------------------------------------------------------------------


def points(view: View) -> dict[str, Point]:
    return {system.name: Point(system.x * SCALE, system.y * SCALE) for system in view.systems.values()}


def ground(view: View) -> StarField:
    xs = [system.x * SCALE for system in view.systems.values()]
    ys = [system.y * SCALE for system in view.systems.values()]
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return StarField(left, top, max(xs) - left + MARGIN, max(ys) - top + MARGIN)


def parts(view: View) -> tuple[ScenePart, ...]:
    return tuple(ScenePart(key, view.powers[key].name, index) for index, key in enumerate(view.seats))


def terrain(view: View, at: dict[str, Point]) -> tuple[Item, ...]:
    """Lanes never change; owners do, so stars are drawn with the rest."""
    return tuple(Lane(at[lane.ends[0]], at[lane.ends[1]], LANES[lane.kind]) for lane in view.lanes)  # type: ignore[arg-type]


def notes_on_systems(view: View, at: dict[str, Point]) -> list[Item]:
    homes = set(view.victory.homes.values())
    return [
        Star(at[name], name, system.owner, system_note(view, name), name in homes)
        for name, system in view.systems.items()
    ]


def system_note(view: View, name: str) -> str:
    words, figures = [f"RAW {view.systems[name].RAW}"], view.figures[name]
    if (values := view.values.get(name)) is not None:
        words.append(f"{values.CEN}/{values.MOR}/{values.PROD}")
    if figures.blockaded:
        words.append("blockaded")
    if figures.supplied is False:
        words.append("out of supply")
    return " ".join(words)


# --- what stands on it -----------------------------------------------------------------------------------------------


def fleet_mark(view: View, fleet: SeenFleet, at: Point) -> Unit:
    """Whoever draws the map sets the markers of one system side by side."""
    figures = view.flotillas[fleet.owner][fleet.name]
    ships = [unit for unit in view.units.values() if (unit.owner, unit.fleet) == (fleet.owner, fleet.name)]
    crippled = sum(1 for ship in ships if ship.state == "crippled")
    states = [f"{crippled} crippled"] if crippled else []
    states += [] if figures.supplied else ["out of supply"]
    return Unit(at, fleet.owner, "fleet", fleet.name, count=len(figures.ships), states=tuple(states))


def army_marks(view: View, at: dict[str, Point]) -> list[Item]:
    """Bases, landed troops and system-based flights, one marker of each kind and power in a system."""
    ashore = [(unit.location, unit.owner, shore_glyph(view, number)) for number, unit in view.units.items()]
    counted = Counter((place, owner, glyph) for place, owner, glyph in ashore if glyph is not None)
    return [Unit(at[place], owner, glyph, "", count=n) for (place, owner, glyph), n in sorted(counted.items())]


def shore_glyph(view: View, number: int) -> Glyph | None:
    unit = view.units[number]
    category = view.design(unit).category
    if category == "base":
        return "base"
    if category == "troop" and unit.landed:
        return "army"
    return "flight" if category == "flight" and unit.carrier is None else None


def contact_mark(view: View, contact: Contact, at: Point) -> Unit:
    """Foreign presence: ``?`` for D0, ``>``, ``<``, ``=`` for D1, a number from D2; old contacts carry their age."""
    # While strategic orders are open, what was seen at the end of last turn is the present.
    age, fresh = view.turn - contact.turn, 1 if view.phase == "strategic" else 0
    label = "+".join(contact.powers) + ("" if contact.count is not None else f" {mark_of(contact)}")
    sure, old = (f"D{contact.level}",), age if age > fresh else None
    return Unit(at, contact.powers[0], "fleet", label, count=contact.count, states=sure, age=old)


def trails(events: Iterable[Event], at: dict[str, Point]) -> list[Item]:
    moves = [event.facts for event in events if event.kind == "move" and event.facts["path"]]
    return [trail([at[name] for name in facts["path"]], facts["power"], "flown") for facts in moves]


def trail(way: Sequence[Point], side: str, kind: Literal["flown", "plotted"]) -> Trail:
    return Trail(tuple(way), side, kind, tuple(range(1, len(way))))


def bursts(events: Sequence[Event], at: dict[str, Point]) -> list[Item]:
    """One burst for each system with a battle, one for each with a capture."""
    fought = sorted({event.facts["system"] for event in events if event.kind in BATTLE_KINDS})
    taken = sorted({event.facts["system"] for event in events if event.kind == "capture"})
    lost = {name: sum(1 for e in events if e.kind == "loss" and e.facts["system"] == name) for name in fought}
    marks: list[Item] = [Burst(at[name], 0.9, "battle", f"{lost[name]} lost" if lost[name] else "") for name in fought]
    marks.extend(Label(Point(at[name].x, at[name].y + 1.6), "taken") for name in taken)
    return marks


def rings(view: View, at: dict[str, Point]) -> list[Item]:
    """Blockades of own systems, and battles that wait for orders."""
    closed = [system for system in view.systems.values() if view.figures[system.name].blockaded]
    marked: list[Item] = [Ring(at[system.name], 1.0, system.owner, "blockaded") for system in closed]
    marked.extend(Ring(at[name], 1.2, view.side, "orders wanted") for name in view.places)
    return marked


def legend() -> tuple[tuple[str, str], ...]:
    return (
        ("thin lane", "restricted: 2 MP, at most 8 CC of a power a turn each way"),
        ("D0-D6", "how sure a contact is: ? present, > < = compared, a number counted"),
        ("a/b/c", "census, morale, productivity"),
    )


# --- in words --------------------------------------------------------------------------------------------------------


def in_words(view: View, events: Sequence[Event]) -> str:
    """The situation for those who cannot see the picture."""
    names = {key: view.powers[key].name for key in view.seats}
    said = [f"Turn {view.turn}, {view.phase} phase."]
    for key, name in names.items():
        owned = [system.name for system in view.systems.values() if system.owner == key]
        if owned:
            said.append(f"{name} holds {', '.join(owned)}.")
    for fleet in view.fleets:
        ships = len(view.flotillas[fleet.owner][fleet.name].ships)
        said.append(f"{fleet.name} of {names[fleet.owner]} ({ships} ships) is at {fleet.location}.")
    said.extend(contact_words(presence, names) for presence in view.presences)
    fought = sorted({event.facts["system"] for event in events if event.kind == "battle_end"})
    if fought:
        said.append(f"There was battle at {', '.join(fought)}.")
    return " ".join(said)


def contact_words(presence: Presence, names: dict[str, str]) -> str:
    contact = presence.contact
    who = " and ".join(names[key] for key in contact.powers)
    what = f": {presence.text}" if presence.text else ""
    return f"{who} at {presence.system}, seen in turn {contact.turn} at D{contact.level}{what}."

"""The star map of a view: systems, lanes, owners, fleets as known, battles of the turn (rule book, section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.encounters.plans import Move
from games.encounters.view import ContactView, FleetView, SystemView, UnitView, View
from pbem.kit.game import Event
from pbem.kit.scene import Burst, Glyph, Item, Label, Lane, Point, Ring, Scene, ScenePart, Star, StarField, Trail, Unit
from pbem.kit.sheet import Sheet

SCALE = 4
"""Map units for one step of the scenario's coordinates, so that rings about a star do not reach the next."""
MARGIN = 3
LANES = {"major": "major", "minor": "minor", "restricted": "plain"}
BATTLE_KINDS = ("combat", "battle_end", "orbital", "ground_fire")


def make_scene(view: View, events: Sequence[Event]) -> Scene:
    at = points(view)
    items: list[Item] = [*trails(events, at), *bursts(events, at), *rings(view, at)]
    items.extend(fleet_marks(view, at))
    items.extend(contact_marks(view, at))
    items.extend(army_marks(view, at))
    items.extend(notes_on_systems(view, at))
    return Scene(
        f"Turn {view.turn}, {view.phase}", ground(view), parts(view), terrain(view, at), tuple(items),
        notes=legend(), alt=in_words(view, events),
    )  # fmt: skip


def forecast(view: View, sheet: Sheet[Any]) -> Scene:
    """The same map with the moves just ordered."""
    scene, at = make_scene(view, ()), points(view)
    places = {fleet.name: fleet.location for fleet in view.fleets if fleet.owner == view.side}
    plotted: dict[str, Trail] = {}
    for order in sheet.orders:
        if isinstance(order, Move):
            plotted.pop(order.fleet, None)
            if order.path and order.fleet in places:
                way = tuple(at[name] for name in (places[order.fleet], *order.path))
                plotted[order.fleet] = Trail(way, view.side or "", "plotted", tuple(range(1, len(way))))
    plans = "; ".join(f"{name} sets out" for name in plotted) or "no fleet moves"
    return Scene(
        f"{scene.title}: as ordered", scene.ground, scene.sides, scene.terrain, (*plotted.values(), *scene.items),
        notes=scene.notes, alt=f"{scene.alt} Ordered: {plans}.",
    )  # fmt: skip


# --- the ground ------------------------------------------------------------------------------------------------------


def points(view: View) -> dict[str, Point]:
    return {system.name: Point(system.x * SCALE, system.y * SCALE) for system in view.systems}


def ground(view: View) -> StarField:
    xs = [system.x * SCALE for system in view.systems]
    ys = [system.y * SCALE for system in view.systems]
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return StarField(left, top, max(xs) - left + MARGIN, max(ys) - top + MARGIN)


def parts(view: View) -> tuple[ScenePart, ...]:
    return tuple(ScenePart(power.key, power.name, index) for index, power in enumerate(view.powers))


def terrain(view: View, at: dict[str, Point]) -> tuple[Item, ...]:
    """Lanes never change; owners do, so stars are drawn with the rest."""
    return tuple(Lane(at[lane.ends[0]], at[lane.ends[1]], LANES[lane.kind]) for lane in view.lanes)  # type: ignore[arg-type]


def notes_on_systems(view: View, at: dict[str, Point]) -> list[Item]:
    homes = set(view.homes.values())
    return [Star(at[one.name], one.name, one.owner, system_note(one), one.name in homes) for one in view.systems]


def system_note(system: SystemView) -> str:
    words = [f"RAW {system.RAW}"]
    if system.CEN is not None:
        words.append(f"{system.CEN}/{system.MOR}/{system.PROD}")
    if system.blockaded:
        words.append("blockaded")
    if system.supplied is False:
        words.append("out of supply")
    return " ".join(words)


# --- what stands on it -----------------------------------------------------------------------------------------------


def fleet_marks(view: View, at: dict[str, Point]) -> list[Item]:
    """Whoever draws the map sets the markers of one system side by side."""
    return [
        Unit(
            at[fleet.location],
            fleet.owner,
            "fleet",
            fleet.name,
            count=len(fleet.ships),
            states=fleet_states(view, fleet),
        )
        for fleet in view.fleets
    ]


def fleet_states(view: View, fleet: FleetView) -> tuple[str, ...]:
    mine = [u for u in view.units if (u.owner, u.fleet, u.category) == (fleet.owner, fleet.name, "ship")]
    crippled = sum(1 for unit in mine if unit.state == "crippled")
    words = [f"{crippled} crippled"] if crippled else []
    return (*words, "out of supply") if not fleet.supplied else tuple(words)


def army_marks(view: View, at: dict[str, Point]) -> list[Item]:
    """Bases, landed troops and system-based flights, one marker of each kind and power in a system."""
    counted: dict[tuple[str, str, Glyph], int] = {}
    for unit in view.units:
        glyph = shore_glyph(unit)
        if glyph is not None:
            key = (unit.location, unit.owner, glyph)
            counted[key] = counted.get(key, 0) + 1
    return [
        Unit(at[place], owner, glyph, "", count=counted[place, owner, glyph]) for place, owner, glyph in sorted(counted)
    ]


def shore_glyph(unit: UnitView) -> Glyph | None:
    if unit.category == "base":
        return "base"
    if unit.category == "troop" and unit.landed:
        return "army"
    return "flight" if unit.category == "flight" and unit.carrier is None else None


def contact_marks(view: View, at: dict[str, Point]) -> list[Item]:
    """Foreign presence: ``?`` for D0, ``>``, ``<``, ``=`` for D1, a number from D2; old contacts carry their age."""
    return [contact_mark(view, contact, at[contact.system]) for contact in view.contacts]


def contact_mark(view: View, contact: ContactView, at: Point) -> Unit:
    age = contact.age if contact.age > fresh_age(view) else None
    label = "+".join(contact.powers) + ("" if contact.count is not None else f" {contact.mark}")
    sure = (f"D{contact.level}",)
    return Unit(at, contact.powers[0], "fleet", label, count=contact.count, states=sure, age=age)


def fresh_age(view: View) -> int:
    """While strategic orders are open, what was seen at the end of last turn is the present."""
    return 1 if view.phase == "strategic" else 0


def trails(events: Iterable[Event], at: dict[str, Point]) -> list[Item]:
    found: list[Item] = []
    for event in events:
        path = event.facts.get("path") if event.kind == "move" else None
        if path:
            way = tuple(at[name] for name in path)
            found.append(Trail(way, event.facts["power"], "flown", tuple(range(1, len(way)))))
    return found


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
    marked: list[Item] = [Ring(at[one.name], 1.0, one.owner, "blockaded") for one in view.systems if one.blockaded]
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
    names = {power.key: power.name for power in view.powers}
    said = [f"Turn {view.turn}, {view.phase} phase."]
    for power in view.powers:
        owned = [system.name for system in view.systems if system.owner == power.key]
        if owned:
            said.append(f"{power.name} holds {', '.join(owned)}.")
    said.extend(
        f"{fleet.name} of {names[fleet.owner]} ({len(fleet.ships)} ships) is at {fleet.location}."
        for fleet in view.fleets
    )
    said.extend(contact_words(contact, names) for contact in view.contacts)
    fought = sorted({event.facts["system"] for event in events if event.kind == "battle_end"})
    if fought:
        said.append(f"There was battle at {', '.join(fought)}.")
    return " ".join(said)


def contact_words(contact: ContactView, names: dict[str, str]) -> str:
    who = " and ".join(names[key] for key in contact.powers)
    what = f": {contact.text}" if contact.text else ""
    return f"{who} at {contact.system}, seen in turn {contact.turn} at D{contact.level}{what}."

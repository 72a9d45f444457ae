"""What goes along with a letter: the map, its vector form, the machine-readable report, the deadline for a calendar."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.kit.codec import plain
from pbem.kit.game import Event, Game
from pbem.kit.scene import Diagram, Scene
from pbem.report.blocks import Picture
from pbem.report.compose import Drawn
from pbem.report.content import Attachment, SeatContext
from pbem.report.ics import deadline_event
from pbem.report.pen import Pen
from pbem.report.schema import SCHEMA_VERSION, schema_id


def drawn_map(seat: SeatContext, scene: Scene, pen: Pen) -> Drawn:
    """The map as the seat wants it; in words for those who want no pictures."""
    if seat.preferences.text_only or seat.preferences.map == "none":
        return Drawn(spoken={"map": scene.alt})
    return Drawn({"map": pen.draw(scene, seat.preferences.map, seat.preferences.theme)})


MOST_SHEETS = 12


@dataclass(frozen=True)
class DrawnSheets:
    """The sheets of a letter: their pictures by name, and which sheets were left out."""

    pictures: Mapping[str, Picture] = field(default_factory=dict)
    note: str = ""


def drawn_sheets(seat: SeatContext, game: Game[Any, Any, Any], view: Any, pen: Pen) -> DrawnSheets:
    """The sheets a game draws, for those who want pictures; of many units only those that are damaged."""
    if game.diagrams is None or seat.preferences.text_only or seat.preferences.map == "none":
        return DrawnSheets()
    found = game.diagrams(view)
    chosen, note = _worth_drawing(found)
    pictures = pen.draw_sheets(chosen, seat.preferences.theme)
    names = [f"sheets-{number}" for number in range(1, len(pictures) + 1)] if len(pictures) > 1 else ["sheets"]
    return DrawnSheets(dict(zip(names, pictures, strict=False)), note)


def _worth_drawing(found: Sequence[Diagram]) -> tuple[Sequence[Diagram], str]:
    if len(found) <= MOST_SHEETS:
        return found, ""
    damaged = [one for one in found if one.damage]
    worst = sorted(damaged, key=lambda one: -one.damage)[:MOST_SHEETS]
    chosen = [one for one in damaged if one in worst]
    if not chosen:
        return (), f"None of the {len(found)} sheets shows damage, so none is drawn; the tables have them all."
    which = f"{len(chosen)} damaged" if len(chosen) == len(damaged) else f"{MOST_SHEETS} most damaged"
    return chosen, f"Drawn here: the {which} of {len(found)} sheets. The tables have them all."


def vector_file(drawn: Drawn) -> tuple[Attachment, ...]:
    """The map for printing and zooming."""
    if "map" not in drawn.pictures:
        return ()
    return (Attachment("map.svg", "image/svg+xml", drawn.pictures["map"].svg.encode()),)


def deadline_file(seat: SeatContext) -> tuple[Attachment, ...]:
    if seat.deadline is None:
        return ()
    return (Attachment("deadline.ics", "text/calendar", deadline_event(seat)),)


def report_file(
    seat: SeatContext, game: Game[Any, Any, Any], view: Any, events: Sequence[Event], revealed: str | None
) -> tuple[Attachment, ...]:
    """``report.json`` for players' own tools: what the letter says, as data; its schema is published per game."""
    if seat.preferences.text_only:
        return ()
    data = report_data(seat, game, view, events, revealed)
    written = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
    return (Attachment("report.json", "application/json", written.encode()),)


def report_data(
    seat: SeatContext, game: Game[Any, Any, Any], view: Any, events: Sequence[Event], revealed: str | None
) -> dict[str, Any]:
    """The report as data; who else saw an event is nobody's business."""
    return {
        "schema": schema_id(game.slug),
        "schema_version": SCHEMA_VERSION,
        "game": game.slug,
        "game_version": game.version,
        "campaign": seat.campaign,
        "scenario": seat.scenario,
        "seat": seat.seat,
        "side": seat.side,
        "turn": seat.turn,
        "phase": seat.phase,
        "deadline": seat.deadline.isoformat() if seat.deadline else None,
        "commitment": seat.commitment,
        "revealed": revealed,
        "events": [_event(event) for event in events],
        "gauges": plain(game.gauges(view)),
        "view": plain(view),
    }


def _event(event: Event) -> dict[str, Any]:
    rolls = [plain(roll) for roll in event.rolls]
    return {"kind": event.kind, "rule": event.rule, "step": event.step, "facts": plain(event.facts), "rolls": rolls}

"""What goes along with a letter: the map, its vector form, the machine-readable report, the deadline for a calendar."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.kit.codec import plain
from pbem.kit.game import Event, Game
from pbem.kit.scene import Diagram, Scene
from pbem.letters.compose import Drawn
from pbem.letters.content import Attachment, SeatContext
from pbem.letters.ics import deadline_event
from pbem.letters.pen import Pen
from pbem.letters.schema import SCHEMA_VERSION, schema_id
from pbem.maps.drawer import Picture


def drawn_map(seat: SeatContext, scene: Scene, pen: Pen) -> Drawn:
    """The map as the seat wants it; in words for those who want no pictures."""
    if seat.preferences.text_only or seat.preferences.map == "none":
        return Drawn(spoken={"map": scene.alt})
    return Drawn({"map": pen.draw(scene, seat.preferences.map, seat.preferences.theme)})


MOST_DIAGRAMS = 12


@dataclass(frozen=True)
class DrawnDiagrams:
    """The diagrams of a letter: their pictures by name, and which were left out."""

    pictures: Mapping[str, Picture] = field(default_factory=dict)
    note: str = ""


def drawn_diagrams(seat: SeatContext, game: Game[Any, Any, Any], view: Any, pen: Pen) -> DrawnDiagrams:
    """The diagrams a game draws, for those who want pictures; of many units only those that are damaged."""
    if game.diagrams is None or seat.preferences.text_only or seat.preferences.map == "none":
        return DrawnDiagrams()
    diagrams = game.diagrams(view)
    chosen, note = _worth_drawing(diagrams)
    pictures = pen.draw_diagrams(chosen, seat.preferences.theme)
    names = [f"sheets-{number}" for number in range(1, len(pictures) + 1)] if len(pictures) > 1 else ["sheets"]
    return DrawnDiagrams(dict(zip(names, pictures, strict=False)), note)


def _worth_drawing(diagrams: Sequence[Diagram]) -> tuple[Sequence[Diagram], str]:
    if len(diagrams) <= MOST_DIAGRAMS:
        return diagrams, ""
    damaged = [diagram for diagram in diagrams if diagram.damage]
    worst = sorted(damaged, key=lambda diagram: -diagram.damage)[:MOST_DIAGRAMS]
    chosen = [diagram for diagram in damaged if diagram in worst]
    if not chosen:
        return (), f"None of the {len(diagrams)} sheets shows damage, so none is drawn; the tables have them all."
    which = f"{len(chosen)} damaged" if len(chosen) == len(damaged) else f"{MOST_DIAGRAMS} most damaged"
    return chosen, f"Drawn here: the {which} of {len(diagrams)} sheets. The tables have them all."


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

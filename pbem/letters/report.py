"""The report of a resolved phase, with the form for the next; and the last report of a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.kit.game import Event, Game, Outcome
from pbem.letters.charts import GaugePanels, chart
from pbem.letters.compose import compose
from pbem.letters.content import Mail, SeatContext
from pbem.letters.enclosures import deadline_file, drawn_diagrams, drawn_map, report_file, vector_file
from pbem.letters.game_parts import status_blocks
from pbem.letters.narrative import seen, summary, tell
from pbem.letters.pen import Pen


@dataclass(frozen=True)
class TurnGauges:
    """What a side knew of the strengths after a turn."""

    turn: int
    gauges: Mapping[str, Mapping[str, float]]


def turn_report(
    seat: SeatContext,
    game: Game[Any, Any, Any],
    view: Any,
    events: Sequence[Event],
    history: Sequence[TurnGauges],
    revealed: str | None,
    pen: Pen,
    absent: Sequence[str] = (),
) -> Mail:
    """What happened in the phase just resolved, and the form for the one now open, which ``seat`` names.

    The last entry of ``history`` is the phase just resolved; ``absent`` names the seats that sent no orders for it.
    """
    content = {"outcome": None, "form": game.template(view), "absent": absent}
    return _report(seat, game, view, events, history, revealed, pen, content)


def final_report(
    seat: SeatContext,
    game: Game[Any, Any, Any],
    view: Any,
    events: Sequence[Event],
    history: Sequence[TurnGauges],
    revealed: str | None,
    outcome: Outcome,
    pen: Pen,
    absent: Sequence[str] = (),
) -> Mail:
    """The last report: how it ended, and no further orders."""
    content = {"outcome": outcome, "form": "", "absent": absent}
    return _report(seat, game, view, events, history, revealed, pen, content)


def _report(
    seat: SeatContext,
    game: Game[Any, Any, Any],
    view: Any,
    events: Sequence[Event],
    history: Sequence[TurnGauges],
    revealed: str | None,
    pen: Pen,
    content: Mapping[str, Any],
) -> Mail:
    seen_events = seen(events, seat.side)
    scene = game.scene(view, seen_events)
    drawn = drawn_map(seat, scene, pen)
    diagrams = drawn_diagrams(seat, game, view, pen)
    drawn = drawn.along_with(diagrams.pictures)
    gauges = GaugePanels.of(scene.sides, [(entry.turn, entry.gauges) for entry in history])
    if "map" in drawn.pictures:
        drawn = drawn.along_with(chart(gauges, pen, seat.preferences.theme))
    shared = {
        "game": game,
        "resolved_turn": history[-1].turn if history else seat.turn,
        "summary": summary(pen.words, game.slug, view, seen_events),
        "steps": tell(pen.words, game.slug, seen_events),
        "status": status_blocks(pen, game.slug, view),
        "diagrams": diagrams,
        "gauges": gauges,
        "side_names": {side.id: side.name for side in scene.sides},
        "revealed": revealed,
    }
    enclosed = (*vector_file(drawn), *report_file(seat, game, view, seen_events, revealed), *deadline_file(seat))
    return compose(pen, "report", seat, {**shared, **content}, drawn, enclosed)

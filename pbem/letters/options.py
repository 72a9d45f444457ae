"""What a unit can still be ordered, as a player reads it: tables of order lines, why others are closed, and the map."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise

from pbem.kit.choices import Choice, Closed, Dial, Fill, Number, Offer, Places, Ranking
from pbem.kit.scene import Ghost, Point, Scene
from pbem.letters.compose import Drawn, compose
from pbem.letters.content import Mail, Received, SeatContext
from pbem.letters.enclosures import drawn_map, vector_file
from pbem.letters.pen import Pen

MOST_NAMED = 12
"""Places that are named one by one, and choices that the words beside the map tell."""
MOST_GHOSTS = 400
"""Badges on a map; a blank for any hex of a large map would hide all else."""


@dataclass(frozen=True)
class GroupShown:
    """The choices of a group that fit into a letter."""

    name: str
    choices: tuple[Choice, ...]
    more: int = 0
    """Those that do not."""
    closed: tuple[Closed, ...] = ()


@dataclass(frozen=True)
class OptionRow:
    """A choice by its number in the letter."""

    number: int
    choice: Choice

    @property
    def cells(self) -> tuple[tuple[str | int, ...], ...]:
        """One row of the table for each line that is to be sent."""
        first, *others = self.choice.lines or ("",)
        label = f"{self.choice.label} (as ordered now)" if self.choice.chosen else self.choice.label
        blank = fill_words(self.choice.fill) if self.choice.fill is not None else ""
        figures = "; ".join(filter(None, (self.choice.note, blank and f"{{}}: {blank}")))
        return ((self.number, first, label, figures), *(("", line, "", "") for line in others))


def option_list(
    seat: SeatContext,
    received: Received,
    offer: Offer,
    groups: Sequence[GroupShown],
    orders: str,
    scene: Scene,
    pen: Pen,
) -> Mail:
    """The answer to ``options NAME``; ``orders``: what stands for the unit now; ``scene``: the map to draw them on."""
    numbers = count(1)
    numbered = [(group, tuple(OptionRow(next(numbers), choice) for choice in group.choices)) for group in groups]
    rows = [row for _, shown in numbered for row in shown]
    haunted = with_ghosts(scene, seat.side, offer.unit, rows)
    drawn = Drawn() if haunted is scene else drawn_map(seat, haunted, pen)
    content = {
        "received": received,
        "offer": offer,
        "groups": [(group, [cells for row in shown for cells in row.cells]) for group, shown in numbered],
        "orders": orders,
        "drawn": haunted is not scene,
    }
    return compose(pen, "options", seat, content, drawn, vector_file(drawn), "auto-replied")


# --- the map ---------------------------------------------------------------------------------------------------------


def with_ghosts(scene: Scene, side: str, unit: str, rows: Sequence[OptionRow]) -> Scene:
    """The map with every choice that leads somewhere; the same map, if none does."""
    ghosts = [ghost for row in rows for ghost in _ghosts(row, side)]
    if not ghosts:
        return scene
    words = [f"{row.number} {row.choice.label}" for row in rows if any(_ghosts(row, side))]
    rest = f", and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
    told = f"Choices of {unit} on the map: {'; '.join(words[:MOST_NAMED])}{rest}."
    return replace(scene, items=(*scene.items, *ghosts[:MOST_GHOSTS]), alt=f"{told} {scene.alt}".strip())


def _ghosts(row: OptionRow, side: str) -> Iterator[Ghost]:
    choice = row.choice
    if isinstance(choice.fill, Places):
        points: Sequence[Point] = tuple(choice.fill.points.values())
    elif isinstance(choice.fill, Dial):
        points = tuple(_end_of(choice.fill, _farthest(choice.fill, run)) for run in _runs(choice.fill))
    else:
        points = () if choice.at is None else (choice.at,)
    yield from (Ghost(at, side, choice.heading, row.number) for at in points)


def _end_of(dial: Dial, bearing: int) -> Point:
    angle, far = math.radians(bearing), dial.most[bearing]
    return Point(round(dial.at.x + far * math.sin(angle), 2), round(dial.at.y - far * math.cos(angle), 2))


# --- blanks in words -------------------------------------------------------------------------------------------------


def fill_words(fill: Fill) -> str:
    """What may stand in the place of ``{}``."""
    match fill:
        case Number(least, most, _):
            return f"a whole number from {least} to {most}" if least < most else f"{least} and nothing else"
        case Places(points):
            return _place_words(tuple(points))
        case Ranking(names):
            return f"all of {', '.join(names)}, in the order you want, with commas between"
        case Dial():
            return _dial_words(fill)


def _place_words(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMED:
        return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
    return f"one of {len(names)} places, such as {', '.join(names[:3])}"


def _dial_words(dial: Dial) -> str:
    runs = [_run_words(dial, run) for run in _runs(dial)]
    what = "a bearing and a distance" if dial.step else "a bearing"
    return f"{what}: {'; '.join(runs)}" if runs else f"{what}, but none is open"


def _run_words(dial: Dial, run: Sequence[int]) -> str:
    bearings = f"{run[0]:03d}" if len(run) == 1 else f"{run[0]:03d} to {run[-1]:03d}"
    if not dial.step:
        return bearings
    farthest, least = _farthest(dial, run), min(dial.most[bearing] for bearing in run)
    if least == dial.most[farthest]:
        return f"{bearings} up to {least:.2f}"
    return f"{bearings} up to {least:.2f} at least and {dial.most[farthest]:.2f} on {farthest:03d}"


def _farthest(dial: Dial, run: Sequence[int]) -> int:
    """The bearing of the farthest point; of several, the one in their middle."""
    most = max(dial.most[bearing] for bearing in run)
    best = [bearing for bearing in run if dial.most[bearing] == most]
    return best[len(best) // 2]


def _runs(dial: Dial) -> list[list[int]]:
    """The bearings in ranges without a gap, clockwise; one may lead over north."""
    runs: list[list[int]] = []
    step = _between(sorted(dial.most))
    for bearing in sorted(dial.most):
        if runs and bearing - runs[-1][-1] <= step:
            runs[-1].append(bearing)
        else:
            runs.append([bearing])
    if len(runs) > 1 and runs[0][0] + 360 - runs[-1][-1] <= step:
        runs[0] = runs.pop() + runs[0]
    return runs


def _between(bearings: Sequence[int]) -> int:
    """Degrees from one bearing to the next where there is no gap."""
    return min((later - earlier for earlier, later in pairwise(bearings)), default=1)

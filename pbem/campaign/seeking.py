"""The choices nearest to a line that was refused: by the same verb, nearest on the map, else most alike in words."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pbem.kit.choices import Choice, Dial, Fill, Number, Offer, Places, Ranking, dialled
from pbem.kit.hexgrid import parse
from pbem.kit.proof import folded_line
from pbem.kit.scene import InchTable, Point, Scene, Star, StarField, hex_point
from pbem.kit.sheet import Problem, match_name, nearest

SHORTEST_VERB = 3
"""Letters that are enough to mean a verb by its beginning."""
NEAREST_PLACES = 2

_PAIR = re.compile(r"(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Filled:
    """A choice with its blank filled."""

    lines: tuple[str, ...]
    at: Point | None


def nearest_fixes(offer: Offer, problem: Problem, scene: Scene, standing: Mapping[str, int]) -> list[str]:
    """What could stand in place of the line, nearest first; ``standing``: the unit's accepted lines by their text."""
    verb = _verb_meant(problem.text, offer)
    wanted = _point_named(problem.text, scene)
    gone = range(problem.line, max(problem.line, problem.until) + 1)
    ranked: dict[str, tuple[float, float]] = {}
    for choice in offer.choices:
        if not any(_verb_of(line) == verb for line in choice.lines):
            continue
        for filled in _fillings(choice, problem.text, wanted):
            fix = _without_what_stands(filled, choice, standing, gone)
            if fix:
                ranked[fix] = min(ranked.get(fix, _FARTHEST), (_far(filled.at, wanted), _unlike(fix, problem.text)))
    return sorted(ranked, key=lambda fix: ranked[fix])


_FARTHEST = (math.inf, math.inf)


def _verb_meant(text: str, offer: Offer) -> str:
    """The first word of the line as the choices spell it; empty: they have nothing like it."""
    verbs = list(dict.fromkeys(_verb_of(line) for choice in offer.choices for line in choice.lines))
    word = _verb_of(text)
    if word in verbs:
        return word
    begun = [verb for verb in verbs if len(word) >= SHORTEST_VERB and verb.startswith(word)]
    return begun[0] if len(begun) == 1 else nearest(word, verbs)


def _verb_of(line: str) -> str:
    return line.split(maxsplit=1)[0].casefold() if line.strip() else ""


def _without_what_stands(filled: Filled, choice: Choice, standing: Mapping[str, int], gone: range) -> str:
    """The lines that are new; empty where lines must go that the player did not get wrong."""
    new = [line for line in filled.lines if folded_line(line) not in standing]
    kept = {standing[folded_line(line)] for line in filled.lines if folded_line(line) in standing}
    return "\n".join(new) if set(choice.replaces) - kept <= set(gone) else ""


def _far(at: Point | None, wanted: Point | None) -> float:
    return math.inf if at is None or wanted is None else math.dist(at, wanted)


def _unlike(fix: str, text: str) -> float:
    return 1 - difflib.SequenceMatcher(None, fix.casefold(), text.casefold(), autojunk=False).ratio()


# --- where the line wanted to go -------------------------------------------------------------------------------------


def _point_named(text: str, scene: Scene) -> Point | None:
    """The last place that the line names, as the map's ground names places."""
    if isinstance(scene.ground, StarField):
        return _star_named(text, scene)
    if isinstance(scene.ground, InchTable):
        pairs = _PAIR.findall(text)
        return Point(float(pairs[-1][0]), float(pairs[-1][1])) if pairs else None
    hexes = [found for word in text.split() if (found := parse(word.strip(",;"))) is not None]
    return hex_point(hexes[-1]) if hexes else None


def _star_named(text: str, scene: Scene) -> Point | None:
    stars = [item for item in (*scene.terrain, *scene.items) if isinstance(item, Star)]
    named = [star for star in stars if star.name.casefold() in text.casefold()]
    return max(named, key=lambda star: len(star.name)).at if named else None


# --- blanks filled as the line meant them ----------------------------------------------------------------------------


def _fillings(choice: Choice, text: str, wanted: Point | None) -> Iterator[Filled]:
    if choice.fill is None:
        yield Filled(choice.lines, choice.at)
        return
    blank = next((line for line in choice.lines if "{}" in line), "{}")
    words = " ".join(text.split()[len(blank.partition("{}")[0].split()) :])
    for filling, at in _nearest(choice.fill, words, wanted):
        yield Filled(tuple(line.replace("{}", filling, 1) for line in choice.lines), at or choice.at)


def _nearest(fill: Fill, words: str, wanted: Point | None) -> Iterator[tuple[str, Point | None]]:
    """Fillings near to the words that stood where the blank is, each with its place on the map."""
    numbers = [float(found) for found in _NUMBER.findall(words)]
    if isinstance(fill, Number):
        meant = int(numbers[0]) if numbers else fill.now
        yield str(min(max(meant, fill.least), fill.most)), None
    elif isinstance(fill, Places):
        yield from _nearest_places(fill, words, wanted)
    elif isinstance(fill, Ranking):
        named = [match_name(word, fill.names) for word in words.split(",")]
        yield ", ".join(dict.fromkeys((*filter(None, named), *fill.names))), None
    elif (aim := _aim(fill, numbers, wanted)) and fill.most:
        yield _turned(fill, *aim), wanted


def _nearest_places(fill: Places, words: str, wanted: Point | None) -> Iterator[tuple[str, Point | None]]:
    if wanted is not None:
        near = sorted(fill.points, key=lambda name: math.dist(fill.points[name], wanted))[:NEAREST_PLACES]
    else:
        close = match_name(words, fill.points) or nearest(words, fill.points)
        near = [close] if close else list(fill.points)[:1]
    yield from ((name, fill.points[name]) for name in near)


def _aim(dial: Dial, numbers: list[float], wanted: Point | None) -> tuple[float, float] | None:
    """The bearing and the distance that the line meant, given by a place or in figures."""
    if wanted is not None:
        east, south = wanted.x - dial.at.x, wanted.y - dial.at.y
        return math.degrees(math.atan2(east, -south)) % 360, math.hypot(east, south)
    if not numbers:
        return None
    return numbers[0] % 360, numbers[1] if len(numbers) > 1 else math.inf


def _turned(dial: Dial, bearing: float, distance: float) -> str:
    """The nearest bearing that is legal, and as far on it as was meant and is allowed."""
    legal = min(sorted(dial.most), key=lambda known: abs((known - bearing + 180) % 360 - 180))
    if not dial.step:
        return dialled(legal, 0, 0)
    steps = int(min(distance, dial.most[legal]) / dial.step + 1e-9)
    return dialled(legal, max(1, steps) * dial.step, dial.step)

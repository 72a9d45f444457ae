"""What a unit can still be ordered, as whole legal order lines computed by the real rules.

Forms, hints, receipts, bots and the order desk all take their figures from an ``Offer``. It is made from a view, so it
cannot tell what its reader may not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.kit.dice import Dice
from pbem.kit.scene import Item, Point
from pbem.kit.sheet import clean

if TYPE_CHECKING:
    from pbem.kit.game import Game

# --- blanks ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Places:
    """A blank filled with one of these words; each lies somewhere on the map."""

    points: Mapping[str, Point]
    """``{"2415": Point(...)}``: hexes, systems, sectors."""


@dataclass(frozen=True)
class Dial:
    """A blank filled with a bearing and a distance from a point: ``045 11.75``."""

    at: Point
    most: Mapping[int, float]
    """Bearing to the farthest legal distance; bearings that are absent are illegal."""
    step: float = 0.25
    """Distances go by this; 0: the blank takes the bearing alone."""


@dataclass(frozen=True)
class Number:
    """A blank filled with a whole number."""

    least: int
    most: int
    now: int
    """What a player most likely wants: what stands now, or what is left."""


@dataclass(frozen=True)
class Ranking:
    """A blank filled with all these names in any order, joined by commas."""

    names: tuple[str, ...]


Fill = Places | Dial | Number | Ranking


# --- offers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """One thing a unit can be ordered."""

    group: str
    """``speed``, ``path``, ``target``...: a heading, in the game's own order."""
    label: str
    """``2024 heading 4, hard turn``: what button, screen reader and mail show."""
    lines: tuple[str, ...]
    """Order lines for the unit's block; at most one holds ``{}`` where the filling goes."""
    replaces: tuple[int, ...] = ()
    """Line numbers of the sheet it was made from that go out."""
    note: str = ""
    """Figures: ``range 6, needs 8 or more, arc fore-starboard``."""
    at: Point | None = None
    """Where it is clicked; None: only in the list."""
    heading: float | None = None
    """Several choices at one point differ by heading."""
    marks: tuple[Item, ...] = ()
    """Drawn when it is pointed at: a plotted trail, an arc, a shot, a ring."""
    chosen: bool = False
    """The sheet says so already."""
    faint: bool = False
    """Needs another change as well, which its lines hold."""
    fill: Fill | None = None


@dataclass(frozen=True)
class Closed:
    """Why a group is empty or short: newcomers learn the rule where it bites."""

    group: str
    why: str
    """``no turn this turn: at speed 8 a turn needs 7 or less``."""
    rule: str


@dataclass(frozen=True)
class Offer:
    """All choices of one unit, and what is closed to it and why."""

    unit: str
    title: str
    """``Alpha: 2016 heading 4, speed 8``."""
    choices: tuple[Choice, ...] = ()
    closed: tuple[Closed, ...] = ()

    def of(self, group: str) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices if choice.group == group)

    @property
    def groups(self) -> tuple[str, ...]:
        """The headings in the game's order, those that are closed among them."""
        offered = (choice.group for choice in self.choices)
        return tuple(dict.fromkeys((*offered, *(closed.group for closed in self.closed))))


# --- adding ----------------------------------------------------------------------------------------------------------

_END = re.compile(r"(end|--+)", re.IGNORECASE)
_HEADER = re.compile(r"\s*([^:#>]{1,80}):")
INDENT = "  "
LONGEST_NAME = 4
"""Words before a colon that can be a header; more of them are an order with a colon in it."""


def added(text: str, unit: str, choice: Choice, filling: str = "") -> str:
    """The sheet text with the choice in it: the only definition of adding.

    Lines in ``replaces`` go out; the new ones stand where the first of them stood, else at the end of the unit's block,
    else in a new block before ``END``. Comments, other blocks and the player's spacing stay.
    """
    lines = text.splitlines()
    new = [INDENT + line.replace("{}", filling, 1) for line in choice.lines]
    if choice.replaces:
        return _joined(_exchanged(lines, frozenset(choice.replaces), new))
    end = next((at for at, line in enumerate(lines) if _END.fullmatch(clean(line))), len(lines))
    last = _last_line_of_block(lines[:end], unit)
    if last is None:
        return _joined([*lines[:end], f"{unit}:", *new, *lines[end:]])
    return _joined([*lines[: last + 1], *new, *lines[last + 1 :]])


def _exchanged(lines: Sequence[str], gone: frozenset[int], new: Sequence[str]) -> list[str]:
    """The lines without those that go; a header before an order that goes stays for the lines under it."""
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        if number not in gone:
            kept.append(line)
            continue
        if header := _HEADER.match(line):
            kept.append(header[0])
        if number == min(gone):
            kept.extend(new)
    return kept


def _last_line_of_block(lines: Sequence[str], unit: str) -> int | None:
    """Where the last block of the unit ends, blank lines and comments behind it left to what follows."""
    inside, last = False, None
    for at, line in enumerate(lines):
        cleaned = clean(line)
        if not cleaned or cleaned.startswith(">"):
            continue
        if (header := _HEADER.match(cleaned)) and len(header[1].split()) <= LONGEST_NAME:
            inside = header[1].strip().strip("\"'").casefold() == unit.casefold()
        if inside:
            last = at
    return last


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


# --- filling ---------------------------------------------------------------------------------------------------------

MOST_PLACES = 60
EVERY_BEARING = 7


def fillings(fill: Fill | None) -> Iterator[str]:
    """What a blank may be filled with: all of it where that is little, else a sample with both edges."""
    if fill is None:
        yield ""
    elif isinstance(fill, Places):
        yield from thinned(tuple(fill.points), MOST_PLACES)
    elif isinstance(fill, Number):
        yield from map(str, thinned(range(fill.least, fill.most + 1), MOST_PLACES))
    elif isinstance(fill, Ranking):
        yield from dict.fromkeys(", ".join(names) for names in _some_orders(fill.names))
    else:
        yield from _turns(fill)


def _turns(dial: Dial) -> Iterator[str]:
    bearings = sorted(dial.most)
    edges = {bearings[0], bearings[-1]} if bearings else set()
    for bearing in sorted({*bearings[::EVERY_BEARING], *edges}):
        for distance in _distances(dial, dial.most[bearing]):
            yield dialled(bearing, distance, dial.step)


def _distances(dial: Dial, most: float) -> Sequence[float]:
    if not dial.step:
        return (0.0,)
    steps = int(most / dial.step + 1e-9)
    return tuple(count * dial.step for count in sorted({1, steps // 2, steps}) if 0 < count <= steps)


def dialled(bearing: int, distance: float, step: float) -> str:
    """How a bearing and a distance are written: ``045 11.75``, or ``045`` alone."""
    return f"{bearing:03d} {distance:.2f}" if step else f"{bearing:03d}"


def _some_orders(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return names, names[::-1], (*names[1:], *names[:1])


def thinned(words: Sequence[Any], most: int) -> Sequence[Any]:
    """At most so many of them, evenly chosen, the first and the last included."""
    if len(words) <= most:
        return words
    return [words[at * (len(words) - 1) // (most - 1)] for at in range(most)]


# --- at random -------------------------------------------------------------------------------------------------------


def random_sheet(
    game: Game[Any, Any, Any], state: Any, side: str, dice: Dice, units: Sequence[str] | None = None
) -> str:
    """Order text made of choices alone, picked by the dice until nothing new is left; legal by the law of choices.

    For all that the side can order, or for some of it.
    """
    if game.choices is None:
        return ""
    view, text = game.view(state, side), ""
    for unit in dict.fromkeys((game.fleet, *game.units(state, side))) if units is None else units:
        decided: set[str] = set()
        while True:
            offer = game.choices(view, game.read_orders(state, side, text), unit)
            groups = [group for group in offer.groups if group not in decided and offer.of(group)]
            if not groups:
                break
            group = groups[0]
            decided.add(group)
            text = _picked(text, offer, group, dice)
    return text


SKIP = 4
"""One group in so many is left alone: silence is an order too."""


def _picked(text: str, offer: Offer, group: str, dice: Dice) -> str:
    label = (offer.unit, group)
    open_choices = [choice for choice in offer.of(group) if not choice.chosen]
    if not open_choices or dice.roll(SKIP, *label, "skip").face == SKIP:
        return text
    choice = open_choices[dice.roll(len(open_choices), *label, "choice").face - 1]
    words = list(fillings(choice.fill))
    if not words:
        return text
    return added(text, offer.unit, choice, words[dice.roll(len(words), *label, "filling").face - 1])

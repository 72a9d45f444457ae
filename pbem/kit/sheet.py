"""The order language all games share: text to blocks, lines, orders and problems.

One order a line; ``Name:`` opens a unit's block; ``#`` starts a comment; quoted lines are skipped; ``END`` ends it.
One bad line never costs another.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Literal, TypeVar

OrderT = TypeVar("OrderT")

LONGEST_LINE = 200
MOST_LINES = 2000


class BadOrder(Exception):
    """Raised by a reader of an order line; becomes a Problem on the receipt.

    The reason names the offending text, the limit and the actual value; the hint what would be accepted;
    ``instead`` what will be done; ``fix`` a line that may stand in its place.
    """

    def __init__(self, rule: str, reason: str, hint: str = "", instead: str = "", fix: str = "") -> None:
        super().__init__(reason)
        self.rule = rule
        self.reason = reason
        self.hint = hint
        self.instead = instead
        self.fix = fix


Weight = Literal["refused", "waits", "changed", "note"]
"""How much a problem costs. *refused*: nothing of the line stands. *waits*: it was understood with a guess that needs
the player's yes. *changed*: something else stands. *note*: the line stands."""


@dataclass(frozen=True)
class Problem:
    """One line, or one missing thing, that could not stand as written."""

    line: int
    """Counted from 1 in the text that was read; 0: no line in particular."""
    text: str
    """The line as the player wrote it."""
    rule: str
    """The id of the rule or of the validation case."""
    reason: str
    hint: str = ""
    """What would be accepted."""
    instead: str = ""
    """What will be done in its place."""
    unit: str = ""
    """Whose block it stands in."""
    weight: Weight = "refused"
    until: int = 0
    """The last line it speaks of, where it is more than one."""
    fix: str = ""
    """A line, or several, that may stand in its place; shown only after it was read back without complaint."""


@dataclass(frozen=True)
class Line:
    """One order line of the text, before a game has read it."""

    number: int
    unit: str
    """The unit whose block it stands in, by its full name; ``""`` before any header that names one."""
    text: str
    """Without comment and header, spaces folded."""


@dataclass(frozen=True)
class Accepted(Generic[OrderT]):
    """One order that stands, with the line it came from."""

    line: int
    unit: str
    text: str
    order: OrderT


@dataclass(frozen=True)
class Block:
    """The lines under one header; a later letter replaces all blocks of a unit together."""

    unit: str
    lines: tuple[str, ...]
    good: bool
    """At least one of its lines was accepted."""


@dataclass(frozen=True)
class Sheet(Generic[OrderT]):
    """One side's orders for one phase."""

    accepted: tuple[Accepted[OrderT], ...] = ()
    problems: tuple[Problem, ...] = ()
    blocks: tuple[Block, ...] = ()
    turn: int | None = None
    """The turn the player wrote above the orders, if any."""
    start_over: bool = False
    """The player wrote ``start over``: what was sent before is cleared."""
    defaults: tuple[str, ...] = ()
    """What units without orders will do, in sentences; empty: the sheet is complete."""

    @property
    def orders(self) -> tuple[OrderT, ...]:
        return tuple(entry.order for entry in self.accepted)

    @staticmethod
    def of(*orders: OrderT) -> Sheet[OrderT]:
        """A sheet made of orders alone, for bots and worked examples."""
        return Sheet(tuple(Accepted(number, "", "", order) for number, order in enumerate(orders, 1)))

    def with_problems(self, problems: Iterable[Problem]) -> Sheet[OrderT]:
        return replace(self, problems=tuple(sorted((*self.problems, *problems), key=lambda found: found.line)))


@dataclass(frozen=True)
class Dialect:
    """What differs between games: the names that open blocks, and the ids of the two complaints all games share."""

    units: Sequence[str]
    """Names of the units the side commands, as the game spells them."""
    fleet: str = "Fleet"
    """The side's own block; lines before any header belong to it."""
    bad_syntax: str = ""
    """Rule id of an unknown verb."""
    unknown_unit: str = ""
    """Rule id of a header that names no unit of the side."""
    wrong_turn: str = ""
    """Rule id of a sheet for another turn."""
    turn: int | None = None
    """The open turn; None: ``turn N`` is not checked."""
    strangers: Sequence[str] | Mapping[str, str] = ()
    """Names the side knows but does not command, where known with whose they are; a header with one is refused by name
    rather than as unknown."""
    not_yours: str = ""
    """Rule id of a header that names such a unit; empty: the same as of an unknown one."""


# --- cleaning --------------------------------------------------------------------------------------------------------

_COMMENT = re.compile(r"(^|\s)#.*$")
_HEADER = re.compile(r"([^:]{1,80}):(.*)")
_TURN = re.compile(r"turn\s+(\d{1,5})", re.IGNORECASE)
_END = re.compile(r"(end|--+)", re.IGNORECASE)
_START_OVER = re.compile(r"start\s+over", re.IGNORECASE)


def clean(text: str) -> str:
    """One line as it is read: compatibility forms folded, comment and control characters gone, spaces single."""
    text = unicodedata.normalize("NFKC", text).translate(_PLAIN_PUNCTUATION)
    text = "".join(c for c in text if c == "\t" or unicodedata.category(c) not in _UNSEEN)
    return " ".join(_COMMENT.sub("", text).split())


_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
# Phones and word processors turn plain quotes and hyphens into typographic ones.
_PLAIN_PUNCTUATION = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-"}
)


def nearest(word: str, words: Iterable[str]) -> str:
    """The known word most like this one, or ``""``."""
    folded = {known.casefold(): known for known in words}
    close = difflib.get_close_matches(word.casefold(), list(folded), 1, 0.6)
    return folded[close[0]] if close else ""


def match_name(text: str, names: Iterable[str]) -> str | None:
    """The one name meant: spelt in full (any case, quotes optional), or by a unique beginning."""
    wanted = text.strip().strip("\"'").strip().casefold()
    if not wanted:
        return None
    full = [known for known in names if known.casefold() == wanted]
    if full:
        return full[0]
    begun = [known for known in names if known.casefold().startswith(wanted)]
    return begun[0] if len(begun) == 1 else None


def leading_name(text: str, names: Iterable[str]) -> tuple[str, str] | None:
    """The longest name the text begins with, and the rest: ``Hyperion-2 FP1`` gives ``Hyperion-2`` and ``FP1``.

    A unique prefix of a name, up to the next blank or comma, serves as well; so does a name in quotes.
    """
    stripped = text.strip()
    if stripped[:1] in ('"', "'") and (end := stripped.find(stripped[0], 1)) > 0:
        found = match_name(stripped[1:end], names)
        if found:
            return found, stripped[end + 1 :].strip()
    folded = stripped.casefold()
    whole = [n for n in names if folded.startswith(n.casefold()) and _ends_word(stripped, len(n))]
    if whole:
        longest = max(whole, key=len)
        return longest, stripped[len(longest) :].strip()
    word = re.split(r"[\s,]", stripped, maxsplit=1)[0]
    found = match_name(word, names)
    return (found, stripped[len(word) :].strip()) if found else None


def _ends_word(text: str, at: int) -> bool:
    return at >= len(text) or not (text[at].isalnum() or text[at] in "-'._")


# --- reading ---------------------------------------------------------------------------------------------------------


def read_sheet(text: str, dialect: Dialect, read_line: Callable[[Line], Sequence[OrderT]]) -> Sheet[OrderT]:
    """Read a whole letter's orders; ``read_line`` makes orders of one line, mostly one, or raises BadOrder."""
    reader: _Reader[OrderT] = _Reader(dialect, read_line)
    for number, raw in enumerate(text.splitlines(), 1):
        if number > MOST_LINES:
            reader.complain(number, "", f"more than {MOST_LINES} lines; the rest was not read", "send fewer lines")
            break
        if reader.take(number, raw) is _Stop:
            break
    return reader.sheet()


class _Stop:
    """The orders end here."""


@dataclass
class _Run:
    """A block while it is being read."""

    unit: str
    lines: list[str] = field(default_factory=list)
    good: bool = False


class _Reader(Generic[OrderT]):
    """Keeps the open block while lines are taken one by one."""

    def __init__(self, dialect: Dialect, read_line: Callable[[Line], Sequence[OrderT]]) -> None:
        self._dialect = dialect
        self._read_line = read_line
        self._unit: str | None = dialect.fleet
        self._stranger = ""
        self._accepted: list[Accepted[OrderT]] = []
        self._problems: list[Problem] = []
        self._runs: list[_Run] = [_Run(dialect.fleet)]
        self._turn: int | None = None
        self._start_over = False

    def take(self, number: int, raw: str) -> type[_Stop] | None:
        line = clean(raw)
        if not line or line.startswith(">"):
            return None
        if len(line) > LONGEST_LINE:
            reason = f"the line has {len(line)} characters, at most {LONGEST_LINE} are read"
            self.complain(number, line[:LONGEST_LINE], reason, "break it into several lines")
            return None
        if _END.fullmatch(line):
            return _Stop
        if _START_OVER.fullmatch(line):
            self._start_over = True
            return None
        if found := _TURN.fullmatch(line):
            self._turn = int(found[1])
            return None
        self._take_order(number, self._after_header(number, line))
        return None

    def _after_header(self, number: int, line: str) -> str:
        """Open a block if the line has a header; what remains of the line is an order."""
        found = _HEADER.fullmatch(line)
        if not found:
            return line
        name = self._named(found[1])
        if name is None and not self._looks_like_header(found[1]):
            return line
        self._unit = name
        if name is None:
            self._complain_unknown(number, line, found[1].strip())
        else:
            self._runs.append(_Run(name))
        return found[2].strip()

    def _named(self, text: str) -> str | None:
        return match_name(text, (self._dialect.fleet, *self._dialect.units))

    def _looks_like_header(self, text: str) -> bool:
        """A colon inside an order ("move at 3:00") is no header; an unknown name at the start of a line is."""
        return len(text.split()) <= 4

    def _complain_unknown(self, number: int, line: str, name: str) -> None:
        self._stranger = match_name(name, self._dialect.strangers) or ""
        rule, reason, hint = self._not_yours() if self._stranger else self._unknown(name)
        instead = "the lines under it are ignored"
        self._problems.append(Problem(number, line, rule, reason, hint, instead, name))

    def _unknown(self, name: str) -> tuple[str, str, str]:
        return self._dialect.unknown_unit, f"no unit called '{name}'", self._own_units(name)

    def _not_yours(self) -> tuple[str, str, str]:
        owner = self._owner()
        reason = f"'{self._stranger}' is not yours to command" + (f": it belongs to {owner}" if owner else "")
        return self._not_yours_rule(), reason, self._own_units(self._stranger)

    def _own_units(self, name: str) -> str:
        close = nearest(name, (self._dialect.fleet, *self._dialect.units))
        return f"did you mean '{close}'?" if close else f"your units: {_listed(self._dialect.units)}"

    def _owner(self) -> str:
        strangers = self._dialect.strangers
        return strangers.get(self._stranger, "") if isinstance(strangers, Mapping) else ""

    def _not_yours_rule(self) -> str:
        return self._dialect.not_yours or self._dialect.unknown_unit

    def _take_order(self, number: int, order_text: str) -> None:
        if not order_text:
            return
        if self._unit is None:
            self._complain_homeless(number, order_text)
            return
        run = self._runs[-1]
        run.lines.append(order_text)
        line = Line(number, self._unit, order_text)
        try:
            made = self._read_line(line)
        except BadOrder as error:
            self._problems.append(
                Problem(
                    number, order_text, error.rule, error.reason, error.hint, error.instead, self._unit, fix=error.fix
                )
            )
            return
        run.good = True
        self._accepted.extend(Accepted(number, self._unit, order_text, order) for order in made)

    def _complain_homeless(self, number: int, order_text: str) -> None:
        """A line under a header that opened no block of the player's."""
        rule, reason = self._dialect.unknown_unit, "it stands under a name that is no unit of yours"
        if self._stranger:
            rule, reason = self._not_yours_rule(), f"it stands under '{self._stranger}', which is not yours"
        self._problems.append(Problem(number, order_text, rule, reason, "", "the line is ignored"))

    def complain(self, number: int, text: str, reason: str, hint: str) -> None:
        self._problems.append(Problem(number, text, self._dialect.bad_syntax, reason, hint, "the line is ignored"))

    def sheet(self) -> Sheet[OrderT]:
        blocks = tuple(Block(run.unit, tuple(run.lines), run.good) for run in self._runs if run.lines)
        wrong = self._dialect.turn is not None and self._turn is not None and self._turn != self._dialect.turn
        if wrong:
            reason = f"these orders are for turn {self._turn}, but turn {self._dialect.turn} is open"
            refusal = Problem(
                0,
                f"turn {self._turn}",
                self._dialect.wrong_turn,
                reason,
                f"turn {self._dialect.turn}",
                "the whole letter is refused",
            )
            return Sheet((), (refusal,), blocks, self._turn, self._start_over)
        return Sheet(tuple(self._accepted), tuple(self._problems), blocks, self._turn, self._start_over)


def _listed(names: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


# --- verbs -----------------------------------------------------------------------------------------------------------


def read_verb(line: Line, verbs: Mapping[str, Callable[[Line, str], OrderT]], bad_syntax: str) -> OrderT:
    """Hand the line to the reader of its verb, with the words behind the verb.

    Verbs may be of several words (``fleet speed``); the longest that fits is taken, and a unique beginning serves.
    """
    words = line.text.split()
    for length in range(min(3, len(words)), 0, -1):
        verb = " ".join(words[:length]).casefold()
        if verb in verbs:
            return verbs[verb](line, " ".join(words[length:]))
    begun = [verb for verb in verbs if " " not in verb and len(words[0]) > 2 and verb.startswith(words[0].casefold())]
    if len(begun) == 1:
        return verbs[begun[0]](line, " ".join(words[1:]))
    close = nearest(words[0], verbs)
    hint = f"did you mean '{close}'?" if close else f"known orders: {', '.join(sorted(verbs))}"
    raise BadOrder(bad_syntax, f"no order called '{words[0]}'", hint, "the line is ignored")

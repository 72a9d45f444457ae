"""Words that several orders share: names, numbers, targets, doctrines (rule book 6.4 to 6.6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from games.encounters.data import PATHS
from games.encounters.orders.headers import EMPIRE
from games.encounters.orders.plans import hits_text, read_hit, read_target
from games.encounters.orders.records import Hit, Order, SetDoctrine, Target
from games.encounters.rules.damage import ABSORB
from games.encounters.rules.names import SELECTORS
from games.encounters.state import Unit
from games.encounters.table import Table
from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Line, match_name, nearest

IGNORED = "the line is ignored"
FIRE_KINDS = ("ships", "dogfight", "strike", "flak", "troops", "all")
YES_NO = ("yes", "no")
PLAIN_DOCTRINES: Mapping[str, Sequence[str]] = {
    "engage": ("always", "never", "owner"), "pursue": YES_NO, "orbital": YES_NO, "absorb": tuple(ABSORB),
}  # fmt: skip
T = TypeVar("T")
Orders = Sequence[Order]
Reader = Callable[[Line, str], Orders]
"""Makes orders of a line and the words behind its verb."""


class Misspelt(BadOrder):
    """A word that is nearly one that is known; ``close`` may stand in its place."""

    def __init__(self, rule: str, reason: str, hint: str, word: str, close: str) -> None:
        super().__init__(rule, reason, hint, IGNORED)
        self.word = word
        self.close = close


class Speaker:
    """A power that sends orders: what it can name, and the judge who hears what is wrong with them."""

    def __init__(self, table: Table, power: str, judge: Judge[Any]) -> None:
        self.table = table
        self.power = power
        self.judge = judge

    # --- names -------------------------------------------------------------------------------------------------------

    def own_unit(self, text: str) -> Unit:
        """EN-VAL-2, 3: one of the sender's units."""
        units = {unit.name: unit for unit in self.table.of(self.power)}
        name = match_name(text, units)
        if name is not None:
            return units[name]
        stranger = match_name(text, self.table.powers[self.power].known)
        if stranger:
            owner = owners_met(self.table, self.power).get(stranger)
            whose = f"belongs to {owner}" if owner else "is not yours"
            raise BadOrder("EN-VAL-3", f"'{text}' {whose}", "name a unit of your own", IGNORED)
        raise unknown("unit", text, units)

    def is_fleet(self, name: str) -> bool:
        return (self.power, name) in self.table.fleets

    def system(self, text: str) -> str:
        return named("system", text, sorted(self.table.systems))

    def other_power(self, text: str) -> str:
        """A power may be written by name or key."""
        names = {word: key for key in self.table.seats for word in (key, self.table.name(key))}
        return names[named("power", text, names)]

    def design(self, text: str) -> str:
        """The key of a design: the sender's own first, then the catalogue's."""
        own = {self.table.design_of(key).name: key for key in self.table.powers[self.power].designs}
        mine = match_name(text, own)
        if mine is not None:
            return own[mine]
        public = [name for name in self.table.catalogue().designs if ":" not in name]
        name = match_name(text, public)
        if name is None:
            raise unknown("design", text, dict.fromkeys((*public, *own)))
        return name

    # --- lists -------------------------------------------------------------------------------------------------------

    def each(self, line: Line, text: str, read: Callable[[str], T]) -> list[T]:
        """Section 7: a list is judged item by item; legal items stand. None legal: the first complaint is raised."""
        items = listed(text)
        if not items:
            raise BadOrder("EN-VAL-1", f"'{line.text}' names nothing", "a name, or several with commas", IGNORED)
        legal: list[T] = []
        kept: list[str] = []
        errors: list[BadOrder] = []
        for item in items:
            try:
                legal.append(read(item))
                kept.append(item)
            except BadOrder as error:
                errors.append(error)
        if not legal:
            raise errors[0]
        rest = line.text.replace(text, ", ".join(kept), 1)
        for refused in errors:
            instead = refused.instead if refused.instead not in ("", IGNORED) else "the rest of the line stands"
            self.judge.warn(line, refused.rule, refused.reason, refused.hint, instead, rest)
        return legal

    # --- targets -----------------------------------------------------------------------------------------------------

    def target(self, text: str) -> Target:
        """6.5, EN-VAL-28: a selector, a class, a path, or the name of a known hostile unit or design."""
        target = read_target(text)
        if target.most == 0:
            raise BadOrder("EN-VAL-36", f"'{text}' takes none: the number must be 1 or more", "x 1", IGNORED)
        met = self.table.powers[self.power].known
        words = (*SELECTORS, *self.table.classes(), *PATHS)
        word = match_exactly(target.word, words) or match_name(target.word, met)
        if word is None:
            close = nearest(target.word, (*SELECTORS, *met))
            hint = f"did you mean '{close}'?" if close else f"use a selector: {', '.join(SELECTORS[:7])}..."
            reason = f"you know no enemy unit called '{target.word}'{self.detection()}"
            raise Misspelt("EN-VAL-28", reason, hint, target.word, close or SELECTORS[0])
        return Target(word, target.most)

    def detection(self) -> str:
        """What EN-VAL-28's message adds: the detection level; only readers of battle orders know one."""
        return ""

    def hits(self, line: Line, text: str) -> tuple[Hit, ...]:
        """``at <targets>`` or ``none``."""
        if text.casefold() == "none":
            return ()
        if not text.casefold().startswith("at "):
            hint = "direct ships at biggest, or direct ships none"
            raise Misspelt("EN-VAL-1", f"'{text}' is not understood", hint, text, nearest(text, ("none",)))
        return tuple(self.each(line, text[3:], lambda item: read_hit(item, self.target)))

    # --- doctrine ----------------------------------------------------------------------------------------------------

    def doctrine(self, line: Line, text: str) -> tuple[str, str]:
        """6.4: a topic and its value, as they are kept."""
        topic, _, value = text.partition(" ")
        folded, value = topic.casefold(), value.strip()
        if folded in PLAIN_DOCTRINES:
            return folded, one_of(value, PLAIN_DOCTRINES[folded])
        if folded == "retreat":
            return folded, retreat_word(value)
        if folded == "direct":
            kind, hits = self.direct(line, value)
            return f"direct {kind}", hits_text(hits)
        words = ("engage", "retreat", "absorb", "pursue", "direct", "orbital")
        hint = f"did you mean '{nearest(topic, words)}'?" if nearest(topic, words) else f"one of {', '.join(words)}"
        raise Misspelt("EN-VAL-1", f"no doctrine called '{topic}'", hint, topic, nearest(topic, words))

    def set_doctrine(self, line: Line, rest: str) -> Sequence[SetDoctrine]:
        """6.4: a doctrine of the power, or of the fleet whose header the line stands under."""
        if line.unit != EMPIRE and not self.is_fleet(line.unit):
            raise wrong_place(f"a doctrine under '{line.unit}'", "it belongs under Empire: or a fleet's name")
        topic, value = self.doctrine(line, rest)
        return [SetDoctrine("" if line.unit == EMPIRE else line.unit, topic, value)]

    def direct(self, line: Line, text: str) -> tuple[str, tuple[Hit, ...]]:
        kind, _, rest = text.partition(" ")
        return one_of(kind, FIRE_KINDS), self.hits(line, rest.strip())


def owners_met(table: Table, power: str) -> dict[str, str]:
    """Units that a power has met, with the names of their owners."""
    contacts = table.powers[power].contacts
    met = [sighting for system in sorted(contacts) for contact in contacts[system] for sighting in contact.units]
    return {sighting.name: table.name(sighting.owner) for sighting in reversed(met)}


def unknown(kind: str, text: str, names: Iterable[str]) -> BadOrder:
    """EN-VAL-2: the word and the nearest known name."""
    some = list(names)
    close = nearest(text, some)
    hint = f"did you mean '{close}'?" if close else f"known: {', '.join(some[:8])}"
    return Misspelt("EN-VAL-2", f"no {kind} called '{text}'", hint, text, close)


def named(kind: str, text: str, names: Iterable[str]) -> str:
    """EN-VAL-2: the one name of its kind that is meant."""
    some = list(names)
    name = match_name(text, some)
    if name is None:
        raise unknown(kind, text, some)
    return name


def parsed(pattern: re.Pattern[str], text: str, line: Line, example: str) -> re.Match[str]:
    """EN-VAL-1: the words behind a verb, in their form."""
    match = pattern.fullmatch(text)
    if match is None:
        raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", example, IGNORED)
    return match


def match_exactly(text: str, words: Iterable[str]) -> str | None:
    folded = text.strip().casefold()
    return next((word for word in words if word.casefold() == folded), None)


def one_of(text: str, words: Sequence[str]) -> str:
    """EN-VAL-1: one of a few words."""
    word = match_exactly(text, words)
    if word is None:
        close = nearest(text, words)
        raise Misspelt("EN-VAL-1", f"'{text}' is not understood", close or f"one of {', '.join(words)}", text, close)
    return word


def number(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,6}", text):
        raise BadOrder("EN-VAL-1", f"'{text}' is no number", "a whole number", IGNORED)
    return int(text)


def plain_name(text: str) -> str:
    """A new name without the quotes a player may put about it."""
    return " ".join(text.strip().strip('"').split())


def listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def retreat_word(text: str) -> str:
    """``none``, ``crippled``, ``all`` or ``losses N``."""
    losses = re.fullmatch(r"losses\s+(-?\d{1,4})\s*%?", text.casefold())
    if losses:
        percent = int(losses[1])
        if percent < 1:
            raise BadOrder("EN-VAL-36", f"losses {percent}: the percentage must be 1 or more", "losses 50", IGNORED)
        return f"losses {percent}"
    first, _, rest = text.partition(" ")
    if rest and nearest(first, ("losses",)):
        raise Misspelt("EN-VAL-1", f"'{text}' is not understood", "losses 50", first, "losses")
    return one_of(text, ("none", "crippled", "all"))


def wrong_place(what: str, belongs: str) -> BadOrder:
    """EN-VAL-4: not valid for this header or this phase."""
    return BadOrder("EN-VAL-4", what, belongs, IGNORED)


def nothing_behind(rest: str, verb: str) -> None:
    if rest:
        raise BadOrder("EN-VAL-1", f"'{rest}' behind {verb} is not understood", verb, IGNORED)

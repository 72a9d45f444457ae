"""Words that several orders share: names, numbers, targets, doctrines (rule book 6.4 to 6.6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from games.encounters.data import PATHS
from games.encounters.plans import Hit, Target, read_target
from games.encounters.rules.board import Board
from games.encounters.rules.damage import ABSORB
from games.encounters.rules.names import SELECTORS
from games.encounters.state import Unit
from pbem.kit.sheet import BadOrder, Line, Problem, match_name, nearest

IGNORED = "the line is ignored"
FIRE_KINDS = ("ships", "dogfight", "strike", "flak", "troops", "all")
ENGAGE_WORDS = ("always", "never", "owner")
YES_NO = ("yes", "no")
T = TypeVar("T")


class Speaker:
    """A power that sends orders: what it can name, and the complaints it will hear."""

    def __init__(self, board: Board, power: str) -> None:
        self.board = board
        self.power = power
        self.notes: list[Problem] = []

    # --- names -------------------------------------------------------------------------------------------------------

    def own_unit(self, text: str) -> Unit:
        """EN-VAL-2, 3: one of the sender's units."""
        units = {unit.name: unit for unit in self.board.of(self.power)}
        found = match_name(text, units)
        if found is not None:
            return units[found]
        if match_name(text, self.board.powers[self.power].known):
            raise BadOrder("EN-VAL-3", f"'{text}' {self.whose(text)}", "name a unit of your own", IGNORED)
        raise unknown("unit", text, units)

    def whose(self, text: str) -> str:
        """The owner of a hostile unit if the sender has met it, else only that it is not the sender's."""
        contacts = self.board.powers[self.power].contacts
        met = [one for system in sorted(contacts) for contact in contacts[system] for one in contact.units]
        owner = next((one.owner for one in met if one.name.casefold() == text.strip().casefold()), None)
        return f"belongs to {self.board.name(owner)}" if owner else "is not yours"

    def own_fleet(self, text: str) -> str:
        names = sorted(name for owner, name in self.board.fleets if owner == self.power)
        found = match_name(text, names)
        if found is None:
            raise unknown("fleet", text, names)
        return found

    def system(self, text: str) -> str:
        found = match_name(text, sorted(self.board.systems))
        if found is None:
            raise unknown("system", text, sorted(self.board.systems))
        return found

    def other_power(self, text: str) -> str:
        """A power may be written by name or key."""
        names = {word: key for key in self.board.seats for word in (key, self.board.name(key))}
        found = match_name(text, names)
        if found is None:
            raise unknown("power", text, names)
        return names[found]

    def design(self, text: str) -> str:
        """The key of a design: the sender's own first, then the catalogue's."""
        own = {self.board.design_of(key).name: key for key in self.board.powers[self.power].designs}
        found = match_name(text, own)
        if found is not None:
            return own[found]
        public = {name: name for name in self.board.catalogue().designs if ":" not in name}
        found = match_name(text, public)
        if found is None:
            raise unknown("design", text, {**public, **own})
        return public[found]

    # --- lists -------------------------------------------------------------------------------------------------------

    def each(self, line: Line, text: str, read: Callable[[str], T]) -> list[T]:
        """Section 7: a list is judged item by item; legal items stand. None legal: the first complaint is raised."""
        items = listed(text)
        if not items:
            raise BadOrder("EN-VAL-1", f"'{line.text}' names nothing", "a name, or several with commas", IGNORED)
        found: list[T] = []
        errors: list[BadOrder] = []
        for item in items:
            try:
                found.append(read(item))
            except BadOrder as error:
                errors.append(error)
        if not found:
            raise errors[0]
        for complaint in errors:
            self.complain(line, complaint)
        return found

    def complain(self, line: Line, error: BadOrder) -> None:
        instead = error.instead if error.instead not in ("", IGNORED) else "the rest of the line stands"
        self.notes.append(Problem(line.number, line.text, error.rule, error.reason, error.hint, instead, line.unit))

    # --- targets -----------------------------------------------------------------------------------------------------

    def target(self, text: str) -> Target:
        """6.5, EN-VAL-28: a selector, a class, a path, or the name of a known hostile unit or design."""
        target = read_target(text)
        if target.most == 0:
            raise BadOrder("EN-VAL-36", f"'{text}' takes none: the number must be 1 or more", "x 1", IGNORED)
        known = self.board.powers[self.power].known
        words = (*SELECTORS, *self.board.classes(), *PATHS)
        found = match_exactly(target.word, words) or match_name(target.word, known)
        if found is None:
            close = nearest(target.word, (*SELECTORS, *known))
            hint = f"did you mean '{close}'?" if close else f"use a selector: {', '.join(SELECTORS[:7])}..."
            reason = f"you know no enemy unit called '{target.word}'{self.detection()}"
            raise BadOrder("EN-VAL-28", reason, hint, IGNORED)
        return Target(found, target.most)

    def detection(self) -> str:
        """What EN-VAL-28's message adds: the detection level; only readers of battle orders know one."""
        return ""

    def hit(self, text: str) -> Hit:
        words = text.split()
        kill = len(words) > 1 and words[0].casefold() == "kill"
        return Hit(self.target(" ".join(words[1:] if kill else words)), kill)

    def hits(self, line: Line, text: str) -> tuple[Hit, ...]:
        """``at <targets>`` or ``none``."""
        if text.casefold() == "none":
            return ()
        if not text.casefold().startswith("at "):
            raise BadOrder("EN-VAL-1", f"'{text}' is not understood", "direct ships at biggest, or direct ships none")
        return tuple(self.each(line, text[3:], self.hit))

    # --- doctrine ----------------------------------------------------------------------------------------------------

    def doctrine(self, line: Line, text: str) -> tuple[str, str]:
        """6.4: a topic and its value, as they are kept."""
        topic, _, value = text.partition(" ")
        folded, value = topic.casefold(), value.strip()
        if folded == "engage":
            return folded, one_of(value, ENGAGE_WORDS)
        if folded in ("pursue", "orbital"):
            return folded, one_of(value, YES_NO)
        if folded == "absorb":
            return folded, one_of(value, tuple(ABSORB))
        if folded == "retreat":
            return folded, retreat_word(value)
        if folded == "direct":
            kind, hits = self.direct(line, value)
            return f"direct {kind}", hits_text(hits)
        words = ("engage", "retreat", "absorb", "pursue", "direct", "orbital")
        hint = f"did you mean '{nearest(topic, words)}'?" if nearest(topic, words) else f"one of {', '.join(words)}"
        raise BadOrder("EN-VAL-1", f"no doctrine called '{topic}'", hint, IGNORED)

    def direct(self, line: Line, text: str) -> tuple[str, tuple[Hit, ...]]:
        kind, _, rest = text.partition(" ")
        return one_of(kind, FIRE_KINDS), self.hits(line, rest.strip())


def unknown(kind: str, text: str, names: Iterable[str]) -> BadOrder:
    """EN-VAL-2: the word and the nearest known name."""
    known = list(names)
    close = nearest(text, known)
    hint = f"did you mean '{close}'?" if close else f"known: {', '.join(known[:8])}"
    return BadOrder("EN-VAL-2", f"no {kind} called '{text}'", hint, IGNORED)


def match_exactly(text: str, words: Iterable[str]) -> str | None:
    folded = text.strip().casefold()
    return next((word for word in words if word.casefold() == folded), None)


def one_of(text: str, words: Sequence[str]) -> str:
    """EN-VAL-1: one of a few words."""
    found = match_exactly(text, words)
    if found is None:
        close = nearest(text, words)
        raise BadOrder("EN-VAL-1", f"'{text}' is not understood", close or f"one of {', '.join(words)}", IGNORED)
    return found


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
    found = re.fullmatch(r"losses\s+(-?\d{1,4})\s*%?", text.casefold())
    if found:
        percent = int(found[1])
        if percent < 1:
            raise BadOrder("EN-VAL-36", f"losses {percent}: the percentage must be 1 or more", "losses 50", IGNORED)
        return f"losses {percent}"
    return one_of(text, ("none", "crippled", "all"))


def hits_text(hits: Sequence[Hit]) -> str:
    """Hits as they are written in a doctrine."""
    if not hits:
        return "none"
    return "at " + ", ".join(hit_text(hit) for hit in hits)


def hit_text(hit: Hit) -> str:
    most = f" x {hit.target.most}" if hit.target.most is not None else ""
    return f"{'kill ' if hit.kill else ''}{hit.target.word}{most}"


def wrong_place(what: str, belongs: str) -> BadOrder:
    """EN-VAL-4: not valid for this header or this phase."""
    return BadOrder("EN-VAL-4", what, belongs, IGNORED)

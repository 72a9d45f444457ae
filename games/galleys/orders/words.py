"""Reading the smaller parts of an order line: names, targets, paths, shots, percentages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import get_args

from games.galleys.orders.records import Moment, Shot, Target, written_path
from games.galleys.state import State
from pbem.kit.sheet import BadOrder, leading_name, nearest

SELECTORS = ("nearest", "biggest", "weakest", "best", "any")
KEPT_OUT = "the line is ignored"

_TOKEN = re.compile(r"([FPS])([1-9]?)|([BT])", re.IGNORECASE)
_MOMENT = re.compile(r"(.*?)\s+(at start|when able|at end)", re.IGNORECASE)
_SHOT = re.compile(r"(?:(\d)\s+)?at\s+(.+)", re.IGNORECASE)
_PERCENT = re.compile(r"(-?\d{1,9})\s*%?")


class Misread(BadOrder):
    """A line with one wrong part; ``right`` in its place might make it an order."""

    def __init__(self, rule: str, reason: str, hint: str, wrong: str, right: str) -> None:
        super().__init__(rule, reason, hint, KEPT_OUT)
        self.wrong = wrong
        self.right = right

    def mend(self, text: str) -> None:
        """Name the whole line with the right words in it as the fix."""
        if self.wrong and self.wrong in text:
            before, _, behind = text.rpartition(self.wrong)
            self.fix = " ".join(f"{before} {self.right} {behind}".split())


def not_understood(word: str, allowed: str, words: Iterable[str] = ()) -> BadOrder:
    """GA-VAL-1: where reading stopped, and what may stand there."""
    if not word:
        return BadOrder("GA-VAL-1", "the line stops too early", f"allowed here: {allowed}", KEPT_OUT)
    reason, right = f"'{word}' is not understood here", nearest(word, words)
    return Misread("GA-VAL-1", reason, f"allowed here: {allowed}", word if right else "", right)


def surplus(rest: str, allowed: str, words: Iterable[str] = ()) -> Misread:
    """GA-VAL-1: words behind the end of an order; the line might stand without them."""
    return Misread(
        "GA-VAL-1", f"'{rest}' is not understood here", f"allowed here: {allowed}", rest, nearest(rest, words)
    )


def end_here(rest: str, allowed: str = "nothing more") -> None:
    """GA-VAL-1: words behind the end of an order are not swallowed."""
    if rest:
        raise surplus(rest, allowed)


def split_names(text: str) -> list[str]:
    return [part.strip().removeprefix("@") for part in text.split(",") if part.strip()]


def no_target(reason: str, word: str, names: Sequence[str], kind: str) -> BadOrder:
    """GA-VAL-21, with the nearest name or all of them."""
    close = nearest(word, names)
    hint = f"did you mean '{close}'?" if close else f"the enemy's {kind}: {', '.join(names)}"
    return Misread("GA-VAL-21", reason, hint, word, close or (names[0] if kind == "squadrons" and names else "nearest"))


class Names:
    """The names an order of one side may use."""

    def __init__(self, state: State, side: str) -> None:
        self.state = state
        self.side = side
        self.ships = [ship.name for ship in state.ships]
        self.enemies = [ship.name for ship in state.ships if ship.afloat and ship.side != side]
        self.enemy_squadrons = [squadron.name for squadron in state.squadrons if squadron.side != side]

    def target(self, text: str) -> tuple[Target, str]:
        """A target at the beginning of the text, and the words behind it."""
        words = text.split()
        if words and words[0].casefold() in SELECTORS:
            return self._selected(words)
        name, rest = self.ship(text)
        return Target(name=self.enemy(name)), rest

    def _selected(self, words: list[str]) -> tuple[Target, str]:
        selector, rest = words[0].casefold(), words[1:]
        if not rest or rest[0].casefold() != "of":
            return Target(selector=selector), " ".join(rest)
        text = " ".join(rest[1:])
        squadron = leading_name(text.removeprefix("@"), self.enemy_squadrons)
        if squadron is None:
            raise no_target(f"no enemy squadron called '{text}'", text, self.enemy_squadrons, "squadrons")
        return Target(selector=selector, of=squadron[0]), squadron[1]

    def ship(self, text: str) -> tuple[str, str]:
        """A ship of either side at the beginning of the text."""
        if not text.strip():
            raise not_understood("", "a ship's name, or nearest, biggest, weakest, best, any")
        ship_and_rest = leading_name(text.strip().removeprefix("@"), self.ships)
        if ship_and_rest is None:
            word = text.split(",")[0].strip()
            raise self._no_enemy(f"no ship called '{word}'", word)
        return ship_and_rest

    def enemy(self, name: str) -> str:
        """GA-VAL-21: an enemy ship afloat."""
        ship = self.state.ship(name)
        if not ship.afloat:
            raise self._no_enemy(f"{name} is {ship.status} since turn {ship.lost_turn}", name)
        if ship.side == self.side:
            raise self._no_enemy(f"{name} is a {'prize' if ship.prize else 'ship'} of your own side", name)
        return name

    def _no_enemy(self, reason: str, word: str) -> BadOrder:
        return no_target(reason, word, self.enemies, "ships")


def read_path(text: str) -> str:
    """Tokens such as ``F3 P F2`` as a plain string: ``FFFPFF``."""
    tokens, at = "", 0
    squeezed = "".join(text.split())
    while at < len(squeezed):
        match = _TOKEN.match(squeezed, at)
        if not match:
            reason, hint = (
                f"'{squeezed[at:]}' is not understood here",
                "allowed here: F, P, S with a count of 1-9, B, T",
            )
            raise Misread("GA-VAL-1", reason, hint, text if tokens else "", written_path(tokens))
        token = (match[1] or match[3]).upper()
        tokens += token * int(match[2] or 1)
        at = match.end()
    if not tokens:
        raise not_understood("", "F, P, S with a count of 1-9, B, T")
    return tokens


def read_percent(text: str) -> str:
    """GA-VAL-28: a percentage from 0 to 100."""
    match = _PERCENT.fullmatch(text.strip())
    if not match:
        raise not_understood(text, "a percentage from 0 to 100")
    value = int(match[1])
    if not 0 <= value <= 100:
        reason, hint = f"{value}% is outside 0 to 100", "a percentage from 0 to 100"
        raise Misread("GA-VAL-28", reason, hint, text, f"{min(max(value, 0), 100)}%")
    return str(value)


def read_shots(text: str, names: Names) -> tuple[tuple[Shot, ...], Moment]:
    """``2 at Eirene, 1 at nearest of Rhodes when able``."""
    match = _MOMENT.fullmatch(text)
    moment: Moment = "at end"
    if match:
        text = match[1]
        moment = next(word for word in get_args(Moment) if word == match[2].casefold())
    parts = [part.strip() for part in text.split(",")]
    return tuple(_read_shot(part, place, names) for place, part in enumerate(parts)), moment


def _read_shot(part: str, place: int, names: Names) -> Shot:
    match = _SHOT.fullmatch(part)
    if not match and (place == 0 or not part):
        raise not_understood(part, "none, or 'at' and a target, or a number, 'at' and a target")
    target, rest = names.target(match[2] if match else part)
    end_here(rest, "a comma and another target, at start, when able, at end")
    if not match or match[1] is None:
        return Shot(target)
    if int(match[1]) == 0:
        reason, hint = f"a share of 0 points at {target}", "at least 1 point for each target"
        raise Misread("GA-VAL-22", reason, hint, part, f"1{part[1:]}")
    return Shot(target, int(match[1]))

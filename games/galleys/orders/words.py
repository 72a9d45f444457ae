"""Reading the smaller parts of an order line: names, targets, paths, shots, percentages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.galleys.orders.plans import Moment, Shot, Target
from games.galleys.state import State
from pbem.kit.sheet import BadOrder, leading_name, nearest

SELECTORS = ("nearest", "biggest", "weakest", "best", "any")
KEPT_OUT = "the line is ignored"

_TOKEN = re.compile(r"([FPS])([1-9]?)|([BT])", re.IGNORECASE)
_MOMENT = re.compile(r"(.*?)\s+(at start|when able|at end)", re.IGNORECASE)
_SHOT = re.compile(r"(?:(\d)\s+)?at\s+(.+)", re.IGNORECASE)
_PERCENT = re.compile(r"(-?\d{1,9})\s*%?")


def not_understood(word: str, allowed: str) -> BadOrder:
    """GA-VAL-1: where reading stopped, and what may stand there."""
    shown = f"'{word}' is not understood here" if word else "the line stops too early"
    return BadOrder("GA-VAL-1", shown, f"allowed here: {allowed}", KEPT_OUT)


def split_names(text: str) -> list[str]:
    return [part.strip().removeprefix("@") for part in text.split(",") if part.strip()]


def unknown_target(word: str, names: Iterable[str]) -> BadOrder:
    """GA-VAL-21."""
    close = nearest(word, names)
    hint = f"did you mean '{close}'?" if close else f"the enemy's ships: {', '.join(names)}"
    return BadOrder("GA-VAL-21", f"no ship called '{word}'", hint, KEPT_OUT)


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
        found = leading_name(" ".join(rest[1:]).removeprefix("@"), self.enemy_squadrons)
        if found is None:
            close = nearest(" ".join(rest[1:]), self.enemy_squadrons)
            hint = f"did you mean '{close}'?" if close else f"the enemy's squadrons: {', '.join(self.enemy_squadrons)}"
            raise BadOrder("GA-VAL-21", f"no enemy squadron called '{' '.join(rest[1:])}'", hint, KEPT_OUT)
        return Target(selector=selector, of=found[0]), found[1]

    def ship(self, text: str) -> tuple[str, str]:
        """A ship of either side at the beginning of the text."""
        if not text.strip():
            raise not_understood("", "a ship's name, or nearest, biggest, weakest, best, any")
        found = leading_name(text.strip().removeprefix("@"), self.ships)
        if found is None:
            raise unknown_target(text.split(",")[0].strip(), self.enemies)
        return found

    def enemy(self, name: str) -> str:
        """GA-VAL-21: an enemy ship afloat."""
        ship = self.state.ship(name)
        if not ship.afloat:
            raise BadOrder(
                "GA-VAL-21", f"{name} is {ship.status} since turn {ship.lost_turn}", self._closest(name), KEPT_OUT
            )
        if ship.side == self.side:
            what = "a prize of your own side" if ship.prize else "a ship of your own side"
            raise BadOrder("GA-VAL-21", f"{name} is {what}", self._closest(name), KEPT_OUT)
        return name

    def _closest(self, name: str) -> str:
        close = nearest(name, self.enemies)
        return f"did you mean '{close}'?" if close else f"the enemy's ships: {', '.join(self.enemies)}"


def read_path(text: str) -> str:
    """Tokens such as ``F3 P F2`` as a plain string: ``FFFPFF``."""
    tokens, at = "", 0
    squeezed = "".join(text.split())
    while at < len(squeezed):
        found = _TOKEN.match(squeezed, at)
        if not found:
            raise not_understood(squeezed[at:], "F, P, S with a count of 1-9, B, T")
        token = (found[1] or found[3]).upper()
        tokens += token * int(found[2] or 1)
        at = found.end()
    if not tokens:
        raise not_understood("", "F, P, S with a count of 1-9, B, T")
    return tokens


def read_percent(text: str) -> str:
    """GA-VAL-28: a percentage from 0 to 100."""
    found = _PERCENT.fullmatch(text.strip())
    if not found:
        raise not_understood(text, "a percentage from 0 to 100")
    value = int(found[1])
    if not 0 <= value <= 100:
        raise BadOrder("GA-VAL-28", f"{value}% is outside 0 to 100", "a percentage from 0 to 100", KEPT_OUT)
    return str(value)


def read_shots(text: str, names: Names) -> tuple[tuple[Shot, ...], Moment]:
    """``2 at Eirene, 1 at nearest of Rhodes when able``."""
    found = _MOMENT.fullmatch(text)
    moment: Moment = "at end"
    if found:
        text, word = found[1], found[2].casefold()
        moment = "at start" if word == "at start" else "when able" if word == "when able" else "at end"
    parts = [part.strip() for part in text.split(",")]
    return tuple(_read_shot(part, place, names) for place, part in enumerate(parts)), moment


def _read_shot(part: str, place: int, names: Names) -> Shot:
    found = _SHOT.fullmatch(part)
    if not found and (place == 0 or not part):
        raise not_understood(part, "none, or 'at' and a target, or a number, 'at' and a target")
    target, rest = names.target(found[2] if found else part)
    if rest:
        raise not_understood(rest, "a comma and another target, at start, when able, at end")
    if not found or found[1] is None:
        return Shot(target)
    if int(found[1]) == 0:
        raise BadOrder("GA-VAL-22", f"a share of 0 points at {target}", "at least 1 point for each target", KEPT_OUT)
    return Shot(target, int(found[1]))

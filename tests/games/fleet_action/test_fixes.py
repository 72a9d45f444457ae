"""Fixes: a line that a complaint names in place of another is accepted there without a word."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

from games.fleet_action import GAME
from games.fleet_action.state import State
from pbem.kit.choices import random_sheet
from pbem.kit.dice import KeyedDice
from pbem.kit.sheet import Problem, clean
from tests.games.fleet_action.test_choices import bot_text

SLIPS = (-3, -1, 1, 2, 5, 9)
OWN_HEADER = re.compile(r"[^:]{1,80}:")


def mutated(text: str, rng: random.Random) -> str:
    """Other numbers, misspelt words, a word too few, commas lost, lines in the wrong place."""
    lines = text.splitlines()
    return "\n".join(_slip(line, lines, rng) if rng.random() < 0.4 else line for line in lines)


def _slip(line: str, lines: list[str], rng: random.Random) -> str:
    kind = rng.random()
    words = line.split(" ")
    at = rng.randrange(len(words))
    if kind < 0.4:
        return re.sub(r"\d+", lambda found: str(max(0, int(found[0]) + rng.choice(SLIPS))), line)
    if kind < 0.75:
        gone = rng.randrange(len(words[at]) or 1)
        words[at] = words[at][:gone] + words[at][gone + 1 :] if len(words[at]) > 3 else words[at]
        return " ".join(words)
    if kind < 0.85:
        return " ".join([*words[:at], *words[at + 1 :]])
    return line.replace(",", "") if kind < 0.9 else rng.choice(lines)


def mended(text: str, found: Problem) -> tuple[str, range]:
    """The letter with the fix in place of the line, and where the fix stands; a header before the order stays."""
    lines = text.splitlines()
    written = clean(lines[found.line - 1])
    header = OWN_HEADER.match(written[: len(written) - len(found.text)])
    kept = [header[0]] if header else []
    fix, first = found.fix.splitlines(), found.line + len(kept)
    after = [*lines[: found.line - 1], *kept, *fix, *lines[max(found.line, found.until) :]]
    return "\n".join(after), range(first, first + len(fix))


def count_fixes(state: State, side: str, text: str) -> Counter[tuple[str, bool]]:
    """How many complaints have a fix, or lie under one, and how many none, by rule; every fix is put to the proof."""
    problems = [found for found in GAME.read_orders(state, side, text).problems if found.line]
    for found in problems:
        if found.fix:
            letter, own = mended(text, found)
            after = GAME.read_orders(state, side, letter)
            assert [again for again in after.problems if again.line in own] == [], found
            assert any(entry.line in own for entry in after.accepted), found
    covered = [range(found.line, max(found.line, found.until) + 1) for found in problems if found.fix]
    return Counter((found.rule, any(found.line in lines for lines in covered)) for found in problems)


def letters(state: State, side: str, number: int, count: int) -> Iterator[str]:
    rng = random.Random(f"{number} {side}")
    texts = [bot_text(state, side, number), random_sheet(GAME, state, side, KeyedDice(b"letter"))]
    for text in (text for text in texts if text.strip()):
        for _ in range(count):
            yield mutated(text, rng)


def total(states: list[State], count: int) -> Counter[tuple[str, bool]]:
    found: Counter[tuple[str, bool]] = Counter()
    for number, state in enumerate(states):
        for side in state.sides:
            for text in letters(state, side.id, number, count):
                found += count_fixes(state, side.id, text)
    return found

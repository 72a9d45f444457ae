"""Fixes: a line that a complaint names in place of another is accepted there without a word."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from games.broadsides import GAME
from games.broadsides.state import State
from pbem.kit.choices import random_sheet
from pbem.kit.dice import KeyedDice
from pbem.kit.sheet import Problem
from tests.games.broadsides.builders import complaint_state, problem, state_of, unit
from tests.games.broadsides.test_choices import EVERYTHING, bot_text, everything, played

SLIPS = (-3, -1, 1, 2, 5, 9)


def mutated(text: str, rng: random.Random) -> str:
    """Other numbers, misspelt words, lines in the wrong place."""
    lines = text.splitlines()
    return "\n".join(_slip(line, lines, rng) for line in lines)


def _slip(line: str, lines: list[str], rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.3:
        return re.sub(r"\d+", lambda found: str(max(0, int(found[0]) + rng.choice(SLIPS))), line)
    if kind < 0.45:
        words = line.split(" ")
        at = rng.randrange(len(words))
        gone = rng.randrange(len(words[at]) or 1)
        words[at] = words[at][:gone] + words[at][gone + 1 :] if len(words[at]) > 3 else words[at]
        return " ".join(words)
    return rng.choice(lines) if kind < 0.5 else line


def mended(text: str, found: Problem) -> str:
    """The letter with the fix in place of the line; a header before the order stays."""
    lines = text.splitlines()
    header, colon, _ = lines[found.line - 1].partition(":")
    kept = [f"{header}:"] if colon and " " not in header.strip() else []
    return "\n".join([*lines[: found.line - 1], *kept, *found.fix.splitlines(), *lines[found.line :]])


def assert_fixes_hold(state: State, side: str, text: str) -> int:
    fixes = [found for found in GAME.read_orders(state, side, text).problems if found.fix]
    for found in fixes:
        after = GAME.read_orders(state, side, mended(text, found))
        lines = set(found.fix.splitlines())
        complaints = [one.reason for one in after.problems if one.text in lines and one.unit == found.unit]
        assert complaints == [], f"{found.unit}: {found.text} -> {found.fix}"
        assert lines <= {entry.text for entry in after.accepted if entry.unit == found.unit}
    return len(fixes)


def battles() -> Iterator[State]:
    yield everything(phase="setup", turn=0, year=2261)
    yield everything()
    yield everything(phase="fire")
    yield complaint_state(switches=EVERYTHING)
    yield from played("border-incident", 4)[1:]


def letters(state: State, count: int) -> Iterator[str]:
    rng = random.Random(7)
    texts = [bot_text(state, "EA"), random_sheet(GAME, state, "EA", KeyedDice(b"letter"))]
    for number in range(count):
        yield mutated(texts[number % 2], rng)


def test_every_fix_is_accepted_where_it_is_put():
    proven = sum(assert_fixes_hold(state, "EA", text) for state in battles() for text in letters(state, 4))

    assert proven > 100


@pytest.mark.soak
def test_every_fix_of_many_letters_is_accepted():
    assert sum(assert_fixes_hold(state, "EA", text) for state in battles() for text in letters(state, 200)) > 1000


def fix_of(text: str, **fields: object) -> str:
    """The only fix of a letter in the battle of complaints."""
    found = problem(complaint_state(switches=EVERYTHING, **fields), "EA", text)
    assert isinstance(found, Problem)
    return found.fix


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        # Movement: the largest change, the same turn later, the length that fits, the way around.
        ("Ajax: speed +9", "speed 11"),
        ("Turner: speed +1", "speed 6"),
        ("Ajax: path F1 P F5", "path F3 P F3"),
        ("Resolute: path F5 DP F2", "path F5 DP F1"),
        ("Ajax: path F4", "path F6"),
        ("Rocky: path F2", "path F1 P F1"),
        ("Bold: speed +1", "pivot port 1\nspeed 7"),
        ("Ajax: pivot port 7", "pivot port 3"),
        ("Ajax: slide port 5", "slide port 3"),
        ("Ajax: snaproll yes", "roll"),
        ("Ajax: alt within 3 of Karn path F6", "path F6\nalt within 3 of Karn path F6"),
        ("Dover:\n path F6\n alt within -2 of Karn path F6", "alt within 0 of Karn path F6"),
        # Names and words.
        ("Ajax: fire CL1 at Karm", "fire CL1 at Karn"),
        ("Ajax: fire CLL* at Karn", "fire CL* at Karn"),
        ("Ajax: fire CL1 at Zzz", "fire CL1 at best-chance"),
        ("Ajax: fier CL1 at Karn", "fire CL1 at Karn"),
        ("Fleet: troops sread", "troops spread"),
        ("Ajax: fire CL1 at Karn else nerest", "fire CL1 at Karn else nearest"),
        # Fire and launches.
        ("Resolute: fire HL2,HL3 at Karn", "fire HL2 at Karn"),
        ("Resolute: fire HL3 at Karn", "fire HL1 at Karn"),
        ("Ajax: fire CL1 at Karn called middle", "fire CL1 at Karn"),
        ("Ajax: ballistic CL1 at Karn", "fire CL1 at Karn"),
        ("Dover: ballistic MR1 hevy at Karn", ""),
        ("Dover: ballistic MR1 heavy at Karn", "ballistic MR1 at Karn"),
        ("Ajax: hold below -3", "hold below 0"),
        ("Ajax: intercept CL1, INT1", "intercept INT1"),
        ("Dover: clear MR1, MP1", "clear MP1"),
        # Flights, pods and jumps.
        ("Red: attack Claw", "defend Claw"),
        ("Red: defend Karn", "attack Karn"),
        ("Red: attack Karn side prot", "attack Karn side port"),
        ("Red: attack Karn weapon HL9", "attack Karn weapon HL2"),
        ("Gold: speed 6", "launch from Resolute"),
        ("Gold: launch from Deep", "launch from Resolute"),
        ("Ajax: jump out", "jump with Resolute"),
        ("Deep: jump-in 3,3 facing 7", "jump-in 3,3 facing 1"),
        # Power.
        ("Gorger: battery PB1 to HPL1 20", "battery PB1 to HPL1 12"),
        ("Gorger: divert PB1 to HPL1", "battery PB1 to HPL1 12"),
    ],
)
def test_a_complaint_names_the_nearest_line_that_stands(text: str, fix: str) -> None:
    assert fix_of(text) == fix


@pytest.mark.rule("BR-SET-10", "BR-VAL-24", "BR-VAL-25", "BR-VAL-29")
def test_setup_lines_are_mended_to_the_nearest():
    state = state_of(
        unit("EA", "Dover", "Picket", (0, 0)),
        unit("EA", "Sentry", "Sentry", (5, 0)),
        unit("Narn", "Foe", "Lance", (0, -9)),
        turn=0,
        year=2261,
        start_speed=5,
        switches={"escort_rule": False},
        terrain={"large": [{"hexes": [[0, -3]]}]},
    )
    fixes = {
        "Dover: deploy 0,9 heading 0": "deploy 0,3 heading 0",
        "Dover: deploy 1,0 heading 3": "deploy 1,0 heading 5",
        "Dover: load MR1 standard 20": "load MR1 standard 12",
        "Dover: load MR1 heavy 6": "load MR1 standard 6",
        "Dover: upgrade sensors 3": "upgrade sensors 1",
        "Dover: upgrade snsors 1": "upgrade sensors 1",
        "Sentry: deploy 5,1 heading 0": "",
    }

    assert {text: problem(state, "EA", text).fix for text in fixes} == fixes


def test_a_hint_never_names_an_order_that_would_be_refused():
    """Weak has 5 thrust: no pivot and speed together, so the hint is what will be flown."""
    found = problem(complaint_state(), "EA", "Weak: speed -3")

    assert (found.fix, found.hint) == ("speed 5", "speed 5")
    assert problem(complaint_state(), "EA", "Red: pivot port 1").hint == "speed, path or chase"

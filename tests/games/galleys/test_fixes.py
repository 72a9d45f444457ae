"""Every line that a receipt offers in place of a refused one stands when it is sent back."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from games.galleys import GAME
from games.galleys.state import State
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import scenarios_of
from pbem.kit.sheet import Problem
from pbem.play.selfplay import play
from tests.games.galleys.builders import US, complaint, link, sea, ship

SCENARIOS = scenarios_of("galleys")
WILD_LINES = (
    "speed max",
    "speed fulll",
    "speed 6",
    "path F9",
    "path F3 S F2",
    "path S3 F1",
    "path F2 B",
    "path B",
    "path F1 T F1",
    "path F2 Q",
    "ramm nearest",
    "ram Nobody if reachable",
    "ram nearest soon",
    "rake best if reachable",
    "pass best",
    "grapple nearest",
    "anastrophe nearest left",
    "approach weakest now",
    "else path F9 S3",
    "else danse",
    "follow {enemy}",
    "follow {own}",
    "fire 9 at nearest",
    "fire 0 at {enemy}",
    "fire 1 at {enemy}, 8 at nearest",
    "fire at {enemy}, nearest, best, weakest, biggest",
    "disengage {enemy}",
    "hold ram below 140%",
    "hold ram 40",
    "hold fire below -3",
    "react missle",
    "target tallest",
    "board never ever",
    "activate {squadron}, {squadron}, Nobody",
    "sequence {own}, {own}, Nobody",
    "jettison",
    "flame at nearest",
)


def spoiled(state: State, side: str, text: str, chance: random.Random) -> str:
    """A bot's letter after a bad night: numbers changed, letters lost, lines swapped, wild lines put in."""
    own = [found.name for found in state.ships if found.side == side]
    enemy = [found.name for found in state.ships if found.side != side]
    squadron = [found.name for found in state.squadrons if found.side == side]
    lines = text.splitlines()
    for _ in range(3 + len(lines) // 6):
        at = chance.randrange(len(lines))
        kind = chance.randrange(5)
        if kind == 0:
            lines[at] = re.sub(r"\d", lambda _: str(chance.randrange(10)), lines[at])
        elif kind == 1 and not lines[at].endswith(":"):
            cut = chance.randrange(2, max(3, len(lines[at])))
            lines[at] = lines[at][:cut] + lines[at][cut + 1 :]
        elif kind == 2:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            wild = chance.choice(WILD_LINES)
            names = {"own": chance.choice(own), "enemy": chance.choice(enemy), "squadron": chance.choice(squadron)}
            lines.insert(at + 1, "  " + wild.format(**names))
    return "\n".join(lines) + "\n"


def sent_back(text: str, problem: Problem) -> tuple[str, range]:
    """The letter with the fix in place of the line, and the numbers of the lines it takes."""
    lines, new = text.splitlines(), problem.fix.splitlines()
    at = problem.line - 1
    header = re.match(r"\s*[^:#]{1,80}:(?=.*\S)", lines[at])
    head = [header[0]] if header else []
    lines[at : at + 1] = [*head, *new]
    first = problem.line + len(head)
    return "\n".join(lines) + "\n", range(first, first + len(new))


def untrue(state: State, side: str, text: str) -> Iterator[str]:
    """Fixes that draw a problem on their own lines, or are not taken up."""
    for problem in GAME.read_orders(state, side, text).problems:
        if not problem.fix:
            continue
        mended, numbers = sent_back(text, problem)
        sheet = GAME.read_orders(state, side, mended)
        complaints = [found for found in sheet.problems if found.line in numbers]
        standing = {entry.line for entry in sheet.accepted}
        wanted = {n for n, line in zip(numbers, problem.fix.splitlines(), strict=True) if not line.endswith(":")}
        if complaints or not wanted <= standing:
            yield f"{problem.rule} '{problem.text}' -> '{problem.fix}': {complaints} in\n{mended}"


def check_fixes(key: str, seeds: int, turns: int) -> set[str]:
    """The rules whose problems came with a fix."""
    rules = set()
    for played in islice(play(GAME, SCENARIOS[key], b"fixes"), turns):
        for side in played.sheets:
            bots = GAME.bot(GAME.view(played.before, side), KeyedDice(b"b"))
            for seed in range(seeds):
                text = spoiled(played.before, side, bots, random.Random(f"{key} {seed} {played.before.turn} {side}"))
                assert list(untrue(played.before, side, text)) == []
                problems = GAME.read_orders(played.before, side, text).problems
                rules |= {problem.rule for problem in problems if problem.fix}
    return rules


@pytest.mark.parametrize("key", SCENARIOS)
def test_every_fix_is_true(key: str) -> None:
    rules = check_fixes(key, 3, 5)

    assert rules >= {"GA-VAL-1", "GA-VAL-10", "GA-VAL-11", "GA-VAL-21", "GA-VAL-22", "GA-VAL-28"}


@pytest.mark.soak
@pytest.mark.parametrize("key", SCENARIOS)
def test_every_fix_is_true_on_many_letters(key: str) -> None:
    check_fixes(key, 25, 20)


def battle(**ajax: object) -> State:
    """Ajax of Owls with towers, held by nobody; Bias close by; the enemy has Thetis and Nysa."""
    return sea(
        [ship("Ajax", "hexeres", "10,10/0", **ajax), ship("Bias", "liburnian", "14,10/0")],
        [ship("Thetis", "trireme", "10,30/0"), ship("Nysa", "hexeres", "14,30/0")],
    )


@pytest.mark.rule("GA-VAL-1", "GA-VAL-8", "GA-VAL-10", "GA-VAL-11", "GA-VAL-12", "GA-VAL-20", "GA-VAL-22", "GA-VAL-31")
@pytest.mark.parametrize(
    ("line", "rule", "fix"),
    [
        ("rma Thetis", "GA-VAL-1", "ram Thetis"),
        ("speed fulll", "GA-VAL-1", "speed full"),
        ("ram Thetis soon", "GA-VAL-1", "ram Thetis"),
        ("path F2 X", "GA-VAL-1", "path F2"),
        ("hold ram 40", "GA-VAL-1", "hold ram below 40"),
        ("speed max", "GA-VAL-8", "speed full"),
        ("path F9", "GA-VAL-10", "path F3"),
        ("path F1 S2 F1", "GA-VAL-11", "path F1 S"),
        ("path B", "GA-VAL-12", "speed half\npath B"),
        ("path F2 B", "GA-VAL-12", "path F2"),
        ("speed full\n  grapple Thetis", "GA-VAL-20", "speed cruise\ngrapple Thetis"),
        ("ram Thetys", "GA-VAL-21", "ram Thetis"),
        ("ram Bias", "GA-VAL-21", "ram nearest"),
        ("fire 9 at Thetis", "GA-VAL-22", "fire 3 at Thetis"),
        ("fire 2 at Thetis, 8 at Nysa", "GA-VAL-22", "fire 2 at Thetis, 1 at Nysa"),
        ("hold fire below 140%", "GA-VAL-28", "hold fire below 100%"),
        ("follow Thetis", "GA-VAL-31", "approach Thetis"),
        ("follow Ajax", "GA-VAL-31", "follow Bias"),
        ("sequence Bias, Ajax", "GA-VAL-35", "Owls: sequence Bias, Ajax\nAjax:"),
    ],
)
def test_the_nearest_line_that_would_stand(line: str, rule: str, fix: str) -> None:
    """A hexeres at Cruise has 3 MP and, with 6 marines, 3 missile points."""
    found = complaint(battle(last_level="half"), f"Ajax:\n  {line}", rule)

    assert found.fix == fix


@pytest.mark.rule("GA-VAL-9", "GA-VAL-14", "GA-VAL-15", "GA-VAL-26", "GA-VAL-34", "GA-VAL-5", "GA-VAL-7")
@pytest.mark.parametrize(
    ("ajax", "letter", "rule", "fix"),
    [
        ({"fatigue": 1}, "Ajax: speed full", "GA-VAL-9", "speed cruise"),
        ({"rammed": True}, "Ajax: path F1", "GA-VAL-14", "hold"),
        ({"rammed": True}, "Ajax: else path F1", "GA-VAL-14", "else hold"),
        ({"doctrines": {"disengage": "never"}}, "Ajax: path F1", "GA-VAL-15", "path F1\ndisengage"),
        ({}, "Ajax: disengage Nysa", "GA-VAL-26", "disengage Thetis"),
        ({}, "hold", "GA-VAL-34", "Fleet: hold"),
        ({}, "Fleet: activate Owls, Ravens", "GA-VAL-5", "activate Owls"),
        ({}, "Owls: sequence Nobody", "GA-VAL-7", "sequence Ajax"),
    ],
)
def test_what_the_ship_can_do_instead(ajax: dict[str, object], letter: str, rule: str, fix: str) -> None:
    state = sea(
        [ship("Ajax", "hexeres", "10,10/0", **ajax)],
        [ship("Thetis", "trireme", "11,10/0"), ship("Nysa", "hexeres", "14,30/0")],
        links=[link("Ajax", "Thetis")],
    )

    assert complaint(state, letter, rule).fix == fix


def test_a_fix_that_would_be_refused_is_not_named() -> None:
    """A burning ship is capped at Half, so no speed line would let her grapple; an exhausted one rams at none."""
    assert complaint(battle(fire=1), "Ajax: grapple Thetis", "GA-VAL-20").fix == ""
    assert complaint(battle(fatigue=3), "Ajax: ram Thetis", "GA-VAL-16").fix == ""


def test_a_line_of_many_ships_has_a_fix_that_suits_them_all() -> None:
    """GA-VAL-10: Bias could row F4 at Cruise; Ajax has 3 MP and owes 2 of them to Avoidance."""
    state = sea([ship("Ajax", "hexeres", "10,10/0", debt=2), ship("Bias", "liburnian", "14,10/0")])

    assert complaint(state, "Fleet: path F9", "GA-VAL-10", US).fix == "path F1"

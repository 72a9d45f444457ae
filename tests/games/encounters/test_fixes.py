"""A refused line names one that would be accepted in its place, and that is true whenever it is said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from games.encounters import GAME
from games.encounters.orders.fixes import put_in_place
from games.encounters.state import State
from pbem.kit.choices import random_sheet
from pbem.kit.dice import KeyedDice
from tests.games.encounters.builders import force, readiness, situation, start, unit
from tests.games.encounters.test_choices import battle_corpus, moments, strategic_corpus


def mutants(text: str) -> Iterator[str]:
    """A letter with one number changed, one word misspelt, two lines exchanged, or one line written twice."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        others = lines[:number], lines[number + 1 :]
        for digits in re.finditer(r"\b\d+\b", line):
            for other in ("0", str(int(digits[0]) + 9)):
                yield "\n".join([*others[0], line[: digits.start()] + other + line[digits.end() :], *others[1]])
        words = line.split(" ")
        for at, word in enumerate(words):
            if len(word) > 3:
                yield "\n".join(
                    [*others[0], " ".join([*words[:at], word[:2] + word[3:], *words[at + 1 :]]), *others[1]]
                )
        yield "\n".join([*others[0], line, line, *others[1]])
        if number:
            yield "\n".join([*lines[: number - 1], line, lines[number - 1], *others[1]])


def count_fixes(state: State, side: str, text: str, every: int, counts: Counter[bool]) -> None:
    for letter in list(mutants(text))[::every]:
        for problem in GAME.read_orders(state, side, letter).problems:
            counts[bool(problem.fix)] += 1
            if problem.fix:
                mended = put_in_place(letter, problem, problem.fix)
                assert mended is not None
                left = GAME.read_orders(state, side, mended).problems
                assert [again for again in left if again.line == problem.line] == [], problem


@pytest.mark.parametrize(("key", "every"), [("altair-gap", 4), ("rift-war", 30)])
def test_every_fix_is_true(key: str, every: int) -> None:
    counts: Counter[bool] = Counter()
    for state, texts in moments(key, "fixes", 6):
        for side, text in sorted(texts.items()):
            count_fixes(state, side, text, every, counts)
            chance = random_sheet(GAME, state, side, KeyedDice(f"{state.turn} {state.phase}".encode()))
            count_fixes(state, side, chance, every, counts)

    assert counts[True] > counts[False]


@pytest.mark.soak
def test_every_fix_is_true_in_the_largest_scenario() -> None:
    counts: Counter[bool] = Counter()
    for state, texts in moments("eight-thrones", "fixes", 9):
        for side, text in sorted(texts.items()):
            count_fixes(state, side, text, 1, counts)

    assert counts[True] > counts[False]


def fix_of(state: State, text: str) -> str:
    problems = GAME.read_orders(state, "AUR", text).problems
    assert len(problems) == 1, problems
    return problems[0].fix


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        pytest.param("build 3 Lance at Vega", "build 1 Lance at Vega", marks=pytest.mark.rule("EN-VAL-6")),
        pytest.param("build 30 Line at Vega", "build 12 Line at Vega", marks=pytest.mark.rule("EN-VAL-8")),
        pytest.param("build Line at Altair", "build 1 Line at Vega", marks=pytest.mark.rule("EN-VAL-9")),
        pytest.param("bild Line at Vega", "build Line at Vega", marks=pytest.mark.rule("EN-VAL-1")),
        pytest.param("build Lanse at Vega", "build Lance at Vega", marks=pytest.mark.rule("EN-VAL-2")),
        pytest.param("intel buy 7 at Vega", "intel buy 3 at Vega", marks=pytest.mark.rule("EN-VAL-19")),
        pytest.param("intel spend 9 at Vega", "intel spend 2 at Vega", marks=pytest.mark.rule("EN-VAL-19")),
        pytest.param("research Escort 500", "research Escort 52", marks=pytest.mark.rule("EN-VAL-5")),
        pytest.param("research Escort 0", "research Escort 1", marks=pytest.mark.rule("EN-VAL-36")),
        pytest.param("invest prod at Vega", "invest mor at Vega", marks=pytest.mark.rule("EN-VAL-20")),
        pytest.param("cancel Lance at Vega", "cancel Bulwark at Vega", marks=pytest.mark.rule("EN-VAL-2")),
        pytest.param("rename Ajax to Lynx", "rename Ajax to Lynx 2", marks=pytest.mark.rule("EN-VAL-37")),
        pytest.param("First Fleet: move Altair, Rigel, Deneb", "move Deneb", marks=pytest.mark.rule("EN-VAL-14")),
        pytest.param("First Fleet: move Altair, Rigel, Altair", "move Altair", marks=pytest.mark.rule("EN-VAL-14")),
        pytest.param("First Fleet: move Rigel", "move Altair, Rigel", marks=pytest.mark.rule("EN-VAL-13")),
        pytest.param("Frist Fleet: move Altair", "First Fleet: move Altair", marks=pytest.mark.rule("EN-VAL-2")),
        pytest.param("repair Argus, Ajax", "repair Argus", marks=pytest.mark.rule("EN-VAL-16")),
        pytest.param("doctrine retreat losses 0", "doctrine retreat losses 50", marks=pytest.mark.rule("EN-VAL-36")),
        pytest.param("doctrine absorb cheapfirst", "doctrine absorb cheap-first", marks=pytest.mark.rule("EN-VAL-1")),
    ],
)
def test_strategic_lines(text: str, fix: str) -> None:
    problems = GAME.read_orders(strategic_corpus(), "AUR", text).problems

    assert problems[0].fix == fix


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        pytest.param("rounds 9", "rounds 3", marks=pytest.mark.rule("EN-VAL-27")),
        pytest.param("retreat to Rigel", "retreat to Altair", marks=pytest.mark.rule("EN-VAL-35")),
        pytest.param("direct ships at Zorg", "direct ships at biggest", marks=pytest.mark.rule("EN-VAL-28")),
        pytest.param("flagship Atlass", "flagship Atlas", marks=pytest.mark.rule("EN-VAL-2")),
        pytest.param("flagship Wing", "flagship Hood", marks=pytest.mark.rule("EN-VAL-21")),
        pytest.param("flagship Fort", "flagship Fort\nstation Fort", marks=pytest.mark.rule("EN-VAL-21")),
        pytest.param(
            "squadron Red = Hood, Ajax, Lynx", "squadron Red = Hood, Ajax", marks=pytest.mark.rule("EN-VAL-23")
        ),
        pytest.param("squadron Home = Hood", "squadron Home Squadron = Hood", marks=pytest.mark.rule("EN-VAL-37")),
        pytest.param("Wing: mission firecontrol", "mission engage", marks=pytest.mark.rule("EN-VAL-26")),
        pytest.param("Hood: lower biggest 7", "lower biggest 4", marks=pytest.mark.rule("EN-VAL-33")),
    ],
)
def test_battle_lines(text: str, fix: str) -> None:
    assert fix_of(battle_corpus(), text) == fix


@pytest.mark.rule("EN-VAL-30")
@pytest.mark.rule("EN-VAL-31")
def test_ground_lines() -> None:
    here = situation(
        force("AUR", "Altair", "Mule Atlas: Line 1st Line"), force("KOR", "Altair", "Lance Dagh"),
        unit("KOR", "Altair", "Line", "Guard", landed=True), readiness("Altair", AUR_KOR="total = 9"), phase="ground",
    )  # fmt: skip

    assert fix_of(start(here), "assault") == "invade"
    assert fix_of(battle_corpus("ground"), "bombard strike prod") == "bombard support"
    assert fix_of(start(here), "bombard support\nbombard none") == "bombard support"


def test_a_letter_of_nonsense_costs_no_more_than_a_few_readings() -> None:
    """Proofs are bounded: the last of many bad lines has no fix, and the letter is still read."""
    sheet = GAME.read_orders(strategic_corpus(), "AUR", "\n".join(["bild Line at Vega"] * 100))

    assert len(sheet.problems) == 100
    assert sheet.problems[0].fix == "build Line at Vega"
    assert sheet.problems[-1].fix == ""

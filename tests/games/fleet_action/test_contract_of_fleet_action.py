"""The laws every game keeps: whole games, JSON, hash seeds, order forms, and every rule of the book tested."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from games.fleet_action import GAME
from games.fleet_action.rules.telling import KINDS
from games.fleet_action.state import State
from pbem.kit import codec
from pbem.kit.dice import KeyedDice, LoadedDice
from pbem.kit.scenario import scenarios_of

SCENARIOS = scenarios_of("fleet_action")
HERE = Path(__file__).parent


def run(key: str, seed: str, most: int = 40) -> tuple[State, set[str]]:
    """A whole game of bots; every phase is checked."""
    state = GAME.setup(SCENARIOS[key], KeyedDice(b"setup"))
    kinds: set[str] = set()
    for number in range(most):
        if GAME.phase(state) is None:
            break
        sheets = {}
        for side in GAME.sides(state):
            text = GAME.bot(GAME.view(state, side.id), KeyedDice(f"{seed} bot {number} {side.id}".encode()))
            sheets[side.id] = GAME.read_orders(state, side.id, text)
            assert sheets[side.id].problems == (), (text, sheets[side.id].problems)
        resolution = GAME.resolve(state, sheets, KeyedDice(f"{seed} {number}".encode()))
        assert codec.same(resolution.state) == resolution.state
        kinds |= {event.kind for event in resolution.events}
        state = resolution.state
    return state, kinds


@pytest.mark.parametrize("key", ["border-incident", "ragesh-approaches", "the-long-line"])
def test_bots_play_to_the_end(key):
    """By the limit of turns there is an outcome, and only known kinds of events happened."""
    state, kinds = run(key, "first")
    assert GAME.outcome(state) is not None
    assert kinds <= set(KINDS)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("key", ["border-incident", "ragesh-approaches"])
def test_bots_play_many_games(key, seed):
    """More seeds of the same."""
    assert GAME.outcome(run(key, f"soak {seed}")[0]) is not None


@pytest.mark.parametrize("key", list(SCENARIOS))
def test_the_order_form_reads_back_without_problems(key):
    """In every phase of the opening, for every side."""
    state = GAME.setup(SCENARIOS[key], LoadedDice())
    for number in range(4):
        for side in GAME.sides(state):
            view = GAME.view(state, side.id)
            assert GAME.read_orders(state, side.id, GAME.template(view)).problems == ()
            codec.encode(view)
        state = GAME.resolve(state, {}, KeyedDice(str(number).encode())).state


def test_the_same_bytes_under_any_hash_seed():
    """Two turns of the standard scenario in two processes."""
    script = (
        "import hashlib;from games.fleet_action import GAME;from pbem.kit.scenario import scenarios_of;"
        "from pbem.kit.dice import KeyedDice;from pbem.kit import codec;"
        "s=GAME.setup(scenarios_of('fleet_action')['ragesh-approaches'],KeyedDice(b'x'));out=[]\n"
        "for n in range(5):\n"
        "    t={i.id:GAME.read_orders(s,i.id,GAME.bot(GAME.view(s,i.id),KeyedDice(b'b'))) for i in GAME.sides(s)}\n"
        "    r=GAME.resolve(s,t,KeyedDice(b'%d' % n));s=r.state;out.append(codec.encode(r))\n"
        "print(hashlib.sha256(''.join(out).encode()).hexdigest())"
    )
    root = HERE.parents[2]
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
            cwd=root,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


# --- the book --------------------------------------------------------------------------------------------------------


def test_every_rule_of_the_book_is_tested():
    """Each numbered rule is named by a marker in this folder."""
    book = (resources.files("games.fleet_action") / "rules.md").read_text(encoding="utf-8")
    rules = set(re.findall(r"\*\*(FA-[A-Z]+-\d+)\*\*", book))
    marked: set[str] = set()
    for path in sorted(HERE.glob("test_*.py")):
        for marker in re.findall(r"mark\.rule\(([^)]*)\)", path.read_text(encoding="utf-8")):
            marked |= set(re.findall(r"FA-[A-Z]+-\d+", marker))
    assert sorted(rules - marked) == []

"""Law 1, rules are pure: the same values give the same bytes, and nothing that goes in is changed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from pbem.kit.checks.sample import Sample
from pbem.kit.codec import encode, plain, same
from pbem.kit.dice import KeyedDice
from pbem.kit.sheet import Sheet
from pbem.play.digest import Question
from pbem.play.phase import Played

HASH_SEEDS = ("0", "1", "4242")
HASHED_PHASES = 4


def states_survive_json(at: Sample) -> None:
    """A campaign keeps its states as JSON between two phases."""
    for where, played in at.moments():
        assert same(played.after) == played.after, f"{where}: the state is another after a trip through JSON"


def resolving_is_pure(at: Sample) -> None:
    """Resolving changes none of its inputs, gives the same twice, and the same from a stored state."""
    for where, played in at.moments():
        # Fresh values, as the ones of the sample have been through the rules already.
        before, sheets = same(played.before), sheets_of(at, played)
        given = encode([before, sheets])
        first = resolved(at, before, sheets)
        assert encode([before, sheets]) == given, f"{where}: resolve changed its inputs"
        assert resolved(at, before, sheets) == first, f"{where}: resolving twice gives two results"
        found = resolved(at, played.before, sheets)
        assert found == first, f"{where}: a state read back from JSON is resolved otherwise"


def sheets_of(at: Sample, played: Played) -> dict[str, Sheet[Any]]:
    return {side: at.game.read_orders(played.before, side, text) for side, text in played.texts.items()}


def resolved(at: Sample, before: Any, sheets: Mapping[str, Sheet[Any]]) -> str:
    dice = KeyedDice(at.seed.encode())
    made = at.game.resolve(before, sheets, dice)
    return encode([made.state, made.events, dice.rolls])


def looking_changes_nothing(at: Sample) -> None:
    """Questions about a state leave it alone and have one answer."""
    for where, played in at.moments():
        given = encode(played.before)
        for side in at.sides(played):
            first, second = looked(at, played, side), looked(at, played, side)
            assert first == second, f"{where}: asked twice, {side} gets two answers"
        assert encode(played.before) == given, f"{where}: a view, form, map or bot changed the state"


def looked(at: Sample, played: Played, side: str) -> str:
    game, before = at.game, played.before
    view = game.view(before, side)
    drawn = plain([game.scene(view, ()), game.forecast(view, played.sheets[side])])
    asked = [game.template(view), game.bot(view, KeyedDice(b"look"))] if side in played.phase.sides else []
    facts = [plain(game.gauges(view)), sorted(game.secrets(before, side)), game.units(before, side)]
    return encode([plain(view), drawn, asked, facts, plain(game.sides(before)), plain(game.phase(before))])


def the_hash_seed_does_not_matter(at: Sample) -> None:
    """Sets have no order that is the same on every machine; a rule that loops over one gives itself away."""
    digests = {seed: digest_under(at, seed) for seed in HASH_SEEDS}
    assert len(set(digests.values())) == 1, (
        f"{at}: the result depends on PYTHONHASHSEED; somewhere a loop follows the order of a set: {digests}"
    )


def digest_under(at: Sample, seed: str) -> str:
    question = encode(Question(at.game.slug, at.scenario, at.seed, HASHED_PHASES))
    script = "import sys; from pbem.play.digest import answered; print(answered(sys.stdin.read()))"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    # We run ourselves, with the game's own name for an argument.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], env=environment, input=question, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{at}: fails in a process of its own:\n{done.stderr}"
    return done.stdout.strip()

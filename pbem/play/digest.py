"""A battle of bots in one figure, so that two processes can tell whether they played the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice

from games import game
from pbem.kit.codec import decode, encode, plain
from pbem.kit.scenario import Scenario
from pbem.play.selfplay import play


@dataclass(frozen=True)
class Question:
    """Which battle; goes to another process as JSON."""

    game: str
    scenario: Scenario
    seed: str
    phases: int


def answered(question: str) -> str:
    """The digest of every state, event, view and roll of the battle that an encoded question names."""
    asked = decode(Question, question)
    rules, digest = game(asked.game), hashlib.sha256()
    for played in islice(play(rules, asked.scenario, asked.seed.encode()), asked.phases):
        views = [plain(rules.view(played.after, info.id)) for info in rules.sides(played.after)]
        digest.update(encode([played.after, played.events, views, played.dice.rolls]).encode())
    return digest.hexdigest()

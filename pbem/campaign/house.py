"""What the desk and the turns of one host share: its store, its pen, its address, its games."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

import games
from games import AnyGame
from pbem.letters.pen import Pen
from pbem.post.gate import Policy
from pbem.store.store import Store

SECRET_BYTES = 32
"""How long a secret is that nobody can guess."""
ANSWERS_AT_ONCE = 200
"""How many letters of one sender are answered in a burst; the rest is handled without an answer."""
ANSWERS_AN_HOUR = 60
"""How fast a sender earns new answers."""


@dataclass(frozen=True)
class House:
    """One host of campaigns."""

    store: Store
    pen: Pen
    address: str
    """The robot's own address; replies come back to ``local+TOKEN@domain``."""
    moderator: str = ""
    """Who is told when something goes wrong that belongs to no campaign."""
    games: Callable[[str], AnyGame] = games.game
    fresh: Callable[[int], bytes] = secrets.token_bytes
    """So many bytes that nobody can guess."""
    policy: Policy = field(default_factory=Policy)
    """How strict the gate is."""
    answers_at_once: int = ANSWERS_AT_ONCE
    answers_an_hour: float = ANSWERS_AN_HOUR

    @property
    def local(self) -> str:
        return self.address.rpartition("@")[0]

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

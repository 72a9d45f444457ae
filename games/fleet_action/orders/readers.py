"""What an order word is: who may be given it, in which phases, and how the words behind it are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.fleet_action.orders.records import Order
from games.fleet_action.orders.words import Words

Reader = Callable[[Words], Order]
"""Makes an order of the words behind its verb; what it leaves over is complained about."""
MOVING = ("turn", "reaction")


@dataclass(frozen=True)
class Verb:
    """An order word."""

    kinds: tuple[str, ...]
    """Whom it is given to: squadron, ship, flight, fleet."""
    read: Reader
    usage: str
    standing: bool = False
    """FA-DOC-7: it may stay in force."""
    stages: tuple[str, ...] = ("turn",)
    single: bool = False
    """FA-E-30: given twice, the last counts."""


def reads(kind: Callable[..., Order], *parts: Callable[[Words], object]) -> Reader:
    """The reader of an order that is made of its unit and these parts, in the order they are written."""
    return lambda words: kind(words.line.unit, *(part(words) for part in parts))

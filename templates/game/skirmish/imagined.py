"""A battle that a view could come from."""

from __future__ import annotations

from pbem.kit.dice import Dice

from skirmish.state import State
from skirmish.view import View


def imagined(view: View, dice: Dice) -> State:  # noqa: ARG001  nothing is hidden, so there is nothing to draw
    """The battle itself, as all is seen on an open sea. A game with fog draws what it hides from the dice."""
    return view.battle

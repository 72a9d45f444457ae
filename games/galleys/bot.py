"""A simple opponent: strikes what is within reach, keeps its rowers fresh, boards where it is stronger.

Legal by construction: it orders a ship only what its state allows, and leaves the choice of target to the intents.
"""

from __future__ import annotations

from games.galleys.view import ShipView, SquadronView, View
from pbem.kit.dice import Dice

FAR = 99
STRIKING_RANGE = 7
"""Within this many hexes of an enemy a fresh crew goes to full speed."""
GRAPPLE_RANGE = 4
MARINES_TO_BOARD = 3
RAM_IS_WORTH = 40


def bot(known: View, dice: Dice) -> str:  # noqa: ARG001 - this opponent leaves nothing to chance
    """Order text for the open turn."""
    present = [
        squadron
        for squadron in known.squadrons
        if squadron.side == known.side and any(ship.squadron == squadron.name for ship in known.own())
    ]
    order = sorted(present, key=lambda squadron: (_nearest_of(known, squadron), squadron.name))
    if not order:
        return ""
    lines = ["Fleet:", f"  activate {', '.join(squadron.name for squadron in order)}"]
    if known.turn == 1:
        lines += [f"  hold ram below {RAM_IS_WORTH}%", "  target best", "  board if stronger"]
    for squadron in order:
        if not squadron.routed:
            lines += _squadron_orders(known, squadron)
    return "\n".join(lines) + "\n"


def _squadron_orders(known: View, squadron: SquadronView) -> list[str]:
    """Ships nearest to the enemy act first, so that those behind find room."""
    ships = sorted(
        (ship for ship in known.own() if ship.squadron == squadron.name),
        key=lambda ship: (_nearest(known, ship), ship.roster),
    )
    lines = [f"{squadron.name}:", f"  sequence {', '.join(ship.name for ship in ships)}"]
    for ship in ships:
        lines += [f"{ship.name}:", *(f"  {line}" for line in _ship_orders(known, ship))]
    return lines


def _ship_orders(known: View, ship: ShipView) -> list[str]:
    """What one ship should do."""
    if ship.rammed or not ship.speeds:
        return ["hold"]
    if _should_flee(known, ship):
        return [f"speed {_slower(ship, 'cruise')}", "withdraw"]
    if ship.crippled or ship.fire or ship.prize:
        return ["speed half", "hold"]
    if ship.held_by and not _cuts_loose(known, ship):
        return ["hold"]
    if ship.fatigue:
        return _tired_orders(known, ship)
    return _fresh_orders(known, ship)


def _cuts_loose(known: View, ship: ShipView) -> bool:
    """GA-ORD-11: by default a ship that is not the stronger breaks off; the marines of linked ships can be counted."""
    holders = (known.ship(name).marines for name in ship.held_by)
    against = sum(marines for marines in holders if isinstance(marines, int))
    return isinstance(ship.marines, int) and ship.marines <= against


def _should_flee(known: View, ship: ShipView) -> bool:
    """Prizes, transports and ships that may escape unscored make for the exit edge."""
    if ship.held_by:
        return False
    klass = known.classes[ship.ship_class]
    harmless = not klass.ram and not klass.missile
    return ship.prize or harmless or (ship.squadron in known.switches.escape_squadrons and _is_losing(known))


def _is_losing(known: View) -> bool:
    own = next(side for side in known.sides if side.name == known.side)
    return 2 * 100 * own.lost_points >= own.break_percent * own.start_points


def _tired_orders(known: View, ship: ShipView) -> list[str]:
    """A tired crew rests, unless it is strong enough to grapple somebody near."""
    near = _nearest(known, ship)
    if "cruise" in ship.speeds and near <= GRAPPLE_RANGE and _is_strong(ship):
        return ["speed cruise", "grapple weakest", "else hold"]
    return ["hold"]


def _is_strong(ship: ShipView) -> bool:
    return isinstance(ship.marines, int) and ship.marines >= MARINES_TO_BOARD


def _fresh_orders(known: View, ship: ShipView) -> list[str]:
    near = _nearest(known, ship)
    if near > STRIKING_RANGE:
        return ["speed cruise", "approach nearest"]
    level = _striking_level(known, ship)
    lines = [f"speed {level}"]
    if level == "max":
        lines.append("anastrophe nearest")
    lines.append("ram best if reachable" if ship.ram else "rake best if reachable")
    if ship.ram:
        lines.append("rake best if reachable")
    if level == "max":
        lines.append("pass best if reachable")
    if level == "cruise" and _is_strong(ship):
        lines.append("grapple weakest")
    return [*lines, "else approach nearest"]


def _striking_level(known: View, ship: ShipView) -> str:
    """Maximum for a picked crew bow to bow, Cruise for marines who want to board, else Full."""
    klass = known.classes[ship.ship_class]
    if ship.star and ship.ram and not ship.held_by and "max" in ship.speeds and _faces_a_bow(known, ship):
        return "max"
    boarder = ship.corvus or (klass.marines >= 2 * MARINES_TO_BOARD and _nearest(known, ship) <= GRAPPLE_RANGE)
    return _slower(ship, "cruise" if boarder else "full")


def _slower(ship: ShipView, level: str) -> str:
    """The level, or the highest one below it that may be ordered."""
    order = ("half", "cruise", "full", "max")
    allowed = [word for word in order if word in ship.speeds and order.index(word) <= order.index(level)]
    return allowed[-1]


def _faces_a_bow(known: View, ship: ShipView) -> bool:
    """GA-ANA-2: an enemy comes bow-on within two hexes."""
    return any(enemy.facing == (ship.facing + 3) % 6 and _steps(ship.bow, enemy.bow) <= 2 for enemy in known.enemies())


# --- distances -------------------------------------------------------------------------------------------------------


def _nearest_of(known: View, squadron: SquadronView) -> int:
    return min(_nearest(known, ship) for ship in known.own() if ship.squadron == squadron.name)


def _nearest(known: View, ship: ShipView) -> int:
    return min((_apart(ship, enemy) for enemy in known.enemies()), default=FAR)


def _apart(a: ShipView, b: ShipView) -> int:
    return min(_steps(one, other) for one in (a.bow, a.stern) for other in (b.bow, b.stern))


def _steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return (abs(q) + abs(r) + abs(q + r)) // 2

"""A simple opponent: strikes what is within reach, keeps its rowers fresh, boards where it is stronger.

Legal by construction: it orders a ship only what its state allows, and leaves the choice of target to the intents.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.galleys.rules.geometry import ASTERN, ships_apart
from games.galleys.state import LEVELS, Level, Ship, Squadron
from games.galleys.view import View
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import distance

FAR = 99
STRIKING_RANGE = 7
"""Within this many hexes of an enemy a fresh crew goes to full speed."""
GRAPPLE_RANGE = 4
MARINES_TO_BOARD = 3
RAM_IS_WORTH = 40


def bot(view: View, dice: Dice) -> str:  # noqa: ARG001 - this opponent leaves nothing to chance
    """Order text for the open turn."""
    order = sorted(view.own_squadrons(), key=lambda squadron: (_nearest_of(view, squadron), squadron.name))
    if not order:
        return ""
    lines = ["Fleet:", f"  activate {', '.join(squadron.name for squadron in order)}"]
    if view.turn == 1:
        lines += [f"  hold ram below {RAM_IS_WORTH}%", "  target best", "  board if stronger"]
    for squadron in order:
        if not squadron.routed:
            lines += _squadron_orders(view, squadron)
    return "\n".join(lines) + "\n"


def _squadron_orders(view: View, squadron: Squadron) -> list[str]:
    """Ships nearest to the enemy act first, so that those behind find room."""
    ships = sorted(
        (ship for ship in view.own() if ship.squadron == squadron.name),
        key=lambda ship: (_nearest(view, ship), ship.roster),
    )
    lines = [f"{squadron.name}:", f"  sequence {', '.join(ship.name for ship in ships)}"]
    for ship in ships:
        lines += [f"{ship.name}:", *(f"  {line}" for line in _ship_orders(view, ship))]
    return lines


def _ship_orders(view: View, ship: Ship) -> list[str]:
    """What one ship should do."""
    if ship.rammed or not _speeds(view, ship):
        return ["hold"]
    if _should_flee(view, ship):
        return [f"speed {_slower(view, ship, 'cruise')}", "withdraw"]
    if ship.crippled or ship.fire or ship.prize:
        return ["speed half", "hold"]
    if view.partners(ship.name) and not _cuts_loose(view, ship):
        return ["hold"]
    if ship.fatigue:
        return _tired_orders(view, ship)
    return _fresh_orders(view, ship)


def _cuts_loose(view: View, ship: Ship) -> bool:
    """GA-ORD-11: by default a ship that is not the stronger breaks off; the marines of linked ships can be counted."""
    holders = (view.figures[name].marines for name in view.partners(ship.name))
    return ship.marines <= sum(marines for marines in holders if isinstance(marines, int))


def _should_flee(view: View, ship: Ship) -> bool:
    """Prizes, transports and ships that may escape unscored make for the exit edge."""
    if view.partners(ship.name):
        return False
    klass = view.class_of(ship)
    harmless = not klass.ram and not klass.missile
    return ship.prize or harmless or (ship.squadron in view.switches.escape_squadrons and _is_losing(view))


def _is_losing(view: View) -> bool:
    own = view.own_fleet()
    return own is not None and 2 * 100 * view.lost[own.name] >= own.break_percent * own.start_points


def _tired_orders(view: View, ship: Ship) -> list[str]:
    """A tired crew rests, unless it is strong enough to grapple somebody near."""
    near = _nearest(view, ship)
    if "cruise" in _speeds(view, ship) and near <= GRAPPLE_RANGE and _is_strong(ship):
        return ["speed cruise", "grapple weakest", "else hold"]
    return ["hold"]


def _is_strong(ship: Ship) -> bool:
    return ship.marines >= MARINES_TO_BOARD


def _fresh_orders(view: View, ship: Ship) -> list[str]:
    near = _nearest(view, ship)
    if near > STRIKING_RANGE:
        return ["speed cruise", "approach nearest"]
    level = _striking_level(view, ship)
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


def _striking_level(view: View, ship: Ship) -> str:
    """Maximum for a picked crew bow to bow, Cruise for marines who want to board, else Full."""
    picked = ship.star and ship.ram and not view.partners(ship.name) and "max" in _speeds(view, ship)
    if picked and _faces_a_bow(view, ship):
        return "max"
    strong = view.class_of(ship).marines >= 2 * MARINES_TO_BOARD
    boarder = ship.corvus or (strong and _nearest(view, ship) <= GRAPPLE_RANGE)
    return _slower(view, ship, "cruise" if boarder else "full")


def _speeds(view: View, ship: Ship) -> Mapping[str, int]:
    return view.figures[ship.name].speeds


def _slower(view: View, ship: Ship, level: str) -> str:
    """The level, or the highest one below it that may be ordered."""
    allowed = [word for word in LEVELS[: Level(level).rank + 1] if word in _speeds(view, ship)]
    return allowed[-1]


def _faces_a_bow(view: View, ship: Ship) -> bool:
    """GA-ANA-2: an enemy comes bow-on within two hexes."""
    towards = (ship.facing + ASTERN) % 6
    return any(enemy.facing == towards and distance(ship.bow, enemy.bow) <= 2 for enemy in view.enemies())


# --- distances -------------------------------------------------------------------------------------------------------


def _nearest_of(view: View, squadron: Squadron) -> int:
    return min(_nearest(view, ship) for ship in view.own() if ship.squadron == squadron.name)


def _nearest(view: View, ship: Ship) -> int:
    hull = view.hull(ship)
    return min((ships_apart(hull, view.hull(enemy)) for enemy in view.enemies()), default=FAR)

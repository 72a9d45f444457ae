"""Speed levels, caps, wind and movement points (GA-SPD, GA-WND-1)."""

from __future__ import annotations

from games.galleys.data import TABLES
from games.galleys.rules.geometry import ASTERN, hexsides_between
from games.galleys.state import LEVELS, Level, Ship, ShipClass, Switches

EXHAUSTED = TABLES.fatigue.worst
STRONG_WIND = 2


def highest_level(ship: Ship) -> Level:
    """GA-SPD-4: the cap of fatigue, crippling, fire and capture."""
    if ship.crippled or ship.burning or ship.prize or ship.fatigue >= 2:
        return Level.HALF
    return Level.CRUISE if ship.fatigue == 1 else Level.MAX


def cap_reason(ship: Ship) -> str:
    """What lowers the highest level, in words."""
    causes = [
        word for word, true in (("crippled", ship.crippled), ("burning", ship.burning), ("prize", ship.prize)) if true
    ]
    if ship.fatigue:
        causes.append(f"fatigue {ship.fatigue}")
    return ", ".join(causes)


def capped(ship: Ship, level: Level) -> Level:
    """GA-SPD-4: an order above the cap is executed at the cap."""
    return min(level, highest_level(ship), key=LEVELS.index)


def highest_rise(last: Level) -> Level:
    """GA-SPD-3: at most two steps above the last level."""
    return LEVELS[min(last.rank + TABLES.movement.rise, len(LEVELS) - 1)]


def wind_loss(facing: int, switches: Switches) -> int:
    """GA-WND-1: movement points lost by rowing into the wind."""
    off = hexsides_between(facing, switches.wind_dir + ASTERN)
    return max(switches.wind_force - off, 0)


def movement_points(ship: Ship, klass: ShipClass, level: Level, switches: Switches) -> int:
    """GA-SPD-9: level value, debt, wind, the limit of a crippled or exhausted ship, and none for a rammed one."""
    if ship.rammed:
        return 0
    points = klass.points_at(level)
    if level is Level.MAX and ship.jettisoned:
        points += 1
    points = max(points - ship.debt, 0)
    if points:
        points = max(points - wind_loss(ship.facing, switches), 1)
    if ship.crippled or ship.fatigue >= EXHAUSTED:
        points = min(points, 1)
    return points

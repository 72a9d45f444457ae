"""Raking oars, and the Pass-Through of a line (GA-RAK, GA-PAS)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from games.galleys.data import TABLES, band
from games.galleys.rules.avoidance import attempt
from games.galleys.rules.geometry import ASTERN, Hull, ahead, raked_side, zones
from games.galleys.rules.ramming import cripple
from games.galleys.rules.routes import Water, water_for
from games.galleys.rules.track import Track, pay, tell_move
from games.galleys.state import Level
from games.galleys.table import Mod, Table, total
from pbem.kit.hexgrid import Hex

SELF_CRIPPLED, NO_EFFECT, CRIPPLED = "X", "N", "C"


def why_not_rake(table: Table, name: str) -> str:
    """GA-RAK-2, of the ship alone: the condition that forbids it, or nothing."""
    ship = table.ships[name]
    conditions = (
        (ship.crippled, "it is crippled"),
        (ship.rammed, "it is rammed"),
        (ship.prize, "it is a prize"),
        (table.is_held(name), f"it is held by {', '.join(table.partners(name))}"),
    )
    return next((reason for true, reason in conditions if true), "")


def rake_mods(table: Table, name: str, target: str, level: Level, facing: int) -> list[Mod]:
    """GA-RAK-3: both crews, head-on, the level."""
    numbers, ship, other = TABLES.rake, table.ships[name], table.ships[target]
    mods = [Mod("crew", ship.crew, ship.side), Mod("target's crew", -other.crew, other.side)]
    if facing == (other.facing + ASTERN) % 6:
        mods.append(Mod("head-on", numbers.head_on))
    if level is Level.MAX:
        mods.append(Mod("maximum", numbers.maximum))
    if level is Level.HALF:
        mods.append(Mod("half", numbers.half))
    return mods


def raked_now(table: Table, track: Track) -> list[str]:
    """GA-RAK-1, -2: the enemies that the move ahead just made rakes, in roster order."""
    hull = table.hull(track.name)
    return rakeable(table, track, hull.bow, hull.facing)


def rakeable(table: Table, track: Track, bow: Hex, facing: int) -> list[str]:
    """The enemies that a move ahead into this hex with this facing would rake."""
    before = ahead(bow, facing + ASTERN)
    beside = {table.occupied.get(ahead(bow, way)) for way in range(6)}
    raked = [
        name
        for name in beside
        if name is not None
        and name not in track.raked
        and table.is_enemy(name, track.side)
        and raked_side(before, bow, table.hull(name))
    ]
    return sorted(raked, key=lambda name: table.ships[name].roster)


def rake(table: Table, track: Track, target: str, passing: str = "") -> str:
    """GA-RAK-3: reaction fire, avoidance, two dice; returns the code, or ``avoided``."""
    track.raked.add(target)
    return attempt(table, track.name, target, "rake", partial(_shear, table, track, target, passing))


def _shear(table: Table, track: Track, target: str, passing: str, partly: list[Mod]) -> str:
    mods = rake_mods(table, track.name, target, track.level, table.hull(track.name).facing) + partly
    dice = table.roll_two(track.name, "rake", target)
    rolled = sum(die.face for die in dice) + total(mods)
    code = band(TABLES.rake.bands, rolled)
    facts = {
        "ship": track.name,
        "target": target,
        "dice": [die.face for die in dice],
        "total": rolled,
        "code": code,
        "pass": bool(passing),
        "at": list(table.hull(target).bow),
    }
    table.tell_in_fog("rake", "GA-PAS-4" if passing else "GA-RAK-3", facts, dice, mods=mods)
    if code == CRIPPLED and not table.ships[target].crippled:
        cripple(table, target, track.name)
    if code == SELF_CRIPPLED:
        cripple(table, track.name, target)
        track.stopped = True
    return code


# --- pass-through ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Passage:
    """A Pass-Through that could be made: through whom, and where it ends."""

    target: str
    end: Hull


def far_end(mover: Hull, target: Hull) -> Hull:
    """GA-PAS-2: the first place on the mover's line where all its hexes are clear of the target."""
    last = target.bow if mover.facing == target.facing else target.stern
    return Hull(ahead(last, mover.facing, 2 if mover.large else 1), mover.facing, mover.large)


def passage(table: Table, track: Track, at: Hull, water: Water | None = None) -> Passage | str:
    """GA-PAS-1, -2: the passage open from this place, or what is missing; MP and the prior move are checked apart."""
    if track.level is not Level.MAX:
        return f"the level is {track.level}, not max"
    if reason := why_not_rake(table, track.name):
        return reason
    target = table.occupied.get(ahead(at.bow, at.facing))
    if target is None or not table.is_enemy(target, track.side):
        return "no enemy lies right ahead"
    hull = table.hull(target)
    zone = zones(hull).get(at.bow)
    wanted = {"bow": (hull.facing + ASTERN) % 6, "stern": hull.facing}
    if zone is None or wanted.get(zone.name) != at.facing:
        return f"{target} is not met bow-on or from right astern"
    if target in track.raked:
        return f"{target} was already raked in this activation"
    if not table.is_abreast(target):
        return f"{target} is not in line abreast"
    end = far_end(at, hull)
    free = water or water_for(table, track.name)
    if not all(free.is_free(part) for part in end.hexes):
        return f"there is no room beyond {target}"
    return Passage(target, end)


def pass_through(table: Table, track: Track, through: Passage) -> None:
    """GA-PAS-4: a rake made from the bow or stern hex; the mover completes the passage in every case."""
    tell_move(table, track)
    rake(table, track, through.target, passing="pass")
    pay(table, track, TABLES.rake.pass_cost)
    table.change(table.ships[track.name], bow=through.end.bow, facing=through.end.facing)
    track.tokens += "T"
    # GA-PAS-5: it counts as two moves ahead, and the hexes it ends in count as occupied.
    track.forwards += TABLES.rake.pass_counts_as
    track.trodden.update(through.end.hexes)
    track.way.append(through.end.bow)

"""Raking oars, and the Pass-Through of a line (GA-RAK, GA-PAS)."""

from __future__ import annotations

from dataclasses import dataclass

from games.galleys.data import TABLES, band
from games.galleys.rules.avoidance import AVOIDED, PARTIAL, avoid
from games.galleys.rules.battle import Battle, Mod, total
from games.galleys.rules.geometry import ASTERN, Hull, ahead, raked_side, zones
from games.galleys.rules.missiles import land_volleys, react
from games.galleys.rules.ramming import cripple
from games.galleys.rules.routes import Water, water_for
from games.galleys.rules.track import Track, pay, tell_move
from games.galleys.state import Level
from pbem.kit.hexgrid import Hex

SELF_CRIPPLED, NO_EFFECT, CRIPPLED = "X", "N", "C"


def why_not_rake(battle: Battle, name: str) -> str:
    """GA-RAK-2, of the ship alone: the condition that forbids it, or nothing."""
    ship = battle.ship(name)
    conditions = (
        (ship.crippled, "it is crippled"),
        (ship.rammed, "it is rammed"),
        (ship.prize, "it is a prize"),
        (battle.is_held(name), f"it is held by {', '.join(battle.partners(name))}"),
    )
    return next((reason for true, reason in conditions if true), "")


def is_head_on(battle: Battle, facing: int, target: str) -> bool:
    """GA-RAK-1: the mover comes from ahead."""
    return facing == (battle.hull(target).facing + ASTERN) % 6


def rake_mods(battle: Battle, name: str, target: str, level: Level, facing: int) -> list[Mod]:
    """GA-RAK-3: both crews, head-on, the level."""
    table, ship, other = TABLES.rake, battle.ship(name), battle.ship(target)
    mods = [Mod("crew", ship.crew, ship.side), Mod("target's crew", -other.crew, other.side)]
    if is_head_on(battle, facing, target):
        mods.append(Mod("head-on", table.head_on))
    if level is Level.MAX:
        mods.append(Mod("maximum", table.maximum))
    if level is Level.HALF:
        mods.append(Mod("half", table.half))
    return mods


def raked_now(battle: Battle, track: Track) -> list[str]:
    """GA-RAK-1, -2: the enemies that the move ahead just made rakes, in roster order."""
    hull = battle.hull(track.name)
    return rakeable(battle, track, hull.bow, hull.facing)


def rakeable(battle: Battle, track: Track, bow: Hex, facing: int) -> list[str]:
    """The enemies that a move ahead into this hex with this facing would rake."""
    before = ahead(bow, facing + ASTERN)
    beside = {battle.occupied.get(ahead(bow, way)) for way in range(6)}
    found = [
        name
        for name in beside
        if name is not None
        and name not in track.raked
        and battle.is_enemy(name, track.side)
        and raked_side(before, bow, battle.hull(name))
    ]
    return sorted(found, key=lambda name: battle.ship(name).roster)


def rake(battle: Battle, track: Track, target: str, passing: str = "") -> str:
    """GA-RAK-3: reaction fire, avoidance, two dice; returns the code, or ``avoided``."""
    battle.change(track.name, attacked=True)
    track.raked.add(target)
    volleys = react(battle, target, track.name, "rake")
    result = avoid(battle, target, track.name, "rake")
    code = AVOIDED if result == AVOIDED else _shear(battle, track, target, result, passing)
    land_volleys(battle, volleys)
    return code


def _shear(battle: Battle, track: Track, target: str, avoidance: str, passing: str) -> str:
    mods = rake_mods(battle, track.name, target, track.level, battle.hull(track.name).facing)
    if avoidance == PARTIAL:
        mods.append(Mod("partly avoided", TABLES.avoidance.partial_on_ram))
    dice = battle.roll_two(track.name, "rake", target)
    rolled = sum(die.face for die in dice) + total(mods)
    code = band(TABLES.rake.bands, rolled)
    facts = {
        "ship": track.name,
        "target": target,
        "dice": [die.face for die in dice],
        "total": rolled,
        "code": code,
        "pass": bool(passing),
        "at": list(battle.hull(target).bow),
    }
    battle.tell("rake", "GA-PAS-4" if passing else "GA-RAK-3", facts, mods=mods, rolls=dice)
    if code == CRIPPLED and not battle.ship(target).crippled:
        cripple(battle, target, track.name)
    if code == SELF_CRIPPLED:
        cripple(battle, track.name, target)
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


def passage(battle: Battle, track: Track, at: Hull, water: Water | None = None) -> Passage | str:
    """GA-PAS-1, -2: the passage open from this place, or what is missing; MP and the prior move are checked apart."""
    if track.level is not Level.MAX:
        return f"the level is {track.level}, not max"
    if reason := why_not_rake(battle, track.name):
        return reason
    target = battle.occupied.get(ahead(at.bow, at.facing))
    if target is None or not battle.is_enemy(target, track.side):
        return "no enemy lies right ahead"
    hull = battle.hull(target)
    zone = zones(hull).get(at.bow)
    wanted = {"bow": (hull.facing + ASTERN) % 6, "stern": hull.facing}
    if zone is None or wanted.get(zone.name) != at.facing:
        return f"{target} is not met bow-on or from right astern"
    if target in track.raked:
        return f"{target} was already raked in this activation"
    if not battle.is_abreast(target):
        return f"{target} is not in line abreast"
    end = far_end(at, hull)
    free = water or water_for(battle, track.name)
    if not all(free.is_free(part) for part in end.hexes):
        return f"there is no room beyond {target}"
    return Passage(target, end)


def pass_through(battle: Battle, track: Track, through: Passage) -> None:
    """GA-PAS-4: a rake made from the bow or stern hex; the mover completes the passage in every case."""
    tell_move(battle, track)
    rake(battle, track, through.target, passing="pass")
    pay(battle, track, TABLES.rake.pass_cost)
    battle.change(track.name, bow=through.end.bow, facing=through.end.facing)
    track.tokens += "T"
    # GA-PAS-5: it counts as two moves ahead, and the hexes it ends in count as occupied.
    track.forwards += TABLES.rake.pass_counts_as
    track.trodden.update(through.end.hexes)
    track.way.append(through.end.bow)

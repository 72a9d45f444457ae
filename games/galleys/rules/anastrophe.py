"""The anastrophe: rake or pierce, turn about, and ram from astern in one movement (GA-ANA)."""

from __future__ import annotations

from dataclasses import dataclass

from games.galleys.rules.geometry import ASTERN, PORT, STARBOARD, Hull, ahead, zones
from games.galleys.rules.raking import CRIPPLED, SELF_CRIPPLED, far_end, rake, why_not_rake
from games.galleys.rules.ramming import RamChance, ram, why_not_ram
from games.galleys.rules.routes import water_for
from games.galleys.rules.track import Track, pay, tell_move
from games.galleys.state import Level
from games.galleys.table import Table
from pbem.kit.hexgrid import Hex

PIERCE = "pass-through"
SIGN = {STARBOARD: 1, PORT: -1}
OPPOSITE = {STARBOARD: PORT, PORT: STARBOARD}


@dataclass(frozen=True)
class Manoeuvre:
    """An anastrophe that can be made."""

    target: str
    lane: str
    """``starboard`` or ``port`` side of the target, or ``pass-through``."""
    strike_from: Hull
    """GA-PAS-4, GA-RAK-1: where the ship stands while the rake is resolved."""
    past: Hull
    """Where it is afterwards: the rake hex, or the exit of the pass-through."""
    side: str
    """The side it turns round to."""
    final: Hull


def why_no_anastrophe(table: Table, track: Track) -> str:
    """GA-ANA-1, of the ship alone: the condition that forbids it, or nothing."""
    ship = table.ships[track.name]
    if not ship.star:
        return "its rowers are not picked (no star)"
    if track.level is not Level.MAX:
        return f"the level is {track.level}, not max"
    if track.left < 1:
        return "it has no MP left"
    if track.tokens or track.left != track.points:
        return "it must be the ship's only manoeuvre"
    return why_not_ram(table, ship) or why_not_rake(table, track.name)


def start_lane(mover: Hull, target: Hull) -> tuple[str, list[Hex]] | None:
    """GA-ANA-2, -3: the lane from where the ship starts, and the hexes its bow enters up to the strike."""
    d, bow = target.facing, target.bow
    if mover.facing != (d + ASTERN) % 6:
        return None
    if mover.bow == ahead(bow, d):
        return PIERCE, []
    if mover.bow == ahead(bow, d, 2):
        return PIERCE, [ahead(bow, d)]
    for beam, sign in SIGN.items():
        approach, rake_hex = ahead(bow, d + sign), ahead(bow, d + 2 * sign)
        if mover.bow == approach:
            return beam, [rake_hex]
        if mover.bow == ahead(approach, d):
            return beam, [approach, rake_hex]
    return None


def turned_round(target: Hull, side: str, mover: Hull) -> Hull:
    """GA-ANA-6: bow in the stern/flank hex of that side, facing the target's stern part."""
    sign = SIGN[side]
    return Hull(ahead(target.stern, target.facing + 2 * sign), (target.facing - sign) % 6, mover.large)


def manoeuvre(table: Table, track: Track, target: str, side: str) -> Manoeuvre | str:
    """GA-ANA-2 to -4: the anastrophe on this target, or what forbids it."""
    mover, hull = table.hull(track.name), table.hull(target)
    lane = start_lane(mover, hull)
    if lane is None:
        return f"{track.name} does not lie before the bow of {target}, facing it"
    kind, entered = lane
    strike = Hull(entered[-1] if entered else mover.bow, mover.facing, mover.large)
    turn_to = (side or STARBOARD) if kind == PIERCE else OPPOSITE[kind]
    past = far_end(strike, hull) if kind == PIERCE else strike
    final = turned_round(hull, turn_to, mover)
    plan = Manoeuvre(target, kind, strike, past, turn_to, final)
    return _refusal(table, track, plan, entered) or plan


def _refusal(table: Table, track: Track, plan: Manoeuvre, entered: list[Hex]) -> str:
    """GA-ANA-3, -4: what stands in the way."""
    water = water_for(table, track.name)
    if plan.lane == PIERCE and not table.is_abreast(plan.target):
        return f"{plan.target} is not in line abreast"
    if not all(water.is_free(at) for at in entered):
        return f"the lane along {plan.target} is not clear"
    if plan.lane == PIERCE and not all(water.is_free(at) for at in plan.past.hexes):
        return f"there is no room beyond {plan.target}"
    needed = [at for at, zone in zones(table.hull(plan.target)).items() if zone.name in ("stern", "stern/flank")]
    own = table.hull(plan.target).hexes
    if not all(water.is_free(at) or at in own for at in (*needed, *plan.final.hexes)):
        return f"the water astern of {plan.target} is not clear"
    return ""


def perform(table: Table, track: Track, plan: Manoeuvre) -> None:
    """GA-ANA-5 to -7: rake or pierce first, then turn round and ram."""
    track.anastrophe = track.stopped = True
    pay(table, track, track.left)
    facts = {
        "ship": track.name,
        "target": plan.target,
        "lane": plan.lane,
        "side": plan.side,
        "refused_reason": None,
        "from": list(table.hull(track.name).bow),
    }
    table.tell("anastrophe", "GA-ANA-5", table.sides, facts)
    _stand(table, track, plan.strike_from)
    code = rake(table, track, plan.target, passing="pass" if plan.lane == PIERCE else "")
    _stand(table, track, plan.past)
    if code == SELF_CRIPPLED:
        tell_move(table, track)
        return
    _stand(table, track, plan.final)
    tell_move(table, track)
    if why_not_ram(table, table.ships[track.name]):
        # Flame missiles in answer to the rake: a burning ship may not ram (GA-FIR-1).
        return
    ram(table, track, RamChance(plan.target, "stern/flank", Level.MAX, FULL_RUN, failed_rake=code != CRIPPLED))


FULL_RUN = 2
"""GA-ANA-7: counted as two moves ahead or more."""


def _stand(table: Table, track: Track, hull: Hull) -> None:
    table.change(table.ships[track.name], bow=hull.bow, facing=hull.facing)
    if track.way[-1] != hull.bow:
        track.way.append(hull.bow)
        track.tokens += "*"

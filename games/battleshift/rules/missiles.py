"""Missiles: locks and launches in A1, flight and hits in A5 (BS-MSL)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from games.battleshift.data import NUMBERS, WEAPONS
from games.battleshift.orders.words import Missiles
from games.battleshift.rules.attacks import Blow, strike
from games.battleshift.rules.fire import mode_of, note_gunners, tell_silence
from games.battleshift.rules.interceptors import Threat, defend, dodge
from games.battleshift.rules.planning import Activation, Missile
from games.battleshift.rules.reactions import meet
from games.battleshift.rules.sight import (
    Aimed,
    cover,
    distance_to,
    is_gone,
    is_over,
    limited,
    points_of,
    pose_of,
    range_of,
)
from games.battleshift.rules.table import Battle, in_command
from games.battleshift.rules.targets import NEAREST, Choice, choose
from games.battleshift.rules.units import Flight, Quadrant, Ship, Squadron
from pbem.kit.plane import Spot, passes_within, squared, toward, whole_distance

DIE = 6
HALVING = ("planet", "moon", "asteroids", "dust")


def line_of(battle: Battle, squadron: Squadron) -> Missiles:
    return battle.book(squadron).find(squadron.lines, "missiles", Missiles) or Missiles(NEAREST)


def lock_number(battle: Battle, squadron: Squadron, target: Aimed) -> int:
    """BS-MSL-2: 5 less suppression and cover; stations, gunners and quadrants change it."""
    number = NUMBERS.lock - squadron.markers - cover(battle, squadron.side, squadron.spots, target)
    number += int(isinstance(target, Squadron) and target.cls.is_station)
    number -= int(isinstance(target, Quadrant))
    return limited(number + int("Crack Gunners" in squadron.traits))


def in_missile_range(squadron: Squadron, target: Aimed) -> list[Ship]:
    """BS-MSL-1: active ships with the target within 24.00"."""
    reach, own = range_of("missile", target), squadron.cls.radius
    points = points_of(target)
    return [
        ship
        for ship in squadron.active
        if any((x - ship.x) ** 2 + (y - ship.y) ** 2 <= (reach + own + radius) ** 2 for x, y, radius in points)
    ]


def judge_missile(battle: Battle, squadron: Squadron, target: Aimed) -> Choice | None:
    """BS-MSL-1, BS-PLN-5: a target within 24.00"; of a planet only the quadrant that holds the leader."""
    if isinstance(target, Quadrant) and not is_over(squadron, pose_of(squadron), target):
        return None
    if not in_missile_range(squadron, target):
        return None
    dice = len(squadron.active) * squadron.weapons("missile")
    far = distance_to(squadron.spots, target, squadron.cls.radius)
    return Choice(target, lock_number(battle, squadron, target), far, dice, "missile")


# --- A1 --------------------------------------------------------------------------------------------------------------


def launch_missiles(act: Activation) -> None:
    """BS-MSL-1, BS-ATK-11: squadrons in listing order; the mode governs only the choice of target."""
    battle = act.battle
    armed = [s for s in act.squadrons if s.active and s.weapons("missile") and not s.committed_super]
    common = _common_target(act, armed) if mode_of(act) == "concentrate" else {}
    for squadron in armed:
        choice = common.get(squadron) or choose_missile(battle, squadron)
        if choice is not None:
            launch(act, squadron, choice)
        elif battle.book(squadron).find(squadron.lines, "missiles", Missiles) and line_of(battle, squadron).targets:
            tell_silence(battle, squadron, "missile")


def choose_missile(battle: Battle, squadron: Squadron) -> Choice | None:
    line = line_of(battle, squadron)
    pool = battle.near(battle.enemy(squadron.side), squadron.spots, WEAPONS["missile"].range + squadron.cls.radius)
    return choose(
        battle, squadron.side, line.targets, line.least, lambda target: judge_missile(battle, squadron, target), pool
    )


def _common_target(act: Activation, armed: Sequence[Squadron]) -> dict[Squadron, Choice]:
    """BS-ATK-11, `concentrate`: one target for the squadrons in command without a line of their own."""
    battle, tf = act.battle, act.taskforce
    assert tf is not None
    members = [s for s in armed if in_command(s) and not battle.book(s).has(s.name, "missiles")]
    line = battle.book(tf).own(tf.name, "missiles", Missiles) or Missiles(NEAREST)
    if not members or not line.targets:
        return {}

    def judge(target: Aimed) -> Choice | None:
        able = {s: c for s in members if (c := judge_missile(battle, s, target)) and c.number >= line.least}
        if not able:
            return None
        hits = sum((Fraction(c.dice * c.number, DIE) for c in able.values()), Fraction(0))
        number = max(c.number for c in able.values())
        far = distance_to((tf.flagship.spot,), target)
        return Choice(target, number, far, weapon="missile", expected_hits=hits, detail=able)

    pool = battle.near(battle.enemy(tf.side), [x for s in members for x in s.spots], WEAPONS["missile"].range)
    found = choose(battle, tf.side, line.targets, line.least, judge, pool)
    return dict(found.detail) if found else {}


def launch(act: Activation, squadron: Squadron, choice: Choice) -> None:
    """BS-MSL-2: a lock die for each active ship; locked ships launch all they have."""
    battle, target = act.battle, choice.target
    rolls = [battle.roll(squadron.key, "lock", target.key, ship.number) for ship in squadron.active]
    locked = sum(roll.face <= choice.number for roll in rolls)
    missiles = locked * squadron.weapons("missile")
    place = _launching_ship(squadron, target)
    facts = {
        "squadron": squadron.name,
        "target": target.name,
        "number": choice.number,
        "dice": [roll.face for roll in rolls],
        "locked": locked,
        "ships": len(squadron.active),
        "missiles": missiles,
        "side": squadron.side,
        "at": [place.x, place.y],
    }
    seen = target if isinstance(target, Squadron | Flight) else None
    battle.tell("lock", "BS-MSL-2", facts, (squadron, seen), rolls)
    note_gunners(squadron)
    if missiles:
        name = f"{squadron.name} strike"
        act.strikes.append(
            Missile(
                name,
                squadron.side,
                squadron,
                f"{squadron.key} strike",
                target,
                missiles,
                place,
                choice.objective,
            )
        )


def _launching_ship(squadron: Squadron, target: Aimed) -> Spot:
    points = points_of(target)
    ships = in_missile_range(squadron, target)
    return min(ships, key=lambda s: (min(squared(s.spot, (x, y)) for x, y, _ in points), s.number)).spot


# --- A5 --------------------------------------------------------------------------------------------------------------


def fly_missiles(act: Activation) -> None:
    """BS-MSL-7: in launch order; strikes that are synchronised fly one after another and hit together."""
    joint = act.in_tf and mode_of(act) != "staggered"
    waiting = list(act.strikes)
    while waiting:
        first = waiting.pop(0)
        group = [first]
        if joint and _commanded(first):
            group += [one for one in waiting if _agrees(first, one) and _commanded(one)]
            waiting = [one for one in waiting if one not in group]
        _fly_group(act.battle, group)


def _commanded(missile: Missile) -> bool:
    return missile.launcher is not None and in_command(missile.launcher)


def _agrees(one: Missile, other: Missile) -> bool:
    return one.target is other.target and one.objective == other.objective


def _fly_group(battle: Battle, group: Sequence[Missile]) -> None:
    arrived = [missile for missile in group if fly(battle, missile)]
    target = group[0].target
    assert isinstance(target, Squadron | Flight | Quadrant)
    hits = sum(missile.missiles for missile in arrived)
    if not hits or is_gone(target):
        return
    label = (group[0].key, "hits", target.key)
    if isinstance(target, Flight):
        dodge(battle, target, hits, "/".join(str(part) for part in label))
        return
    units = list(dict.fromkeys(missile.launcher for missile in arrived if missile.launcher is not None))
    sources = [missile.spot for missile in arrived]
    blow = Blow(
        "missile", WEAPONS["missile"].power, label, sources, objective=group[0].objective, attackers=list(units)
    )
    strike(battle, target, hits, blow)


def fly(battle: Battle, missile: Missile) -> bool:
    """BS-MSL-3..6, -8: the way, terrain, reactions, arrival; True: some missiles hit."""
    target = missile.target
    assert isinstance(target, Squadron | Flight | Quadrant)
    started = missile.missiles
    if is_gone(target):
        _tell_strike(battle, missile, started, 0, 0, missile.spot, "its target is gone")
        return False
    end = _end_of(missile.spot, target)
    lost = _lost_to_terrain(battle, missile, end, target)
    missile.missiles -= lost
    threat = Threat(missile, target)
    meet(battle, threat, missile.spot, end, missile.spot)
    if missile.missiles:
        defend(battle, threat, end)
    _tell_strike(battle, missile, started, lost, missile.missiles, end, "")
    return missile.missiles > 0


def _tell_strike(battle: Battle, missile: Missile, started: int, lost: int, arriving: int, end: Spot, why: str) -> None:
    target = missile.target
    facts = {
        "strike": missile.name,
        "target": getattr(target, "name", ""),
        "started": started,
        "lost": lost,
        "arriving": arriving,
        "from": list(missile.spot),
        "to": list(end),
        "why": why,
        "side": missile.side,
    }
    seen = target if isinstance(target, Squadron | Flight) else None
    battle.tell("strike", "BS-MSL-8" if why else "BS-MSL-3", facts, (missile.launcher, seen))


def _end_of(start: Spot, target: Squadron | Flight | Quadrant) -> Spot:
    """BS-MSL-3: the nearest target ship; of a quadrant the rim."""
    if isinstance(target, Quadrant):
        return rim_point(start, target)
    x, y, _ = min(points_of(target), key=lambda p: squared(start, p[:2]))
    return Spot(x, y)


def rim_point(start: Spot, quadrant: Quadrant) -> Spot:
    """The place on the rim on the line to the centre."""
    centre = quadrant.body.spot
    return toward(start, centre, max(0, whole_distance(start, centre) - quadrant.body.radius))


def _lost_to_terrain(battle: Battle, missile: Missile, end: Spot, target: object) -> int:
    """BS-MSL-4: half, rounded down, once, if the line touches a disc, other than where it comes from or goes to."""
    ends = (missile.origin, target.body if isinstance(target, Quadrant) else None)
    discs = [body for body in battle.bodies if body.kind in HALVING and body not in ends]
    touched = any(passes_within(missile.spot, end, body.spot, body.radius) for body in discs)
    return missile.missiles // 2 if touched else 0

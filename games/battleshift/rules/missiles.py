"""Missiles: locks and launches in A1, flight and hits in A5 (BS-MSL)."""

from __future__ import annotations

from collections.abc import Sequence

from games.battleshift.data import DIE, NUMBERS, WEAPONS
from games.battleshift.orders.records import Missiles
from games.battleshift.rules import sight
from games.battleshift.rules.attacks import Blow, strike
from games.battleshift.rules.fire import mode_of, tell_silence
from games.battleshift.rules.interceptors import Threat, defend, dodge
from games.battleshift.rules.planning import Activation, Missile
from games.battleshift.rules.reactions import meet
from games.battleshift.rules.sight import Aimed
from games.battleshift.rules.targets import NEAREST, Choice, choose, choose_together
from games.battleshift.rules.units import Flight, Quadrant, Ship, Squadron, in_command
from games.battleshift.state import Strike
from games.battleshift.table import Table, faces, scored
from pbem.kit.dice import Roll
from pbem.kit.plane import Spot, passes_within, squared, toward, whole_distance

HALVING = ("planet", "moon", "asteroids", "dust")


def line_of(table: Table, squadron: Squadron) -> Missiles:
    return table.book(squadron).find(squadron.lines, "missiles", Missiles) or Missiles(NEAREST)


def lock_number(table: Table, squadron: Squadron, target: Aimed) -> int:
    """BS-MSL-2: 5 less suppression and cover; stations, gunners and quadrants change it."""
    number = NUMBERS.lock - squadron.markers - sight.cover(table, squadron.side, squadron.spots, target)
    number += int(isinstance(target, Squadron) and target.cls.is_station)
    number -= int(isinstance(target, Quadrant))
    return sight.limited(number + int("Crack Gunners" in squadron.now.traits))


def in_missile_range(squadron: Squadron, target: Aimed) -> list[Ship]:
    """BS-MSL-1: active ships with the target within 24.00"."""
    reach, own = sight.range_of("missile", target), squadron.cls.radius
    points = sight.points_of(target)
    return [
        ship
        for ship in squadron.active
        if any((x - ship.now.x) ** 2 + (y - ship.now.y) ** 2 <= (reach + own + radius) ** 2 for x, y, radius in points)
    ]


def judge_missile(table: Table, squadron: Squadron, target: Aimed) -> Choice | None:
    """BS-MSL-1, BS-PLN-5: a target within 24.00"; of a planet only the quadrant that holds the leader."""
    if isinstance(target, Quadrant) and not sight.is_over(squadron, sight.pose_of(squadron), target):
        return None
    if not in_missile_range(squadron, target):
        return None
    dice = len(squadron.active) * squadron.weapons("missile")
    far = sight.distance_to(squadron.spots, target, squadron.cls.radius)
    return Choice(target, lock_number(table, squadron, target), far, dice, "missile")


# --- A1 --------------------------------------------------------------------------------------------------------------


def launch_missiles(act: Activation) -> None:
    """BS-MSL-1, BS-ATK-11: squadrons in listing order; the mode governs only the choice of target."""
    table = act.table
    armed = [s for s in act.squadrons if s.active and s.weapons("missile") and not s.now.flags.committed_super]
    common = _common_target(act, armed) if mode_of(act) == "concentrate" else {}
    for squadron in armed:
        choice = common.get(squadron) or choose_missile(table, squadron)
        if choice is not None:
            launch(act, squadron, choice)
        elif table.book(squadron).find(squadron.lines, "missiles", Missiles) and line_of(table, squadron).targets:
            tell_silence(table, squadron, "missile")


def choose_missile(table: Table, squadron: Squadron) -> Choice | None:
    line = line_of(table, squadron)
    pool = table.near(table.enemy(squadron.side), squadron.spots, WEAPONS["missile"].range + squadron.cls.radius)
    return choose(
        table, squadron.side, line.targets, line.least, lambda target: judge_missile(table, squadron, target), pool
    )


def _common_target(act: Activation, armed: Sequence[Squadron]) -> dict[Squadron, Choice]:
    """BS-ATK-11, `concentrate`: one target for the squadrons in command without a line of their own."""
    table, tf = act.table, act.taskforce
    assert tf is not None
    members = [s for s in armed if in_command(s) and not table.book(s).has(s.name, "missiles")]
    line = table.book(tf).own(tf.name, "missiles", Missiles) or Missiles(NEAREST)
    if not members or not line.targets:
        return {}

    def judge(squadron: Squadron, target: Aimed) -> Choice | None:
        return judge_missile(table, squadron, target)

    spots = [spot for squadron in members for spot in squadron.spots]
    pool = table.near(table.enemy(tf.side), spots, WEAPONS["missile"].range)
    return choose_together(table, members, line, judge, tf.flagship.spot, pool)


def launch(act: Activation, squadron: Squadron, choice: Choice) -> None:
    """BS-MSL-2: a lock die for each active ship; locked ships launch all they have."""
    table, target = act.table, choice.target
    rolls = [table.roll(DIE, squadron.key, "lock", target.key, ship.number) for ship in squadron.active]
    each = squadron.weapons("missile")
    squadron.show("Crack Gunners")
    start_strike(act, squadron, choice, rolls, each, _launching_ship(squadron, target))


def start_strike(
    act: Activation, by: Squadron | Quadrant, choice: Choice, rolls: Sequence[Roll], each: int, spot: Spot
) -> None:
    """BS-MSL-2: each lock brings so many missiles, which fly as one strike."""
    target, locked = choice.target, scored(rolls, choice.number)
    facts = {
        "squadron": by.name,
        "target": target.name,
        "number": choice.number,
        "dice": faces(rolls),
        "locked": locked,
        "ships": len(rolls),
        "missiles": locked * each,
        "side": act.side,
        "at": list(spot),
    }
    launcher = by if isinstance(by, Squadron) else None
    act.table.tell_in_sight("lock", "BS-MSL-2", (launcher, _seen(target)), facts, rolls)
    if locked:
        strike = Strike(act.side, by.name, target.name, locked * each, *spot, name=f"{by.name} strike")
        body = by.body if isinstance(by, Quadrant) else None
        act.strikes.append(Missile(strike, f"{by.key} strike", target, launcher, choice.objective, body))


def _seen(target: Aimed) -> Squadron | Flight | None:
    return None if isinstance(target, Quadrant) else target


def _launching_ship(squadron: Squadron, target: Aimed) -> Spot:
    points = sight.points_of(target)
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
            group += [missile for missile in waiting if _agrees(first, missile) and _commanded(missile)]
            waiting = [missile for missile in waiting if missile not in group]
        _fly_group(act.table, group)


def _commanded(missile: Missile) -> bool:
    return missile.fired_by is not None and in_command(missile.fired_by)


def _agrees(missile: Missile, other: Missile) -> bool:
    return missile.aimed is other.aimed and missile.objective == other.objective


def _fly_group(table: Table, group: Sequence[Missile]) -> None:
    arrived = [missile for missile in group if fly(table, missile)]
    target = group[0].aimed
    hits = sum(missile.missiles for missile in arrived)
    if not hits or sight.is_gone(target):
        return
    label = (group[0].key, "hits", target.key)
    if isinstance(target, Flight):
        dodge(table, target, hits, "/".join(str(part) for part in label))
        return
    units = list(dict.fromkeys(missile.fired_by for missile in arrived if missile.fired_by is not None))
    sources = [missile.spot for missile in arrived]
    blow = Blow(
        "missile", WEAPONS["missile"].power, label, sources, objective=group[0].objective, attackers=list(units)
    )
    strike(table, target, hits, blow)


def fly(table: Table, missile: Missile) -> bool:
    """BS-MSL-3..6, -8: the way, terrain, reactions, arrival; True: some missiles hit."""
    target, started = missile.aimed, missile.missiles
    if sight.is_gone(target):
        _tell_strike(table, missile, started, 0, 0, missile.spot, "its target is gone")
        return False
    end = _end_of(missile.spot, target)
    lost = _lost_to_terrain(table, missile, end, target)
    missile.lose(lost)
    threat = Threat(missile, target)
    meet(table, threat, missile.spot, end, missile.spot)
    if missile.missiles:
        defend(table, threat, end)
    _tell_strike(table, missile, started, lost, missile.missiles, end, "")
    return missile.missiles > 0


def _tell_strike(table: Table, missile: Missile, started: int, lost: int, arriving: int, end: Spot, why: str) -> None:
    target = missile.aimed
    facts = {
        "strike": missile.name,
        "target": target.name,
        "started": started,
        "lost": lost,
        "arriving": arriving,
        "from": list(missile.spot),
        "to": list(end),
        "why": why,
        "side": missile.side,
    }
    table.tell_in_sight("strike", "BS-MSL-8" if why else "BS-MSL-3", (missile.fired_by, _seen(target)), facts)


def _end_of(start: Spot, target: Aimed) -> Spot:
    """BS-MSL-3: the nearest target ship; of a quadrant the rim."""
    if isinstance(target, Quadrant):
        return rim_point(start, target)
    x, y, _ = min(sight.points_of(target), key=lambda p: squared(start, p[:2]))
    return Spot(x, y)


def rim_point(start: Spot, quadrant: Quadrant) -> Spot:
    """The place on the rim on the line to the centre."""
    centre = quadrant.body.spot
    return toward(start, centre, max(0, whole_distance(start, centre) - quadrant.body.radius))


def _lost_to_terrain(table: Table, missile: Missile, end: Spot, target: object) -> int:
    """BS-MSL-4: half, rounded down, once, if the line touches a disc, other than where it comes from or goes to."""
    ends = (missile.origin, target.body if isinstance(target, Quadrant) else None)
    discs = [body for body in table.bodies if body.kind in HALVING and body not in ends]
    touched = any(passes_within(missile.spot, end, body.spot, body.radius) for body in discs)
    return missile.missiles // 2 if touched else 0

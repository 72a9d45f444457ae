"""Heavy fire in A2: choice of targets by fire mode, synchronised attacks, cones (BS-ATK-8, -11, BS-WPN, BS-FRM-8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from games.battleshift.data import LIMITS, WEAPONS
from games.battleshift.orders.records import Fire, Mode
from games.battleshift.rules import sight
from games.battleshift.rules.attacks import Blow, Disabling, Volley, attack
from games.battleshift.rules.moving import inches, nearest_enemy
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.sight import Aimed
from games.battleshift.rules.targets import NEAREST, Choice, choose, choose_together
from games.battleshift.rules.units import Quadrant, Squadron, Taskforce, in_command
from games.battleshift.table import Table
from pbem.kit.plane import Spot, along_and_aside

A2_FAMILIES = (("heavy", "broadside"), ("super",), ("heavy_ion",))


@dataclass
class Shot:
    """One squadron's weapons of one family at one target."""

    squadron: Squadron
    weapons: list[str]
    choice: Choice
    line: Fire

    @property
    def key(self) -> tuple[object, ...]:
        return (id(self.choice.target), self.line.disable, id(self.choice.focus), self.choice.objective)


ShotT = TypeVar("ShotT", bound=Shot)
Aims = dict[tuple[Squadron, str], Shot | None]
"""What each squadron has chosen for each of its weapons."""


def line_for(table: Table, squadron: Squadron, weapon: str) -> Fire:
    """The fire line that applies; without one the nearest target."""
    return table.book(squadron).fire(squadron.lines, weapon) or Fire(weapon, NEAREST)


def mode_of(act: Activation) -> str:
    """BS-ATK-11: the fire mode ordered for the taskforce."""
    if not act.in_tf or act.taskforce is None:
        return "staggered"
    ordered = act.table.book(act.taskforce).own(act.taskforce.name, "mode", Mode)
    return ordered.mode if ordered else act.taskforce.now.mode


def may_fire(squadron: Squadron, weapon: str) -> bool:
    """BS-WPN-4: a squadron committed to super heavy fires nothing else, others fire all but super heavy."""
    if not squadron.active or not squadron.weapons(weapon):
        return False
    return squadron.now.flags.committed_super == (weapon == "super")


def disabling(line: Fire, weapon: str) -> Disabling:
    if weapon in sight.ION_BEAMS:
        return "ion"
    return "fire" if line.disable else "no"


# --- choosing --------------------------------------------------------------------------------------------------------


def choose_shot(table: Table, squadron: Squadron, weapon: str) -> Shot | None:
    """The target a squadron takes with a weapon as things stand."""
    line = line_for(table, squadron, weapon)
    if not line.targets:
        return None
    reach = WEAPONS[weapon].range + squadron.cls.radius
    pool = table.near(table.enemy(squadron.side), squadron.spots, reach)

    def judge(target: Aimed) -> Choice | None:
        return judge_shot(table, squadron, weapon, target, disable=line.disable)

    choice = choose(table, squadron.side, line.targets, line.least, judge, pool)
    return Shot(squadron, [weapon], choice, line) if choice else None


def judge_shot(table: Table, squadron: Squadron, weapon: str, target: Aimed, *, disable: bool) -> Choice | None:
    """What a squadron could do to a target with a weapon, from where it stands."""
    pose = sight.pose_of(squadron)
    number = sight.aim(table, squadron, pose, weapon, target, disable=disable)
    if number is None:
        return None
    far = sight.distance_to(pose.spots, target, squadron.cls.radius)
    return Choice(target, number, far, len(squadron.active) * squadron.weapons(weapon), weapon)


def commit_super(act: Activation) -> None:
    """BS-WPN-4: decided at A0."""
    for squadron in act.squadrons:
        if squadron.active and squadron.weapons("super"):
            squadron.mark(committed_super=choose_shot(act.table, squadron, "super") is not None)


# --- A2 --------------------------------------------------------------------------------------------------------------


def fire_heavy(act: Activation) -> None:
    """BS-ATK-2: heavy and broadside, then super, then heavy ion; a volley is aimed before any of them fires."""
    aims = _aim_volley(act) if mode_of(act) == "volley" else {}
    for family in A2_FAMILIES:
        if family[0] == "heavy":
            fire_cones(act)
        armed = [
            (s, w) for s in act.squadrons for w in family if may_fire(s, w) and not (w == "heavy" and s in act.beams)
        ]
        if not armed:
            continue
        mode = mode_of(act)
        if mode == "staggered":
            _fire_staggered(act, armed)
        else:
            done = _fire_together(act, armed) if mode == "concentrate" else []
            _fire_volley(act, [pair for pair in armed if pair not in done], aims)


def _aim_volley(act: Activation) -> Aims:
    """BS-ATK-11: what all squadrons choose from the situation at the start of A2."""
    pairs = [(s, w) for family in A2_FAMILIES for s in act.squadrons for w in family if may_fire(s, w)]
    return {pair: choose_shot(act.table, *pair) for pair in pairs}


def _fire_staggered(act: Activation, armed: Sequence[tuple[Squadron, str]]) -> None:
    for squadron in dict.fromkeys(squadron for squadron, _ in armed):
        pairs = [pair for pair in armed if pair[0] is squadron]
        _fire_volley(act, pairs)


def _fire_volley(act: Activation, armed: Sequence[tuple[Squadron, str]], aims: Aims | None = None) -> None:
    """BS-ATK-11: all as they aimed, otherwise as things stand; who agrees and is in command fires together."""
    shots = []
    for squadron, weapon in armed:
        aimed = aims.get((squadron, weapon)) if aims else None
        shot = aimed or choose_shot(act.table, squadron, weapon)
        if shot is None:
            _no_target(act.table, squadron, weapon)
        else:
            shots.append(shot)
    for group in grouped(shots):
        _resolve(act, group)


def grouped(shots: Sequence[ShotT]) -> list[list[ShotT]]:
    """Shots at one target that are synchronised, in listing order of their first squadron."""
    groups: list[list[ShotT]] = []
    for shot in shots:
        for group in groups:
            together = in_command(shot.squadron) and in_command(group[0].squadron)
            same = shot.squadron is group[0].squadron
            if group[0].key == shot.key and (together or same):
                group.append(shot)
                break
        else:
            groups.append([shot])
    return groups


def _resolve(act: Activation, group: list[Shot]) -> None:
    """An attack whose target is gone when its turn comes is chosen anew."""
    table = act.table
    if sight.is_gone(group[0].choice.target):
        pairs = [(shot.squadron, weapon) for shot in group for weapon in shot.weapons]
        _fire_volley(act, [pair for pair in pairs if may_fire(*pair)])
        return
    fire_group(table, group)


def fire_group(table: Table, group: Sequence[Shot]) -> None:
    """BS-ATK-7, BS-ATK-8: each squadron with its own number, all hit dice before shields."""
    target = group[0].choice.target
    assert isinstance(target, Squadron | Quadrant)
    weapon, line = group[0].weapons[0], group[0].line
    squadrons = list(dict.fromkeys(shot.squadron for shot in group))
    volleys, sources = [], []
    for squadron in squadrons:
        weapons = [w for shot in group if shot.squadron is squadron for w in shot.weapons]
        covered = sight.cover(table, squadron.side, squadron.spots, target)
        number = sight.targeting_number(squadron, weapons[0], target, covered, disable=line.disable)
        dice = len(squadron.active) * sum(squadron.weapons(w) for w in weapons)
        volleys.append(Volley(squadron.name, squadron.key, number, dice, squadron))
        sources += squadron.spots
        squadron.show("Crack Gunners")
    blow = Blow(
        weapon=weapon,
        power=WEAPONS[weapon].power,
        label=(squadrons[0].key, weapon, target.key),
        sources=sources,
        disabling=disabling(line, weapon),
        focus=group[0].choice.focus,
        objective=group[0].choice.objective,
        suppresses=not any(squadron.now.formation.kind == "ring" for squadron in squadrons),
        heavy_damage=weapon == "super",
        attackers=list(squadrons),
    )
    attack(table, volleys, target, blow)


def _no_target(table: Table, squadron: Squadron, weapon: str) -> None:
    if line_for(table, squadron, weapon).targets:
        tell_silence(table, squadron, weapon)


def tell_silence(table: Table, squadron: Squadron, weapon: str) -> None:
    """Why a weapon stays silent, for its owner."""
    leader = squadron.leader
    nearest = nearest_enemy(table, squadron.side, leader.spot) if leader else None
    reach = inches(WEAPONS[weapon].range)
    far = f'nearest {inches(sight.inches_to(squadron.spots, nearest))}"' if nearest else "no enemy on the table"
    reason = f'{far}, range {reach}"'
    if nearest is not None and sight.inches_to(squadron.spots, nearest) <= WEAPONS[weapon].range:
        reason = f"none in arc and in clear sight; {reason}"
    facts = {"squadron": squadron.name, "weapon": weapon, "reason": reason}
    table.tell("nofire", "BS-ATK-3", squadron.side, facts)


# --- concentrate -----------------------------------------------------------------------------------------------------


def _fire_together(act: Activation, armed: Sequence[tuple[Squadron, str]]) -> list[tuple[Squadron, str]]:
    """BS-ATK-11, `concentrate`: one target for all squadrons in command without a line of their own."""
    table, tf = act.table, act.taskforce
    assert tf is not None
    shots: list[Shot] = []
    for weapon in dict.fromkeys(weapon for _, weapon in armed):
        members = [s for s, w in armed if w == weapon and in_command(s) and not table.book(s).has_own_fire(s.name, w)]
        if members:
            shots += concentrated(act, tf, members, weapon)
    for group in grouped(shots):
        _resolve(act, group)
    return [(shot.squadron, weapon) for shot in shots for weapon in shot.weapons]


def concentrated(act: Activation, tf: Taskforce, members: Sequence[Squadron], weapon: str) -> list[Shot]:
    """The common target by the taskforce's line; those eligible fire."""
    table = act.table
    line = table.book(tf).fire((tf.name,), weapon) or Fire(weapon, NEAREST)
    if not line.targets:
        return []

    def judge(squadron: Squadron, target: Aimed) -> Choice | None:
        return judge_shot(table, squadron, weapon, target, disable=line.disable)

    spots = [spot for squadron in members for spot in squadron.spots]
    pool = table.near(table.enemy(tf.side), spots, WEAPONS[weapon].range)
    able = choose_together(table, members, line, judge, tf.flagship.spot, pool)
    return [Shot(squadron, [weapon], choice, line) for squadron, choice in able.items()]


# --- cones -----------------------------------------------------------------------------------------------------------


def fire_cones(act: Activation) -> None:
    """BS-FRM-8, BS-FRM-10: heavy batteries of a cone fire as a beam at everything in its way."""
    act.beams = set()
    cones = [s for s in act.squadrons if s.now.formation.kind == "cone" and may_fire(s, "heavy")]
    for squadron in cones:
        if _still_cone([squadron]):
            act.beams.add(squadron)
            _beam(act.table, [squadron])
    joint = [s for s in act.squadrons if s.now.formation.kind == "tfcone"]
    armed = [s for s in joint if may_fire(s, "heavy")]
    if armed and _still_cone(joint):
        act.beams.update(armed)
        _beam(act.table, armed, joint)


def _still_cone(squadrons: Sequence[Squadron]) -> bool:
    ships = [ship for squadron in squadrons for ship in squadron.active]
    return len(ships) >= LIMITS.cone_ships


def _beam(table: Table, armed: Sequence[Squadron], whole: Sequence[Squadron] | None = None) -> None:
    if all(not line_for(table, squadron, "heavy").targets for squadron in armed):
        return
    members = list(whole or armed)
    flag = next((s for s in members if s.flagship is not None), members[0])
    leader = flag.leader
    assert leader is not None
    struck = [
        s for s in table.fleet.values() if s not in members and s.present and in_beam(table, members, leader.spot, s)
    ]
    struck.sort(key=lambda s: (sight.distance_to((leader.spot,), s), s.name))
    for target in struck:
        if not target.present:
            continue
        volleys = [
            Volley(
                s.name,
                s.key,
                sight.targeting_number(s, "heavy", target, 0, cone=True),
                len(s.active) * s.weapons("heavy"),
                s,
            )
            for s in armed
        ]
        sources = [spot for squadron in armed for spot in squadron.spots]
        label = (armed[0].key, "beam", target.key)
        blow = Blow("heavy", WEAPONS["heavy"].power, label, sources, rule="BS-FRM-8", attackers=list(armed))
        attack(table, volleys, target, blow)


def in_beam(table: Table, members: Sequence[Squadron], leader: Spot, target: Squadron) -> bool:
    """BS-FRM-8: a ship in the rectangle, not hidden by a massive body from all firing ships."""
    facing = members[0].now.facing
    own = [along_and_aside(facing, s.x - leader.x, s.y - leader.y)[1] for member in members for s in member.spots]
    inside = []
    for ship in target.present:
        ahead, aside = along_and_aside(facing, ship.now.x - leader.x, ship.now.y - leader.y)
        if 0 <= ahead <= LIMITS.cone_range * 1_000_000 and min(own) <= aside <= max(own):
            inside.append(ship)
    if not inside:
        return False
    spots = [spot for member in members for spot in member.spots]
    screen = sight.Screen(table, members[0].side, spots, target)
    screen.ships = []
    screen.is_empty = not screen.solids
    return any(not screen.blocks(spot, ship.spot) for spot in spots for ship in inside)

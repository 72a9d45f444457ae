"""Who invades whom, orbital battle, bombardment and landing (rule book 4.10: EN-GRD, EN-ORB, EN-BOM)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.encounters.plans import BattlePlan
from games.encounters.rules.battle import Battle, doctrines_of, setting
from games.encounters.rules.board import Board
from games.encounters.rules.capture import capture, capturer
from games.encounters.rules.engagement import begin, fight, join_forces, plan_of
from games.encounters.rules.groundfire import GroundBattle, fight_on_the_ground
from games.encounters.rules.squadrons import Role, gather
from games.encounters.state import BattleStart, Unit
from games.encounters.tables import tables

Bloc = tuple[str, ...]
Plans = Mapping[str, BattlePlan]
STATS = ("PROD", "MOR", "CEN")
STEP = "the ground"


# --- who is concerned ------------------------------------------------------------------------------------------------


def can_land(board: Board, unit: Unit) -> bool:
    """EN-GFE-1, EN-GEN-3: a troop aboard an intact ship or Station that is in play."""
    if unit.carrier is None or not board.is_troop(unit) or not unit.in_play:
        return False
    carrier = board.units[unit.carrier]
    return carrier.intact and carrier.in_play


def landed_troops(board: Board, system: str, bloc: Sequence[str]) -> list[Unit]:
    return [u for u in board.at(system) if u.landed and u.owner in bloc and board.is_troop(u)]


def may_start(board: Board, power: str, system: str) -> bool:
    """EN-GRD-1: troops aboard or landed, where the system is neutral, hostile or holds hostile landed troops."""
    mine = [unit for unit in board.at(system) if unit.owner == power and board.is_troop(unit)]
    if not any(unit.landed or can_land(board, unit) for unit in mine):
        return False
    owner = board.systems[system].owner
    if owner is None or not board.same_bloc(power, owner):
        return True
    return bool(landed_troops(board, system, [key for key in board.seats if not board.same_bloc(power, key)]))


def opponent_of(board: Board, bloc: Bloc, system: str) -> Bloc | None:
    """EN-GRD-2: the owner's bloc; else the bloc with most troop CC landed there; else nobody."""
    owner = board.systems[system].owner
    if owner is not None and owner not in bloc:
        return board.members(owner)
    others = board.blocs_among(unit.owner for unit in board.at(system) if unit.landed and board.is_troop(unit))
    hostile = [other for other in others if other != bloc]
    if not hostile:
        return None
    weight = {other: sum(board.design(u).CC for u in landed_troops(board, system, other)) for other in hostile}
    return min(hostile, key=lambda other: (-weight[other], board.seat(board.lead(other, system))))


def concerned_on_the_ground(board: Board, system: str) -> list[str]:
    """3.1: powers that may start a ground battle, and those that must face it."""
    starters = [key for key in board.seats if may_start(board, key, system)]
    asked = set(starters)
    for key in starters:
        against = opponent_of(board, board.members(key), system)
        asked |= set(against or ()) & board.present(system)
    return board.by_seat(asked)


# --- steps 13 to 16 --------------------------------------------------------------------------------------------------


@dataclass
class Used:
    """What has been done in one system this turn."""

    fought: set[frozenset[Bloc]] = field(default_factory=set)
    bombarded: set[str] = field(default_factory=set)
    orbital_battles: int = 0
    invasions: dict[Bloc, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Aloft:
    """6.3: what serves an orbital battle; its orders may come from the battle letter where the ground is silent."""

    plans: Plans
    starts: Sequence[BattleStart] = ()


def fight_for_system(board: Board, system: str, plans: Plans, aloft: Aloft) -> None:
    """EN-GRD-5: invading blocs act one after the other; owner and opponent are looked up anew for each."""
    used = Used()
    for bloc in starting_blocs(board, system, plans):
        against = opponent_of(board, bloc, system)
        if against is None:
            land_unopposed(board, system, bloc, plans, used)
        elif frozenset((bloc, against)) not in used.fought:
            used.fought.add(frozenset((bloc, against)))
            invade(board, system, bloc, against, plans, aloft, used)


def starting_blocs(board: Board, system: str, plans: Plans) -> list[Bloc]:
    """EN-GRD-4, 5: blocs with a member that ordered ``invade`` or ``assault``, highest readiness first."""
    starters = [k for k in board.seats if is_starting(plan_of(plans, k)) and may_start(board, k, system)]
    encounter = board.encounters.get(system)

    def rank(bloc: Bloc) -> tuple[int, int]:
        lead = board.lead(bloc, system)
        totals = [pair.total for pair in encounter.pairs if pair.bloc == lead] if encounter else []
        return (-max(totals, default=0), board.seat(lead))

    return sorted(board.blocs_among(starters), key=rank)


def is_starting(plan: BattlePlan) -> bool:
    return plan.start in ("invade", "assault")


def landers(board: Board, system: str, bloc: Bloc, plans: Plans, *, defending: bool) -> list[Unit]:
    """EN-GFE-1: troops aboard that take part; an invader's only by ``invade``, a defender's unless left out."""
    found = []
    for unit in board.at(system):
        plan = plan_of(plans, unit.owner)
        willing = plan.start == "invade" or (defending and plan.start != "assault")
        if unit.owner in bloc and willing and unit.id not in plan.exclude_own and can_land(board, unit):
            found.append(unit)
    return found


def land_unopposed(board: Board, system: str, bloc: Bloc, plans: Plans, used: Used) -> None:
    """EN-GRD-3: no dice; troops land and capture follows."""
    if board.systems[system].owner in bloc:
        # The enemy who was to be met here has been beaten earlier this turn.
        return
    landing = landers(board, system, bloc, plans, defending=False)
    bombard(board, system, bloc, plans, used, supporters=frozenset())
    land(board, system, landing)
    owner = capturer(board, system, bloc)
    if owner is not None:
        capture(board, system, owner)


def land(board: Board, system: str, troops: Sequence[Unit]) -> None:
    for unit in troops:
        board.change(unit.id, carrier=None, landed=True)
    if troops:
        facts: dict[str, Any] = {"system": system, "power": troops[0].owner, "units": [unit.name for unit in troops]}
        board.tell("landed", "EN-GFE-1", STEP, board.present(system), **facts)


def invade(board: Board, system: str, starter: Bloc, against: Bloc, plans: Plans, aloft: Aloft, used: Used) -> None:
    """Steps 13 to 16 for one pair of blocs."""
    owner = board.systems[system].owner
    invader, defender = (against, starter) if owner is not None and owner in starter else (starter, against)
    excluded: set[int] = set()
    landing = landers(board, system, invader, plans, defending=False)
    beachhead = bool(landed_troops(board, system, invader))
    if landing and not beachhead and owner is not None and owner in defender:
        excluded = orbital_battle(board, system, invader, defender, landing, aloft, used)
    landing = still_able(board, landing, excluded)
    if not landing and not landed_troops(board, system, invader):
        facts: dict[str, Any] = {"system": system, "power": board.lead(invader, system), "units": []}
        board.tell("landed", "EN-ORB-4", STEP, board.present(system), **facts)
        return
    reinforcements = still_able(board, landers(board, system, defender, plans, defending=True), excluded)
    fighting = {unit.owner for unit in (*landing, *reinforcements)}
    fighting |= {unit.owner for unit in landed_troops(board, system, (*invader, *defender))}
    bonus = bombard(board, system, [*invader, *defender], plans, used, supporters=frozenset(fighting))
    land(board, system, landing)
    land(board, system, reinforcements)
    battle = GroundBattle(board, system, invader, defender, plans, bonus, frozenset(excluded))
    battle.landing = "beachhead" if landing and beachhead else ("first" if landing else "")
    battle.number = used.invasions[invader] = used.invasions.get(invader, 0) + 1
    fight_on_the_ground(battle)
    taker = capturer(board, system, invader)
    if taker is not None and not landed_troops(board, system, defender):
        capture(board, system, taker)


def still_able(board: Board, troops: Sequence[Unit], excluded: set[int]) -> list[Unit]:
    """EN-ORB-3: troops aboard a destroyed, crippled, retreated or excluded ship do not land."""
    alive = [board.units[unit.id] for unit in troops if unit.id in board.units]
    return [unit for unit in alive if can_land(board, unit) and unit.carrier not in excluded]


# --- step 13 ---------------------------------------------------------------------------------------------------------


def forces_orbital(board: Board, system: str, owner: str, defender: Bloc, plans: Plans) -> bool:
    """EN-ORB-1: the owner decides; by default yes if its side has any ship, base or flight there."""
    plan = plan_of(plans, owner)
    flagship = gather(board, owner, system, plan, Role(home=True)).flagship
    if setting(plan, doctrines_of(board, owner, flagship), "orbital") != "yes":
        return False
    here = [unit for unit in board.at(system) if unit.owner in defender and unit.in_play]
    return any(not board.is_troop(unit) for unit in here)


def orbital_battle(
    board: Board,
    system: str,
    invader: Bloc,
    defender: Bloc,
    landing: Sequence[Unit],
    aloft: Aloft,
    used: Used,
) -> set[int]:
    """EN-ORB-1, 2, 3: fight for the landing; returns the ships that were excluded from it."""
    owner = board.systems[system].owner
    assert owner is not None, "only an owner forces an orbital battle"
    if not forces_orbital(board, system, owner, defender, aloft.plans):
        return set()
    used.orbital_battles += 1
    battle = Battle(board, "orbital", system, used.orbital_battles, (invader, defender))
    battle.wanted = {key for key in invader if plan_of(aloft.plans, key).start == "invade"} | {owner}
    begin(battle, aloft.plans, aloft.starts)
    carriers = tuple(sorted({unit.carrier for unit in landing if unit.carrier is not None}))
    roles = {key: Role(landing=carriers) for key in invader} | {key: Role(home=True) for key in defender}
    sides = board.present(system) & {*invader, *defender}
    board.tell("orbital", "EN-ORB-1", STEP, sides, system=system, forced_by=owner)
    join_forces(battle, roles)
    fight(battle)
    return {one.id for force in battle.forces for one in force.excluded}


# --- step 14 ---------------------------------------------------------------------------------------------------------


def bombardment_points(board: Board, system: str, power: str) -> int:
    """EN-BOM-1: AS of the power's intact ships there; not of bases, retreated or scattered ships."""
    ships = [unit for unit in board.at(system) if unit.owner == power and unit.intact and unit.in_play]
    return sum(board.design(unit).AS for unit in ships if board.is_ship(unit))


def bombard(
    board: Board, system: str, powers: Sequence[str], plans: Plans, used: Used, supporters: frozenset[str]
) -> dict[str, int]:
    """EN-BOM-2..5: each power uses all its points in one way; returns the support bonus of each."""
    bonus: dict[str, int] = {}
    strikes: list[tuple[str, int]] = []
    for key in board.by_seat(powers):
        use = plan_of(plans, key).bombard or ("support" if key in supporters else "none")
        points = bombardment_points(board, system, key)
        if key in used.bombarded or not points or use == "none":
            continue
        used.bombarded.add(key)
        if use == "strike":
            strikes.append((key, points))
        elif key in supporters:
            bonus[key] = points // tables().ground.support_points
            facts: dict[str, Any] = {
                "system": system,
                "power": key,
                "points": points,
                "use": "support",
                "effect": bonus[key],
            }
            board.tell("bombard", "EN-BOM-3", STEP, board.present(system), **facts, stats=[])
    for key, points in strikes:
        strike(board, system, key, points, plan_of(plans, key).strike)
    return bonus


def strike(board: Board, system: str, power: str, points: int, listed: Sequence[str]) -> None:
    """EN-BOM-4: one point off a stat for every 16, in the order listed, cycling; a stat at 0 is skipped."""
    owner = board.systems[system].owner
    if owner is not None and board.same_bloc(power, owner):
        return
    order = tuple(stat.upper() for stat in listed) or STATS
    hits: list[str] = []
    wounds, turn = points // tables().ground.strike_points, 0
    while len(hits) < wounds and any(getattr(board.systems[system], stat) for stat in order):
        stat = order[turn % len(order)]
        turn += 1
        value: int = getattr(board.systems[system], stat)
        if not value:
            continue
        hits.append(stat)
        board.set_system(system, **{stat: value - 1})
        now = board.systems[system]
        board.set_system(system, PROD=min(now.PROD, now.CEN), MOR=min(now.MOR, now.CEN))
    facts: dict[str, Any] = {"system": system, "power": power, "points": points, "use": "strike", "effect": len(hits)}
    board.tell("bombard", "EN-BOM-4", STEP, board.present(system), **facts, stats=hits)

"""Who invades whom, orbital battle, bombardment, landing and capture (4.10: EN-GRD, EN-ORB, EN-BOM, EN-CAP)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.encounters.data import tables
from games.encounters.rules.battle import Battle
from games.encounters.rules.combat import Bloc, doctrines_of, setting
from games.encounters.rules.contacts import hear_of
from games.encounters.rules.engagement import Plans, begin, fight, join_forces
from games.encounters.rules.groundfire import GroundBattle, fight_on_the_ground
from games.encounters.rules.names import next_name, used_names
from games.encounters.rules.squadrons import Role, gather
from games.encounters.state import BattleStart, Unit
from games.encounters.table import Table

STATS = ("PROD", "MOR", "CEN")


# --- who is concerned ------------------------------------------------------------------------------------------------


def can_land(table: Table, unit: Unit) -> bool:
    """EN-GFE-1, EN-GEN-3: a troop aboard an intact ship or Station that is in play."""
    if unit.carrier is None or not table.is_troop(unit) or not unit.in_play:
        return False
    carrier = table.units[unit.carrier]
    return carrier.intact and carrier.in_play


def landed_troops(table: Table, system: str, bloc: Sequence[str]) -> list[Unit]:
    return [u for u in table.at(system) if u.landed and u.owner in bloc and table.is_troop(u)]


def may_start(table: Table, power: str, system: str) -> bool:
    """EN-GRD-1: troops aboard or landed, where the system is neutral, hostile or holds hostile landed troops."""
    mine = [unit for unit in table.at(system) if unit.owner == power and table.is_troop(unit)]
    if not any(unit.landed or can_land(table, unit) for unit in mine):
        return False
    owner = table.systems[system].owner
    if owner is None or not table.same_bloc(power, owner):
        return True
    return bool(landed_troops(table, system, [key for key in table.seats if not table.same_bloc(power, key)]))


def opponent_of(table: Table, bloc: Bloc, system: str) -> Bloc | None:
    """EN-GRD-2: the owner's bloc; else the bloc with most troop CC landed there; else nobody."""
    owner = table.systems[system].owner
    if owner is not None and owner not in bloc:
        return table.members(owner)
    others = table.blocs_among(unit.owner for unit in table.at(system) if unit.landed and table.is_troop(unit))
    hostile = [other for other in others if other != bloc]
    if not hostile:
        return None
    weight = {other: sum(table.design(u).CC for u in landed_troops(table, system, other)) for other in hostile}
    return min(hostile, key=lambda other: (-weight[other], table.seat(table.lead(other, system))))


def concerned_on_the_ground(table: Table, system: str) -> list[str]:
    """3.1: powers that may start a ground battle, and those that must face it."""
    starters = [key for key in table.seats if may_start(table, key, system)]
    asked = set(starters)
    for key in starters:
        against = opponent_of(table, table.members(key), system)
        asked |= set(against or ()) & table.present(system)
    return table.by_seat(asked)


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


def fight_for_system(table: Table, system: str, plans: Plans, aloft: Aloft) -> None:
    """EN-GRD-5: invading blocs act one after the other; owner and opponent are looked up anew for each."""
    table.step = "the ground"
    used = Used()
    for bloc in starting_blocs(table, system, plans):
        against = opponent_of(table, bloc, system)
        if against is None:
            land_unopposed(table, system, bloc, plans, used)
        elif frozenset((bloc, against)) not in used.fought:
            used.fought.add(frozenset((bloc, against)))
            invade(table, system, bloc, against, plans, aloft, used)


def starting_blocs(table: Table, system: str, plans: Plans) -> list[Bloc]:
    """EN-GRD-4, 5: blocs with a member that ordered ``invade`` or ``assault``, highest readiness first."""
    ordered = [key for key in table.seats if plans[key].start in ("invade", "assault")]
    starters = [key for key in ordered if may_start(table, key, system)]

    def rank(bloc: Bloc) -> tuple[int, int]:
        totals = [pair.total for pair in table.readiness(system, bloc[0])]
        return (-max(totals, default=0), table.seat(table.lead(bloc, system)))

    return sorted(table.blocs_among(starters), key=rank)


def landers(table: Table, system: str, bloc: Bloc, plans: Plans, *, defending: bool) -> list[Unit]:
    """EN-GFE-1: troops aboard that take part; an invader's only by ``invade``, a defender's unless left out."""

    def willing(unit: Unit) -> bool:
        plan = plans[unit.owner]
        lands = plan.start == "invade" or (defending and plan.start != "assault")
        return lands and unit.id not in plan.exclude_own

    return [unit for unit in table.at(system) if unit.owner in bloc and willing(unit) and can_land(table, unit)]


def land_unopposed(table: Table, system: str, bloc: Bloc, plans: Plans, used: Used) -> None:
    """EN-GRD-3: no dice; troops land and capture follows."""
    if table.systems[system].owner in bloc:
        # The enemy who was to be met here has been beaten earlier this turn.
        return
    landing = landers(table, system, bloc, plans, defending=False)
    bombard(table, system, bloc, plans, used, supporters=frozenset())
    land(table, system, landing)
    owner = capturer(table, system, bloc)
    if owner is not None:
        capture(table, system, owner)


def land(table: Table, system: str, troops: Sequence[Unit]) -> None:
    """EN-GFE-1: the troops are down; whoever is present hears their names and remembers them."""
    for unit in troops:
        table.change(unit, carrier=None, landed=True)
    if troops:
        names = [unit.name for unit in troops]
        facts = {"system": system, "power": troops[0].owner, "units": names}
        table.tell("landed", "EN-GFE-1", table.present(system), facts)
        for key in table.by_seat(table.present(system) - set(table.members(troops[0].owner))):
            hear_of(table, key, names)


def invade(table: Table, system: str, starter: Bloc, against: Bloc, plans: Plans, aloft: Aloft, used: Used) -> None:
    """Steps 13 to 16 for one pair of blocs."""
    owner = table.systems[system].owner
    invader, defender = (against, starter) if owner is not None and owner in starter else (starter, against)
    excluded: set[int] = set()
    landing = landers(table, system, invader, plans, defending=False)
    beachhead = bool(landed_troops(table, system, invader))
    if landing and not beachhead and owner is not None and owner in defender:
        excluded = orbital_battle(table, system, invader, defender, landing, aloft, used)
    landing = still_able(table, landing, excluded)
    if not landing and not landed_troops(table, system, invader):
        facts = {"system": system, "power": table.lead(invader, system), "units": []}
        table.tell("landed", "EN-ORB-4", table.present(system), facts)
        return
    reinforcements = still_able(table, landers(table, system, defender, plans, defending=True), excluded)
    fighting = {unit.owner for unit in (*landing, *reinforcements)}
    fighting |= {unit.owner for unit in landed_troops(table, system, (*invader, *defender))}
    bonus = bombard(table, system, [*invader, *defender], plans, used, supporters=frozenset(fighting))
    land(table, system, landing)
    land(table, system, reinforcements)
    battle = GroundBattle(table, system, (invader, defender), plans)
    battle.bonus, battle.excluded = bonus, excluded
    battle.landing = "beachhead" if landing and beachhead else ("first" if landing else "")
    battle.number = used.invasions[invader] = used.invasions.get(invader, 0) + 1
    fight_on_the_ground(battle)
    taker = capturer(table, system, invader)
    if taker is not None and not landed_troops(table, system, defender):
        capture(table, system, taker)


def still_able(table: Table, troops: Sequence[Unit], excluded: set[int]) -> list[Unit]:
    """EN-ORB-3: troops aboard a destroyed, crippled, retreated or excluded ship do not land."""
    alive = [table.units[unit.id] for unit in troops if unit.id in table.units]
    return [unit for unit in alive if can_land(table, unit) and unit.carrier not in excluded]


# --- step 13 ---------------------------------------------------------------------------------------------------------


def forces_orbital(table: Table, system: str, owner: str, defender: Bloc, plans: Plans) -> bool:
    """EN-ORB-1: the owner decides; by default yes if its side has any ship, base or flight there."""
    plan = plans[owner]
    flagship = gather(table, owner, system, plan, Role(home=True)).flagship
    if setting(plan, doctrines_of(table, owner, flagship), "orbital") != "yes":
        return False
    here = [unit for unit in table.at(system) if unit.owner in defender and unit.in_play]
    return any(not table.is_troop(unit) for unit in here)


def orbital_battle(
    table: Table, system: str, invader: Bloc, defender: Bloc, landing: Sequence[Unit], aloft: Aloft, used: Used
) -> set[int]:
    """EN-ORB-1, 2, 3: fight for the landing; returns the ships that were excluded from it."""
    owner = table.systems[system].owner
    assert owner is not None, "only an owner forces an orbital battle"
    if not forces_orbital(table, system, owner, defender, aloft.plans):
        return set()
    used.orbital_battles += 1
    battle = Battle(table, "orbital", system, used.orbital_battles, (invader, defender))
    battle.wanted = {key for key in invader if aloft.plans[key].start == "invade"} | {owner}
    begin(battle, aloft.plans, aloft.starts)
    carriers = tuple(sorted({unit.carrier for unit in landing if unit.carrier is not None}))
    roles = {key: Role(landing=carriers) for key in invader} | {key: Role(home=True) for key in defender}
    sides = table.present(system) & {*invader, *defender}
    table.tell("orbital", "EN-ORB-1", sides, {"system": system, "forced_by": owner})
    join_forces(battle, roles)
    fight(battle)
    return {unit.id for force in battle.forces for unit in force.excluded}


# --- step 14 ---------------------------------------------------------------------------------------------------------


def bombardment_points(table: Table, system: str, power: str) -> int:
    """EN-BOM-1: AS of the power's intact ships there; not of bases, retreated or scattered ships."""
    ships = [unit for unit in table.at(system) if unit.owner == power and unit.intact and unit.in_play]
    return sum(table.design(unit).AS for unit in ships if table.is_ship(unit))


def bombard(
    table: Table, system: str, powers: Sequence[str], plans: Plans, used: Used, supporters: frozenset[str]
) -> dict[str, int]:
    """EN-BOM-2..5: each power uses all its points in one way; returns the support bonus of each."""
    bonus: dict[str, int] = {}
    strikes: list[tuple[str, int]] = []
    for key in table.by_seat(powers):
        use = plans[key].bombard or ("support" if key in supporters else "none")
        points = bombardment_points(table, system, key)
        if key in used.bombarded or not points or use == "none":
            continue
        used.bombarded.add(key)
        if use == "strike":
            strikes.append((key, points))
        elif key in supporters:
            bonus[key] = points // tables().ground.support_points
            facts = {"system": system, "power": key, "points": points, "use": "support", "effect": bonus[key]}
            table.tell("bombard", "EN-BOM-3", table.present(system), {**facts, "stats": []})
    for key, points in strikes:
        strike(table, system, key, points, plans[key].strike)
    return bonus


def strike(table: Table, system: str, power: str, points: int, listed: Sequence[str]) -> None:
    """EN-BOM-4: one point off a stat for every 16, in the order listed, cycling; a stat at 0 is skipped."""
    owner = table.systems[system].owner
    if owner is not None and table.same_bloc(power, owner):
        return
    order = tuple(stat.upper() for stat in listed) or STATS
    hits: list[str] = []
    wounds, turn = points // tables().ground.strike_points, 0
    while len(hits) < wounds and any(getattr(table.systems[system], stat) for stat in order):
        stat = order[turn % len(order)]
        turn += 1
        value: int = getattr(table.systems[system], stat)
        if not value:
            continue
        hits.append(stat)
        now = table.change(table.systems[system], **{stat: value - 1})
        table.change(now, PROD=min(now.PROD, now.CEN), MOR=min(now.MOR, now.CEN))
    facts = {"system": system, "power": power, "points": points, "use": "strike", "effect": len(hits)}
    table.tell("bombard", "EN-BOM-4", table.present(system), {**facts, "stats": hits})


# --- step 16 ---------------------------------------------------------------------------------------------------------


def capturer(table: Table, system: str, bloc: tuple[str, ...]) -> str | None:
    """EN-CAP-1: the member with most intact landed troop CC; tie: seat. None: no intact troop landed."""
    weight = dict.fromkeys(bloc, 0)
    for unit in table.at(system):
        if unit.owner in weight and unit.landed and unit.intact and table.is_troop(unit):
            weight[unit.owner] += table.design(unit).CC
    best = min(bloc, key=lambda key: (-weight[key], table.seat(key)))
    return best if weight[best] else None


def capture(table: Table, system: str, power: str) -> None:
    """EN-CAP-1: the system changes hands, and with it or by it what stands there."""
    taken = table.systems[system]
    if taken.owner == power:
        return
    table.change(taken, owner=power, MOR=max(0, taken.MOR - tables().ground.capture_morale))
    with table.during("capture"):
        facts = {"system": system, "from": taken.owner or "", "to": power}
        table.tell("capture", "EN-CAP-1", table.seats, facts)
        if taken.owner is not None:
            seize(table, system, taken.owner, power)


def seize(table: Table, system: str, old: str, power: str) -> None:
    """EN-CAP-1: builds and Intel are lost, defences and flights destroyed, Stations pass over crippled."""
    builds = [build for build in table.builds.values() if build.system == system and build.owner == old]
    for build in builds:
        del table.builds[build.order]
    intel = table.powers[old].intel
    table.change(table.powers[old], intel={name: points for name, points in intel.items() if name != system})
    taken: list[str] = []
    destroyed: list[str] = []
    for unit in table.at(system):
        if unit.id not in table.units or unit.owner != old:
            continue
        if table.is_station(unit):
            destroyed.extend(destroy(table, passenger) for passenger in table.aboard(unit.id))
            taken.append(hand_over(table, unit, power))
        elif table.design(unit).category == "base" or (table.is_flight(unit) and unit.carrier is None):
            destroyed.append(destroy(table, unit))
    facts = {"system": system, "from": old, "to": power, "units": taken, "destroyed": destroyed}
    lost = {"builds": [table.design_of(build.design).name for build in builds], "intel": intel.get(system, 0)}
    table.tell("seized", "EN-CAP-1", {old, power}, {**facts, **lost})


def destroy(table: Table, unit: Unit) -> str:
    table.lose(unit)
    return unit.name


def hand_over(table: Table, unit: Unit, power: str) -> str:
    """The captor keeps the Station's name unless it has one of that name already."""
    name = unit.name
    if name.casefold() in used_names(table, power):
        name = next_name(table, power, unit.design)
    table.change(unit, owner=power, state="crippled", repairing=False, name=name)
    return name

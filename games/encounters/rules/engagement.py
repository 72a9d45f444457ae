"""Determining combat and fighting the engagements of a system (rule book 4.4, EN-SEQ-4, 3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from games.encounters.orders.plans import BattlePlan, filled_from
from games.encounters.orders.records import MissionLine
from games.encounters.rules.battle import Battle, close_battle, open_battle, open_round, why_over
from games.encounters.rules.combat import Bloc, doctrines_of, setting
from games.encounters.rules.fire import DOGFIGHT, FLAK, SHIPS, STRIKE, exchange
from games.encounters.rules.readiness import blocs_in_space, meets_in_space
from games.encounters.rules.retreat import disperse, pursue, roll_retreats
from games.encounters.rules.squadrons import HOME, IN_SPACE, Role, gather
from games.encounters.state import BattleStart
from games.encounters.table import Table

Plans = Mapping[str, BattlePlan]
"""Every power's plan for one system."""

STEPS = ("missions", "ships", "dogfight", "strike", "retreat")


def concerned_powers(table: Table, system: str) -> list[str]:
    """3.1: powers with a ship or Station where a hostile bloc also has one."""
    if not meets_in_space(table, system):
        return []
    here = (unit.owner for unit in table.at(system) if unit.in_play and table.ship_or_station(unit))
    return table.by_seat(here)


def wants(table: Table, power: str, bloc: Bloc, system: str, plan: BattlePlan) -> bool:
    """EN-CMB-1, 2: the order, or else the standing doctrine ``engage``."""
    if plan.fight is not None:
        return "all" in plan.fight or any(key in bloc for key in plan.fight)
    flagship = gather(table, power, system, plan).flagship
    engage = setting(plan, doctrines_of(table, power, flagship), "engage")
    if engage != "owner":
        return engage == "always"
    owner = table.systems[system].owner
    at_home = owner is not None and table.same_bloc(power, owner)
    return at_home and any(table.powers[power].stance_to(key) == "war" for key in bloc)


def determine_combat(table: Table, system: str, plans: Plans) -> list[tuple[tuple[Bloc, Bloc], set[str]]]:
    """EN-CMB-1, EN-SEQ-4: the pairs that fight, in their order, each with the powers that wanted it."""
    powers = concerned_powers(table, system)
    engagements = []
    for bloc, other in combinations(blocs_in_space(table, system), 2):
        foes = {**dict.fromkeys(bloc, other), **dict.fromkeys(other, bloc)}
        able = [key for key in powers if key in foes]
        wanted = {key for key in able if wants(table, key, foes[key], system, plans[key])}
        if wanted:
            first, second = sorted((bloc, other), key=lambda side: table.seat(table.lead(side, system)))
            engagements.append(((first, second), wanted))
    return sorted(engagements, key=lambda entry: engagement_rank(table, system, entry[0]))


def engagement_rank(table: Table, system: str, pair: tuple[Bloc, Bloc]) -> tuple[int, int, int]:
    """EN-SEQ-4: greater sum of the two readiness totals first; then lower seats of the leads."""
    first, second = (bloc[0] for bloc in pair)
    both = (table.between(system, first, second), table.between(system, second, first))
    leads = [table.seat(table.lead(bloc, system)) for bloc in pair]
    return (-sum(ready.total for ready in both if ready), leads[0], leads[1])


def fight_in_space(table: Table, system: str, plans: Plans, starts: Sequence[BattleStart]) -> None:
    """Steps 11 and 12 in one system."""
    table.step = "the decision to fight"
    present = table.present(system)
    pairs = determine_combat(table, system, plans)
    if not pairs:
        table.tell("no_combat", "EN-CMB-1", present, {"system": system})
    for pair, wanted in pairs:
        here = {unit.owner for unit in table.at(system)}
        sides = [[key for key in bloc if key in here] for bloc in pair]
        facts = {"system": system, "sides": sides, "wanted_by": table.by_seat(wanted)}
        table.tell("combat", "EN-CMB-1", present, facts)
    for number, (pair, wanted) in enumerate(pairs, 1):
        battle = Battle(table, "space", system, number, pair)
        battle.wanted = wanted
        begin(battle, plans, starts)
        join_forces(battle, {})
        fight(battle)


def start_of(starts: Sequence[BattleStart], battle: Battle) -> BattleStart:
    """A situation file may start a battle in the middle."""
    wanted = (battle.system, battle.kind, battle.number)
    here = (start for start in starts if (start.system, start.kind, start.engagement) == wanted)
    return next(here, BattleStart(battle.system))


def begin(battle: Battle, plans: Plans, starts: Sequence[BattleStart]) -> None:
    """The plans of the battle: the orders, and where they are silent what a situation file says."""
    battle.start = start = start_of(starts, battle)
    battle.plans = {key: filled_from(plans[key], plan_from(start, key)) for key in battle.table.seats}
    for key in battle.table.seats:
        plan = battle.plans[key]
        lines = [MissionLine(word, unit, round=start.round) for unit, word in sorted(start.mission.items())]
        spoken_to = {line.unit for line in plan.missions}
        added = [line for line in lines if line.unit not in spoken_to]
        battle.plans[key] = replace(plan, missions=(*added, *plan.missions))


def plan_from(start: BattleStart, power: str) -> BattlePlan:
    """Squadrons and Flagship of a battle that starts in the middle; Stations stand in Home."""
    formed = start.squadrons.get(power, {})
    named = tuple((name, ships) for name, ships in formed.items() if name != HOME)
    return BattlePlan(flagship=start.flagship.get(power), squadrons=named, station=formed.get(HOME, ()))


def join_forces(battle: Battle, roles: Mapping[str, Role]) -> None:
    """EN-CMB-3: every power with something to bring is in the battle."""
    for key in battle.table.by_seat(battle.sides):
        force = gather(battle.table, key, battle.system, battle.plans[key], roles.get(key, IN_SPACE))
        if force.units or force.reserve:
            battle.add(force)


def fight(battle: Battle) -> None:
    """3.3: forced includes and excludes, then round after round until the end."""
    if not battle.left(0) or not battle.left(1):
        return
    open_battle(battle)
    prepare(battle)
    while True:
        fight_round(battle)
        if reason := why_over(battle):
            break
        battle.round += 1
    close_battle(battle, reason)
    disperse(battle)


def prepare(battle: Battle) -> None:
    """Count the ships of round 1, and take over what a situation file says of earlier rounds."""
    start = battle.start
    battle.round = start.round
    for key, steps in sorted(start.residual.items()):
        for step, points in sorted(steps.items()):
            battle.residual[key, step] = points
    for force in battle.forces:
        force.first_cc = sum(unit.design.CC for unit in force.units if unit.is_ship)
        for unit in force.units:
            unit.disorder = unit.id in start.disorder


def fight_round(battle: Battle) -> None:
    """3.3: missions and ratings, ship fire, dogfight, strikes and flak, retreat."""
    open_round(battle)
    first = STEPS.index(battle.start.step) if battle.round == battle.start.round else 0
    if first <= STEPS.index("ships"):
        exchange(battle, SHIPS)
    if first <= STEPS.index("dogfight"):
        exchange(battle, DOGFIGHT)
    if first <= STEPS.index("strike"):
        exchange(battle, STRIKE, FLAK)
    pursue(battle, roll_retreats(battle))

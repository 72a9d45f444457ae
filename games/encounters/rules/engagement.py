"""Determining combat and fighting the engagements of a system (rule book 4.4, EN-SEQ-4, 3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.encounters.plans import BattlePlan, MissionLine, filled_from
from games.encounters.rules.battle import (
    Battle,
    announce_forces,
    close_battle,
    doctrines_of,
    force_units,
    open_round,
    reveal_participants,
    setting,
    why_over,
)
from games.encounters.rules.board import Board
from games.encounters.rules.fire import DOGFIGHT, FLAK, SHIPS, STRIKE, exchange
from games.encounters.rules.readiness import blocs_with, meets_in_space
from games.encounters.rules.retreat import disperse, pursue, roll_retreats
from games.encounters.rules.squadrons import HOME, IN_SPACE, Role, gather
from games.encounters.state import BattleStart

Bloc = tuple[str, ...]
Plans = Mapping[str, BattlePlan]
"""Power to its plan for one system."""

STEP_DECISION = "the decision to fight"
STEPS = ("missions", "ships", "dogfight", "strike", "retreat")


def concerned_powers(board: Board, system: str) -> list[str]:
    """3.1: powers with a ship or Station where a hostile bloc also has one."""
    if not meets_in_space(board, system):
        return []
    here = (unit.owner for unit in board.at(system) if unit.in_play and board.ship_or_station(unit))
    return board.by_seat(here)


def wants(board: Board, power: str, bloc: Bloc, system: str, plan: BattlePlan) -> bool:
    """EN-CMB-1, 2: the order, or else the standing doctrine ``engage``."""
    if plan.fight is not None:
        return "all" in plan.fight or any(key in bloc for key in plan.fight)
    flagship = gather(board, power, system, plan).flagship
    engage = setting(plan, doctrines_of(board, power, flagship), "engage")
    if engage != "owner":
        return engage == "always"
    owner = board.systems[system].owner
    at_home = owner is not None and board.same_bloc(power, owner)
    return at_home and any(board.powers[power].stance_to(key) == "war" for key in bloc)


def determine_combat(board: Board, system: str, plans: Plans) -> list[tuple[tuple[Bloc, Bloc], set[str]]]:
    """EN-CMB-1, EN-SEQ-4: the pairs that fight, in their order, each with the powers that wanted it."""
    blocs = blocs_with(board, system, stations="count")
    powers = concerned_powers(board, system)
    found = []
    for index, one in enumerate(blocs):
        for other in blocs[index + 1 :]:
            pair = in_seat_order(board, system, one, other)
            wanted = {key for key in powers if key in one and wants(board, key, other, system, plan_of(plans, key))}
            wanted |= {key for key in powers if key in other and wants(board, key, one, system, plan_of(plans, key))}
            if wanted:
                found.append((pair, wanted))
    return sorted(found, key=lambda entry: engagement_rank(board, system, entry[0]))


def plan_of(plans: Plans, power: str) -> BattlePlan:
    return plans.get(power, BattlePlan())


def in_seat_order(board: Board, system: str, one: Bloc, other: Bloc) -> tuple[Bloc, Bloc]:
    first = board.seat(board.lead(one, system)) < board.seat(board.lead(other, system))
    return (one, other) if first else (other, one)


def engagement_rank(board: Board, system: str, pair: tuple[Bloc, Bloc]) -> tuple[int, int, int]:
    """EN-SEQ-4: greater sum of the two readiness totals first; then lower seats of the leads."""
    encounter = board.encounters.get(system)
    there = encounter.between(pair[0][0], pair[1][0]) if encounter else None
    back = encounter.between(pair[1][0], pair[0][0]) if encounter else None
    total = (there.total if there else 0) + (back.total if back else 0)
    seats = sorted(board.seat(board.lead(bloc, system)) for bloc in pair)
    return (-total, seats[0], seats[1])


def fight_in_space(board: Board, system: str, plans: Plans, starts: Sequence[BattleStart]) -> None:
    """Steps 11 and 12 in one system."""
    present = board.present(system)
    pairs = determine_combat(board, system, plans)
    if not pairs:
        board.tell("no_combat", "EN-CMB-1", STEP_DECISION, present, system=system)
    for pair, wanted in pairs:
        facts: dict[str, Any] = {"system": system, "sides": [list(bloc_here(board, system, bloc)) for bloc in pair]}
        board.tell("combat", "EN-CMB-1", STEP_DECISION, present, **facts, wanted_by=board.by_seat(wanted))
    for number, (pair, wanted) in enumerate(pairs, 1):
        battle = Battle(board, "space", system, number, pair)
        battle.wanted = wanted
        begin(battle, plans, starts)
        join_forces(battle, {})
        fight(battle)


def bloc_here(board: Board, system: str, bloc: Bloc) -> list[str]:
    here = {unit.owner for unit in board.at(system)}
    return [key for key in bloc if key in here]


def start_of(starts: Sequence[BattleStart], battle: Battle) -> BattleStart:
    """A situation file may start a battle in the middle."""
    wanted = (battle.system, battle.kind, battle.number)
    return next((one for one in starts if (one.system, one.kind, one.engagement) == wanted), BattleStart(battle.system))


def begin(battle: Battle, plans: Plans, starts: Sequence[BattleStart]) -> None:
    """The plans of the battle: the orders, and where they are silent what a situation file says."""
    battle.start = start = start_of(starts, battle)
    battle.plans = {key: filled_from(plan_of(plans, key), plan_from(start, key)) for key in battle.board.seats}
    for key in battle.board.seats:
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
    for key in battle.board.by_seat(battle.sides):
        force = gather(battle.board, key, battle.system, plan_of(battle.plans, key), roles.get(key, IN_SPACE))
        if force.units or force.reserve:
            battle.add(force)


def fight(battle: Battle) -> None:
    """3.3: forced includes and excludes, then round after round until the end."""
    if any(not has_units(battle, index) for index in (0, 1)):
        return
    force_units(battle)
    announce_forces(battle)
    reveal_participants(battle)
    prepare(battle)
    while True:
        fight_round(battle)
        if reason := why_over(battle):
            break
        battle.round += 1
    close_battle(battle, reason)
    disperse(battle)


def has_units(battle: Battle, index: int) -> bool:
    return any(force.units for force in battle.forces if battle.sides[force.power] == index)


def prepare(battle: Battle) -> None:
    """Count the ships of round 1, and take over what a situation file says of earlier rounds."""
    start = battle.start
    battle.round = start.round
    for key, steps in sorted(start.residual.items()):
        for step, points in sorted(steps.items()):
            battle.residual[key, step] = points
    for force in battle.forces:
        force.first_cc = sum(one.design.CC for one in force.units if one.is_ship)
        for one in force.units:
            one.disorder = one.id in start.disorder


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

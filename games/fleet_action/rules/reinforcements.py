"""FA-REI: reinforcing fleets roll for their arrival, and come in by edge or vortex."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.fleet_action import geometry
from games.fleet_action.battle import Battle
from games.fleet_action.orders.records import DeployOrder, FormationOrder
from games.fleet_action.rules import deployment, jump
from games.fleet_action.state import Fleet, Schedule, Squadron
from games.fleet_action.tables import TABLES
from pbem.kit import hexgrid
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex

DEFAULT_SPEED = 5
_INWARD = {"north": 4, "south": 1, "west": 2, "east": 5}


def discount(turn: int) -> int:
    """FA-REI-2: per cent off the price, by the scheduled turn."""
    table = TABLES.reinforcement.discount
    return table[min(turn - TABLES.earliest_reinforcement, len(table) - 1)]


def roll_arrivals(battle: Battle) -> None:
    """FA-REI-3, 4: end of turn, side order, then fleet order; the scatter dice directly after the roll."""
    for side in battle.side_order:
        for fleet in [fleet for fleet in battle.fleets.values() if fleet.side == side]:
            schedule = fleet.schedule
            if schedule is None or schedule.lost or schedule.arrives is not None:
                continue
            if battle.turn >= schedule.turn - 1:
                _roll(battle, fleet, schedule)


def _roll(battle: Battle, fleet: Fleet, schedule: Schedule) -> None:
    if _on_schedule(battle, fleet):
        _tell(battle, fleet, [], "arrives")
        _arrive(battle, fleet, schedule)
        return
    table = TABLES.reinforcement
    first = battle.roll(6, "reinforcements", fleet.name)
    rolls = [first]
    limit = table.arrives_on[min(schedule.checks, len(table.arrives_on) - 1)]
    if schedule.checks == 0 and first.face == table.lost_on:
        rolls.append(battle.roll(6, "reinforcements", fleet.name, "second"))
        if rolls[-1].face == table.lost_on:
            battle.put(replace(fleet, schedule=replace(schedule, lost=True, checks=1)))
            _tell(battle, fleet, rolls, "never")
            return
    if first.face <= limit:
        _tell(battle, fleet, rolls, "arrives")
        _arrive(battle, fleet, schedule)
        return
    battle.put(replace(fleet, schedule=replace(schedule, checks=schedule.checks + 1)))
    _tell(battle, fleet, rolls, "delayed")


def _on_schedule(battle: Battle, fleet: Fleet) -> bool:
    """FA-ABL-8: a strategic planner of the side brings them in without a roll."""
    return any(
        ability.key == "strategic-planner"
        for other in battle.fleets.values()
        if other.side == fleet.side
        for ability in other.abilities
    )


def _tell(battle: Battle, fleet: Fleet, rolls: list[Roll], result: str) -> None:
    arrives = battle.turn + 1 if result == "arrives" else None
    facts: dict[str, Any] = {
        "side": fleet.side,
        "fleet": fleet.name,
        "die": [roll.face for roll in rolls],
        "result": result,
    }
    facts |= {"arrives": arrives, "entry": fleet.schedule.entry if fleet.schedule else "edge"}
    battle.tell("reinforce", "FA-REI-3", fleet.side, facts, rolls)
    if result == "arrives":
        battle.tell("reinforce", "FA-REI-5", battle.others(fleet.side), {**facts, "die": []})


def _arrive(battle: Battle, fleet: Fleet, schedule: Schedule) -> None:
    turn = battle.turn + 1
    battle.put(replace(fleet, schedule=replace(schedule, arrives=turn, checks=schedule.checks + 1)))
    squadrons = [s for s in battle.squadrons.values() if s.fleet == fleet.name and s.state == "waiting"]
    for place, squadron in enumerate(squadrons):
        at, heading = _edge_place(battle, schedule, fleet, place)
        if schedule.entry == "edge":
            squadron = replace(squadron, hex=at, heading=heading, speed=DEFAULT_SPEED)
        battle.put(replace(squadron, arrives=turn))
    if schedule.entry == "jump":
        plans = [p for p in battle.state.plans if battle.squadrons[battle.ships[p.opener].squadron].fleet == fleet.name]
        jump.scatter(battle, [replace(plan, turn=turn) for plan in plans])


def edge_of(battle: Battle, schedule: Schedule, fleet: Fleet) -> str:
    """The edge the scenario names, else the first side's from the north and the others' from the south."""
    return schedule.edge or ("north" if battle.sides[fleet.side].index == 0 else "south")


def _edge_place(battle: Battle, schedule: Schedule, fleet: Fleet, place: int) -> tuple[Hex, int]:
    """Where a squadron stands that is not told where to enter: around the middle of the edge."""
    width, height = battle.state.map_w, battle.state.map_h
    edge = edge_of(battle, schedule, fleet)
    aside = (place + 1) // 2 * 4 * (1 if place % 2 else -1)
    column, row = width // 2 + aside, height // 2 + aside
    places = {"north": (column, 1), "south": (column, height), "west": (1, row), "east": (width, row)}
    at = hexgrid.from_column_row(*places[edge])
    heading = _INWARD[edge]
    return at, heading


def deploy_at_edge(battle: Battle) -> None:
    """FA-REI-5: by ``deploy hex heading d speed v`` in the e-mail of the entry turn."""
    for squadron in list(battle.squadrons.values()):
        if squadron.state == "waiting" and squadron.arrives == battle.turn:
            order = battle.book.one(DeployOrder, squadron.name)
            if order is not None:
                squadron = placed(squadron, order)
            formed = battle.book.one(FormationOrder, squadron.name)
            if formed is not None:
                squadron = replace(squadron, formation=deployment.ordered_formation(battle, squadron, formed))
            battle.put(squadron)


def placed(squadron: Squadron, order: DeployOrder) -> Squadron:
    speed = squadron.speed if order.speed is None else order.speed
    return replace(squadron, hex=order.hex, heading=order.heading, speed=speed)


def enters_here(battle_w: int, battle_h: int, at: Hex, heading: int) -> bool:
    """FA-REI-5: an edge hex, and the hex ahead is on the map."""
    column, row = hexgrid.column_row(at)
    on_edge = column in (1, battle_w) or row in (1, battle_h)
    return on_edge and geometry.on_map(geometry.ahead(at, heading), battle_w, battle_h)

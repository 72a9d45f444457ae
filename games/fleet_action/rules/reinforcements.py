"""FA-REI: reinforcing fleets roll for their arrival, and come in by edge or vortex."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import DeployOrder, FormationOrder
from games.fleet_action.rules import deployment, geometry, jump
from games.fleet_action.state import Fleet, Schedule, Squadron
from games.fleet_action.table import Table
from pbem.kit import hexgrid
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex

_INWARD = {"north": 4, "south": 1, "west": 2, "east": 5}


def discount(turn: int) -> int:
    """FA-REI-2: per cent off the price, by the scheduled turn."""
    rows = TABLES.reinforcement.discount
    return rows[min(turn - TABLES.earliest_reinforcement, len(rows) - 1)]


def roll_arrivals(table: Table) -> None:
    """FA-REI-3, 4: end of turn, side order, then fleet order; the scatter dice directly after the roll."""
    for side in table.side_order:
        for fleet in [fleet for fleet in table.fleets.values() if fleet.side == side]:
            schedule = fleet.schedule
            if schedule is None or schedule.lost or schedule.arrives is not None:
                continue
            if table.turn >= schedule.turn - 1:
                _roll(table, fleet, schedule)


def _roll(table: Table, fleet: Fleet, schedule: Schedule) -> None:
    if _on_schedule(table, fleet):
        _tell(table, fleet, [], "arrives")
        _arrive(table, fleet, schedule)
        return
    rows = TABLES.reinforcement
    first = table.roll(6, "reinforcements", fleet.name)
    rolls = [first]
    limit = rows.arrives_on[min(schedule.checks, len(rows.arrives_on) - 1)]
    if schedule.checks == 0 and first.face == rows.lost_on:
        rolls.append(table.roll(6, "reinforcements", fleet.name, "second"))
        if rolls[-1].face == rows.lost_on:
            table.change(fleet, schedule=replace(schedule, lost=True, checks=1))
            _tell(table, fleet, rolls, "never")
            return
    if first.face <= limit:
        _tell(table, fleet, rolls, "arrives")
        _arrive(table, fleet, schedule)
        return
    table.change(fleet, schedule=replace(schedule, checks=schedule.checks + 1))
    _tell(table, fleet, rolls, "delayed")


def _on_schedule(table: Table, fleet: Fleet) -> bool:
    """FA-ABL-8: a strategic planner of the side brings them in without a roll."""
    return any(
        ability.key == "strategic-planner"
        for other in table.fleets.values()
        if other.side == fleet.side
        for ability in other.abilities
    )


def _tell(table: Table, fleet: Fleet, rolls: list[Roll], result: str) -> None:
    facts = {
        "side": fleet.side,
        "fleet": fleet.name,
        "die": [roll.face for roll in rolls],
        "result": result,
        "arrives": table.turn + 1 if result == "arrives" else None,
        "entry": fleet.schedule.entry if fleet.schedule else "edge",
    }
    table.tell("reinforce", "FA-REI-3", fleet.side, facts, rolls)
    if result == "arrives":
        table.tell("reinforce", "FA-REI-5", table.others(fleet.side), {**facts, "die": []})


def _arrive(table: Table, fleet: Fleet, schedule: Schedule) -> None:
    turn = table.turn + 1
    table.change(fleet, schedule=replace(schedule, arrives=turn, checks=schedule.checks + 1))
    squadrons = [s for s in table.squadrons.values() if s.fleet == fleet.name and s.state == "waiting"]
    for place, squadron in enumerate(squadrons):
        at, heading = _edge_place(table, schedule, fleet, place)
        if schedule.entry == "edge":
            squadron = replace(squadron, hex=at, heading=heading, speed=deployment.DEFAULT_SPEED)
        table.change(squadron, arrives=turn)
    if schedule.entry == "jump":
        plans = [p for p in table.state.plans if table.squadron(table.ships[p.opener]).fleet == fleet.name]
        jump.scatter(table, [replace(plan, turn=turn) for plan in plans])


def edge_of(table: Table, schedule: Schedule, fleet: Fleet) -> str:
    """The edge the scenario names, else the first side's from the north and the others' from the south."""
    return schedule.edge or ("north" if table.sides[fleet.side].index == 0 else "south")


def _edge_place(table: Table, schedule: Schedule, fleet: Fleet, place: int) -> tuple[Hex, int]:
    """Where a squadron stands that is not told where to enter: around the middle of the edge."""
    width, height = table.state.map_w, table.state.map_h
    edge = edge_of(table, schedule, fleet)
    aside = (place + 1) // 2 * 4 * (1 if place % 2 else -1)
    column, row = width // 2 + aside, height // 2 + aside
    places = {"north": (column, 1), "south": (column, height), "west": (1, row), "east": (width, row)}
    at = hexgrid.from_column_row(*places[edge])
    heading = _INWARD[edge]
    return at, heading


def deploy_at_edge(table: Table) -> None:
    """FA-REI-5: by ``deploy hex heading d speed v`` in the e-mail of the entry turn."""
    for squadron in list(table.squadrons.values()):
        if squadron.state == "waiting" and squadron.arrives == table.turn:
            order = table.book.first(DeployOrder, squadron.name)
            if order is not None:
                squadron = placed(squadron, order)
            formed = table.book.first(FormationOrder, squadron.name)
            if formed is not None:
                squadron = replace(squadron, formation=deployment.ordered_formation(table, squadron, formed))
            table.put(squadron)


def placed(squadron: Squadron, order: DeployOrder) -> Squadron:
    speed = squadron.speed if order.speed is None else order.speed
    return replace(squadron, hex=order.hex, heading=order.heading, speed=speed)


def enters_here(width: int, height: int, at: Hex, heading: int) -> bool:
    """FA-REI-5: an edge hex, and the hex ahead is on the map."""
    column, row = hexgrid.column_row(at)
    on_edge = column in (1, width) or row in (1, height)
    return on_edge and geometry.on_map(geometry.ahead(at, heading), width, height)

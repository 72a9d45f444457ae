"""Checks of deployment and jump plans: FA-E-32, FA-E-33."""

from __future__ import annotations

from games.fleet_action import geometry
from games.fleet_action.orders.judging import Judge
from games.fleet_action.orders.records import (
    AdjustOrder,
    DeployOrder,
    EnterGateOrder,
    FleetSpeedOrder,
    FormationOrder,
    PatrolOrder,
    VortexOrder,
)
from games.fleet_action.rules import deployment, reinforcements
from games.fleet_action.state import Squadron
from games.fleet_action.tables import TABLES
from pbem.kit import hexgrid
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.sheet import Accepted, Problem

CODE = "FA-E-32"
DEFAULT = "the scenario's default for that unit"


def check(judge: Judge) -> None:
    """D1, D2, and reinforcements that enter by the edge."""
    stage = judge.desk.table.state.stage
    if stage == "turn":
        for entry in judge.given(DeployOrder):
            _check_entry(judge, entry)
        for formed in judge.given(FormationOrder):
            squadron = judge.desk.table.squadrons[formed.order.unit]
            if squadron.state != "waiting" or squadron.arrives != judge.desk.turn:
                judge.refuse(formed, CODE, f"{squadron.name} does not enter this turn", "", "ignored")
    elif stage == "adjustment":
        _check_adjustments(judge)
    elif stage == "deployment":
        _check_speed(judge)
        _check_patrol(judge)
        for formed in judge.given(FormationOrder):
            _check_formation(judge, formed)
        _check_places(judge)
        _check_ways_in(judge)


def _check_speed(judge: Judge) -> None:
    table = judge.desk.table
    side = table.sides[judge.desk.side]
    limit = deployment.speed_limit(table, side)
    for entry in judge.given(FleetSpeedOrder):
        if entry.order.speed > limit:
            reason = f"fleet speed {entry.order.speed}, 0 to {limit} is possible"
            default = deployment.default_speed(table, side)
            judge.refuse(entry, CODE, reason, f"fleet speed {limit}", f"fleet speed {default}")


def _patrolling(judge: Judge) -> set[str]:
    named = {name for entry in judge.given(PatrolOrder) for name in entry.order.squadrons}
    if named:
        return named
    own = judge.desk.own_squadrons()
    return {squadron.name for squadron in own if squadron.patrol}


def _check_patrol(judge: Judge) -> None:
    """FA-JMP-2: a quarter of the squadrons, rounded up."""
    table = judge.desk.table
    if table.state.engagement != "jump-in" or table.sides[judge.desk.side].jumping:
        return
    needed = deployment.patrols_needed(len(judge.desk.own_squadrons()))
    entries = judge.given(PatrolOrder)
    if entries and len(_patrolling(judge)) < needed:
        reason = f"{len(_patrolling(judge))} squadron(s) on patrol, at least {needed} needed"
        for entry in entries:
            judge.refuse(entry, CODE, reason, f"name {needed}", DEFAULT)


def _check_formation(judge: Judge, entry: Accepted[FormationOrder]) -> None:
    """FA-DEP-1, FA-JMP-10: members within 3 hexes, within 2 when they jump in."""
    table = judge.desk.table
    squadron = table.squadrons[entry.order.unit]
    limit = TABLES.entry_radius if squadron.state == "waiting" else TABLES.deployment_radius
    for name, offset in deployment.ordered_formation(table, squadron, entry.order).items():
        far = distance(geometry.HERE, offset)
        if far > limit:
            reason = f"{name} stands {far} hexes from {squadron.command_ship}, at most {limit} is possible"
            judge.refuse(entry, CODE, reason, f"within {limit}", DEFAULT)
            return


def _check_places(judge: Judge) -> None:
    """FA-DEP-1, 3: the area, 15 hexes from the flagship, 20 for patrols."""
    patrol = _patrolling(judge)
    flagships_first = sorted(judge.given(DeployOrder), key=lambda entry: not _has_flag(judge, entry.order.unit))
    for entry in flagships_first:
        squadron = judge.desk.table.squadrons[entry.order.unit]
        why = _misplaced(judge, squadron, entry.order, on_patrol=squadron.name in patrol)
        if why:
            judge.refuse(entry, CODE, why, "", DEFAULT)


def _has_flag(judge: Judge, name: str) -> bool:
    table = judge.desk.table
    flag = table.flagship_of(table.squadrons[name])
    return flag is not None and flag.squadron == name


def _misplaced(judge: Judge, squadron: Squadron, order: DeployOrder, *, on_patrol: bool) -> str:
    table = judge.desk.table
    if squadron.state == "waiting":
        return f"{squadron.name} enters later and is not deployed"
    area = table.sides[judge.desk.side].area
    column, row = hexgrid.column_row(order.hex)
    if area is not None and not on_patrol:
        inside = area.columns[0] <= column <= area.columns[1] and area.rows[0] <= row <= area.rows[1]
        if not inside:
            size = f"columns {area.columns[0]}-{area.columns[1]}, rows {area.rows[0]}-{area.rows[1]}"
            return f"{hexgrid.name(order.hex)} is outside the deployment area ({size})"
    if lost := _off_map(judge, squadron, order):
        return f"{lost} would stand off the map in the formation of {squadron.name}"
    limit = TABLES.fleet_speed
    if order.speed is not None and (not on_patrol or order.speed > limit):
        return f"speed {order.speed}; only patrols have their own, 0 to {limit}"
    flag = _flag_hex(judge, squadron)
    if flag is None:
        return ""
    far = distance(order.hex, flag)
    if on_patrol and far < TABLES.patrol_distance:
        return f"the patrol is {far} hexes from the flagship, at least {TABLES.patrol_distance} needed"
    if not on_patrol and far > TABLES.flagship_radius:
        return f"{squadron.command_ship} is {far} hexes from the flagship, at most {TABLES.flagship_radius}"
    return ""


def _off_map(judge: Judge, squadron: Squadron, order: DeployOrder) -> str:
    """FA-MAP-8: the first member whose place lies beyond the edge; none: empty."""
    table = judge.desk.table
    formed = judge.one(FormationOrder, squadron.name)
    offsets = deployment.ordered_formation(table, squadron, formed.order) if formed else squadron.formation
    places = {name: order.hex.plus(geometry.to_map(offset, order.heading)) for name, offset in offsets.items()}
    return next((name for name, at in places.items() if not table.on_map(at)), "")


def _flag_hex(judge: Judge, squadron: Squadron) -> Hex | None:
    """Where the fleet's flagship will stand; None for its own squadron."""
    table = judge.desk.table
    flag = table.flagship_of(squadron)
    if flag is None or flag.squadron == squadron.name:
        return None
    order = judge.one(DeployOrder, flag.squadron)
    return order.order.hex if order is not None else table.squadrons[flag.squadron].hex


def _check_ways_in(judge: Judge) -> None:
    """FA-JMP-7, FA-E-33: every squadron of a jumping side needs a vortex of its own, or the gate."""
    table = judge.desk.table
    state = table.state
    if not table.sides[judge.desk.side].jumping or state.gate is not None:
        return
    _check_leaders(judge)
    reserve = {fleet.name for fleet in state.fleets if fleet.schedule is not None}
    ordered = {table.ships[entry.order.ship].squadron for entry in judge.given(VortexOrder)}
    planned = {table.ships[plan.opener].squadron for plan in state.plans}
    for squadron in judge.desk.own_squadrons():
        if squadron.state == "waiting" and squadron.name not in ordered | planned and squadron.fleet not in reserve:
            reason = f"{squadron.name} has no vortex of its own and there is no gate"
            hint = f"vortex {squadron.command_ship} offset F2"
            judge.problems.append(
                Problem(0, squadron.name, "FA-E-33", reason, hint, "it is not fielded", squadron.name)
            )
    for entry in judge.given(EnterGateOrder):
        judge.refuse(entry, "FA-E-33", "there is no jump gate", "", "ignored")


def _check_leaders(judge: Judge) -> None:
    """FA-JMP-12: an offset needs a vortex at a hex before it, or the flagship's."""
    table = judge.desk.table
    entries = judge.given(VortexOrder)
    flags = [fleet.flagship for fleet in table.fleets.values() if fleet.side == judge.desk.side][:1]
    led = {plan.opener for plan in table.state.plans if plan.hex is not None}
    led |= {entry.order.ship for entry in entries if entry.order.hex is not None}
    before = False
    for entry in entries:
        before = before or entry.order.hex is not None
        if not before and not any(flag in led for flag in flags):
            reason = f"the offset of {entry.order.ship} has no vortex at a hex to be measured from"
            judge.refuse(entry, "FA-E-33", reason, f"vortex {flags[0] if flags else '...'} at 4030 first", "ignored")


def _check_adjustments(judge: Judge) -> None:
    """FA-ABL-10: ten hexes in all."""
    table = judge.desk.table
    left = TABLES.planner_hexes
    owns = judge.desk.side in deployment.planners(table)
    for entry in judge.given(AdjustOrder):
        squadron = table.squadrons[entry.order.unit]
        far = distance(squadron.hex, entry.order.hex)
        if not owns:
            judge.refuse(entry, "FA-E-27", "your admiral is no Superior Tactical Planner", "", "ignored")
        elif far > left:
            reason = f"{squadron.name} moves {far} hexes, {left} of {TABLES.planner_hexes} left"
            judge.refuse(entry, CODE, reason, f"at most {left}", DEFAULT)
        else:
            left -= far


def _check_entry(judge: Judge, entry: Accepted[DeployOrder]) -> None:
    """FA-REI-5: on an edge hex, heading inward, speed 0 to 10, in the turn of entry."""
    table = judge.desk.table
    squadron = table.squadrons[entry.order.unit]
    order = entry.order
    schedule = table.fleets[squadron.fleet].schedule
    if squadron.state != "waiting" or squadron.arrives != judge.desk.turn or schedule is None:
        judge.refuse(entry, CODE, f"{squadron.name} does not enter by the edge this turn", "", "ignored")
    elif not reinforcements.enters_here(table.state.map_w, table.state.map_h, order.hex, order.heading):
        reason = f"{hexgrid.name(order.hex)} heading {order.heading} is no edge hex with the map ahead"
        judge.refuse(entry, CODE, reason, f"{hexgrid.name(squadron.hex)} heading {squadron.heading}", DEFAULT)
    elif order.speed is not None and order.speed > TABLES.fleet_speed:
        reason = f"speed {order.speed}, 0 to {TABLES.fleet_speed} is possible"
        judge.refuse(entry, CODE, reason, f"speed {TABLES.fleet_speed}", DEFAULT)

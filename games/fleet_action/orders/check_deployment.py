"""Checks of deployment and jump plans: FA-E-32, FA-E-33."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.fleet_action.data import TABLES
from games.fleet_action.orders.deployment import written_deploy
from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.records import (
    AdjustOrder,
    DeployOrder,
    EnterGateOrder,
    FleetSpeedOrder,
    FormationOrder,
    PatrolOrder,
    VortexOrder,
)
from games.fleet_action.rules import deployment, geometry, reinforcements
from games.fleet_action.state import Squadron
from pbem.kit import hexgrid
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.sheet import Accepted, Problem

CODE = "FA-E-32"
SEARCHED = 24
"""How far about a place a legal one is sought."""
DEFAULT = "the scenario's default for that unit"


def check(desk: Desk) -> None:
    """D1, D2, and reinforcements that enter by the edge."""
    stage = desk.table.state.stage
    if stage == "turn":
        for entry in desk.given(DeployOrder):
            _check_entry(desk, entry)
        for formed in desk.given(FormationOrder):
            squadron = desk.table.squadrons[formed.order.unit]
            if squadron.state != "waiting" or squadron.arrives != desk.turn:
                desk.refuse(formed, CODE, f"{squadron.name} does not enter this turn", "", "ignored")
    elif stage == "adjustment":
        _check_adjustments(desk)
    elif stage == "deployment":
        _check_speed(desk)
        _check_patrol(desk)
        for formed in desk.given(FormationOrder):
            _check_formation(desk, formed)
        _check_places(desk)
        _check_ways_in(desk)


def _check_speed(desk: Desk) -> None:
    table = desk.table
    side = table.sides[desk.side]
    limit = deployment.speed_limit(table, side)
    for entry in desk.given(FleetSpeedOrder):
        if entry.order.speed > limit:
            reason = f"fleet speed {entry.order.speed}, 0 to {limit} is possible"
            most = f"fleet speed {limit}"
            desk.refuse(entry, CODE, reason, most, f"fleet speed {deployment.default_speed(table, side)}", most)


def patrolling(desk: Desk) -> set[str]:
    """FA-JMP-2: the squadrons on patrol, as the letter or else the scenario has it."""
    named = {name for entry in desk.given(PatrolOrder) for name in entry.order.squadrons}
    if named:
        return named
    own = desk.own_squadrons()
    return {squadron.name for squadron in own if squadron.patrol}


def _check_patrol(desk: Desk) -> None:
    """FA-JMP-2: a quarter of the squadrons, rounded up."""
    table = desk.table
    if table.state.engagement != "jump-in" or table.sides[desk.side].jumping:
        return
    needed = deployment.patrols_needed(len(desk.own_squadrons()))
    entries = desk.given(PatrolOrder)
    if entries and len(patrolling(desk)) < needed:
        reason = f"{len(patrolling(desk))} squadron(s) on patrol, at least {needed} needed"
        flags = {squadron.name for squadron in desk.own_squadrons() if has_flag(desk, squadron.name)}
        others = [s.name for s in desk.own_squadrons() if s.name not in patrolling(desk) | flags]
        more = [*sorted(patrolling(desk)), *others][:needed]
        for entry in entries:
            desk.refuse(entry, CODE, reason, f"name {needed}", DEFAULT, f"patrol {', '.join(more)}")


def _check_formation(desk: Desk, entry: Accepted[FormationOrder]) -> None:
    """FA-DEP-1, FA-JMP-10: members within 3 hexes, within 2 when they jump in."""
    table = desk.table
    squadron = table.squadrons[entry.order.unit]
    limit = TABLES.entry_radius if squadron.state == "waiting" else TABLES.deployment_radius
    for name, offset in deployment.ordered_formation(table, squadron, entry.order).items():
        far = distance(geometry.HERE, offset)
        if far > limit:
            reason = f"{name} stands {far} hexes from {squadron.command_ship}, at most {limit} is possible"
            desk.refuse(entry, CODE, reason, f"within {limit}", DEFAULT, _template(desk, squadron, limit))
            return


def _template(desk: Desk, squadron: Squadron, limit: int) -> str:
    """Section 6.3: a formation that keeps within the limit, if one does."""
    for template in TABLES.formation:
        offsets = deployment.ordered_formation(desk.table, squadron, FormationOrder(squadron.name, template))
        if all(distance(geometry.HERE, offset) <= limit for offset in offsets.values()):
            return f"formation {template}"
    return ""


def _check_places(desk: Desk) -> None:
    """FA-DEP-1, 3: the area, 15 hexes from the flagship, 20 for patrols."""
    patrol = patrolling(desk)
    flagships_first = sorted(desk.given(DeployOrder), key=lambda entry: not has_flag(desk, entry.order.unit))
    for entry in flagships_first:
        squadron = desk.table.squadrons[entry.order.unit]
        on_patrol = squadron.name in patrol
        why = misplaced(desk, squadron, entry.order, on_patrol=on_patrol)
        if why:
            fix = _nearest_place(desk, squadron, entry.order, on_patrol=on_patrol)
            desk.refuse(entry, CODE, why, "", DEFAULT, fix)


def has_flag(desk: Desk, name: str) -> bool:
    """The flagship of its fleet sails in the squadron."""
    table = desk.table
    flag = table.flagship_of(table.squadrons[name])
    return flag is not None and flag.squadron == name


def misplaced(desk: Desk, squadron: Squadron, order: DeployOrder, *, on_patrol: bool) -> str:
    """FA-DEP-1, 3, FA-JMP-2: what is wrong with a place; nothing: empty."""
    if squadron.state == "waiting":
        return f"{squadron.name} enters later and is not deployed"
    return (
        _outside(desk, order.hex, on_patrol=on_patrol)
        or off_map(desk, squadron, order, order.hex)
        or _wrong_speed(order, on_patrol=on_patrol)
        or _far_from_flag(desk, squadron, order.hex, on_patrol=on_patrol)
    )


def open_places(desk: Desk, squadron: Squadron, *, on_patrol: bool) -> Iterator[Hex]:
    """The hexes about its place where a squadron may be deployed, nearest first; a heading may still forbid one."""
    for at in hexgrid.disk(squadron.hex, SEARCHED):
        if not desk.table.on_map(at) or _outside(desk, at, on_patrol=on_patrol):
            continue
        if not _far_from_flag(desk, squadron, at, on_patrol=on_patrol):
            yield at


def _nearest_place(desk: Desk, squadron: Squadron, order: DeployOrder, *, on_patrol: bool) -> str:
    speed = min(order.speed, TABLES.fleet_speed) if order.speed is not None and on_patrol else None
    for at in hexgrid.disk(order.hex, SEARCHED):
        moved = replace(order, hex=at, speed=speed)
        if desk.table.on_map(at) and not misplaced(desk, squadron, moved, on_patrol=on_patrol):
            return written_deploy(moved)
    return ""


def _outside(desk: Desk, at: Hex, *, on_patrol: bool) -> str:
    area = desk.table.sides[desk.side].area
    column, row = hexgrid.column_row(at)
    if area is None or on_patrol:
        return ""
    if area.columns[0] <= column <= area.columns[1] and area.rows[0] <= row <= area.rows[1]:
        return ""
    size = f"columns {area.columns[0]}-{area.columns[1]}, rows {area.rows[0]}-{area.rows[1]}"
    return f"{hexgrid.name(at)} is outside the deployment area ({size})"


def _wrong_speed(order: DeployOrder, *, on_patrol: bool) -> str:
    limit = TABLES.fleet_speed
    if order.speed is None or (on_patrol and order.speed <= limit):
        return ""
    return f"speed {order.speed}; only patrols have their own, 0 to {limit}"


def _far_from_flag(desk: Desk, squadron: Squadron, at: Hex, *, on_patrol: bool) -> str:
    flag = flag_hex(desk, squadron)
    if flag is None:
        return ""
    far = distance(at, flag)
    if on_patrol and far < TABLES.patrol_distance:
        return f"the patrol is {far} hexes from the flagship, at least {TABLES.patrol_distance} needed"
    if not on_patrol and far > TABLES.flagship_radius:
        return f"{squadron.command_ship} is {far} hexes from the flagship, at most {TABLES.flagship_radius}"
    return ""


def off_map(desk: Desk, squadron: Squadron, order: DeployOrder, at: Hex) -> str:
    """FA-MAP-8: the first member whose place lies beyond the edge."""
    table = desk.table
    formed = desk.last(FormationOrder, squadron.name)
    offsets = deployment.ordered_formation(table, squadron, formed.order) if formed else squadron.formation
    places = {name: at.plus(geometry.to_map(offset, order.heading)) for name, offset in offsets.items()}
    lost = next((name for name, place in places.items() if not table.on_map(place)), "")
    return f"{lost} would stand off the map in the formation of {squadron.name}" if lost else ""


def flag_hex(desk: Desk, squadron: Squadron) -> Hex | None:
    """Where the fleet's flagship will stand; None for its own squadron."""
    table = desk.table
    flag = table.flagship_of(squadron)
    if flag is None or flag.squadron == squadron.name:
        return None
    order = desk.last(DeployOrder, flag.squadron)
    return order.order.hex if order is not None else table.squadron(flag).hex


def _check_ways_in(desk: Desk) -> None:
    """FA-JMP-7, FA-E-33: every squadron of a jumping side needs a vortex of its own, or the gate."""
    table = desk.table
    state = table.state
    if not table.sides[desk.side].jumping or state.gate is not None:
        return
    _check_leaders(desk)
    reserve = {fleet.name for fleet in state.fleets if fleet.schedule is not None}
    ordered = {table.ships[entry.order.ship].squadron for entry in desk.given(VortexOrder)}
    planned = {table.ships[plan.opener].squadron for plan in state.plans}
    for squadron in desk.own_squadrons():
        if squadron.state == "waiting" and squadron.name not in ordered | planned and squadron.fleet not in reserve:
            reason = f"{squadron.name} has no vortex of its own and there is no gate"
            hint = f"vortex {squadron.command_ship} offset F2"
            desk.problems.append(Problem(0, squadron.name, "FA-E-33", reason, hint, "it is not fielded", squadron.name))
    for entry in desk.given(EnterGateOrder):
        desk.refuse(entry, "FA-E-33", "there is no jump gate", "", "ignored")


def _check_leaders(desk: Desk) -> None:
    """FA-JMP-12: an offset needs a vortex at a hex before it, or the flagship's."""
    table = desk.table
    entries = desk.given(VortexOrder)
    flags = [fleet.flagship for fleet in table.fleets.values() if fleet.side == desk.side][:1]
    led = {plan.opener for plan in table.state.plans if plan.hex is not None}
    led |= {entry.order.ship for entry in entries if entry.order.hex is not None}
    before = False
    for entry in entries:
        before = before or entry.order.hex is not None
        if not before and not any(flag in led for flag in flags):
            reason = f"the offset of {entry.order.ship} has no vortex at a hex to be measured from"
            hint = f"first a line 'vortex {flags[0]} at' and a hex" if flags else "first a vortex at a hex"
            desk.refuse(entry, "FA-E-33", reason, hint, "ignored")


def _check_adjustments(desk: Desk) -> None:
    """FA-ABL-10: ten hexes in all."""
    table = desk.table
    left = TABLES.planner_hexes
    owns = desk.side in deployment.planners(table)
    for entry in desk.given(AdjustOrder):
        squadron, wanted = table.squadrons[entry.order.unit], entry.order.hex
        far = distance(squadron.hex, wanted)
        if not owns:
            desk.refuse(entry, "FA-E-27", "your admiral is no Superior Tactical Planner", "", "ignored")
        elif far > left:
            reason = f"{squadron.name} moves {far} hexes, {left} of {TABLES.planner_hexes} left"
            near = [at for at in hexgrid.disk(squadron.hex, left) if table.on_map(at)]
            fix = f"adjust {hexgrid.name(min(near, key=lambda at: distance(at, wanted)))}" if near else ""
            desk.refuse(entry, CODE, reason, f"at most {left}", DEFAULT, fix)
        else:
            left -= far


# --- reinforcements --------------------------------------------------------------------------------------------------


def enters_by_edge(desk: Desk, squadron: Squadron) -> bool:
    """FA-REI-5: it is told this turn where to enter."""
    scheduled = desk.table.fleet(squadron).schedule is not None
    return squadron.state == "waiting" and squadron.arrives == desk.turn and scheduled


def _check_entry(desk: Desk, entry: Accepted[DeployOrder]) -> None:
    """FA-REI-5: on an edge hex, heading inward, speed 0 to 10, in the turn of entry."""
    squadron, order = desk.table.squadrons[entry.order.unit], entry.order
    if not enters_by_edge(desk, squadron):
        desk.refuse(entry, CODE, f"{squadron.name} does not enter by the edge this turn", "", "ignored")
        return
    speed = None if order.speed is None else min(order.speed, TABLES.fleet_speed)
    if not _enters_here(desk, order):
        reason = f"{hexgrid.name(order.hex)} heading {order.heading} is no edge hex with the map ahead"
        hint = f"{hexgrid.name(squadron.hex)} heading {squadron.heading}"
        desk.refuse(entry, CODE, reason, hint, DEFAULT, _nearest_entry(desk, replace(order, speed=speed)))
    elif speed != order.speed:
        reason = f"speed {order.speed}, 0 to {TABLES.fleet_speed} is possible"
        fix = written_deploy(replace(order, speed=speed))
        desk.refuse(entry, CODE, reason, f"speed {TABLES.fleet_speed}", DEFAULT, fix)


def _enters_here(desk: Desk, order: DeployOrder) -> bool:
    state = desk.table.state
    return reinforcements.enters_here(state.map_w, state.map_h, order.hex, order.heading)


def entries(desk: Desk, squadron: Squadron, heading: int) -> list[Hex]:
    """FA-REI-5: the edge hexes by which it may enter with this heading, those about its default first."""
    width, height = desk.table.state.map_w, desk.table.state.map_h
    places = {(c, r) for c in range(1, width + 1) for r in (1, height)}
    places |= {(c, r) for c in (1, width) for r in range(1, height + 1)}
    edge = [hexgrid.from_column_row(*place) for place in sorted(places)]
    inward = [at for at in edge if reinforcements.enters_here(width, height, at, heading)]
    return sorted(inward, key=lambda at: distance(at, squadron.hex))


def _nearest_entry(desk: Desk, order: DeployOrder) -> str:
    squadron = desk.table.squadrons[order.unit]
    places = entries(desk, squadron, order.heading)
    wanted = order.hex
    nearest = min(places, key=lambda at: distance(at, wanted), default=None)
    return "" if nearest is None else written_deploy(replace(order, hex=nearest))

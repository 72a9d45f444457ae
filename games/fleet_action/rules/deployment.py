"""FA-DEP, FA-JMP-1, 2, FA-ABL-10: deployment, jump plans and the adjustment of a tactical planner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import (
    AdjustOrder,
    AnchorOrder,
    ArriveOrder,
    DeployOrder,
    EnterGateOrder,
    FleetSpeedOrder,
    FormationOrder,
    PatrolOrder,
    VortexHeadingOrder,
    VortexOrder,
)
from games.fleet_action.rules import formation, geometry, jump
from games.fleet_action.state import Side, Squadron, VortexPlan
from games.fleet_action.table import Table, printed
from pbem.kit.hexgrid import Hex, distance

DEFAULT_SPEED = 5


def speed_limit(table: Table, side: Side) -> int:
    """FA-DEP-2, FA-JMP-2: 10, or 4 for a side that is jumped upon."""
    waiting = table.state.engagement == "jump-in" and not side.jumping
    return TABLES.waiting_speed if waiting else TABLES.fleet_speed


def default_speed(table: Table, side: Side) -> int:
    """Section 6.1: what silence means."""
    if side.fleet_speed is not None:
        return side.fleet_speed
    return min(DEFAULT_SPEED, speed_limit(table, side))


def patrols_needed(squadrons: int) -> int:
    """FA-JMP-2: a quarter of the squadrons, rounded up; none for a lone squadron."""
    return 0 if squadrons < 2 else -(-squadrons // TABLES.patrol_share)


# --- D1 --------------------------------------------------------------------------------------------------------------


def deploy(table: Table) -> None:
    """Section 3.2 step 0: D1 closes; places, speeds and plans take effect, then the dice of the start fall."""
    for side in list(table.sides.values()):
        _side(table, side)
    for squadron in list(table.squadrons.values()):
        _place(table, squadron)
    _plan_jumps(table)
    _tell(table)
    jump.scatter_primary(table)
    _gate_queue(table)
    _roll_styles(table)
    table.amend(vortices_formed=True, styles_rolled=True)


def _side(table: Table, side: Side) -> None:
    orders = table.book.of_side(FleetSpeedOrder, side.id)
    headings = table.book.of_side(VortexHeadingOrder, side.id)
    anchored = side.anchored or bool(table.book.of_side(AnchorOrder, side.id))
    table.change(
        side,
        fleet_speed=orders[-1].speed if orders else default_speed(table, side),
        vortex_heading=headings[-1].heading if headings else side.vortex_heading,
        anchored=anchored and table.state.gate is not None,
    )
    patrol = table.book.of_side(PatrolOrder, side.id)
    if patrol:
        named = {name for order in patrol for name in order.squadrons}
        for squadron in list(table.squadrons.values()):
            if squadron.side == side.id:
                table.change(squadron, patrol=squadron.name in named)


def _place(table: Table, squadron: Squadron) -> None:
    order = table.book.first(DeployOrder, squadron.name)
    side = table.sides[squadron.side]
    assert side.fleet_speed is not None
    placed = replace(squadron, speed=side.fleet_speed)
    if order is not None and squadron.state != "waiting":
        speed = order.speed if order.speed is not None and squadron.patrol else side.fleet_speed
        placed = replace(placed, hex=order.hex, heading=order.heading, speed=speed)
    formed = table.book.first(FormationOrder, squadron.name)
    if formed is not None:
        placed = replace(placed, formation=ordered_formation(table, squadron, formed))
    if table.book.first(EnterGateOrder, squadron.name) is not None:
        placed = replace(placed, enter_gate=True)
    table.put(placed)
    if squadron.state == "waiting":
        return
    for ship in table.members(placed):
        at = placed.hex.plus(geometry.to_map(placed.formation[ship.name], placed.heading))
        table.change(ship, hex=at, prev_hex=None)


def ordered_formation(table: Table, squadron: Squadron, order: FormationOrder) -> dict[str, Hex]:
    """FA-DEP-5: each member's offset, fixed from its deployed hex."""
    if not order.template:
        return {**squadron.formation, **order.offsets}
    living = [ship.name for ship in table.members(squadron)]
    slots = formation.slotted(living, squadron.command_ship, order.template)
    return {**dict.fromkeys(squadron.ships, geometry.HERE), **slots}


def _tell(table: Table) -> None:
    for side in table.sides.values():
        if side.jumping:
            continue
        facts = {"side": side.id, "side_name": side.name, "speed": side.fleet_speed}
        table.tell("fleet_speed", "FA-DEP-2", table.audience, facts)
    for squadron in table.in_play():
        tell_place(table, squadron)


def tell_place(table: Table, squadron: Squadron) -> None:
    ships = [{"name": ship.name, "hex": printed(ship.hex)} for ship in table.members(squadron)]
    facts = {
        "side": squadron.side,
        "squadron": squadron.name,
        "hex": printed(squadron.hex),
        "heading": squadron.heading,
        "speed": squadron.speed,
        "ships": ships,
    }
    table.tell("deploy", "FA-DEP-4", table.audience, facts)


# --- jump plans ------------------------------------------------------------------------------------------------------


def _plan_jumps(table: Table) -> None:
    """FA-JMP-1, 12: what was ordered stands before the scenario's plan, opener by opener."""
    plans = {plan.opener: plan for plan in table.state.plans}
    for side in table.sides.values():
        orders = table.book.of_side(VortexOrder, side.id)
        headings = table.book.of_side(VortexHeadingOrder, side.id)
        if orders:
            named = {table.ships[order.ship].squadron for order in orders}
            ordered = ordered_plans(table, side, orders, plans)
            plans = {o: plan for o, plan in plans.items() if table.ships[o].squadron not in named}
            plans.update(ordered)
        if headings or side.anchored:
            for opener, plan in list(plans.items()):
                if table.side_of(table.ships[opener]) == side.id:
                    plans[opener] = replace(plan, heading=_heading(table, side))
    plans = {opener: plan for opener, plan in plans.items() if not _enters_by_gate(table, opener)}
    # An offset from a vortex that nobody opens leads nowhere.
    plans = {opener: plan for opener, plan in plans.items() if plan.leader in plans}
    table.amend(plans=tuple(_dated(table, plans)))


def _enters_by_gate(table: Table, opener: str) -> bool:
    """FA-JMP-7: a squadron that is sent through the gate opens no vortex."""
    return table.squadron(table.ships[opener]).enter_gate


def _heading(table: Table, side: Side) -> int:
    """FA-JMP-5: on the gate's beacon all vortices face its way."""
    gate = table.state.gate
    return gate.direction if side.anchored and gate is not None else side.vortex_heading


def ordered_plans(
    table: Table, side: Side, orders: list[VortexOrder], planned: Mapping[str, VortexPlan]
) -> dict[str, VortexPlan]:
    """FA-JMP-12: an offset belongs to the hex that stands last before it, the flagship's if none does."""
    flags = [fleet.flagship for fleet in table.fleets.values() if fleet.side == side.id]
    leader = next((flag for flag in flags), "")
    plans: dict[str, VortexPlan] = {}
    for order in orders:
        if order.hex is not None:
            leader = order.ship
        of = plans.get(leader) or planned.get(leader)
        turn = 1 if order.hex is not None or of is None else of.turn
        heading = of.heading if of is not None else _heading(table, side)
        plans[order.ship] = VortexPlan(order.ship, leader, order.hex, order.offset, turn, heading)
    return plans


def _dated(table: Table, plans: Mapping[str, VortexPlan]) -> list[VortexPlan]:
    """FA-JMP-12: ``arrive turn n`` in the block of a leader's squadron dates its whole group."""
    flags = {fleet.flagship for fleet in table.fleets.values()}
    dates: dict[str, int] = {}
    for plan in plans.values():
        if plan.hex is None:
            continue
        order = table.book.first(ArriveOrder, table.ships[plan.opener].squadron)
        primary = plan.opener in flags and not table.sides[table.side_of(table.ships[plan.opener])].anchored
        dates[plan.opener] = plan.turn if order is None or primary else order.turn
    dated = [replace(plan, turn=dates.get(plan.leader, plan.turn)) for plan in plans.values()]
    for plan in dated:
        squadron = table.squadron(table.ships[plan.opener])
        table.change(squadron, arrives=plan.turn)
    return dated


def _gate_queue(table: Table) -> None:
    """FA-JMP-7: the gate passes one squadron a turn, in roster order; who has no way in stays out."""
    gate = table.state.gate
    turn = 1
    planned = {table.ships[plan.opener].squadron for plan in table.state.plans}
    reserve = {fleet.name for fleet in table.fleets.values() if fleet.schedule is not None}
    for squadron in list(table.squadrons.values()):
        if squadron.state != "waiting" or squadron.fleet in reserve:
            continue
        if squadron.name in planned and not squadron.enter_gate:
            continue
        if gate is None:
            table.change(squadron, state="off")
            continue
        table.change(squadron, enter_gate=True, hex=gate.hex, heading=gate.direction, arrives=turn)
        turn += 1


def _roll_styles(table: Table) -> None:
    """FA-CMD-16: d10 per squadron, sides by index, roster order."""
    if not table.state.switches.command_styles or table.state.styles_rolled:
        return
    for side in table.sides:
        for squadron in [s for s in table.squadrons.values() if s.side == side]:
            roll = table.roll(10, "style", squadron.name)
            style = next(name for name, row in TABLES.styles.items() if roll.face <= row[0])
            table.change(squadron, style=style)
            facts = {"side": side, "squadron": squadron.name, "die": roll.face, "style": style}
            table.tell("style", "FA-CMD-16", side, facts, [roll])


# --- D2 --------------------------------------------------------------------------------------------------------------


def planners(table: Table) -> list[str]:
    """FA-ABL-10: sides whose admiral is a Superior Tactical Planner and that have squadrons to move."""
    return [
        side
        for side in table.sides
        if table.roster(side)
        and any(a.key == "tactical-planner" for f in table.fleets.values() if f.side == side for a in f.abilities)
    ]


def adjust(table: Table) -> None:
    """FA-ABL-10: whole squadrons by translation, ten hexes in all; the 15-hex rule may be broken."""
    for side in planners(table):
        left = TABLES.planner_hexes
        for order in table.book.of_side(AdjustOrder, side):
            squadron = table.squadrons[order.unit]
            far = distance(squadron.hex, order.hex)
            if far > left:
                continue
            left -= far
            step = order.hex.minus(squadron.hex)
            moved = table.change(squadron, hex=order.hex)
            for ship in table.members(moved):
                table.change(ship, hex=ship.hex.plus(step))
            tell_place(table, moved)

"""FA-DEP, FA-JMP-1, 2, FA-ABL-10: deployment, jump plans and the adjustment of a tactical planner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.fleet_action import geometry
from games.fleet_action.battle import Battle, printed
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
from games.fleet_action.rules import jump
from games.fleet_action.state import Side, Squadron, VortexPlan
from games.fleet_action.table import Table
from games.fleet_action.tables import TABLES
from pbem.kit.hexgrid import Hex, distance

DEFAULT_SPEED = 5


def template_offsets(table: Table, squadron: Squadron, template: str) -> dict[str, Hex]:
    """Section 6.3: slots in roster order after the command ship."""
    others = [ship.name for ship in table.members(squadron) if ship.name != squadron.command_ship]
    slots = TABLES.formation[template]
    offsets = {squadron.command_ship: geometry.HERE}
    for name, slot in zip(others, slots, strict=False):
        offset = geometry.read_offset(slot)
        assert offset is not None
        offsets[name] = offset
    return {name: offsets.get(name, geometry.HERE) for name in squadron.ships}


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


def deploy(battle: Battle) -> None:
    """Section 3.2 step 0: D1 closes; places, speeds and plans take effect, then the dice of the start fall."""
    for side in list(battle.sides.values()):
        _side(battle, side)
    for squadron in list(battle.squadrons.values()):
        _place(battle, squadron)
    _plan_jumps(battle)
    _tell(battle)
    jump.scatter_primary(battle)
    _gate_queue(battle)
    _roll_styles(battle)
    battle.state = replace(battle.state, vortices_formed=True, styles_rolled=True)


def _side(battle: Battle, side: Side) -> None:
    orders = battle.book.of_side(FleetSpeedOrder, side.id)
    headings = battle.book.of_side(VortexHeadingOrder, side.id)
    anchored = side.anchored or bool(battle.book.of_side(AnchorOrder, side.id))
    battle.sides[side.id] = replace(
        side,
        fleet_speed=orders[-1].speed if orders else default_speed(battle, side),
        vortex_heading=headings[-1].heading if headings else side.vortex_heading,
        anchored=anchored and battle.state.gate is not None,
    )
    patrol = battle.book.of_side(PatrolOrder, side.id)
    if patrol:
        named = {name for order in patrol for name in order.squadrons}
        for squadron in list(battle.squadrons.values()):
            if squadron.side == side.id:
                battle.put(replace(squadron, patrol=squadron.name in named))


def _place(battle: Battle, squadron: Squadron) -> None:
    order = battle.book.one(DeployOrder, squadron.name)
    side = battle.sides[squadron.side]
    assert side.fleet_speed is not None
    placed = replace(squadron, speed=side.fleet_speed)
    if order is not None and squadron.state != "waiting":
        speed = order.speed if order.speed is not None and squadron.patrol else side.fleet_speed
        placed = replace(placed, hex=order.hex, heading=order.heading, speed=speed)
    formed = battle.book.one(FormationOrder, squadron.name)
    if formed is not None:
        placed = replace(placed, formation=ordered_formation(battle, squadron, formed))
    if battle.book.one(EnterGateOrder, squadron.name) is not None:
        placed = replace(placed, enter_gate=True)
    battle.put(placed)
    if squadron.state == "waiting":
        return
    for ship in battle.members(placed):
        at = placed.hex.plus(geometry.to_map(placed.formation[ship.name], placed.heading))
        battle.put(replace(ship, hex=at, prev_hex=None))


def ordered_formation(table: Table, squadron: Squadron, order: FormationOrder) -> dict[str, Hex]:
    """FA-DEP-5: each member's offset, fixed from its deployed hex."""
    if order.template:
        return template_offsets(table, squadron, order.template)
    return {**squadron.formation, **order.offsets}


def _tell(battle: Battle) -> None:
    for side in battle.sides.values():
        if side.jumping:
            continue
        facts: dict[str, Any] = {"side": side.id, "side_name": side.name, "speed": side.fleet_speed}
        battle.tell("fleet_speed", "FA-DEP-2", battle.audience, facts)
    for squadron in battle.in_play():
        tell_place(battle, squadron)


def tell_place(battle: Battle, squadron: Squadron) -> None:
    ships = [{"name": ship.name, "hex": printed(ship.hex)} for ship in battle.members(squadron)]
    facts: dict[str, Any] = {
        "side": squadron.side,
        "squadron": squadron.name,
        "hex": printed(squadron.hex),
        "ships": ships,
    }
    facts |= {"heading": squadron.heading, "speed": squadron.speed}
    battle.tell("deploy", "FA-DEP-4", battle.audience, facts)


# --- jump plans ------------------------------------------------------------------------------------------------------


def _plan_jumps(battle: Battle) -> None:
    """FA-JMP-1, 12: what was ordered stands before the scenario's plan, opener by opener."""
    plans = {plan.opener: plan for plan in battle.state.plans}
    for side in battle.sides.values():
        orders = battle.book.of_side(VortexOrder, side.id)
        headings = battle.book.of_side(VortexHeadingOrder, side.id)
        if orders:
            named = {battle.ships[order.ship].squadron for order in orders}
            ordered = ordered_plans(battle, side, orders, plans)
            plans = {o: plan for o, plan in plans.items() if battle.ships[o].squadron not in named}
            plans.update(ordered)
        if headings or side.anchored:
            for opener, plan in list(plans.items()):
                if battle.side_of(battle.ships[opener]) == side.id:
                    plans[opener] = replace(plan, heading=_heading(battle, side))
    plans = {opener: plan for opener, plan in plans.items() if not _enters_by_gate(battle, opener)}
    # An offset from a vortex that nobody opens leads nowhere.
    plans = {opener: plan for opener, plan in plans.items() if plan.leader in plans}
    battle.state = replace(battle.state, plans=tuple(_dated(battle, plans)))


def _enters_by_gate(battle: Battle, opener: str) -> bool:
    """FA-JMP-7: a squadron that is sent through the gate opens no vortex."""
    return battle.squadrons[battle.ships[opener].squadron].enter_gate


def _heading(battle: Battle, side: Side) -> int:
    """FA-JMP-5: on the gate's beacon all vortices face its way."""
    gate = battle.state.gate
    return gate.direction if side.anchored and gate is not None else side.vortex_heading


def ordered_plans(
    battle: Battle, side: Side, orders: list[VortexOrder], known: Mapping[str, VortexPlan]
) -> dict[str, VortexPlan]:
    """FA-JMP-12: an offset belongs to the hex that stands last before it, the flagship's if none does."""
    flags = [fleet.flagship for fleet in battle.fleets.values() if fleet.side == side.id]
    leader = next((flag for flag in flags), "")
    plans: dict[str, VortexPlan] = {}
    for order in orders:
        if order.hex is not None:
            leader = order.ship
        of = plans.get(leader) or known.get(leader)
        turn = 1 if order.hex is not None or of is None else of.turn
        heading = of.heading if of is not None else _heading(battle, side)
        plans[order.ship] = VortexPlan(order.ship, leader, order.hex, order.offset, turn, heading)
    return plans


def _dated(battle: Battle, plans: Mapping[str, VortexPlan]) -> list[VortexPlan]:
    """FA-JMP-12: ``arrive turn n`` in the block of a leader's squadron dates its whole group."""
    flags = {fleet.flagship for fleet in battle.fleets.values()}
    dates: dict[str, int] = {}
    for plan in plans.values():
        if plan.hex is None:
            continue
        order = battle.book.one(ArriveOrder, battle.ships[plan.opener].squadron)
        primary = plan.opener in flags and not battle.sides[battle.side_of(battle.ships[plan.opener])].anchored
        dates[plan.opener] = plan.turn if order is None or primary else order.turn
    dated = [replace(plan, turn=dates.get(plan.leader, plan.turn)) for plan in plans.values()]
    for plan in dated:
        squadron = battle.squadrons[battle.ships[plan.opener].squadron]
        battle.put(replace(squadron, arrives=plan.turn))
    return dated


def _gate_queue(battle: Battle) -> None:
    """FA-JMP-7: the gate passes one squadron a turn, in roster order; who has no way in stays out."""
    gate = battle.state.gate
    turn = 1
    planned = {battle.ships[plan.opener].squadron for plan in battle.state.plans}
    reserve = {fleet.name for fleet in battle.fleets.values() if fleet.schedule is not None}
    for squadron in list(battle.squadrons.values()):
        if squadron.state != "waiting" or squadron.fleet in reserve:
            continue
        if squadron.name in planned and not squadron.enter_gate:
            continue
        if gate is None:
            battle.put(replace(squadron, state="off"))
            continue
        battle.put(replace(squadron, enter_gate=True, hex=gate.hex, heading=gate.direction, arrives=turn))
        turn += 1


def _roll_styles(battle: Battle) -> None:
    """FA-CMD-16: d10 per squadron, sides by index, roster order."""
    if not battle.state.switches.command_styles or battle.state.styles_rolled:
        return
    for side in battle.sides:
        for squadron in [s for s in battle.squadrons.values() if s.side == side]:
            roll = battle.roll(10, "style", squadron.name)
            style = next(name for name, row in TABLES.styles.items() if roll.face <= row[0])
            battle.put(replace(squadron, style=style))  # type: ignore[arg-type]
            facts: dict[str, Any] = {"side": side, "squadron": squadron.name, "die": roll.face, "style": style}
            battle.tell("style", "FA-CMD-16", side, facts, [roll])


# --- D2 --------------------------------------------------------------------------------------------------------------


def planners(table: Table) -> list[str]:
    """FA-ABL-10: sides whose admiral is a Superior Tactical Planner and that have squadrons to move."""
    return [
        side
        for side in table.sides
        if table.roster(side)
        and any(a.key == "tactical-planner" for f in table.fleets.values() if f.side == side for a in f.abilities)
    ]


def adjust(battle: Battle) -> None:
    """FA-ABL-10: whole squadrons by translation, ten hexes in all; the 15-hex rule may be broken."""
    for side in planners(battle):
        left = TABLES.planner_hexes
        for order in battle.book.of_side(AdjustOrder, side):
            squadron = battle.squadrons[order.unit]
            far = distance(squadron.hex, order.hex)
            if far > left:
                continue
            left -= far
            step = order.hex.minus(squadron.hex)
            moved = replace(squadron, hex=order.hex)
            battle.put(moved)
            for ship in battle.members(moved):
                battle.put(replace(ship, hex=ship.hex.plus(step)))
            tell_place(battle, moved)

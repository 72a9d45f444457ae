"""Hyperspace and boarding (BR-HYP-1 to 5, BR-POD-2, 3)."""

from __future__ import annotations

from games.broadsides.orders import records as r
from games.broadsides.orders.jumps import board_fault, can_jump, check_jumps_in, waiting_formations
from games.broadsides.orders.offers.desk import Desk, written_hex
from games.broadsides.rules.boarding import BOARDABLE, POD_REACH
from games.broadsides.rules.craft import Ground, ground_of
from games.broadsides.rules.hyperspace import FRIENDS_WITHIN
from games.broadsides.state import Formation, Ship, State
from pbem.kit.choices import Places
from pbem.kit.hexgrid import DIRECTION_NAMES, Hex, disk, distance
from pbem.kit.judging import Judge
from pbem.kit.scene import Point, hex_point
from pbem.kit.sheet import Accepted

MOST_PLACES = 300
NEAR_PLAN = 3
"""Hexes about the planned hex that are all offered; farther off a coarser net serves, since the jump scatters."""
FORMATION_RADIUS = 4
MOST_TARGETS = 6


# --- boarding --------------------------------------------------------------------------------------------------------


def offer_boarding(desk: Desk) -> None:
    """BR-POD-2: a pod for each line, while some are left."""
    ship = desk.unit
    assert isinstance(ship, Ship)
    if not desk.state.switches.boarding or desk.state.phase != "orders" or not ship.pods:
        return
    sent = len(desk.lines_of(r.Board))
    if sent >= ship.pods:
        desk.close("board", f"{ship.name} has {ship.pods} pods aboard, {sent} are launching already", "BR-VAL-23")
    goals = [enemy for enemy in desk.enemies if isinstance(enemy, Ship) and _is_boardable(desk.state, enemy)]
    for target in desk.nearest(goals, MOST_TARGETS):
        assert isinstance(target, Ship)
        sheet, far = desk.state.cards.classes[target.class_name], distance(ship.position, target.position)
        for side in sheet.sides:
            if not board_fault(desk.state, ship, r.Board(ship.name, target.name, side), sent)[0]:
                label = f"board {target.name} side {side}"
                note = (
                    f"{far} hexes away now, a pod flies {POD_REACH} after all have moved; {ship.pods - sent} pods left"
                )
                desk.offer("board", label, label, note=note, at=target.position)
    if not goals:
        desk.close("board", f"no enemy of size {', '.join(BOARDABLE)} is on the map", "BR-POD-1")


def _is_boardable(state: State, ship: Ship) -> bool:
    return state.cards.classes[ship.class_name].size in BOARDABLE


def offer_troops(desk: Desk) -> None:
    """BR-POD-3: what the squads do that a ship has sent, or all."""
    if not desk.state.switches.boarding:
        return
    old = desk.lines_of(r.Troops)
    desk.offer("troops", "squads press on to the primary", "troops press", replaces=old)
    desk.offer("troops", "squads spread to the sides", "troops spread", replaces=old)


# --- jumps out -------------------------------------------------------------------------------------------------------


def offer_jump_out(desk: Desk) -> None:
    ship = desk.unit
    assert isinstance(ship, Ship)
    if not desk.state.switches.hyperspace or desk.state.phase != "orders":
        return
    old = desk.lines_of(r.JumpOut, r.JumpWith)
    if can_jump(desk.state, ship):
        desk.offer("jump", "jump out", "jump out", replaces=old, note="at the end of movement; the enemy earns 25%")
    else:
        desk.close("jump", f"{ship.name} has no working jump engine", "BR-HYP-4")
    for friend in desk.nearest([friend for friend in desk.friends if can_jump(desk.state, friend)], MOST_TARGETS):
        line = f"jump with {friend.name}"
        note = f"within {FRIENDS_WITHIN} hex of it after movement; {distance(ship.position, friend.position)} now"
        desk.offer("jump", line, line, replaces=old, note=note, at=friend.position)


# --- jumps in --------------------------------------------------------------------------------------------------------


def offer_jump_in(desk: Desk) -> None:
    """BR-HYP-1: the formation of a ship in hyperspace, or under the fleet word the next one."""
    state = desk.state
    if not state.switches.hyperspace or state.phase == "fire":
        return
    formation = _formation(desk)
    if formation is None:
        if waiting_formations(state, desk.side):
            desk.close("jump-in", "every formation has its jump-in", "BR-HYP-1")
        return
    if not any(can_jump(state, state.ships[name]) for name in formation.ships):
        desk.close("jump-in", f"the formation of {formation.leader} has no working jump engine", "BR-HYP-4")
        return
    under_ship = desk.name in state.ships
    old = desk.lines_of(r.JumpIn) if under_ship else ()
    places = Places(_net(ground_of(state), formation.hex))
    when = max(formation.turn or 0, state.turn, 1)
    plan = f", planned {written_hex(formation.hex)}" if formation.hex else ""
    for facing, name in enumerate(DIRECTION_NAMES):
        if _harmless(desk, facing, old):
            label = f"formation of {formation.leader} jumps in facing {name}"
            note = f"{len(formation.ships)} ships in turn {when}{plan}; it scatters"
            desk.offer("jump-in", label, f"jump-in {{}} facing {facing}", replaces=old, note=note, fill=places)


def _formation(desk: Desk) -> Formation | None:
    waiting = waiting_formations(desk.state, desk.side)
    if desk.name in desk.state.ships:
        return next((formation for formation in waiting if desk.name in formation.ships), None)
    given = [entry for entry in desk.sheet.accepted if isinstance(entry.order, r.JumpIn)]
    named = {entry.unit for entry in given}
    taken = sum(1 for entry in given if entry.unit == desk.name)
    free = [formation for formation in waiting if not named & set(formation.ships)]
    return free[taken] if taken < len(free) else None


def _harmless(desk: Desk, facing: int, old: tuple[int, ...]) -> bool:
    """Which formation a line means depends on the lines before it; wherever this one stands, all must be at home."""
    given = [entry for entry in desk.sheet.accepted if isinstance(entry.order, r.JumpIn) and entry.line not in old]
    new: Accepted[r.Order] = Accepted(0, desk.name, "", r.JumpIn(desk.name, Hex(0, 0), facing))
    for entries in ([new, *given], [*given, new]):
        judge: Judge[r.Order] = Judge(entries)
        check_jumps_in(desk.state, desk.side, judge)
        if judge.problems:
            return False
    return True


def _net(ground: Ground, plan: Hex | None) -> dict[str, Point]:
    """Hexes of the map: all about the plan, elsewhere every so many."""
    centre, radius = (Hex(0, 0), ground.contains["radius"]) if "radius" in ground.contains else _middle(ground)
    hexes = [at for at in disk(centre, radius) if ground.on_map(at)]
    step = next(step for step in range(1, 100) if len(hexes) <= MOST_PLACES * step * step)
    coarse = [at for at in hexes if at.q % step == 0 and at.r % step == 0]
    near = [at for at in disk(plan, NEAR_PLAN) if ground.on_map(at)] if plan else []
    return {written_hex(at): hex_point(at) for at in (*near, *coarse) if not ground.forbidden(at, 0)}


def _middle(ground: Ground) -> tuple[Hex, int]:
    columns, rows = ground.contains["columns"], ground.contains["rows"]
    q = columns // 2
    return Hex(q, rows // 2 - q // 2), max(columns, rows)


def offer_offset(desk: Desk) -> None:
    """BR-HYP-1: the place of a ship in its formation."""
    ship = desk.unit
    assert isinstance(ship, Ship)
    if not desk.state.switches.hyperspace:
        return
    formation = _formation(desk)
    centre = formation.hex if formation is not None and formation.hex is not None else Hex(0, 0)
    points = {written_hex(at): hex_point(centre.plus(at)) for at in disk(Hex(0, 0), FORMATION_RADIUS)}
    note = f"now {written_hex(ship.offset)} from where the formation arrives"
    desk.offer(
        "offset",
        "place in the formation",
        "offset {}",
        replaces=desk.lines_of(r.Offset),
        note=note,
        fill=Places(points),
    )

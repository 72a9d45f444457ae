"""Lines of pods, squads and jumps (BR-VAL-23, BR-VAL-24)."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.orders import records as r
from games.broadsides.orders.words import DROPPED, Lines, bad_form, matched, read_direction, read_hex
from games.broadsides.rules.boarding import BOARDABLE
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.state import Formation, Ship, State
from pbem.kit.judging import Judge
from pbem.kit.sheet import Accepted, Line, nearest


class JumpLines(Lines):
    def board(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "boarding")
        self.names.ship(line)
        found = matched(r"(.+) side (\w+)", rest, "board Tiger side aft")
        return r.Board(line.unit, self.names.enemy(found[1], line), found[2].casefold())

    def troops(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "boarding")
        word = rest.casefold()
        if word not in ("press", "spread"):
            raise bad_form(rest, "troops press or troops spread")
        return r.Troops(line.unit, "press" if word == "press" else "spread")

    def jump_in(self, line: Line, rest: str) -> r.Order:
        form = "jump-in 3,-8 facing 3"
        self.names.switched(line, "hyperspace")
        found = matched(r"(\(?-?\d+ ?, ?-?\d+\)?) facing (\d+)", rest, form)
        return r.JumpIn(line.unit, read_hex(found[1], form), read_direction(found[2], "facing", line))

    def offset(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "hyperspace")
        return r.Offset(line.unit, read_hex(rest, "offset 1,0"))

    def jump(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "hyperspace")
        self.names.ship(line)
        if rest.casefold() == "out":
            return r.JumpOut(line.unit)
        if rest.casefold().startswith("with "):
            return r.JumpWith(line.unit, self.names.own_ship(rest[5:], line))
        raise bad_form(rest, "jump out or jump with Resolute")


# --- jumps in --------------------------------------------------------------------------------------------------------


def check_jumps_in(state: State, side: str, judge: Judge[r.Order]) -> tuple[Formation, ...]:
    """BR-HYP-1: a jump-in under a leader's name is his formation's; elsewhere the next formation's."""
    waiting = waiting_formations(state, side)
    jumped: set[str] = set()
    for entry in judge.given(r.JumpIn):
        index = _formation(state, entry, waiting, jumped)
        if index is None:
            reason = "jump-in: no ships in hyperspace with a working jump engine, 1 is needed"
            judge.refuse(entry, "BR-VAL-24", reason, "", DROPPED)
            continue
        formation = waiting[index]
        when = (formation.turn or 1) if state.phase == "setup" else max(formation.turn or 0, state.turn)
        waiting[index] = replace(formation, turn=when, hex=entry.order.hex, facing=entry.order.facing)
        jumped.add(formation.leader)
    return tuple(waiting)


def waiting_formations(state: State, side: str) -> list[Formation]:
    """The side's formations that are still in hyperspace."""
    own = [formation for formation in state.formations if formation.side == side]
    waiting = [formation for formation in own if state.ships[formation.leader].status == "hyperspace"]
    return waiting if own else _loose_formation(state, side)


def _loose_formation(state: State, side: str) -> list[Formation]:
    """Ships in hyperspace that the scenario put into no formation jump together."""
    ships = [
        unit for unit in state.units() if isinstance(unit, Ship) and unit.side == side and unit.status == "hyperspace"
    ]
    leader = next((ship for ship in ships if can_jump(state, ship)), None)
    return [Formation(side, leader.name, tuple(ship.name for ship in ships))] if leader else []


def can_jump(state: State, ship: Ship) -> bool:
    """BR-HYP-4: it has a working jump engine."""
    engine = state.cards.classes[ship.class_name].systems.get("jump")
    return engine is not None and ship.blocks_left(engine) > 0


def _formation(state: State, entry: Accepted[r.JumpIn], waiting: list[Formation], jumped: set[str]) -> int | None:
    for index, formation in enumerate(waiting):
        led = entry.unit in formation.ships if entry.unit in state.ships else formation.leader not in jumped
        if led and any(can_jump(state, state.ships[name]) for name in formation.ships):
            return index
    return None


def check_offsets(state: State, judge: Judge[r.Order]) -> dict[str, r.Offset]:
    offsets = {}
    for entry in judge.given(r.Offset):
        ship = state.ships.get(entry.unit)
        if ship is not None and ship.status == "hyperspace":
            offsets[entry.unit] = entry.order
        else:
            where = ship.status if ship else "no ship"
            reason = f"an offset is for ships in hyperspace; {entry.unit} is {where}"
            judge.refuse(entry, "BR-VAL-24", reason, "", DROPPED)
    return offsets


# --- one ship --------------------------------------------------------------------------------------------------------


def check_hyperspace(judge: Judge[r.Order], ship: Ship) -> None:
    """BR-VAL-1: ships in hyperspace take only jump-in and offset."""
    for entry in judge.given(r.Order, ship.name):
        if not isinstance(entry.order, r.JumpIn | r.Offset | r.Firing | r.Troops):
            reason = f"{ship.name} is in hyperspace; only jump-in and offset reach it"
            judge.refuse(entry, "BR-VAL-1", reason, "jump-in or offset", DROPPED)


def check_jump_out(state: State, judge: Judge[r.Order], ship: Ship, orders: UnitOrders) -> UnitOrders:
    for entry in judge.given(r.JumpOut, ship.name):
        if can_jump(state, ship):
            orders = replace(orders, jump_out=True)
        else:
            reason = f"{ship.name} has no working jump engine, 1 is needed"
            others = (one for one in state.ships.values() if one.side == ship.side and one.on_map)
            leader = next((one.name for one in others if can_jump(state, one)), "")
            fix = f"jump with {leader}" if leader else ""
            judge.refuse(entry, "BR-VAL-24", reason, fix, DROPPED, fix)
    along = judge.last(r.JumpWith, ship.name)
    return replace(orders, jump_with=along.order.leader) if along else orders


def check_boards(state: State, judge: Judge[r.Order], ship: Ship, orders: UnitOrders) -> UnitOrders:
    """BR-VAL-23."""
    boards: list[tuple[str, str]] = []
    for entry in judge.given(r.Board, ship.name):
        why, fix = board_fault(state, ship, entry.order, len(boards))
        if why:
            judge.refuse(entry, "BR-VAL-23", why, fix, "the pod stays aboard", fix)
        else:
            boards.append((entry.order.target, entry.order.section))
    return replace(orders, boards=tuple(boards))


def board_fault(state: State, ship: Ship, order: r.Board, launched: int) -> tuple[str, str]:
    """BR-VAL-23: why no pod can be sent there, and which line could stand instead."""
    target = state.ships.get(order.target)
    if target is None:
        return f"{order.target} is a flight; only {', '.join(BOARDABLE)} can be boarded", ""
    sheet = state.cards.classes[target.class_name]
    if sheet.size not in BOARDABLE:
        return f"{target.name} is of size {sheet.size}; only {', '.join(BOARDABLE)} can be boarded", ""
    if order.section not in sheet.sides:
        side = nearest(order.section, sheet.sides) or sheet.sides[0]
        why = f"{target.name} has no side '{order.section}'; it has {', '.join(sheet.sides)}"
        return why, f"board {target.name} side {side}"
    if launched >= ship.pods:
        return f"{ship.name} has {ship.pods} pods aboard, {launched} are launching already", ""
    return "", ""

"""Battleshifting: planned shifts, escapes, arrivals, abandoned ships (BS-SHF, BS-DIS-5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from games.battleshift.data import LIMITS
from games.battleshift.orders.book import OrderBook
from games.battleshift.orders.records import Arrive, Escape, Shift
from games.battleshift.rules.formations import arrival
from games.battleshift.rules.losses import check_flagship, detach, dissolve, score, ship_cost, split_off
from games.battleshift.rules.moving import inches
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.space import gravity_at, nearest_open, read_sector, sector_closed
from games.battleshift.rules.units import Ship, Squadron, Taskforce, in_contact, ships_within
from games.battleshift.state import Formation, Layout, Return
from games.battleshift.table import Table
from pbem.kit.plane import Spot, whole_distance

# --- leaving ---------------------------------------------------------------------------------------------------------


def escapes(act: Activation) -> None:
    """BS-SHF-10: emergency shifts at the start of A3, squadrons in listing order."""
    for squadron in list(act.squadrons):
        order = act.table.book(squadron).find(squadron.lines, "escape", Escape)
        if order is not None and squadron.active and wants_out(squadron, order):
            escape(act, squadron)


def wants_out(squadron: Squadron, order: Escape) -> bool:
    """Section 6.3: tested once, at the squadron's own A3."""
    if order.test == "damage":
        return squadron.now.damage * 100 >= order.value * squadron.now.total
    if order.test == "suppression":
        return squadron.now.suppression >= order.value
    return order.test == "now" or len(squadron.active) <= order.value


def holding_body(table: Table, squadron: Squadron) -> str:
    """BS-SHF-4: why a squadron may not shift; empty: it may."""
    if table.switches.shift == "none":
        return "there is no shifting in this battle"
    for ship in squadron.active:
        body = gravity_at(table, squadron.side, ship.spot)
        if body is not None:
            far = max(0, whole_distance(ship.spot, body.spot) - body.radius)
            return f'{inches(far)}" from {body.called}'
    return ""


def escape(act: Activation, squadron: Squadron) -> None:
    table = act.table
    why = holding_body(table, squadron)
    if why:
        table.tell("shiftfail", "BS-SHF-4", squadron.side, {"unit": squadron.name, "why": why})
        return
    leave_for_good(table, squadron)
    act.squadrons.remove(squadron)


def leave_for_good(table: Table, squadron: Squadron) -> None:
    """BS-SHF-10: all ships go; if the damage is above the total each brings the enemy half its cost."""
    ships = list(squadron.active)
    each = ship_cost(squadron) // 2 if squadron.now.damage > squadron.now.total and not squadron.is_prize else 0
    for ship in ships:
        ship.change(status="left")
        score(table, table.enemy(squadron.side), each, ship)
    facts = {
        "squadron": squadron.name,
        "ships": len(ships),
        "vp": each * len(ships),
        "side": squadron.side,
        "to": table.enemy(squadron.side),
        "at": list(ships[0].spot) if ships else [0, 0],
    }
    table.tell_both("escape", "BS-SHF-10", (squadron,), facts)
    for ship in list(squadron.present):
        abandon(table, ship)
    for ship in ships:
        check_flagship(table, squadron, ship)


def abandon(table: Table, ship: Ship) -> None:
    """BS-DIS-5: the disabled ship shifts away for good, or stays as a derelict where it cannot."""
    squadron = ship.squadron
    held = table.switches.shift == "none" or gravity_at(table, ship.side, ship.spot) is not None
    if held:
        split_off(table, ship, ship.side, "disabled")
        facts = {"ship": ship.name, "derelict": True, "vp": 0, "side": ship.side}
    else:
        points = ship_cost(squadron) // 2 if squadron.now.damage > squadron.now.total else 0
        ship.change(status="left")
        score(table, table.enemy(squadron.side), points, ship)
        facts = {"ship": ship.name, "derelict": False, "vp": points, "side": ship.side}
    table.tell_in_sight("abandoned", "BS-DIS-5", (squadron,), facts)
    check_flagship(table, squadron, ship)


def abandon_stragglers(table: Table, squadron: Squadron) -> None:
    """BS-DIS-5: disabled ships more than 6.00" from every active ship of their squadron."""
    if not squadron.active:
        return
    for ship in [ship for ship in squadron.present if ship.now.status == "disabled"]:
        if not any(ships_within(ship, mate, LIMITS.abandon) for mate in squadron.active):
            abandon(table, ship)


# --- planned shifts --------------------------------------------------------------------------------------------------


def shift_out(act: Activation) -> None:
    """BS-SHF-1, BS-SHF-6: at A8 the taskforce or detached squadron leaves for hyperspace."""
    table, tf = act.table, act.taskforce
    if tf is not None:
        order = table.book(tf).own(tf.name, "shift", Shift)
        if order is not None and act.in_tf:
            _shift_taskforce(act, tf, order)
        return
    for squadron in act.squadrons:
        order = table.book(squadron).own(squadron.name, "shift", Shift)
        if order is None or not squadron.active or squadron.taskforce is not None:
            continue
        why = _forbidden(table, squadron) or holding_body(table, squadron)
        if why:
            table.tell("shiftfail", "BS-SHF-6", squadron.side, {"unit": squadron.name, "why": why})
        else:
            _shift_squadron(table, squadron, order)


def _forbidden(table: Table, squadron: Squadron) -> str:
    """BS-SHF-3: not in the turn of arrival."""
    return f"it arrived in turn {table.turn}" if squadron.now.arrived_turn == table.turn else ""


def _shift_taskforce(act: Activation, tf: Taskforce, order: Shift) -> None:
    table = act.table
    flag = tf.flagship.squadron
    why = _forbidden(table, flag) or holding_body(table, flag)
    if flag.now.docked or tf.flagship.now.status != "active":
        why = why or "the flagship cannot shift"
    if why:
        table.tell("shiftfail", "BS-SHF-6", tf.side, {"unit": tf.name, "why": f"flagship: {why}"})
        return
    for squadron in list(tf.living):
        held = holding_body(table, squadron)
        if squadron is not flag and (held or not squadron.active):
            table.tell("shiftfail", "BS-SHF-6", tf.side, {"unit": squadron.name, "why": held or "disabled"})
            detach(table, squadron, f"left behind: {held or 'no active ship'}", "BS-SHF-6")
    if order.back is None:
        _depart(table, tf, [squadron for squadron in tf.living if squadron.active])
        return
    leaving = [squadron for squadron in tf.living if squadron.active]
    _take_prizes(table, leaving)
    for squadron in leaving:
        _into_hyperspace(table, squadron)
    tf.change(location="hyperspace", returns=_with_layouts(table, tf.side, order.back, tf.now.squadrons))
    _tell_shift(table, tf, order.back)


def _depart(table: Table, tf: Taskforce, leaving: Sequence[Squadron]) -> None:
    """BS-SHF-10: a planned shift without return is scored as an escape."""
    table.tell_both("shiftout", "BS-SHF-1", (tf,), {"unit": tf.name, "side": tf.side})
    _take_prizes(table, leaving)
    flag = tf.flagship.squadron
    for squadron in [squadron for squadron in leaving if squadron is not flag] + [flag]:
        leave_for_good(table, squadron)
    if tf.exists:
        dissolve(table, tf, "it has left the battle")


def _shift_squadron(table: Table, squadron: Squadron, order: Shift) -> None:
    _take_prizes(table, [squadron])
    if order.back is None:
        leave_for_good(table, squadron)
        return
    _into_hyperspace(table, squadron)
    squadron.change(returns=_with_layouts(table, squadron.side, order.back, [squadron.name]))
    _tell_shift(table, squadron, order.back)


def _tell_shift(table: Table, unit: Taskforce | Squadron, back: Return) -> None:
    table.tell_both("shiftout", "BS-SHF-1", (unit,), {"unit": unit.name, "side": unit.side})
    facts = {"unit": unit.name, "turn": back.turn, "sector": back.sector, "facing": back.facing}
    table.tell("shiftplan", "BS-SHF-2", unit.side, facts)


def _with_layouts(table: Table, side: str, back: Return, names: Sequence[str]) -> Return:
    return replace(back, layouts=ordered_layouts(table.books[side], names))


def ordered_layouts(book: OrderBook, names: Iterable[str]) -> dict[str, Layout]:
    """The squadrons whose place on arrival is ordered."""
    orders = {name: book.own(name, "arrive", Arrive) for name in names}
    return {name: order.layout for name, order in orders.items() if order is not None}


def _into_hyperspace(table: Table, squadron: Squadron) -> None:
    """BS-SHF-7, BS-BRD-3: a disabled ship goes along with a strictly larger ship in contact, otherwise it is left."""
    active = list(squadron.active)
    for ship in [ship for ship in squadron.present if ship.now.status == "disabled"]:
        friends = [s for mate in table.on_table(squadron.side) for s in mate.active]
        if any(in_contact(tug, ship) and tug.cls.size > ship.cls.size for tug in friends):
            ship.change(captor="towed", status="hyperspace")
        else:
            abandon(table, ship)
    for ship in active:
        ship.change(status="hyperspace")


def _take_prizes(table: Table, leaving: Sequence[Squadron]) -> None:
    """BS-BRD-3: prizes in contact with a strictly larger ship, or repaired, go along and do not return."""
    if not leaving:
        return
    ships = [ship for squadron in leaving for ship in squadron.active]
    names = {squadron.name for squadron in leaving}
    for prize in table.fleet.values():
        if not prize.is_prize or not prize.present or prize.side != leaving[0].side:
            continue
        ship = prize.present[0]
        towed = any(in_contact(tug, ship) and tug.cls.size > ship.cls.size for tug in ships)
        own = prize.now.captor in names and ship.now.status == "active"
        if (towed or own) and not prize.cls.is_station:
            ship.change(status="left")
            table.tell_in_sight(
                "towed", "BS-BRD-3", (prize,), {"ship": prize.name, "by": leaving[0].name, "shift": True}
            )


# --- arriving --------------------------------------------------------------------------------------------------------


def arrivals(table: Table, turn: int) -> None:
    """BS-SHF-8, BS-SHF-9: taskforces and squadrons due at the start of a turn, sides in scenario order."""
    for side in table.sides:
        for tf in [tf for tf in table.forces.values() if tf.side == side]:
            back = tf.now.returns
            if back is not None and back.turn == turn and tf.now.location != "table":
                _arrive(table, tf.squadrons, tf.flagship, back, turn, tf)
                tf.change(location="table", returns=None)
        for squadron in table.of(side):
            back = squadron.now.returns
            if back is not None and back.turn == turn:
                squadron.change(returns=None)
                ships = coming(squadron)
                if ships:
                    _arrive(table, [squadron], ships[0], back, turn, squadron)


def _arrive(
    table: Table, squadrons: Sequence[Squadron], flagship: Ship, back: Return, turn: int, unit: Taskforce | Squadron
) -> None:
    side = flagship.side
    sector = read_sector(back.sector, table.state.width_ft, table.state.height_ft)
    assert sector is not None
    plan = back
    edge_entry = table.switches.shift == "none"
    if not edge_entry and sector_closed(table, side, sector) is not None:
        sector = nearest_open(table, side, sector) or sector
        plan = Return(back.turn, sector.name, back.facing)
    places = []
    centre = sector.centre if plan.x is None or plan.y is None else Spot(plan.x, plan.y)
    ships = {squadron.name: len(coming(squadron)) for squadron in squadrons if coming(squadron)}
    placed = arrival(ships, flagship.squadron.name, centre, plan.facing, plan.layouts)
    for squadron in [squadron for squadron in squadrons if squadron.name in placed]:
        for ship, (x, y) in zip(coming(squadron), placed[squadron.name], strict=True):
            towed = ship.now.captor == "towed"
            status, captor = ("disabled", "") if towed else ("active", ship.now.captor)
            ship.change(x=x, y=y, status=status, captor=captor)
            places.append([ship.name, x, y])
        formation = formation_for(squadron, plan)
        squadron.change(facing=plan.facing, suppression=0, arrived_turn=turn, formation=formation, docked="")
    facts = {
        "unit": unit.name,
        "sector": sector.name,
        "facing": plan.facing,
        "places": places,
        "side": side,
        "moved": plan is not back,
    }
    table.tell_both("arrive", "BS-SHF-12" if plan is not back else "BS-SHF-8", (*squadrons, unit), facts)


def coming(squadron: Squadron) -> list[Ship]:
    """Ships that are off the table, the leader first."""
    ships = [ship for ship in squadron.ships if ship.now.status == "hyperspace"]
    tf = squadron.taskforce
    if tf is not None and tf.flagship in ships:
        ships.remove(tf.flagship)
        ships.insert(0, tf.flagship)
    return ships


def formation_for(squadron: Squadron, back: Return) -> Formation:
    """BS-FRM-7: nobody arrives in a cone or ring."""
    layout_ = back.layouts.get(squadron.name)
    return layout_.formation if layout_ else Formation()

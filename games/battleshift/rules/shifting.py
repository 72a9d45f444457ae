"""Battleshifting: planned shifts, escapes, arrivals, abandoned ships (BS-SHF, BS-DIS-5)."""

from __future__ import annotations

from collections.abc import Sequence

from games.battleshift.data import LIMITS
from games.battleshift.orders.words import Arrive, Escape, Shift
from games.battleshift.rules.formations import slots
from games.battleshift.rules.losses import check_flagship, detach, dissolve, score, ship_cost, split_off
from games.battleshift.rules.moving import inches
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.space import body_name, gravity_at, nearest_open, read_sector, sector_closed
from games.battleshift.rules.table import Battle, in_contact, ships_within
from games.battleshift.rules.units import Ship, Squadron, Taskforce
from games.battleshift.state import Formation, Layout, Return
from pbem.kit.plane import Sector, Spot, displacement, whole_distance

PLACES = (90, 270, 180, 0)
"""BS-SHF-8: the other squadrons stand to starboard, to port, astern and ahead of the flagship."""


# --- leaving ---------------------------------------------------------------------------------------------------------


def escapes(act: Activation) -> None:
    """BS-SHF-10: emergency shifts at the start of A3, squadrons in listing order."""
    for squadron in list(act.squadrons):
        order = act.battle.book(squadron).find(squadron.lines, "escape", Escape)
        if order is not None and squadron.active and wants_out(squadron, order):
            escape(act, squadron)


def wants_out(squadron: Squadron, order: Escape) -> bool:
    """Section 6.3: tested once, at the squadron's own A3."""
    if order.test == "damage":
        return squadron.damage * 100 >= order.value * squadron.total
    if order.test == "suppression":
        return squadron.suppression >= order.value
    return order.test == "now" or len(squadron.active) <= order.value


def holding_body(battle: Battle, squadron: Squadron) -> str:
    """BS-SHF-4: why a squadron may not shift; empty: it may."""
    if battle.switches.shift == "none":
        return "there is no shifting in this battle"
    for ship in squadron.active:
        body = gravity_at(battle, squadron.side, ship.spot)
        if body is not None:
            far = max(0, whole_distance(ship.spot, body.spot) - body.radius)
            return f'{inches(far)}" from {body_name(body)}'
    return ""


def escape(act: Activation, squadron: Squadron) -> None:
    battle = act.battle
    why = holding_body(battle, squadron)
    if why:
        battle.tell_owner(squadron.side, "shiftfail", "BS-SHF-4", {"unit": squadron.name, "why": why})
        return
    leave_for_good(battle, squadron)
    act.squadrons.remove(squadron)


def leave_for_good(battle: Battle, squadron: Squadron) -> None:
    """BS-SHF-10: all ships go; if the damage is above the total each brings the enemy half its cost."""
    ships = list(squadron.active)
    each = ship_cost(squadron) // 2 if squadron.damage > squadron.total and not squadron.is_prize else 0
    for ship in ships:
        battle.set_status(ship, "left")
        score(battle, battle.enemy(squadron.side), each, ship)
    facts = {
        "squadron": squadron.name,
        "ships": len(ships),
        "vp": each * len(ships),
        "side": squadron.side,
        "to": battle.enemy(squadron.side),
        "at": [ships[0].x, ships[0].y] if ships else [0, 0],
    }
    battle.tell("escape", "BS-SHF-10", facts, (squadron,), public=True)
    for ship in list(squadron.present):
        abandon(battle, ship)
    for ship in ships:
        check_flagship(battle, squadron, ship)


def abandon(battle: Battle, ship: Ship) -> None:
    """BS-DIS-5: the disabled ship shifts away for good, or stays as a derelict where it cannot."""
    squadron = ship.squadron
    held = battle.switches.shift == "none" or gravity_at(battle, ship.side, ship.spot) is not None
    if held:
        split_off(battle, ship, ship.side, "disabled").acted = True
        facts = {"ship": ship.name, "derelict": True, "vp": 0, "side": ship.side}
    else:
        points = ship_cost(squadron) // 2 if squadron.damage > squadron.total else 0
        battle.set_status(ship, "left")
        score(battle, battle.enemy(squadron.side), points, ship)
        facts = {"ship": ship.name, "derelict": False, "vp": points, "side": ship.side}
    battle.tell("abandoned", "BS-DIS-5", facts, (squadron,))
    check_flagship(battle, squadron, ship)


def abandon_stragglers(battle: Battle, squadron: Squadron) -> None:
    """BS-DIS-5: disabled ships more than 6.00" from every active ship of their squadron."""
    if not squadron.active:
        return
    for ship in [one for one in squadron.present if one.status == "disabled"]:
        if not any(ships_within(ship, mate, LIMITS.abandon) for mate in squadron.active):
            abandon(battle, ship)


# --- planned shifts --------------------------------------------------------------------------------------------------


def shift_out(act: Activation) -> None:
    """BS-SHF-1, BS-SHF-6: at A8 the taskforce or detached squadron leaves for hyperspace."""
    battle, tf = act.battle, act.taskforce
    if tf is not None:
        order = battle.book(tf).own(tf.name, "shift", Shift)
        if order is not None and act.in_tf:
            _shift_taskforce(act, tf, order)
        return
    for squadron in act.squadrons:
        order = battle.book(squadron).own(squadron.name, "shift", Shift)
        if order is None or not squadron.active or squadron.taskforce is not None:
            continue
        why = _forbidden(battle, squadron) or holding_body(battle, squadron)
        if why:
            battle.tell_owner(squadron.side, "shiftfail", "BS-SHF-6", {"unit": squadron.name, "why": why})
        else:
            _shift_squadron(battle, squadron, order)


def _forbidden(battle: Battle, squadron: Squadron) -> str:
    """BS-SHF-3: not in the turn of arrival."""
    return f"it arrived in turn {battle.turn}" if squadron.arrived_turn == battle.turn else ""


def _shift_taskforce(act: Activation, tf: Taskforce, order: Shift) -> None:
    battle = act.battle
    flag = tf.flagship.squadron
    why = _forbidden(battle, flag) or holding_body(battle, flag)
    if flag.docked or tf.flagship.status != "active":
        why = why or "the flagship cannot shift"
    if why:
        battle.tell_owner(tf.side, "shiftfail", "BS-SHF-6", {"unit": tf.name, "why": f"flagship: {why}"})
        return
    for squadron in list(tf.living):
        held = holding_body(battle, squadron)
        if squadron is not flag and (held or not squadron.active):
            battle.tell_owner(tf.side, "shiftfail", "BS-SHF-6", {"unit": squadron.name, "why": held or "disabled"})
            detach(battle, squadron, f"left behind: {held or 'no active ship'}", "BS-SHF-6")
    if order.back is None:
        _depart(battle, tf, [squadron for squadron in tf.living if squadron.active])
        return
    leaving = [squadron for squadron in tf.living if squadron.active]
    _take_prizes(battle, leaving)
    for squadron in leaving:
        _into_hyperspace(battle, squadron)
    tf.location = "hyperspace"
    tf.returns = _with_layouts(battle, tf.side, order.back, [squadron.name for squadron in tf.squadrons])
    _tell_shift(battle, tf, order.back)


def _depart(battle: Battle, tf: Taskforce, leaving: Sequence[Squadron]) -> None:
    """BS-SHF-10: a planned shift without return is scored as an escape."""
    battle.tell("shiftout", "BS-SHF-1", {"unit": tf.name, "side": tf.side}, (tf,), public=True)
    _take_prizes(battle, leaving)
    flag = tf.flagship.squadron
    for squadron in [one for one in leaving if one is not flag] + [flag]:
        leave_for_good(battle, squadron)
    if tf.exists:
        dissolve(battle, tf, "it has left the battle")


def _shift_squadron(battle: Battle, squadron: Squadron, order: Shift) -> None:
    _take_prizes(battle, [squadron])
    if order.back is None:
        leave_for_good(battle, squadron)
        return
    _into_hyperspace(battle, squadron)
    squadron.returns = _with_layouts(battle, squadron.side, order.back, [squadron.name])
    _tell_shift(battle, squadron, order.back)


def _tell_shift(battle: Battle, unit: Taskforce | Squadron, back: Return) -> None:
    battle.tell("shiftout", "BS-SHF-1", {"unit": unit.name, "side": unit.side}, (unit,), public=True)
    facts = {"unit": unit.name, "turn": back.turn, "sector": back.sector, "facing": back.facing}
    battle.tell_owner(unit.side, "shiftplan", "BS-SHF-2", facts)


def _with_layouts(battle: Battle, side: str, back: Return, names: Sequence[str]) -> Return:
    layouts = {}
    for name in names:
        arrive = battle.books[side].own(name, "arrive", Arrive)
        if arrive is not None:
            layouts[name] = Layout(arrive.x, arrive.y, arrive.formation or Formation())
    return Return(back.turn, back.sector, back.facing, back.x, back.y, layouts)


def _into_hyperspace(battle: Battle, squadron: Squadron) -> None:
    """BS-SHF-7, BS-BRD-3: a disabled ship goes along with a strictly larger ship in contact, otherwise it is left."""
    active = list(squadron.active)
    for ship in [one for one in squadron.present if one.status == "disabled"]:
        friends = [s for mate in battle.on_table(squadron.side) for s in mate.active]
        if any(in_contact(tug, ship) and tug.cls.size > ship.cls.size for tug in friends):
            ship.captor = "towed"
            battle.set_status(ship, "hyperspace")
        else:
            abandon(battle, ship)
    for ship in active:
        battle.set_status(ship, "hyperspace")


def _take_prizes(battle: Battle, leaving: Sequence[Squadron]) -> None:
    """BS-BRD-3: prizes in contact with a strictly larger ship, or repaired, go along and do not return."""
    if not leaving:
        return
    ships = [ship for squadron in leaving for ship in squadron.active]
    names = {squadron.name for squadron in leaving}
    for prize in battle.squadrons:
        if not prize.is_prize or not prize.present or prize.side != leaving[0].side:
            continue
        ship = prize.present[0]
        towed = any(in_contact(tug, ship) and tug.cls.size > ship.cls.size for tug in ships)
        own = prize.captor in names and ship.status == "active"
        if (towed or own) and not prize.cls.is_station:
            battle.set_status(ship, "left")
            battle.tell("towed", "BS-BRD-3", {"ship": prize.name, "by": leaving[0].name, "shift": True}, (prize,))


# --- arriving --------------------------------------------------------------------------------------------------------


def arrivals(battle: Battle, turn: int) -> None:
    """BS-SHF-8, BS-SHF-9: taskforces and squadrons due at the start of a turn, sides in scenario order."""
    for side in battle.sides:
        for tf in [one for one in battle.taskforces if one.side == side and one.exists and one.returns]:
            if tf.returns is not None and tf.returns.turn == turn and tf.location != "table":
                _arrive(battle, tf.squadrons, tf.flagship, tf.returns, turn, tf)
                tf.location, tf.returns = "table", None
        for squadron in [one for one in battle.squadrons if one.side == side and one.returns]:
            back = squadron.returns
            if back is not None and back.turn == turn:
                squadron.returns = None
                ships = [ship for ship in squadron.ships if ship.status == "hyperspace"]
                if ships:
                    _arrive(battle, [squadron], ships[0], back, turn, squadron)


def _arrive(
    battle: Battle, squadrons: Sequence[Squadron], flagship: Ship, back: Return, turn: int, unit: Taskforce | Squadron
) -> None:
    side = flagship.side
    sector = read_sector(back.sector, battle.state.width_ft, battle.state.height_ft)
    assert sector is not None
    plan = back
    edge_entry = battle.switches.shift == "none"
    if not edge_entry and sector_closed(battle, side, sector) is not None:
        sector = nearest_open(battle, side, sector) or sector
        plan = Return(back.turn, sector.name, back.facing)
    places = []
    for squadron, spots in layout(squadrons, flagship, plan, sector).items():
        ships = coming(squadron)
        for ship, spot in zip(ships, spots, strict=True):
            ship.x, ship.y = spot
            status = "disabled" if ship.captor == "towed" else "active"
            ship.captor = "" if ship.captor == "towed" else ship.captor
            battle.set_status(ship, status)
            places.append([ship.name, spot.x, spot.y])
        squadron.facing, squadron.suppression, squadron.arrived_turn = plan.facing, 0, turn
        squadron.formation = formation_for(squadron, plan)
        squadron.docked = ""
    facts = {
        "unit": unit.name,
        "sector": sector.name,
        "facing": plan.facing,
        "places": places,
        "side": side,
        "moved": plan is not back,
    }
    battle.tell("arrive", "BS-SHF-12" if plan is not back else "BS-SHF-8", facts, (*squadrons, unit), public=True)


def coming(squadron: Squadron) -> list[Ship]:
    """Ships that are off the table, the leader first."""
    ships = [ship for ship in squadron.ships if ship.status == "hyperspace"]
    tf = squadron.taskforce
    if tf is not None and tf.flagship in ships:
        ships.remove(tf.flagship)
        ships.insert(0, tf.flagship)
    return ships


def formation_for(squadron: Squadron, back: Return) -> Formation:
    """BS-FRM-7: nobody arrives in a cone or ring."""
    layout_ = back.layouts.get(squadron.name)
    return layout_.formation if layout_ else Formation()


def layout(squadrons: Sequence[Squadron], flagship: Ship, back: Return, sector: Sector) -> dict[Squadron, list[Spot]]:
    """BS-SHF-8: the flagship at the point or the sector's centre, the others around it in listing order."""
    centre = sector.centre if back.x is None or back.y is None else Spot(back.x, back.y)
    counts = {squadron: len(coming(squadron)) for squadron in squadrons if coming(squadron)}
    return place_around(counts, flagship.squadron, centre, back.facing, back.layouts)


def place_around(
    counts: dict[Squadron, int], first: Squadron, centre: Spot, facing: int, layouts: dict[str, Layout] | object
) -> dict[Squadron, list[Spot]]:
    """Leaders 3.00" to starboard, port, astern and ahead of the flagship, each squadron in its formation."""
    given: dict[str, Layout] = dict(layouts) if isinstance(layouts, dict) else {}
    found = {}
    others = [squadron for squadron in counts if squadron is not first]
    for squadron, ships in counts.items():
        own = given.get(squadron.name)
        spot = centre
        if squadron is not first:
            dx, dy = displacement(LIMITS.arrival_gap, facing + PLACES[others.index(squadron) % len(PLACES)])
            spot = Spot(centre.x + dx, centre.y + dy)
        if own is not None:
            spot = Spot(own.x, own.y)
        found[squadron] = slots(own.formation if own else Formation(), ships, facing, spot)
    return found

"""Boarding, assault, engulfing, prizes and docking (BS-BRD, BS-ASL, BS-ENG, BS-TRC, BS-STN-6, -7)."""

from __future__ import annotations

from collections.abc import Sequence

from games.battleshift.data import DIE, LIMITS, WEAPONS
from games.battleshift.orders.records import Act, Dock, Undock
from games.battleshift.rules.losses import check_flagship, lose_wings, score, ship_cost, split_off
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.sight import cover, limited
from games.battleshift.rules.units import Ship, Squadron, in_contact, ships_within
from games.battleshift.table import Table, faces, scored
from pbem.kit.dice import Roll

MARINES = {"Elite Marines": 2, "Veteran Marines": 1}
"""Best first."""


def d3(roll: Roll) -> int:
    return (roll.face + 1) // 2


def marines(squadron: Squadron) -> int:
    """BS-XP-8, BS-XP-9: the best bonus once."""
    return next((bonus for name, bonus in MARINES.items() if squadron.show(name)), 0)


def named_ship(table: Table, side: str, order: Act) -> Ship | None:
    """The ship an order names among the enemy's; a one-ship unit needs no number."""
    squadron = table.squadron(table.enemy(side), order.unit)
    if squadron is None:
        return None
    if order.number == 0:
        return squadron.present[0] if len(squadron.present) == 1 else None
    return next((ship for ship in squadron.present if ship.number == order.number), None)


# --- A6 --------------------------------------------------------------------------------------------------------------


def board_all(act: Activation) -> None:
    """Section 3.3, A6: assault units, then boarding, squadrons in listing order."""
    tried: set[str] = set()
    used: set[Ship] = set()
    stormed: set[Ship] = set()
    for squadron in list(act.squadrons):
        for order in act.table.book(squadron).all(squadron.name, "assault", Act):
            assault(act.table, squadron, order, stormed)
    for squadron in list(act.squadrons):
        for order in act.table.book(squadron).all(squadron.name, "board", Act):
            board(act.table, squadron, order, tried, used)


def can_board(ship: Ship, target: Ship) -> bool:
    """BS-BRD-1, BS-TRC-1: in contact, or in the grip of a tractor beam."""
    beam = ship.squadron.weapons("tractor") > 0 and target.now.status == "disabled"
    return in_contact(ship, target) or (beam and ships_within(ship, target, WEAPONS["tractor"].range))


def board(table: Table, squadron: Squadron, order: Act, tried: set[str], used: set[Ship]) -> None:
    """BS-BRD-1: d6 and sizes against d6 and size; strictly higher captures."""
    target = named_ship(table, squadron.side, order)
    boarders = [s for s in squadron.active if target and s not in used and can_board(s, target)]
    open_ = target is not None and (target.now.status == "disabled" or target.cls.is_station)
    if target is None or not open_ or not boarders or target.key in tried or squadron.is_prize:
        table.warn(squadron, "BS-V-43", f"{order.unit}.{order.number} cannot be boarded now")
        return
    tried.add(target.key)
    used.update(boarders)
    label = (squadron.key, "boards", target.key)
    units = sum(ship.assault_left for ship in boarders)
    attack = _contest(table, label, "attacker", units)
    defence = _contest(table, label, "defender", target.assault_left)
    ours = _total(attack) + sum(ship.cls.size for ship in boarders) + marines(squadron)
    theirs = _total(defence) + target.cls.size + marines(target.squadron)
    facts = {
        "ships": [ship.name for ship in boarders],
        "target": target.name,
        "dice": [faces(attack), faces(defence)],
        "totals": [ours, theirs],
        "result": "captured" if ours > theirs else "repelled",
        "side": squadron.side,
        "at": list(target.spot),
    }
    table.tell_in_sight("board", "BS-BRD-1", (squadron, target.squadron), facts, (*attack, *defence))
    if ours > theirs:
        capture(table, target, squadron)


def _contest(table: Table, label: Sequence[object], who: str, units: int) -> list[Roll]:
    return [table.roll(DIE, *label, who), *table.rolls(units, *label, who, "assault unit")]


def _total(rolls: Sequence[Roll]) -> int:
    return rolls[0].face + sum(d3(roll) for roll in rolls[1:])


def assault(table: Table, squadron: Squadron, order: Act, stormed: set[Ship]) -> None:
    """BS-ASL-1, -3, -4: all units within 3.00" attack one ship, once; those that got through are spent."""
    target = named_ship(table, squadron.side, order)
    ready = [ship for ship in squadron.active if ship.assault_left and ship not in stormed]
    ships = [ship for ship in ready if target and ships_within(ship, target, WEAPONS["assault"].range)]
    if target is None or not ships or squadron.is_prize:
        why = f"no assault unit is ready within reach of {order.unit}.{order.number}"
        table.warn(squadron, "BS-V-43", why)
        return
    stormed.update(ships)
    number = WEAPONS["assault"].base - squadron.markers - cover(table, squadron.side, squadron.spots, target.squadron)
    number = limited(number + int(target.cls.is_station))
    label = (squadron.key, "assaults", target.key)
    rolls = table.rolls(sum(ship.assault_left for ship in ships), *label, "to hit")
    hits = scored(rolls, number)
    need = target.cls.hardness
    shields = table.rolls(target.cls.shields if hits and need > 0 else 0, *label, "shields")
    through = max(0, hits - scored(shields, need))
    facts = {
        "ships": [ship.name for ship in ships],
        "target": target.name,
        "number": number,
        "dice": [faces(rolls), faces(shields)],
        "hits": hits,
        "through": through,
        "totals": [0, 0],
        "result": "stopped",
        "side": squadron.side,
        "at": list(target.spot),
    }
    if not through:
        table.tell_in_sight("assault", "BS-ASL-1", (squadron, target.squadron), facts, (*rolls, *shields))
        return
    attack = table.rolls(through, *label, "assault unit")
    defence = _contest(table, label, "defender", target.assault_left)
    ours = sum(d3(roll) for roll in attack) + marines(squadron)
    theirs = _total(defence) + target.cls.size + marines(target.squadron)
    facts |= {"totals": [ours, theirs], "result": "captured" if ours > theirs else "repelled"}
    dice = (*rolls, *shields, *attack, *defence)
    table.tell_in_sight("assault", "BS-ASL-1", (squadron, target.squadron), facts, dice)
    spend(ships, through)
    if ours > theirs:
        capture(table, target, squadron)


def spend(ships: Sequence[Ship], units: int) -> None:
    """Take assault units from the ships in turn."""
    for ship in ships:
        used = min(units, ship.assault_left)
        if used:
            ship.change(assault_left=ship.assault_left - used)
        units -= used


def capture(table: Table, ship: Ship, captor: Squadron, *, engulfing: bool = False) -> None:
    """BS-BRD-2, BS-ASL-2: the ship changes side as a one-ship prize; an active one leaves its hull as damage."""
    old = ship.squadron
    before = len(old.present)
    if ship.now.status == "active" and not old.is_prize and not old.cls.is_station:
        old.change(damage=old.now.damage + old.cls.hull)
    points = _capture_points(table, ship, captor)
    facts = {"ship": ship.name, "by": captor.name, "vp": points, "side": captor.side, "at": list(ship.spot)}
    if engulfing:
        ship.change(captor=captor.side, status="engulfed")
    else:
        home = old.now.origin == captor.side
        status = ship.now.status if old.cls.is_station else "disabled"
        made = split_off(table, ship, captor.side, status, "" if home else captor.name)
        if ship.key in table.scored:
            table.scored[made.ships[0].key] = table.scored.pop(ship.key)
        ship.change(captor=captor.side)
        facts["prize"] = made.name
    table.tell_in_sight("captured", "BS-BRD-2", (captor, old), facts)
    lose_wings(table, old, 1, before)
    check_flagship(table, old, ship)


def _capture_points(table: Table, ship: Ship, captor: Squadron) -> int:
    """BS-END-2: its cost; a recapture takes back what its loss had brought."""
    if ship.squadron.now.origin == captor.side:
        back = table.scored.pop(ship.key, 0)
        table.vp[ship.side] -= back
        return 0
    points = ship_cost(ship.squadron)
    score(table, captor.side, points, ship)
    return points


# --- engulfing -------------------------------------------------------------------------------------------------------


def capacity(ship: Ship) -> int:
    """BS-ENG-1: a third of the size, rounded up."""
    return -(-ship.cls.size // 3)


def held_size(table: Table, ship: Ship) -> int:
    return sum(held.cls.size for key in ship.now.holds if (held := table.ship(key)))


def can_engulf(table: Table, holder: Ship, target: Ship) -> bool:
    """BS-ENG-1: smaller, in contact, friendly or disabled, and within the capacity left."""
    if holder.cls.engulf == "none" or holder.squadron.is_prize or target.cls.size >= holder.cls.size:
        return False
    if target.side != holder.side and target.now.status != "disabled":
        return False
    fits = held_size(table, holder) + target.cls.size <= capacity(holder)
    return fits and in_contact(holder, target) and not target.cls.is_station


def engulf_all(act: Activation, squadron: Squadron) -> None:
    """BS-ENG-1, BS-ENG-4: at the end of A3, one ship a turn for each holder."""
    table = act.table
    full: set[Ship] = set()
    for order in table.book(squadron).all(squadron.name, "engulf", Act):
        target = named_ship(table, squadron.side, order) or _own_ship(table, squadron.side, order)
        holders = [s for s in squadron.active if target and s not in full and can_engulf(table, s, target)]
        if target is None or not holders:
            table.warn(squadron, "BS-V-43", f"{order.unit}.{order.number} cannot be engulfed now")
            continue
        full.add(holders[0])
        engulf(table, holders[0], target)
    for order in table.book(squadron).all(squadron.name, "release", Act):
        release(table, squadron, order)


def _own_ship(table: Table, side: str, order: Act) -> Ship | None:
    squadron = table.squadron(side, order.unit)
    ships = squadron.present if squadron else []
    return next((ship for ship in ships if ship.number == order.number or len(ships) == 1), None)


def engulf(table: Table, holder: Ship, target: Ship) -> None:
    """BS-ENG-2: an enemy is captured; a friend may be repaired and released."""
    facts = {"ship": target.name, "by": holder.name, "side": holder.side, "at": list(holder.spot)}
    table.tell_in_sight("engulfed", "BS-ENG-1", (holder.squadron, target.squadron), facts)
    holder.change(holds=(*holder.now.holds, target.key))
    if target.side != holder.side:
        capture(table, target, holder.squadron, engulfing=True)
        return
    target.change(captor="disabled" if target.now.status == "disabled" else "", status="engulfed")
    check_flagship(table, target.squadron, target)


def release(table: Table, squadron: Squadron, order: Act) -> None:
    """BS-ENG-4: a friendly ship comes out in contact with its holder."""
    key = f"{squadron.side}/{order.unit}.{order.number}"
    holder = next((ship for ship in squadron.active if key in ship.now.holds), None)
    ship = table.ship(key)
    if holder is None or ship is None:
        table.warn(squadron, "BS-ENG-4", f"{order.unit}.{order.number} is not held")
        return
    holder.change(holds=tuple(held for held in holder.now.holds if held != key))
    # It acts next turn, unless it joins mates that are on the table anyway.
    ship.squadron.change(acted=ship.squadron.now.acted or not ship.squadron.present)
    x, y = holder.spot
    ship.change(x=x, y=y, status="disabled" if ship.now.captor == "disabled" else "active", captor="")
    facts = {"ship": ship.name, "holder": holder.name, "side": squadron.side}
    table.tell_in_sight("release", "BS-ENG-4", (squadron, ship.squadron), facts)


# --- docking ---------------------------------------------------------------------------------------------------------


def dock(table: Table, squadron: Squadron) -> None:
    """BS-STN-7: ships in contact with a friendly station of enough size dock at the end of A3."""
    order = table.book(squadron).own(squadron.name, "dock", Dock)
    if order is None or not squadron.active:
        return
    station = table.squadron(squadron.side, order.station)
    if station is None or not station.active:
        table.warn(squadron, "BS-STN-7", f"{order.station} is not there")
        return
    why = why_not_docked(table, squadron, station)
    if why:
        table.warn(squadron, "BS-STN-7", f"cannot dock at {station.name}: {why}")
        return
    squadron.change(docked=station.name)
    facts = {"squadron": squadron.name, "holder": station.name, "side": squadron.side}
    table.tell_in_sight("dock", "BS-STN-7", (squadron,), facts)


def why_not_docked(table: Table, squadron: Squadron, station: Squadron) -> str:
    """BS-STN-7: all ships in contact, and room for their sizes; empty: it can dock."""
    if not station.active:
        return f"{station.name} is not active"
    if not all(in_contact(ship, station.active[0]) for ship in squadron.present):
        return f'not in contact (limit {LIMITS.contact / 100}")'
    size = sum(ship.cls.size for ship in squadron.present)
    size += sum(s.cls.size for other in table.fleet.values() if other.now.docked == station.name for s in other.ships)
    return f"total size {size} of {station.size}" if size > station.size else ""


def undock(table: Table, squadron: Squadron) -> None:
    """BS-STN-7: at the start of a later A3."""
    if not squadron.now.docked or table.book(squadron).own(squadron.name, "dock", Undock) is None:
        return
    facts = {"squadron": squadron.name, "holder": squadron.now.docked, "side": squadron.side}
    squadron.change(docked="")
    table.tell_in_sight("undock", "BS-STN-7", (squadron,), facts)

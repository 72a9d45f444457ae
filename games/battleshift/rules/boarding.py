"""Boarding, assault, engulfing, prizes and docking (BS-BRD, BS-ASL, BS-ENG, BS-TRC, BS-STN-6, -7)."""

from __future__ import annotations

from collections.abc import Sequence

from games.battleshift.data import LIMITS, WEAPONS
from games.battleshift.orders.words import Act, Dock, Undock
from games.battleshift.rules.losses import check_flagship, lose_wings, score, ship_cost, split_off
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.sight import cover, limited
from games.battleshift.rules.table import Battle, in_contact, ships_within
from games.battleshift.rules.units import Ship, Squadron
from pbem.kit.dice import Roll

MARINES = {"Veteran Marines": 1, "Elite Marines": 2}


def d3(roll: Roll) -> int:
    return (roll.face + 1) // 2


def marines(squadron: Squadron) -> int:
    """BS-XP-8, BS-XP-9: the best bonus once."""
    found = [(bonus, name) for name, bonus in MARINES.items() if name in squadron.traits]
    if not found:
        return 0
    bonus, name = max(found)
    squadron.traits_seen.add(name)
    return bonus


def named_ship(battle: Battle, side: str, order: Act) -> Ship | None:
    """The ship an order names among the enemy's; a one-ship unit needs no number."""
    squadron = battle.squadron(battle.enemy(side), order.unit)
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
        for order in act.battle.book(squadron).all(squadron.name, "assault", Act):
            assault(act.battle, squadron, order, stormed)
    for squadron in list(act.squadrons):
        for order in act.battle.book(squadron).all(squadron.name, "board", Act):
            board(act.battle, squadron, order, tried, used)


def can_board(ship: Ship, target: Ship) -> bool:
    """BS-BRD-1, BS-TRC-1: in contact, or in the grip of a tractor beam."""
    beam = ship.squadron.weapons("tractor") > 0 and target.status == "disabled"
    return in_contact(ship, target) or (beam and ships_within(ship, target, WEAPONS["tractor"].range))


def board(battle: Battle, squadron: Squadron, order: Act, tried: set[str], used: set[Ship]) -> None:
    """BS-BRD-1: d6 and sizes against d6 and size; strictly higher captures."""
    target = named_ship(battle, squadron.side, order)
    boarders = [s for s in squadron.active if target and s not in used and can_board(s, target)]
    open_ = target is not None and (target.status == "disabled" or target.cls.is_station)
    if target is None or not open_ or not boarders or target.key in tried or squadron.is_prize:
        battle.warn(squadron.side, squadron.name, "BS-V-43", f"{order.unit}.{order.number} cannot be boarded now")
        return
    tried.add(target.key)
    used.update(boarders)
    label = (squadron.key, "boards", target.key)
    units = sum(ship.assault_left for ship in boarders)
    attack = _contest(battle, label, "attacker", units)
    defence = _contest(battle, label, "defender", target.assault_left)
    ours = _total(attack) + sum(ship.cls.size for ship in boarders) + marines(squadron)
    theirs = _total(defence) + target.cls.size + marines(target.squadron)
    _tell_contest(battle, "board", "BS-BRD-1", boarders, target, (attack, defence), (ours, theirs))
    if ours > theirs:
        capture(battle, target, squadron)


def _contest(battle: Battle, label: Sequence[object], who: str, units: int) -> list[Roll]:
    return [battle.roll(*label, who), *battle.rolls(units, *label, who, "assault unit")]


def _total(rolls: Sequence[Roll]) -> int:
    return rolls[0].face + sum(d3(roll) for roll in rolls[1:])


def _tell_contest(
    battle: Battle,
    kind: str,
    rule: str,
    attackers: Sequence[Ship],
    target: Ship,
    rolls: tuple[Sequence[Roll], Sequence[Roll]],
    totals: tuple[int, int],
) -> None:
    facts = {
        "ships": [ship.name for ship in attackers],
        "target": target.name,
        "dice": [[roll.face for roll in part] for part in rolls],
        "totals": list(totals),
        "result": "captured" if totals[0] > totals[1] else "repelled",
        "side": attackers[0].side,
        "at": [target.x, target.y],
    }
    battle.tell(kind, rule, facts, (attackers[0].squadron, target.squadron), (*rolls[0], *rolls[1]))


def assault(battle: Battle, squadron: Squadron, order: Act, stormed: set[Ship]) -> None:
    """BS-ASL-1, -3, -4: all units within 3.00" attack one ship, once; those that got through are spent."""
    target = named_ship(battle, squadron.side, order)
    ready = [ship for ship in squadron.active if ship.assault_left and ship not in stormed]
    ships = [ship for ship in ready if target and ships_within(ship, target, WEAPONS["assault"].range)]
    if target is None or not ships or squadron.is_prize:
        why = f"no assault unit is ready within reach of {order.unit}.{order.number}"
        battle.warn(squadron.side, squadron.name, "BS-V-43", why)
        return
    stormed.update(ships)
    number = WEAPONS["assault"].base - squadron.markers - cover(battle, squadron.side, squadron.spots, target.squadron)
    number = limited(number + int(target.cls.is_station))
    label = (squadron.key, "assaults", target.key)
    rolls = battle.rolls(sum(ship.assault_left for ship in ships), *label, "to hit")
    hits = sum(roll.face <= number for roll in rolls)
    need = target.cls.hardness
    shields = battle.rolls(target.cls.shields if hits and need > 0 else 0, *label, "shields")
    through = max(0, hits - sum(roll.face <= need for roll in shields))
    facts = {
        "ships": [ship.name for ship in ships],
        "target": target.name,
        "number": number,
        "dice": [[roll.face for roll in rolls], [roll.face for roll in shields]],
        "hits": hits,
        "through": through,
        "totals": [0, 0],
        "result": "stopped",
        "side": squadron.side,
        "at": [target.x, target.y],
    }
    if not through:
        battle.tell("assault", "BS-ASL-1", facts, (squadron, target.squadron), (*rolls, *shields))
        return
    attack = battle.rolls(through, *label, "assault unit")
    defence = _contest(battle, label, "defender", target.assault_left)
    ours = sum(d3(roll) for roll in attack) + marines(squadron)
    theirs = _total(defence) + target.cls.size + marines(target.squadron)
    facts |= {"totals": [ours, theirs], "result": "captured" if ours > theirs else "repelled"}
    battle.tell("assault", "BS-ASL-1", facts, (squadron, target.squadron), (*rolls, *shields, *attack, *defence))
    _spend(ships, through)
    if ours > theirs:
        capture(battle, target, squadron)


def _spend(ships: Sequence[Ship], units: int) -> None:
    for ship in ships:
        used = min(units, ship.assault_left)
        ship.assault_left -= used
        units -= used


def capture(battle: Battle, ship: Ship, captor: Squadron, engulfing: bool = False) -> None:
    """BS-BRD-2, BS-ASL-2: the ship changes side as a one-ship prize; an active one leaves its hull as damage."""
    old = ship.squadron
    before = len(old.present)
    if ship.status == "active" and not old.is_prize and not old.cls.is_station:
        old.damage += old.cls.hull
    points = _capture_points(battle, ship, captor)
    facts = {"ship": ship.name, "by": captor.name, "vp": points, "side": captor.side, "at": [ship.x, ship.y]}
    if engulfing:
        ship.captor = captor.side
        battle.set_status(ship, "engulfed")
    else:
        home = old.origin == captor.side
        status = ship.status if old.cls.is_station else "disabled"
        made = split_off(battle, ship, captor.side, status, "" if home else captor.name)
        if ship.key in battle.scored:
            battle.scored[made.ships[0].key] = battle.scored.pop(ship.key)
        ship.captor = captor.side
        facts["prize"] = made.name
    battle.tell("captured", "BS-BRD-2", facts, (captor, old))
    lose_wings(battle, old, 1, before)
    check_flagship(battle, old, ship)


def _capture_points(battle: Battle, ship: Ship, captor: Squadron) -> int:
    """BS-END-2: its cost; a recapture takes back what its loss had brought."""
    if ship.squadron.origin == captor.side:
        back = battle.scored.pop(ship.key, 0)
        battle.vp[ship.side] -= back
        return 0
    points = ship_cost(ship.squadron)
    score(battle, captor.side, points, ship)
    return points


# --- engulfing -------------------------------------------------------------------------------------------------------


def capacity(ship: Ship) -> int:
    """BS-ENG-1: a third of the size, rounded up."""
    return -(-ship.cls.size // 3)


def held_size(battle: Battle, ship: Ship) -> int:
    return sum(held.cls.size for key in ship.holds if (held := battle.ship(key)))


def can_engulf(battle: Battle, holder: Ship, target: Ship) -> bool:
    """BS-ENG-1: smaller, in contact, friendly or disabled, and within the capacity left."""
    if holder.cls.engulf == "none" or holder.squadron.is_prize or target.cls.size >= holder.cls.size:
        return False
    if target.side != holder.side and target.status != "disabled":
        return False
    fits = held_size(battle, holder) + target.cls.size <= capacity(holder)
    return fits and in_contact(holder, target) and not target.cls.is_station


def engulf_all(act: Activation, squadron: Squadron) -> None:
    """BS-ENG-1, BS-ENG-4: at the end of A3, one ship a turn for each holder."""
    battle = act.battle
    full: set[Ship] = set()
    for order in battle.book(squadron).all(squadron.name, "engulf", Act):
        target = named_ship(battle, squadron.side, order) or _own_ship(battle, squadron.side, order)
        holders = [s for s in squadron.active if target and s not in full and can_engulf(battle, s, target)]
        if target is None or not holders:
            battle.warn(squadron.side, squadron.name, "BS-V-43", f"{order.unit}.{order.number} cannot be engulfed now")
            continue
        full.add(holders[0])
        engulf(battle, holders[0], target)
    for order in battle.book(squadron).all(squadron.name, "release", Act):
        release(battle, squadron, order)


def _own_ship(battle: Battle, side: str, order: Act) -> Ship | None:
    squadron = battle.squadron(side, order.unit)
    ships = squadron.present if squadron else []
    return next((ship for ship in ships if ship.number == order.number or len(ships) == 1), None)


def engulf(battle: Battle, holder: Ship, target: Ship) -> None:
    """BS-ENG-2: an enemy is captured; a friend may be repaired and released."""
    facts = {"ship": target.name, "by": holder.name, "side": holder.side, "at": [holder.x, holder.y]}
    battle.tell("engulfed", "BS-ENG-1", facts, (holder.squadron, target.squadron))
    holder.holds.append(target.key)
    if target.side != holder.side:
        capture(battle, target, holder.squadron, engulfing=True)
        return
    target.captor = "disabled" if target.status == "disabled" else ""
    battle.set_status(target, "engulfed")
    check_flagship(battle, target.squadron, target)


def release(battle: Battle, squadron: Squadron, order: Act) -> None:
    """BS-ENG-4: a friendly ship comes out in contact with its holder."""
    key = f"{squadron.side}/{order.unit}.{order.number}"
    holder = next((ship for ship in squadron.active if key in ship.holds), None)
    ship = battle.ship(key)
    if holder is None or ship is None:
        battle.warn(squadron.side, squadron.name, "BS-ENG-4", f"{order.unit}.{order.number} is not held")
        return
    holder.holds.remove(key)
    ship.x, ship.y = holder.x, holder.y
    # It acts next turn, unless it joins mates that are on the table anyway.
    ship.squadron.acted = ship.squadron.acted or not ship.squadron.present
    battle.set_status(ship, "disabled" if ship.captor == "disabled" else "active")
    ship.captor = ""
    facts = {"ship": ship.name, "holder": holder.name, "side": squadron.side}
    battle.tell("release", "BS-ENG-4", facts, (squadron, ship.squadron))


# --- docking ---------------------------------------------------------------------------------------------------------


def dock(battle: Battle, squadron: Squadron) -> None:
    """BS-STN-7: ships in contact with a friendly station of enough size dock at the end of A3."""
    order = battle.book(squadron).own(squadron.name, "dock", Dock)
    if order is None or not squadron.active:
        return
    station = battle.squadron(squadron.side, order.station)
    if station is None or not station.active:
        battle.warn(squadron.side, squadron.name, "BS-STN-7", f"{order.station} is not there")
        return
    berth = station.active[0]
    size = sum(ship.cls.size for ship in squadron.present)
    size += sum(s.cls.size for other in battle.squadrons if other.docked == station.name for s in other.ships)
    touching = all(in_contact(ship, berth) for ship in squadron.present)
    if not touching or size > station.size:
        why = f"total size {size} of {station.size}" if touching else f'not in contact (limit {LIMITS.contact / 100}")'
        battle.warn(squadron.side, squadron.name, "BS-STN-7", f"cannot dock at {station.name}: {why}")
        return
    squadron.docked = station.name
    squadron.changed()
    for ship in squadron.ships:
        battle.reindex(ship)
    battle.tell(
        "dock", "BS-STN-7", {"squadron": squadron.name, "holder": station.name, "side": squadron.side}, (squadron,)
    )


def undock(battle: Battle, squadron: Squadron) -> None:
    """BS-STN-7: at the start of a later A3."""
    if not squadron.docked or battle.book(squadron).own(squadron.name, "dock", Undock) is None:
        return
    facts = {"squadron": squadron.name, "holder": squadron.docked, "side": squadron.side}
    squadron.docked = ""
    squadron.changed()
    for ship in squadron.ships:
        battle.reindex(ship)
    battle.tell("undock", "BS-STN-7", facts, (squadron,))

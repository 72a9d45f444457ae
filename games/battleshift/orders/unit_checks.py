"""Checks of fire, flights, command, shifts, boarding and ground orders (BS-V-22 to BS-V-46, BS-V-59, -60)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from games.battleshift.data import BATTERIES, LIMITS, WEAPONS
from games.battleshift.orders import records as o
from games.battleshift.orders.judge import Checker, Entry
from games.battleshift.rules.boarding import can_board, capacity, held_size
from games.battleshift.rules.fighters import fixed_target, free_bays, leg_end
from games.battleshift.rules.missiles import in_missile_range
from games.battleshift.rules.moving import at, inches
from games.battleshift.rules.planets import ADJACENT
from games.battleshift.rules.sight import Aimed, inches_to, is_eligible, pose_of, spot_of
from games.battleshift.rules.targets import named_targets
from games.battleshift.rules.towing import can_tow
from games.battleshift.rules.units import Squadron, in_contact, ships_within
from pbem.kit.plane import Spot, bearing_of, ceiling_root, squared, toward, whole_distance

# --- fire ------------------------------------------------------------------------------------------------------------


def _carried(squadrons: list[Squadron]) -> str:
    carried = [name for name in BATTERIES if any(s.weapons(name) for s in squadrons)]
    return ", ".join("heavyion" if name == "heavy_ion" else name for name in carried) or "no batteries"


def check_fire(checker: Checker, entry: Entry, order: o.Fire) -> None:
    weapons = BATTERIES if order.weapon == "all" else (order.weapon,)

    def reaches(squadron: Squadron, weapon: str, target: Aimed) -> bool:
        return bool(squadron.active) and is_eligible(checker.table, squadron, pose_of(squadron), weapon, target)

    _check_aim(checker, entry, order, weapons, reaches)


def check_missiles(checker: Checker, entry: Entry, order: o.Missiles) -> None:
    def reaches(squadron: Squadron, _weapon: str, target: Aimed) -> bool:
        return bool(in_missile_range(squadron, target))

    _check_aim(checker, entry, order, ("missile",), reaches)


def _check_aim(
    checker: Checker,
    entry: Entry,
    order: o.Fire | o.Missiles,
    weapons: Sequence[str],
    reaches: Callable[[Squadron, str, Aimed], bool],
) -> None:
    """BS-V-22, BS-V-23: somebody must have the weapon, and should have a named target in reach."""
    squadrons = checker.squadrons_of(entry.order.unit)
    if not squadrons or not order.targets:
        return
    armed = [(squadron, weapon) for squadron in squadrons for weapon in weapons if squadron.weapons(weapon)]
    if not armed:
        classes = ", ".join(dict.fromkeys(squadron.cls.name for squadron in squadrons))
        lacking = order.weapon if isinstance(order, o.Fire) else "missiles"
        checker.refuse(entry, "BS-V-22", f"{classes} carries no {lacking}", f"carried: {_carried(squadrons)}")
        return
    for item in order.targets:
        targets = named_targets(checker.table, checker.side, item) if item.kind == "unit" else []
        if targets and not any(reaches(*pair, target) for pair in armed for target in targets):
            _warn_range(checker, entry, *armed[0], targets[0])


def _warn_range(checker: Checker, entry: Entry, squadron: Squadron, weapon: str, target: Aimed) -> None:
    if not squadron.active:
        return
    spot, far = squadron.active[0].spot, inches(inches_to(squadron.spots, target))
    point = spot_of(target)
    bearing = bearing_of(point.x - spot.x, point.y - spot.y)
    reach = inches(WEAPONS[weapon].range)
    reason = f'{target.name} is {far}" away on bearing {bearing:03d}; {weapon} reaches {reach}" in its arc'
    checker.note(entry, "BS-V-23", reason, "this may change before it fires", "the line stands")


def check_super(checker: Checker) -> None:
    """BS-V-42, BS-V-60: super heavy excludes every other weapon, launches and missiles."""
    for entry in checker.each("fire super"):
        order = entry.order.detail
        if not isinstance(order, o.Fire) or not order.targets:
            continue
        unit = entry.order.unit
        for other in checker.entries:
            detail = other.order.detail
            if other.order.unit != unit or other is entry:
                continue
            if isinstance(detail, o.Fire) and detail.targets and detail.weapon not in ("super", "all"):
                reason = f"{unit} fires super heavy and nothing else this turn"
                checker.refuse(other, "BS-V-42", reason, "fire super none", "the super line is kept")
            elif isinstance(detail, o.Launch) or (isinstance(detail, o.Missiles) and detail.targets):
                reason = f"{unit} fires super heavy: it launches nothing this turn"
                checker.refuse(other, "BS-V-60", reason, "fire super none", "the super line is kept")


# --- flights ---------------------------------------------------------------------------------------------------------


def check_wings(checker: Checker) -> None:
    """BS-V-26, -27, -28, -31, -59: launches and recoveries of each carrier together."""
    taken: dict[str, int] = {}
    flights: dict[str, int] = {}
    for entry in checker.each("launch"):
        order = entry.order.detail
        if isinstance(order, o.Launch) and not _name_is_free(checker, entry, order):
            continue
        squadron = checker.table.squadron(checker.side, entry.order.unit)
        if isinstance(order, o.Launch) and squadron is not None:
            _check_launch(checker, entry, order, squadron, taken, flights)
        elif isinstance(order, o.Launch):
            _check_ground_launch(checker, entry, order)
    for entry in checker.each("recover"):
        _check_recover(checker, entry)


def _name_is_free(checker: Checker, entry: Entry, order: o.Launch) -> bool:
    kind = checker.names.own.get(order.name)
    in_use = checker.table.flight(checker.side, order.name) is not None or kind not in (None, "flight")
    twice = [
        e for e in checker.each("launch") if isinstance(e.order.detail, o.Launch) and e.order.detail.name == order.name
    ]
    if in_use or twice[0] is not entry:
        bearer = kind if in_use else f"line {twice[0].line}"
        checker.refuse(entry, "BS-V-59", f"the name {order.name} is taken by a {bearer}", "take another name")
        return False
    return True


def _counted(entry: Entry, number: int) -> str:
    """The line with another number in it; empty: there is none."""
    return re.sub(r"\b\d{1,3}\b", str(number), entry.text, count=1) if number > 0 else ""


def _check_launch(
    checker: Checker, entry: Entry, order: o.Launch, squadron: Squadron, taken: dict[str, int], flights: dict[str, int]
) -> None:
    aboard = squadron.now.wings_aboard - taken.get(squadron.name, 0)
    out = [f.name for f in checker.table.aloft.values() if f.home is squadron]
    launched = flights.get(squadron.name, 0)
    if order.wings > aboard:
        recovering = any(e.order.unit == squadron.name for e in checker.each("recover"))
        rule = "BS-V-28" if recovering else "BS-V-26"
        words = " before recovery" if recovering else ""
        reason = f"{squadron.name} has {aboard} wings aboard{words}, asked {order.wings}"
        checker.refuse(entry, rule, reason, f"launch {aboard}" if aboard > 0 else "", fix=_counted(entry, aboard))
        return
    if len(out) + launched >= LIMITS.flights:
        named = ", ".join(out) or "two launches above"
        checker.refuse(entry, "BS-V-27", f"{squadron.name} already has two flights: {named}", "recover one first")
        return
    taken[squadron.name] = taken.get(squadron.name, 0) + order.wings
    flights[squadron.name] = launched + 1


def _check_ground_launch(checker: Checker, entry: Entry, order: o.Launch) -> None:
    body = checker.table.body(entry.order.unit)
    quadrant = body.quadrants.get(order.quadrant) if body is not None else None
    ready = quadrant.now.wings_aboard if quadrant else 0
    if order.wings > ready:
        reason, hint = f"{ready} wings are aboard, asked {order.wings}", f"launch {ready}" if ready else ""
        checker.refuse(entry, "BS-V-26", reason, hint, fix=_counted(entry, ready))


def _check_recover(checker: Checker, entry: Entry) -> None:
    order = entry.order.detail
    squadron = checker.table.squadron(checker.side, entry.order.unit)
    if not isinstance(order, o.Recover) or squadron is None:
        return
    flight = checker.table.flight(checker.side, order.flight)
    if flight is None or flight.home is squadron:
        return
    free = free_bays(checker.table, squadron)
    if free < flight.now.wings:
        reason = f"{order.flight} is not {squadron.name}'s own, and {free} bays are free for {flight.now.wings} wings"
        checker.refuse(entry, "BS-V-31", reason, "let its own carrier recover it")


def check_fly(checker: Checker, entry: Entry, order: o.Fly) -> None:
    """BS-V-29, BS-V-30."""
    legs = len(order.before) + len(order.after) + int(order.strike is not None)
    if legs > LIMITS.flight_legs:
        checker.refuse(entry, "BS-V-29", f"{legs} legs ordered, limit {LIMITS.flight_legs}", "the strike counts as one")
        return
    flight = checker.table.flight(checker.side, entry.order.unit)
    start = flight.spot if flight else _launch_spot(checker, entry.order.unit)
    if start is None:
        return
    here, left = start, LIMITS.flight_move
    for leg in order.before:
        end = leg_end(here, leg)
        far = ceiling_root(squared(here, end))
        if far > left:
            cut = toward(here, end, left)
            total = inches(LIMITS.flight_move - left + far)
            reason, hint = f'the path is {total}" long, limit 24.00"', f"it is used up at {at(cut)}"
            checker.refuse(entry, "BS-V-29", reason, hint)
            return
        here, left = end, left - far
    if flight is not None and order.strike is not None:
        target = fixed_target(checker.table, flight, order.strike)
        far = inches_to((here,), target) if target is not None else 0
        if far > left:
            reason = f'the target is {inches(far)}" away, {inches(left)}" of 24.00" are left'
            checker.warn(entry, "BS-V-30", reason, "", "the flight will close up")


def _launch_spot(checker: Checker, name: str) -> Spot | None:
    for entry in checker.each("launch"):
        order, squadron = entry.order.detail, checker.table.squadron(checker.side, entry.order.unit)
        if isinstance(order, o.Launch) and order.name == name and squadron is not None and squadron.leader is not None:
            return squadron.leader.spot
    return None


# --- command ---------------------------------------------------------------------------------------------------------


def check_detach(checker: Checker, entry: Entry, _order: o.Detach) -> None:
    squadron = checker.table.squadron(checker.side, entry.order.unit)
    if squadron is not None and squadron.flagship is not None:
        checker.refuse(entry, "BS-V-32", f"{squadron.name} has the flagship", "transfer command first: flagship NAME")


def check_flagship(checker: Checker, entry: Entry, order: o.FlagshipTo) -> None:
    tf = checker.table.taskforce(checker.side, entry.order.unit)
    squadron = checker.table.squadron(checker.side, order.unit)
    if tf is None or squadron is None:
        return
    now = tf.flagship
    why = ""
    if squadron.taskforce is not tf:
        why = f"{squadron.name} is not in {tf.name}"
    elif squadron is now.squadron:
        why = f"{squadron.name} has the flagship already"
    elif squadron.size < now.cls.size:
        why = f"{squadron.name} is size {squadron.size}, the flagship {now.name} size {now.cls.size}"
    if why:
        checker.refuse(entry, "BS-V-33", why, "another squadron of the taskforce, as large or larger", "command stays")


def check_add(checker: Checker, entry: Entry, order: o.Add) -> None:
    tf = checker.table.taskforce(checker.side, entry.order.unit)
    squadron = checker.table.squadron(checker.side, order.unit)
    if tf is None or squadron is None:
        return
    limit = checker.table.switches.max_squadrons_per_tf
    detaching = [s for s in tf.living if checker.book().own(s.name, "detach", o.Detach)]
    if len(tf.living) - len(detaching) >= limit:
        checker.refuse(entry, "BS-V-34", f"{tf.name} has {len(tf.living)} squadrons, limit {limit}", "detach one first")
    elif not any(ships_within(ship, tf.flagship, LIMITS.command) for ship in squadron.present):
        far = min((whole_distance(s.spot, tf.flagship.spot) for s in squadron.present), default=0)
        reason = f'{squadron.name} is {inches(far)}" from {tf.flagship.name} now, limit 8.00'
        checker.note(entry, "BS-V-35", reason, "", "it joins only if near enough then")


# --- boarding and ground ---------------------------------------------------------------------------------------------


def check_act(checker: Checker, entry: Entry, order: o.Act) -> None:
    """BS-V-43, BS-V-44."""
    own = checker.table.squadron(checker.side, entry.order.unit)
    other = checker.names.squadron_named(order.unit)
    if own is None or other is None or not own.active or order.verb in ("assault", "release"):
        return
    ship = next((s for s in other.present if s.number == order.number or order.number == 0), None)
    if ship is None:
        checker.refuse(entry, "BS-V-2", f"{order.unit}.{order.number} is not on the table")
        return
    if order.verb == "tow" and own.size < ship.cls.size:
        reason = f"{own.name} is size {own.size}, {ship.name} size {ship.cls.size}"
        checker.refuse(entry, "BS-V-44", reason, "a tug of equal or larger size")
        return
    if order.verb == "engulf":
        room = max((capacity(s) - held_size(checker.table, s) for s in own.active), default=0)
        if own.cls.engulf == "none" or ship.cls.size >= own.size or ship.cls.size > room:
            reason = f"{own.name} is size {own.size} with room for {room}, {ship.name} is size {ship.cls.size}"
            checker.refuse(entry, "BS-V-44", reason, "a smaller ship")
            return
    touches = {"board": can_board, "tow": can_tow}.get(order.verb, in_contact)
    if not any(touches(mine, ship) for mine in own.active):
        far = min(whole_distance(s.spot, ship.spot) for s in own.active)
        reason = f'{ship.name} is {inches(far)}" away, contact is 0.50'
        checker.note(entry, "BS-V-43", reason, "", "it is tried when the moment comes")


def check_land(checker: Checker, entry: Entry, order: o.Land) -> None:
    """BS-V-45."""
    squadron = checker.table.squadron(checker.side, entry.order.unit)
    body = checker.table.body(order.body)
    if squadron is None or body is None:
        return
    units = sum(ship.assault_left for ship in squadron.active)
    move = checker.book().find(squadron.lines, "move", o.Move)
    gone = move.distance or 0 if move is not None and move.kind != "hold" else 0
    left = squadron.cls.speed - gone
    needed = 0 if body.is_moon else LIMITS.descent
    if units < order.units or left < needed:
        reason = f'{units} units aboard, {order.units} asked; {inches(left)}" of movement left, {inches(needed)} needed'
        hint = f"land {units}" if left >= needed else "move less"
        checker.refuse(entry, "BS-V-45", reason, hint, fix=_counted(entry, units) if left >= needed else "")


def check_transfer(checker: Checker, entry: Entry, order: o.TransferGround) -> None:
    """BS-V-46."""
    body = checker.table.body(entry.order.unit)
    start = body.quadrants.get(order.start) if body is not None else None
    if start is None:
        return
    units = start.now.assault if start.side == checker.side else start.now.invaders
    if order.end not in ADJACENT[order.start] or units < order.units:
        reason = f"{order.start} has {units} units, {order.units} asked, to {order.end}"
        checker.refuse(entry, "BS-V-46", reason, f"adjacent: {', '.join(ADJACENT[order.start])}")

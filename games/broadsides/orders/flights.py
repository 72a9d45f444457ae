"""Lines of flights: their letter of the turn, launches, landings and break-offs (BR-VAL-22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.broadsides.data import ShipClass
from games.broadsides.orders import records as r
from games.broadsides.orders.words import DROPPED, Lines, bad_form, matched, put_right, read_section, read_system
from games.broadsides.rules.doctrine import AttackAim, BreakOff, UnitOrders
from games.broadsides.rules.fighters import RELAUNCH_AFTER, launch_capacity
from games.broadsides.state import Flight, State
from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Line, nearest

SIDE_ORDERS = (r.Firing, r.Troops, r.JumpIn)
"""Orders only a side gives count under any header."""


class FlightLines(Lines):
    def attack(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "attack")
        found = matched(r"(.+?)(?: (side|weapon|system) (.+))?", rest, "attack Tiger side port")
        target = self.names.enemy(found[1], line)
        ship = self.names.state.ships.get(target)
        if ship is None:
            reason, fix = f"{target} is a flight: attack is for ships", f"defend {target}"
            raise BadOrder("BR-VAL-22", reason, fix, DROPPED, fix)
        return r.FlightLetter(line.unit, "A", target, _aim(self.names.sheet(ship), found[2], found[3] or "", line))

    def defend(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "defend")
        if not rest:
            return r.FlightLetter(line.unit, "D")
        target = self.names.enemy(rest, line)
        if target in self.names.state.ships:
            reason, fix = f"{target} is a ship: defend is against flights", f"attack {target}"
            raise BadOrder("BR-VAL-22", reason, fix, DROPPED, fix)
        return r.FlightLetter(line.unit, "D", target)

    def breakoff(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "breakoff")
        form = "breakoff never, breakoff notarget or breakoff fighters 6"
        found = matched(r"(never|notarget)|fighters (\d+)", rest, form)
        if found[2]:
            return r.BreakOffWhen(line.unit, BreakOff("fighters", int(found[2])))
        return r.BreakOffWhen(line.unit, BreakOff("never" if found[1].casefold() == "never" else "notarget"))

    def missiles(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "missiles")
        if rest:
            raise bad_form(rest, "missiles")
        return r.UseMissiles(line.unit)

    def launch(self, line: Line, rest: str) -> r.Order:
        carrier = self.names.own_ship(rest[5:] if rest.casefold().startswith("from ") else rest, line)
        if not isinstance(self.names.unit(line), Flight):
            raise bad_form(line.text, "launch from Resolute under the name of a flight")
        return r.FlightLetter(line.unit, "L", carrier)

    def land(self, line: Line, rest: str) -> r.Order:
        self.names.craft(line, "land")
        return r.Land(line.unit, self.names.own_ship(rest, line))


def _aim(sheet: ShipClass, kind: str | None, text: str, line: Line) -> AttackAim:
    """BR-FTR-9: a side, a weapon or an external system."""
    if kind is None:
        return AttackAim()
    if kind.casefold() == "side":
        return AttackAim(side=read_section(text, sheet, "BR-VAL-22", line))
    wanted = text.upper() if kind.casefold() == "weapon" else read_system(text, sheet)
    outside = [system.id for system in sheet.systems.values() if system.section != "primary"]
    if wanted not in outside:
        close = nearest(wanted, outside)
        word = "weapon" if close and sheet.systems[close].kind == "weapon" else "system"
        fix = put_right(line, f"{kind} {text}", f"{word} {close.replace('-', ' ')}") if close else ""
        hint = f"one of {', '.join(outside)}"
        raise BadOrder("BR-VAL-22", f"{sheet.name} has no '{text}' outside", hint, DROPPED, fix)
    return AttackAim(system=wanted)


# --- lines together --------------------------------------------------------------------------------------------------


def check_flight(
    state: State, judge: Judge[r.Order], flight: Flight, orders: UnitOrders, launching: dict[str, int]
) -> UnitOrders:
    """One letter a turn, the first kept; a flight in its hangar must launch to do anything."""
    lines = judge.given(r.Order, flight.name)
    letter = _letter(state, judge, flight, launching)
    if flight.status == "hangar" and (letter is None or letter.letter != "L"):
        for entry in lines:
            launch = isinstance(entry.order, r.FlightLetter) and entry.order.letter == "L"
            if not launch and not isinstance(entry.order, SIDE_ORDERS):
                reason, fix = f"{flight.name} is in the hangar of {flight.carrier}", f"launch from {flight.carrier}"
                judge.refuse(entry, "BR-VAL-1", reason, fix, DROPPED, fix)
        return orders
    if letter is not None:
        target = letter.target if letter.letter in ("A", "D") else ""
        orders = replace(orders, order=letter.letter, target=target, attack=letter.aim)
    for land in judge.given(r.Land, flight.name):
        if letter is not None and letter.letter == "L":
            reason = f"{flight.name} launches this turn and cannot land in it"
            judge.refuse(land, "BR-VAL-22", reason, f"land in turn {state.turn + 1}", DROPPED)
        else:
            orders = replace(orders, land=land.order.carrier)
    rule, take = judge.last(r.BreakOffWhen, flight.name), judge.last(r.TakeFighter, flight.name)
    return replace(
        orders,
        break_off=rule.order.rule if rule else orders.break_off,
        spread=take.order.spread if take else orders.spread,
        missiles=bool(judge.given(r.UseMissiles, flight.name)),
    )


def _letter(state: State, judge: Judge[r.Order], flight: Flight, launching: dict[str, int]) -> r.FlightLetter | None:
    letter: r.FlightLetter | None = None
    for entry in judge.given(r.FlightLetter, flight.name):
        order = entry.order
        if letter is not None and letter.letter == order.letter != "L":
            # The same verb again: the later line replaces the earlier.
            letter = order
            continue
        why = letter_fault(state, flight, order, letter, launching)
        if why:
            instead = f"the first, {letter.letter}, is kept" if letter else DROPPED
            fix = f"launch from {flight.carrier}" if order.letter == "L" and flight.status == "hangar" else ""
            judge.refuse(entry, "BR-VAL-22", why, "one of A, I, D, L a turn", instead, fix)
            continue
        letter = order
        if order.letter == "L":
            launching[order.target] = launching.get(order.target, 0) + 1
    return letter


def letter_fault(
    state: State, flight: Flight, order: r.FlightLetter, first: r.FlightLetter | None, launching: Mapping[str, int]
) -> str:
    """BR-VAL-22: why a flight cannot be given this letter after the first one."""
    if first is not None:
        return f"{order.letter} after {first.letter}: a flight has one of A, I, D and L a turn"
    if state.phase == "fire" and (order.letter != flight.order or order.letter == "L"):
        return f"{flight.name} flies {flight.order} this turn; {order.letter} comes too late"
    if order.letter != "L":
        return ""
    if flight.status != "hangar" or flight.carrier != order.target:
        where = f"in the hangar of {flight.carrier}" if flight.status == "hangar" else f"{flight.status}"
        return f"{flight.name} is {where}, it has no berth in {order.target}"
    if flight.landed is not None and state.turn < flight.landed + RELAUNCH_AFTER:
        again = flight.landed + RELAUNCH_AFTER
        return f"{flight.name} landed in turn {flight.landed} and may launch again in turn {again}"
    return capacity_fault(state, flight, launching.get(flight.carrier, 0))


def capacity_fault(state: State, flight: Flight, used: int) -> str:
    """BR-FTR-6: why its carrier cannot launch it beside so many others."""
    carrier = state.ships[flight.carrier]
    if not carrier.on_map:
        return f"{carrier.name} is not on the map ({carrier.status}); its flights cannot launch"
    hangar = state.cards.classes[carrier.class_name].systems.get("hangar")
    left, most = carrier.blocks_left(hangar) if hangar else 0, launch_capacity(state.cards, carrier)
    if used >= most:
        return f"{carrier.name} has {left} hangar blocks and launches {most} flights a turn; {used} are launching"
    return ""

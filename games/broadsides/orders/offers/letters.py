"""Flights: their letter of the turn, launching and landing, how they fight (BR-FTR-1 to 9)."""

from __future__ import annotations

from games.broadsides.data import ShipClass
from games.broadsides.orders import records as r
from games.broadsides.orders.flights import letter_fault
from games.broadsides.orders.offers.desk import Desk
from games.broadsides.orders.offers.plots import offer_chase, offer_movement
from games.broadsides.rules.fighters import berths
from games.broadsides.state import Flight, Ship
from games.broadsides.table import Table
from pbem.kit.choices import Number
from pbem.kit.hexgrid import distance

MOST_TARGETS = 8
MOST_FIGHTERS = 12
USUAL_BREAK_OFF = 6


def offer_flight(desk: Desk) -> None:
    flight = desk.unit
    assert isinstance(flight, Flight)
    offer_letter(desk)
    if flight.status == "hangar":
        _after_launch(desk, flight)
        return
    fights = desk.state.cards.fighters[flight.class_name].kind == "fighter"
    if fights:
        _aims(desk)
    if desk.state.phase == "orders":
        offer_chase(desk)
        offer_movement(desk)
        _landings(desk, flight)
    if fights:
        _doctrine(desk, flight)


def offer_letter(desk: Desk) -> None:
    """BR-FTR-1: A, I, D or L; shuttles have none of their own but L."""
    flight = desk.unit
    assert isinstance(flight, Flight)
    if flight.status == "hangar":
        _launch(desk, flight)
    elif desk.state.cards.fighters[flight.class_name].kind == "fighter":
        _letters(desk, flight)


def _launch(desk: Desk, flight: Flight) -> None:
    """BR-FTR-6."""
    if desk.state.phase == "fire":
        desk.close("letter", f"{flight.name} is in the hangar; launches are ordered with the movement", "BR-SEQ-3")
        return
    old = desk.lines_of(r.FlightLetter)
    why = letter_fault(desk.state, flight, r.FlightLetter(flight.name, "L", flight.carrier), None, desk.launching)
    if why:
        desk.close("letter", why, "BR-FTR-6")
        return
    note = f"{len(flight.living)} {flight.class_name}; a quarter of its thrust, no fire this turn"
    line = f"launch from {flight.carrier}"
    desk.offer("letter", line, line, replaces=old, note=note)


def _after_launch(desk: Desk, flight: Flight) -> None:
    """BR-VAL-1: in its hangar it must launch to do anything; with that line it may plot."""
    if desk.lines_of(r.FlightLetter):
        offer_chase(desk)
        offer_movement(desk)
    elif desk.choices:
        desk.close("path", f"{flight.name} is in its hangar: launch it first", "BR-VAL-1")


def _letters(desk: Desk, flight: Flight) -> None:
    """BR-FTR-1: one of A, I, D a turn; in the fire phase only other targets of the same."""
    old = desk.lines_of(r.FlightLetter)
    for letter, line, label in (("D", "defend", "defend against the nearest flight"), ("I", "intercept", "intercept")):
        if not _barred(desk, flight, letter):
            note = "1 in 10 for each fighter against ballistics in its hex" if letter == "I" else ""
            desk.offer("letter", label, line, replaces=old, note=note)
    for enemy in desk.nearest(desk.enemies, 2 * MOST_TARGETS):
        letter, verb = ("A", "attack") if isinstance(enemy, Ship) else ("D", "defend")
        if not _barred(desk, flight, letter):
            note = f"{distance(flight.position, enemy.position)} hexes away now"
            line = f"{verb} {enemy.name}"
            desk.offer("letter", line, line, replaces=old, note=note, at=enemy.position)
    if desk.state.phase == "fire":
        why = f"{flight.name} flies {flight.order} this turn; only its target can be changed"
        desk.close("letter", why, "BR-SEQ-3")


def _barred(desk: Desk, flight: Flight, letter: str) -> str:
    return letter_fault(desk.state, flight, r.FlightLetter(flight.name, letter), None, {})  # type: ignore[arg-type]


def _aims(desk: Desk) -> None:
    """BR-FTR-9: the side, weapon or system of the ship it attacks."""
    attacks = [entry for entry in desk.said if isinstance(entry.order, r.FlightLetter) and entry.order.letter == "A"]
    if not attacks:
        return
    order = attacks[-1].order
    target = desk.state.ships.get(order.target) if isinstance(order, r.FlightLetter) else None
    if target is None:
        return
    old, verb = desk.lines_of(r.FlightLetter), f"attack {target.name}"
    sheet = desk.state.cards.classes[target.class_name]
    for side in sheet.sides:
        desk.offer("aim", f"{verb} side {side}", f"{verb} side {side}", replaces=old)
    for word, name, note in _parts(sheet):
        desk.offer("aim", f"{verb} {word} {name}", f"{verb} {word} {name}", replaces=old, note=note)


def _parts(sheet: ShipClass) -> list[tuple[str, str, str]]:
    """What stands outside: weapons by id, other systems as ``thruster fore``."""
    outside = [system for system in sheet.systems.values() if system.section != "primary"]
    weapons = [("weapon", system.id, "signature -1, half armour") for system in outside if system.kind == "weapon"]
    others = [system for system in outside if system.kind not in ("weapon", "battery")]
    named = [(system, system.id.replace("-", " ")) for system in others]
    return weapons + [("system", name, "half armour") for _, name in named]


def _landings(desk: Desk, flight: Flight) -> None:
    """BR-FTR-7."""
    if any(isinstance(entry.order, r.FlightLetter) and entry.order.letter == "L" for entry in desk.said):
        return
    table, own = Table(desk.state), [ship for ship in desk.friends if berths(Table(desk.state), ship)]
    taken = {ship.name: 0 for ship in own}
    for other in table.flights.values():
        if other.status == "hangar" and other.carrier in taken:
            taken[other.carrier] += 1
    free = {ship.name: berths(table, ship) - taken[ship.name] for ship in own}
    for carrier in desk.nearest([ship for ship in own if free[ship.name] > 0], MOST_TARGETS):
        away = distance(flight.position, carrier.position)
        note = f"{away} hexes away now, {free[carrier.name]} berths free; needs its hex, speed and heading at the end"
        line = f"land {carrier.name}"
        desk.offer("land", line, line, replaces=desk.lines_of(r.Land), note=note, at=carrier.position)
    if not any(free.values()):
        desk.close("land", "no ship on the map has a free berth", "BR-FTR-7")


def _doctrine(desk: Desk, flight: Flight) -> None:
    old = desk.lines_of(r.BreakOffWhen)
    desk.offer("breakoff", "never break off an attack", "breakoff never", replaces=old)
    desk.offer("breakoff", "break off where the target is out of reach", "breakoff notarget", replaces=old)
    label, fill = "break off at so many enemy fighters", Number(1, MOST_FIGHTERS, USUAL_BREAK_OFF)
    desk.offer("breakoff", label, "breakoff fighters {}", replaces=old, fill=fill)
    missiles = sum(flight.fighters[index].missiles for index in flight.living)
    if missiles:
        line = "missiles"
        desk.offer(
            line, "use missiles", line, replaces=desk.lines_of(r.UseMissiles), note=f"{missiles} aboard, range 3"
        )
    else:
        desk.close("missiles", f"{flight.name} has no missiles left", "BR-FTR-2")
    if len(flight.living) > 1:
        for word, label in (
            ("focus", "take hits one fighter after another"),
            ("spread", "spread hits over the flight"),
        ):
            desk.offer("take", label, f"take {word}", replaces=desk.lines_of(r.TakeFighter))

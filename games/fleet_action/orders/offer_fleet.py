"""What a side can order as a whole: sequence, flagship, forced-first pulse, support, the end (FA-SEQ, FA-CMD)."""

from __future__ import annotations

from collections.abc import Iterator

from games.fleet_action.orders import check_ships
from games.fleet_action.orders.counter import Counter, ranking
from games.fleet_action.orders.records import FlagOrder
from games.fleet_action.rules import succession
from games.fleet_action.state import PULSES, Fleet
from pbem.kit.choices import Choice, Closed

CHAPTER = (check_ships.check,)


def offers(counter: Counter) -> Iterator[Choice | Closed]:
    """Orders in the block of the side."""
    yield from _sequence(counter)
    if counter.table.state.stage != "turn":
        return
    yield from _first(counter)
    for fleet in counter.table.fleets.values():
        if fleet.side == counter.side:
            yield from _flags(counter, fleet)
            yield from _support(counter, fleet)
    note = "the game ends when every side offers it"
    drops = counter.lines("offer end")
    yield from counter.offer("offer end", "offer to end the battle", "offer end", note=note, chapters=(), drops=drops)


def _sequence(counter: Counter) -> Iterator[Choice]:
    """FA-SEQ-3: within a category squadrons move in this order."""
    names = tuple(squadron.name for squadron in counter.table.roster(counter.side))
    if len(names) > 1:
        drops = counter.lines("sequence")
        yield from counter.offer(
            "sequence", "order of movement", "sequence {}", chapters=(), drops=drops, fill=ranking(names)
        )


def _first(counter: Counter) -> Iterator[Choice]:
    """FA-CMD-8b: a fleet without its flagship must move first in a pulse of the enemy's choice."""
    flagless = [
        fleet.name
        for fleet in counter.table.fleets.values()
        if fleet.side != counter.side and fleet.flagless_turn == counter.table.turn - 1
    ]
    for pulse in PULSES if flagless else ():
        note = f"{', '.join(flagless)} moves before you"
        drops = counter.lines("first")
        yield from counter.offer(
            "first", f"in pulse {pulse}", f"first pulse {pulse}", note=note, chapters=(), drops=drops
        )


def _flags(counter: Counter, fleet: Fleet) -> Iterator[Choice]:
    """FA-CMD-9: a new flagship at the end of the turn after the loss, and who stays outside its net."""
    table = counter.table
    if fleet.flagless_turn is None or fleet.flagless_turn >= table.turn:
        return
    fit = succession.fit_flagships(table, fleet)
    ships = {ship.name for squadron in table.fleet_squadrons(fleet) for ship in table.members(squadron)}
    drops = {entry.line for entry in counter.desk.given(FlagOrder) if entry.order.ship in ships}
    for ship in fit:
        note = f"flagship of {fleet.name}, cr {table.card(ship).cr}"
        yield from counter.offer("flag", ship.name, f"flag {ship.name}", note=note, chapters=CHAPTER, drops=drops)
    squadrons = [squadron for squadron in table.fleet_squadrons(fleet) if table.members(squadron)]
    beyond = len(squadrons) - max((table.card(ship).cr for ship in fit), default=len(squadrons))
    for squadron in squadrons if beyond > 0 else ():
        note = f"{beyond} squadron(s) beyond the new flagship's cr: fire x3/4"
        label = f"{squadron.name} outside the net"
        yield from counter.offer("outside", label, f"outside {squadron.name}", note=note, chapters=())


def _support(counter: Counter, fleet: Fleet) -> Iterator[Choice]:
    """FA-ABL-7: an ELINT ship of the flag squadron supports another."""
    table = counter.table
    flag = table.ships.get(fleet.flagship)
    if flag is None or not any(ability.key == "priority-support" for ability in fleet.abilities):
        return
    drops = counter.lines("use")
    for ship in table.members(table.squadron(flag)):
        for squadron in counter.desk.own_squadrons() if table.elint_level(ship) else ():
            if squadron.name != flag.squadron:
                line = f"use priority-support {ship.name} for {squadron.name}"
                label = f"{ship.name} supports {squadron.name}"
                yield from counter.offer("use", label, line, chapters=CHAPTER, drops=drops)

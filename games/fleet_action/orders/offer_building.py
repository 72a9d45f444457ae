"""What a side that builds can still buy: ships, flights, abilities, reserves (FA-BLD, FA-ABL, FA-REI)."""

from __future__ import annotations

from collections.abc import Iterator

from games.fleet_action.data import TABLES, FighterClass, ShipClass
from games.fleet_action.orders.counter import Counter
from games.fleet_action.orders.records import AbilityOrder, BuyOrder, Order, ReserveOrder
from games.fleet_action.orders.verbs import FLEET
from games.fleet_action.rules import building
from games.fleet_action.state import Side
from pbem.kit.choices import Choice, Closed


def squadrons(counter: Counter) -> tuple[str, ...]:
    """The names under which a building side may buy: those of its ready-made squadrons, and those proposed."""
    proposed = building.proposed_squadrons(counter.state, counter.side)
    own = [squadron.name for squadron in counter.state.squadrons if squadron.side == counter.side]
    return (*own, *proposed) if proposed else ()


def offers(counter: Counter) -> Iterator[Choice | Closed]:
    """FA-BLD: for the squadron of this name, what its points and its commander still allow."""
    side = counter.table.sides[counter.side]
    spent, unit = building.price(counter.table, _bought(counter)), counter.unit
    left = f"{side.points_limit - spent} of {side.points_limit} points left"
    yield from _ships(counter, side, left)
    mine = [order for order in _orders(counter) if isinstance(order, BuyOrder) and order.unit == unit]
    yield from _flights(counter, side, mine, left)
    if not mine:
        return
    for key, card in TABLES.ability.items():
        note = f"{card.points} points; {left}"
        yield from counter.built("ability", key, f"ability {key}", AbilityOrder(unit, key), note=note)
    drops = counter.lines("reserve")
    for turn in range(TABLES.earliest_reinforcement, counter.table.state.turn_limit + 1):
        order, note = ReserveOrder(unit, turn), "cheaper, but it must roll to arrive"
        yield from counter.built(
            "reserve", f"comes on turn {turn}", f"reserve turn {turn}", order, note=note, drops=drops
        )


def _orders(counter: Counter) -> list[Order]:
    return list(counter.sheet.orders)


def _bought(counter: Counter) -> list[building.Purchase]:
    return building.purchases(counter.table, _orders(counter))


def _ships(counter: Counter, side: Side, left: str) -> Iterator[Choice | Closed]:
    """FA-BLD-1, 2, 5."""
    found = False
    for key, card in counter.table.cards.classes.items():
        if card.navy == side.navy:
            name = _free_name(counter, side, card)
            order = BuyOrder(counter.unit, key, name)
            note = f"{card.points} points, cr {card.cr}; {left}"
            for choice in counter.built("buy", f"{card.name} {name}", f"buy {key} as {name}", order, note=note):
                found = True
                yield choice
    if found:
        return
    others = [entry for entry in counter.desk.entries if entry.order.unit not in (FLEET, counter.unit)]
    if others and not _bought(counter):
        why = (
            f"bought ships replace the ready-made roster, and line {others[0].line} orders {others[0].order.unit} of it"
        )
        yield Closed("buy", why, "FA-BLD-6")
    else:
        yield Closed("buy", f"no further ship: {left}, or the commander's cr is used up", "FA-BLD-2")


def _flights(counter: Counter, side: Side, mine: list[BuyOrder], left: str) -> Iterator[Choice]:
    """FA-BLD-4: with a place on one of the squadron's ships."""
    cards = counter.table.cards
    for key, fighter in cards.fighters.items():
        name = _free_name(counter, side, fighter)
        for ship in mine if fighter.navy == side.navy else ():
            if ship.key in cards.classes and cards.classes[ship.key].hangar:
                order = BuyOrder(counter.unit, key, name, ship.name)
                line, label = f"buy {key} as {name} on {ship.name}", f"{fighter.name} {name} on {ship.name}"
                note = f"{fighter.points} points; {left}"
                yield from counter.built("flight", label, line, order, note=note)


def _free_name(counter: Counter, side: Side, card: ShipClass | FighterClass) -> str:
    """``Omega-2``; with the side's name before it where another side has the same navy."""
    taken = {order.name.casefold() for order in _orders(counter) if isinstance(order, BuyOrder)}
    alone = sum(other.navy == side.navy for other in counter.table.sides.values()) == 1
    stem = card.name.split()[0] if alone else f"{side.name} {card.name.split()[0]}"
    return next(name for n in range(1, 1000) if (name := f"{stem}-{n}").casefold() not in taken)

"""FA-BLD: fleets built to points, squadron by squadron."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.fleet_action.data import TABLES, ShipClass
from games.fleet_action.orders.records import AbilityOrder, BuyOrder, Order, ReserveOrder
from games.fleet_action.rules import abilities, deployment, formation, reinforcements
from games.fleet_action.rules.abilities import NETWORK
from games.fleet_action.state import Ability, Fleet, Flight, Schedule, Ship, Side, Squadron, State
from games.fleet_action.table import Table
from pbem.kit import hexgrid

MOST_PROPOSED = 8


@dataclass(frozen=True)
class Refusal:
    """FA-E-38: why a roster cannot stand."""

    reason: str
    hint: str = ""


@dataclass(frozen=True)
class Purchase:
    """One squadron of a building side: ships, flights, abilities, and when it comes."""

    squadron: str
    ships: tuple[BuyOrder, ...]
    flights: tuple[BuyOrder, ...]
    abilities: tuple[str, ...]
    reserve: int | None


def is_building(state: State, side: str) -> bool:
    """The side has points to spend, and the phase to do it in."""
    return state.stage == "deployment" and any(s.id == side and s.points_limit > 0 for s in state.sides)


def proposed_squadrons(state: State, side: str) -> tuple[str, ...]:
    """Names under which a building side may buy squadrons, beside those it has; it may choose others."""
    if not is_building(state, side):
        return ()
    name = next(s.name for s in state.sides if s.id == side)
    own = [squadron.name for squadron in state.squadrons if squadron.side == side]
    proposed = [f"{name} {number}" for number in range(1, MOST_PROPOSED + 1)]
    return tuple(proposal for proposal in proposed if proposal not in own)[: max(0, MOST_PROPOSED - len(own))]


def new_names(state: State, side: Side, orders: Sequence[Order]) -> dict[str, str]:
    """A name is one unit's in the whole game: bought units that others have the name of get their side's before it."""
    others = [squadron for squadron in state.squadrons if squadron.side != side.id]
    names = [name for squadron in others for name in (squadron.name, *squadron.ships)]
    names += [flight.name for flight in state.flights if flight.side != side.id]
    taken = {name.casefold() for name in names}
    bought = [name for order in orders if isinstance(order, BuyOrder) for name in (order.unit, order.name)]
    return {name: f"{side.name} {name}" for name in bought if name.casefold() in taken}


def purchases(table: Table, orders: Sequence[Order]) -> list[Purchase]:
    """The orders gathered squadron by squadron, in the order written."""
    units = dict.fromkeys(order.unit for order in orders if isinstance(order, BuyOrder))
    return [_purchase(table, unit, [order for order in orders if order.unit == unit]) for unit in units]


def _purchase(table: Table, unit: str, orders: Sequence[Order]) -> Purchase:
    bought = [order for order in orders if isinstance(order, BuyOrder)]
    reserve = [order.turn for order in orders if isinstance(order, ReserveOrder)]
    return Purchase(
        unit,
        tuple(order for order in bought if order.key in table.cards.classes),
        tuple(order for order in bought if order.key in table.cards.fighters),
        tuple(order.key for order in orders if isinstance(order, AbilityOrder)),
        reserve[-1] if reserve else None,
    )


# --- checking --------------------------------------------------------------------------------------------------------


def price(table: Table, bought: Sequence[Purchase]) -> int:
    """FA-BLD-1, FA-REI-2: ships and flights, less the discount of reinforcing fleets, and abilities."""
    total = 0
    later = sum(_cost(table, purchase) for purchase in bought if purchase.reserve is not None)
    for turn, fleet in _fleets_of(bought).items():
        cost = sum(_cost(table, purchase) for purchase in fleet)
        total += cost if turn is None else -(-cost * (100 - reinforcements.discount(turn)) // 100)
    for purchase in bought:
        cr = table.cards.classes[purchase.ships[0].key].cr if purchase.ships else 1
        total += sum(abilities.cost(key, cr, later) for key in purchase.abilities)
    return total


def _cost(table: Table, purchase: Purchase) -> int:
    ships = sum(table.cards.classes[order.key].points for order in purchase.ships)
    return ships + sum(table.cards.fighters[order.key].points for order in purchase.flights)


def _fleets_of(bought: Sequence[Purchase]) -> dict[int | None, list[Purchase]]:
    """By the turn they come; the first squadron of a fleet is the flagship's, its commander the admiral."""
    turns = dict.fromkeys(purchase.reserve for purchase in bought)
    return {turn: [purchase for purchase in bought if purchase.reserve == turn] for turn in turns}


def check(table: Table, side: Side, bought: Sequence[Purchase]) -> Iterator[Refusal]:
    """FA-BLD-1..5, FA-ABL-1, 9: everything that is wrong with a roster."""
    for purchase in bought:
        yield from _check_squadron(table, side, purchase)
    yield from _check_fleets(table, bought)
    for purchase in bought:
        yield from _check_owner(purchase, leads=_leads(purchase, bought))
    yield from _check_limited(table, side, bought)
    spent = price(table, bought)
    if spent > side.points_limit:
        yield Refusal(f"the roster costs {spent} points, the limit is {side.points_limit}", "buy less")


def _check_squadron(table: Table, side: Side, purchase: Purchase) -> Iterator[Refusal]:
    name, ships = purchase.squadron, purchase.ships
    if not ships:
        yield Refusal(f"{name} has no ship", "buy a ship for it first")
        return
    cr = table.cards.classes[ships[0].key].cr
    held = abilities.improved_cr(cr) if NETWORK in purchase.abilities else cr
    if len(ships) > held:
        yield Refusal(f"{name} has {len(ships)} ships, its commander's cr is {held}")
    for order in (*ships, *purchase.flights):
        card = table.cards.classes.get(order.key) or table.cards.fighters[order.key]
        if card.navy != side.navy:
            yield Refusal(f"{order.key} is not of the {side.navy} navy")
    most = abilities.most_abilities(cr)
    if len(purchase.abilities) > most:
        yield Refusal(f"{name} has {len(purchase.abilities)} abilities, its commander may own {most}")
    earliest = TABLES.earliest_reinforcement
    if purchase.reserve is not None and purchase.reserve < earliest:
        yield Refusal(f"{name} comes on turn {purchase.reserve}, turn {earliest} is the earliest")
    yield from _check_hangars(table, purchase)


def _leads(purchase: Purchase, bought: Sequence[Purchase]) -> bool:
    return purchase is _fleets_of(bought)[purchase.reserve][0]


def _check_owner(purchase: Purchase, *, leads: bool) -> Iterator[Refusal]:
    """FA-ABL-2, 3, 7..10: abilities of admirals alone, of squadron commanders alone, and one network each."""
    for key in dict.fromkeys(purchase.abilities):
        card = TABLES.ability[key]
        if card.admiral and not leads:
            yield Refusal(f"{key} is an admiral's; {purchase.squadron} is not the flagship's squadron")
        if leads and not card.flagship:
            yield Refusal(f"{key} never serves on the flagship, and {purchase.squadron} is its squadron")
    if purchase.abilities.count(NETWORK) > 1:
        yield Refusal(f"{purchase.squadron} has more than one {NETWORK}; one a commander")


def _check_hangars(table: Table, purchase: Purchase) -> Iterator[Refusal]:
    """FA-BLD-4: every flight has a place, of a legal type."""
    ships = {order.name: table.cards.classes[order.key] for order in purchase.ships}
    for name, card in ships.items():
        aboard = [order for order in purchase.flights if order.on == name]
        if len(aboard) > card.hangar:
            yield Refusal(f"{name} carries {len(aboard)} flights, its hangar holds {card.hangar}")
        for order in aboard:
            if card.hangar_types and order.key not in card.hangar_types:
                yield Refusal(f"{name} cannot carry {order.key}")
    for order in purchase.flights:
        if order.on not in ships:
            yield Refusal(f"{order.name} has no ship of {purchase.squadron} to be housed on")


def _check_fleets(table: Table, bought: Sequence[Purchase]) -> Iterator[Refusal]:
    """FA-BLD-3: a fleet has at most as many squadrons as its flagship's cr."""
    for fleet in _fleets_of([purchase for purchase in bought if purchase.ships]).values():
        flagship = fleet[0].ships[0]
        cr = table.cards.classes[flagship.key].cr
        if len(fleet) > cr:
            yield Refusal(f"{len(fleet)} squadrons under {flagship.name}, its cr is {cr}")


def _check_limited(table: Table, side: Side, bought: Sequence[Purchase]) -> Iterator[Refusal]:
    """FA-BLD-5, FA-ABL-9: one limited ship a squadron and one per 2000 points; clout lifts it ship by ship."""
    allowed = max(1, side.points_limit // TABLES.limited_per)
    clout = sum(purchase.abilities.count("clout") for purchase in bought)
    counts = [sum(table.cards.classes[order.key].limited for order in purchase.ships) for purchase in bought]
    crowded = sum(count - 1 for count in counts if count > 1)
    if crowded > clout:
        yield Refusal(f"{crowded} limited ship(s) too many in one squadron; one a squadron is allowed")
    if sum(counts) > allowed + clout:
        yield Refusal(f"{sum(counts)} limited ships, {allowed} allowed (one per {TABLES.limited_per} points)")


# --- founding --------------------------------------------------------------------------------------------------------


def founded(state: State, side: Side, bought: Sequence[Purchase]) -> State:
    """The state with the bought roster in place of what the side had."""
    table = Table(state)
    squadrons = [squadron for squadron in state.squadrons if squadron.side != side.id]
    ships = [ship for ship in state.ships if table.side_of(ship) != side.id]
    flights = [flight for flight in state.flights if flight.side != side.id]
    fleets = [fleet for fleet in state.fleets if fleet.side != side.id]
    for place, purchase in enumerate(bought):
        squadron = _squadron(table, side, purchase, place)
        if not _leads(purchase, bought):
            squadron = replace(squadron, abilities=_owned(purchase))
        squadrons.append(squadron)
        ships += [_ship(table.cards.classes[order.key], order, squadron) for order in purchase.ships]
        flights += [_flight(order, squadron) for order in purchase.flights]
    fleets += [_fleet(side, fleet[0]) for fleet in _fleets_of(bought).values()]
    squadrons.sort(key=lambda squadron: table.sides[squadron.side].index)
    rank = {squadron.name: place for place, squadron in enumerate(squadrons)}
    return replace(
        state,
        squadrons=tuple(squadrons),
        ships=tuple(sorted(ships, key=lambda ship: rank[ship.squadron])),
        flights=tuple(flights),
        fleets=tuple(sorted(fleets, key=lambda fleet: table.sides[fleet.side].index)),
    )


def _fleet_name(side: Side, purchase: Purchase) -> str:
    return side.name if purchase.reserve is None else f"{side.name} reserve {purchase.reserve}"


def _owned(purchase: Purchase) -> tuple[Ability, ...]:
    return tuple(abilities.fresh(key, purchase.ships[0].name) for key in purchase.abilities)


def _fleet(side: Side, first: Purchase) -> Fleet:
    return Fleet(
        name=_fleet_name(side, first),
        side=side.id,
        flagship=first.ships[0].name,
        schedule=None if first.reserve is None else Schedule(first.reserve),
        abilities=_owned(first),
    )


def _squadron(table: Table, side: Side, purchase: Purchase, place: int) -> Squadron:
    """A bought squadron where it stands without a deploy order: spread about the middle of its area."""
    state, area = table.state, side.area
    columns, rows = (area.columns, area.rows) if area else ((1, state.map_w), (1, state.map_h))
    aside = (place + 1) // 2 * 4 * (1 if place % 2 else -1)
    at = hexgrid.from_column_row((columns[0] + columns[1]) // 2 + aside, (rows[0] + rows[1]) // 2)
    heading = 4 if (rows[0] + rows[1]) // 2 <= state.map_h // 2 else 1
    names = tuple(order.name for order in purchase.ships)
    waits = side.jumping or purchase.reserve is not None
    return Squadron(
        name=purchase.squadron,
        side=side.id,
        fleet=_fleet_name(side, purchase),
        command_ship=names[0],
        ships=names,
        hex=at,
        heading=heading,
        speed=deployment.default_speed(table, side),
        formation=formation.slotted(names, names[0], "wedge"),
        morale_start=sum(len(table.cards.classes[order.key].grey) for order in purchase.ships),
        state="waiting" if waits else "normal",
        arrives=1 if side.jumping and purchase.reserve is None else None,
        default=(at, heading),
    )


def _ship(card: ShipClass, order: BuyOrder, squadron: Squadron) -> Ship:
    at = formation.place_of(squadron, order.name)
    return Ship(name=order.name, ship_class=card.key, squadron=squadron.name, hex=at, **fresh_tracks(card))


def _flight(order: BuyOrder, squadron: Squadron) -> Flight:
    return Flight(
        name=order.name,
        fighter_class=order.key,
        side=squadron.side,
        home=order.on,
        count=TABLES.flight_size,
        charge=squadron.name,
    )


def fresh_tracks(card: ShipClass) -> dict[str, Any]:
    """What a ship has before it is hit or has fired."""
    count = len(card.weapons)
    return {
        "structure": card.structure,
        "sensor": card.sensor,
        "weapon_left": tuple(mount.rating for mount in card.weapons),
        "man_left": card.manoeuvre,
        "last_std": (None,) * count,
        "last_any": (None,) * count,
        "shots_this_turn": (0,) * count,
    }

"""FA-BLD: fleets built to points, squadron by squadron."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.fleet_action import geometry
from games.fleet_action.orders.records import AbilityOrder, BuyOrder, Order, ReserveOrder
from games.fleet_action.rules import abilities, deployment, reinforcements
from games.fleet_action.state import (
    Ability,
    Fleet,
    Flight,
    Manoeuvre,
    Schedule,
    Ship,
    Side,
    Squadron,
    State,
)
from games.fleet_action.table import Table
from games.fleet_action.tables import TABLES
from pbem.kit import hexgrid


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


def purchases(table: Table, orders: Sequence[Order]) -> list[Purchase]:
    """The orders gathered squadron by squadron, in the order written."""
    units = list(dict.fromkeys(order.unit for order in orders if isinstance(order, BuyOrder)))
    found = []
    for unit in units:
        mine = [order for order in orders if order.unit == unit]
        bought = [order for order in mine if isinstance(order, BuyOrder)]
        reserve = [order.turn for order in mine if isinstance(order, ReserveOrder)]
        found.append(
            Purchase(
                unit,
                tuple(order for order in bought if order.key in table.cards.classes),
                tuple(order for order in bought if order.key in table.cards.fighters),
                tuple(order.key for order in mine if isinstance(order, AbilityOrder)),
                reserve[-1] if reserve else None,
            )
        )
    return found


# --- checking --------------------------------------------------------------------------------------------------------


def price(table: Table, bought: Sequence[Purchase]) -> int:
    """FA-BLD-1, FA-REI-2: ships and flights, less the discount of reinforcing fleets, and abilities."""
    total = 0
    later = sum(_cost(table, one) for one in bought if one.reserve is not None)
    for turn in dict.fromkeys(one.reserve for one in bought):
        cost = sum(_cost(table, one) for one in bought if one.reserve == turn)
        total += cost if turn is None else -(-cost * (100 - reinforcements.discount(turn)) // 100)
    for one in bought:
        cr = table.cards.classes[one.ships[0].key].cr if one.ships else 1
        total += sum(abilities.cost(key, cr, later) for key in one.abilities)
    return total


def _cost(table: Table, one: Purchase) -> int:
    ships = sum(table.cards.classes[order.key].points for order in one.ships)
    return ships + sum(table.cards.fighters[order.key].points for order in one.flights)


def check(table: Table, side: Side, bought: Sequence[Purchase]) -> list[Refusal]:
    """FA-BLD-1..5, FA-ABL-1, 9: everything that is wrong with a roster."""
    found = [refusal for one in bought for refusal in _check_squadron(table, side, one)]
    found += _check_fleets(table, bought)
    found += [refusal for one in bought for refusal in _check_owner(one, leads=_leads(one, bought))]
    found += _check_limited(table, side, bought)
    spent = price(table, bought)
    if spent > side.points_limit:
        found.append(Refusal(f"the roster costs {spent} points, the limit is {side.points_limit}", "buy less"))
    return found


def _check_squadron(table: Table, side: Side, one: Purchase) -> list[Refusal]:
    if not one.ships:
        return [Refusal(f"{one.squadron} has no ship", "buy a ship for it first")]
    found = []
    classes = table.cards.classes
    cr = classes[one.ships[0].key].cr
    held = abilities.improved_cr(cr) if "improved-command-network" in one.abilities else cr
    if len(one.ships) > held:
        found.append(Refusal(f"{one.squadron} has {len(one.ships)} ships, its commander's cr is {held}"))
    strangers = [o.key for o in (*one.ships, *one.flights) if _navy(table, o.key) != side.navy]
    found += [Refusal(f"{key} is not of the {side.navy} navy") for key in strangers]
    most = abilities.most_abilities(cr)
    if len(one.abilities) > most:
        found.append(Refusal(f"{one.squadron} has {len(one.abilities)} abilities, its commander may own {most}"))
    if one.reserve is not None and one.reserve < TABLES.earliest_reinforcement:
        earliest = TABLES.earliest_reinforcement
        found.append(Refusal(f"{one.squadron} comes on turn {one.reserve}, turn {earliest} is the earliest"))
    return found + _check_hangars(table, one)


def _leads(one: Purchase, bought: Sequence[Purchase]) -> bool:
    """The first squadron of a fleet is the flagship's; its commander is the admiral."""
    return one is next(other for other in bought if other.reserve == one.reserve)


def _check_owner(one: Purchase, *, leads: bool) -> list[Refusal]:
    """FA-ABL-2, 3, 7..10: abilities of admirals alone, of squadron commanders alone, and one network each."""
    found = []
    for key in dict.fromkeys(one.abilities):
        card = TABLES.ability[key]
        if card.admiral and not leads:
            found.append(Refusal(f"{key} is an admiral's; {one.squadron} is not the flagship's squadron"))
        if leads and not card.flagship:
            found.append(Refusal(f"{key} never serves on the flagship, and {one.squadron} is its squadron"))
    if one.abilities.count("improved-command-network") > 1:
        found.append(Refusal(f"{one.squadron} has more than one improved-command-network; one a commander"))
    return found


def _navy(table: Table, key: str) -> str:
    card = table.cards.classes.get(key) or table.cards.fighters[key]
    return card.navy


def _check_hangars(table: Table, one: Purchase) -> list[Refusal]:
    """FA-BLD-4: every flight has a place, of a legal type."""
    found = []
    ships = {order.name: table.cards.classes[order.key] for order in one.ships}
    for name, card in ships.items():
        aboard = [order for order in one.flights if order.on == name]
        if len(aboard) > card.hangar:
            found.append(Refusal(f"{name} carries {len(aboard)} flights, its hangar holds {card.hangar}"))
        for order in aboard:
            legal = order.key in card.hangar_types if card.hangar_types else True
            if not legal:
                found.append(Refusal(f"{name} cannot carry {order.key}"))
    homeless = [order.name for order in one.flights if order.on not in ships]
    return found + [Refusal(f"{name} has no ship of {one.squadron} to be housed on") for name in homeless]


def _check_fleets(table: Table, bought: Sequence[Purchase]) -> list[Refusal]:
    """FA-BLD-3: a fleet has at most as many squadrons as its flagship's cr."""
    found = []
    for turn in dict.fromkeys(one.reserve for one in bought):
        fleet = [one for one in bought if one.reserve == turn and one.ships]
        if not fleet:
            continue
        cr = table.cards.classes[fleet[0].ships[0].key].cr
        if len(fleet) > cr:
            found.append(Refusal(f"{len(fleet)} squadrons under {fleet[0].ships[0].name}, its cr is {cr}"))
    return found


def _check_limited(table: Table, side: Side, bought: Sequence[Purchase]) -> list[Refusal]:
    """FA-BLD-5, FA-ABL-9: one limited ship a squadron and one per 2000 points; clout lifts it ship by ship."""
    allowed = max(1, side.points_limit // TABLES.limited_per)
    clout = sum(1 for one in bought for key in one.abilities if key == "clout")
    found = []
    counts = {one.squadron: sum(1 for o in one.ships if table.cards.classes[o.key].limited) for one in bought}
    crowded = sum(count - 1 for count in counts.values() if count > 1)
    if crowded > clout:
        found.append(Refusal(f"{crowded} limited ship(s) too many in one squadron; one a squadron is allowed"))
    total = sum(counts.values())
    if total > allowed + clout:
        found.append(Refusal(f"{total} limited ships, {allowed} allowed (one per {TABLES.limited_per} points)"))
    return found


# --- founding --------------------------------------------------------------------------------------------------------


def founded(state: State, side: Side, bought: Sequence[Purchase]) -> State:
    """The state with the bought roster in place of what the side had."""
    others = [s for s in state.squadrons if s.side != side.id]
    other_names = {squadron.name for squadron in others}
    ships = [ship for ship in state.ships if ship.squadron in other_names]
    flights = [flight for flight in state.flights if flight.side != side.id]
    fleets = [fleet for fleet in state.fleets if fleet.side != side.id]
    table = Table(state)
    squadrons: list[Squadron] = []
    for place, one in enumerate(bought):
        fleet = _fleet_name(side, one)
        squadrons.append(_squadron(table, side, one, fleet, place))
        if not _leads(one, bought):
            owned = tuple(_ability(key, one.ships[0].name) for key in one.abilities)
            squadrons[-1] = replace(squadrons[-1], abilities=owned)
        ships += [_ship(table, order, one.squadron, squadrons[-1]) for order in one.ships]
        flights += [Flight(o.name, o.key, side.id, o.on, TABLES.flight_size, charge=one.squadron) for o in one.flights]
    fleets += _fleets(side, bought)
    every = sorted([*others, *squadrons], key=lambda s: table.sides[s.side].index)
    rank = {s.name: n for n, s in enumerate(every)}
    return replace(
        state,
        squadrons=tuple(every),
        ships=tuple(sorted(ships, key=lambda ship: rank[ship.squadron])),
        flights=tuple(flights),
        fleets=tuple(sorted(fleets, key=lambda fleet: table.sides[fleet.side].index)),
    )


def _fleet_name(side: Side, one: Purchase) -> str:
    return side.name if one.reserve is None else f"{side.name} reserve {one.reserve}"


def _fleets(side: Side, bought: Sequence[Purchase]) -> list[Fleet]:
    fleets = []
    for turn in dict.fromkeys(one.reserve for one in bought):
        first = next(one for one in bought if one.reserve == turn)
        flagship = first.ships[0].name
        owned = tuple(_ability(key, flagship) for key in first.abilities)
        schedule = None if turn is None else Schedule(turn)
        fleets.append(Fleet(_fleet_name(side, first), side.id, flagship, schedule=schedule, abilities=owned))
    return fleets


def _ability(key: str, ship: str) -> Ability:
    return Ability(key, TABLES.ability[key].uses or None, None, ship)


def _squadron(table: Table, side: Side, one: Purchase, fleet: str, place: int) -> Squadron:
    """A bought squadron where it stands without a deploy order: spread about the middle of its area."""
    state = table.state
    area = side.area
    columns, rows = (area.columns, area.rows) if area else ((1, state.map_w), (1, state.map_h))
    aside = (place + 1) // 2 * 4 * (1 if place % 2 else -1)
    at = hexgrid.from_column_row((columns[0] + columns[1]) // 2 + aside, (rows[0] + rows[1]) // 2)
    heading = 4 if (rows[0] + rows[1]) // 2 <= state.map_h // 2 else 1
    names = tuple(order.name for order in one.ships)
    offsets = dict.fromkeys(names, geometry.HERE)
    for name, slot in zip(names[1:], TABLES.formation["wedge"], strict=False):
        offset = geometry.read_offset(slot)
        assert offset is not None
        offsets[name] = offset
    grey = sum(len(table.cards.classes[order.key].grey) for order in one.ships)
    waits = side.jumping or one.reserve is not None
    return Squadron(
        name=one.squadron,
        side=side.id,
        fleet=fleet,
        command_ship=names[0],
        ships=names,
        hex=at,
        heading=heading,
        speed=deployment.default_speed(table, side),
        formation=offsets,
        morale_start=grey,
        state="waiting" if waits else "normal",
        arrives=1 if side.jumping and one.reserve is None else None,
        default=(at, heading),
    )


def _ship(table: Table, order: BuyOrder, squadron: str, of: Squadron) -> Ship:
    card = table.cards.classes[order.key]
    count = len(card.weapons)
    return Ship(
        name=order.name,
        ship_class=order.key,
        squadron=squadron,
        hex=of.hex.plus(geometry.to_map(of.formation[order.name], of.heading)),
        structure=card.structure,
        sensor=card.sensor,
        weapon_left=tuple(mount.rating for mount in card.weapons),
        man_left=Manoeuvre(
            card.come_about, card.hard_turn, card.course_correct, card.turn, card.max_accel, card.max_decel
        ),
        last_std=(None,) * count,
        last_any=(None,) * count,
        shots_this_turn=(0,) * count,
    )

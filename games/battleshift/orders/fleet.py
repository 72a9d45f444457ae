"""From setup orders to a fleet on the table or in reserve (BS-FLT, BS-SHF-9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from games.battleshift.orders import words as w
from games.battleshift.orders.draft import Draft, draft_of, largest_of, members_of, places_of
from games.battleshift.orders.words import Order
from games.battleshift.rules.building import trait_cost
from games.battleshift.rules.thawing import class_of
from games.battleshift.state import (
    Formation,
    Quadrant,
    Return,
    Ship,
    Squadron,
    State,
    Taskforce,
    Terrain,
)
from pbem.kit.plane import SECTOR, Spot

INWARD = {"north": 180, "south": 0, "west": 90, "east": 270}
FAR_ENOUGH = 600
"""Half the depth of the deployment zone, where units without orders are put."""


def fleet_from_setup(state: State, side: str, orders: Iterable[Order]) -> State:
    """The state with the side's fleet as ordered; without a fleet of its own, the scenario's."""
    orders = list(orders)
    draft = draft_of(state, side, orders)
    if draft.is_new:
        state = _with_new_fleet(state, draft)
        draft.state = state
    # A squadron's own line overrides its taskforce's, wherever they stand.
    tfs = {tf.name for tf in state.taskforces if tf.side == side}
    for unit, order in sorted(draft.deploys.items(), key=lambda entry: entry[0] not in tfs):
        state = _deployed(state, draft, unit, order)
    for unit, reserve in draft.reserves.items():
        state = _reserved(state, draft, unit, reserve)
    state = _defended(state, draft)
    sides = tuple(
        replace(s, veteran_admiral=s.veteran_admiral or draft.admiral) if s.id == side else s for s in state.sides
    )
    state = replace(state, sides=sides)
    standing = [order for order in orders if order.standing]
    if standing:
        # Imported here because reading a letter needs this module for its setup orders.
        from games.battleshift.orders.reading import standing_after

        state = standing_after(replace(state, stage="orders"), {side: standing})
    return state


def _with_new_fleet(state: State, draft: Draft) -> State:
    side = draft.side.id
    designs = {**state.designs, side: {**state.designs.get(side, {}), **draft.designs}}
    member_of = {name: tf.name for tf in draft.taskforces.values() for name in tf.squadrons}
    made = []
    for order in draft.squadrons.values():
        cls = draft.class_named(order.ship_class)
        wings = cls.bay * order.ships
        made.append(
            Squadron(
                order.name,
                side,
                order.ship_class,
                tuple(Ship(number) for number in range(1, order.ships + 1)),
                cls.hull * order.ships,
                taskforce=member_of.get(order.name, ""),
                traits=frozenset(draft.traits.get(order.name, [])),
                wings_aboard=wings,
                wings_initial=wings,
            )
        )
    tfs = []
    for tf in draft.taskforces.values():
        flag = tf.flag or (largest_of(draft, tf) or list(tf.squadrons))[0]
        names = tuple(name for name in tf.squadrons if name in draft.squadrons)
        tfs.append(Taskforce(tf.name, side, squadrons=names, flagship=f"{flag}.1"))
    others = tuple(s for s in state.squadrons if s.side != side)
    other_tfs = tuple(tf for tf in state.taskforces if tf.side != side)
    state = replace(state, designs=designs, squadrons=(*others, *made), taskforces=(*other_tfs, *tfs))
    return _placed_by_default(state, draft)


def _placed_by_default(state: State, draft: Draft) -> State:
    """Units without a `deploy` or `reserve` line stand spread along their own edge, facing inward."""
    draft = replace(draft, state=state)
    groups = [*draft.taskforces, *draft.loose]
    waiting = [name for name in groups if name not in draft.deploys and name not in draft.reserves]
    edge = draft.side.edge or "south"
    width, height = state.width_ft * SECTOR, state.height_ft * SECTOR
    for number, name in enumerate(waiting):
        span = width if edge in ("north", "south") else height
        along = span * (2 * number + 1) // (2 * len(waiting))
        spot = {
            "north": Spot(along, FAR_ENOUGH),
            "south": Spot(along, height - FAR_ENOUGH),
            "west": Spot(FAR_ENOUGH, along),
            "east": Spot(width - FAR_ENOUGH, along),
        }[edge]
        state = _deployed(state, replace(draft, state=state), name, w.Deploy(name, spot.x, spot.y, INWARD[edge]))
    return state


def _deployed(state: State, draft: Draft, unit: str, order: w.Deploy) -> State:
    places = places_of(replace(draft, state=state), order)
    squadrons = []
    for squadron in state.squadrons:
        spots = places.get(squadron.name) if squadron.side == draft.side.id else None
        if spots is None:
            squadrons.append(squadron)
            continue
        ships = tuple(
            replace(ship, x=spot.x, y=spot.y, status="active") for ship, spot in zip(squadron.ships, spots, strict=True)
        )
        formation = order.formation or Formation()
        squadrons.append(replace(squadron, ships=ships, facing=order.facing, formation=formation))
    tfs = tuple(
        replace(tf, location="table", returns=None) if tf.side == draft.side.id and tf.name == unit else tf
        for tf in state.taskforces
    )
    return replace(state, squadrons=tuple(squadrons), taskforces=tfs)


def _reserved(state: State, draft: Draft, unit: str, order: w.Reserve) -> State:
    """BS-SHF-9: off the table until its turn."""
    names = {name for name, _ in members_of(replace(draft, state=state), unit)}
    layouts = {name: layout for name, layout in draft.layouts.items() if name in names}
    back = Return(order.back.turn, order.back.sector, order.back.facing, order.back.x, order.back.y, layouts)
    is_tf = any(tf.name == unit and tf.side == draft.side.id for tf in state.taskforces)
    squadrons = tuple(
        replace(s, ships=tuple(replace(ship, status="hyperspace") for ship in s.ships), returns=None if is_tf else back)
        if s.side == draft.side.id and s.name in names
        else s
        for s in state.squadrons
    )
    tfs = tuple(
        replace(tf, location="reserve", returns=back) if tf.side == draft.side.id and tf.name == unit else tf
        for tf in state.taskforces
    )
    return replace(state, squadrons=squadrons, taskforces=tfs)


def _defended(state: State, draft: Draft) -> State:
    if not draft.defences:
        return state
    return replace(state, terrain=tuple(_with_defences(body, draft) for body in state.terrain))


def _with_defences(body: Terrain, draft: Draft) -> Terrain:
    """BS-PLN-7: installations in the order of the `defence` lines."""
    quadrants = dict(body.quadrants)
    for defence in draft.defences:
        if defence.body != body.name:
            continue
        for place in defence.quadrants:
            old = quadrants.get(place, Quadrant())
            built = [name for name, count in defence.systems if name != "assault" for _ in range(count)]
            troops = sum(count for name, count in defence.systems if name == "assault")
            wings = built.count("bay")
            quadrants[place] = replace(
                old,
                installations=(*old.installations, *built),
                assault=old.assault + troops,
                wings_aboard=old.wings_aboard + wings,
            )
    return replace(body, quadrants=quadrants)


def fleet_cost(state: State, side: str) -> int:
    """BS-FLT-1: what the side's ships cost, traits included."""
    own = [squadron for squadron in state.squadrons if squadron.side == side]
    total = 0
    for squadron in own:
        made = class_of(state, squadron)
        total += len(squadron.ships) * (made.cost + trait_cost(squadron.traits, made))
    return total

"""From setup orders to a fleet on the table or in reserve (BS-FLT, BS-SHF-9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from games.battleshift import state as records
from games.battleshift.orders import records as o
from games.battleshift.orders.draft import Draft, draft_of, flag_of, members_of, places_of
from games.battleshift.orders.records import Order
from games.battleshift.orders.standing import standing_after
from games.battleshift.rules.building import class_of, trait_cost
from games.battleshift.state import State
from pbem.kit.plane import SECTOR, Spot

INWARD = {"north": 180, "south": 0, "west": 90, "east": 270}
FAR_ENOUGH = 600
"""Half the depth of the deployment zone, where units without orders are put."""


def fleet_from_setup(state: State, side: str, orders: Iterable[Order]) -> State:
    """The state with the side's fleet as ordered; without a fleet of its own, the scenario's."""
    orders = list(orders)
    draft = draft_of(state, side, orders)
    if draft.is_new:
        draft.state = _with_new_fleet(state, draft)
        draft.deploys = {**_default_places(draft), **draft.deploys}
    # A squadron's own line overrides its taskforce's, wherever they stand.
    tfs = {tf.name for tf in draft.state.taskforces if tf.side == side}
    for unit, order in sorted(draft.deploys.items(), key=lambda entry: entry[0] not in tfs):
        draft.state = _deployed(draft, unit, order)
    for unit, reserve in draft.reserves.items():
        draft.state = _reserved(draft, unit, reserve)
    sides = tuple(
        replace(record, veteran_admiral=record.veteran_admiral or draft.admiral) if record.id == side else record
        for record in state.sides
    )
    state = replace(draft.state, terrain=tuple(_with_defences(body, draft) for body in state.terrain), sides=sides)
    standing = [order for order in orders if order.standing]
    return standing_after(replace(state, stage="orders"), {side: standing}) if standing else state


def _with_new_fleet(state: State, draft: Draft) -> State:
    side = draft.builder.id
    designs = {**state.designs, side: {**state.designs.get(side, {}), **draft.designs}}
    member_of = {name: tf.name for tf in draft.taskforces.values() for name in tf.members}
    made = []
    for order in draft.squadrons.values():
        cls = draft.class_named(order.ship_class)
        wings = cls.bay * order.ships
        made.append(
            records.Squadron(
                name=order.name,
                side=side,
                ship_class=order.ship_class,
                ships=tuple(records.Ship(number) for number in range(1, order.ships + 1)),
                total=cls.hull * order.ships,
                taskforce=member_of.get(order.name, ""),
                traits=frozenset(draft.traits.get(order.name, [])),
                wings_aboard=wings,
                wings_initial=wings,
            )
        )
    tfs = []
    for tf in draft.taskforces.values():
        # A member whose own line was refused is not there; a taskforce without any is none.
        names = tuple(name for name in tf.members if name in draft.squadrons)
        if names:
            flagship = f"{flag_of(draft, tf)}.1"
            tfs.append(records.Taskforce(name=tf.name, side=side, squadrons=names, flagship=flagship))
    others = tuple(s for s in state.squadrons if s.side != side)
    other_tfs = tuple(tf for tf in state.taskforces if tf.side != side)
    return replace(state, designs=designs, squadrons=(*others, *made), taskforces=(*other_tfs, *tfs))


def _default_places(draft: Draft) -> dict[str, o.Deploy]:
    """Units without a `deploy` or `reserve` line stand spread along their own edge, facing inward."""
    groups = (*draft.taskforces, *draft.loose)
    waiting = [name for name in groups if name not in draft.deploys and name not in draft.reserves]
    edge = draft.builder.edge or "south"
    width, height = draft.state.width_ft * SECTOR, draft.state.height_ft * SECTOR
    span = width if edge in ("north", "south") else height
    deploys = {}
    for number, name in enumerate(waiting):
        along = span * (2 * number + 1) // (2 * len(waiting))
        spots = {"north": (along, FAR_ENOUGH), "south": (along, height - FAR_ENOUGH)}
        spots |= {"west": (FAR_ENOUGH, along), "east": (width - FAR_ENOUGH, along)}
        deploys[name] = o.Deploy(name, Spot(*spots[edge]), INWARD[edge])
    return deploys


def _deployed(draft: Draft, unit: str, order: o.Deploy) -> State:
    places, side = places_of(draft, order), draft.builder.id
    squadrons = []
    for squadron in draft.state.squadrons:
        if squadron.side == side and squadron.name in places:
            spots = zip(squadron.ships, places[squadron.name], strict=True)
            ships = tuple(replace(ship, x=spot.x, y=spot.y, status="active") for ship, spot in spots)
            squadron = replace(squadron, ships=ships, facing=order.facing, formation=order.formation)
        squadrons.append(squadron)
    return replace(draft.state, squadrons=tuple(squadrons), taskforces=_moved(draft, unit, "table", None))


def _reserved(draft: Draft, unit: str, order: o.Reserve) -> State:
    """BS-SHF-9: off the table until its turn."""
    names, side = members_of(draft, unit), draft.builder.id
    back = replace(order.back, layouts={name: draft.layouts[name] for name in names if name in draft.layouts})
    is_tf = any(tf.name == unit and tf.side == side for tf in draft.state.taskforces)
    squadrons = []
    for squadron in draft.state.squadrons:
        if squadron.side == side and squadron.name in names:
            away = tuple(replace(ship, status="hyperspace") for ship in squadron.ships)
            squadron = replace(squadron, ships=away, returns=None if is_tf else back)
        squadrons.append(squadron)
    return replace(draft.state, squadrons=tuple(squadrons), taskforces=_moved(draft, unit, "reserve", back))


def _moved(
    draft: Draft, unit: str, location: records.Location, back: records.Return | None
) -> tuple[records.Taskforce, ...]:
    return tuple(
        replace(tf, location=location, returns=back) if (tf.side, tf.name) == (draft.builder.id, unit) else tf
        for tf in draft.state.taskforces
    )


def _with_defences(body: records.Terrain, draft: Draft) -> records.Terrain:
    """BS-PLN-7: installations in the order of the `defence` lines."""
    quadrants = dict(body.quadrants)
    for defence in draft.defences:
        if defence.body != body.name:
            continue
        for place in defence.quadrants:
            old = quadrants.get(place, records.Quadrant())
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

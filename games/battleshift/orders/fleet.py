"""From setup orders to a fleet on the table or in reserve (BS-FLT, BS-SHF-9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from games.battleshift.data import LIMITS, TABLES, units
from games.battleshift.orders import words as w
from games.battleshift.orders.words import Order
from games.battleshift.rules.building import trait_cost
from games.battleshift.rules.formations import slots
from games.battleshift.rules.moving import inches
from games.battleshift.rules.shifting import PLACES
from games.battleshift.rules.space import body_name, closer, nearest_open, read_sector
from games.battleshift.rules.table import Battle, class_of, thaw
from games.battleshift.state import (
    Formation,
    Layout,
    Quadrant,
    Return,
    Ship,
    ShipClass,
    SideRecord,
    Squadron,
    State,
    Taskforce,
    Terrain,
)
from pbem.kit.dice import LoadedDice
from pbem.kit.plane import SECTOR, Sector, Spot, displacement, within
from pbem.kit.sheet import Accepted, Problem

INWARD = {"north": 180, "south": 0, "west": 90, "east": 270}
FAR_ENOUGH = 600
"""Half the depth of the deployment zone, where units without orders are put."""


@dataclass
class Draft:
    """A fleet in the making."""

    state: State
    side: SideRecord
    designs: dict[str, ShipClass] = field(default_factory=dict)
    squadrons: dict[str, w.RaiseSquadron] = field(default_factory=dict)
    taskforces: dict[str, w.RaiseTaskforce] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)
    traits: dict[str, list[str]] = field(default_factory=dict)
    admiral: bool = False
    defences: list[w.Defence] = field(default_factory=list)
    deploys: dict[str, w.Deploy] = field(default_factory=dict)
    reserves: dict[str, w.Reserve] = field(default_factory=dict)
    layouts: dict[str, Layout] = field(default_factory=dict)

    def class_named(self, name: str) -> ShipClass:
        return self.designs.get(name) or self.state.classes.get(name) or units().classes[name]

    def cost(self) -> int:
        """BS-FLT-1: ships, traits, admiral and planetary defence."""
        total = TABLES.veteran_admiral.cost if self.admiral else 0
        for squadron in self.squadrons.values():
            made = self.class_named(squadron.ship_class)
            total += squadron.ships * (made.cost + trait_cost(self.traits.get(squadron.name, []), made))
        defended = {defence.body for defence in self.defences}
        return total + sum(LIMITS.defence_cost * b.defence for b in self.state.terrain if b.name in defended)

    @property
    def is_new(self) -> bool:
        return bool(self.squadrons)


def draft_of(state: State, side: str, orders: Iterable[Order]) -> Draft:
    """Everything the setup orders say, later lines over earlier ones."""
    draft = Draft(state, next(one for one in state.sides if one.id == side))
    for order in orders:
        _enter(draft, order)
    return draft


def _enter(draft: Draft, order: Order) -> None:
    detail = order.detail
    if isinstance(detail, w.DesignClass):
        draft.designs[detail.design.name] = detail.design
    elif isinstance(detail, w.RaiseSquadron):
        draft.squadrons[detail.name] = detail
    elif isinstance(detail, w.RaiseTaskforce):
        draft.taskforces[detail.name] = detail
    elif isinstance(detail, w.Loose):
        draft.loose += detail.units
    elif isinstance(detail, w.GiveTrait):
        draft.traits.setdefault(detail.unit, []).append(detail.trait)
    elif isinstance(detail, w.VeteranAdmiral):
        draft.admiral = True
    elif isinstance(detail, w.Defence):
        draft.defences.append(detail)
    elif isinstance(detail, w.Deploy):
        draft.deploys[detail.unit] = detail
    elif isinstance(detail, w.Reserve):
        draft.reserves[detail.unit] = detail
    elif isinstance(detail, w.Arrive):
        draft.layouts[order.unit] = Layout(detail.x, detail.y, detail.formation or Formation())


# --- checks ----------------------------------------------------------------------------------------------------------

Found = tuple[Problem, Accepted[Order] | None]


def draft_problems(draft: Draft, entries: Sequence[Accepted[Order]]) -> Iterator[Found]:
    """BS-V-50, -55..-57, -59, -62: each with the line it costs, if it costs one."""
    yield from _names_twice(entries)
    yield from _taskforce_problems(draft, entries)
    yield from _defence_problems(draft, entries)
    yield from _place_problems(draft, entries)
    cost, points = draft.cost(), draft.side.points
    if draft.is_new and points and cost > points:
        reason = f"the fleet costs {cost} of {points} points, {cost - points} too many"
        yield Problem(0, "", "BS-V-57", reason, f"save {cost - points} points", "the scenario's fleet is used"), None


def _complain(entry: Accepted[Order], rule: str, reason: str, hint: str = "") -> Found:
    return Problem(entry.line, entry.text, rule, reason, hint, "the line is ignored"), entry


def _names_twice(entries: Sequence[Accepted[Order]]) -> Iterator[Found]:
    seen: dict[str, int] = {}
    for entry in entries:
        detail = entry.order.detail
        if isinstance(detail, w.RaiseSquadron | w.RaiseTaskforce):
            name = detail.name.casefold()
            if name in seen:
                yield _complain(entry, "BS-V-59", f"the name {detail.name} is used in line {seen[name]}", "another name")
            seen.setdefault(name, entry.line)


def _taskforce_problems(draft: Draft, entries: Sequence[Accepted[Order]]) -> Iterator[Found]:
    limit = draft.state.switches.max_squadrons_per_tf
    member_of: dict[str, str] = {}
    for entry in entries:
        detail = entry.order.detail
        if not isinstance(detail, w.RaiseTaskforce):
            continue
        twice = [name for name in detail.squadrons if name in member_of]
        if len(detail.squadrons) > limit:
            yield _complain(entry, "BS-V-55", f"{detail.name} has {len(detail.squadrons)} squadrons, limit {limit}")
        elif twice:
            yield _complain(entry, "BS-V-55", f"{twice[0]} is in {member_of[twice[0]]} and in {detail.name}", "take one")
        elif (largest := _largest(draft, detail)) and detail.flag and detail.flag not in largest:
            reason = f"{detail.flag} is not of the largest size in {detail.name}"
            yield _complain(entry, "BS-V-56", reason, f"flag {' or '.join(largest)}")
        for name in detail.squadrons:
            member_of.setdefault(name, detail.name)
    for entry in entries:
        detail = entry.order.detail
        if isinstance(detail, w.RaiseSquadron) and detail.name not in member_of and detail.name not in draft.loose:
            reason = f"{detail.name} is in no taskforce and not declared loose"
            yield _complain(entry, "BS-V-55", reason, f"loose {detail.name}")


def _largest(draft: Draft, tf: w.RaiseTaskforce) -> list[str]:
    sizes = {
        name: draft.class_named(draft.squadrons[name].ship_class).size for name in tf.squadrons if name in draft.squadrons
    }
    most = max(sizes.values(), default=0)
    return [name for name, size in sizes.items() if size == most]


def _defence_problems(draft: Draft, entries: Sequence[Accepted[Order]]) -> Iterator[Found]:
    used: dict[tuple[str, str], int] = {}
    bodies = {body.name: body for body in draft.state.terrain}
    for entry in entries:
        detail = entry.order.detail
        if not isinstance(detail, w.Defence):
            continue
        space = sum(TABLES.system[name].space * count for name, count in detail.systems)
        for place in detail.quadrants:
            key = (detail.body, place)
            total = used.get(key, 0) + space
            limit = bodies[detail.body].defence
            if total > limit:
                reason = f"{detail.body} {place} uses {total} space units of {limit}, {total - limit} too many"
                yield _complain(entry, "BS-V-50", reason, f"save {total - limit}")
                break
            used[key] = total


def _place_problems(draft: Draft, entries: Sequence[Accepted[Order]]) -> Iterator[Found]:
    battle = thaw(replace(draft.state, squadrons=(), taskforces=(), flights=()), LoadedDice())
    for entry in entries:
        detail = entry.order.detail
        if isinstance(detail, w.Deploy):
            why = _bad_deploy(draft, battle, detail)
            if why:
                yield _complain(entry, "BS-V-62", why, f"within 12.00\" of the {draft.side.edge} edge")
        elif isinstance(detail, w.Reserve):
            rule, why, hint = _bad_reserve(draft, battle, detail)
            if why:
                yield _complain(entry, rule, why, hint)


def in_zone(draft: Draft, spot: Spot) -> bool:
    """BS-FLT-5: within 12.00" of the own edge, on the table."""
    width, height = draft.state.width_ft * SECTOR, draft.state.height_ft * SECTOR
    depth = {"north": spot.y, "south": height - spot.y, "west": spot.x, "east": width - spot.x}
    if not (0 <= spot.x <= width and 0 <= spot.y <= height):
        return False
    return draft.side.edge is None or depth[draft.side.edge] <= LIMITS.deploy_depth


def _bad_deploy(draft: Draft, battle: Battle, order: w.Deploy) -> str:
    for name, spots in _places(draft, order).items():
        for number, spot in enumerate(spots, 1):
            if not in_zone(draft, spot):
                return f"{name}.{number} would stand at {inches(spot.x)},{inches(spot.y)}, outside the zone"
            solid = [b for b in battle.bodies if b.kind in ("planet", "moon") and within(b.spot, spot, b.radius - 1)]
            if solid:
                return f"{name}.{number} would stand inside {body_name(solid[0])}"
    return ""


def _bad_reserve(draft: Draft, battle: Battle, order: w.Reserve) -> tuple[str, str, str]:
    back = order.back
    sector = read_sector(back.sector, draft.state.width_ft, draft.state.height_ft)
    assert sector is not None
    body = closer(battle, sector)
    if body is not None:
        open_one = nearest_open(battle, draft.side.id, sector)
        hint = f"nearest open sector {open_one.name}" if open_one else ""
        return "BS-V-38", f"sector {back.sector} is closed by {body_name(body)}", hint
    if draft.state.switches.shift == "none" and not _on_edge(draft.state, sector):
        return "BS-V-38", f"sector {back.sector} is not on the table edge", "a sector on the edge"
    if back.turn < 2 and not _touches_edge(draft, sector):
        return "BS-V-62", f"in turn 1 {back.sector} does not touch your edge", "turn 2 is the earliest"
    return "", "", ""


def _on_edge(state: State, sector: Sector) -> bool:
    return sector.column in (1, state.width_ft) or sector.row in (1, state.height_ft)


def _touches_edge(draft: Draft, sector: Sector) -> bool:
    state = draft.state
    edges = {"north": sector.row == 1, "south": sector.row == state.height_ft}
    edges |= {"west": sector.column == 1, "east": sector.column == state.width_ft}
    return draft.side.edge is None or edges[draft.side.edge]


# --- making the fleet ------------------------------------------------------------------------------------------------


def _places(draft: Draft, order: w.Deploy) -> dict[str, list[Spot]]:
    """BS-SHF-8 around the flagship, or one squadron in its formation."""
    members = _members(draft, order.unit)
    centre = Spot(order.x, order.y)
    found = {}
    for number, (name, ships) in enumerate(members):
        spot = centre
        if number:
            dx, dy = displacement(LIMITS.arrival_gap, order.facing + PLACES[(number - 1) % len(PLACES)])
            spot = Spot(centre.x + dx, centre.y + dy)
        found[name] = slots(order.formation or Formation(), ships, order.facing, spot)
    return found


def _members(draft: Draft, unit: str) -> list[tuple[str, int]]:
    """Squadrons of a taskforce, the flagship's first, with their ships; or the squadron itself."""
    made = _squadron_counts(draft)
    if unit in draft.taskforces:
        tf = draft.taskforces[unit]
        first = tf.flag or (_largest(draft, tf) or list(tf.squadrons))[0]
        names = [first, *(name for name in tf.squadrons if name != first)]
        return [(name, made[name]) for name in names if name in made]
    found = next((tf for tf in draft.state.taskforces if tf.side == draft.side.id and tf.name == unit), None)
    if found is not None and not draft.is_new:
        first = found.flagship.rpartition(".")[0]
        names = [first, *(name for name in found.squadrons if name != first)]
        return [(name, made[name]) for name in names if name in made]
    return [(unit, made[unit])] if unit in made else []


def _squadron_counts(draft: Draft) -> dict[str, int]:
    if draft.is_new:
        return {name: order.ships for name, order in draft.squadrons.items()}
    return {s.name: len(s.ships) for s in draft.state.squadrons if s.side == draft.side.id}


def fleet_from_setup(state: State, side: str, orders: Iterable[Order]) -> State:
    """The state with the side's fleet as ordered; without a fleet of its own, the scenario's."""
    orders = list(orders)
    draft = draft_of(state, side, orders)
    if draft.is_new:
        state = _with_new_fleet(state, draft)
        draft.state = state
    for unit, order in draft.deploys.items():
        state = _deployed(state, draft, unit, order)
    for unit, reserve in draft.reserves.items():
        state = _reserved(state, draft, unit, reserve)
    state = _defended(state, draft)
    sides = tuple(replace(s, veteran_admiral=s.veteran_admiral or draft.admiral) if s.id == side else s for s in state.sides)
    state = replace(state, sides=sides)
    standing = [order for order in orders if order.standing]
    if standing:
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
        flag = tf.flag or (_largest(draft, tf) or list(tf.squadrons))[0]
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
    places = _places(replace(draft, state=state), order)
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
    names = {name for name, _ in _members(replace(draft, state=state), unit)}
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

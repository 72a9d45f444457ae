"""A fleet in the making, and what is wrong with it (BS-FLT, BS-V-50 to BS-V-62)."""

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
from games.battleshift.rules.space import body_name, closer, gravity_at, nearest_open, read_sector
from games.battleshift.rules.table import Battle
from games.battleshift.rules.thawing import thaw
from games.battleshift.state import (
    Formation,
    Layout,
    ShipClass,
    SideRecord,
    State,
)
from pbem.kit.dice import LoadedDice
from pbem.kit.plane import SECTOR, Sector, Spot, displacement, within
from pbem.kit.sheet import Accepted, Problem


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
                yield _complain(
                    entry, "BS-V-59", f"the name {detail.name} is used in line {seen[name]}", "another name"
                )
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
            yield _complain(
                entry, "BS-V-55", f"{twice[0]} is in {member_of[twice[0]]} and in {detail.name}", "take one"
            )
        elif (largest := largest_of(draft, detail)) and detail.flag and detail.flag not in largest:
            reason = f"{detail.flag} is not of the largest size in {detail.name}"
            yield _complain(entry, "BS-V-56", reason, f"flag {' or '.join(largest)}")
        for name in detail.squadrons:
            member_of.setdefault(name, detail.name)
    for entry in entries:
        detail = entry.order.detail
        if isinstance(detail, w.RaiseSquadron) and detail.name not in member_of and detail.name not in draft.loose:
            reason = f"{detail.name} is in no taskforce and not declared loose"
            yield _complain(entry, "BS-V-55", reason, f"loose {detail.name}")


def largest_of(draft: Draft, tf: w.RaiseTaskforce) -> list[str]:
    sizes = {
        name: draft.class_named(draft.squadrons[name].ship_class).size
        for name in tf.squadrons
        if name in draft.squadrons
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
                yield _complain(entry, "BS-V-62", why, f'within 12.00" of the {draft.side.edge} edge')
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
    for name, spots in places_of(draft, order).items():
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
    why = _bad_layout(draft, battle, order, sector)
    return ("BS-V-41", why, f"places inside {back.sector}") if why else ("", "", "")


def _bad_layout(draft: Draft, battle: Battle, order: w.Reserve, sector: Sector) -> str:
    """BS-V-41: all ships inside the sector and out of gravity when they arrive."""
    back = order.back
    centre = sector.centre if back.x is None or back.y is None else Spot(back.x, back.y)
    arriving = places_of(draft, w.Deploy(order.unit, centre.x, centre.y, back.facing))
    for name, spots in arriving.items():
        own = draft.layouts.get(name)
        placed = slots(own.formation, len(spots), back.facing, Spot(own.x, own.y)) if own else spots
        for number, spot in enumerate(placed, 1):
            place = f"{name}.{number} would arrive at {inches(spot.x)},{inches(spot.y)}"
            if not sector.holds(spot):
                return f"{place}, outside {sector.name}"
            body = gravity_at(battle, draft.side.id, spot)
            if body is not None and draft.state.switches.shift == "normal":
                return f"{place}, in the gravity of {body_name(body)} (12.00)"
    return ""


def _on_edge(state: State, sector: Sector) -> bool:
    return sector.column in (1, state.width_ft) or sector.row in (1, state.height_ft)


def _touches_edge(draft: Draft, sector: Sector) -> bool:
    state = draft.state
    edges = {"north": sector.row == 1, "south": sector.row == state.height_ft}
    edges |= {"west": sector.column == 1, "east": sector.column == state.width_ft}
    return draft.side.edge is None or edges[draft.side.edge]


# --- places ----------------------------------------------------------------------------------------------------------


def places_of(draft: Draft, order: w.Deploy) -> dict[str, list[Spot]]:
    """BS-SHF-8 around the flagship, or one squadron in its formation."""
    members = members_of(draft, order.unit)
    centre = Spot(order.x, order.y)
    found = {}
    for number, (name, ships) in enumerate(members):
        spot = centre
        if number:
            dx, dy = displacement(LIMITS.arrival_gap, order.facing + PLACES[(number - 1) % len(PLACES)])
            spot = Spot(centre.x + dx, centre.y + dy)
        found[name] = slots(order.formation or Formation(), ships, order.facing, spot)
    return found


def members_of(draft: Draft, unit: str) -> list[tuple[str, int]]:
    """Squadrons of a taskforce, the flagship's first, with their ships; or the squadron itself."""
    made = _squadron_counts(draft)
    if unit in draft.taskforces:
        tf = draft.taskforces[unit]
        first = tf.flag or (largest_of(draft, tf) or list(tf.squadrons))[0]
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

"""A fleet in the making, and what is wrong with it (BS-FLT, BS-V-50 to BS-V-62)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from games.battleshift.data import LIMITS, TABLES, ShipClass, units
from games.battleshift.orders import records as o
from games.battleshift.orders.records import Order
from games.battleshift.orders.words import IGNORED
from games.battleshift.rules.building import trait_cost
from games.battleshift.rules.formations import arrival, leader_spots, slots
from games.battleshift.rules.moving import at
from games.battleshift.rules.space import all_sectors, closer, gravity_at, nearest_open, read_sector
from games.battleshift.state import Layout, SideRecord, State
from games.battleshift.table import Table
from pbem.kit.judging import Judge
from pbem.kit.plane import INCH, SECTOR, Sector, Spot, squared, within
from pbem.kit.sheet import Line


@dataclass
class Draft:
    """A fleet in the making."""

    state: State
    builder: SideRecord
    designs: dict[str, ShipClass] = field(default_factory=dict)
    squadrons: dict[str, o.RaiseSquadron] = field(default_factory=dict)
    taskforces: dict[str, o.RaiseTaskforce] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)
    traits: dict[str, list[str]] = field(default_factory=dict)
    admiral: bool = False
    defences: list[o.Defence] = field(default_factory=list)
    deploys: dict[str, o.Deploy] = field(default_factory=dict)
    reserves: dict[str, o.Reserve] = field(default_factory=dict)
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
    draft = Draft(state, next(record for record in state.sides if record.id == side))
    for order in orders:
        _enter(draft, order)
    return draft


def _enter(draft: Draft, order: Order) -> None:
    detail = order.detail
    if isinstance(detail, o.DesignClass):
        draft.designs[detail.design.name] = detail.design
    elif isinstance(detail, o.RaiseSquadron):
        draft.squadrons[detail.name] = detail
    elif isinstance(detail, o.RaiseTaskforce):
        draft.taskforces[detail.name] = detail
    elif isinstance(detail, o.Loose):
        draft.loose += detail.units
    elif isinstance(detail, o.GiveTrait):
        draft.traits.setdefault(detail.unit, []).append(detail.trait)
    elif isinstance(detail, o.VeteranAdmiral):
        draft.admiral = True
    elif isinstance(detail, o.Defence):
        draft.defences.append(detail)
    elif isinstance(detail, o.Deploy):
        draft.deploys[detail.unit] = detail
    elif isinstance(detail, o.Reserve):
        draft.reserves[detail.unit] = detail
    elif isinstance(detail, o.Arrive):
        draft.layouts[order.unit] = detail.layout


# --- checks ----------------------------------------------------------------------------------------------------------


def check_draft(judge: Judge[Order], draft: Draft) -> None:
    """BS-V-50, -55..-57, -59, -62: lines that cannot stand, and a fleet that costs too much."""
    _check_names(judge)
    _check_taskforces(judge, draft)
    _check_defences(judge, draft)
    _check_places(judge, draft)
    cost, points = draft.cost(), draft.builder.points
    if draft.is_new and points and cost > points:
        reason = f"the fleet costs {cost} of {points} points, {cost - points} too many"
        nowhere = Line(0, "", "")
        hint, instead = f"save {cost - points} points", "the scenario's fleet is used"
        judge.complain("refused", nowhere, "BS-V-57", reason, hint, instead)
        for entry in judge.entries:
            if isinstance(entry.order.detail, o.DesignClass | o.RaiseSquadron | o.RaiseTaskforce):
                judge.drop(entry)


def _check_names(judge: Judge[Order]) -> None:
    seen: dict[str, int] = {}
    for entry in judge.entries:
        detail = entry.order.detail
        if isinstance(detail, o.RaiseSquadron | o.RaiseTaskforce):
            name = detail.name.casefold()
            if name in seen:
                reason = f"the name {detail.name} is used in line {seen[name]}"
                judge.refuse(entry, "BS-V-59", reason, "another name", IGNORED)
            seen.setdefault(name, entry.line)


def _check_taskforces(judge: Judge[Order], draft: Draft) -> None:
    limit = draft.state.switches.max_squadrons_per_tf
    member_of: dict[str, str] = {}
    for entry in judge.entries:
        detail = entry.order.detail
        if not isinstance(detail, o.RaiseTaskforce):
            continue
        twice = [name for name in detail.members if name in member_of]
        if len(detail.members) > limit:
            reason = f"{detail.name} has {len(detail.members)} squadrons, limit {limit}"
            judge.refuse(entry, "BS-V-55", reason, "", IGNORED)
        elif twice:
            reason = f"{twice[0]} is in {member_of[twice[0]]} and in {detail.name}"
            judge.refuse(entry, "BS-V-55", reason, "take one", IGNORED)
        elif (largest := largest_of(draft, detail)) and detail.flag and detail.flag not in largest:
            reason = f"{detail.flag} is not of the largest size in {detail.name}"
            fix = f"taskforce {detail.name} = {', '.join(detail.members)} flag {largest[0]}"
            judge.refuse(entry, "BS-V-56", reason, f"flag {' or '.join(largest)}", IGNORED, fix)
        for name in detail.members:
            member_of.setdefault(name, detail.name)
    for entry in judge.entries:
        detail = entry.order.detail
        if isinstance(detail, o.RaiseSquadron) and detail.name not in member_of and detail.name not in draft.loose:
            reason = f"{detail.name} is in no taskforce and not declared loose"
            loose = f"loose {detail.name}"
            judge.refuse(entry, "BS-V-55", reason, loose, IGNORED, f"{entry.text}\n{loose}")


def largest_of(draft: Draft, tf: o.RaiseTaskforce) -> list[str]:
    sizes = {
        name: draft.class_named(draft.squadrons[name].ship_class).size for name in tf.members if name in draft.squadrons
    }
    most = max(sizes.values(), default=0)
    return [name for name, size in sizes.items() if size == most]


def _check_defences(judge: Judge[Order], draft: Draft) -> None:
    used: dict[tuple[str, str], int] = {}
    bodies = {body.name: body for body in draft.state.terrain}
    for entry in judge.entries:
        detail = entry.order.detail
        if not isinstance(detail, o.Defence):
            continue
        space = sum(TABLES.system[name].space * count for name, count in detail.systems)
        for place in detail.quadrants:
            key = (detail.body, place)
            total = used.get(key, 0) + space
            limit = bodies[detail.body].defence
            if total > limit:
                reason = f"{detail.body} {place} uses {total} space units of {limit}, {total - limit} too many"
                judge.refuse(entry, "BS-V-50", reason, f"save {total - limit}", IGNORED)
                break
            used[key] = total


def _check_places(judge: Judge[Order], draft: Draft) -> None:
    table = Table(replace(draft.state, squadrons=(), taskforces=(), flights=()))
    for entry in judge.entries:
        detail = entry.order.detail
        if isinstance(detail, o.Deploy):
            why = bad_deploy(draft, table, detail)
            if why:
                hint, place = f'within 12.00" of the {draft.builder.edge} edge', nearest_place(draft, table, detail)
                fix = re.sub(_POINT, f"at {at(place)}", entry.text, count=1) if place else ""
                judge.refuse(entry, "BS-V-62", why, hint, IGNORED, fix)
        elif isinstance(detail, o.Reserve):
            rule, why, hint = bad_reserve(draft, table, detail)
            if why:
                judge.refuse(entry, rule, why, hint, IGNORED, _other_reserve(draft, table, detail))


_POINT = r"\bat\s+[\d.\"]+\s*,\s*[\d.\"]+"


def nearest_place(draft: Draft, table: Table, order: o.Deploy) -> Spot | None:
    """The whole inch nearest to the place asked for at which the unit may stand; None: there is none."""
    width, height = draft.state.width_ft * SECTOR, draft.state.height_ft * SECTOR
    spots = (Spot(x, y) for x in range(0, width + 1, INCH) for y in range(0, height + 1, INCH))
    zone = sorted((spot for spot in spots if in_zone(draft, spot)), key=lambda spot: squared(spot, order.spot))
    return next((spot for spot in zone if not bad_deploy(draft, table, replace(order, spot=spot))), None)


def _other_reserve(draft: Draft, table: Table, order: o.Reserve) -> str:
    """The nearest sector from which the unit may come, in the turn asked for or the earliest possible."""
    asked = read_sector(order.back.sector, draft.state.width_ft, draft.state.height_ft)
    assert asked is not None
    centre = asked.centre
    for turn in (order.back.turn, max(2, order.back.turn)):
        for sector in sorted(all_sectors(table), key=lambda one: (squared(one.centre, centre), one.row, one.column)):
            back = replace(order.back, turn=turn, sector=sector.name, x=None, y=None)
            if not bad_reserve(draft, table, replace(order, back=back))[1]:
                return f"reserve {order.unit} turn {turn} sector {sector.name} facing {back.facing:03d}"
    return ""


def in_zone(draft: Draft, spot: Spot) -> bool:
    """BS-FLT-5: within 12.00" of the own edge, on the table."""
    width, height = draft.state.width_ft * SECTOR, draft.state.height_ft * SECTOR
    depth = {"north": spot.y, "south": height - spot.y, "west": spot.x, "east": width - spot.x}
    if not (0 <= spot.x <= width and 0 <= spot.y <= height):
        return False
    return draft.builder.edge is None or depth[draft.builder.edge] <= LIMITS.deploy_depth


def bad_deploy(draft: Draft, table: Table, order: o.Deploy) -> str:
    """BS-V-62: why a unit cannot stand there; empty: it can."""
    for name, spots in places_of(draft, order).items():
        for number, spot in enumerate(spots, 1):
            if not in_zone(draft, spot):
                return f"{name}.{number} would stand at {at(spot)}, outside the zone"
            solid = [b for b in table.bodies if b.kind in ("planet", "moon") and within(b.spot, spot, b.radius - 1)]
            if solid:
                return f"{name}.{number} would stand inside {solid[0].called}"
    return ""


def bad_reserve(draft: Draft, table: Table, order: o.Reserve) -> tuple[str, str, str]:
    """BS-V-38, -41, -62: id, reason and hint where a unit cannot come from there; empty: it can."""
    back = order.back
    sector = read_sector(back.sector, draft.state.width_ft, draft.state.height_ft)
    assert sector is not None
    body = closer(table, sector)
    if body is not None:
        open_one = nearest_open(table, draft.builder.id, sector)
        hint = f"nearest open sector {open_one.name}" if open_one else ""
        return "BS-V-38", f"sector {back.sector} is closed by {body.called}", hint
    if draft.state.switches.shift == "none" and not _on_edge(draft.state, sector):
        return "BS-V-38", f"sector {back.sector} is not on the table edge", "a sector on the edge"
    if back.turn < 2 and not _touches_edge(draft, sector):
        return "BS-V-62", f"in turn 1 {back.sector} does not touch your edge", "turn 2 is the earliest"
    why = _bad_layout(draft, table, order, sector)
    return ("BS-V-41", why, f"places inside {back.sector}") if why else ("", "", "")


def _bad_layout(draft: Draft, table: Table, order: o.Reserve, sector: Sector) -> str:
    """BS-V-41: all ships inside the sector and out of gravity when they arrive."""
    back = order.back
    centre = sector.centre if back.x is None or back.y is None else Spot(back.x, back.y)
    ships = members_of(draft, order.unit)
    for name, spots in arrival(ships, next(iter(ships), ""), centre, back.facing, draft.layouts).items():
        for number, spot in enumerate(spots, 1):
            place = f"{name}.{number} would arrive at {at(spot)}"
            if not sector.holds(spot):
                return f"{place}, outside {sector.name}"
            body = gravity_at(table, draft.builder.id, spot)
            if body is not None and draft.state.switches.shift == "normal":
                return f"{place}, in the gravity of {body.called} (12.00)"
    return ""


def _on_edge(state: State, sector: Sector) -> bool:
    return sector.column in (1, state.width_ft) or sector.row in (1, state.height_ft)


def _touches_edge(draft: Draft, sector: Sector) -> bool:
    state = draft.state
    edges = {"north": sector.row == 1, "south": sector.row == state.height_ft}
    edges |= {"west": sector.column == 1, "east": sector.column == state.width_ft}
    return draft.builder.edge is None or edges[draft.builder.edge]


# --- places ----------------------------------------------------------------------------------------------------------


def places_of(draft: Draft, order: o.Deploy) -> dict[str, list[Spot]]:
    """BS-SHF-8 around the flagship, or one squadron in its formation."""
    ships = members_of(draft, order.unit)
    leaders = leader_spots(list(ships), order.spot, order.facing)
    return {name: slots(order.formation, ships[name], order.facing, spot) for name, spot in leaders.items()}


def members_of(draft: Draft, unit: str) -> dict[str, int]:
    """Squadrons of a taskforce, the flagship's first, with their ships; or the squadron itself."""
    ships = _squadron_counts(draft)
    names: list[str] = [unit]
    if unit in draft.taskforces:
        raised = draft.taskforces[unit]
        names = [flag_of(draft, raised), *raised.members]
    elif not draft.is_new:
        own = (tf for tf in draft.state.taskforces if tf.side == draft.builder.id and tf.name == unit)
        names = next(([tf.flagship.rpartition(".")[0], *tf.squadrons] for tf in own), names)
    return {name: ships[name] for name in names if name in ships}


def flag_of(draft: Draft, tf: o.RaiseTaskforce) -> str:
    """BS-TF-2: the squadron with the flagship."""
    return tf.flag or (largest_of(draft, tf) or list(tf.members))[0]


def _squadron_counts(draft: Draft) -> dict[str, int]:
    if draft.is_new:
        return {name: order.ships for name, order in draft.squadrons.items()}
    return {s.name: len(s.ships) for s in draft.state.squadrons if s.side == draft.builder.id}

"""What a side can decide before the battle: speed, places, formations, jump plans (FA-DEP, FA-JMP, FA-REI)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.fleet_action.data import ARCS, TABLES
from games.fleet_action.orders import check_deployment, check_plot
from games.fleet_action.orders.checks import Chapter
from games.fleet_action.orders.counter import Counter, Drawn
from games.fleet_action.orders.records import AdjustOrder, DeployOrder, PatrolOrder, VortexOrder
from games.fleet_action.rules import deployment, geometry
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit import hexgrid
from pbem.kit.choices import Choice, Closed, Number, Places
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.scene import hex_point

CHAPTER = (check_deployment.check,)
ENTERING = (check_deployment.check, check_plot.check)
"""FA-REI-5: a squadron that enters plots from the place and speed it is given."""
MOST_PLACES = 300
VORTEX_NEAR = 12


def of_side(counter: Counter) -> Iterator[Choice | Closed]:
    """D1: what the side decides as a whole."""
    table = counter.table
    side = table.sides[counter.side]
    limit, now = deployment.speed_limit(table, side), deployment.default_speed(table, side)
    note = f"0 to {limit}; every squadron starts with it"
    yield from counter.offer(
        "fleet speed",
        "fleet speed",
        "fleet speed {}",
        note=note,
        chapters=CHAPTER,
        drops=counter.lines("fleet speed"),
        fill=Number(0, limit, min(now, limit)),
    )
    yield from _patrols(counter)
    if side.jumping:
        yield from _jump_plan(counter)


def of_squadron(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    """D1: where a squadron stands or comes from, and how."""
    if squadron.state == "waiting":
        yield Closed("deploy", f"{squadron.name} enters later and is not deployed", "FA-JMP-9")
        if counter.table.sides[counter.side].jumping:
            yield from _vortices(counter, squadron)
    else:
        yield from _places(counter, squadron)
    yield from formations(counter, squadron)


# --- patrols ---------------------------------------------------------------------------------------------------------


def _patrols(counter: Counter) -> Iterator[Choice]:
    """FA-JMP-2: a quarter of the squadrons; one more, or another."""
    table, desk = counter.table, counter.desk
    if table.state.engagement != "jump-in" or table.sides[counter.side].jumping:
        return
    squadrons = [squadron for squadron in desk.own_squadrons() if squadron.state != "waiting"]
    present = [squadron.name for squadron in squadrons if squadron.name in check_deployment.patrolling(desk)]
    needed = deployment.patrols_needed(len(desk.own_squadrons()))
    drops = {entry.line for entry in desk.given(PatrolOrder)}
    sets = [present] + [[*present, other.name] for other in squadrons if other.name not in present]
    sets += [[name for name in present if name != gone] for gone in present]
    for names in sets:
        if names and len(names) >= needed and not any(check_deployment.has_flag(desk, name) for name in names):
            listed = ", ".join(names)
            note = f"at least {needed}, each {TABLES.patrol_distance} hexes or more from the flagship"
            yield from counter.offer(
                "patrol", f"on patrol: {listed}", f"patrol {listed}", note=note, chapters=CHAPTER, drops=drops
            )


# --- places ----------------------------------------------------------------------------------------------------------


def _places(counter: Counter, squadron: Squadron) -> Iterator[Choice]:
    """FA-DEP-1, 3: hexes about the present place, for each heading; patrols choose their speed as well."""
    desk, said = counter.desk, counter.lines("deploy")
    on_patrol = squadron.name in check_deployment.patrolling(desk)
    near = list(_kept(counter, squadron, on_patrol=on_patrol))
    for heading in geometry.HEADINGS:
        order = DeployOrder(squadron.name, squadron.hex, heading)
        fitting = [at for at in near if not check_deployment.off_map(desk, squadron, order, at)]
        places = _places_of(fitting)
        speeds = ["", *(f" speed {speed}" for speed in range(TABLES.fleet_speed + 1))] if on_patrol else [""]
        for speed in speeds if heading == squadron.heading else speeds[:1]:
            yield from counter.offer(
                "deploy",
                f"at a hex, heading {heading}{speed}",
                f"deploy {{}} heading {heading}{speed}",
                note=f"{len(fitting)} hexes near {hexgrid.name(squadron.hex)}",
                chapters=CHAPTER,
                drops=said,
                fill=places,
                drawn=Drawn(heading=(heading - 1) * 60.0),
            )


def _kept(counter: Counter, squadron: Squadron, *, on_patrol: bool) -> Iterator[Hex]:
    """Legal hexes, at most so many; a flagship does not leave squadrons behind whose places the sheet names."""
    desk, found = counter.desk, 0
    patrols = check_deployment.patrolling(desk)
    followers = [
        entry.order
        for entry in desk.given(DeployOrder)
        if entry.order.unit != squadron.name and _follows(counter.table, entry.order.unit, squadron)
    ]
    for at in check_deployment.open_places(desk, squadron, on_patrol=on_patrol):
        if all(_in_reach(order, at, on_patrol=order.unit in patrols) for order in followers):
            found += 1
            yield at
        if found >= MOST_PLACES:
            return


def _follows(table: Table, name: str, squadron: Squadron) -> bool:
    flag = table.flagship_of(table.squadrons[name])
    return flag is not None and flag.squadron == squadron.name


def _in_reach(order: DeployOrder, flag: Hex, *, on_patrol: bool) -> bool:
    far = distance(order.hex, flag)
    return far >= TABLES.patrol_distance if on_patrol else far <= TABLES.flagship_radius


def _places_of(hexes: Sequence[Hex]) -> Places:
    return Places({hexgrid.name(at): hex_point(at) for at in hexes})


def formations(counter: Counter, squadron: Squadron, chapters: Sequence[Chapter] = CHAPTER) -> Iterator[Choice]:
    """Section 6.3, FA-DEP-1, FA-JMP-10."""
    if len(counter.table.members(squadron)) < 2:
        return
    drops = counter.lines("formation")
    for template, slots in TABLES.formation.items():
        note = ", ".join(slots[: len(counter.table.members(squadron)) - 1])
        yield from counter.offer(
            "formation", template, f"formation {template}", note=note, chapters=chapters, drops=drops
        )


# --- jump plans ------------------------------------------------------------------------------------------------------


def _jump_plan(counter: Counter) -> Iterator[Choice]:
    """FA-JMP-1, 5: the direction of all vortices, and the beacon of a gate."""
    drops = counter.lines("vortex heading")
    for heading in geometry.HEADINGS:
        line = f"vortex heading {heading}"
        yield from counter.offer("vortex heading", f"all vortices face {heading}", line, chapters=CHAPTER, drops=drops)
    if counter.table.state.gate is not None:
        drops, note = counter.lines("anchor gate"), "no scatter; all vortices face as the gate does"
        yield from counter.offer(
            "anchor gate", "jump on the gate's beacon", "anchor gate", note=note, chapters=CHAPTER, drops=drops
        )


def _vortices(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    """FA-JMP-1, 7, 12: the leader of a group by hex, the others by their offset from the flagship's vortex."""
    table = counter.table
    openers = [ship for ship in table.members(squadron) if table.card(ship).jump]
    if table.state.gate is not None:
        drops, note = counter.lines("enter gate"), "one squadron a turn, in roster order"
        yield from counter.offer(
            "enter gate", "through the gate", "enter gate", note=note, chapters=CHAPTER, drops=drops
        )
    if not openers:
        yield Closed("vortex", "no ship with a jump engine", "FA-JMP-7")
        return
    led = check_deployment.has_flag(counter.desk, squadron.name)
    flag = table.flagship_of(squadron)
    for ship in openers:
        if not led or ship == flag:
            yield from _vortex(counter, squadron, ship)
    yield from _arrivals(counter, squadron, leads=led)


def _vortex(counter: Counter, squadron: Squadron, ship: Ship) -> Iterator[Choice]:
    """An offset is measured from the hex that stands last before it, so hexes and offsets of a sheet are kept apart."""
    desk, table = counter.desk, counter.table
    given = desk.given(VortexOrder)
    mine = {entry.line for entry in given if entry.order.ship in squadron.ships}
    others = [entry.order for entry in given if entry.line not in mine]
    flag = table.flagship_of(squadron)
    fleets = [fleet for fleet in table.fleets.values() if fleet.side == counter.side]
    if ship == flag or all(order.offset is None for order in others):
        plan = next((plan for plan in table.state.plans if plan.opener == ship.name and plan.hex is not None), None)
        middle = hexgrid.from_column_row(table.state.map_w // 2, table.state.map_h // 2)
        about = plan.hex if plan is not None and plan.hex is not None else middle
        near = [at for at in hexgrid.disk(about, VORTEX_NEAR) if table.on_map(at)]
        yield from counter.offer(
            "vortex",
            f"{ship.name} opens a vortex at a hex",
            f"vortex {ship.name} at {{}}",
            note="it scatters from there" if ship == flag else "a group of its own; it scatters from there",
            chapters=CHAPTER,
            drops=mine,
            fill=_places_of(near),
        )
    first = fleets[0].flagship if fleets else ""
    by_flag = all(order.hex is None or order.ship == first for order in others)
    if ship != flag and by_flag and squadron.fleet == fleets[0].name:
        for arc in ARCS:
            for far in range(1, TABLES.vortex_offset + 1):
                label = f"{ship.name} opens a vortex {arc}{far} of the flagship's"
                line = f"vortex {ship.name} offset {arc}{far}"
                yield from counter.offer("vortex", label, line, chapters=CHAPTER, drops=mine)


def _arrivals(counter: Counter, squadron: Squadron, *, leads: bool) -> Iterator[Choice]:
    """FA-JMP-11, 12: a group of its own may come later; the flagship's comes on turn 1."""
    ordered = [o.order for o in counter.desk.given(VortexOrder) if o.order.ship in squadron.ships]
    plans = [plan for plan in counter.table.state.plans if plan.opener in squadron.ships]
    by_hex = any(order.hex is not None for order in ordered) if ordered else any(plan.hex for plan in plans)
    if by_hex and not leads:
        fill = Number(1, counter.table.state.turn_limit, 1)
        drops = counter.lines("arrive turn")
        yield from counter.offer(
            "arrive turn", "its group comes on turn", "arrive turn {}", chapters=CHAPTER, drops=drops, fill=fill
        )


# --- adjustment and reinforcements -----------------------------------------------------------------------------------


def adjustments(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    """FA-ABL-10: ten hexes in all; no ship leaves the map."""
    table, desk = counter.table, counter.desk
    if counter.side not in deployment.planners(table):
        yield Closed("adjust", "your admiral is no Superior Tactical Planner", "FA-ABL-10")
        return
    others = [entry.order for entry in desk.given(AdjustOrder) if entry.order.unit != squadron.name]
    left = TABLES.planner_hexes - sum(distance(table.squadrons[o.unit].hex, o.hex) for o in others)
    if left < 1:
        yield Closed("adjust", f"all {TABLES.planner_hexes} hexes are used", "FA-ABL-10")
        return
    ships = [ship.hex for ship in table.members(squadron)]
    steps = [at.minus(squadron.hex) for at in hexgrid.disk(squadron.hex, left) if at != squadron.hex]
    near = [squadron.hex.plus(step) for step in steps if all(table.on_map(ship.plus(step)) for ship in ships)]
    yield from counter.offer(
        "adjust",
        "move the squadron to a hex",
        "adjust {}",
        note=f"{left} of {TABLES.planner_hexes} hexes left",
        chapters=CHAPTER,
        drops=counter.lines("adjust"),
        fill=_places_of(near),
    )


def entering(counter: Counter, squadron: Squadron) -> Iterator[Choice]:
    """FA-REI-5: the edge hex, heading and speed of a reinforcement in the turn it comes."""
    if not check_deployment.enters_by_edge(counter.desk, squadron):
        return
    said = counter.lines("deploy")
    for heading in geometry.HEADINGS:
        places = _places_of(check_deployment.entries(counter.desk, squadron, heading)[:MOST_PLACES])
        for speed in range(TABLES.fleet_speed + 1) if heading == squadron.heading else (squadron.speed,):
            yield from counter.offer(
                "deploy",
                f"enter at an edge hex, heading {heading}, speed {speed}",
                f"deploy {{}} heading {heading} speed {speed}",
                chapters=ENTERING,
                drops=said,
                fill=places,
                drawn=Drawn(heading=(heading - 1) * 60.0),
            )
    yield from formations(counter, squadron, ENTERING)

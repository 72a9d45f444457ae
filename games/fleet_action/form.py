"""The order form: every unit with what it may do as comments; sent back unchanged it orders nothing new.

A comment that begins with an order word is an order once its ``#`` is taken away, and legal by the law of choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from games.fleet_action.data import TABLES
from games.fleet_action.orders import (
    check_deployment,
    check_flights,
    offer_building,
    offer_deployment,
    offer_plot,
    offer_ships,
)
from games.fleet_action.orders.counter import Counter
from games.fleet_action.orders.deployment import written_deploy
from games.fleet_action.orders.offer_plot import Plotting
from games.fleet_action.orders.records import DeployOrder, MissionOrder
from games.fleet_action.orders.verbs import FLEET
from games.fleet_action.rules import deployment, movement
from games.fleet_action.rules.geometry import HERE, written_offset
from games.fleet_action.rules.movement import CLASS_NAMES, COMBINABLE
from games.fleet_action.rules.plotting import TURNINGS, written
from games.fleet_action.state import PULSES, Flight, Ship, Squadron, VortexPlan
from games.fleet_action.view import View
from pbem.kit import hexgrid
from pbem.kit.choices import Choice, Closed, Number, fillings
from pbem.kit.sheet import Sheet

MOST_SHOWN = 5
"""The lines of a group are written out where there are no more of them."""
SHOWN_TO_SHIPS = ("elint", "tractor", "resist")
SHOWN_TO_SQUADRONS = ("commander", "strays", "absorb")


def template(view: View) -> str:
    """The order form of the open phase, for a side that knows this view."""
    if view.side is None or view.stage == "over":
        return "\n".join([f"# {view.result.reason}" if view.result else "# No orders are due.", "END", ""])
    counter = Counter(view, Sheet(), view.side)
    writers = {"deployment": _deployment, "adjustment": _adjustment}
    lines = [] if view.stage in writers else [f"turn {view.turn}"]
    return "\n".join([*lines, *writers.get(view.stage, _turn)(counter), "END", ""])


def _example(line: str, note: str = "") -> str:
    return f"  # {line}" + (f"   # {note}" if note else "")


def _examples(found: Iterable[Choice | Closed], groups: Iterable[str]) -> Iterator[str]:
    """The lines of small groups, and why a group is closed."""
    listed = list(found)
    for group in groups:
        choices = [entry for entry in listed if isinstance(entry, Choice) and entry.group == group]
        yield from (_example(_filled(choice)) for choice in choices if len(choices) <= MOST_SHOWN)
        yield from (f"  # {entry.why}" for entry in listed if isinstance(entry, Closed) and entry.group == group)


def _filled(choice: Choice) -> str:
    """The choice as one line, its blank filled as a player most likely wants it."""
    now = str(choice.fill.now) if isinstance(choice.fill, Number) else next(fillings(choice.fill), "")
    return choice.lines[-1].replace("{}", now, 1)


# --- before the battle -----------------------------------------------------------------------------------------------


def _deployment(counter: Counter) -> Iterator[str]:
    yield "# Deployment: lines that start with # are examples; remove the # to order."
    yield "Fleet:"
    counter.ask(FLEET)
    for entry in offer_deployment.of_side(counter):
        if isinstance(entry, Choice) and entry.group == "fleet speed":
            yield _example(_filled(entry), entry.note)
    side = counter.table.sides[counter.side]
    if side.jumping:
        plans = [_example(_plan(counter, plan)) for plan in counter.table.state.plans]
        yield from plans or [_example(f"vortex heading {side.vortex_heading}")]
    yield from _building(counter)
    for squadron in counter.desk.own_squadrons():
        counter.ask(squadron.name)
        ships = ", ".join(ship.name for ship in counter.table.members(squadron))
        yield f"{squadron.name}:  # {ships}"
        yield from _place(counter, squadron)


def _building(counter: Counter) -> Iterator[str]:
    """FA-BLD: what may be bought, and how."""
    names = offer_building.squadrons(counter)
    if not names:
        return
    counter.ask(names[-1])
    bought = [entry for entry in offer_building.offers(counter) if isinstance(entry, Choice)]
    yield f"  # build with: {', '.join(counter.view.buyable)}"
    if bought:
        yield f"{names[-1]}:"
        yield _example(bought[0].lines[0], bought[0].note)


def _plan(counter: Counter, plan: VortexPlan) -> str:
    """A jump plan as it would be ordered; an offset from another than the flagship needs that one's line before it."""
    if plan.hex is not None:
        return f"vortex {plan.opener} at {hexgrid.name(plan.hex)}"
    offset = written_offset(plan.offset or HERE)
    flags = [fleet.flagship for fleet in counter.table.fleets.values() if fleet.side == counter.side]
    return (
        f"vortex {plan.opener} offset {offset}"
        if plan.leader in flags[:1]
        else f"{plan.opener}: {offset} of {plan.leader}"
    )


def _place(counter: Counter, squadron: Squadron) -> Iterator[str]:
    """Where it stands now if that is legal, else the nearest place; the formations it may take."""
    desk = counter.desk
    on_patrol = squadron.name in check_deployment.patrolling(desk)
    order = DeployOrder(squadron.name, squadron.hex, squadron.heading)
    if squadron.state != "waiting":
        near = (squadron.hex, *check_deployment.open_places(desk, squadron, on_patrol=on_patrol))
        places = (replace(order, hex=at) for at in near)
        legal = (o for o in places if not check_deployment.misplaced(desk, squadron, o, on_patrol=on_patrol))
        yield from (_example(written_deploy(fitting)) for fitting in islice(legal, 1))
    templates = [choice.label for choice in offer_deployment.formations(counter, squadron)]
    if templates:
        others = f"or {', '.join(templates[1:])}" if len(templates) > 1 else ""
        yield _example(f"formation {templates[0]}", others)


def _adjustment(counter: Counter) -> Iterator[str]:
    if counter.side not in deployment.planners(counter.table):
        yield "# Your admiral is no Superior Tactical Planner: no orders are due."
        return
    yield f"# Superior Tactical Planner: move squadrons by {TABLES.planner_hexes} hexes in all; remove the # to order."
    for squadron in counter.desk.own_squadrons():
        yield f"{squadron.name}:"
        yield _example(f"adjust {hexgrid.name(squadron.hex)}")


# --- a turn ----------------------------------------------------------------------------------------------------------


def _turn(counter: Counter) -> Iterator[str]:
    yield "# What stands behind # is not read. Units without orders go on as they are."
    yield "Fleet:"
    for squadron in counter.desk.own_squadrons():
        counter.ask(squadron.name)
        yield from _squadron(counter, squadron)
    for ship in counter.desk.own_ships():
        counter.ask(ship.name)
        yield from _ship(counter, ship)
    for flight in counter.desk.own_flights():
        yield _flight(counter, flight)


def _squadron(counter: Counter, squadron: Squadron) -> Iterator[str]:
    plotting = Plotting.of(counter)
    place = f"{hexgrid.name(squadron.hex)} heading {squadron.heading}, speed {squadron.speed}"
    if plotting.barred is not None:
        yield f"{squadron.name}:  # {place}; {plotting.barred.why}"
        return
    enters = ", enters this turn" if squadron.state == "waiting" else ""
    withdraws = ", withdrawing: leave by the edge or by jump" if squadron.state == "withdrawing" else ""
    yield f"{squadron.name}:  # {place}{enters}{withdraws}"
    yield f"  speed hold   # {_speeds(plotting)}"
    yield from _paths(plotting)
    if counter.table.state.stage == "turn" and counter.table.is_on_map(squadron):
        yield from _examples(offer_ships.of_squadron(counter, squadron), SHOWN_TO_SQUADRONS)


def _speeds(plotting: Plotting) -> str:
    """FA-MOV-5: the changes that are legal, pulse by pulse."""
    ranges = {
        pulse: [c.delta for c in offer_plot.changes(plotting) if c.pulse == pulse and c.delta] for pulse in PULSES
    }
    ends = {pulse: dict.fromkeys((min(deltas), max(deltas))) for pulse, deltas in ranges.items() if deltas}
    spans = {pulse: " to ".join(f"{delta:+d}" for delta in deltas) for pulse, deltas in ends.items()}
    if not spans:
        return "no change is possible"
    return "or " + ", ".join(span if pulse == 1 else f"pulse {pulse} {span}" for pulse, span in spans.items())


def _paths(plotting: Plotting) -> Iterator[str]:
    """FA-MOV-10, 12: the manoeuvres of this speed; where they are few, each path."""
    now = list(offer_plot.paths(plotting, others=False))
    if len(now) <= MOST_SHOWN:
        yield from (_example(choice.lines[0], choice.label.split(",")[0]) for choice in now)
    else:
        hexes = plotting.plot.hexes
        yield _example(f"path {written(plotting.plot.steps)}", f"{hexes[0]} | {hexes[1]} | {hexes[2]} hexes")
    yield f"  # {_turns(plotting)}"


def _turns(plotting: Plotting) -> str:
    """FA-MOV-10, 12: which manoeuvres go with the speed, and with a change of it."""
    limits = {name: movement.row_limit(plotting.limits, name) for name in TURNINGS if name != "maintain"}
    speed = plotting.squadron.speed
    legal = [f"{CLASS_NAMES[name]} up to speed {limit}" for name, limit in limits.items() if limit >= speed]
    barred = [f"{CLASS_NAMES[name]} ({limit})" for name, limit in limits.items() if limit < speed]
    words = [", ".join(legal) or "no turns at this speed"]
    words += [f"too fast for {', '.join(barred)}"] if barred else []
    combined = [CLASS_NAMES[word] for word in COMBINABLE if word in plotting.limits.combine and word != "maintain"]
    words += [f"with a speed change: {' or '.join(combined) or 'none'}"] if legal else []
    return "; ".join(words)


def _ship(counter: Counter, ship: Ship) -> Iterator[str]:
    card = counter.table.card(ship)
    mounts = zip(card.weapons, ship.weapon_left, strict=True)
    weapons = ", ".join(f"{mount.word} {left}/{mount.rating}" for mount, left in mounts)
    figures = f"structure {ship.structure}/{card.structure}, sensor {ship.sensor}/{card.sensor}"
    yield f"{ship.name}:  # {figures}; {weapons}"
    if counter.table.state.stage == "turn":
        yield from _examples(offer_ships.of_ship(counter, ship), SHOWN_TO_SHIPS)


def _flight(counter: Counter, flight: Flight) -> str:
    place = "hangar" if flight.hex is None else hexgrid.name(flight.hex)
    goal = flight.target or flight.charge or flight.land_on or ""
    fighter = counter.table.fighter(flight).name
    return f"{flight.name}:  # {flight.count} {fighter}, {place}, {flight.mission} {goal}".rstrip() + _barred(
        counter, flight
    )


def _barred(counter: Counter, flight: Flight) -> str:
    """FA-FTR-1, 2: why it can be given no mission now."""
    if flight.state == "hangar":
        why = check_flights.why_not_launched(counter.desk, flight)
        return f"; {why}" if why else ""
    forbidden = check_flights.why_no_mission(counter.desk, flight, MissionOrder(flight.name, "escort"))
    return f"; new missions: {forbidden[1]}" if forbidden else ""

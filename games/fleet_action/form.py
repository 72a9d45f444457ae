"""The order form: every unit with its present figures as comments; sent back unchanged it orders nothing new."""

from __future__ import annotations

from games.fleet_action.geometry import HERE, written_offset
from games.fleet_action.setup import DEFAULT_SPEED
from games.fleet_action.state import VortexPlan
from games.fleet_action.view import FlightView, ShipView, SquadronView, View
from pbem.kit import hexgrid


def template(view: View) -> str:
    """The order form of the open phase, for a side that knows this view."""
    writers = {"deployment": _deployment, "adjustment": _adjustment, "over": _over}
    lines = [] if view.stage in writers else [f"turn {view.turn}"]
    lines += writers.get(view.stage, _turn)(view)
    return "\n".join([*lines, "END", ""])


def _over(view: View) -> list[str]:
    return [f"# {view.result.reason}" if view.result else "# The game is over."]


def _own_squadrons(view: View) -> list[SquadronView]:
    return [squadron for squadron in view.squadrons if squadron.own]


def _deployment(view: View) -> list[str]:
    lines = ["# Deployment: lines that start with # are examples; remove the # to order."]
    mine = [side for side in view.sides if side.own]
    speed = next((side.fleet_speed for side in mine if side.fleet_speed is not None), DEFAULT_SPEED)
    lines += ["Fleet:", f"  # fleet speed {speed}"]
    if any(side.jumping for side in mine):
        lines += [f"  # {_planned(plan)}" for plan in view.plans] or ["  # vortex heading 4"]
    if view.buyable:
        lines += [f"  # build with: {', '.join(view.buyable)}"]
        lines += ["# Alpha:", f"#   buy {view.buyable[0]} as Flagship-1", "#   deploy 2008 heading 4"]
    for squadron in _own_squadrons(view):
        ships = ", ".join(squadron.ships)
        lines += [f"{squadron.name}:  # {ships}"]
        if squadron.state != "waiting":
            lines += [f"  # deploy {hexgrid.name(squadron.hex)} heading {squadron.heading}"]
        lines += ["  # formation wedge"]
    return lines


def _planned(plan: VortexPlan) -> str:
    """A jump plan as it would be ordered."""
    if plan.hex is not None:
        return f"vortex {plan.opener} at {hexgrid.name(plan.hex)}"
    return f"vortex {plan.opener} offset {written_offset(plan.offset or HERE)}"


def _adjustment(view: View) -> list[str]:
    lines = ["# Superior Tactical Planner: move squadrons by 10 hexes in all; remove the # to order."]
    for squadron in _own_squadrons(view):
        lines += [f"{squadron.name}:", f"  # adjust {hexgrid.name(squadron.hex)}"]
    return lines


def _turn(view: View) -> list[str]:
    lines = ["# Lines that start with # show the present figures; units without orders go on as they are."]
    lines += ["Fleet:"]
    for squadron in _own_squadrons(view):
        lines += _squadron(view, squadron)
    for ship in view.ships:
        if ship.own and ship.fate == "in play":
            lines += _ship(ship)
    for flight in view.flights:
        if flight.own and flight.state in ("hangar", "flying", "dogfight"):
            lines += _flight(flight)
    return lines


def _squadron(view: View, squadron: SquadronView) -> list[str]:
    if squadron.state == "waiting" and squadron.arrives != view.turn:
        return [f"# {squadron.name} waits."]
    speed, hexes = squadron.speed, squadron.hexes
    lines = [f"{squadron.name}:  # {hexgrid.name(squadron.hex)} heading {squadron.heading}, speed {speed}"]
    if squadron.limits is not None and hexes is not None:
        of = squadron.limits
        rows = f"turn {of.tn}, hard turn {of.ht}, course correction {of.cc}, come about {of.ca}"
        lines += [f"  # at most: {rows}, speed +{of.acc[0]} -{of.dec[0]}"]
        lines += ["  speed hold", f"  # path F{sum(hexes)}   ({hexes[0]} | {hexes[1]} | {hexes[2]} hexes)"]
    if squadron.state == "waiting":
        lines += ["  # it enters this turn"]
    if squadron.state == "withdrawing":
        lines += ["  # withdrawing: leave by the edge or by jump"]
    return lines


def _ship(ship: ShipView) -> list[str]:
    weapons = ", ".join(f"{weapon.name} {weapon.left}/{weapon.rating}" for weapon in ship.weapons)
    figures = f"structure {ship.structure}/{ship.structure_max}, sensor {ship.sensor}/{ship.sensor_max}"
    return [f"{ship.name}:  # {figures}; {weapons}"]


def _flight(flight: FlightView) -> list[str]:
    place = "hangar" if flight.hex is None else hexgrid.name(flight.hex)
    goal = flight.target or flight.charge or ""
    return [f"{flight.name}:  # {flight.count} {flight.class_name}, {place}, {flight.mission} {goal}".rstrip()]

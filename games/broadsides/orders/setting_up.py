"""Orders of the setup phase: deployment, loads, programs and upgrades (BR-SET-6, 7, 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.broadsides.data import Catalogue
from games.broadsides.orders import records as r
from games.broadsides.rules.craft import ground_of
from games.broadsides.rules.force import most_sensor_upgrades
from games.broadsides.state import Ship, State, catalogue_of
from pbem.kit.hexgrid import distance
from pbem.kit.sheet import Accepted, Problem

Entry = Accepted[r.Order]
DEPLOY_WITHIN = 3
RACK_SIZE = 12


def settle_setup(state: State, side: str, entries: Sequence[Entry]) -> tuple[dict[str, Ship], list[Problem]]:
    """The side's ships after its setup orders, and what was wrong with them."""
    catalogue = catalogue_of(state)
    ships = {name: ship for name, ship in state.ships.items() if ship.side == side}
    problems: list[Problem] = []
    for entry in entries:
        ship = ships.get(entry.unit)
        if ship is None:
            continue
        changed = _apply(state, catalogue, ship, entry)
        if isinstance(changed, Problem):
            problems.append(changed)
        else:
            ships[ship.name] = changed
    return ships, problems


def _apply(state: State, catalogue: Catalogue, ship: Ship, entry: Entry) -> Ship | Problem:
    order = entry.order
    if isinstance(order, r.Deploy):
        return _deploy(state, catalogue, ship, order, entry)
    if isinstance(order, r.Load):
        return _load(state, catalogue, ship, order, entry)
    if isinstance(order, r.SetProgram):
        return replace(ship, program=order.program)
    if isinstance(order, r.Upgrade):
        return _upgrade(state, catalogue, ship, order, entry)
    if isinstance(order, r.Troops):
        return replace(ship, troops=order.how)
    return ship


def _complain(entry: Entry, rule: str, reason: str, hint: str, instead: str) -> Problem:
    return Problem(entry.line, entry.text, rule, reason, hint, instead, entry.unit)


def _deploy(state: State, catalogue: Catalogue, ship: Ship, order: r.Deploy, entry: Entry) -> Ship | Problem:
    """BR-SET-10."""
    given = state.ships[ship.name]
    stays = f"it stays at {given.position.q},{given.position.r}"
    if catalogue.classes[ship.class_name].fixed:
        return _complain(entry, "BR-VAL-29", f"{ship.name} is a base or OSAT and cannot be moved", "", stays)
    far = distance(given.position, order.hex)
    if far > DEPLOY_WITHIN:
        reason = f"{order.hex.q},{order.hex.r} is {far} hexes from the scenario position, at most {DEPLOY_WITHIN}"
        return _complain(entry, "BR-VAL-29", reason, f"deploy {given.position.q},{given.position.r}", stays)
    ground, rating = ground_of(state), catalogue.classes[ship.class_name].atmospheric[0]
    if not ground.on_map(order.hex) or ground.forbidden(order.hex, rating):
        why = ground.forbidden(order.hex, rating) or "off the map"
        return _complain(entry, "BR-VAL-29", f"{order.hex.q},{order.hex.r} is {why}", "", stays)
    heading = given.heading if given.scenario_heading is None else given.scenario_heading
    turn = min((order.heading - heading) % 6, (heading - order.heading) % 6)
    if turn > 1:
        reason = f"heading {order.heading} is {turn} steps from the scenario's {heading}, at most 1"
        return _complain(entry, "BR-VAL-29", reason, f"heading {heading}", stays)
    facing = order.heading if order.facing is None else order.facing
    return replace(ship, position=order.hex, heading=order.heading, facing=facing)


def _load(state: State, catalogue: Catalogue, ship: Ship, order: r.Load, entry: Entry) -> Ship | Problem:
    weapon = catalogue.weapons[catalogue.classes[ship.class_name].systems[order.mount].type]
    kept = "the standard load stays"
    if not weapon.rack:
        return _complain(entry, "BR-VAL-24", f"{order.mount} is no missile rack", "", kept)
    total = sum(order.missiles.values())
    if total > RACK_SIZE:
        reason = f"{total} missiles; a rack holds {RACK_SIZE}"
        return _complain(entry, "BR-VAL-24", reason, f"at most {RACK_SIZE}", kept)
    special = [kind for kind, n in order.missiles.items() if kind != "standard" and n]
    if special and state.switches.missile_mix == "standard":
        reason = f"missile_mix is standard: no {', '.join(special)} missiles"
        return _complain(entry, "BR-VAL-28", reason, f"load {order.mount} standard {RACK_SIZE}", kept)
    mount = replace(ship.weapon[order.mount], ammunition=dict(order.missiles))
    return replace(ship, weapon={**ship.weapon, order.mount: mount})


def _upgrade(state: State, catalogue: Catalogue, ship: Ship, order: r.Upgrade, entry: Entry) -> Ship | Problem:
    """BR-SET-7, BR-JAM-3."""
    race = catalogue.classes[ship.class_name].race
    if order.what == "sensors":
        most = most_sensor_upgrades(catalogue, race, state.year)
        if order.n > most:
            reason = f"{order.n} sensor upgrades; {race} may have {most} in {state.year}"
            return _complain(entry, "BR-VAL-25", reason, f"upgrade sensors {most}", "no upgrade is made")
        return replace(ship, sensor_upgrades=order.n)
    year = catalogue.races[race].jam_half_year
    if year is None or state.year < year:
        since = "never" if year is None else f"from {year} on"
        reason = f"the jammer upgrade is open to {race} {since}; the year is {state.year}"
        return _complain(entry, "BR-VAL-25", reason, "", "no upgrade is made")
    return replace(ship, jammer_upgrade=True)

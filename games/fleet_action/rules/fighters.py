"""FA-FTR: missions, launching, flight movement and landing."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action.data import ARCS, TABLES
from games.fleet_action.orders.records import FlightDoctrineOrder, LaunchOrder, MissionOrder
from games.fleet_action.rules import command, geometry
from games.fleet_action.rules.flightpaths import FREE_HEADING
from games.fleet_action.state import Doctrine, Flight, Ship, Squadron
from games.fleet_action.table import AIRBORNE, Table, printed
from pbem.kit.hexgrid import Hex, distance

# --- missions --------------------------------------------------------------------------------------------------------


def take_orders(table: Table) -> None:
    """Pre-turn: doctrine of every flight, and new missions of those that fly."""
    for side in table.side_order:
        for flight in table.wing(side):
            changed = replace(flight, doctrine=_doctrine(table, flight))
            order = table.book.first(MissionOrder, flight.name)
            if order is not None and flight.state in ("flying", "dogfight"):
                changed = with_mission(changed, order)
                _tell_mission(table, changed)
            if changed != flight:
                table.put(changed)


def _doctrine(table: Table, flight: Flight) -> Doctrine:
    """FA-DOC-7: an order holds for this turn; standing lines are read again each turn."""
    values: dict[str, object] = {}
    for order in reversed(table.book.all(FlightDoctrineOrder, flight.name)):
        yes_no = order.name in ("absorb_af", "force", "join")
        values[order.name] = order.value == "yes" if yes_no else order.value
    return replace(flight.doctrine, **values)  # type: ignore[arg-type]


def forget_orders(table: Table) -> None:
    """End of turn: doctrine falls back to what the flight always does."""
    for before in table.state.flights:
        flight = table.flights[before.name]
        if flight.doctrine != before.doctrine:
            table.change(flight, doctrine=before.doctrine)


def with_mission(flight: Flight, order: MissionOrder) -> Flight:
    """FA-FTR-1: the flight with its new mission."""
    plain = replace(flight, mission=order.mission, charge=None, target=None, prefer=None, zone=None, land_on=None)
    plain = replace(plain, returning=False)
    if order.mission == "superiority":
        return replace(plain, zone=order.zone, radius=order.radius)
    if order.mission == "strike":
        return replace(plain, target=order.goal, prefer=order.prefer or None)
    if order.mission == "escort":
        return replace(plain, charge=order.goal, station=order.station)
    return replace(plain, land_on=order.goal)


def escorting(flight: Flight, squadron: Squadron) -> Flight:
    """The flight as escort of a squadron."""
    return with_mission(flight, MissionOrder(flight.name, "escort", squadron.name, station=TABLES.station))


def _tell_mission(table: Table, flight: Flight) -> None:
    goal = flight.target or flight.charge or flight.land_on or printed(flight.zone)
    facts = {"side": flight.side, "flight": flight.name, "mission": flight.mission, "goal": goal}
    table.tell("mission", "FA-FTR-1", flight.side, facts)


def nearest_squadron(table: Table, flight: Flight) -> Squadron | None:
    """The own squadron whose command ship is nearest; ties by roster."""
    at = flight.hex
    if at is None:
        return None
    own = [s for s in table.roster(flight.side) if table.members(s)]
    return min(own, key=lambda s: distance(at, s.hex), default=None)


def resettle(table: Table) -> None:
    """FA-FTR-8, FA-CMD-10: flights whose target or charge is gone escort the nearest own squadron."""
    for flight in table.airborne():
        gone = _squadron_gone(table, flight.target) if flight.mission == "strike" else _charge_gone(table, flight)
        if not gone:
            continue
        squadron = nearest_squadron(table, flight)
        if squadron is not None:
            table.put(escorting(flight, squadron))
            _tell_mission(table, table.flights[flight.name])


def _squadron_gone(table: Table, name: str | None) -> bool:
    squadron = table.squadrons.get(name or "")
    return squadron is None or not table.is_on_map(squadron) or not table.members(squadron)


def _charge_gone(table: Table, flight: Flight) -> bool:
    if flight.mission == "land":
        return table.living(flight.land_on) is None
    if flight.mission != "escort":
        return False
    charge = table.flights.get(flight.charge or "")
    if charge is not None:
        return charge.state not in AIRBORNE and not _will_launch(table, charge)
    return _squadron_gone(table, flight.charge)


def _will_launch(table: Table, flight: Flight) -> bool:
    """It is still in its hangar and has orders to come out this turn."""
    order = table.book.first(LaunchOrder, flight.name)
    return flight.state == "hangar" and order is not None and order.pulse >= table.pulse


# --- launching and landing -------------------------------------------------------------------------------------------


def launch(table: Table, name: str) -> None:
    """FA-FTR-2: at the squadron's activation in the ordered pulse."""
    squadron = table.squadrons[name]
    members = {ship.name: ship for ship in table.members(squadron)}
    for flight in table.wing(squadron.side):
        order = table.book.first(LaunchOrder, flight.name)
        if order is None or order.pulse != table.pulse or flight.home not in members:
            continue
        if flight.state == "hangar" and flight.landed != table.now:
            _launch(table, flight, members[flight.home], order)


def _launch(table: Table, flight: Flight, ship: Ship, order: LaunchOrder) -> None:
    squadron = table.squadron(ship)
    assigned = _mission_at_launch(table, flight, squadron)
    hexes = [geometry.ahead(ship.hex, direction) for direction in geometry.HEADINGS]
    on_map = [at for at in hexes if table.on_map(at)]
    if order.arc:
        wanted = geometry.ahead(ship.hex, geometry.starboard(squadron.heading, ARCS.index(order.arc)))
        on_map = [wanted] if table.on_map(wanted) else on_map
    at = min(on_map, key=lambda place: goal_distance(table, assigned, place))
    launched = replace(
        assigned, state="flying", hex=at, prev_hex=ship.hex, heading=FREE_HEADING, launched=table.now, landed=None
    )
    table.put(launched)
    _tell_passage(table, "launch", "FA-FTR-2", flight, ship, at)


def _mission_at_launch(table: Table, flight: Flight, squadron: Squadron) -> Flight:
    """FA-FTR-1, FA-CMD-8a, FA-WDR-1: any mission; without an order, or where others are forbidden, escort."""
    order = table.book.first(MissionOrder, flight.name)
    if order is None or command.is_flagless(table, squadron):
        return escorting(flight, squadron)
    if order.mission == "strike" and squadron.state == "withdrawing":
        why = ("FA-E-24", f"{squadron.name} is withdrawing and launches no strikes", "it escorts its squadron")
        table.tell_impossible("FA-WDR-1", flight.side, flight.name, f"mission strike {order.goal}", why)
        return escorting(flight, squadron)
    return with_mission(flight, order)


def goal_distance(table: Table, flight: Flight, at: Hex) -> int:
    """How far a hex is from where the flight's mission wants it."""
    if flight.mission == "superiority" and flight.zone is not None:
        return distance(at, flight.zone)
    if flight.mission == "land":
        carrier = table.living(flight.land_on)
        return distance(at, carrier.hex) if carrier is not None else 0
    if flight.mission == "strike":
        preferred = table.living(flight.prefer)
        ships = table.members(table.squadrons[flight.target]) if flight.target else []
        if preferred is not None:
            return distance(at, preferred.hex)
        return min((distance(at, ship.hex) for ship in ships), default=0)
    charge = table.flights.get(flight.charge or "")
    if charge is not None:
        return distance(at, charge.hex) if charge.hex is not None else 0
    squadron = table.squadrons.get(flight.charge or "")
    return max(0, distance(at, squadron.hex) - flight.station) if squadron is not None else 0


def why_not_landed(table: Table, flight: Flight, ship: Ship) -> str | None:
    """FA-FTR-3: a free place, a legal type, a carrier in command; None: it can land."""
    card = table.card(ship)
    types = card.hangar_types
    legal = flight.fighter_class in types if types else table.fighter(flight).navy == card.navy
    aboard = [
        other
        for other in table.flights.values()
        if other.home == ship.name and other.state == "hangar" and other.name != flight.name
    ]
    if not legal or not card.hangar:
        return f"{ship.name} carries no {table.fighter(flight).name}"
    if len(aboard) >= card.hangar:
        return f"{ship.name} has {card.hangar} place(s), all taken"
    if command.is_out_of_command(table, ship):
        return f"{ship.name} is out of command"
    return None


def land(table: Table) -> None:
    """FA-FTR-3: step 3.4, flights not caught in a dogfight."""
    for side in table.side_order:
        for flight in table.wing(side):
            ship = table.living(flight.land_on)
            if flight.mission != "land" or flight.state != "flying" or ship is None or flight.hex != ship.hex:
                continue
            if why_not_landed(table, flight, ship) is None:
                _land(table, flight, ship)


def _land(table: Table, flight: Flight, ship: Ship) -> None:
    landed = replace(flight, state="hangar", hex=None, prev_hex=None, home=ship.name, landed=table.now)
    table.put(escorting(landed, table.squadron(ship)))
    _tell_passage(table, "land", "FA-FTR-3", flight, ship, ship.hex)


def _tell_passage(table: Table, kind: str, rule: str, flight: Flight, ship: Ship, at: Hex) -> None:
    """Out of a hangar, or into it."""
    facts = {
        "side": flight.side,
        "flight": flight.name,
        "ship": ship.name,
        "hex": printed(at),
        "count": flight.count,
        "fighter_class": flight.fighter_class,
    }
    table.tell(kind, rule, table.audience, facts)

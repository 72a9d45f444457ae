"""FA-DOG: contact, dogfights and their drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import BreakoffOrder, MissionOrder
from games.fleet_action.rules import fighters, fire, geometry
from games.fleet_action.rules.flightpaths import FREE_HEADING
from games.fleet_action.state import Flight
from games.fleet_action.table import Table, printed
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex


def in_order(table: Table, flights: Sequence[Flight]) -> list[Flight]:
    """Side and roster order."""
    return [flight for side in table.side_order for flight in flights if flight.side == side]


def at_hex(table: Table, at: Hex) -> list[Flight]:
    return in_order(table, [flight for flight in table.airborne() if flight.hex == at])


def fights(table: Table) -> list[Hex]:
    """The hexes with a dogfight, by q, then r."""
    return sorted({f.hex for f in table.airborne() if f.state == "dogfight" and f.hex is not None})


# --- contact ---------------------------------------------------------------------------------------------------------


def contact(table: Table) -> None:
    """FA-DOG-1: a hex with flights of two enemy sides becomes a dogfight if any side there forces it."""
    crowds: dict[Hex, set[str]] = {}
    for flight in table.airborne():
        assert flight.hex is not None
        crowds.setdefault(flight.hex, set()).add(flight.side)
    for at in sorted(at for at, sides in crowds.items() if len(sides) > 1):
        _meet(table, at)


def _meet(table: Table, at: Hex) -> None:
    present = at_hex(table, at)
    if not any(forces(table, flight) for flight in present):
        return
    fighting = [flight for flight in present if not _goes_on(table, flight, present)]
    if len({flight.side for flight in fighting}) < 2:
        return
    for flight in fighting:
        if flight.state != "dogfight":
            table.change(flight, state="dogfight")


def forces(table: Table, flight: Flight) -> bool:
    """FA-DOG-1: superiority and squadron escorts force, unless ordered otherwise; escorts of flights never."""
    if flight.mission == "escort" and flight.charge in table.flights:
        charge = table.flights[flight.charge]
        if charge.hex == flight.hex:
            return False
        return flight.doctrine.force is True
    if flight.returning and flight.state != "dogfight":
        return False
    if flight.doctrine.force is not None:
        return flight.doctrine.force
    return flight.mission in ("superiority", "escort")


def _goes_on(table: Table, flight: Flight, present: Sequence[Flight]) -> bool:
    """FA-DOG-1: a charge with an on-station escort in the hex goes on while the escort fights."""
    if flight.state == "dogfight":
        return False
    return any(
        escort.charge == flight.name and escort.mission == "escort" and escort.name in table.on_station
        for escort in present
        if escort.side == flight.side
    )


# --- fighting --------------------------------------------------------------------------------------------------------


@dataclass
class _Pass:
    """One flight's attack in a dogfight."""

    flight: Flight
    roll: Roll
    against: tuple[str, str]
    """Side and fighter class it is directed at."""
    total: int
    margin: int
    kills: int


def fight(table: Table) -> None:
    """Step 3.9: each dogfight in hex order; one die per flight, all kills simultaneous."""
    for at in fights(table):
        flights = [flight for flight in at_hex(table, at) if flight.state == "dogfight"]
        if len({flight.side for flight in flights}) > 1:
            _fight(table, at, flights)
        _maybe_end(table, at)


def _fight(table: Table, at: Hex, flights: list[Flight]) -> None:
    passes = [_pass(table, flight, flights) for flight in flights]
    totals: dict[tuple[str, str], int] = {}
    for attack in passes:
        totals[attack.against] = totals.get(attack.against, 0) + attack.kills
    lost: dict[str, int] = {}
    for against, kills in totals.items():
        _allocate(flights, against, kills, lost)
    entries = [_facts(attack) for attack in passes]
    losses = [
        {"flight": f.name, "side": f.side, "lost": lost.get(f.name, 0), "left": f.count - lost.get(f.name, 0)}
        for f in flights
    ]
    facts = {"hex": printed(at), "flights": entries, "losses": losses, "started": True, "ended": False}
    table.tell("dogfight", "FA-DOG-2", table.audience, facts, [attack.roll for attack in passes])
    for flight in flights:
        fire.lose_fighters(table, flight, lost.get(flight.name, 0), "dogfight")


def _facts(attack: _Pass) -> dict[str, object]:
    return {
        "flight": attack.flight.name,
        "side": attack.flight.side,
        "count": attack.flight.count,
        "die": attack.roll.face,
        "total": attack.total,
        "against": attack.against[1],
        "margin": attack.margin,
        "kills": attack.kills,
    }


def _pass(table: Table, flight: Flight, flights: Sequence[Flight]) -> _Pass:
    """FA-DOG-2: die, count and interceptor, less 1 for anti-ship, less the target's rating."""
    card = table.fighter(flight)
    against = _directed_at(table, flight, flights)
    roll = table.roll(card.dogfight, "dogfight", flight.name)
    total = roll.face + flight.count + card.interceptor - (1 if card.anti_ship else 0)
    margin = total - table.cards.fighters[against[1]].dogfight
    kills = sum(1 for least in TABLES.dogfight.least_margin if margin >= least)
    return _Pass(flight, roll, against, total, margin, kills)


def _directed_at(table: Table, flight: Flight, flights: Sequence[Flight]) -> tuple[str, str]:
    """FA-DOG-4: the ordered type, else the one with most fighters, ties lower rating, then roster."""
    enemies = [other for other in flights if other.side != flight.side]
    types = list(dict.fromkeys((other.side, other.fighter_class) for other in enemies))
    ordered = [kind for kind in types if kind[1] == flight.doctrine.dogfight]

    def rank(kind: tuple[str, str]) -> tuple[int, int]:
        fighters_there = sum(o.count for o in enemies if (o.side, o.fighter_class) == kind)
        return -fighters_there, table.cards.fighters[kind[1]].dogfight

    return min(ordered or types, key=rank)


def _allocate(flights: Sequence[Flight], against: tuple[str, str], kills: int, lost: dict[str, int]) -> None:
    """FA-DOG-4: escorts whose charge is in the fight first, then concentrated or spread; excess is lost."""
    side, key = against
    victims = [flight for flight in flights if flight.side == side and flight.fighter_class == key]
    charges = {flight.name for flight in victims}
    escorts = [
        flight
        for flight in flights
        if flight.side == side and flight.mission == "escort" and flight.charge in charges and flight.doctrine.absorb_af
    ]
    for escort in escorts:
        kills = _take(escort, kills, lost)
    if any(flight.doctrine.losses == "spread" for flight in victims):
        _spread(victims, kills, lost)
        return
    for flight in sorted(victims, key=lambda f: f.count):
        kills = _take(flight, kills, lost)


def _take(flight: Flight, kills: int, lost: dict[str, int]) -> int:
    taken = min(kills, flight.count - lost.get(flight.name, 0))
    lost[flight.name] = lost.get(flight.name, 0) + taken
    return kills - taken


def _spread(victims: Sequence[Flight], kills: int, lost: dict[str, int]) -> None:
    """One by one, the largest count first."""
    for _ in range(kills):
        standing = [flight for flight in victims if flight.count > lost.get(flight.name, 0)]
        if not standing:
            return
        largest = max(standing, key=lambda flight: flight.count - lost.get(flight.name, 0))
        lost[largest.name] = lost.get(largest.name, 0) + 1


def _maybe_end(table: Table, at: Hex) -> None:
    """FA-DOG-5: it ends when one side is gone, or when all break off."""
    left = [flight for flight in at_hex(table, at) if flight.state == "dogfight"]
    sides = {flight.side for flight in left}
    all_break = bool(left) and all(table.book.first(BreakoffOrder, flight.name) is not None for flight in left)
    if len(sides) > 1 and not all_break:
        return
    for flight in left:
        table.put(_released(flight))


def _released(flight: Flight) -> Flight:
    """FA-DOG-5, FA-FTR-14: survivors resume their mission; an escort returns, or patrols where it is."""
    free = replace(flight, state="flying", heading=FREE_HEADING)
    if flight.mission != "escort":
        return free
    if flight.doctrine.after == "patrol" and flight.hex is not None:
        order = MissionOrder(flight.name, "superiority", zone=flight.hex, radius=TABLES.patrol_radius)
        return fighters.with_mission(free, order)
    return replace(free, returning=True)


# --- drift -----------------------------------------------------------------------------------------------------------


def drift(table: Table) -> None:
    """FA-DOG-6: end of turn, each dogfight once, in hex order."""
    groups = [(at, [f.name for f in at_hex(table, at) if f.state == "dogfight"]) for at in fights(table)]
    drifted: set[str] = set()
    for at, names in groups:
        names = [name for name in names if name not in drifted]
        if len({table.flights[name].side for name in names}) > 1:
            drifted.update(_drift(table, at, names))


def _drift(table: Table, at: Hex, names: list[str]) -> list[str]:
    label = ("drift", printed(at))
    direction = table.roll(TABLES.dogfight.drift_direction, *label, "direction")
    hexes = table.roll(TABLES.dogfight.drift_distance, *label, "distance")
    here, joined = at, list(names)
    for _ in range(hexes.face):
        ahead = geometry.ahead(here, direction.face)
        if not table.on_map(ahead):
            break
        here = ahead
        joined += _joining(table, here, joined)
    for name in joined:
        flight = table.flights[name]
        table.change(flight, state="dogfight", hex=here, prev_hex=flight.hex)
    facts = {"hex": printed(at), "to": printed(here), "direction": direction.face, "distance": hexes.face}
    new = [name for name in joined if name not in names]
    table.tell("drift", "FA-DOG-6", table.audience, {**facts, "joined": new}, [direction, hexes])
    return joined


def _joining(table: Table, at: Hex, fighting: Sequence[str]) -> list[str]:
    """FA-DOG-7: flights in a hex the dogfight drifts into."""
    there = [flight for flight in at_hex(table, at) if flight.name not in fighting]
    joining = [flight for flight in there if flight.state == "dogfight" or _joins(table, flight, fighting)]
    names = []
    for flight in joining:
        escorts = [f for f in there if f.charge == flight.name and f.mission == "escort" and f.side == flight.side]
        chosen = escorts if escorts and flight.state != "dogfight" else [flight]
        names += [f.name for f in chosen if f.name not in names]
    return names


def _joins(table: Table, flight: Flight, fighting: Sequence[str]) -> bool:
    inside = [table.flights[name] for name in fighting]
    if not any(other.side != flight.side for other in inside):
        return False
    wishes = flight.doctrine.join
    if wishes is True or (wishes is None and flight.mission == "superiority"):
        return True
    own = sum(other.count for other in inside if other.side == flight.side)
    for enemy in table.enemies_of(flight.side):
        theirs = [other for other in inside if other.side == enemy]
        outnumbered = sum(other.count for other in theirs) > own
        forced = flight.mission == "superiority" or any(other.doctrine.force is not False for other in theirs)
        if outnumbered and forced:
            return True
    return False

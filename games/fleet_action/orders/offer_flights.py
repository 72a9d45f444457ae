"""What a flight can be told: launch, mission, landing and doctrine (FA-FTR, FA-DOG)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.fleet_action.data import ARCS, TABLES
from games.fleet_action.orders import check_flights, check_plot, offer_ships
from games.fleet_action.orders.counter import Counter, Drawn
from games.fleet_action.orders.records import LaunchOrder, MissionOrder
from games.fleet_action.rules import command, fighters
from games.fleet_action.state import PULSES, Flight, Squadron
from games.fleet_action.table import AIRBORNE
from pbem.kit import hexgrid
from pbem.kit.choices import Choice, Closed, Places
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.scene import hex_point

CHAPTER = (check_flights.check,)
PATROL_NEAR = 12
MOST_CHARGES = 12
HABITS: Mapping[str, Mapping[str, str]] = {
    "react": {"ships": "an escort may attack enemy ships that come near", "none": "an escort minds its charge"},
    "absorb-af": {"yes": "an escort takes the losses of its charge", "no": "each takes its own"},
    "after": {"return": "after a dogfight back to its charge", "patrol": "after a dogfight it patrols where it is"},
    "force": {"yes": "it starts dogfights", "no": "it avoids them"},
    "join": {"yes": "it joins dogfights that drift by", "no": "it stays out if it can"},
    "losses": {"concentrate": "the smallest flight first", "spread": "one by one, the largest first"},
}


def offers(counter: Counter, flight: Flight) -> Iterator[Choice | Closed]:
    """All orders to a flight."""
    yield from _launches(counter, flight)
    yield from _missions(counter, flight)
    if counter.table.state.stage == "turn":
        yield from offer_ships.accepts(counter, flight)
    if flight.state in AIRBORNE or _will_launch(counter, flight):
        yield from _habits(counter, flight)


def _will_launch(counter: Counter, flight: Flight) -> bool:
    return counter.desk.last(LaunchOrder, flight.name) is not None


def _launches(counter: Counter, flight: Flight) -> Iterator[Choice | Closed]:
    """FA-FTR-2: in a pulse, to the arc that is nearest its goal or to a named one."""
    if flight.state != "hangar":
        return
    why = check_flights.why_not_launched(counter.desk, flight)
    if why:
        yield Closed("launch", why, "FA-FTR-2")
        return
    said = counter.lines("launch")
    for pulse in PULSES:
        late = f" pulse {pulse}" if pulse > 1 else ""
        for arc in ("", *ARCS):
            label = f"launch in pulse {pulse}" + (f", {arc}" if arc else "")
            line = f"launch{late}" + (f" {arc}" if arc else "")
            note = f"from {flight.home}, {flight.count} fighters"
            yield from counter.offer("launch", label, line, note=note, chapters=CHAPTER, drops=said)


# --- missions --------------------------------------------------------------------------------------------------------


def _missions(counter: Counter, flight: Flight) -> Iterator[Choice | Closed]:
    """FA-FTR-1: strike, escort, superiority, land; out of a hangar with its launch."""
    first: tuple[str, ...] = ()
    if flight.state == "hangar":
        if check_flights.why_not_launched(counter.desk, flight):
            return
        first = () if _will_launch(counter, flight) else ("launch",)
    own = MissionOrder(flight.name, "escort", _home(counter, flight).name)
    why = check_flights.why_no_mission(counter.desk, flight, own)
    if why:
        yield Closed("mission", f"{why[0]}; {why[1]}", "FA-FTR-1")
        return
    at = flight.hex or counter.table.ships[flight.home].hex
    said = counter.lines("mission", "land")
    for label, line, note, drawn, fill in _goals(counter, flight, at):
        yield from counter.offer(
            "mission", label, *first, line, note=note, chapters=CHAPTER, drops=said, fill=fill, drawn=drawn
        )


def _home(counter: Counter, flight: Flight) -> Squadron:
    return counter.table.squadron(counter.table.ships[flight.home])


Goal = tuple[str, str, str, Drawn, Places | None]


def _goals(counter: Counter, flight: Flight, at: Hex) -> Iterator[Goal]:
    desk, table = counter.desk, counter.table
    if _may_strike(counter, flight):
        for place, foe in enumerate(sorted(desk.enemy_squadrons(), key=lambda foe: distance(at, foe.hex))):
            drawn, note = Drawn(hex_point(foe.hex)), f"range {distance(at, foe.hex)} now"
            yield f"strike {foe.name}", f"mission strike {foe.name}", note, drawn, None
            for ship in table.members(foe) if place == 0 else ():
                line = f"mission strike {foe.name} prefer {ship.name}"
                yield f"strike {foe.name}, best {ship.name}", line, note, Drawn(hex_point(ship.hex)), None
    for squadron in sorted(desk.own_squadrons(), key=lambda own: distance(at, own.hex))[:MOST_CHARGES]:
        note = f"range {distance(at, squadron.hex)} now"
        line = f"mission escort {squadron.name}"
        yield f"escort {squadron.name}", line, note, Drawn(hex_point(squadron.hex)), None
        if squadron.name == _home(counter, flight).name:
            for station in range(TABLES.largest_station + 1):
                label = f"escort {squadron.name} within {station}"
                yield label, f"{line} station {station}", note, Drawn(hex_point(squadron.hex)), None
    yield from _flights_to_escort(counter, flight, at)
    near = [place for place in hexgrid.disk(at, PATROL_NEAR) if table.on_map(place)]
    places = Places({hexgrid.name(place): hex_point(place) for place in near})
    note = f"radius {TABLES.patrol_radius}, engages flights within"
    yield "superiority about a hex", "mission superiority {}", note, Drawn(), places
    yield from _decks(counter, flight, at)


def _may_strike(counter: Counter, flight: Flight) -> bool:
    """FA-WDR-1: withdrawing squadrons launch no strikes; FA-CMD-8: nor does a fleet without a flagship."""
    if flight.state != "hangar":
        return True
    home = _home(counter, flight)
    return not check_plot.withdraws(counter.desk, home) and not command.is_flagless(counter.table, home)


def _flights_to_escort(counter: Counter, flight: Flight, at: Hex) -> Iterator[Goal]:
    desk = counter.desk
    others = [other for other in desk.own_flights() if other.name != flight.name]
    flying = [other for other in others if other.state in AIRBORNE or _will_launch(counter, other)]
    for other in sorted(flying, key=lambda other: distance(at, other.hex or at))[:MOST_CHARGES]:
        note = f"{other.count} fighters, {other.mission}"
        yield f"escort flight {other.name}", f"mission escort {other.name}", note, Drawn(), None


def _decks(counter: Counter, flight: Flight, at: Hex) -> Iterator[Goal]:
    """FA-FTR-3: ships with a free place."""
    if flight.state == "hangar":
        return
    for ship in counter.desk.own_ships():
        on_map = counter.table.is_on_map(counter.table.squadron(ship))
        if on_map and fighters.why_not_landed(counter.table, flight, ship) is None:
            note = f"range {distance(at, ship.hex)} now, hangar {counter.table.card(ship).hangar}"
            yield f"land on {ship.name}", f"land {ship.name}", note, Drawn(hex_point(ship.hex)), None


# --- habits ----------------------------------------------------------------------------------------------------------


def _habits(counter: Counter, flight: Flight) -> Iterator[Choice]:
    """FA-DOC-7: doctrine of the flight for this turn."""
    burns = {"auto": "burns where it brings it to its goal", "no": "saves its afterburners"}
    habits = {**HABITS, **({"burn": burns} if counter.table.state.switches.afterburners else {})}
    for verb, words in habits.items():
        for word, note in words.items():
            drops = counter.lines(verb)
            yield from counter.offer(verb, f"{verb} {word}", f"{verb} {word}", note=note, chapters=CHAPTER, drops=drops)
    kinds = dict.fromkeys(foe.fighter_class for foe in counter.desk.enemy_flights())
    for kind in kinds:
        name = counter.table.cards.fighters[kind].name
        drops = counter.lines("dogfight")
        yield from counter.offer("dogfight", f"engage {name} first", f"dogfight {kind}", chapters=CHAPTER, drops=drops)
    if flight.state == "dogfight" and counter.table.state.stage == "turn":
        drops = counter.lines("breakoff")
        note = "ends when every side breaks off"
        yield from counter.offer("breakoff", "break off", "breakoff", note=note, chapters=CHAPTER, drops=drops)

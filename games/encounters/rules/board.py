"""The working table of one resolution: a private copy of the state that the rules change step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from games.encounters.data import Catalogue, Design, ShipClass, catalogue
from games.encounters.state import Build, Encounter, Fleet, Lane, Power, State, System, Unit
from pbem.kit.dice import Dice, LoadedDice, Roll
from pbem.kit.game import Event


class Board:
    """All that changes during a phase. Loops run by seat, by system name or by unit id, never in set order."""

    def __init__(self, state: State, dice: Dice | None = None) -> None:
        self.state = state
        self.dice: Dice = dice if dice is not None else LoadedDice()
        self.turn = state.turn
        self.switches = state.switches
        self.seats = state.seats
        self.powers: dict[str, Power] = dict(state.powers)
        self.systems: dict[str, System] = dict(state.systems)
        self.units: dict[int, Unit] = dict(state.units)
        self.fleets: dict[tuple[str, str], Fleet] = {(fleet.owner, fleet.name): fleet for fleet in state.fleets}
        self.builds: list[Build] = list(state.builds)
        self.encounters: dict[str, Encounter] = {one.system: one for one in state.encounters}
        self.drawn: dict[str, Design] = dict(state.designs)
        self.next_id = state.next_id
        self.next_order = state.next_order
        self.kept: dict[str, str] = dict(state.kept)
        self.events: list[Event] = []
        # Found at the start of the turn, or counted while its orders are carried out.
        self.blockaded: frozenset[str] = frozenset()
        self.at_start: dict[str, frozenset[str]] = {}
        self.bought: dict[tuple[str, str], int] = {}
        self.spent: dict[tuple[str, str], int] = {}
        self.invested: set[str] = set()
        self.renamed: dict[tuple[str, str], str] = {}
        self.on_lanes: set[int] = set()
        self.markers: dict[tuple[str, str], int] = {}
        self.fleet_doctrines: list[tuple[str, str, str, str]] = []
        self.throne_held = state.throne_held
        self.throne_holder = state.throne_holder
        self.readiness_rolls: dict[tuple[str, str], tuple[Roll, ...]] = {}
        self.lanes_from: dict[str, list[tuple[str, Lane]]] = {name: [] for name in state.systems}
        for lane in state.lanes:
            for here, there in (lane.ends, lane.ends[::-1]):
                self.lanes_from[here].append((there, lane))
        self._at: dict[str, set[int]] = {name: set() for name in state.systems}
        self._aboard: dict[int, set[int]] = {}
        for unit in state.units.values():
            self._index(unit)
        self._blocs: dict[str, tuple[str, ...]] = {}
        self.recompute_blocs()

    # --- units -------------------------------------------------------------------------------------------------------

    def _index(self, unit: Unit) -> None:
        self._at[unit.location].add(unit.id)
        if unit.carrier is not None:
            self._aboard.setdefault(unit.carrier, set()).add(unit.id)

    def put(self, unit: Unit) -> None:
        """Set down a new unit, or a changed one in the place of the old."""
        old = self.units.get(unit.id)
        if old is not None:
            self._unindex(old)
        self.units[unit.id] = unit
        self._index(unit)

    def _unindex(self, unit: Unit) -> None:
        self._at[unit.location].discard(unit.id)
        if unit.carrier is not None:
            self._aboard.get(unit.carrier, set()).discard(unit.id)

    def change(self, number: int, **changes: Any) -> Unit:
        unit = replace(self.units[number], **changes)
        self.put(unit)
        return unit

    def remove(self, number: int) -> None:
        unit = self.units.pop(number)
        self._unindex(unit)
        self._aboard.pop(number, None)

    def at(self, system: str) -> list[Unit]:
        """All units in a system, by id."""
        return [self.units[number] for number in sorted(self._at[system])]

    def aboard(self, carrier: int) -> list[Unit]:
        """What a unit carries, by id."""
        return [self.units[number] for number in sorted(self._aboard.get(carrier, ()))]

    def of(self, power: str) -> list[Unit]:
        return [unit for unit in sorted(self.units.values(), key=lambda one: one.id) if unit.owner == power]

    def move_unit(self, number: int, system: str) -> None:
        """Bring a unit, with all it carries, to a system."""
        self.change(number, location=system)
        for passenger in self.aboard(number):
            self.change(passenger.id, location=system)

    def state_carrier(self, owner: str, mark: str) -> Unit | None:
        """The unit a file calls so, while its units are being set down."""
        number = self.markers.get((owner, mark))
        return self.units[number] if number is not None else None

    # --- designs -----------------------------------------------------------------------------------------------------

    def design(self, unit: Unit) -> Design:
        return self.design_of(unit.design)

    def design_of(self, key: str) -> Design:
        found = self.drawn.get(key)
        return found if found is not None else catalogue().designs[key]

    def classes(self) -> Mapping[str, ShipClass]:
        return {**catalogue().classes, **self.state.classes} if self.state.classes else catalogue().classes

    def catalogue(self) -> Catalogue:
        return Catalogue(self.classes(), {**catalogue().designs, **self.drawn})

    def is_ship(self, unit: Unit) -> bool:
        return self.design(unit).category == "ship"

    def is_station(self, unit: Unit) -> bool:
        return self.design(unit).path == "Station"

    def ship_or_station(self, unit: Unit) -> bool:
        design = self.design(unit)
        return design.category == "ship" or design.path == "Station"

    def is_troop(self, unit: Unit) -> bool:
        return self.design(unit).category == "troop"

    def is_flight(self, unit: Unit) -> bool:
        return self.design(unit).category == "flight"

    def free_cv(self, carrier: Unit) -> int:
        used = sum(self.design(one).CC for one in self.aboard(carrier.id))
        return self.design(carrier).CV - used

    # --- powers and blocs --------------------------------------------------------------------------------------------

    def seat(self, power: str) -> int:
        return self.seats.index(power)

    def by_seat(self, powers: Iterable[str]) -> list[str]:
        wanted = set(powers)
        return [key for key in self.seats if key in wanted]

    def name(self, power: str) -> str:
        return self.powers[power].name

    def set_power(self, key: str, **changes: Any) -> Power:
        power = replace(self.powers[key], **changes)
        self.powers[key] = power
        return power

    def set_system(self, name: str, **changes: Any) -> System:
        system = replace(self.systems[name], **changes)
        self.systems[name] = system
        return system

    def recompute_blocs(self) -> None:
        """EN-DIP-1: a bloc is a connected component of mutual ``ally`` stances."""
        self._blocs = blocs_of(self.seats, self.powers)

    def members(self, power: str) -> tuple[str, ...]:
        """The bloc of a power, by seat."""
        return self._blocs[power]

    def same_bloc(self, one: str, other: str) -> bool:
        return other in self._blocs[one]

    def at_war(self, one: str, other: str) -> bool:
        """Stance war on either side."""
        return "war" in (self.powers[one].stance_to(other), self.powers[other].stance_to(one))

    def blocs_among(self, powers: Iterable[str]) -> list[tuple[str, ...]]:
        """The blocs of these powers, by the seat of their first member."""
        found = dict.fromkeys(self._blocs[key] for key in self.by_seat(powers))
        return sorted(found, key=lambda members: self.seat(members[0]))

    def lead(self, members: tuple[str, ...], system: str) -> str:
        """bloc.lead(system): the member with the greatest total CC there; tie: seat. Fixed once readiness is rolled."""
        encounter = self.encounters.get(system)
        fixed = encounter.bloc_of(members[0]) if encounter else None
        if fixed is not None:
            return fixed.lead
        return self.weightiest(members, system)

    def weightiest(self, members: tuple[str, ...], system: str) -> str:
        here = self.at(system)
        weight = {key: sum(self.design(one).CC for one in here if one.owner == key) for key in members}
        return min(members, key=lambda key: (-weight[key], self.seat(key)))

    def present(self, system: str) -> frozenset[str]:
        """Powers with a unit in the system or owning it."""
        owner = self.systems[system].owner
        there = {unit.owner for unit in self.at(system)}
        return frozenset(there | ({owner} if owner else set()))

    # --- fleets ------------------------------------------------------------------------------------------------------

    def ships_of(self, owner: str, fleet: str) -> list[Unit]:
        flotilla = self.fleets.get((owner, fleet))
        if flotilla is None:
            return []
        return [one for one in self.at(flotilla.location) if one.owner == owner and one.fleet == fleet]

    def join_fleet(self, owner: str, wanted: str, system: str) -> str:
        """The own fleet of this name in the system; formed if absent, with a number behind it if it is elsewhere."""
        name, number = wanted, 1
        while (owner, name) in self.fleets and self.fleets[owner, name].location != system:
            number += 1
            name = f"{wanted} {number}"
        if (owner, name) not in self.fleets:
            self.fleets[owner, name] = Fleet(name, owner, system)
        return name

    def give_doctrine(self, owner: str, name: str, topic: str, value: str) -> None:
        fleet = self.fleets.get((owner, name))
        if fleet is not None:
            self.fleets[owner, name] = replace(fleet, doctrine={**fleet.doctrine, topic: value})

    def drop_empty_fleets(self) -> None:
        """EN-MOV-7: a fleet with no ships ceases."""
        manned = {(unit.owner, unit.fleet) for unit in self.units.values() if unit.fleet}
        self.fleets = {key: fleet for key, fleet in self.fleets.items() if key in manned}

    def joined(self, here: str, there: str) -> Lane | None:
        return next((lane for other, lane in self.lanes_from[here] if other == there), None)

    def neighbours(self, system: str) -> list[str]:
        return sorted({other for other, _ in self.lanes_from[system]})

    # --- telling -----------------------------------------------------------------------------------------------------

    def tell(
        self, kind: str, rule: str, step: str, seen_by: Iterable[str], rolls: tuple[Roll, ...] = (), /, **facts: Any
    ) -> None:
        names = {key: self.powers[key].name for key in self.seats if mentions(facts, key)}
        self.events.append(Event(kind, rule, step, {**facts, "names": names}, frozenset(seen_by), rolls))

    def everyone(self) -> frozenset[str]:
        return frozenset(self.seats)

    def _note_former_names(self) -> None:
        before = names_by_power(self.state.units.values(), self.state.fleets)
        after = names_by_power(self.units.values(), self.fleets.values())
        for key in self.seats:
            gone = before.get(key, set()) - after.get(key, set())
            earlier = self.powers[key].former if self.state.phase != "strategic" else ()
            if gone or earlier != self.powers[key].former:
                self.set_power(key, former=tuple(sorted(gone.union(earlier))))

    def frozen(self, **changes: Any) -> State:
        """The state after the step, as a value."""
        self._note_former_names()
        values: dict[str, Any] = {
            "turn": self.turn,
            "powers": self.powers,
            "systems": self.systems,
            "units": dict(sorted(self.units.items())),
            "fleets": tuple(self.fleets[key] for key in sorted(self.fleets)),
            "builds": tuple(self.builds),
            "encounters": tuple(self.encounters[name] for name in sorted(self.encounters)),
            "designs": self.drawn,
            "next_id": self.next_id,
            "next_order": self.next_order,
            "kept": self.kept,
            "throne_held": self.throne_held,
            "throne_holder": self.throne_holder,
        }
        return replace(self.state, **{**values, **changes})


def names_by_power(units: Iterable[Unit], fleets: Iterable[Fleet]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for unit in units:
        found.setdefault(unit.owner, set()).add(unit.name)
    for fleet in fleets:
        found.setdefault(fleet.owner, set()).add(fleet.name)
    return found


def mentions(facts: Any, key: str) -> bool:
    """A power's key stands among the facts; the event then carries its name for the narrative."""
    if isinstance(facts, Mapping):
        return key in facts or any(mentions(value, key) for value in facts.values())
    if isinstance(facts, list | tuple):
        return any(mentions(value, key) for value in facts)
    return bool(facts == key)


def blocs_of(seats: tuple[str, ...], powers: Mapping[str, Power]) -> dict[str, tuple[str, ...]]:
    """Every power's bloc, members by seat."""
    found: dict[str, tuple[str, ...]] = {}
    for key in seats:
        if key in found:
            continue
        reached, waiting = {key}, [key]
        while waiting:
            one = waiting.pop()
            fresh = [other for other in seats if other not in reached and mutual_allies(powers, one, other)]
            reached.update(fresh)
            waiting.extend(fresh)
        members = tuple(other for other in seats if other in reached)
        found.update(dict.fromkeys(members, members))
    return found


def mutual_allies(powers: Mapping[str, Power], one: str, other: str) -> bool:
    return powers[one].stance_to(other) == "ally" and powers[other].stance_to(one) == "ally"

"""The working table of one resolution: a private copy of the state that the rules change step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any, ClassVar, Self

from games.encounters.data import Catalogue, Design, ShipClass, catalogue
from games.encounters.state import Build, Encounter, Fleet, Lane, Power, Readiness, State, Switches, System, Unit
from pbem.kit.dice import Dice, Roll
from pbem.kit.game import Side
from pbem.kit.table import WorkingTable


class Table(WorkingTable[State]):
    """All that changes during a phase. Loops run by seat, by system name or by unit id, never in set order."""

    shelves: ClassVar[Mapping[type, str]] = {
        Power: "powers", System: "systems", Unit: "units", Fleet: "fleets", Build: "builds", Encounter: "encounters",
        Design: "designs",
    }  # fmt: skip
    powers: dict[str, Power]
    systems: dict[str, System]
    units: dict[int, Unit]
    fleets: dict[tuple[str, str], Fleet]
    builds: dict[int, Build]
    encounters: dict[str, Encounter]
    designs: dict[str, Design]

    def __init__(self, state: State, dice: Dice | None = None) -> None:
        super().__init__(state, dice)
        self.turn = state.turn
        self.switches: Switches = state.switches
        self.seats = state.seats
        self.next_id = state.next_id
        self.next_order = state.next_order
        self.kept: dict[str, str] = dict(state.kept)
        self.throne_held = state.throne_held
        self.throne_holder = state.throne_holder
        # Found at the start of the turn, or counted while its orders are carried out.
        self.blockaded: frozenset[str] = frozenset()
        self.at_start: dict[str, frozenset[str]] = {}
        self.bought: dict[tuple[str, str], int] = {}
        self.spent: dict[tuple[str, str], int] = {}
        self.invested: set[str] = set()
        self.renamed: dict[tuple[str, str], str] = {}
        self.on_lanes: set[int] = set()
        self.readiness_rolls: dict[tuple[str, str], tuple[Roll, ...]] = {}
        self.lanes_from: dict[str, list[tuple[str, Lane]]] = {name: [] for name in state.systems}
        for lane in state.lanes:
            for here in lane.ends:
                self.lanes_from[here].append((lane.other_end(here), lane))
        self._at: dict[str, set[int]] = {name: set() for name in state.systems}
        self._aboard: dict[int, set[int]] = {}
        for unit in state.units.values():
            self._index(unit)
        self._blocs: dict[str, tuple[str, ...]] = {}
        self.recompute_blocs()

    # --- records -----------------------------------------------------------------------------------------------------

    def key(self, record: Any) -> Any:
        match record:
            case Unit():
                return record.id
            case Power():
                return record.key
            case Fleet():
                return record.owner, record.name
            case Build():
                return record.order
            case Encounter():
                return record.system
        return super().key(record)

    def put(self, record: Any) -> None:
        if isinstance(record, Unit):
            self._unindex(record.id)
            self._index(record)
        super().put(record)

    def _index(self, unit: Unit) -> None:
        self._at[unit.location].add(unit.id)
        if unit.carrier is not None:
            self._aboard.setdefault(unit.carrier, set()).add(unit.id)

    def _unindex(self, number: int) -> None:
        if (unit := self.units.get(number)) is not None:
            self._at[unit.location].discard(number)
            if unit.carrier is not None:
                self._aboard.get(unit.carrier, set()).discard(number)

    def remove(self, number: int) -> None:
        self._unindex(number)
        del self.units[number]
        self._aboard.pop(number, None)

    def copy(self) -> Self:
        """Another table that stands as this one does, to try something on."""
        other = copy(self)
        for shelf in self.shelves.values():
            setattr(other, shelf, dict(getattr(self, shelf)))
        other._at = {name: set(units) for name, units in self._at.items()}
        other._aboard = {carrier: set(units) for carrier, units in self._aboard.items()}
        other.bought, other.spent, other.invested = dict(self.bought), dict(self.spent), set(self.invested)
        other.renamed, other.on_lanes, other.events = dict(self.renamed), set(self.on_lanes), list(self.events)
        return other

    def frozen(self, **fields: Any) -> State:
        """The state after the step, as a value."""
        self._note_former_names()
        values: dict[str, Any] = {
            "units": dict(sorted(self.units.items())),
            "fleets": tuple(self.fleets[key] for key in sorted(self.fleets)),
            "encounters": tuple(self.encounters[name] for name in sorted(self.encounters)),
            "next_id": self.next_id,
            "next_order": self.next_order,
            "kept": self.kept,
            "throne_held": self.throne_held,
            "throne_holder": self.throne_holder,
        }
        return super().frozen(**{**values, **fields})

    def _note_former_names(self) -> None:
        gone = names_in(self.state.units, self.state.fleets) - names_in(self.units, self.fleets.values())
        for key in self.seats:
            earlier = self.powers[key].former if self.state.phase != "strategic" else ()
            former = tuple(sorted({*earlier, *(name for owner, name in gone if owner == key)}))
            if former != self.powers[key].former:
                self.change(self.powers[key], former=former)

    # --- units -------------------------------------------------------------------------------------------------------

    def at(self, system: str) -> list[Unit]:
        """All units in a system, by id."""
        return [self.units[number] for number in sorted(self._at[system])]

    def aboard(self, carrier: int) -> list[Unit]:
        """What a unit carries, by id."""
        return [self.units[number] for number in sorted(self._aboard.get(carrier, ()))]

    def of(self, power: str) -> list[Unit]:
        """All units of a power, by id."""
        return [self.units[number] for number in sorted(self.units) if self.units[number].owner == power]

    def lose(self, unit: Unit) -> None:
        """A unit is destroyed, and its cost counted as lost."""
        owner = self.powers[unit.owner]
        self.change(owner, lost=owner.lost + self.design(unit).cost)
        self.remove(unit.id)

    # --- designs -----------------------------------------------------------------------------------------------------

    def design(self, unit: Unit) -> Design:
        return self.design_of(unit.design)

    def design_of(self, key: str) -> Design:
        drawn = self.designs.get(key)
        return drawn if drawn is not None else catalogue().designs[key]

    def classes(self) -> Mapping[str, ShipClass]:
        return {**catalogue().classes, **self.state.classes} if self.state.classes else catalogue().classes

    def catalogue(self) -> Catalogue:
        return Catalogue(self.classes(), {**catalogue().designs, **self.designs})

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
        return self.design(carrier).CV - sum(self.design(passenger).CC for passenger in self.aboard(carrier.id))

    # --- powers and blocs --------------------------------------------------------------------------------------------

    def seat(self, power: str) -> int:
        return self.seats.index(power)

    def by_seat(self, powers: Iterable[str]) -> list[str]:
        wanted = set(powers)
        return [key for key in self.seats if key in wanted]

    def name(self, power: str) -> str:
        return self.powers[power].name

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
        blocs = dict.fromkeys(self._blocs[key] for key in self.by_seat(powers))
        return sorted(blocs, key=lambda members: self.seat(members[0]))

    def lead(self, members: tuple[str, ...], system: str) -> str:
        """bloc.lead(system): the member with the greatest total CC there; tie: seat. Fixed once readiness is rolled."""
        encounter = self.encounters.get(system)
        fixed = encounter.bloc_of(members[0]) if encounter else None
        if fixed is not None:
            return fixed.lead
        return self.weightiest(members, system)

    def weightiest(self, members: tuple[str, ...], system: str) -> str:
        here = self.at(system)
        weight = {key: sum(self.design(unit).CC for unit in here if unit.owner == key) for key in members}
        return min(members, key=lambda key: (-weight[key], self.seat(key)))

    def readiness(self, system: str, power: str) -> list[Readiness]:
        """EN-RDY-3: the readiness of a power's bloc in a system against every other; none where nobody rolled."""
        encounter = self.encounters.get(system)
        mine = encounter.bloc_of(power) if encounter else None
        return [pair for pair in encounter.pairs if pair.bloc == mine.lead] if encounter and mine else []

    def between(self, system: str, power: str, other: str) -> Readiness | None:
        """The readiness of one power's bloc against the bloc of another."""
        encounter = self.encounters.get(system)
        return encounter.between(power, other) if encounter else None

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
        return [unit for unit in self.at(flotilla.location) if unit.owner == owner and unit.fleet == fleet]

    def join_fleet(self, owner: str, wanted: str, system: str) -> str:
        """The own fleet of this name in the system; formed if absent, with a number behind it if it is elsewhere."""
        name, number = wanted, 1
        while (owner, name) in self.fleets and self.fleets[owner, name].location != system:
            number += 1
            name = f"{wanted} {number}"
        if (owner, name) not in self.fleets:
            self.put(Fleet(name, owner, system))
        return name

    def drop_empty_fleets(self) -> None:
        """EN-MOV-7: a fleet with no ships ceases."""
        manned = {(unit.owner, unit.fleet) for unit in self.units.values() if unit.fleet}
        self.fleets = {key: fleet for key, fleet in self.fleets.items() if key in manned}

    def fleet_names(self, owner: str) -> list[str]:
        return [name for key, name in sorted(self.fleets) if key == owner]

    # --- the map -----------------------------------------------------------------------------------------------------

    def joined(self, here: str, there: str) -> Lane | None:
        return next((lane for other, lane in self.lanes_from[here] if other == there), None)

    def neighbours(self, system: str) -> list[str]:
        return sorted({other for other, _ in self.lanes_from[system]})

    # --- dice and events ---------------------------------------------------------------------------------------------

    def roll(self, sides: int, *label: object) -> Roll:
        """Draw a die; its label says by itself what it is for, whatever the step."""
        return self.dice.roll(sides, *label)

    @contextmanager
    def during(self, step: str) -> Iterator[None]:
        """The step that is told of while something happens within another."""
        outer, self.step = self.step, step
        try:
            yield
        finally:
            self.step = outer

    def tell(
        self, kind: str, rule: str, seen_by: Iterable[Side] | Side, facts: Mapping[str, Any], rolls: Sequence[Roll] = ()
    ) -> None:
        """Something happened; the event carries the names of the powers whose keys are among its facts."""
        names = {key: self.powers[key].name for key in self.seats if mentions(facts, key)}
        super().tell(kind, rule, seen_by, {**facts, "names": names}, rolls)


class Trial(Table):
    """A table on which orders are only tried: nobody hears of what happens on it."""

    def tell(
        self, kind: str, rule: str, seen_by: Iterable[Side] | Side, facts: Mapping[str, Any], rolls: Sequence[Roll] = ()
    ) -> None:
        pass


def names_in(units: Mapping[int, Unit], fleets: Iterable[Fleet]) -> set[tuple[str, str]]:
    """Owners and names of units and fleets."""
    return {(unit.owner, unit.name) for unit in units.values()} | {(fleet.owner, fleet.name) for fleet in fleets}


def mentions(facts: Any, key: str) -> bool:
    """A power's key stands among the facts; the event then carries its name for the narrative."""
    if isinstance(facts, Mapping):
        return key in facts or any(mentions(value, key) for value in facts.values())
    if isinstance(facts, list | tuple):
        return any(mentions(value, key) for value in facts)
    return bool(facts == key)


def blocs_of(seats: tuple[str, ...], powers: Mapping[str, Power]) -> dict[str, tuple[str, ...]]:
    """Every power's bloc, members by seat."""
    offers = {(key, other) for key in seats for other in seats if powers[key].stance_to(other) == "ally"}
    blocs: dict[str, tuple[str, ...]] = {}
    for key in seats:
        if key in blocs:
            continue
        reached, waiting = {key}, [key]
        while waiting:
            member = waiting.pop()
            allies = [other for other in seats if {(member, other), (other, member)} <= offers]
            fresh = [other for other in allies if other not in reached]
            reached.update(fresh)
            waiting.extend(fresh)
        members = tuple(other for other in seats if other in reached)
        blocs.update(dict.fromkeys(members, members))
    return blocs

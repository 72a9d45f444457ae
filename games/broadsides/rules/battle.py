"""The working table of one resolution: units by name, dice with their labels, events in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.broadsides.data import FighterClass, ShipClass, WeaponType
from games.broadsides.rules.craft import ground_of
from games.broadsides.rules.doctrine import Doctrine, FireLine
from games.broadsides.state import (
    Ballistic,
    Flight,
    Mount,
    Ship,
    State,
    Unit,
    catalogue_of,
    enemy_of,
)
from pbem.kit.dice import Dice, Roll
from pbem.kit.game import Event
from pbem.kit.hexgrid import Hex


class Battle:
    """Mutable only inside ``resolve``; ``state()`` gives the frozen result."""

    def __init__(self, state: State, doctrine: Doctrine, dice: Dice) -> None:
        self.before = state
        self.doctrine = doctrine
        self.dice = dice
        self.catalogue = catalogue_of(state)
        self.ships: dict[str, Ship] = dict(state.ships)
        self.flights: dict[str, Flight] = dict(state.flights)
        self.roster: list[str] = list(state.roster)
        self.turn = state.turn
        self.switches = state.switches
        self.year = state.year
        self.sides = tuple(side.id for side in state.sides)
        self.first_fire = state.first_fire
        self.ballistics: list[Ballistic] = list(state.ballistics)
        self.formations = list(state.formations)
        self.ground = ground_of(state)
        self.fields: Mapping[Hex, int] = (
            {one.hex: one.density for one in state.terrain.asteroids} if state.switches.asteroids else {}
        )
        self.events: list[Event] = []
        self.step = ""
        self.chances: dict[Any, Any] = {}
        """Answers that hold until a unit changes."""
        self.plans: dict[str, tuple[tuple[str, FireLine | None], ...]] = {}
        """Firing plans of ships; orders do not change while a phase is resolved."""

    # --- units

    def put(self, unit: Unit) -> None:
        self.chances.clear()
        if isinstance(unit, Ship):
            self.ships[unit.name] = unit
        else:
            self.flights[unit.name] = unit

    def unit(self, name: str) -> Unit | None:
        return self.ships.get(name) or self.flights.get(name)

    def sheet(self, ship: Ship) -> ShipClass:
        return self.catalogue.classes[ship.class_name]

    def craft(self, flight: Flight) -> FighterClass:
        return self.catalogue.fighters[flight.class_name]

    def weapon(self, ship: Ship, mount: str) -> WeaponType:
        return self.catalogue.weapons[self.sheet(ship).systems[mount].type]

    def units(self) -> Iterator[Unit]:
        """Those on the map, in roster order."""
        for name in list(self.roster):
            found = self.unit(name)
            if found is not None and found.status == "on-map":
                yield found

    def ships_of(self, side: str) -> list[Ship]:
        return [one for one in self.units() if isinstance(one, Ship) and one.side == side]

    def flights_of(self, side: str) -> list[Flight]:
        return [one for one in self.units() if isinstance(one, Flight) and one.side == side]

    def enemy(self, side: str) -> str:
        return enemy_of(self.before, side)

    def by_first_fire(self) -> tuple[str, str]:
        """The sides, the one that fires first this turn before the other."""
        return (self.first_fire, self.enemy(self.first_fire))

    def alive(self, name: str) -> bool:
        found = self.unit(name)
        return found is not None and found.status == "on-map"

    def set_mount(self, ship: Ship, mount: str, **fields: Any) -> Ship:
        """The ship with one mount changed; put on the table at once."""
        changed = replace(ship, weapon={**ship.weapon, mount: replace(ship.weapon[mount], **fields)})
        self.put(changed)
        return changed

    def is_pod(self, flight: Flight) -> bool:
        return self.craft(flight).kind == "pod"

    # --- dice and events

    def roll(self, sides: int, *label: object) -> Roll:
        return self.dice.roll(sides, self.step, *label)

    def tally(self, *label: object) -> Tally:
        return Tally(self, label)

    def tell(
        self,
        kind: str,
        rule: str,
        facts: Mapping[str, Any],
        rolls: Sequence[Roll] = (),
        seen_by: Sequence[str] | None = None,
    ) -> None:
        """Add an event; without ``seen_by`` both sides see it."""
        audience = frozenset(self.sides if seen_by is None else seen_by)
        self.events.append(Event(kind, rule, self.step, dict(facts), audience, tuple(rolls)))


class Tally:
    """The dice of one action: numbers them within their purpose, and keeps those no event has taken yet."""

    def __init__(self, battle: Battle, label: tuple[object, ...]) -> None:
        self._battle = battle
        self._label = label
        self._counts: dict[str, int] = {}
        self._loose: list[Roll] = []

    def roll(self, sides: int, purpose: str) -> int:
        self._counts[purpose] = self._counts.get(purpose, 0) + 1
        drawn = self._battle.roll(sides, *self._label, purpose, self._counts[purpose])
        self._loose.append(drawn)
        return drawn.face

    def taken(self) -> tuple[Roll, ...]:
        """The dice since the last event, for the next one."""
        loose, self._loose = tuple(self._loose), []
        return loose


def full_mounts(battle: Battle, ship: Ship) -> Iterator[tuple[str, Mount, WeaponType]]:
    """The working, full, unused weapons of a ship, in sheet order."""
    for system in battle.sheet(ship).mounts:
        weapon = battle.catalogue.weapons[system.type]
        if ready(ship, system.id, weapon):
            yield system.id, ship.weapon[system.id], weapon


def ready(ship: Ship, mount: str, weapon: WeaponType) -> bool:
    """BR-PWR-1, 3, 5: full, working, neither used nor shut down nor cooling."""
    state = ship.weapon[mount]
    if state.used or state.dropped_out or state.shut_down or state.cooling or state.charge < weapon.full:
        return False
    if weapon.large and state.consecutive_shots >= 2:
        return False
    return ship.blocks_lost.get(mount, 0) < weapon.blocks and mount not in ship.deactivated

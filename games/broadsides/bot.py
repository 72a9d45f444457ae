"""A simple opponent: closes to its best range, keeps the enemy ahead, launches its flights, and stays legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.broadsides.data import Catalogue
from games.broadsides.imagined import imagined
from games.broadsides.rules.autopilot import candidates
from games.broadsides.rules.ballistics import reach_of
from games.broadsides.rules.craft import Course, Craft, Ground, Plot, craft_from, ground_of, write_tokens
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.rules.fighters import RELAUNCH_AFTER, launch_capacity
from games.broadsides.rules.geometry import sectors_of, seen
from games.broadsides.rules.movement import attempt
from games.broadsides.rules.power import charge_up
from games.broadsides.state import Flight, Ship, State, Unit
from games.broadsides.view import View
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance

FIGHTING_RANGE = 5
LEAST_SPEED = 3
MOST_SPEED = 7
LAUNCH_WITHIN = 18
TURNS = 2
EDGE_MARGIN = 3


def bot(view: View, dice: Dice) -> str:
    """Order text for the open phase; silence where the defaults are good."""
    if view.side is None or view.phase != "orders":
        return "# default orders\n"
    return _Captain(view, dice).text()


class _Captain:
    def __init__(self, view: View, dice: Dice) -> None:
        self._view, self._dice = view, dice
        self._state: State = imagined(view, dice)
        self._catalogue: Catalogue = self._state.cards
        self._ground: Ground = ground_of(self._state)
        self._enemies: list[Ship] = [
            ship for ship in self._state.ships.values() if ship.side != view.side and ship.on_map
        ]

    def text(self) -> str:
        lines = [f"turn {self._view.turn}"]
        for ship in self._view.own_ships:
            if ship.on_map:
                lines += self._block(ship.name, self._ship(ship))
        launching: dict[str, int] = {}
        for flight in self._view.own_flights:
            lines += self._block(flight.name, self._flight(flight, launching))
        return "\n".join(lines) + "\n"

    def _block(self, name: str, lines: Sequence[str]) -> list[str]:
        return [f"{name}:", *(f"  {line}" for line in lines)] if lines else []

    # --- ships

    def _ship(self, ship: Ship) -> list[str]:
        sheet = self._catalogue.classes[ship.class_name]
        if sheet.size == "OSAT" or not self._enemies:
            return []
        target = self._nearest(ship)
        lines = [] if sheet.fixed else self._plot(ship, target)
        return lines + self._mines(ship, target)

    def _nearest(self, unit: Unit) -> Ship:
        return min(self._enemies, key=lambda enemy: (distance(unit.position, enemy.position), enemy.name))

    def _plot(self, ship: Ship, target: Ship) -> list[str]:
        craft = craft_from(self._catalogue, ship)
        if ship.slide:
            return ["slide stop"] if craft.thrust >= ship.slide.n * craft.accel_cost else []
        best: tuple[float, str, Plot] | None = None
        for plot in self._plots(craft):
            course = attempt(craft, plot, self._ground)
            if not isinstance(course, Course):
                continue
            written = write_tokens(plot.tokens or ())
            scored = (self._score(course, craft, target), written, plot)
            if best is None or scored[:2] < best[:2]:
                best = scored
        if best is None:
            return []
        return [f"speed {best[2].change:+}"] * bool(best[2].change) + [best[1]]

    def _plots(self, craft: Craft) -> Iterator[Plot]:
        """Speeds the ship can take with its bow ahead, and all turns of the autopilot at each."""
        for change in self._changes(craft):
            for found in candidates(craft, change, TURNS, self._ground):
                yield Plot(change, found.tokens)

    def _changes(self, craft: Craft) -> list[int]:
        changes = [0]
        if craft.turning and not craft.gravitic:
            return changes
        for change in (1, 2, -1, -2):
            v = craft.speed + change
            if LEAST_SPEED <= v <= MOST_SPEED and (change > 0 or craft.gravitic):
                changes.append(change)
        return changes

    def _score(self, course: Course, craft: Craft, target: Ship) -> float:
        """Near its range to where the target will drift, bow on, off the rocks and away from the edge."""
        end = course.hexes[-1]
        there = target.position.plus(DIRECTIONS[target.heading].times(target.speed))
        gap = distance(end, there)
        offset = Hex(there.q - end.q, there.r - end.r)
        ahead = {0, 5} & set(sectors_of(seen(offset, course.facing, rolled=False)))
        rocks = sum(self._ground.rocks.get(at, 0) for at in course.hexes[1:])
        astray = self._astray(end, course)
        blocked = any(
            self._ground.forbidden(end.plus(DIRECTIONS[course.heading].times(step)), craft.rating)
            for step in range(1, course.speed + 1)
        )
        late = 2.0 if course.turning else 0.0
        return abs(gap - FIGHTING_RANGE) + (0 if ahead else 4) + 2 * rocks + astray + 6 * blocked + late

    def _astray(self, end: Hex, course: Course) -> int:
        """How badly it heads for the edge: over it next turn, or the turn after."""
        reach = [course.speed + EDGE_MARGIN, 2 * course.speed + EDGE_MARGIN]
        near, far = (self._ground.on_map(end.plus(DIRECTIONS[course.heading].times(hexes))) for hexes in reach)
        return 0 if far else (6 if near else 20)

    def _mines(self, ship: Ship, target: Ship) -> list[str]:
        """Energy mines at the nearest enemy, while no friend is near it."""
        lines = []
        charge = charge_up(self._catalogue, ship, UnitOrders()).charge
        far = distance(ship.position, target.position)
        friends: tuple[Unit, ...] = (*self._view.own_ships, *self._view.own_flights)
        crowded = any(distance(unit.position, target.position) <= 2 for unit in friends if unit.on_map)
        for mount in self._catalogue.classes[ship.class_name].mounts:
            weapon, state = self._catalogue.weapons[mount.type], ship.weapon[mount.id]
            idle = state.dropped_out or state.cooling or mount.id in ship.deactivated
            if not weapon.mine or crowded or idle or ship.blocks_left(mount) <= 0:
                continue
            if charge[mount.id] >= weapon.full and far <= reach_of(weapon, ""):
                lines.append(f"ballistic {mount.id} at {target.name}")
        return lines

    # --- flights

    def _flight(self, flight: Flight, launching: dict[str, int]) -> list[str]:
        craft = self._catalogue.fighters[flight.class_name]
        if craft.kind != "fighter" or not self._enemies or not flight.living:
            return []
        if flight.status == "hangar":
            return self._launch(flight, launching)
        if flight.status != "on-map":
            return []
        foes = [
            foe
            for foe in self._state.flights.values()
            if foe.side != flight.side and foe.on_map and distance(foe.position, flight.position) <= FIGHTING_RANGE
        ]
        if foes and self._dice.roll(6, "bot", flight.name, "temper").face > 2:
            return [f"defend {min(foes, key=lambda foe: (distance(foe.position, flight.position), foe.name)).name}"]
        lines = [f"attack {self._nearest(flight).name}"]
        return [*lines, "missiles"] if any(fighter.missiles for fighter in flight.fighters) else lines

    def _launch(self, flight: Flight, launching: dict[str, int]) -> list[str]:
        carrier = self._state.ships.get(flight.carrier)
        early = flight.landed is not None and self._view.turn < flight.landed + RELAUNCH_AFTER
        if carrier is None or not carrier.on_map or early:
            return []
        most = launch_capacity(self._catalogue, carrier)
        near = distance(carrier.position, self._nearest(carrier).position) <= LAUNCH_WITHIN
        if not near or launching.get(carrier.name, 0) >= most:
            return []
        launching[carrier.name] = launching.get(carrier.name, 0) + 1
        return [f"launch from {carrier.name}", f"chase {self._nearest(carrier).name}"]

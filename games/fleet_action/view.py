"""Section 8: what a side knows. Reports, maps, forms and bots are made from a view, never from the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from games.fleet_action.data import Catalogue
from games.fleet_action.rules.command import command_radius, has_fighter_ops
from games.fleet_action.rules.movement import Limits, limits
from games.fleet_action.rules.plotting import chart
from games.fleet_action.rules.salvos import Salvo, SeenSalvo
from games.fleet_action.state import (
    Flight,
    Known,
    OpenFlight,
    OpenShip,
    OpenSquadron,
    SeenFleet,
    SeenFlight,
    SeenShip,
    SeenSide,
    SeenSquadron,
    Ship,
    Side,
    Squadron,
    State,
)
from games.fleet_action.table import AIRBORNE, Table
from pbem.kit.hexgrid import Hex
from pbem.kit.records import part, shared

BANDS = ((100, "intact"), (75, "light"), (50, "moderate"), (25, "heavy"), (0, "crippled"))

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class View(Known):
    """What one side knows, and what follows from it; the records of its own units are whole."""

    side: str | None
    """None: the moderator, who sees all."""
    cards: Catalogue
    """The data cards of the units in sight."""
    bands: Mapping[str, str]
    """Each ship's structure as its enemies see it, or its fate."""
    limits: Mapping[str, Limits]
    """FA-MOV-4: the manoeuvre limits of the squadrons whose ships the side knows exactly."""
    command_radius: Mapping[str, int]
    """FA-CMD-2: by side."""
    points: Mapping[str, int]
    """FA-VIC-2: by side, as far as it is told."""
    may_change: tuple[str, ...]
    """FA-FTR-1: own flights that may be given a new mission this turn."""
    dogfights: tuple[Hex, ...]
    buyable: tuple[str, ...]
    """FA-BLD: classes and fighter classes the side may buy, while it builds."""

    def owns(self, side: str) -> bool:
        return self.side is None or side == self.side

    def knows(self, side: str) -> bool:
        """The state of the side's units is exact: they are one's own, or nothing is hidden."""
        return self.owns(side) or self.switches.fog == "open"

    def squadron_of(self, ship: SeenShip) -> SeenSquadron:
        return next(squadron for squadron in self.squadrons if squadron.name == ship.squadron)

    def members(self, squadron: SeenSquadron) -> list[SeenShip]:
        """The ships of a squadron that are in play."""
        return [ship for ship in self.ships if ship.squadron == squadron.name and ship.fate == "in play"]

    def in_play(self) -> list[SeenSquadron]:
        """The squadrons with a ship left, and of the own ones those that wait to enter."""
        return [squadron for squadron in self.squadrons if self.members(squadron)]

    def own_squadrons(self) -> list[Squadron]:
        return [squadron for squadron in self.in_play() if isinstance(squadron, Squadron)]

    def commands(self, ship: SeenShip) -> bool:
        return self.squadron_of(ship).command_ship == ship.name

    def is_flagship(self, ship: SeenShip) -> bool:
        fleet = self.squadron_of(ship).fleet
        return any(f.name == fleet and f.flagship == ship.name for f in self.fleets)

    def hexes(self, squadron: SeenSquadron) -> tuple[int, int, int]:
        """FA-MOV-1: hexes per pulse at the present speed."""
        return chart(squadron.speed)


def view(state: State, side: str | None) -> View:
    """What a side knows now; None: the moderator, who sees all."""
    return _Lens(state, side).view()


def band(structure: int, most: int, fate: str = "in play") -> str:
    """Section 8: structure as the enemy sees it."""
    if fate != "in play":
        return fate
    return next(word for least, word in BANDS if structure * 100 >= least * most)


class _Lens:
    """Looks at the table with the eyes of one side."""

    def __init__(self, state: State, side: str | None) -> None:
        self.state = state
        self.side = side
        self.table = Table(state)
        self.open = state.switches.fog == "open"
        self.deployed = state.stage != "deployment"

    def view(self) -> View:
        state, table = self.state, self.table
        squadrons = [squadron for squadron in state.squadrons if self.sees(squadron)]
        names, fleets = {squadron.name for squadron in squadrons}, {squadron.fleet for squadron in squadrons}
        ships = [ship for ship in state.ships if ship.squadron in names]
        flights = [flight for flight in state.flights if self._sees_flight(flight)]
        exact = [s for s in squadrons if table.members(s) and (self.owns(s.side) or self.open)]
        forces = {
            "sides": tuple(self._side(side) for side in state.sides),
            "fleets": tuple(self._cut(f, f.side, SeenFleet, SeenFleet) for f in state.fleets if f.name in fleets),
            "squadrons": tuple(map(self._squadron, squadrons)),
            "ships": tuple(self._cut(ship, table.side_of(ship), OpenShip, SeenShip) for ship in ships),
            "flights": tuple(self._cut(flight, flight.side, OpenFlight, SeenFlight) for flight in flights),
            "salvos": tuple(self._salvo(salvo) for salvo in state.salvos if self.deployed or self.owns(salvo.side)),
            "plans": tuple(plan for plan in state.plans if self.owns(table.side_of(table.ships[plan.opener]))),
            "standing": tuple(line for line in state.standing if self.owns(line.side)),
        }
        return View(
            **{**shared(Known, state), **forces},
            side=self.side,
            cards=self._cards(ships, flights),
            bands={ship.name: band(ship.structure, table.card(ship).structure, ship.fate) for ship in ships},
            limits={squadron.name: limits(table, squadron) for squadron in exact},
            command_radius={side: command_radius(table, side) for side in table.sides},
            points={side.id: side.points for side in state.sides if self._knows_points(side)},
            may_change=tuple(flight.name for flight in flights if self._may_change(flight)),
            dogfights=tuple(sorted({f.hex for f in flights if f.state == "dogfight" and f.hex is not None})),
            buyable=self._buyable(),
        )

    def owns(self, side: str) -> bool:
        return self.side is None or side == self.side

    def sees(self, squadron: Squadron) -> bool:
        """FA-DEP-4: forces not yet deployed or entered are seen by their owner alone."""
        return self.owns(squadron.side) or (self.deployed and squadron.state != "waiting")

    def _cut(self, record: T, side: str, shown: type[T], seen: type[T]) -> T:
        """Whole to its owner; to others what they see, and what open fog shows."""
        if self.owns(side):
            return record
        return part(shown if self.open else seen, record)

    def _side(self, side: Side) -> SeenSide:
        if self.owns(side.id):
            return side
        announced = self.deployed and not side.jumping
        return replace(part(SeenSide, side), fleet_speed=side.fleet_speed if announced else None)

    def _knows_points(self, side: Side) -> bool:
        return self.owns(side.id) or self.open or self.state.result is not None

    def _squadron(self, squadron: Squadron) -> SeenSquadron:
        """A jump is an order, secret until the vortex opens; the enemy knows a withdrawal."""
        shown: SeenSquadron = self._cut(squadron, squadron.side, OpenSquadron, SeenSquadron)
        secret = squadron.state == "jumping" and not self.owns(squadron.side)
        return replace(shown, state="normal") if secret else shown

    def _salvo(self, salvo: Salvo) -> SeenSalvo:
        """Section 8: target and impact are told at launch, what was frozen with them is not; open fog shows all."""
        return salvo if self.open or self.owns(salvo.side) else part(SeenSalvo, salvo)

    def _cards(self, ships: Sequence[Ship], flights: Sequence[Flight]) -> Catalogue:
        """In the order of the catalogue; a side that builds knows what it may buy."""
        cards, buyable = self.table.cards, self._buyable()
        wanted = {*buyable, *(ship.ship_class for ship in ships), *(flight.fighter_class for flight in flights)}
        classes = {key: card for key, card in cards.classes.items() if key in wanted}
        mounted = dict.fromkeys(mount.weapon for card in classes.values() for mount in card.weapons)
        fighters = {key: card for key, card in cards.fighters.items() if key in wanted}
        return Catalogue({key: cards.weapons[key] for key in mounted}, classes, fighters)

    def _sees_flight(self, flight: Flight) -> bool:
        """Section 8: hangars are unseen; what flies is seen exactly."""
        if self.owns(flight.side) or not self.deployed:
            return self.owns(flight.side)
        home = self.table.home_of(flight)
        waits = home is not None and home.state == "waiting"
        return flight.state in AIRBORNE or (self.open and not waits)

    def _may_change(self, flight: Flight) -> bool:
        """FA-FTR-1: on odd turns; a flight still in its hangar takes any mission when it is launched."""
        if flight.state == "lost" or not self.owns(flight.side):
            return False
        if flight.state == "hangar" or self.state.turn % 2 == 1:
            return True
        home = self.table.home_of(flight)
        return home is not None and has_fighter_ops(self.table, home)

    def _buyable(self) -> tuple[str, ...]:
        side = self.table.sides.get(self.side or "")
        if side is None or self.deployed or not side.points_limit:
            return ()
        ships = [key for key, card in self.table.cards.classes.items() if card.navy == side.navy]
        fighters = [key for key, card in self.table.cards.fighters.items() if card.navy == side.navy]
        return (*ships, *fighters)

"""What there is in a Battleshift game: section 2 of the rule book as records, split by who may know what (section 8).

Lengths are whole hundredths of an inch, bearings whole degrees. Two names of the book are words of Python:
`class` is kept as ``ship_class`` and `return` as ``returns``; situation files write them as the book does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from games.battleshift.data import ShipClass, Switches
from pbem.kit.plane import Spot

Status = Literal["active", "disabled", "destroyed", "captured", "engulfed", "hyperspace", "left"]
FormationKind = Literal["line", "column", "vee", "cluster", "custom", "cone", "tfcone", "ring"]
Mode = Literal["volley", "staggered", "concentrate"]
Location = Literal["table", "reserve", "hyperspace"]
Stage = Literal["setup", "orders", "over"]
Edge = Literal["north", "south", "east", "west"]
TerrainKind = Literal["planet", "moon", "dust", "asteroids", "nebula", "mines", "rift", "singularity"]
QUADRANTS = ("NE", "SE", "SW", "NW")
"""The order in which quadrants are taken everywhere."""
ON_TABLE = ("active", "disabled")
"""What a ship that can be met is."""


class Placed:
    """Something at a place."""

    x: int
    y: int

    @cached_property
    def spot(self) -> Spot:
        return Spot(self.x, self.y)


@dataclass(frozen=True, kw_only=True)
class Owned:
    """A unit of a side, whose name is its own among the side's."""

    name: str
    side: str

    @property
    def key(self) -> str:
        return f"{self.side}/{self.name}"


@dataclass(frozen=True)
class Formation:
    """How the ships of a squadron stand around their leader."""

    kind: FormationKind = "cluster"
    spacing: int = 100
    pairs: tuple[tuple[int, int], ...] = ()
    """Starboard and forward of each ship but the leader, for `custom`."""


@dataclass(frozen=True)
class SeenShip(Placed):
    """2.3: one ship of a squadron, as all see it."""

    number: int
    x: int = 0
    y: int = 0
    status: Status = "active"


@dataclass(frozen=True)
class Ship(SeenShip):
    """One ship as its owner knows it."""

    captor: str = ""
    holds: tuple[str, ...] = ()
    """Engulfed ships, as ``side/Name.3``."""
    assault_left: int | None = None
    """None: all that the class carries."""


@dataclass(frozen=True)
class Layout(Placed):
    """Where a squadron stands when its taskforce arrives."""

    x: int
    y: int
    formation: Formation = Formation()


@dataclass(frozen=True)
class Return:
    """A planned arrival: turn, sector, facing and placement."""

    turn: int
    sector: str
    facing: int
    x: int | None = None
    y: int | None = None
    layouts: Mapping[str, Layout] = field(default_factory=dict)
    """Squadrons whose place was ordered."""


@dataclass(frozen=True)
class Flags:
    """2.3: what was used up in the activation that runs."""

    reacted: bool = False
    suppressed_now: bool = False
    light_used: bool = False
    committed_super: bool = False
    out_of_tf: bool = False
    hits_now: int = 0
    """Hits taken in this activation, for `suppression_count = activation`."""


@dataclass(frozen=True, kw_only=True)
class Contact(Owned):
    """2.3: ships of one class that share damage, suppression and facing, as even fog shows them."""

    ships: tuple[SeenShip, ...] = ()
    facing: int = 0

    @cached_property
    def at_hand(self) -> tuple[SeenShip, ...]:
        """Active and disabled ships, by number."""
        return tuple(ship for ship in self.ships if ship.status in ON_TABLE)

    @property
    def active(self) -> int:
        return sum(ship.status == "active" for ship in self.ships)

    @property
    def where(self) -> str:
        """Empty: on the table; otherwise where it is."""
        return "" if self.at_hand else "lost"


@dataclass(frozen=True, kw_only=True)
class SeenSquadron(Contact):
    """A squadron that has been identified."""

    ship_class: str
    total: int = 0
    damage: int = 0
    suppression: int = 0
    formation: Formation = Formation()
    taskforce: str = ""
    """Empty: detached."""
    traits_seen: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Squadron(SeenSquadron):
    """A squadron as its owner knows it."""

    ships: tuple[Ship, ...] = ()
    player: str = ""
    """Who commands it while it is detached."""
    traits: frozenset[str] = frozenset()
    wings_aboard: int = 0
    wings_initial: int = 0
    arrived_turn: int = 0
    flags: Flags = Flags()
    acted: bool = False
    standing: tuple[str, ...] = ()
    """Standing orders, as the player wrote them."""
    docked: str = ""
    """The station it is docked at."""
    origin: str = ""
    """The side that built it, where that is not the side that has it."""
    captor: str = ""
    """The squadron that took this prize."""
    returns: Return | None = None
    """The planned return of a detached squadron."""

    @property
    def where(self) -> str:
        if self.docked:
            return f"docked at {self.docked}"
        away = not self.at_hand and any(ship.status == "hyperspace" for ship in self.ships)
        return "hyperspace" if away else super().where


@dataclass(frozen=True, kw_only=True)
class SeenTaskforce(Owned):
    """2.4: squadrons that activate as one, under a flagship."""

    squadrons: tuple[str, ...] = ()
    flagship: str = ""
    """``Lion.1``; empty: not known."""
    location: Location = "table"


@dataclass(frozen=True, kw_only=True)
class Taskforce(SeenTaskforce):
    """A taskforce as its owner knows it."""

    player: str = ""
    returns: Return | None = None
    mode: Mode = "volley"
    standing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SeenFlight(Owned, Placed):
    """2.5: fighter wings that fly together."""

    wings: int
    x: int = 0
    y: int = 0
    ground: str = ""
    """The body it has descended to; empty: in space."""


@dataclass(frozen=True, kw_only=True)
class Flight(SeenFlight):
    """A flight as its owner knows it."""

    carrier: str
    """A squadron, or ``Terra NE``."""
    reacted: bool = False
    acted: bool = False
    standing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Strike(Placed):
    """2.6: missiles on their way; a strike in a situation file flies in its launcher's next activation."""

    side: str
    launcher: str
    target: str
    missiles: int
    x: int
    y: int
    name: str = ""


@dataclass(frozen=True)
class Objective:
    """BS-PLN-10: a thing on the ground worth destroying."""

    name: str
    total: int
    damage: int = 0


@dataclass(frozen=True, kw_only=True)
class SeenQuadrant:
    """2.7: a quarter of a planet or moon."""

    damage: int = 0
    holder: str = ""
    """Empty: the owner of the body."""
    objectives: tuple[Objective, ...] = ()


@dataclass(frozen=True, kw_only=True)
class HeldQuadrant(SeenQuadrant):
    """A quadrant as whoever holds it knows it."""

    assault: int = 0


@dataclass(frozen=True, kw_only=True)
class StormedQuadrant(SeenQuadrant):
    """A quadrant as whoever fights for it from outside knows it."""

    invaders: int = 0
    """Assault units of the side that does not hold it."""


@dataclass(frozen=True, kw_only=True)
class Quadrant(HeldQuadrant, StormedQuadrant):
    """A quadrant as the owner of the body knows it."""

    installations: tuple[str, ...] = ()
    """Systems in list order, one entry each."""
    wings_aboard: int = 0
    reacted: bool = False

    @property
    def working(self) -> tuple[str, ...]:
        """BS-PLN-7: one installation fails for each point of damage, the last of the list first."""
        return self.installations[: max(0, len(self.installations) - self.damage)]


@dataclass(frozen=True, kw_only=True)
class SeenTerrain(Placed):
    """2.7 and 2.8: a disc on the table; planets and moons may be defended."""

    kind: TerrainKind
    x: int
    y: int
    radius: int
    name: str = ""
    owner: str = ""
    defence: int = 0
    quadrants: Mapping[str, Quadrant | HeldQuadrant | StormedQuadrant] = field(default_factory=dict)
    acted: bool = False
    """It has had its activation, which all can see."""


@dataclass(frozen=True, kw_only=True)
class Terrain(SeenTerrain):
    """A disc with the orders of its owner."""

    quadrants: Mapping[str, Quadrant] = field(default_factory=dict)
    player: str = ""
    standing: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeenSide:
    """One of the two sides, in scenario order."""

    id: str
    name: str
    edge: Edge | None = None
    """The own table edge, for deployment."""
    points: int = 0
    """What a fleet may cost; 0: the scenario's fleet is fixed."""


@dataclass(frozen=True)
class SideRecord(SeenSide):
    """A side as itself knows it."""

    admiral: str = ""
    """The player who gives the side's own orders; empty: whoever writes."""
    veteran_admiral: bool = False
    standing: tuple[str, ...] = ()
    conceded: bool = False


@dataclass(frozen=True)
class Victory:
    """What ends the game besides the turn limit."""

    no_tf_from_turn: int = 0
    """A side with no taskforce on the table at the end of this turn or later loses at once; 0: never."""


@dataclass(frozen=True)
class Ending:
    """How it ended."""

    winner: str
    """Empty: a draw."""
    level: Literal["decisive", "marginal", "draw"]
    reason: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """2.1: the game and its battlespace, as far as one side may know them."""

    title: str
    width_ft: int
    height_ft: int
    sides: tuple[SideRecord | SeenSide, ...]
    turn: int = 1
    turn_limit: int = 6
    stage: Stage = "orders"
    switches: Switches = field(default_factory=Switches)
    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    """Classes the scenario adds to the catalogue or changes."""
    victory: Victory = Victory()
    terrain: tuple[Terrain | SeenTerrain, ...] = ()
    squadrons: tuple[Squadron | SeenSquadron | Contact, ...] = ()
    taskforces: tuple[Taskforce | SeenTaskforce, ...] = ()
    flights: tuple[Flight | SeenFlight, ...] = ()
    vp: Mapping[str, int] = field(default_factory=dict)
    ending: Ending | None = None


@dataclass(frozen=True, kw_only=True)
class State(Known):
    """All of it."""

    sides: tuple[SideRecord, ...]
    terrain: tuple[Terrain, ...] = ()
    squadrons: tuple[Squadron, ...] = ()
    taskforces: tuple[Taskforce, ...] = ()
    flights: tuple[Flight, ...] = ()
    designs: Mapping[str, Mapping[str, ShipClass]] = field(default_factory=dict)
    """Classes the sides designed at setup."""
    strikes: tuple[Strike, ...] = ()
    known_classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Enemy classes each side has identified, for fog."""
    known_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Enemy names each side has learnt, for fog."""
    scored: Mapping[str, int] = field(default_factory=dict)
    """Victory points each lost ship brought, so that a recapture can take them back."""
    seed: int = 0
    """Kept for the record; dice are found by their labels."""

"""What a galley battle consists of: sea, sides, squadrons, ships and the links between them (rule book, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from pbem.kit.hexgrid import Hex

Size = Literal["small", "large"]
Status = Literal["afloat", "sunk", "burnt", "exited"]
Edge = Literal["N", "E", "S", "W"]
LinkKind = Literal["grappled", "fouled"]
Step = Literal["reset", "activations", "boarding", "fire", "sinking", "recovery", "morale"]

STEPS: tuple[Step, ...] = ("reset", "activations", "boarding", "fire", "sinking", "recovery", "morale")


class Level(StrEnum):
    """GA-SPD-1: the four speed levels, slowest first."""

    HALF = "half"
    CRUISE = "cruise"
    FULL = "full"
    MAX = "max"

    @property
    def rank(self) -> int:
        return LEVELS.index(self)


LEVELS = tuple(Level)

DEFAULT_DOCTRINES: Mapping[str, str] = {
    "react": "all",
    "avoid": "all",
    "target": "best",
    "opportunity": "off",
    "firepots": "on",
    "flame": "on",
    "hold fire": "0",
    "hold ram": "0",
    "board": "if stronger",
    "disengage": "unless stronger",
}
"""Section 6.2, last column: what a ship does when nobody has said otherwise."""

DOCTRINE_VALUES: Mapping[str, tuple[str, ...]] = {
    "target": ("nearest", "biggest", "weakest", "best"),
    "opportunity": ("on", "off"),
    "firepots": ("on", "off"),
    "flame": ("on", "off"),
    "board": ("always", "never", "if stronger"),
    "disengage": ("always", "never", "unless stronger"),
}
"""The doctrines that take one of a few words."""
ATTEMPTS = ("missile", "grapple", "ram", "rake")
"""What ``react`` and ``avoid`` may list."""
HOLD_ALL_FIRE = "always"
"""The value of ``hold fire`` without a percentage."""


@dataclass(frozen=True)
class ShipClass:
    """Section 2.1: what all ships of a class have in common."""

    name: str
    size: Size
    cruise: int
    full: int
    max: int
    turn_cost: int
    ram: int
    hull: int
    missile: int
    marines: int
    points: int
    star: bool = False
    towers: bool = False
    code: str = ""

    @property
    def large(self) -> bool:
        return self.size == "large"

    @property
    def half(self) -> int:
        """Derived: half of cruise, rounded down, at least 1."""
        return max(1, self.cruise // 2)

    def points_at(self, level: Level) -> int:
        """GA-SPD-1: the movement points of a level, before all that changes them."""
        return {Level.HALF: self.half, Level.CRUISE: self.cruise, Level.FULL: self.full, Level.MAX: self.max}[level]


@dataclass(frozen=True)
class SeenShip:
    """Section 2.2: one named ship as every onlooker sees it, the enemy under fog as well (section 8).

    ``ship_class`` is the book's ``class``, a word that Python keeps for itself.
    """

    name: str
    side: str
    squadron: str
    roster: int
    ship_class: str
    bow: Hex
    facing: int
    ram: int = 0
    star: bool = False
    towers: bool = False
    jettisoned: bool = False
    corvus: bool = False
    crippled: bool = False
    rammed: bool = False
    fire: int = 0
    last_level: Level = Level.CRUISE
    status: Status = "afloat"
    lost_turn: int | None = None
    home_side: str = ""
    home_squadron: str = ""
    prize: bool = False
    flagship: bool = False

    @property
    def afloat(self) -> bool:
        return self.status == "afloat"

    @property
    def burning(self) -> bool:
        return self.afloat and self.fire > 0


@dataclass(frozen=True)
class OpenShip(SeenShip):
    """With the numbers of her crew, which the enemy knows only where there is no fog."""

    crew: int = 0
    marine_quality: int = 0
    marines: int = 0
    flame: bool = False
    firepots: int = 0
    fatigue: int = 0
    avoid_count: int = 0
    debt: int = 0
    spent: int = 0


@dataclass(frozen=True)
class Ship(OpenShip):
    """With her standing orders, which her own side alone knows, and the marks of the turn."""

    level: Level = Level.HALF
    reacted: bool = False
    fired: bool = False
    ram_used: bool = False
    attacked: bool = False
    doctrines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Link:
    """An unordered pair of enemy ships that hold each other; the ship first on the roster stands first."""

    ships: tuple[str, str]
    kind: LinkKind = "grappled"
    corvus_by: str | None = None

    def other(self, name: str) -> str:
        first, second = self.ships
        return second if name == first else first


@dataclass(frozen=True)
class SeenSquadron:
    """Section 2.3: ships that act together, as the enemy sees them under fog."""

    name: str
    side: str
    ships: tuple[str, ...] = ()
    start_count: int = 0
    routed: bool = False
    activated: bool = False


@dataclass(frozen=True)
class OpenSquadron(SeenSquadron):
    """With what the enemy knows of it where there is no fog."""

    morale: int = 8


@dataclass(frozen=True)
class Squadron(OpenSquadron):
    """With what its own side alone knows of it."""

    owner: str = ""
    doctrines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SeenFleet:
    """Section 2.3: a side, as the other sees it."""

    name: str
    commander: int = 0
    exit_edge: Edge = "S"
    break_percent: int = 50
    start_points: int = 0
    flagship_lost: bool = False


@dataclass(frozen=True)
class Fleet(SeenFleet):
    """With what it keeps to itself."""

    admiral: str = ""
    """The player who is fleet commander, where a side has several players; empty: any of them speaks for the fleet."""
    activate_list: tuple[str, ...] = ()
    doctrines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sea:
    """Section 2.3: the map."""

    cols: int
    rows: int
    land: tuple[Hex, ...] = ()
    shoal: tuple[Hex, ...] = ()

    def holds(self, at: tuple[int, int]) -> bool:
        q, r = at
        return 0 <= q < self.cols and 0 <= r + q // 2 < self.rows


@dataclass(frozen=True)
class Switches:
    """Section 2.3: the scenario's optional rules."""

    flame_missiles: bool = False
    firepots: bool = False
    corvus: bool = False
    fog: bool = True
    wind_force: int = 0
    wind_dir: int = 0
    max_turns: int = 12
    start_level: Level = Level.CRUISE
    escape_squadrons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """How the battle ended; no winner: a draw."""

    winner: str | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """What everybody knows of a battle between two turns."""

    title: str
    turn: int
    first_side: str
    """First player of the current or last turn; empty before the first."""
    sides: tuple[SeenFleet, ...]
    squadrons: tuple[SeenSquadron, ...]
    ships: tuple[SeenShip, ...]
    """In roster order."""
    sea: Sea
    switches: Switches
    classes: Mapping[str, ShipClass]
    links: tuple[Link, ...] = ()
    result: Result | None = None
    step: Step = "reset"
    """Where the resolution of the turn begins; always ``reset`` between turns."""

    def enemy_of(self, side: str) -> str:
        return next(fleet.name for fleet in self.sides if fleet.name != side)

    def class_of(self, ship: SeenShip) -> ShipClass:
        return self.classes[ship.ship_class]

    def partners(self, name: str) -> tuple[str, ...]:
        """The enemy ships this one is linked with, in roster order."""
        others = {link.other(name) for link in self.links if name in link.ships}
        return tuple(ship.name for ship in self.ships if ship.name in others)


@dataclass(frozen=True, kw_only=True)
class State(Known):
    """A battle between two turns, or, in a situation file, at a later step of one."""

    sides: tuple[Fleet, ...]
    squadrons: tuple[Squadron, ...]
    ships: tuple[Ship, ...]

    def ship(self, name: str) -> Ship:
        return next(ship for ship in self.ships if ship.name == name)

    def squadron(self, name: str) -> Squadron:
        return next(squadron for squadron in self.squadrons if squadron.name == name)

    def fleet(self, name: str) -> Fleet:
        return next(fleet for fleet in self.sides if fleet.name == name)

"""Living counterparts of the state's records: ships, squadrons, taskforces, flights, quadrants, bodies."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.battleshift import state as records
from games.battleshift.data import LIMITS
from games.battleshift.state import Formation, Return, ShipClass
from pbem.kit.plane import Spot

ON_TABLE = ("active", "disabled")
BIGGEST_RADIUS = 400
"""No station is larger, so a search this much wider finds all whose rim is in reach."""


@dataclass(eq=False, slots=True)
class Ship:
    """One ship; knows its squadron."""

    squadron: Squadron = field(repr=False)
    number: int
    x: int
    y: int
    status: str
    captor: str
    holds: list[str]
    assault_left: int

    @property
    def name(self) -> str:
        return f"{self.squadron.name}.{self.number}"

    @property
    def key(self) -> str:
        return f"{self.squadron.side}/{self.name}"

    @property
    def spot(self) -> Spot:
        return Spot(self.x, self.y)

    @property
    def side(self) -> str:
        return self.squadron.side

    @property
    def cls(self) -> ShipClass:
        return self.squadron.cls

    @property
    def is_present(self) -> bool:
        return self.status in ON_TABLE and not self.squadron.docked


@dataclass(eq=False)
class Squadron:
    """Ships that share damage, suppression and facing."""

    record: records.Squadron
    cls: ShipClass
    name: str
    side: str
    ships: list[Ship]
    total: int
    damage: int
    suppression: int
    facing: int
    formation: Formation
    taskforce: Taskforce | None
    player: str
    traits: frozenset[str]
    traits_seen: set[str]
    wings_aboard: int
    wings_initial: int
    arrived_turn: int
    acted: bool
    standing: tuple[str, ...]
    docked: str
    origin: str
    captor: str
    returns: Return | None
    lines_from: str = ""
    """The taskforce whose lines of this turn apply to it."""
    reacted: bool = False
    suppressed_now: bool = False
    light_used: bool = False
    committed_super: bool = False
    out_of_tf: bool = False
    hits_now: int = 0
    moved: int = 0
    """How far the leader went in this activation."""
    launched_now: bool = False
    recovered_now: int = 0
    engulfed_turn: bool = False
    _active: list[Ship] | None = None
    _present: list[Ship] | None = None

    @property
    def active(self) -> list[Ship]:
        """Active ships on the table, by number."""
        if self._active is None:
            self._active = [] if self.docked else [ship for ship in self.ships if ship.status == "active"]
        return self._active

    @property
    def present(self) -> list[Ship]:
        """Active and disabled ships on the table, by number."""
        if self._present is None:
            self._present = [] if self.docked else [ship for ship in self.ships if ship.status in ON_TABLE]
        return self._present

    def changed(self) -> None:
        """Forget who is active."""
        self._active = self._present = None

    @property
    def key(self) -> str:
        return f"{self.side}/{self.name}"

    @property
    def is_prize(self) -> bool:
        return bool(self.captor)

    @property
    def size(self) -> int:
        return self.cls.size

    @property
    def spots(self) -> list[Spot]:
        return [ship.spot for ship in self.active]

    @property
    def markers(self) -> int:
        """BS-SUP-4, BS-XP-2: what the markers cost; an Iron Nerve ignores the first."""
        if "Iron Nerve" in self.traits and self.suppression:
            self.traits_seen.add("Iron Nerve")
            return self.suppression - 1
        return self.suppression

    @property
    def flagship(self) -> Ship | None:
        """The flagship of its taskforce, if this squadron has it."""
        if self.taskforce is not None and self.taskforce.flagship.squadron is self:
            return self.taskforce.flagship
        return None

    @property
    def leader(self) -> Ship | None:
        """2.3: the flagship, otherwise the first active ship, otherwise the first disabled one."""
        flagship = self.flagship
        if flagship is not None and flagship.is_present:
            return flagship
        if self.active:
            return self.active[0]
        return self.present[0] if self.present else None

    @property
    def lines(self) -> tuple[str, ...]:
        """The units whose lines apply, in precedence."""
        return (self.name, self.lines_from) if self.lines_from else (self.name,)

    def weapons(self, system: str) -> int:
        """How many of a system each ship carries; prizes cannot use any."""
        return 0 if self.is_prize else int(getattr(self.cls, system))


@dataclass(eq=False)
class Taskforce:
    """Squadrons under one flagship, in listing order."""

    record: records.Taskforce
    name: str
    side: str
    player: str
    squadrons: list[Squadron]
    flagship: Ship
    location: str
    returns: Return | None
    mode: str
    standing: tuple[str, ...]
    acted: bool = False
    exists: bool = True

    @property
    def living(self) -> list[Squadron]:
        return [squadron for squadron in self.squadrons if squadron.present]

    @property
    def on_table(self) -> bool:
        return self.exists and self.location == "table" and self.flagship.status in ON_TABLE


@dataclass(eq=False)
class Flight:
    """Fighter wings in flight."""

    record: records.Flight | None
    name: str
    side: str
    carrier: str
    wings: int
    x: int
    y: int
    ground: str
    reacted: bool
    acted: bool
    standing: tuple[str, ...]
    home: Squadron | None = None
    """The carrier squadron; None: a quadrant."""
    aimed: object = None
    """What it was sent to attack in this activation, also on the leg it flies afterwards."""

    @property
    def spot(self) -> Spot:
        return Spot(self.x, self.y)

    @property
    def key(self) -> str:
        return f"{self.side}/{self.name}"

    @property
    def traits(self) -> frozenset[str]:
        return self.home.traits if self.home else frozenset()


@dataclass(eq=False)
class Quadrant:
    """A quarter of a body."""

    body: Body = field(repr=False)
    place: str
    installations: tuple[str, ...]
    assault: int
    damage: int
    holder: str
    invaders: int
    wings_aboard: int
    objectives: list[records.Objective]
    reacted: bool
    fought: bool = False

    @property
    def name(self) -> str:
        return f"{self.body.name} {self.place}"

    @property
    def key(self) -> str:
        return f"{self.body.side}/{self.name}"

    @property
    def side(self) -> str:
        return self.holder or self.body.side

    @property
    def working(self) -> tuple[str, ...]:
        """BS-PLN-7: one installation fails for each point of damage, the last of the list first."""
        return self.installations[: max(0, len(self.installations) - self.damage)]

    def count(self, system: str) -> int:
        """Working systems, which serve only the owner of the body."""
        return self.working.count(system) if self.side == self.body.side else 0


@dataclass(eq=False)
class Body:
    """A disc of terrain; a planet or moon may be defended."""

    record: records.Terrain
    kind: str
    name: str
    x: int
    y: int
    radius: int
    side: str
    defence: int
    quadrants: dict[str, Quadrant]
    player: str
    standing: tuple[str, ...]
    acted: bool = False

    @property
    def spot(self) -> Spot:
        return Spot(self.x, self.y)

    @property
    def is_moon(self) -> bool:
        return self.kind == "moon"

    @property
    def is_massive(self) -> bool:
        return self.kind in ("planet", "moon", "singularity")

    @property
    def solid(self) -> int:
        """The radius that blocks a line: of a singularity only its core."""
        return LIMITS.singularity_core if self.kind == "singularity" else self.radius

    @property
    def obscures(self) -> bool:
        return self.kind in ("dust", "asteroids", "nebula")

    @property
    def is_defended(self) -> bool:
        return self.defence > 0 and bool(self.quadrants)

"""What there is in a Battleshift game: section 2 of the rule book as records.

Lengths are whole hundredths of an inch, bearings whole degrees. Two names of the book are words of Python:
`class` is kept as ``ship_class`` and `return` as ``returns``; situation files write them as the book does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Status = Literal["active", "disabled", "destroyed", "captured", "engulfed", "hyperspace", "left"]
FormationKind = Literal["line", "column", "vee", "cluster", "custom", "cone", "tfcone", "ring"]
Mode = Literal["volley", "staggered", "concentrate"]
Location = Literal["table", "reserve", "hyperspace"]
Stage = Literal["setup", "orders", "over"]
Edge = Literal["north", "south", "east", "west"]
TerrainKind = Literal["planet", "moon", "dust", "asteroids", "nebula", "mines", "rift", "singularity"]
QUADRANTS = ("NE", "SE", "SW", "NW")
"""The order in which quadrants are taken everywhere."""


@dataclass(frozen=True)
class ShipClass:
    """2.2: a class of ships or stations; derived values left at 0 are reckoned by the building rules."""

    name: str = ""
    kind: Literal["ship", "station"] = "ship"
    size: int = 1
    light: int = 0
    heavy: int = 0
    broadside: int = 0
    super: int = 0
    missile: int = 0
    bay: int = 0
    interceptor: int = 0
    ion: int = 0
    heavy_ion: int = 0
    assault: int = 0
    tractor: int = 0
    repair: int = 0
    gate: int = 0
    repair_cost: int = 0
    engulf: Literal["none", "space", "cost"] = "none"
    fast: Literal["none", "free", "space", "cost"] = "none"
    extra_space: int = 0
    extra_shield: int = 0
    reinforced: int = 0
    hardened: bool = False
    flimsy: bool = False
    weak_shields: bool = False
    no_shields: bool = False
    slow: bool = False
    hull: int = 0
    shields: int = 0
    hardness: int = 0
    save: int = 0
    speed: int = 0
    space: int = 0
    used: int = 0
    cost: int = 0
    radius: int = 0

    @property
    def is_station(self) -> bool:
        return self.kind == "station"


@dataclass(frozen=True)
class Formation:
    """How the ships of a squadron stand around their leader."""

    kind: FormationKind = "cluster"
    spacing: int = 100
    pairs: tuple[tuple[int, int], ...] = ()
    """Starboard and forward of each ship but the leader, for `custom`."""


@dataclass(frozen=True)
class Ship:
    """2.3: one ship of a squadron."""

    number: int
    x: int = 0
    y: int = 0
    status: Status = "active"
    captor: str = ""
    holds: tuple[str, ...] = ()
    """Engulfed ships, as ``side/Name.3``."""
    assault_left: int | None = None
    """None: all that the class carries."""


@dataclass(frozen=True)
class Layout:
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


@dataclass(frozen=True)
class Squadron:
    """2.3: ships of one class that share damage, suppression and facing."""

    name: str
    side: str
    ship_class: str
    ships: tuple[Ship, ...] = ()
    total: int = 0
    damage: int = 0
    suppression: int = 0
    facing: int = 0
    formation: Formation = Formation()
    taskforce: str = ""
    """Empty: detached."""
    player: str = ""
    """Who commands it while it is detached."""
    traits: frozenset[str] = frozenset()
    traits_seen: frozenset[str] = frozenset()
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


@dataclass(frozen=True)
class Taskforce:
    """2.4: squadrons that activate as one, under a flagship."""

    name: str
    side: str
    player: str = ""
    squadrons: tuple[str, ...] = ()
    flagship: str = ""
    """``Lion.1``; empty: ship 1 of the first squadron of the largest size."""
    location: Location = "table"
    returns: Return | None = None
    mode: Mode = "volley"
    standing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Flight:
    """2.5: fighter wings that fly together."""

    name: str
    side: str
    carrier: str
    """A squadron, or ``Terra NE``."""
    wings: int
    x: int = 0
    y: int = 0
    ground: str = ""
    """The body it has descended to; empty: in space."""
    reacted: bool = False
    acted: bool = False
    standing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Strike:
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


@dataclass(frozen=True)
class Quadrant:
    """2.7: a quarter of a planet or moon."""

    installations: tuple[str, ...] = ()
    """Systems in list order, one entry each."""
    assault: int = 0
    damage: int = 0
    holder: str = ""
    """Empty: the owner of the body."""
    invaders: int = 0
    """Assault units of the other side fighting for it."""
    wings_aboard: int = 0
    objectives: tuple[Objective, ...] = ()
    reacted: bool = False


@dataclass(frozen=True)
class Terrain:
    """2.7 and 2.8: a disc on the table; planets and moons may be defended."""

    kind: TerrainKind
    x: int
    y: int
    radius: int
    name: str = ""
    owner: str = ""
    defence: int = 0
    quadrants: Mapping[str, Quadrant] = field(default_factory=dict)
    player: str = ""
    standing: tuple[str, ...] = ()
    acted: bool = False


@dataclass(frozen=True)
class Switches:
    """2.9: the optional rules of a scenario."""

    max_squadrons_per_tf: int = 3
    destruction_count: Literal["attack", "cumulative"] = "attack"
    suppression_count: Literal["attack", "activation"] = "attack"
    shift: Literal["normal", "none"] = "normal"
    disable_fire: bool = False
    boarding: bool = False
    super_heavy: bool = False
    ion: bool = False
    assault: bool = False
    engulf: bool = False
    tractor: bool = False
    formations: bool = False
    experience: bool = False
    stations: bool = False
    planets: bool = False
    moonbases: bool = False
    docking: bool = False
    fighter_recovery: bool = False
    focused_fire: bool = False
    fog: Literal["open", "limited"] = "open"

    def __post_init__(self) -> None:
        if not 3 <= self.max_squadrons_per_tf <= 5:
            raise ValueError(f"max_squadrons_per_tf is 3 to 5, not {self.max_squadrons_per_tf}")

    @property
    def may_board(self) -> bool:
        """Ion, assault, engulfing and tractor beams bring boarding with them."""
        return self.boarding or self.ion or self.assault or self.engulf or self.tractor


@dataclass(frozen=True)
class SideRecord:
    """One of the two sides, in scenario order."""

    id: str
    name: str
    edge: Edge | None = None
    """The own table edge, for deployment."""
    points: int = 0
    """What a fleet may cost; 0: the scenario's fleet is fixed."""
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


@dataclass(frozen=True)
class State:
    """2.1: the game and its battlespace."""

    title: str
    width_ft: int
    height_ft: int
    sides: tuple[SideRecord, ...]
    turn: int = 1
    turn_limit: int = 6
    stage: Stage = "orders"
    switches: Switches = Switches()
    terrain: tuple[Terrain, ...] = ()
    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    """Classes the scenario adds to the catalogue or changes."""
    designs: Mapping[str, Mapping[str, ShipClass]] = field(default_factory=dict)
    """Classes the sides designed at setup."""
    squadrons: tuple[Squadron, ...] = ()
    taskforces: tuple[Taskforce, ...] = ()
    flights: tuple[Flight, ...] = ()
    strikes: tuple[Strike, ...] = ()
    vp: Mapping[str, int] = field(default_factory=dict)
    victory: Victory = Victory()
    ending: Ending | None = None
    known_classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Enemy classes each side has identified, for fog."""
    known_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Enemy names each side has learnt, for fog."""
    scored: Mapping[str, int] = field(default_factory=dict)
    """Victory points each lost ship brought, so that a recapture can take them back."""
    seed: int = 0
    """Kept for the record; dice are found by their labels."""

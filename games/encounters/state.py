"""The campaign as a value: powers, systems, lanes, units, fleets, builds and encounters (rule book, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.encounters.data import Design, ShipClass
from pbem.kit.codec import LATER

PhaseName = Literal["strategic", "battle", "ground"]
Stance = Literal["war", "peace", "ally"]
Condition = Literal["intact", "crippled", "destroyed"]
LaneKind = Literal["major", "minor", "restricted"]
NO_LIMIT = 9999


@dataclass(frozen=True)
class Switches:
    """2.7: what a scenario may turn on and off."""

    max_rounds: int = 3
    weeks_per_turn: int = 4
    readiness_dice: Literal["d10", "2d6"] = "d10"
    single_fire_roll: bool = False
    fire_control: bool = True
    engagement_cap: bool = False
    residual_damage: bool = True
    pursuit: bool = True
    supply: bool = True
    alliances: bool = True
    turn_limit: int = NO_LIMIT

    def __post_init__(self) -> None:
        if not 1 <= self.max_rounds <= 6:
            raise ValueError(f"max_rounds is {self.max_rounds}, it must be 1..6")
        if not 1 <= self.weeks_per_turn <= 20:
            raise ValueError(f"weeks_per_turn is {self.weeks_per_turn}, it must be 1..20")


@dataclass(frozen=True)
class Values:
    """2.2: what a system's people make of it."""

    CEN: int = 0
    MOR: int = 0
    PROD: int = 0


@dataclass(frozen=True)
class Seen(Values):
    """Last known values of a system."""

    turn: int = field(kw_only=True)


@dataclass(frozen=True)
class Sighting:
    """A hostile unit known by name: seen at D6, or met in a battle."""

    name: str
    owner: str
    design: str
    mark: str
    state: Condition
    cargo: tuple[str, ...] = ()
    fleet: str = ""


@dataclass(frozen=True)
class Contact:
    """EN-RDY-5: what a power knows of a hostile bloc in a system, how sure it is (level) and how old (turn)."""

    powers: tuple[str, ...]
    level: int
    turn: int
    compare: Literal["", "more", "fewer", "as many"] = ""
    count: int | None = None
    paths: Mapping[str, int] = field(default_factory=dict)
    classes: Mapping[str, int] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)
    units: tuple[Sighting, ...] = ()


@dataclass(frozen=True)
class PublicPower:
    """2.1: a side of the campaign, as everybody knows it."""

    key: str
    name: str
    out: bool = False
    """EN-VIC-2: no system and no ship is left."""


@dataclass(frozen=True)
class Power(PublicPower):
    """What a side keeps to itself: its books, its stances and all that it knows."""

    treasury: int = 0
    stance: Mapping[str, Stance] = field(default_factory=dict)
    tech: Mapping[str, int] = field(default_factory=dict)
    research: Mapping[str, int] = field(default_factory=dict)
    pending: Mapping[str, int] = field(default_factory=dict)
    designs: tuple[str, ...] = ()
    """Keys of the designs the power may build."""
    intel: Mapping[str, int] = field(default_factory=dict)
    doctrine: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, int] = field(default_factory=dict)
    """Names of hostile units and designs, with the turn they were last met."""
    seen: Mapping[str, Seen] = field(default_factory=dict)
    lost: int = 0
    contacts: Mapping[str, tuple[Contact, ...]] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    """EN-CON-2: the highest number an automatic name has used, by design."""
    former: tuple[str, ...] = ()
    """Names of own units and fleets that ceased this turn; its letters still speak of them."""

    def stance_to(self, other: str) -> Stance:
        return self.stance.get(other, "war")


@dataclass(frozen=True)
class ChartedSystem:
    """2.2: a star system, as everybody knows it."""

    name: str
    x: int = 0
    y: int = 0
    owner: str | None = None
    RAW: int = 0
    CAP: int = 12


@dataclass(frozen=True)
class System(Values, ChartedSystem):
    """2.2: a star system with its values, which its owner's bloc and those present know."""


@dataclass(frozen=True)
class Lane:
    """2.2: a way between two systems."""

    ends: tuple[str, str]
    kind: LaneKind = "major"

    def other_end(self, system: str) -> str:
        return self.ends[1] if self.ends[0] == system else self.ends[0]


@dataclass(frozen=True)
class Unit:
    """2.5: one ship, base, flight or troop formation. Between phases every unit is in a system."""

    id: int
    name: str
    owner: str
    design: str
    location: str
    state: Condition = "intact"
    carrier: int | None = None
    landed: bool = False
    fleet: str = ""
    repairing: bool = False
    retreated: bool = False
    scattered: bool = False

    @property
    def intact(self) -> bool:
        return self.state == "intact"

    @property
    def in_play(self) -> bool:
        """EN-RET-7: neither retreated nor scattered this turn."""
        return not (self.retreated or self.scattered)


@dataclass(frozen=True)
class SeenFleet:
    """2.5: ships that move together, as an ally beside them sees it; the ships name their fleet."""

    name: str
    owner: str
    location: str


@dataclass(frozen=True)
class Fleet(SeenFleet):
    doctrine: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Build:
    """2.6: a unit under construction."""

    owner: str
    system: str
    design: str
    weeks: int
    order: int
    name: str = ""


@dataclass(frozen=True)
class BlocHere:
    """A bloc in an encounter."""

    members: tuple[str, ...]
    lead: str
    die: int = 0
    intel: int = 0


@dataclass(frozen=True, kw_only=True)
class Total:
    """EN-RDY-3: a readiness total, and what the own bloc has of it: fire modifier, CC to force, detection level."""

    total: int
    modifier: int
    budget: int
    level: int


@dataclass(frozen=True, kw_only=True)
class Readiness(Total):
    """Which bloc's total against which other; blocs are named by their leads."""

    bloc: str
    versus: str


@dataclass(frozen=True)
class Encounter:
    """2.6: the blocs of one system and their readiness this turn."""

    system: str
    blocs: tuple[BlocHere, ...]
    pairs: tuple[Readiness, ...]

    def bloc_of(self, power: str) -> BlocHere | None:
        return next((bloc for bloc in self.blocs if power in bloc.members), None)

    def between(self, power: str, other: str) -> Readiness | None:
        """The readiness of one power's bloc against the bloc of another."""
        mine, theirs = self.bloc_of(power), self.bloc_of(other)
        if mine is None or theirs is None:
            return None
        wanted = (mine.lead, theirs.lead)
        return next((pair for pair in self.pairs if (pair.bloc, pair.versus) == wanted), None)


Percent = Literal[25, 50, 75, 100]
BattleStep = Literal["missions", "ships", "dogfight", "strike", "retreat"]
Mission = Literal["engage", "screen", "disrupt", "firecontrol", "disengage"]


@dataclass(frozen=True)
class BattleStart:
    """2.6: a battle a situation file starts in the middle."""

    system: str
    kind: Literal["space", "orbital"] = "space"
    engagement: int = 1
    round: int = 1
    step: BattleStep = "missions"
    DR: Mapping[int, int] = field(default_factory=dict)
    residual: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    disorder: tuple[int, ...] = ()
    squadrons: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    """Power to its squadrons and their ships; Stations in ``Home``."""
    flagship: Mapping[str, int] = field(default_factory=dict)
    mission: Mapping[int, Mission] = field(default_factory=dict)
    """In the round the battle starts with."""
    eff: Mapping[str, Mapping[str, Percent]] = field(default_factory=dict)
    """Power to the effectiveness it has rolled this round, by step."""


@dataclass(frozen=True)
class Victory:
    """EN-VIC-1: what a scenario scores."""

    points: Mapping[str, int] = field(default_factory=dict)
    """System to points; systems not named score their RAW, or nothing."""
    others_score_raw: bool = False
    homes: Mapping[str, str] = field(default_factory=dict)
    """Power to its home system."""
    captured_home: int = 0
    destroyed_ep: int = 0
    """EP of enemy units destroyed for one point; 0: they score nothing."""
    margin: int = 0
    decisive: int = 0
    homes_win_at_once: bool = False
    throne: str = ""
    throne_turns: int = 0
    shared_by_bloc: bool = False


@dataclass(frozen=True)
class Ended:
    """How the campaign ended."""

    winners: tuple[str, ...]
    reason: str
    scores: Mapping[str, int]


@dataclass(frozen=True)
class Account:
    """EN-ECO-2: a power's money before the upkeep of the turn."""

    in_hand: int
    """Before income and maintenance, while strategic orders are open."""
    income: int
    maintenance: int


@dataclass(frozen=True)
class Upkeep:
    """Steps 2 to 4 of a turn when they are done: the blockades found at its start, and what powers had then."""

    blockaded: tuple[str, ...] = ()
    accounts: Mapping[str, Account] = field(default_factory=dict)


@dataclass(frozen=True)
class Known:
    """The campaign as far as its reader knows it: what is public, and of the rest what is the reader's to see."""

    turn: int = 1
    phase: PhaseName = "strategic"
    switches: Switches = Switches()
    seats: tuple[str, ...] = ()
    powers: Mapping[str, PublicPower] = field(default_factory=dict)
    systems: Mapping[str, ChartedSystem] = field(default_factory=dict)
    lanes: tuple[Lane, ...] = ()
    units: Mapping[int, Unit] = field(default_factory=dict)
    fleets: tuple[SeenFleet, ...] = ()
    builds: tuple[Build, ...] = ()
    victory: Victory = Victory()
    throne_held: int = 0
    """Turns its owner has held the throne; owners are public."""
    throne_holder: str = ""
    ended: Ended | None = None
    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    """Classes this scenario changes; all others are the catalogue's."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """6.7: the battle letters of this turn, which serve as silent orders of the ground phase."""


@dataclass(frozen=True)
class State(Known):
    """The whole campaign."""

    powers: Mapping[str, Power] = field(default_factory=dict)
    systems: Mapping[str, System] = field(default_factory=dict)
    fleets: tuple[Fleet, ...] = ()
    encounters: tuple[Encounter, ...] = ()
    battles: tuple[BattleStart, ...] = ()
    designs: Mapping[str, Design] = field(default_factory=dict)
    """Designs that are not the catalogue's: the scenario's, and those the powers have drawn."""
    next_id: int = 1
    next_order: int = 1
    upkeep: Upkeep | None = field(default=None, metadata=LATER)
    """Set where steps 2 to 4 of the open turn are done: in a state imagined from a view, which shows their result."""

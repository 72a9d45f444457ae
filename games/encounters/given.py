"""What a scenario or situation file may say (rule book, section 14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.encounters.data import PATHS
from games.encounters.state import (
    BattleStep,
    Condition,
    Contact,
    Lane,
    Mission,
    PhaseName,
    Seen,
    Stance,
    Switches,
    System,
    Victory,
)  # fmt: skip

PLAIN_SWITCHES = Switches()
NO_VICTORY = Victory()


@dataclass(frozen=True)
class GivenPower:
    key: str
    name: str
    treasury: int = 0
    stance: Mapping[str, Stance] = field(default_factory=dict)
    tech: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(PATHS, 1))
    research: Mapping[str, int] = field(default_factory=dict)
    pending: Mapping[str, int] = field(default_factory=dict)
    designs: tuple[str, ...] = ()
    """Granted beyond the level-1 designs of the open paths."""
    intel: Mapping[str, int] = field(default_factory=dict)
    doctrine: Mapping[str, str] = field(default_factory=dict)
    known: tuple[str, ...] = ()
    seen: Mapping[str, Seen] = field(default_factory=dict)
    contacts: Mapping[str, tuple[Contact, ...]] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    lost: int = 0
    out: bool = False
    former: tuple[str, ...] = ()


@dataclass(frozen=True)
class GivenUnit:
    owner: str
    design: str
    location: str = ""
    id: int | None = None
    name: str = ""
    state: Condition = "intact"
    carrier: str = ""
    landed: bool | None = None
    fleet: str = ""
    repairing: bool = False
    retreated: bool = False
    scattered: bool = False


@dataclass(frozen=True)
class GivenForce:
    """Many units in short: ``units = ["Bulwark Hood", "2 Lance", "Mule Atlas: Line 1st Line, Line 2nd Line"]``."""

    owner: str
    location: str
    units: tuple[str, ...]
    fleet: str = ""


@dataclass(frozen=True)
class GivenFleet:
    name: str
    owner: str
    location: str = ""
    doctrine: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GivenBuild:
    owner: str
    system: str
    design: str
    name: str = ""
    weeks: int | None = None
    order: int | None = None


@dataclass(frozen=True)
class GivenReadiness:
    """A total, from which the rest follows unless it is given too."""

    bloc: str
    versus: str
    total: int | None = None
    modifier: int | None = None
    budget: int | None = None
    level: int | None = None


@dataclass(frozen=True)
class GivenEncounter:
    system: str
    readiness: tuple[GivenReadiness, ...] = ()
    lead: tuple[str, ...] = ()
    intel: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class GivenBattle:
    system: str
    kind: Literal["space", "orbital"] = "space"
    engagement: int = 1
    round: int = 1
    step: BattleStep = "missions"
    DR: Mapping[str, int] = field(default_factory=dict)
    residual: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    disorder: tuple[str, ...] = ()
    squadrons: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    flagship: Mapping[str, str] = field(default_factory=dict)
    mission: Mapping[str, Mission] = field(default_factory=dict)
    eff: Mapping[str, Mapping[str, Literal[25, 50, 75, 100]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Given:
    """All that a file may say, beside ``[class.X]`` and ``[design.Y]``."""

    power: tuple[GivenPower, ...]
    system: tuple[System, ...]
    turn: int = 1
    phase: PhaseName = "strategic"
    switches: Switches = PLAIN_SWITCHES
    lane: tuple[Lane, ...] = ()
    force: tuple[GivenForce, ...] = ()
    unit: tuple[GivenUnit, ...] = ()
    fleet: tuple[GivenFleet, ...] = ()
    build: tuple[GivenBuild, ...] = ()
    encounter: tuple[GivenEncounter, ...] = ()
    battle: tuple[GivenBattle, ...] = ()
    victory: Victory = NO_VICTORY
    kept: Mapping[str, str] = field(default_factory=dict)
    next_order: int = 1
    throne_held: int = 0
    throne_holder: str = ""

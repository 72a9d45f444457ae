"""What a scenario or situation file may contain, table by table (rule book, section 10.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.galleys.state import Edge, Level, LinkKind, ShipClass, Status, Step
from pbem.kit.hexgrid import Hex

Doctrines = Mapping[str, str]

IN_LINE_ABREAST = Hex(2, -1)
"""The usual spacing: the same map row, one column gap."""


@dataclass(frozen=True)
class Head:
    """Table ``[scenario]``: the map, the switches and, in a situation, the moment."""

    cols: int
    rows: int
    name: str = ""
    max_turns: int = 12
    land: tuple[Hex, ...] = ()
    shoal: tuple[Hex, ...] = ()
    flame_missiles: bool = False
    firepots: bool = False
    corvus: bool = False
    fog: bool = True
    wind_force: int = 0
    wind_dir: int = 0
    start_level: Level = Level.CRUISE
    escape_squadrons: tuple[str, ...] = ()
    turn: int = 1
    first_side: str = ""
    step: Step = "reset"


@dataclass(frozen=True)
class SideEntry:
    """Table ``[[side]]``."""

    name: str
    commander: int = 0
    exit_edge: Edge = "S"
    break_percent: int = 50
    admiral: str = ""
    start_points: int | None = None
    activate_list: tuple[str, ...] = ()
    flagship_lost: bool = False
    doctrines: Doctrines = field(default_factory=dict)


@dataclass(frozen=True)
class SquadronEntry:
    """Table ``[[squadron]]``: a line of ships, or ships each with its own place."""

    side: str
    name: str
    ships: tuple[Any, ...] = ()
    first: Hex | None = None
    facing: int | None = None
    spacing: Hex = IN_LINE_ABREAST
    owner: str = ""
    morale: int = 8
    start_count: int | None = None
    routed: bool = False
    activated: bool = False
    crew: int = 0
    marine_quality: int = 0
    flame: bool = False
    firepots: int = 0
    corvus: bool = False
    doctrines: Doctrines = field(default_factory=dict)


@dataclass(frozen=True)
class ShipEntry:
    """One ship: ``[name, class, { ... }]`` in a squadron, or a table ``[[ship]]`` of its own."""

    name: str
    ship_class: str
    squadron: str = ""
    side: str = ""
    at: str = ""
    bow: Hex | None = None
    facing: int | None = None
    crew: int | None = None
    marine_quality: int | None = None
    ram: int | None = None
    star: bool | None = None
    towers: bool | None = None
    jettisoned: bool | None = None
    marines: int | None = None
    flame: bool | None = None
    firepots: int | None = None
    corvus: bool | None = None
    fatigue: int | None = None
    crippled: bool | None = None
    rammed: bool | None = None
    fire: int | None = None
    last_level: Level | None = None
    avoid_count: int | None = None
    debt: int | None = None
    reacted: bool | None = None
    fired: bool | None = None
    ram_used: bool | None = None
    level: Level | None = None
    spent: int | None = None
    attacked: bool | None = None
    status: Status | None = None
    lost_turn: int | None = None
    home_side: str | None = None
    home_squadron: str | None = None
    roster: int | None = None
    doctrines: Doctrines | None = None
    prize: bool | None = None
    flagship: bool | None = None


@dataclass(frozen=True)
class LinkEntry:
    """Table ``[[link]]``."""

    ships: tuple[str, str]
    kind: LinkKind = "grappled"
    corvus_by: str | None = None


@dataclass(frozen=True)
class File:
    """A whole scenario file below its head."""

    scenario: Head
    side: tuple[SideEntry, ...]
    squadron: tuple[SquadronEntry, ...] = ()
    ship: tuple[Any, ...] = ()
    link: tuple[LinkEntry, ...] = ()
    classes: Mapping[str, ShipClass] = field(default_factory=dict)

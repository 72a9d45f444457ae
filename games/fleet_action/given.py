"""What a scenario or situation file may say; every field of the data model, mostly optional (section 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from games.fleet_action.state import (
    Doctrine,
    Engagement,
    FlightState,
    Mission,
    Role,
    Situation,
    SquadronState,
    Stage,
    Style,
    Switches,
)

HexText = str | tuple[int, int]
"""A hex by name (``"2008"``), or as an axial pair (``[19, -2]``)."""
PerWeapon = tuple[int, ...] | Mapping[str, int]
"""A figure for each weapon system: a list in datacard order, or a table by name for some of them."""


@dataclass(frozen=True)
class GivenGate:
    hex: HexText
    direction: int


@dataclass(frozen=True)
class GivenArea:
    columns: tuple[int, int] | None = None
    rows: tuple[int, int] | None = None


@dataclass(frozen=True)
class GivenAbility:
    key: str
    uses: int | None = None
    used_turn: int | None = None


@dataclass(frozen=True)
class GivenSide:
    id: str
    navy: str
    name: str = ""
    role: Role | None = None
    area: GivenArea | None = None
    jumping: bool = False
    points_limit: int = 0
    fleet_speed: int | None = None
    vortex_heading: int = 1
    anchored: bool = False
    points: int = 0


@dataclass(frozen=True)
class GivenSchedule:
    turn: int
    entry: Literal["edge", "jump"] = "edge"
    edge: Literal["north", "south", "east", "west", ""] = ""
    checks: int = 0
    arrives: int | None = None
    lost: bool = False


@dataclass(frozen=True)
class GivenFleet:
    side: str
    name: str = ""
    flagship: str = ""
    flagless_turn: int | None = None
    schedule: GivenSchedule | None = None
    abilities: tuple[str | GivenAbility, ...] = ()


@dataclass(frozen=True)
class GivenShip:
    name: str
    ship_class: str
    hex: HexText | None = None
    structure: int | None = None
    sensor: int | None = None
    weapon_left: PerWeapon = ()
    man_left: Mapping[Literal["ca", "ht", "cc", "tn", "acc", "dec"], int] | None = None
    turn_hits: int = 0
    last_std: PerWeapon = ()
    last_any: PerWeapon = ()
    shots_this_turn: PerWeapon = ()
    prev_hex: HexText | None = None
    command: Literal["in", "ooc"] = "in"
    jammed_turn: int | None = None
    prepared_jump_turn: int | None = None
    holding: str | None = None
    held_by: str | None = None
    powered_off: tuple[str | int, ...] = ()
    fate: Literal["in play", "destroyed", "left"] = "in play"


@dataclass(frozen=True)
class GivenSquadron:
    name: str
    side: str
    ships: tuple[GivenShip, ...]
    fleet: str = ""
    command_ship: str = ""
    hex: HexText | None = None
    heading: int = 1
    speed: int | None = None
    mode: Literal["absolute", "relative"] = "absolute"
    formation: str | Mapping[str, str] = "wedge"
    style: Style = "standard"
    abilities: tuple[str | GivenAbility, ...] = ()
    morale_start: int | None = None
    morale_lost: int = 0
    levels_rolled: tuple[int, ...] = ()
    state: SquadronState | None = None
    lost_commander_turn: int | None = None
    outside_net: bool = False
    excess: bool = False
    lost_ship: bool = False
    damaged: bool = False
    fired_on: bool = False
    stray: bool = False
    net_change: str = ""
    patrol: bool = False
    enter_gate: bool = False
    arrives: int | None = None
    founded: int = 0


@dataclass(frozen=True)
class GivenFlight:
    name: str
    fighter_class: str
    home: str
    side: str = ""
    count: int = 6
    state: FlightState | None = None
    hex: HexText | None = None
    prev_hex: HexText | None = None
    heading: int = 1
    mission: Mission = "escort"
    charge: str | None = None
    target: str | None = None
    prefer: str | None = None
    zone: HexText | None = None
    radius: int = 6
    station: int = 1
    land_on: str | None = None
    launched: int | None = None
    returning: bool = False
    burned_turn: int | None = None
    ships_attacked_turn: int | None = None
    doctrine: Doctrine = Doctrine()
    landed: int | None = None


@dataclass(frozen=True)
class GivenSalvo:
    weapon: str
    firer: str
    launch: int
    impact: int
    x: int
    sensor: int | None = None
    offensive: int = 0
    bypass: int = 0
    shift: int = 0
    target: str | None = None
    hex: HexText | None = None
    launchers: tuple[str, ...] = ()
    number: int = 0


@dataclass(frozen=True)
class GivenVortex:
    hex: HexText
    direction: int
    opener: str
    squadron: str = ""
    open_turn: int = 1


@dataclass(frozen=True)
class GivenPlan:
    opener: str
    hex: HexText | None = None
    offset: str = ""
    turn: int = 1
    heading: int | None = None


@dataclass(frozen=True)
class GivenZone:
    hex: HexText
    radius: int
    side: str


@dataclass(frozen=True)
class GivenStanding:
    side: str
    unit: str
    text: str


@dataclass(frozen=True)
class GivenGame:
    """A whole file: a scenario sets little, a situation as much as it likes."""

    map_w: int
    map_h: int
    side: tuple[GivenSide, ...]
    turn: int | None = None
    stage: Stage | None = None
    name: str = ""
    seed: int = 0
    situation: Situation = "skirmish"
    engagement: Engagement = "fixed"
    turn_limit: int = 10
    victory: Literal["points"] = "points"
    switches: Switches = Switches()
    gate: GivenGate | None = None
    fleet: tuple[GivenFleet, ...] = ()
    squadron: tuple[GivenSquadron, ...] = ()
    flight: tuple[GivenFlight, ...] = ()
    salvo: tuple[GivenSalvo, ...] = ()
    vortex: tuple[GivenVortex, ...] = ()
    plan: tuple[GivenPlan, ...] = ()
    zone: tuple[GivenZone, ...] = ()
    standing: tuple[GivenStanding, ...] = ()
    vortices_formed: bool | None = None
    styles_rolled: bool = False

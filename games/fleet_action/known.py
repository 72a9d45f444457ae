"""Section 8: the records of a view; what a side may not know is None, or empty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.fleet_action.rules.movement import Limits
from games.fleet_action.state import (
    Ability,
    Doctrine,
    Gate,
    Manoeuvre,
    Result,
    Salvo,
    Schedule,
    StandingLine,
    Switches,
    Vortex,
    VortexPlan,
    Zone,
)
from pbem.kit.hexgrid import Hex


@dataclass(frozen=True)
class SideView:
    id: str
    name: str
    navy: str
    role: str
    index: int
    fleet_speed: int | None
    points: int | None
    """FA-VIC-2; None: not yours to know."""
    own: bool
    jumping: bool = False
    points_limit: int = 0


@dataclass(frozen=True)
class FleetView:
    name: str
    side: str
    flagship: str
    own: bool
    flagless_turn: int | None
    abilities: tuple[Ability, ...] = ()
    schedule: Schedule | None = None


@dataclass(frozen=True)
class SquadronView:
    """A squadron; what only the owner knows is None, or empty, for others."""

    name: str
    side: str
    own: bool
    fleet: str
    command_ship: str
    is_flag: bool
    """It sails with its fleet's flagship."""
    ships: tuple[str, ...]
    """Ships in play, the command ship among them, in roster order."""
    hex: Hex
    heading: int
    speed: int | None
    hexes: tuple[int, int, int] | None
    """FA-MOV-1: hexes per pulse at the present speed."""
    state: str
    command_radius: int
    limits: Limits | None = None
    """FA-MOV-4: the manoeuvre limits of the squadron."""
    formation: Mapping[str, str] | None = None
    """FA-FRM-1: offsets of the members as written in orders."""
    style: str | None = None
    abilities: tuple[Ability, ...] = ()
    morale_start: int | None = None
    morale_lost: int | None = None
    lost_commander_turn: int | None = None
    outside_net: bool | None = None
    excess: bool | None = None
    patrol: bool = False
    arrives: int | None = None


@dataclass(frozen=True)
class WeaponView:
    """A weapon system; what is left of it only where the view knows."""

    name: str
    weapon: str
    title: str
    secondary: bool
    rating: int
    left: int | None
    arcs: tuple[int, ...] | None
    af: int
    range: tuple[int, ...]
    last_std: int | None = None
    shots_this_turn: int | None = None
    powered_off: bool = False
    proximity: bool = False


@dataclass(frozen=True)
class ShipView:
    name: str
    ship_class: str
    class_name: str
    category: str
    squadron: str
    side: str
    own: bool
    hex: Hex
    heading: int
    band: str
    """intact, light, moderate, heavy, crippled, destroyed, left"""
    fate: str
    structure: int | None
    structure_max: int
    sensor: int | None
    sensor_max: int
    points: int
    cr: int
    defence: int
    armor: tuple[int, ...]
    weapons: tuple[WeaponView, ...]
    man_left: Manoeuvre | None
    command: str | None
    prev_hex: Hex | None
    elint: int | None
    guardian: int | None
    interceptor: int | None
    is_command: bool
    is_flagship: bool
    jump: bool
    jammer: bool
    tractor: bool
    gravitic: bool
    hangar: int
    prepared_jump_turn: int | None = None
    holding: str | None = None
    held_by: str | None = None
    turn_hits: int | None = None


@dataclass(frozen=True)
class FlightView:
    name: str
    fighter_class: str
    class_name: str
    side: str
    own: bool
    home: str | None
    count: int
    state: str
    hex: Hex | None
    heading: int
    move: int
    points: tuple[int, int, int]
    """FA-FTR-4: movement points per pulse."""
    mission: str | None = None
    charge: str | None = None
    target: str | None = None
    prefer: str | None = None
    zone: Hex | None = None
    radius: int | None = None
    station: int | None = None
    land_on: str | None = None
    returning: bool | None = None
    doctrine: Doctrine | None = None
    may_change: bool = False
    """FA-FTR-1: it may be given a new mission this turn."""


@dataclass(frozen=True)
class View:
    """The whole of what one side knows; side None: the moderator."""

    side: str | None
    name: str
    turn: int
    stage: str
    map_w: int
    map_h: int
    situation: str
    engagement: str
    turn_limit: int
    gate: Gate | None
    switches: Switches
    sides: tuple[SideView, ...]
    fleets: tuple[FleetView, ...]
    squadrons: tuple[SquadronView, ...]
    """Those on the map, and the own ones that wait to enter."""
    ships: tuple[ShipView, ...]
    """Ships in play, and those destroyed or gone."""
    flights: tuple[FlightView, ...]
    salvos: tuple[Salvo, ...]
    vortices: tuple[Vortex, ...]
    plans: tuple[VortexPlan, ...]
    zones: tuple[Zone, ...]
    dogfights: tuple[Hex, ...]
    standing: tuple[StandingLine, ...]
    result: Result | None
    buyable: tuple[str, ...] = ()
    """FA-BLD: classes and fighter classes the side may buy, while it builds."""

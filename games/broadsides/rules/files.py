"""Scenario and situation files, as the TOML writes them: what is not set takes its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.broadsides.state import (
    NO_OFFSET,
    MapShape,
    OrderLine,
    PhaseName,
    Prize,
    Program,
    SideRecord,
    Sighting,
    Slide,
    Squad,
    Status,
    Switches,
    Turning,
    Verdict,
)
from pbem.kit.codec import BadData
from pbem.kit.hexgrid import Hex, disk, parse, ring

DEFAULT_TURNS = 12
BEST_CHANCE = Program()
DEFAULT_SWITCHES = Switches()


@dataclass(frozen=True)
class TerrainPatch:
    """Hexes of one kind: a list, a disc about a centre, or the ring at a radius."""

    hexes: tuple[Hex | str, ...] = ()
    centre: Hex | str | None = None
    radius: int = 0
    ring: bool = False
    density: int = 1
    level: int = 1

    def all(self) -> tuple[Hex, ...]:
        named = tuple(hex_of(one, "terrain") for one in self.hexes)
        if self.centre is None:
            return named
        around = ring if self.ring else disk
        return (*named, *around(hex_of(self.centre, "terrain"), self.radius))


@dataclass(frozen=True)
class TerrainFile:
    field: tuple[TerrainPatch, ...] = ()
    large: tuple[TerrainPatch, ...] = ()
    planet: tuple[TerrainPatch, ...] = ()
    air: tuple[TerrainPatch, ...] = ()


@dataclass(frozen=True)
class MountFile:
    """What a situation may say of a weapon; silence takes the default."""

    charge: int | None = None
    consecutive_shots: int = 0
    cooling: bool = False
    dropped_out: bool = False
    sustained_target: str = ""
    ammunition: Mapping[str, int] | None = None
    used: bool = False
    shut_down: bool = False
    damaged: bool = False


@dataclass(frozen=True)
class FighterFile:
    structure: int | None = None
    dropped_out: bool = False
    temporary_out: bool = False
    missiles: int | None = None
    damaged: bool = False
    intercepted: bool = False


@dataclass(frozen=True)
class UnitFile:
    """A ship, flight, shuttle or pod as a file writes it; ``class`` decides which."""

    side: str
    class_name: str
    name: str = ""
    position: Hex | str | None = None
    heading: int = 0
    facing: int | None = None
    speed: int | None = None
    status: Status | None = None
    turning: Turning | None = None
    initiative: int | None = None
    start_position: Hex | str | None = None
    highest_level: int = 0
    fired: bool = False
    # Ships
    rolled: bool = False
    slide: Slide | None = None
    structure: Mapping[str, int] = field(default_factory=dict)
    blocks_lost: Mapping[str, int] = field(default_factory=dict)
    blocks_left: Mapping[str, int] = field(default_factory=dict)
    weapon: Mapping[str, MountFile] = field(default_factory=dict)
    deactivated: Mapping[str, int | Literal["permanent"]] = field(default_factory=dict)
    battery: Mapping[str, int] = field(default_factory=dict)
    pods: int | None = None
    pods_launched: int = 0
    sensor_upgrades: int = 0
    jammer_upgrade: bool = False
    boarding_squads: tuple[Squad, ...] = ()
    cnc_rows_lost_this_turn: int = 0
    cnc_failure: bool = False
    program: Program | str = BEST_CHANCE
    offset: Hex | str = NO_OFFSET
    troops: Literal["press", "spread"] = "press"
    # Flights
    number: int | None = None
    fighters: tuple[FighterFile, ...] = ()
    carrier: str = ""
    flights: int = 1
    """How many unnamed flights of this kind the carrier holds."""
    order: Literal["A", "I", "D", "L"] = "D"
    broke_off: bool = False
    target: str = ""
    section: str = ""
    alongside: bool = False
    elite: bool = False
    landed: int | None = None
    d_move: int = 0
    launched_now: bool = False
    attacked: bool = False


@dataclass(frozen=True)
class FormationFile:
    side: str
    leader: str
    ships: tuple[str, ...]
    turn: int | None = None
    hex: Hex | str | None = None
    facing: int = 0


@dataclass(frozen=True)
class BallisticFile:
    side: str
    launcher: str
    mount: str
    launch_hex: Hex | str
    kind: str = ""
    target: str = ""
    target_hex: Hex | str | None = None


NO_TERRAIN = TerrainFile()


@dataclass(frozen=True)
class ScenarioFile:
    """A scenario or situation file, without its catalogue tables."""

    sides: tuple[SideRecord, ...]
    map: MapShape
    unit: tuple[UnitFile, ...]
    turns: int = DEFAULT_TURNS
    turn: int = 0
    phase: PhaseName | None = None
    year: int | Literal["roll"] | None = None
    start_speed: int | Literal["roll"] | None = None
    switches: Switches = DEFAULT_SWITCHES
    terrain: TerrainFile = NO_TERRAIN
    first_fire: str = ""
    formation: tuple[FormationFile, ...] = ()
    ballistic: tuple[BallisticFile, ...] = ()
    prize: tuple[Prize, ...] = ()
    standing: Mapping[str, tuple[OrderLine, ...] | str] = field(default_factory=dict)
    sightings: Mapping[str, Mapping[str, Sighting]] = field(default_factory=dict)
    verdict: Verdict | None = None


def hex_of(given: Hex | str, where: str) -> Hex:
    if isinstance(given, Hex):
        return given
    found = parse(given) if "," in given else None
    if found is None:
        raise BadData(where, f'a hex is [q, r] or "q,r", not {given!r}')
    return found

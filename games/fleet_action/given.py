"""What a scenario or situation file may say; every field of the data model, mostly optional (section 2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from games.fleet_action.data import ShipClass
from games.fleet_action.state import (
    Doctrine,
    Engagement,
    FlightState,
    Mission,
    Role,
    Situation,
    Squadron,
    SquadronState,
    Stage,
    Style,
    Switches,
    Vortex,
)
from pbem.kit.codec import BadData

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
    heading: int = 0
    """0: free, its first direction of travel costs nothing."""
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
    doctrine: Doctrine = field(default_factory=Doctrine)
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
    switches: Switches = field(default_factory=Switches)
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


# --- the file's words and the records' ------------------------------------------------------------------------------


def with_class_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """The rule book's word ``class`` is Python's too, so the records say ship_class and fighter_class."""
    table = dict(data)
    squadrons = table.get("squadron", [])
    if isinstance(squadrons, list):
        table["squadron"] = [_with_ships(entry) if isinstance(entry, Mapping) else entry for entry in squadrons]
    flights = table.get("flight", [])
    if isinstance(flights, list):
        table["flight"] = [_renamed(entry, "fighter_class") for entry in flights]
    return table


def _with_ships(squadron: Mapping[str, Any]) -> dict[str, Any]:
    table = dict(squadron)
    if isinstance(table.get("ships"), list):
        table["ships"] = [_renamed(entry, "ship_class") for entry in table["ships"]]
    return table


def _renamed(entry: Any, name: str) -> Any:
    if isinstance(entry, Mapping) and "class" in entry:
        return {name if key == "class" else key: value for key, value in entry.items()}
    return entry


def per_weapon(card: ShipClass, wanted: PerWeapon, default: Sequence[int | None], where: str) -> Any:
    """A figure for each weapon system; the file may name only some."""
    if isinstance(wanted, Mapping):
        figures = list(default)
        for word, figure in wanted.items():
            figures[mount_number(card, word, where)] = figure
        return tuple(figures)
    if not wanted:
        return tuple(default)
    if len(wanted) != len(card.weapons):
        raise BadData(where, f"{card.key} has {len(card.weapons)} weapon systems, not {len(wanted)}")
    return tuple(wanted)


def mount_number(card: ShipClass, word: str | int, where: str) -> int:
    names = [mount.name or mount.weapon for mount in card.weapons]
    if isinstance(word, int) and 0 <= word < len(names):
        return word
    if word not in names:
        raise BadData(where, f"no weapon '{word}' on {card.key}; it has {', '.join(names)}")
    return names.index(str(word))


def at_its_vortex(squadron: Squadron, vortices: Sequence[Vortex]) -> Squadron:
    """FA-JMP-9: a squadron that waits starts in its command ship's vortex, else in its first."""
    mine = [vortex for vortex in vortices if vortex.squadron == squadron.name]
    if squadron.state != "waiting" or not mine:
        return squadron
    own = next((vortex for vortex in mine if vortex.opener == squadron.command_ship), mine[0])
    return replace(squadron, hex=own.hex, heading=own.direction, arrives=own.open_turn)

"""The state of a battle: frozen records named as in the rule book's data model (section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from games.broadsides.data import Catalogue, ShipClass, System
from games.broadsides.rules.catalogue import printed
from pbem.kit.hexgrid import Hex

Side2 = Literal["port", "starboard"]
Status = Literal["on-map", "hangar", "hyperspace", "withdrawn", "destroyed", "jumped", "aboard"]
FlightOrder = Literal["A", "I", "D", "L"]
PhaseName = Literal["setup", "orders", "fire"]
PERMANENT = "permanent"
NO_OFFSET = Hex(0, 0)


@dataclass(frozen=True)
class Slide:
    """BR-MOV-13: n of the v hexes go one direction off the heading."""

    side: Side2
    n: int


@dataclass(frozen=True)
class Turning:
    """BR-MOV-8: a turn carried over, with the hexes still to serve."""

    dir: Side2
    left: int


@dataclass(frozen=True)
class Mount:
    """The state of one weapon."""

    charge: int
    consecutive_shots: int = 0
    """Turns in a row in which it has fired (BR-PWR-5)."""
    cooling: bool = False
    """It may not fire this turn."""
    dropped_out: bool = False
    sustained_target: str = ""
    """BR-DMG-7: whom the first shot of a sustained weapon struck."""
    ammunition: Mapping[str, int] = field(default_factory=dict)
    used: bool = False
    """It has fired, launched or intercepted this turn."""
    shut_down: bool = False
    """BR-PWR-3: it gave its power away this turn."""
    damaged: bool = False
    """It was damaged this turn and rolls for a drop-out in R12."""


@dataclass(frozen=True)
class Squad:
    """A boarding squad aboard an enemy."""

    owner: str
    section: str
    elite: bool = False
    turn_docked: int = 0
    sent_by: str = ""
    number: int = 1


@dataclass(frozen=True)
class Program:
    """BR-OSA-2: how a mount chooses its target."""

    kind: Literal["nearest", "biggest", "best-chance", "closing"] = "best-chance"
    over: int | None = None
    unless_slow: bool = False
    among: Literal["ship", "fighter", "any"] = "ship"


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A unit as sensors show it to both sides."""

    name: str
    side: str
    class_name: str
    position: Hex
    heading: int
    speed: int
    turning: Turning | None = None
    status: Status = "on-map"

    @property
    def on_map(self) -> bool:
        return self.status == "on-map"

    @property
    def gone(self) -> bool:
        return self.status in ("destroyed", "withdrawn", "jumped", "aboard")


@dataclass(frozen=True, kw_only=True)
class SeenShip(Seen):
    """A ship, base or OSAT from outside."""

    facing: int
    rolled: bool = False
    slide: Slide | None = None


@dataclass(frozen=True, kw_only=True)
class Ship(SeenShip):
    """All that its captain knows of it."""

    structure: Mapping[str, int]
    weapon: Mapping[str, Mount]
    blocks_lost: Mapping[str, int] = field(default_factory=dict)
    deactivated: Mapping[str, int | Literal["permanent"]] = field(default_factory=dict)
    """System to the last turn in which it is off."""
    battery: Mapping[str, int] = field(default_factory=dict)
    pods: int = 0
    pods_launched: int = 0
    sensor_upgrades: int = 0
    jammer_upgrade: bool = False
    boarding_squads: tuple[Squad, ...] = ()
    cnc_rows_lost_this_turn: int = 0
    cnc_failure: bool = False
    program: Program = Program()
    initiative: int = 0
    start_position: Hex | None = None
    """Its hex at the start of the last R6a; distances for ``closing`` are taken between these."""
    highest_level: int = 0
    """The highest air met this turn (BR-ATM-5)."""
    fired: bool = False
    """It has been activated in R8."""
    offset: Hex = NO_OFFSET
    """BR-HYP-1: its place in the formation."""
    troops: Literal["press", "spread"] = "press"
    scenario_heading: int | None = None
    """BR-SET-10: the heading the scenario gave it; None outside the setup phase."""

    def lost_sides(self, sheet: ShipClass) -> int:
        return sum(1 for side in sheet.sides if self.structure[side] <= 0)

    def blocks_left(self, system: System) -> int:
        return system.blocks - self.blocks_lost.get(system.id, 0)

    def rows_lost(self, system: System | None) -> int:
        """Rows fill one after another."""
        return self.blocks_lost.get(system.id, 0) // system.width if system else 0

    def works(self, system: System) -> bool:
        """Neither destroyed nor dropped out nor deactivated."""
        dropped = system.id in self.weapon and self.weapon[system.id].dropped_out
        return self.blocks_left(system) > 0 and not dropped and system.id not in self.deactivated


@dataclass(frozen=True)
class Fighter:
    structure: int
    dropped_out: bool = False
    temporary_out: bool = False
    missiles: int = 0
    damaged: bool = False
    intercepted: bool = False

    @property
    def alive(self) -> bool:
        return self.structure > 0 and not self.dropped_out

    @property
    def acting(self) -> bool:
        return self.alive and not self.temporary_out


@dataclass(frozen=True, kw_only=True)
class SeenFlight(Seen):
    """A flight, a shuttle or a breaching pod from outside."""

    @property
    def facing(self) -> int:
        return self.heading


@dataclass(frozen=True, kw_only=True)
class Flight(SeenFlight):
    """All that its leader knows of it."""

    fighters: tuple[Fighter, ...]
    carrier: str = ""
    """The ship whose hangar it is in, or which launched it."""
    order: FlightOrder = "D"
    broke_off: bool = False
    target: str = ""
    """A and D: its target; a pod: the ship it boards."""
    section: str = ""
    alongside: bool = False
    elite: bool = False
    initiative: int = 0
    landed: int | None = None
    """The turn it landed (BR-FTR-7)."""
    start_position: Hex | None = None
    highest_level: int = 0
    d_move: int = 0
    """BR-FTR-5: the extra hexes a D flight has left after its normal move."""
    launched_now: bool = False
    """It left its hangar this turn (L): no fire."""
    attacked: bool = False
    fired: bool = False
    """It fired this turn, which shows a stealth flight."""

    @property
    def living(self) -> list[int]:
        """Indices of the fighters neither destroyed nor dropped out."""
        return [index for index, fighter in enumerate(self.fighters) if fighter.alive]


Unit = Ship | Flight


@dataclass(frozen=True)
class FieldHex:
    """BR-AST-1."""

    hex: Hex
    density: int


@dataclass(frozen=True)
class AirHex:
    """BR-ATM-1."""

    hex: Hex
    level: int


@dataclass(frozen=True)
class Terrain:
    """Section 2.7."""

    asteroids: tuple[FieldHex, ...] = ()
    large: tuple[Hex, ...] = ()
    planet: tuple[Hex, ...] = ()
    atmosphere: tuple[AirHex, ...] = ()


@dataclass(frozen=True)
class MapShape:
    """A hexagon of a radius about (0,0), or a rectangle of columns and rows from 0,0."""

    radius: int | None = None
    columns: int = 0
    rows: int = 0


@dataclass(frozen=True)
class Switches:
    """Section 2.8; ``year`` and ``start_speed`` are fields of the state, since they may be rolled."""

    jammer_rule: Literal["half", "table", "gravitic"] = "half"
    divert_limit: Literal["double", "none"] = "double"
    fire_phase: bool = False
    escort_rule: bool = True
    asteroids: bool = False
    atmosphere: bool = False
    boarding: bool = False
    hyperspace: bool = False
    missile_mix: Literal["standard", "open"] = "standard"


@dataclass(frozen=True)
class Launch:
    """A missile, torpedo or mine in flight, from R5 to R7, as both sides see it leave."""

    side: str
    launcher: str
    mount: str
    launch_hex: Hex


@dataclass(frozen=True)
class Ballistic(Launch):
    """The same as its owner knows it."""

    kind: str = ""
    """The missile; empty for torpedoes and mines."""
    target: str = ""
    target_hex: Hex | None = None
    """Where a mine is set for."""


@dataclass(frozen=True)
class Formation:
    """BR-HYP-1: ships that jump in together behind a leader."""

    side: str
    leader: str
    ships: tuple[str, ...]
    turn: int | None = None
    """When it arrives; None: it waits for a ``jump-in``."""
    hex: Hex | None = None
    facing: int = 0


@dataclass(frozen=True)
class SideRecord:
    id: str
    name: str
    defender: bool = False
    """Of a base or planet (BR-SET-2, BR-SET-3)."""


@dataclass(frozen=True)
class Prize:
    """A scenario's own victory points: a unit that counts double when lost, or pays its owner for surviving."""

    unit: str
    factor: int = 1
    alive: int = 0


@dataclass(frozen=True)
class Sighting:
    """Where a hidden flight was last seen."""

    hex: Hex
    heading: int
    turn: int


@dataclass(frozen=True)
class OrderLine:
    """A line of the first e-mail, kept for the fire phase (BR-SEQ-3)."""

    line: int
    unit: str
    text: str


@dataclass(frozen=True)
class Verdict:
    """How it ended, found in R14."""

    winner: str
    """Empty: a draw."""
    scores: Mapping[str, int]
    reason: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """What both sides know of a battle; the rest of the state and of a view is built on it."""

    scenario: str
    title: str
    sides: tuple[SideRecord, ...]
    map: MapShape
    turn: int
    phase: PhaseName
    last_turn: int
    year: int
    start_speed: int
    switches: Switches = Switches()
    terrain: Terrain = Terrain()
    first_fire: str = ""
    verdict: Verdict | None = None
    catalogue: Catalogue = field(default_factory=Catalogue)
    """Entries of this scenario only; the printed ones stand behind them."""

    @cached_property
    def cards(self) -> Catalogue:
        """All classes and weapons: the scenario's own before the printed ones."""
        return printed().with_more(self.catalogue)

    def enemy_of(self, side: str) -> str:
        return next(other.id for other in self.sides if other.id != side)


@dataclass(frozen=True, kw_only=True)
class State(Known):
    """Everything; the roster gives the order of units, since mappings keep none."""

    ships: Mapping[str, Ship]
    flights: Mapping[str, Flight]
    roster: tuple[str, ...]
    ballistics: tuple[Ballistic, ...] = ()
    formations: tuple[Formation, ...] = ()
    standing: Mapping[str, tuple[OrderLine, ...]] = field(default_factory=dict)
    sightings: Mapping[str, Mapping[str, Sighting]] = field(default_factory=dict)
    """Side to the enemy flights it has lost sight of."""
    prizes: tuple[Prize, ...] = ()

    def unit(self, name: str) -> Unit | None:
        return self.ships.get(name) or self.flights.get(name)

    def units(self) -> Iterator[Unit]:
        """All units in roster order."""
        return (unit for unit in map(self.unit, self.roster) if unit is not None)

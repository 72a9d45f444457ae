"""The state of a game of Fleet Action: frozen records named as section 2.2 of the rule book names them.

Tuples stand in roster order, which decides the order of dice: sides by index, then fleets, squadrons, ships, flights.

Records are split by audience (section 8): ``Seen...`` is what every side knows of a unit in sight, ``Open...`` what
open fog adds, and the record itself what only its owner knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.fleet_action.data import FighterClass, Manoeuvre, ShipClass, WeaponType
from games.fleet_action.rules.salvos import Salvo, SeenSalvo
from pbem.kit.game import Outcome
from pbem.kit.hexgrid import Hex

Stage = Literal["deployment", "adjustment", "reaction", "turn", "over"]
Role = Literal["attacker", "defender"]
Mission = Literal["superiority", "strike", "escort", "land"]

PULSES = (1, 2, 3)


@dataclass(frozen=True)
class Switches:
    """The optional rules of a scenario."""

    command_styles: bool = False
    navy_radius: bool = False
    afterburners: bool = False
    fog: Literal["open", "standard"] = "standard"
    pivot_at_zero: bool = True


@dataclass(frozen=True)
class Gate:
    """A fixed jump gate."""

    hex: Hex
    direction: int


@dataclass(frozen=True)
class Area:
    """FA-DEP-3: where a side may deploy, in columns and rows of the map."""

    columns: tuple[int, int]
    rows: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class SeenSide:
    """A player or alliance that gives one order e-mail."""

    id: str
    name: str
    navy: str
    role: Role
    index: int
    jumping: bool = False
    """FA-JMP: it enters through vortices."""
    points_limit: int = 0
    """FA-BLD-1; 0: the roster is ready-made."""
    fleet_speed: int | None = None
    """FA-DEP-2: told to all when deployment closes."""


@dataclass(frozen=True, kw_only=True)
class Side(SeenSide):
    """A side, with what it has decided, and won."""

    area: Area | None = None
    vortex_heading: int = 1
    anchored: bool = False
    """FA-JMP-5: it jumps on the gate's beacon."""
    points: int = 0
    """FA-VIC-2: scored at the last count."""


@dataclass(frozen=True)
class Ability:
    """FA-ABL: something a commander can do."""

    key: str
    uses: int | None = None
    """Uses left; None: no limit."""
    used_turn: int | None = None
    ship: str = ""
    """The ship it came with; it is lost with that ship."""


@dataclass(frozen=True)
class Schedule:
    """FA-REI: when and how a reinforcing fleet comes."""

    turn: int
    entry: Literal["edge", "jump"] = "edge"
    edge: Literal["north", "south", "east", "west", ""] = ""
    checks: int = 0
    """Arrival rolls made so far."""
    arrives: int | None = None
    """The turn it enters, once the roll has succeeded."""
    lost: bool = False
    """It never arrives."""


@dataclass(frozen=True, kw_only=True)
class SeenFleet:
    """A flagship and the squadrons under it."""

    name: str
    side: str
    flagship: str
    flagless_turn: int | None = None
    """The turn in which the flagship was destroyed; FA-CMD-8 holds in the next."""


@dataclass(frozen=True, kw_only=True)
class Fleet(SeenFleet):
    """A fleet, with when it comes and what its admiral can do."""

    schedule: Schedule | None = None
    abilities: tuple[Ability, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SeenSquadron:
    """Ships that fly one plot."""

    name: str
    side: str
    fleet: str
    command_ship: str
    ships: tuple[str, ...]
    """In roster order, those out of play among them."""
    hex: Hex
    heading: int
    speed: int
    state: Literal["normal", "withdrawing", "jumping", "stray", "waiting", "off"] = "normal"


@dataclass(frozen=True, kw_only=True)
class OpenSquadron(SeenSquadron):
    """A squadron, with the state of its crews and its net."""

    style: Literal["defensive", "standard", "offensive"] = "standard"
    morale_start: int = 0
    morale_lost: int = 0
    lost_commander_turn: int | None = None
    outside_net: bool = False
    excess: bool = False
    """FA-ABL-3: formed of ships the improved network can no longer hold."""


@dataclass(frozen=True, kw_only=True)
class Squadron(OpenSquadron):
    """A squadron, with its formation, its commander's abilities and its way onto the map."""

    mode: Literal["absolute", "relative"] = "absolute"
    formation: Mapping[str, Hex] = field(default_factory=dict)
    """FA-FRM-1: offsets in the commander frame; the command ship's is 0."""
    abilities: tuple[Ability, ...] = ()
    levels_rolled: frozenset[int] = frozenset()
    lost_ship: bool = False
    damaged: bool = False
    fired_on: bool = False
    stray: bool = False
    """FA-CMD-6: a ship on its own; it stays one while it withdraws."""
    net_change: str = ""
    """FA-ABL-2: the ship lost while Rapid Net Change served; its successor takes office next turn."""
    patrol: bool = False
    default: tuple[Hex, int] | None = None
    """Where the scenario would deploy it: hex and heading."""
    enter_gate: bool = False
    arrives: int | None = None
    """The turn it enters the map, while it waits."""
    founded: int = 0
    """Strays and new squadrons come after the others, in order of founding."""


@dataclass(frozen=True, kw_only=True)
class SeenShip:
    """One ship, as anybody sees it."""

    name: str
    ship_class: str
    squadron: str
    hex: Hex
    prev_hex: Hex | None = None
    holding: str | None = None
    held_by: str | None = None
    fate: Literal["in play", "destroyed", "left"] = "in play"


@dataclass(frozen=True, kw_only=True)
class OpenShip(SeenShip):
    """A ship with all its tracks."""

    structure: int
    sensor: int
    weapon_left: tuple[int, ...]
    man_left: Manoeuvre
    turn_hits: int = 0
    last_std: tuple[int | None, ...] = ()
    shots_this_turn: tuple[int, ...] = ()
    command: Literal["in", "ooc"] = "in"
    powered_off: tuple[int, ...] = ()
    """Numbers of the weapon systems without power."""


@dataclass(frozen=True, kw_only=True)
class Ship(OpenShip):
    """A ship, with its orders and what its captain alone notices."""

    last_any: tuple[int | None, ...] = ()
    jammed_turn: int | None = None
    """FA-ELI-5: the turn in which its command is jammed."""
    prepared_jump_turn: int | None = None


@dataclass(frozen=True)
class Doctrine:
    """What a flight does by standing doctrine (section 6.1)."""

    burn: Literal["auto", "no"] = "auto"
    react: Literal["ships", "none"] = "none"
    absorb_af: bool = True
    after: Literal["return", "patrol"] = "return"
    dogfight: str | None = None
    force: bool | None = None
    """None: as its mission has it."""
    join: bool | None = None
    losses: Literal["concentrate", "spread"] = "concentrate"


@dataclass(frozen=True, kw_only=True)
class SeenFlight:
    """Up to six fighters."""

    name: str
    fighter_class: str
    side: str
    count: int
    state: Literal["hangar", "flying", "dogfight", "left", "lost"] = "hangar"
    hex: Hex | None = None
    heading: int = 1


@dataclass(frozen=True, kw_only=True)
class OpenFlight(SeenFlight):
    """A flight, with its home and its mission."""

    home: str
    mission: Mission = "escort"
    charge: str | None = None
    """The squadron or flight it escorts."""
    target: str | None = None
    """The squadron it strikes."""
    prefer: str | None = None
    zone: Hex | None = None
    radius: int = 6
    station: int = 1
    land_on: str | None = None
    returning: bool = False


@dataclass(frozen=True, kw_only=True)
class Flight(OpenFlight):
    """A flight, with its doctrine and what it has done."""

    prev_hex: Hex | None = None
    launched: int | None = None
    burned_turn: int | None = None
    ships_attacked_turn: int | None = None
    doctrine: Doctrine = Doctrine()
    landed: int | None = None
    """Pulse index of its last landing."""


@dataclass(frozen=True)
class Vortex:
    """A jump point that has formed."""

    hex: Hex
    direction: int
    opener: str
    squadron: str
    open_turn: int
    side: str


@dataclass(frozen=True)
class VortexPlan:
    """FA-JMP-1, 12: a vortex as ordered; a leader has a hex, the others an offset from their leader's."""

    opener: str
    leader: str
    hex: Hex | None = None
    offset: Hex | None = None
    turn: int = 1
    heading: int = 1


@dataclass(frozen=True)
class Zone:
    """Where mines burst in the past turn, for the map."""

    hex: Hex
    radius: int
    side: str


@dataclass(frozen=True)
class StandingLine:
    """FA-DOC-7: a doctrine line that stays in force."""

    side: str
    unit: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """What every side may know of a game; of its forces, a view holds as much as its side may know."""

    name: str
    turn: int
    stage: Stage
    map_w: int
    map_h: int
    situation: Literal["skirmish", "strategic", "vital"] = "skirmish"
    engagement: Literal["fixed", "meeting", "jump-in"] = "fixed"
    gate: Gate | None = None
    turn_limit: int = 10
    switches: Switches = Switches()
    sides: tuple[Side | SeenSide, ...]
    fleets: tuple[Fleet | SeenFleet, ...]
    squadrons: tuple[Squadron | OpenSquadron | SeenSquadron, ...]
    ships: tuple[Ship | OpenShip | SeenShip, ...]
    """In play, destroyed or gone."""
    flights: tuple[Flight | OpenFlight | SeenFlight, ...]
    salvos: tuple[Salvo | SeenSalvo, ...] = ()
    vortices: tuple[Vortex, ...] = ()
    plans: tuple[VortexPlan, ...] = ()
    zones: tuple[Zone, ...] = ()
    standing: tuple[StandingLine, ...] = ()
    result: Outcome | None = None


@dataclass(frozen=True, kw_only=True)
class State(Known):
    """Everything there is to know about a game."""

    sides: tuple[Side, ...]
    fleets: tuple[Fleet, ...]
    squadrons: tuple[Squadron, ...]
    ships: tuple[Ship, ...]
    flights: tuple[Flight, ...]
    salvos: tuple[Salvo, ...] = ()
    seed: int = 0
    victory: Literal["points"] = "points"
    salvos_launched: int = 0
    founded: int = 0
    vortices_formed: bool = False
    """FA-JMP-3: the scatter of the first vortices is done."""
    styles_rolled: bool = False
    weapons: Mapping[str, WeaponType] = field(default_factory=dict)
    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    fighters: Mapping[str, FighterClass] = field(default_factory=dict)
    """Data cards of this scenario, beyond or instead of the house's."""

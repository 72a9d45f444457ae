"""Chapter 4.3, the values of a manoeuvre: what flies, what is plotted, what comes of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from games.broadsides.data import Catalogue, Drive
from games.broadsides.state import (
    Flight,
    Known,
    Seen,
    SeenShip,
    Ship,
    Side2,
    Slide,
    Unit,
)
from pbem.kit.hexgrid import Hex, distance, neighbour
from pbem.kit.records import shared

STEPS = ("F", "LP", "LS")
TURNS = ("P", "S", "P+", "S+")
LAUNCH_SHARE = 4
"""BR-FTR-6: a launching flight has a quarter of its thrust."""
LOST_SIDE_DELAY = 2


@dataclass(frozen=True)
class Ground:
    """The map as a pilot must mind it."""

    contains: Mapping[str, int]
    """Radius, or columns and rows."""
    large: frozenset[Hex] = frozenset()
    planet: frozenset[Hex] = frozenset()
    air: Mapping[Hex, int] = field(default_factory=dict)
    rocks: Mapping[Hex, int] = field(default_factory=dict)
    """BR-AST-1: the density of each field hex."""

    def on_map(self, at: Hex) -> bool:
        radius = self.contains.get("radius")
        if radius is not None:
            return abs(at.q) <= radius and abs(at.r) <= radius and abs(at.q + at.r) <= radius
        row = at.r + at.q // 2
        return 0 <= at.q < self.contains["columns"] and 0 <= row < self.contains["rows"]

    def forbidden(self, at: Hex, rating: int) -> str:
        """BR-VAL-14: why a plot may not enter the hex; empty if it may."""
        if at in self.large:
            return "a large asteroid"
        if at in self.planet:
            return "the planet"
        level = self.air.get(at, 0)
        return f"air of level {level}, the rating is {rating}" if level > rating else ""


def step_toward(ground: Ground, at: Hex, goal: Hex) -> Hex | None:
    """The next hex of a shortest line, lowest direction first, around rocks and planets."""
    steps = (neighbour(at, way) for way in range(6) if distance(neighbour(at, way), goal) < distance(at, goal))
    return next((step for step in steps if step not in ground.large and step not in ground.planet), None)


def ground_of(state: Known) -> Ground:
    shape = state.map
    size = {"columns": shape.columns, "rows": shape.rows} if shape.radius is None else {"radius": shape.radius}
    rocks, air = state.switches.asteroids, state.switches.atmosphere
    return Ground(
        size,
        frozenset(state.terrain.large if rocks else ()),
        frozenset(state.terrain.planet),
        {patch.hex: patch.level for patch in state.terrain.atmosphere} if air else {},
        {patch.hex: patch.density for patch in state.terrain.asteroids} if rocks else {},
    )


@dataclass(frozen=True, kw_only=True)
class Craft(SeenShip):
    """A ship or flight at the start of its move, and what its engines can do."""

    thrust: int
    accel_cost: int
    turn_factor: Fraction
    lost_sides: int = 0
    drive: Drive = "conventional"
    agile: bool = False
    flight: bool = False
    launching: bool = False
    rating: int = 0
    fixed: bool = False

    @property
    def gravitic(self) -> bool:
        return self.drive == "gravitic"

    def base_delay(self, speed: int) -> int:
        """BR-MOV-6: D0 = ceil(v k)."""
        return ceil(speed * self.turn_factor)


def thrust_of(catalogue: Catalogue, ship: Ship) -> int:
    """BR-MOV-3: class thrust less engine blocks and complete thruster rows lost."""
    sheet = catalogue.classes[ship.class_name]
    engine = sheet.systems.get("engine")
    lost = engine.blocks - ship.blocks_left(engine) if engine else 0
    for thruster in sheet.thrusters:
        lost += thruster.rows if thruster.id in ship.deactivated else ship.rows_lost(thruster)
    return max(0, sheet.thrust - lost)


def craft_from(catalogue: Catalogue, unit: Unit, *, launching: bool = False) -> Craft:
    """The craft of a unit; a flight on L has a quarter of its thrust."""
    if isinstance(unit, Ship):
        return _ship_craft(catalogue, unit)
    return _flight_craft(catalogue, unit, launching=launching)


def _ship_craft(catalogue: Catalogue, ship: Ship) -> Craft:
    sheet = catalogue.classes[ship.class_name]
    return Craft(
        **shared(SeenShip, ship),
        thrust=thrust_of(catalogue, ship),
        accel_cost=sheet.accel_cost,
        turn_factor=sheet.turn_factor,
        lost_sides=ship.lost_sides(sheet),
        drive=sheet.drive,
        agile=sheet.agile,
        rating=sheet.atmospheric[0],
        fixed=sheet.fixed,
    )


def _flight_craft(catalogue: Catalogue, flight: Flight, *, launching: bool) -> Craft:
    sheet = catalogue.fighters[flight.class_name]
    return Craft(
        **shared(Seen, flight),
        facing=flight.heading,
        thrust=sheet.thrust // LAUNCH_SHARE if launching else sheet.thrust,
        accel_cost=sheet.accel_cost,
        turn_factor=sheet.turn_factor,
        flight=True,
        launching=launching,
        rating=sheet.atmospheric[0],
    )


# --- plots -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SlideOrder:
    """``slide port 1``; ``slide stop`` is no side and 0."""

    side: Side2 | None
    n: int


def write_slide(slide: SlideOrder) -> str:
    return f"slide {slide.side} {slide.n}" if slide.side else "slide stop"


@dataclass(frozen=True)
class Plot:
    """What is written for one unit: speed change, path, pivot and slide."""

    change: int = 0
    tokens: tuple[str, ...] | None = None
    """Single steps, turns and snap pivots; None: no path, straight on."""
    pivot: int = 0
    """Hexsides, positive to starboard."""
    slide: SlideOrder | None = None


@dataclass(frozen=True, kw_only=True)
class Course(Craft):
    """The craft at the end of a legal plot, and the way it flew there."""

    plot: Plot
    hexes: tuple[Hex, ...]
    """From the start hex to the end."""
    directions: tuple[int, ...]
    """The direction of each step."""
    facings: tuple[int, ...]
    """The facing after each step."""
    acceleration: int
    """A of BR-MOV-5."""
    spent: int
    """All thrust: A, turns and snap pivots."""
    delays: int
    """The sum of the turn delays declared this turn (BR-FTR-5)."""


@dataclass(frozen=True)
class Fault:
    """Why a plot is illegal, and what is flown instead."""

    rule: str
    verb: str
    """The order line at fault: speed, path, pivot or slide."""
    reason: str
    hint: str
    instead: str
    plot: Plot
    """The plot corrected by this one fault."""


# --- tokens ----------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"(LP|LS|RP|RS|F)(\d*)|(DP|DS)|(P\+|S\+|P|S)", re.IGNORECASE)
LONGEST_PATH = 200


def read_tokens(text: str) -> tuple[str, ...] | None:
    """``F3 P F3`` or ``F3PF3`` as single steps; None if it cannot be read."""
    tokens: list[str] = []
    rest = text.replace(",", " ").strip()
    while rest:
        found = _TOKEN.match(rest)
        if not found:
            return None
        if found[1]:
            tokens.extend([found[1].upper()] * min(LONGEST_PATH, int(found[2] or 1)))
        else:
            tokens.append((found[3] or found[4]).upper())
        rest = rest[found.end() :].strip()
    return tuple(tokens[:LONGEST_PATH])


def write_tokens(tokens: Sequence[str]) -> str:
    """The path as a player writes it: runs of one step are counted."""
    words: list[str] = []
    index = 0
    while index < len(tokens):
        token, run = tokens[index], 1
        if token[0] in "FLR":
            while index + run < len(tokens) and tokens[index + run] == token:
                run += 1
            words.append(f"{token}{run}")
        else:
            words.append(token)
        index += run
    return "path " + " ".join(words) if words else "path"


def is_step(token: str) -> bool:
    return token in STEPS


def steps_in(tokens: Iterable[str]) -> int:
    return sum(1 for token in tokens if token in STEPS)


def straight(steps: int, slide: Slide | None) -> tuple[str, ...]:
    """BR-MOV-21: straight on, slide steps last."""
    n = slide.n if slide else 0
    letter = ("LP" if slide.side == "port" else "LS") if slide else "F"
    return ("F",) * (steps - n) + (letter,) * n


def with_slides_last(tokens: Sequence[str], slide: Slide | None) -> tuple[str, ...]:
    """BR-VAL-10: the same path, its slide steps placed last."""
    plain = ["F" if token in ("LP", "LS") else token for token in tokens]
    left = slide.n if slide else 0
    for index in range(len(plain) - 1, -1, -1):
        if left and slide and plain[index] == "F":
            plain[index] = "LP" if slide.side == "port" else "LS"
            left -= 1
    return tuple(plain)


def without(tokens: tuple[str, ...], index: int) -> tuple[str, ...]:
    return (*tokens[:index], *tokens[index + 1 :])


def without_turn(tokens: tuple[str, ...], start: int, sign: int) -> tuple[str, ...]:
    """The path without the turn point that a dropped declaration would have had."""
    for index in range(start, len(tokens)):
        if tokens[index] in TURNS:
            return without(tokens, index) if turn_sign(tokens[index]) == sign else tokens
    return tokens


def turn_sign(token: str) -> int:
    """-1 to port, +1 to starboard."""
    return -1 if "P" in token else 1


def side_of(sign: int) -> Side2:
    return "port" if sign < 0 else "starboard"

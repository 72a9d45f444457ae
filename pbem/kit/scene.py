"""What a map can show, in one language for hexes, the inch table and the star map.

A scene is made from a view; it has no pixels. ``pbem/maps`` draws it.
Points are in map units, x to the right and y down. On hexes one unit is the radius of a hex, and ``hex_point``
gives the centre of one; on the inch table one unit is an inch; on a star map it is whatever the scenario says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pbem.kit.hexgrid import Hex


class Point(NamedTuple):
    x: float
    y: float


def hex_point(at: Hex) -> Point:
    """The centre of a hex: x = 1.5 q, y = sqrt(3) (r + q/2)."""
    return Point(1.5 * at.q, round(math.sqrt(3) * (at.r + at.q / 2), 4))


def hex_points(hexes: Iterable[Hex]) -> tuple[Point, ...]:
    return tuple(hex_point(at) for at in hexes)


# --- the ground ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HexGrid:
    """Columns 1..columns, rows 1..rows, named by the game."""

    columns: int
    rows: int
    names: Literal["CCRR", "q,r"] = "CCRR"
    ground: Literal["space", "sea"] = "space"
    first_column: int = 1
    first_row: int = 1


@dataclass(frozen=True)
class HexField:
    """A hex map of any outline: the hexes that exist, where columns and rows do not describe it."""

    hexes: tuple[Hex, ...]
    names: Literal["CCRR", "q,r"] = "q,r"
    ground: Literal["space", "sea"] = "space"


@dataclass(frozen=True)
class InchTable:
    """A table measured in inches with square sectors, columns numbered and rows lettered."""

    width: float
    height: float
    sector: float = 12


@dataclass(frozen=True)
class StarField:
    """A chart of points and lanes without a grid."""

    left: float
    top: float
    width: float
    height: float


Ground = HexGrid | HexField | InchTable | StarField


# --- what stands on it -----------------------------------------------------------------------------------------------

TerrainKind = Literal[
    "land",
    "shallows",
    "asteroid",
    "asteroids",
    "planet",
    "moon",
    "dust",
    "nebula",
    "mines",
    "rift",
    "singularity",
    "atmosphere",
    "deployment",
    "zone",
    "fog",
    "star",
    "gate",
]


@dataclass(frozen=True)
class Disc:
    """A round patch of terrain; radius in map units."""

    kind: TerrainKind
    at: Point
    radius: float
    label: str = ""
    side: str | None = None


@dataclass(frozen=True)
class Patch:
    """Terrain that fills whole hexes."""

    kind: TerrainKind
    hexes: tuple[Hex, ...]
    label: str = ""
    side: str | None = None
    strength: int = 1
    """Density, level or the like; drawn as a denser pattern."""


@dataclass(frozen=True)
class Star:
    """A system of the star map."""

    at: Point
    name: str
    owner: str | None = None
    note: str = ""
    capital: bool = False


@dataclass(frozen=True)
class Lane:
    """A way between two points of the star map."""

    start: Point
    end: Point
    kind: Literal["major", "minor", "plain"] = "plain"


Glyph = Literal[
    "capital",
    "heavy",
    "medium",
    "light",
    "flight",
    "base",
    "galley",
    "two-hex galley",
    "squadron",
    "fleet",
    "army",
    "missile",
    "pod",
    "marker",
]


@dataclass(frozen=True)
class Unit:
    """Something that moves; side decides colour and pattern, glyph the shape."""

    at: Point
    side: str
    glyph: Glyph
    label: str
    heading: float | None = None
    """Degrees clockwise from the top of the map; None: no facing."""
    facing: float | None = None
    """Where the bow points, when that differs from the heading."""
    stern: Point | None = None
    """The other end of a unit of two hexes."""
    count: int | None = None
    """Ships or fighters in the marker, printed on it."""
    states: tuple[str, ...] = ()
    """Short words drawn as marks: ``crippled``, ``burning``, ``suppressed 2``..."""
    age: int | None = None
    """Turns since it was last seen there; None: it is there now."""
    flag: bool = False
    """Carries an admiral; drawn with a pennant."""


@dataclass(frozen=True)
class Trail:
    """A way that was flown, or that is plotted."""

    points: tuple[Point, ...]
    side: str
    kind: Literal["flown", "plotted"] = "flown"
    marks: tuple[int, ...] = ()
    """Indices of points where a pulse or move ended; drawn as dots."""


@dataclass(frozen=True)
class Ghost:
    """What a unit could be ordered, drawn where it would lead."""

    at: Point
    side: str
    heading: float | None = None
    """Degrees clockwise from the top of the map; None: it does not matter."""
    number: int = 1
    """In the table beside the map; several ghosts may bear the same."""


@dataclass(frozen=True)
class Shot:
    start: Point
    end: Point
    side: str
    hit: bool
    label: str = ""


@dataclass(frozen=True)
class Burst:
    """Something that exploded, burned or was lost; radius 0 is a point."""

    at: Point
    radius: float
    kind: Literal["explosion", "loss", "mine", "dogfight", "fire", "vortex", "battle", "jump"]
    label: str = ""


@dataclass(frozen=True)
class Arc:
    """A field of fire: degrees clockwise from the map's top, from start to end."""

    at: Point
    start: float
    end: float
    radius: float
    side: str


@dataclass(frozen=True)
class Ring:
    """A distance drawn about a point: command radius, patrol zone, weapon range."""

    at: Point
    radius: float
    side: str | None = None
    label: str = ""


@dataclass(frozen=True)
class Label:
    at: Point
    text: str
    weight: Literal["note", "name", "title"] = "note"


@dataclass(frozen=True)
class Wind:
    """Where the wind blows to, in degrees clockwise from the top."""

    to: float
    strength: str = ""


Item = Disc | Patch | Star | Lane | Unit | Trail | Ghost | Shot | Burst | Arc | Ring | Label


@dataclass(frozen=True)
class ScenePart:
    """A side as the map draws it; the index picks colour, pattern and shape, the same in every letter of a campaign."""

    id: str
    name: str
    index: int


@dataclass(frozen=True)
class Scene:
    """One picture: the unchanging ground and terrain, and what moves over it."""

    title: str
    ground: Ground
    sides: tuple[ScenePart, ...]
    terrain: tuple[Item, ...] = ()
    """Does not change from turn to turn; rasterised once."""
    items: tuple[Item, ...] = ()
    """Drawn over the terrain in this order, except that units, ghosts and labels always come last."""
    wind: Wind | None = None
    notes: tuple[tuple[str, str], ...] = ()
    """Lines for the legend beside those that follow from the items: (symbol word, meaning)."""
    alt: str = ""
    """The situation in words, for those who cannot see the picture."""


# --- sheets ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Boxes:
    """A row of boxes that are struck off one by one: a system, or the structure of a section."""

    label: str
    full: int
    left: int
    armour: int | None = None
    group: int = 1
    """So many boxes go together; a wider gap follows them."""
    out: bool = False
    """It does not work, though boxes are left."""
    note: str = ""
    """A word of at most five letters or so: ``ready``, ``4/8``, ``gone``."""


@dataclass(frozen=True)
class SheetSection:
    """A part of a sheet; column and row say where it stands on it, from the top left."""

    structure: Boxes
    column: int
    row: int
    systems: tuple[Boxes, ...] = ()

    @property
    def boxes(self) -> tuple[Boxes, ...]:
        return (self.structure, *self.systems)


@dataclass(frozen=True)
class Diagram:
    """The sheet of a ship or the like, drawn as boxes; up to three columns wide."""

    title: str
    index: int
    """Of its side, as in ``ScenePart``."""
    sections: tuple[SheetSection, ...]
    notes: tuple[str, ...] = ()
    """Course, speed and so on: what a player wants to see beside the boxes."""
    alt: str = ""
    """The damage in words."""
    key: str = ""
    """What the notes beside the boxes mean, for the legend."""

    @property
    def damage(self) -> float:
        """The share of its boxes that are lost or out; 0: as it left the yard."""
        boxes = [boxes for section in self.sections for boxes in section.boxes]
        gone = sum(one.full if one.out else one.full - one.left for one in boxes)
        return gone / max(1, sum(one.full for one in boxes))

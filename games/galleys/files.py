"""What a scenario or situation file may say beside the records of the state (rule book, section 10.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.galleys.data import CLASSES, Limits
from games.galleys.state import (
    ATTEMPTS,
    DEFAULT_DOCTRINES,
    DOCTRINE_VALUES,
    HOLD_ALL_FIRE,
    Fleet,
    Link,
    Sea,
    ShipClass,
    Squadron,
    Step,
    Switches,
)
from pbem.kit.codec import BadData, build, plain
from pbem.kit.hexgrid import Hex
from pbem.kit.sheet import nearest

IN_LINE_ABREAST = Hex(2, -1)
"""The usual spacing: the same map row, one column gap."""
UNSAID = -1
"""Stands for a number that is counted from the ships of the file unless the file gives it."""


@dataclass(frozen=True)
class Head(Switches, Sea):
    """Table ``[scenario]``: the map, the switches and, in a situation, the moment."""

    name: str = ""
    turn: int = 1
    first_side: str = ""
    step: Step = "reset"


@dataclass(frozen=True)
class SideTable(Fleet):
    """Table ``[[side]]``."""

    start_points: int = UNSAID


@dataclass(frozen=True)
class SquadronTable(Squadron):
    """Table ``[[squadron]]``: a line of ships, or ships each with its own place, and what they have in common."""

    start_count: int = UNSAID
    ships: tuple[Any, ...] = ()
    """As ``ship_table`` reads them."""
    first: Hex | None = None
    facing: int | None = None
    spacing: Hex = IN_LINE_ABREAST
    crew: int = 0
    marine_quality: int = 0
    flame: bool = False
    firepots: int = 0
    corvus: bool = False


@dataclass(frozen=True)
class File:
    """A whole scenario file below its head."""

    scenario: Head
    side: tuple[SideTable, ...]
    squadron: tuple[SquadronTable, ...] = ()
    ship: tuple[Any, ...] = ()
    link: tuple[Link, ...] = ()
    classes: Mapping[str, ShipClass] = field(default_factory=dict)


def read_file(data: Mapping[str, Any], where: str) -> File:
    """A table ``[class.X]`` makes a class, or changes single figures of one that ships."""
    classes = data.get("class", {})
    if not isinstance(classes, Mapping) or not all(isinstance(table, Mapping) for table in classes.values()):
        raise BadData(f"{where}.class", "a table for each class is needed: [class.trireme]")
    changed = {code: {**plain(CLASSES.get(code, {})), **table} for code, table in classes.items()}
    rest = {key: value for key, value in data.items() if key != "class"}
    file: File = build(File, {**rest, "classes": changed}, where)
    return file


# --- ships -----------------------------------------------------------------------------------------------------------


def ship_table(raw: Any, where: str) -> dict[str, Any]:
    """One ship: ``[name, class, { ... }]`` in a squadron, or a table ``[[ship]]`` of its own."""
    if isinstance(raw, Sequence) and not isinstance(raw, str) and len(raw) in (2, 3):
        raw = {"name": raw[0], "class": raw[1], **(raw[2] if len(raw) == 3 else {})}
    if not isinstance(raw, Mapping):
        raise BadData(where, f'a ship is ["Name", "class"] or ["Name", "class", {{ ... }}], not {raw!r}')
    table = {("ship_class" if key == "class" else key): value for key, value in raw.items()}
    for key in ("name", "ship_class"):
        build(str, table.get(key), f"{where}.{key}")
    return table


def place(said: Mapping[str, Any], squadron: SquadronTable, index: int, where: str) -> dict[str, Any]:
    """``at = "10,5/0"`` as the book writes it, or bow and facing, or the squadron's line (section 10.2)."""
    if said.get("at"):
        return _read_place(said["at"], where)
    in_line = squadron.first.plus(squadron.spacing.times(index)) if squadron.first else None
    spot = {"bow": said.get("bow", in_line), "facing": said.get("facing", squadron.facing)}
    if None in spot.values():
        raise BadData(
            where, 'its place is missing: at = "10,5/0", or bow and facing, or the squadron\'s first and facing'
        )
    return spot


def _read_place(at: Any, where: str) -> dict[str, Any]:
    try:
        bow, _, facing = at.partition("/")
        q, r = (int(part) for part in bow.split(","))
        return {"bow": Hex(q, r), "facing": int(facing)}
    except (AttributeError, ValueError) as error:
        raise BadData(f"{where}.at", f'a place is written "10,5/0" (bow hex / facing), not {at!r}') from error


# --- what is checked -------------------------------------------------------------------------------------------------

SHIP_LIMITS: Limits = {
    "facing": (0, 5),
    "crew": (-1, 2),
    "marine_quality": (-1, 1),
    "ram": (0, 6),
    "firepots": (0, 9),
    "fatigue": (0, 3),
    "fire": (0, 2),
    "marines": (0, 14),
    "avoid_count": (0, 99),
    "debt": (0, 99),
    "spent": (0, 99),
}
"""Section 2.2: the ranges of a ship's numbers; the last three have no upper end in the book."""
HEAD_LIMITS: Limits = {"wind_force": (0, 2), "wind_dir": (0, 5)}
SIDE_LIMITS: Limits = {"commander": (0, 3), "break_percent": (10, 100)}
SQUADRON_LIMITS: Limits = {"morale": (2, 12)}
"""Section 2.3."""


def check_known(name: str, names: Sequence[str], what: str, where: str) -> None:
    """A name the file refers to is one it defines."""
    if name not in names:
        close = nearest(name, names)
        hint = f"did you mean '{close}'?" if close else f"known are {', '.join(dict.fromkeys(names))}"
        raise BadData(where, f"no {what} called '{name}'; {hint}")


PERCENT = 100


def check_doctrines(doctrines: Mapping[str, str], where: str) -> None:
    for word, value in doctrines.items():
        if word not in DEFAULT_DOCTRINES:
            raise BadData(f"{where}.doctrines.{word}", f"no such doctrine; known are {', '.join(DEFAULT_DOCTRINES)}")
        if not _is_doctrine(word, value):
            raise BadData(f"{where}.doctrines.{word}", f"'{value}' is no value of this doctrine")


def _is_doctrine(word: str, value: str) -> bool:
    if word in DOCTRINE_VALUES:
        return value in DOCTRINE_VALUES[word]
    if word in ("react", "avoid"):
        return value in ("all", "none") or set(value.split()) <= set(ATTEMPTS)
    return (word == "hold fire" and value == HOLD_ALL_FIRE) or (value.isdigit() and int(value) <= PERCENT)

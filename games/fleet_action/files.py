"""What a scenario or situation file may say beside the records of the state: other words, shorthands, defaults.

A file may set every field of a record by the name it has in ``state.py``, a hex as ``"2008"`` or as an axial pair.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from games.fleet_action.data import TABLES, ShipClass
from games.fleet_action.rules import geometry
from games.fleet_action.rules.formation import slotted
from games.fleet_action.state import Ability
from pbem.kit import hexgrid
from pbem.kit.codec import BadData, build, did_you_mean
from pbem.kit.hexgrid import Hex

T = TypeVar("T")
Entry = dict[str, Any]
"""One table of a file, with the keys its record has and its hexes read."""

CARDS = ("weapon", "class", "fighter")
LISTS = ("side", "fleet", "squadron", "flight", "salvo", "vortex", "plan", "zone", "standing")
HEAD = (
    *("map_w", "map_h", "turn", "stage", "name", "seed", "situation", "engagement", "turn_limit", "victory"),
    *("switches", "gate", "vortices_formed", "styles_rolled"),
)
"""What a file sets of the state itself."""
_HEXES = ("hex", "prev_hex", "zone")


# --- tables ----------------------------------------------------------------------------------------------------------


def head(data: Mapping[str, Any], source: str) -> Entry:
    """What the file says of the game as a whole."""
    for key in data:
        if key not in (*HEAD, *LISTS, *CARDS):
            raise BadData(f"{source}.{key}", f"no such key{did_you_mean(key, [*HEAD, *LISTS])}")
    said = {key: value for key, value in data.items() if key in HEAD}
    return {**said, "gate": _entry(said["gate"], f"{source}.gate", "")} if "gate" in said else said


def entries(listed: Any, where: str, *names: str, class_word: str = "") -> Iterator[tuple[Entry, str]]:
    """The tables of a list with their places, in which these names must stand.

    The book's word ``class`` is Python's too, so records have another.
    """
    if not isinstance(listed, list | tuple):
        raise BadData(where, f"a list is needed, not {listed!r}")
    for number, value in enumerate(listed):
        place = f"{where}[{number}]"
        said = _entry(value, place, class_word)
        for key in names:
            if key not in said:
                raise BadData(place, f"the key '{key}' is missing")
            build(str, said[key], f"{place}.{key}")
        yield said, place


def _entry(value: Any, where: str, class_word: str) -> Entry:
    if not isinstance(value, Mapping):
        raise BadData(where, f"a table is needed, not {value!r}")
    said = {class_word if key == "class" and class_word else key: entry for key, entry in value.items()}
    return {key: read_hex(entry, f"{where}.{key}") if key in _HEXES else entry for key, entry in said.items()}


def record(kind: type[T], said: Entry, where: str, defaults: Mapping[str, Any], **made: Any) -> T:
    """The record a table describes: ``defaults`` fill what it does not say; what is ``made``, it may not say."""
    for key in said:
        if key in made:
            names = [field.name for field in dataclasses.fields(kind) if field.name not in made]  # type: ignore[arg-type]
            raise BadData(f"{where}.{key}", f"no such key{did_you_mean(key, names)}")
    built: T = build(kind, {**defaults, **said, **made}, where)
    return built


# --- values ----------------------------------------------------------------------------------------------------------


def read_hex(value: Any, where: str) -> Hex | None:
    """A hex by name (``"2008"``), or as an axial pair (``[19, -2]``)."""
    at = hexgrid.parse(value) if isinstance(value, str) else build(Hex | None, value, where)
    if at is None and value is not None:
        raise BadData(where, f'a hex such as "2008" is needed, not {value!r}')
    return at


def per_weapon(card: ShipClass, said: Any, fresh: Sequence[Any], where: str) -> Any:
    """A figure for each weapon system: a list in datacard order, or a table by name for some of them."""
    if isinstance(said, Mapping):
        figures = list(fresh)
        for word, figure in said.items():
            figures[mount_number(card, word, where)] = figure
        return figures
    if isinstance(said, list | tuple) and said and len(said) != len(card.weapons):
        raise BadData(where, f"{card.key} has {len(card.weapons)} weapon systems, not {len(said)}")
    return said or fresh


def mount_number(card: ShipClass, word: Any, where: str) -> int:
    names = [mount.word for mount in card.weapons]
    if isinstance(word, int) and 0 <= word < len(names):
        return word
    if word not in names:
        raise BadData(where, f"no weapon '{word}' on {card.key}; it has {', '.join(names)}")
    return names.index(word)


def ability(said: Any, ship: str, where: str) -> Ability:
    """A commander's ability by its key, or as a table that says how often it still serves."""
    made = record(Ability, {"key": said} if isinstance(said, str) else _entry(said, where, ""), where, {}, ship=ship)
    card = TABLES.ability.get(made.key)
    if card is None:
        raise BadData(where, f"no ability '{made.key}'; known are {', '.join(sorted(TABLES.ability))}")
    return made if made.uses is not None else dataclasses.replace(made, uses=card.uses or None)


def offsets(said: Any, ships: Sequence[str], command: str, where: str) -> dict[str, Hex]:
    """FA-FRM-1: a formation by template, or by the offset of each ship."""
    if isinstance(said, str):
        if said not in TABLES.formation:
            raise BadData(where, f"no formation '{said}'; known are {', '.join(sorted(TABLES.formation))}")
        return slotted(ships, command, said)
    placed = dict.fromkeys(ships, geometry.HERE)
    for name, text in build(Mapping[str, str], said, where).items():
        offset = geometry.read_offset(text)
        if name not in placed or offset is None:
            reason = f'a ship of the squadron and an offset such as "FP1" are needed, not {text!r}'
            raise BadData(f"{where}.{name}", reason)
        placed[name] = offset
    return placed

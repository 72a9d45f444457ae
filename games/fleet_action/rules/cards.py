"""Section 10: data cards read from TOML, of the house or of a scenario, and checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from games.fleet_action.data import SECONDARY_SHOTS, Catalogue, FighterClass, ShipClass, WeaponType
from pbem.kit import codec
from pbem.kit.codec import BadData

_ARMOUR_VALUES = {"enormous": 3, "capital": 3, "heavy": 2, "medium": 1}
_DIE = re.compile(r"(\d*)d(\d+)")
_SIZES: dict[str, tuple[int, int]] = {
    "points": (1, 100_000),
    "cr": (1, 12),
    "defence": (1, 20),
    "sensor": (0, 16),
    "structure": (1, 40),
    "come_about": (0, 30),
    "hard_turn": (0, 30),
    "course_correct": (0, 30),
    "turn": (0, 30),
    "max_accel": (0, 12),
    "max_decel": (0, 12),
    "hangar": (0, 100),
}


def read_catalogue(tables: Mapping[str, Any], source: str, house: Catalogue | None = None) -> Catalogue:
    """The tables ``weapon``, ``class`` and ``fighter`` of a file; every error names its place.

    A card that replaces one of the house need only say what differs.
    """
    cards = house or Catalogue()
    weapons = {
        key: _weapon(key, entry, cards.weapons.get(key), where)
        for key, entry, where in _entries(tables, "weapon", source)
    }
    fighters = {
        key: _fighter(key, entry, cards.fighters.get(key), where)
        for key, entry, where in _entries(tables, "fighter", source)
    }
    cards = cards.with_more(Catalogue(weapons, {}, fighters))
    classes = {key: _ship_class(key, entry, cards, where) for key, entry, where in _entries(tables, "class", source)}
    return Catalogue(weapons, classes, fighters)


def _entries(tables: Mapping[str, Any], kind: str, source: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Key, table and place of each card of a kind."""
    entries = tables.get(kind, {})
    if not isinstance(entries, Mapping):
        raise BadData(f"{source}.{kind}", f"tables such as [{kind}.name] are needed, not {entries!r}")
    for key, entry in entries.items():
        if not isinstance(entry, Mapping):
            raise BadData(f"{source}.{kind}.{key}", f"a table is needed, not {entry!r}")
        yield key, dict(entry), f"{source}.{kind}.{key}"


def _on_base(key: str, table: dict[str, Any], base: WeaponType | ShipClass | FighterClass | None) -> dict[str, Any]:
    printed = {} if base is None else {name: value for name, value in codec.plain(base).items() if value is not None}
    return {"name": key, **printed, **table, "key": key}


def _weapon(key: str, table: dict[str, Any], base: WeaponType | None, where: str) -> WeaponType:
    if "class" in table or base is None:
        table["weapon_class"] = table.pop("class", None)
    if "fc" in table or base is None:
        table["fc"] = _fire_control(table.get("fc"), f"{where}.fc")
    if "damage" in table or base is None:
        table |= _damage(table.pop("damage", None), f"{where}.damage")
    made: WeaponType = codec.build(WeaponType, _on_base(key, table, base), where)
    _check_weapon(made, where)
    return made


def _fire_control(fc: Any, where: str) -> list[int]:
    if not isinstance(fc, list) or len(fc) != 3:
        raise BadData(where, f'three dice such as ["d10", "d8", "-"] are needed, not {fc!r}')
    return [0 if die == "-" else _die(die, where)[1] for die in fc]


def _damage(damage: Any, where: str) -> dict[str, Any]:
    """Dice, four of them for plasma, a number of points for matter, or ``kill`` for EM."""
    if damage == "kill":
        return {"damage": [], "points": 0}
    if isinstance(damage, int) and not isinstance(damage, bool):
        return {"damage": [], "points": damage}
    dice = damage if isinstance(damage, list) else [damage]
    return {"damage": [list(_die(die, where)) for die in dice], "points": 0}


def _check_weapon(weapon: WeaponType, where: str) -> None:
    wanted = {"ballistic": 1}.get(weapon.weapon_class, 4)
    if weapon.range and len(weapon.range) != wanted:
        raise BadData(f"{where}.range", f"{wanted} figure(s) are needed for {weapon.weapon_class}, not {weapon.range}")
    if list(weapon.range) != sorted(weapon.range):
        raise BadData(f"{where}.range", f"the figures must grow from short to extreme, not {weapon.range}")
    if not 1 <= weapon.shots <= SECONDARY_SHOTS:
        raise BadData(f"{where}.shots", f"1 to {SECONDARY_SHOTS} are possible, not {weapon.shots}")
    dice = {"plasma": 4, "matter": 0, "em": 0}.get(weapon.damage_class, 1)
    if len(weapon.damage) != dice:
        raise BadData(f"{where}.damage", f"{weapon.damage_class} needs {dice} dice entries, not {len(weapon.damage)}")
    if weapon.damage_class == "matter" and weapon.points < 1:
        raise BadData(f"{where}.damage", "matter needs a number of points")


def _ship_class(key: str, table: dict[str, Any], cards: Catalogue, where: str) -> ShipClass:
    if "def" in table:
        table["defence"] = table.pop("def")
    made: ShipClass = codec.build(ShipClass, _on_base(key, table, cards.classes.get(key)), where)
    for name, (least, most) in _SIZES.items():
        if not least <= getattr(made, name) <= most:
            raise BadData(f"{where}.{name}", f"{least} to {most} is possible, not {getattr(made, name)}")
    wanted = _ARMOUR_VALUES[made.category]
    if len(made.armor) != wanted:
        raise BadData(f"{where}.armor", f"{made.category} has {wanted} armour value(s), not {len(made.armor)}")
    if not all(1 <= value <= 12 for value in made.armor):
        raise BadData(f"{where}.armor", f"1 to 12 is possible, not {made.armor}")
    for name, track in (
        ("grey", "structure"),
        ("guardian", "structure"),
        ("interceptor", "structure"),
        ("elint", "sensor"),
    ):
        for box in getattr(made, name):
            if not 1 <= box <= getattr(made, track):
                raise BadData(f"{where}.{name}", f"box {box} is not on the {track} track of {getattr(made, track)}")
    _check_mounts(made, cards.weapons, where)
    for carried in made.hangar_types:
        if carried not in cards.fighters:
            names = ", ".join(sorted(cards.fighters))
            raise BadData(f"{where}.hangar_types", f"no fighter class '{carried}'; known are {names}")
    return made


def _check_mounts(ship: ShipClass, weapons: Mapping[str, WeaponType], where: str) -> None:
    for number, mount in enumerate(ship.weapons):
        place = f"{where}.weapons[{number}]"
        if mount.weapon not in weapons:
            raise BadData(f"{place}.weapon", f"no weapon '{mount.weapon}'; known are {', '.join(sorted(weapons))}")
        if not 1 <= mount.rating <= 12:
            raise BadData(f"{place}.rating", f"1 to 12 is possible, not {mount.rating}")
        if mount.arcs is None and mount.af < 1:
            raise BadData(place, "a system without arcs needs an anti-fighter rating 'af'")
        if mount.arcs is not None and not weapons[mount.weapon].range:
            raise BadData(place, f"'{mount.weapon}' has no range, so it can have no arcs")
    names = [mount.word for mount in ship.weapons]
    if len(set(names)) != len(names):
        raise BadData(f"{where}.weapons", "two mounts of one weapon need different names")


def _fighter(key: str, table: dict[str, Any], base: FighterClass | None, where: str) -> FighterClass:
    if "def" in table:
        table["defence"] = table.pop("def")
    for name in ("off", "dogfight", "damage"):
        if name in table or base is None:
            table[name] = _die(table.get(name), f"{where}.{name}")[1]
    made: FighterClass = codec.build(FighterClass, _on_base(key, table, base), where)
    return made


def _die(text: Any, where: str) -> tuple[int, int]:
    found = _DIE.fullmatch(text) if isinstance(text, str) else None
    if not found or int(found[2]) < 2:
        raise BadData(where, f'a die such as "d10" or "2d12" is needed, not {text!r}')
    return int(found[1] or 1), int(found[2])


@cache
def house_catalogue() -> Catalogue:
    """Section 10: the cards that ship with the game."""
    text = (resources.files("games.fleet_action") / "units.toml").read_text(encoding="utf-8")
    return read_catalogue(tomllib.loads(text), "units.toml")

"""The data cards and tables of Fleet Action, read from TOML and checked (section 2.2 and section 10)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Literal

from pbem.kit import codec
from pbem.kit.codec import BadData

Category = Literal["enormous", "capital", "heavy", "medium"]
WeaponClass = Literal["particle", "laser", "matter", "plasma", "pulse", "flash", "molecular", "em", "ballistic"]

ARCS = ("F", "FS", "AS", "A", "AP", "FP")
BRACKETS = ("short", "medium", "long", "extreme")
CATEGORIES: tuple[Category, ...] = ("enormous", "capital", "heavy", "medium")
SECONDARY_SHOTS = 3
_ARMOUR_VALUES = {"enormous": 3, "capital": 3, "heavy": 2, "medium": 1}


@dataclass(frozen=True)
class WeaponType:
    """A weapon as section 10.1 prints it."""

    key: str
    name: str
    weapon_class: WeaponClass
    fc: tuple[int, int, int]
    """Faces of the fire-control die against capital and heavy, medium, fighter; 0: may not fire at it."""
    range: tuple[int, ...] = ()
    """Short, medium, long, extreme; one figure for ballistics; none for AF-only systems."""
    damage: tuple[tuple[int, int], ...] = ()
    """Number and faces of the damage dice; four entries for plasma; none for matter and EM."""
    points: int = 0
    """Matter: points of damage without a roll."""
    shots: int = 1
    max_pulses: int = 5
    subclass: WeaponClass | Literal[""] = ""
    """FA-WPN-9: the class by whose rules a ballistic weapon does its damage; none: particle."""
    rapid: bool = False
    proximity: bool = False

    @property
    def is_secondary(self) -> bool:
        """Section 2.2: three shots a turn make a weapon secondary; a rapid one is primary."""
        return self.shots == SECONDARY_SHOTS and not self.rapid

    @property
    def damage_class(self) -> str:
        """FA-WPN-9: the class whose rules its damage follows."""
        return self.subclass or self.weapon_class


@dataclass(frozen=True)
class Mount:
    """A weapon system on a data card."""

    weapon: str
    rating: int
    arcs: tuple[int, int, int, int, int, int] | None = None
    """x factors in the order F FS AS A AP FP; None: anti-fighter only."""
    af: int = 0
    name: str = ""
    """How orders call it; the weapon's key unless two mounts share one."""


@dataclass(frozen=True)
class ShipClass:
    """A ship class as section 10.2 prints it."""

    key: str
    name: str
    navy: str
    category: Category
    points: int
    cr: int
    defence: int
    armor: tuple[int, ...]
    sensor: int
    structure: int
    come_about: int
    hard_turn: int
    course_correct: int
    turn: int
    max_accel: int
    max_decel: int
    grey: tuple[int, ...] = ()
    guardian: tuple[int, ...] = ()
    interceptor: tuple[int, ...] = ()
    elint: tuple[int, ...] = ()
    accel_with: tuple[Literal["maintain", "turn", "hard_turn"], ...] | None = None
    jump: bool = False
    jammer: bool = False
    tractor: bool = False
    gravitic: bool = False
    hangar: int = 0
    hangar_types: tuple[str, ...] = ()
    """Fighter classes it may carry; none named: those of its own navy."""
    limited: bool = False
    weapons: tuple[Mount, ...] = ()


@dataclass(frozen=True)
class FighterClass:
    """A fighter class as section 10.4 prints it."""

    key: str
    name: str
    navy: str
    points: int
    move: int
    defence: int
    off: int
    dogfight: int
    armor: int
    damage: int
    burn: int = 0
    anti_ship: int = 0
    interceptor: int = 0
    stealth: bool = False
    range: int = 0
    hits: int = 1


@dataclass(frozen=True)
class Catalogue:
    """Weapons, ship classes and fighter classes by key."""

    weapons: Mapping[str, WeaponType] = field(default_factory=dict)
    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    fighters: Mapping[str, FighterClass] = field(default_factory=dict)

    def with_more(self, more: Catalogue) -> Catalogue:
        """The cards of a scenario go before those of the house."""
        return Catalogue(
            {**self.weapons, **more.weapons}, {**self.classes, **more.classes}, {**self.fighters, **more.fighters}
        )


# --- cards from TOML -------------------------------------------------------------------------------------------------

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


def read_catalogue(tables: Mapping[str, Any], source: str, known: Catalogue | None = None) -> Catalogue:
    """The tables ``weapon``, ``class`` and ``fighter`` of a file; every error names its place."""
    base = known or Catalogue()
    weapons = {
        key: _weapon(key, table, base.weapons.get(key), f"{source}.weapon.{key}")
        for key, table in _named(tables, "weapon", source)
    }
    fighters = {
        key: _fighter(key, table, base.fighters.get(key), f"{source}.fighter.{key}")
        for key, table in _named(tables, "fighter", source)
    }
    every_weapon, every_fighter = {**base.weapons, **weapons}, {**base.fighters, **fighters}
    classes = {}
    for key, table in _named(tables, "class", source):
        where = f"{source}.class.{key}"
        made = _ship_class(key, table, base.classes.get(key), where)
        _check_mounts(made, every_weapon, where)
        _check_hangar(made, every_fighter, where)
        classes[key] = made
    return Catalogue(weapons, classes, fighters)


def _named(tables: Mapping[str, Any], kind: str, source: str) -> list[tuple[str, dict[str, Any]]]:
    found = tables.get(kind, {})
    if not isinstance(found, Mapping):
        raise BadData(f"{source}.{kind}", f"tables such as [{kind}.name] are needed, not {found!r}")
    for key, table in found.items():
        if not isinstance(table, Mapping):
            raise BadData(f"{source}.{kind}.{key}", f"a table is needed, not {table!r}")
    return [(key, dict(table)) for key, table in found.items()]


def _on_base(key: str, table: dict[str, Any], base: WeaponType | ShipClass | FighterClass | None) -> dict[str, Any]:
    """A card that replaces one of the house need only say what differs."""
    known = {} if base is None else {name: value for name, value in codec.plain(base).items() if value is not None}
    return {"name": key, **known, **table, "key": key}


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


def _ship_class(key: str, table: dict[str, Any], base: ShipClass | None, where: str) -> ShipClass:
    if "def" in table:
        table["defence"] = table.pop("def")
    made: ShipClass = codec.build(ShipClass, _on_base(key, table, base), where)
    for name, (least, most) in _SIZES.items():
        value = getattr(made, name)
        if not least <= value <= most:
            raise BadData(f"{where}.{name}", f"{least} to {most} is possible, not {value}")
    if len(made.armor) != _ARMOUR_VALUES[made.category]:
        wanted = _ARMOUR_VALUES[made.category]
        raise BadData(f"{where}.armor", f"{made.category} has {wanted} armour value(s), not {len(made.armor)}")
    if not all(1 <= value <= 12 for value in made.armor):
        raise BadData(f"{where}.armor", f"1 to 12 is possible, not {made.armor}")
    for name, track in (("grey", "structure"), ("guardian", "structure"), ("interceptor", "structure")):
        _check_boxes(getattr(made, name), getattr(made, track), f"{where}.{name}", track)
    _check_boxes(made.elint, made.sensor, f"{where}.elint", "sensor")
    return made


def _check_boxes(boxes: tuple[int, ...], length: int, where: str, track: str) -> None:
    for box in boxes:
        if not 1 <= box <= length:
            raise BadData(where, f"box {box} is not on the {track} track of {length}")


def _check_mounts(ship: ShipClass, weapons: Mapping[str, WeaponType], where: str) -> None:
    names: list[str] = []
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
        names.append(mount.name or mount.weapon)
    if len(set(names)) != len(names):
        raise BadData(f"{where}.weapons", "two mounts of one weapon need different names")


def _check_hangar(ship: ShipClass, fighters: Mapping[str, FighterClass], where: str) -> None:
    for key in ship.hangar_types:
        if key not in fighters:
            raise BadData(f"{where}.hangar_types", f"no fighter class '{key}'; known are {', '.join(sorted(fighters))}")


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

"""The tables and the catalogue (classes, abilities, designs), read from TOML and checked: rule book 2.3, 2.4, 10."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from importlib import resources
from math import ceil
from typing import Any, Literal, get_args

from pbem.kit.codec import BadData, build, load_toml
from pbem.kit.records import part

PACKAGE = "games.encounters"
Category = Literal["ship", "base", "flight", "troop"]
Path = Literal[
    "Escort", "Cruiser", "Capital", "Supercapital", "Auxiliary", "Station", "Fortification", "Flight", "Troop"
]
PATHS: tuple[str, ...] = get_args(Path)
CATEGORY_OF_PATH = {
    "Escort": "ship", "Cruiser": "ship", "Capital": "ship", "Supercapital": "ship", "Auxiliary": "ship",
    "Station": "base", "Fortification": "base", "Flight": "flight", "Troop": "troop",
}  # fmt: skip
CLASSES_OF_A_PATH = 2
COMMAND_BONUS = 2
LEAST_CR, CP_PER_CR = 2, 3
LEAST_DV_PART, MOST_PART = 5, 2
ABILITIES_BEYOND_LEVEL = 1
SHIPYARD, BASE, MINES = "SY", "BS", "MN"
CARRIES_NOTHING = ("Flight", "Troop", "Fortification")


# --- tables ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReadinessTable:
    rows: tuple[Mapping[str, int], ...]
    """``upto`` a total, and what it gives, as a Readiness has it."""
    out_of_supply: int
    owner_level: int
    unrolled: int

    def at(self, total: int) -> dict[str, int]:
        """EN-RDY-3: what a readiness total gives; below the first row counts as the first."""
        row = next(row for row in self.rows if total <= row.get("upto", total))
        return {key: value for key, value in row.items() if key != "upto"}


@dataclass(frozen=True)
class FireRow:
    percent: int
    upto: int | None = None


def percent_at(rows: tuple[FireRow, ...], roll: int) -> int:
    """EN-FIR-1, EN-GFE-2, EN-GFE-3: the effectiveness of a modified roll."""
    return next(row.percent for row in rows if row.upto is None or roll <= row.upto)


@dataclass(frozen=True)
class FireTable:
    space: tuple[FireRow, ...]
    troops: tuple[FireRow, ...]
    ground_flights: tuple[FireRow, ...]


@dataclass(frozen=True)
class RatingTable:
    percent: Mapping[int, int]
    most_steps: int
    ground: int
    dug_in: int
    landing: int

    @cached_property
    def lowest(self) -> int:
        return min(self.percent)

    @cached_property
    def highest(self) -> int:
        return max(self.percent)

    def limited(self, rating: int) -> int:
        """EN-DR-5: a Defence Rating within the table."""
        return max(self.lowest, min(self.highest, rating))


@dataclass(frozen=True)
class MissionTable:
    firecontrol_cc: int
    firecontrol_most: int


@dataclass(frozen=True)
class RetreatTable:
    needed: int
    disengage: int
    fast: int
    crippled: int
    parting_percent: int


@dataclass(frozen=True)
class GroundTable:
    support_points: int
    strike_points: int
    capture_morale: int


@dataclass(frozen=True)
class YardTable:
    capacity: int
    works_per_prod: int
    sweep_per_cc: int


@dataclass(frozen=True)
class EconomyTable:
    invest_cost: int
    most_morale: int
    research_step: int
    highest_level: int
    intel_cost: int
    intel_buy_most: int
    intel_hold_most: int


@dataclass(frozen=True)
class MovementTable:
    cost: Mapping[str, int]
    """EN-MOV-1: movement points of a lane, by its kind."""
    restricted_cc: int
    crippled_mp: int
    fast_bonus: int
    impulses: int
    supply_lanes: int


@dataclass(frozen=True)
class MemoryTable:
    turns: int


@dataclass(frozen=True)
class Tables:
    readiness: ReadinessTable
    fire: FireTable
    rating: RatingTable
    missions: MissionTable
    retreat: RetreatTable
    ground: GroundTable
    yard: YardTable
    economy: EconomyTable
    movement: MovementTable
    memory: MemoryTable


@cache
def tables() -> Tables:
    return load_toml(Tables, PACKAGE, "tables.toml")


# --- classes, abilities and designs ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShipClass:
    """A class of the table 10.1; ``code`` is its key in the file."""

    code: str
    name: str
    path: Path
    category: Category
    base_cost: int
    maint: int
    group: int
    cp1: int
    cp_step: int
    CC: int
    speed: int = 0

    @property
    def CR(self) -> int:  # noqa: N802 - the rule book's word
        """EN-SQD-10: 2 + floor(cp1 / 3) for ships and bases, 0 for flights and troops."""
        return LEAST_CR + self.cp1 // CP_PER_CR if self.category in ("ship", "base") else 0

    def cp_at(self, level: int) -> int:
        """Construction Points at a tech level."""
        return self.cp1 + (level - 1) * self.cp_step


@dataclass(frozen=True)
class Ability:
    """EN-ABL-1: a row of table 10.2."""

    categories: tuple[Category, ...]
    EP: int | Literal["half"]
    M: int
    effect: str
    least_CV: int = 0  # noqa: N815 - the rule book's word

    def surcharge(self, cc: int) -> int:
        """EN-UNT-3: EP on top of the base cost; ``half`` is ceil(CC / 2)."""
        return ceil(cc / 2) if self.EP == "half" else self.EP


@dataclass(frozen=True)
class DesignEntry:
    """A design as a file or a ``design`` order gives it."""

    code: str
    level: int
    DV: int
    AS: int
    AF: int
    CV: int = 0
    abilities: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Design(DesignEntry):
    """A design with all that follows from it."""

    name: str
    path: str
    category: Category
    CP: int
    CC: int
    CR: int
    speed: int
    cost: int
    base_cost: int
    M: int
    G: int

    @property
    def mark(self) -> str:
        """``DD-1``: class and level."""
        return f"{self.code}-{self.level}"

    def has(self, ability: str) -> bool:
        return ability in self.abilities


class BadDesign(ValueError):
    """A design breaks EN-UNT-5; ``check`` is the validation case."""

    def __init__(self, check: str, reason: str) -> None:
        super().__init__(reason)
        self.check = check


def make_design(name: str, entry: DesignEntry, classes: Mapping[str, ShipClass]) -> Design:
    """EN-UNT-5: check an entry against its class; EN-UNT-3, 4: what follows from it."""
    of = classes[entry.code]
    check_stats(entry, of)
    check_abilities(entry, of)
    return worked_out(name, entry, of)


def worked_out(name: str, entry: DesignEntry, of: ShipClass) -> Design:
    """EN-UNT-3, 4: cost, maintenance and command of a design of this class."""
    taken = [abilities()[word] for word in entry.abilities]
    return Design(
        **asdict(part(DesignEntry, entry)), name=name, path=of.path, category=of.category, CP=of.cp_at(entry.level),
        CC=of.CC, CR=of.CR + (COMMAND_BONUS if "Command" in entry.abilities else 0), speed=of.speed,
        cost=of.base_cost + sum(ability.surcharge(of.CC) for ability in taken), base_cost=of.base_cost,
        M=of.maint + sum(ability.M for ability in taken), G=of.group,
    )  # fmt: skip


def check_stats(entry: DesignEntry, of: ShipClass) -> None:
    """EN-UNT-5: the stats add up to CP, each within its limits."""
    highest = tables().economy.highest_level
    if not 1 <= entry.level <= highest:
        raise BadDesign("EN-VAL-11", f"level {entry.level} is outside 1..{highest}")
    cp = of.cp_at(entry.level)
    total = entry.DV + entry.AS + entry.AF + entry.CV
    low, high = ceil(cp / LEAST_DV_PART), ceil(cp / MOST_PART)
    if not low <= entry.DV <= high:
        raise BadDesign("EN-VAL-11", f"dv {entry.DV} is outside {low}..{high} for {of.code}-{entry.level} (CP {cp})")
    for stat, value in (("as", entry.AS), ("af", entry.AF), ("cv", entry.CV)):
        most = 0 if stat == "cv" and of.path in CARRIES_NOTHING else high
        if not 0 <= value <= most:
            raise BadDesign("EN-VAL-11", f"{stat} {value} is outside 0..{most} for {of.code}-{entry.level} (CP {cp})")
    if total != cp:
        raise BadDesign("EN-VAL-11", f"dv + as + af + cv is {total}, but the CP of {of.code}-{entry.level} is {cp}")


def check_abilities(entry: DesignEntry, of: ShipClass) -> None:
    """EN-UNT-5: at most level + 1 abilities, each allowed for the category."""
    most = entry.level + ABILITIES_BEYOND_LEVEL
    if len(entry.abilities) > most:
        reason = f"{len(entry.abilities)} abilities, at most {most} at level {entry.level}"
        raise BadDesign("EN-VAL-12", reason)
    if len(set(entry.abilities)) < len(entry.abilities):
        raise BadDesign("EN-VAL-12", "an ability counts once; one is named twice")
    for word in entry.abilities:
        rule = abilities().get(word)
        if rule is None:
            raise BadDesign("EN-VAL-2", f"no ability called '{word}'; known are {', '.join(abilities())}")
        if of.category not in rule.categories:
            kinds = " or ".join(rule.categories)
            raise BadDesign("EN-VAL-12", f"{word} is for {kinds}, and {of.code} is a {of.category}")
        if rule.least_CV > entry.CV:
            raise BadDesign("EN-VAL-12", f"{word} needs CV {rule.least_CV} or more, the design has {entry.CV}")


# --- the catalogue ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Catalogue:
    """Classes and designs by code and by key."""

    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    designs: Mapping[str, Design] = field(default_factory=dict)


@cache
def _units_file() -> Mapping[str, Any]:
    text = (resources.files(PACKAGE) / "units.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def abilities() -> Mapping[str, Ability]:
    built: Mapping[str, Ability] = build(Mapping[str, Ability], _units_file()["ability"], "units.toml: ability")
    return built


@cache
def catalogue() -> Catalogue:
    """The house set of table 10.1 and 10.3, checked."""
    return read_catalogue(_units_file().get("class", {}), _units_file().get("design", {}), "units.toml", Catalogue())


def read_catalogue(classes: Mapping[str, Any], designs: Mapping[str, Any], where: str, onto: Catalogue) -> Catalogue:
    """Read ``[class.X]`` and ``[design.Y]`` tables over a catalogue; refuse what breaks EN-UNT-1 or EN-UNT-5.

    A class that a situation changes changes the cost and command of its designs, never their stats.
    """
    read = dict(onto.classes)
    for code, table in classes.items():
        printed = asdict(read[code]) if code in read else {"code": code}
        read[code] = build(ShipClass, {**printed, **build(Mapping[str, Any], table, where)}, f"{where}: class.{code}")
    _check_paths(read, where)
    made = {name: worked_out(design.name, design, read[design.code]) for name, design in onto.designs.items()}
    for name, table in designs.items():
        made[name] = _read_design(name, build(Mapping[str, Any], table, where), read, f"{where}: design.{name}")
    return Catalogue(read, made)


def _read_design(name: str, table: Mapping[str, Any], classes: Mapping[str, ShipClass], where: str) -> Design:
    renamed = {("code" if key == "class" else key): value for key, value in table.items()}
    entry: DesignEntry = build(DesignEntry, renamed, where)
    if entry.code not in classes:
        raise BadData(f"{where}.class", f"no class '{entry.code}'; known are {', '.join(classes)}")
    try:
        return make_design(name, entry, classes)
    except BadDesign as error:
        raise BadData(where, str(error)) from error


def _check_paths(classes: Mapping[str, ShipClass], where: str) -> None:
    """EN-UNT-1: each path has exactly two classes, all of its category."""
    for code, of in classes.items():
        if CATEGORY_OF_PATH[of.path] != of.category:
            reason = f"the path {of.path} is of category {CATEGORY_OF_PATH[of.path]}, not {of.category}"
            raise BadData(f"{where}: class.{code}", reason)
    for path in PATHS:
        codes = [code for code, of in classes.items() if of.path == path]
        if len(codes) != CLASSES_OF_A_PATH:
            raise BadData(where, f"the path {path} has {len(codes)} classes ({', '.join(codes)}), it must have 2")

"""Names of units, fleets and designs (rule book, section 2): unique in their power, no keyword, at most 30 letters."""

from __future__ import annotations

import re

from games.encounters.data import PATHS, abilities
from games.encounters.table import Table
from pbem.kit.sheet import BadOrder

LONGEST_NAME = 30
PATTERN = re.compile(r"[A-Za-z0-9 .'\-]+")
FREE_SQUADRONS = ("Pressed", "Home", "Landing")
SELECTORS = (
    "biggest", "smallest", "weakest", "toughest", "strongest", "flagship", "crippled", "intact", "scouts", "stealth",
    "jammers", "carriers", "transports", "stations", "forts", "flights",
)  # fmt: skip
KEYWORDS = (
    "empire", "fleet", "battle", "ground", "end", "turn", "stance", "build", "cancel", "repair", "intel", "invest",
    "research", "design", "move", "hold", "transfer", "load", "unload", "scrap", "rename", "doctrine", "fight",
    "decline", "squadron", "reserve", "station", "exclude", "include", "mission", "round", "guard", "lower",
    "direct", "absorb", "rounds", "retreat", "pursue", "invade", "assault", "orbital", "bombard", "engage", "screen",
    "screening", "disrupt", "disruption", "suppress", "suppression", "firecontrol", "fire control", "disengage",
    "all", "none", "own", "at", "to", "named", "with", "after", "kill", "x", "no attack", "start over", "war",
    "peace", "ally", "yes", "no", "cen", "mor", "prod", "dv", "as", "af", "cv", "support", "strike", "ships",
    "dogfight", "flak", "troops", "losses", "always", "never", "owner",
)  # fmt: skip


def reserved_words(table: Table) -> frozenset[str]:
    """Words no unit may be called by: keywords, selectors, classes, paths, abilities, systems and powers."""
    powers = [word for power in table.powers.values() for word in (power.key, power.name)]
    words = (*KEYWORDS, *SELECTORS, *FREE_SQUADRONS, *table.classes(), *PATHS, *abilities(), *table.systems, *powers)
    return frozenset(word.casefold() for word in words)


def used_names(table: Table, power: str) -> frozenset[str]:
    """The names of a power's units, fleets, builds and designs, in small letters."""
    units = (unit.name for unit in table.units.values() if unit.owner == power)
    fleets = table.fleet_names(power)
    builds = (build.name for build in table.builds.values() if build.owner == power)
    designs = (table.design_of(key).name for key in table.powers[power].designs)
    return frozenset(name.casefold() for name in (*units, *fleets, *builds, *designs) if name)


def check_new_name(table: Table, power: str, name: str) -> None:
    """EN-VAL-37: a new name is free, no keyword, made of plain characters and at most 30 long."""
    if len(name) > LONGEST_NAME:
        reason = f"the name '{name}' has {len(name)} characters, at most {LONGEST_NAME} are allowed"
        raise BadOrder("EN-VAL-37", reason, name[:LONGEST_NAME].strip())
    if not PATTERN.fullmatch(name):
        raise BadOrder("EN-VAL-37", f"'{name}': only letters, digits, space, - ' . are allowed", "a plainer name")
    folded = name.casefold()
    if folded in reserved_words(table) or folded.startswith(("yard ", "retreat ")):
        raise BadOrder("EN-VAL-37", f"'{name}' is a word of the rules or of the map", free_variant(table, power, name))
    if folded in used_names(table, power):
        raise BadOrder("EN-VAL-37", f"'{name}' is already used", free_variant(table, power, name))


def free_variant(table: Table, power: str, name: str) -> str:
    taken, number = used_names(table, power), 2
    while f"{name} {number}".casefold() in taken:
        number += 1
    return f"{name} {number}"


def next_name(table: Table, power: str, key: str) -> str:
    """EN-CON-2: design + number, the lowest number the power has not yet used for that design."""
    design, mine = table.design_of(key).name, table.powers[power]
    taken = used_names(table, power)
    number = mine.numbers.get(key, 0) + 1
    while f"{design} {number}".casefold() in taken:
        number += 1
    table.change(mine, numbers={**mine.numbers, key: number})
    return f"{design} {number}"

"""Orders of fire: target, fire, hold, guard, af, damage, mines, rapid (section 6.2)."""

from __future__ import annotations

import re

from games.fleet_action.data import BRACKETS
from games.fleet_action.orders.records import (
    AfFirstOrder,
    AfOrder,
    DamageOrder,
    FireOrder,
    GuardOrder,
    HoldOrder,
    MinesOrder,
    Order,
    RapidOrder,
    TargetOrder,
)
from games.fleet_action.orders.words import IGNORED, NOT_AN_ENEMY, UNKNOWN, Verb, Words
from games.fleet_action.state import Ship
from pbem.kit.sheet import BadOrder, nearest

TARGET_WORDS = ("nearest", "biggest", "weakest", "best-chance", "commander")
WEAPON_GROUPS = ("primary", "secondary", "all")
NO_SUCH_WEAPON = "FA-E-18"

_AT = re.compile(r"(.*?)\s+at\s+(.+)", re.IGNORECASE)
_BRACKET_WORDS = (*BRACKETS,)


def read_target(words: Words) -> Order:
    """FA-DOC-1: ``target Kha'Mak pulse 1-2``, ``target nearest``."""
    at = words.take(*TARGET_WORDS) or words.enemy_squadron()
    pulses = words.pulses()
    words.end()
    return TargetOrder(words.line.unit, at, pulses)


def read_fire(words: Words) -> Order:
    """FA-DOC-2..5: ``fire heavy-laser at G'Quan-1 pulse 2 within long chance 40%``."""
    found = _AT.fullmatch(words.rest)
    if not found:
        raise words.syntax("'at' and a target are missing")
    weapons = weapon_words(words, found[1])
    words.rest = found[2]
    flight = words.take("flight") is not None
    at = words.take(*TARGET_WORDS) or _named_target(words, flights_only=flight)
    if at in words.desk.table.flights:
        flight = True
    if flight and at in ("weakest", "best-chance", "commander"):
        raise words.syntax(f"a flight is chosen by nearest, biggest or name, not by '{at}'")
    pulses, within, chance = _conditions(words)
    return FireOrder(words.line.unit, weapons, at, flight, pulses, within, chance)


def _named_target(words: Words, *, flights_only: bool) -> str:
    desk = words.desk
    flights = [known.name for known in desk.enemy_flights()]
    ships = [] if flights_only else [known.name for known in desk.enemy_ships()]
    what = "an enemy flight that is flying" if flights_only else "an enemy ship in play"
    return words.name([*ships, *flights], NOT_AN_ENEMY, what)


def _conditions(words: Words) -> tuple[tuple[int, ...], int | str | None, int | None]:
    """FA-DOC-5: pulses, within, chance, in any order."""
    pulses: tuple[int, ...] = (1, 2, 3)
    within: int | str | None = None
    chance: int | None = None
    while words.rest:
        if words.rest.casefold().startswith("pulse"):
            pulses = words.pulses()
        elif words.take("within"):
            bracket = words.take(*_BRACKET_WORDS)
            within = bracket if bracket else words.number("a number of hexes or a bracket")
        elif words.take("chance"):
            chance = _percent(words)
        else:
            words.end()
    return pulses, within, chance


def _percent(words: Words) -> int:
    text = words.word("a percentage")
    found = re.fullmatch(r"(\d{1,3})%?", text)
    if not found or int(found[1]) > 100:
        raise words.syntax(f"'{text}' is not a percentage")
    words.take("%")
    return int(found[1])


# --- weapon words ----------------------------------------------------------------------------------------------------


def weapon_words(words: Words, text: str) -> tuple[str, ...]:
    """FA-DOC-4, FA-E-18: keys, mount names, primary, secondary, all; a weapon nobody has is left out."""
    known = systems_of(words)
    wanted = [word for part in text.split(",") if (word := part.strip().casefold())]
    chosen = tuple(word for word in wanted if word in WEAPON_GROUPS or known.get(word, 0) > 0)
    if not chosen:
        raise _no_weapon(text, words.line.unit, known)
    for word in wanted:
        if word not in chosen:
            _complain_weapon(words, word, known)
    return chosen


def systems_of(words: Words) -> dict[str, int]:
    """Weapon words of the unit, with the rating left on the best of its ships."""
    desk = words.desk
    unit = words.line.unit
    if unit in desk.table.ships:
        ships: list[Ship] = [desk.table.ships[unit]]
    else:
        ships = desk.table.members(desk.table.squadrons[unit])
    found: dict[str, int] = {}
    for ship in ships:
        for number, mount, _ in desk.table.mounts(ship):
            for word in (mount.weapon, mount.name or mount.weapon):
                found[word] = max(found.get(word, 0), ship.weapon_left[number])
    return found


def _no_weapon(text: str, unit: str, known: dict[str, int]) -> BadOrder:
    has = ", ".join(word for word, left in known.items() if left) or "no weapon left"
    return BadOrder(NO_SUCH_WEAPON, f"{unit} has no '{text}' that works; it has {has}", has, IGNORED)


def _complain_weapon(words: Words, word: str, known: dict[str, int]) -> None:
    unit = words.line.unit
    has = ", ".join(known_word for known_word, left in known.items() if left)
    state = "is destroyed" if word in known else "is not there"
    close = nearest(word, known)
    hint = f"did you mean '{close}'?" if close and close != word else f"it has {has}"
    words.desk.remark(
        words.line, NO_SUCH_WEAPON, f"{unit}: '{word}' {state}; it has {has}", hint, "the weapon is ignored"
    )


def read_hold(words: Words) -> Order:
    """FA-DOC-6: ``hold primary pulse 1``; without weapons, all."""
    found = re.fullmatch(r"(.*?)(?:(?:^|\s+)(pulse\s.*))?", words.rest, re.IGNORECASE)
    text = found[1].strip() if found else ""
    weapons = weapon_words(words, text) if text else ("all",)
    words.rest = (found[2] or "") if found else ""
    pulses = words.pulses()
    words.end()
    return HoldOrder(words.line.unit, weapons, pulses)


def read_guard(words: Words) -> Order:
    """FA-SPC-2: ``guard Vorchan-1 2`` or ``guard auto``."""
    if words.take("auto"):
        pulses = words.pulses()
        words.end()
        return GuardOrder(words.line.unit, pulses=pulses)
    ship = words.desk.table.ships[words.line.unit]
    squadron = words.desk.table.squadrons[ship.squadron]
    mates = [mate.name for mate in words.desk.table.members(squadron)]
    target = words.name(mates, "FA-E-36", f"a ship of {squadron.name}")
    given = words.optional_number()
    levels = words.desk.table.guardian_level(ship) if given is None else given
    pulses = words.pulses()
    words.end()
    return GuardOrder(words.line.unit, target, levels, pulses)


def read_af(words: Words) -> Order:
    """FA-AF-6, 8: ``af on``, ``af secondary``, ``af off``, ``af long FS pulse 1``."""
    mode = words.need("on", "secondary", "off", "long")
    arc = words.arc() if mode == "long" else ""
    pulses = words.pulses()
    words.end()
    return AfOrder(words.line.unit, mode, arc, pulses)  # type: ignore[arg-type]


def read_af_first(words: Words) -> Order:
    known = [flight.name for flight in words.desk.enemy_flights()]
    flights = words.names(known, NOT_AN_ENEMY, "an enemy flight that is flying")
    words.end()
    return AfFirstOrder(words.line.unit, flights)


def read_damage(words: Words) -> Order:
    """FA-DMG-5: which systems are given up first."""
    if not words.rest:
        raise words.syntax("the weapons are missing")
    weapons = weapon_words(words, words.rest)
    return DamageOrder(words.line.unit, weapons)


def read_mines(words: Words) -> Order:
    """FA-WPN-10: ``mines 2415 with Dag'Kar-1``."""
    at = words.hex()
    ships: tuple[str, ...] = ()
    if words.take("with"):
        squadron = words.desk.table.squadrons[words.line.unit]
        known = [ship.name for ship in words.desk.table.members(squadron)]
        ships = words.names(known, UNKNOWN, f"a ship of {squadron.name}")
    words.end()
    return MinesOrder(words.line.unit, at, ships)


def read_rapid(words: Words) -> Order:
    yes = words.yes()
    words.end()
    return RapidOrder(words.line.unit, yes)


_SHIP_OR_SQUADRON = ("ship", "squadron")
VERBS = {
    "target": Verb(("squadron",), read_target, "target Kha'Mak pulse 1-2 or target nearest", standing=True),
    "fire": Verb(_SHIP_OR_SQUADRON, read_fire, "fire heavy-laser at nearest pulse 2 within long", standing=True),
    "hold": Verb(_SHIP_OR_SQUADRON, read_hold, "hold primary pulse 1", standing=True),
    "guard": Verb(("ship",), read_guard, "guard Vorchan-1 2 or guard auto", standing=True),
    "af": Verb(_SHIP_OR_SQUADRON, read_af, "af on, af secondary, af off or af long FS pulse 1", standing=True),
    "af-first": Verb(_SHIP_OR_SQUADRON, read_af_first, "af-first Frazi-2", standing=True, single=True),
    "damage": Verb(_SHIP_OR_SQUADRON, read_damage, "damage twin-array, heavy-laser", standing=True, single=True),
    "mines": Verb(("squadron",), read_mines, "mines 2415 with Dag'Kar-1", single=True),
    "rapid": Verb(("ship",), read_rapid, "rapid yes or rapid no", standing=True, single=True),
}

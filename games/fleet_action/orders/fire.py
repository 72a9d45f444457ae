"""Orders of fire: target, fire, hold, guard, af, damage, mines, rapid (section 6.2)."""

from __future__ import annotations

import re
from collections.abc import Callable

from games.fleet_action.data import BRACKETS
from games.fleet_action.orders.desk import IGNORED
from games.fleet_action.orders.readers import Verb, reads
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
from games.fleet_action.orders.words import NOT_AN_ENEMY, Words
from games.fleet_action.state import PULSES
from games.fleet_action.table import Table
from pbem.kit.sheet import BadOrder, leading_name, nearest

TARGET_WORDS = ("nearest", "biggest", "weakest", "best-chance", "commander")
WEAPON_GROUPS = ("primary", "secondary", "all")
NO_SUCH_WEAPON = "FA-E-18"

_AT = re.compile(r"(.*?)\s+at\s+(.+)", re.IGNORECASE)


def read_target(words: Words) -> Order:
    """FA-DOC-1: ``target Kha'Mak pulse 1-2``, ``target nearest``."""
    at = words.take(*TARGET_WORDS) or _or_by_word(words, words.enemy_squadron)
    return TargetOrder(words.line.unit, at, words.pulses())


def read_fire(words: Words) -> Order:
    """FA-DOC-2..5: ``fire heavy-laser at G'Quan-1 pulse 2 within long chance 40%``."""
    found = _AT.fullmatch(words.rest)
    if not found:
        _propose_at(words)
        raise words.syntax("'at' and a target are missing")
    weapons = weapon_words(words, found[1])
    words.rest = found[2]
    flight = words.take("flight") is not None
    rest = words.rest
    at = words.take(*TARGET_WORDS) or _or_by_word(words, lambda: _named_target(words, flights_only=flight))
    if at in words.desk.table.flights:
        flight = True
    if flight and at in ("weakest", "best-chance", "commander"):
        words.propose(rest, at, "nearest")
        raise words.syntax(f"a flight is chosen by nearest, biggest or name, not by '{at}'")
    pulses, within, chance = _conditions(words)
    return FireOrder(words.line.unit, weapons, at, flight, pulses, within, chance)


def _or_by_word(words: Words, read: Callable[[], str]) -> str:
    """FA-DOC-1: the name of a target; one that nobody has may be a misspelt word, and is last read as the nearest."""
    try:
        return read()
    except BadOrder:
        given = re.split(r"[\s,]", words.rest)[0]
        words.propose_nearest(TARGET_WORDS)
        words.propose(words.rest, words.rest.split(" pulse ")[0], TARGET_WORDS[0])
        words.propose(words.rest, given, TARGET_WORDS[0])
        raise


def _propose_at(words: Words) -> None:
    """Where a target begins, ``at`` belongs before it; without a weapon, all are meant."""
    parts = words.rest.split(" ")
    ships = [ship.name for ship in words.desk.enemy_ships()]
    known = [*TARGET_WORDS, "flight", *ships, *(flight.name for flight in words.desk.enemy_flights())]
    for number in range(len(parts)):
        if leading_name(" ".join(parts[number:]), known):
            weapons, target = parts[:number], " ".join(parts[number:])
            shorter = [" ".join(weapons[:length]) for length in (number, number - 1) if length > 0 and weapons[:length]]
            words.propose(words.rest, words.rest, *(f"{chosen} at {target}" for chosen in (*shorter, "all")))
            return


def _named_target(words: Words, *, flights_only: bool) -> str:
    flights = words.desk.enemy_flights()
    if flights_only:
        return words.unit(flights, NOT_AN_ENEMY, "an enemy flight that is flying")
    return words.unit([*words.desk.enemy_ships(), *flights], NOT_AN_ENEMY, "an enemy ship in play")


def _conditions(words: Words) -> tuple[tuple[int, ...], int | str | None, int | None]:
    """FA-DOC-5: pulses, within, chance, in any order."""
    pulses: tuple[int, ...] = PULSES
    within: int | str | None = None
    chance: int | None = None
    while words.rest:
        if words.rest.casefold().startswith("pulse"):
            pulses = words.pulses()
        elif words.take("within"):
            bracket = words.take(*BRACKETS)
            words.propose_nearest([] if bracket else BRACKETS)
            within = bracket or words.number("a number of hexes or a bracket")
        elif words.take("chance"):
            chance = _percent(words)
        else:
            words.end()
    return pulses, within, chance


def _percent(words: Words) -> int:
    rest = words.rest
    text = words.word("a percentage")
    found = re.fullmatch(r"(\d{1,3})%?", text)
    if not found or int(found[1]) > 100:
        figures = re.findall(r"\d+", text)
        words.propose(rest, text, *(f"{min(100, int(figure))}%" for figure in figures[:1]))
        raise words.syntax(f"'{text}' is not a percentage")
    words.take("%")
    return int(found[1])


# --- weapon words ----------------------------------------------------------------------------------------------------


def weapon_words(words: Words, text: str) -> tuple[str, ...]:
    """FA-DOC-4, FA-E-18: keys, mount names, primary, secondary, all; a weapon nobody has is left out."""
    systems = systems_of(words.desk.table, words.line.unit)
    wanted = [word for part in text.split(",") if (word := part.strip().casefold())]
    chosen = tuple(word for word in wanted if word in WEAPON_GROUPS or systems.get(word, 0) > 0)
    has = ", ".join(word for word, left in systems.items() if left)
    if len(chosen) < len(wanted):
        _propose_weapons(words, text, wanted, [word for word, left in systems.items() if left])
    if not chosen:
        has = has or "no weapon left"
        raise BadOrder(NO_SUCH_WEAPON, f"{words.line.unit} has no '{text}' that works; it has {has}", has, IGNORED)
    for word in wanted:
        if word not in chosen:
            state = "is destroyed" if word in systems else "is not there"
            close = nearest(word, systems)
            hint = f"did you mean '{close}'?" if close and close != word else f"it has {has}"
            reason = f"{words.line.unit}: '{word}' {state}; it has {has}"
            words.desk.warn(words.line, NO_SUCH_WEAPON, reason, hint, "the weapon is ignored")
    return chosen


def _propose_weapons(words: Words, text: str, wanted: list[str], has: list[str]) -> None:
    """Misspelt weapons put right and dead ones left out; without any that is left, all."""
    known = [*has, *WEAPON_GROUPS]
    meant = [word if word in known else nearest(word, known) for word in wanted]
    line = words.line.text
    at = line.find(text, line.find(" "))
    kept = ", ".join(dict.fromkeys(filter(None, meant)))
    words.propose(line[at:], text, kept, "all" if has else "")


def systems_of(table: Table, unit: str) -> dict[str, int]:
    """Weapon words of the unit, with the rating left on the best of its ships."""
    ships = [table.ships[unit]] if unit in table.ships else table.members(table.squadrons[unit])
    left: dict[str, int] = {}
    for ship in ships:
        for number, mount, _ in table.mounts(ship):
            for word in (mount.weapon, mount.word):
                left[word] = max(left.get(word, 0), ship.weapon_left[number])
    return left


def read_hold(words: Words) -> Order:
    """FA-DOC-6: ``hold primary pulse 1``; without weapons, all."""
    found = re.fullmatch(r"(.*?)(?:(?:^|\s+)(pulse\s.*))?", words.rest, re.IGNORECASE)
    text = found[1].strip() if found else ""
    weapons = weapon_words(words, text) if text else ("all",)
    words.rest = (found[2] or "") if found else ""
    return HoldOrder(words.line.unit, weapons, words.pulses())


def read_guard(words: Words) -> Order:
    """FA-SPC-2: ``guard Vorchan-1 2`` or ``guard auto``."""
    if words.take("auto"):
        return GuardOrder(words.line.unit, pulses=words.pulses())
    table = words.desk.table
    ship = table.ships[words.line.unit]
    target = words.unit(table.members(table.squadron(ship)), "FA-E-36", f"a ship of {ship.squadron}")
    given = words.optional_number()
    levels = table.guardian_level(ship) if given is None else given
    return GuardOrder(words.line.unit, target, levels, words.pulses())


def read_af(words: Words) -> Order:
    """FA-AF-6, 8: ``af on``, ``af secondary``, ``af off``, ``af long FS pulse 1``."""
    mode = words.need("on", "secondary", "off", "long")
    arc = words.arc() if mode == "long" else ""
    return AfOrder(words.line.unit, mode, arc, words.pulses())  # type: ignore[arg-type]


def enemy_flights(words: Words) -> tuple[str, ...]:
    return words.units(words.desk.enemy_flights(), NOT_AN_ENEMY, "an enemy flight that is flying")


def read_damage(words: Words) -> Order:
    """FA-DMG-5: which systems are given up first."""
    return DamageOrder(words.line.unit, weapon_words(words, words.remainder("the weapons are")))


def read_mines(words: Words) -> Order:
    """FA-WPN-10: ``mines 2415 with Dag'Kar-1``."""
    return MinesOrder(words.line.unit, words.hex(), words.members() if words.take("with") else ())


_SHIP_OR_SQUADRON = ("ship", "squadron")
VERBS = {
    "target": Verb(("squadron",), read_target, "target Kha'Mak pulse 1-2 or target nearest", standing=True),
    "fire": Verb(_SHIP_OR_SQUADRON, read_fire, "fire heavy-laser at nearest pulse 2 within long", standing=True),
    "hold": Verb(_SHIP_OR_SQUADRON, read_hold, "hold primary pulse 1", standing=True),
    "guard": Verb(("ship",), read_guard, "guard Vorchan-1 2 or guard auto", standing=True),
    "af": Verb(_SHIP_OR_SQUADRON, read_af, "af on, af secondary, af off or af long FS pulse 1", standing=True),
    "af-first": Verb(
        _SHIP_OR_SQUADRON, reads(AfFirstOrder, enemy_flights), "af-first Frazi-2", standing=True, single=True
    ),
    "damage": Verb(_SHIP_OR_SQUADRON, read_damage, "damage twin-array, heavy-laser", standing=True, single=True),
    "mines": Verb(("squadron",), read_mines, "mines 2415 with Dag'Kar-1", single=True),
    "rapid": Verb(("ship",), reads(RapidOrder, Words.yes), "rapid yes or rapid no", standing=True, single=True),
}

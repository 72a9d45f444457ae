"""What a scenario or situation file may say beside the records of the state (rule book, section 14), and its checks.

A file names only what exists, and keeps the ranges of the data model (rule book 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games.encounters.data import PATHS, Catalogue, catalogue, read_catalogue, tables
from games.encounters.rules.names import FREE_SQUADRONS
from games.encounters.rules.squadrons import HOME
from games.encounters.state import BattleStart, Lane, Power, State, System
from pbem.kit.codec import BadData, build, did_you_mean
from pbem.kit.records import amended
from pbem.kit.sheet import nearest

FIRE_STEPS = ("ships", "dogfight", "strike", "flak")
HEAD = ("turn", "phase", "switches", "victory", "kept", "next_order", "throne_held", "throne_holder")
"""Fields of the state that a file sets by their own names; the rest of it comes in lists of entries."""
Entry = Mapping[str, Any]
"""A record as the file has it: what it leaves out has a default, and units are called by name."""


@dataclass(frozen=True)
class Force:
    """Many units in short: ``units = ["Bulwark Hood", "2 Lance", "Mule Atlas: Line 1st Line, Line 2nd Line"]``."""

    owner: str
    location: str
    units: tuple[str, ...]
    fleet: str = ""


@dataclass(frozen=True)
class Meeting:
    """What a file says of the blocs that meet in a system."""

    system: str
    readiness: tuple[Entry, ...] = ()
    """A total, from which the rest follows unless it is given too."""
    lead: tuple[str, ...] = ()
    intel: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class File:
    """The lists of a file; ``[class.X]`` and ``[design.Y]`` change the catalogue."""

    power: tuple[Entry, ...]
    system: tuple[System, ...]
    lane: tuple[Lane, ...] = ()
    force: tuple[Force, ...] = ()
    unit: tuple[Entry, ...] = ()
    fleet: tuple[Entry, ...] = ()
    build: tuple[Entry, ...] = ()
    encounter: tuple[Meeting, ...] = ()
    battle: tuple[Entry, ...] = ()


def read_file(data: Mapping[str, Any], where: str) -> tuple[File, State]:
    """The lists of a file, and the state they are set into: map and powers, before any unit stands on it."""
    said = dict(data)
    classes, designs = said.pop("class", {}), said.pop("design", {})
    book = read_catalogue(classes, designs, where, catalogue()) if classes or designs else catalogue()
    for key in said:
        if key not in (*File.__dataclass_fields__, *HEAD):
            raise BadData(f"{where}.{key}", f"no such key{did_you_mean(key, (*File.__dataclass_fields__, *HEAD))}")
    file: File = build(File, {key: value for key, value in said.items() if key not in HEAD}, where)
    head = amended(State(), {key: value for key, value in said.items() if key in HEAD}, where)
    powers = [read_power(entry, head.turn, f"{where}.power[{number}]") for number, entry in enumerate(file.power)]
    check_map(file, [power.key for power in powers], where)
    for power in powers:
        check_power(power, [each.key for each in powers], file, book, f"{where}: power {power.key}")
    state = replace(
        head,
        seats=tuple(power.key for power in powers),
        powers={power.key: with_open_designs(power, book) for power in powers},
        systems={system.name: system for system in file.system},
        lanes=file.lane,
        classes={code: of for code, of in book.classes.items() if catalogue().classes.get(code) != of},
        designs={key: design for key, design in book.designs.items() if catalogue().designs.get(key) != design},
    )
    check_head(state, where)
    for meeting in file.encounter:
        check_meeting(meeting, state, f"{where}: encounter")
    return file, state


def read_power(entry: Entry, turn: int, where: str) -> Power:
    """A power as its file has it: names it knows are a list, and all paths are open unless the file says which."""
    met = build(tuple[str, ...], entry.get("known", ()), f"{where}.known")
    said = {"tech": dict.fromkeys(PATHS, 1), **entry, "known": dict.fromkeys(met, turn)}
    power: Power = build(Power, said, where)
    return power


def with_open_designs(power: Power, book: Catalogue) -> Power:
    """10.3: level-1 designs are open to every power whose level in the path is 1 or more."""
    tech = {path: power.tech.get(path, 0) for path in PATHS}
    opened = [key for key, design in book.designs.items() if design.level == 1 and tech[design.path] >= 1]
    return replace(power, tech=tech, designs=tuple(dict.fromkeys((*opened, *power.designs))))


# --- checks ----------------------------------------------------------------------------------------------------------


def known(word: str, words: Iterable[str], where: str) -> str:
    """The word, if it is among the words."""
    listed = list(words)
    if word not in listed:
        close = nearest(word, listed)
        hint = f"did you mean '{close}'?" if close else f"known are {', '.join(listed)}"
        raise BadData(where, f"'{word}' is not known; {hint}")
    return word


def all_known(named: Iterable[str], words: Iterable[str], where: str) -> None:
    for word in named:
        known(word, words, where)


def within(value: int, low: int, high: int | None, where: str) -> None:
    if value < low or (high is not None and value > high):
        limits = f"{low}..{high}" if high is not None else f"{low} or more"
        raise BadData(where, f"{value} is outside {limits}")


def all_within(values: Mapping[str, int], low: int, high: int | None, where: str) -> None:
    for key, value in values.items():
        within(value, low, high, f"{where}.{key}")


def check_map(file: File, keys: Sequence[str], where: str) -> None:
    """Powers and systems are named once, lanes and owners name what exists; 2.2: the ranges of a system's values."""
    names = [system.name for system in file.system]
    if not 2 <= len(keys) <= 8:
        raise BadData(f"{where}: power", f"2 to 8 powers are needed, not {len(keys)}")
    for words in (names, keys):
        for word in words:
            if words.count(word) > 1:
                raise BadData(where, f"'{word}' is given twice")
    for number, lane in enumerate(file.lane):
        all_known(lane.ends, names, f"{where}: lane[{number}].ends")
    for number, system in enumerate(file.system):
        here = f"{where}: system[{number}]"
        if system.owner is not None:
            known(system.owner, keys, f"{here}.owner")
        limits = {"RAW": 6, "CAP": 12, "CEN": system.CAP, "MOR": min(system.CEN, 10), "PROD": system.CEN}
        for stat, most in limits.items():
            within(getattr(system, stat), 0, most, f"{here} ({system.name}).{stat}")


def check_head(state: State, where: str) -> None:
    """Turn, victory, throne and kept letters."""
    rules = state.victory
    within(state.turn, 1, None, f"{where}: turn")
    all_known(rules.homes, state.seats, f"{where}: victory.homes")
    all_known((*rules.homes.values(), *rules.points), state.systems, f"{where}: victory")
    all_known([rules.throne] if rules.throne else [], state.systems, f"{where}: victory.throne")
    all_known([state.throne_holder] if state.throne_holder else [], state.seats, f"{where}: throne_holder")
    all_known(state.kept, state.seats, f"{where}: kept")


def check_meeting(meeting: Meeting, state: State, where: str) -> None:
    all_known(meeting.lead, state.seats, f"{where} at {meeting.system}.lead")
    all_known(meeting.intel, state.seats, f"{where} at {meeting.system}.intel")
    known(meeting.system, state.systems, f"{where}.system")


def check_power(power: Power, keys: Sequence[str], file: File, book: Catalogue, where: str) -> None:
    """2.1: the ranges of a power's values, and the names it speaks of."""
    economy, systems = tables().economy, [system.name for system in file.system]
    all_known(power.stance, [key for key in keys if key != power.key], f"{where}.stance")
    for topic, values, most in (
        ("tech", power.tech, economy.highest_level), ("research", power.research, None), ("pending", power.pending, 1),
    ):  # fmt: skip
        all_known(values, PATHS, f"{where}.{topic}")
        all_within(values, 0, most, f"{where}.{topic}")
    for topic in ("designs", "numbers"):
        all_known(getattr(power, topic), book.designs, f"{where}.{topic}")
    for topic in ("intel", "seen", "contacts"):
        all_known(getattr(power, topic), systems, f"{where}.{topic}")
    all_within(power.intel, 0, economy.intel_hold_most, f"{where}.intel")
    for system, contacts in power.contacts.items():
        for contact in contacts:
            all_known(contact.powers, keys, f"{where}.contacts.{system}.powers")
    within(power.treasury, 0, None, f"{where}.treasury")
    within(power.lost, 0, None, f"{where}.lost")


def check_battle(battle: BattleStart, state: State, where: str) -> None:
    """2.6: rounds and residual points of a battle that starts in the middle."""
    within(battle.round, 1, state.switches.max_rounds, f"{where}.round")
    all_known((*battle.residual, *battle.eff), state.seats, where)
    for key, steps in (*battle.residual.items(), *battle.eff.items()):
        all_known(steps, FIRE_STEPS, f"{where}, {key}")
        all_within(steps, 0, None, f"{where}, {key}")
    for key, squadrons in battle.squadrons.items():
        for name in squadrons:
            if name in FREE_SQUADRONS and name != HOME:
                raise BadData(f"{where}.squadrons.{key}", f"{name} follows from the orders: include, invade")

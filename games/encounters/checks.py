"""A scenario or situation file names only what exists, and keeps the ranges of the data model (rule book 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from games.encounters.data import PATHS, Catalogue
from games.encounters.given import Given, GivenBattle, GivenPower
from games.encounters.rules.squadrons import LANDING, PRESSED
from games.encounters.tables import tables
from pbem.kit.codec import BadData
from pbem.kit.sheet import nearest

FIRE_STEPS = ("ships", "dogfight", "strike", "flak")


def known(word: str, words: Sequence[str], where: str) -> str:
    """The word, if it is among the words."""
    if word not in words:
        close = nearest(word, words)
        hint = f"did you mean '{close}'?" if close else f"known are {', '.join(words)}"
        raise BadData(where, f"'{word}' is not known; {hint}")
    return word


def all_known(found: Iterable[str], words: Sequence[str], where: str) -> None:
    for word in found:
        known(word, words, where)


def within(value: int, low: int, high: int | None, where: str) -> None:
    if value < low or (high is not None and value > high):
        limits = f"{low}..{high}" if high is not None else f"{low} or more"
        raise BadData(where, f"{value} is outside {limits}")


def all_within(values: Mapping[str, int], low: int, high: int | None, where: str) -> None:
    for key, value in values.items():
        within(value, low, high, f"{where}.{key}")


def check_given(given: Given, book: Catalogue, where: str) -> None:
    """What the map's own check does not see: powers, fleets, builds, encounters, battles, victory."""
    keys = [power.key for power in given.power]
    systems = [system.name for system in given.system]
    within(given.turn, 1, None, f"{where}: turn")
    for power in given.power:
        check_power(power, keys, systems, book, f"{where}: power {power.key}")
    for fleet in given.fleet:
        known(fleet.owner, keys, f"{where}: fleet {fleet.name}.owner")
        all_known([fleet.location] if fleet.location else [], systems, f"{where}: fleet {fleet.name}.location")
    for number, one in enumerate(given.build):
        known(one.owner, keys, f"{where}: build[{number}].owner")
    for encounter in given.encounter:
        all_known(encounter.lead, keys, f"{where}: encounter at {encounter.system}.lead")
        all_known(encounter.intel, keys, f"{where}: encounter at {encounter.system}.intel")
    for battle in given.battle:
        check_battle(battle, keys, given.switches.max_rounds, f"{where}: battle at {battle.system}")
    all_known(given.victory.homes, keys, f"{where}: victory.homes")
    all_known((*given.victory.homes.values(), *given.victory.points), systems, f"{where}: victory")
    all_known([given.victory.throne] if given.victory.throne else [], systems, f"{where}: victory.throne")
    all_known([given.throne_holder] if given.throne_holder else [], keys, f"{where}: throne_holder")
    all_known(given.kept, keys, f"{where}: kept")


def check_power(power: GivenPower, keys: Sequence[str], systems: Sequence[str], book: Catalogue, where: str) -> None:
    """2.1: the ranges of a power's values, and the names it speaks of."""
    economy = tables().economy
    all_known(power.stance, [key for key in keys if key != power.key], f"{where}.stance")
    for field, values, most in (
        ("tech", power.tech, economy.highest_level),
        ("research", power.research, None),
        ("pending", power.pending, 1),
    ):
        all_known(values, PATHS, f"{where}.{field}")
        all_within(values, 0, most, f"{where}.{field}")
    all_known(power.designs, list(book.designs), f"{where}.designs")
    all_known(power.numbers, list(book.designs), f"{where}.numbers")
    all_known(power.intel, systems, f"{where}.intel")
    all_known(power.seen, systems, f"{where}.seen")
    all_known(power.contacts, systems, f"{where}.contacts")
    all_within(power.intel, 0, economy.intel_hold_most, f"{where}.intel")
    for system, contacts in power.contacts.items():
        for contact in contacts:
            all_known(contact.powers, keys, f"{where}.contacts.{system}.powers")
    within(power.treasury, 0, None, f"{where}.treasury")
    within(power.lost, 0, None, f"{where}.lost")


def check_battle(battle: GivenBattle, keys: Sequence[str], max_rounds: int, where: str) -> None:
    """2.6: rounds, ratings and residual points of a battle that starts in the middle."""
    rating = tables().rating
    within(battle.round, 1, max_rounds, f"{where}.round")
    all_within(battle.DR, rating.lowest, rating.highest, f"{where}.DR")
    all_known((*battle.residual, *battle.eff, *battle.squadrons, *battle.flagship), keys, where)
    for key, steps in (*battle.residual.items(), *battle.eff.items()):
        all_known(steps, FIRE_STEPS, f"{where}, {key}")
        all_within(steps, 0, None, f"{where}, {key}")
    for key, squadrons in battle.squadrons.items():
        for name in (name for name in squadrons if name in (PRESSED, LANDING)):
            raise BadData(f"{where}.squadrons.{key}", f"{name} follows from the orders: include, invade")

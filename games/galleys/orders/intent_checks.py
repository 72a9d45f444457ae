"""What an attack may ask of a ship (GA-VAL-14, -16, -18, -19, -20)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from games.galleys.orders.levels import Case, Means
from games.galleys.orders.records import STANDS, Disengage, Intent, IntentKind, Jettison, Path
from games.galleys.rules.anastrophe import start_lane
from games.galleys.rules.ramming import why_not_ram
from games.galleys.state import Level
from pbem.kit.sheet import Accepted

Conditions = tuple[tuple[bool, str], ...]
AT_LEVEL: Mapping[IntentKind, Level] = {
    "ram": Level.CRUISE,
    "rake": Level.CRUISE,
    "pass": Level.MAX,
    "grapple": Level.CRUISE,
    "anastrophe": Level.MAX,
}
"""The lowest level at which an attack may be ordered; for most of them the only one."""


def may_attack(case: Case, means: Means, entry: Accepted[Intent]) -> bool:
    """Whether the ship may keep the intent; if not, it is refused."""
    intent, ship = entry.order, case.ship
    if ship.rammed and intent.kind in ("rake", "pass"):
        case.judge.refuse(entry, "GA-VAL-14", "it is rammed: MP 0", "hold", fix="hold")
        return False
    rule, conditions_of, hint = CHECKS[intent.kind]
    reason = next((words for true, words in conditions_of(case, means) if true), "")
    if reason:
        case.judge.refuse(entry, rule, reason, hint, fix=f"speed {AT_LEVEL[intent.kind]}\n{entry.text}")
    elif intent.kind == "anastrophe":
        _note_position(case, entry)
    return not reason


def _ram(case: Case, means: Means) -> Conditions:
    """GA-VAL-16; a held ship may still get loose before it rams."""
    ship = case.ship
    return (
        (ship.ram == 0, "its ram rating is 0"),
        (ship.crippled, "it is crippled"),
        (ship.rammed, "it is rammed"),
        (ship.burning, f"it is burning (fire {ship.fire})"),
        (ship.prize, "it is a prize"),
        (ship.fatigue > 0, f"it is fatigued (fatigue {ship.fatigue})"),
        (means.level is Level.HALF, "its level is half"),
    )


def _rake(case: Case, _: Means) -> Conditions:
    return (case.ship.crippled, "it is crippled"), (case.ship.prize, "it is a prize")


def _pass(case: Case, means: Means) -> Conditions:
    return (*_rake(case, means), *_not_at(means, Level.MAX))


def _grapple(case: Case, means: Means) -> Conditions:
    ship = case.ship
    return (
        (ship.rammed, "it is rammed"),
        (ship.burning, f"it is burning (fire {ship.fire})"),
        (ship.prize, "it is a prize"),
        *_not_at(means, Level.CRUISE),
    )


def _anastrophe(case: Case, means: Means) -> Conditions:
    # An attempt of last turn is forgotten when the new turn begins.
    fresh = replace(case.ship, ram_used=case.ship.ram_used and case.table.state.step != "reset")
    failed = why_not_ram(case.table, fresh)
    return (
        (not case.ship.star, "it has no star"),
        *_not_at(means, Level.MAX),
        (bool(failed), failed),
        (bool(case.draft.given(Path)), "it cannot be combined with a path"),
        (bool(case.draft.given(Jettison)), "it cannot be combined with jettison"),
        (bool(case.draft.given(Disengage)), "it cannot be combined with disengage"),
    )


CHECKS: Mapping[IntentKind, tuple[str, Callable[[Case, Means], Conditions], str]] = {
    "ram": ("GA-VAL-16", _ram, ""),
    "rake": ("GA-VAL-18", _rake, ""),
    "pass": ("GA-VAL-18", _pass, "speed max"),
    "grapple": ("GA-VAL-20", _grapple, "speed cruise"),
    "anastrophe": ("GA-VAL-19", _anastrophe, ""),
}
"""The rule of each kind of attack, what it asks, and what to write where that is plain."""


def _not_at(means: Means, wanted: Level) -> Conditions:
    return ((means.level is not wanted, f"its level is {means.level}, not {wanted}"),)


def _note_position(case: Case, entry: Accepted[Intent]) -> None:
    """GA-VAL-19: a position that does not fit now is only noted."""
    target = entry.order.target.name
    if target and start_lane(case.table.hull(case.ship.name), case.table.hull(target)) is None:
        reason = f"it does not lie before the bow of {target}, facing it (GA-ANA-2)"
        case.judge.note(entry, "GA-VAL-19", reason, "", f"{STANDS} in case the enemy moves")

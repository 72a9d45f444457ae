"""What an attack may ask of a ship (GA-VAL-16, -18, -19, -20)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from games.galleys.orders.plans import STANDS, Intent, Path
from games.galleys.rules.anastrophe import start_lane
from games.galleys.rules.ramming import why_not_ram
from games.galleys.state import Level, Ship

if TYPE_CHECKING:
    from games.galleys.orders.checks import Checker, Draft, Entry, Means

Conditions = tuple[tuple[bool, str], ...]


class IntentChecks:
    """The attack checks of one side's checker."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker

    def stands(self, entry: Entry, ship: Ship, intent: Intent, draft: Draft, means: Means) -> bool:
        """Whether the ship may keep the intent; if not, the complaint is made."""
        if intent.kind != "ram" and ship.rammed and intent.kind not in ("grapple", "anastrophe"):
            self.checker.refuse(entry, ship, "GA-VAL-14", "it is rammed: MP 0", "hold")
            return False
        rule, conditions, hint = {
            "ram": ("GA-VAL-16", self._ram(ship, means), ""),
            "rake": ("GA-VAL-18", self._rake(ship), ""),
            "pass": ("GA-VAL-18", (*self._rake(ship), *_not_at(means, Level.MAX)), "speed max"),
            "grapple": ("GA-VAL-20", self._grapple(ship, means), "speed cruise"),
            "anastrophe": ("GA-VAL-19", self._anastrophe(ship, draft, means), ""),
        }[intent.kind]
        reason = next((words for true, words in conditions if true), "")
        if reason:
            self.checker.refuse(entry, ship, rule, reason, hint)
            return False
        if intent.kind == "anastrophe":
            self._warn_position(entry, ship, intent)
        return True

    def _ram(self, ship: Ship, means: Means) -> Conditions:
        """GA-VAL-16; a held ship may still get loose before it rams."""
        return (
            (ship.ram == 0, "its ram rating is 0"),
            (ship.crippled, "it is crippled"),
            (ship.rammed, "it is rammed"),
            (ship.burning, f"it is burning (fire {ship.fire})"),
            (ship.prize, "it is a prize"),
            (ship.fatigue > 0, f"it is fatigued (fatigue {ship.fatigue})"),
            (means.level is Level.HALF, "its level is half"),
        )

    def _rake(self, ship: Ship) -> Conditions:
        return (ship.crippled, "it is crippled"), (ship.prize, "it is a prize")

    def _grapple(self, ship: Ship, means: Means) -> Conditions:
        return (
            (ship.rammed, "it is rammed"),
            (ship.burning, f"it is burning (fire {ship.fire})"),
            (ship.prize, "it is a prize"),
            *_not_at(means, Level.CRUISE),
        )

    def _anastrophe(self, ship: Ship, draft: Draft, means: Means) -> Conditions:
        # An attempt of last turn is forgotten when the new turn begins.
        fresh = replace(ship, ram_used=ship.ram_used and self.checker.state.step != "reset")
        failed = why_not_ram(self.checker.battle, fresh)
        plotted = draft.way is not None and isinstance(draft.way.order, Path)
        return (
            (not ship.star, "it has no star"),
            *_not_at(means, Level.MAX),
            (bool(failed), failed),
            (plotted, "it cannot be combined with a path"),
            (draft.jettison is not None, "it cannot be combined with jettison"),
            (draft.disengage is not None, "it cannot be combined with disengage"),
        )

    def _warn_position(self, entry: Entry, ship: Ship, intent: Intent) -> None:
        """GA-VAL-19: a position that does not fit now is a warning only."""
        target = intent.target.name
        if not target:
            return
        battle = self.checker.battle
        if start_lane(battle.hull(ship.name), battle.hull(target)) is None:
            reason = f"it does not lie before the bow of {target}, facing it (GA-ANA-2)"
            self.checker.warn(entry, ship, "GA-VAL-19", reason, "", f"{STANDS} in case the enemy moves")


def _not_at(means: Means, wanted: Level) -> Conditions:
    return ((means.level is not wanted, f"its level is {means.level}, not {wanted}"),)

"""What a plotted path may ask of a ship (GA-VAL-10 to -15, -17, -30)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.galleys.data import TABLES
from games.galleys.orders.plans import STANDS, Path, Plan, written_path
from games.galleys.rules.geometry import ASTERN, Hull, ahead
from games.galleys.rules.routes import BACK, FORWARD, THROUGH, TURNS, crosses, most_turns
from games.galleys.rules.speed import wind_loss
from games.galleys.state import LEVELS, Level, Ship
from pbem.kit.hexgrid import Hex

if TYPE_CHECKING:
    from games.galleys.orders.checks import Checker, Draft, Entry, Means

STAYS = "the ship does not move"


@dataclass(frozen=True)
class Stride:
    """One token of a path as if nothing were in the way."""

    place: int
    """Counted from 1."""
    token: str
    cost: int
    hull: Hull
    """Where the ship is afterwards."""
    entered: Hex | None
    """The hex the token brings a part of the ship into."""


class PathChecks:
    """The path checks of one side's checker."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker

    def may_move(self, entry: Entry, ship: Ship, means: Means) -> bool:
        """GA-VAL-14, -15: a rammed ship never, a held one only when it gets loose."""
        partners = self.checker.state.partners(ship.name)
        if ship.rammed:
            self.checker.refuse(entry, ship, "GA-VAL-14", "it is rammed: MP 0", "hold")
            return False
        if partners and not means.disengages:
            reason = f"it is held by {', '.join(partners)} and has no order to disengage"
            self.checker.warn(
                entry, ship, "GA-VAL-15", reason, "disengage", f"{STANDS} in case the enemy lets go first"
            )
        return True

    def checked(self, entry: Entry, ship: Ship, path: Path, means: Means) -> str | None:
        """The tokens that will be executed: all, the longest legal leading part, or none."""
        if not self.may_move(entry, ship, means) or not self._is_well_formed(entry, ship, path, means):
            return None
        strides = list(self._strides(ship, path.tokens, means))
        legal = min(self._paid_for(entry, ship, strides, means), self._turned_right(entry, ship, path))
        if not legal:
            self.checker.drop(entry, ship)
            return None
        self._warn_blocked(entry, ship, strides[:legal])
        return path.tokens[:legal]

    # --- single rules ------------------------------------------------------------------------------------------------

    def _is_well_formed(self, entry: Entry, ship: Ship, path: Path, means: Means) -> bool:
        """GA-VAL-12, -13."""
        tokens = path.tokens
        if BACK in tokens and (tokens != BACK or means.level is not Level.HALF):
            reason = f"B must be the sole token, at half; the path is {written_path(tokens)}, the level {means.level}"
            self.checker.refuse(entry, ship, "GA-VAL-12", reason, "speed half, path B", STAYS)
            return False
        for place, token in enumerate(tokens):
            if token != THROUGH:
                continue
            missing = []
            if place == 0 or tokens[place - 1] != FORWARD:
                missing.append("an F directly before it")
            if means.level is not Level.MAX:
                missing.append(f"level max (it is {means.level})")
            if missing:
                reason = f"T at token {place + 1} lacks {' and '.join(missing)}"
                self.checker.refuse(entry, ship, "GA-VAL-13", reason, "speed max, path ... F1 T", STAYS)
                return False
        return True

    def _paid_for(self, entry: Entry, ship: Ship, strides: list[Stride], means: Means) -> int:
        """GA-VAL-10: how many leading tokens the movement points pay for."""
        needed = sum(stride.cost for stride in strides) + means.overhead
        if needed <= means.points:
            return len(strides)
        left, paid = means.points - means.overhead, 0
        for stride in strides:
            left -= stride.cost
            if left < 0:
                break
            paid += 1
        part = written_path("".join(stride.token for stride in strides[:paid]))
        enough = next((level for level in LEVELS if self._points_by_cost(ship, level, means) >= needed), None)
        reason = f"the path needs {needed} MP, {means.level} gives {means.points}"
        hint = f"longest legal part: {part}; lowest level that would suffice: {enough or 'none'}"
        self.checker.complain(entry, ship, "GA-VAL-10", reason, hint, f"path {part} is used" if paid else STAYS)
        return paid

    def _points_by_cost(self, ship: Ship, level: Level, means: Means) -> int:
        """Movement points of a level without the caps of damage and fatigue."""
        state = self.checker.state
        points = state.class_of(ship).points_at(level)
        if level is Level.MAX and (ship.jettisoned or means.jettison):
            points += 1
        points = max(points - ship.debt, 0)
        return max(points - wind_loss(ship.facing, state.switches), 1) if points else 0

    def _turned_right(self, entry: Entry, ship: Ship, path: Path) -> int:
        """GA-VAL-11: how many leading tokens keep to the limit of turns between two moves ahead."""
        limit, turns = most_turns(self.checker.state.class_of(ship)), 0
        for place, token in enumerate(path.tokens):
            turns = turns + 1 if token in TURNS else 0
            if turns > limit:
                run = _run_of_turns(path.tokens, place)
                part = written_path(path.tokens[:place])
                reason = f"{run} hexsides turned without an F between, at most {limit}; token {place + 1}"
                instead = f"path {part} is used" if place else STAYS
                self.checker.complain(entry, ship, "GA-VAL-11", reason, f"longest legal part: {part}", instead)
                return place
        return len(path.tokens)

    def warn_ram(self, ship: Ship, draft: Draft, plan: Plan, means: Means) -> None:
        """GA-VAL-17: a watched ram on a path that spoils it."""
        rams = [intent for intent in plan.watched if intent.kind == "ram"]
        if not rams or plan.path is None:
            return
        place = self._spoiled_at(ship, plan.path, means)
        if place:
            for entry in draft.intents:
                if entry.order in rams:
                    reason = (
                        f"token {place} turns without an F before it or circles: from there the ram will not qualify"
                    )
                    self.checker.warn(entry, ship, "GA-VAL-17", reason)

    def _spoiled_at(self, ship: Ship, tokens: str, means: Means) -> int:
        """GA-RAM-3, -4: the first token that makes a ram impossible; 0: none."""
        trodden = set(self.checker.battle.hull(ship.name).hexes)
        for stride in self._strides(ship, tokens, means):
            before = tokens[stride.place - 2] if stride.place > 1 else ""
            if stride.token in TURNS and before not in (FORWARD, THROUGH):
                return stride.place
            if stride.token == FORWARD and stride.entered in trodden:
                return stride.place
            trodden.update(stride.hull.hexes)
        return 0

    def _warn_blocked(self, entry: Entry, ship: Ship, strides: list[Stride]) -> None:
        """GA-VAL-30: a step known to be blocked now."""
        for stride in strides:
            if stride.token == THROUGH:
                return
            obstacle = self._obstacle(ship, stride)
            if obstacle and stride.entered:
                reason = f"token {stride.place} leads into {stride.entered.q},{stride.entered.r}: {obstacle}"
                self.checker.warn(entry, ship, "GA-VAL-30", reason, "", f"{STANDS}; the ship stops there if it is so")
                return

    def _obstacle(self, ship: Ship, stride: Stride) -> str:
        battle, at = self.checker.battle, stride.entered
        if at is None:
            return ""
        if not battle.sea.holds(at):
            leaves = stride.token == FORWARD and crosses(at, battle.fleets[ship.side].exit_edge, battle.sea)
            return "" if leaves else "the edge of the map"
        if at in battle.land:
            return "land"
        if at in battle.shoal and stride.hull.large:
            return "shoal"
        holder = battle.occupied.get(at)
        if holder and holder != ship.name and battle.ship(holder).side == ship.side and self._acts_later(holder, ship):
            return f"{holder}, which acts later"
        return ""

    def _acts_later(self, holder: str, ship: Ship) -> bool:
        return self._turn_of(self.checker.battle.ship(holder)) > self._turn_of(ship)

    def _turn_of(self, ship: Ship) -> tuple[int, int, int]:
        """The place of a ship in the order of activation, as ordered now."""
        checker = self.checker
        own = [squadron.name for squadron in checker.state.squadrons if squadron.side == checker.side]
        order = [*checker.activate, *(name for name in own if name not in checker.activate)]
        listed = checker.sequences.get(ship.squadron, ())
        place = listed.index(ship.name) if ship.name in listed else len(listed) + (1 if ship.prize else 0)
        return order.index(ship.squadron), place, ship.roster

    # --- walking -----------------------------------------------------------------------------------------------------

    def _strides(self, ship: Ship, tokens: str, means: Means) -> Iterator[Stride]:
        """The path token by token on an empty sea; behind a T the place is a guess and only the cost counts."""
        battle = self.checker.battle
        hull = battle.hull(ship.name)
        turn = 1 if means.points == 1 else battle.class_of(ship.name).turn_cost
        for place, token in enumerate(tokens, 1):
            entered: Hex | None = None
            cost = turn
            if token == FORWARD:
                entered = ahead(hull.bow, hull.facing)
                cost = 1 + (TABLES.movement.shoal if not hull.large and entered in battle.shoal else 0)
                hull = Hull(entered, hull.facing, hull.large)
            elif token in TURNS:
                hull = Hull(hull.bow, (hull.facing + TURNS[token]) % 6, hull.large)
                entered = hull.stern if hull.large else None
            elif token == BACK:
                entered = ahead(hull.stern, hull.facing + ASTERN)
                cost = max(means.points - means.overhead, 1)
                hull = Hull(ahead(hull.bow, hull.facing + ASTERN), hull.facing, hull.large)
            else:
                cost = TABLES.rake.pass_cost
                hull = Hull(ahead(hull.bow, hull.facing, cost), hull.facing, hull.large)
            yield Stride(place, token, cost, hull, entered)


def _run_of_turns(tokens: str, place: int) -> int:
    """How many turns stand in a row around this token."""
    start = end = place
    while start > 0 and tokens[start - 1] in TURNS:
        start -= 1
    while end + 1 < len(tokens) and tokens[end + 1] in TURNS:
        end += 1
    return end - start + 1
